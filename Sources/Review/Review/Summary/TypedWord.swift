import Cards
import Extrinsics
import History
import SubstratePrimitives

/// The word that a person types instead of `yes`, so that no reflex answers the question: the name of the
/// danger, or of several dangers each name, the worst first.
///
/// One name for all would let an expected danger hide an unexpected one: an attacker knows that somebody is
/// about to type `transfer all`, and puts a proxy beside it. So `add proxy and transfer all` is typed, in one
/// line, because two questions in a row are answered as one. Up to four names are typed; of more dangers the
/// four worst and how many more there are. Flooding the review to push a name behind that number takes four
/// worse names, which make the longest line there is, and every danger stands whole above the question.
///
/// A word that is asked for every day is typed without reading, so few things have one:
/// - a destination that looks like a known account: six characters from the middle of its address, where the
///   two differ; of several such destinations those of each, up to four. They come first and are counted by
///   themselves. The other words name what a call may do, and an honest call may do it; two addresses with
///   the same ends are no accident, so somebody is deceiving. Whoever adds hidden calls or other dangers must
///   not get these characters away, because only they make a person look at the middle of the address. They
///   cannot become a reflex: they are others for each address;
/// - calls that hand over an account, all it holds, or the chain: those that have a `Warning` by their name,
///   which is the one table of them (a payee that is the stake's own account has no warning, and so no word);
/// - calls that are not shown: behind a hash or in bytes that are not a call. Whoever types the word has seen
///   that;
/// - a network that only the transaction's own proof speaks for, whose name, unit and decimals nobody vouches
///   for. A chain that the built-in list knows has none: there the list vouches for them;
/// - metadata that nobody signed and no chain checks. It comes last: on such a network it stands in every
///   transaction, so the name of a dangerous call before it breaks the reflex that this word becomes;
/// - an unsigned update, and naming nobody as a network's verifier. The word names what is believed: the
///   network and, of metadata, the version;
/// - an update that makes a key a verifier which was none before, and specs whose name is that of another
///   chain.
///
/// Without a word are: metadata that a verifier signed and the chain does not check, and an older runtime,
/// which are ordinary (many wallets send a disabled hash; a vault got its update before the wallet did), and
/// a word for each would become a reflex; an unknown extension, because some chains have one in every
/// transaction and its bytes are shown; a new key, which `--accept-new-key` asks for where it matters.
public struct TypedWord: Sendable, Equatable {
    /// The name of one danger.
    private struct Name: Sendable {
        let text: String
        let rank: Int
    }

    /// The worst first, each once.
    private var names: [Name]

    /// Lower case with spaces, such as `transfer all`; characters of addresses as they are.
    public var text: String {
        let alike = names.filter { $0.rank == Self.alikeRank }.map(\.text)
        let others = names.filter { $0.rank != Self.alikeRank }.map(\.text)
        let more = others.count - Self.nameLimit
        let typed =
            (alike.isEmpty ? [] : [Self.joined(alike)]) + others.prefix(Self.nameLimit)
            + (more > 0 ? ["\(more) more"] : [])
        return typed.joined(separator: " and ")
    }

    public static func == (one: TypedWord, other: TypedWord) -> Bool {
        one.names.count == other.names.count
            && zip(one.names, other.names).allSatisfy { $0.text.utf8Equals($1.text) && $0.rank == $1.rank }
    }

    /// The names of the dangerous calls and warnings; nil where there is none.
    init?(calls: [ReviewSummary.CallCount], warnings: [Card]) {
        names = []
        var named: [Warning] = []
        for call in calls {
            guard let warning = Warning.of(pallet: call.name.pallet.text, call: call.name.call.text),
                let rank = Self.rank(warning),
                warning != .redirectsRewards || warnings.contains(where: { $0.warning?.call == warning })
            else { continue }
            // A name that means something only in its pallet is typed with it.
            let isGeneric = Warning.of(pallet: "", call: call.name.call.text) == nil
            add(
                Name(
                    text: Self.words(
                        isGeneric ? "\(call.name.pallet) \(call.name.call)" : call.name.call.text), rank: rank
                )
            )
            named.append(warning)
        }
        for card in warnings {
            guard let warning = card.warning else { continue }
            if case .lookAlike(let found) = warning {
                add(Name(text: found.word, rank: Self.alikeRank))
            }
            if let (word, rank) = warning.review.flatMap(Self.word) { add(Name(text: word, rank: rank)) }
            // The name of a call says more than its kind.
            if let call = warning.call, let rank = Self.rank(call), !named.contains(call) {
                add(Name(text: Self.word(call), rank: rank))
            }
        }
        if names.isEmpty { return nil }
    }

    /// Behind those that are as bad; a name that is there already is typed once.
    private mutating func add(_ name: Name) {
        guard !names.contains(where: { $0.text.utf8Equals(name.text) }) else { return }
        names.insert(name, at: names.firstIndex { $0.rank < name.rank } ?? names.count)
    }

    /// Whether a card warns of what a person types a word for or of a payment far above those before: what
    /// stands first in a summary, and whole.
    package static func isDanger(_ card: Card) -> Bool {
        switch card.warning?.matter {
        case .call(let warning): rank(warning) != nil
        case .review(let warning):
            warning == .lookAlike || warning == .paymentFarAbove || word(warning) != nil
        case .update, .group, nil: false
        }
    }

    private static let alikeRank = 12
    /// Look-alikes whose characters are typed.
    private static let alikeLimit = 4
    /// Other dangers whose names are typed.
    private static let nameLimit = 4

    /// The characters of several look-alikes as one word.
    package static func joined(_ words: [String]) -> String {
        var shown: [String] = []
        for word in words where !shown.containsUTF8(of: word) { shown.append(word) }
        return shown.prefix(alikeLimit).joined(separator: " ")
    }

    package init(_ text: String, _ rank: Int) { names = [Name(text: text, rank: rank)] }

    /// The order of dangers: the person types the name of the worst first. Content that nobody has seen is
    /// worst, then calls that may do anything. nil for a warning without a word.
    private static func rank(_ warning: Warning) -> Int? {
        switch warning {
        case .hiddenCall: 11
        case .superuser: 10
        case .changesRuntime: 9
        case .runsProgram: 8
        case .replacesKeys: 7
        case .givesProxy: 6
        case .movesEverything: 5
        case .removesAccess: 4
        case .givesOwnership: 2
        case .redirectsRewards: 1
        case .unknownExtension: nil
        }
    }

    /// For a warning of the review; nil for one without a word.
    private static func word(_ warning: ReviewWarning) -> (text: String, rank: Int)? {
        switch warning {
        case .networkOnlyProved: ("unknown network", 3)
        case .knownNameOnUnknownChain: ("unknown chain", 3)
        case .unsignedMetadata: ("unsigned metadata", 0)
        // The word of a look-alike is of the destination, so its card has it.
        case .lookAlike: nil
        case .unknownAuthor, .keyNotForNetwork, .olderRuntime, .keyNotDerived, .keyNotStored,
            .listedNetworkOnlyProved,
            .metadataBelieved,
            .paymentFarAbove, .nonceReused, .nonceBelowHighest, .nonceFarAhead, .callRepeated, .signedBefore,
            .eraExpired,
            .shortEraForGroup, .runtimeVersionUnknown, .unusualCall, .tipAboveAmounts,
            .unreadableMessage, .keyIsOld, .wordsUnchecked:
            nil
        }
    }

    /// For a warning that no call has by its name; where one has, the name was proposed first and says more.
    private static func word(_ warning: Warning) -> String {
        switch warning {
        case .hiddenCall: "hidden call"
        case .superuser, .changesRuntime, .runsProgram, .replacesKeys, .givesProxy, .movesEverything,
            .removesAccess, .givesOwnership,
            .redirectsRewards, .unknownExtension:
            words(warning.rawValue)
        }
    }

    /// `transfer_all` as a person types it. Only letters and digits of ASCII stay: the name comes from
    /// metadata.
    package static func words(_ name: String) -> String {
        let kept = name.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: UInt8(ascii: " ")
            }
        }
        return kept.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }.joined(
            separator: " ")
    }

    /// The names of both.
    package static func both(_ one: TypedWord?, _ other: TypedWord?) -> TypedWord? {
        guard var both = one else { return other }
        other?.names.forEach { both.add($0) }
        return both
    }
}
