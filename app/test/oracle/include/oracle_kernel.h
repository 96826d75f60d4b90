/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The kernel interface that the mainline driver is compiled against, written
 * for this test: only what that driver uses, synchronous, one device. All
 * headers of include/linux lead here.
 */

#ifndef ORACLE_KERNEL_H
#define ORACLE_KERNEL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Types and small helpers */

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint32_t __le32;
typedef uint16_t __be16;
typedef uint64_t dma_addr_t;

#define __iomem
#define __packed __attribute__((packed))
#define unlikely(x) __builtin_expect(!!(x), 0)
#define BIT(n) (1ul << (n))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define container_of(ptr, type, member) \
	((type *)(void *)((char *)(ptr) - offsetof(type, member)))

#define EPROBE_DEFER 517
#define MAX_ERRNO 4095
#define IS_ERR(ptr) ((uintptr_t)(ptr) >= (uintptr_t)-MAX_ERRNO)
#define PTR_ERR(ptr) ((long)(intptr_t)(ptr))

#define WARN_ON(cond) oracle_warn_on(!!(cond), #cond)
bool oracle_warn_on(bool cond, const char *what);

/* Calls, so that the device can be moved between two stores to a descriptor. */
__le32 cpu_to_le32(u32 val);
u32 le32_to_cpu(__le32 val);

/* Time: only a sleep makes it pass */

extern unsigned long jiffies;
unsigned long usecs_to_jiffies(unsigned int us);
void usleep_range(unsigned long min, unsigned long max);
#define time_after_eq(a, b) ((long)((a) - (b)) >= 0)

/* Memory */

#define GFP_KERNEL 0
#define kcalloc(n, size, flags) calloc(n, size)
#define kfree(ptr) free(ptr)

/* Devices and their driver */

struct device {
	void *of_node;
};

struct platform_device {
	struct device dev;
	void *drvdata;
};

struct of_device_id {
	const char *compatible;
};

struct device_driver {
	const char *name;
	const struct of_device_id *of_match_table;
};

struct platform_driver {
	struct device_driver driver;
	int (*probe)(struct platform_device *pdev);
	int (*remove)(struct platform_device *pdev);
};

extern struct platform_driver * const oracle_platform_driver;

#define module_platform_driver(drv) struct platform_driver * const oracle_platform_driver = &(drv)
#define MODULE_LICENSE(text) extern int oracle_module_license
#define MODULE_DEVICE_TABLE(bus, table) extern int oracle_module_table

void dev_err(struct device *dev, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void dev_warn(struct device *dev, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void *devm_platform_ioremap_resource(struct platform_device *pdev, unsigned int index);
int platform_get_irq_byname(struct platform_device *pdev, const char *name);
#define platform_set_drvdata(pdev, data) ((pdev)->drvdata = (data))
#define platform_get_drvdata(pdev) ((pdev)->drvdata)

/* Registers */

u32 readl(const void *addr);
void writel(u32 val, void *addr);

/* DMA */

enum dma_data_direction {
	DMA_BIDIRECTIONAL,
	DMA_TO_DEVICE,
	DMA_FROM_DEVICE,
};

#define DMA_BIT_MASK(n) ((1ull << (n)) - 1)
int dma_set_coherent_mask(struct device *dev, uint64_t mask);
void *dma_alloc_coherent(struct device *dev, size_t size, dma_addr_t *dma, int flags);
void dma_free_coherent(struct device *dev, size_t size, void *va, dma_addr_t dma);
dma_addr_t dma_map_single(struct device *dev, void *va, size_t len, enum dma_data_direction dir);
void dma_unmap_single(struct device *dev, dma_addr_t dma, size_t len,
		      enum dma_data_direction dir);
int dma_mapping_error(struct device *dev, dma_addr_t dma);

/* Interrupts */

typedef enum {
	IRQ_NONE,
	IRQ_HANDLED,
} irqreturn_t;

typedef irqreturn_t (*irq_handler_t)(int irq, void *dev_id);

int request_irq(int irq, irq_handler_t handler, unsigned long flags, const char *name,
		void *dev_id);
void free_irq(int irq, void *dev_id);

/* Network devices */

#define ETH_HLEN 14
#define ETH_ZLEN 60
#define ETH_DATA_LEN 1500
#define ETH_FCS_LEN 4
#define VLAN_HLEN 4

struct net_device;

struct sk_buff {
	u8 *data;
	unsigned int len;
	__be16 protocol;
	/* the shim's own */
	u8 *head;
	unsigned int size;
	struct sk_buff *prev;
	struct sk_buff *next;
};

typedef enum {
	NETDEV_TX_OK = 0,
	NETDEV_TX_BUSY = 0x10,
} netdev_tx_t;

struct net_device_ops {
	int (*ndo_open)(struct net_device *dev);
	int (*ndo_stop)(struct net_device *dev);
	netdev_tx_t (*ndo_start_xmit)(struct sk_buff *skb, struct net_device *dev);
	int (*ndo_set_mac_address)(struct net_device *dev, void *addr);
	int (*ndo_change_mtu)(struct net_device *dev, int mtu);
};

struct net_device_stats {
	unsigned long rx_packets;
	unsigned long rx_bytes;
	unsigned long rx_dropped;
	unsigned long tx_packets;
	unsigned long tx_bytes;
};

struct net_device {
	int irq;
	unsigned int mtu;
	unsigned int min_mtu;
	unsigned int max_mtu;
	struct net_device_stats stats;
	const struct net_device_ops *netdev_ops;
	/* the shim's own */
	void *priv;
	bool queue_stopped;
	bool carrier;
	bool up;
};

#define SET_NETDEV_DEV(netdev, parent) ((void)(parent))
struct net_device *devm_alloc_etherdev(struct device *dev, size_t priv_size);
void *netdev_priv(struct net_device *dev);
int of_get_ethdev_address(void *of_node, struct net_device *dev);
void eth_hw_addr_random(struct net_device *dev);
int eth_mac_addr(struct net_device *dev, void *addr);
int register_netdev(struct net_device *dev);
void unregister_netdev(struct net_device *dev);

void netif_carrier_on(struct net_device *dev);
void netif_carrier_off(struct net_device *dev);
void netif_start_queue(struct net_device *dev);
void netif_stop_queue(struct net_device *dev);
void netif_wake_queue(struct net_device *dev);
bool netif_queue_stopped(struct net_device *dev);

struct sk_buff *netdev_alloc_skb(struct net_device *dev, unsigned int len);
void kfree_skb(struct sk_buff *skb);
#define dev_kfree_skb(skb) kfree_skb(skb)
void *skb_put(struct sk_buff *skb, unsigned int len);
__be16 eth_type_trans(struct sk_buff *skb, struct net_device *dev);
int netif_receive_skb(struct sk_buff *skb);

struct napi_struct {
	int (*poll)(struct napi_struct *napi, int weight);
	bool enabled;
	bool scheduled;
};

void netif_napi_add(struct net_device *dev, struct napi_struct *napi,
		    int (*poll)(struct napi_struct *napi, int weight));
void netif_napi_add_tx(struct net_device *dev, struct napi_struct *napi,
		       int (*poll)(struct napi_struct *napi, int weight));
void netif_napi_del(struct napi_struct *napi);
void napi_enable(struct napi_struct *napi);
void napi_disable(struct napi_struct *napi);
void napi_schedule(struct napi_struct *napi);
bool napi_complete_done(struct napi_struct *napi, int done);

#endif /* ORACLE_KERNEL_H */
