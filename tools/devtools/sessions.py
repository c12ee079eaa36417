"""Runs the readable command-line sessions of Tests/Sessions: what is typed, what is answered, how it ends.

A session file is a name and steps; its file name is the behaviour that it shows:

    $ heliograph util ss58 5Grw…          a command; {work} is a folder that all steps of a file share
    <passphrase 3> correct horse          a line on descriptor 3; several such lines follow one another, 0 is standard input
    expected line of stdout               blank lines do not count; `…` stands for any text inside a line, a line `...` for any lines
    ! expected line of stderr
    ? 65                                  the exit code, 0 when absent; a program of this repository that refuses says why, and a session checks its words
    <passphrase 3> {passphrase}           six random words, others in each run: a vault with real keys refuses a passphrase that anybody can read here
    <answer tty> yes                      a line typed at a terminal when a question waits there; a step without one has no terminal. The question
                                          stands in stderr as a line, after all that was printed before it; the last one without an answer gets
                                          the end of the input
    <ahead tty> yes                       a line typed before the program starts, when no question is there yet
    <clock> 400 days                      the machine's clock is so far ahead in this step
    @offline                              the whole session runs without a network, in a network namespace; which CI requires
"""
import fcntl
import functools
import os
import pathlib
import pty
import re
import select
import shlex
import subprocess
import tempfile
import termios
import time

from .common import ROOT, binaries_option, drawn_passphrase, faults_library, side_by_side, skip


def steps(text):
    step = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#") or line == "@offline" or (not line.strip() and step is None):
            continue
        if line.startswith("$ "):
            if step:
                yield step
            step = {"line": number, "command": line[2:], "fds": {}, "out": [], "err": [], "code": 0}
        elif match := re.match(r"<(ahead|answer) tty>(?: (.*))?$", line):
            step.setdefault("tty", {"ahead": [], "answer": []})[match[1]].append(match[2] or "")
        elif match := re.match(r"<clock> (\d+) days$", line):
            step["days"] = int(match[1])
        elif match := re.match(r"<(?:\w+ )?(\d+)> (.*)", line):
            step["fds"].setdefault(int(match[1]), []).append(match[2])
        elif line.startswith("! "):
            step["err"].append(line[2:])
        elif line.startswith("? "):
            step["code"] = int(line[2:])
        elif line.strip():
            step["out"].append(line)
    if step:
        yield step


def pattern(lines):
    parts = []
    for line in lines:
        parts.append("(?:.*\n)*?" if line == "..." else ".*?".join(re.escape(p) for p in line.split("…")) + "\n")
    return re.compile("".join(parts))


END_OF_INPUT = b"\x04"

# A namespace of its own has no interface that is up; /sys shows the namespace that mounts it.
OFFLINE = ["unshare", "--map-root-user", "--net", "--mount", "sh", "-c", 'mount -t sysfs none /sys && exec "$@"', "--"]


def can_be_offline():
    return subprocess.run(OFFLINE + ["true"], capture_output=True).returncode == 0


@functools.cache
def passphrase(folder):
    """What stands for {passphrase} in the session of a folder."""
    return drawn_passphrase()


def filled(text, folder):
    """A text of a session with its folders and its passphrase in place."""
    if "{passphrase}" in text:
        text = text.replace("{passphrase}", passphrase(folder))
    return text.replace("{work}", folder).replace("{fixtures}", str(ROOT / "fixtures"))


def pipes(step, folder):
    """Ends of pipes that hold the lines of a step, each with the descriptor that it stands for."""
    keep = []
    for number, lines in step["fds"].items():
        reading, writing = os.pipe()
        os.write(writing, filled("".join(line + "\n" for line in lines), folder).encode())
        os.close(writing)
        keep.append((reading, number))
    return keep


def placer(keep, slave=None):
    """What runs in the child before the program: it gets its terminal and its descriptors."""
    def place():
        if slave is not None:
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for reading, number in keep:
            os.dup2(reading + 0, number + 100)
        for _, number in keep:
            os.dup2(number + 100, number)
    return place


def environment_for(binaries, days=0):
    """The variables of a program: none of this project's, its programs are found first, and its clock is some days ahead."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("HELIOGRAPH")}
    environment["PATH"] = f"{binaries}:{environment.get('PATH', '')}"
    return environment | ({"LD_PRELOAD": str(faults_library()), "FAULTS_CLOCK": str(days * 86_400)} if days else {})


def perform(step, folder, binaries, offline):
    """Exit code, stdout and stderr of one step."""
    words = shlex.split(filled(step["command"], folder))
    words[0] = os.path.join(binaries, words[0]) if os.path.exists(os.path.join(binaries, words[0])) else words[0]
    typed = step.get("tty")
    terminal = slave = None
    if typed is not None:
        terminal, slave = pty.openpty()
        os.write(terminal, "".join(line + "\n" for line in typed["ahead"]).encode())
    keep = pipes(step, folder)
    program = subprocess.Popen(OFFLINE * offline + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=environment_for(binaries, step.get("days", 0)), cwd=folder, close_fds=False, preexec_fn=placer(keep, slave),  # noqa: PLW1509
                               start_new_session=True)
    try:
        if typed is None:
            out, err = program.communicate(timeout=120)
        else:
            out, err = converse(program, terminal, list(typed["answer"]), folder)
    except BaseException:
        program.kill()
        raise
    finally:
        for end in [reading for reading, _ in keep] + [terminal, slave]:
            if end is not None:
                os.close(end)
    return program.wait(), out.decode(), err.decode()


def converse(program, terminal, answers, folder):
    """What the program printed; each line is typed when a question waits: text at the terminal that ends in a blank, not in a line end."""
    streams = {program.stdout.fileno(): b"", program.stderr.fileno(): b""}
    asked, is_echo = b"", False
    deadline = time.monotonic() + 120
    is_open = set(streams)
    while is_open:
        if time.monotonic() > deadline:
            raise subprocess.TimeoutExpired(program.args, 120)
        for stream in select.select([terminal, *is_open], [], [], 1)[0]:
            chunk = os.read(stream, 65536)
            if stream == terminal:
                if is_echo:
                    # The answer as the program shows it, up to its line end: blanks in it are no question.
                    _, end, chunk = chunk.partition(b"\n")
                    is_echo = not end
                asked += chunk
                continue
            streams[stream] += chunk
            if not chunk:
                is_open.discard(stream)
        question = asked.rsplit(b"\n", 1)[-1]
        # Everything printed before the question is read before the answer.
        if question.endswith(b" ") and not select.select([*is_open], [], [], 0)[0]:
            streams[program.stderr.fileno()] += question.rstrip() + b"\n"
            asked, is_echo = b"", True
            os.write(terminal, filled(answers.pop(0), folder).encode() + b"\n" if answers else END_OF_INPUT)
    if answers:
        streams[program.stderr.fileno()] += b"sessions: nobody asked for " + repr(answers).encode() + b"\n"
    program.stdout.close()
    program.stderr.close()
    return tuple(streams.values())


# How a program ends that a person interrupts: without words.
INTERRUPTED = 130


def is_wordless(step):
    """Whether a refusal of a program of this repository is checked by its exit code alone, so that any other refusal would pass."""
    is_ours = any(word.startswith("heliograph") for word in shlex.split(step["command"]))
    return is_ours and step["code"] not in (0, INTERRUPTED) and not step["out"] and not step["err"]


def differences(step, folder, binaries, offline):
    if is_wordless(step):
        yield "a refusal whose words are not checked"
    code, out, err = perform(step, folder, binaries, offline)
    out, err = [re.sub(r"\n\s*\n", "\n", text.replace(folder, "{work}")) for text in (out, err)]
    if code != step["code"]:
        yield f"exit code {code}, expected {step['code']}"
    if step["out"] and not pattern(step["out"]).fullmatch(out):
        yield "stdout differs"
    if step["err"] and not pattern(step["err"]).search(err):
        yield "stderr differs"
    if "sessions: nobody asked" in err:
        yield "a typed line was never asked for"
    if step["code"] != 0 and code == 0:
        yield "succeeded"
    yield ("text", out, err)


LATE = "late"


def hold(binaries, end, file):
    """What is wrong in a file, as lines, and how many of its steps ran, and how many of these have an exit code alone. None where it needs a namespace, and
    `LATE` when the time has come to an end before it began."""
    if end and time.monotonic() > end:
        return LATE
    offline = file.read_text().startswith("@offline\n")
    if offline and not can_be_offline():
        return skip(f"a network namespace for {file.stem}")
    total = bare = 0
    with tempfile.TemporaryDirectory() as folder:
        for step in steps(file.read_text()):
            total, bare = total + 1, bare + (not step["out"] and not step["err"])
            *told, (_, out, err) = differences(step, folder, binaries, offline)
            if told:
                return f"FAIL {file.stem} line {step['line']}: {'; '.join(told)}\n$ {step['command']}\n--- stdout\n{out}--- stderr\n{err}", total, bare
    return None, total, bare


def configure(parser):
    binaries_option(parser)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="session files (default: all of Tests/Sessions)")
    parser.add_argument("--seconds", type=int, help="begin no other file after this time (default: run all)")


def run(options):
    files = options.files or sorted((ROOT / "Tests/Sessions").glob("*.session"))
    end = options.seconds and time.monotonic() + options.seconds
    results = list(side_by_side(functools.partial(hold, options.binaries, end), files))
    ran = [result for result in results if result and result != LATE]
    failures = [failure for failure, _, _ in ran if failure]
    print(*failures, f"sessions: {len(ran) - len(failures)} passed, {len(failures)} failed; {sum(total for _, total, _ in ran)} steps, "
          f"{sum(bare for _, _, bare in ran)} with an exit code alone" + (f"; {results.count(LATE)} left out" if LATE in results else ""), sep="\n")
    return 1 if failures or len(ran) == len(failures) else 0
