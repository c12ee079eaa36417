"""Freezes guarded signatures of sr25519 and ed25519, computed here from the page GuardedSigning.

Nothing of the Swift code is used: the hashes are of hashlib, the group arithmetic of Debian's libsodium, and the challenge of sr25519 is that of the Merlin and
STROBE of `golden nonces`. Before anything is written, schnorrkel and PyNaCl verify every signature.
"""
import ctypes
import hashlib
import json

from ..common import FIXTURES
from .keys import peer_verify
from .nonces import ORDER, SODIUM, challenge, expanded, plus, times, transcript

OUT = FIXTURES / "threshold/guarded.json"
SCHEMES = {"ed25519": 0, "sr25519": 1}


def hashed(tag, *parts):
    """T(tag, x…)."""
    return hashlib.sha512(b"HELIOGRAPH-GUARD-v1" + bytes([len(tag)]) + tag + b"".join(parts)).digest()


def commitment(reveal):
    """c."""
    return hashed(b"commitment", reveal)[:32]


def digest(payload):
    """p."""
    return hashed(b"payload", payload)[:32]


# ---- Both groups


def edwards_times(scalar):
    """scalar · B on edwards25519."""
    out = ctypes.create_string_buffer(32)
    assert SODIUM.crypto_scalarmult_ed25519_base_noclamp(out, scalar.to_bytes(32, "little")) == 0
    return out.raw


def edwards_plus(one, other):
    """A sum of points of edwards25519."""
    out = ctypes.create_string_buffer(32)
    assert SODIUM.crypto_core_ed25519_add(out, one, other) == 0
    return out.raw


def base(scheme, scalar):
    """scalar · B."""
    return times(scalar) if scheme == "sr25519" else edwards_times(scalar)


def secret(scheme, mini):
    """a of a 32-byte seed."""
    if scheme == "sr25519":
        return expanded(mini)[0]
    wide = bytearray(hashlib.sha512(mini).digest()[:32])
    wide[0] &= 248
    wide[31] = wide[31] & 63 | 64
    return int.from_bytes(wide, "little") % ORDER


def challenged(scheme, point, public, message):
    """e, as for any signature of the scheme."""
    if scheme == "sr25519":
        return challenge(transcript(b"substrate", message, public), point)
    return int.from_bytes(hashlib.sha512(point + public + message).digest(), "little") % ORDER


# ---- The rounds


def nonce(scheme, key, public, fixed, named, message):
    """k₀."""
    parts = bytes([SCHEMES[scheme]]), key.to_bytes(32, "little"), public, fixed, named, message
    return int.from_bytes(hashed(b"nonce", *parts), "little") % ORDER


def tweak(scheme, public, point, reveal, named):
    """t."""
    return int.from_bytes(hashed(b"tweak", bytes([SCHEMES[scheme]]), public, point, reveal, named), "little") % ORDER


def is_made(scheme, public, signature, point, reveal, named):
    """Whether R is R₀ + t·B; the signature itself is verified by another program."""
    add = plus if scheme == "sr25519" else edwards_plus
    return add(point, base(scheme, tweak(scheme, public, point, reveal, named))) == signature[:32]


def answered(scheme, mini, payload, message, reveal):
    """Public key, R₀ and signature."""
    key = secret(scheme, mini)
    public, named = base(scheme, key), digest(payload)
    first = nonce(scheme, key, public, commitment(reveal), named, message)
    point = base(scheme, first)
    both = (first + tweak(scheme, public, point, reveal, named)) % ORDER
    at = base(scheme, both)
    s = (challenged(scheme, at, public, message) * key + both) % ORDER
    marker = 1 << 255 if scheme == "sr25519" else 0
    return public, point, at + (s | marker).to_bytes(32, "little")


def cases():
    for number in range(24):
        scheme = list(SCHEMES)[number % 2]
        mini = hashlib.sha256(b"guarded %d" % number).digest()
        draw = hashlib.shake_256(mini).digest(2048)
        payload, reveal = draw[: 40 + 37 * number], draw[1000:1032]
        message = draw[1032 : 1032 + (0, 1, 32, 128, 129, 256)[number // 2 % 6]]
        public, point, signature = answered(scheme, mini, payload, message, reveal)
        assert peer_verify(scheme, public, message, signature), f"case {number} does not verify"
        assert is_made(scheme, public, signature, point, reveal, digest(payload))
        yield {"id": number, "scheme": scheme, "seed": mini.hex(), "publicKey": public.hex(), "payload": payload.hex(), "message": message.hex(),
               "reveal": reveal.hex(), "digest": digest(payload).hex(), "commitment": commitment(reveal).hex(), "point": point.hex(),
               "signature": signature.hex()}


def run(options):
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text("[\n" + ",\n".join("  " + json.dumps(case) for case in cases()) + "\n]\n")
    return 0
