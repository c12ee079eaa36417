"""A FIDO2 security key in software, behind a terminal pair: CTAP2 with hmac-secret, and a PIN if it is given one.

The debug build of `heliograph-hardware` takes the terminal as the node of a security key (`HELIOGRAPH_KEY_EMULATOR`); a release has no such setting. Written
from CTAP 2.1: 6.1 makeCredential, 6.2 getAssertion, 6.5 clientPIN with PIN protocol one, 11.2 USB HID, 12.5 hmac-secret. It keeps every message.
"""
import hashlib
import hmac
import os
import pty
import secrets
import struct
import termios
import threading
import tty

REPORT = 64
INIT, CBOR, KEEPALIVE, ERROR = 0x86, 0x90, 0xBB, 0xBF
MAKE, ASSERT, INFO, PIN = 1, 2, 4, 6
OK, NO_CREDENTIALS, PIN_INVALID, PIN_BLOCKED, PIN_AUTH_INVALID, PIN_NOT_SET, PIN_REQUIRED = 0, 0x2E, 0x31, 0x32, 0x33, 0x35, 0x36
UNSUPPORTED, ACTION_TIMEOUT, NOT_ALLOWED = 0x2C, 0x3A, 0x30


# ---- CBOR, as far as CTAP2 needs it


def head(kind, number):
    """The first bytes of an item."""
    for limit, mark, form in ((24, None, ""), (1 << 8, 24, ">B"), (1 << 16, 25, ">H"), (1 << 32, 26, ">I")):
        if number < limit:
            return bytes([kind << 5 | number]) if mark is None else bytes([kind << 5 | mark]) + struct.pack(form, number)
    raise ValueError(number)


def encode(value):
    if isinstance(value, bool):
        return bytes([0xF5 if value else 0xF4])
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(encode, value))
    # The canonical order of CTAP2: by the length of the key's bytes, then by the bytes.
    items = sorted(((encode(key), encode(item)) for key, item in value.items()), key=lambda pair: (pair[0][0] >> 5, len(pair[0]), pair[0]))
    return head(5, len(items)) + b"".join(key + item for key, item in items)


def decode(data, at=0):
    """An item and where the next one is."""
    kind, low = data[at] >> 5, data[at] & 31
    at += 1
    if low >= 24:
        size = 1 << (low - 24)
        number, at = int.from_bytes(data[at:at + size], "big"), at + size
    else:
        number = low
    if kind in (0, 1):
        return (number if kind == 0 else -1 - number), at
    if kind in (2, 3):
        part = bytes(data[at:at + number])
        return (part if kind == 2 else part.decode()), at + number
    if kind == 4:
        found = []
        for _ in range(number):
            item, at = decode(data, at)
            found.append(item)
        return found, at
    if kind == 5:
        found = {}
        for _ in range(number):
            key, at = decode(data, at)
            found[key], at = decode(data, at)
        return found, at
    return {20: False, 21: True}[low], at


class Refused(Exception):
    """A status other than success."""


class SecurityKey:
    """A key with its credentials, and the wires to it."""

    def __init__(self, pin=None):
        from Crypto.PublicKey import ECC

        self.curve = ECC
        self.credentials, self.seen, self.touches = {}, [], 0
        # Of each credential two: for who was verified, and for who only touched it.
        self.pin, self.retries, self.agreement, self.token = pin, 8, ECC.generate(curve="P-256"), secrets.token_bytes(32)
        self.is_touched, self.is_silent, self.has_secrets = True, False, True
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.path = os.ttyname(self.slave)
        threading.Thread(target=self.carry, daemon=True).start()

    def drop(self):
        """After a program was killed."""
        termios.tcflush(self.slave, termios.TCIOFLUSH)

    # -- USB HID

    def carry(self):
        pending, message, channel, command, wanted = b"", b"", b"", 0, 0
        while True:
            pending += os.read(self.master, 8192)
            # The number of the report stands before each.
            while len(pending) >= REPORT + 1:
                report, pending = pending[1:REPORT + 1], pending[REPORT + 1:]
                if report[4] & 0x80:
                    channel, command, wanted = report[:4], report[4], struct.unpack(">H", report[5:7])[0]
                    message = report[7:]
                else:
                    message += report[5:]
                if len(message) >= wanted and not self.is_silent:
                    self.answer(channel, command, message[:wanted])
                    message, wanted = b"", 1 << 20

    def send(self, channel, command, payload):
        parts = [channel + bytes([command]) + struct.pack(">H", len(payload)) + payload[:REPORT - 7]]
        rest, number = payload[REPORT - 7:], 0
        while rest:
            parts.append(channel + bytes([number]) + rest[:REPORT - 5])
            rest, number = rest[REPORT - 5:], number + 1
        os.write(self.master, b"".join(part.ljust(REPORT, b"\0") for part in parts))

    def answer(self, channel, command, message):
        if command == INIT:
            # Version 2, CBOR and no U2F.
            return self.send(channel, INIT, message + b"\1\2\3\4" + bytes([2, 1, 0, 0, 0x0C]))
        if command != CBOR:
            return self.send(channel, ERROR, b"\1")
        try:
            question = decode(message, 1)[0] if len(message) > 1 else {}
            reply = {MAKE: self.make, ASSERT: self.assertion, INFO: self.info, PIN: self.client_pin}[message[0]](question)
            reply = bytes([OK]) + encode(reply)
        except Refused as refused:
            reply = bytes([refused.args[0]])
        self.seen.append((message, reply))
        return self.send(channel, CBOR, reply)

    # -- CTAP2

    def info(self, _):
        extensions = ["hmac-secret"] if self.has_secrets else ["credProtect"]
        return {1: ["FIDO_2_0"], 2: extensions, 3: bytes(16), 4: {"rk": True, "up": True, "clientPin": self.pin is not None}, 5: 1200, 6: [1]}

    def cose(self, point):
        return {1: 2, 3: -25, -1: 1, -2: int(point.x).to_bytes(32, "big"), -3: int(point.y).to_bytes(32, "big")}

    def shared(self, other):
        point = self.curve.EccPoint(int.from_bytes(other[-2], "big"), int.from_bytes(other[-3], "big"), curve="P-256")
        return hashlib.sha256(int((point * self.agreement.d).x).to_bytes(32, "big")).digest()

    @staticmethod
    def cipher(key):
        from Crypto.Cipher import AES

        return AES.new(key, AES.MODE_CBC, bytes(16))

    def client_pin(self, question):
        if question[2] == 1:
            return {3: self.retries}
        if question[2] == 2:
            return {1: self.cose(self.agreement.public_key().pointQ)}
        if question[2] != 5:
            raise Refused(UNSUPPORTED)
        if self.pin is None:
            raise Refused(PIN_NOT_SET)
        if self.retries == 0:
            raise Refused(PIN_BLOCKED)
        shared = self.shared(question[3])
        self.retries -= 1
        if self.cipher(shared).decrypt(question[6]) != hashlib.sha256(self.pin.encode()).digest()[:16]:
            # A key agrees on another secret after a wrong PIN.
            self.agreement = self.curve.generate(curve="P-256")
            raise Refused(PIN_BLOCKED if self.retries == 0 else PIN_INVALID)
        self.retries = 8
        return {2: self.cipher(shared).encrypt(self.token)}

    def verified(self, given, challenge):
        """Whether the PIN stands behind a question."""
        if given is None:
            return False
        if not hmac.compare_digest(hmac.digest(self.token, challenge, "sha256")[:16], given):
            raise Refused(PIN_AUTH_INVALID)
        return True

    def touch(self):
        if not self.is_touched:
            raise Refused(ACTION_TIMEOUT)
        self.touches += 1

    def make(self, question):
        verified = self.verified(question.get(8), question[1])
        if self.pin is not None and not verified:
            raise Refused(PIN_REQUIRED)
        self.touch()
        name, pair = secrets.token_bytes(48), self.curve.generate(curve="P-256")
        self.credentials[name] = (question[2]["id"], pair, secrets.token_bytes(32), secrets.token_bytes(32))
        public = {1: 2, 3: -7, -1: 1, -2: int(pair.pointQ.x).to_bytes(32, "big"), -3: int(pair.pointQ.y).to_bytes(32, "big")}
        data = hashlib.sha256(question[2]["id"].encode()).digest() + bytes([0xC1 | verified << 2]) + bytes(4)
        data += bytes(16) + struct.pack(">H", len(name)) + name + encode(public) + encode({"hmac-secret": True})
        return {1: "packed", 2: data, 3: {"alg": -7, "sig": self.sign(pair, data + question[1])}}

    def sign(self, pair, data):
        from Crypto.Hash import SHA256
        from Crypto.Signature import DSS

        return DSS.new(pair, "fips-186-3", encoding="der").sign(SHA256.new(data))

    def assertion(self, question):
        known = [item["id"] for item in question[3] if self.credentials.get(item["id"], ("",))[0] == question[1]]
        if not known:
            raise Refused(NO_CREDENTIALS)
        verified = self.verified(question.get(6), question[2])
        is_touched = question.get(5, {}).get("up", True)
        if is_touched:
            self.touch()
        _, pair, with_pin, without = self.credentials[known[0]]
        given, made = question.get(4, {}).get("hmac-secret"), b""
        if given:
            if not is_touched:
                raise Refused(UNSUPPORTED)
            shared = self.shared(given[1])
            if hmac.digest(shared, given[2], "sha256")[:16] != given[3]:
                raise Refused(PIN_AUTH_INVALID)
            salt = self.cipher(shared).decrypt(given[2])
            secret = hmac.digest(with_pin if verified else without, salt[:32], "sha256")
            made = encode({"hmac-secret": self.cipher(shared).encrypt(secret)})
        data = hashlib.sha256(question[1].encode()).digest() + bytes([is_touched | verified << 2 | (0x80 if made else 0)]) + bytes(4) + made
        return {1: {"id": known[0], "type": "public-key"}, 2: data, 3: self.sign(pair, data + question[2])}
