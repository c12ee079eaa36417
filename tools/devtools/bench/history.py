"""The history of signatures at growing lengths: a review that looks up, an unlock and a commit cost the same however long it is.

For each length a store is made with so many signed transfers in its log and its history, and then measured in a process of its own, as `bench log` does.
Goals with 100,000 signatures: an unlock 50 ms over its KDF, the review of a transfer at most 5 ms longer than without a history.
"""
import os
import pathlib
import tempfile
import time

from ..common import build
from .log import bench, sync

ROWS = {"unlock": "unlock, over the KDF", "plain": "review of a transfer without a history", "remembered": "review with its lookups",
        "append": "a line of the log, on the disk", "written": "review, lookups, and a line with its rows", "whole": "check of everything"}
UNLOCK_GOAL, LONGER_GOAL = 50, 5


def store(program, signatures):
    """Fills a store and prints a line for each thing that is done with it."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        bench(program, "history-fill", folder, signatures)
        filled = time.perf_counter() - start
        size = sum(file.stat().st_size for file in pathlib.Path(folder).iterdir())
        figures = bench(program, "history-measure", folder, signatures)
    print(f"{signatures:,} signatures, {size / 1e6:,.1f} MB, filled in {filled:.1f} s{'':14} median       least        most")
    medians = {}
    for row, title in ROWS.items():
        median, least, most = (1000 * value for value in figures[row])
        medians[row] = median
        print(f"  {title:44} {median:12.2f} {least:11.2f} {most:11.2f} ms", flush=True)
    longer = medians["remembered"] - medians["plain"]
    print(f"  {'the review is longer by':44} {longer:12.2f} ms   goal {LONGER_GOAL} ms{'   OVER' if longer > LONGER_GOAL else ''}")
    print(f"  {'an unlock':44} {medians['unlock']:12.2f} ms   goal {UNLOCK_GOAL} ms{'   OVER' if medians['unlock'] > UNLOCK_GOAL else ''}")


def configure(parser):
    """Takes the lengths."""
    parser.add_argument("--signatures", type=int, nargs="*", default=[1000, 100_000],
                        help="lengths of the history (default: %(default)s)")


def run(options):
    """Builds heliograph-bench, and prints every row."""
    program = build("heliograph-bench", "-c", "release")
    print(f"cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f}, one fsync {sync():.2f} ms")
    for signatures in options.signatures:
        store(program, signatures)
