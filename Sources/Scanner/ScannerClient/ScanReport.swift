import ScanProtocol

/// What a scan saw, counted by picture.
public struct ScanReport: Equatable, Sendable {
    /// Problems that are kept by name; later ones are only counted.
    public static let namedProblems = 1000

    /// A picture that could not be read, and why.
    public struct Problem: Equatable, Sendable {
        /// The input as it was given, or the file in its folder.
        public let name: String
        /// The frame of an animation or a video, from 0.
        public let frame: UInt32?
        public let problem: PictureProblem

        public init(name: String, frame: UInt32?, problem: PictureProblem) {
            self.name = name
            self.frame = frame
            self.problem = problem
        }
    }

    /// Pictures seen: read, known or failed.
    public internal(set) var images = 0
    /// Codes read, repeats included.
    public internal(set) var codes = 0
    /// The input of the newest picture, or the file in its folder; nil before the first one. Codes follow their
    /// picture, so this is the picture of the newest code.
    public internal(set) var newest: String?
    /// Different byte strings among them.
    public internal(set) var distinctCodes = 0
    /// Pictures that were read and held no code.
    public internal(set) var imagesWithoutCode = 0
    /// Pictures whose bytes were those of an earlier one.
    public internal(set) var knownImages = 0
    /// The first ``namedProblems`` problems, in the order of the inputs.
    public internal(set) var problems: [Problem] = []
    /// Problems beyond those.
    public internal(set) var furtherProblems = 0
    /// The consumer had what it needed before the inputs ended.
    public internal(set) var stoppedEarly = false
    /// The person interrupted the scan; the counts are those until then.
    public internal(set) var wasInterrupted = false

    public init() {}

    mutating func count(name: String, frame: UInt32?, outcome: PictureOutcome) {
        images += 1
        newest = name
        switch outcome {
        case .codes(let count): codes += count
        case .noCode: imagesWithoutCode += 1
        case .known: knownImages += 1
        case .problem(let problem):
            if problems.count < Self.namedProblems {
                problems.append(Problem(name: name, frame: frame, problem: problem))
            } else {
                furtherProblems += 1
            }
        }
    }
}
