/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* Queues that start, stop and are set up anew while their port runs. */

#include <pthread.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>

#include "port.h"

static int
check_states(const struct port *p, uint8_t rx, uint8_t tx)
{
	struct rte_eth_rxq_info rxinfo;
	struct rte_eth_txq_info txinfo;

	CHECK_EQ(rte_eth_rx_queue_info_get(p->id, 0, &rxinfo), 0);
	CHECK_EQ(rte_eth_tx_queue_info_get(p->id, 0, &txinfo), 0);
	CHECK_EQ(rxinfo.queue_state, rx);
	CHECK_EQ(txinfo.queue_state, tx);
	return 0;
}

/* Nothing of the pool is anywhere but in the receive ring. */
static int
check_pool(const struct port *p)
{
	const struct bcm4908_rxq *rxq = port_rxq(p);

	CHECK_EQ(rte_mempool_avail_count(p->pool) + rxq->nb_desc - rxq->nb_hold, p->pool->size);
	return 0;
}

#define STARTED	RTE_ETH_QUEUE_STATE_STARTED
#define STOPPED	RTE_ETH_QUEUE_STATE_STOPPED

/* A burst that does not know of the stop, as a secondary process may have it. */
static int
check_stale_rx(struct port *p)
{
	const struct rte_mempool *mp = port_rxq(p)->mp;
	const bcm4908_burst_t burst = bcm4908_rx_burst_get(port_rxq(p)->features)->fn;
	const unsigned int before = rte_mempool_avail_count(mp);
	struct rte_mbuf *pkts[32];

	for (unsigned int i = 0; i < 100; i++)
		CHECK_EQ(burst(port_rxq(p), pkts, 32), 0);
	CHECK_EQ(rte_mempool_avail_count(mp), before);
	return 0;
}

static int
queue_rx_stop_on(const struct port_variant *rx)
{
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .args = rx->args, .rx = rx, .rx_desc = 32);
	for (unsigned int round = 0; round < 5; round++) {
		for (unsigned int i = 0; i < 50; i++)
			CHECK_OK(port_receive_check(&p, 60 + i, i));
		/* one that nobody polls */
		CHECK(port_push_frame(&p, 100, 1));
		port_run(&p);
		CHECK_EQ(rte_eth_dev_rx_queue_stop(p.id, 0), 0);
		CHECK_OK(check_states(&p, STOPPED, STARTED));
		CHECK(rte_eth_tx_done_cleanup(p.id, 0, 0) >= 0);
		CHECK_EQ(rte_mempool_avail_count(p.pool), p.pool->size);
		CHECK_EQ(port_rx(&p, &m, 1), 0);
		CHECK_OK(check_stale_rx(&p));
		CHECK_EQ(rte_eth_rx_queue_count(p.id, 0), 0);
		CHECK_EQ(rte_eth_rx_descriptor_status(p.id, 0, 0), RTE_ETH_RX_DESC_UNAVAIL);
		CHECK_EQ(port_reg(&p, BCM4908_UMAC_CMD) & 3, 1); /* the transmitter alone is on */
		CHECK(!port_push_frame(&p, 100, 2));
		CHECK_OK(port_send_check(&p, p.pool, 90, round));
		CHECK_EQ(rte_eth_dev_rx_queue_stop(p.id, 0), 0); /* is stopped */
		CHECK_EQ(rte_eth_dev_rx_queue_start(p.id, 0), 0);
		CHECK_OK(check_states(&p, STARTED, STARTED));
	}
	CHECK_OK(port_receive_check(&p, 100, 1));
	CHECK_XSTAT(&p, "rx_stop_dropped", 5);
	return port_close(&p);
}

TEST(queue_rx_stop)
{
	return each_rx_variant(queue_rx_stop_on);
}

static int
queue_tx_stop_on(const struct port_variant *tx)
{
	bcm4908_burst_t burst;
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .args = tx->args, .tx = tx, .tx_desc = 64);
	burst = bcm4908_tx_burst_get(bcm4908_port(p.eth_dev)->tx_features)->fn;
	for (unsigned int round = 0; round < 5; round++) {
		for (unsigned int i = 0; i < 100; i++)
			CHECK_OK(port_send_check(&p, p.pool, 60 + i, i));
		CHECK_EQ(rte_eth_dev_tx_queue_stop(p.id, 0), 0);
		CHECK_OK(check_states(&p, STARTED, STOPPED));
		CHECK_OK(check_pool(&p));
		m = mbuf_frame(p.pool, 100, 7);
		CHECK_EQ(port_tx(&p, &m, 1), 0);
		/* a burst that does not know of it */
		for (unsigned int i = 0; i < 100; i++)
			CHECK_EQ(burst(port_txq(&p), &m, 1), 0);
		CHECK_OK(mbuf_check_bytes(m, 100, 7));
		rte_pktmbuf_free(m);
		CHECK_EQ(rte_eth_tx_descriptor_status(p.id, 0, 0), RTE_ETH_TX_DESC_UNAVAIL);
		CHECK_EQ(rte_eth_tx_done_cleanup(p.id, 0, 0), 0);
		CHECK_EQ(port_reg(&p, BCM4908_UMAC_CMD) & 3, 2); /* the receiver alone is on */
		CHECK_OK(port_receive_check(&p, 90, round));
		CHECK_EQ(rte_eth_dev_tx_queue_start(p.id, 0), 0);
		CHECK_OK(check_states(&p, STARTED, STARTED));
	}
	CHECK_OK(port_send_check(&p, p.pool, 100, 1));
	return port_close(&p);
}

TEST(queue_tx_stop)
{
	return each_tx_variant(queue_tx_stop_on);
}

/* What waits for the line is given 10 ms, then dropped and counted. */
TEST(queue_tx_stop_busy)
{
	struct rte_mbuf *pkts[10];
	struct port p;

	PORT_OPEN(&p);
	port_line_busy(&p, true);
	for (unsigned int i = 0; i < RTE_DIM(pkts); i++)
		pkts[i] = mbuf_frame(p.pool, 1500, i);
	CHECK_EQ(port_tx(&p, pkts, RTE_DIM(pkts)), RTE_DIM(pkts));
	CHECK_EQ(rte_eth_dev_tx_queue_stop(p.id, 0), 0);
	CHECK_OK(check_pool(&p));
	CHECK(port_xstat(&p, "tx_stop_dropped") > 0);
	port_line_busy(&p, false);
	CHECK_EQ(rte_eth_dev_tx_queue_start(p.id, 0), 0);
	CHECK_OK(port_send_check(&p, p.pool, 100, 1));
	return port_close(&p);
}

/* A queue that does not run is no sign of a lost device, nor of a stall. */
TEST(queue_stop_watched)
{
	struct port p;

	PORT_OPEN(&p);
	log_catch();
	for (unsigned int which = 1; which < 4; which++) {
		if ((which & 1) != 0)
			CHECK_EQ(rte_eth_dev_rx_queue_stop(p.id, 0), 0);
		if ((which & 2) != 0)
			CHECK_EQ(rte_eth_dev_tx_queue_stop(p.id, 0), 0);
		for (unsigned int i = 0; i < 200; i++)
			bcm4908_watchdog(p.eth_dev);
		/* the watchdog starts no channel that is off */
		if ((which & 1) != 0)
			CHECK(port_chan_idle(&p, BCM4908_CHAN_RX));
		if ((which & 2) != 0)
			CHECK(port_chan_idle(&p, BCM4908_CHAN_TX));
		CHECK_EQ(rte_eth_dev_rx_queue_start(p.id, 0), 0);
		CHECK_EQ(rte_eth_dev_tx_queue_start(p.id, 0), 0);
		CHECK_OK(port_receive_check(&p, 100, 1));
		CHECK_OK(port_send_check(&p, p.pool, 100, 1));
	}
	CHECK(strstr(log_caught(), "reset") == NULL, "%s", log_caught());
	CHECK_XSTAT(&p, "rx_mac_packets", 3);
	return port_close(&p);
}

/* A thread that polls, and is in the middle of a burst whenever its queue is taken away. */
struct poller {
	struct port *p;
	bcm4908_burst_t burst;
	bool quit;
	unsigned int waited;		/* the queue went only after the burst had ended */
};

static bool
queue_is_off(const struct port *p)
{
	return __atomic_load_n(&bcm4908_port(p->eth_dev)->rx_state, __ATOMIC_ACQUIRE) ==
		BCM4908_QUEUE_OFF;
}

static void *
poll_slowly(void *arg)
{
	struct poller *poller = arg;
	const struct rte_eth_fp_ops *ops = &rte_eth_fp_ops[poller->p->id];
	bcm4908_burst_t last = poller->burst;
	struct rte_mbuf *m;

	while (!__atomic_load_n(&poller->quit, __ATOMIC_ACQUIRE)) {
		const bcm4908_burst_t now = __atomic_load_n(&ops->rx_pkt_burst, __ATOMIC_ACQUIRE);
		const uint64_t until = rte_get_timer_cycles() + rte_get_timer_hz() / 500;

		if (last == poller->burst && now != last) {
			while (!queue_is_off(poller->p) && rte_get_timer_cycles() < until)
				;
			poller->waited += !queue_is_off(poller->p);
		}
		last = now;
		port_rx(poller->p, &m, 1);
	}
	return NULL;
}

/* A stop waits for the burst that is under way; a busy machine may make it give up now and then. */
TEST(queue_waits)
{
	struct poller poller = { 0 };
	pthread_t thread;
	struct port p;

	PORT_OPEN(&p);
	poller.p = &p;
	poller.burst = rte_eth_fp_ops[p.id].rx_pkt_burst;
	CHECK_EQ(pthread_create(&thread, NULL, poll_slowly, &poller), 0);
	for (unsigned int round = 0; round < 20; round++) {
		CHECK_EQ(rte_eth_dev_rx_queue_stop(p.id, 0), 0);
		CHECK_EQ(rte_eth_dev_rx_queue_start(p.id, 0), 0);
	}
	__atomic_store_n(&poller.quit, true, __ATOMIC_RELEASE);
	CHECK_EQ(pthread_join(thread, NULL), 0);
	CHECK(poller.waited > 0);
	return port_close(&p);
}

TEST(queue_deferred)
{
	struct rte_eth_rxconf rxconf = { .rx_deferred_start = 1 };
	struct rte_eth_txconf txconf = { .tx_deferred_start = 1 };
	struct rte_eth_rxq_info rxinfo;
	struct rte_eth_txq_info txinfo;
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .unset = true);
	CHECK_EQ(rte_eth_rx_queue_setup(p.id, 0, 64, SOCKET_ID_ANY, &rxconf, p.pool), 0);
	CHECK_EQ(rte_eth_tx_queue_setup(p.id, 0, 64, SOCKET_ID_ANY, &txconf), 0);
	for (unsigned int round = 0; round < 3; round++) {
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		CHECK_OK(check_states(&p, STOPPED, STOPPED));
		CHECK_EQ(rte_eth_rx_queue_info_get(p.id, 0, &rxinfo), 0);
		CHECK_EQ(rte_eth_tx_queue_info_get(p.id, 0, &txinfo), 0);
		CHECK_EQ(rxinfo.conf.rx_deferred_start, 1);
		CHECK_EQ(txinfo.conf.tx_deferred_start, 1);
		CHECK_EQ(rte_mempool_avail_count(p.pool), p.pool->size);
		CHECK_EQ(port_rx(&p, &m, 1), 0);
		m = mbuf_frame(p.pool, 100, 1);
		CHECK_EQ(port_tx(&p, &m, 1), 0);
		rte_pktmbuf_free(m);
		CHECK_OK(check_stale_rx(&p));
		CHECK_EQ(rte_eth_dev_rx_queue_start(p.id, 0), 0);
		CHECK_OK(check_states(&p, STARTED, STOPPED));
		CHECK_OK(port_receive_check(&p, 100, 1));
		CHECK_EQ(rte_eth_dev_tx_queue_start(p.id, 0), 0);
		CHECK_OK(port_send_check(&p, p.pool, 100, 1));
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_OK(check_states(&p, STOPPED, STOPPED));
		CHECK(rte_eth_dev_rx_queue_start(p.id, 0) != 0); /* the port is stopped */
	}
	return port_close(&p);
}

/* Another ring, another pool, other bursts, beside traffic in the other direction. */
TEST(queue_rx_setup_running)
{
	static const uint16_t rings[] = { 32, 512, 8192, 64 };
	const struct rte_eth_rxconf conf = { .rx_free_thresh = 8 };
	struct rte_mempool *small = pool_make(256, 0, 512 + RTE_PKTMBUF_HEADROOM);
	struct rte_eth_burst_mode mode;
	struct rte_eth_dev_info info;
	struct port p;

	CHECK(small != NULL);
	PORT_OPEN(&p, .pool_size = 8192 + 512);
	CHECK_EQ(rte_eth_dev_info_get(p.id, &info), 0);
	CHECK((info.dev_capa & RTE_ETH_DEV_CAPA_RUNTIME_RX_QUEUE_SETUP) != 0);
	CHECK(rte_eth_rx_queue_setup(p.id, 0, 64, SOCKET_ID_ANY, NULL, p.pool) != 0);
	for (unsigned int i = 0; i < RTE_DIM(rings); i++) {
		CHECK_EQ(rte_eth_dev_rx_queue_stop(p.id, 0), 0);
		CHECK_EQ(rte_eth_rx_queue_setup(p.id, 0, rings[i], SOCKET_ID_ANY, &conf, p.pool), 0);
		CHECK_OK(port_send_check(&p, p.pool, 100, i));
		CHECK_OK(check_states(&p, STOPPED, STARTED));
		CHECK_EQ(rte_eth_dev_rx_queue_start(p.id, 0), 0);
		CHECK_EQ(port_rxq(&p)->nb_desc, rings[i]);
		for (unsigned int j = 0; j < 100; j++)
			CHECK_OK(port_receive_check(&p, 60 + j, j));
	}
	/* buffers too small for a frame: scattered from now on */
	CHECK_EQ(rte_eth_dev_rx_queue_stop(p.id, 0), 0);
	CHECK_EQ(rte_eth_rx_queue_setup(p.id, 0, 64, SOCKET_ID_ANY, NULL, small), 0);
	CHECK_EQ(rte_eth_dev_rx_queue_start(p.id, 0), 0);
	CHECK_EQ(rte_eth_rx_burst_mode_get(p.id, 0, &mode), 0);
	CHECK(strstr(mode.info, "Scattered") != NULL, "%s", mode.info);
	CHECK_OK(port_receive_check(&p, 1514, 1));
	CHECK(rte_eth_tx_done_cleanup(p.id, 0, 0) > 0);
	CHECK_EQ(rte_mempool_avail_count(p.pool), p.pool->size);
	/* a setup that is refused leaves the port running, and its stop and start say what lacks */
	CHECK_EQ(rte_eth_dev_rx_queue_stop(p.id, 0), 0);
	CHECK(rte_eth_rx_queue_setup(p.id, 0, 33, SOCKET_ID_ANY, NULL, small) != 0);
	CHECK_OK(port_send_check(&p, p.pool, 100, 1));
	CHECK_EQ(rte_eth_rx_queue_setup(p.id, 0, 64, SOCKET_ID_ANY, NULL, p.pool), 0);
	CHECK_EQ(rte_eth_dev_rx_queue_start(p.id, 0), 0);
	CHECK_OK(port_receive_check(&p, 1514, 1));
	CHECK_OK(port_close(&p));
	return pool_free_full(small);
}

TEST(queue_tx_setup_running)
{
	static const uint16_t rings[] = { 32, 512, 8192, 64 };
	const struct rte_eth_txconf fast = { .offloads = RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE };
	struct rte_eth_burst_mode mode;
	struct rte_eth_dev_info info;
	struct port p;

	PORT_OPEN(&p);
	CHECK_EQ(rte_eth_dev_info_get(p.id, &info), 0);
	CHECK((info.dev_capa & RTE_ETH_DEV_CAPA_RUNTIME_TX_QUEUE_SETUP) != 0);
	CHECK(rte_eth_tx_queue_setup(p.id, 0, 64, SOCKET_ID_ANY, NULL) != 0);
	for (unsigned int i = 0; i < RTE_DIM(rings); i++) {
		CHECK_EQ(rte_eth_dev_tx_queue_stop(p.id, 0), 0);
		CHECK_EQ(rte_eth_tx_queue_setup(p.id, 0, rings[i], SOCKET_ID_ANY,
						i % 2 == 0 ? &fast : NULL), 0);
		CHECK_OK(port_receive_check(&p, 100, i));
		CHECK_OK(check_states(&p, STARTED, STOPPED));
		CHECK_EQ(rte_eth_dev_tx_queue_start(p.id, 0), 0);
		CHECK_EQ(rte_eth_tx_burst_mode_get(p.id, 0, &mode), 0);
		CHECK((strstr(mode.info, "fast free") != NULL) == (i % 2 == 0), "%s", mode.info);
		for (unsigned int j = 0; j < 100; j++)
			CHECK_OK(port_send_check(&p, p.pool, 60 + j, j));
	}
	return port_close(&p);
}

/* Stop the queues and set them up in a way that is refused, but not before the old ones are gone. */
static int
lose_queues(struct port *p)
{
	const struct rte_eth_rxconf rxconf = { .rx_free_thresh = 64 };
	const struct rte_eth_txconf txconf = { .tx_free_thresh = 64 };

	CHECK_EQ(rte_eth_dev_rx_queue_stop(p->id, 0), 0);
	CHECK_EQ(rte_eth_dev_tx_queue_stop(p->id, 0), 0);
	log_catch();
	CHECK(rte_eth_rx_queue_setup(p->id, 0, 64, SOCKET_ID_ANY, &rxconf, p->pool) != 0);
	CHECK(rte_eth_tx_queue_setup(p->id, 0, 64, SOCKET_ID_ANY, &txconf) != 0);
	log_caught();
	return 0;
}

/* A ring that was freed is not looked at any more, whatever else happens to the port. */
TEST(queue_released_running)
{
	struct port p;

	PORT_OPEN(&p);
	CHECK_OK(port_send_check(&p, p.pool, 100, 1));
	CHECK_OK(port_receive_check(&p, 100, 1));
	CHECK_OK(lose_queues(&p));
	bcm4908_watchdog(p.eth_dev);
	port_run(&p);
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_OK(port_setup_queues(&p));
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(port_send_check(&p, p.pool, 100, 1));
	CHECK_OK(port_receive_check(&p, 100, 1));
	return port_close(&p);
}

/* A start that cannot be: no buffers, or none that the running port reaches. */
TEST(queue_rx_start_refused)
{
	struct rte_mempool *small = pool_make(16, 0, 2176);
	uint64_t base;
	struct port p;

	CHECK(small != NULL);
	PORT_OPEN(&p);
	CHECK_EQ(rte_eth_dev_rx_queue_stop(p.id, 0), 0);
	CHECK_EQ(rte_eth_rx_queue_setup(p.id, 0, 64, SOCKET_ID_ANY, NULL, small), 0);
	log_catch();
	CHECK_EQ(rte_eth_dev_rx_queue_start(p.id, 0), -ENOMEM);
	CHECK(strstr(log_caught(), small->name) != NULL);
	CHECK_OK(check_states(&p, STOPPED, STARTED));
	CHECK_OK(port_send_check(&p, p.pool, 100, 1));
	CHECK_EQ(rte_eth_rx_queue_setup(p.id, 0, 64, SOCKET_ID_ANY, NULL, p.pool), 0);
	base = p.dev->bus_base;
	p.dev->bus_base = base + (UINT64_C(64) << 30);
	log_catch();
	CHECK_EQ(rte_eth_dev_rx_queue_start(p.id, 0), -ERANGE);
	CHECK(strstr(log_caught(), "stop and start the port") != NULL);
	p.dev->bus_base = base;
	CHECK_OK(check_states(&p, STOPPED, STARTED));
	CHECK_EQ(rte_eth_dev_rx_queue_start(p.id, 0), 0);
	CHECK_OK(port_receive_check(&p, 100, 1));
	CHECK_OK(port_close(&p));
	return pool_free_full(small);
}

/* Bursts that move the model find no queue, between its release and its next setup. */
TEST(queue_stepped_released)
{
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .args = "stepping=burst");
	CHECK_OK(lose_queues(&p));
	m = mbuf_frame(p.pool, 100, 1);
	CHECK_EQ(port_rx(&p, &m, 1), 0);
	CHECK_EQ(port_tx(&p, &m, 1), 0);
	rte_pktmbuf_free(m);
	CHECK_OK(port_setup_queues(&p));
	CHECK_EQ(rte_eth_dev_rx_queue_start(p.id, 0), 0);
	CHECK_EQ(rte_eth_dev_tx_queue_start(p.id, 0), 0);
	CHECK_OK(port_receive_check(&p, 100, 1));
	CHECK_OK(port_send_check(&p, p.pool, 100, 1));
	return port_close(&p);
}

/*
 * Free on demand
 */

static int
send_n(struct port *p, unsigned int n)
{
	struct rte_mbuf *m;

	for (unsigned int i = 0; i < n; i++) {
		m = mbuf_frame(p->pool, 100, i);
		CHECK(m != NULL);
		CHECK_EQ(port_tx(p, &m, 1), 1);
	}
	return 0;
}

static int
queue_done_cleanup_on(const struct port_variant *tx)
{
	const bool fast = tx->offloads != 0;
	struct port p;
	unsigned int full;

	PORT_OPEN(&p, .args = tx->args, .tx = tx, .tx_desc = 128, .tx_free_thresh = 8);
	full = rte_mempool_avail_count(p.pool);
	for (unsigned int round = 0; round < 10; round++) {
		CHECK_EQ(rte_eth_tx_done_cleanup(p.id, 0, 0), 0);
		CHECK_OK(send_n(&p, 70));
		CHECK_EQ(rte_eth_tx_done_cleanup(p.id, 0, 0), 0); /* the device has not seen them */
		port_run(&p);
		if (fast) {
			/* by batches of 32, which the rounds before may have begun */
			int n = rte_eth_tx_done_cleanup(p.id, 0, 31), all;

			CHECK(n >= 0 && n <= 31);
			all = n + rte_eth_tx_done_cleanup(p.id, 0, 0);
			CHECK(all >= 64 - 31 && all % 32 == 0, "%d", all);
		} else {
			CHECK_EQ(rte_eth_tx_done_cleanup(p.id, 0, 1), 1);
			CHECK_EQ(rte_mempool_avail_count(p.pool), full - 69);
			CHECK_EQ(rte_eth_tx_done_cleanup(p.id, 0, 40), 40);
			CHECK_EQ(rte_mempool_avail_count(p.pool), full - 29);
			CHECK_EQ(rte_eth_tx_done_cleanup(p.id, 0, 0), 29);
			CHECK_EQ(rte_mempool_avail_count(p.pool), full);
			CHECK_EQ(rte_eth_tx_done_cleanup(p.id, 0, 5), 0);
		}
	}
	return port_close(&p);
}

TEST(queue_done_cleanup)
{
	return each_tx_variant(queue_done_cleanup_on);
}

/* Frames are counted, not segments, and are freed whole. */
TEST(queue_done_cleanup_chains)
{
	const uint16_t lens[] = { 100, 200, 300, 0 };
	struct rte_mbuf *m;
	unsigned int full;
	struct port p;

	PORT_OPEN(&p);
	full = rte_mempool_avail_count(p.pool);
	for (unsigned int round = 0; round < 30; round++) {
		for (unsigned int i = 0; i < 4; i++) {
			m = mbuf_chain(p.pool, lens, i);
			CHECK(m != NULL);
			CHECK_EQ(port_tx(&p, &m, 1), 1);
		}
		port_run(&p);
		CHECK_EQ(rte_eth_tx_done_cleanup(p.id, 0, 1), 1);
		CHECK_EQ(rte_mempool_avail_count(p.pool), full - 9);
		CHECK_EQ(rte_eth_tx_done_cleanup(p.id, 0, 2), 2);
		CHECK_EQ(rte_mempool_avail_count(p.pool), full - 3);
		CHECK_EQ(rte_eth_tx_done_cleanup(p.id, 0, 10), 1);
		CHECK_EQ(rte_mempool_avail_count(p.pool), full);
	}
	return port_close(&p);
}
