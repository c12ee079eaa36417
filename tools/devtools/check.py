"""Runs everything that CI runs, from a tree where tools/install has run.

A step's output goes to .build-logs and is shown when the step fails. With --only the named steps run alone, on what is built.
"""
import argparse
import os
import re
import subprocess
import sys
import time

from .common import DEV, HOT, ROOT, SHIPPED, binary_folder

LOGS = ROOT / ".build-logs"
FORMATTED = ["Sources", "Tests", "fixtures", "tools/peers", "tools/fuzz/Sources", "tools/hot/Sources", "tools/hot/Tests"]
# The last line of these is a summary that the reader sees at the end.
SUMMARIES = ["laws", "index", "closed", "sockets", "sessions", "shield", "secrets", "readings", "peers-hot", "hot-laws", "real-data"]
TELLING = re.compile(r"error|FAIL|✘|failed|Fatal")


def dev(*words):
    """A command line of this program."""
    return [sys.executable, DEV, *words]


def steps():
    """Name → the command lines of the step, which run until one fails. Folders of binaries are asked for when a step needs them."""
    shipped = ["swift", "build", *SHIPPED, "--product"]
    cold, hot = lambda: binary_folder(*SHIPPED), lambda: binary_folder(*HOT)
    return {
        "format": lambda: [["swift", "format", "lint", "--strict", "--recursive", *FORMATTED]],
        "lint": lambda: [dev("lint")],
        "build": lambda: [[*shipped, "heliograph"], [*shipped, "heliograph-scanner"]],
        "laws": lambda: [dev("laws", cold())],
        "sockets": lambda: [dev("sockets", cold())],
        "sessions": lambda: [dev("sessions", cold())],
        "shield": lambda: [dev("shield-walk", cold())],
        "secrets": lambda: [dev("secrets", cold())],
        "frames": lambda: [dev("frames")],
        "unit": lambda: [["swift", "test"]],
        "index": lambda: [dev("laws", "--index")],
        "closed": lambda: [dev("closed-enums", "--skip-build")],
        "readings": lambda: [dev("two-readings")],
        "build-hot": lambda: [["swift", "build", *HOT]],
        "unit-hot": lambda: [["swift", "test", *HOT]],
        "peers-hot": lambda: [dev("peers-hot", hot())],
        "hot-laws": lambda: [dev("hot-laws", hot(), "--scanner", cold())],
        "demo": lambda: [[ROOT / "tools/demo", "--built", cold(), hot()]],
        "real-data": lambda: [dev("real-data", cold())],
    }


def names(text):
    """The names of steps, with commas between them."""
    chosen = text.split(",")
    if unknown := set(chosen) - set(steps()):
        raise argparse.ArgumentTypeError(f"unknown steps {', '.join(sorted(unknown))}; known are {', '.join(steps())}")
    return chosen


def configure(parser):
    """Takes the steps."""
    parser.add_argument("--only", type=names, metavar="STEP,…", help="run these steps only: " + ", ".join(steps()))
    parser.add_argument("--dry-run", action="store_true", help="print the command lines instead of running them")


def succeeds(commands, log):
    """Runs the command lines of a step; one that cannot start fails the step."""
    with open(log, "w") as file:
        for command in commands:
            file.flush()
            try:
                done = subprocess.run(list(map(str, command)), cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
            except OSError as error:
                file.write(f"error: {error}\n")
                return False
            if done.returncode != 0:
                return False
    return True


def last_line(name):
    """The last line that a step printed."""
    lines = (LOGS / f"{name}.log").read_text(errors="replace").splitlines()
    return lines[-1] if lines else ""


def step(name, commands):
    """Runs one step and prints its line; a failure shows the telling lines and the end of its output."""
    start, log = time.monotonic(), LOGS / f"{name}.log"
    passed = succeeds(commands(), log)
    seconds = int(time.monotonic() - start)
    if passed:
        print(f"ok   {name:<12} {seconds:4d} s  {last_line(name)[:110]}", flush=True)
    else:
        lines = log.read_text(errors="replace").splitlines()
        print("\n".join([f"FAIL {name:<12} {seconds:4d} s", *[line for line in lines if TELLING.search(line)][:40], *lines[-25:]]), flush=True)
    return passed


def close(chosen):
    """The closing lines of every runner, so that a reader sees what ran and what was skipped."""
    for name in ("unit", "unit-hot"):
        if name in chosen:
            lines = (LOGS / f"{name}.log").read_text(errors="replace").splitlines()
            print("\n".join(line for line in lines if line.startswith(("✔ Test run", "✘ Test run"))))
    skipped = sum((LOGS / f"{name}.log").read_text(errors="replace").count("skipped: no shared data") for name in chosen)
    print(f"skipped for want of shared data: {skipped}")
    for name in SUMMARIES:
        if name in chosen:
            print(last_line(name))


def run(options):
    """1 when a step failed."""
    os.environ["HELIOGRAPH_STRICT"] = "1"
    start, every = time.monotonic(), steps()
    chosen = [name for name in every if name in (options.only or every)]
    if options.dry_run:
        for name in chosen:
            print("\n".join(f"{name:<12} {' '.join(map(str, command))}" for command in every[name]()))
        return 0
    LOGS.mkdir(exist_ok=True)
    failed = [name for name in chosen if not step(name, every[name])]
    close(chosen)
    if failed:
        print(f"failed: {' '.join(failed)}")
        return 1
    print(f"all checks passed in {int(time.monotonic() - start)} s")
    return 0
