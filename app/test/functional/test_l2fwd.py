# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Frames are forwarded whole, whatever the engine does with their addresses."""

import random

import pytest

import rig as rigs


@pytest.mark.parametrize("mode", ["io", "mac", "macswap"])
def test_l2fwd_integrity(rig, mode):
    """Fifty random payloads each way. The port has one queue: 2, 4 and 8 do not apply."""
    random.seed(4908)
    for port, peer in enumerate(rigs.PEERS):
        rig.t.cmd(f"set eth-peer {port} {peer}")
    rig.start(mode)
    for into, out in ((0, 1), (1, 0)):
        sent = [rigs.frame(rigs.MACS[into], rigs.PEERS[into], random.randbytes(100), length=0)
                for _ in range(50)]
        head = {
            "io": (rigs.MACS[into], rigs.PEERS[into]),
            "mac": (rigs.PEERS[out], rigs.MACS[out]),
            "macswap": (rigs.PEERS[into], rigs.MACS[into]),
        }[mode]
        want = [rigs.mac_bytes(head[0]) + rigs.mac_bytes(head[1]) + data[12:] for data in sent]
        assert rig.lines.exchange(sent, into, out) == want
