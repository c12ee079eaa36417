"""Compares what this repository is built from with tools/lock: commits of Swift packages, versions and hashes of Python's and of Debian's packages.

A tag can be moved and a mirror can be changed: a commit id and a SHA-256 cannot. The files hold the packages of Debian 12 on amd64. What the lock, this machine
and its mirror have of a package may differ, and each difference says which of the three is stale, and what helps: `tools/install --exact` where it is the
machine, `tools/dev lock --write` and a commit where it is the lock, `apt-get update` or another mirror where it is the mirror. A lock or a mirror that is
stale is said and passes, because every security update does it, and so does a machine whose versions nobody offers any more; a release (`tools/dev release`)
refuses.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from . import exact
from .common import ROOT

FOLDER = ROOT / "tools/lock"
# Packages that a build resolves, and where it keeps them. The fuzzer's build has the packages of the root.
RESOLVED = {".": ".build", "tools/hot": "tools/hot/.build"}
FURTHER = [".build-static", ".build-static-hot", ".build-fuzz/build"]


def configure(parser):
    parser.add_argument("--check", action="store_true", help="compare (default)")
    parser.add_argument("--write", action="store_true", help="write tools/lock from what is installed and resolved")


def output(*words):
    """What a program prints; nothing when it fails."""
    return subprocess.run([str(word) for word in words], cwd=ROOT, capture_output=True, text=True).stdout


# MARK: Swift

def resolved(folder):
    """Identity → version and commit of each package that was resolved into a build folder; the commit is the one that is checked out."""
    state = ROOT / folder / "workspace-state.json"
    found = {}
    for entry in json.loads(state.read_text())["object"]["dependencies"] if state.exists() else []:
        checkout = entry["state"].get("checkoutState")
        if checkout is None:
            continue
        head = output("git", "-C", ROOT / folder / "checkouts" / entry["subpath"], "rev-parse", "HEAD").strip()
        changed = output("git", "-C", ROOT / folder / "checkouts" / entry["subpath"], "status", "--porcelain").strip()
        found[entry["packageRef"]["identity"]] = f"{checkout['version']} {head}{' changed' if changed else ''}"
    return found


def swift():
    """The packages of all builds; Package.resolved is not committed, so each build's own state is read."""
    found, problems = {}, []
    for package, folder in RESOLVED.items():
        if not (ROOT / folder / "workspace-state.json").exists():
            subprocess.run(["swift", "package", "--package-path", package, "resolve"], cwd=ROOT, check=True, stdout=sys.stderr)
    for folder in [*RESOLVED.values(), *FURTHER]:
        for name, pin in resolved(folder).items():
            if found.setdefault(name, pin) != pin:
                problems.append(f"{name} is {pin} in {folder}, and {found[name]} elsewhere")
    return found, problems


# MARK: Python

def normal(name):
    """A name as PyPI compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def installed_python():
    """Name → version of what is in .venv."""
    lines = output(sys.executable, "-m", "pip", "list", "--format", "freeze", "--disable-pip-version-check").splitlines()
    return {normal(name): version for name, _, version in (line.partition("==") for line in lines)}


def python_to_install():
    """Name → version and hash of the file that pip takes for tools/requirements.txt and everything that it needs."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run", "--ignore-installed",
                        "--report", report, "-r", "tools/requirements.txt"], cwd=ROOT, check=True)
        items = json.loads(report.read_text())["install"]
    return {normal(i["metadata"]["name"]): f"{i['metadata']['version']} {i['download_info']['archive_info']['hashes']['sha256']}" for i in items}


# MARK: Debian

def listed(*lists):
    """The packages of these lists of tools/install."""
    text = (ROOT / "tools/install").read_text()
    return " ".join(re.findall(rf"^(?:{'|'.join(lists)})=\((.*?)\)", text, re.M | re.S)).split()


RELEASE = ("signer", "demo", "release")
EVERYTHING = (*RELEASE, "tests")


def wanted_debian(lists=EVERYTHING):
    """The packages of these lists of tools/install, and the libraries whose development files are among them."""
    direct = listed(*lists)
    development = [name for name in direct if name.endswith("-dev")]
    # Of alternatives, which a bar begins, tools/install names the one that it takes.
    depends = re.sub(r"^ \|Depends: .*\n(?:    .*\n)*  Depends: .*\n", "", output("apt-cache", "depends", *development), flags=re.M)
    return sorted({*direct, *re.findall(r"^ *Depends: (lib\S+)$", depends, re.M)})


class Debian:
    """What is installed and what apt offers of some packages, asked once for all: each call of apt reads its whole lists."""

    def __init__(self, names):
        shown = output("dpkg-query", "-W", "-f", "${Package} ${Version}\n", *names)
        self.installed = dict(line.split() for line in shown.splitlines() if " " in line.strip())
        self.hashes = {}
        for record in output("apt-cache", "show", "--all-versions", *names).split("\n\n"):
            fields = dict(re.findall(r"^(Package|Version|SHA256): (\S+)$", record, re.M))
            if len(fields) == 3:
                self.hashes.setdefault((fields["Package"], fields["Version"]), fields["SHA256"])

    def to_lock(self, name):
        """The installed version, or what the mirror has in its place: the first that apt shows is the newest."""
        offered = [version for package, version in self.hashes if package == name]
        here = self.installed.get(name)
        if not offered:
            raise SystemExit(f"lock: {name} is not in the lists of apt: apt-get update")
        return here if here in offered else offered[0]


# MARK: Files

def read(kind):
    """Name → the rest of its line."""
    file = FOLDER / f"{kind}.txt"
    if kind != "python":
        return dict(line.split(" ", 1) for line in file.read_text().splitlines() if line and not line.startswith("#"))
    return {name: f"{version} {digest}" for name, version, digest in re.findall(r"^(\S+)==(\S+) --hash=sha256:(\w+)$", file.read_text(), re.M)}


def write():
    FOLDER.mkdir(exist_ok=True)
    packages, problems = swift()
    if problems:
        raise SystemExit("\n".join(problems))
    (FOLDER / "swift.txt").write_text("".join(f"{name} {pin}\n" for name, pin in sorted(packages.items())))
    python = [f"{name}=={pin.split()[0]} --hash=sha256:{pin.split()[1]}\n" for name, pin in sorted(python_to_install().items())]
    (FOLDER / "python.txt").write_text("# tools/dev lock --write makes this from tools/requirements.txt.\n" + "".join(python))
    names = wanted_debian()
    found = Debian(names)
    versions = {name: found.to_lock(name) for name in names}
    (FOLDER / "debian.txt").write_text("".join(f"{name} {version} {found.hashes[name, version]}\n" for name, version in versions.items()))


# MARK: Checking

def differences(kind, locked, found):
    """Sentences about what differs between the lock and what is there."""
    for name in sorted(locked.keys() | found.keys()):
        if name not in locked:
            yield f"{kind}: {name} {found[name]} is not in tools/lock"
        elif name not in found:
            yield f"{kind}: {name} {locked[name]} is in tools/lock and not here"
        elif locked[name] != found[name]:
            yield f"{kind}: {name} is {found[name]}, tools/lock has {locked[name]}"


class Told:
    """What a machine and a mirror have, as a test says it."""

    def __init__(self, here, *offered):
        self.installed, self.hashes = {"tool": here} if here else {}, {("tool", version): f"hash of {version}" for version in offered}


# What is installed, what the mirror has, newest first → which side is stale, where the lock has 1.2.
SIDES = {("1.2", "1.2"): None, ("1.2", "1.3", "1.2"): None, ("1.1", "1.2"): "machine", ("1.3", "1.3", "1.2"): "machine", (None, "1.2"): "machine",
         ("1.2", "1.3"): "lock", ("1.3", "1.3"): "lock", ("1.2",): "lock", ("1.2", "1.1"): "mirror", ("1.1", "1.1"): "mirror"}


def misjudged():
    """Cases where the side that is called stale is another, and a changed file that nobody notices."""
    for case, side in SIDES.items():
        if (found := stale_side("tool", "1.2", "hash of 1.2", Told(*case))[0]) != side:
            yield f"lock: of {case} {found} is called stale, and not {side}"
    if stale_side("tool", "1.2", "another hash", Told("1.2", "1.2"))[0] != "hash":
        yield "lock: a file that changed under its version is not noticed"


def offers():
    """Sentences about what is wrong with the mirror's packages, and about what is stale of lock and mirror; what this machine has installed does not matter."""
    locked = read("debian")
    names = wanted_debian()
    wrong = [f"debian: {name} is {'in tools/lock and not needed' if name in locked else 'not in tools/lock'}" for name in sorted(locked.keys() ^ set(names))]
    found, stale = Debian(sorted(locked)), []
    for name in set(listed(*RELEASE)) & locked.keys():
        side, sentence = stale_side(name, *locked[name].split(), found)
        if side == "hash":
            wrong.append(f"debian: {sentence}")
        elif side in ("lock", "mirror"):
            stale.append(f"{side} is stale: {sentence}; {HELP[side]}")
    return wrong, sorted(stale)


def debian(locked, lists):
    """Sentences about what is wrong, and about what is stale of lock, machine and mirror, for the packages of these lists."""
    wrong, stale = [], []
    names = wanted_debian()
    for name in sorted(locked.keys() ^ set(names)):
        wrong.append(f"debian: {name} is {'in tools/lock and not needed' if name in locked else 'not in tools/lock'}")
    found = Debian(sorted({*names, *locked}))
    needed = set(wanted_debian(lists))
    for name, pin in locked.items():
        if name not in needed:
            continue
        version, digest = pin.split()
        side, sentence = stale_side(name, version, digest, found)
        if side == "hash":
            wrong.append(f"debian: {sentence}")
        elif side:
            here = found.installed.get(name)
            passes = side != "machine" or here and (name, here) not in found.hashes
            (stale if passes else wrong).append(f"{side} is stale: {sentence}; {HELP[side]}")
    return wrong, stale


# What brings the lock, the machine and the mirror together again.
HELP = {"machine": "tools/install --exact", "lock": "tools/dev lock --write, and commit", "mirror": "apt-get update, or another mirror in /etc/apt"}


def is_newer(version, other):
    """Whether a version of a Debian package is newer than another."""
    return subprocess.run(["dpkg", "--compare-versions", version, "gt", other]).returncode == 0


def stale_side(name, version, digest, found):
    """Which of the three is stale, and a sentence that says why; "hash" where a file changed under its version, None where all agree."""
    offered, here = found.hashes.get((name, version)), found.installed.get(name)
    if offered is None:
        versions = [other for package, other in found.hashes if package == name]
        newest = versions[0] if versions else "none"
        # The mirror of a release only ever goes forward, so a mirror without anything as new has not caught up.
        side = "mirror" if versions and is_newer(version, newest) else "lock"
        return side, f"tools/lock has {name} {version}, the mirror has {newest}, and {here or 'none'} is installed"
    if offered != digest:
        return "hash", f"{name} {version} has the hash {offered}, tools/lock has {digest}"
    if here != version:
        return "machine", f"{name} {here or '(none)'} is installed; tools/lock and the mirror have {version}"
    return None, ""


def compare(lists=EVERYTHING):
    """What is wrong, what is stale, and how much was compared: of Debian's packages those of these lists of tools/install."""
    packages, wrong = swift()
    wrong += differences("swift", read("swift"), packages)
    python, here = read("python"), installed_python()
    wrong += differences("python", {name: pin.split()[0] for name, pin in python.items()}, {n: v for n, v in here.items() if n in python})
    debian_wrong, stale = debian(read("debian"), lists)
    return [*misjudged(), *exact.problems(), *wrong, *debian_wrong], stale, len(packages) + len(python) + len(read("debian"))


def run(options):
    if options.write:
        write()
    wrong, stale, count = compare()
    print(*stale, *wrong, f"lock: {count} packages compared, {len(wrong)} differ, {len(stale)} stale", sep="\n")
    return 1 if wrong else 0
