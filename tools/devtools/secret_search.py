"""Looks for secrets where they must not be: memory at each prompt and after a command's work, arguments, environment, files and outputs.

A walk with a marked passphrase, phrase and password runs on a terminal of its own. Whenever the program waits for an answer, its memory
(and that of every child) is read through /proc/PID/mem, which needs root; arguments and environment are read there too. At the end
every file of the vault, every answer and everything that was printed is searched. The search first finds a planted marker
in a process of its own, so it can fail.

Another shell makes a group with the marked seed and signs with it. After each of its commands coefficients, pads, the share, nonces and the host key are
looked for, by their bytes or by the points that the group's messages show (see scalar_search.py); and so are the nonces of a guarded signature.

A shell is walked, too: while it is unlocked, secrets may be in guarded memory only, and after `lock` and after its time without input
nothing that was there may be left anywhere. Guarded memory is what the kernel keeps out of core dumps, as libsodium asks for its pages; what lies in
it while the shell waits unlocked is searched for after the lock, whatever it is. A marker in the shell's environment must be found each time.
"""
import base64
import hashlib
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import termios
import time

from . import scalar_search
from .common import ALICE_ADDRESS, FIXTURES, ROOT, binaries_option, drawn_passphrase, skip
from .golden.guarded import commitment
from .offline import NEW, OTHERS, PHRASE, Signer
from .sessions import OFFLINE, can_be_offline
from .terminals import AtTerminal

PASSPHRASE = "marked-passphrase-8Zq3"
PASSWORD = "marked-password-51Kd"
ROLLS = "61245316524361524365142635142635415263541625341652"
TYPED = "marked-line-at-the-prompt-36Vb"
KEYSTORE_PASSWORD = "marked-keystore-password-92Rf"
TYPED_SECRET = hashlib.sha256(b"marked secret key").hexdigest()
STRONG = f"marked {drawn_passphrase(4)} 4Kq"
PLANTED = b"HELIOGRAPH_PLANTED=marked-environment-77Tc"
PLANTED_NUMBER = scalar_search.plantable()
failures, looks = [], 0


def memory(pid, writable=False):
    """Every readable byte of a process: ordinary mappings, or the writable ones of them, and one by one those that no core dump would hold."""
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
            kept = guarded if " dd" in flags else ordinary
            if writable and kept is ordinary and "w" not in rights:
                continue
            try:
                mem.seek(start)
                kept.append(mem.read(end - start))
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


def look(pid, where, needles, guarded):
    """`needles` may be nowhere, `guarded` only in guarded memory."""
    for process in family(pid):
        ordinary, kept = memory(process)
        find(f"memory {where}", b"\0".join(ordinary + kept), needles)
        find(f"ordinary memory {where}", b"\0".join(ordinary), guarded)
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


PROMPT = rb"(: |\[yes/no\] |clear the screen\. )$"


def walk(command, answers, needles_at, guarded_at=lambda n: {}, prefix=()):
    """Runs a command on a terminal; at each prompt looks, then answers. An answer may be made of what was printed. Returns what was printed."""
    words, answered = command[1:3], 0
    program = AtTerminal([*prefix, *command])
    deadline = time.monotonic() + 90
    while program.is_open and time.monotonic() < deadline:
        if not program.take(0.2) and answered < len(answers) and re.search(PROMPT, program.printed):
            look(program.process.pid, f"at prompt {answered + 1} of {' '.join(words)}", needles_at(answered), guarded_at(answered))
            answer = answers[answered]
            program.press((answer(program.printed) if callable(answer) else answer) + "\n")
            answered += 1
            program.printed += b"\n"
    code, printed = program.end(5), program.printed
    program.close()
    if code != 0 or answered != len(answers):
        failures.append(f"{' '.join(words)} ended with {code} after {answered} of {len(answers)} answers: {printed.decode(errors='replace')}")
    return printed


def numbered(printed):
    """The words that stand on the terminal with their numbers, in order."""
    found = dict(re.findall(rb"(\d+)\. ([a-z]+)", printed.rsplit(b"in this order", 1)[-1]))
    return [found[number].decode() for number in sorted(found, key=int)]


def asked(printed):
    """The word that the last question of a quiz asks for."""
    number = re.findall(rb"word (\d+): ", printed)[-1]
    return dict(zip(range(1, 25), numbered(printed.split(b"to clear the screen")[0])))[int(number)]


def walk_making(program, folder):
    """A vault with real keys, its passphrase typed or generated, and a seed whose words are shown and asked for."""
    if not can_be_offline():
        skip("a network namespace for a vault with real keys")
        return
    # zxcvbn turns the passphrase around and takes it apart, in a child.
    strong, backwards = {"the passphrase": STRONG.encode()}, {"the passphrase backwards": STRONG[::-1].encode()}
    walk([program, "init", "--vault", folder + "/typed"], ["marked", STRONG, STRONG[:-1], STRONG, STRONG],
         lambda n: backwards if n in (2, 4) else {**strong, **backwards}, lambda n: strong, OFFLINE)
    vault, held = ["--vault", folder + "/generated"], {}

    def generated(printed):
        held["the generated passphrase"] = printed.split(b"shown only now.")[1].split(b"\r\n")[2]
        return ""

    def turned():
        return {name + " backwards": text[::-1] for name, text in held.items()}

    printed = walk([program, "init", *vault], ["", generated, lambda _: held["the generated passphrase"].decode()], lambda n: turned(), lambda n: held, OFFLINE)
    if len(held["the generated passphrase"].split()) != 6 or b"\x1b[3J" not in printed.split(b"shown only now.")[1]:
        failures.append("a generated passphrase does not have six words, or stays on the screen")
    passphrase = dict(held)
    held.clear()

    def seen(printed):
        held["the words of a new seed"] = " ".join(numbered(printed)).encode()
        return ""

    def part(printed):
        held["the machine's part"] = re.findall(rb"(?:[0-9a-f]{8} ){7}[0-9a-f]{8}", printed)[-1]
        held["the machine's part as bytes"] = bytes.fromhex(held["the machine's part"].decode())
        return ""

    printed = walk([program, "seed", "new", "quizzed", *vault],
                   [passphrase["the generated passphrase"].decode(), ROLLS, seen, asked, asked, asked, "yes", part, "no"],
                   lambda n: {**passphrase, **({"the rolls": ROLLS.encode()} if n > 2 else {}), **(held if n in (6, 8) else {})} if n else {},
                   lambda n: held, OFFLINE)
    if len(held["the words of a new seed"].split()) != 24 or printed.count(b"\x1b[3J") < 3:
        failures.append("the words of a new seed or the machine's part were not shown, or stay on the screen")
    if "the machine's part" in held:
        compute_again(program, folder, held)


def compute_again(program, folder, held):
    """Another machine has the part that was shown and the rolls, and must have the same words."""
    again = ["--words", "24", "--machine-fd", "3", "--dice-fd", "4"]
    files = [pathlib.Path(folder, name) for name in ("part", "rolls")]
    for file, line in zip(files, (held["the machine's part"], ROLLS.encode())):
        file.write_bytes(line + b"\n")
        file.chmod(0o600)
    computed = subprocess.run(["sh", "-c", '"$0" util seed-from "$@" 3<"$PART" 4<"$ROLLS"', program, *again], capture_output=True,
                              env={**os.environ, "PART": str(files[0]), "ROLLS": str(files[1])})
    for file in files:
        file.unlink()
    if computed.stdout.strip() != held["the words of a new seed"]:
        failures.append(f"another machine computes other words: {computed.stderr.decode()}")


def foreign():
    """A keystore with a marked password, in the form of polkadot-js, and its secret in each form in which it may lie in memory."""
    import nacl.secret
    import sr25519

    public, secret = sr25519.pair_from_seed(hashlib.sha256(b"marked keystore").digest())
    # The scalar stands times the cofactor.
    inside = (int.from_bytes(secret[:32], "little") * 8).to_bytes(32, "little")
    plain = bytes.fromhex("3053020101300506032b657004220420") + inside + secret[32:] + bytes.fromhex("a123032100") + public
    salt, nonce = hashlib.sha256(b"salt").digest(), hashlib.sha256(b"nonce").digest()[:24]
    cost = b"".join(number.to_bytes(4, "little") for number in (1 << 14, 1, 8))
    key = hashlib.scrypt(KEYSTORE_PASSWORD.encode(), salt=salt, n=1 << 14, r=8, p=1, maxmem=1 << 26, dklen=64)[:32]
    body = salt + cost + nonce + nacl.secret.SecretBox(key).encrypt(plain, nonce).ciphertext
    file = {"encoded": base64.b64encode(body).decode(), "address": "0x" + public.hex(), "meta": {"name": "marked"},
            "encoding": {"content": ["pkcs8", "sr25519"], "type": ["scrypt", "xsalsa20-poly1305"], "version": "3"}}
    return json.dumps(file), {"the keystore's secret": inside, "its scalar": secret[:32], "its nonce": secret[32:], "the keystore's key": key}


def walk_importing(program, vault, folder):
    """Keys of another wallet: of an encrypted keystore, of one that is not encrypted, and typed. Their secrets are in guarded memory until the vault
    has them. Returns what was printed."""
    cases = json.loads((FIXTURES / "wallets/keystores.json").read_text())
    encrypted, secrets = foreign()
    password = {"the keystore's password": KEYSTORE_PASSWORD.encode()}
    printed = b""
    with tempfile.TemporaryDirectory() as elsewhere:
        file = pathlib.Path(elsewhere, "account.json")
        file.write_text(encrypted)
        printed += walk([program, "key", "import", "--keystore", str(file), *vault], [KEYSTORE_PASSWORD, "yes", PASSPHRASE],
                        lambda n: password if n else {}, lambda n: secrets)
        # The secret stands in the file as base64: only a child may have it in ordinary memory, and the child is gone at the first question.
        plain = next(case for case in cases if case["scheme"] == "sr25519" and '"type": "none"' in case["file"])
        file.write_text(plain["file"])
        encoded = json.loads(plain["file"])["encoded"]
        inside = base64.b64decode(encoded)[16:80]
        scalar = (int.from_bytes(inside[:32], "little") >> 3).to_bytes(32, "little")
        plain_secrets = {"a plain keystore": encoded.encode(), "its secret": inside[:32], "its scalar": scalar, "its nonce": inside[32:]}
        printed += walk([program, "key", "import", "--keystore", str(file), *vault], ["yes", PASSPHRASE],
                        lambda n: {"a plain keystore": encoded.encode()}, lambda n: plain_secrets)
    typed = {"a typed secret": TYPED_SECRET.encode(), "its bytes": bytes.fromhex(TYPED_SECRET)}
    printed += walk([program, "key", "import", "--secret", "--scheme", "ed25519", *vault], ["0x" + TYPED_SECRET, "yes", PASSPHRASE],
                    lambda n: {"a typed secret": TYPED_SECRET.encode()} if n else {}, lambda n: typed)
    for needles in (secrets, password, plain_secrets, typed):
        find("what an import printed", printed, needles)
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file():
                find(f"file {path.name} after an import", path.read_bytes(), needles)
    return printed


def last_word(printed):
    """The word of the last page that the last question of a quiz asks for."""
    number = re.findall(rb"word (\d+): ", printed)[-1]
    return dict(enumerate(numbered(printed.rsplit(b"to clear the screen", 1)[0]), 1))[int(number)]


def walk_sharing(program, vault, folder):
    """SLIP-39 shares and parts of a Seed XOR, typed and shown, and a child. Their words and what they join to are in guarded memory only, and no longer than
    the command."""
    published = {case["id"]: case for case in json.loads((FIXTURES / "shares/slip39-published.json").read_text())}
    first, second = published[4]["shares"]
    joined = {"the master secret": bytes.fromhex(published[4]["secret"])}
    shares = {"a share": first.encode(), "another share": second.encode()}
    passphrase = {"the passphrase": PASSPHRASE.encode()}
    walk([program, "seed", "join", "--slip39", "--name", "marked-shares", *vault], [PASSPHRASE, first, second, "TREZOR", "yes"],
         lambda n: passphrase if n else {}, lambda n: {**shares, **joined})
    seen = {}

    def page(printed):
        """Remembers the words that stand there."""
        seen[f"share {len(seen) + 1} that was made"] = " ".join(numbered(printed)).encode()
        return ""

    printed = walk([program, "seed", "split", "marked-shares", "--slip39", "--shares", "2", "--required", "2", *vault],
                   ["yes", PASSPHRASE, "", page, last_word, last_word, last_word, page, last_word, last_word, last_word],
                   lambda n: passphrase if n > 1 else {}, lambda n: {**joined, **seen})
    if len(seen) != 2 or printed.count(b"\x1b[3J") < 4:
        failures.append("shares were not shown, or stay on the screen")
    parts = json.loads((FIXTURES / "shares/seed-xor.json").read_text())[0]
    made = {f"part {number}": part.encode() for number, part in enumerate(parts["parts"], 1)} | {"the seed of the parts": parts["seed"].encode()}
    walk([program, "seed", "join", "--xor", "--name", "marked-parts", *vault], [PASSPHRASE, *parts["parts"], "", "yes"],
         lambda n: passphrase if n else {}, lambda n: made)
    child = {}

    def words_of_child(printed):
        child["the words of a child"] = " ".join(numbered(printed)).encode()
        return ""

    walk([program, "seed", "child", "marked-parts", "--index", "5", *vault], ["yes", PASSPHRASE, words_of_child],
         lambda n: passphrase if n > 1 else {}, lambda n: made)
    for needles in (shares, joined, seen, made, child):
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file():
                find(f"file {path.name} after shares were typed", path.read_bytes(), needles)


class Shell(AtTerminal):
    """A shell on a terminal of its own."""

    def __init__(self, command):
        name, value = PLANTED.split(b"=")
        # Lines are edited.
        super().__init__(command, env={**os.environb, name: value, b"HELIOGRAPH_NUMBER": PLANTED_NUMBER, b"TERM": b"xterm"})

    @property
    def pid(self):
        return self.process.pid

    def wait(self, ending):
        """Until what was printed since the last line ends like this."""
        if not self.until(lambda: re.search(ending + rb"$", self.printed), 30):
            raise SystemExit(f"FAIL the shell never printed {ending.decode()}: {self.text}")

    def say(self, line, ending):
        self.printed = b""
        self.press(line + "\n")
        self.wait(ending)

    def await_keys(self):
        """Until the shell reads keys: between two lines Ctrl-C is a signal that ends it."""
        self.until(lambda: not self.flags & termios.ISIG, 30)

    def drop(self, keys, ending):
        """Keys whose line is dropped."""
        self.await_keys()
        self.press(keys)
        time.sleep(0.3)
        self.await_keys()
        self.printed = b""
        self.press("\x03")
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

    def look_for_numbers(self, where, points):
        """No number of the points may be anywhere, also not in guarded memory: a nonce that waits is encrypted. The planted number must be found."""
        global looks
        looks += 1
        planted = {scalar_search.base(PLANTED_NUMBER): "planted"}
        outside, inside = (scalar_search.found(b"\0".join(part), points | planted) for part in memory(self.pid, writable=True))
        if "planted" not in outside:
            failures.append(f"the search does not find the number in the shell's environment {where}")
        failures.extend(f"{name} in the shell's memory {where}" for name in sorted((outside | inside) - {"planted"}))

    def held(self):
        """The last 32 bytes of every guarded secret: libsodium puts a secret at the end of its pages."""
        return {f"guarded secret {n}": part[-32:] for n, part in enumerate(memory(self.pid)[1]) if any(part[-32:])}


def perform(shell, line, unlocked, needles):
    """One command of the shell with its answers, and a look afterwards."""
    # What gives a secret out asks for the passphrase again.
    ending = rb"password[^\n]*: |passphrase: |rolls[^\n]*: |word \d+: |\[yes/no\] |clear the screen\. |" + unlocked
    shell.say(line, ending)
    printed = shell.printed
    while not re.search(unlocked + rb"$", printed):
        shell.say(reply(printed), ending)
        printed += shell.printed
    if b"error" in printed:
        failures.append(f"in the shell: {printed.decode(errors='replace')}")
    shell.look(f"after {line}", needles)


def walk_shell(program, vault, folder, needles):
    """Typed secrets, work with them, `lock`, and the time without input."""
    locked, unlocked = rb"heliograph \(development, locked\)> ", rb"heliograph \(development, unlocked\)> "
    shell = Shell([program, "shell", folder, *vault, "--lock-after", "4"])
    shell.wait(locked)
    shell.say("seed check dev", rb"passphrase: ")
    shell.say(PASSPHRASE, rb"word 1: ")
    shell.look("while a phrase is asked for", {"the passphrase": needles["the passphrase"]})
    shell.say(PHRASE, rb"word 13: ")
    shell.look("after the phrase was typed", {"the passphrase": needles["the passphrase"]}, {"the phrase": needles["the phrase"]})
    shell.say("", unlocked)
    shell.look("after a phrase was compared", needles)
    for line in work(folder):
        perform(shell, line, unlocked, needles)
    # A SeedQR: four digits for each word. No reader may keep it.
    digits = "".join(f"{words().index(word):04d}" for word in PHRASE.split()).encode()
    seed_qr = pathlib.Path(folder, "seed-qr.hex")
    seed_qr.write_text(digits.hex())
    needles = {**needles, "the digits of a SeedQR": digits, "their hex": digits.hex().encode()}
    shell.say(f"seed restore again --scan --hex @{seed_qr}", rb"\[yes/no\] ")
    shell.say("yes", unlocked)
    if b"restored" not in shell.printed:
        failures.append(f"in the shell: {shell.printed.decode(errors='replace')}")
    shell.look("after a SeedQR was read", needles)
    seed_qr.unlink()
    for how, ending in (("lock", rb"is locked\r\n" + locked), ("", rb"is locked: no input for 4 s\r\n" + locked)):
        if not shell.held():
            failures.append("an unlocked shell holds nothing in guarded memory, which cannot be")
        held = shell.held()
        # A line that is dropped, by Ctrl-U and by Ctrl-C, and one that was killed and brought back.
        for keys in (TYPED + "\x15", TYPED + "\x03", TYPED + "\x17\x19\x15"):
            shell.drop(keys, unlocked)
        if how:
            shell.say(how, ending)
        else:
            shell.wait(ending)
        dropped = {"a line that was dropped": TYPED.encode(), "its letters": TYPED.encode("utf-32le")}
        shell.look(f"after {how or 'the time without input'}", {**needles, **held, **dropped})
        if shell.held():
            failures.append(f"a shell that is locked by {how or 'time'} holds secrets in guarded memory")
        if how:
            shell.say("log note again", rb"passphrase: ")
            shell.say(PASSPHRASE, unlocked)
    shell.say("log note last", rb"passphrase: ")
    shell.close()


def reply(printed):
    """What a person answers to the last prompt."""
    for ending, answer in ((rb"passphrase: ", PASSPHRASE), (rb"rolls[^\n]*: ", ROLLS), (rb"word \d+: ", asked), (rb"\[yes/no\] ", "yes"),
                           (rb"clear the screen\. ", "")):
        if re.search(ending + rb"$", printed):
            return answer(printed) if callable(answer) else answer
    return PASSWORD


def work(folder):
    """What a shell does with secrets: derives, signs, draws, shows, seals, splits."""
    return [
        "key derive dev //Alice --network westend", "key derive dev //word --network westend --password",
        "key derive dev //ed --scheme ed25519", "key derive dev //ec --scheme ecdsa",
        f"attest specs westend --approve --key {ALICE_ADDRESS} --out {folder}/attested.png", "seed new other",
        "seed new rolled --dice-only --words 12", f"vault backup {folder}/shell-backup",
        f"key secret {ALICE_ADDRESS} --out {folder}/secret.png --yes", "seed show dev",
    ]


def walk_group(program, vault, folder, needles):
    """A shell that is member 1 of a group: its making, an offer and the share for it, a share at once, the loss of the group and its return; then both
    rounds of a guarded signature."""
    unlocked, group, folder = rb"heliograph \(development, unlocked\)> ", scalar_search.GroupPoints(1), pathlib.Path(folder, "group")
    folder.mkdir()
    members = {name: Signer(program.parent, folder / name, name).make() for name in OTHERS}
    for name, phrase in OTHERS.items():
        members[name].must("seed", "restore", "dev", phrase=phrase)
    shell = Shell([program, "shell", str(folder), *vault, "--lock-after", "60"])
    shell.wait(rb"heliograph \(development, locked\)> ")
    shell.say("log note group", rb"passphrase: ")
    shell.say(PASSPHRASE, unlocked)
    for line in itertools.chain(group_work(program, members, folder), guarded_work(program, vault, folder)):
        perform(shell, line, unlocked, needles)
        group.read(folder)
        shell.look_for_numbers(f"after {line}", group.points)
    shell.close()
    # Of the group, and of what is given to two new members.
    if len(group.points) != 23 + 8:
        failures.append(f"{len(group.points)} points of the group were looked for: {sorted(group.points.values())}")
    for file in sorted(path for place in (folder, pathlib.Path(vault[1])) for path in place.rglob("*") if path.is_file()):
        for name in sorted(scalar_search.found(file.read_bytes(), group.points)):
            failures.append(f"{name} in file {file.name}")


def guarded_work(program, vault, folder):
    """The lines of both rounds of a guarded signature."""
    yield "key derive dev //guarded --network westend"
    keys = json.loads(subprocess.run([program, "key", "list", *vault, "--json"], capture_output=True, check=True).stdout)["keys"]
    public = next(key["public_key"] for key in keys if key["path"] == "//guarded")
    payload = (FIXTURES / "proved/westend.hex").read_text().split()[-1]
    payload, reveal = bytes.fromhex(payload[:6] + public + payload[70:]), bytes(range(32))
    fixed = commitment(reveal)
    (folder / "first.hex").write_text((b"\x53\1\xa9\0" + fixed + payload).hex())
    yield f"scan --hex @{folder}/first.hex --approve --out {folder}/guarded-point.hex"
    point = bytes.fromhex((folder / "guarded-point.hex").read_text().split()[-1])[-32:]
    (folder / "second.hex").write_text((b"\x53\1\xaa\0" + fixed + point + reveal + payload).hex())
    yield f"scan --hex @{folder}/second.hex --approve --out {folder}/guarded-signature.hex"


def group_work(program, members, folder):
    """The lines of member 1. What others do happens between them."""
    def others(number, *words):
        for name, member in members.items():
            member.must(*words, "--out", f"{folder}/{name}-{number}.hex")

    def collect(out, *files):
        subprocess.run([program, "group", "collect", *(f"{folder}/{file}.hex" for file in files), "--out", f"{folder}/{out}.hex"],
                       capture_output=True, check=True)

    names = ["v", *OTHERS]
    yield f"group card dev --name v --out {folder}/v-0.hex"
    for name, member in members.items():
        member.must("group", "card", "dev", "--name", name, "--out", f"{folder}/{name}-0.hex")
    ben = members["ben"]
    yield f"group new --threshold 2 --label marked {' '.join(f'{folder}/{name}-0.hex' for name in names)} --out {folder}/1.hex"
    yield f"scan --hex @{folder}/1.hex --approve --out {folder}/v-1.hex"
    others(1, "scan", "--hex", f"@{folder}/1.hex", "--approve")
    collect("3", "1", *(f"{name}-1" for name in names))
    yield f"scan --hex @{folder}/3.hex --approve --out {folder}/v-3.hex"
    others(3, "scan", "--hex", f"@{folder}/3.hex", "--approve")
    collect("5", "1", "3", *(f"{name}-3" for name in names))
    made = ben.json("scan", "--hex", f"@{folder}/5.hex", "--approve")[1]["group"]
    ben.must("key", "allow", made["address"], "westend")
    payload = (FIXTURES / "proved/westend.hex").read_text().split()[-1]
    (folder / "payload.hex").write_text(payload[:6] + made["public_key"] + payload[70:])
    yield f"scan --hex @{folder}/5.hex --approve"
    yield f"key allow {made['address']} westend"
    request = ("group", "request", "--hex", f"@{folder}/payload.hex", "--signers", "v,ben", "--approve", "--out")
    yield f"{' '.join(request)} {folder}/request.hex"
    ben.must("scan", "--hex", f"@{folder}/request.hex", "--approve", "--out", f"{folder}/share.hex")
    yield f"scan --hex @{folder}/share.hex --approve --out {folder}/signature.png"
    ben.must(*request, f"{folder}/other.hex")
    yield f"scan --hex @{folder}/other.hex --approve --out {folder}/last.hex"
    # The share goes to two new seeds: its contribution is made and shown.
    ben.must("seed", "restore", "next", phrase=NEW["dora"])
    new = [f"{folder}/next-{index}.hex" for index in "01"]
    for index, out in enumerate(new):
        ben.must("group", "card", "next", "--index", index, "--name", f"next-{index}", "--out", out)
    yield f"group reshare marked {' '.join(new)} --threshold 2 --contributors v,ben --out {folder}/r1.hex"
    yield f"scan --hex @{folder}/r1.hex --approve --out {folder}/r2.hex"
    yield "group remove marked --yes"
    yield f"group restore dev {folder}/5.hex --approve"


def host_key():
    """The secret of //heliograph//host//0 of the phrase, by schnorrkel: as it expands keys, and as a reduced scalar."""
    import sr25519

    from .golden.keys import chain_code

    public, secret = sr25519.pair_from_seed(hashlib.pbkdf2_hmac("sha512", entropy(), b"mnemonic", 2048, 64)[:32])
    chain = b""
    for name in ("heliograph", "host", "0"):
        chain, public, secret = sr25519.hard_derive_keypair((chain_code(name), public, secret), b"")
    scalar = int.from_bytes(secret[:32], "little")
    return {"the host key": secret[:32], "the scalar of the host key": (scalar >> 3).to_bytes(32, "little"), "the nonce of the host key": secret[32:]}


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
    return found | host_key()


configure = binaries_option


def run(options):
    if os.geteuid() != 0:
        skip("root, which alone may read the memory of a program that refuses to be traced")
        print("secret-search: nothing was searched")
        return 0
    program = options.binaries / "heliograph"
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
        outputs += re.sub(rb"word \d+: \w+", b"", walk([program, "seed", "restore", "dev", *vault], [PASSPHRASE, *typed, "", "no"], after_passphrase))
        outputs += walk([program, "key", "derive", "dev", "//marked", "--network", "westend", "--password", *vault],
                        [PASSPHRASE, PASSWORD], lambda n: {**after_passphrase(n), "the phrase": everything["the phrase"]})
        outputs += walk([program, "vault", "backup", folder + "/backup", *vault], [PASSPHRASE], after_passphrase)
        outputs += walk_importing(program, vault, folder)
        walk_sharing(program, vault, folder)
        walk_making(program, folder)
        walk_group(program, vault, folder, {**everything, **keys()})
        walk_shell(program, vault, folder, {**everything, **keys()})
        for name in ("status", "log show", "key list --json", "seed list --json"):
            outputs += subprocess.run([program, *name.split(), *vault], capture_output=True).stdout
        find("outputs", outputs, everything)
        for file in sorted(pathlib.Path(folder).rglob("*")):
            if file.is_file():
                find(f"file {file.name}", file.read_bytes(), everything)
    print(*(f"FAIL {failure}" for failure in failures), f"secret-search: {looks} places searched, {len(failures)} failed", sep="\n")
    return 1 if failures else 0


def words():
    """The list in the repository."""
    source = (ROOT / "Sources/Secrets/Keys/WordListEnglish.swift").read_text()
    return source.split('"""')[1].split()


def entropy():
    bits = "".join(f"{words().index(word):011b}" for word in PHRASE.split())
    return int(bits[:128], 2).to_bytes(16, "big")

