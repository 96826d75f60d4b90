# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""How fast one core forwards between two ports, between lines that never rest.

The model is the traffic generator, and its thread has a share in the machine: the figures are
reported as DTS does, not judged. What is judged is that all of it is traffic: nothing
is lost on the way, and the bytes are those of frames of the size that was asked for.
"""

import json
import time

import pytest

import rig as rigs

SIZES = (64, 128, 256, 512, 1024, 1518)
DESCRIPTORS = 1024
SECONDS = 0.3
ENOUGH = 10000


def snapshot(t):
    """Return what both ports received and sent, and when."""
    stats = [t.stats(port) for port in (0, 1)]
    return time.monotonic(), *(sum(s[n] for s in stats) for n in (
        "ipackets", "opackets", "ibytes", "obytes"))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """What is written at the end."""
    made = []
    yield made
    path = tmp_path_factory.mktemp("perf") / "performance_metrics.json"
    path.write_text(json.dumps({"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                                "results": made}))


@pytest.mark.parametrize("size", SIZES)
def test_single_core_forward_perf(run_testpmd, results, size, capsys):
    frame = min(size, 1514)  # without FCS
    vdevs = [f"net_bcm4908_{i},wire=net_null{i}" for i in (0, 1)] + \
        [f"net_null{i},size={frame}" for i in (0, 1)]
    t = run_testpmd(vdevs, args=["--nb-cores=1", f"--rxd={DESCRIPTORS}", f"--txd={DESCRIPTORS}"])
    t.cmd("start")
    rigs.eventually(lambda: snapshot(t)[1] > ENOUGH)
    before = snapshot(t)
    time.sleep(SECONDS)
    after = snapshot(t)
    t.cmd("stop")
    seconds, packets, *_ = (b - a for a, b in zip(before, after))
    assert packets > 0
    rx, tx = (t.stats(port) for port in (0, 1))
    for stats in (rx, tx):
        assert stats["ibytes"] == stats["ipackets"] * frame
        assert stats["obytes"] == stats["opackets"] * frame
        assert (stats["imissed"], stats["ierrors"], stats["oerrors"]) == (0, 0, 0)
    results.append({"frame_size": size, "num_descriptors": DESCRIPTORS,
                    "measured_mpps": round(packets / seconds / 1e6, 3)})
    with capsys.disabled():
        print(f"\n{size} bytes, {DESCRIPTORS} descriptors: {results[-1]['measured_mpps']} Mpps")
