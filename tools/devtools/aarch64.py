"""Compiles the row operations of RaptorQ for AArch64, as on a Raspberry Pi, and compares their NEON form with portable C under an emulator.

Needs the Debian packages gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user.
"""
import pathlib
import subprocess
import tempfile

from .common import ROOT

FLAGS = ["-O2", "-Wall", "-Wextra", "-Werror", "-static"]


def configure(parser):
    """Takes no options."""


def run(options):
    """The exit code of the laws under the emulator."""
    sources = ROOT / "Sources/C/CRaptorQOctets"
    with tempfile.TemporaryDirectory() as folder:
        laws = pathlib.Path(folder) / "laws"
        files = [sources / "octets.c", ROOT / "tools/peers/octets-laws.c"]
        subprocess.run(["aarch64-linux-gnu-gcc", *FLAGS, "-I", sources / "include", *files, "-o", laws], check=True)
        return subprocess.run(["qemu-aarch64", laws]).returncode
