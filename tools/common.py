"""What several programs of tools/ need: the shared data, secrets for the offline program, and SCALE's compact form."""
import contextlib
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def shared_data():
    """The folder of published pictures and metadata; it is no part of the repository and may be absent."""
    return pathlib.Path(os.environ.get("HELIOGRAPH_SHARED_DATA") or ROOT.parent / "shared/data")


@contextlib.contextmanager
def secret_lines(lines):
    """Words and descriptors for a command: `lines` maps an option, such as --passphrase-fd, to the line that its descriptor gives."""
    words, descriptors = [], []
    try:
        for option, line in lines.items():
            reading, writing = os.pipe()
            os.write(writing, line.encode() + b"\n")
            os.close(writing)
            words += [option, str(reading)]
            descriptors.append(reading)
        yield words, descriptors
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def compact(value):
    """SCALE's compact form of a number below 2^30."""
    if value < 1 << 6:
        return bytes([value << 2])
    if value < 1 << 14:
        return (value << 2 | 1).to_bytes(2, "little")
    return (value << 2 | 2).to_bytes(4, "little")
