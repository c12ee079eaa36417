@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Hands the program's words to libFuzzer and runs `test` on the inputs that it makes; 0 is the only answer libFuzzer takes.
public func fuzz(_ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32) {
    let storage = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    storage.initialize(to: CommandLine.argc)
    let arguments = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>.allocate(capacity: 1)
    arguments.initialize(to: CommandLine.unsafeArgv)
    _ = runDriver(storage, arguments, test)
}
