"""Reads the public symbols of a module that is built, as the compiler's symbol graph has them."""
import functools
import json
import pathlib
import re
import subprocess

from ..common import ROOT
from .text_law import search_paths

MODULES = ROOT / ".build/debug/Modules"
# Members that a protocol requires: they are used through it, and documented there.
WITNESSES = {"==(_:_:)", "<(_:_:)", "~=(_:_:)", "hash(into:)", "description", "debugDescription", "encode(to:)", "init(from:)", "rawValue", "init(rawValue:)",
             "allCases", "next()", "makeIterator()", "id", "makeAsyncIterator()", "next(isolation:)"}


@functools.cache
def triple():
    """The platform that the compiler builds for."""
    return json.loads(subprocess.run(["swiftc", "-print-target-info"], capture_output=True, check=True).stdout)["target"]["triple"]


def symbol_graph(module, folder):
    """Writes the symbol graphs of a module's public symbols into a folder, and returns their symbols."""
    words = ["swift", "symbolgraph-extract", "-module-name", module.replace("-", "_"), "-target", triple(), "-minimum-access-level", "public",
             "-skip-synthesized-members", "-output-dir", folder, *search_paths(MODULES.resolve())]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{module} has no symbol graph, build it first: {done.stderr.strip()[-400:]}")
    return [symbol for file in sorted(pathlib.Path(folder).glob("*.symbols.json")) for symbol in json.loads(file.read_text())["symbols"]]


def own_symbols(module, symbols):
    """Those that the module's own sources declare."""
    return [s for s in symbols if "location" in s and f"/{module}/" in s["location"]["uri"]]


def place(symbol):
    """FILE:LINE of a symbol."""
    file = re.sub(r"^file://", "", symbol["location"]["uri"])
    return f"{pathlib.Path(file).relative_to(ROOT)}:{symbol['location']['position']['line'] + 1}"
