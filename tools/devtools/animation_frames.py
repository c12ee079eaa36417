"""Reads the QR codes of the published Polkadot 9190 animation for RaptorQTests: one line of hex a frame.

HELIOGRAPH_ANIMATION_FRAMES names another file than the default to the tests.
"""
import pathlib

from .common import ROOT, shared_file
from .peers import frames

OUT = ROOT / ".build/raptorq/polkadot_metadata_9190.hex"


def configure(parser):
    parser.add_argument("out", nargs="?", type=pathlib.Path, default=OUT, help="output file (default: %(default)s)")


def run(options):
    animation = shared_file("qr/polkadot_metadata_9190.apng")
    if animation is None:
        return 0
    lines = [code.hex() for code in frames(animation)]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} frames: {options.out}")
    return 0
