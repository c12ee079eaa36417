import FixtureRuntime
import Hashing
import NodeAnswers
import SCALE
import SubstratePrimitives

/// What the practice chain answers to the requests that a node of Substrate gets: the methods of
/// ``RPCMethod``.
///
/// Whoever asks needs no belief in it: the network is for practice, and its genesis hash keeps all that is
/// signed for it apart from every real chain (``PracticeNetwork``).
extension PracticeChain {
    /// What goes back for one request.
    public struct Reply: Sendable {
        /// JSON-RPC messages in their order: the answer, then the notices of a subscription.
        public let messages: [[UInt8]]
        /// The transaction that this request put into a block.
        public let submitted: (extrinsic: [UInt8], block: Block)?
    }

    /// A request as it came: its values and levels are few, whatever it holds.
    private static let limits = StrictJSON.Limits(depth: 8, values: 1 << 10, takesEveryNumber: true)
    /// The first of the methods that share a name: which of them is meant, its parameters say.
    private static let methods: [ExactText: RPCMethod] = Dictionary(
        RPCMethod.allCases.map { (ExactText($0.name), $0) }
    ) { first, _ in first }

    /// Answers a request.
    /// - Parameters:
    ///   - request: one JSON-RPC 2.0 request as text.
    ///   - time: when it came, in milliseconds since 1970; nil for the time of the newest block.
    public mutating func reply(to request: [UInt8], at time: UInt64? = nil) -> Reply {
        guard let message = try? StrictJSON.parse(request, limits: Self.limits),
            let id = message["id"].flatMap(Self.text), let name = message["method"]?.string
        else { return Reply(messages: [Self.error(.malformedRequest, id: "null")], submitted: nil) }
        do throws(PracticeRefusal) {
            guard let method = Self.methods[ExactText(name)] else { throw .unknownMethod }
            var parameters: [StrictJSON.Value] = []
            if case .array(let given)? = message["params"] { parameters = given }
            guard method != .submitAndWatch else { return try watch(parameters, id: id, at: time) }
            let result = try answer(method, parameters)
            return Reply(messages: [Self.result(result, id: id)], submitted: nil)
        } catch {
            return Reply(messages: [Self.error(error, id: id)], submitted: nil)
        }
    }

    /// What goes back for a request that cannot be carried out, whatever the chain says of it.
    public static func refusal(_ refusal: PracticeRefusal, of request: [UInt8]) -> [UInt8] {
        let message = try? StrictJSON.parse(request, limits: limits)
        return error(refusal, id: message?["id"].flatMap(text) ?? "null")
    }

    // MARK: Submission

    /// Takes a transaction, and tells its way to a final block.
    private mutating func watch(
        _ parameters: [StrictJSON.Value], id: String, at time: UInt64?
    ) throws(PracticeRefusal) -> Reply {
        guard let extrinsic = parameters.first?.string.flatMap(Self.bytes) else { throw .badParameters }
        let block = try submit(extrinsic, at: time)
        let subscription = StrictJSON.quote("practice-\(block.number)")
        let hash = Self.hex(block.hash.bytes)
        let notices = [#""ready""#, #"{"inBlock":\#(hash)}"#, #"{"finalized":\#(hash)}"#].map { status in
            Array(
                #"{"jsonrpc":"2.0","method":"author_extrinsicUpdate","params":{"subscription":\#(subscription),"result":\#(status)}}"#
                    .utf8)
        }
        return Reply(
            messages: [Self.result(subscription, id: id)] + notices, submitted: (extrinsic, block))
    }

    // MARK: Questions

    /// The result of a method, as JSON.
    private func answer(_ method: RPCMethod, _ parameters: [StrictJSON.Value]) throws(PracticeRefusal)
        -> String
    {
        let specs = PracticeNetwork.specs
        switch method {
        case .chainName: return StrictJSON.quote(specs.title)
        case .properties:
            return
                #"{"ss58Format":\#(specs.base58Prefix),"tokenDecimals":\#(specs.decimals),"tokenSymbol":\#(StrictJSON.quote(specs.unit))}"#
        case .finalizedHead: return Self.hex(head.hash.bytes)
        case .blockHash:
            guard let number = parameters.first, number != .null else { return Self.hex(head.hash.bytes) }
            guard let number = number.number.flatMap({ UInt32(exactly: $0) }) else { throw .badParameters }
            return block(number: number).map { Self.hex($0.hash.bytes) } ?? "null"
        case .header:
            guard let found = try? block(parameters.first) else { return "null" }
            return Self.header(found)
        case .block:
            guard let found = try? block(parameters.first) else { return "null" }
            let body = found.extrinsics.map(Self.hex).joined(separator: ",")
            return
                #"{"block":{"header":\#(Self.header(found)),"extrinsics":[\#(body)]},"justifications":null}"#
        case .nextIndex:
            guard let address = parameters.first?.string, let found = try? SS58Address(address),
                let account = Hash32(found.account)
            else { throw .badParameters }
            return "\(nonce(of: account))"
        case .runtimeVersion:
            _ = try block(parameters.first)
            return Self.runtimeVersion
        case .metadata:
            _ = try block(parameters.first)
            return Self.hex(PracticeNetwork.runtime.metadata(.v14))
        case .storageHash:
            _ = try block(parameters.dropFirst().first)
            return parameters.first?.string.flatMap(Self.bytes) == Array(":code".utf8)
                ? Self.hex(BLAKE2b.hash(PracticeNetwork.code)) : "null"
        case .storage, .events:
            guard let key = parameters.first?.string.flatMap(Self.bytes) else { throw .badParameters }
            return try block(parameters.dropFirst().first).value(key).map(Self.hex) ?? "null"
        case .readProof:
            guard case .array(let given)? = parameters.first else { throw .badParameters }
            let keys = given.compactMap { $0.string.flatMap(Self.bytes) }
            guard keys.count == given.count else { throw .badParameters }
            let block = try block(parameters.dropFirst().first)
            let nodes = try block.proof(of: keys).map(Self.hex).joined(separator: ",")
            return #"{"at":\#(Self.hex(block.hash.bytes)),"proof":[\#(nodes)]}"#
        case .runtimeCall, .shortRuntimeCall:
            guard parameters.count >= 2, let function = parameters[0].string,
                let arguments = parameters[1].string.flatMap(Self.bytes)
            else { throw .badParameters }
            let block = try block(parameters.dropFirst(2).first)
            return Self.hex(try run(ExactText(function), arguments, at: block))
        case .submitAndWatch: throw .unknownMethod
        }
    }

    /// The block that a parameter names; the newest one without it.
    private func block(_ parameter: StrictJSON.Value?) throws(PracticeRefusal) -> Block {
        guard let parameter, parameter != .null else { return head }
        guard let hash = parameter.string.flatMap({ Hash32(hex: $0) }) else { throw .badParameters }
        guard let found = block(hash) else { throw .unknownBlock }
        return found
    }

    // MARK: The runtime

    /// What a function of the runtime gives.
    private func run(_ function: ExactText, _ arguments: [UInt8], at block: Block) throws(PracticeRefusal)
        -> [UInt8]
    {
        do {
            var reader = SCALEReader(arguments)
            switch function {
            case "Metadata_metadata_at_version":
                let metadata = PracticeNetwork.metadata(format: try reader.integer())
                try reader.finish()
                return SCALEWriter.encode { $0.option(metadata) { $0.byteVector($1) } }
            case "TransactionPaymentApi_query_info":
                let extrinsic = try reader.bytes(count: max(0, arguments.count - 4))
                guard try reader.integer(UInt32.self) == UInt32(extrinsic.count) else {
                    throw PracticeRefusal.noSuchFunction
                }
                _ = try PracticeExtrinsic(extrinsic)
                let fee = PracticeNetwork.fee(length: extrinsic.count)
                return PracticeEvent.weight + [0] + FixtureValue.integer(fee)
            case "DryRunApi_dry_run_call": return try dryRun(&reader, at: block)
            case "TaggedTransactionQueue_validate_transaction":
                // From outside; the block that it is judged at.
                _ = try reader.u8()
                let extrinsic = try reader.bytes(count: max(0, reader.remaining - 32))
                return validity(of: try PracticeExtrinsic(extrinsic))
            default: throw PracticeRefusal.noSuchFunction
            }
        } catch {
            throw error as? PracticeRefusal ?? .noSuchFunction
        }
    }

    /// What a call would do: its result, then no event and no message.
    private func dryRun(_ reader: inout SCALEReader, at block: Block) throws -> [UInt8] {
        // The origin: of the pallet System, signed.
        guard try reader.u8() == 0, try reader.u8() == 1 else { throw PracticeRefusal.noSuchFunction }
        let account = try reader.hash32()
        let call = try PracticeCall(&reader, depth: 0)
        // The version of XCM that the result should have.
        _ = try reader.integer(UInt32.self)
        try reader.finish()
        var state = block.state
        let post = [1] + PracticeEvent.weight + [0]
        let nothing = [UInt8](repeating: 0, count: 3)
        do throws(PracticeFailure) {
            _ = try state.carryOut(call, by: account)
            return [0, 0] + post + nothing
        } catch {
            return [0, 1] + post + error.bytes + nothing
        }
    }

    /// Whether the pool would take a transaction: `ValidTransaction` without demands, or why not.
    private func validity(of extrinsic: PracticeExtrinsic) -> [UInt8] {
        do throws(PracticeRefusal) {
            try check(extrinsic)
            return SCALEWriter.encode { writer in
                writer.u8(0)
                // The priority; what must come before, and what this provides; how long; to others, too.
                writer.integer(UInt64(0))
                writer.compact(0)
                writer.compact(0)
                writer.integer(UInt64(64))
                writer.bool(true)
            }
        } catch {
            // An unknown transaction that cannot be judged is the only other kind.
            return error.invalidTransaction.map { [1, 0, $0] } ?? [1, 1, 0]
        }
    }

    // MARK: JSON

    private static let runtimeVersion: String = {
        let runtime = PracticeNetwork.runtime
        let name = StrictJSON.quote(runtime.specName)
        let versions = #""specVersion":\#(runtime.specVersion),"implVersion":0,"authoringVersion":1"#
        return
            #"{"specName":\#(name),"implName":"practice",\#(versions),"transactionVersion":\#(runtime.transactionVersion),"apis":[],"stateVersion":1}"#
    }()

    private static func header(_ block: Block) -> String {
        let number = StrictJSON.quote("0x" + String(block.number, radix: 16))
        let parts = [
            ("parentHash", hex(block.header.parent.bytes)), ("number", number),
            ("stateRoot", hex(block.header.stateRoot.bytes)),
            ("extrinsicsRoot", hex(block.header.extrinsicsRoot.bytes)), ("digest", #"{"logs":[]}"#),
        ]
        return "{" + parts.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    private static func hex(_ bytes: [UInt8]) -> String { "\"0x\(Hex.encode(bytes))\"" }

    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8Starts(with: "0x") else { return nil }
        return text.utf8Equals("0x") ? [] : Hex.decode(text)
    }

    /// The number of a request, as it is repeated: a number or a text.
    private static func text(_ id: StrictJSON.Value) -> String? {
        switch id {
        case .number(let number): "\(number)"
        case .string(let text): StrictJSON.quote(text)
        case .null, .bool, .otherNumber, .array, .object: nil
        }
    }

    private static func result(_ value: String, id: String) -> [UInt8] {
        Array(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(value)}"#.utf8)
    }

    private static func error(_ refusal: PracticeRefusal, id: String) -> [UInt8] {
        let message = StrictJSON.quote(refusal.message)
        return Array(
            #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(refusal.code),"message":\#(message)}}"#.utf8)
    }
}
