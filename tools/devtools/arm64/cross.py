"""Builds products for arm64: the package manager of the compiler's chroot, with the repository mounted there."""
import pathlib
import shutil
import subprocess
import sys

from ..common import ROOT
from ..release import chroot, programs
from ..release.names import Refused, environment, number
from . import sysroot

# Where the repository stands inside: the same place for every folder that it has outside, so that no path of a person comes into a program.
SOURCE = "/source/heliograph"
SCRATCH, TRIPLE_FOLDER = ".build-arm64", sysroot.TRIPLE
RELEASE = ["-c", "release"]
TARGET = ["--swift-sdks-path", f"/{sysroot.SDK}/sdks", "--swift-sdk", sysroot.IDENTIFIER, "--static-swift-stdlib", "--scratch-path", SCRATCH]
PKG_CONFIG = {"PKG_CONFIG_SYSROOT_DIR": f"/{sysroot.SDK}/sysroot",
              "PKG_CONFIG_LIBDIR": f"/{sysroot.SDK}/sysroot/usr/lib/{sysroot.LIBRARIES}/pkgconfig:/{sysroot.SDK}/sysroot/usr/share/pkgconfig"}
# Mounts the repository and a manifest of it, and then begins another program, which sees them.
MANIFEST = "Package.swift"
MOUNT = f'mkdir -p "$1" && mount --bind "$2" "$1" && mount --bind "$3" "$1/{MANIFEST}" && shift 3 && exec "$@"'


def words(root, *command, variables=None, manifest=ROOT / MANIFEST):
    """The command line of a command in the repository, inside the chroot of the compiler. `manifest` stands there in place of the repository's own."""
    system, rules = chroot.System(root, sysroot.COMPILER_OF), chroot.rewritten()
    system.shared = sorted({pathlib.Path(folder) for folder, _ in rules})
    settings = "[safe]\n\tdirectory = *\n" + "".join(f'[url "{folder}"]\n\tinsteadOf = {address}\n' for folder, address in rules)
    (root / "etc/gitconfig").write_text(settings)
    kept = {name: value for name, value in environment().items() if name in ("TZ", "SOURCE_DATE_EPOCH")} | PKG_CONFIG | (variables or {})
    inner = system.words("env", "-C", SOURCE, *(f"{name}={value}" for name, value in kept.items()), *command, online=True)
    return ["unshare", "--mount", "sh", "-c", MOUNT, "sh", str(root / SOURCE.lstrip("/")), str(ROOT), str(manifest), *inner]


def run(root, *command, **options):
    """Runs a command there; it must end with 0."""
    if (code := subprocess.run(list(map(str, words(root, *command, **options))), stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode) != 0:
        raise Refused(f"{' '.join(map(str, command[:4]))} … for arm64 ended with {code}")


def build(root, options, variables=None):
    """Builds with these options of `swift build`."""
    run(root, "swift", "build", *TARGET, *options, variables=variables)


def products(root, names, options, variables=None):
    """Name → program. Each is linked with a map of what came into it."""
    folder = ROOT / SCRATCH / TRIPLE_FOLDER / options[1]
    for name in names:
        # The program may be there, linked with another map.
        (folder / name).unlink(missing_ok=True)
        build(root, [*options, "--product", name, *programs.LINKED, "-Xlinker", f"-Map={SOURCE}/{SCRATCH}/{name}.map"], variables)
    return {name: programs.Program(folder / name, ROOT / SCRATCH / f"{name}.map") for name in names}


def linked(root, folder, commit, names=programs.COLD_PROGRAMS):
    """A folder with these programs for arm64 and their maps, in the shipped form, with this commit inside."""
    made = products(root, names, RELEASE, {"HELIOGRAPH_COMMIT": commit, "HELIOGRAPH_NUMBER": str(number())})
    folder.mkdir()
    for name, program in made.items():
        shutil.copy(program.path, folder / name)
        shutil.copy(program.map, folder / f"{name}.map")
    return folder
