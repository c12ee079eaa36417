"""Agreement with independent programs on random cases."""
import random
import subprocess

from ..common import SHIPPED, build


def case_options(parser, count, what):
    parser.add_argument("count", nargs="?", type=int, default=count, help=f"{what} (default: %(default)s)")
    parser.add_argument("--seed", type=int, help=f"of the {what.split()[0]} (default: a new one, which is printed)")


def generator(seed):
    """Random numbers from a seed, which is printed."""
    seed = random.SystemRandom().getrandbits(32) if seed is None else seed
    print(f"seed {seed}")
    return random.Random(seed)


def flipped(rng, data):
    """The bytes with another bit."""
    changed = bytearray(data)
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


class KeysPeer:
    """The Swift side, which answers a line of fields with another."""

    def __init__(self, mode):
        self.process = subprocess.Popen([build("keys-peer", *SHIPPED), mode], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *fields):
        self.process.stdin.write("\t".join(fields) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip("\n").split("\t")

    def end(self):
        self.process.stdin.close()
        assert self.process.wait() == 0
