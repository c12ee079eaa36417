"""Draws every code that a terminal shows, in windows of 80 x 24 and 120 x 40, dark and light, and reads pictures of them with zxing-cpp and zbar.

The programs run at a pseudo-terminal; pyte keeps its cells, and Pillow paints them: block elements as squares, which is how VTE, kitty, foot, Alacritty
and Windows Terminal draw them, and once more with the glyphs of DejaVu Sans Mono, as xterm does. Below the code stands the next prompt of a shell, so a code
that is too high has lost its first rows.

A code must be read by both readers wherever there are colours, and on a dark window without colours. On a light one without colours its colours are
exchanged: that is measured and need not be read, unless COLORFGBG says that the window is light.
"""
import hashlib
import io
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import zxingcpp
from PIL import Image, ImageDraw, ImageFont

from . import panes
from .common import ROOT, skip

WINDOWS = ["80x24", "120x40"]
# Name → foreground, background.
THEMES = {"dark": ((204, 204, 204), (0, 0, 0)), "light": ((51, 51, 51), (255, 255, 255))}
# Name → variables, the theme that must be read (None: both).
MODES = {
    "256 colours": ({"TERM": "xterm-256color"}, None),
    "16 colours": ({"TERM": "xterm"}, None),
    "console": ({"TERM": "linux"}, None),
    "NO_COLOR": ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "dark"),
    "NO_COLOR, light": ({"TERM": "xterm-256color", "NO_COLOR": "1", "COLORFGBG": "0;15"}, "light"),
}
SIXTEEN = {"black": (0, 0, 0), "white": (170, 170, 170), "brightwhite": (255, 255, 255), "brightblack": (85, 85, 85)}
CELL = (8, 16)
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
BLOCKS = {"█": (0, 0, 1, 1), "▀": (0, 0, 1, 0.5), "▄": (0, 0.5, 1, 1)}
PHRASE = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
MESSAGE = b"<Bytes>terminal codes</Bytes>"
DERIVED = ROOT / "fixtures/derived"


def colour(name, usual):
    """The colour of a cell; pyte gives names, and six hex digits for the palette."""
    if name == "default":
        return usual
    return SIXTEEN[name] if name in SIXTEEN else tuple(int(name[at:at + 2], 16) for at in (0, 2, 4))


def paint(screen, theme, font=None):
    """The cells of a window as a picture, with what surrounds it."""
    foreground, background = THEMES[theme]
    width, height = CELL
    picture = Image.new("RGB", (width * (screen.columns + 2), height * (screen.lines + 2)), background)
    draw = ImageDraw.Draw(picture)
    for row in range(screen.lines):
        for column in range(screen.columns):
            cell = screen.buffer[row][column]
            ink, ground = colour(cell.fg, foreground), colour(cell.bg, background)
            if cell.reverse:
                ink, ground = ground, ink
            x, y = width * (column + 1), height * (row + 1)
            draw.rectangle((x, y, x + width - 1, y + height - 1), ground)
            if cell.data in BLOCKS and font is None:
                left, top, right, bottom = BLOCKS[cell.data]
                draw.rectangle((x + left * width, y + top * height, x + right * width - 1, y + bottom * height - 1), ink)
            elif cell.data.strip():
                draw.text((x, y), cell.data, ink, font or ImageFont.load_default(10))
    return picture


def glyphs():
    """The font whose cell is CELL; None where the machine has none."""
    return ImageFont.truetype(FONT, 13) if os.path.exists(FONT) else None


def zxing(picture):
    """The bytes of every QR code that zxing-cpp reads."""
    return {code.bytes for code in zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)}


def zbar(picture):
    """The bytes of every QR code that zbar reads."""
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        picture.save(file.name)
        done = subprocess.run(["zbarimg", "--quiet", "--raw", "--oneshot", "-Sdisable", "-Sqr.enable", "-Sbinary", file.name], capture_output=True)
    return {done.stdout} if done.stdout else set()


READERS = {"zxing-cpp": zxing, "zbar": zbar}
