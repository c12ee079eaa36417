import Cards

/// Warnings of a review; the raw value is the stable code.
public enum ReviewWarning: String, Sendable, CaseIterable {
    case unknownAuthor = "unknown_author"
    case keyNotForNetwork = "key_not_for_network"
    case olderRuntime = "older_runtime"
    case networkOnlyProved = "network_only_proved"
    case keyNotDerived = "key_not_derived"
    case listedNetworkOnlyProved = "listed_network_only_proved"
    case knownNameOnUnknownChain = "known_name_on_unknown_chain"
    /// The chain could have checked the metadata, and whoever signed it is believed instead.
    case metadataBelieved = "metadata_believed"
    case unsignedMetadata = "unsigned_metadata"
    /// A destination begins and ends as an account does that is known.
    case lookAlike = "look_alike"
    /// Much more than ever before to an account that was paid.
    case paymentFarAbove = "payment_far_above"
    case nonceReused = "nonce_reused"
    case nonceBelowHighest = "nonce_below_highest"
    case nonceFarAhead = "nonce_far_ahead"
    case callRepeated = "call_repeated"
    case signedBefore = "signed_before"
    case eraExpired = "era_expired"
    /// A group collects shares for longer than the transaction lives.
    case shortEraForGroup = "short_era_for_group"
    /// Only the proof says that the network has this runtime version.
    case runtimeVersionUnknown = "runtime_version_unknown"
    /// A well-known call has more fields than the runtimes give it, or one of another name or shape.
    case unusualCall = "unusual_call"

    /// The card's line, or its start where the card names what it warns of.
    package var line: String {
        switch self {
        case .unknownAuthor: "The signer is not a key of this vault: shown only, not signed"
        case .keyNotForNetwork: "The signer's key is not allowed on this network: shown only, not signed"
        case .olderRuntime: "The transaction is for an older runtime than the newest in this vault"
        case .keyNotDerived: "The key is new to this vault: signing derives it and allows it on this network"
        case .networkOnlyProved: "The network is known only from this transaction's own metadata proof"
        case .listedNetworkOnlyProved: "The network is not in this vault: the transaction's metadata proof agrees with the built-in list"
        case .knownNameOnUnknownChain: "The name is that of a well-known chain, or looks like it, and this is another chain"
        case .metadataBelieved: "read with metadata"
        case .unsignedMetadata: "read with unsigned metadata"
        case .lookAlike: "A destination looks like a known account and is not"
        case .paymentFarAbove: "A payment is far above the largest before to the same account"
        case .nonceReused: "The nonce was used for another transaction"
        case .nonceBelowHighest: "The nonce is not above the highest that was signed"
        case .nonceFarAhead: "The nonce is far above the highest that was signed"
        case .callRepeated: "The same call was signed within a day"
        case .signedBefore: "The same bytes were signed before"
        case .eraExpired: "The transaction probably expired"
        case .shortEraForGroup: "The transaction lives for fewer than 1024 blocks, which is short for a group"
        case .runtimeVersionUnknown: "Only the metadata proof knows this runtime version"
        case .unusualCall: "A known call has fields that the runtimes do not give it"
        }
    }
}

extension Card {
    package init(warning: ReviewWarning) { self.init(warning, warning.line) }

    package init(_ warning: ReviewWarning, _ line: String) { self.init(.warning, line, fields: [Field("code", warning.rawValue)]) }
}
