import SubstratePrimitives

/// What deriving a key from a passphrase costs: Argon2id (version 1.3, one lane).
public struct KDFCost: Sendable, Hashable {
    /// Passes over the memory.
    public let passes: UInt32
    /// KiB.
    public let memory: UInt32

    /// The minimum for a vault with real keys: below it a stolen file is too cheap to guess.
    static let minimumMemory: UInt32 = 64 * 1024
    /// The maximum that is accepted from a file, so that a changed header cannot exhaust the machine: 2 GiB.
    static let maximumMemory: UInt32 = 2 * 1024 * 1024
    /// The maximum that is accepted from a file: beyond it one attempt would take minutes.
    static let maximumPasses: UInt32 = 64
    /// Argon2's own lower bound for one lane.
    static let smallestMemory: UInt32 = 8

    /// The most memory that ``measured(seconds:)`` chooses: 256 MiB.
    static let usualMemory: UInt32 = 256 * 1024
    /// KiB times passes: what a fast machine fills in two seconds. A changed header can ask for thirty times
    /// as much.
    static let usualWork = UInt64(4 * 1024 * 1024)

    public init(passes: UInt32, memory: UInt32) {
        self.passes = passes
        self.memory = memory
    }

    /// Cheap, for vaults that hold no real keys.
    public static let development = KDFCost(passes: 1, memory: 1024)

    /// The minimum memory and passes, for machines without a measurement: 64 MiB, 3 passes (RFC 9106, second
    /// choice).
    public static let minimum = KDFCost(passes: 3, memory: minimumMemory)

    /// KiB times passes.
    var work: UInt64 { UInt64(passes) * UInt64(memory) }

    /// Whether it is above what ``measured(seconds:)`` chooses. The slots are proved only by opening them, so
    /// whoever can write to the vault file can state any cost up to the limits: a person is told before it is
    /// paid.
    public var isUnusual: Bool { memory > Self.usualMemory || work > Self.usualWork }

    /// The total cost of deriving with each of these in turn: the highest memory of one, with the passes of
    /// all. Slots that are each below a limit add up.
    static func total(of costs: [KDFCost]) -> KDFCost? {
        guard let memory = costs.map(\.memory).max(), memory > 0 else { return nil }
        // Costs are reported before their bounds are checked, so the sum may overflow.
        let work = costs.reduce(UInt64(0)) { $0.addingSaturating($1.work) }
        let (passes, rest) = work.quotientAndRemainder(dividingBy: UInt64(memory))
        return KDFCost(passes: UInt32(clamping: rest == 0 ? passes : passes + 1), memory: memory)
    }

    func isAllowed(development: Bool) -> Bool {
        guard (1...Self.maximumPasses).contains(passes), memory <= Self.maximumMemory else { return false }
        return memory >= (development ? Self.smallestMemory : Self.minimumMemory)
    }
}
