"""Runs vaults that are bound to hardware. The TPM is swtpm behind a terminal pair, with a listener on the wires between.

The debug build of `heliograph-hardware` takes the terminal as its device (`HELIOGRAPH_TPM_EMULATOR`); a release has no such setting. The listener keeps every
command and answer, and can end the program between the store's commit and the counter.
"""
import hashlib
import os
import pathlib
import pty
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import termios
import threading
import tty

from . import hardware_keys
from .common import Tally, binaries_option
from .formats import read

LOCKOUT = 0x4000000A
CLEAR, RESET, EXTEND, INCREMENT, UNSEAL, FLUSH = 0x126, 0x139, 0x182, 0x134, 0x15E, 0x165
TRANSIENT, SESSION = 0x80000000, 0x02000000
PASSPHRASE, WRONG = "a passphrase of the tests", "another one"


class Machine:
    """A TPM with its state, and the wires to it."""

    def __init__(self, folder):
        self.state = pathlib.Path(folder)
        self.state.mkdir(parents=True)
        self.wire, self.seen, self.before = threading.Lock(), [], None
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        self.slave = slave
        self.start()
        threading.Thread(target=self.carry, daemon=True).start()

    def start(self):
        """Switches the machine on: the PCRs are those of a start."""
        self.link, other = socket.socketpair()
        self.process = subprocess.Popen(
            ["swtpm", "chardev", "--tpm2", "--fd", str(other.fileno()), "--tpmstate", f"dir={self.state}",
             "--flags", "not-need-init,startup-clear", "--log", f"file={self.state}/log"], pass_fds=[other.fileno()])
        other.close()
        # Answers once it runs.
        assert self.ask(0x17A, struct.pack(">III", 6, 0x100, 1), None)[0] == 0

    def stop(self):
        # An orderly shutdown, or the TPM counts the loss of power as a failure.
        self.ask(0x145, struct.pack(">H", 0), None)
        self.process.terminate()
        self.process.wait(10)
        self.link.close()

    def drop(self):
        """After a program was killed: ends its sessions and objects, as a kernel's resource manager does."""
        termios.tcflush(self.slave, termios.TCIOFLUSH)
        for first in (TRANSIENT, SESSION):
            answer = self.ask(0x17A, struct.pack(">III", 1, first, 64), None)[1]
            # Behind the header a byte says whether there are more, and four that these are handles.
            for handle in struct.unpack_from(f">{struct.unpack_from('>I', answer, 15)[0]}I", answer, 19):
                assert self.ask(FLUSH, struct.pack(">I", handle), None)[0] == 0

    def restart(self):
        self.stop()
        self.start()

    def exchange(self, command):
        """One command and its whole answer."""
        self.link.sendall(command)
        answer = b""
        while len(answer) < 10 or len(answer) < struct.unpack(">I", answer[2:6])[0]:
            part = self.link.recv(8192)
            assert part, "the emulator ended"
            answer += part
        return answer

    def carry(self):
        """What the programs ask, and what the TPM answers."""
        pending = b""
        while True:
            pending += os.read(self.master, 8192)
            if len(pending) < 10 or len(pending) < struct.unpack(">I", pending[2:6])[0]:
                continue
            command, pending = pending, b""
            if self.before and self.before(struct.unpack(">I", command[6:10])[0]):
                continue
            with self.wire:
                answer = self.exchange(command)
            self.seen.append((struct.unpack(">I", command[6:10])[0], command, answer))
            os.write(self.master, answer)

    def ask(self, code, parameters, handle, auth=True):
        """A command of somebody who sits at the machine: no authorization value is set."""
        body = b"" if handle is None else struct.pack(">I", handle)
        if handle is not None and auth:
            session = struct.pack(">IHBH", 0x40000009, 0, 0, 0)
            body += struct.pack(">I", len(session)) + session
        command = struct.pack(">HII", 0x8001 if handle is None else 0x8002, 10 + len(body) + len(parameters), code) + body + parameters
        with self.wire:
            answer = self.exchange(command)
        return struct.unpack(">I", answer[6:10])[0], answer

    def extend(self, pcr):
        assert self.ask(EXTEND, struct.pack(">IH", 1, 0x0B) + bytes(31) + b"\1", pcr)[0] == 0

    def clear(self):
        assert self.ask(CLEAR, b"", LOCKOUT)[0] == 0

    def end_lockout(self):
        assert self.ask(RESET, b"", LOCKOUT)[0] == 0


class Owner:
    """A person with a vault."""

    def __init__(self, programs, folder, machine):
        self.program, self.folder, self.machine = programs / "heliograph", pathlib.Path(folder), machine
        self.vault, self.passphrase, self.keys = self.folder / "vault", PASSPHRASE, []
        self.settings = {}

    def popen(self, *words, secrets=(), **options):
        ends = []
        for text in secrets:
            reading, writing = os.pipe()
            os.write(writing, text.encode() + b"\n")
            os.close(writing)
            ends.append(reading)
        numbers = {f"{{{index}}}": str(end) for index, end in enumerate(ends)}
        command = [self.program, *(numbers.get(word, word) for word in words), "--vault", self.vault]
        emulators = {"HELIOGRAPH_TPM_EMULATOR": self.machine.path, "HELIOGRAPH_KEY_EMULATOR": ":".join(key.path for key in self.keys)} | self.settings
        process = subprocess.Popen(command, pass_fds=ends, env=os.environ | emulators, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        for end in ends:
            os.close(end)
        return process

    def run(self, *words, passphrase=PASSPHRASE, pin=None):
        more = [] if pin is None else ["--pin-fd", "{1}"]
        process = self.popen(*words, "--passphrase-fd", "{0}", *more, secrets=[passphrase, *([] if pin is None else [pin])])
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def make(self):
        """A development vault with a seed and a tested recovery key."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.must("init", "--allow-online", "--kdf-cost", "test", "--networks", "none", "--verifier", "none")
        self.must("seed", "new", "main", "--no-dice", "--no-first-keys")
        self.words = self.must("vault", "bind", "recovery").strip()
        self.must("vault", "slots", "check", passphrase=self.words)
        return self

    def must(self, *words, passphrase=PASSPHRASE, pin=None):
        code, out, err = self.run(*words, passphrase=passphrase, pin=pin)
        assert code == 0, (words, code, out, err)
        return out

    def opens(self, passphrase=PASSPHRASE, pin=None):
        """Whether the seal of the store is checked, which needs the data key."""
        code, out, _ = self.run("status", passphrase=passphrase, pin=pin)
        return code == 0 and "trust store  checked" in out

    def refusal(self, *words, passphrase=PASSPHRASE, pin=None):
        """The words of an error; those of no known error where the command was done."""
        code, out, err = self.run(*(words or ["status"]), passphrase=passphrase, pin=pin)
        return err if code else f"it is done: {out}"

    def forget_attempts(self):
        """What somebody does who can write to the vault's folder: a count of nothing, newer than any other."""
        (self.vault / "attempts").write_bytes(b"HELIOGA2" + bytes(12) + struct.pack("<Q", 1 << 40) + b"\0")

    def copy(self, name):
        """A copy of everything in the vault's folder."""
        place = self.folder / name
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.vault, place)
        return place

    def put_back(self, name):
        shutil.rmtree(self.vault)
        shutil.copytree(self.folder / name, self.vault)

    def authorization(self, passphrase):
        """What the TPM is asked with: Argon2id of the passphrase, and a keyed hash of it under a label. Computed from the page *Vault files*."""
        from nacl.bindings import crypto_pwhash_alg, crypto_pwhash_ALG_ARGON2ID13

        slot = read("VaultFiles", "vault", (self.vault / "vault").read_bytes())["slots"][0]
        cost = read("VaultFiles", "passphrase factor", slot["factors"][0]["body"])
        stretched = crypto_pwhash_alg(32, passphrase.encode(), cost["salt"], cost["passes"], cost["memory"] * 1024, crypto_pwhash_ALG_ARGON2ID13)
        return hashlib.blake2b(b"heliograph TPM authorization", key=stretched, digest_size=32).digest()


# ---- What is shown


def binding(tally, owner, machine):
    """A vault is bound, and opens with its passphrase, with the words on paper, and with nothing else."""
    rule = owner.must("vault", "slots").strip()
    tally.check("a new vault opens with its passphrase or its recovery key", rule == "opens with the passphrase; or with the printed recovery key", rule)
    owner.copy("unbound")
    owner.must("vault", "bind", "tpm")
    rule = owner.must("vault", "slots").strip()
    tally.check("the rule names the TPM", rule == "opens with the passphrase and this machine's TPM; or with the printed recovery key", rule)
    tally.check("a bound vault opens with its passphrase", owner.opens())
    tally.check("and with the words on paper", owner.opens(owner.words))
    tally.check("status says what protects the key", "opens with the passphrase and this machine's TPM" in owner.must("status"))
    tally.check("status says that whoever starts the machine resets the lockout", "anybody who starts this machine" in owner.must("status"))
    tally.check("the recovery key of a bound vault is not given up",
                "the only way into the vault without its hardware" in owner.refusal("vault", "unbind", "recovery"))


def secrecy(tally, owner, machine):
    """Whoever listens on the wires learns nothing to test guesses with."""
    machine.seen.clear()
    owner.must("status")
    owner.must("status")
    unsealed = [answer for code, _, answer in machine.seen if code == UNSEAL]
    stream = b"".join(command + answer for _, command, answer in machine.seen)
    tally.check("the TPM was asked for its secret", len(unsealed) == 2, [hex(code) for code, *_ in machine.seen])
    # Behind the header and the size of the parameters: two sizes, 32 bytes, then the session.
    tally.check("the same secret crosses the wires under another key each time", len({answer[16:48] for answer in unsealed}) == 2)
    found = [name for name, secret in (("passphrase", PASSPHRASE.encode()), ("authorization value", owner.authorization(PASSPHRASE)),
                                       ("recovery key", owner.words.encode())) if secret in stream]
    tally.law("neither passphrase nor authorization value nor recovery key is on the wires", found)


def guessing(tally, owner, machine):
    """The TPM counts, whatever happens to the file that counts."""
    answers = []
    for _ in range(6):
        owner.forget_attempts()
        answers.append(owner.refusal(passphrase=WRONG))
        if "takes no passphrase for now" in answers[-1]:
            break
    tally.check("wrong passphrases lock the TPM, though the vault's own count is removed each time", len(answers) < 6, answers)
    tally.check("the first of them are told as wrong passphrases", "wrong passphrase" in answers[0], answers[0])
    owner.forget_attempts()
    tally.check("a locked TPM takes the right passphrase neither", "takes no passphrase for now" in owner.refusal())
    tally.check("the words on paper open meanwhile", owner.opens(owner.words))
    tally.check("and with them the counter goes on", "log" in owner.must("status", passphrase=owner.words))
    machine.end_lockout()
    tally.check("after the lockout the passphrase opens", owner.opens())


def measured_start(tally, owner, machine):
    """PCRs: a machine that starts otherwise does not open the vault, and the way out."""
    owner.must("vault", "rebind", "--pcrs", "7,11")
    rule = owner.must("vault", "slots").strip()
    tally.check("the rule names the PCRs", "this machine's TPM as it started (PCR 7, 11)" in rule, rule)
    machine.extend(11)
    machine.end_lockout()
    refused = owner.refusal()
    tally.check("another start opens nothing", "did not start as it did" in refused, refused)
    before = machine.ask(0x17A, struct.pack(">III", 6, 0x20E, 1), None)[1]
    tally.check("and is no wrong passphrase", before[-4:] == bytes(4), before.hex())
    machine.restart()
    tally.check("the former start does", owner.opens())
    owner.must("vault", "rebind")
    machine.extend(7)
    tally.check("what was bound anew before an update opens after it", owner.opens())
    owner.must("vault", "rebind", "--pcrs", "7")
    machine.extend(7)
    new = "set after an update"
    process = owner.popen("vault", "passphrase", "--passphrase-fd", "{0}", "--new-passphrase-fd", "{1}", secrets=[owner.words, new])
    out, err = process.communicate(timeout=60)
    tally.check("an update that nobody announced is mended by the words on paper", process.returncode == 0 and owner.opens(new), (out, err))
    rule = owner.must("vault", "slots", passphrase=new).strip()
    tally.check("and the vault is bound no more", "TPM" not in rule, rule)
    process = owner.popen("vault", "passphrase", "--passphrase-fd", "{0}", "--new-passphrase-fd", "{1}", secrets=[new, PASSPHRASE])
    process.communicate(timeout=60)
    owner.must("vault", "bind", "tpm")


def rolling_back(tally, owner, machine):
    """A vault that is put back whole, with its store."""
    owner.copy("older")
    tally.check("a copy of now opens", owner.opens())
    owner.must("log", "note", "one")
    owner.copy("newer")
    owner.put_back("older")
    refused = owner.refusal()
    tally.check("a vault that was put back whole is refused", "was put back whole" in refused, refused)
    refused = owner.refusal(passphrase=owner.words)
    tally.check("with the words on paper, too", "was put back whole" in refused, refused)
    owner.put_back("newer")
    tally.check("the newest state opens", owner.opens())
    owner.put_back("older")
    told = owner.run("vault", "unbind", "tpm")
    tally.check("its owner can give the counter up, and is told", told[0] == 0 and "was put back whole" in told[2], told)
    log = owner.must("log", "show")
    tally.check("and the log says so", "without_counter" in log or "vault-rolled-back" in log, log)
    owner.must("vault", "bind", "tpm")
    owner.must("log", "note", "two")
    owner.put_back("unbound")
    tally.check("a copy of before the binding is not covered", owner.opens())
    owner.put_back("older")
    refused = owner.refusal()
    tally.check("a copy whose counter was removed is refused", "the counter of this vault is not in the TPM" in refused, refused)


def killing(tally, programs, folder, machine, count):
    """The program ends between the store's commit and the counter."""
    owner = Owner(programs, folder / "killed", machine).make()
    owner.must("vault", "bind", "tpm")
    lost, refused, started = 0, [], []
    while lost < count and len(started) < 2 * count:
        number = len(started)
        started.append(number)
        # Of the counts of one command, the one that it dies before.
        fatal, seen = number % 3, []

        def die(code):
            if code == INCREMENT:
                seen.append(code)
                if len(seen) == fatal + 1:
                    os.kill(process.pid, signal.SIGKILL)
                    return True
            return False

        machine.before = die
        process = owner.popen("log", "note", f"note {number}", "--passphrase-fd", "{0}", secrets=[PASSPHRASE])
        process.communicate(timeout=60)
        machine.before = None
        if process.returncode == -signal.SIGKILL:
            lost += 1
        machine.drop()
        if number % 10 == 9 and not owner.opens():
            refused.append(number)
    tally.check(f"{lost} of {len(started)} commands were ended before the counter moved", lost == count, lost)
    tally.law("and the vault opened after each", refused)
    tally.check("the counter is where the store is", owner.opens())


def moving(tally, programs, folder, owner, machine, other):
    """Another machine: a copy of the disk opens there with the words alone."""
    stranger = Owner(programs, folder / "moved", other)
    stranger.folder.mkdir(parents=True)
    stranger.words = owner.words
    shutil.copytree(owner.vault, stranger.vault)
    refused = stranger.refusal()
    tally.check("the TPM of another machine opens nothing", "bound to another TPM" in refused, refused)
    refused = stranger.refusal(passphrase=owner.words)
    tally.check("the words open, and the counter of another TPM vouches for nothing", "bound to another TPM" in refused, refused)
    new = "on another machine"
    process = stranger.popen("vault", "passphrase", "--passphrase-fd", "{0}", "--new-passphrase-fd", "{1}", secrets=[owner.words, new])
    told = process.communicate(timeout=60)
    tally.check("there the owner sets a passphrase", process.returncode == 0 and stranger.opens(new), told)
    stranger.must("vault", "bind", "tpm", passphrase=new)
    tally.check("and binds the vault to the new machine", stranger.opens(new))
    backup = folder / "backup"
    owner.must("vault", "backup", str(backup))
    restored = Owner(programs, folder / "restored", other)
    restored.folder.mkdir()
    code, out, err = restored.run("vault", "restore", str(backup), passphrase=owner.words)
    tally.check("a backup needs no hardware: it opens with the words", code == 0 and restored.opens(owner.words), (out, err))


def losing(tally, programs, folder, machine):
    """The TPM is cleared, or is not there at all."""
    owner = Owner(programs, folder / "cleared", machine).make()
    owner.must("vault", "bind", "tpm")
    machine.clear()
    refused = owner.refusal()
    tally.check("a cleared TPM is another one", "or this one was cleared" in refused, refused)
    path, machine.path = machine.path, "/nowhere"
    refused = owner.refusal()
    tally.check("a missing TPM is told", "the TPM cannot be opened" in refused, refused)
    machine.path = path
    alone = folder / "programs"
    alone.mkdir()
    for name in ("heliograph", "heliograph-scanner"):
        os.link(programs / name, alone / name) if (programs / name).stat().st_dev == alone.stat().st_dev else shutil.copy(programs / name, alone / name)
    owner.program = alone / "heliograph"
    refused = owner.refusal()
    tally.check("a bound vault needs the program that talks to hardware", "heliograph-hardware is not installed" in refused, refused)
    free = Owner(alone, folder / "free", machine).make()
    tally.check("without that program everything else works", free.opens())


def configure(parser):
    binaries_option(parser)
    parser.add_argument("--kills", type=int, default=100, help="how often the program is killed between store and counter (default: 100)")


def run(options):
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        machine, other = Machine(folder / "tpm"), Machine(folder / "other")
        owner = Owner(options.binaries, folder / "owner", machine).make()
        binding(tally, owner, machine)
        secrecy(tally, owner, machine)
        guessing(tally, owner, machine)
        measured_start(tally, owner, machine)
        moving(tally, options.binaries, folder, owner, machine, other)
        rolling_back(tally, owner, machine)
        killing(tally, options.binaries, folder, machine, options.kills)
        hardware_keys.run(tally, Owner(options.binaries, folder / "keys", machine).make())
        losing(tally, options.binaries, folder, machine)
        machine.stop()
        other.stop()
    return tally.close("hardware")
