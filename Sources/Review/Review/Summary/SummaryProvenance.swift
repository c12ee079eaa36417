import SubstratePrimitives

/// Why the cards can be believed, for everything that one answer signs.
///
/// Each kind is counted with the transactions that it holds for: in a bulk, one that the chain checks must
/// not stand for another that only a verifier vouches for, nor for a message, which needs no metadata.
public struct SummaryProvenance: Sendable, Equatable {
    /// How a payload was read with stored metadata.
    public struct Reading: Sendable, Equatable {
        public let metadata: Provenance.StoredMetadata
        let network: GenesisHash?
        /// Set where the whole has several networks.
        public internal(set) var networkName: String?
        public package(set) var count: Int

        /// Whether the review warns of it.
        public var warns: Bool { metadata.warns }

        public static func == (one: Reading, other: Reading) -> Bool {
            one.metadata == other.metadata && one.network == other.network
                && one.networkName.utf8Equals(other.networkName)
                && one.count == other.count
        }
    }

    /// Transactions and messages.
    public internal(set) var payloads = 0
    /// How many of them the chain checks.
    public package(set) var checked = 0
    /// What the hash does not reach in one of those.
    public internal(set) var beyond: [Provenance.Unreached] = []
    /// All other transactions, those with a warning first.
    public package(set) var readings: [Reading] = []

    /// The metadata hash that a person's yes makes one that rules and the memory of payments rely on.
    public internal(set) var yesVouches: Hash32?

    /// Whether the chain compares all of it, apart from ``beyond``.
    public var isCheckedByChain: Bool { checked > 0 && checked == payloads }

    package init() {}

    /// The provenance for a transaction; a message has none.
    init(_ provenance: Provenance?, network: GenesisHash?) {
        payloads = 1
        switch provenance {
        case .chain(let unreached): (checked, beyond) = (1, unreached)
        case .stored(let metadata): readings = [Reading(metadata: metadata, network: network, count: 1)]
        case nil: break
        }
    }

    /// Adds those of another part of the whole.
    /// - Parameter networkName: of the part; nil where the whole has one network.
    mutating func add(_ part: SummaryProvenance, networkName: String?) {
        payloads += part.payloads
        checked += part.checked
        for var reading in part.readings {
            if let index = readings.firstIndex(where: {
                $0.metadata == reading.metadata && $0.network == reading.network
            }) {
                readings[index].count += reading.count
                continue
            }
            reading.networkName = networkName ?? reading.networkName
            readings.append(reading)
        }
        beyond = Provenance.Unreached.allCases.filter { beyond.contains($0) || part.beyond.contains($0) }
        yesVouches = yesVouches ?? part.yesVouches
        let (unsigned, others) = readings.parted { $0.metadata.voucher == .nobody }
        let (warned, neutral) = others.parted(by: \.warns)
        readings = unsigned + warned + neutral
    }
}

extension Array {
    fileprivate func parted(by isFirst: (Element) -> Bool) -> (first: [Element], rest: [Element]) {
        (filter(isFirst), filter { !isFirst($0) })
    }
}
