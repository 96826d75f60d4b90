# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""What the basic statistics count."""

import rig as rigs


def test_stats_updates(rig):
    """One frame of 100 bytes; the FCS is not counted."""
    rig.start()
    rig.stop()
    rig.t.cmd("clear port stats all")
    rig.t.cmd("start")
    data = rigs.frame(length=100, payload=b"X" * 86)
    rig.lines.ends[0].send(data)
    assert rig.lines.ends[1].receive(rigs.PATIENCE) == data
    rig.stop()
    rx, tx = rig.t.stats(0), rig.t.stats(1)
    assert (rx["ipackets"], rx["ibytes"], rx["opackets"], rx["obytes"]) == (1, 100, 0, 0)
    assert (tx["ipackets"], tx["ibytes"], tx["opackets"], tx["obytes"]) == (0, 0, 1, 100)
    for stats in (rx, tx):
        assert {stats[n] for n in ("imissed", "ierrors", "oerrors", "rx_nombuf")} == {0}
    shown = rig.t.cmd("show port stats 0")
    assert "RX-packets: 1 " in shown and "RX-bytes:  100" in shown
    assert "RX-packets: 1 " in rig.t.cmd("show fwd stats all")


def test_extended_stats(rig):
    """Each kind of frame is in the counters of its destination and of its length with FCS."""
    rig.start()
    rig.stop()
    rig.t.cmd("clear port xstats all")
    rig.t.cmd("start")
    sent = {
        "size_64": rigs.frame(length=60),
        "size_65_to_127": rigs.frame(rigs.BROADCAST, length=61),
        "size_128_to_255": rigs.frame("01:00:5e:00:00:01", length=124),
        "size_256_to_511": rigs.frame(length=507),
        "size_512_to_1023": rigs.frame(length=1019),
        "size_1024_to_1518": rigs.frame(length=1514),
        "size_1519_to_1522": rigs.frame(ethertype=0x8100, length=1518),
    }
    for data in sent.values():
        rig.lines.ends[0].send(data)
        assert rig.lines.ends[1].receive(rigs.PATIENCE) == data
    rig.stop()
    total = sum(len(data) for data in sent.values())
    for port, way in ((0, "rx"), (1, "tx")):
        x = rig.t.telemetry(f"/ethdev/xstats,{port}")
        assert {n: x[f"{way}_{n}_packets"] for n in sent} == dict.fromkeys(sent, 1)
        assert [x[f"{way}_{n}_packets"] for n in ("unicast", "multicast", "broadcast")] == [5, 1, 1]
        assert x[f"{way}_good_bytes"] == total
        assert x[f"{way}_mac_bytes"] == total + 4 * len(sent)
        assert not any(n for key, n in x.items() if key.endswith(("_errors", "_dropped")))


def test_clear(rig):
    """Cleared counters are 0, and count again; zeros can be hidden."""
    rig.start()
    rig.lines.exchange([rigs.frame()] * 10)
    rig.t.cmd("set xstats-hide-zero on")
    assert "rx_unicast_packets" in rig.t.cmd("show port xstats 0")
    rig.stop()
    rig.t.cmd("clear port xstats all")
    assert "packets: " not in rig.t.cmd("show port xstats 0")
    assert rig.t.stats(0)["ipackets"] == 0
    rig.t.cmd("set xstats-hide-zero off")
    rig.t.cmd("start")
    rig.lines.exchange([rigs.frame()] * 10)
    assert rig.t.stats(0)["ipackets"] == 11
