import FixtureRuntime
import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// One byte string with two readings: what the chain runs, and what forged types show.
///
/// The forged reading begins with the first byte of the true call and ends with the last byte of the true
/// extensions; between what it swallows at both ends stands what it shows.
public struct TwoFaced: Sendable {
    /// What to show, and how.
    public struct Face: Sendable {
        /// A runtime by whose name, version and network the shown transaction goes.
        public var runtime: FixtureRuntime
        public var recipient: [UInt8]
        /// Planck.
        public var amount: UInt128
        public var era = Era.immortal
        public var blockHash: Hash32?
        public var way = Swallow.options
        /// What the extensions are called that read the hash.
        public var hashExtensions: [HashExtension] = [HashExtension()]
        /// Whether the shown extensions have a hash at all; stored metadata needs none.
        public var hasHash = true
        /// Whether what follows stands in the `None` of a disabled hash: an extension that says nothing of
        /// its own.
        public var hidesInDisabledHash = false
        /// Bytes to swallow between the shown extensions and the hash: the hash stands that far from what it
        /// should.
        public var gap: [UInt8] = []

        public init(_ runtime: FixtureRuntime, recipient: [UInt8], amount: UInt128) {
            self.runtime = runtime
            self.recipient = recipient
            self.amount = amount
        }
    }

    /// An extension of the forged reading that takes a hash.
    public struct HashExtension: Sendable {
        public var identifier: String
        /// The last part of the path of its explicit type.
        public var typeName: String
        /// The byte of the mode, and the name that the forged type gives it.
        public var mode: UInt8
        public var modeName: String
        /// Whether it reads the hash; otherwise `None`.
        public var takesHash: Bool

        public init(
            identifier: String = "CheckMetadataHash", typeName: String = "CheckMetadataHash", mode: UInt8 = 1,
            modeName: String = "Enabled", takesHash: Bool = true
        ) {
            self.identifier = identifier
            self.typeName = typeName
            self.mode = mode
            self.modeName = modeName
            self.takesHash = takesHash
        }
    }

    /// The forged runtime: what it says is what a person reads.
    public let shown: FixtureRuntime
    public let proof: ForgedProof
    /// What stands in a place that the sender of a transaction is free to fill.
    public let filling: [UInt8]
    /// Of the call that is shown.
    public let shownCallLength: Int

    /// - Parameters:
    ///   - before: bytes of the true reading in front of the filling; at least two.
    ///   - after: bytes of the true reading behind it.
    public init(_ face: Face, before: [UInt8], after: [UInt8]) throws {
        precondition(before.count >= 2, "a call starts with two indices")
        let shown = Self.runtime(face, before: before, after: after)
        self.shown = shown
        proof = try ForgedProof(shown)
        let call = [0] + face.recipient + FixtureValue.compact(face.amount)
        var values = FixtureExtensionValues(era: face.era, blockHash: face.blockHash)
        values.metadataHash = nil
        let parts = shown.extensionBytes(values)
        var hashes: (explicit: [UInt8], implicit: [UInt8]) = ([], [])
        for item in face.hashExtensions where face.hasHash {
            hashes.explicit += [item.mode]
            hashes.implicit += item.takesHash ? [1] + proof.hash : [0]
        }
        if face.hidesInDisabledHash {
            hashes.explicit += [0]
            hashes.implicit += [0]
        }
        filling = call + parts.explicit + hashes.explicit + parts.implicit + face.gap + hashes.implicit
        shownCallLength = before.count + call.count
    }

    /// What stands between signer and genesis hash of a payload: the border between call and extensions is
    /// the forger's.
    public func body(signing signed: [UInt8]) -> [UInt8] {
        SCALEWriter.encode { $0.compact(UInt64(shownCallLength)) } + signed
    }

    private static func runtime(_ face: Face, before: [UInt8], after: [UInt8]) -> FixtureRuntime {
        var runtime = face.runtime
        let swallowed = Array(before.dropFirst(2))
        var fields: [FixtureField]
        let value = FixtureField("value", .compact(.u128), typeName: "T::Balance")
        switch face.way {
        case .options:
            let destination = FixtureType.options(swallowed, then: FixtureRuntime.address)
            fields = [FixtureField("dest", destination, typeName: "AccountIdLookupOf<T>"), value]
        case .array:
            fields = [FixtureField("dest", FixtureRuntime.address, typeName: "AccountIdLookupOf<T>"), value]
            if !swallowed.isEmpty {
                fields.insert(
                    FixtureField("salt", .array(UInt32(swallowed.count), .u8), typeName: nil), at: 0)
            }
        }
        let call = FixtureVariant("transfer_keep_alive", index: before[1], fields: fields)
        // The constants of `System` say which runtime it is; its calls are left out.
        runtime.pallets = runtime.pallets.filter { $0.name == "System" }.map {
            FixturePallet($0.name, index: before[0] == 0 ? 1 : 0, calls: [], constants: $0.constants)
        }
        runtime.pallets.append(FixturePallet("Balances", index: before[0], calls: [call]))
        runtime.extensions = runtime.extensions.filter { $0.role != .metadataHash }
        if !face.gap.isEmpty {
            runtime.extensions.append(
                FixtureExtension(
                    "CheckPadding", .empty, explicit: .unit, implicit: .swallow(face.gap, face.way)))
        }
        if face.hasHash { runtime.extensions += face.hashExtensions.map(hashExtension) }
        if face.hidesInDisabledHash {
            runtime.extensions.append(disabledHash(holding: after))
        } else if !after.isEmpty {
            runtime.extensions.append(
                FixtureExtension("CheckWeight2", .empty, explicit: .unit, implicit: .swallow(after, face.way))
            )
        }
        return runtime
    }

    private static func disabledHash(holding bytes: [UInt8]) -> FixtureExtension {
        FixtureExtension(
            "CheckMetadataHash", .empty,
            explicit: .variant(
                path: ["frame_metadata_hash_extension", "Mode"],
                variants: [FixtureVariant("Disabled", index: 0)]),
            implicit: .variant(
                path: ["Option"],
                variants: [
                    FixtureVariant(
                        "None", index: 0,
                        fields: [FixtureField(nil, .array(UInt32(bytes.count), .u8), typeName: nil)])
                ]))
    }

    private static func hashExtension(_ item: HashExtension) -> FixtureExtension {
        let mode = FixtureType.variant(
            path: ["frame_metadata_hash_extension", "Mode"],
            variants: [FixtureVariant(item.modeName, index: item.mode)])
        return FixtureExtension(
            item.identifier, .empty,
            explicit: .composite(
                path: ["frame_metadata_hash_extension", item.typeName],
                fields: [FixtureField("mode", mode, typeName: "Mode")]),
            implicit: .option(.array(32, .u8)))
    }
}
