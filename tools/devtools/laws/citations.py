"""The laws that a comment or a document cites only files, tests and commands that the repository has, and that its links lead somewhere."""
import functools
import pathlib
import re

from ..cli import COMMANDS
from ..common import ROOT
from .sources import tracked

# Where prose is: whole documents, and the comments of sources.
DOCUMENTS = {".md", ".service", ".session"}
COMMENTS = {".swift": "//", ".c": "//", ".h": "//", ".cpp": "//", ".modulemap": "//", ".py": "#", ".toml": "#", "": "#"}
PLACE = re.compile(r"(?<![\w./-])(?:\.\./)*(?:Sources|Tests|fixtures|tools|\.ci|\.github)/[\w./+-]*\w")
NAME = re.compile(r"(?<![\w/.*+-])[A-Za-z][\w+-]*\.(?:md|swift|py|session|docc)\b")
# A subcommand of tools/dev, and its kind where it has kinds.
COMMAND = re.compile(r"(?<=`)tools/dev ([a-z][\w-]*)(?: ([a-z][\w-]*))?")
# A test of the package that a document names as a proof, and the tests that a command of a document runs.
TEST = re.compile(r"`([A-Z]\w*(?:Laws|Tests|Matrix))`")
FILTER = re.compile(r"swift test[^`|\n]*? --filter (?:\"([^\"]+)\"|([\w|]+))")
# A Markdown link, and the headings that one may lead to.
LINK = re.compile(r"(?<!`)\[[^\]\n]*\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#{1,6} (.+)$", re.M)
LINKED = ("README.md", ".github/")
# Four minutes of a newcomer, commands and all. What does not fit belongs into a guide, SECURITY or ARCHITECTURE.
README_WORDS = 1000
# What a build or a run makes, and what is beside the repository.
MADE = re.compile(r"^\.\./|^tools/hot/\.build")


def prose(path):
    """Line numbers and text of the prose of a file: everything in a document, comments and docstrings in a source."""
    text = path.read_text()
    lines = list(enumerate(text.split("\n"), 1))
    if path.suffix in DOCUMENTS:
        return lines
    mark = COMMENTS[path.suffix]
    found = [(number, line.split(mark, 1)[1]) for number, line in lines if mark in line]
    if path.suffix == ".py":
        for match in re.finditer(r'^\s*"""(.*?)"""', text, re.M | re.S):
            found.append((text[: match.start()].count("\n") + 1, match[1]))
    return found


def unknown_commands(line):
    """Subcommands of tools/dev that a line names and that do not exist."""
    for command, kind in COMMAND.findall(line):
        entry = COMMANDS.get(command)
        if entry is None or (isinstance(entry, dict) and kind and kind not in entry):
            yield f"tools/dev {command} {kind}".strip()


def missing(names):
    """FILE:LINE and the cited name, for every citation of a missing file."""
    known, folders = set(names), {str(parent) for name in names for parent in pathlib.PurePath(name).parents}
    bases = {pathlib.PurePath(name).name for name in names} | {pathlib.PurePath(folder).name for folder in folders}
    for name in names:
        path = ROOT / name
        if path.suffix not in DOCUMENTS | set(COMMENTS) or path.name == "LICENSE":
            continue
        try:
            lines = prose(path)
        except UnicodeDecodeError:
            continue
        for number, line in lines:
            for cited in PLACE.findall(line):
                if not MADE.match(cited) and cited not in known and cited not in folders:
                    yield f"{name}:{number} {cited}"
            for cited in unknown_commands(line):
                yield f"{name}:{number} {cited}"
            for cited in NAME.findall(line):
                if cited not in bases:
                    yield f"{name}:{number} {cited}"


def documents(names):
    """The documents that a person reads first: README, .github and every catalog."""
    return [n for n in names if n.endswith(".md") and (n.startswith(LINKED) or ".docc/" in n)]


def anchors(text):
    """What a host makes of the headings of a document."""
    return {re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-") for heading in HEADING.findall(text)}


def broken(name, text, known, folders):
    """The links of a document that lead to no file or no heading. Addresses of the web are not asked for."""
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        parts = []
        for part in [*pathlib.PurePosixPath(name).parent.parts, *path.split("/")] if path else pathlib.PurePosixPath(name).parts:
            if part == ".." and parts:
                parts.pop()
            elif part not in ("", "."):
                parts.append(part)
        place = "/".join(parts)
        if place not in known and place not in folders:
            yield f"{name} {target}"
        elif anchor and place.endswith(".md") and anchor not in anchors(text if place == name else (ROOT / place).read_text()):
            yield f"{name} {target}"


@functools.cache
def test_names():
    """Every suite and every test target of both packages."""
    sources = [*(ROOT / "Tests").rglob("*.swift"), *(ROOT / "tools/hot/Tests").rglob("*.swift")]
    suites = {match for file in sources for match in re.findall(r"\b(?:struct|class|enum|extension|func) (\w+)", file.read_text())}
    return suites | {file.relative_to(ROOT).parts[-2] for file in sources} | {p.name for p in (ROOT / "Tests").iterdir()}


def unknown_tests(name, text):
    """The tests that a document names and that neither package has."""
    filters = [part for quoted, plain in FILTER.findall(text) for part in (quoted or plain).replace("\\|", "|").split("|")]
    wrong = {*TEST.findall(text)} - test_names() | {part for part in filters if not any(part in known for known in test_names())}
    return [f"{name} {one}" for one in sorted(wrong)]


def words_of_readme():
    """How many words README has, where they are more than a newcomer reads in four minutes."""
    count = len((ROOT / "README.md").read_text().split())
    return [f"{count} words, more than {README_WORDS}"] if count > README_WORDS else []


def unnoticed():
    """Broken examples that a law of this file does not notice."""
    examples = {"a link to no file": list(broken("README.md", "[a](no-such-file.md)", set(), set())),
                "a link to no heading": list(broken("README.md", "# One\n[a](#two)", {"README.md"}, set())),
                "a link out of the folder": list(broken(".github/A.md", "[a](../README.md)", {".github/README.md"}, set())),
                "a suite": unknown_tests("A.md", "`NoSuchLaws`"),
                "a filter": unknown_tests("A.md", 'swift test --filter "SandboxTests|NoSuchSuite"')}
    return [name for name, found in examples.items() if len(found) != 1]


def check(tally):
    names = tracked()
    known, folders = set(names), {str(parent) for name in names for parent in pathlib.PurePath(name).parents}
    texts = {name: (ROOT / name).read_text() for name in documents(names)}
    tally.law("comments and documents cite files that the repository has", missing(names))
    tally.law("the laws of links and of named tests notice what is missing", unnoticed())
    tally.law("links of documents lead to files and headings", [b for name, text in texts.items() for b in broken(name, text, known, folders)])
    tally.law("README is read in four minutes", words_of_readme())
    tally.law("documents name tests that exist", [u for name, text in texts.items() for u in unknown_tests(name, text)])
