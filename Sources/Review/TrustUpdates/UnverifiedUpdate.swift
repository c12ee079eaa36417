import Accounts
import Cards
import Keys
import Metadata
import SCALE
import SubstratePrimitives
import TrustStore
import UOS

/// The facts in a runtime's metadata that decide whether the metadata is accepted.
public struct MetadataFacts: Sendable, Equatable {
    public let runtimeVersion: RuntimeVersion
    /// The constant `System.SS58Prefix`, when the runtime has it.
    public let ss58Prefix: UInt16?
    /// Whether transactions can be decoded with it: its extensions name the runtime version and the chain.
    public let extensionsComplete: Bool

    public init(runtimeVersion: RuntimeVersion, ss58Prefix: UInt16?, extensionsComplete: Bool) {
        self.runtimeVersion = runtimeVersion
        self.ss58Prefix = ss58Prefix
        self.extensionsComplete = extensionsComplete
    }

    public init(_ metadata: RuntimeMetadata) {
        self.init(
            runtimeVersion: metadata.runtimeVersion, ss58Prefix: metadata.ss58Prefix,
            extensionsComplete: metadata.extensionFault == nil)
    }
}

/// An update as it was scanned: nothing in it is trusted. ``UpdateReviewer`` makes a ``VerifiedUpdate`` of
/// it, or refuses.
public struct UnverifiedUpdate: Sendable, Equatable {
    /// What the update would add.
    public enum Content: Sendable, Equatable {
        case addSpecs(NetworkSpecs)
        case loadMetadata(blob: [UInt8], genesis: GenesisHash, facts: MetadataFacts)
        /// `Vec<TypeEntry>`, encoded.
        case loadTypes([UInt8])
        case loadAssets(AssetUnits)
    }

    public let content: Content
    /// nil for an unsigned update.
    public let signature: UpdateSignature?

    /// The bytes that the signature covers. A review refuses an update whose cards do not determine exactly
    /// these bytes.
    public let signedBytes: [UInt8]

    public init(_ content: Content, signature: UpdateSignature?) {
        self.init(content, signature: signature, signedBytes: content.signedBytes)
    }

    /// - Parameter signedBytes: as they stand in a payload.
    package init(_ content: Content, signature: UpdateSignature?, signedBytes: [UInt8]) {
        self.content = content
        self.signature = signature
        self.signedBytes = signedBytes
    }
}

extension UnverifiedUpdate.Content {
    /// `UpdatePayload.Content.signedBytes`
    public var signedBytes: [UInt8] { payload.signedBytes }

    /// The chain that it is for; nil for types, which all chains share.
    public var genesis: GenesisHash? {
        switch self {
        case .addSpecs(let specs): specs.genesisHash
        case .loadMetadata(_, let genesis, _): genesis
        case .loadTypes: nil
        case .loadAssets(let units): units.genesisHash
        }
    }
}
