import Glibc

/// Makes a system call, and makes it again for as long as a signal interrupts it.
///
/// This is the only code that handles `EINTR`. Not for `close(2)`: on Linux the descriptor is closed even
/// then, and its number may already be another file's.
/// - Returns: what the call returned; at -1, `errno` says why.
@discardableResult
public func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
