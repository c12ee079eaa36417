"""Signs transactions and messages around 256 bytes with the program, and verifies them with independent programs.

The lengths decide what is signed: a transaction of more than 256 bytes is hashed, a message never is. Transactions are built
here from the layout of the fixture network; schnorrkel, libsodium and libsecp256k1 verify.
"""
import os
import pathlib
import tempfile

from ..common import ROOT, compact
from ..freeze.keys import DEV, blake2_256, ethereum_address, peer_verify
from ..real_data import Signer

SCHEMES = ["ed25519", "sr25519", "ecdsa", "ethereum"]
LENGTHS = [255, 256, 257, 300, 1000]
GENESIS = bytes.fromhex("95cf28aebdf78d20a79897f709b29935498331cf1b27338dd935b5e5ff337b3b")
# Immortal, no tip, no metadata hash; then the version of the runtime and of its transactions, genesis hash, block hash.
IMPLICIT = (1000).to_bytes(4, "little") + (3).to_bytes(4, "little") + GENESIS + GENESIS + b"\0"


def configure(parser):
    """Takes the folder of the program."""
    parser.add_argument("binaries", type=os.path.abspath, help="folder of the offline programs")


def transaction(length, nonce):
    """A remark with its extensions whose signed bytes have this length: the call, and all that is signed."""
    tail = b"\0" + compact(nonce) + b"\0\0" + IMPLICIT
    for text in range(length):
        call = b"\0\0" + compact(text) + b"a" * text
        if len(call + tail) == length:
            return call, call + tail
    raise SystemExit(f"no remark makes {length} bytes")


def unsigned_specs(scheme):
    """The specs of the fixture network for a scheme, in an unsigned update."""
    whole = bytes.fromhex((ROOT / "fixtures/updates/specs.hex").read_text())
    key, signature = 3 + 32, 64
    specs = bytearray(whole[key:-signature])
    # Behind the length: prefix, colour, decimals, then the scheme.
    at = 2 + 2 + 8 + 1
    assert specs[at + 1 : at + 33] == GENESIS, "the fixture's specs have another layout"
    specs[at] = scheme
    return b"\x53\xff\xc1" + specs


def unsigned_metadata():
    """The metadata of the fixture network in an unsigned update."""
    whole = bytes.fromhex((ROOT / "fixtures/updates/metadata.hex").read_text())
    return b"\x53\xff\x80" + whole[3 + 32 : -64]


def prepare(signer):
    """A vault with a key of each scheme on the fixture network; public keys by scheme."""
    given = {"--passphrase-fd": "passphrase"}

    def run(*words, **secrets):
        code, out, err = signer.run(*words, secrets={**given, **secrets})
        if code != 0:
            raise SystemExit(f"signing: {words[:2]} ended with {code}: {err}")
        return out

    run("init", "--networks", "none", "--verifier", "none", "--allow-online", "--kdf-cost", "test")
    run("seed", "restore", "main", **{"--phrase-fd": DEV})
    for payload in [*map(unsigned_specs, range(4)), unsigned_metadata()]:
        file = pathlib.Path(signer.vault + ".hex")
        file.write_text(payload.hex())
        run("scan", "--hex", f"@{file}", "--approve")
    for scheme in SCHEMES:
        address = run("key", "derive", "main", f"//{scheme}", "--scheme", scheme).strip()
        run("key", "allow", address, "heliotest")
    keys = signer.json("key", "list", secrets=given)[1]["keys"]
    return given, {key["scheme"]: bytes.fromhex(key["public_key"]) for key in keys}


def signature(signer, given, payload):
    """The answer's text, as bytes."""
    code, found, err = signer.json("scan", "--hex", payload.hex(), "--approve", secrets=given)
    if code != 0:
        raise SystemExit(f"signing: refused with {code}: {err}")
    return bytes.fromhex(found["signatures"][0]["text"])


def run(options):
    """0; a difference raises."""
    with tempfile.TemporaryDirectory() as work:
        signer = Signer(options.binaries, pathlib.Path(work) / "vault")
        given, keys = prepare(signer)
        for number, scheme in enumerate(SCHEMES):
            public = keys[scheme]
            named = bytes.fromhex(ethereum_address(public)[2:]) if scheme == "ethereum" else public
            for nonce, length in enumerate(LENGTHS):
                call, signed = transaction(length, nonce)
                assert len(signed) == length
                answer = signature(signer, given, bytes([0x53, number, 2]) + named + compact(len(call)) + signed + GENESIS)
                # MultiSignature: the variant, then the signature. Ethereum-style keys sign as ecdsa's do.
                assert answer[0] == min(number, 2), (scheme, answer[0])
                covered = blake2_256(signed) if length > 256 else signed
                assert peer_verify(scheme, public, covered, answer[1:]), (scheme, length)
                message = b"<Bytes>" + b"m" * (length - 15) + b"</Bytes>"
                answer = signature(signer, given, bytes([0x53, number, 3]) + named + message + GENESIS)
                assert len(message) == length and peer_verify(scheme, public, message, answer), (scheme, "message", length)
            print(f"{scheme}: transactions and messages of {', '.join(map(str, LENGTHS))} bytes verify")
    return 0
