"""Copies the word lists of Dropbox's zxcvbn into Sources/C/CPassphraseWords, and freezes its estimates of 10,000 passphrases in fixtures/passphrases.

The package `zxcvbn` of PyPI (4.5.0, MIT) is the Python port of the reference. It is not among the packages that tools/install brings: install it into a
virtual environment, and run this with its Python.
"""
import importlib
import math
import random

from ..common import FIXTURES, ROOT

OUT = FIXTURES / "passphrases/zxcvbn.tsv"
WORDS = ROOT / "Sources/C/CPassphraseWords/words.c"
# The words that PassphraseStrength adds.
OWN = ["heliograph", "polkadot", "kusama", "westend", "substrate", "parity"]
LEET = {"a": "4@", "b": "8", "c": "({", "e": "3", "g": "69", "i": "1!", "l": "1|7", "o": "0", "s": "$5", "t": "+7", "x": "%", "z": "2"}
ROWS = ["`1234567890-=", "qwertyuiop[]\\", "asdfghjkl;'", "zxcvbnm,./"]
SYMBOLS, LOWER, DIGITS = "!@#$%^&*?-_.+ ", "abcdefghijklmnopqrstuvwxyz", "0123456789"


class Passphrases:
    """Passphrases as people make them: words, swapped letters, dates, walks over the keyboard, repeats, and random ones."""

    def __init__(self, lists):
        self.generator, self.lists = random.Random(20261123), list(lists.values())

    def some(self, count, letters):
        return "".join(self.generator.choice(letters) for _ in range(count))

    def word(self):
        words = self.generator.choice(self.lists)
        return words[min(len(words) - 1, int(len(words) * self.generator.random() ** 2))]

    def leet(self, word):
        return "".join(self.generator.choice(LEET[c]) if c in LEET and self.generator.random() < 0.4 else c for c in word)

    def cased(self, word):
        kind = self.generator.random()
        if kind < 0.5:
            return word
        if kind < 0.8:
            return word.capitalize()
        return word.upper() if kind < 0.9 else "".join(c.upper() if self.generator.random() < 0.3 else c for c in word)

    def date(self):
        year, month, day = self.generator.randint(1930, 2030), self.generator.randint(1, 12), self.generator.randint(1, 28)
        s = self.generator.choice(["", "-", "/", ".", " "])
        return self.generator.choice([f"{year}{s}{month:02}{s}{day:02}", f"{day:02}{s}{month:02}{s}{year}", f"{month}{s}{day}{s}{year % 100:02}"])

    def walk(self):
        row, column, keys = self.generator.randrange(4), self.generator.randrange(8), ""
        for _ in range(self.generator.randint(3, 9)):
            row = max(0, min(3, row + self.generator.choice([0, 0, 0, 1, -1])))
            column = max(0, min(len(ROWS[row]) - 1, column + self.generator.choice([1, 1, 1, 0, -1])))
            keys += ROWS[row][column]
        return keys

    def sequence(self):
        letters = self.generator.choice([LOWER, DIGITS, LOWER.upper()])
        start = self.generator.randrange(len(letters) - 4)
        return letters[start:start + self.generator.randint(3, 8)][::self.generator.choice([1, 1, -1])]

    def piece(self):
        r = self.generator
        kinds = [lambda: self.cased(self.word()), lambda: self.cased(self.word()), lambda: self.leet(self.cased(self.word())),
                 lambda: self.word()[::-1], self.date, self.walk, self.sequence,
                 lambda: r.choice([self.some(1, LOWER), self.word()[:6], self.some(2, LOWER + DIGITS)]) * r.randint(2, 6),
                 lambda: self.some(r.randint(1, 6), DIGITS), lambda: self.some(r.randint(1, 3), SYMBOLS),
                 lambda: self.some(r.randint(1, 6), LOWER + LOWER.upper() + DIGITS + SYMBOLS)]
        return r.choice(kinds)()

    def one(self):
        r, kind = self.generator, self.generator.random()
        if kind < 0.15:
            return self.some(r.randint(4, 20), r.choice([LOWER, LOWER + LOWER.upper(), LOWER + DIGITS, DIGITS, LOWER + LOWER.upper() + DIGITS + SYMBOLS]))
        if kind < 0.3:
            return r.choice([" ", "-", "", "_", "."]).join(self.word() for _ in range(r.randint(2, 6)))
        if kind < 0.45:
            return self.leet(self.cased(self.word())) + self.some(r.randint(0, 4), DIGITS) + self.some(r.randint(0, 2), SYMBOLS)
        return "".join(self.piece() for _ in range(r.randint(1, 5)))

    def all(self, count):
        found = {"Tr0ub4dor&3": None}
        while len(found) < count:
            text = self.one()
            if 1 <= len(text) <= 60 and all(" " <= c <= "~" for c in text) and text.strip() == text:
                found[text] = None
        return list(found)


def run(options):
    estimate = importlib.import_module("zxcvbn").zxcvbn
    lists = {name: list(words) for name, words in importlib.import_module("zxcvbn.frequency_lists").FREQUENCY_LISTS.items()}
    ranks = {}
    for words in lists.values():
        for rank, word in enumerate(words, 1):
            if word.isascii():
                ranks[word] = min(rank, ranks.get(word, rank))
    quoted = [f"{word} {ranks[word]}".replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?") for word in sorted(ranks)]
    lines = []
    for text in quoted:
        if lines and len(lines[-1]) + len(text) < 104:
            lines[-1] += f"{text}\\n"
        else:
            lines.append(f"{text}\\n")
    head = ("// The frequency lists of zxcvbn, Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., under the MIT licence, each word with its best rank:\n"
            "// made by tools/dev golden passphrases from the package zxcvbn 4.5.0 of PyPI.\n#include \"CPassphraseWords.h\"\n\n"
            "static const char words[] =\n")
    body = "\n".join(f'    "{line}"' for line in lines)
    tail = ("const char *heliograph_passphrase_words(void) { return words; }\n\n"
            "unsigned long heliograph_passphrase_words_length(void) { return sizeof words - 1; }\n")
    WORDS.write_text(f"{head}{body};\n\n{tail}")
    OUT.parent.mkdir(exist_ok=True)
    rows = ((math.log2(estimate(text, user_inputs=OWN)["guesses"]), text) for text in Passphrases(lists).all(10_000))
    OUT.write_text("".join(f"{bits:.4f}\t{text}\n" for bits, text in rows))
    return 0
