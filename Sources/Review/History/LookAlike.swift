import Cards
import Hashing
import SubstratePrimitives
import TrustStore

/// Two accounts are alike where their texts differ and agree in the first `Form.alone` characters that vary,
/// or in the last `Form.alone`, or in a few less at both ends. The texts are compared as this network writes
/// them and in the generic form (prefix 42), because another wallet may show either; `0x` is compared without
/// case. A character varies unless more than a quarter of the accounts that start alike have the same there:
/// such characters are demanded, and do not count.
///
/// Beside 1,000 known accounts about 0.2 % of strangers raise the alarm, whatever the prefix is: at most 0.1
/// % for each form (`LookAlikeLaws` counts them, a million with `HELIOGRAPH_STRANGERS=1000000`).
extension LookAlike {
    /// One way to write an account, and what of the text is compared.
    package struct Form {
        /// nil for `0x`.
        package let prefix: UInt16?
        /// Characters at the start that do not vary.
        let shared: Int
        /// Equal characters at one end that are enough.
        let alone: Int
        /// The least at each end, and in all, where neither end is enough.
        let both: (end: Int, sum: Int)

        static let ethereum = Form(prefix: nil, shared: 2, alone: 6, both: (3, 8))

        private init(prefix: UInt16?, shared: Int, alone: Int, both: (end: Int, sum: Int)) {
            (self.prefix, self.shared, self.alone, self.both) = (prefix, shared, alone, both)
        }

        /// SS58; nil for a prefix that no address has.
        init?(prefix: UInt16) {
            guard let shared = Self.shared(prefix) else { return nil }
            self.init(prefix: prefix, shared: shared, alone: 4, both: (2, 6))
        }

        /// Accounts that stand for all, evenly from the lowest to the highest.
        private static let samples = 64

        /// The first characters that tell accounts apart too little. Texts of one length are ordered as their
        /// numbers, so the samples show how many next characters accounts with the same start have: from the
        /// first place with at least four likely ones on, all are likely.
        private static func shared(_ prefix: UInt16) -> Int? {
            var texts: [[UInt8]] = []
            for index in 0..<samples {
                let first = UInt8(index * 256 / samples + 128 / samples)
                guard
                    let address = SS58Address(
                        prefix: prefix, account: [first] + [UInt8](repeating: 0, count: 31))
                else { return nil }
                texts.append(Array(address.text.utf8))
            }
            var shared = 0
            while true {
                // How many accounts have the most frequent next character of their start.
                let starts = Dictionary(grouping: texts) { $0.prefix(shared) }.values
                let most = starts.reduce(0) { sum, texts in
                    sum + (Dictionary(grouping: texts) { $0[shared] }.values.map(\.count).max() ?? 0)
                }
                guard most * 4 > samples else { return shared }
                shared += 1
            }
        }

        /// nil for an account that has no text of this form.
        func text(_ account: [UInt8]) -> String? {
            guard let prefix else { return account.count == 20 ? "0x" + Hex.encode(account) : nil }
            return account.count == 32 ? SS58Address(prefix: prefix, account: account)?.text : nil
        }

        /// The keys of the rows that have every account which may be alike: one for each part that is
        /// compared.
        package func keys(_ account: [UInt8]) -> [HistoryKey] {
            guard let text = text(account)?.utf8 else { return [] }
            let kind: [UInt8] = prefix.map { [32, UInt8($0 & 0xff), UInt8($0 >> 8)] } ?? [20]
            let rest = text.dropFirst(shared)
            return [
                HistoryKey(.lookAlike, kind, Array(rest.prefix(both.end)) + Array(rest.suffix(both.end))),
                HistoryKey(.lookAlike, kind, [0], Array(rest.prefix(alone))),
                HistoryKey(.lookAlike, kind, [1], Array(rest.suffix(alone))),
            ]
        }

        func isAlike(_ text: String, _ other: String) -> Bool {
            let (start, end) = Self.equalEnds(text, other)
            let varying = start - shared
            return varying >= alone || end >= alone
                || varying >= both.end && end >= both.end && varying + end >= both.sum
        }

        fileprivate static func equalEnds(_ text: String, _ other: String) -> (start: Int, end: Int) {
            let start = zip(text.utf8, other.utf8).prefix { $0 == $1 }.count
            return (start, zip(text.utf8.reversed(), other.utf8.reversed()).prefix { $0 == $1 }.count)
        }
    }

    /// Of addresses that name no network.
    package static let genericPrefix: UInt16 = 42

    /// The forms in which an account of a network is compared: the network's own first.
    package static func forms(prefix: UInt16) -> [Form] {
        [.ethereum]
            + (prefix == genericPrefix ? [prefix] : [prefix, genericPrefix]).compactMap { Form(prefix: $0) }
    }

    /// nil where the accounts are the same, of different forms, or not alike.
    init?(_ account: [UInt8], resembling other: [UInt8], forms: [Form]) {
        guard account != other, account.count == other.count else { return nil }
        var shown: String?
        for form in forms {
            guard let text = form.text(account), let resembled = form.text(other) else { continue }
            if form.isAlike(text, resembled) {
                let (start, end) = Form.equalEnds(text, resembled)
                self.init(
                    text: text, other: resembled, shown: shown, start: start, end: end, shared: form.shared)
                return
            }
            shown = shown ?? text
        }
        return nil
    }
}
