/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* The device model's register file and interrupts: the hardware reference's sections 2 and 5. */

#include <string.h>

#include "test_model.h"

/* --- reset values and access types [2] --- */

TEST(model_reset_values)
{
	struct bcm4908_model_env env = { 0 };
	static struct bcm4908_model_shared shared;
	struct bcm4908_model *model;
	uint32_t reg, want;

	memset(&shared, 0, sizeof(shared));
	model = bcm4908_model_create(&shared, &env);
	CHECK(model != NULL);
	for (reg = 0; reg < 0x1000; reg += 4) {
		want = reg == 0x408 ? 0x010000d8 : reg == 0x414 ? 1518 : reg == 0x444 ? 0x1a : 0;
		CHECK(bcm4908_model_read(&shared, reg) == want, "register %#x reads %#x", reg,
		      bcm4908_model_read(&shared, reg));
	}
	bcm4908_model_destroy(model);
	return 0;
}

/* Registers that keep what is written, and which of their bits exist. */
static const struct {
	uint32_t reg;
	uint32_t bits;
} plain[] = {
	{ 0x00c, 0x3fff }, { 0x024, 1 }, { 0x028, 0x1f }, { 0x03c, 1 }, { 0x040, 0xf },
	{ 0x404, 0x7f }, { 0x40c, 0xffffffff }, { 0x410, 0xffff }, { 0x414, 0x3fff },
	{ 0x418, 0xffff }, { 0x448, 0x1ffff }, { 0x44c, 0x1ffff }, { 0x45c, 0x7f7f },
	{ 0x478, 1 }, { 0x730, 0x3ffff }, { 0xa08, 0xf }, { 0xa18, 0xf },
	{ 0xc00, 0xffffffff }, { 0xc04, 0xcfff1fff }, { 0xc08, 0xffffffff }, { 0xc0c, 0xffffffff },
	{ 0xc10, 0xffffffff }, { 0xc14, 0xcfff1fff }, { 0xc18, 0xffffffff }, { 0xc1c, 0xffffffff },
	{ 0x800, 0xffffffff }, { 0x804, 0xffffffff }, { 0x808, 0xffffffff },
	{ 0xa0c, 0xff }, { 0xa1c, 0xff },
};

TEST(model_access_plain)
{
	struct rig *rig = rig_open();
	unsigned int i;

	for (i = 0; i < RTE_DIM(plain); i++) {
		rig_write(rig, plain[i].reg, 0xa5a5a5a5 & plain[i].bits);
		CHECK(rig_read(rig, plain[i].reg) == (0xa5a5a5a5 & plain[i].bits), "%#x",
		      plain[i].reg);
		rig_write(rig, plain[i].reg, 0x5a5a5a5a & plain[i].bits);
		CHECK(rig_read(rig, plain[i].reg) == (0x5a5a5a5a & plain[i].bits), "%#x",
		      plain[i].reg);
	}
	return rig_close(rig, 0);
}

/* [10]: what is not published is storage without effect. */
TEST(model_access_undocumented)
{
	static const uint32_t regs[] = { 0x000, 0x008, 0x020, 0x044, 0x440, 0x710, 0x714, 0x844 };
	struct rig *rig = rig_open();
	const uint8_t *frame;
	unsigned int i;

	for (i = 0; i < RTE_DIM(regs); i++) {
		rig_write(rig, regs[i], 0xffffffff);
		CHECK_EQ(rig_read(rig, regs[i]), 0xffffffff);
	}
	rig_write(rig, 0x038, 0xfff);
	CHECK_EQ(rig_read(rig, 0x038), 0xfff);

	/* traffic goes on as before */
	rig_rx_fill(rig, 2);
	frame = rig_frame(RIG_UCAST, RIG_IPV4, 60, 1);
	rig_arrive(rig, frame, 60);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0), 64 << 16 | 0x6040);
	return rig_close(rig, 0);
}

TEST(model_access_read_only)
{
	static const uint32_t regs[] = { 0x01c, 0x030, 0x400, 0x444, 0x738, 0x73c, 0x840 };
	struct rig *rig = rig_open();
	unsigned int i, reports = 0;
	uint32_t reg, old;

	for (i = 0; i < RTE_DIM(regs); i++) {
		old = rig_read(rig, regs[i]);
		rig_write(rig, regs[i], ~old);
		CHECK(rig_read(rig, regs[i]) == old, "%#x", regs[i]);
		reports++;
	}
	for (reg = 0x200; reg < 0x200 + 4 * 62; reg += 4) {
		rig_write(rig, reg, 0xffffffff);
		CHECK(strstr(rig->report, "read-only") != NULL, "%#x: %s", reg, rig->report);
		CHECK(rig_read(rig, reg) == 0, "%#x", reg);
		reports++;
	}
	return rig_close(rig, reports);
}

TEST(model_access_unimplemented)
{
	static const uint32_t regs[] = {
		0x010, 0x014, 0x018, 0x048, 0x1fc, 0x2f8, 0x2fc, 0x41c, 0x43c, 0x450, 0x460, 0x464,
		0x470, 0x608, 0x650, 0x740, 0x7fc, 0x83c, 0x848, 0x9fc, 0xa20, 0xbfc, 0xc20, 0xffc,
		/* and what is no register at all */
		0x1000, 0x1408, 0xfffffffc, 0x409, 0x416,
	};
	struct rig *rig = rig_open();
	unsigned int i;

	for (i = 0; i < RTE_DIM(regs); i++) {
		rig_write(rig, regs[i], 0xffffffff);
		CHECK(rig_read(rig, regs[i]) == 0, "%#x", regs[i]);
	}
	CHECK_EQ(rig_read(rig, 0x408), 0x010000db);
	return rig_close(rig, RTE_DIM(regs));
}

/* Bits that do not exist stay 0, also those that the UniMAC's header wants written 0. */
TEST(model_access_reserved_bits)
{
	static const struct {
		uint32_t reg;
		uint32_t write;
		uint32_t read;
	} rows[] = {
		{ 0x408, 0x80000000 | 0x010000db, 0x010000db },
		{ 0x408, 0x00201800 | 0x010000db, 0x010000db },
		{ 0x410, 0xffff1234, 0x1234 },
		{ 0x414, 0xffffc000 | 1518, 1518 },
		{ 0x028, 0xffffffe0 | 0x1a, 0x1a },
		{ 0x024, 0xfffffffe, 0 },
		{ 0xa08, 0xfffffff3, 0x3 },
		{ 0xc04, 0x30002000, 0 },
	};
	struct rig *rig = rig_open();
	unsigned int i;

	for (i = 0; i < RTE_DIM(rows); i++) {
		rig_write(rig, rows[i].reg, rows[i].write);
		CHECK(rig_read(rig, rows[i].reg) == rows[i].read, "%#x reads %#x", rows[i].reg,
		      rig_read(rig, rows[i].reg));
	}
	return rig_close(rig, RTE_DIM(rows));
}

/* Hold-type bits are not self-clearing [2.1, 2.2, 2.3]. */
TEST(model_access_hold_bits)
{
	static const struct {
		uint32_t reg;
		uint32_t bits;
	} rows[] = {
		{ 0x004, 1 }, { 0x034, 3 }, { 0x408, 0x2000 }, { 0x734, 1 }, { 0x834, 3 },
	};
	struct rig *rig = rig_open();
	unsigned int i;

	for (i = 0; i < RTE_DIM(rows); i++) {
		rig_set_bits(rig, rows[i].reg, 0, rows[i].bits);
		rig_run(rig);
		CHECK((rig_read(rig, rows[i].reg) & rows[i].bits) == rows[i].bits, "%#x",
		      rows[i].reg);
		rig_set_bits(rig, rows[i].reg, rows[i].bits, 0);
		CHECK((rig_read(rig, rows[i].reg) & rows[i].bits) == 0, "%#x", rows[i].reg);
	}
	return rig_close(rig, 0);
}

TEST(model_access_int_stat_w1c)
{
	struct rig *rig = rig_open();
	uint32_t chan;

	for (chan = 0; chan < 2; chan++) {
		rig_kick(rig, chan);
		rig_run(rig);
		CHECK_EQ(rig_read(rig, 0xa04 + 0x10 * chan), 0x4);
		rig_write(rig, 0xa04 + 0x10 * chan, 0);
		rig_write(rig, 0xa04 + 0x10 * chan, 0xb);
		CHECK_EQ(rig_read(rig, 0xa04 + 0x10 * chan), 0x4);
		rig_write(rig, 0xa04 + 0x10 * chan, 0x4);
		CHECK_EQ(rig_read(rig, 0xa04 + 0x10 * chan), 0);
	}
	return rig_close(rig, 0);
}

TEST(model_mode_follows_gmac_status)
{
	struct rig *rig = rig_open();

	rig_write(rig, 0x028, 0x1a);	/* 1000, full duplex, link up */
	CHECK_EQ(rig_read(rig, 0x444), 0x3a);
	rig_write(rig, 0x028, 0x05);	/* 100, half duplex, link down */
	CHECK_EQ(rig_read(rig, 0x444), 0x1d);
	rig_write(rig, 0x028, 0x10);	/* 10, full duplex, link up */
	CHECK_EQ(rig_read(rig, 0x444), 0x38);
	return rig_close(rig, 0);
}

/* [10]: 10, 100 and 2500 are accepted and ignored. */
TEST(model_speed_ignored)
{
	struct rig *rig = rig_open();
	uint32_t speed;

	rig_rx_fill(rig, 8);
	for (speed = 0; speed < 4; speed++) {
		rig_set_bits(rig, 0x408, 0xc, speed << 2);
		CHECK_EQ(rig_read(rig, 0x408) >> 2 & 3, speed);
		rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, speed), 60);
		rig_run(rig);
		CHECK_EQ(rig_desc(rig, 0, speed) >> 16, 64);
	}
	return rig_close(rig, 0);
}

/* A frame in each direction comes through whole. */
static int
pass_frames(struct rig *rig, uint32_t i)
{
	const uint8_t *frame = rig_frame(RIG_UCAST, RIG_IPV4, 100, i);
	const unsigned int sent = rig->nb_sent;

	rig_rx_post(rig, i, 1536);
	rig_kick(rig, 0);
	rig_arrive(rig, frame, 100);
	rig_tx_post(rig, i, frame, 100, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, i) & 0x0fffe000, 104 << 16 | 0x6000);
	CHECK(rig_same(rig->buf[0][i], frame, 100, true));
	CHECK_EQ(rig->nb_sent, sent + 1);
	CHECK_EQ(rig->sent[sent].len, 100);
	CHECK(rig_same(rig->sent[sent].data, frame, 100, false));
	return 0;
}

/* Bits of CMD that do nothing at gigabit, on this wire, or at all [2.2]. */
TEST(model_cmd_without_effect)
{
	/* HD_EN, AUTO_CONFIG, RX_ERR_DISC, PRBL_EN, TX_RX_EN */
	static const uint32_t bits[] = { 10, 22, 26, 27, 29 };
	struct rig *rig = rig_open();
	uint32_t i;

	for (i = 0; i < RTE_DIM(bits); i++) {
		rig_set_bits(rig, 0x408, 0, 1u << bits[i]);
		CHECK_EQ(rig_read(rig, 0x408), 0x010000db | 1u << bits[i]);
		CHECK(pass_frames(rig, i) == 0, "bit %u", bits[i]);
		rig_set_bits(rig, 0x408, 1u << bits[i], 0);
	}
	return rig_close(rig, 0);
}

/* Registers of which no effect is known keep what is written and do nothing [2.1 to 2.3]. */
TEST(model_plain_without_effect)
{
	static const struct {
		uint32_t reg;
		uint32_t bits;
	} rows[] = {
		{ 0x038, 0xfff }, { 0x03c, 1 }, { 0x040, 0xf }, { 0x404, 0x7f },
		{ 0x440, 0xffffffff }, { 0x448, 0x1ffff }, { 0x44c, 0x1ffff }, { 0x478, 1 },
		{ 0x730, 0x3ffff }, { 0x838, 0xffffffff }, { 0x844, 0xffffffff },
		/* flow control of channels that are not there */
		{ 0x810, 0xffffffff }, { 0x814, 0xffffffff }, { 0x818, 0x7fffffff },
		{ 0x81c, 0xffffffff }, { 0x828, 0xffffffff },
	};
	struct rig *rig = rig_open();
	uint32_t i;

	for (i = 0; i < RTE_DIM(rows); i++)
		rig_write(rig, rows[i].reg, rows[i].bits);
	rig_set_bits(rig, 0x800, 0, 0x1c);
	for (i = 0; i < 4; i++)
		CHECK_EQ(pass_frames(rig, i), 0);
	for (i = 0; i < RTE_DIM(rows); i++)
		CHECK(rig_read(rig, rows[i].reg) == rows[i].bits, "%#x", rows[i].reg);
	return rig_close(rig, 0);
}

/* --- level bits of the MAC and the FIFO [2.1, 2.2, 10] --- */

TEST(model_sw_reset_holds_mac)
{
	struct rig *rig = rig_open();

	rig_rx_fill(rig, 4);
	rig_tx_post(rig, 0, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60, RIG_TX_WHOLE);
	rig_set_bits(rig, 0x408, 0, 0x2000);
	CHECK(!bcm4908_model_rx_ready(rig->model, 60));
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 0);
	CHECK_EQ(rig_desc(rig, 1, 0) & 0x8000, 0x8000);
	CHECK_EQ(rig_desc(rig, 0, 0) & 0x8000, 0x8000);
	CHECK_EQ(rig_read(rig, 0x26c), 0);

	rig_set_bits(rig, 0x408, 0x2000, 0);
	CHECK(bcm4908_model_rx_ready(rig->model, 60));
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0) & 0x8000, 0);
	return rig_close(rig, 0);
}

/* It resets the MAC only: DMA, MIB, FIFO and the other registers stay [10, 11.9]. */
TEST(model_sw_reset_scope)
{
	struct rig *rig = rig_open();

	rig_write(rig, 0x414, 1532);
	rig_rx_fill(rig, 4);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60);
	rig_run(rig);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 1), 60);
	rig_set_bits(rig, 0x408, 0, 0x2000);
	CHECK_EQ(rig_read(rig, 0xa00), 1);
	CHECK_EQ(rig_read(rig, 0xc04), 1);
	CHECK_EQ(rig_read(rig, 0x26c), 2);
	CHECK_EQ(rig_read(rig, 0x414), 1532);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 1) & 0x8000, 0);
	rig_set_bits(rig, 0x408, 0x2000, 0);
	CHECK_EQ(rig_read(rig, 0x408), 0x010000db);
	return rig_close(rig, 0);
}

TEST(model_mib_clear_hold)
{
	struct rig *rig = rig_open();
	const uint8_t *frame = rig_frame(RIG_UCAST, RIG_IPV4, 1000, 0);
	uint32_t reg;
	int i;

	for (i = 0; i < 20; i++)
		rig_arrive(rig, frame, 1000);
	CHECK_EQ(rig_read(rig, 0x26c), 20);
	CHECK(rig_read(rig, 0x030) != 0, "no overflow");
	rig_write(rig, 0x004, 1);
	rig_arrive(rig, frame, 1000);
	for (reg = 0x200; reg < 0x200 + 4 * 62; reg += 4)
		CHECK(rig_read(rig, reg) == 0, "%#x", reg);
	CHECK_EQ(rig_read(rig, 0x030), 0);
	rig_write(rig, 0x004, 0);
	for (reg = 0x200; reg < 0x200 + 4 * 62; reg += 4)
		CHECK(rig_read(rig, reg) == 0, "%#x", reg);
	rig_arrive(rig, frame, 1000);
	CHECK_EQ(rig_read(rig, 0x26c), 1);
	CHECK_EQ(rig_read(rig, 0x030), 1);
	return rig_close(rig, 0);
}

TEST(model_flush_rx_fifo)
{
	struct rig *rig = rig_open();

	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 1), 60);
	rig_write(rig, 0x034, 1);
	CHECK(!bcm4908_model_rx_ready(rig->model, 60));
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 2), 60);
	rig_write(rig, 0x034, 0);
	rig_rx_fill(rig, 4);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0) & 0x8000, 0x8000);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 3), 60);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0) & 0x8000, 0);
	CHECK(rig_same(rig->buf[0][0], rig_frame(RIG_UCAST, RIG_IPV4, 60, 3), 60, true));
	return rig_close(rig, 0);
}

/* With the receive DMA in the middle of a frame [11.9]: the next one begins afresh. */
TEST(model_flush_in_frame)
{
	struct rig *rig = rig_open();

	rig_rx_post(rig, 0, 64);
	rig_kick(rig, 0);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 100, 1), 100);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0), 64 << 16 | 0x2000);
	rig_write(rig, 0x034, 3);
	rig_write(rig, 0x034, 0);
	rig_rx_post(rig, 1, 128);
	rig_kick(rig, 0);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 2), 60);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 1) & 0x0fffe000, 64 << 16 | 0x6000);
	CHECK(rig_same(rig->buf[0][1], rig_frame(RIG_UCAST, RIG_IPV4, 60, 2), 60, true));
	return rig_close(rig, 0);
}

/* While a transmit flush is held, what the DMA brings vanishes. */
TEST(model_flush_tx)
{
	static const struct {
		uint32_t reg;
		uint32_t bit;
	} rows[] = { { 0x034, 2 }, { 0x734, 1 } };
	struct rig *rig = rig_open();
	unsigned int i;

	for (i = 0; i < RTE_DIM(rows); i++) {
		rig_write(rig, rows[i].reg, rows[i].bit);
		rig_tx_post(rig, 2 * i, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60, RIG_TX_WHOLE);
		rig_kick(rig, 1);
		rig_run(rig);
		CHECK_EQ(rig_desc(rig, 1, 2 * i) & 0x8000, 0);
		CHECK_EQ(rig->nb_sent, i);
		CHECK_EQ(rig_read(rig, 0x2e8), i);
		rig_write(rig, rows[i].reg, 0);
		rig_tx_post(rig, 2 * i + 1, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60,
			    RIG_TX_WHOLE);
		rig_kick(rig, 1);
		rig_run(rig);
		CHECK_EQ(rig->nb_sent, i + 1);
	}
	return rig_close(rig, 0);
}

/* --- interrupts [5] --- */

TEST(model_irq_latch_while_masked)
{
	struct rig *rig = rig_open();

	rig_rx_fill(rig, 1);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa04), 0x7);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_RX]);
	rig_write(rig, 0xa08, 0x2);
	CHECK(rig->irq[BCM4908_IRQ_LINE_RX]);
	return rig_close(rig, 0);
}

/* The other possibility, a knob [10]. */
TEST(model_irq_no_latch_while_masked)
{
	struct bcm4908_model_knobs knobs = { .no_masked_latch = true };
	struct rig *rig = rig_open();

	bcm4908_model_set_knobs(rig->model, &knobs);
	rig_write(rig, 0xa08, 0x2);
	rig_rx_fill(rig, 2);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa04), 0x2);
	rig_write(rig, 0xa04, 0xf);
	rig_write(rig, 0xa08, 0);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60);
	rig_run(rig);
	rig_write(rig, 0xa08, 0x2);
	CHECK_EQ(rig_read(rig, 0xa04), 0);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_RX]);
	return rig_close(rig, 0);
}

/* A level: high while a status bit meets its mask bit, and no call without a change. */
TEST(model_irq_level)
{
	struct rig *rig = rig_open();

	rig_write(rig, 0xa08, 0x2);
	rig_rx_fill(rig, 4);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60);
	rig_run(rig);
	CHECK(rig->irq[BCM4908_IRQ_LINE_RX]);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60);
	rig_run(rig);
	CHECK_EQ(rig->irq_changes[BCM4908_IRQ_LINE_RX], 1);
	rig_write(rig, 0xa04, 0x1);
	CHECK(rig->irq[BCM4908_IRQ_LINE_RX]);
	rig_write(rig, 0xa04, 0x2);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_RX]);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60);
	rig_run(rig);
	CHECK(rig->irq[BCM4908_IRQ_LINE_RX]);
	rig_write(rig, 0xa08, 0);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_RX]);
	CHECK_EQ(rig->irq_changes[BCM4908_IRQ_LINE_RX], 4);
	CHECK_EQ(rig->irq_changes[BCM4908_IRQ_LINE_TX], 0);
	CHECK_EQ(rig->irq_changes[BCM4908_IRQ_LINE_MAC], 0);
	return rig_close(rig, 0);
}

TEST(model_irq_lines)
{
	struct rig *rig = rig_open();

	rig_write(rig, 0xa08, 0xf);
	rig_write(rig, 0xa18, 0xf);
	rig_write(rig, 0x024, 1);
	rig_tx_post(rig, 0, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60, RIG_TX_WHOLE);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_RX]);
	CHECK(rig->irq[BCM4908_IRQ_LINE_TX]);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_MAC]);
	rig_write(rig, 0xa14, 0xf);
	rig_kick(rig, 0);
	rig_run(rig);
	CHECK(rig->irq[BCM4908_IRQ_LINE_RX]);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_TX]);
	return rig_close(rig, 0);
}

/* BUFF_DONE for each buffer, DONE for a whole packet, NO_DESC when none follows. */
TEST(model_irq_sources)
{
	struct rig *rig = rig_open();

	rig_rx_post(rig, 0, 64);
	rig_rx_post(rig, 1, 64);
	rig_rx_post(rig, 2, 64);
	rig_kick(rig, 0);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 60);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa04), 0x3);
	rig_write(rig, 0xa04, 0xf);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 200, 0), 200);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa04), 0x5);

	rig_tx_post(rig, 0, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 30, 0x2100);
	rig_tx_post(rig, 1, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 30, 0x0100);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa14), 0x5);
	rig_tx_post(rig, 2, rig_frame(RIG_UCAST, RIG_IPV4, 60, 0), 30, 0x4100);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa14), 0x7);
	return rig_close(rig, 0);
}

/* [10]: the summary shows each channel; the global mask has no effect. */
TEST(model_irq_global)
{
	struct rig *rig = rig_open();

	rig_write(rig, 0x844, 0);
	rig_write(rig, 0xa18, 0x4);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0x840), 2);
	CHECK(rig->irq[BCM4908_IRQ_LINE_TX]);
	rig_kick(rig, 0);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0x840), 3);
	rig_write(rig, 0xa14, 0x4);
	CHECK_EQ(rig_read(rig, 0x840), 1);
	rig_write(rig, 0xa04, 0x4);
	CHECK_EQ(rig_read(rig, 0x840), 0);
	rig_write(rig, 0x844, 3);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK(rig->irq[BCM4908_IRQ_LINE_TX]);
	return rig_close(rig, 0);
}

/* The overflow is latched, write-1-to-clear, and drives the third line [5, 10]. */
TEST(model_irq_overflow)
{
	struct rig *rig = rig_open();
	const uint8_t *frame = rig_frame(RIG_UCAST, RIG_IPV4, 1514, 0);
	int i;

	for (i = 0; i < 11; i++)
		rig_arrive(rig, frame, 1514);
	CHECK_EQ(rig_read(rig, 0x02c), 1);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_MAC]);
	rig_write(rig, 0x024, 1);
	CHECK(rig->irq[BCM4908_IRQ_LINE_MAC]);
	rig_write(rig, 0x02c, 0);
	CHECK_EQ(rig_read(rig, 0x02c), 1);
	rig_write(rig, 0x02c, 1);
	CHECK_EQ(rig_read(rig, 0x02c), 0);
	CHECK(!rig->irq[BCM4908_IRQ_LINE_MAC]);
	rig_arrive(rig, frame, 1514);
	CHECK(rig->irq[BCM4908_IRQ_LINE_MAC]);
	return rig_close(rig, 0);
}
