/// Phrases that BIP-85 derives from a seed: each is a wallet of its own, and the seed gives it again.
///
/// Source: BIP-85, "Specification" and "BIP39". Nothing about the seed, and about other children, follows
/// from a child: all steps are hardened, and what is taken is an HMAC of the last node's key.
public enum ChildPhrase {
    /// Numbers of words that children have here. The standard has 15 and 21, too, and no known wallet.
    public static let wordCounts = [12, 18, 24]
    /// The largest index.
    public static let maximumIndex: UInt32 = (1 << 31) - 1

    /// `m/83696968'/39'/0'/WORDS'/INDEX'`: children of English words.
    /// - Returns: nil for another number of words, or a larger index.
    public static func path(words: Int, index: UInt32) -> HDPath? {
        guard wordCounts.contains(words), index <= maximumIndex else { return nil }
        let numbers = [83_696_968, 39, 0, UInt32(words), index]
        return HDPath(.bip32, numbers.compactMap { HDPath.Step($0, isHardened: true) })
    }

    /// The entropy of a child: 16, 24 or 32 bytes.
    /// - Parameters:
    ///   - seed: of a phrase, as without a BIP-39 passphrase; or a master secret.
    ///   - words: of the child.
    ///   - index: 0…``maximumIndex``.
    public static func entropy(of seed: borrowing SeedSecret, words: Int, index: UInt32) throws(KeyError)
        -> SecretBytes
    {
        guard let path = path(words: words, index: index) else { throw .mnemonic(.wordCount(words)) }
        switch seed.kind {
        case .phrase:
            let mnemonic: Mnemonic
            do throws(MnemonicError) { mnemonic = try Mnemonic(entropy: seed.bytes.copy()) } catch {
                throw .mnemonic(error)
            }
            return try entropy(of: HDSeed(mnemonic, passphrase: SecretBytes()), path, count: words / 3 * 4)
        case .master: return try entropy(of: HDSeed(master: seed.bytes), path, count: words / 3 * 4)
        }
    }

    private static func entropy(of seed: borrowing HDSeed, _ path: HDPath, count: Int) throws(KeyError)
        -> SecretBytes
    {
        try withSecretScratch(HDNode.length) { node throws(KeyError) in
            try HDNode.derive(seed, path, into: node)
            return entropy(ofKey: node).slice(0..<count)
        }
    }

    /// HMAC-SHA512(key: `bip-entropy-from-k`, message: k), 64 bytes.
    /// - Parameter key: 32 bytes.
    static func entropy(ofKey key: UnsafePointer<UInt8>) -> SecretBytes {
        let out = SecretBytes(count: 64)
        let name: StaticString = "bip-entropy-from-k"
        out.withUnsafeMutableBytes { out in
            HMAC.sha512(
                UnsafeRawBufferPointer(start: key, count: 32),
                key: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount),
                into: out.bindMemory(to: UInt8.self).baseAddress!)
        }
        return out
    }
}
