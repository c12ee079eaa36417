import ScannerClient
import TestSupport
import Testing

@Suite struct CameraPathTests {
    @Test func devicesAreListedByNumber() throws {
        let folder = TemporaryDirectory()
        for name in [
            "video10", "video2", "video", "video-1", "video02", "videos", "vbi0", "video0", "video70000",
            "video+3",
        ] {
            try folder.write([], to: name)
        }
        #expect(
            CameraPaths.all(in: folder.path)
                == ["video0", "video2", "video10"].map { folder.path + "/" + $0 })
        #expect(CameraPaths.all(in: folder.path + "/none").isEmpty)
    }
}
