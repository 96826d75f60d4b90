/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Stages in software around the bursts: filters, VLAN tags, packet types and
 * checksums. The packets and their checksums are scapy's.
 */

#include <inttypes.h>
#include <string.h>

#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_malloc.h>
#include <rte_udp.h>

#include "port.h"

#define VLAN_STRIP	RTE_ETH_RX_OFFLOAD_VLAN_STRIP
#define VLAN_FILTER	RTE_ETH_RX_OFFLOAD_VLAN_FILTER
#define VLAN_INSERT	RTE_ETH_TX_OFFLOAD_VLAN_INSERT
#define RX_CKSUM	(RTE_ETH_RX_OFFLOAD_IPV4_CKSUM | RTE_ETH_RX_OFFLOAD_UDP_CKSUM | \
			 RTE_ETH_RX_OFFLOAD_TCP_CKSUM)
#define TX_CKSUM	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM | \
			 RTE_ETH_TX_OFFLOAD_TCP_CKSUM)

/* Where the addresses end, and a tag would stand. */
#define TYPE_AT		12
#define TAG_LEN		4
#define IP_AT		14

static const uint8_t ipv4_tcp[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02,
	0x08, 0x00, 0x45, 0x00, 0x00, 0x3f, 0x00, 0x07, 0x00, 0x00, 0x40, 0x06,
	0x8e, 0x7b, 0xc0, 0x00, 0x02, 0x01, 0xc6, 0x33, 0x64, 0x02, 0x03, 0xe8,
	0x07, 0xd0, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x50, 0x10,
	0x20, 0x00, 0x07, 0x49, 0x00, 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06,
	0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12,
	0x13, 0x14, 0x15, 0x16, 0x17,
};

static const uint8_t ipv4_udp[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02,
	0x08, 0x00, 0x45, 0x00, 0x00, 0x33, 0x00, 0x07, 0x00, 0x00, 0x40, 0x11,
	0x8e, 0x7c, 0xc0, 0x00, 0x02, 0x01, 0xc6, 0x33, 0x64, 0x02, 0x03, 0xe8,
	0x07, 0xd0, 0x00, 0x1f, 0x77, 0x3c, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06,
	0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12,
	0x13, 0x14, 0x15, 0x16, 0x17,
};

static const uint8_t ipv4_udp_short[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02,
	0x08, 0x00, 0x45, 0x00, 0x00, 0x1f, 0x00, 0x07, 0x00, 0x00, 0x40, 0x11,
	0x8e, 0x90, 0xc0, 0x00, 0x02, 0x01, 0xc6, 0x33, 0x64, 0x02, 0x00, 0x01,
	0x00, 0x02, 0x00, 0x0b, 0x4f, 0x3b, 0x61, 0x62, 0x63, 0xee, 0xee, 0xee,
	0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee,
};

static const uint8_t ipv4_options[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02,
	0x08, 0x00, 0x46, 0x00, 0x00, 0x37, 0x00, 0x07, 0x00, 0x00, 0x40, 0x11,
	0x8b, 0x76, 0xc0, 0x00, 0x02, 0x01, 0xc6, 0x33, 0x64, 0x02, 0x01, 0x01,
	0x01, 0x01, 0x00, 0x03, 0x00, 0x04, 0x00, 0x1f, 0x82, 0xed, 0x01, 0x02,
	0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e,
	0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
};

static const uint8_t ipv4_fragment[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02,
	0x08, 0x00, 0x45, 0x00, 0x00, 0x42, 0x00, 0x07, 0x20, 0x01, 0x40, 0x00,
	0x6e, 0x7d, 0xc0, 0x00, 0x02, 0x01, 0xc6, 0x33, 0x64, 0x02, 0x01, 0x02,
	0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e,
	0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x01, 0x02, 0x03,
	0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
	0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
};

static const uint8_t ipv4_sctp[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02,
	0x08, 0x00, 0x45, 0x00, 0x00, 0x37, 0x00, 0x07, 0x00, 0x00, 0x40, 0x84,
	0x8e, 0x05, 0xc0, 0x00, 0x02, 0x01, 0xc6, 0x33, 0x64, 0x02, 0x00, 0x05,
	0x00, 0x06, 0x00, 0x00, 0x00, 0x00, 0x6f, 0x24, 0x20, 0x94, 0x01, 0x02,
	0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e,
	0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
};

static const uint8_t ipv6_tcp[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02,
	0x86, 0xdd, 0x60, 0x00, 0x00, 0x00, 0x00, 0x2b, 0x06, 0x40, 0x20, 0x01,
	0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x01, 0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xe8, 0x07, 0xd0, 0x00, 0x00,
	0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x50, 0x10, 0x20, 0x00, 0x98, 0x0b,
	0x00, 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a,
	0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16,
	0x17,
};

static const uint8_t ipv6_udp[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02,
	0x86, 0xdd, 0x60, 0x00, 0x00, 0x00, 0x00, 0x1f, 0x11, 0x40, 0x20, 0x01,
	0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x01, 0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xe8, 0x07, 0xd0, 0x00, 0x1f,
	0x07, 0xff, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a,
	0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16,
	0x17,
};

static const uint8_t ipv6_hop_udp[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02,
	0x86, 0xdd, 0x60, 0x00, 0x00, 0x00, 0x00, 0x27, 0x00, 0x40, 0x20, 0x01,
	0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x01, 0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x11, 0x00, 0x01, 0x04, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x07, 0x00, 0x08, 0x00, 0x1f, 0x13, 0xa8, 0x01, 0x02,
	0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e,
	0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
};

static const uint8_t vlan_ipv4_udp[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02,
	0x81, 0x00, 0xa1, 0x23, 0x08, 0x00, 0x45, 0x00, 0x00, 0x33, 0x00, 0x07,
	0x00, 0x00, 0x40, 0x11, 0x8e, 0x7c, 0xc0, 0x00, 0x02, 0x01, 0xc6, 0x33,
	0x64, 0x02, 0x03, 0xe8, 0x07, 0xd0, 0x00, 0x1f, 0x77, 0x3c, 0x01, 0x02,
	0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e,
	0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
};

static const uint8_t qinq_ipv4_udp[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02,
	0x88, 0xa8, 0x02, 0x34, 0x81, 0x00, 0x01, 0x23, 0x08, 0x00, 0x45, 0x00,
	0x00, 0x33, 0x00, 0x07, 0x00, 0x00, 0x40, 0x11, 0x8e, 0x7c, 0xc0, 0x00,
	0x02, 0x01, 0xc6, 0x33, 0x64, 0x02, 0x03, 0xe8, 0x07, 0xd0, 0x00, 0x1f,
	0x77, 0x3c, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a,
	0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16,
	0x17,
};

static const uint8_t arp[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x02,
	0x08, 0x06, 0x00, 0x01, 0x08, 0x00, 0x06, 0x04, 0x00, 0x01, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0xc0, 0x00, 0x02, 0x01, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0xc0, 0x00, 0x02, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
};

/* A frame and what is known of it. */
static const struct packet {
	const char *name;
	const uint8_t *data;
	uint32_t len;
	uint32_t ptype;
	uint64_t cksums;		/* RTE_MBUF_F_RX_*_CKSUM_* while nothing is wrong */
	uint16_t ip_sum_at;		/* where the checksums lie, 0: nowhere */
	uint16_t l4_sum_at;
	uint16_t l3_len;
	uint64_t tx_flags;		/* that ask for them */
} packets[] = {
#define IP4	RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4
#define IP_GOOD	RTE_MBUF_F_RX_IP_CKSUM_GOOD
#define L4_GOOD	RTE_MBUF_F_RX_L4_CKSUM_GOOD
#define PACKET(name, ...) { #name, name, sizeof(name), __VA_ARGS__ }
	PACKET(ipv4_tcp, IP4 | RTE_PTYPE_L4_TCP, IP_GOOD | L4_GOOD, 24, 50, 20,
	       RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_CKSUM),
	PACKET(ipv4_udp, IP4 | RTE_PTYPE_L4_UDP, IP_GOOD | L4_GOOD, 24, 40, 20,
	       RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM),
	PACKET(ipv4_udp_short, IP4 | RTE_PTYPE_L4_UDP, IP_GOOD | L4_GOOD, 24, 40, 20,
	       RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM),
	PACKET(ipv4_options, RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT | RTE_PTYPE_L4_UDP,
	       IP_GOOD | L4_GOOD, 24, 44, 24,
	       RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM),
	PACKET(ipv4_fragment, IP4 | RTE_PTYPE_L4_FRAG, IP_GOOD, 24, 0, 20,
	       RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM),
	PACKET(ipv4_sctp, IP4 | RTE_PTYPE_L4_SCTP, IP_GOOD, 24, 0, 20,
	       RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM),
	PACKET(ipv6_tcp, RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV6 | RTE_PTYPE_L4_TCP,
	       L4_GOOD, 0, 70, 40, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM),
	PACKET(ipv6_udp, RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV6 | RTE_PTYPE_L4_UDP,
	       L4_GOOD, 0, 60, 40, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_UDP_CKSUM),
	PACKET(ipv6_hop_udp, RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV6_EXT | RTE_PTYPE_L4_UDP,
	       0, 0, 68, 48, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_UDP_CKSUM),
	PACKET(vlan_ipv4_udp, RTE_PTYPE_L2_ETHER_VLAN | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_UDP,
	       IP_GOOD | L4_GOOD, 28, 44, 20, 0),
	PACKET(qinq_ipv4_udp, RTE_PTYPE_L2_ETHER_QINQ | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_UDP,
	       IP_GOOD | L4_GOOD, 32, 48, 20, 0),
	PACKET(arp, RTE_PTYPE_L2_ETHER, 0, 0, 0, 0, 0),
};

/* Bring a frame in and poll it; NULL when it was dropped. */
static struct rte_mbuf *
pass(struct port *p, const uint8_t *data, uint32_t len)
{
	struct rte_mbuf *m;

	if (!port_push(p, data, len))
		return NULL;
	port_run(p);
	return port_rx(p, &m, 1) == 1 ? m : NULL;
}

static int
bytes_check(const struct rte_mbuf *m, const uint8_t *data, uint32_t len)
{
	uint8_t copy[2048];

	CHECK_EQ(m->pkt_len, len);
	CHECK(memcmp(rte_pktmbuf_read(m, 0, len, copy), data, len) == 0);
	return 0;
}

/* A frame to an address does, or does not, arrive. */
static int
check_arrives(struct port *p, const struct rte_ether_addr *to, bool want)
{
	uint8_t data[sizeof(ipv4_udp)];
	struct rte_mbuf *m;

	memcpy(data, ipv4_udp, sizeof(data));
	memcpy(data, to, RTE_ETHER_ADDR_LEN);
	m = pass(p, data, sizeof(data));
	CHECK_EQ(m != NULL, want);
	if (want)
		CHECK_OK(bytes_check(m, data, sizeof(data)));
	rte_pktmbuf_free(m);
	return 0;
}

static int
check_burst_names(const struct port *p, const char *rx, const char *tx)
{
	struct rte_eth_burst_mode mode;

	CHECK_EQ(rte_eth_rx_burst_mode_get(p->id, 0, &mode), 0);
	CHECK(rx == NULL ? strstr(mode.info, "software") == NULL : strstr(mode.info, rx) != NULL,
	      "the Rx burst is %s", mode.info);
	CHECK_EQ(rte_eth_tx_burst_mode_get(p->id, 0, &mode), 0);
	CHECK(tx == NULL ? strstr(mode.info, "software") == NULL : strstr(mode.info, tx) != NULL,
	      "the Tx burst is %s", mode.info);
	return 0;
}

/*
 * Address filters
 */

static struct rte_ether_addr
unicast(unsigned int i)
{
	return (struct rte_ether_addr){ .addr_bytes = { 0x02, 0, 0, 0, 1, i } };
}

static struct rte_ether_addr
multicast(unsigned int i)
{
	return (struct rte_ether_addr){ .addr_bytes = { 0x01, 0, 0x5e, 0, 1, i } };
}

static const struct rte_ether_addr
	own = { .addr_bytes = { 0x02, 0, 0, 0, 0, 0x01 } },
	zero,
	broadcast = { .addr_bytes = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };

/* Of sixteen addresses those of the mask arrive. */
static int
check_addrs(struct port *p, struct rte_ether_addr (*addr)(unsigned int i), unsigned int mask)
{
	for (unsigned int i = 0; i < 16; i++) {
		const struct rte_ether_addr to = addr(i);

		CHECK(check_arrives(p, &to, (mask >> i & 1) != 0) == 0, "address %u", i);
	}
	CHECK_OK(check_arrives(p, &own, true));
	CHECK_OK(check_arrives(p, &broadcast, true));
	return 0;
}

static int
soft_unicast_on(const struct port_variant *rx)
{
	struct rte_ether_addr addr;
	struct port p;

	PORT_OPEN(&p, .args = rx->args, .rx = rx);
	CHECK_EQ(rte_eth_promiscuous_disable(p.id), 0);
	CHECK_EQ(rte_eth_allmulticast_enable(p.id), 0);
	CHECK_OK(check_burst_names(&p, NULL, NULL));
	CHECK_OK(check_addrs(&p, unicast, 0));
	CHECK_EQ(port_reg(&p, BCM4908_UMAC_CMD) & BCM4908_CMD_PROMISC, 0);
	/* seven more than the station's own */
	for (unsigned int i = 0; i < 7; i++) {
		addr = unicast(i);
		CHECK_EQ(rte_eth_dev_mac_addr_add(p.id, &addr, 0), 0);
		CHECK_OK(check_addrs(&p, unicast, (2u << i) - 1));
	}
	CHECK_OK(check_burst_names(&p, ", software address filter", NULL));
	CHECK_OK(check_arrives(&p, &zero, false));
	addr = unicast(7);
	CHECK_EQ(rte_eth_dev_mac_addr_add(p.id, &addr, 0), -ENOSPC);
	addr = unicast(3);
	CHECK_EQ(rte_eth_dev_mac_addr_remove(p.id, &addr), 0);
	CHECK_OK(check_addrs(&p, unicast, 0x77));
	addr = unicast(7);
	CHECK(rte_eth_dev_mac_addr_add(p.id, &addr, 1) != 0);
	CHECK_EQ(rte_eth_dev_mac_addr_add(p.id, &addr, 0), 0);
	CHECK_OK(check_addrs(&p, unicast, 0xf7));
	/* a restart loses none of them, and promiscuous mode passes everything */
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(check_addrs(&p, unicast, 0xf7));
	CHECK_EQ(rte_eth_promiscuous_enable(p.id), 0);
	CHECK_OK(check_burst_names(&p, NULL, NULL));
	CHECK_OK(check_addrs(&p, unicast, 0xffff));
	CHECK_EQ(rte_eth_promiscuous_disable(p.id), 0);
	CHECK_OK(check_addrs(&p, unicast, 0xf7));
	/* with none left the MAC's own filter does */
	for (unsigned int i = 0; i < 8; i++) {
		addr = unicast(i);
		CHECK_EQ(rte_eth_dev_mac_addr_remove(p.id, &addr), 0);
	}
	CHECK_OK(check_burst_names(&p, NULL, NULL));
	CHECK_OK(check_addrs(&p, unicast, 0));
	CHECK_EQ(port_reg(&p, BCM4908_UMAC_CMD) & BCM4908_CMD_PROMISC, 0);
	return port_close(&p);
}

TEST(soft_unicast)
{
	return each_rx_variant(soft_unicast_on);
}

/* The station address changes while the filter is in use. */
TEST(soft_unicast_station)
{
	struct rte_ether_addr first = unicast(0), second = unicast(1);
	struct port p;

	PORT_OPEN(&p);
	CHECK_EQ(rte_eth_promiscuous_disable(p.id), 0);
	CHECK_EQ(rte_eth_dev_mac_addr_add(p.id, &first, 0), 0);
	CHECK_EQ(rte_eth_dev_default_mac_addr_set(p.id, &second), 0);
	CHECK_OK(check_arrives(&p, &own, false));
	CHECK_OK(check_arrives(&p, &first, true));
	CHECK_OK(check_arrives(&p, &second, true));
	return port_close(&p);
}

TEST(soft_multicast)
{
	struct rte_ether_addr list[65];
	struct port p;

	for (unsigned int i = 0; i < RTE_DIM(list); i++)
		list[i] = multicast(i);
	PORT_OPEN(&p);
	CHECK_OK(check_addrs(&p, multicast, 0xffff));
	/* without promiscuous and all-multicast mode, what is on the list */
	CHECK_EQ(rte_eth_promiscuous_disable(p.id), 0);
	CHECK_OK(check_burst_names(&p, ", software address filter", NULL));
	CHECK_OK(check_addrs(&p, multicast, 0));
	CHECK_EQ(rte_eth_dev_set_mc_addr_list(p.id, list, 3), 0);
	CHECK_OK(check_addrs(&p, multicast, 0x7));
	/* a list takes the place of the one before */
	CHECK_EQ(rte_eth_dev_set_mc_addr_list(p.id, &list[4], 2), 0);
	CHECK_OK(check_addrs(&p, multicast, 0x30));
	log_catch();
	CHECK_EQ(rte_eth_dev_set_mc_addr_list(p.id, list, 65), -ENOSPC);
	CHECK(strstr(log_caught(), "64") != NULL);
	CHECK_OK(check_addrs(&p, multicast, 0x30));
	CHECK_EQ(rte_eth_dev_set_mc_addr_list(p.id, list, 64), 0);
	CHECK_OK(check_addrs(&p, multicast, 0xffff));
	CHECK_OK(check_arrives(&p, &list[63], true));
	CHECK_OK(check_arrives(&p, &list[64], false));
	CHECK_EQ(rte_eth_dev_set_mc_addr_list(p.id, list, 1), 0);
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(check_addrs(&p, multicast, 0x1));
	CHECK_EQ(rte_eth_allmulticast_enable(p.id), 0);
	CHECK_OK(check_burst_names(&p, NULL, NULL));
	CHECK_OK(check_addrs(&p, multicast, 0xffff));
	CHECK_EQ(rte_eth_allmulticast_disable(p.id), 0);
	CHECK_EQ(rte_eth_dev_set_mc_addr_list(p.id, NULL, 0), 0);
	CHECK_OK(check_addrs(&p, multicast, 0));
	return port_close(&p);
}

/* What a filter drops is no received packet, and is counted. */
TEST(soft_filter_counts)
{
	const struct rte_ether_addr to = multicast(0);
	struct rte_eth_stats stats;
	struct port p;

	PORT_OPEN(&p);
	CHECK_EQ(rte_eth_promiscuous_disable(p.id), 0);
	for (unsigned int i = 0; i < 5; i++)
		CHECK_OK(check_arrives(&p, &to, false));
	CHECK_OK(check_arrives(&p, &own, true));
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.ipackets, 1);
	CHECK_EQ(stats.ibytes, sizeof(ipv4_udp));
	CHECK_EQ(stats.imissed, 0);
	CHECK_EQ(stats.ierrors, 0);
	CHECK_XSTAT(&p, "rx_filter_dropped", 5);
	CHECK_EQ(rte_eth_stats_reset(p.id), 0);
	CHECK_XSTAT(&p, "rx_filter_dropped", 0);
	CHECK_OK(check_arrives(&p, &to, false));
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.ipackets, 0);
	CHECK_EQ(stats.ibytes, 0);
	return port_close(&p);
}

/* A burst in which some frames pass: in order, none lost. */
TEST(soft_filter_burst)
{
	struct rte_mbuf *pkts[32];
	struct rte_ether_addr to;
	uint8_t data[100];
	struct port p;

	PORT_OPEN(&p);
	CHECK_EQ(rte_eth_promiscuous_disable(p.id), 0);
	for (unsigned int i = 0; i < 32; i++) {
		frame_fill(data, sizeof(data), i);
		to = i % 3 == 0 ? multicast(0) : own;
		memcpy(data, &to, sizeof(to));
		CHECK(port_push(&p, data, sizeof(data)));
	}
	port_run(&p);
	CHECK_EQ(port_rx(&p, pkts, 32), 21);
	for (unsigned int i = 0, at = 0; i < 32; i++) {
		if (i % 3 == 0)
			continue;
		frame_fill(data, sizeof(data), i);
		memcpy(data, &own, sizeof(own));
		CHECK_OK(bytes_check(pkts[at], data, sizeof(data)));
		rte_pktmbuf_free(pkts[at++]);
	}
	return port_close(&p);
}

/*
 * VLAN filter and strip
 */

/* A frame with a tag of the given TCI; its data is frame_fill()'s. */
static uint32_t
tagged_fill(uint8_t *data, uint32_t len, uint16_t tci)
{
	frame_fill(data, len, tci);
	memmove(&data[TYPE_AT + TAG_LEN], &data[TYPE_AT], len - TYPE_AT);
	data[TYPE_AT] = 0x81;
	data[TYPE_AT + 1] = 0x00;
	data[TYPE_AT + 2] = tci >> 8;
	data[TYPE_AT + 3] = tci & 0xff;
	return len + TAG_LEN;
}

static int
check_vlan(struct port *p, uint16_t tci, bool want)
{
	uint8_t data[128 + TAG_LEN];
	const uint32_t len = tagged_fill(data, 128, tci);
	struct rte_mbuf *m = pass(p, data, len);

	CHECK(want == (m != NULL), "TCI %#x", tci);
	if (want)
		CHECK_OK(bytes_check(m, data, len));
	rte_pktmbuf_free(m);
	return 0;
}

static int
check_vlans(struct port *p, bool want_1, bool want_63, bool want_64, bool want_4095)
{
	CHECK_OK(check_vlan(p, 1, want_1));
	CHECK_OK(check_vlan(p, 63, want_63));
	CHECK_OK(check_vlan(p, 0xe000 | 64, want_64)); /* whatever the priority */
	CHECK_OK(check_vlan(p, 4095, want_4095));
	/* no VLAN at all, twice */
	CHECK_OK(check_vlan(p, 0xa000, true));
	CHECK_OK(check_arrives(p, &own, true));
	return 0;
}

static int
soft_vlan_filter_on(const struct port_variant *rx)
{
	struct port p;

	PORT_OPEN(&p, .args = rx->args, .rx = rx);
	CHECK_OK(check_vlans(&p, true, true, true, true));
	CHECK_EQ(rte_eth_dev_vlan_filter(p.id, 1, 1), -ENOSYS); /* ethdev's: it is off */
	CHECK_EQ(rte_eth_dev_set_vlan_offload(p.id, RTE_ETH_VLAN_FILTER_OFFLOAD), 0);
	CHECK_OK(check_burst_names(&p, ", software VLAN filter", NULL));
	CHECK_OK(check_vlans(&p, false, false, false, false));
	CHECK_EQ(rte_eth_dev_vlan_filter(p.id, 1, 1), 0);
	CHECK_EQ(rte_eth_dev_vlan_filter(p.id, 64, 1), 0);
	CHECK_OK(check_vlans(&p, true, false, true, false));
	CHECK_EQ(rte_eth_dev_vlan_filter(p.id, 4095, 1), 0);
	CHECK_EQ(rte_eth_dev_vlan_filter(p.id, 1, 0), 0);
	CHECK_OK(check_vlans(&p, false, false, true, true));
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(check_vlans(&p, false, false, true, true));
	CHECK_EQ(rte_eth_dev_set_vlan_offload(p.id, 0), 0);
	CHECK_OK(check_burst_names(&p, NULL, NULL));
	CHECK_OK(check_vlans(&p, true, true, true, true));
	return port_close(&p);
}

TEST(soft_vlan_filter)
{
	return each_rx_variant(soft_vlan_filter_on);
}

static int
check_strip(struct port *p, uint32_t len, uint16_t tci)
{
	uint8_t data[1518 + TAG_LEN];
	struct rte_mbuf *m;

	m = pass(p, data, tagged_fill(data, len, tci));
	CHECK(m != NULL);
	frame_fill(data, len, tci);
	CHECK_OK(bytes_check(m, data, len));
	CHECK_EQ(m->vlan_tci, tci);
	CHECK_EQ(m->ol_flags & ~RTE_MBUF_F_EXTERNAL,
		 RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED);
	rte_pktmbuf_free(m);
	/* what has no tag stays as it is, and says nothing of one */
	CHECK(port_push_frame(p, len, 3));
	port_run(p);
	CHECK_EQ(port_rx(p, &m, 1), 1);
	CHECK_OK(mbuf_check_bytes(m, len, 3));
	CHECK_EQ(m->ol_flags & ~RTE_MBUF_F_EXTERNAL, 0);
	CHECK_EQ(m->vlan_tci, 0);
	rte_pktmbuf_free(m);
	return 0;
}

static int
soft_vlan_strip_on(const struct port_variant *rx)
{
	struct port p;

	PORT_OPEN(&p, .args = rx->args, .rx = rx);
	CHECK_OK(check_vlan(&p, 0x7123, true));
	CHECK_EQ(rte_eth_dev_set_vlan_offload(p.id, RTE_ETH_VLAN_STRIP_OFFLOAD), 0);
	CHECK_OK(check_burst_names(&p, ", software VLAN strip", NULL));
	CHECK_OK(check_strip(&p, 60, 0xf123));
	CHECK_OK(check_strip(&p, 1514, 1));
	CHECK_EQ(rte_eth_dev_set_vlan_offload(p.id, 0), 0);
	CHECK_OK(check_vlan(&p, 0x7123, true));
	CHECK_EQ(rte_eth_dev_set_vlan_strip_on_queue(p.id, 0, 1), 0);
	CHECK_OK(check_strip(&p, 61, 0x0fff));
	CHECK_EQ(rte_eth_dev_set_vlan_strip_on_queue(p.id, 0, 0), 0);
	CHECK_OK(check_vlan(&p, 0x7123, true));
	return port_close(&p);
}

TEST(soft_vlan_strip)
{
	return each_rx_variant(soft_vlan_strip_on);
}

/* Configured before the start; of two tags the outer one is taken. */
TEST(soft_vlan_strip_configured)
{
	uint8_t data[100 + 2 * TAG_LEN], inner[100 + TAG_LEN];
	const uint32_t len = tagged_fill(inner, 100, 0x0222);
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .conf.rxmode.offloads = VLAN_STRIP);
	memcpy(data, inner, TYPE_AT);
	memcpy(&data[TYPE_AT], "\x81\x00\x01\x11", TAG_LEN);
	memcpy(&data[TYPE_AT + TAG_LEN], &inner[TYPE_AT], len - TYPE_AT);
	m = pass(&p, data, sizeof(data));
	CHECK(m != NULL);
	CHECK_OK(bytes_check(m, inner, len));
	CHECK_EQ(m->vlan_tci, 0x0111);
	rte_pktmbuf_free(m);
	/* the other kind of tag is none of this port's */
	data[TYPE_AT] = 0x88;
	data[TYPE_AT + 1] = 0xa8;
	m = pass(&p, data, sizeof(data));
	CHECK(m != NULL);
	CHECK_OK(bytes_check(m, data, sizeof(data)));
	rte_pktmbuf_free(m);
	return port_close(&p);
}

/*
 * VLAN insert
 */

static void
ask_tag(struct rte_mbuf *m, uint16_t tci)
{
	m->vlan_tci = tci;
	m->ol_flags |= RTE_MBUF_F_TX_VLAN;
}

/* The i-th frame on the line is tagged_fill()'s. */
static int
check_sent_tagged(const struct port *p, unsigned int i, uint32_t len, uint16_t tci)
{
	uint8_t want[1518 + TAG_LEN];
	const uint8_t *data;
	uint32_t got_len;

	data = port_sent_data(p, i, &got_len);
	CHECK(data != NULL);
	CHECK_EQ(got_len, tagged_fill(want, len, tci));
	CHECK(memcmp(data, want, got_len) == 0, "TCI %#x", tci);
	return 0;
}

static int
soft_vlan_insert_on(const struct port_variant *tx)
{
	static const uint32_t lens[] = { 56, 60, 64, 65, 1000, 1514 };
	struct rte_mbuf *pkts[2 * RTE_DIM(lens)];
	struct port p;

	PORT_OPEN(&p, .args = tx->args, .tx = tx, .conf.txmode.offloads = VLAN_INSERT);
	CHECK_OK(check_burst_names(&p, NULL, ", software VLAN insert"));
	for (unsigned int round = 0; round < 20; round++) {
		port_line_clear(&p);
		for (unsigned int i = 0; i < RTE_DIM(pkts); i++) {
			const uint32_t len = lens[i / 2];

			pkts[i] = mbuf_frame(p.pool, RTE_MAX(len, i % 2 * 60), 0x3000 + i);
			CHECK(pkts[i] != NULL);
			if (i % 2 == 0)
				ask_tag(pkts[i], 0x3000 + i);
		}
		CHECK_EQ(port_tx(&p, pkts, RTE_DIM(pkts)), RTE_DIM(pkts));
		port_run(&p);
		CHECK_EQ(port_sent(&p), RTE_DIM(pkts));
		for (unsigned int i = 0; i < RTE_DIM(pkts); i++) {
			if (i % 2 == 0)
				CHECK_OK(check_sent_tagged(&p, i, lens[i / 2], 0x3000 + i));
			else
				CHECK_OK(port_check_sent(&p, i, RTE_MAX(lens[i / 2], 60u),
							 0x3000 + i));
		}
	}
	return port_close(&p);
}

TEST(soft_vlan_insert)
{
	return each_tx_variant(soft_vlan_insert_on);
}

/* Frames whose bytes others see are copied: the others see no tag. */
TEST(soft_vlan_insert_shared)
{
	struct rte_mbuf *shared, *direct, *clone, *narrow, *pkts[3];
	struct port p;

	PORT_OPEN(&p, .conf.txmode.offloads = VLAN_INSERT);
	shared = mbuf_frame(p.pool, 100, 1);
	direct = mbuf_frame(p.pool, 100, 2);
	narrow = mbuf_frame(p.pool, 100, 3);
	CHECK(shared != NULL && direct != NULL && narrow != NULL);
	rte_mbuf_refcnt_update(shared, 1);
	clone = rte_pktmbuf_clone(direct, p.pool);
	CHECK(clone != NULL);
	/* no room for a tag in front */
	memmove(narrow->buf_addr, rte_pktmbuf_mtod(narrow, void *), 100);
	narrow->data_off = 0;
	ask_tag(shared, 1);
	ask_tag(clone, 2);
	ask_tag(narrow, 3);
	pkts[0] = shared;
	pkts[1] = clone;
	pkts[2] = narrow;
	CHECK_EQ(port_tx(&p, pkts, 3), 3);
	CHECK_OK(mbuf_check_bytes(shared, 100, 1));
	CHECK_OK(mbuf_check_bytes(direct, 100, 2));
	CHECK_EQ(rte_mbuf_refcnt_read(shared), 1);
	CHECK_EQ(rte_mbuf_refcnt_read(direct), 1);
	port_run(&p);
	CHECK_EQ(port_sent(&p), 3);
	for (unsigned int i = 0; i < 3; i++)
		CHECK_OK(check_sent_tagged(&p, i, 100, i + 1));
	rte_pktmbuf_free(shared);
	rte_pktmbuf_free(direct);
	return port_close(&p);
}

/* A chain, and buffers that are external to their mbufs. */
TEST(soft_vlan_insert_odd)
{
	const uint16_t lens[] = { 40, 1, 200, 0 };
	struct rte_mempool *mp = pool_make_pinned(64, 1024, 1024);
	struct rte_mbuf *pkts[2];
	struct port p;

	CHECK(mp != NULL);
	PORT_OPEN(&p, .pool = mp, .rx_desc = 32, .conf.txmode.offloads = VLAN_INSERT);
	pkts[0] = mbuf_chain(mp, lens, 0x111);
	pkts[1] = mbuf_frame(mp, 90, 0x222);
	CHECK(pkts[0] != NULL && pkts[1] != NULL);
	ask_tag(pkts[0], 0x111);
	ask_tag(pkts[1], 0x222);
	CHECK_EQ(port_tx(&p, pkts, 2), 2);
	port_run(&p);
	CHECK_EQ(port_sent(&p), 2);
	CHECK_OK(check_sent_tagged(&p, 0, 241, 0x111));
	CHECK_OK(check_sent_tagged(&p, 1, 90, 0x222));
	return port_close(&p);
}

/* What does not fit into the ring goes back to the caller as it came. */
static int
soft_tx_full_on(const struct port_variant *tx)
{
	struct rte_mbuf *pkts[128];
	uint16_t sent, more;
	struct port p;

	PORT_OPEN(&p, .args = tx->args, .tx = tx, .tx_desc = 64, .pool_size = 512,
		  .conf.txmode.offloads = VLAN_INSERT);
	port_line_busy(&p, true);
	for (unsigned int i = 0; i < RTE_DIM(pkts); i++) {
		pkts[i] = mbuf_frame(p.pool, 100, i);
		CHECK(pkts[i] != NULL);
		ask_tag(pkts[i], i);
	}
	sent = port_tx(&p, pkts, RTE_DIM(pkts));
	CHECK(sent > 0 && sent <= 64);
	for (unsigned int i = sent; i < RTE_DIM(pkts); i++) {
		CHECK_OK(mbuf_check_bytes(pkts[i], 100, i));
		CHECK((pkts[i]->ol_flags & RTE_MBUF_F_TX_VLAN) != 0);
	}
	port_line_busy(&p, false);
	port_run(&p);
	more = port_tx(&p, &pkts[sent], RTE_DIM(pkts) - sent);
	CHECK_EQ(more, RTE_DIM(pkts) - sent);
	port_run(&p);
	CHECK_EQ(port_sent(&p), RTE_DIM(pkts));
	for (unsigned int i = 0; i < RTE_DIM(pkts); i++)
		CHECK_OK(check_sent_tagged(&p, i, 100, i));
	return port_close(&p);
}

TEST(soft_tx_full)
{
	return each_tx_variant(soft_tx_full_on);
}

/* A frame that is refused anyway is not lost when the ring is full. */
TEST(soft_tx_full_refused)
{
	struct rte_mbuf *pkts[40];
	uint16_t sent;
	struct port p;

	PORT_OPEN(&p, .tx_desc = 32, .conf.txmode.offloads = VLAN_INSERT);
	port_line_busy(&p, true);
	for (unsigned int i = 0; i < RTE_DIM(pkts); i++) {
		pkts[i] = mbuf_frame(p.pool, 100, i);
		CHECK(pkts[i] != NULL);
	}
	pkts[32]->nb_segs = 200;
	sent = port_tx(&p, pkts, RTE_DIM(pkts));
	CHECK(sent <= 32);
	CHECK_EQ(port_xstat(&p, "tx_good_packets") + port_xstat(&p, "tx_segment_dropped"), sent);
	pkts[32]->nb_segs = 1;
	rte_pktmbuf_free_bulk(&pkts[sent], RTE_DIM(pkts) - sent);
	port_line_busy(&p, false);
	return port_close(&p);
}

/* A tag or a checksum that cannot be had: the frame is dropped and counted, its neighbours go. */
TEST(soft_tx_drops)
{
	struct rte_mbuf *pkts[5];
	struct rte_eth_stats stats;
	struct port p;

	PORT_OPEN(&p, .args = "sw-cksum=1", .conf.txmode.offloads = VLAN_INSERT | TX_CKSUM);
	for (unsigned int i = 0; i < RTE_DIM(pkts); i++) {
		pkts[i] = mbuf_frame(p.pool, 80, i);
		CHECK(pkts[i] != NULL);
	}
	/* too long a header, a length that the segments do not have, a sum for no known protocol */
	pkts[1]->l2_len = 14;
	pkts[1]->l3_len = 70;
	pkts[1]->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM;
	pkts[2]->pkt_len = 2000;
	ask_tag(pkts[2], 2);
	pkts[3]->l2_len = 14;
	pkts[3]->l3_len = 20;
	pkts[3]->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_SCTP_CKSUM;
	CHECK_EQ(port_tx(&p, pkts, RTE_DIM(pkts)), RTE_DIM(pkts));
	port_run(&p);
	CHECK_EQ(port_sent(&p), 2);
	CHECK_OK(port_check_sent(&p, 0, 80, 0));
	CHECK_OK(port_check_sent(&p, 1, 80, 4));
	CHECK_XSTAT(&p, "tx_offload_dropped", 3);
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.oerrors, 3);
	CHECK_EQ(stats.opackets, 2);
	return port_close(&p);
}

/* No mbuf for a copy: dropped and counted, too. */
TEST(soft_tx_no_copy)
{
	struct rte_mempool *mp = pool_make(1, 0, 2048 + RTE_PKTMBUF_HEADROOM);
	struct rte_mbuf *m;
	struct port p;

	CHECK(mp != NULL);
	PORT_OPEN(&p, .conf.txmode.offloads = VLAN_INSERT);
	m = mbuf_frame(mp, 100, 1);
	CHECK(m != NULL);
	rte_mbuf_refcnt_update(m, 1);
	ask_tag(m, 1);
	CHECK_EQ(port_tx(&p, &m, 1), 1);
	CHECK_EQ(rte_mbuf_refcnt_read(m), 1);
	CHECK_XSTAT(&p, "tx_offload_dropped", 1);
	CHECK_EQ(port_sent(&p), 0);
	rte_pktmbuf_free(m);
	CHECK_OK(port_close(&p));
	return pool_free_full(mp);
}

/*
 * Packet types
 */

static int
check_ptypes(struct port *p, uint32_t mask)
{
	for (unsigned int i = 0; i < RTE_DIM(packets); i++) {
		struct rte_mbuf *m = pass(p, packets[i].data, packets[i].len);

		CHECK(m != NULL, "%s", packets[i].name);
		CHECK(m->packet_type == (packets[i].ptype & mask), "%s is %#x", packets[i].name,
		      m->packet_type);
		CHECK_OK(bytes_check(m, packets[i].data, packets[i].len));
		rte_pktmbuf_free(m);
	}
	return 0;
}

static int
soft_ptypes_on(const struct port_variant *rx)
{
	const uint32_t all = RTE_PTYPE_L2_MASK | RTE_PTYPE_L3_MASK | RTE_PTYPE_L4_MASK;
	uint32_t list[16];
	struct port p;
	int n;

	PORT_OPEN(&p, .args = rx->args, .rx = rx);
	/* nobody asks: nothing is looked at */
	CHECK_OK(check_ptypes(&p, 0));
	CHECK_OK(check_burst_names(&p, NULL, NULL));
	/* who asks what is supported will get it */
	n = rte_eth_dev_get_supported_ptypes(p.id, RTE_PTYPE_L4_MASK, list, RTE_DIM(list));
	CHECK_EQ(n, 4);
	CHECK_EQ(rte_eth_dev_get_supported_ptypes(p.id, all, list, RTE_DIM(list)), 11);
	CHECK_OK(check_burst_names(&p, ", software packet types", NULL));
	CHECK_OK(check_ptypes(&p, all));
	/* unless it says what it wants */
	CHECK_EQ(rte_eth_dev_set_ptypes(p.id, RTE_PTYPE_L3_MASK, list, RTE_DIM(list)), 0);
	CHECK_OK(check_ptypes(&p, RTE_PTYPE_L3_MASK));
	CHECK_EQ(rte_eth_dev_set_ptypes(p.id, RTE_PTYPE_UNKNOWN, NULL, 0), 0);
	CHECK_OK(check_ptypes(&p, 0));
	CHECK_OK(check_burst_names(&p, NULL, NULL));
	CHECK_EQ(rte_eth_dev_get_supported_ptypes(p.id, all, list, RTE_DIM(list)), 11);
	CHECK_OK(check_ptypes(&p, 0));
	CHECK(rte_eth_dev_set_ptypes(p.id, RTE_PTYPE_TUNNEL_MASK, list, RTE_DIM(list)) == 0);
	CHECK_OK(check_ptypes(&p, 0));
	return port_close(&p);
}

TEST(soft_ptypes)
{
	return each_rx_variant(soft_ptypes_on);
}

/* Who has checksums judged may rely on types without asking for them, as ip_reassembly does. */
TEST(soft_ptypes_with_cksum)
{
	const uint32_t all = RTE_PTYPE_L2_MASK | RTE_PTYPE_L3_MASK | RTE_PTYPE_L4_MASK;
	struct port p;

	PORT_OPEN(&p, .args = "sw-cksum=1", .conf.rxmode.offloads = RX_CKSUM);
	CHECK_OK(check_ptypes(&p, all));
	CHECK_EQ(rte_eth_dev_set_ptypes(p.id, RTE_PTYPE_UNKNOWN, NULL, 0), 0);
	CHECK_OK(check_ptypes(&p, 0));
	return port_close(&p);
}

/*
 * Checksums
 */

TEST(soft_cksum_capability)
{
	struct rte_eth_dev_info info;
	struct port p;

	PORT_OPEN(&p, .stopped = true);
	CHECK_EQ(rte_eth_dev_info_get(p.id, &info), 0);
	CHECK_EQ(info.rx_offload_capa & RX_CKSUM, 0);
	CHECK_EQ(info.tx_offload_capa & TX_CKSUM, 0);
	CHECK_OK(port_close(&p));
	PORT_OPEN(&p, .stopped = true, .args = "sw-cksum=1");
	CHECK_EQ(rte_eth_dev_info_get(p.id, &info), 0);
	CHECK_EQ(info.rx_offload_capa & RX_CKSUM, RX_CKSUM);
	CHECK_EQ(info.tx_offload_capa & TX_CKSUM, TX_CKSUM);
	/* offered is not asked for */
	CHECK_OK(check_burst_names(&p, NULL, NULL));
	return port_close(&p);
}

static int
check_rx_cksum(struct port *p, const uint8_t *data, uint32_t len, uint64_t want)
{
	struct rte_mbuf *m = pass(p, data, len);

	CHECK(m != NULL);
	CHECK_EQ(m->ol_flags & (RTE_MBUF_F_RX_IP_CKSUM_MASK | RTE_MBUF_F_RX_L4_CKSUM_MASK), want);
	CHECK_OK(bytes_check(m, data, len));
	rte_pktmbuf_free(m);
	return 0;
}

static int
soft_cksum_rx_on(const struct port_variant *rx)
{
	char args[64];
	struct port p;

	snprintf(args, sizeof(args), "sw-cksum=1%s%s", rx->args != NULL ? "," : "",
		 rx->args != NULL ? rx->args : "");
	PORT_OPEN(&p, .args = args, .rx = rx, .conf.rxmode.offloads = RX_CKSUM);
	CHECK_OK(check_burst_names(&p, ", software checksums", NULL));
	for (unsigned int i = 0; i < RTE_DIM(packets); i++) {
		const struct packet *pkt = &packets[i];
		const uint64_t ip = pkt->cksums & RTE_MBUF_F_RX_IP_CKSUM_MASK;
		uint8_t data[128];

		CHECK(check_rx_cksum(&p, pkt->data, pkt->len, pkt->cksums) == 0, "%s", pkt->name);
		memcpy(data, pkt->data, pkt->len);
		if (pkt->ip_sum_at != 0) {
			data[pkt->ip_sum_at] ^= 0x40;
			CHECK(check_rx_cksum(&p, data, pkt->len, RTE_MBUF_F_RX_IP_CKSUM_BAD |
					     (pkt->cksums & RTE_MBUF_F_RX_L4_CKSUM_MASK)) == 0,
			      "%s", pkt->name);
			data[pkt->ip_sum_at] ^= 0x40;
		}
		if (pkt->l4_sum_at != 0 && (pkt->cksums & RTE_MBUF_F_RX_L4_CKSUM_MASK) != 0) {
			data[pkt->l4_sum_at + 1] ^= 0x01;
			CHECK(check_rx_cksum(&p, data, pkt->len,
					     ip | RTE_MBUF_F_RX_L4_CKSUM_BAD) == 0, "%s", pkt->name);
		}
	}
	return port_close(&p);
}

TEST(soft_cksum_rx)
{
	return each_rx_variant(soft_cksum_rx_on);
}

/* No UDP checksum, lengths that contradict the frame, headers that are cut off. */
TEST(soft_cksum_rx_odd)
{
	uint8_t data[128];
	struct port p;

	PORT_OPEN(&p, .args = "sw-cksum=1", .conf.rxmode.offloads = RX_CKSUM);
	memcpy(data, ipv4_udp, sizeof(ipv4_udp));
	memset(&data[40], 0, 2);
	CHECK_OK(check_rx_cksum(&p, data, sizeof(ipv4_udp),
				IP_GOOD | RTE_MBUF_F_RX_L4_CKSUM_NONE));
	memcpy(data, ipv6_udp, sizeof(ipv6_udp));
	memset(&data[60], 0, 2);
	CHECK_OK(check_rx_cksum(&p, data, sizeof(ipv6_udp), RTE_MBUF_F_RX_L4_CKSUM_BAD));
	/* a payload length beyond the frame's end */
	memcpy(data, ipv6_udp, sizeof(ipv6_udp));
	data[IP_AT + 4] = 0x10;
	CHECK_OK(check_rx_cksum(&p, data, sizeof(ipv6_udp), 0));
	/* a header longer than the frame, and a total length shorter than the header */
	memcpy(data, ipv4_udp, sizeof(ipv4_udp));
	data[IP_AT] = 0x4f;
	CHECK_OK(check_rx_cksum(&p, data, 60, 0));
	memcpy(data, ipv4_udp, sizeof(ipv4_udp));
	data[IP_AT + 3] = 4;
	CHECK_OK(check_rx_cksum(&p, data, sizeof(ipv4_udp), RTE_MBUF_F_RX_IP_CKSUM_BAD));
	return port_close(&p);
}

/* An mbuf of a packet, its checksums overwritten, that asks for them. */
static struct rte_mbuf *
mbuf_packet(struct rte_mempool *mp, const struct packet *pkt)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(mp);
	uint8_t *data;

	if (m == NULL)
		return NULL;
	data = (uint8_t *)rte_pktmbuf_append(m, pkt->len);
	memcpy(data, pkt->data, pkt->len);
	if ((pkt->tx_flags & RTE_MBUF_F_TX_IP_CKSUM) != 0)
		memset(&data[pkt->ip_sum_at], 0xa5, 2);
	if ((pkt->tx_flags & RTE_MBUF_F_TX_L4_MASK) != 0)
		memset(&data[pkt->l4_sum_at], 0x5a, 2);
	m->l2_len = IP_AT;
	m->l3_len = pkt->l3_len;
	m->ol_flags |= pkt->tx_flags;
	return m;
}

static int
soft_cksum_tx_on(const struct port_variant *tx)
{
	struct rte_mbuf *pkts[RTE_DIM(packets)];
	char args[64];
	struct port p;

	snprintf(args, sizeof(args), "sw-cksum=1%s%s", tx->args != NULL ? "," : "",
		 tx->args != NULL ? tx->args : "");
	PORT_OPEN(&p, .args = args, .tx = tx, .conf.txmode.offloads = TX_CKSUM);
	CHECK_OK(check_burst_names(&p, NULL, ", software checksums"));
	for (unsigned int i = 0; i < RTE_DIM(packets); i++) {
		pkts[i] = mbuf_packet(p.pool, &packets[i]);
		CHECK(pkts[i] != NULL);
	}
	CHECK_EQ(port_tx(&p, pkts, RTE_DIM(pkts)), RTE_DIM(pkts));
	port_run(&p);
	CHECK_EQ(port_sent(&p), RTE_DIM(pkts));
	for (unsigned int i = 0; i < RTE_DIM(packets); i++) {
		uint32_t len;
		const uint8_t *data = port_sent_data(&p, i, &len);

		CHECK_EQ(len, packets[i].len);
		CHECK(memcmp(data, packets[i].data, len) == 0, "%s", packets[i].name);
	}
	return port_close(&p);
}

TEST(soft_cksum_tx)
{
	return each_tx_variant(soft_cksum_tx_on);
}

/* The sum over a chain whose segments have odd lengths; beside a tag, in a copy. */
TEST(soft_cksum_tx_chain)
{
	const struct packet *pkt = &packets[0];
	struct rte_mbuf *m, *tail;
	const uint8_t *data;
	uint8_t want[128];
	struct port p;
	uint32_t len;

	PORT_OPEN(&p, .args = "sw-cksum=1", .conf.txmode.offloads = TX_CKSUM | VLAN_INSERT);
	m = mbuf_packet(p.pool, pkt);
	tail = rte_pktmbuf_alloc(p.pool);
	CHECK(m != NULL && tail != NULL);
	/* the last 11 of 23 bytes of payload */
	memcpy(rte_pktmbuf_append(tail, 11), &pkt->data[pkt->len - 11], 11);
	rte_pktmbuf_trim(m, 11);
	CHECK_EQ(rte_pktmbuf_chain(m, tail), 0);
	rte_mbuf_refcnt_update(m, 1);
	rte_mbuf_refcnt_update(tail, 1);
	ask_tag(m, 0x0123);
	CHECK_EQ(port_tx(&p, &m, 1), 1);
	port_run(&p);
	CHECK_EQ(port_sent(&p), 1);
	data = port_sent_data(&p, 0, &len);
	memcpy(want, pkt->data, TYPE_AT);
	memcpy(&want[TYPE_AT], "\x81\x00\x01\x23", TAG_LEN);
	memcpy(&want[TYPE_AT + TAG_LEN], &pkt->data[TYPE_AT], pkt->len - TYPE_AT);
	CHECK_EQ(len, pkt->len + TAG_LEN);
	CHECK(memcmp(data, want, len) == 0);
	rte_pktmbuf_free(m);
	return port_close(&p);
}

/* A UDP checksum that comes to zero is sent as ones: zero says that there is none [RFC 768]. */
TEST(soft_cksum_tx_zero)
{
	uint32_t sum = (ipv4_udp[40] << 8 | ipv4_udp[41]) + (ipv4_udp[42] << 8 | ipv4_udp[43]);
	struct rte_mbuf *m;
	const uint8_t *sent;
	uint8_t *data;
	struct port p;
	uint32_t len;

	PORT_OPEN(&p, .args = "sw-cksum=1", .conf.txmode.offloads = TX_CKSUM);
	m = mbuf_packet(p.pool, &packets[1]);
	CHECK(m != NULL);
	/* what the checksum makes up for goes into the payload */
	data = rte_pktmbuf_mtod(m, uint8_t *);
	sum = (sum & 0xffff) + (sum >> 16);
	data[42] = sum >> 8;
	data[43] = sum & 0xff;
	CHECK_EQ(port_tx(&p, &m, 1), 1);
	port_run(&p);
	CHECK_EQ(port_sent(&p), 1);
	sent = port_sent_data(&p, 0, &len);
	CHECK_EQ(sent[40] << 8 | sent[41], 0xffff);
	return port_close(&p);
}

/* Long segments that begin at odd places, and headers at odd addresses. */
static int
send_odd(struct port *p, const uint16_t *lens, const uint8_t *frame, uint32_t len)
{
	struct rte_mbuf *first = NULL, *m;
	const uint8_t *data;
	uint32_t at = 0, got;

	for (; *lens != 0; at += *lens++) {
		m = rte_pktmbuf_alloc(p->pool);
		CHECK(m != NULL);
		m->data_off += 1;
		memcpy(rte_pktmbuf_append(m, *lens), &frame[at], *lens);
		if (first == NULL)
			first = m;
		else
			CHECK_EQ(rte_pktmbuf_chain(first, m), 0);
	}
	CHECK_EQ(at, len);
	first->l2_len = IP_AT;
	first->l3_len = 20;
	first->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM;
	memset(rte_pktmbuf_mtod_offset(first, void *, 24), 0xa5, 2);
	memset(rte_pktmbuf_mtod_offset(first, void *, 40), 0xa5, 2);
	ask_tag(first, 0x0123);
	port_line_clear(p);
	CHECK_EQ(port_tx(p, &first, 1), 1);
	port_run(p);
	CHECK_EQ(port_sent(p), 1);
	data = port_sent_data(p, 0, &got);
	CHECK_EQ(got, len + TAG_LEN);
	CHECK(memcmp(data, frame, TYPE_AT) == 0);
	CHECK(memcmp(&data[TYPE_AT], "\x81\x00\x01\x23", TAG_LEN) == 0);
	CHECK(memcmp(&data[TYPE_AT + TAG_LEN], &frame[TYPE_AT], len - TYPE_AT) == 0);
	return 0;
}

TEST(soft_cksum_tx_odd)
{
	static const uint16_t cuts[][5] = {
		{ 1400 }, { 43, 1357 }, { 43, 1, 1356 }, { 42, 700, 658 }, { 45, 701, 654 },
		{ 601, 301, 201, 297 },
	};
	struct rte_ipv4_hdr *ip;
	struct rte_udp_hdr *udp;
	uint8_t frame[1400];
	struct port p;

	/* mostly ones, so that sums carry often; the library's sum over it in one piece */
	for (unsigned int i = 0; i < sizeof(frame); i++)
		frame[i] = 0xff - i % 3;
	memcpy(frame, ipv4_udp, IP_AT + 20 + 8);
	ip = (struct rte_ipv4_hdr *)&frame[IP_AT];
	udp = (struct rte_udp_hdr *)(ip + 1);
	ip->total_length = rte_cpu_to_be_16(sizeof(frame) - IP_AT);
	udp->dgram_len = rte_cpu_to_be_16(sizeof(frame) - IP_AT - 20);
	ip->hdr_checksum = 0;
	ip->hdr_checksum = rte_ipv4_cksum(ip);
	udp->dgram_cksum = 0;
	udp->dgram_cksum = rte_ipv4_udptcp_cksum(ip, udp);
	PORT_OPEN(&p, .args = "sw-cksum=1", .conf.txmode.offloads = TX_CKSUM | VLAN_INSERT);
	for (unsigned int i = 0; i < RTE_DIM(cuts); i++)
		CHECK(send_odd(&p, cuts[i], frame, sizeof(frame)) == 0, "cut %u", i);
	return port_close(&p);
}

/* All stages at once, in the order in which they must come. */
TEST(soft_all)
{
	const uint32_t layers = RTE_PTYPE_L2_MASK | RTE_PTYPE_L3_MASK | RTE_PTYPE_L4_MASK;
	struct rte_ether_addr extra = unicast(0);
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .args = "sw-cksum=1",
		  .conf.rxmode.offloads = RX_CKSUM | VLAN_STRIP | VLAN_FILTER);
	CHECK_EQ(rte_eth_promiscuous_disable(p.id), 0);
	CHECK_EQ(rte_eth_dev_mac_addr_add(p.id, &extra, 0), 0);
	CHECK_EQ(rte_eth_dev_set_ptypes(p.id, layers, NULL, 0), 0);
	CHECK_OK(check_burst_names(&p, ", software address filter, software VLAN filter, "
				   "software VLAN strip, software packet types, software checksums",
				   NULL));
	CHECK(pass(&p, vlan_ipv4_udp, sizeof(vlan_ipv4_udp)) == NULL);
	CHECK_EQ(rte_eth_dev_vlan_filter(p.id, 0x123, 1), 0);
	m = pass(&p, vlan_ipv4_udp, sizeof(vlan_ipv4_udp));
	CHECK(m != NULL);
	/* but for the tag it is the same packet */
	CHECK_OK(bytes_check(m, ipv4_udp, sizeof(ipv4_udp)));
	CHECK_EQ(m->vlan_tci, 0xa123);
	CHECK_EQ(m->packet_type, packets[1].ptype);
	CHECK_EQ(m->ol_flags, packets[1].cksums | RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED);
	rte_pktmbuf_free(m);
	return port_close(&p);
}

/* A device that says that a chain's first segment holds less than a header. */
TEST(soft_lying_device)
{
	const uint32_t own_len = 64;
	struct bcm4908_rxq *rxq;
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .args = "sw-cksum=1",
		  .conf.rxmode.offloads = RX_CKSUM | VLAN_STRIP | VLAN_FILTER |
		  RTE_ETH_RX_OFFLOAD_SCATTER);
	p.lies = true;
	rxq = port_rxq(&p);
	for (uint32_t len = 1; len < 20; len++) {
		struct bcm4908_desc *ring = rxq->ring;
		const uint16_t i = rxq->next, j = (i + 1) % rxq->nb_desc;

		/* two frames, of which the device makes one */
		CHECK(port_push(&p, vlan_ipv4_udp, sizeof(vlan_ipv4_udp)));
		CHECK(port_push(&p, vlan_ipv4_udp, sizeof(vlan_ipv4_udp)));
		port_run(&p);
		rte_atomic_store_explicit(&ring[j].ctl, rte_cpu_to_le_32(BCM4908_DESC_EOP |
			own_len << BCM4908_DESC_LEN_SHIFT), rte_memory_order_release);
		rte_atomic_store_explicit(&ring[i].ctl, rte_cpu_to_le_32(BCM4908_DESC_SOP |
			len << BCM4908_DESC_LEN_SHIFT), rte_memory_order_release);
		CHECK_EQ(port_rx(&p, &m, 1), len >= 18 ? 0 : 1);
		if (len >= 18) /* a tag of a VLAN that is not on the list */
			continue;
		CHECK_EQ(m->pkt_len, len + own_len - 4);
		CHECK_EQ(m->data_len, len);
		rte_pktmbuf_free(m);
	}
	return port_close(&p);
}
