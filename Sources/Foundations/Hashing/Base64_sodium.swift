import CSodium

/// Base64 (RFC 4648, section 4) with padding, through libsodium.
public enum Base64 {
    public static func encode(_ bytes: [UInt8]) -> String {
        let length = sodium_base64_encoded_len(bytes.count, sodium_base64_VARIANT_ORIGINAL)
        var text = [CChar](repeating: 0, count: length)
        sodium_bin2base64(&text, length, bytes, bytes.count, sodium_base64_VARIANT_ORIGINAL)
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// nil for anything else than such a text.
    public static func decode(_ text: String) -> [UInt8]? {
        let characters = text.utf8.map { CChar(bitPattern: $0) }
        var bytes = [UInt8](repeating: 0, count: characters.count)
        var length = 0
        let status = sodium_base642bin(
            &bytes, bytes.count, characters, characters.count, nil, &length, nil,
            sodium_base64_VARIANT_ORIGINAL)
        return status == 0 ? Array(bytes.prefix(length)) : nil
    }
}
