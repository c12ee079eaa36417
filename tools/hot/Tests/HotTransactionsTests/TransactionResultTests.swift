import FixtureRuntime
import Metadata
import Testing

@testable import HotTransactions

/// What the events of a block tell of one transaction: a chain calls many failures a success, since the call
/// around them succeeds.
@Suite struct TransactionResultLaws {
    private static let badOrigin: [UInt8] = [2]
    private static let noBalance: [UInt8] = [3, 5, 2, 0, 0, 0]
    private static let account = [UInt8](repeating: 7, count: 32)
    private static let info = FixtureValue.compact(145_000_000) + FixtureValue.compact(3_593) + [0, 0]
    /// Stands where the failed transaction does.
    private static let place: UInt32 = 3

    /// Events as pallets of polkadot-sdk, frontier and Acala declare them, in pallets of their own behind
    /// those of the fixture.
    private static let runtime: FixtureRuntime = {
        func field(_ name: String?, _ type: FixtureType) -> FixtureField {
            FixtureField(name, type, typeName: nil)
        }
        func word(_ path: String, _ names: [String]) -> FixtureType {
            .variant(path: [path], variants: names.enumerated().map { FixtureVariant($1, index: UInt8($0)) })
        }
        var runtime = FixtureRuntime.standard
        runtime.addEvents()
        let failure = runtime.pallets.first { $0.name == "System" }!.events.first {
            $0.name == "ExtrinsicFailed"
        }!.fields[0].type
        func result(_ ok: FixtureType, _ wrong: FixtureType) -> FixtureType {
            .variant(
                path: ["Result"],
                variants: [
                    FixtureVariant("Ok", index: 0, fields: [field(nil, ok)]),
                    FixtureVariant("Err", index: 1, fields: [field(nil, wrong)]),
                ])
        }
        let post = FixtureType.composite(
            path: ["frame_support", "dispatch", "PostDispatchInfo"],
            fields: [
                field("actual_weight", .option(StandardTypes.weight)),
                field("pays_fee", word("Pays", ["Yes", "No"])),
            ])
        let failureWithPost = FixtureType.composite(
            path: ["sp_runtime", "DispatchErrorWithPostInfo"],
            fields: [field("post_info", post), field("error", failure)])
        let exit = FixtureType.variant(
            path: ["evm_core", "error", "ExitReason"],
            variants: ["Succeed", "Error", "Revert", "Fatal"].enumerated().map { index, name in
                FixtureVariant(
                    name, index: UInt8(index), fields: [field(nil, word("Exit\(name)", ["First", "Second"]))])
            })
        let outcome = FixtureType.variant(
            path: ["staging_xcm", "v4", "traits", "Outcome"],
            variants: [
                FixtureVariant("Complete", index: 0, fields: [field("used", StandardTypes.weight)]),
                FixtureVariant(
                    "Incomplete", index: 1,
                    fields: [field("used", StandardTypes.weight), field("error", .u8)]),
                FixtureVariant("Error", index: 2, fields: [field("error", .u8)]),
            ])
        let done = result(.unit, failure)
        let h160 = FixtureType.composite(
            path: ["primitive_types", "H160"], fields: [field(nil, .array(20, .u8))])
        let pallets: [(String, [FixtureVariant])] = [
            ("Sudo", [FixtureVariant("Sudid", index: 0, fields: [field("sudo_result", done)])]),
            (
                "Whitelist",
                [
                    FixtureVariant(
                        "WhitelistedCallDispatched", index: 2,
                        fields: [
                            field("call_hash", StandardTypes.hash),
                            field("result", result(post, failureWithPost)),
                        ])
                ]
            ),
            (
                "EVM",
                [
                    FixtureVariant("Executed", index: 3, fields: [field("address", h160)]),
                    FixtureVariant("ExecutedFailed", index: 4, fields: [field("address", h160)]),
                    FixtureVariant("Created", index: 1, fields: [field("address", h160)]),
                    FixtureVariant("CreatedFailed", index: 2, fields: [field("address", h160)]),
                ]
            ),
            (
                "Ethereum",
                [
                    FixtureVariant(
                        "Executed", index: 0,
                        fields: [
                            field("from", h160), field("to", h160),
                            field("transaction_hash", StandardTypes.hash),
                            field("exit_reason", exit),
                        ])
                ]
            ),
            (
                "Revive",
                [FixtureVariant("EthExtrinsicRevert", index: 5, fields: [field("dispatch_error", failure)])]
            ),
            ("XcmPallet", [FixtureVariant("Attempted", index: 0, fields: [field("outcome", outcome)])]),
            (
                "MessageQueue",
                [
                    FixtureVariant(
                        "ProcessingFailed", index: 0,
                        fields: [field("id", StandardTypes.hash), field("error", .u8)]),
                    FixtureVariant(
                        "Processed", index: 1,
                        fields: [field("id", StandardTypes.hash), field("success", .bool)]),
                ]
            ),
            // Of no known pallet: an error that is no dispatch error; some bytes; 2047 values of no bytes.
            (
                "Bridge",
                [
                    FixtureVariant("Delivered", index: 0, fields: [field("result", result(.unit, .u16))]),
                    FixtureVariant("Noted", index: 1, fields: [field("note", .bytes)]),
                    FixtureVariant(
                        "Emptied", index: 2,
                        fields: [
                            field("nothing", (0..<10).reduce(.unit) { inner, _ in .tuple([inner, inner]) })
                        ]),
                ]
            ),
        ]
        for (index, (name, events)) in pallets.enumerated() {
            runtime.pallets.append(FixturePallet(name, index: UInt8(100 + index), calls: []))
            runtime.pallets[runtime.pallets.count - 1].events = events
        }
        let multisig = runtime.pallets.firstIndex { $0.name == "Multisig" }!
        runtime.pallets[multisig].events = [
            FixtureVariant(
                "MultisigExecuted", index: 2,
                fields: [
                    field("approving", StandardTypes.accountID), field("timepoint", StandardTypes.timepoint),
                    field("multisig", StandardTypes.accountID), field("call_hash", .array(32, .u8)),
                    field("result", done),
                ])
        ]
        let utility = runtime.pallets.firstIndex { $0.name == "Utility" }!
        runtime.pallets[utility].events.append(
            FixtureVariant("DispatchedAs", index: 5, fields: [field("result", done)]))
        return runtime
    }()

    private static func record(_ place: UInt32?, _ name: String, _ fields: [UInt8] = [], topics: Int = 0)
        -> [UInt8]
    {
        let words = name.split(separator: ".").map(String.init)
        let pallet = runtime.pallets.first { $0.name == words[0] }!
        let phase = place.map { [0] + FixtureValue.integer($0) } ?? [1]
        return phase + [pallet.index, pallet.events.first { $0.name == words[1] }!.index] + fields
            + FixtureValue.compact(UInt128(topics)) + [UInt8](repeating: 0, count: 32 * topics)
    }

    private static func success(_ place: UInt32?) -> [UInt8] {
        record(place, "System.ExtrinsicSuccess", info)
    }

    private static func failed(_ place: UInt32?, _ error: [UInt8]) -> [UInt8] {
        record(place, "System.ExtrinsicFailed", error + info)
    }

    private static func result(
        _ records: [[UInt8]], _ version: FixtureRuntime.MetadataVersion = .v15
    ) throws -> TransactionResult {
        let metadata = try RuntimeMetadata(runtime.metadata(version))
        return try TransactionResult(events: FixtureValue.vector(records), place: place, metadata: metadata)
    }

    /// Each event with the fields of a failure, the error that they hold, and the fields of a success; nil
    /// where it never tells one.
    private static let tellers: [(event: String, wrong: [UInt8], error: [UInt8]?, right: [UInt8]?)] = {
        let (twenty, hash) = ([UInt8](repeating: 1, count: 20), [UInt8](repeating: 9, count: 32))
        let multisig = account + [UInt8](repeating: 0, count: 8) + account + hash
        let ethereum = twenty + twenty + hash
        let post: [UInt8] = [1] + FixtureValue.compact(1) + FixtureValue.compact(70_000) + [0]
        let weight = FixtureValue.compact(1_000) + FixtureValue.compact(2_000)
        return [
            ("Utility.BatchInterrupted", FixtureValue.integer(UInt32(1)) + noBalance, noBalance, nil),
            ("Utility.ItemFailed", badOrigin, badOrigin, nil),
            ("Utility.DispatchedAs", [1] + noBalance, noBalance, [0]),
            ("Proxy.ProxyExecuted", [1] + noBalance, noBalance, [0]),
            ("Multisig.MultisigExecuted", multisig + [1] + badOrigin, badOrigin, multisig + [0]),
            ("Sudo.Sudid", [1] + badOrigin, badOrigin, [0]),
            (
                "Whitelist.WhitelistedCallDispatched", hash + [1] + post + noBalance, noBalance,
                hash + [0] + post
            ),
            (
                "Whitelist.WhitelistedCallDispatched", hash + [1, 0, 1] + badOrigin, badOrigin,
                hash + [0, 0, 1]
            ),
            ("EVM.ExecutedFailed", twenty, nil, nil), ("EVM.CreatedFailed", twenty, nil, nil),
            ("Ethereum.Executed", ethereum + [1, 1], nil, ethereum + [0, 1]),
            ("Ethereum.Executed", ethereum + [2, 0], nil, ethereum + [0, 0]),
            ("Ethereum.Executed", ethereum + [3, 0], nil, nil),
            ("Revive.EthExtrinsicRevert", noBalance, noBalance, nil),
            ("XcmPallet.Attempted", [1] + weight + [4], nil, [0] + weight),
            ("XcmPallet.Attempted", [2, 4], nil, nil),
            ("MessageQueue.ProcessingFailed", hash + [0], nil, nil),
            ("MessageQueue.Processed", hash + [0], nil, hash + [1]),
            ("Bridge.Delivered", [1, 0, 0], nil, [0]),
        ]
    }()

    @Test(arguments: tellers.indices, FixtureRuntime.MetadataVersion.allCases)
    func `a call that failed inside a success is told with its error`(
        index: Int, version: FixtureRuntime.MetadataVersion
    ) throws {
        let (event, wrong, error, right) = Self.tellers[index]
        let told = TransactionResult.InnerFailure(event: event, error: error)
        let failing = Self.record(Self.place, event, wrong, topics: index % 3)
        var result = try Self.result([failing, Self.success(Self.place)], version)
        #expect(result.failure == nil && result.innerFailures == [told])
        // Once for each event, in their order, and beside the failure of the whole.
        result = try Self.result([failing, failing, Self.failed(Self.place, Self.badOrigin)], version)
        #expect(result.failure == Self.badOrigin && result.innerFailures == [told, told])
        // The same of another transaction, and of none.
        result = try Self.result(
            [Self.record(2, event, wrong), Self.record(nil, event, wrong), Self.success(Self.place)], version)
        #expect(result.failure == nil && result.innerFailures.isEmpty)
        if let right {
            result = try Self.result(
                [Self.record(Self.place, event, right), Self.success(Self.place)], version)
            #expect(result.innerFailures.isEmpty)
        }
        // A truncated event is malformed.
        let bytes = FixtureValue.vector([Self.success(Self.place), failing])
        let metadata = try RuntimeMetadata(Self.runtime.metadata(version))
        #expect(throws: TransactionResult.Unknown.malformed) {
            try TransactionResult(events: bytes.dropLast(), place: Self.place, metadata: metadata)
        }
    }

    @Test func `what was executed to its end is no failure`() throws {
        let twenty = [UInt8](repeating: 1, count: 20)
        let records =
            ["EVM.Executed", "EVM.Created"].map { Self.record(Self.place, $0, twenty) } + [
                Self.success(Self.place)
            ]
        #expect(try Self.result(records).innerFailures.isEmpty)
    }

    /// A contract that reverts by itself fails the transaction: `ContractReverted` is an error of its pallet
    /// like any other.
    @Test func `the transaction's own end is one event at its place`() throws {
        let reverted: [UInt8] = [3, 40, 24, 0, 0, 0]
        #expect(
            try Self.result([Self.success(2), Self.failed(Self.place, reverted), Self.success(4)]).failure
                == reverted)
        for error in [Self.badOrigin, Self.noBalance, [7, 1]] {
            #expect(
                try Self.result([Self.failed(nil, reverted), Self.failed(Self.place, error)]).failure == error
            )
        }
        for (records, count) in [
            ([], 0), ([Self.success(2)], 0), ([Self.success(nil)], 0),
            ([Self.success(Self.place), Self.success(Self.place)], 2),
            ([Self.success(Self.place), Self.failed(Self.place, Self.badOrigin)], 2),
        ] as [([[UInt8]], Int)] {
            #expect(throws: TransactionResult.Unknown.results(count)) { try Self.result(records) }
        }
        let fee = Self.account + FixtureValue.integer(UInt128(15)) + FixtureValue.integer(UInt128(2))
        let paid = Self.record(Self.place, "TransactionPayment.TransactionFeePaid", fee)
        #expect(try Self.result([paid, Self.success(Self.place)]).fee == 15)
        #expect(
            try Self.result([
                Self.record(2, "TransactionPayment.TransactionFeePaid", fee), Self.success(Self.place),
            ]).fee == nil)
        let undescribed = try RuntimeMetadata(FixtureRuntime.standard.metadata(.v15))
        #expect(throws: TransactionResult.Unknown.undescribed) {
            try TransactionResult(
                events: FixtureValue.vector([Self.success(Self.place)]), place: Self.place,
                metadata: undescribed)
        }
    }

    /// Each value is bounded by the bytes that are left. Without a bound for all of them together, an answer
    /// of 100 kilobytes filled five gigabytes.
    @Test(arguments: [place, 2, nil])
    func `values of no bytes are counted over all events, whatever transaction they are of`(
        place: UInt32?
    ) throws {
        let empty = Self.record(place, "Bridge.Emptied")
        #expect(try Self.result([empty, Self.success(Self.place)]).failure == nil)
        #expect(throws: TransactionResult.Unknown.tooMany) {
            try Self.result([[UInt8]](repeating: empty, count: 20) + [Self.success(Self.place)])
        }
    }

    @Test func `of many failures inside the first are kept with their count`() throws {
        let result = try Self.result(
            [[UInt8]](repeating: Self.record(Self.place, "Utility.ItemFailed", Self.badOrigin), count: 25)
                + [[UInt8]](repeating: Self.record(2, "Utility.ItemFailed", Self.badOrigin), count: 5)
                + [Self.success(Self.place)])
        #expect(result.innerFailures.count == TransactionResult.keptFailures)
        #expect(result.innerFailureCount == 25)
    }

    @Test func `reading ends at its deadline`() throws {
        let metadata = try RuntimeMetadata(Self.runtime.metadata(.v15))
        let events = FixtureValue.vector([Self.success(Self.place)])
        #expect(throws: TransactionResult.Unknown.late) {
            try TransactionResult(events: events, place: Self.place, metadata: metadata, deadline: .now)
        }
        let result = try TransactionResult(
            events: events, place: Self.place, metadata: metadata, deadline: .now + .seconds(3600))
        #expect(result.failure == nil)
    }

    /// An error behind a weight is looked for where it is. A copy of all that is left would take 16 MB for
    /// each event here.
    @Test func `what stands behind an event costs nothing`() throws {
        let length = 1 << 24
        let note = FixtureValue.compact(UInt128(length)) + [UInt8](repeating: 0, count: length)
        let hash = [UInt8](repeating: 9, count: 32)
        func time(_ fields: [UInt8]) throws -> Duration {
            let event = Self.record(Self.place, "Whitelist.WhitelistedCallDispatched", hash + fields)
            let records =
                [[UInt8]](repeating: event, count: 2000)
                + [Self.success(Self.place), Self.record(nil, "Bridge.Noted", note)]
            let events = FixtureValue.vector(records)
            let metadata = try RuntimeMetadata(Self.runtime.metadata(.v15))
            return try ContinuousClock().measure {
                _ = try TransactionResult(events: events, place: Self.place, metadata: metadata)
            }
        }
        let (right, wrong) = (try time([0, 0, 1]), try time([1, 0, 1] + Self.badOrigin))
        #expect(wrong < right * 4 + .seconds(1), "\(wrong) against \(right)")
    }

    /// The hash that a signature covers covers no events, so a node may give one the name of another.
    @Test func `a success with an error and a failure without one tell nothing`() throws {
        var exchanged = Self.runtime
        let system = try #require(exchanged.pallets.firstIndex { $0.name == "System" })
        exchanged.pallets[system].events = exchanged.pallets[system].events.map { event in
            switch event.name {
            case "ExtrinsicSuccess":
                FixtureVariant("ExtrinsicFailed", index: event.index, fields: event.fields)
            case "ExtrinsicFailed":
                FixtureVariant("ExtrinsicSuccess", index: event.index, fields: event.fields)
            default: event
            }
        }
        let metadata = try RuntimeMetadata(exchanged.metadata(.v15))
        for record in [Self.success(Self.place), Self.failed(Self.place, Self.noBalance)] {
            #expect(throws: TransactionResult.Unknown.contradictory) {
                try TransactionResult(
                    events: FixtureValue.vector([record]), place: Self.place, metadata: metadata)
            }
        }
    }
}
