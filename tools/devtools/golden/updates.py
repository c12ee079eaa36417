"""Freezes the payloads of fixtures/updates: what one verifier signs of the fixture network, in every form, and a transfer of an asset.

The verifier is //verifier of the public development phrase, ed25519, whose signatures are
the same each time.
"""
import json
import os
import pathlib
import subprocess
import tempfile

from ..common import ALICE_ADDRESS, BOB_ADDRESS, FIXTURES, folders
from ..offline import PHRASE, Signer

OUT = FIXTURES / "updates"
NETWORK = "heliotest"
ASSETS = [{"pallet": "Assets", "id": "1984", "symbol": "USDt", "decimals": 6}]
TRANSFER = {"pallet": "Assets", "call": "transfer",
            "args": {"id": "1984", "target": BOB_ADDRESS, "amount": "12345678"}}


class Desk:
    def __init__(self, hot, cold, work):
        self.hot_folder, self.work = hot, work
        self.cold = Signer(cold, work + "/vault")
        self.environment = {**os.environ, "HELIOGRAPH_HOT": work + "/hot", "PATH": f"{cold}:{os.environ['PATH']}"}

    def path(self, name):
        return f"{self.work}/{name}"

    def run(self, *words, **options):
        return subprocess.run(list(words), check=True, capture_output=True, text=True, env=self.environment, **options).stdout

    def hot(self, *words):
        return self.run(f"{self.hot_folder}/heliograph-hot", *words)

    def fixture(self, *words):
        return self.run(f"{self.hot_folder}/heliograph-fixture", *words)

    def made(self, *words):
        """The bytes of what `make` writes."""
        self.hot("make", *words, "--out", self.path("made.hex"))
        return bytes.fromhex(pathlib.Path(self.path("made.hex")).read_text().strip())

    def know(self, *form):
        """Takes the fixture network, whose metadata has this form."""
        self.fixture("specs", "--out", self.path("specs.json"))
        self.fixture("metadata", *form, "--out", self.path("metadata.scale"))
        self.hot("import", self.path("specs.json"))
        self.hot("import", self.path("metadata.scale"), "--network", NETWORK)
        return self


def prepare(desk):
    desk.know()
    pathlib.Path(desk.path("assets.json")).write_text(json.dumps(ASSETS))
    pathlib.Path(desk.path("call.json")).write_text(json.dumps(TRANSFER))
    desk.cold.make("--networks", "none", "--verifier", "none")
    desk.cold.must("seed", "restore", "verifier", phrase=PHRASE)
    desk.cold.must("key", "derive", "verifier", "//verifier", "--scheme", "ed25519")
    return desk.cold.json("key", "list")[1]["keys"][0]["address"]


configure = folders


def run(options):
    hot, cold = options.hot, options.cold
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        desk = Desk(hot, cold, work)
        key = prepare(desk)
        assets = ["load-assets", NETWORK, "--assets", desk.path("assets.json"), "--serial", "1"]
        updates = {"specs": ["add-specs", NETWORK], "metadata": ["load-metadata", NETWORK], "assets": assets}
        for subject, words in updates.items():
            unsigned, answer = desk.path(subject + ".hex"), desk.path(subject + ".png")
            desk.hot("make", *words, "--out", unsigned)
            desk.cold.must("scan", "--hex", "@" + unsigned, "--approve")
            sufficient = desk.cold.json("attest", subject, NETWORK, "--approve", "--key", key, "--out", answer)[1]["sufficient"]
            desk.hot("make", *words, "--sufficient", sufficient, "--out", str(OUT / f"{subject}.hex"))
            if subject == "metadata":
                desk.hot("make", *words, "--compressed", "--sufficient", sufficient, "--out", str(OUT / "metadata-compressed.hex"))
                desk.hot("make", *words, "--compressed", "--unsigned", "--out", str(OUT / "metadata-compressed-unsigned.hex"))
        desk.hot("make", "transaction", "--network", NETWORK, "--signer", ALICE_ADDRESS, "--call", desk.path("call.json"), "--without-proof", "--nonce", "7",
                 "--era", "immortal", "--out", str(OUT / "asset-transfer.hex"))

