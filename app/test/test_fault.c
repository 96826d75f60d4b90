/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* A device in trouble: what the driver counts, what recovers by itself, what asks for a reset. */

#include <stdlib.h>
#include <string.h>

#include <rte_ethdev.h>

#include "model/bcm4908_model_fault.h"
#include "port.h"
#include "test_model.h"

#define STALL_TICKS 12 /* of 10 ms: more than the 100 ms after which a stall is reported */

static struct rte_mbuf *pkts[64];

static int
count_event(uint16_t port_id, enum rte_eth_event_type event, void *arg, void *ret)
{
	unsigned int *count = arg;

	RTE_SET_USED(port_id);
	RTE_SET_USED(event);
	RTE_SET_USED(ret);
	(*count)++;
	return 0;
}

static void
fault_set(struct port *p, enum bcm4908_model_fault_kind kind, struct bcm4908_model_fault fault)
{
	/* what a faulty device does is not the driver's doing */
	p->lies = true;
	bcm4908_model_fault_set(p->model, kind, &fault);
}

static int
send_frames(struct port *p, unsigned int n, uint32_t seed)
{
	for (unsigned int i = 0; i < n; i++) {
		pkts[i] = mbuf_frame(p->pool, 100, seed + i);
		CHECK(pkts[i] != NULL);
	}
	CHECK_EQ(port_tx(p, pkts, n), n);
	return 0;
}

/* n frames arrive and are polled; how many came is returned, or -1. */
static int
receive_frames(struct port *p, unsigned int n, uint32_t seed)
{
	uint16_t got;

	for (unsigned int i = 0; i < n; i++)
		CHECK(port_push_frame(p, 100, seed + i));
	port_run(p);
	got = port_rx(p, pkts, RTE_DIM(pkts));
	rte_pktmbuf_free_bulk(pkts, got);
	return got;
}

static void
ticks(struct port *p, unsigned int n)
{
	for (; n > 0; n--) {
		bcm4908_watchdog(p->eth_dev);
		port_run(p);
	}
}

static int
restart(struct port *p)
{
	CHECK_EQ(rte_eth_dev_stop(p->id), 0);
	CHECK_EQ(rte_eth_dev_start(p->id), 0);
	port_line_clear(p);
	return 0;
}

/* Frames pass in both directions, byte by byte. */
static int
works(struct port *p)
{
	port_line_clear(p);
	CHECK_OK(send_frames(p, 5, 1000));
	port_run(p);
	CHECK_EQ(port_sent(p), 5);
	for (unsigned int i = 0; i < 5; i++)
		CHECK_OK(port_check_sent(p, i, 100, 1000 + i));
	CHECK_EQ(receive_frames(p, 5, 2000), 5);
	return 0;
}

TEST(fault_parse)
{
	static const char * const bad[] = {
		"", "tx", "tx-hang:", "tx-hang:after", "tx-hang:after:x", "tx-hang:often:1",
		"tx-hang++rx-hang", "tx-hang+", "rx-len:value:4096", "tx-hang:after:-1",
	};
	struct bcm4908_model_fault_list list;

	for (unsigned int i = 0; i < RTE_DIM(bad); i++)
		CHECK(bcm4908_model_fault_parse(bad[i], &list) != NULL, "%s", bad[i]);
	CHECK(bcm4908_model_fault_parse("tx-hang:after:7+rx-len:value:59:every:3:count:2",
					&list) == NULL);
	CHECK_EQ(list.nb, 2);
	CHECK_EQ(list.item[0].kind, BCM4908_FAULT_TX_HANG);
	CHECK_EQ(list.item[0].fault.after, 7);
	CHECK_EQ(list.item[1].kind, BCM4908_FAULT_RX_LEN);
	CHECK_EQ(list.item[1].fault.value, 59);
	CHECK_EQ(list.item[1].fault.every, 3);
	CHECK_EQ(list.item[1].fault.count, 2);
	return 0;
}

/* Transmission that does not go on is reported once; a restart recovers, every frame counted. */
static int
tx_stalls(enum bcm4908_model_fault_kind kind)
{
	struct rte_eth_stats stats;
	unsigned int events = 0;
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	CHECK_EQ(rte_eth_dev_callback_register(p.id, RTE_ETH_EVENT_INTR_RESET, count_event,
					       &events), 0);
	fault_set(&p, kind, (struct bcm4908_model_fault){ .after = 3, .count = 1 });
	CHECK_OK(send_frames(&p, 8, 1));
	ticks(&p, 5);
	CHECK_EQ(events, 0);
	ticks(&p, STALL_TICKS);
	CHECK_EQ(events, 1);
	ticks(&p, 3 * STALL_TICKS);
	CHECK_EQ(events, 1);
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.opackets, 8);
	CHECK_EQ(stats.oerrors, port_txq(&p)->stats.stop_drops);
	CHECK(stats.oerrors > 0);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(works(&p));
	/* and a second stall is a new one */
	fault_set(&p, kind, (struct bcm4908_model_fault){ .count = 1 });
	CHECK_OK(send_frames(&p, 1, 1));
	ticks(&p, 2 * STALL_TICKS);
	CHECK_EQ(events, 2);
	CHECK_OK(restart(&p));
	CHECK_OK(works(&p));
	CHECK_EQ(rte_eth_dev_callback_unregister(p.id, RTE_ETH_EVENT_INTR_RESET, count_event,
						 &events), 0);
	return port_close(&p);
}

TEST(fault_tx_hang)
{
	return tx_stalls(BCM4908_FAULT_TX_HANG);
}

/* The descriptor that keeps OWN is the last of what was sent: all else is complete. */
TEST(fault_tx_own)
{
	unsigned int events = 0;
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	CHECK_EQ(rte_eth_dev_callback_register(p.id, RTE_ETH_EVENT_INTR_RESET, count_event,
					       &events), 0);
	fault_set(&p, BCM4908_FAULT_TX_OWN, (struct bcm4908_model_fault){ .after = 3, .count = 1 });
	CHECK_OK(send_frames(&p, 4, 1));
	ticks(&p, 2 * STALL_TICKS);
	CHECK_EQ(events, 1);
	CHECK_OK(restart(&p));
	CHECK_OK(works(&p));
	CHECK_EQ(rte_eth_dev_callback_unregister(p.id, RTE_ETH_EVENT_INTR_RESET, count_event,
						 &events), 0);
	return port_close(&p);
}

/* The recovery that the event asks for: rte_eth_dev_reset(), then all anew. */
TEST(fault_tx_hang_reset)
{
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	fault_set(&p, BCM4908_FAULT_TX_HANG, (struct bcm4908_model_fault){ .count = 1 });
	CHECK_OK(send_frames(&p, 8, 1));
	ticks(&p, STALL_TICKS);
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(rte_eth_dev_reset(p.id), 0);
	CHECK_EQ(rte_eth_dev_configure(p.id, 1, 1, &p.cfg.conf), 0);
	CHECK_OK(port_setup_queues(&p));
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(works(&p));
	return port_close(&p);
}

/* A slow device is not a stalled one. */
TEST(fault_tx_delay)
{
	unsigned int events = 0;
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	CHECK_EQ(rte_eth_dev_callback_register(p.id, RTE_ETH_EVENT_INTR_RESET, count_event,
					       &events), 0);
	fault_set(&p, BCM4908_FAULT_TX_DELAY, (struct bcm4908_model_fault){ .value = 5 });
	CHECK_OK(send_frames(&p, 8, 1));
	for (unsigned int i = 0; i < 200 && port_sent(&p) < 8; i++) {
		bcm4908_watchdog(p.eth_dev);
		port_step(&p, 1);
	}
	CHECK_EQ(port_sent(&p), 8);
	CHECK_EQ(events, 0);
	CHECK_EQ(rte_eth_dev_callback_unregister(p.id, RTE_ETH_EVENT_INTR_RESET, count_event,
						 &events), 0);
	return port_close(&p);
}

/* A kick that is lost, or an engine that stops by itself: the watchdog's next turn repairs it. */
static int
tx_repairs(enum bcm4908_model_fault_kind kind)
{
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	fault_set(&p, kind, (struct bcm4908_model_fault){ .count = 1 });
	CHECK_OK(send_frames(&p, 8, 1));
	port_run(&p);
	CHECK_EQ(port_sent(&p), 0);
	ticks(&p, 1);
	CHECK_EQ(port_sent(&p), 8);
	CHECK_OK(works(&p));
	return port_close(&p);
}

TEST(fault_tx_kick)
{
	return tx_repairs(BCM4908_FAULT_TX_KICK);
}

TEST(fault_tx_stop)
{
	return tx_repairs(BCM4908_FAULT_TX_STOP);
}

/* A length that cannot be is one counted frame, and never a read beyond the buffer. */
TEST(fault_rx_len)
{
	static const uint32_t lies[] = { 0, 1, 2, 3, 59, 2049, 4095 };
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	for (unsigned int i = 0; i < RTE_DIM(lies); i++) {
		const bcm4908_counter_t *counter = lies[i] < 60 ?
			&port_rxq(&p)->stats.short_errors : &port_rxq(&p)->stats.long_errors;
		const uint64_t before = *counter;

		fault_set(&p, BCM4908_FAULT_RX_LEN,
			  (struct bcm4908_model_fault){ .value = lies[i], .count = 3 });
		CHECK_EQ(receive_frames(&p, 5, i), 2);
		CHECK_EQ(*counter, before + 3);
		CHECK_OK(works(&p));
	}
	return port_close(&p);
}

static int
rx_marks(enum bcm4908_model_fault_kind kind)
{
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	fault_set(&p, kind, (struct bcm4908_model_fault){ .every = 2, .count = 3 });
	CHECK_EQ(receive_frames(&p, 8, 1), 5);
	CHECK_EQ(port_rxq(&p)->stats.seq_errors, 3);
	CHECK_OK(works(&p));
	return port_close(&p);
}

TEST(fault_rx_no_sop)
{
	return rx_marks(BCM4908_FAULT_RX_NO_SOP);
}

TEST(fault_rx_no_eop)
{
	return rx_marks(BCM4908_FAULT_RX_NO_EOP);
}

TEST(fault_rx_no_mark)
{
	return rx_marks(BCM4908_FAULT_RX_NO_MARK);
}

/* The status bits are hints whose meaning is not known [3.4]: they decide nothing. */
TEST(fault_rx_status)
{
	struct rte_eth_stats stats;
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	fault_set(&p, BCM4908_FAULT_RX_STATUS, (struct bcm4908_model_fault){ .value = 0xfff });
	CHECK_EQ(receive_frames(&p, 8, 1), 8);
	CHECK_OK(works(&p));
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.ierrors, 0);
	return port_close(&p);
}

/* A storm of overflows: each is counted, what comes in between arrives. */
TEST(fault_rx_ovfl)
{
	struct rte_eth_stats stats;
	unsigned int got = 0;
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	fault_set(&p, BCM4908_FAULT_RX_OVFL, (struct bcm4908_model_fault){ .count = 20 });
	CHECK_EQ(receive_frames(&p, 24, 1), 4);
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.imissed, 20);
	CHECK_OK(works(&p));
	/* one frame in five finds room */
	fault_set(&p, BCM4908_FAULT_RX_OVFL, (struct bcm4908_model_fault){ 0 });
	for (unsigned int i = 0; i < 1000; i++) {
		if (i % 5 == 4)
			bcm4908_model_fault_clear(p.model, BCM4908_FAULT_RX_OVFL);
		got += receive_frames(&p, 1, i);
		if (i % 5 == 4)
			fault_set(&p, BCM4908_FAULT_RX_OVFL, (struct bcm4908_model_fault){ 0 });
	}
	CHECK_EQ(got, 200);
	CHECK_XSTAT(&p, "rx_fifo_overflow_dropped", 820);
	bcm4908_model_fault_clear(p.model, BCM4908_FAULT_RX_OVFL);
	/* a restart keeps the count */
	CHECK_OK(restart(&p));
	CHECK_XSTAT(&p, "rx_fifo_overflow_dropped", 820);
	CHECK_OK(works(&p));
	return port_close(&p);
}

/* Without power all registers read the same: nothing of it may reach the statistics. */
static int
power_fails(enum bcm4908_model_fault_kind kind)
{
	struct rte_eth_stats before, after;
	unsigned int events = 0;
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	CHECK_EQ(rte_eth_dev_callback_register(p.id, RTE_ETH_EVENT_INTR_RESET, count_event,
					       &events), 0);
	CHECK_OK(works(&p));
	CHECK_EQ(rte_eth_stats_get(p.id, &before), 0);
	fault_set(&p, kind, (struct bcm4908_model_fault){ 0 });
	port_run(&p);
	ticks(&p, 300);
	CHECK_EQ(events, 1);
	CHECK_EQ(rte_eth_stats_get(p.id, &after), 0);
	CHECK_EQ(memcmp(&after, &before, sizeof(after)), 0);
	log_catch();
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK(strstr(log_caught(), "powered off") != NULL, "%s", log_caught());
	CHECK_EQ(rte_eth_dev_start(p.id), (uint64_t)-ENODEV);
	bcm4908_model_fault_clear(p.model, kind);
	port_run(&p);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_EQ(rte_eth_stats_get(p.id, &after), 0);
	CHECK_EQ(after.ipackets, before.ipackets);
	CHECK_EQ(after.imissed, before.imissed);
	CHECK_EQ(after.ierrors, before.ierrors);
	CHECK_OK(works(&p));
	CHECK_EQ(rte_eth_dev_callback_unregister(p.id, RTE_ETH_EVENT_INTR_RESET, count_event,
						 &events), 0);
	return port_close(&p);
}

TEST(fault_off_ones)
{
	return power_fails(BCM4908_FAULT_OFF_ONES);
}

TEST(fault_off_zeros)
{
	return power_fails(BCM4908_FAULT_OFF_ZEROS);
}

/* What a boot loader left: noise in registers, channels running on rings of its own. */
static int
loader_left(const char *args)
{
	struct port p;

	PORT_OPEN(&p, .args = args);
	/* a PAUSE that the loader had asked for is taken back */
	port_run(&p);
	CHECK_OK(works(&p));
	CHECK_OK(restart(&p));
	CHECK_OK(works(&p));
	/* the interrupts that were left on are off */
	CHECK_EQ(port_reg(&p, BCM4908_CHAN_INT_MASK(BCM4908_CHAN_RX)), 0);
	CHECK_EQ(port_reg(&p, BCM4908_CHAN_INT_MASK(BCM4908_CHAN_TX)), 0);
	CHECK_EQ(port_reg(&p, BCM4908_IRQ_ENABLE), 0);
	return port_close(&p);
}

/* Strict mode looks on: what the driver makes of noise is what it makes of anything. */
TEST(fault_garbage)
{
	char args[32];

	for (unsigned int seed = 1; seed <= 50; seed++) {
		snprintf(args, sizeof(args), "fault=garbage:value:%u", seed);
		CHECK(loader_left(args) == 0, "seed %u", seed);
	}
	return 0;
}

/* Nobody writes to the loader's memory any more once the device is probed. */
TEST(fault_boot)
{
	uint32_t hits;
	struct port p;

	CHECK_OK(loader_left("fault=boot"));
	PORT_OPEN(&p, .args = "fault=boot", .stopped = true);
	hits = bcm4908_model_fault_hits(p.model, BCM4908_FAULT_BOOT);
	for (unsigned int i = 0; i < 5; i++)
		CHECK(!port_push_frame(&p, 100, i));
	port_run(&p);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(works(&p));
	CHECK_EQ(bcm4908_model_fault_hits(p.model, BCM4908_FAULT_BOOT), hits);
	return port_close(&p);
}

/* A channel that does not heed its halt is reset, and the port goes on. */
TEST(fault_no_halt)
{
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	CHECK_OK(works(&p));
	fault_set(&p, BCM4908_FAULT_NO_HALT, (struct bcm4908_model_fault){ 0 });
	log_catch();
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK(strstr(log_caught(), "resetting it") != NULL, "%s", log_caught());
	CHECK(bcm4908_model_fault_hits(p.model, BCM4908_FAULT_NO_HALT) > 0);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(works(&p));
	return port_close(&p);
}

/* Nor its reset: the stop fails, and the buffers stay where the device may still write. */
TEST(fault_no_reset)
{
	unsigned int free_before, got;
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	CHECK_OK(works(&p));
	fault_set(&p, BCM4908_FAULT_NO_HALT, (struct bcm4908_model_fault){ 0 });
	fault_set(&p, BCM4908_FAULT_NO_RESET, (struct bcm4908_model_fault){ 0 });
	free_before = rte_mempool_avail_count(p.pool);
	log_catch();
	CHECK_EQ(rte_eth_dev_stop(p.id), (uint64_t)-EIO);
	CHECK(strstr(log_caught(), "cannot be stopped") != NULL, "%s", log_caught());
	CHECK_EQ(rte_mempool_avail_count(p.pool), free_before);
	/* nor does a reset get them back, as long as the device does not heed it */
	CHECK_EQ(rte_eth_dev_reset(p.id), (uint64_t)-EIO);
	CHECK_EQ(rte_mempool_avail_count(p.pool), free_before);
	bcm4908_model_fault_clear(p.model, BCM4908_FAULT_NO_HALT);
	bcm4908_model_fault_clear(p.model, BCM4908_FAULT_NO_RESET);
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	got = rte_mempool_avail_count(p.pool);
	CHECK_EQ(got, p.pool->size);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(works(&p));
	return port_close(&p);
}

/* --- bus errors --- */

/* The device skips what it cannot read; the difference of two counters tells. */
TEST(fault_tx_bus)
{
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	fault_set(&p, BCM4908_FAULT_TX_BUS,
		  (struct bcm4908_model_fault){ .after = 1, .every = 2, .count = 3 });
	CHECK_OK(send_frames(&p, 10, 1));
	port_run(&p);
	CHECK_EQ(port_sent(&p), 7);
	CHECK_EQ(bcm4908_model_fault_hits(p.model, BCM4908_FAULT_TX_BUS), 3);
	CHECK_OK(works(&p));
	CHECK_XSTAT(&p, "tx_good_packets", 15);
	CHECK_XSTAT(&p, "tx_mac_packets", 12);
	return port_close(&p);
}

/* A frame whose buffer cannot be written ends there, with no bytes. */
TEST(fault_rx_bus)
{
	struct rte_eth_stats stats;
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	fault_set(&p, BCM4908_FAULT_RX_BUS,
		  (struct bcm4908_model_fault){ .after = 1, .every = 2, .count = 3 });
	CHECK_EQ(receive_frames(&p, 10, 1), 7);
	CHECK_XSTAT(&p, "rx_desc_short_errors", 3);
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.ierrors, 3);
	CHECK_OK(works(&p));
	return port_close(&p);
}

/* The same in a later buffer of a frame. */
TEST(fault_rx_bus_in_chain)
{
	struct port p;

	PORT_OPEN(&p, .args = NULL, .mtu = 4000);
	CHECK_EQ(p.eth_dev->data->scattered_rx, 1);
	fault_set(&p, BCM4908_FAULT_RX_BUS,
		  (struct bcm4908_model_fault){ .after = 1, .count = 1 });
	CHECK(port_push_frame(&p, 3000, 1));
	CHECK(port_push_frame(&p, 3000, 2));
	port_run(&p);
	CHECK_EQ(port_rx(&p, pkts, RTE_DIM(pkts)), 1);
	CHECK_OK(mbuf_check_bytes(pkts[0], 3000, 2));
	rte_pktmbuf_free(pkts[0]);
	CHECK_XSTAT(&p, "rx_desc_sequence_errors", 1);
	CHECK_OK(works(&p));
	return port_close(&p);
}

/* The engine stops at the ring, and goes on when the watchdog starts it: nothing is lost. */
TEST(fault_tx_ring)
{
	unsigned int events = 0;
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	CHECK_EQ(rte_eth_dev_callback_register(p.id, RTE_ETH_EVENT_INTR_RESET, count_event,
					       &events), 0);
	fault_set(&p, BCM4908_FAULT_TX_RING,
		  (struct bcm4908_model_fault){ .after = 3, .count = 1 });
	CHECK_OK(send_frames(&p, 8, 1));
	port_run(&p);
	CHECK_EQ(port_sent(&p), 3);
	ticks(&p, 1);
	CHECK_EQ(port_sent(&p), 8);
	CHECK_OK(works(&p));
	CHECK_EQ(events, 0);
	/* a ring that is gone for good is a stall */
	fault_set(&p, BCM4908_FAULT_TX_RING, (struct bcm4908_model_fault){ 0 });
	CHECK_OK(send_frames(&p, 8, 1));
	ticks(&p, 2 * STALL_TICKS);
	CHECK_EQ(events, 1);
	bcm4908_model_fault_clear(p.model, BCM4908_FAULT_TX_RING);
	CHECK_OK(restart(&p));
	CHECK_OK(works(&p));
	CHECK_EQ(rte_eth_dev_callback_unregister(p.id, RTE_ETH_EVENT_INTR_RESET, count_event,
						 &events), 0);
	return port_close(&p);
}

/* Reception that stopped goes on after the watchdog's next turn, every frame in order. */
static int
rx_repairs(enum bcm4908_model_fault_kind kind)
{
	uint16_t got;
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	fault_set(&p, kind, (struct bcm4908_model_fault){ .count = 1 });
	CHECK_EQ(receive_frames(&p, 4, 1), 0);
	ticks(&p, 1);
	got = port_rx(&p, pkts, RTE_DIM(pkts));
	CHECK_EQ(got, 4);
	for (unsigned int i = 0; i < got; i++)
		CHECK_OK(mbuf_check(&p, pkts[i], 100, 1 + i));
	rte_pktmbuf_free_bulk(pkts, got);
	CHECK_OK(works(&p));
	return port_close(&p);
}

TEST(fault_rx_ring)
{
	return rx_repairs(BCM4908_FAULT_RX_RING);
}

TEST(fault_rx_stop)
{
	return rx_repairs(BCM4908_FAULT_RX_STOP);
}

/* The doorbell of a refill is lost, and frames wait in the FIFO. */
TEST(fault_rx_kick)
{
	uint16_t got = 0;
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	for (unsigned int i = 0; i < 70; i++)
		CHECK(port_push_frame(&p, 100, i));
	port_run(&p);
	CHECK(port_chan_idle(&p, BCM4908_CHAN_RX));
	fault_set(&p, BCM4908_FAULT_RX_KICK, (struct bcm4908_model_fault){ .count = 1 });
	CHECK_EQ(port_rx(&p, pkts, RTE_DIM(pkts)), 64);
	rte_pktmbuf_free_bulk(pkts, 64);
	port_run(&p);
	CHECK_EQ(bcm4908_model_fault_hits(p.model, BCM4908_FAULT_RX_KICK), 1);
	CHECK_EQ(port_rx(&p, pkts, RTE_DIM(pkts)), 0);
	ticks(&p, 1);
	got = port_rx(&p, pkts, RTE_DIM(pkts));
	CHECK_EQ(got, 6);
	for (unsigned int i = 0; i < got; i++)
		CHECK_OK(mbuf_check(&p, pkts[i], 100, 64 + i));
	rte_pktmbuf_free_bulk(pkts, got);
	CHECK_OK(works(&p));
	return port_close(&p);
}

/* --- reception that stops for good looks like a silent line --- */

TEST(fault_rx_hang)
{
	unsigned int events = 0;
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	CHECK_EQ(rte_eth_dev_callback_register(p.id, RTE_ETH_EVENT_INTR_RESET, count_event,
					       &events), 0);
	fault_set(&p, BCM4908_FAULT_RX_HANG, (struct bcm4908_model_fault){ .after = 3, .count = 1 });
	CHECK_EQ(receive_frames(&p, 8, 1), 3);
	ticks(&p, 2 * STALL_TICKS);
	CHECK_EQ(port_rx(&p, pkts, RTE_DIM(pkts)), 0);
	CHECK_EQ(events, 0);
	/* the other direction does not care */
	CHECK_OK(send_frames(&p, 5, 1));
	port_run(&p);
	CHECK_EQ(port_sent(&p), 5);
	CHECK_OK(restart(&p));
	CHECK_OK(works(&p));
	CHECK_EQ(rte_eth_dev_callback_unregister(p.id, RTE_ETH_EVENT_INTR_RESET, count_event,
						 &events), 0);
	return port_close(&p);
}

/* What waits behind the descriptor that the device keeps is dropped and counted at stop. */
TEST(fault_rx_own)
{
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	fault_set(&p, BCM4908_FAULT_RX_OWN, (struct bcm4908_model_fault){ .after = 3, .count = 1 });
	CHECK_EQ(receive_frames(&p, 8, 1), 3);
	ticks(&p, 2 * STALL_TICKS);
	CHECK_EQ(port_rx(&p, pkts, RTE_DIM(pkts)), 0);
	CHECK_OK(restart(&p));
	CHECK_XSTAT(&p, "rx_stop_dropped", 4);
	CHECK_OK(works(&p));
	return port_close(&p);
}

/*
 * Or the device comes round to it, and overwrites the frame in it. The two are
 * out of step from then on: frames come a ring's length at a time.
 */
TEST(fault_rx_own_round)
{
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	fault_set(&p, BCM4908_FAULT_RX_OWN, (struct bcm4908_model_fault){ .after = 32, .count = 1 });
	CHECK_EQ(receive_frames(&p, 40, 1), 32);
	CHECK_EQ(receive_frames(&p, 56, 1), 0);
	/* the last of these lies in front of those that wait */
	CHECK_EQ(receive_frames(&p, 1, 1), 64);
	CHECK_EQ(receive_frames(&p, 63, 1), 0);
	CHECK_EQ(receive_frames(&p, 1, 1), 64);
	CHECK_OK(restart(&p));
	CHECK_OK(works(&p));
	return port_close(&p);
}

/* --- a transmit ring that the device scribbles on --- */

static uint32_t
scribble_word(void)
{
	const uint32_t word = (uint32_t)random() << 1 ^ (uint32_t)random();

	/* with and without OWN, which is what the driver goes by */
	return rte_cpu_to_le_32(random() % 2 == 0 ? word | BCM4908_DESC_OWN :
				word & ~BCM4908_DESC_OWN);
}

static int
tx_scribbled(const struct port_variant *tx)
{
	struct port p;
	unsigned int n, done;

	PORT_OPEN(&p, .tx = tx, .tx_free_thresh = 8, .pool_size = 256, .rx_desc = 32);
	p.lies = true;
	/* the device is the test; the model's engine keeps still */
	bcm4908_write(p.dev, BCM4908_DMA_CTRL, 0);
	for (unsigned int round = 0; round < 1000; round++) {
		n = random() % 40;
		if (rte_pktmbuf_alloc_bulk(p.pool, pkts, n) == 0) {
			for (unsigned int i = 0; i < n; i++)
				rte_pktmbuf_append(pkts[i], 20 + random() % 200);
			done = port_tx(&p, pkts, n);
			CHECK(done <= n);
			rte_pktmbuf_free_bulk(pkts + done, n - done);
		}
		for (unsigned int i = random() % 8; i > 0; i--)
			rte_atomic_store_explicit(&port_txq(&p)->ring[random() % 64].ctl,
						  scribble_word(), rte_memory_order_release);
		if (random() % 4 == 0)
			rte_eth_tx_done_cleanup(p.id, 0, random() % 64);
		CHECK(rte_eth_tx_descriptor_status(p.id, 0, random() % 64) >= 0);
		ticks(&p, random() % 2);
		if (random() % 100 == 0) {
			CHECK_OK(restart(&p));
			bcm4908_write(p.dev, BCM4908_DMA_CTRL, 0);
		}
	}
	CHECK_OK(restart(&p));
	CHECK_OK(works(&p));
	return port_close(&p);
}

/* Every mbuf is freed once, whatever stands in the ring, and a restart recovers. */
TEST(fault_tx_scribbled)
{
	int ret;

	srandom(1);
	/* strict mode finds much to say about such a device */
	log_catch();
	ret = each_tx_variant(tx_scribbled);
	log_caught();
	return ret;
}

/* --- interrupts --- */

/* The device says that everything happened: the driver does not listen, and no line rises. */
TEST(fault_irq_spurious)
{
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	fault_set(&p, BCM4908_FAULT_IRQ_SPURIOUS, (struct bcm4908_model_fault){ 0 });
	port_run(&p);
	CHECK_EQ(port_reg(&p, BCM4908_CHAN_INT_STAT(BCM4908_CHAN_RX)), BCM4908_CHAN_INT_ALL);
	CHECK_EQ(port_reg(&p, BCM4908_CHAN_INT_STAT(BCM4908_CHAN_TX)), BCM4908_CHAN_INT_ALL);
	CHECK_EQ(port_reg(&p, BCM4908_CHAN_INT_MASK(BCM4908_CHAN_RX)), 0);
	CHECK_EQ(port_reg(&p, BCM4908_CHAN_INT_MASK(BCM4908_CHAN_TX)), 0);
	CHECK_EQ(port_rx(&p, pkts, RTE_DIM(pkts)), 0);
	CHECK_OK(works(&p));
	return port_close(&p);
}

/* It says nothing: bursts look at the ring. */
TEST(fault_irq_lost)
{
	struct port p;

	PORT_OPEN(&p, .args = NULL);
	fault_set(&p, BCM4908_FAULT_IRQ_LOST, (struct bcm4908_model_fault){ 0 });
	CHECK_OK(works(&p));
	CHECK_EQ(port_reg(&p, BCM4908_CHAN_INT_STAT(BCM4908_CHAN_RX)), 0);
	CHECK_EQ(port_reg(&p, BCM4908_CHAN_INT_STAT(BCM4908_CHAN_TX)), 0);
	return port_close(&p);
}

/* The two as software that listens sees them: a line that rises again, or never. */
TEST(model_fault_irq)
{
	static const struct bcm4908_model_fault twice = { .after = 4, .count = 2 };
	static const struct bcm4908_model_fault always = { 0 };
	struct rig *rig = rig_open();

	rig_write(rig, 0xa08, 0x2);
	bcm4908_model_fault_set(rig->model, BCM4908_FAULT_IRQ_SPURIOUS, &twice);
	/* each channel's step is an event */
	bcm4908_model_step(rig->model, 1);
	bcm4908_model_step(rig->model, 1);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_RX]);
	bcm4908_model_step(rig->model, 1);
	CHECK_EQ(rig_read(rig, 0xa04), 0xf);
	CHECK(rig->irq[BCM4908_IRQ_LINE_RX]);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_TX]);
	rig_write(rig, 0xa04, 0xf);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_RX]);
	bcm4908_model_step(rig->model, 1);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_RX]);

	bcm4908_model_fault_set(rig->model, BCM4908_FAULT_IRQ_LOST, &always);
	rig_rx_fill(rig, 2);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 1), 60);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0) & 0x8000, 0);
	CHECK_EQ(rig_read(rig, 0xa04), 0);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_RX]);
	return rig_close(rig, 0);
}
