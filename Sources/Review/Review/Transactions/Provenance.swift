import Cards
import Extrinsics
import History
import SubstratePrimitives
import TrustStore

/// Why the cards of a transaction can be believed.
///
/// Whoever owns the online machine chooses every byte of a payload, its proof included, so nothing in the
/// payload vouches for itself. Two things can: the chain, which puts its own metadata hash in place of the
/// signed one, and the key that signed stored metadata when it was accepted.
public enum Provenance: Sendable, Equatable {
    /// The chain refuses the signature if its own metadata reads the bytes otherwise, except for parts that
    /// the hash does not cover.
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

    /// The vault's own metadata, and who vouches for it.
    public struct StoredMetadata: Sendable, Equatable {
        /// Of the runtime.
        public let version: UInt32
        public let voucher: MetadataVoucher
        /// Never `MetadataHashCheck.passed`.
        public let check: MetadataHashCheck

        /// Whether the review warns of it, or only names whom it believes.
        ///
        /// A chain without CheckMetadataHash cannot check metadata, so a review there believes a verifier
        /// without a warning. Unsigned metadata is a warning on every chain: its maker may have chosen what
        /// the cards say.
        var warns: Bool {
            switch (voucher, check) {
            case (.nobody, _): true
            case (.verifier, .disabled), (.verifier, .notCompared), (.verifiers, .disabled),
                (.verifiers, .notCompared), (.file, .disabled),
                (.file, .notCompared):
                true
            case (.verifier, .unsupported), (.verifiers, .unsupported), (.file, .unsupported), (_, .passed):
                false
            }
        }
    }
}

extension Provenance {
    /// - Parameter voucher: for stored metadata; not looked at where the chain checks.
    init(_ decoded: DecodedTransaction, voucher: MetadataVoucher) {
        switch decoded.hashCheck {
        case .passed: self = .chain(beyond: Unreached.allCases.filter { $0.isPart(of: decoded.summary) })
        case .notCompared, .disabled, .unsupported:
            self = .stored(
                StoredMetadata(
                    version: decoded.runtimeVersion.specVersion, voucher: voucher, check: decoded.hashCheck))
        }
    }
}

extension Provenance.Unreached {
    fileprivate func isPart(of summary: CallSummary) -> Bool {
        switch self {
        case .hiddenCalls: !summary.hiddenCalls.isEmpty
        case .foreignCalls: summary.hasForeignCalls
        case .assetUnits: summary.usesAssetUnits
        }
    }
}

extension TrustState {
    /// Who vouches for stored metadata of a network. Metadata is accepted only from the network's verifier,
    /// and is removed when the verifier changes.
    /// - Parameter format: of the metadata; up to 13 it is read with the types of all networks, for which the
    ///   general verifier vouches.
    func voucher(genesis: GenesisHash, format: UInt8) -> MetadataVoucher {
        let network = voucher(genesis: genesis)
        guard format < 14, types != nil, case .verifier(let key) = network else { return network }
        guard let general = generalVerifier else { return .nobody }
        return general == key ? network : .verifiers(key, types: general)
    }

    private func voucher(genesis: GenesisHash) -> MetadataVoucher {
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
