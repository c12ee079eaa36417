import CV4L2
import Glibc
import Sandbox
import ScanProtocol

/// Takes pictures with a camera. Every number that the driver says is bounded, and a buffer is copied before
/// anybody looks at it.
public final class Camera {
    /// What one look at a readable camera brought.
    public enum Capture: Equatable {
        /// The bytes that were asked for ahead of a picture, zeros, and the picture.
        case picture([UInt8])
        /// Nothing, or only a picture that the driver itself calls damaged.
        case nothing
    }

    /// Bytes of a buffer, at most.
    static let longestBuffer = 64 << 20
    /// Buffers that are asked for: one that is filled, one that is read, two that wait.
    static let wantedBuffers: UInt32 = 4
    static let mostBuffers: UInt32 = 32

    public let name: String
    public let format: CameraFormat
    public var descriptor: Int32 { device.descriptor }
    private let device: any CaptureDevice
    private let streams: Bool
    /// Bytes of one read, for a camera that maps no buffers.
    private let readLength: Int
    private var buffers: [UnsafeRawBufferPointer] = []
    private var isRunning = false

    /// Agrees with the camera on a format. Nothing is taken before ``start()``.
    /// - Parameters:
    ///   - device: the open camera.
    ///   - forNoise: whether pictures that are not compressed are wanted, whatever their size: a compressed
    ///     one has less of the noise.
    public init(_ device: any CaptureDevice, forNoise: Bool = false) throws(CameraProblem) {
        let capability = try CameraCapability(device)
        guard capability.takesPictures else { throw .takesNoPictures }
        self.device = device
        name = capability.name
        streams = capability.streams
        (format, readLength) = try CameraNegotiation(device, forNoise: forNoise).agree()
    }

    deinit { stop() }

    public func start() throws(CameraProblem) {
        guard streams, !isRunning else { return }
        try mapBuffers()
        for index in buffers.indices { try queue(index) }
        isRunning = true
        try ask(.streamOn, captureType())
    }

    public func stop() {
        // A driver that refuses this lets go when the descriptor is closed.
        if isRunning { try? ask(.streamOff, captureType()) }
        isRunning = false
        for buffer in buffers { device.unmap(buffer) }
        buffers = []
    }

    /// The picture that is there now. It never waits.
    /// - Parameter leading: how many bytes are kept free ahead of it.
    public func next(leading: Int) throws(CameraProblem) -> Capture {
        try streams ? dequeue(leading) : read(leading)
    }

    // MARK: Buffers in memory

    private func mapBuffers() throws(CameraProblem) {
        var request = v4l2_requestbuffers()
        request.count = Self.wantedBuffers
        request.type = captureType()
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try ask(.requestBuffers, &request)
        guard 1...Self.mostBuffers ~= request.count else { throw .inconsistent }
        for index in 0..<request.count {
            var buffer = v4l2_buffer(index: index)
            try ask(.queryBuffer, &buffer)
            let length = Int(buffer.length)
            guard format.shortestPicture...Self.longestBuffer ~= length else { throw .inconsistent }
            guard let memory = device.map(length: length, offset: buffer.m.offset) else {
                throw .refused(errno: errno)
            }
            buffers.append(memory)
        }
    }

    private func queue(_ index: Int) throws(CameraProblem) {
        var buffer = v4l2_buffer(index: UInt32(index))
        try ask(.queueBuffer, &buffer)
    }

    private func dequeue(_ leading: Int) throws(CameraProblem) -> Capture {
        var buffer = v4l2_buffer(index: 0)
        switch device.ask(.dequeueBuffer, &buffer) {
        case 0: break
        case EAGAIN: return .nothing
        case let number: throw CameraProblem(asking: number)
        }
        guard Int(buffer.index) < buffers.count else { throw .inconsistent }
        let index = Int(buffer.index)
        let used = Int(buffer.bytesused)
        guard used <= buffers[index].count else { throw .inconsistent }
        let isDamaged = buffer.flags & HELIOGRAPH_BUF_FLAG_ERROR != 0
        let capture = isDamaged ? .nothing : copy(buffers[index][..<used], leading)
        try queue(index)
        return capture
    }

    /// The rows of the picture and nothing behind them; a picture that is too short is refused.
    private func copy(_ bytes: Slice<UnsafeRawBufferPointer>, _ leading: Int) -> Capture {
        guard bytes.count >= format.shortestPicture else { return .nothing }
        let length = format.encoding == .yuyv ? format.shortestPicture : bytes.count
        return .picture(
            [UInt8](unsafeUninitializedCapacity: leading + length) { target, count in
                let target = UnsafeMutableRawBufferPointer(start: target.baseAddress, count: leading + length)
                memset(target.baseAddress!, 0, leading)
                UnsafeMutableRawBufferPointer(rebasing: target[leading...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes.prefix(length)))
                count = leading + length
            })
    }

    // MARK: Plain reads

    private func read(_ leading: Int) throws(CameraProblem) -> Capture {
        var failure: Int32 = 0
        var picture = [UInt8](unsafeUninitializedCapacity: leading + readLength) { target, count in
            let target = UnsafeMutableRawBufferPointer(start: target.baseAddress, count: leading + readLength)
            memset(target.baseAddress!, 0, leading)
            let length = device.read(
                into: UnsafeMutableRawBufferPointer(rebasing: target[leading..<(leading + readLength)]))
            failure = length < 0 ? errno : 0
            count = leading + min(max(0, length), readLength)
        }
        guard failure == 0 || failure == EAGAIN else { throw CameraProblem(asking: failure) }
        guard failure == 0, picture.count >= leading + format.shortestPicture else { return .nothing }
        if format.encoding == .yuyv { picture.removeLast(picture.count - leading - format.shortestPicture) }
        return .picture(picture)
    }

    // MARK: Requests

    private func ask<Argument>(_ request: CameraRequest, _ argument: inout Argument) throws(CameraProblem) {
        let number = device.ask(request, &argument)
        guard number == 0 else { throw CameraProblem(asking: number) }
    }

    private func ask(_ request: CameraRequest, _ argument: UInt32) throws(CameraProblem) {
        var argument = argument
        try ask(request, &argument)
    }
}

func captureType() -> UInt32 { V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue }

extension v4l2_buffer {
    /// An empty one of a capture queue in mapped memory.
    init(index: UInt32) {
        self.init()
        self.index = index
        type = captureType()
        memory = V4L2_MEMORY_MMAP.rawValue
    }
}

/// What a video device says it is.
public struct CameraCapability {
    /// Any text: it comes from the hardware.
    public let name: String
    /// Whether it captures pictures in one plane. Pictures in several planes, as some boards' cameras give
    /// them, cannot be read.
    public let takesPictures: Bool
    /// Whether it fills buffers in memory; other devices are read like a file.
    let streams: Bool

    public init(_ device: any CaptureDevice) throws(CameraProblem) {
        var answer = v4l2_capability()
        let number = device.ask(.queryCapability, &answer)
        guard number == 0 else { throw CameraProblem(asking: number) }
        // The capabilities of this device, if its driver reports them for each device; otherwise those of the
        // whole driver.
        let bits =
            answer.capabilities & HELIOGRAPH_CAP_DEVICE_CAPS != 0 ? answer.device_caps : answer.capabilities
        streams = bits & UInt32(V4L2_CAP_STREAMING) != 0
        takesPictures =
            bits & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0 && (streams || bits & UInt32(V4L2_CAP_READWRITE) != 0)
        name = withUnsafeBytes(of: answer.card) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// A camera as the kernel shows it: requests with their structures, its buffers in memory, and plain reads.
/// Nothing is checked here; ``Camera`` trusts no answer.
public protocol CaptureDevice: AnyObject {
    /// Readable when a picture may be there.
    var descriptor: Int32 { get }
    /// Sends one request to the driver.
    /// - `argument`: the kernel's structure for the request; the answer overwrites it.
    /// - Returns: 0, or the `errno` of the refusal.
    func ask<Argument>(_ request: CameraRequest, _ argument: inout Argument) -> Int32
    /// Buffer memory of the driver; nil with `errno` when there is none.
    func map(length: Int, offset: UInt32) -> UnsafeRawBufferPointer?
    func unmap(_ memory: UnsafeRawBufferPointer)
    /// As `read(2)`: the count, or -1 with `errno`.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
}
