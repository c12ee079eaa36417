"""Makes dist/heliograph-VERSION.tar.gz: the offline programs, the libraries that they need besides the C library, and checksums.

An offline machine with Debian 12 needs nothing else: unpack, check, run bin/heliograph. A release is refused when tools/lock differs from what is here,
or is stale. With --self-test the archive is no release: it is unpacked elsewhere, and its programs must check themselves there.
"""
import gzip
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import tarfile
import tempfile

from . import lock
from .common import FIXTURES, ROOT, SHIPPED, build

# An rpath (not a runpath) also serves the libraries that the libraries need.
FLAGS = [*SHIPPED, "-Xlinker", "--disable-new-dtags", "-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"]
# The C library itself, which every Debian has.
C_LIBRARY = re.compile(r"/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so")


def configure(parser):
    """Takes whether it is only a test."""
    parser.add_argument("--self-test", action="store_true", help="make the archive in a temporary folder, unpack it and run its self-test")


def output(*words):
    """What a program prints."""
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def place(program, root):
    """Copies a program and its libraries."""
    shutil.copy(program, root / "bin")
    (root / "bin" / program.name).chmod(0o755)
    subprocess.run(["strip", root / "bin" / program.name], check=True)
    for library in re.findall(r"=> (/\S+)", output("ldd", str(program))):
        if not C_LIBRARY.search(library):
            shutil.copy(library, root / "lib")
            (root / "lib" / pathlib.Path(library).name).chmod(0o644)


def checksum(path, name):
    """A line as sha256sum writes it."""
    return f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n"


def pack(root, archive, time):
    """A tar file that depends only on its content: names sorted, no owner, the commit's time."""
    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = time
        return entry

    with open(archive, "wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
            tar.add(root, root.name, filter=plain)


def make(folder):
    """Builds, collects and packs; returns the archive."""
    commit = output("git", "describe", "--always", "--dirty").strip()
    name = f"heliograph-{commit}-{platform.machine()}"
    # What --version says; a build by hand does not know it.
    stated = ["-Xcc", f'-DHELIOGRAPH_COMMIT="{commit}"']
    programs = [build(product, *FLAGS, *stated) for product in ("heliograph", "heliograph-scanner")]
    with tempfile.TemporaryDirectory() as stage:
        root = pathlib.Path(stage) / name
        for place_of in (root / "bin", root / "lib", folder):
            place_of.mkdir(parents=True, exist_ok=True)
        for program in programs:
            place(program, root)
        for file in ("README.md", "LICENSE"):
            shutil.copy(ROOT / file, root)
            (root / file).chmod(0o644)
        files = sorted(p for p in root.rglob("*") if p.is_file())
        (root / "SHA256SUMS").write_text("".join(checksum(p, f"./{p.relative_to(root)}") for p in files))
        archive = folder / f"{name}.tar.gz"
        pack(root, archive, int(output("git", "log", "-1", "--format=%ct")))
    return archive


def foreign(program, root):
    """The libraries of an unpacked program that are neither in the archive nor the C library."""
    found = [os.path.realpath(library) for library in re.findall(r"=> (/\S+)", output("ldd", str(program)))]
    missing = re.findall(r"(\S+) => not found", output("ldd", str(program)))
    return missing + [library for library in found if not library.startswith(f"{root}/lib/") and not C_LIBRARY.search(library)]


def self_test(archive, folder):
    """What is wrong with an archive that is unpacked into a folder, as sentences."""
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    (root,) = [path for path in folder.iterdir() if path.is_dir()]
    if subprocess.run(["sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS"], cwd=root).returncode != 0:
        yield "the checksums do not fit"
    listed = {line.split("  ./")[1] for line in (root / "SHA256SUMS").read_text().splitlines()}
    if listed != {str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()} - {"SHA256SUMS"}:
        yield "the checksums name other files than there are"
    for name in ("heliograph", "heliograph-scanner"):
        if libraries := foreign((root / "bin" / name).resolve(), root.resolve()):
            yield f"{name} uses {', '.join(libraries)}"
    # Nothing of the environment helps it: the programs find each other and their libraries.
    bare = {"env": {"PATH": "/nowhere"}, "stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    test = subprocess.run([root / "bin/heliograph", "self-test"], **bare)
    print(test.stdout, end="")
    if test.returncode != 0:
        yield f"its self-test ended with {test.returncode}: {test.stderr}"
    read = subprocess.run([root / "bin/heliograph-scanner", FIXTURES / "fuzz/picture/code.jpg"], **bare)
    if (read.returncode, read.stdout.strip()) != (0, b"heliograph".hex()):
        yield f"its scanner reads {read.stdout.strip() or 'nothing'} in a picture and ended with {read.returncode}: {read.stderr}"


def run(options):
    """1 when the lock does not allow a release, or the archive fails its test."""
    wrong, stale, _ = lock.compare()
    print("\n".join([*stale, *wrong]), end="\n" if stale or wrong else "")
    if options.self_test:
        with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as unpacked:
            archive = make(pathlib.Path(made))
            problems = list(self_test(archive, pathlib.Path(unpacked)))
            megabytes = archive.stat().st_size / 1e6
        print("\n".join(problems), end="\n" if problems else "")
        print(f"bundle: {megabytes:.1f} MB, unpacked, {len(problems)} problems")
        return 1 if problems else 0
    if wrong or stale:
        print("bundle: refused: a release is made of what tools/lock names; tools/install, or tools/dev lock --write and a commit")
        return 1
    archive = make(ROOT / "dist")
    line = checksum(archive, archive.name)
    archive.with_name(archive.name + ".sha256").write_text(line)
    print(line, end="")
    return 0
