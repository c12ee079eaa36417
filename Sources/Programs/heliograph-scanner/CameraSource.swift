import Camera
import Glibc
import ScanProtocol

/// The camera of a command line: opened before the sandbox closes, asked for its format after that.
enum CameraSource {
    case camera(Camera, path: String)
    case none(path: String, CameraProblem)

    /// A device that is open, and nothing else of it is known.
    enum Opened {
        case device(VideoDevice)
        case none(path: String, CameraProblem)
    }

    /// Opens the first of `paths` that takes pictures. If none does, this reports the problem of the first,
    /// because that is usually the camera.
    static func open(_ paths: [String]) -> Opened? {
        var problem: (String, CameraProblem)?
        for path in paths {
            do throws(CameraProblem) {
                let device = try VideoDevice(path: path)
                guard try CameraCapability(device).takesPictures else { throw .takesNoPictures }
                return .device(device)
            } catch {
                if problem == nil { problem = (path, error) }
            }
        }
        return problem.map { .none(path: $0, $1) }
    }

    /// Agrees on a format.
    /// - Parameter forNoise: whether its pictures are wanted for the noise in them.
    init(_ opened: Opened, forNoise: Bool = false) {
        switch opened {
        case .device(let device):
            do throws(CameraProblem) {
                self = .camera(try Camera(device, forNoise: forNoise), path: device.path)
            } catch {
                self = .none(path: device.path, error)
            }
        case .none(let path, let problem): self = .none(path: path, problem)
        }
    }

    var description: CameraDescription? {
        switch self {
        case .camera(let camera, let path):
            CameraDescription(path: path, name: camera.name, format: camera.format)
        case .none: nil
        }
    }
}

/// Says which devices take pictures, and opens each for that alone.
enum CameraList {
    /// False when nobody reads the list.
    static func print(_ paths: [String], to output: Output) -> Bool {
        for path in paths {
            do throws(CameraProblem) {
                let capability = try CameraCapability(VideoDevice(path: path))
                guard capability.takesPictures else { continue }
                guard output.entry(CameraDescription(path: path, name: capability.name)) else { return false }
            } catch {
                guard output.picture(path, frame: nil, .problem(.camera(error))) else { return false }
            }
        }
        return output.finish()
    }
}
