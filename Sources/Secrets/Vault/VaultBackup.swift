import Glibc
import Keys
import SCALE
import SubstratePrimitives
import SystemIO

/// One encrypted file that holds a whole vault.
///
/// SCALE: `HELIOGBK`, format u8 (1), the vault file Vec<u8>, nonce [24], ciphertext Vec<u8> of the contents,
/// sealed under a key that is drawn from the data key and bound to everything before the nonce. Contents:
/// Vec<(name string, bytes Vec<u8>)>. The vault file inside is itself sealed, so the same passphrase (and key
/// file) that opened the vault opens its backup.
public enum VaultBackup {
    static let magic = Array("HELIOGBK".utf8)
    private static let format: UInt8 = 1
    /// Metadata of many networks fit; a longer file is refused before it is read.
    public static let lengthLimit = 512 * 1024 * 1024
    /// Bytes that a backup may have in addition to its files: the vault file, the fields, and the log line
    /// that is added to the store before it is copied.
    public static let allowance = 1 << 20

    /// A file beside the vault file: its name and content, such as a snapshot of the store.
    public struct Attachment: Sendable, Equatable {
        /// A plain file name: no `/`, no leading dot, 1 to 64 bytes, not one of the vault's own files.
        public let name: String
        public var bytes: [UInt8]

        public static func == (one: Attachment, other: Attachment) -> Bool {
            one.name.utf8Equals(other.name) && one.bytes == other.bytes
        }

        public init?(name: String, bytes: [UInt8]) {
            let own = [VaultFile.name, VaultIntent.name, FailedAttempts.name, DirectoryLock.name]
            guard (1...64).contains(name.utf8.count), !name.utf8Starts(with: "."),
                !own.containsUTF8(of: name),
                name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") })
            else { return nil }
            self.name = name
            self.bytes = bytes
        }
    }

    /// What a backup holds; it was opened, and every seed and every imported key in it was unsealed.
    public struct Report: Sendable, Equatable {
        public let vaultID: [UInt8]
        public let revision: UInt64
        public let isDevelopment: Bool
        public let seedNames: [String]
        /// Keys that no seed gives.
        public let importedKeys: [PublicKey]
        /// Name and length of each attachment.
        public let attachments: [(name: String, length: Int)]

        public static func == (left: Report, right: Report) -> Bool {
            left.vaultID == right.vaultID && left.revision == right.revision
                && left.isDevelopment == right.isDevelopment
                && left.seedNames.utf8ElementsEqual(right.seedNames)
                && left.importedKeys == right.importedKeys
                && left.attachments.elementsEqual(right.attachments) {
                    $0.name.utf8Equals($1.name) && $0.length == $1.length
                }
        }
    }

    /// Refuses files for a backup that nothing would read back.
    /// - Parameters:
    ///   - length: how many bytes the files have together.
    ///   - limit: of the backup.
    /// - Throws: ``VaultError/backupTooLarge(length:limit:)``
    public static func requireRoom(forBytes length: Int, limit: Int = lengthLimit) throws(VaultError) {
        guard length + allowance <= limit else {
            throw .backupTooLarge(length: length + allowance, limit: limit)
        }
    }

    /// The bytes of a backup of an open vault.
    /// - Parameters:
    ///   - vault: whose keys it seals.
    ///   - attachments: the files beside the vault file, such as the store.
    ///   - limit: of the bytes.
    /// - Throws: ``VaultError/backupTooLarge(length:limit:)``
    public static func make(_ vault: UnlockedVault, attachments: [Attachment], limit: Int = lengthLimit)
        throws(VaultError) -> [UInt8]
    {
        let backup = sealed(vault, attachments)
        guard backup.count <= limit else {
            throw .backupTooLarge(length: backup.count, limit: limit)
        }
        return backup
    }

    private static func sealed(_ vault: UnlockedVault, _ attachments: [Attachment]) -> [UInt8] {
        let contents = contents(attachments)
        let header = header(vault.fileContent().encoded())
        let key = vault.backupKey()
        let box = contents.withUnsafeBytes { SealedBox.seal($0, key: key, bindingTo: header) }
        let count = header.count + box.nonce.count + box.ciphertext.count + 8
        return SCALEWriter.encode(reserving: count) { writer in
            writer.raw(header)
            writer.raw(box.nonce)
            writer.byteVector(box.ciphertext)
        }
    }

    /// Opens a backup and unseals everything in it, without writing anything.
    public static func check(
        _ backup: [UInt8], passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes = SecretBytes()
    ) throws(VaultError) -> Report {
        try read(backup, passphrase: passphrase, keyFile: keyFile).report
    }

    /// Opens a backup and gives also the files that it keeps besides the vault file.
    public static func read(
        _ backup: [UInt8], passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes = SecretBytes()
    ) throws(VaultError) -> (report: Report, attachments: [Attachment]) {
        let opened = try open(backup, passphrase: passphrase, keyFile: keyFile)
        return (opened.report, opened.attachments)
    }

    /// Checks a backup, then makes the vault in a directory that holds none. The vault file is written last,
    /// so that a directory with a vault in it always has its attachments.
    ///
    /// - `confirm`: is called after everything is opened and before anything is written; if it throws, there
    ///   is no vault. The attachments are given to it to be read where they lie, and written as it leaves
    ///   them.
    /// - `prepare`: gets the vault of the backup after the attachments are written and before the vault file
    ///   is; if it throws, neither is left. The vault file has its changes.
    ///
    /// Files of a lost vault in the directory are moved to a directory of their own in it, and back if this
    /// fails.
    public static func restore(
        _ backup: [UInt8], into directory: String, passphrase: borrowing SecretBytes,
        keyFile: borrowing SecretBytes = SecretBytes(),
        confirm: (Report, inout [Attachment]) throws -> Void = { _, _ in },
        prepare: (UnlockedVault) throws -> Void = { _ in }
    ) throws -> Report {
        var opened = try open(backup, into: directory, passphrase: passphrase, keyFile: keyFile)
        try PrivateFile.makeDirectory(directory)
        try Vault.requirePrivate(directory: directory)
        let lock = try DirectoryLock(directory: directory, patience: Vault.defaultPatience)
        guard !Vault.exists(directory: directory) else { throw VaultError.exists(directory) }
        let report = opened.report
        try confirm(report, &opened.attachments)
        let former = try FormerFiles(movedAsideIn: directory)
        do {
            for attachment in opened.attachments {
                try PrivateFile.replace(attachment.name, in: directory, with: attachment.bytes)
            }
            try FailedAttempts.none.write(directory: directory)
            try prepare(opened.vault)
            try PrivateFile.replace(VaultFile.name, in: directory, with: opened.vault.fileContent().encoded())
        } catch {
            former.putBack()
            throw error
        }
        lock.release()
        return report
    }

    private struct Opened {
        /// Without a lock: it is not written to.
        let vault: UnlockedVault
        var attachments: [Attachment]

        var report: Report {
            Report(
                vaultID: vault.id, revision: vault.revision, isDevelopment: vault.isDevelopment,
                seedNames: vault.seedNames, importedKeys: vault.importedKeys,
                attachments: attachments.map { ($0.name, $0.bytes.count) })
        }
    }

    private static func open(
        _ backup: [UInt8], into directory: String = "", passphrase: borrowing SecretBytes,
        keyFile: borrowing SecretBytes
    ) throws(VaultError) -> Opened {
        guard backup.count <= lengthLimit, backup.starts(with: magic) else { throw .notABackup }
        let written = backup.dropFirst(magic.count).first
        guard written == format else { throw .unknownFormat(written ?? 0) }
        let (vaultBytes, nonce, ciphertext) = try fields(backup)
        let file = try VaultFile(vaultBytes)
        guard let opened = try KeySlots.unwrap(file, passphrase: passphrase, keyFile: keyFile) else {
            // Nothing is counted: there is no place where a count for a backup would last.
            throw .wrongPassphrase(failures: 0, delay: 0)
        }
        let slot = opened.index
        let vault = UnlockedVault(
            directory: directory, lock: nil, file: file, dataKey: opened.takeKey(), slot: slot,
            attemptsBefore: .none)
        try vault.checkSeal()
        for name in vault.seedNames { _ = try vault.stored(seed: name) }
        for key in vault.importedKeys { _ = try vault.keyPair(imported: key) }
        // Opened where it lies: it is nearly the whole backup.
        let contents = backup.withUnsafeBytes {
            SealedBox.openBytes(
                UnsafeRawBufferPointer(rebasing: $0[ciphertext]), nonce: nonce, key: vault.backupKey(),
                bindingTo: header(vaultBytes))
        }
        guard let contents else { throw .tampered("backup") }
        // Given away, or cutting the store out of it would copy it first.
        return Opened(vault: vault, attachments: try attachments(consume contents))
    }

    /// The bytes of the vault's file, and of the sealed box behind it the nonce and where its ciphertext is.
    private static func fields(_ backup: [UInt8]) throws(VaultError) -> (
        vault: [UInt8], nonce: [UInt8], ciphertext: Range<Int>
    ) {
        do {
            var reader = SCALEReader(backup, range: magic.count + 1..<backup.count)
            let vault = try reader.byteVector()
            let nonce = try reader.bytes(count: SealedBox.nonceLength)
            let count = try reader.count()
            let ciphertext = try reader.range(count: count)
            try reader.finish()
            return (vault, nonce, ciphertext)
        } catch { throw .malformed("fields") }
    }

    /// The vault's file in a backup, whose key slots say what opening it costs; nil when it is malformed.
    static func vaultFile(of backup: [UInt8]) -> VaultFile? {
        guard backup.starts(with: magic + [format]) else { return nil }
        return (try? fields(backup)).flatMap { try? VaultFile($0.vault) }
    }

    /// The cost of trying a passphrase at every slot of a backup; nil if this program would choose as much or
    /// more, and for anything but a backup.
    public static func unusualCost(of backup: [UInt8]) -> KDFCost? {
        vaultFile(of: backup).flatMap { Vault.unusual(Vault.costs(of: $0)) }
    }

    private static func header(_ vaultBytes: [UInt8]) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.raw(magic)
            writer.u8(format)
            writer.byteVector(vaultBytes)
        }
    }

    /// What is sealed: the attachments, name and bytes.
    static func contents(_ attachments: [Attachment]) -> [UInt8] {
        let count = attachments.reduce(8) { $0 + $1.name.utf8.count + $1.bytes.count + 16 }
        return SCALEWriter.encode(reserving: count) { writer in
            writer.vector(attachments) { writer, attachment in
                writer.string(attachment.name)
                writer.byteVector(attachment.bytes)
            }
        }
    }

    /// Splits opened contents into files. The first file is the store and nearly all of the bytes, so it is
    /// cut out in place rather than copied; it comes last, because that removes the others.
    static func attachments(_ contents: consuming [UInt8]) throws(VaultError) -> [Attachment] {
        let members = try members(of: contents)
        var attachments: [Attachment] = []
        for (position, member) in members.enumerated().reversed() {
            let bytes: [UInt8]
            if position > 0 {
                bytes = Array(contents[member.bytes])
            } else {
                contents.removeSubrange(member.bytes.upperBound...)
                contents.removeSubrange(..<member.bytes.lowerBound)
                bytes = contents
            }
            guard let attachment = Attachment(name: member.name, bytes: bytes),
                !attachments.contains(where: { $0.name.utf8Equals(attachment.name) })
            else { throw .malformed("contents") }
            attachments.append(attachment)
        }
        return attachments.reversed()
    }

    private static func members(of contents: [UInt8]) throws(VaultError) -> [(
        name: String, bytes: Range<Int>
    )] {
        do {
            var reader = SCALEReader(contents)
            let members = try reader.vector(minimumElementSize: 2) { reader throws(SCALEError) in
                let name = try reader.string()
                let count = try reader.count()
                return (name: name, bytes: try reader.range(count: count))
            }
            try reader.finish()
            return members
        } catch { throw .malformed("contents") }
    }
}

/// Files of a lost vault, moved to a directory `former-1`, `former-2`, … below the one in which a backup is
/// restored, so that a restore destroys nothing.
struct FormerFiles {
    private let directory: String
    private let names: [String]
    private let place: String

    init(movedAsideIn directory: String) throws(VaultError) {
        self.directory = directory
        var moved: [String] = []
        let found = try Vault.names(directory).filter {
            Vault.isOwn($0) && !$0.utf8Equals(DirectoryLock.name)
        }
        var (number, status) = (1, stat())
        // A link that leads nowhere takes the name, too.
        while lstat("\(directory)/former-\(number)", &status) == 0 { number += 1 }
        place = "\(directory)/former-\(number)"
        guard !found.isEmpty else {
            names = []
            return
        }
        try PrivateFile.makeDirectory(place)
        for name in found {
            guard rename("\(directory)/\(name)", "\(place)/\(name)") == 0 else {
                let error = VaultError.system(operation: "rename", errno: errno)
                for name in moved { rename("\(place)/\(name)", "\(directory)/\(name)") }
                rmdir(place)
                throw error
            }
            moved.append(name)
        }
        names = moved
    }

    /// Removes what took their place, and moves them back.
    func putBack() {
        for name in (try? Vault.names(directory)) ?? []
        where Vault.isOwn(name) && !name.utf8Equals(DirectoryLock.name) {
            unlink("\(directory)/\(name)")
        }
        for name in names { rename("\(place)/\(name)", "\(directory)/\(name)") }
        rmdir(place)
    }
}
