import ArgumentParser
import Diagnostics
import Glibc
import Lines
import ScanProtocol
import ScannerClient
import UOS

/// The scanner process reads pictures and expands compressed updates; this process never does.
struct ScannerOptions: ParsableArguments {
    @Option(help: "The path of heliograph-scanner (default: beside this program, else on $PATH).")
    var scanner: String?

    /// The bytes of every code in the pictures.
    func codes(in inputs: [String]) throws -> [[UInt8]] {
        Files.note(inputs: inputs)
        for input in inputs where input != "-" && !Files.exists(input) {
            throw HotError.cannotRead(path: input, errno: ENOENT)
        }
        var codes: [[UInt8]] = []
        _ = try ScannerClient(program: try program()).scan(ScannerClient.Request(inputs: inputs)) { code in
            codes.append(code)
            return .goOn
        }
        return codes
    }

    /// The payload in the pictures, or its possible readings if the frames do not prove one.
    func content(of inputs: [String]) throws -> PayloadAssembler.Result.Content {
        Files.note(inputs: inputs)
        for input in inputs where input != "-" && !Files.exists(input) {
            throw HotError.cannotRead(path: input, errno: ENOENT)
        }
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

    /// Waits for new pictures in folders or from a camera, until `accept` takes a payload. It also gets the
    /// picture: a file, or the camera.
    /// - Returns: false if the person interrupted it, or the camera went away.
    func wait(watched: [String], cameras: [String], accept: ([UInt8], _ picture: String?) -> Bool) throws
        -> Bool
    {
        let request = ScannerClient.Request(inputs: [], watched: watched, cameras: cameras)
        var assembler = PayloadAssembler()
        var accepted = false
        var picture: String?
        let report = try ScannerClient(program: try program()).scan(request, picture: { picture = $0.newest })
        {
            code in
            // An answer of one code stands alone, whatever else is in view, such as the codes that this
            // program shows.
            var single = PayloadAssembler()
            if (try? single.add(code)) != nil, case .payload(let bytes)? = try? single.finish().content,
                accept(bytes, picture)
            {
                accepted = true
                return .stop
            }
            guard (try? assembler.add(code)) == .complete,
                case .payload(let bytes)? = try? assembler.finish().content
            else { return .goOn }
            assembler = PayloadAssembler()
            accepted = accept(bytes, picture)
            return accepted ? .stop : .goOn
        }
        if !accepted, !report.wasInterrupted {
            // Why a camera or a directory gives no more pictures.
            for problem in report.problems {
                Console.note(Escape.terminal("\(problem.name): \(problem.problem.sentence)"))
            }
            throw SignError.noAnswer
        }
        return accepted
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
