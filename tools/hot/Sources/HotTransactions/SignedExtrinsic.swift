import Diagnostics
import Extrinsics
import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// A transaction with its signature, as a chain takes it (extrinsic format 4).
///
/// compact length ‖ `84` ‖ address ‖ signature ‖ explicit extensions ‖ call
public enum SignedExtrinsic {
    public enum Failure: Error, Equatable, Sendable {
        /// The address type of the runtime is neither an account nor an enumeration with `Id`.
        case unknownAddressType(String)
    }

    private static let signedVersion4: UInt8 = 0x84

    /// - Parameters:
    ///   - signer: the account: 32 bytes, or 20 for Ethereum-style keys.
    ///   - signature: 64 or 65 bytes without a scheme.
    ///   - call: the bytes of the call.
    ///   - extensions: explicit, then implicit parts.
    /// - Throws: ``Failure``, or `ValueError` and `MetadataError` when the extensions do not match the
    ///   metadata.
    public static func bytes(
        signer: [UInt8], scheme: SignatureScheme, signature: [UInt8], call: [UInt8], extensions: [UInt8],
        metadata: RuntimeMetadata
    ) throws -> [UInt8] {
        let types = TypeView(metadata.registry)
        let explicit = extensions.prefix(try explicitLength(extensions, metadata, types))
        let head = try address(signer, metadata, types) + multiSignature(signature, scheme)
        return SCALEWriter.encode { $0.byteVector([signedVersion4] + head + explicit + call) }
    }

    /// What stands behind the signature: the explicit extensions and the call. All of it is signed.
    /// - Parameters:
    ///   - call: the bytes of the call.
    ///   - extensions: explicit, then implicit parts.
    public static func tail(call: [UInt8], extensions: [UInt8], metadata: RuntimeMetadata) throws -> [UInt8] {
        extensions.prefix(try explicitLength(extensions, metadata, TypeView(metadata.registry))) + call
    }

    /// The hash that a chain knows the extrinsic by: BLAKE2b-256 of all its bytes.
    public static func hash(_ extrinsic: [UInt8]) -> Hash32 { .blake2b(of: extrinsic) }

    /// The account of a key: itself, BLAKE2b-256 of an ecdsa key, or the 20 bytes that an Ethereum-style
    /// payload carries.
    public static func account(_ payloadKey: [UInt8], scheme: SignatureScheme) -> [UInt8] {
        scheme == .ecdsa ? BLAKE2b.hash(payloadKey) : payloadKey
    }

    private static func explicitLength(
        _ extensions: [UInt8], _ metadata: RuntimeMetadata, _ types: TypeView
    ) throws(ValueError) -> Int {
        var decoder = ValueDecoder(types: types, reader: SCALEReader(extensions))
        for item in metadata.extrinsic.extensions { _ = try decoder.value(item.explicit) }
        return decoder.reader.offset
    }

    private static func address(_ account: [UInt8], _ metadata: RuntimeMetadata, _ types: TypeView) throws
        -> [UInt8]
    {
        // Runtimes whose metadata does not state the type are from when all took a MultiAddress.
        guard let type = metadata.extrinsic.address else { return [0] + account }
        let definition = try types.definition(type)
        let variants: [Variant] =
            if case .id(let id) = type { try metadata.registry.variants(of: id) } else { [] }
        if let own = variants.first(where: { $0.name == "Id" }) { return [own.index] + account }
        switch definition.shape {
        case .composite, .array: return account
        default: throw Failure.unknownAddressType(definition.ident)
        }
    }

    /// The scheme's index, except for Ethereum-style chains, whose signature type is the 65 bytes alone.
    private static func multiSignature(_ signature: [UInt8], _ scheme: SignatureScheme) -> [UInt8] {
        scheme == .ethereum ? signature : [scheme.rawValue] + signature
    }
}

extension SignedExtrinsic.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .unknownAddressType(let name):
            .refused("unknown-address-type", "the runtime uses the unknown address type \(name)")
        }
    }

    public static var examples: [Self] { [.unknownAddressType("H256Address")] }
}
