import Extrinsics
import FoundationEssentials
import Keys
import SubstratePrimitives

let textTargets = [
    // Network specs as JSON, one or many, the way `inspect --specs` reads them.
    FuzzTarget(
        name: "specs",
        seeds: { try [JSONEncoder().encode(NetworkSpecs.defaults[0]), JSONEncoder().encode(NetworkSpecs.defaults)].map { [UInt8]($0) } }
    ) { input in
        let decoder = JSONDecoder()
        let many = (try? decoder.decode([NetworkSpecs].self, from: Data(input))) ?? []
        let one = (try? decoder.decode(NetworkSpecs.self, from: Data(input))).map { [$0] } ?? []
        for specs in many + one {
            guard let again = try? decoder.decode(NetworkSpecs.self, from: JSONEncoder().encode(specs)) else {
                preconditionFailure("specs that are read cannot be written")
            }
            precondition(again == specs, "specs are written as others")
        }
    },
    FuzzTarget(
        name: "policy",
        seeds: {
            [
                #"{"networks":["polkadot"],"maximum_amount":"5","messages":false}"#,
                #"{"approve":[{"call":"Balances.transfer_keep_alive"}]}"#, "{}",
                TransactionPolicy.Key.allCases.map { #"{"\#($0.rawValue)":"1"}"# }.joined(separator: " "),
            ].map { Array($0.utf8) }
        }
    ) { input in
        _ = try? TransactionPolicy(json: input)
    },
    FuzzTarget(name: "json", seeds: { [Array(#"{"a":[1,-2,"\u00e9\ud83d\ude00",null,true]}"#.utf8)] }) { input in
        if let value = try? StrictJSON.parse(input, depthLimit: 16) { precondition(value == value, "a value differs from itself") }
        guard let text = String(validating: input, as: UTF8.self) else { return }
        guard case .string(let read)? = try? StrictJSON.parse(Array(StrictJSON.quote(text).utf8), depthLimit: 1) else {
            preconditionFailure("a quoted text cannot be read")
        }
        precondition(read.utf8Equals(text), "a quoted text reads as another")
    },
    FuzzTarget(
        name: "assets",
        seeds: {
            let entries = [
                AssetUnits.Entry(pallet: "Assets", id: "1984", symbol: "USDt", decimals: 6),
                AssetUnits.Entry(pallet: nil, id: "0x0102", symbol: "HLO", decimals: 12),
            ]
            return [AssetUnits(genesisHash: NetworkSpecs.defaults[0].genesisHash, serial: 5, entries: entries)!.encoded]
        }
    ) { input in
        guard let list = try? AssetUnits(encoded: input) else { return }
        precondition(list.encoded == input, "a list has two encodings")
    },
    // Addresses, paths and eras that a person types or a payload names.
    FuzzTarget(
        name: "names", longest: 512,
        seeds: {
            ["15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "//polkadot//0/soft///pass"]
                .map {
                    Array($0.utf8)
                }
        }
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        if let address = try? SS58Address(text) { precondition(address.text.utf8Equals(text), "an address has two spellings") }
        _ = try? EthereumAddress(text)
        _ = try? DerivationPath(text)
        _ = MortalEra(text: text)
    },
]
