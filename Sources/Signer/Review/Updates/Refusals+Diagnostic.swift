import Diagnostics
import Hashing
import SubstratePrimitives

extension UpdateRefusal: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case wrongSignature = "wrong-signature"
        case mustBeSignedBy = "must-be-signed-by"
        case specsFirst = "specs-first"
        case unknownNetwork = "unknown-network"
        case networkBlocked = "network-blocked"
        case alreadyKnown = "already-known"
        case nameChanges = "name-changes"
        case prefixChanges = "prefix-changes"
        case decimalsChange = "decimals-change"
        case unitChanges = "unit-changes"
        case prefixTooLarge = "prefix-too-large"
        case prefixReserved = "prefix-reserved"
        case emptyField = "empty-field"
        case unitWithoutLetter = "unit-without-letter"
        case pathOfListedChain = "path-of-listed-chain"
        case listedChainDiffers = "listed-chain-differs"
        case metadataOfAnotherNetwork = "metadata-of-another-network"
        case metadataPrefixDiffers = "metadata-prefix-differs"
        case sameVersionOtherBytes = "same-version-other-bytes"
        case olderAssetList = "older-asset-list"
        case notOnCards = "not-on-cards"
    }

    public var code: Code {
        switch self {
        case .wrongSignature: .wrongSignature
        case .mustBeSignedBy: .mustBeSignedBy
        case .specsFirst: .specsFirst
        case .unknownNetwork: .unknownNetwork
        case .revokedNetwork: .networkBlocked
        case .alreadyKnown: .alreadyKnown
        case .nameChanges: .nameChanges
        case .prefixChanges: .prefixChanges
        case .decimalsChange: .decimalsChange
        case .unitChanges: .unitChanges
        case .prefixTooLarge: .prefixTooLarge
        case .prefixReserved: .prefixReserved
        case .emptyField: .emptyField
        case .unitWithoutLetter: .unitWithoutLetter
        case .pathOfListedChain: .pathOfListedChain
        case .listedChainDiffers: .listedChainDiffers
        case .metadataOfAnotherNetwork: .metadataOfAnotherNetwork
        case .metadataPrefixDiffers: .metadataPrefixDiffers
        case .sameVersionOtherBytes: .sameVersionOtherBytes
        case .olderAssetList: .olderAssetList
        case .notOnCards: .notOnCards
        }
    }

    public var sentence: String {
        switch self {
        case .wrongSignature(let key): "the update is not signed by 0x\(Hex.encode(key.bytes)): its signature is invalid"
        case .mustBeSignedBy(let keys): VerifierPolicy.Refusal.mustBeSignedBy(keys).sentence
        case .specsFirst: VerifierPolicy.Refusal.specsFirst.sentence
        case .unknownNetwork(let genesis): "the network with genesis hash 0x\(genesis.hex) is not in this vault"
        case .revokedNetwork(let genesis): "the network with genesis hash 0x\(genesis.hex) is blocked because its verifier was revoked"
        case .alreadyKnown: "already in this vault"
        case .nameChanges(let known, let given): "the network name would change from \(known) to \(given)"
        case .prefixChanges(let known, let given): "the address prefix would change from \(known) to \(given)"
        case .decimalsChange(let known, let given): "the token decimals would change from \(known) to \(given)"
        case .unitChanges(let known, let given): "the token unit would change from \(known) to \(given)"
        case .prefixTooLarge(let prefix): "address prefix \(prefix) does not exist"
        case .prefixReserved(let prefix): "address prefix \(prefix) is reserved"
        case .emptyField(let field): "the network specs have an empty \(field)"
        case .unitWithoutLetter(let unit): "the network specs have the unit \"\(unit)\", which has no letter"
        case .pathOfListedChain(let path, let chain):
            "the derivation path \"\(path)\" leads to the first key of \(chain), which is another chain"
        case .listedChainDiffers(let difference): "the specs give \(difference.sentence)"
        case .metadataOfAnotherNetwork(let specs, let metadata): "the metadata is for \(metadata), but the network is \(specs)"
        case .metadataPrefixDiffers(let specs, let metadata): "the metadata has address prefix \(metadata), but the network has \(specs)"
        case .sameVersionOtherBytes(let version, _, _): "different metadata of version \(version) is already in this vault"
        case .olderAssetList(let known, let given): "the asset list has number \(given), and number \(known) is already in this vault"
        case .notOnCards(let gap): gap.sentence
        }
    }

    public static var examples: [UpdateRefusal] {
        let key = VerifierPolicy.Refusal.exampleKey
        let hash = Hash32.blake2b(of: [1])
        return [
            .wrongSignature(key), .mustBeSignedBy([key]), .specsFirst(nil), .unknownNetwork(hash), .revokedNetwork(hash), .alreadyKnown,
            .nameChanges(known: "alpha", given: "beta"), .prefixChanges(known: 0, given: 2), .decimalsChange(known: 10, given: 12),
            .unitChanges(known: "DOT", given: "KSM"), .prefixTooLarge(20_000), .prefixReserved(46), .emptyField("unit"),
            .unitWithoutLetter("000"), .pathOfListedChain(path: "//polkadot", chain: "Polkadot"),
            .listedChainDiffers(ListedDifference(chain: "Polkadot Asset Hub", field: .decimals, listed: "10", proved: "12")),
            .metadataOfAnotherNetwork(specs: "alpha", metadata: "beta"), .metadataPrefixDiffers(specs: 0, metadata: 2),
            .sameVersionOtherBytes(version: 1000, known: hash, given: hash), .olderAssetList(known: 3, given: 2),
            .notOnCards(.card("new_specs 1")),
        ]
    }
}

extension VerifierPolicy.Refusal: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case mustBeSignedBy = "must-be-signed-by"
        case specsFirst = "specs-first"
        case unknownNetwork = "unknown-network"
        case networkBlocked = "network-blocked"
    }

    public var code: Code {
        switch self {
        case .mustBeSignedBy: .mustBeSignedBy
        case .specsFirst: .specsFirst
        case .unknownNetwork: .unknownNetwork
        case .revoked: .networkBlocked
        }
    }

    public var sentence: String {
        switch self {
        case .mustBeSignedBy(let keys):
            "the update must be signed by \(keys.map { "0x" + Hex.encode($0.bytes) }.joined(separator: " or "))"
        case .specsFirst: "the update changes the network's verifier: network specs signed by the same key must come first"
        case .unknownNetwork: "the network is not in this vault"
        case .revoked: "the network is blocked because its verifier was revoked"
        }
    }

    fileprivate static let exampleKey = TrustSetup.defaultVerifier

    public static var examples: [Self] { [.mustBeSignedBy([exampleKey]), .specsFirst, .unknownNetwork, .revoked] }
}

extension TrustSetup.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case unknownNetwork = "unknown-network"
        case alreadyRevoked = "already-revoked"
        case alreadyKnown = "already-known"
        case networkBlocked = "network-blocked"
        case notListed = "not-listed"
        case ambiguousNetwork = "ambiguous-network"
        case generalNetwork = "general-network"
        case noMetadataVersion = "no-metadata-version"
        case noTypes = "no-types"
    }

    public var code: Code {
        switch self {
        case .unknownNetwork: .unknownNetwork
        case .revokedNetwork: .alreadyRevoked
        case .knownNetwork: .alreadyKnown
        case .blockedNetwork: .networkBlocked
        case .notListed: .notListed
        case .ambiguousListed: .ambiguousNetwork
        case .generalNetwork: .generalNetwork
        case .unknownMetadata: .noMetadataVersion
        case .noTypes: .noTypes
        }
    }

    public var sentence: String {
        switch self {
        case .unknownNetwork(let genesis): "the network with genesis hash 0x\(genesis.hex) is not in this vault"
        case .revokedNetwork(let genesis): "the network with genesis hash 0x\(genesis.hex) is already revoked"
        case .knownNetwork(let name): "network \(name) is already in this vault"
        case .blockedNetwork(let genesis):
            "the network with genesis hash 0x\(genesis.hex) is blocked because its verifier was revoked"
        case .notListed(let text): "the built-in list has no chain named \(text)"
        case .ambiguousListed(let text, let chains): "the built-in list has \(chains.count) chains named \(text)"
        case .generalNetwork: "the network uses the general verifier, so it cannot be revoked alone"
        case .unknownMetadata(_, let version): "metadata of version \(version) is not in this vault"
        case .noTypes: "there are no types in this vault"
        }
    }

    public static var examples: [Self] {
        let hash = Hash32.blake2b(of: [1])
        return [
            .unknownNetwork(hash), .revokedNetwork(hash), .knownNetwork("statemint"), .blockedNetwork(hash), .notListed("statemit"),
            .ambiguousListed("robonomics", WellKnownChain.chains(named: "robonomics").map(\.genesisHash)), .generalNetwork(hash),
            .unknownMetadata(hash, version: 1000), .noTypes,
        ]
    }
}

extension Attestation.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable { case notHeld = "not-held" }

    public var code: Code { .notHeld }

    public var sentence: String {
        switch self {
        case .notHeld(.specs): "these network specs are not in this vault"
        case .notHeld(.metadata(_, let version)): "metadata of version \(version) of this network is not in this vault"
        case .notHeld(.types): "there are no types in this vault"
        case .notHeld(.assets): "an asset list of this network is not in this vault"
        }
    }

    public static var examples: [Self] {
        let hash = Hash32.blake2b(of: [1])
        return [.notHeld(.specs(hash, .sr25519)), .notHeld(.metadata(hash, version: 1000)), .notHeld(.types), .notHeld(.assets(hash))]
    }
}
