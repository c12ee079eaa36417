"""The boot stick as it is sold, on a screen with a keyboard: BIOS from an empty data stick to the memory after power-off, UEFI, Secure Boot."""
import os
import re
import shutil
import subprocess
import time

from PIL import Image

from ..guides import CATALOG
from ..release.names import output
from ..release.person import Stuck
from . import build, disk, emulator, job, reader

SERIAL_END = "7F3K"
GUIDE = CATALOG / "Appliance.md"
ADDRESS = re.compile(r"\b[1-9A-HJ-NP-Za-km-z]{46,48}\b")
# Kusama, Polkadot and Westend.
FIRST_KEYS = 3
PATIENCE, SECTORS = 60, 192 * 2048
# Pixels around what a picture for the guide shows.
EDGE = 12


class Screen(emulator.Machine):
    """A machine whose screen is read as a person does."""

    def __init__(self, image, work, firmware, data, pictures):
        words, machine = ([], None) if firmware == "BIOS" else emulator.firmware(work, firmware == "Secure Boot")
        super().__init__(work, [*words, *emulator.boot_stick(image), "-vga", "std", "-nic", "none"], data, machine)
        self.work, self.pictures, self.shown, self.kept = work, pictures, [], set()

    def see(self, text, patience=PATIENCE):
        """Waits until the screen shows a text, and gives all of it."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            # What the emulator itself prints goes to the serial line.
            self.take()
            self.picture(self.work / "screen.png")
            self.shown = reader.text(self.work / "screen.png")
            if any(text in row for row in self.shown):
                return "\n".join(self.shown)
        shown = "\n".join("|" + row for row in self.shown)
        raise Stuck(f"{text!r} does not come on the screen\n{shown}")

    def key_until(self, key, text):
        """Presses a key, again where it was lost: one that comes as soon as the first screen does may be."""
        for _ in range(PATIENCE // 10):
            self.press_keys(key)
            try:
                return self.see(text, 10)
            except Stuck:
                continue
        return self.see(text)

    def keep(self, name):
        """Keeps what the screen shows, for the guide."""
        self.kept |= {row.strip() for row in self.shown}
        if self.pictures:
            with Image.open(self.work / "screen.png") as screen:
                grey = screen.convert("L")
                # Down to the last line, with room around it, and in few shades: a guide has many of them.
                left, top, right, bottom = grey.getbbox()
                cut = grey.crop((max(0, left - EDGE), max(0, top - EDGE), right + EDGE, bottom + EDGE))
                cut.quantize(8).save(self.pictures / f"{name}.png", optimize=True)

    def line(self, question, text):
        """Types a line once a question is there."""
        self.see(question)
        self.type(text + "\n")


def keyboard(screen):
    """The first screen: another key map, and a letter that it has elsewhere. `q` on the Belgian one is `a`."""
    screen.see("the keyboard is right")
    ready = time.monotonic() - screen.started
    screen.key_until("down", "be-latin1")
    screen.type("q")
    screen.see("> a")
    screen.keep("appliance-keyboard")
    screen.press_keys("backspace")
    screen.press_keys("up")
    screen.see("Key map       us")
    screen.press_keys("ret")
    return ready


def prepare(screen, data):
    """A data stick from an empty one: the boot stick is not offered, and a wrong answer changes nothing."""
    offered = screen.see("Press the number")
    screen.keep("appliance-data-stick")
    if len(re.findall(r"^\d +\w+ +\d+ MB", offered, re.M)) != 1:
        yield f"another stick than the empty one is offered:\n{offered}"
    screen.type("1")
    screen.line("last four characters", "7F3L")
    screen.see("the stick was not changed")
    if data.read_bytes()[: 1 << 20].strip(b"\0"):
        yield "a wrong serial number changes the stick"
    screen.press_keys("ret")
    screen.see("Press the number")
    screen.type("1")
    screen.see("last four characters")
    screen.keep("appliance-prepare")
    screen.type(SERIAL_END + "\n")


def first_seed(screen):
    """Vault, seed and first keys, and the words on the screen; gives the addresses."""
    screen.see("make the vault")
    screen.keep("appliance-first-start")
    screen.type("1")
    screen.line("new passphrase", job.PASSPHRASE)
    screen.line("repeat the passphrase", job.PASSPHRASE)
    screen.line("Enter: go on", "")
    screen.see("restore a seed")
    screen.keep("appliance-first-seed")
    screen.type("2")
    screen.line("passphrase", job.PASSPHRASE)
    screen.line("word 1:", job.PHRASE)
    screen.line("word 13:", "")
    screen.line("[yes/no]", "y")
    addresses = ADDRESS.findall(screen.see("Enter: go on"))
    screen.type("\n")
    screen.see("1  go on")
    screen.keep("appliance-next")
    screen.type("1")
    screen.line("heliograph (locked)", job.MISTYPED)
    screen.see("error")
    screen.line("heliograph (locked)", "seed show main")
    screen.line("[yes/no]", "yes")
    screen.line("passphrase", job.PASSPHRASE)
    screen.see("12. walk")
    return addresses


def pulled_out(screen):
    """The boot stick is not needed any more; without the data stick the vault locks, and nothing is lost."""
    screen.type(" ")
    screen.see("heliograph (unlocked)")
    screen.ask("device_del", id="boot")
    screen.type("shield\n")
    screen.see("offline")
    screen.ask("device_del", id="data")
    screen.see("pulled out: the vault is locked")
    screen.keep("appliance-pulled-out")
    screen.ask("device_add", driver="usb-storage", drive="d", id="again", serial=f"HELIOTEST{SERIAL_END}")
    screen.see("heliograph (locked)")
    screen.type("log verify\n")
    screen.line("passphrase:", job.PASSPHRASE)
    screen.see("form an unbroken chain")


def file_systems(data, work):
    """What the checkers of file systems say about a stick that was pulled out while it was mounted. A journal to be replayed is no damage."""
    output("sfdisk", "--verify", data)
    for number, (first, last) in enumerate(disk.layout(SECTORS), 1):
        part = work / "part"
        with open(data, "rb") as source:
            source.seek(first * disk.SECTOR)
            part.write_bytes(source.read((last - first + 1) * disk.SECTOR))
        words = ["fsck.fat", "-n", part] if number == 1 else ["e2fsck", "-p", part]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        if done.returncode > 1:
            yield f"{words[0]} ends with {done.returncode}: {done.stdout}{done.stderr}"


def unshown(kept):
    """Lines of the guide's screens that no screen showed."""
    for block in re.findall(r"^```text\n(.*?)^```", GUIDE.read_text(), re.M | re.S):
        yield from (f"no screen shows a line of {GUIDE.name}: {row}" for row in block.splitlines() if row.strip() not in kept)


def bios(image, work, pictures):
    """Problems of the first start, of a data stick that is pulled out, and of the memory afterwards."""
    data = work / "new.img"
    with open(data, "wb") as file:
        file.truncate(SECTORS * disk.SECTOR)
    screen, problems = Screen(image, work, "BIOS", data, pictures), []
    try:
        ready = keyboard(screen)
        problems += prepare(screen, data)
        secrets = job.secrets(first_seed(screen), [])
        found = job.cells(secrets, screen.memory(work / "memory"))
        counts = job.totals(found)
        # Addresses have left the screen by now; they are searched for once more when the machine is off.
        if len(secrets["addresses"]) != FIRST_KEYS:
            problems.append(f"{len(secrets['addresses'])} addresses were shown, not {FIRST_KEYS}")
        problems += job.unseen(counts, "mistyped", "words")
        # The console keeps what it shows in cells of 16 bits. Cells of 32 bits are there only where something asked for its characters in Unicode.
        problems += [] if found[16]["words"] else ["the words on the screen are not found in cells of 16 bits"]
        pulled_out(screen)
        # Key maps were changed before, which leave the power button as it is.
        screen.ask("system_powerdown")
        screen.off()
        after = job.count(secrets, screen.memory(work / "memory"))
        problems += [f"after power-off, memory holds {kind} {number} times" for kind, number in after.items() if number]
    finally:
        screen.close()
    problems += [*file_systems(data, work), *unshown(screen.kept)]
    return f"BIOS to the first screen {ready:.0f} s, screen console in memory {counts}, after power-off {after}", problems


def uefi(image, work, name):
    """The first screen with this firmware, and switching off by Ctrl-Alt-Del."""
    screen = Screen(image, work, name, None, None)
    try:
        screen.see("the keyboard is right")
        ready = time.monotonic() - screen.started
        screen.press_keys("ctrl", "alt", "delete")
        screen.off()
    finally:
        screen.close()
    return f"{name} {ready:.0f} s"


def changed(image, work):
    """Whether Secure Boot refuses a kernel with one changed byte."""
    other = work / "changed"
    other.mkdir()
    shutil.copy(image / build.IMAGE, other / build.IMAGE)
    kernel = bytearray((image / build.KERNEL).read_bytes())
    kernel[len(kernel) // 2] ^= 1
    (other / build.KERNEL).write_bytes(kernel)
    output("mcopy", "-o", "-i", f"{other / build.IMAGE}@@{disk.EFI_AT * disk.SECTOR}", other / build.KERNEL, "::/vmlinuz")
    try:
        uefi(other, work, "Secure Boot")
    except Stuck:
        return []
    return ["Secure Boot starts a kernel with a changed byte"]


def run(image, work, pictures, level):
    """What was measured, and problems. A second build is made at the same level of compression, in another folder."""
    told, problems = bios(image, work, pictures)
    measured = [told]
    measured += [uefi(image, work, name) for name in ("UEFI", "Secure Boot")]
    problems += changed(image, work)
    again = work / "again"
    umask = os.umask(0o077)
    build.build(again, level)
    os.umask(umask)
    if (again / build.IMAGE).read_bytes() != (image / build.IMAGE).read_bytes():
        problems.append("a second build has other bytes")
    return ", ".join(measured), problems

