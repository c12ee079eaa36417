import CommandKit

/// What completes a value.
enum CompletionValue {
    case choices([String])
    case file
    case directory
    case named(NamedValue)
    /// New names, numbers, texts, paths of keys.
    case free

    /// What the parser states of a declaration: one of these is there, or none.
    struct Stated: Decodable {
        struct List: Decodable { let values: [String] }
        struct Nothing: Decodable {}
        struct ShellCommand: Decodable { let command: String }

        let list: List?
        let file: Nothing?
        let directory: Nothing?
        let shellCommand: ShellCommand?
    }

    /// - Parameter allValues: every value, where the type of the argument knows them.
    init(_ stated: Stated?, allValues: [String]) {
        if !allValues.isEmpty {
            self = .choices(allValues)
        } else if let list = stated?.list {
            self = .choices(list.values)
        } else if stated?.file != nil {
            self = .file
        } else if stated?.directory != nil {
            self = .directory
        } else {
            let name = stated?.shellCommand.flatMap { NamedValue(shellCommand: $0.command) }
            self = name.map(CompletionValue.named) ?? .free
        }
    }
}
