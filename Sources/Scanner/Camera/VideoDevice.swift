import CV4L2
import Glibc
import Sandbox
import ScanProtocol
import SystemIO

/// A device file of the kernel's V4L2.
public final class VideoDevice: CaptureDevice {
    public let path: String
    public let descriptor: Int32

    /// Opens the device. This must happen before the lock-down, which forbids it.
    ///
    /// The kind of the device is checked before it is opened, because opening another kind can do harm.
    public init(path: String) throws(CameraProblem) {
        var information = stat()
        guard stat(path, &information) == 0 else { throw CameraProblem(opening: errno) }
        guard Self.isVideo(information) else { throw .notACamera }
        // For writing too: V4L2 demands it of every program. O_NONBLOCK: a request for a picture that is not
        // there must not wait.
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw CameraProblem(opening: errno) }
        guard fstat(descriptor, &information) == 0, Self.isVideo(information) else {
            close(descriptor)
            throw .notACamera
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static func isVideo(_ information: stat) -> Bool {
        information.st_mode & S_IFMT == S_IFCHR
            && heliograph_device_major(UInt64(information.st_rdev)) == HELIOGRAPH_VIDEO_MAJOR
    }

    public func ask<Argument>(_ request: CameraRequest, _ argument: inout Argument) -> Int32 {
        let result = withUnsafeMutablePointer(to: &argument) { argument in
            retrying { heliograph_video_request(descriptor, request.number, argument) }
        }
        return result < 0 ? errno : 0
    }

    /// Maps memory that later workers do not inherit: a worker with a picture to read must not see what the
    /// camera sees now.
    public func map(length: Int, offset: UInt32) -> UnsafeRawBufferPointer? {
        // V4L2 demands both rights, although nothing is written.
        guard let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset)),
            memory != MAP_FAILED
        else {
            return nil
        }
        guard madvise(memory, length, HELIOGRAPH_MADV_DONTFORK) == 0 else {
            munmap(memory, length)
            return nil
        }
        return UnsafeRawBufferPointer(start: memory, count: length)
    }

    public func unmap(_ memory: UnsafeRawBufferPointer) {
        munmap(UnsafeMutableRawPointer(mutating: memory.baseAddress), memory.count)
    }

    public func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        Descriptor.readSome(descriptor, into: buffer)
    }
}

extension CameraProblem {
    /// The problem behind an error of opening a device.
    init(opening number: Int32) {
        self =
            switch number {
            case ENOENT, ENOTDIR, ENXIO, ENODEV: .missing
            case EACCES, EPERM: .notPermitted
            case EBUSY: .busy
            default: .refused(errno: number)
            }
    }

    /// The problem behind an error of an open device.
    init(asking number: Int32) {
        self =
            switch number {
            case ENODEV, ENXIO: .unplugged
            case EBUSY: .busy
            default: .refused(errno: number)
            }
    }
}
