"""What `tools/dev appliance test` does in emulated machines: what the closed system refuses, the main job, and the memory after it."""
import re
import time

from PIL import Image, ImageSequence

from .. import panes
from ..common import HOT, ROOT, SHIPPED, binary_folder, drawn_passphrase
from ..offline import PHRASE, Signer
from ..practice import NETWORK, Practice
from ..release.names import Refused, output
from . import build, contents, disk, emulator, font, modules
from .packages import Packages

PASSPHRASE = f"marked {drawn_passphrase(4)} 4Kq"
# A passphrase that lands where a command is expected: it is echoed, and its form is that of the real one.
MISTYPED = "lantern orbit velvet 7Hq"
PATH = "//practice"


def laws(work):
    """The tests of the first process by itself, under the sanitizers; its partition table before sfdisk, and ours before it."""
    sources = [contents.INIT / f"{name}.c" for name in ("tests", "usb", "gpt", "stick", "process", "console")]
    flags = [flag for flag in contents.C_FLAGS if "FORTIFY" not in flag and flag not in ("-O2", "-fPIE")]
    program, stick = work / "tests", work / "table"
    # A character is unsigned on arm64, and signed here.
    for kind in ("-funsigned-char", "-fsigned-char"):
        output("clang", *flags, kind, "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", *sources, "-o", program)
        said = output(program)
    sectors = 300 * 2048
    with open(stick, "wb") as file:
        file.truncate(sectors * disk.SECTOR)
    output(program, "write", stick, sectors)
    output("sfdisk", "--verify", stick)
    (drop, vault) = disk.layout(sectors)
    if (read := output(program, "read", stick).split()) != [disk.DROP, *map(str, drop), disk.VAULT, *map(str, vault)]:
        raise Refused(f"the partitions of a new stick lie elsewhere than tools/devtools/appliance/disk.py has them: {' '.join(read)}")
    disk.data_stick(stick, 300, {})
    output("sfdisk", "--verify", stick)
    if output(program, "read", stick).split() != read:
        raise Refused("the first process does not read a stick that tools/dev appliance data made")
    stick.unlink()
    return said.strip()


REFUSED = ("kernel/drivers/net/ethernet/intel/e1000/e1000.ko", "kernel/drivers/bluetooth/btusb.ko", "kernel/net/wireless/cfg80211.ko",
           "kernel/drivers/ata/ahci.ko", "kernel/drivers/nvme/host/nvme.ko", "kernel/net/bluetooth/bluetooth.ko",
           "kernel/drivers/scsi/megaraid/megaraid_sas.ko", "kernel/drivers/firewire/firewire-ohci.ko", "kernel/drivers/net/usb/usbnet.ko",
           "kernel/drivers/thunderbolt/thunderbolt.ko")
TAKEN = ("kernel/drivers/scsi/sd_mod.ko", "kernel/drivers/usb/storage/uas.ko", "kernel/fs/ext4/ext4.ko", "kernel/drivers/media/usb/uvc/uvcvideo.ko")


def asserts():
    """The build's own refusals, with what they must refuse."""
    if (found := modules.forbidden(REFUSED)) != list(REFUSED) or modules.forbidden(TAKEN):
        raise Refused(f"of the forbidden modules only these are refused: {', '.join(found)}")
    # A font of the same package that has no half blocks, so that QR codes would be rubbish.
    file = Packages().file("console-setup-linux", f"{font.FOLDER}/Uni2-Terminus16.psf.gz")
    if not any("U+2580" in sentence for sentence in font.lacking(font.Font(file.read_bytes()))):
        raise Refused("a font without half blocks would be taken")


def probed(image, work, epoch):
    """What root and the user can do once the system is closed, as sentences about what differs. Five network cards are plugged in."""
    packages = Packages()
    overlay = contents.Archive(epoch)
    contents.compile_init(work / "probe", without=("tests.c", "session.c"))
    overlay.file("init", (work / "probe").read_bytes(), 0o755)
    overlay.folder("probe")
    folder, _ = modules.closure(packages.kernel)
    overlay.file("probe/e1000.ko", (folder / "kernel/drivers/net/ethernet/intel/e1000/e1000.ko").read_bytes())
    (work / "probed.img").write_bytes((image / build.INITRAMFS).read_bytes() + overlay.packed())
    disk.data_stick(work / "probed-data.img", 160, {})
    line = f"console=ttyS0 {emulator.command_line()}"
    machine = emulator.Machine(work, [*emulator.direct(image, line, *emulator.CARDS, initramfs=work / "probed.img")], work / "probed-data.img")
    # Everything that is printed, also what has left the screen.
    machine.screen = panes.Terminal(emulator.COLUMNS, 400)
    machine.stream = panes.Stream(machine.screen)
    try:
        machine.wait("probe waits for the power button")
        machine.ask("system_powerdown")
        machine.wait("probe end")
        shown = "\n".join(machine.rows())
        machine.off()
    finally:
        machine.close()
    refused = "Operation not permitted"
    wanted = {
        "interfaces": "lo", "interfaces again": "lo", "module that is there": "done", "module by file": refused, "module by memory": refused,
        "loading switched on": "Invalid argument", "other kernel": refused, "memory as file": refused, "file at the root": "Read-only file system",
        "sysfs written": "Read-only file system",
        "runtime folder": "0700", "private folder": "0700", "core": "|/bin/false", "data stick": "mounted", "self-test ends": "0",
        "power button": "switches off",
    }
    found = dict(re.findall(r"^probe ([\w -]+): ?(.*)$", shown, re.M))
    for name, answer in wanted.items():
        if found.get(name) != answer:
            yield f"{name}: {found.get(name)}, not {answer}"
    # QEMU's own devices: 0627:0001 a keyboard, 46f4:0001 a stick, 0525:a4a2 a network adapter. No keyboard speaks once the person's is confirmed.
    for name, answer in {"usb at first": {"0627:0001=0", "46f4:0001=0", "0525:a4a2=0"}, "usb later": {"0627:0001=0", "46f4:0001=1", "0525:a4a2=0"}}.items():
        if set(found.get(name, "").split()) != answer:
            yield f"{name}: {found.get(name)}, not {' '.join(sorted(answer))}"
    if "sda" not in found.get("disks", "").split():
        yield f"the data stick is not there: {found.get('disks')}"
    if re.search(r"^(failed|module |setting )", shown, re.M) or "passed  system call filter" not in shown:
        yield f"a self-test, a module or a setting failed:\n{shown}"


def secrets(addresses, networks):
    """Kind → texts that must not be found in memory.

    Single words of the phrase are in the program's list, so two side by side, or one with its number, as screens have them.
    """
    words = PHRASE.split()
    shown = [f"{one} {two}" for one, two in zip(words, words[1:])] + [f"{number:2d}. {word}" for number, word in enumerate(words, 1)]
    return {"passphrase": [PASSPHRASE], "mistyped": [MISTYPED], "words": shown, "addresses": addresses, "network name": networks}


def cells(secrets, memory):
    """Bits of a cell (8, 16, 32) → kind of secret → how often it is in memory in such cells, whatever attributes stand beside the characters."""
    found = {}
    for step in (1, 2, 4):
        every = [memory[start::step] if step > 1 else memory for start in range(step)]
        found[8 * step] = {kind: sum(part.count(text.encode()) for part in every for text in texts) for kind, texts in secrets.items()}
    return found


def count(secrets, memory):
    """Kind of secret → how often it is in memory, in cells of any width."""
    return totals(cells(secrets, memory))


def totals(found):
    """Kind of secret → how often it was found, in cells of any width."""
    return {kind: sum(counts[kind] for counts in found.values()) for kind in found[8]}


def unseen(counts, *kinds):
    """What the search should have found while it was there, as sentences: without this, to find nothing afterwards would say nothing. The passphrase is hidden
    all the time; the mistyped one shows that a text of its form would be found."""
    return [f"the search does not find the {kind} while the machine runs" for kind in kinds if not counts[kind]]


# One camera and one output, both HDMI, so that what is written to the output is seen by the camera.
VIVID = "n_devs=1 node_types=0x101 num_inputs=1 input_types=3 num_outputs=1 output_types=1"
FEEDER = ROOT / "tools/peers/camera-feeder.c"
VIEW = (1280, 720)


def views(picture):
    """The frames of a picture, as a camera sees them: grey bytes, with a bright border."""
    size = min(VIEW) - 40
    with Image.open(picture) as opened:
        for frame in ImageSequence.Iterator(opened):
            view, scale = Image.new("L", VIEW, 200), max(1, size // max(frame.size))
            code = frame.convert("L").resize([edge * scale for edge in frame.size], Image.Resampling.NEAREST)
            view.paste(code, [(whole - part) // 2 for whole, part in zip(VIEW, code.size)])
            yield view.tobytes()


def with_camera(image, picture, work, epoch):
    """The initramfs with a camera that sees a picture: vivid, and what feeds it. Everything else is as it is shipped."""
    packages = Packages()
    overlay = contents.Archive(epoch)
    contents.compile_init(work / "init-shipped")
    overlay.file("init-shipped", (work / "init-shipped").read_bytes(), 0o755)
    output("clang", *contents.C_FLAGS, *contents.LINK, FEEDER, "-o", work / "feeder")
    overlay.file("init", (work / "feeder").read_bytes(), 0o755)
    overlay.folder("feeder")
    overlay.file("feeder/frames", b"".join(views(picture)))
    folder, order = modules.closure(packages.kernel, {"vivid": VIVID})
    for path in order:
        overlay.file(f"lib/modules/{path.rpartition('/')[2]}", (folder / path).read_bytes())
    overlay.file("lib/modules/list", modules.load_list(order))
    target = work / "camera.img"
    target.write_bytes((image / build.INITRAMFS).read_bytes() + overlay.packed())
    return target


class MainJob:
    """From an empty data stick with pictures to a verified signature, on the serial line."""

    def __init__(self, image, work):
        self.image, self.work = image, work
        self.practice = Practice(work / "practice", binary_folder(*SHIPPED), binary_folder(*HOT))
        self.practice.make()
        said = Signer(self.practice.cold, None).must("util", "address", PATH, "--prefix", "42", vault=False, phrase=PHRASE)
        self.address = re.search(r"\b5\w{46,47}\b", said)[0]
        self.practice.pay(self.address)
        self.data = work / "data.img"
        disk.data_stick(self.data, 192, {name: (self.practice.folder / name).read_bytes() for name in ("specs.png", "metadata.png", "transaction.png")})
        self.secrets = secrets([self.address], [NETWORK])

    def first_start(self, machine):
        """Vault and seed; gives the seconds until the first screen."""
        machine.wait("the keyboard is right")
        ready = time.monotonic() - machine.started
        machine.press("\r")
        self.clock(machine)
        machine.wait("1  make the vault")
        machine.press("1")
        machine.answer("new passphrase", PASSPHRASE)
        machine.answer("repeat the passphrase", PASSPHRASE)
        machine.answer("Enter: go on", "")
        machine.wait("2  restore a seed")
        machine.press("2")
        machine.answer("passphrase", PASSPHRASE)
        machine.answer("word 1:", PHRASE)
        machine.answer("word 13:", "")
        machine.answer("[yes/no]", "n")
        machine.answer("Enter: go on", "")
        machine.wait("1  go on")
        machine.press("1")
        return ready

    def clock(self, machine):
        """Nothing: the clock of a PC is right."""

    def scan(self, machine, words, question, answer):
        """One picture: the whole review, the question, the passphrase where it is asked for."""
        machine.answer("heliograph (", words)
        machine.wait("page 1 of")
        machine.press("G")
        machine.wait("Enter: to the question")
        machine.press("\r")
        machine.answer(question, answer)

    def sign(self, machine, transaction="transaction.png"):
        """The job in the shell. Five network cards are plugged in."""
        machine.answer("heliograph (locked)>", "shield")
        machine.wait("offline")
        self.scan(machine, "scan specs.png", "Accept these network specs?", "new verifier")
        machine.answer("passphrase", PASSPHRASE)
        machine.wait("accepted the network specs")
        self.scan(machine, "scan metadata.png", "Accept this metadata?", "yes")
        machine.wait("accepted the metadata")
        machine.answer("heliograph (", f"key derive main {PATH} --network {NETWORK}")
        machine.wait(self.address)
        self.scan(machine, f"scan {transaction} --out signature.png", "Sign this?", "yes")
        if transaction == "--camera":
            # A shell locks its vault before it waits for a camera.
            machine.answer("passphrase:", PASSPHRASE)
        machine.wait("wrote the answer to signature.png")

    def show_seed(self, machine):
        """The words on the screen, after a slip."""
        machine.answer("heliograph (", MISTYPED)
        machine.wait("error")
        machine.answer("heliograph (", "seed show main")
        machine.answer("[yes/no]", "yes")
        # The vault is open, and whoever finds it so sees no words.
        machine.answer("passphrase:", PASSPHRASE)
        machine.wait("12. walk")

    def leave(self, machine, key):
        """Switches the machine off through its menu, after a key that ends what is shown."""
        machine.press(key)
        machine.answer("heliograph (", "exit")
        machine.wait("3  switch off")
        machine.press("3")
        machine.off()

    def verified(self):
        """The online program reads the answer from the stick."""
        answer = self.practice.folder / "signature.png"
        answer.write_bytes(disk.from_drop(self.data, "signature.png"))
        return self.practice.check(answer)

    def by_camera(self, epoch):
        """The same signature with the transaction before a camera, and nothing on the stick; problems as sentences."""
        disk.data_stick(self.data, 192, {name: (self.practice.folder / name).read_bytes() for name in ("specs.png", "metadata.png")})
        initramfs = with_camera(self.image, self.practice.folder / "transaction.png", self.work, epoch)
        words = emulator.direct(self.image, f"console=ttyS0 {emulator.command_line()}", initramfs=initramfs)
        machine = emulator.Machine(self.work, words, self.data)
        try:
            self.first_start(machine)
            self.sign(machine, "--camera")
            seconds = time.monotonic() - machine.started
            self.leave(machine, "")
        finally:
            machine.close()
        verified = re.search(r"^[0-9a-f]{200,}$", self.verified(), re.M)
        return f"signed by camera {seconds:.0f} s", [] if verified else ["the online program does not verify the answer to what the camera saw"]

    def run(self):
        """Seconds until the first screen, and for everything; problems as sentences."""
        machine = emulator.Machine(self.work, emulator.direct(self.image, f"console=ttyS0 {emulator.command_line()}", *emulator.CARDS), self.data)
        problems = []
        try:
            ready = self.first_start(machine)
            self.sign(machine)
            self.show_seed(machine)
            counts = count(self.secrets, machine.memory(self.work / "memory"))
            problems += unseen(counts, "mistyped", "words", "addresses", "network name")
            self.leave(machine, " ")
            seconds = time.monotonic() - machine.started
            after = count(self.secrets, machine.memory(self.work / "memory"))
            problems += [f"after power-off, memory holds {kind} {count} times" for kind, count in after.items() if count]
        finally:
            machine.close()
        problems += [] if re.search(r"^[0-9a-f]{200,}$", self.verified(), re.M) else ["the online program does not verify the answer"]
        return f"ready after {ready:.0f} s, main job {seconds:.0f} s; in memory {counts}, after power-off {after}", problems

