import CPNG
import CQREncode
import Diagnostics

extension QRCode {
    /// The libraries that draw QR codes and write PNG files.
    public static var libraries: [Release.Library] {
        [
            Release.Library("libqrencode", String(cString: QRcode_APIVersionString())),
            Release.Library("libpng", String(cString: png_get_libpng_ver(nil))),
        ]
    }
}
