import SubstratePrimitives

/// An update before a verifier signs it: what the verifier signs, and the payload around it.
public struct OutgoingUpdate: Sendable, Equatable {
    /// What the payload carries between key and signature.
    private enum Form: Sendable, Equatable {
        case plain(UpdatePayload.Content)
        case compressed(frame: [UInt8], length: UInt32, genesisHash: GenesisHash)
    }

    private let form: Form
    /// The bytes that a verifier signs: ``UpdatePayload/Content/signedBytes``.
    public let message: [UInt8]

    private init(_ content: UpdatePayload.Content) {
        form = .plain(content)
        message = content.signedBytes
    }

    private init(frame: [UInt8], length: UInt32, genesisHash: GenesisHash, message: [UInt8]) {
        form = .compressed(frame: frame, length: length, genesisHash: genesisHash)
        self.message = message
    }

    /// A network's specs, code c1.
    public static func addSpecs(_ specs: NetworkSpecs) -> OutgoingUpdate { OutgoingUpdate(.addSpecs(specs)) }

    /// - `blob`: the metadata as it starts with `meta`.
    public static func loadMetadata(_ blob: [UInt8], genesisHash: GenesisHash) -> OutgoingUpdate {
        OutgoingUpdate(.loadMetadata(blob: blob, genesisHash: genesisHash))
    }

    /// The same metadata in this project's compressed form. The verifier signs the same bytes.
    /// - `frame`: the zstd frame that stands for `blob`.
    public static func loadMetadata(_ blob: [UInt8], compressed frame: [UInt8], genesisHash: GenesisHash)
        -> OutgoingUpdate
    {
        guard let length = UInt32(exactly: blob.count) else { preconditionFailure("a length has 32 bits") }
        let content = UpdatePayload.Content.loadMetadata(blob: blob, genesisHash: genesisHash)
        return OutgoingUpdate(
            frame: frame, length: length, genesisHash: genesisHash, message: content.signedBytes)
    }

    /// - Parameter entries: the SCALE encoding of the type entries for metadata 13 and older.
    public static func loadTypes(encodedEntries entries: [UInt8]) -> OutgoingUpdate {
        OutgoingUpdate(.loadTypes(entries))
    }

    /// The units of a network's assets, code a1.
    public static func loadAssets(_ units: AssetUnits) -> OutgoingUpdate {
        OutgoingUpdate(.loadAssets(units.encoded))
    }

    /// The payload: with key and signature, or with scheme `ff` and neither of them.
    /// - Parameter signature: over ``message``; nil for an unsigned update.
    public func bytes(signature: UpdateSignature? = nil) -> [UInt8] {
        switch form {
        case .plain(let content):
            Payload.Content.update(UpdatePayload(content, signature: signature)).encoded()
        case .compressed(let frame, let length, let genesisHash):
            CompressedMetadata(frame: frame, length: length, genesisHash: genesisHash, signature: signature)
                .encoded()
        }
    }
}
