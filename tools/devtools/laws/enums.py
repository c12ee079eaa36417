"""The closed enums, and the laws of them; `tools/dev closed-enums` tries them with a case more."""
import dataclasses
import re

from ..common import ROOT
from ..swift_types import below, blanked
from .report import package

LIST = ROOT / "tools/closed-enums"
CONFORMS = re.compile(r"\bDiagnosticError\b")
DEFAULT = re.compile(r"\bdefault\s*:")
OVER_ERROR = re.compile(r"\bswitch error \{")


@dataclasses.dataclass(frozen=True)
class Closed:
    """An enum of `target` that `decider` switches over without a default."""

    target: str
    enum: str
    decider: str


def listed():
    """The enums of the list."""
    for line in LIST.read_text().splitlines():
        if words := line.split("#")[0].split():
            if len(words) != 3:
                raise SystemExit(f"{LIST.relative_to(ROOT)}: not TARGET ENUM DECIDER: {line}")
            yield Closed(*words)


def sources():
    """Name → folder of every target of the offline programs."""
    return {name: target.path for name, target in package().targets.items() if target.path.startswith("Sources/")}


def everything():
    """Target → its declarations."""
    return {name: list(below(path)) for name, path in sources().items()}


def short(name, declared):
    """An extension may name a type from inside another: the whole name of the enum or struct that it means."""
    return next((d.name for d in declared if d.kind in {"enum", "struct"} and (d.name == name or d.name.endswith(f".{name}"))), None)


def errors(found):
    """The enums of every type that is a DiagnosticError, decided on where its rows stand."""
    for target, declared in found.items():
        for one in declared:
            if one.kind == "protocol" or not CONFORMS.search(one.conforms):
                continue
            home = next((name for name, there in found.items() if short(one.name, there)), None)
            if home is None:
                raise SystemExit(f"{one.file.relative_to(ROOT)}: {one.name} is declared nowhere")
            name = short(one.name, found[home])
            enums = {d.name for d in found[home] if d.kind == "enum" and d.name in (name, *inner(name, found[home]))}
            yield from (Closed(home, enum, target) for enum in sorted(enums))


def inner(name, declared):
    """The enum directly inside a struct that has the reasons of an error, where it also has a place."""
    if any(d.name == name and d.kind == "enum" for d in declared):
        return
    for one in declared:
        outer, _, last = one.name.rpartition(".")
        if outer == name and last == "Reason":
            yield one.name


def unknown(found):
    """Lines of the list that name no enum or no target."""
    for one in listed():
        if one.decider not in found or not any(d.kind == "enum" and d.name == one.enum for d in found.get(one.target, ())):
            yield f"{one.target} {one.enum} {one.decider}"


def defaults(found):
    """Error types whose rows have a default."""
    for declared in found.values():
        for one in declared:
            if one.kind != "protocol" and CONFORMS.search(one.conforms) and DEFAULT.search(one.body):
                yield f"{one.file.name}: {one.name}"


def brace_end(text, start):
    """Where the braces close that are open at a place inside them."""
    depth = 1
    for place in range(start, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return place
    return len(text)


def unnamed():
    """The files with a switch over an error as a whole that ends in a default, which CONTRIBUTING does not name, and those that it names without cause."""
    def has_one(text):
        return any(DEFAULT.search(text, match.end(), brace_end(text, match.end())) for match in OVER_ERROR.finditer(text))

    files = [file for top in ("Sources", "tools/hot/Sources") for file in sorted((ROOT / top).rglob("*.swift"))]
    found = {str(file.relative_to(ROOT)) for file in files if has_one(blanked(file))}
    section = (ROOT / ".github/CONTRIBUTING.md").read_text().partition("### Add an error")[2].partition("\n#")[0]
    return sorted(found ^ set(re.findall(r"`([\w/-]+\.swift)`", section)))


def check(tally):
    found = everything()
    tally.law("every closed enum of tools/closed-enums is declared", unknown(found))
    tally.law("the row of an error is chosen without a default", defaults(found))
    tally.law("CONTRIBUTING names each switch over any error that has a default", unnamed())
