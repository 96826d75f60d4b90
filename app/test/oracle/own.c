/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Our own driver on the bench, without an ethdev: its procedures on registers
 * and its queues over a back-end that leads to the bench. The calls are those
 * that the ethdev's probe, start, stop and close make, in their order.
 */

#include <stdlib.h>
#include <string.h>

#include <rte_mbuf.h>

#include "bcm4908_dev.h"
#include "bcm4908_hw.h"
#include "bcm4908_rxtx.h"
#include "oracle.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(addr, len) ((void)(addr), (void)(len))
#endif

#define POOL_SIZE 1023u
#define BURST 32u
#define DELAY_FRAMES 64u
#define RING_BYTES (ORACLE_RING * sizeof(struct bcm4908_desc))
#define RING_BUS(chan) (0x20000000u * ((chan) + 1))
#define WINDOW_FLOOR 0x10000u	/* the first bus address of the buffers: not that of a pointer */
#define OVERHEAD (RTE_ETHER_HDR_LEN + 2 * RTE_VLAN_HLEN + RTE_ETHER_CRC_LEN)

static struct {
	struct oracle_rig *rig;
	struct bcm4908_dev dev;
	struct rte_mempool *pool;
	struct bcm4908_rxq *rxq;
	struct bcm4908_txq *txq;
	void *ring[BCM4908_CHANS];
	uint64_t window_end;
	RTE_ATOMIC(uint32_t) doorbell[BCM4908_CHANS];
	uint32_t mtu;
} own;

/* The seam */

static uint32_t
seam_read(const struct bcm4908_dev *dev, uint32_t reg)
{
	return oracle_read(dev->priv, reg);
}

static void
seam_write(struct bcm4908_dev *dev, uint32_t reg, uint32_t val)
{
	oracle_write(dev->priv, reg, val);
}

static void
seam_delay(struct bcm4908_dev *dev, unsigned int us __rte_unused)
{
	oracle_step(dev->priv, DELAY_FRAMES);
}

static int
seam_ring_alloc(struct bcm4908_dev *dev __rte_unused, unsigned int chan, size_t len,
		struct bcm4908_dma *dma)
{
	if (len != RING_BYTES || own.ring[chan] != NULL)
		return -EBUSY;
	own.ring[chan] = aligned_alloc(BCM4908_RING_ALIGN, len);
	if (own.ring[chan] == NULL)
		return -ENOMEM;
	memset(own.ring[chan], 0, len);
	*dma = (struct bcm4908_dma) { .va = own.ring[chan], .bus = RING_BUS(chan), .len = len };
	return 0;
}

static void
seam_ring_free(struct bcm4908_dev *dev __rte_unused, unsigned int chan)
{
	free(own.ring[chan]);
	own.ring[chan] = NULL;
}

static int
seam_set_window(struct bcm4908_dev *dev, uint64_t lo, uint64_t hi)
{
	dev->bus_base = RTE_ALIGN_FLOOR(lo, BCM4908_BUF_ALIGN) - WINDOW_FLOOR;
	own.window_end = hi;
	return hi - dev->bus_base > UINT32_MAX ? -ERANGE : 0;
}

static const struct bcm4908_dev_ops seam_ops = {
	.read = seam_read,
	.write = seam_write,
	.delay = seam_delay,
	.ring_alloc = seam_ring_alloc,
	.ring_free = seam_ring_free,
	.set_window = seam_set_window,
};

static void *
own_map(struct oracle_rig *rig __rte_unused, enum bcm4908_model_space space, uint32_t bus,
	uint32_t len, bool write)
{
	const unsigned int chan = space == BCM4908_SPACE_RX_RING ? BCM4908_CHAN_RX :
				  BCM4908_CHAN_TX;
	const uint64_t addr = own.dev.bus_base + bus;

	if (space != BCM4908_SPACE_BUFFER) {
		if (own.ring[chan] == NULL || bus < RING_BUS(chan) ||
		    bus - RING_BUS(chan) + (uint64_t)len > RING_BYTES)
			return NULL;
		return RTE_PTR_ADD(own.ring[chan], bus - RING_BUS(chan));
	}
	if (bus < WINDOW_FLOOR || addr + len > own.window_end)
		return NULL;
	/* a posted buffer is poisoned for all but the device */
	if (write)
		ASAN_UNPOISON_MEMORY_REGION((void *)(uintptr_t)addr, len);
	return (void *)(uintptr_t)addr;
}

/*
 * A burst's doorbell is on silicon the write of ENABLE to the channel's CFG,
 * and counted as such. It goes to the model the model's way.
 */
static void
pass_doorbells(void)
{
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++) {
		if (rte_atomic_exchange_explicit(&own.doorbell[chan], 0,
						 rte_memory_order_acquire) == 0)
			continue;
		oracle_note(own.rig, true, BCM4908_CHAN_CFG(chan), BCM4908_CHAN_CFG_ENABLE);
		__atomic_store_n(&own.rig->shared.doorbell[chan].word, 1, __ATOMIC_RELEASE);
	}
}

/* The driver on the bench */

static int
own_setup_queues(void)
{
	struct bcm4908_dev *dev = &own.dev;

	own.pool = rte_pktmbuf_pool_create("oracle", POOL_SIZE, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
					   SOCKET_ID_ANY);
	if (own.pool == NULL ||
	    bcm4908_rxq_create(dev, 0, ORACLE_RING, 0, own.pool, SOCKET_ID_ANY, &own.rxq) != 0 ||
	    bcm4908_txq_create(dev, 0, ORACLE_RING, 0, false, SOCKET_ID_ANY, &own.txq) != 0)
		return -1;
	return dev->ops->set_window(dev, RTE_MIN(own.rxq->lo, own.txq->bounce_addr),
				    RTE_MAX(own.rxq->hi, own.txq->bounce_addr +
					    ORACLE_RING * BCM4908_BOUNCE_SLOT));
}

static int
own_probe(struct oracle_rig *rig)
{
	memset(&own, 0, sizeof(own));
	own.rig = rig;
	own.mtu = RTE_ETHER_MTU;
	own.dev = (struct bcm4908_dev) {
		.ops = &seam_ops,
		.priv = rig,
		.doorbell = { &own.doorbell[0], &own.doorbell[1] },
		.mbuf_addr_off = offsetof(struct rte_mbuf, buf_addr),
		.coherent = true,
		.stepping = BCM4908_STEPPING_MANUAL,
	};
	return bcm4908_hw_probe(&own.dev) != 0 ? -1 : own_setup_queues();
}

static int
own_open(struct oracle_rig *rig __rte_unused)
{
	struct bcm4908_dev *dev = &own.dev;
	const struct bcm4908_hw_config cfg = {
		.mac = { .addr_bytes = { 0x02, 0x49, 0x08, 0, 0, 1 } },
		.frame_len = own.mtu + BCM4908_FRAME_LEN_SPARE,
		.promisc = true,
		.rx_pause = true,
		.tx_pause = true,
	};

	if (bcm4908_hw_probe(dev) != 0)
		return -1;
	bcm4908_hw_mac_init(dev, &cfg);
	if (bcm4908_rxq_start(dev, own.rxq, own.mtu + OVERHEAD) != 0)
		return -1;
	bcm4908_hw_chan_init(dev, BCM4908_CHAN_RX, own.rxq->dma.bus);
	bcm4908_txq_start(dev, own.txq);
	bcm4908_hw_chan_init(dev, BCM4908_CHAN_TX, own.txq->dma.bus);
	bcm4908_hw_dma_enable(dev);
	bcm4908_hw_chan_enable(dev, BCM4908_CHAN_RX);
	bcm4908_hw_mac_enable(dev, true, true);
	return 0;
}

static unsigned int
own_send(struct oracle_rig *rig, unsigned int n)
{
	struct rte_mbuf *pkts[BURST];
	uint8_t frame[ORACLE_LEN_MAX];
	unsigned int sent, total = 0, burst, i;
	uint32_t len;

	while (total < n) {
		burst = RTE_MIN(n - total, BURST);
		if (rte_pktmbuf_alloc_bulk(own.pool, pkts, burst) != 0)
			break;
		for (i = 0; i < burst; i++) {
			len = oracle_frame(&rig->out, rig->sent + total + i, frame);
			memcpy(rte_pktmbuf_append(pkts[i], (uint16_t)len), frame, len);
		}
		sent = bcm4908_tx_burst_get(0)->fn(own.txq, pkts, (uint16_t)burst);
		pass_doorbells();
		rte_pktmbuf_free_bulk(&pkts[sent], burst - sent);
		total += sent;
		if (sent < burst)
			break;
	}
	return total;
}

static int
own_serve(struct oracle_rig *rig)
{
	struct rte_mbuf *pkts[BURST];
	unsigned int n, i;
	int ret = 0;

	do {
		n = bcm4908_rx_burst_get(0)->fn(own.rxq, pkts, BURST);
		pass_doorbells();
		for (i = 0; i < n; i++) {
			if (pkts[i]->nb_segs != 1 || pkts[i]->data_len != pkts[i]->pkt_len)
				ret = -1;
			oracle_deliver(rig, rte_pktmbuf_mtod(pkts[i], uint8_t *),
				       pkts[i]->pkt_len);
		}
		rte_pktmbuf_free_bulk(pkts, n);
	} while (n > 0);
	return ret;
}

static int
own_set_mtu(struct oracle_rig *rig __rte_unused, unsigned int mtu)
{
	own.mtu = mtu;
	bcm4908_hw_set_frame_len(&own.dev, mtu + BCM4908_FRAME_LEN_SPARE);
	bcm4908_rxq_set_max_len(own.rxq, mtu + OVERHEAD);
	return 0;
}

static int
own_stop(struct oracle_rig *rig __rte_unused)
{
	if (bcm4908_hw_stop(&own.dev) != 0)
		return -1;
	bcm4908_rxq_stop(own.rxq);
	bcm4908_txq_stop(own.txq);
	return 0;
}

static int
own_remove(struct oracle_rig *rig __rte_unused)
{
	unsigned int missing;

	bcm4908_rxq_destroy(&own.dev, own.rxq);
	bcm4908_txq_destroy(&own.dev, own.txq);
	missing = POOL_SIZE - rte_mempool_avail_count(own.pool);
	rte_mempool_free(own.pool);
	if (missing != 0)
		printf("%u mbufs are missing\n", missing);
	return missing == 0 ? 0 : -1;
}

const struct oracle_driver oracle_own = {
	.name = "net/bcm4908",
	.probe = own_probe,
	.open = own_open,
	.send = own_send,
	.serve = own_serve,
	.set_mtu = own_set_mtu,
	.stop = own_stop,
	.remove = own_remove,
	.map = own_map,
};

uint64_t
oracle_own_long_errors(void)
{
	return rte_atomic_load_explicit(&own.rxq->stats.long_errors, rte_memory_order_relaxed);
}
