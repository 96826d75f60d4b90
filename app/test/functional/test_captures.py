# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Real captures through driver, model and stock testpmd; every frame is compared."""

import os
import struct

import pytest

import captures
import replay

CAPTURES = os.environ.get(
    "BCM4908_CAPTURES",
    os.path.join(
        os.environ.get("BCM4908_CACHE", os.path.expanduser("~/.cache/net-bcm4908")),
        "tcpdump", "tests"))
EVERY = int(os.environ.get("BCM4908_CAPTURES_EVERY", "1"))
MIN_CAPTURES = 200
NONCOHERENT_EVERY = 10


@pytest.fixture(scope="module")
def collection():
    """The captures' frames."""
    c = captures.collect(CAPTURES, EVERY)
    assert len(c.bounds) >= MIN_CAPTURES // EVERY
    return c


@pytest.mark.parametrize("mode", ["io", "mac", "macswap"])
def test_replay(collection, mode, plugin_dir, env, tmp_path, capsys):
    with replay.Replay(plugin_dir, collection.frames, mode, tmp_path, env=env) as r:
        r.run()
    want = replay.expected(collection.frames, mode)
    differing, first = captures.compare(want, r.got, collection.where)
    with capsys.disabled():
        print(f"\n{mode}: {len(collection.bounds)} captures, {len(r.got)} frames compared, "
              f"{differing} differ ({collection.rules_applied()})")
    assert differing == 0, first
    assert r.back == []


@pytest.mark.parametrize("stepping", ["burst", "thread"])
def test_replay_noncoherent(stepping, plugin_dir, env, tmp_path, capsys):
    """Memory that is not coherent, with the accidents of a cache: a tenth of the captures."""
    c = captures.collect(CAPTURES, max(EVERY, NONCOHERENT_EVERY))
    with replay.Replay(plugin_dir, c.frames, "macswap", tmp_path, env=env,
                       devargs=f",coherent=0,stepping={stepping}") as r:
        assert "non-coherent" in r.testpmd.cmd("show rxq info 0 0")
        r.run()
    want = replay.expected(c.frames, "macswap")
    differing, first = captures.compare(want, r.got, c.where)
    with capsys.disabled():
        print(f"\nstepping={stepping}, coherent=0: {len(c.bounds)} captures, "
              f"{len(r.got)} frames compared, {differing} differ")
    assert differing == 0, first
    assert r.back == []


def damage_missing(frames, i):
    del frames[i]


def damage_changed(frames, i):
    last = len(frames[i]) - 1
    frames[i] = frames[i][:last] + bytes([frames[i][last] ^ 1])


def damage_doubled(frames, i):
    frames.insert(i, frames[i])


def damage_reordered(frames, i):
    frames[i], frames[i + 1] = frames[i + 1], frames[i]


@pytest.mark.parametrize("damage,says", [
    (damage_missing, "missing"),
    (damage_changed, "changed"),
    (damage_doubled, "doubled"),
    (damage_reordered, "reordered"),
])
def test_comparison_fails(collection, damage, says):
    """One damaged frame, first, last or in between, must make the comparison fail."""
    want = replay.expected(collection.frames, "io")
    # Only where the neighbours differ can an exchange be seen.
    places = [i for i in range(1, len(want) - 1)
              if len({want[i - 1], want[i], want[i + 1]}) == 3]
    for i in (places[0], places[len(places) // 2], places[-1]):
        got = list(want)
        damage(got, i)
        differing, first = captures.compare(want, got, collection.where)
        assert differing > 0
        assert says in first
    for i in (0, len(want) - 1):
        got = list(want)
        damage_changed(got, i)
        assert captures.compare(want, got, collection.where)[0] == 1
        damage_missing(got, i)
        assert captures.compare(want, got, collection.where)[0] > 0


def test_undamaged_compares(collection):
    want = replay.expected(collection.frames, "io")
    assert captures.compare(want, list(want), collection.where) == (0, "")


FRAMES = [b"a" * 60, b"b" * 14]


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("magic", [0xA1B2C3D4, 0xA1B23C4D])
def test_read_pcap(tmp_path, order, magic):
    path = tmp_path / "a.pcap"
    data = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 65535, 1)
    for frame in FRAMES:
        data += struct.pack(order + "IIII", 1, 2, len(frame), 1514) + frame
    path.write_bytes(data)
    assert captures.read_pcap(path) == (FRAMES, False)
    for end in (1, 14 + 1, 14 + 16, 14 + 16 + 1):  # in the last record, its header, the one before
        path.write_bytes(data[:-end])
        whole = 1 if end <= 14 + 16 else 0
        assert captures.read_pcap(path) == (FRAMES[:whole], end != 14 + 16)


@pytest.mark.parametrize("head", [
    b"",
    b"\x0a\x0d\x0d\x0a" + b"\0" * 40,  # pcapng
    struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101),  # raw IP
    struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1 | 0x24000000),  # with FCS
])
def test_read_pcap_refuses(tmp_path, head):
    path = tmp_path / "a.pcap"
    path.write_bytes(head)
    with pytest.raises(captures.NotUsed):
        captures.read_pcap(path)


@pytest.mark.parametrize("frame,reason", [
    (bytes(13), "shorter"),
    (bytes(14), None),
    (bytes(1514), None),
    (bytes(1515), "longer"),
    (bytes(12) + b"\x81\x00" + bytes(1504), None),
    (bytes(12) + b"\x81\x00" + bytes(1505), "longer"),
    (bytes(12) + b"\x88\x08\x00\x01" + bytes(44), "PAUSE"),
    (bytes(12) + b"\x88\x08\x01\x01" + bytes(44), None),
])
def test_rules(frame, reason):
    said = captures.why_not(frame)
    assert said is None if reason is None else reason in said


@pytest.mark.parametrize("mode,want", [
    ("io", b"DDDDDDSSSSSS\x08\x00" + bytes(46)),
    ("mac", b"ddddddssssss\x08\x00" + bytes(46)),
    ("macswap", b"SSSSSSDDDDDD\x08\x00" + bytes(46)),
])
def test_expected(mode, want):
    frame = b"DDDDDDSSSSSS\x08\x00"
    assert captures.expected(frame, mode, b"dddddd", b"ssssss") == want
