/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_ethdev.h>
#include <rte_malloc.h>

#include "loop.h"
#include "path.h"

/* Bus addresses are 32 bits; a pool starts as far above 0 as this. */
#define BUS_START	0x10000000u

/* Where a pool's memory lies. */
struct span {
	uintptr_t lo;
	uintptr_t hi;
};

static void
span_add(struct rte_mempool *mp __rte_unused, void *opaque, struct rte_mempool_memhdr *memhdr,
	 unsigned int idx __rte_unused)
{
	struct span *span = opaque;
	const uintptr_t start = (uintptr_t)memhdr->addr;

	span->lo = RTE_MIN(span->lo, start);
	span->hi = RTE_MAX(span->hi, start + memhdr->len);
}

static int
bus_base(struct rte_mempool *mp, uint64_t *base)
{
	struct span span = { UINTPTR_MAX, 0 };

	rte_mempool_mem_iter(mp, span_add, &span);
	*base = span.lo - BUS_START;
	if (span.hi - *base <= UINT32_MAX - BCM4908_DESC_LEN_MAX)
		return 0;
	fprintf(stderr, "the pool's memory does not fit into 32 bits of address\n");
	return -ERANGE;
}

static void *
zalloc(size_t size)
{
	return rte_zmalloc(NULL, size, RTE_CACHE_LINE_SIZE);
}

static uint64_t
rearm_word(uint16_t port)
{
	struct rte_mbuf m = { .data_off = RTE_PKTMBUF_HEADROOM, .nb_segs = 1, .port = port };

	rte_mbuf_refcnt_set(&m, 1);
	return *(loop_word_t *)&m.rearm_data;
}

static int
rxq_start(struct loop_rxq *q, const struct perf_path *path, const struct perf_env *env,
	  uint64_t base, bool copies)
{
	q->mp = env->mp;
	q->rearm = rearm_word(path->port);
	q->max_len = LOOP_CAPACITY;
	q->ring = zalloc(q->size * sizeof(*q->ring));
	if (copies)
		q->copies = zalloc((size_t)q->size * LOOP_CAPACITY);
	else
		q->sw = zalloc(q->size * sizeof(*q->sw));
	if (q->ring == NULL || (copies ? q->copies == NULL : q->sw == NULL))
		return -ENOMEM;
	if (!copies) {
		if (rte_mempool_get_bulk(q->mp, (void **)q->sw, q->size) < 0)
			return -ENOMEM;
		q->delta = (uintptr_t)q->sw[0]->buf_addr - (uintptr_t)q->sw[0] +
			RTE_PKTMBUF_HEADROOM - base;
	}
	for (uint32_t i = 0; i < q->size; i++)
		q->ring[i] = loop_rx_word(copies ? i * LOOP_CAPACITY :
					  (uintptr_t)q->sw[i] + q->delta, i + 1 == q->size);
	return 0;
}

static int
txq_start(struct loop_txq *q, const struct perf_env *env, uint64_t base, bool copies)
{
	q->mp = env->mp;
	q->base = base;
	q->nb_free = q->size;
	q->ring = zalloc(q->size * sizeof(*q->ring));
	q->sw = zalloc(q->size * sizeof(*q->sw));
	if (copies)
		q->copies = zalloc((size_t)q->size * LOOP_CAPACITY);
	return q->ring == NULL || q->sw == NULL || (copies && q->copies == NULL) ? -ENOMEM : 0;
}

/*
 * ethdev's table of fast-path functions has room for more ports than exist:
 * loops take entries from its end, and give them back as they were.
 */
static int
loop_create(struct perf_path *path, const struct perf_env *env __rte_unused)
{
	static uint16_t last_port = RTE_MAX_ETHPORTS;
	struct loop_port *lp = zalloc(sizeof(*lp));

	if (lp == NULL || last_port == 0 || rte_eth_dev_is_valid_port(last_port - 1)) {
		fprintf(stderr, "%s: no port or no memory is left\n", path->name);
		rte_free(lp);
		return -ENOMEM;
	}
	path->port = --last_port;
	path->priv = lp;
	lp->saved = rte_eth_fp_ops[path->port];
	lp->queues[0] = &lp->rxq;
	lp->queues[1] = &lp->txq;
	rte_eth_fp_ops[path->port].rxq.data = &lp->queues[0];
	rte_eth_fp_ops[path->port].txq.data = &lp->queues[1];
	return 0;
}

static void
loop_destroy(struct perf_path *path)
{
	struct loop_port *lp = path->priv;

	rte_eth_fp_ops[path->port] = lp->saved;
	rte_free(lp);
	path->priv = NULL;
}

static void
loop_stop(struct perf_path *path)
{
	struct loop_port *lp = path->priv;
	struct loop_rxq *rxq = &lp->rxq;
	struct loop_txq *txq = &lp->txq;

	if (rxq->errors + txq->errors > 0)
		fprintf(stderr, "%s: %" PRIu64 " descriptors or packets were not as they must be\n",
			path->name, rxq->errors + txq->errors);
	for (uint32_t i = 0; rxq->sw != NULL && i < rxq->size; i++)
		if (rxq->sw[i] != NULL)
			rte_mbuf_raw_free(rxq->sw[i]);
	/* a slot that was reclaimed keeps its pointer: what is due starts at clean */
	for (uint32_t n = txq->size - txq->nb_free; n > 0; n--) {
		rte_pktmbuf_free(txq->sw[txq->clean]);
		txq->clean = txq->clean + 1 == txq->size ? 0 : txq->clean + 1;
	}
	rte_free((void *)(uintptr_t)rxq->ring);
	rte_free((void *)(uintptr_t)txq->ring);
	rte_free(rxq->sw);
	rte_free(txq->sw);
	rte_free(rxq->copies);
	rte_free(txq->copies);
	memset(rxq, 0, sizeof(*rxq));
	memset(txq, 0, sizeof(*txq));
}

static int
loop_start(struct perf_path *path, const struct perf_case *c, const struct perf_env *env)
{
	const struct perf_loop *loop = path->variant;
	struct loop_port *lp = path->priv;
	uint64_t base;
	int ret = bus_base(env->mp, &base);

	if (ret != 0)
		return ret;
	path->mp = env->mp;
	lp->rxq.size = c->ring;
	lp->txq.size = c->ring;
	ret = rxq_start(&lp->rxq, path, env, base, loop->rx_copies);
	if (ret == 0)
		ret = txq_start(&lp->txq, env, base, loop->tx_copies);
	if (ret != 0) {
		fprintf(stderr, "%s: not enough memory for rings of %u\n", path->name, c->ring);
		lp->txq.nb_free = lp->txq.size;
		loop_stop(path);
		return ret;
	}
	rte_eth_fp_ops[path->port].rx_pkt_burst = loop->rx;
	rte_eth_fp_ops[path->port].tx_pkt_burst = loop->tx;
	path->rx = (struct perf_ring){
		.desc = (struct bcm4908_desc *)(uintptr_t)lp->rxq.ring,
		.base = loop->rx_copies ? (uintptr_t)lp->rxq.copies : base,
		.size = c->ring,
	};
	path->tx = (struct perf_ring){
		.desc = (struct bcm4908_desc *)(uintptr_t)lp->txq.ring,
		.size = c->ring,
	};
	snprintf(path->bursts, sizeof(path->bursts), "%s", loop->name);
	return 0;
}

static bool
loop_fill(struct perf_path *path, uint32_t n)
{
	return perf_ring_fill(&path->rx, n, path->len);
}

static bool
loop_drain(struct perf_path *path, uint32_t n)
{
	return perf_ring_drain(&path->tx, n);
}

const struct perf_path_ops perf_loop_ops = {
	.create = loop_create,
	.start = loop_start,
	.stop = loop_stop,
	.destroy = loop_destroy,
	.fill = loop_fill,
	.drain = loop_drain,
};
