import TestSupport
import Testing

@testable import ReleaseCheck

/// Keys and signatures as minisign writes them, against files of minisign itself.
@Suite struct MinisignLaws {
    @Test func `signatures of minisign verify in both forms`() throws {
        let comment = Array(ReleaseFixture.comment.utf8)
        #expect(
            try ReleaseFixture.verify(ReleaseFixture.key(), ReleaseFixture.signature(), ReleaseFixture.sums())
                == comment)
        #expect(
            try ReleaseFixture.verify(ReleaseFixture.key(), ReleaseFixture.legacy(), ReleaseFixture.sums())
                == comment)
        #expect(try MinisignSignature(file: ReleaseFixture.signature()).algorithm == .prehashed)
        #expect(try MinisignSignature(file: ReleaseFixture.legacy()).algorithm == .legacy)
        // As minisign wrote it into the comment of the key file.
        #expect(try MinisignKey(file: ReleaseFixture.key()).name == "62DA1D836A5FAF21")
    }

    @Test func `a signature of another key is told by its id`() throws {
        #expect(
            throws: ReleaseError.otherKey(
                signed: "62DA1D836A5FAF21", expected: try MinisignKey(file: ReleaseFixture.key("other")).name)
        ) {
            try ReleaseFixture.verify(
                ReleaseFixture.key("other"), ReleaseFixture.signature(), ReleaseFixture.sums())
        }
    }

    /// The id is chosen by whoever makes a key, so it proves nothing.
    @Test func `a signature of another key under this id is wrong`() throws {
        let key = try MinisignKey(file: ReleaseFixture.key())
        var signature = try Checkout.read("fixtures/release/other.minisig")
        let lines = signature.lineRanges
        var content = try MinisignSignature.base64(signature[lines[1]].dropLast(), count: 74, line: 2)
        content.replaceSubrange(2..<10, with: key.id)
        signature.replaceSubrange(lines[1], with: ReleaseText.base64(content) + [0x0a])
        #expect(throws: ReleaseError.wrongSignature) {
            try MinisignSignature(file: signature).verify(ReleaseFixture.sums(), with: key)
        }
    }

    /// Comments that are called untrusted are the only bytes that nothing proves, and nothing is decided by
    /// them.
    @Test func `every flipped bit of what is signed is refused`() throws {
        let (key, sums) = (try ReleaseFixture.key(), try ReleaseFixture.sums())
        for signature in [try ReleaseFixture.signature(), try ReleaseFixture.legacy()] {
            for range in signature.lineRanges.dropFirst() {
                for bit in range.lowerBound * 8..<range.upperBound * 8 {
                    let error = #expect(throws: ReleaseError.self, "bit \(bit)") {
                        try ReleaseFixture.verify(key, signature.flipping(bit), sums)
                    }
                    switch error {
                    case .badSignatureFile?, .otherKey?, .wrongSignature?, .wrongComment?: break
                    case let other: Issue.record("bit \(bit): \(other.map { "\($0)" } ?? "verified")")
                    }
                }
            }
            for bit in 0..<sums.count * 8 {
                #expect(throws: ReleaseError.wrongSignature) {
                    try ReleaseFixture.verify(key, signature, sums.flipping(bit))
                }
            }
        }
        let line = key.lineRanges[1]
        for bit in line.lowerBound * 8..<line.upperBound * 8 {
            let error = #expect(throws: ReleaseError.self, "bit \(bit)") {
                try ReleaseFixture.verify(key.flipping(bit), ReleaseFixture.signature(), sums)
            }
            switch error {
            case .badKey?, .otherKey?, .wrongSignature?: break
            case let other: Issue.record("bit \(bit): \(other.map { "\($0)" } ?? "verified")")
            }
        }
    }

    @Test func `every truncation and every addition is refused`() throws {
        let (key, signature, sums) = (
            try ReleaseFixture.key(), try ReleaseFixture.signature(), try ReleaseFixture.sums()
        )
        // What ends with a line is whole, and has too few of them.
        func fault(_ cut: ArraySlice<UInt8>, lines: Int) -> TextFault {
            cut.last == 0x0a ? .lines(expected: lines) : .truncated
        }
        for length in 0..<key.count {
            let cut = key.prefix(length)
            #expect(throws: ReleaseError.badKey(fault(cut, lines: 2))) { try MinisignKey(file: Array(cut)) }
        }
        for length in 0..<signature.count {
            let cut = signature.prefix(length)
            #expect(throws: ReleaseError.badSignatureFile(fault(cut, lines: 4))) {
                try MinisignSignature(file: Array(cut))
            }
        }
        for length in 0..<sums.count {
            #expect(throws: ReleaseError.wrongSignature) {
                try ReleaseFixture.verify(key, signature, Array(sums.prefix(length)))
            }
        }
        for added in [[0x0a], [0x20], Array("x\n".utf8)] as [[UInt8]] {
            #expect(
                throws: ReleaseError.badKey(.lines(expected: 2)),
                performing: { try MinisignKey(file: key + added + [0x0a]) })
            let longer = signature + added
            #expect(throws: ReleaseError.badSignatureFile(fault(longer[...], lines: 4))) {
                try MinisignSignature(file: longer)
            }
        }
        #expect(throws: ReleaseError.badKey(.tooLong(limit: 2048))) {
            try MinisignKey(file: key + [UInt8](repeating: 0x41, count: 2048))
        }
        #expect(throws: ReleaseError.badSignatureFile(.tooLong(limit: 4096))) {
            try MinisignSignature(file: signature + [UInt8](repeating: 0x41, count: 4096))
        }
    }

    /// The second signature binds the comment to the first one: parts of two right files make no third.
    @Test func `a comment of another signature is refused`() throws {
        let (prehashed, legacy) = (try ReleaseFixture.signature(), try ReleaseFixture.legacy())
        let lines = prehashed.lineRanges
        let mixed = prehashed[..<lines[3].lowerBound] + legacy[legacy.lineRanges[3]]
        #expect(throws: ReleaseError.wrongComment) {
            try ReleaseFixture.verify(ReleaseFixture.key(), Array(mixed), ReleaseFixture.sums())
        }
    }

    /// minisign ends a comment at a NUL and cuts a carriage return.
    @Test func `bytes that minisign reads in another way are refused`() throws {
        let signature = try ReleaseFixture.signature()
        for (index, line) in [(0, 1), (2, 3)] {
            for byte in [0, 13] as [UInt8] {
                var changed = signature
                changed.insert(byte, at: signature.lineRanges[index].upperBound - 1)
                #expect(throws: ReleaseError.badSignatureFile(.comment(line: line))) {
                    try MinisignSignature(file: changed)
                }
            }
        }
    }
}
