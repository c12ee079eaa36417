import SubstratePrimitives

/// What a value is a name of, so that it can be completed.
enum CompletionValue {
    case choices([String])
    case file
    /// `@` and a file, or digits that nobody completes.
    case hexOrFile
    case directory
    case seed
    case network
    /// An address of a key of the vault.
    case address
    /// An address of a key of the vault, or its label.
    case addressOrLabel
    /// The name of a contact.
    case contact
    /// The name of a signer of contact lists.
    case listSigner
    /// The name of a group.
    case group
    /// The name of a host contact.
    case hostContact
    /// A version of the metadata of the network that was typed before.
    case metadataVersion
    /// A command, after `help`.
    case command
    /// New names, numbers, texts, paths of keys.
    case free

    /// - Parameter path: of the command, such as `["key", "derive"]`.
    static func of(_ argument: CommandGrammar.Argument, in path: [String]) -> CompletionValue {
        if !argument.values.isEmpty { return .choices(argument.values) }
        if let value = byOption(argument.names, of: path) ?? byCommand(path, argument) { return value }
        return byName[argument.valueName] ?? .free
    }

    private static func byOption(_ names: [String], of path: [String]) -> CompletionValue? {
        for name in names {
            switch name {
            case "--network": return .network
            case "--seed": return .seed
            case "--hex": return .hexOrFile
            case "--words": return .choices(["12", "24"])
            case "--verifier" where path.last.utf8Equals("set"):
                return .choices(["default", "general", "none"])
            case "--verifier": return .choices(["default", "none"])
            default: continue
            }
        }
        return nil
    }

    private static func byCommand(_ path: [String], _ argument: CommandGrammar.Argument) -> CompletionValue? {
        guard argument.kind == .positional else { return nil }
        switch (path, argument.valueName) {
        case (["seed", "new"], _), (["seed", "restore"], "name"): return .free
        case (_, "name") where path.first == "seed": return .seed
        case (["contact", "signer", "remove"], "label"): return .listSigner
        case (["group", "contacts", "remove"], "name"): return .hostContact
        case (["key", "show"], _): return .addressOrLabel
        case (["metadata", "remove"], "version"), (["attest"], "version"): return .metadataVersion
        default: return nil
        }
    }

    /// Names of values in the help. What is in no row is ``free``, on purpose: ``knownFree``.
    private static let byName: [String: CompletionValue] = [
        "file": .file, "device": .file, "file.png": .file, "file.json": .file, "input": .file,
        "answer": .file,
        "inputs": .file, "dir": .directory,
        "directory": .directory,
        "seed": .seed, "group": .group, "cards": .file, "records": .file,
        "network": .network, "address": .address, "contact": .contact, "scheme": .choices(schemes),
        "s": .choices(schemes),
        "subcommands": .command,
    ]
    private static let schemes = ["ed25519", "sr25519", "ecdsa", "ethereum"]

    /// Names of values that nothing completes; a test holds every other name to ``byName``.
    static let knownFree = [
        "n", "k", "t", "text", "hex", "path", "name", "number", "version", "key", "prefix", "raw", "decimals",
        "unit", "seconds", "words",
        "label", "names", "/path", "request", "time",
    ]

    /// Whether somebody decided what this is.
    static func isKnown(_ argument: CommandGrammar.Argument, in path: [String]) -> Bool {
        if case .free = of(argument, in: path) {
            knownFree.containsUTF8(of: argument.valueName)
        } else {
            true
        }
    }
}
