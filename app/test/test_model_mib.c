/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* The device model's MIB counters: the hardware reference's section 6. */

#include <string.h>

#include "test_model.h"

#define ROWS 62
#define BASE 0x200

/* Section 6's table, as offsets from the block's base. */
enum {
	RX_FCS_ERRS = 0x00, RX_CTRL = 0x04, RX_PAUSE = 0x08, RX_UNKNOWN_OP = 0x0c,
	RX_ALIGN_ERRS = 0x10, RX_EXCESS_SIZE = 0x14, RX_SYMBOL_ERR = 0x18, RX_CARRIER = 0x1c,
	RX_OVERSIZE = 0x20, RX_JABBER = 0x24, RX_MTU_ERRS = 0x28, RX_RUNT = 0x2c,
	RX_UNDERSIZE = 0x30, RX_FRAGMENTS = 0x34, RX_RUNT_OCTETS = 0x38, RX_MULTICAST = 0x3c,
	RX_BROADCAST = 0x40, RX_64 = 0x44, RX_65 = 0x48, RX_128 = 0x4c, RX_256 = 0x50,
	RX_512 = 0x54, RX_1024 = 0x58, RX_1519 = 0x5c, RX_1523 = 0x60, RX_2048 = 0x64,
	RX_4096 = 0x68, RX_PKTS = 0x6c, RX_OCTETS = 0x70, RX_UNICAST = 0x74, RX_GOOD = 0x78,
	RX_PPP = 0x7c, RX_CRC_MATCH = 0x80,
	TX_PAUSE = 0x84, TX_JABBER = 0x88, TX_FCS_ERRS = 0x8c, TX_CTRL = 0x90,
	TX_OVERSIZE = 0x94, TX_DEFERRED = 0x98, TX_EXCESSIVE_DEFER = 0x9c, TX_SINGLE_COL = 0xa0,
	TX_MULTI_COL = 0xa4, TX_LATE_COL = 0xa8, TX_EXCESSIVE_COL = 0xac, TX_FRAGMENTS = 0xb0,
	TX_TOTAL_COL = 0xb4, TX_MULTICAST = 0xb8, TX_BROADCAST = 0xbc, TX_64 = 0xc0,
	TX_65 = 0xc4, TX_128 = 0xc8, TX_256 = 0xcc, TX_512 = 0xd0, TX_1024 = 0xd4,
	TX_1519 = 0xd8, TX_1523 = 0xdc, TX_2048 = 0xe0, TX_4096 = 0xe4, TX_PKTS = 0xe8,
	TX_OCTETS = 0xec, TX_UNICAST = 0xf0, TX_GOOD = 0xf4,
	END = -1,
};

/* Rows that nothing moves in a model whose line has no bit errors, no collisions and no MACsec. */
static const int still[] = {
	RX_ALIGN_ERRS, RX_SYMBOL_ERR, RX_CARRIER, RX_CRC_MATCH, TX_DEFERRED, TX_EXCESSIVE_DEFER,
	TX_SINGLE_COL, TX_MULTI_COL, TX_LATE_COL, TX_EXCESSIVE_COL, TX_TOTAL_COL,
};

/*
 * One frame and the rows that count it by 1. Pkts and Octets count every
 * frame, with its length on the line; RuntOctets goes with Runt.
 */
struct stimulus {
	const char *name;
	uint64_t da;
	uint16_t type;
	uint16_t opcode;	/* the two bytes after the type, unless 0 */
	uint32_t len;		/* with FCS */
	bool bad_fcs;
	int rows[8];		/* ends with END */
};

static const struct stimulus rx_stimuli[] = {
	{ "64", RIG_UCAST, RIG_IPV4, 0, 64, false, { RX_64, RX_UNICAST, RX_GOOD, END } },
	{ "65", RIG_UCAST, RIG_IPV4, 0, 65, false, { RX_65, RX_UNICAST, RX_GOOD, END } },
	{ "127", RIG_UCAST, RIG_IPV4, 0, 127, false, { RX_65, RX_UNICAST, RX_GOOD, END } },
	{ "128", RIG_UCAST, RIG_IPV4, 0, 128, false, { RX_128, RX_UNICAST, RX_GOOD, END } },
	{ "255", RIG_UCAST, RIG_IPV4, 0, 255, false, { RX_128, RX_UNICAST, RX_GOOD, END } },
	{ "256", RIG_UCAST, RIG_IPV4, 0, 256, false, { RX_256, RX_UNICAST, RX_GOOD, END } },
	{ "511", RIG_UCAST, RIG_IPV4, 0, 511, false, { RX_256, RX_UNICAST, RX_GOOD, END } },
	{ "512", RIG_UCAST, RIG_IPV4, 0, 512, false, { RX_512, RX_UNICAST, RX_GOOD, END } },
	{ "1023", RIG_UCAST, RIG_IPV4, 0, 1023, false, { RX_512, RX_UNICAST, RX_GOOD, END } },
	{ "1024", RIG_UCAST, RIG_IPV4, 0, 1024, false, { RX_1024, RX_UNICAST, RX_GOOD, END } },
	{ "1518", RIG_UCAST, RIG_IPV4, 0, 1518, false, { RX_1024, RX_UNICAST, RX_GOOD, END } },
	{ "1519", RIG_UCAST, RIG_IPV4, 0, 1519, false, { RX_1519, RX_UNICAST, RX_GOOD, END } },
	{ "1522", RIG_UCAST, RIG_IPV4, 0, 1522, false, { RX_1519, RX_UNICAST, RX_GOOD, END } },
	{ "1523", RIG_UCAST, RIG_IPV4, 0, 1523, false, { RX_1523, RX_UNICAST, RX_GOOD, END } },
	{ "2047", RIG_UCAST, RIG_IPV4, 0, 2047, false, { RX_1523, RX_UNICAST, RX_GOOD, END } },
	{ "2048", RIG_UCAST, RIG_IPV4, 0, 2048, false, { RX_2048, RX_UNICAST, RX_GOOD, END } },
	{ "4095", RIG_UCAST, RIG_IPV4, 0, 4095, false, { RX_2048, RX_UNICAST, RX_GOOD, END } },
	{ "4096", RIG_UCAST, RIG_IPV4, 0, 4096, false, { RX_4096, RX_UNICAST, RX_GOOD, END } },
	{ "9216", RIG_UCAST, RIG_IPV4, 0, 9216, false, { RX_4096, RX_UNICAST, RX_GOOD, END } },
	{ "9217", RIG_UCAST, RIG_IPV4, 0, 9217, false, { RX_UNICAST, RX_GOOD, END } },
	{ "too long", RIG_UCAST, RIG_IPV4, 0, 10001, false,
	  { RX_UNICAST, RX_MTU_ERRS, RX_OVERSIZE, END } },
	{ "too long, bad", RIG_UCAST, RIG_IPV4, 0, 10001, true, { RX_MTU_ERRS, RX_JABBER, END } },
	{ "longest", RIG_UCAST, RIG_IPV4, 0, 10000, false, { RX_UNICAST, RX_GOOD, END } },
	{ "longest, bad", RIG_UCAST, RIG_IPV4, 0, 10000, true, { RX_FCS_ERRS, END } },
	{ "63", RIG_UCAST, RIG_IPV4, 0, 63, false, { RX_RUNT, RX_UNDERSIZE, END } },
	{ "10", RIG_UCAST, RIG_IPV4, 0, 10, false, { RX_RUNT, RX_UNDERSIZE, END } },
	{ "63, bad", RIG_UCAST, RIG_IPV4, 0, 63, true, { RX_RUNT, RX_FRAGMENTS, END } },
	{ "bad", RIG_UCAST, RIG_IPV4, 0, 100, true, { RX_65, RX_FCS_ERRS, END } },
	{ "multicast", RIG_MCAST, RIG_IPV4, 0, 64, false, { RX_64, RX_MULTICAST, RX_GOOD, END } },
	{ "broadcast", RIG_BCAST, RIG_IPV4, 0, 64, false, { RX_64, RX_BROADCAST, RX_GOOD, END } },
	{ "nearly broadcast", 0xfffffffffffe, RIG_IPV4, 0, 64, false,
	  { RX_64, RX_MULTICAST, RX_GOOD, END } },
	{ "pause", RIG_PAUSE_DA, 0x8808, 1, 64, false,
	  { RX_64, RX_MULTICAST, RX_CTRL, RX_PAUSE, RX_GOOD, END } },
	{ "other control", RIG_PAUSE_DA, 0x8808, 0x0101, 64, false,
	  { RX_64, RX_MULTICAST, RX_CTRL, RX_UNKNOWN_OP, RX_GOOD, END } },
	{ "wrong length", RIG_UCAST, 100, 0, 200, false,
	  { RX_128, RX_UNICAST, RX_EXCESS_SIZE, END } },
	{ "PPP", RIG_UCAST, 0x8864, 0, 64, false, { RX_64, RX_UNICAST, RX_PPP, RX_GOOD, END } },
};

static const struct stimulus tx_stimuli[] = {
	{ "64", RIG_UCAST, RIG_IPV4, 0, 64, false, { TX_64, TX_UNICAST, TX_GOOD, END } },
	{ "65", RIG_UCAST, RIG_IPV4, 0, 65, false, { TX_65, TX_UNICAST, TX_GOOD, END } },
	{ "127", RIG_UCAST, RIG_IPV4, 0, 127, false, { TX_65, TX_UNICAST, TX_GOOD, END } },
	{ "128", RIG_UCAST, RIG_IPV4, 0, 128, false, { TX_128, TX_UNICAST, TX_GOOD, END } },
	{ "256", RIG_UCAST, RIG_IPV4, 0, 256, false, { TX_256, TX_UNICAST, TX_GOOD, END } },
	{ "512", RIG_UCAST, RIG_IPV4, 0, 512, false, { TX_512, TX_UNICAST, TX_GOOD, END } },
	{ "1024", RIG_UCAST, RIG_IPV4, 0, 1024, false, { TX_1024, TX_UNICAST, TX_GOOD, END } },
	{ "1518", RIG_UCAST, RIG_IPV4, 0, 1518, false, { TX_1024, TX_UNICAST, TX_GOOD, END } },
	{ "1519", RIG_UCAST, RIG_IPV4, 0, 1519, false, { TX_1519, TX_UNICAST, TX_GOOD, END } },
	{ "1523", RIG_UCAST, RIG_IPV4, 0, 1523, false, { TX_1523, TX_UNICAST, TX_GOOD, END } },
	{ "2048", RIG_UCAST, RIG_IPV4, 0, 2048, false, { TX_2048, TX_UNICAST, TX_GOOD, END } },
	{ "4096", RIG_UCAST, RIG_IPV4, 0, 4096, false, { TX_4096, TX_UNICAST, TX_GOOD, END } },
	{ "9217", RIG_UCAST, RIG_IPV4, 0, 9217, false, { TX_UNICAST, TX_GOOD, END } },
	{ "too long", RIG_UCAST, RIG_IPV4, 0, 10001, false,
	  { TX_UNICAST, TX_OVERSIZE, TX_GOOD, END } },
	{ "too long, bad", RIG_UCAST, RIG_IPV4, 0, 10001, true, { TX_JABBER, END } },
	{ "longest", RIG_UCAST, RIG_IPV4, 0, 10000, false, { TX_UNICAST, TX_GOOD, END } },
	{ "longest, bad", RIG_UCAST, RIG_IPV4, 0, 10000, true, { TX_FCS_ERRS, END } },
	{ "64, bad", RIG_UCAST, RIG_IPV4, 0, 64, true, { TX_64, TX_FCS_ERRS, END } },
	{ "63", RIG_UCAST, RIG_IPV4, 0, 63, false, { TX_UNICAST, END } },
	{ "63, bad", RIG_UCAST, RIG_IPV4, 0, 63, true, { TX_FRAGMENTS, END } },
	{ "bad", RIG_UCAST, RIG_IPV4, 0, 100, true, { TX_65, TX_FCS_ERRS, END } },
	{ "multicast", RIG_MCAST, RIG_IPV4, 0, 64, false, { TX_64, TX_MULTICAST, TX_GOOD, END } },
	{ "broadcast", RIG_BCAST, RIG_IPV4, 0, 64, false, { TX_64, TX_BROADCAST, TX_GOOD, END } },
	{ "pause", RIG_PAUSE_DA, 0x8808, 1, 64, false,
	  { TX_64, TX_MULTICAST, TX_CTRL, TX_PAUSE, TX_GOOD, END } },
	{ "other control", RIG_PAUSE_DA, 0x8808, 0x0101, 64, false,
	  { TX_64, TX_MULTICAST, TX_CTRL, TX_GOOD, END } },
};

static const uint8_t *
stimulus_frame(const struct stimulus *st)
{
	static uint8_t frame[RIG_FRAME_MAX];

	memcpy(frame, rig_frame(st->da, st->type, st->len, 0), st->len);
	if (st->opcode != 0) {
		frame[14] = (uint8_t)(st->opcode >> 8);
		frame[15] = (uint8_t)st->opcode;
		frame[16] = 0; /* a pause of no length */
		frame[17] = 0;
	}
	return frame;
}

static void
rx_apply(struct rig *rig, const struct stimulus *st)
{
	const uint8_t *frame = stimulus_frame(st);

	if (st->bad_fcs)
		rig_arrive_bad(rig, frame, st->len - 4);
	else
		rig_arrive(rig, frame, st->len - 4);
}

/* In pieces of at most 4095 bytes; a bad frame brings its own, wrong FCS. */
static void
tx_apply(struct rig *rig, const struct stimulus *st)
{
	uint32_t len = st->bad_fcs ? st->len : st->len - 4, at, n;
	uint32_t i = rig_read(rig, 0xc14), crc = st->bad_fcs ? 0 : 0x0100;
	const uint8_t *frame = stimulus_frame(st);

	for (at = 0; at < len; at += n, i = (i + 1) % RIG_RING) {
		n = len - at < 4095 ? len - at : 4095;
		rig_tx_post(rig, i, frame + at, n, crc | (at == 0 ? 0x2000 : 0) |
			    (at + n == len ? 0x4000 : 0));
	}
	rig_kick(rig, 1);
	rig_run(rig);
}

static struct rig *
mib_rig(void)
{
	struct rig *rig = rig_open();

	rig_write(rig, 0x414, 10000);
	rig_set_bits(rig, 0x408, 0x01000000, 0); /* compare lengths */
	return rig;
}

static void
mib_expect(const struct stimulus *st, int pkts, int octets, uint32_t want[ROWS])
{
	unsigned int i;

	memset(want, 0, ROWS * sizeof(want[0]));
	want[pkts / 4] = 1;
	want[octets / 4] = st->len;
	for (i = 0; st->rows[i] != END; i++)
		want[st->rows[i] / 4]++;
	if (want[RX_RUNT / 4] != 0)
		want[RX_RUNT_OCTETS / 4] = st->len;
}

/* Apply each stimulus alone: exactly its rows move, all 62 are compared. */
static int
mib_drive(const struct stimulus *stimuli, unsigned int nb, int pkts, int octets,
	  void (*apply)(struct rig *rig, const struct stimulus *st))
{
	struct rig *rig = mib_rig();
	uint32_t want[ROWS];
	unsigned int i, row;

	for (i = 0; i < nb; i++) {
		rig_write(rig, 0x034, 1);
		rig_write(rig, 0x034, 0);
		rig_write(rig, 0x004, 1);
		rig_write(rig, 0x004, 0);
		apply(rig, &stimuli[i]);
		mib_expect(&stimuli[i], pkts, octets, want);
		for (row = 0; row < ROWS; row++)
			CHECK(rig_read(rig, BASE + 4 * row) == want[row],
			      "%s: offset %#x is %u, want %u", stimuli[i].name, 4 * row,
			      rig_read(rig, BASE + 4 * row), want[row]);
	}
	return rig_close(rig, 0);
}

TEST(model_mib_rx)
{
	return mib_drive(rx_stimuli, RTE_DIM(rx_stimuli), RX_PKTS, RX_OCTETS, rx_apply);
}

TEST(model_mib_tx)
{
	return mib_drive(tx_stimuli, RTE_DIM(tx_stimuli), TX_PKTS, TX_OCTETS, tx_apply);
}

/* Between the rows that traffic moves and those that nothing can move, no row is forgotten. */
TEST(model_mib_order)
{
	bool known[ROWS] = { false };
	unsigned int i, n, row;

	for (i = 0; i < RTE_DIM(still); i++)
		known[still[i] / 4] = true;
	for (i = 0; i < RTE_DIM(rx_stimuli); i++)
		for (n = 0; rx_stimuli[i].rows[n] != END; n++) {
			CHECK(rx_stimuli[i].rows[n] <= RX_CRC_MATCH);
			known[rx_stimuli[i].rows[n] / 4] = true;
		}
	for (i = 0; i < RTE_DIM(tx_stimuli); i++)
		for (n = 0; tx_stimuli[i].rows[n] != END; n++) {
			CHECK(tx_stimuli[i].rows[n] >= TX_PAUSE);
			known[tx_stimuli[i].rows[n] / 4] = true;
		}
	known[RX_PKTS / 4] = known[RX_OCTETS / 4] = known[RX_RUNT_OCTETS / 4] = true;
	known[TX_PKTS / 4] = known[TX_OCTETS / 4] = true;
	for (row = 0; row < ROWS; row++)
		CHECK(known[row], "offset %#x", 4 * row);
	return 0;
}

/* All 62 are there, wrap at 2^32 and are cleared. */
TEST(model_mib_wrap)
{
	struct rig *rig = mib_rig();
	unsigned int row;

	for (row = 0; row < ROWS; row++)
		__atomic_store_n(&rig->shared->reg[BASE / 4 + row], 0xffffffff, __ATOMIC_RELAXED);
	rx_apply(rig, &rx_stimuli[0]);
	tx_apply(rig, &tx_stimuli[0]);
	CHECK_EQ(rig_read(rig, BASE + RX_PKTS), 0);
	CHECK_EQ(rig_read(rig, BASE + RX_OCTETS), 63);
	CHECK_EQ(rig_read(rig, BASE + RX_64), 0);
	CHECK_EQ(rig_read(rig, BASE + RX_GOOD), 0);
	CHECK_EQ(rig_read(rig, BASE + TX_PKTS), 0);
	CHECK_EQ(rig_read(rig, BASE + TX_OCTETS), 63);
	CHECK_EQ(rig_read(rig, BASE + TX_GOOD), 0);
	CHECK_EQ(rig_read(rig, BASE + RX_FCS_ERRS), 0xffffffff);
	CHECK_EQ(rig_read(rig, BASE + TX_1519), 0xffffffff);
	rig_write(rig, 0x004, 1);
	rig_write(rig, 0x004, 0);
	for (row = 0; row < ROWS; row++)
		CHECK(rig_read(rig, BASE + 4 * row) == 0, "offset %#x", 4 * row);
	return rig_close(rig, 0);
}

/* Reading changes nothing [10]. */
TEST(model_mib_read_keeps)
{
	struct rig *rig = mib_rig();
	unsigned int i, row;

	rx_apply(rig, &rx_stimuli[0]);
	for (i = 0; i < 3; i++)
		for (row = 0; row < ROWS; row++)
			rig_read(rig, BASE + 4 * row);
	CHECK_EQ(rig_read(rig, BASE + RX_PKTS), 1);
	CHECK_EQ(rig_read(rig, BASE + RX_OCTETS), 64);
	return rig_close(rig, 0);
}

/* The oversize threshold is MIB_MAX_PKT_SIZE, with 0 the frame length limit [2.1, 11.4]. */
TEST(model_mib_max_pkt_size)
{
	static const struct {
		uint32_t max;
		uint32_t frame_len;
		uint32_t oversize;	/* the shortest frame that counts */
	} rows[] = {
		{ 0, 1518, 1519 }, { 1200, 1518, 1201 }, { 1800, 1000, 1801 }, { 1400, 1518, 1401 },
		{ 0, 1000, 1001 },
	};
	struct stimulus st = { .da = RIG_UCAST, .type = RIG_IPV4 };
	struct rig *rig = rig_open();
	uint32_t old;
	unsigned int i;

	for (i = 0; i < RTE_DIM(rows); i++) {
		/* either may be written last */
		if (i % 2 == 0)
			rig_write(rig, 0x00c, rows[i].max);
		rig_write(rig, 0x414, rows[i].frame_len);
		if (i % 2 == 1)
			rig_write(rig, 0x00c, rows[i].max);
		for (st.len = rows[i].oversize - 1; st.len <= rows[i].oversize; st.len++) {
			old = rig_read(rig, BASE + RX_OVERSIZE);
			rx_apply(rig, &st);
			CHECK(rig_read(rig, BASE + RX_OVERSIZE) - old ==
			      (st.len == rows[i].oversize), "row %u, %u bytes", i, st.len);
			old = rig_read(rig, BASE + TX_OVERSIZE);
			tx_apply(rig, &st);
			CHECK(rig_read(rig, BASE + TX_OVERSIZE) - old ==
			      (st.len == rows[i].oversize), "row %u, %u bytes", i, st.len);
		}
	}
	return rig_close(rig, 0);
}
