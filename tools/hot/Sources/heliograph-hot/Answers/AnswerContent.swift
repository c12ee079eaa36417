import Hashing
import SCALE
import SubstratePrimitives
import UOS

/// An answer from the offline side.
enum AnswerContent: Equatable {
    /// Signatures, each as the scheme index of MultiSignature and 64 or 65 bytes: one for each transaction of the payload.
    case signatures([MultiSignature])
    /// A bare signature: the answer to a message.
    case messageSignature([UInt8])
    case derivations(ExportAddrs)

    struct MultiSignature: Equatable {
        let scheme: SignatureScheme
        let bytes: [UInt8]
    }

    /// - Parameter payload: the content of the codes, without frame headers.
    init(_ payload: [UInt8]) throws {
        if let text = String(validating: payload, as: UTF8.self), let bytes = Hex.decode(text) {
            if bytes.count == 64 || bytes.count == 65 && bytes[0] > 2 {
                self = .messageSignature(bytes)
                return
            }
            var reader = SCALEReader(bytes)
            do throws(SCALEError) {
                let signature = try Self.multiSignature(&reader)
                try reader.finish()
                self = .signatures([signature])
                return
            } catch {
                // 65 bytes may be a bare secp256k1 signature whose first byte looks like a scheme.
                guard bytes.count == 65 else { throw HotError.notAnAnswer }
                self = .messageSignature(bytes)
                return
            }
        }
        if let read = try? Payload(payload), case .importDerivations(let export) = read.content {
            self = .derivations(export)
            return
        }
        guard payload.first == PayloadCode.bulk.rawValue else { throw HotError.notAnAnswer }
        var reader = SCALEReader(payload, range: 1..<payload.count)
        do throws(SCALEError) {
            self = .signatures(
                try reader.vector(minimumElementSize: 65) { (inner) throws(SCALEError) in try Self.multiSignature(&inner) })
            try reader.finish()
        } catch {
            throw HotError.notAnAnswer
        }
    }

    private static func multiSignature(_ reader: inout SCALEReader) throws(SCALEError) -> MultiSignature {
        let offset = reader.offset
        let index = try reader.u8()
        guard index <= 2, let scheme = SignatureScheme(rawValue: index) else {
            throw SCALEError(.invalidDiscriminant(index), offset: offset)
        }
        return MultiSignature(scheme: scheme, bytes: try reader.bytes(count: scheme.signatureLength))
    }
}
