import Compression
import ImageDecoding
import QRCode
import ScanProtocol
import TestSupport

/// One QR code in each format that is written here; a JPEG lies in fixtures/fuzz.
@Sendable private func pictures() throws -> [[UInt8]] {
    let code = try QRCode(text: "heliograph")
    let scale = 3
    let width = (code.side + 8) * scale
    let pixels = (0..<width * width).map { place -> UInt8 in
        let (x, y) = (place % width / scale - 4, place / width / scale - 4)
        return (0..<code.side).contains(x) && (0..<code.side).contains(y) && code.modules[y * code.side + x]
            ? 0 : 255
    }
    let size = "\(width) \(width)"
    let gray = Array("P5\n\(size)\n255\n".utf8) + pixels
    let color = Array("P6\n2 2\n255\n".utf8) + [UInt8](repeating: 9, count: 12)
    let wide = Array("P5\n2 2\n65535\n".utf8) + [0, 1, 2, 3, 4, 5, 6, 7]
    return [gray, color, wide, try code.png(scale: 2), try APNG.encode(frames: [code, code], scale: 2)]
}

let pictureTargets = [
    FuzzTarget(name: "picture", longest: 65_536, memory: 2048, seconds: 10, seeds: pictures) { input in
        guard var file = try? PictureFile(input) else { return }
        guard let decoder = QRDecoder(.zxing), let second = QRDecoder(.zbar) else { fatalError("no memory") }
        for index in 0..<min(file.count, 3) {
            guard let image = try? file.image(index) else { continue }
            precondition(
                image.pixels.count == image.width * image.height, "samples that do not fill a picture")
            // Large pictures take the decoders long and find nothing new.
            guard image.pixels.count < 20_000 else { continue }
            _ = decoder.read(image, budget: .milliseconds(50))
            _ = second.read(image, budget: .milliseconds(50))
        }
    },
    // A header line, then a frame.
    FuzzTarget(
        name: "video",
        seeds: {
            let layouts = ["mono", "420jpeg", "444alpha", "mono12", "422p10"]
            return try layouts.map { layout in
                let header = Array("YUV4MPEG2 W8 H4 F25:1 C\(layout)".utf8)
                let format = try VideoFormat(header: header)
                return header + Array("\nFRAME\n".utf8) + [UInt8](repeating: 9, count: format.lumaBytes)
            }
        }
    ) { input in
        let line = input.firstIndex(of: 10) ?? input.count
        guard let format = try? VideoFormat(header: input[..<line]) else { return }
        precondition(
            format.lumaBytes >= format.width * format.height && format.chromaBytes >= 0,
            "planes smaller than the picture")
        guard let image = try? format.image(input.dropFirst(line + 1)) else { return }
        precondition(
            image.width == format.width && image.height == format.height, "a picture of another size")
    },
    // What a camera's driver put into a buffer, behind the head that the broker writes.
    FuzzTarget(
        name: "camera", longest: 16_384,
        seeds: {
            let formats = [(CameraFormat.Encoding.yuyv, 8, 4, 16), (.yuyv, 5, 3, 12), (.mjpeg, 8, 4, 0)]
            return formats.compactMap {
                CameraFormat(encoding: $0.0, width: $0.1, height: $0.2, stride: $0.3)
            }.map { format in
                var message =
                    [UInt8](repeating: 0, count: CameraPicture.headLength)
                    + [UInt8](repeating: 0xff, count: format.shortestPicture + 3)
                CameraPicture.putHead(format, wantsPreview: true, into: &message)
                return message
            }
        }
    ) { input in
        guard let picture = try? CameraPicture(input), let image = try? picture.image() else { return }
        precondition(image.pixels.count == image.width * image.height, "samples that do not fill a picture")
        let preview = PreviewPicture(image)
        precondition(PreviewPicture(preview.encoded) == preview, "a preview that does not survive its record")
    },
    // What workers without keys answer: a tag, then the body of an event or of an expansion.
    FuzzTarget(
        name: "worker",
        seeds: {
            let picture = ScanEvent.picture(
                name: "a.png", frame: 3, outcome: .problem(.tooManyPixels(width: 1, height: 2)))
            let camera = CameraDescription(
                path: "/dev/video0", name: "a",
                format: CameraFormat(encoding: .mjpeg, width: 8, height: 4, stride: 0))
            let preview = PreviewPicture(width: 2, height: 1, pixels: [1, 2])!
            let events =
                [
                    .code([1, 2]), picture, .camera(camera), .preview(preview),
                    .sandboxFailed(step: "x", errno: 1), .finished,
                ] as [ScanEvent]
            let replies =
                [.expanded([1]), .problem(.trailing(bytes: 2)), .sandboxFailed(step: "y", errno: 2)]
                as [ExpansionReply]
            return events.map(\.encoded) + replies.map(\.encoded)
        }
    ) { input in
        guard input.count >= ScanEvent.headerLength else { return }
        let body = input[ScanEvent.headerLength...]
        if let event = try? ScanEvent(tag: input[0], body: body) {
            let again = event.encoded
            precondition(
                (try? ScanEvent(tag: again[0], body: again[ScanEvent.headerLength...])) == event,
                "an event is written as another")
        }
        _ = try? ScanEvent.bodyLength(input.prefix(ScanEvent.headerLength))
        _ = ExpansionReply.bodyLength(input.prefix(ExpansionReply.headerLength))
        if let reply = ExpansionReply(tag: input[0], body: body, length: UInt32(body.count)) {
            let again = reply.encoded
            let read = ExpansionReply(
                tag: again[0], body: again[ExpansionReply.headerLength...], length: UInt32(body.count))
            precondition(read == reply, "a reply is written as another")
        }
    },
    // Announced length (2 bytes, big-endian), a choice (1), then a frame, as it is or behind the header of
    // the only kind that is read; or bytes that are compressed, with one bit flipped where the choice says.
    FuzzTarget(name: "zstd", seeds: { [[0, 9, 1] + Array("heliograph".utf8), [0, 64, 2, 0x20, 0, 0, 1]] }) {
        input in
        guard input.count >= 3 else { return }
        let announced = Int(input[0]) << 8 | Int(input[1])
        let rest = Array(input[3...])
        if input[2] & 1 != 0, !rest.isEmpty {
            guard let frame = try? ZstdFrame.compress(rest) else {
                preconditionFailure("bytes cannot be compressed")
            }
            var flipped = frame
            flipped[announced % frame.count] ^= input[2] & 0xfe
            let result = try? ZstdFrame.expand(flipped, length: UInt32(rest.count))
            precondition(result == nil || result == rest, "a flipped bit gives other bytes")
            return
        }
        let header: [UInt8] = [
            0x28, 0xb5, 0x2f, 0xfd, 0x64, UInt8((announced &- 256) & 0xff),
            UInt8((announced &- 256) >> 8 & 0xff),
        ]
        let frame = input[2] & 2 != 0 ? header + rest : rest
        guard let bytes = try? ZstdFrame.expand(frame, length: UInt32(announced)) else { return }
        precondition(bytes.count == announced, "another length than was announced")
    },
]
