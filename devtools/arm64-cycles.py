#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Estimate what a forwarded frame costs on a Cortex-A53.

usage: arm64-cycles.py [BUILD]

The benchmark that build-arm64.sh made (in BUILD, by default build-arm64) passes a block of
frames in user-mode emulation, one instruction at a time, and the emulator logs each. Their
number is exact. llvm-mca then models how that sequence of instructions passes an in-order
Cortex-A53: with every load hitting the first cache, every branch foreseen and no barrier
waiting. Cycles are therefore an estimate, and a low one.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("BCM4908_CACHE", pathlib.Path.home() / ".cache/net-bcm4908"))
ROOT = CACHE / "arm64" / "root"
OBJDUMP = "aarch64-linux-gnu-objdump"
BASE = 0x5500000000  # where the emulator puts a program
PATHS = ("net_bcm4908", "net_bcm4908_safe", "floor-scalar", "floor-scalar-safe")
MODES = ("rx", "tx", "fwd")
# what runs within perf_counted()
FUNCTIONS = re.compile(r"perf_counted|perf_floor_|floor_|(bcm4908_)?(rx|tx)_burst|"
                       r"bcm4908_tx_free|bcm4908_rx_get_some|rte_mempool")
# 64 bytes, preamble and gap at a gigabit per second, on a core of 1.8 GHz
BUDGET = 1.8e9 / (1e9 / (84 * 8))


def disassemble(program):
    """Return {address: (function, instruction in assembler's syntax)}."""
    text = subprocess.run([OBJDUMP, "-d", "--no-show-raw-insn", program],
                          check=True, capture_output=True, text=True).stdout
    code, function = {}, None
    for line in text.splitlines():
        if (m := re.match(r"[0-9a-f]+ <(.+)>:$", line)) is not None:
            function = m[1]
        elif (m := re.match(r"\s*([0-9a-f]+):\t(.+)", line)) is not None:
            # Where a branch leads is of no interest to the model.
            instruction = re.sub(r"\b[0-9a-f]+ <.*?>", "#0", m[2].split("//")[0])
            code[int(m[1], 16)] = function, instruction
    return code


def filters(code):
    """Return the emulator's list of the address ranges to log."""
    ranges = []
    for pc in sorted(code):
        if FUNCTIONS.match(code[pc][0]) is None:
            continue
        if ranges and ranges[-1][1] == pc - 4:
            ranges[-1][1] = pc
        else:
            ranges.append([pc, pc])
    return ",".join(f"{BASE + first:#x}..{BASE + last + 3:#x}" for first, last in ranges)


def trace(program, code, path, mode):
    """Return the addresses of what passed a block of frames, calls out of it, and the frames."""
    with tempfile.TemporaryDirectory() as directory:
        log = pathlib.Path(directory) / "trace"
        run = subprocess.run(
            ["qemu-aarch64-static", "-L", ROOT, "-singlestep", "-d", "exec,nochain,page",
             "-dfilter", filters(code), "-D", log, program,
             "--no-huge", "-m", "256", "--no-pci", f"--file-prefix=cycles{os.getpid()}",
             "--log-level=error", "--", f"--count={mode}", "--iters=1", f"--paths={path}"],
            check=True, capture_output=True, text=True)
        text = log.read_text(errors="replace")
    start = int(re.search(r"start_code\s+0x([0-9a-f]+)", text)[1], 16)
    if start != BASE:
        sys.exit(f"the emulator loaded the program at {start:#x}, not at {BASE:#x}")
    pcs = [int(pc, 16) - BASE for pc in re.findall(r"^Trace [^[]*\[[0-9a-f]+/([0-9a-f]+)/",
                                                   text, re.M)]
    counted = [i for i, pc in enumerate(pcs) if code[pc][0] == "perf_counted"]
    entry = min(pc for pc, (function, _) in code.items() if function == "perf_counted")
    pcs = pcs[max(i for i in counted if pcs[i] == entry):counted[-1] + 1]
    calls = sum(code[pc][1].startswith("bl") and following == pc + 4
                for pc, following in zip(pcs, pcs[1:]))
    frames = re.search(r"(\d+) frames passed", run.stdout + run.stderr)
    return pcs, calls, int(frames[1])


def model(code, pcs):
    """Return the cycles that llvm-mca expects."""
    text = "\n".join(code[pc][1] for pc in pcs)
    out = subprocess.run(["llvm-mca", "-mtriple=aarch64", "-mcpu=cortex-a53", "-iterations=1"],
                         input=text, check=True, capture_output=True, text=True).stdout
    return int(re.search(r"Total Cycles:\s+(\d+)", out)[1])


def main():
    """Print a table."""
    if len(sys.argv) > 2 or sys.argv[1:2] == ["--help"]:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else TOP / "build-arm64").resolve()
    program = build / "app" / "dpdk-test-bcm4908-perf"
    code = disassemble(program)
    print("Instructions and estimated Cortex-A53 cycles per frame; ring 512, burst 32, 64 bytes.")
    print(f"Line rate of such frames at 1 Gb/s leaves {BUDGET:.0f} cycles of 1.8 GHz.")
    print("Behind +: calls of other functions (memcpy of pointers), whose insides are not counted.")
    print("path                 " + "".join(f"{mode:>22s}" for mode in MODES))
    for path in PATHS:
        figures = []
        for mode in MODES:
            pcs, calls, frames = trace(program, code, path, mode)
            figures.append(f"{len(pcs) / frames:.1f} / {model(code, pcs) / frames:.1f}"
                           f" +{calls / frames:.2f}")
        print(f"{path:21s}" + "".join(f"{figure:>22s}" for figure in figures), flush=True)


if __name__ == "__main__":
    main()
