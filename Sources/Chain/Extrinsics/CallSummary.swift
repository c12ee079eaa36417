import Cards
import SubstratePrimitives

/// What all calls of a transaction do, nested ones included.
public struct CallSummary: Sendable, Equatable {
    /// A pallet and a call, as the metadata spells them.
    public struct Name: Sendable, Hashable {
        public let pallet: String
        public let call: String

        public init(pallet: String, call: String) {
            self.pallet = pallet
            self.call = call
        }

        public static func == (one: Name, other: Name) -> Bool {
            one.pallet.utf8Equals(other.pallet) && one.call.utf8Equals(other.call)
        }
    }

    /// An amount of a token that is not the chain's own.
    public struct AssetAmount: Sendable, Equatable {
        /// nil where nothing tells the asset apart from others: its call names several, or another chain
        /// reads its name.
        public let asset: AssetKey?
        /// In the asset's smallest unit.
        public let amount: UInt128
    }

    /// In the order of reading.
    public internal(set) var calls: [Name] = []
    /// Every account among the arguments, 32 or 20 bytes.
    public internal(set) var accounts: [[UInt8]] = []
    /// Whether any argument is an address that does not name an account by its key: an index, bytes of
    /// another length, or a place on another chain that is not simply an account of that chain.
    public internal(set) var hasOtherAddresses = false
    /// Byte strings of unknown meaning: each may name a recipient.
    public internal(set) var possibleRecipients: [[UInt8]] = []
    /// The accounts in which other chains keep what is sent to them here, 32 bytes each; none for the relay
    /// chain and its system chains.
    public internal(set) var chainAccounts: [[UInt8]] = []
    /// Whether locations (XCM) are among the arguments: accounts on other chains, and ways to get there.
    public internal(set) var hasLocations = false
    /// Every amount of the chain's own token, in its smallest unit.
    public internal(set) var nativeAmounts: [UInt128] = []
    /// Whether amounts of other tokens are among the arguments.
    public internal(set) var hasAssetAmounts = false
    /// Those amounts, in the order of reading.
    public internal(set) var assetAmounts: [AssetAmount] = []
    /// Whether any argument is an integer, of whatever width, that neither its type nor ``ArgumentMeaning``
    /// explains: it may be an amount.
    public internal(set) var hasBareNumbers = false
    /// Whether a call gives away, destroys or locks something whose worth no argument states.
    public internal(set) var movesUnstatedWorth = false
    /// Whether a remark has no length before its bytes. On every known runtime it has one; without it the bytes
    /// of the call are whatever its maker likes, from the third on.
    public internal(set) var hasRemarkWithoutLength = false
    /// Hashes of calls that are not shown.
    public internal(set) var hiddenCalls: [Hash32] = []
    /// Whether one of the hidden calls is for another chain, whose types this chain's metadata does not have.
    public internal(set) var hasForeignCalls = false
    /// Whether an amount is shown in a unit from an ``AssetDirectory``; no metadata has it.
    public internal(set) var usesAssetUnits = false
    public internal(set) var warnings: [Warning] = []
}
