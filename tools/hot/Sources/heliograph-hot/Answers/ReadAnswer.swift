import ArgumentParser
import ChainRPC
import Hashing
import HotStore
import HotTransactions
import SubstratePrimitives
import Terminal
import UOS

struct ReadAnswer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "an answer of the offline side: its signature checked, the signed extrinsic as hex")
    @Argument(help: "pictures or folders of the answer, or - for one on standard input") var inputs: [String] = []
    @Option(help: "the answer without pictures: what its QR code says, or @FILE of that") var hex: String?
    @Option(help: "the payload that was signed: .hex, .bin or pictures; the newest that the signature fits without") var payload: String?
    @Option(help: "submit to this node (ws or wss) and follow to finality; known for those of the database") var submit: String?
    @Option(help: "seconds to follow a transaction") var follow = 600
    @OptionGroup var network: NetworkOptions
    @OptionGroup var scanner: ScannerOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard inputs.isEmpty != (hex == nil) else { throw ValidationError("either pictures or --hex is needed") }
        guard (1...86_400).contains(follow) else { throw ValidationError("--follow takes 1 to 86400 seconds") }
    }

    func run() async throws {
        let store = try database.open()
        switch try AnswerContent(try answer()) {
        case .messageSignature(let bytes):
            Console.note("the signature of a message, unchecked: the message is not known here")
            Console.print(Hex.encode(bytes))
        case .derivations(let export):
            for seed in export.seeds {
                for key in seed.keys {
                    Console.print(Escape.terminal("\(key.address)  \(seed.name)\(key.path ?? "")  \(key.genesisHash.hex)"))
                }
            }
        case .signatures(let signatures): try await read(signatures, store)
        }
    }

    private func answer() throws -> [UInt8] {
        guard let hex else {
            switch try scanner.content(of: inputs) {
            case .payload(let bytes): return bytes
            case .unproved: throw HotError.framesUnproved
            case .shares: throw HotError.notAnAnswer
            }
        }
        if hex.hasPrefix("@") { return AnswerContent.trimmed(try Files.read(String(hex.dropFirst()))) }
        return Array(hex.utf8)
    }

    private func read(_ signatures: [MultiSignature], _ store: HotStore) async throws {
        let requests = try request(signedBy: signatures, store)
        var extrinsics: [[UInt8]] = []
        for (request, signature) in zip(requests, signatures) {
            let extrinsic = try request.extrinsic(signature, store: store)
            extrinsics.append(extrinsic)
            Console.print(Hex.encode(extrinsic))
        }
        Console.note("\(signatures.count) signature\(signatures.count == 1 ? "" : "s") verified")
        guard let submit else { return }
        for (request, extrinsic) in zip(requests, extrinsics) {
            let addresses = try submit == "known" ? self.endpoints(request, store) : [submit]
            let submission = Submission(extrinsic: extrinsic, genesisHash: request.genesisHash, seconds: follow)
            try await submission.run(try network.pool(addresses))
        }
    }

    private func endpoints(_ request: SignedRequest, _ store: HotStore) throws -> [String] {
        guard let name = try store.name(genesis: request.genesisHash, scheme: request.scheme) else {
            throw HotError.unknownGenesis(request.genesisHash)
        }
        return try store.network(name).endpoints
    }

    /// The transactions of the payload that was given, or of the newest payload made here that every signature fits.
    private func request(signedBy signatures: [MultiSignature], _ store: HotStore) throws -> [SignedRequest] {
        func fits(_ requests: [SignedRequest]) -> Bool {
            requests.count == signatures.count && zip(requests, signatures).allSatisfy { $0.isSigned(by: $1) }
        }
        if let payload {
            switch try content(payload) {
            case .payload(let bytes):
                let requests = try SignedRequest.all(in: bytes)
                guard fits(requests) else { throw HotError.signatureMismatch }
                return requests
            case .unproved(let readings):
                // The signatures of the answer are over one of the readings, or over neither.
                for bytes in readings {
                    if let requests = try? SignedRequest.all(in: bytes), fits(requests) { return requests }
                }
                throw HotError.framesUnproved
            case .shares:
                throw HotError.notATransaction
            }
        }
        for bytes in try store.requests() {
            if let requests = try? SignedRequest.all(in: bytes), fits(requests) { return requests }
        }
        throw HotError.noFittingRequest
    }

    private func content(_ path: String) throws -> PayloadAssembler.Result.Content {
        if path.hasSuffix(".hex") || path.hasSuffix(".bin") { return .payload(Files.hexOrRaw(try Files.read(path))) }
        return try scanner.content(of: [path])
    }
}

extension AnswerContent {
    /// Text without the line feed that an editor or a decoder puts behind it; bytes that are no text stay as they are.
    static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        guard String(validating: bytes, as: UTF8.self) != nil else { return bytes }
        return Array(bytes.prefix { $0 != 0x0a && $0 != 0x0d })
    }
}
