"""Draws functions, comments and sentences of errors, for somebody who reads them aloud and did not write them.

What needs a second reading is reworded. The same seed draws the same items from the same sources.
"""
import random
import re

from .common import FIXTURES, ROOT
from .laws.enums import brace_end
from .swift_types import blanked

FOLDERS = ["Sources", "tools/hot/Sources"]
FUNCTIONS, COMMENTS, SENTENCES = 40, 25, 25
LINES = range(8, 41)
HEAD = re.compile(r"^[ \t]*(?:[@\w()]+[ \t]+)*(?:func\b[^(\n]*|init[?<][^(\n]*|init)\(", re.M)
# Between the parameters and the body: effects, the result, constraints.
RESULT = re.compile(r"[^{}\n]*(?:\n[ \t]*(?:->|where|async|throws)[^{}\n]*)*\{")
COMMENT = re.compile(r"(?:^[ \t]*///.*\n){2,}(?:[ \t]*@.*\n)*.*", re.M)


def place(file, text, start):
    return f"{file.relative_to(ROOT)}:{text.count(chr(10), 0, start) + 1}"


def parameters_end(text, start):
    """The index after the bracket that closes the one before `start`."""
    depth = 1
    for bracket in re.finditer(r"[()]", text[start:]):
        depth += 1 if bracket[0] == "(" else -1
        if depth == 0:
            return start + bracket.end()
    return len(text)


def functions(file):
    """The place and the text of each function and initializer of 8 to 40 lines."""
    text, silent = file.read_text(), blanked(file)
    for head in HEAD.finditer(silent):
        body = RESULT.match(silent, parameters_end(silent, head.end()))
        if body:
            found = text[head.start() : brace_end(silent, body.end()) + 1]
            if found.count("\n") + 1 in LINES:
                yield place(file, text, head.start()), found


def comments(file):
    """The place and the text of each documentation comment of at least two lines, with the line that it describes."""
    text = file.read_text()
    for found in COMMENT.finditer(text):
        yield place(file, text, found.start()), found[0]


def configure(parser):
    parser.add_argument("--seed", type=int, required=True, help="what decides the draw, such as a date")


def run(options):
    files = sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.swift"))
    rows = [row.split("\t") for row in (FIXTURES / "errors.tsv").read_text().splitlines()]
    draw = random.Random(options.seed)
    for title, count, items in [
        ("function", FUNCTIONS, [item for file in files for item in functions(file)]),
        ("comment", COMMENTS, [item for file in files for item in comments(file)]),
        ("sentence", SENTENCES, [(code, sentence) for code, _, sentence in rows]),
    ]:
        for number, (where, text) in enumerate(draw.sample(items, count), 1):
            print(f"{title} {number}  {where}\n{text}\n")
    print(f"aloud: {FUNCTIONS} functions, {COMMENTS} comments and {SENTENCES} sentences of seed {options.seed}")
    return 0
