# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

"""The demo's traffic; demo.sh prepares the machine and calls this."""

import argparse
import os
import signal
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "app", "test", "functional"))

import captures  # noqa: E402
import replay  # noqa: E402

FRAMES = 200000  # at least so many, that a rate can be told


def main():
    """Forward, compare, and say how it went; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-i", "--interactive", action="store_true")
    parser.add_argument("plugin_dir")
    parser.add_argument("captures")
    parser.add_argument("eal", nargs="*")
    args = parser.parse_args()
    # End like after ^C, with everything cleaned up.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))

    collection = captures.collect(args.captures)
    once = len(collection.frames)
    rounds = -(-FRAMES // once)
    frames = collection.frames * rounds
    print(f"{len(collection.bounds)} captures with {once} frames, {rounds} times over, from "
          f"port 0 to port 1", flush=True)

    with tempfile.TemporaryDirectory(prefix="bcm4908-demo-") as directory:
        with replay.Replay(args.plugin_dir, frames, "io", directory, eal=args.eal) as r:
            r.run()
            print(r.testpmd.cmd("show port stats all"))
            print(f"{len(frames)} frames in {r.seconds:.3f} s: "
                  f"{len(frames) / r.seconds / 1e6:.3f} Mpps, files read and written included",
                  flush=True)
            if args.interactive:
                print("The ports are running; quit ends the demo.", flush=True)
                r.testpmd.interact()
        print("comparing every frame with its source", flush=True)
        if args.interactive:  # what was sent from the prompt has no source
            r.got, r.back = r.got[: len(frames)], []
        want = replay.expected(frames, "io")
        differing, first = captures.compare(
            want, r.got, lambda i: collection.where(i % once) + f", round {i // once + 1}")

    if first:
        print(f"first difference: {first}")
    if r.back:
        print(f"{len(r.back)} frames came back at port 0, where none was sent")
        differing += len(r.back)
    print(f"{len(r.got)} frames forwarded, {differing} differed")
    return 0 if differing == 0 else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
