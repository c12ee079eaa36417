/// The trust on the disk, read without the seal's key. Anyone who can write to the directory may have chosen
/// it, so it may be shown, with the words "trust store not checked", but nothing may act on it.
public struct UncheckedTrust: Sendable {
    public let state: TrustState

    init(_ state: TrustState) { self.state = state }
}

/// The trust that the store vouches for: read under its seal. Only an ``UnlockedStore`` makes it, and
/// everything that acts takes this type.
///
/// It is the state of one moment. `UnlockedStore.change(since:_:events:borrowing:accepting:with:)` refuses
/// after the store has changed.
public struct SealedTrust: Sendable {
    public let state: TrustState

    init(_ state: TrustState) { self.state = state }
}
