#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""Can the unit tests fail? Plant faults one at a time, and see which test finds each.

The faults are those of mutants.py, and those of the kind "cache": each call of
a cache operation in the bursts is left out, weakened, or done in the wrong
order; these are derived from the source. Each fault is planted in a private
copy of the tree, the test program is made anew, and its tests run, the most
probable first, until one fails, crashes, or does not end (which counts as
found, and is said). The exit status is 1 when a fault survives that is not
known to, when one is found that is said to survive, or when the table does not
fit the source any more.
"""

import argparse
import concurrent.futures
import filecmp
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import mutants  # noqa: E402  pylint: disable=wrong-import-position

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DRIVER = "drivers/net/bcm4908"
PROGRAM = "app/dpdk-bcm4908-test"
TEST_TIMEOUT = 30  # seconds, and ten times what the test takes without a fault
SURVIVES = "survives: "


class Fault:
    """A fault: texts of a file and what replaces them; who finds it, or why nobody does."""

    def __init__(self, name, path, changes, expect):
        self.name = name
        self.path = os.path.join(DRIVER, path)
        self.changes = changes
        self.expect = expect

    @property
    def survives(self):
        """Why nobody finds it, or None."""
        return self.expect[len(SURVIVES):] if self.expect.startswith(SURVIVES) else None

    def problem(self, top):
        """Say why the fault cannot be planted, or return None."""
        try:
            self.plant(top)
        except (OSError, ValueError) as e:
            return str(e)
        return None

    def plant(self, top):
        """Return the text of the file with the fault in it."""
        with open(os.path.join(top, self.path), encoding="utf-8") as f:
            text = f.read()
        for old, new in self.changes:
            if text.count(old) != 1:
                raise ValueError(f"{self.name}: found {text.count(old)} times in {self.path}, "
                                 f"not once:\n{old}")
            text = text.replace(old, new)
        return text


def line_of(text, pos):
    """Return the number of the line that a position is in."""
    return text.count("\n", 0, pos) + 1


def end_of_call(text, pos):
    """Return the position behind the semicolon that ends the statement at a position."""
    depth = 0
    for at in range(pos, len(text)):
        depth += (text[at] in "([") - (text[at] in ")]")
        if text[at] == ";" and depth == 0:
            return at + 1
    raise ValueError("a statement without an end")


CALL = re.compile(r"\bbcm4908_cache_(clean_inval|clean|sync)\(")
# Statements that give a descriptor away: a loop over control words, or a call.
PUBLISH = re.compile(r"\bfor \([^{};]*;[^{};]*;[^{};]*\)\n\t+rte_atomic_store_explicit\("
                     r"&ring\[\w\]\.ctl|\btx_own\(")


def cache_changes(text):
    """Yield (line, what, text with the fault) for each fault that a source's calls allow."""
    calls = [(m.start(), end_of_call(text, m.start()), m.group(1)) for m in CALL.finditer(text)]
    for i, (start, end, kind) in enumerate(calls):
        line = line_of(text, start)
        without = text[:start] + ";" + text[end:]
        yield line, f"{kind} left out", without
        if kind == "clean_inval":
            weak = text[start:end].replace("clean_inval", "clean", 1)
            yield line, "clean_inval without invalidation", text[:start] + weak + text[end:]
        # The statement of the function that gives its last descriptor away.
        gives = list(PUBLISH.finditer(text, end, text.index("\n}\n", start)))
        give = gives[-1] if gives else None
        behind = give and end_of_call(text, give.start())
        if kind == "sync":
            before = [c for c in calls[:i] if c[2] != "sync"]
            if before:
                # The operation nearest before: the sync now precedes it.
                op_start, op_end, _ = before[-1]
                op = text[op_start:op_end]
                yield line, "sync before its operations", (
                    text[:op_start] + "{ bcm4908_cache_sync(); " + op + " }" +
                    without[op_end:])
            if give:
                yield line, "sync after OWN", (
                    text[:start] + ";" + text[end:behind] + " bcm4908_cache_sync();" +
                    text[behind:])
        else:
            opening = text.rfind("\n{\n", 0, start)
            if give and text.count("for (", opening, start) == 0:
                yield line, f"{kind} after OWN", (
                    text[:start] + ";" + text[end:behind] + " " + text[start:end] + text[behind:])


def cache_faults():
    """Return the faults of the cache operations in the bursts' sources."""
    faults = []
    directory = os.path.join(TOP, DRIVER)
    for name in sorted(os.listdir(directory)):
        if not re.fullmatch(r"bcm4908_rxtx\w*\.[ch]", name):
            continue
        with open(os.path.join(directory, name), encoding="utf-8") as f:
            text = f.read()
        for line, what, changed in cache_changes(text):
            site = f"{name}:{line}: {what}"
            expect = mutants.CACHE_SURVIVES.get((name, enclosing(text, line), what))
            expect = SURVIVES + expect if expect else "coherence_"
            faults.append(Fault(site, name, [(text, changed)], expect))
    return faults


def enclosing(text, line):
    """Return the name of the function around a line."""
    lines = text.split("\n")[:line]
    for at in range(len(lines) - 1, 0, -1):
        if lines[at] == "{":
            while not re.match(r"\w+\(", lines[at]):
                at -= 1
            return lines[at].split("(")[0]
    return "?"


def table_faults():
    """Return the faults of the table."""
    return [Fault(name, path, [(old, new)], expect)
            for name, path, old, new, expect in mutants.MUTANTS]


class Worker:
    """A private copy of the tree, with a build of it."""

    def __init__(self, directory):
        self.top = os.path.join(directory, "tree")
        self.build = os.path.join(directory, "build")
        self.seconds = {}  # of each test, without a fault
        self.planted = None
        self._copy()
        source = subprocess.run(
            ["pkg-config", "--modversion", "libdpdk"], check=True, capture_output=True,
            text=True).stdout.strip()
        source = subprocess.run([os.path.join(TOP, "devtools/dpdk-source.sh"), source],
                                check=True, capture_output=True, text=True).stdout.strip()
        again = os.path.exists(os.path.join(self.build, "build.ninja"))
        self._run("meson", "setup", "-Doptimization=1", "-Ddebug=false",
                  *([f"-Ddpdk_source={source}"] if source else []),
                  *(["--reconfigure"] if again else []), self.build, self.top)
        self.make()

    def _copy(self):
        """Make the copy that of the tree as it is; what is the same in it keeps its time."""
        shutil.copytree(TOP, self.top, symlinks=True, dirs_exist_ok=True,
                        copy_function=self._copy_changed,
                        ignore=shutil.ignore_patterns(".git", "build*", "__pycache__"))

    @staticmethod
    def _copy_changed(source, target):
        if not os.path.exists(target) or not filecmp.cmp(source, target, shallow=False):
            shutil.copy(source, target)

    @staticmethod
    def _run(*argv):
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stdout[-4000:])

    def make(self):
        """Make the test program."""
        self._run("ninja", "-C", self.build, PROGRAM)

    def tests(self):
        """Return the names of all tests."""
        return subprocess.run([os.path.join(self.build, PROGRAM), "--list"], check=True,
                              capture_output=True, text=True).stdout.split()

    def plant(self, fault):
        """Put a fault into the copy, and make the program; None: no fault."""
        if self.planted:
            path, text = self.planted
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            self.planted = None
        if fault:
            changed = fault.plant(self.top)
            path = os.path.join(self.top, fault.path)
            with open(path, encoding="utf-8") as f:
                self.planted = (path, f.read())
            with open(path, "w", encoding="utf-8") as f:
                f.write(changed)
        self.make()

    def run(self, names, stop):
        """Run tests; return {name: seconds} of those that passed and [(name, how)] of others."""
        passed, failed = {}, []
        names = list(names)
        while names:
            name, how, done = self._run_some(names, passed)
            if name is None:
                break
            failed.append((name, how))
            if stop:
                break
            names = names[done:]
        return passed, failed

    def _run_some(self, names, passed):
        """Run until a test fails; return its name, how, and how many were run."""
        proc = subprocess.Popen([os.path.join(self.build, PROGRAM), "--", *names],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                errors="replace", start_new_session=True)
        lines = queue.Queue()
        reader = threading.Thread(target=self._read, args=(proc, lines), daemon=True)
        reader.start()
        running, start, how = None, time.monotonic(), None
        while how is None:
            try:
                line = lines.get(timeout=TEST_TIMEOUT + 10 * self.seconds.get(running, 0))
            except queue.Empty:
                how = "does not end"
                break
            if line is None:
                break
            words = line.split()
            if line.startswith("RUN ") and len(words) == 2:
                running, start = words[1], time.monotonic()
            elif line.startswith("PASS ") and words[1:2] == [running]:
                passed[running] = time.monotonic() - start
                running = None
            elif line.startswith("FAIL ") and words[1:2] == [running]:
                how = "fails"
        if how is not None:
            os.killpg(proc.pid, signal.SIGKILL)
        proc.wait()
        reader.join()
        if how is None and running is not None:
            how = "crashes"
        if how is None and proc.returncode != 0 and len(passed) == 0:
            running, how = names[0], "does not start"
        if how is None:
            return None, None, 0
        return running, how, names.index(running) + 1 if running in names else len(names)

    @staticmethod
    def _read(proc, lines):
        for line in proc.stdout:
            lines.put(line)
        lines.put(None)


def order(tests, seconds, fault):
    """Return the tests in the order in which they are to be tried on a fault."""
    stem = fault.expect.split("_")[0]
    return sorted(tests, key=lambda t: (t != fault.expect, not t.startswith(fault.expect),
                                        seconds.get(t, 0) > 1, not t.startswith(stem),
                                        seconds.get(t, 0)))


def find(worker, tests):
    """Return (test, how) of the first test that fails, and does so again; or None."""
    while tests:
        failed = worker.run(tests, True)[1]
        if not failed:
            return None
        name = failed[0][0]
        if worker.run([name], True)[1]:
            return failed[0]
        tests = tests[tests.index(name) + 1:]
    return None


def judge(fault, found):
    """Return (is it as expected, what to print) of a fault."""
    if found is None:
        if fault.survives:
            return True, f"survives: {fault.survives}"
        return False, "SURVIVES"
    name, how = found
    text = name if how == "fails" else f"{name} ({how})"
    if fault.survives:
        return False, f"{text}, but is said to survive"
    if not name.startswith(fault.expect):
        text += f", not {fault.expect}"
    return True, text


def try_all(faults, workers, tests, report):
    """Try each fault on a free worker."""
    free = queue.Queue()
    for worker in workers:
        free.put(worker)

    def try_one(fault):
        worker = free.get()
        try:
            try:
                worker.plant(fault)
            except RuntimeError as e:
                return fault, False, f"DOES NOT COMPILE: {str(e)[-1500:]}"
            return (fault, *judge(fault, find(worker, order(tests, worker.seconds, fault))))
        finally:
            free.put(worker)

    with concurrent.futures.ThreadPoolExecutor(len(workers)) as pool:
        for done in pool.map(try_one, faults):
            report(*done)


def choose(args):
    """Return the faults that the options ask for."""
    faults = []
    if args.kind in ("all", "table"):
        faults += table_faults()
    if args.kind in ("all", "cache"):
        faults += cache_faults()
    if args.only:
        wanted = set(args.only.split(","))
        unknown = wanted - {f.name for f in faults}
        if unknown:
            sys.exit(f"no fault is named {', '.join(sorted(unknown))}; --list shows them")
        faults = [f for f in faults if f.name in wanted]
    if args.sample:
        faults = [f for f in faults if not f.survives]
        faults = faults[:: max(1, len(faults) // args.sample)][: args.sample]
    return faults


def main():
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="list the faults, and do nothing")
    parser.add_argument("--check", action="store_true",
                        help="only see whether the table fits the source")
    parser.add_argument("--kind", choices=("all", "table", "cache"), default="all")
    parser.add_argument("--only", metavar="NAME,...", help="only these faults")
    parser.add_argument("--sample", metavar="N", type=int,
                        help="only about N faults, and of the tests only those that find them")
    parser.add_argument("--work", metavar="DIRECTORY",
                        help="keep the copies of the tree and their builds here for the next run")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="copies at work at once")
    args = parser.parse_args()
    # Also what a worker started ends when this is told to end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    faults = choose(args)
    problems = list(filter(None, (f.problem(TOP) for f in faults)))
    names = [f.name for f in faults]
    problems += [f"{n}: twice in the table" for n in sorted(set(names)) if names.count(n) > 1]
    for problem in problems:
        print(problem)
    if args.list:
        for f in faults:
            print(f"{f.name:60} {f.expect}")
    if args.check:
        print(f"{len(faults)} faults, {len(problems)} that do not fit the source")
    if problems or args.list or args.check:
        return 1 if problems else 0

    if args.work:
        return run(args, faults, args.work)
    with tempfile.TemporaryDirectory(prefix="bcm4908-mutate-") as directory:
        return run(args, faults, directory)


def run(args, faults, directory):
    """Try the faults; return the exit status."""
    workers = [Worker(os.path.join(directory, str(i))) for i in range(max(1, args.jobs))]
    tests = workers[0].tests()
    if args.sample:
        tests = [t for t in tests if any(t.startswith(f.expect) for f in faults)]
    print(f"{len(faults)} faults, {len(tests)} tests", flush=True)
    seconds, failed = workers[0].run(tests, False)
    for name, how in failed:
        print(f"{name} {how} without a fault, and is not used")
    tests = list(seconds)
    for worker in workers:
        worker.seconds = seconds
    bad = [name for name, _ in failed]

    def report(fault, good, text):
        print(f"{'ok ' if good else 'BAD'} {fault.name:60} {text}", flush=True)
        if not good:
            bad.append(fault.name)

    try_all(faults, workers, tests, report)
    survivors = sum(1 for f in faults if f.survives)
    print(f"{len(faults)} faults: {len(faults) - survivors} to be found, "
          f"{survivors} known to survive, {len(bad)} not as expected")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
