/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* 32 bits of bus address: what they reach, and what comes of what they do not. */

#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rte_ethdev.h>
#include <rte_malloc.h>

#include "port.h"

#define GB (UINT64_C(1) << 30)

extern char **environ;

static int
receive_and_check(struct port *p, uint32_t len, uint32_t seed)
{
	struct rte_mbuf *m;

	CHECK(port_push_frame(p, len, seed));
	port_run(p);
	CHECK_EQ(port_rx(p, &m, 1), 1);
	CHECK_OK(mbuf_check(p, m, len, seed));
	rte_pktmbuf_free(m);
	return 0;
}

/* The seam's own rule. */
TEST(window_limits)
{
	static const struct {
		uint64_t lo, size;
		int ret;
	} cases[] = {
		{ 0, 0, 0 }, { 0, 1, 0 }, { 0, 4 * GB, 0 }, { 0, 4 * GB + 1, -ERANGE },
		{ 7 * GB, 4 * GB, 0 }, { 7 * GB, 4 * GB + 1, -ERANGE }, { 7 * GB, 100 * GB, -ERANGE },
		{ 7 * GB + 64, 4 * GB, 0 }, { 7 * GB + 1, 4 * GB - 1, 0 },
		{ 7 * GB + 4096, 64 << 20, 0 }, { UINT64_MAX - GB, GB / 2, 0 }, { 4096, 4096, 0 },
	};
	struct port p;

	PORT_OPEN(&p, .stopped = true);
	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		const uint64_t lo = cases[i].lo, hi = lo + cases[i].size;
		int ret = p.dev->ops->set_window(p.dev, lo, hi);

		CHECK(ret == cases[i].ret, "%#" PRIx64 " to %#" PRIx64 ": %d", lo, hi, ret);
		if (ret != 0)
			continue;
		CHECK(p.dev->bus_base <= lo && hi - p.dev->bus_base <= 4 * GB,
		      "%#" PRIx64 " to %#" PRIx64 " from %#" PRIx64, lo, hi, p.dev->bus_base);
		CHECK_EQ(p.dev->bus_base % 64, 0);
	}
	CHECK_EQ(p.dev->ops->set_window(p.dev, 4 * GB, GB), -ERANGE);
	return port_close(&p);
}

/* The whole receive pool, each buffer to its end. */
TEST(window_covers_pool)
{
	struct rte_mbuf *m[3200];
	struct port p;
	uint32_t n;

	PORT_OPEN(&p, .pool_size = 3000);
	n = rte_mempool_avail_count(p.pool);
	CHECK_EQ(rte_mempool_get_bulk(p.pool, (void **)m, n), 0);
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t bus = (uintptr_t)m[i]->buf_addr - p.dev->bus_base;

		CHECK((uintptr_t)m[i]->buf_addr >= p.dev->bus_base);
		CHECK(bus + m[i]->buf_len <= 4 * GB, "%#" PRIx64, bus);
	}
	rte_mempool_put_bulk(p.pool, (void **)m, n);
	/* and what is copied to be padded */
	CHECK(port_txq(&p)->bounce_addr >= p.dev->bus_base);
	CHECK(port_txq(&p)->bounce_addr + 64 * 64 - p.dev->bus_base <= 4 * GB);
	return port_close(&p);
}

/* A pool that is too large: the start names both ends; one that fits is taken afterwards. */
TEST(window_pool_too_large)
{
	char lo[32], hi[32];
	struct port p;
	uint64_t end;
	int ret;

	PORT_OPEN(&p, .stopped = true);
	end = port_rxq(&p)->hi;
	port_rxq(&p)->hi = port_rxq(&p)->lo + 4 * GB + 1;
	snprintf(lo, sizeof(lo), "%#" PRIx64, port_rxq(&p)->lo);
	snprintf(hi, sizeof(hi), "%#" PRIx64, port_rxq(&p)->hi);
	log_catch();
	ret = rte_eth_dev_start(p.id);
	CHECK(strstr(log_caught(), lo) != NULL && strstr(log_caught(), hi) != NULL, "%s",
	      log_caught());
	CHECK_EQ(ret, -ERANGE);
	CHECK_EQ(rte_mempool_avail_count(p.pool), p.pool->size);
	CHECK_EQ(port_reg(&p, BCM4908_UMAC_CMD) & 3, 0);
	CHECK_EQ(port_reg(&p, BCM4908_DMA_CTRL) & 1, 0);
	port_rxq(&p)->hi = end;
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(receive_and_check(&p, 100, 1));
	CHECK_OK(port_send_check(&p, p.pool, 100, 1));
	return port_close(&p);
}

static unsigned int ext_freed;

static void
ext_free(void *addr __rte_unused, void *opaque __rte_unused)
{
	ext_freed++;
}

/* An mbuf that says that its data lies at an address, which nobody may touch. */
static struct rte_mbuf *
far_frame(struct rte_mempool *mp, uint64_t addr, uint16_t len,
	  struct rte_mbuf_ext_shared_info *info)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(mp);

	if (m == NULL)
		return NULL;
	*info = (struct rte_mbuf_ext_shared_info){ .free_cb = ext_free };
	rte_mbuf_ext_refcnt_set(info, 1);
	rte_pktmbuf_attach_extbuf(m, (void *)(uintptr_t)addr, addr, 65535, info);
	m->data_off = 0;
	m->data_len = len;
	m->pkt_len = len;
	return m;
}

/* Buffers that the device cannot reach are dropped, counted and freed; their neighbours go. */
static int
window_tx_outside(const struct port_variant *tx)
{
	static const uint16_t lens[] = { 60, 61, 1514, 4095, 20, 59, 1 };
	static const struct {
		int64_t at;	/* from the window's start */
	} places[] = {
		{ 4 * GB }, { 4 * GB - 4095 }, { 4 * GB + 4096 }, { 8 * GB }, { 100 * GB },
		{ -1 }, { -4096 }, { -(int64_t)(4 * GB) },
	};
	struct rte_mbuf_ext_shared_info info;
	struct rte_eth_stats stats;
	struct rte_mbuf *m[9];
	uint64_t drops = 0;
	struct port p;

	PORT_OPEN(&p, .tx = tx);
	ext_freed = 0;
	for (unsigned int i = 0; i < RTE_DIM(places); i++) {
		for (unsigned int j = 0; j < 2 * RTE_DIM(lens); j++) {
			const unsigned int bad = (i + j) % RTE_DIM(m);
			const uint16_t len = lens[j / 2];

			for (unsigned int k = 0; k < RTE_DIM(m); k++) {
				m[k] = k == bad && j % 2 == 0 ?
					far_frame(p.pool, p.dev->bus_base + places[i].at, len, &info) :
					mbuf_frame(p.pool, 100, k);
				CHECK(m[k] != NULL);
			}
			if (j % 2 != 0) { /* the second segment */
				m[bad]->next = far_frame(p.pool, p.dev->bus_base + places[i].at, len,
							 &info);
				CHECK(m[bad]->next != NULL);
				m[bad]->nb_segs = 2;
				m[bad]->pkt_len += len;
			}
			port_line_clear(&p);
			CHECK_EQ(port_tx(&p, m, RTE_DIM(m)), RTE_DIM(m));
			port_run(&p);
			CHECK(port_sent(&p) == RTE_DIM(m) - 1, "%u bytes at %" PRId64, len,
			      places[i].at);
			for (unsigned int k = 0; k < RTE_DIM(m) - 1; k++)
				CHECK_OK(port_check_sent(&p, k, 100, k < bad ? k : k + 1));
			drops++;
			CHECK_EQ(port_txq(&p)->stats.window_drops, drops);
			CHECK_EQ(ext_freed, drops);
		}
	}
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.oerrors, drops);
	CHECK_EQ(stats.opackets, drops * (RTE_DIM(m) - 1));
	return port_close(&p);
}

TEST(window_tx_outside)
{
	return each_tx_variant(window_tx_outside);
}

/* No room in the window for copies: what needs one is dropped, everything else goes. */
static int
window_bounce_outside(const struct port_variant *tx)
{
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .tx = tx, .stopped = true);
	port_txq(&p)->bounce_addr += 64 * GB;
	log_catch();
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	log_caught();
	for (unsigned int i = 1; i <= 10; i++) {
		m = mbuf_frame(p.pool, 0, 0);
		CHECK(m != NULL);
		m->data_off = m->buf_len - 20;
		frame_fill((uint8_t *)rte_pktmbuf_append(m, 20), 20, 1);
		port_line_clear(&p);
		CHECK_EQ(port_tx(&p, &m, 1), 1);
		port_run(&p);
		CHECK_EQ(port_sent(&p), 0);
		CHECK_EQ(port_txq(&p)->stats.window_drops, i);
		m = mbuf_frame(p.pool, 20, 1);
		CHECK_EQ(port_tx(&p, &m, 1), 1);
		port_run(&p);
		CHECK_EQ(port_sent(&p), 1);
		CHECK_OK(port_send_check(&p, p.pool, 60, 1));
	}
	return port_close(&p);
}

TEST(window_bounce_outside)
{
	return each_tx_variant(window_bounce_outside);
}

/* What the driver asked for, on its way to the device. */
static struct {
	const struct bcm4908_dev_ops *ops;
	uint64_t lo;
	uint64_t hi;
} asked;

static int
ask_window(struct bcm4908_dev *dev, uint64_t lo, uint64_t hi)
{
	asked.lo = lo;
	asked.hi = hi;
	return asked.ops->set_window(dev, lo, hi);
}

/* Wherever they lie: the receive pool and the copies are both within it. */
TEST(window_asked)
{
	struct bcm4908_dev_ops ops;
	struct bcm4908_rxq *rxq;
	struct bcm4908_txq *txq;
	struct port p;

	PORT_OPEN(&p, .stopped = true);
	rxq = port_rxq(&p);
	txq = port_txq(&p);
	asked.ops = p.dev->ops;
	ops = *p.dev->ops;
	ops.set_window = ask_window;
	p.dev->ops = &ops;
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	p.dev->ops = asked.ops;
	CHECK(rxq->lo < rxq->hi);
	CHECK(asked.lo <= rxq->lo && asked.hi >= rxq->hi);
	CHECK(asked.lo <= txq->bounce_addr);
	CHECK(asked.hi >= txq->bounce_addr + (uint64_t)txq->nb_desc * 64);
	return port_close(&p);
}

/* Frames from pools that the port never saw before, made before and after it. */
TEST(window_several_pools)
{
	struct rte_mempool *pools[4];
	struct port p;

	for (unsigned int i = 0; i < 2; i++)
		pools[i] = pool_make(256, 0, 2176);
	PORT_OPEN(&p, .tx_desc = 32);
	for (unsigned int i = 2; i < 4; i++)
		pools[i] = i == 2 ? pool_make(256, 64, 1024) : pool_make_pinned(256, 2176, 2176);
	for (unsigned int i = 0; i < 200; i++) {
		CHECK(pools[i % 4] != NULL);
		CHECK_OK(port_send_check(&p, pools[i % 4], 60 + i, i));
		CHECK_OK(receive_and_check(&p, 60 + i, i));
	}
	CHECK_EQ(port_txq(&p)->stats.window_drops, 0);
	CHECK_OK(port_close(&p));
	for (unsigned int i = 0; i < 4; i++)
		CHECK_OK(pool_free_full(pools[i]));
	return 0;
}

/* One direction alone; the other channel is never started, not by the watchdog either. */
TEST(window_tx_only)
{
	struct port p;

	PORT_OPEN(&p, .rx_desc = PORT_NO_QUEUE);
	CHECK_EQ(port_reg(&p, BCM4908_UMAC_CMD) & 3, BCM4908_CMD_TX_EN);
	for (unsigned int round = 0; round < 3; round++) {
		for (unsigned int i = 0; i < 100; i++) {
			CHECK_OK(port_send_check(&p, p.pool, 60 + i, i));
			bcm4908_watchdog(p.eth_dev);
		}
		CHECK(!port_push_frame(&p, 60, 1)); /* nobody listens */
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
	}
	return port_close(&p);
}

TEST(window_rx_only)
{
	struct port p;

	PORT_OPEN(&p, .tx_desc = PORT_NO_QUEUE);
	CHECK_EQ(port_reg(&p, BCM4908_UMAC_CMD) & 3, BCM4908_CMD_RX_EN);
	for (unsigned int round = 0; round < 3; round++) {
		for (unsigned int i = 0; i < 100; i++) {
			CHECK_OK(receive_and_check(&p, 60 + i, i));
			bcm4908_watchdog(p.eth_dev);
			port_run(&p);
		}
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
	}
	return port_close(&p);
}

/* A queue that was there before the port was configured anew leaves nothing to start. */
TEST(window_queue_gone)
{
	struct port p;

	for (unsigned int gone = 0; gone < 2; gone++) {
		PORT_OPEN(&p);
		CHECK_OK(port_send_check(&p, p.pool, 60, 1));
		CHECK_OK(receive_and_check(&p, 60, 1));
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_EQ(rte_eth_dev_configure(p.id, gone == 0 ? 0 : 1, gone == 0 ? 1 : 0,
					       &p.cfg.conf), 0);
		p.cfg.rx_desc = gone == 0 ? PORT_NO_QUEUE : 64;
		p.cfg.tx_desc = gone == 0 ? 64 : PORT_NO_QUEUE;
		CHECK_OK(port_setup_queues(&p));
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		bcm4908_watchdog(p.eth_dev);
		port_run(&p);
		if (gone == 0)
			CHECK_OK(port_send_check(&p, p.pool, 60, 1));
		else
			CHECK_OK(receive_and_check(&p, 60, 1));
		CHECK_OK(port_close(&p));
	}
	return 0;
}

/* Everything that a burst touches lies in memory that a secondary process maps, too. */
TEST(window_shared_memory)
{
	const void *ptrs[16];
	unsigned int n = 0;
	struct port p;

	PORT_OPEN(&p);
	ptrs[n++] = port_rxq(&p);
	ptrs[n++] = port_rxq(&p)->ring;
	ptrs[n++] = port_rxq(&p)->sw_ring;
	ptrs[n++] = (const void *)port_rxq(&p)->doorbell;
	ptrs[n++] = port_rxq(&p)->mp;
	ptrs[n++] = port_txq(&p);
	ptrs[n++] = port_txq(&p)->ring;
	ptrs[n++] = port_txq(&p)->sw_ring;
	ptrs[n++] = (const void *)port_txq(&p)->doorbell;
	ptrs[n++] = port_txq(&p)->bounce;
	ptrs[n++] = bcm4908_port(p.eth_dev);
	ptrs[n++] = bcm4908_port(p.eth_dev)->dev_shared;
	for (unsigned int i = 0; i < n; i++)
		CHECK(rte_mem_virt2memseg(ptrs[i], NULL) != NULL, "pointer %u", i);
	return port_close(&p);
}

/*
 * The same in other EAL modes: this program once more, with other options.
 */

static uint64_t
huge_free_mb(void)
{
	uint64_t pages = 0, kb = 0;
	char line[128];
	FILE *f = fopen("/proc/meminfo", "r");

	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		sscanf(line, "HugePages_Free: %" SCNu64, &pages);
		sscanf(line, "Hugepagesize: %" SCNu64, &kb);
	}
	if (f != NULL)
		fclose(f);
	return pages * kb / 1024;
}

#define MODE_MB 256

static int
run_mode(bool huge, const char * const *options)
{
	static const char * const common[] = {
		"--no-pci", "--no-telemetry", "--no-shconf", "--log-level=lib.eal:error", "-m", "256",
	};
	static const char * const tests[] = {
		"--", "rx_fields", "rx_burst_sizes", "rx_private_sizes", "tx_lengths", "tx_chains",
		"tx_pad_shared", "tx_safe_free", "scatter_lengths", "window_covers_pool",
		"window_tx_outside", "window_several_pools", "window_tx_only",
	};
	char *argv[32];
	int argc = 0, status = 0;
	pid_t pid;

	if (huge && huge_free_mb() < 2 * MODE_MB) {
		printf("skipped: %" PRIu64 " MB of huge pages are free\n", huge_free_mb());
		return 0;
	}
	argv[argc++] = strdup("/proc/self/exe");
	for (unsigned int i = 0; i < RTE_DIM(common); i++)
		argv[argc++] = strdup(common[i]);
	argv[argc++] = strdup("--file-prefix=bcm4908-test");
	for (; *options != NULL; options++)
		argv[argc++] = strdup(*options);
	for (unsigned int i = 0; i < RTE_DIM(tests); i++)
		argv[argc++] = strdup(tests[i]);
	argv[argc] = NULL;
	fflush(stdout);
	CHECK_EQ(posix_spawn(&pid, argv[0], NULL, NULL, argv, environ), 0);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	while (argc > 0)
		free(argv[--argc]);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", status);
	return 0;
}

#define RUN_MODE(huge, ...) run_mode(huge, (const char * const []){ __VA_ARGS__, NULL })

TEST(modes_iova_va)
{
	return RUN_MODE(true, "--iova-mode=va", "--huge-unlink");
}

TEST(modes_iova_pa)
{
	if (geteuid() != 0) {
		printf("skipped: physical addresses are for root\n");
		return 0;
	}
	return RUN_MODE(true, "--iova-mode=pa", "--huge-unlink");
}

TEST(modes_legacy_mem)
{
	return RUN_MODE(true, "--legacy-mem", "--huge-unlink");
}

TEST(modes_in_memory)
{
	return RUN_MODE(true, "--in-memory");
}

TEST(modes_no_huge_legacy)
{
	return RUN_MODE(false, "--no-huge", "--legacy-mem");
}
