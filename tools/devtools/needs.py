"""Says what this machine lacks for the checks: each is printed, and in CI (HELIOGRAPH_STRICT) one that is missing fails.

Root, namespaces, Landlock and programs; the packages of tools/install are not listed again, except for programs that a check would skip without.
"""
import ctypes
import os
import pathlib
import shutil
import subprocess

from .common import STRICT, shared_data
from .sessions import can_be_offline

PROGRAMS = ["swift", "clang", "ip", "unshare", "gdb", "readelf", "nm", "openssl", "chromium", "bash", "zsh", "fish", "node", "wat2wasm",
            "dpkg-shlibdeps", "lintian", "minisign", "mmdebstrap", "patchelf", "qemu-system-x86_64", "qemu-system-aarch64", "fdtput", "grub-mkimage",
            "mcopy", "loadkeys", "swtpm", "softhsm2-util"]
LANDLOCK_CREATE_RULESET, VERSION_FLAG = 444, 1


def landlock():
    """Which version of Landlock the kernel has; 0 without it."""
    return max(0, ctypes.CDLL(None).syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_FLAG))


def has_named_namespaces():
    name = f"heliograph-needs-{os.getpid()}"
    if not shutil.which("ip") or subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode != 0:
        return False
    return subprocess.run(["ip", "netns", "delete", name], capture_output=True).returncode == 0


def needs():
    """Name → whether it is here."""
    actions = pathlib.Path("/proc/sys/kernel/seccomp/actions_avail").read_text().split()
    found = {"root": os.geteuid() == 0, "Landlock": landlock() > 0, "seccomp": "errno" in actions,
             "network namespaces (unshare)": can_be_offline(), "network namespaces (ip netns)": has_named_namespaces()}
    return found | {name: shutil.which(name) is not None for name in PROGRAMS}


def run(options):
    found = needs()
    missing = [name for name, is_here in found.items() if not is_here]
    for name in missing:
        print(f"missing: {name}")
    data = "is here" if shared_data().is_dir() else "is not here: its tests are skipped and counted"
    print(f"{len(found) - len(missing)} of {len(found)} needs are met; Landlock ABI {landlock()}; shared data {data}")
    return 1 if missing and os.environ.get(STRICT) else 0
