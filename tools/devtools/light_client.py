"""What another program makes of a whole state: smoldot, the light client that PyPI's smoldot-light carries, hashes the state of a chain's first block itself.

It has no network here: a chain is told to it with all its keys and without any peer, and it answers the hash of the first block. That hash fixes the root of
the state, and so every byte of every node. The layout of its tries is the version that the runtime of the state names.
"""
import json
import pkgutil
import time

import wasmtime
from smoldot_light import SmoldotClient

from .common import compact, string
from .state_trie import blake2

KUSAMA = "b0a8d493285c2df73290dfb7e61f870f17b41801197a149ca93654499ea3dafe"
CODE = b":code"
PATIENCE = 60


def kusama():
    """The published chain specification of Kusama with the whole state of its first block, from PyPI's substrate-interface; without peers and later blocks."""
    found = json.loads(pkgutil.get_data("substrateinterface", "data/chainspecs/kusama.json"))
    return {**found, "bootNodes": [], "telemetryEndpoints": None, "lightSyncState": None}


def values(specification):
    """Key → value of a chain's first state."""
    return {bytes.fromhex(key[2:]): bytes.fromhex(value[2:]) for key, value in specification["genesis"]["raw"]["top"].items()}


def section(name, data):
    """A section of a module's own. Their lengths are below 128, so one byte each."""
    body = bytes([len(name)]) + name + data
    assert len(body) < 128
    return bytes([0, len(body)]) + body


def runtime(version):
    """The smallest runtime that says which version of the state it has: no function, and a memory."""
    module = wasmtime.wat2wasm('(module (memory (export "memory") 1) (global (export "__heap_base") i32 (i32.const 1024)))')
    one = (1).to_bytes(4, "little")
    says = string("tries") * 2 + one * 3 + compact(0) + one + bytes([version])
    core = bytes.fromhex("df6acb689907609b") + (4).to_bytes(4, "little")
    return bytes(module) + section(b"runtime_version", says) + section(b"runtime_apis", core)


def first_block(root):
    """The hash of a chain's first block: no parent, the number 0, no transactions, no digest."""
    return blake2(bytes(32) + b"\0" + root + blake2(b"\0") + b"\0").hex()


class LightClient:
    """smoldot, with Kusama as the relay chain of every other chain that it is told: of a parachain it asks for no consensus."""

    def __init__(self):
        self.client, self.count = SmoldotClient(), 0
        self.relay = self.client.add_chain(json.dumps(kusama()))

    def genesis(self, chain):
        self.client.json_rpc_request(chain, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "chainSpec_v1_genesisHash", "params": []}))
        end = time.monotonic() + PATIENCE
        while not (answers := self.client.drain_responses(chain, max=1)):
            assert time.monotonic() < end, "smoldot does not answer"
            time.sleep(0.002)
        return json.loads(answers[0])["result"][2:]

    def first_block(self, state):
        """The hash of the first block of a chain with this state, in which stands the code of `runtime`."""
        self.count += 1
        top = {"0x" + key.hex(): "0x" + value.hex() for key, value in state.items()}
        name = f"tries-{self.count}"
        return self.genesis(self.client.add_chain(json.dumps({
            "name": name, "id": name, "chainType": "Local", "bootNodes": [], "properties": {}, "relay_chain": "ksmcc3", "para_id": 2000 + self.count,
            "codeSubstitutes": {}, "genesis": {"raw": {"top": top, "childrenDefault": {}}}}), relay_chain_ids=[self.relay]))


# MARK: States

# Around the lengths at which the length of a partial key or of a value takes another form.
NIBBLES = [1, 2, 13, 14, 15, 16, 29, 30, 31, 32, 61, 62, 63, 64, 270, 271, 285, 286, 317, 318, 319]
LENGTHS = [0, 1, 20, 30, 31, 32, 33, 34, 63, 64, 65, 300]


def hostile(rng, version, count):
    """A state of about so many keys that share long beginnings, end inside each other, or differ in few nibbles."""
    alphabet = rng.choice([bytes(range(256)), b"\x00\x01\x10\x11", b"\x00\xff", b"\x3a"])
    state, known = {CODE: runtime(version)}, [b""]
    for _ in range(count):
        length = (rng.choice(NIBBLES) + 1) // 2 if rng.random() < 0.5 else rng.randrange(6)
        grown = rng.choice(known)[:rng.choice([0, 1, 2, 64, 256])] + bytes(rng.choice(alphabet) for _ in range(length))
        key = grown[:256]
        if key != CODE:
            known.append(key)
            state[key] = rng.randbytes(rng.choice(LENGTHS))
    return state


def crowded(rng, version, count):
    """A state as a chain has it: few prefixes of 32 bytes, and behind them thousands of keys with their hash in front."""
    prefixes = [rng.randbytes(32) for _ in range(5)]
    state = {CODE: runtime(version), **{rng.randbytes(32): rng.randbytes(rng.choice(LENGTHS)) for _ in range(40)}}
    for _ in range(count):
        state[rng.choice(prefixes) + rng.randbytes(rng.choice([24, 40, 48]))] = rng.randbytes(rng.choice([16, 32, 33, 80]))
    return state


def asked(rng, state, count):
    """Keys to prove: some that are there, and some that are not: longer, shorter, or different at the end."""
    there = sorted(key for key in state if key != CODE)
    found = rng.sample(there, min(count, len(there)))
    for key in list(found):
        other = rng.choice([key + b"\0", key[:-1], key[:-1] + bytes([key[-1] ^ rng.choice([1, 16])]) if key else b"\0"])
        found.append(other[:256])
    return sorted(set(found))
