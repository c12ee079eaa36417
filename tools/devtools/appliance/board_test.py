"""Starts kernel, device tree and file system of the image for a Raspberry Pi in an emulated Raspberry Pi 3: the main job, and the memory after it."""
import pathlib
import re
import tempfile
import time

from ..common import skip
from ..release.person import Stuck
from . import board, build, emulator, job

# QEMU has this board, with USB behind the same chip; of the 4 it has too little for Debian's kernel.
MACHINE = ["qemu-system-aarch64", "-machine", "raspi3b", "-accel", "tcg", "-device", "usb-kbd"]
TREE, MEGABYTES = "bcm2837-rpi-3-b.dtb", 1024
# The last words of the kernel: this emulated board cannot switch itself off.
END = "reboot: Power down"


class Board(emulator.Machine):
    """The board, which is off when it says so."""

    def off(self, patience=120):
        end = time.monotonic() + patience
        while time.monotonic() < end and self.found(END) is None:
            self.take()
        if self.found(END) is None:
            raise self.stuck(f"does not show {END!r}")


class BoardJob(job.MainJob):
    """The main job on a board, which forgets the time."""

    def clock(self, machine):
        machine.answer("The time in UTC", time.strftime("%Y-%m-%d %H:%M", time.gmtime()))


def run():
    """Builds the image and tries it; the exit code."""
    if absent := build.missing([*board.NEEDS, "qemu-system-aarch64"]):
        return skip(", ".join(absent)) or 0
    with tempfile.TemporaryDirectory() as folder:
        work, start, problems = pathlib.Path(folder).resolve(), time.monotonic(), []
        image = work / "image"
        board.make(image, build.QUICK)
        marks = f"built in {time.monotonic() - start:.0f} s"
        main = BoardJob(image, work)
        # The kernel says when it has switched everything off, which is the only sign of it here.
        line = f"console=ttyAMA0,115200 {board.command_line().replace('console=tty1 ', '').replace('loglevel=3', 'loglevel=6')}"
        machine = Board(work, [*emulator.direct(image, line), "-dtb", str(image / TREE)], main.data, MACHINE, MEGABYTES)
        try:
            ready = main.first_start(machine)
            main.sign(machine)
            main.show_seed(machine)
            counts = job.count(main.secrets, machine.memory(work / "memory"))
            problems += job.unseen(counts, "mistyped", "words", "addresses", "network name")
            main.leave(machine, " ")
            after = job.count(main.secrets, machine.memory(work / "memory"))
            problems += [f"after the end, memory holds {kind} {number} times" for kind, number in after.items() if number]
            marks += f", ready after {ready:.0f} s, main job {time.monotonic() - machine.started:.0f} s; in memory {counts}, after the end {after}"
        except Stuck as stuck:
            problems.append(str(stuck))
        finally:
            machine.close()
        if not problems and not re.search(r"^[0-9a-f]{200,}$", main.verified(), re.M):
            problems.append("the online program does not verify the answer")
        print(*problems, f"appliance: {marks}; {time.monotonic() - start:.0f} s, {len(problems)} problems", sep="\n")
        return 1 if problems else 0
