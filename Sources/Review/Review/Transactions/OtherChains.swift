import Accounts
import Metadata
import SubstratePrimitives

/// Finds another chain's genesis hash where that chain would check it.
///
/// A chain verifies a signature over bytes that it puts together itself: the call and the explicit parts of
/// the extensions as they were sent, then implicit parts that it fills in, among them its own genesis hash.
/// Only the extensions after CheckGenesis decide how far from the end the hash is. Nothing else in the signed
/// bytes names the chain.
///
/// The maker of a transaction chooses its call and, on a network of their own, also its types and extensions.
/// They can choose them so that the same bytes, read by another chain's types, are another call followed by
/// that chain's implicit parts: the cards show a harmless remark, and the signature moves the funds of the
/// same key on the other chain. For that, the other chain's genesis hash must be exactly where that chain
/// fills it in. A transaction that has it there is refused; without it, the other chain does not verify the
/// bytes. The own chain's hash at such a position is the block hash of an immortal transaction.
///
/// Anywhere else a genesis hash is a value like any other: XCM names networks by it.
///
/// A message needs no such check. What is signed of it ends in `</Bytes>`; the bytes of a chain end in a
/// block hash, a zero byte or a metadata hash, and none of these ends in eight bytes that somebody chose.
enum OtherChains {
    /// Numbers of bytes after the genesis hash in the runtimes in use: the block hash of CheckMortality; that
    /// and the `00` of CheckMetadataHash; that and its `01 ‖ hash`.
    static let usualEnds = [32, 33, 65]

    /// - Parameters:
    ///   - signed: call ‖ explicit ‖ implicit, before hashing.
    ///   - own: the chain that the transaction is for. Another chain is one with another genesis hash.
    ///   - known: genesis hashes of chains to look for.
    ///   - ends: how many bytes can follow the genesis hash on a chain, by its stored metadata; called only
    ///     for a chain whose hash is in
    ///     `signed`.
    /// - Returns: a chain other than `own` whose genesis hash is at one of the ``usualEnds`` or of its own
    ///   ends.
    static func claim(
        in signed: [UInt8], own: GenesisHash, known: some Collection<GenesisHash>,
        ends: (GenesisHash) -> Set<Int>
    ) -> GenesisHash? {
        var asked: [GenesisHash: Set<Int>] = [:]
        for (genesis, end) in occurrences(in: signed, of: known.filter { $0 != own }) {
            if usualEnds.contains(end) { return genesis }
            let ends = asked[genesis] ?? ends(genesis)
            asked[genesis] = ends
            if ends.contains(end) { return genesis }
        }
        return nil
    }

    /// Where the hashes are, as the number of bytes after them. One pass, whatever their number.
    private static func occurrences(in signed: [UInt8], of hashes: [GenesisHash]) -> [(GenesisHash, end: Int)]
    {
        guard signed.count >= 32 else { return [] }
        // Hashes with the same first two bytes are few, and most of the two bytes of a payload start none.
        var starts: [UInt16: [GenesisHash]] = [:]
        for hash in hashes {
            starts[UInt16(hash.bytes[0]) << 8 | UInt16(hash.bytes[1]), default: []].append(hash)
        }
        var isStart = [Bool](repeating: false, count: 1 << 16)
        for start in starts.keys { isStart[Int(start)] = true }
        var found: [(GenesisHash, end: Int)] = []
        for offset in 0...(signed.count - 32) {
            let start = UInt16(signed[offset]) << 8 | UInt16(signed[offset + 1])
            guard isStart[Int(start)], let candidates = starts[start] else { continue }
            for hash in candidates where signed[offset..<(offset + 32)].elementsEqual(hash.bytes) {
                found.append((hash, end: signed.count - offset - 32))
            }
        }
        return found
    }
}

extension ChainData {
    /// Names of chains by genesis hash, for 32-byte values that are one.
    var knownChains: [GenesisHash: String] { KnownChains(state).names }

    /// Refuses a transaction whose signed bytes another chain could take as its own.
    /// - Parameters:
    ///   - signed: call ‖ explicit ‖ implicit, before hashing.
    ///   - specs: of the network that the transaction is for.
    ///   - shown: its name, with its mark if it has one.
    func otherNetwork(in signed: [UInt8], of specs: NetworkSpecs, shownAs shown: String) -> ReviewError? {
        let known = KnownChains(state)
        let other = OtherChains.claim(
            in: signed, own: specs.genesisHash, known: known.names.keys, ends: bytesBehindGenesis)
        return other.map { .otherNetwork(network: shown, other: known.name(ofGenesis: $0) ?? $0.hex) }
    }

    /// By all stored metadata of the chain. Metadata that cannot be read is skipped.
    private func bytesBehindGenesis(_ genesis: GenesisHash) -> Set<Int> {
        state.metadata(genesis: genesis).reduce(into: []) { ends, record in
            if let metadata = try? metadata(record) { ends.formUnion(metadata.bytesBehindGenesis) }
        }
    }
}
