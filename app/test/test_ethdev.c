/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* What ethdev and its users may rely on: information, refusals, settings, events. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_memzone.h>

#include "bcm4908_dev_model.h"
#include "model/bcm4908_wire.h"
#include "port.h"

/* At most so long for what another thread does; only a failure takes it. */
#define PATIENCE_MS 20000

static void
memzone_count_one(const struct rte_memzone *mz __rte_unused, void *arg)
{
	*(unsigned int *)arg += 1;
}

static unsigned int
memzone_count(void)
{
	unsigned int n = 0;

	rte_memzone_walk(memzone_count_one, &n);
	return n;
}

static unsigned int
malloc_count(void)
{
	struct rte_malloc_socket_stats stats;

	return rte_malloc_get_socket_stats(0, &stats) == 0 ? stats.alloc_count : 0;
}

/* A frame in, the same out. */
static int
pass(struct port *p, uint32_t len, uint32_t seed)
{
	struct rte_mbuf *m;

	CHECK(port_push_frame(p, len, seed));
	port_run(p);
	CHECK_EQ(port_rx(p, &m, 1), 1);
	CHECK_OK(mbuf_check_bytes(m, len, seed));
	CHECK_EQ(m->port, p->id);
	port_line_clear(p);
	CHECK_EQ(port_tx(p, &m, 1), 1);
	port_run(p);
	CHECK_EQ(port_sent(p), 1);
	return port_check_sent(p, 0, len, seed);
}

TEST(ethdev_info)
{
	struct rte_eth_dev_info info;
	struct port p;

	PORT_OPEN(&p, .unset = true);
	CHECK_EQ(rte_eth_dev_info_get(p.id, &info), 0);
	CHECK(strcmp(info.driver_name, "net_bcm4908") == 0, "%s", info.driver_name);
	CHECK(info.device == p.eth_dev->device);
	CHECK_EQ(info.min_mtu, 68);
	CHECK_EQ(info.max_rx_pktlen, 9216);		/* where the MIB's classes end [6] */
	CHECK_EQ(info.max_rx_pktlen - info.max_mtu, 26); /* header, two tags, FCS */
	CHECK(info.min_rx_bufsize >= 64 && info.min_rx_bufsize <= 2048);
	CHECK_EQ(info.max_rx_queues, 1);
	CHECK_EQ(info.max_tx_queues, 1);
	CHECK_EQ(info.max_mac_addrs, 8);
	CHECK_EQ(info.speed_capa, RTE_ETH_LINK_SPEED_1G);
	CHECK_EQ(info.rx_desc_lim.nb_min, 32);
	CHECK_EQ(info.rx_desc_lim.nb_max, 8192);
	CHECK_EQ(info.rx_desc_lim.nb_align, 8);
	CHECK_EQ(info.tx_desc_lim.nb_min, 32);
	CHECK_EQ(info.tx_desc_lim.nb_max, 8192);
	CHECK_EQ(info.tx_desc_lim.nb_align, 8);
	CHECK(info.tx_desc_lim.nb_seg_max >= 8 && info.tx_desc_lim.nb_seg_max <= 32);
	CHECK_EQ(info.default_rxportconf.ring_size, 512);
	CHECK_EQ(info.default_rxportconf.nb_queues, 1);
	CHECK_EQ(info.default_rxportconf.burst_size, 32);
	CHECK_EQ(info.default_txportconf.ring_size, 512);
	CHECK_EQ(info.default_txportconf.nb_queues, 1);
	CHECK_EQ(info.default_txportconf.burst_size, 32);
	/* no checksum engine, no RSS, and the FCS is the line's own */
	CHECK_EQ(info.rx_offload_capa, RTE_ETH_RX_OFFLOAD_SCATTER |
		 RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_VLAN_FILTER);
	CHECK_EQ(info.tx_offload_capa, RTE_ETH_TX_OFFLOAD_MULTI_SEGS |
		 RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE | RTE_ETH_TX_OFFLOAD_VLAN_INSERT);
	CHECK_EQ(info.tx_queue_offload_capa, RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE);
	CHECK_EQ(info.rx_queue_offload_capa, 0);
	CHECK_EQ(info.flow_type_rss_offloads, 0);
	CHECK_EQ(info.reta_size, 0);
	return port_close(&p);
}

/* The ring size that ethdev fills in when asked for none. */
TEST(ethdev_default_rings)
{
	struct rte_eth_rxq_info rxinfo;
	struct rte_eth_txq_info txinfo;
	struct port p;

	PORT_OPEN(&p, .unset = true);
	CHECK_EQ(rte_eth_rx_queue_setup(p.id, 0, 0, SOCKET_ID_ANY, NULL, p.pool), 0);
	CHECK_EQ(rte_eth_tx_queue_setup(p.id, 0, 0, SOCKET_ID_ANY, NULL), 0);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_EQ(rte_eth_rx_queue_info_get(p.id, 0, &rxinfo), 0);
	CHECK_EQ(rxinfo.nb_desc, 512);
	CHECK(rxinfo.mp == p.pool);
	CHECK_EQ(rxinfo.queue_state, RTE_ETH_QUEUE_STATE_STARTED);
	CHECK_EQ(rte_eth_tx_queue_info_get(p.id, 0, &txinfo), 0);
	CHECK_EQ(txinfo.nb_desc, 512);
	CHECK_EQ(txinfo.queue_state, RTE_ETH_QUEUE_STATE_STARTED);
	CHECK_OK(pass(&p, 100, 1));
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(rte_eth_rx_queue_info_get(p.id, 0, &rxinfo), 0);
	CHECK_EQ(rxinfo.queue_state, RTE_ETH_QUEUE_STATE_STOPPED);
	CHECK_EQ(rte_eth_tx_queue_info_get(p.id, 0, &txinfo), 0);
	CHECK_EQ(txinfo.queue_state, RTE_ETH_QUEUE_STATE_STOPPED);
	return port_close(&p);
}

TEST(ethdev_configure_refusals)
{
	static const struct {
		struct rte_eth_conf conf;
		int ret;
		const char *says;
	} cases[] = {
		{ { .link_speeds = RTE_ETH_LINK_SPEED_AUTONEG }, 0, NULL },
		{ { .link_speeds = RTE_ETH_LINK_SPEED_1G }, 0, NULL },
		{ { .link_speeds = RTE_ETH_LINK_SPEED_1G | RTE_ETH_LINK_SPEED_FIXED }, 0, NULL },
		{ { .link_speeds = RTE_ETH_LINK_SPEED_10G | RTE_ETH_LINK_SPEED_FIXED }, -EINVAL,
		  "1 Gbit/s" },
		{ { .link_speeds = RTE_ETH_LINK_SPEED_100M | RTE_ETH_LINK_SPEED_FIXED }, -EINVAL,
		  "1 Gbit/s" },
		{ { .link_speeds = RTE_ETH_LINK_SPEED_10M_HD }, -EINVAL, "1 Gbit/s" },
		{ { .link_speeds = RTE_ETH_LINK_SPEED_1G | RTE_ETH_LINK_SPEED_2_5G }, -EINVAL,
		  "1 Gbit/s" },
		{ { .lpbk_mode = 1 }, 0, NULL },
		{ { .lpbk_mode = 2 }, -EINVAL, "loopback mode 2" },
		{ { .lpbk_mode = UINT32_MAX }, -EINVAL, "loopback mode" },
		{ { .rxmode.offloads = RTE_ETH_RX_OFFLOAD_CHECKSUM }, -EINVAL, "ffload" },
		{ { .rxmode.offloads = RTE_ETH_RX_OFFLOAD_QINQ_STRIP }, -EINVAL, "ffload" },
		{ { .rxmode.offloads = RTE_ETH_RX_OFFLOAD_KEEP_CRC }, -EINVAL, "ffload" },
		{ { .txmode.offloads = RTE_ETH_TX_OFFLOAD_IPV4_CKSUM }, -EINVAL, "ffload" },
		{ { .rxmode.mtu = 9191 }, -EINVAL, "9191" },
		{ { .rxmode.mtu = 67 }, -EINVAL, "67" },
		{ { .rxmode.mtu = 9190 }, 0, NULL },
	};
	struct port p;
	int ret;

	PORT_OPEN(&p, .unset = true);
	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		log_catch();
		ret = rte_eth_dev_configure(p.id, 1, 1, &cases[i].conf);
		log_caught();
		CHECK(ret == cases[i].ret, "case %u: %d", i, ret);
		CHECK(cases[i].says == NULL || strstr(log_caught(), cases[i].says) != NULL,
		      "case %u: %s", i, log_caught());
	}
	CHECK(rte_eth_dev_configure(p.id, 2, 1, &p.cfg.conf) != 0);
	CHECK(rte_eth_dev_configure(p.id, 1, 2, &p.cfg.conf) != 0);
	/* still usable */
	CHECK_EQ(rte_eth_dev_configure(p.id, 1, 1, &p.cfg.conf), 0);
	CHECK_OK(port_setup_queues(&p));
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(pass(&p, 100, 1));
	return port_close(&p);
}

TEST(ethdev_queue_refusals)
{
	struct port p;

	PORT_OPEN(&p, .unset = true);
	/* not while the queues run */
	CHECK_OK(port_setup_queues(&p));
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	log_catch();
	CHECK(rte_eth_rx_queue_setup(p.id, 0, 64, SOCKET_ID_ANY, NULL, p.pool) != 0);
	CHECK(rte_eth_tx_queue_setup(p.id, 0, 64, SOCKET_ID_ANY, NULL) != 0);
	CHECK(rte_eth_dev_configure(p.id, 1, 1, &p.cfg.conf) != 0);
	log_caught();
	CHECK_OK(pass(&p, 100, 1));
	return port_close(&p);
}

/* A queue that was configured but not set up: the start says so. */
TEST(ethdev_start_without_queues)
{
	struct port p;

	for (unsigned int have = 0; have < 3; have++) {
		int ret;

		PORT_OPEN(&p, .unset = true);
		if (have == 1)
			CHECK_EQ(rte_eth_rx_queue_setup(p.id, 0, 64, SOCKET_ID_ANY, NULL, p.pool), 0);
		if (have == 2)
			CHECK_EQ(rte_eth_tx_queue_setup(p.id, 0, 64, SOCKET_ID_ANY, NULL), 0);
		log_catch();
		ret = rte_eth_dev_start(p.id);
		CHECK(strstr(log_caught(), "queue") != NULL, "%s", log_caught());
		CHECK_EQ(ret, -EINVAL);
		CHECK_EQ(rte_mempool_avail_count(p.pool), p.pool->size);
		CHECK_OK(port_setup_queues(&p));
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		CHECK_OK(pass(&p, 100, 1));
		CHECK_OK(port_close(&p));
	}
	return 0;
}

TEST(ethdev_start_stop)
{
	unsigned int zones, allocs;
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p);
	zones = memzone_count();
	allocs = malloc_count();
	for (unsigned int i = 0; i < 100; i++) {
		for (unsigned int j = 0; j < i % 7; j++)
			CHECK_OK(pass(&p, 60 + i, j));
		if (i % 3 == 0) /* leave one in each ring */
			CHECK(port_push_frame(&p, 60, 1));
		m = mbuf_frame(p.pool, 60, 1);
		CHECK_EQ(port_tx(&p, &m, 1), 1);
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_EQ(rte_mempool_avail_count(p.pool), p.pool->size);
		/* a stopped port does nothing */
		CHECK_EQ(port_reg(&p, BCM4908_UMAC_CMD) & 3, 0);
		CHECK_EQ(port_reg(&p, BCM4908_DMA_CTRL) & 1, 0);
		CHECK(!port_push_frame(&p, 60, 1));
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		CHECK_EQ(rte_eth_dev_start(p.id), 0); /* is started */
	}
	CHECK_EQ(memzone_count(), zones);
	CHECK_EQ(malloc_count(), allocs);
	return port_close(&p);
}

TEST(ethdev_attach_detach)
{
	unsigned int zones = 0, allocs = 0;
	struct port p;

	for (unsigned int i = 0; i < 51; i++) {
		if (i == 1) {
			zones = memzone_count();
			allocs = malloc_count();
		}
		PORT_OPEN(&p, .rx_desc = 32 + 8 * (i % 10), .tx_desc = 32 + 8 * (i % 7),
			  .stopped = i % 5 == 3, .unset = i % 5 == 4);
		if (i % 5 < 3)
			CHECK_OK(pass(&p, 60 + i, i));
		CHECK_OK(port_close(&p));
	}
	CHECK_EQ(memzone_count(), zones);
	CHECK_EQ(malloc_count(), allocs);
	return 0;
}

/* Closed by the port, or removed by the device while it runs. */
TEST(ethdev_close)
{
	struct port p;

	for (unsigned int how = 0; how < 2; how++) {
		PORT_OPEN(&p);
		CHECK_OK(pass(&p, 60, 1));
		if (how == 0) {
			CHECK_EQ(rte_eth_dev_close(p.id), -EINVAL); /* it runs */
			CHECK_EQ(rte_eth_dev_stop(p.id), 0);
			CHECK_EQ(rte_eth_dev_close(p.id), 0);
			CHECK(!rte_eth_dev_is_valid_port(p.id));
		}
		CHECK_EQ(rte_vdev_uninit(p.name), 0);
		CHECK(!rte_eth_dev_is_valid_port(p.id));
		CHECK_OK(port_forget(&p));
	}
	return 0;
}

/* The same port with other queues, pools and offloads, time after time. */
TEST(ethdev_reconfigure)
{
	static const uint16_t rings[] = { 32, 512, 40, 1024, 64 };
	struct rte_mempool *pools[2];
	unsigned int zones;
	struct port p;

	PORT_OPEN(&p, .unset = true);
	pools[0] = p.pool;
	pools[1] = pool_make_pinned(2048, 2176, 2176);
	CHECK(pools[1] != NULL);
	CHECK_OK(port_setup_queues(&p));
	zones = memzone_count();
	for (unsigned int i = 0; i < 40; i++) {
		p.pool = pools[i % 2];
		p.cfg.rx_desc = rings[i % RTE_DIM(rings)];
		p.cfg.tx_desc = rings[(i + 2) % RTE_DIM(rings)];
		p.cfg.conf.rxmode.offloads = i % 3 == 0 ? RTE_ETH_RX_OFFLOAD_SCATTER : 0;
		p.cfg.conf.txmode.offloads = i % 4 == 0 ? RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE : 0;
		CHECK_EQ(rte_eth_dev_configure(p.id, 1, 1, &p.cfg.conf), 0);
		CHECK_OK(port_setup_queues(&p));
		CHECK_OK(port_setup_queues(&p)); /* and once more */
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		for (unsigned int j = 0; j < 50; j++)
			CHECK_OK(pass(&p, 60 + j, i + j));
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_EQ(rte_mempool_avail_count(pools[0]), pools[0]->size);
		CHECK_EQ(rte_mempool_avail_count(pools[1]), pools[1]->size);
		CHECK_EQ(memzone_count(), zones);
	}
	p.pool = pools[0];
	CHECK_OK(port_close(&p));
	return pool_free_full(pools[1]);
}

static int
mac_of(const char *name, struct rte_ether_addr *mac)
{
	uint16_t id;

	CHECK_EQ(rte_vdev_init(name, "stepping=manual"), 0);
	CHECK_EQ(rte_eth_dev_get_port_by_name(name, &id), 0);
	CHECK_EQ(rte_eth_macaddr_get(id, mac), 0);
	CHECK_EQ(rte_vdev_uninit(name), 0);
	return 0;
}

#define LONG_NAME "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* What is wrong is named, with what is allowed; nothing is left behind. */
TEST(ethdev_devargs_refused)
{
	static const struct {
		const char *args, *key, *says;
	} cases[] = {
		{ "frob=1", "frob", "wire" },
		{ "Wire=loop", "Wire", "wire" },
		{ "wire", "wire", "value" },
		{ "wire=", "wire", "characters" },
		{ "wire=" LONG_NAME, "wire", "characters" },
		{ "wire=cable:", "wire", "cable" },
		{ "rate=", "rate", "100000" },
		{ "rate=-1", "rate", "100000" },
		{ "rate=-18446744073709551615", "rate", "100000" }, /* 1 when taken modulo 2^64 */
		{ "rate=fast", "rate", "100000" },
		{ "rate=10x", "rate", "100000" },
		{ "rate=100001", "rate", "100000" },
		{ "rate=99999999999999999999", "rate", "100000" },
		{ "rate=100,rate=x", "rate", "100000" },
		{ "stepping=", "stepping", "manual" },
		{ "stepping=fast", "stepping", "thread" },
		{ "stepping=threads", "stepping", "burst" },
		{ "cpu=-1", "cpu", "0 to" },
		{ "cpu=1024", "cpu", "1023" },
		{ "cpu=one", "cpu", "0 to" },
		{ "coherent=2", "coherent", "0 to 1" },
		{ "coherent=yes", "coherent", "0 to 1" },
		{ "mac=", "mac", "02:00:00:00:00:01" },
		{ "mac=02:00:00:00:00", "mac", "02:00:00:00:00:01" },
		{ "mac=02:00:00:00:00:0g", "mac", "02:00:00:00:00:01" },
		{ "mac=01:00:5e:00:00:01", "mac", "unicast" },
		{ "mac=00:00:00:00:00:00", "mac", "unicast" },
		{ "mac=ff:ff:ff:ff:ff:ff", "mac", "unicast" },
		{ "fault=no-such-fault", "fault", "fault" },
	};
	struct rte_ether_addr mac;
	unsigned int zones, allocs;
	uint16_t id;
	int ret;

	CHECK_OK(mac_of("net_bcm4908_bad", &mac)); /* ethdev's own memory comes with the first */
	zones = memzone_count();
	allocs = malloc_count();
	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		log_catch();
		ret = rte_vdev_init("net_bcm4908_bad", cases[i].args);
		log_caught();
		CHECK(ret < 0, "%s is taken", cases[i].args);
		CHECK(strstr(log_caught(), cases[i].key) != NULL &&
		      strstr(log_caught(), cases[i].says) != NULL, "%s: %s", cases[i].args,
		      log_caught());
		CHECK(rte_eth_dev_get_port_by_name("net_bcm4908_bad", &id) != 0);
		CHECK_EQ(memzone_count(), zones);
		CHECK_EQ(malloc_count(), allocs);
	}
	return 0;
}

TEST(ethdev_devargs_taken)
{
	static const char * const args[] = {
		"", "wire=loop", "rate=0", "rate=100000", "rate=1", "stepping=burst", "stepping=manual",
		"stepping=thread", "cpu=0", "coherent=0", "coherent=1", "mac=02:00:00:00:00:05",
		"mac=00:11:22:33:44:55", "wire=cable:x", "wire=loop,rate=1000,stepping=manual,coherent=1",
	};
	struct rte_ether_addr mac;
	unsigned int zones;
	uint16_t id;

	CHECK_OK(mac_of("net_bcm4908_good", &mac));
	zones = memzone_count();
	for (unsigned int i = 0; i < RTE_DIM(args); i++) {
		CHECK(rte_vdev_init("net_bcm4908_good", args[i]) == 0, "%s", args[i]);
		CHECK_EQ(rte_eth_dev_get_port_by_name("net_bcm4908_good", &id), 0);
		CHECK_EQ(rte_vdev_uninit("net_bcm4908_good"), 0);
		CHECK_EQ(memzone_count(), zones);
	}
	return 0;
}

/* Without mac=, a local unicast address that depends on the name alone. */
TEST(ethdev_default_mac)
{
	struct rte_ether_addr macs[3];

	CHECK_OK(mac_of("net_bcm4908_7", &macs[0]));
	CHECK_OK(mac_of("net_bcm4908_8", &macs[1]));
	CHECK_OK(mac_of("net_bcm4908_7", &macs[2]));
	for (unsigned int i = 0; i < 3; i++) {
		CHECK(rte_is_valid_assigned_ether_addr(&macs[i]));
		CHECK(rte_is_local_admin_ether_addr(&macs[i]));
	}
	CHECK(!rte_is_same_ether_addr(&macs[0], &macs[1]));
	CHECK(rte_is_same_ether_addr(&macs[0], &macs[2]));
	return 0;
}

/* Send a frame to an address: does it arrive? */
static int
arrives(struct port *p, const struct rte_ether_addr *to, bool *arrived)
{
	struct rte_mbuf *m;
	uint8_t data[60];

	frame_fill(data, sizeof(data), 1);
	memcpy(data, to, RTE_ETHER_ADDR_LEN);
	CHECK(port_push(p, data, sizeof(data)));
	port_run(p);
	*arrived = port_rx(p, &m, 1) == 1;
	if (*arrived) {
		CHECK(memcmp(rte_pktmbuf_mtod(m, void *), data, sizeof(data)) == 0);
		rte_pktmbuf_free(m);
	}
	return 0;
}

#define CHECK_ARRIVES(p, to, want) do { \
	bool arrived_; \
	CHECK_OK(arrives(p, to, &arrived_)); \
	CHECK_EQ(arrived_, want); \
} while (0)

static const struct rte_ether_addr
	own = { .addr_bytes = { 0x02, 0, 0, 0, 0, 0x01 } },
	other = { .addr_bytes = { 0x02, 0, 0, 0, 0, 0x03 } },
	far_off = { .addr_bytes = { 0x76, 0x12, 0x34, 0x56, 0x78, 0x9a } },
	multicast = { .addr_bytes = { 0x01, 0, 0x5e, 0x01, 0x02, 0x03 } },
	broadcast = { .addr_bytes = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };

static int
check_filter(struct port *p, bool promisc, bool allmulti)
{
	CHECK_ARRIVES(p, &own, true);
	CHECK_ARRIVES(p, &other, promisc);
	CHECK_ARRIVES(p, &far_off, promisc);
	CHECK_ARRIVES(p, &multicast, promisc || allmulti);
	CHECK_ARRIVES(p, &broadcast, true);
	return 0;
}

TEST(ethdev_promiscuous)
{
	struct port p;

	PORT_OPEN(&p);
	/* as the MAC resets, so that a wire is heard before anybody asks [4.6] */
	CHECK_EQ(rte_eth_promiscuous_get(p.id), 1);
	CHECK_OK(check_filter(&p, true, false));
	CHECK_EQ(rte_eth_promiscuous_disable(p.id), 0);
	CHECK_OK(check_filter(&p, false, false));
	for (unsigned int i = 0; i < 3; i++) {
		CHECK_EQ(rte_eth_promiscuous_enable(p.id), 0);
		CHECK_EQ(rte_eth_promiscuous_get(p.id), 1);
		CHECK_OK(check_filter(&p, true, false));
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		CHECK_OK(check_filter(&p, true, false));
		CHECK_EQ(rte_eth_allmulticast_enable(p.id), 0);
		CHECK_OK(check_filter(&p, true, true));
		CHECK_EQ(rte_eth_promiscuous_disable(p.id), 0);
		CHECK_OK(check_filter(&p, false, true));
		CHECK_EQ(rte_eth_allmulticast_disable(p.id), 0);
		CHECK_OK(check_filter(&p, false, false));
		/* also before the start */
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_EQ(rte_eth_promiscuous_enable(p.id), 0);
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		CHECK_OK(check_filter(&p, true, false));
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_EQ(rte_eth_promiscuous_disable(p.id), 0);
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		CHECK_OK(check_filter(&p, false, false));
	}
	return port_close(&p);
}

TEST(ethdev_mac_addr)
{
	struct rte_ether_addr mac;
	struct port p;

	PORT_OPEN(&p, .args = "mac=02:00:00:00:00:03");
	CHECK_EQ(rte_eth_macaddr_get(p.id, &mac), 0);
	CHECK(rte_is_same_ether_addr(&mac, &other));
	CHECK_EQ(rte_eth_promiscuous_disable(p.id), 0);
	CHECK_ARRIVES(&p, &other, true);
	CHECK_ARRIVES(&p, &own, false);
	CHECK_EQ(port_reg(&p, BCM4908_UMAC_MAC0), 0x02000000);
	CHECK_EQ(port_reg(&p, BCM4908_UMAC_MAC1), 0x0003);
	mac = far_off;
	CHECK_EQ(rte_eth_dev_default_mac_addr_set(p.id, &mac), 0);
	CHECK_EQ(port_reg(&p, BCM4908_UMAC_MAC0), 0x76123456);
	CHECK_EQ(port_reg(&p, BCM4908_UMAC_MAC1), 0x789a);
	CHECK_ARRIVES(&p, &far_off, true);
	CHECK_ARRIVES(&p, &other, false);
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_ARRIVES(&p, &far_off, true);
	CHECK_ARRIVES(&p, &other, false);
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	mac = own;
	CHECK_EQ(rte_eth_dev_default_mac_addr_set(p.id, &mac), 0);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_ARRIVES(&p, &own, true);
	CHECK_ARRIVES(&p, &far_off, false);
	mac = multicast;
	CHECK(rte_eth_dev_default_mac_addr_set(p.id, &mac) != 0);
	CHECK_ARRIVES(&p, &own, true);
	return port_close(&p);
}

/* The longest frame of an MTU, two tags included, and one byte more. */
static int
check_mtu(struct port *p, uint16_t mtu)
{
	const uint64_t longs = port_rxq(p)->stats.long_errors;
	struct rte_mbuf *m;

	for (uint32_t len = RTE_MAX(mtu + 13, 60); len <= mtu + 22u; len++) {
		CHECK(port_push_frame(p, len, mtu));
		port_run(p);
		CHECK(port_rx(p, &m, 1) == 1, "%u bytes at MTU %u", len, mtu);
		CHECK_OK(mbuf_check_bytes(m, len, mtu));
		rte_pktmbuf_free(m);
	}
	for (uint32_t more = 1; more < 40; more++) {
		CHECK(port_push_frame(p, mtu + 22 + more, mtu));
		port_run(p);
		while (bcm4908_rxq_count(port_rxq(p)) > 0)
			CHECK(port_rx(p, &m, 1) == 0, "%u bytes at MTU %u", mtu + 22 + more, mtu);
		CHECK_EQ(port_rxq(p)->stats.long_errors, longs + more);
	}
	return 0;
}

TEST(ethdev_mtu)
{
	static const uint16_t mtus[] = { 68, 69, 100, 1499, 1500, 1501, 2000, 2044, 4000, 9189, 9190 };
	struct rte_eth_stats stats;
	struct port p;
	uint16_t mtu;

	PORT_OPEN(&p, .pool_size = 4096, .rx_desc = 512);
	CHECK_OK(check_mtu(&p, 1500));
	for (unsigned int i = 0; i < RTE_DIM(mtus); i++) {
		/* live, up and down */
		CHECK_EQ(rte_eth_dev_set_mtu(p.id, mtus[i]), 0);
		CHECK_EQ(rte_eth_dev_get_mtu(p.id, &mtu), 0);
		CHECK_EQ(mtu, mtus[i]);
		CHECK_EQ(port_reg(&p, BCM4908_UMAC_MAX_FRAME_LEN), mtus[i] + 32); /* [4.5] */
		CHECK_EQ(port_reg(&p, BCM4908_MIB_MAX_PKT_SIZE), mtus[i] + 32);
		CHECK_OK(check_mtu(&p, mtus[i]));
		CHECK_EQ(rte_eth_dev_set_mtu(p.id, mtus[RTE_DIM(mtus) - 1 - i]), 0);
		CHECK_OK(check_mtu(&p, mtus[RTE_DIM(mtus) - 1 - i]));
		/* stopped: from the next start on */
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_EQ(rte_eth_dev_set_mtu(p.id, mtus[i]), 0);
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		CHECK_EQ(port_reg(&p, BCM4908_UMAC_MAX_FRAME_LEN), mtus[i] + 32);
		CHECK_OK(check_mtu(&p, mtus[i]));
	}
	CHECK_EQ(rte_eth_dev_set_mtu(p.id, 1500), 0);
	log_catch();
	CHECK(rte_eth_dev_set_mtu(p.id, 67) != 0);
	CHECK(rte_eth_dev_set_mtu(p.id, 9191) != 0);
	log_caught();
	CHECK_EQ(port_reg(&p, BCM4908_UMAC_MAX_FRAME_LEN), 1532);
	CHECK_OK(check_mtu(&p, 1500));
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.ierrors, port_rxq(&p)->stats.long_errors);
	return port_close(&p);
}

/* Loopback in the MAC: what is sent comes back, the line sees nothing. */
TEST(ethdev_loopback)
{
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .conf.lpbk_mode = 1);
	for (uint32_t i = 0; i < 300; i++) {
		m = mbuf_frame(p.pool, 60 + i, i);
		CHECK(m != NULL);
		CHECK_EQ(port_tx(&p, &m, 1), 1);
		port_run(&p);
		CHECK_EQ(port_rx(&p, &m, 1), 1);
		CHECK_OK(mbuf_check(&p, m, 60 + i, i));
		rte_pktmbuf_free(m);
		CHECK_EQ(port_sent(&p), 0);
		CHECK(!port_push_frame(&p, 60, i));
	}
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(rte_eth_dev_configure(p.id, 1, 1, &(const struct rte_eth_conf){ .lpbk_mode = 0 }), 0);
	CHECK_OK(port_setup_queues(&p));
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(pass(&p, 100, 1));
	return port_close(&p);
}

/* Events, as an application gets them. */
struct events {
	uint32_t lsc;
	uint32_t reset;
	bool stop;	/* the application stops the port at once */
	bool stopped;
	bool left;	/* and takes its time after that */
};

static int
on_event(uint16_t port, enum rte_eth_event_type event, void *arg, void *ret __rte_unused)
{
	struct events *events = arg;

	__atomic_fetch_add(event == RTE_ETH_EVENT_INTR_LSC ? &events->lsc : &events->reset, 1,
			   __ATOMIC_RELEASE);
	if (events->stop) {
		rte_eth_dev_stop(port);
		__atomic_store_n(&events->stopped, true, __ATOMIC_RELEASE);
		rte_delay_ms(20);
		__atomic_store_n(&events->left, true, __ATOMIC_RELEASE);
	}
	return 0;
}

static int
events_on(struct port *p, struct events *events)
{
	CHECK_EQ(rte_eth_dev_callback_register(p->id, RTE_ETH_EVENT_INTR_LSC, on_event, events), 0);
	CHECK_EQ(rte_eth_dev_callback_register(p->id, RTE_ETH_EVENT_INTR_RESET, on_event, events), 0);
	return 0;
}

/* Also of a port that is gone: ethdev would call them for the next one of its number. */
static int
events_off(struct events *events)
{
	CHECK_EQ(rte_eth_dev_callback_unregister(RTE_ETH_ALL, RTE_ETH_EVENT_INTR_LSC, on_event,
						 events), 0);
	CHECK_EQ(rte_eth_dev_callback_unregister(RTE_ETH_ALL, RTE_ETH_EVENT_INTR_RESET, on_event,
						 events), 0);
	return 0;
}

static int
check_link(const struct port *p, bool up)
{
	struct rte_eth_link link;

	CHECK_EQ(rte_eth_link_get_nowait(p->id, &link), 0);
	CHECK_EQ(link.link_status, up ? RTE_ETH_LINK_UP : RTE_ETH_LINK_DOWN);
	CHECK_EQ(link.link_speed, up ? RTE_ETH_SPEED_NUM_1G : RTE_ETH_SPEED_NUM_NONE);
	CHECK_EQ(link.link_duplex, RTE_ETH_LINK_FULL_DUPLEX);
	CHECK_EQ(link.link_autoneg, RTE_ETH_LINK_FIXED);
	return 0;
}

/* Somebody pulls the plug, or puts it in again. */
static void
plug(struct port *p, bool up)
{
	struct bcm4908_wire_shared *wire = (void *)(uintptr_t)bcm4908_dev_model_wire(p->dev);

	__atomic_store_n(&wire->link, up, __ATOMIC_RELEASE);
}

TEST(ethdev_link)
{
	struct port p;

	PORT_OPEN(&p, .stopped = true);
	CHECK_OK(check_link(&p, false));
	for (unsigned int i = 0; i < 3; i++) {
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		CHECK_OK(check_link(&p, true));
		plug(&p, false);
		CHECK_OK(check_link(&p, false));
		plug(&p, true);
		CHECK_OK(check_link(&p, true));
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_OK(check_link(&p, false));
	}
	return port_close(&p);
}

TEST(ethdev_link_event)
{
	struct events events = { 0 };
	struct port p;

	CHECK_EQ(events.lsc, 0);
	PORT_OPEN(&p, .conf.intr_conf.lsc = 1);
	CHECK((*p.eth_dev->data).dev_flags & RTE_ETH_DEV_INTR_LSC);
	CHECK_OK(events_on(&p, &events));
	CHECK_OK(check_link(&p, true));
	for (uint32_t i = 1; i <= 5; i++) {
		bcm4908_watchdog(p.eth_dev);
		CHECK_EQ(events.lsc, 2 * i - 2);
		plug(&p, false);
		bcm4908_watchdog(p.eth_dev);
		CHECK_EQ(events.lsc, 2 * i - 1);
		CHECK_OK(check_link(&p, false));
		bcm4908_watchdog(p.eth_dev);
		CHECK_EQ(events.lsc, 2 * i - 1);
		plug(&p, true);
		bcm4908_watchdog(p.eth_dev);
		CHECK_EQ(events.lsc, 2 * i);
		CHECK_OK(check_link(&p, true));
	}
	CHECK_EQ(events.reset, 0);
	CHECK_OK(events_off(&events));
	CHECK_OK(port_close(&p));
	/* who did not ask for it gets none */
	PORT_OPEN(&p);
	CHECK_OK(events_on(&p, &events));
	plug(&p, false);
	bcm4908_watchdog(p.eth_dev);
	CHECK_EQ(events.lsc, 10);
	CHECK_OK(check_link(&p, false));
	CHECK_OK(events_off(&events));
	return port_close(&p);
}

/* A kick that the engine missed is repeated, in both directions [3.5]. */
TEST(ethdev_watchdog_kick)
{
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .rx_desc = 32);
	m = mbuf_frame(p.pool, 100, 1);
	CHECK_EQ(port_tx(&p, &m, 1), 1);
	CHECK(port_take_kick(&p, BCM4908_CHAN_TX)); /* lost */
	port_run(&p);
	CHECK_EQ(port_sent(&p), 0);
	bcm4908_watchdog(p.eth_dev);
	port_run(&p);
	CHECK_EQ(port_sent(&p), 1);
	CHECK_OK(port_check_sent(&p, 0, 100, 1));
	/* the receive engine has stopped at an empty ring, and the refill's kick is lost */
	for (uint32_t i = 0; i < 33; i++)
		CHECK(port_push_frame(&p, 100, i));
	port_run(&p);
	CHECK(port_chan_idle(&p, BCM4908_CHAN_RX));
	for (uint32_t i = 0; i < 32; i++) {
		CHECK_EQ(port_rx(&p, &m, 1), 1);
		CHECK_OK(mbuf_check(&p, m, 100, i));
		rte_pktmbuf_free(m);
	}
	CHECK(port_take_kick(&p, BCM4908_CHAN_RX));
	port_run(&p);
	CHECK_EQ(port_rx(&p, &m, 1), 0);
	bcm4908_watchdog(p.eth_dev);
	port_run(&p);
	CHECK_EQ(port_rx(&p, &m, 1), 1);
	CHECK_OK(mbuf_check(&p, m, 100, 32));
	rte_pktmbuf_free(m);
	return port_close(&p);
}

static int
send_some(struct port *p, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct rte_mbuf *m = mbuf_frame(p->pool, 100, i);

		CHECK(m != NULL);
		CHECK_EQ(port_tx(p, &m, 1), 1);
	}
	return 0;
}

/* 100 ms, ten looks, without a frame going out: one event, and one line in the log. */
static int
stall(struct port *p, struct events *events, uint32_t before)
{
	log_catch();
	for (unsigned int i = 0; i < 10; i++) {
		bcm4908_watchdog(p->eth_dev);
		port_run(p);
		CHECK_EQ(events->reset, before);
	}
	for (unsigned int i = 0; i < 50; i++) {
		bcm4908_watchdog(p->eth_dev);
		port_run(p);
		CHECK_EQ(events->reset, before + 1);
	}
	log_caught();
	CHECK(strstr(log_caught(), "100 ms") != NULL, "%s", log_caught());
	CHECK(strchr(log_caught(), '\n') == log_caught() + strlen(log_caught()) - 1, "%s",
	      log_caught());
	return 0;
}

TEST(ethdev_tx_stall)
{
	struct events events = { 0 };
	struct port p;

	PORT_OPEN(&p, .tx_desc = 32);
	CHECK_OK(events_on(&p, &events));
	/* nothing to send is no stall */
	for (unsigned int i = 0; i < 50; i++)
		bcm4908_watchdog(p.eth_dev);
	CHECK_EQ(events.reset, 0);
	/* a full ring, one frame, and what lies over the ring's end */
	for (uint32_t i = 0; i < 3; i++) {
		port_line_busy(&p, true);
		CHECK_OK(send_some(&p, i == 0 ? 32 : i == 1 ? 1 : 10));
		CHECK_OK(stall(&p, &events, i));
		/* it goes on by itself: the next stall is a new one */
		port_line_busy(&p, false);
		port_run(&p);
		bcm4908_watchdog(p.eth_dev);
		CHECK_OK(send_some(&p, 25));
		port_run(&p);
	}
	/* slow is no stall: one frame goes out in each half of the time */
	CHECK_OK(send_some(&p, 20));
	for (unsigned int i = 0; i < 20; i++) {
		port_line_busy(&p, true);
		for (unsigned int j = 0; j < 9; j++) {
			bcm4908_watchdog(p.eth_dev);
			port_run(&p);
		}
		port_line_busy(&p, false);
		CHECK_EQ(port_step(&p, 1), 1);
	}
	CHECK_EQ(events.reset, 3);
	/* recovery by stop and start */
	port_line_busy(&p, true);
	CHECK_OK(send_some(&p, 5));
	CHECK_OK(stall(&p, &events, 3));
	log_catch();
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	log_caught();
	CHECK_EQ(rte_mempool_avail_count(p.pool), p.pool->size);
	port_line_busy(&p, false);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	for (unsigned int i = 0; i < 100; i++)
		CHECK_OK(pass(&p, 100, i));
	CHECK_EQ(events.reset, 4);
	CHECK_OK(events_off(&events));
	return port_close(&p);
}

/* The looks come by themselves on a port that is not stepped by hand. */
TEST(ethdev_alarm)
{
	struct events events = { 0 };
	unsigned int ms;
	struct port p;

	PORT_OPEN(&p, .args = "stepping=burst", .conf.intr_conf.lsc = 1);
	CHECK_OK(events_on(&p, &events));
	plug(&p, false);
	for (ms = 0; __atomic_load_n(&events.lsc, __ATOMIC_ACQUIRE) == 0 && ms < PATIENCE_MS; ms++)
		rte_delay_ms(1);
	CHECK_EQ(events.lsc, 1);
	plug(&p, true);
	for (ms = 0; __atomic_load_n(&events.lsc, __ATOMIC_ACQUIRE) == 1 && ms < PATIENCE_MS; ms++)
		rte_delay_ms(1);
	CHECK_EQ(events.lsc, 2);
	/* and stop with the port: no look at a port that may be gone */
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	port_take_kick(&p, BCM4908_CHAN_RX);
	rte_delay_ms(50);
	CHECK(!port_take_kick(&p, BCM4908_CHAN_RX));
	CHECK_OK(events_off(&events));
	return port_close(&p);
}

/* The application stops the port in the event itself, in the thread that looks. */
TEST(ethdev_stop_in_event)
{
	struct events events = { .stop = true };
	unsigned int ms;
	struct port p;

	PORT_OPEN(&p, .args = "stepping=burst");
	CHECK_OK(events_on(&p, &events));
	port_line_busy(&p, true);
	CHECK_OK(send_some(&p, 3));
	log_catch();
	for (ms = 0; !__atomic_load_n(&events.stopped, __ATOMIC_ACQUIRE) && ms < PATIENCE_MS; ms++)
		rte_delay_ms(1);
	rte_delay_ms(30); /* the thread is on its way out of the event */
	log_caught();
	CHECK_EQ(events.reset, 1);
	CHECK_EQ(rte_mempool_avail_count(p.pool), p.pool->size);
	port_take_kick(&p, BCM4908_CHAN_RX);
	rte_delay_ms(100);
	CHECK(!port_take_kick(&p, BCM4908_CHAN_RX), "a stopped port is looked after");
	CHECK_OK(events_off(&events));
	port_line_busy(&p, false);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(pass(&p, 100, 1));
	/* and the looks go on, one every tick, not two */
	port_take_kick(&p, BCM4908_CHAN_RX);
	for (ms = 0; !port_take_kick(&p, BCM4908_CHAN_RX) && ms < PATIENCE_MS; ms++)
		rte_delay_ms(1);
	CHECK(ms < PATIENCE_MS);
	return port_close(&p);
}

/* Another thread goes on with the stopped port while the event is still under way. */
static int
stop_in_event(struct port *p, struct events *events)
{
	unsigned int ms;

	*events = (struct events){ .stop = true };
	port_line_busy(p, true);
	CHECK_OK(send_some(p, 3));
	log_catch();
	for (ms = 0; !__atomic_load_n(&events->stopped, __ATOMIC_ACQUIRE) && ms < PATIENCE_MS; ms++)
		rte_delay_ms(1);
	log_caught();
	CHECK(events->stopped);
	return 0;
}

TEST(ethdev_start_beside_event)
{
	struct events events;
	struct port p;

	PORT_OPEN(&p, .args = "stepping=burst");
	CHECK_OK(events_on(&p, &events));
	CHECK_OK(stop_in_event(&p, &events));
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK(__atomic_load_n(&events.left, __ATOMIC_ACQUIRE), "started while it was looked at");
	events.stop = false;
	port_line_busy(&p, false);
	CHECK_OK(pass(&p, 100, 1));
	CHECK_OK(events_off(&events));
	return port_close(&p);
}

TEST(ethdev_close_beside_event)
{
	struct events events;
	struct port p;

	PORT_OPEN(&p, .args = "stepping=burst");
	CHECK_OK(events_on(&p, &events));
	CHECK_OK(stop_in_event(&p, &events));
	CHECK_OK(port_close(&p));
	CHECK(__atomic_load_n(&events.left, __ATOMIC_ACQUIRE), "gone while it was looked at");
	CHECK_OK(events_off(&events));
	return 0;
}

TEST(ethdev_get_reg)
{
	static uint32_t data[BCM4908_REGS_SIZE / 4];
	struct rte_dev_reg_info regs = { 0 };
	static struct port_spy spy;
	struct port p;

	PORT_OPEN(&p, .mtu = 1234);
	CHECK_OK(pass(&p, 100, 1));
	CHECK_EQ(rte_eth_dev_get_reg_info(p.id, &regs), 0);
	CHECK_EQ(regs.width, 4);
	CHECK_EQ(regs.length, RTE_DIM(data));
	regs.data = data;
	port_spy_on(&p, &spy);
	CHECK_EQ(rte_eth_dev_get_reg_info(p.id, &regs), 0);
	CHECK_EQ(regs.length, RTE_DIM(data));
	CHECK_EQ(data[BCM4908_UMAC_MAX_FRAME_LEN / 4], 1266);
	CHECK_EQ(data[BCM4908_UMAC_MAC0 / 4], 0x02000000);
	CHECK_EQ(data[BCM4908_CHAN_MAX_BURST(BCM4908_CHAN_TX) / 4], 8);
	CHECK_EQ(data[0x26c / 4], 1);
	CHECK_EQ(spy.writes, 0);
	/* where a running channel is must not be asked [11.7] */
	CHECK_EQ(spy.read[0xc04 / 4], 0);
	CHECK_EQ(spy.read[0xc14 / 4], 0);
	port_spy_on(&p, NULL);
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	port_spy_on(&p, &spy);
	CHECK_EQ(rte_eth_dev_get_reg_info(p.id, &regs), 0);
	CHECK_EQ(spy.read[0xc04 / 4], 1);
	CHECK_EQ(data[0xc04 / 4] & 0x1fff, 1); /* one frame was received */
	CHECK_EQ(data[0xc14 / 4] & 0x1fff, 1);
	port_spy_on(&p, NULL);
	regs.length = 1;
	CHECK_EQ(rte_eth_dev_get_reg_info(p.id, &regs), -ENOTSUP);
	regs.length = RTE_DIM(data);
	regs.offset = 4;
	CHECK_EQ(rte_eth_dev_get_reg_info(p.id, &regs), -ENOTSUP);
	return port_close(&p);
}

/* A burst reads and writes no register, whatever it meets. */
static int
rx_no_registers(const struct port_variant *rx)
{
	static struct port_spy spy;
	struct rte_mbuf *m[64], *held[100];
	unsigned int nb_held = 0;
	struct port p;
	uint16_t n;

	PORT_OPEN(&p, .rx = rx, .rx_desc = 32, .pool_size = 100, .rx_free_thresh = 4);
	port_spy_on(&p, &spy);
	for (unsigned int i = 0; i < 60; i++) {
		/* in the end without buffers */
		while (i > 40 && nb_held < RTE_DIM(held)) {
			held[nb_held] = rte_pktmbuf_alloc(p.pool);
			if (held[nb_held] == NULL)
				break;
			nb_held++;
		}
		port_push_frame(&p, 60, i);
		port_push_frame(&p, i % 2 == 0 ? 1600 : 1514, i);
		port_run(&p);
		n = port_rx(&p, m, i % 5);
		rte_pktmbuf_free_bulk(m, n);
	}
	CHECK_EQ(spy.reads, 0);
	CHECK_EQ(spy.writes, 0);
	port_spy_on(&p, NULL);
	CHECK(port_rxq(&p)->stats.long_errors > 0);
	CHECK(port_rxq(&p)->stats.no_mbuf > 0);
	rte_pktmbuf_free_bulk(held, nb_held);
	return port_close(&p);
}

static int
tx_no_registers(const struct port_variant *tx)
{
	static const uint16_t chains[][4] = { { 60 }, { 1514 }, { 100, 200 }, { 10 }, { 10, 10 } };
	static struct port_spy spy;
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	port_spy_on(&p, &spy);
	for (unsigned int i = 0; i < 200; i++) {
		m = mbuf_chain(p.pool, chains[i % RTE_DIM(chains)], i);
		CHECK(m != NULL);
		if (i % 7 == 0)
			m->data_len = 0;
		port_line_busy(&p, i % 30 > 20);
		if (port_tx(&p, &m, 1) == 0)
			rte_pktmbuf_free(m);
		port_run(&p);
	}
	CHECK_EQ(spy.reads, 0);
	CHECK_EQ(spy.writes, 0);
	port_spy_on(&p, NULL);
	port_line_busy(&p, false);
	CHECK(port_txq(&p)->stats.seg_drops > 0);
	return port_close(&p);
}

TEST(ethdev_rx_no_registers)
{
	return each_rx_variant(rx_no_registers);
}

TEST(ethdev_tx_no_registers)
{
	return each_tx_variant(tx_no_registers);
}

/* A view of the device from another process: it looks, and does not touch. */
TEST(ethdev_attached_view)
{
	struct bcm4908_dev view;
	struct bcm4908_dma dma;
	struct port p;

	PORT_OPEN(&p);
	CHECK_EQ(bcm4908_dev_model_attach(&view, p.dev->shared), 0);
	CHECK_EQ(bcm4908_read(&view, BCM4908_UMAC_CMD), port_reg(&p, BCM4908_UMAC_CMD));
	CHECK(view.ops->link(&view));
	CHECK(view.doorbell[BCM4908_CHAN_TX] == p.dev->doorbell[BCM4908_CHAN_TX]);
	CHECK_EQ(view.bus_base, p.dev->bus_base);
	CHECK_EQ(view.mbuf_addr_off, p.dev->mbuf_addr_off);
	log_catch();
	bcm4908_write(&view, BCM4908_UMAC_CMD, 0);
	CHECK(view.ops->ring_alloc(&view, BCM4908_CHAN_RX, 512, &dma) != 0);
	CHECK(view.ops->set_window(&view, 0, 1) != 0);
	CHECK(view.ops->start(&view) != 0);
	CHECK(strstr(log_caught(), "primary") != NULL, "%s", log_caught());
	view.ops->close(&view);
	CHECK_OK(pass(&p, 100, 1));
	return port_close(&p);
}
