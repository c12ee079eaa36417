"""Compiles the offline programs for arm64 with Debian's own Swift, and tries their package in emulated machines.

    tools/dev arm64 compile         every module of the offline programs with Swift 6.2.3, as far as its intermediate code: what the type checker and the checks
                                    of that code refuse. Where sid has moved on since the lock, what the new compiler refuses is said, and fails nothing
    tools/dev arm64 link FOLDER     the programs as they are shipped, with the commit inside, for `tools/dev release`
    tools/dev arm64 test            links them, makes their package, installs it with what it needs into an empty root, and starts that on a Cortex-A53 with
                                    Debian 12 and on a Cortex-A76 with Debian 13 and pages of 16 KiB: self-test, init, a seed, a transaction from a picture, its
                                    review and its signature, which the online program verifies on amd64; the log; and a vault that takes 256 MiB, with 512 MB
                                    and with too little; it prints what the system's filters and the cost of the vault's key are. --package FILE takes one of a
                                    release instead; --all also starts it on the newest processor of QEMU
    tools/dev arm64 figures         counts the instructions of a review, a signature, RaptorQ and pictures; --package FILE, too
"""
import pathlib
import tempfile
import time

from ..appliance.build import missing
from ..common import SHIPPED, Missing, binary_folder, skip
from ..release import debian, make, programs
from ..release.names import Names, Refused, commit
from ..release.person import Stuck
from ..release.tree import Tree
from . import cross, modules, sysroot
from .place import Sysroot


def configure(parser):
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    actions.add_parser("compile", help="compile the offline programs, without code for a processor")
    one = actions.add_parser("link", help="link the offline programs as they are shipped")
    one.add_argument("folder", type=pathlib.Path)
    one = actions.add_parser("test", help="try the package in emulated machines")
    one.add_argument("--all", action="store_true", help="on every machine")
    other = actions.add_parser("figures", help="count the instructions of the package in an emulated machine")
    for each in (one, other):
        each.add_argument("--package", type=pathlib.Path, metavar="FILE", help="a package that is made already")


def package(work, made):
    """The Debian package of these programs, as a release has it but for the manual pages."""
    at, here, tree, name = Sysroot(), Tree(work / "amd64"), Tree(work / "arm64"), "heliograph"
    built = binary_folder(*SHIPPED)
    for one in made:
        own = programs.private(built / one)
        programs.place(programs.Program(built / one, None), here.path(f"usr/bin/{one}"), programs.PRIVATE_FOLDER if own else None)
        for library in own:
            here.put(f"{programs.PRIVATE_FOLDER.lstrip('/')}/{pathlib.Path(library).name}", pathlib.Path(library).read_bytes())
    known = debian.relations(name, [here.root / "usr/bin" / one for one in made])
    make.stage_cold(tree, made, {}, built / name, at)
    using = debian.documents(tree, name, list(made.values()), at)
    needs = at.relations([tree.root / "usr/bin" / one for one in made], known)
    if found := [*debian.forbidden(needs), *at.problems(tree)]:
        raise Refused("\n".join(found))
    target = work / Names().other_cold
    debian.archive(tree, name, Names().version, {"Depends": needs, "Recommends": debian.HARDWARE, "Built-Using": using}, target, at.architecture)
    return target


def on_a_package(options, use):
    """What `use` says of the named package, or of one that is made now: problems as sentences."""
    if absent := missing(["qemu-system-aarch64", "patchelf", "llvm-objcopy"]):
        return skip(", ".join(absent)) or []
    with tempfile.TemporaryDirectory() as folder:
        work, start = pathlib.Path(folder).resolve(), time.monotonic()
        if not (file := options.package):
            file = package(work, cross.products(made()[0], programs.COLD_PROGRAMS, cross.RELEASE))
            print(f"linked and packed in {time.monotonic() - start:.0f} s", flush=True)
        return list(use(file.resolve(), work))


def test(options):
    """Tries the package."""
    def use(file, work):
        from . import machine

        return machine.tried(file, list(machine.MACHINES) if options.all else machine.SHORT, work)

    return on_a_package(options, use)


def figures(options):
    """Counts what the package costs."""
    def use(file, work):
        from . import figures as kind

        return kind.counted(file, work)

    return on_a_package(options, use)


def made():
    """The root of the compiler, and sentences about a stale lock, which are printed."""
    root, stale = sysroot.ready()
    print("\n".join(stale), end="\n" if stale else "")
    return root, stale


def compiled():
    """Compiles every module; problems as sentences, and what the last line says of sid. Sid and its mirrors change every day, and no commit can help that:
    where they give no compiler, or one that is not the locked Swift and refuses something, that is said, and is no problem of the commit."""
    try:
        root, stale = made()
    except Refused as refused:
        print(refused)
        return [], "; nothing is compiled: there is no compiler of sid today"
    start = time.monotonic()
    count, found = modules.compiled(root, programs.COLD_PROGRAMS)
    print(f"{count} modules in {time.monotonic() - start:.0f} s", flush=True)
    # Of the hundreds of packages around it some differ each day, and none decides on a source of ours.
    if found and any(" has swiftlang " in sentence for sentence in stale):
        print(*found, sysroot.HELP, sep="\n")
        return [], f"; sid has moved on, and its compiler refuses {len(found)} modules"
    return found, f"; {len(stale)} packages are not those of the lock" if stale else ""


def run(options):
    start, found, told = time.monotonic(), [], ""
    try:
        if options.action == "compile":
            found, told = compiled()
        elif options.action == "figures":
            found = figures(options)
        elif options.action == "link":
            cross.linked(made()[0], options.folder.absolute(), commit())
        else:
            found = test(options)
    except (Refused, Stuck) as refused:
        print(f"arm64: refused: {refused}")
        return 1
    except Missing as lacking:
        print(f"missing: {lacking}")
        return 1
    print(*found, f"arm64: {options.action} in {time.monotonic() - start:.0f} s, {len(found)} problems{told}", sep="\n")
    return 1 if found else 0
