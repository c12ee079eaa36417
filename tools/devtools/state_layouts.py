"""Writes the table of storage entries that a state proof reads, from files of metadata.

For each file of `../shared/data/metadata` of a chain that the program has layouts for, `fixtures/state/layouts.tsv` gets a line for each entry: chain, spec
version, entry, hashers, key and shape of the value, in the words of `StateShape`. A law of `StateProofTests` compares the lines with the built-in table.
With --check the file is compared instead of written. It reads metadata of the versions 14 to 16 by the tables of frame-metadata, with no code of Heliograph.
"""
import pathlib

from .common import FIXTURES, ROOT, shared_data, skip

FILES = [("polkadot", 1002005, "polkadot-1002005-v14"), ("polkadot", 2000000, "polkadot-2000000-v15"), ("polkadot", 2003000, "polkadot-2003000-v16"),
         ("statemint", 2000000, "asset-hub-polkadot-2000000-v15")]
ENTRIES = ["System.LastRuntimeUpgrade", "Timestamp.Now", "System.Account", "Assets.Metadata", "Assets.Account",
           "ForeignAssets.Metadata", "ForeignAssets.Account", "Proxy.Proxies", "Multisig.Multisigs", "Staking.Bonded",
           "Staking.Ledger", "Session.NextKeys", "Identity.IdentityOf", "Identity.SuperOf", "MultiBlockMigrations.Cursor",
           "Paras.Heads"]
PRIMITIVES = "bool char str u8 u16 u32 u64 u128 u256 i8 i16 i32 i64 i128 i256".split()
HASHERS = "blake2_128 blake2_256 blake2_128_concat twox_128 twox_256 twox_64_concat identity".split()
# Only compared, or of another version of XCM in each runtime.
OPAQUE = "…"


class Metadata:
    """Types and storage entries of one file."""

    def __init__(self, data):
        self.data, self.offset, self.version = data, 5, data[4]
        self.types, self.storage = {}, {}
        self.vector(self.type)
        self.vector(self.pallet)

    def take(self, count):
        self.offset += count
        return self.data[self.offset - count : self.offset]

    def byte(self):
        return self.take(1)[0]

    def compact(self):
        first = self.byte()
        mode = first & 3
        if mode == 3:
            return int.from_bytes(self.take(4 + (first >> 2)), "little")
        return (first | int.from_bytes(self.take([0, 1, 3][mode]), "little") << 8) >> 2

    def string(self):
        return self.take(self.compact()).decode()

    def vector(self, read):
        return [read() for _ in range(self.compact())]

    def option(self, read):
        return read() if self.byte() else None

    def field(self):
        name, kind = self.option(self.string), self.compact()
        self.option(self.string)
        self.vector(self.string)
        return name, kind

    def variant(self):
        name, fields, index = self.string(), self.vector(self.field), self.byte()
        self.vector(self.string)
        return index, name, fields

    def type(self):
        number, path = self.compact(), self.vector(self.string)
        self.vector(lambda: (self.string(), self.option(self.compact)))
        kind = self.byte()
        read = [lambda: self.vector(self.field), lambda: sorted(self.vector(self.variant)), self.compact,
                lambda: (int.from_bytes(self.take(4), "little"), self.compact()), lambda: self.vector(self.compact), self.byte, self.compact,
                lambda: (self.compact(), self.compact())][kind]
        self.types[number] = path, kind, read()
        self.vector(self.string)

    def deprecation(self):
        if self.version >= 16 and self.byte() == 2:
            self.string()
            self.option(self.string)

    def deprecated_type(self):
        self.compact()
        if self.version >= 16:
            self.vector(lambda: (self.byte(), self.deprecation()))

    def entry(self, pallet, prefix):
        name = self.string()
        self.byte()
        hashers, key = ([HASHERS[each] for each in self.take(self.compact())], self.compact()) if self.byte() else ([], None)
        self.storage[f"{pallet}.{name}"] = prefix, hashers, key, self.compact()
        self.take(self.compact())
        self.vector(self.string)
        self.deprecation()

    def constant(self):
        self.string()
        self.compact()
        self.take(self.compact())
        self.vector(self.string)
        self.deprecation()

    def view_function(self):
        self.take(32)
        self.string()
        self.vector(lambda: (self.string(), self.compact()))
        self.compact()
        self.vector(self.string)
        self.deprecation()

    def pallet(self):
        name = self.string()
        if self.byte():
            prefix = self.string()
            self.vector(lambda: self.entry(name, prefix))
        for _ in range(2):
            self.option(self.deprecated_type)
        self.vector(self.constant)
        self.option(self.deprecated_type)
        if self.version >= 16:
            self.vector(lambda: (self.string(), self.compact(), self.vector(self.string)))
            self.vector(self.view_function)
        self.byte()
        if self.version >= 15:
            self.vector(self.string)
        self.deprecation()

    def shape(self, number):
        """What a value of a type looks like; wrappers of one unnamed field are left out."""
        path, kind, content = self.types[number]
        if kind == 0 and len(content) == 1 and content[0][0] is None:
            return self.shape(content[0][1])
        if kind == 0:
            return "{" + ", ".join((f"{name}: " if name else "") + self.shape(each) for name, each in content) + "}"
        if kind == 1 and path[-1:] == ["ProxyType"]:
            assert content[0][:2] == (0, "Any") and not any(fields for _, _, fields in content)
            return f"<0 Any | {OPAQUE}>"
        if kind == 1:
            return "<" + " | ".join(map(self.choice, content)) + ">"
        return {2: lambda: f"[{self.shape(content)}]", 3: lambda: f"[{self.shape(content[1])}; {content[0]}]",
                4: lambda: "{" + ", ".join(map(self.shape, content)) + "}", 5: lambda: PRIMITIVES[content],
                6: lambda: f"compact({self.shape(content)})"}[kind]()

    def choice(self, variant):
        """A variant with its index and what follows it."""
        index, name, fields = variant
        return f"{index} {name}" + (f"({', '.join(self.shape(each) for _, each in fields)})" if fields else "")


def lines_of(chain, version, data):
    """A line for each entry that the metadata has."""
    metadata = Metadata(data)
    for entry in ENTRIES:
        if entry not in metadata.storage:
            continue
        prefix, hashers, key, value = metadata.storage[entry]
        assert prefix == entry.split(".")[0], f"{entry} stands under {prefix}"
        key = "-" if key is None else OPAQUE if entry.startswith("ForeignAssets.") else metadata.shape(key)
        shape = OPAQUE if entry in ("Session.NextKeys", "MultiBlockMigrations.Cursor") else metadata.shape(value)
        yield "\t".join([chain, str(version), entry, " ".join(hashers) or "-", key, shape])


def configure(parser):
    parser.add_argument("--check", action="store_true", help="compare the file instead of writing it")


def run(options):
    """1 when the file differs."""
    folder = shared_data() / "metadata"
    if not folder.is_dir():
        skip("shared data (metadata)")
        return 0
    text = "".join(f"{line}\n" for chain, version, name in FILES for line in lines_of(chain, version, (folder / f"{name}.scale").read_bytes()))
    path = pathlib.Path(FIXTURES) / "state/layouts.tsv"
    if not options.check:
        path.write_text(text)
        return 0
    same = path.read_text() == text
    print(f"state-layouts: {path.relative_to(ROOT)} {'is what' if same else 'differs from what'} {len(FILES)} files of metadata say")
    return 0 if same else 1
