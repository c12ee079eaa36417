"""Reads the formats that the manual describes, by its tables alone, and compares the manual with the programs.

The pages are those of Sources/Programs/heliograph/heliograph.docc. A table with the columns field, type and meaning is a layout; `Formats.md` defines the
types. An example is a block of `text` whose lines are hex, two or more spaces, and a field's name; the layout decodes it, and the boundaries and names must
be those of the lines. A block of `json` after an example of a payload is a part of what `heliograph inspect --json` prints for it.

Nothing here uses code of the programs to decode: the vault is opened with PyNaCl and hashlib. So the pages are enough to write a reader from.
"""
import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

from .common import BOB_ADDRESS, FIXTURES, ROOT, binaries_option, compact, string
from .offline import PHRASE, Signer

CATALOG = ROOT / "Sources/Programs/heliograph/heliograph.docc"
PAGES = ["Payloads", "Frames", "ContactLists", "GroupMessages", "SeedCodes", "SeedMaking", "VaultFiles", "TrustStoreFile", "AuditLog", "BackupFile",
         "PolicyFile", "ScannerProtocol"]
LENGTHS = {"public key": [32, 32, 33, 33], "payload key": [32, 32, 33, 20], "signature": [64, 64, 65, 65]}


# The secret of a key that no seed gives.
IMPORTED = "0x" + "17" * 32
# Examples without a layout, which a check of their own reads.
CHECKED_OTHERWISE = {"SeedQR"}


class Wrong(Exception):
    """A page that differs from what the programs do."""


def require(holds, text):
    """Fails with a sentence."""
    if not holds:
        raise Wrong(text)


# ---- Pages


class Page:
    """The headings, tables and blocks of an article."""

    def __init__(self, name):
        self.name, self.text = name, (CATALOG / f"{name}.md").read_text()
        self.layouts, self.tables, self.examples = {}, [], []
        title, table, block = "", None, None
        for number, line in enumerate([*self.text.splitlines(), ""], 1):
            if block is not None:
                if line == "```":
                    self.examples.append((title, *block))
                    block = None
                else:
                    block[2].append(line)
            elif line.startswith("```"):
                block = (number, line[3:], [])
            elif line.startswith("#"):
                title = line.lstrip("# ")
            if block is None and line.startswith("|"):
                table = table or (title, [])
                table[1].append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
            elif table:
                rows = [row for index, row in enumerate(table[1]) if index != 1]
                self.tables.append((table[0], rows))
                if rows[0] == ["field", "type", "meaning"]:
                    require(table[0] not in self.layouts, f"{name}: two layouts are titled {table[0]!r}")
                    self.layouts[table[0]] = rows[1:]
                table = None

    def table(self, title, *columns):
        """The rows of the table under a heading whose first columns have these names."""
        for found, rows in self.tables:
            if found == title and rows[0][: len(columns)] == list(columns):
                return rows[1:]
        raise Wrong(f"{self.name}: there is no table with the columns {columns} under {title!r}")


def code(cell):
    """The texts in code of a cell."""
    return re.findall(r"`([^`]*)`", cell)


# ---- Decoding by tables


@dataclasses.dataclass
class Reader:
    """Bytes that are read once, in order. `fields` are the boundaries of what has been read: offset and name."""

    data: bytes
    layouts: dict
    offset: int = 0
    end: int = None
    scheme: int = None
    fields: list = dataclasses.field(default_factory=list)
    read: dict = dataclasses.field(default_factory=dict)

    def __post_init__(self):
        self.end = len(self.data) if self.end is None else self.end

    def take(self, count):
        require(self.offset + count <= self.end, f"{count} bytes are needed at {self.offset}, {self.end - self.offset} are left")
        self.offset += count
        return self.data[self.offset - count : self.offset]

    def number(self, count, order="little"):
        return int.from_bytes(self.take(count), order)

    def compact(self):
        """SCALE's compact integer, in its shortest form."""
        first = self.number(1)
        mode = first & 3
        count = [0, 1, 3, 4 + (first >> 2)][mode]
        value = self.number(count) if mode == 3 else (first | self.number(count) << 8) >> 2
        least = max(1 << 30, 1 << 8 * (count - 1)) if mode == 3 else [0, 64, 1 << 14][mode]
        require(value >= least, f"the compact number at {self.offset} is not in its shortest form")
        return value

    def plain(self):
        """Types that need nothing but the bytes → what reads them."""
        return {
            "compact": self.compact,
            "bitmap": lambda: self.number(2).bit_count(),
            "byte vector": lambda: self.take(self.compact()),
            "string": lambda: self.take(self.compact()).decode(),
            "short string": lambda: self.take(self.number(1)).decode(),
        }

    def value(self, kind, following=0):
        """A value of a type."""
        if match := re.fullmatch(r"(\d+) bytes", kind):
            return self.take(int(match[1]))
        if match := re.fullmatch(r"u(\d+)( BE)?", kind):
            return self.number(int(match[1]) // 8, "big" if match[2] else "little")
        if kind in LENGTHS:
            return self.take(LENGTHS[kind][self.scheme])
        if match := re.fullmatch(r"option of (.*)", kind):
            flag = self.number(1)
            require(flag < 2, f"{flag} begins no option at {self.offset}")
            return self.value(match[1]) if flag else None
        if match := re.fullmatch(r"vector of (.*)", kind):
            # A count that is a lie ends with the bytes.
            return [self.value(match[1]) for _ in range(self.compact())]
        if match := re.fullmatch(r"(\w+) times (.*)", kind):
            return [self.value(match[2]) for _ in range(self.read[match[1]])]
        if match := re.fullmatch(r"(.*) to the end", kind):
            items = []
            while self.offset < self.end:
                items.append(self.value(match[1]))
            return items
        if match := re.fullmatch(r"(\w+) bytes", kind):
            return self.take(self.read[match[1]])
        if kind == "bool":
            flag = self.number(1)
            require(flag < 2, f"{flag} is no bool at {self.offset}")
            return bool(flag)
        if kind == "scheme":
            self.scheme = self.number(1)
            require(self.scheme < 4 or self.scheme == 0xFF, f"{self.scheme} is no scheme at {self.offset}")
            return self.scheme
        if plain := self.plain().get(kind):
            return plain()
        if kind == "rest":
            return self.take(self.end - self.offset - following)
        require(kind in self.layouts, f"{kind!r} is neither a type nor a layout")
        return self.layout(kind)

    def layout(self, title):
        """The fields of a layout."""
        values = {}
        rows = self.layouts[title]
        for index, (name, kind, meaning) in enumerate(rows):
            if self.scheme == 0xFF and meaning.startswith("signed only"):
                continue
            self.fields.append((self.offset, name))
            following = sum(self.length(row[1]) for row in rows[index + 1 :]) if kind == "rest" else 0
            values[name] = self.read[name] = self.value(kind, following)
            for fixed in code(meaning)[:1]:
                # What a meaning begins with in code is what stands there.
                if meaning.startswith(f"`{fixed}`") and isinstance(values[name], bytes) and re.fullmatch(r"[\x20-\x7e]+", fixed):
                    expected = [bytes.fromhex(fixed)] if re.fullmatch(r"([0-9a-f]{2})+", fixed) else []
                    require(values[name] in [*expected, fixed.encode()], f"{title}: {name} is {values[name].hex()} and not {fixed}")
                elif meaning.startswith(f"`{fixed}`") and isinstance(values[name], str):
                    require(values[name] == fixed, f"{title}: {name} is {values[name]!r} and not {fixed!r}")
        return values

    def length(self, kind):
        """Bytes of a type with a fixed length."""
        if match := re.fullmatch(r"(\d+) bytes", kind):
            return int(match[1])
        if match := re.fullmatch(r"u(\d+).*", kind):
            return int(match[1]) // 8
        require(kind in LENGTHS, f"what follows a rest has a fixed length, {kind!r} has not")
        return LENGTHS[kind][self.scheme]


@functools.cache
def pages():
    """Every page by its name."""
    return {name: Page(name) for name in PAGES}


def read(page, title, data, scheme=None):
    """All of these bytes, by a layout."""
    reader = Reader(data, pages()[page].layouts, scheme=scheme)
    values = reader.layout(title)
    require(reader.offset == len(data), f"{page}, {title}: {len(data) - reader.offset} bytes are left over")
    return values


def hashed(data, length=32, key=b""):
    return hashlib.blake2b(data, digest_size=length, key=key).digest()


def u64(number):
    return (number % (1 << 64)).to_bytes(8, "little")


# ---- Examples


def lines_of(block):
    """The hex of each line of an example, and the field's name behind it."""
    found = []
    for line in block:
        match = re.fullmatch(r"([0-9a-f ]*[0-9a-f])(?:  +(.*))?", line.rstrip())
        if not match:
            return None
        found.append((bytes.fromhex(match[1].replace(" ", "")), (match[2] or "").split(":")[0].strip()))
    return found


def check_example(page, title, number, block, layouts):
    """An annotated block: each line begins where the layout has a field of that name."""
    lines = lines_of(block)
    if lines is None or title in CHECKED_OTHERWISE:
        return None
    require(title in layouts, f"{page} line {number}: an example under {title!r}, which has no layout")
    data = b"".join(part for part, _ in lines)
    reader = Reader(data, layouts)
    try:
        reader.layout(title)
    except Wrong as wrong:
        raise Wrong(f"{page} line {number}: {wrong}") from wrong
    require(reader.offset == len(data), f"{page} line {number}: {len(data) - reader.offset} bytes are left over")
    offset, starts = 0, set()
    for part, name in lines:
        starts.add(offset)
        if name:
            names = [field for place, field in reader.fields if place == offset]
            require(name in names, f"{page} line {number}: at byte {offset} the layout has {' or '.join(names) or 'no field'}, and the example {name!r}")
        offset += len(part)
    for place, name in reader.fields:
        require(place in starts, f"{page} line {number}: no line begins at {name!r}, byte {place}")
    return data


def includes(whole, part, place=""):
    """Requires that a JSON value has everything of another one; a list its items in order, from the start."""
    if isinstance(part, dict) and isinstance(whole, dict):
        for key, value in part.items():
            require(key in whole, f"{place}.{key} is missing")
            includes(whole[key], value, f"{place}.{key}")
    elif isinstance(part, list) and isinstance(whole, list):
        require(len(whole) >= len(part), f"{place} has {len(whole)} items")
        for index, value in enumerate(part):
            includes(whole[index], value, f"{place}[{index}]")
    else:
        require(whole == part, f"{place} is {whole!r}")


def check_examples(machine):
    """Every example by its layout, and those of payloads by `inspect`."""
    count, wrong = 0, []
    for name, page in pages().items():
        pending = None
        for title, number, kind, block in page.examples:
            if kind == "json" and pending is not None:
                count += 1
                found = machine.inspect(pending)
                try:
                    includes(found, json.loads("\n".join(block)))
                except Wrong as difference:
                    wrong.append(f"{name} line {number}: inspect says otherwise: {difference}; {found.get('error')}")
                pending = None
            elif kind == "text":
                pending = check_example(name, title, number, block, page.layouts)
    require(not wrong, "\n".join(wrong))
    return count


# ---- The codes of payloads


def check_codes():
    """Every code of the program has a layout, and every layout a code of the program."""
    source = (ROOT / "Sources/Wire/UOS/PayloadCode.swift").read_text()
    codes = {f"{int(value, 16):02x}" for value in re.findall(r"case \w+ = 0x(\w\w)", source)}
    rows = pages()["Payloads"].table("Codes", "code", "kind")
    listed = {code(row[0])[0]: code(row[1])[0] for row in rows}
    require(set(listed) == codes, f"Payloads: the codes {sorted(set(listed) ^ codes)} are only in the program or only in the page")
    kinds = {}
    names = {name: f"{int(value, 16):02x}" for name, value in re.findall(r"case (\w+) = 0x(\w\w)", source)}
    for names_of, kind in re.findall(r'case ([.\w, ]+): "(\w+)"', source):
        for each in re.findall(r"\.(\w+)", names_of):
            kinds[names[each]] = kind
    require(kinds == listed, f"Payloads: kinds differ: {sorted(set(kinds.items()) ^ set(listed.items()))}")
    examples = {data[2] for page in ("Payloads", "ContactLists", "GroupMessages") for title, number, kind, block in pages()[page].examples
                if kind == "text" and (data := check_example(page, title, number, block, pages()[page].layouts)) and data[:1] == b"S"}
    by_file = {bytes.fromhex((ROOT / path).read_text())[2] for path in re.findall(r"`(fixtures/\S+\.hex)`", pages()["Payloads"].text)}
    missing = {value for value in codes if int(value, 16) not in examples | by_file}
    require(not missing, f"Payloads: no example has the codes {sorted(missing)}")


# ---- Constants


def check_constants():
    """Numbers of the pages that are numbers of the code."""
    for page, path, pattern, texts in CONSTANTS:
        source = (ROOT / path).read_text()
        found = re.search(pattern, source)
        require(found, f"{path} has no {pattern}")
        value = eval(found[1].replace("_", ""), {}, {})
        for text in texts if isinstance(texts, list) else [texts]:
            require(text.format(value) in " ".join(pages()[page].text.split()), f"{page}: {text.format(value)!r} is not there, and {path} says {value}")


VAULT, STORE = "Sources/Secrets/Vault", "Sources/Store/TrustStore"
CONSTANTS = [
    ("VaultFiles", f"{VAULT}/VaultFile.swift", r"lengthLimit = ([\d *]+)\n", "At most {} bytes"),
    ("VaultFiles", f"{VAULT}/VaultFile.swift", r"slotLimit = (\d+)", "1 to {}"),
    ("VaultFiles", f"{VAULT}/VaultFile.swift", r"seedLimit = (\d+)", "0 to {}, no name twice"),
    ("VaultFiles", f"{VAULT}/VaultFile.swift", r"keyLimit = (\d+)", "0 to {}, no key twice"),
    ("VaultFiles", f"{VAULT}/VaultFile.swift", r"static let format: UInt8 = (\d+)", "| format | u8 | {} |"),
    ("VaultFiles", f"{VAULT}/VaultFile.swift", r"boundFormat: UInt8 = (\d+)", "| bound format | u8 | {}"),
    ("VaultFiles", f"{VAULT}/VaultFile.swift", r"slotFormat: UInt8 = (\d+)", "| slot format | u8 | {}"),
    ("VaultFiles", f"{VAULT}/KDFCost.swift", r"minimumMemory: UInt32 = ([\d *]+)", "Argon2id memory in KiB, {} to"),
    ("VaultFiles", f"{VAULT}/KDFCost.swift", r"maximumMemory: UInt32 = ([\d *]+)", "to {}; from 8"),
    ("VaultFiles", f"{VAULT}/KDFCost.swift", r"smallestMemory: UInt32 = (\d+)", "from {} in a development vault"),
    ("VaultFiles", f"{VAULT}/KDFCost.swift", r"maximumPasses: UInt32 = (\d+)", "Argon2id passes, 1 to {}"),
    ("VaultFiles", f"{VAULT}/KeyFile.swift", r"minimumLength = (\d+)", "Any file of {} to"),
    ("VaultFiles", f"{VAULT}/KeyFile.swift", r"maximumLength = ([\d *]+)", "to {} bytes. All its bytes"),
    ("VaultFiles", f"{VAULT}/KeyFile.swift", r"freshLength = (\d+)", "one of {} random bytes"),
    ("VaultFiles", f"{VAULT}/FailedAttempts.swift", r"longestDelay: UInt64 = (\d+)", "at most {}. The delay"),
    ("BackupFile", f"{VAULT}/VaultBackup.swift", r"lengthLimit = ([\d *]+)", "At most {} bytes"),
    ("BackupFile", f"{VAULT}/VaultBackup.swift", r"format: UInt8 = (\d+)", "| format | u8 | {} |"),
    ("TrustStoreFile", f"{STORE}/StoreSetting.swift", r"static let number: Int64 = (\d+)", "`user_version` {}, the layout"),
    ("TrustStoreFile", f"{STORE}/Schema.swift", r"applicationID = (0x\w+)", "`application_id` {} "),
    ("TrustStoreFile", f"{STORE}/VaultTime.swift", r"correctionLimit = (\d+)", "at most {}, oldest first"),
    ("TrustStoreFile", "Sources/Review/History/HistoryRecords.swift", r"assetLimit = (\d+)", "| at most {} |"),
    ("AuditLog", f"{STORE}/LogBounds.swift", r"interval: UInt64 = (\d+)", "multiple of {} has"),
    ("AuditLog", f"{STORE}/Journal.swift", r"maximumLength = ([\d <]+)", "At most {} bytes; further"),
    ("AuditLog", f"{STORE}/Journal.swift", r"maximumPayload = ([\d <]+)", "more than {} bytes"),
    ("ContactLists", "Sources/Wire/UOS/ContactList.swift", r"maximumEntries = (\d+)", "at most {}"),
    ("ContactLists", "Sources/Wire/UOS/ContactList.swift", r"maximumLabel = (\d+)", "1 to {} bytes"),
    ("ContactLists", "Sources/Wire/UOS/ContactList.swift", r"maximumNote = (\d+)", "at most {} bytes"),
    ("ContactLists", "Sources/Wire/UOS/ContactList.swift", r"maximumNetworks = (\d+)", "at most {}, ascending"),
    ("Payloads", "Sources/Foundations/SubstratePrimitives/AssetUnits.swift", r"maximumText = (\d+)", "1 to {} bytes"),
    ("Payloads", "Sources/Scanner/ScanProtocol/Expansion.swift", r"maximumLength: UInt32 = ([\d <]+)", "at most {}"),
    ("Frames", "Sources/Wire/UOS/LegacyFrames.swift", r"standardPartLength = (\d+)", "{} bytes"),
    ("Frames", "Sources/Wire/UOS/RaptorQFrames.swift", r"standardSymbolLength = (\d+)", "{} bytes"),
    ("Frames", "Sources/Wire/UOS/PayloadAssembler.swift", r"maximumPayloads = (\d+)", "at most {} different payloads"),
    ("PolicyFile", "Sources/Chain/Extrinsics/Policy/TransactionPolicy+JSON.swift", r"maximumBytes = ([\d <]+)", "At most {} bytes"),
    ("ScannerProtocol", "Sources/Scanner/ScanProtocol/ScanEvent.swift", r"maximumBodyLength = (\d+)", "bytes of the body, at most {}"),
]


# ---- A vault


class Machine(Signer):
    """The offline program, and a folder in which it works."""

    def __init__(self, binaries, folder):
        super().__init__(binaries, folder / "vault")
        self.folder = folder

    def fill(self):
        """A vault with a seed, a network, metadata, a contact, a signature and a cleared start of its log."""
        self.make("--verifier", "none", "--networks", "none")
        self.must("seed", "restore", "main", "--no-first-keys", phrase=PHRASE)
        for name in ("specs", "metadata-compressed"):
            self.must("scan", "--hex", f"@{FIXTURES}/updates/{name}.hex", "--approve")
        self.must("key", "derive", "main", "//Alice", "--network", "heliotest")
        self.must("key", "import", "--secret", "--approve", secret=IMPORTED)
        self.must("contact", "add", "Bob", "--address", BOB_ADDRESS, "--approve")
        self.must("contact", "add", "Carol", "--address", "5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y", "--private", "--approve")
        transfer = example("Payloads", "02: transaction")
        self.must("scan", "--hex", transfer.hex(), "--approve", "--out", self.folder / "answer.png")
        # The log passes a checkpoint.
        self.must("shell", typed="".join(f"log note {number}\n" for number in range(64)))

    def inspect(self, payload):
        return self.json("inspect", "--hex", payload.hex())[1]


def example(page, title):
    """The bytes of the first example under a heading."""
    for found, number, kind, block in pages()[page].examples:
        if found == title and kind == "text":
            return check_example(page, title, number, block, pages()[page].layouts)
    raise Wrong(f"{page}: there is no example under {title!r}")


def pack(page, title, values):
    """The bytes of a layout of fixed fields, strings and options, as associated data and hashes need them."""
    out = b""
    for name, kind, meaning in pages()[page].layouts[title]:
        given = values.get(name)
        if given is None and kind == "string":
            given = code(meaning)[0]
        if given is None and re.fullmatch(r"\d+ bytes", kind):
            given = code(meaning)[0].encode()
        if given is None and kind.startswith("u"):
            given = int(re.match(r"\d+", meaning)[0])
        if kind.startswith("option of "):
            out += b"\0" if values.get(name) is None else b"\1" + (string(given) if "vector" in kind else given)
        elif match := re.fullmatch(r"u(\d+)", kind):
            out += given.to_bytes(int(match[1]) // 8, "little")
        elif kind in ("bool", "scheme"):
            out += bytes([given])
        elif kind in ("string", "byte vector"):
            out += string(given)
        else:
            out += given
    return out


class OpenVault:
    """A vault directory, opened by what `VaultFiles.md` says."""

    def __init__(self, vault, passphrase, key_file=b""):
        # The only check that needs packages from PyPI.
        from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_decrypt as decrypt
        from nacl.bindings import crypto_pwhash_alg, crypto_pwhash_ALG_ARGON2ID13

        self.decrypt, self.bytes = decrypt, vault
        self.file = read("VaultFiles", "vault", vault)
        texts = {code(row[0])[0]: code(row[1])[0] for row in pages()["VaultFiles"].table("Keys", "key", "text")}
        wrapping = re.search(r"\*wrapping key\* = keyed BLAKE2b-256 of `([^`]*)`", pages()["VaultFiles"].text)[1]
        factor = re.search(r"\*factor key\* = keyed BLAKE2b-256 of `([^`]*)`", pages()["VaultFiles"].text)[1]
        for slot in self.file["slots"]:
            cost = read("VaultFiles", "passphrase factor", slot["factors"][0]["body"])
            stretched = crypto_pwhash_alg(32, passphrase.encode(), cost["salt"], cost["passes"], cost["memory"] * 1024, crypto_pwhash_ALG_ARGON2ID13)
            mixed = hashed(key_file, key=hashed(factor.encode(), key=stretched))
            # Few enough for the shortest form of a compact count.
            header = bytes([4 * len(slot["factors"])]) + b"".join(bytes([one["kind"]]) + string(one["body"]) for one in slot["factors"])
            associated = pack("VaultFiles", "associated data of a wrapped key", self.file | {"factors": header})
            self.data_key = decrypt(slot["wrapped key"], associated, slot["nonce"], hashed(wrapping.encode(), key=mixed))
            break
        self.keys = {name: hashed(text.encode(), key=self.data_key) for name, text in texts.items()}
        require(hashed(vault[:-32], key=self.keys["file seal"]) == self.file["seal"], "VaultFiles: the seal differs")

    def entropies(self):
        """The entropy of each seed by its name."""
        found = {}
        for seed in self.file["seeds"]:
            plain = self.decrypt(seed["ciphertext"], pack("VaultFiles", "associated data of a seed", self.file | seed), seed["nonce"], self.keys["seeds"])
            require(len(plain) == 33 and not any(plain[1 + plain[0] :]), "VaultFiles: a seed is padded otherwise")
            found[seed["name"]] = plain[1 : 1 + plain[0]]
        return found

    def imported(self):
        """The secret of each imported key by its public key."""
        found = {}
        for key in self.file["keys"]:
            associated = pack("VaultFiles", "associated data of an imported key", self.file | key)
            plain = self.decrypt(key["ciphertext"], associated, key["nonce"], self.keys["imported keys"])
            require(len(plain) == 65 and plain[0] in (32, 64) and not any(plain[1 + plain[0] :]), "VaultFiles: a key is padded otherwise")
            found[key["public key"]] = plain[1 : 1 + plain[0]]
        return found

    def reference(self):
        """What the store's setting `vault_file` must be."""
        head = 8 + 1 + 16 + 1 + 8
        content = self.bytes[:head] + self.bytes[head + 8 : -32]
        return u64(self.file["revision"]) + hashed(content, key=self.keys["file content"])


def cell(value):
    """A value of SQLite as the seal covers it."""
    if value is None:
        return b"\0"
    if isinstance(value, int):
        return b"\1" + u64(value)
    return b"\3" + string(value) if isinstance(value, str) else b"\4" + string(value)


def shown(value):
    """A value as the manifest's keys have it."""
    return value.hex() if isinstance(value, bytes) else str(value)


def check_store(database, opened):
    """The tables, the seal, the manifest, the settings, the log and the history of a store."""
    page = pages()["TrustStoreFile"]
    sealed = page.table("Sealed tables", "table", "key", "columns")
    other = page.table("Other tables", "table", "key", "columns")
    found = {name: [row[1] for row in database.execute(f'PRAGMA table_info("{name}")')]
             for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    listed = {code(row[0])[0]: row[2].split(", ") for row in sealed + other}
    require(found == listed, f"TrustStoreFile: tables or columns differ: {set(map(str, found.items())) ^ set(map(str, listed.items()))}")
    for name, key, _ in sealed + other:
        primary = [row[1] for row in sorted(database.execute(f'PRAGMA table_info("{code(name)[0]}")'), key=lambda row: row[5]) if row[5]]
        require(primary == key.split(", "), f"TrustStoreFile: the key of {name} is {primary}")
    described = {each for row in page.table("Columns", "column", "content") for each in code(row[0])}
    tables = [text.split(".")[0] for text in described if not text.startswith(".")]
    require(set(tables) <= set(listed), f"TrustStoreFile: columns of {set(tables) - set(listed)}")

    contents, manifest = b"", compact(len(sealed))
    key = opened.keys["store seal"]
    for name, primary, columns in sealed:
        name, primary, columns = code(name)[0], primary.split(", "), columns.split(", ")
        rows = list(database.execute(f'SELECT * FROM "{name}" ORDER BY ' + ", ".join(f'"{part}"' for part in primary)))
        contents += string(name) + u64(len(rows)) + b"".join(cell(value) for row in rows for value in row)
        manifest += string(name) + compact(len(columns)) + b"".join(map(string, columns)) + compact(len(rows))
        for row in rows:
            title = "/".join(shown(row[columns.index(part)]) for part in primary)
            manifest += string(title)
            for column, value in zip(columns, row):
                manifest += hashed(b"".join(map(string, ("cell", name, title, column))) + cell(value), 8, key)
    rows = [dict(zip(listed["seal"], row)) for row in database.execute("SELECT * FROM seal")]
    require(len(rows) == 1, "TrustStoreFile: the seal has one row")
    seal = rows[0]
    require(seal["manifest"] == manifest, "TrustStoreFile: the manifest differs")
    head = pack("TrustStoreFile", "seal head", {
        "generation": seal["generation"], "log first": seal["log_first"], "log before": seal["log_before"], "log last": seal["log_last"],
        "log hash": seal["log_hash"], "log checkpoint": seal["log_checkpoint"], "history": seal["history"], "length": len(contents)})
    require(hashed(head + contents + manifest, key=key) == seal["mac"], "TrustStoreFile: the seal's mac differs")

    settings = dict(database.execute("SELECT name, value FROM setting"))
    require(settings["vault_file"] == opened.reference(), "VaultFiles: the store names the vault file otherwise")
    read("TrustStoreFile", "vault time", settings["vault_time"])
    read("AuditLog", "journal mark", settings["journal"])
    if "acknowledged_traffic" in settings:
        read("TrustStoreFile", "acknowledged traffic", settings["acknowledged_traffic"])
    names = [code(row[0])[0] for row in page.table("Settings", "name", "value")]
    patterns = [re.sub("[A-Z]+", ".+", each.replace(".", r"\.")) for each in names]
    for name in settings:
        require(any(re.fullmatch(pattern, name) for pattern in patterns), f"TrustStoreFile: the setting {name} is not described")
    for account, sealed_name in database.execute("SELECT account, sealed FROM contact WHERE sealed IS NOT NULL"):
        plain = opened.decrypt(sealed_name[24:], account, sealed_name[:24], opened.keys["private contact"])
        require(plain.startswith(string("Carol")) and len(plain) == 324, "TrustStoreFile: a private contact is encrypted otherwise")
    check_log(database, seal)
    check_history(database, read("TrustStoreFile", "history bounds", seal["history"]))


def check_log(database, seal):
    """The hash chain from one end to the other, and the checkpoints."""
    kinds = {code(row[0])[0] for row in pages()["AuditLog"].table("Kinds", "kind", "marks")}
    previous, number = seal["log_before"], seal["log_first"]
    newest, checkpoints = hashed(b"heliograph log checkpoints 1"), 0
    if number == 1:
        require(previous == hashed(b"heliograph log 1"), "AuditLog: the log begins otherwise")
    hashes = {}
    for found, time, kind, facts, payload, metadata, digest in database.execute("SELECT * FROM log ORDER BY number"):
        require(found == number and kind in kinds, f"AuditLog: entry {found} of the kind {kind}")
        read("AuditLog", "facts", facts)
        entry = pack("AuditLog", "hashed entry", {"previous": previous, "number": number, "time": time, "kind": kind, "facts": facts,
                                                  "payload": payload, "metadata hash": metadata})
        require(hashed(entry) == digest, f"AuditLog: the hash of entry {number} differs")
        hashes[number] = previous = digest
        number += 1
    require(previous == seal["log_hash"] and number == seal["log_last"] + 1, "AuditLog: the log ends otherwise")
    for number, digest, before in database.execute("SELECT * FROM log_checkpoint ORDER BY number"):
        require(hashes[number] == digest and before == newest, f"AuditLog: checkpoint {number} differs")
        require(number % 64 == 0, f"AuditLog: a checkpoint at {number}")
        newest, checkpoints = hashed(pack("AuditLog", "checkpoint", {"number": number, "hash": digest, "previous": before})), checkpoints + 1
    require(checkpoints, "the log has no checkpoint to compare")
    require(newest == seal["log_checkpoint"], "AuditLog: the newest checkpoint differs")


RECORDS = {1: "paid destination", 3: "highest nonce", 4: "signed once", 5: "signed once", 6: "signed once", 7: "signed times",
           8: "signed times", 12: "paid destination"}


def check_history(database, bounds):
    """Every row by its layout, and the tree up to its root."""
    none = bytes(32)
    buckets = {}
    for bucket, key, value in database.execute("SELECT bucket, key, value FROM history ORDER BY bucket, key"):
        require(bucket == int.from_bytes(hashed(string("heliograph history row") + key)[:2], "big"), "TrustStoreFile: a row is in another bucket")
        buckets.setdefault(bucket, []).append(string(key) + string(value))
        if key[0] in RECORDS:
            read("TrustStoreFile", RECORDS[key[0]], value)
    require(buckets, "the history has no rows to compare")
    level = {bucket: hashed(string("heliograph history bucket") + bucket.to_bytes(4, "little") + b"".join(rows)) for bucket, rows in buckets.items()}
    nodes = {(4, prefix): digest for prefix, digest in level.items()}
    for depth in (3, 2, 1, 0):
        parents = {}
        for prefix in {prefix // 16 for prefix in level}:
            children = b"".join(level.get(16 * prefix + index, none) for index in range(16))
            parents[prefix] = hashed(string("heliograph history node") + bytes([depth]) + prefix.to_bytes(4, "little") + children)
        level = parents
        nodes |= {(depth, prefix): digest for prefix, digest in level.items()}
    require(nodes.pop((0, 0)) == bounds["root"], "TrustStoreFile: the root of the history differs")
    stored = {(depth, prefix): digest for depth, prefix, digest in database.execute("SELECT level, prefix, digest FROM history_node")}
    require(nodes == stored, "TrustStoreFile: the nodes of the history differ")


def check_directory(machine):
    """Every file that the vault directory has, and that the code names, is on the page."""
    listed = [code(row[0])[0] for row in pages()["VaultFiles"].table("Overview", "name", "content")]
    patterns = [re.sub("TIME|NAME|PID|N", ".+", re.escape(name)) for name in listed]
    source = (ROOT / VAULT / "Vault.swift").read_text()
    named = set(re.split(r",\s*", re.search(r"ownFiles = \[\s*(.*?),?\s*\]", source, re.S)[1]))
    known = {"VaultFile.name", "VaultIntent.name", "FailedAttempts.name", "DirectoryLock.name", "journalName"}
    require(named == known, "Vault.ownFiles has other files: describe them")
    files = [(ROOT / VAULT / f"{each}.swift").read_text() for each in ("VaultFile", "VaultIntent", "FailedAttempts")]
    values = [re.search(r'static let name = "([^"]*)"', file)[1] for file in files]
    for name in [*values, "lock", "journal", *os.listdir(machine.vault)]:
        require(any(re.fullmatch(pattern, name) for pattern in patterns), f"VaultFiles: {name} is not described")


def check_vault(machine):
    """Opens the vault, checks the seal of its store, the log, the journal and a backup, without code of the programs."""
    check_directory(machine)
    opened = OpenVault((machine.vault / "vault").read_bytes(), machine.passphrase)
    require(len(opened.entropies()["main"]) == 16, "VaultFiles: the seed has other bytes")
    require([key.hex() for key in opened.imported().values()] == [IMPORTED[2:]], "VaultFiles: the imported key has other bytes")
    attempts = read("VaultFiles", "attempts", (machine.vault / "attempts").read_bytes())
    require(attempts["count"] == 0, "VaultFiles: wrong passphrases were counted")
    with sqlite3.connect(f"file:{machine.vault}/store.sqlite?mode=ro", uri=True) as database:
        check_store(database, opened)
        numbers = database.execute("SELECT log_last, log_hash FROM seal").fetchone()
        kept = dict(database.execute("SELECT name, value FROM setting"))
    require(int.from_bytes(kept["attempts_sequence"], "little") <= attempts["sequence"], "VaultFiles: the sequence went back")
    machine.run("status", passphrase="wrong")
    journal = read("AuditLog", "journal", (machine.vault / "journal").read_bytes())
    for record in journal["records"]:
        body = read("AuditLog", "journal body", record["body"])
        require(record["check"] == hashed(record["body"], 8) and body["kind"] in ("wrong_passphrase", "device_online"), "AuditLog: a record differs")
    require(journal["records"], "AuditLog: a wrong passphrase leaves no record")
    attempts = read("VaultFiles", "attempts", (machine.vault / "attempts").read_bytes())
    require(attempts["count"] == 1, "VaultFiles: a wrong passphrase is not counted")
    head = machine.must("log", "export", "--out", machine.folder / "log.jsonl").strip()
    require(head.startswith("heliograph-log:"), f"AuditLog: the head is {head}")
    entries = [json.loads(line) for line in (machine.folder / "log.jsonl").read_text().splitlines()]
    keys = {code(row[0])[0] for row in pages()["AuditLog"].table("Export", "key", "value")}
    require(all(set(entry) == keys for entry in entries), f"AuditLog: an entry of the export has the keys {set(entries[0])}")
    require(entries[numbers[0] - entries[0]["number"]]["hash"] == numbers[1].hex(), "AuditLog: the export has another hash")
    check_export(entries)
    require(f"heliograph-log:{entries[-1]['number']}:{entries[-1]['hash']}" == head, "AuditLog: the head is not the last entry")
    check_backup(machine)


def check_export(entries):
    """The hash of every line of the export, from the line before."""
    require(entries[0]["number"] == 1, "AuditLog: the export does not begin with entry 1")
    previous, unsorted = hashed(b"heliograph log 1"), 0
    for entry in entries:
        names = [fact["name"] for fact in entry["fact_list"]]
        unsorted += names != sorted(names)
        facts = compact(len(names)) + b"".join(string(fact["name"]) + string(fact["value"]) for fact in entry["fact_list"])
        payload, metadata = (None if entry[key] is None else bytes.fromhex(entry[key]) for key in ("payload", "metadata_hash"))
        previous = hashed(pack("AuditLog", "hashed entry", {"previous": previous, "number": entry["number"], "time": entry["time"],
                                                            "kind": entry["event"], "facts": facts, "payload": payload, "metadata hash": metadata}))
        require(previous.hex() == entry["hash"], f"AuditLog: the hash of entry {entry['number']} of the export differs")
    require(unsorted, "the export has no entry whose facts are out of alphabetical order")


def check_backup(machine):
    """Opens a backup, and the store in it."""
    machine.must("vault", "backup", machine.folder / "backup")
    data = (machine.folder / "backup").read_bytes()
    backup = read("BackupFile", "backup", data)
    opened = OpenVault(backup["vault"], machine.passphrase)
    associated = data[: data.index(backup["nonce"], len(backup["vault"]))]
    plain = opened.decrypt(backup["ciphertext"], associated, backup["nonce"], opened.keys["backup"])
    files = {file["name"]: file["bytes"] for file in read("BackupFile", "contents", plain)["files"]}
    require(set(files) == {"store.sqlite"}, f"BackupFile: it holds {set(files)}")
    path = machine.folder / "backup.sqlite"
    path.write_bytes(files["store.sqlite"])
    # A database in WAL mode needs its directory to be writable, or this word.
    with sqlite3.connect(f"file:{path}?immutable=1", uri=True) as database:
        check_store(database, opened)
    restored = machine.folder / "restored"
    machine.must("vault", "restore", machine.folder / "backup", vault=restored)
    with sqlite3.connect(f"file:{restored}/store.sqlite?mode=ro", uri=True) as database:
        check_store(database, OpenVault((restored / "vault").read_bytes(), machine.passphrase))
        time = read("TrustStoreFile", "vault time", database.execute("SELECT value FROM setting WHERE name = 'vault_time'").fetchone()[0])
        require(time["restored"], "TrustStoreFile: a restored vault has no restored mark")


def check_kinds():
    """The kinds of log entries and their marks are those of the code."""
    source = (ROOT / STORE / "LogEvent.swift").read_text()
    names = dict(re.findall(r'case (\w+) = "(\w+)"', source))

    def true(variable):
        body = source[source.index(f"var {variable}") :]
        return {names[name] for name in re.findall(r"\.(\w+)", body[: body.index("true")]) if name in names}

    dangerous, locked = true("isDangerous"), true("isWrittenWhileLocked")
    expected = {name: ", ".join(["dangerous"] * (name in dangerous) + ["locked"] * (name in locked)) for name in names.values()}
    listed = {code(row[0])[0]: row[1] for row in pages()["AuditLog"].table("Kinds", "kind", "marks")}
    require(expected == listed, f"AuditLog: kinds differ: {sorted(set(expected.items()) ^ set(listed.items()))}")


def check_seed_codes():
    """The digits of the SeedQR are those of the entropy beside them."""
    page = pages()["SeedCodes"]
    entropy = bytes.fromhex(re.search(r"entropy `([0-9a-f]+)`", page.text)[1])
    bits = f"{int.from_bytes(entropy):0{8 * len(entropy)}b}" + f"{hashlib.sha256(entropy).digest()[0]:08b}"[: len(entropy) // 4]
    digits = "".join(f"{int(bits[place : place + 11], 2):04d}" for place in range(0, len(bits), 11))
    shown = next(block for title, number, kind, block in page.examples if title == "SeedQR")
    require(shown == [digits], f"SeedCodes: the SeedQR is {digits}")


LABELS = {"sign-bytes", "chain-code", "public-key", "proto-name", "secret-key"}


def check_seed_making(binaries, folder):
    """The page's Python program and `heliograph util seed-from` give the number and the words of every frozen seed; their entropy is that of the formula."""
    listed = re.findall(r"\b[a-z]{3,8}\b", (ROOT / "Sources/Secrets/Keys/WordListEnglish.swift").read_text().split('"""')[1])
    require(len(listed) == 2048, f"the list of words has {len(listed)}")
    (folder / "english.txt").write_text("\n".join(listed))
    script = re.search(r"```python\n(.*?)```", (CATALOG / "SeedMaking.md").read_text(), re.S)[1]
    lines = [line for line in script.splitlines() if line.strip()]
    require(len(lines) <= 30, f"SeedMaking: the program has {len(lines)} lines")
    for case in json.loads((FIXTURES / "keys/seed-parts.json").read_text()):
        sources = b"".join(u64(len(data)) + data for source in case["sources"] for data in (source["name"].encode(), bytes.fromhex(source["bytes"])))
        require(hashed(sources, 32, b"heliograph machine part").hex() == case["part"], f"SeedMaking: part {case['id']}")
        both = [case["part"], case["rolls"]]
        told = subprocess.run([sys.executable, "-c", script, str(case["words"])], input="\n".join(both) + "\n", capture_output=True, text=True, cwd=folder,
                              check=True).stdout.splitlines()
        require(told[0] == case["commitment"], f"SeedMaking: commitment {case['id']}")
        numbers = "".join(f"{listed.index(word):011b}" for word in told[2].split())
        require(int(numbers[: 8 * len(case["entropy"]) // 2], 2) == int(case["entropy"], 16), f"SeedMaking: the words of {case['id']}")
        if not case["rolls"]:
            continue
        for descriptor, text in zip((3, 4), both):
            (folder / f"line{descriptor}").write_text(text + "\n")
            (folder / f"line{descriptor}").chmod(0o600)
        ours = subprocess.run(["bash", "-c", f'"{binaries}/heliograph" util seed-from --words {case["words"]} --machine-fd 3 --dice-fd 4 3<line3 4<line4'],
                              capture_output=True, text=True, cwd=folder, check=True)
        require(ours.stdout.strip() == told[2], f"SeedMaking: util seed-from gives other words for {case['id']}: {ours.stdout}")
        require([line.strip() for line in ours.stderr.splitlines()[-2:]] == told[:2], f"SeedMaking: another commitment for {case['id']}: {ours.stderr}")


def check_error_codes(machine):
    """Every error code on a page exists."""
    known = {error["code"] for error in machine.json("errors", vault=False)[1]["errors"]}
    for name in [*PAGES, "Scripting"]:
        # The codes of warnings are compared with `heliograph help policy`.
        for text in code(re.sub(r"^\| `.*` \| .* decides.*$", "", Page(name).text.replace("```", ""), flags=re.M)):
            if re.fullmatch(r"[a-z]+(-[a-z0-9]+)+", text):
                # `sign-bytes` and the like are labels of a Merlin transcript.
                require(text in known or text.startswith("heliograph-") or text in LABELS, f"{name}: there is no error {text}")


def check_policy():
    """The keys of a policy are those of the code."""
    source = (ROOT / "Sources/Chain/Extrinsics/Policy/PolicyValues.swift").read_text()
    for enum, title in (("Key", "Keys"), ("AssetMember", "Assets")):
        body = source[source.index(f"enum {enum}: String") :]
        body = body[: body.index("}")]
        keys = set()
        for line in re.findall(r"case (.*)", body):
            for each in line.split(", "):
                keys.add(each.split('"')[1] if '"' in each else each)
        listed = {code(row[0])[0] for row in pages()["PolicyFile"].table(title, "key")}
        require(keys == listed, f"PolicyFile: keys differ: {sorted(keys ^ listed)}")


def check_policy_warnings(machine):
    """Which warnings stop a rule is said by the page as by `heliograph help policy`."""
    help_text = " ".join(machine.must("help", "policy", vault=False).split())
    words = {"a person decides", "a rule decides", "a rule decides that has maximum_count, or a limit per day, week or month"}
    rows = pages()["PolicyFile"].table("Warnings", "warning")
    require(rows and {row[1].strip() for row in rows} <= words, "PolicyFile: who decides on a warning is one of three sentences")
    table = " ".join(f"{code(row[0])[0]}: {row[1].strip()}" for row in rows)
    require(table in help_text, "PolicyFile: the table of warnings is not the one of `heliograph help policy`")


def check_scripting(machine):
    """Exit codes and the error document are as the page has them."""
    page = Page("Scripting")
    listed = {int(code(row[0])[0]) for row in page.table("Exit codes", "code")}
    table = machine.json("errors", vault=False)[1]["errors"]
    used = {error["exit"] for error in table}
    require(used <= listed, f"Scripting: the exit codes {sorted(used - listed)} are not described")


configure = binaries_option


def run(options):
    for check in (check_codes, check_constants, check_kinds, check_policy, check_seed_codes):
        check()
    with tempfile.TemporaryDirectory() as folder:
        check_seed_making(options.binaries.resolve(), pathlib.Path(folder))
        machine = Machine(options.binaries, pathlib.Path(folder))
        machine.fill()
        examples = check_examples(machine)
        check_vault(machine)
        check_policy_warnings(machine)
        check_scripting(machine)
        check_error_codes(machine)
    print(f"formats: {len(PAGES)} pages, {sum(len(page.layouts) for page in pages().values())} layouts, {examples} payloads, a vault and its backup agree")
