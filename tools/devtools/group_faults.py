"""Lets the disk and the folder in RAM fail at every step of a member's answers in a group.

Two of three sign one request. What must hold whatever fails, and also after a kill: an offer that was shown is shown again with the same nonces; a
member that gave its share, or finished a signature, gives nothing for another package of that request, and the same again for the same one; a member
that gave nothing still can, unless it ended after its nonces left the RAM folder: then it gives nothing at all. Each run begins with a copy of vault and RAM
folder from before the command.
"""
import hashlib
import json
import os
import re
import secrets
import shutil
import sqlite3
import subprocess

from .common import FIXTURES, secret_lines
from .offline import NEW, OTHERS, PHRASE

PHRASES = {"ann": PHRASE, **OTHERS}
# What a member says to another package once its nonces are used: the second where ben answered two.
SPENT = ("its nonces are spent", "ben answered a package other than the one with this machine's commitment")
# What the preloaded object ends the program with, and exit codes that a failing disk may lead to.
KILLED, TOLD = 137, {1, 65, 69, 74, 77}
# What it says where the nonces left the folder for a share that never was, or that was not stored: neither package is answered.
GONE = ("the nonces of this request are gone", "this request has ended on this machine")


# Faults that are no reason to fail: they only slow the disk, or lie about the time.
SLOW = ("short", "eintr", "clock")


def every_fault(steps, choose, sample):
    """Kind and place of each fault: a kill at every one of so many steps, the others at a sample of them, and two clocks."""
    yield from (("kill", at) for at in range(1, steps + 1))
    for kind in ("full", "eio", "rofs"):
        yield from ((kind, at) for at in sorted(choose.sample(range(1, steps + 1), min(sample, steps))))
    yield from (("short", 1), ("eintr", 1))
    yield from (("clock", offset) for offset in (-10 * 365 * 86400, 10 * 365 * 86400))


def state(folder):
    """A hash of the names, rights and bytes of everything in a folder."""
    told = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        told.update(f"{path.relative_to(folder)}\0{path.lstat().st_mode:o}\0{len(data)}\0".encode() + data)
    return told.digest()


def expect_told(kind, code, err, told=TOLD):
    """How a program may end: what only slows the disk, or lies about the time, is no reason to fail."""
    assert code in ((0, KILLED) if kind == "kill" else (0, *told)), f"exit {code}: {err}"
    assert kind == "kill" or code == 0 or "heliograph: error: " in err and kind not in SLOW, f"exit {code}: {err}"


def is_spent(err):
    """Whether a refusal says that there is no second answer."""
    return any(sentence in err for sentence in SPENT)


class Member:
    """A vault and its folder in RAM, side by side, so that one prefix covers both."""

    def __init__(self, vaults, folder, passphrase):
        self.vaults, self.folder, self.passphrase = vaults, folder, passphrase

    def made(self, phrase):
        """With a vault and a seed."""
        (self.folder / "run").mkdir(parents=True, mode=0o700)
        self.run("init", "--allow-online", "--kdf-cost", "test")
        self.run("seed", "restore", "main", more={"--phrase-fd": phrase})
        return self

    def copied(self, folder):
        """The same member elsewhere."""
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder, folder)
        (folder / "run").chmod(0o700)
        return Member(self.vaults, folder, self.passphrase)

    def tried(self, *words, more=None, faults=None):
        """Exit code, what went to standard error, and the steps of a command."""
        faults = faults if faults is None else {"FAULTS_BELOW": str(self.folder), **faults}
        lines = {"--passphrase-fd": self.passphrase, **(more or {})}
        code, _, err, steps = self.vaults.run(self.folder / "vault", words, lines, faults, {"XDG_RUNTIME_DIR": str(self.folder / "run")})
        return code, err, steps

    def run(self, *words, more=None):
        code, err, _ = self.tried(*words, more=more)
        if code != 0:
            raise AssertionError(f"{self.passphrase}: {' '.join(map(str, words))}: exit {code}: {err.strip()}")

    def answer(self, message, out, faults=None):
        """Scans a message; exit code, standard error, what was written to `out`, and the steps."""
        out.unlink(missing_ok=True)
        code, err, steps = self.tried("scan", "--hex", f"@{message}", "--approve", "--out", out, faults=faults)
        return code, err, out.read_bytes() if out.exists() else None, steps


class Group:
    """A group of three, a request of ann and ben, and messages between them."""

    def __init__(self, vaults, folder):
        self.vaults, self.folder = vaults, folder
        folder.mkdir()
        self.members = {name: Member(vaults, folder / name, name).made(phrase) for name, phrase in PHRASES.items()}
        self.cards()
        self.tool("new", "--threshold", "2", *(self.file(f"{name}-0") for name in PHRASES), out="1")
        self.exchange("1", ["1"], "3")
        self.exchange("3", ["1", "3"], "record")
        payload = bytes.fromhex((FIXTURES / "proved/westend.hex").read_text().split()[-1])
        record = self.file("record").read_bytes().split()[-1]
        key = self.key(bytes.fromhex(record.decode()))
        inner = payload[:3] + key + payload[35:]
        for name in ("ann", "ben"):
            self.members[name].run("scan", "--hex", f"@{self.file('record')}", "--approve")
        address = self.address("ann")
        for name in ("ann", "ben"):
            self.members[name].run("key", "allow", address, "westend")
        request = bytes.fromhex("5301b601") + key + secrets.token_bytes(16) + (0b011).to_bytes(2, "little") + b"\0" + len(inner).to_bytes(4, "little") + inner
        self.file("request").write_text(request.hex() + "\n")

    def cards(self):
        for name, member in self.members.items():
            member.run("group", "card", "main", "--name", name, "--out", self.file(f"{name}-0"))

    def exchange(self, number, before, out):
        """All members answer a message; what the coordinator makes of the answers and of what was `before`."""
        for name, member in self.members.items():
            member.run("scan", "--hex", f"@{self.file(number)}", "--approve", "--out", self.file(f"{name}-{number}"))
        self.tool("collect", *(self.file(name) for name in [*before, *(f"{name}-{number}" for name in PHRASES)]), out=out)

    def file(self, name):
        return self.folder / f"{name}.hex"

    @staticmethod
    def key(record):
        """The group's key in a record (b5): the first commitment, after the proposal and a hash."""
        at = 6 + int.from_bytes(record[4:6], "little") + 32
        return record[at:at + 32]

    def address(self, name):
        """The account as the program shows it."""
        words = [self.vaults.program, "group", "list", "--json", "--vault", self.folder / name / "vault"]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        return next(word for word in done.stdout.split('"') if len(word) in (47, 48) and word[0] == "5")

    def tool(self, *words, out):
        """A command that needs no vault."""
        done = subprocess.run([self.vaults.program, "group", *words, "--out", self.file(out)], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"group {words[0]}: {done.stderr}")

    def told(self, name, message, out, folder=None):
        """What a copy of a member answers."""
        member = self.members[name].copied(folder or self.folder / "copy")
        code, err, _, _ = member.answer(self.file(message), self.file(out))
        if code != 0:
            raise AssertionError(f"{name} does not answer {message}: {err}")
        return member


class DealtGroup(Group):
    """ann deals an imported key to all three; nobody has scanned the record."""

    def __init__(self, vaults, folder, passphrase, secret, address):
        self.vaults, self.folder, self.dealt = vaults, folder, address
        folder.mkdir()
        self.members = {name: Member(vaults, folder / name, passphrase).made(phrase) for name, phrase in PHRASES.items()}
        self.cards()
        ann = self.members["ann"]
        ann.run("key", "import", "--secret", "--network", "westend", "--approve", more={"--secret-fd": secret})
        ann.run("group", "deal", address, "--threshold", "2", "--label", "savings", "--approve", "--out", self.file("1"), "--contribution", self.file("2"),
                *(self.file(f"{name}-0") for name in PHRASES))
        for member in self.members.values():
            member.run("scan", "--hex", f"@{self.file('1')}", "--approve")
        self.tool("collect", self.file("1"), self.file("2"), out="3")
        self.exchange("3", ["1", "3"], "record")

    def holds_group(self, vaults, vault):
        """Whether the dealer's vault has the group: then it has no secret of the key, and otherwise it has. It never lacks both."""
        active = bool(json.loads(vaults.ask(vault, ["group", "list", "--json"], None))["groups"])
        out = vault.parent / "secret.png"
        out.unlink(missing_ok=True)
        vaults.run(vault, ["key", "secret", self.dealt, "--network", "westend", "--yes", "--out", out], {"--passphrase-fd": self.members["ann"].passphrase})
        assert out.exists() != active, "the vault has both the key and the group" if active else "the vault has neither the key nor the group"
        return active


class ResharedGroup(Group):
    """The key of ann, ben and cleo goes to a second seed of ann and to dora; ben contributes and leaves. A copy of a vault is kept before each step that the
    faults try: ann before the proposal, ann and ben before the record."""

    def __init__(self, vaults, folder, passphrase):
        self.vaults, self.folder = vaults, folder
        folder.mkdir()
        self.members = {name: Member(vaults, folder / name, passphrase).made(phrase) for name, phrase in PHRASES.items()}
        self.cards()
        self.tool("new", "--threshold", "2", "--label", "old", *(self.file(f"{name}-0") for name in PHRASES), out="1")
        self.exchange("1", ["1"], "3")
        self.exchange("3", ["1", "3"], "old")
        for member in self.members.values():
            member.run("scan", "--hex", f"@{self.file('old')}", "--approve")
        self.reshare(passphrase)

    def reshare(self, passphrase):
        ann, ben = self.members["ann"], self.members["ben"]
        ann.run("group", "show", "old", "--approve")
        ann.run("key", "allow", self.address("ann"), "westend")
        dora = Member(self.vaults, self.folder / "dora", passphrase).made(NEW["dora"])
        ann.run("seed", "restore", "next", more={"--phrase-fd": NEW["ann"]})
        for name, member, seed in (("ann", ann, "next"), ("dora", dora, "main")):
            member.run("group", "card", seed, "--name", name, "--out", self.file(f"{name}-new"))
        ann.run("group", "reshare", "old", self.file("ann-new"), self.file("dora-new"), "--threshold", "2", "--contributors", "ann,ben", "--label", "new",
                "--out", self.file("r1"))
        self.asked = ann.copied(self.folder / "ann-asked").folder / "vault"
        for name, member in (("ann", ann), ("ben", ben), ("dora", dora)):
            words = ("scan", "--hex", f"@{self.file('r1')}", "--approve")
            member.run(*words, *(() if name == "dora" else ("--out", self.file(f"{name}-r2"))))
        dora.run("scan", "--hex", f"@{self.file('old')}", "--approve")
        self.tool("collect", *(self.file(name) for name in ("r1", "old", "ann-r2", "ben-r2")), out="r3")
        for name, member in (("ann", ann), ("dora", dora)):
            member.run("scan", "--hex", f"@{self.file('r3')}", "--approve", "--out", self.file(f"{name}-r4"))
        ben.run("scan", "--hex", f"@{self.file('r3')}", "--approve")
        self.tool("collect", *(self.file(name) for name in ("r1", "old", "r3", "ann-r4", "dora-r4")), out="record")
        self.staying, self.leaving = ann.folder / "vault", ben.folder / "vault"

    @staticmethod
    def groups(vaults, vault):
        """The groups of a vault by name."""
        found = json.loads(vaults.ask(vault, ["group", "list", "--json"], None))
        return {group["name"]: group for group in found["groups"]}, found["makings"]

    def has_contributed(self, vaults, vault):
        """Whether the vault keeps a contribution: then it shows the same one again, and otherwise it makes its first."""
        contributed = bool(self.groups(vaults, vault)[1])
        shown = []
        copy = vault.parent / "asked-again"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(vault, copy)
        for number in range(2):
            out = vault.parent / f"contribution-{number}.hex"
            out.unlink(missing_ok=True)
            words = ["scan", "--hex", f"@{self.file('r1')}", "--approve", "--out", str(out)]
            code, _, err, _ = vaults.run(copy, words, {"--passphrase-fd": self.members["ann"].passphrase})
            assert code == 0, f"the proposal again: exit {code}: {err}"
            shown.append(out.read_bytes())
        assert shown[0] == shown[1], "two contributions to one reshare"
        return contributed

    def has_moved(self, vaults, vault):
        """Whether the new group has the account, with its network: then the old one is superseded and has nothing. The account always has one of them."""
        groups, _ = self.groups(vaults, vault)
        active = "new" in groups
        assert (groups["old"]["superseded_by"] is not None) == active, "the mark of the old group does not agree with the new one"
        # The address of a group is listed once it was compared.
        copy = vault.parent / "compared"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(vault, copy)
        vaults.ask(copy, ["group", "show", "new" if active else "old", "--approve"], self.members["ann"].passphrase)
        keys = json.loads(vaults.ask(copy, ["key", "list", "--json"], None))
        assert [(key["group"], key["networks"]) for key in keys["keys"]] == [("new" if active else "old", ["westend"])], f"the account: {keys}"
        return active

    def is_superseded(self, vaults, vault):
        """Whether the vault of who left says so; it keeps its old group until that is removed."""
        return self.groups(vaults, vault)[0]["old"]["superseded_by"] is not None


class Answers:
    """One command of a member, and the two messages that it may get: the second is another package for the same request. `waits` where its nonces waited in
    the RAM folder; a share at once draws its own each time, so an older vault has others."""

    def __init__(self, name, member, first, other, waits=False):
        self.name, self.member, self.first, self.other, self.waits = name, member, first, other, waits


def answers(group):
    """Round one; then a share with nonces that waited, a signature finished with them, and a share at once."""
    offer = group.told("ann", "request", "offer", group.folder / "offered")
    group.told("ann", "request", "offer-2")
    # ben's nonces, offered twice by two copies of ben, of which each knows nothing of the other.
    for number in ("", "-2"):
        group.told("ben", "request", f"ben-offer{number}")
        group.tool("collect", group.file("record"), group.file("request"), group.file("offer"), group.file(f"ben-offer{number}"), out=f"package{number}")
        group.tool("collect", group.file("record"), group.file("request"), group.file(f"offer{number}"), out=f"entry{number}")
        # The same offer of ann in both: two shares of ben.
        group.told("ben", "entry", f"share{number}")
    return [Answers("group offer", group.members["ann"], "request", None), Answers("group share", offer, "package", "package-2", waits=True),
            Answers("group signature", offer, "share", "share-2", waits=True), Answers("group share at once", group.members["ben"], "entry", "entry-2")]


class GroupWalk:
    """Every fault at the steps of one answer. Its files lie in `folder`, so that several walk at once."""

    def __init__(self, group, folder, choose, sample):
        self.group, self.place, self.choose, self.sample = group, folder, choose, sample
        self.failures, self.counts, self.held = [], {}, set()
        folder.mkdir()

    def fault(self, answer, kind, at):
        """One run with a fault, and what is left."""
        member = answer.member.copied(self.place / "member")
        faults = {"FAULTS_CLOCK": str(at)} if kind == "clock" else {"FAULTS_KIND": kind, "FAULTS_AT": str(at)}
        code, err, shown, _ = member.answer(self.group.file(answer.first), self.place / "shown.png", faults)
        self.counts[kind] = self.counts.get(kind, 0) + 1
        try:
            expect_told(kind, code, err)
            assert shown or code != 0, "confirmed, and nothing written"
            # What was shown and every byte that is left are as after a fault for which everything held.
            found = state(member.folder), shown, kind == "kill", kind in SLOW
            if found not in self.held:
                self.look(answer, member, shown, kind)
                self.held.add(found)
        except AssertionError as error:
            self.failures.append(f"{answer.name}, {kind} at {at}: {error}")

    def look(self, answer, member, shown, kind):
        """What must hold after a fault."""
        if kind == "kill" and answer.waits:
            self.roll_back(answer, member)
        if not shown and kind not in SLOW and self.is_over(answer, member):
            return
        self.expect(answer, member, shown)
        left = {path.name for path in (member.folder / "run").rglob("*") if path.is_file()}
        assert len(left) == (answer.other is None), f"in the RAM folder: {left}"

    def roll_back(self, answer, member):
        """After a kill somebody puts an older copy of the vault's folder beside the RAM folder as it is, asks about the other package, and puts the newer
        vault back: there are not two answers."""
        older = member.copied(self.place / "older")
        shutil.rmtree(older.folder / "vault")
        shutil.copytree(answer.member.folder / "vault", older.folder / "vault")
        _, _, other, _ = older.answer(self.group.file(answer.other), self.place / "older-answer.png")
        shutil.rmtree(older.folder / "vault")
        shutil.copytree(member.folder / "vault", older.folder / "vault")
        _, _, first, _ = older.answer(self.group.file(answer.first), self.place / "newer-answer.png")
        assert not (other and first), "two answers for one pair of nonces, with an older copy of the vault"

    def is_over(self, answer, member):
        """Whether the nonces are gone without an answer: then both packages are refused, whichever comes first."""
        messages = [self.group.file(name) for name in (answer.other, answer.first) if answer.other]
        told = []
        for message in messages:
            code, err, shown, _ = member.copied(self.place / "asked").answer(message, self.place / "asked-answer.png")
            told.append(code != 0 and not shown and any(sentence in err for sentence in GONE))
        return bool(told) and all(told)

    def expect(self, answer, member, shown):
        """What the member says without faults."""
        first, again = self.group.file(answer.first), self.place / "again.png"
        if answer.other:
            code, err, other, _ = member.answer(self.group.file(answer.other), self.place / "other.png")
            assert not (shown and other), "two answers for one pair of nonces"
            assert code == 0 or is_spent(err), f"another package: exit {code}: {err}"
            if code == 0:
                code, err, after, _ = member.answer(first, again)
                assert code != 0 and not after and is_spent(err), f"the first package after another: exit {code}: {err}"
                return
        code, err, after, _ = member.answer(first, again)
        assert code == 0, f"the same message again: exit {code}: {err}"
        assert not shown or after == shown, "another answer to the same message"
        code, err, third, _ = member.answer(first, again)
        assert code == 0 and third == after, f"another answer the third time: exit {code}: {err}"

    def walk(self, answer):
        """All faults of one answer; how many steps it has."""
        member = answer.member.copied(self.place / "member")
        code, err, shown, steps = member.answer(self.group.file(answer.first), self.place / "shown.png", {})
        if code != 0 or not shown:
            raise SystemExit(f"faults: {answer.name} fails without a fault: {err}")
        if not any("openat" in step or "unlinkat" in step for step in steps) and answer.name != "group share at once":
            self.failures.append(f"{answer.name}: nothing was done to the RAM folder")
        for kind, at in every_fault(len(steps), self.choose, self.sample):
            self.fault(answer, kind, at)
        return len(steps)


class ShellWalk(GroupWalk):
    """A shell that goes on when the disk is full or breaks: it is asked about the first package, about the other, and about the first again, while a second
    reader keeps the write-ahead log from being emptied. After each of them the owner of the disk reads every byte of the member's files, and in the end he
    asks again on a whole disk: in all he sees one share."""

    def shell(self, answer, member, faults):
        """All shares that were shown or lay in a file after one of the commands, standard error, and the number of steps."""
        out, found, told = self.place / "shell.hex", set(), ""
        environment = {**os.environ, "TZ": "UTC", "XDG_RUNTIME_DIR": str(member.folder / "run"), "LD_PRELOAD": str(self.group.vaults.library),
                       "FAULTS_BELOW": str(member.folder), **faults}
        with secret_lines({"--passphrase-fd": member.passphrase}) as (options, descriptors):
            reading, writing = os.pipe()
            words = [self.group.vaults.program, "shell", self.group.folder, self.place, "--vault", member.folder / "vault", *options]
            child = subprocess.Popen(
                words, env={**environment, "FAULTS_TRACE": str(writing)}, pass_fds=[*descriptors, writing], stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            os.close(writing)
            for name in (answer.first, answer.other, answer.first):
                out.unlink(missing_ok=True)
                # The second line is like no command: what is said of it, without the line, tells that the first one has ended.
                child.stdin.write(f"scan --hex @{self.group.file(name)} --approve --out {out}\n{self.MARK}\n")
                child.stdin.flush()
                for line in child.stderr:
                    told += line
                    if "there is no such command" in line:
                        break
                found |= self.on_disk(member) | (self.shares(bytes.fromhex(out.read_text())) if out.exists() else set())
            told += child.communicate()[1]
            with os.fdopen(reading, "rb") as trace:
                steps = len(trace.read().splitlines())
        return found, told, steps

    MARK = "end-of-command"

    def shares(self, data):
        """The scalar z of each b9 of the request in these bytes."""
        tag, request = b"request", bytes.fromhex(self.group.file("request").read_text())
        rid = hashlib.sha512(b"HELIOGRAPH-GROUP-v1" + bytes([len(tag)]) + tag + request).digest()[:32]
        starts = (match.end() for match in re.finditer(re.escape(bytes.fromhex("5301b901") + rid), data))
        # After the member's number, two points, a signature and the hash of the package.
        return {data[start + 161:start + 193] for start in starts}

    def on_disk(self, member):
        """The member's shares in all files of the vault and of the RAM folder."""
        return set().union(*(self.shares(path.read_bytes()) for path in member.folder.rglob("*") if path.is_file()))

    def reader(self, member):
        """A second program in the middle of a look at the store."""
        reader = sqlite3.connect(member.folder / "vault/store.sqlite", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM log").fetchall()
        return reader

    def fault(self, answer, kind, at):
        """One shell with a fault, and what its member says on a whole disk."""
        member = answer.member.copied(self.place / "member")
        reader = self.reader(member)
        self.counts[kind] = self.counts.get(kind, 0) + 1
        try:
            found, err, _ = self.shell(answer, member, {"FAULTS_KIND": kind, "FAULTS_AT": str(at)})
            assert "Fatal error" not in err, err
            for name in (answer.other, answer.first):
                _, _, told, _ = member.answer(self.group.file(name), self.place / "after.hex")
                found |= self.on_disk(member) | (self.shares(bytes.fromhex(told.decode())) if told else set())
            assert len(found) <= 1, f"{len(found)} shares for one request"
        except AssertionError as error:
            self.failures.append(f"{answer.name} in a shell, {kind} at {at}: {error}")
        finally:
            reader.close()

    def walk(self, answer):
        """A disk that lets no file grow from every step on, and the others at a sample of them; how many steps there are."""
        member = answer.member.copied(self.place / "member")
        reader = self.reader(member)
        found, err, steps = self.shell(answer, member, {})
        reader.close()
        # What is stored is found, or the search would prove nothing; and the other package was refused.
        if len(found) != 1 or self.on_disk(member) != found or not is_spent(err):
            raise SystemExit(f"faults: {answer.name} in a shell gives {len(found)} shares without a fault: {err}")
        for kind in ("grow", "full", "eio", "rofs"):
            places = range(1, steps + 1)
            for at in places if kind == "grow" else sorted(self.choose.sample(places, min(self.sample, steps))):
                self.fault(answer, kind, at)
        return steps
