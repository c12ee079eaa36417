import Glibc
import Sandbox

/// The lock-down of a process that has threads of the test library. The programs have none at that time.
///
/// A thread that starts registers itself with the kernel (`rseq`), the sandbox refuses that as it refuses
/// threads, and glibc then ends the process with SIGABRT. So all other threads must have started and sleep.
func lockedDown(_ rules: Sandbox.Rules) throws(SandboxError) -> Sandbox.Report {
    var quiet = 0
    for _ in 0..<400 where quiet < 3 {
        usleep(5000)
        quiet = isAloneAwake() ? quiet + 1 : 0
    }
    return try Sandbox.lockDown(rules)
}

/// By the state that the kernel tells behind each thread's name: `S` for one that sleeps.
private func isAloneAwake() -> Bool {
    guard let folder = opendir("/proc/self/task") else { return false }
    defer { closedir(folder) }
    var awake = 0
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard Int32(name) != nil else { continue }
        guard let file = fopen("/proc/self/task/\(name)/stat", "r") else { continue }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = fread(&bytes, 1, 512, file)
        let line = bytes.prefix(count)
        let end = line.lastIndex(of: UInt8(ascii: ")")) ?? 0
        if end + 2 >= line.endIndex || line[end + 2] != UInt8(ascii: "S") { awake += 1 }
    }
    return awake == 1
}
