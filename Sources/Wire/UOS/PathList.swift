import SCALE
import SubstratePrimitives

/// The other layout of payload de: derivation paths alone, for one network and whatever seed a person names.
///
/// Encoding: scheme byte, genesis hash, Vec of paths. It carries no key, no address and no password, so
/// nothing in it says whose paths they are. Source: Polkadot Vault, `ContentDerivations`, which its
/// `generate_message derivations` makes of a text file.
public struct PathList: Sendable, Equatable {
    /// The scheme of the network's keys; one byte, 0 to 3.
    public let scheme: SignatureScheme
    /// The network that the keys are for.
    public let genesisHash: GenesisHash
    /// Such as `//polkadot//0`, in the order of the file.
    public let paths: [String]

    /// A list of those parts; nothing checks that the paths can be derived.
    public init(scheme: SignatureScheme, genesisHash: GenesisHash, paths: [String]) {
        self.scheme = scheme
        self.genesisHash = genesisHash
        self.paths = paths
    }

    public static func == (one: PathList, other: PathList) -> Bool {
        one.scheme == other.scheme && one.genesisHash == other.genesisHash
            && one.paths.utf8ElementsEqual(other.paths)
    }

    /// Reads the three parts; the reader stands after them.
    /// - Throws: `SCALEError` for another scheme byte, and for truncated bytes.
    public init(from reader: inout SCALEReader) throws(SCALEError) {
        scheme = try SignatureScheme(from: &reader)
        genesisHash = try reader.hash32()
        paths = try reader.vector { (element: inout SCALEReader) throws(SCALEError) in try element.string() }
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(into writer: inout SCALEWriter) {
        writer.u8(scheme.rawValue)
        writer.raw(genesisHash.bytes)
        writer.vector(paths) { $0.string($1) }
    }
}
