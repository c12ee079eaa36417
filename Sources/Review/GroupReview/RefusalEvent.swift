import Diagnostics
import Hashing
import Metadata
import SubstratePrimitives
import TrustStore
import TrustUpdates
import UOS

extension LogEvent {
    /// Characters that the log keeps of one fact of a refused payload: strangers wrote it, and it must not
    /// fill the journal.
    private static let refusedFactLimit = 128

    /// What the log keeps of a refused payload: the reason, which payload it was, and what it claims to be
    /// about. Nothing in it is verified. Transactions and messages are kept whole, so that they can be
    /// decoded again. Updates are not, because metadata would fill the log.
    /// - Parameters:
    ///   - reason: why, in a word of the log's own.
    ///   - metadataHash: of the metadata that read the transaction, when one did.
    public static func refusal(of payload: Payload, reason: Diagnostic.Code, metadataHash: Hash32? = nil)
        -> LogEvent
    {
        let (kind, claims) = claims(of: payload)
        let isReadAgain = kind == .transactionRefused || kind == .messageRefused
        return LogEvent(
            kind, facts(payload.prelude, payload.bytes, reason, claims),
            payload: isReadAgain ? payload.bytes : nil, metadataHash: isReadAgain ? metadataHash : nil)
    }

    /// What the log keeps of a refused update whose metadata cannot be expanded.
    public static func refusal(of payload: CompressedPayload, reason: Diagnostic.Code) -> LogEvent {
        let metadata = payload.metadata
        let claims =
            [Fact("genesis_hash", metadata.genesisHash.hex)]
            + UpdatePlan.facts(signer: metadata.signature?.key)
        return LogEvent(.updateRefused, facts(payload.prelude, payload.bytes, reason, claims))
    }

    private static func facts(
        _ prelude: Prelude, _ bytes: [UInt8], _ reason: Diagnostic.Code, _ claims: [Fact]
    ) -> [Fact] {
        let facts = [
            .reason(reason), Fact("kind", prelude.code.kind),
            Fact("payload", Hex.encode(BLAKE2b.hash(bytes))),
        ]
        return (facts + claims).map { Fact($0.name, String($0.value.prefix(refusedFactLimit))) }
    }

    private static func claims(of payload: Payload) -> (Kind, [Fact]) {
        switch payload.content {
        case .transaction(let transaction):
            (
                .transactionRefused,
                facts(transaction.signer) + [Fact("genesis_hash", transaction.genesisHash.hex)]
            )
        case .bulk(let inner):
            (.transactionRefused, [Fact("transactions", String(inner.count))])
        case .message(let message):
            (
                .messageRefused,
                facts(message.signer) + (message.genesisHash.map { [Fact("genesis_hash", $0.hex)] } ?? [])
            )
        case .update(let update):
            (.updateRefused, facts(update.content) + UpdatePlan.facts(signer: update.signature?.key))
        case .contactList(let contacts):
            (
                .contactListRefused,
                [
                    Fact("scheme", contacts.list.issuer.scheme.name),
                    Fact("public_key", Hex.encode(contacts.list.issuer.bytes)),
                    Fact("number", String(contacts.list.number)),
                ]
            )
        case .group(let message):
            (
                .groupRefused,
                message.requested == nil ? [] : [Fact("asks", message.requested?.prelude.code.kind ?? "")]
            )
        case .importDerivations(let export):
            (
                .derivationsRefused,
                [
                    Fact("root", export.seeds.map(\.root.hex).joined(separator: ", ")),
                    Fact("keys", String(export.seeds.reduce(0) { $0 + $1.keys.count })),
                ]
            )
        case .importPaths(let list):
            (
                .derivationsRefused,
                [Fact("genesis_hash", list.genesisHash.hex), Fact("keys", String(list.paths.count))]
            )
        case .derivationsRequest(let request):
            (
                .derivationsRefused,
                [Fact("root", request.root.hex), Fact("keys", String(request.entries.count))]
            )
        }
    }

    private static func facts(_ signer: SignerReference) -> [Fact] {
        guard case .derived(let root, let path, _) = signer else {
            return [Fact("signer", Hex.encode(signer.bytes))]
        }
        return [Fact("root", root.hex), Fact("path", path)]
    }

    private static func facts(_ update: UpdatePayload.Content) -> [Fact] {
        switch update {
        case .addSpecs(let specs): return UpdatePlan.facts(specs, signer: nil)
        case .loadMetadata(let blob, let genesis):
            var facts = [Fact("genesis_hash", genesis.hex), Fact("hash", Hash32.blake2b(of: blob).hex)]
            if let version = try? RuntimeMetadata(blob).runtimeVersion {
                facts += [Fact("name", version.specName), Fact("version", String(version.specVersion))]
            }
            return facts
        case .loadTypes(let types): return [Fact("hash", Hash32.blake2b(of: types).hex)]
        case .loadAssets(let list):
            guard let units = try? AssetUnits(encoded: list) else {
                return [Fact("hash", Hash32.blake2b(of: list).hex)]
            }
            return [Fact("genesis_hash", units.genesisHash.hex), Fact("serial", String(units.serial))]
        }
    }
}
