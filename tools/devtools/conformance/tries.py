"""Compares tries and proofs with smoldot, a light client in Rust that shares no code with this repository.

smoldot hashes the whole state of Kusama's first block, as its published chain specification has it, and whole states made here, of both versions: with keys
that are hostile to a trie, and with as many keys as a young chain has. From the hash of the first block, which it answers, follows the root; with the same root
every node is the same one, since each is named by its hash. The trie of `tools/devtools/state_trie.py` and that of the Swift tests must have that root, and the
verifier must read from it each key that is there, and that others are not there.
"""
import subprocess
import tempfile

from ..common import SHIPPED, build
from ..light_client import CODE, KUSAMA, LightClient, asked, crowded, first_block, hostile, kusama, values
from ..state_trie import Trie
from . import case_options, generator


def configure(parser):
    case_options(parser, 200, "states with hostile keys")
    parser.add_argument("--large", type=int, default=10_000, help="keys of the two large states (default: %(default)s)")


def words(parts):
    """Byte strings as one field; an empty one is seen, too."""
    return ",".join("." + part.hex() for part in parts)


class Verifier:
    """The Swift side, which answers a line of fields with another."""

    def __init__(self):
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([build("decode-peer", *SHIPPED), "tries"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)

    def ask(self, *fields):
        self.process.stdin.write("\t".join(fields) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip("\n")

    def root(self, version, state):
        """The root of the trie that the Swift tests build."""
        return self.ask("root", str(version), words(state), words(state.values()))

    def reads(self, trie, state, keys):
        """Whether it reads what the dictionary says, and refuses the same nodes without the last one and with one more."""
        nodes = trie.proof(keys)
        expected = ",".join("." + state[key].hex() if key in state else "-" for key in keys)
        found = self.ask("read", trie.root.hex(), words(keys), words(nodes))
        assert found == expected, (trie.root.hex(), [key.hex() for key in keys], found)
        return len(nodes)


def agree(client, verifier, version, state, keys):
    """Compares one state, and returns how many nodes its proof had."""
    trie = Trie(state, version)
    theirs = client.first_block(state)
    assert first_block(trie.root) == theirs, f"version {version}: another root than smoldot's: {sorted(key.hex() for key in state)}"
    root = verifier.root(version, state)
    assert root == trie.root.hex(), f"version {version}: the trie of the Swift tests has another root: {sorted(key.hex() for key in state)}"
    return verifier.reads(trie, state, keys)


def run(options):
    rng = generator(options.seed)
    client, verifier = LightClient(), Verifier()
    state = values(kusama())
    trie = Trie(state, 0)
    assert client.genesis(client.relay) == first_block(trie.root) == KUSAMA
    # No proof carries the runtime of more than a megabyte: its node alone is above the limit.
    keys = sorted(state.keys() - {CODE})
    nodes = verifier.reads(trie, state, keys) + verifier.reads(trie, state, asked(rng, state, 300))
    print(f"Kusama's first state: {len(state)} keys, the genesis hash, {nodes} nodes read")
    nodes = sum(agree(client, verifier, version, state, asked(rng, state, 40))
                for version, state in ((place % 2, hostile(rng, place % 2, rng.choice([0, 1, 2, 4, 12, 60]))) for place in range(options.count)))
    print(f"{options.count} states with hostile keys, {nodes} nodes read")
    for version in (0, 1):
        state = crowded(rng, version, options.large)
        nodes = agree(client, verifier, version, state, asked(rng, state, 300))
        print(f"state version {version}: {len(state)} keys, {nodes} nodes read")
    verifier.process.stdin.close()
    assert verifier.process.wait() == 0
    print(f"smoldot agrees on {options.count + 3} whole states")
    return 0
