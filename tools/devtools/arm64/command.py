"""Compiles the offline programs for arm64 with Debian's own Swift, and tries their package in emulated machines.

    tools/dev arm64 compile         both programs with Swift 6.2.3, as a debug build: what its type checker and the checks of its intermediate code refuse
    tools/dev arm64 link FOLDER     both as they are shipped, with the commit inside, for `tools/dev release`
    tools/dev arm64 test            makes the package of what `compile` built, installs it with what it needs into an empty root, and starts that on a
                                    Cortex-A53 with Debian 12's kernel: self-test, init, a seed, a transaction from a picture, its review and its signature,
                                    which the online program verifies on amd64; the log; and a vault that takes 256 MiB, with 512 MB and with too little
    tools/dev arm64 test --all      the same programs as they are shipped, also with pages of 16 KiB, and on the newest processor that QEMU has
"""
import pathlib
import tempfile
import time

from ..appliance.build import missing
from ..common import SHIPPED, Missing, binary_folder, skip
from ..release import debian, make, programs
from ..release.names import Names, Refused, commit, epoch
from ..release.person import Stuck
from ..release.tree import Tree
from . import cross, sysroot
from .apt import Apt
from .place import Sysroot

# Where the type checker gives up it does so after 25 seconds for one expression, not after ten minutes.
COMPILED = ["-c", "debug", "-Xswiftc", "-Xfrontend", "-Xswiftc", "-solver-expression-time-threshold=25"]


def configure(parser):
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    one = actions.add_parser("compile", help="compile both offline programs")
    one.add_argument("--tests", action="store_true", help="also the tests of the libraries")
    one = actions.add_parser("link", help="link both offline programs as they are shipped")
    one.add_argument("folder", type=pathlib.Path)
    one = actions.add_parser("test", help="try the package in emulated machines")
    one.add_argument("--all", action="store_true", help="the shipped form, on every machine")


def package(work, made):
    """The Debian package of these programs, as a release has it but for the manual pages."""
    at, here, tree, name = Sysroot(), Tree(work / "amd64"), Tree(work / "arm64"), "heliograph"
    built = binary_folder(*SHIPPED)
    for one in programs.IMAGE_PROGRAMS:
        own = programs.private(built / one)
        programs.place(programs.Program(built / one, None), here.path(f"usr/bin/{one}"), programs.PRIVATE_FOLDER if own else None)
        for library in own:
            here.put(f"{programs.PRIVATE_FOLDER.lstrip('/')}/{pathlib.Path(library).name}", pathlib.Path(library).read_bytes())
    known = debian.relations(name, [here.root / "usr/bin" / one for one in programs.IMAGE_PROGRAMS])
    make.stage_cold(tree, made, {}, built / name, at)
    using = debian.documents(tree, name, list(made.values()), at)
    needs = at.relations([tree.root / "usr/bin" / one for one in programs.IMAGE_PROGRAMS], known)
    if found := [*debian.forbidden(needs), *at.problems(tree)]:
        raise Refused("\n".join(found))
    target = work / Names().other_cold
    debian.archive(tree, name, Names().version, {"Depends": needs, "Built-Using": using}, target, at.architecture)
    return target


def test(options, root):
    """Tries the package; problems as sentences."""
    if absent := missing(["qemu-system-aarch64", "patchelf", "llvm-objcopy"]):
        return skip(", ".join(absent)) or []
    from . import machine

    with tempfile.TemporaryDirectory() as folder:
        work, marks, found = pathlib.Path(folder).resolve(), [("built", time.monotonic())], []
        made = cross.products(root, programs.IMAGE_PROGRAMS, cross.RELEASE if options.all else COMPILED)
        marks.append(("packed", time.monotonic()))
        file = package(work, made)
        files = Apt(machine.SYSTEM).needed(file, *machine.ESSENTIAL)
        job = machine.Job(work)
        initramfs = job.initramfs(files, epoch())
        marks.append(("", time.monotonic()))
        told = ", ".join(f"{name} in {end - start:.0f} s" for (name, start), (_, end) in zip(marks, marks[1:]))
        print(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB, {len(files)} packages, {told}", flush=True)
        for name in machine.MACHINES if options.all else machine.SHORT:
            try:
                said, problems = job.walk(name, machine.kernel(name, work), initramfs)
            except Stuck as stuck:
                said, problems = "", [str(stuck)]
            print(f"{name}: {said}", flush=True)
            found += [f"{name}: {problem}" for problem in problems]
        found += job.memory(machine.kernel(machine.SHORT[0], work), initramfs)
    return found


def run(options):
    start = time.monotonic()
    try:
        root, stale = sysroot.ready()
        print("\n".join(stale), end="\n" if stale else "")
        found = []
        if options.action == "compile":
            for name in programs.IMAGE_PROGRAMS:
                cross.build(root, [*COMPILED, "--product", name])
            if options.tests:
                cross.build(root, [*COMPILED, "--build-tests"])
        elif options.action == "link":
            cross.linked(root, options.folder.absolute(), commit())
        else:
            found = test(options, root)
    except (Refused, Stuck) as refused:
        print(f"arm64: refused: {refused}")
        return 1
    except Missing as lacking:
        print(f"missing: {lacking}")
        return 1
    print(*found, f"arm64: {options.action} in {time.monotonic() - start:.0f} s, {len(found)} problems", sep="\n")
    return 1 if found else 0
