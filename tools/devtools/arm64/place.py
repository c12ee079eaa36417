"""Where the libraries of a program for arm64 lie: in the sysroot, whose packages are unpacked and not installed."""
import functools
import json
import pathlib
import re

from ..release import debian, programs
from ..release.names import Refused, output
from . import sysroot

# The newest version of the C library that a program may ask for: that of Debian 12 is 2.36.
NEWEST_GLIBC = (2, 35)
# Of all kernels with arm64; those of Debian have 4 and 16 KiB.
LARGEST_PAGE = 64 << 10


def glibc(program):
    """The newest version of the C library that a program asks for."""
    found = re.findall(r"\bGLIBC_(\d+)\.(\d+)", output("readelf", "--version-info", "--wide", program))
    return max((int(major), int(minor)) for major, minor in found)


class Sysroot(programs.Here):
    """The place of libraries for arm64."""

    architecture = "arm64"
    strip = ("llvm-objcopy",)

    def __init__(self):
        made = sysroot.cache() / "made"
        self.root = made / "compiler" / sysroot.SDK / "sysroot"
        self.folder = str(self.root / "usr/lib" / sysroot.LIBRARIES)
        self.known = json.loads((self.root / sysroot.KNOWN).read_text())
        self.owners = {re.sub(r"^(/usr)?", "", path): name for name, one in self.known.items() for path in one["files"]}
        lines = (line.split() for line in (made / "packages.txt").read_text().splitlines())
        (self.swift,) = (line[2] for line in lines if line[:2] == ["runtime", "swiftlang"])

    @functools.cached_property
    def shared(self):
        """Name → file of each shared library."""
        folders = [self.root / part / sysroot.LIBRARIES for part in ("usr/lib", "lib")]
        return {path.name: path for folder in folders if folder.is_dir() for path in sorted(folder.glob("*.so*"))}

    @staticmethod
    def needed(program):
        return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "--dynamic", "--wide", program))

    def libraries(self, program):
        """The shared libraries that a program loads, directly or through others, without the C library, as paths."""
        found, waiting = {}, [program]
        while waiting:
            for name in self.needed(waiting.pop()):
                if name in found or programs.C_LIBRARY.search(f"/{name}"):
                    continue
                if name not in self.shared:
                    raise Refused(f"{program} needs {name}, which the sysroot for arm64 lacks")
                found[name] = self.shared[name]
                waiting.append(found[name])
        return sorted(map(str, found.values()))

    def owner(self, path):
        """The Debian package of a file of the sysroot."""
        inside = str(pathlib.Path(path).relative_to(self.root))
        name = self.owners.get("/" + re.sub(r"^usr/", "", inside))
        if name is None:
            raise Refused(f"no Debian package of the sysroot for arm64 owns {inside}")
        return name

    def version(self, package):
        return self.known[package]["version"]

    def source(self, package):
        return self.known[package]["source"]

    def runtime(self):
        return self.swift

    def copyright(self, package):
        return self.root / f"usr/share/doc/{package}/copyright"

    def relations(self, binaries, known):
        """What the package depends on. `known` are the relations of the package for amd64, of the same sources and libraries; only the C library's version is
        that of this architecture's programs."""
        own = {path for program in binaries for path in programs.private(program, self)}
        loaded = {name for part in [*binaries, *own] for name in self.needed(part)}
        # What is recommended only is not depended on, here as there.
        excluded = {self.owner(path) for path in own} | {names.split()[0] for names in debian.HARDWARE}
        needed = {self.owner(self.shared[name]) for name in loaded if name in self.shared} - excluded
        named = {re.split(r"[ (:]", relation)[0]: relation for relation in known}
        if needed != set(named):
            raise Refused(f"for arm64 the package would depend on {', '.join(sorted(needed))}, and for amd64 on {', '.join(sorted(named))}")
        newest = ".".join(map(str, max(map(glibc, [*binaries, *own]))))
        return sorted([f"libc6 (>= {newest})", *(relation for name, relation in named.items() if name != "libc6")])

    @staticmethod
    def problems(tree):
        """What is wrong with programs that do not run here."""
        for program in (tree.root / "usr/bin").iterdir():
            if glibc(program) > NEWEST_GLIBC:
                yield f"{program.name} for arm64 asks for the C library {'.'.join(map(str, glibc(program)))}"
            if "AArch64" not in output("readelf", "--file-header", program):
                yield f"{program.name} is not for arm64"
            # The loader of a machine with larger pages could not map a part that is aligned to less.
            aligned = [int(word, 16) for word in re.findall(r"^  LOAD .* (0x[0-9a-f]+)$", output("readelf", "--segments", "--wide", program), re.M)]
            if not aligned or min(aligned) < LARGEST_PAGE:
                yield f"{program.name} has parts that a machine with pages of 64 KiB cannot load"
