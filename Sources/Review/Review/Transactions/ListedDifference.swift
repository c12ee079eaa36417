import SubstratePrimitives

/// The first value of a proof that is not the one of the built-in list.
public struct ListedDifference: Sendable, Equatable {
    /// The name of the listed chain, for people.
    public let chain: String
    public let field: WellKnownChain.Field
    /// As text; whoever made the transaction chose ``proved``.
    public let listed: String
    public let proved: String

    /// nil where the four values agree. The genesis hash is the one of the row.
    package init?(_ chain: WellKnownChain, _ specs: NetworkSpecs) {
        let known = chain.specs
        let found: (WellKnownChain.Field, String, String)? =
            if !specs.name.utf8Equals(known.name) {
                (.specName, known.name, specs.name)
            } else if specs.base58Prefix != known.base58Prefix {
                (.base58Prefix, String(known.base58Prefix), String(specs.base58Prefix))
            } else if specs.decimals != known.decimals {
                (.decimals, String(known.decimals), String(specs.decimals))
            } else if !specs.unit.utf8Equals(known.unit) {
                (.unit, known.unit, specs.unit)
            } else {
                nil
            }
        guard let (field, listed, proved) = found else { return nil }
        (self.chain, self.field, self.listed, self.proved) = (chain.name, field, listed, proved)
    }

    package init(chain: String, field: WellKnownChain.Field, listed: String, proved: String) {
        (self.chain, self.field, self.listed, self.proved) = (chain, field, listed, proved)
    }

    public static func == (one: ListedDifference, other: ListedDifference) -> Bool {
        one.chain.utf8Equals(other.chain) && one.field == other.field && one.listed.utf8Equals(other.listed)
            && one.proved.utf8Equals(other.proved)
    }
}

extension ListedDifference {
    /// What both give, without a subject.
    package var sentence: String {
        "\(chain) the \(field.rawValue) \(quoted(proved)), and the built-in list has \(quoted(listed))"
    }

    /// A number stands as it is, a text in quotes where it could be read as more than a name.
    private func quoted(_ value: String) -> String { value.isPlainName ? value : "\"\(value)\"" }
}
