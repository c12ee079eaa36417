import CV4L2
import Camera
import Glibc
import Sandbox

/// A camera that exists only in these tests: it answers from numbers that a test may set to anything, and its
/// buffers are plain memory.
///
/// `tools/dev camera` drives the real broker and the real requests; a preloaded library stands in for the
/// kernel there.
final class FakeDevice: CaptureDevice {
    struct Offer {
        let fourCC: UInt32
        var sizes: [(Int, Int)] = []
        /// min, max, step of width and height.
        var range: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)?
    }

    struct Dequeued {
        var index: UInt32 = 0
        var used: UInt32?
        var flags: UInt32 = 0
        var errno: Int32 = 0
        var picture: [UInt8] = []
    }

    let descriptor: Int32 = -1
    var card = "Fake"
    var capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
    var deviceCapabilities: UInt32?
    var offers = [Offer(fourCC: HELIOGRAPH_PIX_FMT_YUYV, sizes: [(8, 4)])]
    /// Changes what the driver answers to a format.
    var adjust: (inout v4l2_pix_format) -> Void = { _ in }
    var bufferCount: UInt32?
    var bufferLength: UInt32 = 4096
    var refuses: [CameraRequest: Int32] = [:]
    var mapsNothing = false
    var answers: [Dequeued] = []
    var reads: [(errno: Int32, bytes: [UInt8])] = []

    private(set) var asked: [CameraRequest] = []
    private(set) var set: v4l2_pix_format?
    private(set) var mapped: [UnsafeMutableRawBufferPointer] = []
    private(set) var unmapped = 0
    private(set) var queued: [UInt32] = []

    deinit { for memory in mapped { memory.deallocate() } }

    func ask<Argument>(_ request: CameraRequest, _ argument: inout Argument) -> Int32 {
        asked.append(request)
        if let number = refuses[request] { return number }
        switch request {
        case .queryCapability: return change(&argument, v4l2_capability.self, answer)
        case .enumerateFormats: return change(&argument, v4l2_fmtdesc.self, answer)
        case .enumerateFrameSizes: return change(&argument, v4l2_frmsizeenum.self, answer)
        case .setFormat:
            return change(&argument, v4l2_format.self) { format in
                format.fmt.pix.bytesperline =
                    format.fmt.pix.pixelformat == HELIOGRAPH_PIX_FMT_YUYV ? 2 * format.fmt.pix.width : 0
                format.fmt.pix.sizeimage = 2 * format.fmt.pix.width * format.fmt.pix.height
                adjust(&format.fmt.pix)
                set = format.fmt.pix
                return 0
            }
        case .requestBuffers:
            return change(&argument, v4l2_requestbuffers.self) {
                if let bufferCount { $0.count = bufferCount }
                return 0
            }
        case .queryBuffer:
            return change(&argument, v4l2_buffer.self) {
                $0.length = bufferLength
                $0.m.offset = $0.index * 4096
                return 0
            }
        case .queueBuffer:
            return change(&argument, v4l2_buffer.self) {
                queued.append($0.index)
                return 0
            }
        case .dequeueBuffer: return change(&argument, v4l2_buffer.self, dequeue)
        case .streamOn, .streamOff: return 0
        }
    }

    private func change<Argument, Structure>(
        _ argument: inout Argument, _ type: Structure.Type, _ body: (inout Structure) -> Int32
    ) -> Int32 {
        guard var structure = argument as? Structure else { return EFAULT }
        let number = body(&structure)
        argument = structure as! Argument
        return number
    }

    private func answer(_ capability: inout v4l2_capability) -> Int32 {
        withUnsafeMutableBytes(of: &capability.card) { $0.copyBytes(from: Array(card.utf8).prefix(32)) }
        capability.capabilities = capabilities
        if let deviceCapabilities {
            capability.capabilities |= HELIOGRAPH_CAP_DEVICE_CAPS
            capability.device_caps = deviceCapabilities
        }
        return 0
    }

    private func answer(_ description: inout v4l2_fmtdesc) -> Int32 {
        guard description.index < offers.count else { return EINVAL }
        description.pixelformat = offers[Int(description.index)].fourCC
        return 0
    }

    private func answer(_ size: inout v4l2_frmsizeenum) -> Int32 {
        guard let offer = offers.first(where: { $0.fourCC == size.pixel_format }) else { return EINVAL }
        if let range = offer.range {
            size.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
            size.stepwise = v4l2_frmsize_stepwise(
                min_width: range.0, max_width: range.1, step_width: range.2, min_height: range.3,
                max_height: range.4, step_height: range.5)
            return 0
        }
        guard size.index < offer.sizes.count else { return EINVAL }
        size.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
        let (width, height) = offer.sizes[Int(size.index)]
        size.discrete = v4l2_frmsize_discrete(width: UInt32(width), height: UInt32(height))
        return 0
    }

    private func dequeue(_ buffer: inout v4l2_buffer) -> Int32 {
        guard !answers.isEmpty else { return EAGAIN }
        let answer = answers.removeFirst()
        guard answer.errno == 0 else { return answer.errno }
        buffer.index = answer.index
        buffer.flags = answer.flags
        buffer.bytesused = answer.used ?? UInt32(answer.picture.count)
        if Int(answer.index) < mapped.count { mapped[Int(answer.index)].copyBytes(from: answer.picture) }
        return 0
    }

    func map(length: Int, offset: UInt32) -> UnsafeRawBufferPointer? {
        guard !mapsNothing else {
            errno = ENOMEM
            return nil
        }
        // What a test maps is small; a length that is out of bounds never comes here.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0xee)
        mapped.append(memory)
        return UnsafeRawBufferPointer(memory)
    }

    func unmap(_ memory: UnsafeRawBufferPointer) { unmapped += 1 }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !reads.isEmpty else {
            errno = EAGAIN
            return -1
        }
        let (number, bytes) = reads.removeFirst()
        guard number == 0 else {
            errno = number
            return -1
        }
        buffer.copyBytes(from: bytes.prefix(buffer.count))
        return min(bytes.count, buffer.count)
    }
}
