import HardwareClient
import Keys
import Presentation
import Synchronization
import SystemIO
import TerminalIO
import Vault

/// The program that talks to hardware, if a command needs it.
enum StartedHardware {
    private static let client = Mutex<HardwareClient?>(nil)
    private static let person = PersonAtHardware()

    /// Starts it, before the sandbox hides device and program. Where it is not installed, what needs it is
    /// refused later with the reason.
    /// - Parameter module: the PKCS#11 module of a token.
    static func start(module: String?) {
        guard let program = OwnProgram.beside("heliograph-hardware") else { return }
        let started = HardwareClient(program: program, module: module, person: person)
        client.withLock { $0 = started }
    }

    /// What a device gets.
    /// - Parameter descriptor: gives the PIN, as one line; nil where a person types it.
    static func current(pin descriptor: Int32?) -> any Hardware {
        person.takesPIN(from: descriptor)
        return client.withLock { $0 } ?? NoHardware()
    }

    /// Where a person is asked from now on.
    static func asks(at console: Console) { person.sits(at: console) }
}

/// Types a PIN, or has it on a descriptor, and touches what blinks.
final class PersonAtHardware: HardwarePerson {
    private struct State {
        var console: Console?
        var descriptor: Int32?
        /// What came on the descriptor, which is read once, and the device that it is for. A typed PIN is not
        /// kept.
        var read: (pin: HeldSecret, owner: PINOwner)?
    }

    private let state = Mutex(State())

    func sits(at console: Console) { state.withLock { $0.console = console } }

    func takesPIN(from descriptor: Int32?) {
        state.withLock {
            if descriptor != $0.descriptor { $0.read = nil }
            $0.descriptor = descriptor
        }
    }

    func pin(of owner: PINOwner) -> HeldSecret? {
        let (console, descriptor, read) = state.withLock { ($0.console, $0.descriptor, $0.read) }
        // The line on the descriptor is for the first device that asks, and for no other one.
        if let read { return read.owner == owner ? read.pin : nil }
        guard let console,
            let line = try? secret(
                Wording.pinQuestion(tokenLabel: owner.tokenLabel), for: .pin, descriptor: descriptor, console)
        else { return nil }
        let pin = HeldSecret(line)
        if descriptor != nil { state.withLock { $0.read = (pin, owner) } }
        return pin
    }

    func touch(times: Int) {
        state.withLock { $0.console }?.note(Wording.touch(times))
    }
}
