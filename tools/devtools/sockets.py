"""Tries what a locked-down program gave up, from inside the shipped programs while they wait for input.

gdb makes each call in the program's own process: sockets of every family, which fail, and calls that end the process, each in a program of its
own. Then the scanner's terminal: a program that a terminal started has given it up. Needs gdb and root (the programs refuse to be traced by
others).
"""
import errno
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

from .common import ROOT, binaries_option, side_by_side, skip
from .offline import Signer
from .terminals import AtTerminal

FAMILIES = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16, "packet": 17, "bluetooth": 31, "vsock": 40}
# Calls that worked after an injection when the filter was a list of what is forbidden; the program's own memory serves for texts.
ENDING = {
    "fsopen": ("fsopen", 430, '"tmpfs", 0'), "open_tree": ("open_tree", 428, '-100, "/", 0'), "memfd_create": ("memfd_create", 319, '"x", 0'),
    "pidfd_open": ("pidfd_open", 434, "1, 0"), "shmget": ("shmget", 29, "305419896, 0, 0"), "a page made executable": ("mprotect", 10, "$page, 4096, 5"),
    "a character for the terminal": ("ioctl", 16, "0, 0x5412, $page"),
}
SAMPLE = ["memfd_create", "a page made executable"]
# The same on another architecture.
NUMBERS = {"aarch64": {"fsopen": 430, "open_tree": 428, "memfd_create": 279, "pidfd_open": 434, "shmget": 194, "mprotect": 226, "ioctl": 29, "kill": 129,
                       "mmap": 222, "execve": 221}}
EPERM = errno.EPERM
# The program that shows every call which ends it: the others have the same lists.
WHOLE = "heliograph at its passphrase"


def number(call, otherwise):
    """The number of a call on this machine."""
    return NUMBERS.get(os.uname().machine, {}).get(call, otherwise)


def inside(process, *expressions):
    """The text that gdb prints about a process while it evaluates these expressions there."""
    words = ["gdb", "-q", "-batch", "-nx", "--readnever", "-p", str(process), *[word for expression in expressions for word in ("-ex", expression)]]
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
    return done.stdout + done.stderr


def errno_of(call):
    """Two expressions: what a call returns, and errno."""
    return f"print (long){call}", "print *((int*(*)(void))__errno_location)()"


def answers_of(process, calls):
    """What calls answer inside a process: the result, or minus its errno."""
    text = inside(process, *[expression for call in calls for expression in errno_of(call)])
    values = [int(v) for v in re.findall(r"^\$\d+ = (-?\d+)$", text, re.M)]
    if len(values) != 2 * len(calls):
        raise SystemExit(f"sockets: gdb could not call into process {process}:\n{text}")
    return [-reason if result < 0 else result for result, reason in zip(values[::2], values[1::2])]


def sockets_of(process):
    """What socket() answers inside a process, by family."""
    return dict(zip(FAMILIES, answers_of(process, [f"((int(*)(int,int,int))socket)({family},2,0)" for family in FAMILIES.values()])))


def call_in(process, call, here, arguments):
    """Makes a call in a process; `$page` is a page of its own stack, which the call may change."""
    inside(process, "set $page = ((long)$sp) & ~4095", f"print ((long(*)(long,...))syscall)({number(call, here)}, {arguments})")


def ends(child, call, here, arguments):
    """Whether a call ends the process with SIGSYS."""
    call_in(child.pid, call, here, arguments)
    try:
        return child.wait(timeout=10) == -signal.SIGSYS
    except subprocess.TimeoutExpired:
        return False


def check(name, holds, detail=""):
    """The line of a check."""
    return f"{'ok  ' if holds else 'FAIL'} {name}{'' if holds else f': {detail}'}"


def status(process, field):
    return re.search(rf"^{field}:\s*(\S+)", pathlib.Path(f"/proc/{process}/status").read_text(), re.M)[1]


def waiting(words, filtered=True, **kwargs):
    """A program that is shut in and has reached its first read."""
    child = subprocess.Popen([str(w) for w in words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **kwargs)
    for _ in range(100):
        time.sleep(0.05)
        if child.poll() is not None:
            raise SystemExit(f"sockets: {words[0]} ended with {child.returncode} instead of waiting")
        if not filtered or status(child.pid, "Seccomp") == "2":
            # From the filter to the first read.
            time.sleep(0.3)
            return child
    raise SystemExit(f"sockets: {words[0]} is not shut in after 5 seconds")


def terminal_of(process):
    """The controlling terminal of a process, 0 for none."""
    return int(pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[4])


def check_memory(child, told):
    """The kernel's limit on the memory of a command with a vault, beside what self-test tells: the line of the check."""
    limits = pathlib.Path(f"/proc/{child.pid}/limits").read_text()
    soft, hard = re.search(r"^Max data size +(\d+) +(\d+)", limits, re.M).groups()
    return check("the kernel limits the memory of a command with a vault", int(soft) == int(hard) == told["memory_bytes_with_vault"], (soft, hard))


def check_control():
    """A program that is not shut in: the calls work there, so their failure elsewhere says something."""
    control = waiting(["cat"], filtered=False)
    answers = sockets_of(control.pid)
    yield check("the probe opens a socket in a program that is not shut in", answers["unix"] >= 0 and answers["inet"] >= 0, answers)
    for name, (call, here, arguments) in ENDING.items():
        call_in(control.pid, call, here, arguments)
        yield check(f"{name} does not end a program that is not shut in", control.poll() is None)
    control.kill()
    control.wait()


def check_refusals(name, start, told):
    """One program while it waits: calls that fail."""
    child = start()
    for family, answer in sockets_of(child.pid).items():
        yield check(f"no {family} socket in {name}", answer == -EPERM, answer)
    init = answers_of(child.pid, [f"((long(*)(long,...))syscall)({number('kill', 62)}, 1, 0)"])[0]
    yield check(f"no signal to another process from {name}", init == -EPERM, init)
    # With these arguments the kernel complains of the descriptor and of the address where the calls are allowed.
    mapped, executed = answers_of(child.pid, [f"((long(*)(long,...))syscall)({number('mmap', 9)}, 0, 4096, 5, 2, -1, 0)",
                                              f"((long(*)(long,...))syscall)({number('execve', 59)}, 0, 0, 0)"])
    if name == WHOLE:
        yield check_memory(child, told["reading_limits"])
    if "shell" in name:
        yield check(f"{name} may start the scanner", (mapped, executed) == (-errno.EBADF, -errno.EFAULT), (mapped, executed))
    else:
        yield check(f"no file becomes code in {name}", mapped == -EPERM, mapped)
        yield check(f"no program is started from {name}", executed == -EPERM, executed)
    child.kill()
    child.wait()


def check_end(name, start, what):
    """A call that ends a program, which is started for it."""
    call, here, arguments = ENDING[what]
    child = start()
    yield check(f"{what} ends {name}", ends(child, call, here, arguments))
    child.kill()
    child.wait()


def check_terminal(scanner):
    """A scanner that a shell at a terminal starts: the shell keeps the terminal, the scanner gives it up."""
    reading, writing = os.pipe()
    # The descriptor may have two digits, which not every sh takes.
    shell = AtTerminal(["bash", "-c", f"{scanner} - <&{reading} >/dev/null 2>&1 & wait"], pass_fds=[reading])
    try:
        time.sleep(1)
        child = int(pathlib.Path(f"/proc/{shell.process.pid}/task/{shell.process.pid}/children").read_text().split()[0])
        yield check("the shell has a controlling terminal", terminal_of(shell.process.pid) != 0, "0")
        yield check("the scanner that it started has none", terminal_of(child) == 0, terminal_of(child))
        workers = pathlib.Path(f"/proc/{child}/task/{child}/children").read_text().split()
        yield check("its workers have none", workers and all(terminal_of(worker) == 0 for worker in workers), workers)
    finally:
        os.close(writing)
        os.close(reading)
        shell.end(30)
        shell.close()


configure = binaries_option


def parts(binaries, vault, reading, told):
    """What is checked side by side: each part gives its lines."""
    update = ["scan", "--approve", "--hex", f"@{ROOT / 'fixtures/updates/specs.hex'}"]
    asked = ["--vault", vault, "--passphrase-fd", str(reading)]
    programs = {
        WHOLE: ([binaries / "heliograph", "seed", "new", "x", *asked], [reading]),
        f"{WHOLE} after a scan": ([binaries / "heliograph", *update, *asked], [reading]),
        "a shell at its prompt": ([binaries / "heliograph", "shell", "--vault", vault], []),
        "heliograph-scanner at its standard input": ([binaries / "heliograph-scanner", "-"], []),
    }
    yield check_control
    for name, (words, descriptors) in programs.items():
        start = functools.partial(waiting, words, pass_fds=descriptors)
        yield functools.partial(check_refusals, name, start, told)
        for what in ENDING if name == WHOLE else SAMPLE:
            yield functools.partial(check_end, name, start, what)
    yield functools.partial(check_terminal, binaries / "heliograph-scanner")


def lines(part):
    """The lines of a part."""
    return list(part())


def run(options):
    binaries = options.binaries
    if os.geteuid() != 0:
        skip("root, which alone may look into a program that refuses to be traced")
        print("sockets: 0 passed, 0 failed")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        # Nobody writes the passphrase that the programs wait for.
        reading, writing = os.pipe()
        vault = Signer(binaries, f"{folder}/vault").make("--verifier", "none", "--networks", "none").vault
        told = json.loads(subprocess.run([binaries / "heliograph", "self-test", "--json"], capture_output=True, text=True, check=True).stdout)
        found = [line for part in side_by_side(lines, parts(binaries, vault, reading, told)) for line in part]
        os.close(reading)
        os.close(writing)
    print("\n".join(found))
    failed = sum(line.startswith("FAIL") for line in found)
    print(f"sockets: {len(found) - failed} passed, {failed} failed")
    return 1 if failed else 0
