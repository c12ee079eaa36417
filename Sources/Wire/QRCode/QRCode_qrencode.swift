import CPNG
import CQREncode
import Diagnostics
import Glibc

extension QRCode {
    /// One code in byte mode through libqrencode, which chooses the mask.
    static func encode(
        _ bytes: [UInt8], _ errorCorrection: ErrorCorrection, _ minimumVersion: Int
    ) throws(Failure) -> (version: Int, modules: [Bool]) {
        guard
            let code = QRcode_encodeData(
                Int32(bytes.count), bytes, Int32(minimumVersion), errorCorrection.level)
        else {
            throw errno == ERANGE
                ? .tooLong(bytes: bytes.count, capacity: errorCorrection.capacity) : .library(errno: errno)
        }
        return take(code)
    }

    /// One code of low error correction in numeric mode.
    static func encode(digits: [UInt8]) throws(Failure) -> (version: Int, modules: [Bool]) {
        guard let input = QRinput_new2(0, QR_ECLEVEL_L) else { throw .library(errno: errno) }
        defer { QRinput_free(input) }
        guard QRinput_append(input, QR_MODE_NUM, Int32(digits.count), digits) == 0,
            let code = QRcode_encodeInput(input)
        else {
            throw errno == ERANGE
                ? .tooLong(bytes: digits.count, capacity: numericCapacity) : .library(errno: errno)
        }
        return take(code)
    }

    /// The digits of one code of version 40 (ISO/IEC 18004, table 7, level L).
    private static let numericCapacity = 7089

    /// Moves the modules out of the library's memory.
    private static func take(_ code: UnsafeMutablePointer<QRcode>) -> (version: Int, modules: [Bool]) {
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

extension QRCode {
    /// The libraries that draw QR codes and write PNG files.
    public static var libraries: [Release.Library] {
        [
            Release.Library("libqrencode", String(cString: QRcode_APIVersionString())),
            Release.Library("libpng", String(cString: png_get_libpng_ver(nil))),
        ]
    }
}
