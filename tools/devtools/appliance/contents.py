"""What the image holds: the file system that the kernel unpacks into memory."""
import hashlib
import lzma
import pathlib
import stat
import subprocess
import tempfile

from ..common import ROOT
from ..release import programs
from ..release.names import Refused, output
from . import font, modules

INIT = ROOT / "tools/appliance/init"
C_FLAGS = ["-std=gnu17", "-D_GNU_SOURCE", "-O2", "-fPIE", "-fstack-protector-strong", "-D_FORTIFY_SOURCE=2", "-Wall", "-Wextra", "-Werror",
           "-Wno-unused-result", f"-ffile-prefix-map={ROOT}/="]
LINK = ["-pie", "-Wl,-z,relro,-z,now", "-Wl,--build-id=none"]
# A key map that a person may choose on the first screen: Debian's name of it.
KEY_MAPS = ("us", "uk", "dvorak", "de-latin1-nodeadkeys", "de-latin1", "fr-latin9", "be-latin1", "it", "es", "pt-latin1", "br-abnt2", "se-latin1", "no-latin1",
            "dk-latin1", "fi-latin1", "nl", "sg-latin1", "fr_CH-latin1", "pl", "cz-us-qwertz", "hu", "sk-qwerty", "croat", "slovene", "trq", "ru1", "jp106",
            "la-latin1", "cf", "et", "is-latin1")
# Flags after the magic of a binary key map.
KEY_TABLES = 256
TERMINALS = ("l/linux", "x/xterm-256color", "d/dumb")
FOLDERS = ("bin", "dev", "drop", "lib", "lib64", "lib/modules", "lib/terminfo", "proc", "run", "share", "share/fonts", "share/keymaps", "sys", "tmp", "vault")
TRAILER = "TRAILER!!!"


class Archive:
    """A cpio archive in the form that Linux unpacks (newc): sorted, root's, one time."""

    def __init__(self, time):
        self.time, self.entries = time, {}

    def folder(self, name, mode=0o755):
        self.entries[name] = (stat.S_IFDIR | mode, b"", (0, 0))

    def file(self, name, data, mode=0o644):
        self.entries[name] = (stat.S_IFREG | mode, data, (0, 0))

    def link(self, name, target):
        """A symbolic link."""
        self.entries[name] = (stat.S_IFLNK | 0o777, target.encode(), (0, 0))

    def device(self, name, major, minor):
        """A character device, which needs no root to be written into an archive."""
        self.entries[name] = (stat.S_IFCHR | 0o600, b"", (major, minor))

    def packed(self):
        """The bytes, up to a boundary of 512."""
        made = bytearray()
        every = [*sorted(self.entries.items()), (TRAILER, (0, b"", (0, 0)))]
        for number, (name, (mode, data, device)) in enumerate(every, 1):
            last = name == TRAILER
            numbers = [0 if last else number, mode, 0, 0, 1, 0 if last else self.time, len(data), 0, 0, *device, len(name) + 1, 0]
            made += b"070701" + b"".join(b"%08X" % value for value in numbers) + name.encode() + b"\0"
            made += b"\0" * (-len(made) % 4) + data
            made += b"\0" * (-len(made) % 4)
        return bytes(made + b"\0" * (-len(made) % 512))


def compile_init(target, without=("tests.c", "probe.c"), flags=(), at=programs.HERE):
    """Compiles the first process, without these of its files."""
    output("clang", *C_FLAGS, *LINK, *flags, *sorted(path for path in INIT.glob("*.c") if path.name not in without), "-o", target)
    output(*at.strip, "--strip-all", "--remove-section", ".comment", target)


def key_map(packages, name):
    """A key map in the form of `loadkeys --bkeymap`."""
    folder = packages.file("console-data", "usr/share/keymaps/i386")
    found = [path for path in sorted(folder.rglob(f"{name}.kmap.gz")) if "mac" not in path.parts]
    if not found:
        raise Refused(f"console-data has no key map {name}")
    # Beside it, loadkeys finds what it includes. It unpacks files by a command of a shell, which takes a path with a blank for two: then it succeeds, and
    # the map is empty. So it gets a path of our own, and a map must have tables, of which a flag for each follows its magic.
    with tempfile.TemporaryDirectory(dir="/tmp") as here:
        link = pathlib.Path(here) / "keymaps"
        link.symlink_to(folder)
        done = subprocess.run(["loadkeys", "--bkeymap", link / found[0].relative_to(folder)], capture_output=True)
    if done.returncode != 0 or not done.stdout.startswith(b"bkeymap") or not any(done.stdout[len("bkeymap"):][:KEY_TABLES]):
        raise Refused(f"loadkeys does not read the key map {name}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def about(version, commit, program):
    """What the first screen says of the program."""
    digest = hashlib.sha256(program).hexdigest()
    return (f"Version       {version}, commit {commit[:16]}\nProgram       SHA-256 {digest[:32]}\n              {digest[32:]}\n"
            "Network       no driver of any network exists here\n")


def initramfs(packages, made, work, version, commit, time):
    """The archive, not compressed. `made` maps the names of Heliograph's programs to linked ones."""
    archive = Archive(time)
    for name in FOLDERS:
        archive.folder(name)
    archive.folder("private", 0o700)
    archive.folder("private/sys", 0o700)
    archive.device("dev/console", 5, 1)
    compile_init(work / "init", flags=packages.flags, at=packages.at)
    archive.file("init", (work / "init").read_bytes(), 0o755)
    binaries = {"init": work / "init", "mkfs.fat": packages.file("dosfstools", "sbin/mkfs.fat"), "mke2fs": packages.file("e2fsprogs", "sbin/mke2fs")}
    for name in programs.IMAGE_PROGRAMS:
        # The libraries lie in the system's place: no search path.
        programs.place(made[name], work / name, None, packages.at)
        binaries[name] = work / name
    for name, path in binaries.items():
        if name != "init":
            archive.file(f"bin/{name}", path.read_bytes(), 0o755)
        for library, file in packages.needed(path).items():
            archive.file(f"lib/{library}", file.read_bytes(), 0o755)
    archive.file(f"{packages.loader_folder}/{packages.loader}", packages.library(packages.loader).read_bytes(), 0o755)
    for name, data in font.fonts(packages).items():
        archive.file(f"share/fonts/{name}", data)
    for name in KEY_MAPS:
        archive.file(f"share/keymaps/{name}", key_map(packages, name))
    for name in TERMINALS:
        archive.folder(f"lib/terminfo/{name[0]}")
        archive.file(f"lib/terminfo/{name}", packages.file("ncurses-base", f"lib/terminfo/{name}").read_bytes())
    folder, order = modules.closure(packages.kernel, kind=packages.modules)
    for path in order:
        # Unchanged: stripped they lose the signature that lockdown demands. Debian 13 compresses what was signed.
        data = (folder / path).read_bytes()
        archive.file(f"lib/modules/{modules.file_name(path)}", lzma.decompress(data) if path.endswith(".xz") else data)
    archive.file("lib/modules/list", modules.load_list(order))
    archive.file("share/about", about(version, commit, (work / "heliograph").read_bytes()).encode())
    archive.file("share/build-time", f"{time}\n".encode())
    return archive
