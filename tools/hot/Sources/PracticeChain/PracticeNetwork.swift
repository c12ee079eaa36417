import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SubstratePrimitives

/// The network that people practise on. Its runtime is written as source, so it takes no download, nobody's
/// node and no money.
///
/// A signature made for it is worthless on a real chain. It covers the practice network's genesis hash
/// (`CheckGenesis`), and a chain requires its own. The genesis hash of a real chain is the BLAKE2b-256 of a
/// header, which begins with the 32 zeros of a parent that does not exist; the practice network's is the
/// BLAKE2b-256 of a short text. Equal hashes would be a collision of BLAKE2b, and for the same reason nobody
/// can start a chain with this hash. Nor does a vault's key for the practice network sign for another: a key
/// signs for the networks that it was derived for.
public enum PracticeNetwork {
    /// The fixture runtime with the events by which a node tells how a transaction ended, and with the
    /// storage that a state proof reads.
    public static let runtime: FixtureRuntime = {
        var runtime = FixtureRuntime()
        runtime.addEvents()
        runtime.addStorage()
        return runtime
    }()

    /// What stands under `:code`: no WebAssembly, but the metadata that this runtime would give.
    static let code = runtime.metadata(.v15)

    /// The time of the first block in milliseconds since 1970: 2026-01-01 00:00 UTC.
    static let start: UInt64 = 1_767_225_600_000
    /// Milliseconds between two blocks that no transaction made.
    static let blockTime: UInt64 = 6000

    /// Name, unit, decimals, prefix and genesis hash.
    public static var specs: NetworkSpecs { runtime.specs }

    /// The balance of every account at the start, in the smallest unit: 1,000 HLO, so that nobody needs to be
    /// given any.
    public static let endowment: UInt128 = 1_000_000_000_000_000

    /// What an account must keep to stay open, as the metadata's constant says.
    static let existentialDeposit: UInt128 = 10_000_000_000

    /// The fee of a transaction without its tip: a hundredth of a unit, and a little for each byte.
    /// - Parameter length: bytes of the whole extrinsic.
    static func fee(length: Int) -> UInt128 { 10_000_000_000 + 10_000_000 * UInt128(length) }

    /// The hash that `CheckMetadataHash` compares: this runtime is built with its own.
    static let metadataHash: Hash32 = {
        // The runtime's own source makes well-formed metadata of format 15.
        let metadata = try! RuntimeMetadata(code)
        return try! MetadataDigest(of: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, specs)).hash
    }()

    /// The metadata of one format, from its `meta` on; nil for a format that this runtime does not offer.
    /// - Parameter format: 14, 15 or 16.
    public static func metadata(format: UInt32) -> [UInt8]? {
        UInt8(exactly: format).flatMap(FixtureRuntime.MetadataVersion.init).map { runtime.metadata($0) }
    }
}
