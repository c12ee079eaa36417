import Cards
import Metadata
import SubstratePrimitives

/// A type as the runtime's source spells it, `Option<BalanceOf<T>>`.
///
/// The spelling is a sender's text where a proof carries it: it is read byte by byte, each level once, and
/// ignored if it is long or not ASCII.
struct TypeName {
    /// ASCII, without white space.
    private let text: ArraySlice<UInt8>
    /// Whether it is one of the names that FRAME gives to amounts of a token.
    let isBalance: Bool
    /// The fixed-point type that it spells, behind the wrappers that change nothing for a reader.
    let fraction: Fraction?

    /// Bytes of the longest spelling that is read. The longest in metadata of Polkadot, its asset hub and
    /// Westend has 127 (`decode-peer type-names METADATA`).
    static let maximumLength = 1024

    /// Whether it is short, and ASCII.
    static func isReadable(_ spelled: String) -> Bool {
        spelled.utf8.count <= maximumLength && spelled.utf8.allSatisfy { $0 < 0x80 }
    }

    init?(_ spelled: String) {
        guard Self.isReadable(spelled) else { return nil }
        self.init(spelled.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }[...])
    }

    private init(_ text: ArraySlice<UInt8>) {
        self.text = text
        let bare = String(decoding: Self.bare(text), as: UTF8.self)
        isBalance = Self.balances.contains(ExactText(bare))
        fraction = Fraction(rawValue: bare)
    }

    private static let balances: Set<ExactText> = [
        "Balance", "T::Balance", "BalanceOf<T>", "BalanceOf<T,I>", "ExtendedBalance", "DepositBalance",
        "PalletBalanceOf<T>",
        "ItemPrice<T,I>",
    ]
    private static let wrappers = ["Compact<", "Box<", "Option<"].map { Array($0.utf8) }

    /// The amount that an argument of this name holds.
    static let balance = TypeName(Array("Balance".utf8)[...])

    /// Without the wrappers that change nothing for a reader.
    private static func bare(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var inner = text
        while inner.last == UInt8(ascii: ">"), let wrapper = wrappers.first(where: { inner.starts(with: $0) })
        {
            inner = inner.dropFirst(wrapper.count).dropLast()
        }
        return inner
    }

    private static let bounded = ["BoundedVec<", "WeakBoundedVec<", "BoundedBTreeSet<", "BoundedBTreeMap<"]
        .map { Array($0.utf8) }

    /// The constant of the pallet that bounds the length: `KeyLimit` of `BoundedVec<u8, T::KeyLimit>`.
    ///
    /// A bound without `T::` in front is a parameter of another type or a number of the source, whose value
    /// no metadata has.
    var boundConstant: String? {
        let bare = Self.bare(text)
        guard bare.last == UInt8(ascii: ">"),
            let prefix = Self.bounded.first(where: { bare.starts(with: $0) }),
            let last = bare.dropFirst(prefix.count).dropLast().typeArguments.last,
            last.starts(with: "T::".utf8)
        else { return nil }
        return String(decoding: last.dropFirst(3), as: UTF8.self)
    }

    /// Whether it is a type parameter: one capital letter.
    var isParameter: Bool { text.count == 1 && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text.first!) }

    /// What stands in the angle brackets of `Vec<…>` or `Option<…>`, or in front of the `;` of an array.
    var argument: TypeName? {
        if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]"),
            let end = text.lastIndex(of: UInt8(ascii: ";"))
        {
            return TypeName(text[(text.startIndex + 1)..<end])
        }
        guard let start = text.firstIndex(of: UInt8(ascii: "<")), text.last == UInt8(ascii: ">") else {
            return nil
        }
        return text[(start + 1)...].dropLast().typeArguments.first.map { TypeName($0) }
    }

    /// One element of `(A, B)`; nil when the name does not spell that many.
    func element(_ index: Int, of count: Int) -> TypeName? {
        guard text.first == UInt8(ascii: "("), text.last == UInt8(ascii: ")"), text.count > 1 else {
            return nil
        }
        let parts = text.dropFirst().dropLast().typeArguments
        return parts.count == count ? TypeName(parts[index]) : nil
    }
}
