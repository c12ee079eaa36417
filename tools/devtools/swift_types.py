"""Where the types of the Swift sources are declared and extended, read from the text alone."""
import dataclasses
import functools
import pathlib
import re

from .common import ROOT

DECLARED = re.compile(r"\b(enum|struct|class|actor|protocol|extension)\s+(\w+(?:\.\w+)*)")
# Comments and strings, blanked before braces are counted.
SILENT = re.compile(r'"""[\s\S]*?"""|//[^\n]*|/\*[\s\S]*?\*/|"(?:\\.|[^"\\\n])*"')


@dataclasses.dataclass(frozen=True)
class Declaration:
    """A type's declaration or an extension of it: `conforms` is what stands between its name and its brace, `start` and `end` bound its body."""

    file: pathlib.Path
    kind: str
    name: str
    conforms: str
    start: int
    end: int

    @property
    def body(self):
        return blanked(self.file)[self.start : self.end]


@functools.cache
def blanked(file):
    """The text with blanks for comments and strings, of the same length."""
    return SILENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), file.read_text())


@functools.cache
def declarations(file):
    """The declarations of a file, each by its whole name."""
    text, found, scopes, heads = blanked(file), [], [], {}
    for match in DECLARED.finditer(text):
        brace = text.find("{", match.end())
        if brace >= 0 and not re.search(r"[;}]|\b(case|func|let|var)\b", text[match.end() : brace]):
            heads[brace] = match
    for place, character in enumerate(text):
        if character == "{":
            scopes.append((place, heads.get(place)))
        elif character == "}":
            if not scopes:
                raise SystemExit(f"{file.relative_to(ROOT)}: the braces cannot be counted")
            start, head = scopes.pop()
            if head:
                outer = [scope[2] for _, scope in scopes if scope]
                name = ".".join([*outer, head[2]])
                found.append(Declaration(file, head[1], name, text[head.end() : start], start + 1, place))
    if scopes:
        raise SystemExit(f"{file.relative_to(ROOT)}: the braces cannot be counted")
    return found


def below(folder):
    """The declarations of every file below a folder."""
    for file in sorted((ROOT / folder).rglob("*.swift")):
        yield from declarations(file)
