import Glibc
import SystemIO
import Testing

@Suite struct DescriptorTests {
    @Test func `bytes written whole are read whole, and fewer are nil`() {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        #expect(Descriptor.write(ends[1], [1, 2, 3, 4, 5]))
        close(ends[1])
        #expect(Descriptor.read(ends[0], count: 3) == [1, 2, 3])
        #expect(Descriptor.read(ends[0], count: 3) == nil)
        close(ends[0])
    }
}
