/// The sealed settings by name. Names are compared by their bytes, as in the database: some contain the name
/// of a seed, which anyone may have chosen, and a dictionary of `String` treats canonically equivalent names
/// as one.
public struct SealedSettings: Sendable, Equatable, Sequence, ExpressibleByDictionaryLiteral {
    private var values: [[UInt8]: [UInt8]] = [:]

    public init() {}

    public init(dictionaryLiteral elements: (String, [UInt8])...) {
        for (name, value) in elements { self[name] = value }
    }

    public subscript(name: String) -> [UInt8]? {
        get { values[Array(name.utf8)] }
        set { values[Array(name.utf8)] = newValue }
    }

    /// In no particular order.
    public func makeIterator() -> some IteratorProtocol<(name: String, value: [UInt8])> {
        values.lazy.map { (name: String(decoding: $0.key, as: UTF8.self), value: $0.value) }.makeIterator()
    }
}
