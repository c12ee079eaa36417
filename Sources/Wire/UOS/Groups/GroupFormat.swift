import Hashing
import SCALE
import SubstratePrimitives

/// The common format of all messages of threshold groups, codes b0 to b9. `fixtures/README.md` has their
/// layout byte by byte.
public enum GroupFormat {
    /// The byte after the prelude.
    public static let version: UInt8 = 1
    /// Members of a group.
    public static let maximumMembers = 16
    /// Signers that a group needs. One would be an ordinary key.
    public static let minimumThreshold = 2
    /// Bytes of UTF-8 in a member's name; at least one.
    public static let maximumName = 24
    /// Bytes of UTF-8 in a group's label.
    public static let maximumLabel = 32
    /// Bytes of UTF-8 in the path of an account below the group's key.
    public static let maximumPath = 64
    /// Bytes of a key, a point or a scalar.
    static let wordLength = 32
    /// Bytes of a member's signature.
    static let signatureLength = 64

    /// T32.
    static func hash(_ tag: StaticString, _ bytes: [UInt8]) -> Hash32 { Hash32(GroupHash.short(tag, bytes))! }
}

/// Members by their numbers, as a request and a package name them: bit i - 1 is member i.
public struct GroupMembers: Sendable, Equatable {
    /// Little-endian on the wire.
    public let bitmap: UInt16

    /// - Parameter bitmap: bit i - 1 for member i.
    public init(bitmap: UInt16) { self.bitmap = bitmap }

    /// - Parameter indices: each 1…16, in any order.
    public init(_ indices: some Sequence<Int>) {
        bitmap = indices.reduce(0) { $0 | 1 << UInt16($1 - 1) }
    }

    /// The numbers, ascending, from 1.
    public var indices: [Int] { (1...GroupFormat.maximumMembers).filter(contains) }
    /// How many there are.
    public var count: Int { bitmap.nonzeroBitCount }

    /// - Parameter index: from 1.
    public func contains(_ index: Int) -> Bool {
        (1...GroupFormat.maximumMembers).contains(index) && bitmap & 1 << UInt16(index - 1) != 0
    }

    /// Whether all of these are among the others.
    public func isSubset(of others: GroupMembers) -> Bool { bitmap & ~others.bitmap == 0 }
}

/// A member of a group as a proposal names it.
public struct GroupMember: Sendable, Equatable {
    /// 1…``GroupFormat/maximumName`` bytes of printable UTF-8. The member's own word, or the proposer's.
    public let name: String
    /// 32 bytes: a point of ristretto255, for groups of both schemes.
    public let hostKey: [UInt8]

    /// A member whose host key has 32 bytes.
    public init(name: String, hostKey: [UInt8]) {
        precondition(hostKey.count == GroupFormat.wordLength, "a host key has 32 bytes")
        self.name = name
        self.hostKey = hostKey
    }

    public static func == (one: GroupMember, other: GroupMember) -> Bool {
        one.name.utf8Equals(other.name) && one.hostKey == other.hostKey
    }

    /// The hash whose first words people compare. It covers the key alone, so that a second key with the same
    /// words takes a second preimage of an honest one, and no proposal can be prepared for it.
    public var fingerprint: Hash32 { GroupFormat.hash("fingerprint", hostKey) }

    /// The name without quotation marks if it has only ASCII letters, digits, `.`, `_` and `-`; otherwise
    /// quoted.
    public static func quoted(unlessPlain name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                || byte == 0x2d || byte == 0x2e
                || byte == 0x5f
        }
        return isPlain ? name : name.inQuotationMarks
    }

    /// Refuses a text that cannot be the name of a member.
    public static func check(name: String) throws(GroupFailure) {
        guard (1...GroupFormat.maximumName).contains(name.utf8.count) else {
            throw .nameLength(name.utf8.count)
        }
        guard String.printableLine(Array(name.utf8)) != nil else { throw .unprintable("name") }
    }

    init(from reader: inout SCALEReader) throws {
        name = try reader.groupName()
        hostKey = try reader.word()
    }

    func encode(into writer: inout SCALEWriter) {
        writer.u8(UInt8(name.utf8.count))
        writer.raw(name.utf8)
        writer.raw(hostKey)
    }
}

extension SCALEReader {
    /// A key, a point or a scalar.
    mutating func word() throws(SCALEError) -> [UInt8] { try bytes(count: GroupFormat.wordLength) }

    mutating func words(_ count: Int) throws(SCALEError) -> [[UInt8]] {
        var words: [[UInt8]] = []
        for _ in 0..<count { words.append(try word()) }
        return words
    }

    mutating func memberSignature() throws(SCALEError) -> [UInt8] {
        try bytes(count: GroupFormat.signatureLength)
    }

    /// A member's number.
    mutating func memberIndex(from first: Int = 1) throws -> Int {
        let index = Int(try u8())
        guard (first...GroupFormat.maximumMembers).contains(index) else { throw GroupFailure.index(index) }
        return index
    }

    mutating func groupName() throws -> String {
        let length = Int(try u8())
        guard (1...GroupFormat.maximumName).contains(length) else { throw GroupFailure.nameLength(length) }
        guard let name = String.printableLine(try bytes(count: length)) else {
            throw GroupFailure.unprintable("name")
        }
        return name
    }

    mutating func groupLabel() throws -> String {
        let length = Int(try u8())
        guard length <= GroupFormat.maximumLabel else { throw GroupFailure.labelLength(length) }
        guard length > 0 else { return "" }
        guard let label = String.printableLine(try bytes(count: length)) else {
            throw GroupFailure.unprintable("label")
        }
        return label
    }
}
