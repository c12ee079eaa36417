"""Compares keys, signatures and mini-secrets of random cases with independent programs, in both directions."""

import random
import subprocess

import bip39
from mnemonic import Mnemonic

from ..common import SHIPPED, build
from ..freeze.keys import peer_sign, peer_verify, random_path


def configure(parser):
    """Takes how many cases."""
    parser.add_argument("count", nargs="?", type=int, default=1000, help="cases of each scheme (default: %(default)s)")
    parser.add_argument("--seed", type=int, help="of the cases (default: a new one, which is printed)")


def run(options):
    """0; a difference raises."""
    count = options.count
    peer = subprocess.Popen([build("keys-peer", *SHIPPED), "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(*fields):
        peer.stdin.write("\t".join(fields) + "\n")
        peer.stdin.flush()
        return peer.stdout.readline().rstrip("\n").split("\t")

    seed = random.SystemRandom().getrandbits(32) if options.seed is None else options.seed
    print(f"seed {seed}")
    rng = random.Random(seed)
    for scheme in ["sr25519", "ed25519", "ecdsa", "ethereum"]:
        for _ in range(count):
            seed, message = rng.randbytes(32), rng.randbytes(rng.randrange(1, 600))
            parts, path = random_path(rng, soft=scheme == "sr25519")
            public, signature = peer_sign(scheme, seed, parts, message)
            ours = ask("sign", scheme, seed.hex(), path, message.hex())
            assert ours[0] == public.hex(), (scheme, seed.hex(), path)
            assert peer_verify(scheme, public, message, bytes.fromhex(ours[1])), (scheme, "ours refused", seed.hex(), path)
            assert ask("verify", scheme, public.hex(), message.hex(), signature.hex()) == ["true"], (scheme, "theirs refused")
            flipped = bytearray(signature)
            flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
            assert ask("verify", scheme, public.hex(), message.hex(), bytes(flipped).hex()) == ["false"], (scheme, "flipped accepted")
            if scheme != "sr25519":
                assert ours[1] == signature.hex(), (scheme, "deterministic signatures differ")
        print(f"{scheme}: {count} cases, same keys, signatures accepted in both directions, flipped ones refused")
    words = Mnemonic("english")
    for _ in range(count):
        phrase = words.to_mnemonic(rng.randbytes(rng.choice([16, 20, 24, 28, 32])))
        password = rng.choice(["", "x", "a/b", "é"])
        assert ask("phrase", phrase, password) == [bytes(bip39.bip39_to_mini_secret(phrase, password)).hex()], phrase
    print(f"mnemonics: {count} mini-secrets agree")
    peer.stdin.close()
    assert peer.wait() == 0
