"""Copies the vectors of threshold signing that the tests need to fixtures/threshold, and computes fingerprints of host keys."""
import hashlib
import json

from mnemonic import Mnemonic

from ..common import FIXTURES, shared_file

OUT = FIXTURES / "threshold"


def fingerprint(key):
    """The first 88 bits of T(`fingerprint`, key) as eight words."""
    digest = hashlib.sha512(b"HELIOGRAPH-GROUP-v1" + bytes([len(b"fingerprint")]) + b"fingerprint" + key).digest()
    bits = int.from_bytes(digest[:11], "big")
    words = Mnemonic("english").wordlist
    return " ".join(words[bits >> shift & 2047] for shift in range(77, -1, -11))


def write(name, value):
    """One file, a value a line."""
    (OUT / name).write_text(json.dumps(value, indent=1) + "\n")


def run(options):
    source = shared_file("threshold/vectors.json")
    if source is None:
        return 0
    OUT.mkdir(exist_ok=True)
    vectors = json.loads(source.read_text())
    groups = [group for group in vectors["groups"] if group["kind"] != "reshare"]
    write("groups.json", groups)
    write("reshared.json", [group for group in vectors["groups"] if group["kind"] == "reshare"])
    write("nonce-reuse.json", vectors["nonce_reuse"])
    write("rfc9591.json", vectors["rfc9591"])
    keys = sorted({key for group in groups for key in group["host_public_keys"]})
    write("fingerprints.json", [{"key": key, "words": fingerprint(bytes.fromhex(key))} for key in keys])
    return 0
