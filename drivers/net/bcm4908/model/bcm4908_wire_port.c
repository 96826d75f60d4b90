/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * A wire that is another ethdev port. It may not exist yet, and it may go and
 * come back: the port is claimed when it appears, set up and started when
 * first needed, and stays started until the wire is destroyed, since for a
 * capture file stopping means beginning anew.
 *
 * The state below the mutex belongs to whoever holds it: the control thread,
 * ethdev's event callbacks, and a timer, which also watches the link. The data
 * path looks at running only, which changes under the device's lock.
 */

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include <ethdev_driver.h>
#include <rte_alarm.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "bcm4908_model_log.h"
#include "bcm4908_wire_kinds.h"

#define OWN_DRIVER	"net_bcm4908"

#define POLL_US		100000	/* between two looks at the port */
#define PORT_BURST	32u
#define PORT_DESCS	256u	/* of each queue, if the port has no other wish */
#define PORT_CACHE	128u
#define FRAME_ROOM	16384u	/* more than MAX_FRAME_LEN, of 14 bits, lets pass */

enum port_state {
	PORT_ABSENT,	/* does not exist, or is not ours */
	PORT_CLAIMED,
	PORT_FAILED,	/* ours, but it could not be set up: no more attempts */
	PORT_RUNNING,
};

/*
 * A port may keep mbufs of its pools as long as it exists, stopped or not. So
 * pools are not the wires': they serve the next wire over the same port, and
 * are freed when the port has gone and all mbufs are back. Each direction has
 * its own, lest a port that keeps what it was sent cannot receive.
 */
struct port_pools {
	LIST_ENTRY(port_pools) next;
	char port[RTE_ETH_NAME_MAX_LEN];
	struct rte_mempool *rx;
	struct rte_mempool *tx;
	bool used;
};

struct port_wire {
	struct bcm4908_wire wire;
	pthread_mutex_t mutex;
	struct rte_eth_dev_owner owner;
	enum port_state state;
	uint16_t port;
	uint16_t mtu;		/* that was last asked of it */
	bool wanted;		/* our device is started */
	bool told;		/* why there is no port was logged */
	struct port_pools *pools;

	/* data path */
	bool running;
	struct rte_mempool_cache *cache;	/* of pools->tx; our threads have no lcore's */
	unsigned int rx_next;
	unsigned int rx_count;
	unsigned int tx_count;
	struct rte_mbuf *rx[PORT_BURST];	/* arrived, not yet with the MAC */
	struct rte_mbuf *tx[PORT_BURST];	/* sent, not yet with the port */
	uint8_t flat[FRAME_ROOM];
};

static LIST_HEAD(, port_pools) pools_list = LIST_HEAD_INITIALIZER(pools_list);
static pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int pools_made; /* numbers their names */

static void
pools_free(struct port_pools *pools)
{
	rte_mempool_free(pools->rx);
	rte_mempool_free(pools->tx);
	free(pools);
}

/* Free the pools that no port can use any more. */
static void
pools_collect(void)
{
	struct port_pools *pools, *next;
	uint16_t port;

	for (pools = LIST_FIRST(&pools_list); pools != NULL; pools = next) {
		next = LIST_NEXT(pools, next);
		if (pools->used || rte_eth_dev_get_port_by_name(pools->port, &port) == 0 ||
		    !rte_mempool_full(pools->rx) || !rte_mempool_full(pools->tx))
			continue;
		LIST_REMOVE(pools, next);
		pools_free(pools);
	}
}

static struct rte_mempool *
pool_make(const char *port, const char *direction, unsigned int mbufs, int socket)
{
	char name[RTE_MEMPOOL_NAMESIZE];
	struct rte_mempool *mp;

	snprintf(name, sizeof(name), "bcm4908_wire_%u_%s", pools_made, direction);
	/* A pool's own caches are for lcores, which do not come here. */
	mp = rte_pktmbuf_pool_create(name, mbufs, 0, 0,
				     RTE_PKTMBUF_HEADROOM + BCM4908_WIRE_FRAME_MAX, socket);
	if (mp == NULL)
		MODEL_LOG(ERR, "wire=%s: no memory for %u mbufs: %s", port, mbufs,
			  rte_strerror(rte_errno));
	return mp;
}

static struct port_pools *
pools_make(const char *port, unsigned int rx, unsigned int tx, int socket)
{
	struct port_pools *pools = calloc(1, sizeof(*pools));

	if (pools == NULL)
		return NULL;
	snprintf(pools->port, sizeof(pools->port), "%s", port);
	pools->rx = pool_make(port, "rx", rx, socket);
	pools->tx = pool_make(port, "tx", tx, socket);
	pools_made++;
	if (pools->rx == NULL || pools->tx == NULL) {
		pools_free(pools);
		return NULL;
	}
	LIST_INSERT_HEAD(&pools_list, pools, next);
	return pools;
}

static struct port_pools *
pools_take(const char *port, unsigned int rx, unsigned int tx, int socket)
{
	struct port_pools *pools;

	pthread_mutex_lock(&pools_lock);
	pools_collect();
	LIST_FOREACH(pools, &pools_list, next)
		if (!pools->used && strcmp(pools->port, port) == 0 &&
		    pools->rx->size >= rx && pools->tx->size >= tx)
			break;
	if (pools == NULL)
		pools = pools_make(port, rx, tx, socket);
	if (pools != NULL)
		pools->used = true;
	pthread_mutex_unlock(&pools_lock);
	return pools;
}

static void
pools_give_back(struct port_pools *pools)
{
	pthread_mutex_lock(&pools_lock);
	if (pools != NULL)
		pools->used = false;
	pools_collect();
	pthread_mutex_unlock(&pools_lock);
}

/* Data path. */

/* Free received mbufs, those of our pool together. */
static void
port_free_rx(struct port_wire *pw, struct rte_mbuf **mbufs, unsigned int n)
{
	void *ours[PORT_BURST];
	unsigned int nb = 0;

	for (unsigned int i = 0; i < n; i++) {
		struct rte_mbuf *m = mbufs[i];

		if (m->nb_segs > 1 || m->pool != pw->pools->rx)
			rte_pktmbuf_free(m);
		else if ((m = rte_pktmbuf_prefree_seg(m)) != NULL)
			ours[nb++] = m;
	}
	if (nb > 0)
		rte_mempool_generic_put(pw->pools->rx, ours, nb, NULL);
}

/* Free mbufs that the port would not send: each is still as it was allocated. */
static void
port_free_tx(struct port_wire *pw, unsigned int n)
{
	rte_mempool_generic_put(pw->pools->tx, (void **)pw->tx, n, pw->cache);
	pw->tx_count -= n;
	memmove(pw->tx, pw->tx + n, pw->tx_count * sizeof(pw->tx[0]));
}

/* Offer what was collected; return whether the port took anything. */
static bool
port_offer(struct port_wire *pw)
{
	const unsigned int sent = rte_eth_tx_burst(pw->port, 0, pw->tx, pw->tx_count);

	if (sent == 0)
		return false;
	bcm4908_wire_sent(&pw->wire, sent);
	pw->tx_count -= sent;
	memmove(pw->tx, pw->tx + sent, pw->tx_count * sizeof(pw->tx[0]));
	return true;
}

/*
 * Send what was collected; what the port refuses stays for the next time, within patience.
 * Then the first frame goes, which may be one that the port never takes, and the next is offered.
 */
static void
port_flush(struct bcm4908_wire *wire)
{
	struct port_wire *pw = (struct port_wire *)wire;

	while (pw->running && pw->tx_count > 0 && !port_offer(pw) &&
	       bcm4908_wire_out_of_patience(wire)) {
		bcm4908_wire_count(&wire->cfg.shared->dropped, 1);
		port_free_tx(pw, 1);
	}
}

static enum bcm4908_wire_verdict
port_tx(struct bcm4908_wire *wire, const struct bcm4908_model_frame *frame)
{
	struct port_wire *pw = (struct port_wire *)wire;
	struct rte_mbuf *m;

	/* A peer drops a frame with a bad FCS, and a port would give it a good one. */
	if (!pw->running || frame->bad_fcs)
		return BCM4908_WIRE_LOST;
	if (pw->tx_count == PORT_BURST)
		port_flush(wire);
	if (pw->tx_count == PORT_BURST ||
	    rte_mempool_generic_get(pw->pools->tx, (void **)&m, 1, pw->cache) < 0)
		return BCM4908_WIRE_FULL;
	rte_pktmbuf_reset(m);
	memcpy(rte_pktmbuf_append(m, frame->len), frame->data, frame->len);
	pw->tx[pw->tx_count++] = m;
	return BCM4908_WIRE_TAKEN;
}

/* Offer one mbuf to the MAC as the contiguous frame of at least 60 bytes that a peer MAC sends. */
static bool
port_deliver(struct port_wire *pw, const struct rte_mbuf *m)
{
	struct bcm4908_model_frame frame = { .len = rte_pktmbuf_pkt_len(m) };

	if (m->nb_segs > 1)
		/* The MAC cuts longer ones before it looks at the bytes that are missing here. */
		frame.data = rte_pktmbuf_read(m, 0, RTE_MIN(frame.len, FRAME_ROOM), pw->flat);
	else
		frame.data = rte_pktmbuf_mtod(m, const uint8_t *);
	if (frame.len < BCM4908_TX_LEN_MIN) {
		memmove(pw->flat, frame.data, frame.len);
		memset(pw->flat + frame.len, 0, BCM4908_TX_LEN_MIN - frame.len);
		frame.data = pw->flat;
		frame.len = BCM4908_TX_LEN_MIN;
	}
	return bcm4908_wire_deliver(&pw->wire, &frame);
}

static void
port_rx(struct bcm4908_wire *wire, unsigned int budget)
{
	struct port_wire *pw = (struct port_wire *)wire;

	while (pw->running && budget > 0) {
		unsigned int first = pw->rx_next;

		if (pw->rx_next == pw->rx_count) {
			first = 0;
			pw->rx_next = 0;
			pw->rx_count = rte_eth_rx_burst(pw->port, 0, pw->rx,
							RTE_MIN(budget, PORT_BURST));
		}
		while (pw->rx_next < pw->rx_count && budget > 0 &&
		       port_deliver(pw, pw->rx[pw->rx_next])) {
			pw->rx_next++;
			budget--;
		}
		port_free_rx(pw, pw->rx + first, pw->rx_next - first);
		if (pw->rx_next < pw->rx_count || pw->rx_count == 0)
			break;
	}
}

/* Control. All below with the mutex held, unless said otherwise. */

static void
port_lock_data_path(struct port_wire *pw)
{
	pw->wire.cfg.lock(pw->wire.cfg.ctx);
}

static void
port_unlock_data_path(struct port_wire *pw)
{
	pw->wire.cfg.unlock(pw->wire.cfg.ctx);
}

/* Say once why there is no wire. */
static void
port_tell(struct port_wire *pw, const char *why, const char *detail)
{
	if (pw->told)
		return;
	MODEL_LOG(WARNING, "%s: wire=%s: %s%s; the link stays down until that changes",
		  pw->wire.cfg.name, pw->wire.cfg.wire, why, detail);
	pw->told = true;
}

/* Take a port that exists, unless somebody else has it. */
static void
port_claim(struct port_wire *pw, uint16_t port)
{
	const struct rte_eth_dev *dev = &rte_eth_devices[port];
	struct rte_eth_dev_owner owner;

	if (rte_eth_dev_owner_get(port, &owner) == 0 && owner.id != RTE_ETH_DEV_NO_OWNER) {
		port_tell(pw, "the port is owned by ", owner.name);
	} else if (dev->data->dev_started != 0) {
		port_tell(pw, "the port is in use: it was started by somebody else", "");
	} else if (rte_eth_dev_owner_set(port, &pw->owner) == 0) {
		pw->port = port;
		pw->state = PORT_CLAIMED;
		pw->told = false;
	}
}

static void
port_find(struct port_wire *pw)
{
	uint16_t port;

	if (rte_eth_dev_get_port_by_name(pw->wire.cfg.wire, &port) == 0)
		port_claim(pw, port);
	else if (pw->wanted)
		port_tell(pw, "there is no port of that name", "");
}

/* The port shall carry what our MAC is set to receive. */
static void
port_raise_mtu(struct port_wire *pw)
{
	const uint32_t frame_len =
		bcm4908_model_read(pw->wire.cfg.regs, BCM4908_UMAC_MAX_FRAME_LEN);
	const uint32_t want = frame_len - RTE_MIN(frame_len, BCM4908_FRAME_LEN_SPARE);
	struct rte_eth_dev_info info;
	uint32_t most;
	uint16_t mtu;

	if (want <= pw->mtu || rte_eth_dev_get_mtu(pw->port, &mtu) != 0 || want <= mtu ||
	    rte_eth_dev_info_get(pw->port, &info) != 0)
		return;
	pw->mtu = want;
	most = info.max_rx_pktlen - RTE_MIN(info.max_rx_pktlen,
					    (uint32_t)RTE_ETHER_HDR_LEN + RTE_ETHER_CRC_LEN);
	most = RTE_MIN(most, info.max_mtu);
	if (most <= mtu)
		MODEL_LOG(NOTICE, "%s: wire=%s: the port's MTU stays %u, not %u",
			  pw->wire.cfg.name, pw->wire.cfg.wire, mtu, want);
	else
		/* Not every port has one to set; those carry any length. */
		rte_eth_dev_set_mtu(pw->port, RTE_MIN(want, most));
}

static int
port_queues(struct port_wire *pw, const struct rte_eth_dev_info *info)
{
	const int socket = rte_eth_dev_socket_id(pw->port);
	struct rte_eth_conf conf = { 0 };
	uint16_t rxd = PORT_DESCS, txd = PORT_DESCS;
	int ret;

	/* All mbufs that we send come from one pool and have one owner. */
	conf.txmode.offloads = info->tx_offload_capa & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	ret = rte_eth_dev_configure(pw->port, 1, 1, &conf);
	if (ret == 0)
		ret = rte_eth_dev_adjust_nb_rx_tx_desc(pw->port, &rxd, &txd);
	if (ret != 0)
		return ret;
	/* Each ring, an array here, and a cache at its fullest. */
	pw->pools = pools_take(pw->wire.cfg.wire, rxd + PORT_BURST,
			       txd + PORT_BURST + 2 * PORT_CACHE, socket);
	if (pw->pools == NULL)
		return -ENOMEM;
	pw->cache = rte_mempool_cache_create(PORT_CACHE, socket);
	if (pw->cache == NULL)
		return -ENOMEM;
	ret = rte_eth_rx_queue_setup(pw->port, 0, rxd, socket, NULL, pw->pools->rx);
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(pw->port, 0, txd, socket, NULL);
	return ret;
}

/* Let go of the port's mbufs and of its pool; the data path stays away from now on. */
static void
port_release(struct port_wire *pw)
{
	unsigned int rx;

	port_lock_data_path(pw);
	pw->running = false;
	rx = pw->rx_count - pw->rx_next;
	if (pw->cache != NULL) {
		bcm4908_wire_count(&pw->wire.cfg.shared->dropped, rx + pw->tx_count);
		port_free_rx(pw, pw->rx + pw->rx_next, rx);
		port_free_tx(pw, pw->tx_count);
		rte_mempool_cache_flush(pw->cache, pw->pools->tx);
	}
	pw->rx_next = 0;
	pw->rx_count = 0;
	port_unlock_data_path(pw);

	if (pw->cache != NULL)
		rte_mempool_cache_free(pw->cache);
	pw->cache = NULL;
	pools_give_back(pw->pools);
	pw->pools = NULL;
}

static int
port_setup(struct port_wire *pw)
{
	struct rte_eth_dev_info info;
	int ret;

	ret = rte_eth_dev_info_get(pw->port, &info);
	if (ret != 0)
		return ret;
	ret = port_queues(pw, &info);
	if (ret != 0)
		return ret;
	pw->mtu = 0;
	port_raise_mtu(pw);
	/* A plug takes everything; ports without the choice do so anyway. */
	rte_eth_promiscuous_enable(pw->port);
	return rte_eth_dev_start(pw->port);
}

static void
port_run(struct port_wire *pw)
{
	int ret;

	/* Claimed while it was being probed: that is not finished yet. */
	if (rte_eth_dev_is_valid_port(pw->port) == 0)
		return;
	ret = port_setup(pw);
	if (ret != 0) {
		MODEL_LOG(ERR, "%s: wire=%s: cannot start port %u: %s", pw->wire.cfg.name,
			  pw->wire.cfg.wire, pw->port, rte_strerror(-ret));
		port_release(pw);
		pw->state = PORT_FAILED;
		return;
	}
	port_lock_data_path(pw);
	pw->running = true;
	port_unlock_data_path(pw);
	pw->state = PORT_RUNNING;
}

/* Do what can be done now, and look at the link. */
static void
port_update(struct port_wire *pw)
{
	struct rte_eth_link link = { .link_status = RTE_ETH_LINK_DOWN };

	if (pw->state == PORT_ABSENT)
		port_find(pw);
	if (pw->state == PORT_CLAIMED && pw->wanted)
		port_run(pw);
	if (pw->state == PORT_RUNNING && pw->wanted) {
		port_raise_mtu(pw);
		if (rte_eth_link_get_nowait(pw->port, &link) != 0)
			link.link_status = RTE_ETH_LINK_DOWN;
	}
	bcm4908_wire_set_link(&pw->wire, link.link_status == RTE_ETH_LINK_UP);
}

/* The port is about to go. The data path lets go of it, as far as it is not too late. */
static void
port_lost(struct port_wire *pw)
{
	port_release(pw);
	pw->state = PORT_ABSENT;
	pw->told = true;
	bcm4908_wire_set_link(&pw->wire, false);
	MODEL_LOG(NOTICE, "%s: wire=%s: port %u went away, the link is down",
		  pw->wire.cfg.name, pw->wire.cfg.wire, pw->port);
}

/* Timer; takes the mutex. */
static void
port_poll(void *arg)
{
	struct port_wire *pw = arg;

	pthread_mutex_lock(&pw->mutex);
	port_update(pw);
	pthread_mutex_unlock(&pw->mutex);
	if (rte_eal_alarm_set(POLL_US, port_poll, pw) != 0)
		MODEL_LOG(ERR, "%s: wire=%s: lost the timer that watches the link",
			  pw->wire.cfg.name, pw->wire.cfg.wire);
}

/* A port appears: now is the time to claim it, before an application does. Takes the mutex. */
static int
port_new_event(uint16_t port, enum rte_eth_event_type event __rte_unused, void *arg,
	       void *ret __rte_unused)
{
	struct port_wire *pw = arg;

	pthread_mutex_lock(&pw->mutex);
	if (pw->state == PORT_ABSENT &&
	    strcmp(rte_eth_devices[port].data->name, pw->wire.cfg.wire) == 0)
		port_claim(pw, port);
	pthread_mutex_unlock(&pw->mutex);
	return 0;
}

/* Takes the mutex. */
static int
port_destroy_event(uint16_t port, enum rte_eth_event_type event __rte_unused, void *arg,
		   void *ret __rte_unused)
{
	struct port_wire *pw = arg;

	pthread_mutex_lock(&pw->mutex);
	if (pw->state != PORT_ABSENT && pw->port == port)
		port_lost(pw);
	pthread_mutex_unlock(&pw->mutex);
	return 0;
}

/* Without the mutex, which the callbacks take. */
static void
port_unwatch(struct port_wire *pw)
{
	rte_eal_alarm_cancel(port_poll, pw);
	while (rte_eth_dev_callback_unregister(RTE_ETH_ALL, RTE_ETH_EVENT_NEW,
					       port_new_event, pw) == -EAGAIN)
		sched_yield();
	while (rte_eth_dev_callback_unregister(RTE_ETH_ALL, RTE_ETH_EVENT_DESTROY,
					       port_destroy_event, pw) == -EAGAIN)
		sched_yield();
}

static int
port_watch(struct port_wire *pw)
{
	int ret;

	ret = rte_eth_dev_callback_register(RTE_ETH_ALL, RTE_ETH_EVENT_NEW, port_new_event, pw);
	if (ret == 0)
		ret = rte_eth_dev_callback_register(RTE_ETH_ALL, RTE_ETH_EVENT_DESTROY,
						    port_destroy_event, pw);
	if (ret == 0)
		ret = rte_eal_alarm_set(POLL_US, port_poll, pw);
	if (ret != 0)
		port_unwatch(pw);
	return ret;
}

static void
port_start(struct bcm4908_wire *wire)
{
	struct port_wire *pw = (struct port_wire *)wire;

	pthread_mutex_lock(&pw->mutex);
	pw->wanted = true;
	if (pw->state == PORT_FAILED)
		pw->state = PORT_CLAIMED;
	port_update(pw);
	pthread_mutex_unlock(&pw->mutex);
}

static void
port_stop(struct bcm4908_wire *wire)
{
	struct port_wire *pw = (struct port_wire *)wire;

	pthread_mutex_lock(&pw->mutex);
	pw->wanted = false;
	bcm4908_wire_set_link(wire, false);
	pthread_mutex_unlock(&pw->mutex);
}

static void
port_destroy(struct bcm4908_wire *wire)
{
	struct port_wire *pw = (struct port_wire *)wire;

	port_unwatch(pw);
	port_release(pw);
	if (pw->state == PORT_RUNNING) {
		rte_eth_promiscuous_disable(pw->port);
		rte_eth_dev_stop(pw->port);
	}
	if (pw->state != PORT_ABSENT)
		rte_eth_dev_owner_unset(pw->port, pw->owner.id);
	pthread_mutex_destroy(&pw->mutex);
	free(pw);
}

static const struct bcm4908_wire_ops port_ops = {
	.start = port_start,
	.stop = port_stop,
	.tx = port_tx,
	.rx = port_rx,
	.flush = port_flush,
	.destroy = port_destroy,
};

int
bcm4908_wire_port_create(struct bcm4908_wire **wire, const struct bcm4908_wire_config *cfg)
{
	struct port_wire *pw;
	int ret;

	/* Each would be driver and wire at once; a vdev's name begins with its driver's. */
	if (strncmp(cfg->wire, OWN_DRIVER, strlen(OWN_DRIVER)) == 0) {
		MODEL_LOG(ERR, "%s: wire=%s: devices of this driver are joined by wire=cable:NAME",
			  cfg->name, cfg->wire);
		return -EINVAL;
	}
	pw = calloc(1, sizeof(*pw));
	if (pw == NULL)
		return -ENOMEM;
	pw->wire.ops = &port_ops;
	pw->wire.cfg = *cfg;
	pthread_mutex_init(&pw->mutex, NULL);
	ret = rte_eth_dev_owner_new(&pw->owner.id);
	if (ret == 0) {
		snprintf(pw->owner.name, sizeof(pw->owner.name), "%s", cfg->name);
		ret = port_watch(pw);
	}
	if (ret != 0) {
		MODEL_LOG(ERR, "%s: wire=%s: cannot watch for the port: %s", cfg->name, cfg->wire,
			  rte_strerror(-ret));
		pthread_mutex_destroy(&pw->mutex);
		free(pw);
		return ret;
	}
	pthread_mutex_lock(&pw->mutex);
	port_update(pw);
	pthread_mutex_unlock(&pw->mutex);
	*wire = &pw->wire;
	return 0;
}
