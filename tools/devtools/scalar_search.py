"""Looks for secret numbers whose points are public.

What a member of a group keeps secret (coefficients, pads, shares, nonces, the host key) is a number x, and the messages of the group show x·B, or what
x·B follows from. So the search needs no secret: every 32 bytes of memory that could be a number below the group's order are multiplied by B, and the point is
looked up. A number that is planted in the program's environment must be found each time.
"""
import ctypes
import ctypes.util
import secrets

import numpy

SCALAR, SODIUM = 32, ctypes.CDLL(ctypes.util.find_library("sodium"))
ORDER = 2**252 + 27742317777372353535851937790883648493


def base(number):
    point = ctypes.create_string_buffer(SCALAR)
    SODIUM.crypto_scalarmult_ristretto255_base(point, bytes(number))
    return point.raw


def combined(one, other, call):
    point = ctypes.create_string_buffer(SCALAR)
    if call(point, one, other) != 0:
        raise ValueError("no point")
    return point.raw


def added(one, other):
    return combined(one, other, SODIUM.crypto_core_ristretto255_add)


def subtracted(one, other):
    return combined(one, other, SODIUM.crypto_core_ristretto255_sub)


def evaluated(commitments, index):
    """f(index)·B, of the commitments to the coefficients of f."""
    value, power = None, 1
    for commitment in commitments:
        term = combined(power.to_bytes(SCALAR, "little"), commitment, SODIUM.crypto_scalarmult_ristretto255)
        value, power = term if value is None else added(value, term), power * index
    return value


def plantable():
    """A number that an environment can hold: no byte of it is 0."""
    while True:
        number = bytes([*secrets.token_bytes(SCALAR - 1), 1 + secrets.randbelow(0x0F)])
        if 0 not in number and len(set(number)) > 16:
            return number


def candidates(data):
    """The different 32 bytes of `data` that may be a random number below the order, wherever they begin.

    Such a number ends in a byte of at most 0x10. Five and more zero bytes among the others have a probability of 2·10^-7, four and fewer bytes from 0x80 on
    one of 2·10^-5: texts and addresses are left out by this.
    """
    octets = numpy.frombuffer(data, numpy.uint8)
    if len(octets) < SCALAR:
        return set()

    def counts(marks):
        sums = numpy.concatenate(([0], numpy.cumsum(marks, dtype=numpy.int64)))
        return sums[SCALAR - 1:-1] - sums[:-SCALAR]

    may = (octets[SCALAR - 1:] <= 0x10) & (counts(octets == 0) < 5) & (counts(octets >= 0x80) > 4)
    return {data[start:start + SCALAR] for start in numpy.flatnonzero(may)}


def found(data, points):
    """The names of the points (point → name) whose numbers stand in `data`."""
    point = ctypes.create_string_buffer(SCALAR)
    names = set()
    for number in candidates(data):
        SODIUM.crypto_scalarmult_ristretto255_base(point, number)
        if point.raw in points:
            names.add(points[point.raw])
    return names


class GroupPoints:
    """The points of one member's secrets in a group of 2 of 3 for sr25519 and in what it gives to the next one, collected from the
    messages that are files of a folder.

    The layouts are those of the codes b0 to b9; `index` is the member's.
    """
    THRESHOLD, MEMBERS = 2, 3

    def __init__(self, index):
        self.index, self.points = index, {}

    def read(self, folder):
        """Takes every message that is there; one that was read before changes nothing."""
        for file in sorted(folder.glob("*.hex")):
            text = file.read_text().split()
            for payload in [bytes.fromhex(line) for line in text if line.startswith("53")]:
                reader = {0xB0: self.card, 0xB2: self.contribution, 0xB5: self.record, 0xB8: self.package, 0xB9: self.share, 0xAB: self.guarded}.get(payload[2])
                if reader and (payload[2] != 0xB0 or file.name.startswith("v-")):
                    reader(payload, file.stem)
            for signature in [bytes.fromhex(line) for line in text if file.stem.startswith("guarded") and len(line) == 2 * 65]:
                self.add(signature[1:1 + SCALAR], "the nonce of the guarded signature")

    def add(self, point, name):
        """A secret that may be nowhere."""
        self.points[point] = name

    def card(self, payload, _):
        """b0: the host key."""
        self.add(payload[4:36], "the host key")

    def contribution(self, payload, _):
        """b2: what its sender drew, and what each receiver gets."""
        sender, at = payload[36], 37
        fields = [payload[start:start + SCALAR] for start in range(at, len(payload) - 64, SCALAR)]
        ephemeral, commitments, proof, sealed = fields[0], fields[1:3], fields[3], fields[5:]
        # The key is shared out anew to two members.
        if len(sealed) not in (self.MEMBERS, 2):
            raise ValueError("a contribution of another group")
        if sender == self.index:
            self.add(ephemeral, "the ephemeral key")
            self.add(proof, "the nonce of the proof of possession")
            for power, commitment in enumerate(commitments):
                self.add(commitment, f"coefficient {power}")
        for receiver, number in enumerate(sealed, 1):
            if self.index in (sender, receiver):
                part = evaluated(commitments, receiver)
                self.add(part, f"the part of {sender} for {receiver}")
                self.add(subtracted(base(number), part), f"the pad from {sender} to {receiver}")

    def record(self, payload, _):
        """b5: the share, and the sum of the pads around it."""
        at = 6 + int.from_bytes(payload[4:6], "little") + SCALAR
        commitments = [payload[at + SCALAR * k:at + SCALAR * (k + 1)] for k in range(self.THRESHOLD)]
        share = evaluated(commitments, self.index)
        at += SCALAR * (self.THRESHOLD + self.MEMBERS + self.index - 1)
        self.add(share, "the share")
        self.add(subtracted(base(payload[at:at + SCALAR]), share), "the sum of the pads")

    def package(self, payload, name):
        """b8 with one entry: the nonces of an offer."""
        if int.from_bytes(payload[36:38], "little") == 1 << self.index - 1:
            self.pair(payload[38:102], name)

    def share(self, payload, name):
        """b9: nonces that were used."""
        if payload[36] == self.index:
            self.pair(payload[37:101], name)

    def guarded(self, payload, _):
        """ab: the signer's part of the nonce of a guarded signature."""
        self.add(payload[-SCALAR:], "the signer's part of a guarded nonce")

    def pair(self, both, name):
        for point, which in ((both[:SCALAR], "first"), (both[SCALAR:], "second")):
            self.add(point, f"the {which} nonce of {name}")
