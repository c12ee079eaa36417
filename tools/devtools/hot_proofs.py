"""Laws of transactions with a metadata proof, for hot_laws: a stand-in node serves the fixture runtime, with and without CheckMetadataHash.

Digests and proofs are computed again by golden/rfc78.py.
"""


from .golden.rfc78 import Metadata, Reader, extra_info
from .hot_world import MAKE, law

REMARK = bytes.fromhex("00000c616263")


def stored(world):
    return [(m["version"], m["format"]) for m in world.json("metadata", "list", "heliotest")]


def make(world, *words, calls=1, code=0):
    """What the program says, and the payload's bytes if there is one."""
    out = world.folder / "tx.bin"
    out.unlink(missing_ok=True)
    call = ["--call-hex", REMARK.hex()] * calls
    run = world.hot(*MAKE, *call, *words, "--out", out, code=code)
    assert out.exists() == (code == 0)
    return run, out.read_bytes() if code == 0 else b""


def proved(world, payload, version=1000, blob="15.scale"):
    """Whether a payload is 06, its proof the one that the other program computes, and its end the digest."""
    if payload[:3].hex() != "530106":
        return False
    metadata = Metadata((world.chain / blob).read_bytes())
    info = extra_info(version, "heliotest", 42, 12, "HLO")
    genesis, digest = bytes.fromhex(world.specs["genesis_hash"]), metadata.digest(info)
    assert payload.endswith(b"\1" + digest + genesis)
    start = payload.rindex(bytes([len(REMARK) << 2]) + REMARK, 0, len(payload) - 32)
    extensions = payload[start + 1 + len(REMARK):-32]
    assert payload[35:start] == metadata.proof(REMARK, extensions, info)
    return True


@law
def a_transaction_has_a_proof_wherever_the_runtime_checks_its_hash(world):
    """Runtime with and without the extension × formats of its node × flag."""
    for checks in (True, False):
        for formats in (("14",), ("14", "15"), ("14", "16"), ("14", "15", "16")):
            world.database = world.folder / f"{checks}-{'-'.join(formats)}"
            world.runtime(1000, formats, () if checks else ("--without-metadata-hash",))
            url = world.node()
            world.hot("fetch", url, "--formats", "16")
            assert stored(world) == [(1000, int(name)) for name in formats]
            run, payload = make(world, "--nonce", 1, "--without-proof")
            assert payload[2] == 2 and "without a metadata proof, as --without-proof says" in run.stderr
            assert payload.endswith((b"\0" if checks else b"") + bytes.fromhex(world.specs["genesis_hash"]))
            for words in ([], ["--with-proof"]):
                if not checks and words:
                    run, _ = make(world, "--nonce", 1, *words, code=1)
                    assert "does not check metadata hashes" in run.stderr and "hint: --without-proof" in run.stderr
                elif not checks:
                    run, payload = make(world, "--nonce", 1)
                    assert payload[2] == 2 and "without a metadata proof: heliotest 1000 does not check metadata hashes" in run.stderr
                elif "15" in formats:
                    run, payload = make(world, "--nonce", 1, *words)
                    said = "with a metadata proof: heliotest 1000 checks the metadata hash, if the runtime was built with its hash\n"
                    assert proved(world, payload) and said in run.stderr
                elif "16" in formats and words:
                    run, payload = make(world, "--nonce", 1, *words)
                    assert payload[2] == 6 and "with a metadata proof made from V16" in run.stderr
                else:
                    run, _ = make(world, "--nonce", 1, *words, code=1)
                    assert "metadata V15 for heliotest 1000 is not in the hot database" in run.stderr
                    assert "hint: heliograph-hot fetch URL --name heliotest" in run.stderr


@law
def every_transaction_of_a_bulk_has_its_proof(world):
    world.hot("fetch", world.node())
    _, bulk = make(world, "--nonce", 1, calls=3)
    r = Reader(bulk)
    assert r.take(4).hex() == "53ff0400"
    inner = r.list(r.text)
    assert len(inner) == 3 and r.at == len(bulk)
    assert all(proved(world, b"\x53" + part) for part in inner)


@law
def a_fetch_keeps_version_15_beside_16(world):
    world.runtime(1000, ("14", "15", "16"))
    world.hot("fetch", world.node(), "--formats", "16")
    assert stored(world) == [(1000, 14), (1000, 15), (1000, 16)]
    # A node whose default is 16.
    world.database = world.folder / "other"
    world.set(metadata={"14": "16.scale", "15": "15.scale", "16": "16.scale"})
    world.hot("fetch", world.node())
    assert stored(world) == [(1000, 15), (1000, 16)]
    _, payload = make(world, "--nonce", 1)
    assert proved(world, payload)
    world.only_heliotest()
    world.set(specVersion=1000, code="changed")
    world.hot("watch", "--once", "--formats", "16", "--out", world.folder / "updates")
    assert (1000, 15) in stored(world)


@law
def a_node_is_asked_for_what_a_proof_lacks_and_only_for_that(world):
    world.known()
    log = world.folder / "log"
    url = world.node("--log", str(log))
    make(world, "--nonce", 1, code=1)
    make(world, "--nonce", 1, "--with-proof", code=1)
    assert not log.exists() or not log.read_text()
    make(world, "--url", url, "--without-proof")
    assert "state_call" not in log.read_text() and stored(world) == [(1000, 14)]
    run, payload = make(world, "--url", url)
    assert proved(world, payload) and f"heliotest: fetched metadata for 1000 from {url} (V15)\n" in run.stderr
    assert "state_call" in log.read_text() and stored(world) == [(1000, 14), (1000, 15)]
    log.write_text("")
    run, payload = make(world, "--url", url)
    # The one call asks whether the runtime has its hash, and not for metadata.
    assert proved(world, payload) and "fetched" not in run.stderr and log.read_text().split().count("state_call") == 1


@law
def an_upgrade_is_followed_and_older_metadata_takes_a_word(world):
    url = world.node()
    world.hot("fetch", url)
    world.runtime(1001)
    _, payload = make(world, "--url", url)
    assert proved(world, payload, 1001) and stored(world)[0] == (1001, 14)
    world.runtime(1002, ("14",))
    world.hot("import", world.chain / "14.scale")
    # 1001 has version 15; the newest has not.
    run, _ = make(world, "--nonce", 1, code=1)
    assert "metadata V15 for heliotest 1002" in run.stderr
    world.hot("digest", "heliotest", code=1)
    world.hot("proof", "heliotest", "--call-hex", REMARK.hex(), code=1)
    run, _ = make(world, "--url", url, code=1)
    assert "heliotest 1002 offers no metadata V15 or V16" in run.stderr
    run, payload = make(world, "--nonce", 1, "--spec-version", 1001)
    assert payload[2] == 6 and "heliotest 1001 is older than the newest metadata, 1002" in run.stderr


@law
def a_node_that_changes_the_metadata_of_a_proof_is_refused(world):
    """A fetch in the middle of a transaction is checked like any other."""
    world.known()
    url = world.node()
    blob = (world.chain / "14.scale").read_bytes()
    (world.chain / "14.scale").write_bytes(blob.replace(b"transfer_keep_alive", b"transfer_keep_alivf"))
    run, _ = make(world, "--url", url, code=1)
    assert "changed without a new version" in run.stderr and stored(world) == [(1000, 14)]
    (world.chain / "14.scale").write_bytes(blob)
    world.set(properties={**world.state["properties"], "ss58Format": 2})
    run, _ = make(world, "--url", url, code=65)
    assert "contradicts itself" in run.stderr and stored(world) == [(1000, 14)]
