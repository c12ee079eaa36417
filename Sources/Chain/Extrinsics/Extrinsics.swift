import Cards
import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// Decodes transactions. Nothing here keeps or writes anything.
public enum Extrinsics {
    /// - `body`: compact length ‖ call ‖ explicit ‖ implicit: all that stands between the signer and the
    ///   trailing genesis hash.
    /// - `specs`: of the network that the trailing genesis hash names.
    /// - Throws: ``ExtrinsicError`` for every byte that is not understood.
    public static func decode(
        body: some Collection<UInt8>, metadata: RuntimeMetadata, specs: NetworkSpecs,
        context: DecodingContext = DecodingContext()
    ) throws(ExtrinsicError) -> DecodedTransaction {
        var decoded = try decode(
            body: body, source: TransactionSource(metadata), specs: specs,
            context: context.naming(palletsOf: metadata))
        guard let hash = decoded.facts.metadataHash else { return decoded }
        try requireAtEnd(hash, of: decoded, context)
        // Version 16 may list types in another order, so a difference proves nothing there.
        guard metadata.version == 15,
            let computed = try? MetadataDigest(
                of: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, specs)
            ).hash
        else {
            decoded.hashCheck = .notCompared(version: metadata.version)
            return decoded
        }
        guard computed == hash else {
            throw ExtrinsicError(
                .metadataHashMismatch(computed: computed, transaction: hash),
                place: "extensions.CheckMetadataHash")
        }
        decoded.hashCheck = .passed
        return decoded
    }

    /// Decodes with a metadata proof alone; the transaction must commit to the hash that the proof leads to.
    ///
    /// - `specs`: of the network that the trailing genesis hash names; for an unknown network,
    ///   `NetworkSpecs.init(_:genesisHash:)` makes them from the proof.
    public static func decode(
        body: some Collection<UInt8>, proof: MetadataProof, specs: NetworkSpecs,
        context: DecodingContext = DecodingContext()
    ) throws(ExtrinsicError) -> DecodedTransaction {
        try requireAgreement(proof.extraInfo, specs)
        let source = TransactionSource(
            registry: proof.registry, extrinsic: proof.extrinsic, runtimeVersion: proof.runtimeVersion)
        var decoded: DecodedTransaction
        do throws(ExtrinsicError) {
            decoded = try decode(body: body, source: source, specs: specs, context: context)
        } catch {
            // A proof made for an enabled hash has no leaf for the disabled mode.
            guard error.reason == .metadata(.unknownVariant(0)), source.isPart(error.place, of: .metadataHash)
            else { throw error }
            throw ExtrinsicError(.metadataHashDisabled, place: error.place)
        }
        guard let hash = decoded.facts.metadataHash else {
            throw ExtrinsicError(.metadataHashDisabled, place: "extensions.CheckMetadataHash")
        }
        guard hash == proof.hash else {
            throw ExtrinsicError(
                .metadataHashMismatch(computed: proof.hash, transaction: hash),
                place: "extensions.CheckMetadataHash")
        }
        try requireAtEnd(proof.hash, of: decoded, context)
        decoded.hashCheck = .passed
        return decoded
    }

    /// A proof and the network must say the same of the token and the addresses.
    private static func requireAgreement(_ info: ExtraInfo, _ specs: NetworkSpecs) throws(ExtrinsicError) {
        func same(_ field: ExtrinsicError.SpecsField, _ isSame: Bool) throws(ExtrinsicError) {
            guard isSame else { throw ExtrinsicError(.specsMismatch(field), place: "proof.extra_info") }
        }
        try same(.name, info.specName.utf8Equals(specs.name))
        try same(.base58Prefix, info.base58Prefix == specs.base58Prefix)
        try same(.decimals, info.decimals == specs.decimals)
        try same(.unit, info.tokenSymbol.utf8Equals(specs.unit))
        // The specs of an unknown network are those of the proof, so agreement alone says nothing.
        guard NetworkSpecs.isUnit(info.tokenSymbol) else {
            throw ExtrinsicError(.unitWithoutLetter(info.tokenSymbol), place: "proof.extra_info")
        }
    }

    /// Refuses signed bytes that do not end with `01 ‖ hash`.
    ///
    /// Whoever makes a proof also makes its types, and so decides where "the extension called
    /// CheckMetadataHash" is read: in the middle of a remark, say, with the real extensions behind it hidden
    /// in other types. What he cannot choose is how the chain reads the end. There CheckMetadataHash is the
    /// last extension with an implicit part (or a runtime has none, and the end is the block hash of
    /// CheckMortality), so a transaction that the chain takes ends in one of three ways:
    /// - with `01 ‖ hash` of its true metadata: that is this hash only if the proof leads to the true
    ///   metadata;
    /// - with a block hash and `00`, the hash disabled: then a forger needs a block of that chain whose hash
    ///   begins with `01` and the first 31 bytes of the hash of his proof, 248 bits of it, and a proof whose
    ///   hash ends in `00`;
    /// - with a block hash: all 32 bytes of it and the byte before.
    ///
    /// Source: 707 published runtimes, of which 248 end with CheckMetadataHash and 459, older than it, with
    /// CheckMortality. A runtime that puts a further implicit part behind the hash is refused here, not
    /// misread.
    private static func requireAtEnd(
        _ hash: Hash32, of decoded: DecodedTransaction, _ context: DecodingContext
    ) throws(ExtrinsicError) {
        guard decoded.signingBytes.suffix(33).elementsEqual([1] + hash.bytes) || !context.rules.endOfBytes
        else {
            throw ExtrinsicError(.metadataHashNotAtEnd, place: "extensions.CheckMetadataHash")
        }
    }

    static func decode(
        body: some Collection<UInt8>, source: TransactionSource, specs: NetworkSpecs, context: DecodingContext
    ) throws(ExtrinsicError) -> DecodedTransaction {
        try requireSignable(source)
        let bytes = Array(body)
        let types = TypeView(source.registry)
        let callRange = try callRange(of: bytes)
        // The extensions first: they say whether this metadata is the one to read the call with.
        let extensions = try ExtensionReader(source: source, types: types, rules: context.rules).read(
            SCALEReader(bytes, range: callRange.upperBound..<bytes.count))
        try check(extensions.facts, source: source, specs: specs)
        let call = try decodeCall(
            bytes, range: callRange, source: source, types: types, specs: specs, context: context)
        let extensionCards = try ExtensionCards(types: types, specs: specs, source: source, context: context)
            .build(extensions, call.budget)
        let coverage = CoverageCheck(types: types, specs: specs, source: source, context: context)
        return DecodedTransaction(
            method: call.cards,
            extensions: try coverage.extensions(
                extensionCards, bytes[callRange.upperBound...], from: callRange.count),
            warnings: call.summary.warnings.map(\.card)
                + extensions.unknown.map {
                    Card(.warning(.unknownExtension($0.identifier, bytes: $0.bytes)), isDerived: true)
                },
            signingBytes: Array(bytes[callRange.lowerBound...]),
            callBytes: Array(bytes[callRange]), call: call.value, explicit: extensions.explicit,
            implicit: extensions.implicit,
            facts: extensions.facts,
            hashCheck: extensions.facts.metadataHashEnabled == nil ? .unsupported : .disabled,
            unknownExtensions: extensions.unknown,
            runtimeVersion: RuntimeVersion(
                specName: source.runtimeVersion.specName,
                specVersion: extensions.facts.specVersion ?? source.runtimeVersion.specVersion),
            source: source, summary: call.summary)
    }

    /// Signed transactions have extrinsic format 4 and the extensions of version 0. Format 5 replaces them by
    /// general transactions, which carry the signature in an extension and sign the hash of other bytes.
    private static func requireSignable(_ source: TransactionSource) throws(ExtrinsicError) {
        let extrinsic = source.extrinsic
        guard extrinsic.version == 4 else {
            throw ExtrinsicError(.extrinsicVersion(extrinsic.version), place: "extrinsic")
        }
        guard extrinsic.extensionVersion == 0 else {
            throw ExtrinsicError(.extensionVersion(extrinsic.extensionVersion), place: "extrinsic")
        }
        for item in extrinsic.extensions where TransactionExtension.takesSignature(item, in: source.registry)
        {
            throw ExtrinsicError(.signsInExtension, place: "extensions.\(item.identifier)")
        }
    }

    /// Whether full metadata reads the same transaction from the same bytes as a proof did: the same literal
    /// cards in the same order, docs aside.
    ///
    /// A difference, or bytes that the metadata does not read at all, is false.
    public static func readsAlike(
        _ decoded: DecodedTransaction, body: some Collection<UInt8>, metadata: RuntimeMetadata,
        specs: NetworkSpecs,
        context: DecodingContext = DecodingContext()
    ) -> Bool {
        var context = context
        context.readsAsProof = true
        guard
            let other = try? decode(
                body: body, source: TransactionSource(metadata), specs: specs, context: context)
        else { return false }
        func readAlike(_ one: [Card], _ other: [Card]) -> Bool {
            one.lazy.filter { !$0.isDerived }
                .elementsEqual(other.lazy.filter { !$0.isDerived }) { $0.readsAs($1) }
        }
        return readAlike(decoded.method, other.method) && readAlike(decoded.extensions, other.extensions)
            && decoded.signingBytes == other.signingBytes && decoded.facts == other.facts
    }

    /// Decodes a call that stands alone, without a length and without extensions.
    public static func decodeCall(
        _ call: [UInt8], metadata: RuntimeMetadata, specs: NetworkSpecs,
        context: DecodingContext = DecodingContext()
    ) throws(ExtrinsicError) -> DecodedCall {
        let source = TransactionSource(metadata)
        return try decodeCall(
            call, range: 0..<call.count, source: source, types: TypeView(source.registry), specs: specs,
            context: context.naming(palletsOf: metadata))
    }

    private static func decodeCall(
        _ bytes: [UInt8], range: Range<Int>, source: TransactionSource, types: TypeView, specs: NetworkSpecs,
        context: DecodingContext
    ) throws(ExtrinsicError) -> DecodedCall {
        var decoder = ValueDecoder(
            types: types, reader: SCALEReader(bytes, range: range), rules: context.rules)
        let value: Value
        do throws(ValueError) {
            value = try decoder.value(source.extrinsic.call)
        } catch {
            throw ExtrinsicError(error, in: "call")
        }
        guard decoder.reader.remaining == 0 else {
            throw ExtrinsicError(.leftoverAfterCall(count: decoder.reader.remaining), place: "call")
        }
        var builder = CardBuilder(
            types: types, specs: specs, callType: source.extrinsic.call, context: context,
            budget: CardBudget(payload: bytes.count))
        let cards = try builder.build(value, source.extrinsic.call, part: "call")
        let coverage = CoverageCheck(types: types, specs: specs, source: source, context: context)
        var summary = builder.writer.summary
        summary.shown = ShownCalls(cards)
        return DecodedCall(
            cards: try coverage.call(cards, bytes[range], from: 0), value: value, summary: summary,
            budget: builder.writer.budget)
    }

    /// The runtime version that the extensions of a transaction announce, read with this metadata's
    /// extensions; the call is not read.
    ///
    /// Metadata fits the payload if its own version equals the one that is read here.
    public static func announcedVersion(
        body: some Collection<UInt8>, metadata: RuntimeMetadata
    ) throws(ExtrinsicError) -> UInt32? {
        let bytes = Array(body)
        let callRange = try callRange(of: bytes)
        let source = TransactionSource(metadata)
        return try ExtensionReader(source: source, types: TypeView(source.registry)).read(
            SCALEReader(bytes, range: callRange.upperBound..<bytes.count)
        ).facts.specVersion
    }

    /// Whether the bytes of a message are a transaction of this runtime: a call, with or without its length,
    /// alone or with extensions. Such a message must not be signed.
    public static func looksLikeTransaction(_ message: some Collection<UInt8>, metadata: RuntimeMetadata)
        -> Bool
    {
        let bytes = Array(message)
        // A call takes two bytes at least; everything else would have to be its extensions.
        guard bytes.count >= 2 else { return false }
        let types = TypeView(metadata.registry)
        var starts = [0..<bytes.count]
        var prefixed = SCALEReader(bytes)
        if let range = try? prefixed.range(count: prefixed.count()) { starts.append(range) }
        for range in starts {
            var decoder = ValueDecoder(types: types, reader: SCALEReader(bytes, range: range))
            guard (try? decoder.value(metadata.extrinsic.call)) != nil else { continue }
            // With a length, the call must end where it says; what follows the call is nothing or whole
            // extensions.
            let end = decoder.reader.offset
            if range.upperBound != bytes.count, end != range.upperBound { continue }
            if end == bytes.count { return true }
            let source = TransactionSource(metadata)
            let rest = SCALEReader(bytes, range: end..<bytes.count)
            if (try? ExtensionReader(source: source, types: types).read(rest)) != nil { return true }
        }
        return false
    }

    private static func callRange(of bytes: [UInt8]) throws(ExtrinsicError) -> Range<Int> {
        var reader = SCALEReader(bytes)
        do throws(SCALEError) {
            return try reader.range(count: try reader.count())
        } catch {
            throw ExtrinsicError(.encoding(error.reason), place: "call")
        }
    }

    private static func check(
        _ facts: TransactionFacts, source: TransactionSource, specs: NetworkSpecs
    ) throws(ExtrinsicError) {
        guard let specVersion = facts.specVersion else {
            throw ExtrinsicError(.noSpecVersion, place: "extensions")
        }
        guard let genesis = facts.genesisHash else { throw ExtrinsicError(.noGenesis, place: "extensions") }
        guard genesis == specs.genesisHash else {
            throw ExtrinsicError(
                .genesisMismatch(payload: specs.genesisHash, transaction: genesis),
                place: "extensions.CheckGenesis")
        }
        guard specVersion == source.runtimeVersion.specVersion else {
            throw ExtrinsicError(
                .specVersionMismatch(metadata: source.runtimeVersion.specVersion, transaction: specVersion),
                place: "extensions.CheckSpecVersion")
        }
        if facts.era == .immortal, let blockHash = facts.blockHash, blockHash != genesis {
            throw ExtrinsicError(.immortalBlockHash(blockHash), place: "extensions.CheckMortality")
        }
        if let enabled = facts.metadataHashEnabled, enabled != (facts.metadataHash != nil) {
            throw ExtrinsicError(.metadataHashInconsistent, place: "extensions.CheckMetadataHash")
        }
    }
}

extension NetworkSpecs {
    /// The specs that a metadata proof speaks for, for showing a transaction of an unknown network.
    public init(_ proof: MetadataProof, genesisHash: GenesisHash, scheme: SignatureScheme = .sr25519) {
        let info = proof.extraInfo
        self.init(
            name: info.specName, title: info.specName, base58Prefix: info.base58Prefix,
            decimals: info.decimals, unit: info.tokenSymbol,
            genesisHash: genesisHash, scheme: scheme)
    }
}

extension Extrinsics {
    /// Bytes of the longest transaction that is signed as it is.
    public static let longestUnhashed = 256

    /// What a signature of a transaction covers: its signing bytes, or their BLAKE2b-256 when they are longer
    /// than ``longestUnhashed``.
    public static func signedMessage(of signingBytes: [UInt8]) -> [UInt8] {
        signingBytes.count > longestUnhashed ? BLAKE2b.hash(signingBytes) : signingBytes
    }
}
