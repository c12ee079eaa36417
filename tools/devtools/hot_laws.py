"""What heliograph-hot does with a node and with pictures, at the command line: a stand-in node answers, sound or with a fault.

Pictures are read by zxing-cpp, Pillow and raptorq, signatures are made by schnorrkel.
"""
import base64
import contextlib
import hashlib
import html.parser
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time

import PIL.Image
import raptorq
import zxingcpp
from substrateinterface import Keypair

from . import hot_proofs, hot_signing
from .common import DEV, ROOT, compact, shared_file
from .stand_in_node import OTHER_HOSTS

BIN = ROOT / "tools/hot/.build/debug"
ALICE = Keypair.create_from_uri("//Alice")
# Signs updates; signatures by development keys such as //Alice are not kept.
VERIFIER = Keypair.create_from_uri("//a verifier")
LAWS = []


class World:
    """One folder with a chain, its node and a hot database."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.nodes = []
        self.database = self.folder / "db"
        self.chain = self.folder / "chain"
        self.chain.mkdir()
        self.runtime(1000)

    def runtime(self, version, formats=("14", "15"), words=(), **changes):
        """Lets the chain run a version, whose metadata its node has in these formats; `words` change the runtime."""
        def fixture(*words):
            return subprocess.run([BIN / "heliograph-fixture", *words], check=True)
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
        node = subprocess.Popen([DEV, "stand-in-node", "--state", self.chain / "state.json", *words], stdout=subprocess.PIPE)
        self.nodes.append(node)
        return f"{scheme}://localhost:{node.stdout.readline().split()[0].decode()}"

    def hot(self, *words, code=0):
        run = subprocess.run([BIN / "heliograph-hot", *map(str, words)], env={**os.environ, "HELIOGRAPH_HOT": str(self.database)},
                             capture_output=True, text=True, timeout=300)
        assert run.returncode == code, f"{words}: exit {run.returncode}, not {code}: {run.stderr}"
        return run

    def only_heliotest(self):
        for name in ("polkadot", "kusama", "westend"):
            self.hot("network", "remove", name)

    def close(self):
        for node in self.nodes:
            node.kill()
            node.wait()


def law(function):
    """A function that `run` calls in a world of its own."""
    LAWS.append(function)
    return function


def holds_elsewhere(function, options):
    """Whether a law of several hosts passes; one that no namespace can be made for is skipped."""
    give = " && ".join(["ip link set lo up", *(f"ip address add {address} dev lo" for address in OTHER_HOSTS), 'exec "$@"'])
    enter = ["unshare", "--map-root-user", "--net", "sh", "-c", give, "--"]
    name = function.__name__.replace("_", " ")
    if subprocess.run([*enter, "true"], capture_output=True).returncode != 0:
        print("skip", name, "-- it needs a network namespace", flush=True)
        return True
    scanner = ["--scanner", options.scanner] if options.scanner else []
    return subprocess.run([*enter, DEV, "hot-laws", BIN, *scanner, "--in-namespace", "--law", name]).returncode == 0


def holds(function):
    """Whether a law passes, printed with its name."""
    with tempfile.TemporaryDirectory() as folder:
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


def payload(path):
    """The payload of a picture, read by other programs."""
    frames = []
    with PIL.Image.open(path) as picture:
        for index in range(getattr(picture, "n_frames", 1)):
            picture.seek(index)
            codes = zxingcpp.read_barcodes(picture.convert("L"))
            assert len(codes) == 1, f"{path}: {len(codes)} codes in frame {index}"
            frames.append(codes[0].bytes)
    if not frames[0][0] & 0x80:
        return frames[0]
    length = int.from_bytes(frames[0][:4], "big") & 0x7FFFFFFF
    decoder = raptorq.Decoder.with_defaults(length, len(frames[0]) - 8)
    for frame in frames:
        data = decoder.decode(frame[4:])
        if data is not None:
            return data
    raise AssertionError("the frames do not give a payload")


@law
def a_fetch_takes_specs_and_metadata_over_each_transport(world):
    certificates = world.folder / "tls"
    subprocess.run([DEV, "stand-in-node", "--make-certificates", certificates], check=True)
    secure = ["--certificate", certificates / "loopback.pem"]
    for scheme, words in {"ws": [], "http": [], "wss": secure, "https": secure}.items():
        world.database = world.folder / scheme
        world.hot("fetch", world.node("--any-order", *words, scheme=scheme), "--authority", certificates / "ca.pem")
        stored = json.loads(world.hot("metadata", "list", "--json").stdout)
        assert [(m["version"], m["format"]) for m in stored] == [(1000, 14), (1000, 15)], stored
        specs = json.loads(world.hot("specs", "show", "heliotest", "--json").stdout)[0]
        for field in ("name", "base58prefix", "decimals", "unit", "genesis_hash", "encryption", "path_id"):
            assert specs[field] == world.specs[field], field


@law
@hot_signing.of_hosts
def nodes_on_different_hosts_agree_or_nothing_is_kept(world):
    def node(address, *words):
        url = world.node("--address", address, *words, scheme="http")
        return url.replace("localhost", address)
    one, other, third = node("127.0.0.1"), node("192.0.2.2"), node("192.0.2.3")
    quick = ["--attempts", 1, "--delay", 1]
    assert world.hot("fetch", one).stdout.endswith("; believed from one node\n")
    assert world.hot("fetch", one, other, "--quorum", 1).stdout.endswith("; believed from one node\n")
    # The same host twice is one host, whatever its port; so is every address that leads to this machine.
    for same in ("127.0.0.1", "127.0.0.2", "::1"):
        url = node(same) if same != "::1" else "http://[::1]:1"
        refused = world.hot("fetch", one, url, "--quorum", 2, *quick, code=64).stderr
        assert "the URLs name 1 host: 127.0.0.1" in refused, refused
    world.database = world.folder / "agreed"
    assert world.hot("fetch", one, other, third, "--quorum", 3).stdout.endswith("; agreed by 127.0.0.1, 192.0.2.2, 192.0.2.3\n")
    world.only_heliotest()
    # All that agreed are known, so a fetch and a transaction by name ask them again.
    assert world.hot("fetch", "--name", "heliotest", "--quorum", 3).stdout.endswith("; agreed by 127.0.0.1, 192.0.2.2, 192.0.2.3\n")
    make = ["make", "transaction", "--network", "heliotest", "--signer", ALICE.ss58_address, "--call-hex", "00000404", "--without-proof"]
    assert "believed from one node" in world.hot(*make, "--url", "known", "--out", world.folder / "one.bin").stderr
    made = world.hot(*make, "--url", "known", "--quorum", 3, "--out", world.folder / "three.bin").stderr
    assert "agreed by 127.0.0.1, 192.0.2.2, 192.0.2.3" in made, made
    assert (world.folder / "one.bin").read_bytes() == (world.folder / "three.bin").read_bytes()
    said = world.hot("watch", "--once", "--quorum", 3, "--out", world.folder / "agreed-updates").stderr
    assert "heliotest: runtime 1000 agreed by 127.0.0.1, 192.0.2.2, 192.0.2.3\n" in said, said
    # A node that lies: about a nonce, about metadata. Each answer stands with its host, and nothing is written.
    honest = world.chain
    world.chain = world.folder / "lie"
    world.chain.mkdir()
    world.runtime(1000, nonces={ALICE.ss58_address: 7})
    liar = node("192.0.2.2")
    refused = world.hot(*make, "--url", one, "--url", liar, "--quorum", 2, "--out", world.folder / "lied.bin", code=1).stderr
    assert "nonce: 0 from 127.0.0.1, 7 from 192.0.2.2" in refused and not (world.folder / "lied.bin").exists(), refused
    world.database = world.folder / "watched"
    world.hot("fetch", one, liar, "--quorum", 2)
    world.only_heliotest()
    blob = (world.chain / "14.scale").read_bytes().replace(b"transfer_keep_alive", b"transfer_keep_alivf")
    (world.chain / "14.scale").write_bytes(blob)
    said = world.hot("watch", "--once", "--quorum", 2, "--out", world.folder / "lied-updates", code=74).stderr
    assert "metadata V14: 0x" in said and not list((world.folder / "lied-updates").glob("*metadata*")), said
    world.database = world.folder / "lied"
    refused = world.hot("fetch", one, liar, "--quorum", 2, code=1).stderr
    hashes = [hashlib.blake2b(data, digest_size=32).hexdigest() for data in ((honest / "14.scale").read_bytes(), blob)]
    assert f"metadata V14: 0x{hashes[0]} from 127.0.0.1, 0x{hashes[1]} from 192.0.2.2" in refused, refused
    assert "heliotest" not in world.hot("network", "list").stdout + world.hot("metadata", "list").stdout
    # The same without a quorum believes whoever is asked first.
    assert "believed from one node" in world.hot("fetch", liar).stdout
    # Proof and metadata that a transaction fetches are agreed on as well.
    world.database = world.folder / "fresh"
    world.hot("import", honest / "specs.json")
    refused = world.hot(*make, "--nonce", 1, "--url", one, "--url", liar, "--quorum", 2, "--out", world.folder / "lied.bin", code=1).stderr
    assert "nonce: " in refused
    world.set(nonces={})
    refused = world.hot(*make, "--url", one, "--url", liar, "--quorum", 2, "--out", world.folder / "lied.bin", code=1).stderr
    assert "metadata V14: " in refused and not world.hot("metadata", "list").stdout, refused


@law
def real_metadata_arrives_unchanged(world):
    data = shared_file("metadata/westend-9122-v14.scale")
    if data is None:
        return
    shutil.copy(data, world.chain / "14.scale")
    world.set(chain="Westend", genesis="0xe143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e", specName="westend",
              specVersion=9122, onlyOldMetadata=True, properties={"ss58Format": 42, "tokenDecimals": [12], "tokenSymbol": ["WND"]})
    world.hot("fetch", world.node("--any-order"), "--name", "westend")
    stored = json.loads(world.hot("metadata", "list", "westend", "--json").stdout)
    assert [(m["version"], m["format"]) for m in stored] == [(9122, 14)]
    assert stored[0]["blake2b_256"] == hashlib.blake2b(data.read_bytes(), digest_size=32).hexdigest()


@law
def a_certificate_of_another_name_or_an_unknown_authority_is_refused(world):
    certificates = world.folder / "tls"
    subprocess.run([DEV, "stand-in-node", "--make-certificates", certificates], check=True)
    for name, words, said in [("elsewhere", ["--authority", certificates / "ca.pem"], "not for localhost"), ("loopback", [], "no trusted")]:
        url = world.node("--certificate", certificates / f"{name}.pem", scheme="wss")
        assert said in world.hot("fetch", url, *words, "--attempts", 1, code=74).stderr


@law
def a_server_with_old_tls_is_refused_and_said_so(world):
    certificates = world.folder / "tls"
    subprocess.run([DEV, "stand-in-node", "--make-certificates", certificates], check=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    # Unlike Python's server, this one sends the alert that names the reason.
    world.nodes.append(subprocess.Popen(
        ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0", "-www", "-quiet",
         "-cert", certificates / "loopback.pem", "-key", certificates / "loopback.key"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    wait_for(port)
    for scheme in ("https", "wss"):
        words = ["fetch", f"{scheme}://localhost:{port}", "--authority", certificates / "ca.pem", "--attempts", 1, "--timeout", 20]
        assert "does not support TLS 1.2 or 1.3" in world.hot(*words, code=74).stderr


@law
def a_pinned_server_is_refused_with_both_fingerprints_by_every_command(world):
    certificates = world.folder / "tls"
    subprocess.run([DEV, "stand-in-node", "--make-certificates", certificates], check=True)
    def openssl(*words, text=None):
        return subprocess.run(["openssl", *words], input=text, check=True, capture_output=True).stdout
    whole = openssl("x509", "-in", certificates / "loopback.pem", "-outform", "der")
    key = openssl("pkey", "-pubin", "-outform", "der", text=openssl("x509", "-in", certificates / "loopback.pem", "-noout", "-pubkey"))
    pins = {"certificate": hashlib.sha256(whole).hexdigest(), "key": hashlib.sha256(key).hexdigest()}
    log = world.folder / "log"
    url = world.node("--certificate", certificates / "loopback.pem", "--log", str(log), scheme="wss")
    trust = ["--authority", certificates / "ca.pem"]
    world.hot("fetch", url, *trust)
    world.only_heliotest()
    signature = "01" + ALICE.sign(transaction(world, 200)).hex()
    assert world.hot("pin", "show", url, *trust).stdout == "".join(f"{name}:0x{digits}\n" for name, digits in pins.items())
    asks = [["fetch", url], ["fetch", "--name", "heliotest"], ["fetch", url.replace("wss", "https") + "/other"],
            ["make", "transaction", "--network", "heliotest", "--signer", ALICE.ss58_address, "--call-hex", "00000404", "--url", "known",
             "--out", world.folder / "asked.bin"],
            ["watch", "--once", "--out", world.folder / "updates"], ["read", "--hex", signature, "--submit", url]]
    for subject, digits in pins.items():
        wrong = digits[:-1] + ("0" if digits[-1] != "0" else "1")
        world.hot("pin", "set", url, f"{subject}:{wrong}")
        log.write_text("")
        for words in asks:
            # One line tells it all, and a certificate that changed does not come back by asking again.
            failed = world.hot(*words, *trust, code=74 if words[0] == "watch" else 1).stderr
            assert digits in failed and wrong in failed and "attempt 2" not in failed, failed
        assert not log.read_text(), log.read_text()
        world.hot("pin", "set", url, f"{subject}:{digits}")
        for words in asks[:-1]:
            world.hot(*words, *trust)
    kept = json.loads(world.hot("pin", "list", "--json").stdout)
    assert kept == [{"server": url[6:], "url": url, "subject": "key", "sha256": pins["key"]}], kept
    world.hot("pin", "set", url, "key:" + "0" * 64)
    world.hot("pin", "remove", url.replace("wss", "https"))
    world.hot("fetch", url, *trust)
    assert "has no pin" in world.hot("pin", "remove", url, code=1).stderr
    assert "wss or https" in world.hot("pin", "set", "ws://localhost", "key:" + "0" * 64, code=64).stderr
    # A pin that this version does not know is not skipped.
    world.hot("pin", "set", url, "key:" + pins["key"])
    with contextlib.closing(sqlite3.connect(world.database / "hot.sqlite")) as store:
        store.execute("UPDATE pin SET subject = 'other'")
        store.commit()
    assert "a row of the table pin is unreadable" in world.hot("fetch", url, *trust, code=65).stderr


def wait_for(port):
    """Returns when something listens on a port of loopback."""
    for _ in range(200):
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"nothing listens on {port}")


@law
def each_fault_of_a_node_is_told_and_the_next_address_is_asked(world):
    sound = world.node()
    expected = {"500": ("status 500", 74), "cut-off": ("ended before", 74), "invalid-json": ("not JSON", 74),
                "silent": ("within 3 seconds", 74), "slow": ("within 3 seconds", 74), "huge": ("far more data", 74),
                "huge-unannounced": ("far more data", 74), "not-an-answer": ("JSON-RPC", 74)}
    for fault, (said, code) in expected.items():
        url = world.node("--fault", fault, scheme="http")
        words = ["--timeout", 3, "--delay", 10, "--attempts", 1, "--answer-limit", 1 << 20]
        failure = world.hot("fetch", url, *words, code=code).stderr
        assert said in failure, f"{fault}: {failure}"
        # The node without a fault gets as much time as a busy machine needs, where the fault does not take that long.
        if "within" not in said:
            words[1] = 60
        told = world.hot("fetch", url, sound, *words).stderr
        assert told.count(said) == 1, f"{fault}: {told}"


@law
def a_node_of_another_chain_is_refused_and_nothing_is_kept(world):
    world.hot("fetch", world.node())
    before = world.hot("metadata", "list").stdout
    world.runtime(1001)
    failure = world.hot("fetch", world.node("--fault", "wrong-chain"), "--name", "heliotest", code=1).stderr
    assert "another chain" in failure and world.state["genesis"][2:] in failure, failure
    assert world.hot("metadata", "list").stdout == before


@law
def a_silent_change_of_metadata_names_both_blocks(world):
    url = world.node()
    world.hot("fetch", url, "--at", 100)
    blob = (world.chain / "15.scale").read_bytes()
    (world.chain / "15.scale").write_bytes(blob.replace(b"transfer_keep_alive", b"transfer_keep_alivf"))
    failure = world.hot("fetch", url, "--at", 200, code=1).stderr
    blocks = re.findall(r"at block 0x([0-9a-f]{64})", failure)
    assert len(set(blocks)) == 2 and "without a new version" in failure, failure


@law
def a_file_is_compared_with_the_database_and_changes_nothing(world):
    def check(name, code=0):
        return world.hot("file", "check", world.chain / name, code=code)
    assert "new network" in check("specs.json").stdout and "no network in the hot database" in check("14.scale").stdout
    world.hot("import", world.chain / "specs.json")
    assert "new: the hot database has no metadata" in check("14.scale").stdout
    world.hot("import", world.chain / "14.scale")
    known = "heliotest: already in the hot database\n"
    assert check("specs.json").stdout.endswith(known) and check("14.scale").stdout.endswith(known)
    assert "new in this format" in check("15.scale").stdout
    blob = (world.chain / "14.scale").read_bytes()
    (world.chain / "hex").write_text("0x" + blob.hex() + "\n")
    assert check("hex").stdout.endswith(known)
    (world.chain / "changed").write_bytes(blob.replace(b"transfer_keep_alive", b"transfer_keep_alivf"))
    assert "without a new version" in check("changed", code=1).stderr
    (world.chain / "cut").write_bytes(blob[:-1])
    check("cut", code=65)
    (world.chain / "runtime.wasm").write_bytes(b"\0asm\1\0\0\0")
    check("runtime.wasm", code=1)
    world.runtime(1001)
    assert "newer than 1000" in check("14.scale").stdout
    (world.chain / "other.json").write_text(json.dumps({**world.specs, "decimals": 11}))
    check("other.json", code=1)
    assert len(json.loads(world.hot("metadata", "list", "--json").stdout)) == 1


@law
def metadata_of_another_runtime_than_the_node_names_is_refused(world):
    world.set(specVersion=1001)
    assert "contradicts" in world.hot("fetch", world.node(), code=65).stderr
    assert "heliotest" not in world.hot("network", "list").stdout


@law
def several_tokens_need_a_choice_and_a_choice_outlives_fetches(world):
    world.set(properties={"ss58Format": 42, "tokenDecimals": [12, 10], "tokenSymbol": ["HLO", "ALT"]})
    url = world.node()
    world.hot("fetch", url, code=1)
    world.hot("fetch", url, "--token", "ALT", "--decimals", 10)
    world.hot("specs", "set", "heliotest", "title", "My network")
    world.hot("specs", "set", "heliotest", "color", "#112233")
    world.runtime(1001, properties=world.state["properties"])
    world.hot("fetch", url, "--token", "ALT", "--decimals", 10)
    specs = json.loads(world.hot("specs", "show", "heliotest", "--json").stdout)[0]
    assert (specs["unit"], specs["decimals"], specs["title"], specs["color"]) == ("ALT", 10, "My network", "#112233"), specs


@law
def compressed_metadata_is_the_same_metadata_in_our_own_envelope(world):
    world.hot("import", world.chain / "specs.json")
    blob = (world.chain / "14.scale").read_bytes()
    world.hot("import", world.chain / "14.scale")
    world.hot("make", "load-metadata", "heliotest", "--out", world.folder / "plain.bin")
    world.hot("make", "load-metadata", "heliotest", "--compressed", "--out", world.folder / "small.bin")
    small = (world.folder / "small.bin").read_bytes()
    assert small[:3] == bytes.fromhex("53ffa2") and int.from_bytes(small[3:7], "little") == len(blob)
    assert small[-32:].hex() == world.specs["genesis_hash"]
    # The length of a frame between 64 and 16383 bytes has two bytes; zstd's own program takes the frame and tests its checksum.
    length = int.from_bytes(small[7:9], "little") >> 2
    assert small[7] & 3 == 1 and len(small) == 3 + 4 + 2 + length + 32
    expanded = subprocess.run(["zstd", "-d", "-c"], input=small[9:9 + length], capture_output=True, check=True).stdout
    assert expanded == blob
    # Both are told to be the same, in every form of the file.
    (world.folder / "small.hex").write_text("0x" + small.hex() + "\n")
    for name in ("plain.bin", "small.bin", "small.hex"):
        assert world.hot("file", "check", world.folder / name).stdout.endswith("heliotest: already in the hot database\n"), name
    # Its own reader goes over it: it is refused with what is wrong, and nothing is taken from it.
    flipped = bytearray(small)
    flipped[9 + length // 2] ^= 4
    for bad, word in [(small[:-1], "neither"), (small + b"\0", "neither"), (bytes(flipped), "damaged"),
                      (small[:3] + (len(blob) + 1).to_bytes(4, "little") + small[7:], "announces"),
                      (small[:3] + (1 << 31).to_bytes(4, "little") + small[7:], "more than")]:
        (world.folder / "bad.bin").write_bytes(bad)
        refused = subprocess.run([BIN / "heliograph-hot", "file", "check", world.folder / "bad.bin"], capture_output=True, text=True,
                                 env={**os.environ, "HELIOGRAPH_HOT": str(world.database)})
        assert refused.returncode in (1, 65) and word in refused.stderr, refused.stderr
    # A database that never saw the plain form takes the same metadata from the compressed one.
    world.database = world.folder / "other"
    world.hot("import", world.chain / "specs.json")
    world.hot("import", world.folder / "small.bin")
    stored = json.loads(world.hot("metadata", "list", "--json").stdout)
    assert [m["blake2b_256"] for m in stored] == [hashlib.blake2b(blob, digest_size=32).hexdigest()]


@law
def a_result_that_does_not_arrive_ends_with_74(world):
    """A full disk behind stdout: the command did not succeed."""
    with open("/dev/full", "wb") as full:
        run = subprocess.run([BIN / "heliograph-hot", "help", "errors"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 74, run.returncode
    assert "the results cannot be written: no space left on device" in run.stderr, run.stderr


@law
def metadata_goes_only_when_newer_comes_and_this_is_said(world):
    def versions():
        return [m["version"] for m in json.loads(world.hot("metadata", "list", "--json").stdout) if m["format"] == 14]
    url = world.node()
    for version in (1000, 1001, 1002):
        world.runtime(version)
        assert "removed" not in world.hot("fetch", url).stderr
    assert versions() == [1002, 1001, 1000]
    world.runtime(1003)
    assert "metadata for 1000 removed" in world.hot("fetch", url).stderr
    assert versions() == [1003, 1002, 1001]
    # What would go at once is refused, and nothing goes for it.
    world.runtime(1000)
    refused = world.hot("import", world.chain / "14.scale", code=1)
    assert "metadata for heliotest 1000 was not saved: 3 newer versions are kept" in refused.stderr and "--keep 4" in refused.stderr
    assert versions() == [1003, 1002, 1001]
    assert "saved" in world.hot("import", world.chain / "14.scale", "--keep", 4).stderr
    assert versions() == [1003, 1002, 1001, 1000]
    # As many stay as were asked for; a smaller number is said and done.
    world.runtime(1004)
    assert "metadata for 1000 removed" in world.hot("fetch", url).stderr
    assert versions() == [1004, 1003, 1002, 1001]
    world.runtime(1005)
    said = world.hot("watch", "--once", "--keep", 2, "--out", world.folder / "updates", code=74).stderr
    assert all(f"metadata for {version} removed" in said for version in (1001, 1002, 1003)), said
    assert versions() == [1005, 1004]
    removed = [event["detail"] for event in json.loads(world.hot("history", "list", "heliotest", "--json").stdout) if event["event"] == "removed"]
    assert [detail.split(",")[0] for detail in removed] == [f"metadata {version}" for version in (1000, 1000, 1003, 1002, 1001)], removed
    assert all(len(m["block"]) == 64 for m in json.loads(world.hot("metadata", "list", "--json").stdout))


def publish(world, words, name):
    """Makes an update twice, unsigned and signed; the unsigned payload and the signed one."""
    world.hot("make", *words, "--unsigned", "--out", world.folder / "plain.bin")
    plain = (world.folder / "plain.bin").read_bytes()
    body = plain[3:]
    # Specs are signed without their length, metadata with it.
    signed = body[len(compact(len(body) - 2)):] if plain[2] == 0xC1 else body
    crypto = b"\1" + VERIFIER.public_key + VERIFIER.sign(signed)
    world.hot("make", *words, "--sufficient", crypto.hex(), "--out", world.folder / name)


@law
def a_published_update_is_read_from_pictures_and_keeps_its_signature(world):
    world.hot("import", world.chain / "specs.json")
    world.hot("import", world.chain / "14.scale")
    said = f"signed by the sr25519 key 0x{VERIFIER.public_key.hex()}"
    publish(world, ["add-specs", "heliotest"], "specs.png")
    publish(world, ["load-metadata", "heliotest"], "metadata.apng")
    signed = {name: payload(world.folder / name) for name in ("specs.png", "metadata.apng")}
    assert all(update[1] == 1 for update in signed.values())
    world.hot("qr", "--hex", signed["metadata.apng"].hex(), "--separate", "--out", world.folder / "frames")
    (world.folder / "update.hex").write_text(signed["metadata.apng"].hex())
    for source in ("metadata.apng", "frames", "update.hex"):
        world.database = world.folder / f"db-{source}"
        assert said in world.hot("file", "check", world.folder / "specs.png").stdout
        took = world.hot("import", world.folder / "specs.png").stderr
        assert "heliotest: specs saved" in took and said in took, took
        took = world.hot("import", world.folder / source).stderr
        assert "(V14) saved" in took and said in took, took
        for words, name in ((["add-specs", "heliotest"], "specs.png"), (["load-metadata", "heliotest"], "metadata.apng")):
            assert said + ", as stored" in world.hot("make", *words, "--out", world.folder / "again.bin").stderr
            assert (world.folder / "again.bin").read_bytes() == signed[name]
            assert "unsigned update" in world.hot("make", *words, "--unsigned", "--out", world.folder / "plain.bin").stderr
            assert (world.folder / "plain.bin").read_bytes()[1] == 0xFF
    # A signature that does not match is no reason to take the update without it.
    forged = bytearray(signed["specs.png"])
    forged[-1] ^= 1
    (world.folder / "forged.bin").write_bytes(forged)
    world.database = world.folder / "db-forged"
    for words in (["import"], ["file", "check"]):
        assert "does not match this update" in world.hot(*words, world.folder / "forged.bin", code=65).stderr
    assert "heliotest" not in world.hot("network", "list").stdout
    # Metadata stays with the chain that its publisher signed it for.
    world.hot("import", world.folder / "update.hex", code=1)
    (world.chain / "other.json").write_text(json.dumps({**world.specs, "genesis_hash": "77" * 32}))
    world.hot("import", world.chain / "other.json")
    assert "no network" in world.hot("import", world.folder / "update.hex", code=1).stderr
    world.hot("import", world.chain / "specs.json", "--network", "mine")
    assert "another chain" in world.hot("import", world.folder / "update.hex", "--network", "heliotest", code=1).stderr
    assert "mine: metadata" in world.hot("import", world.folder / "update.hex").stderr


@law
def codes_go_into_a_directory_when_an_option_says_so(world):
    out = world.folder / "name"
    qr = ["qr", "--hex", "00" * 100, "--symbol", "16", "--out", out]
    world.hot(*qr)
    assert out.is_file() and out.read_bytes().startswith(b"\x89PNG")
    out.unlink()
    world.hot(*qr, "--separate")
    frames = sorted(file.name for file in out.iterdir())
    assert len(frames) > 1 and frames[0] == "frame-01.png", frames
    refused = world.hot(*qr, code=64).stderr
    assert "is a directory" in refused and "--separate" in refused, refused
    for file in out.iterdir():
        file.unlink()
    world.hot(*qr, "--separate")
    assert sorted(file.name for file in out.iterdir()) == frames
    world.hot(*qr[:-2], "--separate", "--terminal", code=64)


@law
def a_message_signature_is_checked_against_the_payload(world):
    for code, tail in ((3, bytes.fromhex(world.specs["genesis_hash"])), (8, b"")):
        tagged = b"<Bytes>hello</Bytes>"
        (world.folder / "message.bin").write_bytes(bytes([0x53, 1, code]) + ALICE.public_key + tagged + tail)
        words = ["read", "--payload", world.folder / "message.bin", "--hex"]
        signature = ALICE.sign(tagged).hex()
        read = world.hot(*words, signature)
        assert read.stdout == signature + "\n"
        assert f"message signature by the sr25519 key 0x{ALICE.public_key.hex()} verified" in read.stderr
        for wrong in (ALICE.sign(b"<Bytes>hellO</Bytes>").hex(), ALICE.sign(b"hello").hex(), "01" + signature):
            refused = world.hot(*words, wrong, code=65)
            assert "does not match this payload" in refused.stderr and not refused.stdout, refused
    assert "not verified: --payload FILE names the message" in world.hot("read", "--hex", signature).stderr
    # A transaction is no message.
    world.hot("import", world.chain / "specs.json")
    world.hot("import", world.chain / "14.scale")
    transaction(world, 200)
    refused = world.hot("read", "--hex", signature, "--payload", world.folder / "tx.bin", code=65)
    assert "does not match this payload" in refused.stderr and not refused.stdout


@law
def a_stored_url_gives_the_nonce(world):
    log = world.folder / "log"
    url = world.node("--any-order", "--log", str(log))
    world.hot("fetch", url)
    world.set(nonces={ALICE.ss58_address: 41})
    words = ["make", "transaction", "--network", "heliotest", "--signer", ALICE.ss58_address, "--call-hex", "00000404", "--out",
             world.folder / "tx.bin"]
    log.write_text("")
    made = world.hot(*words)
    assert "nonce 41" in made.stdout and f"nonce 41 from {url}" in made.stderr, made
    assert log.read_text()
    log.write_text("")
    assert "nonce 7" in world.hot(*words, "--nonce", 7).stdout
    assert not log.read_text(), "a transaction with its nonce is made offline"


@law
def watch_draws_once_for_each_runtime_and_goes_on_after_a_kill(world):
    log, out = world.folder / "log", world.folder / "updates"
    url = world.node("--log", str(log))
    world.hot("fetch", url)
    world.only_heliotest()
    said = world.hot("watch", "--once", "--out", out).stderr
    # Three pictures: specs, metadata, and metadata compressed.
    assert len(re.findall(r"^\S+/heliotest_\S+: unsigned update$", said, re.MULTILINE)) == 3, said
    world.hot("make", "load-metadata", "heliotest", "--out", world.folder / "m.hex")
    assert payload(out / "heliotest_metadata_1000.apng").hex() == (world.folder / "m.hex").read_text().strip()
    world.hot("make", "load-metadata", "heliotest", "--compressed", "--out", world.folder / "m.hex")
    [small] = out.glob("heliotest_metadata_1000_compressed.*")
    assert payload(small).hex() == (world.folder / "m.hex").read_text().strip()
    log.write_text("")
    world.hot("watch", "--once", "--out", out)
    assert "state_getMetadata" not in log.read_text() and "state_getRuntimeVersion" in log.read_text()
    world.runtime(1001)
    # Killed at ten moments of its work, it finishes when it is started again.
    for moment in range(10):
        process = subprocess.Popen([BIN / "heliograph-hot", "watch", "--every", "1s", "--out", out], stderr=subprocess.DEVNULL,
                                   env={**os.environ, "HELIOGRAPH_HOT": str(world.database)})
        time.sleep(0.02 + 0.08 * moment)
        process.send_signal(signal.SIGKILL)
        process.wait()
        json.loads((out / "watch-state.json").read_text())
    world.hot("watch", "--once", "--out", out)
    assert json.loads((out / "watch-state.json").read_text())["networks"]["heliotest"]["version"] == 1001
    world.hot("make", "load-metadata", "heliotest", "--out", world.folder / "m.hex")
    assert payload(out / "heliotest_metadata_1001.apng").hex() == (world.folder / "m.hex").read_text().strip()


@law
def a_second_watch_stays_out_and_a_failure_is_in_the_state(world):
    out = world.folder / "updates"
    url = world.node()
    world.hot("fetch", url)
    world.only_heliotest()
    first = subprocess.Popen([BIN / "heliograph-hot", "watch", "--every", "1h", "--out", out], stderr=subprocess.DEVNULL,
                             env={**os.environ, "HELIOGRAPH_HOT": str(world.database)})
    while not (out / "watch-state.json").exists():
        time.sleep(0.05)
    world.hot("watch", "--once", "--out", out, code=1)
    first.kill()
    first.wait()
    world.close()
    world.hot("watch", "--once", "--out", out, "--delay", 1, code=74)
    assert "refused" in json.loads((out / "watch-state.json").read_text())["networks"]["heliotest"]["failure"]


@law
def names_from_a_chain_never_leave_the_folder(world):
    for name in ("14", "15"):
        blob = (world.chain / f"{name}.scale").read_bytes()
        (world.chain / f"{name}.scale").write_bytes(blob.replace(b"heliotest", b"../../tst"))
    world.set(specName="../../tst")
    assert "is not a valid network name" in world.hot("fetch", world.node(), code=1).stderr


def some_frames(world, name, hex_text, dropped, count):
    """A folder with the first frames of a payload that remain when some source frames are removed."""
    every, some = world.folder / f"{name}-all", world.folder / f"{name}-{count}"
    world.hot("qr", "--hex", hex_text, "--symbol", 16, "--out", f"{every}/")
    some.mkdir()
    for frame in [frame for index, frame in enumerate(sorted(every.iterdir())) if index not in dropped][:count]:
        shutil.copy(frame, some)
    return some


@law
def frames_that_prove_nothing_need_one_more_or_a_signature_that_fits(world):
    world.hot("import", world.chain / "specs.json")
    world.hot("import", world.chain / "14.scale")
    alice = Keypair.create_from_uri("//Alice")
    made = world.folder / "tx.bin"
    # 154 bytes of remark make a payload of 19 symbols of 16 bytes, and RFC 6330 pads 19 to 20.
    remark = bytes([0, 0, 154 << 2 & 0xff | 1, 154 >> 6]) + bytes(range(154))
    world.hot("make", "transaction", "--network", "heliotest", "--signer", alice.ss58_address, "--nonce", 1, "--call-hex", remark.hex(),
              "--without-proof", "--out", made)
    payload = made.read_bytes()
    assert -(-len(payload) // 16) == 19, len(payload)
    message = payload[37:-32]
    signature = "01" + alice.sign(message if len(message) <= 256 else hashlib.blake2b(message, digest_size=32).digest()).hex()
    other = "01" + alice.sign(b"something else").hex()
    extrinsic = world.hot("read", "--hex", signature).stdout

    # 19 frames with a repair symbol among them: the request is what the signature fits, and nothing else tells.
    unproved = some_frames(world, "request", payload.hex(), {3}, 19)
    assert world.hot("read", "--hex", signature, "--payload", unproved).stdout == extrinsic
    refused = world.hot("read", "--hex", other, "--payload", unproved, code=65)
    assert "do not prove" in refused.stderr and not refused.stdout, refused
    proved = some_frames(world, "request", payload.hex(), {3}, 20)
    assert world.hot("read", "--hex", signature, "--payload", proved).stdout == extrinsic
    assert "does not match this payload" in world.hot("read", "--hex", other, "--payload", proved, code=65).stderr

    # An answer is 130 hex digits, 9 symbols, which are padded to 10.
    answer = signature.encode().hex()
    refused = world.hot("read", some_frames(world, "answer", answer, {3}, 9), code=65)
    assert "do not prove" in refused.stderr and not refused.stdout, refused
    assert world.hot("read", some_frames(world, "answer", answer, {3}, 10)).stdout == extrinsic


@law
def programs_say_their_version_and_complete_words_in_shells(world):
    assert re.fullmatch(r"heliograph-hot \d+\.\d+\.\d+( \(commit \S+\))?\n(\S+ \d\S*\n)+", world.hot("--version").stdout)
    for shell in ("bash", "zsh", "fish"):
        script = world.hot("help", "completions", shell).stdout
        assert "load-metadata" in script and "heliograph-hot" in script
        if shutil.which(shell):
            subprocess.run([shell, "-n"], input=script, text=True, check=True)
    for words in ([], ["csh"], ["bash", "zsh"]):
        assert "give one shell" in world.hot("help", "completions", *words, code=64).stderr


HOSTILE_NAME = '"\u0301 style="x\u202e\x1b[2J\u200b\u0430'


@law
def a_list_as_json_is_ascii_and_says_the_same(world):
    world.set(chain=HOSTILE_NAME)
    world.hot("fetch", world.node())
    world.hot("specs", "set", "heliotest", "unit", "\u0441\u202e")
    for words in (["network", "list"], ["specs", "list"], ["specs", "show", "heliotest"], ["history", "list"], ["metadata", "list"]):
        text = world.hot(*words, "--json").stdout
        assert text.isascii() and all(line.isprintable() for line in text.split("\n")), text
    shown = json.loads(world.hot("specs", "show", "heliotest", "--json").stdout)[0]
    assert (shown["title"], shown["unit"]) == (HOSTILE_NAME, "\u0441\u202e"), shown
    assert world.hot("specs", "show", "heliotest").stdout.isascii()
    assert "\x1b" not in world.hot("network", "list").stdout


def transaction(world, length):
    """Writes tx.bin, a remark by //Alice whose signed bytes have this length, and returns those bytes."""
    def make(size):
        # 64 to 16383 bytes have a length of two bytes, so that the rest grows by one with each of them.
        remark = bytes([0, 0]) + compact(size) + bytes(index % 251 for index in range(size))
        world.hot("make", "transaction", "--network", "heliotest", "--signer", ALICE.ss58_address, "--nonce", 1, "--call-hex", remark.hex(),
                  "--without-proof", "--out", world.folder / "tx.bin")
        made = (world.folder / "tx.bin").read_bytes()
        return made[35 + len(compact(len(remark))):-32]
    message = make(100 + length - len(make(100)))
    assert len(message) == length, len(message)
    return message


@law
def signatures_over_255_256_and_257_bytes_are_verified_as_others_make_them(world):
    world.hot("import", world.chain / "specs.json")
    world.hot("import", world.chain / "14.scale")
    for length in (255, 256, 257):
        message = transaction(world, length)
        digest = hashlib.blake2b(message, digest_size=32).digest()
        right, wrong = (message, digest) if length <= 256 else (digest, message)
        signature = ALICE.sign(right)
        extrinsic = bytes.fromhex(world.hot("read", "--hex", "01" + signature.hex(), "--payload", world.folder / "tx.bin").stdout)
        # The extrinsic carries what schnorrkel verifies over the bytes that the chain checks.
        found = re.search(re.escape(bytes([0x84, 0]) + ALICE.public_key + b"\1") + b"(.{64})", extrinsic, re.DOTALL)
        assert found and ALICE.verify(right, found[1]) and not ALICE.verify(wrong, found[1])
        refused = world.hot("read", "--hex", "01" + ALICE.sign(wrong).hex(), "--payload", world.folder / "tx.bin", code=65)
        assert "does not match this payload" in refused.stderr and not refused.stdout


@law
def fewer_or_more_signatures_than_transactions_are_refused(world):
    world.hot("import", world.chain / "specs.json")
    world.hot("import", world.chain / "14.scale")
    words = ["make", "transaction", "--without-proof", "--network", "heliotest", "--signer", ALICE.ss58_address, "--nonce", 1]
    call = ["--call-hex", "00000404"]
    world.hot(*words, *call, *call, "--out", world.folder / "two.bin")
    signatures = []
    for nonce in (1, 2):
        world.hot(*words[:-1], nonce, *call, "--out", world.folder / "one.bin")
        made = (world.folder / "one.bin").read_bytes()
        signatures.append(b"\1" + ALICE.sign(made[36:-32]))
    def read(chosen, code):
        answer = world.folder / "answer.bin"
        answer.write_bytes(b"\4" + compact(len(chosen)) + b"".join(chosen))
        return world.hot("read", "--hex", f"@{answer}", "--payload", world.folder / "two.bin", code=code)
    assert len(read(signatures, 0).stdout.split()) == 2
    for chosen in (signatures[:1], signatures[1:], signatures + signatures[1:], [signatures[0]] * 2, []):
        assert not read(chosen, 65).stdout, chosen
    # A single answer is no answer to two.
    assert not world.hot("read", "--hex", signatures[0].hex(), "--payload", world.folder / "two.bin", code=65).stdout


@law
def a_kept_signature_that_was_altered_is_not_published(world):
    world.hot("import", world.chain / "specs.json")
    world.hot("import", world.chain / "14.scale")
    sign_specs(world)
    signed = (world.folder / "signed.bin").read_bytes()
    def published():
        world.hot("portal", world.folder / "portal")
        return payload(world.folder / "portal/heliotest_specs.png")
    assert published() == signed and signed[1] == 1
    [database] = [path for path in world.database.iterdir() if path.read_bytes()[:6] == b"SQLite" and b"attestation" in path.read_bytes()]
    for column, place in (("signature", 5), ("key", 3)):
        with contextlib.closing(sqlite3.connect(database)) as store:
            [(old,)] = store.execute(f"SELECT {column} FROM attestation").fetchall()
            store.execute(f"UPDATE attestation SET {column} = ?", (old[:place] + bytes([old[place] ^ 1]) + old[place + 1:],))
            store.commit()
        assert published()[1] == 0xFF, column
        assert "this update is unsigned" in (world.folder / "portal/index.html").read_text()
        with contextlib.closing(sqlite3.connect(database)) as store:
            store.execute(f"UPDATE attestation SET {column} = ?", (old,))
            store.commit()
        assert published() == signed


@law
def decimals_and_unit_do_not_change_between_two_fetches(world):
    url = world.node()
    world.hot("fetch", url)
    world.only_heliotest()
    before = world.hot("specs", "show", "heliotest").stdout
    properties = dict(world.state["properties"])
    for field, change in (("decimals", {"tokenDecimals": properties["tokenDecimals"] - 1}), ("unit", {"tokenSymbol": "HL0"})):
        world.set(properties={**properties, **change})
        for words, code in ((["fetch", url], 1), (["watch", "--once", "--out", world.folder / "updates"], 74)):
            failed = world.hot(*words, code=code)
            assert f"the {field} of heliotest cannot change" in failed.stderr, failed.stderr
        assert world.hot("specs", "show", "heliotest").stdout == before
    world.set(properties=properties)
    world.hot("fetch", url)


@law
def a_name_that_fills_a_screen_is_refused(world):
    for changes in ({"chain": "x" * 129}, {"properties": {**world.state["properties"], "tokenSymbol": "\u00e9" * 65}}):
        kept = {name: world.state[name] for name in changes}
        world.set(**changes)
        assert "a name of more than 128 bytes" in world.hot("fetch", world.node(), code=65).stderr
        assert "heliotest" not in world.hot("network", "list").stdout
        world.set(**kept)
    world.set(chain="x" * 128)
    world.hot("fetch", world.node())


@law
def nothing_is_submitted_where_it_cannot_be_followed(world):
    log = world.folder / "log"
    secure = world.node("--log", str(log))
    plain = world.node("--log", str(log), scheme="http")
    world.hot("fetch", plain)
    signature = "01" + ALICE.sign(transaction(world, 200)).hex()
    log.write_text("")
    for url, said in ((plain, "ws or wss"), ("https://localhost:1", "ws or wss"), ("known", "ws or wss"), ("localhost:9944", "is not a ws, wss"),
                      ("ws://user@localhost", "is not a ws, wss"), ("", "is not a ws, wss"), ("ftp://localhost", "is not a ws, wss")):
        refused = world.hot("read", "--hex", signature, "--submit", url, code=64)
        assert said in refused.stderr and "submitted as" not in refused.stderr and not refused.stdout, (url, refused)
    assert not log.read_text(), log.read_text()
    # A node of another chain is asked for its genesis hash only.
    wrong = world.node("--log", str(log), "--fault", "wrong-chain")
    refused = world.hot("read", "--hex", signature, "--submit", wrong, code=1)
    assert "another chain" in refused.stderr and "submitted as" not in refused.stderr
    assert log.read_text().split() == ["chain_getBlockHash"], log.read_text()
    world.set(submit=["ready", {"finalized": "0x" + "ab" * 32}])
    assert "finalized in block" in world.hot("read", "--hex", signature, "--submit", secure).stdout


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.pictures, self.texts = set(), [], []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        attributes = dict(attributes)
        assert not any(name.startswith("on") for name in attributes), attributes
        if tag == "img":
            self.pictures.append(attributes["src"])

    def handle_data(self, data):
        self.texts.append(data)


@law
def a_portal_shows_every_update_without_a_script(world):
    world.hot("fetch", world.node(), "--title", "<script>alert(1)</script>")
    portal = world.folder / "portal"
    world.hot("portal", portal)
    page = Page()
    page.feed((portal / "index.html").read_text())
    assert "script" not in page.tags and "img" in page.tags
    assert "<script>alert(1)</script>" in page.texts
    assert len(page.pictures) == 6, page.pictures
    small = next(file for file in page.pictures if file.startswith("heliotest_metadata_1000_compressed."))
    assert any("compressed: for Heliograph only" in text for text in page.texts)
    for words, file in [(["add-specs"], "heliotest_specs.png"), (["load-metadata"], "heliotest_metadata_1000.apng"),
                        (["load-metadata", "--compressed"], small)]:
        world.hot("make", *words, "heliotest", "--out", world.folder / "made.hex")
        assert payload(portal / file).hex() == (world.folder / "made.hex").read_text().strip(), file
    newest = json.loads(world.hot("metadata", "list", "--json").stdout)[0]
    assert "0x" + newest["blake2b_256"] in page.texts and "block 0x" + newest["block"] in page.texts


@law
def a_portal_moves_in_a_browser_without_a_script(world):
    world.hot("fetch", world.node())
    portal = world.folder / "portal"
    # A quick animation: the browser of a test shows little time.
    world.hot("portal", portal, "--fps", "15")
    page = (portal / "index.html").read_text()
    start = page.rindex("<details", 0, page.index("<summary>Metadata 1000 <"))
    (portal / "open.html").write_text(page[:start] + "<details open" + page[start + len("<details"):])
    seen = set()
    # A busy machine may show the first frame for long; one of several moments is enough to see another.
    for moment in (400, 1000, 1700, 2500, 3300, 6000, 15000, 30000):
        shot = world.folder / f"{moment}.png"
        browse(portal / "open.html", "--window-size=500,2600", "--force-device-scale-factor=2", f"--virtual-time-budget={moment}",
               f"--screenshot={shot}")
        with PIL.Image.open(shot) as picture:
            codes = zxingcpp.read_barcodes(picture.convert("L"))
        assert len(codes) == 1 and codes[0].bytes[0] & 0x80, codes
        seen.add(codes[0].bytes)
        if len(seen) == 2:
            break
    assert len(seen) == 2, "the picture does not move"


def browse(page, *words, scheme="light"):
    """What a browser without a window prints of a page: a file, or a URL."""
    preferred = f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}"
    url = page if isinstance(page, str) else f"file://{page}"
    run = subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", preferred, *words, url],
                         check=True, capture_output=True, text=True, timeout=120)
    return run.stdout


class Listener:
    """A server on loopback that only writes down what it is asked."""

    def __init__(self):
        self.asked = asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_response(404)
                self.end_headers()

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Attributes(html.parser.HTMLParser):
    """Every attribute of a page, as tag.name, and its texts."""

    def __init__(self, text):
        super().__init__()
        self.names, self.texts = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.names |= {f"{tag}.{name}" for name, _ in attributes} or {tag}

    def handle_data(self, data):
        self.texts.append(data)


@law
def hostile_names_stay_text_in_a_browser(world):
    """Names of a chain, a node and a title that try to leave their attribute or text, with combining marks behind their quotes."""
    with Listener() as listener:
        evil = [
            f'"\u0301 style="background:url({listener.url}/style)" x="', f'">\u0301<img src="{listener.url}/img" onerror="document.title=1">',
            "'\u0338><script>document.title='taken'</script>", f'</title><link rel=stylesheet href="{listener.url}/css">',
            '&quot;"\u20dd onload="document.title=2" "', f'<\u0338svg onload="fetch(\'{listener.url}/svg\')">',
        ]
        world.hot("fetch", world.node(), "--title", evil[0])
        world.only_heliotest()
        portal = world.folder / "portal"
        allowed = None
        # First names without a trick: what they put on the page is what tricks may put there.
        for text in ["plain", *evil]:
            for field in ("title", "unit", "path_id", "logo"):
                world.hot("specs", "set", "heliotest", field, text)
            world.hot("portal", portal, "--title", text)
            rendered = browse(portal / "index.html", "--dump-dom", "--virtual-time-budget=1500")
            names = Attributes(rendered).names
            allowed = allowed or names
            assert names == allowed, names ^ allowed
            assert "<title>taken" not in rendered and "<title>1" not in rendered and "<title>2" not in rendered
        world.hot("specs", "set", "heliotest", "title", " ".join(evil))
        world.hot("portal", portal, "--title", " ".join(evil))
        shot = os.environ.get("HELIOGRAPH_SCREENSHOT", world.folder / "shot.png")
        browse(portal / "index.html", "--window-size=900,1400", f"--screenshot={shot}")
        assert not listener.asked, listener.asked
        # If escaping ever failed, the policy of the page still runs and loads nothing. Without the policy the same page does.
        page = (portal / "index.html").read_text()
        broken = page.replace("<main>", f'<main><img src="{listener.url}/img"><p style="background:url({listener.url}/style)">x</p>'
                              f'<link rel="stylesheet" href="{listener.url}/css"><style>p {{ background: url({listener.url}/sheet) }}</style>'
                              f'<script>document.title="taken"; fetch("{listener.url}/script")</script>'
                              '<img src="data:image/png;base64,AAAA" onerror="document.title=\'taken\'">')
        (portal / "broken.html").write_text(broken)
        assert "<title>taken" not in browse(portal / "broken.html", "--dump-dom", "--virtual-time-budget=1500")
        assert not listener.asked, listener.asked
        policy = re.search(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n', broken)
        (portal / "open.html").write_text(broken.replace(policy[0], ""))
        assert "<title>taken" in browse(portal / "open.html", "--dump-dom", "--virtual-time-budget=1500")
        assert {"/img", "/css", "/style"} <= set(listener.asked), listener.asked
        # The policy names the sheet that the page has.
        [sheet] = re.findall("<style>(.*?)</style>", page, re.DOTALL)
        assert f"'sha256-{base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()}'" in policy[0]


def sign_specs(world):
    """Makes an update of the specs with a signature, which the hot database keeps."""
    world.hot("make", "add-specs", "heliotest", "--out", world.folder / "plain.bin")
    message = (world.folder / "plain.bin").read_bytes()[3:]
    message = message[len(compact(len(message) - 2)):]
    crypto = b"\1" + VERIFIER.public_key + VERIFIER.sign(message)
    world.hot("make", "add-specs", "heliotest", "--sufficient", crypto.hex(), "--out", world.folder / "signed.bin")


# What a person sees of a portal that nobody has opened a picture of: in a frame of the given width, by a script of the page around it.
SIGHT = """
<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<iframe src="index.html" style="width: WIDTHpx; height: 2000px; border: 0"></iframe><pre id="seen"></pre>
<script>
addEventListener("load", () => {
    const page = document.querySelector("iframe").contentDocument, look = page.defaultView, seen = {}
    const canvas = page.createElement("div")
    page.body.append(canvas)
    canvas.style.setProperty("background-color", "Canvas")
    seen.width = look.innerWidth
    seen.scrolled = page.documentElement.scrollWidth
    seen.dark = look.matchMedia("(prefers-color-scheme: dark)").matches
    seen.canvas = look.getComputedStyle(canvas).backgroundColor
    canvas.remove()
    const shown = element => element.checkVisibility() && element.getBoundingClientRect().width > 0
    seen.marks = [...page.querySelectorAll("summary")].map(summary => summary.innerText).filter(text => text)
    seen.hidden = [...page.querySelectorAll("details *")].filter(e => shown(e) && !e.closest("summary")).length
    seen.texts = [...page.querySelectorAll("h1, h2, p, a, dt, dd, summary, summary *")].filter(shown).map(element => {
        const style = look.getComputedStyle(element), box = element.getBoundingClientRect()
        return [element.tagName, element.className, parseFloat(style.fontSize), style.color, box.left, box.right]
    })
    document.getElementById("seen").textContent = btoa(unescape(encodeURIComponent(JSON.stringify(seen))))
})
</script>
"""


@contextlib.contextmanager
def served(folder):
    """A web server on loopback with the files of a folder; its address."""
    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *words):
            super().__init__(*words, directory=folder)

        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def sight(portal, width, dark):
    """What a browser shows of a portal at a width in pixels, in light or dark mode."""
    (portal / "sight.html").write_text(SIGHT.replace("WIDTH", str(width)))
    with served(portal) as url:
        document = browse(f"{url}/sight.html", "--dump-dom", "--virtual-time-budget=5000", scheme="dark" if dark else "light")
    seen = json.loads(base64.b64decode(re.search('<pre id="seen">([^<]+)</pre>', document)[1]))
    assert seen["width"] == width and seen["dark"] == dark, seen
    return seen


def contrast(one, other):
    """The contrast of two colours as WCAG 2.1 defines it, 1 to 21. Text needs 4.5."""
    def luminance(text):
        parts = [int(part) / 255 for part in re.findall(r"\d+", text)[:3]]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@law
def a_portal_names_the_signer_before_anything_is_opened(world):
    world.hot("fetch", world.node())
    world.only_heliotest()
    key, portal = f"sr25519:0x{VERIFIER.public_key.hex()}", world.folder / "portal"
    short = f"sr25519 0x{VERIFIER.public_key.hex()[:8]}…{VERIFIER.public_key.hex()[-8:]}"
    def marks():
        world.hot("portal", portal)
        seen = sight(portal, 360, dark=False)
        # The pictures are closed, so the list is all that is seen.
        assert seen["hidden"] == 0 and len(seen["marks"]) == 3, seen
        return [" ".join(mark.split()) for mark in seen["marks"]]
    assert all(mark.endswith("unsigned") for mark in marks())
    sign_specs(world)
    first, *others = marks()
    assert first.endswith(f"signed by {short}") and "unsigned" not in first, first
    assert all(mark.endswith("unsigned") for mark in others), others
    # The label is text, and the key stands beside it: a label proves nothing.
    for label, text in (("Alice & <b>co</b>", "Alice & <b>co</b>"), ('"\u0301 onload="x', '"\\u{301} onload="x'), ("unsigned", "unsigned")):
        world.hot("verifier", "label", key, label)
        assert marks()[0].endswith(f"signed by {text}, {short}"), marks()
    world.hot("verifier", "label", key)
    assert marks()[0].endswith(f"signed by {short}")


@law
def a_portal_is_readable_on_a_phone_and_in_the_dark(world):
    long = "A network with a name that is long, and aSingleWordThatIsLongerThanAnyLineOfAPhone" + "x" * 46
    world.hot("fetch", world.node(), "--title", long)
    sign_specs(world)
    world.hot("verifier", "label", f"sr25519:{VERIFIER.public_key.hex()}", "W" * 64)
    portal = world.folder / "portal"
    world.hot("portal", portal, "--title", "x" * 200)
    for width in (320, 412, 1280):
        for dark in (False, True):
            seen = sight(portal, width, dark)
            assert seen["scrolled"] <= width, f"{width} pixels: the page is {seen['scrolled']} wide"
            assert len(seen["texts"]) > 20
            for tag, name, size, color, left, right in seen["texts"]:
                told = f"{width} pixels, {'dark' if dark else 'light'}: {tag} {name}"
                assert left >= 0 and right <= width and size >= 14, f"{told}: from {left} to {right}, {size} pixels high"
                assert contrast(color, seen["canvas"]) >= 4.5, f"{told}: {color} on {seen['canvas']}"
    # A code is dark on white in dark mode too.
    page = (portal / "index.html").read_text()
    start = page.index("<details")
    (portal / "open.html").write_text(page[:start] + "<details open" + page[start + len("<details"):])
    shot = pathlib.Path(os.environ.get("HELIOGRAPH_SCREENSHOT_DARK", world.folder / "dark.png"))
    browse(portal / "open.html", "--window-size=500,2600", "--force-device-scale-factor=2", f"--screenshot={shot}", scheme="dark")
    with PIL.Image.open(shot) as picture:
        assert picture.convert("L").getpixel((2, 2)) < 64, "the page is not dark"
        [code] = zxingcpp.read_barcodes(picture.convert("L"), try_invert=False)
    assert code.bytes == (world.folder / "signed.bin").read_bytes()


def configure(parser):
    """Takes the folders of the programs."""
    parser.add_argument("binaries", type=pathlib.Path, help="folder of heliograph-hot and heliograph-fixture")
    parser.add_argument("--scanner", type=pathlib.Path, help="folder of heliograph-scanner (default: found on PATH)")
    parser.add_argument("--in-namespace", action="store_true", help="this machine has the addresses of other hosts already")
    parser.add_argument("--law", action="append", default=[], help="run the laws whose names hold this text only")


def run(options):
    """1 when a law failed."""
    global BIN
    BIN = options.binaries.resolve()
    if options.scanner:
        os.environ["PATH"] = f"{options.scanner.resolve()}:{os.environ['PATH']}"
    laws = LAWS + hot_proofs.LAWS + hot_signing.LAWS
    chosen = [law for law in laws if not options.law or any(text in law.__name__.replace("_", " ") for text in options.law)]
    def passes(law):
        return holds_elsewhere(law, options) if getattr(law, "has_hosts", False) and not options.in_namespace else holds(law)
    passed = [passes(law) for law in chosen].count(True)
    if not options.in_namespace:
        print(f"{passed} passed, {len(chosen) - passed} failed")
    return 0 if passed == len(chosen) else 1
