import SubstratePrimitives

/// The second byte after `53`: what a payload asks for.
///
/// Source: Polkadot Vault, "Universal Offline Signatures" document; codes a1 and a2 are this project's own, described in `fixtures/README.md`.
public enum PayloadCode: UInt8, Sendable, CaseIterable {
    case transactionMortal = 0x00
    case transactionHash = 0x01
    case transaction = 0x02
    case message = 0x03
    case bulk = 0x04
    case derivedTransaction = 0x05
    case transactionWithProof = 0x06
    case derivedTransactionWithProof = 0x07
    case anyNetworkMessage = 0x08
    case loadMetadata = 0x80
    case loadTypes = 0x81
    case loadAssets = 0xa1
    case loadMetadataCompressed = 0xa2
    case addSpecs = 0xc1
    case importDerivations = 0xde
    case derivationsRequest = 0xdf

    /// The stable word of `payload.kind` in JSON.
    public var kind: String {
        switch self {
        case .transactionMortal, .transaction: "transaction"
        case .transactionHash: "transaction_hash"
        case .message: "message"
        case .bulk: "bulk"
        case .derivedTransaction: "derived_transaction"
        case .transactionWithProof: "transaction_with_proof"
        case .derivedTransactionWithProof: "derived_transaction_with_proof"
        case .anyNetworkMessage: "any_network_message"
        case .loadMetadata: "load_metadata"
        case .loadTypes: "load_types"
        case .loadAssets: "load_assets"
        case .loadMetadataCompressed: "load_metadata_compressed"
        case .addSpecs: "add_specs"
        case .importDerivations: "import_derivations"
        case .derivationsRequest: "derivations_request"
        }
    }
}

/// The three bytes that open a payload: `53`, scheme, code.
public struct Prelude: Sendable, Equatable {
    public static let length = 3
    public static let firstByte: UInt8 = 0x53
    /// The scheme byte of updates that nobody signed and of payloads that need no key.
    public static let noScheme: UInt8 = 0xff

    /// nil for `ff`.
    public let scheme: SignatureScheme?
    public let code: PayloadCode

    public init(scheme: SignatureScheme?, code: PayloadCode) {
        self.scheme = scheme
        self.code = code
    }

    public init(_ payload: some Collection<UInt8>) throws(PayloadError) {
        let head = Array(payload.prefix(Self.length))
        guard head.count == Self.length else { throw .tooShort(bytes: head.count) }
        guard head[0] == Self.firstByte else { throw .notAPayload(firstByte: head[0]) }
        guard let code = PayloadCode(rawValue: head[2]) else { throw .unknownCode(head[2]) }
        if head[1] == Self.noScheme {
            scheme = nil
        } else {
            guard let scheme = SignatureScheme(rawValue: head[1]) else { throw .unknownScheme(head[1]) }
            self.scheme = scheme
        }
        self.code = code
    }

    public var bytes: [UInt8] { [Self.firstByte, scheme?.rawValue ?? Self.noScheme, code.rawValue] }
}
