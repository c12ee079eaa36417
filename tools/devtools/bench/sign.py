"""`heliograph-hot sign` against a stand-in node: milliseconds from the command to the written picture, and what a hostile node can cost it.

The first part prints the median and the least of whole runs until the picture exists, with and without a metadata proof, with a dry run and claims.
The second lets the node answer with 30 MB where the fee, the balance or the dry run is expected: seconds until that is refused, and the
program's largest memory. Each must end with exit code 74 within the bounds printed beside it; otherwise this ends with 1.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from ..common import HOT, build
from ..stand_in_node import SHAPES
from .hot import serving

ALICE = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
KEY = "0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"
# A transfer of 1.5 HLO of the fixture network.
CALL = "0503008eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a480b0060b7986c88"
RUNS = 5
# Bounds for a hostile answer: it is cut off far before its 30 MB, so time is that of the connection and of the node's own work.
MOST_SECONDS = 15
MOST_MEGABYTES = 64


class Desk:
    """A hot database that knows the fixture network, whose chain a node serves from `state.json`."""

    def __init__(self, binaries, work):
        self.binaries, self.work = pathlib.Path(binaries), work
        self.environment = {**os.environ, "HELIOGRAPH_HOT": str(work / "db")}
        for version in ("14", "15"):
            self.fixture("metadata", "--version", version, "--out", work / f"{version}.scale")
        self.fixture("specs", "--out", work / "specs.json")
        specs = json.loads((work / "specs.json").read_text())
        state = {"chain": specs["title"], "genesis": "0x" + specs["genesis_hash"], "specName": specs["name"], "specVersion": 1000,
                 "transactionVersion": 3, "metadata": {"14": "14.scale", "15": "15.scale"}, "finalized": 500, "nonces": {}, "submit": [],
                 "properties": {"ss58Format": 42, "tokenDecimals": specs["decimals"], "tokenSymbol": specs["unit"]},
                 "fee": 15_915_490_500, "balances": {KEY: {"free": 10 ** 13}}, "dryRun": "ok"}
        (work / "state.json").write_text(json.dumps(state))

    def fixture(self, *words):
        subprocess.run([self.binaries / "heliograph-fixture", *map(str, words)], check=True)

    def fetch(self, url):
        subprocess.run([self.binaries / "heliograph-hot", "fetch", url], env=self.environment, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def start(self, url, *words):
        command = [self.binaries / "heliograph-hot", "sign", "--network", "heliotest", "--signer", ALICE, "--call-hex", CALL, "--url", url,
                   *words]
        return subprocess.Popen([*map(str, command)], env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE)


def picture(desk, url, *words):
    """Milliseconds until the picture is there."""
    out = desk.work / "tx.apng"
    out.unlink(missing_ok=True)
    start = time.perf_counter()
    child = desk.start(url, "--out", out, *words)
    while not out.exists():
        if child.poll() is not None:
            sys.exit(f"bench-sign: {child.stderr.read().decode()}")
        time.sleep(0.002)
    taken = (time.perf_counter() - start) * 1000
    child.kill()
    child.communicate()
    return taken


def hostile(desk, method, shape, scheme, *words):
    """Seconds and megabytes until a hostile answer is refused."""
    with serving(desk.work / "state.json", "--fault", f"hostile-{shape}", "--fault-method", method) as port:
        start = time.perf_counter()
        child = desk.start(f"{scheme}://127.0.0.1:{port}", "--out", desk.work / "never.png", "--attempts", 1, "--timeout", 10, "--no-submit",
                           "--without-proof", *words)
        said = child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 74 or (desk.work / "never.png").exists():
        sys.exit(f"bench-sign: exit {child.returncode}: {said}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def configure(parser):
    """Takes the programs."""
    parser.add_argument("--bin", type=pathlib.Path, help="folder of heliograph-hot and heliograph-fixture (default: a release build, made first)")
    parser.add_argument("--runs", type=int, default=RUNS, help="runs until each picture (default: %(default)s)")


def run(options):
    """1 when a hostile answer costs more than its bound."""
    if not options.bin:
        build("heliograph-fixture", "-c", "release", *HOT)
    binaries = options.bin or build("heliograph-hot", "-c", "release", *HOT).parent
    print(f"cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f}, programs of {binaries}")
    worst = (0.0, 0.0)
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(binaries.resolve(), pathlib.Path(folder))
        with serving(desk.work / "state.json") as port:
            url = f"ws://127.0.0.1:{port}"
            desk.fetch(url)
            print(f"{'from `sign` to its picture, node in Python':52} {'median':>11} {'least':>11}")
            for name, words in {"without a metadata proof": ["--without-proof"], "with a metadata proof": [],
                                "with proof, dry run and claims": ["--dry-run", "--claims"]}.items():
                times = [picture(desk, url, *words) for _ in range(options.runs)]
                print(f"{name:52} {statistics.median(times):8.0f} ms {min(times):8.0f} ms", flush=True)
        print(f"{'30 MB from a hostile node (with its own time)':52} {'seconds':>11} {'memory':>11}")
        for method in ("state_getStorage", "state_call"):
            for shape in SHAPES:
                for scheme in ("http", "ws"):
                    cost = hostile(desk, method, shape, scheme, "--dry-run")
                    worst = tuple(map(max, worst, cost))
                    print(f"{f'{method}, {shape}, {scheme}':52} {cost[0]:9.2f} s {cost[1]:8.0f} MB", flush=True)
    print(f"{'at most':52} {worst[0]:9.2f} s {worst[1]:8.0f} MB, bounds {MOST_SECONDS} s and {MOST_MEGABYTES} MB")
    return 0 if worst[0] <= MOST_SECONDS and worst[1] <= MOST_MEGABYTES else 1
