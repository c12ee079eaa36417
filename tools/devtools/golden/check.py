"""Freezes everything again into another folder and compares it with fixtures/: what is committed is what the independent programs answer.

Signatures of sr25519 are random, so of those the golden one is verified instead. Not frozen again: the packets of the other version of PyPI raptorq, and
the cases of Wycheproof, whose published files are not at hand.
"""
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from ..common import DEV, FIXTURES, folders

RANDOM = "keys/sr25519.json"
configure = folders


def commands(hot, cold):
    """The command lines that freeze."""
    both = [hot, cold]
    return [["fixture-runtime"], ["decode"], ["derived", *both], ["guarded"], ["keys"], ["raptorq"], ["threshold"], ["tries"], ["updates", *both]]


def plain(path):
    """The content of a file; of random signatures only whether each is valid."""
    if not str(path).endswith(RANDOM):
        return path.read_bytes()
    from .keys import peer_verify

    cases = json.loads(path.read_text())
    for case in cases:
        key, message, signature = (bytes.fromhex(case[name]) for name in ("publicKey", "message", "signature"))
        case["signature"] = peer_verify("sr25519", key, message, signature)
    return json.dumps(cases).encode()


def differences(again):
    """The files that were frozen and differ from those of fixtures/, and how many were compared."""
    files = sorted(p.relative_to(again) for p in again.rglob("*") if p.is_file())
    return [str(f) for f in files if not (FIXTURES / f).exists() or plain(again / f) != plain(FIXTURES / f)], len(files)


def run(options):
    with tempfile.TemporaryDirectory() as name:
        again = pathlib.Path(name)
        for folder in ("fixture-runtime", "decode", "derived", "keys", "raptorq", "state", "updates"):
            (again / folder).mkdir()
        for words in commands(options.hot, options.cold):
            done = subprocess.run([sys.executable, DEV, "golden", *words], env={**os.environ, "HELIOGRAPH_FIXTURES": name}, stdout=sys.stderr)
            if done.returncode != 0:
                print(f"tools/dev golden {words[0]} ended with {done.returncode}")
                return 1
        changed, count = differences(again)
    for file in changed:
        print(f"differs: fixtures/{file}")
    print(f"frozen again: {count} files, {len(changed)} differ (raptorq {importlib.metadata.version('raptorq')})")
    return 1 if changed or not count else 0
