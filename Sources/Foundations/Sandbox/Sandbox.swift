/// Puts this process into a sandbox for the rest of its life.
///
/// Order matters: interfaces are listed first (that needs a netlink socket), then no-new-privileges, Landlock
/// and seccomp, all before the first thread, the first input and the first secret. What a process gives up
/// here, its children have given up too.
public enum Sandbox {
    /// What a program still needs after the lock-down.
    public struct Rules: Sendable {
        /// Files and folders (everything below) that may be read. Paths that do not exist are left out.
        public var readable: [String]
        /// Folders in which files may be read, made, written, renamed and removed. A path that is not a
        /// folder stands for the folder it lies in, because results are written to a new file beside it and
        /// renamed.
        public var writable: [String]
        /// Folders below which an empty folder may be removed, and nothing else.
        public var emptied: [String]
        /// Device files that may be read and written, and nothing beside them. A folder gets no right.
        public var devices: [String]
        /// Programs that may be started. Empty: `execve` is refused.
        public var executable: [String]
        /// The program forks copies of itself, to shut them in further.
        public var forks: Bool
        /// Keep the state of the machine readable: its network interfaces (`/proc/self/net`,
        /// `/sys/class/net`) after sockets are gone, and its swap.
        public var machineState: Bool
        /// A camera, for this program or for the one that it starts.
        public var camera: CameraUse?
        /// Connect to sockets of this machine's file system, as a PKCS#11 module does to `pcscd`. Landlock
        /// does not say to which: the rights of the sockets do.
        public var localSockets: Bool

        public init(
            readable: [String] = [], writable: [String] = [], emptied: [String] = [],
            devices: [String] = [], executable: [String] = [],
            forks: Bool = false, machineState: Bool = false, camera: CameraUse? = nil,
            localSockets: Bool = false
        ) {
            self.readable = readable
            self.writable = writable
            self.emptied = emptied
            self.devices = devices
            self.executable = executable
            self.forks = forks
            self.machineState = machineState
            self.camera = camera
            self.localSockets = localSockets
        }
    }

    /// How a program reaches a camera after the lock-down.
    public enum CameraUse: Equatable, Sendable {
        /// The program that it starts opens one of these devices.
        case openedLater([String])
        /// The device is open: only this descriptor takes a ``CameraRequest``, and no device can be opened.
        case open(Int32)
    }

    /// Whether the kernel enforces the rules on files.
    public enum Landlock: Equatable, Sendable {
        case enforced(abi: Int)
        /// The kernel has no Landlock, or it is switched off at boot.
        case unavailable(errno: Int32)

        public var abi: Int? { if case .enforced(let abi) = self { abi } else { nil } }
    }
}
