"""Makes a release of the commit that is checked out: two Debian packages, a relocatable archive, the image of the appliance, the source, an SBOM, MANIFEST and
SHA256SUMS.

    tools/dev release --sign-key FILE       dist/heliograph-VERSION, with SHA256SUMS signed by minisign, which asks for the key's password itself
    tools/dev release                       dist/heliograph-VERSION-UNSIGNED
    tools/dev release --on-this-machine     the same from what this machine has installed; without it, a Debian of its own is made from tools/lock
    tools/dev release --self-test           makes a release in a temporary folder, with the online program from its debug build and a key that is thrown
                                            away; checks it, attacks it, installs, uses and purges it in a fresh Debian without compilers
    tools/dev release --arch arm64          the same with a package and an archive of the offline programs for arm64 (tools/dev sysroot arm64); its self-test
                                            also starts that package in emulated machines, as `tools/dev arm64 test` does
    tools/dev release --check-reproducible  makes it twice, in two folders, by two users, with two dates, umasks and languages, and compares the bytes

A release is refused when a file differs from the commit, when tools/lock differs from what it is made with, when tools/lock (its arm64.txt only where the
release is for arm64) or tools/appliance/packages.lock is stale, and when a check fails. Each difference says whether the lock, the machine or the mirror is
stale, and what helps.
"""
import os
import pathlib
import shutil
import tempfile
import time

from .. import lock
from ..appliance.packages import Packages
from ..common import ROOT
from . import attacks, checks, chroot, clean, seal, twice
from .make import Release
from .names import Names, Refused, changes, commit


def configure(parser):
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "dist", metavar="DIR", help="the folder for the release folder (default: dist)")
    parser.add_argument("--sign-key", type=os.path.abspath, metavar="FILE", help="minisign's secret key; only minisign reads it")
    parser.add_argument("--self-test", action="store_true", help="make, check, attack, install and purge a release in temporary folders")
    parser.add_argument("--check-reproducible", action="store_true", help="make the release twice and compare its bytes")
    parser.add_argument("--even-stale", action="store_true", help="make one, unsigned, although the mirror no longer has what tools/lock names")
    parser.add_argument("--on-this-machine", action="store_true", help="make it with what this machine has installed, not in a Debian of its own")
    parser.add_argument("--arch", choices=["amd64", "arm64"], default="amd64", help="arm64: for that architecture too (default: amd64)")
    parser.add_argument("--other", type=pathlib.Path, metavar="FOLDER", help="with --on-this-machine: programs for arm64 that are linked already")
    parser.add_argument("--stage-only", action="store_true", help="skip the test in a fresh Debian")


def cross_built(options, work, is_test=False):
    """A folder with the programs for arm64, or None for a release without them."""
    if options.arch == "amd64" or options.other:
        return options.other and options.other.resolve()
    from ..arm64 import cross, sysroot

    root, stale = sysroot.ready()
    if stale and not (is_test or options.even_stale):
        raise Refused("\n".join([*stale, "a release is made of what tools/lock names"]))
    print("\n".join(stale), end="\n" if stale else "")
    return cross.linked(root, work / "arm64", commit())


def self_test(options):
    """What is wrong with a release that is made for a test."""
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder).resolve()
        work.chmod(0o755)
        (work / "work").mkdir()
        marks = [("made", time.monotonic())]
        other = cross_built(options, work, is_test=True)
        release = Release(work / f"heliograph-{Names().version}", work / "work", True, other).make()
        secret, public = seal.new_key(work, "test")
        seal.sign(release.names, release.folder, release.commit, secret)
        marks.append(("checked", time.monotonic()))
        found = checks.problems(release) + list(checks.signature(release, public))
        marks.append(("attacked", time.monotonic()))
        found += attacks.problems(release, public, work / "attacks")
        marks.append(("installed, used and purged", time.monotonic()))
        found += [] if options.stage_only else chroot.problems(release, public, work)
        if other and not options.stage_only:
            from ..arm64 import machine

            marks.append(("tried on arm64", time.monotonic()))
            (work / "machines").mkdir()
            found += machine.tried(release.folder / release.names.other_cold, machine.SHORT, work / "machines")
        marks.append(("", time.monotonic()))
        told = ", ".join(f"{name} in {end - start:.0f} s" for (name, start), (_, end) in zip(marks, marks[1:]))
        size = sum(path.stat().st_size for path in release.folder.iterdir()) / 1e6
    print(*found, f"release: {size:.1f} MB, {told}, {len(found)} problems", sep="\n")
    return 1 if found else 0


def made_here(options, work, name):
    """The folder of a release that is made with what this machine has installed."""
    wrong, stale, _ = lock.compare(lock.RELEASE)
    stale = [*stale, *Packages().stale]
    if wrong or (stale and not options.even_stale):
        print("\n".join([*stale, *wrong]))
        raise Refused("a release is made of what tools/lock names; each line above says what helps")
    release = Release(work / name, work, False, options.other).make()
    if found := checks.problems(release):
        raise Refused("\n".join(found))
    return release.folder


def make(options):
    """Makes a release for others."""
    if options.even_stale and options.sign_key:
        raise Refused("a release that is signed is made of what tools/lock names")
    if changed := changes():
        print("\n".join(f"changed: {line}" for line in changed))
        raise Refused("a release is made of a commit: commit, or put the files above away")
    name = f"heliograph-{Names().version}" + ("" if options.sign_key else "-UNSIGNED")
    target = options.out.resolve() / name
    if target.exists():
        raise Refused(f"{target} exists")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder).resolve()
        options.other = cross_built(options, work)
        folder = made_here(options, work, name) if options.on_this_machine else clean.make(options, work)
        if options.sign_key:
            seal.sign(Names(), folder, commit(), options.sign_key)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(folder, target)
    print((target / "SHA256SUMS").read_text(), end="")
    print(f"release: {target}" + ("" if options.sign_key else ": nobody signed it"))
    return 0


def run(options):
    try:
        if options.check_reproducible:
            return twice.run(options.arch == "arm64")
        return self_test(options) if options.self_test else make(options)
    except Refused as refused:
        print(f"release: refused: {refused}")
        return 1
