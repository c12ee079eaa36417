"""Emulated machines with arm64: a root made of packages alone, a kernel of Debian's, and the main job on the serial line."""
import base64
import os
import re
import stat
import time

from .. import panes
from ..appliance import contents, emulator, job
from ..offline import PHRASE, Signer
from ..release.names import output
from ..release.person import Stuck
from .apt import Apt

# Name → the release of Debian whose kernel it starts, the package that depends on that kernel, and the emulator's words.
MACHINES = {
    "a53": ("bookworm", "linux-image-arm64", ["-machine", "virt", "-cpu", "cortex-a53"]),
    "a76-16k": ("trixie", "linux-image-arm64-16k", ["-machine", "virt", "-cpu", "cortex-a76"]),
    "max-16k": ("trixie", "linux-image-arm64-16k", ["-machine", "virt", "-cpu", "max"]),
}
# Whose packages the root is made of, and the machines that `arm64 test` starts without --all.
SYSTEM, SHORT = "bookworm", ["a53"]
# What every Debian has and no package names, and the shell of the test.
ESSENTIAL = ["ncurses-base", "busybox-static"]
# The smallest board that is named has 512 MB. A vault of a PC takes half of it to open.
MEGABYTES = 512
# What starts the second walk, and what lets the kernel give less than such a vault takes.
MEMORY, LITTLE = "heliograph=memory", "heliograph=little"
LINE = "console=ttyAMA0 quiet loglevel=3 panic=10 rdinit=/init"
# What starts in the machine: the shell of busybox-static, which is there only for the test. The person is uid 1000, as on a computer.
INIT = """#!/bin/busybox sh
busybox mount -t proc proc /proc
busybox mount -t sysfs sysfs /sys
busybox mount -t devtmpfs dev /dev
busybox mount -t tmpfs -o mode=1777 tmp /tmp
busybox stty cols 80 rows 25
echo "machine page $(busybox sed -n 's/^MMUPageSize: *//p' /proc/self/smaps | busybox head -n 1), kernel $(busybox uname -r)"
busybox chown -R 1000:1000 /home/signer
cd /home/signer
busybox setsid busybox cttyhack busybox start-stop-daemon -S -c 1000:1000 -p /tmp/none -x /bin/busybox -- env -i \\
    HOME=/home/signer PATH=/usr/bin:/bin TERM=vt220 LC_ALL=C.UTF-8 busybox sh /walk
busybox poweroff -f
"""
# What a person types is asked for by the programs; this only begins them, one after the other.
WALK = """if busybox grep -q heliograph=memory /proc/cmdline; then
    busybox grep -q heliograph=little /proc/cmdline && ulimit -v 200000
    heliograph log verify --vault vault
    echo "walk end: $?"
    busybox sleep 1000
fi
for step in "self-test" "init" "seed restore main"; do
    echo "walk $step"
    heliograph $step || echo "walk failed: $step ended with $?"
done
cd drop
heliograph shell . || echo "walk failed: the shell ended with $?"
echo "walk answer"
busybox base64 signature.png
echo "walk end"
busybox sleep 1000
"""


def cpio(folders, files, epoch):
    """An initramfs of whole folders and of further files: name → bytes and mode."""
    archive = contents.Archive(epoch)
    links = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            name = str(path.relative_to(folder))
            # Debian merges /lib into /usr/lib by a link; a package of Debian 12 may still have both.
            name = re.sub(r"^(bin|sbin|lib)(?=/|$)", r"usr/\1", name)
            if path.is_symlink():
                links[name] = os.readlink(path)
            elif path.is_dir():
                archive.folder(name)
            elif not name.startswith(("usr/share/doc/", "usr/share/man/", "usr/share/locale/", "usr/lib/aarch64-linux-gnu/gconv/")):
                archive.file(name, path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
    for name in ("bin", "sbin", "lib"):
        links[name] = f"usr/{name}"
    for name in ("dev", "etc", "proc", "sys", "tmp", "home", "home/signer", "home/signer/drop", "usr", "usr/lib", "usr/bin"):
        archive.folder(name)
    archive.folder("home/signer/vault", 0o700)
    archive.device("dev/console", 5, 1)
    for name, target in links.items():
        if name not in archive.entries:
            archive.link(name, target)
    for name, (data, mode) in files.items():
        archive.file(name, data, mode)
    return archive.packed()


def unpacked(files, target):
    """A folder with the contents of packages."""
    target.mkdir(parents=True)
    for file in files:
        output("dpkg-deb", "--extract", file, target)
    return target


def kernel(name, work):
    """The kernel of a machine, as a file."""
    release, meta, _ = MACHINES[name]
    if found := list((work / f"kernel-{name}/boot").glob("vmlinuz-*")):
        return found[0]
    apt = Apt(release)
    folder = unpacked(apt.download(apt.kernel(meta)), work / f"kernel-{name}")
    (found,) = (folder / "boot").glob("vmlinuz-*")
    return found


class Job(job.MainJob):
    """The main job on a machine with arm64: the same steps as on the appliance, with the shell of the programs instead of its menu."""

    def __init__(self, work):
        super().__init__(None, work)

    def initramfs(self, packages, epoch):
        """A root of these packages, with the pictures in the drop folder, and with a vault that was made on this machine."""
        folder = unpacked(packages, self.work / "root")
        files = {"init": (INIT.encode(), 0o755), "walk": (WALK.encode(), 0o644),
                 "etc/passwd": (b"root:x:0:0::/:/bin/sh\nsigner:x:1000:1000::/home/signer:/bin/sh\n", 0o644),
                 "etc/group": (b"root:x:0:\nsigner:x:1000:\n", 0o644)}
        for name in ("specs.png", "metadata.png", "transaction.png"):
            files[f"home/signer/drop/{name}"] = ((self.practice.folder / name).read_bytes(), 0o644)
        Signer(self.practice.cold, self.work / "vault", job.PASSPHRASE).must("init", "--allow-online")
        for path in (self.work / "vault").iterdir():
            files[f"home/signer/vault/{path.name}"] = (path.read_bytes(), 0o600)
        target = self.work / "root.cpio"
        target.write_bytes(cpio([folder], files, epoch))
        return target

    def start(self, name, kernel, initramfs, megabytes, *line):
        """An emulated machine, of which everything is kept that it prints."""
        words = ["-kernel", str(kernel), "-initrd", str(initramfs), "-append", " ".join([LINE, *line]), "-nic", "none"]
        machine = emulator.Machine(self.work, words, None, ["qemu-system-aarch64", "-accel", "tcg", *MACHINES[name][2]], megabytes)
        machine.screen = panes.Terminal(emulator.COLUMNS, 400)
        machine.stream = panes.Stream(machine.screen)
        return machine

    def walk(self, name, kernel, initramfs):
        """What a machine says of itself, and problems."""
        machine = self.start(name, kernel, initramfs, MEGABYTES)
        try:
            machine.wait("walk init")
            told = "\n".join(machine.rows())
            machine.answer("new passphrase", job.PASSPHRASE)
            machine.answer("repeat the passphrase", job.PASSPHRASE)
            made = machine.wait("walk seed restore main") and "\n".join(machine.rows())
            machine.answer("passphrase", job.PASSPHRASE)
            machine.answer("word 1:", PHRASE)
            machine.answer("word 13:", "")
            machine.answer("[yes/no]", "n")
            self.sign(machine)
            machine.answer("heliograph (", "log verify")
            machine.wait("form an unbroken chain")
            machine.answer("heliograph (", "status")
            machine.wait("heliograph (")
            state = "\n".join(machine.rows())
            machine.answer("heliograph (", "exit")
            machine.wait("walk end")
            shown = "\n".join(machine.rows())
            seconds = time.monotonic() - machine.started
        finally:
            machine.close()
        text = re.search(r"walk answer\n(.*?)\nwalk end", shown, re.S)[1]
        answer = self.practice.folder / "signature.png"
        answer.write_bytes(base64.b64decode(text))
        problems = re.findall(r"walk failed: .*", told + made + shown)
        problems += [] if re.search(r"^[0-9a-f]{200,}$", self.practice.check(answer), re.M) else ["the online program does not verify the answer"]
        facts = [row.strip() for row in f"{told}\n{state}".splitlines() if re.search(r"^machine |andlock|system call|seccomp|KDF|MiB|derivation", row)]
        if not any("page" in fact for fact in facts):
            problems.append(f"the machine does not say its pages:\n{told}")
        return f"{seconds:.0f} s; {'; '.join(facts)}", problems

    def memory(self, kernel, initramfs):
        """What a vault that was made with 256 MiB says on the smallest board, and where the kernel refuses what it takes."""
        for words, wanted, code in (([MEMORY], "form an unbroken chain", 0), ([MEMORY, LITTLE], "there is not enough memory to derive the key", 74)):
            machine = self.start(SHORT[0], kernel, initramfs, MEGABYTES, *words)
            try:
                machine.answer("passphrase", job.PASSPHRASE)
                machine.wait("walk end")
                shown = "\n".join(machine.rows())
            except Stuck as stuck:
                shown = str(stuck)
            finally:
                machine.close()
            if wanted not in shown or f"walk end: {code}" not in shown:
                yield f"with {' '.join(words)}, a vault of 256 MiB says: {shown}"
