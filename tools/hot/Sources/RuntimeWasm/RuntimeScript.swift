/// What `nodejs` runs: it reads a module from standard input, calls it and writes the answers to standard output.
///
/// Out: tag (1 byte), length (u32 LE), body. `r` with the version of nodejs comes first, before a byte of the module is read. In: minimum and maximum
/// pages of the memory to give (u32 LE each; a maximum of 0 for a module with its own memory), length (u32 LE), module.
///
/// The module reaches three functions: two of an allocator that only moves forward, and one that asks how much is logged. Each of the others ends the
/// call with its name, so a module that wants storage, randomness or a key gets no made-up answer. Every call has an instance and a memory of its own.
enum RuntimeScript {
    /// The engine may not compile with its optimizing compiler, whose faults are the ones that are found most often, and holds no more than this.
    static let options = [
        "--no-addons", "--no-warnings", "--no-wasm-tier-up", "--wasm-max-mem-pages=\(WasmModule.maximumPages)", "--max-old-space-size=256",
        "--v8-pool-size=1", "-e",
    ]

    static let text = """
        'use strict';
        const fs = require('fs');
        const write = (tag, ...parts) => {
            const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
            const frame = Buffer.alloc(5 + body.length);
            frame[0] = tag.charCodeAt(0);
            frame.writeUInt32LE(body.length, 1);
            body.copy(frame, 5);
            for (let done = 0; done < frame.length;) done += fs.writeSync(1, frame, done);
        };
        const read = (count) => {
            const buffer = Buffer.alloc(count);
            for (let done = 0; done < count;) {
                const step = fs.readSync(0, buffer, done, count - done, null);
                if (step === 0) process.reallyExit(3);
                done += step;
            }
            return buffer;
        };
        const word = (number) => { const buffer = Buffer.alloc(4); buffer.writeUInt32LE(number); return buffer; };
        const fail = (kind, call, detail) => { write('x', kind, call, '\\0', String(detail).slice(0, 200)); process.reallyExit(0); };
        class Unavailable { constructor(name) { this.name = name; } }
        class Exhausted {}

        write('r', process.versions.node);
        const [minimum, maximum, length] = [0, 4, 8].map(((head) => (at) => head.readUInt32LE(at))(read(12)));
        const code = read(length);
        let module;
        try { module = new WebAssembly.Module(code); } catch (error) { fail('c', '', error.message); }
        const imports = WebAssembly.Module.imports(module);

        const start = (call) => {
            const given = {};
            let memory = null;
            let next = -1;
            const place = (size) => {
                if (next < 0) throw new Exhausted();
                const at = Math.ceil(next / 8) * 8;
                const lacking = at + size - memory.buffer.byteLength;
                if (lacking > 0) {
                    try { memory.grow(Math.ceil(lacking / 65536)); } catch (error) { throw new Exhausted(); }
                }
                next = at + size;
                return at;
            };
            const known = {
                ext_allocator_malloc_version_1: (size) => place(size >>> 0),
                ext_allocator_free_version_1: () => {},
                ext_logging_max_level_version_1: () => 0,
            };
            for (const { module: space, name, kind } of imports) {
                if (!Object.hasOwn(given, space)) Object.defineProperty(given, space, { value: Object.create(null), enumerable: true });
                if (kind === 'memory') {
                    memory = new WebAssembly.Memory({ initial: minimum, maximum });
                    given[space][name] = memory;
                } else {
                    given[space][name] = Object.hasOwn(known, name) ? known[name] : () => { throw new Unavailable(name); };
                }
            }
            const exported = new WebAssembly.Instance(module, given).exports;
            memory = memory ?? exported.memory;
            if (!(memory instanceof WebAssembly.Memory)) fail('m', call, '');
            const base = exported.__heap_base;
            if (!(base instanceof WebAssembly.Global) || typeof base.value !== 'number') fail('b', call, '');
            next = base.value >>> 0;
            return { run: exported[call], memory, place };
        };
        const answer = (call, ...argument) => {
            try {
                const instance = start(call);
                const at = instance.place(argument.length * 4);
                argument.forEach((number, index) => new DataView(instance.memory.buffer).setUint32(at + index * 4, number, true));
                const result = instance.run(at, argument.length * 4);
                if (typeof result !== 'bigint') fail('t', call, '');
                const pointer = Number(BigInt.asUintN(32, result));
                const size = Number(BigInt.asUintN(32, result >> 32n));
                if (pointer + size > instance.memory.buffer.byteLength) fail('p', call, '');
                if (size > LIMIT) fail('l', call, '');
                return Buffer.from(instance.memory.buffer, pointer, size);
            } catch (error) {
                if (error instanceof Unavailable) fail('h', call, error.name);
                if (error instanceof Exhausted) fail('a', call, '');
                fail('e', call, error && error.message);
            }
        };

        const names = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function').map(({ name }) => name);
        write('c', answer('Core_version'));
        write('m', answer('Metadata_metadata'));
        if (names.includes('Metadata_metadata_versions') && names.includes('Metadata_metadata_at_version')) {
            const listed = answer('Metadata_metadata_versions');
            // A compact length below 64 is one byte. The list only says what to ask for: each answer tells its own format.
            for (const version of [14, 15, 16]) {
                for (let at = 1; at + 4 <= listed.length; at += 4) {
                    if (listed.readUInt32LE(at) !== version) continue;
                    write('a', word(version), answer('Metadata_metadata_at_version', version));
                    break;
                }
            }
        }
        write('z');
        process.reallyExit(0);
        """.replacing("LIMIT", with: "\(RuntimeRunner.maximumAnswer)")
}
