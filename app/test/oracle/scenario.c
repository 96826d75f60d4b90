/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../test.h"
#include "scenario.h"

#define STEP_FRAMES 64u
#define ROUND_FRAMES 100u	/* of each direction, at most */
#define DRAIN_ROUNDS 10000u

/*
 * Frames that were handed to the transmitter and not yet reaped: the Linux
 * driver takes a ring of 199 that completed at once for an empty one.
 */
#define UNREAPED_MAX 190u

struct oracle_rig *
scenario_begin(const struct oracle_driver *driver)
{
	struct oracle_rig *rig = oracle_rig_create(driver, false);

	if (rig == NULL || driver->probe(rig) != 0 || driver->open(rig) != 0) {
		printf("%s does not start\n", driver->name);
		return NULL;
	}
	return rig;
}

static int
check_reports(const struct oracle_rig *rig, const char *allowed)
{
	for (unsigned int i = 0; i < ORACLE_REPORTS && rig->report[i].count > 0; i++)
		CHECK(allowed != NULL && strcmp(rig->report[i].what, allowed) == 0,
		      "strict mode: %s", rig->report[i].what);
	return 0;
}

static int
check_linux(void)
{
	struct oracle_kernel_stats stats;

	oracle_kernel_stats(&stats);
	CHECK_EQ(stats.dma_faults, 0);
	CHECK_EQ(stats.warnings, 0);
	return 0;
}

static int
end(struct oracle_rig *rig, const char *allowed)
{
	CHECK(rig->driver->stop(rig) == 0);
	CHECK(rig->driver->remove(rig) == 0);
	CHECK_EQ(rig->in.bad, 0);
	CHECK_EQ(rig->out.bad, 0);
	CHECK_EQ(rig->in.next, rig->injected);
	CHECK_EQ(rig->out.next, rig->sent);
	CHECK_EQ(rig->outside, 0);
	if (rig->driver == &oracle_linux)
		CHECK(check_linux() == 0);
	return check_reports(rig, allowed);
}

int
scenario_end(struct oracle_rig *rig, const char *allowed)
{
	int ret = end(rig, allowed);

	oracle_rig_destroy(rig);
	return ret;
}

void
scenario_stray(struct oracle_rig *rig, uint32_t len)
{
	uint8_t data[ORACLE_LEN_MAX];
	struct bcm4908_model_frame frame = { .data = data, .len = len };

	memset(data, 0x5a, sizeof(data));
	data[0] = 0x02;
	bcm4908_model_line_rx(rig->model, &frame);
}

int
scenario_drain(struct oracle_rig *rig)
{
	for (unsigned int i = 0; i < DRAIN_ROUNDS; i++) {
		if (rig->in.next == rig->injected && rig->out.next == rig->sent)
			break;
		oracle_step(rig, STEP_FRAMES);
		CHECK(rig->driver->serve(rig) == 0);
	}
	CHECK_EQ(rig->in.next, rig->injected);
	CHECK_EQ(rig->out.next, rig->sent);
	/* nothing more is to come */
	oracle_step(rig, STEP_FRAMES);
	CHECK(rig->driver->serve(rig) == 0);
	CHECK_EQ(oracle_step(rig, STEP_FRAMES), 0);
	CHECK_EQ(rig->in.next, rig->injected);
	CHECK_EQ(rig->out.next, rig->sent);
	CHECK_EQ(rig->in.bad, 0);
	CHECK_EQ(rig->out.bad, 0);
	return 0;
}

/* The line sends n frames, as fast as the FIFO takes them. */
static void
line_sends(struct oracle_rig *rig, uint32_t n)
{
	while (n > 0) {
		if (oracle_inject(rig))
			n--;
		else if (oracle_step(rig, STEP_FRAMES) == 0)
			break;
	}
}

static uint32_t
random_next(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 16;
}

static int
traffic(struct oracle_rig *rig, uint32_t count)
{
	const uint32_t in_end = rig->injected + count, out_end = rig->sent + count;
	uint32_t reaped = rig->sent, random = 1, n, frames;

	for (uint32_t idle = 0; rig->injected < in_end || rig->sent < out_end; idle++) {
		frames = rig->injected + rig->sent;
		line_sends(rig, RTE_MIN(random_next(&random) % ROUND_FRAMES,
					in_end - rig->injected));
		n = RTE_MIN(random_next(&random) % ROUND_FRAMES, out_end - rig->sent);
		n = RTE_MIN(n, UNREAPED_MAX - (rig->sent - reaped));
		CHECK_EQ(rig->driver->send(rig, n), n);
		rig->sent += n;
		if (random_next(&random) % 8 == 0)
			rig->line_busy = random_next(&random) % 5;
		if (random_next(&random) % 3 != 0)
			oracle_step(rig, 1 + random_next(&random) % STEP_FRAMES);
		if (random_next(&random) % 2 != 0) {
			reaped = rig->out.next;
			CHECK(rig->driver->serve(rig) == 0);
		}
		if (rig->injected + rig->sent != frames)
			idle = 0;
		CHECK(idle < DRAIN_ROUNDS, "no progress");
	}
	return scenario_drain(rig);
}

int
scenario_traffic(struct oracle_rig *rig, uint32_t count)
{
	static const uint16_t row[] = {
		SCENARIO_RX_PKTS, SCENARIO_RX_GOOD, SCENARIO_TX_PKTS, SCENARIO_TX_GOOD,
	};
	uint32_t before[RTE_DIM(row)], rx_octets, tx_octets;
	uint64_t in_bytes = rig->in.bytes, out_bytes = rig->out.bytes;

	for (unsigned int i = 0; i < RTE_DIM(row); i++)
		before[i] = oracle_peek(rig, row[i]);
	rx_octets = oracle_peek(rig, SCENARIO_RX_OCTETS);
	tx_octets = oracle_peek(rig, SCENARIO_TX_OCTETS);

	CHECK(traffic(rig, count) == 0);

	for (unsigned int i = 0; i < RTE_DIM(row); i++)
		CHECK(oracle_peek(rig, row[i]) - before[i] == count, "MIB %#x: %" PRIu32, row[i],
		      oracle_peek(rig, row[i]) - before[i]);
	/* octets count the FCS, 4 bytes a frame */
	CHECK_EQ((uint32_t)(oracle_peek(rig, SCENARIO_RX_OCTETS) - rx_octets),
		 (uint32_t)(rig->in.bytes - in_bytes + 4 * count));
	CHECK_EQ((uint32_t)(oracle_peek(rig, SCENARIO_TX_OCTETS) - tx_octets),
		 (uint32_t)(rig->out.bytes - out_bytes + 4 * count));
	return 0;
}
