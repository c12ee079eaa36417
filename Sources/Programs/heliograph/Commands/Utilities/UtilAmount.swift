import ArgumentParser
import CommandKit
import Lines
import Presentation
import SubstratePrimitives

/// `util amount`
struct UtilAmount: Command {
    static let configuration = CommandConfiguration(commandName: "amount", abstract: "Format an amount.")

    @Argument(help: "The amount in the smallest unit.") var raw: String
    @Argument(help: "The token's decimals.") var decimals: UInt8
    @Argument(help: "The token's unit.") var unit: String
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    private struct Document: Encodable {
        let amount: String
        let unit: String
        let raw: String
        let plain: String
        let symbol: String
    }

    func access() throws -> Access { Access() }

    func validate() throws {
        guard !raw.isEmpty, raw.utf8.count <= 155, raw.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw ValidationError("RAW must be a whole number of at most 155 digits")
        }
    }

    func execute(_ context: CommandContext) throws {
        let amount = TokenAmount(planck: raw, decimals: decimals, unit: unit)
        if json {
            return JSONText.print(
                Document(amount: amount.number, unit: amount.unit, raw: raw, plain: amount.plain, symbol: amount.symbol),
                context.console)
        }
        context.console.print(Amount.plain(amount.plain, unit: unit))
        context.console.print(Escape.terminal(amount.text))
    }
}
