"""Changes a release as whoever serves it could, and checks that the signature, or what it names, refuses each change."""
import shutil
import subprocess

from . import seal


def holds(folder, names, public):
    """Whether minisign and sha256sum accept a release, as a person checks it by hand."""
    signed = subprocess.run(["minisign", "-V", "-q", "-p", public, "-m", names.sums], cwd=folder, capture_output=True)
    summed = subprocess.run(["sha256sum", "--check", "--quiet", "--strict", names.sums], cwd=folder, capture_output=True)
    return (signed.returncode, summed.returncode) == (0, 0)


def flip(file):
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def replace(file, old, new):
    file.write_text(file.read_text().replace(old, new))


def problems(release, public, work):
    """The changes that were not noticed."""
    names = release.names
    changes = {f"a changed bit in {name}": lambda folder, name=name: flip(folder / name) for name in names.summed}
    changes |= {
        "a changed package and checksums that fit": lambda folder: (flip(folder / names.cold), seal.sums(names, folder)),
        "a changed MANIFEST and checksums that fit": lambda folder: (flip(folder / names.manifest), seal.sums(names, folder)),
        "a package that is missing": lambda folder: (folder / names.hot).unlink(),
        "a signature by another key": lambda folder: seal.sign(names, folder, release.commit, seal.new_key(folder, "other")[0]),
        "another trusted comment": lambda folder: replace(folder / names.signature, f"comment: heliograph {names.version}", "comment: heliograph 99.0.0"),
        "no signature": lambda folder: (folder / names.signature).unlink(),
    }
    found = [] if holds(release.folder, names, public) else ["minisign and sha256sum refuse the release itself"]
    for name, change in changes.items():
        shutil.copytree(release.folder, work)
        change(work)
        found += [f"not noticed: {name}"] if holds(work, names, public) else []
        shutil.rmtree(work)
    return found
