import ArgumentParser
import Glibc
import Hashing
import QRCode
import SystemIO
import UOS

/// How bytes become QR codes, and how codes become files.
struct PictureOptions: ParsableArguments {
    @Flag(help: "Draw numbered legacy frames instead of RaptorQ frames, even for one.") var legacy = false
    @Option(help: "Bytes per legacy frame.") var part = LegacyFrames.standardPartLength
    @Option(help: "Bytes per RaptorQ symbol (default: a length that every signer decodes).") var symbol: Int?
    @Option(help: "Draw RaptorQ frames always, or only if one code is too small (auto).") var raptorq =
        RaptorQUse.auto
    @Option(help: "The numbering of repair symbols: kprime (as signers in use expect) or rfc6330.")
    var dialect = Dialect.kprime
    @Option(help: "Repair symbols per 100 source symbols (default: 100, or none for fewer than ten symbols).")
    var repair: Int?
    @Option(help: "Frames per second (default: 15, or 4 for fewer than ten symbols).") var fps: Int?
    @Option(help: "L, M, Q or H (default: L; M with --legacy).") var errorCorrection: QRCode.ErrorCorrection?
    @Option(help: "Pixels per module.") var scale = QRCode.standardScale
    @Option(help: "The quiet zone in modules.") var border = QRCode.standardBorder

    enum Dialect: String, ExpressibleByArgument, CaseIterable { case kprime, rfc6330 }
    enum RaptorQUse: String, ExpressibleByArgument, CaseIterable { case auto, always }

    func validate() throws {
        guard fps.map((1...1000).contains) ?? true else { throw ValidationError("--fps must be 1 to 1000") }
        guard (1...64).contains(scale) else { throw ValidationError("--scale must be 1 to 64 pixels") }
        guard (0...64).contains(border) else { throw ValidationError("--border must be 0 to 64 modules") }
        guard repair.map((0...1000).contains) ?? true else {
            throw ValidationError("--repair must be 0 to 1000 percent")
        }
        guard (16...level.capacity - LegacyFrames.headerLength).contains(part) else {
            throw ValidationError("--part must be 16 to \(level.capacity - LegacyFrames.headerLength) bytes")
        }
        let limit = level.capacity - RaptorQFrames.headerLength
        if let symbol, !(16...limit).contains(symbol) || symbol >= 64 && !symbol.isMultiple(of: 8) {
            throw ValidationError("--symbol must be 16 to \(limit) bytes, and a multiple of 8 from 64 up")
        }
        if legacy, symbol != nil || raptorq == .always {
            throw ValidationError("--legacy does not combine with --symbol or --raptorq always")
        }
    }

    private var level: QRCode.ErrorCorrection { errorCorrection ?? (legacy ? .medium : .low) }

    /// True if frames are asked for even when the payload fits one code.
    private var framesAlways: Bool { legacy || raptorq == .always || symbol != nil }

    func fitsOneCode(_ payload: [UInt8]) -> Bool {
        legacy ? payload.count <= part : !framesAlways && payload.count <= level.capacity
    }

    /// The bytes of each code, in order.
    /// - Parameter isShown: on the terminal, where a code must fit the window.
    func contents(of payload: [UInt8], isShown: Bool = false) throws -> [[UInt8]] {
        if legacy { return try LegacyFrames.frames(of: payload, partLength: part) }
        if !framesAlways, payload.count <= level.capacity,
            !isShown || payload.count <= longestSymbol(isShown: true)
        {
            return [payload]
        }
        let few = fewSymbolsLength(of: payload, isShown)
        return try RaptorQFrames.frames(
            of: payload, symbolLength: symbol ?? few, limit: longestSymbol(isShown: isShown),
            repairPercent: repair ?? (few == nil ? 100 : 0),
            numbering: dialect == .kprime ? .kPrime : .rfc6330)
    }

    /// The symbol length for a payload of few symbols; nil for another payload, and where options choose.
    private func fewSymbolsLength(of payload: [UInt8], _ isShown: Bool) -> Int? {
        symbol == nil && repair == nil
            ? RaptorQFrames.fewSymbolsLength(of: payload, atMost: longestSymbol(isShown: isShown)) : nil
    }

    /// Few frames stay long enough for a slow reader, which would otherwise meet the same ones in each round.
    private func framesPerSecond(of payload: [UInt8], isShown: Bool = false) -> Int {
        fps ?? (!legacy && fewSymbolsLength(of: payload, isShown) != nil ? 4 : 15)
    }

    func codes(of payload: [UInt8], isShown: Bool = false) throws -> [QRCode] {
        try QRCode.frames(try contents(of: payload, isShown: isShown), errorCorrection: level)
    }

    /// Refuses a place that ``write(_:to:or:)`` cannot use, before any work is done.
    /// - Parameter other: another result of the same command.
    func require(_ path: String?, or drawing: TerminalOptions? = nil, beside other: String? = nil) throws {
        guard let path, drawing?.terminal != true else { return try Files.require(outputs: [other]) }
        guard drawing?.separate == true || path.hasSuffix("/") else {
            return try Files.require(outputs: [other, path])
        }
        try Files.require(outputs: [other])
        // Its files are checked one by one.
        let folder = Files.withoutSlash(path)
        guard !Files.exists(folder) || Files.isFolder(folder) else {
            throw HotError.cannotWrite(path: folder, errno: ENOTDIR)
        }
        if let other, let name = other.split(separator: "/").last, name.hasPrefix(Self.frameName),
            Directory.isSamePlace("\(folder)/\(name)", other)
        {
            throw HotError.outputRefused(path: other, .otherResult)
        }
    }

    /// How the names of the pictures in a directory begin.
    private static let frameName = "frame-"

    /// Writes the payload in the form that the options and the name select: with `--separate` or a slash at
    /// the end one PNG per code in a directory, `.hex` text, `.bin` bytes, else one picture, animated if
    /// there are several codes.
    /// - Parameter drawing: whether the terminal gets the codes instead.
    /// - Returns: the number of codes drawn; 0 for text and bytes.
    /// - Throws: what ``Files/require(output:)`` does.
    @discardableResult
    func write(_ payload: [UInt8], to path: String, or drawing: TerminalOptions? = nil) throws -> Int {
        if drawing?.terminal == true { return try show(payload) }
        let isDirectory = drawing?.separate == true || path.hasSuffix("/")
        try require(path, or: drawing)
        if !isDirectory, path.hasSuffix(".hex") {
            try Files.write(Array((Hex.encode(payload) + "\n").utf8), to: path)
            Console.note("\(path): \(payload.count) bytes, as hex")
            return 0
        }
        if !isDirectory, path.hasSuffix(".bin") {
            try Files.write(payload, to: path)
            Console.note("\(path): \(payload.count) bytes")
            return 0
        }
        let codes = try codes(of: payload)
        if isDirectory {
            try writeFolder(codes, path)
        } else {
            let picture =
                codes.count == 1
                ? try codes[0].png(scale: scale, border: border)
                : try APNG.encode(
                    frames: codes, fps: framesPerSecond(of: payload), scale: scale, border: border)
            try Files.write(picture, to: path)
        }
        Console.note(
            "\(path): \(payload.count) bytes in \(codes.count) QR code\(codes.count == 1 ? "" : "s")")
        return codes.count
    }

    /// Draws the codes on the terminal: one once, several repeatedly until the program is interrupted.
    func show(_ payload: [UInt8]) throws -> Int {
        let animation = try animation(of: payload)
        animation.run { true }
        return animation.pictures.count
    }

    /// The codes as the terminal shows them.
    func animation(of payload: [UInt8]) throws -> TerminalAnimation {
        let codes = try codes(of: payload, isShown: true)
        let layout = try TerminalCode(side: codes[0].side, style: .half, in: Self.window, reserved: 1)
        return TerminalAnimation(
            pictures: codes.map { layout.lines($0, .palette).joined(separator: "\n") + "\n" },
            pause: UInt32(1_000_000 / framesPerSecond(of: payload, isShown: true)))
    }

    /// The size of the window. A terminal that does not report one counts as an old terminal; output to
    /// anything else has unlimited room.
    private static var window: TerminalWindow {
        guard isatty(STDOUT_FILENO) == 1 else { return TerminalWindow(columns: .max / 4, rows: .max / 4) }
        return TerminalSize.read(STDOUT_FILENO).map { TerminalWindow(columns: $0.columns, rows: $0.rows) }
            ?? .standard
    }

    /// The most bytes of a RaptorQ symbol: the capacity of a code, on the terminal of a code that fits the
    /// window.
    private func longestSymbol(isShown: Bool) -> Int {
        let longest = min(RaptorQFrames.standardSymbolLength, level.capacity - RaptorQFrames.headerLength)
        guard isShown, level == .low,
            let version = TerminalCode.largestVersion(style: .half, in: Self.window, reserved: 1)
        else {
            return longest
        }
        return max(16, min(longest, QRCode.capacity(version: version) - RaptorQFrames.headerLength))
    }

    private func writeFolder(_ codes: [QRCode], _ path: String) throws {
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        try Files.makeFolder(folder)
        let digits = String(codes.count).count
        for (index, code) in codes.enumerated() {
            let number = String(index + 1)
            let name = Self.frameName + String(repeating: "0", count: digits - number.count) + number
            try Files.write(try code.png(scale: scale, border: border), to: "\(folder)/\(name).png")
        }
    }
}

/// Codes as lines of a terminal.
struct TerminalAnimation: Sendable {
    /// Each ends with a line break.
    let pictures: [String]
    /// Microseconds.
    let pause: UInt32

    /// Draws one code once, or several in turn while they are wanted.
    /// - Parameter below: the line below each code of several.
    func run(below: String = "", while isWanted: () -> Bool) {
        guard pictures.count > 1 else { return Console.write(pictures[0], to: STDOUT_FILENO) }
        Console.write("\u{1b}[2J", to: STDOUT_FILENO)
        while isWanted() {
            for picture in pictures where isWanted() {
                Console.write(
                    "\u{1b}[H" + picture + (below.utf8.isEmpty ? "" : below + "\u{1b}[K"), to: STDOUT_FILENO)
                usleep(pause)
            }
        }
    }
}
