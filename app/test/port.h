/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * A port for a test: stepped by hand, with the line in the test's hands. What
 * the MAC sends is kept, what arrives is what port_push() brings.
 */

#ifndef BCM4908_TEST_PORT_H
#define BCM4908_TEST_PORT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#include <ethdev_driver.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "bcm4908_dev.h"
#include "bcm4908_ethdev.h"
#include "bcm4908_rxtx.h"
#include "test.h"

/* Check a step that reports by itself why it failed. */
#define CHECK_OK(call) do { \
	if ((call) != 0) { \
		printf("%s:%d: %s failed\n", __FILE__, __LINE__, #call); \
		return -1; \
	} \
} while (0)

#define PORT_NO_QUEUE UINT16_MAX

/* A burst function, and how a port comes to use it. */
struct port_variant {
	const char *name;		/* as the burst mode says */
	const char *args;		/* device arguments */
	uint64_t offloads;		/* of this direction */
	bool scalar;			/* keep vector functions away */
	bool pinned;			/* buffers are external to the mbufs' pool */
};

/* What zero stands for is in brackets. */
struct port_config {
	const char *args;		/* device arguments beside stepping=manual [none] */
	uint16_t rx_desc;		/* PORT_NO_QUEUE: no receive queue [64] */
	uint16_t tx_desc;		/* [64] */
	uint16_t rx_free_thresh;	/* [the driver's] */
	uint16_t tx_free_thresh;	/* [the driver's] */
	struct rte_mempool *pool;	/* the caller's own [one of pool_size] */
	unsigned int pool_size;		/* [twice the receive ring and 1024] */
	uint16_t data_room;		/* of its buffers, headroom included [2176] */
	uint16_t priv_size;		/* of its mbufs */
	uint16_t mtu;			/* [1500] */
	struct rte_eth_conf conf;	/* to configure with */
	bool stopped;			/* open it, but do not start it */
	bool unset;			/* configure, but do not set up queues */
	bool own_line;			/* leave the line to wire= */
	const struct port_variant *rx;	/* burst functions [the driver's choice] */
	const struct port_variant *tx;
};

struct port_line;

struct port {
	struct port_config cfg;
	char name[32];
	uint16_t id;
	struct rte_eth_dev *eth_dev;
	struct bcm4908_dev *dev;
	struct bcm4908_model *model;
	struct rte_mempool *pool;
	struct port_line *line;
	bool lies;			/* the test plays the device: strict mode's reports do not count */
};

/** Make, configure and start a port; 0 or -1, the reason is printed. */
int port_open(struct port *p, const struct port_config *cfg);

/** As port_open(), with the fields of struct port_config as arguments. */
#define PORT_OPEN(p, ...) \
	CHECK_OK(port_open(p, &(const struct port_config){ __VA_ARGS__ }))

/**
 * Stop and remove a port. Fails when strict mode reported something, when an
 * mbuf is missing from the pool, or when memory stays reserved.
 */
int port_close(struct port *p);

/** Free what is the test's own, once the device is gone; the pool must be full. */
int port_forget(struct port *p);

/** Set up queues as the configuration says. */
int port_setup_queues(struct port *p);

static inline struct bcm4908_rxq *
port_rxq(const struct port *p)
{
	return p->eth_dev->data->rx_queues[0];
}

static inline struct bcm4908_txq *
port_txq(const struct port *p)
{
	return p->eth_dev->data->tx_queues[0];
}

static inline uint16_t
port_rx(const struct port *p, struct rte_mbuf **pkts, uint16_t n)
{
	return rte_eth_rx_burst(p->id, 0, pkts, n);
}

static inline uint16_t
port_tx(const struct port *p, struct rte_mbuf **pkts, uint16_t n)
{
	return rte_eth_tx_burst(p->id, 0, pkts, n);
}

/** Move the device by at most n frames each way; returns the frames moved. */
unsigned int port_step(struct port *p, unsigned int n);

/** Move the device until it has nothing to do. */
void port_run(struct port *p);

/** Has the channel stopped for want of descriptors? */
bool port_chan_idle(const struct port *p, unsigned int chan);

/** Take the mailbox of a channel by hand: was it kicked? */
bool port_take_kick(struct port *p, unsigned int chan);

uint32_t port_reg(const struct port *p, uint32_t reg);

/** An extended statistic; UINT64_MAX when the port has none of that name. */
uint64_t port_xstat(const struct port *p, const char *name);

#define CHECK_XSTAT(p, name, want) do { \
	const uint64_t value_ = port_xstat(p, name); \
	CHECK(value_ == (uint64_t)(want), "%s is %#" PRIx64 ", not %#" PRIx64, name, value_, \
	      (uint64_t)(want)); \
} while (0)

/** The device changes what a register reads as. */
void port_poke(struct port *p, uint32_t reg, uint32_t val);

/** Accesses to a device's registers. */
struct port_spy {
	const struct bcm4908_dev_ops *ops;	/* the device's own */
	unsigned int reads;
	unsigned int writes;
	unsigned int read[BCM4908_REGS_SIZE / sizeof(uint32_t)];
	bool stuck[BCM4908_CHANS];		/* ENABLE reads 1, whatever is written */
};

/** Count the accesses to a port's registers from now on, one port at a time; NULL: no more. */
void port_spy_on(struct port *p, struct port_spy *spy);

/** A frame of len bytes arrives; false when the MAC has no room for it. */
bool port_push(struct port *p, const uint8_t *data, uint32_t len);

/** Frames that went to the line since the last port_line_clear(). */
unsigned int port_sent(const struct port *p);
const uint8_t *port_sent_data(const struct port *p, unsigned int i, uint32_t *len);
void port_line_clear(struct port *p);

/** A busy line takes nothing. */
void port_line_busy(struct port *p, bool busy);

/** Fill in a frame of len bytes that seed alone decides: addresses, a type, data. */
void frame_fill(uint8_t *data, uint32_t len, uint32_t seed);

/** frame_fill() and port_push(). */
bool port_push_frame(struct port *p, uint32_t len, uint32_t seed);

/** Is this the frame of frame_fill()? Reports where it is not. */
int frame_check(const uint8_t *data, uint32_t got_len, uint32_t len, uint32_t seed);

/** Has the packet, over all its segments, the bytes of frame_fill()? */
int mbuf_check_bytes(const struct rte_mbuf *m, uint32_t len, uint32_t seed);

/** All of what a received packet of one segment must be, every field and byte. */
int mbuf_check(const struct port *p, const struct rte_mbuf *m, uint32_t len, uint32_t seed);

/** The i-th frame on the line is the one of frame_fill(). */
int port_check_sent(const struct port *p, unsigned int i, uint32_t len, uint32_t seed);

/** An mbuf with a frame of frame_fill(), or NULL. */
struct rte_mbuf *mbuf_frame(struct rte_mempool *mp, uint32_t len, uint32_t seed);

/** The same in segments of the lengths given, which end with 0. */
struct rte_mbuf *mbuf_chain(struct rte_mempool *mp, const uint16_t *lens, uint32_t seed);

/** Send a frame of frame_fill() from a pool, and see it on the line, alone and unchanged. */
int port_send_check(struct port *p, struct rte_mempool *mp, uint32_t len, uint32_t seed);

/** A frame of frame_fill() arrives, and is polled as mbuf_check_bytes() wants it. */
int port_receive_check(struct port *p, uint32_t len, uint32_t seed);

/** Entries of a directory, as /proc/self/fd. */
unsigned int dir_entries(const char *path);

/** A pool of mbufs, without per-core cache; NULL is reported. */
struct rte_mempool *pool_make(unsigned int n, uint16_t priv_size, uint16_t data_room);

/** The same with pinned external buffers, elt_size bytes from one to the next. */
struct rte_mempool *pool_make_pinned(unsigned int n, uint16_t data_room, uint16_t elt_size);

/** Free a pool; fails when mbufs are missing from it. */
int pool_free_full(struct rte_mempool *mp);

/** Run a test with each burst function that this machine has. */
int each_rx_variant(int (*fn)(const struct port_variant *rx));
int each_tx_variant(int (*fn)(const struct port_variant *tx));

/** Collect what is logged from now on. */
void log_catch(void);

/** Stop collecting; the text is valid until the next log_catch(). */
const char *log_caught(void);

#endif /* BCM4908_TEST_PORT_H */
