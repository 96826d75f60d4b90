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
    assert os.path.isfile(os.path.join(directory, testpmd.PLUGIN))
    return directory


@pytest.fixture(scope="session")
def env():
    """What a stock program needs in its environment to take the plugin."""
    return sanitizer_env()


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
