import CV4L2
import Glibc
import Sandbox

/// A camera as the kernel shows it: requests with their structures, its buffers in memory, and plain reads.
/// Nothing is checked here; ``Camera`` trusts no answer.
public protocol CaptureDevice: AnyObject {
    /// Readable when a picture may be there.
    var descriptor: Int32 { get }
    /// One request.
    /// - `argument`: the kernel's structure for it, which the answer overwrites.
    /// - Returns: 0, or the `errno` of the refusal.
    func ask<Argument>(_ request: CameraRequest, _ argument: inout Argument) -> Int32
    /// Buffer memory of the driver; nil with `errno` when there is none.
    func map(length: Int, offset: UInt32) -> UnsafeRawBufferPointer?
    func unmap(_ memory: UnsafeRawBufferPointer)
    /// As `read(2)`: the count, or -1 with `errno`.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
}
