"""Builds the image of the boot stick, and what a direct start in an emulator needs beside it."""
import hashlib
import pathlib
import shutil
import subprocess
import sys

from ..release import programs
from ..release.names import Refused, commit, environment, epoch, version
from . import contents, disk
from .packages import Packages, installed

# Programs of Debian, from packages of tools/install.
NEEDS = ("apt-get", "clang", "depmod", "dpkg-deb", "grub-mkimage", "loadkeys", "mcopy", "mke2fs", "mkfs.fat", "patchelf", "readelf", "zstd")
# How hard zstd compresses: for a test, and for others.
QUICK, FULL = 3, 19
IMAGE, KERNEL, INITRAMFS = "heliograph.img", "vmlinuz", "initrd.img"


def missing(names):
    return [name for name in names if not installed(name)]


def compressed(data, level):
    """The archive as zstd packs it: the same bytes for any number of processors."""
    return subprocess.run(["zstd", f"-{level}", "-T2", "--quiet", "--check", "--stdout"], input=data, check=True, capture_output=True, env=environment()).stdout


def build(folder, level, made=None):
    """Writes image, kernel and initramfs into a folder, and returns sentences about stale packages. `made` are programs that are linked already."""
    if absent := missing(NEEDS):
        raise Refused(f"{', '.join(absent)} not found: run tools/install")
    folder.mkdir(parents=True, exist_ok=True)
    packages = Packages()
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    if made is None:
        made = {name: programs.swift_build(name, programs.SHIPPED, commit(), work) for name in programs.IMAGE_PROGRAMS}
    archive = contents.initramfs(packages, made, work, version(), commit(), epoch())
    (kernel,) = (packages.kernel / "boot").glob("vmlinuz-*")
    packed = compressed(archive.packed(), level)
    packed += bytes(-len(packed) % disk.SECTOR)
    (folder / INITRAMFS).write_bytes(packed)
    (folder / KERNEL).write_bytes(kernel.read_bytes())
    disk.boot_stick(folder / IMAGE, packages, kernel.read_bytes(), packed, epoch(), work)
    shutil.rmtree(work)
    unpacked = sum(len(data) for _, data, _ in archive.entries.values())
    digest = hashlib.sha256((folder / IMAGE).read_bytes()).hexdigest()
    print("\n".join(packages.stale), end="\n" if packages.stale else "")
    print(f"{sum(name.endswith('.ko') for name in archive.entries)} modules, initramfs {len(packed) / 1e6:.1f} MB ({unpacked / 1e6:.1f} MB in memory), "
          f"image {(folder / IMAGE).stat().st_size / 1e6:.1f} MB\n{digest}  {IMAGE}")
    sys.stdout.flush()
    return packages.stale


def usable_path(text):
    """A path of the command line."""
    return pathlib.Path(text).resolve()

