#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Draw how the driver's cost scales, from the benchmark's --format=bmf files.

usage: plot-perf.py [--output DIR] FILE...

A file adds the points it holds; of a point that several hold, the lowest median counts, for a
core's clock may change meanwhile. Three plots come out: perf-ring.svg, perf-burst.svg and
perf-size.svg, each of the cycles per frame of mode fwd, warm, against one parameter where the
others have their usual values (ring 512, burst 32, size 64). --run BENCHMARK measures first.
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("svg")
# The same drawing is the same file.
matplotlib.rcParams["svg.hashsalt"] = "bcm4908"
from matplotlib import pyplot  # noqa: E402

USUAL = {"ring": 512, "burst": 32, "size": 64}
AXES = {
    "ring": ("descriptors in a ring", "64,128,256,512,1024,2048,4096,8192"),
    "burst": ("frames in a burst", "1,2,4,8,16,32,64,128,256,512"),
    "size": ("bytes in a frame", "64,128,256,512,1024,1518"),
}
# Every burst fits twice into its ring.
RING_OF_BURSTS = 1024
PATHS = {
    "net_bcm4908": ("this driver, AVX2", "C0", "-"),
    "floor-avx2": ("floor, AVX2", "C0", ":"),
    "net_bcm4908_scalar": ("this driver, scalar", "C1", "-"),
    "floor-scalar": ("floor, scalar", "C1", ":"),
    "net_null_perf": ("net_null", "C7", "--"),
}


def read(files):
    """Return {(path, ring, burst, size): lowest median} of mode fwd, warm."""
    points = {}
    for file in files:
        for name, measures in json.loads(pathlib.Path(file).read_text()).items():
            path, mode, side, *rest = name.split("/")
            if (mode, side) != ("fwd", "warm"):
                continue
            case = {key: int(value) for key, value in (part.split("=") for part in rest)}
            key = path, case["ring"], case["burst"], case["size"]
            value = measures["cycles-per-packet"]["value"]
            points[key] = min(value, points.get(key, value))
    return points


def series(points, path, axis):
    """Return the points of one curve, by rising parameter."""
    fixed = dict(USUAL)
    if axis == "burst":
        fixed["ring"] = RING_OF_BURSTS
    curve = []
    for (name, *values), cycles in points.items():
        case = dict(zip(("ring", "burst", "size"), values))
        if name == path and all(case[k] == v for k, v in fixed.items() if k != axis):
            curve.append((case[axis], cycles))
    return sorted(curve)


def draw(points, axis, output):
    """Write the plot of one parameter; False where there are not two points to join."""
    figure, axes = pyplot.subplots(figsize=(7, 4))
    drawn = False
    for path, (label, colour, style) in PATHS.items():
        curve = series(points, path, axis)
        if len(curve) < 2:
            continue
        x, cycles = zip(*curve)
        axes.plot(x, cycles, style, color=colour, label=label, marker=".")
        drawn = True
    if drawn:
        axes.set_xscale("log", base=2)
        axes.set_xticks([int(value) for value in AXES[axis][1].split(",")])
        axes.xaxis.set_major_formatter(matplotlib.ticker.ScalarFormatter())
        axes.minorticks_off()
        if axis == "burst":
            axes.set_yscale("log", base=2)
            axes.yaxis.set_major_formatter(matplotlib.ticker.ScalarFormatter())
        else:
            axes.set_ylim(bottom=0)
        axes.set_xlabel(AXES[axis][0])
        axes.set_ylabel("cycles per forwarded frame")
        axes.grid(alpha=0.3)
        axes.legend()
        figure.tight_layout()
        figure.savefig(output, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    return drawn


def measure(benchmark, rounds, directory):
    """Run the benchmark for each parameter, several rounds; return the files."""
    for i, (axis, (_, values)) in itertools.product(range(rounds), AXES.items()):
        case = {**USUAL, axis: values}
        if axis == "burst":
            case["ring"] = RING_OF_BURSTS
        file = pathlib.Path(directory) / f"{axis}-{i}.json"
        subprocess.run(
            [benchmark, "--", "--modes=fwd", "--format=bmf", "--reps=6",
             f"--output={file}", "--paths=" + ",".join(PATHS)]
            + [f"--{key}={value}" for key, value in case.items()], check=True)
        yield file


def main():
    """Read or measure, and draw."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="*", metavar="FILE", help="what --format=bmf wrote")
    parser.add_argument("--run", metavar="BENCHMARK", help="run this dpdk-test-bcm4908-perf")
    parser.add_argument("--rounds", type=int, default=6, help="of --run, default 6")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."),
                        metavar="DIR", help="where the plots go")
    args = parser.parse_args()
    if bool(args.files) == bool(args.run):
        parser.error("give files, or --run")
    with tempfile.TemporaryDirectory() as directory:
        files = args.files or list(measure(args.run, args.rounds, directory))
        points = read(files)
    args.output.mkdir(parents=True, exist_ok=True)
    for axis in AXES:
        file = args.output / f"perf-{axis}.svg"
        if draw(points, axis, file):
            print(file)
        else:
            print(f"{file}: not drawn, there are not two points", file=sys.stderr)


if __name__ == "__main__":
    main()
