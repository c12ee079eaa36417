import Compression
import HotStore
import UOS

/// The two forms of a metadata update; a verifier's signature is valid for both.
enum MetadataForm: CaseIterable {
    /// The reference's form, which every signer reads.
    case plain
    /// This project's own, described in `Payloads.md` of `heliograph.docc`.
    case compressed

    init(compressed: Bool) { self = compressed ? .compressed : .plain }

    func update(of metadata: HotMetadata, in network: HotNetwork) throws -> OutgoingUpdate {
        let genesis = network.specs.genesisHash
        return switch self {
        case .plain: .loadMetadata(metadata.blob, genesisHash: genesis)
        case .compressed:
            .loadMetadata(
                metadata.blob, compressed: try ZstdFrame.compress(metadata.blob), genesisHash: genesis)
        }
    }

    /// The file name without an extension.
    func fileName(of metadata: HotMetadata, in network: HotNetwork) -> String {
        "\(Files.name(network.name))_metadata_\(metadata.version)"
            + (self == .compressed ? "_compressed" : "")
    }
}
