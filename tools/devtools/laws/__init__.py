"""Checks the rules of the design that a compiler does not check; see .github/ARCHITECTURE.md, "Layers".

With the folder of the static release build the symbols of the shipped programs are checked too; without it the modules of the last
`swift build` are read. With --index only the laws that read the index of the last `swift build --build-tests` are checked.
"""
import pathlib

from ..common import ROOT
from . import citations, enums, forms, index_laws, layers, sources, symbols, text_law
from .report import Tally

KINDS = ["layers", "sources", "citations", "forms", "enums", "symbols", "texts"]


def configure(parser):
    """Takes the folder of the programs, and which laws."""
    parser.add_argument("binaries", nargs="?", type=pathlib.Path, help="folder of the static release build")
    parser.add_argument("--index", action="store_true", help="check the laws of the index instead")
    parser.add_argument("--kind", action="append", choices=KINDS, help="check the laws of this kind only")


def texts(tally, modules):
    """The law of exact text, and that it works."""
    tally.law("the law of exact text finds every form of an inexact comparison", text_law.missed(modules))
    found, unused = text_law.offenders(modules)
    tally.law("text that decides trust is compared by its bytes", found)
    tally.law("every place where text may be compared otherwise is still there", unused)


def run(options):
    """1 when a law is broken."""
    tally, kinds = Tally(), options.kind or KINDS
    if options.index:
        index_laws.check(tally)
    else:
        if "layers" in kinds:
            layers.check(tally)
        if "sources" in kinds:
            sources.check(tally)
        if "citations" in kinds:
            citations.check(tally)
        if "forms" in kinds:
            forms.check(tally)
        if "enums" in kinds:
            enums.check(tally)
        if "symbols" in kinds and options.binaries:
            symbols.check(tally, options.binaries)
        if "texts" in kinds:
            texts(tally, (options.binaries or ROOT / ".build/debug").resolve() / "Modules")
    print(f"laws: {tally.passed} passed, {len(tally.failures)} failed")
    return 1 if tally.failures else 0
