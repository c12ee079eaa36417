import SCALE
import SubstratePrimitives

/// Who is asked to sign.
public enum SignerReference: Sendable, Hashable {
    /// A public key of scheme ed25519, sr25519 or ecdsa.
    case key(PublicKey)
    /// 20 bytes: the last 20 of the Keccak-256 of the uncompressed key.
    case ethereum(address: [UInt8])
    /// A key derived from an sr25519 root: the payload carries the root's public key and the path.
    case derived(root: PublicKey, path: String, scheme: SignatureScheme)

    public static func == (one: SignerReference, other: SignerReference) -> Bool {
        switch (one, other) {
        case (.key(let one), .key(let other)): one == other
        case (.ethereum(let one), .ethereum(let other)): one == other
        case (.derived(let one, let path, let scheme), .derived(let other, let otherPath, let otherScheme)):
            one == other && path.utf8Equals(otherPath) && scheme == otherScheme
        case (.key, _), (.ethereum, _), (.derived, _): false
        }
    }
}

/// Codes 00, 02, 05, 06 and 07: a call with its extensions, for one signer and one network.
public struct TransactionPayload: Sendable, Equatable {
    /// The key that is asked to sign.
    public let signer: SignerReference
    /// With a metadata proof (06, 07) the proof stands at the start of ``body``.
    public let hasProof: Bool
    /// Everything between the signer and the genesis hash: [proof ‖] compact length ‖ call ‖ explicit ‖
    /// implicit extensions.
    public let body: [UInt8]
    /// The network that the transaction is for.
    public let genesisHash: GenesisHash

    /// - `proof`: the SCALE encoding of a metadata proof.
    /// - `extensions`: all explicit parts, then all implicit parts.
    public init(
        signer: SignerReference, proof: [UInt8]? = nil, call: [UInt8], extensions: [UInt8],
        genesisHash: GenesisHash
    ) {
        self.signer = signer
        hasProof = proof != nil
        body = SCALEWriter.encode { writer in
            writer.raw(proof ?? [])
            writer.raw(Self.body(call: call, extensions: extensions))
        }
        self.genesisHash = genesisHash
    }

    /// ``body`` without a proof: compact length ‖ call ‖ explicit ‖ implicit extensions.
    public static func body(call: [UInt8], extensions: [UInt8]) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.byteVector(call)
            writer.raw(extensions)
        }
    }

    init(_ prelude: Prelude, _ source: SCALEReader) throws(PayloadError) {
        hasProof = prelude.code == .transactionWithProof || prelude.code == .derivedTransactionWithProof
        let isDerived = prelude.code == .derivedTransaction || prelude.code == .derivedTransactionWithProof
        var reader = source
        do {
            signer =
                isDerived
                ? try SignerReference(derived: prelude, &reader)
                : try SignerReference(plain: prelude, &reader)
            let split = reader.remaining - 32
            guard split >= 0 else { throw reader.error(.truncated(needed: 32, available: reader.remaining)) }
            // What announces more than there is was cut, whatever network it is for.
            if !hasProof {
                var call = SCALEReader(reader.bytes, range: reader.offset..<(reader.offset + split))
                _ = try call.range(count: try call.count())
            }
            body = try reader.bytes(count: split)
            genesisHash = try reader.hash32()
        } catch let error as SCALEError {
            throw .malformed(place: "transaction", error)
        } catch let error as PayloadError {
            throw error
        } catch {
            fatalError("a reader throws its own errors only")
        }
    }
}

extension SignerReference {
    init(plain prelude: Prelude, _ reader: inout SCALEReader) throws {
        guard let scheme = prelude.scheme else { throw PayloadError.schemeMissing(prelude.code) }
        let bytes = try reader.bytes(count: scheme.payloadKeyLength)
        self =
            scheme == .ethereum ? .ethereum(address: bytes) : .key(PublicKey(scheme: scheme, bytes: bytes)!)
    }

    init(derived prelude: Prelude, _ reader: inout SCALEReader) throws {
        guard let scheme = prelude.scheme else { throw PayloadError.schemeMissing(prelude.code) }
        let root = PublicKey(scheme: .sr25519, bytes: try reader.bytes(count: 32))!
        self = .derived(root: root, path: try reader.string(), scheme: scheme)
    }
}

/// Codes 03 and 08: text or bytes between `<Bytes>` and `</Bytes>`.
public struct MessagePayload: Sendable, Equatable {
    /// What a message that is signed starts with, so that it is never a transaction.
    public static let openingTag = Array("<Bytes>".utf8)
    /// What a message that is signed ends with.
    public static let closingTag = Array("</Bytes>".utf8)

    /// The key that is asked to sign.
    public let signer: SignerReference
    /// What is signed: the message with its tags, never hashed.
    public let tagged: [UInt8]
    /// nil for a message to any network (08).
    public let genesisHash: GenesisHash?

    /// The message without its tags.
    public var content: ArraySlice<UInt8> {
        tagged[Self.openingTag.count..<(tagged.count - Self.closingTag.count)]
    }

    /// - `genesisHash`: nil for a message to any network.
    public init(signer: SignerReference, content: some Sequence<UInt8>, genesisHash: GenesisHash?) {
        self.signer = signer
        tagged = Self.openingTag + content + Self.closingTag
        self.genesisHash = genesisHash
    }

    init(_ prelude: Prelude, _ source: SCALEReader) throws(PayloadError) {
        var reader = source
        do {
            signer = try SignerReference(plain: prelude, &reader)
            let tail = prelude.code == .message ? 32 : 0
            guard reader.remaining >= tail else {
                throw reader.error(.truncated(needed: tail, available: reader.remaining))
            }
            tagged = try reader.bytes(count: reader.remaining - tail)
            genesisHash = tail == 0 ? nil : try reader.hash32()
        } catch let error as SCALEError {
            throw .malformed(place: "message", error)
        } catch let error as PayloadError {
            throw error
        } catch {
            fatalError("a reader throws its own errors only")
        }
        let tags = Self.openingTag.count + Self.closingTag.count
        guard tagged.count >= tags, tagged.starts(with: Self.openingTag),
            tagged.suffix(Self.closingTag.count).elementsEqual(Self.closingTag)
        else { throw .messageWithoutTags }
    }
}
