import Hashing
import TestSupport
import Testing

@testable import Keys

/// What this machine puts into a seed, and what is left out of it.
@Suite struct MachinePartTests {
    typealias Source = MachinePart.Source

    /// A source that gives these bytes and passes its test.
    private static func fixed(_ bytes: [UInt8]) -> MachineDraws.Draw {
        { out in
            out.copyBytes(from: bytes)
            return .filled
        }
    }

    /// The part that is read from a text; nil for none.
    private static func read(_ text: String) -> [UInt8]? {
        guard let part = MachinePart(digits: SecretBytes(utf8: text)) else { return nil }
        return plain(part.secret)
    }

    /// A source of bytes that count up, that are constant, that repeat every 32 bytes, or of which one in
    /// four is 7.
    enum Flaw: CaseIterable {
        case constant, counting, repeating, biased

        func draw() -> MachineDraws.Draw {
            var next: UInt8 = 0
            var numbers = SeededGenerator.printed("biased")
            return MachineDraws.tested { out in
                for index in out.indices {
                    switch self {
                    case .constant: out[index] = 9
                    case .counting:
                        out[index] = next
                        next &+= 1
                    case .repeating: out[index] = [UInt8](BLAKE2b.hash([1]))[index % 32]
                    case .biased:
                        out[index] = index % 4 == 0 ? 7 : UInt8.random(in: 0...255, using: &numbers)
                    }
                }
                return out.count
            }
        }
    }

    struct Part: Decodable {
        struct Source: Decodable {
            let name: String
            let bytes: String
        }
        let id: Int
        let sources: [Source]
        let rolls: String
        let words: Int
        let part: String
        let commitment: String
        let entropy: String
    }

    /// `fixtures/keys/README.md`: computed by Python's hashlib from the formula.
    @Test func `part, commitment and entropy are those of another program`() throws {
        for sample in try fixture("seed-parts", Part.self) {
            let part = MachinePart(
                drawing: try sample.sources.map {
                    (try #require(Source(rawValue: $0.name)), $0.bytes.hex.count, Self.fixed($0.bytes.hex))
                })
            #expect(Hex.encode(plain(part.secret)) == sample.part, "case \(sample.id)")
            #expect(Hex.encode(part.commitment) == sample.commitment, "case \(sample.id)")
            let rolls = try DiceRolls(SecretBytes(utf8: sample.rolls))
            let entropy = plain(try SeedEntropy.mixed(words: sample.words, machine: part, dice: rolls))
            #expect(Hex.encode(entropy) == sample.entropy, "case \(sample.id)")
            // What the first machine shows is what the second one reads.
            guard let read = MachinePart(digits: part.digits()) else {
                Issue.record("case \(sample.id): the part is not read")
                continue
            }
            let again = plain(try SeedEntropy.mixed(words: sample.words, machine: read, dice: rolls))
            #expect(again == entropy)
        }
    }

    @Test func `a part is read with blanks and in either case, and nothing else is one`() {
        let digits = "0123456789abcdef" + "0123456789ABCDEF" + "0123456789abcdef" + "0123456789abcdef"
        for text in [digits, "  01234567 89abcdef\t" + digits.dropFirst(16) + "\n"] {
            #expect(Self.read(text) == digits.lowercased().hex)
        }
        for text in [
            "", String(digits.dropLast()), digits + "0", "g" + digits.dropFirst(), "é" + digits.dropFirst(2),
        ] {
            #expect(Self.read(text) == nil, "\(text)")
        }
    }

    /// The first 88 bits, 11 each.
    @Test func `eight words stand for the start of a commitment`() {
        #expect(
            MachinePart.words(of: [UInt8](repeating: 0, count: 32))
                == [String](repeating: "abandon", count: 8))
        #expect(
            MachinePart.words(of: [UInt8](repeating: 0xff, count: 32)) == [String](repeating: "zoo", count: 8)
        )
        let one = [UInt8](repeating: 0, count: 10) + [1] + [UInt8](repeating: 0xff, count: 21)
        #expect(MachinePart.words(of: one) == [String](repeating: "abandon", count: 7) + ["ability"])
    }

    @Test(arguments: [Source.kernel, .jitter, .processor], Flaw.allCases)
    func `a broken source is named and left out, and two parts differ all the same`(
        source: Source, flaw: Flaw
    ) throws {
        func part() -> MachinePart {
            MachinePart(
                drawing: [
                    (.kernel, 64, source == .kernel ? flaw.draw() : MachineDraws.kernel),
                    (.jitter, 64, source == .jitter ? flaw.draw() : MachineDraws.kernel),
                    (.processor, 32, source == .processor ? flaw.draw() : MachineDraws.kernel),
                ])
        }
        let first = part()
        let second = part()
        #expect(first.leftOut.map(\.source) == [source])
        guard case .health(let error) = try #require(first.leftOut.first?.failure) else {
            Issue.record("\(first.leftOut)")
            return
        }
        switch (flaw, error) {
        case (.constant, .repetition), (.counting, .counting), (.repeating, .repeatedBlock),
            (.repeating, .proportion),
            (.biased, .proportion):
            break
        default: Issue.record("\(flaw): \(error)")
        }
        #expect(first.contributions.map(\.source) == [.kernel, .jitter, .processor].filter { $0 != source })
        #expect(first.commitment != second.commitment)
        // Without the kernel nothing is made without a word, whatever else there is.
        #expect(first.isDoubtful(withRolls: true) == (source == .kernel))
        #expect(first.isDoubtful(withRolls: false) == true)
    }

    /// Every byte of every source changes the part, and so does the source that it comes from.
    @Test func `no source is dropped or cut short`() throws {
        var sources: [(Source, [UInt8])] = [
            (.kernel, [UInt8](repeating: 1, count: 64)), (.jitter, [UInt8](repeating: 2, count: 64)),
            (.processor, [UInt8](repeating: 3, count: 32)), (.tpm, [UInt8](repeating: 4, count: 32)),
        ]
        var camera: [UInt8]? = [UInt8](repeating: 5, count: 64)
        func part(_ presses: [KeyPress] = SeedEntropyTests.typed) -> [UInt8] {
            plain(
                MachinePart(
                    drawing: sources.map { ($0.0, $0.1.count, Self.fixed($0.1)) },
                    camera: camera.map { bytes in
                        var bytes = bytes
                        return CameraDraw(SecretBytes(wiping: &bytes), count: 16, failure: nil)
                    }, keyPresses: presses
                ).secret)
        }
        var seen: Set = [part(), part([])]
        #expect(seen.count == 2)
        for index in 0..<64 {
            camera?[index] ^= 0x80
            #expect(seen.insert(part()).inserted, "camera byte \(index)")
            camera?[index] ^= 0x80
        }
        let whole = (sources, camera)
        camera = nil
        #expect(seen.insert(part()).inserted)
        camera = whole.1
        for index in whole.0.indices {
            sources.remove(at: index)
            #expect(seen.insert(part()).inserted, "without \(whole.0[index].0)")
            sources = whole.0
        }
        for source in sources.indices {
            for index in sources[source].1.indices {
                sources[source].1[index] ^= 0x80
                #expect(seen.insert(part()).inserted, "\(sources[source].0) byte \(index)")
                sources[source].1[index] ^= 0x80
            }
        }
        for press in SeedEntropyTests.typed.indices {
            var presses = SeedEntropyTests.typed
            presses[press] = KeyPress(byte: presses[press].byte, nanoseconds: presses[press].nanoseconds + 1)
            #expect(seen.insert(part(presses)).inserted, "time of press \(press)")
            presses[press] = KeyPress(byte: 0x20, nanoseconds: SeedEntropyTests.typed[press].nanoseconds)
            #expect(seen.insert(part(presses)).inserted, "key of press \(press)")
        }
        // The same bytes, a byte of one source moved into the next.
        sources[0].1.removeLast()
        sources[1].1.insert(1, at: 0)
        #expect(seen.insert(part()).inserted)
    }

    /// Every roll changes the entropy, also of the shortest words, and so does every byte of the part.
    @Test(arguments: [12, 24]) func `no roll and no byte of the part is ignored`(words: Int) throws {
        let text = Array("15366142352621463515244631562214365132245163426513")
        func entropy(_ part: [UInt8], _ rolls: [Character]) throws -> [UInt8] {
            guard let part = MachinePart(digits: SecretBytes(utf8: Hex.encode(part))) else { return [] }
            return plain(
                try SeedEntropy.mixed(
                    words: words, machine: part, dice: DiceRolls(SecretBytes(utf8: String(rolls)))))
        }
        let part = BLAKE2b.hash([7])
        var seen: Set = [try entropy(part, text), try entropy(part, [])]
        for index in text.indices {
            var other = text
            other[index] = other[index] == "6" ? "1" : "6"
            #expect(seen.insert(try entropy(part, other)).inserted, "roll \(index)")
        }
        for index in part.indices {
            var other = part
            other[index] ^= 1
            #expect(seen.insert(try entropy(other, text)).inserted, "byte \(index)")
        }
        #expect(seen.count == 2 + 50 + 32)
    }

    /// Two of this machine's own parts; its jitter passes its own tests, and so does the processor, where
    /// there is one.
    @Test func `this machine's sources pass, and no two parts are equal`() throws {
        let first = try MachinePart.drawn()
        let second = try MachinePart.drawn()
        #expect(first.contributions.prefix(2).map(\.source) == [.kernel, .jitter])
        #expect(first.leftOut.allSatisfy { $0.source == .processor && $0.failure == nil })
        #expect(first.commitment != second.commitment)
    }

    /// Nothing is made of a kernel and one more source, or without the kernel's, unless a person says so.
    @Test func `two sources beside the kernel are needed`() {
        func doubt(_ sources: [Source], rolls: Bool) -> Bool {
            MachinePart(
                drawing: sources.map { ($0, 32, Self.fixed([UInt8](repeating: 5, count: 32))) }
            ).isDoubtful(withRolls: rolls)
        }
        #expect(doubt([.kernel], rolls: false) && doubt([.kernel], rolls: true))
        #expect(doubt([.kernel, .jitter], rolls: false) && !doubt([.kernel, .jitter], rolls: true))
        #expect(!doubt([.kernel, .jitter, .processor], rolls: false))
        #expect(doubt([.jitter, .processor], rolls: true))
        #expect(!doubt([.kernel, .jitter, .tpm], rolls: false) && doubt([.kernel, .tpm], rolls: false))
        func doubt(_ failure: FrameFault?) -> Bool {
            MachinePart(
                drawing: [
                    (.kernel, 32, Self.fixed([UInt8](repeating: 5, count: 32))),
                    (.jitter, 32, Self.fixed([UInt8](repeating: 5, count: 32))),
                ], camera: CameraDraw(SecretBytes(count: 64), count: 16, failure: failure)
            ).isDoubtful(withRolls: false)
        }
        #expect(!doubt(nil) && doubt(.still) && doubt(.tooFew))
    }

    @Test func `a source that stops is left out, and one that never gives is missing`() {
        var left = 5000
        let short = MachineDraws.tested { out in
            out.copyBytes(from: plain(SecretBytes(randomCount: out.count)))
            left -= out.count
            return left > 0 ? out.count : out.count - 1
        }
        let part = MachinePart(drawing: [
            (.processor, 1024, short), (.jitter, 64, MachineDraws.tested { _ in 0 }),
        ])
        #expect(
            part.leftOut == [
                MachinePart.LeftOut(source: .processor, failure: .exhausted),
                MachinePart.LeftOut(source: .jitter, failure: nil),
            ])
    }
}

/// The jitter source is the one that Debian ships, byte for byte.
@Suite struct JitterSourceLaws {
    @Test func `no file of the jitter source differs from the pinned one, and none is added`() throws {
        let folder = "Sources/C/CJitterEntropy/upstream"
        let sums = String(decoding: try Checkout.read("\(folder)/SHA256SUMS"), as: UTF8.self)
        let lines = sums.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.count == 17)
        for line in lines {
            #expect(
                Hex.encode(SHA256.hash(try Checkout.read("\(folder)/\(line[1])"))) == line[0], "\(line[1])")
        }
    }
}
