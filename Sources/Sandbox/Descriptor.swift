import Glibc

/// Whole reads and writes on descriptors that block.
enum Descriptor {
    /// nil when fewer bytes come.
    static func read(_ descriptor: Int32, count: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let result = Glibc.read(descriptor, buffer.baseAddress! + filled, count - filled)
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { break }
                filled += result
            }
        }
        return bytes.count == count ? bytes : nil
    }

    /// False when nobody reads any more.
    static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }
}
