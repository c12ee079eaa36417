import Cards
import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import Testing

@Suite struct MeaningLaws {
    static let runtime = FixtureRuntime.standard

    static func decode(_ call: [UInt8], _ context: DecodingContext = DecodingContext(), _ runtime: FixtureRuntime = runtime) throws
        -> DecodedTransaction
    {
        try Extrinsics.decode(
            body: runtime.transactionBody(call: call), metadata: RuntimeMetadata(runtime.metadata()), specs: runtime.specs,
            context: context)
    }

    static func notices(_ decoded: DecodedTransaction) -> [String] {
        decoded.method.filter { $0.kind == .notice }.map(\.value)
    }

    static let charlie = Hex.decode("90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22")!

    static func multisig(_ runtime: FixtureRuntime = runtime) -> [UInt8] {
        runtime.call(
            "Multisig", "as_multi",
            [
                FixtureValue.integer(UInt16(2)), FixtureValue.vector([Account.bob, charlie]), FixtureValue.none, runtime.transfer(),
                FixtureValue.compact(1) + FixtureValue.compact(2),
            ])
    }

    /// The address is the one that substrate-interface 1.8.1 computes: `generate_multisig_account` for Alice, Bob, Charlie, threshold 2.
    @Test func aMultisigIsNamedByItsAddressThresholdAndCallHash() throws {
        let decoded = try Self.decode(Self.multisig(), DecodingContext(signer: Account.alice))
        let hash = Hex.encode(BLAKE2b.hash(Self.runtime.transfer()))
        #expect(
            Self.notices(decoded) == [
                "call hash 0x\(hash)", "multisig 5DjYJStmdZ2rcqXbXGX7TW85JsrW6uG4y9MUcLq2BoPMpRA7, 2 of 3",
            ])
    }

    @Test func aMultisigWithoutAKnownSignerHasNoAddress() throws {
        #expect(Self.notices(try Self.decode(Self.multisig())).count == 1)
    }

    @Test func aProxyNamesTheRealAccountAndNestedMultisigsFollowFromIt() throws {
        let call = Self.runtime.call("Proxy", "proxy", [FixtureValue.address(Account.alice), FixtureValue.none, Self.multisig()])
        let decoded = try Self.decode(call, DecodingContext(signer: Self.charlie))
        let notices = Self.notices(decoded)
        #expect(notices.first == "runs as 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY")
        #expect(notices.last == "multisig 5DjYJStmdZ2rcqXbXGX7TW85JsrW6uG4y9MUcLq2BoPMpRA7, 2 of 3")
    }

    /// The fixture with calls that make another call in the name of someone else.
    static var recovering: FixtureRuntime {
        var runtime = runtime
        let nested = FixtureField("call", .runtimeCall, typeName: "Box<<T as Config>::RuntimeCall>")
        let account = FixtureField("account", StandardTypes.multiAddress, typeName: "AccountIdLookupOf<T>")
        runtime.pallets.append(
            FixturePallet(
                "Recovery", index: 98,
                calls: [
                    FixtureVariant("as_recovered", index: 0, fields: [account, nested]),
                    FixtureVariant("in_some_name", index: 1, fields: [nested]),
                ]))
        return runtime
    }

    @Test func aRecoveredAccountIsTheOneThatACallRunsAs() throws {
        let call = Self.recovering.call("Recovery", "as_recovered", [FixtureValue.address(Account.alice), Self.multisig()])
        let notices = Self.notices(try Self.decode(call, DecodingContext(signer: Self.charlie), Self.recovering))
        #expect(notices.first == "runs as 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY")
        #expect(notices.last == "multisig 5DjYJStmdZ2rcqXbXGX7TW85JsrW6uG4y9MUcLq2BoPMpRA7, 2 of 3")
    }

    /// A multisig's address follows from who calls it; the sender's would be a wrong one here.
    @Test func inTheNameOfAnAccountThatIsNotKnownAMultisigHasNoAddress() throws {
        let index: [UInt8] = [1]
        let calls = [
            Self.recovering.call("Proxy", "proxy", [index, FixtureValue.none, Self.multisig()]),
            Self.recovering.call("Recovery", "as_recovered", [index, Self.multisig()]),
            Self.recovering.call("Recovery", "in_some_name", [Self.multisig()]),
        ]
        for call in calls {
            let notices = Self.notices(try Self.decode(call, DecodingContext(signer: Account.alice), Self.recovering))
            #expect(notices.count == 1 && notices[0].hasPrefix("call hash"))
        }
        let batch = Self.runtime.call("Utility", "batch", [FixtureValue.vector([Self.multisig()])])
        #expect(Self.notices(try Self.decode(batch, DecodingContext(signer: Account.alice))).last?.hasPrefix("multisig 5DjYJStm") == true)
    }

    /// The fixture with a call that approves by hash.
    static var approving: FixtureRuntime {
        var runtime = runtime
        let place = runtime.pallets.firstIndex { $0.name == "Multisig" }!
        var fields = runtime.pallets[place].calls[0].fields
        fields[3] = FixtureField("call_hash", .array(32, .u8), typeName: "[u8; 32]")
        runtime.pallets[place].calls.append(FixtureVariant("approve_as_multi", index: 2, fields: fields))
        return runtime
    }

    @Test func aHashOnlyCallSaysSoAndShowsTheCallThatIsSupplied() throws {
        let runtime = Self.approving
        let call = runtime.call(
            "Multisig", "approve_as_multi",
            [
                FixtureValue.integer(UInt16(2)), FixtureValue.vector([Account.bob]), FixtureValue.none,
                BLAKE2b.hash(runtime.transfer()), FixtureValue.compact(1) + FixtureValue.compact(2),
            ])
        let bare = try Self.decode(call, DecodingContext(knownCalls: [runtime.transfer(7)]), runtime)
        #expect(Self.notices(bare) == ["only a hash: the call is not shown"])
        #expect(bare.warnings.map(\.fields) == [[.init("code", "hidden-call")]])
        #expect(bare.summary.hiddenCalls.count == 1)
        let shown = try Self.decode(call, DecodingContext(knownCalls: [runtime.transfer()]), runtime)
        #expect(Self.notices(shown) == ["the call of this hash"])
        #expect(lines(shown.method).contains("          call transfer_keep_alive"))
        #expect(shown.warnings.isEmpty)
    }

    @Test func movingEverythingIsWarnedOfAtAnyDepth() throws {
        let all = Self.runtime.call("Balances", "transfer_all", [FixtureValue.address(Account.bob), FixtureValue.bool(false)])
        let batch = Self.runtime.call("Utility", "batch", [FixtureValue.vector([Self.runtime.transfer(), all])])
        let decoded = try Self.decode(batch)
        #expect(decoded.warnings.map(\.fields) == [[.init("code", "moves-everything")]])
        #expect(Self.notices(decoded) == ["2 calls"])
    }

    @Test func anAssetAmountTakesTheUnitOfASuppliedListOnly() throws {
        let call = Self.runtime.call(
            "Assets", "transfer", [FixtureValue.compact(1984), FixtureValue.address(Account.bob), FixtureValue.compact(5_000_000)])
        let raw = try Self.decode(call)
        #expect(Self.notices(raw) == ["in the smallest unit of asset 1984, whose decimals are unknown"])
        #expect(raw.summary.hasAssetAmounts && raw.summary.nativeAmounts.isEmpty)
        struct Units: AssetDirectory {
            func unit(of asset: AssetKey) -> AssetUnit? {
                asset == .pallet("Assets", id: "1984") ? AssetUnit(symbol: "USDT", decimals: 6) : nil
            }
        }
        let known = try Self.decode(call, DecodingContext(assets: Units()))
        #expect(lines(known.method).last == "      balance 5.000000 USDT")
    }

    @Test func anAssetThatIsNamedBehindOtherArgumentsGivesTheUnit() throws {
        var runtime = Self.runtime
        let fields = [
            FixtureField("target", FixtureRuntime.address, typeName: "AccountIdLookupOf<T>"),
            FixtureField("amount", .compact(.u128), typeName: "T::Balance"),
            FixtureField("id", .compact(.u32), typeName: "T::AssetId"),
        ]
        runtime.pallets.append(FixturePallet("Tokens", index: 98, calls: [FixtureVariant("pay", index: 0, fields: fields)]))
        struct Units: AssetDirectory {
            func unit(of asset: AssetKey) -> AssetUnit? {
                asset == .pallet("Tokens", id: "7") ? AssetUnit(symbol: "USDT", decimals: 6) : nil
            }
        }
        let call = runtime.call(
            "Tokens", "pay", [FixtureValue.address(Account.bob), FixtureValue.compact(5_000_000), FixtureValue.compact(7)])
        let decoded = try Self.decode(call, DecodingContext(assets: Units()), runtime)
        #expect(decoded.method.filter { $0.kind == .balance }.map(\.value) == ["5.000000 USDT"])
    }

    @Test func validityIsSaidInBlocks() throws {
        let values = FixtureExtensionValues(era: .mortal(MortalEra(period: 64, phase: 27)!), blockHash: Hash32(Account.bob))
        let decoded = try Self.runtime.decode(Self.runtime.transactionBody(call: Self.runtime.transfer(), values))
        #expect(
            decoded.extensions.contains {
                $0.kind == .notice && $0.value == "valid for about 64 blocks from block 0x\(Hex.encode(Account.bob))"
            })
    }

    @Test func aMessageThatIsATransactionIsRecognised() throws {
        let metadata = try RuntimeMetadata(Self.runtime.metadata())
        let call = Self.runtime.transfer()
        for message in [call, Self.runtime.signingBytes(call: call), Self.runtime.transactionBody(call: call)] {
            #expect(Extrinsics.looksLikeTransaction(message, metadata: metadata))
        }
        for message in [[], Array("<Bytes>hello</Bytes>".utf8), call + [1], Array(call.dropLast())] {
            #expect(!Extrinsics.looksLikeTransaction(message, metadata: metadata))
        }
    }

    /// Whether an XCM Transact runs here or on another chain, nothing in its bytes says: no call is read into them.
    @Test func theCallOfATransactIsSaidToBeHidden() throws {
        let encoded = FixtureType.composite(
            path: ["xcm", "double_encoded", "DoubleEncoded"], fields: [FixtureField("encoded", .bytes, typeName: "Vec<u8>")])
        var runtime = Self.runtime
        runtime.pallets.append(
            FixturePallet(
                "Types", index: 99, calls: [FixtureVariant("try", index: 0, fields: [FixtureField("it", encoded, typeName: nil)])]))
        let transfer = runtime.transfer()
        let decoded = try Self.decode([99, 0] + FixtureValue.compact(UInt128(transfer.count)) + transfer, DecodingContext(), runtime)
        #expect(decoded.warnings.map(\.fields) == [[.init("code", "hidden-call")]])
        #expect(decoded.summary.hiddenCalls == [.blake2b(of: transfer)])
        #expect(lines(decoded.method).last == "        bytes 0x\(Hex.encode(transfer))")
    }

    // MARK: types

    /// A fixture call whose one argument has the given type, and the lines its argument shows as.
    static func argument(_ type: FixtureType, _ typeName: String? = nil, _ bytes: [UInt8]) throws -> [String] {
        var runtime = runtime
        let call = FixtureVariant("try", index: 0, fields: [FixtureField("it", type, typeName: typeName)])
        runtime.pallets.append(FixturePallet("Types", index: 99, calls: [call]))
        let decoded = try decode([99, 0] + bytes, DecodingContext(), runtime)
        #expect(try decoded.reencoded() == decoded.signingBytes)
        return lines(Array(decoded.method.dropFirst(3))).map { String($0.dropFirst(6)) }
    }

    static func newtype(_ path: String, _ inner: FixtureType) -> FixtureType {
        .composite(path: ["sp_arithmetic", "per_things", path], fields: [FixtureField(nil, inner, typeName: nil)])
    }

    static func order(_ name: String) -> FixtureType { .composite(path: ["bitvec", "order", name], fields: []) }

    static let shapes: [(FixtureType, String?, [UInt8], [String])] = [
        (.option(.bool), nil, [0], ["none None"]), (.option(.bool), nil, [1, 0], ["bool false"]),
        (.option(.bool), nil, [1, 1], ["bool true"]),
        (.option(.option(.bool)), nil, [1, 0], ["enum_variant Some", "  none None"]),
        (.primitive(.char), nil, [0x41, 0, 0, 0], ["text A"]), (.string, nil, [8, 0x68, 0x69], ["text hi"]),
        (.primitive(.i8), nil, [0xff], ["number -1"]), (.primitive(.i128), nil, [0xfe] + Array(repeating: 0xff, count: 15), ["number -2"]),
        (
            .primitive(.u256), nil, Array(repeating: 0xff, count: 32),
            ["number 115792089237316195423570985008687907853269984665640564039457584007913129639935"]
        ),
        (.primitive(.i256), nil, Array(repeating: 0xff, count: 32), ["number -1"]),
        (
            .compact(.primitive(.u256)), nil, [0x33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            ["number 1329227995784915872903807060280344576"]
        ),
        (.compact(newtype("Perbill", .u32)), nil, [0x02, 0x65, 0xcd, 0x1d], ["number 12.5%"]),
        (newtype("Perbill", .u32), nil, [0, 0x94, 0x35, 0x77], ["number 200%"]), (newtype("Percent", .u8), nil, [7], ["number 7%"]),
        (newtype("FixedU128", .u128), nil, FixtureValue.integer(UInt128(1_500_000_000_000_000_000)), ["number 1.5"]),
        (.bitSequence(store: .u8, order: order("Lsb0")), nil, [0x14, 0b0000_0001], ["bits 0b10000"]),
        (.bitSequence(store: .u16, order: order("Msb0")), nil, [0x14, 0, 0b1000_1000], ["bits 0b10001"]),
        (.bitSequence(store: .u64, order: order("Lsb0")), nil, [0x04, 1, 0, 0, 0, 0, 0, 0, 0], ["bits 0b1"]),
        (.bytes, nil, [8, 0x68, 0x69], ["text hi"]), (.bytes, nil, [8, 0, 1], ["bytes 0x0001"]), (.bytes, nil, [0], ["bytes 0x"]),
        (.bytes, nil, [8, 0x30, 0x78], ["bytes 0x3078"]), (.array(2, .u8), nil, [0x68, 0x69], ["bytes 0x6869"]),
        (.tuple([.u8, .bool]), nil, [5, 1], ["field_number 1", "  number 5", "field_number 2", "  bool true"]),
        (.unit, nil, [], ["none ()"]), (.sequence(.u16), nil, [0], ["none []"]),
        (.sequence(.u16), nil, [4, 1, 0], ["field_number 1", "  number 1"]),
        (
            .sequence(.tuple([.u8, .u128])), "Vec<(u8, BalanceOf<T>)>", [4, 1] + FixtureValue.integer(UInt128(1_000_000_000_000)),
            ["field_number 1", "  field_number 1", "    number 1", "  field_number 2", "    balance 1.000000000000 HLO"]
        ),
        (.option(.u128), "Option<BalanceOf<T>>", [1] + FixtureValue.integer(UInt128(1_000_000_000_000)), ["balance 1.000000000000 HLO"]),
        (StandardTypes.era, nil, [0xb5, 0x01], ["era_mortal phase 27, period 64"]),
        (
            .composite(path: ["account", "AccountId20"], fields: [FixtureField(nil, .array(20, .u8), typeName: nil)]), nil,
            Hex.decode("f24ff3a9cf04c71dbc94d0b566f7a27b94566cac")!, ["account 0xf24FF3a9CF04c71Dbc94D0b566f7A27B94566cac"]
        ),
    ]

    @Test(arguments: 0..<shapes.count)
    func everyTypeIsShownAndWrittenBack(place: Int) throws {
        let (type, typeName, bytes, expected) = Self.shapes[place]
        #expect(try Self.argument(type, typeName, bytes) == expected)
    }

    @Test func setPaddingBitsAreRefused() throws {
        #expect(throws: ExtrinsicError.self) {
            try Self.argument(.bitSequence(store: .u8, order: Self.order("Lsb0")), nil, [0x14, 0b0010_0001])
        }
    }

    @Test func arraysOfNoneOneAndTwoElementsAreShown() throws {
        #expect(try Self.argument(.array(0, .u16), nil, []) == ["none []"])
        #expect(try Self.argument(.array(1, .u16), nil, [5, 0]) == ["field_number 1", "  number 5"])
        #expect(try Self.argument(.array(2, .u16), nil, [5, 0, 6, 0]).count == 4)
        let planck = FixtureValue.integer(UInt128(1)) + FixtureValue.integer(UInt128(2))
        let named = try Self.argument(.array(2, .u128), "[BalanceOf<T>; 2]", planck)
        #expect(named.map { $0.split(separator: " ")[0] } == ["field_number", "balance", "field_number", "balance"])
        #expect(try Self.argument(.array(2, .u128), "[Other; 2]", planck).contains("  number 1"))
    }

    /// A spelling is read up to 1024 bytes, and in ASCII only: nobody's metadata may keep the reader busy, or call a letter by another's name.
    @Test func aLongOrForeignTypeNameSaysNothing() throws {
        func boxed(_ length: Int) -> String {
            let boxes = (length - 7) / 5
            let name = String(repeating: "Box<", count: boxes) + "Balance" + String(repeating: ">", count: boxes)
            return name + String(repeating: " ", count: length - name.utf8.count)
        }
        func kind(_ typeName: String) throws -> String? {
            try Self.argument(.u128, typeName, FixtureValue.integer(UInt128(5))).first.map { String($0.prefix { $0 != " " }) }
        }
        #expect(try kind("Balance") == "balance" && kind(boxed(1024)) == "balance")
        #expect(try kind(boxed(1025)) == "number" && kind(boxed(1100)) == "number")
        #expect(try kind("B\u{430}lance") == "number" && kind("Balance\u{301}") == "number" && kind("\u{a0}Balance") == "number")
    }

    @Test func aLocationIsSaidInOneLine() throws {
        let account = FixtureVariant("AccountId32", index: 1, fields: [FixtureField("id", .array(32, .u8), typeName: "[u8; 32]")])
        let parachain = FixtureVariant("Parachain", index: 0, fields: [FixtureField(nil, .compact(.u32), typeName: "u32")])
        let junction = FixtureType.variant(path: ["staging_xcm", "v4", "junction", "Junction"], variants: [parachain, account])
        let junctions = FixtureType.variant(
            path: ["staging_xcm", "v4", "junctions", "Junctions"],
            variants: [
                FixtureVariant("Here", index: 0),
                FixtureVariant("X2", index: 2, fields: [FixtureField(nil, .array(2, junction), typeName: nil)]),
            ])
        let location = FixtureType.composite(
            path: ["staging_xcm", "v4", "location", "Location"],
            fields: [FixtureField("parents", .u8, typeName: "u8"), FixtureField("interior", junctions, typeName: "Junctions")])
        let shown = try Self.argument(location, nil, [1, 2, 0] + FixtureValue.compact(2000) + [1] + Account.alice)
        #expect(shown.first == "notice parent, parachain 2000, account 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY")
        #expect(try Self.argument(location, nil, [0, 0]).first == "notice here")
    }

    @Test func accountsInsideLocationsAreAddresses() throws {
        let junction = FixtureType.variant(
            path: ["staging_xcm", "v4", "junction", "Junction"],
            variants: [
                FixtureVariant("Parachain", index: 0, fields: [FixtureField(nil, .compact(.u32), typeName: "u32")]),
                FixtureVariant(
                    "AccountId32", index: 1,
                    fields: [
                        FixtureField("network", .option(.u8), typeName: nil), FixtureField("id", .array(32, .u8), typeName: "[u8; 32]"),
                    ]),
            ])
        #expect(
            try Self.argument(.array(2, junction), nil, [0] + FixtureValue.compact(2000) + [1, 0] + Account.alice) == [
                "field_number 1", "  enum_variant Parachain", "    number 2000", "field_number 2", "  enum_variant AccountId32",
                "    field_name network", "      none None", "    field_name id",
                "      account 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY",
            ])
    }
}
