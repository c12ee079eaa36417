"""Checks heliograph-hot against other programs, and against published updates.

QR codes are read by zxing-cpp, ZXingReader and zbarimg, RaptorQ frames by the Rust crate, transactions by scalecodec, signatures are made by
py-sr25519-bindings. Published updates from the shared data folder are made again from their parts and must come out with the same bytes.
"""
import hashlib
import json
import os
import subprocess

import sr25519
from scalecodec.base import ScaleBytes

from .common import BOB_ADDRESS, binaries_option, read_compact, shared_data, shared_file, to_sign
from .hot_world import ALICE, MAKE, World, holds
from .peers import frames, joined, length_of, runtime

SHARED = shared_data()


def noise(length):
    """The same bytes in every run, and no pattern in them."""
    return hashlib.shake_128(b"heliograph").digest(length)


def specs_json(inner):
    """Network specs as JSON, from their encoding."""
    def text(place):
        length, place = read_compact(inner, place)
        return inner[place:place + length].decode(), place + length
    fields = {"base58prefix": int.from_bytes(inner[:2], "little")}
    fields["color"], place = text(2)
    fields["decimals"] = inner[place]
    fields["encryption"] = ["ed25519", "sr25519", "ecdsa", "ethereum"][inner[place + 1]]
    fields["genesis_hash"] = inner[place + 2:place + 34].hex()
    place += 34
    for name in ["logo", "name", "path_id", "secondary_color", "title", "unit"]:
        fields[name], place = text(place)
    assert place == len(inner)
    return fields


def published_specs(name):
    payload = frames(os.path.join(SHARED, "qr", f"{name}_specs.png"))[0]
    length, start = read_compact(payload, 35)
    inner = payload[start:start + length]
    return payload, specs_json(inner), payload[3:35], payload[start + length:]


def make_specs_again(world, name):
    payload, specs, key, signature = published_specs(name)
    json.dump(specs, open("specs.json", "w"))
    world.hot("network", "remove", name)
    world.hot("import", "specs.json")
    words = ["make", "add-specs", name, "--key-hex", key.hex(), "--signature-hex", signature.hex(), "--scheme", "sr25519"]
    assert world.made(*words[1:]) == payload
    world.hot(*words, "--out", "again.png")
    assert frames("again.png") == [payload]
    crypto = "01" + key.hex() + signature.hex()
    assert world.made("add-specs", name, "--sufficient", crypto) == payload
    for place in range(0, len(crypto), 7):
        flipped = bytearray(bytes.fromhex(crypto))
        flipped[place // 2] ^= 1
        world.hot("make", "add-specs", name, "--sufficient", flipped.hex(), "--out", "flipped.hex", code=65)
        assert not os.path.exists("flipped.hex"), place


def published_polkadot_specs_are_made_again_byte_for_byte(world):
    make_specs_again(world, "polkadot")


def published_westend_specs_are_made_again_byte_for_byte(world):
    make_specs_again(world, "westend")


def published_metadata_is_made_again_byte_for_byte_and_reads_from_its_frames(world):
    codes = frames(os.path.join(SHARED, "qr", "polkadot_metadata_9190.apng"))
    length = length_of(codes[0])
    source = {int.from_bytes(code[5:8], "big"): code[8:] for code in codes}
    payload = b"".join(source[index] for index in range(-(-length // 1072)))[:length]
    size, start = read_compact(payload, 35)
    open("metadata.scale", "wb").write(payload[start:start + size])
    world.hot("import", "metadata.scale")
    words = ["make", "load-metadata", "polkadot", "--version", 9190, "--key-hex", payload[3:35].hex(),
             "--signature-hex", payload[-64:].hex(), "--scheme", "sr25519"]
    assert world.made(*words[1:], out="again.bin") == payload
    world.hot(*words, "--out", "again.apng")
    made = frames("again.apng")
    assert joined(made) == payload
    # With every third frame lost, repair symbols replace them, in the numbering of RFC 6330.
    assert joined([code for index, code in enumerate(made) if index % 3]) == payload
    # In the published frames' own size and numbering every packet is the published one.
    world.hot(*words, "--out", "same.apng", "--symbol", 1072)
    same = {code[4:8]: code for code in frames("same.apng")}
    published = {code[4:8]: code for code in codes}
    assert len(published) >= 617 and all(same.get(place) == code for place, code in published.items())


def the_digest_is_the_published_one(world):
    digest = world.hot("digest", os.path.join(SHARED, "metadata", "polkadot-rfc78-v15.scale"), "--spec-version", 1, "--spec-name", "nice",
                 "--prefix", 1, "--decimals", 1, "--token", "lol").stdout
    assert digest.strip() == "72b3e70cb722edeb45a9380720ecad79b09b4113ab2dee5f5d974f170fb77a7e"


def published_types_are_made_again_byte_for_byte(world):
    path = os.path.join(SHARED, "transactions", "load-types-unsigned.hex")
    world.hot("import", path)
    assert world.made("load-types").hex() == open(path).read().strip().removeprefix("0x")


def every_decoder_reads_every_byte_at_every_level(world):
    for level, capacity in [("L", 2953), ("M", 2331), ("Q", 1663), ("H", 1273)]:
        for data in [bytes(range(256)) * 4, noise(capacity), b"\0" * 40, b"\xff" * 40]:
            world.hot("qr", "--hex", data.hex(), "--error-correction", level, "--raptorq", "auto", "--out", "code.png")
            assert frames("code.png") == [data]
            assert subprocess.run(["ZXingReader", "-format", "QRCode", "-ispure", "-bytes", "code.png"], capture_output=True).stdout == data
            zbar = ["zbarimg", "--raw", "-q", "-Sbinary", "--oneshot", "code.png"]
            assert subprocess.run(zbar, capture_output=True).stdout == data


def frames_of_all_sizes_decode(world):
    for length in [2954, 5000, 20_000, 100_000]:
        payload = b"S" + noise(length - 1)
        open("payload.bin", "wb").write(payload)
        for symbol in [[], ["--symbol", 16], ["--symbol", 128], ["--symbol", 2944]]:
            if symbol == ["--symbol", 16] and length > 2954 or symbol == ["--symbol", 128] and length > 20_000:
                continue
            world.hot("qr", "--hex", "@payload.bin", *symbol, "--dialect", "rfc6330", "--out", "frames.apng")
            assert joined(frames("frames.apng")) == payload, (length, symbol)


def legacy_frames_join_to_the_payload(world):
    payload = b"S" + noise(3663)
    open("payload.bin", "wb").write(payload)
    world.hot("qr", "--hex", "@payload.bin", "--legacy", "--out", "frames/")
    codes = [frames(os.path.join("frames", name))[0] for name in sorted(os.listdir("frames"))]
    assert [code[:5].hex() for code in codes] == ["0000040000", "0000040001", "0000040002", "0000040003"]
    assert b"".join(code[5:] for code in codes) == payload


def a_transaction_made_by_names_is_signed_elsewhere_and_read_back(world):
    world.known()
    world.hot("import", world.chain / "15.scale")
    call = {"pallet": "Balances", "call": "transfer_keep_alive",
            "args": {"dest": BOB_ADDRESS, "value": 1500000000000}}
    json.dump(call, open("call.json", "w"))
    payload = world.made(*MAKE[1:], "--call", "call.json", "--nonce", 7, "--tip", 5, "--era", 64, "--block-number", 1234, "--block-hash", "22" * 32,
                         "--without-proof", out="payload.hex")
    assert payload[:35] == bytes([0x53, 1, 2]) + ALICE.public_key
    length, start = read_compact(payload, 35)
    message = payload[start:-32]
    signature = ALICE.sign(to_sign(message))
    extrinsic = bytes.fromhex(world.hot("read", "--hex", "01" + signature.hex()).stdout.strip())

    config, metadata = runtime((world.chain / "14.scale").read_bytes(), implements_scale_info=True, ss58_format=42)
    read = config.create_scale_object("Extrinsic", metadata=metadata, data=ScaleBytes(extrinsic)).decode()
    assert read["address"] == ALICE.ss58_address and read["nonce"] == 7 and read["tip"] == 5 and read["era"] == (64, 18)
    assert read["call"]["call_function"] == "transfer_keep_alive"
    assert [argument["value"] for argument in read["call"]["call_args"]][1] == 1500000000000
    assert sr25519.verify(bytes.fromhex(read["signature"]["Sr25519"][2:]), message, ALICE.public_key)

    wrong = bytearray(signature)
    wrong[5] ^= 1
    world.hot("read", "--hex", "01" + wrong.hex(), code=65)
    world.hot("read", "--hex", "01" + wrong.hex(), "--payload", "payload.hex", code=65)


configure = binaries_option


OWN = [every_decoder_reads_every_byte_at_every_level, frames_of_all_sizes_decode, legacy_frames_join_to_the_payload,
       a_transaction_made_by_names_is_signed_elsewhere_and_read_back]
PUBLISHED = [published_polkadot_specs_are_made_again_byte_for_byte, published_westend_specs_are_made_again_byte_for_byte,
             published_types_are_made_again_byte_for_byte, published_metadata_is_made_again_byte_for_byte_and_reads_from_its_frames,
             the_digest_is_the_published_one]


def run(options):
    World.bin = options.binaries
    chosen = OWN + [law for law in PUBLISHED if shared_file("qr")]
    passed = [holds(law) for law in chosen].count(True)
    print(f"{passed} of {len(chosen)} passed, {len(OWN + PUBLISHED) - len(chosen)} skipped")
    return 0 if passed == len(chosen) else 1
