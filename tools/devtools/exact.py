"""Runs tools/install --exact on a machine of stubs: what it changes, what it says, and that it changes nothing where half a lock is all that there is."""
import os
import pathlib
import shutil
import subprocess
import tempfile

from .common import ROOT

LOCKED = {"alpha": "1.2", "beta": "2.0", "gamma": "3.0"}
STUBS = {
    # One version newer than the lock's is installed, one is right, one package is missing.
    "dpkg-query": 'for word; do last=$word; done\ncase $last in alpha) echo "ii 1.3" ;; beta) echo "ii 2.0" ;; *) exit 1 ;; esac',
    "apt-cache": 'printf " %s | %s | mirror\\n" alpha 1.3 alpha 1.2 beta 2.0 gamma "$GAMMA"',
    "apt-get": 'echo "$*" >>"$LOG"',
    "sudo": 'exec "$@"',
    "swift": "exit 0",
}
INSTALL = "install -y -qq --no-install-recommends --allow-downgrades"


def run(folder, gamma):
    """Exit code and what is said, and what apt-get was asked for."""
    log = folder / "log"
    log.write_text("")
    environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "LOG": str(log), "GAMMA": gamma}
    done = subprocess.run(["bash", folder / "tools/install", "--exact"], capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout + done.stderr, log.read_text().splitlines()


def problems():
    """What is wrong, as sentences."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ("bin", "tools/lock", ".venv"):
            (folder / part).mkdir(parents=True)
        shutil.copy(ROOT / "tools/install", folder / "tools")
        (folder / "tools/lock/debian.txt").write_text("".join(f"{name} {version} hash\n" for name, version in LOCKED.items()))
        for place in ("tools/lock/python.txt", ".venv/requirements.txt"):
            (folder / place).write_text("")
        for stub, text in STUBS.items():
            (folder / "bin" / stub).write_text(f"#!/bin/sh\n{text}\n")
            (folder / "bin" / stub).chmod(0o755)
        code, said, asked = run(folder, "3.0")
        if code != 0 or f"{INSTALL} alpha=1.2 gamma=3.0" not in asked:
            yield f"exact: ended with {code} and asked for {asked}: {said}"
        if not said.startswith("alpha: 1.3 -> 1.2\ngamma: not installed -> 3.0\nchanged 2 packages\n"):
            yield f"exact: says {said}"
        code, said, asked = run(folder, "3.1")
        if code != 1 or any(line.startswith("install") for line in asked) or "the mirror does not have gamma 3.0" not in said or "->" in said:
            yield f"exact: with a mirror that lacks a version it ended with {code}, asked for {asked}, and says {said}"
