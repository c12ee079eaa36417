"""Laws of guarded signatures, for hot_laws: the shipped signer answers both codes, and then a signer in Python lies."""
import json
import pathlib
import shutil
import subprocess

from substrateinterface import Keypair

from . import hot_signing
from .golden import guarded
from .golden.nonces import ORDER, times
from .hot_world import ALICE, MAKE, law
from .offline import PHRASE, Signer

GUARD = [*MAKE, "--call-hex", hot_signing.TRANSFER.hex(), "--without-proof", "--guard"]
KEPT = "guarded: the signer and this machine made the nonce together, as agreed"


def scalar(key):
    """a of a key of schnorrkel, which keeps it times the cofactor."""
    stored = int.from_bytes(key.private_key[:32], "little")
    return next(a % ORDER for a in (stored, stored * pow(8, -1, ORDER)) if times(a % ORDER) == key.public_key)


class Liar:
    """A signer that knows the formulas and keeps to them as far as a law lets it."""

    def __init__(self, key=ALICE):
        self.key, self.a = key, scalar(key)

    @staticmethod
    def parts(payload):
        """Code, what stands around the transaction, and the transaction."""
        length = {0xA9: 32, 0xAA: 96}[payload[2]]
        return payload[2], payload[4:4 + length], payload[4 + length:]

    @staticmethod
    def message(transaction):
        """The signed bytes, of fewer than 257."""
        return transaction[36:-32]

    def nonce(self, commitment, transaction):
        return guarded.nonce("sr25519", self.a, self.key.public_key, commitment, guarded.digest(transaction), self.message(transaction))

    def point(self, payload, shift=0):
        """The text of the answer to the first code; with a shift the point of another nonce."""
        code, commitment, transaction = self.parts(payload)
        assert code == 0xA9, payload.hex()
        point = times((self.nonce(commitment, transaction) + shift) % ORDER)
        return (b"\x53\1\xab\0" + commitment + guarded.digest(transaction) + point).hex()

    def signature(self, payload, shift=0):
        """The text of the answer to the second code; with a shift by a nonce that was changed after the reveal."""
        code, around, transaction = self.parts(payload)
        assert code == 0xAA, payload.hex()
        commitment, point, reveal = around[:32], around[32:64], around[64:]
        assert guarded.commitment(reveal) == commitment
        named, public, message = guarded.digest(transaction), self.key.public_key, self.message(transaction)
        both = (self.nonce(commitment, transaction) + guarded.tweak("sr25519", public, point, reveal, named) + shift) % ORDER
        at = times(both)
        s = (guarded.challenged("sr25519", at, public, message) * self.a + both) % ORDER
        made = at + (s | 1 << 255).to_bytes(32, "little")
        assert self.key.verify(message, made), "a lie that no chain takes proves nothing"
        return "01" + made.hex()

    def plain(self, payload):
        """A signature as any other program makes it."""
        return "01" + self.key.sign(self.message(self.parts(payload)[2])).hex()


def first(world, *more, nonce=4):
    """The first code of a transaction."""
    world.hot(*GUARD, "--nonce", nonce, *more, "--out", world.folder / "first.bin")
    return (world.folder / "first.bin").read_bytes()


def second(world, answer):
    """What `read` prints for the answer to the first code."""
    return bytes.fromhex(world.hot("read", "--hex", answer).stdout.strip())


@law
def both_programs_make_a_guarded_signature_in_two_scans(world):
    log = hot_signing.ready(world)
    signer = Signer(pathlib.Path(shutil.which("heliograph")).parent, world.folder / "vault")
    signer.make("--verifier", "none", "--networks", "none")
    signer.must("seed", "restore", "main", phrase=PHRASE)
    for words in (["add-specs", "heliotest"], ["load-metadata", "heliotest"]):
        world.made(*words, "--unsigned", out="update.hex")
        signer.must("scan", "--hex", f"@{world.folder}/update.hex", "--approve")
    signer.must("key", "derive", "main", "//Alice", "--network", "heliotest")
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    child = world.start(*hot_signing.words(world, "--without-proof", "--guard", "--claims", out="tx.hex"), text=True, **pipes)
    try:
        answers = []
        for name in ("tx-first.hex", "tx.hex"):
            hot_signing.until(lambda name=name: (world.folder / name).exists() or child.poll() is not None)
            assert child.poll() is None, child.communicate()
            answers.append(signer.must("scan", "--hex", f"@{world.folder}/{name}", "--approve").splitlines()[-1])
            child.stdin.write(answers[-1] + "\n")
            child.stdin.flush()
        out, errors = hot_signing.ended(child)
    finally:
        child.kill()
    point, signature = answers
    assert point[:8] == "5301ab00" and signature[:2] == "01" and len(signature) == 130, answers
    # Byte for byte what the page says.
    liar, payload = Liar(), bytes.fromhex((world.folder / "tx.hex").read_text().strip())
    inner = hot_signing.inner(payload[100:])
    bare = payload[:100] + inner
    assert liar.signature(bare) == signature
    assert out.splitlines()[-1] == f"finalized in block {hot_signing.BLOCK}" and KEPT in errors, (out, errors)
    assert "the signer's point is kept: the second code follows" in errors and "1 signature verified" in errors
    assert log.read_text().split().count("author_submitAndWatchExtrinsic") == 1
    kinds = [entry["event"] for entry in signer.json("log", "show")[1]["log"]]
    assert "guard_answered" in kinds and kinds.count("transaction_signed") == 1, kinds


@law
def step_by_step_the_same_comes_of_files(world):
    world.known()
    liar = Liar()
    payload = second(world, liar.point(first(world)))
    answer = liar.signature(payload)
    run = world.hot("read", "--hex", answer)
    assert KEPT in run.stderr and "was refused" not in run.stderr, run
    # The payload of the second code has all values with it: another database needs nothing else.
    world.hot("qr", "--hex", payload.hex(), "--out", world.folder / "second.bin")
    world.database = world.folder / "other"
    world.known()
    again = world.hot("read", "--hex", answer, "--payload", world.folder / "second.bin")
    assert again.stdout == run.stdout and KEPT in again.stderr, again
    world.refuses("not made with the agreed nonce", "read", "--hex", liar.plain(payload), "--payload", world.folder / "second.bin")


@law
def a_valid_signature_with_another_nonce_is_refused_and_counted(world):
    world.known()
    liar = Liar()
    payload = second(world, liar.point(first(world)))
    for lie in (liar.plain(payload), liar.signature(payload, shift=1), liar.signature(payload, shift=liar.a)):
        world.refuses("the signature is not made with the agreed nonce, so it may carry the key", "read", "--hex", lie)
    # A repeated code is the same one: whoever dislikes the revealed bytes gets no others.
    assert first(world) == first(world) and second(world, liar.point(first(world))) == payload
    world.hot(*GUARD, "--nonce", 5, "--out", world.folder / "other.bin")
    told = world.hot("read", "--hex", liar.signature(payload)).stderr
    assert KEPT in told, told
    assert ("guarded: the first code was made 4 times, 3 answers were refused, and 1 other guarded transaction of this key has no signature"
            in told), told
    # Nor is what was guarded once taken unguarded later, whatever file names it.
    world.hot(*[word for word in GUARD if word != "--guard"], "--nonce", 4, "--out", world.folder / "plain.bin")
    for more in ([], ["--payload", world.folder / "plain.bin"]):
        world.refuses("not made with the agreed nonce", "read", "--hex", liar.plain(payload), *more)
    plain = first(world, nonce=6)
    world.refuses("the signer's answer to its first code was not read here", "read", "--hex",
                  "01" + ALICE.sign(liar.message(liar.parts(plain)[2])).hex())


@law
def a_point_that_changes_or_is_none_is_refused(world):
    world.known()
    liar, code = Liar(), first(world)
    world.refuses("is not a point of its key's group", "read", "--hex", liar.point(code)[:-64] + "ff" * 32, code=65)
    kept = liar.point(code)
    payload = second(world, kept)
    world.refuses("another point than before answers the same code", "read", "--hex", liar.point(code, shift=1))
    assert second(world, kept) == payload
    # Of a commitment and of a transaction that were never shown.
    for place in (8, 72):
        strange = kept[:place] + ("0" if kept[place] != "0" else "1") + kept[place + 1:]
        world.refuses("matches no transaction", "read", "--hex", strange, code=65)
    told = world.hot("read", "--hex", liar.signature(payload)).stderr
    assert "2 answers were refused" in told, told
    # Another key has other points: only the signature shows whose they are.
    bob = Liar(Keypair.create_from_uri("//Bob"))
    payload = second(world, bob.point(first(world, nonce=9)))
    world.refuses("not made with the agreed nonce", "read", "--hex", liar.signature(payload))


@law
def a_lie_ends_sign_and_nothing_is_submitted(world):
    log = hot_signing.ready(world)
    liar = Liar()
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    child = world.start(*hot_signing.words(world, "--without-proof", "--guard"), text=True, **pipes)
    try:
        hot_signing.until(lambda: (world.folder / "tx-first.bin").exists() or child.poll() is not None)
        # What is no answer to this code is skipped.
        child.stdin.write("01" + "00" * 64 + "\n" + liar.point((world.folder / "tx-first.bin").read_bytes()) + "\n")
        child.stdin.flush()
        hot_signing.until(lambda: (world.folder / "tx.bin").exists() or child.poll() is not None)
        payload = (world.folder / "tx.bin").read_bytes()
        out, errors = hot_signing.ended(child, liar.signature(payload, shift=7) + "\n", code=1)
    finally:
        child.kill()
    assert "not made with the agreed nonce" in errors and "not an answer of a signer: still waiting" in errors, errors
    assert "author_submitAndWatchExtrinsic" not in log.read_text() and "finalized in block" not in out


@law
def what_cannot_be_guarded_is_refused_before_anything_is_kept(world):
    world.known()
    world.says("--guard is for one transaction", *GUARD, "--call-hex", hot_signing.TRANSFER.hex(), "--nonce", 4, "--out", "x.bin", code=64)
    (world.chain / "ecdsa.json").write_text(json.dumps(world.specs | {"encryption": "ecdsa"}))
    world.database = world.folder / "ecdsa"
    world.hot("import", world.chain / "ecdsa.json")
    world.hot("import", world.chain / "14.scale")
    words = ["make", "transaction", "--network", "heliotest", "--signer", "0x02" + "11" * 32, "--call-hex", hot_signing.TRANSFER.hex()]
    world.says("an ecdsa key cannot sign guarded: sr25519 and ed25519 keys can", *words, "--nonce", 4, "--without-proof", "--guard", "--out", "x.bin", code=1)
    assert not (world.folder / "x.bin").exists()
