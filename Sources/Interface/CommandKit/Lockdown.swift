import ArgumentParser
import Ceremony
import Glibc
import Lines
import Sandbox
import ScannerClient
import SubstratePrimitives
import Synchronization
import SystemIO
import TerminalIO
import Vault

/// Closes the program in before it opens the first input.
package enum Lockdown {
    /// Closes everything that the command did not name. The report says how far the kernel went.
    package static func close(to access: Access, for command: any Command) throws -> Sandbox.Report {
        try access.requireOutputs()
        let vault = (command as? any VaultCommand)?.vault
        let bound = try vault?.boundHardware()
        if access.usesHardware || bound != nil {
            StartedHardware.start(module: access.tokenModule ?? bound?.module)
        }
        // Opening a vault takes memory of its own.
        let derivesKeys = vault != nil
        try WorkLimit.limitMemory(
            to: derivesKeys ? ReadingLimit.memoryWithDerivation : ReadingLimit.bounds.kernelLimit)
        let scanner = access.scans ? [try ScannerClient().program] : []
        // Nonces of groups wait in memory, in the one folder there that this user owns. Without it everything
        // else works.
        let nonces = access.keepsNonces ? Nonces.prepare() : []
        let rules = Sandbox.Rules(
            readable: access.readable + (access.reviews ? Screen.descriptions : []),
            writable: access.writable + access.results + nonces, emptied: access.emptied,
            devices: access.devices, executable: scanner,
            forks: access.forks, machineState: true,
            camera: access.cameras.isEmpty ? nil : .openedLater(access.cameras))
        return try Sandbox.lockDown(rules)
    }
}

/// What a command may touch.
package struct Access {
    package var readable: [String] = []
    package var writable: [String] = []
    /// Folders below which an empty folder may be removed: what a command made for nothing.
    var emptied: [String] = []
    /// Results that are a picture, or hex if the name ends with `.hex`.
    package var outputs: [String] = []
    /// Results that are a picture, never hex.
    var pictures: [String] = []
    /// Results that are neither a picture nor hex.
    var files: [String] = []
    /// Whether a result may take the place of a file that exists.
    var replaces = false
    /// Whether such a file may be a backup.
    var replacesBackup = false
    /// All files that results are written to.
    package var results: [String] { outputs + pictures + files }
    /// Whether the scanner program may be started. It reads pictures, and expands updates that turn out to be
    /// compressed.
    var scans = false
    /// Whether a review may be shown on the whole terminal, whose description is read then.
    var reviews = false
    /// Whether the command works on a secret in a child of its own: ``ChildProcess``.
    var forks = false
    /// Whether nonces of groups may wait in memory between two commands.
    var keepsNonces = false
    /// Whether hardware is used that the vault is not bound to yet.
    var usesHardware = false
    /// The PKCS#11 module of a token that the vault is not bound to yet.
    package var tokenModule: String?
    /// Devices that the scanner may open. This program opens none.
    var cameras: [String] = []
    /// Devices that this program may open, read and write.
    var devices: [String] = []

    package init(
        readable: [String] = [], writable: [String] = [], emptied: [String] = [], outputs: [String] = [],
        pictures: [String] = [], files: [String] = [], replaces: Bool = false, replacesBackup: Bool = false,
        scans: Bool = false,
        reviews: Bool = false, forks: Bool = false, keepsNonces: Bool = false, usesHardware: Bool = false,
        cameras: [String] = [], devices: [String] = []
    ) {
        (self.readable, self.writable, self.emptied) = (readable, writable, emptied)
        (self.outputs, self.pictures) = (outputs, pictures)
        (self.files, self.replaces, self.replacesBackup) = (files, replaces, replacesBackup)
        (self.scans, self.reviews, self.forks) = (scans, reviews, forks)
        (self.keepsNonces, self.usesHardware) = (keepsNonces, usesHardware)
        (self.cameras, self.devices) = (cameras, devices)
    }

    /// Refuses an output that cannot or should not be written, before the person is asked: otherwise a
    /// signature could be in the log and be lost. An existing file is replaced only if the command allows it,
    /// and the ending of a name must fit the content.
    /// - Throws: ``CommandError/outputRefused(path:_:)``, ``CommandError/outputExists(path:)``,
    ///   ``CommandError/file(path:errno:)``
    package func requireOutputs() throws(CommandError) {
        if let path = (pictures + files).first(where: { $0.utf8Ends(with: Files.hexEnding) }) {
            throw .outputRefused(path: path, .hexName)
        }
        for (index, path) in results.enumerated() {
            guard !path.utf8.isEmpty else { throw .file(path: path, errno: ENOENT) }
            if path.utf8Equals("-") { throw .outputRefused(path: path, .standardOutput) }
            if results[..<index].contains(where: { Directory.isSamePlace($0, path) }) {
                throw .outputRefused(path: path, .otherResult)
            }
            let found: Permissions?
            do throws(SystemError) { found = try Permissions.of(path, followingLinks: false) } catch {
                throw .file(path: path, errno: error.errno)
            }
            if let found {
                if found.isLink { throw .outputRefused(path: path, .link) }
                if !found.isFile { throw .outputRefused(path: path, .notAFile) }
                if readable.contains(where: { Files.isSame($0, path) })
                    || Files.isReadThroughDescriptor(path)
                {
                    throw .outputRefused(path: path, .input)
                }
                if KeyFile.mayBe(path) { throw .outputRefused(path: path, .keyFile) }
            }
            if Vault.forbids(output: path, replacingBackup: replacesBackup) {
                throw .outputRefused(path: path, .vaultFile)
            }
            // A rename asks the directory alone.
            if let found, found.mode & 0o200 == 0 { throw .outputRefused(path: path, .readOnly) }
            if let obstacle = wrongName(path) { throw .outputRefused(path: path, obstacle) }
            if found != nil, !replaces { throw .outputExists(path: path) }
            let directory = Files.directory(of: path)
            guard Files.isDirectory(directory) else {
                throw .file(path: path, errno: found == nil ? ENOENT : ENOTDIR)
            }
            guard Glibc.access(directory, W_OK | X_OK) == 0 else { throw .file(path: path, errno: errno) }
        }
    }

    /// Why the ending of a name does not fit its content; nil if it fits.
    private func wrongName(_ path: String) -> CommandError.OutputObstacle? {
        let isPNG = Files.isNamedAsPNG(path)
        if outputs.containsUTF8(of: path) {
            return isPNG || path.utf8Ends(with: Files.hexEnding) ? nil : .codeName
        }
        if pictures.containsUTF8(of: path) { return isPNG ? nil : .pictureName }
        return Files.isNamedAsPicture(path) ? .notPicture : nil
    }
}
