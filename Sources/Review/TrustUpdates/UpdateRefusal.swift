import Accounts
import Cards
import Diagnostics
import Hashing
import Review
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
    /// The vault already has exactly this, from the same verifier.
    case alreadyKnown
    /// A chain keeps its name and prefix; a chain and scheme keep decimals and unit.
    case nameChanges(known: String, given: String)
    case prefixChanges(known: UInt16, given: UInt16)
    case decimalsChange(known: UInt8, given: UInt8)
    case unitChanges(known: String, given: String)
    /// An account cannot be written with a prefix above 16383.
    case prefixTooLarge(UInt16)
    /// SS58 reserves this prefix: no reader accepts an address with it.
    case prefixReserved(UInt16)
    /// A field of the specs that a person must be able to read is empty.
    case emptyField(String)
    /// The unit has no letter, and would read as part of the number before it.
    case unitWithoutLetter(String)
    /// The default derivation path leads to the first key of another, listed chain.
    case pathOfListedChain(path: String, chain: String)
    /// A value of the update differs from the built-in list, and no verifier that this vault trusts for the
    /// chain signed it.
    case listedChainDiffers(ListedDifference)
    case metadataOfAnotherNetwork(specs: String, metadata: String)
    case metadataPrefixDiffers(specs: UInt16, metadata: UInt16)
    case sameVersionOtherBytes(version: UInt32, known: Hash32, given: Hash32)
    /// The vault has a list with a higher serial number.
    case olderAssetList(known: UInt32, given: UInt32)
    /// The list gives an asset the unit of the chain's own token: an amount of it would read as one of that.
    case assetHasOwnUnit(id: String, pallet: String, symbol: String)

    /// The cards do not determine the bytes that the signature covers: the input itself is bad.
    case notOnCards(CardGap)
}

extension UpdateRefusal: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .wrongSignature(let key):
            .badInput(
                "wrong-signature",
                "the update is not signed by 0x\(Hex.encode(key.bytes)): its signature is invalid",
                hint: "take the update again from whoever signed it")
        case .mustBeSignedBy(let keys): VerifierPolicy.Refusal.mustBeSignedBy(keys).diagnostic
        case .specsFirst: VerifierPolicy.Refusal.specsFirst.diagnostic
        case .unknownNetwork(let genesis): ReviewError.unknown(genesis, hint: ReviewError.specsHint)
        case .revokedNetwork(let genesis):
            .refused(
                "network-blocked",
                "the network with genesis hash 0x\(genesis.hex) is blocked because its verifier was revoked",
                hint: ReviewError.resetHint)
        case .alreadyKnown:
            .refused(
                "already-known", "already in this vault", hint: "heliograph status shows what this vault has")
        case .nameChanges(let known, let given):
            .refused(
                "name-changes", "the network name would change from \(known) to \(given)",
                hint: "heliograph network remove \(Hints.quoted(known)), "
                    + "if the chain really has another name now")
        case .prefixChanges(let known, let given):
            .refused(
                "prefix-changes", "the address prefix would change from \(known) to \(given)",
                hint: Self.removeNetwork)
        case .decimalsChange(let known, let given):
            .refused(
                "decimals-change", "the token decimals would change from \(known) to \(given)",
                hint: Self.removeNetwork)
        case .unitChanges(let known, let given):
            .refused(
                "unit-changes", "the token unit would change from \(known) to \(given)",
                hint: Self.removeNetwork)
        case .prefixTooLarge(let prefix):
            .refused(
                "prefix-too-large", "address prefix \(prefix) does not exist",
                hint: Self.correctSpecs)
        case .prefixReserved(let prefix):
            .refused(
                "prefix-reserved", "address prefix \(prefix) is reserved",
                hint: Self.correctSpecs)
        case .emptyField(let field):
            .refused(
                "empty-field", "the network specs have an empty \(field)",
                hint: Self.correctSpecs)
        case .unitWithoutLetter(let unit):
            .refused(
                "unit-without-letter", "the network specs have the unit \"\(unit)\", which has no letter",
                hint: Self.correctSpecs)
        case .pathOfListedChain(let path, let chain):
            .refused(
                "path-of-listed-chain",
                "the derivation path \"\(path)\" leads to the first key of \(chain), which is another chain",
                hint: Self.correctSpecs)
        case .listedChainDiffers(let difference):
            .refused(
                "listed-chain-differs", "the specs give \(difference.sentence)", hint: ReviewError.listHint)
        case .metadataOfAnotherNetwork(let specs, let metadata):
            .refused(
                "metadata-of-another-network", "the metadata is for \(metadata), but the network is \(specs)",
                hint: "make the update again for \(specs)")
        case .metadataPrefixDiffers(let specs, let metadata):
            .refused(
                "metadata-prefix-differs",
                "the metadata has address prefix \(metadata), but the network has \(specs)",
                hint: "make the update again from the network's own metadata")
        case .sameVersionOtherBytes(let version, _, _):
            .refused(
                "same-version-other-bytes",
                "different metadata of version \(version) is already in this vault",
                hint: "heliograph metadata remove NETWORK \(version), if the one in this vault is wrong")
        case .olderAssetList(let known, let given):
            .refused(
                "older-asset-list",
                "the asset list has number \(given), and number \(known) is already in this vault")
        case .assetHasOwnUnit(let id, let pallet, let symbol):
            .refused(
                "asset-has-own-unit",
                "the asset list gives asset \(id) of \(pallet) the symbol \"\(symbol)\", "
                    + "which is the unit of the chain's own token",
                hint: "correct the list on the online machine, and make the update again")
        case .notOnCards(let gap): .badInput("not-on-cards", gap.sentence)
        }
    }

    private static let correctSpecs = "correct the specs on the online machine, and make the update again"
    private static let removeNetwork = "heliograph network remove NAME, if the chain really changed it"
    static let specsFirstHint =
        "scan network specs first: heliograph-hot make add-specs NETWORK, signed by the same key"
    /// The update that these keys publish; the other ways are on a page of their own.
    static func signers(_ keys: [PublicKey]) -> String {
        let isDefault = keys.contains(VerifierPolicy.defaultKey)
        let published =
            isDefault
            ? "the one that is published at \(VerifierPolicy.defaultName)" : "one that this verifier signed"
        return "scan \(published); heliograph help updates lists the other ways"
    }

    public static var examples: [UpdateRefusal] {
        let key = VerifierPolicy.Refusal.exampleKey
        let hash = Hash32.blake2b(of: [1])
        return [
            .wrongSignature(key), .mustBeSignedBy([key]), .specsFirst(nil), .unknownNetwork(hash),
            .revokedNetwork(hash), .alreadyKnown,
            .nameChanges(known: "alpha", given: "beta"), .prefixChanges(known: 0, given: 2),
            .decimalsChange(known: 10, given: 12),
            .unitChanges(known: "DOT", given: "KSM"), .prefixTooLarge(20_000), .prefixReserved(46),
            .emptyField("unit"),
            .unitWithoutLetter("000"), .pathOfListedChain(path: "//polkadot", chain: "Polkadot"),
            .listedChainDiffers(
                ListedDifference(chain: "Polkadot Asset Hub", field: .decimals, listed: "10", proved: "12")),
            .metadataOfAnotherNetwork(specs: "alpha", metadata: "beta"),
            .metadataPrefixDiffers(specs: 0, metadata: 2),
            .sameVersionOtherBytes(version: 1000, known: hash, given: hash),
            .olderAssetList(known: 3, given: 2),
            .assetHasOwnUnit(id: "1985", pallet: "Assets", symbol: "DOT"),
            .notOnCards(.card("new_specs 1")),
        ]
    }
}
