"""Builds the programs of a release, and says which libraries lie inside them."""
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from ..common import HOT, ROOT, SHIPPED, binary_folder
from .names import Refused, environment, number, output

# The image keeps nothing on the machine that it runs on, so nothing of it is bound to that machine's TPM.
IMAGE_PROGRAMS = ("heliograph", "heliograph-scanner")
COLD_PROGRAMS = (*IMAGE_PROGRAMS, "heliograph-hardware")
HOT_PROGRAM = "heliograph-hot"
# Its C++ (BoringSSL) names its source files where it reports errors and in the names of lambdas; the folder of the build must not stand before them.
PREFIX_MAP = f"-ffile-prefix-map={ROOT}/="
# The online program in the form of the offline ones.
SHIPPED_HOT = ["-c", "release", "--static-swift-stdlib", *HOT, "--scratch-path", ".build-static-hot", "-Xcc", PREFIX_MAP, "-Xcxx", PREFIX_MAP]
# The build id is computed over the debug information, which holds the build's folder. (To strip its section instead takes the read-only relocations along.)
LINKED = ["-Xlinker", "--build-id=none", "-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"]
# Swift's runtime inside, for objects that were compiled for the shared one: they do not name these parts of it.
STATIC = ["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims", "-Xlinker", "--gc-sections"]
# Sections that say how a file was made and that no program reads.
NEEDLESS = [".comment", ".swift1_autolink_entries"]
# Hashes of how each module was compiled, paths included: nothing else differs between two builds of a commit in two folders. No program reads them. They
# are loaded, so the section stays, with zeros: to strip it takes the read-only relocations along.
BLANKED = ".swift_modhash"
# Libraries that Debian's releases have under different names, and of which no archive exists: the package brings its own copy, in a folder where nobody
# else's program looks. What has an archive is linked statically instead (libsecp256k1, by its module map).
PRIVATE = {"libZXing.so.2": "libzxing2 in Debian 12, libzxing3 in Debian 13"}
PRIVATE_FOLDER = "/usr/lib/heliograph"
# The C library itself, which every Debian has.
C_LIBRARY = re.compile(r"/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so")


class Program:
    """One linked program and the linker's map of it."""

    def __init__(self, path, linked):
        self.path, self.map, self.name = path, linked, path.name

    def archives(self):
        """The archives of Debian's packages that lie inside the program."""
        return sorted(set(re.findall(r"/usr/lib/[\w./+-]+/(lib[\w+-]+\.a)\b", self.map.read_text(errors="replace"))))


def swift_build(product, options, commit, folder):
    """Builds a product that states its commit. Next to a build of the same options this compiles one C file and links."""
    linked = folder / f"{product}.map"
    words = ["swift", "build", *options, "--product", product, *LINKED, "-Xlinker", f"-Map={linked}"]
    # The program may be there, linked by an earlier release with another map.
    program = binary_folder(*options) / product
    program.unlink(missing_ok=True)
    subprocess.run(words, cwd=ROOT, check=True, stdout=sys.stderr, env=environment() | {"HELIOGRAPH_COMMIT": commit, "HELIOGRAPH_NUMBER": str(number())})
    return Program(program, linked)


def relinked(product, options, commit, folder, *more):
    """A product linked again from the objects of its last build, for tests: nothing is compiled, and the built program, which others start, stays as it is."""
    place = binary_folder(*options)
    plan = place.parents[1] / f"{place.name}.yaml"
    command = rf'"C\.{product}-{place.parent.name}-{place.name}\.exe":\n.*?\n    args: (\[.*?\])\n'
    found = re.search(command, plan.read_text(), re.S) if plan.exists() else None
    if not found:
        raise Refused(f"{product} is not built: swift build {' '.join(options)} --product {product}")
    words = json.loads(found[1])
    listed = next(pathlib.Path(word[1:]) for word in words if word.startswith("@"))
    program, linked, stated, objects = (folder / f"{product}{end}" for end in ("", ".map", ".release.o", ".objects"))
    output("clang", "-c", "-fPIC", "-I", "Sources/C/CRelease/include", f'-DHELIOGRAPH_COMMIT="{commit}"', f"-DHELIOGRAPH_NUMBER={number()}",
           "Sources/C/CRelease/release.c", "-o", stated)
    names = [stated if name.strip("'").endswith("/CRelease.build/release.c.o") else name for name in listed.read_text().splitlines()]
    if stated not in names:
        raise Refused(f"the objects of {product} do not hold its commit")
    objects.write_text("".join(f"{name}\n" for name in names))
    words[words.index("-o") + 1] = program
    output(*[f"@{objects}" if word == f"@{listed}" else word for word in words], *more, *LINKED, "-Xlinker", f"-Map={linked}")
    return Program(program, linked)


def build(commit, folder, is_test):
    """Name → program, each with its commit. A test links what is built: the online program, whose optimised build takes minutes, from its debug build."""
    if is_test:
        made = [relinked(product, SHIPPED, commit, folder) for product in COLD_PROGRAMS]
        made.append(relinked(HOT_PROGRAM, HOT, commit, folder, *STATIC))
    else:
        made = [swift_build(product, SHIPPED, commit, folder) for product in COLD_PROGRAMS]
        made.append(swift_build(HOT_PROGRAM, SHIPPED_HOT, commit, folder))
    return {program.name: program for program in made}


@functools.cache
def owner(path):
    """The Debian package of a file of this machine. A folder that is a link (/lib) hides files from dpkg, so the real place is asked for too."""
    for name in dict.fromkeys([str(path), os.path.realpath(path), re.sub(r"^/usr/lib/", "/lib/", str(path)), re.sub(r"^/lib/", "/usr/lib/", str(path))]):
        done = subprocess.run(["dpkg-query", "--search", name], capture_output=True, text=True)
        if done.returncode == 0:
            return re.sub(r"(:\w+)?: .*", "", done.stdout.splitlines()[0])
    raise Refused(f"no Debian package owns {path}")


class Here:
    """The architecture of this machine: where its libraries lie and whose they are, and what takes a program's symbols away."""

    architecture = "amd64"
    folder = "/usr/lib/x86_64-linux-gnu"
    strip = ("strip",)

    def libraries(self, program):
        """The shared libraries that a program loads, without the C library, as paths."""
        found = output("ldd", program)
        if missing := re.findall(r"(\S+) => not found", found):
            raise Refused(f"{program} needs {', '.join(missing)}")
        return sorted(path for path in re.findall(r"=> (/\S+)", found) if not C_LIBRARY.search(path))

    def owner(self, path):
        """The Debian package of a file."""
        return owner(path)

    def version(self, package):
        return output("dpkg-query", "-W", "-f", "${Version}", package)

    def source(self, package):
        """The source package with its version, as Built-Using names it."""
        return output("dpkg-query", "-W", "-f", "${source:Package} (= ${source:Version})", package)

    def copyright(self, package):
        """The file with a package's copyright."""
        return pathlib.Path(f"/usr/share/doc/{package}/copyright")

    def runtime(self):
        """The version of the Swift runtime inside the programs."""
        return re.search(r"Swift version (\S+)", output("swift", "--version"))[1]


HERE = Here()


def place(program, target, search, at=HERE):
    """Copies a program without symbols and needless sections. `search` is where it looks for libraries first; None for the system's places alone.

    SwiftPM lets every program look beside itself, which for /usr/bin must not stay.
    """
    words = [word for section in NEEDLESS for word in ("--remove-section", section)]
    # Both kinds of program take the names in this order.
    shutil.copy(program.path, target)
    output(*at.strip, "--strip-all", *words, target)
    # An rpath (not a runpath) also serves the libraries that the libraries need.
    output("patchelf", *(["--remove-rpath"] if search is None else ["--force-rpath", "--set-rpath", search]), target)
    blank(target)
    target.chmod(0o755)


def blank(program):
    """Fills the section with zeros."""
    for offset, size in re.findall(rf"\s{re.escape(BLANKED)}\s+PROGBITS\s+\w+\s+(\w+)\s+(\w+)\s", output("readelf", "--sections", "--wide", program)):
        with open(program, "r+b") as file:
            file.seek(int(offset, 16))
            file.write(bytes(int(size, 16)))


def private(program, at=HERE):
    """The libraries of a program that its package brings."""
    return [path for path in at.libraries(program) if pathlib.Path(path).name in PRIVATE]
