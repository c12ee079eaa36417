import Glibc
import ScanProtocol

/// Finds QR codes in grey pictures: attempts from cheap to expensive, with both readers.
///
/// No attempt can produce a wrong reading in practice: the code's own error correction must succeed.
public final class QRDecoder {
    /// What one attempt does.
    public enum Rung: Int, CaseIterable, Sendable {
        /// A generated code that fills the picture: its modules are read off where they must be.
        case zxingPure
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

        /// The cheap attempts read the whole picture, the others only areas with many edges.
        static let onWhole = allCases.filter { $0.rawValue <= zxingGlobal.rawValue }
        static let onParts = allCases.filter { $0.rawValue > zxingGlobal.rawValue }
        /// Cut out or reduced, a code may be found by a cheap attempt, too; the ground around it is not light
        /// on all sides then.
        static let onCutouts = allCases.filter { $0 != zxingPure }
    }

    /// Pictures with more pixels are not doubled: their modules are wide enough.
    private static let doublingLimit = 5_000_000

    /// Pictures with more pixels are read at a smaller size first: a phone's photo has more of them than a
    /// code needs.
    private static let overviewLimit = 2_500_000

    private let choice: DecoderChoice
    private let zbar: ZBarReader
    /// The attempt that read the previous picture is the best guess for the next one.
    private var lastSuccess = Rung.zxingPure
    /// The first attempt for which the previous picture left no time. The next picture starts there: pictures
    /// of one camera are alike, and on a slow machine an attempt that all of them need must get its turn.
    private var firstUntried: Rung?

    /// Nil when memory is short.
    public init?(_ choice: DecoderChoice) {
        guard let zbar = ZBarReader() else { return nil }
        self.choice = choice
        self.zbar = zbar
    }

    /// The codes that the first successful attempt finds in the picture, and those beside them, each once.
    /// - `budget`: processor time after which no further expensive attempt starts; the first two always do.
    ///   Time on the clock would make a busy machine read fewer codes.
    public func read(_ image: GrayImage, budget: Duration) -> [QRReading] {
        switch choice {
        case .zbar: return zbar.read(image)
        case .zxing: return ZXingReader.read(image, .localAverage, tryDownscale: true)
        case .auto: return climb(image, budget: budget)
        }
    }

    /// What one attempt alone reads, for measurements.
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
        let end = Self.processorTime + budget
        let (overview, factor) = overview(of: image)
        for (view, factor) in factor > 1 ? [(overview, factor), (image, 1)] : [(image, 1)] {
            let readings = readWhole(view)
            if !readings.isEmpty { return readings + others(in: image, than: readings, factor) }
        }
        var course = Course(end: end)
        defer { firstUntried = course.untried }
        let parts = image.parts()
        for group in parts.inOrder {
            let readings = group.flatMap { part in
                let rungs = part.pixels.count == image.pixels.count ? Rung.onParts : Rung.onCutouts
                return readPart(part, order(rungs), &course)
            }
            if !readings.isEmpty {
                return readings + (parts.isCutShort ? ofMany(in: image, than: readings, at: []) : [])
            }
        }
        return []
    }

    private func readPart(_ part: GrayImage, _ rungs: [Rung], _ course: inout Course) -> [QRReading] {
        let variants = Variants(part)
        for rung in rungs {
            guard course.tries < Course.minimumTries || Self.processorTime < course.end else {
                course.untried = course.untried ?? rung
                return []
            }
            course.tries += 1
            let readings = attempt(rung, variants)
            if readings.isEmpty { continue }
            lastSuccess = rung
            return readings
        }
        return []
    }

    /// The progress of attempts on a picture's parts.
    private struct Course {
        /// Attempts that every picture gets: the one that read the previous picture, and the first that had
        /// no time.
        static let minimumTries = 2

        let end: Duration
        var tries = 0
        /// The first for which there was no time.
        var untried: Rung?
    }

    /// The processor time that this thread has used.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private func readWhole(_ image: GrayImage) -> [QRReading] {
        let whole = Variants(image)
        for rung in order(Rung.onWhole) {
            let readings = attempt(rung, whole)
            if readings.isEmpty { continue }
            lastSuccess = rung
            return readings
        }
        return []
    }

    /// Codes beside those that an attempt on the whole picture found: it may miss one in other light or of
    /// another size.
    /// - Parameter factor: by how much the picture of `readings` is smaller than `image`.
    private func others(in image: GrayImage, than readings: [QRReading], _ factor: Int) -> [QRReading] {
        var known = Set(readings.map(\.bytes))
        let areas = readings.map { $0.bounds.scaled(by: factor) }
        if areas.count == 1, image.isUniform(outside: areas[0]) { return [] }
        let parts = image.parts(outside: areas)
        var isUnread = false
        var found = (parts.small.filter(CodeParts.mayBeSmall) + parts.large).flatMap { part in
            let here = attempt(.zxing, Variants(part))
            isUnread = isUnread || here.isEmpty
            return here.filter { known.insert($0.bytes).inserted }
        }
        if isUnread || parts.isCutShort { found += ofMany(in: image, than: readings + found, at: areas) }
        return found
    }

    /// Codes beside `readings` where the picture shows some: zxing-cpp 1.4 fails with the finder patterns of
    /// many codes, libzbar does not, but is slow with everything else in the picture.
    /// - Parameter areas: the areas of the first reading; the areas of the others are unknown.
    private func ofMany(in image: GrayImage, than readings: [QRReading], at areas: [PixelRectangle])
        -> [QRReading]
    {
        let (view, factor) = overview(of: image)
        let needed = FinderPatterns.ofOneCode * (1 + readings.count - areas.count)
        guard
            FinderPatterns.areShown(in: view, outside: areas.map { $0.divided(by: factor) }, atLeast: needed)
        else { return [] }
        var known = Set(readings.map(\.bytes))
        return attempt(.zbar, Variants(view)).filter { known.insert($0.bytes).inserted }
    }

    /// The picture at the first half, quarter … of its size that is quickly read.
    private func overview(of image: GrayImage) -> (image: GrayImage, factor: Int) {
        var overview = image
        var factor = 1
        while overview.pixels.count > Self.overviewLimit {
            overview = overview.halved()
            factor *= 2
        }
        return (overview, factor)
    }

    /// `rungs` with the one that read the previous picture first, then from the first one on for which there
    /// was no time.
    private func order(_ rungs: [Rung]) -> [Rung] {
        let start = firstUntried.flatMap(rungs.firstIndex) ?? 0
        let turned = rungs[start...] + rungs[..<start]
        return turned.filter { $0 == lastSuccess } + turned.filter { $0 != lastSuccess }
    }

    private func attempt(_ rung: Rung, _ variants: Variants) -> [QRReading] {
        let readings =
            switch rung {
            case .zxingPure: GeneratedCode(variants.original).map(ZXingReader.read)
            case .zxingFixed: ZXingReader.read(variants.original, .fixedThreshold, tryHarder: false)
            case .zxing: ZXingReader.read(variants.original, .localAverage)
            case .zxingDownscaled: ZXingReader.read(variants.original, .localAverage, tryDownscale: true)
            case .zxingGlobal: ZXingReader.read(variants.original, .globalHistogram)
            case .zxingDoubled: variants.doubled.map { ZXingReader.read($0, .localAverage) }
            case .zbar: zbar.read(variants.original)
            case .zxingSmoothed: ZXingReader.read(variants.original.smoothed(), .localAverage)
            case .zxingSharpened: ZXingReader.read(variants.enlarged(variants.sharpened), .localAverage)
            case .zxingDeblurred:
                ZXingReader.read(variants.enlarged(variants.original.deblurred(rounds: 8)), .localAverage)
            case .zxingKeystone: keystone(variants.original, by: 0.15, doubling: variants.mayDouble)
            case .zxingKeystoneSharpened: keystone(variants.sharpened, by: 0.3, doubling: variants.mayDouble)
            case .zxingDoubledSharpened: variants.doubledSharpened.map { ZXingReader.read($0, .localAverage) }
            }
        return readings ?? []
    }

    /// Pictures made from the picture, each when an attempt first needs it, and shared by later attempts.
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
