"""Puts broken random sources in the kernel's place and makes seeds with them.

A library that is loaded before the program answers its calls of `getrandom`: with one byte, with a counter, with 32 bytes again and again, with bytes of which
one in four is 7, or with a generator whose seed is always the same. In two fresh vaults the words of a new seed must differ in each case. The first four must
be named and left out, and then nothing is made without a typed word; no test finds the fifth, which `self-test` finds by comparing two processes.
The next start after each, and after `init`, is refused, because it begins with the same bytes.

A pseudo-terminal then stands in for a TPM: its bytes are a source, a constant one is named and left out, and so is what answers otherwise or is no device.
"""
import os
import pathlib
import pty
import subprocess
import tempfile
import threading
import tty

from .common import binaries_option
from .conformance import generator
from .offline import Signer

SHIM = r"""
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static uint64_t place, state = 42;

static uint64_t mixed(void) {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

ssize_t getrandom(void *out, size_t count, unsigned flags) {
    static const unsigned char block[] = "f3A9kQ0xZr7LmW2vTy8Pn5Jd1Hs6Gb4C";
    const char *kind = getenv("WEAK_RANDOM");
    (void)flags;
    for (size_t i = 0; i < count; i++, place++) {
        unsigned char byte = mixed();
        if (!strcmp(kind, "constant")) byte = 9;
        if (!strcmp(kind, "counting")) byte = place;
        if (!strcmp(kind, "repeated")) byte = block[place % 32] ^ (place % 2 ? 0x80 : 0);
        if (!strcmp(kind, "biased") && place % 4 == 0) byte = 7;
        ((unsigned char *)out)[i] = byte;
    }
    return count;
}
"""
# What the note about the kernel's source must say; nothing where no test can find it.
KINDS = {"constant": "in a row", "counting": "count in equal steps", "repeated": "same bytes twice", "biased": "in 512 bytes", "seeded": ""}
WORD = "trust these sources"

configure = binaries_option


def require(holds, text):
    if not holds:
        raise SystemExit(f"FAIL {text}")


def words(binaries, folder, kind, found):
    """The words of a new seed in a fresh vault."""
    broken = os.environ["LD_PRELOAD"]

    def fresh(name, preload=""):
        os.environ["LD_PRELOAD"] = preload
        try:
            return Signer(binaries, folder.with_name(name)).make("--verifier", "none", "--networks", "none")
        finally:
            os.environ["LD_PRELOAD"] = broken
    code, _, err = fresh(f"{folder.name}-made", broken).run("seed", "new", "main")
    require(code == 77 and "the same bytes as when the program started last" in err, f"{kind}: the start after init is not refused: {err}")
    # The others are made with the kernel's own bytes and unlocked once: a second start begins with the same ones.
    if found:
        code, _, err = fresh(f"{folder.name}-refused").run("seed", "new", "main")
        require(code == 1 and "too few sources" in err, f"{kind}: a seed is made without a word, or refused for another reason: {err}")
    signer = fresh(folder.name)
    code, _, err = signer.run("seed", "new", "main", *(["--word", WORD] if found else []))
    require(code == 0, f"{kind}: no seed is made: {err}")
    named = "the source kernel is left out" in err
    require(named == bool(found) and found in err, f"{kind}: the kernel's source is {'not ' * (not named)}named: {err}")
    require(("kernel 64 bytes" in err) != named and "jitter 64 bytes" in err, f"{kind}: other sources than these are good: {err}")
    code, out, err = signer.run("seed", "show", "main")
    require(code == 77 and not out and "the same bytes as when the program started last" in err, f"{kind}: the second start is not refused: {err}")
    os.environ.pop("LD_PRELOAD")
    shown = signer.must("seed", "show", "main").strip()
    os.environ["LD_PRELOAD"] = broken
    return shown


def answered(device, draw):
    """Answers TPM2_GetRandom on the other end of a terminal until it is closed."""
    while True:
        try:
            command = os.read(device, 64)
        except OSError:
            return
        require(command[:10] == bytes.fromhex("80010000000c0000017b") and len(command) == 12, f"another command: {command.hex()}")
        data = draw(command[11])
        os.write(device, b"\x80\x01" + (12 + len(data)).to_bytes(4, "big") + bytes(4) + len(data).to_bytes(2, "big") + data)


def stand_in_tpms(binaries, place):
    numbers = generator(None)
    signer = Signer(binaries, place / "tpm").make("--verifier", "none", "--networks", "none")
    for name, draw, said in (("good", numbers.randbytes, "tpm 32 bytes"),
                             ("constant", bytes, "the source tpm is left out: it failed its test, one byte occurred"),
                             ("strange", lambda _: b"", "the source tpm is left out: its device does not answer as a TPM does")):
        device, other = pty.openpty()
        tty.setraw(other)
        threading.Thread(target=answered, args=(device, draw), daemon=True).start()
        code, _, err = signer.run("seed", "new", name, "--tpm", os.ttyname(other))
        require(code == 0 and said in err and ("tpm 32 bytes" in err) == (name == "good"), f"TPM {name}: {code} {err}")
        os.close(other)
    (place / "file").write_bytes(bytes(64))
    for path, said in ((place / "file", "there is no device at its path"), (place / "none", "no such file"), ("/dev/null", "does not answer as a TPM does")):
        code, _, err = signer.run("seed", "new", pathlib.Path(path).name, "--tpm", path)
        require(code == 0 and "the source tpm is left out: " in err and said in err, f"TPM {path}: {code} {err}")


def run(options):
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        (place / "shim.c").write_text(SHIM)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", place / "shim.so", place / "shim.c"], check=True)
        before = dict(os.environ)
        try:
            os.environ["LD_PRELOAD"] = str(place / "shim.so")
            for kind, found in KINDS.items():
                os.environ["WEAK_RANDOM"] = kind
                first, second = (words(options.binaries, place / f"{kind}-{name}", kind, found) for name in ("a", "b"))
                require(first != second, f"{kind}: two fresh vaults have the same words")
                tested = subprocess.run([options.binaries / "heliograph", "self-test"], capture_output=True, text=True).stdout
                require("FAILED  random source" in tested, f"{kind}: the self-test passes")
        finally:
            os.environ.clear()
            os.environ.update(before)
        tested = subprocess.run([options.binaries / "heliograph", "self-test"], capture_output=True, text=True).stdout
        require("passed  random source\n" in tested and "passed  random source of two processes" in tested, f"the self-test fails: {tested}")
    with tempfile.TemporaryDirectory() as place:
        stand_in_tpms(options.binaries, pathlib.Path(place))
    print(f"weak-random: {len(KINDS)} broken sources, ten vaults with ten different seeds, six devices in the place of a TPM")
    return 0
