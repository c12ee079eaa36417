import Glibc
import SCALE
import TestSupport
import Testing
import TrustStore

/// The disk as it may be after the power went: what was synchronised is there, what was written since may be,
/// in part and in any order.
@Suite(.serialized) struct PowerLossLaws {
    enum Step {
        case write(path: String, offset: Int, bytes: [UInt8])
        case truncate(path: String, size: Int)
        case sync(path: String)
        case delete(path: String)
        case confirmed(round: Int)
    }

    /// One file: what is surely on the disk, and what came after.
    struct Disk {
        var durable: [String: [UInt8]]
        var pending: [(path: String, step: Step)] = []

        mutating func apply(_ step: Step) {
            switch step {
            case .write(let path, _, _), .truncate(let path, _): pending.append((path, step))
            case .sync(let path):
                for (_, step) in pending.filter({ $0.path == path }) { Self.perform(step, on: &durable) }
                pending.removeAll { $0.path == path }
            case .delete(let path):
                durable[path] = nil
                pending.removeAll { $0.path == path }
            case .confirmed: break
            }
        }

        /// Each pending step reaches the disk or not; a write may reach it in part, by sectors of 512 bytes.
        func afterPowerLoss(_ random: inout some RandomNumberGenerator) -> [String: [UInt8]] {
            var files = durable
            for (_, step) in pending where Bool.random(using: &random) {
                guard case .write(let path, let offset, let bytes) = step else {
                    Self.perform(step, on: &files)
                    continue
                }
                for start in stride(from: 0, to: bytes.count, by: 512)
                where Int.random(in: 0..<4, using: &random) > 0 {
                    let sector = Array(bytes[start..<min(start + 512, bytes.count)])
                    Self.perform(.write(path: path, offset: offset + start, bytes: sector), on: &files)
                }
            }
            return files
        }

        private static func perform(_ step: Step, on files: inout [String: [UInt8]]) {
            switch step {
            case .write(let path, let offset, let bytes):
                var file = files[path] ?? []
                if file.count < offset + bytes.count {
                    file += [UInt8](repeating: 0, count: offset + bytes.count - file.count)
                }
                file.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
                files[path] = file
            case .truncate(let path, let size): files[path] = Array((files[path] ?? []).prefix(size))
            default: break
            }
        }
    }

    static func steps(_ recorded: [UInt8]) throws -> [Step] {
        var reader = SCALEReader(recorded)
        var steps: [Step] = []
        while reader.remaining > 0 {
            let kind = try reader.u8()
            if kind == UInt8(ascii: "C") {
                steps.append(.confirmed(round: Int(try reader.integer(UInt64.self))))
                continue
            }
            let path = String(
                decoding: try reader.bytes(count: Int(try reader.integer(UInt64.self))), as: UTF8.self)
            let offset = Int(try reader.integer(UInt64.self))
            let bytes = try reader.bytes(count: Int(try reader.integer(UInt64.self)))
            let name = path.split(separator: "/").last.map(String.init) ?? path
            switch kind - UInt8(ascii: "0") {
            case 1: steps.append(.write(path: name, offset: offset, bytes: bytes))
            case 2: steps.append(.truncate(path: name, size: offset))
            case 3: steps.append(.sync(path: name))
            case 4: steps.append(.delete(path: name))
            default: break
            }
        }
        return steps
    }

    @Test func losingUnsyncedWritesLosesNothingThatWasConfirmed() throws {
        let folder = Folder()
        #expect(try Child(["create", folder.path]).finish().status?.code == 0)
        let start = Dictionary(uniqueKeysWithValues: try folder.names.map { ($0, try folder.read($0)) })
        let output = folder.path + "/trace"
        // Enough rounds for the write-ahead log to be moved into the database at least once.
        #expect(try Child(["trace", folder.path, "150", output]).finish().status?.code == 0)
        let steps = try Self.steps(folder.read("trace"))
        // Each attempt is on the disk before the vault opens, so before the store is written.
        let attempts = try folder.read("attempts")
        let moved = steps.contains { if case .write("store.sqlite", _, _) = $0 { true } else { false } }
        #expect(moved, "no checkpoint was traced")

        var random = SeededGenerator.printed("power losses")
        var disk = Disk(durable: start)
        var confirmed = -1
        var losses = 0
        for step in steps {
            disk.apply(step)
            if case .confirmed(let round) = step { confirmed = round }
            guard Int.random(in: 0..<12, using: &random) == 0 else { continue }
            losses += 1
            let after = Folder()
            for (name, bytes) in disk.afterPowerLoss(&random) where name != "store.sqlite-shm" {
                try after.write(bytes, to: name)
            }
            try after.write(attempts, to: "attempts")
            let ids = try unlock(after).store.log().compactMap { $0.event["id"] }
            #expect(
                ids.count > confirmed, "\(confirmed) was confirmed, the log ends at \(ids.last ?? "nothing")")
            #expect(ids == (0..<ids.count).map(String.init))
        }
        #expect(losses > 50)
    }
}
