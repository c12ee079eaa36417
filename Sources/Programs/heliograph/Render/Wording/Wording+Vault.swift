import Diagnostics
import Terminal
import TrustStore
import Vault

/// What the vault's files and its store refuse.
extension Wording {
    static func vault(_ error: VaultError) -> Diagnostic {
        switch error {
        case .missing: Diagnostic("no-vault", "there is no vault here", hint: "heliograph init", exit: .inputOutput)
        case .exists: Diagnostic("vault-exists", "there is a vault here already", exit: .refused)
        case .inUse: Diagnostic("vault-in-use", "another program is using the vault", exit: .inputOutput)
        case .malformed(let part): Diagnostic("vault-damaged", "the vault's file is damaged (\(part))", exit: .badInput)
        case .unknownFormat(let format):
            Diagnostic("vault-format", "the vault has format \(format), which this program does not know", exit: .badInput)
        case .wrongPassphrase(let failures, let delay):
            Diagnostic(
                "wrong-passphrase",
                "wrong passphrase" + (failures == 0 ? "" : failures == 1 ? ", the first in a row" : ", number \(failures) in a row")
                    + (delay > 0 ? "; the next attempt must wait \(delay) s" : ""), exit: .notPermitted)
        case .mustWait(let seconds):
            Diagnostic("must-wait", "after wrong passphrases the next attempt must wait \(seconds) s more", exit: .notPermitted)
        case .tampered(let part): Diagnostic("vault-tampered", "the vault was changed by someone else (\(part))", exit: .badInput)
        case .seedExists: Diagnostic("seed-exists", "a seed of this name exists", hint: "heliograph seed list", exit: .refused)
        case .noSuchSeed: Diagnostic("no-such-seed", "no seed has this name", hint: "heliograph seed list", exit: .refused)
        case .invalidSeedName: Diagnostic("seed-name", "a seed's name has 1 to 64 bytes and no control characters", exit: .usage)
        case .entropyLength(let count): Diagnostic("entropy", "a seed has 16 to 32 bytes, not \(count)", exit: .badInput)
        case .emptyPassphrase: Diagnostic("empty-passphrase", "an empty passphrase protects nothing", exit: .refused)
        case .costOutOfBounds: Diagnostic("kdf-cost", "the cost of deriving the key is out of bounds", exit: .refused)
        case .outOfMemory: Diagnostic("out-of-memory", "there is not enough memory to derive the key", exit: .inputOutput)
        case .keyFileLength(let count): Diagnostic("key-file", "a key file has 32 bytes to 1 MiB, not \(count) bytes", exit: .usage)
        case .lastSlot: Diagnostic("last-slot", "the last passphrase cannot be removed", exit: .refused)
        case .noSuchSlot: Diagnostic("no-such-slot", "there is no such key slot", exit: .usage)
        case .full: Diagnostic("vault-full", "the vault is full", exit: .refused)
        case .system(let operation, let number): Diagnostic("file", "\(operation): \(errorText(number))", exit: .inputOutput)
        }
    }

    /// Puts the store aside where it is not as its seal has it.
    private static let replaceStore = "heliograph verifier reset makes a new one; seeds stay"

    static func store(_ error: StoreError) -> Diagnostic {
        switch error {
        case .missing: Diagnostic("store-missing", "the vault has no trust store", hint: replaceStore, exit: .inputOutput)
        case .alreadyExists: Diagnostic("vault-exists", "there is a trust store here already", exit: .refused)
        case .notAStore: Diagnostic("store-damaged", "the trust store is not one of this program", hint: replaceStore, exit: .badInput)
        case .busy: Diagnostic("store-busy", "another program is using the trust store", exit: .inputOutput)
        case .damaged(let code):
            Diagnostic("store-damaged", "the trust store is damaged (SQLite says \(code))", hint: replaceStore, exit: .inputOutput)
        case .inputOutput(let number): Diagnostic("file", "the trust store: \(errorText(number))", exit: .inputOutput)
        case .sealBroken(let differences):
            Diagnostic(
                "seal-broken",
                "the trust store was changed by someone without the passphrase: \(differences.map(difference).joined(separator: "; "))",
                hint: replaceStore, exit: .badInput)
        case .rolledBack(let found, let confirmed):
            Diagnostic(
                "rolled-back", "an older trust store was put back: generation \(found), known is \(confirmed)",
                hint: replaceStore, exit: .badInput)
        case .generationMarkBroken:
            Diagnostic("seal-broken", "the mark of the newest trust store is missing or was changed", hint: replaceStore, exit: .badInput)
        case .changedSinceShown: Diagnostic("changed-since-shown", "the trust store changed after the cards were shown", exit: .refused)
        case .unreadable(let table):
            Diagnostic("store-damaged", "a row of \(table) in the trust store cannot be read", hint: replaceStore, exit: .badInput)
        case .contentBroken(let hash):
            Diagnostic("content-broken", "the stored bytes with hash \(hash) are missing or were changed", exit: .badInput)
        case .keyReuse(let keys): ceremony(.keyOnTwoNetworks(keys.count))
        case .conflict(let table): Diagnostic("conflict", "the vault holds that already, or no more (\(table))", exit: .refused)
        }
    }

    static func difference(_ difference: SealDifference) -> String {
        switch difference {
        case .cell(let table, let row, let column): "\(column) in row \(row) of \(table)"
        case .rowAdded(let table, let row): "row \(row) of \(table) was added"
        case .rowRemoved(let table, let row): "row \(row) of \(table) was removed"
        case .seal: "the seal"
        case .sealMissing: "the seal is missing"
        case .log(let index): "the log at entry \(index)"
        case .content(let hash): "the bytes with hash \(hash)"
        }
    }
}
