import Glibc

/// Whole reads and writes on descriptors that block.
public enum Descriptor {
    /// nil when fewer bytes come.
    public static func read(_ descriptor: Int32, count: Int) -> [UInt8]? {
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

    /// False when nobody reads any more; `errno` says why.
    public static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { write(descriptor, $0) } }

    /// The same from memory that is nobody's array, such as a secret's own.
    public static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
