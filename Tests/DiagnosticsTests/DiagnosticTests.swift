import Diagnostics
import Testing

@Suite struct DiagnosticTests {
    private enum Sample: DiagnosticError {
        case gone(String)

        var diagnostic: Diagnostic {
            switch self {
            case .gone(let name): .refused("gone", "\(name) is gone", hint: "look again")
            }
        }

        static var examples: [Sample] { [.gone("the sample")] }
    }

    @Test func `an error's row is its code, sentence, hint and exit`() {
        let error = Sample.gone("the sample")
        #expect(
            error.diagnostic == Diagnostic("gone", "the sample is gone", hint: "look again", exit: .refused))
        #expect(error.code == "gone" && error.sentence == "the sample is gone" && error.hint == "look again")
    }

    @Test func `a row names its exit`() {
        let rows: [(Diagnostic, Diagnostic.Exit, Int32)] = [
            (.refused("a", "b"), .refused, 1), (.usage("a", "b"), .usage, 64),
            (.badInput("a", "b"), .badInput, 65),
            (.inputOutput("a", "b"), .inputOutput, 74), (.notPermitted("a", "b"), .notPermitted, 77),
            (.interrupted("a", "b"), .interrupted, 130),
        ]
        for (row, exit, status) in rows {
            #expect(row == Diagnostic("a", "b", exit: exit) && row.exit.rawValue == status)
        }
    }

    /// K and the Kelvin sign are one letter to `String`, and two to a person who compares what was shown.
    @Test func `rows are equal byte by byte`() {
        let row = Diagnostic.refused("a", "K", hint: "K")
        #expect(row == Diagnostic.refused("a", "K", hint: "K"))
        for other: Diagnostic in [
            .refused("b", "K", hint: "K"), .refused("a", "\u{212A}", hint: "K"),
            .refused("a", "K", hint: "\u{212A}"),
            .refused("a", "K"), .badInput("a", "K", hint: "K"),
        ] { #expect(row != other) }
    }

    @Test func `a row that is told of another place keeps code, hint and exit`() {
        let row = Sample.gone("the sample").diagnostic
        #expect(row.saying("here: gone") == .refused("gone", "here: gone", hint: "look again"))
    }

    @Test func `the code of an error is that of its row, and internal for an error without one`() {
        struct Foreign: Error {}
        #expect(
            Diagnostic.Code(of: Sample.gone("x")) == "gone" && Diagnostic.Code(of: Foreign()) == "internal")
    }
}
