"""The sizes of metadata proofs and of the transactions that carry them, on real metadata: leaves, bytes and QR codes.

The same proofs are computed by freeze/rfc78.py, which shares no code with the programs, and must have the same bytes. It chooses leaves as
polkadot-api's merkleize-metadata does, which is in no package that is installed here. Beside them stand the proofs of paritytech's
merkleized-metadata (in bittensor-core), which add every type of address and signature, and the frames of polkadot-js, 1024 bytes each. That peer
computes the digests, too, which must be the same. It reads version 15 only.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile

import bittensor_core

from ..common import HOT, build, shared_data
from ..freeze.rfc78 import Metadata, Reader, extra_info
from .hot import specs

ALICE = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
BOB = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
BOB_KEY = "0x8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"
HUB_GENESIS = "68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f"
TRANSFER = {"pallet": "Balances", "call": "transfer_keep_alive", "args": {"dest": BOB, "value": "15000000000"}}
NOMINATE = {"pallet": "Staking", "call": "nominate", "args": {"targets": [BOB] * 16}}


def teleport(pallet, parents, place, version="V4"):
    """A call that sends one DOT to Bob on another chain: at a place inside `parents`, or there itself."""
    def inside(junction):
        # From V4 on the junctions stand in an array.
        return {"X1": [junction] if version == "V4" else junction}

    native = {"parents": parents, "interior": "Here"}
    return {"pallet": pallet, "call": "limited_teleport_assets", "args": {
        "dest": {version: {"parents": parents, "interior": inside(place) if place else "Here"}},
        "beneficiary": {version: {"parents": 0, "interior": inside({"AccountId32": {"network": None, "id": BOB_KEY}})}},
        "assets": {version: [{"id": native if version == "V4" else {"Concrete": native}, "fun": {"Fungible": "10000000000"}}]},
        "fee_asset_item": 0, "weight_limit": "Unlimited"}}


BATCH = {"pallet": "Utility", "call": "batch_all", "args": {"calls": [TRANSFER] * 10}}
RELAY = {"transfer": TRANSFER, "batch of 10 transfers": BATCH, "nominate 16": NOMINATE,
         "teleport (XCM)": teleport("XcmPallet", 0, {"Parachain": 1000})}
OLD = {**RELAY, "teleport (XCM)": teleport("XcmPallet", 0, {"Parachain": 1000}, "V3")}
HUB = {**RELAY, "teleport (XCM)": teleport("PolkadotXcm", 1, None)}
# File: network, spec version, calls.
FILES = {"polkadot-2000000-v15": ("polkadot", 2_000_000, RELAY), "polkadot-rfc78-v15": ("polkadot", 1_001_002, OLD),
         "polkadot-2003000-v16": ("polkadot", 2_003_000, RELAY), "asset-hub-polkadot-2000000-v15": ("statemint", 2_000_000, HUB)}


class Desk:
    """A hot database with the metadata of one file."""

    def __init__(self, program, folder, blob, network, version):
        self.program, self.folder, self.network, self.version = program, folder, network, version
        if network == "statemint":
            (folder / "specs.json").write_text(specs(network, "Asset Hub", 0, 10, "DOT", HUB_GENESIS))
            self.hot("import", folder / "specs.json")
        self.hot("import", blob, "--network", network)
        self.blob = blob.read_bytes()
        self.metadata = Metadata(self.blob)

    def hot(self, *words):
        run = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True,
                             env={**os.environ, "HELIOGRAPH_HOT": str(self.folder / "db")})
        if run.returncode:
            raise SystemExit(f"bench-proofs: {run.stderr}")
        return run

    def transaction(self, call, *words):
        """Payload bytes, and how many codes they are drawn in."""
        (self.folder / "call.json").write_text(json.dumps(call))
        words = ["make", "transaction", "--network", self.network, "--signer", ALICE, "--call", self.folder / "call.json", "--nonce", 7, "--era", 64,
                 "--block-number", 1234, "--block-hash", "22" * 32, *words]
        self.hot(*words, "--out", self.folder / "out.bin")
        return (self.folder / "out.bin").read_bytes()

    def codes(self, payload):
        (self.folder / "payload.bin").write_bytes(payload)
        return int(re.search(r" in (\d+) QR code", self.hot("qr", "--hex", f"@{self.folder / 'payload.bin'}", "--out", self.folder / "p.png").stderr)[1])

    def peer(self, bare, extensions, whole):
        """Bytes of the peer's proof, which are those of the other choice of leaves; None for metadata that it does not read."""
        if self.blob[4] != 15:
            return None
        r = Reader(extensions)
        for _, explicit, _ in self.metadata.extensions:
            self.metadata.use(r, explicit, set())
        info = self.version, self.network, 0, 10, "DOT"
        assert bittensor_core.metadata_digest(self.blob, *info) == self.metadata.digest(extra_info(*info)), "the peer has another digest"
        proof = bytes(bittensor_core.generate_extrinsic_proof(bare, extensions[:r.at], extensions[r.at:], self.blob, *info))
        assert proof == whole, "the peer chooses other leaves"
        return len(proof)

    def measure(self, call):
        """Leaves, bytes of the proof, bytes of the peer's, bytes of the payload, codes."""
        plain = self.transaction(call, "--without-proof")
        r = Reader(plain[35:])
        bare, tail = r.take(r.compact()), plain[35:]
        extensions = r.data[r.at:-32]
        if any(name == b"CheckMetadataHash" for name, _, _ in self.metadata.extensions):
            # A database without V15 makes a proof from V16 only when it is told to.
            payload = self.transaction(call, "--with-proof")
            # The mode becomes 1, and the absent hash 33 bytes.
            proof = payload[35:len(payload) - len(tail) - 32]
            extensions = payload[-32 - len(extensions) - 32:-32]
        else:
            # A runtime of before: the proof stands in front of what is signed without a hash.
            said = self.hot("proof", self.network, "--call-hex", bare.hex(), "--extensions-hex", extensions.hex()).stdout
            proof = bytes.fromhex(said.strip())
            payload = plain[:2] + b"\x06" + plain[3:35] + proof + tail
        info = extra_info(self.version, self.network, 0, 10, "DOT")
        assert proof == self.metadata.proof(bare, extensions, info), "the two programs disagree"
        whole = self.metadata.proof(bare, extensions, info, whole=True)
        return Reader(proof).compact(), len(proof), self.peer(bare, extensions, whole), len(payload), self.codes(payload)


def configure(parser):
    """Takes the folder of the hot programs."""
    parser.add_argument("--bin", type=pathlib.Path, help="folder of heliograph-hot (default: a release build)")


def run(options):
    """Prints a line for each call on each metadata."""
    data = shared_data()
    if not data.is_dir():
        print("skipped: no shared data")
        return
    program = (options.bin or build("heliograph-hot", "-c", "release", *HOT).parent).resolve() / "heliograph-hot"
    print(f"{'':31} {'call':22} {'leaves':>7} {'proof':>7} {'parity':>8} {'payload':>8} {'codes':>6} {'polkadot-js':>12}")
    for file, (network, version, calls) in FILES.items():
        for name, call in calls.items():
            with tempfile.TemporaryDirectory() as folder:
                desk = Desk(program, pathlib.Path(folder), data / f"metadata/{file}.scale", network, version)
                leaves, proof, peer, payload, codes = desk.measure(call)
            print(f"{file:31} {name:22} {leaves:7} {proof:7,} {peer and f'{peer:,}' or '-':>8} {payload:8,} {codes:6} {-(-payload // 1024):12}", flush=True)
