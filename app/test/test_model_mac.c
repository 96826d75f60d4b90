/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* The device model's UniMAC and receive FIFO: the hardware reference's sections 2 to 4 and 10. */

#include <stdlib.h>
#include <string.h>

#include "test_model.h"

#define FRAME(seed) rig_frame(RIG_UCAST, RIG_IPV4, 60, seed)

/* Bits of CMD [2.2]. */
#define PROMISC 0x00000010u
#define PAD_REM 0x00000020u
#define CRC_FWD 0x00000040u
#define PAUSE_FWD 0x00000080u
#define RX_PAUSE_IGNORE 0x00000100u
#define TX_ADDR_INS 0x00000200u
#define LCL_LOOP 0x00008000u
#define CNTL_FRM_EN 0x00800000u
#define NO_LEN_CHK 0x01000000u
#define RMT_LOOP 0x02000000u
#define RUNT_FILTER_DIS 0x40000000u

/* Step a frame through; the length that the next descriptor then shows, 0: it stayed out. */
static uint32_t
pass(struct rig *rig, const uint8_t *frame, uint32_t len)
{
	uint32_t i = rig_read(rig, 0xc04);

	rig_rx_post(rig, i, 2048);
	rig_kick(rig, 0);
	rig_arrive(rig, frame, len);
	rig_run(rig);
	if ((rig_desc(rig, 0, i) & 0x8000) == 0)
		return rig_desc(rig, 0, i) >> 16;
	/* the channel waits with it: take it back the legal way */
	rig_write(rig, 0xa00, 0);
	return 0;
}

static const uint8_t *
passed(const struct rig *rig)
{
	return rig->buf[0][(rig_read(rig, 0xc04) + RIG_RING - 1) % RIG_RING];
}

/* --- frame check sequence --- */

TEST(model_fcs)
{
	const uint8_t *frame;
	uint32_t len;
	uint8_t *copy;

	CHECK_EQ(bcm4908_model_fcs((const uint8_t *)"123456789", 9), 0xcbf43926);
	for (len = 0; len < 1600; len++) {
		/* a copy of its own, so that a read past its end is seen */
		frame = rig_frame(RIG_UCAST, len, len, len);
		copy = malloc(len);
		memcpy(copy, frame, len);
		CHECK(bcm4908_model_fcs(copy, len) == rig_fcs(frame, len), "%u bytes", len);
		free(copy);
	}
	return 0;
}

/* --- receive filters --- */

TEST(model_rx_en)
{
	struct rig *rig = rig_open();
	uint32_t reg;

	rig_set_bits(rig, 0x408, 2, 0);
	CHECK(!bcm4908_model_rx_ready(rig->model, 60));
	CHECK_EQ(pass(rig, FRAME(0), 60), 0);
	for (reg = 0x200; reg < 0x2f8; reg += 4)
		CHECK(rig_read(rig, reg) == 0, "%#x", reg);
	rig_set_bits(rig, 0x408, 0, 2);
	CHECK(bcm4908_model_rx_ready(rig->model, 60));
	CHECK_EQ(pass(rig, FRAME(0), 60), 64);
	return rig_close(rig, 0);
}

TEST(model_promisc)
{
	struct rig *rig = rig_open();

	rig_write(rig, 0x40c, 0x02aabbcc);
	rig_write(rig, 0x410, 0xddee);
	CHECK_EQ(pass(rig, FRAME(0), 60), 64);
	rig_set_bits(rig, 0x408, PROMISC, 0);
	CHECK_EQ(pass(rig, FRAME(0), 60), 0);
	/* counted all the same: it was good */
	CHECK_EQ(rig_read(rig, 0x278), 2);
	return rig_close(rig, 0);
}

/* Own address in big-endian packing; one changed bit is another's [4.6, 10]. */
TEST(model_mac_match)
{
	const uint64_t own = 0x02aabbccddee;
	struct rig *rig = rig_open();
	unsigned int bit;

	rig_write(rig, 0x40c, 0x02aabbcc);
	rig_write(rig, 0x410, 0xddee);
	rig_set_bits(rig, 0x408, PROMISC, 0);
	CHECK_EQ(pass(rig, rig_frame(own, RIG_IPV4, 60, 0), 60), 64);
	for (bit = 0; bit < 48; bit++) {
		if (bit == 40)
			continue; /* the group bit */
		CHECK(pass(rig, rig_frame(own ^ UINT64_C(1) << bit, RIG_IPV4, 60, 0), 60) == 0,
		      "bit %u", bit);
	}
	return rig_close(rig, 0);
}

/* There is no multicast filter: all groups pass always [4.6]. */
TEST(model_multicast_passes)
{
	struct rig *rig = rig_open();

	rig_set_bits(rig, 0x408, PROMISC, 0);
	CHECK_EQ(pass(rig, rig_frame(RIG_MCAST, RIG_IPV4, 60, 0), 60), 64);
	CHECK_EQ(pass(rig, rig_frame(0x333300000001, 0x86dd, 60, 0), 60), 64);
	CHECK_EQ(pass(rig, rig_frame(RIG_BCAST, 0x0806, 60, 0), 60), 64);
	return rig_close(rig, 0);
}

TEST(model_bad_fcs)
{
	struct rig *rig = rig_open();

	rig_rx_fill(rig, 2);
	rig_arrive_bad(rig, FRAME(0), 60);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0) & 0x8000, 0x8000);
	CHECK_EQ(rig_read(rig, 0x200), 1);
	CHECK_EQ(rig_read(rig, 0x278), 0);
	return rig_close(rig, 0);
}

TEST(model_runt_filter)
{
	struct rig *rig = rig_open();

	CHECK_EQ(pass(rig, FRAME(0), 59), 0);
	CHECK_EQ(pass(rig, FRAME(0), 60), 64);
	rig_set_bits(rig, 0x408, 0, RUNT_FILTER_DIS);
	CHECK_EQ(pass(rig, FRAME(0), 59), 63);
	CHECK_EQ(pass(rig, FRAME(0), 14), 18);
	CHECK_EQ(pass(rig, FRAME(0), 1), 5);
	return rig_close(rig, 0);
}

/* Too short for what their type promises; each in memory of its own, which shows over-reads. */
TEST(model_rx_short_frames)
{
	static const uint16_t types[] = { RIG_IPV4, 0x8100, 0x8808, 100 };
	struct rig *rig = rig_open();
	uint32_t len, status;
	unsigned int i;
	uint8_t *copy;

	rig_set_bits(rig, 0x408, NO_LEN_CHK, RUNT_FILTER_DIS);
	for (i = 0; i < RTE_DIM(types); i++) {
		for (len = 1; len < 24; len++) {
			copy = malloc(len);
			memcpy(copy, rig_frame(RIG_MCAST, types[i], 24, 0), len);
			CHECK_EQ(pass(rig, copy, len), len + 4);
			CHECK(rig_same(passed(rig), copy, len, true), "%u bytes", len);
			free(copy);
			/* runt; from 14 bytes on its kind is known, from 18 on the tag or opcode */
			status = 0x100 | (len < 14 ? 0x040 : 0x004);
			if (len >= 18 && types[i] == 0x8100)
				status |= 0x020;
			if (len >= 18 && types[i] == 0x8808)
				status |= 0x010;
			if (types[i] == 100 && len >= 14)
				status |= 0x001;
			CHECK((rig_desc(rig, 0, (rig_read(rig, 0xc04) + RIG_RING - 1) % RIG_RING) &
			       0xfff) == status, "type %#x, %u bytes", types[i], len);
		}
	}
	return rig_close(rig, 0);
}

/* --- length limit [3.3, 10] --- */

TEST(model_frame_len)
{
	static const uint32_t limits[] = { 64, 1518, 1522, 1532, 1536, 2000 };
	struct rig *rig = rig_open();
	const uint8_t *frame;
	unsigned int i;
	uint32_t over;

	for (i = 0; i < RTE_DIM(limits); i++) {
		rig_write(rig, 0x414, limits[i]);
		frame = rig_frame(RIG_UCAST, RIG_IPV4, 2100, i);
		CHECK_EQ(pass(rig, frame, limits[i] - 4), limits[i]);
		CHECK(rig_same(passed(rig), frame, limits[i] - 4, true), "%u", limits[i]);
		/* longer ones are cut there, also within their FCS */
		for (over = 1; over <= 40; over += over < 6 ? 1 : 17) {
			CHECK_EQ(pass(rig, frame, limits[i] - 4 + over), limits[i]);
			CHECK_EQ(memcmp(passed(rig), frame,
					over < 4 ? limits[i] - 4 + over : limits[i]), 0);
			CHECK_EQ(passed(rig)[limits[i]], 0xa5);
		}
	}
	return rig_close(rig, 0);
}

TEST(model_frame_len_counts)
{
	struct rig *rig = rig_open();

	CHECK_EQ(pass(rig, rig_frame(RIG_UCAST, RIG_IPV4, 1515, 0), 1515), 1518);
	CHECK_EQ(rig_read(rig, 0x26c), 1);	/* Pkts */
	CHECK_EQ(rig_read(rig, 0x228), 1);	/* MtuErrs */
	CHECK_EQ(rig_read(rig, 0x220), 1);	/* Oversize */
	CHECK_EQ(rig_read(rig, 0x278), 0);	/* GoodPkts */
	return rig_close(rig, 0);
}

/* Changed while frames flow, as Linux does [4.5]. */
TEST(model_frame_len_live)
{
	struct rig *rig = rig_open();
	const uint8_t *frame = rig_frame(RIG_UCAST, RIG_IPV4, 1528, 0);

	rig_rx_fill(rig, 4);
	rig_arrive(rig, frame, 1528);
	rig_run(rig);
	rig_write(rig, 0x414, 1532);
	rig_arrive(rig, frame, 1528);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0) >> 16, 1518);
	CHECK_EQ(rig_desc(rig, 0, 1) >> 16, 1532);
	return rig_close(rig, 0);
}

/* --- FCS and padding towards memory --- */

TEST(model_crc_fwd)
{
	struct rig *rig = rig_open();
	const uint8_t *frame;
	uint32_t len;

	for (len = 60; len <= 1514; len += 727) {
		frame = rig_frame(RIG_UCAST, RIG_IPV4, len, len);
		CHECK_EQ(pass(rig, frame, len), len + 4);
		CHECK(rig_same(passed(rig), frame, len, true));
		rig_set_bits(rig, 0x408, CRC_FWD, 0);
		CHECK_EQ(pass(rig, frame, len), len);
		CHECK(rig_same(passed(rig), frame, len, false));
		CHECK_EQ(passed(rig)[len], 0xa5);
		rig_set_bits(rig, 0x408, 0, CRC_FWD);
	}
	return rig_close(rig, 0);
}

/* PAD_REM takes padding and FCS; only a length field tells the padding. */
TEST(model_pad_rem)
{
	static const struct {
		uint16_t type;
		uint32_t len;
		uint32_t want;
	} rows[] = {
		{ 3, 60, 17 }, { 45, 60, 59 }, { 46, 60, 60 }, { 100, 114, 114 }, { 100, 120, 114 },
		{ 1500, 1514, 1514 }, { 200, 114, 114 }, { 0, 60, 14 },
		{ RIG_IPV4, 60, 60 }, { 1536, 60, 60 },
		/* 1500 is the largest length field */
		{ 1500, 1520, 1514 }, { 1501, 1520, 1520 },
	};
	struct rig *rig = rig_open();
	unsigned int i;

	rig_write(rig, 0x414, 1600);
	rig_set_bits(rig, 0x408, 0, PAD_REM);
	for (i = 0; i < RTE_DIM(rows); i++) {
		CHECK(pass(rig, rig_frame(RIG_UCAST, rows[i].type, rows[i].len, i), rows[i].len) ==
		      rows[i].want, "row %u", i);
		CHECK(rig_same(passed(rig),
			       rig_frame(RIG_UCAST, rows[i].type, rows[i].len, i), rows[i].want,
			       false), "row %u", i);
	}
	return rig_close(rig, 0);
}

/* Behind a VLAN tag the length field stands four bytes later. */
TEST(model_pad_rem_vlan)
{
	struct rig *rig = rig_open();
	uint8_t frame[64];

	memcpy(frame, rig_frame(RIG_UCAST, 0x8100, 64, 0), 64);
	frame[16] = 0;
	frame[17] = 20;
	CHECK_EQ(pass(rig, frame, 64), 68);
	rig_set_bits(rig, 0x408, 0, PAD_REM);
	CHECK_EQ(pass(rig, frame, 64), 38);
	/* and is compared there */
	rig_set_bits(rig, 0x408, NO_LEN_CHK | PAD_REM, 0);
	frame[17] = 46;
	CHECK_EQ(pass(rig, frame, 64), 68);
	CHECK_EQ(rig_read(rig, 0x214), 0);
	frame[17] = 47;
	CHECK_EQ(pass(rig, frame, 64), 68);
	CHECK_EQ(rig_read(rig, 0x214), 1);
	return rig_close(rig, 0);
}

/* The length field is compared with the payload unless NO_LEN_CHK. */
TEST(model_no_len_chk)
{
	static const struct {
		uint16_t type;
		uint32_t len;
		bool wrong;
	} rows[] = {
		{ 46, 60, false }, { 3, 60, false }, { 100, 114, false }, { 1500, 1514, false },
		{ RIG_IPV4, 60, false }, { 47, 60, true }, { 3, 61, true }, { 100, 115, true },
		{ 100, 113, true }, { 1500, 1513, true }, { 1501, 1513, false },
	};
	struct rig *rig = rig_open();
	uint32_t good, excess;
	unsigned int i, check;

	for (check = 0; check < 2; check++) {
		for (i = 0; i < RTE_DIM(rows); i++) {
			good = rig_read(rig, 0x278);
			excess = rig_read(rig, 0x214);
			CHECK_EQ(pass(rig, rig_frame(RIG_UCAST, rows[i].type, rows[i].len, i),
				      rows[i].len), rows[i].len + 4);
			CHECK(rig_read(rig, 0x278) - good == !(rows[i].wrong && check), "row %u",
			      i);
			CHECK(rig_read(rig, 0x214) - excess == (rows[i].wrong && check), "row %u",
			      i);
		}
		rig_set_bits(rig, 0x408, NO_LEN_CHK, 0);
	}
	return rig_close(rig, 0);
}

/* --- PAUSE and control frames [2.2, 4.9] --- */

static const uint8_t *
pause_frame(uint64_t da, uint16_t quanta)
{
	static uint8_t frame[60];

	memset(frame, 0, sizeof(frame));
	memcpy(frame, rig_frame(da, 0x8808, 60, 0), 14);
	frame[15] = 1;
	frame[16] = (uint8_t)(quanta >> 8);
	frame[17] = (uint8_t)quanta;
	return frame;
}

/* Without a clock a quantum is a step. */
TEST(model_pause_steps)
{
	struct rig *rig = rig_open();
	unsigned int i;

	rig_tx_post(rig, 0, FRAME(0), 60, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_arrive(rig, pause_frame(RIG_PAUSE_DA, 3), 60);
	for (i = 0; i < 3; i++) {
		bcm4908_model_step(rig->model, 32);
		CHECK_EQ(rig->nb_sent, 0);
	}
	bcm4908_model_step(rig->model, 32);
	CHECK_EQ(rig->nb_sent, 1);
	return rig_close(rig, 0);
}

/* With one it is 512 bit times at 1 Gb/s. */
TEST(model_pause_clock)
{
	struct rig *rig = rig_open_clock();

	rig->now = 1000000;
	rig_tx_post(rig, 0, FRAME(0), 60, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_arrive(rig, pause_frame(RIG_PAUSE_DA, 0xffff), 60);
	rig_run(rig);
	rig->now += 0xffff * 512 - 1;
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 0);
	rig->now++;
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);

	/* a pause of 0 ends one */
	rig_tx_post(rig, 1, FRAME(0), 60, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_arrive(rig, pause_frame(RIG_PAUSE_DA, 100), 60);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	rig_arrive(rig, pause_frame(RIG_PAUSE_DA, 0), 60);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 2);

	/* so does a reset of the MAC, but no other write to CMD */
	rig_tx_post(rig, 2, FRAME(0), 60, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_arrive(rig, pause_frame(RIG_PAUSE_DA, 100), 60);
	rig_set_bits(rig, 0x408, PROMISC, 0);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 2);
	rig_set_bits(rig, 0x408, 0, 0x2000);
	rig_set_bits(rig, 0x408, 0x2000, 0);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 3);
	return rig_close(rig, 0);
}

TEST(model_pause_ignore)
{
	struct rig *rig = rig_open_clock();

	rig_set_bits(rig, 0x408, 0, RX_PAUSE_IGNORE);
	rig_tx_post(rig, 0, FRAME(0), 60, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_arrive(rig, pause_frame(RIG_PAUSE_DA, 100), 60);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK_EQ(rig_read(rig, 0x208), 1);
	return rig_close(rig, 0);
}

/* Addressed to the MAC itself it counts too, to another it does not. */
TEST(model_pause_address)
{
	struct rig *rig = rig_open_clock();

	rig_write(rig, 0x40c, 0x02aabbcc);
	rig_write(rig, 0x410, 0xddee);
	rig_tx_post(rig, 0, FRAME(0), 60, RIG_TX_WHOLE);
	rig_arrive(rig, pause_frame(RIG_UCAST, 100), 60);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	rig_tx_post(rig, 1, FRAME(0), 60, RIG_TX_WHOLE);
	rig_arrive(rig, pause_frame(0x02aabbccddee, 100), 60);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	return rig_close(rig, 0);
}

TEST(model_pause_fwd)
{
	struct rig *rig = rig_open();

	CHECK_EQ(pass(rig, pause_frame(RIG_PAUSE_DA, 0), 60), 64);
	rig_set_bits(rig, 0x408, PAUSE_FWD, 0);
	CHECK_EQ(pass(rig, pause_frame(RIG_PAUSE_DA, 0), 60), 0);
	CHECK_EQ(rig_read(rig, 0x208), 2);
	/* forwarded or not, the address filter holds, and consumed ones work with it too */
	rig_set_bits(rig, 0x408, PROMISC, PAUSE_FWD);
	CHECK_EQ(pass(rig, pause_frame(RIG_PAUSE_DA, 0), 60), 64);
	CHECK_EQ(pass(rig, pause_frame(RIG_UCAST, 0), 60), 0);
	rig_set_bits(rig, 0x408, PAUSE_FWD, 0);
	rig_tx_post(rig, 0, FRAME(0), 60, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_arrive(rig, pause_frame(RIG_PAUSE_DA, 2), 60);
	bcm4908_model_step(rig->model, 32);
	CHECK_EQ(rig->nb_sent, 0);
	return rig_close(rig, 0);
}

/* Control frames with another opcode pass with CNTL_FRM_EN only. */
TEST(model_cntl_frm_en)
{
	struct rig *rig = rig_open();
	uint8_t frame[60];

	memcpy(frame, pause_frame(RIG_PAUSE_DA, 5), 60);
	frame[15] = 2;
	CHECK_EQ(pass(rig, frame, 60), 0);
	rig_set_bits(rig, 0x408, 0, CNTL_FRM_EN);
	CHECK_EQ(pass(rig, frame, 60), 64);
	CHECK_EQ(rig_read(rig, 0x20c), 2);
	/* it pauses nothing */
	rig_tx_post(rig, 0, FRAME(0), 60, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	return rig_close(rig, 0);
}

/* --- transmit --- */

TEST(model_tx_addr_ins)
{
	struct rig *rig = rig_open();
	uint8_t want[60];

	rig_write(rig, 0x40c, 0x02aabbcc);
	rig_write(rig, 0x410, 0xddee);
	rig_set_bits(rig, 0x408, 0, TX_ADDR_INS);
	memcpy(want, FRAME(0), 60);
	memcpy(want + 6, "\x02\xaa\xbb\xcc\xdd\xee", 6);
	rig_tx_post(rig, 0, FRAME(0), 60, RIG_TX_WHOLE);
	rig_tx_post(rig, 1, FRAME(0), 10, 0x2100);
	rig_tx_post(rig, 2, FRAME(0) + 10, 50, 0x4100);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 2);
	CHECK(rig_same(rig->sent[0].data, want, 60, false));
	CHECK(rig_same(rig->sent[1].data, want, 60, false));
	/* the driver's buffer stays as it was */
	CHECK(rig_same(rig->buf[1][0], FRAME(0), 60, false));
	return rig_close(rig, 0);
}

/* TX_IPG_LEN.tx_min_pkt_len: shorter frames leave padded with zeros; 0 is off. */
TEST(model_tx_min_len)
{
	struct rig *rig = rig_open();
	uint32_t i;

	rig_tx_post(rig, 0, FRAME(0), 20, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->sent[0].len, 20);
	rig_write(rig, 0x45c, 64 << 8 | 12);
	rig_tx_post(rig, 1, FRAME(0), 20, RIG_TX_WHOLE);
	rig_tx_post(rig, 2, FRAME(0), 64, RIG_TX_WHOLE);
	rig_tx_post(rig, 3, FRAME(0), 65, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->sent[1].len, 64);
	CHECK_EQ(memcmp(rig->sent[1].data, FRAME(0), 20), 0);
	for (i = 20; i < 64; i++)
		CHECK(rig->sent[1].data[i] == 0, "byte %u", i);
	CHECK_EQ(rig->sent[2].len, 64);
	CHECK_EQ(rig->sent[3].len, 65);
	return rig_close(rig, 0);
}

/* Without APPEND_CRC the frame brings its own FCS, right or wrong [7]. */
TEST(model_tx_own_fcs)
{
	struct rig *rig = rig_open();
	uint8_t frame[64];
	uint32_t fcs, i;

	memcpy(frame, FRAME(0), 60);
	fcs = rig_fcs(frame, 60);
	for (i = 0; i < 4; i++)
		frame[60 + i] = (uint8_t)(fcs >> (8 * i));
	rig_tx_post(rig, 0, frame, 64, 0x6000);
	frame[63] ^= 1;
	rig_tx_post(rig, 1, frame, 64, 0x6000);
	rig_tx_post(rig, 2, frame, 4, 0x6000); /* an FCS of nothing */
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 2);
	CHECK_EQ(rig->sent[0].len, 60);
	CHECK(!rig->sent[0].bad_fcs);
	CHECK_EQ(rig->sent[1].len, 60);
	CHECK(rig->sent[1].bad_fcs);
	CHECK_EQ(rig_read(rig, 0x28c), 1);
	CHECK_EQ(rig_read(rig, 0x2f4), 1);
	return rig_close(rig, 0);
}

/* --- loopback [4.8] --- */

TEST(model_lcl_loop)
{
	struct rig *rig = rig_open();
	uint32_t i;

	rig_set_bits(rig, 0x408, 0, LCL_LOOP);
	rig_rx_fill(rig, 12);
	CHECK(!bcm4908_model_rx_ready(rig->model, 60));
	rig_arrive(rig, FRAME(9), 60); /* the line is cut off */
	for (i = 0; i < 8; i++)
		rig_tx_post(rig, i, rig_frame(RIG_UCAST, RIG_IPV4, 60 + 200 * i, i), 60 + 200 * i,
			    RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 0);
	for (i = 0; i < 8; i++) {
		CHECK_EQ(rig_desc(rig, 0, i) >> 16, 64 + 200 * i);
		CHECK(rig_same(rig->buf[0][i], rig_frame(RIG_UCAST, RIG_IPV4, 60 + 200 * i, i),
			       60 + 200 * i, true), "frame %u", i);
	}
	CHECK_EQ(rig_read(rig, 0x26c), 8);
	CHECK_EQ(rig_read(rig, 0x2e8), 8);
	return rig_close(rig, 0);
}

/* It holds the transmitter while the FIFO is full: nothing is lost. */
TEST(model_lcl_loop_backpressure)
{
	struct rig *rig = rig_open();
	uint32_t i, owned = 0;

	rig_set_bits(rig, 0x408, 0, LCL_LOOP);
	for (i = 0; i < RIG_RING - 1; i++)
		rig_tx_post(rig, i, rig_frame(RIG_UCAST, RIG_IPV4, 1514, i), 1514, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_run(rig);
	for (i = 0; i < RIG_RING - 1; i++)
		owned += (rig_desc(rig, 1, i) & 0x8000) != 0;
	CHECK_EQ(owned, RIG_RING - 1 - 10); /* ten such frames fill 16 KiB */
	CHECK_EQ(rig_read(rig, 0x030), 0);
	rig_rx_fill(rig, RIG_RING - 1);
	rig_run(rig);
	for (i = 0; i < RIG_RING - 1; i++)
		CHECK(rig_same(rig->buf[0][i], rig_frame(RIG_UCAST, RIG_IPV4, 1514, i), 1514, true),
		      "frame %u", i);
	return rig_close(rig, 0);
}

/* Both directions must be on; a receiver that is off takes nothing. */
TEST(model_lcl_loop_rx_off)
{
	struct rig *rig = rig_open();

	rig_set_bits(rig, 0x408, 2, LCL_LOOP);
	rig_rx_fill(rig, 2);
	rig_tx_post(rig, 0, FRAME(0), 60, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 1, 0) & 0x8000, 0);
	CHECK_EQ(rig_desc(rig, 0, 0) & 0x8000, 0x8000);
	CHECK_EQ(rig_read(rig, 0x26c), 0);
	return rig_close(rig, 0);
}

/* What arrives goes back to the line, at the system side: the DMA sees none of it. */
TEST(model_rmt_loop)
{
	struct rig *rig = rig_open();
	uint32_t i;

	rig_set_bits(rig, 0x408, 0, RMT_LOOP);
	rig_rx_fill(rig, 8);
	rig_tx_post(rig, 0, FRAME(9), 60, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig->line_busy = true;
	for (i = 0; i < 4; i++)
		rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60 + i, i), 60 + i);
	rig_run(rig);
	rig->line_busy = false;
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 4);
	for (i = 0; i < 4; i++) {
		CHECK_EQ(rig->sent[i].len, 60 + i);
		CHECK(rig_same(rig->sent[i].data, rig_frame(RIG_UCAST, RIG_IPV4, 60 + i, i), 60 + i,
			       false), "frame %u", i);
		CHECK(!rig->sent[i].bad_fcs);
	}
	CHECK_EQ(rig_desc(rig, 0, 0) & 0x8000, 0x8000);
	CHECK_EQ(rig_desc(rig, 1, 0) & 0x8000, 0x8000);
	rig_set_bits(rig, 0x408, RMT_LOOP, 0);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 5);
	rig_arrive(rig, FRAME(1), 60);
	rig_run(rig);
	CHECK(rig_same(rig->buf[0][0], FRAME(1), 60, true));
	return rig_close(rig, 0);
}

/* A step's budget holds here too, and a frame that was cut is sent with a wrong FCS. */
TEST(model_rmt_loop_budget)
{
	struct rig *rig = rig_open();
	uint32_t i;

	rig_set_bits(rig, 0x408, 0, RMT_LOOP);
	for (i = 0; i < 3; i++)
		rig_arrive(rig, FRAME(i), 60);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 1515, 0), 1515);
	CHECK_EQ(bcm4908_model_step(rig->model, 2), 2);
	CHECK_EQ(rig->nb_sent, 2);
	CHECK_EQ(bcm4908_model_step(rig->model, 2), 2);
	CHECK_EQ(rig->nb_sent, 4);
	CHECK(!rig->sent[2].bad_fcs);
	CHECK(rig->sent[3].bad_fcs);
	return rig_close(rig, 0);
}

/* Switched on while the receive DMA is in a frame: that goes back whole. */
TEST(model_rmt_loop_in_frame)
{
	struct rig *rig = rig_open();
	const uint8_t *frame = rig_frame(RIG_UCAST, RIG_IPV4, 150, 1);

	rig_rx_post(rig, 0, 64);
	rig_kick(rig, 0);
	rig_arrive(rig, frame, 150);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0), 64 << 16 | 0x2000);
	rig_set_bits(rig, 0x408, 0, RMT_LOOP);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK(rig_same(rig->sent[0].data, frame, 150, false));
	rig_set_bits(rig, 0x408, RMT_LOOP, 0);
	CHECK_EQ(pass(rig, FRAME(2), 60), 64);
	CHECK(rig_same(passed(rig), FRAME(2), 60, true));
	CHECK_EQ(rig_desc(rig, 0, 1) & 0x6000, 0x6000);
	return rig_close(rig, 0);
}

/* --- receive FIFO [2.1, 10, 11.3] --- */

/* 16 KiB in units of 16 bytes, one unit of them for each frame's status. */
TEST(model_fifo_depth)
{
	static const struct {
		uint32_t len;
		uint32_t frames;
	} rows[] = { { 60, 204 }, { 61, 170 }, { 252, 60 }, { 1514, 10 } };
	struct rig *rig = rig_open();
	unsigned int i, n;

	for (i = 0; i < RTE_DIM(rows); i++) {
		rig_write(rig, 0x034, 1);
		rig_write(rig, 0x034, 0);
		rig_write(rig, 0x004, 1);
		rig_write(rig, 0x004, 0);
		for (n = 0; bcm4908_model_rx_ready(rig->model, rows[i].len); n++)
			rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, rows[i].len, n),
				   rows[i].len);
		CHECK_EQ(n, rows[i].frames);
		CHECK_EQ(rig_read(rig, 0x030), 0);
		CHECK_EQ(rig_read(rig, 0x02c), 0);
		for (n = 1; n <= 3; n++) {
			rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, rows[i].len, n),
				   rows[i].len);
			CHECK_EQ(rig_read(rig, 0x030), n);
		}
		CHECK_EQ(rig_read(rig, 0x02c), 1);
		rig_write(rig, 0x02c, 1);
		/* the MAC had received them all right */
		CHECK_EQ(rig_read(rig, 0x278), rows[i].frames + 3);
	}
	return rig_close(rig, 0);
}

TEST(model_fifo_size)
{
	struct bcm4908_model_knobs knobs = { .fifo_size = 240 };
	struct rig *rig = rig_open();

	bcm4908_model_set_knobs(rig->model, &knobs);
	rig_arrive(rig, FRAME(0), 60);
	rig_arrive(rig, FRAME(1), 60);
	CHECK(bcm4908_model_rx_ready(rig->model, 60));
	rig_arrive(rig, FRAME(2), 60);
	CHECK(!bcm4908_model_rx_ready(rig->model, 60));
	rig_arrive(rig, FRAME(3), 60);
	CHECK_EQ(rig_read(rig, 0x030), 1);
	rig_rx_fill(rig, 1);
	rig_run(rig);
	CHECK(bcm4908_model_rx_ready(rig->model, 60));
	knobs.fifo_size = 0;
	bcm4908_model_set_knobs(rig->model, &knobs);
	CHECK(bcm4908_model_rx_ready(rig->model, 1514));

	/* never more than there is */
	knobs.fifo_size = 1 << 20;
	bcm4908_model_set_knobs(rig->model, &knobs);
	while (bcm4908_model_rx_ready(rig->model, 60))
		rig_arrive(rig, FRAME(0), 60);
	CHECK_EQ(rig_read(rig, 0x26c), 4 + 204 - 2);
	return rig_close(rig, 0);
}

/* An empty FIFO takes a frame of any length that the MAC takes. */
TEST(model_fifo_largest)
{
	struct rig *rig = rig_open();
	const uint8_t *frame = rig_frame(RIG_UCAST, RIG_IPV4, 16383, 1);
	uint32_t i, at = 0;

	rig_write(rig, 0x414, 0x3fff);
	CHECK(bcm4908_model_rx_ready(rig->model, 16379));
	rig_arrive(rig, frame, 16379);
	CHECK(!bcm4908_model_rx_ready(rig->model, 60));
	rig_rx_fill(rig, 12);
	rig_run(rig);
	for (i = 0; i < 11; i++) {
		CHECK_EQ(memcmp(rig->buf[0][i], frame + at,
				i < 10 ? 1536 : 16379 - at), 0);
		at += rig_desc(rig, 0, i) >> 16;
	}
	CHECK_EQ(at, 16383);
	return rig_close(rig, 0);
}

/* Frames of all sizes pass in order and whole, whatever the FIFO holds in between. */
TEST(model_fifo_order)
{
	struct rig *rig = rig_open();
	uint32_t in = 0, out = 0, i, len, lens[4096];

	srandom(7);
	rig_write(rig, 0x414, 0x3fff);
	while (out < 3000) {
		if (random() % 50 == 0) {
			rig_write(rig, 0x034, 1);
			rig_write(rig, 0x034, 0);
			out = in;
		}
		while (in < 4096) {
			len = random() % 8 == 0 ? 60 + random() % 4000 : 60 + random() % 100;
			if (!bcm4908_model_rx_ready(rig->model, len) || random() % 64 == 0)
				break;
			rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, len, in), len);
			lens[in++] = len;
		}
		for (i = random() % 40; i > 0 && out < in; i--) {
			rig_rx_post(rig, out % RIG_RING, 4095);
			rig_kick(rig, 0);
			bcm4908_model_step(rig->model, 1);
			CHECK_EQ(rig_desc(rig, 0, out % RIG_RING) >> 16, lens[out] + 4);
			CHECK(rig_same(rig->buf[0][out % RIG_RING],
				       rig_frame(RIG_UCAST, RIG_IPV4, lens[out], out), lens[out],
				       true), "frame %u", out);
			out++;
		}
	}
	CHECK_EQ(rig_read(rig, 0x030), 0);
	return rig_close(rig, 0);
}
