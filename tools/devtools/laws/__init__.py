"""Checks the rules of the design that a compiler does not check; see .github/ARCHITECTURE.md, "Layers".

With the folder of the static release build the symbols of the shipped programs are checked too; without it the modules of the last
`swift build` are read. With --index only the laws that read the index of the last `swift build --build-tests` are checked.
"""
import pathlib

from ..common import ROOT, Tally
from . import citations, enums, forms, index_laws, layers, sources, symbols, text_law

# Kind → what checks its laws.
KINDS = {"layers": layers.check, "sources": sources.check, "citations": citations.check, "forms": forms.check, "enums": enums.check,
         "symbols": symbols.check, "texts": text_law.check}


def configure(parser):
    parser.add_argument("binaries", nargs="?", type=pathlib.Path, help="folder of the static release build")
    parser.add_argument("--index", action="store_true", help="check the laws of the index instead")
    parser.add_argument("--kind", action="append", choices=KINDS, help="check the laws of this kind only")
    parser.add_argument("--target", action="append", help="read the text of this target only")


def run(options):
    tally, kinds = Tally(), options.kind or KINDS
    if options.index:
        index_laws.check(tally)
    else:
        for kind in kinds:
            # These two read what is built.
            built = {"symbols": [options.binaries], "texts": [(options.binaries or ROOT / ".build/debug").resolve() / "Modules", options.target]}.get(kind, [])
            if built != [None]:
                KINDS[kind](tally, *built)
    return tally.close("laws")
