# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Which destinations a running port receives in which mode."""

import pytest

import rig as rigs

STRANGER = "00:00:00:00:00:01"
MULTICAST = "01:00:5e:00:00:01"


@pytest.fixture
def rig_without_promisc(rig):
    """Forwarding, without promiscuous mode."""
    rig.start()
    rig.t.cmd("set promisc 0 off")
    yield rig
    rig.t.cmd("set allmulti 0 off")
    rig.t.cmd("set promisc 0 on")


def test_default_mode(rig):
    assert rigs.info(rig.t)["Promiscuous mode"] == "enabled"
    rig.start()
    assert rig.lines.passes(rigs.frame(rigs.MACS[0]))
    assert rig.lines.passes(rigs.frame(STRANGER))


def test_disable_promisc(rig_without_promisc):
    lines = rig_without_promisc.lines
    assert lines.passes(rigs.frame(rigs.MACS[0]))
    assert not lines.passes(rigs.frame(STRANGER))


def test_disable_promisc_broadcast(rig_without_promisc):
    lines = rig_without_promisc.lines
    assert lines.passes(rigs.frame(rigs.MACS[0]))
    assert lines.passes(rigs.frame(rigs.BROADCAST))


def test_disable_promisc_multicast(rig_without_promisc):
    r = rig_without_promisc
    r.t.cmd("set allmulti 0 off")
    assert rigs.info(r.t)["Allmulticast mode"] == "disabled"
    assert not r.lines.passes(rigs.frame(MULTICAST))
    r.t.cmd("set allmulti 0 on")
    assert rigs.info(r.t)["Allmulticast mode"] == "enabled"
    assert r.lines.passes(rigs.frame(MULTICAST))
    assert not r.lines.passes(rigs.frame(STRANGER))
