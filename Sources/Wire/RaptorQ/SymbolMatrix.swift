/// Symbols one after the other in one piece of memory, each row padded with zeros to a multiple of the vector
/// width.
///
/// Whoever makes a matrix fills it; once it is shared it is only read.
final class SymbolMatrix: @unchecked Sendable {
    /// Bytes to which rows are padded and aligned, so that row operations have no tails.
    static let alignment = 32

    let base: UnsafeMutablePointer<UInt8>
    let rowCount: Int
    /// Bytes from row to row.
    let stride: Int

    /// Makes rows with zero padding. All other bytes are uninitialized, so write them before you read them.
    init(rowCount: Int, symbolLength: Int) {
        self.rowCount = rowCount
        stride = (symbolLength + Self.alignment - 1) / Self.alignment * Self.alignment
        base = UnsafeMutableRawPointer.allocate(byteCount: max(rowCount * stride, 1), alignment: 64)
            .bindMemory(to: UInt8.self, capacity: rowCount * stride)
        let padding = stride - symbolLength
        if padding > 0 {
            for row in 0..<rowCount {
                (base + row * stride + symbolLength).initialize(repeating: 0, count: padding)
            }
        }
    }

    deinit { base.deallocate() }

    @inline(__always)
    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        assert(index >= 0 && index < rowCount, "row outside the matrix")
        return base + index * stride
    }
}
