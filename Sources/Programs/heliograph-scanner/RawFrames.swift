import Camera
import Glibc
import ScanProtocol
import SystemIO

/// Hands on a camera's pictures as the driver gave them, for the program that makes a seed of their noise.
/// Nothing looks into them here.
enum RawFrames {
    /// Seconds without a picture before the camera is given up, and milliseconds until one that gave none is
    /// looked at again: as ``CameraReader`` has them.
    private static let rest = 10

    /// False when nobody reads them.
    static func send(_ count: Int, of source: CameraSource, to output: Output) -> Bool {
        switch source {
        case .none(let path, let problem):
            return output.picture(path, frame: nil, .problem(.camera(problem))) && output.finish()
        case .camera(let camera, let path):
            do throws(CameraProblem) {
                try camera.start()
                defer { camera.stop() }
                for _ in 0..<count {
                    guard output.raw(try next(camera)) else { return false }
                }
            } catch {
                guard output.picture(path, frame: nil, .problem(.camera(error))) else { return false }
            }
            return output.finish()
        }
    }

    private static func next(_ camera: Camera) throws(CameraProblem) -> [UInt8] {
        let end = Clock.now + CameraReader.patience
        while true {
            let left = Int((end - Clock.now) * 1000)
            var polled = [pollfd(fd: camera.descriptor, events: Int16(POLLIN), revents: 0)]
            guard left > 0, Descriptor.poll(&polled, milliseconds: left) > 0 else {
                throw .silent(seconds: UInt32(CameraReader.patience))
            }
            switch try camera.next(leading: 0) {
            case .picture(let picture): return picture
            case .nothing: usleep(UInt32(rest * 1000))
            }
        }
    }
}
