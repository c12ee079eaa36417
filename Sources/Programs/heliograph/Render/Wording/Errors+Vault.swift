import Diagnostics
import Glibc
import Keys
import SubstratePrimitives
import TrustStore
import Vault

// The vault, its store, seeds and keys.

extension SS58Address.Failure: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension EthereumAddress.Failure: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension SeedQR.Failure: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension DiceRolls.Failure: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension RandomHealthError: ProgramError { var exit: Diagnostic.Exit { .inputOutput } }

extension VaultError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .missing, .lost, .inUse, .outOfMemory, .system: .inputOutput
        case .exists, .seedExists, .noSuchSeed, .emptyPassphrase, .costOutOfBounds, .full: .refused
        case .malformed, .notABackup, .unknownFormat, .tampered, .entropyLength, .notAFile: .badInput
        case .wrongPassphrase, .mustWait, .companionTampered, .exposed, .foreign, .passphraseNotChanged, .passphraseWasChanged:
            .notPermitted
        case .invalidSeedName, .keyFileLength: .usage
        }
    }

    var hint: String? {
        switch self {
        case .missing: "heliograph init"
        case .lost: "put the file back, or heliograph vault restore BACKUP; what is left here is moved aside"
        case .notABackup: "heliograph vault backup FILE makes one"
        case .seedExists, .noSuchSeed: "heliograph seed list"
        case .exposed(let path, isDirectory: true): "chmod 700 \(path)"
        case .exposed(let path, isDirectory: false): "chmod 600 \(path)"
        case .tampered(let part) where part.utf8Equals("intent"):
            "if nobody else was here, move the file intent out of the vault's directory: the last whole state opens"
        case .foreign(let path): "chown \(geteuid()) \(path)"
        case .companionTampered: "afterwards heliograph log show tells what happened; was somebody else at this device?"
        case .exists, .inUse, .malformed, .unknownFormat, .wrongPassphrase, .mustWait, .tampered, .invalidSeedName, .entropyLength,
            .emptyPassphrase, .costOutOfBounds, .outOfMemory, .keyFileLength, .full, .system, .notAFile, .passphraseNotChanged,
            .passphraseWasChanged:
            nil
        }
    }
}

extension StoreError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .missing, .busy, .damaged, .inputOutput, .vaultFileUnwritten: .inputOutput
        case .alreadyExists, .changedSinceShown, .keyReuse, .conflict: .refused
        case .notAStore, .otherLayout, .sealBroken, .rolledBack, .vaultReplaced, .generationMarkBroken, .unreadable, .contentBroken:
            .badInput
        }
    }

    var hint: String? {
        switch self {
        // Puts the store aside where it is not as its seal has it.
        case .missing, .notAStore, .otherLayout, .damaged, .sealBroken, .rolledBack, .generationMarkBroken, .unreadable:
            "restore a backup, or heliograph verifier reset makes a new one: seeds stay; keys, policy and log are lost"
        case .vaultReplaced:
            "put the newer file back; or heliograph verifier reset makes a new trust store for the seeds in this vault file"
        case .vaultFileUnwritten: "free some space; the next command that opens the vault completes the change"
        case .keyReuse: CommandError.ownKeyHint
        case .alreadyExists, .busy, .inputOutput, .changedSinceShown, .contentBroken, .conflict: nil
        }
    }
}

extension MnemonicError: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { "heliograph util words PREFIX" }
}

extension DerivationPathError: ProgramError {
    var exit: Diagnostic.Exit { .usage }

    var hint: String? {
        switch self {
        case .malformed: "heliograph util path"
        case .passwordInPath: "--password-fd N"
        }
    }
}

extension KeyError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .softJunction: .usage
        case .unusableSecret: .refused
        case .signatureCheckFailed: .inputOutput
        case .mnemonic, .secretLength: .badInput
        }
    }
}

extension SeedEntropyError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .wordCount: .usage
        case .dice, .keyPresses: .badInput
        case .random: .inputOutput
        }
    }
}

extension BananaSplitError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .notAShare, .unknownVersion, .mixedSets, .conflictingShares, .inconsistentShare, .noSecret: .badInput
        case .tooFewShares: .refused
        case .wrongPassphrase: .notPermitted
        case .shareCount, .length: .usage
        case .outOfMemory, .checkFailed: .inputOutput
        }
    }
}
