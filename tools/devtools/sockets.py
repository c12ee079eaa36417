"""Tries what a locked-down program gave up, from inside the shipped programs while they wait for input.

gdb makes each call in the program's own process: sockets of every family, which fail, and calls that end the process, each in a program of its
own. Then the scanner's terminal: a program that a terminal started has given it up. Needs gdb and root (the programs refuse to be traced by
others).
"""
import errno
import fcntl
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import tempfile
import termios
import time

from .common import ROOT, skip

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
passed, failed = 0, 0


def number(call, otherwise):
    """The number of a call on this machine."""
    return NUMBERS.get(os.uname().machine, {}).get(call, otherwise)


def inside(process, *expressions):
    """The text that gdb prints about a process while it evaluates these expressions there."""
    words = ["gdb", "-q", "-batch", "-nx", "-p", str(process), *[word for expression in expressions for word in ("-ex", expression)]]
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
    """Prints a line and counts it."""
    global passed, failed
    passed, failed = passed + holds, failed + (not holds)
    print(f"{'ok  ' if holds else 'FAIL'} {name}{'' if holds else f': {detail}'}")


def status(process, field):
    """A field of /proc/PID/status."""
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
    """The kernel's limit on the memory of a command with a vault, beside what self-test tells."""
    limits = pathlib.Path(f"/proc/{child.pid}/limits").read_text()
    soft, hard = re.search(r"^Max data size +(\d+) +(\d+)", limits, re.M).groups()
    check("the kernel limits the memory of a command with a vault", int(soft) == int(hard) == told["memory_bytes_with_vault"], (soft, hard))


def check_program(name, start, told):
    """One program while it waits: calls that fail, and calls that end it, each in a process of its own."""
    child = start()
    for family, answer in sockets_of(child.pid).items():
        check(f"no {family} socket in {name}", answer == -EPERM, answer)
    init = answers_of(child.pid, [f"((long(*)(long,...))syscall)({number('kill', 62)}, 1, 0)"])[0]
    check(f"no signal to another process from {name}", init == -EPERM, init)
    # With these arguments the kernel complains of the descriptor and of the address where the calls are allowed.
    mapped, executed = answers_of(child.pid, [f"((long(*)(long,...))syscall)({number('mmap', 9)}, 0, 4096, 5, 2, -1, 0)",
                                              f"((long(*)(long,...))syscall)({number('execve', 59)}, 0, 0, 0)"])
    if name == "heliograph at its passphrase":
        check_memory(child, told["reading_limits"])
    if "shell" in name:
        check(f"{name} may start the scanner", (mapped, executed) == (-errno.EBADF, -errno.EFAULT), (mapped, executed))
    else:
        check(f"no file becomes code in {name}", mapped == -EPERM, mapped)
        check(f"no program is started from {name}", executed == -EPERM, executed)
    child.kill()
    child.wait()
    # One program shows them all: the others have the same lists.
    for what in ENDING if name == "heliograph at its passphrase" else SAMPLE:
        call, here, arguments = ENDING[what]
        child = start()
        check(f"{what} ends {name}", ends(child, call, here, arguments))
        child.kill()
        child.wait()


def check_terminal(scanner):
    """A scanner that a shell at a terminal starts: the shell keeps the terminal, the scanner gives it up."""
    master, slave = pty.openpty()
    reading, writing = os.pipe()

    def take():
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    shell = subprocess.Popen(["sh", "-c", f"exec 3<&0; {scanner} - <&3 & wait"], stdin=reading, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, preexec_fn=take, pass_fds=[slave])  # noqa: PLW1509
    try:
        time.sleep(1)
        child = int(pathlib.Path(f"/proc/{shell.pid}/task/{shell.pid}/children").read_text().split()[0])
        check("the shell has a controlling terminal", terminal_of(shell.pid) != 0, "0")
        check("the scanner that it started has none", terminal_of(child) == 0, terminal_of(child))
        workers = pathlib.Path(f"/proc/{child}/task/{child}/children").read_text().split()
        check("its workers have none", workers and all(terminal_of(worker) == 0 for worker in workers), workers)
    finally:
        os.close(writing)
        os.close(reading)
        shell.wait(timeout=30)
        os.close(master)
        os.close(slave)


def configure(parser):
    """Takes the folder of the offline programs."""
    parser.add_argument("binaries", type=pathlib.Path, help="folder of the built programs")


def run(options):
    """1 when something works that must not."""
    binaries = options.binaries.resolve()
    if os.geteuid() != 0:
        skip("root, which alone may look into a program that refuses to be traced")
        print("sockets: 0 passed, 0 failed")
        return 0
    control = waiting(["cat"], filtered=False)
    answers = sockets_of(control.pid)
    check("the probe opens a socket in a program that is not shut in", answers["unix"] >= 0 and answers["inet"] >= 0, answers)
    for name, (call, here, arguments) in ENDING.items():
        call_in(control.pid, call, here, arguments)
        check(f"{name} does not end a program that is not shut in", control.poll() is None)
    control.kill()
    control.wait()
    with tempfile.TemporaryDirectory() as folder:
        reading, writing = os.pipe()
        os.write(writing, b"probe\n")
        vault = f"{folder}/vault"
        make = ["init", "--allow-online", "--kdf-cost", "test", "--verifier", "none", "--networks", "none"]
        subprocess.run([binaries / "heliograph", *make, "--vault", vault, "--passphrase-fd", str(reading)],
                       pass_fds=[reading], check=True, capture_output=True, stdin=subprocess.DEVNULL)
        told = json.loads(subprocess.run([binaries / "heliograph", "self-test", "--json"], capture_output=True, text=True, check=True).stdout)
        update = ["scan", "--approve", "--hex", f"@{ROOT / 'fixtures/updates/specs.hex'}"]
        programs = {
            "heliograph at its passphrase": lambda: waiting(
                [binaries / "heliograph", "seed", "new", "x", "--vault", vault, "--passphrase-fd", str(reading)], pass_fds=[reading]),
            "heliograph at its passphrase after a scan": lambda: waiting(
                [binaries / "heliograph", *update, "--vault", vault, "--passphrase-fd", str(reading)], pass_fds=[reading]),
            "a shell at its prompt": lambda: waiting([binaries / "heliograph", "shell", "--vault", vault]),
            "heliograph-scanner at its standard input": lambda: waiting([binaries / "heliograph-scanner", "-"]),
        }
        for name, start in programs.items():
            check_program(name, start, told)
        os.close(reading)
        os.close(writing)
    check_terminal(binaries / "heliograph-scanner")
    print(f"sockets: {passed} passed, {failed} failed")
    return 1 if failed else 0
