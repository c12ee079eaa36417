"""MANIFEST, SHA256SUMS and the signature: what `heliograph verify-release` reads, and what minisign and sha256sum check without it.

SHA256SUMS has a line for each file of the release but itself and its signature. MANIFEST states a date and a number, which grow from release to
release, and has a section for each package and one for the relocatable archive, and two more where the release is for arm64, each after a comment that
sha256sum passes over. Only SHA256SUMS is signed: it names MANIFEST and everything else.
"""
import datetime
import pathlib
import subprocess
import sys

from .names import Refused, epoch, number
from .tree import checksum


def manifest(names, cold, hot, portable, others=()):
    """When the commit was made and how many lead to it, then the SHA-256 of every path that the packages and the archive install."""
    released = f"# released {datetime.datetime.fromtimestamp(epoch(), datetime.UTC):%Y-%m-%d} number {number()}\n"
    sections = [(names.cold, cold.sums("/")), (names.hot, hot.sums("/")), (names.portable, portable.sums(f"{names.folder}/"))]
    sections += [(name, tree.sums(prefix)) for name, tree, prefix in zip(names.others, others, ("/", f"{names.other_folder}/"))]
    return released + "".join(f"# {name}\n{lines}" for name, lines in sections)


def sums(names, folder):
    (folder / names.sums).write_text("".join(checksum(folder / name, name) for name in names.summed))


def new_key(folder, name):
    """The secret and the public half of a key without a password, for a test."""
    secret, public = folder / f"{name}.key", folder / f"{name}.pub"
    subprocess.run(["minisign", "-G", "-W", "-s", secret, "-p", public], check=True, capture_output=True)
    return secret, public


def trusted_comment(names, commit):
    """What the signature also signs: version and commit."""
    return f"heliograph {names.version} commit {commit}"


def sign(names, folder, commit, key):
    """Lets minisign sign SHA256SUMS. minisign alone opens the secret key and asks for its password at the terminal."""
    words = ["minisign", "-S", "-s", key, "-m", names.sums, "-x", names.signature, "-t", trusted_comment(names, commit),
             "-c", f"signature of heliograph {names.version}"]
    if subprocess.run(list(map(str, words)), cwd=folder, stdout=sys.stderr).returncode != 0:
        (pathlib.Path(folder) / names.signature).unlink(missing_ok=True)
        raise Refused("minisign made no signature")
