import ArgumentParser
import Glibc
import ScannerClient
import UOS

/// Pictures are read and compressed updates are expanded by the scanner process, never in this one.
struct ScannerOptions: ParsableArguments {
    @Option(help: "heliograph-scanner, where it is not beside this program or on the path") var scanner: String?

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

    /// The payload that the pictures hold, or readings of it that their frames do not prove.
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

    /// What a compressed form stands for; strangers' data is expanded by the scanner's worker alone, here as on the offline side.
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
