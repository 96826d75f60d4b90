/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The Linux driver's own defects. They are shown, not demanded: a version that
 * lacks one passes as well. Demanded is that the device does its part right in
 * the middle of it.
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../test.h"
#include "scenario.h"

#define LIMIT 1000u

static void
show(const char *defect, bool seen, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void
show(const char *defect, bool seen, const char *fmt, ...)
{
	va_list ap;

	printf("%s: %s; ", seen ? "seen" : "not seen", defect);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}

static int
finish(struct oracle_rig *rig)
{
	CHECK_EQ(rig->in.bad, 0);
	CHECK_EQ(rig->out.bad, 0);
	CHECK_EQ(rig->reports, 0);
	CHECK(rig->driver->stop(rig) == 0);
	CHECK(rig->driver->remove(rig) == 0);
	oracle_rig_destroy(rig);
	return 0;
}

static void
step_all(struct oracle_rig *rig)
{
	while (oracle_step(rig, 64) > 0)
		;
}

/* The transmit producer uses 199 descriptors, the reclaimer walks over 200. */
static int
phantom_frames(void)
{
	struct oracle_rig *rig = scenario_begin(&oracle_linux);
	struct oracle_kernel_stats stats;

	CHECK(rig != NULL);
	CHECK(scenario_traffic(rig, LIMIT) == 0);
	oracle_kernel_stats(&stats);
	show("slot 199 is reclaimed as a frame that never was", stats.tx_packets != LIMIT,
	     "%u frames sent, %lu counted, %u unmapped that were not mapped", LIMIT,
	     stats.tx_packets, stats.bad_unmaps);
	show("received bytes count the FCS", stats.rx_bytes != rig->in.bytes,
	     "%" PRIu64 " bytes delivered, %lu counted", rig->in.bytes, stats.rx_bytes);
	return finish(rig);
}

/* A ring that completes before anybody reaps looks like one that is empty. */
static int
full_is_empty(void)
{
	struct oracle_rig *rig = scenario_begin(&oracle_linux);
	struct oracle_kernel_stats stats;

	CHECK(rig != NULL);
	rig->sent += rig->driver->send(rig, ORACLE_RING - 1);
	step_all(rig);
	CHECK_EQ(rig->out.next, rig->sent);
	CHECK(rig->driver->serve(rig) == 0);
	oracle_kernel_stats(&stats);
	show("a full ring of completed frames reads as empty",
	     stats.skbs - ORACLE_RING == rig->sent,
	     "%" PRIu32 " frames on the line, %u of their buffers still held", rig->sent,
	     stats.skbs - ORACLE_RING);
	return finish(rig);
}

/* Stop leaves what was not sent in the ring, owned by the hardware. */
static int
stop_leaves_frames(void)
{
	struct oracle_rig *rig = scenario_begin(&oracle_linux);
	struct oracle_kernel_stats stats;
	uint32_t ctl, addr;
	unsigned int taken;
	bool owned;

	CHECK(rig != NULL);
	rig->line_busy = UINT32_MAX;
	CHECK_EQ(rig->driver->send(rig, 20), 20);
	oracle_step(rig, 64);
	CHECK_EQ(rig->out.next, 0);
	CHECK(rig->driver->stop(rig) == 0);
	oracle_kernel_stats(&stats);
	CHECK(oracle_kernel_desc(true, 19, &ctl, &addr));
	owned = (ctl & BCM4908_DESC_OWN) != 0;
	show("stop frees no transmit buffer", stats.skbs > 0, "%u buffers and %u mappings left",
	     stats.skbs, stats.maps);
	rig->line_busy = 0;
	CHECK(rig->driver->open(rig) == 0);
	taken = rig->driver->send(rig, 5);
	step_all(rig);
	CHECK(rig->driver->serve(rig) == 0);
	show("descriptors keep OWN across a reopen", owned && taken < 5,
	     "%u of 5 new frames taken", taken);
	return finish(rig);
}

static unsigned int delivered;

static bool
count_frame(struct oracle_rig *rig, const uint8_t *data, uint32_t len)
{
	(void)rig;
	(void)data;
	delivered += len == 100;
	return true;
}

/* A frame below the minimum ends a poll; those behind it wait for the next interrupt. */
static int
runt_ends_poll(void)
{
	struct oracle_rig *rig = scenario_begin(&oracle_linux);
	struct oracle_kernel_stats stats;
	unsigned int first;

	CHECK(rig != NULL);
	/* a MAC that lets runts pass */
	bcm4908_model_write(rig->model, BCM4908_UMAC_CMD,
			    oracle_peek(rig, BCM4908_UMAC_CMD) | BCM4908_CMD_RUNT_FILTER_DIS);
	rig->in_hook = count_frame;
	delivered = 0;
	scenario_stray(rig, 100);
	scenario_stray(rig, 40);
	scenario_stray(rig, 100);
	scenario_stray(rig, 100);
	step_all(rig);
	CHECK(rig->driver->serve(rig) == 0);
	first = delivered;
	scenario_stray(rig, 100);
	step_all(rig);
	CHECK(rig->driver->serve(rig) == 0);
	CHECK_EQ(delivered, 4);
	oracle_kernel_stats(&stats);
	CHECK_EQ(stats.rx_dropped, 1);
	show("a runt ends the poll", first < 3, "%u of 3 good frames delivered at once", first);
	show("a malformed frame's buffer is freed while mapped", stats.freed_mapped > 0,
	     "%u buffers", stats.freed_mapped);
	return finish(rig);
}

/* An MTU change reaches MAX_FRAME_LEN only. */
static int
mtu_is_forgotten(void)
{
	struct oracle_rig *rig = scenario_begin(&oracle_linux);
	uint32_t ctl, addr, len;

	CHECK(rig != NULL);
	CHECK(rig->driver->set_mtu(rig, 1000) == 0);
	CHECK_EQ(oracle_peek(rig, BCM4908_UMAC_MAX_FRAME_LEN), 1032);
	scenario_stray(rig, 100);
	rig->in_hook = count_frame;
	step_all(rig);
	CHECK(rig->driver->serve(rig) == 0);
	rig->in_hook = NULL;
	CHECK(oracle_kernel_desc(false, 0, &ctl, &addr));
	len = ctl >> BCM4908_DESC_LEN_SHIFT;
	show("an MTU change does not change the buffers", len == 1532,
	     "MTU 1000, buffer of %" PRIu32 " bytes", len);
	CHECK(rig->driver->stop(rig) == 0);
	CHECK(rig->driver->open(rig) == 0);
	len = oracle_peek(rig, BCM4908_UMAC_MAX_FRAME_LEN);
	show("the next open forgets the MTU", len == 1532, "MAX_FRAME_LEN %" PRIu32, len);
	return finish(rig);
}

/* What a failed allocation left out is used by the next poll; a kernel stops there. */
static int
missing_buffer_is_used(void)
{
	struct oracle_rig *rig = scenario_begin(&oracle_linux);
	struct oracle_kernel_stats stats;

	CHECK(rig != NULL);
	rig->in_hook = count_frame;
	scenario_stray(rig, 100);
	step_all(rig);
	oracle_kernel_fail_allocs(1);
	CHECK(rig->driver->serve(rig) == 0);
	scenario_stray(rig, 100);
	step_all(rig);
	rig->driver->serve(rig);
	oracle_kernel_stats(&stats);
	show("a failed allocation ends in a use of the missing buffer", stats.null_skbs > 0,
	     "%u uses", stats.null_skbs);
	return finish(rig);
}

/* Owned descriptors that a poll begins with, at most: fewer than frames fit into the FIFO. */
#define FREE_MAX 9u

/*
 * Receive descriptors are given away before their address is in place. A
 * device that has come round to just that one writes to the buffer that is
 * about to be delivered.
 */
static int
own_before_address(void)
{
	uint32_t frames = 0, bad = 0;

	for (uint32_t left = 1; left <= FREE_MAX; left++) {
		struct oracle_rig *rig = scenario_begin(&oracle_linux);

		CHECK(rig != NULL);
		rig->in.max_len = 256;
		while (rig->injected < ORACLE_RING - left) {
			CHECK(oracle_inject(rig));
			CHECK_EQ(oracle_step(rig, 1), 1);
		}
		while (oracle_inject(rig))
			;
		rig->restless = true;
		CHECK(rig->driver->serve(rig) == 0);
		rig->restless = false;
		frames += rig->in.next;
		bad += rig->in.bad;
		rig->in.bad = 0;
		rig->reports = 0;
		CHECK(finish(rig) == 0);
	}
	show("a descriptor is given away before its address", bad > 0,
	     "%" PRIu32 " of %" PRIu32 " frames damaged", bad, frames);
	return 0;
}

TEST(oracle_defects)
{
	CHECK(phantom_frames() == 0);
	CHECK(full_is_empty() == 0);
	CHECK(stop_leaves_frames() == 0);
	CHECK(runt_ends_poll() == 0);
	CHECK(mtu_is_forgotten() == 0);
	CHECK(missing_buffer_is_used() == 0);
	CHECK(own_before_address() == 0);
	return 0;
}
