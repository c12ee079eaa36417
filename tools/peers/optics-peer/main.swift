// Measures the decoder's ladder: which step reads which picture, and what it costs.
//
//     optics-peer PICTURE…
//
// Prints a line for each picture: its name, then for each step `name=bytes/milliseconds`, where bytes is the
// length of the first code that this step alone read, 0 for none. `tools/dev bench optics --rungs` adds them
// up.

import Glibc
import Optics

func contents(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        guard count > 0 else { return bytes }
        bytes += buffer[..<count]
    }
}

guard let decoder = QRDecoder(.auto) else { exit(1) }
let clock = ContinuousClock()
for path in CommandLine.arguments.dropFirst() {
    guard var file = try? PictureFile(contents(path)), let image = try? file.image(0) else {
        print(path, "unreadable")
        continue
    }
    var line = path
    for rung in QRDecoder.Rung.allCases {
        var found = 0
        let time = clock.measure { found = decoder.read(image, only: rung).first?.bytes.count ?? 0 }
        let microseconds =
            time.components.attoseconds / 1_000_000_000_000 + time.components.seconds * 1_000_000
        line += " \(rung)=\(found)/\(Double(microseconds / 10) / 100)"
    }
    print(line)
}
