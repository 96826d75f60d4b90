/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include <rte_ip.h>
#include <rte_net.h>
#include <rte_prefetch.h>
#include <rte_tcp.h>
#include <rte_udp.h>

#include "bcm4908_rxtx_inline.h"
#include "bcm4908_rxtx_soft.h"

#define TAGGED_HDR_LEN	(RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN)
#define TX_CHUNK	512 /* no application sends longer bursts: one doorbell each */

/* This process's own: queues hold no pointer to code. */
static struct {
	RTE_ATOMIC(bcm4908_burst_t) rx;
	RTE_ATOMIC(bcm4908_burst_t) tx;
} inner[RTE_MAX_ETHPORTS];

void
bcm4908_soft_set(uint16_t port_id, bcm4908_burst_t rx, bcm4908_burst_t tx)
{
	rte_atomic_store_explicit(&inner[port_id].rx, rx, rte_memory_order_release);
	rte_atomic_store_explicit(&inner[port_id].tx, tx, rte_memory_order_release);
}

/*
 * Checksums, both ways
 */

/*
 * Where the checksummed part of a TCP or UDP packet lies: its start, its length
 * by the IP header (a short frame's padding is not part of it), and the sum of
 * its pseudo header. The IP header is in the first segment.
 */
struct l4_span {
	uint32_t off;
	uint32_t len;
	uint32_t phdr_sum;
};

/* False when the IP header's length contradicts the frame's. */
static bool
l4_span_get(const struct rte_mbuf *m, uint32_t l2_len, uint32_t l3_len, bool ipv4, uint8_t proto,
	    struct l4_span *span)
{
	const void *l3 = rte_pktmbuf_mtod_offset(m, const void *, l2_len);
	const struct rte_ipv4_hdr *ip4 = l3;
	const struct rte_ipv6_hdr *ip6 = l3;
	const uint32_t total = ipv4 ? rte_be_to_cpu_16(ip4->total_length) :
		sizeof(*ip6) + rte_be_to_cpu_16(ip6->payload_len);

	if (total < l3_len || l2_len + total > m->pkt_len)
		return false;
	span->off = l2_len + l3_len;
	span->len = total - l3_len;
	/* both addresses, protocol and length; the latter two do not lie together in either header */
	span->phdr_sum = ipv4 ? rte_raw_cksum(&ip4->src_addr, 2 * sizeof(ip4->src_addr)) :
		rte_raw_cksum(&ip6->src_addr, 2 * sizeof(ip6->src_addr));
	span->phdr_sum += rte_cpu_to_be_16(proto) + rte_cpu_to_be_16(span->len);
	return true;
}

/*
 * Sum of the part and its pseudo header, folded to 16 bits; 0xffff when it proves
 * right. Not by rte_raw_cksum_mbuf(): it loses carries of a segment that begins
 * at an odd place.
 */
static uint16_t
l4_sum(const struct rte_mbuf *m, const struct l4_span *span)
{
	uint32_t sum = span->phdr_sum, off = span->off, done = 0;

	for (; done < span->len; m = m->next) {
		const uint32_t n = off < m->data_len ? RTE_MIN(m->data_len - off,
							       span->len - done) : 0;
		const uint16_t part = rte_raw_cksum(rte_pktmbuf_mtod_offset(m, const void *, off),
						    n);

		sum += done % 2 != 0 ? rte_bswap16(part) : part;
		done += n;
		off -= RTE_MIN(off, (uint32_t)m->data_len);
	}
	sum = (sum & 0xffff) + (sum >> 16);
	return (sum & 0xffff) + (sum >> 16);
}

/*
 * Receive
 */

static bool
rx_is_tagged(const struct rte_mbuf *m)
{
	/* a device may lie, and say that a chain's first segment holds less */
	return m->data_len >= TAGGED_HDR_LEN &&
		rte_pktmbuf_mtod(m, const struct rte_ether_hdr *)->ether_type ==
		rte_cpu_to_be_16(RTE_ETHER_TYPE_VLAN);
}

static bool
mc_is_listed(const struct bcm4908_filter *filter, uint64_t addr)
{
	const uint32_t used = rte_atomic_load_explicit(&filter->mc_used, rte_memory_order_acquire);
	const struct bcm4908_mc_list *mc = &filter->mc[used];
	const uint32_t count = rte_atomic_load_explicit(&mc->count, rte_memory_order_relaxed);

	for (uint32_t i = 0; i < count; i++)
		if (rte_atomic_load_explicit(&mc->addrs[i], rte_memory_order_relaxed) == addr)
			return true;
	return false;
}

static bool
uc_is_listed(const struct bcm4908_filter *filter, uint64_t addr)
{
	for (uint32_t i = 0; i < BCM4908_MAX_MAC_ADDRS; i++)
		if (rte_atomic_load_explicit(&filter->uc[i], rte_memory_order_relaxed) == addr)
			return true;
	return false;
}

static bool
rx_address_passes(const struct bcm4908_filter *filter, const struct rte_mbuf *m, uint32_t soft)
{
	const struct rte_ether_addr *dst = rte_pktmbuf_mtod(m, const struct rte_ether_addr *);

	if (rte_is_unicast_ether_addr(dst))
		return (soft & BCM4908_RX_SOFT_UNICAST) == 0 ||
			uc_is_listed(filter, bcm4908_addr_word(dst));
	return (soft & BCM4908_RX_SOFT_MULTICAST) == 0 || rte_is_broadcast_ether_addr(dst) ||
		mc_is_listed(filter, bcm4908_addr_word(dst));
}

/* A frame without a tag passes, and so does one whose tag has but a priority. */
static bool
rx_vlan_passes(const struct bcm4908_filter *filter, const struct rte_mbuf *m)
{
	uint16_t id;

	if (!rx_is_tagged(m))
		return true;
	id = rte_be_to_cpu_16(rte_pktmbuf_mtod_offset(m, const struct rte_vlan_hdr *,
						      RTE_ETHER_HDR_LEN)->vlan_tci) &
		RTE_ETHER_MAX_VLAN_ID;
	return id == 0 || (rte_atomic_load_explicit(&filter->vlans[id / 64],
						    rte_memory_order_relaxed) >> id % 64 & 1) != 0;
}

/* Keep what passes the filters, in order, and free the others; returns how many are kept. */
static uint16_t
rx_filter(struct bcm4908_rxq *rxq, struct rte_mbuf **pkts, uint16_t n, uint32_t soft)
{
	const struct bcm4908_filter *filter = rxq->filter;
	uint64_t bytes = 0;
	uint16_t kept = 0;

	for (uint16_t i = 0; i < n; i++) {
		struct rte_mbuf *m = pkts[i];

		if (rx_address_passes(filter, m, soft) &&
		    ((soft & BCM4908_RX_SOFT_VLAN_FILTER) == 0 || rx_vlan_passes(filter, m))) {
			pkts[i] = pkts[kept];
			pkts[kept++] = m;
		} else {
			bytes += m->pkt_len;
		}
	}
	rte_pktmbuf_free_bulk(&pkts[kept], n - kept);
	bcm4908_count(&rxq->stats.filter_drops, n - kept);
	bcm4908_count(&rxq->stats.filter_bytes, bytes);
	return kept;
}

static void
rx_strip(struct rte_mbuf **pkts, uint16_t n)
{
	for (uint16_t i = 0; i < n; i++)
		if (rx_is_tagged(pkts[i]))
			rte_vlan_strip(pkts[i]);
}

/*
 * What the packet's checksums prove to be: RTE_MBUF_F_RX_*_CKSUM_*, or 0 where
 * there is none that can be told. What follows IPv6 extension headers is not
 * judged: they may change the pseudo header.
 */
static uint64_t
rx_verify(const struct rte_mbuf *m, uint32_t ptype, const struct rte_net_hdr_lens *lens)
{
	const uint32_t l4 = ptype & RTE_PTYPE_L4_MASK;
	const uint32_t l4_off = lens->l2_len + lens->l3_len;
	const bool ipv4 = RTE_ETH_IS_IPV4_HDR(ptype);
	const bool udp = l4 == RTE_PTYPE_L4_UDP;
	struct l4_span span;
	uint64_t flags = 0;

	if ((!ipv4 && (ptype & RTE_PTYPE_L3_MASK) != RTE_PTYPE_L3_IPV6) || l4_off > m->data_len)
		return 0;
	if (ipv4)
		flags = rte_raw_cksum(rte_pktmbuf_mtod_offset(m, const void *, lens->l2_len),
				      lens->l3_len) == 0xffff ?
			RTE_MBUF_F_RX_IP_CKSUM_GOOD : RTE_MBUF_F_RX_IP_CKSUM_BAD;
	if ((!udp && l4 != RTE_PTYPE_L4_TCP) || l4_off + lens->l4_len > m->data_len ||
	    !l4_span_get(m, lens->l2_len, lens->l3_len, ipv4, udp ? IPPROTO_UDP : IPPROTO_TCP, &span))
		return flags;
	if (udp &&
	    rte_pktmbuf_mtod_offset(m, const struct rte_udp_hdr *, l4_off)->dgram_cksum == 0)
		return flags | (ipv4 ? RTE_MBUF_F_RX_L4_CKSUM_NONE : RTE_MBUF_F_RX_L4_CKSUM_BAD);
	return flags | (l4_sum(m, &span) == 0xffff ?
			RTE_MBUF_F_RX_L4_CKSUM_GOOD : RTE_MBUF_F_RX_L4_CKSUM_BAD);
}

static void
rx_parse(const struct bcm4908_rxq *rxq, struct rte_mbuf **pkts, uint16_t n, uint32_t soft)
{
	const uint32_t layers = RTE_PTYPE_L2_MASK | RTE_PTYPE_L3_MASK | RTE_PTYPE_L4_MASK;
	const uint32_t mask =
		rte_atomic_load_explicit(&rxq->filter->ptype_mask, rte_memory_order_relaxed);

	for (uint16_t i = 0; i < n; i++) {
		struct rte_net_hdr_lens lens;
		const uint32_t ptype = rte_net_get_ptype(pkts[i], &lens, layers);

		pkts[i]->packet_type = ptype & mask;
		if ((soft & BCM4908_RX_SOFT_CKSUM) != 0)
			pkts[i]->ol_flags |= rx_verify(pkts[i], ptype, &lens);
	}
}

uint16_t
bcm4908_rx_burst_soft(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct bcm4908_rxq *rxq = queue;
	const bcm4908_burst_t rx = rte_atomic_load_explicit(&inner[rxq->port_id].rx,
							    rte_memory_order_acquire);
	const uint32_t soft = rte_atomic_load_explicit(&rxq->soft, rte_memory_order_acquire);
	uint16_t n = rx(queue, pkts, nb_pkts);

	for (uint16_t i = 0; i < n; i++)
		rte_prefetch0(rte_pktmbuf_mtod(pkts[i], void *));
	if ((soft & (BCM4908_RX_SOFT_UNICAST | BCM4908_RX_SOFT_MULTICAST |
		     BCM4908_RX_SOFT_VLAN_FILTER)) != 0)
		n = rx_filter(rxq, pkts, n, soft);
	if ((soft & BCM4908_RX_SOFT_VLAN_STRIP) != 0)
		rx_strip(pkts, n);
	if ((soft & (BCM4908_RX_SOFT_PTYPE | BCM4908_RX_SOFT_CKSUM)) != 0)
		rx_parse(rxq, pkts, n, soft);
	return n;
}

/*
 * Transmit
 */

/* Does nobody else see the first segment's bytes? */
static bool
tx_is_own(const struct rte_mbuf *m)
{
	return rte_mbuf_refcnt_read(m) == 1 && !RTE_MBUF_CLONED(m) &&
		(!RTE_MBUF_HAS_EXTBUF(m) || rte_mbuf_ext_refcnt_read(m->shinfo) == 1);
}

/* Do the segments hold what pkt_len says? Sums and copies go by it. */
static bool
tx_is_whole(const struct rte_mbuf *m)
{
	uint32_t len = 0;

	for (const struct rte_mbuf *seg = m; seg != NULL; seg = seg->next)
		len += seg->data_len;
	return len == m->pkt_len;
}

static bool
tx_cksum_l4(struct rte_mbuf *m, bool udp)
{
	const uint32_t at = m->l2_len + m->l3_len +
		(udp ? offsetof(struct rte_udp_hdr, dgram_cksum) : offsetof(struct rte_tcp_hdr, cksum));
	const bool ipv4 = (m->ol_flags & RTE_MBUF_F_TX_IPV4) != 0;
	struct l4_span span;
	uint16_t sum = 0;
	void *cksum;

	if (at + sizeof(sum) > m->data_len ||
	    !l4_span_get(m, m->l2_len, m->l3_len, ipv4, udp ? IPPROTO_UDP : IPPROTO_TCP, &span))
		return false;
	/* by bytes: headers may lie at odd addresses */
	cksum = rte_pktmbuf_mtod_offset(m, void *, at);
	memcpy(cksum, &sum, sizeof(sum));
	sum = ~l4_sum(m, &span);
	/* a UDP checksum of zero would say that there is none */
	if (sum == 0 && udp)
		sum = 0xffff;
	memcpy(cksum, &sum, sizeof(sum));
	return true;
}

/* Fill in the checksums that ol_flags ask for; false: the frame does not hold what they speak of. */
static bool
tx_cksum(struct rte_mbuf *m)
{
	const uint64_t l4 = m->ol_flags & RTE_MBUF_F_TX_L4_MASK;
	const uint32_t l3_min = (m->ol_flags & RTE_MBUF_F_TX_IPV6) != 0 ?
		sizeof(struct rte_ipv6_hdr) : sizeof(struct rte_ipv4_hdr);
	struct rte_ipv4_hdr *ip;

	if (m->l3_len < l3_min || m->l2_len + m->l3_len > m->data_len)
		return false;
	if ((m->ol_flags & RTE_MBUF_F_TX_IP_CKSUM) != 0) {
		ip = rte_pktmbuf_mtod_offset(m, struct rte_ipv4_hdr *, m->l2_len);
		ip->hdr_checksum = 0;
		ip->hdr_checksum = ~rte_raw_cksum(ip, m->l3_len);
	}
	if (l4 == RTE_MBUF_F_TX_TCP_CKSUM || l4 == RTE_MBUF_F_TX_UDP_CKSUM)
		return tx_cksum_l4(m, l4 == RTE_MBUF_F_TX_UDP_CKSUM);
	return l4 == 0;
}

/* As rte_vlan_insert(), which refuses frames in external buffers. */
static bool
tx_insert(struct rte_mbuf *m)
{
	const rte_be16_t tag[] = {
		rte_cpu_to_be_16(RTE_ETHER_TYPE_VLAN), rte_cpu_to_be_16(m->vlan_tci),
	};
	uint8_t *data = (uint8_t *)rte_pktmbuf_prepend(m, sizeof(tag));

	if (data == NULL)
		return false;
	memmove(data, data + sizeof(tag), 2 * RTE_ETHER_ADDR_LEN);
	memcpy(data + 2 * RTE_ETHER_ADDR_LEN, tag, sizeof(tag));
	return true;
}

/* Flags of a frame that ask for work of the stages in soft. */
static uint64_t
tx_flags(uint32_t soft)
{
	return ((soft & BCM4908_TX_SOFT_CKSUM) != 0 ?
		RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK : 0) |
		((soft & BCM4908_TX_SOFT_VLAN_INSERT) != 0 ? RTE_MBUF_F_TX_VLAN : 0);
}

/* Do to a frame what asked, a set of RTE_MBUF_F_TX_*, says; false: it cannot be done. */
static bool
tx_work(struct rte_mbuf *m, uint64_t asked)
{
	if ((asked & ~RTE_MBUF_F_TX_VLAN) != 0 && !tx_cksum(m))
		return false;
	return (asked & RTE_MBUF_F_TX_VLAN) == 0 || tx_insert(m);
}

/*
 * Can the work be done in the frame itself? Otherwise a copy is sent: others may
 * see the bytes of this one, or there is no room for the tag.
 */
static bool
tx_in_place(const struct rte_mbuf *m, uint64_t asked)
{
	return tx_is_own(m) && ((asked & RTE_MBUF_F_TX_VLAN) == 0 ||
				rte_pktmbuf_headroom(m) >= RTE_VLAN_HLEN);
}

/* A copy from the pool of the frame's own buffer, which a clone's pool need not have. */
static struct rte_mbuf *
tx_copy(struct rte_mbuf *m)
{
	struct rte_mempool *mp = RTE_MBUF_CLONED(m) ? rte_mbuf_from_indirect(m)->pool : m->pool;

	return rte_pktmbuf_copy(m, mp, 0, UINT32_MAX);
}

/* Free descriptors that the burst wants to see for a frame; also for one that it is going to refuse. */
static uint32_t
tx_need(const struct bcm4908_txq *txq, const struct rte_mbuf *m)
{
	const bool refused = m->nb_segs == 0 || m->nb_segs > txq->nb_desc - txq->batch + 1u;

	return refused ? 1 : m->nb_segs;
}

/* Is there room for a frame beside used descriptors? */
static bool
tx_has_room(struct bcm4908_txq *txq, uint32_t used, const struct rte_mbuf *m)
{
	const uint32_t need = used + tx_need(txq, m);

	if (txq->nb_free < need)
		bcm4908_tx_make_room(txq, need, txq->fast_free ? BCM4908_TX_F_FAST_FREE : 0);
	return txq->nb_free >= need;
}

/*
 * Do to a frame what asked says, in place or in a copy that takes its place;
 * used descriptors are spoken for. Returns 0 when it can be sent, -ENOSPC when
 * the ring lacks the room, another negative errno when it can never be.
 */
static int
tx_make_ready(struct bcm4908_txq *txq, struct rte_mbuf **m, uint64_t asked, uint32_t used)
{
	struct rte_mbuf *copy;

	if (!tx_has_room(txq, used, *m))
		return -ENOSPC;
	if (asked == 0)
		return 0;
	if (!tx_is_whole(*m) || (*m)->data_len < RTE_ETHER_HDR_LEN)
		return -EINVAL;
	if (!tx_in_place(*m, asked)) {
		copy = tx_copy(*m);
		if (copy == NULL)
			return -ENOMEM;
		if (!tx_has_room(txq, used, copy)) {
			rte_pktmbuf_free(copy);
			return -ENOSPC;
		}
		rte_pktmbuf_free(*m);
		*m = copy;
	}
	return tx_work(*m, asked) ? 0 : -EINVAL;
}

/*
 * Make frames ready until one finds no room; *nb_ready of them are to be sent,
 * all of them fit. Returns how many were taken from the caller: a frame for which
 * that cannot be done is dropped and counted.
 */
static uint16_t
tx_prepare(struct bcm4908_txq *txq, struct rte_mbuf **pkts, uint16_t n, uint32_t soft,
	   struct rte_mbuf **ready, uint16_t *nb_ready)
{
	const uint64_t flags = tx_flags(soft);
	uint32_t used = 0;
	uint16_t taken;

	*nb_ready = 0;
	for (taken = 0; taken < n; taken++) {
		struct rte_mbuf *m = pkts[taken];
		const int ret = tx_make_ready(txq, &m, m->ol_flags & flags, used);

		if (ret == -ENOSPC)
			break;
		if (ret != 0) {
			bcm4908_count(&txq->stats.offload_drops, 1);
			rte_pktmbuf_free(m);
			continue;
		}
		ready[(*nb_ready)++] = m;
		used += tx_need(txq, m);
	}
	return taken;
}

uint16_t
bcm4908_tx_burst_soft(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct bcm4908_txq *txq = queue;
	const bcm4908_burst_t tx = rte_atomic_load_explicit(&inner[txq->port_id].tx,
							    rte_memory_order_acquire);
	const uint32_t soft = rte_atomic_load_explicit(&txq->soft, rte_memory_order_acquire);
	struct rte_mbuf *ready[TX_CHUNK];
	uint16_t nb_tx = 0, nb_ready, n, taken;

	do {
		n = RTE_MIN(nb_pkts - nb_tx, TX_CHUNK);
		taken = tx_prepare(txq, &pkts[nb_tx], n, soft, ready, &nb_ready);
		tx(queue, ready, nb_ready);
		nb_tx += taken;
	} while (taken == n && nb_tx < nb_pkts);
	return nb_tx;
}
