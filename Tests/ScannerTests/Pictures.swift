import Glibc
import QRCode

/// A folder that is removed with its contents when the test is over.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/heliograph-scanner-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw PosixError(errno) }
        path = String(cString: made)
    }

    deinit {
        for name in names { unlink(path + "/" + name) }
        rmdir(path)
    }

    private var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let item = readdir(folder) {
            names.append(withUnsafeBytes(of: &item.pointee.d_name) { String(decoding: $0.prefix(while: { $0 != 0 }), as: UTF8.self) })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let full = path + "/" + name
        let descriptor = open(full, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw PosixError(errno) }
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor)
        return full
    }
}

struct PosixError: Error {
    let errno: Int32
    init(_ errno: Int32) { self.errno = errno }
}

func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws {
    var written = 0
    while written < bytes.count {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, $0.count - written) }
        guard count > 0 else { throw PosixError(errno) }
        written += count
    }
}

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
        for frame in frames { video += Array("FRAME\n".utf8) + frame.samples + [UInt8](repeating: 128, count: chroma) }
        return video
    }

    /// A video whose pictures are 4000 pixels wide and full of noise, so that a worker has its hands full with each.
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
