import SubstratePrimitives

extension RuntimeMetadata {
    /// The constant `Balances.ExistentialDeposit`, in the smallest unit; nil where the runtime has none, or in metadata 12 and 13.
    public func existentialDeposit() throws(MetadataError) -> UInt128? { try number(of: "ExistentialDeposit", in: "Balances") }

    /// A constant of a pallet that is an unsigned integer; nil where the pallet has no such constant, or in metadata 12 and 13.
    public func number(of constant: String, in pallet: String) throws(MetadataError) -> UInt128? {
        guard let portable = registry as? PortableRegistry, let pallet = pallets.first(where: { $0.name.utf8Equals(pallet) }),
            let (value, _) = try ConstantReader(registry: portable, pallets: pallets).value(pallet, constant)
        else { return nil }
        return value.number
    }
}
