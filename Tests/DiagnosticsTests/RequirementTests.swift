import Glibc
import Testing

@testable import TestSupport

/// What a machine lacks must not pass for a test.
@Suite struct RequirementLaws {
    @Test func whatIsHereIsNeverSkipped() throws {
        #expect(try Requirement.isMet(true, "nothing"))
    }

    @Test func whereSkippingIsForbiddenTheTestFails() throws {
        let failure = #expect(throws: Requirement.self) { try Requirement.skip("Landlock", isAllowed: false) }
        #expect(failure?.description == "missing: Landlock")
    }

    @Test func inCIAMissingThingFails() async {
        await #expect(processExitsWith: .exitCode(3)) {
            setenv("HELIOGRAPH_STRICT", "1", 1)
            do { _ = try Requirement.isMet(false, "root") } catch { exit(3) }
            exit(0)
        }
    }

    @Test func elsewhereItIsSkippedAndCounted() async {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent]) {
            unsetenv("HELIOGRAPH_STRICT")
            if try Requirement.isMet(false, "a browser") { exit(1) }
            exit(0)
        }
        let printed = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(printed.contains("skipped" + ": a browser\n"))
    }

    @Test func sharedDataThatIsNamedIsRequired() async {
        await #expect(processExitsWith: .exitCode(3)) {
            setenv("HELIOGRAPH_SHARED_DATA", "/nowhere", 1)
            do { _ = try SharedData.path("qr") } catch { exit(3) }
            exit(0)
        }
    }
}
