"""Freezes the payloads of fixtures/updates: what one verifier signs of the fixture network, in every form, and a transfer of an asset.

The verifier is //verifier of the public development phrase, ed25519, whose signatures are
the same each time.
"""
import json
import os
import pathlib
import subprocess
import tempfile

from ..common import FIXTURES, folders, secret_lines

OUT = FIXTURES / "updates"
NETWORK = "heliotest"
PHRASE = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
ALICE = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
ASSETS = [{"pallet": "Assets", "id": "1984", "symbol": "USDt", "decimals": 6}]
TRANSFER = {"pallet": "Assets", "call": "transfer",
            "args": {"id": "1984", "target": "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty", "amount": "12345678"}}


class Desk:
    def __init__(self, hot, cold, work):
        self.hot_folder, self.cold_folder, self.work = hot, cold, work
        self.environment = {**os.environ, "HELIOGRAPH_HOT": work + "/hot", "PATH": cold + ":" + os.environ["PATH"]}

    def path(self, name):
        return f"{self.work}/{name}"

    def run(self, *words, **options):
        return subprocess.run(list(words), check=True, capture_output=True, text=True, env=self.environment, **options).stdout

    def hot(self, *words):
        return self.run(self.hot_folder + "/heliograph-hot", *words)

    def cold(self, *words, **secrets):
        """One command on the verifier's vault; each secret goes through a descriptor."""
        lines = {f"--{name}-fd": line for name, line in {"passphrase": "frozen", **secrets}.items()}
        with secret_lines(lines) as (options, descriptors):
            return self.run(self.cold_folder + "/heliograph", *words, "--vault", self.path("vault"), *options, pass_fds=descriptors)


def prepare(desk):
    fixture = desk.hot_folder + "/heliograph-fixture"
    desk.run(fixture, "specs", "--out", desk.path("specs.json"))
    desk.run(fixture, "metadata", "--out", desk.path("metadata.scale"))
    pathlib.Path(desk.path("assets.json")).write_text(json.dumps(ASSETS))
    pathlib.Path(desk.path("call.json")).write_text(json.dumps(TRANSFER))
    desk.hot("import", desk.path("specs.json"))
    desk.hot("import", desk.path("metadata.scale"), "--network", NETWORK)
    desk.cold("init", "--networks", "none", "--verifier", "none", "--allow-online", "--kdf-cost", "test")
    desk.cold("seed", "restore", "verifier", phrase=PHRASE)
    desk.cold("key", "derive", "verifier", "//verifier", "--scheme", "ed25519")
    return json.loads(desk.cold("key", "list", "--json"))["keys"][0]["address"]


configure = folders


def run(options):
    """Writes every file."""
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
            desk.cold("scan", "--hex", "@" + unsigned, "--approve")
            sufficient = json.loads(desk.cold("attest", subject, NETWORK, "--approve", "--key", key, "--out", answer, "--json"))["sufficient"]
            desk.hot("make", *words, "--sufficient", sufficient, "--out", str(OUT / f"{subject}.hex"))
            if subject == "metadata":
                desk.hot("make", *words, "--compressed", "--sufficient", sufficient, "--out", str(OUT / "metadata-compressed.hex"))
                desk.hot("make", *words, "--compressed", "--unsigned", "--out", str(OUT / "metadata-compressed-unsigned.hex"))
        desk.hot("make", "transaction", "--network", NETWORK, "--signer", ALICE, "--call", desk.path("call.json"), "--without-proof", "--nonce", "7",
                 "--era", "immortal", "--out", str(OUT / "asset-transfer.hex"))

