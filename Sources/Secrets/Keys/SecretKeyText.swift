import Hashing
import SubstratePrimitives

/// A secret key as text: `0x` and the hex digits of 32 or 64 bytes. A QR code has `secret:` before them, or
/// `seed:`, and may have `:` and the digits of a genesis hash behind them.
///
/// Neither the text nor the bytes are ever in memory that is not wiped.
public struct SecretKeyText: ~Copyable {
    /// 32 bytes, or the scalar and nonce of an sr25519 key: 64.
    public let secret: SecretBytes
    /// The network that the text names.
    public let genesis: GenesisHash?

    private static let mark = Array("secret:".utf8)
    /// Other wallets' word for the same digits. A phrase behind it is no secret key: it is restored as a
    /// seed.
    private static let otherMark = Array("seed:".utf8)
    private static let hexMark = Array("0x".utf8)
    private static let separator = UInt8(ascii: ":")

    /// - Parameter text: blanks around it are left out.
    /// - Returns: nil for any other form.
    public init?(_ text: borrowing SecretBytes) {
        let (start, middle, end, tail) = text.withUnsafeBytes { bytes -> (Int, Int, Int, [UInt8]) in
            func isBlank(_ place: Int) -> Bool { bytes[place] <= 0x20 }
            var (start, end) = (0, bytes.count)
            while start < end, isBlank(start) { start += 1 }
            while end > start, isBlank(end - 1) { end -= 1 }
            for mark in [Self.mark, Self.otherMark] where bytes[start..<end].starts(with: mark) {
                start += mark.count
                break
            }
            let hasMark = bytes[start..<end].starts(with: Self.hexMark)
            start = hasMark ? start + Self.hexMark.count : end
            let middle = bytes[start..<end].firstIndex(of: Self.separator) ?? end
            // A genesis hash is no secret.
            return (start, middle, end, middle < end ? Array(bytes[(middle + 1)..<end]) : [])
        }
        guard middle - start == 64 || middle - start == 128 else { return nil }
        let secret = SecretBytes(count: (middle - start) / 2)
        let isHex = secret.withUnsafeMutableBytes { secret in
            text.withUnsafeBytes { bytes in
                secret.indices.allSatisfy { index in
                    guard let high = Hex.value(bytes[start + 2 * index]),
                        let low = Hex.value(bytes[start + 2 * index + 1])
                    else { return false }
                    secret[index] = high << 4 | low
                    return true
                }
            }
        }
        guard isHex else { return nil }
        if middle < end {
            let digits = tail.starts(with: Self.hexMark) ? Array(tail.dropFirst(2)) : tail
            guard let genesis = GenesisHash(hex: String(decoding: digits, as: UTF8.self)) else { return nil }
            self.genesis = genesis
        } else {
            genesis = nil
        }
        self.secret = secret
    }

    /// The text of a QR code.
    public static func code(_ secret: borrowing SecretBytes, genesis: GenesisHash) -> SecretBytes {
        let prefix = mark + hexMark
        let suffix = [separator] + Array(genesis.hex.utf8)
        return SecretBytes(count: prefix.count + 2 * secret.count + suffix.count) { out in
            out.copyBytes(from: prefix)
            secret.withUnsafeBytes { secret in
                for (index, byte) in secret.enumerated() {
                    out[prefix.count + 2 * index] = Hex.digit(byte >> 4)
                    out[prefix.count + 2 * index + 1] = Hex.digit(byte & 15)
                }
            }
            for (index, byte) in suffix.enumerated() { out[prefix.count + 2 * secret.count + index] = byte }
        }
    }
}
