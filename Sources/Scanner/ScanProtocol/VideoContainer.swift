/// A kind of video file that is recognised, so that it can be named, and never read: its readers are large.
public enum VideoContainer: UInt8, CaseIterable, Sendable {
    case mp4
    case quickTime
    case matroska
    case avi
    case mpeg
    case flash
    case ogg

    /// First bytes that are enough to recognise each of them.
    public static let prefixLength = 12

    public var name: String {
        switch self {
        case .mp4: "MP4"
        case .quickTime: "QuickTime"
        case .matroska: "WebM or Matroska"
        case .avi: "AVI"
        case .mpeg: "MPEG"
        case .flash: "Flash"
        case .ogg: "Ogg"
        }
    }

    /// Brands of `ftyp` boxes that hold still pictures (HEIF and AVIF).
    private static let stills = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis",
    ]

    /// nil for everything else, pictures in the same container included.
    public init?(prefix: some Collection<UInt8>) {
        let bytes = Array(prefix.prefix(Self.prefixLength))
        func has(_ text: String, at index: Int = 0) -> Bool { bytes.dropFirst(index).starts(with: text.utf8) }
        if has("ftyp", at: 4) {
            guard !Self.stills.contains(where: { has($0, at: 8) }) else { return nil }
            self = has("qt  ", at: 8) ? .quickTime : .mp4
        } else if has("moov", at: 4) || has("mdat", at: 4) {
            self = .quickTime
        } else if bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) {
            self = .matroska
        } else if has("RIFF"), has("AVI ", at: 8) {
            self = .avi
        } else if bytes.starts(with: [0, 0, 1, 0xba]) || bytes.starts(with: [0, 0, 1, 0xb3]) {
            self = .mpeg
        } else if bytes.starts(with: [0x46, 0x4c, 0x56, 1]) {
            self = .flash
        } else if has("OggS") {
            self = .ogg
        } else {
            return nil
        }
    }
}
