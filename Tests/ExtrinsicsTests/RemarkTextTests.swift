import Cards
import FixtureRuntime
import Testing

@testable import Extrinsics

@Suite struct RemarkTextTests {
    @Test func aRemarkShowsAsTextOrAsBytes() throws {
        let runtime = FixtureRuntime()
        for (remark, kind) in [
            ("hello", Card.Kind.text), ("0x\u{301}00", .bytes), ("a\u{34f}", .bytes), ("a\u{2800}", .bytes),
        ] {
            let call = runtime.call("System", "remark", [FixtureValue.bytes(Array(remark.utf8))])
            let cards = try runtime.decode(runtime.transactionBody(call: call)).method
            #expect(cards.last?.kind == kind, "\(remark)")
        }
    }
}
