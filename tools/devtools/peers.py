"""What independent programs read: zxing-cpp the codes of pictures, Pillow their frames, the raptorq crate payloads, scalecodec metadata."""
import raptorq
import zxingcpp
from PIL import Image, ImageSequence
from scalecodec.base import RuntimeConfigurationObject, ScaleBytes
from scalecodec.type_registry import load_type_registry_preset


def frames(picture):
    """The bytes of the one code in each frame of a picture."""
    found = []
    with Image.open(picture) as opened:
        for number, frame in enumerate(ImageSequence.Iterator(opened)):
            codes = zxingcpp.read_barcodes(frame.convert("L"), formats=zxingcpp.BarcodeFormat.QRCode)
            assert len(codes) == 1, f"{picture}: {len(codes)} codes in frame {number}"
            found.append(codes[0].bytes)
    return found


def length_of(frame):
    """The length of the payload that a RaptorQ frame is of."""
    return int.from_bytes(frame[:4], "big") & 0x7FFFFFFF


def joined(codes):
    decoder = raptorq.Decoder.with_defaults(length_of(codes[0]), len(codes[0]) - 8)
    for code in codes:
        if (payload := decoder.decode(code[4:])) is not None:
            return bytes(payload)
    raise AssertionError("the frames do not give a payload")


def payload(picture):
    codes = frames(picture)
    return joined(codes) if codes[0][0] & 0x80 else codes[0]


def published(animation):
    """The payload of a published animation, from its source symbols alone: the crate numbers repair symbols otherwise. And how many frames it has."""
    codes = frames(animation)
    symbols = -(-length_of(codes[0]) // (len(codes[0]) - 8))
    return joined([code for code in codes if int.from_bytes(code[5:8], "big") < symbols]), len(codes)


def runtime(blob, presets=("core",), **options):
    """scalecodec's view of metadata: the configuration with its types, and the metadata."""
    config = RuntimeConfigurationObject(**options)
    for preset in presets:
        config.update_type_registry(load_type_registry_preset(preset))
    metadata = config.create_scale_object("MetadataVersioned", data=ScaleBytes(bytearray(blob)))
    metadata.decode()
    config.add_portable_registry(metadata)
    return config, metadata
