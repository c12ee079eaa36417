"""Laws of the sources: imports, and where an error is worded."""
import pathlib
import re
import subprocess

from ..common import ROOT
from ..release.names import changelog_problems
from .report import imports, package

TOP = {"Package.swift", "Sources", "Tests", "fixtures", "tools", "README.md", "LICENSE"}
# Random numbers that no seed gives again. A name of a directory may be one, with a reason behind `// unseeded:`.
UNSEEDED = {
    ".swift": re.compile(r"SystemRandomNumberGenerator|\.random(?:Element|)\((?![^)]*using:)(?:in: |\))|\.shuffled\(\)|Bool\.random\(\)"),
    ".py": re.compile(r"random\.Random\(\)|os\.urandom|default_rng\(\)|\brandom\.(?:random|randrange|choice|uniform|randbytes|sample|shuffle)\("),
}
SEED_MAKERS = {"Tests/TestSupport/SeededGenerator.swift", "Tests/TwoReadings/TwoReadings.swift", "tools/devtools/laws/sources.py"}
# What starts a second thread or task.
THREADS = re.compile(r"\bThread\b *[({.]|pthread_create|\bTask *(?:\.detached|\{|<)|with(?:Throwing|Discarding)*TaskGroup|\basync let\b"
                     r"|Dispatch(?:Queue|Source)|std::(?:j?thread|async)\b")
# Code of others that has a thread behind a condition of the preprocessor which no build defines.
UNCOMPILED = {"Sources/C/CJitterEntropy/upstream/": "JENT_CONF_ENABLE_INTERNAL_TIMER"}
# The row of an error: its code and the literals of its sentence.
ROW = re.compile(r'\.(?:refused|usage|badInput|inputOutput|notPermitted|interrupted)\(\s*"([a-z0-9-]+)",\s*((?:"(?:[^"\\]|\\.)*"(?:\s*\+\s*)?)+)')
# Sentences that stand twice, and why.
TWICE = {"no-codes": "the scanner and the library of frames share no code, so that the scanner stays small",
         "empty-payload": "a library of pictures and one of frames, neither of which is below the other"}
# How the line of an error begins, after the program's name.
ERROR_LINE = ": error: "


def tracked():
    """The files of the repository, from its root, without links to other places in it; before a commit also the new ones."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in listed if (ROOT / name).is_file()]


def several(name, folders):
    """The files below these folders that word a program's error lines, when they are several."""
    files = sorted({str(f.relative_to(ROOT)) for folder in folders for f in (ROOT / folder).rglob("*.swift") if ERROR_LINE in f.read_text()})
    return [f"{name}: {file}" for file in files] if len(files) > 1 else []


def interrupted():
    """Files outside SystemIO that name EINTR: only SystemIO repeats the calls that a signal interrupts, so that nothing else can forget to."""
    room = "Sources/Foundations/SystemIO/"
    swift = [name for name in tracked() if name.endswith(".swift") and not name.startswith(room)]
    return [name for name in swift if "EINTR" in (ROOT / name).read_text()]


def unseeded():
    """Lines of tests and tools that draw random numbers without a seed: a failure that they cause cannot be repeated."""
    found = []
    for name in tracked():
        pattern = UNSEEDED.get(pathlib.Path(name).suffix)
        if pattern is None or name in SEED_MAKERS or not name.startswith(("Tests/", "tools/devtools/", "tools/hot/Tests/", "tools/fuzz/", "tools/peers/")):
            continue
        lines = (ROOT / name).read_text().splitlines()
        found += [f"{name}:{number}" for number, line in enumerate(lines, 1) if pattern.search(line) and "unseeded: " not in line]
    return found


def threaded():
    """Files of the offline programs that start a thread: with none, nothing can race, and a thread sanitizer would have nothing to watch."""
    code = [name for name in tracked() if name.startswith("Sources/") and name.endswith((".swift", ".c", ".cpp", ".h"))]
    lines = {name: [line.split("//")[0] for line in (ROOT / name).read_text().splitlines()] for name in code}
    defined = [text for name in ("Package.swift", *code) if not name.startswith(tuple(UNCOMPILED)) for text in [(ROOT / name).read_text()]]
    left_out = tuple(folder for folder, condition in UNCOMPILED.items() if not any(condition in text for text in defined))
    return [name for name in code if not name.startswith(left_out) and any(THREADS.search(line) for line in lines[name])]


def repeated(texts):
    """Code, and the files of a sentence of an error that stands more than once: two of them come apart with the first change."""
    found = {}
    for name, text in texts.items():
        for match in ROW.finditer(text):
            if match[1] not in TWICE:
                found.setdefault((match[1], re.sub(r"\s+", " ", match[2])), []).append(name)
    return [f"{code}: {' and '.join(names)}" for (code, _), names in found.items() if len(names) > 1]


def check(tally):
    tally.law("cold sources never import Foundation", [f for f, m in imports("Sources") if m in {"Foundation", "FoundationNetworking"}])
    essential = [f for f, m in imports("Sources") if m == "FoundationEssentials"]
    tally.law("below the interface nothing imports FoundationEssentials", [f for f in essential if f.parts[1] not in {"Interface", "Programs"}])
    kept_apart = package().layer("Review", "Signer") - {"GroupCollect"} | {"Vault", "TrustStore"}
    tally.law("the hot side never imports Vault, TrustStore, the reviews or the signer", [f for f, m in imports("tools/hot/Sources") if m in kept_apart])
    top = {name.split("/")[0] for name in tracked()}
    tally.law("the changelog begins with the version of the programs", changelog_problems())
    tally.law("the top level holds the fixed names", sorted(n for n in top - TOP if not n.startswith(".")))
    targets = package().targets
    for program in ("heliograph", "heliograph-scanner"):
        folders = [targets[name].path for name in package().closure(program)]
        tally.law(f"one file words every error of {program}", several(program, folders))
    hot = {targets[m].path for _, m in imports("tools/hot/Sources") if m in targets}
    tally.law("one file words every error of heliograph-hot", several("heliograph-hot", ["tools/hot/Sources", *hot]))
    swift = {name: (ROOT / name).read_text() for name in tracked() if name.startswith("Sources/") and name.endswith(".swift")}
    tally.law("a sentence about an error stands once: another type uses the row that is there", repeated(swift))
    tally.law("only SystemIO names EINTR", interrupted())
    tally.law("every random number of a test comes from a seed that is printed and taken back", unseeded())
    tally.law("the offline programs have one thread", threaded())
