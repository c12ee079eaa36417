import QRCode

/// Payloads and pictures of them.
enum Pictures {
    static func payload(_ number: Int, count: Int = 100) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0 &* 7) }
    }

    static func png(_ bytes: [UInt8]) throws -> [UInt8] { try QRCode(bytes: bytes).png() }

    /// Grey samples of a code, `side` pixels wide and high.
    static func luma(_ bytes: [UInt8], scale: Int = 3) throws -> (side: Int, samples: [UInt8]) {
        let code = try QRCode(bytes: bytes)
        let side = (code.side + 8) * scale
        var samples = [UInt8](repeating: 255, count: side * side)
        for y in 0..<(code.side * scale) {
            for x in 0..<(code.side * scale) where code.modules[y / scale * code.side + x / scale] {
                samples[(y + 4 * scale) * side + x + 4 * scale] = 0
            }
        }
        return (side, samples)
    }

    /// A Y4M video with one frame for each payload. All payloads must make codes of one size.
    static func video(_ payloads: [[UInt8]], layout: String = "420jpeg") throws -> [UInt8] {
        let frames = try payloads.map { try luma($0) }
        let side = frames.first?.side ?? 64
        let half = (side + 1) / 2
        let chroma = layout == "mono" ? 0 : 2 * half * half
        var video = Array("YUV4MPEG2 W\(side) H\(side) F30:1 Ip A1:1 C\(layout)\n".utf8)
        for frame in frames {
            video += Array("FRAME\n".utf8) + frame.samples + [UInt8](repeating: 128, count: chroma)
        }
        return video
    }

    /// A video whose pictures are 4000 pixels wide and full of noise, so that a worker has its hands full
    /// with each.
    static func hardVideo(_ pictures: Int) -> [UInt8] {
        var state: UInt64 = 88
        var video = Array("YUV4MPEG2 W4000 H1000 Cmono\n".utf8)
        for _ in 0..<pictures {
            video += Array("FRAME\n".utf8)
            video += [UInt8](unsafeUninitializedCapacity: 4_000_000) { buffer, count in
                buffer.withMemoryRebound(to: UInt64.self) { words in
                    for index in 0..<500_000 {
                        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        words[index] = state ^ state >> 29
                    }
                }
                count = 4_000_000
            }
        }
        return video
    }
}
