"""Builds the row operations of RaptorQ with the address and undefined-behaviour sanitizers, and compares every vector unit with portable C.

The other C of this repository, the wrapper of zxing-cpp, runs under the same sanitizers in `tools/dev fuzz picture`.
"""
import os
import pathlib
import subprocess
import tempfile

from .common import ROOT

FLAGS = ["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-fuse-ld=lld"]


def configure(parser):
    """Takes no options."""


def run(options):
    """The exit code of the laws."""
    sources = ROOT / "Sources/C/CRaptorQOctets"
    with tempfile.TemporaryDirectory() as folder:
        laws = pathlib.Path(folder) / "laws"
        files = [sources / "octets.c", ROOT / "tools/peers/octets-laws.c"]
        subprocess.run(["clang", *FLAGS, "-I", sources / "include", *files, "-o", laws], check=True)
        return subprocess.run([laws], env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}).returncode
