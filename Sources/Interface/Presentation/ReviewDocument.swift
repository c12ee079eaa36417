import Cards
import Ceremony
import Diagnostics
import GroupReview
import Hashing
import Review
import ScannerClient
import UOS

/// The JSON document of `inspect` and `scan`; programs read it, so its keys stay. After an error it has
/// everything that was known before the error.
package struct ReviewDocument: Encodable {
    package struct PayloadFacts: Encodable {
        let code: String
        let kind: String
        let scheme: Nullable<String>
        let bytes: Int
        let blake2b_256: String

        package init(_ payload: [UInt8]) {
            let prelude = try? Prelude(payload)
            code = payload.count >= Prelude.length ? Hex.encode([payload[2]]) : ""
            kind = prelude?.code.kind ?? "unknown"
            scheme = Nullable(prelude?.scheme?.name)
            bytes = payload.count
            blake2b_256 = Hex.encode(BLAKE2b.hash(payload))
        }
    }

    package struct TransportFacts: Encodable {
        let envelope: String
        let images: Int
        let images_without_code: Int
        let codes: Int
        let frames: Int
        let needed: Int
        let other_payloads: Int

        package init(_ transport: PayloadAssembler.Transport, _ report: ScanReport) {
            envelope = transport.envelope.rawValue
            images = report.images
            images_without_code = report.imagesWithoutCode
            codes = transport.codes
            frames = transport.frames
            needed = transport.needed
            other_payloads = transport.otherPayloads
        }
    }

    struct Network: Encodable {
        let name: Nullable<String>
        let genesis_hash: String
        let spec_version: Nullable<UInt32>
        /// As in the summary.
        let mark: Nullable<String>
    }

    struct Signer: Encodable {
        /// null, like the key, while the key of a known seed has not been derived.
        let address: Nullable<String>
        let public_key: Nullable<String>
        let seed: Nullable<String>
        /// The name of the group; only of a group's account.
        var group: String?
        /// Only of a key that another wallet made.
        var imported: Bool?
        let path: Nullable<String>
        let has_password: Bool
        let known: Bool
    }

    package struct Item: Encodable {
        var network: Nullable<Network>
        var signer: Nullable<Signer>
        var signing_bytes: Nullable<String>
        package var cards: CardSet
        /// What ``summary`` is made from.
        package var reviewed: ReviewSummary
        /// What an online machine said beside it. Written only for a payload that carries claims.
        package var claims: ClaimReview?
        /// What a state proof says beside it, and this device's time; nil without one.
        package var state: (review: StateReview, time: UInt64)?
        /// Why `scan` refuses it whoever asks and whatever a vault allows; nil where it does not.
        package var refusal: Diagnostic?

        private enum CodingKeys: String, CodingKey {
            case network, signer, signing_bytes, cards, summary, claims, state, refusal
        }

        package func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: CodingKeys.self)
            try object.encode(network, forKey: .network)
            try object.encode(signer, forKey: .signer)
            try object.encode(signing_bytes, forKey: .signing_bytes)
            try object.encode(cards, forKey: .cards)
            try object.encode(SummaryDocument(reviewed), forKey: .summary)
            try object.encodeIfPresent(claims.map(ClaimDocument.init), forKey: .claims)
            try object.encode(
                Nullable(state.map { StateDocument($0.review, time: $0.time) }), forKey: .state)
            try object.encode(Nullable(refusal.map(ErrorDocument.init)), forKey: .refusal)
        }

        /// The account that signed, once its key is derived.
        package mutating func setSigner(_ signed: SignedTransaction) {
            guard let known = signer.value else { return }
            signer = Nullable(
                Signer(
                    address: Nullable(signed.address), public_key: Nullable(Hex.encode(signed.key.bytes)),
                    seed: known.seed,
                    path: known.path,
                    has_password: known.has_password, known: known.known))
        }
    }

    package struct SignatureFacts: Encodable {
        let text: String
        let out: Nullable<String>

        package init(text: String, out: Nullable<String>) {
            (self.text, self.out) = (text, out)
        }
    }

    /// The payload that answers a request, drawn as frames.
    package struct AnswerFacts: Encodable {
        let hex: String
        let out: Nullable<String>

        package init(hex: String, out: Nullable<String>) {
            (self.hex, self.out) = (hex, out)
        }
    }

    package enum Action: String, Encodable {
        case sign, read
        case addSpecs = "add_specs"
        case loadMetadata = "load_metadata"
        case loadTypes = "load_types"
        case loadAssets = "load_assets"
        case importContacts = "import_contacts"
        case showAddress = "show_address"
        case addHostContact = "add_host_contact"
        case joinGroup = "join_group"
        case confirmGroup = "confirm_group"
        case activateGroup = "activate_group"
        case keepOldRecord = "keep_old_record"
        case checkReshare = "check_reshare"
        case signForGroup = "sign_for_group"
        case importDerivations = "import_derivations"
        case deriveAddresses = "derive_addresses"
        case recoverSeed = "recover_seed"
        case none

        /// Whether several items are numbered; the groups of derivations have their seeds as headings.
        package var isNumbered: Bool {
            switch self {
            case .importDerivations, .deriveAddresses, .addHostContact, .joinGroup, .confirmGroup,
                .activateGroup, .keepOldRecord, .checkReshare,
                .signForGroup:
                false
            case .sign, .read, .addSpecs, .loadMetadata, .loadTypes, .loadAssets, .recoverSeed,
                .importContacts, .showAddress, .none:
                true
            }
        }
    }

    package var payload: Nullable<PayloadFacts> = Nullable(nil)
    package var transport: Nullable<TransportFacts> = Nullable(nil)
    package var action: Action = .none
    package var items: [Item] = []
    /// Only `scan` writes this field.
    package var signatures: [SignatureFacts]?
    /// Instead of signatures: what comparing each with another machine's came to.
    package var comparison: [String]?
    /// Only `scan` writes this field, when it answered a request.
    package var answer: AnswerFacts?
    /// How many Banana Split shares the input held, when it held any.
    package var shares: Int?
    /// What a list of contacts would do, where the payload is one.
    package var contacts: ContactListDocument?
    /// The group that a record made active.
    package var group: GroupFacts?
    /// What the input held instead of a payload: the address of an account.
    package var address: AddressFacts?
    /// Only `scan --serve` writes this field.
    package var queue: QueueFacts?
    package var error: Nullable<ErrorDocument> = Nullable(nil)

    package init() {}

    /// What became of one file of a queue.
    package struct QueueFacts: Encodable {
        package enum Result: String, Encodable {
            case signed
            /// The first round of a guarded signature was answered, and nothing is signed.
            case answered
            /// A rule signed these bytes before: this is that answer.
            case stored
            /// The answer is made or found, and its file could not be written.
            case unwritten
            case refused
        }
        let picture: String
        let result: Result

        package init(picture: String, _ result: Result) { (self.picture, self.result) = (picture, result) }
    }

    package struct AddressFacts: Encodable {
        let address: String
        let account: String
        /// As in the summary's recipients.
        let relation: String
        let contact: SummaryDocument.ContactFacts?
        let genesis_hash: Nullable<String>

        package init(
            address: String, account: String, relation: String, contact: SummaryDocument.ContactFacts?,
            genesis_hash: Nullable<String>
        ) {
            (self.address, self.account, self.relation, self.contact, self.genesis_hash) = (
                address, account, relation, contact, genesis_hash
            )
        }
    }
}
