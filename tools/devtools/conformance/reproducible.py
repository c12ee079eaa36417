"""Signs the same payloads on two vaults with `--reproducible` and compares the bytes, also with another program.

The two vaults stand for two machines: two folders, made apart from one phrase, and a process of its own for each bulk of payloads. A third signature
is computed in Python from the descriptions of Merlin and schnorrkel, and schnorrkel verifies every one. schnorrkel itself signs with a nonce of its own
label, so its deterministic bytes are others and cannot be compared: what it can say is that each is a signature, and that without the option the two
vaults differ.

A key of another wallet goes the same way: one vault imports it from its keystore and exports it, another imports what was exported, and both sign.
"""
import functools
import pathlib
import tempfile

from ..common import FIXTURES, ROOT, WESTEND, program_folder, side_by_side
from ..golden.keys import peer_verify
from ..golden.nonces import reproducible
from ..offline import PHRASE, Signer
from . import case_options, generator

# Of the development phrase, by the rules of substrate-bip39.
MINI = bytes.fromhex("fac7959dbfe72f052e5a0c3c8d6530f202b02fd8f9f5ca3580ec8deb7797479e")
# Of the keystore, by the program that made it.
IMPORTED = bytes.fromhex("2e6d34735abf4c14a8b0afac43fcdb560892337454836d0b3f0316e929a39f14")
IMPORTED_ADDRESS = "5D7aVyt49i8VwZdvXtWEiV3hLHsHqNj4R9QywGm2or2GtBgL"
BULK = 50
LONGEST = 200


def configure(parser):
    case_options(parser, 1000, "payloads")
    parser.add_argument("--bin", dest="binaries", type=program_folder, default=str(ROOT / ".build/debug"),
                        help="folder of the built programs (default: .build/debug)")


def compact(number):
    assert number < 2**14
    return bytes([number << 2]) if number < 64 else (number << 2 | 1).to_bytes(2, "little")


def payload(public, message):
    return bytes.fromhex("530103") + public + message + bytes.fromhex(WESTEND)


def bulk(payloads):
    inner = b"".join(compact(len(one) - 1) + one[1:] for one in payloads)
    return bytes.fromhex("53ff0400") + compact(len(payloads)) + inner


def made(binaries, folder):
    signer = Signer(binaries, folder).make()
    signer.must("seed", "restore", "main", phrase=PHRASE)
    signer.must("key", "derive", "main", "", "--network", "westend")
    return signer


def moved(binaries, folder):
    """Two vaults with one imported key: the second has it from the code that the first exported."""
    one, two = (Signer(binaries, folder / name).make() for name in ("from-keystore", "from-code"))
    one.must("key", "import", "--keystore", FIXTURES / "wallets/account.json", "--network", "westend", "--approve", password="correct horse")
    one.must("key", "secret", IMPORTED_ADDRESS, "--out", folder / "secret.png", "--yes")
    two.must("key", "import", "--secret", folder / "secret.png", "--approve")
    return one, two


def signed(bulks, options, signer):
    """The signatures of a vault, in order."""
    found = []
    for number, content in enumerate(bulks):
        place = pathlib.Path(f"{signer.vault}-{number}")
        place.with_suffix(".hex").write_text(content.hex())
        signer.must("scan", "--hex", f"@{place}.hex", "--approve", "--out", f"{place}-answer.hex", "--replace", *options)
        answers = [bytes.fromhex(line) for line in pathlib.Path(f"{place}-answer.hex").read_text().split()]
        assert all(len(answer) == 64 for answer in answers), answers
        found += answers
    return found


def run(options):
    rng = generator(options.seed)
    count = -(-options.count // BULK) * BULK
    public, _ = reproducible(MINI, b"substrate", b"")
    texts = [b"<Bytes>" + bytes(rng.choice(b"abcdefghijklmnopqrstuvwxyz ") for _ in range(rng.randint(1, LONGEST))) + b" %d</Bytes>" % number
             for number in range(count)]
    bulks = [bulk([payload(public, text) for text in texts[at:at + BULK]]) for at in range(0, count, BULK)]
    with tempfile.TemporaryDirectory() as place:
        machines = [made(options.binaries, pathlib.Path(place) / name) for name in ("one", "two")]
        answers = list(side_by_side(functools.partial(signed, bulks, ["--reproducible"]), machines))
        hedged = signed(bulks[:1], [], machines[0])
        kept = texts[:BULK]
        moves = [signed([bulk([payload(IMPORTED, text) for text in kept])], ["--reproducible"], vault)
                 for vault in moved(options.binaries, pathlib.Path(place))]
    for one, two, text in zip(*moves, kept, strict=True):
        assert one == two, (text, "an exported key signs otherwise", one.hex(), two.hex())
        assert peer_verify("sr25519", IMPORTED, text, one), (text, "schnorrkel refuses the imported key's signature")
    assert len(answers[0]) == count and len(set(answers[0])) == count
    for number, (one, two, text) in enumerate(zip(*answers, texts, strict=True)):
        case = f"payload {number}: {text!r}"
        assert one == two, (case, "two machines differ", one.hex(), two.hex())
        assert one == reproducible(MINI, b"substrate", text)[1], (case, "another program signs otherwise")
        assert peer_verify("sr25519", public, text, one), (case, "schnorrkel refuses it")
    assert not set(hedged) & set(answers[0]), "a hedged signature is a reproducible one"
    print(f"reproducible: {count} payloads signed on two vaults, the same bytes, which another program makes, too, and schnorrkel accepts; "
          f"{len(kept)} by a key of a keystore and by its export")
    return 0
