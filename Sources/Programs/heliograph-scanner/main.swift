import CArguments
import Diagnostics
import Glibc
import Sandbox
import ScanProtocol
import SystemIO

/// Exit codes of the command-line contract.
enum ExitCode {
    static let done: Int32 = 0
    static let usage: Int32 = 64
    static let badInput: Int32 = 65
    static let inputOutput: Int32 = 74
    static let notPermitted: Int32 = 77
    static let interrupted: Int32 = 130
}

/// The devices are opened one by one, so this program stays able to open them, and does nothing else.
func listCameras(_ arguments: Arguments, _ output: Output) throws(SandboxError) -> Int32 {
    _ = try Sandbox.lockDown(.init(camera: .openedLater(arguments.inputs)))
    Sandbox.ignoreBrokenPipes()
    return CameraList.print(arguments.inputs, to: output) || output.writeError == EPIPE
        ? ExitCode.done : ExitCode.inputOutput
}

/// What the sandbox leaves of a camera: its requests on its descriptor.
func use(_ opened: CameraSource.Opened?) -> Sandbox.CameraUse? {
    switch opened {
    case .device(let device)?: .open(device.descriptor)
    case .none(_, _)?, nil: nil
    }
}

func runScanner() -> Int32 {
    let words = (0..<heliograph_argument_count()).map { String(cString: heliograph_argument($0)) }
    if words.count == 2, words[1].utf8.elementsEqual("--version".utf8) {
        _ = Descriptor.write(STDOUT_FILENO, Array((Release.text("heliograph-scanner", []) + "\n").utf8))
        return ExitCode.done
    }
    if words.count == 2, words[1].utf8.elementsEqual("--help".utf8) || words[1].utf8.elementsEqual("-h".utf8)
    {
        _ = Descriptor.write(STDOUT_FILENO, Array((Wording.usage + "\n").utf8))
        return ExitCode.done
    }
    let arguments: Arguments
    do throws(Arguments.Misuse) {
        arguments = try Arguments(words.dropFirst())
    } catch {
        Progress(isQuiet: false).say(Wording.usage)
        return ExitCode.usage
    }
    let progress = Progress(isQuiet: arguments.form == .events)
    let output = Output(form: arguments.form, each: arguments.each, progress: progress)
    func fail(step: String, errno: Int32) -> Int32 {
        if arguments.expands {
            _ = Descriptor.write(
                STDOUT_FILENO, ExpansionReply.sandboxFailed(step: step, errno: errno).encoded)
            return ExitCode.notPermitted
        }
        output.sandboxFailed(step: step, errno: errno)
        if arguments.form != .events {
            progress.say(Wording.error(ScannerFailure.sandbox(step: step, errno: errno)))
        }
        return ExitCode.notPermitted
    }
    let opened: CameraSource.Opened?
    do throws(SandboxError) {
        Sandbox.leaveTerminal()
        WorkLimit.useWholeMemory()
        if arguments.listsCameras { return try listCameras(arguments, output) }
        opened = CameraSource.open(arguments.cameras)
        _ = try Sandbox.lockDown(
            .init(
                readable: arguments.inputs.filter { $0 != "-" } + arguments.watched, forks: true,
                camera: use(opened)))
    } catch {
        return fail(step: error.step.rawValue, errno: error.errno)
    }
    Sandbox.ignoreBrokenPipes()
    signal(SIGINT) { _ in _exit(ExitCode.interrupted) }
    if arguments.expands { return Expander.run() }
    Sandbox.keepFreedMemory()
    let camera = opened.map { CameraSource($0, forNoise: arguments.raw != nil) }
    if let description = camera?.description, !output.camera(description) { return ExitCode.done }
    if let count = arguments.raw, let camera {
        let isRead = RawFrames.send(count, of: camera, to: output)
        return isRead || output.writeError == EPIPE ? ExitCode.done : ExitCode.inputOutput
    }
    let feeder = InputFeeder(
        inputs: arguments.inputs,
        watch: arguments.watched.isEmpty
            ? nil
            : FolderWatch(
                arguments.watched, skipsPresent: arguments.skipsPresent, skipsAnswers: arguments.each),
        camera: camera, patience: arguments.patience)
    do throws(Broker.Failure) {
        try Broker(
            feeder: feeder, choice: arguments.decoder, each: arguments.each, output: output,
            previews: arguments.previews
        ).run()
    } catch {
        switch error {
        case .readerGone:
            guard output.writeError != 0, output.writeError != EPIPE else { return ExitCode.done }
            progress.say(Wording.error(ScannerFailure.cannotWrite(errno: output.writeError)))
            return ExitCode.inputOutput
        case .sandbox(let step, let errno): return fail(step: step, errno: errno)
        }
    }
    if output.codes == 0, arguments.form != .events {
        progress.say(Wording.error(ScannerFailure.noCodes))
        return output.unopened > 0 && output.unopened == output.pictures
            ? ExitCode.inputOutput : ExitCode.badInput
    }
    return ExitCode.done
}

exit(runScanner())
