import SubstratePrimitives
import Vault

/// Overwrites and removes the files of a vault, the key slots first. It needs no passphrase: who holds the
/// directory can remove it in any case, and who has to destroy it may not have the time.
public struct EraseVault: FoundingOperation {
    /// What a person must see.
    public struct Shown: Sendable, Equatable {
        /// Of the vault, as it was named.
        public let directory: String
        /// Seeds that go with it; nil where the vault cannot be read.
        public let seedNames: [String]?
        /// What else is in the directory, and stays there.
        public let left: [String]

        public static func == (one: Shown, other: Shown) -> Bool {
            one.directory.utf8Equals(other.directory) && (one.seedNames == nil) == (other.seedNames == nil)
                && (one.seedNames ?? []).utf8ElementsEqual(other.seedNames ?? [])
                && one.left.utf8ElementsEqual(other.left)
        }
    }

    /// What a person types instead of yes.
    public static let word = "erase"

    /// The vault of the device that previews it.
    public init() {}

    /// A vault that is damaged, or beside which lies what should not be there, opens for nobody and is erased
    /// all the same.
    /// - Throws: `VaultError.missing(_:)`
    public func preview(_ device: Device) throws -> Shown {
        let seeds: [String]?
        do throws(VaultError) { seeds = try device.vault().seedNames } catch {
            guard (try? Vault.isErasable(directory: device.directory)) == true else { throw error }
            seeds = nil
        }
        return Shown(
            directory: device.directory, seedNames: seeds,
            left: try Vault.notErased(directory: device.directory))
    }

    /// An online device is no reason to keep secrets.
    public func requireOffline(_ device: Device) throws {}

    public func perform(_ shown: Shown, at bench: FoundingBench<Self>) throws -> Vault.Erasure {
        guard try preview(bench.device) == shown else { throw CeremonyError.changedSinceShown }
        return try Vault.erase(directory: shown.directory)
    }
}
