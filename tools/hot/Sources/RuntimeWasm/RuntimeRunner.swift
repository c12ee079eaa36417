import Diagnostics
import Glibc
import Sandbox
import SystemIO

/// Calls the functions of a runtime that say what it is. `nodejs` runs it in a process that can do nothing
/// else.
public struct RuntimeRunner: Sendable {
    public struct Limits: Sendable, Equatable {
        /// Seconds of processor time. The largest relay chain runtime needs less than one.
        public var processorTime: UInt64 = 30
        /// Seconds by the clock, from the moment that the process is ready.
        public var time: Double = 60
        /// Bytes of memory that the process can write, the engine included.
        public var memory: UInt64 = 1 << 30
        /// Seconds until the engine is ready.
        var startTime: Double = 20

        public init() {}
    }

    /// What a runtime answered; nobody looked into it yet.
    struct Answers: Equatable {
        var version: [UInt8] = []
        var metadata: [UInt8] = []
        /// By the format that was asked for.
        var byFormat: [UInt32: [UInt8]] = [:]
        /// The functions of state and hashing that it called, sorted.
        var stateFunctions: [String] = []
    }

    /// 16 MiB: more than twenty times the largest metadata in use.
    static let maximumAnswer = 16 << 20
    /// The oldest major version of nodejs that this is meant for: the one in Debian 12.
    static let oldestNode = 18

    private let node: String
    private let limits: Limits
    private let script: String

    public init(limits: Limits = Limits()) throws(RuntimeWasmError) {
        guard let node = Self.find(path: Self.environment("PATH") ?? "") else { throw .noNode }
        self.init(node: node, limits: limits)
    }

    /// - Parameter node: the absolute path of the program.
    init(node: String, limits: Limits = Limits(), script: String = RuntimeScript.text) {
        (self.node, self.limits, self.script) = (node, limits, script)
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// `node`, or `nodejs`, in the folders of `path`. A relative folder would make it depend on where the
    /// command is run.
    static func find(path: String) -> String? {
        for folder in path.split(separator: ":") where folder.utf8.first == UInt8(ascii: "/") {
            for name in ["node", "nodejs"] {
                let program = "\(folder)/\(name)"
                if access(program, X_OK) == 0 { return program }
            }
        }
        return nil
    }

    func answers(of module: WasmModule, code: [UInt8]) throws(RuntimeWasmError) -> Answers {
        var exchange = try exchange()
        guard case (UInt8(ascii: "r"), let version)? = try exchange.next() else { throw .unexpectedAnswer }
        try check(version)
        exchange.send(request(module, code), within: limits)
        var answers = Answers()
        while let frame = try exchange.next() {
            switch frame.tag {
            case UInt8(ascii: "c"): answers.version = frame.body
            case UInt8(ascii: "m"): answers.metadata = frame.body
            case UInt8(ascii: "a"): answers.byFormat[word(frame.body)] = Array(frame.body.dropFirst(4))
            case UInt8(ascii: "s"): answers.stateFunctions = try functions(frame.body)
            case UInt8(ascii: "x"): throw RuntimeWasmError(failure: frame.body)
            case UInt8(ascii: "z"): return answers
            default: throw .unexpectedAnswer
            }
        }
        throw exchange.ended()
    }

    /// Names as the script has them. They are shown, and a runtime may have taken the process over.
    private func functions(_ body: [UInt8]) throws(RuntimeWasmError) -> [String] {
        let names = body.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789_".utf8)
        guard names.count <= 32,
            names.allSatisfy({ (1...64).contains($0.count) && $0.allSatisfy(letters.contains) })
        else {
            throw .unexpectedAnswer
        }
        return names.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Starts the process, waits until the engine is ready, and takes the rest of its rights. Nothing of the
    /// runtime has been sent by then.
    private func exchange() throws(RuntimeWasmError) -> RuntimeExchange {
        let program: ConfinedProgram
        do throws(SandboxError) {
            program = try ConfinedProgram(
                node, RuntimeScript.options + [script],
                readable: ["/usr/share/nodejs", "/etc/ssl/openssl.cnf"],
                limits: .init(memory: limits.memory, processorTime: limits.processorTime))
        } catch {
            throw .sandbox(error.step)
        }
        var exchange = RuntimeExchange(program, seconds: limits.startTime)
        guard try exchange.waitForFirst() else { throw exchange.ended(isStarting: true) }
        do throws(SandboxError) {
            try program.refuseDescriptors()
        } catch {
            throw .sandbox(error.step)
        }
        return exchange
    }

    private func check(_ version: [UInt8]) throws(RuntimeWasmError) {
        let text = String(decoding: version.prefix(32), as: UTF8.self)
        guard let major = text.split(separator: ".").first.flatMap({ Int($0) }) else {
            throw .unexpectedAnswer
        }
        guard major >= Self.oldestNode else { throw .oldNode(text) }
    }

    private func request(_ module: WasmModule, _ code: [UInt8]) -> [UInt8] {
        let memory = module.importedMemory
        let maximum = memory.map { min($0.maximum ?? .max, WasmModule.maximumPages) } ?? 0
        return [memory?.minimum ?? 0, maximum, UInt32(code.count)].flatMap { number in
            (0..<4).map { UInt8(number >> ($0 * 8) & 0xff) }
        }
            + code
    }

    private func word(_ bytes: [UInt8]) -> UInt32 {
        bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Frames from the process and bytes to it, with a bound on everything.
struct RuntimeExchange {
    typealias Frame = (tag: UInt8, body: [UInt8])

    private static let headerLength = 5
    /// One answer for each format, the version, and room.
    private static let maximumFrames = 16

    private let program: ConfinedProgram
    private var seconds: Double
    private var deadline: ContinuousClock.Instant
    private var limits: RuntimeRunner.Limits?
    private var unsent: ArraySlice<UInt8> = []
    private var buffer: [UInt8] = []
    private var frames = 0

    /// - Parameter seconds: until the first frame.
    init(_ program: ConfinedProgram, seconds: Double) {
        (self.program, self.seconds, deadline) = (program, seconds, .now + .seconds(seconds))
    }

    /// The time of the runtime begins here.
    mutating func send(_ bytes: [UInt8], within limits: RuntimeRunner.Limits) {
        unsent = bytes[...]
        self.limits = limits
        seconds = limits.time
        deadline = .now + .seconds(seconds)
    }

    /// Whether a first byte came.
    mutating func waitForFirst() throws(RuntimeWasmError) -> Bool { buffer.isEmpty ? try fill() : true }

    /// The next frame; nil when the process closed its output.
    mutating func next() throws(RuntimeWasmError) -> Frame? {
        while true {
            if buffer.count >= Self.headerLength {
                let length = buffer[1..<Self.headerLength].reversed().reduce(0) { $0 << 8 | Int($1) }
                guard length <= RuntimeRunner.maximumAnswer + 4 else { throw .unexpectedAnswer }
                if buffer.count >= Self.headerLength + length {
                    frames += 1
                    guard frames <= Self.maximumFrames else { throw .unexpectedAnswer }
                    let frame = (buffer[0], Array(buffer[Self.headerLength..<(Self.headerLength + length)]))
                    buffer.removeFirst(Self.headerLength + length)
                    return frame
                }
            }
            guard try fill() else { return nil }
        }
    }

    /// Sends and reads what is possible now. False when the process closed its output.
    private mutating func fill() throws(RuntimeWasmError) -> Bool {
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else {
                program.end()
                throw .timedOut(seconds: Int(seconds.rounded(.up)))
            }
            let ready = program.wait(isTaking: !unsent.isEmpty, milliseconds: Int(left.rounded(.up)))
            if ready.canWrite {
                // A process that reads no more says why, or how it ended.
                if let count = program.take(unsent.prefix(65536)) {
                    unsent.removeFirst(count)
                } else {
                    unsent = []
                }
            }
            guard ready.canRead else { continue }
            var chunk = [UInt8](repeating: 0, count: 65536)
            let count = chunk.withUnsafeMutableBytes { Descriptor.readSome(program.output, into: $0) }
            if count > 0 { buffer += chunk[..<count] }
            return count > 0
        }
    }

    /// Why the process ended before its last answer.
    func ended(isStarting: Bool = false) -> RuntimeWasmError {
        guard let status = program.finish() else { return .ended(status: nil, signal: nil) }
        if isStarting {
            switch ConfinedProgram.startFailure(status) {
            case .sandbox(let step)?: return .sandbox(step)
            case .program?: return .noNode
            case nil: break
            }
        }
        // The kernel kills a process that has used up its processor time.
        if status.signal == SIGKILL || status.signal == SIGXCPU, let limits {
            return .processorTime(seconds: Int(limits.processorTime))
        }
        return .ended(status: status.code, signal: status.signal)
    }
}
