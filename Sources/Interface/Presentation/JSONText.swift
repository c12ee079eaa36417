import Diagnostics
import FoundationEssentials
import Lines
import TerminalIO

/// The one JSON document of stdout.
package enum JSONText {
    package static func print(_ document: some Encodable, _ console: Console) {
        console.print(text(document))
    }

    package static func text(_ document: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Every document is made of texts, integers, flags and arrays of them: nothing in it can fail to
        // encode.
        let data = try! encoder.encode(document)
        return Escape.json(String(decoding: data, as: UTF8.self))
    }
}

extension JSONText {
    /// A value on one line.
    package static func line(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try! encoder.encode(value), as: UTF8.self)
    }
}

/// `error` of every document.
package struct ErrorDocument: Encodable {
    let code: String
    let message: String
    let hint: String?

    package init(_ diagnostic: Diagnostic) {
        code = diagnostic.code.rawValue
        message = diagnostic.message
        hint = diagnostic.hint
    }
}

/// A value that is written as `null` when it is absent; synthesized encoding would leave the key out.
package struct Nullable<Value: Encodable>: Encodable {
    package let value: Value?
    package init(_ value: Value?) { self.value = value }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}
