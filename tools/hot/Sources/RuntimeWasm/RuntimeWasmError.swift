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

    /// From the script's `x`: kind (1 byte), name of the call, 0, detail. What follows the kind may be a runtime's text.
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
