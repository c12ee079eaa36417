import Extrinsics
import FoundationEssentials
import Hashing
import Keys
import ReleaseCheck
import SubstratePrimitives
import TestSupport

let textTargets = [
    // Network specs as JSON, one or many, the way `inspect --specs` reads them.
    FuzzTarget(
        name: "specs",
        seeds: {
            try [JSONEncoder().encode(NetworkSpecs.defaults[0]), JSONEncoder().encode(NetworkSpecs.defaults)]
                .map { [UInt8]($0) }
        }
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
                #"{"networks":["polkadot"],"maximum_amount":["5 DOT","0.5 KSM"],"messages":false}"#,
                #"{"maximum_per_day":"20 DOT","assets":[{"asset":"1","pallet":"A","decimals":2,"maximum_amount":"1 X"}]}"#,
                #"{"approve":[{"call":"Balances.transfer_keep_alive"}]}"#, "{}",
                TransactionPolicy.Key.allCases.map { #"{"\#($0.rawValue)":"1"}"# }.joined(separator: " "),
            ].map { Array($0.utf8) }
        }
    ) { input in
        guard let policy = try? TransactionPolicy(json: input) else { return }
        precondition(policy.keysAllowingMore(than: policy).isEmpty, "a policy allows more than itself")
    },
    FuzzTarget(name: "json", seeds: { [Array(#"{"a":[1,-2,"\u00e9\ud83d\ude00",null,true]}"#.utf8)] }) {
        input in
        if let value = try? StrictJSON.parse(input, depthLimit: 16) {
            precondition(value == value, "a value differs from itself")
        }
        guard let text = String(validating: input, as: UTF8.self) else { return }
        guard
            case .string(let read)? = try? StrictJSON.parse(Array(StrictJSON.quote(text).utf8), depthLimit: 1)
        else {
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
            return [
                AssetUnits(genesisHash: NetworkSpecs.defaults[0].genesisHash, serial: 5, entries: entries)!
                    .encoded
            ]
        }
    ) { input in
        guard let list = try? AssetUnits(encoded: input) else { return }
        precondition(list.encoded == input, "a list has two encodings")
    },
    // A release directory: the key, the signature, and the two texts of a release that a signature names.
    FuzzTarget(
        name: "release",
        seeds: {
            let folder = "fixtures/release/heliograph-9.8.7"
            return try [
                "fixtures/release/key.pub", "fixtures/release/legacy.minisig", "\(folder)/SHA256SUMS.minisig",
                "\(folder)/SHA256SUMS",
                "\(folder)/MANIFEST",
            ]
            .map { try Checkout.read($0) }
        }
    ) { input in
        if let key = try? MinisignKey(file: input) {
            precondition(key.name.utf8.count == 16, "a key has no name")
        }
        _ = try? MinisignSignature(file: input)
        let comment = Array("heliograph 9.8.7 commit 0123456789abcdef0123456789abcdef01234567".utf8)
        guard let release = try? ReleaseName(trustedComment: comment) else {
            preconditionFailure("a release has no name")
        }
        if let name = try? ReleaseName(trustedComment: input) {
            precondition(
                "heliograph \(name.version) commit \(name.commit)".utf8.elementsEqual(input),
                "a comment has two forms")
        }
        func line(_ entry: ReleaseDigest) -> [UInt8] {
            Array("\(Hex.encode(entry.digest))  \(entry.path)\n".utf8)
        }
        if let sums = try? ReleaseSums(input, of: release) {
            precondition(sums.files.flatMap(line) == input, "the sums have two forms")
        }
        if let manifest = try? ReleaseManifest(input, of: release) {
            for entry in manifest.cold + manifest.hot + manifest.archive {
                precondition(
                    !entry.path.utf8.split(separator: 0x2f).contains { $0.elementsEqual("..".utf8) },
                    "a path leads upwards")
            }
        }
    },
    // Addresses, paths and eras that a person types or a payload names.
    FuzzTarget(
        name: "names", longest: 512,
        seeds: {
            [
                "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5",
                "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "//polkadot//0/soft///pass",
            ]
            .map {
                Array($0.utf8)
            }
        }
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        if let address = try? SS58Address(text) {
            precondition(address.text.utf8Equals(text), "an address has two spellings")
        }
        _ = try? EthereumAddress(text)
        _ = try? DerivationPath(text)
        _ = MortalEra(text: text)
    },
]
