import CV4L2
import Sandbox
import ScanProtocol

/// What a video device says it is.
public struct CameraCapability {
    /// Any text: it comes from the hardware.
    public let name: String
    /// It captures pictures in one plane. Of several planes, as cameras of some boards have them, none is
    /// read.
    public let takesPictures: Bool
    /// It fills buffers in memory; one that does not is read like a file.
    let streams: Bool

    public init(_ device: any CaptureDevice) throws(CameraProblem) {
        var answer = v4l2_capability()
        let number = device.ask(.queryCapability, &answer)
        guard number == 0 else { throw CameraProblem(asking: number) }
        // Those of this device, where a driver with several of them tells them apart.
        let bits =
            answer.capabilities & HELIOGRAPH_CAP_DEVICE_CAPS != 0 ? answer.device_caps : answer.capabilities
        streams = bits & UInt32(V4L2_CAP_STREAMING) != 0
        takesPictures =
            bits & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0 && (streams || bits & UInt32(V4L2_CAP_READWRITE) != 0)
        name = withUnsafeBytes(of: answer.card) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
