import Diagnostics
import SCALE
import SubstratePrimitives
import TrustStore

/// A move from one seed to another that a person has begun: a sealed setting `seed_rotation/NAME` of the old
/// seed. It ends when the old seed is removed, or when the person gives it up.
///
/// Nothing else is kept. The accounts are the keys that the old seed has in this vault, and an account's
/// successor is the key of the new seed at the same path, so a move that is interrupted anywhere goes on from
/// what is there.
///
/// ### Who says that an account is empty
///
/// A state proof does not: whoever owns the online machine may invent a block and a proof in it, and only the
/// transaction that is signed with it is worthless then. So what a proof said is remembered with its block,
/// as a thing to look up, and the words of a person who removes the old seed decide.
public struct SeedRotation: Sendable, Equatable {
    /// Who says that an account is empty.
    public enum Ground: Sendable, Equatable {
        /// A person, at this time in seconds since 1970.
        case person(UInt64)
        /// A state proof beside a transaction that was signed, of the block with this number.
        case state(block: UInt32)
    }

    /// A key on one of its networks; nil for a key that is allowed on none.
    public struct Place: Sendable, Hashable {
        public let key: PublicKey
        public let genesis: GenesisHash?

        public init(key: PublicKey, genesis: GenesisHash?) { (self.key, self.genesis) = (key, genesis) }
    }

    /// An account of the old seed, and what is known of it here.
    public struct Account: Sendable, Equatable {
        public let place: Place
        public let record: KeyRecord
        /// The key of the new seed at the same path; nil while it is not derived, as behind a password.
        public let successor: KeyRecord?
        /// nil while nobody says that it is empty.
        public let ground: Ground?
        /// What a person, or a list from the online machine, says of it; not proven.
        public let note: String?

        public static func == (one: Account, other: Account) -> Bool {
            one.place == other.place && one.record == other.record && one.successor == other.successor
                && one.ground == other.ground && one.note.utf8Equals(other.note)
        }
    }

    /// Bytes of a note, at most.
    public static let longestNote = 200

    /// The name of the new seed; empty for a setting that cannot be read, which names no account as empty.
    public let new: String
    /// In seconds since 1970.
    public let started: UInt64
    public private(set) var grounds: [Place: Ground] = [:]
    public private(set) var notes: [PublicKey: String] = [:]

    public init(new: String, started: UInt64) { (self.new, self.started) = (new, started) }

    /// The same where an account is empty. A person's word replaces that of a proof, and no proof replaces a
    /// person's.
    public func emptied(_ place: Place, by ground: Ground) -> SeedRotation {
        var rotation = self
        switch (grounds[place], ground) {
        case (.person, .state): break
        case (.state, _), (.person, .person), (nil, _): rotation.grounds[place] = ground
        }
        return rotation
    }

    /// The same where a person says something of an account.
    public func noting(_ note: String, of key: PublicKey) -> SeedRotation {
        var rotation = self
        rotation.notes[key] = note
        return rotation
    }

    /// Every key that the old seed has now on each of its networks, by path, then by network.
    public func accounts(of old: String, in state: TrustState) -> [Account] {
        let successors = state.keys(seed: new)
        return state.keys(seed: old).flatMap { record -> [Account] in
            let successor = successors.first {
                $0.path.utf8Equals(record.path) && $0.publicKey.scheme == record.publicKey.scheme
                    && $0.hasPassword == record.hasPassword
            }
            let chains: [GenesisHash?] = record.networks.sorted { $0.hex < $1.hex }
            return (chains.isEmpty ? [nil] : chains).map { genesis in
                let place = Place(key: record.publicKey, genesis: genesis)
                return Account(
                    place: place, record: record, successor: successor, ground: grounds[place],
                    note: notes[record.publicKey])
            }
        }
    }

    public static func == (one: SeedRotation, other: SeedRotation) -> Bool {
        one.new.utf8Equals(other.new) && one.started == other.started && one.grounds == other.grounds
            && one.notes.count == other.notes.count
            && one.notes.allSatisfy { other.notes[$0.key].utf8Equals($0.value) }
    }
}

extension SeedRotation {
    /// SCALE: started u64, new string, Vec of key, Option of genesis hash, false and time u64 or true and
    /// block u32; Vec of key and note string. A key is its scheme as u8 and its bytes. In the order of their
    /// bytes.
    public var encoded: [UInt8] {
        SCALEWriter.encode { writer in
            writer.integer(started)
            writer.string(new)
            writer.raw(
                Self.vector(
                    grounds.map { place, ground in
                        SCALEWriter.encode { writer in
                            Self.write(place.key, to: &writer)
                            writer.option(place.genesis) { $0.raw($1.bytes) }
                            switch ground {
                            case .person(let time):
                                writer.bool(false)
                                writer.integer(time)
                            case .state(let block):
                                writer.bool(true)
                                writer.integer(block)
                            }
                        }
                    }))
            writer.raw(
                Self.vector(
                    notes.map { key, note in
                        SCALEWriter.encode { writer in
                            Self.write(key, to: &writer)
                            writer.string(note)
                        }
                    }))
        }
    }

    /// The bytes that ``encoded`` gives; anything else is a move that no account has left.
    public init(_ encoded: [UInt8]) {
        var reader = SCALEReader(encoded)
        guard let rotation = try? Self(from: &reader), (try? reader.finish()) != nil else {
            self.init(new: "", started: 0)
            return
        }
        self = rotation
    }

    private init(from reader: inout SCALEReader) throws(SCALEError) {
        let started = try reader.integer(UInt64.self)
        self.init(new: try reader.string(), started: started)
        let grounds = try reader.vector(minimumElementSize: 1) { reader throws(SCALEError) in
            let key = try Self.key(&reader)
            let genesis = try reader.option { (reader) throws(SCALEError) in try reader.hash32() }
            let ground: Ground =
                try reader.bool() ? .state(block: try reader.integer()) : .person(try reader.integer())
            return (Place(key: key, genesis: genesis), ground)
        }
        for (place, ground) in grounds { self.grounds[place] = ground }
        let notes = try reader.vector(minimumElementSize: 1) { reader throws(SCALEError) in
            (try Self.key(&reader), try reader.string())
        }
        for (key, note) in notes { self.notes[key] = note }
    }

    private static func vector(_ items: [[UInt8]]) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.vector(items.sorted { $0.lexicographicallyPrecedes($1) }) { $0.raw($1) }
        }
    }

    private static func write(_ key: PublicKey, to writer: inout SCALEWriter) {
        writer.u8(key.scheme.rawValue)
        writer.raw(key.bytes)
    }

    private static func key(_ reader: inout SCALEReader) throws(SCALEError) -> PublicKey {
        let number = try reader.u8()
        guard let scheme = SignatureScheme(rawValue: number),
            let key = PublicKey(scheme: scheme, bytes: try reader.bytes(count: scheme.publicKeyLength))
        else { throw reader.error(.invalidDiscriminant(number)) }
        return key
    }
}

extension TrustState {
    static let rotationPrefix = "seed_rotation/"

    /// The move of a seed; nil where it is not moved.
    public func rotation(of seed: String) -> SeedRotation? {
        settings[Self.rotationPrefix + seed].map { SeedRotation($0) }
    }

    /// Every move with the name of its old seed, in the order of the names.
    public var rotations: [(old: String, rotation: SeedRotation)] {
        settings.compactMap { name, value in
            guard name.utf8Starts(with: Self.rotationPrefix) else { return nil }
            let old = String(decoding: name.utf8.dropFirst(Self.rotationPrefix.utf8.count), as: UTF8.self)
            return (old, SeedRotation(value))
        }.sorted { $0.old.utf8.lexicographicallyPrecedes($1.old.utf8) }
    }
}

extension TrustChange {
    public static func putRotation(_ rotation: SeedRotation, of seed: String) -> TrustChange {
        .putSetting(TrustState.rotationPrefix + seed, rotation.encoded)
    }

    public static func removeRotation(of seed: String) -> TrustChange {
        .removeSetting(TrustState.rotationPrefix + seed)
    }
}

/// Why a seed is not moved, or may not go.
public enum RotationRefusal: Error, Equatable, Sendable {
    /// The seed is moved already, to this one.
    case underWay(String, to: String)
    /// Old and new seed have the same words.
    case sameWords(String, String)
    /// The seed is not moved.
    case notMoved(String)
    /// The key of this address is not of the seed, or not on the network.
    case notAnAccount(String, of: String)
    /// So many accounts of the seed are not said to be empty.
    case notEmpty(String, accounts: Int)
    /// The accounts of another seed move to this one.
    case isTarget(String, of: String)
    /// Bytes of the note.
    case longNote(Int)

    public static func == (one: RotationRefusal, other: RotationRefusal) -> Bool {
        one.sentence.utf8Equals(other.sentence)
    }
}

extension RotationRefusal: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .underWay(let seed, let new):
            .refused(
                "rotation-under-way", "the accounts of seed \(seed) move to seed \(new) already",
                hint: "heliograph seed rotate \(Hints.quoted(seed))")
        case .sameWords(let seed, let new):
            .refused(
                "rotation-same-words", "seeds \(seed) and \(new) have the same words",
                hint: "heliograph seed new NAME")
        case .notMoved(let seed):
            .refused(
                "not-rotated", "the accounts of seed \(seed) are not being moved",
                hint: "heliograph seed rotate \(Hints.quoted(seed)) --to NAME")
        case .notAnAccount(let address, let seed):
            .refused(
                "rotation-account", "\(address) is not an account of seed \(seed) in this vault",
                hint: "heliograph seed rotate \(Hints.quoted(seed))")
        case .notEmpty(let seed, let count):
            .refused(
                "rotation-not-empty",
                "\(Sentence.count(count, "account")) of seed \(seed) \(Sentence.be(count)) not said to be empty",
                hint: "heliograph seed rotate \(Hints.quoted(seed))")
        case .isTarget(let seed, let old):
            .refused(
                "rotation-target", "the accounts of seed \(old) move to seed \(seed)",
                hint: "heliograph seed rotate \(Hints.quoted(old))")
        case .longNote(let count):
            .badInput(
                "rotation-note", "a note has at most \(SeedRotation.longestNote) bytes, not \(count)",
                hint: "shorten the note")
        }
    }

    public static var examples: [RotationRefusal] {
        let address = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
        return [
            .underWay("main", to: "fresh"), .sameWords("main", "fresh"), .notMoved("main"),
            .notAnAccount(address, of: "main"), .notEmpty("main", accounts: 2),
            .isTarget("fresh", of: "main"), .longNote(300),
        ]
    }
}
