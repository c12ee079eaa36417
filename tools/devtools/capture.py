"""Draws the review that the README shows: .github/review.svg, from what the program prints at a terminal of 80 columns and 24 rows.

`tools/dev panes` runs the same file and fails when the picture shows something else than the program.
"""
import os

from . import panes
from .common import ROOT

FILE = ROOT / "Tests/Panes/the-readme-shows-a-review.pane"


def configure(parser):
    """Takes the folder of the programs."""
    parser.add_argument("binaries", type=os.path.abspath, help="folder of the built programs")
    parser.set_defaults(files=[FILE], write=True)


def run(options):
    """1 when the pane cannot be shown."""
    return panes.run(options)
