import CV4L2
import Sandbox
import ScanProtocol

/// Finds the format that suits QR codes best and sets it.
struct CameraNegotiation {
    /// Pixels that are aimed at: a large code fills the height with four pixels a module, and a worker reads
    /// thirty such pictures a second.
    private static let wanted = (width: 1280, height: 720)
    /// Of this many pixels and more, USB 2 carries uncompressed pictures at ten a second or less.
    private static let mostUncompressed = 640 * 480
    /// Formats, and sizes of one, that are asked for; a driver has a dozen.
    private static let mostFormats: UInt32 = 64
    private static let mostSizes: UInt32 = 256

    private struct Choice {
        let encoding: CameraFormat.Encoding
        /// The driver's code of the encoding; JPEG has two.
        let fourCC: UInt32
        let width: Int
        let height: Int

        /// How far the size is from the one that is wanted; 1 for that.
        var distance: Double {
            let ratio = Double(width * height) / Double(wanted.width * wanted.height)
            return max(ratio, 1 / ratio)
        }

        func isBetter(than other: Choice) -> Bool {
            guard distance == other.distance else { return distance < other.distance }
            return encoding != other.encoding
                && encoding == (width * height > mostUncompressed ? .mjpeg : .yuyv)
        }
    }

    private let device: any CaptureDevice
    private let forNoise: Bool

    init(_ device: any CaptureDevice, forNoise: Bool = false) {
        (self.device, self.forNoise) = (device, forNoise)
    }

    /// Sets the best format.
    /// - Returns: it, and the bytes of the longest picture.
    func agree() throws(CameraProblem) -> (CameraFormat, readLength: Int) {
        var best: Choice?
        for index in 0..<Self.mostFormats {
            var description = v4l2_fmtdesc()
            description.index = index
            description.type = captureType()
            guard device.ask(.enumerateFormats, &description) == 0 else { break }
            guard let encoding = Self.encoding(description.pixelformat) else { continue }
            for (width, height) in sizes(description.pixelformat) {
                let choice = Choice(
                    encoding: encoding, fourCC: description.pixelformat, width: width, height: height)
                if best.map({ isBetter(choice, than: $0) }) ?? true { best = choice }
            }
        }
        guard let best else { throw .noFormat }
        return try set(best)
    }

    private func isBetter(_ choice: Choice, than other: Choice) -> Bool {
        guard forNoise, choice.encoding != other.encoding else { return choice.isBetter(than: other) }
        return choice.encoding == .yuyv
    }

    private static func encoding(_ fourCC: UInt32) -> CameraFormat.Encoding? {
        switch fourCC {
        case HELIOGRAPH_PIX_FMT_YUYV: .yuyv
        case HELIOGRAPH_PIX_FMT_MJPEG, HELIOGRAPH_PIX_FMT_JPEG: .mjpeg
        default: nil
        }
    }

    /// The sizes that a driver offers in a format; for a range, the size nearest to the wanted one. A driver
    /// that lists no sizes is asked for the wanted one, and answers with the size that it chose.
    private func sizes(_ fourCC: UInt32) -> [(Int, Int)] {
        var sizes: [(Int, Int)] = []
        for index in 0..<Self.mostSizes {
            var size = v4l2_frmsizeenum()
            size.index = index
            size.pixel_format = fourCC
            guard device.ask(.enumerateFrameSizes, &size) == 0 else { break }
            guard size.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
                let range = size.stepwise
                sizes.append(
                    (
                        Self.clamp(Self.wanted.width, range.min_width, range.max_width, range.step_width),
                        Self.clamp(Self.wanted.height, range.min_height, range.max_height, range.step_height)
                    ))
                break
            }
            sizes.append((Int(size.discrete.width), Int(size.discrete.height)))
        }
        if sizes.isEmpty { return [Self.wanted] }
        return sizes.filter { 1...CameraFormat.longestEdge ~= $0.0 && 1...CameraFormat.longestEdge ~= $0.1 }
    }

    /// The step of a range that is at most `wanted`, or its smallest.
    private static func clamp(_ wanted: Int, _ low: UInt32, _ high: UInt32, _ step: UInt32) -> Int {
        let (low, high, step) = (Int(low), Int(high), max(1, Int(step)))
        let limit = min(wanted, high)
        return limit <= low ? low : low + (limit - low) / step * step
    }

    /// A driver may change every number of the request; what comes back is what its pictures are.
    private func set(_ choice: Choice) throws(CameraProblem) -> (CameraFormat, readLength: Int) {
        var request = v4l2_format()
        request.type = captureType()
        request.fmt.pix.width = UInt32(choice.width)
        request.fmt.pix.height = UInt32(choice.height)
        request.fmt.pix.pixelformat = choice.fourCC
        request.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        let number = device.ask(.setFormat, &request)
        guard number == 0 else { throw CameraProblem(asking: number) }
        let answer = request.fmt.pix
        guard let encoding = Self.encoding(answer.pixelformat) else { throw .noFormat }
        let width = Int(answer.width)
        let stride =
            switch encoding {
            case .yuyv: answer.bytesperline == 0 ? 2 * width : Int(answer.bytesperline)
            case .mjpeg: 0
            }
        guard
            let format = CameraFormat(
                encoding: encoding, width: width, height: Int(answer.height), stride: stride),
            format.shortestPicture...Camera.longestBuffer ~= Int(answer.sizeimage)
        else { throw .inconsistent }
        return (format, Int(answer.sizeimage))
    }
}
