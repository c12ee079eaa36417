"""Makes the tables of known phrases and of word frequencies in Sources/C/CPassphraseWords, from Debian's packages of texts without copyright.

The texts, each from the Debian package that is named below with its version and hash:

- the King James Version of the Bible (1611): `bible-kjv-text`, read by the program of `bible-kjv`;
- six novels of Jane Austen (1811 to 1817), from Project Gutenberg: `r-cran-janeaustenr`, whose packaging is under the MIT licence;
- The Adventures of Tom Sawyer by Mark Twain (1876), from Project Gutenberg: test data of `golang-github-golang-snappy-dev`.

`famous.txt` and `field.txt` in fixtures/passphrases are collections of our own: phrases, and the words of this program and its field. The words of BIP-39
come from the repository's list. Fortunes of `fortune-mod` stay out: their packages do not say who holds the rights to each quotation. The tables hold hashes
and costs, so that no text of any of them is in the program.
"""
import collections
import hashlib
import math
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import zlib

from ..common import FIXTURES, ROOT

OUT = ROOT / "Sources/C/CPassphraseWords"
FAMOUS, FIELD = (FIXTURES / "passphrases" / name for name in ("famous.txt", "field.txt"))
BIP39 = ROOT / "Sources/Secrets/Keys/WordListEnglish.swift"
PACKAGES = {
    "bible-kjv": ("4.38", "75a49c032a6efa9faa2beb4a9acb70974380122906329d0e100de36cc88ff02d"),
    "bible-kjv-text": ("4.38", "d61b6aad4c51ba9e2800b825325fa6a09e99a0d02a9bb6dc4724fcc4995a1b7a"),
    "golang-github-golang-snappy-dev": ("0.0.2-3", "c44efb6569d1bb3b566593eb7247320766e213ade3f1a5c96e92a519a3b61313"),
    "r-cran-janeaustenr": ("1.0.0-1", "df6bddf211906d1ff404f8ff662c21b34e6660e7f54a311084e749050c019c95"),
}
# Of these books each sentence and each part of one is known by heart, of the others only how a verse begins.
QUOTED = ("Psalms", "Proverbs", "Ecclesiastes", "Song of Solomon", "Isaiah", "Matthew", "Luke", "John", "Romans", "1 Corinthians", "Revelation")
# A phrase has at least these letters; of a longer one every run of words that has at least the larger numbers is an entry.
SHORTEST, FAMOUS_RUN, QUOTED_RUN, LISTED_RUN = 12, (4, 16), (5, 20), (4, 12)
# PassphraseDisguises.swift folds letters in the same way, and looks up runs of this many folded letters.
FOLDED, FOLDED_LENGTHS = str.maketrans("lqbzkw", "iggscv"), range(9, 65)
# The cost of a word of the field, in bits; and the letters of how a famous phrase begins, which PassphraseWording.swift takes as one word.
FIELD_BITS, BEGINNING_LETTERS = 5, range(6, 17)
# Words that are met twice, pairs that are met three times; the longest word. Costs are eighths of a bit, in one byte.
WORD_COUNT, PAIR_COUNT, PAIRS, LONGEST, EIGHTH = 2, 3, 42_000, 16, 8


def fnv(text):
    """FNV-1a of 64 bits (draft-eastlake-fnv) of ASCII letters, its bits mixed as the finalizer of MurmurHash3 does first."""
    mask, value = (1 << 64) - 1, 0xCBF29CE484222325
    for byte in text.encode("ascii"):
        value = (value ^ byte) * 0x100000001B3 & mask
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & mask
    return value ^ value >> 33


def folded(letters):
    """Letters that one digit or sign may stand for are one letter, and equal letters in a row are one."""
    return re.sub(r"(.)\1+", r"\1", letters.translate(FOLDED))


def bag(line):
    """The hash of the words of a phrase in any order, each forwards or backwards."""
    return sum(fnv(min(word, word[::-1])) for word in map(folded, line)) & 0xFFFFFFFFFFFFFFFF


def words(text):
    """The words of a text in lower case, without apostrophes."""
    return re.findall(r"[a-z]+", re.sub(r"['’_]", "", text.lower()))


def runs(line, fewest, letters):
    """From each word on, the shortest run of at least so many words that have at least so many letters."""
    for start in range(len(line)):
        for end in range(start + fewest, len(line) + 1):
            if sum(map(len, line[start:end])) >= letters:
                yield tuple(line[start:end])
                break


def every_run(line, fewest, letters):
    """All runs of at least so many words that have at least so many letters."""
    for start in range(len(line)):
        for end in range(start + fewest, len(line) + 1):
            if sum(map(len, line[start:end])) >= letters:
                yield tuple(line[start:end])


def configure(parser):
    parser.add_argument("--packages", type=pathlib.Path, help="folder that has the packages of Debian (default: they are downloaded by apt-get)")


def fetched(folder, given):
    """Unpacks the packages; fails where one is another than was named."""
    for name, (version, digest) in PACKAGES.items():
        if not given:
            subprocess.run(["apt-get", "download", "-q", f"{name}={version}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        [package] = (given or folder).glob(f"{name}_*.deb")
        if hashlib.sha256(package.read_bytes()).hexdigest() != digest:
            raise SystemExit(f"{package.name} has another SHA-256 than this file names")
        subprocess.run(["dpkg-deb", "-x", package, folder / name], check=True)


def bible(folder):
    """Each verse with its book."""
    program = [folder / "bible-kjv/usr/bin/bible", "-p", folder / "bible-kjv-text/usr/lib", "gen1:1-rev22:21"]
    text = subprocess.run(program, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, env={**os.environ, "COLUMNS": "4000"}).stdout
    book = ""
    for line in text.splitlines():
        if verse := re.match(r" *\d+ (.*)", line):
            yield book, verse[1]
        elif head := re.fullmatch(r"(.+) \d+", line):
            book = head[1]


def novels(folder):
    """The lines of the novels: strings of R's serialization, each behind its kind and its length."""
    data = (folder / "r-cran-janeaustenr/usr/lib/R/site-library/janeaustenr/data/Rdata.rdb").read_bytes()
    while data:
        chunk = zlib.decompressobj()
        raw, place = chunk.decompress(data[4:]), 0
        data = chunk.unused_data
        while (place := raw.find(b"\x00\x04\x00\x09", place)) >= 0:
            length = struct.unpack_from(">I", raw, place + 4)[0]
            yield raw[place + 8:place + 8 + length].decode()
            place += 8 + length


def famous():
    """The words of each line of the collection."""
    return [words(line) for line in FAMOUS.read_text().splitlines() if line and not line.startswith("#")]


def phrases(verses):
    """The words of every entry of the list, by their source."""
    found = {"famous": set(), "bible": set(), "bip39": set()}
    for whole in famous():
        found["famous"] |= {tuple(whole), *runs(whole, *FAMOUS_RUN)}
    for book, verse in verses:
        for part in re.split(r"[.:;?!]", verse) if book in QUOTED else [verse]:
            found["bible"].update(list(runs(words(part), *QUOTED_RUN))[:1])
    listed = re.search(r'"""\n(.*?)"""', BIP39.read_text(), re.S)[1].split()
    for order in (listed, listed[::-1]):
        found["bip39"].update(runs(order, *LISTED_RUN))
    return {name: {entry for entry in entries if len("".join(entry)) >= SHORTEST} for name, entries in found.items()}


def hashes(listed):
    """The hashes of all entries as they are written, and as words in any order; of a famous phrase the latter of each run."""
    written = {folded("".join(entry)) for part in listed.values() for entry in part}
    known = {text for text in written if len(text) in FOLDED_LENGTHS}
    # A longer entry has a shorter one in it.
    for text in written - known:
        if not any(text[i:i + n] in known for n in FOLDED_LENGTHS for i in range(len(text) - n + 1)):
            raise SystemExit(f"no run of this entry is looked up: {text}")
    entries = {*(entry for part in listed.values() for entry in part), *(run for line in famous() for run in every_run(line, *FAMOUS_RUN))}
    return sorted({fnv(text) >> 16 for text in known}), sorted({bag(entry) >> 16 for entry in entries})


def beginnings():
    """The hashes of how each famous phrase begins, from two words on."""
    found = {"".join(line[:end]) for line in famous() for end in range(2, len(line) + 1)}
    return sorted({fnv(text) >> 16 for text in found if len(text) in BEGINNING_LETTERS})


def costs(sentences):
    """What a word costs by itself, and a word behind another one, in eighths of a bit.

    One half of a pair's chance is its own frequency, the other one the word's; a pair without an entry costs one bit more than its second word.
    """
    singles, firsts, pairs = collections.Counter(), collections.Counter(), collections.Counter()
    for sentence in sentences:
        singles.update(sentence)
        firsts.update(sentence[:-1])
        pairs.update(zip(sentence, sentence[1:]))
    total = sum(singles.values())
    known = {w: n for w, n in singles.items() if n >= WORD_COUNT and len(w) <= LONGEST and (len(w) > 2 or w in ("a", "i", "o") or len(w) == 2 and n >= 30)}
    chance = {word: count / total for word, count in known.items()}
    gains = {}
    for (first, second), count in pairs.items():
        if count >= PAIR_COUNT and first in known and second in known:
            whole = 0.5 * count / firsts[first] + 0.5 * chance[second]
            gains[first, second] = (count * math.log2(whole / (0.5 * chance[second])), -math.log2(whole))
    chosen = sorted(gains, key=lambda pair: (-gains[pair][0], pair))[:PAIRS]
    eighths = lambda bits: min(255, round(bits * EIGHTH))  # noqa: E731
    bits = {word: -math.log2(chance[word]) for word in sorted(known)}
    for word in FIELD.read_text().split():
        bits[word] = min(FIELD_BITS, bits.get(word, FIELD_BITS))
    return ({word: eighths(cost) for word, cost in bits.items()},
            {" ".join(pair): eighths(gains[pair][1]) for pair in chosen})


def array(kind, name, values, digits):
    """A table in C, in lines of at most 110 columns."""
    texts = [f"0x{value:0{digits}x}," if digits else f"{value}," for value in values]
    lines, line = [], ""
    for text in texts:
        if len(line) + len(text) > 106:
            lines.append(line)
            line = ""
        line += text
    return f"static const {kind} {name}[] = {{\n" + "".join(f"    {line}\n" for line in [*lines, line]) + "};\n"


def hashed(table, name):
    """The tables of a dictionary of costs, in the order of the hashes; of two texts of one hash the lower cost stays."""
    found = {}
    for text, cost in table.items():
        key = fnv(text) >> 32
        found[key] = min(cost, found.get(key, cost))
    keys = sorted(found)
    return array("uint32_t", f"{name}_hashes", keys, 8) + array("uint8_t", f"{name}_costs", [found[key] for key in keys], 0)


def written(name, text):
    head = "// Made by tools/dev golden phrases, which names the texts and their licences. It holds hashes and costs of words, and no text.\n"
    (OUT / name).write_text(f"{head}#include <stdint.h>\n\n{text}")


def run(options):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        fetched(folder, options.packages)
        verses = list(bible(folder))
        twain = (folder / "golang-github-golang-snappy-dev/usr/share/gocode/src/github.com/golang/snappy/testdata/Mark.Twain-Tom.Sawyer.txt").read_text()
        prose = " ".join([*novels(folder), twain.partition("End of the Project Gutenberg")[0], *(verse for _, verse in verses)])
    sentences = [words(part) for part in re.split(r"[.:;?!\"()]|--", prose)]
    sentences += famous()
    listed = phrases(verses)
    (entries, bags), begun = hashes(listed), beginnings()
    singles, pairs = costs(sentences)
    written("phrases.h", "".join(
        array("uint32_t", f"{name}_heads", [e >> 16 for e in found], 8) + array("uint16_t", f"{name}_tails", [e & 0xFFFF for e in found], 4)
        for name, found in (("phrase", entries), ("bag", bags), ("beginning", begun))))
    written("frequencies.h", hashed(singles, "word") + hashed(pairs, "pair"))
    parts = ", ".join(f"{name}: {len(part)}" for name, part in listed.items())
    print(f"{parts}; together {len(entries)} phrases, {len(bags)} sets of words, {len(begun)} beginnings")
    print(f"{sum(map(len, sentences))} words of text, {len(singles)} words and {len(pairs)} pairs in the tables,",
          f"{(len(entries) + len(bags) + len(begun)) * 6 + (len(singles) + len(pairs)) * 5} bytes")
    return 0
