/// The facts of a module that are needed before it runs: its memory and the calls that it offers. The engine
/// checks everything else.
///
/// Source: WebAssembly Core Specification 1.0, section 5 (binary format).
struct WasmModule: Equatable {
    /// Sizes of a memory in pages of 64 KiB.
    struct Memory: Equatable {
        var minimum: UInt32
        /// nil: as far as the engine lets it grow.
        var maximum: UInt32?
    }

    /// 4096 pages, 256 MiB: a module that asks for more from the beginning is refused, and none grows beyond
    /// it. The runtimes of relay chains begin with less than 2 MiB.
    static let maximumPages: UInt32 = 4096
    /// The calls that are looked for.
    static let calls = [
        "Core_version", "Metadata_metadata", "Metadata_metadata_versions", "Metadata_metadata_at_version",
    ]

    /// A memory that the module wants to be given.
    private(set) var importedMemory: Memory?
    /// A memory of its own.
    private(set) var ownMemory: Memory?
    /// Which of ``calls`` it exports as functions.
    private(set) var exported: Set<String> = []

    init(_ code: [UInt8]) throws(RuntimeWasmError) {
        guard code.starts(with: RuntimeFile.modulePrefix) else { throw .notARuntime }
        var reader = WasmReader(code, range: RuntimeFile.modulePrefix.count..<code.count)
        while !reader.isAtEnd {
            let id = try reader.byte()
            var section = try reader.part(Int(reader.u32()))
            switch id {
            case 2: try readImports(&section)
            case 5: try readMemories(&section)
            case 7: try readExports(&section)
            default: continue
            }
            guard section.isAtEnd else { throw section.malformed }
        }
        guard (importedMemory == nil) != (ownMemory == nil) else { throw .unsupported(.memories) }
        for name in Self.calls.prefix(2) where !exported.contains(name) { throw .callMissing(name) }
    }

    private mutating func readImports(_ section: inout WasmReader) throws(RuntimeWasmError) {
        for _ in 0..<(try section.count()) {
            try section.skipName()
            try section.skipName()
            switch try section.byte() {
            case 0: _ = try section.u32()
            case 2:
                guard importedMemory == nil else { throw .unsupported(.memories) }
                importedMemory = try Self.memory(&section)
            // A runtime is given functions and a memory, and nothing else.
            case 1, 3, 4: throw .unsupported(.importKind)
            default: throw section.malformed
            }
        }
    }

    private mutating func readMemories(_ section: inout WasmReader) throws(RuntimeWasmError) {
        for _ in 0..<(try section.count()) {
            guard ownMemory == nil else { throw .unsupported(.memories) }
            ownMemory = try Self.memory(&section)
        }
    }

    private mutating func readExports(_ section: inout WasmReader) throws(RuntimeWasmError) {
        for _ in 0..<(try section.count()) {
            let name = try section.name()
            let kind = try section.byte()
            _ = try section.u32()
            for call in Self.calls where kind == 0 && name.elementsEqual(call.utf8) { exported.insert(call) }
        }
    }

    /// Limits: a byte of flags, the minimum, and with flag 1 the maximum. Shared memories and those of 64
    /// bits have other flags.
    private static func memory(_ section: inout WasmReader) throws(RuntimeWasmError) -> Memory {
        let flags = try section.byte()
        guard flags <= 1 else { throw .unsupported(.memoryKind) }
        let memory = Memory(minimum: try section.u32(), maximum: flags == 1 ? try section.u32() : nil)
        guard memory.minimum <= maximumPages else { throw .unsupported(.memorySize(pages: memory.minimum)) }
        return memory
    }
}

/// Reads forward over part of a module; every read throws.
struct WasmReader {
    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int

    init(_ bytes: [UInt8], range: Range<Int>) {
        (self.bytes, offset, end) = (bytes, range.lowerBound, range.upperBound)
    }

    var isAtEnd: Bool { offset == end }
    var malformed: RuntimeWasmError { .malformed(offset: offset) }

    mutating func byte() throws(RuntimeWasmError) -> UInt8 {
        guard offset < end else { throw malformed }
        offset += 1
        return bytes[offset - 1]
    }

    /// LEB128: seven bits a byte, least significant first, at most five bytes.
    mutating func u32() throws(RuntimeWasmError) -> UInt32 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 28, by: 7) {
            let byte = try byte()
            value |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 == 0 {
                guard let word = UInt32(exactly: value) else { throw malformed }
                return word
            }
        }
        throw malformed
    }

    /// How many entries follow; each has a byte at least.
    mutating func count() throws(RuntimeWasmError) -> Int {
        let count = Int(try u32())
        guard count <= end - offset else { throw malformed }
        return count
    }

    /// The next `length` bytes as a reader of their own.
    mutating func part(_ length: Int) throws(RuntimeWasmError) -> WasmReader {
        guard length <= end - offset else { throw malformed }
        defer { offset += length }
        return WasmReader(bytes, range: offset..<(offset + length))
    }

    mutating func name() throws(RuntimeWasmError) -> ArraySlice<UInt8> {
        let length = Int(try u32())
        guard length <= end - offset else { throw malformed }
        defer { offset += length }
        return bytes[offset..<(offset + length)]
    }

    mutating func skipName() throws(RuntimeWasmError) { _ = try name() }
}
