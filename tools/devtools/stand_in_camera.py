"""A stand-in camera: pictures of QR codes as a driver hands them over, recorded for tools/peers/fake-camera.c."""
import io
import os
import struct
import subprocess

import numpy as np
import segno
from PIL import Image

from .common import ROOT

HONEST = 0xFFFFFFFF
SIZE = (1280, 720)


def library(folder):
    """Compiles the library that answers for the kernel."""
    path = folder / "fake-camera.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-o", path, ROOT / "tools/peers/fake-camera.c", "-ldl"], check=True)
    return path


def environment(built, device, formats="YUYV:1280x720", **answers):
    """The environment of a program that finds the camera at `device`."""
    named = {f"CAMERA_{name.upper()}": str(value) for name, value in answers.items()}
    return {**os.environ, "TZ": "UTC", "LD_PRELOAD": str(built), "CAMERA_DEVICE": str(device), "CAMERA_FORMATS": formats, **named}


def seen(data, size=SIZE, seed=0, pixels=4):
    """What a camera sees of a QR code: grey, not straight on the pixels, with noise. `None` for an empty desk."""
    rng = np.random.default_rng(seed)
    page = Image.new("L", size, 96)
    if data is not None:
        modules = np.array([list(row) for row in segno.make_qr(data, error="l", mode="byte", boost_error=False).matrix])
        code = Image.fromarray(np.pad(np.where(modules == 1, 20, 235).astype(np.uint8), 4, constant_values=235))
        edge = min(code.width * pixels, size[1] - 20)
        code = code.resize((edge, edge), Image.NEAREST).rotate(2, fillcolor=96, resample=Image.BILINEAR)
        page.paste(code, ((size[0] - edge) // 2, (size[1] - edge) // 2))
    return np.clip(np.asarray(page) + rng.normal(0, 4, (size[1], size[0])), 0, 255).astype(np.uint8)


def yuyv(grey):
    """Brightness, and colour without colour."""
    return np.stack([grey, np.full_like(grey, 128)], axis=-1).tobytes()


def mjpeg(grey, tables=True):
    """A JPEG; without its Huffman tables, as some cameras leave them out."""
    out = io.BytesIO()
    Image.fromarray(grey).convert("RGB").save(out, "JPEG", quality=85)
    data = out.getvalue()
    if tables:
        return data
    kept, at = data[:2], 2
    while data[at + 1] != 0xDA:
        length = 2 + struct.unpack(">H", data[at + 2:at + 4])[0]
        if data[at + 1] != 0xC4:
            kept += data[at:at + length]
        at += length
    return kept + data[at:]


def record(data=b"", error=0, index=HONEST, used=HONEST, flags=0):
    """One answer to a request for a picture."""
    return struct.pack("=5I", error, index, used, flags, len(data)) + data


def frames(payload, parts):
    """A payload in frames of the older envelope: 00, count, index, part."""
    step = -(-len(payload) // parts)
    return [b"\0" + struct.pack(">HH", parts, i) + payload[i * step:(i + 1) * step] for i in range(parts)]


def events(data):
    """Tags of the scanner's records, in order."""
    at = 0
    while at + 5 <= len(data):
        yield chr(data[at])
        at += 5 + int.from_bytes(data[at + 1:at + 5], "big")
