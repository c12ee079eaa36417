import Glibc
import Sandbox
import TestSupport
import Testing

/// The numbers that the sandbox lets through are the kernel header's.
@Suite struct RequestTests {
    @Test func theRequestsAreThoseOfTheKernelsHeader() throws {
        // Written once more, from the kernel's document: direction, size, 'V', number. The sizes are those of
        // a 64-bit machine.
        let documented: [(CameraRequest, direction: UInt32, size: UInt32, number: UInt32)] = [
            (.queryCapability, 2, 104, 0), (.enumerateFormats, 3, 64, 2), (.setFormat, 3, 208, 5),
            (.requestBuffers, 3, 20, 8),
            (.queryBuffer, 3, 88, 9), (.queueBuffer, 3, 88, 15), (.dequeueBuffer, 3, 88, 17),
            (.streamOn, 1, 4, 18), (.streamOff, 1, 4, 19),
            (.enumerateFrameSizes, 3, 44, 74),
        ]
        #expect(documented.count == CameraRequest.allCases.count)
        for (request, direction, size, number) in documented {
            #expect(
                request.number == direction << 30 | size << 16 | UInt32(UInt8(ascii: "V")) << 8 | number,
                "\(request)")
        }
    }
}
