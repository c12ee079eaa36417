import Diagnostics
import Sandbox
import ScanProtocol
import SubstratePrimitives

extension RuntimeWasmError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case noNode = "no-nodejs"
        case oldNode = "nodejs-too-old"
        case noSandbox = "no-sandbox"
        case ended = "nodejs-ended"
        case notARuntime = "not-a-runtime"
        case damaged = "runtime-damaged"
        case tooLarge = "runtime-too-large"
        case unsupported = "runtime-unsupported"
        case hostFunction = "runtime-host-function"
        case trapped = "runtime-trapped"
        case panicked = "runtime-panicked"
        case memory = "runtime-memory"
        case answer = "runtime-answer"
        case timeout = "runtime-timeout"
        case inconsistent = "runtime-inconsistent"
    }

    public var code: Code {
        switch self {
        case .noNode: .noNode
        case .oldNode: .oldNode
        case .sandbox: .noSandbox
        case .ended, .unexpectedAnswer: .ended
        case .notARuntime, .callMissing: .notARuntime
        case .compressed(.tooLong): .tooLarge
        case .compressed(.outOfMemory), .outOfMemory: .memory
        case .compressed(.unsupportedFrame), .unsupported: .unsupported
        case .compressed, .malformed, .notCompiled: .damaged
        case .hostFunction: .hostFunction
        case .trapped: .trapped
        case .panicked: .panicked
        case .overran, .outsideMemory, .answerTooLong, .malformedAnswer: .answer
        case .timedOut, .processorTime: .timeout
        case .twoMetadata, .otherVersion: .inconsistent
        }
    }

    public var sentence: String {
        switch self {
        case .noNode: "nodejs, which runs the runtime, is not installed"
        case .oldNode(let version): "nodejs \(version) is too old: \(RuntimeRunner.oldestNode) or newer is needed"
        case .sandbox(let step): "nodejs cannot enter the sandbox (\(step.rawValue)), so the runtime is not run"
        case .ended(let status, let signal):
            "nodejs ended before the runtime had answered (\(signal.map { "signal \($0)" } ?? "status \(status ?? 0)"))"
        case .unexpectedAnswer: "nodejs wrote something that its script does not write"
        case .notARuntime: "the file is not a WebAssembly runtime"
        case .compressed(let problem): Self.sentence(problem)
        case .malformed(let offset): "the runtime is damaged at byte \(offset) of its code"
        case .unsupported(let feature): Self.sentence(feature)
        case .notCompiled(let detail): "nodejs refuses the runtime: \(detail)"
        case .callMissing(let name): "the file is not a runtime: it has no function \(name)"
        case .hostFunction(let name, let call): "the call \(call) needs the host function \(name), which only nodes provide"
        case .trapped(let call, let detail): "the call \(call) failed: \(detail)"
        case .panicked(let call, let message): "the call \(call) panicked: \(message)"
        case .overran(let call): "the call \(call) wrote outside of its blocks of memory, so its answer is not used"
        case .outOfMemory(let call): "the call \(call) needs more than \(WasmModule.maximumPages >> 4) MiB of memory"
        case .outsideMemory(let call): "the call \(call) answers with bytes outside its memory"
        case .answerTooLong(let call): "the call \(call) answers with more than \(RuntimeRunner.maximumAnswer >> 20) MiB"
        case .malformedAnswer(let call): "the answer of \(call) is malformed"
        case .timedOut(let seconds): "the runtime did not answer within \(Sentence.count(seconds, "second"))"
        case .processorTime(let seconds): "the runtime used up its \(Sentence.count(seconds, "second")) of processor time"
        case .twoMetadata(let format): "the runtime gives two different metadata V\(format)"
        case .otherVersion(let runtime, let metadata):
            "the runtime is \(runtime.specName) \(runtime.specVersion), but its metadata is for \(metadata.specName) \(metadata.specVersion)"
        }
    }

    private static func sentence(_ problem: ExpansionProblem) -> String {
        switch problem {
        case .tooLong(let bytes): "the runtime has more than \(bytes >> 20) MiB of code"
        case .notAFrame: "the compressed runtime is not a zstd frame"
        case .unsupportedFrame: "the compressed runtime needs a zstd window of more than 128 MiB"
        case .truncated: "the compressed runtime is truncated"
        case .trailing(let bytes): "\(Sentence.leftover(bytes)) after the compressed runtime"
        case .outOfMemory: "the compressed runtime needs too much memory to expand"
        case .corrupt, .lengthDiffers, .tookTooLong, .crashed: "the compressed runtime is damaged"
        }
    }

    private static func sentence(_ feature: Feature) -> String {
        switch feature {
        case .memories: "the runtime does not have exactly one memory"
        case .memoryKind: "the runtime has a shared or 64-bit memory, which is not supported"
        case .memorySize(let pages): "the runtime starts with \(pages) pages of memory, more than the limit of \(WasmModule.maximumPages)"
        case .importKind: "the runtime imports a table or a global, which nodes do not provide"
        case .noMemory: "the runtime does not export its memory"
        case .noHeapBase: "the runtime does not say where its heap begins (__heap_base)"
        }
    }

    public static var examples: [RuntimeWasmError] {
        let call = "Metadata_metadata"
        return [
            .noNode, .oldNode("16.20.2"), .sandbox(.seccomp), .ended(status: nil, signal: 6), .unexpectedAnswer, .notARuntime,
            .callMissing(call), .malformed(offset: 8), .notCompiled("invalid value type"), .unsupported(.memories),
            .unsupported(.memoryKind),
            .unsupported(.memorySize(pages: 65_536)), .unsupported(.importKind), .unsupported(.noMemory), .unsupported(.noHeapBase),
            .hostFunction("ext_offchain_random_seed_version_1", call: call), .trapped(call: call, detail: "unreachable"),
            .panicked(call: call, message: "panicked at runtime/src/lib.rs:1:1: no state"), .overran(call: call), .outOfMemory(call: call),
            .outsideMemory(call: call), .answerTooLong(call: call), .malformedAnswer(call: call), .timedOut(seconds: 60),
            .processorTime(seconds: 30), .twoMetadata(format: 14),
            .otherVersion(
                runtime: RuntimeVersion(specName: "westend", specVersion: 9150),
                metadata: RuntimeVersion(specName: "westend", specVersion: 9151)),
        ]
            + [.tooLong(bytes: 50 << 20), .notAFrame, .unsupportedFrame, .truncated, .trailing(bytes: 1), .corrupt, .outOfMemory].map(
                compressed)
    }
}
