"""The audit log at growing lengths: an unlock and one more entry cost the same however long it is.

For each length a store is made, and then measured in a process of its own: an unlock without the derivation of its key (the KDF alone is what
`init` chose), the check before each command of a shell, one more entry until it is on the disk, 20 entries read and proven at
either end, and `log verify` of the whole log. Goals with 1,000,000 entries: 50 ms an unlock, 10 ms an entry. Then notes in one shell of the program.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from ..common import build, secret_lines

GOALS = {"unlock": 50, "append": 10}
ROWS = {"unlock": "unlock, over the KDF", "refresh": "check before a command of a shell", "append": "one more entry, on the disk",
        "newest": "the newest 20, proven", "oldest": "the oldest 20, proven", "whole": "log verify, the whole log"}


def bench(program, *words):
    run = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"bench log: {' '.join(map(str, words))}: {run.stderr}")
    return json.loads(run.stdout)


def sync():
    """Milliseconds of one fsync after 4 KiB, the median: an entry waits for two of them, the store's and the vault file's."""
    with tempfile.TemporaryFile() as file:
        times = []
        for _ in range(50):
            file.write(bytes(4096))
            file.flush()
            start = time.perf_counter()
            os.fsync(file.fileno())
            times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def store(program, entries):
    """Fills a store and prints a line for each thing that is done with it."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        bench(program, "log-fill", folder, entries)
        filled = time.perf_counter() - start
        size = sum(file.stat().st_size for file in pathlib.Path(folder).iterdir())
        figures = bench(program, "log-measure", folder)
    print(f"{entries:,} entries, {size / 1e6:,.1f} MB, filled in {filled:.1f} s{'':14} median       least        most")
    for row, title in ROWS.items():
        median, least, most = (1000 * value for value in figures[row])
        goal = f"   goal {GOALS[row]} ms" + ("   OVER" if median > GOALS[row] else "") if row in GOALS else ""
        print(f"  {title:44} {median:12.2f} {least:11.2f} {most:11.2f} ms{goal}", flush=True)


def shell(heliograph, notes):
    """Seconds for notes in one shell of a development vault."""
    with tempfile.TemporaryDirectory() as folder:
        vault = ["--vault", pathlib.Path(folder) / "vault"]

        def run(*words, text=""):
            with secret_lines({"--passphrase-fd": "right"}) as (words_of_secrets, descriptors):
                return subprocess.run([heliograph, *map(str, words), *words_of_secrets], input=text, capture_output=True, text=True,
                                      pass_fds=descriptors)

        init = run("init", "--networks", "none", "--verifier", "none", "--allow-online", "--kdf-cost", "test", *vault)
        if init.returncode != 0:
            sys.exit(f"bench log: {init.stderr}")
        start = time.perf_counter()
        done = run("shell", folder, *vault, text="".join(f"log note 'note {number}'\n" for number in range(notes)))
        spent = time.perf_counter() - start
        if done.returncode != 0 or done.stderr.count("recorded the note in the log") != notes:
            sys.exit(f"bench log: the shell ended with {done.returncode}: {done.stderr[-500:]}")
        print(f"{notes:,} notes in one shell {spent:8.2f} s, {1000 * spent / notes:.2f} ms a note", flush=True)


def configure(parser):
    """Takes the lengths."""
    parser.add_argument("--entries", type=int, nargs="*", default=[1000, 100_000, 1_000_000], help="lengths of the log (default: %(default)s)")
    parser.add_argument("--notes", type=int, nargs="*", default=[2000, 4000], help="notes in a shell (default: %(default)s)")
    parser.add_argument("--bin", type=pathlib.Path, help="the program heliograph (default: a release build, made first)")


def run(options):
    """Builds heliograph-bench and heliograph, and prints every row."""
    program = build("heliograph-bench", "-c", "release")
    print(f"cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f}, one fsync {sync():.2f} ms")
    for entries in options.entries:
        store(program, entries)
    if options.notes:
        heliograph = options.bin or build("heliograph", "-c", "release")
        for notes in options.notes:
            shell(heliograph, notes)
