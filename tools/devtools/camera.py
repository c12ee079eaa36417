"""Drives the real programs with a stand-in camera: a preloaded library (tools/peers/fake-camera.c) answers for the kernel's driver.

The requests, the sandbox, the broker and its workers are the real ones; only the hardware and its driver are not. Shown are: codes from raw and from
JPEG pictures, from a camera without buffers, and while a payload comes frame by frame; every refusal with its code; a driver that lies about
indices, lengths and sizes, that says "not yet" thousands of times, and that goes away; and what a person sees on a terminal.
"""
import errno
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import termios
import time

import numpy as np
from mnemonic import Mnemonic

from .common import ALICE, WESTEND, Tally, binaries_option, side_by_side
from .offline import OTHERS, PHRASE, Signer
from .stand_in_camera import environment, events, frames, library, mjpeg, record, seen, yuyv
from .terminals import AtTerminal

MESSAGE = "530103" + (ALICE + b"<Bytes>a message</Bytes>").hex() + WESTEND
SMALL = (640, 480)


class Checks(Tally):
    """Runs the programs and counts what holds."""

    def __init__(self, folder, scratch):
        super().__init__()
        self.folder, self.scratch = folder, scratch
        self.library = library(scratch)
        self.device = scratch / "video0"

    def environment(self, formats="YUYV:640x480", **answers):
        return environment(self.library, self.device, formats, **answers)

    def scan(self, stream, *words, program="heliograph-scanner", formats="YUYV:640x480", **answers):
        """Runs a program with a recorded stream. Returns the process; its output is text."""
        self.device.write_bytes(stream)
        words = words or ("--camera", self.device)
        return subprocess.run([self.folder / program, *words], env=self.environment(formats, **answers), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120)

    def inspect(self, stream, **answers):
        done = self.scan(stream, "inspect", "--camera", self.device, "--json", "--vault", self.scratch / "vault", program="heliograph", **answers)
        return done, json.loads(done.stdout)


def readings(checks):
    """Codes come out of every kind of picture."""
    codes = [bytes([9, i]) * 20 for i in range(4)]
    grey = [seen(code, SMALL, i) for i, code in enumerate([None, *codes])]
    raw, expected = b"".join(record(yuyv(g)) for g in grey), [code.hex() for code in codes]
    for name, stream, answers in [
        ("YUYV", raw, {}),
        ("MJPEG", b"".join(record(mjpeg(g)) for g in grey), {"formats": "MJPG:640x480"}),
        ("MJPEG without Huffman tables", b"".join(record(mjpeg(g, tables=False)) for g in grey), {"formats": "MJPG:640x480"}),
        ("plain reads", raw, {"caps": 0x01000001}),
        ("one buffer", raw, {"count": 1}),
        ("an endless wait between pictures", raw, {"storm": 40}),
    ]:
        done = checks.scan(stream, **answers)
        # The newest pictures are kept: of a camera that is faster than the workers some are lost.
        found = done.stdout.split()
        checks.check(name, found and set(found) <= set(expected) and "unplugged" in done.stderr, done.stdout + done.stderr)
        checks.check(f"{name}: the camera is named", "camera: " in done.stderr and "Fake (640 x 480" in done.stderr, done.stderr)


def refusals(checks):
    """Every refusal has its own code, exit status and hint."""
    for name, code, status, answers in [
        ("may not open", "camera-not-permitted", 77, {"open": errno.EACCES}),
        ("busy", "camera-busy", 74, {"s_fmt": errno.EBUSY}),
        ("busy when it starts", "camera-busy", 74, {"streamon": errno.EBUSY}),
        ("goes away before it starts", "camera-unplugged", 74, {"streamon": errno.ENODEV}),
        ("no format", "camera-format", 74, {"formats": "NV12:640x480"}),
        ("takes no pictures", "not-a-camera", 74, {"caps": 0x04a00000}),
        ("a buffer of 2 GiB", "camera-driver", 74, {"length": 1 << 31}),
        ("a buffer of 0 bytes", "camera-driver", 74, {"length": 0}),
        ("no buffers", "camera-driver", 74, {"count": 0}),
        ("4 billion buffers", "camera-driver", 74, {"count": 0xFFFFFFFF}),
        ("pictures of 0 bytes", "camera-driver", 74, {"sizeimage": 0}),
        ("pictures 2^31 wide", "camera-driver", 74, {"width": 1 << 31}),
    ]:
        done, document = checks.inspect(record(b""), **answers)
        error = document["error"] or {}
        checks.check(name, (error.get("code"), done.returncode) == (code, status) and error.get("hint"), f"{done.returncode} {error}")
    for path in ["/dev/null", "/dev/video-none"]:
        done = checks.scan(b"", "inspect", "--camera", path, "--json", "--vault", checks.scratch / "vault", program="heliograph")
        code = json.loads(done.stdout)["error"]["code"]
        checks.check(path, code == ("not-a-camera" if path == "/dev/null" else "camera-missing"), code)


def lies(checks):
    """A driver that lies while it streams loses the camera, and nothing else happens."""
    good = yuyv(seen(b"x" * 40, SMALL))
    length = 2 * SMALL[0] * SMALL[1]
    contradictory, refused = "the camera's driver gave contradictory answers", "the camera's driver refused a request"
    for name, words, stream in [
        ("an index behind the last buffer", contradictory, record(good, index=4)),
        ("an index of 2^31", contradictory, record(good, index=1 << 31)),
        ("more bytes than the buffer", contradictory, record(good, used=length + 1)),
        ("4 billion bytes", contradictory, record(good, used=0xFFFFFFFE)),
        ("the same buffer twice", refused, record(good, index=0) + record(good, index=0)),
        ("unplugged in the middle", "the camera was unplugged", record(b"", error=errno.ENODEV)),
        ("a broken link", refused, record(b"", error=errno.EIO)),
    ]:
        done, document = checks.inspect(stream)
        checks.check(name, document["error"] and words in done.stderr, done.stdout + done.stderr)
    short = b"".join(record(good, used=used) for used in (0, 1, length - 1)) + record(good, flags=0x40)
    done = checks.scan(short + record(good))
    checks.check("short and damaged pictures are passed over", done.stdout.split() == [(b"x" * 40).hex()], done.stdout + done.stderr)
    rng = np.random.default_rng(1)
    noise = [record(rng.bytes(n)) for n in (1, 100, 60_000)] + [record(b"\xff\xd8\xff" + rng.bytes(5000)), record(mjpeg(seen(b"x", SMALL))[:3000])]
    done = checks.scan(b"".join(noise) + record(mjpeg(seen(b"y" * 40, SMALL))) * 3, formats="MJPG:640x480")
    checks.check("noise for a JPEG is one bad picture", (b"y" * 40).hex() in done.stdout, done.stdout + done.stderr)


def storm(checks):
    """A camera that is always readable and never has a picture is given up after ten seconds, at little cost."""
    start = os.times()
    done, document = checks.inspect(record(b""), storm=1 << 30)
    end = os.times()
    used = end.children_user + end.children_system - start.children_user - start.children_system
    checks.check("a storm of EAGAIN", document["error"]["code"] == "camera-silent" and used < 1 and 9 < end.elapsed - start.elapsed < 20,
                 f"{document['error']} {used:.1f} s")


def pace(checks):
    """A camera that is slow is not given up while it sends pictures, and of one that is too fast only the newest ones are kept."""
    words = [checks.folder / "heliograph-scanner", "--camera", checks.device]
    checks.device.write_bytes(record(yuyv(seen(b"fast" * 9, SMALL))))
    start = time.monotonic()
    fast = subprocess.Popen([*words, "--events", "--previews"], env=checks.environment(repeat=1500), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE)
    tags = list(events(fast.stdout.read()))
    usage = os.wait4(fast.pid, 0)[2]
    fast.returncode = 0
    fast.stdout.close()
    most = 5 * (time.monotonic() - start) + 1
    checks.check("five previews a second", 0 < tags.count("v") <= most and tags.count("p") > 1, f"{tags.count('v')} of {most:.1f}, {tags.count('p')}")
    checks.check("the memory of a camera that is too fast", usage.ru_maxrss < 150_000, f"{usage.ru_maxrss} kB")
    checks.device.unlink()
    os.mkfifo(checks.device)
    with subprocess.Popen(words, env=checks.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as slow:
        writing = os.open(checks.device, os.O_RDWR)
        for index in range(7):
            feed(writing, record(yuyv(seen(b"last" * 9 if index == 6 else None, SMALL, index))))
            time.sleep(2)
        out, err = slow.communicate(timeout=60)
        os.close(writing)
    checks.check("a slow camera", out.strip() == (b"last" * 9).hex() and "sent no picture for 10 s" in err, out + err)
    checks.device.unlink()


def whole_job(checks):
    """A payload in frames comes through the camera, and the log of progress says what is missing."""
    stream = b"".join(record(yuyv(seen(part, SMALL, i))) for i, part in enumerate(frames(bytes.fromhex(MESSAGE), 5)))
    done, document = checks.inspect(stream, repeat=200)
    transport = document["transport"] or {}
    checks.check("a payload of five frames", done.returncode == 0 and document["payload"]["kind"] and transport["needed"] == 5, done.stdout + done.stderr)
    checks.check("a line of progress without a terminal", re.search(r"frames \d of 5, \d missing|no frames yet", done.stderr), done.stderr)
    part = b"".join(record(yuyv(seen(part, SMALL, i))) for i, part in enumerate(frames(bytes.fromhex(MESSAGE), 5)[:3]))
    done, document = checks.inspect(part, repeat=20)
    checks.check("an unplugged camera leaves what was read", document["error"] and document["transport"]["frames"] == 3 and "unplugged" in done.stderr,
                 done.stdout + done.stderr)
    done = checks.scan(b"", "camera", "list", "--json", program="heliograph")
    checks.check("camera list", done.returncode == 0 and json.loads(done.stdout)["cameras"] == [], done.stdout + done.stderr)
    done = checks.scan(b"", "--cameras", checks.device, "/dev/null", card="Two\tWords\x1b[2J")
    checks.check("a list of cameras", "Two" in done.stdout and "\x1b" not in done.stdout and "not a video device" in done.stderr, done.stdout + done.stderr)


def large_pictures(checks):
    """A video of 40 kilobytes on the disk, the rest holes, whose frames have a hundred megabytes each."""
    video, width, height = checks.scratch / "large.y4m", 10_000, 5_000
    with open(video, "wb") as file:
        file.write(b"YUV4MPEG2 W%d H%d F25:1 Cmono16\n" % (width, height))
        for number in range(4):
            file.write(b"FRAME\n" + bytes([number]))
            file.seek(2 * width * height - 2, os.SEEK_CUR)
            file.write(b"\1")
    scanner = subprocess.Popen([checks.folder / "heliograph-scanner", video], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Of the scanner and its workers the largest: the broker had 479 MB when it read frames ahead.
    peak = os.wait4(scanner.pid, 0)[2].ru_maxrss
    scanner.returncode = 0
    checks.check("the memory of a video of large pictures", peak < 300_000, f"{peak} kB")


def groups(checks):
    """The commands of a group take its messages from the camera, one after another, and pass over everything else."""
    people = {name: Signer(checks.folder, checks.scratch / name).make() for name in ("ada", *OTHERS)}

    def message(name):
        return bytes.fromhex((checks.scratch / f"{name}.hex").read_text().strip())

    def show(*messages):
        """What the camera sees: an empty desk, a picture of something else, and the messages, each in the one code that it fits in."""
        return b"".join(record(yuyv(seen(part, SMALL, i))) for i, part in enumerate([None, b"https://example.org", *messages]))

    def take(stream, *words, typed=None):
        checks.device.write_bytes(stream)
        run = subprocess.run([checks.folder / "heliograph", "group", *words, "--camera", checks.device], env=checks.environment(repeat=200), input=typed,
                             capture_output=True, text=True, timeout=120)
        return run.returncode, run.stderr + run.stdout

    def all_of(kind):
        return [message(f"{kind}-{name}") for name in people]

    for name, signer in people.items():
        signer.must("seed", "restore", "main", phrase=OTHERS.get(name, PHRASE))
        signer.must("group", "card", "main", "--name", name, "--out", checks.scratch / f"card-{name}.hex")
    cards = all_of("card")
    code, text = take(show(*cards), "new", "--threshold", "2", "--label", "table", "--members", "3", "--out", checks.scratch / "proposal.hex")
    checks.check("cards become a proposal", code == 0 and "3 of 3" in text and "link to a web page" in text, text)
    given = [checks.scratch / "proposal.hex"]
    for kind, result in (("contribution", "bundle"), ("confirmation", "record")):
        for name, signer in people.items():
            signer.must("scan", "--hex", f"@{given[-1]}", "--approve", "--out", checks.scratch / f"{kind}-{name}.hex")
        code, text = take(show(*all_of(kind)), "collect", *given, "--out", checks.scratch / f"{result}.hex")
        checks.check(f"answers become the {result}", code == 0 and f"{kind}s: 3 of 3" in text, text)
        given.append(checks.scratch / f"{result}.hex")
    # A machine that lost the group films the record on the screen of another member.
    lost = Signer(checks.folder, checks.scratch / "lost").make()
    lost.must("seed", "restore", "main", phrase=PHRASE)
    code, text = take(show(message("record")), "restore", "main", "--approve", "--vault", lost.vault, "--passphrase-fd", "0", typed=lost.passphrase + "\n")
    checks.check("a record restores its group", code == 0 and "restored the group table" in text, text)
    address = people["ada"].must("key", "derive", "main", "//old", "--network", "westend").split()[-1]
    code, text = take(show(*cards), "deal", address, "--threshold", "2", "--members", "3", "--approve", "--out", checks.scratch / "dealt.hex", "--contribution",
                      checks.scratch / "dealing.hex", "--vault", people["ada"].vault, "--passphrase-fd", "0", typed=people["ada"].passphrase + "\n")
    checks.check("a key is dealt to the cards that are shown", code == 0 and message("dealt") and message("dealing"), text)


def noise(checks):
    """The noise in raw frames goes into a seed; a camera without any is named, and one that is none ends the command."""
    signer = Signer(checks.folder, checks.scratch / "vault")

    def new(name, stream, *device, **answers):
        checks.device.write_bytes(stream)
        done = subprocess.run([checks.folder / "heliograph", "seed", "new", name, "--camera", *(device or [checks.device]), "--vault", signer.vault,
                               "--passphrase-fd", "0"], env=checks.environment(**answers), input=signer.passphrase + "\n", capture_output=True, text=True,
                              timeout=120)
        return done.returncode, done.stderr

    grey = [seen(None, SMALL, i) for i in range(20)]
    flat = [np.full((SMALL[1], SMALL[0]), 16, np.uint8) for _ in range(20)]
    for i, picture in enumerate(flat):
        picture[0, :20] = i
    raw, short = b"".join(record(yuyv(g)) for g in grey), b"".join(record(yuyv(g)) for g in grey[:5])
    for name, stream, said, answers in [
        ("YUYV", raw, "camera 16 frames", {}),
        ("both formats", raw, "camera 16 frames", {"formats": "YUYV:640x480,MJPG:1280x720"}),
        ("MJPEG", b"".join(record(mjpeg(g)) for g in grey), "camera 16 frames", {"formats": "MJPG:640x480"}),
        ("a still", record(yuyv(grey[0])) * 20, "the source camera is left out: it failed its test, two frames are the same", {}),
        ("a loop", short * 4, "the source camera is left out: it failed its test, two frames are the same", {}),
        ("a covered lens", b"".join(record(yuyv(g)) for g in flat), "the source camera is left out: it failed its test, its frames hardly differ", {}),
        ("five frames", short, "the source camera is left out: the camera sent too few frames", {}),
    ]:
        code, text = new(f"seed {name}", stream, **answers)
        checks.check(f"noise: {name}", code == 0 and said in text and ("camera 16" in text) == ("left out" not in text.replace("processor", "")),
                     f"{code} {text}")
    for name, device, error, status in [("no camera", "/dev/null", "not a video device", 74), ("nothing", "/dev/video-none", "no such camera", 74)]:
        code, text = new(f"seed {name}", raw, device)
        checks.check(f"noise: {name}", code == status and error in text, f"{code} {text}")
    names = json.loads(signer.must("seed", "list", "--json"))["seeds"]
    checks.check("noise: seven seeds", len(names) == 7, names)


def unstored(checks):
    """The SeedQR of a phrase that no vault keeps, shown to the camera, signs once; the code of another phrase signs nothing."""
    signer = Signer(checks.folder, checks.scratch / "vault")
    words = Mnemonic("english")

    def sign(name, *codes):
        checks.device.write_bytes(b"".join(record(yuyv(seen(code, SMALL, i))) for i, code in enumerate([None, *codes])))
        answer = checks.scratch / f"{name}.hex"
        done = subprocess.run([checks.folder / "heliograph", "scan", "--hex", MESSAGE, "--seed-from", "camera", "--seed-path", "//Alice", "--camera",
                               checks.device, "--approve", "--out", answer, "--vault", signer.vault, "--passphrase-fd", "0"],
                              env=checks.environment(repeat=100), input=signer.passphrase + "\n", capture_output=True, text=True, timeout=120)
        return done.returncode, answer.exists(), done.stderr + done.stdout

    entropy = bytes(words.to_entropy(PHRASE))
    digits = "".join(f"{words.wordlist.index(word):04d}" for word in PHRASE.split()).encode()
    for name, code in [("CompactSeedQR", entropy), ("SeedQR", digits)]:
        status, is_written, text = sign(name, code)
        # The payload came in hex: nobody looks for another one in front of the camera, and the phrase's code is taken for none.
        checks.check(f"unstored: {name}", status == 0 and is_written and "not stored here: //Alice" in text and "the code of a seed" not in text, text)
    status, is_written, text = sign("other", bytes(words.to_entropy(OTHERS["ben"])))
    checks.check("unstored: another phrase", status == 1 and not is_written and "the phrase does not give the signer" in text, text)
    seeds = json.loads(signer.must("seed", "list", "--json"))["seeds"]
    kept = b"".join(file.read_bytes() for file in signer.vault.rglob("*") if file.is_file())
    checks.check("unstored: nothing is kept", not seeds and entropy not in kept and digits not in kept and b"bottom drive" not in kept, seeds)


def memory(checks):
    """A worker that starts while the camera runs has neither its memory nor its descriptor."""
    checks.device.unlink(missing_ok=True)
    os.mkfifo(checks.device)
    with subprocess.Popen([checks.folder / "heliograph-scanner", "--camera", checks.device], env=checks.environment(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as scanner:
        writing = os.open(checks.device, os.O_RDWR)
        os.write(writing, b"")
        children = pathlib.Path(f"/proc/{scanner.pid}/task/{scanner.pid}/children")
        feed(writing, record(yuyv(seen(b"first" * 9, SMALL))))
        first = scanner.stdout.readline()
        mapped = "/dev/zero" in pathlib.Path(f"/proc/{scanner.pid}/maps").read_text()
        before = children.read_text().split()
        for worker in before:
            os.kill(int(worker), signal.SIGKILL)
        feed(writing, record(yuyv(seen(b"second" * 9, SMALL))))
        second = scanner.stdout.readline()
        after = [worker for worker in children.read_text().split() if worker not in before]
        maps = "".join(pathlib.Path(f"/proc/{worker}/maps").read_text() for worker in after)
        held = [os.readlink(link) for worker in after for link in pathlib.Path(f"/proc/{worker}/fd").iterdir()]
        checks.check("later workers", after and mapped and "/dev/zero" not in maps and not any("video0" in name for name in held),
                     f"{mapped} {after} {first} {second} {held}")
        scanner.kill()
        os.close(writing)
    checks.device.unlink()


def feed(writing, data):
    """Writes a record as the pipe takes it."""
    while data:
        data = data[os.write(writing, data[:65536]):]


class Shown(AtTerminal):
    """heliograph at a terminal, with a camera whose pictures are written while it runs."""

    def __init__(self, checks, *words, term="xterm-256color"):
        checks.device.unlink(missing_ok=True)
        os.mkfifo(checks.device)
        values = {name: value for name, value in checks.environment().items() if name != "NO_COLOR"}
        super().__init__([checks.folder / "heliograph", *words], (80, 24), env={**values, "TERM": term})
        self.writing = os.open(checks.device, os.O_RDWR)

    def stop(self):
        self.settle(3)
        os.close(self.writing)
        code = self.end(3)
        self.close()
        return code


def terminals(checks):
    """The picture is drawn in every style, any key stops, and the mode of the terminal comes back."""
    vault = checks.scratch / "vault"
    words = ["inspect", "--camera", checks.device, "--vault", vault]
    parts = [yuyv(seen(part, SMALL, i)) for i, part in enumerate(frames(bytes.fromhex(MESSAGE), 5))]
    for term, mark in [("xterm-256color", "\u2580"), ("linux", "\u2592"), ("xterm-kitty", "\x1b_Ga=T"), ("foot", "\x1bP0;1q")]:
        shown = Shown(checks, *words, term=term)
        found = shown.shows("any key stops")
        feed(shown.writing, record(parts[0]))
        drawn = shown.shows(mark) and shown.shows("frames 1 of 5, 4 missing")
        mode = shown.flags
        shown.press("q")
        code = shown.stop()
        checks.check(f"a picture on {term}, and a key that stops", found and drawn and not mode & termios.ICANON and code == 130,
                     f"{found} {drawn} {code} {shown.text[-300:]!r}")
    shown = Shown(checks, *words)
    shown.shows("any key stops")
    for part in parts:
        feed(shown.writing, record(part))
        time.sleep(0.3)
    complete = shown.shows("a message")
    code = shown.stop()
    checks.check("the picture goes when the payload is complete", complete and code == 0 and "A\x1b[J" in shown.text, f"{code} {shown.text[-500:]!r}")
    shown = Shown(checks, *words, term="dumb")
    shown.shows("any key stops")
    feed(shown.writing, record(parts[0]))
    plain = shown.shows("frames 1 of 5")
    shown.press("\x03")
    code = shown.stop()
    checks.check("no picture on a dumb terminal, and Ctrl-C", plain and code == 130 and "\u2580" not in shown.text, f"{code} {shown.text!r}")


configure = binaries_option


def result(folder, part):
    """How many checks of a part pass, and how many fail; it has a camera and a vault of its own."""
    with tempfile.TemporaryDirectory() as name:
        checks = Checks(folder, pathlib.Path(name))
        Signer(checks.folder, checks.scratch / "vault").make()
        part(checks)
        return checks.passed, len(checks.failures)


def run(options):
    # The longest first.
    parts = [pace, storm, groups, terminals, large_pictures, lies, readings, refusals, whole_job, noise, unstored, memory]
    passed, failed = map(sum, zip(*side_by_side(functools.partial(result, options.binaries), parts)))
    print(f"camera: {passed} checks with a stand-in camera, {failed} failed")
    return 1 if failed else 0
