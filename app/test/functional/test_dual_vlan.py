# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Frames with two VLAN tags; the outer one is what the functions are about."""

import itertools

import pytest

from test_vlan import PRIORITY, insert, left, vlan_rig  # noqa: F401 pylint: disable=unused-import

OUTER, INNER = 1, 2
INSERTED = 3


def expected(filtered, strip, inserted, outer=OUTER, inner=INNER):
    """Return the tags that must leave, or None."""
    if filtered not in (None, outer):
        return None
    tags = (inner,) if strip else (outer, inner)
    return (INSERTED, *tags) if inserted else tags


@pytest.mark.parametrize("inserted", [False, True], ids=["no_insert", "insert"])
def test_all_vlan_functions(vlan_rig, inserted):  # noqa: F811
    """Every combination of filter, strip and insert."""
    t = vlan_rig.t
    if inserted:
        insert(vlan_rig, INSERTED)
    for filtered, strip in itertools.product((None, OUTER, INNER), (False, True)):
        t.cmd(f"vlan set strip {'on' if strip else 'off'} 0")
        t.cmd(f"vlan set filter {'on' if filtered else 'off'} 0")
        t.cmd("rx_vlan rm all 0")
        if filtered:
            t.cmd(f"rx_vlan add {filtered} 0")
        assert left(vlan_rig, OUTER, INNER) == expected(filtered, strip, inserted), \
            (filtered, strip)


def test_insert_second_vlan(vlan_rig):  # noqa: F811
    """The tag is put before one that a frame has."""
    insert(vlan_rig, INSERTED)
    assert left(vlan_rig, OUTER) == (INSERTED, OUTER)


def test_maintains_priority(vlan_rig):  # noqa: F811
    """Priority bits of both tags stay as they are."""
    outer, inner = PRIORITY | OUTER, (2 << 13) | INNER
    assert left(vlan_rig, outer, inner) == (outer, inner)
    vlan_rig.t.cmd("vlan set strip on 0")
    assert left(vlan_rig, outer, inner) == (inner,)
