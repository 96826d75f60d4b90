/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* Counters: what they count, their names, wraps, resets, and who may look at them at once. */

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include <rte_ethdev.h>

#include "model/bcm4908_model.h"
#include "port.h"

#define XSTATS_MAX 256

/*
 * The MIB's registers [6], with the names that we give them: those that
 * monitoring tools know where there is one.
 */
static const struct {
	uint32_t reg;
	const char *name;
} mib[] = {
	{ 0x200, "rx_mac_fcs_errors" }, { 0x204, "rx_mac_control_packets" },
	{ 0x208, "rx_mac_pause_packets" }, { 0x20c, "rx_mac_unknown_opcode_packets" },
	{ 0x210, "rx_mac_align_errors" }, { 0x214, "rx_mac_length_out_of_range_errors" },
	{ 0x218, "rx_mac_symbol_errors" }, { 0x21c, "rx_mac_carrier_errors" },
	{ 0x220, "rx_oversize_errors" }, { 0x224, "rx_jabber_errors" },
	{ 0x228, "rx_mac_mtu_errors" }, { 0x22c, "rx_mac_runt_errors" },
	{ 0x230, "rx_undersized_errors" }, { 0x234, "rx_fragmented_errors" },
	{ 0x238, "rx_mac_runt_bytes" }, { 0x23c, "rx_multicast_packets" },
	{ 0x240, "rx_broadcast_packets" }, { 0x244, "rx_size_64_packets" },
	{ 0x248, "rx_size_65_to_127_packets" }, { 0x24c, "rx_size_128_to_255_packets" },
	{ 0x250, "rx_size_256_to_511_packets" }, { 0x254, "rx_size_512_to_1023_packets" },
	{ 0x258, "rx_size_1024_to_1518_packets" }, { 0x25c, "rx_size_1519_to_1522_packets" },
	{ 0x260, "rx_size_1523_to_2047_packets" }, { 0x264, "rx_size_2048_to_4095_packets" },
	{ 0x268, "rx_size_4096_to_max_packets" }, { 0x26c, "rx_mac_packets" },
	{ 0x270, "rx_mac_bytes" }, { 0x274, "rx_unicast_packets" },
	{ 0x278, "rx_mac_good_packets" }, { 0x27c, "rx_mac_ppp_packets" },
	{ 0x280, "rx_mac_crc_match_packets" }, { 0x284, "tx_mac_pause_packets" },
	{ 0x288, "tx_jabber_errors" }, { 0x28c, "tx_mac_fcs_errors" },
	{ 0x290, "tx_mac_control_packets" }, { 0x294, "tx_oversize_errors" },
	{ 0x298, "tx_mac_deferred_packets" }, { 0x29c, "tx_mac_excessive_deferral_errors" },
	{ 0x2a0, "tx_mac_single_collision_packets" },
	{ 0x2a4, "tx_mac_multiple_collision_packets" },
	{ 0x2a8, "tx_mac_late_collision_errors" },
	{ 0x2ac, "tx_mac_excessive_collision_errors" },
	{ 0x2b0, "tx_mac_fragmented_errors" }, { 0x2b4, "tx_mac_collisions" },
	{ 0x2b8, "tx_multicast_packets" }, { 0x2bc, "tx_broadcast_packets" },
	{ 0x2c0, "tx_size_64_packets" }, { 0x2c4, "tx_size_65_to_127_packets" },
	{ 0x2c8, "tx_size_128_to_255_packets" }, { 0x2cc, "tx_size_256_to_511_packets" },
	{ 0x2d0, "tx_size_512_to_1023_packets" }, { 0x2d4, "tx_size_1024_to_1518_packets" },
	{ 0x2d8, "tx_size_1519_to_1522_packets" }, { 0x2dc, "tx_size_1523_to_2047_packets" },
	{ 0x2e0, "tx_size_2048_to_4095_packets" }, { 0x2e4, "tx_size_4096_to_max_packets" },
	{ 0x2e8, "tx_mac_packets" }, { 0x2ec, "tx_mac_bytes" },
	{ 0x2f0, "tx_unicast_packets" }, { 0x2f4, "tx_mac_good_packets" },
};

TEST(stats_mib_names)
{
	struct port p;

	CHECK_EQ(RTE_DIM(mib), 62);
	PORT_OPEN(&p);
	for (unsigned int i = 0; i < RTE_DIM(mib); i++)
		port_poke(&p, mib[i].reg, 1000 + 7 * i);
	for (unsigned int i = 0; i < RTE_DIM(mib); i++)
		CHECK_XSTAT(&p, mib[i].name, 1000 + 7 * i);
	/* classes that are sums of finer ones */
	CHECK_XSTAT(&p, "rx_size_1024_to_1522_packets", 2 * 1000 + 7 * (22 + 23));
	CHECK_XSTAT(&p, "rx_size_1523_to_max_packets", 3 * 1000 + 7 * (24 + 25 + 26));
	CHECK_XSTAT(&p, "tx_size_1024_to_1522_packets", 2 * 1000 + 7 * (53 + 54));
	CHECK_XSTAT(&p, "tx_size_1523_to_max_packets", 3 * 1000 + 7 * (55 + 56 + 57));
	port_poke(&p, BCM4908_OVERFLOW_COUNTER, 77);
	CHECK_XSTAT(&p, "rx_fifo_overflow_dropped", 77);
	return port_close(&p);
}

/* Names, identifiers and values of all xstats belong together, however they are asked for. */
TEST(stats_xstats_agree)
{
	struct rte_eth_xstat_name names[XSTATS_MAX], by_id[XSTATS_MAX];
	uint64_t ids[XSTATS_MAX], values[XSTATS_MAX], id, value;
	struct rte_eth_xstat xstats[XSTATS_MAX];
	struct port p;
	int n;

	PORT_OPEN(&p);
	for (unsigned int i = 0; i < 20; i++)
		CHECK(port_push_frame(&p, 60 + i, i));
	port_run(&p);
	n = rte_eth_xstats_get(p.id, NULL, 0);
	CHECK(n > 62 && n < XSTATS_MAX, "%d", n);
	CHECK_EQ(rte_eth_xstats_get_names(p.id, NULL, 0), n);
	/* too small: only the count, and nothing behind the end */
	xstats[n - 1].value = UINT64_MAX;
	names[n - 1].name[0] = '!';
	CHECK_EQ(rte_eth_xstats_get(p.id, xstats, n - 1), n);
	CHECK_EQ(rte_eth_xstats_get_names(p.id, names, n - 1), n);
	CHECK_EQ(xstats[n - 1].value, UINT64_MAX);
	CHECK_EQ(names[n - 1].name[0], '!');
	CHECK_EQ(rte_eth_xstats_get(p.id, xstats, XSTATS_MAX), n);
	CHECK_EQ(rte_eth_xstats_get_names(p.id, names, XSTATS_MAX), n);
	for (int i = 0; i < n; i++) {
		CHECK_EQ(xstats[i].id, i);
		CHECK(strncmp(names[i].name, "rx_", 3) == 0 || strncmp(names[i].name, "tx_", 3) == 0 ||
		      strncmp(names[i].name, "line_", 5) == 0,
		      "%s", names[i].name);
		CHECK(strlen(names[i].name) < RTE_ETH_XSTATS_NAME_SIZE - 1);
		for (int j = 0; j < i; j++)
			CHECK(strcmp(names[i].name, names[j].name) != 0, "%s twice", names[i].name);
		ids[n - 1 - i] = i;
	}
	CHECK_EQ(rte_eth_xstats_get_names_by_id(p.id, by_id, n, ids), n);
	CHECK_EQ(rte_eth_xstats_get_by_id(p.id, ids, values, n), n);
	for (int i = 0; i < n; i++) {
		CHECK(strcmp(by_id[n - 1 - i].name, names[i].name) == 0, "%s", names[i].name);
		CHECK(values[n - 1 - i] == xstats[i].value, "%s", names[i].name);
		CHECK_EQ(rte_eth_xstats_get_id_by_name(p.id, names[i].name, &id), 0);
		CHECK_EQ(id, i);
	}
	CHECK_EQ(rte_eth_xstats_get_names_by_id(p.id, by_id, n, NULL), n);
	CHECK_EQ(rte_eth_xstats_get_by_id(p.id, NULL, values, n), n);
	for (int i = 0; i < n; i++) {
		CHECK(strcmp(by_id[i].name, names[i].name) == 0, "%s", names[i].name);
		CHECK(values[i] == xstats[i].value, "%s", names[i].name);
	}
	id = n;
	CHECK(rte_eth_xstats_get_by_id(p.id, &id, &value, 1) < 0);
	CHECK(rte_eth_xstats_get_names_by_id(p.id, by_id, 1, &id) < 0);
	return port_close(&p);
}

/* One frame for each of the MAC's complaints, and where it is found. */
TEST(stats_rx_errors)
{
	static const uint8_t runt[59] = { 0x02, 0, 0, 0, 0, 1 };
	struct bcm4908_model_frame frame;
	struct rte_eth_stats stats;
	uint8_t data[2000];
	struct port p;
	unsigned int n;

	PORT_OPEN(&p);
	frame_fill(data, sizeof(data), 1);
	frame = (struct bcm4908_model_frame){ .data = data, .len = 100, .bad_fcs = true };
	bcm4908_model_line_rx(p.model, &frame);
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.ierrors, 1);
	frame = (struct bcm4908_model_frame){ .data = runt, .len = sizeof(runt) };
	bcm4908_model_line_rx(p.model, &frame);
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.ierrors, 2);
	/* too long and broken */
	frame = (struct bcm4908_model_frame){ .data = data, .len = 2000, .bad_fcs = true };
	bcm4908_model_line_rx(p.model, &frame);
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.ierrors, 3);
	/* too long: cut by the MAC, dropped by the driver, once */
	CHECK(port_push_frame(&p, 1600, 1));
	port_run(&p);
	CHECK_EQ(port_rx(&p, NULL, 1), 0);
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.ierrors, 4);
	CHECK_EQ(stats.imissed, 0);
	CHECK_EQ(stats.ipackets, 0);
	/* no room in the FIFO: the engine does not move */
	frame = (struct bcm4908_model_frame){ .data = data, .len = 1514 };
	for (n = 0; bcm4908_model_rx_ready(p.model, 1514); n++)
		bcm4908_model_line_rx(p.model, &frame);
	CHECK(n > 0);
	for (unsigned int i = 1; i <= 5; i++) {
		bcm4908_model_line_rx(p.model, &frame);
		CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
		CHECK_EQ(stats.imissed, i);
	}
	CHECK_EQ(stats.ierrors, 4);
	CHECK_XSTAT(&p, "rx_fifo_overflow_dropped", 5);
	CHECK_XSTAT(&p, "rx_mac_fcs_errors", 1);
	CHECK_XSTAT(&p, "rx_jabber_errors", 1);
	CHECK_XSTAT(&p, "rx_mac_runt_errors", 1);
	CHECK_XSTAT(&p, "rx_desc_long_errors", 1);
	return port_close(&p);
}

/* 32 bits of hardware become 64, wrap after wrap. */
TEST(stats_wrap)
{
	static const uint32_t steps[] = {
		0xfffffff0, 0x10, 0x7fffffff, 0xffffffff, 0, 1, 0xfffffffe, 0xfffffffd,
	};
	uint64_t want = 0;
	uint32_t last = 0;
	struct port p;

	PORT_OPEN(&p);
	for (unsigned int round = 0; round < 20; round++) {
		for (unsigned int i = 0; i < RTE_DIM(steps); i++) {
			want += (uint32_t)(steps[i] - last);
			last = steps[i];
			port_poke(&p, 0x270, last);
			port_poke(&p, 0x2ec, last);
			port_poke(&p, BCM4908_OVERFLOW_COUNTER, last);
			CHECK_XSTAT(&p, "rx_mac_bytes", want);
			if (i % 2 != 0)
				bcm4908_counters_update(p.eth_dev);
			CHECK_XSTAT(&p, "rx_mac_bytes", want);
			CHECK_XSTAT(&p, "tx_mac_bytes", want);
			CHECK_XSTAT(&p, "rx_fifo_overflow_dropped", want);
			/* a step that wraps is seen by the update that follows */
			bcm4908_counters_update(p.eth_dev);
		}
	}
	CHECK(want > 20 * (UINT64_C(1) << 32));
	return port_close(&p);
}

/* The watchdog looks often enough: every second, octets wrap in 17. */
TEST(stats_watchdog_widens)
{
	struct port p;

	PORT_OPEN(&p);
	for (uint64_t i = 1; i <= 5; i++) {
		port_poke(&p, 0x270, (uint32_t)(i * 0xc0000000));
		for (unsigned int tick = 0; tick < 100; tick++)
			bcm4908_watchdog(p.eth_dev);
		CHECK_XSTAT(&p, "rx_mac_bytes", i * 0xc0000000);
	}
	return port_close(&p);
}

static int
traffic(struct port *p, unsigned int n)
{
	struct rte_mbuf *m;

	for (unsigned int i = 0; i < n; i++) {
		CHECK(port_push_frame(p, 100, i));
		port_run(p);
		CHECK_EQ(port_rx(p, &m, 1), 1);
		CHECK_EQ(port_tx(p, &m, 1), 1);
		port_run(p);
	}
	return 0;
}

static int
check_all_zero(struct port *p)
{
	struct rte_eth_xstat xstats[XSTATS_MAX];
	struct rte_eth_stats stats;
	static const struct rte_eth_stats zero;
	int n = rte_eth_xstats_get(p->id, xstats, XSTATS_MAX);

	CHECK_EQ(rte_eth_stats_get(p->id, &stats), 0);
	CHECK(memcmp(&stats, &zero, sizeof(stats)) == 0);
	for (int i = 0; i < n; i++)
		CHECK(xstats[i].value == 0, "xstat %d is %" PRIu64, i, xstats[i].value);
	return 0;
}

static int
check_traffic(struct port *p, unsigned int n)
{
	struct rte_eth_stats stats;

	CHECK_EQ(rte_eth_stats_get(p->id, &stats), 0);
	CHECK_EQ(stats.ipackets, n);
	CHECK_EQ(stats.ibytes, 100 * n);
	CHECK_EQ(stats.opackets, n);
	CHECK_EQ(stats.obytes, 100 * n);
	CHECK_EQ(stats.ierrors + stats.oerrors + stats.imissed + stats.rx_nombuf, 0);
	CHECK_XSTAT(p, "rx_good_packets", n);
	CHECK_XSTAT(p, "rx_q0_packets", n);
	CHECK_XSTAT(p, "rx_q0_bytes", 100 * n);
	CHECK_XSTAT(p, "tx_q0_packets", n);
	CHECK_XSTAT(p, "tx_q0_bytes", 100 * n);
	CHECK_XSTAT(p, "rx_mac_packets", n);
	CHECK_XSTAT(p, "rx_mac_bytes", 104 * n); /* the MAC counts the FCS */
	CHECK_XSTAT(p, "tx_mac_bytes", 104 * n);
	CHECK_XSTAT(p, "rx_size_65_to_127_packets", n);
	return 0;
}

/* Reset, of either kind, starts all of them at zero; the bursts go on counting. */
TEST(stats_reset)
{
	struct port p;

	PORT_OPEN(&p);
	CHECK_OK(check_all_zero(&p));
	for (unsigned int round = 0; round < 4; round++) {
		CHECK_OK(traffic(&p, 10 + round));
		CHECK_OK(check_traffic(&p, 10 + round));
		/* whether the hardware's counters were looked at before or not */
		if (round < 2)
			bcm4908_counters_update(p.eth_dev);
		CHECK_OK(check_traffic(&p, 10 + round));
		if (round % 2 == 0)
			CHECK_EQ(rte_eth_stats_reset(p.id), 0);
		else
			CHECK_EQ(rte_eth_xstats_reset(p.id), 0);
		CHECK_OK(check_all_zero(&p));
	}
	/* also of a stopped port */
	CHECK_OK(traffic(&p, 5));
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_OK(check_traffic(&p, 5));
	CHECK_EQ(rte_eth_stats_reset(p.id), 0);
	CHECK_OK(check_all_zero(&p));
	return port_close(&p);
}

/* Stop and start clear the hardware's counters, not ours. */
TEST(stats_restart)
{
	struct port p;

	PORT_OPEN(&p);
	for (unsigned int round = 1; round <= 5; round++) {
		CHECK_OK(traffic(&p, 10));
		CHECK_OK(check_traffic(&p, 10 * round));
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_OK(check_traffic(&p, 10 * round));
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		CHECK_EQ(port_reg(&p, 0x26c), 0);
		CHECK_OK(check_traffic(&p, 10 * round));
	}
	return port_close(&p);
}

/* A port without a queue, or before its first start, has counters all the same. */
TEST(stats_without_queues)
{
	struct port p;

	PORT_OPEN(&p, .unset = true);
	CHECK_OK(check_all_zero(&p));
	CHECK_EQ(rte_eth_stats_reset(p.id), 0);
	CHECK_OK(port_close(&p));
	PORT_OPEN(&p, .rx_desc = PORT_NO_QUEUE);
	CHECK_OK(check_all_zero(&p));
	CHECK_OK(port_close(&p));
	PORT_OPEN(&p, .tx_desc = PORT_NO_QUEUE);
	CHECK_OK(check_all_zero(&p));
	return port_close(&p);
}

/*
 * The watchdog widens while the application resets, and others look: nothing is
 * counted twice, and no counter runs backwards.
 */
struct contest {
	struct port *p;
	uint32_t stop;
	uint32_t failed;
};

static void *
contest_update(void *arg)
{
	struct contest *c = arg;

	while (__atomic_load_n(&c->stop, __ATOMIC_RELAXED) == 0)
		bcm4908_counters_update(c->p->eth_dev);
	return NULL;
}

static void *
contest_read(void *arg)
{
	struct contest *c = arg;
	uint64_t id, value, last = 0;

	rte_eth_xstats_get_id_by_name(c->p->id, "rx_mac_bytes", &id);
	while (__atomic_load_n(&c->stop, __ATOMIC_RELAXED) == 0) {
		rte_eth_xstats_get_by_id(c->p->id, &id, &value, 1);
		if (value < last)
			__atomic_fetch_add(&c->failed, 1, __ATOMIC_RELAXED);
		last = value;
	}
	return NULL;
}

TEST(stats_at_once)
{
	struct contest c = { .stop = 0 };
	pthread_t threads[3];
	uint32_t n = 0;
	struct port p;

	PORT_OPEN(&p);
	c.p = &p;
	CHECK_EQ(pthread_create(&threads[0], NULL, contest_update, &c), 0);
	CHECK_EQ(pthread_create(&threads[1], NULL, contest_update, &c), 0);
	CHECK_EQ(pthread_create(&threads[2], NULL, contest_read, &c), 0);
	for (unsigned int i = 0; i < 300000; i++) {
		n += 1000;
		for (uint32_t reg = 0x200; reg < 0x2f8; reg += 4)
			port_poke(&p, reg, n);
	}
	__atomic_store_n(&c.stop, 1, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < RTE_DIM(threads); i++)
		pthread_join(threads[i], NULL);
	CHECK(c.failed == 0, "ran backwards %u times", c.failed);
	for (unsigned int i = 0; i < RTE_DIM(mib); i++)
		CHECK_XSTAT(&p, mib[i].name, n);
	return port_close(&p);
}
