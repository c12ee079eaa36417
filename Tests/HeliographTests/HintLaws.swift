import Cards
import Diagnostics
import Extrinsics
import Review
import Testing

@testable import CommandKit
@testable import heliograph

/// Every refusal leads on: it has a hint, or a reason why none can help.
@Suite struct HintLaws {
    /// Codes of errors without a hint, and why.
    static let reasons: [String: String] = [
        "answered-no": "the person decided",
        "interrupted": "the person decided",
        "idle": "the person was away",
        "went-online": "the banner says what connects the device",
        "line-too-long": "the sentence names the descriptor",
        "input-output": "the system's words are the reason, and the sentence names the file",
        "file-of-json": "the sentence names the command",
        "file-too-large": "the sentence states the limit",
        "unknown-scheme": "the sentence lists the choices",
        "bad-commitment": "the sentence names who made it",
        "bad-contribution": "the sentence names who made it",
        "bad-group-key": "the proposal needs new contributions of all",
        "bad-group-record": "another member has a copy",
        "bad-host-key": "its owner shows it again",
        "bad-signature-share": "the sentence names who made it",
        "contributors": "the sentence names whose are needed",
        "dealt-key": "the person named the account",
        "group-record-signatures": "the sentence names whose signatures are wrong",
        "group-path": "the sentence states what is allowed",
        "group-signers": "the request says who signs",
        "group-size": "the sentence states the limits",
        "not-this-member": "the message is for another machine",
        "old-group": "the proposal needs another record, or more contributors",
        "old-host-key": "the sentence names the member",
        "other-nonces": "the request has to be made again",
        "repeated-host-key": "the sentence names the members",
        "reserved-path": "no other path is meant",
        "wrong-share": "the record is of another group or vault",
        "wrong-signature": "the signature is what was asked about",
        "own-domain": "nobody makes such bytes for an honest use",
        "not-on-cards": "no other command shows this payload",
        "drawing-failed": "the machine's memory is full",
        "empty-payload": "there is nothing to draw",
        "payload-too-long": "the sentence states the limit",
        "payload-time": "the payload is hostile, or larger than any that is known",
        "payload-memory": "the payload is hostile, or larger than any that is known",
        "no-sandbox": "the kernel refuses",
        "file-gone": "the other pictures are read",
        "not-a-file": "the other pictures are read",
        "empty-file": "the other pictures are read",
        "picture-truncated": "the other pictures are read",
        "picture-damaged": "the other pictures are read",
        "too-many-frames": "the sentence states the limit",
        "picture-memory": "the other pictures are read",
        "picture-timeout": "the other pictures are read",
        "picture-crash": "the other pictures are read",
        "older-asset-list": "the newer list is in the vault already",
        "wrong-passphrase": "nobody can tell a passphrase",
        "must-wait": "the sentence says how long",
        "bad-seed-name": "the sentence states the rule",
        "entropy-length": "only another program can cause it",
        "kdf-cost": "only another program can cause it",
        "secret-length": "only another program can cause it",
        "passphrase-not-changed": "the sentence says which passphrase opens the vault",
        "passphrase-was-changed": "the sentence says which passphrase opens the vault",
        "strength-unknown": "the machine's memory is full",
    ]

    @Test func `every error has a hint, or a reason why none can help`() {
        var unused = Set(Self.reasons.keys)
        for type in ErrorTable.types {
            for (code, sentence, hint) in Self.rows(of: type) where hint == nil {
                #expect(Self.reasons[code] != nil, "\(code): \(sentence)")
                unused.remove(code)
            }
        }
        #expect(unused.isEmpty, "these have a hint now: \(unused.sorted())")
    }

    @Test func `a hint is plain`() {
        for type in ErrorTable.types {
            for (code, sentence, hint) in Self.rows(of: type) {
                guard let hint else { continue }
                #expect(
                    !hint.isEmpty && hint.last != "." && hint.first?.isUppercase == false, "\(code): \(hint)")
                #expect(hint != sentence, "\(code)")
                for wrong in ["  ", "Optional(", "()", "\n"] {
                    #expect(!hint.contains(wrong), "\(code): \(hint)")
                }
            }
        }
    }

    /// Whoever owns the online machine can turn the hash off in all that he sends. A hint that says how to
    /// require less would be his.
    @Test func `no refusal of what a runtime could have checked says how to require less`() {
        for check in [MetadataHashCheck.disabled, .notCompared(version: 16)] {
            let required = ReviewError.metadataHashRequired(network: "polkadot", check).hint ?? ""
            let violation = TransactionPolicy.Violation.metadataHash(check).hint ?? ""
            for hint in [required, violation] {
                #expect(hint.contains("--with-proof") && !hint.contains("network set"))
            }
        }
        #expect(
            ReviewError.metadataHashRequired(network: "polkadot", .unsupported).hint?.contains(
                "if that is true") == true)
    }

    /// `heliograph X` in a hint is a command that exists, and its options are its own.
    @Test func `a hint names commands that exist`() {
        let tree = CommandTree(program: Heliograph.self)
        var named = 0
        for type in ErrorTable.types {
            for (code, _, hint) in Self.rows(of: type) {
                for part in (hint ?? "").split(separator: "heliograph ").dropFirst() {
                    let words = part.split(whereSeparator: { " ,;:".contains($0) }).map(String.init)
                    guard let first = words.first, !["shows", "needs", "that"].contains(first) else {
                        continue
                    }
                    let names = tree.named(first == "help" ? Array(words.dropFirst()) : words).names
                    #expect(!names.isEmpty || first == "help", "\(code): \(hint ?? "")")
                    named += 1
                }
            }
        }
        #expect(named > 30)
    }

    private static func rows<E: DiagnosticError>(of type: E.Type) -> [(
        code: String, sentence: String, hint: String?
    )] {
        E.examples.map { ($0.code.rawValue, $0.sentence, $0.hint) }
    }
}
