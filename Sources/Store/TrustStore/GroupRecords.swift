import SubstratePrimitives

/// The host key of another machine in a group. Only a person, who compared its words, vouches for its owner.
/// It is not a contact: it has no account, and its name labels none.
public struct HostContactRecord: Sendable, Hashable {
    /// 32 bytes, a point of ristretto255.
    public let hostKey: [UInt8]
    /// What this vault calls the machine.
    public var name: String

    public init(hostKey: [UInt8], name: String) {
        self.hostKey = hostKey
        self.name = name
    }

    public static func == (one: HostContactRecord, other: HostContactRecord) -> Bool {
        one.hostKey == other.hostKey && one.name.utf8Equals(other.name)
    }
}

/// A session of key generation that this vault takes part in. Every message is stored here before it is
/// shown, and is shown again for the same request: a second answer to one session would let others compare
/// two polynomials of one member.
public struct GroupMaking: Sendable, Hashable {
    /// sid, which the proposal gives.
    public let session: Hash32
    /// Message b1 whole.
    public let proposal: [UInt8]
    /// Whose host key takes part.
    public let seed: String
    /// The last junction of that key's path.
    public let hostIndex: UInt32
    /// Message b2 whole; nil for a member of a group that another machine deals.
    public var contribution: [UInt8]?
    /// Message b4 whole, once the bundle was accepted.
    public var confirmation: [UInt8]?

    public init(
        session: Hash32, proposal: [UInt8], seed: String, hostIndex: UInt32, contribution: [UInt8]? = nil,
        confirmation: [UInt8]? = nil
    ) {
        self.session = session
        self.proposal = proposal
        self.seed = seed
        self.hostIndex = hostIndex
        self.contribution = contribution
        self.confirmation = confirmation
    }

    public static func == (one: GroupMaking, other: GroupMaking) -> Bool {
        one.session == other.session && one.proposal == other.proposal && one.seed.utf8Equals(other.seed)
            && one.hostIndex == other.hostIndex && one.contribution == other.contribution
            && one.confirmation == other.confirmation
    }
}

/// A group that is active: the signatures of all members were verified here. Its share is in no row: seed and
/// record give it each time.
public struct HeldGroup: Sendable, Hashable {
    /// What all members signed; no two groups have the same.
    public let transcript: Hash32
    /// What this vault calls the group; no two have the same.
    public var name: String
    /// Message b5 whole.
    public let record: [UInt8]
    /// Whose host key is a member.
    public let seed: String
    /// The last junction of that key's path.
    public let hostIndex: UInt32
    /// The place of this machine in the group, from 1.
    public let member: Int
    /// Whether a person said that the screens of all members show the same address.
    public var isCompared: Bool

    public init(
        transcript: Hash32, name: String, record: [UInt8], seed: String, hostIndex: UInt32, member: Int,
        isCompared: Bool = false
    ) {
        self.transcript = transcript
        self.name = name
        self.record = record
        self.seed = seed
        self.hostIndex = hostIndex
        self.member = member
        self.isCompared = isCompared
    }

    public static func == (one: HeldGroup, other: HeldGroup) -> Bool {
        one.transcript == other.transcript && one.name.utf8Equals(other.name) && one.record == other.record
            && one.seed.utf8Equals(other.seed) && one.hostIndex == other.hostIndex
            && one.member == other.member
            && one.isCompared == other.isCompared
    }
}

/// A signing request for which this machine has shown its commitment and no share. It says nothing of the
/// nonces, which are in RAM or gone. Once the request is spent, this row gives way to a row of the history
/// that stays for ever.
public struct GroupOffer: Sendable, Hashable {
    /// A group has at most this many.
    public static let maximumOpen = 8

    /// rid, which the payload gives.
    public let request: Hash32
    /// The transcript of the group.
    public let group: Hash32
    /// Message b6 whole.
    public let payload: [UInt8]
    /// Message b7 whole.
    public let commitment: [UInt8]
    /// Seconds since 1970 by this device's clock.
    public let time: UInt64

    public init(request: Hash32, group: Hash32, payload: [UInt8], commitment: [UInt8], time: UInt64) {
        self.request = request
        self.group = group
        self.payload = payload
        self.commitment = commitment
        self.time = time
    }
}

extension TrustState {
    public func group(_ transcript: Hash32) -> HeldGroup? { groups.first { $0.transcript == transcript } }

    public func group(named name: String) -> HeldGroup? { groups.first { $0.name.utf8Equals(name) } }

    public func groupMaking(_ session: Hash32) -> GroupMaking? {
        groupMakings.first { $0.session == session }
    }

    public func hostContact(_ hostKey: [UInt8]) -> HostContactRecord? {
        hostContacts.first { $0.hostKey == hostKey }
    }

    public func groupOffer(_ request: Hash32) -> GroupOffer? { groupOffers.first { $0.request == request } }

    /// What signs with a key, in the words shown to a person: `seed main`, `group office`; nil for an
    /// imported key, which stands for itself.
    public func holder(of record: KeyRecord) -> String? {
        switch record.source {
        case .seed(let name, _, _): "seed \(name)"
        // The store keeps no account of a group that it does not have.
        case .group(let transcript, _): "group \(shownName(ofGroup: transcript))"
        case .imported: nil
        }
    }

    private func shownName(ofGroup transcript: Hash32) -> String {
        group(transcript)?.name ?? transcript.hex
    }

    /// Where a key comes from, in short: `main//polkadot`, `main ledger:m/44'/354'/0'/0'/0'`,
    /// `group office/kusama`, `imported key`.
    public func place(of record: KeyRecord) -> String {
        switch record.source {
        case .seed(let name, let path, _):
            name + (path.isEmpty || path.utf8Starts(with: "/") ? "" : " ") + path
        case .group(let transcript, let path): "group \(shownName(ofGroup: transcript))" + path
        case .imported: "imported key"
        }
    }

    /// The accounts of a group: its own key, and those below soft paths.
    public func accounts(of transcript: Hash32) -> [KeyRecord] { keys.filter { $0.group == transcript } }
}
