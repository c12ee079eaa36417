import Cards
import SubstratePrimitives

/// The effect of a warning on a rule under `approve` of the policy. Every warning about money, or about what
/// is known of it, stops a rule; a key of the rule decides about the few others.
public enum RuleWarning: Sendable, Equatable, CaseIterable {
    /// No rule approves the payload: a person decides.
    case stops
    /// A rule approves only if it limits repetition itself: by `maximum_count`, or by a limit per day, week
    /// or month.
    case needsOwnLimit
    /// A key of the rule decides, or the chain takes the payload no second time.
    case passes

    /// As a sentence of a table.
    public var words: String {
        switch self {
        case .stops: "a person decides"
        case .needsOwnLimit: "a rule decides that has maximum_count, or a limit per day, week or month"
        case .passes: "a rule decides"
        }
    }

    /// Every warning of a transaction or a message by its code, in the order of the enums.
    public static let table: [(code: String, line: String, effect: RuleWarning)] =
        Warning.allCases.map { ($0.rawValue, $0.line, $0.effectOnRules) }
        + ReviewWarning.allCases.map { ($0.rawValue, $0.line, $0.effectOnRules) }
}

extension CardWarning {
    /// What it does to a rule.
    public var effectOnRules: RuleWarning {
        switch matter {
        case .call(let warning): warning.effectOnRules
        case .review(let warning): warning.effectOnRules
        // Rules approve neither updates nor groups.
        case .update, .group: .stops
        }
    }
}

extension Warning {
    /// What it does to a rule.
    public var effectOnRules: RuleWarning {
        switch self {
        case .movesEverything, .changesRuntime, .replacesKeys, .givesProxy, .givesOwnership, .removesAccess,
            .redirectsRewards, .superuser, .runsProgram, .hiddenCall:
            .stops
        // `extensions` names what a rule allows.
        case .unknownExtension: .passes
        }
    }
}

extension ReviewWarning {
    /// What it does to a rule.
    public var effectOnRules: RuleWarning {
        switch self {
        case .unknownAuthor, .keyNotForNetwork, .keyNotDerived, .keyNotStored, .olderRuntime,
            .networkOnlyProved,
            .listedNetworkOnlyProved, .knownNameOnUnknownChain, .unsignedMetadata, .runtimeVersionUnknown,
            .unusualCall, .eraExpired, .shortEraForGroup, .unreadableMessage:
            .stops
        // Money: the wrong account, far more than ever, or another transaction in the place of this one.
        case .lookAlike, .paymentFarAbove, .nonceReused, .nonceBelowHighest, .nonceFarAhead: .stops
        // Money, too: it is paid twice. Whoever wrote a rule for an hourly payment says how often.
        case .callRepeated: .needsOwnLimit
        // `require_metadata_hash` decides whom a rule believes.
        case .metadataBelieved: .passes
        // Each rule under `approve` has a `maximum_tip`.
        case .tipAboveAmounts: .passes
        // The same signature again: the chain takes the bytes once, and each counts against `maximum_count`.
        case .signedBefore: .passes
        // `key_age` says itself from when on nothing is signed.
        case .keyIsOld, .wordsUnchecked: .passes
        }
    }
}
