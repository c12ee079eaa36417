"""Steps of threshold groups in milliseconds, the median, without pictures, disk and passphrase.

Goals: a whole signing of 2 of 3 in 8 ms, the check of a bundle of 11 of 16 in 60 ms.
"""
import json
import subprocess

from ..common import build

GOALS = {"2 of 3: whole signing, all signers": 8, "11 of 16: bundle check by a member": 60}


def configure(parser):
    """Takes the time of each row."""
    parser.add_argument("--seconds", type=float, default=0.5, help="of each row (default: %(default)s)")


def run(options):
    """Builds heliograph-bench and prints every row."""
    binary = build("heliograph-bench", "-c", "release")
    answer = subprocess.run([binary, "threshold", str(options.seconds)], capture_output=True, text=True, check=True).stdout
    for name, milliseconds in json.loads(answer).items():
        goal = next((f"  goal {limit} ms" for end, limit in GOALS.items() if name.endswith(end)), "")
        print(f"{name:56}{milliseconds:>9.2f} ms{goal}")
