import Hashing
import SubstratePrimitives

/// What a warning card warns of, with its facts. The codes are stable, because programs read them.
public enum CardWarning: Sendable, Equatable {
    /// A warning about a call.
    case call(Warning)
    /// An extension whose meaning is unknown, with all that it carries.
    indirect case unknownExtension(ExactText, bytes: [UInt8])
    /// A warning about the review that needs no facts.
    case review(ReviewWarning)
    /// A network that only the transaction's own proof describes, by the name that a person sees.
    /// - isKnownName: whether the name is that of a listed chain, or could be read as one.
    case unknownNetwork(ExactText, isKnownName: Bool)
    /// A warning about metadata that the chain could have checked but did not, or that nobody signed.
    indirect case metadata(version: UInt32, MetadataVoucher, MetadataHashCheck)
    /// A warning about a destination.
    indirect case lookAlike(Resemblance)
    /// So many times the largest amount that was signed for the account; nil for more than can be counted.
    /// - largest: in the network's unit, where it is of the chain's own token.
    indirect case paymentFarAbove(ExactText, factor: UInt128?, largest: TokenAmount?)
    /// When another transaction had the nonce.
    indirect case nonceReused(UInt128, FormerSignature)
    /// The highest nonce is that of the key.
    indirect case nonceBelowHighest(UInt128, highest: UInt128)
    /// The highest nonce is that of the key.
    indirect case nonceFarAhead(UInt128, highest: UInt128)
    /// When the same call was signed.
    case callRepeated(isSameAmount: Bool, FormerSignature)
    /// When the same bytes were signed.
    case signedBefore(FormerSignature)
    /// The minute in which this vault signed with the block that the era starts at.
    case eraExpired(since: UTCMinute)
    /// Beside the newest version that is known here; nil for none.
    case runtimeVersionUnknown(UInt32, newest: KnownRuntime?)
    /// A well-known call that differs from what the runtimes give it.
    indirect case unusualCall(UnusualCall)
    /// The key is as old as the policy warns of, in days; nil for an unknown age.
    case keyIsOld(days: UInt64?)
    /// So many days ago a copy of the words of the key's seed was last compared; nil for never.
    case wordsUnchecked(days: UInt64?)
    /// A warning about an update.
    indirect case update(UpdateWarning)
    /// A warning about a proposed group.
    indirect case group(GroupWarning)

    /// What a warning is about.
    public enum Matter: Sendable, Equatable {
        /// A call, or an extension.
        case call(Warning)
        /// The review.
        case review(ReviewWarning)
        /// An update.
        case update(UpdateWarning)
        /// A proposed group.
        case group(GroupWarning)
    }

    /// What it is about, without its facts.
    public var matter: Matter {
        switch self {
        case .call(let warning): .call(warning)
        case .unknownExtension: .call(.unknownExtension)
        case .review(let warning): .review(warning)
        case .unknownNetwork(_, let isKnownName):
            .review(isKnownName ? .knownNameOnUnknownChain : .networkOnlyProved)
        case .metadata(_, .nobody, _): .review(.unsignedMetadata)
        case .metadata(_, .verifier, _), .metadata(_, .verifiers, _), .metadata(_, .file, _):
            .review(.metadataBelieved)
        case .lookAlike: .review(.lookAlike)
        case .paymentFarAbove: .review(.paymentFarAbove)
        case .nonceReused: .review(.nonceReused)
        case .nonceBelowHighest: .review(.nonceBelowHighest)
        case .nonceFarAhead: .review(.nonceFarAhead)
        case .callRepeated: .review(.callRepeated)
        case .signedBefore: .review(.signedBefore)
        case .eraExpired: .review(.eraExpired)
        case .runtimeVersionUnknown: .review(.runtimeVersionUnknown)
        case .unusualCall: .review(.unusualCall)
        case .keyIsOld: .review(.keyIsOld)
        case .wordsUnchecked: .review(.wordsUnchecked)
        case .update(let warning): .update(warning)
        case .group(let warning): .group(warning)
        }
    }

    /// What programs read.
    public var code: String {
        switch matter {
        case .call(let warning): warning.rawValue
        case .review(let warning): warning.rawValue
        case .update(let warning): warning.code
        case .group(let warning): warning.code
        }
    }

    /// The warning of the review; nil for one of another kind.
    public var review: ReviewWarning? { if case .review(let warning) = matter { warning } else { nil } }

    /// The warning of a call or an extension; nil for one of another kind.
    public var call: Warning? { if case .call(let warning) = matter { warning } else { nil } }

    /// The card's line. It shows bytes whose meaning is unknown, and names a whole key, which a summary
    /// shortens: a person has nothing else to judge by.
    public var line: String {
        switch self {
        case .call(let warning): warning.line
        case .unknownExtension(let name, let bytes):
            "\(Warning.unknownExtension.line): \(name.text) 0x\(Hex.encode(bytes))"
        case .review(let warning): warning.line
        case .unknownNetwork(let name, let isKnownName):
            "\((isKnownName ? ReviewWarning.knownNameOnUnknownChain : .networkOnlyProved).line): \(name.text)"
        case .metadata(let version, let voucher, _):
            switch voucher {
            case .verifier(let key):
                "\(ReviewWarning.metadataBelieved.line) \(version), believed from 0x\(Hex.encode(key.bytes))"
            case .verifiers(let key, let types):
                """
                \(ReviewWarning.metadataBelieved.line) \(version), believed from \
                0x\(Hex.encode(key.bytes)), and types from 0x\(Hex.encode(types.bytes))
                """
            case .nobody: "\(ReviewWarning.unsignedMetadata.line) \(version): nobody vouches for it"
            case .file:
                "\(ReviewWarning.metadataBelieved.line) \(version) from a file: nobody vouches for it"
            }
        case .lookAlike(let found): found.sentence
        case .paymentFarAbove(let address, let factor, let largest):
            """
            The payment to \(address.text) is \(factor.map { String($0) } ?? "many") times the largest that \
            was signed for it before\(largest.map { ", which is \($0.plain) \($0.symbol)" } ?? "")
            """
        case .nonceReused(let nonce, let former):
            "Nonce \(nonce) was used for another transaction \(former.words): the chain takes one of the two"
        case .nonceBelowHighest(let nonce, let highest):
            "Nonce \(nonce) is not above \(highest), the highest that this key has signed here"
        case .nonceFarAhead(let nonce, let highest):
            "Nonce \(nonce) is far above \(highest), the highest that this key has signed here: "
                + "it waits for those between"
        case .callRepeated(let isSameAmount, let former):
            "The same call with \(isSameAmount ? "the same" : "other") amounts was signed \(former.words)"
        case .signedBefore(let former): "The same bytes were signed before, last \(former.words)"
        case .eraExpired(let minute):
            """
            The transaction probably expired: it starts at a block that this vault signed with on \
            \(minute.text)
            """
        case .runtimeVersionUnknown(let version, let newest):
            "\(ReviewWarning.runtimeVersionUnknown.line): \(version)"
                + (newest.map { ", and the newest known here is \($0.text)" } ?? "")
        case .unusualCall(let call): call.line
        case .keyIsOld(let days?):
            "\(ReviewWarning.keyIsOld.line): it has been in this vault for \(days == 1 ? "1 day" : "\(days) days")"
        case .keyIsOld(nil): "\(ReviewWarning.keyIsOld.line): this vault does not know its age"
        case .wordsUnchecked(let days?):
            "\(ReviewWarning.wordsUnchecked.line): they were last checked \(days == 1 ? "1 day" : "\(days) days") ago"
        case .wordsUnchecked(nil): "\(ReviewWarning.wordsUnchecked.line): this vault knows of no check"
        case .update(let warning): warning.line
        case .group(let warning): warning.line
        }
    }
}

/// When something was signed before.
public enum FormerSignature: Sendable, Equatable {
    /// By an earlier part of the payload that is shown.
    case inThisPayload
    /// At a time that the store remembers.
    case on(UTCMinute)

    fileprivate var words: String {
        switch self {
        case .inThisPayload: "earlier in this payload"
        case .on(let minute): "on \(minute.text)"
        }
    }
}

/// Who says that stored metadata is the chain's.
public enum MetadataVoucher: Sendable, Equatable {
    /// The key of the network's verifier.
    case verifier(PublicKey)
    /// One key signed the metadata and another the types that metadata of version 13 and older is read
    /// with: either can make the cards lie.
    case verifiers(PublicKey, types: PublicKey)
    /// It was accepted unsigned, or the types were.
    case nobody
    /// No vault holds it: whoever named the file.
    case file

    /// The verifier that signed the metadata.
    var key: [UInt8]? {
        switch self {
        case .verifier(let key), .verifiers(let key, _): key.bytes
        case .nobody, .file: nil
        }
    }
}

/// A runtime version of a network, and what knows it.
public struct KnownRuntime: Sendable, Equatable {
    /// What knows a version.
    public enum Source: Sendable {
        /// The list of this program.
        case program
        /// A signature that a person gave.
        case signature
        /// Metadata in the vault.
        case metadata
    }

    /// Of the runtime.
    public let version: UInt32
    /// What knows it.
    public let source: Source

    /// Both parts.
    public init(version: UInt32, source: Source) { (self.version, self.source) = (version, source) }

    /// `2003000 (built in)`.
    public var text: String {
        switch source {
        case .program: "\(version) (built in)"
        case .signature: "\(version) (signed before)"
        case .metadata: "\(version) (metadata in this vault)"
        }
    }
}

/// How a well-known call differs from what the runtimes give it.
public enum UnusualCall: Sendable, Equatable {
    /// The cards of a remark are the same whether its type or its bytes say how long it is.
    case remarkWithoutLength
    /// More fields than the runtimes give it.
    case fields(pallet: ExactText, call: ExactText, count: Int, most: Int)
    /// A field, counted from 1, of another name or shape.
    case field(pallet: ExactText, call: ExactText, number: Int)

    fileprivate var line: String {
        switch self {
        case .remarkWithoutLength:
            "System.remark has no length before its bytes, and the known runtimes give it one"
        case .fields(let pallet, let call, let count, let most):
            "\(pallet).\(call) has \(count) fields, and the known runtimes give it at most \(most)"
        case .field(let pallet, let call, let number):
            """
            \(pallet).\(call) has a field, number \(number), that the known runtimes give another name or \
            shape
            """
        }
    }
}

/// Why a transaction asks for a second look.
public enum Warning: String, Sendable, CaseIterable {
    /// All that an account holds may go.
    case movesEverything = "moves-everything"
    /// The chain's own code or state changes.
    case changesRuntime = "changes-runtime"
    /// Other keys act for the account.
    case replacesKeys = "replaces-keys"
    /// Somebody else may act for the account.
    case givesProxy = "gives-proxy"
    /// Something of the account gets another owner.
    case givesOwnership = "gives-ownership"
    /// Who could act for the account no longer can.
    case removesAccess = "removes-access"
    /// Rewards go to another account.
    case redirectsRewards = "redirects-rewards"
    /// The call runs with rights that the signer does not have.
    case superuser = "superuser"
    /// A contract or an XCM program runs.
    case runsProgram = "runs-program"
    /// A call stands behind a hash or in bytes.
    case hiddenCall = "hidden-call"
    /// The runtime has an extension that nothing here explains.
    case unknownExtension = "unknown-extension"

    /// The card's line, or its start where the card shows what it warns of.
    public var line: String {
        switch self {
        case .movesEverything: "moves everything that can be moved"
        case .changesRuntime: "changes the code or the state of a chain"
        case .replacesKeys: "replaces keys or who controls an account"
        case .givesProxy: "lets another account act on behalf of this one"
        case .givesOwnership: "gives ownership or control away"
        case .removesAccess: "takes away who can act on behalf of an account"
        case .redirectsRewards: "changes to whom rewards are paid"
        case .superuser: "acts with the rights of another origin"
        case .runsProgram: "runs a program whose effect the cards do not tell"
        case .hiddenCall: "contains a call that cannot be shown, only its hash or its bytes"
        case .unknownExtension: "carries an unknown extension"
        }
    }
}

/// Warnings of a review.
public enum ReviewWarning: String, Sendable, CaseIterable {
    /// Nobody here signs.
    case unknownAuthor = "unknown_author"
    /// The person did not allow the key on this network.
    case keyNotForNetwork = "key_not_for_network"
    /// The vault holds metadata of a newer version.
    case olderRuntime = "older_runtime"
    /// Neither the vault nor the built-in list knows the network.
    case networkOnlyProved = "network_only_proved"
    /// The seed is here and its key is not derived yet.
    case keyNotDerived = "key_not_derived"
    /// A person gave a phrase for this review, and the vault keeps nothing of it.
    case keyNotStored = "key_not_stored"
    /// The built-in list knows the network and the vault does not.
    case listedNetworkOnlyProved = "listed_network_only_proved"
    /// A sender chose a name that means another chain.
    case knownNameOnUnknownChain = "known_name_on_unknown_chain"
    /// The chain could have checked the metadata. This review believes its signer instead.
    case metadataBelieved = "metadata_believed"
    /// Nobody signed the metadata.
    case unsignedMetadata = "unsigned_metadata"
    /// A destination begins and ends as an account does that is known.
    case lookAlike = "look_alike"
    /// Much more than ever before to an account that was paid.
    case paymentFarAbove = "payment_far_above"
    /// This key signed another transaction with the nonce.
    case nonceReused = "nonce_reused"
    /// This key signed a higher nonce, or the same.
    case nonceBelowHighest = "nonce_below_highest"
    /// The transaction waits for many that were not signed here.
    case nonceFarAhead = "nonce_far_ahead"
    /// A day has not passed since the same call.
    case callRepeated = "call_repeated"
    /// The log has a signature of these bytes.
    case signedBefore = "signed_before"
    /// Its blocks have passed, by the clock of the vault.
    case eraExpired = "era_expired"
    /// A group collects shares for longer than the transaction lives.
    case shortEraForGroup = "short_era_for_group"
    /// Only the proof says that the network has this runtime version.
    case runtimeVersionUnknown = "runtime_version_unknown"
    /// A well-known call has more fields than the runtimes give it, or one of another name or shape.
    case unusualCall = "unusual_call"
    /// The tip is more than all amounts of the calls together.
    case tipAboveAmounts = "tip_above_amounts"
    /// The message is not a text that a person reads, so nothing says what it allows.
    case unreadableMessage = "unreadable_message"
    /// The policy warns of keys of this age.
    case keyIsOld = "key_is_old"
    /// The policy warns where the words of a seed were not checked for so long.
    case wordsUnchecked = "words_unchecked"

    /// The card's line, or its start where the card names what it warns of.
    public var line: String {
        switch self {
        case .unknownAuthor: "The signer is not a key of this vault: shown only, not signed"
        case .keyNotForNetwork: "The signer's key is not allowed on this network: shown only, not signed"
        case .olderRuntime: "The transaction is for an older runtime than the newest in this vault"
        case .keyNotDerived: "The key is new to this vault: signing derives it and allows it on this network"
        case .keyNotStored:
            "The key is not stored in this vault: nothing here knows on which networks it signs"
        case .networkOnlyProved: "The network is known only from this transaction's own metadata proof"
        case .listedNetworkOnlyProved:
            "The network is not in this vault: the transaction's metadata proof agrees with the built-in list"
        case .knownNameOnUnknownChain:
            "The name is that of a well-known chain, or looks like it, and this is another chain"
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
        case .tipAboveAmounts: "The tip is more than all amounts together, and goes to a block's author"
        case .unreadableMessage:
            "The message is no readable text: a chain may act on it, and nothing here says how"
        case .keyIsOld: "The key is as old as your policy warns of"
        case .wordsUnchecked:
            "The words of the key's seed were not checked for as long as your policy warns of"
        }
    }
}

/// A warning beside an update that can be accepted.
public enum UpdateWarning: Sendable, Equatable {
    /// The update is unsigned.
    case unsigned
    /// The signer becomes the general verifier: every later update of a general network must come from it.
    case generalVerifierAppears(PublicKey)
    /// The network gets a verifier of its own, which is not the general one.
    case customVerifierAppears(PublicKey)
    /// The network's verifier becomes the general one.
    case verifierBecomesGeneral
    /// Data is removed because its verifier changed; one card for each item.
    case purged(Purged)
    /// Another chain, with another genesis hash, has the same name.
    case nameOfAnotherChain(ExactText)
    /// The chain is not in the built-in list, but has the name of a listed chain or one that looks like it.
    case knownNameOnUnknownChain
    /// The update brings nothing but another verifier.
    case onlyVerifierChanges
    /// With the newest version that the vault holds.
    case newerThanNewest(UInt32)
    /// With the newest version that the vault holds.
    case olderThanNewest(UInt32)
    /// Transactions cannot be read with this metadata.
    case extensionsIncomplete
    /// Types serve every network with old metadata.
    case typesForEveryNetwork
    /// The vault has other types, which go.
    case replacesTypes
    /// Amounts of an asset print in another unit from now on.
    case assetUnitChanges(before: AssetUnits.Entry, after: AssetUnits.Entry)

    /// What is removed.
    public enum Purged: Sendable, Equatable {
        /// One version of a network.
        case metadata(RuntimeVersion, hash: Hash32)
        /// The units of a network.
        case assetList(network: ExactText)
        /// Specs for one scheme.
        case network(name: ExactText, scheme: SignatureScheme, genesis: GenesisHash)
        /// The types for old metadata.
        case types
    }

    /// What programs read.
    public var code: String {
        switch self {
        case .unsigned: "update-unsigned"
        case .generalVerifierAppears: "general-verifier-appears"
        case .customVerifierAppears: "custom-verifier-appears"
        case .verifierBecomesGeneral: "verifier-becomes-general"
        case .purged: "purged"
        case .nameOfAnotherChain: "name-of-another-chain"
        case .knownNameOnUnknownChain: "known-name-on-unknown-chain"
        case .onlyVerifierChanges: "only-verifier-changes"
        case .newerThanNewest: "metadata-newer-than-newest"
        case .olderThanNewest: "metadata-older-than-newest"
        case .extensionsIncomplete: "metadata-extensions-incomplete"
        case .typesForEveryNetwork: "types-for-every-network"
        case .replacesTypes: "types-replaced"
        case .assetUnitChanges: "asset-unit-changes"
        }
    }

    /// The card's line.
    public var line: String {
        switch self {
        case .unsigned: "unsigned"
        case .generalVerifierAppears(let key):
            """
            \(key.scheme.name) \(Hex.encode(key.bytes)) becomes the general verifier, for every network \
            without its own verifier
            """
        case .customVerifierAppears(let key):
            "the network gets its own verifier: \(key.scheme.name) \(Hex.encode(key.bytes))"
        case .verifierBecomesGeneral: "the network changes from its own verifier to the general verifier"
        case .purged(let purged):
            switch purged {
            case .metadata(let version, _):
                "removed: its verifier changed: metadata \(version.specName) \(version.specVersion)"
            case .assetList(let network): "removed: its verifier changed: asset list \(network.text)"
            case .network(let name, let scheme, _):
                "removed: its verifier changed: network \(name.text) \(scheme.name)"
            case .types: "removed: its verifier changed: types"
            }
        case .nameOfAnotherChain(let name): "another chain is also named \(name.text)"
        case .knownNameOnUnknownChain:
            "the name is that of a well-known chain, or looks like it, and this is another chain"
        case .onlyVerifierChanges: "the data is already in this vault; only its verifier changes"
        case .newerThanNewest(let newest): "newer than the newest metadata in this vault (\(newest))"
        case .olderThanNewest(let newest): "older than the newest metadata in this vault (\(newest))"
        case .extensionsIncomplete:
            """
            transactions cannot be read with this metadata: its extensions do not name the chain and the \
            version
            """
        case .typesForEveryNetwork:
            "types change how transactions of every network with metadata of version 13 or older are read"
        case .replacesTypes: "the types in this vault are replaced"
        case .assetUnitChanges(let before, let after):
            """
            asset \([after.pallet, after.id].compactMap { $0 }.joined(separator: " ")) was \(before.symbol) \
            \(before.decimals) and becomes \(after.symbol) \(after.decimals)
            """
        }
    }
}

/// How the chain checks the metadata that a transaction was read with (RFC-0078).
///
/// A chain that checks the hash puts its own in place of the one that was signed. A signature over another
/// hash is void there, so whoever signs under ``passed`` need not believe anybody about the metadata.
public enum MetadataHashCheck: Sendable, Equatable {
    /// The signed bytes end with `01` and a hash, and the hash was computed here from what the cards were
    /// read with.
    case passed
    /// The signed bytes end with `01` and a hash, but it cannot be compared: the digest is defined over
    /// metadata version 15, and the cards were read with this version.
    case notCompared(version: UInt8)
    /// The runtime could check the hash, and the transaction turns that off.
    case disabled
    /// The metadata lists no extension CheckMetadataHash.
    case unsupported

    /// For programs.
    public var word: String {
        switch self {
        case .passed: "passed"
        case .notCompared: "not_compared"
        case .disabled: "disabled"
        case .unsupported: "unsupported"
        }
    }
}
