"""The law that text which decides trust is compared by its bytes.

Swift compares `String` by canonical equivalence (the Kelvin sign equals `K`) and searches it by graphemes (`0x` followed by a combining mark does
not start with `0x`). The compiler's own syntax tree, with its types, shows each place where a room does either: a search in the words of the
source would miss `==` between two variables, a set of texts, a `switch`, or an `==` that the compiler wrote itself.

Exact by itself, and so no offence: `==`, `!=`, a `case` and a search in a list of literals, all ASCII without `K`, `;` and the grave accent. No
other text is canonically equivalent to it: only U+212A, U+037E and U+1FEF decompose to ASCII (UnicodeData.txt; Tests/SubstratePrimitivesTests has the proof).
"""
import json
import pathlib
import re
import subprocess
import tempfile

from ..common import ROOT
from .report import package

# Targets that read, show or store untrusted text, and decide by it.
LAYERS = ["Chain", "Secrets", "Review", "Signer", "Interface"]
ROOMS = ["SubstratePrimitives", "UOS", "TrustStore", "heliograph"]
# What the kernel says of its interfaces, in ASCII.
LEFT_OUT = {"AirGap"}
# Of the program's own files these handle what the user types, a path, or words of the program; every other file is under the law.
OWN_WORDS = re.compile(
    r"Sources/Interface/(Shell/Shell(Loop)?\.swift|TerminalIO/(ShellWords|Files)\.swift|.*/Wording\b|CommandKit/Options/InputOptions\.swift)"
    r"|Sources/Programs/heliograph/Commands/(SelfTest/|Vaults/|Log/)")
TEXT = re.compile(r"Swift\.(String|Substring|Character)(?![.\w])")
# What compares or searches elements; closures decide for themselves and are seen where they compare.
COMPARING = {"==", "!=", "~=", "contains", "firstIndex", "lastIndex", "starts", "elementsEqual", "split", "firstRange", "ranges", "replacing",
             "trimmingPrefix", "difference", "hasPrefix", "hasSuffix"}
BY_CLOSURE = re.compile(r"5where|(?:elementsEqual_|4with|4from)2by")
HASHING = {"insert", "remove", "update", "subtracting", "intersection", "union", "isSubset", "isSuperset", "isDisjoint", "symmetricDifference",
           "removeValue", "updateValue", "index"}
CANONICAL_ASCII = re.compile(r"^[^K;`\x80-\U0010ffff]*$")


def allowed():
    """`FILE: SOURCE LINE = REASON` of tools/text-law-allowed, by file and by a part of the line."""
    entries = []
    for line in (ROOT / "tools/text-law-allowed").read_text().splitlines():
        if line and not line.startswith("#"):
            file, rest = line.split(": ", 1)
            part, reason = rest.rsplit(" = ", 1)
            entries.append((file, part.strip(), reason))
    return entries


class Tree:
    """One file's syntax tree, walked without recursion: batches of literals nest deeply."""

    def __init__(self, root, demangled):
        self.demangled, self.found = demangled, []
        stack = [(root, 0, None)]
        while stack:
            node, place, literal = stack.pop()
            if isinstance(node, list):
                stack += [(child, place, literal) for child in node]
                continue
            if not isinstance(node, dict):
                continue
            if isinstance(node.get("range"), dict):
                place = node["range"]["start"]
            kind = node.get("_kind", "")
            if kind in {"binary_expr", "call_expr"}:
                literal = self.literals(node)
            self.visit(kind, node, place, literal)
            stack += [(child, place, literal) for child in node.values() if isinstance(child, (dict, list))]

    @classmethod
    def literals(cls, call):
        """The literals that a call compares with: on either side, or all elements of the array that is searched; [] when there are none."""
        function = call.get("fn") or {}
        for node in [call, function]:
            for argument in (node.get("args") or {}).get("args", []):
                expression = argument.get("expr") or {}
                while expression.get("_kind") in {"inject_into_optional", "paren_expr"}:
                    expression = expression.get("sub_expr") or {}
                if expression.get("_kind") == "string_literal_expr":
                    return [expression.get("value", "")]
                if expression.get("_kind") == "nil_literal_expr":
                    return ["nil"]
                if expression.get("_kind") == "array_expr" and node is function:
                    elements = expression.get("elements", [])
                    if elements and all(e.get("_kind") == "string_literal_expr" for e in elements):
                        return [e.get("value", "") for e in elements]
        return []

    def text(self, *types):
        return any(TEXT.search(self.demangled.get(t, "")) for t in types if t)

    def character(self, *types):
        return any(re.search(r"Swift\.Character(?![.\w])", self.demangled.get(t, "")) for t in types if t)

    def visit(self, kind, node, place, literal):
        if kind == "decl_ref":
            self.reference(node, place, literal)
        elif kind in {"struct_decl", "enum_decl"}:
            self.derived(node, place)

    def reference(self, node, place, literal):
        name, usr = node.get("base_name", ""), node.get("decl_usr", "")
        maps = (node.get("substitutions") or {}).get("substitutions", [])
        types = [s.get("replacement_type") for s in maps] + [node.get("type_usr")] * (not maps)
        if not usr.startswith("s:S") and not usr.startswith("s:s"):
            return
        hashed = usr.startswith(("s:Sh", "s:SD"))
        if name in COMPARING or (name in HASHING and hashed):
            if BY_CLOSURE.search(usr):
                return
            # Of a dictionary only the keys are compared.
            if not self.text(*(types[:1] if name in HASHING and usr.startswith("s:SD") else types)):
                return
            exact = name in {"==", "!=", "~=", "contains"} and literal and all(CANONICAL_ASCII.match(part) for part in literal)
            if name == "contains":
                exact = exact and all(self.demangled.get(t, "") == "[Swift.String]" for t in types)
            exact = exact and not self.character(*types)
            if not exact:
                self.found.append((place, name))
        elif name == "subscript" and usr.startswith("s:SD") and types and self.text(types[0]):
            self.found.append((place, "[key]"))

    def derived(self, node, place):
        """An `==` that the compiler writes compares every stored text by canonical equivalence; only tests compare errors."""
        if '"protocol": "s:s5ErrorP"' in json.dumps(node.get("inherits", {})):
            return
        members = node.get("members", [])
        if not any(m.get("implicit") and "derived" in json.dumps(m.get("name", {})) and "equals" in json.dumps(m.get("name", {})) for m in members):
            return
        stored = [m.get("interface_type") for m in members if m.get("_kind") == "var_decl" and m.get("readImpl") == "stored" and not m.get("static")]
        for member in members:
            if member.get("_kind") == "enum_element_decl":
                stored.append(member.get("interface_type"))
        if self.text(*stored):
            self.found.append((place, "derived =="))


def documents(text):
    """JSON documents that follow each other without a separator."""
    decoder, place = json.JSONDecoder(), 0
    while place < len(text) and text[place] == "{":
        document, place = decoder.raw_decode(text, place)
        yield document


def package_name(modules):
    """The name that the build gave to this package: that of the folder it was checked out to. Declarations for the package alone need it."""
    # Modules are in SCRATCH/TRIPLE/CONFIGURATION, the plan of the build is in SCRATCH.
    for plan in sorted(modules.parent.parent.parent.glob(f"{modules.parent.name}.yaml")):
        if match := re.search(r'"-module-name","Extrinsics".*?"-package-name","([^"]+)"', plan.read_text()):
            return match[1]
    return ROOT.name.lower()


def search_paths(modules):
    """The compiler's options that find the package's modules and its C libraries."""
    headers = {str(f.parent) for f in (ROOT / "Sources").rglob("module.modulemap")} | {str(f) for f in (ROOT / "Sources").rglob("include")}
    words = ["-I", str(modules)] + [w for h in sorted(headers) for w in ("-I", h)]
    for made in sorted(modules.parent.glob("*.build/module.modulemap")):
        words += ["-Xcc", f"-fmodule-map-file={made}"]
    return words


def dump(room, modules, files=None):
    """The syntax trees of a module's files, and the compiler's lines that hold them."""
    files = files or sorted((ROOT / package().targets[room].path).rglob("*.swift"))
    words = ["swiftc", "-dump-ast", "-dump-ast-format", "json", "-swift-version", "6", "-parse-as-library", "-module-name", room.replace("-", "_"),
             "-package-name", package_name(modules), *search_paths(modules)]
    done = subprocess.run(words + [str(f) for f in files], cwd=ROOT, capture_output=True, text=True)
    lines = [line for stream in (done.stdout, done.stderr) for line in stream.split("\n")]
    trees = [tree for line in lines if line.startswith('{"_kind":"source_file"') for tree in documents(line)]
    errors = [line for line in lines if re.search(r"\berror:", line) and not line.startswith("{")]
    if errors or len(trees) != len(files):
        raise SystemExit(f"text law: {room} cannot be read, build it first: {errors[:3]}")
    return lines, trees


def readable(lines):
    """What the mangled types mean."""
    mangled = sorted(set(re.findall(r'"(\$s[^"]*)"', "\n".join(lines))))
    done = subprocess.run(["swift", "demangle", "--compact"], input="\n".join(mangled), capture_output=True, text=True, check=True)
    return dict(zip(mangled, done.stdout.split("\n")))


# Each line of this Swift with `// found` is inexact, no other one is.
SPECIMENS = ROOT / "tools/text-law-specimens"


def missed(modules):
    """Lines of the specimens that are found but should not be, or the reverse."""
    source = SPECIMENS.read_text()
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "Specimens.swift"
        file.write_text(source)
        lines, trees = dump("Specimens", modules, [file])
    words = readable(lines)
    found = {source.encode()[:place].count(b"\n") for tree in trees for place, _ in Tree(tree, words).found}
    return [line.strip() for number, line in enumerate(source.split("\n")) if (number in found) != ("// found" in line)]


def check(tally, modules, targets):
    """The law, of all targets under it or of those that are named, and that it works."""
    tally.law("the law of exact text finds every form of an inexact comparison", missed(modules))
    found, unused = offenders(modules, targets)
    tally.law("text that decides trust is compared by its bytes", found)
    tally.law("every place where text may be compared otherwise is still there", unused)


def rooms():
    """The targets under the law."""
    return (package().layer(*LAYERS) | set(ROOMS)) - LEFT_OUT


def offenders(modules, targets=None):
    """Each place that compares text by graphemes or canonical equivalence and is not allowed, and each allowance that nothing uses. Of all targets under the
    law, or of those of them that are named."""
    entries, found = allowed(), []
    chosen = rooms() if targets is None else rooms() & set(targets)
    folders = tuple(f"{package().targets[room].path}/" for room in chosen)
    unused = {number for number, (file, _, _) in enumerate(entries) if targets is None or file.startswith(folders)}
    for room in sorted(chosen):
        lines, trees = dump(room, modules)
        demangled = readable(lines)
        for tree in trees:
            path = pathlib.Path(tree["filename"])
            name = str(path.relative_to(ROOT) if path.is_absolute() else path)
            if OWN_WORDS.match(name):
                continue
            source = (ROOT / name).read_bytes()
            for place, what in sorted(set(Tree(tree, demangled).found)):
                number = source[:place].count(b"\n") + 1
                line = source.split(b"\n")[number - 1].decode().strip()
                match = [i for i, (file, part, _) in enumerate(entries) if file == name and part in line]
                unused -= set(match)
                if not match:
                    found.append(f"{name}:{number} {what}: {line}")
    return sorted(set(found)), [f"{entries[i][0]}: {entries[i][1]}" for i in sorted(unused)]

