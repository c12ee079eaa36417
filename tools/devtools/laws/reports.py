"""Prints what the index and the symbol graphs say, to work through by hand. Nothing here passes or fails.

cycles        files of a target that use each other in a circle, and the cheapest uses to move
unused        public symbols that nothing but their own target and tests uses
undocumented  public symbols of any library without a comment
"""

from ..common import ROOT
from .index_laws import Index, cuts, cycles, swift_targets
from .index_store import REFERENCE
from .symbol_graphs import place, public_symbols

HOT_STORE = ROOT / "tools/hot/.build/debug/index/store"


def short(path):
    """A file's path inside its target."""
    return path.split("/", 3)[-1]


def report_cycles(index):
    """Each cycle with the uses that go backwards."""
    for target in swift_targets():
        graph = index.graph(target.path)
        for cycle in cycles(graph):
            order = cuts(cycle, graph)
            print(f"{target.name}: {len(cycle)} of {len(graph)} files: {' > '.join(map(short, order))}")
            for index_of, user in enumerate(order):
                for used in order[:index_of]:
                    names = sorted(n for n in graph[user].get(used, ()) if not n.startswith(("getter:", "setter:")))
                    if used in graph[user]:
                        print(f"    {short(user)} uses of {short(used)}: {', '.join(names)}")


def uses(index):
    """Symbol → the files that use it."""
    found = {}
    for file in index.units:
        for one in index.occurrences(file):
            if one.roles & REFERENCE:
                found.setdefault(one.usr, set()).add(file)
    return found


def report_unused(index):
    """Public symbols without a use outside of their own target and of tests."""
    used = uses(index)
    if HOT_STORE.exists():
        for usr, files in uses(Index(HOT_STORE)).items():
            used.setdefault(usr, set()).update(files)
    else:
        print("tools/hot is not built: its uses are missing")
    for target in swift_targets():
        if target.kind == "executable":
            continue
        for symbol in public_symbols(target.name):
            files = used.get(symbol["identifier"]["precise"], set())
            inside = {f for f in files if f.startswith(f"{target.path}/")}
            tests = {f for f in files if "Tests/" in f}
            if not files - inside - tests:
                by = " and ".join(["its target"] * bool(inside) + ["tests"] * bool(tests)) or "nothing"
                print(f"{target.name}: {'.'.join(symbol['pathComponents'])} ({place(symbol)}): used by {by}")


def configure(parser):
    """Takes what to print."""
    parser.add_argument("what", choices=["cycles", "unused", "undocumented"])


def run(options):
    """Prints one report."""
    if options.what == "undocumented":
        for target in swift_targets():
            for symbol in public_symbols(target.name) if target.kind == "regular" else []:
                if "docComment" not in symbol:
                    print(f"{target.name}: {'.'.join(symbol['pathComponents'])} ({place(symbol)})")
    else:
        {"cycles": report_cycles, "unused": report_unused}[options.what](Index())
