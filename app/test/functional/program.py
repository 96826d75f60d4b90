# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""DPDK programs at a terminal of their own, and network namespaces for their interfaces."""

import ctypes
import fcntl
import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import time
import tty

PLUGIN = "librte_net_bcm4908.so"
PR_SET_PDEATHSIG = 1
CLONE_NEWNET = 0x40000000


def eal_cores(count=2):
    """Return --lcores for count lcores, on as many of the allowed CPUs as there are."""
    cpus = sorted(os.sched_getaffinity(0))
    return "--lcores=" + ",".join(f"{i}@{cpus[i % len(cpus)]}" for i in range(count))


def runtime_dir(prefix):
    """Return the directory of a process's sockets."""
    if os.geteuid() == 0:
        base = "/var/run"
    else:
        base = os.environ.get("XDG_RUNTIME_DIR", "/tmp")
    return f"{base}/dpdk/{prefix}"


def plugin_environ(plugin_dir, *more, env=None):
    """Return an environment where EAL finds plugins by their bare names.

    A path below a world-writable directory is refused.
    """
    environ = dict(os.environ, TERM="dumb", **(env or {}))
    environ["LD_LIBRARY_PATH"] = ":".join(
        filter(None, [os.path.abspath(plugin_dir), *more, os.environ.get("LD_LIBRARY_PATH")]))
    return environ


def die_with_parent():
    """Let this process end with the one that starts it, however that ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Namespace:
    """A network namespace that lasts until it is closed, without IPv6's own traffic."""

    def __init__(self):
        self._holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"],
                                        preexec_fn=die_with_parent)
        self._path = f"/proc/{self._holder.pid}/ns/net"
        own = os.readlink("/proc/self/ns/net")
        while os.readlink(self._path) == own:
            assert self._holder.poll() is None
            time.sleep(0.01)
        self.prefix = ["nsenter", f"--net={self._path}"]
        self.run("sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6")

    def run(self, *argv):
        """Run a command here."""
        subprocess.run([*self.prefix, *argv], check=True, stdin=subprocess.DEVNULL)

    def socket(self, *args):
        """Return a socket of this namespace."""
        libc = ctypes.CDLL(None, use_errno=True)
        with open("/proc/self/ns/net", "rb") as own, open(self._path, "rb") as there:
            if libc.setns(there.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "setns")
            try:
                return socket.socket(*args)
            finally:
                libc.setns(own.fileno(), CLONE_NEWNET)

    def close(self):
        """End it."""
        self._holder.kill()
        self._holder.wait()


class Hugepages:
    """Pages of 2 MiB in a mount of their own; more are made where they do not suffice."""

    COUNT = 256
    SYS = "/sys/kernel/mm/hugepages/hugepages-2048kB/"

    def __init__(self, directory):
        self.why_not = None
        self._directory = directory
        self._added = 0
        if os.geteuid() != 0 or not os.path.exists(self.SYS):
            self.why_not = "hugepages need root"
            return
        missing = self.COUNT - (self._number("free") - self._number("resv"))
        if missing > 0:
            self._add(missing)
        if self._number("free") - self._number("resv") < self.COUNT or subprocess.run(
                ["mount", "-t", "hugetlbfs", "-o", "pagesize=2M", "nodev", directory],
                capture_output=True, check=False).returncode != 0:
            self._add(-self._added)
            self.why_not = "there are no hugepages to be had"

    def _number(self, kind):
        with open(f"{self.SYS}{kind}_hugepages", encoding="ascii") as f:
            return int(f.read())

    def _add(self, count):
        before = self._number("nr")
        with open(self.SYS + "nr_hugepages", "w", encoding="ascii") as f:
            f.write(str(before + count))
        self._added += self._number("nr") - before

    def eal(self):
        """Return EAL's options for a process on half of them."""
        return ["--huge-dir", self._directory, "-m", str(self.COUNT)]

    def close(self):
        """Give them back."""
        subprocess.run(["umount", self._directory], check=True)
        self._add(-self._added)


class Program:
    """A program that runs at a terminal; used as a context manager.

    argv: the command; prompt: what it prints when it waits for a command, or None;
    prefix: EAL's file prefix, for telemetry.
    """

    def __init__(self, argv, environ, prompt=None, prefix=None, cwd="/", timeout=60):
        self.prefix = prefix
        self.timeout = timeout
        self.output = ""
        self._prompt = prompt
        self._seen = 0
        self._telemetry = None
        # A terminal, so that printf is not buffered; a wide one, so that lines do not wrap.
        self._tty, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 500, 0, 0))
        self.proc = subprocess.Popen(argv, stdin=slave, stdout=slave, stderr=slave, env=environ,
                                     cwd=cwd, start_new_session=True, preexec_fn=die_with_parent)
        os.close(slave)
        if prompt is not None:
            try:
                self._wait_prompt(timeout)
            except BaseException:
                self.kill()
                raise

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, tb):
        if exc_type is None:
            self.quit()
        else:
            self.kill()

    def _read(self, timeout):
        """Take what the program printed; False at its end."""
        if not select.select([self._tty], [], [], timeout)[0]:
            return True
        try:
            data = os.read(self._tty, 65536)
        except OSError:  # the other end of a terminal is gone
            data = b""
        self.output += data.decode(errors="replace").replace("\r", "")
        return data != b""

    def tail(self):
        """Return the end of the output; of a sanitizer's report the part that counts."""
        report = r"^.*(?:ERROR: \w+Sanitizer|runtime error:).*$"
        found = list(re.finditer(report, self.output, re.M))
        if found:
            return self.output[found[-1].start() :].split("\n\n\n")[0][:6000]
        return self.output[-4000:]

    def drain(self):
        """Take what was printed meanwhile; return all of the output."""
        while self._read(0) and select.select([self._tty], [], [], 0)[0]:
            pass
        return self.output

    def expect(self, pattern, timeout=None, since=0):
        """Wait until a regular expression matches the output behind an offset; return the match."""
        deadline = time.monotonic() + (timeout or self.timeout)
        while True:
            found = re.search(pattern, self.output[since:], re.M)
            if found:
                return found
            if time.monotonic() > deadline:
                raise TimeoutError(f"the program does not print {pattern!r}:\n{self.tail()}")
            if not self._read(0.1):
                raise RuntimeError(f"the program ended before {pattern!r}:\n{self.tail()}")

    def _wait_prompt(self, timeout):
        found = self.expect(re.escape(self._prompt), timeout, self._seen)
        text = self.output[self._seen : self._seen + found.start()]
        self._seen += found.end()
        return text

    def cmd(self, line, timeout=None):
        """Run a command; return what it printed."""
        self.drain()
        self._seen = len(self.output)
        os.write(self._tty, line.encode() + b"\n")
        text = self._wait_prompt(timeout or self.timeout)
        return re.sub(r"^.*?\n", "", text, count=1)  # the echo

    def telemetry(self, command):
        """Ask by telemetry; return the answer's data."""
        if self._telemetry is None:
            self._telemetry = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._telemetry.settimeout(self.timeout)
            self._telemetry.connect(runtime_dir(self.prefix) + "/dpdk_telemetry.v2")
            self._telemetry.recv(65536)
        try:
            self._telemetry.send(command.encode())
            answer = self._telemetry.recv(65536)
        except ConnectionError as e:
            self.finish(10)
            raise RuntimeError(f"the program ended:\n{self.tail()}") from e
        return next(iter(json.loads(answer).values()))

    def port_id(self, name):
        """Return the number of a port, also of one that another driver owns."""
        for port in range(32):
            info = self.telemetry(f"/ethdev/info,{port}")
            if info is not None and info["name"] == name:
                return port
        raise RuntimeError(f"there is no port {name}:\n{self.tail()}")

    def stats(self, port):
        """Return a port's basic statistics."""
        return self.telemetry(f"/ethdev/stats,{port}")

    def interact(self):
        """Give the prompt to the user's terminal until the program ends."""
        stdin = sys.stdin.fileno()
        saved = termios.tcgetattr(stdin) if os.isatty(stdin) else None
        if saved is not None:
            tty.setraw(stdin)
        shown = self.output.rfind(self._prompt)
        os.write(1, self.output[shown:].encode())
        sources = [stdin, self._tty]
        try:
            while self._tty in sources:
                for fd in select.select(sources, [], [])[0]:
                    try:
                        data = os.read(fd, 65536)
                    except OSError:
                        data = b""
                    if data:
                        os.write(self._tty if fd == stdin else 1, data)
                    elif fd == stdin:
                        sources.remove(fd)
                        os.write(self._tty, b"quit\n")
                    else:
                        sources.remove(fd)
        finally:
            if saved is not None:
                termios.tcsetattr(stdin, termios.TCSADRAIN, saved)

    def finish(self, timeout):
        """Take what a program that is ending prints; False when it does not end."""
        deadline = time.monotonic() + timeout
        while self._read(0.1):
            if time.monotonic() > deadline:
                return False
        return True

    def quit(self, wanted=(0,)):
        """End the program in the orderly way; raise when it ends otherwise.

        One without a prompt gets the signal of an interrupt from the keyboard.
        """
        if self._prompt is not None:
            os.write(self._tty, b"quit\n")
        elif self.proc.poll() is None:
            self.proc.send_signal(signal.SIGINT)
        if not self.finish(self.timeout):
            self.kill()
            raise TimeoutError(f"the program does not end:\n{self.tail()}")
        status = self.proc.wait(self.timeout)
        self._close()
        if status not in wanted:
            raise RuntimeError(f"the program ended with {status}:\n{self.tail()}")

    def kill(self):
        """End the program at once."""
        if self.proc.poll() is None:
            os.killpg(self.proc.pid, signal.SIGKILL)
        self.proc.wait()
        self._close()

    def _close(self):
        if self._telemetry is not None:
            self._telemetry.close()
            self._telemetry = None
        if self._tty is not None:
            os.close(self._tty)
            self._tty = None
        directory = runtime_dir(self.prefix)
        if self.prefix is not None and os.path.isdir(directory):
            for name in os.listdir(directory):
                os.unlink(os.path.join(directory, name))
            os.rmdir(directory)
