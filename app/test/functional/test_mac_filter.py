# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Addresses are added to and removed from a port."""

import pytest

import rig as rigs

OTHER = "00:00:00:00:00:01"
MULTICAST = "01:00:5e:00:00:00"


@pytest.fixture
def filtering(make_rig):
    """A rig that forwards without promiscuous mode."""
    rig = make_rig()
    rig.start()
    rig.t.cmd("set promisc 0 off")
    return rig


def test_add_remove_mac_addresses(filtering):
    t, lines = filtering.t, filtering.lines
    assert lines.passes(rigs.frame(rigs.MACS[0]))
    assert not lines.passes(rigs.frame(OTHER))
    assert "error" not in t.cmd(f"mac_addr add 0 {OTHER}")
    assert OTHER in t.cmd("show port 0 macs")
    assert lines.passes(rigs.frame(OTHER))
    assert lines.passes(rigs.frame(rigs.MACS[0]))
    assert "error" not in t.cmd(f"mac_addr remove 0 {OTHER}")
    assert not lines.passes(rigs.frame(OTHER))
    assert lines.passes(rigs.frame(rigs.MACS[0]))


def test_set_mac_address(filtering):
    """The new default address is received, the old one is not."""
    t, lines = filtering.t, filtering.lines
    t.cmd(f"mac_addr set 0 {rigs.PEERS[1]}")
    assert rigs.info(t)["MAC address"].lower() == rigs.PEERS[1]
    last = lambda mark: rigs.frame(rigs.PEERS[1], payload=mark)
    assert lines.passes(rigs.frame(rigs.PEERS[1]), last=last)
    assert not lines.passes(rigs.frame(rigs.MACS[0]), last=last)


def test_invalid_address(filtering):
    """A zero address, the default's removal and one too many are refused; one twice is not."""
    t = filtering.t
    addresses = rigs.addresses(t)
    assert "error" in t.cmd("mac_addr add 0 00:00:00:00:00:00")
    assert "error" in t.cmd(f"mac_addr remove 0 {rigs.MACS[0]}")
    for _ in range(2):
        assert "error" not in t.cmd("mac_addr add 0 12:10:18:49:08:00")
    assert "error" in t.cmd(f"mac_addr remove 0 {rigs.MACS[0]}")
    for i in range(2, addresses):
        assert "error" not in t.cmd(f"mac_addr add 0 02:00:00:00:01:{i:02x}")
    assert "error" in t.cmd("mac_addr add 0 02:00:00:00:02:00")
    assert f"added: {addresses}" in t.cmd("show port 0 macs")
    # Neither what was refused nor a full table harms what is there.
    assert filtering.lines.passes(rigs.frame(rigs.MACS[0]))
    assert filtering.lines.passes(rigs.frame("12:10:18:49:08:00"))
    assert not filtering.lines.passes(rigs.frame("02:00:00:00:02:00"))


def test_multicast_filter(filtering):
    t, lines = filtering.t, filtering.lines
    assert not lines.passes(rigs.frame(MULTICAST))
    assert "failed" not in t.cmd(f"mcast_addr add 0 {MULTICAST}")
    assert MULTICAST.upper() in t.cmd("show port 0 mcast_macs").upper()
    assert lines.passes(rigs.frame(MULTICAST))
    assert not lines.passes(rigs.frame("01:00:5e:00:00:02"))
    assert "failed" not in t.cmd(f"mcast_addr remove 0 {MULTICAST}")
    assert not lines.passes(rigs.frame(MULTICAST))
