import Diagnostics
import Testing

@Suite struct EditDistanceLaws {
    @Test(arguments: [
        ("list", "list", 0), ("lst", "list", 1), ("lsit", "list", 1), ("", "list", 4), ("list", "", 4),
        ("shwo", "show", 1),
        ("abc", "xyz", 3), ("kitten", "sitting", 3), ("remove", "revoke", 2),
    ])
    func `a distance counts insertions, removals, replacements and swaps`(
        one: String, other: String, distance: Int
    ) {
        #expect(EditDistance.between(Array(one.utf8), Array(other.utf8)) == distance)
        #expect(EditDistance.between(Array(other.utf8), Array(one.utf8)) == distance)
    }

    @Test func `the nearest name is the one that was meant, and a distant one is not`() {
        let names = ["list", "show", "remove", "revoke", "restore-defaults"]
        #expect(EditDistance.nearest(to: "lst", among: names) == "list")
        #expect(EditDistance.nearest(to: "remvoe", among: names) == "remove")
        #expect(EditDistance.nearest(to: "restore", among: names) == "restore-defaults")
        #expect(EditDistance.nearest(to: "re", among: names) == nil)
        #expect(EditDistance.nearest(to: "xyzzy", among: names) == nil)
        #expect(EditDistance.nearest(to: "list", among: []) == nil)
    }
}
