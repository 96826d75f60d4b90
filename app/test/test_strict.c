/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Strict mode: each misuse, planted once in a port that is otherwise used as
 * it should be, is reported once. That nothing else is reported by any test is
 * the test program's own check.
 */

#include <string.h>

#include <rte_ethdev.h>

#include "bcm4908_dev_model.h"
#include "port.h"

static int
misuse_reserved_bit(struct port *p)
{
	p->dev->ops->write(p->dev, BCM4908_UMAC_CMD, 0x010000db | 1u << 31);
	return 0;
}

static int
misuse_no_register(struct port *p)
{
	p->dev->ops->write(p->dev, 0x608, 1); /* where other UniMACs have one [2.2] */
	return 0;
}

static int
misuse_read_only(struct port *p)
{
	p->dev->ops->write(p->dev, BCM4908_OVERFLOW_COUNTER, 0);
	return 0;
}

/* A channel that is at rest begins at another place. */
static int
enable_at(struct port *p, uint32_t ring)
{
	const uint32_t reg = BCM4908_CHAN_BASE_DESC(BCM4908_CHAN_TX);
	const uint32_t old = port_reg(p, reg);

	CHECK(port_chan_idle(p, BCM4908_CHAN_TX));
	p->dev->ops->write(p->dev, reg, ring);
	p->dev->ops->write(p->dev, BCM4908_CHAN_CFG(BCM4908_CHAN_TX), BCM4908_CHAN_CFG_ENABLE);
	p->dev->ops->write(p->dev, BCM4908_CHAN_CFG(BCM4908_CHAN_TX), 0);
	p->dev->ops->write(p->dev, reg, old);
	return 0;
}

static int
misuse_misaligned_ring(struct port *p)
{
	return enable_at(p, port_reg(p, BCM4908_CHAN_BASE_DESC(BCM4908_CHAN_TX)) + 8);
}

static int
misuse_unmapped_ring(struct port *p)
{
	return enable_at(p, 0x7fff0000);
}

static int
misuse_running_state(struct port *p)
{
	p->dev->ops->write(p->dev, BCM4908_CHAN_DESC_STATUS(BCM4908_CHAN_RX), 0);
	return 0;
}

static int
misuse_owned_rewritten(struct port *p)
{
	struct bcm4908_desc *desc = &port_rxq(p)->ring[7];

	desc->addr = port_rxq(p)->ring[8].addr;
	port_run(p);
	return 0;
}

static int
misuse_owned_taken_back(struct port *p)
{
	rte_atomic_store_explicit(&port_rxq(p)->ring[7].ctl, 0, rte_memory_order_release);
	port_run(p);
	return 0;
}

static int
misuse_descriptor_bits(struct port *p)
{
	struct rte_mbuf *m = mbuf_frame(p->pool, 100, 1);
	struct bcm4908_desc *desc = &port_txq(p)->ring[0];

	CHECK(m != NULL);
	CHECK_EQ(port_tx(p, &m, 1), 1);
	rte_atomic_store_explicit(&desc->ctl, desc->ctl | rte_cpu_to_le_32(0x0400),
				  rte_memory_order_release);
	port_run(p);
	return 0;
}

static int
misuse_descriptor_size(struct port *p)
{
	p->dev->ops->write(p->dev, BCM4908_CHAN_MAX_BURST(BCM4908_CHAN_RX),
			   BCM4908_CHAN_MAX_BURST_8 | BCM4908_CHAN_DESCSIZE_SEL);
	return 0;
}

#ifndef __SANITIZE_ADDRESS__
/* A buffer goes to its pool and back while the device owns it. */
static int
free_owned(struct port *p, struct rte_mbuf *m)
{
	static struct rte_mbuf *others[2048];
	const unsigned int n = rte_mempool_avail_count(p->pool);
	void *back;

	CHECK(n <= RTE_DIM(others));
	CHECK_EQ(rte_mempool_get_bulk(p->pool, (void **)others, n), 0);
	rte_mempool_put(p->pool, m);
	CHECK_EQ(rte_mempool_get(p->pool, &back), 0);
	CHECK(back == m);
	rte_mempool_put_bulk(p->pool, (void **)others, n);
	return 0;
}

static int
misuse_rx_freed(struct port *p)
{
	return free_owned(p, port_rxq(p)->sw_ring[5]);
}

/* Also before the device has looked at it for the first time. */
static int
misuse_tx_freed(struct port *p)
{
	struct rte_mbuf *m = mbuf_frame(p->pool, 100, 1);

	CHECK(m != NULL);
	CHECK_EQ(port_tx(p, &m, 1), 1);
	CHECK_OK(free_owned(p, m));
	port_run(p);
	return 0;
}
#endif

TEST(strict_misuses)
{
	static const struct {
		int (*fn)(struct port *p);
		const char *report;
	} misuses[] = {
		{ misuse_reserved_bit, "reserved bits 0x80000000 of register 0x408" },
		{ misuse_no_register, "unimplemented register 0x608" },
		{ misuse_read_only, "read-only register 0x30" },
		{ misuse_misaligned_ring, "is not aligned" },
		{ misuse_unmapped_ring, "is not mapped" },
		{ misuse_running_state, "running channel" },
		{ misuse_owned_rewritten, "channel 0, descriptor 7: rewritten while owned" },
		{ misuse_owned_taken_back, "channel 0, descriptor 7: taken back" },
		{ misuse_descriptor_bits, "channel 1, descriptor 0: reserved bits 0x400" },
		{ misuse_descriptor_size, "16-byte descriptors" },
#ifndef __SANITIZE_ADDRESS__
		{ misuse_rx_freed, "channel 0, descriptor 5: freed while owned" },
		{ misuse_tx_freed, "channel 1, descriptor 0: freed while owned" },
#endif
	};
	struct port p;

	for (unsigned int i = 0; i < RTE_DIM(misuses); i++) {
		PORT_OPEN(&p, .args = NULL);
		p.lies = true;
		port_run(&p);
		CHECK_EQ(bcm4908_dev_model_reports(p.dev), 0);
		log_catch();
		CHECK(misuses[i].fn(&p) == 0, "%s", misuses[i].report);
		CHECK(strstr(log_caught(), misuses[i].report) != NULL, "no %s in %s",
		      misuses[i].report, log_caught());
		CHECK(bcm4908_dev_model_reports(p.dev) == 1, "%s: %u reports",
		      misuses[i].report, bcm4908_dev_model_reports(p.dev));
		CHECK_OK(port_close(&p));
	}
	return 0;
}

/* Devices that move by themselves are in strict mode, too. */
TEST(strict_thread)
{
	const unsigned int before = bcm4908_dev_model_all_reports();
	struct port p;

	PORT_OPEN(&p, .args = "stepping=thread", .own_line = true);
	p.lies = true;
	CHECK_OK(misuse_no_register(&p));
	CHECK_EQ(bcm4908_dev_model_all_reports(), before + 1);
	return port_close(&p);
}
