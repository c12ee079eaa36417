import Compression
import Hashing
import ScanProtocol
import SubstratePrimitives
import Testing

@testable import RuntimeWasm

/// The file is read before anything runs: its form, its size and its memory.
@Suite struct RuntimeFileLaws {
    private func problem(_ bytes: [UInt8]) -> RuntimeWasmError? {
        do throws(RuntimeWasmError) {
            _ = try RuntimeFile(bytes)
            return nil
        } catch {
            return error
        }
    }

    /// A zstd frame written by hand from RFC 8878: no length, a window of 128 KiB, and blocks that repeat one
    /// byte 128 KiB often.
    private func bomb(blocks: Int, window: UInt8 = 7 << 3) -> [UInt8] {
        let blocks = (1...blocks).flatMap { number -> [UInt8] in
            let header = (number == blocks ? 1 : 0) | 1 << 1 | (128 << 10) << 3
            return [UInt8(header & 255), UInt8(header >> 8 & 255), UInt8(header >> 16 & 255), 0]
        }
        return RuntimeFile.compressedPrefix + [0x28, 0xb5, 0x2f, 0xfd, 0x00, window] + blocks
    }

    @Test func `a compressed runtime is its code, and its hash is that of the compressed form`() throws {
        let code = try Wat.sound()
        let compressed = RuntimeFile.compressedPrefix + (try ZstdFrame.compress(code))
        let (plain, file) = (try RuntimeFile(code), try RuntimeFile(compressed))
        #expect(file.code == code)
        #expect(file.hash == .blake2b(of: compressed))
        #expect(file.codeHash == .blake2b(of: code))
        #expect(plain.hash == plain.codeHash && plain.hash == file.codeHash)
        #expect((plain.isCompressed, file.isCompressed) == (false, true))
        #expect(try Run.description(compressed).version.specName == "heliotest")
        for cut in compressed.indices where cut >= 8 && cut % 7 == 0 {
            #expect(problem(Array(compressed.prefix(cut))) == .compressed(.truncated))
        }
        #expect(problem(compressed + [0]) == .compressed(.trailing(bytes: 1)))
        #expect(
            problem(compressed + compressed.dropFirst(8))
                == .compressed(.trailing(bytes: UInt32(compressed.count - 8))))
        #expect(
            RuntimeFile.isRuntime(code) && RuntimeFile.isRuntime(compressed)
                && !RuntimeFile.isRuntime(Array("meta".utf8)))
    }

    @Test func `a frame that expands beyond 50 MiB is refused`() {
        #expect(problem(bomb(blocks: 400)) == .notARuntime)
        #expect(problem(bomb(blocks: 401)) == .compressed(.tooLong(bytes: 50 << 20)))
        #expect(problem(bomb(blocks: 100_000)) == .compressed(.tooLong(bytes: 50 << 20)))
        // A window of 128 MiB is the largest.
        #expect(problem(bomb(blocks: 1, window: 17 << 3)) == .notARuntime)
        #expect(problem(bomb(blocks: 1, window: 18 << 3)) == .compressed(.unsupportedFrame))
    }

    @Test func `code of more than 50 MiB is refused`() {
        let start: [UInt8] = RuntimeFile.modulePrefix
        #expect(problem(start + [UInt8](repeating: 0, count: (50 << 20) - 8)) == nil)
        #expect(
            problem(start + [UInt8](repeating: 0, count: (50 << 20) - 7))
                == .compressed(.tooLong(bytes: 50 << 20)))
    }

    @Test func `what is neither is refused`() {
        for bytes in [
            [], [0], Array("meta".utf8), [0x00, 0x61, 0x73, 0x6d, 0x02, 0, 0, 0], [0x00, 0x61, 0x73, 0x6d],
        ] as [[UInt8]] {
            #expect(problem(bytes) == .notARuntime)
        }
        #expect(problem(RuntimeFile.compressedPrefix) == .compressed(.truncated))
        #expect(problem(RuntimeFile.compressedPrefix + [1, 2, 3, 4, 5, 6, 7, 8]) == .compressed(.notAFrame))
        let frame = (try? ZstdFrame.compress(RuntimeFile.compressedPrefix)) ?? []
        // Compressed twice is not a runtime.
        #expect(problem(RuntimeFile.compressedPrefix + frame) == .notARuntime)
    }
}

@Suite struct WasmModuleLaws {
    private func problem(_ code: [UInt8]) -> RuntimeWasmError? {
        do throws(RuntimeWasmError) {
            _ = try WasmModule(code)
            return nil
        } catch {
            return error
        }
    }

    private func section(_ id: UInt8, _ body: [UInt8]) -> [UInt8] { [id, UInt8(body.count)] + body }
    /// Version 1, both calls exported as functions, and these sections before them.
    private func module(_ sections: [UInt8]...) -> [UInt8] {
        var exports: [UInt8] = [2]
        for name in ["Core_version", "Metadata_metadata"] {
            exports += [UInt8(name.utf8.count)] + Array(name.utf8) + [0, 0]
        }
        return RuntimeFile.modulePrefix + sections.flatMap { $0 } + section(7, exports)
    }
    private let memoryImport: [UInt8] = [3] + Array("env".utf8) + [6] + Array("memory".utf8) + [2]

    @Test func `the memory is found, imported or own, with its bounds`() throws {
        #expect(try WasmModule(module(section(5, [1, 0, 20]))).ownMemory == .init(minimum: 20, maximum: nil))
        #expect(
            try WasmModule(module(section(5, [1, 1, 20, 30]))).ownMemory == .init(minimum: 20, maximum: 30))
        let imported = try WasmModule(
            module(section(2, [1] + memoryImport + [1, 0x80, 0x20, 0xff, 0xff, 0x03])))
        #expect(imported.importedMemory == .init(minimum: 4096, maximum: 65535))
        #expect(imported.exported == ["Core_version", "Metadata_metadata"])
    }

    @Test func `a memory of another kind, too large, missing or a second one is refused`() {
        // Shared (2, 3), 64 bits (4 to 7), custom page sizes (8).
        for flags in [2, 3, 4, 5, 6, 7, 8, 0x80] as [UInt8] {
            #expect(problem(module(section(5, [1, flags, 1, 2]))) == .unsupported(.memoryKind))
        }
        #expect(problem(module(section(5, [1, 0, 0x81, 0x20]))) == .unsupported(.memorySize(pages: 4097)))
        #expect(
            problem(module(section(2, [1] + memoryImport + [0, 0xff, 0xff, 0xff, 0xff, 0x0f])))
                == .unsupported(.memorySize(pages: .max)))
        #expect(problem(module()) == .unsupported(.memories))
        #expect(problem(module(section(5, [0]))) == .unsupported(.memories))
        #expect(problem(module(section(5, [2, 0, 1, 0, 1]))) == .unsupported(.memories))
        #expect(
            problem(module(section(5, [1, 0, 1]), section(2, [1] + memoryImport + [0, 1])))
                == .unsupported(.memories))
        #expect(
            problem(module(section(2, [2] + memoryImport + [0, 1] + memoryImport + [0, 1])))
                == .unsupported(.memories))
    }

    @Test func `tables and variables are not given, unknown imports are malformed`() {
        for (kind, rest) in [(1, [0x70, 0, 1]), (3, [0x7f, 0]), (4, [0, 0])] as [(UInt8, [UInt8])] {
            #expect(
                problem(module(section(2, [1, 1, 0x65, 1, 0x78, kind] + rest), section(5, [1, 0, 1])))
                    == .unsupported(.importKind))
        }
        #expect(problem(module(section(2, [1, 1, 0x65, 1, 0x78, 5, 0]))) == .malformed(offset: 16))
    }

    @Test func `a call must be exported, as a function`() throws {
        let memory = section(5, [1, 0, 1])
        #expect(problem(RuntimeFile.modulePrefix + memory) == .callMissing("Core_version"))
        let name = Array("Core_version".utf8)
        let other = Array("Metadata_metadata".utf8)
        for kind: UInt8 in [1, 2, 3] {
            var exports: [UInt8] = [2, UInt8(name.count)] + name + [0, 0]
            exports += [UInt8(other.count)] + other + [kind, 0]
            #expect(
                problem(RuntimeFile.modulePrefix + memory + section(7, exports))
                    == .callMissing("Metadata_metadata"))
        }
    }

    @Test func `numbers have at most 32 bits and counts at most what follows`() {
        for number in [
            [0x80, 0x80, 0x80, 0x80, 0x10], [0xff, 0xff, 0xff, 0xff, 0x7f],
            [0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
        ] as [[UInt8]] {
            guard case .malformed? = problem(module(section(5, [1, 0] + number))) else {
                Issue.record("\(number)")
                continue
            }
        }
        for body in [[0xff, 0xff, 0xff, 0xff, 0x0f], [2, 0], [1, 0, 1, 0]] as [[UInt8]] {
            guard case .malformed? = problem(module(section(5, body))) else {
                Issue.record("\(body)")
                continue
            }
        }
        guard case .malformed? = problem(RuntimeFile.modulePrefix + [5, 0xff, 0xff, 0xff, 0xff, 0x0f]) else {
            Issue.record("a section is longer than the module")
            return
        }
    }

    @Test func `each proper prefix is refused and no changed byte ends the program`() throws {
        let code = try Wat.doing(
            "(i64.const 0)", "(func (export \"Metadata_metadata_versions\") \(Wat.signature) (i64.const 0))")
        #expect(problem(code) == nil)
        for cut in 8..<code.count where problem(Array(code.prefix(cut))) == nil {
            // Only the sections behind the exports can be missing: the engine refuses what is left without
            // code.
            #expect(try Run.refusal(Array(code.prefix(cut))) != nil, "\(cut)")
        }
        for index in code.indices {
            for bit in 0..<8 {
                var changed = code
                changed[index] ^= 1 << bit
                _ = problem(changed)
            }
        }
    }
}
