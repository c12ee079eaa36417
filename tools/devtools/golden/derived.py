"""Freezes the payloads of fixtures/derived: the fixture network, and transfers for keys that a root and a path name.

Scheme, root and path are written over the signer of payload 02.
"""
import tempfile

from ..common import ALICE_ADDRESS, FIXTURES, folders
from .updates import NETWORK, Desk

OUT = FIXTURES / "derived"
# The root key of the public development phrase: py-sr25519-bindings.
ROOT_KEY = bytes.fromhex("46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a")


def derived(transaction, scheme, path, code=0x05):
    body = transaction[3 + 32:]
    return bytes([0x53, scheme, code]) + ROOT_KEY + bytes([len(path) << 2]) + path.encode() + body


configure = folders


def run(options):
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        desk = Desk(options.hot, options.cold, one).know()
        # The proof's hash is defined over metadata of version 15.
        prover = Desk(options.hot, options.cold, other).know("--version", "15")
        transaction, call = bytes.fromhex(desk.fixture("transaction").strip()), desk.fixture("call").strip()
        proved = prover.made("transaction", "--network", NETWORK, "--signer", ALICE_ADDRESS, "--with-proof", "--nonce", "0", "--call-hex", call)
        assert transaction[:3].hex() == "530102" and proved[:3].hex() == "530106"
        request = bytes.fromhex("53ffdf0001") + ROOT_KEY + b"\x04\x2c//spektr//1\x01" + transaction[-32:]
        files = {
            "transfer-root-path-proof": derived(proved, 1, "//spektr//0", 0x07),
            "specs": desk.made("add-specs", NETWORK),
            "metadata": desk.made("load-metadata", NETWORK),
            "transfer-root-path-0": derived(transaction, 1, "//spektr//0"),
            "transfer-root-path-00": derived(transaction, 1, "//spektr//00"),
            "transfer-root-path-1": derived(transaction, 1, "//spektr//1"),
            "transfer-other-root": derived(transaction, 1, "//spektr//0").replace(ROOT_KEY, bytes(32)),
            "transfer-password": derived(transaction, 1, "//spektr///hidden"),
            "transfer-ecdsa": derived(transaction, 2, "//spektr//0"),
            "request": request,
        }
        for file, payload in files.items():
            (OUT / f"{file}.hex").write_text(payload.hex() + "\n")
