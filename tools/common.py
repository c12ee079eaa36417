"""What several programs of tools/ need: the shared data, secrets for the offline program, and SCALE's compact form."""
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def shared_data():
    """The folder of published pictures and metadata; it is no part of the repository and may be absent."""
    return pathlib.Path(os.environ.get("HELIOGRAPH_SHARED_DATA") or ROOT.parent / "shared/data")


@contextlib.contextmanager
def secret_lines(lines):
    """Words and descriptors for a command: `lines` maps an option, such as --passphrase-fd, to the line that its descriptor gives."""
    words, descriptors = [], []
    try:
        for option, line in lines.items():
            reading, writing = os.pipe()
            os.write(writing, line.encode() + b"\n")
            os.close(writing)
            words += [option, str(reading)]
            descriptors.append(reading)
        yield words, descriptors
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def compact(value):
    """SCALE's compact form of a number below 2^30."""
    if value < 1 << 6:
        return bytes([value << 2])
    if value < 1 << 14:
        return (value << 2 | 1).to_bytes(2, "little")
    return (value << 2 | 2).to_bytes(4, "little")


# A process starts with the peak of the one that forked it, so programs are started by a small process that has loaded nothing.
LAUNCHER = """
import json, os, subprocess, sys, time
for line in sys.stdin:
    start = time.perf_counter()
    child = subprocess.Popen(json.loads(line), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    print(json.dumps([status, (time.perf_counter() - start) * 1000, (usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss / 1024]), flush=True)
"""


class Programs:
    """Runs whole programs: milliseconds (median, least) and the peak of the largest process in MB; `processor` is the least processor time of the last call."""

    RUNS = 9

    def __init__(self):
        self.launcher = subprocess.Popen([sys.executable, "-S", "-c", LAUNCHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, *words, expected=(0,)):
        times, peak, self.processor = [], 0, float("inf")
        for _ in range(self.RUNS):
            self.launcher.stdin.write(json.dumps([str(w) for w in words]) + "\n")
            self.launcher.stdin.flush()
            status, milliseconds, processor, megabytes = json.loads(self.launcher.stdout.readline())
            if os.waitstatus_to_exitcode(status) not in expected:
                raise SystemExit(f"bench: {' '.join(map(str, words))} ended with {os.waitstatus_to_exitcode(status)}")
            times.append(milliseconds)
            peak = max(peak, megabytes)
            self.processor = min(self.processor, processor)
        return statistics.median(times), min(times), peak
