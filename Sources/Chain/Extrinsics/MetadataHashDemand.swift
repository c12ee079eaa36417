import Cards

/// The check that an owner demands of the chain before something is signed: that it compares the metadata
/// hash (RFC-0078).
///
/// The raw value is stable: it is in stores, in policies and in the log.
public enum MetadataHashDemand: String, Sendable, CaseIterable {
    /// Only what the chain checks is signed, so nobody has to be believed.
    case always
    /// A transaction for a runtime that cannot check the hash may be signed, too. Only the metadata says that
    /// it cannot, so this demand believes the verifier who signed the metadata: a forged one could leave out
    /// CheckMetadataHash and describe the byte that turns it off as something else. Only ``always`` believes
    /// nobody.
    case wherePossible = "where_possible"
    /// Nothing is demanded.
    case never

    /// Whether a transaction may be signed as far as this demand goes.
    public func allows(_ check: MetadataHashCheck) -> Bool {
        switch (self, check) {
        case (_, .passed), (.never, .notCompared), (.never, .disabled), (.never, .unsupported),
            (.wherePossible, .unsupported):
            true
        // What a runtime could have compared and did not is what an attacker would send.
        case (.wherePossible, .notCompared), (.wherePossible, .disabled): false
        case (.always, .notCompared), (.always, .disabled), (.always, .unsupported): false
        }
    }

    /// Whether something that `former` does not allow is allowed by this.
    public func isWeaker(than former: MetadataHashDemand) -> Bool { strength < former.strength }

    private var strength: Int {
        switch self {
        case .always: 2
        case .wherePossible: 1
        case .never: 0
        }
    }
}
