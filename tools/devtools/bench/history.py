"""The history of signatures at growing lengths: a review that looks up, an unlock and a commit cost the same however long it is.

For each length a store is made with so many signed transfers in its log and its history, and then measured in a process of its own, as `bench log` does.
Goals with 100,000 signatures: an unlock 50 ms over its KDF, the review of a transfer at most 5 ms longer than without a history.
"""
from ..common import bin_option, built
from .log import machine, store

ROWS = {"unlock": "unlock, over the KDF", "plain": "review of a transfer without a history", "remembered": "review with its lookups",
        "append": "a line of the log, on the disk", "written": "review, lookups, and a line with its rows", "whole": "check of everything"}
GOALS, LONGER = {"unlock": 50}, 5


def configure(parser):
    parser.add_argument("--signatures", type=int, nargs="*", default=[1000, 100_000], help="lengths of the history (default: %(default)s)")
    bin_option(parser)


def run(options):
    machine()
    for signatures in options.signatures:
        medians = store(built("heliograph-bench", options.bin), "history", signatures, ROWS, GOALS, signatures)
        longer = medians["remembered"] - medians["plain"]
        print(f"  {'the review is longer by':44} {longer:12.2f} ms{'':27}goal {LONGER} ms{'   OVER' if longer > LONGER else ''}")
