import Hashing
import Keys
import SubstratePrimitives

/// A public key of minisign: a comment, which proves nothing, and base64 of `Ed` ‖ id ‖ Ed25519 key.
/// Source: minisign's description of its formats.
public struct MinisignKey: Sendable, Equatable {
    static let algorithm = Array("Ed".utf8)
    /// The limit for the whole file, in bytes.
    public static let maximumBytes = 2048

    /// 8 bytes that tell keys apart. Anybody can make a key with the id of another.
    let id: [UInt8]
    let key: [UInt8]

    /// - Throws: for anything else than the file that minisign writes, ``ReleaseError/badKey(_:)``.
    public init(file bytes: [UInt8]) throws(ReleaseError) {
        do throws(TextFault) {
            let lines = try TextLines.split(bytes, limit: Self.maximumBytes)
            guard lines.count == 2 else { throw .lines(expected: 2) }
            guard lines[0].starts(with: MinisignSignature.untrustedPrefix),
                lines[0].allSatisfy({ $0 != 0 && $0 != 13 })
            else {
                throw .comment(line: 1)
            }
            let content = try MinisignSignature.base64(lines[1], count: 42, line: 2)
            guard content.starts(with: Self.algorithm) else { throw .algorithm }
            id = Array(content[2..<10])
            key = Array(content[10...])
        } catch {
            throw .badKey(error)
        }
    }

    /// The id as minisign prints it: a little-endian number in hex.
    public var name: String { Self.name(id) }

    static func name(_ id: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(
            decoding: id.reversed().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    func verifies(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
        guard let key = PublicKey(scheme: .ed25519, bytes: key) else { return false }
        return Signature.verify(signature, message: message, key: key)
    }
}

/// A signature file of minisign: an untrusted comment, base64 of algorithm ‖ key id ‖ signature, the trusted
/// comment, and base64 of the signature of signature ‖ trusted comment.
public struct MinisignSignature: Sendable, Equatable {
    static let untrustedPrefix = Array("untrusted comment: ".utf8)
    static let trustedPrefix = Array("trusted comment: ".utf8)
    /// The limit for the whole file, in bytes. The comments of a release have a hundred.
    public static let maximumBytes = 4096

    /// What a signature covers.
    public enum Algorithm: String, Sendable {
        /// `Ed`: the file itself is signed.
        case legacy
        /// `ED`: its BLAKE2b-512 is signed.
        case prehashed
    }

    public let algorithm: Algorithm
    let keyID: [UInt8]
    let signature: [UInt8]
    /// What the signer says, without its prefix. Believe it only after ``verify(_:of:)``.
    let trustedComment: [UInt8]
    let globalSignature: [UInt8]

    /// - Throws: for anything else than the file that minisign writes, ``ReleaseError/badSignatureFile(_:)``.
    public init(file bytes: [UInt8]) throws(ReleaseError) {
        do throws(TextFault) {
            let lines = try TextLines.split(bytes, limit: Self.maximumBytes)
            guard lines.count == 4 else { throw .lines(expected: 4) }
            for (index, prefix) in [(0, Self.untrustedPrefix), (2, Self.trustedPrefix)] {
                // minisign stops at a NUL and cuts a carriage return, and would verify another comment than
                // this reads.
                guard lines[index].starts(with: prefix), lines[index].allSatisfy({ $0 != 0 && $0 != 13 })
                else {
                    throw .comment(line: index + 1)
                }
            }
            let content = try Self.base64(lines[1], count: 74, line: 2)
            switch (content[0], content[1]) {
            case (UInt8(ascii: "E"), UInt8(ascii: "d")): algorithm = .legacy
            case (UInt8(ascii: "E"), UInt8(ascii: "D")): algorithm = .prehashed
            default: throw .algorithm
            }
            keyID = Array(content[2..<10])
            signature = Array(content[10...])
            trustedComment = Array(lines[2].dropFirst(Self.trustedPrefix.count))
            globalSignature = try Self.base64(lines[3], count: 64, line: 4)
        } catch {
            throw .badSignatureFile(error)
        }
    }

    /// Checks both signatures: that of the file, and that of the comment with the first signature, which
    /// binds the two together.
    /// - Returns: the trusted comment.
    public func verify(_ file: [UInt8], with key: MinisignKey) throws(ReleaseError) -> [UInt8] {
        guard keyID == key.id else { throw .otherKey(signed: MinisignKey.name(keyID), expected: key.name) }
        let message =
            switch algorithm {
            case .legacy: file
            case .prehashed: BLAKE2b.hash(file, length: 64)
            }
        guard key.verifies(signature, message) else { throw .wrongSignature }
        guard key.verifies(globalSignature, signature + trustedComment) else { throw .wrongComment }
        return trustedComment
    }

    static func base64(_ line: ArraySlice<UInt8>, count: Int, line number: Int) throws(TextFault) -> [UInt8] {
        guard let bytes = Base64.decode(String(decoding: line, as: UTF8.self)), bytes.count == count else {
            throw .base64(line: number)
        }
        return bytes
    }
}
