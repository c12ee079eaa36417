import ArgumentParser

struct ContactGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contact", abstract: "Manage contacts and signed contact lists.",
        subcommands: [
            ContactListCommand.self, ContactShow.self, ContactAdd.self, ContactLabelCommand.self,
            ContactRemove.self, ContactImport.self,
            ContactExport.self, ContactSignerGroup.self,
        ])
}

struct ContactSignerGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signer", abstract: "Choose whose contact lists are accepted.",
        subcommands: [ContactSignerList.self, ContactSignerAdd.self, ContactSignerRemove.self])
}
