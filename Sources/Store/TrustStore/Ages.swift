import Hashing
import SCALE
import SubstratePrimitives

/// Since when a vault has a seed, and when a copy of its words was last compared with it, by the clock of
/// this device at that time.
public struct SeedTimes: Sendable, Equatable {
    /// Seconds since 1970; nil for a seed that was there before its store.
    public let added: UInt64?
    /// Seconds since 1970; nil where no copy was compared since ``added``.
    public let checked: UInt64?

    public init(added: UInt64?, checked: UInt64?) { (self.added, self.checked) = (added, checked) }
}

/// How old keys and seeds are: sealed settings of eight bytes, little-endian, so that a cleared log forgets
/// no age. A time that is missing is unknown, and never a young age.
extension TrustState {
    /// When a key came into this vault, in seconds since 1970; nil where nothing says it.
    public func timeAdded(_ key: PublicKey) -> UInt64? { time(StoreSetting.added(key)) }

    /// The times of a seed; both nil for a seed that is not here.
    public func times(seed name: String) -> SeedTimes {
        SeedTimes(
            added: time(StoreSetting.seedAdded + name), checked: time(StoreSetting.seedChecked + name))
    }

    /// Since when this vault has what gives a key: its seed, whenever the key was derived from it, or else
    /// the key itself. In seconds since 1970; nil where nothing says it.
    public func timeHeld(_ key: KeyRecord) -> UInt64? {
        key.seed.map { times(seed: $0).added } ?? timeAdded(key.publicKey)
    }

    private func time(_ name: String) -> UInt64? {
        guard let value = settings[name] else { return nil }
        var reader = SCALEReader(value)
        guard let time = try? reader.integer(UInt64.self), (try? reader.finish()) != nil else { return nil }
        return time
    }

    /// What the changes of keys change about their ages.
    func ages(after changes: [TrustChange], at time: UInt64) -> [TrustChange] {
        changes.flatMap { (change) -> [TrustChange] in
            if case .addKey(let record) = change {
                return [.putSetting(StoreSetting.added(record.publicKey), StoreSetting.encoded(time))]
            }
            guard case .removeKey(let key) = change else { return [] }
            return forgetting(StoreSetting.added(key))
        }
    }

    /// Forgets the times of a seed that is removed.
    public func forgettingTimes(seed name: String) -> [TrustChange] {
        forgetting(StoreSetting.seedAdded + name) + forgetting(StoreSetting.seedChecked + name)
    }

    private func forgetting(_ name: String) -> [TrustChange] {
        settings[name] == nil ? [] : [.removeSetting(name)]
    }
}

extension TrustChange {
    /// A seed came into the vault.
    /// - Parameters:
    ///   - seed: its name.
    ///   - time: in seconds since 1970.
    public static func putSeedAdded(_ seed: String, time: UInt64) -> TrustChange {
        .putSetting(StoreSetting.seedAdded + seed, StoreSetting.encoded(time))
    }

    /// A copy of the words of a seed was compared with it.
    /// - Parameters:
    ///   - seed: its name.
    ///   - time: in seconds since 1970.
    public static func putSeedChecked(_ seed: String, time: UInt64) -> TrustChange {
        .putSetting(StoreSetting.seedChecked + seed, StoreSetting.encoded(time))
    }
}

extension StoreSetting {
    /// Followed by the name of a seed.
    static let seedAdded = "seed_added/"
    static let seedChecked = "seed_checked/"

    /// By scheme and public key.
    static func added(_ key: PublicKey) -> String {
        "key_added.\(key.scheme.name).\(Hex.encode(key.bytes))"
    }

    static func encoded(_ time: UInt64) -> [UInt8] { SCALEWriter.encode { $0.integer(time) } }
}
