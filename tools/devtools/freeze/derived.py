"""Freezes the payloads of fixtures/derived: the fixture network, and transfers for keys that a root and a path name.

Scheme, root and path are written over the signer of payload 02.
"""
import os
import pathlib
import subprocess
import tempfile

from ..common import FIXTURES, folders

OUT = FIXTURES / "derived"
# The root key of the public development phrase: py-sr25519-bindings.
ROOT_KEY = bytes.fromhex("46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a")

ALICE = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"


def output(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def derived(transaction, scheme, path, code=0x05):
    body = transaction[3 + 32:]
    return bytes([0x53, scheme, code]) + ROOT_KEY + bytes([len(path) << 2]) + path.encode() + body


configure = folders


def run(options):
    """Writes every file."""
    hot, cold = options.hot, options.cold
    with tempfile.TemporaryDirectory() as work:
        os.environ["HELIOGRAPH_HOT"] = work + "/hot"
        os.environ["PATH"] = cold + ":" + os.environ["PATH"]
        name = "heliotest"
        output(hot + "/heliograph-fixture", "specs", "--out", work + "/specs.json")
        output(hot + "/heliograph-fixture", "metadata", "--out", work + "/metadata.scale")
        output(hot + "/heliograph-hot", "import", work + "/specs.json")
        output(hot + "/heliograph-hot", "import", work + "/metadata.scale", "--network", name)
        output(hot + "/heliograph-hot", "make", "add-specs", name, "--out", work + "/specs.hex")
        output(hot + "/heliograph-hot", "make", "load-metadata", name, "--out", work + "/metadata.hex")
        transaction = bytes.fromhex(output(hot + "/heliograph-fixture", "transaction").strip())
        assert transaction[:3].hex() == "530102"
        # The proof's hash is defined over metadata of version 15.
        os.environ["HELIOGRAPH_HOT"] = work + "/hot15"
        output(hot + "/heliograph-fixture", "metadata", "--version", "15", "--out", work + "/metadata15.scale")
        output(hot + "/heliograph-hot", "import", work + "/specs.json")
        output(hot + "/heliograph-hot", "import", work + "/metadata15.scale", "--network", name)
        output(hot + "/heliograph-hot", "make", "transaction", "--network", name, "--signer", ALICE, "--with-proof", "--nonce", "0",
            "--call-hex", output(hot + "/heliograph-fixture", "call").strip(), "--out", work + "/proof.hex")
        proved = bytes.fromhex(pathlib.Path(work, "proof.hex").read_text().strip())
        assert proved[:3].hex() == "530106"
        files = {
            "transfer-root-path-proof": derived(proved, 1, "//spektr//0", 0x07),
            "specs": bytes.fromhex(pathlib.Path(work, "specs.hex").read_text().strip()),
            "metadata": bytes.fromhex(pathlib.Path(work, "metadata.hex").read_text().strip()),
            "transfer-root-path-0": derived(transaction, 1, "//spektr//0"),
            "transfer-root-path-00": derived(transaction, 1, "//spektr//00"),
            "transfer-other-root": derived(transaction, 1, "//spektr//0").replace(ROOT_KEY, bytes(32)),
            "transfer-password": derived(transaction, 1, "//spektr///hidden"),
            "transfer-ecdsa": derived(transaction, 2, "//spektr//0"),
        }
        for file, payload in files.items():
            (OUT / (file + ".hex")).write_text(payload.hex() + "\n")
        genesis = transaction[-32:]
        request = bytes.fromhex("53ffdf0001") + ROOT_KEY + b"\x04\x2c//spektr//1\x01" + genesis
        (OUT / "request.hex").write_text(request.hex() + "\n")
        (OUT / "transfer-root-path-1.hex").write_text(derived(transaction, 1, "//spektr//1").hex() + "\n")

