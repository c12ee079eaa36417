"""Lets independent programs verify the signatures of random threshold groups."""
import collections

import sr25519

from ..golden.keys import chain_code, peer_verify
from . import KeysPeer, case_options, flipped, generator

# One session in so many makes its group by the whole key generation, and one gives a key new shares; the others know their polynomial.
GENERATED = 20
LARGEST = 16
LONGEST = 300


def configure(parser):
    case_options(parser, 200, "sessions")


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
    peer, rng, made_by = KeysPeer("threshold"), generator(options.seed), collections.Counter()
    for number in range(options.count):
        scheme, threshold, members, signers, names, message = session(rng)
        made = {0: "generate", GENERATED // 2: "reshare"}.get(number % GENERATED, "known")
        made_by[made] += 1
        path = "".join(f"/{name}" for name in names)
        case = f"session {number}: {made} {scheme} {threshold} of {members}, signers {signers}, path {path!r}, message {message.hex()}"
        answer = peer.ask("session", made, scheme, str(threshold), str(members), ",".join(map(str, signers)), path, message.hex())
        assert len(answer) == 3, (case, answer)
        group, account, signature = map(bytes.fromhex, answer)
        assert account == (child(group, names) if names else group), (case, "another account")
        assert peer_verify(scheme, account, message, signature), (case, "refused")
        assert not peer_verify(scheme, account, message, flipped(rng, signature)), (case, "flipped accepted")
    peer.end()
    print(f"threshold: {options.count} sessions, {made_by['generate']} with key generation, {made_by['reshare']} reshared, all signatures accepted")
    return 0
