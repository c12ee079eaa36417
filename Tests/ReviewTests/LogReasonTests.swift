import Extrinsics
import Metadata
import Review
import SubstratePrimitives
import Testing
import TrustStore

@Suite struct LogReasonLaws {
    /// A log is kept for years: its words are added to, never changed.
    @Test func `the words of the log stay as they are`() {
        #expect(
            LogReason.allCases.map(\.rawValue) == [
                "answered-no", "no-rule-approves", "key-on-two-networks", "policy-networks", "policy-calls", "policy-destinations",
                "policy-signers", "policy-maximum-amount", "policy-minimum-amount", "policy-maximum-per-day",
                "policy-maximum-per-week", "policy-maximum-per-month", "policy-assets", "policy-maximum-tip", "policy-fee-asset",
                "policy-mortality",
                "policy-extensions", "policy-messages", "policy-require-metadata-hash", "policy-maximum-count",
                "policy-approve", "policy-unreadable",
                "unknown-network", "network-only-proved", "listed-chain-differs",
                "network-blocked", "truncated-or-unknown-network", "no-metadata", "no-metadata-version", "types-needed", "stored-metadata",
                "held-metadata-differs", "several-versions", "metadata-hash-required", "metadata-hash-demand-unreadable", "transaction",
                "unknown-signer", "account-of-group", "key-not-allowed", "new-key",
                "other-network", "not-on-cards", "message-is-transaction", "ethereum-payload", "other-statement", "own-domain",
                "changed-since-shown",
                "self-check",
                "wrong-password", "derived-key-differs", "wrong-signature", "must-be-signed-by", "specs-first", "already-known",
                "name-changes", "prefix-changes", "decimals-change", "unit-changes", "prefix-too-large", "prefix-reserved", "empty-field",
                "unit-without-letter", "path-of-listed-chain",
                "metadata-of-another-network", "metadata-prefix-differs", "same-version-other-bytes", "older-asset-list",
                "malformed-update", "compressed-metadata", "bad-label", "label-taken", "unknown-list-signer", "older-contact-list",
                "other-contact-list", "too-many-contacts", "unknown-seed", "nothing-to-derive", "key-collision", "address-differs",
                "root-differs", "group-not-a-member", "group-two-keys-of-one-vault", "group-own-card", "group-name-taken",
                "group-unknown-session", "group-other-proposal", "group-bad-contribution", "group-own-contribution", "group-other-bundle",
                "group-not-confirmed", "group-active", "group-account-held", "group-wrong-share", "group-member-name",
                "group-request",
                "group-not-a-signer", "group-unknown-request", "group-bad-share", "group-own-commitment", "group-incomplete",
                "group-nonces-spent", "group-share-not-stored", "group-nonces-gone", "group-too-many-open", "group-invalid", "group-member",
                "store-missing", "store-exists", "store-busy", "store-damaged", "store-unreadable", "input-output",
                "seal-broken", "rolled-back", "vault-replaced", "content-broken", "conflict", "other",
            ])
    }

    @Test func `a refusal has its own reason`() {
        #expect(LogReason(ReviewError.unknownSigner) == .unknownSigner)
        #expect(LogReason(ReviewError.policy(.amountUnknown)) == .policyMaximumAmount)
        #expect(LogReason(ReviewError.policy(.messageNotMentioned)) == .policyMessages)
        #expect(LogReason(ReviewError.derivedKeyDiffers(hasPassword: true)) == .wrongPassword)
        #expect(LogReason(ReviewError.derivedKeyDiffers(hasPassword: false)) == .derivedKeyDiffers)
        let needed = ExtrinsicError(.metadata(.typesNeeded), place: "call")
        #expect(LogReason(ReviewError.transaction(needed, network: "alpha")) == .typesNeeded)
        #expect(LogReason(ReviewError.transaction(ExtrinsicError(.tooDeep, place: "call"), network: "alpha")) == .malformedTransaction)
        #expect(LogReason(UpdateRefusal.alreadyKnown) == .alreadyKnown && LogReason(DerivationRefusal.allKnown) == .alreadyKnown)
        #expect(LogReason(StoreError.sealBroken([.seal])) == .sealBroken && LogReason(StoreError.notAStore) == .storeDamaged)
        #expect(LogReason(StoreError.changedSinceShown) == .changedSinceShown)
    }

    @Test func `a broken seal is logged with a word, not a sentence`() {
        let event = LogEvent.sealBroken(.rolledBack)
        #expect(event.kind == .sealBroken && event["reason"] == "rolled-back")
    }
}
