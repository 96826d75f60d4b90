# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""A queue that is stopped carries nothing, one that is started again does."""

import pytest

import rig as rigs

DATA = rigs.frame(payload=b"X" * 30)


def passes_once_started(rig, queue, port):
    """Nothing passes a queue that does not run, and something once it does."""
    rig.t.cmd("start")
    rig.lines.ends[0].send(DATA)
    assert rig.lines.none_in(0.2)
    rig.stop()
    assert "ail" not in rig.t.cmd(f"port {port} {queue} 0 start")
    rig.start()
    assert rig.lines.passes(DATA)


@pytest.mark.parametrize("queue,port", [("rxq", 0), ("txq", 1)], ids=["rx", "tx"])
def test_modify_queue(make_rig, queue, port):
    """Port 0 receives and port 1 sends: either's queue is on the way."""
    rig = make_rig()
    rig.start()
    assert rig.lines.passes(DATA)
    for _ in range(3):
        rig.stop()
        assert "ail" not in rig.t.cmd(f"port {port} {queue} 0 stop")
        passes_once_started(rig, queue, port)


@pytest.mark.parametrize("queue,port", [("rxq", 0), ("txq", 1)], ids=["rx", "tx"])
def test_deferred_start(make_rig, queue, port):
    """A queue whose start is deferred carries nothing until it is started."""
    rig = make_rig()
    rig.t.cmd("port stop all")
    rig.t.cmd(f"port {port} {queue} 0 deferred_start on")
    assert "ail" not in rig.t.cmd("port start all")
    passes_once_started(rig, queue, port)
