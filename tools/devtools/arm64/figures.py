"""What the package costs on arm64, in instructions: an emulated machine whose clock counts them, so that the figures are those of every machine.

A program's processor time is then its instructions, in steps of a hundredth of a second of that clock. Neither caches nor memory take time there, so the
figures say nothing of seconds.
"""
import re

from ..appliance import job
from . import machine

# An instruction takes 2^3 nanoseconds of the machine's clock, and a hundredth of a second has 1.25 million.
SHIFT = 3
COUNTING = ["-icount", f"shift={SHIFT}"]
# Name of a figure → what it is, and the program.
TOLD = {
    "start": ("start of the program", "heliograph --version"),
    "picture": ("one picture with one code", "heliograph-scanner transaction.png"),
    "animation": ("the pictures of an animation", "heliograph-scanner metadata.png"),
    "raptorq": ("RaptorQ of that animation, and the review of its metadata", "heliograph inspect --plain --frames animation.frames"),
    "review": ("the review of a transaction", "heliograph inspect --plain --frames picture.frames"),
    "vault": ("opening the vault, and its whole log", "heliograph log verify"),
    "signature": ("picture, review, opening the vault and signature", "heliograph scan transaction.png --out again.png"),
}
WALK = f"""heliograph init && heliograph seed restore main
cd drop
heliograph shell .
heliograph-scanner transaction.png >picture.frames
heliograph-scanner metadata.png >animation.frames
figure() {{ name=$1; shift; busybox time -a -o /tmp/figures -f "figure $name: %U %S" "$@"; }}
{''.join(f'echo "begin {name}"; figure {name} {command}' + chr(10) for name, (_, command) in TOLD.items())}
echo "frames $(busybox wc -l <animation.frames)"
busybox cat /tmp/figures
echo "walk end"
busybox sleep 1000
"""


def millions(shown):
    """Name → millions of instructions."""
    found = re.findall(r"^figure (\w+): ([\d.]+) ([\d.]+)$", shown, re.M)
    return {name: (float(user) + float(system)) * 1e9 / 2**SHIFT / 1e6 for name, user, system in found}


def counted(file, work):
    """Prints the figures of a package; problems as sentences."""
    name = machine.SHORT[0]
    main = machine.Job(work)
    initramfs = main.initramfs(machine.MACHINES[name][0], file, WALK)
    one = machine.start(work, name, machine.kernel(name, work), initramfs, machine.MEGABYTES, more=COUNTING)
    try:
        main.begin(one)
        main.sign(one)
        one.answer("heliograph (", "exit")
        one.wait("begin vault")
        one.answer("passphrase", job.PASSPHRASE)
        one.wait("page 1 of")
        one.press("G")
        one.wait("Enter: to the question")
        one.press("\r")
        one.answer("Sign this?", "yes")
        one.answer("passphrase", job.PASSPHRASE)
        one.wait("walk end")
        shown = "\n".join(one.rows())
    finally:
        one.close()
    found = millions(shown)
    print(f"the animation has {re.search(r'^frames (.*)$', shown, re.M)[1]} codes; in millions of instructions:")
    for name, (what, _) in TOLD.items():
        print(f"{found.get(name, float('nan')):10,.0f}  {what}", flush=True)
    return [f"no figure for {name}" for name in TOLD if name not in found]
