"""Freezes calls of the fixture runtime with their leaves in fixtures/decode, for the tests that run without any peer."""
import json
import pathlib
import random
import sys
import tempfile

from ..common import FIXTURES
from ..conformance.decode import BtDecode, Scalecodec, make_calls
from ..fixture_network import write

OUT = FIXTURES / "decode/calls.json"


def configure(parser):
    parser.add_argument("--calls", type=int, default=60, help="calls for each version of metadata (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the random calls (default: %(default)s)")


def run(options):
    rng, out = random.Random(options.seed), []
    with tempfile.TemporaryDirectory() as folder:
        write(pathlib.Path(folder))
        for make, version in [(Scalecodec, 14), (BtDecode, 15)]:
            peer = make(f"{folder}/metadata-v{version}.scale", rng)
            made, report = make_calls(peer, f"metadata-v{version}.scale", options.calls, rng)
            print(json.dumps(report), file=sys.stderr)
            out += [{"id": f"{peer.name}-{place}", "metadata": version, "call": name, "hex": encoded, "leaves": peer.types.leaves(value)}
                    for place, (name, value, encoded) in enumerate(made)]
    OUT.write_text("[\n" + ",\n".join(json.dumps(case) for case in out) + "\n]\n")
