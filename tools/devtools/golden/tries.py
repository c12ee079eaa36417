"""Freezes fixtures/state/light-client.json: whole states with the hash of the first block that smoldot makes of them, and a proof in Kusama's first state.

The states are from a fixed seed. Kusama's is whole in its published chain specification, in PyPI's substrate-interface; some of its keys, and keys that are not
there, are proven under its root, which smoldot must find, too.
"""
import json
import random

from ..common import FIXTURES
from ..light_client import CODE, KUSAMA, LightClient, asked, first_block, hostile, kusama, values
from ..state_trie import Trie

STATES, KEYS = 24, 6
SOURCE = "the chain specification of Kusama in PyPI's substrate-interface 1.8.1; its root and genesis hash by smoldot-light 0.1.0"


def frozen_state(client, version, state):
    return {"version": version, "pairs": {key.hex(): value.hex() for key, value in state.items()}, "genesis": client.first_block(state)}


def frozen_kusama(client, rng):
    state = values(kusama())
    # One key of each of so many entries, whose prefixes are 16 bytes and more.
    entries = {key[:16]: key for key in sorted(state) if len(state[key]) < 200}
    trie, keys = Trie(state, 0), asked(rng, {key: state[key] for key in entries.values()}, KEYS)
    assert client.genesis(client.relay) == first_block(trie.root) == KUSAMA and CODE not in keys
    reads = [[key.hex(), state[key].hex() if key in state else None] for key in keys]
    return {"name": "kusama-genesis", "source": SOURCE, "genesis": KUSAMA, "state_root": trie.root.hex(), "nodes": [one.hex() for one in trie.proof(keys)],
            "reads": reads}


def run(_):
    rng, client = random.Random(32), LightClient()
    states = [frozen_state(client, place % 2, hostile(rng, place % 2, rng.choice([0, 1, 2, 4, 12]))) for place in range(STATES)]
    proof = json.dumps(frozen_kusama(client, rng))
    lines = ["{", ' "states": [', ",\n".join("  " + json.dumps(state) for state in states), " ],", f' "proof": {proof}', "}", ""]
    (FIXTURES / "state/light-client.json").write_text("\n".join(lines))
    return 0
