import Diagnostics
import Testing

@Suite struct DiagnosticTests {
    private enum Sample: DiagnosticError {
        case gone
        enum Code: String, CaseIterable { case gone }
        var code: Code { .gone }
        var sentence: String { "the sample is gone" }
        static var examples: [Sample] { [.gone] }
    }

    @Test func `an error gives its own code and sentence, the program the hint and the exit`() {
        let told = Diagnostic(Sample.gone, hint: "look again", exit: .refused)
        #expect(told == Diagnostic("gone", "the sample is gone", hint: "look again", exit: .refused))
    }
}
