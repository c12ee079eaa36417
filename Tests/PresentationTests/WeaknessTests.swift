import Sandbox
import Testing

@testable import Presentation
@testable import TerminalIO

@Suite struct WeaknessLaws {
    static let heading = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"

    private func found(
        user: UInt32 = 1000, swaps: String? = heading, landlock: Sandbox.Landlock = .enforced(abi: 2)
    ) -> [Weakness] {
        Weakness.all(user: user, swaps: swaps, landlock: landlock)
    }

    @Test func anOrdinaryUserWithoutSwapIsToldNothing() { #expect(found() == []) }

    @Test func rootIsTold() { #expect(found(user: 0) == [.root]) }

    @Test func everySwapDeviceIsNamed() {
        let lines =
            "/dev/sda2                               partition\t8388604\t\t0\t\t-2\n/swap\\040file file 1 0 -3\n"
        #expect(found(swaps: Self.heading + lines) == [.swap(["/dev/sda2", "/swap\\040file"])])
    }

    @Test func whatCannotBeReadIsTold() { #expect(found(swaps: nil) == [.swapUnknown]) }

    @Test func aKernelWithoutLandlockIsTold() {
        #expect(found(landlock: .unavailable(errno: 38)) == [.noLandlock])
    }

    @Test func everyWeaknessHasItsOwnSentence() {
        let all: [Weakness] = [.root, .swap(["/dev/sda2"]), .swapUnknown, .noLandlock]
        #expect(Set(all.map(Wording.weakness)).count == all.count)
        #expect(Wording.weakness(.swap(["/dev/sda2"])).contains("/dev/sda2"))
    }
}
