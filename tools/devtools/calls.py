"""Traces every readable session and prints which system calls the offline programs make after their lock-down.

For the lists of `Sources/Foundations/Sandbox/SystemCalls.swift`: a call that the filter refused to a session stands in a list of its own, which is
empty but for those that self-test tries; a call that is allowed and that no session makes is printed too. Needs strace.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

from . import sessions
from .common import binaries_option, skip

# What self-test tries, and what the programs ask before they know whether they are shut in already.
# A session takes the right to lock memory away.
TRIED = {"socket", "io_uring_setup", "mlock"}
LINE = re.compile(r"(\d+) +(\w+)\((.*)")


def wrapper(folder, program, traces):
    """A program of the same name that runs the real one under strace, which stands aside (-D): signals reach the program."""
    path = folder / program.name
    path.write_text(f'#!/bin/sh\nexec strace -D -f -qq -s 0 -e signal=none -o {traces}/$$ {program} "$@"\n')
    path.chmod(0o755)


def calls_of(trace):
    """Calls of one command after its first filter: name → how often, and how often each was refused."""
    made, refused, is_shut_in = collections.Counter(), collections.Counter(), False
    for line in trace.read_text(errors="replace").splitlines():
        match = LINE.match(line)
        if not match:
            continue
        name, rest = match[2], match[3]
        if is_shut_in:
            made[name] += 1
            refused[name] += bool(re.search(r"= -1 EPERM", rest))
        is_shut_in = is_shut_in or (name == "seccomp" and "SET_MODE_FILTER" in rest)
    return made, +refused


configure = binaries_option


def run(options):
    if not shutil.which("strace"):
        skip("strace")
        print("calls: nothing was traced")
        return 0
    made, refused = collections.Counter(), collections.Counter()
    binaries = options.binaries
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        traces = folder / "traces"
        traces.mkdir()
        for name in ("heliograph", "heliograph-scanner"):
            wrapper(folder, binaries / name, traces)
        failed = sessions.run(argparse.Namespace(binaries=str(folder), files=[]))
        for trace in traces.iterdir():
            one, other = calls_of(trace)
            made, refused = made + one, refused + other
    for name, count in made.most_common():
        print(f"{count:8}  {name}")
    told = json.loads(subprocess.run([binaries / "heliograph", "self-test", "--json"], capture_output=True, text=True, check=True).stdout)
    allowed = {name for group in told["sandbox"]["allowed_calls"] for name in group["calls"]}
    print("allowed to every command, and made by no session:", " ".join(sorted(allowed - set(made))))
    unexpected = set(refused) - TRIED
    print("refused to a session:", " ".join(sorted(unexpected)) or "none")
    print(f"calls: {len(made)} different calls after the lock-down, {len(unexpected)} refused")
    return 1 if failed or unexpected else 0
