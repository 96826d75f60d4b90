# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Testpmd's commands that reach a driver and have no suite of their own.

Each is issued, and its effect is looked at: in what the port shows, and in traffic.
"""

import re

import pytest

import rig as rigs

FRAMES = [rigs.frame(payload=b"%04d" % i) for i in range(100)]


def forwards(rig):
    """Start, and return whether frames pass both ways; they wait for room in a small ring."""
    # As long as it takes: the model's thread may be kept from the CPU.
    rig.t.cmd("set burst tx delay 10 retry 1000000")
    rig.start("io retry")
    ok = rig.lines.exchange(FRAMES) == FRAMES and \
        rig.lines.exchange(FRAMES, into=1, out=0) == FRAMES
    rig.stop()
    return ok


def all_ports(rig, *commands):
    """Give commands while the ports are stopped; return what all of it printed."""
    out = rig.t.cmd("port stop all")
    for command in commands:
        out += rig.t.cmd(command)
    return out + rig.t.cmd("port start all")


@pytest.mark.parametrize("size", [32, 40, 64, 2048, 8192])
def test_ring_sizes(make_rig, size):
    rig = make_rig(mbufs=65536 if size == 8192 else 16384, eal=("--no-huge", "-m", "1024"))
    all_ports(rig, f"port config all rxd {size}", f"port config all txd {size}")
    assert f"Number of RXDs: {size}\n" in rig.t.cmd("show rxq info 0 0")
    assert f"Number of TXDs: {size}\n" in rig.t.cmd("show txq info 0 0")
    assert forwards(rig)


@pytest.mark.parametrize("command", ["rxd 24", "rxd 100", "txd 8200", "txd 36", "rxfreet 500"])
def test_refused_sizes(make_rig, command):
    """The port stays stopped, and starts when the value is right again."""
    rig = make_rig()
    option = command.split()[0]
    started = all_ports(rig, f"port config all {command}")
    if "Fail" in started or "fail" in started:
        right = {"rxd": 512, "txd": 512, "rxfreet": 32}[option]
        started = all_ports(rig, f"port config all {option} {right}")
    else:
        pytest.fail(started)
    assert "ail" not in started
    assert forwards(rig)


def test_thresholds(make_rig):
    rig = make_rig()
    all_ports(rig, "port config all rxd 256", "port config all txd 256",
              "port config all rxfreet 64", "port config all txfreet 128")
    assert "RX free threshold: 64\n" in rig.t.cmd("show rxq info 0 0")
    assert "TX free threshold: 128\n" in rig.t.cmd("show txq info 0 0")
    assert forwards(rig)


@pytest.mark.parametrize("burst", [1, 3, 8, 64, 512])
def test_burst(rig, burst):
    rig.t.cmd(f"set burst {burst}")
    assert f"packets/burst={burst}\n" in rig.t.cmd("show config rxtx")
    assert forwards(rig)
    rig.t.cmd("set burst 32")


def test_descriptor_status(make_rig):
    """Frames that nobody polls are counted, and their descriptors are done."""
    rig = make_rig(args=["--no-flush-rx"])
    assert "Used desc count = 0" in rig.t.cmd("show port 0 rxq 0 desc used count")
    for data in FRAMES[:5]:
        rig.lines.ends[0].send(data)
    shown = ""
    for _ in range(100):
        shown = rig.t.cmd("show port 0 rxq 0 desc used count")
        if "= 5" in shown:
            break
    assert "Used desc count = 5" in shown
    for i, state in ((0, "DONE"), (4, "DONE"), (5, "AVAILABLE"), (511, "AVAILABLE")):
        assert f"Desc status = {state}" in rig.t.cmd(f"show port 0 rxq 0 desc {i} status")
    assert "Invalid" in rig.t.cmd("show port 0 rxq 0 desc 512 status")
    assert "Desc status = DONE" in rig.t.cmd("show port 0 txq 0 desc 0 status")
    # What waited is forwarded first.
    rig.t.cmd("set fwd io")
    rig.t.cmd("start")
    assert rig.lines.exchange([]) == FRAMES[:5]


def test_reset(make_rig):
    """A stopped port can be reset, and works when it is started again."""
    rig = make_rig()
    assert forwards(rig)
    assert "ail" not in all_ports(rig, "port reset 0")
    assert forwards(rig)


def test_attach_detach(make_rig):
    """Ports come and go under a running testpmd; both commands for it."""
    rig = make_rig()
    t = rig.t
    assert forwards(rig)
    for number in range(3):
        assert "is attached" in t.cmd(f"port attach net_bcm4908_{7 + number},wire=loop")
        port = t.port_id(f"net_bcm4908_{7 + number}")
        t.cmd(f"port start {port}")
        assert rigs.info(t, port)["Link status"] == "up"
        t.cmd(f"port stop {port}")
        out = t.cmd(f"port detach {port}" if number % 2 == 0
                    else f"device detach net_bcm4908_{7 + number}")
        assert "is detached" in out, out
        assert f"net_bcm4908_{7 + number}" not in t.cmd("show port summary all")
    assert "ail" in t.cmd("port attach net_bcm4908_9,wire=loop,rate=fast")
    assert forwards(rig)


def test_attached_wire(make_rig):
    """A port that is taken away and put back on the same wire passes frames again."""
    rig = make_rig()
    t = rig.t
    for _ in range(3):
        t.cmd("port stop all")
        assert "is detached" in t.cmd("port detach 0")
        assert "is attached" in t.cmd(f"port attach {rigs.vdevs()[0]}")
        assert t.port_id(rigs.PORTS[0]) == 0
        t.cmd("port start all")
        for port in (0, 1):
            rigs.wait_link(t, port)
        t.cmd("set fwd io")
        t.cmd("start")
        assert rig.lines.exchange(FRAMES) == FRAMES
        rig.stop()


def test_link_events(run_testpmd):
    """Testpmd, which asks for the event, is told when the other end of the cable goes and comes."""
    t = run_testpmd(["net_bcm4908_0,wire=cable:a", "net_bcm4908_1,wire=cable:a"])
    for command, state in (("stop", "down"), ("start", "up")):
        before = len(t.output)
        t.cmd(f"port {command} 1")
        t.expect(r"Port 0: link state change event", since=before)
        assert rigs.info(t)["Link status"] == state
    t.quit()


@pytest.mark.parametrize("args", [["--mp-alloc=anon"], ["--mp-alloc=xmem"], ["--no-numa"],
                                  ["--mbcache=0"], ["--mbuf-size=512", "--max-pkt-len=1518",
                                                    "--tx-offloads=0x8000"]],
                         ids=lambda args: args[0].lstrip("-"))
def test_command_line(make_rig, args):
    """Other memory and other pools."""
    rig = make_rig(args=args)
    assert forwards(rig)
    if "512" in args[0]:
        rig.start()
        data = rigs.frame(length=1514, payload=bytes(range(250)) * 6)
        assert rig.lines.passes(data)
        rig.stop()


def test_instruments(rig):
    """What testpmd records by itself."""
    rig.t.cmd("set record-core-cycles on")
    rig.t.cmd("set record-burst-stats on")
    rig.start()
    rig.lines.exchange(FRAMES)
    out = rig.stop()
    assert re.search(r"RX-packets: 10[1-9]", out) and "RX-bursts" in out
    rig.t.cmd("set record-core-cycles off")
    rig.t.cmd("set record-burst-stats off")
    assert "mb_pool_0" in rig.t.cmd("dump_mempool mb_pool_0")
    assert "pmd.net.bcm4908" in rig.t.cmd("dump_log_types")
    assert "ail" not in rig.t.cmd("set log pmd.net.bcm4908 7")
    rig.t.cmd("set log pmd.net.bcm4908 6")


def test_flow_control(rig):
    """PAUSE frames can be obeyed or not, but are not sent."""
    assert "Rx pause: on" in rig.t.cmd("show port 0 flow_ctrl")
    assert "bad flow control" not in rig.t.cmd("set flow_ctrl rx off 0")
    assert "Rx pause: off" in rig.t.cmd("show port 0 flow_ctrl")
    assert "return code = -95" in rig.t.cmd("set flow_ctrl tx on 0")
    assert "bad flow control" not in rig.t.cmd("set flow_ctrl rx on 0")
    assert "Rx pause: on" in rig.t.cmd("show port 0 flow_ctrl")
    assert forwards(rig)


def test_cleanup(make_rig):
    """What was sent is freed on demand, once; port 1 sent the frames of port 0's line."""
    rig = make_rig()
    rig.t.cmd("port stop all")
    rig.t.cmd("port config 1 tx_offload mbuf_fast_free off")
    rig.t.cmd("port start all")
    rig.start("io retry")
    assert rig.lines.exchange(FRAMES) == FRAMES
    rig.stop()
    freed = [int(rig.t.cmd(f"port cleanup 1 txq 0 {n}").split("mbuf nums:")[1].split()[0])
             for n in (7, 0, 0)]
    assert freed[0] == 7 and freed[1] >= len(FRAMES) - 7 and freed[2] == 0, freed
    assert forwards(rig)


@pytest.mark.parametrize("command", [
    "show port 0 module_eeprom", "show port 0 eeprom", "show port 0 fec capabilities",
    "set port 0 fec_mode rs", "port config all rss all", "set tx loopback 0 on",
    "flow create 0 ingress pattern eth / end actions drop / end",
    "port config 0 udp_tunnel_port add vxlan 4789",
])
def test_not_offered(rig, command):
    """What the hardware does not have is refused, and does no harm."""
    out = rig.t.cmd(command)
    assert re.search("not supported|not support|not implemented|-95", out), out
    assert forwards(rig)


@pytest.mark.parametrize("offload", ["rx_offload keep_crc", "rx_offload buffer_split",
                                     "rx_offload tcp_lro", "tx_offload tcp_tso"])
def test_offloads_not_offered(make_rig, offload):
    """A port does not start with an offload that it does not have; without it, it does."""
    rig = make_rig()
    assert "doesn't match" in all_ports(rig, f"port config 0 {offload} on")
    assert "Not all ports were started" in rig.t.cmd("start")
    all_ports(rig, f"port config 0 {offload} off")
    assert forwards(rig)


def test_hash_not_offered(rig):
    """With one queue there is no hash to configure; nothing is reported."""
    assert "hash key size" in rig.t.cmd("show port 0 rss-hash")
    assert "No RSS offload flow type" in rig.t.cmd("show port info 0")
    assert forwards(rig)
