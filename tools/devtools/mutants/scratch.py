"""A copy of the tree with many faults in one build, each behind a switch that an environment variable turns on."""
import collections
import itertools
import json
import os
import re
import shutil
import subprocess

from ..common import ROOT
from .places import draw

ERROR = re.compile(r"^(?P<file>/[^:\n]+\.swift):(?P<line>\d+):\d+: error: (?P<text>.*)$", re.M)
# More places than are asked for, because some do not compile.
SPARE = 1.5

# The switch, in C.
SWITCH = ROOT / "tools/mutants"


class Scratch:
    """The copy. `mutants` maps numbers to places, in the order of the draw."""

    def __init__(self, folder, seed, recent, count, within):
        self.folder, self.count = folder, count
        self.kept = folder / "no-faults.json"
        # What did not compile once is not tried again.
        self.bad = {tuple(key) for key in json.loads(self.kept.read_text())} if self.kept.exists() else set()
        places = ((number, place) for number, place in enumerate(draw(seed, recent)) if within in place.file and (*place.key, place.text) not in self.bad)
        self.mutants = dict(itertools.islice(places, int(count * SPARE) + 5))
        # The tree may change while the copy is built.
        self.texts = {place.file: (ROOT / place.file).read_text() for place in self.mutants.values()}

    def write(self, file, text):
        """Writes what has changed, so that the rest is not compiled again."""
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != text:
            path.write_bytes(text)

    def copy(self):
        """Brings the copy up to the tree, without faults."""
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
        files = [name.decode() for name in listed.stdout.split(b"\0") if name and (ROOT / name.decode()).is_file()]
        for file in set(self.previous()) - set(files):
            (self.folder / file).unlink(missing_ok=True)
        for file in files:
            if file not in self.texts and file != "Package.swift":
                self.write(file, (ROOT / file).read_bytes())
                shutil.copymode(ROOT / file, self.folder / file)
        if (ROOT / "Package.resolved").exists():
            self.write("Package.resolved", (ROOT / "Package.resolved").read_bytes())
        self.write("Sources/C/CMutants/include/CMutants.h", (SWITCH / "CMutants.h").read_bytes())
        self.write("Sources/C/CMutants/CMutants.c", (SWITCH / "CMutants.c").read_bytes())
        self.write("Package.swift", manifest((ROOT / "Package.swift").read_text()).encode())

    def previous(self):
        """The Swift files of the copy."""
        return [str(path.relative_to(self.folder)) for top in ("Sources", "Tests") for path in (self.folder / top).rglob("*.swift")]

    def plant(self):
        """Writes the files with their faults. The line that is added at the top imports the switch."""
        chosen = collections.defaultdict(list)
        for number, place in self.mutants.items():
            chosen[place.file].append((place, number))
        for file, text in self.texts.items():
            for place, number in sorted(chosen[file], key=lambda pair: -pair[0].start):
                text = text[: place.start] + place.text.replace("{on}", f"mutant({number})") + text[place.end :]
            self.write(file, ("import CMutants\n" + text).encode())

    def build(self, log):
        """Compiles, without the faults that do not compile."""
        self.copy()
        while True:
            self.plant()
            done = subprocess.run(["swift", "build", "--build-tests"], cwd=self.folder, capture_output=True, text=True)
            log.write_text(done.stdout + done.stderr)
            if done.returncode == 0:
                break
            self.drop(done.stdout + done.stderr)
        # The list ends where the number that was asked for is reached; the spare places stay in the build, off for ever.
        self.mutants = dict(list(self.mutants.items())[: self.count])

    def drop(self, output):
        """Takes out the faults that stand where the compiler found an error."""
        bad = set()
        for match in ERROR.finditer(output):
            file, line = os.path.relpath(match["file"], self.folder), int(match["line"]) - 1
            near = [(abs(place.line - line), number) for number, place in self.mutants.items() if place.file == file]
            exact = {number for distance, number in near if distance == 0}
            bad |= exact or {number for _, number in sorted(near)[:1]}
        if not bad:
            raise SystemExit("mutants: the copy does not compile, and not because of a fault:\n" + output[-3000:])
        print(f"do not compile: {len(bad)}", flush=True)
        for number in bad:
            place = self.mutants.pop(number)
            self.bad.add((*place.key, place.text))
        self.kept.write_text(json.dumps(sorted(self.bad)))


def manifest(text):
    """Package.swift with the switch below every target of Sources."""
    text = re.sub(r'(\.(?:executableT|t)arget\(name: "[^"]+",) (path: "Sources/(?!C/))', r'\1 dependencies: [], \2', text)
    text = re.sub(r'(\.(?:executableT|t)arget\(name: "[^"]+", dependencies: \[)(?=[^\n]*path: "Sources/)', r'\1"CMutants", ', text)
    return text.replace('    targets: [\n', '    targets: [\n        .target(name: "CMutants", path: "Sources/C/CMutants"),\n', 1)
