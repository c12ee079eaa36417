"""Draws every code that a terminal shows, in windows of 80 x 24 and 120 x 40, dark and light, and reads pictures of them with zxing-cpp and zbar.

The programs run at a pseudo-terminal; pyte keeps its cells, and Pillow paints them: block elements as squares, which is how VTE, kitty, foot, Alacritty
and Windows Terminal draw them, and once more with the glyphs of DejaVu Sans Mono, as xterm does. Below the code stands the next prompt of a shell, so a code
that is too high has lost its first rows.

A code must be read by both readers wherever there are colours, and on a dark window without colours. On a light one without colours its colours are
exchanged: that is measured and need not be read, unless COLORFGBG says that the window is light.
"""
import contextlib
import copy
import functools
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

import zxingcpp
from PIL import Image, ImageDraw, ImageFont

from . import panes
from .common import ROOT, binaries_option, compact, side_by_side, skip
from .offline import PHRASE, Signer

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
SIXTEEN = {"black": (0, 0, 0), "red": (170, 0, 0), "green": (0, 170, 0), "brown": (170, 85, 0), "blue": (0, 0, 170), "magenta": (170, 0, 170),
           "cyan": (0, 170, 170), "white": (170, 170, 170), "brightblack": (85, 85, 85), "brightwhite": (255, 255, 255)}
# The codes that are drawn in every mode; the others differ from them in nothing that a mode changes.
IN_EVERY_MODE = {"signature sr25519", "export of 4 keys"}
CELL = (8, 16)
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
BLOCKS = {"█": (0, 0, 1, 1), "▀": (0, 0, 1, 0.5), "▄": (0, 0.5, 1, 1)}
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
    width, height = CELL if font is None else (round(font.getlength("█")), sum(font.getmetrics()))
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
    """A font of the usual size; None where the machine has none."""
    return ImageFont.truetype(FONT, 16) if os.path.exists(FONT) else None


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


# MARK: What is drawn

class Vault(Signer):
    """A development vault with keys of three schemes, and what is asked of it."""

    def __init__(self, binaries, folder):
        super().__init__(binaries, f"{folder}/v", "marked")
        self.binaries, self.folder = binaries, folder
        self.make("--verifier", "none", "--networks", "none")
        for name in ("specs", "metadata"):
            self.must("scan", "--hex", f"@{DERIVED}/{name}.hex", "--approve")
        self.must("seed", "restore", "dev", phrase=PHRASE)
        self.addresses = [self.must("key", "derive", "dev", f"//{n}", "--network", NETWORK).strip() for n in range(4)]
        for scheme in ("ed25519", "ecdsa"):
            self.must("key", "derive", "dev", f"//{scheme}", "--scheme", scheme)
        self.keys = {key["path"]: key for key in self.json("key", "list")[1]["keys"]}

    @contextlib.contextmanager
    def copied(self):
        """The same vault in a folder of its own, for what runs beside other things."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(f"{self.folder}/v", f"{folder}/v")
            other = copy.copy(self)
            other.folder, other.vault = folder, f"{folder}/v"
            yield other

    def at_terminal(self, words, window, variables):
        """A command at a terminal, in the form of a pane."""
        step = {"command": f"heliograph {words} --vault {{work}}/v --passphrase-fd 3", "fds": {3: [self.passphrase]}}
        return panes.Program(step, self.folder, self.binaries, terminal(window, variables))

    def message(self, scheme, code):
        """A message for any network, to be signed by the key of a scheme."""
        return f"53{code}08{self.keys['//' + scheme]['public_key']}{MESSAGE.hex()}"

    def transaction(self, number):
        """A transaction of one key: the fixture's, which names its key by root and path, as one that names it by its public key."""
        text = (DERIVED / "transfer-root-path-0.hex").read_text().strip()
        return f"530102{self.keys[f'//{number}']['public_key']}{text[PRELUDE_OF_DERIVED:]}"


NETWORK = "heliotest"
# Hex digits before the call: prelude, root key, path with its length.
PRELUDE_OF_DERIVED = 2 * (3 + 32 + 1 + len("//spektr//0"))


def is_signature(length):
    """Whether one code is the hex text of a signature of so many bytes, with its scheme unless a message was signed."""
    return is_text(rb"(0[0-2])?[0-9a-f]{%d}" % (2 * length))


def is_payload(start, length):
    """Whether frames are a whole payload: source symbols in their order."""
    def check(contents):
        frames = sorted(contents, key=lambda frame: frame[4:8])
        if not frames or any(frame[:4] != frames[0][:4] for frame in frames):
            return False
        total = int.from_bytes(frames[0][:4], "big") & 0x7FFFFFFF
        payload = b"".join(frame[8:] for frame in frames)
        return [int.from_bytes(f[5:8], "big") for f in frames] == list(range(len(frames))) and len(payload) >= total >= length and payload.startswith(start)
    return check


def is_text(pattern):
    """Whether one code has this text."""
    return lambda contents: len(contents) == 1 and all(re.fullmatch(pattern, text) for text in contents)


def codes(vault):
    """Name → the command that draws it, and whether contents that were read are right."""
    inner = [vault.transaction(n)[2:] for n in range(2)]
    bulk = "53ff0400" + compact(2).hex() + "".join(compact(len(part) // 2).hex() + part for part in inner)
    scan = "scan --approve --terminal --hex "
    return {
        "signature sr25519": (scan + vault.transaction(0), is_signature(64)),
        "signature ed25519": (scan + vault.message("ed25519", "00"), is_signature(64)),
        "signature ecdsa": (scan + vault.message("ecdsa", "02"), is_signature(65)),
        "bulk of 2": (scan + bulk, is_payload(b"\x04\x08", 2 * 65)),
        "address": (f"key show {vault.addresses[0]}", is_text(rb"substrate:\w{47,48}:0x[0-9a-f]{64}")),
        "key secret": (f"key secret {vault.addresses[0]} --terminal --yes", is_text(rb"secret:0x[0-9a-f]{64}:[0-9a-f]{64}")),
        "export of 4 keys": ("key export dev", is_payload(b"\x53\xff\xde\x01", 390)),
    }


def terminal(window, variables):
    """The setting of a pane's program: its window, and what the environment says of it."""
    said = {name: value for name, value in variables.items() if name != "TERM"}
    return {"size": window, "term": variables["TERM"], "set": said, "unset": {"NO_COLOR", "COLORTERM", "COLORFGBG"} - set(said), "offline": False}


# MARK: SeedQR

# Seeds of SeedSigner's test vectors 4 and 1: 12 and 24 words.
VECTORS = {12: 4, 24: 1}
FORMS = {"seed-qr": "digits", "compact-seed-qr": "entropy"}
DARK, LIGHT = "##", " ."


def vector(words):
    """A published seed, and its contents as bytes."""
    cases = json.loads((ROOT / "fixtures/keys/seedqr-seedsigner.json").read_text())
    case = next(case for case in cases if case["id"] == VECTORS[words])
    return case | {"digits": case["digits"].encode(), "entropy": bytes.fromhex(case["entropy"])}


def shown_modules(screen):
    """Row and column, counted from 1, → whether it is dark, of every module that a page shows; a zone has its numbers beside it, a whole grid has not."""
    lines = screen.display
    heads = [index for index, line in enumerate(lines) if re.fullmatch(r"(\s+\d+)+\s*", line.split("[")[0].rstrip() or "x")]
    return {} if not heads else zone_modules(screen, lines, heads[0])


def zone_modules(screen, lines, head):
    """The modules of one zone: four columns and two lines each, below a line of their numbers."""
    columns = [int(number) for number in lines[head].split()]
    found = {}
    for index, line in enumerate(lines):
        if index <= head or not (row := re.match(r"\s*(\d+) ", line[:4])):
            continue
        for place, column in enumerate(columns):
            cells = [screen.buffer[y][4 + 4 * place + x] for y in (index, index + 1) for x in range(4)]
            looks = {cell.bg == "000000" if cell.bg != "default" else cell.data == "#" for cell in cells if cell.bg != "default" or cell.data not in " ."}
            found[int(row[1]), column] = looks == {True}
    return found


def copied(vault, name, form, window):
    """What a person who copies every zone has on paper, as a picture with ten pixels a module; None if something is missing."""
    program = vault.at_terminal(f"seed backup {name} --form {form}", window, MODES["256 colours"][0])
    modules, pages = {}, 0
    try:
        if not program.until(lambda: program.screen.look("[yes/no]") is not None):
            return None, 0
        program.press("yes\r")
        while program.until(lambda: program.screen.look("modules:") is not None, patience=5):
            page = shown_modules(program.screen)
            if not page:
                page = whole_modules(program.screen)
            modules |= page
            pages += 1
            before = list(program.screen.display)
            program.press(" ")
            program.until(lambda: not program.is_open or list(program.screen.display) != before, patience=5)
            if not program.is_open:
                break
    finally:
        program.close()
    side = max((row for row, _ in modules), default=0)
    if len(modules) != side * side or not side:
        return None, pages
    picture = Image.new("L", ((side + 8) * 10, (side + 8) * 10), 255)
    draw = ImageDraw.Draw(picture)
    for (row, column), dark in modules.items():
        if dark:
            draw.rectangle(((column + 3) * 10, (row + 3) * 10, (column + 4) * 10 - 1, (row + 4) * 10 - 1), 0)
    return picture, pages


def whole_modules(screen):
    """The modules of a whole grid: two columns and one line each, empty lines and columns between zones."""
    found, row = {}, 0
    for y in range(screen.lines):
        cells = [screen.buffer[y][x] for x in range(screen.columns)]
        dark = [cell.bg == "000000" for cell in cells if cell.bg in ("000000", "ffffff")]
        if dark:
            row += 1
            found |= {(row, column + 1): dark[2 * column] for column in range(len(dark) // 2)}
    return found


def seed_code(options, vault, case):
    """The row of a SeedQR that was copied by hand, and how many readers do not find what SeedSigner documents."""
    words, form, window = case
    expected = vector(words)
    with vault.copied() as own:
        own.must("seed", "restore", f"words{words}", phrase=expected["phrase"])
        picture, pages = copied(own, f"words{words}", form, window)
    if picture and options.pictures:
        picture.save(options.pictures / f"{form}-{words}-{window}.png")
    found = {reader: picture is not None and expected[FORMS[form]] in read(picture) for reader, read in READERS.items()}
    marks = "  ".join("read" if found[r] else "FAIL" for r in READERS)
    return [f"{form + f' {words}':<18} {window:<7} {pages} shown  copied by hand           {marks}"], list(found.values()).count(False)


# MARK: What is seen

def seen(vault, words, window, variables):
    """The windows that a person sees until the code is whole: one, or each frame of an animation. Ends the command by a key."""
    program = vault.at_terminal(words, window, variables)
    try:
        shots, start = {}, time.monotonic()
        news = start
        while time.monotonic() - start < LONGEST:
            program.take(0.02)
            if time.monotonic() - program.changed < SETTLED:
                continue
            if not program.is_open:
                # The next prompt of the shell: what it pushes out of the window is lost.
                program.stream.feed(b"$ ")
                return [copy.deepcopy(program.screen)]
            if (shown := tuple(program.screen.display)) not in shots:
                shots[shown], news = copy.deepcopy(program.screen), time.monotonic()
            # All frames have come round, however late a busy machine showed them.
            if program.screen.rows() and time.monotonic() - news > WATCHED:
                program.press("q")
                program.end()
                return list(shots.values())
        raise SystemExit(f"terminal-codes: {words} shows nothing in {LONGEST} s")
    finally:
        program.close()


# Seconds: without change before a picture is taken, without a new frame before an animation is whole, for a command.
SETTLED, WATCHED, LONGEST = 0.1, 3.0, 30


def configure(parser):
    binaries_option(parser)
    parser.add_argument("--pictures", type=pathlib.Path, help="keep the pictures in this folder")


def readings(shots, theme, font, read, name, folder):
    """The contents of all windows."""
    contents = set()
    for number, screen in enumerate(shots):
        picture = paint(screen, theme, font)
        if folder:
            picture.save(folder / f"{name}-{number}.png".replace(" ", "-").replace(",", ""))
        contents |= read(picture)
    return contents


def drawn_code(options, vault, case):
    """The rows of a code in one window and mode, and how many of them were not read that must be."""
    name, window, mode = case
    fonts = {"blocks": None} | ({"glyphs": glyphs()} if glyphs() and mode == "256 colours" else {})
    failed, rows = 0, []
    with vault.copied() as own:
        words, is_right = codes(own)[name]
        shots = seen(own, words, window, MODES[mode][0])
    for theme, (drawn, font) in itertools.product(THEMES, fonts.items()):
        label = f"{name} {window} {mode} {theme} {drawn}"
        found = {reader: is_right(readings(shots, theme, font, read, label, options.pictures)) for reader, read in READERS.items()}
        must = MODES[mode][1] in (None, theme)
        bad = [reader for reader, is_read in found.items() if must and not is_read and not (font and reader == "zbar")]
        failed += len(bad)
        marks = "  ".join("read" if found[r] else "FAIL" if r in bad else "no  " for r in READERS)
        rows.append(f"{name:<18} {window:<7} {len(shots)} shown  {mode:<16} {theme:<6} {drawn:<7} {marks}")
    return rows, failed


def check(options):
    """The rows of the table, and how many codes were not read that must be."""
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(options.binaries, folder)
        drawn = [(name, window, mode) for name in codes(vault) for window in WINDOWS
                 for mode in (MODES if name in IN_EVERY_MODE else list(MODES)[:1])]
        found = list(side_by_side(functools.partial(drawn_code, options, vault), drawn))
        found += side_by_side(functools.partial(seed_code, options, vault), list(itertools.product(VECTORS, FORMS, WINDOWS)))
    return [row for rows, _ in found for row in rows], sum(failed for _, failed in found)


def run(options):
    if not shutil.which("zbarimg"):
        skip("zbar-tools")
        return 0
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    rows, failed = check(options)
    print(f"{'code':<18} {'window':<7} {'windows':<8} {'mode':<16} {'theme':<6} {'drawn':<7} {'  '.join(READERS)}")
    print("\n".join(rows))
    print(f"terminal-codes: {len(rows)} pictures, {failed} that must be read are not")
    return 1 if failed or not rows else 0
