import Accounts
import Cards
import Extrinsics
import Hashing
import History
import Lines
import Review
import SubstratePrimitives
import TerminalIO

/// What a summary says besides the cards.
extension Wording {
    /// The words behind an address; nil if there is nothing to compare it with. Words, not colours, tell own
    /// keys from others.
    package static func whose(_ relation: AccountRelation, label: String?) -> String? {
        switch relation {
        case .own(let seed, let path):
            let name = label.map { " \(Escape.quoted($0))" } ?? ""
            // No seed has an empty name: the account is one that `inspect --signer` names.
            if seed == "" { return "(own\(name))" }
            return "(own: \(Escape.line(seed.text)), \(path == "" ? "root" : Escape.path(path.text))\(name))"
        case .group(let group, let path):
            let name = label.map { " \(Escape.quoted($0))" } ?? ""
            return
                """
                (your group: \
                \(Escape.line(group.text))\(path == "" ? "" : ", " + Escape.path(path.text))\(name))
                """
        case .imported: return "(own: imported key\(label.map { " \(Escape.quoted($0))" } ?? ""))"
        case .contact(let mark):
            let name = mark.name.map { "contact: \(Escape.line($0.text))" } ?? "private contact"
            let list = mark.list.map { ", from the list of \(Escape.line($0.text))" } ?? ""
            return "(\(name)\(list)\(mark.isOfOtherNetwork ? ", but NOT for this network" : ""))"
        case .stranger: return "(not one of your keys)"
        case .unchecked: return nil
        }
    }

    private static func seed(_ seed: String, _ path: String) -> String {
        "seed \(Escape.line(seed)) \(path.isEmpty ? "(root)" : Escape.path(path))"
    }

    /// Behind a signer's address.
    static func signer(_ signer: ReviewSummary.Signer) -> String {
        if let group = signer.group {
            let path = signer.path.isEmpty ? "" : " " + Escape.path(signer.path)
            return "(group \(Escape.line(group))\(path)\(signer.label.map { ": \(Escape.line($0))" } ?? ""))"
        }
        let name = signer.label.map { ": \(Escape.line($0))" } ?? ""
        if signer.isImported { return "(imported key\(name))" }
        if signer.isUnstored {
            return
                "(not stored here: \(signer.path.isEmpty ? "root of the phrase" : Escape.path(signer.path)))"
        }
        guard let seed = signer.seed else { return "(not one of your keys)" }
        // An account that `inspect --signer` names.
        if seed.utf8.isEmpty { return "(taken for your key)" }
        return signer.address == nil
            ? "the key \(Self.seed(seed, signer.path)), not derived yet"
            : "(\(Self.seed(seed, signer.path))\(name))"
    }

    /// A name of somebody else; in quotes where it could be read as more than a name.
    package static func name(_ name: String) -> String { name.isPlainName ? name : Escape.quoted(name) }

    /// The name, with the mark of a chain that nothing here knows.
    static func networkName(_ network: ReviewSummary.Network) -> String {
        network.markedName.map(Escape.line) ?? name(network.name)
    }

    static func network(_ network: ReviewSummary.Network) -> String {
        networkName(network) + (network.specVersion.map { ", runtime \($0)" } ?? "")
            + (network.needsGenesis
                ? network.genesisHash.map { ", genesis 0x\($0.hex.prefix(8))...\($0.hex.suffix(8))" } ?? ""
                : "")
    }

    static func unread(_ amount: ReviewSummary.UnreadAmount) -> String {
        switch amount {
        case .everything: "everything that can be moved"
        case .hiddenCalls: "what a call moves that is not shown"
        case .numbers: "numbers that may be amounts"
        case .choices: "choices that may be amounts"
        case .assets: "amounts of assets that this program cannot tell apart"
        }
    }

    /// - Parameter sendsNothing: whether every call is known to move nothing. Of others only this can be
    ///   said.
    static func noAmount(sendsNothing: Bool) -> String { sendsNothing ? "sends nothing" : "shows no amount" }

    static func more(_ count: Int) -> String { "and \(count) more" }
    static func moreWarnings(_ count: Int) -> String { "and \(count) more warning\(count == 1 ? "" : "s")" }
    static func unknownUnit(of total: ReviewSummary.Total) -> String {
        "of the smallest unit of \(asset(total)), whose decimals are unknown"
    }
    static func asset(_ total: ReviewSummary.Total) -> String {
        "asset \(Escape.ascii(total.asset?.text ?? ""))"
            + (total.pallet.map { " of \(Escape.name($0.text))" } ?? "")
    }

    static func recipients(own: Int, contacts: Int, others: Int, unpaid: Int) -> String {
        let known = contacts == 0 ? "" : " \(contacts) contact\(contacts == 1 ? "" : "s"),"
        return "\(own + contacts + others) accounts: \(own) of your keys,\(known) \(others) others"
            + "\(unpaid > 0 ? ", \(unpaid) not paid by this vault" : ""); each is listed above"
    }

    /// What this vault signed for an account before; nil for one that a person named and that was never paid.
    static func paid(_ payment: HistoryFindings.Payment) -> String? {
        func signed(_ record: PaidDestination, _ largest: TokenAmount?) -> String {
            let amount = largest.map { ", at most \(Amount.plain($0.plain, unit: $0.symbol))" } ?? ""
            return
                """
                \(record.count == 1 ? "once" : "\(record.count) times")\(amount), last \
                \(UTCDate.day(record.last))
                """
        }
        switch payment {
        case .named(let record, let largest): return record.map { "paid before: \(signed($0, largest))" }
        case .notPaid(let extent, let named):
            // A payment that only its sender vouched for is signed and does not count: "not paid" would be false.
            return named.map {
                "no counted payment by this vault (\(extent)), named before: \(signed($0, nil))"
            }
                ?? "not paid by this vault (\(extent))"
        case .paid(let record, let largest): return "paid before: \(signed(record, largest))"
        case .firstInAsset(let record, let largest):
            let native = record.map { ", paid before in the chain's own token: \(signed($0, largest))" } ?? ""
            return "first payment in this asset\(native)"
        }
    }

    static func feeAsset(_ asset: ExtensionContent.FeeAsset) -> String {
        switch asset {
        case .native: "the chain sets the fee and takes it in its own token"
        case .asset(let id): "the chain sets the fee and takes it in asset 0x\(Hex.encode(id))"
        case .unknown: "the chain sets the fee; what pays it is unknown"
        }
    }

    static func validity(era: Card, notice: Card?) -> String {
        guard let notice else { return Escape.ascii(era.value) }
        let said = Escape.ascii(notice.value)
        // The label in front already says `valid`.
        let label = "valid "
        let words =
            said.utf8Starts(with: label) ? String(Substring(said.utf8.dropFirst(label.utf8.count))) : said
        // An immortal era has no numbers.
        return era.kind == .eraMortal ? "\(words) (\(Escape.ascii(era.value)))" : words
    }

    static func part(_ number: Int, of count: Int) -> String { "Transaction \(number) of \(count)" }
    static func calls(_ count: Int) -> String { count == 1 ? "1 call" : "\(count) calls" }

    /// The head of a review of several.
    static func whole(_ count: Int) -> String { "All \(count) together" }
}
