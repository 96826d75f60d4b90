# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""VLAN tags are filtered, stripped and inserted."""

import struct

import pytest

import rig as rigs

ETHERTYPE_VLAN = 0x8100
PRIORITY = 5 << 13


def tagged(*tags, dst=rigs.MACS[0], src=rigs.PEERS[0]):
    """Return a frame with tags, outermost first, each the tag's 16 bits."""
    inner = b"".join(struct.pack(">HH", tag, ETHERTYPE_VLAN) for tag in tags[:-1])
    inner += struct.pack(">HH", tags[-1], rigs.ETHERTYPE_TEST) if tags else b""
    data = rigs.frame(dst, src, inner + bytes(range(80)),
                      ETHERTYPE_VLAN if tags else rigs.ETHERTYPE_TEST)
    return data


@pytest.fixture
def vlan_rig(rig):
    """A rig in mac mode without VLAN functions, before and after."""
    rig.t.cmd(f"set eth-peer 1 {rigs.PEERS[1]}")
    rig.start("mac")
    yield rig
    rig.t.cmd("vlan set filter on 0")  # without it the list cannot be changed
    rig.t.cmd("rx_vlan rm all 0")
    for function in ("strip", "filter"):
        rig.t.cmd(f"vlan set {function} off 0")
    rig.stop()
    rig.t.cmd("port stop 1")
    rig.t.cmd("tx_vlan reset 1")
    rig.t.cmd("port start 1")


def left(rig, *tags):
    """Send a frame with tags; return the tags of the one that leaves, or None."""
    rig.lines.settle()
    got = rig.lines.exchange([tagged(*tags)])
    if not got:
        return None
    assert len(got) == 1
    for count in range(4):
        seen = tuple(struct.unpack_from(">H", got[0], 14 + 4 * i)[0] for i in range(count))
        if got[0] == tagged(*seen, dst=rigs.PEERS[1], src=rigs.MACS[1]):
            return seen
    raise AssertionError(f"not the frame that was sent: {got[0].hex()}")


def insert(rig, vlan):
    """Let port 1 insert a tag."""
    rig.stop()
    rig.t.cmd("port stop 1")
    assert "Error" not in rig.t.cmd(f"tx_vlan set 1 {vlan}")
    rig.t.cmd("port start 1")
    rig.t.cmd("start")


def test_vlan_receipt_no_stripping(vlan_rig):
    vlan_rig.t.cmd("vlan set filter on 0")
    vlan_rig.t.cmd("rx_vlan add 1 0")
    assert left(vlan_rig, 1) == (1,)
    assert left(vlan_rig, PRIORITY | 1) == (PRIORITY | 1,)


def test_vlan_receipt_stripping(vlan_rig):
    vlan_rig.t.cmd("vlan set filter on 0")
    vlan_rig.t.cmd("vlan set strip on 0")
    vlan_rig.t.cmd("rx_vlan add 1 0")
    assert "strip on" in vlan_rig.t.cmd("show port info 0")
    assert left(vlan_rig, 1) == ()
    assert left(vlan_rig) == ()


def test_vlan_no_receipt(vlan_rig):
    """Other VLANs are dropped and counted; frames without a VLAN pass."""
    vlan_rig.t.cmd("vlan set filter on 0")
    vlan_rig.t.cmd("rx_vlan add 1 0")
    before = vlan_rig.t.telemetry("/ethdev/xstats,0")["rx_filter_dropped"]
    assert left(vlan_rig, 2) is None
    assert left(vlan_rig, PRIORITY | 4094) is None
    assert vlan_rig.t.telemetry("/ethdev/xstats,0")["rx_filter_dropped"] == before + 2
    assert left(vlan_rig) == ()
    assert left(vlan_rig, PRIORITY) == (PRIORITY,)
    assert left(vlan_rig, 1) == (1,)


def test_vlan_header_insertion(vlan_rig):
    insert(vlan_rig, 51)
    assert left(vlan_rig) == (51,)


def test_filter_changes(vlan_rig):
    """VLANs come and go, one by one and all of them, while frames pass."""
    t = vlan_rig.t
    t.cmd("vlan set filter on 0")
    for vlan in (1, 63, 64, 4095):
        assert left(vlan_rig, vlan) is None
        t.cmd(f"rx_vlan add {vlan} 0")
        assert left(vlan_rig, vlan) == (vlan,)
    t.cmd("rx_vlan rm 63 0")
    assert left(vlan_rig, 63) is None
    assert left(vlan_rig, 64) == (64,)
    t.cmd("rx_vlan add all 0")
    assert left(vlan_rig, 3000) == (3000,)
    t.cmd("rx_vlan rm all 0")
    assert left(vlan_rig, 64) is None
    t.cmd("vlan set filter off 0")
    assert left(vlan_rig, 64) == (64,)


def test_filter_holds_in_promiscuous_mode(vlan_rig):
    t = vlan_rig.t
    t.cmd("vlan set filter on 0")
    t.cmd("rx_vlan add 7 0")
    for state in ("on", "off", "on"):
        t.cmd(f"set promisc 0 {state}")
        assert left(vlan_rig, 8) is None
        assert left(vlan_rig, 7) == (7,)


def test_persistence(vlan_rig):
    """A restart of the port leaves filter and stripping as they were."""
    t = vlan_rig.t
    t.cmd("vlan set filter on 0")
    t.cmd("vlan set strip on 0")
    t.cmd("rx_vlan add 1 0")
    vlan_rig.stop()
    t.cmd("port stop 0")
    t.cmd("port start 0")
    assert "strip on, filter on" in t.cmd("show port info 0")
    t.cmd("start")
    vlan_rig.lines.exchange([])
    assert left(vlan_rig, 1) == ()
    assert left(vlan_rig, 2) is None


def test_strip_of_a_queue(vlan_rig):
    t = vlan_rig.t
    t.cmd("vlan set stripq on 0,0")
    assert left(vlan_rig, PRIORITY | 9) == ()
    t.cmd("vlan set stripq off 0,0")
    assert left(vlan_rig, PRIORITY | 9) == (PRIORITY | 9,)


def test_stripped_tag_is_told(vlan_rig):
    """The mbuf has the tag that the frame lost, with its priority."""
    t = vlan_rig.t
    t.cmd("vlan set strip on 0")
    vlan_rig.stop()
    t.cmd("set fwd rxonly")
    t.cmd("set verbose 1")
    t.cmd("start")
    since = len(t.drain())
    vlan_rig.lines.ends[0].send(tagged(PRIORITY | 0x123))
    t.expect(f"VLAN tci={PRIORITY | 0x123:#x} .*\n.*RTE_MBUF_F_RX_VLAN .*RX_VLAN_STRIPPED",
             since=since)
    t.cmd("set verbose 0")


def test_functions_that_are_not_claimed(vlan_rig):
    """Refused, and nothing changes."""
    for function in ("qinq_strip", "extend"):
        assert "fail" in vlan_rig.t.cmd(f"vlan set {function} on 0").lower()
    assert left(vlan_rig, 1) == (1,)
