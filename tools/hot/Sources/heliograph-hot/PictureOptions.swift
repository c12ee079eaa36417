import ArgumentParser
import Glibc
import Hashing
import QRCode
import UOS

/// How bytes become QR codes, and codes become files.
struct PictureOptions: ParsableArguments {
    @Flag(help: "number the parts instead of RaptorQ frames, also when there is only one") var legacy = false
    @Option(help: "bytes of a part with --legacy") var part = LegacyFrames.standardPartLength
    @Option(help: "bytes of a RaptorQ symbol; one that every reader decodes without") var symbol: Int?
    @Option(help: "RaptorQ frames also for what fits one code: always, or auto") var raptorq = RaptorQUse.auto
    @Option(help: "numbering of repair symbols where readers differ: kprime (the readers in use) or rfc6330") var dialect = Dialect.kprime
    @Option(help: "repair symbols for each hundred source symbols") var repair = 100
    @Option(help: "frames a second of an animation") var fps = 15
    @Option(help: "L, M, Q or H; L without, M with --legacy") var errorCorrection: QRCode.ErrorCorrection?
    @Flag(help: "draw on the terminal instead of a file; several codes move until interrupted") var terminal = false
    @Option(help: "pixels a module") var scale = QRCode.standardScale
    @Option(help: "modules of the quiet zone") var border = QRCode.standardBorder

    enum Dialect: String, ExpressibleByArgument, CaseIterable { case kprime, rfc6330 }
    enum RaptorQUse: String, ExpressibleByArgument, CaseIterable { case auto, always }

    func validate() throws {
        guard (1...1000).contains(fps) else { throw ValidationError("--fps takes 1 to 1000") }
        guard (1...64).contains(scale) else { throw ValidationError("--scale takes 1 to 64 pixels") }
        guard (0...64).contains(border) else { throw ValidationError("--border takes 0 to 64 modules") }
        guard (0...1000).contains(repair) else { throw ValidationError("--repair takes 0 to 1000 percent") }
        guard (16...level.capacity - LegacyFrames.headerLength).contains(part) else {
            throw ValidationError("--part takes 16 to \(level.capacity - LegacyFrames.headerLength) bytes")
        }
        let limit = level.capacity - RaptorQFrames.headerLength
        if let symbol, !(16...limit).contains(symbol) || symbol >= 64 && !symbol.isMultiple(of: 8) {
            throw ValidationError("--symbol takes 16 to \(limit) bytes, and a multiple of 8 from 64 up")
        }
        if legacy, symbol != nil || raptorq == .always { throw ValidationError("--legacy frames have no RaptorQ symbols") }
    }

    private var level: QRCode.ErrorCorrection { errorCorrection ?? (legacy ? .medium : .low) }

    /// A payload that fits one code goes as it is, unless frames are asked for.
    private var framesAlways: Bool { legacy || raptorq == .always || symbol != nil }

    func fitsOneCode(_ payload: [UInt8]) -> Bool { legacy ? payload.count <= part : !framesAlways && payload.count <= level.capacity }

    /// The bytes of each code, in order.
    func contents(of payload: [UInt8]) throws -> [[UInt8]] {
        if legacy { return try LegacyFrames.frames(of: payload, partLength: part) }
        if !framesAlways, payload.count <= level.capacity { return [payload] }
        let limit = min(RaptorQFrames.standardSymbolLength, level.capacity - RaptorQFrames.headerLength)
        return try RaptorQFrames.frames(
            of: payload, symbolLength: symbol, limit: limit, repairPercent: repair, numbering: dialect == .kprime ? .kPrime : .rfc6330)
    }

    func codes(of payload: [UInt8]) throws -> [QRCode] {
        try QRCode.frames(try contents(of: payload), errorCorrection: level)
    }

    /// Writes the payload in the form that the name asks for: `.hex` text, `.bin` bytes, a folder (that exists, or a name that ends
    /// with a slash) of one PNG a code, else one picture, which moves when there are several codes.
    /// - Returns: how many codes were drawn; 0 for text and bytes.
    @discardableResult
    func write(_ payload: [UInt8], to path: String) throws -> Int {
        if terminal { return try show(payload) }
        if path.hasSuffix(".hex") {
            try Files.write(Array((Hex.encode(payload) + "\n").utf8), to: path)
            Console.note("\(path): \(payload.count) bytes as hex")
            return 0
        }
        if path.hasSuffix(".bin") {
            try Files.write(payload, to: path)
            Console.note("\(path): \(payload.count) bytes")
            return 0
        }
        let codes = try codes(of: payload)
        if path.hasSuffix("/") || Files.isFolder(path) {
            try writeFolder(codes, path)
        } else {
            let picture =
                codes.count == 1
                ? try codes[0].png(scale: scale, border: border)
                : try APNG.encode(frames: codes, fps: fps, scale: scale, border: border)
            try Files.write(picture, to: path)
        }
        Console.note("\(path): \(payload.count) bytes in \(codes.count) QR code\(codes.count == 1 ? "" : "s")")
        return codes.count
    }

    /// Draws the codes on the terminal: one as it stands, several over and over until the program is interrupted.
    func show(_ payload: [UInt8]) throws -> Int {
        let codes = try codes(of: payload)
        guard codes.count > 1 else {
            Console.write(codes[0].terminal(), to: STDOUT_FILENO)
            return 1
        }
        let frames = codes.map { "\u{1b}[H" + $0.terminal() }
        Console.write("\u{1b}[2J", to: STDOUT_FILENO)
        while true {
            for frame in frames {
                Console.write(frame, to: STDOUT_FILENO)
                usleep(UInt32(1_000_000 / fps))
            }
        }
    }

    private func writeFolder(_ codes: [QRCode], _ path: String) throws {
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        try Files.makeFolder(folder)
        let digits = String(codes.count).count
        for (index, code) in codes.enumerated() {
            let number = String(index + 1)
            let name = "frame-" + String(repeating: "0", count: digits - number.count) + number
            try Files.write(try code.png(scale: scale, border: border), to: "\(folder)/\(name).png")
        }
    }
}
