"""Compares keys, signatures and mini-secrets of random cases with independent programs, in both directions."""
import bip39
from mnemonic import Mnemonic

from ..golden.keys import peer_sign, peer_verify, random_path
from . import KeysPeer, case_options, flipped, generator


def configure(parser):
    case_options(parser, 1000, "cases of each scheme")


def run(options):
    count, peer, rng = options.count, KeysPeer("serve"), generator(options.seed)
    ask = peer.ask
    for scheme in ["sr25519", "ed25519", "ecdsa", "ethereum"]:
        for _ in range(count):
            seed, message = rng.randbytes(32), rng.randbytes(rng.randrange(1, 600))
            parts, path = random_path(rng, soft=scheme == "sr25519")
            public, signature = peer_sign(scheme, seed, parts, message)
            ours = ask("sign", scheme, seed.hex(), path, message.hex())
            assert ours[0] == public.hex(), (scheme, seed.hex(), path)
            assert peer_verify(scheme, public, message, bytes.fromhex(ours[1])), (scheme, "ours refused", seed.hex(), path)
            assert ask("verify", scheme, public.hex(), message.hex(), signature.hex()) == ["true"], (scheme, "theirs refused")
            assert ask("verify", scheme, public.hex(), message.hex(), flipped(rng, signature).hex()) == ["false"], (scheme, "flipped accepted")
            if scheme != "sr25519":
                assert ours[1] == signature.hex(), (scheme, "deterministic signatures differ")
        print(f"{scheme}: {count} cases, same keys, signatures accepted in both directions, flipped ones refused")
    words = Mnemonic("english")
    for _ in range(count):
        phrase = words.to_mnemonic(rng.randbytes(rng.choice([16, 20, 24, 28, 32])))
        password = rng.choice(["", "x", "a/b", "é"])
        assert ask("phrase", phrase, password) == [bytes(bip39.bip39_to_mini_secret(phrase, password)).hex()], phrase
    print(f"mnemonics: {count} mini-secrets agree")
    peer.end()
