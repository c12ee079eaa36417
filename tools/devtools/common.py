"""What several subcommands need: the shared data, builds, secrets for the offline program, packets of RaptorQ, and SCALE's compact form."""
import argparse
import concurrent.futures
import contextlib
import hashlib
import json
import multiprocessing
import os
import pathlib
import re
import secrets
import statistics
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What is frozen; `tools/dev golden check` freezes it again into another folder.
FIXTURES = pathlib.Path(os.environ.get("HELIOGRAPH_FIXTURES") or ROOT / "fixtures")
# The subcommand's own command line, for processes that it starts.
DEV = ROOT / "tools/dev"
# The shipped form: the Swift runtime inside the programs, in a scratch folder of its own.
SHIPPED = ["-c", "release", "--static-swift-stdlib", "--scratch-path", ".build-static"]
HOT = ["--package-path", "tools/hot"]


def dev(*words):
    """A command line of this program."""
    return [sys.executable, DEV, *words]


# Set by `tools/dev check`: form=folder of the forms whose products are built, so that nobody asks the compiler again. It would compile anew what the check
# compiled with options, and in a folder, of its own.
LINKED = "HELIOGRAPH_LINKED"
FORMS = {"shipped": SHIPPED, "online": HOT}


def linked(options):
    """The folder where the check has built the products of these options, or None."""
    folders = dict(one.split("=", 1) for one in os.environ.get(LINKED, "").split())
    return next((pathlib.Path(folders[form]) for form in folders if list(options) == FORMS[form]), None)


def binary_folder(*options):
    """The folder where `swift build` with these options puts its products."""
    if folder := linked(options):
        return folder
    done = subprocess.run(["swift", "build", *options, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
    return pathlib.Path(done.stdout.strip())


def build(product, *options):
    """Builds one product, its output on stderr, and returns its path."""
    if linked(options) is None:
        subprocess.run(["swift", "build", *options, "--product", product], cwd=ROOT, check=True, stdout=sys.stderr)
    return binary_folder(*options) / product


def built(product, folder=None):
    """The path of a program: in this folder, else of the static release build, which is made where it is lacking."""
    for place in filter(None, [folder, ROOT / ".build-static/release"]):
        if (pathlib.Path(place) / product).exists():
            return (pathlib.Path(place) / product).resolve()
    return build(product, *SHIPPED)


def bin_option(parser):
    parser.add_argument("--bin", type=program_folder, help="folder of the built programs (default: .build-static/release, made where it is lacking)")


def program_folder(text):
    """A folder of built programs, as a word of the command line."""
    folder = pathlib.Path(text).resolve()
    if not any(folder.glob("heliograph*")):
        raise argparse.ArgumentTypeError(f"{text} holds no program of Heliograph: build it first, as .github/CONTRIBUTING.md says")
    return folder


def binaries_option(parser):
    parser.add_argument("binaries", type=program_folder, help="folder of the built programs")


def folders(parser):
    parser.add_argument("hot", type=program_folder, help="folder of heliograph-hot and heliograph-fixture")
    parser.add_argument("cold", type=program_folder, help="folder of heliograph and heliograph-scanner")


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


# How many at a time of what waits more than it works: for a shell, a terminal, a node.
WAITING = 4


def faults_library():
    """The object that is preloaded into a program whose disk or clock is to fail; built where it is missing or older than its source."""
    source, library = ROOT / "tools/peers/disk-faults.c", ROOT / ".build/disk-faults.so"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        library.parent.mkdir(exist_ok=True)
        # Several runners may build it at once: each has a name of its own until it is whole.
        built = library.with_name(f"{library.name}.{os.getpid()}")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-o", built, source, "-ldl"], check=True)
        built.replace(library)
    return library


def side_by_side(function, items, jobs=WAITING):
    """What a function of a module gives for each item, in the order of the items. Each call runs in one of so many processes, which know what this one knew."""
    with concurrent.futures.ProcessPoolExecutor(jobs, multiprocessing.get_context("fork")) as pool:
        yield from pool.map(function, items)


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


class Tally:
    """Checks that hold, and the names of those that do not."""

    def __init__(self):
        self.passed, self.failures = 0, []

    def check(self, name, holds, detail=""):
        """Prints a check, and what is known of one that does not hold."""
        if holds:
            self.passed += 1
        else:
            self.failures.append(name)
        print(f"ok   {name}" if holds else f"FAIL {name}: {detail}", flush=True)

    def law(self, name, offenders):
        """A law holds when nothing breaks it."""
        offenders = list(offenders)
        self.check(name, not offenders, ", ".join(map(str, offenders)))

    def close(self, name):
        """Prints the numbers; the exit code."""
        print(f"{name}: {self.passed} passed, {len(self.failures)} failed")
        return 1 if self.failures else 0


@contextlib.contextmanager
def serving(state):
    """The address of a stand-in node."""
    node = subprocess.Popen([sys.executable, DEV, "stand-in-node", "--state", state], stdout=subprocess.PIPE, text=True)
    try:
        yield f"ws://127.0.0.1:{node.stdout.readline().split()[0]}"
    finally:
        node.kill()
        node.wait()


def drawn_passphrase(words=6):
    """A passphrase of random words, which a vault with real keys takes. It takes none that the repository shows."""
    listed = re.search(r'"""\n(.*?)"""', (ROOT / "Sources/Secrets/Keys/WordListEnglish.swift").read_text(), re.S)[1].split()
    return " ".join(secrets.choice(listed) for _ in range(words))


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


# //Alice and //Bob of the development phrase: public keys, and addresses with the prefix 42.
ALICE = bytes.fromhex("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")
BOB = bytes.fromhex("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48")
ALICE_ADDRESS, BOB_ADDRESS = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY", "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
POLKADOT = "91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3"
WESTEND = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"


def blake2_256(data):
    return hashlib.blake2b(data, digest_size=32).digest()


def to_sign(transaction):
    """What a signature covers: the bytes of a transaction, or the hash of long ones."""
    return transaction if len(transaction) <= 256 else blake2_256(transaction)


def compact(value):
    """SCALE's compact form of a number below 2^30."""
    if value < 1 << 6:
        return bytes([value << 2])
    if value < 1 << 14:
        return (value << 2 | 1).to_bytes(2, "little")
    return (value << 2 | 2).to_bytes(4, "little")


def string(text):
    """SCALE's form of a text, or of bytes."""
    data = text.encode() if isinstance(text, str) else text
    return compact(len(data)) + data


def read_compact(data, at=0):
    """A compact number below 2^30, and where it ends."""
    end = at + (1 << (data[at] & 3))
    return int.from_bytes(data[at:end], "little") >> 2, end


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
