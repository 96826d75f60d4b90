/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * What stands in for the kernel under the mainline driver, for one device:
 * registers lead to the bench, DMA addresses to a small IOMMU, interrupts and
 * polls run when the test says so. What a kernel would complain about is
 * counted.
 */

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

#include "oracle.h"
#include "oracle_kernel.h"

/*
 * Bus addresses start where those of the recorded trace do. Each mapping gets
 * a page and an unmapped one behind it, and none is used again, so that an
 * access through an old address is seen.
 */
#define IOVA_BASE 0x10000000u
#define IOVA_STEP 0x2000u
#define IOVA_MAPS 65536u

#define SKB_GUARD 64u		/* bytes behind a buffer that nobody may write */
#define GUARD_BYTE 0xa5
#define NAPI_WEIGHT 64
#define PUMP_ROUNDS 1000u	/* more without an end is an interrupt storm */

struct iova_map {
	void *va;
	uint32_t len;
	uint32_t live_at;	/* index in kernel.live */
	enum dma_data_direction dir;
	bool live;
	u8 *orphan;		/* memory that was freed while mapped */
};

struct irq_line {
	irq_handler_t handler;
	void *dev_id;
};

enum { IRQ_RX, IRQ_TX, IRQ_LINES };

static struct {
	struct oracle_rig *rig;
	u8 *page;		/* what the driver takes for the registers */
	struct platform_device pdev;
	struct net_device *netdev;
	struct napi_struct *napi[2];
	struct irq_line irq[IRQ_LINES];
	struct sk_buff *skbs;
	struct iova_map *map;
	uint32_t *live;		/* indexes of live maps */
	uint32_t nb_maps;
	uint32_t nb_live;
	uint32_t ring[2];	/* maps of the coherent allocations, in their order */
	unsigned int nb_rings;
	unsigned int fail_allocs;
	struct oracle_kernel_stats stats;
	jmp_buf oops;		/* where a use of a missing buffer ends */
} kernel;

unsigned long jiffies;

/* The device is not in step with the driver. */
static void
breathe(void)
{
	if (kernel.rig->restless)
		oracle_step(kernel.rig, 1);
}

/* Small helpers */

bool
oracle_warn_on(bool cond, const char *what)
{
	if (cond) {
		printf("WARN_ON(%s)\n", what);
		kernel.stats.warnings++;
	}
	return cond;
}

static u32
swap_on_big_endian(u32 val)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap32(val);
#else
	return val;
#endif
}

__le32
cpu_to_le32(u32 val)
{
	breathe();
	return swap_on_big_endian(val);
}

u32
le32_to_cpu(__le32 val)
{
	return swap_on_big_endian(val);
}

unsigned long
usecs_to_jiffies(unsigned int us)
{
	return us;
}

void
usleep_range(unsigned long min, unsigned long max)
{
	(void)max;
	jiffies += min;
	oracle_step(kernel.rig, 1);
}

static void
device_log(const char *level, const char *fmt, va_list ap)
{
	printf("bcm4908_enet: %s: ", level);
	vprintf(fmt, ap);
	kernel.stats.warnings++;
}

void
dev_err(struct device *dev, const char *fmt, ...)
{
	va_list ap;

	(void)dev;
	va_start(ap, fmt);
	device_log("error", fmt, ap);
	va_end(ap);
}

void
dev_warn(struct device *dev, const char *fmt, ...)
{
	va_list ap;

	(void)dev;
	va_start(ap, fmt);
	device_log("warning", fmt, ap);
	va_end(ap);
}

/* Registers: the address itself is a trap, so that no access misses these two. */

void *
devm_platform_ioremap_resource(struct platform_device *pdev, unsigned int index)
{
	(void)pdev;
	(void)index;
	return kernel.page;
}

u32
readl(const void *addr)
{
	breathe();
	return oracle_read(kernel.rig, (uint32_t)((const u8 *)addr - kernel.page));
}

void
writel(u32 val, void *addr)
{
	breathe();
	oracle_write(kernel.rig, (uint32_t)((u8 *)addr - kernel.page), val);
}

/* DMA */

static uint32_t
map_add(void *va, uint32_t len, enum dma_data_direction dir)
{
	uint32_t index = kernel.nb_maps;
	struct iova_map *map;

	if (index == IOVA_MAPS || len > IOVA_STEP / 2) {
		printf("no bus address for %" PRIu32 " bytes\n", len);
		abort();
	}
	map = &kernel.map[kernel.nb_maps++];
	map->va = va;
	map->len = len;
	map->dir = dir;
	map->live = true;
	map->live_at = kernel.nb_live;
	kernel.live[kernel.nb_live++] = index;
	return index;
}

static void
map_drop(struct iova_map *map)
{
	uint32_t last = kernel.live[--kernel.nb_live];

	kernel.live[map->live_at] = last;
	kernel.map[last].live_at = map->live_at;
	map->live = false;
	free(map->orphan);
	map->orphan = NULL;
}

static uint32_t
map_iova(uint32_t index)
{
	return IOVA_BASE + index * IOVA_STEP;
}

/* The mapping that a bus address lies in, live or not; NULL: there never was one. */
static struct iova_map *
map_find(uint64_t iova)
{
	uint64_t index = (iova - IOVA_BASE) / IOVA_STEP;

	return iova < IOVA_BASE || index >= kernel.nb_maps ? NULL : &kernel.map[index];
}

int
dma_set_coherent_mask(struct device *dev, uint64_t mask)
{
	(void)dev;
	return mask >= map_iova(IOVA_MAPS) ? 0 : -EIO;
}

void *
dma_alloc_coherent(struct device *dev, size_t size, dma_addr_t *dma, int flags)
{
	void *va = aligned_alloc(4096, IOVA_STEP / 2);

	(void)dev;
	(void)flags;
	if (va == NULL || kernel.nb_rings == ARRAY_SIZE(kernel.ring)) {
		free(va);
		return NULL;
	}
	memset(va, 0, IOVA_STEP / 2);
	kernel.ring[kernel.nb_rings] = map_add(va, (uint32_t)size, DMA_BIDIRECTIONAL);
	*dma = map_iova(kernel.ring[kernel.nb_rings++]);
	kernel.stats.coherent++;
	return va;
}

void
dma_free_coherent(struct device *dev, size_t size, void *va, dma_addr_t dma)
{
	struct iova_map *map = map_find(dma);

	(void)dev;
	if (map == NULL || !map->live || map->va != va || map->len != size) {
		kernel.stats.bad_unmaps++;
		return;
	}
	map_drop(map);
	kernel.stats.coherent--;
	free(va);
}

dma_addr_t
dma_map_single(struct device *dev, void *va, size_t len, enum dma_data_direction dir)
{
	(void)dev;
	breathe();
	return map_iova(map_add(va, (uint32_t)len, dir));
}

void
dma_unmap_single(struct device *dev, dma_addr_t dma, size_t len, enum dma_data_direction dir)
{
	struct iova_map *map = map_find(dma);

	(void)dev;
	if (map == NULL || !map->live || map->len != len || map->dir != dir ||
	    dma % IOVA_STEP != 0)
		kernel.stats.bad_unmaps++;
	else
		map_drop(map);
}

int
dma_mapping_error(struct device *dev, dma_addr_t dma)
{
	(void)dev;
	return dma == 0 ? -ENOMEM : 0;
}

/* The device's side of the IOMMU: all of the access must lie in one live mapping. */
static void *
kernel_map(struct oracle_rig *rig, enum bcm4908_model_space space, uint32_t bus, uint32_t len,
	   bool write)
{
	struct iova_map *map = map_find(bus);
	uint32_t offset = (bus - IOVA_BASE) % IOVA_STEP;
	bool ring = space != BCM4908_SPACE_BUFFER;

	(void)rig;
	if (map == NULL || !map->live || offset + len > map->len ||
	    ring != (map->dir == DMA_BIDIRECTIONAL) ||
	    (!ring && write != (map->dir == DMA_FROM_DEVICE))) {
		kernel.stats.dma_faults++;
		return NULL;
	}
	return (u8 *)map->va + offset;
}

/* Interrupts and polls */

static unsigned int
irq_index(int irq)
{
	return irq == ORACLE_TX_IRQ ? IRQ_TX : IRQ_RX;
}

int
platform_get_irq_byname(struct platform_device *pdev, const char *name)
{
	(void)pdev;
	return strcmp(name, "rx") == 0 ? ORACLE_RX_IRQ :
	       strcmp(name, "tx") == 0 ? ORACLE_TX_IRQ : -ENXIO;
}

int
request_irq(int irq, irq_handler_t handler, unsigned long flags, const char *name, void *dev_id)
{
	struct irq_line *line = &kernel.irq[irq_index(irq)];

	(void)flags;
	(void)name;
	if (line->handler != NULL)
		return -EBUSY;
	line->handler = handler;
	line->dev_id = dev_id;
	kernel.stats.irqs++;
	return 0;
}

void
free_irq(int irq, void *dev_id)
{
	struct irq_line *line = &kernel.irq[irq_index(irq)];

	oracle_warn_on(line->handler == NULL || line->dev_id != dev_id, "interrupt not requested");
	line->handler = NULL;
	kernel.stats.irqs--;
}

void
netif_napi_add(struct net_device *dev, struct napi_struct *napi,
	       int (*poll)(struct napi_struct *napi, int weight))
{
	unsigned int i;

	(void)dev;
	for (i = 0; i < ARRAY_SIZE(kernel.napi); i++) {
		if (kernel.napi[i] == NULL) {
			kernel.napi[i] = napi;
			break;
		}
	}
	napi->poll = poll;
	napi->enabled = false;
	napi->scheduled = false;
}

void
netif_napi_add_tx(struct net_device *dev, struct napi_struct *napi,
		  int (*poll)(struct napi_struct *napi, int weight))
{
	netif_napi_add(dev, napi, poll);
}

void
netif_napi_del(struct napi_struct *napi)
{
	unsigned int i;

	oracle_warn_on(napi->enabled, "poll deleted while enabled");
	for (i = 0; i < ARRAY_SIZE(kernel.napi); i++)
		if (kernel.napi[i] == napi)
			kernel.napi[i] = NULL;
}

void
napi_enable(struct napi_struct *napi)
{
	oracle_warn_on(napi->enabled, "poll enabled twice");
	napi->enabled = true;
}

static void
napi_run(struct napi_struct *napi)
{
	int done = napi->poll(napi, NAPI_WEIGHT);

	oracle_warn_on(done > NAPI_WEIGHT, "poll above its weight");
	oracle_warn_on(done < NAPI_WEIGHT && napi->scheduled, "poll not completed");
}

/* A poll that is due still runs. */
void
napi_disable(struct napi_struct *napi)
{
	oracle_warn_on(!napi->enabled, "poll disabled twice");
	while (napi->scheduled)
		napi_run(napi);
	napi->enabled = false;
}

void
napi_schedule(struct napi_struct *napi)
{
	if (napi->enabled)
		napi->scheduled = true;
}

bool
napi_complete_done(struct napi_struct *napi, int done)
{
	(void)done;
	oracle_warn_on(!napi->scheduled, "poll completed twice");
	napi->scheduled = false;
	return true;
}

/* Deliver interrupts, which are levels, and run polls until nothing is left to do. */
static int
kernel_pump(void)
{
	static const enum bcm4908_model_irq line[IRQ_LINES] = {
		[IRQ_RX] = BCM4908_IRQ_LINE_RX,
		[IRQ_TX] = BCM4908_IRQ_LINE_TX,
	};
	static const int nr[IRQ_LINES] = {
		[IRQ_RX] = ORACLE_RX_IRQ,
		[IRQ_TX] = ORACLE_TX_IRQ,
	};
	unsigned int round, i;
	bool busy = true;

	if (setjmp(kernel.oops) != 0)
		return -1;
	for (round = 0; busy && round < PUMP_ROUNDS; round++) {
		busy = false;
		for (i = 0; i < IRQ_LINES; i++) {
			if (!kernel.rig->irq[line[i]] || kernel.irq[i].handler == NULL)
				continue;
			kernel.irq[i].handler(nr[i], kernel.irq[i].dev_id);
			busy = true;
		}
		for (i = 0; i < ARRAY_SIZE(kernel.napi); i++) {
			if (kernel.napi[i] == NULL || !kernel.napi[i]->scheduled)
				continue;
			napi_run(kernel.napi[i]);
			busy = true;
		}
	}
	if (busy)
		printf("the interrupts do not end\n");
	return busy ? -1 : 0;
}

/* Buffers */

static struct sk_buff *
skb_new(unsigned int len)
{
	struct sk_buff *skb = calloc(1, sizeof(*skb));
	size_t size = (len + 63) / 64 * 64;

	if (skb == NULL)
		abort();
	skb->head = aligned_alloc(64, size + SKB_GUARD);
	if (skb->head == NULL)
		abort();
	memset(skb->head, GUARD_BYTE, size + SKB_GUARD);
	skb->data = skb->head;
	skb->size = len;
	skb->next = kernel.skbs;
	if (skb->next != NULL)
		skb->next->prev = skb;
	kernel.skbs = skb;
	kernel.stats.skbs++;
	return skb;
}

struct sk_buff *
netdev_alloc_skb(struct net_device *dev, unsigned int len)
{
	(void)dev;
	if (kernel.fail_allocs > 0) {
		kernel.fail_allocs--;
		return NULL;
	}
	return skb_new(len);
}

static void
skb_check_guard(const struct sk_buff *skb)
{
	unsigned int i;

	for (i = skb->size; i < skb->size + SKB_GUARD; i++) {
		if (skb->head[i] != GUARD_BYTE) {
			oracle_warn_on(true, "bytes behind a buffer were written");
			return;
		}
	}
}

/* Memory that the device may still reach stays until the mapping goes. */
static void
skb_free_data(struct sk_buff *skb)
{
	struct iova_map *map;
	uint32_t i;

	for (i = 0; i < kernel.nb_live; i++) {
		map = &kernel.map[kernel.live[i]];
		if (map->va == skb->head) {
			kernel.stats.freed_mapped++;
			map->orphan = skb->head;
			return;
		}
	}
	free(skb->head);
}

void
kfree_skb(struct sk_buff *skb)
{
	if (skb == NULL) /* as the kernel does */
		return;
	skb_check_guard(skb);
	if (skb->prev != NULL)
		skb->prev->next = skb->next;
	else
		kernel.skbs = skb->next;
	if (skb->next != NULL)
		skb->next->prev = skb->prev;
	skb_free_data(skb);
	free(skb);
	kernel.stats.skbs--;
}

void *
skb_put(struct sk_buff *skb, unsigned int len)
{
	u8 *tail;

	if (skb == NULL) {
		kernel.stats.null_skbs++;
		longjmp(kernel.oops, 1);
	}
	oracle_warn_on(skb->len + len > skb->size, "more bytes than the buffer has");
	tail = skb->data + skb->len;
	skb->len += len;
	return tail;
}

__be16
eth_type_trans(struct sk_buff *skb, struct net_device *dev)
{
	__be16 type;

	(void)dev;
	memcpy(&type, skb->data + ETH_HLEN - sizeof(type), sizeof(type));
	skb->data += ETH_HLEN;
	skb->len -= ETH_HLEN;
	return type;
}

int
netif_receive_skb(struct sk_buff *skb)
{
	oracle_deliver(kernel.rig, skb->head, skb->len + ETH_HLEN);
	kfree_skb(skb);
	return 0;
}

/* Network device */

struct net_device *
devm_alloc_etherdev(struct device *dev, size_t priv_size)
{
	struct net_device *netdev = calloc(1, sizeof(*netdev));

	(void)dev;
	if (netdev == NULL)
		return NULL;
	netdev->priv = calloc(1, priv_size);
	kernel.netdev = netdev;
	return netdev;
}

void *
netdev_priv(struct net_device *dev)
{
	return dev->priv;
}

int
of_get_ethdev_address(void *of_node, struct net_device *dev)
{
	(void)of_node;
	(void)dev;
	return 0;
}

void
eth_hw_addr_random(struct net_device *dev)
{
	(void)dev;
}

int
eth_mac_addr(struct net_device *dev, void *addr)
{
	(void)dev;
	(void)addr;
	return 0;
}

int
register_netdev(struct net_device *dev)
{
	(void)dev;
	return 0;
}

void
unregister_netdev(struct net_device *dev)
{
	if (dev->up)
		dev->netdev_ops->ndo_stop(dev);
	dev->up = false;
}

void
netif_carrier_on(struct net_device *dev)
{
	dev->carrier = true;
}

void
netif_carrier_off(struct net_device *dev)
{
	dev->carrier = false;
}

void
netif_start_queue(struct net_device *dev)
{
	dev->queue_stopped = false;
}

void
netif_stop_queue(struct net_device *dev)
{
	dev->queue_stopped = true;
}

void
netif_wake_queue(struct net_device *dev)
{
	dev->queue_stopped = false;
}

bool
netif_queue_stopped(struct net_device *dev)
{
	return dev->queue_stopped;
}

/* The driver on the bench */

static int
linux_probe(struct oracle_rig *rig)
{
	memset(&kernel, 0, sizeof(kernel));
	kernel.rig = rig;
	kernel.map = calloc(IOVA_MAPS, sizeof(*kernel.map));
	kernel.live = calloc(IOVA_MAPS, sizeof(*kernel.live));
	kernel.page = mmap(NULL, BCM4908_REGS_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (kernel.map == NULL || kernel.live == NULL || kernel.page == MAP_FAILED)
		return -ENOMEM;
	return oracle_platform_driver->probe(&kernel.pdev);
}

static int
linux_open(struct oracle_rig *rig)
{
	(void)rig;
	kernel.netdev->up = true;
	return kernel.netdev->netdev_ops->ndo_open(kernel.netdev);
}

static int
linux_stop(struct oracle_rig *rig)
{
	(void)rig;
	kernel.netdev->up = false;
	return kernel.netdev->netdev_ops->ndo_stop(kernel.netdev);
}

/* The kernel leaves it to such a driver to store the MTU. */
static int
linux_set_mtu(struct oracle_rig *rig, unsigned int mtu)
{
	(void)rig;
	return kernel.netdev->netdev_ops->ndo_change_mtu(kernel.netdev, (int)mtu);
}

static unsigned int
linux_send(struct oracle_rig *rig, unsigned int n)
{
	struct sk_buff *skb;
	unsigned int i;

	for (i = 0; i < n && !kernel.netdev->queue_stopped; i++) {
		skb = skb_new(ORACLE_LEN_MAX);
		skb->len = oracle_frame(&rig->out, rig->sent + i, skb->data);
		if (kernel.netdev->netdev_ops->ndo_start_xmit(skb, kernel.netdev) !=
		    NETDEV_TX_OK) {
			kfree_skb(skb);
			break;
		}
	}
	return i;
}

static int
linux_serve(struct oracle_rig *rig)
{
	(void)rig;
	return kernel_pump();
}

static int
linux_remove(struct oracle_rig *rig)
{
	int ret = oracle_platform_driver->remove(&kernel.pdev);

	(void)rig;
	oracle_kernel_stats(&kernel.stats);
	if (kernel.stats.coherent != 0 || kernel.stats.irqs != 0)
		ret = -1;
	/* what the driver left behind */
	while (kernel.skbs != NULL)
		kfree_skb(kernel.skbs);
	while (kernel.nb_live > 0)
		map_drop(&kernel.map[kernel.live[kernel.nb_live - 1]]);
	munmap(kernel.page, BCM4908_REGS_SIZE);
	free(kernel.netdev->priv);
	free(kernel.netdev);
	kernel.netdev = NULL;
	free(kernel.map);
	free(kernel.live);
	return ret;
}

const struct oracle_driver oracle_linux = {
	.name = "Linux",
	.probe = linux_probe,
	.open = linux_open,
	.send = linux_send,
	.serve = linux_serve,
	.set_mtu = linux_set_mtu,
	.stop = linux_stop,
	.remove = linux_remove,
	.map = kernel_map,
};

/* As they are now, or as they were when the driver was removed. */
void
oracle_kernel_stats(struct oracle_kernel_stats *stats)
{
	const struct net_device *netdev = kernel.netdev;

	if (netdev != NULL) {
		kernel.stats.maps = kernel.nb_live - kernel.stats.coherent;
		kernel.stats.rx_packets = netdev->stats.rx_packets;
		kernel.stats.rx_bytes = netdev->stats.rx_bytes;
		kernel.stats.rx_dropped = netdev->stats.rx_dropped;
		kernel.stats.tx_packets = netdev->stats.tx_packets;
		kernel.stats.tx_bytes = netdev->stats.tx_bytes;
	}
	*stats = kernel.stats;
}

void
oracle_kernel_fail_allocs(unsigned int n)
{
	kernel.fail_allocs = n;
}

bool
oracle_kernel_desc(bool tx, unsigned int index, uint32_t *ctl, uint32_t *addr)
{
	const u32 *desc = kernel.map[kernel.ring[tx ? 0 : 1]].va;

	if (kernel.nb_rings != ARRAY_SIZE(kernel.ring) || index >= ORACLE_RING)
		return false;
	*ctl = le32_to_cpu(desc[2 * index]);
	*addr = le32_to_cpu(desc[2 * index + 1]);
	return true;
}
