"""What every command pays before its own work: processor time and page faults of `heliograph --version`, beside the figures of the last commit that
wrote them.

The page faults hardly depend on the machine, the milliseconds do: figures of two machines are not comparable. Nothing passes or fails.
"""
import pathlib

from ..common import Programs, bin_option, built

COMMITTED = pathlib.Path(__file__).with_suffix(".tsv")
RUNS = 40


def measured(program, heliograph):
    """Milliseconds of processor time and page faults of the start, the minimum of many runs."""
    program(heliograph, "--version")
    best, faults = program.processor, program.faults
    for _ in range(RUNS // Programs.RUNS):
        program(heliograph, "--version")
        best, faults = min(best, program.processor), min(faults, program.faults)
    return best, faults


def told(best, faults):
    """One line, with the committed figures."""
    then = COMMITTED.read_text().split()
    return f"start (--version): {best:.1f} ms of processor time, {faults} page faults; committed {float(then[0]):.1f} ms, {then[1]} page faults; goal 4 ms"


def configure(parser):
    bin_option(parser)
    parser.add_argument("--write", action="store_true", help="write the figures that a commit carries")


def run(options):
    """Prints one line; writes the figures first where that was asked for."""
    best, faults = measured(Programs(), built("heliograph", options.bin))
    if options.write:
        COMMITTED.write_text(f"{best:.1f}\t{faults}\n")
    print(told(best, faults))
