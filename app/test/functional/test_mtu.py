# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""The MTU as the limit of what is received."""

import pytest

import rig as rigs

HEADER = 14
ROOM_FOR_TAGS = 8  # the device counts two VLAN tags into what it takes


def assess_boundary(rig, mtu):
    """Frames up to the MTU pass; one that even two tags do not explain does not."""
    for size in (mtu - 9, mtu):
        assert rig.lines.passes(rigs.frame(length=HEADER + size, payload=b"X"))
    assert not rig.lines.passes(rigs.frame(length=HEADER + mtu + ROOM_FOR_TAGS + 1, payload=b"X"))


def set_mtu(rig, mtu):
    """Set the MTU of both ports."""
    for port in (0, 1):
        assert rig.t.cmd(f"port config mtu {port} {mtu}").strip() == ""
        assert rigs.info(rig.t, port)["MTU"] == str(mtu)


def test_runtime_mtu_updating_and_forwarding(make_rig):
    """While the ports run, without a stop between."""
    rig = make_rig(wide=True)
    rig.start()
    for mtu in (1500, 2400, 4800, 1500, 9000):
        set_mtu(rig, mtu)
        assess_boundary(rig, mtu)


def test_mtu_of_a_stopped_port(make_rig):
    rig = make_rig(wide=True)
    for mtu in (4800, 1500):
        rig.t.cmd("port stop all")
        set_mtu(rig, mtu)
        rig.t.cmd("port start all")
        rig.start()
        assess_boundary(rig, mtu)
        rig.stop()


def test_mtu_limits(make_rig):
    """Outside of 68 to 9190 it is refused, and stays as it is."""
    rig = make_rig(wide=True)
    for mtu in (67, 9191, 65535):
        assert rig.t.cmd(f"port config mtu 0 {mtu}").strip() != ""
        assert rigs.info(rig.t)["MTU"] == "1500"
    rig.start()
    assess_boundary(rig, 1500)


@pytest.mark.parametrize("length,mtu", [(1518, 1500), (9018, 9000)],
                         ids=["cli_mtu_forwarding_for_std_packets",
                              "cli_jumbo_forwarding_for_jumbo_mtu"])
def test_max_pkt_len(make_rig, length, mtu):
    """The limit as testpmd's own option; its frames' overhead is the one that ethdev derives."""
    rig = make_rig(wide=True, args=[f"--max-pkt-len={length}", "--tx-offloads=0x8000"])
    got = int(rigs.info(rig.t)["MTU"])
    assert mtu - ROOM_FOR_TAGS <= got <= mtu
    rig.start()
    assess_boundary(rig, got)


def test_cli_mtu_std_packets_for_jumbo_mtu(make_rig):
    """With a jumbo MTU, standard frames pass as well."""
    rig = make_rig(wide=True, args=["--max-pkt-len=9018", "--tx-offloads=0x8000"])
    rig.start()
    for size in (1500 - 9, 1500, 1500 + 9):
        assert rig.lines.passes(rigs.frame(length=HEADER + size, payload=b"X"))
