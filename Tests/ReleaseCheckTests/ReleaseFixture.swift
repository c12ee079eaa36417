import Hashing
import ReleaseCheck
import TestSupport

/// What minisign 0.11 signed with a key that was thrown away; fixtures/README.md says how.
enum ReleaseFixture {
    static let folder = "fixtures/release/heliograph-9.8.7"
    static let comment = "heliograph 9.8.7 commit 0123456789abcdef0123456789abcdef01234567"

    static func key(_ name: String = "key") throws -> [UInt8] {
        try Checkout.read("fixtures/release/\(name).pub")
    }
    static func sums() throws -> [UInt8] { try Checkout.read("\(folder)/SHA256SUMS") }
    static func signature() throws -> [UInt8] { try Checkout.read("\(folder)/SHA256SUMS.minisig") }
    static func legacy() throws -> [UInt8] { try Checkout.read("fixtures/release/legacy.minisig") }
    static func manifest() throws -> [UInt8] { try Checkout.read("\(folder)/MANIFEST") }
    static func name() throws -> ReleaseName { try ReleaseName(trustedComment: Array(comment.utf8)) }

    /// The comment that both files verify to.
    static func verify(_ key: [UInt8], _ signature: [UInt8], _ sums: [UInt8]) throws -> [UInt8] {
        try MinisignSignature(file: signature).verify(sums, with: MinisignKey(file: key))
    }
}

extension [UInt8] {
    func flipping(_ bit: Int) -> [UInt8] {
        var bytes = self
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        return bytes
    }

    /// Every line of them, its end included.
    var lineRanges: [Range<Int>] {
        var start = 0
        return indices.filter { self[$0] == 0x0a }.map { end in
            defer { start = end + 1 }
            return start..<end + 1
        }
    }
}
