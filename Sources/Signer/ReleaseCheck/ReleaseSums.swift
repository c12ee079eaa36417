import Hashing

/// A SHA-256 digest and the path that it is of: a line that `sha256sum --check` reads.
public struct ReleaseDigest: Sendable, Equatable {
    public let path: String
    /// 32 bytes.
    public let digest: [UInt8]

    /// - Parameter maximum: bytes of the path.
    init(line: ArraySlice<UInt8>, number: Int, maximumPath maximum: Int) throws(TextFault) {
        let hex = line.prefix(64)
        guard hex.count == 64, hex.allSatisfy(Self.isLowerHex),
            let digest = Hex.decode(String(decoding: hex, as: UTF8.self)),
            digest.count == 32,
            line.dropFirst(64).starts(with: [0x20, 0x20])
        else { throw .digest(line: number) }
        let path = line.dropFirst(66)
        guard (1...maximum).contains(path.count) else { throw .path(line: number) }
        self.digest = digest
        self.path = String(decoding: path, as: UTF8.self)
    }

    static func isLowerHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// Letters, digits and the other characters in names of a release: none has a special meaning for a
    /// terminal, a shell or `sha256sum`.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "@"):
            true
        default: false
        }
    }
}

/// SHA256SUMS: the digests of a release's files, in the order of their names.
public struct ReleaseSums: Sendable, Equatable {
    public static let fileName = "SHA256SUMS"
    public static let signatureName = "SHA256SUMS.minisig"
    /// The limit for the whole file, in bytes.
    public static let maximumBytes = 4096

    public let files: [ReleaseDigest]

    /// - Throws: unless the text names exactly the files of `release`, each once, in their order; both for
    ///   arm64 or neither.
    public init(_ bytes: [UInt8], of release: ReleaseName) throws(ReleaseError) {
        var files: [ReleaseDigest] = []
        do throws(TextFault) {
            for (index, line) in try TextLines.split(bytes, limit: Self.maximumBytes).enumerated() {
                let file = try ReleaseDigest(line: line, number: index + 1, maximumPath: 128)
                guard file.path.utf8.first != UInt8(ascii: "."),
                    file.path.utf8.allSatisfy(ReleaseDigest.isNameByte)
                else {
                    throw .path(line: index + 1)
                }
                if let last = files.last, !last.path.utf8.lexicographicallyPrecedes(file.path.utf8) {
                    throw .order(line: index + 1)
                }
                files.append(file)
            }
        } catch {
            throw .badSums(error)
        }
        let named = files.map { Array($0.path.utf8) }
        guard [release.files, release.filesWithArm64].contains(where: { $0.map { Array($0.utf8) } == named })
        else {
            throw .otherFiles(version: release.version)
        }
        self.files = files
    }
}
