import Glibc
import HardwareProtocol
import Keys
import SCALE
import Sandbox
import Synchronization
import SystemIO
import Vault

/// Reaches a TPM through `heliograph-hardware`, a process of its own: this one links no
/// library of a TPM.
///
/// The program is started before this process shuts itself in, because afterwards nothing can be started and
/// the device cannot be seen. It waits for requests, reads none of them itself, and ends when this process
/// does.
public final class HardwareClient: Hardware {
    /// `POSIX_SPAWN_SETSID`, which glibc's header shows only to programs that define _GNU_SOURCE.
    private static let newSession = 0x80

    private struct Pipes {
        let toProgram: Int32
        let fromProgram: Int32
        let program: pid_t
    }

    /// nil after a request that got no whole answer: what comes next on the pipe answers nothing.
    private let pipes: Mutex<Pipes?>

    /// Starts the program.
    /// - Parameter program: its path.
    /// - Returns: nil where it cannot be started, as where it is not installed.
    public init?(program: String) {
        guard access(program, X_OK) == 0, let down = Sandbox.pipe(), let up = Sandbox.pipe() else {
            return nil
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, down.reading, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, up.writing, STDOUT_FILENO)
        // No descriptor with a secret for this program is left open in that one. A shell passes single
        // digits; 256 leaves room.
        let passed = (STDERR_FILENO + 1)..<256
        let flags = passed.map { fcntl($0, F_GETFD) }
        for descriptor in passed { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        defer {
            for (descriptor, flags) in zip(passed, flags) where flags >= 0 {
                _ = fcntl(descriptor, F_SETFD, flags)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(Self.newSession))
        let words = [strdup(program)]
        let settings = Self.environment.map { strdup($0) }
        defer { for text in words + settings { free(text) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, program, &actions, &attributes, words + [nil], settings + [nil])
        close(down.reading)
        close(up.writing)
        guard result == 0 else {
            close(down.writing)
            close(up.reading)
            return nil
        }
        Sandbox.ignoreBrokenPipes()
        pipes = Mutex(Pipes(toProgram: down.writing, fromProgram: up.reading, program: child))
    }

    deinit { pipes.withLock { Self.end(&$0) } }

    /// All of it: the libraries read no file that a variable names, and write nothing to a terminal.
    private static var environment: [String] {
        var all = ["OPENSSL_CONF=/dev/null", "TSS2_LOG=all+none"]
        #if DEBUG
            // Only the tests' build takes another device: `devicePath()` of the program says why.
            for name in ["HELIOGRAPH_TPM_EMULATOR", "LD_LIBRARY_PATH"] {
                if let value = getenv(name) { all.append("\(name)=\(String(cString: value))") }
            }
        #endif
        return all
    }

    private static func end(_ pipes: inout Pipes?) {
        guard let open = pipes else { return }
        close(open.toProgram)
        close(open.fromProgram)
        pipes = nil
        // It ends where its input does, unless the device keeps it: then it is left to the end of this
        // program.
        var tries = 100
        while tries > 0, waitpid(open.program, nil, WNOHANG) == 0 {
            usleep(10_000)
            tries -= 1
        }
    }

    // MARK: Requests

    public func seal(
        _ secret: borrowing SecretBytes, auth: borrowing SecretBytes, pcrs: UInt32
    ) throws(HardwareError) -> TPMSeal {
        let both = SecretBytes(count: secret.count + auth.count)
        both.withUnsafeMutableBytes { both in
            secret.withUnsafeBytes { both.copyMemory(from: $0) }
            auth.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: both[secret.count...]).copyMemory(from: $0)
            }
        }
        return try read(ask(.seal(pcrs: pcrs), both)) { reader throws(SCALEError) in
            TPMSeal(
                primary: try reader.bytes(count: HardwareRequest.nameLength), pcrs: pcrs,
                blob: try reader.byteVector())
        }
    }

    public func unseal(_ seal: TPMSeal, auth: borrowing SecretBytes) throws(HardwareError) -> SecretBytes {
        let secret = SecretBytes(count: HardwareRequest.secretLength)
        _ = try ask(.unseal(primary: seal.primary, blob: seal.blob, pcrs: seal.pcrs), auth) { pipe in
            secret.withUnsafeMutableBytes { (try? Descriptor.fill($0, from: pipe)) == $0.count }
        }
        return secret
    }

    public func defineCounter(
        primary: [UInt8], auth: borrowing SecretBytes
    ) throws(HardwareError) -> (place: CounterPlace, value: UInt64) {
        try read(ask(.defineCounter(primary: primary), auth)) { reader throws(SCALEError) in
            (place: try CounterPlace(&reader), value: try reader.integer())
        }
    }

    public func counter(
        _ place: CounterPlace, auth: borrowing SecretBytes, counts: Bool
    ) throws(HardwareError) -> UInt64 {
        try read(ask(.readCounter(place, counts: counts), auth)) { reader throws(SCALEError) in
            try reader.integer()
        }
    }

    public func removeCounter(_ place: CounterPlace) throws(HardwareError) {
        _ = try ask(.removeCounter(place), SecretBytes())
    }

    public func facts() throws(HardwareError) -> TPMFacts {
        let open = try ask(.facts, SecretBytes())
        do throws(SCALEError) { return try TPMFacts(open) } catch { throw .notUnderstood }
    }

    private func read<R>(
        _ open: [UInt8], _ body: (inout SCALEReader) throws(SCALEError) -> R
    ) throws(HardwareError) -> R {
        do throws(SCALEError) {
            var reader = SCALEReader(open)
            let result = try body(&reader)
            try reader.finish()
            return result
        } catch { throw .notUnderstood }
    }

    /// Sends a request, and gives the open part of its answer.
    /// - Parameter takeSecret: reads the secret behind the answer from the pipe.
    private func ask(
        _ request: HardwareRequest, _ secrets: borrowing SecretBytes,
        takeSecret: (Int32) -> Bool = { _ in true }
    ) throws(HardwareError) -> [UInt8] {
        precondition(secrets.count == request.secretCount)
        return try pipes.withLock { (pipes) throws(HardwareError) in
            guard let open = pipes else { throw .ended }
            let encoded = request.encoded
            let length = SCALEWriter.encode { $0.integer(UInt32(encoded.count)) }
            guard Descriptor.write(open.toProgram, length + encoded),
                secrets.withUnsafeBytes({ $0.isEmpty || Descriptor.write(open.toProgram, $0) }),
                let header = Descriptor.read(open.fromProgram, count: HardwareReply.headerLength),
                let (outcome, code, count) = HardwareReply.header(header),
                let body = count == 0 ? [] : Descriptor.read(open.fromProgram, count: count),
                outcome != .done || takeSecret(open.fromProgram)
            else {
                Self.end(&pipes)
                throw .ended
            }
            guard let error = HardwareError(outcome, code: code) else { return body }
            throw error
        }
    }
}
