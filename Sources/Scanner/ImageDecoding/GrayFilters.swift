/// Pictures made from a picture, for the next attempt. All of them treat pixels outside as the nearest one
/// inside.
extension GrayImage {
    /// Half as wide and high: each pixel is the mean of four. An odd last row or column is dropped.
    package func halved() -> GrayImage {
        let columns = max(width / 2, 1)
        let rows = max(height / 2, 1)
        guard width > 1, height > 1 else { return self }
        return GrayImage(width: columns, height: rows) { output in
            pixels.withUnsafeBufferPointer { input in
                for row in 0..<rows {
                    let upper = 2 * row * width
                    let lower = upper + width
                    for column in 0..<columns {
                        let left = 2 * column
                        let sum =
                            UInt16(input[upper + left]) + UInt16(input[upper + left + 1])
                            + UInt16(input[lower + left])
                            + UInt16(input[lower + left + 1])
                        output[row * columns + column] = UInt8((sum + 2) >> 2)
                    }
                }
            }
        }
    }

    /// The picture at twice its width and height, with bilinear interpolation. Small modules (2 pixels) and
    /// tilted ones become wide enough to be sampled.
    package func doubled() -> GrayImage {
        let columns = 2 * width
        return GrayImage(width: columns, height: 2 * height) { output in
            pixels.withUnsafeBufferPointer { input in
                // Vertical blend of two rows in quarters, then the same along the row.
                var blend = [UInt16](repeating: 0, count: width)
                for row in 0..<(2 * height) {
                    let near = row / 2 * width
                    let far = max(0, min(height - 1, row & 1 == 0 ? row / 2 - 1 : row / 2 + 1)) * width
                    let line = row * columns
                    blend.withUnsafeMutableBufferPointer { blend in
                        for column in 0..<width {
                            blend[column] = 3 * UInt16(input[near + column]) + UInt16(input[far + column])
                        }
                        var left = blend[0]
                        for column in 0..<width {
                            let here = blend[column]
                            let right = blend[min(column + 1, width - 1)]
                            output[line + 2 * column] = UInt8(truncatingIfNeeded: (3 * here + left + 8) >> 4)
                            output[line + 2 * column + 1] = UInt8(
                                truncatingIfNeeded: (3 * here + right + 8) >> 4)
                            left = here
                        }
                    }
                }
            }
        }
    }

    /// Smoothed with weights 1, 2, 1 both ways: noise of single pixels fades, edges of modules stay.
    package func smoothed() -> GrayImage {
        GrayImage(width: width, height: height) { output in
            pixels.withUnsafeBufferPointer { input in
                var blend = [UInt16](repeating: 0, count: width)
                for row in 0..<height {
                    let above = max(row - 1, 0) * width
                    let here = row * width
                    let below = min(row + 1, height - 1) * width
                    blend.withUnsafeMutableBufferPointer { blend in
                        for column in 0..<width {
                            blend[column] =
                                UInt16(input[above + column]) + 2 * UInt16(input[here + column])
                                + UInt16(input[below + column])
                        }
                        for column in 0..<width {
                            let sum =
                                blend[max(column - 1, 0)] + 2 * blend[column]
                                + blend[min(column + 1, width - 1)]
                            output[here + column] = UInt8(truncatingIfNeeded: (sum + 8) >> 4)
                        }
                    }
                }
            }
        }
    }
}

extension GrayImage {
    /// A picture whose every pixel `fill` sets.
    init(width: Int, height: Int, fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
            fill(UnsafeMutableBufferPointer(rebasing: buffer[..<(width * height)]))
            count = width * height
        }
        self.init(width: width, height: height, pixels: pixels)
    }
}
