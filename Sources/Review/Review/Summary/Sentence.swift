import Cards
import Extrinsics
import SubstratePrimitives

/// One sentence about what a payload does, in parts. A terminal shows each part like the card that it comes
/// from.
public struct Sentence: Sendable, Equatable {
    /// A piece of the sentence.
    public enum Part: Sendable, Equatable {
        /// Words of this program.
        case words(ExactText)
        /// The pallet and the call, as the runtime spells them.
        case call(ShownCalls.Name)
        /// A text of the payload.
        case quoted(ExactText)
        /// A name or another word of the payload or the vault; in quotes where it could be read as more than
        /// a name.
        case name(ExactText)
        /// A place on another chain, as this side describes it.
        case place(ExactText)
        /// A number, with the unit where it is an amount in one.
        case amount(ExactText, unit: ExactText?)
        case account(ExactText)
    }

    public internal(set) var parts: [Part]

    package init(_ parts: [Part]) { self.parts = parts }
    package init(_ words: String) { parts = [.words(ExactText(words))] }

    static func + (one: Sentence, other: Sentence) -> Sentence { Sentence(one.parts + other.parts) }

    /// As plain text, not escaped.
    public var text: String {
        parts.map { part in
            switch part {
            case .words(let text), .place(let text), .account(let text): text.text
            case .name(let text): text.text.isPlainName ? text.text : "\"\(text)\""
            case .quoted(let text): "\"\(text)\""
            case .call(let name): "\(name)"
            case .amount(let number, let unit): unit.map { "\(number) \($0)" } ?? number.text
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
