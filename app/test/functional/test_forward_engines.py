# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Every forward engine of testpmd, with its traffic looked at byte by byte.

ieee1588 needs timestamps and shared-rxq shared queues, which this hardware has not.
"""

import re

import pytest

import rig as rigs

scapy = pytest.importorskip("scapy.all")

COUNT = 300
ADDRESSES = ("198.18.0.1", "198.18.1.1")
MULTI_SEGS = 0x8000


def udp(payload, **ip):
    """Return a frame with a UDP datagram for port 0."""
    return bytes(scapy.Ether(dst=rigs.MACS[0], src=rigs.PEERS[0]) /
                 scapy.IP(src=ADDRESSES[0], dst=ADDRESSES[1], **ip) /
                 scapy.UDP(sport=1000, dport=2000) / payload)


def readdressed(data, dst, src):
    """Return a frame with other MAC addresses."""
    return rigs.mac_bytes(dst) + rigs.mac_bytes(src) + data[12:]


def datagrams():
    """Return frames of all lengths that matter to copies and descriptors."""
    return [udp(bytes(i % 251 for i in range(length)))
            for length in list(range(18, 90)) + list(range(1440, 1473))]


def right_ip_checksum(packet):
    """Return whether the IPv4 header's checksum is that of its other fields."""
    again = packet[scapy.IP].copy()
    del again.chksum
    return scapy.IP(bytes(again)).chksum == packet[scapy.IP].chksum


def clean(rig, ports=(0, 1)):
    """Check that nothing was lost at a port."""
    for port in ports:
        stats = rig.t.stats(port)
        assert {stats[n] for n in ("imissed", "ierrors", "oerrors", "rx_nombuf")} == {0}


@pytest.mark.parametrize("mode,addresses", [
    ("io", (rigs.MACS[0], rigs.PEERS[0])),
    ("mac", (rigs.PEERS[1], rigs.MACS[1])),
    ("macswap", (rigs.PEERS[0], rigs.MACS[0])),
    ("csum", (rigs.PEERS[1], rigs.MACS[1])),
    ("noisy", (rigs.MACS[0], rigs.PEERS[0])),
])
def test_addresses(rig, mode, addresses):
    """Frames come out with what the engine makes of their addresses, else unchanged."""
    rig.t.cmd(f"set eth-peer 1 {rigs.PEERS[1]}")
    rig.start(mode)
    sent = datagrams()
    assert rig.lines.exchange(sent) == [readdressed(data, *addresses) for data in sent]
    clean(rig)


def test_5tswap(rig):
    """Addresses and ports of every layer are exchanged; the checksums stay right."""
    layers = (scapy.UDP(sport=1000, dport=2000), scapy.TCP(sport=1000, dport=2000, seq=7))
    back = (scapy.UDP(sport=2000, dport=1000), scapy.TCP(sport=2000, dport=1000, seq=7))
    ether = lambda dst, src: scapy.Ether(dst=dst, src=src)
    sent = want = ()
    for l4, swapped in zip(layers, back):
        for length in range(20, 1400, 97):
            load = bytes(length)
            sent += (ether(rigs.MACS[0], rigs.PEERS[0]) /
                     scapy.IP(src=ADDRESSES[0], dst=ADDRESSES[1]) / l4 / load,
                     ether(rigs.MACS[0], rigs.PEERS[0]) /
                     scapy.IPv6(src="2001:200::1", dst="2001:200:0:1::1") / l4 / load)
            want += (ether(rigs.PEERS[0], rigs.MACS[0]) /
                     scapy.IP(src=ADDRESSES[1], dst=ADDRESSES[0]) / swapped / load,
                     ether(rigs.PEERS[0], rigs.MACS[0]) /
                     scapy.IPv6(src="2001:200:0:1::1", dst="2001:200::1") / swapped / load)
    rig.start("5tswap")
    assert rig.lines.exchange([bytes(p) for p in sent]) == [bytes(p) for p in want]
    clean(rig)


def test_csum(rig):
    """Wrong checksums leave right: testpmd computes them, the port claims no engine for it."""
    rig.t.cmd(f"set eth-peer 1 {rigs.PEERS[1]}")
    rig.start("csum")
    sent, want = [], []
    for i in range(100):
        good = udp(bytes([i]) * (18 + i))
        bad = bytearray(good)
        bad[24] ^= 0x40  # of the IPv4 header
        bad[40] ^= 0x04  # of UDP
        sent.append(bytes(bad))
        want.append(readdressed(good, rigs.PEERS[1], rigs.MACS[1]))
    assert rig.lines.exchange(sent) == want
    clean(rig)


def test_rxonly(rig):
    """Everything is received, nothing is sent."""
    rig.t.cmd("set fwd rxonly")
    rig.t.cmd("start")
    for i in range(COUNT):
        rig.lines.ends[0].send(rigs.frame(length=60 + i))
    rigs.eventually(lambda: rig.t.stats(0)["ipackets"] == COUNT)
    assert rig.t.stats(0)["ibytes"] == sum(60 + i for i in range(COUNT))
    assert [rig.t.stats(port)["opackets"] for port in (0, 1)] == [0, 0]
    assert re.search(rf"RX-packets: {COUNT} +RX-dropped: 0 ", rig.stop())


@pytest.mark.parametrize("lengths", ["60", "1514", "100,200,300", "42,1,1,1400"])
def test_txonly(make_rig, lengths):
    """Each frame of testpmd's making arrives as it was made, of however many segments."""
    rig = make_rig(args=[f"--tx-offloads={MULTI_SEGS:#x}", "--eth-peer=0," + rigs.PEERS[0]])
    total = sum(int(part) for part in lengths.split(","))
    rig.t.cmd(f"set txpkts {lengths}")
    rig.t.cmd("set fwd txonly")
    rig.t.cmd("start")
    got = [rig.lines.ends[0].receive(rigs.PATIENCE) for _ in range(COUNT)]
    stopped = rig.stop()
    for data in got:
        assert data is not None and len(data) == total
        packet = scapy.Ether(data)
        assert (packet.dst, packet.src) == (rigs.PEERS[0], rigs.MACS[0])
        assert (packet[scapy.IP].len, packet[scapy.UDP].len) == (total - 14, total - 34)
        assert right_ip_checksum(packet)
    assert "TX-packets: 0 " not in stopped
    assert rig.t.stats(0)["oerrors"] == 0


def test_txonly_split_and_flows(make_rig):
    """Segments of random lengths, and many flows: testpmd counts those that it drops, too."""
    rig = make_rig(args=[f"--tx-offloads={MULTI_SEGS:#x}", "--txonly-multi-flow"])
    rig.t.cmd("set txpkts 64,128,256")
    rig.t.cmd("set txsplit rand")
    rig.t.cmd("set fwd txonly")
    rig.t.cmd("start")
    got = [rig.lines.ends[0].receive(rigs.PATIENCE) for _ in range(COUNT)]
    rig.stop()
    assert {len(data) for data in got} <= {64, 64 + 128, 64 + 128 + 256}
    assert len({len(data) for data in got}) > 1
    assert len({scapy.Ether(data)[scapy.IP].src for data in got}) > COUNT // 10


def test_flowgen(make_rig):
    """As many flows as asked for, in turn, beside what is received and dropped."""
    flows = 16
    rig = make_rig(args=[f"--flowgen-flows={flows}", "--flowgen-clones=0"])
    rig.t.cmd("set fwd flowgen retry")
    rig.t.cmd("start")
    got = [rig.lines.ends[0].receive(rigs.PATIENCE) for _ in range(COUNT)]
    rig.lines.ends[1].send(rigs.frame())
    rigs.eventually(lambda: rig.t.stats(1)["ipackets"] == 1)
    rig.stop()
    seen = set()
    for data in got:
        packet = scapy.Ether(data)
        assert len(data) == 60
        seen.add(packet[scapy.IP].dst)
        assert right_ip_checksum(packet)
    assert len(seen) == flows


def test_flowgen_clones(make_rig):
    """Mbufs that are sent several times at once: each leaves, none is freed too often.

    testpmd's default, MBUF_FAST_FREE, promises that no mbuf has a second reference.
    """
    rig = make_rig(args=["--flowgen-flows=4", "--flowgen-clones=3", "--tx-offloads=0"])
    rig.t.cmd("set fwd flowgen retry")
    rig.t.cmd("start")
    assert len({rig.lines.ends[0].receive(rigs.PATIENCE)[:14] for _ in range(COUNT)}) == 1
    rig.stop()


def test_icmpecho(rig):
    """ARP and ping are answered on the port where they came in."""
    ether = scapy.Ether(dst=rigs.MACS[0], src=rigs.PEERS[0])
    ping = lambda load, seq=0: bytes(ether / scapy.IP(src=ADDRESSES[0], dst=ADDRESSES[1]) /
                                     scapy.ICMP(id=4908, seq=seq) / load)
    rig.t.cmd("set fwd icmpecho")
    rig.t.cmd("start")
    asked = [bytes(scapy.Ether(dst=rigs.BROADCAST, src=rigs.PEERS[0]) /
                   scapy.ARP(hwsrc=rigs.PEERS[0], psrc=ADDRESSES[0], pdst=ADDRESSES[1]))]
    asked += [ping(bytes([seq]) * (20 + 14 * seq), seq) for seq in range(100)]
    got = [scapy.Ether(data) for data in rig.lines.exchange(asked, 0, 0, last=ping)]
    assert len(got) == len(asked)
    arp = got[0][scapy.ARP]
    assert (arp.op, arp.hwsrc, arp.psrc, arp.hwdst, arp.pdst) == \
        (2, rigs.MACS[0], ADDRESSES[1], rigs.PEERS[0], ADDRESSES[0])
    for seq, packet in enumerate(got[1:]):
        assert (packet.dst, packet.src) == (rigs.PEERS[0], rigs.MACS[0])
        want = scapy.IP(src=ADDRESSES[1], dst=ADDRESSES[0]) / \
            scapy.ICMP(type=0, id=4908, seq=seq) / (bytes([seq]) * (20 + 14 * seq))
        assert packet[scapy.ICMP].load == want[scapy.ICMP].load
        assert bytes(packet[scapy.IP])[20:] == bytes(want)[20:]
    clean(rig, (0,))


def test_noisy_fifo(make_rig):
    """Frames that wait in a FIFO with lookups between, until it is flushed."""
    rig = make_rig(args=["--noisy-tx-sw-buffer-size=64", "--noisy-tx-sw-buffer-flushtime=20",
                         "--noisy-lkup-memory=1", "--noisy-lkup-num-reads=4",
                         "--noisy-lkup-num-writes=4", "--noisy-lkup-num-reads-writes=4"])
    rig.start("noisy")
    sent = datagrams() * 3
    assert rig.lines.exchange(sent) == sent
    clean(rig)


def test_tx_first(rig):
    """The frames that testpmd begins with leave first; forwarding goes on after them."""
    rig.t.cmd("set fwd io")
    rig.t.cmd("set burst 8")
    rig.t.cmd("start tx_first 4")
    got = [rig.lines.ends[0].receive(rigs.PATIENCE) for _ in range(4 * 8)]
    assert {len(data) for data in got} == {64}
    assert rig.lines.ends[0].receive(0.1) is None
    rig.t.cmd("set burst 32")
    assert rig.lines.passes(rigs.frame(), into=1, out=0,
                            last=lambda mark: rigs.frame(rigs.MACS[1], payload=mark))


def test_recycle_mbufs(rig):
    """Transmit buffers refill the other port's receive ring."""
    if "Bad arguments" in rig.t.cmd("set fwd recycle_mbufs"):
        pytest.skip("this release of testpmd has no such engine")
    rig.start("recycle_mbufs")
    sent = datagrams() * 10
    assert rig.lines.exchange(sent) == sent
    clean(rig)
