# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Two ports between two kernel interfaces, whose other ends the test holds.

line0 == net_tap == net_bcm4908_0 -- program -- net_bcm4908_1 == net_tap == line1

net_tap carries no frames above 1522 bytes: for longer ones the wires are net_pcap ports
on pairs of veth interfaces.
"""

import os
import select
import shutil
import socket
import struct
import time

import pytest

import program
import testpmd

PORTS = ("net_bcm4908_0", "net_bcm4908_1")
LINES = ("line0", "line1")
WIDE = 9600  # MTU of wide lines
MACS = ("02:10:18:49:08:00", "02:10:18:49:08:01")
PEERS = ("02:00:5e:00:53:00", "02:00:5e:00:53:01")
STRANGER = "02:00:00:00:00:00"
BROADCAST = "ff:ff:ff:ff:ff:ff"

ETH_P_ALL = 3
SOL_PACKET = 263
PACKET_AUXDATA = 8
TP_STATUS_VLAN_VALID = 0x10
ETHERTYPE_TEST = 0x88B5  # for local experiments
PATIENCE = 20  # seconds for what must come


def mac_bytes(text):
    """Return the six bytes of a MAC address."""
    return bytes.fromhex(text.replace(":", ""))


def frame(dst=MACS[0], src=PEERS[0], payload=b"", ethertype=ETHERTYPE_TEST, length=60):
    """Return an Ethernet frame without FCS, padded with zeros to a length."""
    head = mac_bytes(dst) + mac_bytes(src) + struct.pack(">H", ethertype)
    return (head + payload).ljust(length, b"\0")


class Line:
    """The kernel's end of a TAP."""

    def __init__(self, namespace, interface):
        self._socket = namespace.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self._socket.bind((interface, 0))
        self._socket.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)

    def send(self, data):
        """Bring a frame to the port."""
        self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)  # it once was down
        self._socket.send(data)

    def receive(self, timeout):
        """Return the next frame from the port, or None."""
        deadline = time.monotonic() + timeout
        while True:
            left = max(0, deadline - time.monotonic())
            if not select.select([self._socket], [], [], left)[0]:
                return None
            self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            try:
                data, aux, _, address = self._socket.recvmsg(65536, 256, socket.MSG_DONTWAIT)
            except BlockingIOError:
                continue
            if address[2] != socket.PACKET_OUTGOING:
                return self._with_tag(data, aux)

    @staticmethod
    def _with_tag(data, aux):
        """Put back the VLAN tag that the kernel takes out of a frame."""
        for level, kind, value in aux:
            if level == SOL_PACKET and kind == PACKET_AUXDATA:
                status, _, _, _, _, tci, tpid = struct.unpack("IIIHHHH", value[:20])
                if status & TP_STATUS_VLAN_VALID:
                    return data[:12] + struct.pack(">HH", tpid, tci) + data[12:]
        return data

    def close(self):
        """Let go of it."""
        self._socket.close()


class Lines:
    """Both lines; what is sent on one comes out of the other when the program forwards."""

    serial = 0

    def __init__(self, namespace, interfaces=LINES):
        self.ends = [Line(namespace, interface) for interface in interfaces]

    def close(self):
        """Let go of both."""
        for end in self.ends:
            end.close()

    def exchange(self, frames, into=0, out=1, last=None):
        """Send frames and return what arrives, in order.

        Done when a last frame with a mark of its own has come, so that what did not arrive
        before it does not arrive at all. last makes that frame of its payload; it must be one
        that the port takes.
        """
        for data in frames:
            self.ends[into].send(data)
        mark, data = self._last_frame(into, last)
        self.ends[into].send(data)
        return self.until(mark, out)

    @staticmethod
    def _last_frame(into, last):
        """Return a mark of its own, and a frame with it."""
        Lines.serial += 1
        mark = b"last frame %08d" % Lines.serial
        return mark, last(mark) if last is not None else frame(MACS[into], payload=mark)

    def settle(self, into=0, out=1, last=None):
        """Let a frame pass, again and again until one does.

        A burst that began before settings were changed may be at work by the old ones; it has
        ended when a frame has arrived behind it.
        """
        mark, data = self._last_frame(into, last)
        deadline = time.monotonic() + PATIENCE
        while True:
            self.ends[into].send(data)
            got = self.ends[out].receive(0.5)
            while got is not None and mark not in got:
                got = self.ends[out].receive(0.5)
            if got is not None:
                return
            assert time.monotonic() < deadline, "the last frame does not come"

    def until(self, mark, out=1):
        """Return what arrives before a frame that contains a mark."""
        got = []
        while True:
            data = self.ends[out].receive(PATIENCE)
            if data is None:
                raise TimeoutError(f"the last frame does not come; {len(got)} others came")
            if mark in data:
                return got
            if b"last frame" not in data:  # one that was waited for in vain
                got.append(data)

    def passes(self, data, **kwargs):
        """Return whether a frame arrives; no other must."""
        self.settle(**kwargs)
        got = self.exchange([data], **kwargs)
        if got == []:
            return False
        assert len(got) == 1 and got[0][14:] == data[14:]
        return True

    def none_in(self, seconds, out=1):
        """Return whether nothing arrives for a time."""
        return self.ends[out].receive(seconds) is None


def why_not():
    """Return why this machine has no such rig, or None."""
    if os.geteuid() != 0 or shutil.which("nsenter") is None:
        return "network namespaces need root and util-linux"
    if shutil.which("ip") is None:
        return "no ip (package iproute2)"
    if not os.path.exists("/dev/net/tun"):
        return "no /dev/net/tun"
    return None


def vdevs(devargs="", wide=False):
    """Return the devices of the rig."""
    ours = [f"{PORTS[i]},wire=net_{'pcap' if wide else 'tap'}{i},mac={MACS[i]}{devargs}"
            for i in (0, 1)]
    if wide:
        return ours + [f"net_pcap{i},rx_iface_in=port{i},tx_iface=port{i}" for i in (0, 1)]
    return ours + [f"net_tap{i},iface={LINES[i]}" for i in (0, 1)]


def wide_namespace(namespace):
    """Make the interfaces of wide lines."""
    for i, line in enumerate(LINES):
        port = f"port{i}"
        namespace.run("ip", "link", "add", line, "mtu", str(WIDE), "type", "veth",
                      "peer", "name", port, "mtu", str(WIDE))
        for interface in (line, port):
            namespace.run("ip", "link", "set", interface, "up", "arp", "off")


class Rig:
    """Testpmd on the rig, in a network namespace: Testpmd as t, Lines as lines.

    more: --vdev of further devices.
    """

    def __init__(self, plugin_dir, env, devargs="", wide=False, more=(), **kwargs):
        reason = why_not()
        if reason is not None:
            pytest.skip(reason)
        self.namespace = program.Namespace()
        try:
            if wide:
                wide_namespace(self.namespace)
            self.t = testpmd.Testpmd(plugin_dir, [*vdevs(devargs, wide), *more], env=env,
                                     wrap=self.namespace.prefix, **kwargs)
            try:
                self.lines = Lines(self.namespace)
            except BaseException:
                self.t.kill()
                raise
        except BaseException:
            self.namespace.close()
            raise

    def start(self, mode="io"):
        """Forward; what still was on the lines is gone."""
        self.t.cmd(f"set fwd {mode}")
        assert "Not all ports were started" not in self.t.cmd("start")
        for into in (0, 1):
            self.lines.exchange([], into, 1 - into)

    def stop(self):
        """Stop forwarding."""
        return self.t.cmd("stop")

    def close(self, failed=False):
        """End all of it."""
        try:
            if failed or self.t.proc.poll() is not None:
                self.t.kill()
            else:
                self.t.quit()
        finally:
            self.lines.close()
            self.namespace.close()


def eventually(condition):
    """Wait until a condition is true."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.01)


def info(t, port=0):
    """Return what testpmd shows of a port: name and value of each line."""
    lines = t.cmd(f"show port info {port}").split("\n")
    return dict(line.split(": ", 1) for line in lines if ": " in line)


def wait_link(t, port, state="up"):
    """Wait until a port's link is up or down."""
    deadline = time.monotonic() + PATIENCE
    while info(t, port)["Link status"] != state:
        assert time.monotonic() < deadline, f"the link of port {port} does not go {state}"
        time.sleep(0.01)


def addresses(t, port=0):
    """Return how many unicast addresses a port takes; more than one with filters in software."""
    return int(info(t, port)["Maximum number of MAC addresses"])
