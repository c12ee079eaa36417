import Hashing
import SCALE
import SubstratePrimitives
import TrustStore
import UOS

/// What this vault knows of a host key. This decides whose words a person still has to compare; the name in a
/// message decides nothing.
public enum HostStanding: Sendable, Equatable {
    /// A host key that a seed of this vault derives.
    case own(seed: String, index: UInt32)
    /// The key of a host contact: a person compared its words and gave it this name.
    case contact(String)
    /// Nobody compared its words here.
    case unknown

    public static func == (one: HostStanding, other: HostStanding) -> Bool {
        switch (one, other) {
        case (.own(let seed, let index), .own(let otherSeed, let otherIndex)):
            seed.utf8Equals(otherSeed) && index == otherIndex
        case (.contact(let one), .contact(let other)): one.utf8Equals(other)
        case (.unknown, .unknown): true
        case (.own, _), (.contact, _), (.unknown, _): false
        }
    }
}

/// A member of a group, or its dealer, as a proposal names it and as this vault knows it.
public struct MakingMember: Sendable, Equatable {
    /// 1…16; 0 for a dealer.
    public let index: Int
    /// The proposal's word for it.
    public let name: String
    /// 32 bytes.
    public let hostKey: [UInt8]
    /// Eight words of the key.
    public let words: String
    /// What this vault knows of the key.
    public let standing: HostStanding
    /// Whether a host contact with another key has this name or one that can be mistaken for it. The proposer
    /// may have chosen the name, or the contact may be newer: in both cases a person who reads or types the
    /// name means the contact, whose words were compared.
    let isContactsName: Bool

    init(_ index: Int, _ member: GroupMember, _ trust: TrustState) {
        self.index = index
        name = member.name
        hostKey = member.hostKey
        words = GroupWords.text(of: member.fingerprint)
        standing = trust.standing(ofHost: member.hostKey)
        let shape = NameShape(member.name)
        isContactsName = trust.hostContacts.contains {
            $0.hostKey != member.hostKey && NameShape($0.name) == shape
        }
    }

    public static func == (one: MakingMember, other: MakingMember) -> Bool {
        one.index == other.index && one.name.utf8Equals(other.name) && one.hostKey == other.hostKey
            && one.words.utf8Equals(other.words)
            && one.standing == other.standing && one.isContactsName == other.isContactsName
    }

    /// The name of the host contact with this key, or the name in the proposal. A member is shown by its
    /// number if another machine has its name here, or if its name is invalid, as in a record from another
    /// program. No name can look like a number.
    public var shownName: String {
        if case .contact(let name) = standing { return name }
        return isNamed && !isContactsName ? name : "member \(index)"
    }

    /// The proposal's name, where it may name this member here.
    var proposedName: String { isContactsName ? shownName : name }

    /// Whether the proposal's word can be a name. A dealer is called so by this program.
    var isNamed: Bool { index == 0 || (try? GroupNames.check(member: name)) != nil }

    /// One line: name, whose key it is, words.
    public var line: String {
        switch standing {
        case .own(let seed, _): "\(shown), this machine (seed \(seed.inQuotationMarks)): \(words)"
        case .contact: "\(shown), your host contact: \(words)"
        case .unknown: "\(shown), NOT one of your host contacts: \(words)"
        }
    }

    /// The name between quotation marks.
    private var shown: String { shownName.inQuotationMarks }
}

/// The host keys of this vault that were shown on a card, so that a review can say which member is this
/// machine before the vault is open. It is a help for the eye alone: an operation derives the keys again.
public enum OwnHostKey {
    private static let prefix = "host_key."

    /// Indices of the host keys of one seed: a machine that lost everything but the seed tries them all.
    public static let indices: ClosedRange<UInt32> = 0...15

    /// The change that records a key.
    public static func recording(_ key: [UInt8], seed: String, index: UInt32) -> TrustChange {
        .putSetting(
            prefix + Hex.encode(key),
            SCALEWriter.encode { writer in
                writer.string(seed)
                writer.integer(index)
            })
    }

    /// The changes that forget the keys of a seed which goes.
    public static func forgetting(seed: String, _ trust: TrustState) -> [TrustChange] {
        let names = trust.settings.map(\.name).filter { $0.utf8Starts(with: prefix) }.sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        return names.filter { name in
            let key = Hex.decode(String(Substring(name.utf8.dropFirst(prefix.utf8.count)))) ?? []
            return read(key, trust).map { $0.seed.utf8Equals(seed) } ?? false
        }.map { .removeSetting($0) }
    }

    static func read(_ key: [UInt8], _ trust: TrustState) -> (seed: String, index: UInt32)? {
        guard let value = trust.settings[prefix + Hex.encode(key)] else { return nil }
        var reader = SCALEReader(value)
        guard let seed = try? reader.string(), let index = try? reader.integer(UInt32.self),
            (try? reader.finish()) != nil
        else {
            return nil
        }
        return (seed, index)
    }
}

extension TrustState {
    /// What this vault knows of a host key.
    public func standing(ofHost key: [UInt8]) -> HostStanding {
        if let (seed, index) = OwnHostKey.read(key, self) { return .own(seed: seed, index: index) }
        if let contact = hostContacts.first(where: { $0.hostKey == key }) { return .contact(contact.name) }
        return .unknown
    }
}
