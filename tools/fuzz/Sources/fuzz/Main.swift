import Glibc
import TestSupport

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Bytes from outside, and what must hold of them: a law that is broken traps, and libFuzzer keeps the input.
struct FuzzTarget: Sendable {
    let name: String
    /// Inputs of this length at most are made.
    var longest = 4096
    /// Megabytes that the process may hold: libFuzzer's own tables and AddressSanitizer's shadow are in it.
    var memory = 1024
    /// Seconds that one input may take, with the sanitizers.
    var seconds = 5
    /// Valid inputs, from which others are made.
    var seeds: @Sendable () throws -> [[UInt8]] = { [] }
    let feed: @Sendable ([UInt8]) -> Void
}

/// usage: fuzz --list | fuzz NAME --seeds DIRECTORY | fuzz NAME [OPTION OF LIBFUZZER | FILE]…
@main enum Fuzz {
    static var targets: [FuzzTarget] {
        wireTargets + chainTargets + stateTargets + secretTargets + storeTargets + pictureTargets
            + textTargets
            + nodeTargets
    }

    nonisolated(unsafe) private static var feed: @Sendable ([UInt8]) -> Void = { _ in }

    static func main() throws {
        let words = CommandLine.arguments
        if words.dropFirst().first == "--list" {
            for target in targets { print(target.name, target.longest, target.memory, target.seconds) }
            return
        }
        guard words.count > 1, let target = targets.first(where: { $0.name == words[1] }) else {
            print("usage: fuzz --list | fuzz NAME --seeds DIRECTORY | fuzz NAME [OPTION | FILE]…")
            exit(64)
        }
        if words.count == 4, words[2] == "--seeds" { return try write(target.seeds(), into: words[3]) }
        feed = target.feed
        // The name of the target is not a word of libFuzzer.
        let arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count)
        for (place, word) in ([words[0]] + words[2...]).enumerated() { arguments[place] = strdup(word) }
        arguments[words.count - 1] = nil
        let count = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        count.initialize(to: Int32(words.count - 1))
        let list = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>.allocate(
            capacity: 1)
        list.initialize(to: arguments)
        exit(
            runDriver(count, list) { start, length in
                Fuzz.feed(Array(UnsafeBufferPointer(start: start, count: length)))
                return 0
            })
    }

    private static func write(_ seeds: [[UInt8]], into directory: String) throws {
        for (number, seed) in seeds.enumerated() {
            guard let file = fopen("\(directory)/seed-\(number)", "w"),
                fwrite(seed, 1, seed.count, file) == seed.count
            else {
                fatalError("\(directory) cannot be written")
            }
            fclose(file)
        }
    }
}

/// Lines of hex in a file of the fixtures.
func fixture(_ name: String) throws -> [[UInt8]] {
    String(decoding: try Checkout.read("fixtures/\(name).hex"), as: UTF8.self).split(
        whereSeparator: \.isNewline
    ).map { line in
        guard let bytes = hex(String(line)) else { fatalError("\(name) is not hexadecimal") }
        return bytes
    }
}
