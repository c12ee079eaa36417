import HardwareProtocol
import Keys
import SCALE
import Vault

/// What binds the store's generation to a counter that only goes up, in a TPM. It is a sealed setting.
///
/// The seal cannot tell a vault that was put back whole, because the seal was put back, too. The counter was
/// not. The rule: a commit makes generation g + 1, then the counter moves, and only then does anything leave
/// that the commit is the condition of. So the store may be ahead of the counter by one, where the program
/// was killed in between: nothing had left. It is never behind, unless somebody put an older state back.
///
/// What this does not cover: a state of before the binding has no counter, and opens without it. Nor does it
/// tell two states of one generation apart, such as a commit that was cut off before the counter moved and
/// the one that was made in its place.
///
/// SCALE, fields in this order: Name of the primary key [34], handle of the NV index u32, Name of the index
/// [34], offset u64, first generation u64, and the index's authorization value as a sealed Vec<u8>. The
/// counter is to have the generation plus the offset, modulo 2^64.
public struct GenerationCounter: Sendable, Equatable {
    static let setting = "generation_counter"
    private static let context = "heliograph generation counter"

    /// Where it is. Its Name says that it is a counter: an ordinary NV index, which could be set to any
    /// number, has another Name and is refused.
    public let place: CounterPlace
    private let offset: UInt64
    /// The generation after which it was made.
    private let first: UInt64
    private let sealedAuth: [UInt8]

    /// Makes a counter in the TPM of an open vault. It goes with the generation that follows `generation`.
    /// - Throws: `HardwareError`
    public init(
        primary: [UInt8], after generation: UInt64, in vault: UnlockedVault, changedBy change: VaultChange
    ) throws(HardwareError) {
        let auth = SecretBytes(randomCount: HardwareRequest.secretLength)
        let (place, value) = try vault.hardware.defineCounter(primary: primary, auth: auth)
        self.place = place
        // It moves after the commit that binds it, like after every other one.
        offset = value &- generation
        first = generation
        sealedAuth = vault.sealed(
            secret: auth, context: Self.context, bindingTo: place.name, after: change)
    }

    /// What the sealed settings say; nil where the store is not bound.
    public init?(_ settings: SealedSettings) throws(StoreError) {
        guard let setting = settings[Self.setting] else { return nil }
        do throws(SCALEError) {
            var reader = SCALEReader(setting)
            place = try CounterPlace(&reader)
            offset = try reader.integer()
            first = try reader.integer()
            sealedAuth = try reader.byteVector()
            try reader.finish()
        } catch { throw .unreadable(table: "setting") }
    }

    private init(place: CounterPlace, offset: UInt64, first: UInt64, sealedAuth: [UInt8]) {
        (self.place, self.offset, self.first, self.sealedAuth) = (place, offset, first, sealedAuth)
    }

    private var encoded: [UInt8] {
        SCALEWriter.encode { writer in
            place.write(to: &writer)
            writer.integer(offset)
            writer.integer(first)
            writer.byteVector(sealedAuth)
        }
    }

    /// Binds the store to it.
    public var change: TrustChange { .putSetting(Self.setting, encoded) }

    /// Gives a counter up.
    public static let removal = TrustChange.removeSetting(setting)

    /// The setting after these changes.
    static func setting(after changes: [TrustChange], in state: TrustState) -> [UInt8]? {
        for change in changes.reversed() {
            if case .putSetting(let name, let value) = change, name.utf8Equals(setting) { return value }
            if case .removeSetting(let name) = change, name.utf8Equals(setting) { return nil }
        }
        return state.settings[setting]
    }

    /// The same counter, for a vault with another data key.
    public func resealed(in vault: UnlockedVault, after change: VaultChange) throws(StoreError)
        -> GenerationCounter
    {
        let auth = try auth(in: vault)
        return GenerationCounter(
            place: place, offset: offset, first: first,
            sealedAuth: vault.sealed(
                secret: auth, context: Self.context, bindingTo: place.name, after: change))
    }

    private func auth(in vault: UnlockedVault) throws(StoreError) -> SecretBytes {
        guard let auth = vault.opened(secret: sealedAuth, context: Self.context, bindingTo: place.name) else {
            throw .unreadable(table: "setting")
        }
        return auth
    }

    /// What the counter is to say at a generation.
    public func value(at generation: UInt64) -> UInt64 { generation &+ offset }

    /// How often it moved for this vault, by a generation of the store.
    public func counts(at generation: UInt64) -> UInt64 { generation &- first }

    /// Compares the counter with the generation of the store, and lets it catch up with a commit after which
    /// the program ended.
    func require(_ generation: UInt64, in vault: UnlockedVault) throws(StoreError) {
        let auth = try auth(in: vault)
        let found = try ask(vault, auth, counts: false)
        let wanted = value(at: generation)
        if found == wanted { return }
        guard found &+ 1 == wanted else {
            throw .counterDiffers(store: generation, counter: found &- offset)
        }
        try count(to: generation, in: vault)
    }

    /// Moves it after a commit.
    func count(to generation: UInt64, in vault: UnlockedVault) throws(StoreError) {
        let found = try ask(vault, auth(in: vault), counts: true)
        guard found == value(at: generation) else {
            throw .counterDiffers(store: generation, counter: found &- offset)
        }
    }

    private func ask(_ vault: UnlockedVault, _ auth: borrowing SecretBytes, counts: Bool) throws(StoreError)
        -> UInt64
    {
        do throws(HardwareError) {
            return try vault.hardware.counter(place, auth: auth, counts: counts)
        } catch { throw .counterSilent(error) }
    }
}
