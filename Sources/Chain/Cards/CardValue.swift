import Hashing
import SubstratePrimitives

extension Card {
    /// The card's line: text as the payload carries it, not yet escaped for a terminal.
    ///
    /// It is worked out each time, from ``content`` alone: a line that stood beside its facts could say
    /// another thing than they do.
    public var value: String {
        switch content {
        case .pallet(let name), .call(let name, _), .fieldName(let name, _), .identityField(let name, _),
            .extension(let name), .text(let name, _):
            name.text
        case .fieldNumber(let number, _): String(number)
        case .enumVariant(let variant): variant.line
        case .account(let account): account.address.text.text
        case .balance(let amount), .tip(let amount): amount.text.text
        case .number(let number): number.line
        case .bytes(let bytes, _), .message(.bytes(let bytes)): "0x" + Hex.encode(bytes)
        case .bits(let bits): bits.line
        case .bool(let flag): flag ? "true" : "false"
        case .none(.unit): "()"
        case .none(.list): "[]"
        case .none(.variant(let name)): name.text
        case .era(.immortal): "Immortal"
        case .era(.mortal(let era)): era.text
        case .nonce(let nonce): String(nonce)
        case .blockHash(let hash), .genesisHash(let hash), .types(let hash, _): hash.hex
        case .specVersion(let runtime, let shown): "\(shown?.text ?? runtime.specName) \(runtime.specVersion)"
        case .txVersion(let version): String(version)
        case .metadataHash(let hash): hash?.hex ?? "None"
        case .signer(let signer): signer.line
        case .warning(let warning): warning.line
        case .verifier(let key): key.map { "\($0.scheme.name) \(Hex.encode($0.bytes))" } ?? "none"
        case .metadata(let runtime, _, _): "\(runtime.specName) \(runtime.specVersion)"
        case .newSpecs(let specs): specs.line
        case .network(let name, let genesis): name?.text ?? genesis.hex
        case .derivation(let key): key.line
        case .message(.text(let text)): text.text
        case .notice(let notice, _): notice.line
        }
    }
}

extension Card.Variant {
    fileprivate var line: String {
        unusual.map { "\(name.text) (variant \($0.index) of \($0.path.text))" } ?? name.text
    }
}

extension Card.Number {
    fileprivate var line: String {
        switch self {
        case .integer(let digits): digits.text
        case .vote(let vote): vote.text
        case .fraction(let format, let magnitude, let isNegative):
            format.text(magnitude: magnitude, isNegative: isNegative)
        case .smallestUnits(let planck): planck.digits.text
        }
    }
}

extension Card.Bits {
    fileprivate var line: String {
        switch self {
        case .digits(let bits):
            String(decoding: Array("0b".utf8) + bits.map { UInt8(ascii: $0 ? "1" : "0") }, as: UTF8.self)
        case .names(let names): names.isEmpty ? "none" : names.map(\.text).joined(separator: ", ")
        }
    }
}

extension Card.Signer {
    /// The address; the seed and the path where the key is not derived, so that no address is known; of a
    /// payload of derivations the seed.
    fileprivate var line: String {
        switch role {
        case .key, .attesting, .stranger, .unstored: address?.text ?? ""
        case .underived: (seed?.text ?? "") + path.text
        case .root: seed?.text ?? address?.text ?? "not named"
        }
    }
}

extension NetworkSpecs {
    fileprivate var line: String {
        let words = [
            title, unit, "\(decimals) decimals", "prefix \(base58Prefix)", scheme.name, "path \(pathID)",
            "genesis \(genesisHash.hex)",
        ]
        return "\(name): \(words.joined(separator: ", "))"
    }
}

extension Card.Derivation {
    /// What stands in the place of the root key's path.
    public static let rootPath = "(root)"
    /// The same where the payload gives that path as an empty text.
    public static let emptyPath = "(root, as an empty path)"

    /// The path as a person reads it.
    public var shownPath: String {
        path == "" ? (isPathEmptyText ? Self.emptyPath : Self.rootPath) : path.text
    }

    fileprivate var line: String {
        let shownNetwork = isNameAmbiguous ? nil : network?.text
        let words = [shownPath, address?.text, shownNetwork ?? genesis.hex, scheme.name]
        return words.compactMap { $0 }.joined(separator: "  ") + ": " + status.words
    }
}

// MARK: Texts of values

/// An account as a person reads it: SS58 with the prefix of a network, EIP-55 for 20 bytes, hex for a length
/// that no address has.
public struct AccountAddress: Sendable, Hashable {
    /// What the address stands for.
    public let account: [UInt8]
    /// The address.
    public let text: ExactText

    /// - Parameters:
    ///   - account: 20 bytes, or a length that SS58 has; any other shows as hex.
    ///   - prefix: of the network.
    public init(_ account: [UInt8], prefix: UInt16) {
        self.account = account
        text = ExactText(
            EthereumAddress(bytes: account)?.text ?? SS58Address(prefix: prefix, account: account)?.text
                ?? "0x" + Hex.encode(account))
    }
}

/// A vote on a referendum in one byte. Source: paritytech/polkadot-sdk,
/// `substrate/frame/conviction-voting/src/vote.rs`.
public struct StandardVote: Sendable, Equatable {
    /// Aye in the highest bit; the rest counts the periods for which the tokens stay.
    public let byte: UInt8

    /// nil for a byte that is not a vote: the lowest seven bits count at most six lock periods.
    public init?(_ byte: UInt8) {
        guard byte & 0x7f <= 6 else { return nil }
        self.byte = byte
    }

    /// nil for a text that no vote has.
    public init?(text: String) {
        guard let vote = Self.votes[ExactText(text)] else { return nil }
        self = vote
    }

    /// As a person reads it.
    public var text: String {
        let periods = byte & 0x7f
        return (byte & 0x80 != 0 ? "aye" : "nay") + (periods == 0 ? ", not locked" : ", locked \(periods)x")
    }

    private static let votes = Dictionary(
        uniqueKeysWithValues: (UInt8.min...UInt8.max).compactMap(Self.init(_:)).map {
            (ExactText($0.text), $0)
        })
}
