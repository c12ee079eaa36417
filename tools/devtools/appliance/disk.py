"""Disks as files: the boot stick, which BIOS and UEFI start, and data sticks. Everything is written by these lines and mtools: no root, no mount."""
import binascii
import os
import pathlib
import shutil
import struct
import tempfile
import time
import uuid

from ..common import ROOT
from ..release.names import Refused, environment, output

FOLDER = ROOT / "tools/appliance"
SECTOR, MEBIBYTE = 512, 1 << 20
ENTRIES, ENTRY, HEADER, RESERVED = 128, 128, 92, 34
# The identifier that tools/appliance/init/stick.c knows the boot stick by: the letters HELIO-BO..T-STICK as they lie on the disk.
BOOT_DISK = bytes.fromhex("48454c494f2d424f8f542d535449434b")
BIOS_BOOT, EFI_SYSTEM = uuid.UUID("21686148-6449-6e6f-744e-656564454649"), uuid.UUID("c12a7328-f81f-11d2-ba4b-00a0c93ec93b")
BASIC_DATA, LINUX_DATA = uuid.UUID("ebd0a0a2-b9e5-4433-87c0-68b6b72699c7"), uuid.UUID("0fc63daf-8483-4772-8e79-3d69d8477de4")
CORE_AT, EFI_AT, LEAST_EFI = RESERVED, 4096, 36 * MEBIBYTE
VOLUME, LABEL = "48454C31", "HELIOGRAPH"
GRUB_MODULES = ("biosdisk part_gpt fat normal search search_fs_uuid linux halt test all_video vbe video video_fb").split()
DROP, VAULT = "HELIO-DROP", "HELIO-VAULT"


def table(sectors, disk, partitions):
    """The first 34 sectors and the last 33 of a disk; a partition is type, identifier, first and last sector, and name."""
    entries = b"".join(struct.pack("<16s16sQQQ72s", kind.bytes_le, own, first, last, 0, name.encode("utf-16-le"))
                       for kind, own, first, last, name in partitions)
    entries = entries.ljust(ENTRIES * ENTRY, b"\0")

    def header(here, other, at):
        def made(checksum):
            return struct.pack("<8sIIIIQQQQ16sQIII", b"EFI PART", 0x10000, HEADER, checksum, 0, here, other, RESERVED, sectors - RESERVED, disk, at, ENTRIES,
                               ENTRY, binascii.crc32(entries))

        return made(binascii.crc32(made(0))).ljust(SECTOR, b"\0")

    record = bytearray(SECTOR)
    record[446:462] = struct.pack("<BBBBBBBBII", 0, 0, 2, 0, 0xEE, 0xFF, 0xFF, 0xFF, 1, min(sectors - 1, 0xFFFFFFFF))
    record[510:] = b"\x55\xaa"
    return bytes(record) + header(1, sectors - 1, 2) + entries, entries + header(sectors - 1, 1, sectors - 33)


def fat(target, size, label, volume, files, epoch):
    """A FAT32 file system with these files: name → bytes."""
    with open(target, "wb") as file:
        file.truncate(size)
    settings = environment() | {"MTOOLS_SKIP_CHECK": "1", "SOURCE_DATE_EPOCH": str(epoch)}
    words = [*(["--invariant", "-i", volume] if volume else []), *(["-s", "1"] if size < 64 * MEBIBYTE else [])]
    output("mkfs.fat", *words, "-F", "32", "-n", label, target, env=settings)
    with tempfile.TemporaryDirectory() as folder:
        made = set()
        for name, data in sorted(files.items()):
            for parent in list(reversed(pathlib.PurePath(name).parents))[1:]:
                if parent not in made:
                    made.add(parent)
                    output("mmd", "-i", target, f"::{parent}", env=settings)
            copy = pathlib.Path(folder) / "copy"
            copy.write_bytes(data)
            os.utime(copy, (epoch, epoch))
            output("mcopy", "-m", "-i", target, copy, f"::{name}", env=settings)


def core(packages, work):
    """GRUB for BIOS: the first sector, and the core that it loads, each told where the core lies."""
    folder = packages.file("grub-pc-bin", "usr/lib/grub/i386-pc")
    output("grub-mkimage", "-O", "i386-pc", "-d", folder, "-c", FOLDER / "grub-early.cfg", "-p", "/", "-o", work / "core.img", *GRUB_MODULES, env=environment())
    core = bytearray((work / "core.img").read_bytes())
    core += bytes(-len(core) % SECTOR)
    struct.pack_into("<QHH", core, 0x1F4, CORE_AT + 1, len(core) // SECTOR - 1, 0x820)
    boot = bytearray((folder / "boot.img").read_bytes())
    struct.pack_into("<Q", boot, 0x5C, CORE_AT)
    # What grub-bios-setup writes for hard disks: the drive that the BIOS names is believed.
    boot[0x66:0x68] = b"\x90\x90"
    return bytes(boot), bytes(core)


def menu():
    """grub.cfg with the kernel's command lines."""
    usual, old = (FOLDER / "command-line").read_text().splitlines()
    return (FOLDER / "grub.cfg").read_text().replace("{command_line}", usual).replace("{old_hardware}", old).encode()


def boot_stick(target, packages, kernel, initramfs, epoch, work):
    """Writes the image of the boot stick."""
    boot, loader = core(packages, work)
    if CORE_AT + len(loader) // SECTOR > EFI_AT:
        raise Refused(f"the boot loader has {len(loader)} bytes, more than there is room for")
    # The signed boot loader looks for its menu in EFI/debian. One shim and one GRUB serve UEFI with and without Secure Boot.
    files = {"vmlinuz": kernel, "initrd.img": initramfs, "grub.cfg": menu(), "EFI/debian/grub.cfg": menu(),
             "EFI/BOOT/BOOTX64.EFI": packages.file("shim-signed", "usr/lib/shim/shimx64.efi.signed").read_bytes(),
             "EFI/BOOT/grubx64.efi": packages.file("grub-efi-amd64-signed", "usr/lib/grub/x86_64-efi-signed/grubx64.efi.signed").read_bytes()}
    held = sum(len(data) + 4096 for data in files.values())
    size = max(LEAST_EFI, -(-(held * 51 // 50 + MEBIBYTE) // MEBIBYTE) * MEBIBYTE)
    fat(work / "efi", size, LABEL, VOLUME, files, epoch)
    last = EFI_AT + size // SECTOR - 1
    sectors = last + 1 + 33
    own = [bytes([number]) + BOOT_DISK[1:] for number in (1, 2)]
    start, end = table(sectors, BOOT_DISK, [(BIOS_BOOT, own[0], CORE_AT, EFI_AT - 1, "boot loader"), (EFI_SYSTEM, own[1], EFI_AT, last, LABEL)])
    first = bytearray(start)
    # The code up to the disk's number, that number, and the protective record, marked as active for firmware that starts nothing else.
    first[:440] = boot[:440]
    first[440:444] = bytes.fromhex(VOLUME)[::-1]
    first[446] = 0x80
    with open(target, "wb") as file:
        file.write(first)
        file.seek(CORE_AT * SECTOR)
        file.write(loader)
        file.seek(EFI_AT * SECTOR)
        with open(work / "efi", "rb") as source:
            shutil.copyfileobj(source, file)
        file.write(end)


def layout(sectors):
    """First and last sector of both partitions, as gpt_layout of tools/appliance/init/gpt.c has them."""
    unit = MEBIBYTE // SECTOR
    drop = min(sectors // 4 // unit * unit, 1024 * unit)
    return (unit, unit + drop - 1), (unit + drop, (sectors - RESERVED) // unit * unit - 1)


def data_stick(target, megabytes, files):
    """A data stick as the appliance makes one, with these files in its partition for pictures."""
    sectors = megabytes * MEBIBYTE // SECTOR
    if megabytes < 160:
        raise Refused("a data stick has at least 160 MiB")
    drop, vault = layout(sectors)
    own = [uuid.uuid4().bytes_le for _ in range(3)]
    start, end = table(sectors, own[0], [(BASIC_DATA, own[1], *drop, DROP), (LINUX_DATA, own[2], *vault, VAULT)])
    with tempfile.TemporaryDirectory() as folder:
        parts = pathlib.Path(folder)
        fat(parts / "drop", (drop[1] - drop[0] + 1) * SECTOR, DROP, None, files, int(time.time()))
        with open(parts / "vault", "wb") as file:
            file.truncate((vault[1] - vault[0] + 1) * SECTOR)
        output("mke2fs", "-q", "-F", "-t", "ext4", "-m", "0", "-L", VAULT, "-E", "root_owner=1000:1000", parts / "vault")
        with open(target, "wb") as file:
            file.truncate(sectors * SECTOR)
            file.write(start)
            for name, (first, _) in (("drop", drop), ("vault", vault)):
                file.seek(first * SECTOR)
                with open(parts / name, "rb") as source:
                    while chunk := source.read(MEBIBYTE):
                        # Holes stay holes.
                        file.seek(len(chunk), os.SEEK_CUR) if not chunk.strip(b"\0") else file.write(chunk)
            file.seek((sectors - 33) * SECTOR)
            file.write(end)


def from_drop(stick, name):
    """A file of a data stick's partition for pictures."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy"
        output("mcopy", "-i", f"{stick}@@{MEBIBYTE}", f"::{name}", copy, env=environment() | {"MTOOLS_SKIP_CHECK": "1"})
        return copy.read_bytes()
