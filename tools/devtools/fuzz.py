"""Builds one libFuzzer target of tools/fuzz with AddressSanitizer and runs it.

Example: tools/dev fuzz fuzz-raptorq -max_total_time=60

The driver is the toolchain's libFuzzer without a main of its own; the target's main calls it.
"""
import argparse
import os
import pathlib
import platform
import shutil
import subprocess
import sys

from .common import ROOT, binary_folder

PACKAGE = ["-c", "release", "--package-path", "tools/fuzz"]


def configure(parser):
    """Takes the target and libFuzzer's own options."""
    parser.add_argument("target", choices=sorted(p.name for p in (ROOT / "tools/fuzz/Sources").glob("fuzz-*")))
    parser.add_argument("options", nargs=argparse.REMAINDER, help="options for libFuzzer")


def run(options):
    """Becomes the fuzzer."""
    toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent
    drivers = list(toolchain.glob(f"lib/clang/*/lib/linux/libclang_rt.fuzzer_no_main-{platform.machine()}.a"))
    if not drivers:
        raise SystemExit("fuzz: the toolchain has no libFuzzer driver")
    instrument = ["--sanitize=address", "-Xswiftc", "-sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp", "-Xcc",
                  "-fsanitize=fuzzer-no-link", "-Xlinker", str(drivers[0]), "-Xlinker", "-lstdc++"]
    subprocess.run(["swift", "build", *PACKAGE, "--product", options.target, *instrument], cwd=ROOT, check=True, stdout=sys.stderr)
    program = binary_folder(*PACKAGE) / options.target
    os.execv(program, [str(program), *options.options])
