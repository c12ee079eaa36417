import HardwareClient
import Synchronization
import SystemIO
import Vault

/// The program that talks to hardware, if a command needs it.
enum StartedHardware {
    private static let client = Mutex<HardwareClient?>(nil)

    /// Starts it, before the sandbox hides device and program. Where it is not installed, what needs it is
    /// refused later with the reason.
    static func start() {
        guard let program = OwnProgram.beside("heliograph-hardware") else { return }
        let started = HardwareClient(program: program)
        client.withLock { $0 = started }
    }

    /// What a device gets.
    static var current: any Hardware { client.withLock { $0 } ?? NoHardware() }
}
