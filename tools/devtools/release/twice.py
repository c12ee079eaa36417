"""Makes the release of one commit twice, in circumstances that differ, and compares every byte.

What differs: the folder and its depth, the user, the home, the clock (where faketime is installed), the umask, the language, the time zone, and the number of
processors. A file system lists two copies of a tree in orders of their own; every list here is sorted. diffoscope, where it is installed, says what differs.
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import tempfile

from ..common import ROOT
from .names import Refused, changes, commit, output

# A user that every Debian has and nobody is.
OTHER_USER = 65534
PYTHON = "/usr/bin/python3"


class Circumstances:
    """Where, by whom and when one of the two is built."""

    def __init__(self, folder, user, umask, environment, prefix):
        self.folder, self.user, self.umask, self.environment, self.prefix = folder, user, umask, environment, prefix


def checkout(folder):
    """A clean copy of the commit, with the sources of the Swift packages that tools/lock names."""
    output("git", "clone", "--quiet", "--no-hardlinks", ROOT, folder)
    output("git", "-C", folder, "checkout", "--quiet", commit())
    # The interpreter of .venv may lie in a home that the other user cannot enter.
    output(PYTHON, "-m", "venv", "--without-pip", folder / ".venv")
    packages = next((folder / ".venv/lib").glob("*/site-packages")).relative_to(folder)
    shutil.copytree(ROOT / packages, folder / packages, symlinks=True, dirs_exist_ok=True)


def link(circumstances, target):
    """Links the programs for arm64 there. This needs root: the compiler has a Debian of its own."""
    words = [PYTHON, circumstances.folder / "tools/dev", "arm64", "link", target]
    environment = {"PATH": os.environ["PATH"], "HOME": os.path.expanduser("~"), **circumstances.environment}
    if subprocess.run(list(map(str, words)), cwd=circumstances.folder, env=environment, umask=circumstances.umask).returncode != 0:
        raise Refused(f"the programs for arm64 were not linked in {circumstances.folder}")
    for path in [target, *target.iterdir()]:
        path.chmod(0o755)


def build(circumstances, is_for_both):
    """Makes a release there."""
    checkout(circumstances.folder)
    other = circumstances.folder.parent / "arm64"
    if is_for_both:
        link(circumstances, other)
    home = circumstances.folder.parent / "home"
    home.mkdir()
    # Copies of packages that another user owns are read, too.
    (home / ".gitconfig").write_text("[safe]\n\tdirectory = *\n")
    if circumstances.user is not None:
        for path in [circumstances.folder.parent, *circumstances.folder.parent.rglob("*")]:
            os.lchown(path, circumstances.user, circumstances.user)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), **circumstances.environment}
    words = [*circumstances.prefix, PYTHON, circumstances.folder / "tools/dev", "release", "--on-this-machine", "--even-stale", "--out",
             circumstances.folder.parent / "out", *(["--other", other] if is_for_both else [])]
    user = {} if circumstances.user is None else {"user": circumstances.user, "group": circumstances.user, "extra_groups": []}
    done = subprocess.run(list(map(str, words)), cwd=circumstances.folder, env=environment, umask=circumstances.umask, **user)
    if done.returncode != 0:
        raise Refused(f"the build in {circumstances.folder} ended with {done.returncode}")
    (made,) = (circumstances.folder.parent / "out").iterdir()
    return made


def both(work):
    """The circumstances of the two builds."""
    first, second = work / "a/heliograph", work / "second/with a longer path/and deeper/source"
    first.parent.mkdir(parents=True)
    second.parent.mkdir(parents=True)
    later = ["faketime", "-f", "+400d"] if shutil.which("faketime") else []
    return [Circumstances(first, None, 0o022, {"LC_ALL": "C.UTF-8", "TZ": "UTC"}, []),
            Circumstances(second, OTHER_USER if os.geteuid() == 0 else None, 0o077, {"LC_ALL": "C", "LANG": "de_DE.UTF-8", "TZ": "Asia/Tokyo"},
                          ["taskset", "1", *later])]


def differences(one, other):
    """The files that differ, with what diffoscope says where it is installed."""
    for name in sorted({path.name for folder in (one, other) for path in folder.iterdir()}):
        pair = one / name, other / name
        if not all(path.exists() for path in pair) or pair[0].read_bytes() != pair[1].read_bytes():
            yield f"differs: {name}"
            if shutil.which("diffoscope") and all(path.exists() for path in pair):
                told = subprocess.run(["diffoscope", "--text", "-", "--max-report-size", "20000", *map(str, pair)], capture_output=True, text=True).stdout
                yield told


def run(is_for_both):
    """Makes it twice and compares; the exit code."""
    if changes():
        raise Refused("a file differs from the commit")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder).resolve()
        work.chmod(0o755)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            one, other = pool.map(build, both(work), [is_for_both] * 2)
        found = list(differences(one, other))
        files = len(list(one.iterdir()))
    print(*found, f"reproducible: {files} files made twice, {sum(line.startswith('differs: ') for line in found)} differ", sep="\n")
    return 1 if found else 0
