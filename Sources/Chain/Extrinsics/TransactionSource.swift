import Metadata
import SubstratePrimitives

/// What a transaction's parts are decoded by: full metadata, or a metadata proof.
public struct TransactionSource: Sendable {
    public let registry: any TypeRegistry
    public let extrinsic: ExtrinsicDefinition
    public let runtimeVersion: RuntimeVersion

    public init(registry: any TypeRegistry, extrinsic: ExtrinsicDefinition, runtimeVersion: RuntimeVersion) {
        self.registry = registry
        self.extrinsic = extrinsic
        self.runtimeVersion = runtimeVersion
    }

    public init(_ metadata: RuntimeMetadata) {
        self.init(
            registry: metadata.registry, extrinsic: metadata.extrinsic,
            runtimeVersion: metadata.runtimeVersion)
    }
}

extension TransactionSource {
    /// Whether a place lies in the extension of that role.
    func isPart(_ place: String, of role: TransactionExtension.Role) -> Bool {
        extrinsic.extensions.contains {
            TransactionExtension.role(of: $0, in: registry) == role
                && "\(place).".utf8Starts(with: "extensions.\($0.identifier).")
        }
    }
}
