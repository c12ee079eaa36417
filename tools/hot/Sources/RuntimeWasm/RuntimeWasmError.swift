import Diagnostics
import Sandbox
import ScanProtocol
import SubstratePrimitives

/// Why a runtime gives no metadata.
public enum RuntimeWasmError: Error, Equatable, Sendable {
    // The engine
    case noNode
    /// The version of nodejs that is installed.
    case oldNode(String)
    case sandbox(SandboxError.Step)
    /// It ended by itself before it had answered everything.
    case ended(status: Int32?, signal: Int32?)
    /// It wrote something that the script does not write: a runtime may have taken it over.
    case unexpectedAnswer

    // The file
    case notARuntime
    case compressed(ExpansionProblem)
    /// `offset` counts in the expanded code.
    case malformed(offset: Int)
    case unsupported(Feature)
    /// The engine refuses to compile it; its own words.
    case notCompiled(String)
    case callMissing(String)

    // A call
    /// A function that only a chain's node has.
    case hostFunction(String, call: String)
    /// The engine's own words.
    case trapped(call: String, detail: String)
    /// The runtime's own words.
    case panicked(call: String, message: String)
    /// It wrote where none of its blocks of memory is.
    case overran(call: String)
    case outOfMemory(call: String)
    case outsideMemory(call: String)
    case answerTooLong(call: String)
    case malformedAnswer(call: String)
    case timedOut(seconds: Int)
    case processorTime(seconds: Int)

    // Answers that contradict each other
    case twoMetadata(format: UInt8)
    case otherVersion(runtime: RuntimeVersion, metadata: RuntimeVersion)

    /// What no runtime needs.
    public enum Feature: Equatable, Sendable {
        /// None or several.
        case memories
        /// 64 bits, or shared between threads.
        case memoryKind
        case memorySize(pages: UInt32)
        /// A table or a variable.
        case importKind
        /// Not exported, or no memory.
        case noMemory
        case noHeapBase
    }

    /// From the script's `x`: kind (1 byte), name of the call, 0, detail. What follows the kind may be a
    /// runtime's text.
    init(failure body: [UInt8]) {
        let parts = body.dropFirst().split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = body.first, parts.count == 2 else {
            self = .unexpectedAnswer
            return
        }
        let detail = String(decoding: parts[1], as: UTF8.self)
        guard let call = (WasmModule.calls + [""]).first(where: { parts[0].elementsEqual($0.utf8) }) else {
            self = .unexpectedAnswer
            return
        }
        self =
            switch kind {
            case UInt8(ascii: "c"): .notCompiled(detail)
            case UInt8(ascii: "m"): .unsupported(.noMemory)
            case UInt8(ascii: "b"): .unsupported(.noHeapBase)
            case UInt8(ascii: "h"): .hostFunction(detail, call: call)
            case UInt8(ascii: "a"): .outOfMemory(call: call)
            case UInt8(ascii: "t"): .malformedAnswer(call: call)
            case UInt8(ascii: "p"): .outsideMemory(call: call)
            case UInt8(ascii: "l"): .answerTooLong(call: call)
            case UInt8(ascii: "n"): .panicked(call: call, message: detail)
            case UInt8(ascii: "k"): .overran(call: call)
            case UInt8(ascii: "e"): .trapped(call: call, detail: detail)
            default: .unexpectedAnswer
            }
    }
}

extension RuntimeWasmError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .noNode:
            .inputOutput(
                "no-nodejs", "nodejs, which runs the runtime, is not installed",
                hint: "apt-get install nodejs")
        case .oldNode(let version):
            .inputOutput(
                "nodejs-too-old",
                "nodejs \(version) is too old: \(RuntimeRunner.oldestNode) or newer is needed",
                hint: "apt-get install nodejs")
        case .sandbox(let step):
            .notPermitted(
                "no-sandbox", "nodejs cannot enter the sandbox (\(step.rawValue)), so the runtime is not run")
        case .ended(let status, let signal):
            .inputOutput(
                "nodejs-ended",
                "nodejs ended before the runtime had answered "
                    + "(\(signal.map { "signal \($0)" } ?? "status \(status ?? 0)"))")
        case .unexpectedAnswer:
            .inputOutput("nodejs-ended", "nodejs wrote something that its script does not write")
        case .notARuntime: .badInput("not-a-runtime", "the file is not a WebAssembly runtime")
        case .compressed(let problem): Self.compressed(problem)
        case .malformed(let offset):
            .badInput("runtime-damaged", "the runtime is damaged at byte \(offset) of its code")
        case .unsupported(let feature): .badInput("runtime-unsupported", Self.sentence(feature))
        case .notCompiled(let detail): .badInput("runtime-damaged", "nodejs refuses the runtime: \(detail)")
        case .callMissing(let name):
            .badInput("not-a-runtime", "the file is not a runtime: it has no function \(name)")
        case .hostFunction(let name, let call):
            .refused(
                "runtime-host-function",
                "the call \(call) needs the host function \(name), which only nodes provide",
                hint: "heliograph-hot fetch URL, once the runtime is enacted")
        case .trapped(let call, let detail):
            .badInput("runtime-trapped", "the call \(call) failed: \(detail)")
        case .panicked(let call, let message):
            .badInput("runtime-panicked", "the call \(call) panicked: \(message)")
        case .overran(let call):
            .badInput(
                "runtime-answer",
                "the call \(call) wrote outside of its blocks of memory, so its answer is not used")
        case .outOfMemory(let call):
            .badInput(
                "runtime-memory",
                "the call \(call) needs more than \(WasmModule.maximumPages >> 4) MiB of memory")
        case .outsideMemory(let call):
            .badInput("runtime-answer", "the call \(call) answers with bytes outside its memory")
        case .answerTooLong(let call):
            .badInput(
                "runtime-answer",
                "the call \(call) answers with more than \(RuntimeRunner.maximumAnswer >> 20) MiB")
        case .malformedAnswer(let call): .badInput("runtime-answer", "the answer of \(call) is malformed")
        case .timedOut(let seconds):
            .inputOutput(
                "runtime-timeout", "the runtime did not answer within \(Sentence.count(seconds, "second"))")
        case .processorTime(let seconds):
            .inputOutput(
                "runtime-timeout",
                "the runtime used up its \(Sentence.count(seconds, "second")) of processor time")
        case .twoMetadata(let format):
            .badInput("runtime-inconsistent", "the runtime gives two different metadata V\(format)")
        case .otherVersion(let runtime, let metadata):
            .badInput(
                "runtime-inconsistent",
                "the runtime is \(runtime.specName) \(runtime.specVersion), but its "
                    + "metadata is for \(metadata.specName) \(metadata.specVersion)")
        }
    }

    private static func compressed(_ problem: ExpansionProblem) -> Diagnostic {
        switch problem {
        case .tooLong(let bytes):
            .badInput("runtime-too-large", "the runtime has more than \(bytes >> 20) MiB of code")
        case .notAFrame: .badInput("runtime-damaged", "the compressed runtime is not a zstd frame")
        case .unsupportedFrame:
            .badInput(
                "runtime-unsupported", "the compressed runtime needs a zstd window of more than 128 MiB")
        case .truncated: .badInput("runtime-damaged", "the compressed runtime is truncated")
        case .trailing(let bytes):
            .badInput("runtime-damaged", "\(Sentence.leftover(bytes)) after the compressed runtime")
        case .outOfMemory:
            .badInput("runtime-memory", "the compressed runtime needs too much memory to expand")
        case .corrupt, .lengthDiffers, .tookTooLong, .crashed:
            .badInput("runtime-damaged", "the compressed runtime is damaged")
        }
    }

    private static func sentence(_ feature: Feature) -> String {
        switch feature {
        case .memories: "the runtime does not have exactly one memory"
        case .memoryKind: "the runtime has a shared or 64-bit memory, which is not supported"
        case .memorySize(let pages):
            """
            the runtime starts with \(pages) pages of memory, more than the limit of \
            \(WasmModule.maximumPages)
            """
        case .importKind: "the runtime imports a table or a global, which nodes do not provide"
        case .noMemory: "the runtime does not export its memory"
        case .noHeapBase: "the runtime does not say where its heap begins (__heap_base)"
        }
    }

    public static var examples: [RuntimeWasmError] {
        let call = "Metadata_metadata"
        return [
            .noNode, .oldNode("16.20.2"), .sandbox(.seccomp), .ended(status: nil, signal: 6),
            .unexpectedAnswer, .notARuntime,
            .callMissing(call), .malformed(offset: 8), .notCompiled("invalid value type"),
            .unsupported(.memories),
            .unsupported(.memoryKind),
            .unsupported(.memorySize(pages: 65_536)), .unsupported(.importKind), .unsupported(.noMemory),
            .unsupported(.noHeapBase),
            .hostFunction("ext_offchain_random_seed_version_1", call: call),
            .trapped(call: call, detail: "unreachable"),
            .panicked(call: call, message: "panicked at runtime/src/lib.rs:1:1: no state"),
            .overran(call: call), .outOfMemory(call: call),
            .outsideMemory(call: call), .answerTooLong(call: call), .malformedAnswer(call: call),
            .timedOut(seconds: 60),
            .processorTime(seconds: 30), .twoMetadata(format: 14),
            .otherVersion(
                runtime: RuntimeVersion(specName: "westend", specVersion: 9150),
                metadata: RuntimeVersion(specName: "westend", specVersion: 9151)),
        ]
            + [
                .tooLong(bytes: 50 << 20), .notAFrame, .unsupportedFrame, .truncated, .trailing(bytes: 1),
                .corrupt, .outOfMemory,
            ].map(
                compressed)
    }
}
