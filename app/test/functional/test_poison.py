# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""With sanitizers, stock testpmd uses pools that are poisoned by hand."""

import os

import pytest


@pytest.mark.skipif(os.environ.get("BCM4908_SANITIZED") != "1", reason="not a sanitizer build")
def test_pools_are_poisoned(run_testpmd):
    t = run_testpmd(["net_bcm4908_0"])
    pool = t.cmd("dump_mempool mb_pool_0")
    assert "ops_name: <bcm4908_poison>" in pool
    assert "cache_size=0" in pool
    t.cmd("set fwd io")
    t.cmd("start tx_first 4")
    t.cmd("stop")
    assert t.stats(0)["ipackets"] > 0
    t.quit()
