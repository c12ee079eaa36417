import Metadata
import SCALE
import SubstratePrimitives

/// What a runtime says of itself, checked against its own metadata. None of it says anything about a chain.
public struct RuntimeDescription: Sendable {
    public let version: RuntimeVersion
    /// nil where the runtime is so old that it has none.
    public let transactionVersion: UInt32?
    /// One for each format, oldest first, each for ``version``.
    public let metadata: [RuntimeMetadata]
    /// The functions of state and hashing that it called. The state was empty, as when polkadot-sdk's builder
    /// computes the metadata hash.
    public let stateFunctions: [String]

    /// Runs a runtime.
    public init(of file: RuntimeFile, by runner: RuntimeRunner, types: LegacyTypes? = nil) throws {
        try self.init(runner.answers(of: WasmModule(file.code), code: file.code), types: types)
    }

    init(_ answers: RuntimeRunner.Answers, types: LegacyTypes? = nil) throws {
        (version, transactionVersion) = try Self.version(answers.version)
        stateFunctions = answers.stateFunctions
        var blobs = [
            try Self.read("Metadata_metadata", answers.metadata) { reader throws(SCALEError) in
                try reader.byteVector()
            }
        ]
        for (format, bytes) in answers.byFormat.sorted(by: { $0.key < $1.key }) {
            let call = "Metadata_metadata_at_version"
            let found = try Self.read(call, bytes) { reader throws(SCALEError) in
                try reader.option { inner throws(SCALEError) in try inner.byteVector() }
            }
            guard let found else { throw RuntimeWasmError.malformedAnswer(call: call) }
            guard found.count > 4, UInt32(found[4]) == format else {
                throw RuntimeWasmError.malformedAnswer(call: call)
            }
            // The format that both calls give must be the same metadata.
            if found.prefix(5) == blobs[0].prefix(5) {
                guard found == blobs[0] else {
                    throw RuntimeWasmError.twoMetadata(format: UInt8(truncatingIfNeeded: format))
                }
            } else {
                blobs.append(found)
            }
        }
        metadata = try blobs.map { try RuntimeMetadata($0, types: types) }.sorted { $0.version < $1.version }
        for one in metadata where one.runtimeVersion != version {
            throw RuntimeWasmError.otherVersion(runtime: version, metadata: one.runtimeVersion)
        }
    }

    /// `RuntimeVersion` of `Core_version`: names, numbers, the APIs, and what came later. Source: the crate
    /// `sp-version`.
    private static func version(_ bytes: [UInt8]) throws -> (RuntimeVersion, UInt32?) {
        try read("Core_version", bytes) { reader throws(SCALEError) in
            let name = try reader.string()
            _ = try reader.string()
            _ = try reader.integer(UInt32.self)
            let version = RuntimeVersion(specName: name, specVersion: try reader.integer())
            _ = try reader.integer(UInt32.self)
            _ = try reader.vector(minimumElementSize: 12) { inner throws(SCALEError) in
                try inner.slice(count: 12).count
            }
            let transactionVersion = reader.remaining > 0 ? try reader.integer(UInt32.self) : nil
            // The version of the state's layout, or of the system.
            if reader.remaining > 0 { _ = try reader.u8() }
            return (version, transactionVersion)
        }
    }

    private static func read<T>(
        _ call: String, _ bytes: [UInt8], _ body: (inout SCALEReader) throws(SCALEError) -> T
    ) throws(RuntimeWasmError) -> T {
        do throws(SCALEError) {
            var reader = SCALEReader(bytes)
            let value = try body(&reader)
            try reader.finish()
            return value
        } catch {
            throw .malformedAnswer(call: call)
        }
    }
}
