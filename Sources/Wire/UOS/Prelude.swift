import SubstratePrimitives

/// The three bytes that open a payload: `53`, scheme, code.
public struct Prelude: Sendable, Equatable {
    /// Bytes.
    public static let length = 3
    /// The first byte of every payload: the UOS document's mark for Substrate.
    public static let firstByte: UInt8 = 0x53
    /// The scheme byte of updates that nobody signed and of payloads that need no key.
    static let noScheme: UInt8 = 0xff

    /// nil for `ff`.
    public let scheme: SignatureScheme?
    /// What the payload asks for; the third byte.
    public let code: PayloadCode

    /// The prelude of a payload with this code.
    /// - `scheme`: nil for `ff`.
    public init(scheme: SignatureScheme?, code: PayloadCode) {
        self.scheme = scheme
        self.code = code
    }

    /// Reads the first three bytes; what follows is not looked at.
    /// - Throws: ``PayloadError/tooShort(bytes:)``, ``PayloadError/notAPayload(firstByte:)``,
    ///   ``PayloadError/unknownCode(_:)``, ``PayloadError/unknownScheme(_:)``
    public init(_ payload: some Collection<UInt8>) throws(PayloadError) {
        let head = Array(payload.prefix(Self.length))
        guard head.count == Self.length else { throw .tooShort(bytes: head.count) }
        guard head[0] == Self.firstByte else { throw .notAPayload(firstByte: head[0]) }
        guard let code = PayloadCode(rawValue: head[2]) else { throw .unknownCode(head[2]) }
        if head[1] == Self.noScheme {
            scheme = nil
        } else {
            guard let scheme = SignatureScheme(rawValue: head[1]) else { throw .unknownScheme(head[1]) }
            self.scheme = scheme
        }
        self.code = code
    }

    /// The three bytes.
    public var bytes: [UInt8] { [Self.firstByte, scheme?.rawValue ?? Self.noScheme, code.rawValue] }
}
