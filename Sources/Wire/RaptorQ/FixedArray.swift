/// Memory of a fixed number of plain elements, owned by this value and freed with it.
///
/// Takes the place of `Array` in the loops of the elimination, where retain counts and uniqueness checks
/// would cost more than the work itself. Indices are checked in debug builds.
struct FixedArray<Element: BitwiseCopyable>: ~Copyable {
    let base: UnsafeMutablePointer<Element>
    let count: Int

    init(repeating value: Element, count: Int) {
        self.base = .allocate(capacity: max(count, 1))
        self.count = count
        base.initialize(repeating: value, count: count)
    }

    deinit { base.deallocate() }

    subscript(index: Int) -> Element {
        @inline(__always) get {
            assert(index >= 0 && index < count, "index outside the array")
            return base[index]
        }
        @inline(__always) nonmutating set {
            assert(index >= 0 && index < count, "index outside the array")
            base[index] = newValue
        }
    }

    /// The element at a 32-bit index: rows and columns are kept as such.
    subscript(index: Int32) -> Element {
        @inline(__always) get { self[Int(truncatingIfNeeded: index)] }
        @inline(__always) nonmutating set { self[Int(truncatingIfNeeded: index)] = newValue }
    }
}
