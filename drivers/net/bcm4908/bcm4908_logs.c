/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include "bcm4908_logs.h"

RTE_LOG_REGISTER_DEFAULT(bcm4908_logtype, NOTICE);
