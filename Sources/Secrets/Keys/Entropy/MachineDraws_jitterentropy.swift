import CJitterEntropy
import CProcessorRandom
import CSodium
import Diagnostics

/// Why a source is left out of a seed.
public enum SourceFailure: Error, Equatable, Sendable {
    /// Its bytes are not random.
    case health(RandomHealthError)
    /// The times that this processor takes do not vary enough to draw from.
    case steadyClock
    /// Its own tests found differences of times that repeat or can be foretold.
    case steadyTimes
    /// It stopped giving bytes.
    case exhausted
    /// What is at its path is no character device, and was not opened.
    case notADevice
    /// Its device cannot be opened, read or written.
    case refused(errno: Int32)
    /// Its device gives no answer, or one that no TPM gives.
    case strangeAnswer
    /// The frames of the camera are no source.
    case frames(FrameFault)
}

/// How bytes are drawn from this machine's sources, and tested.
package enum MachineDraws {
    /// What drawing comes to.
    package enum Result: Equatable {
        case filled
        /// This machine has no such source.
        case missing
        case failed(SourceFailure)
    }

    /// Fills memory, or says why not.
    package typealias Draw = (UnsafeMutableRawBufferPointer) -> Result

    /// A test of as many bytes as `RandomHealth` wants, then the bytes themselves, none of which was tested.
    package static func tested(_ fill: @escaping (UnsafeMutableRawBufferPointer) -> Int) -> Draw {
        { out in
            var isMissing = false
            var isShort = false
            func draw(_ count: Int) -> [UInt8] {
                var bytes = [UInt8](repeating: 0, count: count)
                let filled = bytes.withUnsafeMutableBytes { fill($0) }
                if filled == 0 { isMissing = true } else if filled < count { isShort = true }
                return bytes
            }
            var failure: RandomHealthError?
            do throws(RandomHealthError) { try RandomHealth.check(source: draw) } catch { failure = error }
            if isMissing { return .missing }
            if isShort { return .failed(.exhausted) }
            if let failure { return .failed(.health(failure)) }
            return fill(out) == out.count ? .filled : .failed(.exhausted)
        }
    }

    static var kernel: Draw {
        SecretBytes.startLibrary()
        return tested {
            randombytes_buf($0.baseAddress!, $0.count)
            return $0.count
        }
    }

    static var processor: Draw {
        tested { heliograph_processor_random($0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
    }

    /// The library tests each measurement while it collects. Its output is hashed, so a further test could
    /// only find equal halves.
    static var jitter: Draw {
        { out in
            switch heliograph_jitter(out.bindMemory(to: UInt8.self).baseAddress, out.count) {
            case HELIOGRAPH_JITTER_NONE:
                let half = out.count / 2
                let isRepeated = out[..<half].elementsEqual(out[half...])
                return isRepeated ? .failed(.health(.repeatedBlock)) : .filled
            case HELIOGRAPH_JITTER_START: return .failed(.steadyClock)
            default: return .failed(.steadyTimes)
            }
        }
    }
}

extension MachineDraws {
    /// - Parameter path: of the device.
    package static func tpm(_ path: String) -> Draw {
        { out in
            let device: TPMDevice
            do throws(SourceFailure) { device = try TPMDevice(path: path) } catch { return .failed(error) }
            let result = tested { device.fill($0) }(out)
            return device.failure.map { .failed($0) } ?? result
        }
    }
}
