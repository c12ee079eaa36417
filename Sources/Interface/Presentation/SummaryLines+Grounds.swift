import GroupReview
import Lines
import TerminalIO

/// Whether the chain checks what is shown, or who is believed instead.
extension SummaryLines {
    /// Readings with stored metadata that are listed above a question; each has one row there, so that none pushes a warning away.
    private static let readingLimit = 3

    var grounds: [StyledLine] { checked + readings + vouched }

    /// Nobody else vouches for the hash, so the line warns.
    private var vouched: [StyledLine] {
        summary.grounds.yesVouches.map { entry("vouches", [[.init(Wording.yesVouches($0), .warning)]]) } ?? []
    }

    /// What the chain does not check warns: where not everything fits, it stays longer than the claim that it limits.
    private var checked: [StyledLine] {
        let grounds = summary.grounds
        guard grounds.checked > 0 else { return [] }
        let claim = [StyledLine.Run(Wording.checked(grounds.checked, of: grounds.payloads))]
        let limits = grounds.beyond.isEmpty ? [] : [[StyledLine.Run(Wording.unreached(grounds.beyond), .warning)]]
        return entry("checked", [claim] + limits)
    }

    private var readings: [StyledLine] {
        let readings = summary.grounds.readings
        let count = bound == nil || readings.count <= Self.readingLimit ? readings.count : Self.readingLimit - 1
        let lines = readings.prefix(count).flatMap { reading in
            let payloads = summary.grounds.payloads
            guard reading.warns else { return entry("read", [[.init(Wording.reading(reading, of: payloads))]]) }
            return entry("WARNING", [[.init(Wording.reading(reading, of: payloads, verb: "read "), .warning)]], .warning)
        }
        let left = readings.dropFirst(count)
        let more = StyledLine.Run(Wording.more(left.count), left.contains(where: \.warns) ? .warning : .plain)
        return (bound == nil ? lines : lines.map { $0.shortened(toRows: 1) }) + (left.isEmpty ? [] : entry("", [[more]]))
    }
}
