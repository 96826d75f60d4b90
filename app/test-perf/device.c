/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <sched.h>
#include <stdalign.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_pause.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "device.h"

#define FILL_BYTE	0x5a
#define SPINS		20000	/* before a core gives its CPU to others */

static uint64_t stamp;

static uint32_t
ctl_get(struct bcm4908_desc *desc)
{
	return rte_le_to_cpu_32(rte_atomic_load_explicit(&desc->ctl, rte_memory_order_acquire));
}

static void
ctl_set(struct bcm4908_desc *desc, uint32_t ctl)
{
	rte_atomic_store_explicit(&desc->ctl, rte_cpu_to_le_32(ctl), rte_memory_order_release);
}

static struct bcm4908_desc *
ring_advance(struct perf_ring *ring)
{
	struct bcm4908_desc *desc = &ring->desc[ring->next];

	ring->next = ring->next + 1 == ring->size ? 0 : ring->next + 1;
	return desc;
}

static void
write_buffer(uint8_t *buf, uint32_t len, bool first)
{
#ifdef __SANITIZE_ADDRESS__
	/* The driver forbids everybody else what the device owns. */
	ASAN_UNPOISON_MEMORY_REGION(buf, len);
#endif
	memset(buf, FILL_BYTE, len);
	if (!first)
		return;
	memcpy(buf, &stamp, sizeof(stamp));
	stamp++;
}

static bool
fill_one(struct perf_ring *ring, uint32_t left)
{
	uint32_t flags = BCM4908_DESC_SOP | BCM4908_DESC_RX_UCAST;

	while (left > 0) {
		struct bcm4908_desc *desc = ring_advance(ring);
		const uint32_t ctl = ctl_get(desc);
		const uint32_t room = ctl >> BCM4908_DESC_LEN_SHIFT & BCM4908_DESC_LEN_MAX;
		const uint32_t len = RTE_MIN(left, room);

		if ((ctl & BCM4908_DESC_OWN) == 0 || len == 0)
			return false;
		write_buffer((uint8_t *)(uintptr_t)(ring->base + rte_le_to_cpu_32(desc->addr)),
			     len, (flags & BCM4908_DESC_SOP) != 0);
		left -= len;
		if (left == 0)
			flags |= BCM4908_DESC_EOP;
		ctl_set(desc, len << BCM4908_DESC_LEN_SHIFT | (ctl & BCM4908_DESC_WRAP) | flags);
		flags = 0;
	}
	return true;
}

bool
perf_ring_fill(struct perf_ring *ring, uint32_t n, uint32_t len)
{
	while (n > 0 && fill_one(ring, len + BCM4908_FCS_LEN))
		n--;
	return n == 0;
}

bool
perf_ring_drain(struct perf_ring *ring, uint32_t n)
{
	while (n > 0) {
		struct bcm4908_desc *desc = ring_advance(ring);
		const uint32_t ctl = ctl_get(desc);

		if ((ctl & BCM4908_DESC_OWN) == 0)
			return false;
		ctl_set(desc, ctl & ~BCM4908_DESC_OWN);
		if ((ctl & BCM4908_DESC_EOP) != 0)
			n--;
	}
	return true;
}

uint64_t
perf_ring_stamp(void)
{
	return stamp;
}

/* A call to another core: what stands here is written before asked changes. */
static struct {
	perf_device_fn fn;
	struct perf_path *path;
	uint32_t n;
	bool ok;
	alignas(RTE_CACHE_LINE_SIZE) RTE_ATOMIC(uint32_t) asked;
	alignas(RTE_CACHE_LINE_SIZE) RTE_ATOMIC(uint32_t) done;
} mailbox;

static void
wait_for(RTE_ATOMIC(uint32_t) *word, uint32_t value)
{
	unsigned int spins = 0;

	while (rte_atomic_load_explicit(word, rte_memory_order_acquire) != value) {
		rte_pause();
		if (++spins % SPINS == 0)
			sched_yield();
	}
}

static int
device_main(void *arg __rte_unused)
{
	uint32_t turn = 0;
	bool go_on = true;

	while (go_on) {
		wait_for(&mailbox.asked, ++turn);
		go_on = mailbox.fn != NULL;
		if (go_on)
			mailbox.ok = mailbox.fn(mailbox.path, mailbox.n);
		rte_atomic_store_explicit(&mailbox.done, turn, rte_memory_order_release);
	}
	return 0;
}

static bool
ask(perf_device_fn fn, struct perf_path *path, uint32_t n)
{
	const uint32_t turn = rte_atomic_load_explicit(&mailbox.asked,
						       rte_memory_order_relaxed) + 1;

	mailbox.fn = fn;
	mailbox.path = path;
	mailbox.n = n;
	rte_atomic_store_explicit(&mailbox.asked, turn, rte_memory_order_release);
	wait_for(&mailbox.done, turn);
	return mailbox.ok;
}

int
perf_device_launch(unsigned int lcore)
{
	rte_atomic_store_explicit(&mailbox.asked, 0, rte_memory_order_relaxed);
	rte_atomic_store_explicit(&mailbox.done, 0, rte_memory_order_relaxed);
	return rte_eal_remote_launch(device_main, NULL, lcore);
}

void
perf_device_end(unsigned int lcore)
{
	ask(NULL, NULL, 0);
	rte_eal_wait_lcore(lcore);
}

bool
perf_device_call(perf_device_fn fn, struct perf_path *path, uint32_t n, bool cross)
{
	return cross ? ask(fn, path, n) : fn(path, n);
}
