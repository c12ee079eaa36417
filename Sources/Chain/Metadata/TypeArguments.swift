extension ArraySlice<UInt8> {
    /// The parts of ASCII text between commas outside brackets, such as the arguments of a generic type or
    /// the elements of a tuple. An empty part after the last comma does not count.
    package var typeArguments: [ArraySlice<UInt8>] {
        var depth = 0
        var parts: [ArraySlice<UInt8>] = []
        var start = startIndex
        for index in indices {
            switch self[index] {
            case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                parts.append(self[start..<index])
                start = index + 1
            default: break
            }
        }
        if start < endIndex { parts.append(self[start...]) }
        return parts
    }
}
