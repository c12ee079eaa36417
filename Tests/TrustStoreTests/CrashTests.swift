import Glibc
import Testing
import TrustStore

/// The probe program, beside this test program.
let probe: String = {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    let program = String(decoding: path[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return program.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/trust-probe"
}()

/// A process whose standard output is read here.
struct Child {
    let process: pid_t
    let output: Int32

    init(_ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&actions, ends[1])
        var pointers = ([probe] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var started: pid_t = 0
        try #require(posix_spawn(&started, probe, &actions, nil, &pointers, environ) == 0)
        close(ends[1])
        process = started
        output = ends[0]
    }

    /// Waits until the child has printed this many lines: it is at work.
    func wait(lines: Int) -> [UInt8] {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while text.count(where: { $0 == 10 }) < lines, Glibc.read(output, &byte, 1) == 1 { text.append(byte) }
        return text
    }

    /// Waits for the end; every whole line that was printed, and how the process ended.
    func finish(after begun: [UInt8] = []) -> (lines: [String], status: Int32) {
        var text = begun
        var chunk = [UInt8](repeating: 0, count: 65536)
        while case let count = Glibc.read(output, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
        close(output)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        let whole = text.prefix(through: text.lastIndex(of: 10) ?? -1)
        return (String(decoding: whole, as: UTF8.self).split(separator: "\n").map(String.init), status)
    }
}

@Suite(.serialized) struct CrashLaws {
    /// How often a program is killed while it accepts and signs.
    static let kills = 200

    @Test func killingTheProgramLosesNothingThatWasConfirmed() throws {
        let folder = Folder()
        #expect(try Child(["create", folder.path]).finish().status == 0)
        var confirmed: [String] = []
        var interrupted = 0
        var random = SystemRandomNumberGenerator()
        for round in 0..<Self.kills {
            let child = try Child(["change", folder.path, "r\(round)", "1000000"])
            let begun = child.wait(lines: Int.random(in: 1...4, using: &random))
            usleep(UInt32.random(in: 0...20000, using: &random))
            kill(child.process, SIGKILL)
            let (lines, status) = child.finish(after: begun)
            if status & 0x7f == SIGKILL { interrupted += 1 }
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
        #expect(try Child(["create", folder.path]).finish().status == 0)
        let children = try ["a", "b", "c"].map { try Child(["change", folder.path, $0, "20"]) }
        let results = children.map { $0.finish() }
        #expect(results.map(\.status) == [0, 0, 0])
        let ids = try unlock(folder).store.log().compactMap { $0.event["id"] }
        for (word, result) in zip(["a", "b", "c"], results) {
            #expect(result.lines.count == 40)
            #expect(ids.filter { $0.hasPrefix("\(word)-") } == (0..<20).map { "\(word)-\($0)" })
        }
        #expect(Set(results.flatMap(\.lines)).subtracting(ids).isEmpty)
        #expect(Set(ids).count == ids.count)
    }
}
