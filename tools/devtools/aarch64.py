"""Compiles the row operations of RaptorQ for AArch64, as on a Raspberry Pi, and compares their NEON form with portable C under an emulator.

Needs the Debian packages gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user.
"""
from .sanitize import laws


def run(options):
    return laws(["aarch64-linux-gnu-gcc", "-O2", "-static"], "qemu-aarch64")
