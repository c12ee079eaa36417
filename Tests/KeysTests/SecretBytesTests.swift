import Glibc
import Keys
import Testing

/// Ordinary memory that held a secret holds nothing of it when it is handed out again.
///
/// A search of the whole process for known secrets does not see these two: what it looks for is overwritten
/// by then, by whoever got the memory next. So each law takes the memory itself, by an allocation of the same
/// size in the same thread.
@Suite struct WipedMemoryLaws {
    /// Sizes of blocks that the allocator gives back last in, first out.
    private static let sizes = [64, 96, 200, 512, 900]
    private static let mark: [UInt8] = [0xd3, 0x5a, 0xc7, 0x19, 0xe4, 0x2b, 0x86, 0x7d]

    private static func fill(_ memory: UnsafeMutableRawBufferPointer) {
        for index in memory.indices { memory[index] = mark[index % mark.count] }
    }

    /// Whether the next block of this size holds eight bytes of what ``fill(_:)`` wrote.
    private static func isFound(inNextBlockOf size: Int) -> Bool {
        let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
        defer { block.deallocate() }
        let bytes = UnsafeRawBufferPointer(start: block, count: size)
        let turns = (0..<mark.count).map { turn in Array(mark[turn...] + mark[..<turn]) }
        return (0...(size - mark.count)).contains { start in
            turns.contains { $0.elementsEqual(bytes[start..<(start + mark.count)]) }
        }
    }

    @Test(arguments: sizes) func aScratchIsWiped(size: Int) {
        let left = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        Self.fill(left)
        left.deallocate()
        #expect(
            Self.isFound(inNextBlockOf: size),
            "memory that nobody wipes is found, or this law would see nothing")
        withSecretScratch(size) { Self.fill(UnsafeMutableRawBufferPointer(start: $0, count: size)) }
        #expect(!Self.isFound(inNextBlockOf: size))
    }

    @Test(arguments: sizes) func aScratchIsWipedWhereItsWorkFails(size: Int) {
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try withSecretScratch(size) { scratch in
                Self.fill(UnsafeMutableRawBufferPointer(start: scratch, count: size))
                throw Failure()
            }
        }
        #expect(!Self.isFound(inNextBlockOf: size))
    }

    /// An array's bytes follow 32 bytes of the array's own.
    @Test(arguments: sizes) func theArrayThatASecretWasTakenFromIsWiped(size: Int) {
        func array() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: size)
            bytes.withUnsafeMutableBytes { Self.fill($0) }
            return bytes
        }
        var left = array()
        left = []
        #expect(
            Self.isFound(inNextBlockOf: size + 32),
            "memory that nobody wipes is found, or this law would see nothing")
        var bytes = array()
        let secret = SecretBytes(wiping: &bytes)
        #expect(!Self.isFound(inNextBlockOf: size + 32))
        #expect(left.isEmpty && bytes.isEmpty)
        let isMoved = secret.withUnsafeBytes { held in
            held.indices.allSatisfy { held[$0] == Self.mark[$0 % Self.mark.count] }
        }
        #expect(isMoved && secret.count == size)
    }
}
