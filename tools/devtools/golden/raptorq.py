"""Freezes what PyPI `raptorq` sends, for RaptorQTests under fixtures/raptorq.

Run it once with raptorq 1.8.0 and once with 2.0.0 installed.

Payloads are drawn from the xorshift generator of the tests, so only their seeds are kept. Of most transfers only the BLAKE2b-256 of all
packets (one behind the other) is kept; short ones are kept whole. Each transfer is decoded by the same library first, from its repair
packets as far as they go.
"""
import hashlib
import importlib.metadata
import json

import raptorq

from ..common import FIXTURES

VERSION = importlib.metadata.version("raptorq")
MASK = (1 << 64) - 1

# length, symbol, repair packets a block, what it is for
SHAPES = [
    (1, 16, 3, "one byte"),
    (16, 16, 12, "one symbol"),
    (159, 16, 12, "K = 10 = K'"),
    (300, 16, 25, "K = 19, K' = 20"),
    (700, 63, 14, "the longest symbol that is not aligned"),
    (700, 64, 14, "the shortest symbol that is aligned"),
    (1000, 128, 4, "an answer of Polkadot Vault"),
    (2953, 296, 12, "the largest QR code in ten symbols"),
    (20_000, 1072, 25, "K = 19, K' = 20"),
    (100_000, 2944, 40, "the longest symbols of a QR code"),
    (331_149, 1072, 308, "as long as the published animation"),
    (5_000_000, 1072, 100, "five megabytes"),
    (11_000_000, 1072, 8, "two sub-blocks"),
    (902_448, 16, 4, "K = 56403, the largest block"),
    (1_200_000, 16, 4, "two source blocks"),
]
WHOLE_UP_TO = 2000


def draw(length, seed):
    """Bytes of the tests' Xorshift(seed:), eight of each draw, little-endian."""
    state = (seed * 0x9E3779B97F4A7C15 & MASK) | 1
    out = bytearray()
    while len(out) < length:
        state ^= state << 13 & MASK
        state ^= state >> 7
        state ^= state << 17 & MASK
        out += state.to_bytes(8, "little")
    return bytes(out[:length])


def decodes(payload, symbol, packets):
    decoder = raptorq.Decoder.with_defaults(len(payload), symbol)
    return any(decoder.decode(packet) == payload for packet in reversed(packets))


def case(length, symbol, repair, comment):
    payload = draw(length, length)
    packets = raptorq.Encoder.with_defaults(payload, symbol).get_encoded_packets(repair)
    assert decodes(payload, symbol, packets), (length, symbol)
    digest = hashlib.blake2b(b"".join(packets), digest_size=32).hexdigest()
    result = {"id": f"{length}-{symbol}", "comment": comment, "length": length, "symbol": symbol, "repair": repair}
    result |= {"packets": len(packets), "blake2b_256": digest}
    return result | ({"whole": [p.hex() for p in packets]} if length <= WHOLE_UP_TO else {})


def run(options):
    document = {
        "origin": f"PyPI raptorq {VERSION}",
        "numbering": "kPrime" if VERSION.startswith("1.") else "rfc6330",
        "cases": [case(*shape) for shape in SHAPES],
    }
    path = FIXTURES / f"raptorq/packets-{VERSION}.json"
    path.write_text(json.dumps(document, indent=1) + "\n")
    print(path)
