import CLibedit

/// The lines of a shell that the arrow keys and Ctrl-R bring back: in memory only, overwritten when the vault
/// locks.
package final class LineHistory {
    /// Lines that are kept; older ones go.
    static let limit = 200

    /// libedit's own list.
    let lines: OpaquePointer?

    package init() { lines = heliograph_history_new(Int32(Self.limit)) }

    deinit {
        clear()
        if let lines { history_wend(lines) }
    }

    package func add(_ line: String) {
        guard let lines else { return }
        var text = line.unicodeScalars.map { wchar_t($0.value) } + [0]
        heliograph_history_add(lines, text)
        for index in text.indices { text[index] = 0 }
    }

    package func clear() {
        if let lines { heliograph_history_clear(lines) }
    }
}
