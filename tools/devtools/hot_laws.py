"""What heliograph-hot does with a node and with pictures, at the command line: a stand-in node answers, sound or with a fault.

Pictures are read by zxing-cpp, Pillow and raptorq, signatures are made by schnorrkel.
"""
import contextlib
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import time

from substrateinterface import Keypair

from . import hot_guarded, hot_lives, hot_nodes, hot_portals, hot_practice, hot_proofs, hot_signing, hot_states  # noqa: F401 (their laws)
from .common import WESTEND, binaries_option, compact, dev, shared_file, side_by_side, to_sign
from .hot_world import ALICE, LAWS, MAKE, VERIFIER, World, holds, law, of_hosts, publish
from .peers import payload
from .stand_in_node import OTHER_HOSTS, SHAPES


def holds_elsewhere(function, options):
    """Whether a law of several hosts passes; one that no namespace can be made for is skipped."""
    give = " && ".join(["ip link set lo up", *(f"ip address add {address} dev lo" for address in OTHER_HOSTS), 'exec "$@"'])
    enter = ["unshare", "--map-root-user", "--net", "sh", "-c", give, "--"]
    name = function.__name__.replace("_", " ")
    if subprocess.run([*enter, "true"], capture_output=True).returncode != 0:
        print("skip", name, "-- it needs a network namespace", flush=True)
        return True
    scanner = ["--scanner", options.scanner] if options.scanner else []
    return subprocess.run([*enter, *dev("hot-laws", World.bin, *scanner, "--in-namespace", "--law", name)]).returncode == 0


@law
def a_fetch_takes_specs_and_metadata_over_each_transport(world):
    certificates = world.certificates()
    secure = ["--certificate", certificates / "loopback.pem"]
    for scheme, words in {"ws": [], "http": [], "wss": secure, "https": secure}.items():
        world.database = world.folder / scheme
        world.hot("fetch", world.node("--any-order", *words, scheme=scheme), "--authority", certificates / "ca.pem")
        stored = world.json("metadata", "list")
        assert [(m["version"], m["format"]) for m in stored] == [(1000, 14), (1000, 15)], stored
        specs = world.json("specs", "show", "heliotest")[0]
        for field in ("name", "base58prefix", "decimals", "unit", "genesis_hash", "encryption", "path_id"):
            assert specs[field] == world.specs[field], field


@law
@of_hosts
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
        world.says("the URLs name 1 host: 127.0.0.1", "fetch", one, url, "--quorum", 2, *quick, code=64)
    world.database = world.folder / "agreed"
    assert world.hot("fetch", one, other, third, "--quorum", 3).stdout.endswith("; agreed by 127.0.0.1, 192.0.2.2, 192.0.2.3\n")
    world.only_heliotest()
    # All that agreed are known, so a fetch and a transaction by name ask them again.
    assert world.hot("fetch", "--name", "heliotest", "--quorum", 3).stdout.endswith("; agreed by 127.0.0.1, 192.0.2.2, 192.0.2.3\n")
    make = [*MAKE, "--call-hex", "00000404", "--without-proof"]
    assert "believed from one node" in world.hot(*make, "--url", "known", "--out", world.folder / "one.bin").stderr
    world.says("agreed by 127.0.0.1, 192.0.2.2, 192.0.2.3", *make, "--url", "known", "--quorum", 3, "--out", world.folder / "three.bin")
    assert (world.folder / "one.bin").read_bytes() == (world.folder / "three.bin").read_bytes()
    world.says("heliotest: runtime 1000 agreed by 127.0.0.1, 192.0.2.2, 192.0.2.3\n", "watch", "--once", "--quorum", 3, "--out",
               world.folder / "agreed-updates")
    # A node that lies: about a nonce, about metadata. Each answer stands with its host, and nothing is written.
    honest = world.chain
    world.other_chain("lie")
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
    world.says("nonce: ", *make, "--nonce", 1, "--url", one, "--url", liar, "--quorum", 2, "--out", world.folder / "lied.bin", code=1)
    world.set(nonces={})
    refused = world.hot(*make, "--url", one, "--url", liar, "--quorum", 2, "--out", world.folder / "lied.bin", code=1).stderr
    assert "metadata V14: " in refused and not world.hot("metadata", "list").stdout, refused


@law
def real_metadata_arrives_unchanged(world):
    data = shared_file("metadata/westend-9122-v14.scale")
    if data is None:
        return
    shutil.copy(data, world.chain / "14.scale")
    world.set(chain="Westend", genesis="0x" + WESTEND, specName="westend",
              specVersion=9122, onlyOldMetadata=True, properties={"ss58Format": 42, "tokenDecimals": [12], "tokenSymbol": ["WND"]})
    world.hot("fetch", world.node("--any-order"), "--name", "westend")
    stored = world.json("metadata", "list", "westend")
    assert [(m["version"], m["format"]) for m in stored] == [(9122, 14)]
    assert stored[0]["blake2b_256"] == hashlib.blake2b(data.read_bytes(), digest_size=32).hexdigest()


@law
def a_certificate_of_another_name_or_an_unknown_authority_is_refused(world):
    certificates = world.certificates()
    for name, words, said in [("elsewhere", ["--authority", certificates / "ca.pem"], "not for localhost"), ("loopback", [], "no trusted")]:
        url = world.node("--certificate", certificates / f"{name}.pem", scheme="wss")
        assert said in world.hot("fetch", url, *words, "--attempts", 1, code=74).stderr


@law
def a_server_with_old_tls_is_refused_and_said_so(world):
    certificates = world.certificates()
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
    certificates = world.certificates()
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
            [*MAKE, "--call-hex", "00000404", "--url", "known", "--out", world.folder / "asked.bin"],
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
    kept = world.json("pin", "list")
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
        world.says(said, "fetch", url, *words, code=code)
        # The node without a fault gets as much time as a busy machine needs, where the fault does not take that long.
        if "within" not in said:
            words[1] = 60
        told = world.hot("fetch", url, sound, *words).stderr
        assert told.count(said) == 1, f"{fault}: {told}"


@law
def thirty_megabytes_of_any_shape_are_refused(world):
    """As the answer to any question, and only where metadata is expected."""
    for scheme, words in (("http", []), ("ws", ["--fault-method", "state_getMetadata"])):
        for shape in SHAPES:
            world.hot("fetch", world.node("--fault", f"hostile-{shape}", *words, scheme=scheme), "--attempts", 1, "--timeout", 60, code=74)


@law
def a_node_of_another_chain_is_refused_and_nothing_is_kept(world):
    world.hot("fetch", world.node())
    before = world.hot("metadata", "list").stdout
    world.runtime(1001)
    world.says(("another chain", world.state["genesis"][2:]), "fetch", world.node("--fault", "wrong-chain"), "--name", "heliotest", code=1)
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
    assert len(world.json("metadata", "list")) == 1


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
    specs = world.json("specs", "show", "heliotest")[0]
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
        refused = world.start("file", "check", world.folder / "bad.bin", stderr=subprocess.PIPE, text=True)
        said = refused.communicate()[1]
        assert refused.returncode in (1, 65) and word in said, said
    # A database that never saw the plain form takes the same metadata from the compressed one.
    world.database = world.folder / "other"
    world.hot("import", world.chain / "specs.json")
    world.hot("import", world.folder / "small.bin")
    stored = world.json("metadata", "list")
    assert [m["blake2b_256"] for m in stored] == [hashlib.blake2b(blob, digest_size=32).hexdigest()]


@law
def a_result_that_does_not_arrive_ends_with_74(world):
    """A full disk behind stdout: the command did not succeed."""
    with open("/dev/full", "wb") as full:
        run = subprocess.run([world.bin / "heliograph-hot", "help", "errors"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 74, run.returncode
    assert "the results cannot be written: no space left on device" in run.stderr, run.stderr


@law
def metadata_goes_only_when_newer_comes_and_this_is_said(world):
    def versions():
        return [m["version"] for m in world.json("metadata", "list") if m["format"] == 14]
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
    world.says(("metadata for heliotest 1000 was not saved: 3 newer versions are kept", "--keep 4"), "import", world.chain / "14.scale", code=1)
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
    removed = [event["detail"] for event in world.json("history", "list", "heliotest") if event["event"] == "removed"]
    assert [detail.split(",")[0] for detail in removed] == [f"metadata {version}" for version in (1000, 1000, 1003, 1002, 1001)], removed
    assert all(len(m["block"]) == 64 for m in world.json("metadata", "list"))


@law
def a_published_update_is_read_from_pictures_and_keeps_its_signature(world):
    world.known()
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
        world.says(("heliotest: specs saved", said), "import", world.folder / "specs.png")
        world.says(("(V14) saved", said), "import", world.folder / source)
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
    world.says(("is a directory", "--separate"), *qr, code=64)
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
            world.refuses("does not match this payload", *words, wrong, code=65)
    assert "not verified: --payload FILE names the message" in world.hot("read", "--hex", signature).stderr
    # A transaction is no message.
    world.known()
    transaction(world, 200)
    world.refuses("does not match this payload", "read", "--hex", signature, "--payload", world.folder / "tx.bin", code=65)


@law
def a_stored_url_gives_the_nonce(world):
    log = world.folder / "log"
    url = world.node("--any-order", "--log", str(log))
    world.hot("fetch", url)
    world.set(nonces={ALICE.ss58_address: 41})
    words = [*MAKE, "--call-hex", "00000404", "--out", world.folder / "tx.bin"]
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
    assert payload(out / "heliotest_metadata_1000.apng") == world.made("load-metadata", "heliotest")
    [small] = out.glob("heliotest_metadata_1000_compressed.*")
    assert payload(small) == world.made("load-metadata", "heliotest", "--compressed")
    log.write_text("")
    world.hot("watch", "--once", "--out", out)
    assert "state_getMetadata" not in log.read_text() and "state_getRuntimeVersion" in log.read_text()
    world.runtime(1001)
    # Killed at ten moments of its work, it finishes when it is started again.
    for moment in range(10):
        process = world.start("watch", "--every", "1s", "--out", out, stderr=subprocess.DEVNULL)
        time.sleep(0.02 + 0.08 * moment)
        process.send_signal(signal.SIGKILL)
        process.wait()
        json.loads((out / "watch-state.json").read_text())
    world.hot("watch", "--once", "--out", out)
    assert json.loads((out / "watch-state.json").read_text())["networks"]["heliotest"]["version"] == 1001
    assert payload(out / "heliotest_metadata_1001.apng") == world.made("load-metadata", "heliotest")


@law
def a_second_watch_stays_out_and_a_failure_is_in_the_state(world):
    out = world.folder / "updates"
    url = world.node()
    world.hot("fetch", url)
    world.only_heliotest()
    first = world.start("watch", "--every", "1h", "--out", out, stderr=subprocess.DEVNULL)
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
    world.known()
    # 154 bytes of remark make a payload of 19 symbols of 16 bytes, and RFC 6330 pads 19 to 20.
    remark = bytes([0, 0, 154 << 2 & 0xff | 1, 154 >> 6]) + bytes(range(154))
    payload = world.made(*MAKE[1:], "--nonce", 1, "--call-hex", remark.hex(), "--without-proof", out="tx.bin")
    assert -(-len(payload) // 16) == 19, len(payload)
    message = payload[37:-32]
    signature = "01" + ALICE.sign(to_sign(message)).hex()
    other = "01" + ALICE.sign(b"something else").hex()
    extrinsic = world.hot("read", "--hex", signature).stdout

    # 19 frames with a repair symbol among them: the request is what the signature fits, and nothing else tells.
    unproved = some_frames(world, "request", payload.hex(), {3}, 19)
    assert world.hot("read", "--hex", signature, "--payload", unproved).stdout == extrinsic
    world.refuses("do not prove", "read", "--hex", other, "--payload", unproved, code=65)
    proved = some_frames(world, "request", payload.hex(), {3}, 20)
    assert world.hot("read", "--hex", signature, "--payload", proved).stdout == extrinsic
    assert "does not match this payload" in world.hot("read", "--hex", other, "--payload", proved, code=65).stderr

    # An answer is 130 hex digits, 9 symbols, which are padded to 10.
    answer = signature.encode().hex()
    world.refuses("do not prove", "read", some_frames(world, "answer", answer, {3}, 9), code=65)
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
    shown = world.json("specs", "show", "heliotest")[0]
    assert (shown["title"], shown["unit"]) == (HOSTILE_NAME, "\u0441\u202e"), shown
    assert world.hot("specs", "show", "heliotest").stdout.isascii()
    assert "\x1b" not in world.hot("network", "list").stdout


def transaction(world, length):
    """Writes tx.bin, a remark by //Alice whose signed bytes have this length, and returns those bytes."""
    def make(size):
        # 64 to 16383 bytes have a length of two bytes, so that the rest grows by one with each of them.
        remark = bytes([0, 0]) + compact(size) + bytes(index % 251 for index in range(size))
        made = world.made(*MAKE[1:], "--nonce", 1, "--call-hex", remark.hex(), "--without-proof", out="tx.bin")
        return made[35 + len(compact(len(remark))):-32]
    message = make(100 + length - len(make(100)))
    assert len(message) == length, len(message)
    return message


@law
def signatures_over_255_256_and_257_bytes_are_verified_as_others_make_them(world):
    world.known()
    for length in (255, 256, 257):
        message = transaction(world, length)
        digest = hashlib.blake2b(message, digest_size=32).digest()
        right, wrong = (message, digest) if length <= 256 else (digest, message)
        signature = ALICE.sign(right)
        extrinsic = bytes.fromhex(world.hot("read", "--hex", "01" + signature.hex(), "--payload", world.folder / "tx.bin").stdout)
        # The extrinsic carries what schnorrkel verifies over the bytes that the chain checks.
        found = re.search(re.escape(bytes([0x84, 0]) + ALICE.public_key + b"\1") + b"(.{64})", extrinsic, re.DOTALL)
        assert found and ALICE.verify(right, found[1]) and not ALICE.verify(wrong, found[1])
        world.refuses("does not match this payload", "read", "--hex", "01" + ALICE.sign(wrong).hex(), "--payload", world.folder / "tx.bin", code=65)


@law
def fewer_or_more_signatures_than_transactions_are_refused(world):
    world.known()
    words = [*MAKE, "--without-proof", "--nonce", 1]
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
    world.known()
    publish(world, ["add-specs", "heliotest"], "signed.bin")
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
            world.says(f"the {field} of heliotest cannot change", *words, code=code)
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
    for url, said in ((plain, "ws or wss"), ("https://localhost:1", "ws or wss"), ("stored", "ws or wss"), ("localhost:9944", "is not a ws, wss"),
                      ("ws://user@localhost", "is not a ws, wss"), ("", "is not a ws, wss"), ("ftp://localhost", "is not a ws, wss")):
        refused = world.hot("read", "--hex", signature, "--submit", url, code=64)
        assert said in refused.stderr and "submitted as" not in refused.stderr and not refused.stdout, (url, refused)
    assert not log.read_text(), log.read_text()
    # A node of another chain is asked for its genesis hash only.
    wrong = world.node("--log", str(log), "--fault", "wrong-chain")
    refused = world.hot("read", "--hex", signature, "--submit", wrong, code=1)
    assert "another chain" in refused.stderr and "submitted as" not in refused.stderr
    assert log.read_text().split() == ["chain_getBlockHash"], log.read_text()
    block = "0x" + "ab" * 32
    world.set(submit=["ready", {"finalized": block}], body={block: ["submitted"]})
    assert "finalized in block" in world.hot("read", "--hex", signature, "--submit", secure).stdout


@law
def an_export_of_keys_shows_addresses_of_its_networks_and_says_that_nobody_signed_it(world):
    world.known()
    genesis = bytes.fromhex(world.specs["genesis_hash"])

    def export(address, scheme=1):
        def text(value):
            return compact(len(value)) + value.encode()
        key = text(address) + b"\1" + text("//Alice") + bytes([scheme]) + genesis
        file = world.folder / "export.bin"
        file.write_bytes(b"\x53\xff\xde\1" + text("main") + b"\1" + ALICE.public_key + compact(1) + key + compact(2) + b"\0\1")
        return f"@{file}"
    bob = Keypair.create_from_uri("//Bob")
    for right in (ALICE.ss58_address, bob.ss58_address):
        run = world.says("such an answer is not signed: compare an address", "read", "--hex", export(right))
        assert run.stdout.startswith(f"{right}  main//Alice  0x{genesis.hex()}"), run
    for wrong, code in ((ALICE.ss58_address[:-1] + "Z", 65), ("not an address at all, believe me", 65), ("", 65), ("0x" + "02" * 33, 65),
                        (Keypair(public_key=ALICE.public_key, ss58_format=0).ss58_address, 65)):
        world.refuses("", "read", "--hex", export(wrong), code=code)
    world.says("has SS58 prefix 0, but the addresses of heliotest have 42", "read", "--hex",
               export(Keypair(public_key=ALICE.public_key, ss58_format=0).ss58_address), code=65)


@law
def a_pipe_without_a_writer_is_no_authority(world):
    pipe = world.folder / "authority"
    os.mkfifo(pipe)
    began = time.monotonic()
    world.says("is a pipe, and nothing writes to it", "fetch", "wss://localhost:1", "--authority", pipe, "--timeout", 3, code=74)
    assert time.monotonic() - began < 20


def configure(parser):
    binaries_option(parser)
    parser.add_argument("--scanner", type=pathlib.Path, help="folder of heliograph and heliograph-scanner (default: found on PATH)")
    parser.add_argument("--in-namespace", action="store_true", help="this machine has the addresses of other hosts already")
    parser.add_argument("--law", action="append", default=[], help="run the laws whose names hold this text only")


def laws():
    """Name → law."""
    return {law.__name__: law for law in LAWS}


def passes(options, name):
    """Whether the law of this name passes; one of several hosts runs in a namespace that has their addresses."""
    law = laws()[name]
    return holds_elsewhere(law, options) if getattr(law, "has_hosts", False) and not options.in_namespace else holds(law)


def run(options):
    World.bin = options.binaries
    if options.scanner:
        os.environ["PATH"] = f"{options.scanner.resolve()}:{os.environ['PATH']}"
    chosen = [name for name in laws() if not options.law or any(text in name.replace("_", " ") for text in options.law)]
    # A law waits for nodes and browsers, and has a world of its own.
    passed = list(side_by_side(functools.partial(passes, options), chosen, 3)).count(True)
    if not options.in_namespace:
        print(f"{passed} passed, {len(chosen) - passed} failed")
    return 0 if passed == len(chosen) else 1
