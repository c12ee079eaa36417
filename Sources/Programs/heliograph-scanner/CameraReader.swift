import Camera
import ImageDecoding
import ScanProtocol

/// Takes pictures from a camera as they come and keeps the newest until a worker is free.
///
/// A camera does not wait: what nobody takes in time is lost anyway, and an old picture is worth less than a
/// new one.
final class CameraReader {
    /// Seconds without a picture before the camera is given up.
    static let patience = 10.0
    /// Pictures that wait for a worker.
    private static let ahead = 2
    /// Seconds until a camera that said it had a picture and gave none is looked at again.
    private static let rest = 0.01

    var format: CameraFormat { camera.format }
    private let camera: Camera
    private var waiting: [[UInt8]] = []
    private var failure: CameraProblem?
    private var lastPicture = Clock.now
    private var restsUntil = 0.0

    init(_ camera: Camera) throws(CameraProblem) {
        self.camera = camera
        try camera.start()
    }

    deinit { camera.stop() }

    /// Readable when ``take()`` is worth a try; nil while the camera rests, or is over.
    var descriptor: Int32? { failure == nil && Clock.now >= restsUntil ? camera.descriptor : nil }

    var wakeTime: Double {
        failure == nil ? min(lastPicture + Self.patience, restsUntil > Clock.now ? restsUntil : .infinity) : 0
    }

    /// Takes the picture that is there. Call it when ``descriptor`` is readable.
    func take() {
        guard failure == nil else { return }
        do throws(CameraProblem) {
            switch try camera.next(leading: CameraPicture.headLength) {
            case .picture(let picture):
                if waiting.count == Self.ahead { waiting.removeFirst() }
                waiting.append(picture)
                lastPicture = Clock.now
            case .nothing: restsUntil = Clock.now + Self.rest
            }
        } catch {
            failure = error
        }
    }

    /// The oldest picture that waits.
    func next() -> [UInt8]? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// Why no picture comes any more.
    var problem: CameraProblem? {
        failure ?? (Clock.now >= lastPicture + Self.patience ? .silent(seconds: UInt32(Self.patience)) : nil)
    }
}
