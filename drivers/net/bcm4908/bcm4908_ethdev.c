/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <bus_vdev_driver.h>
#include <ethdev_driver.h>
#include <ethdev_vdev.h>
#include <rte_alarm.h>
#include <rte_kvargs.h>
#include <rte_malloc.h>

#include "bcm4908_ethdev.h"
#include "bcm4908_hw.h"
#include "bcm4908_logs.h"

#define TICK_US		10000
#define STALL_TICKS	10	/* 100 ms without transmit progress */
#define COUNTER_TICKS	100	/* every second; 32-bit octet counters wrap in 17 s at 2 Gbit/s */

/*
 * Device arguments
 */

struct probe_args {
	struct bcm4908_devargs dev;
	struct rte_ether_addr mac;
	bool has_mac;
	bool sw_cksum;
};

static int
parse_number(const char *key, const char *value, unsigned long min, unsigned long max,
	     unsigned long *number)
{
	char *end;

	errno = 0;
	*number = strtoul(value, &end, 0);
	if (errno == 0 && end != value && *end == '\0' && value[0] != '-' && *number >= min &&
	    *number <= max)
		return 0;
	PMD_LOG(ERR, "%s=%s: a number from %lu to %lu is allowed", key, value, min, max);
	return -EINVAL;
}

static int
parse_text(const char *key, const char *value, char *text, size_t size)
{
	if (value[0] != '\0' && rte_strscpy(text, value, size) >= 0)
		return 0;
	PMD_LOG(ERR, "%s=%s: 1 to %zu characters are allowed", key, value, size - 1);
	return -EINVAL;
}

static int
parse_wire(const char *key, const char *value, struct probe_args *args)
{
	return parse_text(key, value, args->dev.wire, sizeof(args->dev.wire));
}

static int
parse_rate(const char *key, const char *value, struct probe_args *args)
{
	unsigned long rate;
	int ret = parse_number(key, value, 0, 100000, &rate);

	args->dev.rate = rate;
	return ret;
}

static int
parse_stepping(const char *key, const char *value, struct probe_args *args)
{
	static const struct {
		const char *name;
		enum bcm4908_stepping stepping;
	} names[] = {
		{ "thread", BCM4908_STEPPING_THREAD },
		{ "burst", BCM4908_STEPPING_BURST },
		{ "manual", BCM4908_STEPPING_MANUAL },
	};

	for (unsigned int i = 0; i < RTE_DIM(names); i++) {
		if (strcmp(value, names[i].name) == 0) {
			args->dev.stepping = names[i].stepping;
			return 0;
		}
	}
	PMD_LOG(ERR, "%s=%s: thread, burst or manual is allowed", key, value);
	return -EINVAL;
}

static int
parse_cpu(const char *key, const char *value, struct probe_args *args)
{
	unsigned long cpu;
	int ret = parse_number(key, value, 0, CPU_SETSIZE - 1, &cpu);

	args->dev.cpu = cpu;
	return ret;
}

static int
parse_bool(const char *key, const char *value, bool *on)
{
	unsigned long number;
	int ret = parse_number(key, value, 0, 1, &number);

	*on = number != 0;
	return ret;
}

static int
parse_coherent(const char *key, const char *value, struct probe_args *args)
{
	return parse_bool(key, value, &args->dev.coherent);
}

static int
parse_sw_cksum(const char *key, const char *value, struct probe_args *args)
{
	return parse_bool(key, value, &args->sw_cksum);
}

static int
parse_fault(const char *key, const char *value, struct probe_args *args)
{
	return parse_text(key, value, args->dev.fault, sizeof(args->dev.fault));
}

static int
parse_mac(const char *key, const char *value, struct probe_args *args)
{
	if (rte_ether_unformat_addr(value, &args->mac) == 0 &&
	    rte_is_valid_assigned_ether_addr(&args->mac)) {
		args->has_mac = true;
		return 0;
	}
	PMD_LOG(ERR, "%s=%s: a unicast address like 02:00:00:00:00:01 is allowed", key, value);
	return -EINVAL;
}

static const struct {
	const char *key;
	int (*parse)(const char *key, const char *value, struct probe_args *args);
} known_args[] = {
	{ "wire", parse_wire },
	{ "rate", parse_rate },
	{ "stepping", parse_stepping },
	{ "cpu", parse_cpu },
	{ "coherent", parse_coherent },
	{ "fault", parse_fault },
	{ "mac", parse_mac },
	{ "sw-cksum", parse_sw_cksum },
};

static int
parse_one(const char *key, const char *value, void *opaque)
{
	if (value == NULL) {
		PMD_LOG(ERR, "device argument %s lacks its value", key);
		return -EINVAL;
	}
	for (unsigned int i = 0; i < RTE_DIM(known_args); i++)
		if (strcmp(key, known_args[i].key) == 0)
			return known_args[i].parse(key, value, opaque);
	PMD_LOG(ERR, "unknown device argument %s; allowed are wire, rate, stepping, cpu, coherent, "
		"fault, mac and sw-cksum", key);
	return -EINVAL;
}

static int
parse_args(const char *text, struct probe_args *args)
{
	struct rte_kvargs *kvlist;
	int ret = 0;

	*args = (struct probe_args) {
		.dev = {
			.wire = "loop",
			.stepping = BCM4908_STEPPING_THREAD,
			.cpu = -1,
			.coherent = true,
		},
	};
	if (text == NULL || text[0] == '\0')
		return 0;
	/* No list of keys here: parse_one() names the one that is wrong. */
	kvlist = rte_kvargs_parse(text, NULL);
	if (kvlist == NULL) {
		PMD_LOG(ERR, "device arguments \"%s\" are not of the form key=value,...", text);
		return -EINVAL;
	}
	for (unsigned int i = 0; i < kvlist->count && ret == 0; i++)
		ret = parse_one(kvlist->pairs[i].key, kvlist->pairs[i].value, args);
	rte_kvargs_free(kvlist);
	return ret;
}

/*
 * Start and stop
 */

/* Link as ethdev is to see it; returns 0 when it changed, as rte_eth_linkstatus_set() does. */
static int
port_set_link(struct rte_eth_dev *eth_dev, bool up)
{
	const struct rte_eth_link link = {
		.link_speed = up ? RTE_ETH_SPEED_NUM_1G : RTE_ETH_SPEED_NUM_NONE,
		.link_duplex = RTE_ETH_LINK_FULL_DUPLEX,
		.link_autoneg = RTE_ETH_LINK_FIXED,
		.link_status = up ? RTE_ETH_LINK_UP : RTE_ETH_LINK_DOWN,
	};

	return rte_eth_linkstatus_set(eth_dev, &link);
}

int
bcm4908_link_update(struct rte_eth_dev *eth_dev, int wait_to_complete __rte_unused)
{
	const struct bcm4908_port *port = bcm4908_port(eth_dev);
	const struct bcm4908_dev *dev = bcm4908_dev(eth_dev);

	return port_set_link(eth_dev, port->running && !port->link_off && dev->ops->link(dev));
}

void
bcm4908_link_watch(struct rte_eth_dev *eth_dev)
{
	if (bcm4908_link_update(eth_dev, 0) == 0 && eth_dev->data->dev_conf.intr_conf.lsc != 0)
		rte_eth_dev_callback_process(eth_dev, RTE_ETH_EVENT_INTR_LSC, NULL);
}

static void
watch_tx(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	const unsigned int ticks = bcm4908_txq_watch(port->txq);

	if (ticks < STALL_TICKS) {
		port->stall_reported = false;
		return;
	}
	if (port->stall_reported)
		return;
	port->stall_reported = true;
	PMD_LOG(ERR, "port %u: no frame was sent for %u ms; reset or restart the port",
		port->port_id, STALL_TICKS * TICK_US / 1000);
	rte_eth_dev_callback_process(eth_dev, RTE_ETH_EVENT_INTR_RESET, NULL);
}

/* Does the device still have what start told it? */
static bool
port_is_alive(struct rte_eth_dev *eth_dev)
{
	const struct bcm4908_port *port = bcm4908_port(eth_dev);

	return !port->lost && bcm4908_hw_alive(bcm4908_dev(eth_dev), bcm4908_mac_rx(port),
					       bcm4908_mac_tx(port));
}

/* It does not; only a start can tell it again. */
static void
report_loss(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);

	if (port->lost)
		return;
	port->lost = true;
	PMD_LOG(ERR, "port %u: the controller lost its power or its state; reset or restart the port",
		port->port_id);
	rte_eth_dev_callback_process(eth_dev, RTE_ETH_EVENT_INTR_RESET, NULL);
}

static void
kick_channels(struct rte_eth_dev *eth_dev)
{
	const struct bcm4908_port *port = bcm4908_port(eth_dev);
	struct bcm4908_dev *dev = bcm4908_dev(eth_dev);

	/*
	 * A kick that meets an engine about to stop may be lost [3.5]. A channel
	 * stops again at once when it has nothing to do; one without a ring must
	 * not look for it.
	 */
	if (bcm4908_rx_is_on(port))
		rte_atomic_store_explicit(dev->doorbell[BCM4908_CHAN_RX], 1,
					  rte_memory_order_release);
	if (bcm4908_tx_is_on(port))
		rte_atomic_store_explicit(dev->doorbell[BCM4908_CHAN_TX], 1,
					  rte_memory_order_release);
}

void
bcm4908_watchdog(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	const bool alive = port_is_alive(eth_dev);

	if (alive) {
		kick_channels(eth_dev);
		if (++port->ticks % COUNTER_TICKS == 0)
			bcm4908_counters_update(eth_dev);
	}
	bcm4908_link_watch(eth_dev);
	/* Who was called back may have stopped the port. */
	if (!port->running)
		return;
	if (!alive)
		report_loss(eth_dev);
	else if (bcm4908_mac_tx(port))
		watch_tx(eth_dev);
}

static void
watchdog_alarm(void *arg)
{
	struct bcm4908_port *port = arg;
	const uint32_t alarms = rte_atomic_load_explicit(&port->alarms,
							 rte_memory_order_acquire);
	struct rte_eth_dev *eth_dev = &rte_eth_devices[port->port_id];
	bool running;

	bcm4908_watchdog(eth_dev);
	/* An event may have made the application stop the port, or start it again. */
	running = port->running;
	rte_atomic_store_explicit(&port->alarms, alarms + 1, rte_memory_order_release);
	if (!running)
		return;
	rte_eal_alarm_cancel(watchdog_alarm, port);
	if (rte_eal_alarm_set(TICK_US, watchdog_alarm, port) != 0)
		PMD_LOG(ERR, "port %u: cannot go on watching", eth_dev->data->port_id);
}

static bool
has_alarm(const struct bcm4908_port *port)
{
	return port->stepping != BCM4908_STEPPING_MANUAL;
}

/*
 * That an alarm is under way may be so on a stopped port: an event made the
 * application stop it, and the thread that looks is not back yet.
 */
void
bcm4908_watchdog_cancel(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);

	rte_eal_alarm_cancel(watchdog_alarm, port);
	rte_atomic_load_explicit(&port->alarms, rte_memory_order_acquire);
}

int
bcm4908_watchdog_set(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	int ret;

	if (!has_alarm(port))
		return 0;
	rte_atomic_store_explicit(&port->alarms, 0, rte_memory_order_release);
	ret = rte_eal_alarm_set(TICK_US, watchdog_alarm, port);
	if (ret != 0)
		PMD_LOG(ERR, "port %u: no alarm for the watchdog", port->port_id);
	return ret;
}

/* Choose what 32 bits of bus address are to reach: the receive pool, and the bounce slots if they can. */
static int
port_set_window(struct bcm4908_port *port, struct bcm4908_dev *dev)
{
	const struct bcm4908_rxq *rxq = port->rxq;
	const struct bcm4908_txq *txq = port->txq;
	const uint64_t bounce = txq != NULL ? txq->bounce_addr : rxq->lo;
	const uint64_t bounce_end = txq != NULL ?
		bounce + (uint64_t)txq->nb_desc * BCM4908_BOUNCE_SLOT : rxq->hi;
	const uint64_t lo = rxq != NULL ? rxq->lo : bounce;
	const uint64_t hi = rxq != NULL ? rxq->hi : bounce_end;

	if (dev->ops->set_window(dev, RTE_MIN(lo, bounce), RTE_MAX(hi, bounce_end)) == 0)
		return 0;
	if (dev->ops->set_window(dev, lo, hi) == 0) {
		PMD_LOG(NOTICE, "port %u: short frames in shared buffers cannot be padded",
			port->port_id);
		return 0;
	}
	PMD_LOG(ERR, "port %u: the buffers from %#" PRIx64 " to %#" PRIx64
		" do not fit into 32 bits of bus address; use a smaller pool, or memory that lies closer together",
		port->port_id, lo, hi);
	return -ERANGE;
}

static int
port_start_queues(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	int ret = port_set_window(port, bcm4908_dev(eth_dev));

	if (ret == 0)
		ret = bcm4908_rx_fill(eth_dev);
	if (ret == 0)
		bcm4908_tx_fill(eth_dev);
	return ret;
}

static void
port_stop_queues(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);

	port->rx_state = BCM4908_QUEUE_OFF;
	port->tx_state = BCM4908_QUEUE_OFF;
	if (!port->filled)
		return;
	port->filled = false;
	if (port->rxq != NULL)
		bcm4908_rx_empty(eth_dev);
	if (port->txq != NULL)
		bcm4908_tx_empty(eth_dev);
}

int
bcm4908_dev_start(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	struct bcm4908_dev *dev = bcm4908_dev(eth_dev);
	const struct rte_eth_dev_data *data = eth_dev->data;
	struct bcm4908_hw_config cfg;
	int ret;

	if ((port->rxq != NULL) != (data->nb_rx_queues != 0) ||
	    (port->txq != NULL) != (data->nb_tx_queues != 0)) {
		PMD_LOG(ERR, "port %u: a queue that was configured is not set up", port->port_id);
		return -EINVAL;
	}
	bcm4908_watchdog_cancel(eth_dev);
	ret = bcm4908_dev_reset(eth_dev);
	if (ret != 0)
		return ret;
	port->rx_state = port->rxq != NULL && !port->rxq->deferred ?
		BCM4908_QUEUE_ON : BCM4908_QUEUE_OFF;
	port->tx_state = port->txq != NULL && !port->txq->deferred ?
		BCM4908_QUEUE_ON : BCM4908_QUEUE_OFF;
	bcm4908_port_apply_mtu(eth_dev, data->mtu);
	cfg = (struct bcm4908_hw_config) {
		.mac = data->mac_addrs[0],
		.frame_len = port->frame_len,
		.promisc = bcm4908_hw_promisc(port),
		.loopback = data->dev_conf.lpbk_mode != 0,
		.rx_pause = !port->ignore_pause,
		.tx_pause = true,
		.control_fwd = port->control_fwd,
	};
	bcm4908_hw_mac_init(dev, &cfg);
	bcm4908_counters_restart(eth_dev);
	port->lost = false;
	ret = port_start_queues(eth_dev);
	if (ret != 0) {
		port_stop_queues(eth_dev);
		return ret;
	}
	/* The line is last: a frame must find everything in place [4.2]. */
	bcm4908_hw_dma_enable(dev);
	if (bcm4908_rx_is_on(port))
		bcm4908_hw_chan_enable(dev, BCM4908_CHAN_RX);
	port->link_off = false;
	bcm4908_hw_mac_enable(dev, bcm4908_mac_rx(port), bcm4908_mac_tx(port));
	ret = bcm4908_intr_start(eth_dev);
	if (ret != 0)
		goto stop_hw;
	ret = dev->ops->start(dev);
	if (ret != 0)
		goto stop_hw;
	port->stall_reported = false;
	port->running = true;
	bcm4908_link_update(eth_dev, 0);
	ret = bcm4908_watchdog_set(eth_dev);
	if (ret == 0)
		return 0;
	port->running = false;
	dev->ops->stop(dev);
stop_hw:
	bcm4908_intr_stop(eth_dev);
	if (bcm4908_hw_stop(dev) == 0)
		port_stop_queues(eth_dev);
	return ret;
}

int
bcm4908_dev_stop(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	struct bcm4908_dev *dev = bcm4908_dev(eth_dev);
	bool alive;
	int ret;

	bcm4908_watchdog_cancel(eth_dev);
	alive = port->running && port_is_alive(eth_dev);
	port->running = false;
	bcm4908_intr_stop(eth_dev);
	ret = bcm4908_hw_stop(dev);
	dev->ops->stop(dev);
	if (alive)
		bcm4908_counters_update(eth_dev);
	port_set_link(eth_dev, false);
	/* Memory that a channel may still write to is better lost than reused. */
	if (ret == 0)
		port_stop_queues(eth_dev);
	return ret;
}

int
bcm4908_dev_configure(struct rte_eth_dev *eth_dev)
{
	const struct rte_eth_conf *conf = &eth_dev->data->dev_conf;
	const uint32_t speeds = conf->link_speeds & ~RTE_ETH_LINK_SPEED_FIXED;

	if (speeds != RTE_ETH_LINK_SPEED_AUTONEG && speeds != RTE_ETH_LINK_SPEED_1G) {
		PMD_LOG(ERR, "port %u: the link to the switch is fixed at 1 Gbit/s; ask for that or for autonegotiation",
			eth_dev->data->port_id);
		return -EINVAL;
	}
	if (conf->lpbk_mode > 1) {
		PMD_LOG(ERR, "port %u: loopback mode %u; 0 (none) or 1 (in the MAC) is allowed",
			eth_dev->data->port_id, conf->lpbk_mode);
		return -EINVAL;
	}
	bcm4908_port(eth_dev)->recycle = false;
	return 0;
}

int
bcm4908_dev_close(struct rte_eth_dev *eth_dev)
{
	const struct bcm4908_port *port = bcm4908_port(eth_dev);
	struct bcm4908_dev *dev = bcm4908_dev(eth_dev);
	int ret = 0;

	if (rte_eal_process_type() == RTE_PROC_PRIMARY) {
		bcm4908_watchdog_cancel(eth_dev);
		/* also once more, when it could not be stopped */
		if (port->filled)
			ret = bcm4908_dev_stop(eth_dev);
		bcm4908_intr_close(eth_dev);
		bcm4908_rx_queue_release(eth_dev, 0);
		bcm4908_tx_queue_release(eth_dev, 0);
	}
	if (dev != NULL) {
		dev->ops->close(dev);
		free(dev);
		eth_dev->process_private = NULL;
	}
	return ret;
}

/* ethdev has stopped the port, or has tried to; leave the controller as probe does. */
int
bcm4908_dev_reset(struct rte_eth_dev *eth_dev)
{
	int ret = bcm4908_hw_probe(bcm4908_dev(eth_dev));

	if (ret == 0)
		port_stop_queues(eth_dev);
	return ret;
}

/*
 * Settings and queries
 */

int
bcm4908_dev_infos_get(struct rte_eth_dev *eth_dev, struct rte_eth_dev_info *info)
{
	const bool cksum = bcm4908_port(eth_dev)->sw_cksum;
	static const struct rte_eth_desc_lim desc_lim = {
		.nb_max = BCM4908_MAX_DESC,
		.nb_min = BCM4908_MIN_DESC,
		.nb_align = BCM4908_DESC_MULTIPLE,
		.nb_seg_max = BCM4908_MAX_TX_SEGS,
		.nb_mtu_seg_max = BCM4908_MAX_TX_SEGS,
	};
	static const struct rte_eth_dev_portconf portconf = {
		.burst_size = BCM4908_DEFAULT_BURST,
		.ring_size = BCM4908_DEFAULT_DESC,
		.nb_queues = 1,
	};

	info->min_mtu = RTE_ETHER_MIN_MTU;
	info->max_mtu = BCM4908_MAX_MTU;
	info->min_rx_bufsize = BCM4908_MIN_RX_BUFSIZE;
	info->max_rx_pktlen = BCM4908_FRAME_LEN_MAX;
	info->max_rx_queues = 1;
	info->max_tx_queues = 1;
	info->max_mac_addrs = BCM4908_MAX_MAC_ADDRS;
	info->rx_offload_capa = BCM4908_RX_OFFLOADS | (cksum ? BCM4908_RX_CKSUM_OFFLOADS : 0);
	info->tx_offload_capa = BCM4908_TX_OFFLOADS | (cksum ? BCM4908_TX_CKSUM_OFFLOADS : 0);
	info->tx_queue_offload_capa = RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	info->dev_capa |= RTE_ETH_DEV_CAPA_RUNTIME_RX_QUEUE_SETUP |
		RTE_ETH_DEV_CAPA_RUNTIME_TX_QUEUE_SETUP;
	info->rx_desc_lim = desc_lim;
	info->tx_desc_lim = desc_lim;
	info->speed_capa = RTE_ETH_LINK_SPEED_1G;
	info->default_rxportconf = portconf;
	info->default_txportconf = portconf;
	return 0;
}

int
bcm4908_mtu_set(struct rte_eth_dev *eth_dev, uint16_t mtu)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	struct bcm4908_dev *dev = bcm4908_dev(eth_dev);
	const bool grows = mtu + BCM4908_FRAME_LEN_SPARE > port->frame_len;

	if (!port->running)
		return 0; /* start does all that follows from it */
	/* The burst must be ready for longer frames before they can come. */
	if (grows)
		bcm4908_port_apply_mtu(eth_dev, mtu);
	bcm4908_hw_set_frame_len(dev, mtu + BCM4908_FRAME_LEN_SPARE);
	if (!grows)
		bcm4908_port_apply_mtu(eth_dev, mtu);
	if (port->rxq != NULL)
		bcm4908_rxq_set_max_len(port->rxq, mtu + BCM4908_OVERHEAD);
	return 0;
}

/* Where a channel is may be read only while it stands still [11.7]. */
static bool
is_position(uint32_t reg)
{
	return reg == BCM4908_CHAN_STATE_DATA(BCM4908_CHAN_RX) ||
		reg == BCM4908_CHAN_STATE_DATA(BCM4908_CHAN_TX);
}

int
bcm4908_get_reg(struct rte_eth_dev *eth_dev, struct rte_dev_reg_info *regs)
{
	const bool running = bcm4908_port(eth_dev)->running;
	const struct bcm4908_dev *dev = bcm4908_dev(eth_dev);
	uint32_t *data = regs->data;

	regs->width = sizeof(uint32_t);
	if (data == NULL) {
		regs->length = BCM4908_REGS_SIZE / sizeof(uint32_t);
		return 0;
	}
	if (regs->offset != 0 || (regs->length != 0 &&
				  regs->length != BCM4908_REGS_SIZE / sizeof(uint32_t)))
		return -ENOTSUP;
	regs->length = BCM4908_REGS_SIZE / sizeof(uint32_t);
	regs->version = bcm4908_read(dev, BCM4908_UMAC_VERSION);
	for (uint32_t reg = 0; reg < BCM4908_REGS_SIZE; reg += sizeof(uint32_t))
		*data++ = running && is_position(reg) ? 0 : bcm4908_read(dev, reg);
	return 0;
}

/*
 * Probe and remove
 */

/* A locally administered address that stays the same for a device's name. */
static void
default_mac(const char *name, struct rte_ether_addr *mac)
{
	uint32_t hash = 2166136261u;

	for (; *name != '\0'; name++)
		hash = (hash ^ (uint8_t)*name) * 16777619u;
	*mac = (struct rte_ether_addr) {
		.addr_bytes = { 0x02, 0x49, 0x08, hash >> 16, hash >> 8, hash },
	};
}

static int
probe_secondary(struct rte_vdev_device *vdev, const char *name)
{
	struct rte_eth_dev *eth_dev = rte_eth_dev_attach_secondary(name);
	struct bcm4908_port *port;
	struct bcm4908_dev *dev;

	if (eth_dev == NULL) {
		PMD_LOG(ERR, "%s: the primary process has no such port", name);
		return -ENODEV;
	}
	port = bcm4908_port(eth_dev);
	dev = calloc(1, sizeof(*dev));
	if (dev == NULL || bcm4908_dev_model_attach(dev, port->dev_shared) != 0) {
		free(dev);
		rte_eth_dev_release_port(eth_dev);
		return -ENOMEM;
	}
	eth_dev->device = &vdev->device;
	eth_dev->process_private = dev;
	bcm4908_set_ops(eth_dev);
	bcm4908_select_bursts(eth_dev);
	if (!bcm4908_can_burst(port))
		PMD_LOG(NOTICE, "%s: only with stepping=thread and coherent=1 a secondary process can forward",
			name);
	rte_eth_dev_probing_finish(eth_dev);
	return 0;
}

static int
probe_primary(struct rte_vdev_device *vdev, const char *name)
{
	struct rte_eth_dev *eth_dev;
	struct bcm4908_port *port;
	struct bcm4908_dev *dev;
	struct probe_args args;
	int ret = parse_args(rte_vdev_device_args(vdev), &args);

	if (ret != 0)
		return ret;
	if (vdev->device.numa_node == SOCKET_ID_ANY)
		vdev->device.numa_node = rte_socket_id();
	eth_dev = rte_eth_vdev_allocate(vdev, sizeof(*port));
	if (eth_dev == NULL)
		return -ENOMEM;
	port = bcm4908_port(eth_dev);
	ret = -ENOMEM;
	dev = calloc(1, sizeof(*dev));
	if (dev == NULL)
		goto release_port;
	eth_dev->data->mac_addrs = rte_zmalloc_socket("bcm4908_mac",
		sizeof(struct rte_ether_addr) * BCM4908_MAX_MAC_ADDRS, 0, vdev->device.numa_node);
	if (eth_dev->data->mac_addrs == NULL)
		goto free_dev;
	if (args.has_mac)
		eth_dev->data->mac_addrs[0] = args.mac;
	else
		default_mac(name, &eth_dev->data->mac_addrs[0]);
	ret = bcm4908_dev_model_create(dev, name, &args.dev, vdev->device.numa_node);
	if (ret != 0)
		goto free_dev;
	ret = bcm4908_hw_probe(dev);
	if (ret != 0)
		goto close_dev;
	port->port_id = eth_dev->data->port_id;
	port->sw_cksum = args.sw_cksum;
	bcm4908_filter_init(port, &eth_dev->data->mac_addrs[0]);
	port->coherent = dev->coherent;
	port->stepping = dev->stepping;
	port->dev_shared = dev->shared;
	eth_dev->process_private = dev;
	eth_dev->data->promiscuous = port->promisc;
	eth_dev->data->dev_flags |= RTE_ETH_DEV_INTR_LSC | RTE_ETH_DEV_AUTOFILL_QUEUE_XSTATS;
	bcm4908_set_ops(eth_dev);
	bcm4908_select_bursts(eth_dev);
	port_set_link(eth_dev, false);
	rte_eth_dev_probing_finish(eth_dev);
	return 0;

close_dev:
	dev->ops->close(dev);
free_dev:
	free(dev);
release_port:
	rte_eth_dev_release_port(eth_dev);
	return ret;
}

static int
bcm4908_vdev_probe(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);

	if (rte_eal_process_type() == RTE_PROC_SECONDARY)
		return probe_secondary(vdev, name);
	return probe_primary(vdev, name);
}

static int
bcm4908_vdev_remove(struct rte_vdev_device *vdev)
{
	struct rte_eth_dev *eth_dev = rte_eth_dev_allocated(rte_vdev_device_name(vdev));
	int ret;

	if (eth_dev == NULL)
		return 0; /* closed before */
	ret = bcm4908_dev_close(eth_dev);
	rte_eth_dev_release_port(eth_dev);
	return ret;
}

static struct rte_vdev_driver bcm4908_vdev_driver = {
	.probe = bcm4908_vdev_probe,
	.remove = bcm4908_vdev_remove,
};

RTE_PMD_REGISTER_VDEV(net_bcm4908, bcm4908_vdev_driver);
RTE_PMD_REGISTER_PARAM_STRING(net_bcm4908,
	"wire=<loop|cable:NAME|port name> "
	"rate=<Mbit/s> "
	"stepping=<thread|burst|manual> "
	"cpu=<number> "
	"coherent=<0|1> "
	"fault=<specification> "
	"mac=<address> "
	"sw-cksum=<0|1>");
