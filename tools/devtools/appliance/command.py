"""Makes and tests the appliance: a stick that starts Heliograph from memory, on a PC in which no network driver exists.

    tools/dev appliance build              .build-appliance/image/heliograph.img, to be written to a stick; --out FOLDER for another place
    tools/dev appliance data FILE          a data stick as a file: a partition for pictures, which --add fills, and one for the vault
    tools/dev appliance packages           compares the lock of Debian's packages with what apt offers; --renew writes it
"""
import pathlib
import subprocess

from ..common import Missing
from ..release.names import Refused
from . import build, disk, packages


def configure(parser):
    """Takes what to do."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    one = actions.add_parser("build", help="build the image of the boot stick")
    one.add_argument("--out", type=build.usable_path, default=build.default_folder(), metavar="FOLDER", help="the folder for it")
    one.add_argument("--level", type=int, default=19, choices=range(1, 20), metavar="N", help="how hard zstd compresses (default: 19)")
    one = actions.add_parser("data", help="make a data stick as a file")
    one.add_argument("file", type=build.usable_path)
    one.add_argument("--size", type=int, default=256, metavar="MIB", help="its size (default: 256)")
    one.add_argument("--add", nargs="*", type=pathlib.Path, default=[], metavar="PICTURE", help="files for its partition of pictures")
    one = actions.add_parser("packages", help="compare or renew the lock of Debian's packages")
    one.add_argument("--renew", action="store_true", help="write the lock from what apt offers")


def run(options):
    """1 when something is refused or missing."""
    try:
        if options.action == "build":
            build.build(options.out, options.level)
        elif options.action == "data":
            disk.data_stick(options.file, options.size, {path.name: path.read_bytes() for path in options.add})
        else:
            if options.renew:
                packages.renew()
            found = packages.Packages()
            print("\n".join([*found.stale, f"{len(found.versions)} packages, {len(found.stale)} stale"]))
    except (Refused, subprocess.CalledProcessError) as refused:
        print(f"appliance: refused: {refused}")
        return 1
    except Missing as missing:
        print(f"missing: {missing}")
        return 1
    return 0
