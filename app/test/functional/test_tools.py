# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""DPDK's tools look at a running testpmd from secondary processes and by telemetry."""

import json
import os
import re
import subprocess

import pytest

import captures
import consumer
import program
import rig as rigs

COUNT = 50


@pytest.fixture
def tool(primary, plugin_dir, env):
    """Run dpdk-proc-info to its end, with options; return what it printed."""
    primary.lines.exchange([rigs.frame(length=60 + i) for i in range(COUNT)])

    def run(*options):
        with consumer.Tool(primary, plugin_dir, env, "dpdk-proc-info", "-d", program.PLUGIN,
                           "--", *options) as proc_info:
            assert proc_info.finish(rigs.PATIENCE)
        return proc_info.output

    yield run
    # Nothing that a secondary does harms the primary.
    primary.lines.exchange([rigs.frame()] * 10)
    assert primary.lines.passes(rigs.frame())


def test_proc_info_stats(tool, primary):
    shown = tool("-p", "3", "--stats")
    nic = shown.split("NIC statistics for port")
    assert re.search(rf"RX-packets: {primary.t.stats(0)['ipackets']} ", nic[1])
    assert re.search(rf"TX-packets: {primary.t.stats(1)['opackets']} ", nic[2])


def test_proc_info_xstats(tool, primary):
    shown = tool("-p", "1", "--xstats")
    got = dict(re.findall(r"^(\w+): (\d+)$", shown, re.M))
    assert got == {k: str(v) for k, v in primary.t.telemetry("/ethdev/xstats,0").items()}
    assert int(got["rx_good_packets"]) >= COUNT
    name = list(got).index("rx_unicast_packets")
    assert f"rx_unicast_packets: {name}\n" in \
        tool("-p", "1", "--xstats-name=rx_unicast_packets")
    ids = f"--xstats-ids=0,{name}"
    assert f"rx_unicast_packets: {got['rx_unicast_packets']}\n" in \
        tool("-p", "1", ids)


def test_proc_info_port(tool):
    shown = tool("-p", "1", "--show-port")
    for text in ("driver net_bcm4908 device net_bcm4908_0", "Link up at 1 Gbps FDX Fixed",
                 f"mac {rigs.MACS[0]}", "promiscuous mode enabled", "mtu (1500)",
                 "/512 rx buffer size", "burst mode : "):
        assert text in shown


@pytest.mark.parametrize("option,heading", [
    ("--show-port-private", "Dump - Ports private information"),
    ("--firmware-version", "show - firmware version"),
    ("--show-module-eeprom", "EEPROM"),
    ("--show-rx-descriptor=0:0:4", "Dump ethdev Rx descriptor for port 0"),
    ("--show-tx-descriptor=0:0:4", "Dump ethdev Tx descriptor for port 0"),
])
def test_proc_info_dumps(tool, option, heading):
    """Each is answered, be it by saying that there is no such thing."""
    assert heading in tool("-p", "1", option)


def test_proc_info_registers(tool, tmp_path):
    """The file is the 4 KiB of registers."""
    path = tmp_path / "regs"
    tool("-p", "1", f"--dump-regs={path}")
    files = [f for f in os.listdir(tmp_path) if f.startswith("regs")]
    assert len(files) == 1
    assert os.path.getsize(tmp_path / files[0]) == 4096


@pytest.mark.parametrize("reset", ["--stats-reset", "--xstats-reset"])
def test_proc_info_reset(tool, primary, reset):
    """A secondary process may look, not clear: the counters stay."""
    before = primary.t.stats(0)
    assert before["ipackets"] > 0
    tool("-p", "3", reset)
    assert primary.t.stats(0) == before


def test_telemetry_client(primary):
    """The answers that dpdk-telemetry.py prints, for every command that concerns a port."""
    commands = ["/ethdev/list", "/ethdev/info,0", "/ethdev/stats,0", "/ethdev/xstats,0",
                "/ethdev/link_status,0", "/ethdev/module_eeprom,0", "/ethdev/dump_priv,0"]
    done = subprocess.run([consumer.installed("dpdk-telemetry.py"), "-f", primary.t.prefix],
                          input="\n".join(commands) + "\nquit\n", capture_output=True, text=True,
                          timeout=60, check=True)
    decoder, at, answers = json.JSONDecoder(), 0, {}
    while (at := done.stdout.find('{"', at)) >= 0:
        answer, end = decoder.raw_decode(done.stdout[at:])
        answers.update(answer)
        at += end
    assert 0 in answers["/ethdev/list"] and 1 in answers["/ethdev/list"]
    info = answers["/ethdev/info"]
    assert (info["name"], info["nb_rx_queues"], info["nb_tx_queues"]) == ("net_bcm4908_0", 1, 1)
    assert info["mac_addr"].lower() == rigs.MACS[0]
    assert answers["/ethdev/stats"]["ipackets"] == primary.t.stats(0)["ipackets"]
    assert answers["/ethdev/xstats"]["rx_good_packets"] == primary.t.stats(0)["ipackets"]
    assert answers["/ethdev/link_status"]["status"] == "UP"


def test_pdump(primary, plugin_dir, env, tmp_path):
    """What is received and what is sent goes into one file each; it is forwarded as well."""
    paths = [tmp_path / "rx.pcap", tmp_path / "tx.pcap"]
    sent = [rigs.frame(length=60 + i) for i in range(COUNT)]
    options = ["-d", program.PLUGIN, "--", "--pdump", f"port=0,queue=*,rx-dev={paths[0]}",
               "--pdump", f"port=1,queue=*,tx-dev={paths[1]}"]
    with consumer.Tool(primary, plugin_dir, env, "dpdk-pdump", *options) as pdump:
        pdump.expect("port 1 device")
        assert primary.lines.exchange(sent) == sent
    for path in paths:
        assert captures.read_pcap(path)[0][: len(sent)] == sent
