import SubstratePrimitives
import Synchronization

/// Keeps the nonces of open offers between the two rounds, encrypted under a key of the vault. They are never
/// in the vault's folder or in a backup: restoring one must not bring used nonces back.
public protocol NonceKeeper: Sendable {
    /// Makes the place for the nonces if it is missing.
    /// - Throws: ``NonceError`` if there is no place for them
    func prepare() throws(NonceError)
    /// Keeps new nonces, which were never kept before.
    /// - Throws: ``NonceError``
    func keep(_ box: [UInt8], for request: Hash32, of vault: [UInt8]) throws(NonceError)
    /// Returns the waiting nonces and forgets them; nil if there are none. Of several programs that take them
    /// at once, one gets them. A program that took them never keeps them again, whatever fails afterwards.
    /// - Throws: ``NonceError``; then nobody got it.
    func take(_ request: Hash32, of vault: [UInt8]) throws(NonceError) -> [UInt8]?
    /// Overwrites and removes; nothing happens where nothing waits.
    /// - Throws: ``NonceError``
    func wipe(_ request: Hash32, of vault: [UInt8]) throws(NonceError)
    /// The requests of a vault for which nonces wait.
    /// - Throws: ``NonceError``
    func requests(of vault: [UInt8]) throws(NonceError) -> Set<Hash32>
}

extension NonceKeeper {
    func holds(_ request: Hash32, of vault: [UInt8]) throws(NonceError) -> Bool {
        try requests(of: vault).contains(request)
    }
}

/// Keeps nonces in the memory of this process, so they end with the shell.
public final class NonceMemory: NonceKeeper {
    private struct Place: Hashable {
        let vault: [UInt8]
        let request: Hash32
    }

    private let boxes = Mutex<[Place: [UInt8]]>([:])

    /// Empty.
    public init() {}

    public func prepare() {}

    public func keep(_ box: [UInt8], for request: Hash32, of vault: [UInt8]) throws(NonceError) {
        let isNew = boxes.withLock { boxes in
            guard boxes[Place(vault: vault, request: request)] == nil else { return false }
            boxes[Place(vault: vault, request: request)] = box
            return true
        }
        guard isNew else { throw .kept }
    }

    public func take(_ request: Hash32, of vault: [UInt8]) -> [UInt8]? {
        boxes.withLock { $0.removeValue(forKey: Place(vault: vault, request: request)) }
    }

    public func wipe(_ request: Hash32, of vault: [UInt8]) {
        boxes.withLock { boxes in
            let place = Place(vault: vault, request: request)
            // Wipe the array in place: taking it out would make a copy.
            if let count = boxes[place]?.count { for index in 0..<count { boxes[place]?[index] = 0 } }
            boxes[place] = nil
        }
    }

    public func requests(of vault: [UInt8]) -> Set<Hash32> {
        boxes.withLock { Set($0.keys.filter { $0.vault == vault }.map(\.request)) }
    }
}

/// The keeper of a shell: it keeps its own nonces in its memory, and also finds those that a single command
/// left in the folder.
public struct ShellNonces: NonceKeeper {
    let memory: NonceMemory
    let folder: NonceFolder

    /// What is drawn goes into the memory; what the folder has is found.
    public init(memory: NonceMemory, folder: NonceFolder) {
        self.memory = memory
        self.folder = folder
    }

    public func prepare() {}

    public func keep(_ box: [UInt8], for request: Hash32, of vault: [UInt8]) throws(NonceError) {
        guard try folder.box(for: request, of: vault) == nil else { throw .kept }
        try memory.keep(box, for: request, of: vault)
    }

    public func take(_ request: Hash32, of vault: [UInt8]) throws(NonceError) -> [UInt8]? {
        if let box = memory.take(request, of: vault) { return box }
        return try folder.take(request, of: vault)
    }

    public func wipe(_ request: Hash32, of vault: [UInt8]) throws(NonceError) {
        memory.wipe(request, of: vault)
        try folder.wipe(request, of: vault)
    }

    public func requests(of vault: [UInt8]) throws(NonceError) -> Set<Hash32> {
        memory.requests(of: vault).union(try folder.requests(of: vault))
    }
}
