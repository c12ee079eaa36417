import Extrinsics
import FixtureRuntime
import Hashing
import Keys
import SCALE
import SubstratePrimitives

/// A signed transaction as the practice chain reads it: extrinsic format 4.
///
/// compact length ‖ `84` ‖ `00` account ‖ scheme and signature ‖ explicit extensions ‖ call
struct PracticeExtrinsic {
    let bytes: [UInt8]
    let signer: Hash32
    let call: PracticeCall
    let era: Era
    let nonce: UInt64
    let tip: UInt128
    private let callBytes: [UInt8]
    private let hasMetadataHash: Bool
    private let scheme: SignatureScheme
    private let signature: [UInt8]

    /// - Throws: ``PracticeRefusal/malformedExtrinsic`` for bytes that this runtime does not read to the end.
    init(_ bytes: [UInt8]) throws(PracticeRefusal) {
        self.bytes = bytes
        do {
            var outer = SCALEReader(bytes)
            let body = try outer.byteVector()
            try outer.finish()
            var reader = SCALEReader(body)
            // Format 4, signed, by `MultiAddress::Id`.
            guard try reader.u8() == 0x84, try reader.u8() == 0 else {
                throw PracticeRefusal.malformedExtrinsic
            }
            signer = try reader.hash32()
            guard let scheme = SignatureScheme(rawValue: try reader.u8()), scheme != .ethereum else {
                throw PracticeRefusal.malformedExtrinsic
            }
            self.scheme = scheme
            signature = try reader.bytes(count: scheme.signatureLength)
            var (era, nonce, tip, hasHash) = (Era.immortal, UInt64(0), UInt128(0), false)
            for item in PracticeNetwork.runtime.extensions {
                switch item.role {
                case .mortality: era = try Era(from: &reader)
                case .nonce: nonce = try reader.compact()
                case .tip: tip = try reader.amount()
                case .metadataHash: hasHash = try reader.bool()
                case .fixed(let explicit, _): _ = try reader.bytes(count: explicit.count)
                case .empty, .specVersion, .transactionVersion, .genesisHash: break
                }
            }
            (self.era, self.nonce, self.tip, hasMetadataHash) = (era, nonce, tip, hasHash)
            callBytes = reader.rest()
            var calls = SCALEReader(callBytes)
            call = try PracticeCall(&calls, depth: 0)
            try calls.finish()
        } catch {
            throw .malformedExtrinsic
        }
    }

    /// Whether the signature covers this transaction on this chain.
    /// - Parameter birth: the hash of the block that the era starts at; the genesis hash without an era.
    func isSigned(birth: Hash32) -> Bool {
        let values = FixtureExtensionValues(
            era: era, blockHash: birth, nonce: nonce, tip: tip,
            metadataHash: hasMetadataHash ? PracticeNetwork.metadataHash : nil)
        let message = Extrinsics.signedMessage(
            of: PracticeNetwork.runtime.signingBytes(call: callBytes, values))
        if scheme == .ecdsa {
            // The account is a hash of the key, which the signature leads to.
            let key = Signature.recover(signature, message: message, scheme: .ecdsa)
            return key.map { BLAKE2b.hash($0.bytes) == signer.bytes } ?? false
        }
        return PublicKey(scheme: scheme, bytes: signer.bytes).map {
            Signature.verify(signature, message: message, key: $0)
        } ?? false
    }
}

extension SCALEReader {
    /// A compact number of at most 128 bits.
    mutating func amount() throws(SCALEError) -> UInt128 {
        let bytes = try compactLittleEndian()
        guard bytes.dropFirst(16).allSatisfy({ $0 == 0 }) else { throw error(.compactTooWide(bits: 128)) }
        return bytes.prefix(16).reversed().reduce(0) { $0 << 8 | UInt128($1) }
    }
}
