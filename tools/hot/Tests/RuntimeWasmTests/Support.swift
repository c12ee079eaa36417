import FixtureRuntime
import Foundation
import SCALE
import Testing

@testable import RuntimeWasm

/// Modules in text form, which Debian's wabt assembles. Each is made here; none is a chain's.
enum Wat {
    /// Bytes of a data segment.
    static func literal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return bytes.map { "\\\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
    }

    static func module(_ text: String, checked: Bool = true) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wat-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, target) = (
            folder.appendingPathComponent("a.wat"), folder.appendingPathComponent("a.wasm")
        )
        try Data("(module \(text))".utf8).write(to: source)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/wat2wasm")
        process.arguments =
            [source.path, "--enable-all", "-o", target.path] + (checked ? [] : ["--no-check"])
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return Array(try Data(contentsOf: target))
    }

    /// `Core_version` of a runtime.
    static func version(_ runtime: FixtureRuntime, later: Bool = true) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.byteVector(Array(runtime.specName.utf8))
            writer.byteVector(Array("implementation".utf8))
            writer.integer(UInt32(1))
            writer.integer(runtime.specVersion)
            writer.integer(UInt32(0))
            writer.compact(1)
            for byte in [UInt8](repeating: 0xdf, count: 12) { writer.integer(byte) }
            guard later else { return }
            writer.integer(runtime.transactionVersion)
            writer.integer(UInt8(1))
        }
    }

    static func opaque(_ bytes: [UInt8]) -> [UInt8] { SCALEWriter.encode { $0.byteVector(bytes) } }

    static let signature = "(param i32 i32) (result i64)"
    static let heap = "(global (export \"__heap_base\") i32 (i32.const 1048576))"
    static let memory = "(import \"env\" \"memory\" (memory 20))"

    /// Each call gives these bytes, which lie in the memory from the beginning.
    static func answers(
        _ calls: [(name: String, bytes: [UInt8])], memory: String = memory, heap: String = heap
    ) -> String {
        var offset = 1024
        var text = memory + heap
        for call in calls {
            text += "(data (i32.const \(offset)) \"\(literal(call.bytes))\")"
            text +=
                """
                (func (export \"\(call.name)\") \(signature) (i64.const \
                \(UInt64(offset) | UInt64(call.bytes.count) << 32)))
                """
            offset += call.bytes.count
        }
        return text
    }

    /// A runtime whose `Core_version` does something.
    static func doing(_ body: String, _ more: String = "", memory: String = memory, heap: String = heap)
        throws -> [UInt8]
    {
        // Imports come first.
        try module(
            (more.contains("(import") ? more + memory : memory + more) + heap
                + "(func (export \"Core_version\") \(signature) \(body))"
                + "(func (export \"Metadata_metadata\") \(signature) (i64.const 0))")
    }

    /// A sound runtime in format 14.
    static func sound(_ runtime: FixtureRuntime = .standard) throws -> [UInt8] {
        try module(
            answers([
                ("Core_version", version(runtime)), ("Metadata_metadata", opaque(runtime.metadata(.v14))),
            ]))
    }
}

/// What a test gets back.
enum Run {
    static func limits(time: Double = 30, processorTime: UInt64 = 20, memory: UInt64 = 1 << 30)
        -> RuntimeRunner.Limits
    {
        var limits = RuntimeRunner.Limits()
        (limits.time, limits.processorTime, limits.memory) = (time, processorTime, memory)
        return limits
    }

    static func answers(_ code: [UInt8], _ limits: RuntimeRunner.Limits = limits()) throws
        -> RuntimeRunner.Answers
    {
        try RuntimeRunner(limits: limits).answers(of: WasmModule(code), code: code)
    }

    static func description(_ code: [UInt8]) throws -> RuntimeDescription {
        try RuntimeDescription(of: RuntimeFile(code), by: RuntimeRunner(limits: limits()))
    }

    /// Why a runtime is refused; nil where it is not.
    static func refusal(_ code: [UInt8], _ limits: RuntimeRunner.Limits = limits()) throws
        -> RuntimeWasmError?
    {
        do {
            _ = try answers(code, limits)
            return nil
        } catch let error as RuntimeWasmError {
            return error
        }
    }

    static func refusal(_ body: () throws -> Void) throws -> RuntimeWasmError? {
        do {
            try body()
            return nil
        } catch let error as RuntimeWasmError {
            return error
        }
    }

    /// Another script instead of ours, and what comes of it. It finds `read`, `write` and `fail` of the real
    /// one, and has said that it is ready.
    static func script(_ text: String, _ limits: RuntimeRunner.Limits = limits()) throws -> RuntimeWasmError?
    {
        try only("write('r', process.versions.node); " + text, limits)
    }

    /// The same before it is ready.
    static func only(_ text: String, _ limits: RuntimeRunner.Limits = limits()) throws -> RuntimeWasmError? {
        let head = RuntimeScript.text.components(separatedBy: "class Unavailable")[0]
        let node = try #require(RuntimeRunner.find(path: "/usr/bin:/usr/local/bin"))
        let code = try Wat.sound()
        let module = try WasmModule(code)
        return try refusal {
            _ = try RuntimeRunner(node: node, limits: limits, script: head + text).answers(
                of: module, code: code)
        }
    }
}
