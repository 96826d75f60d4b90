/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <string.h>
#include <unistd.h>

#include <sanitizer/asan_interface.h>

#include <rte_eal.h>
#include <rte_log.h>

#include "bcm4908_cache.h"
#include "fuzz.h"

#define BUFFERS_MAX 2048

static struct {
	uintptr_t start, end;
} buffers[BUFFERS_MAX];
static unsigned int nb_buffers;
static uintptr_t also_start, also_end;

/* The tests' frame, which ports are made with: there is no test that could forgive. */
void
test_forgive(unsigned int reports __rte_unused)
{
}

uint8_t
fuzz_u8(struct fuzz_input *in)
{
	if (in->len == 0)
		return 0;
	in->len--;
	return *in->data++;
}

uint16_t
fuzz_u16(struct fuzz_input *in)
{
	const uint16_t low = fuzz_u8(in);

	return low | fuzz_u8(in) << 8;
}

uint32_t
fuzz_u32(struct fuzz_input *in)
{
	const uint32_t low = fuzz_u16(in);

	return low | (uint32_t)fuzz_u16(in) << 16;
}

__attribute__((no_sanitize("address"))) void
fuzz_dma(struct fuzz_input *in, uint8_t *to, uint32_t len)
{
	for (uint32_t i = 0; i < len && in->len > 0; i++, in->len--)
		((volatile uint8_t *)to)[i] = *in->data++;
}

void
fuzz_check_mbuf(const struct rte_mbuf *m)
{
	uint32_t len = 0, segs = 0;
	void *bad;

	for (const struct rte_mbuf *seg = m; seg != NULL; seg = seg->next, segs++) {
		FUZZ_CHECK(seg->data_off + seg->data_len <= seg->buf_len, "%u + %u of %u",
			   seg->data_off, seg->data_len, seg->buf_len);
		FUZZ_CHECK(seg->data_len > 0);
		bad = __asan_region_is_poisoned(rte_pktmbuf_mtod(seg, void *), seg->data_len);
		FUZZ_CHECK(bad == NULL, "%p is not the packet's", bad);
		FUZZ_CHECK(rte_mbuf_refcnt_read(seg) == 1);
		len += seg->data_len;
	}
	FUZZ_CHECK(segs == m->nb_segs, "%u segments, not %u", segs, m->nb_segs);
	FUZZ_CHECK(len == m->pkt_len, "%u bytes, not %u", len, m->pkt_len);
}

void
fuzz_cache_buffer(const void *buf, size_t len)
{
	FUZZ_CHECK(nb_buffers < BUFFERS_MAX);
	buffers[nb_buffers].start = (uintptr_t)buf;
	buffers[nb_buffers++].end = (uintptr_t)buf + len;
}

static void
add_mbuf(struct rte_mempool *mp __rte_unused, void *arg __rte_unused, void *obj,
	 unsigned int idx __rte_unused)
{
	const struct rte_mbuf *m = obj;

	fuzz_cache_buffer(m->buf_addr, m->buf_len);
}

void
fuzz_cache_pool(struct rte_mempool *mp)
{
	rte_mempool_obj_iter(mp, add_mbuf, NULL);
}

static void
check_care(uintptr_t addr, size_t len, bool invalidate __rte_unused)
{
	if (addr >= also_start && addr + len <= also_end)
		return;
	for (unsigned int i = 0; i < nb_buffers; i++)
		if (addr >= buffers[i].start && addr < buffers[i].end) {
			FUZZ_CHECK(len <= buffers[i].end - addr, "%zu bytes", len);
			return;
		}
	FUZZ_CHECK(false, "%#zx is in no buffer", addr);
}

void
fuzz_cache_watch(const void *also, size_t len)
{
	also_start = (uintptr_t)also;
	also_end = (uintptr_t)also + len;
	bcm4908_cache_hook = check_care;
}

int
LLVMFuzzerInitialize(int *argc __rte_unused, char ***argv)
{
	static char prefix[64];
	char *args[] = {
		(*argv)[0],
		(char []){ "--no-huge" },
		(char []){ "-m" }, (char []){ "256" },
		(char []){ "--no-pci" },
		(char []){ "--no-shconf" },
		(char []){ "--no-telemetry" },
		(char []){ "--log-level=lib.eal:error" },
		(char []){ "--mbuf-pool-ops-name=bcm4908_poison" },
		prefix,
		NULL,
	};
	FILE *null;

	snprintf(prefix, sizeof(prefix), "--file-prefix=bcm4908-fuzz-%d", getpid());
	if (rte_eal_init(RTE_DIM(args) - 1, args) < 0) {
		fprintf(stderr, "EAL does not start\n");
		exit(EXIT_FAILURE);
	}
	if (fuzz_prepare() != 0)
		exit(EXIT_FAILURE);
	/* messages are made, for their formats, but not read */
	null = fopen("/dev/null", "w");
	if (null == NULL)
		exit(EXIT_FAILURE);
	rte_openlog_stream(null);
	return 0;
}
