import CQREncode
import Glibc

extension QRCode {
    /// One code in byte mode through libqrencode, which chooses the mask.
    static func encode(
        _ bytes: [UInt8], _ errorCorrection: ErrorCorrection, _ minimumVersion: Int
    ) throws(Failure) -> (version: Int, modules: [Bool]) {
        guard let code = QRcode_encodeData(Int32(bytes.count), bytes, Int32(minimumVersion), errorCorrection.level) else {
            throw errno == ERANGE
                ? .tooLong(bytes: bytes.count, capacity: errorCorrection.capacity) : .library(errno: errno)
        }
        defer { QRcode_free(code) }
        let side = Int(code.pointee.width)
        let cells = UnsafeBufferPointer(start: code.pointee.data, count: side * side)
        // The lowest bit is the colour; the others say what the module is for.
        return (Int(code.pointee.version), cells.map { $0 & 1 == 1 })
    }
}

extension QRCode.ErrorCorrection {
    fileprivate var level: QRecLevel {
        switch self {
        case .low: QR_ECLEVEL_L
        case .medium: QR_ECLEVEL_M
        case .quartile: QR_ECLEVEL_Q
        case .high: QR_ECLEVEL_H
        }
    }
}
