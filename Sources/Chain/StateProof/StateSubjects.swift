import Extrinsics
import Hashing
import Metadata
import SubstratePrimitives
import UOS

/// What a transaction names, and so what a state proof beside it may be about.
public struct StateSubjects {
    /// What an account is to the transaction; the raw value is its word in JSON.
    public enum Role: String, Sendable {
        case signer, real, multisig, destination, controller, parent, other
    }

    /// A multisig call that the transaction starts, approves, makes or cancels.
    package struct Pending {
        package let item: StateItem
        package let origin: AccountID32
        package let threshold: UInt16
        /// nil for the first approval.
        package let timepoint: (height: UInt32, index: UInt32)?
        package let isCancelled: Bool
        package let isApproval: Bool
    }

    /// Of what a destination is, at most: a list of hundreds of payments would make a proof too large.
    public static let maximumDestinations = 8

    package let signer: AccountID32?
    package private(set) var accounts: [AccountID32: Role] = [:]
    private var assets: Set<UInt32> = []
    private var locations: Set<[UInt8]> = []
    package private(set) var destinations: [AccountID32] = []
    package private(set) var pending: [Pending] = []
    /// What leaves an asset account of the one who makes the call.
    package private(set) var spent: [(item: StateItem, amount: UInt128)] = []
    package private(set) var addsProxy = false
    package private(set) var sessionKeys: [UInt8]?
    /// Whether a call acts for another account than the signer's.
    package private(set) var actsForOthers = false
    /// What is to be proven, so that leaving it out is seen; in the order of being told.
    public private(set) var expected: [StateItem] = []
    /// The same, for calls by the thousand.
    private var known: Set<StateItem> = []

    /// - Parameters:
    ///   - decoded: the transaction.
    ///   - signer: nil where its key is not known.
    public init(_ decoded: DecodedTransaction, signer: AccountID32?) {
        self.signer = signer
        if let signer { expect(.account(signer), of: signer, .signer) }
        for recipient in decoded.summary.shown.recipients {
            guard let account = AccountID32(recipient.account), account != signer,
                !destinations.contains(account)
            else { continue }
            destinations.append(account)
        }
        let calls = NamedCalls(decoded, signer: signer)
        for call in calls.all { read(call, calls) }
        for account in destinations.prefix(Self.maximumDestinations) {
            expect(.account(account), of: account, .destination)
        }
        let cards = decoded.method + decoded.extensions
        let named = decoded.summary.accounts + cards.compactMap { $0.account?.address.account }
        for account in named.compactMap({ AccountID32($0) }) {
            name(account, destinations.contains(account) ? .destination : .other)
        }
    }

    private mutating func name(_ account: AccountID32, _ role: Role) {
        if accounts[account] == nil { accounts[account] = role }
    }

    private mutating func expect(_ item: StateItem, of account: AccountID32? = nil, _ role: Role = .other) {
        if let account { name(account, role) }
        if known.insert(item).inserted { expected.append(item) }
    }

    private mutating func read(_ call: NamedCall, _ calls: NamedCalls) {
        if call.origin != signer { actsForOthers = true }
        switch call.pallet.text {
        case "Assets", "ForeignAssets": readAsset(call, calls)
        case "Proxy": readProxy(call)
        case "Multisig": readMultisig(call, calls)
        case "Staking":
            guard let origin = call.origin else { return }
            expect(.bonded(origin), of: origin)
            expect(.ledger(origin))
        case "Session":
            guard call.call == "set_keys", let origin = call.origin else { return }
            expect(.nextKeys(origin), of: origin)
            sessionKeys = call.argument("keys").flatMap { calls.encoding($0.value, $0.type) }
        default: break
        }
    }

    private mutating func readAsset(_ call: NamedCall, _ calls: NamedCalls) {
        guard let id = call.argument("id") else { return }
        let holds: (AccountID32) -> StateItem
        if call.pallet == "Assets" {
            guard let asset = id.value.number.flatMap({ UInt32(exactly: $0) }) else { return }
            assets.insert(asset)
            expect(.assetMetadata(asset))
            holds = { .assetAccount(asset, $0) }
        } else {
            guard let location = calls.encoding(id.value, id.type) else { return }
            locations.insert(location)
            expect(.foreignMetadata(location))
            holds = { .foreignAccount(location, $0) }
        }
        if let origin = call.origin {
            expect(holds(origin), of: origin)
            let sends = ["transfer", "transfer_keep_alive"].contains(call.call.text)
            if sends, let amount = call.argument("amount")?.value.number {
                spent.append((holds(origin), amount))
            }
        }
        for argument in call.arguments {
            if let account = AccountID32(argument.value), argument.name.text != "id" {
                expect(holds(account), of: account, .destination)
            }
        }
    }

    private mutating func readProxy(_ call: NamedCall) {
        switch call.call.text {
        case "proxy", "proxy_announced":
            guard let real = call.account("real") else { return }
            expect(.account(real), of: real, .real)
            expect(.proxies(real))
        case "add_proxy", "remove_proxy", "remove_proxies", "kill_pure":
            guard let origin = call.origin else { return }
            if call.call == "add_proxy" { addsProxy = true }
            expect(.proxies(origin), of: origin)
        default: break
        }
    }

    private mutating func readMultisig(_ call: NamedCall, _ calls: NamedCalls) {
        guard let origin = call.origin, let account = call.multisig else { return }
        expect(.account(account), of: account, .multisig)
        guard let threshold = call.argument("threshold")?.value.number.flatMap({ UInt16(exactly: $0) }) else {
            return
        }
        let inner = call.argument("call").flatMap { calls.encoding($0.value, $0.type) }
        let hash = inner.map { Hash32.blake2b(of: $0) } ?? call.account("call_hash")
        guard let hash else { return }
        let item = StateItem.multisig(account, callHash: hash)
        expect(item)
        pending.append(
            Pending(
                item: item, origin: origin, threshold: threshold,
                timepoint: (call.argument("maybe_timepoint") ?? call.argument("timepoint")).flatMap {
                    Self.timepoint($0.value)
                }, isCancelled: call.call == "cancel_as_multi",
                isApproval: call.call == "approve_as_multi"))
    }

    /// Height and index, in an option or by themselves.
    private static func timepoint(_ value: Value) -> (height: UInt32, index: UInt32)? {
        switch value {
        case .variant(1, let fields) where fields.count == 1: return timepoint(fields[0])
        case .record(let parts) where parts.count == 2:
            guard let height = parts[0].number.flatMap({ UInt32(exactly: $0) }),
                let index = parts[1].number.flatMap({ UInt32(exactly: $0) })
            else { return nil }
            return (height, index)
        case .bool, .char, .text, .unsigned, .signed, .wide, .bytes, .bits, .list, .record, .variant:
            return nil
        }
    }

    /// Refuses a fact about what the transaction does not name: true, and decoration for a lie.
    /// - Parameters:
    ///   - proven: with it the controllers of proven bonds and the parents of proven identities are named.
    ///   - prefix: of the network's addresses.
    public mutating func check(_ proven: ProvenState, prefix: UInt16) throws(StateProofError) {
        let facts = proven.chain.facts + (proven.hop?.chain.facts ?? [])
        for fact in facts {
            guard case .present(let value) = fact.reading else { continue }
            switch (value, fact.item) {
            case (.bonded(let controller), .bonded(let stash)) where accounts[stash] != nil:
                name(controller, .controller)
            case (.superIdentity(let parent, _), .superIdentity(let child)) where accounts[child] != nil:
                name(parent, .parent)
            default: break
            }
        }
        for fact in proven.chain.facts {
            if let foreign = foreign(fact.item, prefix) { throw .foreign(foreign) }
        }
        for fact in proven.hop?.chain.facts ?? [] {
            if let foreign = elsewhere(fact.item) ?? foreign(fact.item, prefix) { throw .foreign(foreign) }
        }
    }

    /// A key is the same account on every chain. The number of an asset, a location and the hash of a call
    /// are not: each says on another chain something else, and would be taken for what the transaction names.
    private func elsewhere(_ item: StateItem) -> StateProofError.Subject? {
        switch item {
        case .assetMetadata(let asset), .assetAccount(let asset, _): .asset(asset)
        case .foreignMetadata(let location), .foreignAccount(let location, _): .location(location)
        case .multisig(_, let hash): .callHash(hash)
        case .account, .proxies, .bonded, .ledger, .nextKeys, .identity, .superIdentity, .codeHash,
            .migration:
            nil
        }
    }

    private func foreign(_ item: StateItem, _ prefix: UInt16) -> StateProofError.Subject? {
        func unnamed(_ account: AccountID32) -> StateProofError.Subject? {
            accounts[account] == nil ? .account(account, prefix: prefix) : nil
        }
        switch item {
        case .account(let account), .proxies(let account), .bonded(let account), .ledger(let account),
            .nextKeys(let account), .identity(let account), .superIdentity(let account):
            return unnamed(account)
        case .assetMetadata(let asset): return assets.contains(asset) ? nil : .asset(asset)
        case .assetAccount(let asset, let account):
            return assets.contains(asset) ? unnamed(account) : .asset(asset)
        case .foreignMetadata(let location):
            return locations.contains(location) ? nil : .location(location)
        case .foreignAccount(let location, let account):
            return locations.contains(location) ? unnamed(account) : .location(location)
        case .multisig(let account, let hash):
            // The same call waits in one multisig and not in another: only the one of the call says
            // something.
            return unnamed(account) ?? (pending.contains { $0.item == item } ? nil : .callHash(hash))
        case .codeHash, .migration: return nil
        }
    }

    /// What the account of an item is to the transaction; nil for an item without an account.
    package func role(_ item: StateItem) -> Role? {
        switch item {
        case .account(let account), .proxies(let account), .bonded(let account), .ledger(let account),
            .nextKeys(let account), .identity(let account), .superIdentity(let account),
            .assetAccount(_, let account), .foreignAccount(_, let account), .multisig(let account, _):
            accounts[account]
        case .assetMetadata, .foreignMetadata, .codeHash, .migration: nil
        }
    }
}
