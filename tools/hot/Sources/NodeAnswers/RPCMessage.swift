import SubstratePrimitives

/// A parameter of a request.
public enum RPCParameter: Sendable, Equatable {
    case text(String)
    case texts([String])
    case number(UInt32)
}

/// A request of JSON-RPC 2.0.
public struct RPCRequest: Sendable, Equatable {
    public let id: Int
    public let method: RPCMethod
    public let parameters: [RPCParameter]

    public init(id: Int, method: RPCMethod, parameters: [RPCParameter]) {
        self.id = id
        self.method = method
        self.parameters = parameters
    }

    public var bytes: [UInt8] {
        let values = parameters.map { parameter in
            switch parameter {
            case .text(let text): StrictJSON.quote(text)
            case .texts(let texts): "[\(texts.map(StrictJSON.quote).joined(separator: ","))]"
            case .number(let number): "\(number)"
            }
        }
        return Array(
            #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method.name)","params":[\#(values.joined(separator: ","))]}"#
                .utf8)
    }
}

/// A message from a node, by what it is about.
public enum RPCMessage: Sendable, Equatable {
    /// A notice of a subscription: its result, or an error.
    case notice(RPCSubscription, Result<StrictJSON.Value, RPCError>)
    /// The answer to the request with this number.
    case answer(Int, Result<StrictJSON.Value, RPCError>)
    /// An answer without a number: the node could not read a request.
    case unnumbered(RPCError)
    /// JSON about nothing that was asked.
    case other

    /// - Parameters:
    ///   - values: how many values the message may have.
    ///   - hasTime: false when the deadline of every waiting request has passed.
    public init(_ bytes: [UInt8], values: Int, hasTime: @escaping @Sendable () -> Bool = { true })
        throws(RPCError)
    {
        // Numbers beyond 64 bits and fractions may stand in fields that nothing here reads.
        let limits = StrictJSON.Limits(
            depth: RPCMethod.maximumDepth, values: values, takesEveryNumber: true, hasTime: hasTime)
        let message: StrictJSON.Value
        do {
            message = try StrictJSON.parse(bytes, limits: limits)
        } catch {
            throw .invalidJSON(error)
        }
        if let parameters = message["params"],
            let subscription = parameters["subscription"].flatMap(RPCSubscription.init)
        {
            let result = parameters["result"].map { Result<StrictJSON.Value, RPCError>.success($0) }
            self = .notice(subscription, result ?? .failure(Self.refusal(parameters["error"])))
        } else if let id = message["id"]?.number {
            self = .answer(id, Self.result(message))
        } else if let error = message["error"], error != .null {
            self = .unnumbered(Self.refusal(error))
        } else if message["id"] == .null {
            self = .unnumbered(.notAnAnswer)
        } else {
            self = .other
        }
    }

    private static func result(_ message: StrictJSON.Value) -> Result<StrictJSON.Value, RPCError> {
        if let error = message["error"], error != .null { return .failure(refusal(error)) }
        guard let result = message["result"] else { return .failure(.notAnAnswer) }
        return .success(result)
    }

    private static func refusal(_ error: StrictJSON.Value?) -> RPCError {
        guard let error, let code = error["code"]?.number, let text = error["message"]?.string else {
            return .notAnAnswer
        }
        let detail = error["data"]?.string.map { "\(text): \($0)" }
        return .refusedByNode(code: code, message: detail ?? text)
    }
}

/// The name of a subscription: nodes use text or a number.
public enum RPCSubscription: Sendable, Hashable {
    case text(ExactText)
    case number(Int)

    public init?(_ value: StrictJSON.Value) {
        switch value {
        case .string(let text): self = .text(ExactText(text))
        case .number(let number): self = .number(number)
        case .null, .bool, .otherNumber, .array, .object: return nil
        }
    }
}

extension StrictJSON.Value {
    /// A field of an object; nil if it is missing or this is not an object.
    public subscript(field: String) -> StrictJSON.Value? {
        guard case .object(let object) = self else { return nil }
        return object[field]
    }

    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    public var number: Int? {
        guard case .number(let number) = self else { return nil }
        return number
    }
}
