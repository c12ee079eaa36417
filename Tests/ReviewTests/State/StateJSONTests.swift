import FixtureRuntime
import Forge
import SubstratePrimitives
import Testing

@testable import Presentation
@testable import Review

/// Law 42 of the state proofs: `state` of `inspect` and `scan`.
@Suite struct StateJSONLaws {
    private static let (alice, bob) = (SampleChain.alice, SampleChain.bob)

    private static func json(_ vault: StateVault) throws -> String {
        let state = try vault.state()
        return JSONText.line(StateDocument(state, time: state.proven.chain.time / 1_000))
    }

    private static func text(
        _ vault: StateVault, facts: String, missing: String, remaining: String, warnings: String = ""
    ) -> String {
        """
        {"block":{"hash":"\(vault.chain.header.hash.hex)","maximum_age":255,"number":28123456,\
        "time":1764000000},"facts":[\(facts)],"ground":"chain","hop":null,\
        "layout":{"first":1002005,"last":2003000,"newer":false,"source":"built_in"},\
        "missing":[\(missing)],"remaining":\(remaining),\
        "runtime":{"name":"polkadot","version":2003000},"warnings":[\(warnings)]}
        """
    }

    @Test func `42 Every key of a plain transfer, with amounts as texts`() throws {
        let vault = StateVault(free: .max)
        let facts = """
            {"account":"5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty","exists":true,"free":"10",\
            "frozen":"0","kind":"account","nonce":866,"reserved":"0","role":"destination"},\
            {"account":"5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY","exists":true,\
            "free":"340282366920938463463374607431768211455","frozen":"0","kind":"account","nonce":866,\
            "reserved":"0","role":"signer"}
            """
        #expect(
            try Self.json(vault)
                == Self.text(
                    vault, facts: facts, missing: #""signer_proxies""#,
                    remaining: #""340282366920938463463374607431768211395""#))
    }

    @Test func `42 What is absent has no value, what is not known is null, and a warning has code and text`()
        throws
    {
        var vault = StateVault()
        vault.items = [.account(Self.bob), .proxies(Self.alice)]
        vault.chain[.account(Self.bob)] = nil
        let facts = """
            {"account":"5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty","exists":false,\
            "kind":"account","role":"destination"},\
            {"account":"5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY","exists":false,\
            "kind":"proxies","role":"signer"}
            """
        let warning = """
            {"code":"state_new_account","text":"5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty does not \
            exist at this block: it is created if the \
            amount reaches the existential deposit"}
            """
        #expect(
            try Self.json(vault)
                == Self.text(
                    vault, facts: facts, missing: #""signer""#, remaining: "null", warnings: warning))
    }

    @Test func `42 Without a proof the state is null`() throws {
        let vault = StateVault()
        let alone = try TransactionReview(vault.data()).review(vault.transaction())[0]
        let beside = try vault.reviewed()
        var items = [ReviewDocument.Item(alone), ReviewDocument.Item(beside)]
        items[1].state = beside.state.map { ($0, 1_764_000_000) }
        #expect(JSONText.line(items[0]).contains(#""state":null"#))
        #expect(JSONText.line(items[1]).contains(#""state":{"block":{"#))
    }
}
