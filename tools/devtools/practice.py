"""Makes what a first signature needs: a network to practise on, whose runtime is the source in fixtures/FixtureRuntime.

    tools/dev practice FOLDER                    specs.png and metadata.png, signed by a verifier that is made for them and thrown away
    tools/dev practice FOLDER --pay ADDRESS      transaction.png: that account sends 1.5 HLO to //Bob of the development phrase
                                                 (--without-proof: without a metadata proof)
    tools/dev practice FOLDER --check PICTURE    reads the answer, verifies its signature, and prints the signed transaction

The programs are built first, which takes minutes once; --programs names the folders of built ones.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from .common import BOB_ADDRESS, HOT, SHIPPED, build, serving
from .offline import Signer

NETWORK = "heliotest"
PROGRAMS = (("heliograph", "heliograph-scanner"), ("heliograph-hot", "heliograph-fixture"))
CALL = {"pallet": "Balances", "call": "transfer_keep_alive", "args": {"dest": BOB_ADDRESS, "value": "1500000000000"}}


def configure(parser):
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--programs", nargs=2, type=pathlib.Path, metavar=("COLD", "HOT"), help="folders of the built programs")
    parser.add_argument("--pay", metavar="ADDRESS", help="make a transaction of this account")
    parser.add_argument("--without-proof", action="store_true", help="make that transaction without a metadata proof")
    parser.add_argument("--check", type=pathlib.Path, metavar="PICTURE", help="read the answer to that transaction")


def call(*words, say=False, **options):
    """Runs a program quietly. What it says is shown when it fails, and its standard error always with `say`."""
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}practice: failed: {' '.join(map(str, words))}")
    if say:
        print(done.stderr, end="", file=sys.stderr, flush=True)
    return done.stdout


class Practice:
    """The folder, the programs, and the online side's database in it."""

    def __init__(self, folder, cold, hot):
        self.folder, self.cold, self.hot = folder.resolve(), cold.resolve(), hot.resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        # The online program finds the scanner on PATH.
        self.environment = {**os.environ, "HELIOGRAPH_HOT": str(self.folder / "hot"), "PATH": f"{self.cold}:{os.environ['PATH']}"}

    def online(self, *words, say=False):
        return call(self.hot / "heliograph-hot", *words, say=say, env=self.environment)

    def publish(self):
        """Writes what the node serves."""
        for name, words in {"specs.json": ["specs"], "metadata-14.scale": ["metadata"], "metadata-15.scale": ["metadata", "--version", "15"]}.items():
            call(self.hot / "heliograph-fixture", *words, "--name", NETWORK, "--out", self.folder / name)
        specs = json.loads((self.folder / "specs.json").read_text())
        state = {
            "chain": specs["title"], "genesis": "0x" + specs["genesis_hash"], "specName": specs["name"], "specVersion": 1000, "transactionVersion": 3,
            "properties": {"ss58Format": specs["base58prefix"], "tokenDecimals": specs["decimals"], "tokenSymbol": specs["unit"]},
            "metadata": {"14": "metadata-14.scale", "15": "metadata-15.scale"}, "finalized": 1000, "nonces": {},
            "submit": ["ready", {"inBlock": "0x" + "11" * 32}, {"finalized": "0x" + "11" * 32}],
        }
        (self.folder / "node.json").write_text(json.dumps(state))

    def attest(self, *contents):
        """Has each of the unsigned pictures attested by a verifier's vault, which is removed afterwards."""
        with tempfile.TemporaryDirectory() as vault:
            verifier = Signer(self.cold, vault).make("--networks", "none", "--verifier", "none")
            verifier.must("seed", "new", "verifier")
            for content in contents:
                verifier.must("scan", self.folder / f"{content}-unsigned.png", "--approve")
            verifier.must("key", "derive", "verifier", "//verifier", "--network", NETWORK)
            key = verifier.json("key", "list")[1]["keys"][0]
            for content in contents:
                verifier.must("attest", content, NETWORK, "--key", key["address"], "--approve", "--out", self.folder / f"{content}-attestation.png")
            return key["public_key"].removeprefix("0x"), key["address"]

    def make(self):
        self.publish()
        # Format 15 has the digest that a proof leads to, so it vouches for one.
        kinds = {"specs": ["add-specs"], "metadata": ["load-metadata", "--format", "15"]}
        with serving(self.folder / "node.json") as url:
            self.online("fetch", url, "--name", NETWORK)
        for content, kind in kinds.items():
            self.online("make", *kind, NETWORK, "--out", self.folder / f"{content}-unsigned.png")
        key = self.attest(*kinds)
        for content, kind in kinds.items():
            self.online("make", *kind, NETWORK, "--sufficient", self.folder / f"{content}-attestation.png", "--out", self.folder / f"{content}.png")
        return key

    def pay(self, address, *options):
        """A picture of a transaction of this account, and the same as hex."""
        (self.folder / "call.json").write_text(json.dumps(CALL))
        words = ["make", "transaction", "--network", NETWORK, "--signer", address, "--call", self.folder / "call.json", "--nonce", "0", *options]
        with serving(self.folder / "node.json") as url:
            self.online(*words, "--url", url, "--out", self.folder / "transaction.hex")
        (self.folder / "transaction.png").unlink(missing_ok=True)
        self.online("qr", "--hex", f"@{self.folder / 'transaction.hex'}", "--out", self.folder / "transaction.png")

    def check(self, picture):
        """The signed transaction, once its signature is verified."""
        return self.online("read", picture.resolve(), "--payload", self.folder / "transaction.hex", say=True)


def run(options):
    for folder, names in zip(options.programs or [], PROGRAMS):
        missing = [name for name in names if not (folder / name).exists()]
        if missing:
            raise SystemExit(f"practice: {folder} has no {' and no '.join(missing)}: build it, or leave out --programs")
    cold, hot = options.programs or (build("heliograph", *SHIPPED).parent, build("heliograph-hot", *HOT).parent)
    if not options.programs:
        build("heliograph-scanner", *SHIPPED)
        build("heliograph-fixture", *HOT)
    practice = Practice(options.folder, cold, hot)
    if options.pay:
        practice.pay(options.pay, *["--without-proof"] * options.without_proof)
        print(f"{options.folder}/transaction.png, from:\n  {options.pay}\nsends 1.5 HLO to:\n  {BOB_ADDRESS}")
    elif options.check:
        print(practice.check(options.check), end="")
    else:
        key, address = practice.make()
        print(f"{options.folder}/specs.png, {options.folder}/metadata.png: the network {NETWORK}, attested by:\n  {key}\n  {address}")
        print(f"the programs:\n  export PATH={cold.resolve()}:$PATH")
    return 0
