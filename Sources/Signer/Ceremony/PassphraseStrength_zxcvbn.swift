import CZxcvbn
import Glibc
import Keys
import Sandbox
import SystemIO

extension PassphraseStrength {
    /// Words that a list of common passwords does not have, and that everyone who attacks a vault of this
    /// program tries first.
    private static let likelyWords = ["heliograph", "polkadot", "kusama", "westend", "substrate", "parity"]

    /// Estimates the guesses that find a passphrase.
    ///
    /// zxcvbn keeps the passphrase, reversed and in parts, in memory that it frees without wiping it, and on
    /// its stack. A child does it, and the memory ends with the child.
    /// - Throws: ``CeremonyError/strengthUnknown`` where the child did not answer; `SandboxError` where none
    ///   can be started.
    public init(of passphrase: borrowing SecretBytes) throws {
        _ = Self.isPrepared
        let text = Self.singleBytes(passphrase)
        var bits = 0.0
        let (length, code) = try withUnsafeMutableBytes(of: &bits) { result in
            try text.withUnsafeBytes { text in
                try Sandbox.inChild(result: result) { descriptor in
                    let bits = Self.bits(text.bindMemory(to: CChar.self).baseAddress!)
                    return withUnsafeBytes(of: bits) { Descriptor.write(descriptor, $0) } ? 0 : 1
                }
            }
        }
        guard code == 0, length == MemoryLayout<Double>.size, bits.isFinite else {
            throw CeremonyError.strengthUnknown
        }
        self.init(bits: bits)
    }

    /// Makes each table, by an estimate of a text that is not a secret and has something of every kind. A
    /// child has one thread: where another one of the parent makes a table at the moment of the fork, the
    /// child would wait for it without end.
    private static let isPrepared = bits("Qwerty p@ss 13.1.1987 1371987 abcabc") > 0

    /// The lower of two estimates: of libzxcvbn, the C port, which counts every letter that it does not
    /// understand as a random one of 26 or 95, and of ``PassphraseGuesses``, which counts as the reference
    /// does.
    static func bits(_ text: UnsafePointer<CChar>) -> Double {
        var words: [UnsafePointer<CChar>?] = likelyWords.map { UnsafePointer(strdup($0)) }
        words.append(nil)
        // Both read the first letters only, so that no passphrase keeps the program busy: their work grows
        // faster than the length, and more letters only make more guesses.
        let count = strnlen(text, PassphraseGuesses.longest)
        let letters = UnsafeBufferPointer(start: text, count: count).map { UInt8(bitPattern: $0) }
        let start = letters.map { CChar(bitPattern: $0) } + [0]
        var guesses = PassphraseGuesses(ownWords: likelyWords.map { Array($0.utf8) })
        return min(ZxcvbnMatch(start, &words, nil), log2(guesses.count(letters)))
    }

    /// The passphrase with one byte for each letter, and a zero at its end.
    ///
    /// zxcvbn counts bytes. A letter that UTF-8 writes with several of them is one letter to whoever guesses,
    /// and its first byte tells nothing where all letters are of one alphabet. Of such a letter the low seven
    /// bits are left, so that equal letters stay equal.
    private static func singleBytes(_ passphrase: borrowing SecretBytes) -> SecretBytes {
        let text = SecretBytes(count: passphrase.count + 1)
        text.withUnsafeMutableBytes { out in
            passphrase.withUnsafeBytes { bytes in
                var length = 0
                for byte in bytes {
                    switch byte {
                    // What follows in a letter: it replaces what its first byte left.
                    case 0x80...0xbf where length > 0 && out[length - 1] >= 0x80:
                        out[length - 1] = 0x80 | byte & 0x3f
                    case 0x01...0x7f: out[length] = byte; length += 1
                    default: out[length] = 0x80 | byte & 0x7f; length += 1
                    }
                }
            }
        }
        return text
    }
}
