"""The audit log at growing lengths: an unlock and one more entry cost the same however long it is.

For each length a store is made, and then measured in a process of its own: an unlock without the derivation of its key (the KDF alone is what
`init` chose), the check before each command of a shell, one more entry until it is on the disk, 20 entries read and proven at
either end, and `log verify` of the whole log. Goals with 1,000,000 entries: 50 ms an unlock, 10 ms an entry.
"""
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

from ..common import bin_option, built

GOALS = {"unlock": 50, "append": 10}
ROWS = {"unlock": "unlock, over the KDF", "refresh": "check before a command of a shell", "append": "one more entry, on the disk",
        "newest": "the newest 20, proven", "oldest": "the oldest 20, proven", "whole": "log verify, the whole log"}


def bench(program, *words):
    run = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"bench: {' '.join(map(str, words))}: {run.stderr}")
    return json.loads(run.stdout)


def machine():
    """Prints what the figures depend on. An entry waits for two fsyncs, of the store and of the vault file."""
    with tempfile.TemporaryFile() as file:
        times = []
        for _ in range(50):
            file.write(bytes(4096))
            file.flush()
            start = time.perf_counter()
            os.fsync(file.fileno())
            times.append(1000 * (time.perf_counter() - start))
    print(f"cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f}, one fsync of 4 KiB {statistics.median(times):.2f} ms")


def store(program, what, count, rows, goals, *more):
    """Fills a store with so many entries and prints a line for each thing that is done with it; the medians in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        bench(program, f"{what}-fill", folder, count)
        filled = time.perf_counter() - start
        size = sum(file.stat().st_size for file in pathlib.Path(folder).iterdir())
        figures = bench(program, f"{what}-measure", folder, *more)
    print(f"{count:,} entries, {size / 1e6:,.1f} MB, filled in {filled:.1f} s{'':14} median       least        most")
    for row, title in rows.items():
        median, least, most = (1000 * value for value in figures[row])
        goal = f"   goal {goals[row]} ms" + ("   OVER" if median > goals[row] else "") if row in goals else ""
        print(f"  {title:44} {median:12.2f} {least:11.2f} {most:11.2f} ms{goal}", flush=True)
    return {row: 1000 * figures[row][0] for row in rows}


def configure(parser):
    parser.add_argument("--entries", type=int, nargs="*", default=[1000, 100_000, 1_000_000], help="lengths of the log (default: %(default)s)")
    bin_option(parser)


def run(options):
    machine()
    for entries in options.entries:
        store(built("heliograph-bench", options.bin), "log", entries, ROWS, GOALS)
