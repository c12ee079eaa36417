import CFIDO
import CTPM
import CToken
import Glibc
import HardwareProtocol
import SCALE
import Sandbox
import SystemIO

/// One request, from its bytes to its answer.
struct Answering {
    let devices: Devices

    /// - Returns: the exit code; 0 where an answer was written.
    func run() -> Int32 {
        guard let header = Descriptor.read(STDIN_FILENO, count: 4) else { return 74 }
        var reader = SCALEReader(header)
        guard let length = try? reader.integer(UInt32.self),
            length <= UInt32(HardwareRequest.lengthLimit),
            let open = Descriptor.read(STDIN_FILENO, count: Int(length)),
            let request = try? HardwareRequest(open)
        else {
            // What follows on the pipe may be the secrets of that request, and no request.
            _ = written(HardwareReply(.notUnderstood))
            return 74
        }
        // Before it reads a secret, it gives up whatever this request is not for.
        let paths = devices.paths(request.device)
        do throws(SandboxError) { try Sandbox.narrow(to: devices.rules(request.device)) } catch {
            return written(HardwareReply(.sandbox, code: UInt32(bitPattern: error.errno)))
        }
        let secrets = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.asked + HardwareRequest.secretLength, alignment: 16)
        secrets.initializeMemory(as: UInt8.self, repeating: 0)
        // The process ends after this, and its memory with it.
        defer { explicit_bzero(secrets.baseAddress!, secrets.count) }
        let wanted = UnsafeMutableRawBufferPointer(rebasing: secrets[..<request.secretCount])
        guard wanted.isEmpty || (try? Descriptor.fill(wanted, from: STDIN_FILENO)) == wanted.count else {
            return 74
        }
        let reply =
            switch request.device {
            case .tpm: answerOfTPM(request, secrets)
            case .securityKey: answerOfKey(request, secrets, paths)
            case .token: answerOfToken(request, secrets)
            }
        guard written(reply) == 0 else { return 74 }
        guard request.givesSecret, reply.outcome == .done else { return 0 }
        let secret = UnsafeRawBufferPointer(rebasing: secrets[Self.asked...])
        return Descriptor.write(STDOUT_FILENO, secret) ? 0 : 74
    }

    /// Bytes of the secrets of a request at most; the secret of an answer stands behind them.
    private static let asked = HardwareRequest.pinLength + HardwareRequest.secretLength

    private func answerOfTPM(
        _ request: HardwareRequest, _ secrets: UnsafeMutableRawBufferPointer
    ) -> HardwareReply {
        let descriptor = Glibc.open(devices.tpm, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return HardwareReply(.noDevice, code: UInt32(bitPattern: errno)) }
        guard let tpm = heliograph_tpm_open(descriptor) else { return HardwareReply(.failed) }
        defer { heliograph_tpm_close(tpm) }
        return answer(request, secrets, tpm)
    }

    private func written(_ reply: HardwareReply) -> Int32 {
        Descriptor.write(STDOUT_FILENO, reply.encoded) ? 0 : 74
    }

    /// - Parameter secrets: those of the request; that of the answer is put behind them.
    private func answer(
        _ request: HardwareRequest, _ secrets: UnsafeMutableRawBufferPointer, _ tpm: OpaquePointer
    ) -> HardwareReply {
        let first = secrets.bindMemory(to: UInt8.self).baseAddress!
        let second = first + HardwareRequest.secretLength
        var name = [UInt8](repeating: 0, count: HardwareRequest.nameLength)
        func reply(
            _ outcome: heliograph_tpm_outcome, _ body: (inout SCALEWriter) -> Void = { _ in }
        ) -> HardwareReply {
            HardwareReply(
                HardwareOutcome(rawValue: UInt8(outcome.rawValue)) ?? .failed,
                code: heliograph_tpm_code(tpm),
                open: outcome == HELIOGRAPH_TPM_DONE ? SCALEWriter.encode(body) : [])
        }
        switch request {
        case .seal(let pcrs):
            let found = heliograph_tpm_primary(tpm, nil, &name)
            guard found == HELIOGRAPH_TPM_DONE else { return reply(found) }
            var blob = [UInt8](repeating: 0, count: HardwareRequest.blobLimit)
            var length = 0
            let sealed = heliograph_tpm_seal(tpm, first, second, pcrs, &blob, &length)
            return reply(sealed) {
                $0.raw(name)
                $0.byteVector(Array(blob[..<length]))
            }
        case .unseal(let primary, let blob, let pcrs):
            let found = heliograph_tpm_primary(tpm, primary, &name)
            guard found == HELIOGRAPH_TPM_DONE else { return reply(found) }
            return reply(heliograph_tpm_unseal(tpm, blob, blob.count, first, pcrs, first + Self.asked))
        case .defineCounter(let primary):
            let found = heliograph_tpm_primary(tpm, primary, &name)
            guard found == HELIOGRAPH_TPM_DONE else { return reply(found) }
            var (index, value) = (UInt32(0), UInt64(0))
            let defined = heliograph_tpm_define_counter(tpm, first, &index, &name, &value)
            return reply(defined) {
                CounterPlace(primary: primary, index: index, name: name).write(to: &$0)
                $0.integer(value)
            }
        case .readCounter(let place, let counts):
            let found = heliograph_tpm_primary(tpm, place.primary, &name)
            guard found == HELIOGRAPH_TPM_DONE else { return reply(found) }
            var value = UInt64(0)
            let read = heliograph_tpm_read_counter(
                tpm, place.index, place.name, first, counts ? 1 : 0, &value)
            return reply(read) { $0.integer(value) }
        case .removeCounter(let place):
            return reply(heliograph_tpm_remove_counter(tpm, place.index, place.name))
        case .facts:
            var facts = heliograph_tpm_facts()
            let read = heliograph_tpm_read_facts(tpm, &facts)
            let known = TPMFacts(
                failures: facts.failures, failuresAllowed: facts.failures_allowed,
                recoverySeconds: facts.recovery_seconds, isLockoutGuarded: facts.lockout_auth_set != 0,
                isLockedOut: facts.locked_out != 0)
            return reply(read) { $0.raw(known.encoded) }
        case .keyFacts, .enrollKey, .keySecret, .wrapByToken, .unwrapByToken:
            return HardwareReply(.notUnderstood)
        }
    }

    /// - Parameter secrets: the PIN and the secret that is to be encrypted; a decrypted one is put behind them.
    private func answerOfToken(
        _ request: HardwareRequest, _ secrets: UnsafeMutableRawBufferPointer
    ) -> HardwareReply {
        guard let module = devices.module else { return HardwareReply(.noModule) }
        let bytes = secrets.bindMemory(to: UInt8.self).baseAddress!
        bytes[HardwareRequest.pinLength - 1] = 0
        let pin = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
        func token(_ key: TokenKey) -> heliograph_token {
            var token = heliograph_token()
            withUnsafeMutableBytes(of: &token.label) { $0.copyBytes(from: key.label) }
            withUnsafeMutableBytes(of: &token.serial) { $0.copyBytes(from: key.serial) }
            withUnsafeMutableBytes(of: &token.id) { $0.copyBytes(from: key.id) }
            token.id_length = key.id.count
            return token
        }
        func reply(_ outcome: heliograph_token_outcome, _ code: UInt32, open: [UInt8] = []) -> HardwareReply {
            HardwareReply(
                HardwareOutcome(rawValue: UInt8(outcome.rawValue)) ?? .tokenFailed, code: code,
                open: outcome == HELIOGRAPH_TOKEN_DONE ? open : [])
        }
        switch request {
        case .wrapByToken(let key):
            var (found, blob, length) = (
                token(key), [UInt8](repeating: 0, count: Int(HELIOGRAPH_TOKEN_BLOB)), 0
            )
            let wrapped = heliograph_token_wrap(
                module, &found, pin, bytes + HardwareRequest.pinLength, &blob, &length)
            let bound = TokenKey(
                label: key.label, serial: withUnsafeBytes(of: found.serial) { Array($0) },
                id: withUnsafeBytes(of: found.id) { Array($0.prefix(found.id_length)) })
            let open = SCALEWriter.encode {
                bound.write(to: &$0)
                $0.byteVector(Array(blob.prefix(length)))
            }
            return reply(wrapped, found.code, open: open)
        case .unwrapByToken(let key, let blob):
            var found = token(key)
            let opened = heliograph_token_unwrap(
                module, &found, pin, blob, blob.count, bytes + Self.asked)
            return reply(opened, found.code)
        case .seal, .unseal, .defineCounter, .readCounter, .removeCounter, .facts, .keyFacts, .enrollKey,
            .keySecret:
            return HardwareReply(.notUnderstood)
        }
    }

    /// - Parameter secrets: the PIN, if the request has one; the secret is put behind it.
    private func answerOfKey(
        _ request: HardwareRequest, _ secrets: UnsafeMutableRawBufferPointer, _ paths: [String]
    ) -> HardwareReply {
        let bytes = secrets.bindMemory(to: UInt8.self).baseAddress!
        let made = bytes + Self.asked
        // It ends with a zero whatever came.
        bytes[HardwareRequest.pinLength - 1] = 0
        let typed = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
        let nodes = paths.map { UnsafePointer(strdup($0)) }
        defer { for node in nodes { free(UnsafeMutablePointer(mutating: node)) } }
        return nodes.withUnsafeBufferPointer { nodes in
            var keys = heliograph_fido_keys(paths: nodes.baseAddress, count: nodes.count, code: 0)
            func reply(
                _ outcome: heliograph_fido_outcome, _ body: (inout SCALEWriter) -> Void = { _ in }
            ) -> HardwareReply {
                HardwareReply(
                    HardwareOutcome(rawValue: UInt8(outcome.rawValue)) ?? .keyFailed, code: keys.code,
                    open: outcome == HELIOGRAPH_FIDO_DONE ? SCALEWriter.encode(body) : [])
            }
            switch request {
            case .keyFacts:
                var hasPIN = Int32(0)
                let found = heliograph_fido_has_pin(&keys, &hasPIN)
                return reply(found) { $0.bool(hasPIN != 0) }
            case .enrollKey(let salt, let withPIN):
                var credential = [UInt8](repeating: 0, count: Int(HELIOGRAPH_FIDO_CREDENTIAL))
                var length = 0
                let enrolled = heliograph_fido_enroll(
                    &keys, salt, withPIN ? typed : nil, &credential, &length, made)
                return reply(enrolled) { $0.byteVector(Array(credential[..<length])) }
            case .keySecret(let credential, let salt, let withPIN):
                return reply(
                    heliograph_fido_secret(
                        &keys, credential, credential.count, salt, withPIN ? typed : nil, made))
            case .seal, .unseal, .defineCounter, .readCounter, .removeCounter, .facts, .wrapByToken,
                .unwrapByToken:
                return HardwareReply(.notUnderstood)
            }
        }
    }
}
