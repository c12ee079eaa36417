"""Console fonts: reads Debian's PSF files, checks that they hold what is drawn, and writes the form that the first process loads."""
import functools
import gzip
import re
import struct

from ..common import ROOT
from ..release.names import Refused

FOLDER = "usr/share/consolefonts"
# Terminus `Uni2-` and `Lat15-` have no half blocks, so every QR code would be rubbish; these have them, and Latin letters with accents.
FONTS = {"16": "Vietnamese-TerminusBold16.psf.gz", "24": "Vietnamese-TerminusBold24x12.psf.gz", "32": "Vietnamese-TerminusBold32x16.psf.gz"}
SLOT = 32
# Letters of texts that come from outside and are told from their look-alikes; on a console they are shown as they are, or as a box.
NOT_DRAWN = {"ReadableLetters.swift"}


class Font:
    """Width, height, glyphs and the glyph of each character."""

    def __init__(self, packed):
        data = gzip.decompress(packed)
        if data[:2] == b"\x36\x04":
            mode, size = data[2], data[3]
            self.width, self.height, count, start = 8, size, 512 if mode & 1 else 256, 4
            table = struct.unpack(f"<{(len(data) - start - count * size) // 2}H", data[start + count * size :])
            entries, entry = [], []
            for code in table:
                if code == 0xFFFF:
                    entries.append(entry)
                    entry = []
                else:
                    entry.append(code)
        elif data[:4] == b"\x72\xb5\x4a\x86":
            _, _, start, _, count, size, self.height, self.width = struct.unpack("<8I", data[:32])
            entries = [[ord(c) for c in part.split(b"\xfe")[0].decode()] for part in data[start + count * size :].split(b"\xff")]
        else:
            raise Refused("a font is not in the PSF form")
        self.glyphs = [data[start + number * size : start + (number + 1) * size] for number in range(count)]
        self.characters = {}
        for number, codes in enumerate(entries[:count]):
            for code in codes:
                # 0xFFFE begins sequences of characters, which are not used.
                if code == 0xFFFE:
                    break
                self.characters.setdefault(code, number)

    def written(self):
        """As tools/appliance/init/console.c reads it: four numbers, glyphs in slots of 32 rows, pairs of character and glyph."""
        row = (self.width + 7) // 8
        glyphs = b"".join(glyph.ljust(SLOT * row, b"\0") for glyph in self.glyphs)
        pairs = b"".join(struct.pack("<HH", *pair) for pair in sorted(self.characters.items()))
        return struct.pack("<4H", self.width, self.height, len(self.glyphs), len(self.characters)) + glyphs + pairs


@functools.cache
def drawn():
    """Every character beyond ASCII in the texts of the programs, with a file that draws it."""
    found = {}
    for path in [*(ROOT / "Sources").rglob("*.swift"), *(ROOT / "tools/appliance/init").glob("*.c")]:
        if path.name in NOT_DRAWN or not any(part in ("Interface", "Programs", "QRCode", "init") for part in path.parts) and "Diagnostic" not in path.name:
            continue
        for line in path.read_text().splitlines():
            if not line.lstrip().startswith("//"):
                codes = {ord(c) for c in line if ord(c) > 126} | {int(code, 16) for code in re.findall(r"\\u\{([0-9A-Fa-f]+)\}", line)}
                found |= {code: path.name for code in codes if code > 126 and chr(code).isprintable()}
    return found


def lacking(font):
    """Sentences about the characters that a font does not have."""
    return [f"the font has no {chr(code)} (U+{code:04X}), which {file} draws" for code, file in sorted(drawn().items()) if code not in font.characters]


def fonts(packages):
    """Name → the file of the image. Every font must hold every character."""
    made = {}
    for name, file in FONTS.items():
        font = Font(packages.file("console-setup-linux", f"{FOLDER}/{file}").read_bytes())
        if missing := lacking(font):
            raise Refused("\n".join(missing))
        made[name] = font.written()
    return made
