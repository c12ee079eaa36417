"""Emulated machines with arm64: a root made of packages alone, a kernel of Debian's, and the main job on the serial line."""
import base64
import os
import pathlib
import re
import stat
import time

from .. import panes
from ..appliance import contents, emulator, job
from ..formats import read
from ..offline import PHRASE, Signer
from ..release.names import epoch, output
from ..release.person import Stuck
from .apt import Apt

# Name → the release of Debian whose packages its root is made of and whose kernel it starts, the package that depends on that kernel, the length of a page in
# KiB, and the processor. Between them they have each Debian that the package is for, and each length of a page that Debian's kernels have.
MACHINES = {
    "a53": ("bookworm", "linux-image-arm64", 4, "cortex-a53"),
    "a76-16k": ("trixie", "linux-image-arm64-16k", 16, "cortex-a76"),
    "max-16k": ("trixie", "linux-image-arm64-16k", 16, "max"),
}
# The machines that `arm64 test` starts without --all.
SHORT = ["a53", "a76-16k"]
# What every Debian has and no package names, and the shell of the test.
ESSENTIAL = ["ncurses-base", "busybox-static"]
# The smallest board that is named has 512 MB. A vault of a PC takes half of it to open.
MEGABYTES = 512
# The mebibytes that a vault for real keys takes at least, and those that one of a PC takes.
LEAST, USUAL = 64, 256
# What starts the second walk, and what lets the kernel give less than such a vault takes.
MEMORY, LITTLE = "heliograph=memory", "heliograph=little"
LINE = "console=ttyAMA0 quiet loglevel=3 panic=10 rdinit=/init"
# What starts in the machine: the shell of busybox-static, which is there only for the test. The person is uid 1000, as on a computer.
INIT = """#!/bin/busybox sh
busybox mount -t proc proc /proc
busybox mount -t sysfs sysfs /sys
busybox mount -t devtmpfs dev /dev
busybox mkdir /dev/pts /dev/shm
busybox mount -t devpts -o mode=620,ptmxmode=666 pts /dev/pts
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
echo "walk vault"
busybox base64 /home/signer/.local/share/heliograph/vault
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
        for parent in map(str, pathlib.PurePosixPath(name).parents[:-1]):
            if parent not in archive.entries:
                archive.folder(parent)
        archive.file(name, data, mode)
    return archive.packed()


def cost(vault):
    """Passes and mebibytes of what opens a vault by its passphrase, as `init` chose them."""
    slot = read("VaultFiles", "vault", vault)["slots"][0]
    found = read("VaultFiles", "passphrase factor", slot["factors"][0]["body"])
    return found["passes"], found["memory"] >> 10


def first_files(walk):
    """What is in every root besides packages: the first process, what it begins as the person, and who that is."""
    return {"init": (INIT.encode(), 0o755), "walk": (walk.encode(), 0o644),
            "etc/passwd": (b"root:x:0:0::/:/bin/sh\nsigner:x:1000:1000::/home/signer:/bin/sh\n", 0o644),
            "etc/group": (b"root:x:0:\nsigner:x:1000:\n", 0o644)}


def start(work, name, kernel, initramfs, megabytes, *line, more=()):
    """An emulated machine, of which everything is kept that it prints. `more` are words for the emulator."""
    words = ["-kernel", str(kernel), "-initrd", str(initramfs), "-append", " ".join([LINE, *line]), "-nic", "none", *more]
    machine = emulator.Machine(work, words, None, ["qemu-system-aarch64", "-accel", "tcg", "-machine", "virt", "-cpu", MACHINES[name][3]], megabytes)
    machine.screen = panes.Terminal(emulator.COLUMNS, 400)
    machine.stream = panes.Stream(machine.screen)
    return machine


def unpacked(files, target):
    """A folder with the contents of packages."""
    target.mkdir(parents=True)
    for file in files:
        output("dpkg-deb", "--extract", file, target)
    return target


def kernel(name, work):
    """The kernel of a machine, as a file."""
    release, meta, *_ = MACHINES[name]
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

    def initramfs(self, release, file, walk=WALK, more=None):
        """A root of a package and of what it needs of a release, with the pictures in the drop folder, and with a vault that was made on this machine.
        `more` are further files."""
        packages = Apt(release).needed(file, *ESSENTIAL)
        print(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB, with {len(packages) - 1} packages of {release}", flush=True)
        folder = unpacked(packages, self.work / release)
        files = first_files(walk) | (more or {})
        for name in ("specs.png", "metadata.png", "transaction.png"):
            files[f"home/signer/drop/{name}"] = ((self.practice.folder / name).read_bytes(), 0o644)
        if not (self.work / "vault").exists():
            Signer(self.practice.cold, self.work / "vault", job.PASSPHRASE).must("init", "--allow-online")
        for path in (self.work / "vault").iterdir():
            files[f"home/signer/vault/{path.name}"] = (path.read_bytes(), 0o600)
        target = self.work / f"{release}.cpio"
        target.write_bytes(cpio([folder], files, epoch()))
        return target

    def begin(self, machine):
        """A vault and a seed; what is shown in between."""
        machine.answer("new passphrase", job.PASSPHRASE)
        machine.answer("repeat the passphrase", job.PASSPHRASE)
        made = machine.wait("passphrase:") and "\n".join(machine.rows())
        machine.answer("passphrase:", job.PASSPHRASE)
        machine.answer("word 1:", PHRASE)
        machine.answer("word 13:", "")
        machine.answer("[yes/no]", "n")
        return made

    def walk(self, name, kernel, initramfs):
        """What a machine says of itself, and problems."""
        machine = start(self.work, name, kernel, initramfs, MEGABYTES)
        try:
            machine.wait("walk init")
            told = "\n".join(machine.rows())
            made = self.begin(machine)
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
        vault, picture = (base64.b64decode(text) for text in re.search(r"walk vault\n(.*?)\nwalk answer\n(.*?)\nwalk end", shown, re.S).groups())
        answer = self.practice.folder / "signature.png"
        answer.write_bytes(picture)
        problems = re.findall(r"walk failed: .*", told + made + shown)
        problems += [] if re.search(r"^[0-9a-f]{200,}$", self.practice.check(answer), re.M) else ["the online program does not verify the answer"]
        passes, mebibytes = cost(vault)
        problems += [] if mebibytes >= LEAST else [f"init chose {mebibytes} MiB for the vault's key, and at least {LEAST} are for real keys"]
        facts = [row.strip() for row in f"{told}\n{state}".splitlines() if re.search(r"^machine |andlock|system call", row)]
        if not any(f"page {MACHINES[name][2]} kB" in fact for fact in facts):
            problems.append(f"the machine does not say that its pages have {MACHINES[name][2]} KiB:\n{told}")
        return f"{seconds:.0f} s; {'; '.join(facts)}; the vault's key takes {mebibytes} MiB, {passes} times", problems

    def memory(self, kernel, initramfs):
        """What a vault that was made with 256 MiB says on the smallest board, and where the kernel refuses what it takes."""
        _, mebibytes = cost((self.work / "vault/vault").read_bytes())
        if mebibytes != USUAL:
            yield f"the vault of this machine takes {mebibytes} MiB, and not {USUAL}: nothing is shown of one that does"
        for words, wanted, code in (([MEMORY], "form an unbroken chain", 0), ([MEMORY, LITTLE], "there is not enough memory to derive the key", 74)):
            machine = start(self.work, SHORT[0], kernel, initramfs, MEGABYTES, *words)
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


def tried(file, names, work):
    """Installs a package with what it needs into an empty root of each machine's Debian, and starts that; problems as sentences."""
    job, roots = Job(work), {}
    for name in names:
        release = MACHINES[name][0]
        if release not in roots:
            roots[release] = job.initramfs(release, file)
        try:
            said, problems = job.walk(name, kernel(name, work), roots[release])
        except Stuck as stuck:
            said, problems = "", [str(stuck)]
        print(f"{name}: {said}", flush=True)
        yield from (f"{name}: {problem}" for problem in problems)
    yield from job.memory(kernel(names[0], work), roots[MACHINES[names[0]][0]])
