/// A vote on a referendum in one byte. Source: paritytech/polkadot-sdk,
/// `substrate/frame/conviction-voting/src/vote.rs`.
enum StandardVote {
    /// nil for a byte that is not a vote: the lowest seven bits count at most six lock periods.
    static func text(_ byte: UInt8) -> String? {
        let periods = byte & 0x7f
        guard periods <= 6 else { return nil }
        return (byte & 0x80 != 0 ? "aye" : "nay") + (periods == 0 ? ", not locked" : ", locked \(periods)x")
    }

    static func byte(_ text: String) -> UInt8? { bytes[Array(text.utf8)] }

    private static let bytes = Dictionary(
        uniqueKeysWithValues: (UInt8.min...UInt8.max).compactMap { byte in
            text(byte).map { (Array($0.utf8), byte) }
        })
}
