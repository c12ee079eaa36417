import ArgumentParser
import ChainRPC
import HotStore
import Lines
import NodeAnswers
import SubstratePrimitives

/// Limits for requests to nodes.
struct NetworkOptions: ParsableArguments {
    @Option(help: "Seconds to wait for each answer; a command may ask for many.") var timeout = 90
    @Option(help: "Attempts at each URL before the next.") var attempts = 3
    @Option(help: "Milliseconds before the second attempt, doubled before each further one.") var delay = 1000
    @Option(help: "The maximum length of an answer in bytes.") var answerLimit = 32 << 20
    @Option(help: "A PEM file of certificate authorities to trust in addition to the system's.")
    var authority: String?
    @Flag(help: "Refuse URLs without TLS and servers without TLS 1.3.") var tls13 = false
    @Option(
        help: ArgumentHelp(
            "A file of headers for servers, such as tokens; /dev/fd/N is a descriptor.",
            discussion: """
                One in a line: the server's wss or https URL, a blank, and NAME: VALUE. A server gets its own \
                headers alone, over TLS. They are not printed and not kept.
                """, valueName: "file"),
        completion: .file()) var headers: String?

    func validate() throws {
        guard (1...3600).contains(timeout) else {
            throw ValidationError("--timeout must be 1 to 3600 seconds")
        }
        guard (1...10).contains(attempts) else { throw ValidationError("--attempts must be 1 to 10") }
        guard (0...60_000).contains(delay) else {
            throw ValidationError("--delay must be 0 to 60000 milliseconds")
        }
        guard (1024...1 << 30).contains(answerLimit) else {
            throw ValidationError("--answer-limit must be 1024 bytes to 1 GiB")
        }
    }

    /// - Parameter store: holds the pins of the servers.
    func pool(_ addresses: [String], _ store: HotStore) throws -> NodePool {
        guard !addresses.isEmpty else { throw HotError.noAddress }
        return try pool(urls: try addresses.map(Self.url), store)
    }

    static func url(_ address: String) throws -> NodeURL {
        guard let url = NodeURL(address) else { throw HotError.badURL(address) }
        return url
    }

    /// - Parameter urls: at least one.
    func pool(urls: [NodeURL], _ store: HotStore) throws -> NodePool {
        NodePool(urls, options: try options(store), report: Self.report)
    }

    func options(_ store: HotStore) throws -> RPCOptions {
        var options = RPCOptions()
        options.handshakeSeconds = min(options.handshakeSeconds, timeout)
        options.answerSeconds = timeout
        options.maximumAnswerBytes = answerLimit
        options.certificateAuthorities = try authority.map {
            CertificateAuthorities(path: $0, pem: try Files.read($0))
        }
        options.requiresVersion13 = tls13
        options.headers = try headers.map(Self.headers) ?? [:]
        options.attempts = attempts
        options.backOffMilliseconds = delay
        options.pins = try Pins.all(in: store)
        options.backupPins = try Pins.backups(in: store)
        return options
    }

    /// - Throws: ``HotError/badHeader(path:line:)``, which repeats nothing of what it found, a token perhaps.
    private static func headers(_ path: String) throws -> [NodeURL.Server: [NodeHeader]] {
        var headers: [NodeURL.Server: [NodeHeader]] = [:]
        let lines = try Files.read(path).split(separator: 0x0a, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = line.last == 0x0d ? line.dropLast() : line
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            let parts = line.split(separator: 0x20, maxSplits: 2)
            guard parts.count == 3, parts[1].last == UInt8(ascii: ":"),
                let url = NodeURL(String(decoding: parts[0], as: UTF8.self)), url.scheme.isEncrypted,
                let header = NodeHeader(
                    name: String(decoding: parts[1].dropLast(), as: UTF8.self),
                    value: String(decoding: parts[2], as: UTF8.self))
            else { throw HotError.badHeader(path: path, line: index + 1) }
            headers[url.server, default: []].append(header)
        }
        return headers
    }

    /// Prints the progress of requests.
    private static func report(_ event: NodePool.Event) {
        switch event {
        case .trying(let url, let attempt):
            Console.progress(attempt == 1 ? "asking \(url)" : "asking \(url), attempt \(attempt)")
        case .failed(let url, let attempt, let error):
            Console.endProgress()
            Console.note(Escape.terminal("\(url), attempt \(attempt): \(error.sentence)"))
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
