import Glibc
import SystemIO
import TestSupport
import Testing
import TrustStore

/// The probe program, whose standard output is read here.
struct Child {
    let process: SpawnedProcess

    init(_ arguments: [String]) throws {
        process = try SpawnedProcess(BuiltProduct.path("trust-probe"), arguments)
    }

    /// Waits until the child has printed this many lines: it is at work.
    func wait(lines: Int) -> [UInt8] {
        var text: [UInt8] = []
        while text.count(where: { $0 == 10 }) < lines, let byte = Descriptor.read(process.output, count: 1) {
            text += byte
        }
        return text
    }

    /// Waits for the end; every whole line that was printed, and how the process ended.
    func finish(after begun: [UInt8] = []) throws -> (lines: [String], status: ProcessStatus?) {
        let (rest, status) = try process.finish()
        let text = begun + rest
        let whole = text.prefix(through: text.lastIndex(of: 10) ?? -1)
        return (String(decoding: whole, as: UTF8.self).split(separator: "\n").map(String.init), status)
    }
}

@Suite(.serialized) struct CrashLaws {
    /// How often a program is killed while it accepts and signs.
    static let kills = 200

    @Test func killingTheProgramLosesNothingThatWasConfirmed() throws {
        let folder = Folder()
        #expect(try Child(["create", folder.path]).finish().status?.code == 0)
        var confirmed: [String] = []
        var interrupted = 0
        var random = SeededGenerator.printed("kills")
        for round in 0..<Self.kills {
            let child = try Child(["change", folder.path, "r\(round)", "1000000"])
            let begun = child.wait(lines: Int.random(in: 1...4, using: &random))
            usleep(UInt32.random(in: 0...20000, using: &random))
            child.process.kill()
            let (lines, status) = try child.finish(after: begun)
            if status?.signal == SIGKILL { interrupted += 1 }
            confirmed += lines
            // Every life ends with a store that opens.
            if round.isMultiple(of: 20) { try unlock(folder) }
        }
        let store = try unlock(folder)
        let ids = try store.store.log().compactMap { $0.event["id"] }
        #expect(interrupted == Self.kills)
        #expect(confirmed.count > Self.kills)
        #expect(Set(confirmed).subtracting(ids).isEmpty)
        #expect(Set(ids).count == ids.count, "an event was written twice")
        // What a change set and what it wrote down go together.
        let state = try store.trust().state
        let newest = try #require(ids.last { !$0.hasPrefix("journal-") })
        #expect(try store.store.content(#require(state.types?.hash)) == Array("types of \(newest)".utf8))
    }

    @Test func twoProgramsTakeTurns() throws {
        let folder = Folder()
        #expect(try Child(["create", folder.path]).finish().status?.code == 0)
        let children = try ["a", "b", "c"].map { try Child(["change", folder.path, $0, "20"]) }
        let results = try children.map { try $0.finish() }
        #expect(results.map(\.status?.code) == [0, 0, 0])
        let ids = try unlock(folder).store.log().compactMap { $0.event["id"] }
        for (word, result) in zip(["a", "b", "c"], results) {
            #expect(result.lines.count == 40)
            #expect(ids.filter { $0.hasPrefix("\(word)-") } == (0..<20).map { "\(word)-\($0)" })
        }
        #expect(Set(results.flatMap(\.lines)).subtracting(ids).isEmpty)
        #expect(Set(ids).count == ids.count)
    }
}
