"""Runs the commands of the guides, Sources/Programs/heliograph/heliograph.docc, and compares the screens that the guides print.

A guide is a Markdown article. A block of the kind `console` is a terminal of 80 columns and 24 rows, as a person sees it:

    ```console
    offline$ heliograph seed new main       a command of the offline machine: it runs in bash, in a network namespace without a network
    online$ heliograph-hot read answer.png  a command of the online machine; `$` alone is a machine of either kind, and has a network
    second$ heliograph-hot practice x --node  a second terminal of the online machine, whose program goes on until the guide ends: Ctrl-C
    > more of it                            a command goes on here, directly below its first line, as bash asks for more
    Sign this?  type y or yes … no yes      a question with what is typed behind it; the screen as it is otherwise
    <key> Space End                         keys that are pressed when the lines above are on the screen, named as in Tests/Panes
    ```

`…` and a line `...` stand for any text inside a line and for any lines, as in Tests/Sessions; blank lines do not count. All blocks of a guide run in
order, with one home directory, one working directory and the shell's variables, so `cd`, `ADDRESS=…` and `$?` go on from block to block. A command
that fails must show it: a line with `error:`, or `echo $?` as the next command.

A comment of HTML in the guide, which no reader sees, says what a reader chooses or a run makes:

    <!-- tools/dev guides
    answer passphrase: = correct horse      typed when this question waits and does not show it (nothing after `=`: an empty line); `…` is any text,
    answer word …: = {word}                 {word} for the word of that number that the screen showed before, {passphrase} for six random words,
                                           {name} for what `varies` bound
    varies 5FU6Mme…                         this text stands for what the first run-time screen has in its place: an address, a hash; from there on
                                            it means that value, in commands too. It has no blank
    -->

Blocks of the kind `sh` are for a reader's hands: what needs root, a stick, or another machine. BY_HAND below fixes how many lines each guide has of
them, with the reason; `text`, `json` and `swift` are not commands, and other kinds fail. Every command in `code` inside a sentence that begins with
`heliograph` or `heliograph-hot` must be a command with these options.

A file that no guide makes comes from {fixtures}.

`--write` puts the screens of a run in place of those that differ. In a draft, a line `<answer> yes` is typed at the next question that nothing else
answers, and a written screen shows it where it was typed. Read what it wrote before you commit it.
"""
import concurrent.futures
import contextlib
import functools
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import termios
import time

from . import panes, sessions
from .common import ROOT, skip

CATALOG = ROOT / "Sources/Programs/heliograph/heliograph.docc"
# How many lines of each guide are typed by hand, and why no test can run them.
BY_HAND = {
    "Appliance": (8, "root, sticks and a second machine"),
    "Backups": (5, "root and a stick"),
    "BindToLaptop": (11, "a TPM, a security key and a token, which tools/dev hardware emulates, and root"),
    "EverydayUse": (13, "a node of a real network"),
    "OldLaptop": (66, "root, sticks, the drivers and services of a laptop, and a release with its key"),
    "RaspberryPi": (6, "root and a card"),
    "Scripting": (2, "ffmpeg reads a camera, and a queue waits for pictures"),
}
# Pages without a command, and why.
WITHOUT = {"heliograph": "the list of the guides",
           "BindToLaptop": "what tools/dev hardware does with an emulated TPM", "KnownPhrases": "what Tests/CeremonyTests/PassphraseWordingTests.swift tries",
           "StateProofs": "what is promised, and what tools/dev bench decode measures",
           "Appliance": "a machine of its own, whose screens tools/dev appliance test --all reads",
           "RaspberryPi": "a machine of its own, which tools/dev appliance test --board pi starts"} | dict.fromkeys(
    ("Formats", "Payloads", "Frames", "ContactLists", "GroupMessages", "GuardedSigning", "SeedCodes", "SeedMaking", "VaultFiles", "TrustStoreFile", "AuditLog",
     "BackupFile", "PolicyFile", "ScannerProtocol"),
    "a description of formats, which tools/dev formats reads")
# Words that stand in front of digests, not commands: what the format pages quote begins with one of these.
LABELS = ("heliograph camera frame", "heliograph history ", "heliograph key slot", "heliograph passphrase factor", "heliograph recovery ",
          "heliograph TPM authorization", "heliograph log checkpoint", "heliograph machine part", "heliograph seed commitment",
          "heliograph seed entropy", "heliograph store seal ", "heliograph wrapping key")
KINDS = {"console", "sh", "text", "json", "swift", "python"}
PROMPT = re.compile(r"(offline|online|second|)\$ (.*)")
PATIENCE, AT_ONCE = 60, 3


# An ordinary user at /home/ada, with the programs at /home/cold and /home/hot, so that a path has one length everywhere; with no network where the
# second word is `offline`.
MACHINE = pathlib.Path(__file__).with_name("machine.sh").read_text()
HOME, COLD, HOT = "/home/ada", "/home/cold", "/home/hot"
SETTING = {"size": "80x24", "term": "xterm-256color", "offline": False, "set": {"HOME": HOME, "NO_COLOR": "1", "HELIOGRAPH_ICONS": "off"}, "unset": set()}


def machine(folder, offline, cold, hot):
    """The words before a command that is to run in a machine of its own."""
    return ["unshare", "--map-root-user", "--mount", *["--net"] * offline, "sh", "-c", MACHINE, "--", folder, "offline" if offline else "online", cold, hot]


class Wrong(Exception):
    """A guide that differs from what the programs do."""


class Guide:
    """A file in parts: lines that are kept, and blocks."""

    def __init__(self, path):
        self.path, self.lines = path, path.read_text().splitlines()
        self.answers, self.varies = [], []
        self.blocks = []
        start = kind = None
        notes = False
        for number, line in enumerate(self.lines):
            if start is not None:
                if line == "```":
                    self.blocks.append((kind, start + 1, self.lines[start + 1 : number]))
                    start = None
            elif line.startswith("```"):
                start, kind = number, line[3:]
                if kind not in KINDS:
                    raise Wrong(f"line {number + 1}: a block of the kind {kind!r}; known are {', '.join(sorted(KINDS))}")
            elif line == "<!-- tools/dev guides":
                notes = True
            elif notes:
                notes = line != "-->"
                if match := re.fullmatch(r"answer (.*?) =(?: (.*))?", line):
                    self.answers.append((match[1], match[2] or ""))
                elif match := re.fullmatch(r"varies (\S+)", line):
                    self.varies.append(match[1])
                elif notes:
                    raise Wrong(f"line {number + 1}: {line!r} is not understood")
        if start is not None:
            raise Wrong(f"line {start + 1}: the block has no end")

    def by_hand(self):
        """The number of lines in blocks of `sh`, without empty ones and remarks."""
        lines = [line for kind, _, block in self.blocks if kind == "sh" for line in block]
        return sum(bool(line.strip()) and not line.startswith("#") for line in lines)

    def sentences(self):
        """Commands inside sentences, each with its line number."""
        inside = False
        for number, line in enumerate(self.lines, 1):
            inside ^= line.startswith("```")
            if not inside:
                yield from ((number, text) for text in re.findall(r"`((?:heliograph|heliograph-hot) [^`]*)`", line))


def steps(start, lines):
    """The commands of a block: where the command is, the machine, the command, and the lines of its screen."""
    step = None
    for offset, line in enumerate(lines):
        if match := PROMPT.fullmatch(line):
            if step:
                yield step
            step = {"line": start + offset + 1, "from": start + offset + 1, "machine": match[1], "command": match[2], "screen": []}
        elif step is None:
            raise Wrong(f"line {start + offset + 1}: a screen without a command")
        elif line.startswith("> ") and not step["screen"]:
            step["command"] += "\n" + line[2:]
            step["from"] += 1
        else:
            step["screen"].append(line)
    if step:
        yield step


def expression(lines, bound, varies):
    """A regular expression for lines. What varies is bound at its first place."""
    places = "|".join(map(re.escape, sorted([*varies, "…"], key=len, reverse=True)))
    parts, seen = "", set()
    for line in lines:
        if line == "...":
            parts += "(?:.*\n)*?"
            continue
        for part in re.split(f"({places})", line):
            if part == "…":
                parts += ".*?"
            elif part not in varies:
                parts += re.escape(part)
            elif part in bound:
                parts += re.escape(bound[part])
            else:
                group = f"v{varies.index(part)}"
                parts += f"(?P={group})" if group in seen else rf"(?P<{group}>[\w./:-]+)"
                seen.add(group)
        parts += r"\n"
    return parts


class Run:
    def __init__(self, guide, folder, cold, hot):
        self.guide, self.folder, self.cold, self.hot = guide, folder, cold, hot
        self.bound, self.words, self.code, self.beside = {}, {}, 0, []
        self.state = pathlib.Path(HOME, ".state")

    def filled(self, text):
        """A text with the values of what varies."""
        for name, value in self.bound.items():
            text = text.replace(name, value)
        return text

    def script(self, command):
        """The shell that goes on from the last command."""
        return (f'set -a; [ -f {self.state} ] && . {self.state} && cd "$PWD"; (exit {self.code})\n{sessions.filled(self.filled(command), HOME)}\n'
                f"code=$?; trap - EXIT; export -p | grep -vE ' (BASH|PATH=)' > {self.state}; exit $code")

    def start(self, step):
        words = [*machine(self.folder, step["machine"] == "offline", self.cold, self.hot), "bash", "-c", self.script(step["command"])]
        # Both machines have the scanner; the online one has its own program besides.
        binaries = COLD if step["machine"] == "offline" else f"{COLD}:{HOT}"
        return panes.Program({"command": shlex.join(words), "fds": {}}, self.folder, binaries, SETTING)

    def answer(self, question, line):
        """What is typed at a question: what the guide's comment says, else what stands behind it in the guide; None where neither is there."""
        for asked, text in self.guide.answers:
            if re.fullmatch(".*?".join(map(re.escape, asked.split("…"))), question):
                number = re.search(r"\d+", question)
                if "{word}" in text and number:
                    text = text.replace("{word}", self.words.get(number[0], ""))
                return sessions.filled(self.filled(text), HOME)
        if line is None:
            return None
        return self.filled(line[len(question):].strip())

    def shown(self, program):
        """All lines of the terminal, without blank ones."""
        lines = [*program.screen.past, *program.screen.rows()] if program.screen.hidden is None else program.screen.rows()
        return [line.rstrip() for line in lines if line.strip()]

    def compare(self, expected, program, is_first):
        """The lines of the screen that stand for the expected ones, None where they do not."""
        lines = [line.rstrip() for line in expected if line.strip() and not line.startswith("<answer>")]
        if not is_first and lines:
            lines = ["...", *lines]
        text = "".join(line + "\n" for line in self.shown(program))
        match = re.fullmatch(expression(lines, self.bound, self.guide.varies), text)
        if match:
            self.bound |= {self.guide.varies[int(name[1:])]: value for name, value in match.groupdict().items() if value}
        return match

    def perform_beside(self, step):
        """Starts a program that goes on: as `perform`, once its screen is there."""
        program = self.start(step)
        self.beside.append(program)
        if program.until(lambda: self.compare(step["screen"], program, True), patience=PATIENCE):
            return step["screen"], []
        return self.shown(program), ["the screen differs"]

    def close(self):
        """Ends what goes on, as a person does."""
        for program in self.beside:
            program.press("\x03")
            program.end()
            program.close()

    def perform(self, step):
        """Runs a step. Its screen as a guide prints it, and what differs."""
        if step["machine"] == "second":
            return self.perform_beside(step)
        program = self.start(step)
        drafts = [line[9:] for line in step["screen"] if line.startswith("<answer> ")]
        written, wrong = [], []
        try:
            segments = [[]]
            for line in step["screen"]:
                segments[-1].append(line)
                if line.startswith("<key> "):
                    segments.append([])
            for index, segment in enumerate(segments):
                keys = segment.pop()[6:] if segment and segment[-1].startswith("<key> ") else None
                ended = self.advance(program, segment, keys, drafts)
                # What follows a key may still be drawn: the screen is compared until it is as expected.
                is_draft = any(line.startswith("<answer>") for line in segment)
                if is_draft or not program.until(lambda: self.compare(segment, program, index == 0), patience=3):
                    wrong.append("the screen differs")
                    lines = self.shown(program)
                    for name, value in self.bound.items():
                        lines = [line.replace(value, name) for line in lines]
                    written += lines
                else:
                    written += [line for line in segment if not line.startswith("<answer>")]
                self.words |= {number: word for line in self.shown(program) for number, word in re.findall(r"\b(\d+)\. ([a-z]+)", line)}
                if keys:
                    written.append(f"<key> {keys}")
                    if ended:
                        wrong.append(f"the program ended before the keys {keys}")
                        break
                    program.press(panes.keys(keys))
            self.code = program.end()
            if drafts:
                wrong.append(f"nobody asked for {drafts}")
            return written, wrong
        finally:
            program.close()

    def advance(self, program, segment, keys, drafts):
        """Types the answers of a segment until its keys are waited for, or the program ends. Whether it ended."""
        index, deadline = 0, time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            program.take(0.02)
            if not program.is_open:
                return True
            screen = program.screen
            if time.monotonic() - program.changed < 0.15:
                continue
            row = screen.text(screen.cursor.y)
            if row == ">" and screen.cursor.y > 0:
                # Below a full screen the answers stand beside the question, which is printed again without them once it is answered.
                row = re.match(r"[^?]*\??", screen.text(screen.cursor.y - 1))[0]
            cooked = bool(termios.tcgetattr(program.master)[3] & termios.ICANON)
            if not is_waiting(program.process.pid):
                continue
            is_question = screen.cursor.x > len(screen.text(screen.cursor.y)) > 0
            line = next((number for number in range(index, len(segment)) if segment[number].startswith(row + " ")), None)
            # A full screen waits for a key; a question may be asked on it as well, and a secret is asked for key by key.
            if keys and not cooked and not (is_question and line is not None) and self.answer(row, None) is None:
                return False
            if not is_question:
                continue
            text = self.answer(row, segment[line] if line is not None else None)
            if text is None:
                if not drafts:
                    program.press("\x03")
                    raise Wrong(f"line of the command {row!r}: a question that the guide does not answer; the screen:\n" + "\n".join(self.shown(program)))
                text = drafts.pop(0)
            elif line is not None:
                index = line + 1
            program.press(text + "\r" if not cooked else text + "\n")
            before = time.monotonic()
            while program.is_open and program.changed < before and time.monotonic() < before + 5:
                program.take(0.02)
        raise Wrong("the program waits, and asks for nothing that the guide answers; the screen:\n" + "\n".join(self.shown(program)))


def is_waiting(pid):
    """Whether some process below this one waits, and none works."""
    states = []
    pids = [pid]
    while pids:
        current = pids.pop()
        try:
            states.append(pathlib.Path(f"/proc/{current}/stat").read_text().rsplit(")", 1)[1].split()[0])
            pids += map(int, pathlib.Path(f"/proc/{current}/task/{current}/children").read_text().split())
        except OSError:
            continue
    return bool(states) and all(state in "SZ" for state in states)


@functools.cache
def help_of(*words):
    """What a command is: the names of its subcommands and of its options, from its help; no names where it is no command."""
    done = subprocess.run([*words, "--help"], capture_output=True, text=True)
    head, _, tail = done.stdout.partition("SUBCOMMANDS:")
    return set(re.findall(r"^  ([a-z][a-z0-9-]*)(?: |$)", tail, re.M)), set(re.findall(r"(?<![\w-])--?[a-z][a-z0-9-]*", head)) | {"--version"}


def misnamed(text, programs):
    """What is wrong with a command inside a sentence; None where nothing is."""
    program, *words = text.split()
    path = [programs[program]]
    while words and words[0] in help_of(*path)[0]:
        path.append(words.pop(0))
    if path[1:] == ["help"] or words[:1] == ["help"]:
        return None
    commands, options = help_of(*path)
    if words and commands and re.fullmatch(r"[a-z][a-z-]*", words[0]):
        return f"{' '.join([program, *path[1:]])} has no command {words[0]}"
    unknown = [word for word in words if re.match(r"--?[a-z]", word) and re.split("[=…]", word)[0] not in options]
    return f"{' '.join([program, *path[1:]])} has no option {', '.join(unknown)}" if unknown else None


def check(guide, cold, hot, write):
    """The faults of a guide, as lines, and the number of its commands."""
    name, faults, count = guide.path.stem, [], 0
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        run = stack.enter_context(contextlib.closing(Run(guide, folder, cold, hot)))
        all_steps = [step for kind, start, lines in guide.blocks if kind == "console" for step in steps(start, lines)]
        replaced = []
        for step, following in zip(all_steps, [*all_steps[1:], None]):
            count += 1
            try:
                written, wrong = run.perform(step)
            except Wrong as error:
                faults.append(f"FAIL {name} line {step['line']}: {error}\n$ {step['command']}")
                break
            says = any("error:" in line for line in step["screen"]) or following and following["command"].startswith("echo $?")
            if run.code != 0 and not says:
                wrong.append(f"it ends with {run.code}, and the guide does not say so")
            if wrong:
                replaced.append((step, written))
                faults.append(f"FAIL {name} line {step['line']}: {'; '.join(wrong)}\n$ {step['command']}\n--- the terminal shows\n" + "\n".join(written))
                if not write:
                    break
        if write and replaced:
            lines = guide.path.read_text().splitlines()
            for step, written in reversed(replaced):
                lines[step["from"] : step["from"] + len(step["screen"])] = written
            guide.path.write_text("\n".join(lines) + "\n")
    return faults, count


def laws(guide, programs):
    """What a guide gets wrong without running."""
    name = guide.path.stem
    expected, reason = BY_HAND.get(name, (0, ""))
    if guide.by_hand() != expected:
        yield f"FAIL {name}: {guide.by_hand()} lines by hand, {expected} are expected in tools/devtools/guides.py: {reason}"
    if not any(kind == "console" for kind, _, _ in guide.blocks) and name not in WITHOUT:
        yield f"FAIL {name}: no command is run"
    for number, text in guide.sentences():
        if not text.startswith(LABELS) and (wrong := misnamed(text, programs)):
            yield f"FAIL {name} line {number}: {wrong}"
    for kind, start, lines in guide.blocks:
        yield from (f"FAIL {name} line {start + offset + 1}: more than 80 columns" for offset, line in enumerate(lines)
                    if kind == "console" and len(line) > 80 and not PROMPT.match(line) and not line.startswith("> "))


def configure(parser):
    parser.add_argument("cold", type=os.path.abspath, help="folder of heliograph and heliograph-scanner")
    parser.add_argument("hot", type=os.path.abspath, help="folder of heliograph-hot and heliograph-fixture")
    parser.add_argument("guides", nargs="*", type=pathlib.Path, help="articles (default: all of the catalog)")
    parser.add_argument("--write", action="store_true", help="write the screens that the programs show into the guides")


def run(options):
    programs = {name: os.path.join(folder, name) for name, folder in (("heliograph", options.cold), ("heliograph-hot", options.hot))}
    if not sessions.can_be_offline():
        skip("a network namespace for the guides")
        return 0
    files = options.guides or sorted(CATALOG.glob("*.md"))

    def result(path):
        try:
            guide = Guide(path)
            faults, count = check(guide, options.cold, options.hot, options.write)
            return [*faults, *laws(guide, programs)], count
        except Wrong as error:
            return [f"FAIL {path.stem} {error}"], 0

    # A guide waits more than it works, and shares nothing with the others.
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(result, files))
    failed, total = sum(bool(faults) for faults, _ in results), sum(count for _, count in results)
    print(*(fault for faults, _ in results for fault in faults), f"guides: {len(files) - failed} passed, {failed} failed; {total} commands", sep="\n")
    return 1 if failed or not total else 0
