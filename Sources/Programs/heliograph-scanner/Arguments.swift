import ScanProtocol

/// The command line.
struct Arguments {
    var form = Output.Form.hex
    var decoder = DecoderChoice.auto
    var watched: [String] = []
    /// What is in the watched folders at the start is left out.
    var skipsPresent = false
    /// Each file is taken by itself: codes and pictures that came in another file come again, and its end is
    /// told.
    var each = false
    var inputs: [String] = []
    /// Devices; the first that takes pictures is used.
    var cameras: [String] = []
    /// List the cameras among the inputs instead of reading them.
    var listsCameras = false
    /// Small pictures of what the camera sees are wanted, as events.
    var previews = false
    /// So many pictures of the camera are wanted as its driver gives them, and nothing is read from them.
    var raw: Int?
    /// Expand a compressed form from standard input instead of reading pictures.
    var expands = false
    /// Seconds that a pipe may be silent.
    var patience = 60.0

    private static let mostRaw = 1000

    struct Misuse: Error { let word: String }

    init(_ words: some Sequence<String>) throws(Misuse) {
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            switch word {
            case "--frames-out": form = .frames
            case "--events": form = .events
            case "--expand": expands = true
            case "--decoder":
                guard let value = rest.popFirst(), let choice = DecoderChoice(rawValue: value) else {
                    throw Misuse(word: word)
                }
                decoder = choice
            case "--watch":
                guard let value = rest.popFirst() else { throw Misuse(word: word) }
                watched.append(value)
            case "--each": each = true
            case "--skip-present": skipsPresent = true
            case "--camera":
                guard let value = rest.popFirst() else { throw Misuse(word: word) }
                cameras.append(value)
            case "--cameras": listsCameras = true
            case "--previews": previews = true
            case "--raw":
                guard let value = rest.popFirst(), let count = Int(value), 1...Self.mostRaw ~= count else {
                    throw Misuse(word: word)
                }
                raw = count
            case "--patience":
                guard let value = rest.popFirst(), let seconds = Double(value), seconds > 0, seconds <= 86_400
                else {
                    throw Misuse(word: word)
                }
                patience = seconds
            case "--":
                inputs += rest
                rest = []
            case "-": inputs.append(word)
            case _ where word.hasPrefix("-"): throw Misuse(word: word)
            default: inputs.append(word)
            }
        }
        if raw != nil {
            guard form == .events, !cameras.isEmpty, inputs.isEmpty, watched.isEmpty, !expands, !listsCameras,
                !previews
            else { throw Misuse(word: "--raw") }
        }
        // They belong to a folder that a program watches.
        if each || skipsPresent, watched.isEmpty || form != .events {
            throw Misuse(word: each ? "--each" : "--skip-present")
        }
        // A list may be empty: its caller found no device.
        if listsCameras {
            guard !expands, watched.isEmpty, cameras.isEmpty else { throw Misuse(word: "--cameras") }
            return
        }
        let hasInput = !inputs.isEmpty || !watched.isEmpty || !cameras.isEmpty
        if expands == hasInput { throw Misuse(word: expands ? "--expand" : "INPUT") }
    }
}
