import ArgumentParser
import ChainRPC
import Hashing
import HotStore
import HotTransactions
import Lines
import SubstratePrimitives
import UOS

struct ReadAnswer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Read an answer of the offline side, verify it and print the signed extrinsic as hex.")
    @Argument(help: "Pictures or directories of the answer, or - for standard input.") var inputs: [String] =
        []
    @Option(help: "The text of the answer's QR code, or @FILE.") var hex: String?
    @Option(help: "The signed payload: .hex, .bin or pictures (default: the newest made here that matches).")
    var payload: String?
    @Option(
        help:
            "Submit to this ws or wss URL and follow to finality, or stored for the URLs in the hot database."
    )
    var submit: String?
    @Option(help: "Seconds to follow a transaction.") var follow = 600
    @Flag(help: "End with exit status 1 if the result of a submitted transaction cannot be checked.")
    var strict = false
    @Flag(help: "Replace other keys that are kept for the paths of this answer.") var replace = false
    @OptionGroup var quorum: QuorumOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var scanner: ScannerOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard inputs.isEmpty != (hex == nil) else { throw ValidationError("give either pictures or --hex") }
        guard (1...86_400).contains(follow) else {
            throw ValidationError("--follow must be 1 to 86400 seconds")
        }
    }

    func run() async throws {
        // A URL that cannot be used is refused before anything is read, shown or sent.
        if let submit, submit != "stored" { _ = try Submission.nodes([submit]) }
        let store = try database.open()
        let named = try payload.map(content)
        switch try AnswerContent(try answer()) {
        case .messageSignature(let bytes):
            try read(messageSignature: bytes, over: message(in: named, signedBy: bytes, store))
        case .addresses(let response):
            guard
                let found = try named.map({ try request(in: $0, answeredBy: response) })
                    ?? DerivedAddresses.answering(response, in: store)
            else { throw HotError.noMatchingDerivations }
            try found.take(into: store, replacing: replace)
        case .derivations(let export):
            // All of them are checked before the first is printed.
            let lines = try export.seeds.flatMap { seed in
                try seed.keys.map { key in
                    let name = try store.name(genesis: key.genesisHash, scheme: key.scheme)
                    try key.requireAddress(name.map { try store.network($0).specs })
                    return "\(key.address)  \(seed.name)\(key.path ?? "")  0x\(key.genesisHash.hex)"
                }
            }
            for line in lines { Console.print(Escape.terminal(line)) }
            Console.note(DerivedAddresses.unsigned)
        case .guardPoint(let point):
            Console.print(Hex.encode(try GuardedRequest.reveal(to: point, store)))
            Console.note(
                """
                the point is kept: show the second code to the signer, which heliograph-hot qr --hex HEX draws
                """)
        case .signatures(let signatures):
            // A bare ecdsa signature may start as a scheme's index does; the payload says which of the two it
            // is.
            if signatures.count == 1, case let bare = [signatures[0].scheme.rawValue] + signatures[0].bytes,
                let message = try message(in: named, signedBy: bare, store)
            {
                return try read(messageSignature: bare, over: message)
            }
            try await read(signatures, of: named, store)
        }
    }

    /// The request that --payload names, with the answer beside it.
    private func request(
        in named: PayloadAssembler.Result.Content, answeredBy response: DynamicDerivationsResponse
    ) throws -> DerivedAddresses {
        guard case .payload(let bytes) = named else { throw HotError.framesUnproved }
        guard case .derivationsRequest(let request) = try Payload(bytes).content,
            let found = DerivedAddresses(response, to: request)
        else { throw HotError.noMatchingDerivations }
        return found
    }

    /// The message that --payload names, else the newest message made here that the signature matches; nil if
    /// no message fits.
    private func message(
        in named: PayloadAssembler.Result.Content?, signedBy signature: [UInt8], _ store: HotStore
    ) throws -> RequestedMessage? {
        guard let named else {
            return try store.requests().lazy.compactMap { try? RequestedMessage($0, store) }.first {
                $0.isSigned(by: signature)
            }
        }
        switch named {
        case .payload(let bytes): return try RequestedMessage(bytes, store)
        case .unproved(let readings):
            // The signature may match one of the readings, and prove it.
            return readings.lazy.compactMap { try? RequestedMessage($0, store) }.first {
                $0.isSigned(by: signature)
            }
        case .shares: throw HotError.notATransaction
        }
    }

    /// - Parameter message: what was to be signed; nil if it is unknown.
    private func read(messageSignature signature: [UInt8], over message: RequestedMessage?) throws {
        if let message {
            guard message.isSigned(by: signature) else { throw HotError.signatureMismatch }
            Console.note("message signature by the \(message.signer.line) verified")
        } else {
            // A signature over a message says nothing about a transaction.
            guard payload == nil else { throw HotError.signatureMismatch }
            Console.note("a message signature, not verified: --payload FILE names the message")
        }
        Console.print(Hex.encode(signature))
    }

    private func answer() throws -> [UInt8] {
        guard let hex else {
            switch try scanner.content(of: inputs) {
            case .payload(let bytes): return bytes
            case .unproved: throw HotError.framesUnproved
            case .shares: throw PayloadError.foreign(.share)
            }
        }
        if hex.hasPrefix("@") { return AnswerContent.trimmed(try Files.read(String(hex.dropFirst()))) }
        return Array(hex.utf8)
    }

    private func read(
        _ signatures: [MultiSignature], of named: PayloadAssembler.Result.Content?, _ store: HotStore
    ) async throws {
        let requests = try requests(of: named, signedBy: signatures, store)
        for (request, signature) in zip(requests, signatures) {
            try GuardedRequest(request, store).check(signature)
        }
        // Every transaction has its node before the first is sent.
        let pools = try submit.map { submit in try requests.map { try nodes(for: $0, submit, store) } }
        let extrinsics = try zip(requests, signatures).map { try $0.extrinsic($1, store: store) }
        let lives = try SignedRequest.keep(signed: requests, extrinsics, isSent: submit != nil, store)
        for extrinsic in extrinsics { Console.print(Hex.encode(extrinsic)) }
        Console.note("\(signatures.count) signature\(signatures.count == 1 ? "" : "s") verified")
        guard let pools else { return }
        let submissions = requests.indices.map { index in
            let (request, pool) = (requests[index], pools[index])
            return (
                Submission(
                    lives[index], request, extrinsics[index], seconds: follow, pool.check, store),
                pool.submitted
            )
        }
        try await Submission.run(all: submissions, store)
    }

    /// Where a transaction is sent, and who is asked about its result.
    private func nodes(
        for request: SignedRequest, _ submit: String, _ store: HotStore
    ) throws -> (submitted: NodePool, check: ResultCheck) {
        let addresses = submit == "stored" ? try endpoints(request, store) : [submit]
        let submitted = try network.pool(urls: Submission.nodes(addresses), store)
        let asked = quorum.quorum > 1 ? try network.pool(addresses, store) : submitted
        try quorum.require(asked)
        return (submitted, try request.check(quorum, strict: strict, asked, store))
    }

    private func endpoints(_ request: SignedRequest, _ store: HotStore) throws -> [String] {
        guard let name = try store.name(genesis: request.genesisHash, scheme: request.signer.scheme) else {
            throw HotError.unknownGenesis(request.genesisHash)
        }
        return try store.network(name).endpoints
    }

    /// The transactions of the given payload, or of the newest payload made here that the signatures match.
    private func requests(
        of named: PayloadAssembler.Result.Content?, signedBy signatures: [MultiSignature], _ store: HotStore
    ) throws -> [SignedRequest] {
        func match(_ requests: [SignedRequest]) -> Bool { SignedRequest.match(requests, signatures) }
        if let named {
            switch named {
            case .payload(let bytes):
                let requests = try SignedRequest.all(in: bytes, store)
                guard match(requests) else { throw HotError.signatureMismatch }
                return requests
            case .unproved(let readings):
                // The signatures may match one of the readings, and prove it.
                for bytes in readings {
                    if let requests = try? SignedRequest.all(in: bytes, store), match(requests) {
                        return requests
                    }
                }
                throw HotError.framesUnproved
            case .shares:
                throw HotError.notATransaction
            }
        }
        // A record of a transaction is kept for longer than a request.
        for bytes in try store.requests() + store.transactions().reversed().map(\.content.payload) {
            if let requests = try? SignedRequest.all(in: bytes, store), match(requests) { return requests }
        }
        throw HotError.noMatchingRequest
    }

    private func content(_ path: String) throws -> PayloadAssembler.Result.Content {
        if path.hasSuffix(".hex") || path.hasSuffix(".bin") {
            return .payload(Files.hexOrRaw(try Files.read(path)))
        }
        return try scanner.content(of: [path])
    }
}

extension SeedInfo.DerivedKey {
    /// Refuses what is no address of the key's scheme, or of another network's prefix: an export is text that
    /// nobody signed, and people send money to what is printed here.
    /// - Parameter specs: of the key's network; nil if it is not in the hot database.
    func requireAddress(_ specs: NetworkSpecs?) throws {
        switch scheme {
        case .ed25519, .sr25519:
            let parsed = try SS58Address(address)
            guard parsed.account.count == scheme.payloadKeyLength else { throw HotError.badAddress(address) }
            if let specs, specs.base58Prefix != parsed.prefix {
                throw HotError.prefixOfAnotherNetwork(
                    address: address, network: specs.name, expected: specs.base58Prefix, found: parsed.prefix)
            }
        case .ecdsa, .ethereum:
            guard address.utf8Starts(with: "0x"), let bytes = Hex.decode(address),
                PublicKey(scheme: scheme, bytes: bytes) != nil
            else { throw HotError.badAddress(address) }
        }
    }
}

extension AnswerContent {
    /// Text without its line ending; other bytes unchanged.
    static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        guard String(validating: bytes, as: UTF8.self) != nil else { return bytes }
        return Array(bytes.prefix { $0 != 0x0a && $0 != 0x0d })
    }
}
