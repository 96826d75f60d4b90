# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Faults of the device in testpmd, and in an application that recovers from them."""

import glob
import os
import re
import subprocess
import time

import pytest

import program

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), *[".."] * 3))
MODEL = os.path.join(TOP, "drivers", "net", "bcm4908", "model")
GUIDE = os.path.join(TOP, "doc", "guides", "nics", "bcm4908.rst")
PROGRAM = "dpdk-bcm4908-test-reset"
WAIT = 20  # seconds for what takes 0.1; only a failure takes it

SENT = 320  # testpmd's "tx_first 10"
LEN = 100
STALL = "no frame was sent for 100 ms"
EVENT = "Port 0: reset event"


def kinds():
    """Return the names of all kinds of faults."""
    with open(os.path.join(MODEL, "bcm4908_model_fault.c"), encoding="utf-8") as f:
        return re.findall(r'\[BCM4908_FAULT_\w+\] = \{ "([a-z-]+)",', f.read())


def wait_for(done):
    """Wait until something is true."""
    deadline = time.monotonic() + WAIT
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def send(t, received):
    """Send SENT frames through the loop, of which so many must come back."""
    t.cmd("clear port stats all")
    t.cmd("start tx_first 10")
    wait_for(lambda: t.stats(0)["ipackets"] >= received)
    time.sleep(0.05)  # for one too many
    t.cmd("stop")
    stats = t.stats(0)
    assert stats["opackets"] == SENT
    assert (stats["ipackets"], stats["ibytes"]) == (received, received * LEN)
    assert stats["ierrors"] == stats["imissed"] == 0


def recover_reset(t):
    """As the driver's log says."""
    t.cmd("port reset 0")


def recover_restart(_):
    """Nothing but the stop and the start around this."""


@pytest.mark.parametrize("recover", [recover_reset, recover_restart])
@pytest.mark.parametrize("fault, received", [
    ("tx-hang:after:100:count:1", 100),
    # sent, but not given back: the last of what was posted
    (f"tx-own:after:{SENT - 1}:count:1", SENT),
])
def test_stall(run_testpmd, fault, received, recover):
    """Transmit stops: one log line and one event; what is counted; the port recovers."""
    t = run_testpmd([f"net_bcm4908_0,fault={fault}"])
    t.cmd("set fwd rxonly")
    t.cmd(f"set txpkts {LEN}")
    send(t, received)
    wait_for(lambda: t.cmd("") is not None and EVENT in t.output)
    time.sleep(0.3)
    t.cmd("")
    assert t.output.count(STALL) == 1
    assert t.output.count(EVENT) == 1
    t.cmd("port stop 0")
    dropped = int(re.search(r"tx_stop_dropped: (\d+)", t.cmd("show port xstats 0"))[1])
    # the one that was kept is not sure to be sent
    assert dropped == (SENT - received if received < SENT else 1)
    recover(t)
    t.cmd("port start 0")
    for _ in range(3):
        send(t, SENT)
    t.quit()


def test_all_kinds_at_once(run_testpmd):
    """A port for each kind, one of them every so often, a wire that is not there: nobody hangs."""
    early = ("garbage", "boot")
    at_once = kinds()
    if "BCM4908_SANITIZED" in os.environ:
        # It may send a frame twice, the second time from memory that was given back.
        at_once.remove("tx-own")
    vdevs = []
    for i, kind in enumerate(at_once):
        value = ":value:4095" if kind == "rx-len" else ""
        when = "" if kind in early else ":after:100:every:37"
        vdevs.append(f"net_bcm4908_{i},fault={kind}{value}{when}")
    vdevs.append(f"net_bcm4908_{len(vdevs)},wire=net_absent")
    t = run_testpmd(vdevs, args=["--total-num-mbufs=40000", "--rxd=128", "--txd=128"],
                    eal=("--no-huge", "-m", "700"), check=False)
    for _ in range(2):
        t.cmd("start tx_first")
        time.sleep(1)
        t.cmd("stop")
        # one does not stop, and some do not start: see the guide
        t.cmd("port stop all")
        t.cmd("port start all")
    honest = t.port_id(f"net_bcm4908_{at_once.index('rx-status')}")
    assert t.stats(honest)["ipackets"] > 0
    t.quit()


@pytest.mark.parametrize("fault, resets", [
    ("tx-hang:after:1000:count:1", 1),
    ("tx-hang:after:1000:every:5000:count:3", 3),
])
def test_program(build_dir, plugin_dir, fault, resets):
    """An application resets the port in its own loop, and misses no frame that is not counted."""
    argv = [os.path.join(build_dir, "app", PROGRAM), program.eal_cores(1), "--no-pci", "--no-huge",
            "-m", "256", f"--file-prefix=bcm4908-{os.getpid()}-reset", "-d", program.PLUGIN,
            "--vdev=net_bcm4908_source,wire=cable:c",
            f"--vdev=net_bcm4908_mirror,wire=cable:c,fault={fault}"]
    environ = dict(os.environ, LD_LIBRARY_PATH=os.path.abspath(plugin_dir),
                   ASAN_OPTIONS="detect_leaks=0")
    done = subprocess.run(argv, env=environ, cwd="/", capture_output=True, text=True, check=False,
                          timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    result = re.search(r"sent (\d+) back (\d+) lost (\d+) resets (\d+)", done.stdout)
    sent, back, lost, times = map(int, result.groups())
    assert (sent, back + lost, times) == (20000, 20000, resets)
    assert 0 < lost <= resets * 128  # what was under way
    assert done.stderr.count(STALL) + done.stdout.count(STALL) == resets


def test_guide_names_all_kinds(build_dir):
    """Each kind has a row in the guide and a unit test of its name."""
    with open(GUIDE, encoding="utf-8") as f:
        table = f.read().split("Faults, and what follows from them")[1].split("\n\n\n")[0]
    tests = subprocess.run([os.path.join(build_dir, "app", "dpdk-bcm4908-test"), "--list"],
                           check=True, capture_output=True, text=True).stdout.split()
    assert len(kinds()) > 20
    for kind in kinds():
        assert f"``{kind}``" in table, kind
        assert "fault_" + kind.replace("-", "_") in tests, kind


def test_guide_names_tests():
    """The tests that the guide names for the model are there."""
    with open(os.path.join(os.path.dirname(GUIDE), "bcm4908_model.rst"), encoding="utf-8") as f:
        named = set(re.findall(r"``((?:model|oracle|fault|strict)_\w+)``", f.read()))
    tests = set()
    for path in glob.glob(os.path.join(TOP, "app", "test", "**", "*.c"), recursive=True):
        with open(path, encoding="utf-8") as f:
            tests |= set(re.findall(r"^TEST\((\w+)\)", f.read(), re.M))
    assert len(named) > 100
    assert not named - tests
