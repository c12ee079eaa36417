extension ClaimedFacts {
    /// Payload a4: these claims around a transaction.
    /// - Parameter payload: codes 00, 02, 05, 06 and 07; claims that it carries are left out.
    /// - Throws: ``PayloadError/notClaimable(_:)`` for every other payload
    public func around(_ payload: Payload) throws(PayloadError) -> [UInt8] {
        guard payload.prelude.code.isTransaction else { throw .notClaimable(payload.prelude.code) }
        return Prelude(scheme: payload.prelude.scheme, code: .claimedFacts).bytes + bytes + payload.bytes
    }
}
