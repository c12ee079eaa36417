/// Names as a person sorts them: `frame2` before `frame10`.
enum NaturalOrder {
    static func precedes(_ left: String, _ right: String) -> Bool {
        var a = Array(left.utf8)[...]
        var b = Array(right.utf8)[...]
        while let first = a.first, let second = b.first {
            if isDigit(first), isDigit(second) {
                let x = number(&a)
                let y = number(&b)
                if x.count != y.count { return x.count < y.count }
                if x != y { return x.lexicographicallyPrecedes(y) }
            } else {
                if first != second { return first < second }
                a.removeFirst()
                b.removeFirst()
            }
        }
        if a.isEmpty != b.isEmpty { return a.isEmpty }
        // Names that differ in leading zeros only still need one order.
        return left < right
    }

    /// Takes a run of digits off the front and returns it without leading zeros.
    private static func number(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = bytes.prefix(while: isDigit)
        bytes.removeFirst(digits.count)
        return digits.drop(while: { $0 == UInt8(ascii: "0") })
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
