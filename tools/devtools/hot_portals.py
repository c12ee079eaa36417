"""Laws of `heliograph-hot portal`, for hot_laws: what a browser shows of the pages, and that it loads and runs nothing else."""
import base64
import contextlib
import functools
import hashlib
import html.parser
import http.server
import json
import os
import pathlib
import re
import subprocess
import threading

from PIL import Image

from .hot_world import VERIFIER, law, publish
from .peers import payload, zxingcpp


class Page(html.parser.HTMLParser):
    """The tags of a page, its attributes as tag.name, the sources of its pictures, and its texts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.names, self.pictures, self.texts = set(), set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.names |= {f"{tag}.{name}" for name, _ in attributes} or {tag}
        self.pictures += [value for name, value in attributes if (tag, name) == ("img", "src")]

    def handle_data(self, data):
        self.texts.append(data)


@law
def a_portal_shows_every_update_without_a_script(world):
    world.hot("fetch", world.node(), "--title", "<script>alert(1)</script>")
    portal = world.folder / "portal"
    world.hot("portal", portal)
    page = Page((portal / "index.html").read_text())
    assert "script" not in page.tags and "img" in page.tags and not any(".on" in name for name in page.names)
    assert "<script>alert(1)</script>" in page.texts
    assert len(page.pictures) == 6, page.pictures
    small = next(file for file in page.pictures if file.startswith("heliotest_metadata_1000_compressed."))
    assert any("compressed: for Heliograph only" in text for text in page.texts)
    for words, file in [(["add-specs"], "heliotest_specs.png"), (["load-metadata"], "heliotest_metadata_1000.apng"),
                        (["load-metadata", "--compressed"], small)]:
        assert payload(portal / file) == world.made(*words, "heliotest"), file
    newest = world.json("metadata", "list")[0]
    assert "0x" + newest["blake2b_256"] in page.texts and "block 0x" + newest["block"] in page.texts


@law
def a_chain_takes_no_file_of_another(world):
    """A chain chooses its name, and some file systems take capital letters for small ones."""
    world.hot("fetch", world.node())
    world.only_heliotest()
    out = world.folder / "updates"
    world.hot("watch", "--once", "--out", out)
    before = {file.name: file.read_bytes() for file in out.glob("*png")}
    world.other_chain("hostile")
    world.runtime(1000)
    for name in ("14", "15"):
        blob = (world.chain / f"{name}.scale").read_bytes()
        (world.chain / f"{name}.scale").write_bytes(blob.replace(b"heliotest", b"Heliotest"))
    world.set(specName="Heliotest", genesis="0x" + "ee" * 32)
    world.hot("fetch", world.node())
    told = [f"{name}: two of these networks give the file name {name}\n" for name in ("heliotest", "Heliotest")]
    world.says(told, "watch", "--once", "--out", out, code=74)
    assert before == {file.name: file.read_bytes() for file in out.glob("*png")}
    world.refuses("two of these networks give the file name heliotest_specs", "portal", world.folder / "portal", code=64)
    assert not (world.folder / "portal").exists()
    world.hot("network", "remove", "Heliotest")
    world.hot("watch", "--once", "--out", out)
    world.hot("portal", world.folder / "portal")
    # Nor does a link in the directory make a file elsewhere.
    linked = world.folder / "linked"
    linked.mkdir()
    (linked / ".watch-lock").symlink_to(world.folder / "elsewhere")
    world.refuses("cannot write", "watch", "--once", "--out", linked, code=74)
    assert not (world.folder / "elsewhere").exists()


@law
def a_portal_moves_in_a_browser_without_a_script(world):
    world.hot("fetch", world.node())
    portal = world.folder / "portal"
    # A quick animation: the browser of a test shows little time.
    world.hot("portal", portal, "--fps", "15")
    page = (portal / "index.html").read_text()
    start = page.rindex("<details", 0, page.index("<summary>Metadata 1000 <"))
    (portal / "open.html").write_text(page[:start] + "<details open" + page[start + len("<details"):])
    seen = set()
    # A busy machine may show the first frame for long; one of several moments is enough to see another.
    for moment in (400, 1000, 1700, 2500, 3300, 6000, 15000, 30000):
        shot = world.folder / f"{moment}.png"
        browse(portal / "open.html", "--window-size=500,2600", "--force-device-scale-factor=2", f"--virtual-time-budget={moment}",
               f"--screenshot={shot}")
        with Image.open(shot) as picture:
            codes = zxingcpp.read_barcodes(picture.convert("L"))
        assert len(codes) == 1 and codes[0].bytes[0] & 0x80, codes
        seen.add(codes[0].bytes)
        if len(seen) == 2:
            break
    assert len(seen) == 2, "the picture does not move"


def browse(page, *words, scheme="light"):
    """What a browser without a window prints of a page: a file, or a URL."""
    preferred = f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}"
    url = page if isinstance(page, str) else f"file://{page}"
    run = subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", preferred, *words, url],
                         check=True, capture_output=True, text=True, timeout=120)
    return run.stdout


@contextlib.contextmanager
def served(folder=None, asked=None):
    """The address of a web server on loopback: with the files of a folder, or one that only writes down what it is asked."""
    class Handler(http.server.SimpleHTTPRequestHandler):
        def do_GET(self):
            if asked is None:
                return super().do_GET()
            asked.append(self.path)
            return self.send_error(404)

        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@law
def hostile_names_stay_text_in_a_browser(world):
    """Names of a chain, a node and a title that try to leave their attribute or text, with combining marks behind their quotes."""
    asked = []
    with served(asked=asked) as listener:
        evil = [
            f'"\u0301 style="background:url({listener}/style)" x="', f'">\u0301<img src="{listener}/img" onerror="document.title=1">',
            "'\u0338><script>document.title='taken'</script>", f'</title><link rel=stylesheet href="{listener}/css">',
            '&quot;"\u20dd onload="document.title=2" "', f'<\u0338svg onload="fetch(\'{listener}/svg\')">',
        ]
        world.hot("fetch", world.node(), "--title", evil[0])
        world.only_heliotest()
        portal = world.folder / "portal"
        allowed = None
        # First names without a trick: what they put on the page is what tricks may put there.
        for text in ["plain", *evil]:
            for field in ("title", "unit", "path_id", "logo"):
                world.hot("specs", "set", "heliotest", field, text)
            world.hot("portal", portal, "--title", text)
            rendered = browse(portal / "index.html", "--dump-dom", "--virtual-time-budget=1500")
            names = Page(rendered).names
            allowed = allowed or names
            assert names == allowed, names ^ allowed
            assert "<title>taken" not in rendered and "<title>1" not in rendered and "<title>2" not in rendered
        world.hot("specs", "set", "heliotest", "title", " ".join(evil))
        world.hot("portal", portal, "--title", " ".join(evil))
        shot = os.environ.get("HELIOGRAPH_SCREENSHOT", world.folder / "shot.png")
        browse(portal / "index.html", "--window-size=900,1400", f"--screenshot={shot}")
        assert not asked, asked
        # If escaping ever failed, the policy of the page still runs and loads nothing. Without the policy the same page does.
        page = (portal / "index.html").read_text()
        broken = page.replace("<main>", f'<main><img src="{listener}/img"><p style="background:url({listener}/style)">x</p>'
                              f'<link rel="stylesheet" href="{listener}/css"><style>p {{ background: url({listener}/sheet) }}</style>'
                              f'<script>document.title="taken"; fetch("{listener}/script")</script>'
                              '<img src="data:image/png;base64,AAAA" onerror="document.title=\'taken\'">')
        (portal / "broken.html").write_text(broken)
        assert "<title>taken" not in browse(portal / "broken.html", "--dump-dom", "--virtual-time-budget=1500")
        assert not asked, asked
        policy = re.search(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n', broken)
        (portal / "open.html").write_text(broken.replace(policy[0], ""))
        assert "<title>taken" in browse(portal / "open.html", "--dump-dom", "--virtual-time-budget=1500")
        assert {"/img", "/css", "/style"} <= set(asked), asked
        # The policy names the sheet that the page has.
        [sheet] = re.findall("<style>(.*?)</style>", page, re.DOTALL)
        assert f"'sha256-{base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()}'" in policy[0]


# What a person sees of a portal that nobody has opened a picture of: in a frame of the given width, by a script of the page around it.
SIGHT = pathlib.Path(__file__).with_name("sight.html").read_text()


def sight(portal, width, dark):
    """What a browser shows of a portal at a width in pixels, in light or dark mode."""
    (portal / "sight.html").write_text(SIGHT.replace("WIDTH", str(width)))
    with served(portal) as url:
        document = browse(f"{url}/sight.html", "--dump-dom", "--virtual-time-budget=5000", scheme="dark" if dark else "light")
    seen = json.loads(base64.b64decode(re.search('<pre id="seen">([^<]+)</pre>', document)[1]))
    assert seen["width"] == width and seen["dark"] == dark, seen
    return seen


def contrast(one, other):
    """The contrast of two colours as WCAG 2.1 defines it, 1 to 21. Text needs 4.5."""
    def luminance(text):
        parts = [int(part) / 255 for part in re.findall(r"\d+", text)[:3]]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@law
def a_portal_names_the_signer_before_anything_is_opened(world):
    world.hot("fetch", world.node())
    world.only_heliotest()
    key, portal = f"sr25519:0x{VERIFIER.public_key.hex()}", world.folder / "portal"
    short = f"sr25519 0x{VERIFIER.public_key.hex()[:8]}…{VERIFIER.public_key.hex()[-8:]}"
    def marks():
        world.hot("portal", portal)
        seen = sight(portal, 360, dark=False)
        # The pictures are closed, so the list is all that is seen.
        assert seen["hidden"] == 0 and len(seen["marks"]) == 3, seen
        return [" ".join(mark.split()) for mark in seen["marks"]]
    assert all(mark.endswith("unsigned") for mark in marks())
    publish(world, ["add-specs", "heliotest"], "signed.bin")
    first, *others = marks()
    assert first.endswith(f"signed by {short}") and "unsigned" not in first, first
    assert all(mark.endswith("unsigned") for mark in others), others
    # The label is text, and the key stands beside it: a label proves nothing.
    for label, text in (("Alice & <b>co</b>", "Alice & <b>co</b>"), ('"\u0301 onload="x', '"\\u{301} onload="x'), ("unsigned", "unsigned")):
        world.hot("verifier", "label", key, label)
        assert marks()[0].endswith(f"signed by {text}, {short}"), marks()
    world.hot("verifier", "label", key)
    assert marks()[0].endswith(f"signed by {short}")


@law
def a_portal_is_readable_on_a_phone_and_in_the_dark(world):
    long = "A network with a name that is long, and aSingleWordThatIsLongerThanAnyLineOfAPhone" + "x" * 46
    world.hot("fetch", world.node(), "--title", long)
    publish(world, ["add-specs", "heliotest"], "signed.bin")
    world.hot("verifier", "label", f"sr25519:{VERIFIER.public_key.hex()}", "W" * 64)
    portal = world.folder / "portal"
    world.hot("portal", portal, "--title", "x" * 200)
    for width in (320, 412, 1280):
        for dark in (False, True):
            seen = sight(portal, width, dark)
            assert seen["scrolled"] <= width, f"{width} pixels: the page is {seen['scrolled']} wide"
            assert len(seen["texts"]) > 20
            for tag, name, size, color, left, right in seen["texts"]:
                told = f"{width} pixels, {'dark' if dark else 'light'}: {tag} {name}"
                assert left >= 0 and right <= width and size >= 14, f"{told}: from {left} to {right}, {size} pixels high"
                assert contrast(color, seen["canvas"]) >= 4.5, f"{told}: {color} on {seen['canvas']}"
    # A code is dark on white in dark mode too.
    page = (portal / "index.html").read_text()
    start = page.index("<details")
    (portal / "open.html").write_text(page[:start] + "<details open" + page[start + len("<details"):])
    shot = pathlib.Path(os.environ.get("HELIOGRAPH_SCREENSHOT_DARK", world.folder / "dark.png"))
    browse(portal / "open.html", "--window-size=500,2600", "--force-device-scale-factor=2", f"--screenshot={shot}", scheme="dark")
    with Image.open(shot) as picture:
        assert picture.convert("L").getpixel((2, 2)) < 64, "the page is not dark"
        [code] = zxingcpp.read_barcodes(picture.convert("L"), try_invert=False)
    assert code.bytes == (world.folder / "signed.bin").read_bytes()
