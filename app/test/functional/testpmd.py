# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Stock dpdk-testpmd with the plugin: started, told commands, asked by telemetry."""

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
POISON = "librte_mempool_bcm4908_poison.so"
PROMPT = "testpmd> "


def eal_cores(count=2):
    """Return --lcores for count lcores, on as many of the allowed CPUs as there are."""
    cpus = sorted(os.sched_getaffinity(0))
    return "--lcores=" + ",".join(f"{i}@{cpus[i % len(cpus)]}" for i in range(count))


def poisoned_pools(plugin_dir):
    """With sanitizers, return EAL's and testpmd's options for poisoned pools, and their directory."""
    if os.environ.get("BCM4908_SANITIZED") != "1":
        return [], [], None
    directory = os.path.join(os.path.dirname(os.path.abspath(plugin_dir)), "app", "test", "poison")
    # A cache would keep frees from the pool's operations.
    return ["-d", POISON, "--mbuf-pool-ops-name=bcm4908_poison"], ["--mbcache=0"], directory


def runtime_dir(prefix):
    """Return the directory of a process's sockets."""
    if os.geteuid() == 0:
        base = "/var/run"
    else:
        base = os.environ.get("XDG_RUNTIME_DIR", "/tmp")
    return f"{base}/dpdk/{prefix}"


PR_SET_PDEATHSIG = 1


def die_with_parent():
    """Let this process end with the one that starts it, however that ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Testpmd:
    """One interactive testpmd, used as a context manager.

    plugin_dir: where the plugin lies; it is loaded by its bare name, since EAL
    refuses a path below a world-writable directory.
    vdevs: values of --vdev; args: testpmd's own options; eal: EAL options;
    check: every vdev must be there, testpmd itself goes on without.
    """

    __test__ = False
    serial = 0

    def __init__(self, plugin_dir, vdevs, args=(), eal=("--no-huge", "-m", "512"), env=None,
                 timeout=60, check=True):
        Testpmd.serial += 1
        self.prefix = f"bcm4908-{os.getpid()}-{Testpmd.serial}"
        self.timeout = timeout
        self.output = ""
        self._seen = 0
        self._telemetry = None
        argv = ["dpdk-testpmd", eal_cores(), "--no-pci", f"--file-prefix={self.prefix}"]
        pool_eal, pool_args, pool_dir = poisoned_pools(plugin_dir)
        argv += list(eal) + ["-d", PLUGIN] + pool_eal + [f"--vdev={v}" for v in vdevs]
        argv += ["--", "-i", "--total-num-mbufs=16384"] + pool_args + list(args)
        environ = dict(os.environ, TERM="dumb", **(env or {}))
        environ["LD_LIBRARY_PATH"] = ":".join(
            filter(None, [os.path.abspath(plugin_dir), pool_dir,
                          os.environ.get("LD_LIBRARY_PATH")]))
        # A terminal, so that printf is not buffered; a wide one, so that lines do not wrap.
        self._tty, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 500, 0, 0))
        self.proc = subprocess.Popen(argv, stdin=slave, stdout=slave, stderr=slave, env=environ,
                                     cwd="/", start_new_session=True, preexec_fn=die_with_parent)
        os.close(slave)
        try:
            self._wait_prompt(timeout)
            for vdev in vdevs if check else ():
                self.port_id(vdev.split(",")[0])
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
        """Take what testpmd printed; False at its end."""
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
        found = list(re.finditer(r"^.*(?:ERROR: \w+Sanitizer|runtime error:).*$", self.output, re.M))
        if found:
            return self.output[found[-1].start() :].split("\n\n\n")[0][:6000]
        return self.output[-4000:]

    def _drain(self):
        """Take what a testpmd that is ending prints."""
        end = time.monotonic() + 10
        while self._read(0.1) and time.monotonic() < end:
            pass

    def _wait_prompt(self, timeout):
        deadline = time.monotonic() + timeout
        while PROMPT not in self.output[self._seen :]:
            if time.monotonic() > deadline:
                raise TimeoutError(f"testpmd gives no prompt:\n{self.tail()}")
            if not self._read(0.1):
                raise RuntimeError(f"testpmd ended:\n{self.tail()}")
        end = self.output.index(PROMPT, self._seen) + len(PROMPT)
        text = self.output[self._seen : end - len(PROMPT)]
        self._seen = end
        return text

    def cmd(self, line, timeout=None):
        """Run a command; return what it printed."""
        while self._read(0):  # what was logged meanwhile
            if not select.select([self._tty], [], [], 0)[0]:
                break
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
            self._drain()
            raise RuntimeError(f"testpmd ended:\n{self.tail()}") from e
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
        """Give the prompt to the user's terminal until testpmd ends."""
        stdin = sys.stdin.fileno()
        saved = termios.tcgetattr(stdin) if os.isatty(stdin) else None
        if saved is not None:
            tty.setraw(stdin)
        shown = self.output.rfind(PROMPT)
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

    def quit(self):
        """End testpmd in the orderly way; raise when it ends otherwise."""
        os.write(self._tty, b"quit\n")
        deadline = time.monotonic() + self.timeout
        while self._read(0.1):
            if time.monotonic() > deadline:
                self.kill()
                raise TimeoutError(f"testpmd does not quit:\n{self.tail()}")
        status = self.proc.wait(self.timeout)
        self._close()
        if status != 0:
            raise RuntimeError(f"testpmd ended with {status}:\n{self.tail()}")

    def kill(self):
        """End testpmd at once."""
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
        if os.path.isdir(directory):
            for name in os.listdir(directory):
                os.unlink(os.path.join(directory, name))
            os.rmdir(directory)
