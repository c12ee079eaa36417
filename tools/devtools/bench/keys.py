"""Keys a second: ours beside the Rust, C and Python-bound peers, in one run on this machine.

Each row runs for about a second. The peers are called through their Python bindings, which costs them well under a microsecond a call.
"""

import hashlib
import subprocess
import time

import coincurve
import nacl.bindings
import sr25519

from ..common import build

MESSAGE = bytes([7]) * 200
SEED = bytes([1]) + bytes(31)


def rate(body):
    for _ in range(20):
        body()
    runs, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < 1:
        for _ in range(50):
            body()
        runs += 50
    return runs / spent


def peers():
    pair = sr25519.pair_from_seed(SEED)
    signature = sr25519.sign(pair, MESSAGE)
    chain = bytes(32)

    def derive():
        public, secret = sr25519.pair_from_seed(SEED)
        for _ in range(2):
            _, public, secret = sr25519.hard_derive_keypair((chain, public, secret), b"")

    public, secret = nacl.bindings.crypto_sign_seed_keypair(SEED)
    signed = nacl.bindings.crypto_sign(MESSAGE, secret)
    key = coincurve.PrivateKey(SEED)
    digest = hashlib.blake2b(MESSAGE, digest_size=32).digest()
    ecdsa = key.sign_recoverable(digest, hasher=None)
    der = key.sign(digest, hasher=None)
    def recover():
        return coincurve.PublicKey.from_signature_and_message(ecdsa, digest, hasher=None)
    def verify():
        return key.public_key.verify(der, digest, hasher=None)
    return {
        "sr25519 sign": ("py-sr25519-bindings", lambda: sr25519.sign(pair, MESSAGE)),
        "sr25519 verify": ("py-sr25519-bindings", lambda: sr25519.verify(signature, MESSAGE, pair[0])),
        "sr25519 derive two hard junctions": ("py-sr25519-bindings", derive),
        "ed25519 sign": ("PyNaCl", lambda: nacl.bindings.crypto_sign(MESSAGE, secret)),
        "ed25519 verify": ("PyNaCl", lambda: nacl.bindings.crypto_sign_open(signed, public)),
        "ecdsa sign": ("coincurve", lambda: key.sign_recoverable(digest, hasher=None)),
        "ecdsa verify": ("coincurve, verify and recover", lambda: (verify(), recover())),
    }


def configure(parser):
    """Takes no options."""


def run(options):
    """Builds keys-peer and prints every row."""
    binary = build("keys-peer", "-c", "release")
    ours = dict(line.split("\t") for line in subprocess.run([binary, "bench"], capture_output=True, text=True, check=True).stdout.splitlines())
    peer = {name: (who, rate(body)) for name, (who, body) in peers().items()}
    print(f"{'':36}{'heliograph':>12}{'peer':>12}{'ratio':>8}  peer")
    for name, count in ours.items():
        if name in peer:
            who, other = peer[name]
            print(f"{name:36}{int(count):>10}/s{other:>10.0f}/s{int(count) / other:>8.2f}  {who}")
        else:
            print(f"{name:36}{int(count):>10}/s")
