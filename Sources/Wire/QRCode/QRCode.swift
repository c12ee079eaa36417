import Diagnostics

/// A QR code: bytes in byte mode or digits in numeric mode, as a square of dark and light modules.
///
/// Source: ISO/IEC 18004. The modules are drawn by libqrencode; see `QRCode_qrencode.swift`.
public struct QRCode: Sendable, Equatable {
    /// How much of a picture may be lost and still read: about 7, 15, 25 and 30 percent.
    public enum ErrorCorrection: String, Sendable, CaseIterable {
        case low = "L"
        case medium = "M"
        case quartile = "Q"
        case high = "H"

        /// The maximum bytes of one code of version 40 in byte mode (ISO/IEC 18004, table 7).
        public var capacity: Int {
            switch self {
            case .low: 2953
            case .medium: 2331
            case .quartile: 1663
            case .high: 1273
            }
        }
    }

    /// Why no code can be drawn.
    public enum Failure: Error, Equatable, Sendable {
        /// A code carries at least one byte: an empty one reads as no code at all.
        case empty
        case tooLong(bytes: Int, capacity: Int)
        /// The library refused; `errno` says why (`ENOMEM`).
        case library(errno: Int32)
    }

    /// 1…40: the size class of the code.
    public let version: Int
    /// `17 + 4 * version`, in modules, without the quiet zone.
    public let side: Int
    /// `side * side` modules in reading order; true is dark.
    public let modules: [Bool]

    /// The quiet zone that the standard asks for, in modules.
    public static let standardBorder = 4

    /// The smallest code of at least `minimumVersion` that holds `bytes`.
    public init(
        bytes: some Collection<UInt8>, errorCorrection: ErrorCorrection = .low, minimumVersion: Int = 1
    ) throws(Failure) {
        precondition((1...40).contains(minimumVersion), "QR versions are 1 to 40")
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= errorCorrection.capacity else {
            throw .tooLong(bytes: bytes.count, capacity: errorCorrection.capacity)
        }
        (version, modules) = try Self.encode(Array(bytes), errorCorrection, minimumVersion)
        side = 17 + 4 * version
    }

    /// Decimal digits in numeric mode, which takes a third of the modules of bytes, in the smallest code that
    /// holds them.
    /// - Parameter digits: ASCII digits, 1 to 7089.
    public init(digits: some Collection<UInt8>) throws(Failure) {
        precondition(digits.allSatisfy { (0x30...0x39).contains($0) }, "numeric mode holds decimal digits")
        guard !digits.isEmpty else { throw .empty }
        (version, modules) = try Self.encode(digits: Array(digits))
        side = 17 + 4 * version
    }

    /// Text as its UTF-8 bytes.
    public init(text: String, errorCorrection: ErrorCorrection = .low) throws(Failure) {
        try self.init(bytes: Array(text.utf8), errorCorrection: errorCorrection)
    }

    /// Codes of one size: every frame takes the version of the largest, so that an animation keeps its size.
    public static func frames(_ contents: [[UInt8]], errorCorrection: ErrorCorrection = .low) throws(Failure)
        -> [QRCode]
    {
        var version = 1
        if let longest = contents.max(by: { $0.count < $1.count }) {
            version = try QRCode(bytes: longest, errorCorrection: errorCorrection).version
        }
        var codes: [QRCode] = []
        codes.reserveCapacity(contents.count)
        for bytes in contents {
            codes.append(try QRCode(bytes: bytes, errorCorrection: errorCorrection, minimumVersion: version))
        }
        return codes
    }

    /// Whether the module at these coordinates is dark; false everywhere outside the code.
    func isDark(column: Int, row: Int) -> Bool {
        (0..<side).contains(column) && (0..<side).contains(row) && modules[row * side + column]
    }
}

extension QRCode.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .empty: .badInput("empty-payload", "the payload is empty, so there is nothing to draw")
        case .tooLong(let bytes, let capacity):
            .badInput(
                "payload-too-long",
                "the payload has \(Sentence.count(bytes, "byte")) and "
                    + "does not fit in one QR code, which holds \(capacity)")
        case .library(let number):
            .inputOutput("drawing-failed", "the QR code cannot be drawn: \(Sentence.systemError(number))")
        }
    }

    public static var examples: [Self] {
        [.empty, .tooLong(bytes: 3000, capacity: 2953), .library(errno: 12)]
    }
}

extension QRCode {
    /// Bytes that a code of a version holds at the lowest error correction (ISO/IEC 18004, table 7, byte
    /// mode).
    /// - Parameter version: 1…40
    public static func capacity(version: Int) -> Int { capacities[version - 1] }

    private static let capacities = [
        17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858, 929,
        1003, 1091, 1171, 1273, 1367,
        1465,
        1528, 1628, 1732, 1840, 1952, 2068, 2188, 2303, 2431, 2563, 2699, 2809, 2953,
    ]

    /// The smallest code that holds `bytes`, with as much error correction as it has room for.
    public static func smallest(_ bytes: some Collection<UInt8>) throws(Failure) -> QRCode {
        let code = try QRCode(bytes: bytes)
        for level in [ErrorCorrection.high, .quartile, .medium] where bytes.count <= level.capacity {
            let stronger = try QRCode(bytes: bytes, errorCorrection: level)
            if stronger.version == code.version { return stronger }
        }
        return code
    }
}
