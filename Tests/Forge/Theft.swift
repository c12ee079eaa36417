import FixtureRuntime
import SubstratePrimitives

/// A transaction that moves everything to a thief, in which a forged reading has room.
public struct Theft: Sendable {
    /// Where the sender of a transaction may put bytes that mean nothing to the chain.
    public enum Place: Sendable, CaseIterable {
        /// A remark in a batch, in front of the theft.
        case remarkInFront
        /// A remark in a batch, behind the theft.
        case remarkBehind
        /// The explicit part of an extension, between the call and what the chain adds.
        case explicitPart
    }

    /// The runtime that runs it.
    public let chain: FixtureRuntime
    /// Call ‖ explicit ‖ implicit: what a signature covers.
    public let signed: [UInt8]
    public let forged: TwoFaced

    /// - Parameters:
    ///   - chain: a standard fixture; one more extension stands in it for ``Place/explicitPart``.
    ///   - values: those of the true extensions; without a hash the mode is disabled.
    public init(
        _ face: TwoFaced.Face, on chain: FixtureRuntime, place: Place = .remarkInFront, thief: [UInt8],
        values: FixtureExtensionValues = FixtureExtensionValues()
    ) throws {
        var chain = chain
        let theft = chain.call(
            "Balances", "transfer_all", [FixtureValue.address(thief), FixtureValue.bool(false)])
        let length = FixtureValue.compact(
            UInt128(try TwoFaced(face, before: [0, 0], after: []).filling.count))
        let before: [UInt8]
        let after: [UInt8]
        switch place {
        case .remarkInFront:
            let parts = chain.extensionBytes(values)
            before =
                chain.call("Utility", "batch_all", [FixtureValue.compact(2)])
                + chain.call("System", "remark", [length])
            after = theft + parts.explicit + parts.implicit
        case .remarkBehind:
            let parts = chain.extensionBytes(values)
            before =
                chain.call("Utility", "batch_all", [FixtureValue.compact(2)]) + theft
                + chain.call("System", "remark", [length])
            after = parts.explicit + parts.implicit
        case .explicitPart:
            chain.extensions.append(FixtureExtension("Memo", .empty, explicit: .bytes, implicit: .unit))
            let parts = chain.extensionBytes(values)
            before = theft + parts.explicit + length
            after = parts.implicit
        }
        self.chain = chain
        forged = try TwoFaced(face, before: before, after: after)
        signed = before + forged.filling + after
    }

    /// With the border between call and extensions where the forged types want it.
    public var body: [UInt8] { forged.body(signing: signed) }

    /// With the border where the chain has it.
    /// - Parameter callLength: that of the true call.
    public func trueBody(callLength: Int) -> [UInt8] { FixtureValue.compact(UInt128(callLength)) + signed }

    /// The true call, which all places but the last fill to the extensions.
    public func callLength(_ values: FixtureExtensionValues, place: Place) -> Int {
        let parts = chain.extensionBytes(values)
        let rest = parts.explicit.count + parts.implicit.count
        guard place == .explicitPart else { return signed.count - rest }
        return signed.count - rest - forged.filling.count
            - FixtureValue.compact(UInt128(forged.filling.count)).count
    }
}
