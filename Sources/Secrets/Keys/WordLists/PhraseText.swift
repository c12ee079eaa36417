/// The text of a phrase in the form in which BIP-39 compares and hashes words: NFKD, in lower case, with plain
/// spaces.
///
/// A phrase is secret, so it is decomposed in guarded memory, and by the rules that the words of the ten
/// lists need: accents of Latin letters, marks of kana, Korean syllables, full-width letters. A text that
/// NFKD would change otherwise has no word of any list in it, and none is found in it here.
enum PhraseText {
    /// Small letters with a mark, the same letters without it, and the mark. The capital stands 32 places
    /// before each.
    private static let latin: [(letters: String, bases: String, mark: UInt32)] = [
        ("\u{e1}\u{e9}\u{ed}\u{f3}\u{fa}\u{fd}", "aeiouy", 0x301),
        ("\u{e0}\u{e8}\u{ec}\u{f2}\u{f9}", "aeiou", 0x300),
        ("\u{e2}\u{ea}\u{ee}\u{f4}\u{fb}", "aeiou", 0x302),
        ("\u{e3}\u{f1}\u{f5}", "ano", 0x303),
        ("\u{e4}\u{eb}\u{ef}\u{f6}\u{fc}", "aeiou", 0x308),
        ("\u{e7}", "c", 0x327),
    ]

    private static let composed: [(scalar: UInt32, base: UInt32, mark: UInt32)] = latin.flatMap { row in
        zip(row.letters.unicodeScalars, row.bases.unicodeScalars).map { ($0.value, $1.value, row.mark) }
    }

    /// The phrase in NFKD; what is no UTF-8 stays as it is, and is no word.
    static func normalized(_ phrase: borrowing SecretBytes) -> SecretBytes {
        // A Korean syllable of three bytes becomes three jamo of three bytes each.
        let out = SecretBytes(count: 3 * phrase.count + 8)
        let length = out.withUnsafeMutableBytes { out in
            phrase.withUnsafeBytes { normalize($0, into: out) }
        }
        return out.slice(0..<length)
    }

    private static func normalize(
        _ text: UnsafeRawBufferPointer, into out: UnsafeMutableRawBufferPointer
    ) -> Int {
        var length = 0
        func append(_ scalar: UInt32) {
            guard let bytes = Unicode.Scalar(scalar).flatMap(UTF8.encode) else { return }
            for byte in bytes {
                out[length] = byte
                length += 1
            }
        }
        var decoder = UTF8()
        var bytes = text.makeIterator()
        while true {
            switch decoder.decode(&bytes) {
            case .scalarValue(let scalar): decomposed(scalar.value, append)
            // No list has it.
            case .error: append(0xfffd)
            case .emptyInput: return length
            }
        }
    }

    private static func decomposed(_ scalar: UInt32, _ append: (UInt32) -> Void) {
        switch scalar {
        case 0x41...0x5a: append(scalar + 0x20)
        // Blanks of other writing systems; Japanese phrases are written with the ideographic one.
        case 0xa0, 0x2000...0x200a, 0x202f, 0x205f, 0x3000: append(0x20)
        case 0xac00...0xd7a3:
            // Unicode 3.12, "Conjoining Jamo Behavior".
            let syllable = scalar - 0xac00
            append(0x1100 + syllable / 588)
            append(0x1161 + syllable % 588 / 28)
            if !syllable.isMultiple(of: 28) { append(0x11a7 + syllable % 28) }
        // Full-width forms of ASCII.
        case 0xff01...0xff5e: decomposed(scalar - 0xfee0, append)
        case let kana where isVoiced(kana):
            append(kana - 1)
            append(0x3099)
        case let kana where isHalfVoiced(kana):
            append(kana - 2)
            append(0x309a)
        case _:
            let small = (0xc0...0xde).contains(scalar) ? scalar + 0x20 : scalar
            guard let letter = composed.first(where: { $0.scalar == small }) else { return append(scalar) }
            append(letter.base)
            append(letter.mark)
        }
    }

    /// か to と have a voiced form behind each letter, where っ stands between; は to ほ have two forms.
    private static func isVoiced(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x304c...0x3062: scalar.isMultiple(of: 2)
        case 0x3065, 0x3067, 0x3069: true
        case 0x3070...0x307d: (scalar - 0x3070).isMultiple(of: 3)
        case _: false
        }
    }

    private static func isHalfVoiced(_ scalar: UInt32) -> Bool {
        (0x3071...0x307d).contains(scalar) && (scalar - 0x3071).isMultiple(of: 3)
    }
}
