/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* Receive interrupts, slept on as examples/l3fwd-power does. */

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_epoll.h>
#include <rte_ethdev.h>

#include "model/bcm4908_model.h"
#include "port.h"

#define INT_STAT	BCM4908_CHAN_INT_STAT(BCM4908_CHAN_RX)
#define INT_MASK	BCM4908_CHAN_INT_MASK(BCM4908_CHAN_RX)

/* At most so long for what another thread does; only a failure takes it. */
#define PATIENCE_MS	60000

/* Any value that an application wants back with the event. */
#define COOKIE		((void *)0x4908)

static const struct rte_eth_conf with_intr = { .intr_conf.rxq = 1 };

static int
listen_to(uint16_t port_id, int *epfd)
{
	*epfd = epoll_create1(EPOLL_CLOEXEC);
	CHECK(*epfd >= 0);
	CHECK_EQ(rte_eth_dev_rx_intr_ctl_q(port_id, 0, *epfd, RTE_INTR_EVENT_ADD, COOKIE), 0);
	return 0;
}

/* Events that wait; each is the receive queue's. */
static int
events(int epfd, int timeout_ms, uint16_t port_id)
{
	struct rte_epoll_event ev = { 0 };
	int n = rte_epoll_wait(epfd, &ev, 1, timeout_ms);

	if (n == 1 && (ev.epdata.data != COOKIE ||
		       ev.fd != rte_eth_dev_rx_intr_ctl_q_get_fd(port_id, 0)))
		return -1;
	return n;
}

static int
receive(struct port *p, uint32_t len, uint32_t seed)
{
	struct rte_mbuf *m;

	CHECK_EQ(port_rx(p, &m, 1), 1);
	CHECK_OK(mbuf_check(p, m, len, seed));
	rte_pktmbuf_free(m);
	return 0;
}

/* Armed it wakes, once; otherwise it is silent. */
TEST(intr_wake)
{
	struct rte_mbuf *m;
	struct port p;
	int epfd;

	PORT_OPEN(&p, .conf = with_intr);
	CHECK_OK(listen_to(p.id, &epfd));
	CHECK_EQ(port_reg(&p, INT_MASK), 0);
	for (unsigned int i = 0; i < 200; i++) {
		CHECK_EQ(port_rx(&p, &m, 1), 0);
		CHECK_EQ(rte_eth_dev_rx_intr_enable(p.id, 0), 0);
		CHECK((port_reg(&p, INT_MASK) & BCM4908_CHAN_INT_DONE) != 0);
		port_run(&p);
		CHECK_EQ(events(epfd, 0, p.id), 0);
		CHECK(port_push_frame(&p, 60, i));
		CHECK(port_push_frame(&p, 61, i));
		port_run(&p);
		CHECK_EQ(events(epfd, 0, p.id), 1);
		CHECK_EQ(events(epfd, 0, p.id), 0);
		CHECK_EQ(rte_eth_dev_rx_intr_disable(p.id, 0), 0);
		CHECK_EQ(port_reg(&p, INT_MASK), 0);
		CHECK_OK(receive(&p, 60, i));
		/* while it is masked */
		CHECK(port_push_frame(&p, 62, i));
		port_run(&p);
		CHECK_EQ(events(epfd, 0, p.id), 0);
		CHECK_OK(receive(&p, 61, i));
		CHECK_OK(receive(&p, 62, i));
	}
	close(epfd);
	return port_close(&p);
}

/* A frame comes when the application has looked, but has not armed yet. */
static int
before_arming(bool latch)
{
	const struct bcm4908_model_knobs knobs = { .no_masked_latch = !latch };
	struct rte_mbuf *m;
	struct port p;
	int epfd;

	PORT_OPEN(&p, .conf = with_intr);
	bcm4908_model_set_knobs(p.model, &knobs);
	CHECK_OK(listen_to(p.id, &epfd));
	for (unsigned int i = 0; i < 200; i++) {
		CHECK_EQ(port_rx(&p, &m, 1), 0);
		CHECK(port_push_frame(&p, 60, i));
		port_run(&p);
		CHECK_EQ(events(epfd, 0, p.id), 0);
		CHECK_EQ(rte_eth_dev_rx_intr_enable(p.id, 0), 0);
		CHECK_EQ(events(epfd, 0, p.id), 1);
		CHECK_EQ(rte_eth_dev_rx_intr_disable(p.id, 0), 0);
		CHECK_OK(receive(&p, 60, i));
	}
	close(epfd);
	return port_close(&p);
}

TEST(intr_before_arming)
{
	CHECK_OK(before_arming(true));
	return before_arming(false);
}

/* A device into which a frame comes just before a write to one register. */
static struct {
	const struct bcm4908_dev_ops *ops;
	struct port *p;
	uint32_t reg;
	unsigned int seed;
} meddler;

static void
meddle_write(struct bcm4908_dev *dev, uint32_t reg, uint32_t val)
{
	if (reg == meddler.reg) {
		port_push_frame(meddler.p, 60, meddler.seed);
		port_run(meddler.p);
	}
	meddler.ops->write(dev, reg, val);
}

static int
while_arming(uint32_t reg, bool latch)
{
	const struct bcm4908_model_knobs knobs = { .no_masked_latch = !latch };
	struct bcm4908_dev_ops ops;
	struct port p;
	int epfd;

	PORT_OPEN(&p, .conf = with_intr);
	bcm4908_model_set_knobs(p.model, &knobs);
	CHECK_OK(listen_to(p.id, &epfd));
	ops = *p.dev->ops;
	ops.write = meddle_write;
	meddler.ops = p.dev->ops;
	meddler.p = &p;
	meddler.reg = reg;
	for (unsigned int i = 0; i < 200; i++) {
		meddler.seed = i;
		p.dev->ops = &ops;
		CHECK_EQ(rte_eth_dev_rx_intr_enable(p.id, 0), 0);
		p.dev->ops = meddler.ops;
		CHECK_EQ(events(epfd, 0, p.id), 1);
		CHECK_EQ(rte_eth_dev_rx_intr_disable(p.id, 0), 0);
		CHECK_OK(receive(&p, 60, i));
	}
	close(epfd);
	return port_close(&p);
}

/* A frame comes between any two accesses of arming. */
TEST(intr_while_arming)
{
	CHECK_OK(while_arming(INT_STAT, true));
	CHECK_OK(while_arming(INT_STAT, false));
	CHECK_OK(while_arming(INT_MASK, true));
	return while_arming(INT_MASK, false);
}

/* What was received by polling does not wake later. */
TEST(intr_not_stale)
{
	struct port p;
	int epfd;

	PORT_OPEN(&p, .conf = with_intr);
	CHECK_OK(listen_to(p.id, &epfd));
	for (unsigned int i = 0; i < 200; i++) {
		CHECK(port_push_frame(&p, 60, i));
		port_run(&p);
		CHECK_OK(receive(&p, 60, i));
		CHECK_EQ(rte_eth_dev_rx_intr_enable(p.id, 0), 0);
		port_run(&p);
		CHECK_EQ(events(epfd, 0, p.id), 0);
		CHECK_EQ(rte_eth_dev_rx_intr_disable(p.id, 0), 0);
	}
	close(epfd);
	return port_close(&p);
}

/* Without a descriptor nothing can be received: who may refill is to be woken. */
TEST(intr_no_descriptors)
{
	struct rte_mbuf *held[64];
	struct port p;
	int epfd;

	PORT_OPEN(&p, .conf = with_intr, .rx_desc = 64, .pool_size = 64);
	CHECK_OK(listen_to(p.id, &epfd));
	for (unsigned int i = 0; i < 64; i++) {
		CHECK(port_push_frame(&p, 60, i));
		port_run(&p);
		CHECK_EQ(port_rx(&p, &held[i], 1), 1);
	}
	CHECK(port_push_frame(&p, 60, 64));
	port_run(&p);
	CHECK_EQ(rte_eth_dev_rx_intr_enable(p.id, 0), 0);
	CHECK_EQ(events(epfd, 0, p.id), 0);
	/* as it happens every 10 ms on a device that moves by itself */
	bcm4908_watchdog(p.eth_dev);
	port_run(&p);
	CHECK_EQ(events(epfd, 0, p.id), 1);
	CHECK_EQ(rte_eth_dev_rx_intr_disable(p.id, 0), 0);
	rte_pktmbuf_free_bulk(held, 64);
	CHECK_EQ(port_rx(&p, held, 1), 0);
	port_run(&p);
	CHECK_OK(receive(&p, 60, 64));
	close(epfd);
	return port_close(&p);
}

/* Stop masks and forgets; after start the application begins anew. */
TEST(intr_restart)
{
	struct port p;
	int epfd;

	PORT_OPEN(&p, .conf = with_intr);
	for (unsigned int i = 0; i < 10; i++) {
		CHECK_OK(listen_to(p.id, &epfd));
		CHECK_EQ(rte_eth_dev_rx_intr_enable(p.id, 0), 0);
		if (i % 2 == 0)
			CHECK_EQ(rte_eth_dev_rx_intr_ctl_q(p.id, 0, epfd, RTE_INTR_EVENT_DEL,
							   NULL), 0);
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_EQ(port_reg(&p, INT_MASK), 0);
		CHECK(rte_eth_dev_rx_intr_enable(p.id, 0) != 0);
		CHECK(rte_eth_dev_rx_intr_disable(p.id, 0) != 0);
		CHECK(rte_eth_dev_rx_intr_ctl_q(p.id, 0, epfd, RTE_INTR_EVENT_ADD, NULL) != 0);
		CHECK_EQ(port_reg(&p, INT_MASK), 0);
		close(epfd);
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		CHECK_EQ(port_reg(&p, INT_MASK), 0);
	}
	return port_close(&p);
}

/* Who did not ask for it does not get it. */
TEST(intr_not_asked)
{
	struct port p;
	int epfd = epoll_create1(EPOLL_CLOEXEC);

	CHECK(epfd >= 0);
	PORT_OPEN(&p);
	CHECK(rte_eth_dev_rx_intr_ctl_q(p.id, 0, epfd, RTE_INTR_EVENT_ADD, NULL) != 0);
	log_catch();
	CHECK_EQ(rte_eth_dev_rx_intr_enable(p.id, 0), -ENOTSUP);
	CHECK(strstr(log_caught(), "receive interrupts") != NULL);
	CHECK_EQ(rte_eth_dev_rx_intr_disable(p.id, 0), -ENOTSUP);
	CHECK_EQ(port_reg(&p, INT_MASK), 0);
	close(epfd);
	return port_close(&p);
}

/* A port that moves only while it is polled cannot wake anybody. */
TEST(intr_stepped_refused)
{
	struct port p;

	PORT_OPEN(&p, .conf = with_intr, .args = "stepping=burst", .stopped = true);
	log_catch();
	CHECK_EQ(rte_eth_dev_start(p.id), -ENOTSUP);
	CHECK(strstr(log_caught(), "receive interrupts") != NULL);
	return port_close(&p);
}

/* A start that fails leaves no interrupt to wait for. */
TEST(intr_failed_start)
{
	struct port p;

	/* the model's thread cannot run there */
	PORT_OPEN(&p, .conf = with_intr, .args = "stepping=thread,cpu=1023", .stopped = true);
	log_catch();
	CHECK(rte_eth_dev_start(p.id) < 0);
	CHECK_EQ(rte_eth_dev_rx_intr_enable(p.id, 0), -ENOTSUP);
	log_caught();
	return port_close(&p);
}

TEST(intr_descriptors_closed)
{
	const unsigned int before = dir_entries("/proc/self/fd");
	struct port p;

	for (unsigned int i = 0; i < 10; i++) {
		PORT_OPEN(&p, .conf = with_intr);
		CHECK_EQ(dir_entries("/proc/self/fd"), before + 1);
		CHECK_OK(port_close(&p));
	}
	CHECK_EQ(dir_entries("/proc/self/fd"), before);
	return 0;
}

/* One frame at a time around a loop; each has to wake the receiver. */
static int
sleep_and_receive(struct port *p, int epfd)
{
	struct rte_mbuf *m;
	unsigned int woken;

	for (unsigned int i = 0; i < 500; i++) {
		m = mbuf_frame(p->pool, 100, i);
		CHECK(m != NULL);
		if (i % 2 == 0)
			CHECK_EQ(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
		CHECK_EQ(port_tx(p, &m, 1), 1);
		if (i % 2 != 0)
			CHECK_EQ(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
		/* one that is left from the last round may come first */
		for (woken = 0; woken < 3; woken++) {
			CHECK_EQ(events(epfd, PATIENCE_MS, p->id), 1);
			CHECK_EQ(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
			if (port_rx(p, &m, 1) == 1)
				break;
			CHECK_EQ(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
		}
		CHECK(woken < 3);
		CHECK_OK(mbuf_check(p, m, 100, i));
		rte_pktmbuf_free(m);
	}
	return 0;
}

TEST(intr_thread)
{
	struct port p;
	int epfd;

	PORT_OPEN(&p, .conf = with_intr, .args = "stepping=thread,wire=loop", .own_line = true);
	CHECK_OK(listen_to(p.id, &epfd));
	CHECK_OK(sleep_and_receive(&p, epfd));
	close(epfd);
	return port_close(&p);
}
