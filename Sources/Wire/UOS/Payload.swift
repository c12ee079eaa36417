import SCALE
import SubstratePrimitives

/// One complete payload, decoded as far as possible without metadata.
///
/// Every layout is that of the "Universal Offline Signatures" document of Polkadot Vault; leftover bytes are
/// refused.
public struct Payload: Sendable, Equatable {
    /// What a payload holds, by its code.
    public enum Content: Sendable, Equatable {
        /// Codes 00, 02, 05, 06 and 07.
        case transaction(TransactionPayload)
        /// Codes 03 and 08.
        case message(MessagePayload)
        /// Code 04: one or more transactions and messages, in the order of their signatures in the answer.
        case bulk([Payload])
        /// Codes 80, 81, a1 and c1, and a2 once ``PackedPayload`` has expanded it.
        case update(UpdatePayload)
        /// Code a3.
        case contactList(ContactListPayload)
        /// Codes b0 to b9.
        indirect case group(GroupMessage)
        /// Code de.
        case importDerivations(ExportAddrs)
        /// Code de in its other layout, which names no seed.
        case importPaths(PathList)
        /// Code df.
        case derivationsRequest(DynamicDerivationsRequest)
    }

    /// Content that asks for signatures on a chain.
    public enum Signable: Sendable, Equatable {
        /// A transaction.
        case transaction(TransactionPayload)
        /// A message.
        case message(MessagePayload)
        /// Several of both.
        case bulk([Payload])
    }

    /// What it asks to sign on a chain itself. nil for all other content, which is listed here once.
    public var signable: Signable? {
        switch content {
        case .transaction(let transaction): .transaction(transaction)
        case .message(let message): .message(message)
        case .bulk(let payloads): .bulk(payloads)
        case .update, .contactList, .group, .importDerivations, .importPaths, .derivationsRequest: nil
        }
    }

    /// Its scheme and its code.
    public let prelude: Prelude
    /// The whole payload, prelude included; of a payload with claims, a state proof or a round of a guarded
    /// signature the transaction alone.
    public let bytes: [UInt8]
    /// What follows the prelude, decoded.
    public let content: Content
    /// The online machine's claims beside the transaction (code a4); nil without claims. The signed bytes do
    /// not depend on them.
    public private(set) var claims: ClaimedFacts?
    /// The state proof beside the transaction (code a8), not yet checked; nil without one. The signed bytes
    /// do not depend on it.
    public private(set) var state: StateEnvelope?
    /// The round of a guarded signature that asks for it (codes a9 and aa); nil for an ordinary payload.
    /// Whoever signs must ask: the answer to a round is no ordinary signature.
    public private(set) var guardRound: GuardRound?

    /// Decodes a payload that takes all bytes.
    ///
    /// The envelopes of a guarded signature (codes a9 and aa), of a state proof (code a8) and of claims (code
    /// a4) are removed here, each once and in this order. Prelude, bytes and content are then those of the
    /// transaction inside, so a payload is reviewed, signed, compared and logged like the same transaction
    /// alone.
    /// - Throws: ``PayloadError``; ``PayloadError/compressed`` for code a2, which ``PackedPayload`` reads.
    public init(_ bytes: [UInt8]) throws(PayloadError) {
        if let code = ForeignCode(bytes) { throw .foreign(code) }
        let prelude = try Prelude(bytes)
        switch prelude.code {
        case .claimedFacts: try self.init(claimed: prelude, bytes)
        case .stateProof: try self.init(proven: prelude, bytes)
        case .guardCommitment, .guardReveal: try self.init(guarded: prelude, bytes)
        case .transactionMortal, .transactionHash, .transaction, .message, .bulk, .derivedTransaction,
            .transactionWithProof, .derivedTransactionWithProof, .anyNetworkMessage, .loadMetadata,
            .loadTypes, .loadAssets, .loadMetadataCompressed, .contactList, .addSpecs, .importDerivations,
            .derivationsRequest, .guardPoint, .groupHost, .groupProposal, .groupContribution,
            .groupContributions,
            .groupConfirmation, .groupRecord, .groupRequest, .groupCommitment, .groupPackage, .groupShare:
            try self.init(bytes, insideBulk: false)
        }
    }

    /// Takes a round of a guarded signature off a payload.
    private init(guarded outer: Prelude, _ bytes: [UInt8]) throws(PayloadError) {
        var reader = SCALEReader(bytes, range: Prelude.length..<bytes.count)
        let round = try GuardRound(outer.code, from: &reader)
        let inner = reader.rest()
        guard let prelude = try? Prelude(inner) else { throw .guarded(.content(nil)) }
        let code = prelude.code
        guard code.isTransaction || code == .claimedFacts || code == .stateProof else {
            throw .guarded(.content(code))
        }
        guard prelude.scheme == outer.scheme else { throw .guarded(.otherScheme) }
        try GuardFailure.check(prelude.scheme)
        try self.init(inner)
        guardRound = round
    }

    /// Takes a state proof off a payload.
    private init(proven outer: Prelude, _ bytes: [UInt8]) throws(PayloadError) {
        var reader = SCALEReader(bytes, range: Prelude.length..<bytes.count)
        let state: StateEnvelope
        do throws(StateFailure) {
            state = try StateEnvelope(from: &reader)
        } catch {
            throw .stateProof(error)
        }
        let inner = reader.rest()
        guard let prelude = try? Prelude(inner) else { throw .stateProof(.content(nil)) }
        // Its facts are about the accounts of one transaction; an account of 20 bytes has other keys.
        let isClaimed = prelude.code == .claimedFacts
        guard isClaimed || prelude.code.isTransaction else { throw .stateProof(.content(prelude.code)) }
        guard prelude.scheme == outer.scheme else { throw .stateProof(.scheme) }
        guard prelude.scheme != .ethereum else { throw .stateProof(.content(.transaction)) }
        if isClaimed {
            try self.init(claimed: prelude, inner)
        } else {
            try self.init(inner, insideBulk: false)
        }
        self.state = state
    }

    /// Takes claims off a payload.
    private init(claimed outer: Prelude, _ bytes: [UInt8]) throws(PayloadError) {
        var reader = SCALEReader(bytes, range: Prelude.length..<bytes.count)
        let claims: ClaimedFacts
        do throws(SCALEError) {
            claims = try ClaimedFacts(from: &reader)
        } catch {
            throw .malformed(place: "claimed facts", error)
        }
        let inner = reader.rest()
        let prelude = try Prelude(inner)
        // Claims are about what one transaction does and costs; an inner a4 would be claims about claims.
        guard prelude.code.isTransaction else { throw .notClaimable(prelude.code) }
        guard prelude.scheme == outer.scheme else { throw .claimsOfAnotherScheme }
        try self.init(inner, insideBulk: false)
        self.claims = claims
    }

    private init(_ bytes: [UInt8], insideBulk: Bool) throws(PayloadError) {
        let prelude = try Prelude(bytes)
        if insideBulk, !prelude.code.isSignable { throw .notSignable(prelude.code) }
        self.prelude = prelude
        self.bytes = bytes
        self.content = try Self.content(prelude, SCALEReader(bytes, range: Prelude.length..<bytes.count))
    }

    init(prelude: Prelude, bytes: [UInt8], content: Content) {
        self.prelude = prelude
        self.bytes = bytes
        self.content = content
    }

    private static func content(_ prelude: Prelude, _ body: SCALEReader) throws(PayloadError) -> Content {
        switch prelude.code {
        case .transactionHash:
            throw .blindSigning
        case .transactionMortal, .transaction, .derivedTransaction, .transactionWithProof,
            .derivedTransactionWithProof:
            return .transaction(try TransactionPayload(prelude, body))
        case .message, .anyNetworkMessage:
            return .message(try MessagePayload(prelude, body))
        case .bulk:
            return .bulk(try bulk(body))
        case .loadMetadata, .loadTypes, .loadAssets, .addSpecs:
            return .update(try UpdatePayload(prelude, body))
        case .loadMetadataCompressed:
            throw .compressed
        case .contactList:
            return .contactList(try ContactListPayload(prelude, body))
        case .importDerivations:
            return try derivations(body)
        case .derivationsRequest:
            return .derivationsRequest(
                try PayloadError.reading("derivations request", body, DynamicDerivationsRequest.init(from:)))
        case .groupHost: return .group(.host(try GroupHost(prelude, body)))
        case .groupProposal: return .group(.proposal(try GroupProposal(prelude, body)))
        case .groupContribution: return .group(.contribution(try GroupContribution(prelude, body)))
        case .groupContributions: return .group(.contributions(try GroupContributions(prelude, body)))
        case .groupConfirmation: return .group(.confirmation(try GroupConfirmation(prelude, body)))
        case .groupRecord: return .group(.record(try GroupRecord(prelude, body)))
        case .groupRequest: return .group(.request(try GroupRequest(prelude, body)))
        case .groupCommitment: return .group(.commitment(try GroupCommitment(prelude, body)))
        case .groupPackage: return .group(.package(try GroupPackage(prelude, body)))
        case .groupShare: return .group(.share(try GroupShare(prelude, body)))
        case .claimedFacts:
            // Taken off before, and nothing else may hold it.
            throw .notClaimable(.claimedFacts)
        case .stateProof:
            throw .stateProof(.content(.stateProof))
        case .guardCommitment, .guardReveal:
            throw .guarded(.content(prelude.code))
        case .guardPoint:
            throw .guarded(.answer)
        }
    }

    /// Either layout of code de.
    ///
    /// The prelude does not tell the two layouts apart. A body that can be read in both ways is refused,
    /// because its sender would choose which one a person is shown.
    private static func derivations(_ body: SCALEReader) throws(PayloadError) -> Content {
        let list = try? PayloadError.reading("derivations", body, PathList.init(from:))
        do throws(PayloadError) {
            let export = try PayloadError.reading("derivations", body, ExportAddrs.init(from:))
            guard list == nil else { throw .ambiguousDerivations }
            return .importDerivations(export)
        } catch {
            guard let list, error != .ambiguousDerivations else { throw error }
            return .importPaths(list)
        }
    }

    /// `00` ‖ Vec of byte vectors, each a payload without its leading `53`.
    private static func bulk(_ body: SCALEReader) throws(PayloadError) -> [Payload] {
        let inner = try PayloadError.reading("bulk", body) {
            (reader: inout SCALEReader) throws(SCALEError) -> [[UInt8]] in
            let offset = reader.offset
            let version = try reader.u8()
            guard version == 0 else { throw SCALEError(.invalidDiscriminant(version), offset: offset) }
            return try reader.vector { (element: inout SCALEReader) throws(SCALEError) in
                try element.byteVector()
            }
        }
        guard !inner.isEmpty else { throw .emptyBulk }
        var payloads: [Payload] = []
        for transaction in inner {
            payloads.append(try Payload([Prelude.firstByte] + transaction, insideBulk: true))
        }
        return payloads
    }
}

extension ClaimedFacts {
    /// Payload a4: these claims around a transaction.
    /// - Parameter payload: codes 00, 02, 05, 06 and 07; claims and a state proof that it carries are left
    ///   out.
    /// - Throws: ``PayloadError/notClaimable(_:)`` for every other payload
    public func around(_ payload: Payload) throws(PayloadError) -> [UInt8] {
        guard payload.prelude.code.isTransaction else { throw .notClaimable(payload.prelude.code) }
        return Prelude(scheme: payload.prelude.scheme, code: .claimedFacts).bytes + bytes + payload.bytes
    }
}
