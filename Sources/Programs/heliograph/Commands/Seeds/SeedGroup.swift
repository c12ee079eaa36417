import ArgumentParser

struct SeedGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed", abstract: "Create, restore, check, split and list seeds.",
        subcommands: [
            SeedNew.self, SeedRestore.self, SeedList.self, SeedShow.self, SeedCheck.self, SeedBackup.self,
            SeedRemove.self, SeedSplit.self, SeedJoin.self,
        ])
}
