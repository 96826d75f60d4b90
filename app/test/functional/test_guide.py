# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""The commands that the guide prints, run as they are printed.

A console block with "dpdk-testpmd" starts it and types its "testpmd>" lines; one
without types them into a testpmd with one port. Other lines of such a block must
stand in the output of the command above them, except for "...". A block behind
"in another terminal:" runs meanwhile, in a network namespace of its own.

Three things are added to the printed commands: the plugin, a file prefix of this
test, and cores that this machine has.
"""

import glob
import os
import re
import shlex
import shutil
import subprocess
import time

import pytest

import captures
import program
import testpmd

GUIDES = os.path.abspath(os.path.join(os.path.dirname(__file__), *[".."] * 3, "doc", "guides"))
ELSEWHERE = "and in another terminal:"
LOOP = "dpdk-testpmd -l 0,1 --no-pci --no-huge -m 1024 --vdev=net_bcm4908_0 -- -i"
BAD = re.compile(r"BCM4908|Bad arguments|Command not found|Ambiguous|[Ii]nvalid|\b[Ff]ail"
                 r"|[Cc]annot|not supported")

BAD_START = re.compile(r"BCM4908|EAL: Error|probe failed")  # other drivers complain in passing


def blocks(path):
    """Return (section, what stands before, lines) of each console block of a page."""
    with open(os.path.join(GUIDES, path), encoding="utf-8") as f:
        lines = f.read().split("\n")
    found, section, before = [], "", ""
    i = 0
    while i < len(lines):
        line = lines[i]
        if i + 1 < len(lines) and re.fullmatch(r"([=~-])\1{3,}", lines[i + 1]):
            section = line
        if line.strip() != ".. code-block:: console":
            before = line or before
            i += 1
            continue
        i += 1
        block = []
        while i < len(lines) and (not lines[i] or lines[i].startswith(" ")):
            block.append(lines[i].strip())
            i += 1
        text = "\n".join(block).replace("\\\n", " ").split("\n")
        found.append((section, before, [t for t in text if t]))
    return found


def examples(path):
    """Return the blocks that run testpmd, each with what runs meanwhile."""
    result = []
    for section, before, lines in blocks(path):
        if before == ELSEWHERE:
            result[-1][2].extend(lines)
        elif any(line.startswith(("dpdk-testpmd", "testpmd>")) for line in lines):
            result.append((section, lines, []))
    return [pytest.param(lines, meanwhile, id=section.replace(" ", "-").lower())
            for section, lines, meanwhile in result]


class Session:
    """Runs a page's lines in a directory."""

    serial = 0

    def __init__(self, plugin_dir, env, directory, namespace):
        Session.serial += 1
        self.prefix = f"bcm4908-guide-{os.getpid()}-{Session.serial}"
        self.directory = directory
        self.namespace = namespace
        self.environ = program.plugin_environ(plugin_dir, env=env)
        self.testpmd = None

    def argv(self, line):
        """Return a printed command with what the test adds to it."""
        words = [w for w in shlex.split(line) if not w.startswith("--file-prefix=")]
        if words[0].startswith("dpdk-"):
            if "-l" in words:
                at = words.index("-l")
                words[at:at + 2] = [program.eal_cores()]
            while "-d" in words:
                at = words.index("-d")
                del words[at:at + 2]
            words[1:1] = ["-d", program.PLUGIN, f"--file-prefix={self.prefix}"]
        return self.namespace.prefix + words

    def run(self, line):
        """Run a command of the shell to its end."""
        done = subprocess.run(self.argv(line), env=self.environ, cwd=self.directory, timeout=60,
                              check=False, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, f"{line}:\n{done.stdout}"
        return done.stdout

    def start(self, line):
        """Start testpmd."""
        self.testpmd = program.Program(self.argv(line), self.environ, testpmd.PROMPT, self.prefix,
                                       self.directory)
        assert not BAD_START.search(self.testpmd.output), self.testpmd.output

    def type(self, command):
        """Type a command into testpmd; return the output."""
        output = self.testpmd.cmd(command)
        assert not BAD.search(output), f"{command}:\n{output}"
        if command.startswith("start"):
            time.sleep(0.5)  # what comes next asks for the traffic
        return output

    def follow(self, lines, meanwhile):
        """Do what a block prints; return the output of each command of testpmd."""
        outputs, last = [], ""
        if not any(line.startswith("dpdk-testpmd") for line in lines):
            self.start(LOOP)
        for line in lines:
            if line.startswith("dpdk-testpmd"):
                self.start(line)
            elif line == "testpmd> quit":
                self.quit(meanwhile)
            elif line.startswith("testpmd> "):
                last = self.type(line[len("testpmd> "):])
                outputs.append((line[len("testpmd> "):], last))
            elif self.testpmd is not None:
                assert line == "..." or line in last, f"not printed: {line}\n{last}"
            else:
                self.run(line)
        self.quit(meanwhile)
        return outputs

    def quit(self, meanwhile):
        """End testpmd after what runs beside it."""
        if self.testpmd.proc.poll() is None:
            for line in meanwhile:
                self.run(line)
            self.testpmd.quit()


@pytest.fixture
def session(plugin_dir, env, tmp_path):
    """A session with a capture, in.pcap, in its directory."""
    if os.geteuid() != 0 or shutil.which("nsenter") is None:
        pytest.skip("network namespaces need root and util-linux")
    namespace = program.Namespace()
    s = Session(plugin_dir, env, tmp_path, namespace)
    captures.write_pcap(tmp_path / "in.pcap", [bytes([2] + [i] * 99) for i in range(200)])
    yield s
    if s.testpmd is not None:
        s.testpmd.kill()
    namespace.close()
    # EAL leaves its hugepages to the next process of the same prefix.
    for path in glob.glob(f"/dev/hugepages/{s.prefix}map_*"):
        os.unlink(path)


def needed(lines, meanwhile):
    """Return what a block needs and this machine lacks, or None."""
    text = " ".join(lines + meanwhile)
    if "ping" in text and shutil.which("ping") is None:
        return "no ping (package iputils-ping)"
    if "net_tap" in text and not os.path.exists("/dev/net/tun"):
        return "no /dev/net/tun"
    start = next((line for line in lines if line.startswith("dpdk-testpmd")), LOOP)
    if "--no-huge" not in start:
        with open("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages",
                  encoding="ascii") as f:
            if int(f.read()) < 128 or not os.path.ismount("/dev/hugepages"):
                return "no hugepages"
    return None


@pytest.mark.parametrize("lines,meanwhile", examples("nics/bcm4908.rst")
                         + examples("howto/bcm4908_replay.rst"))
def test_guide(session, lines, meanwhile):
    """Each example works as printed, and moves frames where it says so."""
    lack = needed(lines, meanwhile)
    if lack is not None:
        pytest.skip(lack)
    outputs = session.follow(lines, meanwhile)
    started = False
    for command, output in outputs:
        started = started or command.startswith("start")
        if started and command.startswith("show port stats"):
            assert re.search(r"RX-packets: [1-9]", output), output
    out = session.directory / "out.pcap"
    if any("out.pcap" in line for line in lines):
        assert captures.read_pcap(out)[0] == captures.read_pcap(session.directory / "in.pcap")[0]
