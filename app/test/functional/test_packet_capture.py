# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""dpdk-dumpcap captures what a running testpmd receives and sends."""

import re

import pytest

import consumer
import rig as rigs

scapy = pytest.importorskip("scapy.all")
# Chassis, port, time to live, end.
LLDP = bytes.fromhex("0207040210184908010403044c4c4406020078" "0000")


def packets():
    """Return a packet of each of ten kinds, as bytes by name."""
    ether = scapy.Ether(dst=rigs.MACS[0], src=rigs.PEERS[0])
    ip, ip6 = scapy.IP(src="192.0.2.1", dst="192.0.2.2"), scapy.IPv6(src="::1", dst="::2")
    load = bytes(range(64))
    made = {
        "ARP": ether / scapy.ARP(),
        "ICMP": ether / ip / scapy.ICMP() / load,
        "TCP": ether / ip / scapy.TCP() / load,
        "UDP": ether / ip / scapy.UDP() / load,
        "SCTP": ether / ip / scapy.SCTP() / load,
        "ICMPv6": ether / ip6 / scapy.ICMPv6EchoRequest(data=load),
        "TCP over IPv6": ether / ip6 / scapy.TCP() / load,
        "UDP over IPv6": ether / ip6 / scapy.UDP() / load,
        "SCTP over IPv6": ether / ip6 / scapy.SCTP() / load,
        "LLDP": scapy.Ether(dst="01:80:c2:00:00:0e", src=rigs.PEERS[0], type=0x88CC) / LLDP,
    }
    return {name: bytes(packet).ljust(60, b"\0") for name, packet in made.items()}


def captured(primary, plugin_dir, env, tmp_path, *options):
    """Send the packets from port 0 to port 1; return what port 0's and port 1's captures hold."""
    paths = [str(tmp_path / f"port{port}.pcapng") for port in (0, 1)]
    tools = []
    try:
        for port, path in zip(rigs.PORTS, paths):
            tools.append(consumer.Tool(primary, plugin_dir, env, "dpdk-dumpcap", "-i", port,
                                       "-w", path, *options))
            tools[-1].expect("Packets captured: 0")
        sent = list(packets().values())
        assert primary.lines.exchange(sent) == sent
        rigs.eventually(lambda: all(count(t) >= wanted(options) for t in tools))
        for tool in tools:
            tool.quit()
    except BaseException:
        for tool in tools:
            tool.kill()
        raise
    return [[data for data, _ in scapy.RawPcapNgReader(path)] for path in paths]


def count(tool):
    """Return how many frames a tool says that it has."""
    return int(re.findall(r"\d+", tool.drain().rsplit("Packets captured: ", 1)[1])[-1])


def wanted(options):
    """Return how many frames a capture must have: all, with the last frame, or the filtered."""
    return 2 if options else len(packets()) + 1


def test_dumpcap(primary, plugin_dir, env, tmp_path):
    received, sent = captured(primary, plugin_dir, env, tmp_path)
    want = list(packets().values())
    assert received[: len(want)] == want
    assert sent[: len(want)] == want


def test_dumpcap_filter(primary, plugin_dir, env, tmp_path):
    """Only what the filter lets pass is captured; all of it is forwarded."""
    received, sent = captured(primary, plugin_dir, env, tmp_path, "-f", "tcp")
    want = [data for name, data in packets().items() if "TCP" in name and "SCTP" not in name]
    assert received == want
    assert sent == want
