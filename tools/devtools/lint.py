"""Lints the Python of tools/ with ruff, by tools/ruff.toml."""
import subprocess
import sys

from .common import ROOT


def configure(parser):
    parser.add_argument("--fix", action="store_true", help="apply the safe fixes")


def run(options):
    fix = ["--fix"] if options.fix else []
    words = [sys.executable, "-m", "ruff", "check", "--config", "tools/ruff.toml", "--no-cache", *fix, "tools", "tools/dev"]
    return subprocess.run(words, cwd=ROOT).returncode
