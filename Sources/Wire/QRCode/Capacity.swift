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
