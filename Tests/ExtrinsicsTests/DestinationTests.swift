import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SubstratePrimitives
import Testing

/// What a list of destinations makes of recipients that are no accounts, or accounts of another chain.
@Suite struct DestinationLaws {
    static func field(_ name: String?, _ type: FixtureType, _ typeName: String? = nil) -> FixtureField {
        FixtureField(name, type, typeName: typeName)
    }

    static func xcm(_ name: String, _ variants: [FixtureVariant]) -> FixtureType {
        .variant(path: ["staging_xcm", "v5", name], variants: variants)
    }

    static let network = xcm(
        "NetworkId", [FixtureVariant("Polkadot", index: 2), FixtureVariant("Kusama", index: 3)])
    static let junction = xcm(
        "Junction",
        [
            FixtureVariant("Parachain", index: 0, fields: [field(nil, .compact(.u32), "u32")]),
            FixtureVariant(
                "AccountId32", index: 1,
                fields: [field("network", .option(network)), field("id", .array(32, .u8))]),
            FixtureVariant(
                "AccountIndex64", index: 2,
                fields: [field("network", .option(network)), field("index", .compact(.u64))]),
            FixtureVariant(
                "AccountKey20", index: 3,
                fields: [field("network", .option(network)), field("key", .array(20, .u8))]),
            FixtureVariant("PalletInstance", index: 4, fields: [field(nil, .u8, "u8")]),
            FixtureVariant("GeneralIndex", index: 5, fields: [field(nil, .compact(.u128), "u128")]),
            FixtureVariant(
                "GeneralKey", index: 6, fields: [field("length", .u8, "u8"), field("data", .array(32, .u8))]),
            FixtureVariant("OnlyChild", index: 7),
            FixtureVariant("Plurality", index: 8, fields: [field("id", network), field("part", network)]),
            FixtureVariant("GlobalConsensus", index: 9, fields: [field(nil, network)]),
        ])
    static let location = FixtureType.composite(
        path: ["staging_xcm", "v5", "location", "Location"],
        fields: [
            field("parents", .u8, "u8"),
            field(
                "interior",
                xcm(
                    "Junctions",
                    [FixtureVariant("Here", index: 0)]
                        + (1...3).map {
                            FixtureVariant(
                                "X\($0)", index: $0, fields: [field(nil, .array(UInt32($0), junction))])
                        }),
                "Junctions"),
        ])
    static let asset = FixtureType.composite(
        path: ["staging_xcm", "v5", "asset", "Asset"],
        fields: [
            field(
                "id",
                .composite(
                    path: ["staging_xcm", "v5", "asset", "AssetId"],
                    fields: [field(nil, location, "Location")])),
            field(
                "fun",
                xcm(
                    "Fungibility",
                    [FixtureVariant("Fungible", index: 0, fields: [field(nil, .compact(.u128), "u128")])])),
        ])
    static let program = FixtureType.composite(
        path: ["staging_xcm", "v5", "Xcm"],
        fields: [
            field(
                nil,
                .sequence(
                    xcm(
                        "Instruction",
                        [
                            FixtureVariant(
                                "DepositAsset", index: 13,
                                fields: [field("assets", asset), field("beneficiary", location)])
                        ])))
        ])

    static let runtime: FixtureRuntime = {
        var runtime = FixtureRuntime.standard
        runtime.pallets += [
            FixturePallet(
                "PolkadotXcm", index: 80,
                calls: [
                    FixtureVariant(
                        "transfer_assets", index: 0,
                        fields: [field("dest", location), field("beneficiary", location)]),
                    FixtureVariant(
                        "claim_assets", index: 1,
                        fields: [field("assets", .sequence(asset)), field("beneficiary", location)]),
                    FixtureVariant(
                        "transfer_assets_using_type_and_then", index: 2,
                        fields: [field("custom_xcm_on_dest", program)]),
                    FixtureVariant("unheard_of", index: 3, fields: [field("dest", location)]),
                ]),
            FixturePallet(
                "TokenGateway", index: 81,
                calls: [
                    FixtureVariant("key", index: 0, fields: [field("to", .array(20, .u8))]),
                    FixtureVariant("bytes", index: 1, fields: [field("to", .bytes)]),
                    FixtureVariant("text", index: 2, fields: [field("to", .string)]),
                    FixtureVariant("flag", index: 3, fields: [field("to", .bool)]),
                    FixtureVariant("number", index: 4, fields: [field("to", .u64)]),
                ]),
        ]
        return runtime
    }()

    static let key = [UInt8](repeating: 9, count: 20)

    static func violation(_ call: [UInt8], listing more: [UInt8]? = nil) throws -> TransactionPolicy
        .Violation?
    {
        let listed = [Account.bob, key] + (more.map { [$0] } ?? [])
        let policy = TransactionPolicy(destinations: listed.map { .init($0) })
        return policy.violation(
            of: try runtime.decode(runtime.transactionBody(call: call)), on: runtime.specs,
            signer: Account.alice)
    }

    static func place(_ parents: UInt8, _ junctions: [UInt8]...) -> [UInt8] {
        [parents, UInt8(junctions.count)] + junctions.flatMap { $0 }
    }

    static func account(_ id: [UInt8], network: [UInt8] = [0]) -> [UInt8] {
        (id.count == 32 ? [1] : [3]) + network + id
    }
    static func parachain(_ number: UInt32) -> [UInt8] { [0] + FixtureValue.compact(UInt128(number)) }

    static let relay = place(1)
    static let consensus: [UInt8] = [9, 3]
    /// Every junction that is no account by its key; a key of a listed account's bytes among them.
    static let others: [[UInt8]] = [
        parachain(1000), parachain(2000), [2, 0, 28], [4, 50], [5, 28], [6, 32] + Account.bob, [7],
        [8, 2, 3], consensus,
    ]

    static func transfer(_ destination: [UInt8] = relay, to beneficiary: [UInt8]) -> [UInt8] {
        [80, 0] + destination + beneficiary
    }

    @Test func anAccountOfTheListIsABeneficiary() throws {
        for account in [Account.bob, Self.key] {
            for network in [[0], [1, 2]] as [[UInt8]] {
                #expect(
                    try Self.violation(
                        Self.transfer(to: Self.place(0, Self.account(account, network: network)))) == nil)
            }
        }
        #expect(
            try Self.violation(Self.transfer(to: Self.place(0, Self.account(Account.alice))))
                == .destination(address(Account.alice)))
    }

    @Test func anyOtherPlaceIsAnUnknownBeneficiary() throws {
        let bob = Self.account(Account.bob)
        let places =
            [Self.place(0), Self.place(1), Self.place(1, bob), Self.place(2, bob), Self.place(0, bob, bob)]
            + Self.others.flatMap {
                [Self.place(0, $0), Self.place(1, $0), Self.place(0, $0, bob), Self.place(0, bob, $0)]
            }
            + [
                Self.place(1, Self.parachain(2000), bob),
                Self.place(2, Self.consensus, Self.parachain(1000), bob),
            ]
        for place in places {
            #expect(try Self.violation(Self.transfer(to: place)) == .destinationUnknown)
            #expect(try Self.violation([80, 1, 0] + place) == .destinationUnknown)
            // In a call that no table knows, a place is a recipient.
            #expect(try Self.violation([80, 3] + place) == .destinationUnknown)
        }
        #expect(try Self.violation([80, 1, 0] + Self.place(0, bob)) == nil)
        #expect(try Self.violation([80, 3] + Self.place(0, bob)) == nil)
    }

    /// A parachain has at its disposal what is sent to it, whoever is named as the beneficiary.
    @Test func aChainWithOwnersOfItsOwnIsADestination() throws {
        let bob = Self.place(0, Self.account(Account.bob))
        func violation(_ destination: [UInt8], listing more: [UInt8]? = nil) throws -> TransactionPolicy
            .Violation?
        {
            try Self.violation(Self.transfer(destination, to: bob), listing: more)
        }
        for governed in [
            Self.place(1), Self.place(1, Self.parachain(1000)), Self.place(0, Self.parachain(1999)),
            Self.place(2, Self.consensus),
            Self.place(2, Self.consensus, Self.parachain(1000)),
        ] {
            #expect(try violation(governed) == nil)
        }
        for (parents, prefix) in [(0, "para"), (1, "sibl")] as [(UInt8, String)] {
            let account = Array(prefix.utf8) + [0xd0, 7, 0, 0] + [UInt8](repeating: 0, count: 24)
            let chain = Self.place(parents, Self.parachain(2000))
            #expect(try violation(chain) == .destination(address(account)))
            #expect(try violation(chain, listing: account) == nil)
        }
        for unknown in [
            Self.place(2, Self.consensus, Self.parachain(2000)),
            Self.place(1, Self.parachain(1000), [4, 50]),
            Self.place(1, Self.parachain(1000), Self.parachain(1000)),
            Self.place(1, Self.parachain(1000), Self.consensus),
            Self.place(0, Self.account(Account.bob)), Self.place(1, [7]), Self.place(1, [5, 28]),
        ] {
            #expect(try violation(unknown) == .destinationUnknown)
        }
    }

    /// Where an asset stands is not where it goes.
    @Test func thePlaceOfAnAssetIsNoRecipient() throws {
        let bob = Self.place(0, Self.account(Account.bob))
        for place in Self.others.map({ Self.place(1, $0) }) + [Self.place(0, [4, 50], [5, 28])] {
            #expect(try Self.violation([80, 1, 4] + place + [0, 20] + bob) == nil)
        }
        let decoded = try Self.runtime.decode(
            Self.runtime.transactionBody(
                call: [80, 1, 4] + Self.place(0, [4, 50], [5, 28]) + [0, 20] + bob))
        #expect(!decoded.summary.hasBareNumbers)
    }

    @Test func aProgramIsWarnedOfAndItsPlacesAreRecipients() throws {
        func call(_ place: [UInt8]) -> [UInt8] { [80, 2, 4, 13] + Self.place(1) + [0, 20] + place }
        let bob = Self.place(0, Self.account(Account.bob))
        #expect(try Self.violation(call(bob)) == nil)
        #expect(
            try Self.violation(call(Self.place(0, Self.account(Account.alice))))
                == .destination(address(Account.alice)))
        for other in Self.others {
            #expect(try Self.violation(call(Self.place(0, other))) == .destinationUnknown)
        }
        for call in [call(bob), [80, 2, 0]] {
            let decoded = try Self.runtime.decode(Self.runtime.transactionBody(call: call))
            #expect(decoded.summary.warnings == [.runsProgram])
            #expect(
                TransactionPolicy(maximumAmount: "1000").violation(
                    of: decoded, on: Self.runtime.specs, signer: Account.alice)
                    == .amountUnknown)
        }
    }

    @Test func bytesThatNothingExplainsMayNameARecipient() throws {
        #expect(try Self.violation([81, 0] + Self.key) == nil)
        #expect(try Self.violation([81, 0] + [UInt8](repeating: 8, count: 20)) == .destinationUnknown)
        #expect(try Self.violation([81, 1] + FixtureValue.bytes(Account.bob)) == nil)
        for bytes in [[1], Account.alice, Account.bob + [0], Array(Account.bob.dropLast())] {
            #expect(try Self.violation([81, 1] + FixtureValue.bytes(bytes)) == .destinationUnknown)
        }
        #expect(try Self.violation([81, 1, 0]) == nil)
        #expect(try Self.violation([81, 2] + FixtureValue.bytes(Array("bc1q".utf8))) == .destinationUnknown)
        #expect(try Self.violation([81, 3, 1]) == nil)
        #expect(try Self.violation([81, 4] + FixtureValue.integer(UInt64(7))) == nil)
        // Bytes that are known for what they are.
        let remark = Self.runtime.call("System", "remark", [FixtureValue.bytes(Account.alice)])
        #expect(try Self.violation(remark) == nil)
    }
}
