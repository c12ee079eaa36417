"""What the laws share: the package as SwiftPM reads it, and the imports of a folder."""
import functools
import json
import re
import subprocess

from ..common import ROOT

# The folders of Sources, lowest first. Tests, fixtures and tools are above all of them.
LAYERS = "C Foundations Wire Chain Secrets Store Scanner Review Signer Interface Programs".split()
ABOVE = {"Tests", "fixtures", "tools"}
IMPORT = re.compile(r"^\s*(?:@\w+ )?(?:public |internal |private |package )?import (?:\w+ )?(\w+)", re.M)


class Target:
    def __init__(self, place, described):
        self.place, self.name, self.kind = place, described["name"], described["type"]
        self.path = described.get("path") or f"{'Tests' if self.kind == 'test' else 'Sources'}/{self.name}"
        self.dependencies = [next(iter(dependency.values()))[0] for dependency in described["dependencies"]]
        top, *rest = self.path.split("/")
        self.layer = rest[0] if top == "Sources" and len(rest) == 2 and rest[1] == self.name else None
        self.is_above = top in ABOVE

    @property
    def rank(self):
        """The number of the layer; None outside of the known folders."""
        if self.is_above:
            return len(LAYERS)
        return LAYERS.index(self.layer) if self.layer in LAYERS else None


class Package:
    def __init__(self, folder=ROOT):
        # A build or a test in the same folder has its lock for minutes; the manifest alone needs none.
        dumped = subprocess.run(["swift", "package", "--ignore-lock", "dump-package"], cwd=folder, capture_output=True, check=True).stdout
        self.targets = {t["name"]: Target(place, t) for place, t in enumerate(json.loads(dumped)["targets"])}

    def closure(self, name):
        """A target and every target that it reaches."""
        found, waiting = set(), [name]
        while waiting:
            if (one := waiting.pop()) in self.targets and one not in found:
                found.add(one)
                waiting += self.targets[one].dependencies
        return found

    def layer(self, *layers):
        """The names of the targets in these layers."""
        return {name for name, target in self.targets.items() if target.layer in layers}


@functools.cache
def package():
    return Package()


def imports(folder):
    """Each file below a folder with each module that it imports."""
    for file in sorted((ROOT / folder).rglob("*.swift")):
        for match in IMPORT.finditer(file.read_text()):
            yield file.relative_to(ROOT), match[1]
