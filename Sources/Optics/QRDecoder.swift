import ScanEvents

/// Finds QR codes in grey pictures.
public final class QRDecoder {
    private let choice: DecoderChoice
    private let zbar: ZBarReader

    /// Nil when memory is short.
    public init?(_ choice: DecoderChoice) {
        guard let zbar = ZBarReader() else { return nil }
        self.choice = choice
        self.zbar = zbar
    }

    /// All codes of the picture, each once.
    /// - Parameter budget: no further try is started after this time.
    public func read(_ image: GrayImage, budget: Duration) -> [QRReading] {
        switch choice {
        case .zbar: return zbar.read(image)
        case .zxing: return ZXingReader.read(image, .localAverage)
        case .auto:
            let readings = ZXingReader.read(image, .localAverage)
            return readings.isEmpty ? zbar.read(image) : readings
        }
    }
}
