"""What a release is called, and when it was made: everything follows from the version in Release.swift and the commit."""
import os
import re
import subprocess

from ..common import ROOT

VERSION_FILE = ROOT / "Sources/Foundations/Diagnostics/Release.swift"
CHANGELOG = ROOT / ".github/CHANGELOG.md"
# A semantic version without labels: the files' names, the signature's trusted comment and Debian's order of versions take it as it is.
SEMANTIC = re.compile(r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)")
ARCHITECTURE, OTHER = "amd64", "arm64"


class Refused(Exception):
    """Why no release is made."""


def output(*words, **options):
    """What a program prints; Refused with its errors when it fails."""
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, **{"cwd": ROOT, **options})
    if done.returncode != 0:
        raise Refused(f"{' '.join(map(str, words))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def version():
    (found,) = re.findall(r'static let version = "([^"]*)"', VERSION_FILE.read_text())
    if not SEMANTIC.fullmatch(found):
        raise Refused(f"{found} in {VERSION_FILE.relative_to(ROOT)} is not MAJOR.MINOR.PATCH")
    return found


def changelog_problems(text=None):
    """What is wrong with the changelog, as sentences: its first entry describes this version."""
    entries = re.findall(r"^## (\S+)", CHANGELOG.read_text() if text is None else text, re.M)
    if not entries:
        return [f"{CHANGELOG.relative_to(ROOT)} has no entry"]
    return [] if entries[0] == version() else [f"{CHANGELOG.relative_to(ROOT)} begins with {entries[0]}, the version is {version()}"]


def commit():
    """The commit that is checked out, 40 hex digits."""
    return output("git", "rev-parse", "HEAD").strip()


def changes():
    """Files that differ from the commit, and new ones."""
    return output("git", "status", "--porcelain").splitlines()


def epoch():
    """The commit's time: the time of every file that is shipped."""
    return int(output("git", "log", "-1", "--format=%ct"))


def number():
    """How many commits lead to the one that is checked out. A clone without its history would count too few."""
    if output("git", "rev-parse", "--is-shallow-repository").strip() != "false":
        raise Refused("the number of the release cannot be counted in a shallow clone")
    return int(output("git", "rev-list", "--count", "HEAD"))


def environment():
    """The environment of every program that writes a shipped byte: one language, one time zone, the commit's time."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "DEB_", "GZIP", "XZ_", "TAR_OPTIONS"))}
    return kept | {"LC_ALL": "C.UTF-8", "TZ": "UTC", "SOURCE_DATE_EPOCH": str(epoch())}


class Names:
    """The names of the files. A release may also be for arm64: a package and an archive of the offline programs, beside those for amd64."""

    def __init__(self, is_for_both=False):
        self.version = version()
        self.cold = f"heliograph_{self.version}_{ARCHITECTURE}.deb"
        self.hot = f"heliograph-hot_{self.version}_{ARCHITECTURE}.deb"
        self.folder = f"heliograph-{self.version}-linux-{ARCHITECTURE}"
        self.portable = f"{self.folder}.tar.gz"
        self.other_cold = f"heliograph_{self.version}_{OTHER}.deb"
        self.other_folder = f"heliograph-{self.version}-linux-{OTHER}"
        self.other_portable = f"{self.other_folder}.tar.gz"
        self.others = [self.other_cold, self.other_portable] if is_for_both else []
        self.source = f"heliograph-{self.version}-source.tar.gz"
        self.image = f"heliograph-{self.version}-appliance.img"
        self.sbom = f"heliograph-{self.version}.spdx.json"
        self.manifest, self.sums, self.signature = "MANIFEST", "SHA256SUMS", "SHA256SUMS.minisig"

    @property
    def summed(self):
        """What SHA256SUMS lists, in its order."""
        return sorted([self.cold, self.hot, self.image, self.portable, self.source, self.sbom, self.manifest, *self.others])

    @property
    def packages(self):
        """The Debian packages."""
        return [self.cold, self.hot, *self.others[:1]]
