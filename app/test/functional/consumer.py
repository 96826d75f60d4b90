# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Stock programs other than testpmd: built from DPDK's source where need be, run on the rig."""

import os
import re
import shutil
import subprocess
import time

import pytest

import program
import rig as rigs

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), *[".."] * 3))
NO_HUGE = ("--no-huge", "-m", "512")


def installed(name):
    """Return the path of a program of the distribution; skip without it."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def dpdk_source():
    """Return the source of the installed DPDK; skip without it."""
    version = subprocess.run(["pkg-config", "--modversion", "libdpdk"], check=True,
                             capture_output=True, text=True).stdout.strip()
    source = subprocess.run([os.path.join(TOP, "devtools", "dpdk-source.sh"), version], check=True,
                            capture_output=True, text=True).stdout.strip()
    if source == "":
        pytest.skip(f"there is no source of DPDK {version}")
    return source


def linked_pool_drivers():
    """Return the mempool drivers that testpmd is linked to.

    Pools know their driver by the number in which it was loaded, so processes that share
    pools have to load them in one order; the tools are linked to none.
    """
    linked = subprocess.run(["ldd", installed("dpdk-testpmd")], check=True, capture_output=True,
                            text=True).stdout
    return re.findall(r"librte_mempool_\S+(?= =>)", linked)


def example(build_dir, name, binary=None):
    """Return the path of one of DPDK's examples, built as its own Makefile does; once."""
    source = os.path.join(dpdk_source(), "examples")
    top = os.path.join(build_dir, "examples")
    for part in ("common", name):
        shutil.copytree(os.path.join(source, part), os.path.join(top, part), dirs_exist_ok=True)
    made = subprocess.run(["make", "-s", "-C", os.path.join(top, name), "shared"], check=False,
                          capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    return os.path.join(top, name, "build", binary or name)


class Consumer(program.Program):
    """A program on the ports of the rig, in a network namespace; its lines as lines.

    command: its path; options: its own; ready: what it prints when it forwards.
    """

    serial = 0

    def __init__(self, plugin_dir, env, command, options, ready, lcores=1, devargs="",
                 wide=False, eal=NO_HUGE):
        reason = rigs.why_not()
        if reason is not None:
            pytest.skip(reason)
        Consumer.serial += 1
        prefix = f"bcm4908-consumer-{os.getpid()}-{Consumer.serial}"
        self.lines = None
        self.namespace = program.Namespace()
        try:
            if wide:
                rigs.wide_namespace(self.namespace)
            argv = [*self.namespace.prefix, command, program.eal_cores(lcores), "--no-pci",
                    f"--file-prefix={prefix}", *eal, "-d", program.PLUGIN]
            argv += [f"--vdev={v}" for v in rigs.vdevs(devargs, wide)] + ["--", *options]
            super().__init__(argv, program.plugin_environ(plugin_dir, env=env), prefix=prefix)
        except BaseException:
            self.namespace.close()
            raise
        try:
            self.expect(ready)
            self.lines = rigs.Lines(self.namespace)
        except BaseException:
            self.close(True)
            raise

    def open(self, last, into=0, out=1):
        """Send frames of last's making until one arrives: the program forwards."""
        deadline = time.monotonic() + rigs.PATIENCE
        mark = b"last frame of a way that opens"
        while True:
            self.lines.ends[into].send(last(mark))
            data = self.lines.ends[out].receive(0.2)
            if data is not None and mark in data:
                return
            assert time.monotonic() < deadline, self.tail()

    def reopen(self):
        """Take the lines anew, of which one was down."""
        self.lines.close()
        self.lines = rigs.Lines(self.namespace)

    def close(self, failed=False):
        """End all of it; the program by an interrupt, which it may handle or not."""
        try:
            if failed or self.proc.poll() is not None:
                self.kill()
            else:
                self.quit(wanted=(0, -2, 130))
        finally:
            if self.lines is not None:
                self.lines.close()
            self.namespace.close()


class Tool(program.Program):
    """A tool that looks at a rig's testpmd from a secondary process."""

    def __init__(self, primary, plugin_dir, env, name, *options):
        environ = program.plugin_environ(plugin_dir, env=env)
        # dpdk-dumpcap has no option for plugins.
        environ["LD_PRELOAD"] = ":".join(
            filter(None, [environ.get("LD_PRELOAD"), *linked_pool_drivers(), program.PLUGIN]))
        super().__init__([installed(name), f"--file-prefix={primary.t.prefix}", *options], environ)
