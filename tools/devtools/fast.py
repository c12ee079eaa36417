"""What `tools/dev check --fast` does: what a small edit can break first, in three minutes.

The files that differ from a commit say which targets are touched. Checked are the format of those files, the laws, the tests of the touched targets, the
sessions and panes, and then the tests of the targets that depend on a touched one, the nearest first, while there is time. At the end stands what was left out.
"""
import subprocess
import time

from .common import HOT, ROOT, dev
from .laws import text_law
from .laws.report import Package, package

MINUTES = 3
# Seconds that are kept for the panes while sessions run, and what the sessions get however late it is.
PANES, SESSIONS = 20, 20
# With less than this left the tests of no other target begin.
SHORTEST = 30
# The laws that need nothing built, and those that read the modules of a debug build.
LAWS = ("layers", "sources", "citations", "forms", "enums")
MODULES = ROOT / ".build/debug"
SHOWN = {"heliograph", "heliograph-scanner"}
# A file that any target may depend on.
EVERYTHING = ("Package.swift", "tools/hot/Package.swift")


class Edit:
    """What the files of an edit touch in a package, whose paths begin with `folder`."""

    def __init__(self, package, files, folder=""):
        self.package, self.folder = package, folder
        self.touched = {name for name, target in package.targets.items() if any(file.startswith(f"{folder}{target.path}/") for file in files)}
        self.distance = self.distances()

    def distances(self):
        """Target → how many dependencies lie between it and a touched one, for all that are touched or depend on one."""
        found, count = dict.fromkeys(self.touched, 0), 0
        while more := {name for name, target in self.package.targets.items() if name not in found and found.keys() & set(target.dependencies)}:
            count += 1
            found |= dict.fromkeys(more, count)
        return found

    def tests(self):
        """The test targets that may notice the edit: those of the touched targets, and the others, the nearest first."""
        every = [name for name in self.distance if self.package.targets[name].kind == "test"]
        own = [name for name in every if name in self.touched or name.removesuffix("Tests") in self.touched]
        return own, sorted(set(every) - set(own), key=lambda name: (self.distance[name], name))

    @property
    def is_shown(self):
        """Whether a program that the sessions run may behave differently."""
        return bool(SHOWN & self.distance.keys())


class Fast:
    """One run: what it may still take, and what it left out."""

    def __init__(self, step, files):
        self.step, self.files, self.end = step, files, time.monotonic() + 60 * MINUTES
        self.failed, self.left = [], []

    @property
    def rest(self):
        """Seconds that are left."""
        return max(0, int(self.end - time.monotonic()))

    def check(self, name, *commands):
        """Runs a step; whether it passed."""
        passed = self.step(name, lambda: commands)
        self.failed += [] if passed else [name]
        return passed

    def text(self):
        """What needs nothing built."""
        swift = [file for file in self.files if file.endswith(".swift") and file not in EVERYTHING and (ROOT / file).exists()]
        if swift:
            self.check("format", ["swift", "format", "lint", "--strict", *swift])
        if any(file.endswith(".py") or file == "tools/dev" for file in self.files):
            self.check("lint", dev("lint"))
        self.check("laws", dev("laws", *(word for kind in LAWS for word in ("--kind", kind))))

    def tests(self, name, edit, options):
        """The tests of the touched targets at once, then those of each that depends on them, while there is time."""
        own, others = edit.tests()
        if own:
            self.check(name, ["swift", "test", *options, "--skip-build", "--filter", f"^({'|'.join(own)})\\."])
        return [(f"{name}-{other}", ["swift", "test", *options, "--skip-build", "--filter", f"^{other}\\."]) for other in others]

    def offline(self, edit):
        """The offline programs: tests, exact text, sessions and panes. What may wait is returned."""
        sessions = [file for file in self.files if file.startswith("Tests/Sessions/") and file.endswith(".session")]
        panes = [file for file in self.files if file.startswith("Tests/Panes/") and file.endswith(".pane")]
        if not (edit.touched or sessions or panes):
            return []
        if not self.check("build-tests", ["swift", "build", "--build-tests"]):
            self.left.append("everything that the build is for")
            return []
        waiting = self.tests("unit", edit, [])
        if rooms := sorted(edit.touched & text_law.rooms()):
            self.check("texts", dev("laws", "--kind", "texts", *(word for room in rooms for word in ("--target", room)), MODULES))
        if edit.is_shown or sessions:
            others = every("Tests/Sessions/*.session", sessions) if edit.is_shown else []
            self.check("sessions", dev("sessions", MODULES, *sessions, *others, "--seconds", str(max(SESSIONS, self.rest - PANES))))
        if edit.is_shown or panes:
            self.check("panes", dev("panes", MODULES, *([] if edit.is_shown else panes)))
        return waiting

    def online(self, edit):
        """The online program. What may wait is returned."""
        if not edit.touched:
            return []
        if not self.check("build-hot", ["swift", "build", *HOT, "--build-tests"]):
            return []
        return self.tests("unit-hot", edit, HOT)


def every(pattern, first):
    """The files of a pattern that are not among the first."""
    return sorted(name for name in (str(path.relative_to(ROOT)) for path in ROOT.glob(pattern)) if name not in first)


def differing(base):
    """The files that differ from a commit, deleted ones and new ones too."""
    words = [["git", "diff", "--name-only", base, "--"], ["git", "ls-files", "--others", "--exclude-standard"]]
    listed = [subprocess.run(one, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines() for one in words]
    return sorted({name for names in listed for name in names})


def run(step, base):
    """The names of what failed."""
    fast = Fast(step, files := differing(base))
    cold, hot = Edit(package(), files), Edit(Package(ROOT / "tools/hot"), files, "tools/hot/")
    print(f"{len(files)} files differ from {base}; touched: {', '.join(sorted(cold.touched | hot.touched)) or 'no target'}", flush=True)
    fast.text()
    waiting = [*fast.offline(cold), *fast.online(hot)]
    while waiting and fast.rest > SHORTEST:
        name, command = waiting.pop(0)
        fast.check(name, command)
    fast.left += [name for name, _ in waiting]
    taken = {name for target in hot.package.targets.values() for name in target.dependencies}
    if shared := sorted(taken & cold.distance.keys()):
        fast.left.append(f"the online program, which takes {', '.join(shared)}: tools/dev check --only build-hot,unit-hot,hot-laws")
    fast.left += [f"what follows from {file}: tools/dev check" for file in EVERYTHING if file in files]
    print("\n".join(f"left out: {name}" for name in [*fast.left, "all other steps of tools/dev check"]))
    return fast.failed
