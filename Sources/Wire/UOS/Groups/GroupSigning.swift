import SCALE
import SubstratePrimitives

/// The nonce commitments of one signer, with its signature over the message b7 that carries them.
public struct GroupNonces: Sendable, Equatable {
    /// The member, 1…16.
    public let index: Int
    /// D, 32 bytes.
    public let hiding: [UInt8]
    /// E, 32 bytes.
    public let binding: [UInt8]
    /// 64 bytes by the member's host key over ``GroupCommitment/signedBytes``. Not verified here.
    public let signature: [UInt8]

    /// D and E have 32 bytes, the signature 64, over ``GroupCommitment/signedBytes``.
    public init(index: Int, hiding: [UInt8], binding: [UInt8], signature: [UInt8]) {
        self.index = index
        self.hiding = hiding
        self.binding = binding
        self.signature = signature
    }

    init(from reader: inout SCALEReader, index: Int) throws(SCALEError) {
        self.init(
            index: index, hiding: try reader.word(), binding: try reader.word(),
            signature: try reader.memberSignature())
    }

    /// D ‖ E ‖ signature.
    var bytes: [UInt8] { hiding + binding + signature }
}

/// Code b7: round one of one signer.
public struct GroupCommitment: Sendable, Equatable {
    static let length = 165

    /// The scheme of the group.
    public let scheme: SignatureScheme
    /// The request's id.
    public let request: Hash32
    /// Its commitments and its signature over this message.
    public let nonces: GroupNonces

    /// The message that carries these commitments.
    public init(scheme: SignatureScheme, request: Hash32, nonces: GroupNonces) {
        self.scheme = scheme
        self.request = request
        self.nonces = nonces
    }

    init(_ prelude: Prelude, _ body: SCALEReader) throws(PayloadError) {
        let scheme = try GroupFormat.scheme(of: prelude)
        self = try GroupFormat.reading(prelude, body, maximum: Self.length) { reader in
            GroupCommitment(
                scheme: scheme, request: try reader.hash32(),
                nonces: try GroupNonces(from: &reader, index: try reader.memberIndex()))
        }
    }

    /// Everything before the signature.
    public var signedBytes: [UInt8] {
        GroupFormat.bytes(scheme, .groupCommitment) { writer in
            writer.raw(request.bytes)
            writer.u8(UInt8(nonces.index))
            writer.raw(nonces.hiding + nonces.binding)
        }
    }

    /// The message as it is sent.
    public var bytes: [UInt8] { signedBytes + nonces.signature }
}

/// Code b9: round two of one signer. It repeats the signer's commitments, so that the last signer needs no
/// round one.
public struct GroupShare: Sendable, Equatable {
    static let length = 293

    /// The scheme of the group.
    public let scheme: SignatureScheme
    /// The request's id.
    public let request: Hash32
    /// The signer's commitments, with its signature over the message b7.
    public let nonces: GroupNonces
    /// The hash of the package that the share was made for.
    public let packageHash: Hash32
    /// z, a scalar of 32 bytes.
    public let share: [UInt8]
    /// 64 bytes by the member's host key over ``signedBytes``. Not verified here.
    public let signature: [UInt8]

    /// The share z has 32 bytes, the signature 64, over ``signedBytes``.
    public init(
        scheme: SignatureScheme, request: Hash32, nonces: GroupNonces, packageHash: Hash32, share: [UInt8],
        signature: [UInt8]
    ) {
        self.scheme = scheme
        self.request = request
        self.nonces = nonces
        self.packageHash = packageHash
        self.share = share
        self.signature = signature
    }

    init(_ prelude: Prelude, _ body: SCALEReader) throws(PayloadError) {
        let scheme = try GroupFormat.scheme(of: prelude)
        self = try GroupFormat.reading(prelude, body, maximum: Self.length) { reader in
            GroupShare(
                scheme: scheme, request: try reader.hash32(),
                nonces: try GroupNonces(from: &reader, index: try reader.memberIndex()),
                packageHash: try reader.hash32(), share: try reader.word(),
                signature: try reader.memberSignature())
        }
    }

    /// Everything before the signature.
    public var signedBytes: [UInt8] {
        GroupFormat.bytes(scheme, .groupShare) { writer in
            writer.raw(request.bytes)
            writer.u8(UInt8(nonces.index))
            writer.raw(nonces.bytes)
            writer.raw(packageHash.bytes)
            writer.raw(share)
        }
    }

    /// The message as it is sent.
    public var bytes: [UInt8] { signedBytes + signature }
    /// The message of round one that it repeats.
    public var commitment: GroupCommitment {
        GroupCommitment(scheme: scheme, request: request, nonces: nonces)
    }
}
