# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""The link of the on-chip switch: 1 Gbit/s, full duplex, fixed."""

import pytest

import rig as rigs


def test_validate_port_speed(rig):
    for port in (0, 1):
        shown = rigs.info(rig.t, port)
        assert shown["Link speed"] == "1 Gbps"
        assert shown["Link duplex"] == "full-duplex"
        link = rig.t.telemetry(f"/ethdev/link_status,{port}")
        assert (link["status"], link["speed"], link["duplex"]) == ("UP", 1000, "full-duplex")
    assert rig.t.cmd("show device info net_bcm4908_0").split("speed capability:")[1].strip() \
        .startswith("1 Gbps")


@pytest.mark.parametrize("speed,ok", [("1000", True), ("auto", True), ("100", False),
                                      ("10000", False)])
def test_configured_speed(make_rig, speed, ok):
    """The speed that the link has can be asked for, others cannot."""
    rig = make_rig()
    rig.t.cmd("port stop 0")
    rig.t.cmd(f"port config 0 speed {speed} duplex full")
    started = rig.t.cmd("port start 0")
    assert ("Fail" not in started) == ok, started
    if ok:
        assert rigs.info(rig.t)["Link speed"] == "1 Gbps"
