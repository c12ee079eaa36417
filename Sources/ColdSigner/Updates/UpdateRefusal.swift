import SubstratePrimitives

/// Why an update is not accepted. Only the log is written.
public enum UpdateRefusal: Error, Sendable, Equatable {
    /// The signature does not fit the key and the content: the input itself is bad.
    case wrongSignature(PublicKey)
    case mustBeSignedBy([PublicKey])
    /// Metadata is signed by a key that has not signed the network's specs.
    case specsFirst(PublicKey?)
    case unknownNetwork(GenesisHash)
    case revokedNetwork(GenesisHash)
    /// Exactly this is held already, from the same verifier.
    case alreadyKnown
    /// A chain keeps its name and prefix; a chain and scheme keep decimals and unit.
    case nameChanges(known: String, given: String)
    case prefixChanges(known: UInt16, given: UInt16)
    case decimalsChange(known: UInt8, given: UInt8)
    case unitChanges(known: String, given: String)
    /// An account cannot be written with this prefix.
    case prefixTooLarge(UInt16)
    /// A field of the specs that a person must be able to read is empty.
    case emptyField(String)
    case metadataOfAnotherNetwork(specs: String, metadata: String)
    case metadataPrefixDiffers(specs: UInt16, metadata: UInt16)
    case sameVersionOtherBytes(version: UInt32, known: Hash32, given: Hash32)

    /// Stable, in kebab case.
    public var code: String {
        switch self {
        case .wrongSignature: "wrong-signature"
        case .mustBeSignedBy: "must-be-signed-by"
        case .specsFirst: "specs-first"
        case .unknownNetwork: "unknown-network"
        case .revokedNetwork: "network-revoked"
        case .alreadyKnown: "already-known"
        case .nameChanges: "name-changes"
        case .prefixChanges: "prefix-changes"
        case .decimalsChange: "decimals-change"
        case .unitChanges: "unit-changes"
        case .prefixTooLarge: "prefix-too-large"
        case .emptyField: "empty-field"
        case .metadataOfAnotherNetwork: "metadata-of-another-network"
        case .metadataPrefixDiffers: "metadata-prefix-differs"
        case .sameVersionOtherBytes: "same-version-other-bytes"
        }
    }

    /// Whether the bytes themselves are wrong, not only unwelcome.
    public var isBadInput: Bool {
        if case .wrongSignature = self { true } else { false }
    }
}

/// What a person is told beside an update that can be accepted.
public enum UpdateWarning: String, Sendable, CaseIterable {
    /// Nobody signed it.
    case unsigned = "update-unsigned"
    /// The signer becomes the general verifier: every later update of a general network must come from it.
    case generalVerifierAppears = "general-verifier-appears"
    /// The network gets a verifier of its own, which is not the general one.
    case customVerifierAppears = "custom-verifier-appears"
    /// The network's verifier becomes the general one.
    case verifierBecomesGeneral = "verifier-becomes-general"
    /// Data that nobody vouches for any more is thrown away; one card a thing.
    case purged = "purged"
    /// Another chain, with another genesis hash, has the same name.
    case nameOfAnotherChain = "name-of-another-chain"
    case onlyVerifierChanges = "only-verifier-changes"
    case newerThanNewest = "metadata-newer-than-newest"
    case olderThanNewest = "metadata-older-than-newest"
    /// Transactions cannot be read with this metadata.
    case extensionsIncomplete = "metadata-extensions-incomplete"
    /// Types serve every network with old metadata.
    case typesForEveryNetwork = "types-for-every-network"
    case replacesTypes = "types-replaced"
}
