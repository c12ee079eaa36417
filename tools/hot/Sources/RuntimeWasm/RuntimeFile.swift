import Compression
import Glibc
import Hashing
import ScanProtocol
import SubstratePrimitives

/// A runtime as a chain stores it: WebAssembly, or one zstd frame of it behind eight bytes.
///
/// Source: the crate `sp-maybe-compressed-blob` of polkadot-sdk, which names the prefix and the limit.
public struct RuntimeFile: Sendable {
    /// What a compressed runtime starts with.
    public static let compressedPrefix: [UInt8] = [0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e, 0x05]
    /// What WebAssembly of version 1 starts with.
    static let modulePrefix: [UInt8] = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
    /// 50 MiB: chains refuse code that expands to more.
    static let maximumCode = 50 << 20

    /// The WebAssembly module.
    public let code: [UInt8]
    /// BLAKE2b-256 of the bytes of the file. `system.authorizeUpgrade` names this hash, because the chain
    /// compares it with the code in `system.applyAuthorizedUpgrade`, which is compressed if the published
    /// file is.
    public let hash: Hash32
    /// BLAKE2b-256 of ``code``; the same as ``hash`` where nothing is compressed.
    public let codeHash: Hash32
    public let isCompressed: Bool
    /// How many bytes were given.
    public let length: Int

    /// Whether the bytes start as a runtime does.
    public static func isRuntime(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: compressedPrefix) || bytes.starts(with: modulePrefix.prefix(4))
    }

    /// How a hash stands in the code.
    public enum HashForm: String, Sendable, CaseIterable {
        case bytes
        case hexText = "hex text"
    }

    /// How the code holds a hash; nil where it does not.
    ///
    /// polkadot-sdk's builder compiles the metadata hash in: as 32 bytes, or as the hex text that older
    /// versions of the extension decode when they run.
    public func form(of hash: Hash32) -> HashForm? {
        let digits = hash.hex
        if holds(hash.bytes) { return .bytes }
        return [digits, digits.uppercased()].contains { holds(Array($0.utf8)) } ? .hexText : nil
    }

    private func holds(_ part: [UInt8]) -> Bool {
        code.withUnsafeBytes { code in
            part.withUnsafeBytes { part in
                guard var next = code.baseAddress, let wanted = part.baseAddress else { return false }
                let end = next + code.count
                while end - next >= part.count,
                    let found = memchr(next, Int32(part[0]), end - next - part.count + 1)
                {
                    if memcmp(found, wanted, part.count) == 0 { return true }
                    next = UnsafeRawPointer(found) + 1
                }
                return false
            }
        }
    }

    public init(_ bytes: [UInt8]) throws(RuntimeWasmError) {
        isCompressed = bytes.starts(with: Self.compressedPrefix)
        if isCompressed {
            do throws(ExpansionProblem) {
                code = try ZstdStream.expand(
                    Array(bytes.dropFirst(Self.compressedPrefix.count)), limit: Self.maximumCode)
            } catch {
                throw .compressed(error)
            }
        } else {
            guard bytes.count <= Self.maximumCode else {
                throw .compressed(.tooLong(bytes: UInt32(clamping: Self.maximumCode)))
            }
            code = bytes
        }
        guard code.starts(with: Self.modulePrefix) else { throw .notARuntime }
        hash = .blake2b(of: bytes)
        codeHash = isCompressed ? .blake2b(of: code) : hash
        length = bytes.count
    }
}
