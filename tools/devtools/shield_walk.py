"""Walks a vault that blocks while the device is online through a network namespace of its own.

Offline, online, offline again, acknowledged: by single commands and in a shell. Then an adapter that is plugged in, used and unplugged while no
command runs. Needs root and ip; without them it says so; `tools/dev check` fails then.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from .common import ROOT, binaries_option, drawn_passphrase, secret_lines, skip

PASSPHRASE = drawn_passphrase()
# The kinds of interface that a kernel may have without hardware.
KINDS = ["dummy", "ifb", "bridge"]


class Broken(Exception):
    """A step of the walk that ends otherwise than expected."""


class Walk:
    """One vault and one network namespace."""

    def __init__(self, program, space, work):
        self.program, self.space, self.work = program, space, work
        self.log = work / "log"

    def inside(self, *words, **options):
        return subprocess.run(["ip", "netns", "exec", self.space, *map(str, words)], **options)

    def link(self, state):
        self.inside("ip", "link", "set", "net0", state, check=True)

    def expect(self, code, *words):
        """The program's exit code in the namespace."""
        with secret_lines({"--passphrase-fd": PASSPHRASE}) as (options, descriptors):
            command = [self.program, *words, "--vault", self.work / "vault", *options]
            done = self.inside(*command, pass_fds=descriptors, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode != code:
            raise Broken(f"{' '.join(map(str, words))} ended with {done.returncode}, expected {code}\n{done.stdout}{done.stderr}")

    def commands(self):
        """Single commands: what the vault does while the device is online, and until that is acknowledged."""
        self.expect(0, "init")
        self.expect(0, "log", "note", "offline")
        if not any(self.inside("ip", "link", "add", "net0", "type", kind, capture_output=True).returncode == 0 for kind in KINDS):
            raise Broken("no interface can be added")
        self.link("up")
        self.expect(77, "init")
        self.expect(77, "log", "note", "online")
        self.expect(77, "shield", "acknowledge")
        # Refused before the question: nobody is asked about something that would be refused.
        self.expect(77, "network", "remove", "polkadot")
        self.expect(77, "log", "clear")
        self.expect(77, "scan", "--hex", f"@{ROOT / 'fixtures/derived/specs.hex'}")
        self.link("down")
        self.expect(77, "log", "note", "offline again, but nobody has said that it is fine")
        self.expect(0, "shield", "acknowledge")
        self.expect(0, "log", "note", "acknowledged")
        self.expect(1, "shield", "acknowledge")

    def answered(self, said, text, what):
        """Waits until the shell has printed the text after its first `said` bytes."""
        for _ in range(100):
            if text.encode() in self.log.read_bytes()[said:]:
                return
            time.sleep(0.1)
        raise Broken(f"the shell's answer to {what} does not hold {text}\n{self.log.read_text(errors='replace')}")

    def say(self, shell, line, text):
        """A line for the shell, whose answer holds the text."""
        said = self.log.stat().st_size
        shell.stdin.write(line.encode() + b"\n")
        shell.stdin.flush()
        self.answered(said, text, line)

    def shell(self):
        """An unlocked shell locks itself when the network comes, refuses what touches a secret, and asks again after the acknowledgement."""
        with secret_lines({"--passphrase-fd": f"{PASSPHRASE}\n{PASSPHRASE}"}) as (options, descriptors), open(self.log, "wb") as log:
            command = ["ip", "netns", "exec", self.space, self.program, "shell", "--vault", self.work / "vault", *options]
            shell = subprocess.Popen(command, pass_fds=descriptors, stdin=subprocess.PIPE, stdout=log, stderr=log)
        try:
            self.say(shell, "log note 'in the shell'", "recorded the note in the log")
            said = self.log.stat().st_size
            self.link("up")
            self.answered(said, "locked: the device went online", "the network")
            self.say(shell, "log note online", "exit 77")
            self.link("down")
            self.say(shell, "log note 'offline again'", "exit 77")
            self.say(shell, "shield acknowledge", "acknowledged that")
            self.say(shell, "log note acknowledged", "recorded the note in the log")
            shell.stdin.close()
            if shell.wait() != 0:
                raise Broken(f"the shell ended with {shell.returncode}\n{self.log.read_text(errors='replace')}")
        finally:
            shell.kill()
            shell.wait()

    def send(self, address):
        """A datagram from inside the namespace."""
        program = """
import socket, sys
family = socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET
socket.socket(family, socket.SOCK_DGRAM).sendto(bytes(900), (sys.argv[1], 9))
"""
        self.inside(sys.executable, "-c", program, address, check=True)

    def adapter(self):
        """An adapter that was there only between two commands. What stays inside the machine is no traffic."""
        self.inside("ip", "link", "set", "lo", "up", check=True)
        self.send("127.0.0.1")
        self.send("::1")
        self.expect(0, "log", "note", "loopback is nobody's network")
        self.inside("ip", "link", "add", "net1", "type", "veth", "peer", "name", "net2", check=True)
        self.inside("ip", "addr", "add", "10.9.0.1/24", "dev", "net1", check=True)
        self.inside("ip", "link", "set", "net1", "up", check=True)
        self.inside("ip", "link", "set", "net2", "up", check=True)
        self.inside("ip", "neigh", "add", "10.9.0.2", "lladdr", "02:00:00:00:00:01", "dev", "net1", check=True)
        self.send("10.9.0.2")
        self.inside("ip", "link", "delete", "net1", check=True)
        shown = self.inside(self.program, "shield", "--vault", self.work / "vault", capture_output=True, text=True, check=True).stdout
        if not re.match(r"unacknowledged\n  IP outside loopback received \d+ bytes and sent \d\d+ bytes\n", shown):
            raise Broken(f"the shield does not show the adapter that is gone:\n{shown}")
        self.expect(77, "log", "note", "after the adapter")
        self.expect(0, "shield", "acknowledge")
        self.expect(0, "log", "note", "acknowledged")

    def events(self):
        """The log holds the three times that the device was online and the acknowledgements."""
        shown = self.inside(self.program, "log", "show", "--vault", self.work / "vault", capture_output=True, text=True, check=True).stdout
        count = sum("device online" in line or "online acknowledged" in line for line in shown.splitlines())
        if count != 6:
            raise Broken(f"{count} events, expected three times that it was online and was acknowledged")


configure = binaries_option


def run(options):
    space = f"heliograph-walk-{os.getpid()}"
    add = ["ip", "netns", "add", space]
    if os.geteuid() != 0 or not shutil.which("ip") or subprocess.run(add, capture_output=True).returncode != 0:
        skip("network namespaces, which need root and ip netns")
        print("shield-walk: nothing was walked")
        return 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            walk = Walk(options.binaries / "heliograph", space, pathlib.Path(folder))
            walk.commands()
            walk.shell()
            walk.adapter()
            walk.events()
    except Broken as broken:
        print(f"shield-walk: FAIL: {broken}")
        return 1
    finally:
        subprocess.run(["ip", "netns", "delete", space], check=True)
    print("shield-walk: passed")
    return 0
