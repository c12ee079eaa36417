"""Freezes digests and proofs of the fixture runtime's metadata, computed here from the text of RFC-0078.

Nothing of the Swift code is used: BLAKE3, the decoder of metadata 15 and 16, the tree and the choice of leaves are written here, in another shape. Where the
shared data exists, the published digest and the published transaction's proof are computed first, so that this program is right about others' answers too.
"""
import hashlib
import json
import pathlib
import tempfile

from ..common import BOB, ROOT, compact, shared_data, string
from ..fixture_network import write

OUT = ROOT / "fixtures/fixture-runtime/rfc78.json"
MASK = 0xFFFFFFFF

# ---- BLAKE3, by its paper

IV = [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19]
PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]
COLUMNS = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
DIAGONALS = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
CHUNK_START, CHUNK_END, PARENT, ROOT_FLAG = 1, 2, 4, 8


def compress(chain, block, counter, length, flags):
    words = [int.from_bytes(block[i : i + 4], "little") for i in range(0, 64, 4)]
    state = [*chain, *IV[:4], counter & MASK, counter >> 32, length, flags]
    for _ in range(7):
        for number, (a, b, c, d) in enumerate(COLUMNS + DIAGONALS):
            for word, (first, second) in zip(words[2 * number : 2 * number + 2], ((16, 12), (8, 7))):
                state[a] = (state[a] + state[b] + word) & MASK
                x = state[d] ^ state[a]
                state[d] = (x >> first | x << (32 - first)) & MASK
                state[c] = (state[c] + state[d]) & MASK
                x = state[b] ^ state[c]
                state[b] = (x >> second | x << (32 - second)) & MASK
        words = [words[i] for i in PERMUTATION]
    return [low ^ high for low, high in zip(state[:8], state[8:])]


def chunk(data, counter, last):
    blocks = [data[i : i + 64] for i in range(0, len(data), 64)] or [b""]
    chain = IV
    for number, block in enumerate(blocks):
        flags = (CHUNK_START if number == 0 else 0) | (CHUNK_END | last if number == len(blocks) - 1 else 0)
        chain = compress(chain, block.ljust(64, b"\0"), counter, len(block), flags)
    return chain


def chaining(data, counter, last):
    if len(data) <= 1024:
        return chunk(data, counter, last)
    left = 1024
    while left * 2 < len(data):
        left *= 2
    pair = chaining(data[:left], counter, 0) + chaining(data[left:], counter + left // 1024, 0)
    return compress(IV, b"".join(word.to_bytes(4, "little") for word in pair), 0, 64, PARENT | last)


def blake3(data):
    return b"".join(word.to_bytes(4, "little") for word in chaining(data, 0, ROOT_FLAG))


# ---- SCALE, metadata 15 and 16


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        part = self.data[self.at : self.at + count]
        assert len(part) == count, "truncated"
        self.at += count
        return part

    def integer(self, width):
        return int.from_bytes(self.take(width), "little")

    def compact(self):
        mode = self.data[self.at] & 3
        if mode == 3:
            return self.integer(self.integer(1) // 4 + 4)
        return self.integer(1 << mode) >> 2

    def text(self):
        return self.take(self.compact())

    def list(self, read):
        return [read() for _ in range(self.compact())]

    def option(self, read):
        return read() if self.integer(1) else None


PRIMITIVES = ["bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "u256", "i8", "i16", "i32", "i64", "i128", "i256"]
WIDTHS = {"bool": 1, "char": 4} | {sign + str(bits): bits // 8 for sign in "ui" for bits in (8, 16, 32, 64, 128, 256)}


def read_type(r):
    """Number, path, kind and content of one portable type."""
    number, path = r.compact(), r.list(r.text)
    r.list(lambda: (r.text(), r.option(r.compact)))

    def fields():
        def field():
            found = r.option(r.text), r.compact(), r.option(r.text)
            r.list(r.text)
            return found

        return r.list(field)

    def variant():
        name, content, index = r.text(), fields(), r.integer(1)
        r.list(r.text)
        return index, name, content

    kind = ["composite", "enum", "sequence", "array", "tuple", "primitive", "compact", "bits"][r.integer(1)]
    content = {
        "composite": fields, "enum": lambda: sorted(r.list(variant)), "sequence": r.compact, "array": lambda: (r.integer(4), r.compact()),
        "tuple": lambda: r.list(r.compact), "primitive": lambda: PRIMITIVES[r.integer(1)], "compact": r.compact,
        "bits": lambda: (r.compact(), r.compact()),
    }[kind]()
    r.list(r.text)
    return number, (path, kind, content)


def skip_pallet(r, version):
    def deprecation():
        # Version 16: none, without a note, or with a note and perhaps a version.
        if version == 16 and r.integer(1) == 2:
            r.text(), r.option(r.text)

    def end():
        r.list(r.text), deprecation()

    def kind():
        # A type; version 16 marks variants of it as deprecated.
        r.compact()
        if version == 16:
            r.list(lambda: (r.integer(1), deprecation()))

    def entry():
        r.text(), r.integer(1)
        if r.integer(1):
            r.list(lambda: r.integer(1)), r.compact(), r.compact()
        else:
            r.compact()
        r.text(), end()

    def view_function():
        r.take(32), r.text(), r.list(lambda: (r.text(), r.compact())), r.compact(), end()

    r.text()
    r.option(lambda: (r.text(), r.list(entry)))
    r.option(kind), r.option(kind)
    r.list(lambda: (r.text(), r.compact(), r.text(), end()))
    r.option(kind)
    if version == 16:
        # Associated types.
        r.list(lambda: (r.text(), r.compact(), r.list(r.text)))
        r.list(view_function)
    r.integer(1), end()


def read_extensions(r):
    return r.list(lambda: (r.text(), r.compact(), r.compact()))


class Metadata:
    def __init__(self, blob):
        r = Reader(blob)
        assert r.take(4) == b"meta"
        version = r.integer(1)
        assert version in (15, 16)
        self.types = dict(r.list(lambda: read_type(r)))
        r.list(lambda: skip_pallet(r, version))
        if version == 15:
            self.version, self.address, self.call, self.signature, _ = r.integer(1), r.compact(), r.compact(), r.compact(), r.compact()
            self.extensions = read_extensions(r)
        else:
            # Version 16 lists what versions of extrinsics there are, and for each version of the extensions their places in one list.
            versions, self.address, self.call, self.signature = r.list(lambda: r.integer(1)), r.compact(), r.compact(), r.compact()
            orders, listed = dict(r.list(lambda: (r.integer(1), r.list(r.compact)))), read_extensions(r)
            assert 4 in versions
            self.version, self.extensions = 4, [listed[place] for place in orders[0]]
        extrinsic = [self.address, self.call, self.signature, *[t for _, one, other in self.extensions for t in (one, other)]]
        self.numbers = {old: new for new, old in enumerate(sorted(t for t in self.reach(extrinsic) if self.counts(t)))}
        # One leaf a type, or one a variant: (type, index of the variant or None).
        self.leaves = []
        for number in sorted(self.numbers):
            _, kind, content = self.types[number]
            self.leaves += [(number, variant[0]) for variant in content] if kind == "enum" else [(number, None)]

    def reach(self, waiting):
        seen, waiting = set(), list(waiting)
        while waiting:
            number = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            _, kind, content = self.types[number]
            waiting += {
                "composite": lambda: [f[1] for f in content], "enum": lambda: [f[1] for v in content for f in v[2]],
                "sequence": lambda: [content], "array": lambda: [content[1]], "tuple": lambda: content,
            }.get(kind, list)()
        return seen

    def counts(self, number):
        _, kind, content = self.types[number]
        return kind not in ("primitive", "compact") and not (kind in ("composite", "tuple", "enum") and not content)

    def compacted(self, number):
        """What a compact holds in the end: a primitive, or None for nothing."""
        _, kind, content = self.types[number]
        if kind == "primitive":
            return content
        inner = [f[1] for f in content] if kind == "composite" else content
        return self.compacted(inner[0]) if inner else None

    # The leaves of RFC-0078

    def reference(self, number):
        _, kind, content = self.types[number]
        if kind == "primitive":
            return bytes([PRIMITIVES.index(content)])
        if kind == "compact":
            inner = self.compacted(content)
            return bytes([15 + ["u8", "u16", "u32", "u64", "u128", "u256"].index(inner) if inner else 21])
        return b"\x16" + compact(self.numbers[number]) if number in self.numbers else b"\x15"

    def leaf(self, number, index):
        path, kind, content = self.types[number]

        def option(value):
            return b"\0" if value is None else b"\1" + string(value)

        def fields(listed):
            return compact(len(listed)) + b"".join(option(name) + self.reference(of) + option(written) for name, of, written in listed)

        def variant():
            _, name, listed = next(v for v in content if v[0] == index)
            return b"\x01" + string(name) + fields(listed) + compact(index)

        def bits():
            store, order = self.types[content[0]][2], self.types[content[1]][0][-1]
            return b"\x05" + bytes([WIDTHS[store], order == b"Lsb0"])

        body = {
            "composite": lambda: b"\x00" + fields(content), "enum": variant, "sequence": lambda: b"\x02" + self.reference(content),
            "array": lambda: b"\x03" + content[0].to_bytes(4, "little") + self.reference(content[1]),
            "tuple": lambda: b"\x04" + compact(len(content)) + b"".join(map(self.reference, content)), "bits": bits,
        }[kind]()
        return compact(len(path)) + b"".join(map(string, path)) + body + compact(self.numbers[number])

    def extrinsic(self):
        out = bytes([self.version]) + b"".join(map(self.reference, (self.address, self.call, self.signature))) + compact(len(self.extensions))
        for name, explicit, implicit in self.extensions:
            out += string(name) + self.reference(explicit) + self.reference(implicit)
        return out

    # Which leaves a value uses

    def use(self, r, number, used):
        _, kind, content = self.types[number]
        if kind == "enum":
            index = r.integer(1)
            used.add((number, index))
            for field in next(v for v in content if v[0] == index)[2]:
                self.use(r, field[1], used)
            return
        if number in self.numbers:
            used.add((number, None))
        if kind == "primitive":
            r.take(r.compact() if content == "str" else WIDTHS[content])
        elif kind == "compact":
            r.compact() if self.compacted(content) else None
        elif kind == "bits":
            raise SystemExit("rfc78: the fixture's calls have no bit sequences")
        else:
            parts = {"composite": lambda: [f[1] for f in content], "tuple": lambda: content, "array": lambda: [content[1]] * content[0],
                     "sequence": lambda: [content] * r.compact()}[kind]()
            for part in parts:
                self.use(r, part, used)

    # The tree: pairs are joined from the end of a queue, and what they make goes to its front

    def tree(self):
        queue = [(blake3(self.leaf(*leaf)), leaf) for leaf in self.leaves]
        while len(queue) > 1:
            right, left = queue.pop(), queue.pop()
            queue.insert(0, (blake3(left[0] + right[0]), (left, right)))
        return queue[0]

    def digest(self, info):
        return blake3(b"\x01" + self.tree()[0] + blake3(self.extrinsic()) + info)

    def proof(self, call, extensions, info, whole=False):
        """The proof of what call and extensions are decoded by; with `whole` also of every type of address and signature."""
        used, r = set(), Reader(call)
        self.use(r, self.call, used)
        assert r.at == len(call)
        r = Reader(extensions)
        for place in (1, 2):
            for extension in self.extensions:
                self.use(r, extension[place], used)
        assert r.at == len(extensions)
        if whole:
            reached = self.reach([self.address, self.signature])
            used |= {leaf for leaf in self.leaves if leaf[0] in reached}
        shown, nodes = [], []

        def has(node):
            return node[1] in used if isinstance(node[1][0], int) else any(map(has, node[1]))

        def walk(node, index, depth):
            if not has(node):
                nodes.append(node[0])
            elif isinstance(node[1][0], int):
                shown.append((-depth, index, node[1]))
            else:
                walk(node[1][0], 2 * index + 1, depth + 1)
                walk(node[1][1], 2 * index + 2, depth + 1)

        walk(self.tree(), 0, 0)
        shown.sort()
        out = compact(len(shown)) + b"".join(self.leaf(*leaf) for _, _, leaf in shown)
        out += compact(len(shown)) + b"".join(index.to_bytes(4, "little") for _, index, _ in shown)
        return out + compact(len(nodes)) + b"".join(nodes) + self.extrinsic() + info


def extra_info(spec_version, spec_name, prefix, decimals, symbol):
    """`ExtraInfo` of the RFC."""
    return spec_version.to_bytes(4, "little") + string(spec_name) + prefix.to_bytes(2, "little") + bytes([decimals]) + string(symbol)


def check_published():
    """The published digest, if the metadata is there."""
    blob = shared_data() / "metadata/polkadot-rfc78-v15.scale"
    if not blob.exists():
        print("rfc78: no shared data, the published digest is not computed")
        return
    found = Metadata(blob.read_bytes()).digest(extra_info(1, "nice", 1, 1, "lol")).hex()
    assert found == "72b3e70cb722edeb45a9380720ecad79b09b4113ab2dee5f5d974f170fb77a7e", found
    print("rfc78: the published digest is computed")


# ---- The fixture

TRANSFER = b"\x05\x03\x00" + BOB + compact(60)
CALLS = {
    "transfer": TRANSFER, "remark": b"\x00\x00" + compact(3) + b"abc", "batch": b"\x1a\x02" + compact(2) + TRANSFER + b"\x00\x07\x00",
    "proxy": b"\x1e\x00\x00" + BOB + b"\x01\x03" + TRANSFER,
    "multisig": b"\x1f\x01" + b"\x02\x00" + compact(1) + BOB + b"\x00" + TRANSFER + compact(9) + compact(10),
    # A list without elements, whose type no other value has.
    "alone": b"\x1f\x01" + b"\x01\x00" + compact(0) + b"\x00" + b"\x00\x00" + compact(3) + b"abc" + compact(9) + compact(10),
}
STANDARD = {"spec_version": 1000, "spec_name": "heliotest", "prefix": 42, "decimals": 12, "symbol": "HLO"}
CHANGED = {"spec_version": 1001, "spec_name": "heliotesu", "prefix": 43, "decimals": 11, "symbol": "HLP"}


def run(options):
    check_published()
    with tempfile.TemporaryDirectory() as folder:
        write(pathlib.Path(folder))
        specs = json.loads(pathlib.Path(folder, "specs.json").read_text())
        blob = pathlib.Path(folder, "metadata-v15.scale").read_bytes()
    metadata = Metadata(blob)
    digest = metadata.digest(extra_info(**STANDARD))
    genesis = bytes.fromhex(specs["genesis_hash"].removeprefix("0x"))
    # Mortal, nonce 7, tip 5, the metadata hash enabled.
    explicit, implicit = b"\x05\x00" + compact(7) + compact(5) + b"\x01", (1000).to_bytes(4, "little") + (3).to_bytes(4, "little")
    implicit += genesis + BOB + b"\x01" + digest
    found = {
        "metadata_blake2b_256": hashlib.blake2b(blob, digest_size=32).hexdigest(), "digest": digest.hex(),
        "changed": {field: metadata.digest(extra_info(**{**STANDARD, field: value})).hex() for field, value in CHANGED.items()},
        "proofs": {
            name: {"call": call.hex(), "extensions": (explicit + implicit).hex(),
                   "proof": metadata.proof(call, explicit + implicit, extra_info(**STANDARD)).hex()}
            for name, call in CALLS.items()
        },
    }
    OUT.write_text(json.dumps(found, indent=2) + "\n")
    return 0
