import Diagnostics

extension ShieldPolicy.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case deviceOnline = "device-online"
        case nothingToAcknowledge = "nothing-to-acknowledge"
    }

    public var code: Code {
        switch self {
        case .stillOnline: .deviceOnline
        case .nothingToAcknowledge: .nothingToAcknowledge
        }
    }

    public var sentence: String {
        switch self {
        case .stillOnline: "this device is still online"
        case .nothingToAcknowledge: "there is nothing to acknowledge: this device was not online"
        }
    }

    public static var examples: [Self] { [.stillOnline, .nothingToAcknowledge] }
}
