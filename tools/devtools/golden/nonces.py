"""Freezes reproducible sr25519 signatures and seeds of machine parts, computed here from the descriptions of Merlin, STROBE and schnorrkel.

Nothing of the Swift code is used: Keccak, STROBE and Merlin are written here, in another shape, and the group is Ristretto255 of Debian's libsodium. The
first signature of schnorrkel that fixtures/keys/sr25519.json has is verified here before anything is written, so that this program is right about others'
signatures too. Seeds are computed by hashlib.
"""
import ctypes
import hashlib
import json

from ..common import ROOT

OUT = ROOT / "fixtures/keys"
ORDER = 2**252 + 27742317777372353535851937790883648493
MASK = 2**64 - 1
RATE = 166

# ---- Keccak-f[1600], by FIPS 202


def rotated(lane, by):
    return (lane << by | lane >> (64 - by)) & MASK if by else lane


def offsets():
    found, (x, y) = {(0, 0): 0}, (1, 0)
    for step in range(24):
        found[x, y] = (step + 1) * (step + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return found


def round_constants():
    bits, register = [], 1
    for _ in range(7 * 24):
        bits.append(register & 1)
        register = register << 1 ^ (0x171 if register >> 7 else 0)
    return [sum(bits[7 * number + j] << (2**j - 1) for j in range(7)) for number in range(24)]


OFFSETS, CONSTANTS = offsets(), round_constants()


def permuted(state):
    lanes = {(x, y): int.from_bytes(state[8 * (x + 5 * y):][:8], "little") for x in range(5) for y in range(5)}
    for constant in CONSTANTS:
        columns = [lanes[x, 0] ^ lanes[x, 1] ^ lanes[x, 2] ^ lanes[x, 3] ^ lanes[x, 4] for x in range(5)]
        moved = {}
        for (x, y), lane in lanes.items():
            moved[y, (2 * x + 3 * y) % 5] = rotated(lane ^ columns[x - 1] ^ rotated(columns[(x + 1) % 5], 1), OFFSETS[x, y])
        lanes = {(x, y): moved[x, y] ^ (~moved[(x + 1) % 5, y] & MASK & moved[(x + 2) % 5, y]) for x, y in moved}
        lanes[0, 0] ^= constant
    return bytearray(b"".join(lanes[x, y].to_bytes(8, "little") for y in range(5) for x in range(5)))


# ---- STROBE-128 and Merlin, by strobe.sourceforge.io/specs and merlin.cool

INBOUND, APPLICATION, CIPHER, META = 1, 2, 4, 16


class Transcript:
    def __init__(self, label):
        self.state, self.place, self.start = permuted(bytes([1, RATE + 2, 1, 0, 1, 96]) + b"STROBEv1.0.2" + bytes(182)), 0, 0
        self.operate(META | APPLICATION, b"Merlin v1.0")
        self.append(b"dom-sep", label)

    def copy(self):
        other = object.__new__(Transcript)
        other.state, other.place, other.start = bytearray(self.state), self.place, self.start
        return other

    def end(self):
        for place, byte in ((self.place, self.start), (self.place + 1, 4), (RATE + 1, 0x80)):
            self.state[place] ^= byte
        self.state, self.place, self.start = permuted(self.state), 0, 0

    def put(self, data, overwrites=False):
        for byte in data:
            self.state[self.place] = byte if overwrites else self.state[self.place] ^ byte
            self.place += 1
            if self.place == RATE:
                self.end()

    def begin(self, flags):
        before, self.start = self.start, self.place + 1
        self.put([before, flags])
        if flags & CIPHER and self.place:
            self.end()

    def operate(self, flags, data):
        self.begin(flags)
        self.put(data, overwrites=bool(flags & CIPHER))

    def labelled(self, label, length):
        self.operate(META | APPLICATION, label)
        self.put(length.to_bytes(4, "little"))

    def append(self, label, data):
        self.labelled(label, len(data))
        self.operate(APPLICATION, data)

    def drawn(self, count):
        self.begin(INBOUND | APPLICATION | CIPHER)
        out = bytearray()
        for _ in range(count):
            out.append(self.state[self.place])
            self.put(b"\0", overwrites=True)
        return bytes(out)

    def challenge(self, label, count):
        self.labelled(label, count)
        return self.drawn(count)

    def witness(self, label, secret, randomness, count):
        fork = self.copy()
        fork.labelled(label, len(secret))
        fork.operate(APPLICATION | CIPHER, secret)
        fork.operate(META | APPLICATION, b"rng")
        fork.operate(APPLICATION | CIPHER, randomness)
        fork.operate(META | APPLICATION, count.to_bytes(4, "little"))
        return fork.drawn(count)


# ---- schnorrkel's signatures

SODIUM = ctypes.CDLL("libsodium.so.23")


def times(scalar, point=None):
    out, number = ctypes.create_string_buffer(32), scalar.to_bytes(32, "little")
    status = SODIUM.crypto_scalarmult_ristretto255(out, number, point) if point else SODIUM.crypto_scalarmult_ristretto255_base(out, number)
    assert status == 0
    return out.raw


def plus(one, other):
    out = ctypes.create_string_buffer(32)
    assert SODIUM.crypto_core_ristretto255_add(out, one, other) == 0
    return out.raw


def expanded(mini):
    """The scalar and the nonce of a mini secret."""
    wide = bytearray(hashlib.sha512(mini).digest())
    wide[0] &= 248
    wide[31] = wide[31] & 63 | 64
    return int.from_bytes(wide[:32], "little") >> 3, bytes(wide[32:])


def transcript(context, message, public):
    made = Transcript(b"SigningContext")
    made.append(b"", context)
    made.append(b"sign-bytes", message)
    made.append(b"proto-name", b"Schnorr-sig")
    made.append(b"sign:pk", public)
    return made


def challenge(made, point):
    made.append(b"sign:R", point)
    return int.from_bytes(made.challenge(b"sign:c", 64), "little") % ORDER


def verifies(signature, message, public):
    scalar = int.from_bytes(signature[32:63] + bytes([signature[63] & 127]), "little")
    k = challenge(transcript(b"substrate", message, public), signature[:32])
    return plus(times(scalar), times(ORDER - k, public)) == signature[:32]


def reproducible(mini, context, message):
    scalar, nonce = expanded(mini)
    public = times(scalar)
    made = transcript(context, message, public)
    secret = scalar.to_bytes(32, "little") + nonce
    r = int.from_bytes(made.witness(b"heliograph-reproducible", secret, bytes(32), 64), "little") % ORDER
    point = times(r)
    s = (challenge(made, point) * scalar + r) % ORDER
    return public, point + (s | 1 << 255).to_bytes(32, "little")


def signatures():
    for number in range(24):
        mini = hashlib.sha256(b"reproducible %d" % number).digest()
        message = hashlib.shake_256(mini).digest((0, 1, 32, 165, 166, 167, 300, 1024)[number % 8])
        context = (b"substrate", b"heliograph")[number % 2]
        public, signature = reproducible(mini, context, message)
        yield {"id": number, "seed": mini.hex(), "context": context.decode(), "publicKey": public.hex(), "message": message.hex(),
               "signature": signature.hex()}


# ---- Seeds


def framed(*parts):
    return b"".join(len(part).to_bytes(8, "little") + part for part in parts)


def keyed(domain, length, *parts):
    return hashlib.blake2b(framed(*parts), digest_size=length, key=domain).digest()


def seeds():
    sources = {"kernel": 64, "jitter": 64, "processor": 32}
    for number in range(16):
        # The last four have every source, and two of them one less.
        if number == 12:
            sources |= {"tpm": 32, "camera": 64}
        drawn = {name: hashlib.shake_256(b"%d %s" % (number, name.encode())).digest(length) for name, length in sources.items()
                 if number % 4 == 0 or number % 4 != list(sources).index(name) + 1}
        if number >= 14:
            del drawn[("tpm", "camera")[number % 2]]
        rolls = hashlib.shake_256(b"rolls %d" % number).digest(300)
        text = ("", "".join(str(byte % 6 + 1) for byte in rolls[: 50 + number]), "".join("ht"[byte & 1] for byte in rolls[: 128 + number]))[number % 3]
        part = keyed(b"heliograph machine part", 32, *(piece for name, data in drawn.items() for piece in (name.encode(), data)))
        words = (12, 15, 18, 21, 24)[number % 5]
        yield {"id": number, "sources": [{"name": name, "bytes": data.hex()} for name, data in drawn.items()], "rolls": text, "words": words,
               "part": part.hex(), "commitment": keyed(b"heliograph seed commitment", 32, part).hex(),
               "entropy": keyed(b"heliograph seed entropy", words // 3 * 4, part, text.encode()).hex()}


def write(name, cases):
    (OUT / name).write_text("[\n" + ",\n".join("  " + json.dumps(case) for case in cases) + "\n]\n")


def run(options):
    known = next(case for case in json.loads((OUT / "sr25519.json").read_text()) if "signature" in case)
    assert verifies(*(bytes.fromhex(known[name]) for name in ("signature", "message", "publicKey"))), "a signature of schnorrkel does not verify here"
    write("reproducible.json", signatures())
    write("seed-parts.json", seeds())
    return 0
