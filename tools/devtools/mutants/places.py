"""Finds the places of the trust files where a fault can be put, each behind a switch, from the text alone.

A place that does not compile is dropped later, so the patterns need not be exact.
"""
import dataclasses
import hashlib
import re
import subprocess

from ..common import ROOT
from ..laws.report import LAYERS, package
from ..swift_types import blanked

PLACES = ROOT / "tools/mutants/places"
EQUIVALENTS = ROOT / "tools/mutants/equivalents"

BRACKETS = {"(": ")", "[": "]", "{": "}"}
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
COMPARISON = re.compile(r" (<|<=|>|>=) ")
CONDITION = re.compile(r"(?<![\w.#])(if|guard|while|where)\s")
NOT_A_CONDITION = re.compile(r"(let|var|case|inout)\b|#|any\b|some\b")
RETURNED = re.compile(r"\breturn (?P<value>[^;{}]+?)\s*(?=[;}]|$)")
CASE_VALUE = re.compile(r"^\s*(?:case .*|default): (?P<value>true|false)$")
ONLY_VALUE = re.compile(r"\bBool\b[^{]*\{ (?P<value>[^{}]+) \}$")
CLOSURE = re.compile(
    r"\b(?:filter|contains|allSatisfy|first|firstIndex|removeAll|drop|prefix|last)(?:\((?:where|while): | )\{ (?:[\w, ()]+ in )?(?P<value>[^{}]+) \}")
BOOLEAN = re.compile(r"^(true|false)$|==|!=|&&|\|\||[^-]> | < |>=|<=|^!|contains|allSatisfy|\.is[A-Z]|starts\(|has[A-Z]|equal|Equal")
KEYWORD = r"(?!(?:return|let|var|guard|if|for|case|throw|else|func|defer|switch|while|default|import|init)\b)"
# A step that can be left out: not the first value of a property, without which nothing compiles.
STATEMENT = re.compile(rf"^(try )?{KEYWORD}(?!self\.(\w+) = \2$)\w[\w.\[\]]*(\(| [-+|&^]?= |\.)")
NUMBER = re.compile(r"(?<![\w.$])(0x[0-9a-fA-F_]+|\d[\d_]*)(?![\w.])")
EXTREME = re.compile(r"(?<![\w.])(max|min)\(")


@dataclasses.dataclass(frozen=True)
class Place:
    """A span of a file and what stands there once the switch is on; `{on}` in `text` is the switch."""

    file: str
    line: int
    start: int
    end: int
    operator: str
    text: str
    code: str

    @property
    def key(self):
        """Names the place without its line number, as the list of equivalents does."""
        return self.file, self.operator, self.code


def lines():
    """The lines of tools/mutants/places without remarks: a word, and what it is about."""
    words = (line.split() for line in PLACES.read_text().splitlines() if line.strip() and not line.startswith("#"))
    return [(kind, name) for kind, name, *_ in words]


def unjudged():
    """The layers that no line says anything about, and lines about a layer or target that does not exist."""
    said = lines()
    layers = {name for kind, name in said if kind in {"layer", "without"}}
    yield from sorted(layers ^ set(LAYERS))
    yield from (name for kind, name in said if kind == "target" and name not in package().targets)
    yield from (kind for kind, _ in said if kind not in {"layer", "target", "without", "-"})


def files():
    """The trust files: the Swift files of the layers and targets that tools/mutants/places names, without those that match a minus sign."""
    if wrong := list(unjudged()):
        raise SystemExit(f"mutants: {PLACES.relative_to(ROOT)} is wrong about {', '.join(wrong)}")
    found = set()
    for kind, name in lines():
        if kind == "-":
            matched = set(ROOT.glob(name))
            if not matched:
                raise SystemExit(f"mutants: no file matches {name} of {PLACES.relative_to(ROOT)}")
            found -= matched
        elif kind != "without":
            targets = [target for target in package().targets.values() if name in (target.layer if kind == "layer" else target.name,)]
            found |= {file for target in targets for file in (ROOT / target.path).rglob("*.swift")}
    return sorted(found)


def equivalents():
    """Key of a place → why no check can notice it."""
    found = {}
    for line in EQUIVALENTS.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            file, operator, code, reason = line.split("\t")
            found[file, operator, code] = reason
    return found


class Source:
    """One file: its text, the same without comments and strings, and the open bracket at each character."""

    def __init__(self, file):
        self.name = str(file.relative_to(ROOT))
        self.text, self.bare = file.read_text(), blanked(file)
        self.starts = [0, *[match.end() for match in re.finditer("\n", self.text)]]
        self.inside, self.found = [], []
        stack = []
        for character in self.bare:
            if stack and character == BRACKETS[stack[-1]]:
                stack.pop()
            self.inside.append(stack[-1] if stack else "")
            if character in BRACKETS:
                stack.append(character)

    def add(self, start, end, operator, text):
        """Notes a place on one line."""
        line = self.bare.count("\n", 0, start)
        if "\n" in self.text[start:end]:
            return
        code = self.text[self.starts[line] : self.starts[line + 1] if line + 1 < len(self.starts) else None].strip()
        if code.count("\t") == 0:
            self.found.append(Place(self.name, line + 1, start, end, operator, text, code))

    def boolean(self, start, end, operators):
        """The faults of an expression that is true or false."""
        bare, whole = self.bare[start:end], self.text[start:end]
        begins = len(bare) - len(bare.lstrip())
        start, bare, whole = start + begins, bare.strip(), whole.strip()
        end = start + len(whole)
        tried = ""
        if bare.startswith("try "):
            tried, bare, whole = "try ", bare[4:], whole[4:]
        forms = {"negated": "({0}) != {on}", "always true": "({0}) || {on}", "always false": "({0}) && !{on}"}
        for operator in operators:
            self.add(start, end, operator, tried + forms[operator].replace("{0}", whole))
        if re.search(r"[{?]", bare):
            return
        compared = COMPARISON.findall(bare)
        if len(compared) == 1 and not re.search(r"&&|\|\|", bare):
            at = COMPARISON.search(bare)
            other = whole[: at.start()] + f" {BOUNDARY[at[1]]} " + whole[at.end() :]
            self.add(start, end, "boundary", f"{tried}({{on}} ? ({other}) : ({whole}))")
        for joint, swapped in (("&&", "||"), ("||", "&&")):
            if bare.count(joint) == 1 and bare.count("&&") + bare.count("||") == 1:
                at = bare.index(joint)
                self.add(start, end, "and/or", f"{tried}({{on}} ? ({whole[:at]}{swapped}{whole[at + 2:]}) : ({whole}))")

    def conditions(self):
        """Each part of a condition that binds nothing."""
        for match in CONDITION.finditer(self.bare):
            word, begin, depth = match[1], match.end(), 0
            part = begin
            for at in range(begin, len(self.bare)):
                character = self.bare[at]
                ends = depth == 0 and (character == "{" if word != "guard" else self.bare.startswith("else", at) and self.bare[at - 1].isspace())
                if ends or (depth == 0 and character == ","):
                    if not NOT_A_CONDITION.match(self.bare[part:at].strip()):
                        self.boolean(part, at, ("negated", "always true", "always false"))
                    part = at + 1
                if ends or depth < 0:
                    break
                depth += (character in "([{") - (character in ")]}")

    def values(self):
        """Results that are true or false, and the conditions of closures."""
        for number, start in enumerate(self.starts):
            end = self.starts[number + 1] - 1 if number + 1 < len(self.starts) else len(self.text)
            line, before = self.bare[start:end], self.bare[:start].rstrip()
            for pattern in (RETURNED, CASE_VALUE, ONLY_VALUE, CLOSURE):
                for match in pattern.finditer(line):
                    if BOOLEAN.search(match["value"].strip()):
                        self.boolean(start + match.start("value"), start + match.end("value"), ("negated",))
            if re.search(r"\bBool \{$", before) and self.bare[end:].lstrip().startswith("}"):
                self.boolean(start, end, ("negated",))
            self.statement(start, end, line, before)
            self.numbers(start, line)

    def statement(self, start, end, line, before):
        """A statement that can be left out."""
        whole = line.strip()
        open_now = self.inside[start + len(line) - len(line.lstrip())] if whole else ""
        after = self.bare[end:].lstrip()
        joined = re.search(r"(->|[-,(=+*/?&|.]|\breturn)$", before) or re.match(r"[.?:&|+]|==|\{", after)
        balanced = all(whole.count(a) == whole.count(b) for a, b in BRACKETS.items())
        if open_now == "{" and balanced and not joined and STATEMENT.match(whole) and re.search(r"[\w)\]}]$", whole):
            begin = start + len(line) - len(line.lstrip())
            text = self.text[begin:end].rstrip()
            self.add(begin, begin + len(text), "left out", f"if !{{on}} {{ {text} }}")

    def numbers(self, start, line):
        """A number that can be one more, where the line is no table."""
        found = list(NUMBER.finditer(line))
        if len(found) > 4 or re.match(r"\s*(case\b|@|#)", line):
            return
        for match in found:
            text = match[1]
            value = int(text.replace("_", ""), 0)
            self.add(start + match.start(), start + match.end(), "one more", f"({{on}} ? {value + 1} : {text})")

    def extremes(self):
        """The larger for the smaller."""
        for match in EXTREME.finditer(self.bare):
            depth = 0
            for at in range(match.end() - 1, len(self.bare)):
                depth += (self.bare[at] in "([{") - (self.bare[at] in ")]}")
                if depth == 0:
                    rest = self.text[match.end() - 1 : at + 1]
                    other = "min" if match[1] == "max" else "max"
                    self.add(match.start(), at + 1, "max/min", f"({{on}} ? {other}{rest} : {match[1]}{rest})")
                    break

    def places(self):
        self.conditions()
        self.values()
        self.extremes()
        return self.found


def all_places():
    """Every place of the trust files, one list for each line."""
    lines = {}
    for file in files():
        for place in Source(file).places():
            lines.setdefault((place.file, place.line), []).append(place)
    return list(lines.values())


# Of ten faults, this many are in a decision, a step that is left out, and a number: unweighted, most would be steps and numbers.
SHARES = {"decision": 6, "left out": 3, "one more": 1}


def ranked(seed):
    """At most one place a line and a kind, in the order of the seed. A line keeps its rank when other lines change."""
    seen, ranks = {}, {kind: [] for kind in SHARES}
    for line in all_places():
        first = line[0]
        copy = seen[first.file, first.code] = seen.get((first.file, first.code), -1) + 1

        def rank(*words):
            return hashlib.sha256("\0".join(map(str, (seed, first.file, first.code, copy, *words))).encode()).digest()

        for kind, found in ranks.items():
            of_kind = [place for place in line if kind == (place.operator if place.operator in SHARES else "decision")]
            if of_kind:
                found.append((rank(kind), min(of_kind, key=lambda place: rank(place.operator, place.text))))
    return {kind: [place for _, place in sorted(found, key=lambda pair: pair[0])] for kind, found in ranks.items()}


def in_shares(queues):
    """The places of the queues, each kind by its share."""
    while any(queues.values()):
        for kind, share in SHARES.items():
            yield from queues[kind][:share]
            queues[kind] = queues[kind][share:]


HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.M)


def changed_lines(commits):
    """File and line of what differs from the tree that many commits ago; None where the history is shorter, so that everything is new."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)

    if git("rev-parse", "--verify", "--quiet", f"HEAD~{commits}").returncode:
        return None
    changed = set()
    for part in git("diff", "--unified=0", "--no-renames", "--no-ext-diff", "--no-color", f"HEAD~{commits}", "--", "Sources").stdout.split("\ndiff --git "):
        name = re.search(r"^\+\+\+ b/(.+)$", part, re.M)
        for match in HUNK.finditer(part) if name else ():
            start, count = int(match[1]), int(match[2] or 1)
            changed |= {(name[1], line) for line in range(start, start + count)}
    return changed


def draw(seed, commits):
    """One place a line: in turn one of the lines that the last commits changed, and one of all lines. With 0 commits, of all lines only.

    Faults sit where code is new and where nobody has looked for long; either draw alone misses the other's.
    """
    everywhere = ranked(seed)
    changed = changed_lines(commits) if commits else set()
    recent = {kind: [place for place in queue if changed is None or (place.file, place.line) in changed] for kind, queue in everywhere.items()}
    turns, used = [in_shares(recent), in_shares(everywhere)], set()
    while turns:
        for turn in list(turns):
            place = next((place for place in turn if (place.file, place.line) not in used), None)
            if place is None:
                turns.remove(turn)
            else:
                used.add((place.file, place.line))
                yield place
