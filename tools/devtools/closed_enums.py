"""Adds a case to each closed enum, and expects that the target which decides on it does not compile.

The enums of trust and payloads stand in tools/closed-enums; those of errors are found: every type that is a DiagnosticError. The sources are
not touched: a copy of the enum's file with the case is type-checked beside the rest of its target, on the modules of `swift build`. Each case has
a name of its own, and counts only where the compiler names it as missing in a switch.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from .common import ROOT
from .laws.enums import errors, everything, listed, sources

# Options of the compiler that a type-check needs, and how many words each has.
KEPT = {"-I": 2, "-Xcc": 2, "-target": 2, "-module-cache-path": 2, "-swift-version": 2, "-package-name": 2, "-parse-as-library": 1}


def configure(parser):
    parser.add_argument("enums", nargs="*", help="names of enums (default: all)")
    parser.add_argument("--plan", type=pathlib.Path, help="use the modules that are built, and this plan of their build")


def case(number):
    return f"mutantThatNobodyHandles{number}"


class Scratch:
    """The targets with mutants, in a folder that goes away."""

    def __init__(self, folder, found, closed, plan):
        self.folder, self.found, self.closed = pathlib.Path(folder), found, closed
        self.flags = flags(plan)
        self.files = {}
        for target in {one.target for one in closed}:
            self.files |= self.mutate(target)

    def mutate(self, target):
        """Source → a copy with the mutants, for each file that has any."""
        places = {}
        for number, one in enumerate(self.closed):
            if one.target == target:
                declared = [d for d in self.found[target] if d.kind == "enum" and d.name == one.enum]
                if len(declared) != 1:
                    raise SystemExit(f"{target} does not declare the enum {one.enum}")
                places.setdefault(declared[0].file, {}).setdefault(declared[0].end, number)
        return {file: self.copy(file, ends) for file, ends in places.items()}

    def copy(self, file, ends):
        """A copy of a file with a case before each of these ends."""
        text = file.read_text()
        for end in sorted(ends, reverse=True):
            text = f"{text[:end]}\n    case {case(ends[end])}\n{text[end:]}"
        path = self.folder / f"{len(list(self.folder.iterdir()))}-{file.name}"
        path.write_text(text)
        return path

    def words(self, target):
        """The command line of the compiler for a target with its mutants."""
        files = sorted((ROOT / sources()[target]).rglob("*.swift"))
        return ["swiftc", "-wmo", "-I", self.folder / "modules", *self.flags[target.replace("-", "_")], *[self.files.get(file, file) for file in files]]

    def emit(self, target):
        """Writes the module of a target with its mutants, without the bodies of its functions."""
        module = self.folder / "modules" / f"{target}.swiftmodule"
        module.parent.mkdir(exist_ok=True)
        frontend = ["-experimental-skip-all-function-bodies", "-experimental-allow-module-with-compiler-errors"]
        options = [word for option in frontend for word in ("-Xfrontend", option)]
        subprocess.run([*self.words(target), "-emit-module", "-emit-module-path", module, *options], cwd=ROOT, capture_output=True)
        if not module.exists():
            raise SystemExit(f"the module of {target} with a case more cannot be written")

    def missing(self, decider):
        """The numbers of the mutants that a switch of the target has no case for."""
        done = subprocess.run([*self.words(decider), "-typecheck"], cwd=ROOT, capture_output=True, text=True)
        return {int(number) for number in re.findall(rf"add missing case: '.*?{case('')}(\d+)", done.stdout + done.stderr)}


def flags(plan):
    """Module → the options that the last build compiled it with."""
    manifest, found = plan.read_text(), {}
    for line in re.findall(r'^    args: (\["[^"]*swiftc","-module-name",.*\])$', manifest, re.M):
        words, kept = json.loads(line), []
        name = words[2]
        while words:
            count = KEPT.get(words[0], 0)
            if not count and words[0].startswith(("-I", "-D")):
                count = 1
            kept += words[:count]
            words = words[max(count, 1) :]
        found[name] = [*kept, "-module-name", name]
    return found


def survivors(closed, plan):
    """The enums that take a case without a complaint of their decider."""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        scratch = Scratch(folder, everything(), closed, plan)
        list(pool.map(scratch.emit, sorted({one.target for one in closed if one.target != one.decider})))
        deciders = sorted({one.decider for one in closed})
        # The number of a mutant is that of the first line with its enum.
        missing = dict(zip(deciders, pool.map(scratch.missing, deciders)))
        first = {}
        for number, one in enumerate(closed):
            first.setdefault((one.target, one.enum), number)
        return [one for one in closed if first[one.target, one.enum] not in missing[one.decider]]


def run(options):
    if not options.plan:
        subprocess.run(["swift", "build"], cwd=ROOT, check=True, stdout=sys.stderr)
    closed = list(dict.fromkeys([*listed(), *errors(everything())]))
    if options.enums:
        closed = [one for one in closed if one.enum in options.enums]
        if not closed:
            raise SystemExit("no closed enum has such a name")
    open_ones = survivors(closed, options.plan or ROOT / ".build/debug.yaml")
    for one in closed:
        print(f"{'FAIL' if one in open_ones else 'ok  '} {one.target}.{one.enum} in {one.decider}")
    print(f"closed enums: {len(closed) - len(open_ones)} refuse a new case, {len(open_ones)} take it")
    return 1 if open_ones else 0
