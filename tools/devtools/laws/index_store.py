"""Reads the compiler's index: which file defines a symbol and which files use it (libIndexStore of the toolchain, through ctypes)."""
import collections
import ctypes
import dataclasses
import pathlib
import shutil

DEFINITION, REFERENCE, IMPLICIT = 1 << 1, 1 << 2, 1 << 8
RECORD_DEPENDENCY = 2


class Text(ctypes.Structure):
    """The library's string reference: a pointer and a length."""

    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


@dataclasses.dataclass(frozen=True)
class Occurrence:
    """An occurrence of a symbol in a file."""

    usr: str
    name: str
    roles: int
    line: int


@dataclasses.dataclass(frozen=True)
class Unit:
    """A compiled file: its module, and the names of the records that hold its occurrences."""

    module: str
    records: tuple


EACH_TEXT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)
EACH_POINTER = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
POINTER, WORD = ctypes.c_void_p, ctypes.c_uint
SIGNATURES = {
    "store_create": (POINTER, [ctypes.c_char_p, ctypes.POINTER(POINTER)]),
    "store_units_apply_f": (ctypes.c_bool, [POINTER, WORD, POINTER, EACH_TEXT]),
    "store_get_unit_modification_time": (ctypes.c_int, [POINTER, ctypes.c_char_p, *[ctypes.POINTER(ctypes.c_int64)] * 2]),
    "unit_reader_create": (POINTER, [POINTER, ctypes.c_char_p, ctypes.POINTER(POINTER)]),
    "unit_reader_dispose": (None, [POINTER]),
    "unit_reader_get_main_file": (Text, [POINTER]),
    "unit_reader_get_module_name": (Text, [POINTER]),
    "unit_reader_dependencies_apply_f": (ctypes.c_bool, [POINTER, POINTER, EACH_POINTER]),
    "unit_dependency_get_kind": (ctypes.c_int, [POINTER]),
    "unit_dependency_get_name": (Text, [POINTER]),
    "unit_dependency_get_filepath": (Text, [POINTER]),
    "record_reader_create": (POINTER, [POINTER, ctypes.c_char_p, ctypes.POINTER(POINTER)]),
    "record_reader_dispose": (None, [POINTER]),
    "record_reader_occurrences_apply_f": (ctypes.c_bool, [POINTER, POINTER, EACH_POINTER]),
    "occurrence_get_symbol": (POINTER, [POINTER]),
    "occurrence_get_roles": (ctypes.c_uint64, [POINTER]),
    "occurrence_get_line_col": (None, [POINTER, ctypes.POINTER(WORD), ctypes.POINTER(WORD)]),
    "symbol_get_usr": (Text, [POINTER]),
    "symbol_get_name": (Text, [POINTER]),
}


def library():
    """The toolchain's libIndexStore with the types of its functions."""
    compiler = shutil.which("swiftc")
    if compiler is None:
        raise SystemExit("dev: swiftc is not on PATH")
    loaded = ctypes.CDLL(str(pathlib.Path(compiler).resolve().parent.parent / "lib/libIndexStore.so"))
    for name, (result, arguments) in SIGNATURES.items():
        function = getattr(loaded, f"indexstore_{name}")
        function.restype, function.argtypes = result, arguments
    return loaded


class IndexStore:
    def __init__(self, path):
        self.api = library()
        error = POINTER()
        self.store = self.api.indexstore_store_create(str(path).encode(), ctypes.byref(error))
        if not self.store:
            raise SystemExit(f"dev: no index store in {path}: run `swift build --build-tests` first")

    def _unit_names(self):
        names = []

        @EACH_TEXT
        def each(_, name):
            names.append(str(name))
            return True

        self.api.indexstore_store_units_apply_f(self.store, 0, None, each)
        return names

    def _modified(self, name):
        seconds, nanoseconds = ctypes.c_int64(), ctypes.c_int64()
        self.api.indexstore_store_get_unit_modification_time(self.store, name.encode(), ctypes.byref(seconds), ctypes.byref(nanoseconds))
        return seconds.value, nanoseconds.value

    def _records(self, reader, file):
        """Names of the records of the file itself; those of headers and of other modules are left out."""
        found = []

        @EACH_POINTER
        def each(_, dependency):
            if self.api.indexstore_unit_dependency_get_kind(dependency) == RECORD_DEPENDENCY:
                if str(self.api.indexstore_unit_dependency_get_filepath(dependency)) == file:
                    found.append(str(self.api.indexstore_unit_dependency_get_name(dependency)))
            return True

        self.api.indexstore_unit_reader_dependencies_apply_f(reader, None, each)
        return tuple(found)

    def units(self, wanted):
        """The newest unit of each file that `wanted` (path → Bool) takes."""
        newest = {}
        for name in self._unit_names():
            error = POINTER()
            reader = self.api.indexstore_unit_reader_create(self.store, name.encode(), ctypes.byref(error))
            if not reader:
                continue
            file = str(self.api.indexstore_unit_reader_get_main_file(reader))
            if wanted(file):
                module = str(self.api.indexstore_unit_reader_get_module_name(reader))
                unit = Unit(module, self._records(reader, file))
                newest[file] = max(newest.get(file, ((0, 0), unit)), (self._modified(name), unit), key=lambda pair: pair[0])
            self.api.indexstore_unit_reader_dispose(reader)
        return {file: (time, unit) for file, (time, unit) in newest.items()}

    def occurrences(self, record):
        """Every occurrence of one record."""
        error, found = POINTER(), []
        reader = self.api.indexstore_record_reader_create(self.store, record.encode(), ctypes.byref(error))
        if not reader:
            return found
        line, column = WORD(), WORD()

        @EACH_POINTER
        def each(_, occurrence):
            symbol = self.api.indexstore_occurrence_get_symbol(occurrence)
            self.api.indexstore_occurrence_get_line_col(occurrence, ctypes.byref(line), ctypes.byref(column))
            usr, name = str(self.api.indexstore_symbol_get_usr(symbol)), str(self.api.indexstore_symbol_get_name(symbol))
            found.append(Occurrence(usr, name, self.api.indexstore_occurrence_get_roles(occurrence), line.value))
            return True

        self.api.indexstore_record_reader_occurrences_apply_f(reader, None, each)
        self.api.indexstore_record_reader_dispose(reader)
        return found


def components(graph):
    """The strongly connected components of a graph (node → nodes): sets of nodes that all reach each other."""
    def reached(node):
        found, waiting = set(), [node]
        while waiting:
            new = set(graph.get(waiting.pop(), ())) - found
            found |= new
            waiting += new
        return found

    reach = {node: reached(node) for node in graph}
    return {frozenset({node, *(other for other in reach[node] if node in reach.get(other, ()))}) for node in graph}


def file_graph(occurrences_by_file):
    """file → file → names of the symbols that the first uses and the second defines, among the given files."""
    defined = {}
    for file, occurrences in occurrences_by_file.items():
        for one in occurrences:
            if one.roles & DEFINITION:
                defined.setdefault(one.usr, file)
    graph = {file: collections.defaultdict(set) for file in occurrences_by_file}
    for file, occurrences in occurrences_by_file.items():
        for one in occurrences:
            other = defined.get(one.usr)
            if one.roles & REFERENCE and other and other != file:
                graph[file][other].add(one.name)
    return graph
