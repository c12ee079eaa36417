import ArgumentParser
import Glibc
import ScannerClient
import UOS

/// The scanner process reads pictures and expands compressed updates; this process never does.
struct ScannerOptions: ParsableArguments {
    @Option(help: "The path of heliograph-scanner (default: beside this program, else on $PATH).") var scanner: String?

    /// The bytes of every code in the pictures.
    func codes(in inputs: [String]) throws -> [[UInt8]] {
        for input in inputs where input != "-" && !Files.exists(input) { throw HotError.cannotRead(path: input, errno: ENOENT) }
        var codes: [[UInt8]] = []
        _ = try ScannerClient(program: try program()).scan(ScannerClient.Request(inputs: inputs)) { code in
            codes.append(code)
            return .goOn
        }
        return codes
    }

    /// The payload in the pictures, or its possible readings if the frames do not prove one.
    func content(of inputs: [String]) throws -> PayloadAssembler.Result.Content {
        for input in inputs where input != "-" && !Files.exists(input) { throw HotError.cannotRead(path: input, errno: ENOENT) }
        var assembler = PayloadAssembler()
        var fault: TransportError?
        _ = try ScannerClient(program: try program()).scan(ScannerClient.Request(inputs: inputs)) { code in
            do throws(TransportError) {
                return try assembler.add(code) == .complete ? .stop : .goOn
            } catch {
                fault = error
                return .stop
            }
        }
        if let fault { throw fault }
        return try assembler.finish().content
    }

    /// Expands compressed metadata in a worker of the scanner: the data may be hostile.
    func expand(_ frame: [UInt8], length: UInt32) throws -> [UInt8] {
        try ScannerClient(program: try program()).expand(frame, length: length)
    }

    private func program() throws -> String {
        if let scanner { return scanner }
        if let beside = try? ScannerClient().program, access(beside, X_OK) == 0 { return beside }
        for folder in (DatabaseOptions.environment("PATH") ?? "").split(separator: ":") {
            let path = "\(folder)/heliograph-scanner"
            if access(path, X_OK) == 0 { return path }
        }
        throw HotError.noScanner
    }
}
