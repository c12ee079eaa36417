import Compression
import HotStore
import UOS

/// The two forms in which metadata travels; a verifier's signature serves both.
enum MetadataForm: CaseIterable {
    /// That of the reference, which every reader knows.
    case plain
    /// This project's own, described in `fixtures/README.md`.
    case compressed

    init(compressed: Bool) { self = compressed ? .compressed : .plain }

    func update(of metadata: HotMetadata, in network: HotNetwork) throws -> OutgoingUpdate {
        let genesis = network.specs.genesisHash
        return switch self {
        case .plain: .loadMetadata(metadata.blob, genesisHash: genesis)
        case .compressed: .loadMetadata(metadata.blob, compressed: try ZstdFrame.compress(metadata.blob), genesisHash: genesis)
        }
    }

    /// Without what names the kind of file.
    func fileName(of metadata: HotMetadata, in network: HotNetwork) -> String {
        "\(Files.name(network.name))_metadata_\(metadata.version)" + (self == .compressed ? "_compressed" : "")
    }
}
