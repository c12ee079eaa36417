import ArgumentParser

struct CameraGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera", abstract: "List the cameras of this machine.", subcommands: [CameraList.self])
}
