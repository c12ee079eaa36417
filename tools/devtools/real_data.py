"""The main job on real input, both ways to it, with the signature verified by another program.

By updates: published pictures in, a Polkadot transfer signed. Without any update, as in the README: real_proofs.py, which needs heliograph-hot.
Runtimes of chains are read from files: real_runtimes.py, against wasmtime.
Everything that is compared with comes from other programs: pictures are read by zxing-cpp, frames by the
raptorq crate, the transfer is encoded by scalecodec from the metadata in the animation, drawn by segno, and the signature is verified by schnorrkel.
"""
import hashlib
import json
import pathlib
import tempfile

from . import peers, real_proofs, real_runtimes
from .common import ALICE, BOB, HOT, POLKADOT, Tally, binaries_option, binary_folder, compact, read_compact, shared_data, shared_file, to_sign
from .offline import PHRASE, Signer

GENERAL_VERIFIER = "c46a22b9da19540a77cbde23197e5fd90485c72b4ecf3c599ecca6998f39bd57"
BLOCK_HASH = bytes(range(32))

tally = Tally()
check = tally.check


class Runtime:
    """scalecodec's own view of a metadata blob."""

    def __init__(self, blob, prefix):
        self.config, self.metadata = peers.runtime(blob, ("core", "legacy"), ss58_format=prefix, implements_scale_info=True)

    def call(self, pallet, name, **arguments):
        call = self.config.create_scale_object("Call", metadata=self.metadata)
        return bytes(call.encode({"call_module": pallet, "call_function": name, "call_args": arguments}).data)


def transaction(call, spec_version, tx_version, genesis=POLKADOT, nonce=46, tip=0, signer=ALICE):
    """Payload 02 with the extensions of a relay chain runtime of 2022, and the bytes that are signed."""
    extensions = bytes.fromhex("b501") + compact(nonce) + compact(tip)
    implicit = spec_version.to_bytes(4, "little") + tx_version.to_bytes(4, "little") + bytes.fromhex(genesis) + BLOCK_HASH
    signed = call + extensions + implicit
    return b"\x53\1\2" + signer + compact(len(call)) + signed + bytes.fromhex(POLKADOT), signed


def legacy_pictures(payload, folder):
    """One PNG a frame of 1024 bytes, error correction M, as a browser extension shows them."""
    import segno

    folder.mkdir()
    parts = [payload[at : at + 1024] for at in range(0, len(payload), 1024)]
    for index, part in enumerate(parts):
        frame = b"\0" + len(parts).to_bytes(2, "big") + index.to_bytes(2, "big") + part
        code = segno.make(frame, error="m", mode="byte", boost_error=False, micro=False)
        code.save(str(folder / f"frame{index + 1}.png"), scale=4, border=4)
    return folder


def kinds(item, section):
    return [(card["kind"], card["value"]) for card in item.get("cards", {}).get(section, [])]


# The codes of what a review says of former signatures.
ALARMS = {"look_alike", "nonce_reused", "nonce_below_highest", "nonce_far_ahead", "call_repeated", "signed_before", "era_expired"}


def no_alarm(item):
    return not ALARMS & {warning["code"] for warning in item.get("summary", {}).get("warnings", [])}


def accept_updates(signer, data):
    code, found, err = signer.json("scan", data / "qr/polkadot_specs.png", "--approve")
    check("the published network specs are accepted", code == 0 and found.get("action") == "add_specs", err)
    cards = found.get("items", [{}])[0].get("cards", {}).get("verifier", [])
    check("they are signed by the default general verifier", [c.get("public_key") for c in cards] == [GENERAL_VERIFIER], cards)
    code, found, err = signer.json("scan", data / "qr/polkadot_metadata_9190.apng", "--approve")
    check("the published metadata is accepted", code == 0 and found.get("action") == "load_metadata", err)
    check("RaptorQ gives exactly 331,149 bytes", (found.get("payload") or {}).get("bytes") == 331149, found.get("payload"))
    return found


def sign_transfer(signer, runtime, work):
    import sr25519

    call = runtime.call("Balances", "transfer_keep_alive", dest="0x" + BOB.hex(), value=12_345_678_901)
    payload, signed = transaction(call, 9190, 12)
    code, found, err = signer.json("scan", legacy_pictures(payload, work / "transfer"), "--approve", "--out", work / "signature.png")
    check("the transfer is signed", code == 0 and found.get("action") == "sign", err)
    item = found.get("items", [{}])[0]
    payments = [recipient["history"] for recipient in item.get("summary", {}).get("recipients", [])]
    check("the history says nothing but not paid before", no_alarm(item) and payments == ["not_paid"], item.get("summary"))
    check("signing bytes are what the peer encodes", item.get("signing_bytes") == signed.hex(), item)
    method = kinds(item, "method")
    for card in [("pallet", "Balances"), ("call", "transfer_keep_alive"), ("account", "14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3"),
                 ("balance", "1.2345678901 DOT")]:
        check(f"card {card[0]} {card[1]}", card in method, method)
    extensions = kinds(item, "extensions")
    for kind in ["era_mortal", "nonce", "tip", "spec_version", "tx_version", "block_hash"]:
        check(f"card {kind}", kind in [k for k, _ in extensions], extensions)
    import zxingcpp
    from PIL import Image

    text = zxingcpp.read_barcodes(Image.open(work / "signature.png"))[0].text if (work / "signature.png").exists() else ""
    check("the answer picture holds the signature", found.get("signatures", [{}])[0].get("text") == text and text.startswith("01"), text)
    check("schnorrkel verifies the signature", bool(text) and sr25519.verify(bytes.fromhex(text[2:]), to_sign(signed), ALICE), text)
    batch = runtime.call("System", "remark", remark="0x" + hashlib.shake_128(b"a long remark").hexdigest(3000))
    payload, signed = transaction(batch, 9190, 12, nonce=47)
    code, found, err = signer.json("scan", legacy_pictures(payload, work / "long"), "--approve", "--out", work / "long.png")
    check("a payload of several legacy frames is signed", code == 0 and found.get("transport", {}).get("frames") == 4, err or found)
    check("the history raises no alarm at the next transaction", no_alarm(found.get("items", [{}])[0]), found)
    text = found.get("signatures", [{}])[0].get("text", "")
    check("schnorrkel verifies it over the hash", bool(text) and sr25519.verify(bytes.fromhex(text[2:]), to_sign(signed), ALICE), text)
    return call


def group_transfer(signers, runtime, data, work):
    """Two of three machines sign the transfer, each with the published metadata in its own vault, from screen to picture."""
    import sr25519

    work.mkdir()

    def act(name, *words):
        code, found, err = signers[name].json(*words)
        check(f"{name}: {' '.join(map(str, words[:2]))}".replace(f"{work}/", ""), code == 0, err)
        return found

    for name, signer in signers.items():
        signer.make("--networks", "none")
        signer.must("seed", "new", "main")
        act(name, "group", "card", "main", "--name", name, "--out", work / f"{name}-card.png")
    for name in list(signers)[:2]:
        for file in ("polkadot_specs.png", "polkadot_metadata_9190.apng"):
            act(name, "scan", data / "qr" / file, "--approve")
    first, second, _ = signers

    def collected(out, *inputs):
        code, _, err = signers[first].run("group", "collect", *inputs, "--out", work / out, vault=False)
        check(f"{out} is collected", code == 0, err)
        return work / out

    cards = [work / f"{name}-card.png" for name in signers]
    code, _, err = signers[first].run("group", "new", "--threshold", "2", "--label", "real", *cards, "--out", work / "proposal.png", vault=False)
    check("the group is proposed", code == 0, err)
    for stage, source, target in (("contribution", "proposal.png", "bundle.png"), ("confirmation", "bundle.png", "record.png")):
        answers = [work / f"{name}-{stage}.png" for name in signers]
        for name, answer in zip(signers, answers):
            act(name, "scan", work / source, "--approve", "--out", answer)
        collected(target, *dict.fromkeys([work / "proposal.png", work / source]), *answers)
    groups = [act(name, "scan", work / "record.png", "--approve")["group"] for name in signers]
    check("all three have one group", len({group["public_key"] for group in groups}) == 1 and {group["threshold"] for group in groups} == {2}, groups)
    key = bytes.fromhex(groups[0]["public_key"])
    for name in (first, second):
        act(name, "key", "allow", groups[0]["address"], "polkadot")
    call = runtime.call("Balances", "transfer_keep_alive", dest="0x" + BOB.hex(), value=12_345_678_901)
    payload, signed = transaction(call, 9190, 12, signer=key)
    pictures = legacy_pictures(payload, work / "transfer")
    asked = act(first, "group", "request", pictures, "--signers", f"{first},{second}", "--approve", "--out", work / "request.png")
    check("round one has the cards of the transfer", ("balance", "1.2345678901 DOT") in kinds(asked["items"][0], "method"), asked)
    shared = act(second, "scan", work / "request.png", "--approve", "--out", work / "share.png")
    check("and so has round two", kinds(shared["items"][0], "method") == kinds(asked["items"][0], "method"), shared)
    found = act(first, "scan", work / "share.png", "--approve", "--out", work / "signature.png")
    text = found.get("signatures", [{}])[0].get("text", "")
    check("schnorrkel verifies the group's signature", text.startswith("01") and sr25519.verify(bytes.fromhex(text[2:]), to_sign(signed), key), text)


def refusals(signer, call, work, update):
    """Wrong input: exit code, and nothing changed but the log."""
    good, _ = transaction(call, 9190, 12)
    def state():
        return [signer.json(*words)[1] for words in (["network", "list"], ["metadata", "list"], ["verifier", "show"], ["key", "list"])]
    before = state()

    def refused(name, payload, expected, **given):
        code, _, err = signer.run("scan", "--hex", payload.hex(), "--approve", "--out", work / "never.png", **given)
        check(f"refused with {expected}: {name}", code == expected and "heliograph: error: " in err, (code, err))

    wrong = [length for length in range(len(good)) if signer.run("scan", "--hex", good[:length].hex(), "--approve")[0] != 65]
    check(f"refused with 65: the payload cut at any of its {len(good)} bytes", not wrong, wrong)
    leftover = good[:35] + compact(len(call) + 1) + call + b"\0" + good[35 + len(compact(len(call))) + len(call):]
    refused("a leftover byte after the call", leftover, 65)
    refused("a leftover byte after the extensions", good[:-32] + b"\0" + good[-32:], 65)
    refused("a wrong genesis hash in the extensions", transaction(call, 9190, 12, genesis="11" * 32)[0], 65)
    refused("an unknown network", good[:-32] + bytes(32), 1)
    refused("an unknown signer", transaction(call, 9190, 12, signer=BOB)[0], 1)
    refused("metadata of another spec version", transaction(call, 9200, 12)[0], 1)
    flipped = bytearray(update)
    flipped[len(flipped) // 2] ^= 1
    (work / "flipped.hex").write_text(flipped.hex())
    code, _, err = signer.run("scan", "--hex", f"@{work / 'flipped.hex'}", "--approve")
    check("refused with 65: an update with a flipped bit", code == 65, (code, err))
    refused("a wrong passphrase", good, 77, passphrase="wrong")
    events = json.dumps(signer.json("log", "show")[1])
    check("the wrong passphrase is counted in the log", "wrong_passphrase" in events, events[-400:])
    check("nothing else has changed", state() == before)
    check("no signature was drawn", not (work / "never.png").exists())


def configure(parser):
    binaries_option(parser)
    parser.add_argument("--hot", type=pathlib.Path, help="folder of heliograph-hot (default: where it is built)")
    parser.add_argument("--data", type=pathlib.Path, default=shared_data(), help="folder of published pictures and metadata (default: %(default)s)")


def run(options):
    binaries, data = options.binaries, options.data
    if shared_file("qr", data) is None:
        return tally.close("real-data")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        signer = Signer(binaries, work / "vault")
        code, _, err = signer.run("init", "--networks", "none", "--allow-online", "--kdf-cost", "test")
        check("a development vault is made", code == 0, err)
        code, _, err = signer.run("seed", "restore", "dev", phrase=PHRASE)
        check("the development phrase is restored", code == 0, err)
        accept_updates(signer, data)
        code, _, err = signer.run("key", "derive", "dev", "//Alice", "--network", "polkadot")
        check("//Alice is derived for polkadot", code == 0, err)
        update, frames = peers.published(data / "qr/polkadot_metadata_9190.apng")
        check("the peer reads all 617 frames and the same length", (frames, len(update)) == (617, 331149))
        vector = update[35:-96]
        blob = vector[read_compact(vector)[1]:]
        call = sign_transfer(signer, Runtime(blob, 0), work)
        group_transfer({name: Signer(binaries, work / name) for name in ("ada", "ben", "cleo")}, Runtime(blob, 0), data, work / "group")
        refusals(signer, call, work, update)
        hot = (options.hot or binary_folder(*HOT)).resolve()
        real_proofs.run(check, lambda name: Signer(binaries, work / name), work / "proofs", (binaries, hot), data)
        real_runtimes.run(check, work / "runtimes", hot, data)
    return tally.close("real-data")
