import ArgumentParser
import ChainRPC
import SubstratePrimitives
import Terminal

/// How long nodes may take, and at which block they are asked.
struct NetworkOptions: ParsableArguments {
    @Option(help: "seconds until an answer must be there") var timeout = 90
    @Option(help: "attempts at each address before the next") var attempts = 3
    @Option(help: "milliseconds before the second attempt; doubled before each further one") var delay = 1000
    @Option(help: "bytes of one answer at most") var answerLimit = 32 << 20
    @Option(help: "PEM file of a certificate authority to trust besides the system's") var authority: String?

    func validate() throws {
        guard (1...3600).contains(timeout) else { throw ValidationError("--timeout takes 1 to 3600 seconds") }
        guard (1...10).contains(attempts) else { throw ValidationError("--attempts takes 1 to 10") }
        guard (0...60_000).contains(delay) else { throw ValidationError("--delay takes 0 to 60000 milliseconds") }
        guard (1024...1 << 30).contains(answerLimit) else { throw ValidationError("--answer-limit takes 1024 bytes to 1 GiB") }
    }

    func pool(_ addresses: [String]) throws -> NodePool {
        guard !addresses.isEmpty else { throw HotError.noAddress }
        var options = RPCOptions()
        options.handshakeSeconds = min(options.handshakeSeconds, timeout)
        options.answerSeconds = timeout
        options.maximumAnswerBytes = answerLimit
        options.certificateAuthorities = authority
        options.tries = attempts
        options.backOffMilliseconds = delay
        let urls = try addresses.map { address in
            guard let url = NodeURL(address) else { throw HotError.badURL(address) }
            return url
        }
        return NodePool(urls, options: options, report: Self.report)
    }

    /// What is told while a node is asked.
    private static func report(_ event: NodePool.Event) {
        switch event {
        case .trying(let url, let attempt): Console.progress(attempt == 1 ? "asking \(url)" : "asking \(url), attempt \(attempt)")
        case .failed(let url, let attempt, let error):
            Console.endProgress()
            Console.note(Escape.terminal("\(url), attempt \(attempt): \(Wording.rpc(error).message)"))
        case .received(let url, let bytes): Console.progress("\(url): \(bytes / 1000) kB")
        }
    }
}

extension BlockChoice: ExpressibleByArgument {
    public init?(argument: String) {
        guard argument != "finalized" else {
            self = .finalized
            return
        }
        self.init(argument)
    }
}
