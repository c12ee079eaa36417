extension FixedWidthInteger where Self: UnsignedInteger {
    /// The sum, or the largest number.
    public func addingSaturating(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}

extension Sequence {
    /// One element for each key, in the order in which the keys come: the first one, and every other that is
    /// added to it.
    package func merged<Key: Hashable>(by key: (Element) -> Key, _ add: (inout Element, Element) -> Void)
        -> [Element]
    {
        var (merged, places): ([Element], [Key: Int]) = ([], [:])
        for element in self {
            if let place = places[key(element)] {
                add(&merged[place], element)
            } else {
                places[key(element)] = merged.count
                merged.append(element)
            }
        }
        return merged
    }
}
