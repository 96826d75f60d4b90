#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Print the lines of driver and model that ran, by what gcov knows of a build's objects.

usage: coverage.py BUILD LEAST
  fails when fewer than LEAST percent of the driver's lines ran
"""

import json
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
DRIVER = "drivers/net/bcm4908/"
MODEL = DRIVER + "model/"


def gcov(objects):
    """The reports of gcov for objects, one a line."""
    out = subprocess.run(["gcov", "--json-format", "--stdout", *map(str, objects)],
                         check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines() if line.strip()]


def lines_of(build):
    """How often each line of each source ran, in whichever object it is: {source: {line: count}}."""
    objects = sorted((build / "drivers").rglob("*.gcda"))
    if not objects:
        sys.exit(f"{build}: nothing ran")
    sources = {}
    for report in gcov(objects):
        for file in report["files"]:
            path = (build / file["file"]).resolve()
            if not path.is_relative_to(TOP / DRIVER):
                continue
            counts = sources.setdefault(str(path.relative_to(TOP)), {})
            for line in file["lines"]:
                number = line["line_number"]
                counts[number] = counts.get(number, 0) + line["count"]
    return sources


def blocks(counts):
    """Runs of lines that never ran; lines without code do not part them."""
    found = []
    within = False
    for line in sorted(counts):
        if counts[line] > 0:
            within = False
        elif within:
            found[-1][1] = line
        else:
            found.append([line, line])
            within = True
    return [f"{a}" if a == b else f"{a}-{b}" for a, b in found]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sources = lines_of(pathlib.Path(sys.argv[1]).resolve())
    totals = {}
    for source, counts in sorted(sources.items()):
        ran = sum(count > 0 for count in counts.values())
        total = totals.setdefault("model" if source.startswith(MODEL) else "driver", [0, 0])
        total[0] += ran
        total[1] += len(counts)
        print(f"{100 * ran / len(counts):5.1f} %  {source[len(DRIVER):]}")
        for block in blocks(counts):
            print(f"         {source[len(DRIVER):]}:{block}")
    for part, (ran, lines) in totals.items():
        print(f"{part}: {ran} of {lines} lines, {100 * ran / lines:.1f} %")
    ran, lines = totals["driver"]
    return 100 * ran < float(sys.argv[2]) * lines


if __name__ == "__main__":
    sys.exit(main())
