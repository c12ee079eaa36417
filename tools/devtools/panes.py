"""Runs the terminal panes of Tests/Panes: what a person sees and which keys are pressed.

A pane file is lines; its file name is the behaviour that it shows:

    @size 80x24                   columns and rows of the terminal for the commands below (default: 80x24)
    @term xterm-256color          its TERM (default: xterm-256color)
    @offline                      the commands below run in a network namespace; which CI requires
    @set NAME=VALUE               a variable of the commands below; @unset NAME removes one. LC_ALL is C.UTF-8, HOME is {work}
    $ heliograph init …           prepares, without a terminal; it must exit with 0
    % heliograph scan …           runs at the terminal, which starts empty; {work} is a folder that all commands of a file share
    <passphrase 3> right          a line on descriptor 3 of the command above, as in a session
    |Network: …                   the pane, row by row, once nothing changes any more; `…` stands for any text inside a row, a row `|...` for any rows.
                                  Empty rows at its end need no line
    <key> Space G C-c             keys that are pressed: named ones, C- with a letter, x*300 for many, any other character as itself; 0xF0 is a byte
    <type> transfer all           a line that is typed, with Enter
    <wait> passphrase:            waits until the pane shows this text
    <look> bold red: warning      the attributes of the text where it is first shown; `plain` for none
    <draw> .github/review.svg     the pane as a picture is this file of the repository
    <gone> abandon                this text is neither on the pane nor in the scrollback
    <resize> 40x10                another size of the window
    <signal> TERM                 a signal to the program
    <mode> usual                  the terminal is as a shell wants it: lines, echo, the cursor, no alternate screen; `keys` for a full screen
    ? 130                         the program ends with this exit code; -15 for the signal 15

`--write`, as the last word, puts the panes that are shown into the files in place of those that differ. Read what it wrote before you commit it.
"""
import functools
import os
import pathlib
import re
import shlex
import signal
import tempfile
import termios
import time

import pyte

from . import drawing, sessions
from .common import ROOT, binaries_option, side_by_side, skip
from .terminals import PATIENCE, AtTerminal

# Seconds for which nothing may change before a pane is compared, and before it is written.
QUIET, SETTLED = 0.06, 0.8
KEYS = {"Space": " ", "Enter": "\r", "Esc": "\x1b", "Tab": "\t", "Backspace": "\x7f", "Up": "\x1bOA", "Down": "\x1bOB", "Right": "\x1bOC", "Left": "\x1bOD",
        "Home": "\x1bOH", "End": "\x1bOF", "PageUp": "\x1b[5~", "PageDown": "\x1b[6~", "Delete": "\x1b[3~"}
ALTERNATE = 1049


class Terminal(pyte.Screen):
    """A terminal with what pyte lacks: an alternate screen, a scrollback that 3J clears, and the repetition of a character."""

    def __init__(self, columns, rows):
        self.past, self.hidden, self.answers = [], None, []
        super().__init__(columns, rows)

    def set_mode(self, *modes, **options):
        if ALTERNATE in modes and options.get("private") and self.hidden is None:
            self.hidden = {y: dict(line) for y, line in self.buffer.items()}, self.cursor.x, self.cursor.y
            self.erase_in_display(2)
        super().set_mode(*modes, **options)

    def reset_mode(self, *modes, **options):
        super().reset_mode(*modes, **options)
        if ALTERNATE in modes and options.get("private") and self.hidden is not None:
            lines, column, row = self.hidden
            self.hidden = None
            self.erase_in_display(2)
            for y, line in lines.items():
                self.buffer[y].update(line)
            self.cursor.x, self.cursor.y = min(column, self.columns - 1), min(row, self.lines - 1)

    def erase_in_display(self, how=0, *rest, **options):
        if how == 3:
            self.past = []
        else:
            super().erase_in_display(how, *rest, **options)

    def index(self):
        top, bottom = self.margins or (0, self.lines - 1)
        if self.hidden is None and top == 0 and self.cursor.y == bottom:
            self.past.append(self.text(0))
        super().index()

    def draw(self, data):
        self.last = data[-1:]
        super().draw(data)

    def repeat(self, count=1):
        self.draw(self.last * count)

    def scroll_up(self, count=1):
        self.scroll(count, lambda top, bottom: (bottom, self.index))

    def scroll_down(self, count=1):
        self.scroll(count, lambda top, bottom: (top, self.reverse_index))

    def scroll(self, count, way):
        kept = self.cursor.x, self.cursor.y
        row, step = way(*(self.margins or (0, self.lines - 1)))
        self.cursor.y = row
        for _ in range(count or 1):
            step()
        self.cursor.x, self.cursor.y = kept

    def write_process_input(self, data):
        self.answers.append(data)

    def text(self, row):
        """A row without the blanks at its end."""
        return "".join(self.buffer[row][column].data for column in range(self.columns)).rstrip()

    def rows(self):
        """All rows, without the empty ones at the end."""
        found = [self.text(row) for row in range(self.lines)]
        while found and not found[-1]:
            found.pop()
        return found

    def look(self, text):
        """The attributes of a text where it is first shown, as words; None where it is not."""
        for row in range(self.lines):
            column = self.text(row).find(text)
            if column >= 0:
                cells = [self.buffer[row][column + offset] for offset in range(len(text))]
                looks = {" ".join(look_of(cell)) or "plain" for cell in cells if cell.data.strip()}
                return " | ".join(sorted(looks))
        return None


def look_of(cell):
    """The attributes of a character that are not the usual ones."""
    for name, word in (("bold", "bold"), ("underscore", "underlined"), ("reverse", "reverse")):
        if getattr(cell, name):
            yield word
    if cell.fg != "default":
        yield cell.fg
    if cell.bg != "default":
        yield f"on {cell.bg}"


class Stream(pyte.ByteStream):
    """Knows the sequences of the terminal above, too."""

    csi = {**pyte.ByteStream.csi, "b": "repeat", "S": "scroll_up", "T": "scroll_down"}
    events = pyte.ByteStream.events | {"repeat", "scroll_up", "scroll_down"}


def size(text):
    columns, rows = text.split("x")
    return int(columns), int(rows)


class Screen(AtTerminal):
    """A program and the cells of its terminal."""

    def __init__(self, words, size, **options):
        self.screen = Terminal(*size)
        self.stream = Stream(self.screen)
        super().__init__(words, size, **options)

    def resize(self, columns, rows):
        super().resize(columns, rows)
        if (rows, columns) != (self.screen.lines, self.screen.columns):
            self.screen.resize(rows, columns)

    def feed(self, chunk):
        self.stream.feed(chunk)
        while self.screen.answers:
            AtTerminal.press(self, self.screen.answers.pop(0))


class Program(Screen):
    """A command of a pane, with its descriptors."""

    def __init__(self, step, folder, binaries, setting):
        keep = sessions.pipes(step, folder)
        environment = sessions.environment_for(binaries) | {"LC_ALL": "C.UTF-8", "HOME": folder, "TERM": setting["term"]}
        environment = {name: value for name, value in (environment | setting["set"]).items() if name not in setting["unset"]}
        words = sessions.OFFLINE * setting["offline"] + shlex.split(sessions.filled(step["command"], folder))
        super().__init__(words, size(setting["size"]), prepare=sessions.placer(keep), env=environment, cwd=folder, close_fds=False)
        for reading, _ in keep:
            os.close(reading)

    def until(self, is_reached, patience=PATIENCE, quiet=QUIET):
        return super().until(is_reached, patience, quiet)

    def is_usual(self):
        """Whether the terminal takes lines, echoes them and shows a cursor, on its first screen."""
        usual = termios.ICANON | termios.ECHO | termios.ISIG
        return self.flags & usual == usual and self.screen.hidden is None and not self.screen.cursor.hidden


def parts(text):
    """The lines of a file as (number, kind, words), rows of one pane together."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("|"):
            if found and found[-1][1] == "|" and found[-1][0] + len(found[-1][2]) == number:
                found[-1][2].append(line[1:])
            else:
                found.append((number, "|", [line[1:]]))
        elif match := re.match(r"<(?:\w+ )?(\d+)> (.*)", line):
            found[-1][2]["fds"].setdefault(int(match[1]), []).append(match[2])
        elif line == "@offline":
            found.append((number, line, ""))
        elif line[:2] in ("$ ", "% "):
            found.append((number, line[0], {"command": line[2:], "fds": {}}))
        elif match := re.match(r"(@\w+|<\w+>|\?) (.*)", line):
            found.append((number, match[1], match[2]))
        elif line.strip() and not line.startswith("#"):
            raise SystemExit(f"panes: line {number} is not understood: {line}")
    return found


def keys(text):
    """What named keys send."""
    sent = ""
    for word in text.split():
        if re.fullmatch(r"C-[A-Za-z\\]", word):
            sent += chr(ord(word[2].upper()) - 64)
        elif many := re.fullmatch(r"(.)\*(\d+)", word):
            sent += many[1] * int(many[2])
        elif byte := re.fullmatch(r"0x([0-9A-F]{2})", word):
            sent += bytes.fromhex(byte[1]).decode(errors="surrogateescape")
        else:
            sent += KEYS.get(word) or word
    return sent


class Failed(Exception):
    """What differs."""


class Run:
    def __init__(self, file, folder, binaries, write):
        self.file, self.folder, self.binaries, self.write = file, folder, binaries, write
        unset = {"NO_COLOR", "COLUMNS", "LINES", "TERMINFO", "TERMINFO_DIRS"}
        self.setting = {"offline": False, "size": "80x24", "term": "xterm-256color", "set": {}, "unset": unset}
        self.program, self.shown, self.panes = None, {}, 0

    def shows(self, rows):
        actual = [row.replace(self.folder, "{work}") for row in self.program.screen.rows()]
        return sessions.pattern(rows).fullmatch("".join(row + "\n" for row in actual))

    def pane(self, number, rows):
        rows = list(rows)
        while rows and not rows[-1]:
            rows.pop()
        self.panes += 1
        if self.write:
            self.program.until(lambda: bool(self.program.screen.rows()), quiet=SETTLED)
            if not self.shows(rows):
                self.shown[number] = self.program.screen.rows()
        elif not self.program.until(lambda: self.shows(rows)):
            raise Failed("the pane differs")

    def draw(self, words):
        """Compares the pane as a picture with a file, or writes it."""
        self.program.until(lambda: True, quiet=SETTLED)
        picture, file = drawing.svg(self.program.screen, self.file.stem.replace("-", " ")), ROOT / words
        if self.write:
            file.write_text(picture)
        elif not file.exists() or file.read_text() != picture:
            raise Failed(f"{words} shows something else; write it with --write")

    def setting_line(self, kind, words):
        if kind == "@set":
            name, value = words.split("=", 1)
            self.setting["set"][name] = sessions.filled(value, self.folder)
            self.setting["unset"].discard(name)
        elif kind == "@offline":
            self.setting["offline"] = True
        elif kind == "@unset":
            self.setting["unset"].add(words)
        elif kind in ("@size", "@term"):
            self.setting[kind[1:]] = words
        else:
            raise Failed(f"{kind} is not understood")

    def check(self, kind, words):
        """A line that says something about what is shown."""
        if kind == "<wait>":
            if not self.program.until(lambda: any(words in row for row in self.program.screen.rows())):
                raise Failed("the text does not come")
        elif kind == "<gone>":
            self.program.until(lambda: True)
            if any(words in row for row in self.program.screen.rows() + self.program.screen.past):
                raise Failed("the text is still there")
        elif kind == "<mode>":
            if not self.program.until(lambda: self.program.is_usual() == (words == "usual"), patience=3):
                raise Failed("the terminal is not in this mode")
        else:
            look, text = words.split(": ", 1)
            if not self.program.until(lambda: self.program.screen.look(text) == look, patience=3):
                raise Failed(f"it looks {self.program.screen.look(text)}")

    def perform(self, number, kind, words):
        if kind.startswith("@"):
            self.setting_line(kind, words)
        elif kind == "$":
            code, out, err = sessions.perform(words, self.folder, self.binaries, self.setting["offline"])
            if code != 0:
                raise Failed(f"exit code {code}\n{out}{err}")
        elif kind == "%":
            self.close()
            self.program = Program(words, self.folder, self.binaries, self.setting)
        elif kind == "|":
            self.pane(number, words)
        elif kind == "<key>":
            self.program.press(keys(words))
        elif kind == "<type>":
            self.program.press(sessions.filled(words, self.folder) + "\r")
        elif kind == "<resize>":
            self.program.resize(*size(words))
        elif kind == "<signal>":
            os.kill(self.program.process.pid, signal.Signals[f"SIG{words}"])
        elif kind == "<draw>":
            self.draw(words)
        elif kind == "?":
            code = self.program.end()
            if code != int(words):
                raise Failed("it goes on" if code is None else f"exit code {code}")
        elif kind in ("<wait>", "<gone>", "<look>", "<mode>"):
            self.check(kind, words)
        else:
            raise Failed(f"{kind} is not understood")

    def close(self):
        if self.program:
            self.program.close()

    def rewrite(self):
        """Puts the panes that were shown into the file."""
        lines, starts = self.file.read_text().splitlines(), {number: rows for number, kind, rows in parts(self.file.read_text()) if kind == "|"}
        for number in sorted(self.shown, reverse=True):
            rows = ["|" + row.replace(self.folder, "{work}") for row in self.shown[number]] or ["|"]
            lines[number - 1 : number - 1 + len(starts[number])] = rows
        self.file.write_text("\n".join(lines) + "\n")

    def run(self):
        """What differs, with what is shown; None where the file holds."""
        try:
            for number, kind, words in parts(self.file.read_text()):
                try:
                    self.perform(number, kind, words)
                except Failed as failed:
                    rows = self.program.screen.rows() if self.program else []
                    return "\n".join([f"FAIL {self.file.stem} line {number}: {failed}", *("|" + row for row in rows)])
            return None
        finally:
            self.close()
            if self.shown:
                self.rewrite()


def hold(binaries, write, file):
    """What differs in a file, and how many panes it showed. None where it needs a namespace."""
    if "\n@offline\n" in f"\n{file.read_text()}" and not sessions.can_be_offline():
        return skip(f"a network namespace for {file.stem}")
    with tempfile.TemporaryDirectory() as folder:
        one = Run(file, folder, binaries, write)
        return one.run(), one.panes


def configure(parser):
    binaries_option(parser)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="pane files (default: all of Tests/Panes)")
    parser.add_argument("--write", action="store_true", help="write the panes that differ into the files")


def run(options):
    start, files = time.monotonic(), options.files or sorted((ROOT / "Tests/Panes").glob("*.pane"))
    ran = [result for result in side_by_side(functools.partial(hold, options.binaries, options.write), files) if result]
    failures = [failure for failure, _ in ran if failure]
    told = f"{sum(panes for _, panes in ran)} panes in {time.monotonic() - start:.0f} s"
    print(*failures, f"panes: {len(ran) - len(failures)} files passed, {len(failures)} failed; {told}", sep="\n")
    return 1 if failures or len(ran) == len(failures) else 0
