/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Mempool operations for tests under AddressSanitizer, which by itself takes a
 * mempool's memory for one valid block. An mbuf's buffer can be touched from
 * its allocation to its free and up to its last byte; what lies between two
 * buffers (rest of the element and of the page, header of the next) never.
 *
 * The objects lie in a ring, as with the default operations. Choose these with
 * the EAL option --mbuf-pool-ops-name=bcm4908_poison; a per-core cache keeps
 * frees from being seen, so pools should have none.
 */

#include <errno.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include <sanitizer/asan_interface.h>

static const struct rte_mempool_ops *
ring_ops(void)
{
	for (uint32_t i = 0; i < rte_mempool_ops_table.num_ops; i++)
		if (strcmp(rte_mempool_ops_table.ops[i].name, "ring_mp_mc") == 0)
			return &rte_mempool_ops_table.ops[i];
	return NULL;
}

/* A pool's pool_config, which the ring has no use for, once the pool has all its mbufs. */
static char complete;

struct buffer {
	void *addr;
	size_t len;
};

static bool
is_pinned(struct rte_mempool *mp)
{
	return (rte_pktmbuf_priv_flags(mp) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF) != 0;
}

static struct buffer
buffer_of(struct rte_mempool *mp, struct rte_mbuf *m)
{
	/* a direct buffer lies where it must, whatever the mbuf says */
	if (!is_pinned(mp))
		return (struct buffer){
			RTE_PTR_ADD(m, sizeof(*m) + rte_pktmbuf_priv_size(mp)),
			rte_pktmbuf_data_room_size(mp),
		};
	return (struct buffer){ m->buf_addr, m->buf_len };
}

/* The part of an mbuf that nobody has to read while it is free. */
static struct buffer
back_of(struct rte_mbuf *m)
{
	return (struct buffer){ &m->next, sizeof(*m) - offsetof(struct rte_mbuf, next) };
}

static void
poison(struct buffer b)
{
	ASAN_POISON_MEMORY_REGION(b.addr, b.len);
}

static void
unpoison(struct buffer b)
{
	ASAN_UNPOISON_MEMORY_REGION(b.addr, b.len);
}

/* Make the sanitizer report a byte that must not be touched. */
static void
expect_clean(struct buffer b)
{
	const volatile char *bad = __asan_region_is_poisoned(b.addr, b.len);

	if (bad != NULL)
		(void)*bad;
}

static void
take_back(struct rte_mempool *mp, struct rte_mbuf *m)
{
	/* freed twice, or while the device owns it */
	expect_clean(back_of(m));
	expect_clean(buffer_of(mp, m));
	poison(back_of(m));
	poison(buffer_of(mp, m));
}

static int
poison_enqueue(struct rte_mempool *mp, void * const *objs, unsigned int n)
{
	/* not before it is complete: its mbufs are initialised after that */
	for (unsigned int i = 0; mp->pool_config == &complete && i < n; i++)
		take_back(mp, objs[i]);
	return ring_ops()->enqueue(mp, objs, n);
}

static int
poison_dequeue(struct rte_mempool *mp, void **objs, unsigned int n)
{
	const int ret = ring_ops()->dequeue(mp, objs, n);

	for (unsigned int i = 0; ret == 0 && i < n; i++) {
		unpoison(back_of(objs[i]));
		unpoison(buffer_of(mp, objs[i]));
	}
	return ret;
}

static unsigned int
poison_get_count(const struct rte_mempool *mp)
{
	return ring_ops()->get_count(mp);
}

static void
poison_chunk(struct rte_mempool *mp __rte_unused, void *arg __rte_unused,
	     struct rte_mempool_memhdr *chunk, unsigned int idx __rte_unused)
{
	poison((struct buffer){ chunk->addr, chunk->len });
}

static void
unpoison_chunk(struct rte_mempool *mp __rte_unused, void *arg __rte_unused,
	       struct rte_mempool_memhdr *chunk, unsigned int idx __rte_unused)
{
	unpoison((struct buffer){ chunk->addr, chunk->len });
}

/*
 * The mbuf itself, with its private area and what a pinned buffer keeps behind
 * it, and the mempool's words in front of it, which mbuf functions read.
 */
static void
unpoison_mbuf(struct rte_mempool *mp, void *arg __rte_unused, void *obj,
	      unsigned int idx __rte_unused)
{
	const size_t head = sizeof(struct rte_mempool_objhdr);
	const size_t len = is_pinned(mp) ? mp->elt_size :
		sizeof(struct rte_mbuf) + rte_pktmbuf_priv_size(mp);

	unpoison((struct buffer){ RTE_PTR_SUB(obj, head), head + len });
}

static void
pool_event(enum rte_mempool_event event, struct rte_mempool *mp, void *arg __rte_unused)
{
	struct rte_mempool_ops *ops = rte_mempool_get_ops(mp->ops_index);

	if (ops->enqueue != poison_enqueue)
		return;
	/* when it goes, its memory goes back to the heap: anybody may get it */
	rte_mempool_mem_iter(mp, event == RTE_MEMPOOL_EVENT_READY ? poison_chunk : unpoison_chunk,
			     NULL);
	if (event == RTE_MEMPOOL_EVENT_READY) {
		rte_mempool_obj_iter(mp, unpoison_mbuf, NULL);
		mp->pool_config = &complete;
	}
}

static int
poison_alloc(struct rte_mempool *mp)
{
	const struct rte_mempool_ops *ops = ring_ops();

	if (ops == NULL || mp->private_data_size < sizeof(struct rte_pktmbuf_pool_private))
		return -ENOTSUP;
	if (rte_mempool_event_callback_register(pool_event, NULL) != 0 && rte_errno != EEXIST)
		return -rte_errno;
	return ops->alloc(mp);
}

static void
poison_free(struct rte_mempool *mp)
{
	ring_ops()->free(mp);
}

static const struct rte_mempool_ops ops_poison = {
	.name = "bcm4908_poison",
	.alloc = poison_alloc,
	.free = poison_free,
	.enqueue = poison_enqueue,
	.dequeue = poison_dequeue,
	.get_count = poison_get_count,
};

RTE_MEMPOOL_REGISTER_OPS(ops_poison);
