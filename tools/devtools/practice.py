"""A practice network of the online program, for tests: heliograph-hot practice makes it, its transactions, and reads the answers."""
import os
import pathlib
import subprocess

NETWORK = "heliotest"


class Practice:
    """A folder of the practice network, and the programs."""

    def __init__(self, folder, cold, hot):
        self.folder, self.cold, self.hot = (pathlib.Path(path).resolve() for path in (folder, cold, hot))

    def online(self, *words):
        """What the online program prints; it must succeed. It finds the scanner on PATH."""
        environment = {**os.environ, "PATH": f"{self.cold}:{os.environ['PATH']}"}
        done = subprocess.run([self.hot / "heliograph-hot", *map(str, words)], capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            raise SystemExit(f"{done.stdout}{done.stderr}practice: failed: {' '.join(map(str, words))}")
        return done.stdout

    def make(self):
        self.online("practice", self.folder)

    def pay(self, address):
        """transaction.png: this account sends 1.5 HLO to //Bob of the development phrase."""
        self.online("practice", self.folder, "--pay", address)

    def check(self, picture):
        """The signed transaction, once its signature is verified."""
        return self.online("read", picture, "--database", self.folder / "hot")
