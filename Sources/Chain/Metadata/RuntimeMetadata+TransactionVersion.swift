extension RuntimeMetadata {
    /// The field `transaction_version` of the constant `System.Version`; nil where the constant has none, or in metadata 12 and 13.
    public func transactionVersion() throws(MetadataError) -> UInt32? {
        guard let portable = registry as? PortableRegistry, let system = pallets.first(where: { $0.name == "System" }),
            let (value, type) = try ConstantReader(registry: portable, pallets: pallets).value(system, "Version"),
            case .id(let id) = type, case .composite(let fields) = try portable.definition(of: id).shape, case .record(let parts) = value,
            let index = fields.firstIndex(where: { $0.name == "transaction_version" })
        else { return nil }
        return parts[index].number.flatMap { UInt32(exactly: $0) }
    }
}
