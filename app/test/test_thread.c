/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Two ports, whose model moves by its thread, one thread that forwards, and
 * the control thread that meanwhile does all that a control thread may: for
 * the thread sanitizer, and to see that no frame is lost by it.
 */

#include <pthread.h>
#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_stdatomic.h>
#include <rte_vect.h>

#include "port.h"

#define PORTS		2u
#define FRAMES		200u
#define BURST		32u
#define PATIENCE_S	20

/* One that fits a buffer, and one that takes several: the burst functions change. */
#define MTU_ONE		1500
#define MTU_MANY	3000

#ifdef __SANITIZE_THREAD__
const char *__tsan_default_options(void);
const char *__tsan_default_suppressions(void);

/* The longest memory of what each thread did. */
const char *
__tsan_default_options(void)
{
	return "history_size=7";
}

/* What is not to be reported: one function of DPDK's each. */
const char *
__tsan_default_suppressions(void)
{
	return
		/*
		 * They load the burst function from rte_eth_fp_ops by a plain
		 * load, while a control thread stores another one there
		 * atomically. What the burst does is another function.
		 */
		"race_top:rte_eth_rx_burst\n"
		"race_top:rte_eth_tx_burst\n"
		/*
		 * They allocate and free alarms, as does the alarms' thread,
		 * under a lock in code that is not sanitized. Neither calls an
		 * alarm's function.
		 */
		"race:rte_eal_alarm_set\n"
		"race:rte_eal_alarm_cancel\n";
}
#endif

static const char * const names[PORTS] = { "net_bcm4908_thread0", "net_bcm4908_thread1" };

struct forwarding {
	pthread_t thread;
	struct rte_mempool *mp;
	uint16_t port[PORTS];
	uint64_t sent;
	RTE_ATOMIC(uint32_t) quit;
	RTE_ATOMIC(uint64_t) frames;	/* received so far */
};

static int
start_port(struct forwarding *fwd, unsigned int i, const char *wire)
{
	const struct rte_eth_conf conf = { .intr_conf.lsc = 1 };
	char args[64];

	snprintf(args, sizeof(args), "wire=%s,mac=02:00:00:00:00:01", wire);
	CHECK_EQ(rte_vdev_init(names[i], args), 0);
	CHECK_EQ(rte_eth_dev_get_port_by_name(names[i], &fwd->port[i]), 0);
	CHECK_EQ(rte_eth_dev_configure(fwd->port[i], 1, 1, &conf), 0);
	CHECK_EQ(rte_eth_rx_queue_setup(fwd->port[i], 0, 256, SOCKET_ID_ANY, NULL, fwd->mp), 0);
	CHECK_EQ(rte_eth_tx_queue_setup(fwd->port[i], 0, 256, SOCKET_ID_ANY, NULL), 0);
	CHECK_EQ(rte_eth_dev_start(fwd->port[i]), 0);
	return 0;
}

/* As long as it takes, but for the end. */
static void
send_all(struct forwarding *fwd, uint16_t port, struct rte_mbuf **pkts, uint16_t n)
{
	uint16_t sent = 0;

	while (sent < n && rte_atomic_load_explicit(&fwd->quit, rte_memory_order_relaxed) == 0)
		sent += rte_eth_tx_burst(port, 0, pkts + sent, n - sent);
	fwd->sent += sent;
	rte_pktmbuf_free_bulk(pkts + sent, n - sent);
}

static int
inject(struct forwarding *fwd)
{
	struct rte_mbuf *m;

	for (uint32_t i = 0; i < FRAMES; i++) {
		m = mbuf_frame(fwd->mp, 60 + 7 * i, i);
		CHECK(m != NULL);
		send_all(fwd, fwd->port[i % PORTS], &m, 1);
	}
	return 0;
}

/* What a port receives, it sends. */
static void *
forward(void *arg)
{
	struct forwarding *fwd = arg;
	struct rte_mbuf *pkts[BURST];
	uint16_t n;

	while (rte_atomic_load_explicit(&fwd->quit, rte_memory_order_acquire) == 0) {
		for (unsigned int i = 0; i < PORTS; i++) {
			n = rte_eth_rx_burst(fwd->port[i], 0, pkts, BURST);
			send_all(fwd, fwd->port[i], pkts, n);
			rte_atomic_fetch_add_explicit(&fwd->frames, n, rte_memory_order_relaxed);
		}
	}
	return NULL;
}

static uint64_t
deadline(void)
{
	return rte_get_timer_cycles() + PATIENCE_S * rte_get_timer_hz();
}

/* Let more frames pass. */
static int
see_frames(struct forwarding *fwd, uint64_t n)
{
	const uint64_t until = deadline(), now = rte_atomic_load_explicit(&fwd->frames,
			rte_memory_order_relaxed);

	while (rte_atomic_load_explicit(&fwd->frames, rte_memory_order_relaxed) < now + n) {
		CHECK(rte_get_timer_cycles() < until, "the frames stand still");
		rte_delay_us_sleep(100);
	}
	return 0;
}

/* With the interrupt for it, a link's state is the last one that the watchdog saw. */
static int
see_link(uint16_t port)
{
	const uint64_t until = deadline();
	struct rte_eth_link link = { .link_status = RTE_ETH_LINK_DOWN };

	while (link.link_status == RTE_ETH_LINK_DOWN) {
		CHECK(rte_get_timer_cycles() < until, "no link at port %u", port);
		CHECK_EQ(rte_eth_link_get_nowait(port, &link), 0);
	}
	return 0;
}

static int
control_port(uint16_t port, unsigned int round)
{
	struct rte_eth_xstat xstats[256];
	struct rte_eth_stats stats;
	struct rte_eth_link link;
	struct rte_ether_addr mac;
	uint32_t regs[1024];
	struct rte_dev_reg_info reg_info = { .data = regs };
	struct rte_eth_burst_mode mode;

	CHECK_EQ(rte_eth_stats_get(port, &stats), 0);
	CHECK(rte_eth_xstats_get(port, xstats, RTE_DIM(xstats)) > 0);
	CHECK_EQ(rte_eth_link_get_nowait(port, &link), 0);
	CHECK_EQ(link.link_status, RTE_ETH_LINK_UP);
	CHECK_EQ(rte_eth_dev_set_mtu(port, round % 2 == 0 ? MTU_MANY : MTU_ONE), 0);
	CHECK_EQ(rte_eth_rx_burst_mode_get(port, 0, &mode), 0);
	CHECK((strstr(mode.info, "Scattered") != NULL) == (round % 2 == 0), "%s", mode.info);
	CHECK_EQ(rte_eth_macaddr_get(port, &mac), 0);
	CHECK_EQ(rte_eth_dev_default_mac_addr_set(port, &mac), 0);
	CHECK_EQ(rte_eth_allmulticast_enable(port), 0);
	/* untagged frames pass both; the bursts change all the same */
	CHECK_EQ(rte_eth_dev_set_vlan_offload(port, round % 3 == 0 ? RTE_ETH_VLAN_STRIP_OFFLOAD |
					      RTE_ETH_VLAN_FILTER_OFFLOAD : 0), 0);
	CHECK_EQ(rte_eth_dev_set_ptypes(port, round % 4 < 2 ? RTE_PTYPE_L3_MASK : 0, NULL, 0), 0);
	CHECK_EQ(rte_eth_dev_get_reg_info(port, &reg_info), 0);
	if (round % 4 == 3)
		CHECK_EQ(rte_eth_stats_reset(port), 0);
	return 0;
}

/* Receive without sending until the frames are all here. */
static int
collect(struct forwarding *fwd, uint64_t want)
{
	const uint64_t until = deadline();
	struct rte_mbuf *pkts[BURST];
	uint64_t got = 0;
	uint16_t n;

	while (got < want) {
		CHECK(rte_get_timer_cycles() < until, "%ju of %ju frames came back",
		      (uintmax_t)got, (uintmax_t)want);
		for (unsigned int i = 0; i < PORTS; i++) {
			n = rte_eth_rx_burst(fwd->port[i], 0, pkts, BURST);
			rte_pktmbuf_free_bulk(pkts, n);
			got += n;
		}
	}
	CHECK_EQ(got, want);
	return 0;
}

static int
control_while_forwarding(struct forwarding *fwd)
{
	for (unsigned int round = 0; round < 24; round++) {
		for (unsigned int i = 0; i < PORTS; i++)
			CHECK_OK(control_port(fwd->port[i], round));
		CHECK_OK(see_frames(fwd, 2 * FRAMES));
	}
	return 0;
}

static int
thread_forward(const char *wire)
{
	struct forwarding fwd = { .quit = 0 };
	int ret;

	/* the sanitizer knows no vector accesses to descriptors */
	CHECK_EQ(rte_vect_set_max_simd_bitwidth(RTE_VECT_SIMD_DISABLED), 0);
	fwd.mp = pool_make(2048, 0, RTE_MBUF_DEFAULT_BUF_SIZE);
	CHECK(fwd.mp != NULL);
	for (unsigned int i = 0; i < PORTS; i++)
		CHECK_OK(start_port(&fwd, i, wire));
	for (unsigned int i = 0; i < PORTS; i++)
		CHECK_OK(see_link(fwd.port[i]));
	CHECK_OK(inject(&fwd));
	CHECK(pthread_create(&fwd.thread, NULL, forward, &fwd) == 0);
	ret = control_while_forwarding(&fwd);
	rte_atomic_store_explicit(&fwd.quit, 1, rte_memory_order_release);
	CHECK(pthread_join(fwd.thread, NULL) == 0);
	CHECK_OK(ret);
	/* what the thread had in hand when it was told to quit, it freed */
	CHECK_OK(collect(&fwd, fwd.sent - rte_atomic_load_explicit(&fwd.frames,
								 rte_memory_order_relaxed)));
	for (unsigned int i = 0; i < PORTS; i++) {
		CHECK_EQ(rte_eth_dev_stop(fwd.port[i]), 0);
		CHECK_EQ(rte_vdev_uninit(names[i]), 0);
	}
	return pool_free_full(fwd.mp);
}

/* Queues stop, are set up anew and start, while a thread polls them all the time. */
TEST(thread_queues)
{
	struct forwarding fwd = { .quit = 0 };
	uint16_t port;

	CHECK_EQ(rte_vect_set_max_simd_bitwidth(RTE_VECT_SIMD_DISABLED), 0);
	fwd.mp = pool_make(2048, 0, RTE_MBUF_DEFAULT_BUF_SIZE);
	CHECK(fwd.mp != NULL);
	for (unsigned int i = 0; i < PORTS; i++)
		CHECK_OK(start_port(&fwd, i, "loop"));
	port = fwd.port[0];
	CHECK_OK(inject(&fwd));
	CHECK(pthread_create(&fwd.thread, NULL, forward, &fwd) == 0);
	for (unsigned int round = 0; round < 20; round++) {
		CHECK_EQ(rte_eth_dev_rx_queue_stop(port, 0), 0);
		if (round % 3 == 0)
			CHECK_EQ(rte_eth_rx_queue_setup(port, 0, round % 2 == 0 ? 64 : 256,
							SOCKET_ID_ANY, NULL, fwd.mp), 0);
		CHECK_EQ(rte_eth_dev_rx_queue_start(port, 0), 0);
		CHECK_EQ(rte_eth_dev_tx_queue_stop(port, 0), 0);
		CHECK_EQ(rte_eth_dev_tx_queue_start(port, 0), 0);
		CHECK_OK(see_frames(&fwd, 100)); /* of the other port, should this one have none left */
	}
	rte_atomic_store_explicit(&fwd.quit, 1, rte_memory_order_release);
	CHECK(pthread_join(fwd.thread, NULL) == 0);
	for (unsigned int i = 0; i < PORTS; i++) {
		CHECK_EQ(rte_eth_dev_stop(fwd.port[i]), 0);
		CHECK_EQ(rte_vdev_uninit(names[i]), 0);
	}
	return pool_free_full(fwd.mp);
}

TEST(thread_loop)
{
	return thread_forward("loop");
}

TEST(thread_cable)
{
	return thread_forward("cable:thread");
}
