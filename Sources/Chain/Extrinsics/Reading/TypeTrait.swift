/// How a type is shown, determined once for each type.
enum TypeTrait {
    case account(length: Int)
    case flags, vote
    case fraction(Fraction)
    /// An integer of 256 bits in four words.
    case wide
    /// An XCM asset: an id, which is a location, and an amount.
    case xcmAsset
    case xcmLocation
    /// The encoded call of an XCM Transact, for this chain or another: which one cannot be inferred.
    case encodedCall
    /// A set, or a map from keys, that the runtime holds in ascending order.
    case ordered(isMap: Bool)
    /// It has the name of a special reading but another shape: shown by its parts.
    case unusual
    case none
}
