import Glibc

/// Where the kernel shows cameras.
public enum CameraPaths {
    /// Devices that are looked at, at most.
    static let limit = 64

    /// The video devices in `folder`, by number. Which of them are cameras, only the devices themselves say.
    public static func all(in folder: String = "/dev") -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var numbers: [Int] = []
        while let item = readdir(directory) {
            let name = withUnsafeBytes(of: &item.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix("video"), let number = UInt16(name.dropFirst(5)),
                name.utf8.elementsEqual("video\(number)".utf8)
            else {
                continue
            }
            numbers.append(Int(number))
        }
        return numbers.sorted().prefix(limit).map { "\(folder)/video\($0)" }
    }
}
