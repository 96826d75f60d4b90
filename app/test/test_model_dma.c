/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* The device model's iuDMA: the hardware reference's sections 2.3 to 2.5, 3 and 11. */

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "test_model.h"

#define FRAME(seed) rig_frame(RIG_UCAST, RIG_IPV4, 60, seed)

static void
arrive(struct rig *rig, unsigned int seed)
{
	rig_arrive(rig, FRAME(seed), 60);
}

static void
tx_whole(struct rig *rig, uint32_t i)
{
	rig_tx_post(rig, i, FRAME(i), 60, RIG_TX_WHOLE);
}

/* --- life cycle of a channel [3.5] --- */

TEST(model_enable_cleared_by_hardware)
{
	struct rig *rig = rig_open();
	uint32_t chan;

	for (chan = 0; chan < 2; chan++) {
		rig_write(rig, 0xa00 + 0x10 * chan, 1);
		CHECK_EQ(rig_read(rig, 0xa00 + 0x10 * chan), 1);
		CHECK_EQ(rig_read(rig, 0xa04 + 0x10 * chan), 0);
		bcm4908_model_step(rig->model, 1);
		CHECK_EQ(rig_read(rig, 0xa00 + 0x10 * chan), 0);
		CHECK_EQ(rig_read(rig, 0xa04 + 0x10 * chan), 0x4);
		CHECK_EQ(rig_read(rig, 0xc04 + 0x10 * chan), 0);
	}
	return rig_close(rig, 0);
}

/* The receive channel looks one ahead: it stops after the last owned descriptor. */
TEST(model_enable_rx_looks_ahead)
{
	struct rig *rig = rig_open();

	rig_rx_fill(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa00), 1);
	arrive(rig, 0);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa00), 0);
	CHECK_EQ(rig_read(rig, 0xa04), 0x7);
	CHECK_EQ(rig_read(rig, 0xc04), 1);
	return rig_close(rig, 0);
}

TEST(model_enable_again_continues)
{
	struct rig *rig = rig_open();
	unsigned int i;

	rig_rx_fill(rig, 2);
	for (i = 0; i < 5; i++)
		arrive(rig, i);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa00), 0);
	CHECK_EQ(rig_read(rig, 0xc04), 2);
	/* what waits in the FIFO is not lost */
	for (i = 2; i < 6; i++)
		rig_rx_post(rig, i, 1536);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 2) & 0x8000, 0x8000);
	rig_write(rig, 0xa00, 1);
	rig_run(rig);
	for (i = 0; i < 5; i++)
		CHECK(rig_same(rig->buf[0][i], FRAME(i), 60, true), "frame %u", i);
	CHECK_EQ(rig_desc(rig, 0, 5) & 0x8000, 0x8000);
	CHECK_EQ(rig_read(rig, 0xa00), 1);
	return rig_close(rig, 0);
}

TEST(model_enable_while_running)
{
	struct rig *rig = rig_open();
	unsigned int i;

	rig_rx_fill(rig, 8);
	for (i = 0; i < 4; i++) {
		arrive(rig, i);
		rig_write(rig, 0xa00, 1);
		rig_run(rig);
		rig_kick(rig, 0);
		rig_run(rig);
		CHECK_EQ(rig_read(rig, 0xc04), i + 1);
	}
	CHECK_EQ(rig_read(rig, 0xa00), 1);
	return rig_close(rig, 0);
}

/* A restart looks at the descriptor anew. */
TEST(model_enable_after_stop)
{
	struct rig *rig = rig_open();

	rig_rx_fill(rig, 1);
	rig_run(rig);
	rig_write(rig, 0xa00, 0);
	rig_desc_set(rig, 0, 0, 0, 0);
	rig_write(rig, 0xa00, 1);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa00), 0);
	CHECK_EQ(rig_read(rig, 0xa04), 0x4);
	return rig_close(rig, 0);
}

TEST(model_doorbell)
{
	struct rig *rig = rig_open();

	tx_whole(rig, 0);
	bcm4908_model_step(rig->model, 32);
	CHECK_EQ(rig->nb_sent, 0);
	rig_kick(rig, 1);
	CHECK_EQ(bcm4908_model_step(rig->model, 32), 1);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK_EQ(rig->shared->doorbell[1].word, 0);
	CHECK_EQ(rig->shared->doorbell[0].word, 0);
	CHECK_EQ(rig_read(rig, 0xa04), 0);
	return rig_close(rig, 0);
}

/* A kick from before a write to CFG must not undo that write later. */
TEST(model_doorbell_before_stop)
{
	struct rig *rig = rig_open();

	tx_whole(rig, 0);
	rig_kick(rig, 1);
	rig_write(rig, 0xa10, 0);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 0);
	CHECK_EQ(rig_read(rig, 0xa10), 0);
	rig_kick(rig, 1);
	rig_write(rig, 0x834, 2);
	rig_write(rig, 0x834, 0);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 0);
	return rig_close(rig, 0);
}

static void
give_next(struct rig *rig)
{
	if (rig->nb_sent < 5) {
		tx_whole(rig, rig->nb_sent);
		rig_kick(rig, BCM4908_CHAN_TX);
	}
}

/* A kick while the step runs is seen before the channel idles: no NO_DESC in between. */
TEST(model_doorbell_during_step)
{
	struct rig *rig = rig_open();

	rig->on_tx = give_next;
	tx_whole(rig, 0);
	rig_kick(rig, 1);
	CHECK_EQ(bcm4908_model_step(rig->model, 32), 5);
	CHECK_EQ(rig->nb_sent, 5);
	CHECK_EQ(rig_read(rig, 0xa10), 0);
	return rig_close(rig, 0);
}

TEST(model_master_enable)
{
	struct rig *rig = rig_open();

	rig_write(rig, 0x800, 0);
	rig_rx_fill(rig, 2);
	arrive(rig, 0);
	tx_whole(rig, 0);
	rig_kick(rig, 1);
	CHECK_EQ(bcm4908_model_step(rig->model, 32), 0);
	CHECK_EQ(rig->nb_sent, 0);
	CHECK_EQ(rig_desc(rig, 0, 0) & 0x8000, 0x8000);
	CHECK_EQ(rig_read(rig, 0xa00), 1);
	CHECK_EQ(rig_read(rig, 0xa10), 1);
	rig_write(rig, 0x800, 1);
	CHECK_EQ(bcm4908_model_step(rig->model, 32), 2);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK_EQ(rig_desc(rig, 0, 0) & 0x8000, 0);
	/* a bare write of the flow control bit stops both again [11.8] */
	rig_write(rig, 0x800, 2);
	arrive(rig, 1);
	CHECK_EQ(bcm4908_model_step(rig->model, 32), 0);
	return rig_close(rig, 0);
}

/* --- halt and reset [2.3, 2.4, 4.4] --- */

TEST(model_halt_idle)
{
	static const uint32_t halts[] = { 0, 2, 4, 3, 6 };
	struct rig *rig = rig_open();
	unsigned int i;

	rig_rx_fill(rig, 8);
	for (i = 0; i < RTE_DIM(halts); i++) {
		rig_write(rig, 0xa00, 1);
		arrive(rig, i);
		rig_run(rig);
		CHECK_EQ(rig_read(rig, 0xa00), 1);
		rig_write(rig, 0xa00, halts[i]);
		CHECK_EQ(rig_read(rig, 0xa00), halts[i] & 6);
		rig_run(rig);
		CHECK_EQ(rig_read(rig, 0xc04), i + 1);
	}
	return rig_close(rig, 0);
}

/* PKT_HALT waits for the end of the packet, BURST_HALT does not. */
TEST(model_halt_in_packet)
{
	struct rig *rig = rig_open();

	rig_tx_post(rig, 0, FRAME(0), 40, 0x2100);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa10), 0); /* it met a descriptor that is not owned */
	rig_tx_post(rig, 1, FRAME(0) + 40, 20, 0x0100);
	rig_tx_post(rig, 2, FRAME(0), 20, 0x4100);
	tx_whole(rig, 3);
	rig_write(rig, 0xa10, 1);
	rig->line_busy = true;
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa10), 1);
	rig_write(rig, 0xa10, 2);
	CHECK_EQ(rig_read(rig, 0xa10), 3);
	rig->line_busy = false;
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK_EQ(rig_read(rig, 0xa10), 2);
	CHECK_EQ(rig_read(rig, 0xc14), 3);

	rig_tx_post(rig, 3, FRAME(0), 40, 0x2100);
	rig_tx_post(rig, 4, FRAME(0), 40, 0x4100);
	rig_write(rig, 0xa10, 1);
	rig->line_busy = true;
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa10), 1);
	rig_write(rig, 0xa10, 4);
	CHECK_EQ(rig_read(rig, 0xa10), 4);
	return rig_close(rig, 0);
}

/* ENABLE = 1 takes a PKT_HALT back that has not come true yet. */
TEST(model_halt_taken_back)
{
	struct rig *rig = rig_open();

	rig_tx_post(rig, 0, FRAME(0), 40, 0x2100);
	rig_tx_post(rig, 1, FRAME(0), 20, 0x4100);
	tx_whole(rig, 2);
	rig->line_busy = true;
	rig_kick(rig, 1);
	rig_run(rig);
	rig_write(rig, 0xa10, 2);
	CHECK_EQ(rig_read(rig, 0xa10), 3);
	rig_write(rig, 0xa10, 1);
	CHECK_EQ(rig_read(rig, 0xa10), 1);
	rig->line_busy = false;
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 2);
	return rig_close(rig, 0);
}

/* A receive channel that waits in mid-frame halts at the end of that frame, which may be never. */
TEST(model_halt_rx_in_packet)
{
	struct rig *rig = rig_open();

	rig_rx_post(rig, 0, 64);
	rig_rx_post(rig, 1, 64);
	rig_rx_post(rig, 2, 64);
	rig_write(rig, 0xa00, 1);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 150, 0), 150);
	rig_set_bits(rig, 0x800, 1, 0);
	rig_run(rig);
	rig_set_bits(rig, 0x800, 0, 1);
	arrive(rig, 1);
	rig_rx_post(rig, 3, 64);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xc04), 4);

	rig_rx_post(rig, 4, 64);
	rig_write(rig, 0xa00, 1);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 150, 0), 150);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa00), 0);
	CHECK_EQ(rig_read(rig, 0xc04), 5);
	rig_rx_post(rig, 5, 64);
	rig_write(rig, 0xa00, 1);
	rig_write(rig, 0xa00, 2);
	CHECK_EQ(rig_read(rig, 0xa00), 3);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa00), 2); /* no descriptor is left: stopped all the same */
	rig_rx_post(rig, 6, 64);
	rig_rx_post(rig, 7, 64);
	arrive(rig, 2);
	rig_write(rig, 0xa00, 1);
	rig_write(rig, 0xa00, 2);
	CHECK_EQ(rig_read(rig, 0xa00), 3);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa00), 2);
	CHECK_EQ(rig_read(rig, 0xc04), 7);
	CHECK_EQ(rig_desc(rig, 0, 6) & 0x4000, 0x4000);
	CHECK_EQ(rig_desc(rig, 0, 7) & 0x8000, 0x8000);
	return rig_close(rig, 0);
}

/* CHANNEL_RESET stops and holds the channel and clears nothing of its state RAM [2.5]. */
TEST(model_channel_reset)
{
	struct rig *rig = rig_open();
	uint32_t state[4], i;

	rig_rx_fill(rig, 8);
	for (i = 0; i < 3; i++)
		arrive(rig, i);
	rig_run(rig);
	for (i = 0; i < 4; i++)
		state[i] = rig_read(rig, 0xc00 + 4 * i);
	CHECK_EQ(state[0], RIG_RING_BUS(0));
	CHECK_EQ(state[1], 3);
	CHECK(state[2] != 0 && state[3] != 0, "the state RAM is empty");
	rig_write(rig, 0x834, 1);
	CHECK_EQ(rig_read(rig, 0xa00), 0);
	CHECK_EQ(rig_read(rig, 0x834), 1);
	for (i = 0; i < 4; i++)
		CHECK_EQ(rig_read(rig, 0xc00 + 4 * i), state[i]);

	arrive(rig, 3);
	rig_write(rig, 0xa00, 1);
	rig_kick(rig, 0);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa00), 0);
	CHECK_EQ(rig_desc(rig, 0, 3) & 0x8000, 0x8000);
	rig_write(rig, 0x834, 0);
	rig_write(rig, 0xa00, 1);
	rig_run(rig);
	CHECK(rig_same(rig->buf[0][3], FRAME(3), 60, true));
	return rig_close(rig, 0);
}

/* Each bit resets its own channel only, and what was begun is forgotten. */
TEST(model_channel_reset_bits)
{
	struct rig *rig = rig_open();

	rig_rx_fill(rig, 4);
	rig_run(rig);
	rig_tx_post(rig, 0, FRAME(0), 40, 0x2100);
	rig_kick(rig, 1);
	rig_run(rig);
	rig_write(rig, 0x834, 2);
	CHECK_EQ(rig_read(rig, 0xa00), 1);
	rig_write(rig, 0x834, 0);
	tx_whole(rig, 1);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK_EQ(rig->sent[0].len, 60);

	rig_rx_post(rig, 0, 64);
	rig_write(rig, 0xa00, 0);
	rig_write(rig, 0xc04, 0);
	rig_desc_set(rig, 0, 1, 0, 0);
	rig_write(rig, 0xa00, 1);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 100, 0), 100);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0), 64 << 16 | 0x2000);
	rig_write(rig, 0x834, 1);
	rig_write(rig, 0x834, 0);
	rig_rx_post(rig, 1, 64);
	arrive(rig, 5);
	rig_write(rig, 0xa00, 1);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 1) & 0x0fffe000, 64 << 16 | 0x6000);
	return rig_close(rig, 0);
}

/* Down and up again: at index 0 with a zeroed state RAM, the lesson of a kernel fix [8]. */
TEST(model_restart_at_zero)
{
	struct rig *rig = rig_open();
	unsigned int i;

	rig_rx_fill(rig, 8);
	for (i = 0; i < 3; i++)
		arrive(rig, i);
	rig_run(rig);
	rig_write(rig, 0xa00, 0);
	for (i = 0; i < 4; i++)
		rig_write(rig, 0xc00 + 4 * i, 0);
	rig_write(rig, 0x834, 1);
	rig_write(rig, 0x834, 0);
	rig_write(rig, 0xc00, RIG_RING_BUS(0));
	rig_rx_fill(rig, 8);
	arrive(rig, 7);
	rig_run(rig);
	CHECK(rig_same(rig->buf[0][0], FRAME(7), 60, true));
	CHECK_EQ(rig_read(rig, 0xc04), 1);
	return rig_close(rig, 0);
}

/* --- state RAM [2.5] --- */

TEST(model_state_data_position)
{
	struct rig *rig = rig_open();
	uint32_t i;

	rig_rx_fill(rig, RIG_RING);
	for (i = 0; i < RIG_RING - 1; i++) {
		arrive(rig, i);
		rig_run(rig);
		CHECK_EQ(rig_read(rig, 0xc04) & 0x1fff, i + 1);
		CHECK_EQ(rig_read(rig, 0xc04) & 0x0fff0000, 0);
		CHECK_EQ(rig_read(rig, 0xc08), rig_desc(rig, 0, i + 1));
		CHECK_EQ(rig_read(rig, 0xc0c), RIG_BUF_BUS(0, i + 1));
	}
	for (i = 0; i < 3; i++)
		tx_whole(rig, i);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xc14) & 0x1fff, 3);
	return rig_close(rig, 0);
}

TEST(model_state_data_resume)
{
	struct rig *rig = rig_open();

	tx_whole(rig, 0);
	tx_whole(rig, 5);
	rig_write(rig, 0xc14, 5);
	rig_write(rig, 0xa10, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK(rig_same(rig->sent[0].data, FRAME(5), 60, false));
	CHECK_EQ(rig_desc(rig, 1, 0) & 0x8000, 0x8000);
	CHECK_EQ(rig_read(rig, 0xc14), 6);
	return rig_close(rig, 0);
}

/* The engine's own copy of the base is the register. */
TEST(model_base_moves)
{
	struct rig *rig = rig_open();

	tx_whole(rig, 8);
	rig_write(rig, 0xc10, RIG_RING_BUS(1) + 64);
	rig_write(rig, 0xa10, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK_EQ(rig_read(rig, 0xc14), 1);
	return rig_close(rig, 0);
}

/* --- the ring's end [3.1, 3.5] --- */

TEST(model_wrap)
{
	static const uint32_t lens[] = { 1, 2, 7, 8, 9, 200 };
	struct rig *rig = rig_open();
	uint32_t i, n, r;

	for (r = 0; r < RTE_DIM(lens); r++) {
		rig_write(rig, 0xa00, 0);
		rig_write(rig, 0xa10, 0);
		rig_ring_size(rig, 0, lens[r]);
		rig_ring_size(rig, 1, lens[r]);
		rig_write(rig, 0xc04, 0);
		rig_write(rig, 0xc14, 0);
		for (n = 0; n < 2 * lens[r] + 1; n++) {
			i = n % lens[r];
			rig_rx_post(rig, i, 128);
			rig_kick(rig, 0);
			arrive(rig, n);
			tx_whole(rig, i);
			rig_kick(rig, 1);
			rig_run(rig);
			CHECK(rig_same(rig->buf[0][i % RIG_BUFS], FRAME(n), 60, true),
			      "ring of %u, frame %u", lens[r], n);
			/* WRAP stays where it was */
			CHECK_EQ(rig_desc(rig, 0, i) & 0x9000, i + 1 == lens[r] ? 0x1000 : 0);
			CHECK_EQ(rig_desc(rig, 1, i) & 0x9000, i + 1 == lens[r] ? 0x1000 : 0);
			CHECK_EQ(rig_read(rig, 0xc04), (i + 1) % lens[r]);
			CHECK_EQ(rig_read(rig, 0xc14), (i + 1) % lens[r]);
			while (rig->nb_sent > 0)
				free(rig->sent[--rig->nb_sent].data);
		}
	}
	return rig_close(rig, 0);
}

/* The index has 13 bits: without WRAP it goes back to 0 after 8191. */
TEST(model_wrap_8192)
{
	struct rig *rig = rig_open();

	rig_ring_size(rig, 1, 8192);
	rig_write(rig, 0xc14, 8190);
	tx_whole(rig, 8190);
	rig_tx_post(rig, 8191, FRAME(1), 60, RIG_TX_WHOLE);
	rig_desc_set(rig, 1, 8191, rig_desc(rig, 1, 8191) & ~0x1000u,
		     RIG_BUF_BUS(1, 8191 % RIG_BUFS));
	tx_whole(rig, 0);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 3);
	CHECK_EQ(rig_read(rig, 0xc14), 1);
	return rig_close(rig, 0);
}

/* A ring without WRAP ends where its memory ends: a bus error, which stops the channel. */
TEST(model_ring_without_wrap)
{
	struct rig *rig = rig_open();
	uint32_t chan;

	for (chan = 0; chan < 2; chan++)
		rig_ring_size(rig, chan, 3);
	for (chan = 0; chan < 3; chan++) {
		rig_rx_post(rig, chan, 128);
		arrive(rig, chan);
		tx_whole(rig, chan);
	}
	for (chan = 0; chan < 2; chan++) {
		rig_desc_set(rig, chan, 2, rig_desc(rig, chan, 2) & ~0x1000u,
			     RIG_BUF_BUS(chan, 2));
		rig_kick(rig, chan);
		rig_run(rig);
		CHECK_EQ(rig_desc(rig, chan, 2) & 0x8000, 0);
		CHECK_EQ(rig_read(rig, 0xa00 + 0x10 * chan), 0);
		CHECK_EQ(rig_read(rig, 0xa04 + 0x10 * chan), 0xb);
		CHECK_EQ(rig_read(rig, 0xc04 + 0x10 * chan), 3);
	}
	return rig_close(rig, 2);
}

/* --- receive write-back [3.1, 3.3, 3.4] --- */

TEST(model_rx_writeback)
{
	struct rig *rig = rig_open();
	uint32_t len, i = 0;

	rig_rx_fill(rig, RIG_RING);
	for (len = 60; len <= 1514; len += 100) {
		rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, len, len), len);
		rig_run(rig);
		CHECK_EQ(rig_desc(rig, 0, i), (len + 4) << 16 | 0x6040 | rig_wrap(rig, 0, i));
		CHECK(rig_same(rig->buf[0][i], rig_frame(RIG_UCAST, RIG_IPV4, len, len), len, true),
		      "%u bytes", len);
		/* and not a byte more */
		CHECK_EQ(rig->buf[0][i][len + 4], 0xa5);
		i++;
	}
	return rig_close(rig, 0);
}

TEST(model_rx_status_bits)
{
	static const struct {
		uint64_t da;
		uint16_t type;
		uint32_t len;
		uint32_t status;
	} rows[] = {
		{ RIG_UCAST, RIG_IPV4, 60, 0x040 },
		{ RIG_MCAST, RIG_IPV4, 60, 0x004 },
		{ RIG_BCAST, RIG_IPV4, 60, 0x008 },
		{ RIG_UCAST, 0x8100, 64, 0x060 },
		{ RIG_MCAST, 0x8808, 60, 0x014 },
		{ RIG_UCAST, RIG_IPV4, 1515, 0x0c0 },
		{ RIG_UCAST, RIG_IPV4, 1514, 0x040 },
		{ RIG_UCAST, RIG_IPV4, 59, 0x140 },
		{ RIG_MCAST, RIG_IPV4, 14, 0x104 },
		{ RIG_UCAST, 47, 60, 0x041 },
	};
	struct bcm4908_model_knobs knobs = { .no_rx_status = true };
	struct rig *rig = rig_open();
	unsigned int i, pass;

	/* runts and control frames too, and a length field that is wrong */
	rig_set_bits(rig, 0x408, 0x01000000, 0x40800000);
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < RTE_DIM(rows); i++) {
			rig_rx_post(rig, i, 1536);
			rig_kick(rig, 0);
			rig_arrive(rig, rig_frame(rows[i].da, rows[i].type, rows[i].len, 0),
				   rows[i].len);
			rig_run(rig);
			CHECK((rig_desc(rig, 0, i) & 0xefff) ==
			      (0x6000 | (pass == 0 ? rows[i].status : 0)),
			      "row %u: %#x", i, rig_desc(rig, 0, i));
		}
		bcm4908_model_set_knobs(rig->model, &knobs);
		rig_write(rig, 0xc04, 0);
	}
	return rig_close(rig, 0);
}

/* A frame larger than a buffer goes on in the next ones; the FCS may be cut too. */
TEST(model_rx_chain)
{
	const uint32_t cap = 128;
	struct rig *rig = rig_open();
	uint32_t len, i, n, at, want;
	uint8_t all[1024];

	for (len = 60; len < 700; len += 7) {
		n = (len + 4 + cap - 1) / cap;
		rig_write(rig, 0xa00, 0);
		rig_write(rig, 0xc04, 0);
		for (i = 0; i < n; i++)
			rig_rx_post(rig, i, cap);
		rig_desc_set(rig, 0, n, 0, 0);
		rig_write(rig, 0xa00, 1);
		rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, len, len), len);
		rig_run(rig);
		for (i = 0, at = 0; i < n; i++, at += cap) {
			want = len + 4 - at < cap ? len + 4 - at : cap;
			want = want << 16 | (i == 0 ? 0x2000 : 0) | (i + 1 == n ? 0x4040 : 0);
			CHECK_EQ(rig_desc(rig, 0, i), want);
			memcpy(all + at, rig->buf[0][i], want >> 16);
		}
		CHECK(rig_same(all, rig_frame(RIG_UCAST, RIG_IPV4, len, len), len, true),
		      "%u bytes", len);
	}
	return rig_close(rig, 0);
}

/* In the middle of a frame the engine waits for the next descriptor. */
TEST(model_rx_chain_waits)
{
	struct rig *rig = rig_open();

	rig_rx_post(rig, 0, 64);
	rig_kick(rig, 0);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 150, 3), 150);
	arrive(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0), 64 << 16 | 0x2000);
	CHECK_EQ(rig_read(rig, 0xa00), 0);
	rig_rx_post(rig, 1, 64);
	rig_kick(rig, 0);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 1), 64 << 16);
	rig_rx_post(rig, 2, 64);
	rig_rx_post(rig, 3, 64);
	rig_kick(rig, 0);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 2), 26 << 16 | 0x4040);
	CHECK_EQ(rig_desc(rig, 0, 3), 64 << 16 | 0x6040);
	CHECK_EQ(memcmp(rig->buf[0][1], rig_frame(RIG_UCAST, RIG_IPV4, 150, 3) + 64, 64), 0);
	return rig_close(rig, 0);
}

/* A buffer without room is given back empty and the frame begins in it. */
TEST(model_rx_empty_buffer)
{
	struct rig *rig = rig_open();

	rig_desc_set(rig, 0, 0, 0x8000, RIG_NOWHERE);
	rig_rx_post(rig, 1, 128);
	rig_kick(rig, 0);
	arrive(rig, 0);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0), 0x2000);
	CHECK_EQ(rig_desc(rig, 0, 1), 64 << 16 | 0x4040);
	CHECK_EQ(rig_read(rig, 0xa04) & 0x8, 0x8);
	return rig_close(rig, 1);
}

TEST(model_rx_bus_error)
{
	struct rig *rig = rig_open();

	rig_desc_set(rig, 0, 0, 1536u << 16 | 0x8000, RIG_NOWHERE);
	rig_rx_post(rig, 1, 128);
	rig_kick(rig, 0);
	arrive(rig, 0);
	arrive(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0) & 0xfffe000, 0x6000);
	CHECK_EQ(rig_desc(rig, 0, 0) & 1, 1);
	CHECK_EQ(rig_read(rig, 0xa04) & 0xb, 0xb);
	CHECK(rig_same(rig->buf[0][1], FRAME(1), 60, true));
	return rig_close(rig, 1);
}

/* In the middle of a frame a bus error ends that frame. */
TEST(model_rx_bus_error_in_frame)
{
	struct rig *rig = rig_open();

	rig_rx_post(rig, 0, 64);
	rig_desc_set(rig, 0, 1, 64 << 16 | 0x8000, RIG_NOWHERE);
	rig_rx_post(rig, 2, 64);
	rig_kick(rig, 0);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 300, 0), 300);
	arrive(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0), 64 << 16 | 0x2000);
	CHECK_EQ(rig_desc(rig, 0, 1) & 0xfffe001, 0x4001);
	CHECK_EQ(rig_desc(rig, 0, 2), 64 << 16 | 0x6040);
	CHECK(rig_same(rig->buf[0][2], FRAME(1), 60, true));
	return rig_close(rig, 1);
}

/* The erratum of [3.3], a knob: writing goes on to the next 64-byte boundary. */
TEST(model_rx_overrun_erratum)
{
	struct bcm4908_model_knobs knobs = { .overrun = true };
	struct rig *rig = rig_open();
	uint8_t *buf;
	uint32_t i;

	bcm4908_model_set_knobs(rig->model, &knobs);
	rig_rx_post(rig, 0, 192);
	rig_desc_set(rig, 0, 0, 100 << 16 | 0x8000, RIG_BUF_BUS(0, 0));
	rig_rx_post(rig, 1, 192);
	rig_kick(rig, 0);
	rig_arrive(rig, rig_frame(RIG_UCAST, RIG_IPV4, 150, 3), 150);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0), 100 << 16 | 0x2000);
	buf = rig->buf[0][0];
	CHECK_EQ(memcmp(buf, rig_frame(RIG_UCAST, RIG_IPV4, 150, 3), 100), 0);
	for (i = 100; i < 128; i++)
		CHECK(buf[i] != 0xa5, "byte %u is untouched", i);
	for (i = 128; i < 192; i++)
		CHECK(buf[i] == 0xa5, "byte %u is written", i);
	return rig_close(rig, 0);
}

/* --- transmit [3.2, 11.5] --- */

/* The write-back clears OWN and keeps the rest. */
TEST(model_tx_writeback)
{
	struct rig *rig = rig_open();

	rig_tx_post(rig, 0, FRAME(0), 60, RIG_TX_WHOLE);
	rig_tx_post(rig, 1, FRAME(0), 64, 0x6000);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 1, 0), 60 << 16 | 0x6100);
	CHECK_EQ(rig_desc(rig, 1, 1), 64 << 16 | 0x6000);
	return rig_close(rig, 0);
}

static void
see_own(struct rig *rig)
{
	rig->count += (rig_desc(rig, 1, rig->nb_sent - 1) & 0x8000) != 0;
}

/* OWN goes back after the data was read [3.2]. */
TEST(model_tx_own_after_data)
{
	struct rig *rig = rig_open();
	uint32_t i;

	rig->on_tx = see_own;
	for (i = 0; i < 3; i++)
		tx_whole(rig, i);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 3);
	CHECK_EQ(rig->count, 3);
	for (i = 0; i < 3; i++)
		CHECK_EQ(rig_desc(rig, 1, i) & 0x8000, 0);
	return rig_close(rig, 0);
}

/* USEFPM, MULTICAST, PRIO, APPEND_BRCM_TAG: the frame leaves as it is, with a warning [10]. */
TEST(model_tx_bits_ignored)
{
	static const uint32_t bits[] = { 0x80000000, 0x40000000, 0x0800, 0x0400, 0x0200 };
	struct rig *rig = rig_open();
	uint32_t i;

	for (i = 0; i < RTE_DIM(bits); i++) {
		tx_whole(rig, i);
		rig_desc_set(rig, 1, i, rig_desc(rig, 1, i) | bits[i], RIG_BUF_BUS(1, i));
		rig_kick(rig, 1);
		rig_run(rig);
		CHECK_EQ(rig->nb_sent, i + 1);
		CHECK_EQ(rig->sent[i].len, 60);
		CHECK(rig_same(rig->sent[i].data, FRAME(i), 60, false));
		CHECK_EQ(rig_desc(rig, 1, i), bits[i] | 60 << 16 | 0x6100);
	}
	return rig_close(rig, RTE_DIM(bits));
}

/* The Broadcom tag is frame data like any other, and part of LENGTH [3.3, 7]. */
TEST(model_rx_tag_is_data)
{
	static const uint8_t tag[] = { 0x00, 0x00, 0x04, 0x03 };
	struct rig *rig = rig_open();
	uint8_t frame[64];

	memcpy(frame, FRAME(1), 12);
	memcpy(frame + 12, tag, sizeof(tag));
	memcpy(frame + 16, FRAME(1) + 12, 48);
	rig_rx_fill(rig, 2);
	rig_arrive(rig, frame, sizeof(frame));
	rig_run(rig);
	CHECK_EQ(rig_desc(rig, 0, 0) & 0x0fffe000, 68 << 16 | 0x6000);
	CHECK(rig_same(rig->buf[0][0], frame, sizeof(frame), true));
	return rig_close(rig, 0);
}

TEST(model_tx_gather)
{
	static const uint32_t cuts[][4] = {
		{ 1514, 0, 0, 0 }, { 14, 1500, 0, 0 }, { 1, 1, 1, 1511 }, { 1511, 1, 1, 1 },
		{ 500, 500, 500, 14 },
	};
	const uint8_t *frame = rig_frame(RIG_UCAST, RIG_IPV4, 1514, 9);
	struct rig *rig = rig_open();
	uint32_t i, seg, at, desc = 0, first;

	for (i = 0; i < RTE_DIM(cuts); i++) {
		for (seg = 0, at = 0, first = desc; at < 1514; seg++, desc++) {
			rig_tx_post(rig, desc, frame + at, cuts[i][seg], 0x0100 |
				    (at == 0 ? 0x2000 : 0) |
				    (at + cuts[i][seg] == 1514 ? 0x4000 : 0));
			at += cuts[i][seg];
		}
		rig_kick(rig, 1);
		rig_run(rig);
		CHECK_EQ(rig->nb_sent, i + 1);
		CHECK_EQ(rig->sent[i].len, 1514);
		CHECK(rig_same(rig->sent[i].data, frame, 1514, false), "row %u", i);
		for (; first < desc; first++)
			CHECK_EQ(rig_desc(rig, 1, first) & 0x8000, 0);
	}
	CHECK_EQ(rig_read(rig, 0x2e8), RTE_DIM(cuts));
	return rig_close(rig, 0);
}

/* Without its last descriptor a packet is not sent; it is when that follows. */
TEST(model_tx_waits_for_end)
{
	struct rig *rig = rig_open();

	rig_tx_post(rig, 0, FRAME(2), 30, 0x2100);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 0);
	CHECK_EQ(rig_desc(rig, 1, 0) & 0x8000, 0);
	CHECK_EQ(rig_read(rig, 0xa14), 0x5);
	rig_tx_post(rig, 1, FRAME(2) + 30, 30, 0x4100);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK(rig_same(rig->sent[0].data, FRAME(2), 60, false));
	return rig_close(rig, 0);
}

/* Sequences that no driver writes: the packet is dropped, its descriptors come back. */
TEST(model_tx_broken_sequences)
{
	static const struct {
		const char *name;
		uint32_t bits[4];	/* of up to four descriptors; 0: no more */
		uint32_t sent;		/* bytes of the packet that is sent, 0: none */
	} rows[] = {
		{ "no start", { 0x4100 }, 0 },
		{ "no start, long", { 0x0100, 0x0100, 0x4100 }, 0 },
		{ "no start, no end", { 0x0100, 0x4100 }, 0 },
		{ "start twice", { 0x2100, 0x6100 }, 60 },
		{ "start twice, long", { 0x2100, 0x2100, 0x4100 }, 120 },
	};
	struct rig *rig = rig_open();
	unsigned int i, seg, sent = 0;
	uint32_t desc = 0;

	for (i = 0; i < RTE_DIM(rows); i++) {
		for (seg = 0; rows[i].bits[seg] != 0; seg++, desc++)
			rig_tx_post(rig, desc % RIG_RING, FRAME(0), 60, rows[i].bits[seg]);
		rig_kick(rig, 1);
		rig_run(rig);
		sent += rows[i].sent != 0;
		CHECK(rig->nb_sent == sent, "%s: %u sent", rows[i].name, rig->nb_sent);
		if (rows[i].sent != 0)
			CHECK_EQ(rig->sent[sent - 1].len, rows[i].sent);
		CHECK((rig_read(rig, 0xa14) & 0xc) == 0xc, "%s: no error", rows[i].name);
		CHECK_EQ(rig_read(rig, 0xc14), desc % RIG_RING);
		rig_write(rig, 0xa14, 0xf);
		rig_tx_post(rig, desc++ % RIG_RING, FRAME(i), 60, RIG_TX_WHOLE);
		rig_kick(rig, 1);
		rig_run(rig);
		sent++;
		CHECK(rig->nb_sent == sent, "%s: nothing goes on", rows[i].name);
		CHECK_EQ(rig_read(rig, 0xa14) & 0x8, 0);
	}
	return rig_close(rig, RTE_DIM(rows));
}

TEST(model_tx_bad_buffers)
{
	struct rig *rig = rig_open();
	uint32_t i;

	rig_desc_set(rig, 1, 0, 0xe100, RIG_BUF_BUS(1, 0));		/* empty */
	rig_desc_set(rig, 1, 1, 60u << 16 | 0xe100, RIG_NOWHERE);
	rig_tx_post(rig, 2, FRAME(0), 30, 0x2100);
	rig_desc_set(rig, 1, 3, 30u << 16 | 0x8100, RIG_NOWHERE);	/* in the middle */
	rig_tx_post(rig, 4, FRAME(0), 30, 0x4100);
	rig_tx_post(rig, 5, FRAME(0), 60, 0x2100);
	rig_desc_set(rig, 1, 6, 0xc100, RIG_BUF_BUS(1, 0));		/* an empty end */
	tx_whole(rig, 7);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK(rig_same(rig->sent[0].data, FRAME(7), 60, false));
	for (i = 0; i < 8; i++)
		CHECK_EQ(rig_desc(rig, 1, i) & 0x8000, 0);
	CHECK_EQ(rig_read(rig, 0xa14) & 0x8, 0x8);
	return rig_close(rig, 4);
}

/* An error hides nothing of what else happened in the step. */
TEST(model_tx_error_and_success)
{
	struct rig *rig = rig_open();

	tx_whole(rig, 0);
	rig_tx_post(rig, 1, FRAME(0), 60, 0x0100);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK_EQ(rig_read(rig, 0xa14), 0xf);
	return rig_close(rig, 1);
}

/* More than the MAC can hold: dropped, and the next packet goes. */
TEST(model_tx_endless_packet)
{
	static uint8_t zeros[4095];
	struct rig *rig = rig_open();
	uint32_t i;

	for (i = 0; i < 6; i++)
		rig_tx_post(rig, i, zeros, sizeof(zeros),
			    i == 0 ? 0x2100 : i < 5 ? 0x0100 : 0x4100);
	tx_whole(rig, 6);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK_EQ(rig->sent[0].len, 60);
	CHECK_EQ(rig_desc(rig, 1, 5) & 0x8000, 0);
	CHECK(rig->reports > 0, "no report");
	return rig_close(rig, rig->reports);
}

/* A busy line loses and doubles nothing, whole or in pieces. */
TEST(model_tx_line_busy)
{
	struct rig *rig = rig_open();
	unsigned int i;

	rig->line_busy = true;
	tx_whole(rig, 0);
	rig_tx_post(rig, 1, FRAME(1), 20, 0x2100);
	rig_tx_post(rig, 2, FRAME(1) + 20, 40, 0x4100);
	rig_kick(rig, 1);
	for (i = 0; i < 5; i++)
		bcm4908_model_step(rig->model, 32);
	CHECK_EQ(rig_desc(rig, 1, 0) & 0x8000, 0x8000);
	CHECK_EQ(rig_read(rig, 0x2e8), 0);
	CHECK_EQ(rig_read(rig, 0xa10), 1);
	rig->line_busy = false;
	CHECK_EQ(bcm4908_model_step(rig->model, 1), 1);
	rig->line_busy = true;
	for (i = 0; i < 5; i++)
		bcm4908_model_step(rig->model, 32);
	CHECK_EQ(rig_desc(rig, 1, 1) & 0x8000, 0);
	CHECK_EQ(rig_desc(rig, 1, 2) & 0x8000, 0x8000);
	rig->line_busy = false;
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 2);
	CHECK_EQ(rig->sent[1].len, 60);
	CHECK(rig_same(rig->sent[1].data, FRAME(1), 60, false));
	CHECK_EQ(rig_read(rig, 0x2e8), 2);
	return rig_close(rig, 0);
}

TEST(model_tx_en)
{
	struct rig *rig = rig_open();

	rig_set_bits(rig, 0x408, 1, 0);
	tx_whole(rig, 0);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 0);
	CHECK_EQ(rig_desc(rig, 1, 0) & 0x8000, 0x8000);
	rig_set_bits(rig, 0x408, 0, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	return rig_close(rig, 0);
}

/* --- steps --- */

TEST(model_step_budget)
{
	struct rig *rig = rig_open();
	uint32_t i;

	rig_rx_fill(rig, 8);
	for (i = 0; i < 8; i++) {
		tx_whole(rig, i);
		arrive(rig, i);
	}
	rig_kick(rig, 1);
	CHECK_EQ(bcm4908_model_step(rig->model, 0), 0);
	CHECK_EQ(bcm4908_model_step(rig->model, 3), 6);
	CHECK_EQ(rig->nb_sent, 3);
	CHECK_EQ(rig_read(rig, 0xc04), 3);
	CHECK_EQ(bcm4908_model_step(rig->model, 100), 10);
	CHECK_EQ(bcm4908_model_step(rig->model, 100), 0);
	return rig_close(rig, 0);
}

/* While one of two descriptors is sent, give the other again. */
static void
own_other(struct rig *rig)
{
	uint32_t i = ++rig->count % 2;

	rig_desc_set(rig, 1, i, 60 << 16 | 0xe100 | rig_wrap(rig, 1, i), RIG_BUF_BUS(1, i));
	rig_kick(rig, BCM4908_CHAN_TX);
	free(rig->sent[--rig->nb_sent].data);
}

/* A ring that never runs dry holds a step no longer than its budget. */
TEST(model_step_is_bounded)
{
	struct rig *rig = rig_open();
	uint32_t i;

	rig_ring_size(rig, 1, 2);
	tx_whole(rig, 0);
	tx_whole(rig, 1);
	rig_kick(rig, 1);
	rig->on_tx = own_other;
	CHECK_EQ(bcm4908_model_step(rig->model, 50), 50);

	/* pieces of a packet that has no end: the step stops, the next one goes on */
	rig->on_tx = NULL;
	rig_write(rig, 0xa10, 0);
	rig_ring_size(rig, 1, 1024);
	rig_write(rig, 0xc14, 0);
	for (i = 0; i < 1024; i++)
		rig_tx_post(rig, i, FRAME(0), 1, i == 0 ? 0x2100 : i == 1023 ? 0x4100 : 0x0100);
	rig_kick(rig, 1);
	CHECK_EQ(bcm4908_model_step(rig->model, 1), 1);
	CHECK(rig_read(rig, 0xc14) > 0 && rig_read(rig, 0xc14) < 1023, "at %u",
	      rig_read(rig, 0xc14));
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK_EQ(rig->sent[0].len, 1024);
	return rig_close(rig, rig->reports);
}

/* Any words in the rings and any values in the registers: no crash, no hang. */
TEST(model_random_words)
{
	static const uint32_t regs[] = {
		0x004, 0x00c, 0x028, 0x034, 0x408, 0x40c, 0x410, 0x414, 0x45c, 0x734, 0x800, 0x80c,
		0x834, 0xa00, 0xa08, 0xa10, 0xa18, 0xa04, 0xa14, 0xc04, 0xc08, 0xc14, 0xc1c,
	};
	struct rig *rig = rig_open();
	unsigned int seed, round, i;
	uint32_t chan, word, addr;

	for (seed = 1; seed <= 40; seed++) {
		srandom(seed);
		for (i = 0; i < RIG_BUFS; i++) {
			rig_buf(rig, 0, i, 1 + random() % 4095);
			rig_buf(rig, 1, i, 1 + random() % 4095);
		}
		for (round = 0; round < 500; round++) {
			for (i = 0; i < 8; i++) {
				chan = random() % 2;
				word = (uint32_t)random() << 1 ^ (uint32_t)random();
				if (random() % 4 != 0)
					word |= 0x8000;
				addr = random() % 8 == 0 ? word :
				       RIG_BUF_BUS(chan, random() % RIG_BUFS) + random() % 70;
				rig_desc_set(rig, chan, random() % RIG_RING, word, addr);
			}
			if (random() % 4 == 0)
				rig_write(rig, regs[random() % RTE_DIM(regs)],
					  (uint32_t)random() << 1 ^ (uint32_t)random());
			if (random() % 16 == 0) {
				rig_write(rig, 0x408, 0x010000db);
				rig_write(rig, 0x800, 1);
				rig_write(rig, 0x834, 0);
				rig_write(rig, 0x034, 0);
			}
			rig_arrive(rig, rig_frame((uint64_t)random() << 20, random(),
						  random() % RIG_FRAME_MAX, round),
				   random() % 2000);
			rig_kick(rig, random() % 2);
			CHECK(bcm4908_model_step(rig->model, 8) <= 3 * 8 + 1, "seed %u", seed);
			while (rig->nb_sent > 0)
				free(rig->sent[--rig->nb_sent].data);
		}
	}

	/* and after all that it still works */
	rig_write(rig, 0x834, 3);
	rig_write(rig, 0x034, 3);
	rig_write(rig, 0x734, 0);
	rig_write(rig, 0x034, 0);
	rig_write(rig, 0x834, 0);
	rig_write(rig, 0x408, 0x010021db);
	rig_write(rig, 0x408, 0x010001db);
	rig_write(rig, 0x414, 1518);
	rig_write(rig, 0x45c, 0);
	rig_write(rig, 0x800, 1);
	rig_ring_size(rig, 0, RIG_RING);
	rig_ring_size(rig, 1, RIG_RING);
	rig_write(rig, 0xc04, 0);
	rig_write(rig, 0xc14, 0);
	rig_rx_fill(rig, 2);
	tx_whole(rig, 0);
	rig_kick(rig, 1);
	arrive(rig, 5);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK(rig_same(rig->sent[0].data, FRAME(0), 60, false));
	CHECK(rig_same(rig->buf[0][0], FRAME(5), 60, true));
	return rig_close(rig, rig->reports);
}

/* --- strict mode --- */

TEST(model_strict_ring)
{
	struct rig *rig = rig_open();

	rig_write(rig, 0xc10, RIG_RING_BUS(1) + 8);
	tx_whole(rig, 1);
	rig_kick(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK_EQ(rig->reports, 1);
	CHECK(strstr(rig->report, "not aligned") != NULL, "%s", rig->report);
	rig_write(rig, 0xc10, RIG_NOWHERE);
	rig_write(rig, 0xa10, 1);
	CHECK_EQ(rig->reports, 2);
	CHECK(strstr(rig->report, "not mapped") != NULL, "%s", rig->report);
	/* and the engine stops there with an error */
	rig_run(rig);
	CHECK_EQ(rig->reports, 3);
	CHECK_EQ(rig_read(rig, 0xa10), 0);
	CHECK_EQ(rig_read(rig, 0xa14) & 0x8, 0x8);
	return rig_close(rig, 3);
}

TEST(model_strict_running_state)
{
	struct rig *rig = rig_open();

	rig_rx_fill(rig, 2);
	rig_run(rig);
	rig_write(rig, 0xc04, 0);
	CHECK_EQ(rig->reports, 1);
	rig_write(rig, 0xc00, RIG_RING_BUS(0));
	CHECK_EQ(rig->reports, 2);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa00), 1);
	/* it moves there all the same, to a descriptor that is not owned */
	rig_write(rig, 0xc04, 2);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0xa00), 0);
	rig_write(rig, 0xc00, RIG_RING_BUS(0));
	return rig_close(rig, 3);
}

TEST(model_strict_owned_descriptor)
{
	struct rig *rig = rig_open();
	uint32_t i;

	rig_rx_fill(rig, 8);
	rig_run(rig);
	CHECK_EQ(rig->reports, 0);
	rig_desc_set(rig, 0, 5, rig_desc(rig, 0, 5), RIG_BUF_BUS(0, 6));	/* its address */
	rig_run(rig);
	CHECK_EQ(rig->reports, 1);
	rig_desc_set(rig, 0, 5, 1472u << 16 | 0x8000, RIG_BUF_BUS(0, 6));	/* its length */
	rig_run(rig);
	CHECK_EQ(rig->reports, 2);
	rig_desc_set(rig, 0, 5, 0, 0);						/* taken back */
	rig_run(rig);
	CHECK_EQ(rig->reports, 3);
	CHECK(strstr(rig->report, "descriptor 5") != NULL, "%s", rig->report);

	/* after a stop software may do what it likes */
	rig_write(rig, 0xa00, 0);
	for (i = 0; i < 8; i++)
		rig_rx_post(rig, i, 128);
	rig_kick(rig, 0);
	rig_run(rig);
	return rig_close(rig, 3);
}

TEST(model_strict_descriptor_bits)
{
	static const struct {
		uint32_t chan;
		uint32_t bits;
	} rows[] = {
		{ 1, 0x80000000 }, { 1, 0x40000000 }, { 1, 0x0200 }, { 1, 0x0400 }, { 1, 0x0001 },
		{ 0, 0x80000000 }, { 0, 0x4000 }, { 0, 0x2000 }, { 0, 0x0100 }, { 0, 0x0001 },
	};
	struct rig *rig = rig_open();
	uint32_t i;

	for (i = 0; i < RTE_DIM(rows); i++) {
		if (rows[i].chan == 1) {
			tx_whole(rig, i);
		} else {
			rig_rx_post(rig, i - 5, 128);
			arrive(rig, i);
		}
		rig_desc_set(rig, rows[i].chan, i % 5,
			     rig_desc(rig, rows[i].chan, i % 5) | rows[i].bits,
			     RIG_BUF_BUS(rows[i].chan, i % 5));
		rig_kick(rig, rows[i].chan);
		rig_run(rig);
		CHECK(rig->reports == i + 1, "row %u: %u reports", i, rig->reports);
	}
	return rig_close(rig, RTE_DIM(rows));
}

static void
give_reserved(struct rig *rig)
{
	if (rig->nb_sent < 3)
		rig_tx_post(rig, rig->nb_sent, FRAME(0), 60, RIG_TX_WHOLE | 0x0400);
}

/* Also in descriptors that are given and used up within one step. */
TEST(model_strict_within_step)
{
	struct rig *rig = rig_open();

	rig->on_tx = give_reserved;
	tx_whole(rig, 0);
	rig_kick(rig, 1);
	CHECK_EQ(bcm4908_model_step(rig->model, 32), 3);
	return rig_close(rig, 2);
}

TEST(model_strict_descriptor_size)
{
	struct rig *rig = rig_open();

	rig_write(rig, 0xa0c, 8);
	CHECK_EQ(rig->reports, 0);
	rig_write(rig, 0xa0c, 0x40008);
	return rig_close(rig, 1);
}

/* --- flow control [2.3, 3.5, 10] --- */

TEST(model_flow_credit)
{
	struct rig *rig = rig_open();

	rig_write(rig, 0x80c, 5);
	rig_write(rig, 0x80c, 7);
	CHECK_EQ(rig_read(rig, 0x80c), 12);
	rig_write(rig, 0x80c, 0x80000003);
	CHECK_EQ(rig_read(rig, 0x80c), 3);
	/* off: no effect */
	rig_rx_fill(rig, 8);
	rig_write(rig, 0x804, 100);
	arrive(rig, 0);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0x80c), 3);
	CHECK_EQ(rig->nb_sent, 0);
	/* on: a credit for each buffer, and never below 0 */
	rig_write(rig, 0x804, 0);
	rig_write(rig, 0x800, 3);
	arrive(rig, 1);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0x80c), 2);
	arrive(rig, 2);
	arrive(rig, 3);
	arrive(rig, 4);
	rig_run(rig);
	CHECK_EQ(rig_read(rig, 0x80c), 0);
	return rig_close(rig, 0);
}

/* Below LO a PAUSE goes out, above HI one that ends it. */
TEST(model_flow_pause)
{
	static const uint8_t want[] = {
		0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
		0x88, 0x08, 0x00, 0x01, 0x12, 0x34,
	};
	struct rig *rig = rig_open();
	uint32_t i;

	rig_write(rig, 0x40c, 0x02030405);
	rig_write(rig, 0x410, 0x0607);
	rig_write(rig, 0x418, 0x1234);
	rig_write(rig, 0x804, 3);
	rig_write(rig, 0x808, 6);
	rig_write(rig, 0x80c, 8);
	rig_write(rig, 0x800, 3);
	rig_rx_fill(rig, 12);
	for (i = 0; i < 5; i++)
		arrive(rig, i);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 0);
	arrive(rig, 5);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	CHECK_EQ(rig->sent[0].len, 60);
	CHECK_EQ(memcmp(rig->sent[0].data, want, sizeof(want)), 0);
	for (i = sizeof(want); i < 60; i++)
		CHECK_EQ(rig->sent[0].data[i], 0);
	CHECK_EQ(rig_read(rig, 0x284), 1);

	rig_write(rig, 0x80c, 4);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 1);
	rig_write(rig, 0x80c, 1);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 2);
	CHECK_EQ(memcmp(rig->sent[1].data, want, 16), 0);
	CHECK_EQ(rig->sent[1].data[16] | rig->sent[1].data[17], 0);

	/* TX_PAUSE_IGNORE: none */
	rig_set_bits(rig, 0x408, 0, 0x10000000);
	rig_write(rig, 0x80c, 0x80000000);
	rig_run(rig);
	CHECK_EQ(rig->nb_sent, 2);
	return rig_close(rig, 0);
}

/* --- a driver in another thread --- */

#define PAIR_FRAMES 20000
#define PAIR_BURST 8

struct pair {
	struct rig *rig;
	uint32_t stop;
};

static void *
pair_model(void *arg)
{
	struct pair *pair = arg;

	while (__atomic_load_n(&pair->stop, __ATOMIC_ACQUIRE) == 0)
		if (bcm4908_model_step(pair->rig->model, 16) == 0)
			sched_yield();
	return NULL;
}

/* Own frames through the local loop, in order and whole, while another thread moves the model. */
static int
pair_driver(struct rig *rig)
{
	uint32_t sent = 0, reaped = 0, got = 0, i;
	uint8_t *buf;

	while (got < PAIR_FRAMES) {
		while (reaped < sent && (rig_desc(rig, 1, reaped % RIG_RING) & 0x8000) == 0)
			reaped++;
		for (i = 0; i < PAIR_BURST && sent < PAIR_FRAMES && sent - reaped < RIG_RING; i++) {
			buf = rig->buf[1][sent % RIG_RING];
			memcpy(buf, FRAME(sent), 60);
			rig_desc_set(rig, 1, sent % RIG_RING, 60 << 16 | 0xe100 |
				     rig_wrap(rig, 1, sent % RIG_RING),
				     RIG_BUF_BUS(1, sent % RIG_RING));
			sent++;
		}
		if (i > 0)
			rig_kick(rig, 1);
		for (i = 0; i < PAIR_BURST; i++) {
			if ((rig_desc(rig, 0, got % RIG_RING) & 0x8000) != 0)
				break;
			CHECK_EQ(rig_desc(rig, 0, got % RIG_RING) >> 16, 64);
			CHECK(rig_same(rig->buf[0][got % RIG_RING], FRAME(got), 60, true),
			      "frame %u", got);
			rig_desc_set(rig, 0, got % RIG_RING, 128 << 16 | 0x8000 |
				     rig_wrap(rig, 0, got % RIG_RING),
				     RIG_BUF_BUS(0, got % RIG_RING));
			got++;
		}
		if (i > 0)
			rig_kick(rig, 0);
		else
			sched_yield();
	}
	/* then the engine comes to rest by itself */
	while ((rig_read(rig, 0xa10) & 1) != 0)
		sched_yield();
	return 0;
}

TEST(model_two_threads)
{
	struct pair pair = { .rig = rig_open() };
	struct rig *rig = pair.rig;
	pthread_t thread;
	uint32_t i;
	int ret;

	rig_set_bits(rig, 0x408, 0, 0x8000);
	for (i = 0; i < RIG_RING; i++) {
		rig_rx_post(rig, i, 128);
		rig_buf(rig, 1, i, 60);
	}
	rig_write(rig, 0xa00, 1);
	CHECK_EQ(pthread_create(&thread, NULL, pair_model, &pair), 0);
	ret = pair_driver(rig);
	__atomic_store_n(&pair.stop, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	if (ret != 0)
		return ret;
	CHECK_EQ(rig_read(rig, 0x26c), PAIR_FRAMES);
	CHECK_EQ(rig_read(rig, 0x2f4), PAIR_FRAMES);
	return rig_close(rig, 0);
}
