"""Lets independent programs verify guarded signatures: schnorrkel and PyNaCl the signature, Python the nonce that two machines made."""
from ..golden import guarded
from ..golden.keys import peer_verify
from . import KeysPeer, case_options, flipped, generator

LONGEST = 300


def configure(parser):
    case_options(parser, 200, "signatures")


def run(options):
    peer, rng = KeysPeer("guarded"), generator(options.seed)
    for number in range(options.count):
        scheme = rng.choice(list(guarded.SCHEMES))
        mini, reveal = rng.randbytes(32), rng.randbytes(32)
        payload, message = rng.randbytes(rng.randint(1, LONGEST)), rng.randbytes(rng.randint(0, LONGEST))
        case = f"signature {number}: {scheme}, seed {mini.hex()}, payload {payload.hex()}, message {message.hex()}, reveal {reveal.hex()}"
        fields = scheme, mini.hex(), payload.hex(), message.hex(), reveal.hex()
        answer = tuple(map(bytes.fromhex, peer.ask("answer", *fields)))
        # Byte for byte what the formulas give.
        assert answer == guarded.answered(scheme, mini, payload, message, reveal), (case, "another answer")
        public, point, signature = answer
        assert peer_verify(scheme, public, message, signature), (case, "refused")
        assert not peer_verify(scheme, public, message, flipped(rng, signature)), (case, "flipped accepted")
        named = guarded.digest(payload)
        assert guarded.is_made(scheme, public, signature, point, reveal, named), (case, "another nonce")
        # A signer that lies: the same points, and a valid signature with another nonce.
        lie = bytes.fromhex(peer.ask("lie", *fields)[0])
        assert peer_verify(scheme, public, message, lie), (case, "the lie is no signature")
        assert not guarded.is_made(scheme, public, lie, point, reveal, named), (case, "a lie is not noticed")
        for name, given, expected in (("answer", signature, "true"), ("lie", lie, "false")):
            said = peer.ask("check", scheme, public.hex(), payload.hex(), message.hex(), reveal.hex(), point.hex(), given.hex())
            assert said == [expected], (case, name, said)
    peer.end()
    print(f"guarded: {options.count} signatures, all accepted by independent programs, and as many lies caught")
    return 0
