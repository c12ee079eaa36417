"""Laws of the sources: imports, and where an error is worded."""
import subprocess

from ..common import ROOT
from .report import imports, package

TOP = {"Package.swift", "Sources", "Tests", "fixtures", "tools", "README.md", "LICENSE"}
# How the line of an error begins, after the program's name.
ERROR_LINE = ": error: "


def tracked():
    """The files of the repository, from its root, without links to other places in it; before a commit also the new ones."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in listed if (ROOT / name).is_file()]


def wording(folders):
    """The files below these folders that word an error line."""
    files = {file for folder in folders for file in (ROOT / folder).rglob("*.swift")}
    return sorted(str(f.relative_to(ROOT)) for f in files if ERROR_LINE in f.read_text())


def several(name, folders):
    """The files that word a program's error lines, when they are several."""
    files = wording(folders)
    return [f"{name}: {file}" for file in files] if len(files) > 1 else []


def interrupted():
    """Files outside SystemIO that name EINTR: only SystemIO repeats the calls that a signal interrupts, so that nothing else can forget to."""
    room = "Sources/Foundations/SystemIO/"
    swift = [name for name in tracked() if name.endswith(".swift") and not name.startswith(room)]
    return [name for name in swift if "EINTR" in (ROOT / name).read_text()]


def check(tally):
    """Every law of this file."""
    tally.law("cold sources never import Foundation", [f for f, m in imports("Sources") if m in {"Foundation", "FoundationNetworking"}])
    kept_apart = package().layer("Signer") | {"Vault", "TrustStore"}
    tally.law("the hot side never imports Vault, TrustStore or the signer", [f for f, m in imports("tools/hot/Sources") if m in kept_apart])
    top = {name.split("/")[0] for name in tracked()}
    tally.law("the top level holds the fixed names", sorted(n for n in top - TOP if not n.startswith(".")))
    targets = package().targets
    for program in ("heliograph", "heliograph-scanner"):
        folders = [targets[name].path for name in package().closure(program)]
        tally.law(f"one file words every error of {program}", several(program, folders))
    hot = {targets[m].path for _, m in imports("tools/hot/Sources") if m in targets}
    tally.law("one file words every error of heliograph-hot", several("heliograph-hot", ["tools/hot/Sources", *hot]))
    tally.law("only SystemIO names EINTR", interrupted())
