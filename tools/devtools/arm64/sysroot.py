"""Makes what compiles the programs for another architecture: a compiler, the libraries of Debian 12 for it, Swift's runtime, and the SDK that joins them.

    tools/dev sysroot arm64            makes what is lacking, below ~/.cache/heliograph or $HELIOGRAPH_CACHE
    tools/dev sysroot arm64 --write    makes it anew from what the mirror has, and writes tools/lock/arm64.txt

Swift's project offers no toolchain that compiles for Debian on arm64; Debian's own does, and has the runtime for it. It is in sid, which changes every day. So
the lock holds name, version and SHA-256 of every package of the three, and a difference is said; only a release refuses it.
"""
import concurrent.futures
import fcntl
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

from .. import lock
from ..common import ROOT
from ..release import chroot
from ..release.names import Refused, output
from ..release.person import Stuck

LOCK = ROOT / "tools/lock/arm64.txt"
TRIPLE, LIBRARIES = "aarch64-unknown-linux-gnu", "aarch64-linux-gnu"
# Debian's Swift is in sid alone. The programs are for Debian 12 and whatever comes after it, so its libraries are what they are linked with.
COMPILER_OF, SYSROOT_OF = "sid", chroot.THIS
COMPILER = ["swiftlang", "swiftlang-dev", "libc6-dev", "libstdc++-15-dev", "g++", "pkg-config", "git", "ca-certificates"]
RUNTIME = ["swiftlang", "libswiftlang"]
# The programs' part of the runtime's package; the rest is the compiler for arm64.
RUNTIME_FOLDERS = ("swift", "swift_static", "clang")
# Where the SDK lies in the compiler's root, and what it is called.
SDK, IDENTIFIER = "sdk", "debian12-arm64"
# What dpkg would know of the libraries, if they were installed.
KNOWN = "known.json"
VARIABLE = "HELIOGRAPH_CACHE"
HELP = "tools/dev sysroot arm64 --write, and commit"
# What the C library of Debian 12 lacks of what sid's runtime asks for, weak: libbsd, which is linked too, has one of them. The names of C23 differ from the
# older ones in reading `0b` as the beginning of a binary number, and the runtime reads no number of ours with them.
COMPATIBILITY = """#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define WEAK __attribute__((weak))
WEAK long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }
WEAK long long __isoc23_strtoll(const char *s, char **end, int base) { return strtoll(s, end, base); }
WEAK unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }
WEAK unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return strtoull(s, end, base); }
WEAK int __isoc23_sscanf(const char *s, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int found = vsscanf(s, format, list);
    va_end(list);
    return found;
}
WEAK size_t strlcpy(char *to, const char *from, size_t size) {
    size_t length = strlen(from);
    if (size) {
        size_t kept = length < size ? length : size - 1;
        memcpy(to, from, kept);
        to[kept] = 0;
    }
    return length;
}
"""


def configure(parser):
    parser.add_argument("architecture", choices=["arm64"])
    parser.add_argument("--write", action="store_true", help="make it anew from what the mirror has, and write the lock")


def cache():
    """Where the compiler and the libraries lie: outside the repository, because they are gigabytes and belong to no commit."""
    return pathlib.Path(os.environ.get(VARIABLE) or pathlib.Path.home() / ".cache/heliograph").resolve() / "arm64"


def development():
    """The development packages of the programs, as tools/install names them, and the C libraries'."""
    listed = [name for name in lock.listed("signer", "demo") if name.endswith("-dev")]
    return ["libc6-dev", "libstdc++-12-dev", "linux-libc-dev", *listed]


def sources(release, file):
    """Where this machine installs Debian's packages from, for another release, as a file. sid has neither updates of its own nor security."""
    made = chroot.System(file.with_suffix(""), release).sources()
    if release != COMPILER_OF:
        return made
    kept = [part for part in made.read_text().split("\n\n") if f"{release}-security" not in part]
    made.write_text("\n\n".join(kept).replace(f" {release}-updates", ""))
    return made


def mmdebstrap(root, release, architectures, variant, include):
    """Makes a root, whose packages stay in its cache of apt. sid's list of packages is dated in days, and a machine's clock may be off by more; its signature
    is checked all the same, and each package by the lock."""
    words = ["mmdebstrap", f"--variant={variant}", f"--architectures={architectures}", "--quiet", "--skip=cleanup/apt,essential/unlink,check/empty",
             "--dpkgopt=force-unsafe-io", "--aptopt=Acquire::Check-Valid-Until \"false\"", "--aptopt=Acquire::Languages \"none\"",
             f"--include={','.join(include)}", release, root, sources(release, root.with_suffix(".sources"))]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if done.returncode != 0:
        raise Refused(f"mmdebstrap ended with {done.returncode}\n{done.stderr}")


def packages(part, folder, told=None):
    """Lines of the lock for the packages in a folder. Into `told` goes what dpkg would know of them, were they installed: the source and files of each."""
    found, known = [], {}
    for file in sorted(folder.glob("*.deb")):
        if told:
            name, *about = output("dpkg-deb", "--showformat=${Package}\t${Version}\t${source:Package} (= ${source:Version})", "--show", file).split("\t")
            listed = re.findall(r"^[-l].* \.(/\S+?\.(?:a|so[.\d]*))(?: -> .*)?$", output("dpkg-deb", "--contents", file), re.M)
            known[name] = {"version": about[0], "source": about[1], "files": listed}
        name, version = output("dpkg-deb", "--showformat=${Package} ${Version}", "--show", file).split()
        found.append(f"{part} {name} {version} {hashlib.sha256(file.read_bytes()).hexdigest()}\n")
        file.unlink()
    if told:
        told.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    return sorted(set(found))


def make_compiler(root):
    """The chroot of the compiler; it also knows the packages of arm64, without installing one."""
    mmdebstrap(root, COMPILER_OF, "amd64,arm64", "apt", COMPILER)
    return packages("compiler", root / "var/cache/apt/archives")


def make_runtime(root):
    """Swift's libraries for arm64: those that go into the programs, and the headers of its clang."""
    system, here = chroot.System(root, COMPILER_OF), root / "root/runtime"
    here.mkdir()
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    system.call("sh", "-c", f"cd runtime && apt-get download -qq {' '.join(f'{name}:arm64' for name in RUNTIME)}", online=True)
    for file in here.glob("*.deb"):
        output("dpkg-deb", "--extract", file, here / "unpacked")
    found = packages("runtime", here)
    (place,) = {path.parents[1] for path in (here / "unpacked").rglob("lib/swift_static")}
    (root / SDK / "runtime/lib").mkdir(parents=True)
    for name in RUNTIME_FOLDERS:
        (place / "lib" / name).rename(root / SDK / "runtime/lib" / name)
    # What libswiftlang has beside them are libraries that programs load which are linked to the shared runtime; ours are not.
    shutil.rmtree(here)
    return found


def make_sysroot(root):
    """The libraries of Debian 12 for arm64: no program of it runs here."""
    mmdebstrap(root, SYSROOT_OF, "arm64", "extract", development())
    found = packages("sysroot", root / "var/cache/apt/archives", root / KNOWN)
    relative_links(root)
    return found


def relative_links(root):
    """An absolute link of a sysroot would lead to this machine's own file, or to none, and then the linker takes the archive instead."""
    for path in root.rglob("*"):
        if path.is_symlink() and os.path.isabs(target := os.readlink(path)):
            path.unlink()
            path.symlink_to(os.path.relpath(root / target.lstrip("/"), path.parent))


def make_bundle(root):
    """The SDK as the package manager reads it, and the object for what the older C library lacks."""
    sdk = root / SDK
    # The compiler looks for the first object of a program here, whatever the SDK says.
    for name in ("swift", "swift_static"):
        (sdk / "sysroot/usr/lib" / name).symlink_to(f"../../../runtime/lib/{name}")
    bundle = sdk / "sdks/debian.artifactbundle"
    (bundle / IDENTIFIER).mkdir(parents=True)
    compatibility = sdk / "compatibility.c"
    compatibility.write_text(COMPATIBILITY)
    chroot.System(root, COMPILER_OF).call("/usr/libexec/swift/bin/clang", f"--target={LIBRARIES}", f"--sysroot=/{SDK}/sysroot", "-O2", "-fPIC", "-c",
                                          f"/{SDK}/compatibility.c", "-o", f"/{SDK}/compatibility.o")
    there = {"sdkRootPath": f"/{SDK}/sysroot", "swiftResourcesPath": f"/{SDK}/runtime/lib/swift", "toolsetPaths": ["toolset.json"],
             "swiftStaticResourcesPath": f"/{SDK}/runtime/lib/swift_static"}
    toolset = {"schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]},
               "linker": {"extraCLIOptions": [f"/{SDK}/compatibility.o"]}}
    artifact = {"type": "swiftSDK", "version": "1", "variants": [{"path": IDENTIFIER, "supportedTriples": ["x86_64-pc-linux-gnu", "x86_64-unknown-linux-gnu"]}]}
    for name, content in {f"{IDENTIFIER}/swift-sdk.json": {"schemaVersion": "4.0", "targetTriples": {TRIPLE: there}}, f"{IDENTIFIER}/toolset.json": toolset,
                          "info.json": {"schemaVersion": "1.0", "artifacts": {IDENTIFIER: artifact}}}.items():
        (bundle / name).write_text(json.dumps(content, indent=1) + "\n")


def recipe():
    """What the three are made of, as a digest: of another one, everything is made again."""
    return hashlib.sha256(pathlib.Path(__file__).read_bytes() + " ".join(development()).encode()).hexdigest()


def make(folder):
    """Makes all of it and writes beside it which packages it is of."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    root, libraries = folder / "compiler", folder / "sysroot"
    with concurrent.futures.ThreadPoolExecutor() as pool:
        # One waits for the mirror while the other unpacks.
        lines = pool.submit(make_sysroot, libraries)
        found = [*make_compiler(root), *make_runtime(root), *lines.result()]
    libraries.rename(root / SDK / "sysroot")
    make_bundle(root)
    (folder / "packages.txt").write_text("".join(found))
    (folder / "recipe").write_text(recipe())


def differences():
    """Sentences about what the lock and what is made have differently."""
    made, locked = ((file.read_text() if file.exists() else "") for file in (cache() / "made/packages.txt", LOCK))
    sides = [{tuple(line.split()[:2]): line.split()[2:] for line in text.splitlines() if not line.startswith("#")} for text in (made, locked)]
    for part, name in sorted(sides[0].keys() | sides[1].keys()):
        here, there = (side.get((part, name), ["none", ""]) for side in sides)
        if here != there:
            yield f"lock is stale: tools/lock/arm64.txt has {name} {there[0]} in the {part}, and {here[0]} is what the mirror has; {HELP}"


def ready(anew=False):
    """Makes what is lacking. Gives the root of the compiler and sentences about a stale lock. What was made against one lock is not made again for it: sid
    moves every day."""
    if os.geteuid() != 0:
        raise Refused("a Debian of its own needs root: sudo tools/dev sysroot arm64")
    cache().mkdir(parents=True, exist_ok=True)
    with open(cache() / "lock", "w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        made, digest = cache() / "made", hashlib.sha256(LOCK.read_bytes() if LOCK.exists() else b"").hexdigest()
        told = [(made / name).read_text() if (made / name).exists() else "" for name in ("recipe", "against")]
        if anew or told[0] != recipe() or told[1] != digest and list(differences()):
            try:
                make(cache() / "new")
            except Stuck as stuck:
                raise Refused(str(stuck)) from None
            shutil.rmtree(made, ignore_errors=True)
            (cache() / "new").rename(made)
        (made / "against").write_text(digest)
    return made / "compiler", list(differences())


def run(options):
    start = time.monotonic()
    try:
        root, stale = ready(options.write)
    except Refused as refused:
        print(f"sysroot: refused: {refused}")
        return 1
    text = (cache() / "made/packages.txt").read_text()
    if options.write:
        LOCK.write_text("# tools/dev sysroot arm64 --write makes this: part, name, version and SHA-256 of each package.\n" + text)
        stale = []
    print(*stale, f"sysroot: {len(text.splitlines())} packages in {root}, {len(stale)} differ from the lock, {time.monotonic() - start:.0f} s", sep="\n")
    return 0
