"""The Debian packages that the image is made of: locked by version and hash, downloaded through apt, taken apart and never installed."""
import functools
import hashlib
import pathlib
import re
import shutil
import subprocess

from ..common import ROOT
from ..release import programs
from ..release.names import Refused, output

LOCK = ROOT / "tools/appliance/packages.lock"
CACHE = ROOT / ".build-appliance"
# What the image holds or is made with, and for what. The kernel is the signed one that linux-image-amd64 depends on.
KERNEL = "linux-image-amd64"
PACKAGES = {
    KERNEL: "the kernel and its modules", "console-setup-linux": "fonts", "console-data": "key maps", "ncurses-base": "descriptions of terminals",
    "dosfstools": "mkfs.fat", "e2fsprogs": "mke2fs", "libblkid1": "mke2fs", "libcom-err2": "mke2fs", "libext2fs2": "mke2fs", "libuuid1": "mke2fs",
    "grub-pc-bin": "the BIOS boot loader", "grub-efi-amd64-signed": "the UEFI boot loader, which Secure Boot accepts",
    "shim-signed": "what Secure Boot starts first", "libc6": "every program",
}
# The libraries of Heliograph's programs; the build says which one is missing here.
PACKAGES |= dict.fromkeys(("libgcc-s1", "libpng16-16", "libqrencode4", "libseccomp2", "libsodium23", "libsqlite3-0", "libstdc++6",
                           "libturbojpeg0", "libzstd1", "libzxcvbn0", "libzxing2", "zlib1g"), "Heliograph")


def kernel_package():
    """The package that the newest signed kernel is in."""
    (name,) = re.findall(r"^ *Depends: (linux-image-\S+-amd64)$", output("apt-cache", "depends", KERNEL), re.M)
    return name


def offered(names):
    """Name → version → hash of each version that apt's signed lists have, the candidate first. Each call of apt reads its whole lists, so that all packages
    are asked for at once; one that is gone has no version."""
    def said(*words):
        return subprocess.run([*words, *names], cwd=ROOT, capture_output=True, text=True).stdout

    found = {name: {} for name in names}
    for record in said("apt-cache", "show", "--all-versions").split("\n\n") if names else []:
        fields = dict(re.findall(r"^(Package|Version|SHA256): (\S+)$", record, re.M))
        if len(fields) == 3:
            found[fields["Package"]].setdefault(fields["Version"], fields["SHA256"])
    for name, candidate in re.findall(r"^(\S+):\n  .*\n  Candidate: (\S+)", said("apt-cache", "policy") if names else "", re.M):
        if candidate in found.get(name, ()):
            found[name] = {candidate: found[name].pop(candidate)} | found[name]
    return found


def newest(name, there):
    """The version that apt would install, and its hash."""
    if not there[name]:
        raise Refused(f"{name} is not in the lists of apt: apt-get update")
    return next(iter(there[name].items()))


def renew():
    """Writes the lock from what apt offers."""
    names = sorted([*(set(PACKAGES) - {KERNEL}), kernel_package()])
    there = offered(names)
    lines = "".join(f"{' '.join((name, *newest(name, there)))}\n" for name in names)
    LOCK.write_text("# tools/dev appliance packages --renew makes this: name, version, SHA-256 of the package.\n" + lines)


def locked():
    """Name → version and hash."""
    lines = [line.split() for line in LOCK.read_text().splitlines() if line and not line.startswith("#")]
    found = {name: (version, digest) for name, version, digest in lines}
    wanted = {name for name in PACKAGES if name != KERNEL}
    kernels = [name for name in found if name.startswith("linux-image-")]
    if set(found) - set(kernels) != wanted or len(kernels) != 1:
        raise Refused("tools/appliance/packages.lock does not hold the packages of the image: tools/dev appliance packages --renew")
    return found


def kept(name, digest):
    return CACHE / "packages" / f"{name}_{digest[:16]}.deb"


def download(wanted):
    """Brings the packages that are not kept, and looks at the hashes of all; `wanted` maps a name to its version and hash."""
    if lacking := [name for name, (_, digest) in wanted.items() if not kept(name, digest).exists()]:
        work = CACHE / "packages/new"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        output("apt-get", "download", "-qq", *(f"{name}={wanted[name][0]}" for name in lacking), cwd=work)
        for file in work.iterdir():
            name = file.name.partition("_")[0]
            file.rename(kept(name, wanted[name][1]))
        work.rmdir()
    for name, (version, digest) in wanted.items():
        found = hashlib.sha256(kept(name, digest).read_bytes()).hexdigest()
        if found != digest:
            kept(name, digest).unlink()
            raise Refused(f"{name} {version} has the hash {found}, tools/appliance/packages.lock has {digest}")


class Packages:
    """Every package, unpacked into a folder of its own. `stale` has a sentence for each that the mirror no longer has in the locked version."""

    # Where libraries lie in a package, and what loads them; the list of modules, and what the compiler of the first process is told.
    parts = ("lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu", "lib64")
    loader, loader_folder = "ld-linux-x86-64.so.2", "lib64"
    modules, flags, at = "modules", (), programs.HERE

    def __init__(self):
        self.stale, wanted = [], {}
        there = offered([name for name, (_, digest) in locked().items() if not kept(name, digest).exists()])
        for name, pin in locked().items():
            if name in there and pin[0] not in there[name]:
                # A new kernel has another name.
                now = kernel_package() if name.startswith("linux-image-") else name
                version, pin = pin[0], newest(now, there if now == name else offered([now]))
                self.stale.append(f"lock is stale: the mirror no longer has {name} {version}; the image gets {now} {pin[0]}")
                name = now
            wanted[name] = pin
        download(wanted)
        self.versions = {name: version for name, (version, _) in wanted.items()}
        self.folders = {name: self.unpack(name, kept(name, digest), digest) for name, (_, digest) in wanted.items()}

    @staticmethod
    def unpack(name, file, digest):
        """The folder with the files of a package."""
        target = CACHE / "unpacked" / f"{name}_{digest[:16]}"
        if not target.exists():
            work = target.with_name(f"new-{target.name}")
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir(parents=True)
            output("dpkg-deb", "--extract", file, work)
            work.rename(target)
        return target

    @property
    def kernel(self):
        """The folder of the kernel's package."""
        return next(folder for name, folder in self.folders.items() if name.startswith("linux-image-"))

    def file(self, package, path):
        return self.folders[package] / path

    @functools.cached_property
    def shared(self):
        """Name → file of each shared library: links by their names, so that a program's need is found."""
        found = {}
        for folder in self.folders.values():
            for part in self.parts:
                for path in sorted((folder / part).glob("*.so*")) if (folder / part).is_dir() else []:
                    found.setdefault(path.name, path)
        return found

    def library(self, name):
        """The file behind a library's name; a link that leads out of its package would lead to this machine's own."""
        file = self.shared[name].resolve()
        if CACHE.resolve() not in file.parents:
            raise Refused(f"{name} is a link to {file}")
        return file

    def needed(self, program):
        """Name → file of every library that a program loads, directly or through others."""
        found, waiting = {}, [program]
        while waiting:
            text = output("readelf", "--dynamic", "--wide", waiting.pop())
            for name in re.findall(r"\(NEEDED\).*\[(.+)\]", text):
                if name in found or name.startswith("ld-linux"):
                    continue
                if name not in self.shared:
                    raise Refused(f"{pathlib.Path(program).name} needs {name}, which no package of tools/appliance/packages.lock has")
                found[name] = self.library(name)
                waiting.append(found[name])
        return found


def installed(name):
    return subprocess.run(["sh", "-c", f"command -v {name}"], capture_output=True).returncode == 0
