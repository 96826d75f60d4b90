# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Packet types, as the port tells them, of packets of all kinds.

testpmd prints two: what the driver set in the mbuf, for the outer layers, and what
its own parser finds, for tunnels as well.
"""

import pytest

import rig as rigs

scapy = pytest.importorskip("scapy.all")

ETHER = scapy.Ether(dst=rigs.MACS[0], src=rigs.PEERS[0])
IP = scapy.IP(src="192.0.2.1", dst="192.0.2.2")
IP6 = scapy.IPv6(src="2001:db8::1", dst="2001:db8::2")
LOAD = bytes(60)
ALL_LAYERS = 0xFFF  # L2, L3, L4


@pytest.fixture(scope="module")
def listener(shared_rig):
    """A rig that prints what it receives, of a port that was asked for packet types."""
    rig = shared_rig.get()
    assert "L3_IPV4" in rig.t.cmd("show port 0 ptypes")
    rig.t.cmd(f"set port 0 ptype_mask {ALL_LAYERS:#x}")  # testpmd begins with none
    rig.t.cmd("set verbose 1")
    rig.t.cmd("set fwd rxonly")
    rig.t.cmd("start")
    yield rig
    rig.t.cmd("stop")
    rig.t.cmd("set verbose 0")


def told(rig, packet):
    """Return the types that are printed for a packet: the driver's and the parser's."""
    since = len(rig.t.drain())
    rig.lines.ends[0].send(bytes(packet).ljust(60, b"\0"))
    found = rig.t.expect(r" - hw ptype: ([A-Z0-9_ ]+?) +- sw ptype: ([A-Z0-9_ ]+?) +-.*\n.*ol_flags",
                         timeout=rigs.PATIENCE, since=since)
    return found[1], found[2]


def check(rig, packet, names):
    """Both must be the layers that a packet has."""
    assert told(rig, packet) == (names, names)


def test_l2_packet(listener):
    """The types of other protocols than IP are not told apart, here nor in DPDK's parser."""
    for ethertype in (0x0806, 0x88F7, 0x88CC, 0x894F):  # ARP, time sync, LLDP, NSH
        check(listener, scapy.Ether(dst=rigs.BROADCAST, src=rigs.PEERS[0], type=ethertype) / LOAD,
              "L2_ETHER")
    check(listener, ETHER / scapy.Dot1Q(vlan=1) / IP / scapy.UDP() / LOAD,
          "L2_ETHER_VLAN L3_IPV4 L4_UDP")
    check(listener, scapy.Ether(dst=rigs.MACS[0], src=rigs.PEERS[0], type=0x88A8) /
          scapy.Dot1Q(vlan=1) / scapy.Dot1Q(vlan=2) / IP / scapy.TCP() / LOAD,
          "L2_ETHER_QINQ L3_IPV4 L4_TCP")


@pytest.mark.parametrize("l4,name", [
    (scapy.UDP(), " L4_UDP"), (scapy.TCP(), " L4_TCP"), (scapy.SCTP(), " L4_SCTP"),
    (scapy.ICMP(), ""),
])
def test_l3_l4_ipv4_packet(listener, l4, name):
    check(listener, ETHER / IP / l4 / LOAD, "L2_ETHER L3_IPV4" + name)
    with_options = IP.copy()
    with_options.options = [scapy.IPOption_NOP()] * 4
    check(listener, ETHER / with_options / l4 / LOAD, "L2_ETHER L3_IPV4_EXT" + name)


def test_ipv4_fragments(listener):
    for first, second in (scapy.fragment(IP / scapy.UDP() / bytes(800), 400)[:2],):
        check(listener, ETHER / first, "L2_ETHER L3_IPV4 L4_FRAG")
        check(listener, ETHER / second, "L2_ETHER L3_IPV4 L4_FRAG")


@pytest.mark.parametrize("l4,name", [
    (scapy.UDP(), " L4_UDP"), (scapy.TCP(), " L4_TCP"),
])
def test_l3_l4_ipv6_packet(listener, l4, name):
    check(listener, ETHER / IP6 / l4 / LOAD, "L2_ETHER L3_IPV6" + name)
    check(listener, ETHER / IP6 / scapy.IPv6ExtHdrHopByHop() / l4 / LOAD,
          "L2_ETHER L3_IPV6_EXT" + name)


def test_ipv6_fragment(listener):
    check(listener, ETHER / IP6 / scapy.IPv6ExtHdrFragment(m=1) / LOAD,
          "L2_ETHER L3_IPV6_EXT L4_FRAG")


@pytest.mark.parametrize("inner", [scapy.IP() / scapy.UDP(), scapy.IPv6() / scapy.TCP()],
                         ids=["IPv4", "IPv6"])
def test_l3_tunnel(listener, inner):
    """Of a tunnel the driver tells the outer layers, as it claims."""
    hw, sw = told(listener, ETHER / IP / inner / LOAD)
    assert hw == "L2_ETHER L3_IPV4"
    assert sw.startswith("L2_ETHER L3_IPV4 TUNNEL_IP INNER_L3_IPV")
    hw, sw = told(listener, ETHER / IP / scapy.GRE() / inner / LOAD)
    assert hw == "L2_ETHER L3_IPV4"
    assert sw.startswith("L2_ETHER L3_IPV4 TUNNEL_GRE INNER_L3_IPV")


def test_vxlan_tunnel(listener):
    """What is in a VXLAN packet stays UDP's payload."""
    vxlan = scapy.UDP(dport=4789) / scapy.VXLAN(vni=7) / scapy.Ether() / IP / scapy.UDP() / LOAD
    check(listener, ETHER / IP / vxlan, "L2_ETHER L3_IPV4 L4_UDP")
    check(listener, ETHER / IP6 / vxlan, "L2_ETHER L3_IPV6 L4_UDP")


def test_what_is_asked_for(listener):
    """Only the layers that are asked for are told, or none."""
    t = listener.t
    t.cmd("stop")
    t.cmd("set port 0 ptype_mask 0xf0")
    t.cmd("start")
    assert told(listener, ETHER / IP / scapy.UDP() / LOAD)[0] == "L3_IPV4"
    t.cmd(f"set port 0 ptype_mask {ALL_LAYERS:#x}")
    assert told(listener, ETHER / IP / scapy.UDP() / LOAD)[0] == "L2_ETHER L3_IPV4 L4_UDP"
