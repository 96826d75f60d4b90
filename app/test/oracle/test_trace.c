/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The Linux driver's register accesses, as they were recorded on a register
 * file that only stores and starts from zeros: open, one frame of 64 bytes to
 * transmit, stop. Probe and remove make none.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../test.h"
#include "oracle.h"

#define READ false
#define WRITE true

#define FIRST_OF_TX 52u
#define FIRST_OF_STOP 53u

static const struct oracle_access recorded[] = {
	{ WRITE, 0x414, 0x000005fc }, /* MAX_FRAME_LEN */
	{ READ,  0x408, 0x00000000 }, /* CMD */
	{ WRITE, 0x408, 0x00002000 },
	{ WRITE, 0x408, 0x00000000 },
	{ READ,  0x034, 0x00000000 }, /* FLUSH */
	{ WRITE, 0x034, 0x00000003 },
	{ READ,  0x034, 0x00000003 },
	{ WRITE, 0x034, 0x00000000 },
	{ READ,  0x004, 0x00000000 }, /* MIB_CTRL */
	{ WRITE, 0x004, 0x00000001 },
	{ READ,  0x004, 0x00000001 },
	{ WRITE, 0x004, 0x00000000 },
	{ READ,  0x408, 0x00000000 }, /* CMD */
	{ WRITE, 0x408, 0x00000008 },
	{ READ,  0x028, 0x00000000 }, /* GMAC_STATUS */
	{ WRITE, 0x028, 0x0000001a },
	{ WRITE, 0xa00, 0x00000000 }, /* RX CFG */
	{ WRITE, 0xa10, 0x00000000 }, /* TX CFG */
	{ READ,  0x800, 0x00000000 }, /* CONTROLLER_CFG */
	{ WRITE, 0x800, 0x00000000 },
	{ WRITE, 0xc00, 0x00000000 }, /* RX state RAM */
	{ WRITE, 0xc04, 0x00000000 },
	{ WRITE, 0xc08, 0x00000000 },
	{ WRITE, 0xc0c, 0x00000000 },
	{ WRITE, 0xc10, 0x00000000 }, /* TX state RAM */
	{ WRITE, 0xc14, 0x00000000 },
	{ WRITE, 0xc18, 0x00000000 },
	{ WRITE, 0xc1c, 0x00000000 },
	{ WRITE, 0x834, 0x00000002 }, /* CHANNEL_RESET */
	{ WRITE, 0x834, 0x00000000 },
	{ WRITE, 0xa10, 0x00000000 }, /* TX CFG */
	{ WRITE, 0xa1c, 0x00000008 }, /* TX MAX_BURST */
	{ WRITE, 0xa18, 0x00000000 }, /* TX INT_MASK */
	{ WRITE, 0xc10, 0x10000000 }, /* TX BASE_DESC_PTR */
	{ WRITE, 0x834, 0x00000001 }, /* CHANNEL_RESET */
	{ WRITE, 0x834, 0x00000000 },
	{ WRITE, 0xa00, 0x00000000 }, /* RX CFG */
	{ WRITE, 0xa0c, 0x00000008 }, /* RX MAX_BURST */
	{ WRITE, 0xa08, 0x00000000 }, /* RX INT_MASK */
	{ WRITE, 0xc00, 0x10002000 }, /* RX BASE_DESC_PTR */
	{ READ,  0x408, 0x00000008 }, /* CMD */
	{ WRITE, 0x408, 0x0000000b },
	{ READ,  0x800, 0x00000000 }, /* CONTROLLER_CFG */
	{ WRITE, 0x800, 0x00000001 },
	{ READ,  0x800, 0x00000001 },
	{ WRITE, 0x800, 0x00000001 },
	{ WRITE, 0xa14, 0x00000007 }, /* TX INT_STAT */
	{ WRITE, 0xa18, 0x00000007 }, /* TX INT_MASK */
	{ READ,  0xa00, 0x00000000 }, /* RX CFG */
	{ WRITE, 0xa00, 0x00000001 },
	{ WRITE, 0xa04, 0x00000007 }, /* RX INT_STAT */
	{ WRITE, 0xa08, 0x00000007 }, /* RX INT_MASK */
	/* the frame */
	{ WRITE, 0xa10, 0x00000001 }, /* TX CFG */
	/* stop */
	{ READ,  0xa00, 0x00000001 }, /* RX CFG */
	{ WRITE, 0xa00, 0x00000000 },
	{ READ,  0xa00, 0x00000000 },
	{ WRITE, 0xa10, 0x00000000 }, /* TX CFG */
};

/*
 * Registers that the driver changes by reading first. What it preserves is
 * what the reset left there: these values of the hardware reference [2.1, 2.2,
 * 2.3, 2.4]. The bits that the driver sets itself in CMD, speed 2, are already
 * so after reset.
 */
static const struct {
	uint16_t reg;
	uint32_t reset;
} preserved[] = {
	{ 0x408, 0x010000d8 },	/* CMD */
	{ 0x034, 0 },		/* FLUSH */
	{ 0x004, 0 },		/* MIB_CTRL */
	{ 0x028, 0 },		/* GMAC_STATUS */
	{ 0x800, 0 },		/* CONTROLLER_CFG */
	{ 0xa00, 0 },		/* RX CFG */
};

/* Descriptors as recorded after open, and after the frame. */
static const struct {
	bool tx;
	unsigned int index;
	uint32_t ctl;
	uint32_t addr;
} descs[] = {
	{ false, 0, 0x05fc8000, 0x10004000 },
	{ false, 1, 0x05fc8000, 0x10006000 },
	{ false, 199, 0x05fc9000, 0x10192000 },
	{ true, 0, 0x0040e100, 0x10194000 },
};

static uint32_t
reset_bits(uint16_t reg)
{
	for (unsigned int i = 0; i < RTE_DIM(preserved); i++)
		if (preserved[i].reg == reg)
			return preserved[i].reset;
	return 0;
}

static int
check_log(const struct oracle_rig *rig, unsigned int first, unsigned int count, bool from_reset)
{
	CHECK_EQ(rig->log_len, count);
	for (unsigned int i = 0; i < count; i++) {
		const struct oracle_access *got = &rig->log[i], *want = &recorded[first + i];
		uint32_t val = want->val | (from_reset ? reset_bits(want->reg) : 0);

		CHECK(got->write == want->write && got->reg == want->reg && got->val == val,
		      "access %u: %s %#x %#" PRIx32 ", recorded is %s %#x %#" PRIx32, first + i,
		      got->write ? "write" : "read", got->reg, got->val,
		      want->write ? "write" : "read", want->reg, val);
	}
	return 0;
}

static int
check_desc(unsigned int nr)
{
	uint32_t ctl, addr;

	CHECK(oracle_kernel_desc(descs[nr].tx, descs[nr].index, &ctl, &addr));
	CHECK_EQ(ctl, descs[nr].ctl);
	CHECK_EQ(addr, descs[nr].addr);
	return 0;
}

/* Probe, open, one frame, stop, remove; nothing answers but the registers. */
static int
run(struct oracle_rig *rig, bool from_reset)
{
	struct oracle_kernel_stats stats;

	CHECK_EQ(RTE_DIM(recorded), 57);
	CHECK(rig->driver->probe(rig) == 0);
	CHECK(check_log(rig, 0, 0, from_reset) == 0, "probe");
	oracle_kernel_stats(&stats);
	CHECK_EQ(stats.coherent, 2);

	CHECK(rig->driver->open(rig) == 0);
	CHECK(check_log(rig, 0, FIRST_OF_TX, from_reset) == 0, "open");
	for (unsigned int i = 0; i < 3; i++)
		CHECK(check_desc(i) == 0, "descriptor %u", i);
	oracle_kernel_stats(&stats);
	CHECK_EQ(stats.maps, ORACLE_RING);
	CHECK_EQ(stats.irqs, 2);

	/* a frame of 64 bytes: that is what the lengths of the flow begin with here */
	oracle_count_begin(rig);
	rig->out.max_len = 64;
	while (true) {
		uint8_t frame[ORACLE_LEN_MAX];

		if (oracle_frame(&rig->out, rig->sent, frame) == 64)
			break;
		rig->sent++;
	}
	rig->out.next = rig->sent;
	CHECK_EQ(rig->driver->send(rig, 1), 1);
	CHECK(check_log(rig, FIRST_OF_TX, 1, from_reset) == 0, "transmit");
	CHECK(check_desc(3) == 0, "descriptor of the frame");
	rig->sent++;
	if (rig->model != NULL) {
		CHECK_EQ(oracle_step(rig, 1), 1);
		CHECK_EQ(rig->out.next, rig->sent);
		CHECK_EQ(rig->out.bad, 0);
	}

	oracle_count_begin(rig);
	CHECK(rig->driver->stop(rig) == 0);
	CHECK(check_log(rig, FIRST_OF_STOP, RTE_DIM(recorded) - FIRST_OF_STOP, from_reset) == 0,
	      "stop");
	oracle_kernel_stats(&stats);
	CHECK_EQ(stats.irqs, 0);

	oracle_count_begin(rig);
	CHECK(rig->driver->remove(rig) == 0);
	CHECK(check_log(rig, 0, 0, from_reset) == 0, "remove");
	oracle_kernel_stats(&stats);
	CHECK_EQ(stats.coherent, 0);
	CHECK_EQ(stats.dma_faults, 0);
	CHECK_EQ(stats.warnings, 0);
	CHECK_EQ(rig->outside, 0);
	CHECK_EQ(rig->reports, 0);
	return 0;
}

static int
run_on(bool passive)
{
	struct oracle_rig *rig = oracle_rig_create(&oracle_linux, passive);
	int ret;

	CHECK(rig != NULL);
	ret = run(rig, !passive);
	oracle_rig_destroy(rig);
	return ret;
}

TEST(oracle_trace_zeros)
{
	return run_on(true);
}

TEST(oracle_trace_model)
{
	return run_on(false);
}
