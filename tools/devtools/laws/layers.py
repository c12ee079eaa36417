"""Laws of the package: which target may reach which."""
import re

from ..common import ROOT
from ..mutants import places
from .report import IMPORT, LAYERS, imports, package

NETWORK_WORDS = re.compile(r"swift-nio|async-http-client|hummingbird|grpc|GRDB|NIO[A-Z]")
DECODERS = ["UOS", "Metadata", "Extrinsics", "StateProof"]
PARSERS = {"ImageDecoding", "CZBar", "CZXing", "CTurboJPEG", "Compression", "CZstd"}
# Programs have no test target of their own: what covers them.
COVERED = {"heliograph": "Tests/Sessions", "heliograph-scanner": "Tests/ScannerTests", "heliograph-hardware": "Tests/HardwareClientTests"}


def upward(target, targets):
    """Dependencies that are neither in a lower layer nor before the target in the same layer."""
    for name in target.dependencies:
        if other := targets.get(name):
            below = other.rank is not None and (other.rank < target.rank or (other.rank == target.rank and other.place < target.place))
            if not below and not (target.is_above and other.is_above):
                yield f"{target.name} → {name}"


def layering(tally):
    """Folders are the layers; a target reaches only what is below it."""
    targets = package().targets
    tally.law("every target stands in Sources/LAYER/TARGET, Tests, fixtures or tools", [t.name for t in targets.values() if t.rank is None])
    ranked = [t for t in targets.values() if t.rank is not None]
    tally.law("a target depends only on layers below it, and in its own layer on targets before it", [u for t in ranked for u in upward(t, targets)])
    folders = {p.name for p in (ROOT / "Sources").iterdir() if p.is_dir()}
    tally.law("the folders of Sources are the layers", sorted(folders ^ set(LAYERS)))


def undeclared(tally):
    """A target imports only what its line in Package.swift names."""
    targets = package().targets
    modules = {name.replace("-", "_"): name for name in targets}
    found = set()
    for target in targets.values():
        for _, module in imports(target.path):
            if module in modules and modules[module] not in [*target.dependencies, target.name]:
                found.add(f"{target.name} → {module}")
    tally.law("a target imports only what Package.swift names for it", sorted(found))


def reach(tally):
    """Which target may never reach which, directly or not."""
    closure, layer = package().closure, package().layer
    tally.law("decoders reach no target of Secrets", [d for d in DECODERS if closure(d) & layer("Secrets")])
    tally.law("Keys reaches no payload type", sorted(closure("Keys") & layer("Wire", "Chain")))
    keyed = layer("Secrets", "Review", "Signer") | {"TrustStore"}
    tally.law("the scanner reaches no key", sorted(closure("heliograph-scanner") & keyed))
    tally.law("the program that talks to hardware reaches no key", sorted(closure("heliograph-hardware") & keyed))
    tally.law("the cold program reaches no library of hardware", sorted(closure("heliograph") & {"CTPM", "CFIDO", "CToken"}))
    tally.law("the cold program reaches no parser of pictures or compressed data", sorted(closure("heliograph") & PARSERS))
    tally.law("the root manifest names no network package", NETWORK_WORDS.findall((ROOT / "Package.swift").read_text()))


def own_tests(tally):
    targets, missing = package().targets, []
    for target in targets.values():
        if target.layer in (None, "C") or target.kind not in {"regular", "executable"}:
            continue
        if target.name in COVERED:
            missing += [] if (ROOT / COVERED[target.name]).is_dir() else [target.name]
            continue
        tests = targets.get(f"{target.name}Tests")
        files = (ROOT / tests.path).rglob("*.swift") if tests and target.name in tests.dependencies else []
        if not any(target.name in IMPORT.findall(file.read_text()) for file in files):
            missing.append(target.name)
    tally.law("every target has tests of its own that import it", missing)


def sections(text):
    """Target → the layer whose comment is above it in Package.swift."""
    layer, found = None, {}
    for match in re.finditer(r'^\s*// (\w+)\b|^\s*\.(?:target|systemLibrary|executableTarget)\(\s*name: "([^"]+)"', text, re.M):
        if match[1]:
            layer = match[1]
        else:
            found[match[2]] = layer
    return found


def rows(text):
    """Layer → the names that its line of the map has, in the order of the map."""
    section = text.partition("## Layers\n")[2].partition("\n## ")[0]
    found = re.findall(r"^\| (\w+) \| (.*) \|$", section, re.M)
    return {layer: set(re.findall(r"`([\w-]+)`", cells)) for layer, cells in found if layer != "layer"}


def unmapped(text, placed):
    """What the map of a text gets wrong: TARGET where its layer's line lacks it, LAYER: NAME where no such target is there."""
    named = rows(text)
    yield from (name for name, layer in placed.items() if layer != "C" and name not in named.get(layer, ()))
    yield from (f"{layer}: {name}" for layer, names in named.items() for name in sorted(names) if placed.get(name) != layer)


def unnoticed():
    """Broken maps that the law does not notice, by what is broken in them."""
    placed = {"Low": "Foundations", "High": "Signer", "CLow": "C"}
    examples = {"a target that is missing": ("", "`High`", ["Low"]),
                "a target in another layer": ("", "`High`, `Low`", ["Low", "Signer: Low"]),
                "a target that is gone": ("`Low`", "`High`, `Gone`", ["Signer: Gone"]),
                "nothing": ("`Low` (why)", "`High`", [])}
    return [name for name, (low, high, expected) in examples.items()
            if list(unmapped(f"## Layers\n| Signer | {high} |\n| Foundations | {low} |\n\n## Next\n| Signer | `Low` |", placed)) != expected]


def maps(tally):
    """The map of ARCHITECTURE and the comments of Package.swift agree with the folders."""
    placed = {name: t.layer for name, t in package().targets.items() if t.layer}
    stated = sections((ROOT / "Package.swift").read_text())
    tally.law("Package.swift lists each target below its layer's comment", [n for n, layer in placed.items() if stated.get(n) != layer])
    text = (ROOT / ".github/ARCHITECTURE.md").read_text()
    tally.law("the law of the map notices what is wrong in one", unnoticed())
    tally.law("the map of ARCHITECTURE has each target in its layer's line, and no other", unmapped(text, placed))
    order = list(rows(text))
    tally.law("the map has the layers in their order, the highest first", [] if order == LAYERS[::-1] else [" ".join(order) or "no layer"])


def check(tally):
    tally.law("tools/mutants/places says of every layer whether faults are put into it", places.unjudged())
    for laws in (layering, undeclared, reach, own_tests, maps):
        laws(tally)
