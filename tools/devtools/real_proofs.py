"""The way of the README on real metadata: a vault as `init` makes it, with no verifier and no metadata, signs by metadata proofs.

A stand-in node serves the metadata, heliograph-hot makes the transaction. What must be signed is encoded here by hand, with the digest that
golden/rfc78.py and paritytech's merkleized-metadata (in bittensor-core) compute, and schnorrkel verifies the signature.
"""
import contextlib
import json
import os
import subprocess

from .common import ALICE, BOB, POLKADOT, ROOT, compact, serving, shared_file, to_sign
from .golden.rfc78 import Metadata, extra_info
from .offline import PHRASE

ASSET_HUB = "68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f"
# Both chains have prefix 0.
ALICE_ADDRESS, BOB_ADDRESS = "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5", "14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3"
PLANCK, NONCE = 15_000_000_000, 7


class Chain:
    """A chain on a stand-in node, and an online machine that asks it."""

    def __init__(self, work, programs, network, genesis, transaction_version):
        self.work, self.network, self.genesis, self.transaction_version = work, network, genesis, transaction_version
        # The online program reads pictures with the offline side's scanner.
        self.scanner, hot = programs
        self.program, self.state = hot / "heliograph-hot", work / "node.json"
        work.mkdir(parents=True)

    def serve(self, version, blobs):
        """Lets the chain run this version; `blobs` maps a metadata format to a file, and 14 to what the runtime gives when it is not asked for one."""
        state = {"chain": self.network, "genesis": "0x" + self.genesis, "specName": self.network, "specVersion": version,
                 "transactionVersion": self.transaction_version, "finalized": 1000, "nonces": {ALICE_ADDRESS: NONCE}, "submit": [],
                 "properties": {"ss58Format": 0, "tokenDecimals": 10, "tokenSymbol": "DOT"},
                 "metadata": {str(name): str(path.resolve()) for name, path in blobs.items()}, "code": str(version)}
        partial = self.work / "node.part"
        partial.write_text(json.dumps(state))
        partial.replace(self.state)

    def node(self):
        """The address of the node, while it runs."""
        return serving(self.state)

    def hot(self, *words):
        """Exit code, stdout, stderr of one command."""
        environment = {**os.environ, "HELIOGRAPH_HOT": str(self.work / "hot"), "PATH": f"{self.scanner}:{os.environ['PATH']}"}
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, env=environment)
        return done.returncode, done.stdout, done.stderr

    def transfer(self, url, *words):
        """The payload of a transfer from //Alice to //Bob, drawn as transfer.png, and what was said; None in its place if the program refuses."""
        call = {"pallet": "Balances", "call": "transfer_keep_alive", "args": {"dest": BOB_ADDRESS, "value": str(PLANCK)}}
        (self.work / "call.json").write_text(json.dumps(call))
        out = self.work / "transfer.bin"
        out.unlink(missing_ok=True)
        where = [] if url is None else ["--url", url]
        code, _, said = self.hot("make", "transaction", "--network", self.network, "--signer", ALICE_ADDRESS, "--call", self.work / "call.json", *where, *words,
                                 "--out", out)
        if code != 0:
            return None, said
        (self.work / "transfer.hex").write_text(out.read_bytes().hex())
        self.hot("qr", "--hex", f"@{self.work / 'transfer.hex'}", "--out", self.work / "transfer.png")
        return out.read_bytes(), said


def signed_bytes(payload, version, chain, digest, pallet, asset):
    """Call and extensions as the chain reads them. Only the era and its block come from the payload, since the node chose them."""
    tail = b"\1" + digest + bytes.fromhex(chain.genesis)
    assert payload.endswith(tail)
    block = payload[-len(tail) - 32:-len(tail)]
    call = bytes([pallet, 3, 0]) + BOB + b"\x07" + PLANCK.to_bytes(5, "little")
    start = payload.index(call) + len(call)
    era = payload[start:start + 2]
    explicit = era + compact(NONCE) + b"\0" + asset + b"\1"
    implicit = version.to_bytes(4, "little") + chain.transaction_version.to_bytes(4, "little")
    implicit += bytes.fromhex(chain.genesis) + block
    return call + explicit + implicit + b"\1" + digest


def forged(payload):
    """The same payload with another digest, and with another byte in its proof."""
    for place in (-33, 60):
        other = bytearray(payload)
        other[place] ^= 1
        yield bytes(other)


def walk(check, signer, chain, blob, version, pallet, asset, words=(), said="", url=None):
    """One transfer, from the node's answers to a verified signature."""
    import bittensor_core
    import sr25519

    name = f"{chain.network} {version}"
    payload, log = chain.transfer(url)
    check(f"{name}: the online side makes a proof without being asked", payload is not None and payload[2] == 6 and said in log, log)
    if payload is None:
        return
    metadata, info = Metadata(blob.read_bytes()), extra_info(version, chain.network, 0, 10, "DOT")
    if blob.read_bytes()[4] == 15:
        peer = bittensor_core.metadata_digest(blob.read_bytes(), version, chain.network, 0, 10, "DOT")
        check(f"{name}: merkleized-metadata computes the same digest", peer == metadata.digest(info), peer.hex())
    expected = signed_bytes(payload, version, chain, metadata.digest(info), pallet, asset)
    out = chain.work / "signature.png"
    for other in forged(payload):
        code, _, err = signer.run("scan", "--hex", other.hex(), "--approve", *words, "--out", out)
        check(f"{name}: a forged proof is refused with 65", code == 65 and not out.exists(), (code, err))
    code, found, err = signer.json("scan", chain.work / "transfer.png", "--approve", *words, "--out", out)
    item = found.get("items", [{}])[0]
    summary = item.get("summary") or {}
    check(f"{name}: it is signed by the proof alone", code == 0 and found.get("action") == "sign", err)
    check(f"{name}: the summary says that the chain checks it", summary.get("checked_by_chain") is True, summary)
    check(f"{name}: the summary says what it does", "1.5 DOT" in json.dumps(summary) and BOB_ADDRESS in json.dumps(summary), summary)
    check(f"{name}: the signed bytes are what the chain reads", item.get("signing_bytes") == expected.hex(), (item.get("signing_bytes"), expected.hex()))
    text = (found.get("signatures") or [{}])[0].get("text", "")
    check(f"{name}: schnorrkel verifies the signature", bool(text) and sr25519.verify(bytes.fromhex(text[2:]), to_sign(expected), ALICE), text)
    code, extrinsic, err = chain.hot("read", out, "--payload", chain.work / "transfer.hex")
    check(f"{name}: the online side verifies it, too", code == 0 and text in extrinsic, err)
    out.unlink(missing_ok=True)
    listed = signer.json("metadata", "list")[1]
    check(f"{name}: the vault still has no metadata", listed == {"metadata": []}, listed)


def vault(check, signer, *words):
    """What `init` makes, and the development phrase."""
    code, _, err = signer.run("init", "--verifier", "none", *words, "--allow-online", "--kdf-cost", "test")
    check("a vault without a verifier is made", code == 0, err)
    code, _, err = signer.run("seed", "restore", "dev", phrase=PHRASE)
    check("the development phrase is restored there", code == 0, err)


def readme():
    """The commands of the README's first session, without its comments, and the call that they make."""
    text = (ROOT / "README.md").read_text()
    section = text.split("## A first signature\n")[1].split("\n## ")[0]
    block = next(part for part in section.split("\n\n") if part.startswith("    $ heliograph init"))
    call = next(line.strip() for line in section.splitlines() if line.strip().startswith('{"pallet"'))
    return [line.split("$ ")[1].split(" # ")[0].split() for line in block.splitlines()], json.loads(call)


def walk_readme(check, make_signer, work, programs, blob):
    """Runs the README's session as it stands. Only a vault for tests answers the questions itself, and gives the first keys."""
    commands, call = readme()
    chain, signer = Chain(work / "readme", programs, "polkadot", POLKADOT, 26), make_signer("readme")
    chain.serve(2_000_000, {14: blob, 15: blob})
    (chain.work / "call.json").write_text(json.dumps(call))
    answers = {"init": ["--allow-online", "--kdf-cost", "test"], "seed new": ["--first-keys"], "scan": ["--approve"]}
    address = ""
    with chain.node() as url, contextlib.chdir(chain.work):
        for program, *words in commands:
            words = [{"ADDRESS": address, "wss://NODE": url}.get(word, word) for word in words]
            if program == "heliograph-hot":
                code, out, err = chain.hot(*words)
            else:
                extra = answers.get(" ".join(words[:2])) or answers.get(words[0]) or []
                code, out, err = signer.run(*words, *extra)
            check(f"README: {program} {' '.join(words[:2])}", code == 0, err)
            if words == ["key", "list"]:
                keys = signer.json("key", "list")[1]["keys"]
                address = next(key["address"] for key in keys if key["path"] == "//polkadot")
    signed = code == 0 and len(out.split()[0]) > 200 and "1 signature verified" in err
    check("README: its last line prints a signed transaction", signed, (out, err))
    programs = [program for program, *_ in commands]
    check("README: it names every step", programs == ["heliograph"] * 3 + ["heliograph-hot", "heliograph", "heliograph-hot"], commands)


def run(check, make_signer, work, programs, data):
    """Polkadot with version 15 and after its upgrade with 16 only, and Asset Hub, which is in no vault at the start."""
    files = {name: shared_file(f"metadata/{name}.scale", data) for name in
             ("polkadot-2000000-v15", "polkadot-2003000-v16", "asset-hub-polkadot-2000000-v15")}
    v15, v16, hub = files.values()
    walk_readme(check, make_signer, work, programs, v15)
    signer = make_signer("proofs")
    vault(check, signer)
    code, _, err = signer.run("key", "derive", "dev", "//Alice", "--network", "polkadot")
    check("//Alice is derived for polkadot there", code == 0, err)
    chain = Chain(work / "polkadot", programs, "polkadot", POLKADOT, 26)
    chain.serve(2_000_000, {14: v15, 15: v15})
    with chain.node() as url:
        walk(check, signer, chain, v15, 2_000_000, 5, b"", said="with a metadata proof: polkadot 2000000", url=url)
        # The runtime is upgraded, and its node offers version 16 only: the digest is defined over 15, so that is said.
        chain.serve(2_003_000, {14: v16, 16: v16})
        walk(check, signer, chain, v16, 2_003_000, 5, b"", said="with a metadata proof made from V16", url=url)
        # What an offline machine has of the new version is 16 alone: no proof is made from it without a word, nor from the older 15.
        payload, said = chain.transfer(None, "--nonce", NONCE)
        check("without a node, V16 alone makes no proof", payload is None and "metadata V15 for polkadot 2003000 is not in the hot database" in said, said)
        # A node that has both, of different runtimes, contradicts itself.
        chain.serve(2_000_000, {14: v15, 15: v15, 16: v16})
        code, _, said = chain.hot("fetch", url, "--formats", "16")
        check("V15 and V16 of different runtimes are refused", code == 65 and "contradict" in said, (code, said))
    signer = make_signer("hub")
    vault(check, signer, "--networks", "none")
    code, _, err = signer.run("key", "derive", "dev", "//Alice")
    check("//Alice is derived for no network", code == 0, err)
    chain = Chain(work / "hub", programs, "statemint", ASSET_HUB, 15)
    chain.serve(2_000_000, {14: hub, 15: hub})
    with chain.node() as url:
        code, _, said = chain.hot("fetch", url, "--name", "statemint")
        check("the online side fetches Asset Hub", code == 0, said)
        # The fee's asset is absent: the chain's own token pays.
        walk(check, signer, chain, hub, 2_000_000, 10, b"\0", ["--accept-proved-network"], url=url)
