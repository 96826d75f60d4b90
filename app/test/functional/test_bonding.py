# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Two ports under one net_bonding port.

line0 == port 0 --+
                  net_bonding0 -- testpmd -- net_tap2 == feed
line1 == port 1 --+
"""

import time

import pytest

import rig as rigs

scapy = pytest.importorskip("scapy.all")
lacp = pytest.importorskip("scapy.contrib.lacp")

FEED = "feed"
PARTNER = "02:00:5e:00:53:ff"
# Active, aggregatable, in sync, collecting, distributing.
PARTNER_STATE = 0x3D


@pytest.fixture
def bonded(make_rig):
    """A rig that forwards between a bonded port, of a mode, and the feed."""
    feeds = []

    def make(mode, more=""):
        bond = f"net_bonding0,mode={mode}{more}," + \
            ",".join(f"slave={port}" for port in rigs.PORTS)
        rig = make_rig(more=[bond, f"net_tap2,iface={FEED}"])
        rig.bond = rig.t.port_id("net_bonding0")
        rig.t.cmd(f"set portlist {rig.bond},{rig.t.port_id('net_tap2')}")
        rig.t.cmd("set fwd io")
        assert "Not all ports were started" not in rig.t.cmd("start")
        rig.feed = rigs.Line(rig.namespace, FEED)
        feeds.append(rig.feed)
        return rig

    yield make
    for feed in feeds:
        feed.close()


def config(rig):
    """Return what testpmd shows of the bonded port."""
    return rig.t.cmd(f"show bonding config {rig.bond}")


def crosses(source, sink, data):
    """Return whether a frame comes from one line to another."""
    source.send(data)
    return sink.receive(rigs.PATIENCE) == data


def test_active_backup(bonded):
    """Traffic moves to the other port when the link of the active one fails, and back."""
    rig = bonded(1, ",primary=net_bcm4908_0")
    to_bond = rigs.frame(rigs.MACS[0], payload=b"to the bond")
    from_bond = rigs.frame(rigs.PEERS[0], rigs.MACS[0], b"from the bond")
    assert "Active Slaves (2): [0 1]" in config(rig)
    for active, up in ((0, (0, 1)), (1, (1,)), (0, (0,))):
        for i, line in enumerate(rigs.LINES):
            rig.namespace.run("ip", "link", "set", line, "up" if i in up else "down")
        rigs.eventually(lambda: f"Active Slaves ({len(up)}):" in config(rig) and
                        f"Primary: [{active}]" in config(rig))
        rig.lines.close()
        rig.lines = rigs.Lines(rig.namespace)
        ends = rig.lines.ends
        assert crosses(ends[active], rig.feed, to_bond)
        assert crosses(rig.feed, ends[active], from_bond)
        # The other one neither sends nor is listened to.
        assert ends[1 - active].receive(0.1) is None


def answer(data):
    """Return the partner's answer to a LACPDU, or None to another frame."""
    packet = scapy.Ether(data)
    if lacp.LACP not in packet:
        return None
    said = packet[lacp.LACP]
    return bytes(scapy.Ether(dst=packet.dst, src=PARTNER) / lacp.SlowProtocol() / lacp.LACP(
        actor_system=PARTNER, actor_key=1, actor_port_number=said.actor_port_number,
        actor_state=PARTNER_STATE,
        **{"partner_" + name: getattr(said, "actor_" + name) for name in (
            "system_priority", "system", "key", "port_priority", "port_number", "state")}))


def aggregate(rig):
    """Be the partner until both ports collect and distribute."""
    deadline = time.monotonic() + 3 * rigs.PATIENCE
    seen = [0, 0]
    wake = rigs.frame(rigs.PEERS[0], rigs.MACS[0], b"wake")
    while rig.t.cmd(f"show bonding lacp info {rig.bond}").count("COLLECTING DISTRIBUTING") < 4:
        assert time.monotonic() < deadline, config(rig)
        rig.feed.send(wake)  # LACPDUs leave with what is sent
        for i, end in enumerate(rig.lines.ends):
            data = end.receive(0.1)
            reply = answer(data) if data is not None else None
            if reply is not None:
                seen[i] += 1
                end.send(reply)
    return seen


def test_802_3ad(bonded):
    """LACP is spoken over both ports, then both carry traffic."""
    rig = bonded(4)
    seen = aggregate(rig)
    assert min(seen) > 0
    ends = rig.lines.ends
    for end in ends:
        while end.receive(0.2) is not None:
            pass
    used = set()
    for i in range(32):
        data = rigs.frame(f"02:00:5e:00:54:{i:02x}", rigs.MACS[0], bytes([i]) * 40)
        rig.feed.send(data)
        deadline = time.monotonic() + rigs.PATIENCE
        got = None
        while got != data:
            assert time.monotonic() < deadline, f"frame {i} does not leave"
            for out, end in enumerate(ends):
                got = end.receive(0.02)
                if got == data:
                    used.add(out)
                    break
    assert used == {0, 1}
    for end in ends:
        assert crosses(end, rig.feed, rigs.frame(rigs.MACS[0], payload=b"to the bond"))
