import NodeAnswers
import SubstratePrimitives

let nodeTargets = [
    // A choice (1), then a message of a node, or what stands as its result.
    FuzzTarget(
        name: "node",
        seeds: {
            [
                #"{"jsonrpc":"2.0","id":1,"result":{"ss58Format":42,"tokenDecimals":[12],"tokenSymbol":["UNT"]}}"#,
                #"{"jsonrpc":"2.0","id":1,"error":{"code":1010,"message":"Invalid Transaction"}}"#,
                #"{"jsonrpc":"2.0","method":"author_extrinsicUpdate","params":{"subscription":"a","result":{"inBlock":"0x01"}}}"#,
            ].map { [0] + Array($0.utf8) } + [
                [1] + Array(#"{"specName":"x","specVersion":1,"transactionVersion":2}"#.utf8)
            ]
        }
    ) { input in
        guard let choice = input.first else { return }
        let rest = Array(input.dropFirst())
        let method = RPCMethod.allCases[Int(choice >> 1) % RPCMethod.allCases.count]
        let text =
            choice & 1 == 0
            ? rest : Array(#"{"jsonrpc":"2.0","id":1,"result":"#.utf8) + rest + Array("}".utf8)
        guard let message = try? RPCMessage(text, values: method.maximumValues) else { return }
        switch message {
        case .answer(_, .success(let value)), .notice(_, .success(let value)):
            _ = ChainProperties(value)
            _ = ExtrinsicStatus(value)
            _ = NodeRuntimeVersion(value)
            _ = BlockHeader.number(value)
            readsBack(value, method)
        case .answer(_, .failure(let error)), .notice(_, .failure(let error)), .unnumbered(let error):
            precondition(error.sentence.utf8.count < 10_000, "a sentence without end")
        case .other:
            break
        }
        if let url = String(validating: rest, as: UTF8.self).flatMap({ NodeURL($0) }) {
            precondition(NodeURL(url.description) == url, "a URL reads otherwise after it was written")
        }
    }
]

/// What was read has one meaning: written out again, it reads as the same value.
private func readsBack(_ value: StrictJSON.Value, _ method: RPCMethod) {
    let limits = StrictJSON.Limits(
        depth: RPCMethod.maximumDepth, values: method.maximumValues, takesEveryNumber: true)
    let again = try? StrictJSON.parse(Array(written(value).utf8), limits: limits)
    precondition(again == value, "a value reads otherwise after it was written")
}

private func written(_ value: StrictJSON.Value) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number): "\(number)"
    case .otherNumber(let text): text
    case .string(let text): StrictJSON.quote(text)
    case .array(let items): "[" + items.map(written).joined(separator: ",") + "]"
    case .object(let object):
        "{" + object.members.map { StrictJSON.quote($0.key) + ":" + written($0.value) }.joined(separator: ",")
            + "}"
    }
}
