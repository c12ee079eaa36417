"""Makes Sources/Secrets/Keys/WordLists and fixtures/keys/languages.json: BIP-39's words beside the English ones, and phrases of them.

The lists are those of bitcoin/bips, folder bip-0039 (MIT licence), as PyPI `mnemonic` has them: each stands there in NFKD already. The English list is kept in
WordListEnglish.swift.
"""
import hashlib
import json
import pathlib
import random
import textwrap
import unicodedata

import bip39
import mnemonic

from ..common import FIXTURES, ROOT

OUT = ROOT / "Sources/Secrets/Keys/WordLists"
LANGUAGES = {"japanese": "Japanese", "korean": "Korean", "spanish": "Spanish", "chinese_simplified": "ChineseSimplified",
             "chinese_traditional": "ChineseTraditional", "french": "French", "italian": "Italian", "czech": "Czech", "portuguese": "Portuguese"}
TITLES = {"chinese_simplified": "simplified Chinese", "chinese_traditional": "traditional Chinese"}
# What py-bip39-bindings calls them; it knows neither Czech nor Portuguese.
CODES = {"english": "en", "chinese_simplified": "zh-hans", "chinese_traditional": "zh-hant", "french": "fr", "italian": "it", "japanese": "ja", "korean": "ko",
         "spanish": "es"}
# Columns of a list in its file.
WIDTH = 96


def words(language):
    listed = (pathlib.Path(mnemonic.__file__).parent / f"wordlist/{language}.txt").read_text().split()
    assert len(set(listed)) == 2048 and all(unicodedata.normalize("NFKD", word) == word for word in listed)
    return listed


def source(language, name):
    listed = words(language)
    digest = hashlib.sha256("".join(f"{word}\n" for word in listed).encode()).hexdigest()
    lines = textwrap.wrap(" ".join(listed), WIDTH, break_long_words=False, break_on_hyphens=False)
    title = TITLES.get(language, name)
    return (f"enum {name}Words {{\n    /// The 2048 {title} words of BIP-39 in their order and in NFKD, separated by white space.\n    ///\n"
            f"    /// Source: bitcoin/bips bip-0039/{language}.txt (MIT licence); SHA-256 of the words with a newline after\n"
            f"    /// each: {digest}.\n"
            f"    static let text: StaticString = \"\"\"\n"
            + "".join(f"        {line}\n" for line in lines) + '        """\n}\n')


def phrases(rng):
    """Phrases as their writers may type them, and what independent programs make of them."""
    for language in ["english", *LANGUAGES]:
        maker = mnemonic.Mnemonic(language)
        for count in (16, 20, 24, 28, 32):
            entropy = rng.randbytes(count)
            phrase = unicodedata.normalize("NFKD", maker.to_mnemonic(entropy).replace("\u3000", " "))
            typed = unicodedata.normalize("NFC", phrase)
            if language == "japanese":
                typed = typed.replace(" ", "\u3000")
            code = CODES.get(language)
            mini = {"miniSecret": bytes(bip39.bip39_to_mini_secret(phrase, "", code)).hex()} if code else {}
            yield {"language": language.replace("_", "-"), "entropy": entropy.hex(), "phrase": phrase, "typed": typed,
                   "seed": mnemonic.Mnemonic.to_seed(phrase).hex()} | mini



def configure(parser):
    """Takes no options."""


def run(options):
    for language, name in LANGUAGES.items():
        (OUT / f"WordTable{name}.swift").write_text(source(language, name))
    cases = [{"id": number} | case for number, case in enumerate(phrases(random.Random("heliograph languages")))]
    (FIXTURES / "keys/languages.json").write_text("[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "\n]\n")
    print(f"languages.json: {len(cases)} cases")
