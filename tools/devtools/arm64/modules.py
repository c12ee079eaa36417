"""Compiles the modules of the offline programs as far as the compiler's intermediate code, and no further: what its type checker refuses, and where Debian's
build of it, which checks that code, ends. A module that others import is written from that code, so to write it is enough.

The package manager only plans. Each module is compiled whole, as soon as those that it imports are, and as many at a time as there are processors.
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess

from ..common import ROOT
from ..release.names import Refused
from . import cross, sysroot

# The plan is of the shipped form, because conditions in the sources ask for it. It is made before the first file is compiled, so the smallest target will do.
PLANNED = [*cross.RELEASE, "--target", "CRelease"]
# A module's inputs and its command line in the plan. What runs while others are compiled is planned for this machine, too, under the same name.
STEP = re.compile(rf'-{sysroot.TRIPLE}-release\.module":\n    tool: shell\n    inputs: (\[.*\])\n(?:    .*\n)*?    args: (\["[^"]*swiftc",.*\])$', re.M)
PLAN, MODULES = ROOT / cross.SCRATCH / "release.yaml", f"{cross.SCRATCH}/modules"
# What a command line of the plan has that is about code and files beside it: the number of words of each.
NEEDLESS = {"-emit-dependencies": 1, "-emit-module": 1, "-emit-module-path": 2, "-output-file-map": 2, "-incremental": 1, "-c": 1, "-g": 1, "-O": 1,
            "-enable-batch-mode": 1, "-serialize-diagnostics": 1, "-index-store-path": 2, "-parseable-output": 1, "-emit-objc-header": 1,
            "-emit-objc-header-path": 2, "-use-ld=lld": 1, "-whole-module-optimization": 1, "-num-threads": 2}
# Where the type checker gives up it does so after 25 seconds for one expression, not after ten minutes.
WHOLE = ["-Onone", "-wmo", "-no-emit-module-separately-wmo", "-Xfrontend", "-solver-expression-time-threshold=25"]
# The type checker takes this, and Swift 6.2.3 makes wrong intermediate code of it, where Debian's build of it ends. Were it compiled, the check would find
# nothing.
SPECIMEN = """enum Lost: Error { case missing, named(String) }
func lose() throws(Lost) -> Int { throw .missing }
public func find() throws -> Int {
    do throws(Lost) { return try lose() } catch Lost.missing { return 1 }
}
"""


class Module:
    """A module of the plan: what it imports of the others, its sources, and the command line that compiles them."""

    def __init__(self, inputs, planned):
        self.planned, self.name = planned, planned[planned.index("-module-name") + 1]
        self.imports = {one.rpartition("/")[2].removesuffix(".swiftmodule") for one in inputs if one.endswith(".swiftmodule")}
        built, words, kept = planned[planned.index("-emit-module-path") + 1].rpartition("/")[0], planned[1:], []
        while words:
            # The sources are named by a file that only a build writes.
            count = 1 if words[0].startswith(("@", "-j")) else 2 if words[:2] == ["-Xcc", "-g"] else NEEDLESS.get(words[0], 0)
            kept += [] if count else words[:1]
            words = words[count or 1:]
        own = f"{cross.SOURCE}/{MODULES}"
        kept = [own if word == built else word for word in kept]
        self.sources = [one for one in inputs if one.endswith(".swift")]
        self.words = [planned[0], *kept, *WHOLE, "-emit-module", "-emit-module-path", f"{own}/{self.name}.swiftmodule"]

    def compile(self, root):
        """What is wrong with the module, or nothing."""
        done = subprocess.run(list(map(str, cross.words(root, *self.words, *self.sources))), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return f"{self.name} is not compiled: {done.returncode}\n{done.stdout}{done.stderr}" if done.returncode != 0 else ""


def specimen(one):
    """The specimen as a module, with the options of another one."""
    file = ROOT / MODULES / "Specimen.swift"
    file.write_text(SPECIMEN)
    return Module([f"{cross.SOURCE}/{MODULES}/{file.name}"], ["Specimen" if word == one.name else word for word in one.planned])


def planned(names):
    """Name → module, of these products and everything that they import."""
    every = {}
    for inputs, words in STEP.findall(PLAN.read_text()):
        one = Module(json.loads(inputs), json.loads(words))
        every[one.name] = one
    found, waiting = {}, [name.replace("-", "_") for name in names]
    while waiting:
        if (name := waiting.pop()) not in found:
            if name not in every:
                raise Refused(f"the package manager plans no module {name}")
            found[name] = every[name]
            waiting += found[name].imports
    return found


def compiled(root, names):
    """Compiles all modules of these products; how many, and what is wrong as sentences."""
    cross.build(root, PLANNED)
    # A module of an earlier time must not stand in for one that is gone.
    shutil.rmtree(ROOT / MODULES, ignore_errors=True)
    (ROOT / MODULES).mkdir()
    found, running, passed = planned(names), {}, set()
    problems = [] if specimen(next(iter(found.values()))).compile(root) else ["the compiler takes a source that this check is there to refuse: see SPECIMEN"]
    # First what most others wait for.
    waiting = sorted(found, key=lambda name: -sum(name in one.imports for one in found.values()))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        while True:
            for name in [name for name in waiting if found[name].imports <= passed][: os.cpu_count() - len(running)]:
                waiting.remove(name)
                running[pool.submit(found[name].compile, root)] = name
            if not running:
                return len(found), problems + [f"{name} is not compiled: what it imports is not" for name in waiting]
            for future in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                name = running.pop(future)
                if problem := future.result():
                    problems.append(problem)
                else:
                    passed.add(name)
