import HotTransactions
import Metadata

/// Whether a transaction carries a metadata proof, and why.
enum TransactionForm {
    /// Payload 06: the runtime checks the hash of the metadata that the proof leads to.
    /// - Parameters:
    ///   - format: of the metadata that the proof is made from.
    ///   - isBuilt: whether a node said that the runtime has its hash compiled in. The metadata cannot tell:
    ///     test networks often have the
    ///     extension and no hash, and then a transaction with a proof is void.
    case proved(format: UInt8, isBuilt: Bool = false)
    /// Payload 02: the metadata hash is disabled, or there is none.
    case plain(Reason)

    /// Why there is no proof.
    enum Reason {
        /// `--without-proof`.
        case asked
        /// The runtime does not check metadata hashes.
        case unchecked
        /// The signed bytes go on behind the hash; the extension that stands there.
        case hashNotAtEnd(after: String)
        /// `--extension` gives the value of the extension that checks the hash.
        case ownValue(extension: String)
        /// The runtime would check a hash, and was built without one.
        case notBuilt
    }

    var isProved: Bool { if case .proved = self { true } else { false } }

    /// What the user asks for; nil leaves the choice to the runtime.
    struct Wish {
        let proof: Bool?
        /// Identifiers of the extensions that `--extension` gives a value.
        let ownValues: Set<String>
    }

    /// Why a transaction of this runtime gets no proof; nil when it gets one.
    /// - Throws: ``ExtensionFiller/Failure`` when a proof is asked for and the runtime cannot check it.
    static func reason(_ wish: Wish, metadata: RuntimeMetadata) throws(ExtensionFiller.Failure) -> Reason? {
        if wish.proof == false { return .asked }
        let filler = ExtensionFiller(
            types: TypeView(metadata.registry), extensions: metadata.extrinsic.extensions, prefix: 0)
        do throws(ExtensionFiller.Failure) {
            let checker = try filler.requireHashAtEnd()
            guard wish.proof == nil, wish.ownValues.containsUTF8(of: checker) else { return nil }
            return .ownValue(extension: checker)
        } catch {
            if wish.proof == true { throw error }
            switch error {
            case .noMetadataHash: return .unchecked
            case .metadataHashNotAtEnd(let name): return .hashNotAtEnd(after: name)
            case .valueNeeded, .unknownExtension, .description: throw error
            }
        }
    }

    /// The line that says which form was made and why.
    /// - Parameter runtime: name of the network and spec version, `polkadot 2003000`.
    func line(runtime: String) -> String {
        switch self {
        case .proved(format: 15, let isBuilt):
            """
            with a metadata proof: \(runtime) checks the metadata \
            hash\(isBuilt ? "" : ", if the runtime was built with its hash")
            """
        case .proved(let format, let isBuilt):
            """
            with a metadata proof made from V\(format): \(runtime) checks the hash of \
            V15\(isBuilt ? "" : ", if it was built with one,") and rejects the transaction if the two differ
            """
        case .plain(.asked):
            "without a metadata proof, as --without-proof says: the signer needs metadata for \(runtime)"
        case .plain(.unchecked): "without a metadata proof: \(runtime) does not check metadata hashes"
        case .plain(.hashNotAtEnd(let name)):
            """
            without a metadata proof: in \(runtime), \(name) follows the metadata hash, so no signer accepts \
            a proof
            """
        case .plain(.ownValue(let name)): "without a metadata proof: --extension sets \(name)"
        case .plain(.notBuilt):
            """
            without a metadata proof: the node says that \(runtime) was built without its metadata hash; the \
            signer needs its metadata
            """
        }
    }
}
