"""Lets the disk fail at every step of every operation, and looks at what is left.

A shared object (tools/peers/disk-faults.c) is preloaded into `heliograph`. It counts what the program does to the files of its vault, and at one
of these steps it ends the program as SIGKILL does, or lets the disk be full, broken, or read-only from there on; in other runs writes take one byte
at a time, calls are interrupted, or the clock is off.

After each run the vault is opened without faults; one whose every byte is as after an earlier run says what it said then. What must hold: it opens, with the
passphrase from before or the one after; nothing
that the log had is gone; what the program confirmed is there; an act is in the log if and only if it took effect; a failure is told with
one of the documented errors; nothing half written is left. For `init` and `vault restore`: there is a whole vault, or the same command makes it.

Each step of each operation is killed once (at least 200 in all); the other faults come at a sample of the steps that --seed chooses. Losing
writes that were not synced is tried in Tests/TrustStoreTests (PowerLossLaws).
"""
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile

from .common import ALICE, ALICE_ADDRESS, FIXTURES, WESTEND, binaries_option, faults_library, secret_lines
from .group_faults import DealtGroup, Group, GroupWalk, ResharedGroup, ShellWalk, answers, every_fault, expect_told, state
from .offline import OTHERS, PHRASE

PASS, NEW = "correct horse", "battery staple"
MINIMUM_KILLS = 200
# A key of the base vault that no seed gives, and the account of a keystore that is imported.
IMPORTED_SECRET, IMPORTED_ADDRESS = "0x" + "07" * 32, "5HMuAqymF33H73ZiBpmZ3TigFzHCopV9doyb9UfQdyDgZMUp"
# The same secret as an sr25519 key, which is dealt to a group.
DEALT_ADDRESS = "5EsNLFaGe9XK5LzWH3i6eC2Wqv6YqZS1442N1C4yeSdP6uxy"
KEYSTORE_ADDRESS = "5D7aVyt49i8VwZdvXtWEiV3hLHsHqNj4R9QywGm2or2GtBgL"
# How a result gets its name: its bytes are on the disk before, the folder is afterwards. A link takes nobody's place.
NAMED = (["fsync", "rename", "fsync"], ["fsync", "link", "unlink", "fsync"])
# Exit codes that a failing disk may lead to: refused, bad input, input or output, not permitted.
TOLD = {1, 65, 74, 77}


class Vaults:
    """Runs the program on a vault in a scratch folder."""

    def __init__(self, program, scratch):
        self.program, self.scratch = program, scratch
        self.library = faults_library()

    def run(self, vault, words, lines, faults=None, more=None):
        """Runs a command; with `faults`, the environment of the preloaded object, and always with `more`. Returns the process and the steps that it took."""
        environment = {**os.environ, "TZ": "UTC", **(more or {})}
        with secret_lines(lines) as (options, descriptors):
            reading, writing = os.pipe()
            if faults is not None:
                environment |= {"LD_PRELOAD": str(self.library), "FAULTS_BELOW": str(vault), "FAULTS_TRACE": str(writing), **faults}
                descriptors = [*descriptors, writing]
            child = subprocess.Popen(
                [self.program, *words, "--vault", vault, *options], env=environment, pass_fds=descriptors, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            os.close(writing)
            with os.fdopen(reading, "rb") as trace:
                steps = trace.read().decode().splitlines() if faults is not None else []
            out, err = child.communicate()
        return child.returncode, out.decode(), err.decode(), steps

    def ask(self, vault, words, passphrase=PASS):
        code, out, err, _ = self.run(vault, words, {"--passphrase-fd": passphrase} if passphrase else {})
        if code != 0:
            raise AssertionError(f"{' '.join(map(str, words))}: exit {code}: {err.strip()}")
        return out

    def log(self, vault):
        return [entry["event"] for entry in json.loads(self.ask(vault, ["log", "show", "--json"], None))["log"]]


class Operation:
    """One command: its words, the line of the log that it leaves, how to see that it took effect, and what else it reads from descriptors."""

    def __init__(self, words, event, effect=None, lines=None, after=PASS):
        self.words, self.event, self.effect, self.lines, self.after = words, event, effect, lines or {}, after

    @property
    def name(self):
        return " ".join(word for word in self.words[:2] if not word.startswith("-"))


def shows(*words, text):
    """Whether a list of the vault contains a text."""
    return lambda vaults, vault: text in vaults.ask(vault, [*words, "--json"], None)


def operations(scratch):
    """Every kind of change: of both files, of the store, of the log alone; and what only reads and writes a line."""
    policy = scratch / "policy.json"
    policy.write_text(json.dumps({"networks": ["westend"]}))
    message = "530103" + (ALICE + b"<Bytes>a message</Bytes>").hex() + WESTEND
    seeds, keys = ("seed", "list"), ("key", "list")
    return [
        Operation(["seed", "restore", "second"], "seed_added", shows(*seeds, text='"second"'), {"--phrase-fd": OTHERS["ben"]}),
        Operation(["seed", "remove", "main", "--yes"], "seed_removed", lambda v, d: '"main"' not in v.ask(d, [*seeds, "--json"], None)),
        Operation(["vault", "passphrase"], "passphrase_changed", None, {"--new-passphrase-fd": NEW}, NEW),
        Operation(["key", "derive", "main", "//1", "--network", "westend"], "key_added", shows(*keys, text="//1")),
        Operation(["key", "import", "--keystore", str(FIXTURES / "wallets/account.json"), "--approve"], "key_added", shows(*keys, text=KEYSTORE_ADDRESS),
                  {"--password-fd": "correct horse"}),
        Operation(["key", "remove", IMPORTED_ADDRESS, "--yes"], "key_removed",
                  lambda v, d: IMPORTED_ADDRESS not in v.ask(d, [*keys, "--json"], None)),
        Operation(["key", "label", ALICE_ADDRESS, "savings"], "key_labelled", shows(*keys, text="savings")),
        Operation(["scan", "--hex", message, "--approve"], "message_signed"),
        Operation(["policy", "set", str(policy), "--approve"], "policy_set", shows("policy", "show", text="westend")),
        Operation(["network", "remove", "kusama", "--approve"], "network_removed"),
        Operation(["log", "note", "a note"], "user_note"),
        Operation(["vault", "backup", str(scratch / "one.backup"), "--replace"], "vault_backed_up"),
        Operation(["verifier", "reset", "--approve"], "verifiers_reset"),
        Operation(["log", "clear", "--approve"], "log_cleared"),
    ]


class Walk:
    """Every fault at the steps of one operation."""

    def __init__(self, vaults, base, choose, sample):
        self.vaults, self.base, self.choose, self.sample = vaults, base, choose, sample
        self.failures, self.counts, self.known = [], {}, {}
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=vaults.scratch))
        self.before = vaults.log(base) if base.exists() else []

    def fresh(self):
        vault = self.folder / "vault"
        shutil.rmtree(vault, ignore_errors=True)
        if self.base.exists():
            shutil.copytree(self.base, vault)
        return vault

    def fault(self, operation, kind, at):
        """One run with a fault, and what is left."""
        vault = self.fresh()
        faults = {"FAULTS_CLOCK": str(at)} if kind == "clock" else {"FAULTS_KIND": kind, "FAULTS_AT": str(at)}
        code, _, err, _ = self.vaults.run(vault, operation.words, {"--passphrase-fd": PASS, **operation.lines}, faults)
        self.counts[kind] = self.counts.get(kind, 0) + 1
        try:
            self.expect(operation, vault, kind, code, err)
        except AssertionError as error:
            self.failures.append(f"{operation.name}, {kind} at {at}: {error}")

    def expect(self, operation, vault, kind, code, err):
        expect_told(kind, code, err, TOLD)
        if (found := state(vault)) not in self.known:
            self.known[found] = self.seen(operation, vault)
        opened, log, is_in_force, left = self.known[found]
        assert len(opened) == 1, f"opens with {opened}"
        happened = operation.event in log[len(self.before):] or operation.event == "log_cleared" and log[0] == "log_cleared"
        assert happened or log[: len(self.before)] == self.before, "lines of the log are gone"
        assert happened or code != 0, "confirmed, and not in the log"
        assert (opened[0] == operation.after) == happened or operation.after == PASS, "the log does not agree with the passphrase"
        assert is_in_force in (None, happened), f"in the log: {happened}, in force: {not happened}"
        assert not left, f"left over: {left}"

    def seen(self, operation, vault):
        """What a vault says without faults: the passphrases that open it, its log, whether the operation is in force (None if that does not show), and files
        that are left over."""
        opened = [passphrase for passphrase in dict.fromkeys([PASS, operation.after]) if self.opens(vault, passphrase)]
        log = self.vaults.log(vault) if opened else []
        is_in_force = operation.effect(self.vaults, vault) if operation.effect else None
        return opened, log, is_in_force, [name for name in os.listdir(vault) if name.endswith(".new") or name == "intent"]

    def opens(self, vault, passphrase):
        code, _, err, _ = self.vaults.run(vault, ["log", "verify"], {"--passphrase-fd": passphrase})
        assert code == 0 or "passphrase" in err, f"exit {code}: {err}"
        return code == 0

    def walk(self, operation):
        vault = self.fresh()
        code, _, err, steps = self.vaults.run(vault, operation.words, {"--passphrase-fd": PASS, **operation.lines}, {})
        if code != 0:
            raise SystemExit(f"faults: {operation.name} fails without a fault: {err}")
        for kind, at in every_fault(len(steps), self.choose, self.sample):
            self.fault(operation, kind, at)
        return len(steps)


class Making(Walk):
    """`init` and `vault restore`: a whole vault, or none, and then the same command makes it."""

    def expect(self, operation, vault, kind, code, err):
        expect_told(kind, code, err, TOLD)
        if code != 0 and not self.isWhole(vault):
            again, _, message, _ = self.vaults.run(vault, operation.words, {"--passphrase-fd": PASS, **operation.lines})
            if again != 0 and "store" in message + err or "already a vault" in message:
                # A vault without a store holds nothing yet; this is what the program says to do.
                self.vaults.ask(vault, ["verifier", "reset", "--approve"])
            elif again != 0:
                raise AssertionError(f"cannot be made again: {message}")
        assert self.isWhole(vault), "does not open"

    def isWhole(self, vault):
        return (vault / "vault").exists() and self.vaults.run(vault, ["log", "verify"], {"--passphrase-fd": PASS})[0] == 0


def configure(parser):
    binaries_option(parser)
    parser.add_argument("--seed", type=int, default=1, help="which steps get the faults other than kill")
    parser.add_argument("--sample", type=int, default=4, help="steps of each operation for each fault other than kill")
    parser.add_argument("--only", help="operations whose name contains this text")


def walks(vaults, options):
    """Name → a walk and its operation. Each walk has its own folder and its own random numbers, so that several may run at once."""
    scratch = vaults.scratch
    base = scratch / "base"
    create = ["init", "--allow-online", "--kdf-cost", "test"]
    vaults.ask(base, create)
    for words, lines in [(["seed", "restore", "main"], {"--phrase-fd": PHRASE}), (["key", "derive", "main", "//Alice", "--network", "westend"], {}),
                         (["key", "import", "--secret", "--scheme", "ed25519", "--approve"], {"--secret-fd": IMPORTED_SECRET})]:
        code, _, err, _ = vaults.run(base, words, {"--passphrase-fd": PASS, **lines})
        if code != 0:
            raise SystemExit(f"faults: {' '.join(words)}: {err}")
    backup = scratch / "base.backup"
    vaults.ask(base, ["vault", "backup", str(backup)])
    group = Group(vaults, scratch / "group")

    def chooser(name):
        return random.Random(f"{options.seed} {name}")

    found = {}
    for operation in operations(scratch):
        found[operation.name] = Walk(vaults, base, chooser(operation.name), options.sample), operation
    dealt = DealtGroup(vaults, scratch / "dealt", PASS, IMPORTED_SECRET, DEALT_ADDRESS)
    taking = Operation(["scan", "--hex", f"@{dealt.file('record')}", "--approve"], "group_activated", dealt.holds_group)
    found["group of a dealt key"] = Walk(vaults, dealt.folder / "ann/vault", chooser("dealt"), options.sample), taking
    reshared = ResharedGroup(vaults, scratch / "reshared", PASS)
    out = str(scratch / "contribution.hex")
    for name, base_of, words, event, effect in (
            ("group contribution to a reshare", reshared.asked, ["r1", "--out", out, "--replace"], "group_reshared", reshared.has_contributed),
            ("group of a reshared key", reshared.staying, ["record"], "group_activated", reshared.has_moved),
            ("group of who left", reshared.leaving, ["record"], "group_superseded", reshared.is_superseded)):
        step = Operation(["scan", "--hex", f"@{reshared.file(words[0])}", "--approve", *words[1:]], event, effect)
        found[name] = Walk(vaults, base_of, chooser(name), options.sample), step
    for operation in (Operation(create, "database_created"), Operation(["vault", "restore", str(backup)], "vault_restored")):
        found[operation.name] = Making(vaults, scratch / "nothing", chooser(operation.name), options.sample), operation
    for answer in answers(group):
        found[answer.name] = GroupWalk(group, scratch / answer.name.replace(" ", "-"), chooser(answer.name), options.sample), answer
        if answer.other:
            name = f"{answer.name} in a shell"
            found[name] = ShellWalk(group, scratch / name.replace(" ", "-"), chooser(name), options.sample), answer
    return {name: pair for name, pair in found.items() if not options.only or options.only in name}


def unnamed_results(vaults, base, scratch):
    """Results that a command calls written before their names are on the disk: whoever pulls the stick then has a file under a hidden name."""
    out, vault = scratch / "results", scratch / "writer"
    out.mkdir()
    shutil.copytree(base, vault)
    commands = [["vault", "backup", str(out / "one.backup")], ["key", "show", ALICE_ADDRESS, "--out", str(out / "key.png")]]
    for words in commands:
        code, _, err, steps = vaults.run(vault, words, {"--passphrase-fd": PASS}, {"FAULTS_BELOW": str(out)})
        kinds = [step.split()[1] for step in steps]
        if code != 0 or not any(kinds[-len(end):] == end for end in NAMED):
            yield f"{' '.join(words[:2])}: exit {code}, {' '.join(kinds)}: the name is not on the disk: {err.strip()}"


def run(options):
    """Walks through every operation; 1 when something does not hold."""
    program = options.binaries / "heliograph"
    # In memory: what counts is the order of the steps, not how long a disk takes.
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="heliograph-faults-", dir=place) as folder:
        vaults = Vaults(program, pathlib.Path(folder))
        chosen = walks(vaults, options)
        failures = list(unnamed_results(vaults, vaults.scratch / "base", vaults.scratch))
        with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            steps = dict(zip(chosen, pool.map(lambda pair: pair[0].walk(pair[1]), chosen.values())))
    counts = {}
    for name, (walk, _) in chosen.items():
        print(f"{name:<31} {steps[name]:3d} steps, {len(walk.failures)} failures")
        failures += walk.failures
        for kind, count in walk.counts.items():
            counts[kind] = counts.get(kind, 0) + count
    runs = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    print(*(f"FAIL {failure}" for failure in failures), f"faults: {runs}; {len(failures)} failures; seed {options.seed}", sep="\n")
    enough = options.only or counts.get("kill", 0) >= MINIMUM_KILLS
    return 1 if failures or not enough else 0
