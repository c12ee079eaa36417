"""The image for a Raspberry Pi: the same first process and programs as for a PC, a kernel without a driver of any network, and the makers' start files."""
import hashlib
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile

from ..arm64 import cross, sysroot
from ..arm64.apt import Apt
from ..arm64.place import Sysroot
from ..common import ROOT
from ..release import programs
from ..release.names import Refused, commit, epoch, output, version
from . import build, contents, disk, packages

LOCK = ROOT / "tools/appliance/packages-pi.lock"
KERNEL, FIRMWARE = "linux-image-arm64", "raspi-firmware"
# Release of Debian → what the image takes of it. The libraries are those that the programs were linked with; Debian 12's kernel drives too little of a Pi 4.
PACKAGES = {
    "bookworm": [name for name in packages.PACKAGES if name.startswith("lib") or name in ("dosfstools", "e2fsprogs", "zlib1g")],
    "trixie": [KERNEL, FIRMWARE],
}
# Not free software, and the only parts that nobody can build: they run on the graphics processor before the first instruction of Linux.
START_FILES = ("bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat")
# Boards → the nodes of their device trees that must be off: the radios, and the wired adapter of the 4. (Those of the 3 are USB devices, without a driver.)
RADIO, BLUETOOTH, WIRED = "/soc/mmc@7e300000", "/soc/serial@7e201000/bluetooth", "/scb/ethernet@7d580000"
BOARDS = {
    "bcm2837-rpi-3-a-plus": (RADIO, BLUETOOTH), "bcm2837-rpi-3-b": (RADIO, BLUETOOTH), "bcm2837-rpi-3-b-plus": (RADIO, BLUETOOTH),
    "bcm2837-rpi-zero-2-w": (RADIO, BLUETOOTH), "bcm2837-rpi-cm3-io3": (),
    "bcm2711-rpi-4-b": (RADIO, BLUETOOTH, WIRED), "bcm2711-rpi-400": (RADIO, BLUETOOTH, WIRED),
    "bcm2711-rpi-cm4-io": (RADIO, BLUETOOTH, WIRED),
}
# A node with one of these is a radio or a wired adapter: of a board that is not known well enough, the build finds it.
TELLING = re.compile(r"fmac|wifi|wlan|bcm43|bluetooth|genet-v|macb|-gem")
NEEDS = ("fdtput", "fdtget", "patchelf", "llvm-objcopy", "clang", "mkfs.fat", "mcopy", "zstd", "loadkeys", "depmod")
IMAGE, SECTOR_OF_PARTITION = "heliograph-pi.img", 8192
CONFIG = """# Read by the start files, which are not free software; nothing here loads another one.
arm_64bit=1
kernel=vmlinuz
initramfs initrd.img followkernel
disable_splash=1
# One console, on HDMI also where no screen was found: it may be switched on later.
hdmi_force_hotplug=1
# The radios are off in the device trees. These lines say it to the start files, too.
dtoverlay=disable-wifi
dtoverlay=disable-bt
"""


def renew():
    """Writes the lock from what the mirror offers."""
    lines = []
    for release, names in PACKAGES.items():
        apt = Apt(release, non_free=release == "trixie")
        wanted = [apt.kernel(name) if name == KERNEL else name for name in names]
        lines += [f"{release} {name} {' '.join(apt.newest(name))}\n" for name in sorted(wanted)]
    LOCK.write_text("# tools/dev appliance packages --board pi --renew makes this: release, name, version, SHA-256 of the package.\n" + "".join(lines))


class Packages(packages.Packages):
    """Every package of the image. What is for all architectures is the PC image's."""

    parts = (f"lib/{sysroot.LIBRARIES}", f"usr/lib/{sysroot.LIBRARIES}", "lib")
    loader, loader_folder = "ld-linux-aarch64.so.1", "lib"
    modules = "modules-pi"
    flags = (f"--target={sysroot.LIBRARIES}", "-fuse-ld=lld")

    def __init__(self):
        common = packages.Packages()
        self.at, self.stale, self.versions, self.folders = Sysroot(), list(common.stale), {}, dict(common.folders)
        self.flags = (*self.flags, f"--sysroot={self.at.root}")
        lines = [line.split() for line in LOCK.read_text().splitlines() if line and not line.startswith("#")]
        # The libraries and the kernel of a PC must not be found instead of those that the board needs.
        self.folders = {name: folder for name, folder in self.folders.items() if name in ("console-setup-linux", "console-data", "ncurses-base")}
        for release in PACKAGES:
            own = {name: (number, digest) for there, name, number, digest in lines if there == release}
            lacking = [name for name, (_, digest) in own.items() if not packages.kept(f"{name}-arm64", digest).exists()]
            apt = Apt(release, non_free=release == "trixie") if lacking else None
            for name, (number, digest) in own.items():
                if name in lacking:
                    name, number, digest = self.bring(apt, name, number, digest)
                self.versions[name] = number
                self.folders[name] = self.unpack(f"{name}-arm64", packages.kept(f"{name}-arm64", digest), digest)

    def bring(self, apt, name, number, digest):
        """Downloads a package, in the version that the mirror has where the locked one is gone."""
        now = name
        if number not in apt.versions(name):
            now = apt.kernel(KERNEL) if name.startswith("linux-image-") else name
            newest = apt.newest(now)
            self.stale.append(f"lock is stale: the mirror no longer has {name} {number}; the image gets {now} {newest[0]}")
            number, digest = newest
        (file,) = apt.download(f"{now}={number}")
        if (found := hashlib.sha256(file.read_bytes()).hexdigest()) != digest:
            raise Refused(f"{now} {number} has the hash {found}, tools/appliance/packages-pi.lock has {digest}")
        target = packages.kept(f"{now}-arm64", digest)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
        return now, number, digest

    @property
    def trees(self):
        """The folder of the device trees."""
        (folder,) = (self.kernel / "usr/lib").glob("linux-image-*")
        return folder / "broadcom"


def radios(tree):
    """The nodes of a device tree that are radios or wired adapters, and whether each, or one that it lies in, is off."""
    found = {}

    def walk(node, is_off):
        shown = subprocess.run(["fdtget", "-t", "s", str(tree), node, "status"], capture_output=True, text=True).stdout.strip()
        is_off = is_off or shown == "disabled"
        kinds = subprocess.run(["fdtget", "-t", "s", str(tree), node, "compatible"], capture_output=True, text=True).stdout
        if TELLING.search(kinds):
            found[node] = is_off
        for name in output("fdtget", "-l", tree, node).split():
            walk(f"{node.rstrip('/')}/{name}", is_off)

    walk("/", False)
    return found


def device_tree(source, nodes, target):
    """A board's device tree with its radios off; refused where one is left."""
    shutil.copy(source, target)
    target.chmod(0o644)
    if nodes and not radios(target):
        raise Refused(f"{source.name} has no radio that this finds: its names have changed")
    for node in nodes:
        output("fdtput", "-t", "s", target, node, "status", "disabled")
    if left := [node for node, is_off in radios(target).items() if not is_off]:
        raise Refused(f"{source.name} still has {', '.join(left)} switched on")
    return target.read_bytes()


def card(target, files, work):
    """A card with one FAT partition: the boards' first step reads no other table than the old one."""
    held = sum(len(data) + 4096 for data in files.values())
    size = max(72 * disk.MEBIBYTE, -(-(held * 51 // 50 + 4 * disk.MEBIBYTE) // disk.MEBIBYTE) * disk.MEBIBYTE)
    disk.fat(work / "boot", size, disk.LABEL, disk.VOLUME, files, epoch())
    record = bytearray(disk.SECTOR)
    record[440:444] = bytes.fromhex(disk.VOLUME)[::-1]
    record[446:462] = struct.pack("<BBBBBBBBII", 0, 0, 2, 0, 0x0C, 0xFF, 0xFF, 0xFF, SECTOR_OF_PARTITION, size // disk.SECTOR)
    record[510:] = b"\x55\xaa"
    with open(target, "wb") as file:
        file.write(record)
        file.seek(SECTOR_OF_PARTITION * disk.SECTOR)
        with open(work / "boot", "rb") as source:
            shutil.copyfileobj(source, file)


def command_line():
    """The kernel's command line: that of a PC without what a board does not have."""
    usual = (ROOT / "tools/appliance/command-line").read_text().splitlines()[0]
    foreign = ("vsyscall=", "mce=", "iommu=", "intel_iommu=", "efi=")
    return " ".join(["console=tty1", *(word for word in usual.split() if not word.startswith(foreign))])


def make(folder, level, made=None):
    """Writes the image, and what a direct start in an emulator needs beside it; gives sentences about stale packages."""
    if absent := build.missing(NEEDS):
        raise Refused(f"{', '.join(absent)} not found: run tools/install")
    root, stale = sysroot.ready()
    folder.mkdir(parents=True, exist_ok=True)
    here = Packages()
    with tempfile.TemporaryDirectory() as place:
        work = pathlib.Path(place)
        if not made:
            linked = cross.linked(root, work / "linked", commit(), programs.IMAGE_PROGRAMS)
            made = {name: programs.Program(linked / name, None) for name in programs.IMAGE_PROGRAMS}
        archive = contents.initramfs(here, made, work, version(), commit(), epoch())
        (kernel,) = (here.kernel / "boot").glob("vmlinuz-*")
        packed = build.compressed(archive.packed(), level)
        start = {name: here.file(FIRMWARE, f"usr/lib/raspi-firmware/{name}").read_bytes() for name in START_FILES}
        trees = {f"{name}.dtb": device_tree(here.trees / f"{name}.dtb", nodes, work / f"{name}.dtb") for name, nodes in BOARDS.items()}
        named = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(start.items()))
        notice = here.file(FIRMWARE, "usr/share/doc/raspi-firmware/copyright").read_bytes()
        files = {**start, **trees, "vmlinuz": kernel.read_bytes(), "initrd.img": packed, "config.txt": CONFIG.encode(),
                 "cmdline.txt": f"{command_line()}\n".encode(), "NOT-FREE.txt": named.encode(), "NOT-FREE-copyright.txt": notice}
        card(folder / IMAGE, files, work)
        for name in ("vmlinuz", "initrd.img", *trees):
            (folder / name).write_bytes(files[name])
    stale = [*stale, *here.stale]
    print("\n".join(stale), end="\n" if stale else "")
    print(f"{sum(name.endswith('.ko') for name in archive.entries)} modules, initramfs {len(packed) / 1e6:.1f} MB, "
          f"image {(folder / IMAGE).stat().st_size / 1e6:.1f} MB\nnot free software, as Debian has it:\n{named}"
          f"{hashlib.sha256((folder / IMAGE).read_bytes()).hexdigest()}  {IMAGE}", flush=True)
    return stale
