import CTPM
import Glibc
import HardwareProtocol
import SCALE
import SystemIO

/// One request, from its bytes to its answer.
struct Answering {
    let device: String

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
        let secrets = UnsafeMutableRawBufferPointer.allocate(
            byteCount: 2 * HardwareRequest.secretLength, alignment: 16)
        secrets.initializeMemory(as: UInt8.self, repeating: 0)
        // The process ends after this, and its memory with it.
        defer { explicit_bzero(secrets.baseAddress!, secrets.count) }
        let wanted = UnsafeMutableRawBufferPointer(rebasing: secrets[..<request.secretCount])
        guard wanted.isEmpty || (try? Descriptor.fill(wanted, from: STDIN_FILENO)) == wanted.count else {
            return 74
        }
        let descriptor = Glibc.open(device, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            return written(HardwareReply(.noDevice, code: UInt32(bitPattern: errno)))
        }
        guard let tpm = heliograph_tpm_open(descriptor) else { return written(HardwareReply(.failed)) }
        let reply = answer(request, secrets, tpm)
        heliograph_tpm_close(tpm)
        guard written(reply) == 0 else { return 74 }
        guard case .unseal = request, reply.outcome == .done else { return 0 }
        let secret = UnsafeRawBufferPointer(rebasing: secrets[HardwareRequest.secretLength...])
        return Descriptor.write(STDOUT_FILENO, secret) ? 0 : 74
    }

    private func written(_ reply: HardwareReply) -> Int32 {
        Descriptor.write(STDOUT_FILENO, reply.encoded) ? 0 : 74
    }

    /// - Parameter secrets: those of the request; an unsealed one is put behind the first.
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
            return reply(heliograph_tpm_unseal(tpm, blob, blob.count, first, pcrs, second))
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
        }
    }
}
