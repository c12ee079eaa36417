/// Layouts that are read, by the number in the file's header. The number is not sealed: it only says which schema the file must have
/// exactly, and under which seal.
enum StoreLayout: Int64, CaseIterable {
    /// The log has no checkpoints, and the seal is a ``FormerSeal``. The first unlock gives such a store the present layout.
    case former = 1
    /// No contacts and no history. The first unlock gives such a store the present layout.
    case withoutHistory = 2
    /// No groups. The first unlock gives such a store the present layout.
    case withoutGroups = 3
    case present = 4
}
