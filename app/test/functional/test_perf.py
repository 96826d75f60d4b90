# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""The benchmark runs, and what it writes is what trackers read. No figure is looked at."""

import datetime
import json
import os
import re
import subprocess

import pytest

import program

TINY = ("--reps=2", "--iters=2")
DRIVER = ["net_bcm4908", "net_bcm4908_safe", "net_bcm4908_scalar", "net_bcm4908_scalar_safe"]
STRATEGIES = ["a-copy", "b-single", "c-bulk", "net_bcm4908_perf", "net_bcm4908_large",
              "net_bcm4908_chained", "e-free-each", "e-free-by-pool"]
MODES = ["rx", "tx", "fwd", "fwd+touch", "empty"]


@pytest.fixture
def perf(build_dir):
    """Run the benchmark: perf(options..., cores=1, ok=True) gives the finished process."""
    binary = os.path.join(build_dir, "app", "dpdk-test-bcm4908-perf")

    def run(*options, cores=1, ok=True):
        eal = ["--no-huge", "-m", "512", "--no-pci", "--no-telemetry", program.eal_cores(cores),
               f"--file-prefix=bcm4908-perf-test-{os.getpid()}"]
        done = subprocess.run([binary, *eal, "--", *options], capture_output=True, text=True,
                              timeout=120, check=False, preexec_fn=program.die_with_parent)
        assert (done.returncode == 0) == ok, done.stderr
        return done

    return run


def names_of(path, modes=MODES, where="warm", ring=512, burst=32, size=64):
    """The names under which a path's figures go to trackers."""
    return {f"{path}/{mode}/{where}/ring={ring}/burst={burst}/size={size}" for mode in modes}


def test_text(perf):
    """A table for each mode, in which each path has its figures."""
    out = perf(*TINY).stdout
    tables = re.split(r"\n\n", out)[1:]
    assert [t.split(",")[0] for t in tables] == MODES
    for table in tables:
        rows = {line.split()[0]: line for line in table.splitlines()[3:]}
        floors = re.findall(r"floor-\S+", table.splitlines()[2])
        assert "floor-scalar" in floors and "floor-scalar-safe" in floors
        assert set(DRIVER) <= set(rows)
        empty = table.startswith("empty")
        for line in rows.values():
            # cycles (min, median), Mpps unless polled empty, and a ratio per floor
            figures = re.findall(r" +(\d+\.\d+)", line)
            assert len(figures) == (2 if empty else 3) + len(floors), line
            assert all(float(figure) > 0 for figure in figures), line


def test_text_says_which_bursts(perf):
    """The functions in use are named; without vectors they are scalar ones."""
    out = perf(*TINY, "--modes=fwd", "--paths=net_bcm4908_scalar_safe").stdout
    assert re.search(r"^net_bcm4908_scalar_safe .* Scalar / Scalar$", out, re.MULTILINE)


def test_other_drivers_in_the_same_run(perf):
    """net_null and net_ring are measured too; net_null is never empty."""
    results = json.loads(perf(*TINY, "--format=bmf").stdout)
    assert names_of("net_ring_perf") <= set(results)
    assert names_of("net_null_perf", [m for m in MODES if m != "empty"]) <= set(results)
    assert not names_of("net_null_perf", ["empty"]) & set(results)


def test_bmf(perf):
    """Bencher Metric Format: measures by benchmark, each with value and bounds."""
    results = json.loads(perf(*TINY, "--format=bmf").stdout)
    for path in DRIVER + ["floor-scalar"]:
        assert names_of(path) <= set(results)
    for name, measures in results.items():
        cycles = "cycles-per-call" if "/empty/" in name else "cycles-per-packet"
        assert cycles in measures
        assert ("mpps" in measures) == ("/empty/" not in name)
        floors = {"ratio-to-floor-scalar", "ratio-to-floor-scalar-safe"}
        assert floors - {"ratio-to-" + name.split("/")[0]} <= set(measures)
        for measure, figures in measures.items():
            assert set(figures) == {"value", "lower_value", "upper_value"}, measure
            assert 0 < figures["lower_value"] <= figures["value"] <= figures["upper_value"]


def test_gha(perf):
    """github-action-benchmark: an array of entries, figures and ratios."""
    results = json.loads(perf(*TINY, "--format=gha").stdout)
    names = [entry["name"] for entry in results]
    assert len(set(names)) == len(names)
    for path in DRIVER:
        for name in names_of(path):
            assert name in names and name + " to floor-scalar" in names
    for entry in results:
        assert set(entry) == {"name", "unit", "value", "range", "extra"}
        assert entry["value"] > 0
        low, high = map(float, entry["range"].split(".."))
        assert 0 < low <= entry["value"] <= high
        unit = re.search(r" to (\S+)$", entry["name"])
        if unit:
            assert entry["unit"] == "x " + unit.group(1)
        else:
            assert entry["unit"] == "cycles/call" if "/empty/" in entry["name"] \
                else "cycles/packet"


def test_dts(perf, tmp_path):
    """performance_metrics.json of DTS: a result for each frame size and ring."""
    path = tmp_path / "performance_metrics.json"
    done = perf(*TINY, "--format=dts", f"--output={path}", "--ring=256,512", "--size=64,1518",
                "--modes=rx,fwd", "--expected-mpps=0.001", "--tolerance=0.05")
    assert done.stdout == ""
    metrics = json.loads(path.read_text())
    assert set(metrics) == {"timestamp", "results"}
    datetime.datetime.fromisoformat(metrics["timestamp"])
    assert {(r["frame_size"], r["num_descriptors"]) for r in metrics["results"]} == \
        {(size, ring) for size in (64, 1518) for ring in (256, 512)}
    assert len(metrics["results"]) == 4
    for r in metrics["results"]:
        assert set(r) == {"frame_size", "num_descriptors", "expected_mpps", "measured_mpps",
                          "performance_delta", "pass"}
        assert r["measured_mpps"] > 0
        delta = (r["measured_mpps"] - r["expected_mpps"]) / r["expected_mpps"]
        assert r["performance_delta"] == pytest.approx(delta, rel=1e-3)
        # a frame in two million cycles is expected
        assert r["pass"] is True


def test_dts_may_fail(perf):
    """Who expects the impossible is told so; without a wish, the floor is expected."""
    wish = json.loads(perf(*TINY, "--format=dts", "--expected-mpps=1000000").stdout)
    assert [r["pass"] for r in wish["results"]] == [False]
    floor = json.loads(perf(*TINY, "--format=dts").stdout)
    assert all(r["expected_mpps"] > 0 for r in floor["results"])


def test_lists(perf):
    """Every combination is measured, except bursts of more than half a ring."""
    results = json.loads(perf(*TINY, "--format=bmf", "--modes=rx,fwd", "--ring=64,96,1024",
                              "--burst=1,7,512", "--size=64,1518",
                              "--paths=net_bcm4908").stdout)
    want = set()
    for ring, bursts in ((64, (1, 7)), (96, (1, 7)), (1024, (1, 7, 512))):
        for burst in bursts:
            for size in (64, 1518):
                want |= names_of("net_bcm4908", ["rx", "fwd"], ring=ring, burst=burst, size=size)
    assert {name for name in results if name.startswith("net_")} == want


def test_largest_ring(perf):
    """All of the longest ring's descriptors are used."""
    results = json.loads(perf("--reps=1", "--iters=40", "--format=bmf", "--modes=fwd",
                              "--ring=8192", "--paths=net_bcm4908").stdout)
    assert names_of("net_bcm4908", ["fwd"], ring=8192) <= set(results)


def test_cross(perf):
    """The device side runs on another core, and only on one that there is."""
    results = json.loads(perf(*TINY, "--cross", "--warm", "--format=bmf", "--modes=rx,tx,fwd",
                              cores=2).stdout)
    for path in DRIVER:
        assert names_of(path, MODES[:3], "warm") <= set(results)
        assert names_of(path, MODES[:3], "cross") <= set(results)
    done = perf(*TINY, "--cross", ok=False)
    assert "--cross needs two lcores" in done.stderr


def test_model_as_device(perf):
    """The model itself moves between the timed parts, and sees nothing wrong."""
    done = perf(*TINY, "--device=model", "--format=bmf", "--size=64,1518",
                "--paths=net_bcm4908,net_bcm4908_safe")
    for size in (64, 1518):
        for path in ("net_bcm4908", "net_bcm4908_safe"):
            assert names_of(path, size=size) <= set(json.loads(done.stdout))
    assert "the model saw" not in done.stderr


def test_strategies(perf):
    """Each strategy has its row; frames beyond 2 KiB are for the driver's buffers only."""
    results = json.loads(perf(*TINY, "--strategies", "--format=bmf").stdout)
    for path in STRATEGIES:
        for size in (64, 1518):
            assert names_of(path, size=size) <= set(results)
    long = {name.split("/")[0] for name in results if name.endswith("size=3000")}
    assert long == {"net_bcm4908_large", "net_bcm4908_chained"}
    assert all(m["ratio-to-c-bulk"]["value"] > 0 for name, m in results.items()
               if not name.endswith("size=3000") and not name.startswith("c-bulk"))


@pytest.mark.parametrize("mode", ["rx", "tx", "fwd"])
def test_count(perf, mode):
    """One path, a known number of frames."""
    out = perf(f"--count={mode}", "--iters=3", "--ring=128", "--burst=16").stdout
    # half a ring is a block
    assert out.startswith(f"net_bcm4908 {mode}: 192 frames passed in perf_counted()")
    assert out.count("\n") == 1


def test_progress(perf):
    """Each configuration is announced, with how many there are."""
    err = perf(*TINY, "--modes=rx,tx", "--paths=net_bcm4908").stderr
    assert "1 of 2: rx, warm, ring 512" in err and "2 of 2: tx" in err


def test_help_and_list(build_dir):
    """Both are answered without EAL."""
    binary = os.path.join(build_dir, "app", "dpdk-test-bcm4908-perf")
    for option in ("--help", "--list"):
        plain = subprocess.run([binary, option], capture_output=True, text=True, check=True)
        after = subprocess.run([binary, "--", option], capture_output=True, text=True,
                               check=True)
        assert plain.stdout == after.stdout != ""
        assert plain.stderr == ""
    for name in DRIVER + STRATEGIES + ["floor-scalar", "net_null_perf", "net_ring_perf"]:
        assert f"  {name} " in plain.stdout


@pytest.mark.parametrize("option, message", [
    ("--bogus", "--bogus"),
    ("--ring=100", "multiple of 32"),
    ("--ring=32", "from 64 to 8192"),
    ("--burst=0", "from 1 to 512"),
    ("--burst=8,", "from 1 to 512"),
    ("--size=63", "from 64 to"),
    ("--size=1519", "only with --strategies"),
    ("--modes=rx,up", "rx, tx, fwd, fwd+touch, empty"),
    ("--format=xml", "text, dts, bmf, gha"),
    ("--paths=net_bcm", "net_bcm is none"),
    ("--count=empty", "rx, tx, fwd"),
    ("--reps=-1", "a number from 1"),
    ("--iters=many", "a number from 1"),
    ("--device=none", "writer, model"),
    ("--expected-mpps=0", "positive"),
    ("--output=/nonexistent/file", "No such file"),
    ("burst", "only options"),
])
def test_bad_options(perf, option, message):
    """What is wrong is named, before anything is measured."""
    done = perf(option, ok=False)
    assert message in done.stderr
    assert done.stdout == "" and " of " not in done.stderr.replace("multiple of", "")
