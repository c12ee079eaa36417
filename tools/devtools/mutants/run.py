"""Puts faults into the code that decides trust, one at a time, and counts how many the checks notice.

The places are drawn by a seed from the files that tools/mutants/places names. All faults are in one build of a copy of the tree, each behind a
switch. First every suite of tests and every session runs without a fault, which shows which of them come to which place. Then, for each fault,
those run that come to it: unit tests of the target's own, other unit tests, sessions. The first failure ends its trial.

A fault that no check can notice stands in tools/mutants/equivalents, with the reason, and does not count.
"""
import argparse
import collections
import pathlib
import re
import time

from ..common import ROOT
from .places import equivalents
from .scratch import Scratch
from .trial import Checks

NEEDED = 90


def numbers(text):
    """Numbers with commas between them."""
    return {int(number) for number in text.split(",")}


def configure(parser):
    """Takes the draw, and what of it is tried."""
    parser.add_argument("--seed", default="1", help="draws the places (default: 1)")
    parser.add_argument("--count", type=int, default=100, help="faults that compile (default: 100)")
    parser.add_argument("--only", type=numbers, metavar="N,…", help="try these faults of the draw only")
    parser.add_argument("--scratch", type=pathlib.Path, default=ROOT / ".build-mutants", help="folder of the copy (default: .build-mutants)")
    parser.add_argument("--list", action="store_true", help="build, and print the faults instead of trying them")
    parser.add_argument("--write", type=argparse.FileType("w"), metavar="FILE", help="write the table into a file, too")


def line_of(number, place, outcome, seconds):
    """One row of the table."""
    changed = re.sub(r"\s+", " ", place.text.replace("{on}", "FAULT"))
    return f"{number:3d}  {outcome:<58} {seconds:4.0f} s  {place.file}:{place.line}  {place.operator}: {changed[:160]}"


def run(options):
    """0 when enough faults were noticed."""
    scratch = Scratch(options.scratch.resolve(), options.seed, options.count)
    scratch.folder.mkdir(parents=True, exist_ok=True)
    scratch.build(scratch.folder / "build.log")
    tried = {number: place for number, place in scratch.mutants.items() if not options.only or number in options.only}
    known = equivalents()
    if options.list:
        for number, place in tried.items():
            print(line_of(number, place, "equivalent" if place.key in known else "", 0))
        return 0
    checks = Checks(scratch)
    tally, rows = collections.Counter(), []

    def tell(row):
        rows.append(row)
        print(row, flush=True)

    for number, place in tried.items():
        start = time.monotonic()
        if place.key in known:
            kind, outcome = "equivalent", "equivalent: " + known[place.key]
        else:
            kind, outcome = checks.trial(number, place)
        tally[kind] += 1
        tell(line_of(number, place, outcome, time.monotonic() - start))
    counted = len(tried) - tally["equivalent"]
    score = 100 * tally["killed"] / counted if counted else 0
    tell(f"mutants: seed {options.seed}, {len(tried)} faults, {tally['equivalent']} equivalent, {tally['killed']} of {counted} noticed: {score:.1f} %")
    if options.write:
        options.write.write("\n".join(rows) + "\n")
    return 0 if score >= NEEDED else 1
