import Diagnostics
import Keys
import Lines
import SubstratePrimitives
import TerminalIO

/// Seeds in parts that a person types or copies.
extension Wording {
    /// What a seed is, as JSON has it.
    package static func kind(_ kind: SeedSecret.Kind) -> String {
        switch kind {
        case .phrase: "phrase"
        case .master: "master_secret"
        }
    }

    /// Behind the name of a seed in a list.
    package static let masterSecret = "SLIP-39 master secret"

    package static let howToTypeShares = """
        enter the words of a share one by one or all at once; the first four letters of a word are enough; an \
        empty line before a share ends
        """
    package static func nextShare(_ number: Int) -> String { "share number \(number) that you type:" }
    package static let shareTypedAlready = "this share was typed already"
    package static let passphraseOfSLIP39 = "passphrase of the shares (leave empty if they have none): "

    package static func progress(_ progress: SLIP39.Progress) -> String {
        let members = """
            \(progress.members) of \(progress.neededMembers) shares of group \(progress.group)
            """
        guard progress.neededGroups > 1 else { return members }
        return "\(members); \(progress.completeGroups) of \(progress.neededGroups) groups are complete"
    }

    package static func slowShares(rounds: Int) -> String {
        "the shares ask for \(rounds) rounds of hashing, which may take minutes"
    }

    /// What a seed was joined from.
    package enum JoinedForm: Sendable, Equatable {
        case slip39(shares: Int, hasPassphrase: Bool)
        case seedXOR(parts: Int)

        fileprivate var source: String {
            switch self {
            case .slip39(let shares, let hasPassphrase):
                "\(shares) SLIP-39 \(shares == 1 ? "share" : "shares"), "
                    + (hasPassphrase ? "with a passphrase" : "without a passphrase")
            case .seedXOR(let parts): "\(parts) parts of Seed XOR"
            }
        }

        fileprivate var warning: String {
            switch self {
            case .slip39:
                """
                Any passphrase fits these shares, and each gives another seed. Compare an address with the \
                wallet that made them.
                """
            case .seedXOR:
                """
                Any parts join to some seed: nothing shows whether one is missing, or is of another seed. \
                Compare an address with the wallet.
                """
            }
        }
    }

    package static let howToTypeParts = """
        enter the words of a part one by one or all at once; an empty line ends a part, and one before a part \
        ends the parts
        """
    package static func nextPart(_ number: Int) -> String { "part \(number):" }

    /// The lines above the question that adds a seed of shares.
    /// - Parameter addresses: what each address is, and the address.
    package static func joined(
        _ name: String, _ form: JoinedForm, _ seed: borrowing SeedSecret,
        addresses: [(title: String, address: String)]
    ) -> [String] {
        let what =
            switch seed.kind {
            case .phrase: "the \(seed.bytes.count / 4 * 3) words of a recovery phrase"
            case .master:
                "a master secret of \(seed.bytes.count) bytes: no recovery phrase, only paths of numbers"
            }
        let rows = [
            ("seed", Escape.terminal(name)),
            ("from", form.source),
            ("holds", what),
        ]
        return table(rows + addresses.map { ($0.title, $0.address) }) + [form.warning]
    }

    private static func table(_ rows: [(String, String)]) -> [String] {
        rows.map { title, text in
            title + String(repeating: " ", count: max(1, 10 - title.utf8.count)) + text
        }
    }

    /// Above the question that shows the shares of a phrase.
    package static func warnSLIP39(_ seed: String) -> String {
        let name = Escape.terminal(seed)
        return """
            Other wallets read SLIP-39 shares as a BIP-32 master secret, not as the words of a phrase: they show \
            other addresses than those of seed \(name). Only heliograph seed join --slip39 --as phrase restores \
            \(name) from these shares.
            """
    }
    package static func showShares(_ seed: String, total: Int, required: Int) -> String {
        """
        Whoever sees \(required) of these \(total) shares has all keys of seed \(Escape.terminal(seed)). Show \
        them, one after the other?
        """
    }
    package static func shareHeading(_ number: Int, of total: Int, required: Int, _ seed: String, words: Int)
        -> [String]
    {
        [
            "",
            """
            Share \(number) of \(total) of seed \(Escape.terminal(seed)): \(words) words, in this order. Write \
            them on paper only, and keep each share in another place; \(required) of them restore the seed.
            """,
            "",
        ]
    }
    package static func checkShares(_ seed: String, option: String) -> String {
        "heliograph seed check \(Escape.terminal(Hints.quoted(seed))) \(option) compares what you wrote with the seed"
    }
    /// To whoever leaves before the last one was shown.
    package static func incompleteShares(option: String) -> String {
        let shares = option.utf8Equals("--xor") ? "parts" : "shares"
        return "these \(shares) are not a whole set: destroy what you wrote, and split again"
    }
    package static func partHeading(_ number: Int, of total: Int, _ seed: String, words: Int) -> [String] {
        [
            "",
            """
            Part \(number) of \(total) of seed \(Escape.terminal(seed)): \(words) words, in this order. Write \
            them on paper only, and keep each part in another place; all \(total) restore the seed.
            """,
            "",
        ]
    }
    package static func showParts(_ seed: String, total: Int) -> String {
        """
        Whoever sees all \(total) parts has all keys of seed \(Escape.terminal(seed)); if one part is lost, the \
        seed cannot be restored. Show them, one after the other?
        """
    }

    /// The card of a child, above its question.
    package static func child(
        of parent: String, index: UInt32, words: Int, path: HDPath, adding name: String?
    )
        -> [String]
    {
        let owner = Escape.terminal(parent)
        var rows = [
            ("parent", "seed \(owner)"), ("index", "\(index)"), ("path", "\(path.numbers) (BIP-85)"),
            ("words", "\(words)"),
        ]
        if let name { rows.append(("name", Escape.terminal(name))) }
        return table(rows) + [
            """
            Seed \(owner) gives this child again. Whoever has the child learns nothing about \(owner); whoever \
            has \(owner) has the child.
            """
        ]
    }
    package static func showChild(_ parent: String, index: UInt32) -> String {
        "Whoever sees the words of child \(index) of seed \(Escape.terminal(parent)) has all its keys. Show them?"
    }
    package static func childHeading(_ parent: String, index: UInt32, words: Int) -> [String] {
        [
            "",
            """
            The \(words) words of child \(index) of seed \(Escape.terminal(parent)), in this order. Whoever has \
            them has its keys: write them on paper only.
            """,
            "",
        ]
    }
    package static func addedChild(_ name: String, of parent: String, index: UInt32) -> String {
        "added seed \(Escape.terminal(name)): child \(index) of seed \(Escape.terminal(parent))"
    }
}
