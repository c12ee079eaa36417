import ScanEvents

/// Finds QR codes in grey pictures: a ladder of tries from cheap to dear, with both readers.
///
/// A wrong reading is practically excluded whatever the try: the code's own error correction has to hold.
public final class QRDecoder {
    /// What one try does. Which earn their place is measured by `tools/bench-optics --rungs`.
    public enum Rung: Int, CaseIterable, Sendable {
        /// Clean pictures: black is below 127.
        case zxingFixed
        /// Most photos.
        case zxing
        /// Modules of many pixels, out of focus.
        case zxingDownscaled
        /// Low contrast.
        case zxingGlobal
        /// Small or tilted modules, noise.
        case zxingDoubled
        /// Some blur.
        case zxingSharpened
        /// Rotation, shadows, inverted codes.
        case zbar
        /// Much noise.
        case zxingSmoothed
        /// Blur on tilted small modules.
        case zxingDoubledSharpened
        /// Tilt in two directions, or much of it: eight corrections of perspective in turn.
        case zxingKeystone
        /// Much blur.
        case zxingDeblurred
        /// Tilt and blur.
        case zxingKeystoneSharpened

        /// The cheap steps look at the whole picture, the others only where there is something to see.
        static let onWhole = allCases.filter { $0.rawValue <= zxingGlobal.rawValue }
        static let onParts = allCases.filter { $0.rawValue > zxingGlobal.rawValue }
    }

    /// Pictures with more pixels are not doubled: their modules are wide enough.
    private static let doublingLimit = 5_000_000

    private let choice: DecoderChoice
    private let zbar: ZBarReader
    /// The try that read the previous picture is the best guess for the next one.
    private var lastSuccess = Rung.zxingFixed

    /// Nil when memory is short.
    public init?(_ choice: DecoderChoice) {
        guard let zbar = ZBarReader() else { return nil }
        self.choice = choice
        self.zbar = zbar
    }

    /// All codes of the picture that the first successful try finds, each once.
    /// - Parameter budget: no further try is started after this time.
    public func read(_ image: GrayImage, budget: Duration) -> [QRReading] {
        switch choice {
        case .zbar: return zbar.read(image)
        case .zxing: return ZXingReader.read(image, .localAverage, tryDownscale: true)
        case .auto: return climb(image, budget: budget)
        }
    }

    /// What one rung alone reads, for measurements.
    public func read(_ image: GrayImage, only rung: Rung) -> [QRReading] {
        let variants = Variants(image)
        return attempt(rung, variants)
    }

    private func keystone(_ image: GrayImage, by step: Float, doubling: Bool) -> [QRReading] {
        for direction in GrayImage.keystoneDirections {
            let view = image.keystoned(x: direction.x * step, y: direction.y * step, factor: doubling ? 2 : 1)
            let readings = ZXingReader.read(view, .localAverage)
            if !readings.isEmpty { return readings }
        }
        return []
    }

    private func climb(_ image: GrayImage, budget: Duration) -> [QRReading] {
        let clock = ContinuousClock()
        let end = clock.now + budget
        let whole = Variants(image)
        for rung in order(Rung.onWhole) {
            let readings = attempt(rung, whole)
            if !readings.isEmpty {
                lastSuccess = rung
                return rung == .zxingFixed ? withOthers(readings, whole) : readings
            }
        }
        for group in image.parts() {
            let readings = group.flatMap { part in
                let variants = Variants(part)
                // Away from its surroundings, or smaller, a code may show itself to a cheap step too.
                let rungs = part.pixels.count == image.pixels.count ? Rung.onParts : Rung.allCases
                for rung in order(rungs) where clock.now < end {
                    let readings = attempt(rung, variants)
                    if readings.isEmpty { continue }
                    lastSuccess = rung
                    return readings
                }
                return []
            }
            if !readings.isEmpty { return readings }
        }
        return []
    }

    /// `rungs` with the one that read the previous picture first.
    private func order(_ rungs: [Rung]) -> [Rung] {
        rungs.contains(lastSuccess) ? [lastSuccess] + rungs.filter { $0 != lastSuccess } : rungs
    }

    /// One threshold for the whole picture may miss a second code in other light: where there is more to see than `readings`,
    /// the local threshold looks too.
    private func withOthers(_ readings: [QRReading], _ variants: Variants) -> [QRReading] {
        guard variants.original.isBusy(outside: readings.map(\.bounds)) else { return readings }
        let others = attempt(.zxing, variants)
        if !others.isEmpty { lastSuccess = .zxing }
        return readings + others.filter { other in !readings.contains { $0.bytes == other.bytes } }
    }

    private func attempt(_ rung: Rung, _ variants: Variants) -> [QRReading] {
        let readings =
            switch rung {
            case .zxingFixed: ZXingReader.read(variants.original, .fixedThreshold, tryHarder: false)
            case .zxing: ZXingReader.read(variants.original, .localAverage)
            case .zxingDownscaled: ZXingReader.read(variants.original, .localAverage, tryDownscale: true)
            case .zxingGlobal: ZXingReader.read(variants.original, .globalHistogram)
            case .zxingDoubled: variants.doubled.map { ZXingReader.read($0, .localAverage) }
            case .zbar: zbar.read(variants.original)
            case .zxingSmoothed: ZXingReader.read(variants.original.smoothed(), .localAverage)
            case .zxingSharpened: ZXingReader.read(variants.enlarged(variants.sharpened), .localAverage)
            case .zxingDeblurred: ZXingReader.read(variants.enlarged(variants.original.deblurred(rounds: 8)), .localAverage)
            case .zxingKeystone: keystone(variants.original, by: 0.15, doubling: variants.mayDouble)
            case .zxingKeystoneSharpened: keystone(variants.sharpened, by: 0.3, doubling: variants.mayDouble)
            case .zxingDoubledSharpened: variants.doubledSharpened.map { ZXingReader.read($0, .localAverage) }
            }
        return readings ?? []
    }

    /// The picture's derivatives, made when a try wants one and shared by the tries after it.
    private final class Variants {
        let original: GrayImage
        let mayDouble: Bool
        private(set) lazy var sharpened: GrayImage = original.sharpened(gain: 2)
        private(set) lazy var doubled: GrayImage? = mayDouble ? original.doubled() : nil
        private(set) lazy var doubledSharpened: GrayImage? = doubled?.sharpened(gain: 2)

        init(_ original: GrayImage) {
            self.original = original
            mayDouble = original.pixels.count <= QRDecoder.doublingLimit
        }

        func enlarged(_ image: GrayImage) -> GrayImage { mayDouble ? image.doubled() : image }
    }
}
