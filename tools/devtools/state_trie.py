"""A state trie and its values, made by their definition: what the stand-in node proves to whom asks it.

Keys and values are written by `fixtures/state/layouts.tsv`, the table that `tools/dev state-layouts` makes from files of metadata; nodes and hashes follow the
Polkadot specification's chapter on state.
"""
import functools
import hashlib
import struct

import xxhash

from .common import FIXTURES, compact

# Values of this many bytes and more stand outside their node in state version 1.
HASHED_VALUE = 33


def blake2(data, size=32):
    return hashlib.blake2b(data, digest_size=size).digest()


def twox(data, words=2):
    return b"".join(xxhash.xxh64(data, seed=seed).intdigest().to_bytes(8, "little") for seed in range(words))


def concat(data):
    """A part of a key behind its BLAKE2b-128."""
    return blake2(data, 16) + data


def twox_concat(data):
    """A part of a key behind its XXH64."""
    return twox(data, 1) + data


# MARK: The table of layouts

class Shape:
    """The layout of a key or a value, read from the words of the table."""

    def __init__(self, text):
        self.text, self.place = text, 0
        self.shape = self.read()
        assert self.place == len(text), text

    def took(self, word):
        if self.text.startswith(word, self.place):
            self.place += len(word)
            return True
        return False

    def word(self, stops):
        start = self.place
        while self.place < len(self.text) and self.text[self.place] not in stops:
            self.place += 1
        return self.text[start:self.place]

    def read(self):
        if self.took("{"):
            fields = []
            while not self.took("}"):
                start = self.place
                name = self.word(":,{}[]<>()")
                if not self.took(": "):
                    name, self.place = "", start
                fields.append((name, self.read()))
                self.took(", ")
            return "record", fields
        if self.took("["):
            inner = self.read()
            count = int(self.word("]")) if self.took("; ") else None
            assert self.took("]"), self.text
            return ("vector", inner) if count is None else ("array", count, inner)
        if self.took("<"):
            choices = {}
            while not self.took(">"):
                if not self.took("…"):
                    index, _, name = self.word(" "), self.took(" "), self.word(" (>")
                    choices[name] = int(index), self.list() if self.took("(") else []
                self.took(" | ")
            return "choice", choices
        if self.took("compact("):
            inner = self.read()
            assert self.took(")"), self.text
            return "compact", inner
        return "primitive", self.word(",;}]>)")

    def list(self):
        shapes = []
        while not self.took(")"):
            shapes.append(self.read())
            self.took(", ")
        return shapes


def encode(shape, value):
    """A value in a shape: a record is a list of its fields or a dictionary, a choice a name or a number, alone or with a list of its fields."""
    kind = shape[0]
    if kind == "record":
        fields = [value[name] for name, _ in shape[1]] if isinstance(value, dict) else value
        assert len(fields) == len(shape[1]), (shape, value)
        return b"".join(encode(inner, field) for (_, inner), field in zip(shape[1], fields))
    if kind == "choice":
        name, fields = value if isinstance(value, tuple) else (value, [])
        # Numbers without a name are other choices of a list that the table leaves open.
        index, inner = (name, []) if isinstance(name, int) else shape[1][name]
        return bytes([index]) + b"".join(encode(one, field) for one, field in zip(inner, fields, strict=True))
    if kind == "compact":
        return compact(value)
    if kind == "vector":
        return compact(len(value)) + (value if isinstance(value, bytes) else b"".join(encode(shape[1], one) for one in value))
    if kind == "array":
        assert len(value) == shape[1], (shape, value)
        return value if isinstance(value, bytes) else b"".join(encode(shape[2], one) for one in value)
    if shape[1] == "str":
        return compact(len(value.encode())) + value.encode()
    if shape[1] == "…":
        return value
    return int(value).to_bytes(1 if shape[1] == "bool" else int(shape[1][1:]) // 8, "little")


HASHERS = {"blake2_128_concat": concat, "twox_64_concat": twox_concat}


@functools.cache
def rows(chain, version):
    """Of each entry: hashers, the shape of its key and of its value."""
    found = {}
    for line in (FIXTURES / "state/layouts.tsv").read_text().splitlines():
        of_chain, of_version, entry, hashers, key_shape, shape = line.split("\t")
        if (of_chain, of_version) == (chain, str(version)):
            found[entry] = [] if hashers == "-" else hashers.split(), Shape(key_shape).shape, Shape(shape).shape
    return found


class Layouts:
    """Storage as one chain has it at one version."""

    def __init__(self, chain="polkadot", version=2003000):
        self.rows = rows(chain, version)

    def key(self, entry, *parts):
        hashers, shape, _ = self.rows[entry]
        shapes = [shape] if len(hashers) == 1 else [inner for _, inner in shape[1]] if hashers else []
        pallet, name = entry.split(".")
        hashed = (HASHERS[hasher](encode(inner, part)) for hasher, inner, part in zip(hashers, shapes, parts, strict=True))
        return twox(pallet.encode()) + twox(name.encode()) + b"".join(hashed)

    def put(self, entry, *parts, value):
        return {self.key(entry, *parts): encode(self.rows[entry][2], value)}

    def runtime(self, name, version):
        return self.put("System.LastRuntimeUpgrade", value=[version, name])

    def time(self, milliseconds):
        return self.put("Timestamp.Now", value=milliseconds)

    def account(self, public, nonce=0, free=0, reserved=0, frozen=0, flags=1 << 127):
        return self.put("System.Account", public, value=[nonce, 1, 1, 0, [free, reserved, frozen, flags]])


# MARK: The trie

def nibbles(data):
    return [half for byte in data for half in (byte >> 4, byte & 15)]


def partial(kind, bits, path):
    """The first byte of a node, the rest of the length of its partial key, and the key."""
    most = (1 << bits) - 1
    if len(path) < most:
        head = bytes([kind | len(path)])
    else:
        left = len(path) - most
        head = bytes([kind | most]) + b"\xff" * (left // 255) + bytes([left % 255])
    padded = path if len(path) % 2 == 0 else [0, *path]
    return head + bytes(high << 4 | low for high, low in zip(padded[::2], padded[1::2]))


class Trie:
    """The nodes of a state, each with the nibbles that lead to it."""

    def __init__(self, values, version=1):
        self.version = version
        # Hash: the bytes of a node, or of a value outside its node.
        self.nodes = {}
        # The path to a node or value, and its hash.
        self.places = []
        pairs = sorted((nibbles(place), value) for place, value in values.items())
        self.root = self.store(self.node(pairs, []) if pairs else b"\0", [])

    def store(self, data, path):
        found = blake2(data)
        self.nodes[found] = data
        self.places.append((path, found))
        return found

    def node(self, pairs, path):
        """The encoding of the node above these pairs, whose keys start behind `path`."""
        first, last = pairs[0][0], pairs[-1][0]
        length = next((place for place, (one, other) in enumerate(zip(first, last)) if one != other), min(len(first), len(last)))
        here = path + first[:length]
        value = next((value for place, value in pairs if len(place) == length), None)
        below = [(place[length:], value) for place, value in pairs if len(place) > length]
        is_hashed = value is not None and self.version == 1 and len(value) >= HASHED_VALUE
        stored = b"" if value is None else self.store(value, here) if is_hashed else compact(len(value)) + value
        if not below:
            return partial(0x20 if is_hashed else 0x40, 5 if is_hashed else 6, first[:length]) + stored
        kind, bits = (0x10, 4) if is_hashed else (0x80, 6) if value is None else (0xC0, 6)
        bitmap, children = 0, b""
        for nibble in range(16):
            inner = [(place[1:], value) for place, value in below if place[0] == nibble]
            if not inner:
                continue
            bitmap |= 1 << nibble
            data = self.node(inner, [*here, nibble])
            child = data if len(data) < 32 else self.store(data, [*here, nibble])
            children += compact(len(child)) + child
        return partial(kind, bits, first[:length]) + struct.pack("<H", bitmap) + stored + children

    def proof(self, keys):
        """Nodes and values on the way to these keys, in no order that means anything."""
        ways = {tuple(way[:length]) for way in map(nibbles, keys) for length in range(len(way) + 1)}
        found = {place for path, place in self.places if tuple(path) in ways}
        return [self.nodes[place] for place in sorted(found)]


# MARK: Reading

class Reader:
    """Reads keys by a payload's nodes, each taken when its hash is asked for: a second reading of the specification beside the program's own."""

    def __init__(self, nodes):
        self.left, self.seen = list(nodes), {}

    def fetch(self, wanted):
        if wanted not in self.seen:
            node = self.left.pop(0)
            assert blake2(node) == wanted, "another node than the walk asks for"
            self.seen[wanted] = node
        return self.seen[wanted]

    def read(self, root, key):
        """The value under a key; None where every node of its path says that there is none."""
        node, path = self.fetch(root), nibbles(key)
        while True:
            own, value, children = self.parts(node)
            if path[:len(own)] != own:
                return None
            path = path[len(own):]
            if not path:
                return self.fetch(value[1]) if value and value[0] == "hash" else value and value[1]
            child = children.get(path[0])
            if child is None:
                return None
            node, path = (self.fetch(child) if len(child) == 32 else child), path[1:]

    @staticmethod
    def parts(node):
        """The nibbles of a node, its value and its children."""
        if node == b"\0":
            return [], None, {}
        place = 1

        def took(count):
            nonlocal place
            place += count
            return node[place - count:place]

        def vector():
            first = took(1)[0]
            return took(first >> 2 if first & 3 == 0 else (first | took(1)[0] << 8) >> 2)
        bits = 6 if node[0] >> 6 else 5 if node[0] >> 5 else 4
        length = node[0] & (1 << bits) - 1
        more = 255 if length == (1 << bits) - 1 else 0
        while more == 255:
            more = took(1)[0]
            length += more
        own = nibbles(took((length + 1) // 2))[length % 2:]
        is_branch, is_hashed = node[0] >> 7 == 1 or bits == 4, bits < 6
        bitmap = int.from_bytes(took(2), "little") if is_branch else 0
        value = ("hash", took(32)) if is_hashed else ("inline", vector()) if node[0] >> 6 != 2 else None
        children = {nibble: vector() for nibble in range(16) if bitmap >> nibble & 1}
        assert place == len(node), "bytes are left over"
        return own, value, children


# MARK: Blocks

def header(number, root, logs=(), parent=bytes(32)):
    """The parts of a header, as a node sends them and as its hash covers them."""
    extrinsics = blake2(b"the transactions of " + str(number).encode())
    encoded = parent + compact(number) + root + extrinsics + compact(len(logs)) + b"".join(logs)
    parts = {"parentHash": "0x" + parent.hex(), "number": hex(number), "stateRoot": "0x" + root.hex(), "extrinsicsRoot": "0x" + extrinsics.hex(),
             "digest": {"logs": ["0x" + log.hex() for log in logs]}}
    return parts, encoded
