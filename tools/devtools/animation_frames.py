"""Reads the QR codes of the published Polkadot 9190 animation for RaptorQTests: one line of hex a frame.

HELIOGRAPH_ANIMATION_FRAMES names another file than the default to the tests.
"""
import pathlib

import zxingcpp
from PIL import Image, ImageSequence

from .common import ROOT, shared_file

OUT = ROOT / ".build/raptorq/polkadot_metadata_9190.hex"


def configure(parser):
    """Takes the output file."""
    parser.add_argument("out", nargs="?", type=pathlib.Path, default=OUT, help="output file (default: %(default)s)")


def run(options):
    """1 when a frame holds no code, or several."""
    animation = shared_file("qr/polkadot_metadata_9190.apng")
    if animation is None:
        return 0
    lines = []
    for number, frame in enumerate(ImageSequence.Iterator(Image.open(animation))):
        codes = zxingcpp.read_barcodes(frame.convert("L"), formats=zxingcpp.BarcodeFormat.QRCode)
        if len(codes) != 1:
            print(f"frame {number}: {len(codes)} codes")
            return 1
        lines.append(codes[0].bytes.hex())
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} frames: {options.out}")
    return 0
