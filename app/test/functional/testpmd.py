# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Stock dpdk-testpmd with the plugin: started, told commands, asked by telemetry."""

import os

import program

POISON = "librte_mempool_bcm4908_poison.so"
PROMPT = "testpmd> "


def poisoned_pools(plugin_dir):
    """With sanitizers, return options for poisoned pools, EAL's and testpmd's, and a directory."""
    if os.environ.get("BCM4908_SANITIZED") != "1":
        return [], [], None
    directory = os.path.join(os.path.dirname(os.path.abspath(plugin_dir)), "app", "test", "poison")
    # A cache would keep frees from the pool's operations.
    return ["-d", POISON, "--mbuf-pool-ops-name=bcm4908_poison"], ["--mbcache=0"], directory


class Testpmd(program.Program):
    """One interactive testpmd, used as a context manager.

    plugin_dir: where the plugin lies; vdevs: values of --vdev; args: testpmd's own options;
    eal: EAL options; check: every vdev must be there, testpmd itself goes on without;
    wrap: a command that starts it, such as a namespace's.
    """

    __test__ = False
    serial = 0

    def __init__(self, plugin_dir, vdevs, args=(), eal=("--no-huge", "-m", "512"), env=None,
                 timeout=60, check=True, wrap=(), mbufs=16384, lcores=2):
        Testpmd.serial += 1
        prefix = f"bcm4908-{os.getpid()}-{Testpmd.serial}"
        argv = [*wrap, "dpdk-testpmd", program.eal_cores(lcores), "--no-pci",
                f"--file-prefix={prefix}"]
        pool_eal, pool_args, pool_dir = poisoned_pools(plugin_dir)
        argv += list(eal) + ["-d", program.PLUGIN] + pool_eal + [f"--vdev={v}" for v in vdevs]
        argv += ["--", "-i", f"--total-num-mbufs={mbufs}"] + pool_args + list(args)
        super().__init__(argv, program.plugin_environ(plugin_dir, pool_dir, env=env), PROMPT,
                         prefix, timeout=timeout)
        try:
            for vdev in vdevs if check else ():
                self.port_id(vdev.split(",")[0])
        except BaseException:
            self.kill()
            raise
