"""Random transfers between heliograph and the installed PyPI `raptorq`, both ways, until one fails or the rounds are over.

Run it once with raptorq 1.8.0 and once with 2.0.0.

Lengths of 1 byte to 5 MB (short ones more often), symbols of 16 to 2944 bytes, losses of 0 to 60 %, any mix of source and repair.
"""
import importlib.metadata
import pathlib
import random
import subprocess
import tempfile

import raptorq

from ..common import SHIPPED, build, read_packets, write_packets

NUMBERING = "kPrime" if importlib.metadata.version("raptorq").startswith("1.") else "rfc6330"


def here(bench, *arguments):
    """Exit code and stderr of heliograph-bench."""
    done = subprocess.run([bench, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stderr


def lose(packets, needed, loss, generator):
    order = generator.sample(range(len(packets)), len(packets))
    return [packets[i] for i in order[: max(int(len(packets) * (1 - loss)), needed + 3)]]


def transfer(bench, folder, generator):
    """What went wrong with one random payload, or None."""
    length = int(10 ** generator.uniform(0, generator.choice([3, 5, 5, 6.7])))
    symbol = generator.choice([16, 33, 63, 64, 128, 1072, 2944, generator.randrange(16, 64), 8 * generator.randrange(8, 369)])
    if length / symbol > 20000:
        symbol = 1072
    loss = generator.uniform(0, 0.6)
    payload = generator.randbytes(length)
    needed = -(-length // symbol)
    repair = int(1.6 * needed * loss / (1 - loss)) + 8
    what = f"{length} bytes, symbols of {symbol}, loss {loss:.0%}"
    payload_file, packet_file = folder / "payload", folder / "packets"
    payload_file.write_bytes(payload)

    theirs = raptorq.Encoder.with_defaults(payload, symbol).get_encoded_packets(repair)
    code, problem = here(bench, "raptorq-encode", payload_file, symbol, repair, NUMBERING, 0, packet_file)
    if code or read_packets(packet_file) != theirs:
        return f"{what}: packets differ {problem}"
    ours = lose(read_packets(packet_file), needed, loss, generator)
    decoder = raptorq.Decoder.with_defaults(length, symbol)
    answers = [a for a in (decoder.decode(p) for p in ours) if a is not None]
    if not answers or answers[0] != payload:
        return f"{what}: ours do not decode there"
    write_packets(packet_file, lose(theirs, needed, loss, generator))
    code, problem = here(bench, "raptorq-decode", payload_file, packet_file, symbol, "both", 0)
    return f"{what}: theirs do not decode here {problem}" if code else None


def configure(parser):
    parser.add_argument("rounds", nargs="?", type=int, default=100, help="transfers (default: %(default)s)")
    parser.add_argument("seed", nargs="?", type=int, default=1, help="of the payloads (default: %(default)s)")


def run(options):
    bench, generator = build("heliograph-bench", *SHIPPED), random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        for number in range(options.rounds):
            if failure := transfer(bench, pathlib.Path(name), generator):
                print(f"round {number}: {failure}")
                return 1
    print(f"{options.rounds} transfers both ways with raptorq {importlib.metadata.version('raptorq')} ({NUMBERING}): all right")
    return 0
