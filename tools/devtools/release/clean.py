"""Makes a release in a Debian of its own, from the packages that tools/lock names, so that it does not matter what this machine has installed.

mmdebstrap makes the system. What comes into it is the commit as a clone, the Swift toolchain of this machine, read-only, and what .venv holds; what comes out
is the release. The system has a network: the packages that the appliance is made of come through apt, by their locked hashes.
"""
import os
import pathlib
import shutil
import subprocess
import sys

from .. import lock
from ..arm64 import sysroot
from . import chroot
from .names import Refused
from .person import Stuck
from .twice import checkout

# Where the source stands inside. No shipped file may hold the path of a home, and none holds this one.
SOURCE, OUT = "/source/heliograph", "/source/out"


def toolchain():
    """The folder of the Swift toolchain on PATH: that of bin/swift."""
    swift = shutil.which("swift")
    if not swift:
        raise Refused("Swift 6.3 is not on PATH")
    return pathlib.Path(swift).resolve().parents[1]


def packages(is_even_stale):
    """The packages to install, each with its locked version; where the lock may be stale, with the newest of what is gone."""
    wrong, stale = lock.offers()
    if wrong or stale and not is_even_stale:
        raise Refused("\n".join([*wrong, *stale, "a release is made of what tools/lock names"]))
    pins = lock.read("debian")
    gone = {sentence.split(" has ")[1].split()[0] for sentence in stale}
    # The other development packages bring their libraries along.
    return [name if name in gone else f"{name}={pins[name].split()[0]}" for name in lock.listed(*lock.RELEASE)]


def make(options, work):
    """Makes an unsigned release below a folder, and gives its folder."""
    if os.geteuid() != 0:
        raise Refused("a Debian of its own needs root: sudo tools/dev release, or --on-this-machine")
    system = chroot.System(work / "system", chroot.THIS)
    rules = chroot.rewritten()
    system.shared = [toolchain(), *sorted({pathlib.Path(folder) for folder, _ in rules})]
    if options.other:
        # The programs were linked outside, in the compiler's own Debian; their libraries are read from there.
        system.shared += [options.other, sysroot.cache()]
    try:
        system.make(["ca-certificates", *packages(options.even_stale)])
    except Stuck as stuck:
        raise Refused(str(stuck)) from None
    checkout(system.root / SOURCE.lstrip("/"))
    settings = "[safe]\n\tdirectory = *\n" + "".join(f'[url "{folder}"]\n\tinsteadOf = {address}\n' for folder, address in rules)
    (system.root / "etc/gitconfig").write_text(settings)
    words = system.words("env", f"{sysroot.VARIABLE}={sysroot.cache().parent}", f"PATH={toolchain()}/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                         f"{SOURCE}/tools/dev", "release", "--on-this-machine", "--out", OUT,
                         *["--even-stale"] * options.even_stale, *(["--other", options.other] if options.other else []), online=True)
    if subprocess.run(words, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode != 0:
        raise Refused("the release was not made in a Debian of its own; --on-this-machine makes it here")
    (made,) = (system.root / OUT.lstrip("/")).iterdir()
    return made
