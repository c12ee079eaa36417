"""The hot side's speed, in a release build: metadata to pictures, the digest of RFC-0078, a fetch from a node on loopback.

Prints milliseconds of whole runs of the program (median and least), the largest memory, and the bytes of what it wrote. The 620 kB are
the largest metadata in use; the bytes are random, since only their number counts here, and the same in every run. Then, or alone with
--frames: how many frames an animation of real metadata has, uncompressed and compressed.
"""
import contextlib
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

from ..common import DEV, HOT, build, shared_data
from ..stand_in_node import SHAPES

LARGEST = 620_000
RUNS = 3


class Bench:
    def __init__(self, binaries, work, runs):
        self.program, self.work, self.runs = pathlib.Path(binaries) / "heliograph-hot", work, runs
        self.environment = {**os.environ, "HELIOGRAPH_HOT": str(work / "db")}

    def once(self, *words, status=0):
        start = time.perf_counter()
        child = subprocess.Popen([str(self.program), *map(str, words)], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        errors = child.stderr.read()
        _, ended, usage = os.wait4(child.pid, 0)
        if os.waitstatus_to_exitcode(ended) != status:
            sys.exit(f"bench-hot: {' '.join(map(str, words))}: {errors.decode()}")
        self.said = errors.decode()
        return (time.perf_counter() - start) * 1000, usage.ru_maxrss / 1024

    def line(self, name, words, out=None):
        runs = [self.once(*words) for _ in range(self.runs)]
        size = f"{out.stat().st_size:10,} bytes" if out else ""
        times = [time for time, _ in runs]
        print(f"{name:52} {statistics.median(times):8.0f} ms {min(times):8.0f} ms {max(m for _, m in runs):5.0f} MB {size}", flush=True)


def specs(name, title, prefix, decimals, unit, genesis):
    return json.dumps({"base58prefix": prefix, "color": "#000000", "decimals": decimals, "encryption": "sr25519", "genesis_hash": genesis,
                       "logo": name, "name": name, "path_id": "//" + name, "secondary_color": "#262626", "title": title, "unit": unit})


REAL = {  # file: name of the runtime, title, prefix, decimals, unit
    "westend-9122-v14": ("westend", "Westend", 42, 12, "WND"), "polkadot-1002005-v14": ("polkadot", "Polkadot", 0, 10, "DOT"),
    "polkadot-2000000-v15": ("polkadot", "Polkadot", 0, 10, "DOT"), "polkadot-2003000-v16": ("polkadot", "Polkadot", 0, 10, "DOT"),
    "asset-hub-polkadot-2000000-v15": ("statemint", "Asset Hub", 0, 10, "DOT"),
}


def frames(bench, data, work):
    """Bytes and frames of each real metadata in both forms; half of the frames are repair, and any half is enough."""
    print(f"{'':34} {'payload':>19} {'':>19} {'frames':>13} {'':>13}")
    print(f"{'':34} {'plain':>9} {'compressed':>10} {'share':>7} {'plain':>11} {'compressed':>10} {'share':>7}")
    for number, (file, facts) in enumerate(REAL.items()):
        bench.environment["HELIOGRAPH_HOT"] = str(work / f"frames-{number}")
        for name in ("polkadot", "kusama", "westend"):
            bench.once("network", "remove", name)
        (work / "specs.json").write_text(specs(*facts, "00" * 31 + "03"))
        bench.once("import", work / "specs.json")
        bench.once("import", data / f"metadata/{file}.scale", "--network", facts[0])
        figures = []
        for form in ([], ["--compressed"]):
            bench.once("make", "load-metadata", facts[0], *form, "--out", work / "frames.apng")
            figures.append([int(n) for n in re.search(r": (\d+) bytes in (\d+) QR codes", bench.said).groups()])
        (plain, many), (small, few) = figures
        print(f"{file:34} {plain:9,} {small:10,} {small / plain:7.3f} {many:11} {few:10} {few / many:7.3f}", flush=True)


def fetch(bench, data, work):
    """Polkadot's metadata from the stand-in node, over HTTP and WebSocket."""
    state = {"chain": "Polkadot", "genesis": "0x" + "00" * 31 + "02", "specName": "polkadot", "specVersion": 2000000, "transactionVersion": 26,
             "properties": {"ss58Format": 0, "tokenDecimals": 10, "tokenSymbol": "DOT"}, "finalized": 10, "nonces": {}, "submit": [],
             "metadata": {"14": str(data / "metadata/polkadot-2000000-v15.scale"), "15": str(data / "metadata/polkadot-2000000-v15.scale")}}
    (work / "state.json").write_text(json.dumps(state))
    for scheme in ("http", "ws"):
        with serving(work / "state.json") as port:
            bench.line(f"fetch polkadot 2000000 twice over {scheme}, node in Python",
                       ["fetch", f"{scheme}://127.0.0.1:{port}", "--name", "bench"])


def hostile(bench, work):
    """Seconds and memory until a node is refused that answers with 30 MB, to every question or only where metadata is expected."""
    subprocess.run([bench.program.parent / "heliograph-fixture", "specs", "--out", work / "fixture.json"], check=True)
    genesis = json.loads((work / "fixture.json").read_text())["genesis_hash"]
    state = {"chain": "x", "genesis": "0x" + genesis, "specName": "x", "specVersion": 1, "transactionVersion": 1, "properties": {},
             "finalized": 10, "nonces": {}, "submit": [], "metadata": {}}
    (work / "hostile.json").write_text(json.dumps(state))
    print(f"{'30 MB from a hostile node (with its own time)':52} {'seconds':>11} {'memory':>8}")
    for where, words in {"any answer": [], "metadata": ["--fault-method", "state_getMetadata"]}.items():
        for shape in SHAPES:
            for scheme in ("http", "ws"):
                with serving(work / "hostile.json", "--fault", f"hostile-{shape}", *words) as port:
                    milliseconds, megabytes = bench.once("fetch", f"{scheme}://127.0.0.1:{port}", "--attempts", 1, "--timeout", 10, status=74)
                print(f"{where + ', ' + shape + ', ' + scheme:52} {milliseconds / 1000:9.2f} s {'':11} {megabytes:5.0f} MB", flush=True)


@contextlib.contextmanager
def serving(state, *words):
    """The port of a stand-in node."""
    node = subprocess.Popen([DEV, "stand-in-node", "--state", state, *words], stdout=subprocess.PIPE)
    try:
        yield node.stdout.readline().split()[0].decode()
    finally:
        node.kill()
        node.wait()


def configure(parser):
    """Takes the program and what to measure."""
    parser.add_argument("--bin", type=pathlib.Path, help="folder of heliograph-hot (default: a release build, made first)")
    parser.add_argument("--runs", type=int, default=RUNS, help="runs of each job (default: %(default)s)")
    parser.add_argument("--hostile", action="store_true", help="only measure 30 MB from a hostile node")
    parser.add_argument("--frames", action="store_true", help="only count the frames of real metadata")


def run(options):
    """Prints every job."""
    data = shared_data()
    if not data.is_dir() and not options.hostile:
        print("skipped: no shared data")
        return
    if not options.bin:
        build("heliograph-fixture", "-c", "release", *HOT)
    binaries = options.bin or build("heliograph-hot", "-c", "release", *HOT).parent
    if options.hostile:
        with tempfile.TemporaryDirectory() as folder:
            hostile(Bench(binaries, pathlib.Path(folder), 1), pathlib.Path(folder))
        return
    if options.frames:
        with tempfile.TemporaryDirectory() as folder:
            frames(Bench(binaries, pathlib.Path(folder), 1), data, pathlib.Path(folder))
        return
    print(f"cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f}")
    print(f"{'':52} {'median':>11} {'least':>11} {'memory':>8}")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        bench = Bench(binaries, work, options.runs)
        (work / "hub.json").write_text(specs("statemint", "Asset Hub", 0, 10, "DOT", "00" * 31 + "01"))
        hub = data / "metadata/asset-hub-polkadot-2000000-v15.scale"
        bench.once("import", work / "hub.json")
        bench.line(f"import metadata of {hub.stat().st_size:,} bytes", ["import", hub, "--network", "statemint"])
        out = work / "hub.apng"
        bench.line(f"make load-metadata, {hub.stat().st_size:,} bytes to APNG", ["make", "load-metadata", "statemint", "--out", out], out)
        bench.line("the same, compressed", ["make", "load-metadata", "statemint", "--compressed", "--out", out], out)
        (work / "largest.bin").write_bytes(random.Random(620).randbytes(LARGEST))
        out = work / "largest.apng"
        bench.line(f"qr, {LARGEST:,} bytes to APNG", ["qr", "--hex", f"@{work / 'largest.bin'}", "--out", out], out)
        bench.line("digest of that asset hub (RFC-0078)", ["digest", "statemint"])
        fixture = data / "metadata/polkadot-rfc78-v15.scale"
        facts = ["--spec-version", 1, "--spec-name", "nice", "--prefix", 1, "--decimals", 1, "--token", "lol"]
        bench.line(f"digest of a file of {fixture.stat().st_size:,} bytes", ["digest", fixture, *facts])
        fetch(bench, data, work)
        hostile(bench, work)
        frames(bench, data, work)

