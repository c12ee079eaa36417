import ScannerClient

/// The video devices of this machine.
package enum Cameras {
    /// Listed when it is first asked for, which ``Command/access()`` does: after the lock-down the directory of devices cannot be read.
    package static let devices = CameraPaths.all()
}
