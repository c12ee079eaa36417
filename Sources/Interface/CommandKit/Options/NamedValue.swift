import ArgumentParser
import SubstratePrimitives

/// The kind of thing that a value names, stated at the option or argument.
///
/// The parser states for each value whether files, directories or a list of words complete it. It cannot
/// state names of a vault, so each kind of name is declared as a shell command that does nothing, with the
/// kind behind it: `:` is the shell's null command. Completion reads the kind from there.
package enum NamedValue: String, CaseIterable {
    /// `@` and a file, or digits that nobody completes.
    case hexOrFile = "hex-or-file"
    case seed, network
    /// An address of a key of the vault.
    case address
    /// An address of a key of the vault, or its label.
    case addressOrLabel = "address-or-label"
    case contact
    /// A signer of contact lists.
    case listSigner = "list-signer"
    case group
    /// A host contact.
    case hostContact = "host-contact"
    /// A version of the metadata of the network that was typed before.
    case metadataVersion = "metadata-version"

    private static let before = ": "

    /// nil for any other command of a shell.
    package init?(shellCommand: String) {
        guard let value = Self.allCases.first(where: { $0.shellCommand.utf8Equals(shellCommand) })
        else {
            return nil
        }
        self = value
    }

    fileprivate var shellCommand: String { Self.before + rawValue }
}

extension CompletionKind {
    package static func named(_ value: NamedValue) -> CompletionKind {
        .shellCommand(value.shellCommand)
    }

    /// The names of signature schemes.
    package static var schemes: CompletionKind { .list(SignatureScheme.allCases.map(\.name)) }
}
