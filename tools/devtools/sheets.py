"""Renders the empty forms of `heliograph seed sheet` and looks at their pixels and words.

The modules that a form prints as dark must be those that are dark in every QR code of that size: segno draws codes of random contents, all masks and all levels
of error correction, and only what they have in common may be printed.
"""
import functools
import os
import pathlib
import random
import subprocess
import tempfile

import pypdfium2
import segno

from .common import binaries_option

SCALE = 3
LARGEST = 440
# Words on each page, in their order.
PAGES = [["Recovery phrase", "Seed XOR", "heliograph seed check NAME"], ["21 x 21 modules", "CompactSeedQR"], ["25 x 25 modules", "SeedQR"],
         ["29 x 29 modules", "SeedQR"], ["SLIP-39 share", "--slip39"], ["Recovery key", "heliograph vault slots"]]
# Numbered lines of each page.
LINES = [24, 0, 0, 0, 33, 24]
# Version of a code → its page.
CODES = {1: 1, 2: 2, 3: 3}


def configure(parser):
    binaries_option(parser)


def sheet(binaries, folder, name):
    out = pathlib.Path(folder, name)
    subprocess.run([pathlib.Path(binaries, "heliograph"), "seed", "sheet", "--out", out], check=True, capture_output=True,
                   env={**os.environ, "HOME": folder, "HELIOGRAPH_VAULT": os.path.join(folder, name + ".vault")})
    return out.read_bytes()


@functools.cache
def common(version):
    """The modules that are dark in every code of a version, by an independent program."""
    rng, dark = random.Random(version), None
    for mask in range(8):
        for level in "lmqh":
            for _ in range(8):
                # The first bit of the mode is set for Japanese text alone.
                content = rng.choice([rng.randbytes({1: 7, 2: 14, 3: 24}[version]), "".join(rng.sample("点茗荷漢字日本語", 3))])
                rows = segno.make_qr(content, error=level, version=version, mask=mask, boost_error=False).matrix
                found = {(y, x) for y, row in enumerate(rows) for x, module in enumerate(row) if module}
                dark = found if dark is None else dark & found
    return dark


def drawn(picture, version):
    """The modules of a rendered form that are dark in their middle."""
    side = 17 + 4 * version
    module = LARGEST // side
    left = (595 - module * side) // 2
    pixels = picture.load()
    line = range((left + 2) * SCALE, (left + module * side - 2) * SCALE)
    top = next(y for y in range(picture.height) if all(pixels[x, y] < 128 for x in line)) / SCALE
    middle = [(index + 0.5) * module for index in range(side)]
    return {(y, x) for y in range(side) for x in range(side) if pixels[int((left + middle[x]) * SCALE), int((top + middle[y]) * SCALE)] < 128}


def rules(picture):
    """How many places of a page have a horizontal line of at least 70 points, and nothing above it to write over."""
    pixels, found = picture.load(), 0
    width, need = picture.width, 70 * SCALE
    for y in range(1, picture.height):
        run = 0
        for x in range(width):
            run = run + 1 if pixels[x, y] < 160 and pixels[x, y - 1] >= 160 else 0
            found += run == need
    return found


def run(options):
    with tempfile.TemporaryDirectory() as folder:
        file = sheet(options.binaries, folder, "one.pdf")
        # A form of one vault is that of another: nothing of either is in it.
        assert file == sheet(options.binaries, folder, "two.pdf"), "two forms differ"
        document = pypdfium2.PdfDocument(file)
        assert len(document) == len(PAGES), f"{len(document)} pages"
        for number, (words, lines) in enumerate(zip(PAGES, LINES)):
            page = document[number]
            assert tuple(map(round, page.get_size())) == (595, 842), f"page {number + 1} is not A4"
            text = page.get_textpage().get_text_range()
            assert all(word in text for word in words), f"page {number + 1} says {text}"
            picture = page.render(scale=SCALE, grayscale=True).to_pil().convert("L")
            for edge in (picture.crop((0, 0, picture.width, 20 * SCALE)), picture.crop((0, 0, 25 * SCALE, picture.height)),
                         picture.crop((picture.width - 25 * SCALE, 0, picture.width, picture.height))):
                assert min(edge.getdata()) > 200, f"page {number + 1} is printed to its edge"
            assert rules(picture) >= lines, f"page {number + 1} has {rules(picture)} lines to write on"
            for line in range(1, lines + 1):
                assert str(line) in text.split(), f"page {number + 1} has no line {line}"
        for version, number in CODES.items():
            picture = document[number].render(scale=SCALE, grayscale=True).to_pil().convert("L")
            assert drawn(picture, version) == common(version), f"the form of version {version} prints other modules"
    print(f"{len(PAGES)} pages; {', '.join(f'{17 + 4 * version} x {17 + 4 * version}' for version in CODES)} modules as segno draws them")
    return 0
