"""Checks fixtures/shares/slip39-published.json, and makes the other files there, with independent programs that tools/requirements.txt does not need otherwise:

    pip install shamir-mnemonic==0.3.0 bip-utils==2.12.3 mnemonic==0.21
"""
import hashlib
import hmac
import json
import random

from bip_utils import Bip32Slip10Secp256k1, EthAddrEncoder
from mnemonic import Mnemonic
from shamir_mnemonic import MnemonicError, combine_mnemonics, generate_mnemonics, shamir

from ..common import FIXTURES

OUT = FIXTURES / "shares"
ETHEREUM = "m/44'/60'/0'/0/0"
# What the published vectors use.
PASSPHRASE = b"TREZOR"


def configure(parser):
    """Takes no options."""


def write(name, cases):
    (OUT / name).write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
    print(f"{name}: {len(cases)} cases")


def address(secret):
    """Of Ethereum, where wallets put the first one, with the secret in the place of a BIP-39 seed."""
    node = Bip32Slip10Secp256k1.FromSeed(secret).DerivePath(ETHEREUM)
    return EthAddrEncoder.EncodeKey(node.PublicKey().KeyObject())


def published():
    for case in json.loads((OUT / "slip39-published.json").read_text()):
        try:
            assert combine_mnemonics(case["shares"], PASSPHRASE).hex() == case["secret"], case["id"]
        except MnemonicError:
            assert case["secret"] is None, case["id"]


def slip39(rng):
    """Sets of every length, with and without groups, a passphrase and the extendable flag: all shares, and some that join."""
    shamir.RANDOM_BYTES = rng.randbytes
    for number, (length, passphrase, extendable, exponent, threshold, groups) in enumerate([
        (16, b"", True, 1, 1, [(2, 3)]), (16, b"", False, 0, 1, [(1, 1)]), (18, b"a", True, 0, 1, [(3, 5)]),
        (20, b"with spaces ~", False, 1, 1, [(2, 2)]), (22, b"", False, 0, 1, [(4, 4)]), (24, b"", True, 0, 1, [(2, 3)]),
        (26, b"x" * 60, False, 0, 1, [(2, 3)]), (28, b"", True, 2, 1, [(5, 6)]), (30, b"!", True, 0, 1, [(2, 3)]),
        (32, b"", True, 1, 1, [(16, 16)]), (32, b"TREZOR", False, 0, 2, [(1, 1), (2, 3), (3, 5)]),
        (16, b"", True, 0, 3, [(2, 2), (2, 3), (1, 1), (3, 3)]), (32, b"p", True, 3, 16, [(1, 1)] * 16),
    ]):
        secret = rng.randbytes(length)
        made = generate_mnemonics(threshold, groups, secret, passphrase, extendable, exponent)
        chosen = [share for group, (needed, _) in list(zip(made, groups))[-threshold:] for share in rng.sample(group, needed)]
        rng.shuffle(chosen)
        assert combine_mnemonics(chosen, passphrase) == secret
        other = combine_mnemonics(chosen, passphrase + b"x")
        yield {"id": number, "passphrase": passphrase.decode(), "all": [share for group in made for share in group], "shares": chosen,
               "secret": secret.hex(), "wrongPassphrase": other.hex(), "ethereum": address(secret)}


def bip85(rng):
    """Children of phrases, by the BIP's recipe over the nodes of bip-utils."""
    words = Mnemonic("english")
    for number in range(12):
        phrase = words.to_mnemonic(rng.randbytes(rng.choice([16, 20, 24, 28, 32])))
        seed, count, index = Mnemonic.to_seed(phrase), rng.choice([12, 18, 24]), rng.choice([0, 1, 7, rng.randrange(1 << 31), (1 << 31) - 1])
        node = Bip32Slip10Secp256k1.FromSeed(seed).DerivePath(f"m/83696968'/39'/0'/{count}'/{index}'")
        entropy = hmac.new(b"bip-entropy-from-k", node.PrivateKey().Raw().ToBytes(), hashlib.sha512).digest()[:count // 3 * 4]
        yield {"id": number, "phrase": phrase, "words": count, "index": index, "child": words.to_mnemonic(entropy)}


def run(options):
    published()
    write("slip39.json", list(slip39(random.Random("heliograph slip39"))))
    write("bip85.json", list(bip85(random.Random("heliograph bip85"))))
