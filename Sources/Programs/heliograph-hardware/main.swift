import CArguments
import Diagnostics
import Glibc
import HardwareProtocol
import Sandbox
import SystemIO

/// The resource manager of the kernel, which keeps the sessions of one program from another's.
func devicePath() -> String {
    #if DEBUG
        // The tests' emulator is at another path. A release does not have this line: whoever sets the
        // variables of a person's programs must not choose who answers in place of the TPM.
        if let path = getenv("HELIOGRAPH_TPM_EMULATOR") { return String(cString: path) }
    #endif
    return "/dev/tpmrm0"
}

/// Answers the requests at standard input, one at a time, until it is closed.
///
/// This process reads no request. A child reads one, opens the device, answers and ends, and its memory with
/// the secrets ends with it. Neither has a key of the vault or a seed: a request has the wrapped secret, and
/// the answer is one factor of several.
func serve(_ device: String) -> Int32 {
    while true {
        var polled = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
        guard Descriptor.poll(&polled, milliseconds: -1) > 0 else { return 74 }
        guard polled[0].revents & Int16(POLLIN) != 0 else { return 0 }
        do throws(SandboxError) {
            // Its end is told by the end of this pipe, which it alone holds.
            guard let working = Sandbox.pipe() else { return 74 }
            guard let child = try Sandbox.fork() else {
                close(working.reading)
                try Sandbox.dieWithParent()
                _exit(Answering(device: device).run())
            }
            close(working.writing)
            defer { close(working.reading) }
            // It never stays: when the program that asked has ended, nobody waits for the answer. The
            // kernel's signal at a parent's death does not come here, because Landlock lets that program
            // signal only what it started after it was shut in.
            var ends = [
                pollfd(fd: working.reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: STDIN_FILENO, events: 0, revents: 0),
            ]
            _ = Descriptor.poll(&ends, milliseconds: -1)
            if ends[0].revents == 0 { kill(child, SIGKILL) }
            guard ProcessStatus.wait(for: child)?.code == 0 else { return 74 }
        } catch {
            return 74
        }
    }
}

func run() -> Int32 {
    let words = (0..<heliograph_argument_count()).map { String(cString: heliograph_argument($0)) }
    if words.count == 2, words[1].utf8.elementsEqual("--version".utf8) {
        _ = Descriptor.write(STDOUT_FILENO, Array((Release.text("heliograph-hardware", []) + "\n").utf8))
        return 0
    }
    guard words.count == 1, isatty(STDIN_FILENO) == 0 else {
        _ = Descriptor.write(
            STDERR_FILENO, Array("heliograph-hardware: heliograph starts this program to use a TPM\n".utf8))
        return 64
    }
    let device = devicePath()
    do throws(SandboxError) {
        Sandbox.leaveTerminal()
        _ = try Sandbox.lockDown(.init(devices: [device], forks: true))
    } catch {
        _ = Descriptor.write(
            STDOUT_FILENO, HardwareReply(.sandbox, code: UInt32(bitPattern: error.errno)).encoded)
        return 77
    }
    Sandbox.ignoreBrokenPipes()
    return serve(device)
}

exit(run())
