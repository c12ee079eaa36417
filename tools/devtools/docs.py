"""Builds the documentation of every library with DocC, and fails for each warning: a link that leads nowhere, a parameter that does not exist.

    tools/dev docs                 all libraries of Sources, from the modules of the last `swift build`
    tools/dev docs UOS Keys        these libraries
    tools/dev docs --out FOLDER    and keeps the archives, one a library

The compiler writes a symbol graph for each module that is built; `docc` reads it with the catalog of the library. A public symbol without a comment fails,
too: every type, and in the libraries of `WHOLE` every member.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile

from .common import ROOT, Tally
from .laws.report import package
from .laws.symbol_graphs import WITNESSES, own_symbols, place, symbol_graph

# Libraries where each member has a comment; elsewhere each type needs one. The goal is every library.
WHOLE = ["Cards", "Ceremony", "Metadata", "UOS"]
TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.actor"}


def libraries():
    return [t.name for t in package().targets.values() if t.kind == "regular" and t.layer not in (None, "C")]


def catalog(library):
    """The DocC catalog of a library, or None."""
    return next(iter(sorted((ROOT / package().targets[library].path).glob("*.docc"))), None)


def undocumented(library, graph):
    """FILE:LINE and the name of each public symbol that needs a comment and has none."""
    for symbol in own_symbols(library, graph):
        path, kind = symbol["pathComponents"], symbol["kind"]["identifier"]
        if "docComment" in symbol or path[-1] in WITNESSES:
            continue
        if library in WHOLE or kind in TYPES:
            yield f"{library}: {'.'.join(path)} ({place(symbol)})"


def convert(library, graphs, out):
    """What `docc` warns of; it writes the archive of the library below `out`."""
    told = pathlib.Path(out) / f"{library}.json"
    archive = pathlib.Path(out) / f"{library}.doccarchive"
    words = ["docc", "convert", catalog(library), "--additional-symbol-graph-dir", graphs, "--output-path", archive, "--fallback-display-name", library,
             "--fallback-bundle-identifier", f"heliograph.{library}", "--diagnostics-file", told, "--diagnostic-level", "warning"]
    done = subprocess.run(list(map(str, words)), cwd=ROOT, capture_output=True, text=True)
    found = json.loads(told.read_text())["diagnostics"] if told.exists() else []
    for one in found:
        line = one.get("range", {}).get("start", {}).get("line", 0)
        yield f"{os.path.relpath(one.get('source', 'docc').removeprefix('file://'), ROOT)}:{line} {one['summary']}"
    if done.returncode != 0 and not found:
        yield f"{library}: {done.stderr.strip()[-400:]}"
    told.unlink(missing_ok=True)


def document(library, out):
    """What is wrong with the documentation of one library."""
    if catalog(library) is None:
        return [f"{library} has no catalog: add {package().targets[library].path}/{library}.docc"]
    with tempfile.TemporaryDirectory() as folder:
        graph = symbol_graph(library, folder)
        return [*undocumented(library, graph), *convert(library, folder, out)]


def configure(parser):
    parser.add_argument("libraries", nargs="*", help="names of libraries (default: all)")
    parser.add_argument("--out", type=pathlib.Path, metavar="FOLDER", help="keep the archives in this folder")


def run(options):
    tally, known = Tally(), libraries()
    if unknown := set(options.libraries) - set(known):
        raise SystemExit(f"docs: unknown libraries {', '.join(sorted(unknown))}; known are {', '.join(known)}")
    chosen = options.libraries or known
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        out = options.out or pathlib.Path(scratch)
        out.mkdir(parents=True, exist_ok=True)
        for library, found in zip(chosen, pool.map(lambda name: document(name, out), chosen)):
            if found:
                print("\n".join(found))
            tally.law(f"{library} is documented and builds without a warning", [f"{len(found)} faults"] if found else [])
    print(f"docs: {tally.passed} libraries passed, {len(tally.failures)} failed")
    return 1 if tally.failures else 0
