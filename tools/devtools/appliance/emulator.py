"""A machine in QEMU, without acceleration: its serial line as a terminal, its memory as a file, its screen as a picture."""
import json
import pathlib
import shutil
import socket
import time

from ..common import ROOT
from ..release.person import Person, Stuck

COLUMNS, ROWS, MEGABYTES = 80, 25, 512
COMMAND_LINE = ROOT / "tools/appliance/command-line"
FIRMWARE = pathlib.Path("/usr/share/OVMF")
# Network cards of five kinds; nothing answers behind them.
CARDS = ["-nic", "none"] + [word for number, kind in enumerate(("e1000", "e1000e", "virtio-net-pci", "rtl8139", "usb-net"))
                            for word in ("-netdev", f"user,id=n{number},restrict=on", "-device", f"{kind},netdev=n{number}")]


def pc(kind="q35"):
    """The words of an emulated PC with USB and a keyboard."""
    return ["qemu-system-x86_64", "-machine", kind, "-accel", "tcg", "-cpu", "max", "-device", "qemu-xhci", "-device", "usb-kbd"]


class Machine(Person):
    """An emulated machine with a serial line, and a data stick if one is named; a PC, unless other words are given."""

    def __init__(self, folder, words, data=None, machine=None, megabytes=MEGABYTES):
        self.socket, self.megabytes = folder / "qmp", megabytes
        self.socket.unlink(missing_ok=True)
        # A node of its own outlives the device, so that a stick can be pulled out and put in again.
        disk = ["-blockdev", f"driver=raw,node-name=d,file.driver=file,file.filename={data}"]
        sticks = [*disk, "-device", "usb-storage,drive=d,id=data,serial=HELIOTEST7F3K"] if data else []
        super().__init__([*(machine or pc()), "-m", str(megabytes), "-display", "none", "-no-reboot", "-no-shutdown", "-serial", "stdio", "-monitor", "none",
                          "-qmp", f"unix:{self.socket},server=on,wait=off", *sticks, *words], (COLUMNS, ROWS))
        self.started = time.monotonic()

    def ask(self, command, **arguments):
        """A command to the emulator itself, and its answer."""
        with socket.socket(socket.AF_UNIX) as channel:
            channel.connect(str(self.socket))
            file = channel.makefile("rw")
            file.readline()
            for words in ({"execute": "qmp_capabilities"}, {"execute": command, "arguments": arguments}):
                file.write(json.dumps(words) + "\n")
                file.flush()
                while "event" in (answer := json.loads(file.readline())):
                    pass
        if "error" in answer:
            raise Stuck(f"{command}: {answer['error']['desc']}")
        return answer["return"]

    def off(self, patience=60):
        """Waits until the machine has switched itself off; its memory is still there."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            self.take()
            if self.ask("query-status")["status"] == "shutdown":
                return
        shown = "\n".join("|" + row for row in self.rows())
        raise Stuck(f"the machine does not switch itself off\n{shown}")

    def memory(self, target):
        self.ask("pmemsave", val=0, size=self.megabytes << 20, filename=str(target))
        return target.read_bytes()

    def picture(self, target):
        """The screen as PNG."""
        self.ask("screendump", filename=str(target), format="png")

    def type(self, text):
        """Types on the emulated keyboard, an American one."""
        plain = {" ": "spc", "\n": "ret", "/": "slash", "-": "minus", ".": "dot", ",": "comma", "=": "equal", ";": "semicolon", "'": "apostrophe"}
        for letter in text:
            keys = ["shift", letter.lower()] if letter.isupper() else [plain.get(letter, letter)]
            self.press_keys(*keys)

    def press_keys(self, *names):
        """Presses keys together, named as QEMU names them."""
        self.ask("send-key", keys=[{"type": "qcode", "data": name} for name in names], **{"hold-time": 40})
        time.sleep(0.12)


def direct(image, line, *words, initramfs=None):
    """The words that start kernel and initramfs without a boot loader."""
    return ["-kernel", str(image / "vmlinuz"), "-initrd", str(initramfs or image / "initrd.img"), "-append", line, *words]


def command_line():
    """The kernel's command line of the shipped menu."""
    return COMMAND_LINE.read_text().splitlines()[0]


def boot_stick(image):
    """The boot stick, write-protected, as the first thing to start."""
    return ["-drive", f"if=none,id=b,file={image / 'heliograph.img'},format=raw,readonly=on", "-device", "usb-storage,drive=b,bootindex=1,id=boot"]


def firmware(folder, is_secure):
    """UEFI, with the keys of the vendors and Secure Boot switched on, or without; the words and those of the machine."""
    code, variables = ("OVMF_CODE_4M.secboot.fd", "OVMF_VARS_4M.ms.fd") if is_secure else ("OVMF_CODE_4M.fd", "OVMF_VARS_4M.fd")
    shutil.copy(FIRMWARE / variables, folder / "variables")
    words = ["-drive", f"if=pflash,format=raw,readonly=on,file={FIRMWARE / code}", "-drive", f"if=pflash,format=raw,file={folder / 'variables'}"]
    return ([*words, "-global", "driver=cfi.pflash01,property=secure,value=on"], pc("q35,smm=on")) if is_secure else (words, pc())
