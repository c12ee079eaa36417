import ScanProtocol

/// One file or stream and what became of its pictures.
final class InputEntry {
    struct Result {
        let outcome: PictureOutcome
        let codes: [[UInt8]]

        init(_ outcome: PictureOutcome, codes: [[UInt8]] = []) {
            self.outcome = outcome
            self.codes = codes
        }
    }

    let name: String
    /// Frames are numbered in reports only where there can be several.
    var isNumbered: Bool
    /// The file's bytes while frames of it are still to be read.
    var bytes: [UInt8]?
    /// How many pictures there are, once that is known.
    var count: Int?
    /// The first frame that no worker was given yet.
    var nextFrame = 0
    /// Results that are waiting for earlier ones.
    var results: [Int: Result] = [:]
    /// How many results went out.
    var emitted = 0
    /// What is wrong after the last picture.
    var endProblem: PictureProblem?
    /// What its pictures have cost.
    var account = ScanAccount()
    /// A camera or a pipe, which whoever started it ends.
    var isLive = false
    /// Pictures in a row without a new code.
    var picturesWithoutNews = 0

    init(name: String, isNumbered: Bool, bytes: [UInt8]? = nil) {
        self.name = name
        self.isNumbered = isNumbered
        self.bytes = bytes
    }

    /// An input that gave no picture at all.
    init(name: String, problem: PictureProblem) {
        self.name = name
        isNumbered = false
        count = 1
        nextFrame = 1
        results[0] = Result(.problem(problem))
    }

    var hasUnreadFrames: Bool { bytes != nil && count.map { nextFrame < $0 } ?? false }

    var isDone: Bool { count.map { emitted >= $0 } ?? false }
}

/// What a worker is busy with.
struct PictureTask {
    enum Phase {
        /// A file was sent; it is not recognised yet.
        case opening
        case reading
        case videoHeader
    }

    let entry: InputEntry
    let frame: Int
    var phase: Phase
}
