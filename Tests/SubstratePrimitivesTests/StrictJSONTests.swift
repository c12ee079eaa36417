import SubstratePrimitives
import Testing

@Suite struct StrictJSONLaws {
    static func parse(_ text: String, depthLimit: Int = 8) throws(StrictJSON.Failure) -> StrictJSON.Value {
        try StrictJSON.parse(Array(text.utf8), depthLimit: depthLimit)
    }

    static func failure(_ text: String, depthLimit: Int = 8) -> StrictJSON.Failure? {
        do throws(StrictJSON.Failure) {
            _ = try parse(text, depthLimit: depthLimit)
            return nil
        } catch {
            return error
        }
    }

    @Test func everyKindOfValueReads() throws {
        let value = try Self.parse(" {\"a\" : [1, -2, \"x\", true, false, null, {}, []] , \"b\":0}\n")
        guard case .object(let object) = value else { return #expect(Bool(false)) }
        #expect(object.members.map(\.key) == ["a", "b"])
        guard case .array(let items)? = object["a"] else { return #expect(Bool(false)) }
        #expect(items.prefix(6) == [.number(1), .number(-2), .string("x"), .bool(true), .bool(false), .null])
        #expect(items.count == 8 && items[7] == .array([]))
        #expect(object["b"] == .number(0))
        #expect(object["c"] == nil)
    }

    @Test func keysAreEqualByTheirBytesAfterEscapes() throws {
        #expect(Self.failure(#"{"a": 1, "\u0061": 2}"#) == .duplicateKey("a"))
        #expect(Self.failure(#"[{"k": {"/": 1, "\/": 2}}]"#) == .duplicateKey("/"))
        #expect(Self.failure(#"{"\ud83d\ude00": 1, "😀": 2}"#) == .duplicateKey("😀"))
        guard case .object(let object) = try Self.parse(#"{"\u00e9": 1, "e\u0301": 2}"#) else {
            return #expect(Bool(false))
        }
        #expect(object["\u{e9}"] == .number(1))
        #expect(object["e\u{301}"] == .number(2))
        #expect(Self.failure(#"[{"a": 1}, {"a": 1}]"#) == nil)
        #expect(Self.failure(#"{"a": {"a": 1}}"#) == nil)
    }

    @Test func levelsAreBounded() {
        #expect(Self.failure("[[]]", depthLimit: 2) == nil)
        #expect(Self.failure("[[], [], {}]", depthLimit: 2) == nil)
        #expect(Self.failure("[[]]", depthLimit: 1) == .tooDeep(limit: 1))
        #expect(Self.failure("{\"a\": {}}", depthLimit: 1) == .tooDeep(limit: 1))
        #expect(Self.failure(String(repeating: "[", count: 1 << 20)) == .tooDeep(limit: 8))
    }

    @Test func valuesAreCounted() throws {
        func limited(_ text: String, _ values: Int) throws(StrictJSON.Failure) -> StrictJSON.Value {
            try StrictJSON.parse(Array(text.utf8), limits: StrictJSON.Limits(depth: 8, values: values))
        }
        for (text, count) in [
            ("0", 1), ("[]", 1), ("[0]", 2), ("[[],{},\"x\"]", 4), ("{\"a\":{\"b\":null}}", 3),
        ] {
            #expect(try limited(text, count) == Self.parse(text))
            #expect(throws: StrictJSON.Failure.tooManyValues(limit: count - 1)) {
                try limited(text, count - 1)
            }
        }
    }

    @Test func timeIsAskedForAtTheStartAndOnTheWay() {
        let limits = StrictJSON.Limits(depth: 8, values: .max) { false }
        #expect(throws: StrictJSON.Failure.outOfTime) {
            try StrictJSON.parse(Array("1".utf8), limits: limits)
        }
        for text in [
            "[" + String(repeating: "1,", count: 1 << 11) + "1]",
            "\"" + String(repeating: "a", count: 1 << 18) + "\"",
            "\"" + String(repeating: "\\n", count: 1 << 18) + "\"",
            "\"a" + String(repeating: "\\n", count: 1 << 18) + "\"",
            "\"ab" + String(repeating: "\\u0030", count: 1 << 18) + "\"",
            "[" + String(repeating: " ", count: 1 << 18) + "]",
            String(repeating: "9", count: 1 << 18), "1" + String(repeating: "\n", count: 1 << 18),
        ] {
            let asked = Counter()
            let once = StrictJSON.Limits(depth: 8, values: .max) { asked.next() == 1 }
            #expect(throws: StrictJSON.Failure.outOfTime) {
                try StrictJSON.parse(Array(text.utf8), limits: once)
            }
        }
    }

    @Test func otherNumbersAreReadAsTextIfTheCallerTakesThem() throws {
        let limits = StrictJSON.Limits(depth: 1, values: 1, takesEveryNumber: true)
        func read(_ text: String) -> StrictJSON.Value? {
            try? StrictJSON.parse(Array(text.utf8), limits: limits)
        }
        for text in [
            "0.5", "-0.0", "1e3", "1E+3", "1e-3", "0e0", "9223372036854775808", "-9223372036854775809",
            "12.50e10",
        ] {
            #expect(read(text) == .otherNumber(text))
        }
        #expect(read("-9223372036854775808") == .number(.min))
        for text in ["1.", ".5", "1e", "1e+", "01.5", "-", "-.5", "1.5.5", "0x1", "1e5.5", "+1.5"] {
            #expect(read(text) == nil, "\(text)")
        }
    }

    @Test func everythingLooseIsRefused() {
        for text in [
            "", " ", "{", "[1", "[1,]", "{\"a\": 1,}", "{a: 1}", "{'a': 1}", "{1: 1}", "nul", "tru", "01",
            "-", "1.0", "1e3", "+1", "--1",
            "9223372036854775808", "\"\u{1}\"", "\"\u{1f}\"", "\"\\u00g0\"", "\"\\u00G0\"", "\"\\u00@0\"",
            "\"\\u00/0\"", "\"\\u00:0\"",
            "\"\\x\"", "\"\\u12\"", "\"\\u+123\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"",
            "\"a", "{} {}", "[] ]", "// x\n{}", "{\"a\" 1}", "\u{feff}{}", "NaN",
        ] {
            guard case .malformed? = Self.failure(text) else {
                Issue.record("\(text) is not refused as malformed")
                continue
            }
        }
        #expect((try? StrictJSON.parse([0x22, 0xff, 0x22], depthLimit: 1)) == nil)
        #expect((try? StrictJSON.parse([0x22, 0xc3, 0x22], depthLimit: 1)) == nil)
    }

    @Test func aFailureNamesItsByte() {
        #expect(Self.failure("[1, x]") == .malformed(offset: 4))
        #expect(Self.failure("{} x") == .malformed(offset: 3))
    }

    @Test func whatIsQuotedReadsBack() throws {
        let text = "a\"\\/\u{8}\u{c}\n\r\t\u{0}\u{7f}é😀e\u{301}"
        guard case .string(let read) = try Self.parse(StrictJSON.quote(text)) else {
            return #expect(Bool(false))
        }
        #expect(read.utf8.elementsEqual(text.utf8))
    }
}

/// Counts what is asked of it.
private final class Counter: @unchecked Sendable {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
