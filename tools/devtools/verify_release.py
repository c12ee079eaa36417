"""Compares `heliograph verify-release` with minisign and sha256sum, on a release that is made and signed here with keys that are thrown away.

Each case changes one thing. What minisign or sha256sum refuses, the program refuses; what it refuses beyond them is listed with its code.
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from .common import skip

VERSION, COMMIT = "7.6.5", "89" * 20
COMMENT = f"heliograph {VERSION} commit {COMMIT}"
TREE = f"heliograph-{VERSION}-linux-amd64"
PACKAGES = [f"heliograph_{VERSION}_amd64.deb", f"heliograph-hot_{VERSION}_amd64.deb", f"{TREE}.tar.gz", f"heliograph-{VERSION}-source.tar.gz",
            f"heliograph-{VERSION}.spdx.json", f"heliograph-{VERSION}-appliance.img"]


def configure(parser):
    parser.add_argument("cold", type=pathlib.Path, help="folder of heliograph")


def minisign(*words):
    return subprocess.run(["minisign", *map(str, words)], capture_output=True, stdin=subprocess.DEVNULL).returncode == 0


class Release:
    """A release in a folder of its own, made new for each case."""

    def __init__(self, work, name, version=VERSION):
        self.work, self.folder, self.version = work, work / name, version
        self.folder.mkdir()
        packages, tree = [package.replace(VERSION, version) for package in PACKAGES], TREE.replace(VERSION, version)
        for package in packages:
            # Some are larger than a buffer of the program, which no length of a buffer divides.
            (self.folder / package).write_bytes((package.encode() * 20_000)[:len(package) * 19_999 + 7])
        sections = [(f"# {packages[0]}", ["/usr/bin/heliograph"]), (f"# {packages[1]}", ["/usr/bin/heliograph-hot"]),
                    (f"# {packages[2]}", [f"{tree}/bin/heliograph"])]
        manifest = "".join(title + "\n" + "".join(f"{'ab' * 32}  {path}\n" for path in paths) for title, paths in sections)
        (self.folder / "MANIFEST").write_text("# released 2026-11-23 number 412\n" + manifest)
        self.key = work / "key.pub"

    def sign(self, key="key", comment=COMMENT, legacy=False):
        """Writes SHA256SUMS and its signature."""
        names = sorted(path.name for path in self.folder.iterdir() if not path.name.startswith("SHA256SUMS"))
        text = "".join(f"{hashlib.sha256((self.folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
        (self.folder / "SHA256SUMS").write_text(text)
        words = ["-S", "-s", self.work / f"{key}.key", "-m", self.folder / "SHA256SUMS", "-x", self.signature, "-t", comment, "-c", "signature"]
        if not minisign(*words, *(["-l"] if legacy else [])):
            raise SystemExit("verify-release: minisign cannot sign")
        return self

    @property
    def signature(self):
        return self.folder / "SHA256SUMS.minisig"

    def believed(self):
        """Whether minisign and sha256sum find nothing wrong."""
        sums = subprocess.run(["sha256sum", "--check", "--strict", "--ignore-missing", "--quiet", "SHA256SUMS"], cwd=self.folder, capture_output=True)
        return minisign("-V", "-p", self.key, "-m", self.folder / "SHA256SUMS", "-x", self.signature) and sums.returncode == 0

    def age(self, program):
        """Whether the program calls it older than itself, in its document and in its warning."""
        words = [program, "verify-release", self.folder, "--key", self.key, "--files-only", "--json"]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
        return json.loads(done.stdout)["older_than_program"], f"release {self.version} number 412 is older than this program" in done.stderr

    def told(self, program):
        """The code of the program's refusal; None where it refuses nothing."""
        words = [program, "verify-release", self.folder, "--key", self.key, "--files-only", "--json"]
        try:
            done = subprocess.run(list(map(str, words)), capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
        except subprocess.TimeoutExpired:
            return "no end within 60 seconds"
        document = json.loads(done.stdout)
        if (done.returncode == 0) == ("error" in document):
            raise SystemExit(f"verify-release: exit {done.returncode} with {document}")
        return document["error"]["code"] if "error" in document else None


def edit(path, change):
    path.write_bytes(change(path.read_bytes()))


def outside_key(release):
    """The key in the directory, reached by a link from outside."""
    shutil.copy(release.key, release.folder / "key.pub")
    release.key = release.work / "link.pub"
    release.key.symlink_to(release.folder / "key.pub")


def linked_key(release):
    """The key in the directory, with a second name outside."""
    inside, outside = release.folder / "zz.pub", release.work / "hard.pub"
    shutil.copy(release.key, inside)
    outside.hardlink_to(inside)
    release.key = outside


def resigned(release):
    """A changed package and its sums, with the signature of those before."""
    signature = release.sign().signature.read_bytes()
    edit(release.folder / PACKAGES[0], lambda content: content + b"x")
    release.sign(key="other").signature.write_bytes(signature)


# Case → what is done after the release is made, and the code of the refusal. The first ones are right.
CASES = {
    "prehashed": (lambda r: r.sign(), None),
    "legacy": (lambda r: r.sign(legacy=True), None),
    "one-package": (lambda r: (r.sign(), [(r.folder / name).unlink() for name in PACKAGES[1:]]), None),
    "other-key": (lambda r: r.sign(key="other"), "other-release-key"),
    "package-changed": (lambda r: (r.sign(), edit(r.folder / PACKAGES[0], lambda b: b[:-1] + bytes([b[-1] ^ 1]))), "release-file-differs"),
    "package-longer": (lambda r: (r.sign(), edit(r.folder / PACKAGES[2], lambda b: b + b"\n")), "release-file-differs"),
    "package-empty": (lambda r: (r.sign(), edit(r.folder / PACKAGES[3], lambda b: b"")), "release-file-differs"),
    "manifest-changed": (lambda r: (r.sign(), edit(r.folder / "MANIFEST", lambda b: b.replace(b"ab", b"ac", 1))), "release-file-differs"),
    "sums-changed": (lambda r: (r.sign(), edit(r.folder / "SHA256SUMS", lambda b: b.replace(b"MANIFEST", b"MANIFEST2"))), "release-signature-wrong"),
    "sums-and-package": (resigned, "release-signature-wrong"),
    "comment-changed": (lambda r: (r.sign(), edit(r.signature, lambda b: b.replace(b"7.6.5 commit", b"7.6.6 commit"))), "release-signature-wrong"),
    "signature-cut": (lambda r: (r.sign(), edit(r.signature, lambda b: b[:-3])), "bad-release-signature"),
    "key-inside": (lambda r: (r.sign(), outside_key(r)), "key-in-release"),
    # 4 TiB that take no room.
    "package-of-terabytes": (lambda r: (r.sign(), os.truncate(r.folder / PACKAGES[1], 1 << 42)), "release-file-differs"),
    # Right for minisign and sha256sum; the program knows what a release is.
    "other-comment": (lambda r: r.sign(comment="timestamp:1"), "bad-release-comment"),
    "other-version": (lambda r: r.sign(comment=COMMENT.replace("7.6.5", "7.6.6")), "bad-release-sums"),
    "one-more-file": (lambda r: ((r.folder / "zz").write_text("x"), r.sign()), "bad-release-sums"),
    "unsigned-file": (lambda r: (r.sign(), (r.folder / "heliograph_9.9.9_amd64.deb").write_text("x")), "release-extra-file"),
    "key-with-two-names": (lambda r: (r.sign(), linked_key(r)), "key-in-release"),
    "no-manifest": (lambda r: (r.sign(), (r.folder / "MANIFEST").unlink()), "no-release-manifest"),
    "odd-date": (lambda r: (edit(r.folder / "MANIFEST", lambda b: b.replace(b"11-23", b"13-23")), r.sign()), "bad-release-manifest"),
    "odd-manifest": (lambda r: (edit(r.folder / "MANIFEST", lambda b: b.replace(b"bin/heliograph-hot", b"bin/../x")), r.sign()), "bad-release-manifest"),
}
STRICTER = {"other-comment", "other-version", "one-more-file", "unsigned-file", "no-manifest", "odd-date", "odd-manifest", "key-inside", "key-with-two-names"}
# What sha256sum would read for hours; the program must end at once.
UNREAD = {"package-of-terabytes"}


def run(options):
    if not shutil.which("minisign"):
        skip("minisign")
        return 0
    program, found = os.path.abspath(options.cold / "heliograph"), []
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for name in ("key", "other"):
            if not minisign("-G", "-W", "-p", work / f"{name}.pub", "-s", work / f"{name}.key"):
                raise SystemExit("verify-release: minisign cannot make a key")
        for name, (change, code) in CASES.items():
            release = Release(work, name)
            change(release)
            told, believed = release.told(program), name not in UNREAD and release.believed()
            if told != code:
                found.append(f"{name}: {told}, expected {code}")
            if believed != (code is None or name in STRICTER):
                found.append(f"{name}: minisign and sha256sum say {'right' if believed else 'wrong'}")
        own = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
        # A program that was built by hand has no number, so that only another version is older: ReleaseTextLaws compares numbers.
        for version, is_older in (("0.0.9", True), (own, False), ("99.0.0", False)):
            release = Release(work, f"age-{version}", version).sign(comment=COMMENT.replace(VERSION, version))
            if release.age(program) != (is_older, is_older):
                found.append(f"{version} beside {own}: {release.age(program)}")
    print("\n".join([*found, f"verify-release: {len(CASES)} releases, {len(found)} problems"]))
    return 1 if found else 0
