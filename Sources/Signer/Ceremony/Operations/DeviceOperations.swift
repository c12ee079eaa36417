import Accounts
import AirGap
import History
import SubstratePrimitives
import TrustStore

/// Forgets which nonces a key signed with on one network, so that no nonce is compared with them.
///
/// The memory warns of a transaction that the chain can never take, and of one that silently replaces
/// another. It can become wrong for good: a signed transaction was never sent, the chain began anew, or the
/// key signs on another machine, too. Then every transaction has a warning, and no rule signs any. So a
/// person may erase the memory with a typed word; what was signed stays in the log, and amounts stay counted.
public struct ForgetNonce: Operation {
    /// Whose nonces are forgotten.
    public struct Shown: Sendable, Equatable {
        /// The record of the signer.
        public let key: KeyRecord
        /// Where it signed.
        public let network: NetworkSpecs
        /// nil where none is remembered.
        public let highest: UInt128?
        fileprivate let account: [UInt8]
    }

    /// What a person types instead of yes.
    public static let word = "forget nonces"

    let address: String
    let network: String

    /// - Parameters:
    ///   - address: of the key, as `TrustState.key(address:)` reads it.
    ///   - network: its name, or its genesis hash in hex.
    public init(_ address: String, network: String) { (self.address, self.network) = (address, network) }

    /// - Throws: `LookupError`, `SS58Address.Failure`
    public func preview(_ view: VaultView) throws -> Shown {
        let key = try view.trust.key(address: address)
        let network = try view.trust.network(named: network, scheme: key.publicKey.scheme)
        guard let account = key.ethereumAddress ?? key.publicKey.accountID else {
            throw LookupError.keyNotOfNetwork(network.name)
        }
        let highest = try view.chain.nonceMemory(of: account, on: network.genesisHash).highest
        return Shown(key: key, network: network, highest: highest, account: account)
    }

    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        let facts = [
            LogEvent.Fact("network", shown.network.name),
            LogEvent.Fact("signer", shown.key.publicKey.address(prefix: shown.network.base58Prefix)),
            LogEvent.Fact("highest", shown.highest.map { "\($0)" } ?? "none"),
            LogEvent.Fact("word", Self.word),
        ]
        let row = try context.view.chain.nonceMemory(of: shown.account, on: shown.network.genesisHash)
            .forgetting
        return PreparedCommit((), events: [LogEvent(.nonceForgotten, facts)], history: HistoryWrite([row]))
    }
}

/// Confirms the date, so that a wall clock that is far ahead is believed, or so that a wrong time is put
/// right.
///
/// A person types the date, and the passphrase opens the vault: a clock that somebody set, or that lost its
/// battery, frees no budget by itself.
public struct SetVaultTime: Operation {
    /// What becomes of the time.
    public struct Shown: Sendable, Equatable {
        /// Vault time until then, in seconds since 1970.
        public let from: UInt64
        /// The new vault time: the clock's if the clock shows the typed date, and otherwise the first second
        /// of that date in UTC.
        public let to: UInt64
        /// Whether ``to`` is what the clock shows.
        public let isClock: Bool
    }

    /// The first second of the typed date.
    let day: UInt64

    /// - Parameter date: by UTC, as `2026-01-31`.
    /// - Throws: `VaultTimeError.notADate`
    public init(date: String) throws(VaultTimeError) {
        guard let day = UTCDate.seconds(ofDay: date) else { throw .notADate }
        self.day = day
    }

    public func preview(_ view: VaultView) throws -> Shown {
        let isClock = view.now >= day && view.now - day < UTCDate.secondsOfDay
        return Shown(from: view.moment.time.seconds, to: isClock ? view.now : day, isClock: isClock)
    }

    /// The clocks go on between the two looks.
    public func isSame(_ one: Shown, _ other: Shown) -> Bool { one.isClock == other.isClock }

    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Shown> {
        let reading = context.session.device.reading
        let time = VaultTime(context.trust.state, at: reading).corrected(to: shown.to, at: reading)
        let facts = [
            LogEvent.Fact("from", UTCDate.minute(shown.from)), LogEvent.Fact("to", UTCDate.minute(shown.to)),
        ]
        return PreparedCommit(shown, [time.change], events: [LogEvent(.vaultTimeSet, facts)])
    }
}

/// Acknowledges that the device was online. It must be offline now.
public struct AcknowledgeOnline: Operation {
    /// An acknowledgement of what the preview shows.
    public init() {}

    /// The one operation that a device which was online allows; it must be offline now.
    public var mayFollowOnline: Bool { true }

    /// What is acknowledged: whether the device is online, and the traffic that nobody has acknowledged.
    public func preview(_ view: VaultView) throws -> ShieldPolicy { view.shield }

    /// A person acknowledges this much traffic and no more. The status is checked each time, by
    /// ``requireAllowed(_:)``.
    public func isSame(_ one: ShieldPolicy, _ other: ShieldPolicy) -> Bool {
        one.unexplained == other.unexplained
    }

    /// - Throws: `ShieldPolicy.Failure`
    public func requireAllowed(_ shown: ShieldPolicy) throws { try shown.requireAcknowledgeable() }

    public func perform(_ shown: ShieldPolicy, in context: CommitContext<Self>) throws -> PreparedCommit<Void>
    {
        let step = try shown.acknowledge(context.trust.state)
        return PreparedCommit((), step.changes, events: step.events)
    }
}
