import Ceremony
import Hashing
import Keys
import ScanProtocol
import ScannerClient
import SubstratePrimitives
import TerminalIO
import UOS

/// A seed on pictures: a SeedQR, or where they are allowed Banana Split shares. Its codes do not go through
/// the frames of payloads: a seed could pass for one.
///
/// The scanner's report stays in memory that is not wiped, so a child process reads it: ``ChildProcess``.
package enum ScannedSeed {
    /// The one SeedQR of the input.
    package static func seedQR(_ input: InputOptions, _ console: Console) throws -> Mnemonic {
        try seedQR(codes(input, console))
    }

    /// The one SeedQR of some pictures, or the first that a camera sees.
    package static func seedQR(
        pictures: [String], cameras: [String], decoder: DecoderChoice, _ console: Console
    ) throws -> Mnemonic {
        var codes: [[UInt8]] = []
        let request = ScannerClient.Request(inputs: pictures, decoder: decoder, cameras: cameras)
        let report = try ScannerClient().scan(request) { code in
            codes.append(code)
            return cameras.isEmpty ? .goOn : .stop
        }
        for problem in report.problems { console.note(Wording.problem(problem)) }
        return try seedQR(codes)
    }

    /// The seed of a SeedQR, or of a set of shares.
    /// - Parameter passphraseFd: the descriptor with the passphrase of the shares, which is asked for where
    ///   there are any.
    package static func seedQROrShares(_ input: InputOptions, passphraseFd: Int32?, _ console: Console) throws
        -> Mnemonic
    {
        let codes = try codes(input, console)
        let shares = codes.compactMap { try? BananaShare($0) }
        guard !shares.isEmpty else { return try seedQR(codes) }
        let distinct = try BananaSplit.checkSet(shares)
        let phrase = try console.withSharesPassphrase(descriptor: passphraseFd) {
            HeldSecret(try BananaSplit.join(distinct, passphrase: $0()))
        }
        return try phrase.withSecret { (phrase: borrowing SecretBytes) in try Mnemonic(phrase: phrase) }
    }

    /// The text of the one QR code with a secret key. Another code is told by its kind.
    package static func secretKey(_ input: InputOptions, _ console: Console) throws -> SecretBytes {
        let codes = try codes(input, console)
        guard codes.count == 1, var code = codes.first else {
            throw CommandError.secretKeyCodes(codes.count)
        }
        switch ForeignCode(code) {
        case .secretKey, .text, nil: break
        case let other?: throw PayloadError.foreign(other)
        }
        return SecretBytes(wiping: &code)
    }

    private static func seedQR(_ codes: [[UInt8]]) throws -> Mnemonic {
        guard codes.count == 1, var code = codes.first else { throw CommandError.seedCodes(codes.count) }
        switch ForeignCode(code) {
        case .seed, .text, nil: break
        case let other?: throw PayloadError.foreign(other)
        }
        return try SeedQR.mnemonic(SecretBytes(wiping: &code))
    }

    /// The contents of all codes of the input, in their order.
    private static func codes(_ input: InputOptions, _ console: Console) throws -> [[UInt8]] {
        var codes: [[UInt8]] = []
        if let hex = input.hex {
            guard hex.utf8Starts(with: "@") else { throw CommandError.seedInArgument }
            codes.append(try Files.hex(hex))
        }
        if let frames = input.frames {
            let text = String(decoding: try Files.read(frames), as: UTF8.self)
            for line in text.split(whereSeparator: \.isNewline) {
                guard let code = Hex.decode(String(line).trimmed) else {
                    throw CommandError.badHex(source: frames)
                }
                codes.append(code)
            }
        }
        if input.needsScanner {
            let request = ScannerClient.Request(
                inputs: input.input, watched: input.watch, decoder: input.decoder,
                cameras: try input.camerasToUse())
            let report = try ScannerClient().scan(request) { code in
                codes.append(code)
                // A folder that is watched, and a camera, end with the first code.
                return input.waits ? .stop : .goOn
            }
            for problem in report.problems { console.note(Wording.problem(problem)) }
        }
        return codes
    }
}
