import AirGap
import Diagnostics

/// Why a ceremony ends without an act.
public enum CeremonyError: Error, Equatable, Sendable {
    /// The person said no.
    case declined
    /// What was read under the seal is not what was shown.
    case changedSinceShown
    case approveNeedsPolicy
    case approveNeedsDevelopmentVault
    /// So many keys would be on more than one network, and nobody typed the word for that.
    case keyOnTwoNetworks(Int)
    case wordNeedsDevelopmentVault
    /// The network detector sees a connection.
    case online([ShieldReport.Finding])
    /// No vault is made on a device that is online.
    case onlineAtStart([ShieldReport.Finding])
    /// The device was online, and nobody has acknowledged it.
    case unacknowledged
    /// Every slot of the vault needs a key file, and none is given.
    case keyFileNeeded
    /// There is no policy to remove.
    case noPolicy
}

extension CeremonyError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case refused
        case changedSinceShown = "changed-since-shown"
        case approveNeedsPolicy = "approve-needs-policy"
        case approveNeedsDevelopmentVault = "approve-needs-development-vault"
        case keyReuse = "key-reuse"
        case wordNeedsDevelopmentVault = "word-needs-development-vault"
        case deviceOnline = "device-online"
        case onlineUnacknowledged = "online-unacknowledged"
        case keyFileNeeded = "key-file-needed"
        case noPolicy = "no-policy"
    }

    public var code: Code {
        switch self {
        case .declined: .refused
        case .changedSinceShown: .changedSinceShown
        case .approveNeedsPolicy: .approveNeedsPolicy
        case .approveNeedsDevelopmentVault: .approveNeedsDevelopmentVault
        case .keyOnTwoNetworks: .keyReuse
        case .wordNeedsDevelopmentVault: .wordNeedsDevelopmentVault
        case .online, .onlineAtStart: .deviceOnline
        case .unacknowledged: .onlineUnacknowledged
        case .keyFileNeeded: .keyFileNeeded
        case .noPolicy: .noPolicy
        }
    }

    public var sentence: String {
        switch self {
        case .declined: "you said no, so nothing was done"
        case .changedSinceShown: "the vault changed after this was shown, so nothing was done"
        case .approveNeedsPolicy: "--approve is only for a development vault, or for what a rule of the policy approves"
        case .approveNeedsDevelopmentVault: "--approve is only for a development vault"
        case .keyOnTwoNetworks(let count):
            "\(count) \(count == 1 ? "key" : "keys") would be on more than one network, and \"reuse key\" was not typed"
        case .wordNeedsDevelopmentVault: "--word is only for a development vault"
        case .online(let findings): "this device is online (\(ShieldReport.text(findings))), so no secret is touched"
        case .onlineAtStart(let findings): "this device is online (\(ShieldReport.text(findings))), so no vault is made here"
        case .unacknowledged: "this device was online since the last acknowledgement"
        case .keyFileNeeded: "this vault needs its key file"
        case .noPolicy: "no policy is set"
        }
    }

    public static var examples: [CeremonyError] {
        let findings: [ShieldReport.Finding] = [.interfaceUp("wlan0")]
        return [
            .declined, .changedSinceShown, .approveNeedsPolicy, .approveNeedsDevelopmentVault, .keyOnTwoNetworks(2),
            .wordNeedsDevelopmentVault,
            .online(findings), .onlineAtStart(findings), .unacknowledged, .keyFileNeeded, .noPolicy,
        ]
    }
}
