import Diagnostics
import Glibc
import Keys
import SubstratePrimitives
import TrustStore
import Vault

// The vault, its store, seeds and keys.

extension SS58Address.Failure: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { "copy the whole address; heliograph key list shows those of this vault" }
}

extension EthereumAddress.Failure: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { "copy the whole address; heliograph key list shows those of this vault" }
}

extension SeedQR.Failure: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { "scan the code again, or type the words: heliograph seed restore NAME" }
}

extension DiceRolls.Failure: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { "heliograph help seed new" }
}

extension RandomHealthError: ProgramError {
    var exit: Diagnostic.Exit { .inputOutput }
    var hint: String? { nil }
}

extension VaultError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .missing, .lost, .inUse, .outOfMemory, .erasedInPart, .system: .inputOutput
        case .exists, .seedExists, .noSuchSeed, .emptyPassphrase, .costOutOfBounds, .full: .refused
        case .malformed, .notABackup, .unknownFormat, .tampered, .entropyLength, .notAFile, .link: .badInput
        case .wrongPassphrase, .mustWait, .companionTampered, .exposed, .foreign, .passphraseNotChanged, .passphraseWasChanged:
            .notPermitted
        case .invalidSeedName, .keyFileLength: .usage
        }
    }

    var hint: String? {
        switch self {
        case .missing(let directory): "heliograph init --vault \(Shell.quoted(directory))"
        case .exists: "--vault DIR names another directory"
        case .inUse: "end the other program, such as a shell"
        case .malformed: Self.restoreHint
        case .unknownFormat: "use the version of heliograph that wrote it"
        case .link(let path): "put the file itself in place of \(Shell.quoted(path)); the vault's directory may be a link"
        case .erasedInPart(slots: true, _): "remove what is left by hand"
        case .erasedInPart(slots: false, _): "destroy the disk, or free it for writing and run the command again"
        case .notAFile(let path): "move \(Shell.quoted(path)) out of the vault's directory"
        case .keyFileLength: "heliograph vault key-file FILE makes one"
        case .full: "heliograph init --vault DIR makes another vault"
        case .emptyPassphrase: "type a passphrase, or --passphrase-fd N reads one from a descriptor"
        case .outOfMemory: "end other programs; heliograph needs the memory that the vault was made with"
        case .lost: "put the file back, or heliograph vault restore BACKUP; what is left here is moved aside"
        case .notABackup: "heliograph vault backup FILE makes one"
        case .seedExists, .noSuchSeed: "heliograph seed list"
        case .exposed(let path, isDirectory: true): "chmod 700 \(Shell.quoted(path))"
        case .exposed(let path, isDirectory: false): "chmod 600 \(Shell.quoted(path))"
        case .tampered(let part) where part.utf8Equals("intent"):
            "if nobody else was here, move the file intent out of the vault's directory: the last whole state opens"
        case .foreign(let path): "chown \(geteuid()) \(Shell.quoted(path))"
        case .companionTampered: "afterwards heliograph log show tells what happened; was somebody else at this device?"
        case .tampered: Self.restoreHint
        case .wrongPassphrase, .mustWait, .invalidSeedName, .entropyLength, .costOutOfBounds, .system, .passphraseNotChanged,
            .passphraseWasChanged:
            nil
        }
    }

    static let restoreHint = "restore a backup: heliograph vault restore FILE --vault DIR"
}

extension StoreError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .missing, .busy, .damaged, .inputOutput, .vaultFileUnwritten: .inputOutput
        case .alreadyExists, .changedSinceShown, .keyReuse, .conflict: .refused
        case .notAStore, .otherLayout, .sealBroken, .rolledBack, .vaultReplaced, .generationMarkBroken, .unreadable, .contentBroken,
            .journalTooLarge:
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
        case .alreadyExists: "--vault DIR names another directory"
        case .busy: "end the other program, such as a shell"
        case .changedSinceShown, .conflict: "run the command again, and read what it shows"
        case .contentBroken: "heliograph metadata list shows whose metadata has this hash; remove it and scan it again"
        case .journalTooLarge:
            "move the file journal out of the vault's directory and look who wrote to it; the next unlock is delayed and logs its loss"
        case .inputOutput: nil
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
        case .softJunction, .reservedPath: .usage
        case .unusableSecret: .refused
        case .signatureCheckFailed: .inputOutput
        case .mnemonic, .secretLength: .badInput
        }
    }

    var hint: String? {
        switch self {
        case .softJunction, .unusableSecret: "heliograph util path PATH shows the parts of a path"
        case .reservedPath: nil
        case .signatureCheckFailed: "heliograph self-test"
        case .mnemonic(let error): error.hint
        case .secretLength: nil
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

    var hint: String? {
        switch self {
        case .wordCount, .dice, .keyPresses: "heliograph help seed new"
        case .random(let error): error.hint
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

    var hint: String? {
        switch self {
        case .tooFewShares: "name the other shares in the same command too: heliograph seed join FILES"
        case .mixedSets, .conflictingShares, .inconsistentShare, .noSecret: "scan the shares of one set alone"
        case .notAShare, .unknownVersion: "heliograph help seed join"
        case .shareCount, .length: "heliograph help seed split"
        case .wrongPassphrase: "type the passphrase that was shown when the shares were made"
        case .checkFailed: "heliograph self-test"
        case .outOfMemory: "end other programs"
        }
    }
}
