/// What lies on the disk, read without the seal's key. Anyone who can write to the directory chose it, so it may be shown, with the words "trust
/// store not checked", and nothing may act on it.
public struct UncheckedTrust: Sendable {
    public let state: TrustState

    init(_ state: TrustState) { self.state = state }
}

/// What the store vouches for: read under its seal by an ``UnlockedStore``, which alone makes it. Whatever acts takes this type.
///
/// It is the state of one moment. ``UnlockedStore/change(since:_:events:borrowing:accepting:)`` refuses once the store has moved on.
public struct SealedTrust: Sendable {
    public let state: TrustState

    init(_ state: TrustState) { self.state = state }
}
