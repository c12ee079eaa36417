import CArguments
import CToken
import Diagnostics
import Glibc
import HardwareProtocol
import Sandbox
import SystemIO

/// Where hardware is. A request names none of it.
struct Devices {
    /// The resource manager of the kernel, which keeps the sessions of one program from another's.
    var tpm = "/dev/tpmrm0"
    /// The security keys that are plugged in now. A folder of the kernel lists them, and is closed afterwards.
    var securityKeys: [String]
    /// A PKCS#11 module that was loaded, and its folder; nil where none was named or it could not be.
    var module: OpaquePointer?
    private var moduleFolder: [String] = []
    /// Where a token in software keeps itself: for tests only.
    private(set) var tokenFolder: [String] = []

    /// - Parameter path: the module's.
    init(module path: String?) {
        securityKeys = Self.pluggedIn()
        #if DEBUG
            // The tests' emulators are at other paths. A release does not have these lines: whoever sets the
            // variables of a person's programs must not choose who answers in place of the hardware.
            if let path = getenv("HELIOGRAPH_TPM_EMULATOR") { tpm = String(cString: path) }
            if let paths = getenv("HELIOGRAPH_KEY_EMULATOR") {
                securityKeys = String(cString: paths).split(separator: ":").map(String.init)
            }
            if let path = getenv("HELIOGRAPH_TOKEN_EMULATOR") { tokenFolder = [String(cString: path)] }
        #endif
        // It is somebody else's code. It is loaded before the first request, because afterwards nothing can
        // be, and asked by the child that answers one.
        if let path, let place = Self.trusted(path) {
            module = heliograph_module_load(place)
            if module != nil { moduleFolder = [String(place[..<place.lastIndex(of: "/")!])] }
        }
    }

    /// Where a request of this kind goes.
    func paths(_ device: HardwareRequest.Device) -> [String] {
        switch device {
        case .tpm: [tpm]
        case .securityKey: securityKeys
        case .token: []
        }
    }

    /// What a process that may be asked for everything may touch.
    var rules: Sandbox.Rules {
        Sandbox.Rules(
            readable: moduleFolder, writable: tokenFolder, devices: [tpm] + securityKeys, forks: true,
            localSockets: module != nil)
    }

    /// What a process that was asked for one of them may touch.
    func rules(_ device: HardwareRequest.Device) -> Sandbox.Rules {
        switch device {
        case .tpm, .securityKey: .init(devices: paths(device))
        case .token: .init(readable: moduleFolder, writable: tokenFolder)
        }
    }

    /// Where the system keeps libraries.
    private static let libraries = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/opt"]

    /// The real path of a module that nobody but root can change. The vault's header names it, and whoever
    /// can write to that must not choose what is run here.
    ///
    /// A stick that is plugged in has files of any owner that its maker wanted: that root owns them says
    /// nothing. So the module lies among the system's libraries, and on their own file system.
    private static func trusted(_ path: String) -> String? {
        guard path.utf8.first == UInt8(ascii: "/"), let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        let real = String(cString: resolved)
        var (file, folder) = (stat(), stat())
        guard let home = libraries.first(where: { real.utf8.starts(with: "\($0)/".utf8) }),
            stat(real, &file) == 0, file.st_mode & S_IFMT == S_IFREG, stat(home, &folder) == 0,
            file.st_dev == folder.st_dev
        else { return nil }
        let slashes = real.indices.dropFirst().filter { real[$0] == "/" }
        for place in ["/"] + slashes.map({ String(real[..<$0]) }) + [real] {
            guard let found = try? Permissions.of(place, followingLinks: false), found.owner == 0,
                found.mode & 0o022 == 0
            else { return nil }
        }
        return real
    }

    /// More are not plugged in, and each takes a rule of Landlock.
    private static let mostKeys = 16
    /// The item of a report descriptor that says "usage page of FIDO", 0xf1d0. Source: CTAP 2.1, 11.2.8.1.
    private static let usagePage: [UInt8] = [0x06, 0xd0, 0xf1]

    private static func pluggedIn() -> [String] {
        let folder = "/sys/class/hidraw"
        let names = ((try? Directory.names(folder)) ?? []).sorted().filter { name in
            guard name.utf8.starts(with: "hidraw".utf8),
                let described = try? Descriptor.readFile(
                    "\(folder)/\(name)/device/report_descriptor", limit: 4096)
            else { return false }
            return described.indices.contains { described[$0...].starts(with: usagePage) }
        }
        return names.prefix(mostKeys).map { "/dev/\($0)" }
    }
}

/// Answers the requests at standard input, one at a time, until it is closed.
///
/// This process reads no request. A child reads one, opens the device, answers and ends, and its memory with
/// the secrets ends with it. Neither has a key of the vault or a seed: a request has the wrapped secret, and
/// the answer is one factor of several.
func serve(_ devices: Devices) -> Int32 {
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
                _exit(Answering(devices: devices).run())
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
    let isModule = words.count == 3 && words[1].utf8.elementsEqual("--module".utf8)
    guard words.count == 1 || isModule, isatty(STDIN_FILENO) == 0 else {
        _ = Descriptor.write(
            STDERR_FILENO, Array("heliograph-hardware: heliograph starts this program to use hardware\n".utf8)
        )
        return 64
    }
    let devices = Devices(module: isModule ? words[2] : nil)
    do throws(SandboxError) {
        Sandbox.leaveTerminal()
        _ = try Sandbox.lockDown(devices.rules)
    } catch {
        _ = Descriptor.write(
            STDOUT_FILENO, HardwareReply(.sandbox, code: UInt32(bitPattern: error.errno)).encoded)
        return 77
    }
    Sandbox.ignoreBrokenPipes()
    return serve(devices)
}

exit(run())
