import Hashing
import Keys
import TestSupport
import Testing

/// Golden answers under fixtures/keys; their origin is in the README there.
func fixture<Case: Decodable>(_ name: String, _ type: Case.Type = Case.self) throws -> [Case] {
    let cases = try Checkout.json("fixtures/keys/\(name).json", as: [Case].self)
    try #require(!cases.isEmpty)
    return cases
}

extension String {
    /// The bytes of hexadecimal text in a fixture.
    var hex: [UInt8] { Hex.decode(self)! }
}

func secretBytes(_ bytes: [UInt8]) -> SecretBytes {
    var bytes = bytes
    return SecretBytes(wiping: &bytes)
}

/// A seed of bytes of a length that its kind has.
func seedSecret(_ kind: SeedSecret.Kind, _ bytes: [UInt8]) -> SeedSecret {
    SeedSecret(kind, secretBytes(bytes))!
}

/// The bytes of a secret, for comparison in tests.
func plain(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }
func plainText(_ secret: borrowing SecretBytes) -> String { String(decoding: plain(secret), as: UTF8.self) }
