/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The model's side of the seam, and its wires, at the level of registers and
 * descriptors: no ethdev of ours in between. Devices are stepped by hand, so
 * that a step is a microsecond of line time and a test repeats exactly.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bus_vdev_driver.h>
#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <rte_memzone.h>
#include <rte_mempool.h>
#include <rte_ring.h>

#include "bcm4908_cache.h"
#include "bcm4908_dev_model.h"
#include "bcm4908_hw.h"
#include "model/bcm4908_model.h"
#include "model/bcm4908_model_cache.h"
#include "model/bcm4908_wire.h"
#include "test.h"

#define DESCS		64u
#define BUF_SIZE	1536u	/* of a receive buffer: a multiple of 64, at least FRAME_LEN */
#define FRAME_LEN	1532u	/* MAX_FRAME_LEN for an MTU of 1500 [4.5] */
#define FRAME_MAX	1514u	/* without FCS */
#define TX_WHOLE	(BCM4908_DESC_SOP | BCM4908_DESC_EOP | BCM4908_DESC_APPEND_CRC)
#define STEP_BUDGET	64u
#define WAIT_MS		20000	/* for what a timer does; far more than it takes */

/* One device with a ring of buffers for each channel. */
struct end {
	struct bcm4908_dev dev;
	struct bcm4908_dma dma[BCM4908_CHANS];
	uint8_t *buf[BCM4908_CHANS];	/* DESCS of BUF_SIZE */
	uint32_t head[BCM4908_CHANS];	/* next descriptor to fill, counted without wrap */
	uint32_t tail[BCM4908_CHANS];	/* next one to take back */
};

static const struct bcm4908_devargs args_default = {
	.wire = "loop",
	.stepping = BCM4908_STEPPING_MANUAL,
	.cpu = -1,
	.coherent = true,
};

static struct bcm4908_devargs
args_wire(const char *wire)
{
	struct bcm4908_devargs args = args_default;

	snprintf(args.wire, sizeof(args.wire), "%s", wire);
	return args;
}

static RTE_ATOMIC(uint32_t) *
desc_word(const struct end *e, unsigned int chan, uint32_t i, unsigned int word)
{
	return (RTE_ATOMIC(uint32_t) *)e->dma[chan].va + 2 * (i % DESCS) + word;
}

static uint8_t *
desc_buf(const struct end *e, unsigned int chan, uint32_t i)
{
	return e->buf[chan] + (size_t)(i % DESCS) * BUF_SIZE;
}

static uint32_t
desc_ctl(const struct end *e, unsigned int chan, uint32_t i)
{
	return rte_atomic_load_explicit(desc_word(e, chan, i, 0), rte_memory_order_acquire);
}

/* Give a descriptor to the device: the address, then the control word [3.2]. */
static void
desc_post(struct end *e, unsigned int chan, uint32_t bus, uint32_t len, uint32_t bits)
{
	const uint32_t i = e->head[chan]++;

	if (i % DESCS == DESCS - 1)
		bits |= BCM4908_DESC_WRAP;
	rte_atomic_store_explicit(desc_word(e, chan, i, 1), bus, rte_memory_order_relaxed);
	rte_atomic_store_explicit(desc_word(e, chan, i, 0),
				  len << BCM4908_DESC_LEN_SHIFT | BCM4908_DESC_OWN | bits,
				  rte_memory_order_release);
}

static uint32_t
buf_bus(const struct end *e, const uint8_t *buf)
{
	return (uintptr_t)buf - e->dev.bus_base;
}

static void
kick(const struct end *e, unsigned int chan)
{
	rte_atomic_store_explicit(e->dev.doorbell[chan], 1, rte_memory_order_release);
}

static void
rx_post(struct end *e, unsigned int n)
{
	while (n-- > 0)
		desc_post(e, BCM4908_CHAN_RX,
			  buf_bus(e, desc_buf(e, BCM4908_CHAN_RX, e->head[BCM4908_CHAN_RX])),
			  BUF_SIZE, 0);
	kick(e, BCM4908_CHAN_RX);
}

/* A byte of frame nr, so that no two frames are alike. */
static uint8_t
frame_byte(uint32_t nr, uint32_t at)
{
	return at < 4 ? nr >> (8 * at) : nr * 31 + at * 7;
}

/* Destination and source are unicast addresses, the type is one of no meaning. */
static void
frame_fill(uint8_t *buf, uint32_t nr, uint32_t len)
{
	static const uint8_t header[] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88, 0xb5 };

	for (uint32_t i = 0; i < len; i++)
		buf[i] = i < sizeof(header) ? header[i] : frame_byte(nr, i - sizeof(header));
}

static bool
frame_same(const uint8_t *buf, uint32_t nr, uint32_t len)
{
	uint8_t want[FRAME_MAX];

	frame_fill(want, nr, len);
	return memcmp(buf, want, len) == 0;
}

/* Post a frame for transmission; false: the ring is full. */
static bool
tx_post(struct end *e, uint32_t nr, uint32_t len)
{
	uint8_t *buf = desc_buf(e, BCM4908_CHAN_TX, e->head[BCM4908_CHAN_TX]);

	while (e->tail[BCM4908_CHAN_TX] != e->head[BCM4908_CHAN_TX] &&
	       (desc_ctl(e, BCM4908_CHAN_TX, e->tail[BCM4908_CHAN_TX]) & BCM4908_DESC_OWN) == 0)
		e->tail[BCM4908_CHAN_TX]++;
	if (e->head[BCM4908_CHAN_TX] - e->tail[BCM4908_CHAN_TX] == DESCS)
		return false;
	frame_fill(buf, nr, len);
	desc_post(e, BCM4908_CHAN_TX, buf_bus(e, buf), len, TX_WHOLE);
	kick(e, BCM4908_CHAN_TX);
	return true;
}

/* Is everything that was posted sent? */
static bool
tx_done(const struct end *e)
{
	return (desc_ctl(e, BCM4908_CHAN_TX, e->head[BCM4908_CHAN_TX] - 1) &
		BCM4908_DESC_OWN) == 0;
}

/* Take a received frame, post its buffer again; NULL: none. len without FCS. */
static const uint8_t *
rx_take(struct end *e, uint32_t *len)
{
	const uint32_t i = e->tail[BCM4908_CHAN_RX];
	const uint32_t whole = BCM4908_DESC_SOP | BCM4908_DESC_EOP;
	uint32_t ctl;

	if (i == e->head[BCM4908_CHAN_RX])
		return NULL;
	ctl = desc_ctl(e, BCM4908_CHAN_RX, i);
	if ((ctl & BCM4908_DESC_OWN) != 0 || (ctl & whole) != whole)
		return NULL;
	*len = (ctl >> BCM4908_DESC_LEN_SHIFT) - BCM4908_FCS_LEN;
	e->tail[BCM4908_CHAN_RX]++;
	return desc_buf(e, BCM4908_CHAN_RX, i);
}

static unsigned int
step(struct end *e)
{
	return e->dev.ops->step(&e->dev, STEP_BUDGET);
}

static uint64_t
count(const RTE_ATOMIC(uint64_t) *counter)
{
	return rte_atomic_load_explicit(counter, rte_memory_order_relaxed);
}

static const struct bcm4908_wire_shared *
wire_of(const struct end *e)
{
	return bcm4908_dev_model_wire(&e->dev);
}

static bool
link_up(const struct end *e)
{
	return e->dev.ops->link(&e->dev);
}

/* Make a device with both rings, as the driver brings it up, but no receive buffers posted. */
static int
end_make(struct end *e, const char *name, const struct bcm4908_devargs *args)
{
	const struct bcm4908_hw_config cfg = { .frame_len = FRAME_LEN, .promisc = true };
	const size_t size = (size_t)DESCS * BUF_SIZE;
	uint8_t *mem;

	memset(e, 0, sizeof(*e));
	CHECK_EQ(bcm4908_dev_model_create(&e->dev, name, args, SOCKET_ID_ANY), 0);
	mem = rte_zmalloc(NULL, BCM4908_CHANS * size, BCM4908_BUF_ALIGN);
	CHECK(mem != NULL);
	CHECK_EQ(e->dev.ops->set_window(&e->dev, (uintptr_t)mem,
					(uintptr_t)mem + BCM4908_CHANS * size), 0);
	CHECK_EQ(bcm4908_hw_probe(&e->dev), 0);
	bcm4908_hw_mac_init(&e->dev, &cfg);
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++) {
		e->buf[chan] = mem + chan * size;
		CHECK_EQ(e->dev.ops->ring_alloc(&e->dev, chan, DESCS * BCM4908_DESC_SIZE,
						&e->dma[chan]), 0);
		bcm4908_hw_chan_init(&e->dev, chan, e->dma[chan].bus);
	}
	bcm4908_hw_dma_enable(&e->dev);
	return 0;
}

static int
end_start(struct end *e)
{
	bcm4908_hw_mac_enable(&e->dev, true, true);
	CHECK_EQ(e->dev.ops->start(&e->dev), 0);
	return 0;
}

/* Everything at once. */
static int
end_open(struct end *e, const char *name, const struct bcm4908_devargs *args)
{
	if (end_make(e, name, args) != 0)
		return -1;
	rx_post(e, DESCS);
	return end_start(e);
}

/* Close; with manual stepping, strict mode must have reported so many times. */
static int
end_close_reported(struct end *e, unsigned int want)
{
	unsigned int reports = 0;

	CHECK_EQ(bcm4908_hw_stop(&e->dev), 0);
	e->dev.ops->stop(&e->dev);
	if (e->dev.stepping == BCM4908_STEPPING_MANUAL)
		reports = bcm4908_dev_model_reports(&e->dev);
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++)
		e->dev.ops->ring_free(&e->dev, chan);
	e->dev.ops->close(&e->dev);
	rte_free(e->buf[0]);
	CHECK_EQ(reports, want);
	test_forgive(reports);
	return 0;
}

static int
end_close(struct end *e)
{
	return end_close_reported(e, 0);
}

/*
 * Send n frames of len bytes from one end, and see them arrive at the other in
 * order and whole. Steps both; gives up when nothing arrives for long.
 */
static int
pass(struct end *from, struct end *to, uint32_t first, unsigned int n, uint32_t len)
{
	const uint64_t until = rte_get_timer_cycles() + WAIT_MS / 1000 * rte_get_timer_hz();
	uint32_t sent = 0, got = 0, got_len = 0;
	const uint8_t *buf;

	while (got < n) {
		while (sent < n && tx_post(from, first + sent, len))
			sent++;
		if (from->dev.ops->step != NULL) {
			step(from);
			if (to != from)
				step(to);
		}
		while ((buf = rx_take(to, &got_len)) != NULL) {
			CHECK_EQ(got_len, len);
			CHECK(frame_same(buf, first + got, len), "frame %u of %u bytes", got, len);
			got++;
			rx_post(to, 1);
		}
		CHECK(rte_get_timer_cycles() < until, "%u of %u frames came", got, n);
	}
	return 0;
}

/* The wire of a port is looked after by a timer. */
static bool
wait_link(const struct end *e, bool up)
{
	for (unsigned int ms = 0; ms < WAIT_MS && link_up(e) != up; ms += 10)
		rte_delay_us_sleep(10000);
	return link_up(e) == up;
}

static void
count_one(const struct rte_memzone *mz __rte_unused, void *n)
{
	(*(unsigned int *)n)++;
}

/* What a leak would raise. */
static unsigned int
nb_memzones(void)
{
	unsigned int n = 0;

	rte_memzone_walk(count_one, &n);
	return n;
}

/* The seam. */

TEST(wire_window)
{
	static const uint64_t size = UINT64_C(1) << 32;
	static const struct {
		uint64_t lo;
		uint64_t hi;
		int ret;
	} cases[] = {
		{ 0x7f0000001000, 0x7f0000002000, 0 },
		{ 0x7f0000000040, 0x7f0000000040 + (UINT64_C(1) << 31), 0 },
		{ 0x1000, 0x2000, 0 },			/* no room below */
		{ 0, UINT64_C(1) << 32, 0 },
		{ 0x7f0000000000, 0x7f0100000000, 0 },	/* exactly 4 GiB */
		{ 0x7f0000000000, 0x7f0100000001, -ERANGE },
		{ 0x7f0000000020, 0x7f0100000020, -ERANGE }, /* only with a base off 64 bytes */
		{ 0x7f0000000020, 0x7f00ffffffff, 0 },
		{ 0x2000, 0x1000, -ERANGE },
	};
	struct bcm4908_dev dev;

	CHECK_EQ(bcm4908_dev_model_create(&dev, "wire_window", &args_default, SOCKET_ID_ANY), 0);
	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		const uint64_t lo = cases[i].lo, hi = cases[i].hi;

		CHECK(dev.ops->set_window(&dev, lo, hi) == cases[i].ret, "case %u", i);
		if (cases[i].ret != 0)
			continue;
		CHECK(dev.bus_base % BCM4908_BUF_ALIGN == 0, "case %u", i);
		CHECK(dev.bus_base <= lo && hi - dev.bus_base <= size, "case %u", i);
	}
	/* Neighbours on both sides are within reach: each of them by almost 2 GiB. */
	CHECK_EQ(dev.ops->set_window(&dev, 0x7f0000001000, 0x7f0000002000), 0);
	CHECK(0x7f0000001000 - dev.bus_base >= size / 2 - 0x2000);
	CHECK(dev.bus_base + size - 0x7f0000002000 >= size / 2 - 0x2000);
	dev.ops->close(&dev);
	return 0;
}

TEST(wire_ring_alloc)
{
	const size_t small = 32 * BCM4908_DESC_SIZE, max = BCM4908_RING_MAX * BCM4908_DESC_SIZE;
	struct bcm4908_dma ring[BCM4908_CHANS], again;
	unsigned int before = nb_memzones();
	struct bcm4908_dev dev;

	CHECK_EQ(bcm4908_dev_model_create(&dev, "wire_ring", &args_default, SOCKET_ID_ANY), 0);
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++) {
		CHECK_EQ(dev.ops->ring_alloc(&dev, chan, small, &ring[chan]), 0);
		CHECK_EQ(ring[chan].len, small);
		CHECK(ring[chan].bus != 0);
		CHECK_EQ(ring[chan].bus % BCM4908_RING_ALIGN, 0);
		CHECK_EQ((uintptr_t)ring[chan].va % BCM4908_RING_ALIGN, 0);
		CHECK_EQ(dev.ops->ring_alloc(&dev, chan, small, &again), (uint64_t)-EBUSY);
		memset(ring[chan].va, 0xa5, small);
	}
	CHECK(ring[0].bus + max <= ring[1].bus || ring[1].bus + max <= ring[0].bus);

	/* The next ring is the same memory, zeroed again, at any size. */
	dev.ops->ring_free(&dev, 1);
	CHECK_EQ(dev.ops->ring_alloc(&dev, 1, max, &again), 0);
	CHECK(again.va == ring[1].va);
	for (size_t i = 0; i < max; i++)
		CHECK(((uint8_t *)again.va)[i] == 0, "byte %zu", i);
	/* Even beyond what the hardware can use. */
	dev.ops->ring_free(&dev, 1);
	CHECK_EQ(dev.ops->ring_alloc(&dev, 1, 2 * max, &again), 0);
	CHECK_EQ(again.len, 2 * max);
	((uint8_t *)again.va)[2 * max - 1] = 1;
	dev.ops->close(&dev);
	CHECK_EQ(nb_memzones(), before);
	return 0;
}

/* Addresses that lead nowhere end in a bus error, not in a crash. */
TEST(wire_bus_error)
{
	struct end e;
	uint32_t len;

	CHECK_EQ(end_open(&e, "wire_bus", &args_default), 0);
	/* Nothing of ours lies 1 GiB away from the buffers. */
	desc_post(&e, BCM4908_CHAN_TX, buf_bus(&e, e.buf[0]) + (1u << 30), 60, TX_WHOLE);
	desc_post(&e, BCM4908_CHAN_TX, 0xfffffff0, 60, TX_WHOLE);
	kick(&e, BCM4908_CHAN_TX);
	step(&e);
	CHECK(tx_done(&e));
	CHECK_EQ(bcm4908_dev_model_reports(&e.dev), 2);
	CHECK(rx_take(&e, &len) == NULL);

	/* A ring that is not where a ring was allocated. */
	bcm4908_hw_chan_init(&e.dev, BCM4908_CHAN_TX, e.dma[BCM4908_CHAN_TX].bus - 64);
	kick(&e, BCM4908_CHAN_TX);
	step(&e);
	CHECK(bcm4908_dev_model_reports(&e.dev) > 2);
	CHECK_EQ(bcm4908_read(&e.dev, BCM4908_CHAN_CFG(BCM4908_CHAN_TX)) &
		 BCM4908_CHAN_CFG_ENABLE, 0);

	bcm4908_hw_chan_init(&e.dev, BCM4908_CHAN_TX, e.dma[BCM4908_CHAN_TX].bus);
	CHECK_EQ(end_close_reported(&e, bcm4908_dev_model_reports(&e.dev)), 0);
	return 0;
}

TEST(wire_arguments)
{
	static const char * const wires[] = { "", "cable:", "net_bcm4908_1", "wire_arguments" };
	unsigned int before = nb_memzones();
	struct bcm4908_devargs args;
	struct bcm4908_dev dev;

	for (unsigned int i = 0; i < RTE_DIM(wires) - 1; i++) {
		args = args_wire(wires[i]);
		CHECK_EQ(bcm4908_dev_model_create(&dev, "wire_arguments", &args, SOCKET_ID_ANY),
			 (uint64_t)-EINVAL);
	}
	args = args_default;
	snprintf(args.fault, sizeof(args.fault), "x");
	CHECK_EQ(bcm4908_dev_model_create(&dev, "wire_arguments", &args, SOCKET_ID_ANY),
		 (uint64_t)-EINVAL);
	args = args_default;
	args.cpu = 1 << 20;
	CHECK_EQ(bcm4908_dev_model_create(&dev, "wire_arguments", &args, SOCKET_ID_ANY),
		 (uint64_t)-EINVAL);
	CHECK_EQ(nb_memzones(), before);
	return 0;
}

/* Two names that differ only where a memzone's name has ended. */
TEST(wire_long_names)
{
	struct end a, b;

	CHECK_EQ(end_open(&a, "net_bcm4908_a_name_as_long_as_an_ethdev_may_have_1",
			  &args_default), 0);
	CHECK_EQ(end_open(&b, "net_bcm4908_a_name_as_long_as_an_ethdev_may_have_2",
			  &args_default), 0);
	CHECK_EQ(pass(&a, &a, 0, 10, 60), 0);
	CHECK_EQ(pass(&b, &b, 0, 10, 60), 0);
	CHECK_EQ(end_close(&a), 0);
	CHECK_EQ(end_close(&b), 0);
	return 0;
}

/* A second view of a device, as a secondary process has it. */
TEST(wire_attach)
{
	struct bcm4908_dev other;
	struct bcm4908_dma dma;
	struct end e;

	CHECK_EQ(end_open(&e, "wire_attach", &args_default), 0);
	CHECK_EQ(bcm4908_dev_model_attach(&other, e.dev.shared), 0);
	CHECK(other.shared == e.dev.shared);
	CHECK_EQ(other.bus_base, e.dev.bus_base);
	CHECK_EQ(other.mbuf_addr_off, offsetof(struct rte_mbuf, buf_addr));
	CHECK_EQ(other.stepping, BCM4908_STEPPING_MANUAL);
	CHECK(other.coherent);
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++)
		CHECK(other.doorbell[chan] == e.dev.doorbell[chan]);
	CHECK(other.ops->step == NULL);
	CHECK(other.ops->link(&other));
	CHECK_EQ(bcm4908_read(&other, BCM4908_UMAC_MAX_FRAME_LEN), FRAME_LEN);

	bcm4908_write(&other, BCM4908_UMAC_MAX_FRAME_LEN, 100);
	CHECK_EQ(bcm4908_read(&e.dev, BCM4908_UMAC_MAX_FRAME_LEN), FRAME_LEN);
	CHECK(other.ops->ring_alloc(&other, 0, 256, &dma) != 0);
	CHECK(other.ops->set_window(&other, 0, 64) != 0);
	CHECK(other.ops->start(&other) != 0);
	other.ops->stop(&other);
	CHECK(link_up(&e));
	other.ops->close(&other);
	CHECK_EQ(pass(&e, &e, 0, 10, 60), 0);
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

/* A kick in the mailbox came before a later write to CFG: the channel stays stopped. */
TEST(wire_doorbell_order)
{
	struct end e;

	CHECK_EQ(end_open(&e, "wire_doorbell", &args_default), 0);
	step(&e);
	CHECK(tx_post(&e, 0, 60));
	bcm4908_write(&e.dev, BCM4908_CHAN_CFG(BCM4908_CHAN_TX), 0);
	step(&e);
	CHECK(!tx_done(&e), "the kick outlived the stop");
	kick(&e, BCM4908_CHAN_TX);
	step(&e);
	CHECK(tx_done(&e));
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

/* The plug. */

TEST(wire_loop)
{
	struct end e;
	uint32_t nr = 0;

	CHECK_EQ(end_make(&e, "wire_loop", &args_default), 0);
	rx_post(&e, DESCS);
	CHECK(!link_up(&e));
	CHECK_EQ(end_start(&e), 0);
	CHECK(link_up(&e));
	for (uint32_t len = BCM4908_TX_LEN_MIN; len <= FRAME_MAX; len++)
		CHECK_EQ(pass(&e, &e, nr++, 1, len), 0);
	CHECK_EQ(pass(&e, &e, nr, 1000, 700), 0);
	nr += 1000;
	CHECK_EQ(count(&wire_of(&e)->sent), nr);
	CHECK_EQ(count(&wire_of(&e)->received), nr);
	CHECK_EQ(count(&wire_of(&e)->dropped), 0);
	bcm4908_hw_stop(&e.dev);
	e.dev.ops->stop(&e.dev);
	CHECK(!link_up(&e));
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

/* A reader that is slow, but not for too long, loses nothing. */
TEST(wire_loop_slow_reader)
{
	struct end e;
	uint32_t len, sent, got = 0;
	const uint8_t *buf;

	CHECK_EQ(end_make(&e, "wire_slow", &args_default), 0);
	CHECK_EQ(end_start(&e), 0);
	/* No receive descriptor at all: 64 of these do not fit into 16 KiB [11.3]. */
	for (sent = 0; tx_post(&e, sent, 1000); sent++)
		;
	for (unsigned int i = 0; i < 1000; i++)
		step(&e);
	CHECK(!tx_done(&e));
	CHECK(count(&wire_of(&e)->retried) > 0);
	CHECK_EQ(count(&wire_of(&e)->dropped), 0);

	for (unsigned int i = 0; i < sent; i++) {
		rx_post(&e, 1);
		step(&e);
		while ((buf = rx_take(&e, &len)) != NULL) {
			CHECK(frame_same(buf, got, 1000), "frame %u", got);
			got++;
		}
	}
	CHECK_EQ(got, sent);
	CHECK(tx_done(&e));
	CHECK_EQ(count(&wire_of(&e)->dropped), 0);
	CHECK_EQ(bcm4908_read(&e.dev, BCM4908_OVERFLOW_COUNTER), 0);
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

/*
 * A reader that never comes: transmission must go on before the driver takes
 * it for hung (100 ms), and each frame is accounted for.
 */
TEST(wire_loop_no_reader)
{
	struct end e;
	uint32_t sent;

	CHECK_EQ(end_make(&e, "wire_none", &args_default), 0);
	CHECK_EQ(end_start(&e), 0);
	for (sent = 0; tx_post(&e, sent, 1000); sent++)
		;
	for (unsigned int us = 0; us < 100000 && !tx_done(&e); us++)
		step(&e);
	CHECK(tx_done(&e), "still blocked after 100 ms of line time");
	CHECK(count(&wire_of(&e)->dropped) > 0);
	CHECK_EQ(count(&wire_of(&e)->sent) + count(&wire_of(&e)->dropped), sent);
	CHECK_EQ(bcm4908_read(&e.dev, BCM4908_OVERFLOW_COUNTER), 0);

	/* The next ones are not waited for as long: nobody has come meanwhile. */
	for (unsigned int i = 0; i < 10; i++)
		CHECK(tx_post(&e, sent++, 1000));
	step(&e);
	CHECK(tx_done(&e));
	/* And when the reader comes after all, frames pass again. */
	rx_post(&e, DESCS);
	step(&e);
	CHECK(tx_post(&e, sent++, 1000));
	step(&e);
	CHECK_EQ(count(&wire_of(&e)->sent), count(&wire_of(&e)->received));
	CHECK_EQ(count(&wire_of(&e)->sent) + count(&wire_of(&e)->dropped), sent);
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

/* A receiver that is off does not hold the transmitter up: a stop drains it in 10 ms [4.4]. */
TEST(wire_loop_receiver_off)
{
	struct end e;

	CHECK_EQ(end_open(&e, "wire_off", &args_default), 0);
	bcm4908_hw_mac_enable(&e.dev, false, true);
	for (uint32_t i = 0; i < 10; i++)
		CHECK(tx_post(&e, i, 60));
	step(&e);
	CHECK(tx_done(&e));
	CHECK_EQ(count(&wire_of(&e)->dropped), 10);
	CHECK_EQ(count(&wire_of(&e)->received), 0);
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

/* A device that is not connected sends into nothing. */
TEST(wire_not_started)
{
	struct end e;

	CHECK_EQ(end_make(&e, "wire_nowhere", &args_default), 0);
	rx_post(&e, DESCS);
	bcm4908_hw_mac_enable(&e.dev, true, true);
	CHECK(tx_post(&e, 0, 60));
	step(&e);
	CHECK(tx_done(&e));
	CHECK(!link_up(&e));
	CHECK_EQ(count(&wire_of(&e)->dropped), 1);
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

/* Pace. */

/* Frames that a line carries in us microseconds: FCS, preamble and gap cost 24 bytes. */
static uint64_t
line_frames(uint64_t us, uint32_t mbps, uint32_t len)
{
	return us * mbps / ((len + 24) * 8);
}

/* Send for us microseconds; what was caught up with may come on top. */
static int
pace_check(struct end *from, struct end *to, uint32_t mbps, uint32_t len, unsigned int us)
{
	const uint64_t start = count(&wire_of(to)->received), want = line_frames(us, mbps, len);
	const uint64_t slack = RTE_MAX(line_frames(1000, mbps, len), 20000 / len) + 2;
	uint32_t got_len, nr = 0;
	uint64_t got;

	for (unsigned int i = 0; i < us; i++) {
		while (tx_post(from, nr, len))
			nr++;
		step(from);
		if (to != from)
			step(to);
		while (rx_take(to, &got_len) != NULL)
			rx_post(to, 1);
	}
	got = count(&wire_of(to)->received) - start;
	CHECK(got + 1 + STEP_BUDGET >= want && got <= want + slack,
	      "%u Mbit/s, %u bytes: %ju frames, not %ju", mbps, len, (uintmax_t)got,
	      (uintmax_t)want);
	CHECK_EQ(bcm4908_read(&to->dev, BCM4908_OVERFLOW_COUNTER), 0);
	return 0;
}

TEST(wire_rate)
{
	static const struct {
		uint32_t mbps;
		uint32_t len;
	} cases[] = {
		{ 1000, 60 }, { 1000, FRAME_MAX }, { 100, 60 }, { 10, FRAME_MAX }, { 2500, 512 },
	};
	struct bcm4908_devargs args;
	struct end e, a, b;

	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		args = args_default;
		args.rate = cases[i].mbps;
		CHECK_EQ(end_open(&e, "wire_rate", &args), 0);
		CHECK_EQ(pace_check(&e, &e, cases[i].mbps, cases[i].len, 20000), 0);
		CHECK_EQ(end_close(&e), 0);

		args = args_wire("cable:rate");
		args.rate = cases[i].mbps;
		CHECK_EQ(end_open(&a, "wire_rate_a", &args), 0);
		CHECK_EQ(end_open(&b, "wire_rate_b", &args), 0);
		CHECK_EQ(pace_check(&a, &b, cases[i].mbps, cases[i].len, 20000), 0);
		CHECK_EQ(end_close(&a), 0);
		CHECK_EQ(end_close(&b), 0);
	}
	return 0;
}

/* The slower end of a cable sets its pace, in each direction. */
TEST(wire_rate_receiver)
{
	struct bcm4908_devargs args = args_wire("cable:slow");
	struct end a, b;

	CHECK_EQ(end_open(&a, "wire_fast", &args), 0);
	args.rate = 100;
	CHECK_EQ(end_open(&b, "wire_slow", &args), 0);
	CHECK_EQ(pace_check(&a, &b, 100, 1000, 20000), 0);
	CHECK_EQ(end_close(&a), 0);
	CHECK_EQ(end_close(&b), 0);
	return 0;
}

/* A paced wire does not wait for a reader: the FIFO overflows, and the MAC counts it. */
TEST(wire_rate_overflow)
{
	static const char * const wires[] = { "loop", "cable:overflow" };

	for (unsigned int i = 0; i < RTE_DIM(wires); i++) {
		struct bcm4908_devargs args = args_wire(wires[i]);
		struct end a, b, *to = i == 0 ? &a : &b;
		uint32_t nr = 0, overflow;
		unsigned int got = 0;
		uint32_t len;

		args.rate = 1000;
		CHECK_EQ(end_make(&a, "wire_over_a", &args), 0);
		CHECK_EQ(end_start(&a), 0);
		if (to != &a) {
			CHECK_EQ(end_make(to, "wire_over_b", &args), 0);
			CHECK_EQ(end_start(to), 0);
		}
		while (nr < 200 || !tx_done(&a)) {
			if (nr < 200 && tx_post(&a, nr, 1000))
				nr++;
			step(&a);
			if (to != &a)
				step(to);
		}
		for (unsigned int us = 0; us < 10000; us++)
			step(to);
		overflow = bcm4908_read(&to->dev, BCM4908_OVERFLOW_COUNTER);
		CHECK(overflow > 100, "%u", overflow);
		CHECK_EQ(count(&wire_of(&a)->dropped), 0);
		/* What was not counted comes out of the FIFO. */
		rx_post(to, DESCS);
		for (unsigned int us = 0; us < 100; us++)
			step(to);
		while (rx_take(to, &len) != NULL)
			got++;
		CHECK_EQ(got + overflow, 200);
		CHECK_EQ(end_close(&a), 0);
		if (to != &a)
			CHECK_EQ(end_close(to), 0);
	}
	return 0;
}

/* Cables. */

TEST(wire_cable)
{
	struct bcm4908_devargs args = args_wire("cable:a");
	unsigned int before = nb_memzones();
	struct end a, b;
	struct bcm4908_dev third;

	for (unsigned int round = 0; round < 3; round++) {
		CHECK_EQ(end_make(&a, "wire_a", &args), 0);
		rx_post(&a, DESCS);
		CHECK_EQ(end_start(&a), 0);
		CHECK(!link_up(&a));
		CHECK_EQ(end_make(&b, "wire_b", &args), 0);
		rx_post(&b, DESCS);
		CHECK(!link_up(&a) && !link_up(&b));
		CHECK_EQ(bcm4908_dev_model_create(&third, "wire_c", &args, SOCKET_ID_ANY),
			 (uint64_t)-EBUSY);

		/* Without a link, frames are lost, and counted. */
		CHECK(tx_post(&a, 0, 60));
		step(&a);
		CHECK(tx_done(&a));
		CHECK_EQ(count(&wire_of(&a)->dropped), 1);

		CHECK_EQ(end_start(&b), 0);
		CHECK(link_up(&a) && link_up(&b));
		CHECK_EQ(pass(&a, &b, 0, 1000, 60), 0);
		CHECK_EQ(pass(&b, &a, 5000, 1000, FRAME_MAX), 0);
		CHECK_EQ(count(&wire_of(&a)->sent), 1000);
		CHECK_EQ(count(&wire_of(&b)->received), 1000);
		CHECK_EQ(count(&wire_of(&a)->dropped), 1);
		CHECK_EQ(count(&wire_of(&b)->dropped), 0);

		/* Either end may go first. */
		CHECK_EQ(end_close(round == 0 ? &a : &b), 0);
		CHECK(!link_up(round == 0 ? &b : &a));
		CHECK_EQ(end_close(round == 0 ? &b : &a), 0);
	}
	CHECK_EQ(nb_memzones(), before);
	return 0;
}

/* An end that stops and starts again sees no frame of before. */
TEST(wire_cable_restart)
{
	struct bcm4908_devargs args = args_wire("cable:restart");
	struct end a, b;
	uint32_t len;

	CHECK_EQ(end_open(&a, "wire_a", &args), 0);
	CHECK_EQ(end_open(&b, "wire_b", &args), 0);
	for (uint32_t i = 0; i < 10; i++)
		CHECK(tx_post(&a, i, 60));
	step(&a);
	b.dev.ops->stop(&b.dev);
	CHECK(!link_up(&a) && !link_up(&b));
	CHECK_EQ(b.dev.ops->start(&b.dev), 0);
	CHECK(link_up(&a) && link_up(&b));
	step(&b);
	CHECK(rx_take(&b, &len) == NULL);
	CHECK_EQ(pass(&a, &b, 100, 100, 60), 0);
	CHECK_EQ(end_close(&a), 0);
	CHECK_EQ(end_close(&b), 0);
	return 0;
}

/* A cable holds what its reader does not take yet, and then holds the sender. */
TEST(wire_cable_slow_reader)
{
	struct bcm4908_devargs args = args_wire("cable:slow");
	uint32_t sent = 0, got = 0, len;
	const uint8_t *buf;
	struct end a, b;

	CHECK_EQ(end_open(&a, "wire_a", &args), 0);
	CHECK_EQ(end_open(&b, "wire_b", &args), 0);
	for (unsigned int us = 0; us < 1000; us++) {
		while (tx_post(&a, sent, 300))
			sent++;
		step(&a);
	}
	CHECK(count(&wire_of(&a)->retried) > 0);
	CHECK_EQ(count(&wire_of(&a)->dropped), 0);
	for (unsigned int us = 0; us < 1000; us++) {
		step(&b);
		while ((buf = rx_take(&b, &len)) != NULL) {
			CHECK(frame_same(buf, got, 300), "frame %u", got);
			got++;
			rx_post(&b, 1);
		}
		step(&a);
	}
	CHECK_EQ(got, sent);
	CHECK_EQ(end_close(&a), 0);
	CHECK_EQ(end_close(&b), 0);
	return 0;
}

/* Two cables do not meet. */
TEST(wire_cables)
{
	struct bcm4908_devargs one = args_wire("cable:1"), two = args_wire("cable:2");
	struct end e[4];

	CHECK_EQ(end_open(&e[0], "wire_0", &one), 0);
	CHECK_EQ(end_open(&e[1], "wire_1", &two), 0);
	CHECK_EQ(end_open(&e[2], "wire_2", &one), 0);
	CHECK_EQ(end_open(&e[3], "wire_3", &two), 0);
	CHECK_EQ(pass(&e[0], &e[2], 0, 100, 60), 0);
	CHECK_EQ(pass(&e[3], &e[1], 100, 100, 60), 0);
	for (unsigned int i = 0; i < RTE_DIM(e); i++)
		CHECK_EQ(end_close(&e[i]), 0);
	return 0;
}

/* Frames of several buffers pass a cable: 9 KiB. */
TEST(wire_cable_jumbo)
{
	struct bcm4908_devargs args = args_wire("cable:jumbo");
	enum { len = 9000, chunk = 1500 };
	uint8_t want[len], got[len + BCM4908_FCS_LEN];
	uint32_t have = 0, ctl, part;
	struct end a, b;

	CHECK_EQ(end_open(&a, "wire_a", &args), 0);
	CHECK_EQ(end_open(&b, "wire_b", &args), 0);
	bcm4908_hw_set_frame_len(&a.dev, len + BCM4908_FRAME_LEN_SPARE);
	bcm4908_hw_set_frame_len(&b.dev, len + BCM4908_FRAME_LEN_SPARE);
	frame_fill(want, 1, len);
	for (uint32_t at = 0; at < len; at += chunk) {
		uint8_t *buf = desc_buf(&a, BCM4908_CHAN_TX, a.head[BCM4908_CHAN_TX]);

		memcpy(buf, want + at, chunk);
		desc_post(&a, BCM4908_CHAN_TX, buf_bus(&a, buf), chunk, BCM4908_DESC_APPEND_CRC |
			  (at == 0 ? BCM4908_DESC_SOP : 0) |
			  (at + chunk == len ? BCM4908_DESC_EOP : 0));
	}
	kick(&a, BCM4908_CHAN_TX);
	step(&a);
	step(&b);
	do {
		ctl = desc_ctl(&b, BCM4908_CHAN_RX, b.tail[BCM4908_CHAN_RX]);
		CHECK_EQ(ctl & BCM4908_DESC_OWN, 0);
		part = ctl >> BCM4908_DESC_LEN_SHIFT;
		CHECK(have + part <= sizeof(got));
		memcpy(got + have, desc_buf(&b, BCM4908_CHAN_RX, b.tail[BCM4908_CHAN_RX]++), part);
		have += part;
	} while ((ctl & BCM4908_DESC_EOP) == 0);
	CHECK_EQ(have, sizeof(got));
	CHECK_EQ(memcmp(got, want, len), 0);
	CHECK_EQ(end_close(&a), 0);
	CHECK_EQ(end_close(&b), 0);
	return 0;
}

/* The thread. */

TEST(wire_thread)
{
	struct bcm4908_devargs args = args_default, cable = args_wire("cable:thread");
	struct end loop, a, b;

	args.stepping = BCM4908_STEPPING_THREAD;
	cable.stepping = BCM4908_STEPPING_THREAD;
	for (unsigned int round = 0; round < 10; round++) {
		CHECK_EQ(end_open(&loop, "wire_loop", &args), 0);
		CHECK(loop.dev.ops->step == NULL);
		CHECK_EQ(pass(&loop, &loop, 0, 1000, 60), 0);
		CHECK_EQ(end_open(&a, "wire_a", &cable), 0);
		CHECK_EQ(end_open(&b, "wire_b", &cable), 0);
		CHECK_EQ(pass(&a, &b, 0, 1000, 60), 0);
		CHECK_EQ(pass(&b, &a, 0, 1000, 60), 0);
		/* The list that the thread walks shrinks in the middle. */
		CHECK_EQ(end_close(&a), 0);
		CHECK_EQ(pass(&loop, &loop, 0, 1000, 60), 0);
		CHECK_EQ(end_close(round % 2 == 0 ? &loop : &b), 0);
		CHECK_EQ(end_close(round % 2 == 0 ? &b : &loop), 0);
	}
	return 0;
}

/* Control while frames pass: registers are written under the thread's hands. */
TEST(wire_thread_control)
{
	struct bcm4908_devargs args = args_default;
	struct end e;

	args.stepping = BCM4908_STEPPING_THREAD;
	CHECK_EQ(end_open(&e, "wire_ctl", &args), 0);
	for (uint32_t i = 0; i < 200; i++) {
		CHECK_EQ(pass(&e, &e, i, 20, 60), 0);
		CHECK(tx_post(&e, 0, 60));
		bcm4908_hw_mac_enable(&e.dev, false, true);
		bcm4908_hw_tx_drain(&e.dev);
		CHECK(tx_done(&e));
		/* The frame may have come back, or the receiver was off. */
		rte_delay_us_sleep(100);
		if ((desc_ctl(&e, BCM4908_CHAN_RX, e.tail[BCM4908_CHAN_RX]) &
		     BCM4908_DESC_OWN) == 0) {
			e.tail[BCM4908_CHAN_RX]++;
			rx_post(&e, 1);
		}
		bcm4908_hw_mac_enable(&e.dev, true, true);
	}
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

TEST(wire_thread_cpu)
{
	struct bcm4908_devargs args = args_default;
	struct end e;

	args.stepping = BCM4908_STEPPING_THREAD;
	args.cpu = CPU_SETSIZE - 1;
	CHECK_EQ(end_make(&e, "wire_cpu", &args), 0);
	CHECK(e.dev.ops->start(&e.dev) != 0, "that CPU exists?");
	CHECK(!link_up(&e));
	CHECK_EQ(end_close(&e), 0);
	args.cpu = rte_lcore_to_cpu_id(rte_get_main_lcore());
	CHECK_EQ(end_open(&e, "wire_cpu", &args), 0);
	/* It now shares the CPU with this thread, which spins. */
	CHECK_EQ(pass(&e, &e, 0, 1000, 60), 0);
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

TEST(wire_burst)
{
	struct bcm4908_devargs args = args_default;
	struct end e;

	args.stepping = BCM4908_STEPPING_BURST;
	CHECK_EQ(end_open(&e, "wire_burst", &args), 0);
	CHECK_EQ(pass(&e, &e, 0, 1000, 60), 0);
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

/* Memory that is not coherent. */

static int
incoherent_open(struct end *e)
{
	struct bcm4908_devargs args = args_default;

	args.coherent = false;
	bcm4908_model_cache_seed(1);
	CHECK_EQ(end_make(e, "wire_incoherent", &args), 0);
	CHECK(!e->dev.coherent);
	CHECK(bcm4908_cache_hook != NULL);
	bcm4908_cache_clean_inval((uintptr_t)e->buf[BCM4908_CHAN_RX], DESCS * BUF_SIZE);
	bcm4908_cache_sync();
	rx_post(e, DESCS);
	return end_start(e);
}

/*
 * Send n frames and compare what comes back, with or without each of the
 * three cache operations that they need [9.3, 9.4].
 */
static unsigned int
incoherent_wrong(struct end *e, unsigned int n, bool clean_tx, bool before_rx, bool after_rx)
{
	const uint32_t frame = 300;
	unsigned int wrong = 0;

	for (uint32_t nr = 0; nr < n; nr++) {
		uint8_t *tx = desc_buf(e, BCM4908_CHAN_TX, e->head[BCM4908_CHAN_TX]);
		uint8_t *rx = desc_buf(e, BCM4908_CHAN_RX, e->tail[BCM4908_CHAN_RX]);
		uint32_t len = 0;

		tx_post(e, nr, frame);
		if (clean_tx)
			bcm4908_cache_clean((uintptr_t)tx, frame);
		bcm4908_cache_sync();
		step(e);
		if (after_rx)
			bcm4908_cache_clean_inval((uintptr_t)rx, frame + BCM4908_FCS_LEN);
		bcm4908_cache_sync();
		if (rx_take(e, &len) != rx || len != frame || !frame_same(rx, nr, frame))
			wrong++;
		/* The buffer was somebody's meanwhile. */
		memset(rx, nr, BUF_SIZE);
		if (before_rx)
			bcm4908_cache_clean_inval((uintptr_t)rx, BUF_SIZE);
		bcm4908_cache_sync();
		rx_post(e, 1);
	}
	return wrong;
}

TEST(wire_incoherent)
{
	struct end e;

	CHECK(bcm4908_cache_hook == NULL);
	CHECK_EQ(incoherent_open(&e), 0);
	CHECK_EQ(incoherent_wrong(&e, 10 * DESCS, true, true, true), 0);
	CHECK_EQ(end_close(&e), 0);
	CHECK(bcm4908_cache_hook == NULL);
	return 0;
}

/* Each of the three is missed when it is forgotten. */
TEST(wire_incoherent_no_clean)
{
	struct end e;

	CHECK_EQ(incoherent_open(&e), 0);
	CHECK(incoherent_wrong(&e, 2 * DESCS, false, true, true) > DESCS);
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

TEST(wire_incoherent_no_invalidate)
{
	struct end e;

	CHECK_EQ(incoherent_open(&e), 0);
	CHECK(incoherent_wrong(&e, 2 * DESCS, true, true, false) > DESCS);
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

TEST(wire_incoherent_no_preparation)
{
	struct end e;

	CHECK_EQ(incoherent_open(&e), 0);
	/* The first round finds the buffers as incoherent_open() prepared them. */
	CHECK_EQ(incoherent_wrong(&e, DESCS, true, false, true), 0);
	CHECK(incoherent_wrong(&e, DESCS, true, false, true) > DESCS / 2);
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

/* A frame that one device received and another sends lies in one memory for both. */
TEST(wire_incoherent_forward)
{
	struct bcm4908_devargs args = args_wire("cable:incoherent");
	struct end a, b, c;
	const uint8_t *buf;
	uint32_t len, base;

	args.coherent = false;
	CHECK_EQ(end_make(&a, "wire_a", &args), 0);
	CHECK_EQ(end_make(&b, "wire_b", &args), 0);
	CHECK_EQ(incoherent_open(&c), 0);
	bcm4908_cache_clean_inval((uintptr_t)b.buf[BCM4908_CHAN_RX], DESCS * BUF_SIZE);
	bcm4908_cache_sync();
	rx_post(&b, DESCS);
	CHECK_EQ(end_start(&a), 0);
	CHECK_EQ(end_start(&b), 0);
	for (uint32_t nr = 0; nr < DESCS; nr++) {
		tx_post(&a, nr, 200);
		bcm4908_cache_clean((uintptr_t)desc_buf(&a, BCM4908_CHAN_TX, nr), 200);
		bcm4908_cache_sync();
		step(&a);
		step(&b);
		buf = rx_take(&b, &len);
		CHECK(buf != NULL);
		/* Sent on as it is: no one has looked at it, so there is nothing to clean. */
		base = buf_bus(&c, buf);
		desc_post(&c, BCM4908_CHAN_TX, base, len, TX_WHOLE);
		kick(&c, BCM4908_CHAN_TX);
		step(&c);
		buf = rx_take(&c, &len);
		CHECK(buf != NULL);
		bcm4908_cache_clean_inval((uintptr_t)buf, len);
		bcm4908_cache_sync();
		CHECK(frame_same(buf, nr, 200), "frame %u", nr);
	}
	CHECK_EQ(end_close(&a), 0);
	CHECK_EQ(end_close(&b), 0);
	CHECK_EQ(end_close(&c), 0);
	return 0;
}

/* Buffers of two devices that are further apart than the memory behind the cache reaches. */
TEST(wire_incoherent_far)
{
	struct bcm4908_devargs args = args_default;
	struct bcm4908_dev a, b;

	args.coherent = false;
	CHECK_EQ(bcm4908_dev_model_create(&a, "wire_a", &args, SOCKET_ID_ANY), 0);
	CHECK_EQ(bcm4908_dev_model_create(&b, "wire_b", &args, SOCKET_ID_ANY), 0);
	CHECK_EQ(a.ops->set_window(&a, 0x100000000000, 0x100000001000), 0);
	CHECK_EQ(b.ops->set_window(&b, 0x100100000000, 0x100100001000), 0);
	CHECK_EQ(b.ops->set_window(&b, 0x110000000000, 0x110000001000), (uint64_t)-ERANGE);
	a.ops->close(&a);
	b.ops->close(&b);
	/* The last user is gone: another place will do now. */
	CHECK_EQ(bcm4908_dev_model_create(&b, "wire_b", &args, SOCKET_ID_ANY), 0);
	CHECK_EQ(b.ops->set_window(&b, 0x110000000000, 0x110000001000), 0);
	b.ops->close(&b);
	return 0;
}

/* Other ports as wires. */

#define RING_PORT	"net_ring_wire"
#define RING		"ETH_RXTX0_" RING_PORT	/* a net_ring returns what is sent */

static struct rte_mempool *
test_pool(void)
{
	struct rte_mempool *mp = rte_mempool_lookup("wire_test");

	return mp != NULL ? mp :
		rte_pktmbuf_pool_create("wire_test", 255, 0, 0,
					RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
}

/* Let a frame of several segments of at most seg bytes arrive through a net_ring port. */
static int
ring_inject(uint32_t nr, uint32_t len, uint32_t seg)
{
	struct rte_ring *ring = rte_ring_lookup(RING);
	struct rte_mbuf *head = NULL, *m;
	uint8_t frame[16384];

	CHECK(ring != NULL);
	frame_fill(frame, nr, len);
	for (uint32_t at = 0; at < len; at += seg) {
		m = rte_pktmbuf_alloc(test_pool());
		CHECK(m != NULL);
		memcpy(rte_pktmbuf_append(m, RTE_MIN(seg, len - at)), frame + at,
		       RTE_MIN(seg, len - at));
		if (head == NULL)
			head = m;
		else
			CHECK_EQ(rte_pktmbuf_chain(head, m), 0);
	}
	CHECK_EQ(rte_ring_enqueue(ring, head), 0);
	return 0;
}

static int
ring_add(void)
{
	CHECK_EQ(rte_vdev_init(RING_PORT, ""), 0);
	return 0;
}

/* The port does not free what is in its rings, nor those that were never set up as queues. */
static int
ring_remove(void)
{
	struct rte_ring *ring = rte_ring_lookup(RING);
	char name[RTE_RING_NAMESIZE];
	void *m;

	while (rte_ring_dequeue(ring, &m) == 0)
		rte_pktmbuf_free(m);
	CHECK_EQ(rte_vdev_uninit(RING_PORT), 0);
	for (unsigned int i = 0; i < 16; i++) {
		snprintf(name, sizeof(name), "ETH_RXTX%u_%s", i, RING_PORT);
		rte_ring_free(rte_ring_lookup(name));
	}
	return 0;
}

static bool
port_exists(const char *name)
{
	uint16_t port;

	return rte_eth_dev_get_port_by_name(name, &port) == 0;
}

static uint64_t
port_owner(const char *name)
{
	struct rte_eth_dev_owner owner = { .id = RTE_ETH_DEV_NO_OWNER };
	uint16_t port;

	if (rte_eth_dev_get_port_by_name(name, &port) == 0)
		rte_eth_dev_owner_get(port, &owner);
	return owner.id;
}

/* Pools that removed ports kept go with the next wire. */
static int
pools_collect(void)
{
	struct bcm4908_devargs args = args_wire("net_none_at_all");
	struct end e;

	CHECK_EQ(end_make(&e, "wire_pools", &args), 0);
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

/* The wire's port exists before the device. */
TEST(wire_port)
{
	struct bcm4908_devargs args = args_wire(RING_PORT);
	unsigned int before;
	struct end e;

	/* The first port of all leaves ethdev's own memory behind. */
	CHECK_EQ(ring_add(), 0);
	CHECK_EQ(ring_remove(), 0);
	/* Other tests' ports left pools behind. */
	CHECK_EQ(pools_collect(), 0);
	before = nb_memzones();

	CHECK_EQ(ring_add(), 0);
	for (unsigned int round = 0; round < 5; round++) {
		CHECK_EQ(end_make(&e, "wire_port", &args), 0);
		rx_post(&e, DESCS);
		CHECK(port_owner(RING_PORT) != RTE_ETH_DEV_NO_OWNER);
		CHECK(!link_up(&e));
		CHECK_EQ(end_start(&e), 0);
		CHECK(link_up(&e));
		CHECK_EQ(pass(&e, &e, 0, 1000, 60), 0);
		CHECK_EQ(pass(&e, &e, 1000, 100, FRAME_MAX), 0);
		CHECK_EQ(count(&wire_of(&e)->sent), 1100);
		CHECK_EQ(count(&wire_of(&e)->received), 1100);
		CHECK_EQ(count(&wire_of(&e)->dropped), 0);
		CHECK_EQ(end_close(&e), 0);
		CHECK_EQ(port_owner(RING_PORT), RTE_ETH_DEV_NO_OWNER);
	}
	CHECK_EQ(ring_remove(), 0);

	CHECK_EQ(pools_collect(), 0);
	CHECK_EQ(nb_memzones(), before);
	return 0;
}

/* Our device is stopped and started: the wire goes on where it was. */
TEST(wire_port_restart)
{
	struct bcm4908_devargs args = args_wire(RING_PORT);
	struct end e;
	uint32_t len;

	CHECK_EQ(ring_add(), 0);
	CHECK_EQ(end_open(&e, "wire_port", &args), 0);
	CHECK_EQ(pass(&e, &e, 0, 100, 60), 0);
	e.dev.ops->stop(&e.dev);
	CHECK(!link_up(&e));
	CHECK_EQ(ring_inject(7, 60, 60), 0);
	step(&e);
	CHECK(rx_take(&e, &len) == NULL);
	CHECK_EQ(e.dev.ops->start(&e.dev), 0);
	CHECK(link_up(&e));
	step(&e);
	CHECK(rx_take(&e, &len) != NULL);
	rx_post(&e, 1);
	CHECK_EQ(pass(&e, &e, 0, 100, 60), 0);
	CHECK_EQ(end_close(&e), 0);
	CHECK_EQ(ring_remove(), 0);
	return 0;
}

/* The port appears after the device was started, goes, and comes back. */
TEST(wire_port_late)
{
	struct bcm4908_devargs args = args_wire(RING_PORT);
	struct end e;

	CHECK_EQ(end_open(&e, "wire_port", &args), 0);
	CHECK(!link_up(&e));
	CHECK(tx_post(&e, 0, 60));
	step(&e);
	CHECK(tx_done(&e));
	CHECK_EQ(count(&wire_of(&e)->dropped), 1);
	for (unsigned int round = 0; round < 3; round++) {
		CHECK_EQ(ring_add(), 0);
		/* At once: nobody else must get it. */
		CHECK(port_owner(RING_PORT) != RTE_ETH_DEV_NO_OWNER);
		CHECK(wait_link(&e, true));
		CHECK_EQ(pass(&e, &e, 0, 100, 60), 0);
		CHECK_EQ(ring_remove(), 0);
		CHECK(!link_up(&e));
		step(&e);
	}
	CHECK_EQ(end_close(&e), 0);
	return 0;
}

/* Claimed before our start, and given back although that never came. */
TEST(wire_port_never_started)
{
	struct bcm4908_devargs args = args_wire(RING_PORT);
	struct end e;

	CHECK_EQ(end_make(&e, "wire_port", &args), 0);
	CHECK_EQ(ring_add(), 0);
	CHECK(port_owner(RING_PORT) != RTE_ETH_DEV_NO_OWNER);
	CHECK_EQ(end_close(&e), 0);
	CHECK_EQ(port_owner(RING_PORT), RTE_ETH_DEV_NO_OWNER);
	CHECK_EQ(ring_remove(), 0);
	return 0;
}

TEST(wire_port_owned)
{
	struct bcm4908_devargs args = args_wire(RING_PORT);
	struct rte_eth_dev_owner owner = { .name = "somebody" };
	uint16_t port;
	struct end e;

	CHECK_EQ(ring_add(), 0);
	CHECK_EQ(rte_eth_dev_get_port_by_name(RING_PORT, &port), 0);
	CHECK_EQ(rte_eth_dev_owner_new(&owner.id), 0);
	CHECK_EQ(rte_eth_dev_owner_set(port, &owner), 0);
	CHECK_EQ(end_open(&e, "wire_port", &args), 0);
	CHECK(!link_up(&e));
	CHECK_EQ(port_owner(RING_PORT), owner.id);
	CHECK(tx_post(&e, 0, 60));
	step(&e);
	CHECK_EQ(count(&wire_of(&e)->dropped), 1);

	CHECK_EQ(rte_eth_dev_owner_unset(port, owner.id), 0);
	CHECK(wait_link(&e, true));
	CHECK(port_owner(RING_PORT) != owner.id);
	CHECK_EQ(pass(&e, &e, 0, 100, 60), 0);
	CHECK_EQ(end_close(&e), 0);
	CHECK_EQ(ring_remove(), 0);
	return 0;
}

/* Two devices cannot share a port: the second one waits until the first has closed. */
TEST(wire_port_shared)
{
	struct bcm4908_devargs args = args_wire(RING_PORT);
	struct end a, b;

	CHECK_EQ(ring_add(), 0);
	CHECK_EQ(end_open(&a, "wire_a", &args), 0);
	CHECK_EQ(end_open(&b, "wire_b", &args), 0);
	CHECK(link_up(&a));
	CHECK(!link_up(&b));
	CHECK_EQ(end_close(&a), 0);
	CHECK(wait_link(&b, true));
	CHECK_EQ(pass(&b, &b, 0, 100, 60), 0);
	CHECK_EQ(end_close(&b), 0);
	CHECK_EQ(ring_remove(), 0);
	return 0;
}

/* Short frames are padded with zeros, chains are put together. */
TEST(wire_port_frames)
{
	static const struct {
		uint32_t len;
		uint32_t seg;
	} cases[] = {
		{ 14, 14 }, { 59, 59 }, { 60, 60 }, { 61, 61 }, { 59, 20 },
		{ 300, 7 }, { FRAME_MAX, 1000 }, { FRAME_MAX, FRAME_MAX },
	};
	struct bcm4908_devargs args = args_wire(RING_PORT);
	struct rte_mempool *mp = test_pool();
	const uint8_t *buf;
	struct end e;
	uint32_t len;

	CHECK(mp != NULL);
	CHECK_EQ(ring_add(), 0);
	CHECK_EQ(end_open(&e, "wire_port", &args), 0);
	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		/* What an earlier frame left must not show in the padding. */
		CHECK_EQ(ring_inject(1000, 60, 30), 0);
		CHECK_EQ(ring_inject(i, cases[i].len, cases[i].seg), 0);
		step(&e);
		CHECK(rx_take(&e, &len) != NULL);
		buf = rx_take(&e, &len);
		CHECK(buf != NULL);
		CHECK_EQ(len, RTE_MAX(cases[i].len, BCM4908_TX_LEN_MIN));
		CHECK(frame_same(buf, i, cases[i].len), "case %u", i);
		for (uint32_t at = cases[i].len; at < len; at++)
			CHECK_EQ(buf[at], 0);
		rx_post(&e, 2);
	}
	/* Longer than the MAC takes: cut there [3.3], also when it is a chain of 16000 bytes. */
	CHECK_EQ(ring_inject(1, 1900, 1900), 0);
	CHECK_EQ(ring_inject(2, 16000, 1000), 0);
	step(&e);
	for (unsigned int i = 0; i < 2; i++) {
		buf = rx_take(&e, &len);
		CHECK(buf != NULL);
		CHECK_EQ(len + BCM4908_FCS_LEN, FRAME_LEN);
	}
	CHECK_EQ(end_close(&e), 0);
	CHECK_EQ(ring_remove(), 0);
	CHECK_EQ(rte_mempool_avail_count(mp), mp->size);
	return 0;
}

/* Nothing is lost between a port and a reader that is slow; what waits at close is freed. */
TEST(wire_port_slow_reader)
{
	struct bcm4908_devargs args = args_wire(RING_PORT);
	struct rte_mempool *mp = test_pool();
	const uint8_t *buf;
	uint32_t got = 0, len;
	struct end e;

	CHECK(mp != NULL);
	CHECK_EQ(ring_add(), 0);
	CHECK_EQ(end_make(&e, "wire_port", &args), 0);
	CHECK_EQ(end_start(&e), 0);
	for (uint32_t i = 0; i < 200; i++)
		CHECK_EQ(ring_inject(i, 1000, 1000), 0);
	for (unsigned int us = 0; us < 200000; us++)
		step(&e);
	CHECK_EQ(bcm4908_read(&e.dev, BCM4908_OVERFLOW_COUNTER), 0);
	while (got < 100) {
		rx_post(&e, 1);
		step(&e);
		buf = rx_take(&e, &len);
		CHECK(buf != NULL && frame_same(buf, got, 1000), "frame %u", got);
		got++;
	}
	CHECK_EQ(bcm4908_read(&e.dev, BCM4908_OVERFLOW_COUNTER), 0);
	CHECK_EQ(end_close(&e), 0);
	CHECK_EQ(ring_remove(), 0);
	CHECK_EQ(rte_mempool_avail_count(mp), mp->size);
	return 0;
}

/* A port that refuses frames for too long: they are dropped and counted. */
TEST(wire_port_stuck)
{
	struct bcm4908_devargs args = args_wire(RING_PORT);
	struct rte_ring *ring;
	uint32_t sent = 0, room;
	struct end e;
	void *m;

	CHECK_EQ(ring_add(), 0);
	CHECK_EQ(end_make(&e, "wire_port", &args), 0);
	CHECK_EQ(end_start(&e), 0);
	ring = rte_ring_lookup(RING);
	CHECK(ring != NULL);
	/* With the receiver off, nothing leaves the port's ring. */
	bcm4908_hw_mac_enable(&e.dev, false, true);
	room = rte_ring_get_capacity(ring);
	for (unsigned int us = 0; us < 500000 && count(&wire_of(&e)->dropped) < 100; us++) {
		while (tx_post(&e, sent, 60))
			sent++;
		step(&e);
	}
	CHECK(count(&wire_of(&e)->dropped) >= 100);
	CHECK(count(&wire_of(&e)->sent) <= room);
	/* A free place is taken again. */
	CHECK_EQ(rte_ring_dequeue(ring, &m), 0);
	rte_pktmbuf_free(m);
	room = count(&wire_of(&e)->sent);
	for (unsigned int us = 0; us < 10; us++) {
		while (tx_post(&e, sent, 60))
			sent++;
		step(&e);
	}
	CHECK(count(&wire_of(&e)->sent) > room);
	CHECK_EQ(end_close(&e), 0);
	CHECK_EQ(ring_remove(), 0);
	return 0;
}

/* As net_tap does: stop at a frame that is longer than the port carries. */
static uint16_t
refuse_long(uint16_t port __rte_unused, uint16_t queue __rte_unused, struct rte_mbuf **pkts,
	    uint16_t nb_pkts, void *arg __rte_unused)
{
	for (uint16_t i = 0; i < nb_pkts; i++) {
		if (rte_pktmbuf_pkt_len(pkts[i]) > 1000)
			return i;
	}
	return nb_pkts;
}

/* A frame that a port never takes is dropped alone: those before and behind it go out. */
TEST(wire_port_refused_frame)
{
	static const uint32_t lens[] = { 60, 1200, 300, 61 };
	struct bcm4908_devargs args = args_wire(RING_PORT);
	const struct rte_eth_rxtx_callback *callback;
	uint32_t sent = 0;
	uint16_t port;
	struct end e;

	CHECK_EQ(ring_add(), 0);
	CHECK_EQ(end_open(&e, "wire_port", &args), 0);
	CHECK_EQ(rte_eth_dev_get_port_by_name(RING_PORT, &port), 0);
	callback = rte_eth_add_tx_callback(port, 0, refuse_long, NULL);
	CHECK(callback != NULL);
	for (unsigned int round = 0; round < 3; round++) {
		for (unsigned int i = 0; i < RTE_DIM(lens); i++)
			CHECK(tx_post(&e, sent++, lens[i]));
		for (unsigned int us = 0; us < 100000; us++)
			step(&e);
		CHECK_EQ(count(&wire_of(&e)->dropped), round + 1);
		CHECK_EQ(count(&wire_of(&e)->sent), 3 * (round + 1));
	}
	CHECK_EQ(rte_eth_remove_tx_callback(port, 0, callback), 0);
	CHECK_EQ(end_close(&e), 0);
	rte_free((void *)(uintptr_t)callback);
	CHECK_EQ(ring_remove(), 0);
	return 0;
}

/* A source that never ends, and swallows everything. */
TEST(wire_port_null)
{
	struct bcm4908_devargs args = args_wire("net_null_wire");
	unsigned int got = 0;
	uint32_t len, sent;
	struct end e;

	CHECK_EQ(rte_vdev_init("net_null_wire", "size=100"), 0);
	CHECK_EQ(end_open(&e, "wire_null", &args), 0);
	for (sent = 0; sent < DESCS; sent++)
		CHECK(tx_post(&e, sent, 60));
	while (got < 10000) {
		CHECK(step(&e) > 0);
		while (rx_take(&e, &len) != NULL) {
			CHECK_EQ(len, 100);
			got++;
			rx_post(&e, 1);
		}
	}
	CHECK_EQ(count(&wire_of(&e)->sent), sent);
	CHECK_EQ(bcm4908_read(&e.dev, BCM4908_OVERFLOW_COUNTER), 0);
	CHECK_EQ(end_close(&e), 0);
	CHECK_EQ(rte_vdev_uninit("net_null_wire"), 0);
	return 0;
}

/* Capture files: little-endian, microseconds, Ethernet. */
struct pcap_file {
	uint32_t magic;
	uint16_t version[2];
	uint32_t zone, sigfigs, snaplen, network;
};

struct pcap_packet {
	uint32_t sec, usec, caplen, len;
};

static int
pcap_write(const char *path, const uint32_t *lens, unsigned int n)
{
	const struct pcap_file head = { 0xa1b2c3d4, { 2, 4 }, 0, 0, 65535, 1 };
	FILE *file = fopen(path, "wb");
	uint8_t frame[FRAME_MAX];

	CHECK(file != NULL);
	CHECK_EQ(fwrite(&head, sizeof(head), 1, file), 1);
	for (unsigned int i = 0; i < n; i++) {
		const struct pcap_packet packet = { i, 0, lens[i], lens[i] };

		frame_fill(frame, i, lens[i]);
		CHECK_EQ(fwrite(&packet, sizeof(packet), 1, file), 1);
		CHECK_EQ(fwrite(frame, lens[i], 1, file), 1);
	}
	CHECK_EQ(fclose(file), 0);
	return 0;
}

static int
pcap_check(const char *path, const uint32_t *lens, unsigned int n)
{
	FILE *file = fopen(path, "rb");
	struct pcap_packet packet;
	uint8_t frame[FRAME_MAX];
	struct pcap_file head;

	CHECK(file != NULL);
	CHECK_EQ(fread(&head, sizeof(head), 1, file), 1);
	for (unsigned int i = 0; i < n; i++) {
		CHECK_EQ(fread(&packet, sizeof(packet), 1, file), 1);
		CHECK_EQ(packet.len, lens[i]);
		CHECK_EQ(fread(frame, packet.caplen, 1, file), 1);
		CHECK(frame_same(frame, i, lens[i]), "frame %u", i);
	}
	CHECK_EQ(fread(&packet, 1, 1, file), 0);
	CHECK_EQ(fclose(file), 0);
	return 0;
}

/* A capture in, and what is sent out, into a file that is complete at close. */
TEST(wire_port_pcap)
{
	static const uint32_t lens[] = { 60, 61, 300, FRAME_MAX, 64, 1000 };
	struct bcm4908_devargs args = args_wire("net_pcap_wire");
	char dir[] = "/tmp/bcm4908-wire-XXXXXX", in[64], out[64], vdev[160];
	const uint8_t *buf;
	struct end e;
	uint32_t len;

	CHECK(mkdtemp(dir) != NULL);
	snprintf(in, sizeof(in), "%s/in.pcap", dir);
	snprintf(out, sizeof(out), "%s/out.pcap", dir);
	snprintf(vdev, sizeof(vdev), "rx_pcap=%s,tx_pcap=%s", in, out);
	CHECK_EQ(pcap_write(in, lens, RTE_DIM(lens)), 0);

	/* The device first, as on a command line in that order. */
	CHECK_EQ(end_make(&e, "wire_pcap", &args), 0);
	rx_post(&e, DESCS);
	CHECK_EQ(rte_vdev_init("net_pcap_wire", vdev), 0);
	CHECK_EQ(end_start(&e), 0);
	CHECK(wait_link(&e, true));
	for (unsigned int i = 0; i < RTE_DIM(lens); i++)
		CHECK(tx_post(&e, i, lens[i]));
	for (unsigned int us = 0; us < 10; us++)
		step(&e);
	for (unsigned int i = 0; i < RTE_DIM(lens); i++) {
		buf = rx_take(&e, &len);
		CHECK(buf != NULL, "frame %u", i);
		CHECK_EQ(len, lens[i]);
		CHECK(frame_same(buf, i, len), "frame %u", i);
	}
	CHECK(rx_take(&e, &len) == NULL);
	CHECK_EQ(end_close(&e), 0);
	CHECK_EQ(rte_vdev_uninit("net_pcap_wire"), 0);
	CHECK_EQ(pcap_check(out, lens, RTE_DIM(lens)), 0);
	unlink(in);
	unlink(out);
	rmdir(dir);
	return 0;
}

/* The thread serves a port's wire, and lets go of it, while another device goes on. */
TEST(wire_port_thread)
{
	struct bcm4908_devargs args = args_wire(RING_PORT), loop = args_default;
	struct end e, other;

	args.stepping = BCM4908_STEPPING_THREAD;
	loop.stepping = BCM4908_STEPPING_THREAD;
	CHECK_EQ(end_open(&other, "wire_loop", &loop), 0);
	CHECK_EQ(ring_add(), 0);
	for (unsigned int round = 0; round < 5; round++) {
		CHECK_EQ(end_open(&e, "wire_port", &args), 0);
		CHECK_EQ(pass(&e, &e, 0, 1000, 60), 0);
		CHECK_EQ(pass(&other, &other, 0, 1000, 60), 0);
		CHECK_EQ(end_close(&e), 0);
	}
	CHECK_EQ(ring_remove(), 0);
	CHECK(!port_exists(RING_PORT));
	CHECK_EQ(end_close(&other), 0);
	return 0;
}
