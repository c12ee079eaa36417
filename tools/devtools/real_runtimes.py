"""Real runtimes, read by `heliograph-hot unwasm` and by wasmtime: both must give the same metadata, byte for byte.

wasmtime gets the module as the zstd program expands it, and three host functions written here; it shares no code with the program.
"""
import hashlib
import os
import subprocess
import time

from .common import compact, read_compact

MAGIC = bytes.fromhex("52bc537646db8e05")
PAGE = 65536


class Oracle:
    def __init__(self, code):
        import wasmtime

        self.wasm = wasmtime
        self.engine = wasmtime.Engine()
        self.module = wasmtime.Module(self.engine, code)

    def call(self, name, argument=b""):
        """The bytes that a call of the runtime answers, from an instance of its own."""
        wasm, store = self.wasm, self.wasm.Store(self.engine)
        given, state = [], {}
        for entry in self.module.imports:
            if isinstance(entry.type, wasm.MemoryType):
                state["memory"] = wasm.Memory(store, wasm.MemoryType(wasm.Limits(entry.type.limits.min, 2048)))
                given.append(state["memory"])
            else:
                given.append(wasm.Func(store, entry.type, self.host(entry.name, state, store)))
        exported = wasm.Instance(store, self.module, given).exports(store)
        memory = state.setdefault("memory", exported.get("memory"))
        state["next"] = exported["__heap_base"].value(store)
        at = self.place(state, store, len(argument))
        memory.write(store, argument, at)
        packed = exported[name](store, at, len(argument)) & (1 << 64) - 1
        return bytes(memory.read(store, packed & 0xFFFFFFFF, (packed & 0xFFFFFFFF) + (packed >> 32)))

    @staticmethod
    def place(state, store, size):
        at = -(-state["next"] // 16) * 16
        state["next"] = at + size
        lacking = state["next"] - state["memory"].data_len(store)
        if lacking > 0:
            state["memory"].grow(store, -(-lacking // PAGE))
        return at

    def host(self, name, state, store):
        """A host function; one that is not among three ends the call."""
        def unavailable(*_):
            raise RuntimeError(name)
        known = {"ext_allocator_malloc_version_1": lambda size: self.place(state, store, size & 0xFFFFFFFF),
                 "ext_allocator_free_version_1": lambda _: None, "ext_logging_max_level_version_1": lambda: 0}
        return known.get(name, unavailable)

    def names(self):
        return {entry.name for entry in self.module.exports}


def vector(data):
    """The content of a byte vector, which is all there is."""
    length, start = read_compact(data)
    assert data[:start] == compact(length) and start + length == len(data)
    return data[start:]


def expected(oracle):
    """Format → metadata."""
    blobs = [vector(oracle.call("Metadata_metadata"))]
    if "Metadata_metadata_at_version" in oracle.names():
        for version in (14, 15, 16):
            answer = oracle.call("Metadata_metadata_at_version", version.to_bytes(4, "little"))
            if answer[0] == 1:
                blobs.append(vector(answer[1:]))
    return {blob[4]: blob for blob in blobs}


def run(check, work, hot, data):
    """Compares every runtime in the data; `hot` is the folder of heliograph-hot."""
    files = sorted((data / "runtimes").glob("*.wasm"))
    check("there are runtimes to read", bool(files), data)
    work.mkdir()
    for path in files:
        blob = path.read_bytes()
        code = subprocess.run(["zstd", "-dc"], input=blob[len(MAGIC):], capture_output=True, check=True).stdout if blob.startswith(MAGIC) else blob
        oracle = Oracle(code)
        wanted, found = expected(oracle), {}
        environment = {**os.environ, "HELIOGRAPH_HOT": str(work / "hot")}
        start = time.monotonic()
        for version in sorted(wanted):
            out = work / f"{path.name}.{version}.scale"
            done = subprocess.run([hot / "heliograph-hot", "unwasm", path, "--out", out, "--format", str(version)], capture_output=True, text=True,
                                  env=environment)
            check(f"{path.name}: V{version} is read", done.returncode == 0, done.stderr)
            found[version] = out.read_bytes() if out.exists() else b""
        seconds = (time.monotonic() - start) / len(wanted)
        check(f"{path.name}: formats {sorted(wanted)} are wasmtime's ({seconds:.1f} s each)", found == wanted)
        digest = hashlib.blake2b(blob, digest_size=32).hexdigest()
        check(f"{path.name}: the hash of the proposal is shown", f"BLAKE2b-256 0x{digest} (the hash in the proposal)" in done.stdout, done.stdout)
        version = oracle.call("Core_version")
        length, start = read_compact(version)
        name = version[start:start + length].decode()
        check(f"{path.name}: the runtime's name is {name}", done.stdout.startswith(f"runtime: {name} "), done.stdout)
    stored = (data / "metadata/westend-9150-v14.scale").read_bytes()
    check("westend 9150 is what the chain gave", (work / "westend-9150.compact.compressed.wasm.14.scale").read_bytes() == stored)
