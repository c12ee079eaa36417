import ArgumentParser

/// `group …`
struct GroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Sign together with the members of a threshold group.", shouldDisplay: true,
        subcommands: [
            GroupCard.self, GroupNew.self, GroupCollectCommand.self, GroupListCommand.self, GroupShow.self, GroupContacts.self,
            GroupRecordCommand.self, GroupRestore.self, GroupDeal.self, GroupDerive.self, GroupRequestCommand.self, GroupRequests.self,
            GroupDrop.self, GroupRemove.self,
        ])
}
