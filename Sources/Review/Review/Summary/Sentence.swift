import Cards
import SubstratePrimitives

/// One sentence that says what a payload does, in parts, so that a terminal shows each as it shows the card
/// that it comes from.
public struct Sentence: Sendable, Equatable {
    /// A piece of the sentence.
    public enum Part: Sendable, Equatable {
        /// Words of this program.
        case words(String)
        /// The pallet and the call, as the runtime spells them.
        case call(pallet: String, call: String)
        /// A text of the payload.
        case quoted(String)
        /// A name or another word of the payload or the vault; in quotes where it could be read as more than
        /// a name.
        case name(String)
        /// A place on another chain, as this side describes it.
        case place(String)
        /// A number, with the unit where it is an amount in one.
        case amount(String, unit: String?)
        case account(String)

        public static func == (one: Part, other: Part) -> Bool {
            switch (one, other) {
            case (.words(let one), .words(let other)), (.quoted(let one), .quoted(let other)),
                (.name(let one), .name(let other)),
                (.account(let one), .account(let other)), (.place(let one), .place(let other)):
                one.utf8Equals(other)
            case (.call(let pallet, let call), .call(let otherPallet, let otherCall)):
                pallet.utf8Equals(otherPallet) && call.utf8Equals(otherCall)
            case (.amount(let one, let unit), .amount(let other, let otherUnit)):
                one.utf8Equals(other) && unit.utf8Equals(otherUnit)
            case (.words, _), (.call, _), (.quoted, _), (.name, _), (.place, _), (.amount, _), (.account, _):
                false
            }
        }
    }

    public internal(set) var parts: [Part]

    package init(_ parts: [Part]) { self.parts = parts }
    package init(_ words: String) { parts = [.words(words)] }

    static func + (one: Sentence, other: Sentence) -> Sentence { Sentence(one.parts + other.parts) }

    /// As plain text, not escaped.
    public var text: String {
        parts.map { part in
            switch part {
            case .words(let text), .place(let text), .account(let text): text
            case .name(let text): text.isPlainName ? text : "\"\(text)\""
            case .quoted(let text): "\"\(text)\""
            case .call(let pallet, let call): "\(pallet).\(call)"
            case .amount(let number, let unit): unit.map { "\(number) \($0)" } ?? number
            }
        }.joined()
    }
}

extension String {
    /// Whether it is one word of ASCII, `[A-Za-z0-9._-]+`, so that nothing in it passes for words around it.
    public var isPlainName: Bool {
        !utf8.isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
