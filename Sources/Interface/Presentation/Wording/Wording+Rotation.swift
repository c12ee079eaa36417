import Accounts
import Ceremony
import Diagnostics
import Lines
import SubstratePrimitives
import TerminalIO

/// The move of a seed's accounts to another seed.
extension Wording {
    /// Before anything is moved.
    package static func rotationFirst(_ seed: String) -> [String] {
        let quoted = Escape.terminal(Hints.quoted(seed))
        return [
            "seed \(Escape.terminal(seed)) is not being moved. To move its accounts:",
            "  heliograph seed new NAME               makes the new seed",
            "  heliograph seed check NAME             compares the copy of its words",
            "  heliograph seed rotate \(quoted) --to NAME   derives the same keys of it",
        ]
    }

    package static func rotationHeading(_ old: String, _ rotation: SeedRotation) -> [String] {
        [
            """
            seed \(Escape.terminal(old)) moves to seed \(Escape.terminal(rotation.new)), begun on \
            \(UTCDate.day(rotation.started))
            """
        ]
    }

    /// An account of the old seed.
    package static func rotated(
        _ address: String, on network: String?, _ account: SeedRotation.Account, to successor: String?
    ) -> [String] {
        let used = account.record.lastUsed.map { "last used \(UTCDate.day($0))" } ?? "never used here"
        let ground =
            switch account.ground {
            case .person(let time)?: "empty, as a person said on \(UTCDate.day(time))"
            case .state(let block)?:
                "empty after block \(block), if the chain took the transaction signed with that proof"
            case nil: "not said to be empty"
            }
        let note = account.note.map { ["    said of it: \(Escape.quoted($0))"] } ?? []
        return [
            "  \(Escape.ascii(address))  \(network.map(Escape.terminal) ?? "no network"), \(path(of: account.record)), \(used)",
            "    to \(successor.map(Escape.ascii) ?? "a key that is not derived yet")",
        ] + note + ["    \(ground)"]
    }

    package static func rotationLeft(_ left: Int, of all: Int, _ old: String) -> [String] {
        let quoted = Escape.terminal(Hints.quoted(old))
        if left == 0 {
            return [
                "no account known here is left to empty",
                nextStep("heliograph seed remove \(Hints.quoted(old)), which ends the move"),
            ]
        }
        return [
            "\(left) of \(Sentence.count(all, "account")) \(Sentence.be(left)) not said to be empty",
            "next: heliograph seed rotate \(quoted) --commands prints what to make on the online machine",
            "then: heliograph seed rotate \(quoted) --empty ADDRESS for each account that has nothing left",
        ]
    }

    /// What a step is about to do.
    /// - Parameter name: an account's address and network as the list of the move has them.
    package static func rotationStep(
        _ step: RotateSeed.Step, _ shown: RotateSeed.Shown,
        naming name: (SeedRotation.Account) -> (address: String, network: String?)
    ) -> [String] {
        let names = "seed \(Escape.terminal(shown.seed.name))"
        let asked = Set(shown.accounts.filter { $0.record.hasPassword }.map(\.record.path)).sorted()
        switch step {
        case .begin:
            let keys = Set(shown.accounts.map(\.record.publicKey)).count - asked.count
            return ["\(keyCount(keys)) of \(names) to derive from seed \(Escape.terminal(shown.new.name))"]
                + asked.map {
                    """
                    behind a password, derive it yourself: heliograph key derive \
                    \(Escape.terminal(Hints.quoted(shown.new.name))) \(Escape.terminal(Hints.quoted($0))) --password
                    """
                }
                + shown.groups.map { "its share of group \(Escape.terminal($0)) stays: make the group anew" }
        case .note: return []
        case .empty:
            return shown.accounts.map { account in
                let by: String =
                    switch account.ground {
                    case .state(let block)?: ", empty after block \(block) by a state proof"
                    case .person?: ", said before"
                    case nil: ""
                    }
                let (address, network) = name(account)
                return "\(Escape.ascii(address)) on \(network.map(Escape.terminal) ?? "no network")\(by)"
            }
        case .stop: return []
        }
    }

    /// nil for a step that loses nothing.
    package static func rotationQuestion(_ step: RotateSeed.Step, _ shown: RotateSeed.Shown) -> String? {
        switch step {
        case .begin, .note: nil
        case .empty:
            """
            \(shown.accounts.count == 1 ? "Is it" : "Are all \(shown.accounts.count)") empty: no balance, no \
            asset, no stake, and nothing that this key controls?
            """
        case .stop: "Give up the move of seed \(Escape.terminal(shown.seed.name))? Both seeds stay."
        }
    }

    package static func rotationDone(_ step: RotateSeed.Step, _ shown: RotateSeed.Shown) -> String {
        let (seed, new) = (Escape.terminal(shown.seed.name), Escape.terminal(shown.new.name))
        return switch step {
        case .begin: "the accounts of seed \(seed) move to seed \(new)"
        case .note(let notes): "kept what is said of \(Sentence.count(notes.count, "account"))"
        case .empty: "\(Sentence.count(shown.accounts.count, "account")) said to be empty"
        case .stop: "gave up the move of seed \(seed)"
        }
    }

    package static func rotationScript(_ old: String, _ rotation: SeedRotation) -> [String] {
        [
            "# seed \(Escape.terminal(old)) to seed \(Escape.terminal(rotation.new)), for the online machine.",
            "# TYPE is the kind of the proxy, REAL the account that the old one may act for.",
        ]
    }

    package static func rotationByHand(_ address: String, on network: String?) -> String {
        "\(address) on \(network ?? "no network"): by hand, its successor or its network is not known here"
    }

    /// Everything that can be moved goes to the new account; and where the old one is a proxy of a third
    /// account, the new one becomes its proxy before the old one stops being one, in one payload of two
    /// transactions. Addresses have letters and digits alone.
    package static func rotationCommands(
        number: Int, from old: String, to new: String, network: String
    ) -> [String] {
        func call(_ pallet: String, _ call: String, _ arguments: String) -> String {
            "'{\"pallet\": \"\(pallet)\", \"call\": \"\(call)\", \"args\": {\(arguments)}}'"
        }
        func proxy(_ name: String, _ delegate: String) -> String {
            call("Proxy", name, "\"delegate\": \"\(delegate)\", \"proxy_type\": \"TYPE\", \"delay\": 0")
        }
        let make = "heliograph-hot make transaction --network \(Escape.terminal(Hints.quoted(network)))"
        let everything = call("Balances", "transfer_all", "\"dest\": \"\(new)\", \"keep_alive\": false")
        return [
            "", "# \(number): everything that can be moved",
            "echo \(everything) >move-\(number).json",
            "\(make) --signer \(old) --call move-\(number).json --url wss://NODE --state --out move-\(number).png",
            "# \(number): for each account REAL that it is a proxy of",
            "echo \(proxy("add_proxy", new)) >add-\(number).json",
            "echo \(proxy("remove_proxy", old)) >remove-\(number).json",
            "\(make) --signer REAL --call add-\(number).json --call remove-\(number).json --url wss://NODE --out proxy-\(number).png",
        ]
    }
}
