// The Swift side of `tools/dev conformance decode` and `tools/dev bench decode`: answers one request a line,
// or times a decode. A tool of the repository, for metadata and calls of others.
import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Glibc
import Hashing
import Metadata
import SCALE
import StateProof
import SubstratePrimitives

func read(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { fail("cannot read \(path)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
}

func fail(_ text: String) -> Never {
    let line = Array((text + "\n").utf8)
    _ = write(2, line, line.count)
    exit(1)
}

/// The leaves of cards as facts: integers in planck, bytes and accounts as hex, names as they are. Meaning
/// cards are not among them.
func leaves(_ cards: [Card]) -> [String] {
    var out: [String] = []
    var hiddenBelow: Int?
    for (place, card) in cards.enumerated() {
        // Flags that are named below their number.
        if card.kind == .number, place + 1 < cards.count, cards[place + 1].kind == .identityField,
            cards[place + 1].isDerived
        {
            continue
        }
        if let depth = hiddenBelow, card.indent > depth { continue }
        hiddenBelow = nil
        func fact(_ name: String) -> String? {
            guard case .text(let text)? = card.fields.first(where: { $0.name == ExactText(name) })?.fact
            else { return nil }
            return text.text
        }
        switch card.kind {
        case .notice:
            if ["inline-call", "call-of-hash"].contains(fact("code")) { hiddenBelow = card.indent }
        case .fieldNumber: continue
        case .fieldName: out.append("." + card.value)
        case .account: out.append("0x" + (fact("public_key") ?? "?"))
        case .balance, .number: out.append(fact("raw") ?? card.value)
        case .text: out.append(fact("hex").map { "0x" + $0 } ?? "s:" + Hex.encode(Array(card.value.utf8)))
        default: out.append(card.value)
        }
    }
    return out
}

func chain(_ metadata: RuntimeMetadata) -> NetworkSpecs {
    NetworkSpecs(
        name: metadata.runtimeVersion.specName, title: metadata.runtimeVersion.specName,
        base58Prefix: metadata.ss58Prefix ?? 42,
        decimals: 10, unit: "UNIT", genesisHash: GenesisHash([UInt8](repeating: 7, count: 32))!)
}

func answerLeaves(_ path: String) throws {
    let metadata = try RuntimeMetadata(read(path))
    let specs = chain(metadata)
    while let line = readLine() {
        guard let bytes = Hex.decode(line) else { fail("not hex") }
        do {
            let call = try Extrinsics.decodeCall(bytes, metadata: metadata, specs: specs)
            let again = try ValueEncoder.encode(
                call.value, metadata.extrinsic.call, types: TypeView(metadata.registry))
            print(
                (["ok", again == bytes ? "same" : "different"] + leaves(call.cards)).joined(separator: "\t"))
        } catch {
            print("error\t\(error)")
        }
        fflush(nil)
    }
}

/// One line for each call: its name, its indices and the shape of its arguments' types, numbered in the order
/// of first use.
func printShapes(_ path: String) throws {
    let metadata = try RuntimeMetadata(read(path))
    let registry = metadata.registry
    guard case .id(let outer) = metadata.extrinsic.call else { return }
    for pallet in try registry.variants(of: outer) {
        guard case .id(let inner)? = pallet.fields.first?.type else { continue }
        for call in try registry.variants(of: inner) {
            var numbers: [UInt32: Int] = [:]
            var waiting: [UInt32] = []
            func spell(_ reference: TypeReference) -> String {
                guard case .id(let id) = reference, id != outer else {
                    return "\(reference == .id(outer) ? "CALL" : "\(reference)")"
                }
                if numbers[id] == nil {
                    numbers[id] = numbers.count
                    waiting.append(id)
                }
                return "#\(numbers[id]!)"
            }
            func spell(_ fields: [Field]) -> String {
                fields.map { "\($0.name ?? "")/\($0.typeName ?? ""):\(spell($0.type))" }.joined(
                    separator: ",")
            }
            var text = "\(pallet.index).\(call.index)(\(spell(call.fields)))"
            var next = 0
            while next < waiting.count {
                let id = waiting[next]
                next += 1
                let definition = try registry.definition(of: id)
                text += definition.path.joined(separator: "::")
                switch definition.shape {
                case .composite(let fields): text += "{\(spell(fields))}"
                case .enumeration:
                    for variant in try registry.variants(of: id) {
                        text += "|\(variant.index)\(variant.name){\(spell(variant.fields))}"
                    }
                case .sequence(let element): text += "[\(spell(element))]"
                case .array(let count, let element): text += "[\(count)\(spell(element))]"
                case .tuple(let elements): text += "(\(elements.map(spell).joined(separator: ",")))"
                case .compact(let element): text += "c\(spell(element))"
                case .primitive, .bits: text += "\(definition.shape)"
                }
            }
            print("\(pallet.name).\(call.name)\t\(Hex.encode(BLAKE2b.hash(Array(text.utf8))))")
        }
    }
}

/// Every proper prefix must be refused, every flipped bit refused or shown; prints how many of each.
func checkLaws(_ path: String) throws {
    let metadata = try RuntimeMetadata(read(path))
    let specs = chain(metadata)
    var (calls, prefixes, refused, shown) = (0, 0, 0, 0)
    while let line = readLine() {
        guard let bytes = Hex.decode(line) else { fail("not hex") }
        let before = try Extrinsics.decodeCall(bytes, metadata: metadata, specs: specs).cards
        calls += 1
        for length in bytes.indices {
            prefixes += 1
            if (try? Extrinsics.decodeCall(Array(bytes[..<length]), metadata: metadata, specs: specs)) != nil
            {
                fail("a prefix of \(length) bytes is a call: \(line)")
            }
        }
        for bit in 0..<(8 * bytes.count) {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let after = try? Extrinsics.decodeCall(flipped, metadata: metadata, specs: specs) else {
                refused += 1
                continue
            }
            guard after.cards != before else { fail("bit \(bit) shows nowhere: \(line)") }
            shown += 1
        }
    }
    print(
        """
        \(calls) calls: \(prefixes) prefixes refused; of \(refused + shown) flipped bits \(refused) refused, \
        \(shown) shown
        """
    )
}

/// Every prefix and every flipped bit of a transaction with a proof (payload 06 in hex): refused, or, behind
/// the proof, shown.
func checkProofLaws(_ path: String, _ specs: NetworkSpecs) throws {
    let payload = Hex.decode(String(decoding: read(path), as: UTF8.self).filter { !$0.isWhitespace })!
    let bytes = Array(payload.dropFirst(35).dropLast(32))
    func decode(_ bytes: [UInt8]) throws -> [Card] {
        var reader = SCALEReader(bytes)
        let proof = try MetadataProof(from: &reader)
        let decoded = try Extrinsics.decode(body: reader.rest(), proof: proof, specs: specs)
        return decoded.method + decoded.extensions
    }
    let before = try decode(bytes)
    for length in bytes.indices where (try? decode(Array(bytes[..<length]))) != nil {
        fail("a prefix of \(length) bytes is decoded")
    }
    var (refused, shown) = (0, 0)
    for bit in 0..<(8 * bytes.count) {
        var flipped = bytes
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        guard let after = try? decode(flipped) else {
            refused += 1
            continue
        }
        guard after != before else { fail("bit \(bit) shows nowhere") }
        shown += 1
    }
    print(
        """
        \(bytes.count) prefixes refused; of \(refused + shown) flipped bits \(refused) refused, \(shown) shown
        """
    )
}

/// How types are spelled: the longest spelling of a field or an argument, and how many there are.
func printTypeNames(_ paths: [String]) throws {
    for path in paths {
        guard let registry = try RuntimeMetadata(read(path)).registry as? PortableRegistry else {
            fail("\(path): before version 14")
        }
        var names: Set<String> = []
        for id in 0..<UInt32(registry.count) {
            var fields = try registry.variants(of: id).flatMap(\.fields)
            if case .composite(let own) = try registry.definition(of: id).shape { fields += own }
            names.formUnion(fields.compactMap(\.typeName))
        }
        let longest = names.max { $0.utf8.count < $1.utf8.count } ?? ""
        print("\(longest.utf8.count)\t\(names.count)\t\(path)\t\(longest)")
    }
}

func save(_ path: String, _ text: String) {
    guard let file = fopen(path, "wb") else { fail("cannot write \(path)") }
    fputs(text, file)
    fclose(file)
}

func json(_ specs: NetworkSpecs) -> String {
    """
    {"base58prefix": \(specs.base58Prefix), "color": "\(specs.color)", "decimals": \(specs.decimals), \
    "encryption": "sr25519", "genesis_hash": "\(specs.genesisHash.hex)", "logo": "\(specs.logo)", \
    "name": "\(specs.name)", "path_id": "\(specs.pathID)", "secondary_color": "\(specs.secondaryColor)", \
    "title": "\(specs.title)", "unit": "\(specs.unit)"}
    """
}

/// Writes small payloads that ask for much (``Blowup``) into a folder, as payloads with a proof in hex, and
/// the specs of their network.
func writeHostile(_ folder: String) {
    let specs = FixtureRuntime.standard.specs
    save("\(folder)/specs.json", json(specs))
    for make in Blowup.issue + Blowup.texts + Blowup.works + Blowup.accepted {
        let blowup = make()
        let payload =
            [0x53, SignatureScheme.sr25519.rawValue, 6] + [UInt8](repeating: 1, count: 32) + blowup.proof
            + blowup.body
            + specs.genesisHash.bytes
        save(
            "\(folder)/" + blowup.name.map { $0 == " " ? "-" : String($0) }.joined() + ".hex",
            Hex.encode(payload))
    }
}

/// Writes payloads of code a8 into a folder, in hex: one for each kind of item, or hostile ones, with the
/// specs of their network.
func writeStates(_ folder: String, _ payloads: [(name: String, payload: [UInt8])]) {
    for (name, payload) in payloads {
        save(
            "\(folder)/" + name.map { $0 == " " ? "-" : String($0) }.joined() + ".hex",
            Hex.encode(payload) + "\n")
    }
}

/// Byte strings of a field: each stands behind a point, so that an empty one is seen.
func strings(_ field: Substring) -> [[UInt8]] {
    field.split(separator: ",").map { word in
        guard word.first == ".", let bytes = Hex.decode(String(word.dropFirst())) else {
            fail("not hex: \(word)")
        }
        return bytes
    }
}

/// Answers the root of the trie of keys and values, or what the verifier reads from a proof: nodes in any
/// order, out of which one walk takes its own.
func answerTries() throws {
    while let line = readLine() {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        switch (fields.first, fields.count) {
        case ("root", 4):
            let pairs = zip(strings(fields[2]), strings(fields[3]))
            print(
                SampleTrie(Dictionary(uniqueKeysWithValues: Array(pairs)), version: Int(fields[1])!).root.hex)
        case ("read", 4):
            print(
                try read(strings(fields[2]), of: strings(fields[3]), under: Hash32(hex: String(fields[1]))!))
        default: fail("not a request")
        }
        fflush(nil)
    }
}

func read(_ keys: [[UInt8]], of nodes: [[UInt8]], under root: Hash32) throws -> String {
    var gathered = TrieWalk(GatheredNodes(nodes))
    let found = try keys.map { try gathered.read($0, under: root) }
    let ordered = gathered.nodes.ordered
    var listed = TrieWalk(ListedNodes(ordered))
    guard try keys.map({ try listed.read($0, under: root) }) == found else {
        fail("two walks read differently")
    }
    try listed.nodes.finish()
    var short = TrieWalk(ListedNodes(ordered.dropLast()))
    if !ordered.isEmpty, (try? keys.map({ try short.read($0, under: root) })) != nil {
        fail("a proof without its last node is read")
    }
    return found.map { reading in
        switch reading {
        case .present(let bytes): "." + Hex.encode(bytes)
        case .absent: "-"
        }
    }.joined(separator: ",")
}

let arguments = CommandLine.arguments
switch (arguments.dropFirst().first, arguments.count) {
case ("leaves", 3): try answerLeaves(arguments[2])
case ("shapes", 3): try printShapes(arguments[2])
case ("laws", 3): try checkLaws(arguments[2])
case ("proof-laws", 3): try checkProofLaws(arguments[2], NetworkSpecs.defaults[2])
case ("type-names", 3...): try printTypeNames(Array(arguments.dropFirst(2)))
case ("tries", 2): try answerTries()
case ("hostile", 3): writeHostile(arguments[2])
case ("states", 3):
    writeStates(
        arguments[2],
        try StateSamples.all.map {
            ($0.name, try $0.transaction.proof().around($0.transaction.transaction()))
        })
case ("hostile-states", 3):
    let network = StateSamples.crowded(0).network
    save("\(arguments[2])/specs.json", json(network.specs))
    writeStates(arguments[2], try StateSamples.hostile())
default:
    fail(
        """
        usage: decode-peer leaves|laws METADATA < CALLS | shapes METADATA | proof-laws FILE (Westend) | \
        type-names METADATA… | hostile|states|hostile-states FOLDER | tries < REQUESTS
        """
    )
}
