import ArgumentParser
import CommandKit
import Lines
import Presentation
import ScannerClient
import TerminalIO

/// `camera list`: devices that take pictures, as their drivers name them. The scanner asks them.
struct CameraList: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the cameras for scan --camera.")

    @OptionGroup var output: OutputOptions

    func access() throws -> Access { Access(scans: true, cameras: Cameras.devices) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let (cameras, problems) = try ScannerClient().cameras(among: Cameras.devices)
        if json {
            return JSONText.print(
                Facts(
                    cameras: cameras.map { Facts.Camera(device: $0.path, name: $0.name) },
                    problems: problems.map { Facts.Problem(device: $0.name, code: $0.problem.code.rawValue) }),
                console)
        }
        for camera in cameras {
            console.print("\(Escape.terminal(camera.path))  \(Escape.ascii(camera.name))")
        }
        for problem in problems { console.note(Wording.problem(problem)) }
        if cameras.isEmpty, problems.isEmpty { console.note("heliograph: no camera was found") }
        if let refused = problems.first(where: { $0.problem == .camera(.notPermitted) }), cameras.isEmpty {
            throw InputRefusal(input: refused.name, problem: refused.problem)
        }
    }

    private struct Facts: Encodable {
        struct Camera: Encodable {
            let device: String
            let name: String
        }

        struct Problem: Encodable {
            let device: String
            let code: String
        }

        let cameras: [Camera]
        let problems: [Problem]
    }
}

struct CameraGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera", abstract: "List the cameras of this machine.", subcommands: [CameraList.self])
}
