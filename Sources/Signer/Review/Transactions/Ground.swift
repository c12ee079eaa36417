import Extrinsics
import SubstratePrimitives
import TrustStore

/// Why the cards of a transaction can be believed.
///
/// Whoever owns the online machine chooses every byte of a payload, its proof included, so nothing in the payload vouches for itself. Two things
/// can: the chain, which puts its own metadata hash in place of the signed one, and the key that signed stored metadata when it was accepted.
public enum Ground: Sendable, Equatable {
    /// The chain refuses the signature if its own metadata reads anything else, apart from what the hash does not reach.
    case chain(beyond: [Unreached])
    case stored(StoredMetadata)

    /// What cards show although no metadata hash covers it.
    public enum Unreached: String, Sendable, CaseIterable {
        /// A call of which only a hash or bytes are shown.
        case hiddenCalls = "hidden_calls"
        /// A call that another chain runs by its own types.
        case foreignCalls = "foreign_calls"
        /// Symbols and decimals from an asset list that a verifier signed.
        case assetUnits = "asset_units"
    }

    public struct StoredMetadata: Sendable, Equatable {
        /// Of the runtime.
        public let version: UInt32
        public let voucher: Voucher
        /// Never ``MetadataHashCheck/passed``.
        public let check: MetadataHashCheck

        /// What the review warns of; nil where it only names whom it believes.
        ///
        /// No chain without CheckMetadataHash can check anything, so that a verifier is believed there is no warning. Where nobody signed the
        /// metadata it is one everywhere: whoever made it may have made the cards say what they like.
        var warning: ReviewWarning? {
            switch (voucher, check) {
            case (.nobody, _): .unsignedMetadata
            case (.verifier, .disabled), (.verifier, .notCompared), (.file, .disabled), (.file, .notCompared): .metadataBelieved
            case (.verifier, .unsupported), (.file, .unsupported), (_, .passed): nil
            }
        }
    }

    /// Who says that stored metadata is the chain's.
    public enum Voucher: Sendable, Equatable {
        case verifier(PublicKey)
        /// It was accepted unsigned.
        case nobody
        /// No vault holds it: whoever named the file.
        case file
    }
}

extension Ground {
    /// - Parameter voucher: for stored metadata; not looked at where the chain checks.
    init(_ decoded: DecodedTransaction, voucher: Voucher) {
        switch decoded.hashCheck {
        case .passed: self = .chain(beyond: Unreached.allCases.filter { $0.isPart(of: decoded.summary) })
        case .notCompared, .disabled, .unsupported:
            self = .stored(
                StoredMetadata(version: decoded.runtimeVersion.specVersion, voucher: voucher, check: decoded.hashCheck))
        }
    }
}

extension MetadataHashCheck {
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

extension Ground.Unreached {
    fileprivate func isPart(of summary: CallSummary) -> Bool {
        switch self {
        case .hiddenCalls: !summary.hiddenCalls.isEmpty
        case .foreignCalls: summary.hasForeignCalls
        case .assetUnits: summary.usesAssetUnits
        }
    }
}

extension TrustState {
    /// Who vouches for the stored metadata of a network. Metadata is accepted from the network's verifier only, and goes when that one changes.
    func voucher(genesis: GenesisHash) -> Ground.Voucher {
        let key: PublicKey?
        switch verifiers[genesis] {
        case .general: key = generalVerifier
        case .custom(let custom): key = custom
        case .revoked: key = nil
        case nil: return .file
        }
        return key.map { .verifier($0) } ?? .nobody
    }
}
