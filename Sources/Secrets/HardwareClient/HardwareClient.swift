import Glibc
import HardwareProtocol
import Keys
import SCALE
import Sandbox
import SubstratePrimitives
import Synchronization
import SystemIO
import Vault

/// What has a PIN.
public enum PINOwner: Equatable, Sendable {
    case securityKey
    /// A token, by its label.
    case token(ExactText)

    /// nil for a security key.
    public var tokenLabel: String? {
        switch self {
        case .securityKey: nil
        case .token(let label): label.text
        }
    }
}

/// Who types the PIN of a security key or a token, and touches the former.
public protocol HardwarePerson: Sendable {
    /// The PIN of that device; nil where nobody types it. A PIN goes to the device that it is for alone: the
    /// vault's header says which one is asked, and whoever can write there must not get another one's.
    func pin(of owner: PINOwner) -> HeldSecret?
    /// Says that the security key waits for touches.
    func touch(times: Int)
}

/// Reaches hardware through `heliograph-hardware`, a process of its own: this one links no
/// library of a TPM or of a security key.
///
/// The program is started before this process shuts itself in, because afterwards nothing can be started and
/// the device cannot be seen. It waits for requests, reads none of them itself, and ends when this process
/// does.
public final class HardwareClient: Hardware {
    private struct Pipes {
        let toProgram: Int32
        let fromProgram: Int32
        let program: pid_t
    }

    /// nil after a request that got no whole answer: what comes next on the pipe answers nothing.
    private let pipes: Mutex<Pipes?>
    private let person: any HardwarePerson
    private let patience: Duration

    /// Longer than the program itself waits for a TPM, or for a person who touches a security key twice.
    public static let patience = Duration.seconds(150)

    /// Starts the program.
    /// - Parameters:
    ///   - program: its path.
    ///   - module: the PKCS#11 module that it loads; nil where no token is asked.
    ///   - person: is asked for a PIN and a touch.
    ///   - patience: how long an answer may take.
    /// - Returns: nil where it cannot be started, as where it is not installed.
    public init?(
        program: String, module: String? = nil, person: any HardwarePerson,
        patience: Duration = HardwareClient.patience
    ) {
        guard access(program, X_OK) == 0, let down = Sandbox.pipe(), let up = Sandbox.pipe() else {
            return nil
        }
        let child = Sandbox.start(
            program, module.map { ["--module", $0] } ?? [], input: down.reading, output: up.writing,
            environment: Self.environment, isSilent: true)
        close(down.reading)
        close(up.writing)
        guard let child else {
            close(down.writing)
            close(up.reading)
            return nil
        }
        Sandbox.ignoreBrokenPipes()
        (self.person, self.patience) = (person, patience)
        pipes = Mutex(Pipes(toProgram: down.writing, fromProgram: up.reading, program: child))
    }

    deinit { pipes.withLock { Self.end(&$0) } }

    /// All of it: the libraries read no file that a variable names, and write nothing to a terminal.
    private static var environment: [String] {
        var all = ["OPENSSL_CONF=/dev/null", "TSS2_LOG=all+none"]
        #if DEBUG
            // Only the tests' build takes another device: `devicePath()` of the program says why.
            let names = [
                "HELIOGRAPH_TPM_EMULATOR", "HELIOGRAPH_KEY_EMULATOR", "HELIOGRAPH_TOKEN_EMULATOR",
                "SOFTHSM2_CONF", "LD_LIBRARY_PATH",
            ]
            for name in names {
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
        _ = try ask(
            .unseal(primary: seal.primary, blob: seal.blob, pcrs: seal.pcrs), auth, giving: secret)
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

    public func bindSecurityKey(salt: [UInt8]) throws(HardwareError) -> BoundSecurityKey {
        let hasPIN = try read(ask(.keyFacts, SecretBytes())) { reader throws(SCALEError) in
            try reader.bool()
        }
        let pin = hasPIN ? try askPIN(of: .securityKey) : SecretBytes()
        person.touch(times: 2)
        let secret = SecretBytes(count: HardwareRequest.secretLength)
        let open = try ask(.enrollKey(salt: salt, withPIN: hasPIN), pin, giving: secret)
        let credential = try read(open) { reader throws(SCALEError) in try reader.byteVector() }
        return BoundSecurityKey(
            SecurityKeySlot(credential: credential, salt: salt, isVerified: hasPIN), secret: secret)
    }

    public func secret(of key: SecurityKeySlot) throws(HardwareError) -> SecretBytes {
        let pin = key.isVerified ? try askPIN(of: .securityKey) : SecretBytes()
        person.touch(times: 1)
        let secret = SecretBytes(count: HardwareRequest.secretLength)
        _ = try ask(
            .keySecret(credential: key.credential, salt: key.salt, withPIN: key.isVerified), pin,
            giving: secret)
        return secret
    }

    public func wrap(
        _ secret: borrowing SecretBytes, to key: TokenKey, module: String
    ) throws(HardwareError) -> TokenSlot {
        let pin = try askPIN(of: .token(ExactText(key.name)))
        let both = SecretBytes(count: pin.count + secret.count)
        both.withUnsafeMutableBytes { both in
            pin.withUnsafeBytes { both.copyMemory(from: $0) }
            secret.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: both[pin.count...]).copyMemory(from: $0)
            }
        }
        return try read(ask(.wrapByToken(key), both)) { reader throws(SCALEError) in
            TokenSlot(module: ExactText(module), key: try TokenKey(&reader), blob: try reader.byteVector())
        }
    }

    public func secret(of token: TokenSlot) throws(HardwareError) -> SecretBytes {
        let secret = SecretBytes(count: HardwareRequest.secretLength)
        let pin = try askPIN(of: .token(ExactText(token.key.name)))
        _ = try ask(.unwrapByToken(token.key, blob: token.blob), pin, giving: secret)
        return secret
    }

    /// The PIN and zeros behind it, so that its length is not seen on the pipe.
    private func askPIN(of owner: PINOwner) throws(HardwareError) -> SecretBytes {
        guard let typed = person.pin(of: owner) else { throw .noPIN }
        let padded = SecretBytes(count: HardwareRequest.pinLength)
        let fits = typed.withSecret { (typed: borrowing SecretBytes) in
            guard (1..<padded.count) ~= typed.count else { return false }
            padded.withUnsafeMutableBytes { padded in
                typed.withUnsafeBytes { padded.copyMemory(from: $0) }
            }
            return true
        }
        guard fits else { throw .pinLength }
        return padded
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

    /// Sends a request that gives a secret, of 32 bytes.
    private func ask(
        _ request: HardwareRequest, _ secrets: borrowing SecretBytes, giving secret: borrowing SecretBytes
    ) throws(HardwareError) -> [UInt8] {
        precondition(request.givesSecret)
        return try ask(request, secrets) { pipe, end in
            secret.withUnsafeMutableBytes { Self.fill($0, from: pipe, until: end) }
        }
    }

    /// Sends a request, and gives the open part of its answer.
    /// - Parameter takeSecret: reads the secret behind the answer from the pipe.
    private func ask(
        _ request: HardwareRequest, _ secrets: borrowing SecretBytes,
        takeSecret: (Int32, ContinuousClock.Instant) -> Bool = { _, _ in true }
    ) throws(HardwareError) -> [UInt8] {
        precondition(secrets.count == request.secretCount)
        return try pipes.withLock { (pipes) throws(HardwareError) in
            guard let open = pipes else { throw .ended }
            let encoded = request.encoded
            let length = SCALEWriter.encode { $0.integer(UInt32(encoded.count)) }
            guard Descriptor.write(open.toProgram, length + encoded),
                secrets.withUnsafeBytes({ $0.isEmpty || Descriptor.write(open.toProgram, $0) })
            else {
                Self.end(&pipes)
                throw .ended
            }
            var answer = [pollfd(fd: open.fromProgram, events: Int16(POLLIN), revents: 0)]
            guard Descriptor.poll(&answer, milliseconds: Int(patience / .milliseconds(1))) != 0 else {
                // The program ends its worker when this pipe is closed.
                Self.end(&pipes)
                throw .silent
            }
            // Whoever began an answer has little time for the rest: it is written at once.
            let end = ContinuousClock.now + Self.rest
            guard let header = Self.read(open.fromProgram, count: HardwareReply.headerLength, until: end),
                let (outcome, code, count) = HardwareReply.header(header),
                let body = count == 0 ? [] : Self.read(open.fromProgram, count: count, until: end),
                outcome != .done || takeSecret(open.fromProgram, end)
            else {
                Self.end(&pipes)
                throw .ended
            }
            guard let error = HardwareError(outcome, code: code) else { return body }
            throw error
        }
    }

    private static let rest = Duration.seconds(5)

    /// Fills a buffer, or as much as comes before that time; false for less than all of it.
    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from pipe: Int32, until end: ContinuousClock.Instant
    ) -> Bool {
        var filled = 0
        while filled < buffer.count {
            let left = max(0, Int((end - .now) / .milliseconds(1)))
            var answer = [pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)]
            guard Descriptor.poll(&answer, milliseconds: left) > 0 else { return false }
            let count = Glibc.read(pipe, buffer.baseAddress! + filled, buffer.count - filled)
            guard count > 0 else { return false }
            filled += count
        }
        return true
    }

    private static func read(
        _ pipe: Int32, count: Int, until end: ContinuousClock.Instant
    ) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return bytes.withUnsafeMutableBytes { fill($0, from: pipe, until: end) } ? bytes : nil
    }
}
