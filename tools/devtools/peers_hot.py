"""Checks heliograph-hot against other programs, and against published updates.

QR codes are read by zxing-cpp, ZXingReader and zbarimg, RaptorQ frames by the Rust crate, transactions by scalecodec, signatures are made by
py-sr25519-bindings. Published updates from the shared data folder are made again from their parts and must come out with the same bytes.
"""
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile

import raptorq
import sr25519
import zxingcpp
from PIL import Image

from .common import shared_data, shared_file

HOT = FIXTURE = None
SHARED = shared_data()
ALICE = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
ran, skipped = [], []


def noise(length):
    """The same bytes in every run, and no pattern in them."""
    return hashlib.shake_128(b"heliograph").digest(length)


def law(check):
    """Runs a check in a folder of its own and prints its name."""
    if getattr(check, "shared", False) and shared_file("qr") is None:
        skipped.append(check.__name__)
        return
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check()
    ran.append(check.__name__)
    print(f"{check.__name__}: ok")


def shared(check):
    check.shared = True
    return check


def hot(*words, program=None, status=0):
    result = subprocess.run([program or HOT, *map(str, words)], capture_output=True, text=True,
                            env={**os.environ, "HELIOGRAPH_HOT": os.path.join(os.getcwd(), "database")})
    assert result.returncode == status, f"{words}: status {result.returncode}: {result.stderr}"
    return result.stdout


def frames(path):
    """The bytes of the code in every frame of a picture, by zxing-cpp."""
    image = Image.open(path)
    out = []
    for index in range(getattr(image, "n_frames", 1)):
        image.seek(index)
        found = zxingcpp.read_barcodes(image.convert("L"), formats=zxingcpp.BarcodeFormat.QRCode)
        assert len(found) == 1, f"{path}, frame {index}: {len(found)} codes"
        out.append(found[0].bytes)
    return out


def decode_raptorq(codes):
    """The payload of RaptorQ frames, by the Rust crate."""
    length = int.from_bytes(codes[0][:4], "big") - 0x80000000
    decoder = raptorq.Decoder.with_defaults(length, len(codes[0]) - 8)
    for code in codes:
        payload = decoder.decode(code[4:])
        if payload is not None:
            return payload
    raise AssertionError("frames are missing")


def compact(data, place):
    mode = data[place] & 3
    size = (1, 2, 4)[mode]
    return int.from_bytes(data[place:place + size], "little") >> 2, place + size


def specs_json(inner):
    """Network specs as JSON, from their encoding."""
    def text(place):
        length, place = compact(inner, place)
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
    length, start = compact(payload, 35)
    inner = payload[start:start + length]
    return payload, specs_json(inner), payload[3:35], payload[start + length:]


def make_specs_again(name):
    payload, specs, key, signature = published_specs(name)
    json.dump(specs, open("specs.json", "w"))
    hot("network", "remove", name)
    hot("import", "specs.json")
    words = ["make", "add-specs", name, "--key-hex", key.hex(), "--signature-hex", signature.hex(), "--scheme", "sr25519"]
    hot(*words, "--out", "again.hex")
    assert bytes.fromhex(open("again.hex").read()) == payload
    hot(*words, "--out", "again.png")
    assert frames("again.png") == [payload]
    crypto = "01" + key.hex() + signature.hex()
    hot("make", "add-specs", name, "--sufficient", crypto, "--out", "sufficient.hex")
    assert bytes.fromhex(open("sufficient.hex").read()) == payload
    for place in range(0, len(crypto), 7):
        flipped = bytearray(bytes.fromhex(crypto))
        flipped[place // 2] ^= 1
        result = subprocess.run([HOT, "make", "add-specs", name, "--sufficient", flipped.hex(), "--out", "flipped.hex"], capture_output=True,
                                env={**os.environ, "HELIOGRAPH_HOT": os.path.join(os.getcwd(), "database")})
        assert result.returncode == 65 and not os.path.exists("flipped.hex"), place


@shared
def published_polkadot_specs_are_made_again_byte_for_byte():
    make_specs_again("polkadot")


@shared
def published_westend_specs_are_made_again_byte_for_byte():
    make_specs_again("westend")


@shared
def published_metadata_is_made_again_byte_for_byte_and_reads_from_its_frames():
    codes = frames(os.path.join(SHARED, "qr", "polkadot_metadata_9190.apng"))
    length = int.from_bytes(codes[0][:4], "big") - 0x80000000
    source = {int.from_bytes(code[5:8], "big"): code[8:] for code in codes}
    payload = b"".join(source[index] for index in range(-(-length // 1072)))[:length]
    size, start = compact(payload, 35)
    open("metadata.scale", "wb").write(payload[start:start + size])
    hot("import", "metadata.scale")
    words = ["make", "load-metadata", "polkadot", "--version", 9190, "--key-hex", payload[3:35].hex(),
             "--signature-hex", payload[-64:].hex(), "--scheme", "sr25519"]
    hot(*words, "--out", "again.bin")
    assert open("again.bin", "rb").read() == payload
    hot(*words, "--out", "again.apng")
    made = frames("again.apng")
    assert decode_raptorq(made) == payload
    # With every third frame lost, repair symbols replace them, in the numbering of RFC 6330.
    assert decode_raptorq([code for index, code in enumerate(made) if index % 3]) == payload
    # In the published frames' own size and numbering every packet is the published one.
    hot(*words, "--out", "same.apng", "--symbol", 1072)
    same = {code[4:8]: code for code in frames("same.apng")}
    published = {code[4:8]: code for code in codes}
    assert len(published) >= 617 and all(same.get(place) == code for place, code in published.items())


@shared
def the_digest_is_the_published_one():
    digest = hot("digest", os.path.join(SHARED, "metadata", "polkadot-rfc78-v15.scale"), "--spec-version", 1, "--spec-name", "nice",
                 "--prefix", 1, "--decimals", 1, "--token", "lol")
    assert digest.strip() == "72b3e70cb722edeb45a9380720ecad79b09b4113ab2dee5f5d974f170fb77a7e"


@shared
def published_types_are_made_again_byte_for_byte():
    path = os.path.join(SHARED, "transactions", "load-types-unsigned.hex")
    hot("import", path)
    hot("make", "load-types", "--out", "types.hex")
    assert open("types.hex").read().strip() == open(path).read().strip()


def every_decoder_reads_every_byte_at_every_level():
    for level, capacity in [("L", 2953), ("M", 2331), ("Q", 1663), ("H", 1273)]:
        for data in [bytes(range(256)) * 4, noise(capacity), b"\0" * 40, b"\xff" * 40]:
            hot("qr", "--hex", data.hex(), "--error-correction", level, "--raptorq", "auto", "--out", "code.png")
            assert frames("code.png") == [data]
            assert subprocess.run(["ZXingReader", "-format", "QRCode", "-ispure", "-bytes", "code.png"], capture_output=True).stdout == data
            zbar = ["zbarimg", "--raw", "-q", "-Sbinary", "--oneshot", "code.png"]
            assert subprocess.run(zbar, capture_output=True).stdout == data


def frames_of_all_sizes_decode():
    for length in [2954, 5000, 20_000, 100_000]:
        payload = b"S" + noise(length - 1)
        open("payload.bin", "wb").write(payload)
        for symbol in [[], ["--symbol", 16], ["--symbol", 128], ["--symbol", 2944]]:
            if symbol == ["--symbol", 16] and length > 2954 or symbol == ["--symbol", 128] and length > 20_000:
                continue
            hot("qr", "--hex", "@payload.bin", *symbol, "--dialect", "rfc6330", "--out", "frames.apng")
            assert decode_raptorq(frames("frames.apng")) == payload, (length, symbol)


def legacy_frames_join_to_the_payload():
    payload = b"S" + noise(3663)
    open("payload.bin", "wb").write(payload)
    hot("qr", "--hex", "@payload.bin", "--legacy", "--out", "frames/")
    codes = [frames(os.path.join("frames", name))[0] for name in sorted(os.listdir("frames"))]
    assert [code[:5].hex() for code in codes] == ["0000040000", "0000040001", "0000040002", "0000040003"]
    assert b"".join(code[5:] for code in codes) == payload


def fixture_network():
    hot("specs", "--out", "specs.json", program=FIXTURE)
    hot("import", "specs.json")
    for version in (14, 15):
        hot("metadata", "--version", version, "--out", f"{version}.scale", program=FIXTURE)
        hot("import", f"{version}.scale")


def a_transaction_made_by_names_is_signed_elsewhere_and_read_back():
    from scalecodec.base import RuntimeConfigurationObject, ScaleBytes
    from scalecodec.type_registry import load_type_registry_preset
    from substrateinterface import Keypair
    fixture_network()
    call = {"pallet": "Balances", "call": "transfer_keep_alive",
            "args": {"dest": "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty", "value": 1500000000000}}
    json.dump(call, open("call.json", "w"))
    hot("make", "transaction", "--network", "heliotest", "--signer", ALICE, "--call", "call.json", "--nonce", 7, "--tip", 5,
        "--era", 64, "--block-number", 1234, "--block-hash", "22" * 32, "--without-proof", "--out", "payload.hex")
    payload = bytes.fromhex(open("payload.hex").read())
    pair = Keypair.create_from_uri("//Alice")
    assert payload[:35] == bytes([0x53, 1, 2]) + pair.public_key
    length, start = compact(payload, 35)
    message = payload[start:-32]
    signature = pair.sign(hashlib.blake2b(message, digest_size=32).digest() if len(message) > 256 else message)
    extrinsic = bytes.fromhex(hot("read", "--hex", "01" + signature.hex()).strip())

    config = RuntimeConfigurationObject(implements_scale_info=True, ss58_format=42)
    config.update_type_registry(load_type_registry_preset("core"))
    metadata = config.create_scale_object("MetadataVersioned", ScaleBytes(open("14.scale", "rb").read()))
    metadata.decode()
    config.add_portable_registry(metadata)
    read = config.create_scale_object("Extrinsic", metadata=metadata, data=ScaleBytes(extrinsic)).decode()
    assert read["address"] == ALICE and read["nonce"] == 7 and read["tip"] == 5 and read["era"] == (64, 18)
    assert read["call"]["call_function"] == "transfer_keep_alive"
    assert [argument["value"] for argument in read["call"]["call_args"]][1] == 1500000000000
    assert sr25519.verify(bytes.fromhex(read["signature"]["Sr25519"][2:]), message, pair.public_key)

    wrong = bytearray(signature)
    wrong[5] ^= 1
    hot("read", "--hex", "01" + wrong.hex(), status=65)
    hot("read", "--hex", "01" + wrong.hex(), "--payload", "payload.hex", status=65)


def configure(parser):
    """Takes the folder of the hot programs."""
    parser.add_argument("binaries", type=pathlib.Path, help="folder of heliograph-hot and heliograph-fixture")


def run(options):
    """0; a broken law raises."""
    global HOT, FIXTURE
    HOT, FIXTURE = options.binaries.resolve() / "heliograph-hot", options.binaries.resolve() / "heliograph-fixture"
    for check in [every_decoder_reads_every_byte_at_every_level, frames_of_all_sizes_decode, legacy_frames_join_to_the_payload,
                  a_transaction_made_by_names_is_signed_elsewhere_and_read_back, published_polkadot_specs_are_made_again_byte_for_byte,
                  published_westend_specs_are_made_again_byte_for_byte, published_types_are_made_again_byte_for_byte,
                  published_metadata_is_made_again_byte_for_byte_and_reads_from_its_frames, the_digest_is_the_published_one]:
        law(check)
    print(f"{len(ran)} ran, {len(skipped)} skipped")
