import Cards
import Hashing

extension Card {
    /// A message as text where it is UTF-8, else as hex. Both programs show a message by this card.
    public init(message content: [UInt8]) {
        let hex = Hex.encode(content)
        let text = String(validating: content, as: UTF8.self)
        self.init(.message, text ?? "0x" + hex, fields: [Field("hex", hex), Field("text", text)])
    }
}
