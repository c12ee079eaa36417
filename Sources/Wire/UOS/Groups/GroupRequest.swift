import SCALE
import SubstratePrimitives

/// Code b6: a request to some members of a group to sign together. It is unsigned: every signer sees what it
/// asks.
public struct GroupRequest: Sendable, Equatable {
    static let nonceLength = 16
    /// Bytes beside the path and the payload.
    static let fixedLength = 59

    /// The scheme of the group.
    public let scheme: SignatureScheme
    /// A, 32 bytes.
    public let groupKey: [UInt8]
    /// 16 random bytes, so that the same payload may be asked for again.
    public let nonce: [UInt8]
    /// Who signs: 2 or more.
    public let signers: GroupMembers
    /// Soft junctions from the group's key to the account, such as `/polkadot`; empty for the group's key
    /// itself and for ed25519.
    public let path: String
    /// An ordinary payload, code 00, 02, 03, 06 or 08, of the group's scheme.
    public let payload: Payload

    /// A request whose nonce is 16 random bytes.
    /// - Throws: ``GroupFailure`` for a payload, a path or signers that a request cannot have
    public init(groupKey: [UInt8], nonce: [UInt8], signers: GroupMembers, path: String, payload: Payload)
        throws(GroupFailure)
    {
        precondition(
            nonce.count == Self.nonceLength && groupKey.count == GroupFormat.wordLength, "16 and 32 bytes")
        // What stands around a transaction would be left out without a word: a request holds the transaction.
        if let round = payload.guardRound { throw .content(round.code) }
        if payload.state != nil { throw .content(.stateProof) }
        if payload.claims != nil { throw .content(.claimedFacts) }
        guard payload.prelude.code.isGroupContent else { throw .content(payload.prelude.code) }
        guard let scheme = payload.prelude.scheme, scheme == .ed25519 || scheme == .sr25519 else {
            throw .contentScheme(payload.prelude.scheme)
        }
        guard signers.count >= GroupFormat.minimumThreshold else { throw .signers(signers.count) }
        try Self.check(path: path, scheme: scheme)
        self.scheme = scheme
        self.groupKey = groupKey
        self.nonce = nonce
        self.signers = signers
        self.path = path
        self.payload = payload
        guard !path.utf8.isEmpty || account == groupKey else { throw .contentAccount }
    }

    init(_ prelude: Prelude, _ body: SCALEReader) throws(PayloadError) {
        let scheme = try GroupFormat.scheme(of: prelude)
        // A request is as long as the payload in it, which has no limit of its own.
        self = try GroupFormat.reading(prelude, body, maximum: .max) { reader in
            let groupKey = try reader.word()
            let nonce = try reader.bytes(count: Self.nonceLength)
            let signers = GroupMembers(bitmap: try reader.integer(UInt16.self))
            let length = Int(try reader.u8())
            guard length <= GroupFormat.maximumPath,
                let path = String(validating: try reader.bytes(count: length), as: UTF8.self)
            else {
                throw GroupFailure.path
            }
            let inner = try reader.bytes(count: Int(try reader.integer(UInt32.self)))
            // Before anything of the payload is read, so that requests do not nest.
            let innerPrelude = try Prelude(inner)
            guard innerPrelude.code.isGroupContent else { throw GroupFailure.content(innerPrelude.code) }
            guard innerPrelude.scheme == scheme else { throw GroupFailure.contentScheme(innerPrelude.scheme) }
            return try GroupRequest(
                groupKey: groupKey, nonce: nonce, signers: signers, path: path, payload: try Payload(inner))
        }
    }

    public static func == (one: GroupRequest, other: GroupRequest) -> Bool { one.bytes == other.bytes }

    /// Refuses a path with anything but soft junctions that a request can name. Members could derive shares
    /// for another path, but no request could name it, so money paid to that account would be lost.
    /// - Throws: ``GroupFailure/path``, ``GroupFailure/pathOfScheme``
    public static func check(path: String, scheme: SignatureScheme) throws(GroupFailure) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty else { return }
        guard scheme == .sr25519 else { throw .pathOfScheme }
        let junctions = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard bytes.count <= GroupFormat.maximumPath, String.printableLine(bytes) != nil,
            junctions[0].isEmpty,
            junctions.dropFirst().allSatisfy({ !$0.isEmpty })
        else { throw .path }
    }

    /// The message as it is sent.
    public var bytes: [UInt8] {
        GroupFormat.bytes(scheme, .groupRequest) { writer in
            writer.raw(groupKey)
            writer.raw(nonce)
            writer.integer(signers.bitmap)
            writer.u8(UInt8(path.utf8.count))
            writer.raw(path.utf8)
            writer.integer(UInt32(payload.bytes.count))
            writer.raw(payload.bytes)
        }
    }

    /// The request id: binds the account, the signers and every byte of the payload.
    public var id: Hash32 { GroupFormat.hash("request", bytes) }

    /// The key that the payload is for, 32 bytes. With a path, whoever knows the group compares it with the
    /// key derived from ``groupKey``.
    public var account: [UInt8] {
        switch payload.signable {
        case .transaction(let transaction): transaction.signer.plainKey
        case .message(let message): message.signer.plainKey
        case .bulk, nil: preconditionFailure("a request holds a transaction or a message")
        }
    }
}

extension SignerReference {
    /// The public key of a payload whose code is ``PayloadCode/isGroupContent`` and whose scheme is ed25519
    /// or sr25519.
    fileprivate var plainKey: [UInt8] {
        guard case .key(let key) = self else { preconditionFailure("these payloads carry a public key") }
        return key.bytes
    }
}

/// Code b8: the commitments of some or all signers, with the request or without.
public struct GroupPackage: Sendable, Equatable {
    /// Bytes without the request.
    static let maximumLength = 42 + 128 * GroupFormat.maximumMembers

    /// The scheme of the group.
    public let scheme: SignatureScheme
    /// The request's id.
    public let requestID: Hash32
    /// Ascending, one or more.
    public let entries: [GroupNonces]
    /// Whole, if the package carries it; its id is ``requestID``, and it names the signer of every entry.
    public let request: GroupRequest?

    /// A package of entries in any order.
    /// - Throws: ``GroupFailure`` for a package that cannot be sent
    public init(scheme: SignatureScheme, requestID: Hash32, entries: [GroupNonces], request: GroupRequest?)
        throws(GroupFailure)
    {
        try self.init(
            scheme: scheme, requestID: requestID, ascending: entries.sorted { $0.index < $1.index },
            request: request)
    }

    private init(
        scheme: SignatureScheme, requestID: Hash32, ascending entries: [GroupNonces], request: GroupRequest?
    ) throws(GroupFailure) {
        guard (1...GroupFormat.maximumMembers).contains(entries.count) else { throw .count(entries.count) }
        guard zip(entries, entries.dropFirst()).allSatisfy({ $0.index < $1.index }) else { throw .order }
        if let request {
            guard request.id == requestID, request.scheme == scheme else { throw .requestDiffers }
            if let other = entries.first(where: { !request.signers.contains($0.index) }) {
                throw .notASigner(other.index)
            }
        }
        self.scheme = scheme
        self.requestID = requestID
        self.entries = entries
        self.request = request
    }

    init(_ prelude: Prelude, _ body: SCALEReader) throws(PayloadError) {
        let scheme = try GroupFormat.scheme(of: prelude)
        self = try GroupFormat.reading(prelude, body, maximum: .max) { reader in
            let requestID = try reader.hash32()
            var entries: [GroupNonces] = []
            for index in GroupMembers(bitmap: try reader.integer(UInt16.self)).indices {
                entries.append(try GroupNonces(from: &reader, index: index))
            }
            let inner = try reader.bytes(count: Int(try reader.integer(UInt32.self)))
            var request: GroupRequest?
            if !inner.isEmpty {
                let innerPrelude = try Prelude(inner)
                guard innerPrelude.code == .groupRequest else { throw GroupFailure.requestDiffers }
                request = try GroupRequest(
                    innerPrelude, SCALEReader(inner, range: Prelude.length..<inner.count))
            }
            return try GroupPackage(
                scheme: scheme, requestID: requestID, ascending: entries, request: request)
        }
    }

    /// Whose entries it has.
    public var signers: GroupMembers { GroupMembers(entries.map(\.index)) }

    /// The messages that the signatures of the entries cover.
    public var commitments: [GroupCommitment] {
        entries.map { GroupCommitment(scheme: scheme, request: requestID, nonces: $0) }
    }

    /// The message as it is sent.
    public var bytes: [UInt8] {
        let inner = request?.bytes ?? []
        return GroupFormat.bytes(scheme, .groupPackage) { writer in
            writer.raw(requestID.bytes)
            writer.integer(signers.bitmap)
            for entry in entries { writer.raw(entry.bytes) }
            writer.integer(UInt32(inner.count))
            writer.raw(inner)
        }
    }

    /// The hash of the package: request, signers and commitments. A share is made for it only if the entries
    /// are those of all signers.
    public var hash: Hash32 { Self.hash(request: requestID, entries) }

    /// The package hash of the entries of all signers, ascending.
    public static func hash(request: Hash32, _ entries: [GroupNonces]) -> Hash32 {
        GroupFormat.hash(
            "package", request.bytes + entries.flatMap { [UInt8($0.index)] + $0.hiding + $0.binding })
    }
}
