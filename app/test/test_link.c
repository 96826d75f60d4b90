/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* Link up and down, flow control, the monitor address, and the dump of a port. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_ethdev.h>
#include <rte_power_intrinsics.h>

#include "port.h"

#define CMD_PAUSE_FWD		(1u << 7)
#define CMD_RX_PAUSE_IGNORE	(1u << 8)
#define CMD_CNTL_FRM_EN		(1u << 23)

/* A MAC control frame: opcode 1 is PAUSE, for so many quanta, of a step each. */
static int
push_control(struct port *p, uint8_t opcode, uint8_t quanta)
{
	const uint8_t frame[60] = {
		0x01, 0x80, 0xc2, 0, 0, 0x01, 0x02, 0, 0, 0, 0, 0x09, 0x88, 0x08,
		0, opcode, 0, quanta,
	};

	CHECK(port_push(p, frame, sizeof(frame)));
	return 0;
}

/* Is a frame that is sent now held back? */
static int
is_held(struct port *p, bool *held)
{
	struct rte_mbuf *m = mbuf_frame(p->pool, 100, 1);

	CHECK(m != NULL);
	port_line_clear(p);
	CHECK_EQ(port_tx(p, &m, 1), 1);
	port_step(p, 1);
	port_step(p, 1);
	*held = port_sent(p) == 0;
	for (unsigned int i = 0; i < 300; i++)
		port_step(p, 1);
	CHECK_EQ(port_sent(p), 1);
	return 0;
}

static int
check_pause(struct port *p, enum rte_eth_fc_mode mode)
{
	struct rte_eth_fc_conf conf = { .mode = RTE_ETH_FC_FULL };
	struct rte_mbuf *m;
	bool held;

	CHECK_EQ(rte_eth_dev_flow_ctrl_get(p->id, &conf), 0);
	CHECK_EQ(conf.mode, mode);
	CHECK_EQ(conf.autoneg, 0);
	CHECK_EQ(conf.mac_ctrl_frame_fwd, 0);
	CHECK_EQ((port_reg(p, BCM4908_UMAC_CMD) & CMD_RX_PAUSE_IGNORE) == 0,
		 mode == RTE_ETH_FC_RX_PAUSE);
	CHECK_OK(push_control(p, 1, 100));
	CHECK_OK(is_held(p, &held));
	CHECK_EQ(held, mode == RTE_ETH_FC_RX_PAUSE);
	CHECK_EQ(port_rx(p, &m, 1), 0);
	return 0;
}

/* PAUSE frames are obeyed, unless that is switched off; stop and start change nothing. */
TEST(flow_ctrl_rx_pause)
{
	struct rte_eth_fc_conf conf;
	struct port p;

	PORT_OPEN(&p);
	CHECK_OK(check_pause(&p, RTE_ETH_FC_RX_PAUSE));
	for (unsigned int i = 0; i < 2; i++) {
		conf = (struct rte_eth_fc_conf){ .mode = RTE_ETH_FC_NONE };
		CHECK_EQ(rte_eth_dev_flow_ctrl_set(p.id, &conf), 0);
		CHECK_OK(check_pause(&p, RTE_ETH_FC_NONE));
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		CHECK_OK(check_pause(&p, RTE_ETH_FC_NONE));
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		conf.mode = RTE_ETH_FC_RX_PAUSE;
		CHECK_EQ(rte_eth_dev_flow_ctrl_set(p.id, &conf), 0);
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		CHECK_OK(check_pause(&p, RTE_ETH_FC_RX_PAUSE));
	}
	return port_close(&p);
}

static int
check_forward(struct port *p, bool fwd)
{
	struct rte_mbuf *m;

	for (uint8_t opcode = 1; opcode <= 2; opcode++) {
		CHECK_OK(push_control(p, opcode, 0));
		port_run(p);
		CHECK_EQ(port_rx(p, &m, 1), fwd);
		if (!fwd)
			continue;
		CHECK_EQ(rte_pktmbuf_data_len(m), 60);
		CHECK_EQ(rte_pktmbuf_mtod(m, uint8_t *)[15], opcode);
		rte_pktmbuf_free(m);
	}
	return 0;
}

/* MAC control frames reach the application only where it asks for them. */
TEST(flow_ctrl_frame_fwd)
{
	struct rte_eth_fc_conf conf = {
		.mode = RTE_ETH_FC_RX_PAUSE,
		.mac_ctrl_frame_fwd = 1,
	};
	struct port p;

	PORT_OPEN(&p);
	CHECK_OK(check_forward(&p, false));
	CHECK_EQ(rte_eth_dev_flow_ctrl_set(p.id, &conf), 0);
	CHECK_EQ(port_reg(&p, BCM4908_UMAC_CMD) & (CMD_PAUSE_FWD | CMD_CNTL_FRM_EN),
		 CMD_PAUSE_FWD | CMD_CNTL_FRM_EN);
	CHECK_OK(check_forward(&p, true));
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(check_forward(&p, true));
	memset(&conf, 0, sizeof(conf));
	CHECK_EQ(rte_eth_dev_flow_ctrl_get(p.id, &conf), 0);
	CHECK_EQ(conf.mac_ctrl_frame_fwd, 1);
	conf.mac_ctrl_frame_fwd = 0;
	CHECK_EQ(rte_eth_dev_flow_ctrl_set(p.id, &conf), 0);
	CHECK_OK(check_forward(&p, false));
	return port_close(&p);
}

/* What the hardware cannot do is refused, with a reason, and changes nothing. */
TEST(flow_ctrl_refused)
{
	static const struct {
		struct rte_eth_fc_conf conf;
		const char *reason;
	} wrong[] = {
		{ { .mode = RTE_ETH_FC_TX_PAUSE }, "not sent" },
		{ { .mode = RTE_ETH_FC_FULL }, "not sent" },
		{ { .mode = RTE_ETH_FC_NONE, .autoneg = 1 }, "negotiated" },
	};
	struct rte_eth_fc_conf conf;
	struct port p;

	PORT_OPEN(&p);
	for (unsigned int i = 0; i < RTE_DIM(wrong); i++) {
		conf = wrong[i].conf;
		log_catch();
		CHECK_EQ(rte_eth_dev_flow_ctrl_set(p.id, &conf), -ENOTSUP);
		CHECK(strstr(log_caught(), wrong[i].reason) != NULL);
		CHECK_OK(check_pause(&p, RTE_ETH_FC_RX_PAUSE));
	}
	return port_close(&p);
}

static int
monitor(uint16_t port_id, struct rte_power_monitor_cond *cond, int *verdict)
{
	CHECK_EQ(rte_eth_get_monitor_addr(port_id, 0, cond), 0);
	CHECK_EQ(cond->size, 4);
	*verdict = cond->fn(*(volatile uint32_t *)cond->addr, cond->opaque);
	return 0;
}

/* A CPU may sleep until the word that it is shown changes, and that is the next frame's. */
TEST(monitor_addr)
{
	struct rte_power_monitor_cond cond, before;
	struct rte_mbuf *m;
	int verdict;
	struct port p;

	PORT_OPEN(&p, .rx_desc = 64);
	for (unsigned int i = 0; i < 200; i++) {
		CHECK_OK(monitor(p.id, &cond, &verdict));
		CHECK_EQ(verdict, 0);
		before = cond;
		CHECK(port_push_frame(&p, 60, i));
		port_run(&p);
		/* the same word, now with a frame: no sleep */
		CHECK(cond.fn(*(volatile uint32_t *)before.addr, before.opaque) < 0);
		CHECK_OK(monitor(p.id, &cond, &verdict));
		CHECK(cond.addr == before.addr);
		CHECK(verdict < 0);
		CHECK_EQ(port_rx(&p, &m, 1), 1);
		CHECK_OK(mbuf_check(&p, m, 60, i));
		rte_pktmbuf_free(m);
		CHECK_OK(monitor(p.id, &cond, &verdict));
		CHECK(cond.addr != before.addr);
	}
	return port_close(&p);
}

static int
dump(uint16_t port_id, char **text)
{
	size_t size;
	FILE *f = open_memstream(text, &size);

	CHECK(f != NULL);
	CHECK_EQ(rte_eth_dev_priv_dump(port_id, f), 0);
	fclose(f);
	return 0;
}

static int
dump_has(uint16_t port_id, const char *const *words, unsigned int n)
{
	char *text;

	CHECK_OK(dump(port_id, &text));
	for (unsigned int i = 0; i < n; i++)
		CHECK(strstr(text, words[i]) != NULL, "no \"%s\" in\n%s", words[i], text);
	free(text);
	return 0;
}

/* The dump tells what can be asked otherwise, and works in any state. */
TEST(priv_dump)
{
	static const char * const stopped[] = { "port: stopped", "rx queue: ", "tx queue: " };
	static const char * const none[] = { "rx queue: none", "tx queue: " };
	const char *running[] = {
		"port: running", "device moves by hand", "PAUSE obeyed", "96 descriptors",
		"128 descriptors, fills 3, in use 3", "Scattered", "longest frame 1532",
		"rx channel: enabled", NULL,
	};
	struct rte_mbuf *m[3];
	struct port p;

	PORT_OPEN(&p, .rx_desc = 96, .tx_desc = 128,
		  .conf.rxmode.offloads = RTE_ETH_RX_OFFLOAD_SCATTER);
	port_run(&p);
	for (unsigned int i = 0; i < RTE_DIM(m); i++)
		m[i] = mbuf_frame(p.pool, 100, i);
	CHECK_EQ(port_tx(&p, m, RTE_DIM(m)), RTE_DIM(m));
	running[RTE_DIM(running) - 1] = p.pool->name;
	CHECK_OK(dump_has(p.id, running, RTE_DIM(running)));
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_OK(dump_has(p.id, stopped, RTE_DIM(stopped)));
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(port_close(&p));

	PORT_OPEN(&p, .rx_desc = PORT_NO_QUEUE);
	CHECK_OK(dump_has(p.id, none, RTE_DIM(none)));
	CHECK_OK(port_close(&p));
	PORT_OPEN(&p, .unset = true, .stopped = true);
	CHECK_OK(dump_has(p.id, stopped, 1));
	return port_close(&p);
}

static int
on_link(uint16_t port __rte_unused, enum rte_eth_event_type event __rte_unused, void *arg,
	void *ret __rte_unused)
{
	(*(unsigned int *)arg)++;
	return 0;
}

static int
check_link(const struct port *p, bool up, unsigned int events, unsigned int want)
{
	struct rte_eth_link link;

	CHECK_EQ(rte_eth_link_get_nowait(p->id, &link), 0);
	CHECK_EQ(link.link_status, up);
	CHECK_EQ(events, want);
	return 0;
}

/* Nothing passes a link that is set down; what was to be sent goes once it is up. */
TEST(link_set)
{
	unsigned int events = 0;
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .conf.intr_conf.lsc = 1);
	CHECK_EQ(rte_eth_dev_callback_register(p.id, RTE_ETH_EVENT_INTR_LSC, on_link, &events), 0);
	bcm4908_watchdog(p.eth_dev);
	events = 0;
	log_catch();
	for (unsigned int round = 0; round < 3; round++) {
		port_line_clear(&p);
		CHECK_EQ(rte_eth_dev_set_link_down(p.id), 0);
		CHECK_OK(check_link(&p, false, events, 2 * round + 1));
		CHECK(!port_push_frame(&p, 100, 1));
		m = mbuf_frame(p.pool, 100, round);
		CHECK_EQ(port_tx(&p, &m, 1), 1);
		port_run(&p);
		/* neither lost nor stalled */
		for (unsigned int i = 0; i < 200; i++)
			bcm4908_watchdog(p.eth_dev);
		CHECK_EQ(port_sent(&p), 0);
		CHECK_EQ(rte_eth_dev_set_link_down(p.id), 0); /* is down */
		CHECK_EQ(rte_eth_dev_set_link_up(p.id), 0);
		CHECK_OK(check_link(&p, true, events, 2 * round + 2));
		port_run(&p);
		CHECK_EQ(port_sent(&p), 1);
		CHECK_OK(port_check_sent(&p, 0, 100, round));
		CHECK(port_push_frame(&p, 100, 1));
		port_run(&p);
		CHECK_EQ(port_rx(&p, &m, 1), 1);
		rte_pktmbuf_free(m);
	}
	/* a start takes it up */
	CHECK_EQ(rte_eth_dev_set_link_down(p.id), 0);
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK(port_push_frame(&p, 100, 1));
	CHECK(strstr(log_caught(), "reset") == NULL, "%s", log_caught());
	CHECK_EQ(rte_eth_dev_callback_unregister(p.id, RTE_ETH_EVENT_INTR_LSC, on_link, &events), 0);
	return port_close(&p);
}
