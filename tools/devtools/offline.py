"""The offline program on a vault for tests."""
import json
import pathlib
import subprocess

from .common import secret_lines

PHRASE = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
# Of further members of a group.
OTHERS = {"ben": "legal winner thank year wave sausage worth useful legal winner thank yellow",
          "cleo": "letter advice cage absurd amount doctor acoustic avoid letter advice cage above"}
# Of those who get the shares when its key is reshared.
NEW = {"ann": "scheme spot photo card baby mountain device kick cradle pact join borrow",
       "dora": "jelly better achieve collect unaware mountain thought cargo oxygen act hood bridge"}


class Signer:
    """One development vault and the program on it; secrets go through descriptors."""

    def __init__(self, binaries, vault, passphrase="correct horse battery staple"):
        self.program, self.vault, self.passphrase = pathlib.Path(binaries) / "heliograph", vault and pathlib.Path(vault), passphrase

    def run(self, *words, typed="", vault=True, passphrase=None, **lines):
        """Exit code, stdout and stderr of a command. Each further line, such as `phrase`, goes through the descriptor of its option. With `vault` False the
        command has none, nor a passphrase."""
        lines = {"passphrase": passphrase or self.passphrase, **lines} if vault else lines
        place = ["--vault", self.vault if vault is True else vault] if vault else []
        with secret_lines({f"--{name.replace('_', '-')}-fd": line for name, line in lines.items()}) as (options, descriptors):
            command = [self.program, *map(str, words), *place, *options]
            done = subprocess.run(command, pass_fds=descriptors, capture_output=True, text=True, input=typed)
        return done.returncode, done.stdout, done.stderr

    def json(self, *words, **options):
        """Exit code, document and stderr."""
        code, out, err = self.run(*words, "--json", **options)
        try:
            return code, json.loads(out), err
        except ValueError:
            return code, {}, err + out

    def must(self, *words, **options):
        """What a command prints; it must succeed."""
        code, out, err = self.run(*words, **options)
        if code != 0:
            raise SystemExit(f"heliograph {' '.join(map(str, words))} ended with {code}: {err}")
        return out

    def make(self, *words, **options):
        self.must("init", "--allow-online", "--kdf-cost", "test", *words, **options)
        return self
