/// What `nodejs` runs: it reads a module from standard input, calls it and writes the answers to standard
/// output.
///
/// Out: tag (1 byte), length (u32 LE), body. `r` with the version of nodejs comes first, before a byte of the
/// module is read. In: minimum and maximum pages of the memory to give (u32 LE each; a maximum of 0 for a
/// module with its own memory), length (u32 LE), module.
///
/// The module reaches what polkadot-sdk's builder gives a runtime when it computes the metadata hash
/// (`substrate/utils/wasm-builder/src/ metadata_hash.rs`): an allocator, logging, hashing, and a state that
/// is empty. Each of the others ends the call with its name, so a module that wants randomness or a key gets
/// no made-up answer. Every call has an instance, a memory and a state of its own. `s` names the functions of
/// state and hashing that were called.
///
/// A block of the allocator has a header of eight bytes before it, as that of the freeing-bump allocator
/// (`substrate/client/allocator`): runtimes since 2025 write a tag into its last byte
/// (`substrate/primitives/io/src/global_alloc_wasm.rs`). No other byte of it may change, so every header
/// shows whether the block before it was overrun.
enum RuntimeScript {
    /// The optimizing compiler is off, because most faults of the engine are found in it, and memory is
    /// limited.
    static let options = [
        "--no-addons", "--no-warnings", "--no-wasm-tier-up",
        "--wasm-max-mem-pages=\(WasmModule.maximumPages)", "--max-old-space-size=256",
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
        const fail = (kind, call, detail) => { write('x', kind, call, '\\0', String(detail).slice(0, 300)); process.reallyExit(0); };
        class Unavailable { constructor(name) { this.name = name; } }
        class Exhausted {}
        class Panic { constructor(message) { this.message = message; } }

        const mask = (1n << 64n) - 1n;
        const left = (number, bits) => (bits === 0n ? number : ((number << bits) | (number >> (64n - bits))) & mask);
        const lane = (bytes, at) => bytes.readBigUInt64LE(at);
        // XXH64 with the seeds 0, 1, …: https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md.
        const twox = (bytes, length) => {
            const [a, b, c, d, e] = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n, 0x85ebca77c2b2ae63n, 0x27d4eb2f165667c5n];
            const turn = (sum, word) => (left((sum + word * b) & mask, 31n) * a) & mask;
            const out = Buffer.alloc(length);
            for (let seed = 0n; seed < BigInt(length / 8); seed += 1n) {
                let [at, hash] = [0, (seed + e) & mask];
                if (bytes.length >= 32) {
                    const sums = [seed + a + b, seed + b, seed, seed - a].map((sum) => sum & mask);
                    for (; at + 32 <= bytes.length; at += 32) sums.forEach((sum, index) => { sums[index] = turn(sum, lane(bytes, at + 8 * index)); });
                    hash = [1n, 7n, 12n, 18n].reduce((whole, bits, index) => (whole + left(sums[index], bits)) & mask, 0n);
                    for (const sum of sums) hash = ((hash ^ turn(0n, sum)) * a + d) & mask;
                }
                hash = (hash + BigInt(bytes.length)) & mask;
                for (; at + 8 <= bytes.length; at += 8) hash = (left(hash ^ turn(0n, lane(bytes, at)), 27n) * a + d) & mask;
                if (at + 4 <= bytes.length) {
                    hash = (left(hash ^ ((BigInt(bytes.readUInt32LE(at)) * a) & mask), 23n) * b + c) & mask;
                    at += 4;
                }
                for (; at < bytes.length; at += 1) hash = (left(hash ^ ((BigInt(bytes[at]) * e) & mask), 11n) * a) & mask;
                hash = ((hash ^ (hash >> 33n)) * b) & mask;
                hash = ((hash ^ (hash >> 29n)) * c) & mask;
                out.writeBigUInt64LE(hash ^ (hash >> 32n), Number(seed) * 8);
            }
            return out;
        };
        // RFC 7693
        const blake2 = (bytes, length) => {
            const start = [
                0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n, 0x510e527fade682d1n, 0x9b05688c2b3e6c1fn,
                0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n];
            const orders = [
                '0123456789abcdef', 'ea489fd61c02b753', 'b8c052fdae367194', '7931dcbe265a40f8', '905724afe1bc683d',
                '2c6a0b834d75fe19', 'c51fed4a0763928b', 'db7ec13950f4862a', '6fe9b308c2d714a5', 'a2847615fb9e3cd0'];
            const state = [...start];
            state[0] ^= 0x01010000n ^ BigInt(length);
            const count = Math.max(1, Math.ceil(bytes.length / 128));
            for (let block = 0; block < count; block += 1) {
                const part = Buffer.alloc(128);
                bytes.copy(part, 0, block * 128, Math.min(bytes.length, (block + 1) * 128));
                const words = Array.from({ length: 16 }, (_, index) => lane(part, index * 8));
                const v = [...state, ...start];
                v[12] ^= BigInt(Math.min(bytes.length, (block + 1) * 128));
                if (block === count - 1) v[14] ^= mask;
                const mix = (a, b, c, d, one, other) => {
                    for (const [word, first, second] of [[one, 32n, 40n], [other, 48n, 1n]]) {
                        v[a] = (v[a] + v[b] + word) & mask;
                        v[d] = left(v[d] ^ v[a], first);
                        v[c] = (v[c] + v[d]) & mask;
                        v[b] = left(v[b] ^ v[c], second);
                    }
                };
                for (let round = 0; round < 12; round += 1) {
                    const order = [...orders[round % 10]].map((digit) => words[parseInt(digit, 16)]);
                    for (let index = 0; index < 4; index += 1) {
                        mix(index, index + 4, index + 8, index + 12, order[index * 2], order[index * 2 + 1]);
                    }
                    for (let index = 0; index < 4; index += 1) {
                        mix(index, 4 + (index + 1) % 4, 8 + (index + 2) % 4, 12 + (index + 3) % 4, order[8 + index * 2], order[9 + index * 2]);
                    }
                }
                for (let index = 0; index < 8; index += 1) state[index] ^= v[index] ^ v[index + 8];
            }
            const out = Buffer.alloc(64);
            state.forEach((word, index) => out.writeBigUInt64LE(word, index * 8));
            return out.subarray(0, length);
        };
        // Keccak with the padding of before FIPS 202.
        const keccak = (bytes, length) => {
            const rate = 200 - 2 * length;
            const padded = Buffer.alloc((Math.floor(bytes.length / rate) + 1) * rate);
            bytes.copy(padded);
            padded[bytes.length] ^= 0x01;
            padded[padded.length - 1] ^= 0x80;
            let state = Array(25).fill(0n);
            for (let at = 0; at < padded.length; at += rate) {
                for (let index = 0; index < rate / 8; index += 1) state[index] ^= lane(padded, at + index * 8);
                let shift = 1;
                for (let round = 0; round < 24; round += 1) {
                    const columns = [0, 1, 2, 3, 4].map((x) => state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20]);
                    state = state.map((word, index) => word ^ columns[(index + 4) % 5] ^ left(columns[(index + 1) % 5], 1n));
                    const moved = Array(25).fill(0n);
                    moved[0] = state[0];
                    for (let [x, y, step] = [1, 0, 0]; step < 24; [x, y, step] = [y, (2 * x + 3 * y) % 5, step + 1]) {
                        moved[y + 5 * ((2 * x + 3 * y) % 5)] = left(state[x + 5 * y], BigInt(((step + 1) * (step + 2) / 2) % 64));
                    }
                    state = moved.map((word, index) => {
                        const row = index - index % 5;
                        return word ^ ((mask ^ moved[row + (index + 1) % 5]) & moved[row + (index + 2) % 5]);
                    });
                    for (let bit = 0; bit < 7; bit += 1) {
                        if (shift & 1) state[0] ^= 1n << BigInt((1 << bit) - 1);
                        shift = (shift << 1) ^ ((shift >> 7) * 0x171);
                    }
                }
            }
            const out = Buffer.alloc(200);
            state.forEach((word, index) => out.writeBigUInt64LE(word, index * 8));
            return out.subarray(0, length);
        };
        const sha2 = (bytes) => require('crypto').createHash('sha256').update(bytes).digest();
        const hashes = {
            twox_64: (bytes) => twox(bytes, 8), twox_128: (bytes) => twox(bytes, 16), twox_256: (bytes) => twox(bytes, 32),
            blake2_128: (bytes) => blake2(bytes, 16), blake2_256: (bytes) => blake2(bytes, 32),
            keccak_256: (bytes) => keccak(bytes, 32), keccak_512: (bytes) => keccak(bytes, 64), sha2_256: sha2,
        };
        const compact = (number) => {
            if (number < 64) return Buffer.from([number << 2]);
            const wide = Buffer.alloc(4);
            wide.writeUInt32LE(((number << 2) | (number < 1 << 14 ? 1 : 2)) >>> 0);
            return number < 1 << 14 ? wide.subarray(0, 2) : wide;
        };
        const used = new Set();

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
            const blocks = [];
            let said = null;
            const place = (size) => {
                // The largest block that nodes give.
                if (next < 0 || size > 1 << 25) throw new Exhausted();
                let order = 0;
                while (8 << order < size) order += 1;
                const at = Math.ceil(next / 8) * 8 + 8;
                const lacking = at + (8 << order) - memory.buffer.byteLength;
                if (lacking > 0) {
                    try { memory.grow(Math.ceil(lacking / 65536)); } catch (error) { throw new Exhausted(); }
                }
                const view = new DataView(memory.buffer);
                view.setUint32(at - 8, order, true);
                view.setUint32(at - 4, 1, true);
                blocks.push([at, order]);
                next = at + (8 << order);
                return at;
            };
            const check = () => {
                const view = new DataView(memory.buffer);
                for (const [at, order] of blocks) {
                    // The highest bit is the tag of the runtime's own allocator.
                    const isWhole = view.getUint32(at - 8, true) === order && (view.getUint32(at - 4, true) & 0x7fffffff) === 1;
                    if (!isWhole) fail('k', call, '');
                }
            };
            const bytes = (span) => {
                const [pointer, size] = [Number(BigInt.asUintN(32, span)), Number(BigInt.asUintN(32, span >> 32n))];
                if (pointer + size > memory.buffer.byteLength) fail('p', call, '');
                return Buffer.from(new Uint8Array(memory.buffer, pointer, size));
            };
            const give = (content) => {
                const at = place(content.length);
                new Uint8Array(memory.buffer).set(content, at);
                return at;
            };
            const span = (content) => BigInt(give(content)) | BigInt(content.length) << 32n;
            const option = (content) => span(content === null ? Buffer.from([0]) : Buffer.concat([Buffer.from([1]), content]));
            const vector = (content) => Buffer.concat([compact(content.length), content]);
            let state = new Map();
            const earlier = [];
            const key = (span) => bytes(span).toString('latin1');
            const clear = (prefix) => {
                const gone = [...state.keys()].filter((name) => name.startsWith(key(prefix)));
                for (const name of gone) state.delete(name);
                return gone.length;
            };
            const known = {
                ext_allocator_malloc_version_1: (size) => place(size >>> 0),
                ext_allocator_free_version_1: () => {},
                ext_logging_max_level_version_1: () => 0,
                ext_logging_log_version_1: (level, target, message) => { said = bytes(message).toString(); },
                ext_panic_handler_abort_on_panic_version_1: (message) => { throw new Panic(bytes(message).toString()); },
            };
            const noted = {
                ext_storage_get_version_1: (at) => { const value = state.get(key(at)); return option(value ? vector(value) : null); },
                ext_storage_read_version_1: (at, target, offset) => {
                    const value = state.get(key(at));
                    if (!value) return option(null);
                    const rest = value.subarray(Math.min(offset >>> 0, value.length));
                    const size = Number(BigInt.asUintN(32, target >> 32n));
                    bytes(target);
                    new Uint8Array(memory.buffer).set(rest.subarray(0, size), Number(BigInt.asUintN(32, target)));
                    return option(word(rest.length));
                },
                ext_storage_exists_version_1: (at) => (state.has(key(at)) ? 1 : 0),
                ext_storage_set_version_1: (at, value) => { state.set(key(at), bytes(value)); },
                ext_storage_clear_version_1: (at) => { state.delete(key(at)); },
                ext_storage_clear_prefix_version_1: (prefix) => { clear(prefix); },
                ext_storage_clear_prefix_version_2: (prefix) => span(Buffer.concat([Buffer.from([0]), word(clear(prefix))])),
                ext_storage_next_key_version_1: (at) => {
                    const later = [...state.keys()].filter((name) => name > key(at)).sort();
                    return option(later.length > 0 ? vector(Buffer.from(later[0], 'latin1')) : null);
                },
                ext_storage_start_transaction_version_1: () => { earlier.push(new Map(state)); },
                ext_storage_rollback_transaction_version_1: () => { state = earlier.pop() ?? new Map(); },
                ext_storage_commit_transaction_version_1: () => { earlier.pop(); },
            };
            for (const [name, hash] of Object.entries(hashes)) noted[`ext_hashing_${name}_version_1`] = (data) => give(hash(bytes(data)));
            for (const [name, body] of Object.entries(noted)) {
                known[name] = (...values) => { used.add(name); return body(...values); };
            }
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
            return { run: exported[call], memory, place, check, said: () => said };
        };
        const answer = (call, ...argument) => {
            let instance = null;
            try {
                instance = start(call);
                const at = instance.place(argument.length * 4);
                argument.forEach((number, index) => new DataView(instance.memory.buffer).setUint32(at + index * 4, number, true));
                const result = instance.run(at, argument.length * 4);
                instance.check();
                if (typeof result !== 'bigint') fail('t', call, '');
                const pointer = Number(BigInt.asUintN(32, result));
                const size = Number(BigInt.asUintN(32, result >> 32n));
                if (pointer + size > instance.memory.buffer.byteLength) fail('p', call, '');
                if (size > LIMIT) fail('l', call, '');
                return Buffer.from(instance.memory.buffer, pointer, size);
            } catch (error) {
                if (error instanceof Unavailable) fail('h', call, error.name);
                if (error instanceof Exhausted) fail('a', call, '');
                // A runtime logs its panic and then traps; nothing else is logged, because the log level is
                // off.
                const words = error instanceof Panic ? error.message : error instanceof WebAssembly.RuntimeError && instance && instance.said();
                if (words) fail('n', call, words);
                fail('e', call, error && error.message);
            }
        };

        const names = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function').map(({ name }) => name);
        write('c', answer('Core_version'));
        write('m', answer('Metadata_metadata'));
        if (names.includes('Metadata_metadata_versions') && names.includes('Metadata_metadata_at_version')) {
            const listed = answer('Metadata_metadata_versions');
            // A compact length below 64 is one byte. The list only says what to ask for: each answer tells
            // its own format.
            for (const version of [14, 15, 16]) {
                for (let at = 1; at + 4 <= listed.length; at += 4) {
                    if (listed.readUInt32LE(at) !== version) continue;
                    write('a', word(version), answer('Metadata_metadata_at_version', version));
                    break;
                }
            }
        }
        if (used.size > 0) write('s', [...used].sort().join(','));
        write('z');
        process.reallyExit(0);
        """.replacing("LIMIT", with: "\(RuntimeRunner.maximumAnswer)")
}
