# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""DPDK's own examples, unmodified, with traffic that is compared.

Two of DPDK's sample programs' habits shape the options: each logical core gets a transmit queue
of its own where the port has one, hence one core; and checksum offloads are asked for
without a look at what a port can do, hence sw-cksum=1.
"""

import os
import re

import pytest

import consumer
import program
import rig as rigs

scapy = pytest.importorskip("scapy.all")

FRAMES = 200


@pytest.fixture
def run(plugin_dir, build_dir, env, request):
    """Run an example: run(name, options, ready, binary=..., ...)."""
    running = []
    failed = request.session.testsfailed

    def start(name, options, ready, binary=None, **kwargs):
        command = consumer.example(build_dir, name, binary)
        running.append(consumer.Consumer(plugin_dir, env, command, options, ready, **kwargs))
        return running[-1]

    yield start
    for c in running:
        c.close(request.session.testsfailed > failed)


def readdressed(data, dst, src):
    """Return a frame with other MAC addresses."""
    return rigs.mac_bytes(dst) + rigs.mac_bytes(src) + data[12:]


def some_frames(into):
    """Return frames of many lengths for a port."""
    return [rigs.frame(rigs.MACS[into], rigs.PEERS[into], bytes([i]) * i, length=60)
            for i in range(FRAMES)]


def last_for(into):
    """Return what makes the last frame for a port."""
    return lambda mark: rigs.frame(rigs.MACS[into], payload=mark)


def test_skeleton(run):
    c = run("skeleton", [], "forwarding packets", binary="basicfwd")
    for into in (0, 1):
        c.open(last_for(into), into, 1 - into)
        sent = some_frames(into)
        assert c.lines.exchange(sent, into, 1 - into) == sent


@pytest.mark.parametrize("options,updated", [([], True), (["--no-mac-updating"], False)],
                         ids=["mac_updating", "no_mac_updating"])
def test_l2fwd(run, options, updated):
    c = run("l2fwd", ["-p", "3", "-q", "2", "-T", "0", *options], "entering main loop")
    for into in (0, 1):
        out = 1 - into
        c.open(last_for(into), into, out)
        sent = some_frames(into)
        want = [readdressed(data, f"02:00:00:00:00:0{out}", rigs.MACS[out]) if updated else data
                for data in sent]
        assert c.lines.exchange(sent, into, out) == want


def routed(out, src="198.18.9.9", dst=None, ttl=64, load=b"", ports=(9, 9), mac=None):
    """Return an IPv4 packet as it is for a router's port 1 - out, or as it leaves from out."""
    ether = scapy.Ether(dst=mac[0], src=mac[1])
    return bytes(ether / scapy.IP(src=src, dst=dst or f"198.18.{out}.1", ttl=ttl) /
                 scapy.UDP(sport=ports[0], dport=ports[1]) / load)


def route(c, peer=None, **packet):
    """Route packets both ways; each must leave with a hop less and a right checksum.

    peer: the MAC address that they leave for, if not that of eth-dest.
    """
    for into in (0, 1):
        out = 1 - into
        fields = {key: value.format(out=out, net=out + 1) for key, value in packet.items()}
        here = (rigs.MACS[into], rigs.PEERS[into])
        there = ((peer or rigs.PEERS[out]).format(out=out), rigs.MACS[out])
        last = lambda mark: routed(out, load=mark, mac=here, **fields)
        c.open(last, into, out)
        loads = [bytes([i % 256]) * (18 + 7 * i) for i in range(FRAMES)]
        sent = [routed(out, load=load, mac=here, **fields) for load in loads]
        want = [routed(out, load=load, ttl=63, mac=there, **fields) for load in loads]
        assert c.lines.exchange(sent, into, out, last=last) == want


L3FWD = ["-p", "3", "-P", "--config=(0,0,0),(1,0,0)", f"--eth-dest=0,{rigs.PEERS[0]}",
         f"--eth-dest=1,{rigs.PEERS[1]}"]


@pytest.mark.parametrize("lookup", ["lpm", "fib", "em"])
def test_l3fwd(run, lookup):
    c = run("l3fwd", [*L3FWD, f"--lookup={lookup}"], "entering main loop",
            devargs=",sw-cksum=1", eal=("--no-huge", "-m", "1024"))
    if lookup == "em":
        route(c, src="198.18.{out}.1", dst="198.18.{out}.0")
    else:
        route(c)


def test_l3fwd_packet_types_by_software(run):
    c = run("l3fwd", [*L3FWD, "--parse-ptype"], "entering main loop",
            devargs=",sw-cksum=1")
    route(c)


@pytest.mark.parametrize("options", [["--pmd-mgmt=pause"], ["--pmd-mgmt=baseline"]],
                         ids=["pause", "baseline"])
def test_l3fwd_power(run, options):
    """Power management around the bursts; legacy and scaling need a CPU that can be scaled."""
    c = run("l3fwd-power", ["-p", "3", "-P", "--config=(0,0,0),(1,0,0)", *options],
            "entering main .*loop on lcore 0", devargs=",sw-cksum=1")
    route(c, "02:00:00:00:00:0{out}", dst="{net}.1.1.1")


def test_l3fwd_power_telemetry(run):
    """Forwarding on one core, the first, which has the transmit queues; the other only looks."""
    c = run("l3fwd-power", ["-p", "3", "-P", "--config=(0,0,0),(1,0,0)", "--telemetry"],
            "entering main telemetry loop on lcore 0", devargs=",sw-cksum=1", lcores=2,
            eal=(*consumer.NO_HUGE, "--main-lcore=1"))
    route(c, "02:00:00:00:00:0{out}", dst="{net}.1.1.1")


def test_pmd_perf_autotest(plugin_dir, env):
    """The benchmark of dpdk-test, over the loopback of the MAC."""
    prefix = f"bcm4908-perf-autotest-{os.getpid()}"
    argv = [consumer.installed("dpdk-test"), program.eal_cores(2), "--no-pci", *consumer.NO_HUGE,
            f"--file-prefix={prefix}", "-d", program.PLUGIN, "--vdev=net_bcm4908_0,stepping=burst"]
    environ = program.plugin_environ(plugin_dir, env=env)
    with program.Program(argv, environ, prompt="RTE>>", prefix=prefix) as dpdk_test:
        shown = dpdk_test.cmd("pmd_perf_autotest", timeout=120)
        assert "Test OK" in shown
        asked = int(re.search(r"stop after at least (\d+) packets received", shown)[1])
        assert int(re.search(r"^(\d+) packet, ", shown, re.M)[1]) >= asked
        assert re.search(r"Result: \d+ cycles per packet", shown)


def test_link_status_interrupt(run):
    """Events come when a line goes down and when it comes back; frames pass after that."""
    c = run("link_status_interrupt", ["-p", "3", "-q", "2", "-T", "0"], "entering main loop")
    c.open(last_for(0))
    for state in ("down", "up"):
        since = len(c.drain())
        c.namespace.run("ip", "link", "set", rigs.LINES[0], state)
        c.expect(rf"LSC interrupt\n+Port 0 Link {state}", since=since)
    c.reopen()
    c.open(last_for(0))
    sent = some_frames(0)
    assert c.lines.exchange(sent) == \
        [readdressed(data, "02:00:00:00:00:01", rigs.MACS[1]) for data in sent]


def right_checksum(ip):
    """Return whether the IPv4 header's checksum is that of its other fields."""
    again = ip.copy()
    del again.chksum
    return scapy.IP(bytes(again)).chksum == ip.chksum


def fragments_of(packet, sent):
    """Check that IPv4 fragments make a packet, each with a right checksum; return their number."""
    load = b""
    for data in sent:
        ip = scapy.Ether(data)[scapy.IP]
        assert right_checksum(ip)
        assert ip.len <= 1500 and ip.frag * 8 == len(load) and ip.id == packet[scapy.IP].id
        assert (ip.flags.MF == 1) == (data is not sent[-1])
        load += bytes(ip)[20 : ip.len]
    assert load == bytes(packet[scapy.IP])[20:]
    return len(sent)


def big(out, length, mark=b""):
    """Return a UDP datagram for one of the example's routes."""
    ip = scapy.IP(src="100.99.0.1", dst=f"100.{(out + 1) * 10}.0.1", id=length)
    load = (mark + bytes(i % 251 for i in range(length)))[:max(length, len(mark))]
    return scapy.Ether(dst=rigs.MACS[1 - out], src=rigs.PEERS[1 - out]) / ip / scapy.UDP() / load


def test_ip_fragmentation(run):
    """Long packets leave as fragments, chains whose data lies in other mbufs."""
    c = run("ip_fragmentation", ["-p", "3", "-q", "2"], "entering main loop",
            devargs=",sw-cksum=1", wide=True)
    last = lambda mark: bytes(big(1, 40, mark))
    c.open(last)
    for length in (18, 1400, 1472, 1473, 2952, 4000, 8000, 9000):
        packet = big(1, length)
        got = c.lines.exchange([bytes(packet)], last=last)
        assert fragments_of(scapy.Ether(bytes(packet)), got) == -(-(length + 8) // 1480)


def test_ip_reassembly(run):
    """Fragments leave as the packet that they were; others as they came."""
    c = run("ip_reassembly", ["-p", "3", "-q", "2", "--maxflows=64", "--flowttl=10s"],
            "entering main loop", devargs=",sw-cksum=1", wide=True)
    last = lambda mark: bytes(big(1, 40, mark))
    c.open(last)
    for length in (18, 1472, 1473, 2952, 4000, 5900):
        packet = big(1, length)
        parts = [bytes(f) for f in scapy.fragment(packet, 1480)]
        for order in (parts, parts[::-1]):
            got = c.lines.exchange(order, last=last)
            assert len(got) == 1
            ip = scapy.Ether(got[0])[scapy.IP]
            assert (ip.flags.MF, ip.frag) == (0, 0)
            assert bytes(ip)[20:] == bytes(scapy.Ether(bytes(packet))[scapy.IP])[20:]
            assert right_checksum(ip)
