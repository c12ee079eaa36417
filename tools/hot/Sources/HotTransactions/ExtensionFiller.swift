import Diagnostics
import Metadata
import SCALE
import SubstratePrimitives

/// What a transaction says besides its call.
public struct TransactionValues: Sendable {
    public var era: Era
    /// The block that the era counts from; the genesis hash for an immortal era.
    public var blockHash: Hash32
    public var nonce: UInt64
    /// Planck.
    public var tip: UInt128
    public var specVersion: UInt32
    public var transactionVersion: UInt32
    public var genesisHash: GenesisHash
    /// Commits to the hash of the metadata; nil leaves that to the chain.
    public var metadataHash: Hash32?
    /// Values of extensions that no other field explains, by identifier.
    public var others: [String: ExtensionDescription] = [:]

    public init(
        era: Era, blockHash: Hash32, nonce: UInt64, tip: UInt128, specVersion: UInt32,
        transactionVersion: UInt32, genesisHash: GenesisHash,
        metadataHash: Hash32? = nil, others: [String: ExtensionDescription] = [:]
    ) {
        self.era = era
        self.blockHash = blockHash
        self.nonce = nonce
        self.tip = tip
        self.specVersion = specVersion
        self.transactionVersion = transactionVersion
        self.genesisHash = genesisHash
        self.metadataHash = metadataHash
        self.others = others
    }
}

/// Both parts of one extension, described by names.
public struct ExtensionDescription: Sendable {
    public var explicit: JSONValue?
    public var implicit: JSONValue?

    public init(explicit: JSONValue? = nil, implicit: JSONValue? = nil) {
        self.explicit = explicit
        self.implicit = implicit
    }

    /// A null is the value of an empty `Option`; a missing part has no value. nil for anything but an object
    /// of these two parts.
    public init?(_ value: JSONValue) {
        guard case .object(let parts) = value, parts.keys.allSatisfy(["explicit", "implicit"].contains) else {
            return nil
        }
        self.init(explicit: parts["explicit"], implicit: parts["implicit"])
    }
}

/// Fills the extensions that a runtime's metadata lists, in its order.
public struct ExtensionFiller {
    public enum Failure: Error, Equatable, Sendable {
        /// The identifier of an extension that this program does not know and that needs a value.
        case valueNeeded(String)
        /// A value is given for an extension that the runtime does not have.
        case unknownExtension(String)
        /// The runtime has no CheckMetadataHash extension.
        case noMetadataHash
        /// The metadata hash does not end the signed bytes, so no signer accepts a proof; the identifier of
        /// the extension that follows it.
        case metadataHashNotAtEnd(after: String)
        case description(DescriptionError)
    }

    private let types: TypeView
    private let extensions: [TransactionExtension]
    private let prefix: UInt16

    public init(types: TypeView, extensions: [TransactionExtension], prefix: UInt16) {
        self.types = types
        self.extensions = extensions
        self.prefix = prefix
    }

    /// All explicit parts, and all implicit parts.
    public func bytes(_ values: TransactionValues) throws(Failure) -> (explicit: [UInt8], implicit: [UInt8]) {
        let names = extensions.map(\.identifier)
        if let stranger = values.others.keys.sorted().first(where: { !names.contains($0) }) {
            throw .unknownExtension(stranger)
        }
        if values.metadataHash != nil { try requireHashAtEnd() }
        var explicit: [UInt8] = []
        var implicit: [UInt8] = []
        for item in extensions {
            let role = role(of: item)
            let parts = values.others[item.identifier] ?? Self.description(role, values)
            explicit += try explicitBytes(item, role, parts, values)
            implicit += try encode(parts?.implicit, item.implicit, item, part: "implicit")
        }
        return (explicit, implicit)
    }

    /// Refuses a transaction that commits to its metadata unless the hash is at the end of the signed bytes.
    /// Everything before the end is read by types that the maker of a metadata proof chooses.
    /// - Returns: the identifier of the extension that checks the hash.
    @discardableResult
    public func requireHashAtEnd() throws(Failure) -> String {
        guard let index = extensions.firstIndex(where: { role(of: $0) == .metadataHash }) else {
            throw .noMetadataHash
        }
        if let behind = extensions[(index + 1)...].first(where: { !isVoid($0.implicit) }) {
            throw .metadataHashNotAtEnd(after: behind.identifier)
        }
        return extensions[index].identifier
    }

    private func role(of item: TransactionExtension) -> TransactionExtension.Role? {
        TransactionExtension.role(of: item, in: types.registry)
    }

    /// The era is encoded as itself: as an enumeration it has 256 variants.
    private func explicitBytes(
        _ item: TransactionExtension, _ role: TransactionExtension.Role?, _ parts: ExtensionDescription?,
        _ values: TransactionValues
    ) throws(Failure) -> [UInt8] {
        if role == .era, values.others[item.identifier] == nil {
            return SCALEWriter.encode { values.era.encode(into: &$0) }
        }
        return try encode(parts?.explicit, item.explicit, item, part: "explicit")
    }

    private func encode(
        _ value: JSONValue?, _ type: TypeReference, _ item: TransactionExtension, part: String
    ) throws(Failure) -> [UInt8] {
        if isVoid(type) { return [] }
        guard let value else { throw .valueNeeded(item.identifier) }
        do throws(DescriptionError) {
            return try DescriptionEncoder.encode(
                value, as: type, types: types, prefix: prefix, path: "\(item.identifier).\(part)")
        } catch {
            throw .description(error)
        }
    }

    private static func description(_ role: TransactionExtension.Role?, _ values: TransactionValues)
        -> ExtensionDescription?
    {
        switch role {
        case .specVersion: ExtensionDescription(implicit: .whole(Int(values.specVersion)))
        case .txVersion: ExtensionDescription(implicit: .whole(Int(values.transactionVersion)))
        case .genesis: ExtensionDescription(implicit: .text("0x" + values.genesisHash.hex))
        case .era: ExtensionDescription(implicit: .text("0x" + values.blockHash.hex))
        case .nonce: ExtensionDescription(explicit: .text("\(values.nonce)"))
        case .tip: ExtensionDescription(explicit: .text("\(values.tip)"))
        // The fee is paid in the native token.
        case .assetTip: ExtensionDescription(explicit: .list([.text("\(values.tip)"), .null]))
        case .metadataHash:
            ExtensionDescription(
                explicit: .text(values.metadataHash == nil ? "Disabled" : "Enabled"),
                implicit: values.metadataHash.map { .text("0x" + $0.hex) } ?? .null)
        case nil: nil
        }
    }

    /// Whether a value of the type takes no bytes.
    private func isVoid(_ type: TypeReference, depth: Int = 0) -> Bool {
        guard depth < ValueLimits.depth, let definition = try? types.definition(type) else { return false }
        return switch definition.shape {
        case .composite(let fields): fields.allSatisfy { isVoid($0.type, depth: depth + 1) }
        case .tuple(let elements): elements.allSatisfy { isVoid($0, depth: depth + 1) }
        case .array(let count, let element): count == 0 || isVoid(element, depth: depth + 1)
        default: false
        }
    }
}

extension ExtensionFiller.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .valueNeeded(let name):
            .usage(
                "extension-value",
                "the runtime's extension \(name) is unknown to this program and needs a value",
                hint: "--extension '\(name)={\"explicit\": …}'")
        case .unknownExtension(let name): .usage("unknown-extension", "the runtime has no extension \(name)")
        case .noMetadataHash:
            .refused(
                "no-metadata-hash",
                "this runtime does not check metadata hashes, so a metadata proof is of no use",
                hint: "--without-proof")
        case .metadataHashNotAtEnd(let name):
            .refused(
                "hash-not-at-end",
                "the signed bytes do not end with the metadata hash "
                    + "(\(name) follows it), so no signer accepts a proof",
                hint: "heliograph-hot make load-metadata NETWORK")
        case .description(let error): error.diagnostic
        }
    }

    public static var examples: [Self] {
        [
            .valueNeeded("CheckNonce"), .unknownExtension("CheckNonce"), .noMetadataHash,
            .metadataHashNotAtEnd(after: "CheckNonce"),
        ]
            + DescriptionError.examples.map { .description($0) }
    }
}
