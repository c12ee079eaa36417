/// The limit that ended the reading of one input or of all inputs before the last picture. A small file can
/// hold a thousand pictures that each take the longest time allowed for one.
public enum ScanLimit: UInt8, CaseIterable, Equatable, Hashable, Sendable {
    /// Pictures of one input timed out.
    case inputTimeouts
    /// One file took its processor time.
    case fileTime
    /// Pictures of several inputs timed out.
    case commandTimeouts
    /// All files together took their processor time.
    case commandTime
    /// One file took so much without a code since the last one.
    case fileWithoutCode
    /// All files together did.
    case commandWithoutCode

    /// What is still read ends where so many pictures timed out.
    static let timeoutsOfInput = 2
    static let timeoutsOfCommand = 6
    /// Seconds of processor time: a long animation of a large update takes a minute, and thousands of clean
    /// pictures do.
    static let secondsOfFile = 180.0
    static let secondsOfCommand = 900.0
    /// Seconds of processor time since the last picture with a code. A picture in which nothing is found is
    /// given a second of tries, and only an honest one has a code: so many in a row are photographs of
    /// something else, or made to keep somebody waiting. A long recording has a code again and again.
    static let secondsOfFileWithoutCode = 30.0
    static let secondsOfCommandWithoutCode = 180.0
    /// A picture that timed out counts as hard only above this processor time, many times what an ordinary
    /// one takes. A worker that was stopped or swapped out has worked for less, which is not the fault of the
    /// picture.
    static let secondsOfHardPicture = 0.2
}

/// What reading has cost: of one input, or of a command.
public struct ScanAccount: Sendable {
    private let isCommand: Bool
    private var timeouts = 0
    private var seconds = 0.0
    /// Since the last picture with a code.
    private var fruitless = 0.0

    /// - Parameter isCommand: whether it counts all inputs.
    public init(isCommand: Bool = false) { self.isCommand = isCommand }

    /// Counts a picture. One of a live input costs nothing: whoever holds the camera ends it.
    /// - Parameters:
    ///   - seconds: of processor time.
    ///   - timedOut: whether it was ended before it was read.
    ///   - hasCode: whether a code was read in it.
    ///   - isLive: whether it came from a camera or a pipe.
    public mutating func charge(seconds: Double, timedOut: Bool, hasCode: Bool, isLive: Bool) {
        guard !isLive else { return }
        self.seconds += seconds
        fruitless = hasCode ? 0 : fruitless + seconds
        if timedOut, seconds >= ScanLimit.secondsOfHardPicture { timeouts += 1 }
    }

    /// What is used up.
    public var exceeded: ScanLimit? {
        if timeouts >= (isCommand ? ScanLimit.timeoutsOfCommand : ScanLimit.timeoutsOfInput) {
            return isCommand ? .commandTimeouts : .inputTimeouts
        }
        if seconds >= (isCommand ? ScanLimit.secondsOfCommand : ScanLimit.secondsOfFile) {
            return isCommand ? .commandTime : .fileTime
        }
        let patience = isCommand ? ScanLimit.secondsOfCommandWithoutCode : ScanLimit.secondsOfFileWithoutCode
        guard fruitless >= patience else { return nil }
        return isCommand ? .commandWithoutCode : .fileWithoutCode
    }
}

/// How long one picture may take. All times are in seconds.
///
/// A machine with more to do than it has processors gives a worker a part of one: an honest picture then
/// takes longer by the clock, and must not be lost for that. So only what the worker itself used counts,
/// unless it hangs, or was taken over and runs a little for ever.
public struct PictureClock: Sendable {
    /// Processor time for one picture, opening included. A worker is looked at so often.
    public static let timeLimit = 10.0
    /// A worker that used less than this from one look to the next hangs.
    public static let leastUse = 0.05
    /// Time by the clock after which nothing is waited for.
    public static let clockLimit = 60.0

    private let start: Double
    /// Processor time that the worker had used before the picture.
    public let usedBefore: Double
    private var usedAtLook: Double
    /// When ``exceeded(now:used:)`` is asked next.
    public private(set) var nextLook: Double

    /// - Parameters:
    ///   - now: by a clock that never steps.
    ///   - used: the worker's processor time so far.
    public init(now: Double, used: Double) {
        (start, usedBefore, usedAtLook) = (now, used, used)
        nextLook = now + Self.timeLimit
    }

    /// The limit that is used up; nil where the worker goes on until ``nextLook``.
    public mutating func exceeded(now: Double, used: Double) -> Double? {
        guard now >= nextLook else { return nil }
        if used - usedBefore >= Self.timeLimit || used - usedAtLook < Self.leastUse { return Self.timeLimit }
        if now >= start + Self.clockLimit { return Self.clockLimit }
        usedAtLook = used
        nextLook = min(now + Self.timeLimit, start + Self.clockLimit)
        return nil
    }
}
