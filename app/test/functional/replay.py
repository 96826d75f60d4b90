# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Frames from a pcap file through two net_bcm4908 ports of testpmd into another."""

import os
import time

import captures
import testpmd

PORTS = ("net_bcm4908_0", "net_bcm4908_1")
WIRES = ("net_pcap_line0", "net_pcap_line1")
MACS = ("02:10:18:49:08:00", "02:10:18:49:08:01")
PEERS = ("02:00:5e:00:53:00", "02:00:5e:00:53:01")
STALL = 30  # seconds without any movement: what is missing will not come


def mac_bytes(text):
    """Return the six bytes of a MAC address."""
    return bytes.fromhex(text.replace(":", ""))


def expected(frames, mode):
    """Return what must arrive behind port 1 when frames arrive at port 0."""
    dst, src = mac_bytes(PEERS[1]), mac_bytes(MACS[1])
    return [captures.expected(f, mode, dst, src) for f in frames]


class Replay:
    """A running testpmd between two files; used as a context manager.

    After the context the result is in got (frames behind port 1) and back
    (frames that came back at port 0, where none is due).
    """

    def __init__(self, plugin_dir, frames, mode, directory, devargs="", **kwargs):
        self.mode = mode
        self.count = len(frames)
        self.seconds = 0.0
        self.got = self.back = None
        self._paths = [os.path.join(directory, n) for n in ("in.pcap", "back.pcap", "out.pcap")]
        captures.write_pcap(self._paths[0], frames)
        vdevs = [
            f"{PORTS[0]},wire={WIRES[0]},mac={MACS[0]}{devargs}",
            f"{PORTS[1]},wire={WIRES[1]},mac={MACS[1]}{devargs}",
            f"{WIRES[0]},rx_pcap={self._paths[0]},tx_pcap={self._paths[1]}",
            f"{WIRES[1]},tx_pcap={self._paths[2]}",
        ]
        self.testpmd = testpmd.Testpmd(plugin_dir, vdevs, args=["--nb-cores=1", "--no-flush-rx"],
                                       **kwargs)

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, tb):
        self.testpmd.__exit__(exc_type, exc, tb)
        if exc_type is None:
            self.back, self.got = (captures.read_pcap(p)[0] for p in self._paths[1:])

    def run(self):
        """Forward everything; return when both wires have seen all, or nothing moves any more."""
        t = self.testpmd
        t.cmd(f"set fwd {self.mode} retry")
        t.cmd("set burst tx delay 10 retry 1000000")
        for port, peer in enumerate(PEERS):
            t.cmd(f"set eth-peer {port} {peer}")
        wires = [t.port_id(name) for name in WIRES]
        start = moved = time.monotonic()
        seen = None
        t.cmd("start")
        while True:
            counts = (t.stats(wires[0])["ipackets"], t.stats(wires[1])["opackets"])
            now = time.monotonic()
            if counts != seen:
                seen, moved = counts, now
            if min(counts) >= self.count or now - moved > STALL:
                break
            time.sleep(0.002)
        self.seconds = moved - start
