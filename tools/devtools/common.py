"""What several subcommands need: the shared data, builds, secrets for the offline program, packets of RaptorQ, and SCALE's compact form."""
import contextlib
import json
import os
import pathlib
import statistics
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What is frozen; `tools/dev freeze check` freezes it again into another folder.
FIXTURES = pathlib.Path(os.environ.get("HELIOGRAPH_FIXTURES") or ROOT / "fixtures")
# The subcommand's own command line, for processes that it starts.
DEV = ROOT / "tools/dev"
# The shipped form: the Swift runtime inside the programs, in a scratch folder of its own.
SHIPPED = ["-c", "release", "--static-swift-stdlib", "--scratch-path", ".build-static"]
HOT = ["--package-path", "tools/hot"]


def binary_folder(*options):
    """The folder where `swift build` with these options puts its products."""
    done = subprocess.run(["swift", "build", *options, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
    return pathlib.Path(done.stdout.strip())


def build(product, *options):
    """Builds one product, its output on stderr, and returns its path."""
    subprocess.run(["swift", "build", *options, "--product", product], cwd=ROOT, check=True, stdout=sys.stderr)
    return binary_folder(*options) / product


def folders(parser):
    """Options of what freezes: the folders of the programs."""
    parser.add_argument("hot", type=os.path.abspath, help="folder of heliograph-hot and heliograph-fixture")
    parser.add_argument("cold", type=os.path.abspath, help="folder of heliograph and heliograph-scanner")


# Set by CI: what this machine lacks fails instead of being skipped.
STRICT = "HELIOGRAPH_STRICT"
SHARED = "HELIOGRAPH_SHARED_DATA"


class Missing(Exception):
    """What a check needs and this machine lacks; it ends the program with 1."""


def skip(name):
    """Says that a check is skipped because this machine lacks `name`; in CI it raises Missing."""
    if os.environ.get(STRICT):
        raise Missing(name)
    print(f"skipped: {name}", flush=True)


def shared_data():
    """The folder of published pictures and metadata; it is not part of the repository and may be absent."""
    return pathlib.Path(os.environ.get(SHARED) or ROOT.parent / "shared/data")


def shared_file(name, folder=None):
    """A file of the shared data. None, and a line that says so, without the data; where the folder exists or is named, its files are required."""
    folder = pathlib.Path(folder or shared_data())
    if (folder / name).exists():
        return folder / name
    if os.environ.get(SHARED) or folder.exists():
        raise Missing(f"{name} in the shared data")
    print(f"skipped: no shared data ({name})", flush=True)
    return None


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


def write_packets(path, packets):
    """Writes packets, each after its length."""
    path.write_bytes(b"".join(struct.pack(">I", len(packet)) + packet for packet in packets))


def read_packets(path):
    """Reads what `write_packets` writes."""
    data, packets = path.read_bytes(), []
    while data:
        length = struct.unpack(">I", data[:4])[0]
        packets.append(data[4 : 4 + length])
        data = data[4 + length :]
    return packets


# A process starts with the peak of the one that forked it, so programs are started by a small process that has loaded nothing.
LAUNCHER = """
import json, os, subprocess, sys, time
for line in sys.stdin:
    start = time.perf_counter()
    child = subprocess.Popen(json.loads(line), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    print(json.dumps([status, (time.perf_counter() - start) * 1000, (usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss / 1024,
                      usage.ru_minflt]), flush=True)
"""


class Programs:
    """Runs programs: milliseconds (median, minimum) and the largest peak of a process in MB; `processor` and `faults` are the minimum
    processor time and page faults of the last call."""

    RUNS = 9

    def __init__(self):
        self.launcher = subprocess.Popen([sys.executable, "-S", "-c", LAUNCHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, *words, expected=(0,)):
        times, peak, self.processor, self.faults = [], 0, float("inf"), float("inf")
        for _ in range(self.RUNS):
            self.launcher.stdin.write(json.dumps([str(w) for w in words]) + "\n")
            self.launcher.stdin.flush()
            status, milliseconds, processor, megabytes, faults = json.loads(self.launcher.stdout.readline())
            if os.waitstatus_to_exitcode(status) not in expected:
                raise SystemExit(f"bench: {' '.join(map(str, words))} ended with {os.waitstatus_to_exitcode(status)}")
            times.append(milliseconds)
            peak = max(peak, megabytes)
            self.processor, self.faults = min(self.processor, processor), min(self.faults, faults)
        return statistics.median(times), min(times), peak
