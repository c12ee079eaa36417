"""What must hold of every release, as sentences about what does not."""
import gzip
import os
import pathlib
import re
import subprocess
import tempfile

from ..common import FIXTURES, ROOT
from . import debian, programs, sbom, seal
from .names import changelog_problems, output

# As FileDigest.maximumBytes of ReleaseCheck.
LONGEST_FILE = 512 << 20
# Folders of whoever builds. The toolchains' own libraries hold the folders where Swift's project and Debian built them, which are the same for everybody.
TOOLCHAIN = re.compile(rb"/(?:home/build-user/swift[\w-]*|build/reproducible-path/swiftlang-[\d.]+)/")


def build_paths(trees, folders):
    """The shipped files that hold the path of a folder, also inside gzip."""
    for tree in trees:
        for path in tree.files():
            data = path.read_bytes()
            data = gzip.decompress(data) if path.suffix == ".gz" else data
            for folder in folders:
                if os.fsencode(folder) + b"/" in data:
                    yield f"{path.relative_to(tree.root)} holds the path {folder}"
            if found := re.search(rb"/(?:home|root|Users|build)/[\w.-]+/", TOOLCHAIN.sub(b"", data)) if "/bin/" in str(path) else None:
                yield f"{path.relative_to(tree.root)} holds the path {found[0].decode()}"


def links(tree, at=programs.HERE):
    """Installed programs that look for libraries elsewhere than in the system's places and the package's own, or whose relocations are not read-only. Nobody
    but root writes below /usr/lib, so the package's own place is as good as the system's."""
    for program in (tree.root / "usr/bin").iterdir():
        if "GNU_RELRO" not in output("readelf", "--segments", "--wide", program) or not re.search(r"FLAGS.*NOW", output("readelf", "--dynamic", program)):
            yield f"{program.name} has relocations that are not read-only"
        own = tree.root / programs.PRIVATE_FOLDER.lstrip("/")
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "--dynamic", program)))
        expected = [programs.PRIVATE_FOLDER] if own.exists() and needed & {path.name for path in own.iterdir()} else []
        if (found := re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", output("readelf", "--dynamic", program))) != expected:
            yield f"{program.name} has the search path {', '.join(found) or 'of the system'}, and not {', '.join(expected) or 'that alone'}"


def lengths(release):
    """Files that `heliograph verify-release` would not read, because they are too long."""
    folder = pathlib.Path(release.folder)
    for path in [*folder.iterdir(), *(path for tree in release.trees.values() for path in tree.files())]:
        if path.stat().st_size > LONGEST_FILE:
            yield f"{path.name} is longer than the {LONGEST_FILE >> 20} MiB that verify-release reads"


def checksums(release):
    """MANIFEST and SHA256SUMS against sha256sum, and against what is there."""
    names, folder = release.names, release.folder
    if subprocess.run(["sha256sum", "--check", "--quiet", "--strict", names.sums], cwd=folder).returncode != 0:
        yield "SHA256SUMS does not fit"
    listed = [line.split("  ")[1] for line in (folder / names.sums).read_text().splitlines()]
    if sorted(listed) != sorted({path.name for path in folder.iterdir()} - {names.sums, names.signature}):
        yield "SHA256SUMS names other files than there are"
    text = (folder / names.manifest).read_text()
    # Two architectures install the same paths, so the manifest is read up to the other one, and from there on.
    own, _, rest = text.partition(f"# {names.other_cold}\n")
    for packages, part in [((names.cold, names.hot), own), *([((names.other_cold,), rest)] if names.others else [])]:
        with tempfile.TemporaryDirectory() as root:
            for package in packages:
                output("dpkg-deb", "--extract", folder / package, root)
            found = {f"/{path.relative_to(root)}" for path in pathlib.Path(root).rglob("*") if not path.is_dir()}
            lines = [line.split("  ")[1] for line in part.splitlines() if not line.startswith("#")]
            if {line for line in lines if line.startswith("/")} != found:
                yield f"MANIFEST names other paths than {' and '.join(packages)} install"
            below = part.replace("  /", f"  {root}/")
            if subprocess.run(["sha256sum", "--check", "--quiet", "--ignore-missing", "--strict"], input=below, text=True).returncode != 0:
                yield f"MANIFEST does not fit {' and '.join(packages)}"


def foreign(program, root):
    """The libraries of an unpacked program that are neither in the archive nor the C library."""
    found = [os.path.realpath(library) for library in programs.HERE.libraries(program)]
    return [library for library in found if not library.startswith(f"{root}/lib/")]


def other_archive(release):
    """The relocatable archive for arm64: its checksums fit, and it has every library that its programs name but the C library's."""
    with tempfile.TemporaryDirectory() as folder:
        output("tar", "--extract", "--directory", folder, "--file", release.folder / release.names.other_portable)
        root = pathlib.Path(folder).resolve() / release.names.other_folder
        if subprocess.run(["sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS"], cwd=root).returncode != 0:
            yield "the archive's checksums for arm64 do not fit"
        there = {path.name for path in (root / "lib").iterdir()}
        for path in [*(root / "bin").iterdir(), *(root / "lib").iterdir()]:
            needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "--dynamic", "--wide", path)))
            if lacking := sorted(name for name in needed - there if not programs.C_LIBRARY.search(f"/{name}")):
                yield f"{path.name} of the archive for arm64 needs {', '.join(lacking)}"


def portable(release):
    """The relocatable archive, unpacked elsewhere: its checksums fit, and its programs need nothing of this machine or its environment."""
    with tempfile.TemporaryDirectory() as folder:
        output("tar", "--extract", "--directory", folder, "--file", release.folder / release.names.portable)
        root = pathlib.Path(folder).resolve() / release.names.folder
        if subprocess.run(["sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS"], cwd=root).returncode != 0:
            yield "the archive's checksums do not fit"
        listed = {line.split("  ./")[1] for line in (root / "SHA256SUMS").read_text().splitlines()}
        if listed != {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()} - {"SHA256SUMS"}:
            yield "the archive's checksums name other files than there are"
        for name in programs.IMAGE_PROGRAMS:
            if found := foreign(root / "bin" / name, root):
                yield f"{name} of the archive uses {', '.join(found)}"
        bare = {"env": {"PATH": "/nowhere"}, "stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
        test = subprocess.run([root / "bin/heliograph", "self-test"], **bare)
        if test.returncode != 0:
            yield f"the archive's self-test ended with {test.returncode}: {test.stderr}"
        read = subprocess.run([root / "bin/heliograph-scanner", FIXTURES / "fuzz/picture/code.jpg"], **bare)
        if (read.returncode, read.stdout.strip()) != (0, b"heliograph".hex()):
            yield f"the archive's scanner reads {read.stdout.strip() or 'nothing'} in a picture and ended with {read.returncode}: {read.stderr}"


def versions(release):
    """The programs state version and commit."""
    for tree in release.trees.values():
        for program in (tree.root / "usr/bin").iterdir():
            said = subprocess.run([program, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout.splitlines()[:1]
            if said != [f"{program.name} {release.names.version} (commit {release.commit})"]:
                yield f"{program.name} --version says {' '.join(said) or 'nothing'}"


def signature(release, public):
    """What minisign says of the signature, with the public key in a file."""
    names = release.names
    done = subprocess.run(["minisign", "-V", "-Q", "-p", public, "-m", names.sums], cwd=release.folder, capture_output=True, text=True)
    if (done.returncode, done.stdout.strip()) != (0, seal.trusted_comment(names, release.commit)):
        yield f"minisign says {done.stdout}{done.stderr}"


def problems(release):
    """Everything but the signature and the test in a fresh system."""
    folders = {str(ROOT), str(release.work), str(release.folder), os.path.expanduser("~")}
    found = changelog_problems()
    # A debug build knows its folder.
    found += build_paths([release.cold, release.portable, *([] if release.is_test else [release.hot])], folders)
    found += links(release.cold)
    found += links(release.hot)
    if release.other:
        tree, _, at = release.other
        found += [*build_paths([tree, release.other_portable], folders), *links(tree, at), *at.problems(tree), *other_archive(release)]
    found += lengths(release)
    found += checksums(release)
    found += portable(release)
    found += versions(release)
    places = [*((tree, programs.HERE) for tree in release.trees.values()), *([release.other[::2]] if release.other else [])]
    found += sbom.problems(release.folder / release.names.sbom, places)
    return found + debian.lintian(release.folder, release.names)
