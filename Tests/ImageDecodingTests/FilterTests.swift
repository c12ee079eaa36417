import ImageDecoding
import TestSupport
import Testing

@Suite struct FilterTests {
    private let random: GrayImage = {
        var numbers = SeededGenerator(seed: 4)
        return GrayImage(width: 23, height: 17, pixels: numbers.bytes(23 * 17))
    }()

    private func at(_ image: GrayImage, _ x: Int, _ y: Int) -> Int {
        Int(image.pixels[min(max(y, 0), image.height - 1) * image.width + min(max(x, 0), image.width - 1)])
    }

    @Test func anEvenPictureStaysAsItIs() {
        let even = GrayImage(width: 12, height: 9, pixels: [UInt8](repeating: 99, count: 108))
        #expect(even.smoothed() == even)
        #expect(even.sharpened(gain: 3) == even)
        #expect(even.deblurred(rounds: 3) == even)
        #expect(even.doubled().pixels.allSatisfy { $0 == 99 } && even.doubled().width == 24)
        #expect(even.halved().pixels.allSatisfy { $0 == 99 } && even.halved().height == 4)
    }

    @Test func smoothingWeighsOneTwoOne() {
        let smooth = random.smoothed()
        for y in 0..<random.height {
            for x in 0..<random.width {
                var sum = 8
                for (dy, b) in [(-1, 1), (0, 2), (1, 1)] {
                    for (dx, a) in [(-1, 1), (0, 2), (1, 1)] { sum += a * b * at(random, x + dx, y + dy) }
                }
                #expect(at(smooth, x, y) == sum / 16)
            }
        }
    }

    @Test func doublingIsBilinear() {
        let large = random.doubled()
        for y in 0..<large.height {
            for x in 0..<large.width {
                let (dx, dy) = (x & 1 == 0 ? -1 : 1, y & 1 == 0 ? -1 : 1)
                let (u, v) = (x / 2, y / 2)
                let sum =
                    9 * at(random, u, v) + 3 * at(random, u + dx, v) + 3 * at(random, u, v + dy)
                    + at(random, u + dx, v + dy)
                #expect(at(large, x, y) == (sum + 8) / 16)
            }
        }
    }

    @Test func sharpeningAddsWhatTheLowPassTakesAway() {
        let weights = [1, 2, 3, 4, 5, 4, 3, 2, 1]
        let sharp = random.sharpened(gain: 2)
        for y in 0..<random.height {
            for x in 0..<random.width {
                var sum = 0
                for (j, b) in weights.enumerated() {
                    for (i, a) in weights.enumerated() { sum += a * b * at(random, x + i - 4, y + j - 4) }
                }
                let low = (sum + 312) / 625
                #expect(at(sharp, x, y) == min(max(3 * at(random, x, y) - 2 * low, 0), 255))
            }
        }
    }
}
