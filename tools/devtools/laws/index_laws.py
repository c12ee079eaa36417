"""Laws of the index: how the files of a target use each other."""
import pathlib

from ..common import ROOT
from .index_store import IndexStore, components, file_graph
from .report import package

STORE = ROOT / ".build/debug/index/store"
LARGEST = 3


def own(path):
    """Whether a file is a source of this package and not one that a build made."""
    return path.startswith(f"{ROOT}/") and path.endswith(".swift") and "/.build" not in path and pathlib.Path(path).exists()


class Index:
    """The newest index of every file, with paths from the package's root."""

    def __init__(self):
        self.store = IndexStore(STORE)
        units = self.store.units(own)
        self.units = {str(pathlib.Path(file).relative_to(ROOT)): entry for file, entry in units.items()}

    def occurrences(self, file):
        return [one for record in self.units[file][1].records for one in self.store.occurrences(record)]

    def stale(self, folders):
        """Files below the folders that are newer than their index, or have none."""
        for folder in folders:
            for file in sorted((ROOT / folder).rglob("*.swift")):
                name = str(file.relative_to(ROOT))
                if name not in self.units or file.stat().st_mtime > self.units[name][0][0] + 1:
                    yield name

    def graph(self, folder):
        return file_graph({file: self.occurrences(file) for file in self.units if file.startswith(f"{folder}/")})


def cycles(graph):
    """The cycles of a file graph, the largest first."""
    return sorted((sorted(c) for c in components(graph) if len(c) > 1), key=lambda cycle: (-len(cycle), cycle))


def check(tally):
    """Every law of this file. Each cycle is listed, also those that are small enough."""
    every, index, found = package().targets.values(), Index(), []
    targets = [t for t in every if t.path.startswith(("Sources/", "fixtures/")) and any((ROOT / t.path).rglob("*.swift"))]
    tally.law("the index is as new as the sources", index.stale(t.path for t in targets))
    for target in targets:
        for cycle in cycles(index.graph(target.path)):
            line = f"{target.name}: {len(cycle)} files: {' '.join(pathlib.Path(f).name for f in cycle)}"
            print(f"     cycle of {line}")
            if len(cycle) > LARGEST:
                found.append(line)
    tally.law(f"no file cycle is larger than {LARGEST}", found)
