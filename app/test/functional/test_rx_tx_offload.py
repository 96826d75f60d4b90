# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Offloads are reported as configured, and used; those that are not claimed are refused."""

import re

import pytest

import rig as rigs


def configuration(t, direction="tx"):
    """Return the offloads of port 0 and of its queue 0, as testpmd shows them."""
    shown = t.cmd(f"show port 0 {direction}_offload configuration")
    port = re.search(r"Port : ?(.*)", shown)
    queue = re.search(r"Queue\[ ?0\] : ?(.*)", shown)
    return (set(port[1].split()) if port else set(), set(queue[1].split()) if queue else set())


def capabilities(t, direction):
    """Return the offloads that port 0 claims per queue and per port."""
    shown = t.cmd(f"show port 0 {direction}_offload capabilities")
    return tuple(set(re.search(rf"Per {level} *: ?(.*)", shown)[1].split())
                 for level in ("Queue", "Port"))


@pytest.fixture
def stopped(rig):
    """A rig whose port 0 is stopped; its offloads are as they were afterwards."""
    rig.t.cmd("port stop 0")
    yield rig
    rig.t.cmd("port stop 0")
    rig.t.cmd("port config 0 tx_offload mbuf_fast_free on")
    rig.t.cmd("port start 0")


def carries(rig):
    """Start port 0 and pass frames through it both ways."""
    rig.t.cmd("port start 0")
    rig.start()
    for into in (0, 1):
        sent = [rigs.frame(rigs.MACS[into], length=60 + i) for i in range(100)]
        assert rig.lines.exchange(sent, into, 1 - into) == sent
    rig.stop()


def test_mbuf_fast_free_configuration_per_port(stopped):
    t = stopped.t
    for state in ("off", "on"):
        t.cmd(f"port config 0 tx_offload mbuf_fast_free {state}")
        on = state == "on"
        carries(stopped)
        assert ("MBUF_FAST_FREE" in configuration(t)[0]) == on
        assert ("fast free" in t.cmd("show txq info 0 0")) == on
        t.cmd("port stop 0")


def test_mbuf_fast_free_configuration_per_queue(stopped):
    """What is an offload of the port alone is refused for a queue; one of both is not."""
    t = stopped.t
    per_queue = "MBUF_FAST_FREE" in capabilities(t, "tx")[0]
    t.cmd("port config 0 tx_offload mbuf_fast_free off")
    said = t.cmd("port 0 txq 0 tx_offload mbuf_fast_free on")
    assert ("Error" in said) != per_queue, said
    carries(stopped)
    assert ("MBUF_FAST_FREE" in configuration(t)[1]) == per_queue
    assert ("fast free" in t.cmd("show txq info 0 0")) == per_queue
    t.cmd("port stop 0")
    t.cmd("port 0 txq 0 tx_offload mbuf_fast_free off")


def test_capabilities(rig):
    """What the guide claims, no more; checksums only with sw-cksum=1."""
    rx = set.union(*capabilities(rig.t, "rx"))
    tx = set.union(*capabilities(rig.t, "tx"))
    assert rx == {"VLAN_STRIP", "VLAN_FILTER", "SCATTER"}
    assert tx == {"VLAN_INSERT", "MULTI_SEGS", "MBUF_FAST_FREE"}


def test_capabilities_with_checksums(make_rig):
    t = make_rig(devargs=",sw-cksum=1").t
    sums = {"IPV4_CKSUM", "UDP_CKSUM", "TCP_CKSUM"}
    assert sums <= set.union(*capabilities(t, "rx"))
    assert sums <= set.union(*capabilities(t, "tx"))


@pytest.mark.parametrize("direction,offload", [
    ("rx", "keep_crc"), ("rx", "rss_hash"), ("rx", "tcp_lro"), ("rx", "buffer_split"),
    ("rx", "timestamp"), ("rx", "ipv4_cksum"), ("tx", "tcp_tso"), ("tx", "ipv4_cksum"),
    ("tx", "qinq_insert"), ("tx", "mt_lockfree"),
])
def test_refused(stopped, direction, offload):
    """An offload that is not claimed fails when it is configured; the port starts without it."""
    t = stopped.t
    said = t.cmd(f"port config 0 {direction}_offload {offload} on") + t.cmd("port start 0")
    assert "Error" in said or "fail" in said.lower(), said
    t.cmd(f"port config 0 {direction}_offload {offload} off")
    carries(stopped)
    assert offload.upper() not in configuration(t, direction)[0]
