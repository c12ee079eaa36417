"""Lets independent programs verify the signatures of random threshold groups."""
import random
import subprocess

import sr25519

from ..common import SHIPPED, build
from ..freeze.keys import chain_code, peer_verify

# One session in so many makes its group by the whole key generation; the others know their polynomial.
GENERATED = 20
LARGEST = 16
LONGEST = 300


def configure(parser):
    """Takes how many sessions."""
    parser.add_argument("count", nargs="?", type=int, default=200, help="sessions (default: %(default)s)")
    parser.add_argument("--seed", type=int, help="of the sessions (default: a new one, which is printed)")


def child(public, names):
    """The public key below soft junctions, as schnorrkel derives it."""
    for name in names:
        _, public = sr25519.derive_pubkey((chain_code(name), public), b"")
    return public


def session(rng):
    """Scheme, threshold, members, signers, path, message and how the group is made, all random."""
    scheme = rng.choice(["sr25519", "ed25519"])
    members = rng.randint(2, LARGEST)
    threshold = rng.randint(2, members)
    signers = sorted(rng.sample(range(1, members + 1), rng.randint(threshold, members)))
    names = [rng.choice(["polkadot", "0", "x" * 40, str(rng.getrandbits(63))]) for _ in range(rng.randrange(3))] if scheme == "sr25519" else []
    return scheme, threshold, members, signers, names, rng.randbytes(rng.randint(0, LONGEST))


def run(options):
    """0; a difference raises."""
    peer = subprocess.Popen([build("keys-peer", *SHIPPED), "threshold"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    seed = random.SystemRandom().getrandbits(32) if options.seed is None else options.seed
    print(f"seed {seed}")
    rng, generated = random.Random(seed), 0
    for number in range(options.count):
        scheme, threshold, members, signers, names, message = session(rng)
        made = "generate" if number % GENERATED == 0 else "known"
        generated += made == "generate"
        path = "".join(f"/{name}" for name in names)
        case = f"session {number}: {made} {scheme} {threshold} of {members}, signers {signers}, path {path!r}, message {message.hex()}"
        fields = ["session", made, scheme, str(threshold), str(members), ",".join(map(str, signers)), path, message.hex()]
        peer.stdin.write("\t".join(fields) + "\n")
        peer.stdin.flush()
        answer = peer.stdout.readline().rstrip("\n").split("\t")
        assert len(answer) == 3, (case, answer)
        group, account, signature = map(bytes.fromhex, answer)
        assert account == (child(group, names) if names else group), (case, "another account")
        assert peer_verify(scheme, account, message, signature), (case, "refused")
        flipped = bytearray(signature)
        flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
        assert not peer_verify(scheme, account, message, bytes(flipped)), (case, "flipped accepted")
    peer.stdin.close()
    assert peer.wait() == 0
    print(f"threshold: {options.count} sessions, {generated} with key generation, all signatures accepted")
    return 0
