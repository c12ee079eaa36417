/// The letters beyond ASCII that are printed as they are, and which of them look like ASCII.
///
/// Sources: the blocks of The Unicode Standard (Latin-1 Supplement, Latin Extended-A, Greek and Coptic,
/// Cyrillic, Hiragana, Katakana, CJK Unified Ideographs and Extension A, Hangul Syllables); for the
/// look-alikes UTS #39 "Unicode Security Mechanisms", section 4, and its `confusables.txt`, extended by
/// letters that resemble ASCII in the fonts of terminals (Cyrillic `п`, `ч`, Greek `ω`).
///
/// Left out on purpose: scripts written from right to left, which reorder what stands beside them (UAX #9);
/// scripts that need combining marks or joiners; letters whose mark is small or a stroke (`ø` is a slashed
/// zero in many fonts); ligatures of ASCII letters; and everything that is not a letter.
enum ReadableLetters {
    enum Script: Equatable { case latin, greek, cyrillic, eastAsian }

    enum Look: Equatable {
        /// A letter or digit of ASCII.
        case ascii
        /// It does not look like ASCII.
        case distinct(Script)
        /// It resembles a character of ASCII.
        case alike(Script)
    }

    /// nil for a scalar that is always escaped.
    static func look(of scalar: Unicode.Scalar) -> Look? {
        switch scalar.value {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: .ascii
        case 0xc0...0x17f: latin.contains(scalar) ? .distinct(.latin) : nil
        case 0x386...0x3ce:
            distinctGreek.contains(scalar)
                ? .distinct(.greek) : alikeGreek.contains(scalar) ? .alike(.greek) : nil
        case 0x401...0x491:
            distinctCyrillic.contains(scalar)
                ? .distinct(.cyrillic) : alikeCyrillic.contains(scalar) ? .alike(.cyrillic) : nil
        case 0x3001, 0x3002, 0x300c, 0x300d, 0x30fc: .alike(.eastAsian)
        case 0x3041...0x3096, 0x30a1...0x30fa, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xac00...0xd7a3:
            alikeEastAsian.contains(scalar) ? .alike(.eastAsian) : .distinct(.eastAsian)
        default: nil
        }
    }

    /// The script of a word whose look-alikes may be printed: one script throughout, no ASCII, and a letter
    /// that is not taken for ASCII.
    static func script(of word: Substring.UnicodeScalarView) -> Script? {
        var script: Script?
        var isDistinct = false
        for scalar in word {
            let own: Script
            switch look(of: scalar) {
            case nil, .ascii: return nil
            case .distinct(let some):
                own = some
                isDistinct = true
            case .alike(let some): own = some
            }
            guard script == nil || script == own else { return nil }
            script = own
        }
        return isDistinct ? script : nil
    }

    private static let latin = letters(
        """
        ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝß àáâãäåçèéêëìíîïñòóôõöùúûüýÿ \
        ĀāĂăĆćĈĉĊċČčĒēĔĕĖėĚěĜĝĞğĠġĤĥĴĵŃńŇňŌōŎŏŐőŔŕŘřŚśŜŝŠšŪūŬŭŮůŰűŴŵŶŷŸŹźŻżŽž ĄąĘęŁł
        """)
    private static let distinctGreek = letters("ΓΔΛΞΠΦΨΩ ζλξπφψ")
    private static let alikeGreek = letters("ΑΒΕΖΗΘΙΚΜΝΟΡΣΤΥΧ αβγδεηθικμνορςστυχω ΆΈΉΊΌΎΏ άέήίόύώ ϊϋΐΰ")
    private static let distinctCyrillic = letters("ДЖИЙЛПФЦШЩЭЯ джийлфцщэя")
    private static let alikeCyrillic = letters(
        "АБВГЕЗКМНОРСТУХЧЪЫЬЮ абвгезкмнопрстухчшъыьюЁё ЂЃЄЅІЇЈЉЊЋЌЎЏ ђѓєѕіїјљњћќўџ Ґґ")
    /// Strokes, boxes and hooks that pass for `-`, `=`, `+`, `|`, `/`, `\`, `<`, `L`, `I`, `O`, `T`.
    private static let alikeEastAsian = letters("一二三丨丶丿亅乙十工口囗卜八人入力丁了 ニロエトハノメヘヽフレイエ へくしりつっん")

    /// Written composed: each letter of the tables is one scalar.
    private static func letters(_ text: String) -> Set<Unicode.Scalar> {
        Set(text.unicodeScalars).subtracting([" "])
    }
}
