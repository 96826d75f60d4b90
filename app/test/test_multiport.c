/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* Several devices in one process, and those that move by themselves. */

#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_ethdev.h>

#include "port.h"

#define PORTS 8

/* At most so long for what another thread does; only a failure takes it. */
#define PATIENCE_MS 60000

/* A frame in, the same out, on the line that the test holds. */
static int
pass(struct port *p, uint32_t len, uint32_t seed)
{
	struct rte_mbuf *m;

	CHECK(port_push_frame(p, len, seed));
	port_run(p);
	CHECK_EQ(port_rx(p, &m, 1), 1);
	CHECK_OK(mbuf_check(p, m, len, seed));
	port_line_clear(p);
	CHECK_EQ(port_tx(p, &m, 1), 1);
	port_run(p);
	CHECK_EQ(port_sent(p), 1);
	return port_check_sent(p, 0, len, seed);
}

/* What is done to one device shows nowhere in another. */
TEST(multi_independent)
{
	static uint32_t before[BCM4908_REGS_SIZE / 4];
	struct rte_ether_addr mac = { .addr_bytes = { 0x02, 1, 2, 3, 4, 5 } };
	struct rte_eth_stats stats;
	struct port a, b;

	PORT_OPEN(&a);
	PORT_OPEN(&b);
	for (unsigned int i = 0; i < 10; i++)
		CHECK_OK(pass(&b, 100, i));
	for (uint32_t reg = 0; reg < BCM4908_REGS_SIZE; reg += 4)
		before[reg / 4] = port_reg(&b, reg);
	for (unsigned int i = 0; i < 100; i++)
		CHECK_OK(pass(&a, 60 + i, i));
	CHECK_EQ(rte_eth_dev_set_mtu(a.id, 4000), 0);
	CHECK_EQ(rte_eth_promiscuous_disable(a.id), 0);
	CHECK_EQ(rte_eth_dev_default_mac_addr_set(a.id, &mac), 0);
	bcm4908_watchdog(a.eth_dev);
	CHECK_EQ(rte_eth_dev_stop(a.id), 0);
	CHECK_EQ(rte_eth_stats_reset(a.id), 0);
	for (uint32_t reg = 0; reg < BCM4908_REGS_SIZE; reg += 4)
		CHECK(port_reg(&b, reg) == before[reg / 4], "%#x of the other device changed", reg);
	CHECK_EQ(rte_eth_stats_get(b.id, &stats), 0);
	CHECK_EQ(stats.ipackets, 10);
	CHECK_EQ(stats.opackets, 10);
	for (unsigned int i = 0; i < 10; i++)
		CHECK_OK(pass(&b, 1514, i));
	CHECK_EQ(rte_eth_dev_start(a.id), 0);
	CHECK_OK(port_close(&a));
	for (unsigned int i = 0; i < 10; i++)
		CHECK_OK(pass(&b, 1514, i));
	return port_close(&b);
}

/* Many at once, interleaved, opened and closed in any order. */
TEST(multi_many)
{
	static const unsigned int orders[][PORTS] = {
		{ 0, 1, 2, 3, 4, 5, 6, 7 }, { 7, 6, 5, 4, 3, 2, 1, 0 }, { 3, 0, 7, 1, 6, 2, 5, 4 },
	};
	struct port p[PORTS];

	for (unsigned int o = 0; o < RTE_DIM(orders); o++) {
		for (unsigned int i = 0; i < PORTS; i++)
			PORT_OPEN(&p[i], .pool_size = 512);
		for (unsigned int i = 0; i < 50; i++)
			for (unsigned int j = 0; j < PORTS; j++)
				CHECK_OK(pass(&p[orders[o][j]], 60 + i, i * PORTS + j));
		for (unsigned int i = 0; i < PORTS; i++) {
			CHECK_OK(port_close(&p[orders[o][i]]));
			for (unsigned int j = i + 1; j < PORTS; j++)
				CHECK_OK(pass(&p[orders[o][j]], 100, j));
		}
	}
	return 0;
}

/* Frames that one port receives and another sends, without a copy, from one pool. */
static int
forward(const struct port_variant *tx)
{
	struct rte_mempool *mp = pool_make(1024, 0, RTE_MBUF_DEFAULT_BUF_SIZE);
	struct rte_mbuf *m[32];
	uint32_t sent = 0, got = 0;
	struct port a, b;

	CHECK(mp != NULL);
	PORT_OPEN(&a, .pool = mp, .tx = tx);
	PORT_OPEN(&b, .pool = mp, .tx = tx);
	while (got < 2000) {
		uint16_t n;

		for (unsigned int i = 0; i < 29; i++, sent++)
			CHECK(port_push_frame(&a, 60 + sent % 100, sent));
		port_run(&a);
		n = port_rx(&a, m, 32);
		CHECK_EQ(n, 29);
		CHECK_EQ(port_tx(&b, m, n), n);
		port_run(&b);
		CHECK_EQ(port_sent(&b), n);
		for (unsigned int i = 0; i < n; i++, got++)
			CHECK_OK(port_check_sent(&b, i, 60 + got % 100, got));
		port_line_clear(&b);
	}
	CHECK_OK(port_close(&a));
	CHECK_OK(port_close(&b));
	return pool_free_full(mp);
}

TEST(multi_forward)
{
	return each_tx_variant(forward);
}

static int
check_link(const struct port *p, bool up)
{
	struct rte_eth_link link;

	CHECK_EQ(rte_eth_link_get_nowait(p->id, &link), 0);
	CHECK_EQ(link.link_status, up);
	return 0;
}

/* A frame from a to b over what joins them. */
static int
over_cable(struct port *a, struct port *b, uint32_t len, uint32_t seed)
{
	struct rte_mbuf *m = mbuf_frame(a->pool, len, seed);

	CHECK(m != NULL);
	CHECK_EQ(port_tx(a, &m, 1), 1);
	port_run(a);
	port_run(b);
	CHECK_EQ(port_rx(b, &m, 1), 1);
	CHECK_EQ(m->port, b->id);
	CHECK_OK(mbuf_check_bytes(m, len, seed));
	rte_pktmbuf_free(m);
	return 0;
}

TEST(multi_cable)
{
	struct rte_eth_stats stats;
	struct port a, b;

	PORT_OPEN(&a, .args = "wire=cable:multi", .own_line = true);
	CHECK_OK(check_link(&a, false)); /* nobody at the other end */
	PORT_OPEN(&b, .args = "wire=cable:multi", .own_line = true);
	CHECK_OK(check_link(&a, true));
	CHECK_OK(check_link(&b, true));
	for (uint32_t i = 0; i < 1455; i++) {
		CHECK_OK(over_cable(&a, &b, 60 + i, i));
		CHECK_OK(over_cable(&b, &a, 1514 - i, i));
	}
	CHECK_EQ(rte_eth_stats_get(a.id, &stats), 0);
	CHECK_EQ(stats.ipackets, 1455);
	CHECK_EQ(stats.opackets, 1455);
	CHECK_EQ(stats.ibytes, stats.obytes);
	CHECK_EQ(stats.ierrors + stats.oerrors + stats.imissed + stats.rx_nombuf, 0);
	CHECK_EQ(rte_eth_dev_stop(b.id), 0);
	CHECK_OK(check_link(&a, false));
	CHECK_EQ(rte_eth_dev_start(b.id), 0);
	CHECK_OK(check_link(&a, true));
	CHECK_OK(over_cable(&a, &b, 100, 1));
	CHECK_OK(port_close(&b));
	CHECK_OK(check_link(&a, false));
	return port_close(&a);
}

/*
 * Devices that move by themselves: send, receive in order, complete.
 */

/* Frames of the same length, numbered. */
static struct rte_mbuf *
numbered(struct rte_mempool *mp, uint32_t nr)
{
	struct rte_mbuf *m = mbuf_frame(mp, 60 + nr % 64, 1);

	if (m != NULL)
		memcpy(rte_pktmbuf_mtod_offset(m, void *, 14), &nr, sizeof(nr));
	return m;
}

static int
check_numbered(const struct rte_mbuf *m, uint32_t nr)
{
	uint32_t got;

	CHECK_EQ(m->pkt_len, 60 + nr % 64);
	memcpy(&got, rte_pktmbuf_mtod_offset(m, void *, 14), sizeof(got));
	CHECK_EQ(got, nr);
	return 0;
}

/* total frames from each port to the other, which may be the same. */
static int
exchange(struct port **p, unsigned int nb, uint32_t total)
{
	const uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() / 1000 * PATIENCE_MS;
	uint32_t sent[2] = { 0 }, got[2] = { 0 };
	struct rte_mbuf *m[32];
	uint16_t n;

	while (got[0] < total || (nb == 2 && got[1] < total)) {
		CHECK(rte_get_timer_cycles() < end, "%u and %u frames of %u", got[0], got[1], total);
		for (unsigned int i = 0; i < nb; i++) {
			/* no more under way than the ring and the FIFO of the other end can hold */
			if (sent[i] < total && sent[i] - got[nb - 1 - i] < 128) {
				m[0] = numbered(p[i]->pool, sent[i]);
				CHECK(m[0] != NULL);
				if (port_tx(p[i], m, 1) == 1)
					sent[i]++;
				else
					rte_pktmbuf_free(m[0]);
			}
			n = port_rx(p[i], m, RTE_DIM(m));
			for (unsigned int j = 0; j < n; j++, got[i]++) {
				CHECK_OK(check_numbered(m[j], got[i]));
				rte_pktmbuf_free(m[j]);
			}
		}
	}
	CHECK_EQ(port_rx(p[0], m, 1), 0);
	return 0;
}

/* What is still on its way into the ring is lost when the port stops: let it arrive. */
static int
check_stats(struct port *p, uint32_t total)
{
	struct rte_eth_stats stats;

	CHECK_EQ(rte_eth_stats_get(p->id, &stats), 0);
	CHECK_EQ(stats.ipackets, total);
	CHECK_EQ(stats.opackets, total);
	CHECK_EQ(stats.ibytes, stats.obytes);
	CHECK_EQ(stats.ierrors + stats.oerrors + stats.imissed, 0);
	return 0;
}

static int
self_moving_loop(const char *args)
{
	struct port *p[1], port;

	p[0] = &port;
	PORT_OPEN(&port, .args = args, .own_line = true, .rx_desc = 512, .tx_desc = 512,
		  .pool_size = 4096);
	for (uint32_t i = 1; i <= 3; i++) {
		CHECK_OK(exchange(p, 1, 5000));
		CHECK_OK(check_stats(&port, 5000 * i));
		CHECK_EQ(rte_eth_dev_stop(port.id), 0);
		CHECK_EQ(rte_mempool_avail_count(port.pool), port.pool->size);
		CHECK_EQ(rte_eth_dev_start(port.id), 0);
	}
	return port_close(&port);
}

static int
self_moving_cable(const char *args)
{
	struct port *p[2], a, b;

	p[0] = &a;
	p[1] = &b;
	PORT_OPEN(&a, .args = args, .own_line = true, .rx_desc = 512, .tx_desc = 512,
		  .pool_size = 4096);
	PORT_OPEN(&b, .args = args, .own_line = true, .rx_desc = 512, .tx_desc = 512,
		  .pool_size = 4096);
	CHECK_OK(exchange(p, 2, 5000));
	CHECK_OK(check_stats(&a, 5000));
	CHECK_OK(check_stats(&b, 5000));
	CHECK_OK(port_close(&b));
	return port_close(&a);
}

TEST(multi_thread_loop)
{
	return self_moving_loop("stepping=thread");
}

TEST(multi_thread_cable)
{
	return self_moving_cable("stepping=thread,wire=cable:threads");
}

TEST(multi_burst_loop)
{
	return self_moving_loop("stepping=burst");
}

TEST(multi_burst_cable)
{
	return self_moving_cable("stepping=burst,wire=cable:bursts");
}

/* A paced line loses nothing either while the driver keeps up. */
TEST(multi_thread_paced)
{
	return self_moving_loop("stepping=thread,rate=10000");
}

/* Ports that come and go beside one that works, all served by one thread. */
TEST(multi_thread_come_and_go)
{
	struct port *p[1], port, other;

	p[0] = &port;
	PORT_OPEN(&port, .args = "stepping=thread", .own_line = true, .rx_desc = 512,
		  .tx_desc = 512, .pool_size = 4096);
	for (unsigned int i = 1; i <= 20; i++) {
		struct port *q[1] = { &other };

		PORT_OPEN(&other, .args = "stepping=thread", .own_line = true, .rx_desc = 512,
			  .tx_desc = 512, .pool_size = 2048);
		CHECK_OK(exchange(p, 1, 100));
		CHECK_OK(exchange(q, 1, 100));
		CHECK_OK(port_close(&other));
		CHECK_OK(exchange(p, 1, 100));
	}
	CHECK_OK(check_stats(&port, 4000));
	return port_close(&port);
}

/* The burst mode tells that a burst moves the device. */
TEST(multi_burst_mode_names)
{
	struct rte_eth_burst_mode mode;
	struct port p;

	PORT_OPEN(&p, .args = "stepping=burst", .own_line = true);
	CHECK_EQ(rte_eth_rx_burst_mode_get(p.id, 0, &mode), 0);
	CHECK(strstr(mode.info, "stepping") != NULL, "%s", mode.info);
	CHECK_EQ(rte_eth_tx_burst_mode_get(p.id, 0, &mode), 0);
	CHECK(strstr(mode.info, "stepping") != NULL, "%s", mode.info);
	/* also across the change to another burst */
	CHECK_EQ(rte_eth_dev_set_mtu(p.id, 4000), 0);
	CHECK_EQ(rte_eth_rx_burst_mode_get(p.id, 0, &mode), 0);
	CHECK(strstr(mode.info, "Scattered") != NULL && strstr(mode.info, "stepping") != NULL, "%s",
	      mode.info);
	CHECK_OK(port_close(&p));
	PORT_OPEN(&p, .args = "stepping=thread", .own_line = true);
	CHECK_EQ(rte_eth_rx_burst_mode_get(p.id, 0, &mode), 0);
	CHECK(strstr(mode.info, "stepping") == NULL, "%s", mode.info);
	return port_close(&p);
}
