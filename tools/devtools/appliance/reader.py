"""Reads the text of an emulated screen: each cell of the frame buffer is compared with the glyphs of the fonts that the image holds."""
import functools

from PIL import Image

from . import font
from .packages import Packages


@functools.cache
def shapes():
    """Width and height of a cell → what a cell looks like → its character."""
    packages, found = Packages(), {}
    for file in font.FONTS.values():
        one = font.Font(packages.file("console-setup-linux", f"{font.FOLDER}/{file}").read_bytes())
        row = (one.width + 7) // 8
        known = found.setdefault((one.width, one.height), {})
        for code, number in sorted(one.characters.items()):
            rows = (one.glyphs[number][at : at + row] for at in range(0, len(one.glyphs[number]), row))
            bits = "".join(f"{int.from_bytes(part, 'big') >> row * 8 - one.width:0{one.width}b}" for part in rows)
            known.setdefault(bits, chr(code))
    return found


def read(picture, width, height):
    """The rows of a screen whose cells have this size, and how many cells are characters."""
    known, rows, count = shapes()[width, height], [], 0
    for top in range(0, picture.height - height + 1, height):
        row = ""
        for left in range(0, picture.width - width + 1, width):
            cell = picture.crop((left, top, left + width, top + height)).tobytes()
            # Two shades: the one that fewer pixels have, or any that is not black, is the ink.
            bits = "".join("1" if value > 64 else "0" for value in cell)
            character = known.get(bits) or known.get(bits.translate(str.maketrans("01", "10")), " ")
            count += character != " "
            row += character
        rows.append(row.rstrip())
    return rows, count


def text(file):
    """What a picture of the screen says, in the cells that fit it best."""
    with Image.open(file) as opened:
        picture = opened.convert("L")
    found = max((read(picture, *size) for size in shapes()), key=lambda one: one[1])
    return found[0]
