"""The law that a comment or a document cites only files that the repository has."""
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
        if entry is None or (isinstance(entry[1], dict) and kind and kind not in entry[1]):
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


def check(tally):
    """The law of this file."""
    tally.law("comments and documents cite files that the repository has", missing(tracked()))
