import Glibc
import Keys
import Testing

/// Ordinary memory that held a secret holds nothing of it when it is handed out again.
///
/// A search of the whole process for known secrets does not see these two: what it looks for is overwritten
/// by then, by whoever got the memory next. So each law takes the memory itself, by allocations of the same
/// size, in a process where nobody else asks for any.
@Suite struct WipedMemoryLaws {
    private static let sizes = [64, 96, 200, 512, 900]
    private static let mark: [UInt8] = [0xd3, 0x5a, 0xc7, 0x19, 0xe4, 0x2b, 0x86, 0x7d]

    private static func fill(_ memory: UnsafeMutableRawBufferPointer) {
        for index in memory.indices { memory[index] = mark[index % mark.count] }
    }

    /// Whether one of the next blocks of this size holds eight bytes of what ``fill(_:)`` wrote. Several,
    /// because the allocator may have blocks of others in front of the last one.
    private static func isFound(inNextBlocksOf size: Int) -> Bool {
        let blocks = (0..<64).map { _ in UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        }
        defer {
            for block in blocks {
                // So that no other law finds it.
                memset(block.baseAddress!, 0, size)
                block.deallocate()
            }
        }
        return blocks.contains { block in
            // The first 16 bytes of a free block are the allocator's.
            stride(from: 0, through: size - mark.count, by: mark.count).contains { start in
                // No copy of the mark is made, which would be found itself later.
                mark.indices.contains { turn in
                    mark.indices.allSatisfy { block[start + $0] == mark[(turn + $0) % mark.count] }
                }
            }
        }
    }

    private static func require(_ condition: Bool, _ code: Int32) { if !condition { exit(code) } }

    /// Memory that nobody wipes is found, or these laws would see nothing.
    private static func requireFound(_ size: Int, _ leave: () -> Void) {
        leave()
        require(isFound(inNextBlocksOf: size), 1)
    }

    @Test func aScratchIsWipedAlsoWhereItsWorkFails() async {
        await #expect(processExitsWith: .exitCode(0)) {
            struct Failure: Error {}
            for size in Self.sizes {
                Self.requireFound(size) {
                    let left = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
                    Self.fill(left)
                    left.deallocate()
                }
                withSecretScratch(size) { Self.fill(UnsafeMutableRawBufferPointer(start: $0, count: size)) }
                Self.require(!Self.isFound(inNextBlocksOf: size), 2)
                do {
                    try withSecretScratch(size) { scratch in
                        Self.fill(UnsafeMutableRawBufferPointer(start: scratch, count: size))
                        throw Failure()
                    }
                    exit(3)
                } catch {}
                Self.require(!Self.isFound(inNextBlocksOf: size), 4)
            }
            exit(0)
        }
    }

    /// An array's bytes follow 32 bytes of the array's own.
    @Test func theArrayThatASecretWasTakenFromIsWiped() async {
        await #expect(processExitsWith: .exitCode(0)) {
            for size in Self.sizes {
                func array() -> [UInt8] {
                    var bytes = [UInt8](repeating: 0, count: size)
                    bytes.withUnsafeMutableBytes { Self.fill($0) }
                    return bytes
                }
                Self.requireFound(size + 32) {
                    var left = array()
                    left = []
                    Self.require(left.isEmpty, 2)
                }
                var bytes = array()
                let secret = SecretBytes(wiping: &bytes)
                Self.require(!Self.isFound(inNextBlocksOf: size + 32) && bytes.isEmpty, 3)
                let isMoved = secret.withUnsafeBytes { held in
                    held.count == size
                        && held.indices.allSatisfy { held[$0] == Self.mark[$0 % Self.mark.count] }
                }
                Self.require(isMoved, 4)
            }
            exit(0)
        }
    }
}

@Suite struct SecretEqualityLaws {
    @Test func `secrets are equal by all their bytes, and so are two empty ones`() {
        func areEqual(_ one: String, _ other: String) -> Bool {
            SecretBytes(utf8: one).isEqual(to: SecretBytes(utf8: other))
        }
        #expect(areEqual("", "") && areEqual("a", "a"))
        #expect(!areEqual("a", "") && !areEqual("", "a") && !areEqual("a", "ab"))
        #expect(!areEqual("ab", "bb") && !areEqual("ab", "aa"))
    }
}
