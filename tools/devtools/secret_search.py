"""Looks for secrets where they must not be: memory at each prompt and after a command's work, arguments, environment, files and outputs.

A walk with a marked passphrase, phrase and password runs on a terminal of its own. Whenever the program waits for an answer, its memory
(and that of every child) is read through /proc/PID/mem, which needs root; arguments and environment are read there too. At the end
every file of the vault, every answer and everything that was printed is searched. The search first finds a planted marker
in a process of its own, so it can fail.

A shell is walked, too: while it is unlocked, secrets may be in guarded memory only, and after `lock` and after its time without input
nothing that was there may be left anywhere. Guarded memory is what the kernel keeps out of core dumps, as libsodium asks for its pages; what lies in
it while the shell waits unlocked is searched for after the lock, whatever it is. A marker in the shell's environment must be found each time.
"""
import hashlib
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

from .common import ROOT, skip

PASSPHRASE = "marked-passphrase-8Zq3"
PHRASE = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
PASSWORD = "marked-password-51Kd"
ROLLS = "61245316524361524365142635142635415263541625341652"
PLANTED = b"HELIOGRAPH_PLANTED=marked-environment-77Tc"
failures, looks = [], 0


def memory(pid):
    """Every readable byte of a process: ordinary mappings, and one by one those that no core dump would hold."""
    ordinary, guarded = [], []
    with open(f"/proc/{pid}/smaps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
        mappings = []
        for line in maps:
            if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
                mappings.append([line, ""])
            elif line.startswith("VmFlags:"):
                mappings[-1][1] = line
        for line, flags in mappings:
            span, rights = line.split()[:2]
            if "r" not in rights or line.rstrip().endswith(("[vvar]", "[vsyscall]", "[vvar_vclock]")):
                continue
            start, end = (int(x, 16) for x in span.split("-"))
            try:
                mem.seek(start)
                (guarded if " dd" in flags else ordinary).append(mem.read(end - start))
            except (OSError, ValueError):
                pass
    return ordinary, guarded


def everywhere(pid):
    ordinary, guarded = memory(pid)
    return b"\0".join(ordinary + guarded)


def find(name, data, needles):
    global looks
    looks += 1
    for label, needle in needles.items():
        if needle in data:
            failures.append(f"{label} in {name}")


def family(pid):
    found = [pid]
    for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        found += family(int(child))
    return found


def look(pid, where, needles):
    for process in family(pid):
        find(f"memory {where}", everywhere(process), needles)
        for name in ("cmdline", "environ"):
            find(f"{name} {where}", pathlib.Path(f"/proc/{process}/{name}").read_bytes(), needles)


def planted():
    """A process that holds a marker must be caught."""
    marker = "planted-" + str(os.getpid())
    child = subprocess.Popen([sys.executable, "-c", "import sys,time; held = sys.stdin.readline(); print(1, flush=True); time.sleep(60)"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    child.stdin.write(marker + "\n")
    child.stdin.flush()
    child.stdout.readline()
    caught = marker.encode() in everywhere(child.pid)
    child.kill()
    child.wait()
    return caught


def walk(command, answers, needles_at):
    """Runs a command on a terminal; at each prompt looks, then answers. Returns what was printed."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(command[0], command)
    printed, answered, deadline = b"", 0, time.monotonic() + 30
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        if ready:
            try:
                chunk = os.read(terminal, 65536)
            except OSError:
                break
            if not chunk:
                break
            printed += chunk
            continue
        if answered < len(answers) and re.search(rb"(: |\[yes/no\] )$", printed):
            look(pid, f"at prompt {answered + 1} of {' '.join(command[1:3])}", needles_at(answered))
            os.write(terminal, answers[answered].encode() + b"\n")
            answered += 1
            printed += b"\n"
    else:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code != 0 or answered != len(answers):
        failures.append(f"{' '.join(command[1:3])} ended with {code} after {answered} of {len(answers)} answers: {printed.decode(errors='replace')}")
    return printed


class Shell:
    """A shell on a terminal of its own."""

    def __init__(self, command):
        self.command = command
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            name, value = PLANTED.decode().split("=")
            os.execve(command[0], command, {**os.environ, name: value})
        self.printed = b""

    def wait(self, ending):
        """Until what was printed since the last line ends like this."""
        deadline = time.monotonic() + 30
        while not re.search(ending + rb"$", self.printed):
            if time.monotonic() > deadline:
                raise SystemExit(f"FAIL the shell never printed {ending.decode()}: {self.printed.decode(errors='replace')}")
            if select.select([self.terminal], [], [], 0.2)[0]:
                self.printed += os.read(self.terminal, 65536)

    def say(self, line, ending):
        self.printed = b""
        os.write(self.terminal, line.encode() + b"\n")
        self.wait(ending)

    def look(self, where, needles, guarded=None):
        """`needles` may be nowhere, `guarded` only in guarded memory, where they must be."""
        ordinary, kept = memory(self.pid)
        guarded = guarded or {}
        plain, kept = b"\0".join(ordinary), b"\0".join(kept)
        find(f"the shell's memory {where}", plain + b"\0" + kept, needles)
        find(f"the shell's ordinary memory {where}", plain, guarded)
        if PLANTED not in plain:
            failures.append(f"the search does not find the marker of the shell {where}")
        failures.extend(f"the search does not find {label} in guarded memory {where}" for label, needle in guarded.items() if needle not in kept)

    def held(self):
        """The last 32 bytes of every guarded secret: libsodium puts a secret at the end of its pages."""
        return {f"guarded secret {n}": part[-32:] for n, part in enumerate(memory(self.pid)[1]) if any(part[-32:])}


def walk_shell(program, vault, folder, needles):
    """Typed secrets, work with them, `lock`, and the time without input."""
    locked, unlocked = rb"heliograph> ", rb"heliograph \(unlocked\)> "
    shell = Shell([program, "shell", folder, *vault, "--lock-after", "4"])
    shell.wait(locked)
    known = {name: needles[name] for name in needles if name != "the phrase"}
    shell.say("seed check dev", rb"passphrase: ")
    shell.say(PASSPHRASE, rb"word 1: ")
    shell.look("while a phrase is asked for", {"the passphrase": needles["the passphrase"]})
    shell.say(PHRASE, rb"word 13: ")
    shell.look("after the phrase was typed", {"the passphrase": needles["the passphrase"]}, {"the phrase": needles["the phrase"]})
    shell.say("", unlocked)
    shell.look("after a phrase was compared", needles)
    for line in work(folder):
        shell.say(line, rb"password[^\n]*: |rolls[^\n]*: |" + unlocked)
        if not re.search(unlocked + rb"$", shell.printed):
            shell.say(ROLLS if b"rolls" in shell.printed else PASSWORD, unlocked)
        if b"error" in shell.printed:
            failures.append(f"in the shell: {shell.printed.decode(errors='replace')}")
        shell.look(f"after {line}", needles if "show" not in line else known)
    # A SeedQR: four digits for each word. No reader may keep it.
    digits = "".join(f"{words().index(word):04d}" for word in PHRASE.split()).encode()
    seed_qr = pathlib.Path(folder, "seed-qr.hex")
    seed_qr.write_text(digits.hex())
    needles = {**needles, "the digits of a SeedQR": digits, "their hex": digits.hex().encode()}
    shell.say(f"seed restore again --scan --hex @{seed_qr}", unlocked)
    if b"restored" not in shell.printed:
        failures.append(f"in the shell: {shell.printed.decode(errors='replace')}")
    shell.look("after a SeedQR was read", needles)
    seed_qr.unlink()
    for how, ending in (("lock", rb"is locked\r\n" + locked), ("", rb"is locked: no input for 4 s\r\n" + locked)):
        if not shell.held():
            failures.append("an unlocked shell holds nothing in guarded memory, which cannot be")
        held = shell.held()
        if how:
            shell.say(how, ending)
        else:
            shell.wait(ending)
        shell.look(f"after {how or 'the time without input'}", {**needles, **held})
        if shell.held():
            failures.append(f"a shell that is locked by {how or 'time'} holds secrets in guarded memory")
        if how:
            shell.say("log note again", rb"passphrase: ")
            shell.say(PASSPHRASE, unlocked)
    shell.say("log note last", rb"passphrase: ")
    os.close(shell.terminal)
    os.waitpid(shell.pid, 0)


ALICE = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"


def work(folder):
    """What a shell does with secrets: derives, signs, draws, shows, seals, splits."""
    return [
        "key derive dev //Alice --network westend", "key derive dev //word --network westend --password",
        "key derive dev //ed --scheme ed25519", "key derive dev //ec --scheme ecdsa",
        f"attest specs westend --approve --key {ALICE} --out {folder}/attested.png", "seed new other",
        "seed new rolled --dice-only --words 12", f"vault backup {folder}/shell-backup",
        f"key secret {ALICE} --out {folder}/secret.png --yes", "seed show dev",
    ]


def keys():
    """Secret keys of the phrase, by their definitions: the mini secret, its expansion, and hard derivations that hash alone makes."""
    mini = hashlib.pbkdf2_hmac("sha512", entropy(), b"mnemonic", 2048, 64)[:32]
    expanded = bytearray(hashlib.sha512(mini).digest())
    expanded[0] &= 248
    expanded[31] = expanded[31] & 63 | 64
    scalar = (int.from_bytes(expanded[:32], "little") >> 3).to_bytes(32, "little")
    found = {"the mini secret": mini, "the expanded key": bytes(expanded[:32]), "the scalar": scalar, "the nonce": bytes(expanded[32:])}
    for scheme, tag, path in (("ed25519", b"Ed25519HDKD", b"ed"), ("ecdsa", b"Secp256k1HDKD", b"ec")):
        code = (bytes([len(path) << 2]) + path).ljust(32, b"\0")
        found[f"the {scheme} key"] = hashlib.blake2b(bytes([len(tag) << 2]) + tag + mini + code, digest_size=32).digest()
    # The secret of //Alice, which is published for development chains.
    found["the key of //Alice"] = bytes.fromhex("e5be9a5092b81bca64be81d212e7f2f9eba183bb7a90954f7b76361f6edb5c0a")
    found["the digits of //Alice"] = found["the key of //Alice"].hex().encode()
    return found


def configure(parser):
    """Takes the folder of the offline programs."""
    parser.add_argument("binaries", type=os.path.abspath, help="folder of the built programs")


def run(options):
    """1 when a secret is where it must not be."""
    if os.geteuid() != 0:
        skip("root, which alone may read the memory of a program that refuses to be traced")
        print("secret-search: nothing was searched")
        return 0
    program = os.path.join(options.binaries, "heliograph")
    if not planted():
        failures.append("the search does not find its own marker")
    everything = {"the passphrase": PASSPHRASE.encode(), "the phrase": PHRASE.encode(), "the password": PASSWORD.encode(), "the entropy": entropy(),
                  "the rolls": ROLLS.encode(), "the seed of the rolls": hashlib.sha256(ROLLS.encode()).digest()[:16]}
    with tempfile.TemporaryDirectory() as folder:
        vault = ["--vault", folder + "/v"]
        outputs = walk([program, "init", *vault, "--allow-online", "--kdf-cost", "test"], [PASSPHRASE, PASSPHRASE], lambda n: {})
        typed = PHRASE.split()
        # Nothing of an answer is left in ordinary memory by the time of the next prompt.
        def after_passphrase(n):
            return {"the passphrase": everything["the passphrase"]} if n else {}
        outputs += re.sub(rb"word \d+: \w+", b"", walk([program, "seed", "restore", "dev", *vault], [PASSPHRASE, *typed, ""], after_passphrase))
        outputs += walk([program, "key", "derive", "dev", "//marked", "--network", "westend", "--password", *vault],
                        [PASSPHRASE, PASSWORD], lambda n: {**after_passphrase(n), "the phrase": everything["the phrase"]})
        outputs += walk([program, "vault", "backup", folder + "/backup", *vault], [PASSPHRASE], after_passphrase)
        walk_shell(program, vault, folder, {**everything, **keys()})
        for name in ("status", "log show", "key list --json", "seed list --json"):
            outputs += subprocess.run([program, *name.split(), *vault], capture_output=True).stdout
        find("outputs", outputs, everything)
        for file in sorted(pathlib.Path(folder).rglob("*")):
            if file.is_file():
                find(f"file {file.name}", file.read_bytes(), everything)
    for failure in failures:
        print(f"FAIL {failure}")
    print(f"secret-search: {looks} places searched, {len(failures)} failed")
    return 1 if failures else 0


def words():
    """The list in the repository."""
    source = (ROOT / "Sources/Secrets/Keys/WordListEnglish.swift").read_text()
    return source.split('"""')[1].split()


def entropy():
    """The 16 bytes of the phrase."""
    bits = "".join(f"{words().index(word):011b}" for word in PHRASE.split())
    return int(bits[:128], 2).to_bytes(16, "big")

