# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""What the functional tests are told by the environment.

BCM4908_BUILD: the build directory (default: build beside app/).
BCM4908_CAPTURES: the directory of captures; BCM4908_CAPTURES_EVERY=N: only every N-th.
BCM4908_SANITIZED=1: the plugin is built with sanitizers, whose libraries are preloaded.
"""

import os
import signal
import subprocess

import pytest

import program
import rig as rigs
import testpmd

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


def pytest_configure():
    """Clean up as at the end of a session when a time budget ends it."""
    signal.signal(signal.SIGTERM, lambda *_: pytest.exit("terminated", 143))


def sanitizer_env():
    """Return the environment in which a stock program takes a sanitized plugin."""
    if os.environ.get("BCM4908_SANITIZED") != "1":
        return {}
    libs = [
        subprocess.run(["gcc", "-print-file-name=" + lib], check=True, capture_output=True,
                       text=True).stdout.strip()
        for lib in ("libasan.so", "libubsan.so")
    ]
    return {
        "LD_PRELOAD": ":".join(os.path.realpath(lib) for lib in libs),
        # The stock programs free little at their end.
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:color=never",
        "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1:print_stacktrace=1",
    }


@pytest.fixture(scope="session")
def build_dir():
    """The directory of the build under test."""
    return os.environ.get("BCM4908_BUILD", os.path.join(TOP, "build"))


@pytest.fixture(scope="session")
def plugin_dir(build_dir):
    """The directory that holds the plugin."""
    directory = os.path.join(build_dir, "drivers")
    assert os.path.isfile(os.path.join(directory, program.PLUGIN))
    return directory


@pytest.fixture(scope="session")
def env():
    """What a stock program needs in its environment to take the plugin."""
    return sanitizer_env()


@pytest.fixture(scope="session")
def hugepages(tmp_path_factory):
    """Memory that processes can share."""
    pages = program.Hugepages(str(tmp_path_factory.mktemp("huge")))
    if pages.why_not is not None:
        pytest.skip(pages.why_not)
    yield pages
    pages.close()


@pytest.fixture
def run_testpmd(plugin_dir, env):
    """Start testpmds that end with the test: run_testpmd(vdevs, args=..., eal=...)."""
    running = []

    def start(vdevs, **kwargs):
        t = testpmd.Testpmd(plugin_dir, vdevs, env=env, **kwargs)
        running.append(t)
        return t

    yield start
    for t in running:
        t.kill()


class SharedRig:
    """A rig for a module's tests; one in which a test failed is not used again."""

    def __init__(self, *args):
        self._args = args
        self._rig = None

    def get(self):
        """Return a rig that runs, with counters at 0."""
        if self._rig is None:
            self._rig = rigs.Rig(*self._args)
        self._rig.t.cmd("clear port stats all")
        return self._rig

    def drop(self, failed):
        """End it."""
        if self._rig is not None:
            self._rig.close(failed)
            self._rig = None


@pytest.fixture(scope="module")
def shared_rig(plugin_dir, env):
    """The module's rig."""
    shared = SharedRig(plugin_dir, env)
    yield shared
    shared.drop(False)


@pytest.fixture
def rig(shared_rig, request):
    """Testpmd between two lines, not forwarding; shared by the tests of a module."""
    r = shared_rig.get()
    failed = request.session.testsfailed
    yield r
    if request.session.testsfailed > failed or r.t.proc.poll() is not None:
        shared_rig.drop(True)
    else:
        r.stop()


@pytest.fixture(scope="module")
def primary(plugin_dir, env, hugepages):
    """A rig that forwards, whose memory secondary processes can share."""
    r = rigs.Rig(plugin_dir, env, eal=hugepages.eal())
    r.start()
    yield r
    r.close()


@pytest.fixture
def make_rig(plugin_dir, env, request):
    """Make rigs that end with the test: make_rig(devargs=..., args=..., ...)."""
    made = []

    def make(**kwargs):
        made.append(rigs.Rig(plugin_dir, env, **kwargs))
        return made[-1]

    failed = request.session.testsfailed
    yield make
    for r in made:
        r.close(request.session.testsfailed > failed)
