"""Changes a release as whoever serves it could, and checks that the signature, or what it names, refuses each change."""
import shutil
import subprocess

from . import seal
from .tree import checksum


def holds(folder, names, public):
    """Whether minisign and sha256sum accept a release, as a person checks it by hand."""
    signed = subprocess.run(["minisign", "-V", "-q", "-p", public, "-m", names.sums], cwd=folder, capture_output=True)
    summed = subprocess.run(["sha256sum", "--check", "--quiet", "--strict", names.sums], cwd=folder, capture_output=True)
    return (signed.returncode, summed.returncode) == (0, 0)


def flip(file):
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def resum(folder, names):
    """Writes checksums that fit again."""
    (folder / names.sums).write_text("".join(checksum(folder / name, name) for name in names.summed))


def other_key(folder, names, release):
    """Signs with a key of one's own."""
    subprocess.run(["minisign", "-G", "-W", "-s", folder / "other.key", "-p", folder / "other.pub"], check=True, capture_output=True)
    seal.sign(names, folder, release.commit, folder / "other.key")


def other_comment(folder, names):
    """Changes the version in the trusted comment."""
    file = folder / names.signature
    file.write_text(file.read_text().replace(f"trusted comment: heliograph {names.version}", "trusted comment: heliograph 99.0.0"))


def problems(release, public, work):
    """The changes that were not noticed."""
    names = release.names
    changes = {f"a changed bit in {name}": lambda folder, name=name: flip(folder / name) for name in names.summed}
    changes |= {
        "a changed package and checksums that fit": lambda folder: (flip(folder / names.cold), resum(folder, names)),
        "a changed MANIFEST and checksums that fit": lambda folder: (flip(folder / names.manifest), resum(folder, names)),
        "a package that is missing": lambda folder: (folder / names.hot).unlink(),
        "a signature by another key": lambda folder: other_key(folder, names, release),
        "another trusted comment": lambda folder: other_comment(folder, names),
        "no signature": lambda folder: (folder / names.signature).unlink(),
    }
    found = [] if holds(release.folder, names, public) else ["minisign and sha256sum refuse the release itself"]
    for name, change in changes.items():
        shutil.copytree(release.folder, work)
        change(work)
        found += [f"not noticed: {name}"] if holds(work, names, public) else []
        shutil.rmtree(work)
    return found
