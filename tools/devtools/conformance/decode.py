"""Compares decoded calls with independent decoders.

Random calls, and every call of the runtime at least once, are made from the peer's own view of the metadata and encoded by the peer:
scalecodec for version 14, bt-decode for version 15. bt-decode encodes no enumeration but Option, so for it the harness writes the index
bytes that bt-decode's view names, and bt-decode decodes the whole call again as the judge. Version 16, which no peer reads, takes the
calls of version 15 of the same runtime where this program finds both to name the same things. Every leaf of our cards is compared with
the value that was encoded, and every call is written back from its decoded values alone.
"""

import collections
import json
import os
import random
import subprocess
import sys

from .. import peers
from ..common import SHIPPED, build, compact, shared_data, shared_file

PEER = None
WIDTHS = {"u8": 8, "u16": 16, "u32": 32, "u64": 64, "u128": 128, "u256": 256}
SIGNED = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "i128": 128, "i256": 256}


class Types:
    """A registry as the peer sees it: a list of type objects in scale-info's JSON form."""

    def __init__(self, types, call, rng):
        self.types, self.call, self.rng = types, call, rng
        self.depths = self.minimal_depths()

    def shape(self, number):
        ((kind, body),) = self.types[number]["def"].items()
        return kind, body

    def path(self, number):
        return self.types[number].get("path") or []

    def fields(self, holder):
        return holder.get("fields") or []

    def variants(self, number):
        return self.shape(number)[1].get("variants") or []

    def parts(self, number):
        """What a value of the type must hold, as alternatives."""
        kind, body = self.shape(number)
        if kind == "composite":
            return [[f["type"] for f in self.fields(body)]]
        if kind == "variant":
            return [[f["type"] for f in self.fields(v)] for v in self.variants(number)]
        if kind == "array":
            return [[body["type"]] if body["len"] else []]
        if kind == "tuple":
            return [list(body)]
        return [[]]

    def minimal_depths(self):
        depths = [None] * len(self.types)
        changed = True
        while changed:
            changed = False
            for number in range(len(self.types)):
                best = None
                for parts in self.parts(number):
                    if all(depths[p] is not None for p in parts):
                        depth = 1 + max((depths[p] for p in parts), default=0)
                        best = depth if best is None else min(best, depth)
                if best is not None and (depths[number] is None or best < depths[number]):
                    depths[number] = best
                    changed = True
        return depths

    # A value is (kind, type, content...); integers of compacts are inside ("compact", type, value).
    def make(self, number, depth):
        kind, body = self.shape(number)
        return getattr(self, "make_" + kind.lower())(number, body, depth)

    def make_primitive(self, number, body, depth):
        rng, body = self.rng, body.lower()
        if body == "bool":
            return ("bool", number, rng.random() < 0.5)
        if body == "str":
            return ("str", number, "".join(rng.choice("abc é☃") for _ in range(rng.randrange(6))))
        if body == "char":
            return ("char", number, rng.choice("aé☃"))
        if body in WIDTHS:
            return ("int", number, self.unsigned(WIDTHS[body]), body)
        bits = SIGNED[body]
        return ("int", number, self.unsigned(bits) - (1 << bits - 1), body)

    def unsigned(self, bits):
        """Every size of number is as likely as any other."""
        return self.rng.choice([0, 1, (1 << bits) - 1, self.rng.getrandbits(self.rng.randrange(1, bits + 1))])

    def integer_of(self, number):
        kind, body = self.shape(number)
        if kind == "primitive":
            return body.lower()
        inner = [f["type"] for f in self.fields(body)] if kind == "composite" else list(body)
        return self.integer_of(inner[0]) if inner else None

    def make_compact(self, number, body, depth):
        integer = self.integer_of(body["type"])
        return ("compact", number, None if integer is None else self.unsigned(WIDTHS[integer]), integer)

    def make_composite(self, number, body, depth):
        return ("record", number, [(f.get("name"), self.make(f["type"], depth + 1)) for f in self.fields(body)])

    def make_tuple(self, number, body, depth):
        return ("tuple", number, [(None, self.make(t, depth + 1)) for t in body])

    def make_variant(self, number, body, depth):
        variants = [v for v in self.variants(number) if self.has_values(v)]
        if depth > 12:
            def fitting(v):
                return max((self.depths[f["type"]] for f in self.fields(v)), default=0)
            least = min(map(fitting, variants))
            variants = [v for v in variants if fitting(v) == least]
        return self.variant(number, self.rng.choice(variants), depth)

    def has_values(self, variant):
        """A type without values, such as an enumeration without variants, makes every type that contains it impossible."""
        return all(self.depths[f["type"]] is not None for f in self.fields(variant))

    def variant(self, number, variant, depth):
        return ("variant", number, variant["name"], variant["index"], [(f.get("name"), self.make(f["type"], depth + 1)) for f in self.fields(variant)])

    def is_byte(self, number):
        return self.shape(number) in (("primitive", "u8"), ("primitive", "U8"))

    def make_sequence(self, number, body, depth):
        if self.is_byte(body["type"]):
            # Text for the most part.
            return ("bytes", number, bytes(self.rng.choice(b"helio 0x") if self.rng.random() < 0.9 else self.rng.randrange(256)
                                           for _ in range(self.rng.randrange(12))))
        count = self.rng.randrange(3) if depth < 10 else 0
        return ("list", number, [self.make(body["type"], depth + 1) for _ in range(count)])

    def make_array(self, number, body, depth):
        if self.is_byte(body["type"]):
            return ("array", number, self.rng.randbytes(body["len"]))
        return ("list", number, [self.make(body["type"], depth + 1) for _ in range(body["len"])])

    # Whether the last bit of a sequence is always set, for a peer that drops bits after it.
    bits_end_set = False

    def make_bitsequence(self, number, body, depth):
        bits = [self.rng.random() < 0.5 for _ in range(self.rng.randrange(20))]
        return ("bits", number, bits + [True] if self.bits_end_set else bits)

    make_bit_sequence = make_historicmetacompat = make_bitsequence

    # MARK: what the cards must say

    def leaves(self, value):
        kind, number = value[0], value[1]
        path = self.path(number)
        ident = path[-1] if path else ""
        if kind == "bool":
            return ["true" if value[2] else "false"]
        if kind in ("str", "char"):
            return ["s:" + value[2].encode().hex()]
        if kind in ("int", "compact"):
            return ["()" if value[2] is None else str(value[2])]
        if kind in ("bytes", "array"):
            return ["0x" + value[2].hex()]
        if kind == "bits":
            return ["0b" + "".join("01"[b] for b in value[2])]
        if kind == "list":
            return sum((self.leaves(v) for v in value[2]), []) if value[2] else ["[]"]
        if kind in ("record", "tuple"):
            if ident == "BitFlags":
                return self.flag_leaves(value)
            return self.field_leaves(value[2]) if value[2] else ["()"]
        name, fields = value[2], value[4]
        if ident == "Era":
            return ["phase {}, period {}".format(*self.era(value)) if value[3] else "Immortal"]
        if value[1] == self.call:
            return [name] + self.leaves(fields[0][1])
        if ident == "Option":
            if not fields:
                return ["None"]
            inner = self.path(fields[0][1][1])
            some = self.leaves(fields[0][1])
            return ["Some"] + some if inner and inner[-1] == "Option" else some
        return [name] + self.field_leaves(fields)

    def field_leaves(self, fields):
        out = []
        for name, value in fields:
            if name is not None:
                out.append("." + name)
            out += self.leaves(value)
        return out

    def flag_leaves(self, value):
        (bits,) = [v[2] for _, v in value[2]]
        parameters = self.types[value[1]].get("params") or []
        flags = self.variants(parameters[0]["type"])
        known = [f for f in flags if bits & f["index"] and bin(f["index"]).count("1") == 1]
        if bits and sum(f["index"] for f in known) == bits:
            return [f["name"] for f in known]
        return [str(bits)]

    @staticmethod
    def era(value):
        """Phase and period of a mortal era."""
        number = value[3] | value[4][0][1][2] << 8
        period = 2 << (number & 15)
        return (number >> 4) * max(period >> 12, 1), period

    def is_valid(self, value):
        """Values that are invalid although their parts are valid."""
        if value[0] == "variant":
            path = self.path(value[1])
            if path and path[-1] == "Era" and value[3]:
                phase, period = self.era(value)
                if period < 4 or phase >= period:
                    return False
            return all(self.is_valid(v) for _, v in value[4])
        if value[0] in ("record", "tuple"):
            return all(self.is_valid(v) for _, v in value[2])
        if value[0] == "list":
            return all(self.is_valid(v) for v in value[2])
        return True


class Scalecodec:
    """The calls of version 14, encoded by scalecodec's own classes."""

    name = "scalecodec"

    def __init__(self, path, rng):
        self.config, self.metadata = peers.runtime(open(path, "rb").read(), ss58_format=42)
        registry = self.metadata.portable_registry.value["types"]
        types = [t["type"] for t in registry]
        call = next(i for i, t in enumerate(types) if t["path"] and t["path"][-1] in ("RuntimeCall", "Call") and len(t["path"]) == 2)
        self.types = Types(types, call, rng)
        self.types.bits_end_set = True

    def encode(self, value):
        scale = self.config.create_scale_object(f"scale_info::{value[1]}", metadata=self.metadata)
        return bytes(scale.encode(self.input(value)).data)

    def input(self, value):
        kind, path = value[0], self.types.path(value[1])
        ident = path[-1] if path else ""
        if kind in ("bool", "str", "char", "int"):
            return value[2]
        if kind == "compact":
            return value[2] if value[2] is not None else {}
        if kind in ("bytes", "array"):
            return "0x" + value[2].hex()
        # scalecodec reads bits as the digits of a number, so the first bit comes last; it drops leading zeros.
        if kind == "bits":
            return "0b" + "".join("01"[b] for b in reversed(value[2]))
        if kind == "list":
            return [self.input(v) for v in value[2]]
        if kind in ("record", "tuple"):
            if not value[2]:
                return None if kind == "record" else ()
            if len(value[2]) == 1 and value[2][0][0] is None:
                inner = self.input(value[2][0][1])
                # scalecodec wants a wrapper around a list, and none around anything else.
                return [inner] if isinstance(inner, (list, tuple)) else inner
            if value[2][0][0] is None:
                return tuple(self.input(v) for _, v in value[2])
            plain = {n: self.input(v) for n, v in value[2]}
            # Its class for identities knows no wrapper around the additional fields.
            if path == ["pallet_identity", "types", "IdentityInfo"]:
                plain["additional"] = plain["additional"][0]
            return plain
        name, fields = value[2], value[4]
        if value[1] == self.types.call:
            inner = fields[0][1]
            return {"call_module": name, "call_function": inner[2], "call_args": {n: self.input(v) for n, v in inner[4]}}
        if ident == "Option":
            return self.input(fields[0][1]) if fields else None
        if not fields:
            return name
        if ident == "Data" and name.startswith("Raw"):
            return {"Raw": self.input(fields[0][1])}
        if len(fields) == 1 and fields[0][0] is None:
            return {name: self.input(fields[0][1])}
        if fields[0][0] is None:
            return {name: tuple(self.input(v) for _, v in fields)}
        return {name: {n: self.input(v) for n, v in fields}}

    def agrees(self, value, encoded):
        return True


class BtDecode:
    """The calls of version 15: bt-decode's view, bt-decode's encoder for all but enumerations, bt-decode as the judge of the whole."""

    name = "bt-decode"

    def __init__(self, path, rng):
        import bt_decode

        self.peer = bt_decode
        blob = open(path, "rb").read()
        metadata = bt_decode.MetadataV15.decode_from_metadata_option(b"\1" + compact(len(blob)) + blob)
        view = json.loads(metadata.to_json())
        self.registry = bt_decode.PortableRegistry.from_metadata_v15(metadata)
        self.types = Types([t["type"] for t in view["types"]["types"]], view["extrinsic"]["call_ty"], rng)

    def plain_compact(self, number, integer):
        """bt-decode encodes no compact of a wrapper: the compact of the integer inside stands in for it where the registry has one."""
        for other, kind in enumerate(self.types.types):
            body = kind["def"].get("compact")
            if body and self.types.shape(body["type"]) == ("primitive", integer):
                return other
        return number

    def leaf(self, number, value):
        return bytes(self.peer.encode(f"scale_info::{number}", self.registry, value))

    def encode(self, value):
        kind, number = value[0], value[1]
        if kind in ("bool", "str", "char", "int"):
            return self.leaf(number, value[2])
        if kind == "compact":
            return self.leaf(self.plain_compact(number, value[3]), value[2]) if value[2] is not None else b""
        if kind in ("bytes", "array"):
            return self.leaf(number, list(value[2]))
        if kind == "list":
            parts = b"".join(map(self.encode, value[2]))
            return parts if self.types.shape(number)[0] == "array" else bytes([len(value[2]) << 2]) + parts
        if kind == "bits":
            return self.bits(value)
        if kind in ("record", "tuple"):
            return b"".join(self.encode(v) for _, v in value[2])
        return bytes([value[3]]) + b"".join(self.encode(v) for _, v in value[4])

    def bits(self, value):
        """bt-decode encodes no bit sequences either."""
        body = self.types.shape(value[1])[1]
        keys = {k.lower().replace("_", ""): v for k, v in body.items()}
        store = WIDTHS[self.types.shape(keys["bitstoretype"])[1].lower()]
        lsb = self.types.path(keys["bitordertype"])[-1] == "Lsb0"
        words = b""
        for start in range(0, len(value[2]), store):
            chunk = value[2][start : start + store]
            words += sum(bit << (place if lsb else store - 1 - place) for place, bit in enumerate(chunk)).to_bytes(store // 8, "little")
        return bytes([len(value[2]) << 2]) + words

    def agrees(self, value, encoded):
        decoded = self.peer.decode(f"scale_info::{value[1]}", self.registry, encoded)
        return flat(self.plain(value)) == flat(decoded)

    def plain(self, value):
        """A value as bt-decode prints it, but for the nesting of tuples, which `flat` takes away."""
        kind = value[0]
        if kind in ("bool", "str", "char", "int"):
            return value[2]
        if kind == "compact":
            return value[2] if value[2] is not None else ()
        if kind in ("bytes", "array", "bits"):
            return tuple(value[2])
        if kind == "list":
            return [self.plain(v) for v in value[2]]
        if kind in ("record", "tuple"):
            return named(value[2], self.plain)
        path = self.types.path(value[1])
        if path and path[-1] == "Option":
            return self.plain(value[4][0][1]) if value[4] else None
        return {value[2]: named(value[4], self.plain)} if value[4] else value[2]


def named(fields, plain):
    if fields and fields[0][0] is not None:
        return {n: plain(v) for n, v in fields}
    return [plain(v) for _, v in fields]


def flat(value):
    """Leaves in order, names included: bt-decode prints some wrappers as tuples of one and others not at all."""
    if isinstance(value, dict):
        return [x for k, v in value.items() for x in [k] + flat(v)]
    if isinstance(value, (list, tuple)):
        return [x for v in value for x in flat(v)]
    if isinstance(value, bytes):
        return list(value)
    if isinstance(value, str) and value.startswith("0x"):
        return list(bytes.fromhex(value[2:]))
    # bt-decode prints a variant that is called None as no value.
    return [None if value == "None" else value]


def ours(metadata, lines):
    run = subprocess.run([PEER, "leaves", metadata], input="\n".join(lines) + "\n", capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"decode-peer: {run.stderr.strip()}")
    return [line.split("\t") for line in run.stdout.splitlines()]


def every_call(types):
    for pallet in types.variants(types.call):
        inner = pallet["fields"][0]["type"]
        for call in types.variants(inner):
            if types.has_values(call):
                yield pallet, inner, call


def one(types, pallet, inner, call):
    while True:
        value = ("variant", types.call, pallet["name"], pallet["index"], [(None, types.variant(inner, call, 2))])
        if types.is_valid(value):
            return value


def names(types, value):
    """The names of a call and of all calls inside it."""
    kind = value[0]
    if kind == "list":
        parts = value[2]
    elif kind in ("record", "tuple"):
        parts = [v for _, v in value[2]]
    elif kind == "variant":
        parts = [v for _, v in value[4]]
    else:
        return set()
    found = set().union(*(names(types, p) for p in parts)) if parts else set()
    return found | {f"{value[2]}.{parts[0][2]}"} if value[1] == types.call else found


def make_calls(peer, path, wanted, rng):
    """Named values and their encodings, and what to report of the peer."""
    types = peer.types
    calls = list(every_call(types))
    plan = calls + [rng.choice(calls) for _ in range(max(0, wanted - len(calls)))]
    made, faults = [], collections.Counter()
    for pallet, inner, call in plan:
        for _ in range(8):
            value = one(types, pallet, inner, call)
            try:
                encoded = peer.encode(value)
                if not peer.agrees(value, encoded):
                    raise ValueError("the peer does not read back what was encoded")
                made.append((f"{pallet['name']}.{call['name']}", value, encoded.hex()))
                break
            except Exception as error:
                faults[f"{type(error).__name__}: {str(error)[:90]}"] += 1
    missing = sorted({f"{p['name']}.{c['name']}" for p, _, c in calls} - {name for name, _, _ in made})
    return made, {"file": os.path.basename(path), "peer": peer.name, "calls": len(made), "distinct": len({m[0] for m in made}), "of": len(calls),
                  "never encoded by the peer": missing, "faults of the peer, tried again": dict(faults.most_common(8))}


def compare(types, path, made, differences):
    answers = ours(path, [encoded for _, _, encoded in made])
    assert len(answers) == len(made)
    leaves = wrong = 0
    for (name, value, encoded), answer in zip(made, answers):
        expected = types.leaves(value)
        leaves += len(expected)
        if answer[0] == "ok" and answer[1] == "same" and answer[2:] == expected:
            continue
        wrong += 1
        got = answer[2:] if answer[0] == "ok" else answer
        place = next((i for i, (a, b) in enumerate(zip(got, expected)) if a != b), min(len(got), len(expected)))
        around = slice(max(0, place - 3), place + 2)
        differences.append({"file": os.path.basename(path), "call": name, "hex": encoded[:200], "ours": got[around], "peer": expected[around]})
    return leaves, wrong


def shapes(path):
    """A fingerprint of every call's types, nested calls left out."""
    run = subprocess.run([PEER, "shapes", path], capture_output=True, text=True, check=True)
    return dict(line.split("\t") for line in run.stdout.splitlines())


def laws(path, made, count):
    """Prefixes and flipped bits of the shortest calls, and of some of every size."""
    lines = sorted({encoded for _, _, encoded in made}, key=len)
    chosen = lines[: count // 2] + lines[count // 2 : len(lines) // 2 : max(1, len(lines) // count)][: count // 2]
    run = subprocess.run([PEER, "laws", path], input="\n".join(chosen) + "\n", capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{path}: a law is broken: {run.stderr.strip()}")
    return run.stdout.strip()


def configure(parser):
    parser.add_argument("--calls", type=int, default=2000, help="calls for each metadata file (default: %(default)s)")
    parser.add_argument("--laws", type=int, default=100, help="calls of each file whose prefixes and flipped bits are tried (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the random calls (default: %(default)s)")
    parser.add_argument("--data", default=shared_data(), help="folder of published metadata (default: %(default)s)")


def run(arguments):
    global PEER
    PEER = os.environ.get("HELIOGRAPH_DECODE_PEER") or build("decode-peer", *SHIPPED)
    data = arguments.data
    def metadata(name):
        return os.path.join(data, "metadata", name + ".scale")
    rng = random.Random(arguments.seed)
    differences, total = [], 0
    for make, name, newer in [
        (Scalecodec, "westend-9122-v14", None),
        (Scalecodec, "polkadot-1002005-v14", None),
        (BtDecode, "polkadot-2000000-v15", "polkadot-2003000-v16"),
        (BtDecode, "asset-hub-polkadot-2000000-v15", None),
        (BtDecode, "polkadot-rfc78-v15", None),
    ]:
        path = shared_file(f"metadata/{name}.scale", data)
        if path is None:
            continue
        peer = make(path, rng)
        made, report = make_calls(peer, path, arguments.calls, rng)
        report["leaves compared"], report["calls that differ"] = compare(peer.types, path, made, differences)
        total += len(made)
        if newer:
            before, after = shapes(path), shapes(metadata(newer))
            same = {call for call in before if before[call] == after.get(call)}
            shared = [m for m in made if names(peer.types, m[1]) <= same]
            leaves, wrong = compare(peer.types, metadata(newer), shared, differences)
            total += len(shared)
            report[newer] = {"calls of the same types": len(shared), "distinct": len({m[0] for m in shared}), "leaves compared": leaves,
                             "calls that differ": wrong}
        report["laws"] = laws(path, made, arguments.laws)
        print(json.dumps(report, indent=1), flush=True)
    proof = shared_file("transactions/westend-transfer-with-proof.hex", data)
    if proof is not None:
        check = subprocess.run([PEER, "proof-laws", proof], capture_output=True, text=True)
        if check.returncode:
            sys.exit(f"the published proof: a law is broken: {check.stderr.strip()}")
        print("the published transaction with a proof: " + check.stdout.strip())
    for difference in differences[:20]:
        print(json.dumps(difference))
    print(f"{total} calls compared, {len(differences)} differ")
    return 1 if differences else 0
