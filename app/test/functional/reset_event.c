/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * An application that recovers a port when the driver asks for it. One port
 * sends numbered frames, the other sends them back; the latter stops sending
 * at some time (fault=), and every frame must come back or be counted as lost.
 *
 * dpdk-bcm4908-test-reset -d librte_net_bcm4908.so \
 *	--vdev=net_bcm4908_source,wire=cable:c \
 *	--vdev=net_bcm4908_mirror,wire=cable:c,fault=tx-hang:after:1000:count:1
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#define FRAMES		20000u
#define FRAME_LEN	200u
#define BURST		32u
#define WINDOW		(4 * BURST)	/* frames under way at most */
#define RING		512u
#define PATIENCE_S	10		/* without a frame: the recovery failed */

static struct rte_mempool *pool;
static uint16_t source, mirror;
static uint32_t sent, back, lost, resets;

/* reset-event: callback */
/* Called from the driver's control thread, where a port cannot be reset. */
static bool reset_due;

static int
on_reset_event(uint16_t port __rte_unused, enum rte_eth_event_type event __rte_unused,
	       void *arg __rte_unused, void *ret __rte_unused)
{
	__atomic_store_n(&reset_due, true, __ATOMIC_RELEASE);
	return 0;
}
/* reset-event: end */

static int
port_set_up(uint16_t port)
{
	const struct rte_eth_conf conf = { 0 };

	if (rte_eth_dev_configure(port, 1, 1, &conf) != 0 ||
	    rte_eth_rx_queue_setup(port, 0, RING, SOCKET_ID_ANY, NULL, pool) != 0 ||
	    rte_eth_tx_queue_setup(port, 0, RING, SOCKET_ID_ANY, NULL) != 0)
		return -1;
	return rte_eth_dev_start(port);
}

/* reset-event: recover */
/* In the loop that polls the port, so that no burst is under way. */
static int
port_recover(uint16_t port)
{
	struct rte_eth_stats stats;

	if (!__atomic_exchange_n(&reset_due, false, __ATOMIC_ACQUIRE))
		return 0;
	/* Frames that were not sent are freed and counted. */
	if (rte_eth_dev_stop(port) != 0 || rte_eth_stats_get(port, &stats) != 0)
		return -1;
	lost += stats.oerrors;
	resets++;
	/* All that was configured is set up again. */
	if (rte_eth_dev_reset(port) != 0)
		return -1;
	return port_set_up(port);
}
/* reset-event: end */

static uint8_t
frame_byte(uint32_t number, uint32_t at)
{
	return (uint8_t)(number * 31 + at * 7 + (number >> 8));
}

static struct rte_mbuf *
frame_make(uint32_t number)
{
	static const uint8_t head[RTE_ETHER_HDR_LEN] = {
		0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 2, 0x88, 0xb5,
	};
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);
	uint8_t *data = m == NULL ? NULL : (uint8_t *)rte_pktmbuf_append(m, FRAME_LEN);
	uint32_t i;

	if (data == NULL) {
		rte_pktmbuf_free(m);
		return NULL;
	}
	memcpy(data, head, sizeof(head));
	memcpy(data + sizeof(head), &number, sizeof(number));
	for (i = sizeof(head) + sizeof(number); i < FRAME_LEN; i++)
		data[i] = frame_byte(number, i);
	return m;
}

/* Frames come in order and whole; the number of the one that is to come, or more. */
static bool
frame_check(const struct rte_mbuf *m, uint32_t *next)
{
	const uint8_t *data = rte_pktmbuf_mtod(m, const uint8_t *);
	uint32_t number, i;

	if (m->pkt_len != FRAME_LEN)
		return false;
	memcpy(&number, data + RTE_ETHER_HDR_LEN, sizeof(number));
	for (i = RTE_ETHER_HDR_LEN + sizeof(number); i < FRAME_LEN; i++)
		if (data[i] != frame_byte(number, i))
			return false;
	if (number < *next)
		return false;
	*next = number + 1;
	return true;
}

static void
source_send(void)
{
	struct rte_mbuf *m[BURST];
	uint16_t n = 0, done;

	while (n < BURST && sent + n < FRAMES && sent + n - back - lost < WINDOW) {
		m[n] = frame_make(sent + n);
		if (m[n] == NULL)
			break;
		n++;
	}
	done = rte_eth_tx_burst(source, 0, m, n);
	sent += done;
	rte_pktmbuf_free_bulk(m + done, n - done);
}

static bool
source_receive(void)
{
	static uint32_t next;
	struct rte_mbuf *m[BURST];
	const uint16_t n = rte_eth_rx_burst(source, 0, m, BURST);
	bool ok = true;

	for (uint16_t i = 0; i < n; i++)
		ok &= frame_check(m[i], &next);
	back += n;
	rte_pktmbuf_free_bulk(m, n);
	return ok;
}

static void
mirror_forward(void)
{
	struct rte_mbuf *m[BURST];
	const uint16_t n = rte_eth_rx_burst(mirror, 0, m, BURST);
	const uint16_t done = rte_eth_tx_burst(mirror, 0, m, n);

	lost += n - done;
	rte_pktmbuf_free_bulk(m + done, n - done);
}

static bool
run(void)
{
	uint64_t moved = rte_get_timer_cycles();
	uint32_t seen = 0;

	while (back + lost < FRAMES) {
		source_send();
		mirror_forward();
		if (!source_receive()) {
			printf("a frame came back with other bytes, or out of order\n");
			return false;
		}
		if (port_recover(mirror) != 0) {
			printf("the port does not recover\n");
			return false;
		}
		if (back != seen) {
			seen = back;
			moved = rte_get_timer_cycles();
		} else if (rte_get_timer_cycles() - moved > PATIENCE_S * rte_get_timer_hz()) {
			printf("nothing moves any more\n");
			return false;
		}
	}
	return true;
}

int
main(int argc, char **argv)
{
	bool ok;

	if (rte_eal_init(argc, argv) < 0 ||
	    rte_eth_dev_get_port_by_name("net_bcm4908_source", &source) != 0 ||
	    rte_eth_dev_get_port_by_name("net_bcm4908_mirror", &mirror) != 0)
		return EXIT_FAILURE;
	pool = rte_pktmbuf_pool_create("frames", 4 * RING - 1, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
				       SOCKET_ID_ANY);
	if (pool == NULL || port_set_up(source) != 0 || port_set_up(mirror) != 0 ||
	    rte_eth_dev_callback_register(mirror, RTE_ETH_EVENT_INTR_RESET, on_reset_event,
					  NULL) != 0)
		return EXIT_FAILURE;
	ok = run();
	ok = rte_eth_dev_stop(source) == 0 && rte_eth_dev_stop(mirror) == 0 && ok;
	printf("sent %u back %u lost %u resets %u\n", sent, back, lost, resets);
	ok = rte_eth_dev_close(source) == 0 && rte_eth_dev_close(mirror) == 0 && ok;
	if (rte_mempool_avail_count(pool) != pool->size) {
		printf("%u mbufs are missing\n", pool->size - rte_mempool_avail_count(pool));
		ok = false;
	}
	rte_eal_cleanup();
	return ok && sent == FRAMES && back + lost == sent ? EXIT_SUCCESS : EXIT_FAILURE;
}
