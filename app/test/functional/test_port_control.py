# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Ports are started, stopped and closed under a running testpmd."""

import rig as rigs

FRAMES = [rigs.frame(payload=b"X" * 30)] * 100


def test_start_ports(rig):
    rig.start()
    assert rig.lines.exchange(FRAMES) == FRAMES


def test_stop_ports(rig):
    """A stopped port has no link and passes nothing; traffic goes on when it is started again."""
    rig.start()
    assert rig.lines.exchange(FRAMES) == FRAMES
    rig.stop()
    rig.t.cmd("port stop all")
    for port in (0, 1):
        assert rigs.info(rig.t, port)["Link status"] == "down"
        assert rig.t.telemetry(f"/ethdev/link_status,{port}")["status"] == "DOWN"
    assert "Not all ports were started" in rig.t.cmd("start")
    rig.lines.ends[0].send(FRAMES[0])
    assert rig.lines.none_in(0.3)
    rig.t.cmd("port start all")
    for port in (0, 1):
        assert rigs.info(rig.t, port)["Link status"] == "up"
    rig.start()
    assert rig.lines.exchange(FRAMES) == FRAMES


def test_close_ports(make_rig):
    """Closed ports are gone; their wires are free again."""
    rig = make_rig()
    rig.start()
    assert rig.lines.exchange(FRAMES) == FRAMES
    rig.stop()
    rig.t.cmd("port stop all")
    for port in (0, 1):
        rig.t.cmd(f"port close {port}")
        assert "Invalid port" in rig.t.cmd(f"show port info {port}")
    assert "net_bcm4908" not in rig.t.cmd("show port summary all")
