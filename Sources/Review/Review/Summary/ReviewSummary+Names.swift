import SubstratePrimitives

extension ReviewSummary.Network {
    /// The name with its mark; nil where it has none.
    public var markedName: String? {
        guard let mark, let genesisHash else { return nil }
        return mark.shownName(name, genesisHash)
    }
}
