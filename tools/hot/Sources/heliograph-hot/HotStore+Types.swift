import HotStore
import Metadata
import SCALE

extension HotStore {
    /// The types for metadata V12 and V13, decoded.
    func legacyTypes() throws -> LegacyTypes? {
        guard let entries = try types() else { return nil }
        var reader = SCALEReader(entries)
        let types = try LegacyTypes(from: &reader)
        try reader.finish()
        return types
    }
}
