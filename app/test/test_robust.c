/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Any order of calls: a legal one works, an illegal one is refused without
 * harm, and nothing is lost over it.
 *
 * BCM4908_ROBUST_SEED and BCM4908_ROBUST_STEPS in the environment repeat a
 * failure and lengthen the sequence.
 */

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_memzone.h>
#include <rte_stdatomic.h>

#include "port.h"

#define DEFAULT_STEPS	1500u
#define DEFAULT_SEED	4908u
#define POOL		4096u
#define BURST		32u
#define MAX_FRAME	9000u
#define RESTARTS	1000u
#define ATTACHMENTS	500u

/* A port, and what the calls so far must have made of it. */
struct state {
	struct port p;
	struct rte_mempool *mp;
	uint32_t random;
	uint32_t seed;			/* of the next frame */
	uint16_t mtu;
	unsigned int nb_rx, nb_tx;	/* configured */
	bool configured;		/* a configuration that fails undoes the one before */
	bool rx_set, tx_set;		/* set up */
	bool started;
	bool rx_on, tx_on;
	bool foreign;			/* frames to the first address may be filtered */
};

static uint32_t
dice(struct state *s, uint32_t n)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 17;
	s->random ^= s->random << 5;
	return s->random % n;
}

/* Did a call succeed just if it was legal? */
#define CHECK_LEGAL(ret, legal) do { \
	const int ret_ = (ret); \
	const bool legal_ = (legal); \
	CHECK(legal_ ? ret_ == 0 : ret_ < 0, "%s, it returned %d", \
	      legal_ ? "legal" : "illegal", ret_); \
} while (0)

static int
do_open(struct state *s)
{
	PORT_OPEN(&s->p, .pool = s->mp, .unset = true, .stopped = true,
		  .conf.txmode.offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	s->nb_rx = 1;
	s->nb_tx = 1;
	s->configured = true;
	s->mtu = 1500;
	s->rx_set = false;
	s->tx_set = false;
	s->started = false;
	s->rx_on = false;
	s->tx_on = false;
	s->foreign = false;
	return 0;
}

static int
do_reopen(struct state *s)
{
	if (dice(s, 4) != 0)
		return 0;
	CHECK_OK(port_close(&s->p));
	CHECK_EQ(rte_mempool_avail_count(s->mp), POOL);
	return do_open(s);
}

static int
do_configure(struct state *s)
{
	static const uint64_t rx_offloads[] = {
		0, RTE_ETH_RX_OFFLOAD_SCATTER, RTE_ETH_RX_OFFLOAD_VLAN_STRIP,
	};
	const unsigned int nb_rx = dice(s, 3), nb_tx = dice(s, 3);
	const bool legal = nb_rx <= 1 && nb_tx <= 1 && !s->started;
	struct rte_eth_conf conf = {
		.rxmode.offloads = rx_offloads[dice(s, RTE_DIM(rx_offloads))],
		.rxmode.mtu = s->mtu,
		.txmode.offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
		.intr_conf.rxq = dice(s, 2),
	};

	CHECK_LEGAL(rte_eth_dev_configure(s->p.id, nb_rx, nb_tx, &conf), legal);
	if (!s->started)
		s->configured = legal;
	if (!legal)
		return 0;
	/* none at all: ethdev takes the driver's default, one each */
	s->nb_rx = nb_rx == 0 && nb_tx == 0 ? 1 : nb_rx;
	s->nb_tx = nb_rx == 0 && nb_tx == 0 ? 1 : nb_tx;
	s->rx_set &= s->nb_rx != 0;
	s->tx_set &= s->nb_tx != 0;
	return 0;
}

/* Sizes, legal ones first. */
static const uint16_t sizes[] = { 32, 64, 104, 512, 24, 33, 8200 };
#define LEGAL_SIZES 4

static int
do_rx_setup(struct state *s)
{
	const unsigned int i = dice(s, RTE_DIM(sizes));
	const bool state = s->nb_rx != 0 && (!s->started || !s->rx_on);
	const struct rte_eth_rxconf thresh = { .rx_free_thresh = sizes[i] };
	const bool bad_thresh = dice(s, 8) == 0;
	const bool legal = state && i < LEGAL_SIZES;

	CHECK_LEGAL(rte_eth_rx_queue_setup(s->p.id, 0, sizes[i], SOCKET_ID_ANY,
					   bad_thresh ? &thresh : NULL, s->mp),
		    legal && !bad_thresh);
	if (legal)
		s->rx_set = !bad_thresh;
	return 0;
}

static int
do_tx_setup(struct state *s)
{
	const unsigned int i = dice(s, RTE_DIM(sizes));
	const bool state = s->nb_tx != 0 && (!s->started || !s->tx_on);
	const struct rte_eth_txconf thresh = { .tx_free_thresh = sizes[i] };
	const bool bad_thresh = dice(s, 8) == 0;
	const bool legal = state && i < LEGAL_SIZES;

	CHECK_LEGAL(rte_eth_tx_queue_setup(s->p.id, 0, sizes[i], SOCKET_ID_ANY,
					   bad_thresh ? &thresh : NULL),
		    legal && !bad_thresh);
	if (legal)
		s->tx_set = !bad_thresh;
	return 0;
}

static int
do_start(struct state *s)
{
	const bool legal = s->started || (s->configured && s->rx_set == (s->nb_rx != 0) &&
					  s->tx_set == (s->nb_tx != 0));

	CHECK_LEGAL(rte_eth_dev_start(s->p.id), legal);
	if (legal && !s->started) {
		s->started = true;
		s->rx_on = s->nb_rx != 0;
		s->tx_on = s->nb_tx != 0;
	}
	return 0;
}

static int
do_stop(struct state *s)
{
	if (dice(s, 3) != 0)
		return 0;
	CHECK_EQ(rte_eth_dev_stop(s->p.id), 0);
	s->started = false;
	s->rx_on = false;
	s->tx_on = false;
	CHECK_EQ(rte_mempool_avail_count(s->mp), POOL);
	return 0;
}

static int
do_rx_queue(struct state *s)
{
	const bool on = dice(s, 2) != 0;
	/* ethdev takes the stop of what is stopped, also on a stopped port */
	const bool legal = s->rx_set && (s->started || !on);

	CHECK_LEGAL(on ? rte_eth_dev_rx_queue_start(s->p.id, 0) :
		    rte_eth_dev_rx_queue_stop(s->p.id, 0), legal);
	if (legal && s->started)
		s->rx_on = on;
	return 0;
}

static int
do_tx_queue(struct state *s)
{
	const bool on = dice(s, 2) != 0;
	/* ethdev takes the stop of what is stopped, also on a stopped port */
	const bool legal = s->tx_set && (s->started || !on);

	CHECK_LEGAL(on ? rte_eth_dev_tx_queue_start(s->p.id, 0) :
		    rte_eth_dev_tx_queue_stop(s->p.id, 0), legal);
	if (legal && s->started)
		s->tx_on = on;
	return 0;
}

static int
do_mtu(struct state *s)
{
	static const uint16_t mtus[] = { 68, 576, 1500, 1600, 2016, 2100, 4000, 9190, 67, 9191 };
	const unsigned int i = dice(s, RTE_DIM(mtus));
	const bool legal = s->configured && i < RTE_DIM(mtus) - 2;

	CHECK_LEGAL(rte_eth_dev_set_mtu(s->p.id, mtus[i]), legal);
	if (legal)
		s->mtu = mtus[i];
	return 0;
}

static int
do_addresses(struct state *s)
{
	struct rte_ether_addr own = { .addr_bytes = { 0x02, 0, 0, 0, 0, 0x01 } };
	struct rte_ether_addr more = { .addr_bytes = { 0x02, 9, 9, 9, 9, 0 } };
	struct rte_ether_addr multicast = { .addr_bytes = { 0x01, 0, 0x5e, 0, 0, 1 } };

	more.addr_bytes[5] = dice(s, 4);
	switch (dice(s, 5)) {
	case 0:
		CHECK_EQ(rte_eth_dev_default_mac_addr_set(s->p.id, &own), 0);
		s->foreign = false;
		break;
	case 1:
		CHECK_LEGAL(rte_eth_dev_default_mac_addr_set(s->p.id, &multicast), false);
		break;
	case 2:
		CHECK_EQ(rte_eth_dev_mac_addr_add(s->p.id, &more, 0), 0);
		break;
	case 3:
		CHECK_EQ(rte_eth_dev_mac_addr_remove(s->p.id, &more), 0);
		break;
	default:
		CHECK_EQ(rte_eth_dev_set_mc_addr_list(s->p.id, &multicast, dice(s, 2)), 0);
	}
	return 0;
}

static int
do_filters(struct state *s)
{
	if (!s->configured)
		return 0;
	switch (dice(s, 6)) {
	case 0:
		CHECK_EQ(rte_eth_promiscuous_enable(s->p.id), 0);
		break;
	case 1:
		CHECK_EQ(rte_eth_promiscuous_disable(s->p.id), 0);
		break;
	case 2:
		CHECK_EQ(rte_eth_allmulticast_enable(s->p.id), 0);
		break;
	case 3:
		CHECK_EQ(rte_eth_allmulticast_disable(s->p.id), 0);
		break;
	case 4:
		CHECK_EQ(rte_eth_dev_set_vlan_offload(s->p.id, RTE_ETH_VLAN_STRIP_OFFLOAD), 0);
		break;
	default:
		CHECK_EQ(rte_eth_dev_set_vlan_offload(s->p.id, 0), 0);
	}
	return 0;
}

static int
do_queries(struct state *s)
{
	struct rte_eth_fc_conf fc = { .mode = RTE_ETH_FC_RX_PAUSE };
	struct rte_eth_xstat xstats[128];
	struct rte_eth_stats stats;
	char *text = NULL;
	size_t size;
	FILE *f;

	switch (dice(s, 6)) {
	case 0:
		CHECK_EQ(rte_eth_stats_get(s->p.id, &stats), 0);
		CHECK_EQ(stats.ierrors, 0);
		break;
	case 1:
		CHECK(rte_eth_xstats_get(s->p.id, xstats, RTE_DIM(xstats)) > 0);
		break;
	case 2:
		CHECK_EQ(rte_eth_stats_reset(s->p.id), 0);
		break;
	case 3:
		f = open_memstream(&text, &size);
		CHECK(f != NULL);
		CHECK_EQ(rte_eth_dev_priv_dump(s->p.id, f), 0);
		fclose(f);
		free(text);
		break;
	case 4:
		CHECK_EQ(rte_eth_dev_flow_ctrl_set(s->p.id, &fc), 0);
		break;
	default:
		bcm4908_watchdog(s->p.eth_dev);
	}
	return 0;
}

/* What arrived is what was pushed, from some frame on; frees or sends it. */
static int
take_frames(struct state *s, uint32_t len, uint32_t first, uint32_t n)
{
	struct rte_mbuf *m[BURST];
	uint16_t got = port_rx(&s->p, m, BURST), sent = 0;

	CHECK_EQ(got, s->rx_on && !s->foreign ? n : 0);
	for (uint16_t i = 0; i < got; i++)
		CHECK_OK(mbuf_check_bytes(m[i], len, first + i));
	port_line_clear(&s->p);
	if (s->tx_set && s->nb_tx != 0)
		sent = port_tx(&s->p, m, got);
	port_run(&s->p);
	CHECK(s->tx_on || sent == 0, "%u sent", sent);
	CHECK_EQ(port_sent(&s->p), sent);
	for (uint16_t i = 0; i < sent; i++)
		CHECK_OK(port_check_sent(&s->p, i, len, first + i));
	rte_pktmbuf_free_bulk(m + sent, got - sent);
	return 0;
}

static int
do_traffic(struct state *s)
{
	const uint32_t most = RTE_MIN(s->mtu + 14u, MAX_FRAME);
	const uint32_t len = 60 + dice(s, most - 60 + 1);
	/* as many as the smallest ring holds */
	const uint32_t n = 1 + dice(s, len > 2000 ? 4 : 16);
	const uint32_t first = s->seed;

	if (!s->rx_set || s->nb_rx == 0)
		return 0;
	s->seed += n;
	for (uint32_t i = 0; i < n; i++) {
		port_push_frame(&s->p, len, first + i);
		port_run(&s->p);
	}
	return take_frames(s, len, first, n);
}

static int (* const actions[])(struct state *s) = {
	do_reopen, do_configure, do_rx_setup, do_rx_setup, do_tx_setup, do_tx_setup, do_start,
	do_start, do_start, do_start, do_stop, do_stop, do_rx_queue, do_rx_queue, do_tx_queue,
	do_tx_queue, do_mtu, do_addresses, do_filters, do_queries, do_traffic, do_traffic,
	do_traffic, do_traffic,
};

static unsigned int
environment(const char *name, unsigned int otherwise)
{
	const char *value = getenv(name);

	return value == NULL ? otherwise : strtoul(value, NULL, 0);
}

static void
count_zone(const struct rte_memzone *mz, void *arg)
{
	unsigned int *n = arg;

	/* not what ethdev makes once */
	if (strncmp(mz->name, "rte_", 4) != 0)
		(*n)++;
}

static unsigned int
zones(void)
{
	unsigned int n = 0;

	rte_memzone_walk(count_zone, &n);
	return n;
}

TEST(robust_sequence)
{
	const unsigned int steps = environment("BCM4908_ROBUST_STEPS", DEFAULT_STEPS);
	const unsigned int seed = environment("BCM4908_ROBUST_SEED", DEFAULT_SEED);
	struct state s = { .random = seed != 0 ? seed : 1 };
	unsigned int action = 0, worked = 0, zones_before;

	s.mp = pool_make(POOL, 0, RTE_MBUF_DEFAULT_BUF_SIZE);
	CHECK(s.mp != NULL);
	zones_before = zones();
	CHECK_OK(do_open(&s));
	log_catch();
	for (unsigned int i = 0; i < steps; i++) {
		action = dice(&s, RTE_DIM(actions));
		if (actions[action](&s) != 0) {
			printf("%s", log_caught());
			CHECK(false, "step %u (action %u) with BCM4908_ROBUST_SEED=%u", i, action,
			      seed);
		}
		worked += s.started;
	}
	log_caught();
	CHECK(worked > steps / 8, "the port was started in %u of %u steps only", worked, steps);
	CHECK_OK(port_close(&s.p));
	CHECK_EQ(zones(), zones_before);
	return pool_free_full(s.mp);
}

/* Frames go around a port that is stopped and started under them. */
struct traffic {
	uint16_t port_id;
	RTE_ATOMIC(uint32_t) go;	/* may it poll? */
	RTE_ATOMIC(uint32_t) polls;
	RTE_ATOMIC(uint32_t) busy;
	RTE_ATOMIC(uint32_t) quit;
	uint64_t frames;
};

static void *
poll_forever(void *arg)
{
	struct traffic *t = arg;
	struct rte_mbuf *m[BURST];

	while (rte_atomic_load_explicit(&t->quit, rte_memory_order_acquire) == 0) {
		uint16_t got, sent;

		/* in a burst, or not: stop waits for the latter */
		rte_atomic_store_explicit(&t->busy, 1, rte_memory_order_seq_cst);
		if (rte_atomic_load_explicit(&t->go, rte_memory_order_seq_cst) != 0) {
			got = rte_eth_rx_burst(t->port_id, 0, m, BURST);
			sent = rte_eth_tx_burst(t->port_id, 0, m, got);
			rte_pktmbuf_free_bulk(m + sent, got - sent);
			t->frames += got;
		}
		rte_atomic_store_explicit(&t->busy, 0, rte_memory_order_seq_cst);
		rte_atomic_fetch_add_explicit(&t->polls, 1, rte_memory_order_relaxed);
		sched_yield();
	}
	return NULL;
}

static void
traffic_hold(struct traffic *t)
{
	rte_atomic_store_explicit(&t->go, 0, rte_memory_order_seq_cst);
	while (rte_atomic_load_explicit(&t->busy, rte_memory_order_seq_cst) != 0)
		sched_yield();
}

static int
restart_under_traffic(struct port *p, struct traffic *t)
{
	struct rte_mbuf *m[BURST], *none;

	for (unsigned int i = 0; i < RESTARTS; i++) {
		for (unsigned int j = 0; j < BURST; j++) {
			m[j] = mbuf_frame(p->pool, 60, j);
			CHECK(m[j] != NULL, "after %u restarts", i);
		}
		CHECK_EQ(port_tx(p, m, BURST), BURST);
		rte_atomic_store_explicit(&t->go, 1, rte_memory_order_seq_cst);
		for (uint32_t polls = t->polls; t->polls == polls; )
			sched_yield();
		traffic_hold(t);
		CHECK_EQ(rte_eth_dev_stop(p->id), 0);
		CHECK_EQ(rte_mempool_avail_count(p->pool), p->pool->size);
		/* ethdev dumps the stack each time */
		if (i % 100 == 0)
			CHECK_EQ(port_rx(p, &none, 1), 0);
		CHECK_EQ(rte_eth_dev_start(p->id), 0);
	}
	return 0;
}

TEST(robust_restart)
{
	struct traffic t = { 0 };
	pthread_t thread;
	struct port p;
	int ret;

	PORT_OPEN(&p, .args = "stepping=thread,wire=loop", .own_line = true);
	t.port_id = p.id;
	CHECK_EQ(pthread_create(&thread, NULL, poll_forever, &t), 0);
	ret = restart_under_traffic(&p, &t);
	rte_atomic_store_explicit(&t.quit, 1, rte_memory_order_release);
	pthread_join(thread, NULL);
	CHECK_OK(ret);
	CHECK(t.frames > 0);
	return port_close(&p);
}

/* Who polls a port that is stopped already gets nothing, and its frames when it starts again. */
TEST(robust_stopped_poll)
{
	struct rte_mbuf *m[BURST];
	struct port p;

	PORT_OPEN(&p);
	for (unsigned int i = 0; i < 20; i++) {
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		m[0] = mbuf_frame(p.pool, 60, i);
		CHECK(m[0] != NULL);
		for (unsigned int j = 0; j < 100; j++) {
			port_push_frame(&p, 60, j);
			port_step(&p, 8);
			CHECK_EQ(port_tx(&p, m, 1), 0);
			CHECK_EQ(port_rx(&p, m + 1, 1), 0);
		}
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		port_line_clear(&p);
		CHECK_EQ(port_tx(&p, m, 1), 1);
		CHECK(port_push_frame(&p, 100, i));
		port_run(&p);
		CHECK_EQ(port_sent(&p), 1);
		CHECK_OK(port_check_sent(&p, 0, 60, i));
		CHECK_EQ(port_rx(&p, m, BURST), 1);
		CHECK_OK(mbuf_check(&p, m[0], 100, i));
		rte_pktmbuf_free(m[0]);
	}
	return port_close(&p);
}

/* Devices come and go, and leave nothing behind. */
TEST(robust_attach)
{
	static const char * const args[] = {
		"stepping=thread,wire=loop", "stepping=burst,wire=loop",
		"stepping=thread,wire=cable:robust", "coherent=0",
	};
	const unsigned int zones_before = zones();
	unsigned int fds = 0, threads = 0;

	for (unsigned int i = 0; i < ATTACHMENTS; i++) {
		struct port p;

		PORT_OPEN(&p, .args = args[i % RTE_DIM(args)], .own_line = true, .pool_size = 256,
			  .rx_desc = 32, .tx_desc = 32);
		CHECK_OK(port_close(&p));
		CHECK_EQ(zones(), zones_before);
		if (i == RTE_DIM(args)) {
			fds = dir_entries("/proc/self/fd");
			threads = dir_entries("/proc/self/task");
		}
	}
	CHECK_EQ(dir_entries("/proc/self/fd"), fds);
	CHECK_EQ(dir_entries("/proc/self/task"), threads);
	return 0;
}
