"""Builds the row operations of RaptorQ with the address and undefined-behaviour sanitizers, and compares every vector unit with portable C.

The other C of this repository, the wrapper of zxing-cpp, runs under the same sanitizers in `tools/dev fuzz picture`.
"""
import os
import pathlib
import subprocess
import tempfile

from .common import ROOT

FLAGS = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-fuse-ld=lld"]


def laws(compiler, *before):
    """The exit code of the laws of octets, by this compiler with its options; `before` are words before the program."""
    sources = ROOT / "Sources/C/CRaptorQOctets"
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "laws"
        words = [*compiler, "-Wall", "-Wextra", "-Werror", "-I", sources / "include", sources / "octets.c", ROOT / "tools/peers/octets-laws.c", "-o", program]
        subprocess.run(words, check=True)
        return subprocess.run([*before, program], env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}).returncode


def run(options):
    return laws(["clang", *FLAGS])
