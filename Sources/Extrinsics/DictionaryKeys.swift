/// Bytes as a key: the hash takes them as one run, where that of an array takes them one by one.
struct ByteKey: Hashable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

/// Text as a key, by its UTF-8 bytes: a `String` has one key with all that are canonically equivalent to it.
struct TextKey: Hashable {
    private let text: String

    init(_ text: String) { self.text = text }

    static func == (one: TextKey, other: TextKey) -> Bool {
        var (one, other) = (one.text, other.text)
        return one.withUTF8 { left in other.withUTF8 { right in left.elementsEqual(right) } }
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8.max)
    }
}
