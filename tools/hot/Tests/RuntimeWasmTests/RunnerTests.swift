import FixtureRuntime
import Foundation
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import Testing

@testable import RuntimeWasm

/// What a runtime answers is taken as it is, whichever way it has its memory.
@Suite struct RuntimeAnswerLaws {
    @Test func `a runtime gives its version and the bytes of its metadata`() throws {
        let runtime = FixtureRuntime.standard
        let memories = [
            Wat.memory, "(memory (export \"memory\") 20)", "(memory (export \"memory\") 20 40)",
            "(import \"env\" \"memory\" (memory 20 30))",
        ]
        for memory in memories {
            let calls = [
                ("Core_version", Wat.version(runtime)),
                ("Metadata_metadata", Wat.opaque(runtime.metadata(.v14))),
            ]
            let found = try Run.description(try Wat.module(Wat.answers(calls, memory: memory)))
            #expect(found.version == RuntimeVersion(specName: "heliotest", specVersion: 1000))
            #expect(found.transactionVersion == runtime.transactionVersion)
            #expect(found.metadata.map(\.blob) == [runtime.metadata(.v14)])
        }
    }

    @Test func `an old runtime has no transaction version`() throws {
        let runtime = FixtureRuntime.standard
        let calls = [
            ("Core_version", Wat.version(runtime, later: false)),
            ("Metadata_metadata", Wat.opaque(runtime.metadata(.v14))),
        ]
        #expect(try Run.description(try Wat.module(Wat.answers(calls))).transactionVersion == nil)
    }

    /// By format, with one answer for each; others are not asked for.
    private func offering(_ formats: [UInt32], _ answers: [UInt32: [UInt8]], first: [UInt8]) throws -> [UInt8]
    {
        let list = SCALEWriter.encode { writer in
            writer.compact(UInt64(formats.count))
            for format in formats { writer.integer(format) }
        }
        let calls = [
            ("Core_version", Wat.version(.standard)), ("Metadata_metadata", Wat.opaque(first)),
            ("Metadata_metadata_versions", list),
        ]
        var text = Wat.answers(calls)
        var offset = 400_000
        var choice = "(i64.const 0)"
        for (format, bytes) in answers.sorted(by: { $0.key < $1.key }) {
            text += "(data (i32.const \(offset)) \"\(Wat.literal(bytes))\")"
            choice = """
                (if (result i64) (i32.eq (i32.load (local.get 0)) (i32.const \(format)))
                (then (i64.const \(UInt64(offset) | UInt64(bytes.count) << 32))) (else \(choice)))
                """
            offset += bytes.count
        }
        text += "(func (export \"Metadata_metadata_at_version\") \(Wat.signature) "
        // The argument has four bytes and lies in the memory.
        return try Wat.module(
            text + "(if (i32.ne (local.get 1) (i32.const 4)) (then unreachable)) \(choice))")
    }

    @Test func `every format on the list is asked for, and the first one is not taken twice`() throws {
        let runtime = FixtureRuntime.standard
        let (old, new) = (runtime.metadata(.v14), runtime.metadata(.v15))
        let some = { (bytes: [UInt8]) in [1] + Wat.opaque(bytes) }
        let module = try offering([14, 15, 0xffff_ffff], [14: some(old), 15: some(new)], first: old)
        #expect(try Run.description(module).metadata.map(\.blob) == [old, new])
        let later = try offering([15], [15: some(new)], first: old)
        #expect(try Run.description(later).metadata.map(\.blob) == [old, new])
        let onlyFirst = try offering([], [:], first: old)
        #expect(try Run.description(onlyFirst).metadata.map(\.blob) == [old])
    }

    @Test func `answers that contradict each other are refused`() throws {
        let old = FixtureRuntime.standard.metadata(.v14)
        let other = FixtureRuntime(specName: "heliotest", specVersion: 1001).metadata(.v14)
        let some = { (bytes: [UInt8]) in [1] + Wat.opaque(bytes) }
        let malformed = RuntimeWasmError.malformedAnswer(call: "Metadata_metadata_at_version")
        func refusal(_ answer: [UInt8], format: UInt32 = 14) throws -> RuntimeWasmError? {
            let module = try offering([format], [format: answer], first: old)
            return try Run.refusal { _ = try Run.description(module) }
        }
        #expect(try refusal(some(other)) == .twoMetadata(format: 14))
        // None, another format than asked for, leftover bytes, no option.
        #expect(try refusal([0]) == malformed)
        #expect(try refusal(some(old), format: 15) == malformed)
        #expect(try refusal(some(old) + [0]) == malformed)
        #expect(try refusal([2]) == malformed)
        #expect(try refusal(some([1, 2])) == malformed)
    }

    @Test func `metadata of another version than the runtime's is refused`() throws {
        for other in [
            FixtureRuntime(specName: "heliotest", specVersion: 1001),
            FixtureRuntime(specName: "heliotesu", specVersion: 1000),
        ] {
            let calls = [
                ("Core_version", Wat.version(.standard)),
                ("Metadata_metadata", Wat.opaque(other.metadata(.v14))),
            ]
            let module = try Wat.module(Wat.answers(calls))
            let expected = RuntimeWasmError.otherVersion(
                runtime: RuntimeVersion(specName: "heliotest", specVersion: 1000),
                metadata: RuntimeVersion(specName: other.specName, specVersion: other.specVersion))
            #expect(try Run.refusal { _ = try Run.description(module) } == expected)
        }
    }

    @Test func `an answer that is no metadata is refused`() throws {
        func run(version: [UInt8] = Wat.version(.standard), metadata: [UInt8]) throws {
            _ = try Run.description(
                try Wat.module(Wat.answers([("Core_version", version), ("Metadata_metadata", metadata)])))
        }
        for (metadata, reason) in [
            ("meta", .notMetadata), ("metb\u{e}", .notMetadata), ("", .notMetadata),
            ("meta\u{63}and more", .unsupportedVersion(0x63)),
        ] as [(String, MetadataError.Reason)] {
            #expect(throws: MetadataError(reason, place: "metadata")) {
                try run(metadata: Wat.opaque(Array(metadata.utf8)))
            }
        }
        let good = Wat.opaque(FixtureRuntime.standard.metadata(.v14))
        #expect(
            try Run.refusal { try run(metadata: good + [0]) } == .malformedAnswer(call: "Metadata_metadata"))
        #expect(
            try Run.refusal { try run(metadata: Array(good.dropLast())) }
                == .malformedAnswer(call: "Metadata_metadata"))
        let version = Wat.version(.standard)
        for cut in 1..<version.count where ![version.count - 1, version.count - 5].contains(cut) {
            let answers = RuntimeRunner.Answers(version: Array(version.prefix(cut)), metadata: good)
            #expect(
                try Run.refusal { _ = try RuntimeDescription(answers) }
                    == .malformedAnswer(call: "Core_version"), "\(cut)")
        }
        #expect(
            try Run.refusal { _ = try RuntimeDescription(.init(version: version + [0], metadata: good)) }
                == .malformedAnswer(call: "Core_version"))
    }
}

/// A runtime gets three functions, a memory with a bound, and some time.
@Suite struct HostileRuntimeLaws {
    private let core = "Core_version"

    @Test func `a runtime that never ends is ended, wherever it loops`() throws {
        let loop = "(loop (br 0))"
        for code in [
            try Wat.doing(loop + " unreachable"),
            try Wat.doing("(i64.const 0)", "(func $s \(loop)) (start $s)"),
        ] {
            #expect(try Run.refusal(code, Run.limits(time: 1)) == .timedOut(seconds: 1))
            #expect(try Run.refusal(code, Run.limits(processorTime: 1)) == .processorTime(seconds: 1))
        }
    }

    @Test func `a memory grows to 256 MiB and no further`() throws {
        // The count of its pages is the length of its answer.
        let grow =
            """
            (loop (br_if 0 (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))) (i64.shl (i64.extend_i32_u \
            (memory.size)) (i64.const 32))
            """
        for memory in [
            Wat.memory, "(memory (export \"memory\") 20)", "(memory (export \"memory\") 20 65536)",
        ] {
            let pages = try Run.answers(try Wat.doing(grow, memory: memory)).version.count
            #expect((4000...4096).contains(pages), "\(pages)")
        }
        let all =
            "(if (i32.ne (memory.grow (i32.const 65515)) (i32.const -1)) (then unreachable)) (i64.const 0)"
        #expect(try Run.answers(try Wat.doing(all)).version == [])
        // Its own maximum holds, too.
        #expect(
            try Run.answers(try Wat.doing(grow, memory: "(import \"env\" \"memory\" (memory 20 52))")).version
                .count == 52)
    }

    @Test func `a runtime that fills its memory is ended within its limit`() throws {
        let fill =
            """
            (drop (memory.grow (i32.const 4000))) (memory.fill (i32.const 2000000) (i32.const 1) (i32.const \
            258000000)) (i64.const 0)
            """
        let code = try Wat.doing(fill)
        #expect(try Run.answers(code).version == [])
        // The engine alone needs a part of this.
        #expect(try Run.refusal(code, Run.limits(memory: 200 << 20)) != nil)
    }

    @Test func `an answer outside the memory is refused`() throws {
        let end: UInt64 = 20 * 65536
        let outside: [UInt64] = [
            0xffff_ffff_ffff_ffff, 0xffff_ffff, end - 3 | 4 << 32, 0 | (end + 1) << 32, (end + 1),
        ]
        for value in outside {
            #expect(
                try Run.refusal(try Wat.doing("(i64.const \(value))")) == .outsideMemory(call: core),
                "\(value)")
        }
        #expect(try Run.answers(try Wat.doing("(i64.const \(end - 4 | 4 << 32))")).version == [0, 0, 0, 0])
        #expect(try Run.answers(try Wat.doing("(i64.const \(end))")).version == [])
        // A pointer and a length in the upper half are numbers without a sign.
        let high = "(drop (memory.grow (i32.const 4000))) (i64.const \(0x8000_0000 as UInt64 | 1 << 32))"
        #expect(try Run.refusal(try Wat.doing(high)) == .outsideMemory(call: core))
    }

    @Test func `an answer of more than 16 MiB is refused`() throws {
        let grow = "(drop (memory.grow (i32.const 500)))"
        #expect(
            try Run.refusal(try Wat.doing("\(grow) (i64.const \(UInt64(16 << 20 | 1) << 32))"))
                == .answerTooLong(call: core))
        #expect(
            try Run.answers(try Wat.doing("\(grow) (i64.const \(UInt64(16 << 20) << 32))")).version.count
                == 16 << 20)
    }

    @Test func `a host function that is called ends the call with its name, one that is not called does not`()
        throws
    {
        for name in [
            "ext_crypto_sr25519_sign_version_1", "constructor", "__proto__", "toString", "hasOwnProperty",
            "a\\00b", "",
        ] {
            for space in ["env", "__proto__", "constructor"] {
                let host = "(import \"\(space)\" \"\(name)\" (func $h (result i32)))"
                let shown = name == "a\\00b" ? "a\0b" : name
                #expect(
                    try Run.refusal(try Wat.doing("(drop (call $h)) (i64.const 0)", host))
                        == .hostFunction(shown, call: core),
                    "\(space).\(name)")
                #expect(try Run.answers(try Wat.doing("(i64.const 0)", host)).version == [])
            }
        }
    }

    @Test func `the allocator takes hostile arguments`() throws {
        let host = """
            (import "env" "ext_allocator_malloc_version_1" (func $m (param i32) (result i32)))
            (import "env" "ext_allocator_free_version_1" (func $f (param i32)))
            (import "env" "ext_logging_max_level_version_1" (func $l (result i32)))
            """
        for size in ["-1", "0x80000000", "0x7fffffff", "268435456"] {
            #expect(
                try Run.refusal(try Wat.doing("(drop (call $m (i32.const \(size)))) (i64.const 0)", host))
                    == .outOfMemory(call: core),
                "\(size)")
        }
        let free = ["-1", "0", "0x80000000"].map { "(call $f (i32.const \($0)))" }.joined()
        #expect(try Run.answers(try Wat.doing("\(free) (drop (call $l)) (i64.const 0)", host)).version == [])
        // Two places do not overlap, each is on a boundary of 8 bytes behind the heap's base, and the memory
        // grows for them.
        let places = """
            (local i32 i32)
            (local.set 0 (call $m (i32.const 3))) (local.set 1 (call $m (i32.const 4000000)))
            (if (i32.ne (i32.and (i32.or (local.get 0) (local.get 1)) (i32.const 7)) (i32.const 0)) (then unreachable))
            (if (i32.lt_u (local.get 0) (i32.const 1048576)) (then unreachable))
            (if (i32.lt_u (local.get 1) (i32.add (local.get 0) (i32.const 3))) (then unreachable))
            (i32.store (i32.add (local.get 1) (i32.const 3999996)) (i32.const 0x01020304))
            (i64.or (i64.extend_i32_u (i32.add (local.get 1) (i32.const 3999996))) (i64.const 0x400000000))
            """
        #expect(try Run.answers(try Wat.doing(places, host)).version == [4, 3, 2, 1])
        // Many small ones, too.
        let forever = "(loop (drop (call $m (i32.const 1048576))) (br 0)) unreachable"
        #expect(try Run.refusal(try Wat.doing(forever, host)) == .outOfMemory(call: core))
    }

    private static let allocator = """
        (import "env" "ext_allocator_malloc_version_1" (func $m (param i32) (result i32)))
        (import "env" "ext_allocator_free_version_1" (func $f (param i32)))
        """

    /// As `sp-io` of 2025 does: it marks each block in the last byte of its header, and reads the header of
    /// what it frees.
    @Test func `a block has a header of its own, which may be marked`() throws {
        let body = """
            (local i32 i32)
            (local.set 0 (call $m (i32.const 8))) (local.set 1 (call $m (i32.const 16)))
            (i64.store (local.get 0) (i64.const 0x0807060504030201))
            (i64.store (i32.add (local.get 1) (i32.const 8)) (i64.const 0x1817161514131211))
            (if (i64.ne (i64.load (i32.sub (local.get 0) (i32.const 8))) (i64.const 0x100000000)) (then unreachable))
            (if (i64.ne (i64.load (i32.sub (local.get 1) (i32.const 8))) (i64.const 0x100000001)) (then unreachable))
            (i32.store8 (i32.sub (local.get 0) (i32.const 1)) (i32.const 0x80))
            (i32.store8 (i32.sub (local.get 1) (i32.const 1)) (i32.const 0x80))
            (call $f (local.get 0))
            (i64.or (i64.extend_i32_u (local.get 0)) (i64.const 0x800000000))
            """
        #expect(try Run.answers(try Wat.doing(body, Self.allocator)).version == [1, 2, 3, 4, 5, 6, 7, 8])
    }

    /// Every other byte of a header shows that a block was overrun, and the largest block that fits changes
    /// none.
    @Test(arguments: Array(0..<8))
    func `an answer of a call that overran a block is refused`(byte: Int) throws {
        func body(_ offset: Int, _ value: Int) -> String {
            """
            (local i32 i32)
            (local.set 0 (call $m (i32.const 5))) (local.set 1 (call $m (i32.const 8)))
            (i32.store8 (i32.add (local.get 0) (i32.const \(offset))) (i32.const \(value)))
            (i64.const 0)
            """
        }
        #expect(try Run.answers(try Wat.doing(body(7, 0xff), Self.allocator)).version == [])
        let found = try Run.refusal(try Wat.doing(body(8 + byte, 0x7e), Self.allocator))
        #expect(found == .overran(call: core), "\(byte)")
        // The mark is one bit of the last byte.
        if byte == 7 { #expect(try Run.answers(try Wat.doing(body(15, 0x80), Self.allocator)).version == []) }
    }

    @Test func `a panic is told with its message`() throws {
        let words = "panicked at runtime/src/lib.rs:7:9: no validators"
        let data = "(data (i32.const 64) \"\(words)\")"
        let message = "(i64.const \(UInt64(64) | UInt64(words.utf8.count) << 32))"
        let log = "(import \"env\" \"ext_logging_log_version_1\" (func $l (param i32 i64 i64)))"
        let abort = "(import \"env\" \"ext_panic_handler_abort_on_panic_version_1\" (func $p (param i64)))"
        func refusal(_ body: String, _ host: String) throws -> RuntimeWasmError? {
            try Run.refusal(try Wat.doing(body, host, memory: Wat.memory + data))
        }
        let panicked = RuntimeWasmError.panicked(call: core, message: words)
        #expect(try refusal("(call $l (i32.const 0) (i64.const 0) \(message)) unreachable", log) == panicked)
        #expect(try refusal("(call $p \(message)) unreachable", abort) == panicked)
        // What is logged before a call ends well is no panic, and a trap without a word is a trap.
        #expect(try refusal("(call $l (i32.const 0) (i64.const 0) \(message)) (i64.const 0)", log) == nil)
        #expect(try refusal("unreachable", log) == .trapped(call: core, detail: "unreachable"))
        #expect(try refusal("(call $p (i64.const -1)) unreachable", abort) == .outsideMemory(call: core))
    }

    /// The storage of the builder that computes metadata hashes: empty, and it keeps what the call writes.
    @Test func `a runtime reads an empty state, and this is said`() throws {
        func host(_ name: String, _ type: String) -> String {
            "(import \"env\" \"ext_storage_\(name)_version_1\" (func $\(name) \(type)))"
        }
        let get = host("get", "(param i64) (result i64)")
        let data = "(data (i32.const 64) \"key of value\")"
        let (key, value) = ("(i64.const \(UInt64(64) | 3 << 32))", "(i64.const \(UInt64(71) | 5 << 32))")
        func answers(_ body: String, _ hosts: String) throws -> RuntimeRunner.Answers {
            try Run.answers(try Wat.doing(body, hosts, memory: Wat.memory + data))
        }
        let empty = try answers("(call $get \(key))", get)
        #expect(empty.version == [0] && empty.stateFunctions == ["ext_storage_get_version_1"])
        let set = host("set", "(param i64 i64)")
        let kept = try answers("(call $set \(key) \(value)) (call $get \(key))", set + get)
        #expect(kept.version == [1, 5 << 2] + Array("value".utf8))
        #expect(kept.stateFunctions == ["ext_storage_get_version_1", "ext_storage_set_version_1"])
        let exists = host("exists", "(param i64) (result i32)")
        let span =
            """
            (i64.or (i64.extend_i32_u (i32.mul (call $exists \(key)) (i32.const 64))) (i64.const 0x100000000))
            """
        #expect(try answers(span, exists).version == [0])
        #expect(try answers("(call $set \(key) \(value)) \(span)", set + exists).version == Array("k".utf8))
        let clear = host("clear", "(param i64)")
        #expect(
            try answers(
                "(call $set \(key) \(value)) (call $clear \(key)) (call $get \(key))", set + clear + get
            ).version == [0])
        #expect(
            try answers(
                "(call $set \(key) \(value)) (call $rollback_transaction) (call $get \(key))",
                set + get + host("rollback_transaction", "")
            ).version == [0])
        #expect(try answers("(i64.const 0)", get).stateFunctions == [])
        // Each call begins with an empty state.
        let next = host("next_key", "(param i64) (result i64)")
        #expect(try answers("(call $next_key (i64.const 0))", next).version == [0])
        #expect(
            try answers("(call $set \(key) \(value)) (call $next_key (i64.const 0))", set + next).version == [
                1, 3 << 2,
            ] + Array("key".utf8)
        )
        // A key outside the memory.
        #expect(
            try Run.refusal(try Wat.doing("(call $get (i64.const -1))", get)) == .outsideMemory(call: core))
        #expect(
            try Run.description(
                try Wat.module(
                    get
                        + Wat.answers([
                            ("Metadata_metadata", Wat.opaque(FixtureRuntime.standard.metadata(.v14)))
                        ])
                        + "(data (i32.const 400000) \"\(Wat.literal(Wat.version(.standard)))\")"
                        + "(func (export \"Core_version\") \(Wat.signature) (drop (call $get (i64.const 0)))"
                        + "(i64.const \(UInt64(400_000) | UInt64(Wat.version(.standard).count) << 32)))")
            ).stateFunctions == ["ext_storage_get_version_1"])
    }

    @Test(arguments: [0, 1, 3, 4, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 135, 136, 137, 255, 256, 300])
    func `hashes are those of the library`(length: Int) throws {
        let data = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }
        func hashed(_ name: String, _ size: Int) throws -> [UInt8] {
            let host = "(import \"env\" \"ext_hashing_\(name)_version_1\" (func $h (param i64) (result i32)))"
            let call = "(call $h (i64.const \(UInt64(64) | UInt64(length) << 32)))"
            let memory = Wat.memory + "(data (i32.const 64) \"\(Wat.literal(data))\")"
            let body = "(i64.or (i64.extend_i32_u \(call)) (i64.const \(UInt64(size) << 32)))"
            return try Run.answers(try Wat.doing(body, host, memory: memory)).version
        }
        #expect(try hashed("blake2_128", 16) == BLAKE2b.hash(data, length: 16))
        #expect(try hashed("blake2_256", 32) == BLAKE2b.hash(data))
        #expect(try hashed("keccak_256", 32) == Keccak256.hash(data))
        #expect(try hashed("sha2_256", 32) == SHA256.hash(data))
        let twox = try hashed("twox_256", 32)
        #expect(
            try hashed("twox_64", 8) == Array(twox.prefix(8))
                && hashed("twox_128", 16) == Array(twox.prefix(16)))
        // The well-known keys of a state, which other programs made.
        let known: [(String, String)] = [
            ("System", "26aa394eea5630e07c48ae0c9558cef7"), ("Events", "80d41e5e16056765bc8461851072c9d7"),
        ]
        for (text, key) in known where length == 0 {
            let host =
                "(import \"env\" \"ext_hashing_twox_128_version_1\" (func $h (param i64) (result i32)))"
            let memory = Wat.memory + "(data (i32.const 64) \"\(text)\")"
            let body =
                """
                (i64.or (i64.extend_i32_u (call $h (i64.const \(UInt64(64) | 6 << 32)))) (i64.const \
                \(16 << 32 as UInt64)))
                """
            #expect(Hex.encode(try Run.answers(try Wat.doing(body, host, memory: memory)).version) == key)
        }
    }

    @Test func `each call has a memory of its own`() throws {
        let body =
            """
            (i32.store (i32.const 16) (i32.add (i32.load (i32.const 16)) (i32.const 1))) (i64.const \
            \(16 | 4 << 32 as UInt64))
            """
        let text =
            Wat.memory + Wat.heap
            + ["Core_version", "Metadata_metadata"].map {
                "(func (export \"\($0)\") \(Wat.signature) \(body))"
            }.joined()
        let answers = try Run.answers(try Wat.module(text))
        #expect(answers.version == [1, 0, 0, 0])
        #expect(answers.metadata == [1, 0, 0, 0])
    }

    @Test func `a trap, endless recursion and a wrong type are refused`() throws {
        #expect(try Run.refusal(try Wat.doing("unreachable")) == .trapped(call: core, detail: "unreachable"))
        let deep = try Run.refusal(
            try Wat.doing("(call $r)", "(func $r (result i64) (i64.add (call $r) (i64.const 1)))"))
        guard case .trapped(core, _)? = deep else {
            Issue.record("\(String(describing: deep))")
            return
        }
        let other =
            """
            (func (export \"Core_version\") (result i32) (i32.const 0)) (func (export \"Metadata_metadata\") \
            \(Wat.signature) (i64.const 0))
            """
        #expect(
            try Run.refusal(try Wat.module(Wat.memory + Wat.heap + other)) == .malformedAnswer(call: core))
    }

    @Test func `a runtime without a heap or with a hidden memory is refused`() throws {
        #expect(try Run.refusal(try Wat.doing("(i64.const 0)", heap: "")) == .unsupported(.noHeapBase))
        #expect(
            try Run.refusal(
                try Wat.doing("(i64.const 0)", heap: "(global (export \"__heap_base\") i64 (i64.const 9))"))
                == .unsupported(.noHeapBase))
        #expect(
            try Run.refusal(try Wat.doing("(i64.const 0)", memory: "(memory 20)")) == .unsupported(.noMemory))
    }

    @Test func `code that is not valid is refused by the engine`() throws {
        let text = Wat.memory + Wat.heap + "(func (export \"Core_version\") \(Wat.signature) (i32.const 1))"
        let code = try Wat.module(
            text + "(func (export \"Metadata_metadata\") \(Wat.signature) (i64.const 0))", checked: false)
        guard case .notCompiled(let detail)? = try Run.refusal(code) else {
            Issue.record("it is compiled")
            return
        }
        #expect(detail.utf8.count <= 200)
    }

    @Test func `a module of many functions and tables is read or refused in time`() throws {
        let functions = (0..<20_000).map { "(func (result i32) (i32.const \($0)))" }.joined()
        #expect(try Run.answers(try Wat.doing("(i64.const 0)", functions)).version == [])
        _ = try Run.refusal(try Wat.doing("(i64.const 0)", "(table 10000000 funcref)"))
        let segment = "(data (i32.const 0) \"\(String(repeating: "x", count: 1_000_000))\")"
        #expect(
            try Run.answers(
                try Wat.doing("(i64.const 0)", memory: Wat.memory + String(repeating: segment, count: 20))
            ).version == [])
    }
}

/// Nothing rests on our script: what it could do is bounded from outside.
@Suite struct EngineLaws {
    @Test func `a script that wants more than to compute gets nothing`() throws {
        // The runtime's bytes are there by then.
        let tries = [
            "fs.openSync('/etc/passwd')": "EMFILE", "fs.openSync('/dev/null')": "EMFILE",
            "fs.writeFileSync('/tmp/heliograph-wasm', 'x')": "EPERM",
            "fs.unlinkSync('/tmp/heliograph-none')": "EPERM", "fs.readdirSync('/')": "EMFILE",
            "fs.mkdirSync('/tmp/heliograph-none')": "EPERM",
            "require('child_process').execFileSync('/bin/true')": "EMFILE",
            "process.kill(process.ppid, 0)": "EPERM",
        ]
        for (words, code) in tries {
            let error = try Run.script(
                """
                read(12); try { \(words); fail('e', '', 'done'); } catch (error) { fail('e', '', \
                error.code); }
                """
            )
            #expect(error == .trapped(call: "", detail: code), "\(words)")
        }
    }

    @Test func `before the runtime comes there is no socket either`() throws {
        let sockets = [
            "require('net').connect(9, '127.0.0.1')", "require('net').connect('/tmp/heliograph-socket')",
            "require('net').createServer().listen(0)",
            "require('dgram').createSocket('udp4').bind(0)",
        ]
        for words in sockets {
            // It says that it is ready only once the try has ended, so nothing was taken from it before.
            let late = "const late = (text) => { write('r', process.versions.node); fail('e', '', text); };"
            let ends = ["connect", "listening"].map { ".on('\($0)', () => late('done'))" }.joined()
            let error = try Run.only("\(late) \(words).on('error', (error) => late(error.code))\(ends);")
            #expect(error == .trapped(call: "", detail: "EPERM"), "\(words)")
        }
    }

    @Test func `the environment is empty and standard error leads nowhere`() throws {
        setenv("HELIOGRAPH_SECRET", "in the environment", 1)
        #expect(
            try Run.script("read(12); fail('e', '', Object.keys(process.env).length)")
                == .trapped(call: "", detail: "0"))
    }

    @Test func `an old engine is refused before it gets the runtime`() throws {
        #expect(
            try Run.only("write('r', '16.20.2'); read(1); fail('e', '', 'got it')") == .oldNode("16.20.2"))
        #expect(try Run.only("write('r', '17.9.9'); read(1)") == .oldNode("17.9.9"))
        #expect(
            try Run.only("write('r', '18.0.0'); read(12); fail('a', 'Core_version', '')")
                == .outOfMemory(call: "Core_version"))
        for text in ["", "x", "-1.2", "."] { #expect(try Run.only("write('r', '\(text)'); read(1)") != nil) }
        #expect(try Run.only("write('r', 'x'); read(1)") == .unexpectedAnswer)
    }

    @Test func `an engine that ends, hangs or floods is refused`() throws {
        guard case .ended(nil, .some)? = try Run.only("process.abort()") else {
            Issue.record("a crash is not seen")
            return
        }
        #expect(try Run.only("process.exit(7)") == .ended(status: 7, signal: nil))
        #expect(try Run.script("read(12); process.exit(8)") == .ended(status: 8, signal: nil))
        #expect(try Run.script("read(12); for (;;) {}", Run.limits(time: 1)) == .timedOut(seconds: 1))
        var hurried = Run.limits()
        hurried.startTime = 1
        #expect(try Run.only("for (;;) {}", hurried) == .timedOut(seconds: 1))
        #expect(try Run.script("for (;;) write('m', 'x');") == .unexpectedAnswer)
        #expect(
            try Run.script("for (;;) fs.writeSync(1, Buffer.from([109, 255, 255, 255, 255]));")
                == .unexpectedAnswer)
        #expect(try Run.script("write('q', '');") == .unexpectedAnswer)
        #expect(try Run.script("write('x', 'h', 'Other_call', '\\0', 'x');") == .unexpectedAnswer)
        #expect(try Run.script("write('x', '');") == .unexpectedAnswer)
        #expect(try Run.script("write('x', 'h', 'Core_version');") == .unexpectedAnswer)
        #expect(try Run.only("write('c', 'x');") == .unexpectedAnswer)
    }

    @Test func `memory has a bound`() throws {
        let error = try Run.script(
            "const all = []; for (;;) all.push(Buffer.alloc(1 << 24, 1));", Run.limits(memory: 400 << 20))
        guard case .ended? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `an engine is looked for in absolute folders, and a missing one is said`() throws {
        #expect(RuntimeRunner.find(path: "") == nil)
        #expect(RuntimeRunner.find(path: "/nowhere:/proc") == nil)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "node-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appendingPathComponent("nodejs").path
        #expect(
            FileManager.default.createFile(
                atPath: program, contents: Data("#!/bin/sh\n".utf8), attributes: [.posixPermissions: 0o644]))
        #expect(RuntimeRunner.find(path: folder.path) == nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        #expect(RuntimeRunner.find(path: ":relative:/nowhere:\(folder.path)") == program)
        #expect(RuntimeRunner.find(path: String(folder.path.dropFirst())) == nil)
        // Its interpreter is another program, which is not let in.
        let code = try Wat.sound()
        let runner = RuntimeRunner(node: program, limits: Run.limits())
        #expect(try Run.refusal { _ = try runner.answers(of: WasmModule(code), code: code) } == .noNode)
        #expect(RuntimeWasmError.noNode.sentence.contains("not installed"))
    }
}
