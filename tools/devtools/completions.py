"""Types lines into real shells, bash, zsh and fish, presses Tab, and compares the words that the program then gets.

The program on PATH is a stand-in that prints its words, apart from `complete` and `completions`, which are the real ones: so quoting is checked by the shell
itself. The vault, the folder and the labels have names that a shell would execute if a completion evaluated them.
"""
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from .common import ALICE_ADDRESS, BOB_ADDRESS, binaries_option, side_by_side, skip
from .offline import PHRASE, Signer
from .terminals import AtTerminal

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
    ("heliograph key show 5Gr\t", ["key", "show", ALICE_ADDRESS]),
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
LABELLED = ("heliograph key remove Al\t", ["key", "remove", ALICE_ADDRESS])
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
STAND_IN = """#!{python} -S
import os, sys
if sys.argv[1:2] in (["complete"], ["completions"]):
    os.execv("{real}", ["{real}", *sys.argv[1:]])
print("WORDS" + repr(sys.argv[1:]), flush=True)
"""


class Shell(AtTerminal):
    """A shell on a terminal of its own."""

    def __init__(self, name, folder, work, environment):
        super().__init__(START[name], env=environment, cwd=work)
        self.press(PREPARE[name].format(folder=folder) + "\n")
        self.settle(1.0)
        self.press("heliograph ready\n")
        self.shows("WORDS['ready']", 20)

    def completed(self, line):
        """What the program gets of a typed line."""
        self.printed = b""
        first, *rest = line.split("\t")
        self.press(first)
        for part in rest:
            self.settle(0.15)
            self.press("\t")
            self.take(0.6)
            self.settle(0.25)
            self.press(part)
        self.press("\n")
        self.shows("WORDS[", 20)
        self.settle(0.1)
        printed = self.text.rpartition("WORDS")[2]
        self.press("\x03\n")
        self.settle(0.1)
        return printed.partition("\n")[0].strip()


def vault(binaries, folder):
    """A vault with the names of the rows."""
    signer = Signer(binaries, folder / "v").make()
    signer.must("seed", "restore", "the dev seed", phrase=PHRASE)
    signer.must("seed", "restore", HOSTILE, phrase=PHRASE)
    signer.must("key", "derive", "the dev seed", "//Alice", "--network", "westend")
    signer.must("key", "label", ALICE_ADDRESS, LABEL)
    # A label that would become two candidates is left out.
    signer.must("key", "derive", "the dev seed", "//Bob", "--network", "westend")
    signer.must("key", "label", BOB_ADDRESS, "new\nline")


def prepare(binaries, folder):
    """The scripts and the stand-in."""
    real = os.path.join(binaries, "heliograph")
    vault(binaries, folder)
    for name in ("bin", "zsh"):
        (folder / name).mkdir()
    for name in ("heliograph", "heliograph-scanner"):
        stand_in = folder / "bin" / name
        stand_in.write_text(STAND_IN.format(python=sys.executable, real=real))
        stand_in.chmod(0o755)
    for shell, path in (("bash", "script.bash"), ("zsh", "zsh/_heliograph"), ("fish", "script.fish")):
        script = subprocess.run([real, "completions", shell], check=True, capture_output=True, text=True).stdout
        (folder / path).write_text(script)


def typed(folder, environment, part):
    """What is wrong with these rows of a shell, as lines. It has a folder of its own to type in."""
    name, rows = part
    with tempfile.TemporaryDirectory(dir=folder) as place:
        work = pathlib.Path(place)
        (work / "folder/inner").mkdir(parents=True)
        (work / FILE).touch()
        terminal, wrong = Shell(name, folder, work, environment), []
        for line, words in rows:
            found = terminal.completed(line)
            # A directory as the last word has a slash in some shells.
            if found.replace("inner/", "inner") != repr(words):
                wrong.append(f"FAIL {name}: {line!r} gave {found}, expected {words!r}")
        terminal.close()
        if (work / "pwned").exists() or (folder / "pwned").exists():
            wrong.append(f"FAIL {name}: a name was executed")
        return wrong


def parts(shells):
    """Each shell that is here, twice: with every other row."""
    for name in shells:
        if shutil.which(name):
            yield from ((name, ROWS[name][start::2]) for start in (0, 1))
        else:
            skip(f"{name}, whose completions are not tried")


def configure(parser):
    binaries_option(parser)
    parser.add_argument("shells", nargs="*", help="shells to type into (default: bash, zsh, fish)")


def run(options):
    chosen = list(parts(options.shells or START))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(options.binaries, folder)
        environment = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "TERM": "xterm", "HOME": name, "LC_ALL": "C.UTF-8", "PS1": "> ",
                       "HELIOGRAPH_VAULT": f"{folder}/v", "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")}
        wrong = [line for lines in side_by_side(functools.partial(typed, folder, environment), chosen, 2 * len(START)) for line in lines]
    total = sum(len(rows) for _, rows in chosen)
    print(*wrong, f"completions: {total - len(wrong)} of {total} lines completed as expected", sep="\n")
    return 1 if wrong or not total else 0
