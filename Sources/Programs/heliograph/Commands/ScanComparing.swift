import ArgumentParser
import Ceremony
import CommandKit
import Diagnostics
import Hashing
import Presentation
import ScannerClient
import SubstratePrimitives
import TerminalIO
import UOS

/// An answer of another machine, to compare with.
enum ComparedAnswer {
    /// The word for a camera in place of a file.
    static let camera = "camera"

    static func readable(_ text: String?) -> [String] {
        guard let text, !isCamera(text), !isHex(text) else { return [] }
        return [Files.named(by: text) ?? text]
    }

    /// - Parameter named: those of the payload's own input, which are read again.
    static func cameras(_ text: String?, _ named: [String]) -> [String] {
        text.map(isCamera) == true && named.isEmpty ? Cameras.devices : []
    }

    /// Reads the answer. A camera waits until it has seen one.
    /// - Parameter input: the input of the payload; the answer is read from the same camera.
    static func read(_ text: String, _ input: InputOptions, _ console: Console) throws -> [Answer] {
        if isHex(text) || Files.named(by: text) != nil {
            let lines =
                try Files.named(by: text).map {
                    String(decoding: try Files.read($0), as: UTF8.self).split(whereSeparator: \.isNewline)
                        .map { String($0).trimmed }
                } ?? [text]
            let answers = lines.compactMap { line in
                Answer(Array(line.utf8)) ?? Hex.decode(line).flatMap { Answer($0) }
            }
            guard answers.count == lines.count, !answers.isEmpty else { throw CommandError.notAnAnswer }
            return answers
        }
        // An answer of one code is not a payload, and one of several comes in frames as a payload does.
        var assembler = PayloadAssembler()
        var alone: Answer?
        let cameras = isCamera(text) ? cameras(text, input.cameras) + input.cameras : []
        guard !isCamera(text) || !cameras.isEmpty else { throw CommandError.noCamera }
        let report = try ScannerClient().scan(
            ScannerClient.Request(
                inputs: isCamera(text) ? [] : [text], decoder: input.decoder, cameras: cameras)
        ) { code in
            alone = Answer(code)
            if alone != nil { return .stop }
            return (try? assembler.add(code)) == .complete ? .stop : .goOn
        }
        for problem in report.problems { console.note(Wording.problem(problem)) }
        if let alone { return [alone] }
        guard case .payload(let bytes)? = try? assembler.finish().content, let answer = Answer(bytes) else {
            throw CommandError.notAnAnswer
        }
        return [answer]
    }

    private static func isCamera(_ text: String) -> Bool { text.utf8Equals(camera) }
    private static func isHex(_ text: String) -> Bool { text.count >= 128 && Hex.decode(text) != nil }
}
