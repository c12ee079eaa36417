"""Freezes fixtures/state/kinds, which `decode-peer` makes, and transfer.hex beside it: a transfer on Polkadot with its metadata proof, behind a
proof of what the chain held for both accounts.

Runtime and metadata are the fixture network's under Polkadot's name and genesis hash; the state is 202 accounts, the runtime and the time, of which the
online program knows nothing: header, nodes and their order are made here.
"""
import hashlib
import json
import pathlib
import subprocess
import tempfile

from ..common import ALICE_ADDRESS, BOB, FIXTURES, compact, folders, string
from ..hot_states import LAYOUTS, MOMENT
from ..hot_world import ALICE
from ..state_trie import Trie, blake2, header, nibbles
from .updates import Desk

RUNTIME = ["--name", "polkadot", "--spec-version", "2003000", "--prefix", "0",
           "--genesis", "91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3"]
UNIT = {"unit": "DOT", "decimals": 10}
BLOCK = 28_123_456
# Balances.transfer_keep_alive of 12 DOT.
TRANSFER = bytes([5, 3, 0]) + BOB + bytes([7]) + (120_000_000_000).to_bytes(5, "little")


def state():
    values = LAYOUTS.runtime("polkadot", 2003000) | LAYOUTS.time(MOMENT)
    for number in range(200):
        values |= LAYOUTS.account(hashlib.sha256(bytes([number])).digest(), free=number)
    values |= LAYOUTS.account(ALICE.public_key, nonce=866, free=124_649_218_584_571, reserved=114_930_837_313_281, frozen=68_716_999_295_906)
    return Trie(values | LAYOUTS.account(BOB, free=10 ** 10))


def walked(trie, keys):
    """Nodes and values in the order in which these keys ask for them, each once."""
    seen = {}
    for key in map(nibbles, keys):
        # The path to a node is shorter than that to its value.
        for _, place in sorted((len(path), place) for path, place in trie.places if key[:len(path)] == path):
            seen.setdefault(place, trie.nodes[place])
    return list(seen.values())


configure = folders


def run(options):
    kinds = FIXTURES / "state/kinds"
    kinds.mkdir(exist_ok=True)
    subprocess.run([pathlib.Path(options.cold) / "decode-peer", "states", kinds], check=True)
    trie = state()
    block = header(BLOCK, trie.root)[1]
    accounts = sorted([ALICE.public_key, BOB])
    keys = [LAYOUTS.key("System.LastRuntimeUpgrade"), LAYOUTS.key("Timestamp.Now"), *(LAYOUTS.key("System.Account", one) for one in accounts)]
    nodes = walked(trie, keys)
    with tempfile.TemporaryDirectory() as work:
        desk = Desk(options.hot, options.cold, work)
        desk.fixture("specs", *RUNTIME, "--out", desk.path("specs.json"))
        specs = pathlib.Path(desk.path("specs.json"))
        specs.write_text(json.dumps(json.loads(specs.read_text()) | UNIT))
        desk.fixture("metadata", *RUNTIME, "--version", "15", "--out", desk.path("metadata.scale"))
        desk.hot("import", desk.path("specs.json"))
        desk.hot("import", desk.path("metadata.scale"))
        transfer = desk.made("transaction", "--network", "polkadot", "--signer", ALICE_ADDRESS, "--call-hex", TRANSFER.hex(), "--with-proof",
                             "--nonce", "866", "--era", "256", "--block-number", str(BLOCK), "--block-hash", "0x" + blake2(block).hex())
    items = b"".join(b"\x02" + one for one in accounts)
    proof = string(block) + compact(len(accounts)) + items + compact(0) + compact(len(nodes)) + b"".join(map(string, nodes))
    payload = transfer[:2] + b"\xa8\0" + proof + transfer
    (FIXTURES / "state/transfer.hex").write_text(payload.hex() + "\n")
