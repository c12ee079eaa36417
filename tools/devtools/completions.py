"""Types lines into real shells, bash, zsh and fish, presses Tab, and compares the words that the program then gets.

The program on PATH is a stand-in that prints its words, apart from `complete` and `completions`, which are the real ones: so quoting is checked by the shell
itself. The vault, the folder and the labels have names that a shell would execute if a completion evaluated them.
"""
import os
import pathlib
import pty
import select
import shutil
import subprocess
import tempfile
import time

from .common import secret_lines, skip

ALICE = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
BOB = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
PHRASE = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
HOSTILE = "it's $(touch pwned) `touch pwned` \";\\ *!&|<>#~[x]{a,b}=:%$HOME"
LABEL = "Alice $(touch pwned) of 'tests'"
FILE = "pay $(touch pwned) load's.png"

# Typed, with Tab as \t → the words of the program.
COMMON = [
    ("heliograph see\tli\t", ["seed", "list"]),
    ("heliograph seed show th\t", ["seed", "show", "the dev seed"]),
    ("heliograph seed show 'th\t", ["seed", "show", "the dev seed"]),
    ("heliograph seed show \"th\t", ["seed", "show", "the dev seed"]),
    ("heliograph seed show the\\ d\t", ["seed", "show", "the dev seed"]),
    ("heliograph seed show it\t", ["seed", "show", HOSTILE]),
    ("heliograph key show 5Gr\t", ["key", "show", ALICE]),
    ("heliograph key show Al\t", ["key", "show", LABEL]),
    ("heliograph key derive x //0 --network wes\t", ["key", "derive", "x", "//0", "--network", "westend"]),
    ("heliograph key derive x //0 --network=wes\t", ["key", "derive", "x", "//0", "--network=westend"]),
    ("heliograph key derive x //0 --net\twes\t", ["key", "derive", "x", "//0", "--network", "westend"]),
    ("heliograph inspect pa\t", ["inspect", FILE]),
    ("heliograph shell fol\tin\t", ["shell", "folder/inner"]),
    ("heliograph key show new\t", ["key", "show", "new"]),
    ("heliograph seed restore x --hex @pa\t", ["seed", "restore", "x", "--hex", "@" + FILE]),
    ("heliograph help key der\t", ["help", "key", "derive"]),
    ("heliograph attest meta\twes\t", ["attest", "metadata", "westend"]),
    ("heliograph init --allow-o\t", ["init", "--allow-online"]),
    ("heliograph log show zz\t", ["log", "show", "zz"]),
    ("heliograph seed show xyz\t", ["seed", "show", "xyz"]),
    ("heliograph seed list --vault other --js\t", ["seed", "list", "--vault", "other", "--json"]),
    ("heliograph-scanner --fr\tpa\t", ["--frames-out", FILE]),
]
LABELLED = ("heliograph key remove Al\t", ["key", "remove", ALICE])
ROWS = {
    "bash": [
        *COMMON, LABELLED,
        # Inside double quotes bash expands a !, so nothing is offered.
        ("heliograph seed show \"it\t\"", ["seed", "show", "it"]),
        ("heliograph seed show 'it\t", ["seed", "show", HOSTILE])],
    "zsh": [*COMMON, LABELLED],
    "fish": COMMON,
}
START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
PREPARE = {
    "bash": "bind 'set bell-style none'; . {folder}/script.bash",
    "zsh": "unsetopt zle_bracketed_paste; fpath=({folder}/zsh $fpath); autoload -Uz compinit; compinit -u -D",
    "fish": "source {folder}/script.fish",
}
STAND_IN = """#!/usr/bin/env python3
import os, sys
if sys.argv[1:2] in (["complete"], ["completions"]):
    os.execv("{real}", ["{real}", *sys.argv[1:]])
print("WORDS" + repr(sys.argv[1:]), flush=True)
"""


class Shell:
    """A shell on a terminal of its own."""

    def __init__(self, name, folder, environment):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder / "work")
            os.execvpe(START[name][0], START[name], environment)
        self.printed = ""
        self.type(PREPARE[name].format(folder=folder) + "\n")
        self.settle(1.0)
        self.type("heliograph ready\n")
        self.until("WORDS['ready']")

    def type(self, text):
        os.write(self.terminal, text.encode())

    def settle(self, quiet):
        """Reads until nothing comes for a while."""
        while select.select([self.terminal], [], [], quiet)[0]:
            try:
                self.printed += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:
                return

    def until(self, text):
        deadline = time.monotonic() + 20
        while text not in self.printed and time.monotonic() < deadline:
            self.settle(0.1)
        return text in self.printed

    def words(self, line):
        """What the program gets of a typed line."""
        self.printed = ""
        first, *rest = line.split("\t")
        self.type(first)
        for part in rest:
            self.settle(0.15)
            self.type("\t")
            select.select([self.terminal], [], [], 0.6)
            self.settle(0.25)
            self.type(part)
        self.type("\n")
        self.until("WORDS[")
        self.settle(0.1)
        printed = self.printed.rpartition("WORDS")[2]
        self.type("\x03\n")
        self.settle(0.1)
        return printed.partition("\n")[0].strip()

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


def vault(program, folder):
    """A vault with the names of the rows."""

    def run(*words, **secrets):
        with secret_lines({"--passphrase-fd": "correct horse", **secrets}) as (options, descriptors):
            subprocess.run([program, *words, "--vault", folder / "v", *options], pass_fds=descriptors, check=True, capture_output=True)

    phrase = {"--phrase-fd": PHRASE}
    run("init", "--allow-online", "--kdf-cost", "test")
    run("seed", "restore", "the dev seed", **phrase)
    run("seed", "restore", HOSTILE, **phrase)
    run("key", "derive", "the dev seed", "//Alice", "--network", "westend")
    run("key", "label", ALICE, LABEL)
    # A label that would be two candidates is none.
    run("key", "derive", "the dev seed", "//Bob", "--network", "westend")
    run("key", "label", BOB, "new\nline")


def prepare(binaries, folder):
    """The scripts, the stand-in and the folder that lines are typed in."""
    real = os.path.join(binaries, "heliograph")
    vault(real, folder)
    for name in ("bin", "zsh", "work", "work/folder", "work/folder/inner"):
        (folder / name).mkdir()
    (folder / "work" / FILE).touch()
    for name in ("heliograph", "heliograph-scanner"):
        stand_in = folder / "bin" / name
        stand_in.write_text(STAND_IN.format(real=real))
        stand_in.chmod(0o755)
    for shell, path in (("bash", "script.bash"), ("zsh", "zsh/_heliograph"), ("fish", "script.fish")):
        script = subprocess.run([real, "completions", shell], check=True, capture_output=True, text=True).stdout
        (folder / path).write_text(script)


def configure(parser):
    """Takes the folder of the offline programs, and shells."""
    parser.add_argument("binaries", type=os.path.abspath, help="folder of the built programs")
    parser.add_argument("shells", nargs="*", help="shells to type into (default: bash, zsh, fish)")


def run(options):
    """1 when a shell gave the program other words."""
    failed = total = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(options.binaries, folder)
        environment = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "TERM": "xterm", "HOME": name, "LC_ALL": "C.UTF-8", "PS1": "> ",
                       "HELIOGRAPH_VAULT": f"{folder}/v", "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")}
        for shell in options.shells or START:
            if not shutil.which(shell):
                skip(f"{shell}, whose completions are not tried")
                continue
            terminal = Shell(shell, folder, environment)
            for line, words in ROWS[shell]:
                total += 1
                found = terminal.words(line)
                # A directory as the last word has a slash in some shells.
                if found.replace("inner/", "inner") != repr(words):
                    failed += 1
                    print(f"FAIL {shell}: {line!r} gave {found}, expected {words!r}")
            terminal.end()
            if (folder / "work/pwned").exists() or (folder / "pwned").exists():
                failed += 1
                print(f"FAIL {shell}: a name was executed")
    print(f"completions: {total - failed} of {total} lines completed as expected")
    return 1 if failed or not total else 0
