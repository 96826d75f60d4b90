/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* What is to be agreed on with the other end of the line. */

#include <errno.h>

#include "bcm4908_ethdev.h"
#include "bcm4908_hw.h"
#include "bcm4908_logs.h"

int
bcm4908_flow_ctrl_get(struct rte_eth_dev *eth_dev, struct rte_eth_fc_conf *conf)
{
	const struct bcm4908_port *port = bcm4908_port(eth_dev);

	conf->mode = port->ignore_pause ? RTE_ETH_FC_NONE : RTE_ETH_FC_RX_PAUSE;
	conf->mac_ctrl_frame_fwd = port->control_fwd;
	return 0;
}

int
bcm4908_flow_ctrl_set(struct rte_eth_dev *eth_dev, struct rte_eth_fc_conf *conf)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);

	/* The DMA asks for PAUSE when credits run low, which every refill had to write [3.5]. */
	if (conf->mode != RTE_ETH_FC_NONE && conf->mode != RTE_ETH_FC_RX_PAUSE) {
		PMD_LOG(ERR, "port %u: PAUSE frames can be obeyed (rx), but are not sent (tx)",
			port->port_id);
		return -ENOTSUP;
	}
	if (conf->autoneg != 0) {
		PMD_LOG(ERR, "port %u: the link to the switch is fixed, flow control is not negotiated",
			port->port_id);
		return -ENOTSUP;
	}
	port->ignore_pause = conf->mode == RTE_ETH_FC_NONE;
	port->control_fwd = conf->mac_ctrl_frame_fwd != 0;
	bcm4908_hw_set_pause(bcm4908_dev(eth_dev), !port->ignore_pause, port->control_fwd);
	return 0;
}

/*
 * The line cannot be taken down [1.2]: it is the MAC that hears and says nothing.
 * Frames wait in the transmit ring meanwhile.
 */
static int
set_link(struct rte_eth_dev *eth_dev, bool up)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);

	if (!port->running)
		return 0; /* start takes it up */
	/* The watchdog takes a MAC that is off for one that was lost. */
	bcm4908_watchdog_cancel(eth_dev);
	port->link_off = !up;
	bcm4908_hw_mac_enable(bcm4908_dev(eth_dev), bcm4908_mac_rx(port), bcm4908_mac_tx(port));
	bcm4908_watchdog_set(eth_dev);
	bcm4908_link_watch(eth_dev);
	return 0;
}

int
bcm4908_set_link_up(struct rte_eth_dev *eth_dev)
{
	return set_link(eth_dev, true);
}

int
bcm4908_set_link_down(struct rte_eth_dev *eth_dev)
{
	return set_link(eth_dev, false);
}
