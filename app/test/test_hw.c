/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The procedures on registers, without ethdev: on a passive register file that
 * records every access, on engines that stop only when made to, and on the
 * model. Sections in brackets are those of the hardware reference.
 */

#include <stdlib.h>
#include <string.h>

#include "bcm4908_dev.h"
#include "bcm4908_dev_model.h"
#include "bcm4908_hw.h"
#include "bcm4908_rxtx.h"
#include "port.h"

#define RX BCM4908_CHAN_RX
#define TX BCM4908_CHAN_TX

/* Addresses of rings, as in the recorded trace. */
#define RX_RING 0x10002000u
#define TX_RING 0x10000000u

#define LOG_MAX 1024

enum access { WRITE, READ, DELAY };

struct logged {
	enum access what;
	uint32_t reg;	/* DELAY: microseconds */
	uint32_t val;
};

/* What makes an engine of the recorder stop. */
enum obeys { NOTHING, CHANNEL_RESET, BURST_HALT, PKT_HALT, DISABLE };

struct recorder {
	struct bcm4908_dev dev;
	uint32_t reg[BCM4908_REGS_SIZE / 4];
	bool dead;			/* no block answers: reads give dead_val, writes go nowhere */
	uint32_t dead_val;
	enum obeys obeys[BCM4908_CHANS];
	bool running[BCM4908_CHANS];
	unsigned int drain_us;		/* the transmit channel runs out of frames after that */
	unsigned int us;		/* passed in all */
	struct logged log[LOG_MAX];
	unsigned int nb;
	bool overflow;
};

static void
record(struct recorder *r, enum access what, uint32_t reg, uint32_t val)
{
	if (r->nb < LOG_MAX)
		r->log[r->nb++] = (struct logged){ what, reg, val };
	else
		r->overflow = true;
}

static uint32_t
recorder_read(const struct bcm4908_dev *dev, uint32_t reg)
{
	struct recorder *r = dev->priv;
	uint32_t val = r->dead ? r->dead_val : r->reg[reg / 4];

	for (unsigned int chan = 0; !r->dead && chan < BCM4908_CHANS; chan++)
		if (reg == BCM4908_CHAN_CFG(chan))
			val = (val & ~1u) | r->running[chan];
	record(r, READ, reg, val);
	return val;
}

static void
recorder_cfg(struct recorder *r, unsigned int chan, uint32_t val)
{
	const enum obeys obeys = r->obeys[chan];

	if ((val & BCM4908_CHAN_CFG_ENABLE) != 0)
		r->running[chan] = true;
	else if ((val & BCM4908_CHAN_CFG_PKT_HALT) != 0)
		r->running[chan] &= obeys < PKT_HALT;
	else if ((val & BCM4908_CHAN_CFG_BURST_HALT) != 0)
		r->running[chan] &= obeys < BURST_HALT;
	else
		r->running[chan] &= obeys < DISABLE;
}

static void
recorder_write(struct bcm4908_dev *dev, uint32_t reg, uint32_t val)
{
	struct recorder *r = dev->priv;

	record(r, WRITE, reg, val);
	if (r->dead)
		return;
	r->reg[reg / 4] = val;
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++) {
		if (reg == BCM4908_CHAN_CFG(chan))
			recorder_cfg(r, chan, val);
		if (reg == BCM4908_DMA_CHAN_RESET && (val & 1u << chan) != 0)
			r->running[chan] &= r->obeys[chan] < CHANNEL_RESET;
	}
}

static void
recorder_delay(struct bcm4908_dev *dev, unsigned int us)
{
	struct recorder *r = dev->priv;

	record(r, DELAY, us, 0);
	r->us += us;
	if (r->drain_us != 0 && r->us >= r->drain_us)
		r->running[TX] = false;
}

static const struct bcm4908_dev_ops recorder_ops = {
	.read = recorder_read,
	.write = recorder_write,
	.delay = recorder_delay,
};

static struct recorder *
recorder_new(void)
{
	static struct recorder r;

	r = (struct recorder){ .obeys = { DISABLE, DISABLE } };
	r.dev.ops = &recorder_ops;
	r.dev.priv = &r;
	return &r;
}

static bool
is_write(const struct logged *l, uint32_t reg, uint32_t mask, uint32_t val)
{
	return l->what == WRITE && l->reg == reg && (l->val & mask) == val;
}

/* Where in the log, at or after from, a write of these bits is; -1: nowhere. */
static int
find_write(const struct recorder *r, int from, uint32_t reg, uint32_t mask, uint32_t val)
{
	for (int i = from; i < (int)r->nb; i++)
		if (is_write(&r->log[i], reg, mask, val))
			return i;
	return -1;
}

static int
find_delay(const struct recorder *r, int from)
{
	for (int i = from; i < (int)r->nb; i++)
		if (r->log[i].what == DELAY)
			return i;
	return -1;
}

static unsigned int
delayed(const struct recorder *r, int from, int to)
{
	unsigned int us = 0;

	for (int i = from; i < to; i++)
		us += r->log[i].what == DELAY ? r->log[i].reg : 0;
	return us;
}

/* The log has these writes, in this order, possibly with others in between. */
struct step {
	uint32_t reg, mask, val;
};

static int
check_order(const struct recorder *r, const struct step *steps, unsigned int n)
{
	int at = 0;

	CHECK(!r->overflow);
	for (unsigned int i = 0; i < n; i++) {
		at = find_write(r, at, steps[i].reg, steps[i].mask, steps[i].val);
		CHECK(at >= 0, "step %u: %#x is not set to %#x after the steps before it", i,
		      steps[i].reg, steps[i].val);
		at++;
	}
	return 0;
}

#define ALL UINT32_MAX
#define CHECK_ORDER(r, ...) do { \
	static const struct step steps_[] = { __VA_ARGS__ }; \
	CHECK_OK(check_order(r, steps_, RTE_DIM(steps_))); \
} while (0)

static const struct bcm4908_hw_config config = {
	.mac = { .addr_bytes = { 0x02, 0x11, 0x22, 0x33, 0x44, 0x55 } },
	.frame_len = 1500 + 32,
	.promisc = true,
	.rx_pause = true,
	.tx_pause = true,
};

/* What a port does to start, with both queues. */
static int
bring_up(struct bcm4908_dev *dev, const struct bcm4908_hw_config *cfg, uint32_t rx_ring,
	 uint32_t tx_ring)
{
	CHECK_EQ(bcm4908_hw_probe(dev), 0);
	bcm4908_hw_mac_init(dev, cfg);
	bcm4908_hw_chan_init(dev, TX, tx_ring);
	bcm4908_hw_chan_init(dev, RX, rx_ring);
	bcm4908_hw_dma_enable(dev);
	bcm4908_hw_chan_enable(dev, RX);
	bcm4908_hw_mac_enable(dev, true, true);
	return 0;
}

/*
 * The mainline Linux driver's writes when it opens the device, for MTU 1500 on
 * registers that start as zeros. Where ours differ, why, and what they are.
 */
struct linux_write {
	uint32_t reg, mask, val;
	const char *differs;	/* NULL: the same write, at the same place in the order */
};

static const struct linux_write linux_open[] = {
	{ 0x414, ALL, 0x5fc, NULL },
	{ 0x408, 1u << 13, 1u << 13, NULL },
	{ 0x408, 1u << 13, 0, NULL },
	{ 0x034, 3, 3, NULL },
	{ 0x034, 3, 0, NULL },
	{ 0x004, 1, 1, NULL },
	{ 0x004, 1, 0, NULL },
	{ 0x408, 0xf, 0x8, "speed changes while in reset [4.7]: comes earlier" },
	{ 0x028, 0x1f, 0x1a, NULL },
	{ 0xa00, ALL, 0, "the channels are stopped before anything else [4.2, step 0]" },
	{ 0xa10, ALL, 0, "the channels are stopped before anything else [4.2, step 0]" },
	{ 0x800, 1, 0, NULL },
	{ 0xc00, ALL, 0, "zeroed after the channel's reset, not before [4.2, step 4]" },
	{ 0xc04, ALL, 0, "zeroed after the channel's reset, not before [4.2, step 4]" },
	{ 0xc08, ALL, 0, "zeroed after the channel's reset, not before [4.2, step 4]" },
	{ 0xc0c, ALL, 0, "zeroed after the channel's reset, not before [4.2, step 4]" },
	{ 0xc10, ALL, 0, "zeroed after the channel's reset, not before [4.2, step 4]" },
	{ 0xc14, ALL, 0, "zeroed after the channel's reset, not before [4.2, step 4]" },
	{ 0xc18, ALL, 0, "zeroed after the channel's reset, not before [4.2, step 4]" },
	{ 0xc1c, ALL, 0, "zeroed after the channel's reset, not before [4.2, step 4]" },
	{ 0x834, ALL, 2, NULL },
	{ 0x834, ALL, 0, NULL },
	{ 0xa10, ALL, 0, "written before the reset, which finds it stopped" },
	{ 0xa1c, ALL, 8, "after the ring's address" },
	{ 0xa18, ALL, 0, "after the ring's address" },
	{ 0xc10, ALL, TX_RING, NULL },
	{ 0x834, ALL, 1, NULL },
	{ 0x834, ALL, 0, NULL },
	{ 0xa00, ALL, 0, "written before the reset, which finds it stopped" },
	{ 0xa0c, ALL, 8, "after the ring's address" },
	{ 0xa08, ALL, 0, "after the ring's address" },
	{ 0xc00, ALL, RX_RING, NULL },
	{ 0x408, 3, 3, "the MAC comes last, when all is in place [4.2, step 5]" },
	{ 0x800, 1, 1, "in one write with the next" },
	{ 0x800, 3, 1, NULL },
	{ 0xa14, ALL, 7, "all four bits are cleared [4.2, step 4]" },
	{ 0xa18, ALL, 7, "polled: no interrupt [5]" },
	{ 0xa00, 1, 1, NULL },
	{ 0xa04, ALL, 7, "all four bits are cleared [4.2, step 4]" },
	{ 0xa08, ALL, 7, "polled: no interrupt [5]" },
};

/* The registers' values in the end, ours and Linux's. */
struct final_value {
	uint32_t reg, ours, theirs;
	const char *differs;
};

static const struct final_value final_values[] = {
	{ 0x414, 0x5fc, 0x5fc, NULL },
	{ 0x034, 0, 0, NULL },
	{ 0x004, 0, 0, NULL },
	{ 0x028, 0x1a, 0x1a, NULL },
	{ 0x800, 1, 1, NULL },
	{ 0xa00, 1, 1, NULL },
	{ 0xa10, 0, 0, NULL }, /* starts with the first frame */
	{ 0xa0c, 8, 8, NULL },
	{ 0xa1c, 8, 8, NULL },
	{ 0xc00, RX_RING, RX_RING, NULL },
	{ 0xc04, 0, 0, NULL },
	{ 0xc08, 0, 0, NULL },
	{ 0xc0c, 0, 0, NULL },
	{ 0xc10, TX_RING, TX_RING, NULL },
	{ 0xc14, 0, 0, NULL },
	{ 0xc18, 0, 0, NULL },
	{ 0xc1c, 0, 0, NULL },
	{ 0x834, 0, 0, NULL },
	{ 0xa08, 0, 7, "polled: INT_MASK 0 [5]" },
	{ 0xa18, 0, 7, "polled: INT_MASK 0 [5]" },
	{ 0xa04, 0xf, 7, "RX_ERROR is cleared, too [4.2, step 4]" },
	{ 0xa14, 0xf, 7, "RX_ERROR is cleared, too [4.2, step 4]" },
	/*
	 * Linux leaves all bits but these to the reset: 0x010000db on hardware
	 * [11.16]. Ours is explicit [2.2, note]: PAUSE_FWD off, since PAUSE
	 * frames are the MAC's own business [4.2, step 3]; PROMISC as the port
	 * wants it, here on.
	 */
	{ 0x408, 0x0100005b, 0x0000000b, "explicit value [2.2, note; 4.2, step 3]" },
};

/* What we write and Linux does not. */
static const struct {
	uint32_t reg;
	const char *why;
} extra[] = {
	{ 0x00c, "MIB_MAX_PKT_SIZE follows the MTU [11.4]" },
	{ 0x024, "the overflow interrupt is off [10: SPI 88]" },
	{ 0x40c, "MAC0: unicast filter, source of PAUSE [4.6]" },
	{ 0x410, "MAC1: unicast filter, source of PAUSE [4.6]" },
	{ 0x45c, "TX_IPG_LEN: a loader's padding and gap would stay [2.2]" },
	{ 0x734, "TX_FLUSH: a loader's would stay [4.10]" },
};

static bool
is_listed(uint32_t reg)
{
	for (unsigned int i = 0; i < RTE_DIM(linux_open); i++)
		if (linux_open[i].reg == reg)
			return true;
	for (unsigned int i = 0; i < RTE_DIM(extra); i++)
		if (extra[i].reg == reg)
			return true;
	return false;
}

TEST(hw_trace_open)
{
	struct recorder *r = recorder_new();
	unsigned int differ = 0;
	int at;

	CHECK_EQ(bcm4908_hw_probe(&r->dev), 0);
	/* from here on as Linux: what the probe does is its own test's */
	r->nb = 0;
	bcm4908_hw_mac_init(&r->dev, &config);
	bcm4908_hw_chan_init(&r->dev, TX, TX_RING);
	bcm4908_hw_chan_init(&r->dev, RX, RX_RING);
	bcm4908_hw_dma_enable(&r->dev);
	bcm4908_hw_chan_enable(&r->dev, RX);
	bcm4908_hw_mac_enable(&r->dev, true, true);
	CHECK(!r->overflow);

	at = 0;
	for (unsigned int i = 0; i < RTE_DIM(linux_open); i++) {
		const struct linux_write *w = &linux_open[i];

		if (w->differs != NULL) {
			differ++;
			continue;
		}
		at = find_write(r, at, w->reg, w->mask, w->val);
		CHECK(at >= 0, "write %u of Linux, %#x = %#x, is not in the order", i, w->reg, w->val);
		at++;
	}
	CHECK_EQ(differ, 23);
	for (unsigned int i = 0; i < RTE_DIM(final_values); i++) {
		const struct final_value *v = &final_values[i];

		CHECK_EQ(v->differs == NULL, v->ours == v->theirs);
		CHECK(bcm4908_read(&r->dev, v->reg) == v->ours, "%#x is %#x, not %#x", v->reg,
		      r->reg[v->reg / 4], v->ours);
	}
	for (unsigned int i = 0; i < r->nb; i++)
		if (r->log[i].what == WRITE)
			CHECK(is_listed(r->log[i].reg), "%#x is written and not listed", r->log[i].reg);
	/* each place that differs, as its reason says */
	CHECK(find_write(r, 0, 0x408, 0x200f, 0x2008) >= 0);
	CHECK(find_write(r, 0, 0x408, 3, 3) > find_write(r, 0, 0xa00, 1, 1));
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++) {
		const uint32_t cfg = 0xa00 + 0x10 * chan, state = 0xc00 + 0x10 * chan;
		const int reset = find_write(r, 0, 0x834, ALL, 1u << chan);
		int ring = find_write(r, reset, state, ALL, chan == RX ? RX_RING : TX_RING);

		for (uint32_t word = 0; word < 0x10; word += 4) {
			const int zero = find_write(r, reset, state + word, ALL, 0);

			CHECK(zero > reset && (word != 0 || zero < ring));
		}
		CHECK(find_write(r, 0, cfg, ALL, 0) < reset);
		CHECK(find_write(r, 0, cfg + 4, ALL, 0xf) > reset);
		CHECK(find_write(r, 0, cfg + 8, ALL, 0) > reset);
		CHECK(find_write(r, 0, cfg + 8, 0xf, 0xf) < 0 && find_write(r, 0, cfg + 8, 7, 7) < 0);
	}
	return 0;
}

/* The recommended order [4.2], delays included. */
TEST(hw_bring_up_order)
{
	struct recorder *r = recorder_new();
	int set, clear;

	CHECK_OK(bring_up(&r->dev, &config, RX_RING, TX_RING));
	CHECK_ORDER(r,
		{ 0xa08, ALL, 0 }, { 0xa18, ALL, 0 },	/* step 0: interrupts off, MAC off, */
		{ 0x408, 3, 0 },
		{ 0x800, 1, 0 },			/* engine off */
		{ 0x408, 1u << 13, 1u << 13 },		/* step 2 */
		{ 0x408, 1u << 13, 0 },
		{ 0x034, 3, 3 }, { 0x034, 3, 0 },
		{ 0x004, 1, 1 }, { 0x004, 1, 0 },
		{ 0x834, ALL, 2 }, { 0x834, ALL, 0 },	/* step 4 */
		{ 0x834, ALL, 1 }, { 0x834, ALL, 0 },
		{ 0x800, 1, 1 },			/* step 5 */
		{ 0xa00, 1, 1 },
		{ 0x408, 3, 3 });
	/* at least 20 us in reset, in which speed and loopback are set */
	set = find_write(r, 0, 0x408, 1u << 13, 1u << 13);
	clear = find_write(r, set, 0x408, 1u << 13, 0);
	CHECK(delayed(r, set, clear) >= 20);
	/* the MAC stays off from the first look at it to the last write */
	for (unsigned int i = 0; i < r->nb; i++)
		if (r->log[i].what == WRITE && r->log[i].reg == 0x408 && (r->log[i].val & 3) != 0)
			CHECK_EQ(i, r->nb - 1);
	/* nothing is written to the clear bits' other values: each ends at 0 */
	CHECK_EQ(r->reg[0x034 / 4], 0);
	CHECK_EQ(r->reg[0x004 / 4], 0);
	CHECK_EQ(r->reg[0x834 / 4], 0);
	return 0;
}

/* Bits that a loader may have left are the driver's to decide, in CMD; elsewhere they stay. */
TEST(hw_explicit_values)
{
	struct recorder *r = recorder_new();
	struct bcm4908_hw_config cfg = config;

	memset(r->reg, 0xff, sizeof(r->reg));
	r->reg[0x414 / 4] = 1518;
	bcm4908_hw_mac_init(&r->dev, &config);
	CHECK_EQ(r->reg[0x408 / 4], 0x01000058);
	CHECK_EQ(r->reg[0x028 / 4], 0xfffffffa);
	CHECK_EQ(r->reg[0x034 / 4], 0xfffffffc);
	CHECK_EQ(r->reg[0x800 / 4], 0xfffffffc);
	bcm4908_hw_mac_enable(&r->dev, true, true);
	CHECK_EQ(r->reg[0x408 / 4], 0x0100005b);
	bcm4908_hw_mac_enable(&r->dev, false, true);
	CHECK_EQ(r->reg[0x408 / 4], 0x01000059);
	bcm4908_hw_mac_enable(&r->dev, true, false);
	CHECK_EQ(r->reg[0x408 / 4], 0x0100005a);

	cfg.promisc = false;
	bcm4908_hw_mac_init(&r->dev, &cfg);
	CHECK_EQ(r->reg[0x408 / 4], 0x01000048);
	cfg.loopback = true;
	bcm4908_hw_mac_init(&r->dev, &cfg);
	CHECK_EQ(r->reg[0x408 / 4], 0x01008048);
	cfg.loopback = false;
	cfg.rx_pause = false;
	bcm4908_hw_mac_init(&r->dev, &cfg);
	CHECK_EQ(r->reg[0x408 / 4], 0x01000148);
	cfg.rx_pause = true;
	cfg.tx_pause = false;
	bcm4908_hw_mac_init(&r->dev, &cfg);
	CHECK_EQ(r->reg[0x408 / 4], 0x11000048);
	return 0;
}

/* Loopback and speed change with SW_RESET set, and are there when it is released [4.7, 4.8]. */
TEST(hw_cmd_under_reset)
{
	struct bcm4908_hw_config cfg = config;
	struct recorder *r = recorder_new();
	int at;

	cfg.loopback = true;
	bcm4908_hw_mac_init(&r->dev, &cfg);
	at = find_write(r, 0, 0x408, 0x0000a00c, 0x0000a008);
	CHECK(at >= 0);
	CHECK(find_write(r, at, 0x408, 0x0000a00c, 0x00008008) > at);
	for (int i = 0; i < at; i++)
		CHECK(!is_write(&r->log[i], 0x408, 0x2000, 0));
	return 0;
}

/* Settings that change while the MAC runs: one register, one bit. */
TEST(hw_live_settings)
{
	static const struct rte_ether_addr mac = {
		.addr_bytes = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55 },
	};
	struct recorder *r = recorder_new();

	memset(r->reg, 0xa5, sizeof(r->reg));
	bcm4908_hw_set_mac_addr(&r->dev, &mac);
	CHECK_EQ(r->reg[0x40c / 4], 0x00112233); /* big-endian packing [4.6] */
	CHECK_EQ(r->reg[0x410 / 4], 0x00004455);
	bcm4908_hw_set_promisc(&r->dev, true);
	CHECK_EQ(r->reg[0x408 / 4], 0xa5a5a5a5 | 0x10);
	bcm4908_hw_set_promisc(&r->dev, false);
	CHECK_EQ(r->reg[0x408 / 4], 0xa5a5a5a5 & ~0x10u);
	bcm4908_hw_set_frame_len(&r->dev, 9222);
	CHECK_EQ(r->reg[0x414 / 4], 9222);
	CHECK_EQ(r->reg[0x00c / 4], 9222);
	bcm4908_hw_chan_enable(&r->dev, TX);
	CHECK_EQ(r->reg[0xa10 / 4], 1);
	CHECK_EQ(find_delay(r, 0), -1);
	return 0;
}

static unsigned int
count_writes(const struct recorder *r)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < r->nb; i++)
		n += r->log[i].what == WRITE;
	return n;
}

/* A block that is not there, or has no power: nothing is done to it. */
TEST(hw_no_answer)
{
	static const uint32_t vals[] = { 0xffffffff, 0, 0xdeadbeef, 0x0badc0de };
	struct recorder *r;
	int ret;

	for (unsigned int i = 0; i < RTE_DIM(vals); i++) {
		r = recorder_new();
		r->dead = true;
		r->dead_val = vals[i];
		log_catch();
		ret = bcm4908_hw_probe(&r->dev);
		CHECK(strstr(log_caught(), "power") != NULL, "%s", log_caught());
		CHECK_EQ(ret, -ENODEV);
		/* no more than a trial of the register that tells [4.2, step 1] */
		CHECK(count_writes(r) <= 2);
		for (unsigned int j = 0; j < r->nb; j++)
			CHECK_EQ(r->log[j].reg, 0x414);
	}
	return 0;
}

/* One that answers keeps the value that it is tried with. */
TEST(hw_probe_restores)
{
	static const uint32_t lens[] = { 0, 1518, 0x5fc, 0x3fff };
	struct recorder *r;

	for (unsigned int i = 0; i < RTE_DIM(lens); i++) {
		r = recorder_new();
		r->reg[0x414 / 4] = lens[i];
		CHECK_EQ(bcm4908_hw_probe(&r->dev), 0);
		CHECK_EQ(r->reg[0x414 / 4], lens[i]);
	}
	return 0;
}

/* A boot loader left everything running: silence first, and in this order [4.2, step 0]. */
TEST(hw_left_running)
{
	struct recorder *r = recorder_new();

	r->reg[0x414 / 4] = 1532;
	r->reg[0x408 / 4] = 0x010000db;
	r->reg[0x800 / 4] = 1;
	r->reg[0x024 / 4] = 1;
	r->reg[0xa08 / 4] = 7;
	r->reg[0xa18 / 4] = 7;
	r->running[RX] = true;
	r->running[TX] = true;
	CHECK_EQ(bcm4908_hw_probe(&r->dev), 0);
	CHECK(!r->running[RX] && !r->running[TX]);
	CHECK_ORDER(r,
		{ 0xa08, ALL, 0 },
		{ 0x408, ALL, 0x010000d8 },
		{ 0xa00, 6, 2 }, { 0xa00, ALL, 0 },
		{ 0xa10, 6, 2 }, { 0xa10, ALL, 0 },
		{ 0x800, ALL, 0 });
	CHECK(find_write(r, 0, 0xa18, ALL, 0) < find_write(r, 0, 0x408, 3, 0));
	CHECK_EQ(r->reg[0x024 / 4], 0);
	/* a channel that stands is not pushed */
	r = recorder_new();
	CHECK_EQ(bcm4908_hw_probe(&r->dev), 0);
	CHECK_EQ(find_write(r, 0, 0xa00, 6, 2), -1);
	CHECK_EQ(find_write(r, 0, 0x834, ALL, 1), -1);
	CHECK_EQ(r->us, 0);
	return 0;
}

/* The ways to halt a channel, in order; the next is tried when 2 ms are over [4.4]. */
TEST(hw_chan_stop)
{
	struct recorder *r;
	int pkt, burst, reset;
	int ret;

	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++) {
		for (enum obeys obeys = NOTHING; obeys <= DISABLE; obeys++) {
			const uint32_t cfg = 0xa00 + 0x10 * chan;

			r = recorder_new();
			r->obeys[chan] = obeys;
			r->running[chan] = true;
			r->running[1 - chan] = true;
			log_catch();
			ret = bcm4908_hw_chan_stop(&r->dev, chan);
			log_caught();
			CHECK_EQ(ret, obeys == NOTHING ? -EIO : 0);
			CHECK_EQ(r->running[chan], obeys == NOTHING);
			CHECK(r->running[1 - chan]);
			pkt = find_write(r, 0, cfg, 7, 2);
			burst = find_write(r, 0, cfg, 7, 4);
			reset = find_write(r, 0, 0x834, ALL, 1u << chan);
			CHECK(pkt >= 0);
			CHECK_EQ(burst >= 0, obeys < PKT_HALT);
			CHECK_EQ(reset >= 0, obeys < BURST_HALT);
			if (burst >= 0)
				CHECK(burst > pkt && delayed(r, pkt, burst) >= 500);
			if (reset >= 0) {
				CHECK(reset > burst && delayed(r, pkt, reset) >= 2000);
				CHECK(find_write(r, reset, 0x834, ALL, 0) > reset);
			}
			CHECK(r->us <= 10000, "%u us", r->us);
			/* only halts were written, never ENABLE */
			CHECK_EQ(find_write(r, 0, cfg, 1, 1), -1);
			CHECK_EQ(r->reg[cfg / 4], 0);
		}
	}
	return 0;
}

/* Everything off, in the order that lets nothing be lost or scribbled [4.4]. */
TEST(hw_stop_order)
{
	struct recorder *r = recorder_new();
	int rx_off, drain, pkt, last;

	CHECK_OK(bring_up(&r->dev, &config, RX_RING, TX_RING));
	bcm4908_hw_chan_enable(&r->dev, TX);
	r->nb = 0;
	r->us = 0;
	r->drain_us = 3000;
	CHECK_EQ(bcm4908_hw_stop(&r->dev), 0);
	CHECK_ORDER(r,
		{ 0x408, 3, 1 },	/* RX_EN off, the transmitter goes on */
		{ 0xa10, 1, 1 },	/* drain */
		{ 0xa00, 6, 2 }, { 0xa00, ALL, 0 },
		{ 0xa10, ALL, 0 },
		{ 0x800, 1, 0 },
		{ 0x408, 3, 0 },
		{ 0x034, 3, 3 }, { 0x034, 3, 0 });
	rx_off = find_write(r, 0, 0x408, 3, 1);
	drain = find_write(r, 0, 0xa10, 1, 1);
	pkt = find_write(r, 0, 0xa00, 6, 2);
	/* more than the longest frame's time, then until it is empty */
	CHECK(delayed(r, rx_off, drain) >= 75);
	CHECK(delayed(r, 0, pkt) >= 3000);
	CHECK(delayed(r, 0, pkt) < 3200);
	/* no halt for what has stopped by itself */
	CHECK_EQ(find_write(r, 0, 0xa10, 6, 2), -1);
	for (unsigned int i = 0; i < r->nb; i++)
		if (is_write(&r->log[i], 0x408, 2, 2))
			CHECK(false, "the receiver is switched on");
	/* all else of CMD is as it was */
	last = find_write(r, 0, 0x408, 3, 0);
	CHECK_EQ(r->log[last].val, 0x01000058);
	CHECK_EQ(r->reg[0xa00 / 4] | r->reg[0xa10 / 4] | r->reg[0x800 / 4] | r->reg[0x034 / 4], 0);
	return 0;
}

/* A line that takes nothing: 10 ms, not for ever. */
TEST(hw_stop_no_drain)
{
	struct recorder *r = recorder_new();
	int drain, halt;

	CHECK_OK(bring_up(&r->dev, &config, RX_RING, TX_RING));
	bcm4908_hw_chan_enable(&r->dev, TX);
	r->nb = 0;
	log_catch();
	CHECK_EQ(bcm4908_hw_stop(&r->dev), 0);
	CHECK(strstr(log_caught(), "line") != NULL);
	drain = find_write(r, 0, 0xa10, 1, 1);
	halt = find_write(r, drain, 0xa10, 6, 2);
	CHECK(halt > drain);
	CHECK(delayed(r, drain, halt) >= 10000 && delayed(r, drain, halt) < 15000);
	CHECK(!r->running[TX] && !r->running[RX]);
	return 0;
}

/* An engine that does not stop: said, and everything else is off all the same. */
TEST(hw_stop_stuck)
{
	struct recorder *r;
	int ret;

	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++) {
		r = recorder_new();
		CHECK_OK(bring_up(&r->dev, &config, RX_RING, TX_RING));
		bcm4908_hw_chan_enable(&r->dev, TX);
		r->obeys[chan] = NOTHING;
		log_catch();
		ret = bcm4908_hw_stop(&r->dev);
		CHECK(strstr(log_caught(), chan == RX ? "channel 0" : "channel 1") != NULL);
		CHECK_EQ(ret, -EIO);
		CHECK(!r->running[1 - chan]);
		CHECK_EQ(r->reg[0x800 / 4], 0);
		CHECK_EQ(r->reg[0x408 / 4] & 3, 0);
		log_catch();
		ret = bcm4908_hw_probe(&r->dev);
		log_caught();
		CHECK_EQ(ret, -EIO);
	}
	return 0;
}

/*
 * On the model, without ethdev: the procedures work, and so do the bursts.
 */

static const struct bcm4908_devargs manual = {
	.wire = "loop",
	.stepping = BCM4908_STEPPING_MANUAL,
	.cpu = -1,
	.coherent = true,
};

TEST(hw_model_registers)
{
	struct bcm4908_dev dev;

	CHECK_EQ(bcm4908_dev_model_create(&dev, "hw_model", &manual, 0), 0);
	CHECK_OK(bring_up(&dev, &config, 0x10000000, 0x20000000));
	CHECK_EQ(bcm4908_read(&dev, 0x408), 0x0100005b);
	CHECK_EQ(bcm4908_read(&dev, 0x414), 1532);
	CHECK_EQ(bcm4908_read(&dev, 0x028), 0x1a);
	CHECK_EQ(bcm4908_read(&dev, 0x800), 1);
	CHECK_EQ(bcm4908_read(&dev, 0x40c), 0x02112233);
	CHECK_EQ(bcm4908_read(&dev, 0x410), 0x4455);
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++) {
		CHECK_EQ(bcm4908_read(&dev, BCM4908_CHAN_INT_STAT(chan)), 0);
		CHECK_EQ(bcm4908_read(&dev, BCM4908_CHAN_INT_MASK(chan)), 0);
		CHECK_EQ(bcm4908_read(&dev, BCM4908_CHAN_MAX_BURST(chan)), 8);
	}
	/* the receive ring is nobody's memory */
	CHECK_EQ(bcm4908_dev_model_reports(&dev), 1);
	test_forgive(1);
	dev.ops->close(&dev);
	return 0;
}

/* Queues and bursts need a device and a pool, no more. */
TEST(hw_without_ethdev)
{
	struct rte_mempool *mp = pool_make(512, 0, RTE_MBUF_DEFAULT_BUF_SIZE);
	struct rte_mbuf *out, *in;
	struct bcm4908_hw_config cfg = config;
	struct bcm4908_dev dev;
	struct bcm4908_rxq *rxq;
	struct bcm4908_txq *txq;
	unsigned int reports;

	CHECK(mp != NULL);
	CHECK_EQ(bcm4908_dev_model_create(&dev, "hw_bursts", &manual, 0), 0);
	CHECK_EQ(bcm4908_rxq_create(&dev, 7, 64, 0, mp, 0, &rxq), 0);
	CHECK_EQ(bcm4908_txq_create(&dev, 7, 64, 0, false, 0, &txq), 0);
	CHECK_EQ(dev.ops->set_window(&dev, rxq->lo, rxq->hi), 0);
	cfg.loopback = true;
	for (unsigned int round = 0; round < 3; round++) {
		CHECK_EQ(bcm4908_hw_probe(&dev), 0);
		bcm4908_hw_mac_init(&dev, &cfg);
		CHECK_EQ(bcm4908_rxq_start(&dev, rxq, 1526), 0);
		bcm4908_txq_start(&dev, txq);
		bcm4908_hw_chan_init(&dev, TX, txq->dma.bus);
		bcm4908_hw_chan_init(&dev, RX, rxq->dma.bus);
		bcm4908_hw_dma_enable(&dev);
		bcm4908_hw_chan_enable(&dev, RX);
		bcm4908_hw_mac_enable(&dev, true, true);
		for (uint32_t i = 0; i < 200; i++) {
			out = mbuf_frame(mp, 60 + i, i);
			CHECK(out != NULL);
			CHECK_EQ(bcm4908_tx_burst_get(0)->fn(txq, &out, 1), 1);
			while (dev.ops->step(&dev, 8) != 0)
				;
			CHECK_EQ(bcm4908_rx_burst_get(0)->fn(rxq, &in, 1), 1);
			CHECK_EQ(in->port, 7);
			CHECK_OK(mbuf_check_bytes(in, 60 + i, i));
			rte_pktmbuf_free(in);
		}
		CHECK_EQ(bcm4908_hw_stop(&dev), 0);
		bcm4908_rxq_stop(rxq);
		bcm4908_txq_stop(txq);
		CHECK_EQ(rte_mempool_avail_count(mp), mp->size);
	}
	bcm4908_rxq_destroy(&dev, rxq);
	bcm4908_txq_destroy(&dev, txq);
	reports = bcm4908_dev_model_reports(&dev);
	dev.ops->close(&dev);
	CHECK_EQ(reports, 0);
	return pool_free_full(mp);
}
