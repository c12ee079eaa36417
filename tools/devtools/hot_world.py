"""The world of a law of heliograph-hot: a chain, its node and a database in one folder."""
import contextlib
import json
import os
import pathlib
import subprocess
import tempfile

from substrateinterface import Keypair

from .common import ROOT, compact, dev

ALICE = Keypair.create_from_uri("//Alice")
# A transaction of Alice, but for its call.
MAKE = ["make", "transaction", "--network", "heliotest", "--signer", ALICE.ss58_address]
# Signs updates; signatures by development keys such as //Alice are not kept.
VERIFIER = Keypair.create_from_uri("//a verifier")
LAWS = []


def law(function):
    """A function that `tools/dev hot-laws` calls in a world of its own."""
    LAWS.append(function)
    return function


def of_hosts(function):
    """Marks a law whose nodes are on several hosts: it runs in a network namespace where this machine has their addresses."""
    function.has_hosts = True
    return function


class World:
    """One folder with a chain, its node and a hot database."""

    bin = ROOT / "tools/hot/.build/debug"

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.nodes = []
        self.database = self.folder / "db"
        self.other_chain("chain")
        self.runtime(1000)

    def runtime(self, version, formats=("14", "15"), words=(), **changes):
        """Lets the chain run a version, whose metadata its node has in these formats; `words` change the runtime."""
        def fixture(*words):
            return subprocess.run([self.bin / "heliograph-fixture", *words], check=True)
        fixture("specs", "--out", self.chain / "specs.json")
        for metadata in formats:
            fixture("metadata", "--version", metadata, "--spec-version", str(version), *words, "--out", self.chain / f"{metadata}.scale")
        specs = json.loads((self.chain / "specs.json").read_text())
        self.specs = specs
        self.state = {
            "chain": specs["title"], "genesis": "0x" + specs["genesis_hash"], "specName": specs["name"], "specVersion": version,
            "transactionVersion": 3, "metadata": {name: f"{name}.scale" for name in formats}, "finalized": 500, "nonces": {}, "submit": [],
            "properties": {"ss58Format": specs["base58prefix"], "tokenDecimals": specs["decimals"], "tokenSymbol": specs["unit"]}}
        self.set(**changes)

    def set(self, **changes):
        self.state.update(changes)
        partial = self.chain / "state.part"
        partial.write_text(json.dumps(self.state))
        partial.replace(self.chain / "state.json")

    def node(self, *words, scheme="ws"):
        node = subprocess.Popen(dev("stand-in-node", "--state", self.chain / "state.json", *words), stdout=subprocess.PIPE)
        self.nodes.append(node)
        return f"{scheme}://localhost:{node.stdout.readline().split()[0].decode()}"

    def certificates(self):
        """A folder with an authority and what it certified."""
        folder = self.folder / "tls"
        subprocess.run(dev("stand-in-node", "--make-certificates", folder), check=True)
        return folder

    @property
    def environment(self):
        return {**os.environ, "HELIOGRAPH_HOT": str(self.database)}

    def hot(self, *words, code=0):
        """A command of heliograph-hot, which must end with this code."""
        run = subprocess.run([self.bin / "heliograph-hot", *map(str, words)], env=self.environment, capture_output=True, text=True, timeout=300)
        assert run.returncode == code, f"{words}: exit {run.returncode}, not {code}: {run.stderr}"
        return run

    def says(self, texts, *words, code=0):
        """A command that says each of these texts."""
        run = self.hot(*words, code=code)
        for text in [texts] if isinstance(texts, str) else texts:
            assert text in run.stderr, f"{words}: {text!r} is not in {run.stderr}"
        return run

    def refuses(self, texts, *words, code=1):
        """A command that says each of these texts and has no result."""
        run = self.says(texts, *words, code=code)
        assert not run.stdout, f"{words}: {run.stdout}"

    def json(self, *words):
        return json.loads(self.hot(*words, "--json").stdout)

    def start(self, *words, environment=None, **options):
        words = [self.bin / "heliograph-hot", *map(str, words)]
        return subprocess.Popen(words, env=self.environment | (environment or {}), **options)

    def known(self):
        """Lets the database know the network and its metadata from files."""
        self.hot("import", self.chain / "specs.json")
        self.hot("import", self.chain / "14.scale")

    def made(self, *words, out="made.hex"):
        """The bytes of what `make` writes."""
        self.hot("make", *words, "--out", self.folder / out)
        data = (self.folder / out).read_bytes()
        return bytes.fromhex(data.decode().strip()) if out.endswith(".hex") else data

    def other_chain(self, name):
        """From here on the chain is another one, in a folder of its own."""
        self.chain = self.folder / name
        self.chain.mkdir()

    def only_heliotest(self):
        for name in ("polkadot", "kusama", "westend"):
            self.hot("network", "remove", name)

    def close(self):
        for node in self.nodes:
            node.kill()
            node.wait()


def publish(world, words, name):
    """Makes an update twice, unsigned and signed, into a file of this name; the hot database keeps the signature."""
    body = world.made(*words, "--unsigned", out="plain.bin")[2:]
    # Specs are signed without their length, metadata with it.
    signed = body[1 + len(compact(len(body) - 3)):] if body[0] == 0xC1 else body[1:]
    crypto = b"\1" + VERIFIER.public_key + VERIFIER.sign(signed)
    world.hot("make", *words, "--sufficient", crypto.hex(), "--out", world.folder / name)


def holds(function):
    """Whether a law passes, printed with its name."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        world = World(folder)
        try:
            function(world)
            print("ok  ", function.__name__.replace("_", " "), flush=True)
            return True
        except Exception as error:
            print("FAIL", function.__name__.replace("_", " "), "--", repr(error), flush=True)
            return False
        finally:
            world.close()
