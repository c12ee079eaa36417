/// Symbols behind one another in one piece of memory, each row padded with zeros to a multiple of the vector width.
///
/// Whoever makes a matrix fills it; once it is shared it is only read.
final class SymbolMatrix: @unchecked Sendable {
    /// Bytes to which rows are padded and aligned, so that row operations have no tails.
    static let alignment = 32

    let base: UnsafeMutablePointer<UInt8>
    let rowCount: Int
    /// Bytes from row to row.
    let stride: Int

    static func stride(symbolLength: Int) -> Int { (symbolLength + alignment - 1) / alignment * alignment }

    /// Rows of zeros.
    init(rowCount: Int, stride: Int) {
        self.rowCount = rowCount
        self.stride = stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(rowCount * stride, 1), alignment: 64)
        base = memory.initializeMemory(as: UInt8.self, repeating: 0, count: rowCount * stride)
    }

    deinit { base.deallocate() }

    @inline(__always)
    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        assert(index >= 0 && index < rowCount, "row outside the matrix")
        return base + index * stride
    }
}
