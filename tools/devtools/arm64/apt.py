"""Debian's packages for arm64, downloaded through an apt that knows no machine: nothing is installed, and no program of them runs here."""
import pathlib
import re
import shutil
import subprocess

from ..release.names import Refused
from . import sysroot

ARCHITECTURE = "arm64"


class Apt:
    """The packages of one release of Debian, as an empty machine would get them."""

    def __init__(self, release, non_free=False):
        """`non_free` adds the part of Debian that holds firmware which nobody can build."""
        self.folder = sysroot.cache() / f"apt-{release}"
        (self.folder / "archives/partial").mkdir(parents=True, exist_ok=True)
        (self.folder / "lists/partial").mkdir(parents=True, exist_ok=True)
        (self.folder / "status").write_text("")
        file = sysroot.sources(release, self.folder / "list.sources")
        if non_free:
            text = re.sub(r"\bmain\b", "main non-free-firmware", file.read_text())
            file.write_text(text)
        settings = {"Dir::State": self.folder, "Dir::State::lists": self.folder / "lists", "Dir::State::status": self.folder / "status",
                    "Dir::Cache": self.folder, "Dir::Cache::archives": self.folder / "archives", "Dir::Etc::SourceList": file,
                    "Dir::Etc::SourceParts": "/dev/null", "APT::Architecture": ARCHITECTURE, "APT::Architectures": ARCHITECTURE,
                    "APT::Install-Recommends": "false", "Acquire::Languages": "none", "APT::Sandbox::User": "root", "Debug::NoLocking": "true"}
        self.words = ["apt-get", "-qq", "--yes", *(word for name, value in settings.items() for word in ("-o", f"{name}={value}"))]
        self.call("update")

    def call(self, *words, cwd=None):
        done = subprocess.run([*self.words, *map(str, words)], capture_output=True, text=True, cwd=cwd)
        if done.returncode != 0:
            raise Refused(f"apt-get {' '.join(map(str, words))} for arm64 ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def download(self, *names):
        """The files of these packages alone, each the newest or NAME=VERSION, without what they need."""
        place = self.folder / "single"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        self.call("download", *names, cwd=place)
        return [next(place.glob(f"{name.partition('=')[0]}_*.deb")) for name in names]

    def asked(self, *words):
        """What apt-cache says."""
        return subprocess.run(["apt-cache", *self.words[3:], *words], capture_output=True, text=True).stdout

    def versions(self, name):
        """Version → hash of each that the mirror has, the newest first."""
        records = [dict(re.findall(r"^(Version|SHA256): (\S+)$", record, re.M)) for record in self.asked("show", "--all-versions", name).split("\n\n")]
        return {record["Version"]: record["SHA256"] for record in records if len(record) == 2}

    def newest(self, name):
        """The newest version, and its hash."""
        if not (found := self.versions(name)):
            raise Refused(f"the mirror has no {name} for arm64")
        return next(iter(found.items()))

    def kernel(self, name):
        """The package that the newest kernel of this kind is in."""
        return next(line.split()[1] for line in self.asked("depends", name).splitlines() if line.strip().startswith("Depends: linux-image-"))

    def needed(self, *packages):
        """The files of these packages, some of which may be files, and of all that they need: what an empty machine would install."""
        shutil.rmtree(self.folder / "archives", ignore_errors=True)
        (self.folder / "archives/partial").mkdir(parents=True)
        self.call("install", "--download-only", *packages)
        files = sorted((self.folder / "archives").glob("*.deb"))
        return [*files, *(file for file in map(pathlib.Path, map(str, packages)) if file.suffix == ".deb")]
