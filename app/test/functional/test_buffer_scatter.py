# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Frames longer than a buffer."""

import pytest

import rig as rigs

MBUF = 2048
FCS = 4
MULTI_SEGS = 0x8000


@pytest.mark.parametrize("args", [[], ["--enable-scatter"]],
                         ids=["scatter_mbuf_2048", "scatter_mbuf_2048_with_offload"])
def test_scatter(make_rig, args):
    """Lengths around one buffer: the FCS alone, split, or not at all in the second one.

    The data room of 2048 bytes holds the headroom as well, so buffers are filled at 1920 bytes.
    """
    rig = make_rig(wide=True, args=[f"--mbuf-size={MBUF}", "--max-pkt-len=9000",
                                    f"--tx-offloads={MULTI_SEGS:#x}", *args])
    shown = rig.t.cmd("show rxq info 0 0")
    assert "RX scattered packets: on" in shown and "Burst mode: Scattered" in shown
    rig.start("mac")
    for base in (MBUF, MBUF - 128, 2 * (MBUF - 128)):
        for offset in (-1, 0, 1, 2, 3, 4, 5):
            data = rigs.frame(length=base + offset - FCS, payload=b"X" * (base + offset - FCS - 14))
            assert [got[12:] for got in rig.lines.exchange([data])] == [data[12:]], base + offset
