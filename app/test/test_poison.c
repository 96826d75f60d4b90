/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Do poisoned pools work? Each test plants a fault in a child process, where
 * the sanitizer must report it, and beside it the nearest innocent access,
 * which must pass. These tests exist in AddressSanitizer builds
 * only.
 */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_memory.h>

#include <sanitizer/asan_interface.h>

#include "port.h"

/* How a child with a planted fault ended. */
enum child_end {
	CHILD_SILENT,		/* nothing was reported */
	CHILD_POISON = 40,	/* a poisoned byte was touched */
	CHILD_OTHER,
};

struct planted {
	struct rte_mempool *mp;
	struct rte_mbuf *m;
	struct port *p;
};

/*
 * EAL's memory is shared with a child: give the child a copy. Not by mmap(),
 * which the sanitizer takes for new memory.
 */
static int
make_private(const struct rte_memseg_list *msl __rte_unused, const struct rte_memseg *ms,
	     size_t len, void *arg __rte_unused)
{
	const int fd = rte_memseg_get_fd_thread_unsafe(ms);
	size_t offset;

	/* what has no file is private */
	if (fd < 0)
		return 0;
	if (rte_memseg_get_fd_offset_thread_unsafe(ms, &offset) != 0)
		return -1;
	return syscall(SYS_mmap, ms->addr, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
		       fd, offset) == (long)ms->addr ? 0 : -1;
}

static bool planting; /* in a child only */

/* The sanitizer found something and is about to report it. */
void __asan_on_error(void);

void
__asan_on_error(void)
{
	if (planting)
		_exit(strcmp(__asan_get_report_description(), "use-after-poison") == 0 ?
		      CHILD_POISON : CHILD_OTHER);
}

/* Run fn in a child; returns how the sanitizer took it. */
static enum child_end
plant_in_child(void (*fn)(struct planted *planted), struct planted *planted)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		planting = true;
		close(STDERR_FILENO);
		if (rte_eal_has_hugepages() != 0 ||
		    rte_memseg_contig_walk_thread_unsafe(make_private, NULL) != 0)
			_exit(CHILD_OTHER);
		fn(planted);
		_exit(CHILD_SILENT);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return CHILD_OTHER;
	return WEXITSTATUS(status);
}

#define CHECK_REPORTS(fn, planted) CHECK_EQ(plant_in_child(fn, planted), CHILD_POISON)
#define CHECK_SILENT(fn, planted) CHECK_EQ(plant_in_child(fn, planted), CHILD_SILENT)

/* A pool, and one mbuf of it. */
static int
plant(struct planted *planted)
{
	planted->mp = pool_make(64, 0, RTE_MBUF_DEFAULT_BUF_SIZE);
	CHECK(planted->mp != NULL);
	planted->m = rte_pktmbuf_alloc(planted->mp);
	CHECK(planted->m != NULL);
	return 0;
}

static volatile uint8_t sink;

static uint8_t *
buffer_end(const struct planted *planted)
{
	return (uint8_t *)planted->m->buf_addr + planted->m->buf_len;
}

static void
write_last(struct planted *planted)
{
	buffer_end(planted)[-1] = 1;
}

static void
write_behind(struct planted *planted)
{
	buffer_end(planted)[0] = 1;
}

static void
write_far_behind(struct planted *planted)
{
	buffer_end(planted)[300] = 1;
}

static void
memset_over_the_end(struct planted *planted)
{
	memset(buffer_end(planted) - 60, 0, 61);
}

TEST(poison_overrun)
{
	struct planted planted;

	CHECK_OK(plant(&planted));
	CHECK_SILENT(write_last, &planted);
	CHECK_REPORTS(write_behind, &planted);
	CHECK_REPORTS(write_far_behind, &planted);
	CHECK_REPORTS(memset_over_the_end, &planted);
	rte_pktmbuf_free(planted.m);
	return pool_free_full(planted.mp);
}

static void
read_last(struct planted *planted)
{
	sink = buffer_end(planted)[-1];
}

static void
read_behind(struct planted *planted)
{
	sink = buffer_end(planted)[0];
}

/* The last byte of the element in front, behind which the mempool's header of this one lies. */
static void
read_before(struct planted *planted)
{
	sink = ((uint8_t *)planted->m)[-(int)sizeof(struct rte_mempool_objhdr) - 1];
}

TEST(poison_read_outside)
{
	struct planted planted;

	CHECK_OK(plant(&planted));
	CHECK_SILENT(read_last, &planted);
	CHECK_REPORTS(read_behind, &planted);
	CHECK_REPORTS(read_before, &planted);
	rte_pktmbuf_free(planted.m);
	return pool_free_full(planted.mp);
}

/* A length that is no multiple of the sanitizer's grain. */
TEST(poison_odd_room)
{
	struct planted planted;

	planted.mp = pool_make(64, 24, 2045);
	CHECK(planted.mp != NULL);
	planted.m = rte_pktmbuf_alloc(planted.mp);
	CHECK(planted.m != NULL);
	CHECK_SILENT(write_last, &planted);
	CHECK_REPORTS(write_behind, &planted);
	CHECK_REPORTS(write_far_behind, &planted);
	rte_pktmbuf_free(planted.m);
	return pool_free_full(planted.mp);
}

static void
read_data(struct planted *planted)
{
	sink = *rte_pktmbuf_mtod(planted->m, uint8_t *);
}

static void
write_data(struct planted *planted)
{
	*rte_pktmbuf_mtod(planted->m, uint8_t *) = 1;
}

static void
read_next(struct planted *planted)
{
	sink = planted->m->next != NULL;
}

static void
free_again(struct planted *planted)
{
	rte_mbuf_raw_free(planted->m);
}

static int
check_freed(struct planted *planted)
{
	CHECK_SILENT(read_data, planted);
	CHECK_SILENT(write_data, planted);
	CHECK_SILENT(read_next, planted);
	rte_pktmbuf_free(planted->m);
	CHECK_REPORTS(read_data, planted);
	CHECK_REPORTS(write_data, planted);
	CHECK_REPORTS(read_next, planted);
	CHECK_REPORTS(free_again, planted);
	return pool_free_full(planted->mp);
}

TEST(poison_use_after_free)
{
	struct planted planted;

	CHECK_OK(plant(&planted));
	return check_freed(&planted);
}

TEST(poison_use_after_free_external)
{
	struct planted planted;

	planted.mp = pool_make_pinned(64, RTE_MBUF_DEFAULT_BUF_SIZE, RTE_MBUF_DEFAULT_BUF_SIZE);
	CHECK(planted.mp != NULL);
	planted.m = rte_pktmbuf_alloc(planted.mp);
	CHECK(planted.m != NULL);
	return check_freed(&planted);
}

/* Memory of a pool that is gone is anybody's. */
TEST(poison_pool_gone)
{
	struct planted planted;
	uint8_t *bytes;

	CHECK_OK(plant(&planted));
	bytes = planted.m->buf_addr;
	rte_pktmbuf_free(planted.m);
	CHECK_OK(pool_free_full(planted.mp));
	sink = *bytes;
	sink = bytes[RTE_MBUF_DEFAULT_BUF_SIZE];
	return 0;
}

static void
receive(struct planted *planted)
{
	if (port_rx(planted->p, &planted->m, 1) != 1)
		abort();
}

static void
receive_and_read(struct planted *planted)
{
	receive(planted);
	read_data(planted);
}

static int
hardware_owns(const struct port_variant *rx)
{
	struct planted planted;
	struct port p;

	PORT_OPEN(&p, .rx = rx);
	planted.p = &p;
	/* the mbuf of the first descriptor: before, and after the device filled it */
	planted.m = port_rxq(&p)->sw_ring[0];
	planted.m->data_off = port_rxq(&p)->data_off;
	CHECK_REPORTS(read_data, &planted);
	CHECK_REPORTS(write_data, &planted);
	CHECK_REPORTS(free_again, &planted);
	CHECK(port_push_frame(&p, 60, 1));
	port_run(&p);
	CHECK_SILENT(receive_and_read, &planted);
	receive(&planted);
	CHECK_OK(mbuf_check(&p, planted.m, 60, 1));
	rte_pktmbuf_free(planted.m);
	return port_close(&p);
}

TEST(poison_hardware_owns)
{
	return each_rx_variant(hardware_owns);
}

/* The driver gives away what it does not have: a buffer that it freed, and more than a buffer. */
static void
give_freed(struct planted *planted)
{
	struct bcm4908_rxq *rxq = port_rxq(planted->p);

	rte_mbuf_raw_free(rxq->sw_ring[0]);
	bcm4908_rxq_start(planted->p->dev, rxq, 1522);
}

static void
give_too_much(struct planted *planted)
{
	struct bcm4908_rxq *rxq = port_rxq(planted->p);

	bcm4908_rxq_stop(rxq);
	rxq->capacity += 64;
	bcm4908_rxq_start(planted->p->dev, rxq, 1522);
}

static void
give_again(struct planted *planted)
{
	struct bcm4908_rxq *rxq = port_rxq(planted->p);

	bcm4908_rxq_stop(rxq);
	bcm4908_rxq_start(planted->p->dev, rxq, 1522);
}

TEST(poison_give_away)
{
	struct planted planted;
	struct port p;

	PORT_OPEN(&p);
	planted.p = &p;
	CHECK_SILENT(give_again, &planted);
	CHECK_REPORTS(give_too_much, &planted);
	CHECK_REPORTS(give_freed, &planted);
	return port_close(&p);
}

/* The device reads a frame that the driver freed too soon. */
static void
step(struct planted *planted)
{
	port_step(planted->p, 1);
}

static void
free_and_step(struct planted *planted)
{
	rte_pktmbuf_free(planted->m);
	step(planted);
}

TEST(poison_transmit)
{
	struct planted planted;
	struct port p;

	PORT_OPEN(&p);
	planted.p = &p;
	planted.m = mbuf_frame(p.pool, 60, 1);
	CHECK(planted.m != NULL);
	CHECK_EQ(port_tx(&p, &planted.m, 1), 1);
	CHECK_SILENT(step, &planted);
	CHECK_REPORTS(free_and_step, &planted);
	port_run(&p);
	return port_close(&p);
}
