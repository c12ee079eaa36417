import Diagnostics
import Hashing
import SCALE

/// What names an asset in a call or an XCM message.
public enum AssetKey: Sendable, Hashable {
    /// An id of the pallet of that name in the runtime: decimal digits of an integer, else `0x` and the hex
    /// of the encoded id.
    case pallet(ExactText, id: ExactText)
    /// `0x` and the hex of the encoded location.
    case location(ExactText)

    /// The id as text.
    public var id: ExactText {
        switch self {
        case .pallet(_, let id), .location(let id): id
        }
    }

    /// Whether it is certainly not the chain's own token.
    ///
    /// Only an instance of FRAME's pallet-assets, which is called `Assets` or ends so, is known to have no
    /// number for that one. Other pallets have one (`Currencies`), and the own token has locations.
    public var isNeverOwnToken: Bool {
        switch self {
        case .pallet(let pallet, _): pallet.text.utf8Ends(with: "Assets")
        case .location: false
        }
    }
}

/// Symbols and decimals of a network's assets, as a verifier signs them. `Payloads.md` in `heliograph.docc`
/// has the layout byte by byte.
public struct AssetUnits: Sendable, Equatable {
    /// The symbol and the decimals of one asset.
    public struct Entry: Sendable, Equatable {
        /// The pallet that numbers the asset; nil for an asset that is named by its location.
        public let pallet: String?
        /// Decimal digits of an integer id, else `0x` and the lower-case hex of the encoded id or location.
        public let id: String
        /// With a letter in it, as every unit: ``NetworkSpecs/isUnit(_:)``.
        public let symbol: String
        /// 0…38: more digits than a u128 has would only mislead.
        public let decimals: UInt8

        public init(pallet: String?, id: String, symbol: String, decimals: UInt8) {
            self.pallet = pallet
            self.id = id
            self.symbol = symbol
            self.decimals = decimals
        }

        public static func == (one: Entry, other: Entry) -> Bool {
            one.pallet.utf8Equals(other.pallet) && one.id.utf8Equals(other.id)
                && one.symbol.utf8Equals(other.symbol)
                && one.decimals == other.decimals
        }

        /// Whether it gives another token the name of the chain's own one, in letters of either case. An
        /// entry that may be the chain's own token may have its name.
        public func passesForOwnToken(of specs: NetworkSpecs) -> Bool {
            func folded(_ text: String) -> [UInt8] {
                text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
            }
            let asset = pallet.map { AssetKey.pallet(ExactText($0), id: ExactText(id)) }
            return asset?.isNeverOwnToken == true && folded(symbol) == folded(specs.unit)
        }

        fileprivate var key: [UInt8] { Array((pallet ?? "").utf8) + [0] + Array(id.utf8) }

        fileprivate var isWellFormed: Bool {
            let isNumber =
                !id.isEmpty && id.utf8.allSatisfy { (48...57).contains($0) }
                && (id == "0" || id.utf8.first != UInt8(ascii: "0"))
            let isHex =
                id.utf8Starts(with: "0x") && id.utf8.count > 2
                && Hex.decode(id).map { "0x" + Hex.encode($0) }.utf8Equals(id)
            return (isNumber && pallet != nil || isHex) && pallet != ""
                && symbol.utf8.count <= AssetUnits.maximumText && NetworkSpecs.isUnit(symbol)
                && (pallet ?? "").utf8.count <= AssetUnits.maximumText && decimals <= 38
        }
    }

    /// Bytes of a symbol or of a pallet's name.
    public static let maximumText = 64
    /// The first bytes of the encoding, so that a signature over a list never fits anything else.
    static let tag = Array("heliograph-asset-list-1".utf8)

    public let genesisHash: GenesisHash
    /// Counts the lists of a network: an older list never replaces a newer one.
    public let serial: UInt32
    /// Ascending by pallet, then id, as UTF-8; no asset twice.
    public let entries: [Entry]

    /// nil when an entry is malformed or duplicate. The order of `entries` does not matter.
    public init?(genesisHash: GenesisHash, serial: UInt32, entries: [Entry]) {
        self.genesisHash = genesisHash
        self.serial = serial
        self.entries = entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        guard Self.isOrdered(self.entries) else { return nil }
    }

    private static func isOrdered(_ entries: [Entry]) -> Bool {
        entries.allSatisfy(\.isWellFormed)
            && zip(entries, entries.dropFirst()).allSatisfy { $0.key.lexicographicallyPrecedes($1.key) }
    }

    /// Why bytes or entries are not an asset list.
    public enum Failure: Error, Equatable, Sendable {
        case encoding(SCALEError)
        /// The bytes do not start as a list of this version does.
        case notAList
        /// An entry is malformed, out of order, or duplicate.
        case entries
    }

    public init(encoded: [UInt8]) throws(Failure) {
        guard encoded.starts(with: Self.tag) else { throw .notAList }
        var reader = SCALEReader(encoded, range: Self.tag.count..<encoded.count)
        do throws(SCALEError) {
            genesisHash = try reader.hash32()
            serial = try reader.integer()
            entries = try reader.vector(minimumElementSize: 4) { reader throws(SCALEError) in
                let pallet = try reader.option { reader throws(SCALEError) in try reader.string() }
                return Entry(
                    pallet: pallet, id: try reader.string(), symbol: try reader.string(),
                    decimals: try reader.u8())
            }
            try reader.finish()
        } catch {
            throw .encoding(error)
        }
        guard Self.isOrdered(entries) else { throw .entries }
    }

    public var encoded: [UInt8] {
        SCALEWriter.encode { writer in
            writer.raw(Self.tag)
            writer.raw(genesisHash.bytes)
            writer.integer(serial)
            writer.vector(entries) { writer, entry in
                writer.option(entry.pallet) { $0.string($1) }
                writer.string(entry.id)
                writer.string(entry.symbol)
                writer.u8(entry.decimals)
            }
        }
    }
}

extension AssetUnits.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .encoding(let error):
            .badInput(
                "bad-asset-list", "the asset list is invalid: \(error.sentence)", hint: Hints.scanAgain)
        case .notAList:
            .badInput("bad-asset-list", "the data is not an asset list", hint: Hints.scanAgain)
        case .entries:
            .badInput(
                "bad-asset-list",
                "the asset list is invalid: an entry is malformed, out of order or duplicate",
                hint: Hints.scanAgain)
        }
    }

    public static var examples: [Self] {
        [.encoding(SCALEError(.invalidUTF8, offset: 40)), .notAList, .entries]
    }
}
