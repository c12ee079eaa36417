import SubstratePrimitives

extension RuntimeMetadata {
    /// The constant `Balances.ExistentialDeposit`, in the smallest unit; nil where the runtime has none, or in metadata 12 and 13.
    public func existentialDeposit() throws(MetadataError) -> UInt128? {
        guard let portable = registry as? PortableRegistry, let balances = pallets.first(where: { $0.name.utf8Equals("Balances") }),
            let (value, _) = try ConstantReader(registry: portable, pallets: pallets).value(balances, "ExistentialDeposit")
        else { return nil }
        return value.number
    }
}
