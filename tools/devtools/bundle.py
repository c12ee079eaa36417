"""Makes dist/heliograph-VERSION.tar.gz: the offline programs, the libraries that they need besides the C library, and checksums.

An offline machine with Debian 12 needs nothing else: unpack, check, run bin/heliograph.
"""
import gzip
import hashlib
import pathlib
import platform
import re
import shutil
import subprocess
import tarfile
import tempfile

from .common import ROOT, build

# An rpath (not a runpath) also serves the libraries that the libraries need.
FLAGS = ["-c", "release", "--static-swift-stdlib", "--scratch-path", ".build-bundle",
         "-Xlinker", "--disable-new-dtags", "-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"]
# The C library itself, which every Debian has.
C_LIBRARY = re.compile(r"/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so")


def configure(parser):
    """Takes no options."""


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


def run(options):
    """Builds, collects and packs."""
    name = f"heliograph-{output('git', 'describe', '--always', '--dirty').strip()}-{platform.machine()}"
    programs = [build(product, *FLAGS) for product in ("heliograph", "heliograph-scanner")]
    with tempfile.TemporaryDirectory() as stage:
        root = pathlib.Path(stage) / name
        for folder in (root / "bin", root / "lib", ROOT / "dist"):
            folder.mkdir(parents=True, exist_ok=True)
        for program in programs:
            place(program, root)
        for file in ("README.md", "LICENSE"):
            shutil.copy(ROOT / file, root)
            (root / file).chmod(0o644)
        files = sorted(p for p in root.rglob("*") if p.is_file())
        (root / "SHA256SUMS").write_text("".join(checksum(p, f"./{p.relative_to(root)}") for p in files))
        archive = ROOT / "dist" / f"{name}.tar.gz"
        pack(root, archive, int(output("git", "log", "-1", "--format=%ct")))
    line = checksum(archive, archive.name)
    archive.with_name(archive.name + ".sha256").write_text(line)
    print(line, end="")
