"""Tries to open sockets from inside the shipped programs while they wait for input. Needs gdb and root (the programs refuse to be traced by others).
"""
import os
import pathlib
import re
import subprocess
import tempfile
import time

from .common import skip

FAMILIES = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16, "packet": 17, "bluetooth": 31, "vsock": 40}
EPERM = 1
passed, failed = 0, 0


def sockets_of(process):
    """What socket() answers inside a process, by family: a descriptor, or minus its errno."""
    words = ["gdb", "-q", "-batch", "-nx", "-p", str(process)]
    for number in FAMILIES.values():
        words += ["-ex", f"print ((int(*)(int,int,int))socket)({number},2,0)", "-ex", "print *((int*(*)(void))__errno_location)()"]
    text = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120).stdout
    values = [int(v) for v in re.findall(r"^\$\d+ = (-?\d+)$", text, re.M)]
    if len(values) != 2 * len(FAMILIES):
        raise SystemExit(f"sockets: gdb could not call socket() in process {process}:\n{text}")
    return {name: -errno if result < 0 else result for name, result, errno in zip(FAMILIES, values[::2], values[1::2])}


def check(name, holds, detail):
    global passed, failed
    passed, failed = passed + holds, failed + (not holds)
    print(f"{'ok  ' if holds else 'FAIL'} {name}{'' if holds else f': {detail}'}")


def waiting(words, **kwargs):
    """A program that has reached its first read."""
    child = subprocess.Popen([str(w) for w in words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **kwargs)
    time.sleep(1.5)
    if child.poll() is not None:
        raise SystemExit(f"sockets: {words[0]} ended with {child.returncode} instead of waiting")
    return child


def configure(parser):
    """Takes the folder of the offline programs."""
    parser.add_argument("binaries", type=pathlib.Path, help="folder of the built programs")


def run(options):
    """1 when a socket opens."""
    binaries = options.binaries.resolve()
    if os.geteuid() != 0:
        skip("root, which alone may look into a program that refuses to be traced")
        print("sockets: 0 passed, 0 failed")
        return 0
    control = waiting(["cat"])
    answers = sockets_of(control.pid)
    check("the probe opens a socket in a program that is not shut in", answers["unix"] >= 0 and answers["inet"] >= 0, answers)
    control.kill()
    with tempfile.TemporaryDirectory() as folder:
        reading, writing = os.pipe()
        os.write(writing, b"probe\n")
        vault = f"{folder}/vault"
        subprocess.run([binaries / "heliograph", "init", "--allow-online", "--kdf-cost", "test", "--vault", vault, "--passphrase-fd", str(reading)],
                       pass_fds=[reading], check=True, capture_output=True, stdin=subprocess.DEVNULL)
        programs = {
            "heliograph at its passphrase": waiting(
                [binaries / "heliograph", "seed", "new", "x", "--vault", vault, "--passphrase-fd", str(reading)], pass_fds=[reading]),
            "heliograph-scanner at its standard input": waiting([binaries / "heliograph-scanner", "-"]),
        }
        for name, child in programs.items():
            for family, answer in sockets_of(child.pid).items():
                check(f"no {family} socket in {name}", answer == -EPERM, answer)
            child.kill()
    print(f"sockets: {passed} passed, {failed} failed")
    return 1 if failed else 0
