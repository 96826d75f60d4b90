# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""The size of a ring changes while its port, and the other queue, go on."""

import pytest

import rig as rigs

DATA = rigs.frame(payload=b"Z" * 30)
QUEUES = pytest.mark.parametrize("queue,port,name", [("rxq", 0, "RXDs"), ("txq", 1, "TXDs")],
                                 ids=["rx", "tx"])


def set_up(t, queue, port, size):
    """Stop a queue and set it up with another ring; return what the setup printed."""
    assert "ail" not in t.cmd(f"port {port} {queue} 0 stop")
    t.cmd(f"port config {port} {queue} 0 ring_size {size}")
    return t.cmd(f"port {port} {queue} 0 setup")


@QUEUES
@pytest.mark.parametrize("size", [32, 1024])
def test_ring_size(make_rig, queue, port, name, size):
    """Port 0 receives and port 1 sends: either's queue is on the way."""
    rig = make_rig()
    rig.start()
    assert rig.lines.passes(DATA)
    rig.stop()
    assert "ail" not in set_up(rig.t, queue, port, size)
    assert "ail" not in rig.t.cmd(f"port {port} {queue} 0 start")
    assert f"Number of {name}: {size}\n" in rig.t.cmd(f"show {queue} info {port} 0")
    rig.start()
    assert rig.lines.passes(DATA)
    rig.stop()


@QUEUES
def test_refused_size(make_rig, queue, port, name):
    """A size that is none leaves the other queue at work, and a right one mends it."""
    rig = make_rig()
    assert "ail" in set_up(rig.t, queue, port, 33)
    assert "ail" not in set_up(rig.t, queue, port, 512)
    assert "ail" not in rig.t.cmd(f"port {port} {queue} 0 start")
    assert f"Number of {name}: 512\n" in rig.t.cmd(f"show {queue} info {port} 0")
    rig.start()
    assert rig.lines.passes(DATA)
    rig.stop()
