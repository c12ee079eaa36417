import CV4L2
import Glibc
import Sandbox
import ScanProtocol
import Testing

@testable import Camera

/// What a camera may answer, and what is made of it. ``FakeDevice`` stands in for the driver.
@Suite struct CameraTests {
    private static let yuyv = HELIOGRAPH_PIX_FMT_YUYV
    private static let mjpeg = HELIOGRAPH_PIX_FMT_MJPEG
    /// Of the fake's 8 x 4 pixels.
    private static let picture = (0..<64).map { UInt8($0) }

    private func started(_ device: FakeDevice) throws -> Camera {
        let camera = try Camera(device)
        try camera.start()
        return camera
    }

    // MARK: Which device

    @Test func aDeviceThatTakesNoPicturesIsRefused() {
        let device = FakeDevice()
        for bits in [
            UInt32(V4L2_CAP_STREAMING), UInt32(V4L2_CAP_VIDEO_CAPTURE),
            0x0020_0000 | UInt32(V4L2_CAP_STREAMING),
        ] {
            device.capabilities = bits
            #expect(throws: CameraProblem.takesNoPictures) { try Camera(device) }
        }
        // The driver has a camera, and this device is the channel of its metadata.
        device.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
        device.deviceCapabilities = UInt32(V4L2_CAP_STREAMING)
        #expect(throws: CameraProblem.takesNoPictures) { try Camera(device) }
    }

    @Test func theNameEndsAtItsZeroOrAtItsLength() throws {
        let device = FakeDevice()
        device.card = "Two\0Three"
        #expect(try Camera(device).name == "Two")
        device.card = String(repeating: "n", count: 40)
        #expect(try Camera(device).name == String(repeating: "n", count: 32))
    }

    @Test func aPathThatIsNoVideoDeviceIsNotOpened() {
        #expect(throws: CameraProblem.missing) { try VideoDevice(path: "/dev/video-that-is-not-there") }
        // An open file of /dev/null would be harmless, of another device it might not be.
        for path in ["/dev/null", "/dev", "/etc/passwd"] {
            #expect(throws: CameraProblem.notACamera) { try VideoDevice(path: path) }
        }
    }

    @Test func aRefusedRequestSaysWhatThePersonCanDo() {
        let device = FakeDevice()
        for (number, problem) in [
            (ENODEV, CameraProblem.unplugged), (EBUSY, .busy), (EINVAL, .refused(errno: EINVAL)),
        ] {
            for request in [
                CameraRequest.queryCapability, .setFormat, .requestBuffers, .queryBuffer, .queueBuffer,
                .streamOn,
            ] {
                device.refuses = [request: number]
                #expect(throws: problem) { try started(device) }
            }
        }
        device.refuses = [:]
        device.mapsNothing = true
        #expect(throws: CameraProblem.refused(errno: ENOMEM)) { try started(device) }
    }

    @Test(arguments: [
        (ENOENT, CameraProblem.missing), (ENODEV, .missing), (EACCES, .notPermitted), (EPERM, .notPermitted),
        (EBUSY, .busy),
        (EIO, .refused(errno: EIO)),
    ]) func whatOpeningFailsWithIsTold(_ number: Int32, _ problem: CameraProblem) {
        #expect(CameraProblem(opening: number) == problem)
    }

    // MARK: Which format

    private func agreed(_ offers: FakeDevice.Offer...) throws -> String {
        let device = FakeDevice()
        device.offers = offers
        let format = try Camera(device).format
        return "\(format.encoding) \(format.width)x\(format.height)"
    }

    @Test func theSizeNearest720LinesIsTaken() throws {
        let sizes = [(320, 240), (640, 480), (1280, 720), (1920, 1080)]
        #expect(try agreed(.init(fourCC: Self.yuyv, sizes: sizes)) == "yuyv 1280x720")
        #expect(try agreed(.init(fourCC: Self.yuyv, sizes: Array(sizes[..<2]))) == "yuyv 640x480")
        #expect(try agreed(.init(fourCC: Self.yuyv, sizes: [sizes[3], sizes[0]])) == "yuyv 1920x1080")
    }

    @Test func largePicturesComeAsJPEGAndSmallOnesRaw() throws {
        let (large, small) = ([(640, 480), (1280, 720)], [(640, 480)])
        #expect(
            try agreed(.init(fourCC: Self.yuyv, sizes: large), .init(fourCC: Self.mjpeg, sizes: large))
                == "mjpeg 1280x720")
        #expect(
            try agreed(.init(fourCC: Self.mjpeg, sizes: large), .init(fourCC: Self.yuyv, sizes: large))
                == "mjpeg 1280x720")
        for pair in [[Self.yuyv, Self.mjpeg], [Self.mjpeg, Self.yuyv]] {
            #expect(
                try agreed(.init(fourCC: pair[0], sizes: small), .init(fourCC: pair[1], sizes: small))
                    == "yuyv 640x480")
        }
        #expect(
            try agreed(.init(fourCC: Self.yuyv, sizes: large), .init(fourCC: Self.mjpeg, sizes: small))
                == "yuyv 1280x720")
        #expect(try agreed(.init(fourCC: HELIOGRAPH_PIX_FMT_JPEG, sizes: small)) == "mjpeg 640x480")
    }

    @Test func `for their noise, pictures are raw wherever the camera has raw ones`() throws {
        let (large, small) = ([(640, 480), (1280, 720)], [(640, 480)])
        let device = FakeDevice()
        for (offers, format) in [
            ([.init(fourCC: Self.yuyv, sizes: large), .init(fourCC: Self.mjpeg, sizes: large)], "yuyv 1280"),
            ([.init(fourCC: Self.mjpeg, sizes: large), .init(fourCC: Self.yuyv, sizes: small)], "yuyv 640"),
            ([.init(fourCC: Self.mjpeg, sizes: large)], "mjpeg 1280"),
        ] as [([FakeDevice.Offer], String)] {
            device.offers = offers
            let agreed = try Camera(device, forNoise: true).format
            #expect("\(agreed.encoding) \(agreed.width)" == format)
        }
    }

    @Test func aRangeOfSizesGivesTheStepBelowTheWish() throws {
        #expect(try agreed(.init(fourCC: Self.yuyv, range: (16, 4096, 16, 16, 4096, 16))) == "yuyv 1280x720")
        #expect(
            try agreed(.init(fourCC: Self.yuyv, range: (100, 4096, 300, 100, 4096, 300))) == "yuyv 1000x700")
        #expect(
            try agreed(.init(fourCC: Self.yuyv, range: (1600, 4096, 0, 1200, 4096, 0))) == "yuyv 1600x1200")
        #expect(try agreed(.init(fourCC: Self.yuyv, range: (32, 64, 0, 32, 64, 0))) == "yuyv 64x64")
    }

    @Test func aCameraThatListsNoSizesIsAskedForTheWish() throws {
        #expect(try agreed(.init(fourCC: Self.yuyv)) == "yuyv 1280x720")
    }

    @Test func sizesOutOfBoundsAreNoSizes() throws {
        let outOfBounds = [(0, 0), (0, 720), (1280, 0), (Int(UInt32.max), 1), (1, 8193), (1 << 31, 1 << 31)]
        #expect(throws: CameraProblem.noFormat) { try agreed(.init(fourCC: Self.yuyv, sizes: outOfBounds)) }
        #expect(try agreed(.init(fourCC: Self.yuyv, sizes: outOfBounds + [(32, 16)])) == "yuyv 32x16")
        #expect(throws: CameraProblem.noFormat) {
            try agreed(.init(fourCC: Self.yuyv, range: (1 << 31, .max, 1, 1 << 31, .max, 1)))
        }
    }

    @Test func aCameraWithOtherFormatsOnlyIsRefused() {
        #expect(throws: CameraProblem.noFormat) {
            try agreed(.init(fourCC: 0x3231_564e, sizes: [(640, 480)]))
        }
        #expect(throws: CameraProblem.noFormat) { try agreed() }
    }

    @Test func whatTheDriverMakesOfTheFormatIsChecked() throws {
        let hostile: [(CameraProblem, (inout v4l2_pix_format) -> Void)] = [
            (.noFormat, { $0.pixelformat = 0x3231_564e }), (.inconsistent, { $0.width = 0 }),
            (.inconsistent, { $0.height = 0 }),
            (.inconsistent, { $0.width = 1 << 31 }), (.inconsistent, { $0.height = .max }),
            (.inconsistent, { $0.bytesperline = 15 }),
            (.inconsistent, { $0.bytesperline = .max }), (.inconsistent, { $0.sizeimage = 63 }),
            (.inconsistent, { $0.sizeimage = 0 }),
            (.inconsistent, { $0.sizeimage = .max }),
            (
                .inconsistent,
                {
                    $0.width = 8192
                    $0.height = 8192
                    $0.bytesperline = 16384
                    $0.sizeimage = 1 << 27
                }
            ),
        ]
        for (index, (problem, change)) in hostile.enumerated() {
            let device = FakeDevice()
            device.adjust = change
            #expect(throws: problem, "\(index)") { try Camera(device) }
        }
        let device = FakeDevice()
        device.adjust = { $0.bytesperline = 0 }
        #expect(try Camera(device).format.stride == 16)
        device.adjust = {
            $0.bytesperline = 20
            $0.sizeimage = 80
        }
        #expect(try Camera(device).format.stride == 20)
    }

    // MARK: Buffers

    @Test func aPictureIsCopiedBehindTheBytesThatAreKeptFree() throws {
        let device = FakeDevice()
        device.answers = [.init(index: 3, picture: Self.picture)]
        let camera = try started(device)
        #expect(device.queued == [0, 1, 2, 3])
        #expect(try camera.next(leading: 5) == .picture([0, 0, 0, 0, 0] + Self.picture))
        #expect(device.queued == [0, 1, 2, 3, 3])
        #expect(try camera.next(leading: 5) == .nothing)
    }

    @Test func bytesBehindTheRowsAreNotTaken() throws {
        let device = FakeDevice()
        device.answers = [.init(used: 4096, picture: Self.picture)]
        #expect(try started(device).next(leading: 0) == .picture(Self.picture))
        device.adjust = {
            $0.bytesperline = 20
            $0.sizeimage = 80
        }
        device.answers = [.init(used: 80, picture: Self.picture)]
        guard case .picture(let rows) = try started(device).next(leading: 0) else {
            throw CameraProblem.inconsistent
        }
        #expect(rows.count == 76)
    }

    @Test func aJPEGIsTakenAsLongAsItIs() throws {
        let device = FakeDevice()
        device.offers = [.init(fourCC: Self.mjpeg, sizes: [(8, 4)])]
        device.answers = [.init(picture: [1, 2, 3]), .init(used: 0)]
        let camera = try started(device)
        #expect(try camera.next(leading: 0) == .picture([1, 2, 3]))
        #expect(try camera.next(leading: 0) == .nothing)
        #expect(device.queued.count == 6)
    }

    @Test func shortAndDamagedPicturesAreNone() throws {
        let device = FakeDevice()
        device.answers = [
            .init(used: 63, picture: Self.picture), .init(used: 0),
            .init(flags: HELIOGRAPH_BUF_FLAG_ERROR, picture: Self.picture),
            .init(picture: Self.picture),
        ]
        let camera = try started(device)
        for _ in 0..<3 { #expect(try camera.next(leading: 0) == .nothing) }
        #expect(try camera.next(leading: 0) == .picture(Self.picture))
        #expect(device.queued.count == 8)
    }

    @Test func numbersOutOfTheBuffersEndTheCamera() throws {
        for answer in [
            FakeDevice.Dequeued(index: 4), .init(index: .max), .init(used: 4097), .init(used: .max),
            .init(index: 1 << 31, used: 64),
        ] {
            let device = FakeDevice()
            device.answers = [answer]
            let camera = try started(device)
            #expect(throws: CameraProblem.inconsistent) { try camera.next(leading: 0) }
        }
    }

    @Test func anImpossibleSetOfBuffersIsRefused() throws {
        for count in [0, 33, .max] as [UInt32] {
            let device = FakeDevice()
            device.bufferCount = count
            #expect(throws: CameraProblem.inconsistent) { try started(device) }
            #expect(device.mapped.isEmpty)
        }
        for length in [0, 63, (64 << 20) + 1, 1 << 31, .max] as [UInt32] {
            let device = FakeDevice()
            device.bufferLength = length
            #expect(throws: CameraProblem.inconsistent) { try started(device) }
            #expect(device.mapped.isEmpty)
        }
        let device = FakeDevice()
        device.bufferCount = 1
        device.bufferLength = 64
        device.answers = [.init(picture: Self.picture)]
        #expect(try started(device).next(leading: 0) == .picture(Self.picture))
    }

    @Test func whatADriverRefusesWhileItRunsEndsTheCamera() throws {
        for (number, problem) in [(ENODEV, CameraProblem.unplugged), (EIO, .refused(errno: EIO))] {
            let device = FakeDevice()
            device.answers = [.init(errno: number)]
            let camera = try started(device)
            #expect(throws: problem) { try camera.next(leading: 0) }
        }
    }

    @Test func theMemoryIsGivenBack() throws {
        let device = FakeDevice()
        let camera = try started(device)
        camera.stop()
        camera.stop()
        #expect(device.unmapped == 4 && device.asked.filter { $0 == .streamOff }.count == 1)
    }

    // MARK: Plain reads

    @Test func aCameraWithoutBuffersIsRead() throws {
        let device = FakeDevice()
        device.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_READWRITE)
        device.adjust = { $0.sizeimage = 80 }
        device.reads = [
            (0, Self.picture + [1, 2]), (EAGAIN, []), (0, []), (0, Array(Self.picture[..<63])), (ENODEV, []),
        ]
        let camera = try started(device)
        #expect(try camera.next(leading: 2) == .picture([0, 0] + Self.picture))
        for _ in 0..<3 { #expect(try camera.next(leading: 0) == .nothing) }
        #expect(throws: CameraProblem.unplugged) { try camera.next(leading: 0) }
        #expect(!device.asked.contains(.requestBuffers) && !device.asked.contains(.streamOn))
    }
}
