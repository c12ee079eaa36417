"""Makes and tests the appliance: a stick that starts Heliograph from memory, on a PC in which no network driver exists.

    tools/dev appliance build              .build-appliance/image/heliograph.img, to be written to a stick; --out FOLDER for another place
    tools/dev appliance data FILE          a data stick as a file: a partition for pictures, which --add fills, and one for the vault
    tools/dev appliance test               builds it and starts it in an emulator: the main job from pictures on a data stick, what the closed system
                                           refuses, five network cards, and the memory after power-off
    tools/dev appliance test --all         also starts the stick itself, with BIOS, UEFI and Secure Boot, on a screen, and builds it twice
    tools/dev appliance build --board pi   heliograph-pi.img for the card of a Raspberry Pi (tools/dev sysroot arm64); test --board pi tries it as far as an
                                           emulator can: not its start files, not HDMI
    tools/dev appliance packages           compares the lock of Debian's packages with what apt offers; --renew writes it
"""
import pathlib
import subprocess
import tempfile
import time

from ..common import Missing, skip
from ..release import programs
from ..release.names import Refused, epoch
from ..release.person import Stuck
from . import board, board_test, build, disk, packages

# What the test needs besides what the build needs.
EMULATOR = ("qemu-system-x86_64", "sfdisk")


def board_option(parser):
    parser.add_argument("--board", choices=["pc", "pi"], default="pc", help="pi: a Raspberry Pi 3, Zero 2 W, 4 or 400 (default: pc)")


def configure(parser):
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    one = actions.add_parser("build", help="build the image of the boot stick")
    one.add_argument("--out", type=build.usable_path, default=packages.CACHE / "image", metavar="FOLDER", help="the folder for it")
    board_option(one)
    one.add_argument("--level", type=int, default=build.FULL, choices=range(1, 20), metavar="N", help="how hard zstd compresses (default: 19)")
    one = actions.add_parser("data", help="make a data stick as a file")
    one.add_argument("file", type=build.usable_path)
    one.add_argument("--size", type=int, default=256, metavar="MIB", help="its size (default: 256)")
    one.add_argument("--add", nargs="*", type=pathlib.Path, default=[], metavar="PICTURE", help="files for its partition of pictures")
    one = actions.add_parser("test", help="build the image and try it in an emulator")
    board_option(one)
    one.add_argument("--all", action="store_true", help="start the stick itself, by BIOS, UEFI and Secure Boot, on a screen; and build it twice")
    one.add_argument("--built", type=pathlib.Path, metavar="COLD", help="take the programs of this folder instead of linking them with the commit inside")
    one.add_argument("--pictures", type=build.usable_path, metavar="FOLDER", help="with --all: keep the screens as pictures")
    one = actions.add_parser("packages", help="compare or renew the lock of Debian's packages")
    board_option(one)
    one.add_argument("--renew", action="store_true", help="write the lock from what apt offers")


def test(options):
    """Builds the image and tries it; the exit code."""
    if absent := build.missing([*build.NEEDS, *EMULATOR]):
        return skip(", ".join(absent)) or 0
    # It needs pyte, which only a machine that tests has.
    from . import job, whole

    with tempfile.TemporaryDirectory() as folder:
        work, start = pathlib.Path(folder).resolve(), time.monotonic()
        marks = [f"{job.laws(work)}"]
        job.asserts()
        level = build.FULL if options.all else build.QUICK
        made = options.built and {name: programs.Program(options.built.resolve() / name, None) for name in programs.IMAGE_PROGRAMS}
        build.build(work / "image", level, made)
        marks.append(f"built in {time.monotonic() - start:.0f} s")
        try:
            found = list(job.probed(work / "image", work, epoch()))
            main = job.MainJob(work / "image", work)
            told, problems = main.run()
            marks.append(told)
            if options.all:
                told, more = main.by_camera(epoch())
                marks.append(told)
                found += more
                told, more = whole.run(work / "image", work, options.pictures, level)
                marks.append(told)
                found += more
        except Stuck as stuck:
            found, problems = [str(stuck)], []
        print(*found, *problems, f"appliance: {', '.join(marks)}; {time.monotonic() - start:.0f} s, {len(found) + len(problems)} problems", sep="\n")
        return 1 if found or problems else 0


def run(options):
    try:
        if options.action == "build":
            (board.make if options.board == "pi" else build.build)(options.out, options.level)
        elif options.action == "test":
            return board_test.run() if options.board == "pi" else test(options)
        elif options.action == "data":
            disk.data_stick(options.file, options.size, {path.name: path.read_bytes() for path in options.add})
        else:
            kind = board if options.board == "pi" else packages
            if options.renew:
                kind.renew()
            found = kind.Packages()
            print("\n".join([*found.stale, f"{len(found.versions)} packages, {len(found.stale)} stale"]))
    except (Refused, subprocess.CalledProcessError) as refused:
        print(f"appliance: refused: {refused}")
        return 1
    except Missing as missing:
        print(f"missing: {missing}")
        return 1
    return 0
