import CV4L2

/// The only requests that a program with a camera may send to a device. Source: the kernel's V4L2 document.
public enum CameraRequest: CaseIterable, Sendable {
    case queryCapability
    case enumerateFormats
    case enumerateFrameSizes
    case setFormat
    case requestBuffers
    case queryBuffer
    case queueBuffer
    case dequeueBuffer
    case streamOn
    case streamOff

    /// The second argument of `ioctl`.
    public var number: UInt32 {
        switch self {
        case .queryCapability: HELIOGRAPH_VIDIOC_QUERYCAP
        case .enumerateFormats: HELIOGRAPH_VIDIOC_ENUM_FMT
        case .enumerateFrameSizes: HELIOGRAPH_VIDIOC_ENUM_FRAMESIZES
        case .setFormat: HELIOGRAPH_VIDIOC_S_FMT
        case .requestBuffers: HELIOGRAPH_VIDIOC_REQBUFS
        case .queryBuffer: HELIOGRAPH_VIDIOC_QUERYBUF
        case .queueBuffer: HELIOGRAPH_VIDIOC_QBUF
        case .dequeueBuffer: HELIOGRAPH_VIDIOC_DQBUF
        case .streamOn: HELIOGRAPH_VIDIOC_STREAMON
        case .streamOff: HELIOGRAPH_VIDIOC_STREAMOFF
        }
    }
}
