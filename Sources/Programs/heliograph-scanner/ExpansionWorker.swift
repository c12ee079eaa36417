import Compression
import Glibc
import Sandbox
import ScanProtocol
import SystemIO

/// The worker of `--expand`: expands one frame and does nothing else.
struct ExpansionWorker {
    /// Address space, in bytes: the program with its libraries, and a frame of the greatest length beside
    /// what it stands for.
    static let memoryLimit: UInt64 = 512 << 20
    /// Processor time in seconds; the greatest length takes a few hundredths.
    static let processorLimit: UInt64 = 5

    let input: Int32
    let output: Int32

    /// Answers one request. Never returns.
    func run() -> Never {
        do throws(SandboxError) {
            try Sandbox.closeDescriptors(except: input, output)
            try Sandbox.becomeWorker(.init(memory: Self.memoryLimit, processorTime: Self.processorLimit))
        } catch {
            answer(.sandboxFailed(step: error.step.rawValue, errno: error.errno))
            _exit(1)
        }
        guard let header = Descriptor.read(input, count: ExpansionRequest.headerLength) else { _exit(1) }
        do throws(ExpansionProblem) {
            let lengths = try ExpansionRequest.lengths(header)
            guard let frame = Descriptor.read(input, count: lengths.frame) else { _exit(1) }
            answer(.expanded(try ZstdFrame.expand(frame, length: lengths.expanded)))
        } catch {
            answer(.problem(error))
        }
        _exit(0)
    }

    private func answer(_ reply: ExpansionReply) {
        guard Descriptor.write(output, reply.encoded) else { _exit(1) }
    }
}
