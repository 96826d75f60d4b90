/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Waiting for a frame: an application that has found the queue empty arms the
 * interrupt and sleeps on its descriptor, by EAL's epoll or its own, or lets its
 * CPU watch the memory that the next frame changes.
 */

#include <errno.h>
#include <sys/eventfd.h>

#include <rte_byteorder.h>
#include <rte_interrupts.h>

#include "bcm4908_ethdev.h"
#include "bcm4908_hw.h"
#include "bcm4908_logs.h"

static int
intr_describe(struct rte_intr_handle *handle, int fd)
{
	if (rte_intr_vec_list_alloc(handle, "bcm4908_intr", 1) != 0 ||
	    rte_intr_vec_list_index_set(handle, 0, RTE_INTR_VEC_RXTX_OFFSET) != 0 ||
	    rte_intr_efds_index_set(handle, 0, fd) != 0 ||
	    rte_intr_nb_efd_set(handle, 1) != 0 ||
	    rte_intr_efd_counter_size_set(handle, sizeof(eventfd_t)) != 0 ||
	    rte_intr_type_set(handle, RTE_INTR_HANDLE_VDEV) != 0)
		return -ENOMEM;
	return 0;
}

int
bcm4908_intr_start(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_dev *dev = bcm4908_dev(eth_dev);
	int fd;

	if (eth_dev->data->dev_conf.intr_conf.rxq == 0 || bcm4908_port(eth_dev)->rxq == NULL)
		return 0;
	fd = dev->ops->rx_irq_fd(dev);
	if (fd < 0) {
		PMD_LOG(ERR, "port %u: no receive interrupts from this device",
			eth_dev->data->port_id);
		return fd;
	}
	if (eth_dev->intr_handle == NULL)
		eth_dev->intr_handle = rte_intr_instance_alloc(RTE_INTR_INSTANCE_F_PRIVATE);
	if (eth_dev->intr_handle == NULL)
		return -ENOMEM;
	return intr_describe(eth_dev->intr_handle, fd);
}

void
bcm4908_intr_stop(struct rte_eth_dev *eth_dev)
{
	struct rte_intr_handle *handle = eth_dev->intr_handle;

	if (handle == NULL)
		return;
	bcm4908_hw_rx_irq_disable(bcm4908_dev(eth_dev));
	/* Who sleeps on it is to add it again after a start, as with other drivers. */
	rte_intr_free_epoll_fd(handle);
	rte_intr_vec_list_free(handle);
	rte_intr_nb_efd_set(handle, 0);
}

void
bcm4908_intr_close(struct rte_eth_dev *eth_dev)
{
	bcm4908_intr_stop(eth_dev);
	rte_intr_instance_free(eth_dev->intr_handle);
	eth_dev->intr_handle = NULL;
}

static bool
intr_is_on(const struct rte_eth_dev *eth_dev)
{
	return eth_dev->intr_handle != NULL && rte_intr_nb_efd_get(eth_dev->intr_handle) == 1;
}

int
bcm4908_rx_queue_intr_enable(struct rte_eth_dev *eth_dev, uint16_t qid)
{
	struct bcm4908_rxq *rxq = eth_dev->data->rx_queues[qid];

	if (!intr_is_on(eth_dev)) {
		PMD_LOG(ERR, "port %u: it was not started with receive interrupts",
			eth_dev->data->port_id);
		return -ENOTSUP;
	}
	bcm4908_hw_rx_irq_enable(bcm4908_dev(eth_dev));
	/*
	 * What came after the application's last look and before the unmasking
	 * may raise nothing [5, re-arm race]: only one more look at the ring tells.
	 */
	if (bcm4908_rxq_desc_status(rxq, 0) == RTE_ETH_RX_DESC_DONE)
		eventfd_write(rte_intr_efds_index_get(eth_dev->intr_handle, 0), 1);
	return 0;
}

int
bcm4908_rx_queue_intr_disable(struct rte_eth_dev *eth_dev, uint16_t qid __rte_unused)
{
	if (!intr_is_on(eth_dev))
		return -ENOTSUP;
	bcm4908_hw_rx_irq_disable(bcm4908_dev(eth_dev));
	return 0;
}

/* To be called with the control word: do not sleep when it is not the device's. */
static int
monitor_check(const uint64_t val, const uint64_t opaque[RTE_POWER_MONITOR_OPAQUE_SZ])
{
	RTE_SET_USED(opaque);
	return (rte_le_to_cpu_32(val) & BCM4908_DESC_OWN) != 0 ? 0 : -1;
}

int
bcm4908_get_monitor_addr(void *rx_queue, struct rte_power_monitor_cond *cond)
{
	struct bcm4908_rxq *rxq = rx_queue;

	cond->addr = &rxq->ring[rxq->next].ctl;
	cond->size = sizeof(rxq->ring[0].ctl);
	cond->fn = monitor_check;
	return 0;
}
