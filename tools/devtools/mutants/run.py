"""Puts faults into the code that decides trust, one at a time, and counts how many the checks notice.

The places are drawn by a seed from the layers and targets that tools/mutants/places names: half of them from the lines that the last commits changed, half from
all lines. All faults are in one build of a copy of the tree, each behind a
switch. First every suite of tests and every session runs without a fault, which shows which of them come to which place. Then, for each fault,
those run that come to it: unit tests of the target's own, other unit tests, sessions. The first failure ends its trial.

A fault that no check can notice stands in tools/mutants/equivalents, with the reason, and does not count.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import time

from ..common import ROOT
from .places import equivalents
from .scratch import Scratch
from .trial import Checks

NEEDED = 90
ROUNDS = "own tests", "unit", "sessions"


def numbers(text):
    return {int(number) for number in text.split(",")}


def configure(parser):
    parser.add_argument("--seed", default="1", help="draws the places (default: 1)")
    parser.add_argument("--recent", type=int, default=200, metavar="N",
                        help="draw every second place from the lines that the last N commits changed (default: 200; 0: draw from all lines only)")
    parser.add_argument("--count", type=int, default=100, help="faults that compile (default: 100)")
    parser.add_argument("--within", default="", metavar="TEXT", help="draw from the files whose path has this text (default: all)")
    parser.add_argument("--only", type=numbers, metavar="N,…", help="try these faults of the draw only")
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="N",
                        help="begin no trial later than this; a fault without an answer then counts as not noticed (default: no limit)")
    parser.add_argument("--scratch", type=pathlib.Path, default=ROOT / ".build-mutants", help="folder of the copy (default: .build-mutants)")
    parser.add_argument("--list", action="store_true", help="build, and print the faults instead of trying them")
    parser.add_argument("--write", type=argparse.FileType("w"), metavar="FILE", help="write the table into a file, too")


def line_of(number, place, kind, detail=""):
    """One row of the table."""
    changed = re.sub(r"\s+", " ", place.text.replace("{on}", "FAULT"))
    return f"{number:3d}  {kind:<10} {detail[:60]:<60} {place.file}:{place.line}  {place.operator}: {changed[:160]}"


def tried_once(checks, number, place, turn):
    """How the trial of a fault ends with this round; None where a later round decides."""
    rounds = checks.rounds(number, place)
    failed = rounds[turn] and checks.trial(number, rounds[turn])
    if failed:
        return "killed", f"{ROUNDS[turn]}: {failed}"
    return None if any(rounds[turn + 1 :]) else ("survived", f"{sum(map(len, rounds))} checks come here")


def try_all(checks, places, outcomes, until):
    """The quick checks of all faults come first, so that what survives them is known early."""
    left = dict(places)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for turn in range(len(ROUNDS)):
            def trial(number, turn=turn):
                found = tried_once(checks, number, places[number], turn) if time.monotonic() < until else None
                if found:
                    print(line_of(number, places[number], *found), flush=True)
                return found

            ended = {number: found for number, found in zip(left, pool.map(trial, left)) if found}
            outcomes |= ended
            left = {number: place for number, place in left.items() if number not in ended}
    outcomes |= dict.fromkeys(left, ("undecided", "the time was over"))


def run(options):
    until = time.monotonic() + 60 * options.minutes
    scratch = Scratch(options.scratch.resolve(), options.seed, options.recent, options.count, options.within)
    scratch.folder.mkdir(parents=True, exist_ok=True)
    scratch.build(scratch.folder / "build.log")
    tried = {number: place for number, place in scratch.mutants.items() if not options.only or number in options.only}
    known = equivalents()
    if options.list:
        for number, place in tried.items():
            print(line_of(number, place, "equivalent" if place.key in known else ""))
        return 0
    outcomes = {number: ("equivalent", known[place.key]) for number, place in tried.items() if place.key in known}
    try_all(Checks(scratch), {number: place for number, place in tried.items() if number not in outcomes}, outcomes, until)
    rows = [line_of(number, place, *outcomes[number]) for number, place in tried.items()]
    tally = collections.Counter(kind for kind, _ in outcomes.values())
    counted = len(tried) - tally["equivalent"]
    score = 100 * tally["killed"] / counted if counted else 0
    drawn = f"seed {options.seed}, recent {options.recent}, {len(tried)} faults"
    rows.append(f"mutants: {drawn}, {tally['equivalent']} equivalent, {tally['undecided']} undecided, {tally['killed']} of {counted} killed: {score:.1f} %")
    print("\n".join(rows))
    if options.write:
        options.write.write("\n".join(rows) + "\n")
    return 0 if score >= NEEDED else 1
