/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* The model's side of the seam in a build that has none. */

#include <errno.h>

#include <rte_common.h>

#include "bcm4908_dev.h"
#include "bcm4908_logs.h"

int
bcm4908_dev_model_create(struct bcm4908_dev *dev __rte_unused, const char *name,
			 const struct bcm4908_devargs *args __rte_unused,
			 int socket __rte_unused)
{
	PMD_LOG(ERR, "%s: built without the device model", name);
	return -EINVAL;
}

int
bcm4908_dev_model_attach(struct bcm4908_dev *dev __rte_unused, void *shared __rte_unused)
{
	return -ENOMEM;
}
