# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Promiscuous mode decides whether frames to others are received."""

import rig as rigs


def test_promisc_packets(rig):
    rig.start()
    assert rigs.info(rig.t)["Promiscuous mode"] == "enabled"
    data = rigs.frame(rigs.STRANGER, payload=b"X" * 20)
    assert rig.lines.passes(data)
    rig.t.cmd("set promisc 0 off")
    assert rigs.info(rig.t)["Promiscuous mode"] == "disabled"
    assert not rig.lines.passes(data)
    rig.t.cmd("set promisc 0 on")
    assert rig.lines.passes(data)
