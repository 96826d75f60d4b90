# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Real captures as traffic: collected into one file, and compared after forwarding.

Rules for what is used:

* A file counts when it is a classic pcap (either byte order, micro- or
  nanosecond stamps) of link type Ethernet without FCS. Others (pcapng, other
  link types) are left out.
* A record that does not fit its file ends its capture: what precedes it is used.
* The bytes that were captured are the frame, also where the capturing program
  cut it short.
* A frame shorter than an Ethernet header is left out: no MAC sends one.
* A frame longer than the MTU allows (14 bytes of header, 4 for a VLAN tag) is
  left out: the port drops it by design.
* PAUSE frames are left out: the MAC consumes them.
"""

import os
import struct

MTU = 1500
ETHER_HDR = 14
ETHER_MIN = 60  # without FCS
VLAN_TAG = 4
ETHERTYPE_VLAN = 0x8100
ETHERTYPE_CONTROL = 0x8808
OPCODE_PAUSE = 1

LINKTYPE_ETHERNET = 1
MAX_RECORD = 262144

MAGICS = {
    bytes.fromhex("a1b2c3d4"): ">",
    bytes.fromhex("d4c3b2a1"): "<",
    bytes.fromhex("a1b23c4d"): ">",
    bytes.fromhex("4d3cb2a1"): "<",
}


class NotUsed(Exception):
    """A capture file that the rules leave out; the text says why."""


def read_pcap(path):
    """Return the frames of a pcap file, and whether it ends in a damaged record."""
    with open(path, "rb") as f:
        data = f.read()
    order = MAGICS.get(data[:4])
    if order is None or len(data) < 24:
        raise NotUsed("not a classic pcap file")
    (network,) = struct.unpack_from(order + "I", data, 20)
    if network != LINKTYPE_ETHERNET:
        raise NotUsed("link type is not Ethernet without FCS")
    record = struct.Struct(order + "IIII")
    frames = []
    pos = 24
    while pos < len(data):
        if pos + record.size > len(data):
            return frames, True
        caplen = record.unpack_from(data, pos)[2]
        pos += record.size
        if caplen > MAX_RECORD or pos + caplen > len(data):
            return frames, True
        frames.append(data[pos : pos + caplen])
        pos += caplen
    return frames, False


def write_pcap(path, frames):
    """Write frames as a pcap file, a microsecond apart."""
    with open(path, "wb") as f:
        f.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, LINKTYPE_ETHERNET))
        for i, frame in enumerate(frames):
            f.write(struct.pack("<IIII", i // 1000000, i % 1000000, len(frame), len(frame)))
            f.write(frame)


def why_not(frame):
    """Return why a frame is left out, or None."""
    if len(frame) < ETHER_HDR:
        return "shorter than an Ethernet header"
    (ethertype,) = struct.unpack_from(">H", frame, 12)
    limit = MTU + ETHER_HDR + (VLAN_TAG if ethertype == ETHERTYPE_VLAN else 0)
    if len(frame) > limit:
        return "longer than the MTU allows"
    if ethertype == ETHERTYPE_CONTROL and frame[14:16] == struct.pack(">H", OPCODE_PAUSE):
        return "PAUSE frame"
    return None


class Collection:
    """The frames of many captures in one sequence, with their boundaries."""

    def __init__(self):
        self.frames = []
        self.bounds = []  # (name, first frame) of each capture
        self.unused = {}  # reason: count, of files
        self.skipped = {}  # reason: count, of frames

    @staticmethod
    def _count(table, reason):
        table[reason] = table.get(reason, 0) + 1

    def add(self, path):
        """Add a capture file by the rules."""
        try:
            frames, damaged = read_pcap(path)
        except NotUsed as e:
            self._count(self.unused, str(e))
            return
        if damaged:
            self._count(self.skipped, "damaged record at the end of a capture")
        used = []
        for frame in frames:
            reason = why_not(frame)
            if reason is None:
                used.append(frame)
            else:
                self._count(self.skipped, reason)
        if not used:
            self._count(self.unused, "no frame that is used")
            return
        self.bounds.append((os.path.basename(path), len(self.frames)))
        self.frames += used

    def rules_applied(self):
        """Say what the rules left out."""
        files = ", ".join(f"{n} {reason}" for reason, n in sorted(self.unused.items()))
        frames = ", ".join(f"{n} {reason}" for reason, n in sorted(self.skipped.items()))
        return f"left out: files: {files or 'none'}; frames: {frames or 'none'}"

    def where(self, index):
        """Name the capture, and the frame in it, that a frame came from."""
        name, first = next(b for b in reversed(self.bounds) if b[1] <= index)
        return f"frame {index - first} of {name}"


def expected(frame, mode, dst, src):
    """Return what a frame must look like after forwarding in a testpmd mode."""
    if mode == "mac":
        frame = dst + src + frame[12:]
    elif mode == "macswap":
        frame = frame[6:12] + frame[0:6] + frame[12:]
    elif mode != "io":
        raise ValueError(mode)
    return frame.ljust(ETHER_MIN, b"\0")


def describe(want, got, i):
    """Say what looks wrong at the first frame, i, that differs."""
    if i == len(got):
        return "missing"
    if i == len(want):
        return "more than was sent"
    if got[i] == want[i - 1] and i > 0:
        return "doubled"
    if want[i + 1 : i + 2] == [got[i]]:
        return "reordered" if want[i] in got[i + 1 : i + 64] else "missing"
    if len(got[i]) != len(want[i]):
        return f"of {len(got[i])} bytes, not {len(want[i])}"
    at = next(k for k, (a, b) in enumerate(zip(want[i], got[i])) if a != b)
    return f"changed at byte {at}: {got[i][at]:#04x}, not {want[i][at]:#04x}"


def compare(want, got, where):
    """Compare two sequences of frames, place by place.

    Return how many places differ, and a line about the first one that names its
    origin with where(index).
    """
    differ = [i for i, (a, b) in enumerate(zip(want, got)) if a != b]
    differ += range(min(len(want), len(got)), max(len(want), len(got)))
    if not differ:
        return 0, ""
    i = differ[0]
    origin = where(i) if i < len(want) else "behind the last frame"
    return len(differ), f"{origin}: {describe(want, got, i)}"


def collect(directory, every=1):
    """Return the Collection of a directory's captures, or of every n-th of them."""
    names = sorted(n for n in os.listdir(directory) if os.path.isfile(os.path.join(directory, n)))
    names = [n for n in names if n.endswith((".pcap", ".pcapng"))]
    collection = Collection()
    for name in names[::every]:
        collection.add(os.path.join(directory, name))
    return collection
