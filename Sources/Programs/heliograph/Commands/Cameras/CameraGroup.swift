import ArgumentParser

struct CameraGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera", abstract: "The cameras of this machine.", subcommands: [CameraList.self])
}
