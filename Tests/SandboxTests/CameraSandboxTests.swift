import CSeccomp
import CV4L2
import Glibc
import TestSupport
import Testing

@testable import Sandbox

/// What is left of devices after the lock-down. /dev/null stands in for the camera: the kernel answers a
/// camera's request there with ENOTTY, which shows that the filter let it through.
@Suite struct CameraSandboxTests {
    /// At once: what `exit` would clear up is in use by threads that the sandbox has stopped.
    private static func require(_ condition: Bool, _ code: Int32) { if !condition { _exit(code) } }

    /// The errno of a request; 0 where it succeeds.
    private static func ask(_ descriptor: Int32, _ request: UInt32) -> Int32 {
        var space = [UInt8](repeating: 0, count: 256)
        return heliograph_video_request(descriptor, request, &space) == 0 ? 0 : errno
    }

    /// VIDIOC_S_CTRL, VIDIOC_S_INPUT, VIDIOC_EXPBUF, VIDIOC_S_EXT_CTRLS, VIDIOC_CREATE_BUFS; FIONREAD and
    /// FIOASYNC of every file.
    private static let others: [UInt32] = [
        0xc008_561c, 0xc004_5627, 0xc040_5610, 0xc020_5648, 0xc100_565c, 0x541b, 0x5452,
    ]

    @Test func onlyTheCamerasDescriptorTakesItsRequests() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let (camera, other) = (open("/dev/null", O_RDWR), open("/dev/null", O_RDWR))
            _ = try lockedDown(.init(forks: true, camera: .open(camera)))
            for request in CameraRequest.allCases {
                Self.require(Self.ask(camera, request.number) == ENOTTY, 1)
                Self.require(Self.ask(other, request.number) == EPERM, 2)
            }
            for request in Self.others { Self.require(Self.ask(camera, request) == EPERM, 3) }
            Self.require(open("/dev/null", O_RDWR) == -1, 4)
            _exit(0)
        }
    }

    @Test func withoutACameraItsRequestsAreRefused() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let other = open("/dev/null", O_RDWR)
            _ = try lockedDown(.init(writable: ["/tmp"], executable: ["/bin/true"], forks: true))
            for request in CameraRequest.allCases {
                Self.require(Self.ask(other, request.number) == EPERM, 1)
            }
            _exit(0)
        }
    }

    @Test func aDeviceThatIsOpenedLaterIsTheNamedOneOnly() async throws {
        guard
            try Requirement.isMet(
                heliograph_landlock_abi() >= 5, "the kernel's Landlock does not know devices")
        else { return }
        await #expect(processExitsWith: .exitCode(0)) {
            _ = try lockedDown(.init(camera: .openedLater(["/dev/zero", "/dev"])))
            let camera = open("/dev/zero", O_RDWR)
            Self.require(camera >= 0, 1)
            Self.require(open("/dev/full", O_RDWR) == -1 && errno == EACCES, 2)
            Self.require(open("/dev/zero", O_WRONLY) == -1 && errno == EPERM, 3)
            Self.require(open("/dev/zero", O_RDWR | O_TRUNC) == -1 && errno == EPERM, 4)
            for request in CameraRequest.allCases {
                Self.require(Self.ask(camera, request.number) == ENOTTY, 5)
            }
            for request in Self.others { Self.require(Self.ask(camera, request) == EPERM, 6) }
            _exit(0)
        }
    }

    @Test
    func `a device that is named is read and written, and no other, and none without a writing command`()
        async throws
    {
        guard
            try Requirement.isMet(
                heliograph_landlock_abi() >= 5, "the kernel's Landlock does not know devices")
        else { return }
        await #expect(processExitsWith: .exitCode(0)) {
            _ = try lockedDown(.init(writable: ["/tmp"], devices: ["/dev/zero", "/dev"]))
            let device = open("/dev/zero", O_RDWR)
            Self.require(device >= 0 && write(device, "x", 1) == 1, 1)
            Self.require(open("/dev/full", O_RDWR) == -1 && errno == EACCES, 2)
            for request in Self.others { Self.require(Self.ask(device, request) == EPERM, 3) }
            _exit(0)
        }
    }

    @Test func theScannerOfALockedDownProgramAsksItsCamera() async throws {
        guard
            try Requirement.isMet(
                heliograph_landlock_abi() >= 5, "the kernel's Landlock does not know devices")
        else { return }
        await #expect(processExitsWith: .exitCode(0)) {
            // Two lock-downs, as the program that starts the scanner and the scanner itself have them.
            _ = try lockedDown(.init(executable: ["/bin/true"], camera: .openedLater(["/dev/zero"])))
            let camera = open("/dev/zero", O_RDWR)
            _ = try lockedDown(.init(forks: true, camera: .open(camera)))
            Self.require(Self.ask(camera, CameraRequest.dequeueBuffer.number) == ENOTTY, 1)
            Self.require(open("/dev/zero", O_RDWR) == -1, 2)
            _exit(0)
        }
    }
}

@Suite struct CameraCallLaws {
    /// The kernel takes the request of `ioctl` from the second argument, and the flags of `open` and `openat`
    /// from the second and the third.
    @Test func `what a scanner may ask a camera is limited by the arguments that say it`() {
        let limited = SystemCallList.camera(.openedLater([])).limited
        for call in limited {
            let place: UInt32 = call.name == "openat" ? 2 : 1
            #expect(call.conditions.map(\.argument) == [place], "\(call.name)")
        }
        #expect(limited.filter { $0.name == "ioctl" }.count == CameraRequest.allCases.count)
        let open = SystemCallList.camera(.open(7)).limited
        #expect(open.count == CameraRequest.allCases.count)
        #expect(open.allSatisfy { $0.conditions.map(\.argument) == [0, 1] && $0.conditions[0].value == 7 })
    }
}
