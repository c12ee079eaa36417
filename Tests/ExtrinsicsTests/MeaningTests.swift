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

    static func decode(
        _ call: [UInt8], _ context: DecodingContext = DecodingContext(), _ runtime: FixtureRuntime = runtime
    ) throws
        -> DecodedTransaction
    {
        try Extrinsics.decode(
            body: runtime.transactionBody(call: call), metadata: RuntimeMetadata(runtime.metadata()),
            specs: runtime.specs,
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
                FixtureValue.integer(UInt16(2)), FixtureValue.vector([Account.bob, charlie]),
                FixtureValue.none, runtime.transfer(),
                FixtureValue.compact(1) + FixtureValue.compact(2),
            ])
    }

    /// The address is the one that substrate-interface 1.8.1 computes: `generate_multisig_account` for Alice,
    /// Bob, Charlie, threshold 2.
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

    /// An address by its index names an account that only the chain knows: the address of a multisig of the
    /// others is that of another account.
    @Test func aMultisigOfWhichOneSignatoryIsUnknownHasNoAddress() throws {
        var runtime = Self.runtime
        let place = runtime.pallets.firstIndex { $0.name == "Multisig" }!
        for call in runtime.pallets[place].calls.indices {
            let field = runtime.pallets[place].calls[call].fields.firstIndex {
                $0.name == "other_signatories"
            }!
            runtime.pallets[place].calls[call].fields[field] = FixtureField(
                "other_signatories", .sequence(StandardTypes.multiAddress),
                typeName: "Vec<AccountIdLookupOf<T>>")
        }
        func notices(_ others: [[UInt8]]) throws -> [String] {
            let call = runtime.call(
                "Multisig", "as_multi",
                [
                    FixtureValue.integer(UInt16(2)), FixtureValue.vector(others), FixtureValue.none,
                    runtime.transfer(),
                    FixtureValue.compact(1) + FixtureValue.compact(2),
                ])
            return Self.notices(try Self.decode(call, DecodingContext(signer: Account.alice), runtime))
        }
        let hash = "call hash 0x\(Hex.encode(BLAKE2b.hash(runtime.transfer())))"
        let (bob, charlie) = (FixtureValue.address(Account.bob), FixtureValue.address(Self.charlie))
        #expect(
            try notices([bob, charlie]) == [
                hash, "multisig 5DjYJStmdZ2rcqXbXGX7TW85JsrW6uG4y9MUcLq2BoPMpRA7, 2 of 3",
            ])
        for others in [[bob, [1]], [[1], bob], [[1]], [bob, charlie, [1]]] {
            #expect(try notices(others) == [hash])
        }
    }

    @Test func aProxyNamesTheRealAccountAndNestedMultisigsFollowFromIt() throws {
        let call = Self.runtime.call(
            "Proxy", "proxy", [FixtureValue.address(Account.alice), FixtureValue.none, Self.multisig()])
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
        let call = Self.recovering.call(
            "Recovery", "as_recovered", [FixtureValue.address(Account.alice), Self.multisig()])
        let notices = Self.notices(
            try Self.decode(call, DecodingContext(signer: Self.charlie), Self.recovering))
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
            let notices = Self.notices(
                try Self.decode(call, DecodingContext(signer: Account.alice), Self.recovering))
            #expect(notices.count == 1 && notices[0].hasPrefix("call hash"))
        }
        let batch = Self.runtime.call("Utility", "batch", [FixtureValue.vector([Self.multisig()])])
        #expect(
            Self.notices(try Self.decode(batch, DecodingContext(signer: Account.alice))).last?.hasPrefix(
                "multisig 5DjYJStm") == true)
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
        let all = Self.runtime.call(
            "Balances", "transfer_all", [FixtureValue.address(Account.bob), FixtureValue.bool(false)])
        let batch = Self.runtime.call(
            "Utility", "batch", [FixtureValue.vector([Self.runtime.transfer(), all])])
        let decoded = try Self.decode(batch)
        #expect(decoded.warnings.map(\.fields) == [[.init("code", "moves-everything")]])
        #expect(Self.notices(decoded) == ["2 calls"])
    }

    @Test func anAssetAmountTakesTheUnitOfASuppliedListOnly() throws {
        let call = Self.runtime.call(
            "Assets", "transfer",
            [FixtureValue.compact(1984), FixtureValue.address(Account.bob), FixtureValue.compact(5_000_000)])
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
        runtime.pallets.append(
            FixturePallet("Tokens", index: 98, calls: [FixtureVariant("pay", index: 0, fields: fields)]))
        struct Units: AssetDirectory {
            func unit(of asset: AssetKey) -> AssetUnit? {
                asset == .pallet("Tokens", id: "7") ? AssetUnit(symbol: "USDT", decimals: 6) : nil
            }
        }
        let call = runtime.call(
            "Tokens", "pay",
            [FixtureValue.address(Account.bob), FixtureValue.compact(5_000_000), FixtureValue.compact(7)])
        let decoded = try Self.decode(call, DecodingContext(assets: Units()), runtime)
        #expect(decoded.method.filter { $0.kind == .balance }.map(\.value) == ["5.000000 USDT"])
    }

    /// `swap_exact_tokens_for_tokens`, as pallet-asset-conversion declares it.
    static func swapping(_ path: FixtureType, _ spelled: String, _ amounts: [String]) -> FixtureRuntime {
        var runtime = runtime
        let amounts = amounts.map { FixtureField($0, .u128, typeName: "T::Balance") }
        let fields = [FixtureField("path", path, typeName: spelled)] + amounts
        runtime.pallets.append(
            FixturePallet(
                "AssetConversion", index: 98, calls: [FixtureVariant("swap", index: 0, fields: fields)]))
        return runtime
    }

    @Test func aSwapGivesTheFirstAssetOfItsPathForTheLast() throws {
        struct Units: AssetDirectory {
            func unit(of asset: AssetKey) -> AssetUnit? {
                asset == .pallet("AssetConversion", id: "7") ? AssetUnit(symbol: "USDT", decimals: 6) : nil
            }
        }
        func path(_ ids: [UInt32]) -> [UInt8] { FixtureValue.vector(ids.map { FixtureValue.integer($0) }) }
        func amount(_ number: UInt128) -> [UInt8] { FixtureValue.integer(number) }
        let list = FixtureType.sequence(.u32)
        let bounded = FixtureType.composite(
            path: ["bounded_collections", "bounded_vec", "BoundedVec"],
            fields: [FixtureField(nil, list, typeName: "Vec<T>")])
        for (type, spelled) in [
            (list, "Vec<Box<T::AssetKind>>"), (bounded, "BoundedVec<T::AssetKind, T::MaxSwapPathLength>"),
        ] {
            for names in [["amount_in", "amount_out_min"], ["amount_in_max", "amount_out"]] {
                let runtime = Self.swapping(type, spelled, names)
                let body = [98, 0] + path([7, 8, 9]) + amount(5_000_000) + amount(3)
                let bare = try Self.decode(body, DecodingContext(), runtime)
                #expect(
                    Self.notices(bare) == [
                        "in the smallest unit of asset 7, whose decimals are unknown",
                        "in the smallest unit of asset 9, whose decimals are unknown",
                    ])
                let known = try Self.decode(body, DecodingContext(assets: Units()), runtime)
                #expect(known.method.filter { $0.kind == .balance }.map(\.value) == ["5.000000 USDT"])
                #expect(known.summary.assetAmounts.map(\.raw) == [5_000_000, 3])
                #expect(
                    known.summary.assetAmounts.map(\.key) == [
                        .pallet("AssetConversion", id: "7"), .pallet("AssetConversion", id: "9"),
                    ])
            }
        }
        // An amount that is not said to be of either end, and a path without two ends, are of no asset that
        // is told apart.
        let other = Self.swapping(list, "Vec<Box<T::AssetKind>>", ["amount", "amount_out"])
        let summary = try Self.decode(
            [98, 0] + path([7, 8]) + amount(1) + amount(2), DecodingContext(), other
        ).summary
        #expect(summary.assetAmounts.map(\.key) == [nil, .pallet("AssetConversion", id: "8")])
        for ids in [[], [7]] as [[UInt32]] {
            let runtime = Self.swapping(list, "Vec<Box<T::AssetKind>>", ["amount_in", "amount_out"])
            let summary = try Self.decode(
                [98, 0] + path(ids) + amount(1) + amount(2), DecodingContext(), runtime
            ).summary
            #expect(
                summary.assetAmounts.map(\.key) == [nil, nil]
                    && summary.assetAmounts.map(\.raw) == [1, 2])
        }
    }

    // MARK: what the chain refuses

    /// The notices under an argument of a type.
    static func notices(_ type: FixtureType, _ typeName: String? = nil, _ bytes: [UInt8]) throws -> [String] {
        try argument(type, typeName, bytes).compactMap { line in
            let line = line.drop { $0 == " " }
            return line.hasPrefix("notice ") ? String(line.dropFirst(7)) : nil
        }
    }

    static func ordered(_ name: String, _ item: FixtureType) -> FixtureType {
        .composite(path: [name], fields: [FixtureField(nil, .sequence(item), typeName: nil)])
    }

    /// The runtime holds the keys sorted, and encodes the call again to check the signature.
    @Test func keysThatTheChainWouldSortAreRemarked() throws {
        let unsorted = "not in ascending order: the chain refuses the signature"
        let twice = "an item stands here twice: the chain refuses the signature"
        func keys(_ item: FixtureType, _ keys: [[UInt8]]) throws -> [String] {
            let set = try Self.notices(Self.ordered("BTreeSet", item), nil, FixtureValue.vector(keys))
            let pairs = FixtureValue.vector(keys.map { $0 + [0] })
            #expect(try Self.notices(Self.ordered("BTreeMap", .tuple([item, .u8])), nil, pairs) == set)
            #expect(try Self.notices(Self.ordered("Vec", item), nil, FixtureValue.vector(keys)) == [])
            return set
        }
        // 1 stands before 256, and its bytes do not.
        let (one, large) = (FixtureValue.integer(UInt16(1)), FixtureValue.integer(UInt16(256)))
        for right in [[], [large], [one, large]] { #expect(try keys(.u16, right) == []) }
        #expect(try keys(.u16, [large, one]) == [unsorted])
        #expect(try keys(.u16, [one, one]) == [twice] && keys(.u16, [one, large, large]) == [twice])
        #expect(try keys(.u16, [one, one, large, one]) == [unsorted])
        #expect(
            try keys(.u8, [[1], [2]]) == [] && keys(.u8, [[2], [1]]) == [unsorted]
                && keys(.u8, [[2], [2]]) == [twice])
        #expect(
            try keys(.primitive(.i8), [[0xff], [1]]) == []
                && keys(.primitive(.i8), [[1], [0xff]]) == [unsorted])
        #expect(try keys(.bool, [[0], [1]]) == [] && keys(.bool, [[1], [0]]) == [unsorted])
        #expect(
            try keys(.string, [[4, 0x61], [8, 0x61, 0x61]]) == []
                && keys(.string, [[8, 0x61, 0x61], [4, 0x61]]) == [unsorted])
        #expect(
            try keys(.array(32, .u8), [Account.bob, Account.alice]) == []
                && keys(.array(32, .u8), [Account.alice, Account.bob]) == [unsorted])
        let (low, high) = (FixtureValue.integer(UInt128(1)), FixtureValue.integer(UInt128(2)))
        let wide = [low, high].map { [UInt8](repeating: 0, count: 16) + $0 }
        #expect(
            try keys(.primitive(.u256), wide) == [] && keys(.primitive(.u256), wide.reversed()) == [unsorted])
        // An Option: None before Some. A pair: by its first element, then by its second.
        #expect(
            try keys(.option(.u8), [[0], [1, 0], [1, 5]]) == []
                && keys(.option(.u8), [[1, 0], [0]]) == [unsorted])
        #expect(try keys(.option(.u8), [[1, 5], [1, 0]]) == [unsorted])
        let pair = FixtureType.tuple([.u8, .u8])
        #expect(
            try keys(pair, [[1, 9], [2, 0], [2, 1]]) == [] && keys(pair, [[2, 1], [2, 0]]) == [unsorted])
    }

    @Test func aPartAboveTheWholeIsRemarked() throws {
        let refused = ["above the maximum of 100%: the chain refuses it"]
        func whole(
            _ name: String, _ integer: FixtureType, _ whole: [UInt8], _ above: [UInt8], _ expected: [String]
        ) throws {
            for (type, spelled) in [
                (Self.newtype(name, integer), nil), (integer, name), (integer, "Compact<\(name)>"),
            ] {
                #expect(try Self.notices(type, spelled, whole) == [])
                #expect(try Self.notices(type, spelled, above) == expected)
            }
        }
        try whole("Percent", .u8, [100], [101], refused)
        try whole(
            "Permill", .u32, FixtureValue.integer(UInt32(1_000_000)), FixtureValue.integer(UInt32(1_000_001)),
            refused)
        try whole(
            "Perbill", .u32, FixtureValue.integer(UInt32(1_000_000_000)),
            FixtureValue.integer(UInt32(1_000_000_001)), refused)
        let quintillion = UInt64(1_000_000_000_000_000_000)
        try whole(
            "Perquintill", .u64, FixtureValue.integer(quintillion), FixtureValue.integer(quintillion + 1),
            refused)
        // Of an integer of another width a name says nothing.
        let others: [(FixtureType, [UInt8])] = [
            (.u16, FixtureValue.integer(UInt16(50))), (.u32, FixtureValue.integer(UInt32(50))),
            (.u64, FixtureValue.integer(UInt64(50))),
        ]
        for (type, bytes) in others {
            #expect(try Self.argument(type, "Percent", bytes).allSatisfy { !$0.contains("%") })
        }
        // A fixed-point number has no whole.
        try whole(
            "FixedU64", .u64, FixtureValue.integer(quintillion), FixtureValue.integer(quintillion + 1), [])
        let compact = FixtureType.compact(Self.newtype("Perbill", .u32))
        #expect(try Self.notices(compact, nil, FixtureValue.compact(1_000_000_000)) == [])
        #expect(try Self.notices(compact, nil, FixtureValue.compact(1_000_000_001)) == refused)
    }

    /// A length whose bound is a constant of the pallet. A runtime reads no longer one.
    @Test func aLengthAboveTheConstantOfThePalletIsRemarked() throws {
        let bounded = FixtureType.composite(
            path: ["bounded_collections", "bounded_vec", "BoundedVec"],
            fields: [FixtureField(nil, .bytes, typeName: "Vec<T>")])
        let list = FixtureType.composite(
            path: ["bounded_collections", "bounded_vec", "BoundedVec"],
            fields: [FixtureField(nil, .sequence(.u16), typeName: "Vec<T>")])
        func notices(_ type: FixtureType, _ spelled: String, _ bytes: [UInt8], _ pallet: String = "Types")
            throws -> [String]
        {
            var runtime = Self.runtime
            let call = FixtureVariant("try", index: 0, fields: [FixtureField("it", type, typeName: spelled)])
            let limit = [FixtureConstant("KeyLimit", .u32, value: FixtureValue.integer(UInt32(3)))]
            runtime.pallets.append(
                FixturePallet("Types", index: 99, calls: [call], constants: pallet == "Types" ? limit : []))
            runtime.pallets.append(
                FixturePallet("Other", index: 100, calls: [], constants: pallet == "Types" ? [] : limit))
            return Self.notices(try Self.decode([99, 0] + bytes, DecodingContext(), runtime))
        }
        let refused = ["above the maximum of 3 (KeyLimit): the chain refuses it"]
        let (three, four) = (FixtureValue.bytes([1, 2, 3]), FixtureValue.bytes([1, 2, 3, 4]))
        for spelled in [
            "BoundedVec<u8, T::KeyLimit>", "Box<BoundedVec<u8, T::KeyLimit>>",
            "WeakBoundedVec<u8,T::KeyLimit>",
        ] {
            #expect(try notices(bounded, spelled, three) == [] && notices(bounded, spelled, four) == refused)
        }
        let option = "Option<BoundedVec<u8, T::KeyLimit>>"
        #expect(
            try notices(.option(bounded), option, [1] + three) == []
                && notices(.option(bounded), option, [1] + four) == refused)
        #expect(try notices(.option(bounded), option, [0]) == [])
        func items(_ count: UInt16) -> [UInt8] {
            FixtureValue.vector((0..<count).map { FixtureValue.integer($0) })
        }
        #expect(try notices(list, "BoundedVec<u16, T::KeyLimit>", items(3)) == [])
        #expect(try notices(list, "BoundedVec<u16, T::KeyLimit>", items(4)) == refused)
        // Nothing says these bounds: a parameter of another type, another constant, the constant of another
        // pallet.
        for spelled in [
            "BoundedVec<u8, KeyLimit>", "BoundedVec<u8, T::ValueLimit>", "BoundedVec<u8, ConstU32<3>>",
            "Vec<u8>",
        ] {
            #expect(try notices(bounded, spelled, four) == [])
        }
        #expect(try notices(bounded, "BoundedVec<u8, T::KeyLimit>", four, "Other") == [])
    }

    /// What wallets put where a chain asks for no proof. The shortest real one is a signature of 64 bytes.
    @Test func sessionKeysWithoutAProofOfPossessionAreRemarked() throws {
        func notices(_ name: String, _ argument: String, _ proof: [UInt8]) throws -> [String] {
            var runtime = Self.runtime
            let fields = [
                FixtureField("keys", .array(32, .u8), typeName: "T::Keys"),
                FixtureField(argument, .bytes, typeName: "Vec<u8>"),
            ]
            runtime.pallets.append(
                FixturePallet("Session", index: 98, calls: [FixtureVariant(name, index: 0, fields: fields)]))
            return Self.notices(
                try Self.decode(
                    [98, 0] + Account.bob + FixtureValue.bytes(proof), DecodingContext(), runtime))
        }
        let none = ["no proof that the sender has these keys: a chain that demands one refuses the call"]
        for proof in [[], [0], [UInt8](repeating: 0xff, count: 63)] {
            #expect(try notices("set_keys", "proof", proof) == none)
        }
        #expect(try notices("set_keys", "proof", [UInt8](repeating: 0xff, count: 64)) == [])
        #expect(try notices("set_keys", "other", [0]) == [] && notices("other", "proof", [0]) == [])
    }

    @Test func validityIsSaidInBlocks() throws {
        let values = FixtureExtensionValues(
            era: .mortal(MortalEra(period: 64, phase: 27)!), blockHash: Hash32(Account.bob))
        let decoded = try Self.runtime.decode(
            Self.runtime.transactionBody(call: Self.runtime.transfer(), values))
        #expect(
            decoded.extensions.contains {
                $0.kind == .notice
                    && $0.value == "valid for about 64 blocks from block 0x\(Hex.encode(Account.bob))"
            })
    }

    @Test func aMessageThatIsATransactionIsRecognised() throws {
        let metadata = try RuntimeMetadata(Self.runtime.metadata())
        let call = Self.runtime.transfer()
        for message in [
            call, Self.runtime.signingBytes(call: call), Self.runtime.transactionBody(call: call),
        ] {
            #expect(Extrinsics.looksLikeTransaction(message, metadata: metadata))
        }
        for message in [[], Array("<Bytes>hello</Bytes>".utf8), call + [1], Array(call.dropLast())] {
            #expect(!Extrinsics.looksLikeTransaction(message, metadata: metadata))
        }
    }

    /// Whether an XCM Transact runs here or on another chain, nothing in its bytes says: no call is read into
    /// them.
    @Test func theCallOfATransactIsSaidToBeHidden() throws {
        let encoded = FixtureType.composite(
            path: ["xcm", "double_encoded", "DoubleEncoded"],
            fields: [FixtureField("encoded", .bytes, typeName: "Vec<u8>")])
        var runtime = Self.runtime
        runtime.pallets.append(
            FixturePallet(
                "Types", index: 99,
                calls: [FixtureVariant("try", index: 0, fields: [FixtureField("it", encoded, typeName: nil)])]
            ))
        let transfer = runtime.transfer()
        let decoded = try Self.decode(
            [99, 0] + FixtureValue.compact(UInt128(transfer.count)) + transfer, DecodingContext(), runtime)
        #expect(decoded.warnings.map(\.fields) == [[.init("code", "hidden-call")]])
        #expect(decoded.summary.hiddenCalls == [.blake2b(of: transfer)])
        #expect(lines(decoded.method).last == "        bytes 0x\(Hex.encode(transfer))")
    }

    // MARK: types

    /// A fixture call whose one argument has the given type, and the lines its argument shows as.
    static func argument(_ type: FixtureType, _ typeName: String? = nil, _ bytes: [UInt8]) throws -> [String]
    {
        var runtime = runtime
        // An argument whose amounts are of the chain's own token.
        let call = FixtureVariant(
            "mint_claim", index: 0, fields: [FixtureField("value", type, typeName: typeName)])
        runtime.pallets.append(FixturePallet("Claims", index: 99, calls: [call]))
        let decoded = try decode([99, 0] + bytes, DecodingContext(), runtime)
        #expect(try decoded.reencoded() == decoded.signingBytes)
        return lines(Array(decoded.method.dropFirst(3))).map { String($0.dropFirst(6)) }
    }

    static func newtype(_ path: String, _ inner: FixtureType) -> FixtureType {
        .composite(
            path: ["sp_arithmetic", "per_things", path], fields: [FixtureField(nil, inner, typeName: nil)])
    }

    static func order(_ name: String) -> FixtureType {
        .composite(path: ["bitvec", "order", name], fields: [])
    }

    static let shapes: [(FixtureType, String?, [UInt8], [String])] = [
        (.option(.bool), nil, [0], ["none None"]), (.option(.bool), nil, [1, 0], ["bool false"]),
        (.option(.bool), nil, [1, 1], ["bool true"]),
        (.option(.option(.bool)), nil, [1, 0], ["enum_variant Some", "  none None"]),
        (.primitive(.char), nil, [0x41, 0, 0, 0], ["text A"]), (.string, nil, [8, 0x68, 0x69], ["text hi"]),
        (.primitive(.i8), nil, [0xff], ["number -1"]),
        (.primitive(.i128), nil, [0xfe] + Array(repeating: 0xff, count: 15), ["number -2"]),
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
        (
            newtype("Perbill", .u32), nil, [0, 0x94, 0x35, 0x77],
            ["number 200%", "notice above the maximum of 100%: the chain refuses it"]
        ), (newtype("Percent", .u8), nil, [7], ["number 7%"]),
        (
            newtype("FixedU128", .u128), nil, FixtureValue.integer(UInt128(1_500_000_000_000_000_000)),
            ["number 1.5"]
        ),
        (.bitSequence(store: .u8, order: order("Lsb0")), nil, [0x14, 0b0000_0001], ["bits 0b10000"]),
        (.bitSequence(store: .u16, order: order("Msb0")), nil, [0x14, 0, 0b1000_1000], ["bits 0b10001"]),
        (.bitSequence(store: .u64, order: order("Lsb0")), nil, [0x04, 1, 0, 0, 0, 0, 0, 0, 0], ["bits 0b1"]),
        (.bytes, nil, [8, 0x68, 0x69], ["text hi"]), (.bytes, nil, [8, 0, 1], ["bytes 0x0001"]),
        (.bytes, nil, [0], ["bytes 0x"]),
        (.bytes, nil, [8, 0x30, 0x78], ["bytes 0x3078"]),
        (.array(2, .u8), nil, [0x68, 0x69], ["bytes 0x6869"]),
        (
            .tuple([.u8, .bool]), nil, [5, 1],
            ["field_number 1", "  number 5", "field_number 2", "  bool true"]
        ),
        (.unit, nil, [], ["none ()"]), (.sequence(.u16), nil, [0], ["none []"]),
        (.sequence(.u16), nil, [4, 1, 0], ["field_number 1", "  number 1"]),
        (
            .sequence(.tuple([.u8, .u128])), "Vec<(u8, BalanceOf<T>)>",
            [4, 1] + FixtureValue.integer(UInt128(1_000_000_000_000)),
            [
                "field_number 1", "  field_number 1", "    number 1", "  field_number 2",
                "    balance 1.000000000000 HLO",
            ]
        ),
        (
            .option(.u128), "Option<BalanceOf<T>>", [1] + FixtureValue.integer(UInt128(1_000_000_000_000)),
            ["balance 1.000000000000 HLO"]
        ),
        (StandardTypes.era, nil, [0xb5, 0x01], ["era_mortal phase 27, period 64"]),
        (
            .composite(
                path: ["account", "AccountId20"], fields: [FixtureField(nil, .array(20, .u8), typeName: nil)]),
            nil,
            Hex.decode("f24ff3a9cf04c71dbc94d0b566f7a27b94566cac")!,
            ["account 0xf24FF3a9CF04c71Dbc94D0b566f7A27B94566cac"]
        ),
    ]

    @Test(arguments: 0..<shapes.count)
    func everyTypeIsShownAndWrittenBack(place: Int) throws {
        let (type, typeName, bytes, expected) = Self.shapes[place]
        #expect(try Self.argument(type, typeName, bytes) == expected)
    }

    @Test func setPaddingBitsAreRefused() throws {
        #expect(throws: ExtrinsicError(.malformedValue, place: "call.Claims.mint_claim.value")) {
            try Self.argument(.bitSequence(store: .u8, order: Self.order("Lsb0")), nil, [0x14, 0b0010_0001])
        }
    }

    @Test func arraysOfNoneOneAndTwoElementsAreShown() throws {
        #expect(try Self.argument(.array(0, .u16), nil, []) == ["none []"])
        #expect(try Self.argument(.array(1, .u16), nil, [5, 0]) == ["field_number 1", "  number 5"])
        #expect(try Self.argument(.array(2, .u16), nil, [5, 0, 6, 0]).count == 4)
        let planck = FixtureValue.integer(UInt128(1)) + FixtureValue.integer(UInt128(2))
        let named = try Self.argument(.array(2, .u128), "[BalanceOf<T>; 2]", planck)
        #expect(
            named.map { $0.split(separator: " ")[0] } == [
                "field_number", "balance", "field_number", "balance",
            ])
        #expect(try Self.argument(.array(2, .u128), "[Other; 2]", planck).contains("  number 1"))
    }

    /// A spelling is read up to 1024 bytes, and in ASCII only: nobody's metadata may keep the reader busy, or
    /// call a letter by another's name.
    @Test func aLongOrForeignTypeNameSaysNothing() throws {
        func boxed(_ length: Int) -> String {
            let boxes = (length - 7) / 5
            let name =
                String(repeating: "Box<", count: boxes) + "Balance" + String(repeating: ">", count: boxes)
            return name + String(repeating: " ", count: length - name.utf8.count)
        }
        func kind(_ typeName: String) throws -> String? {
            try Self.argument(.u128, typeName, FixtureValue.integer(UInt128(5))).first.map {
                String($0.prefix { $0 != " " })
            }
        }
        #expect(try kind("Balance") == "balance" && kind(boxed(1024)) == "balance")
        #expect(try kind(boxed(1025)) == "number" && kind(boxed(1100)) == "number")
        #expect(
            try kind("B\u{430}lance") == "number" && kind("Balance\u{301}") == "number"
                && kind("\u{a0}Balance") == "number")
    }

    @Test func aLocationIsSaidInOneLine() throws {
        let account = FixtureVariant(
            "AccountId32", index: 1, fields: [FixtureField("id", .array(32, .u8), typeName: "[u8; 32]")])
        let parachain = FixtureVariant(
            "Parachain", index: 0, fields: [FixtureField(nil, .compact(.u32), typeName: "u32")])
        let junction = FixtureType.variant(
            path: ["staging_xcm", "v4", "junction", "Junction"], variants: [parachain, account])
        let junctions = FixtureType.variant(
            path: ["staging_xcm", "v4", "junctions", "Junctions"],
            variants: [
                FixtureVariant("Here", index: 0),
                FixtureVariant(
                    "X2", index: 2, fields: [FixtureField(nil, .array(2, junction), typeName: nil)]),
            ])
        let location = FixtureType.composite(
            path: ["staging_xcm", "v4", "location", "Location"],
            fields: [
                FixtureField("parents", .u8, typeName: "u8"),
                FixtureField("interior", junctions, typeName: "Junctions"),
            ])
        let shown = try Self.argument(
            location, nil, [1, 2, 0] + FixtureValue.compact(2000) + [1] + Account.alice)
        #expect(
            shown.first
                == "notice parent, parachain 2000, account 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY")
        #expect(try Self.argument(location, nil, [0, 0]).first == "notice here")
    }

    /// `here` is this chain only for a location that this chain reads.
    @Test func aBeneficiaryBesideADestinationStandsThere() throws {
        let account = FixtureVariant(
            "AccountId32", index: 1, fields: [FixtureField("id", .array(32, .u8), typeName: "[u8; 32]")])
        let junction = FixtureType.variant(
            path: ["staging_xcm", "v4", "junction", "Junction"], variants: [account])
        let junctions = FixtureType.variant(
            path: ["staging_xcm", "v4", "junctions", "Junctions"],
            variants: [
                FixtureVariant("Here", index: 0),
                FixtureVariant(
                    "X1", index: 1, fields: [FixtureField(nil, .array(1, junction), typeName: nil)]),
            ])
        let location = FixtureType.composite(
            path: ["staging_xcm", "v4", "location", "Location"],
            fields: [
                FixtureField("parents", .u8, typeName: "u8"),
                FixtureField("interior", junctions, typeName: "Junctions"),
            ])
        let versioned = FixtureType.variant(
            path: ["xcm", "VersionedLocation"],
            variants: [FixtureVariant("V4", index: 4, fields: [FixtureField(nil, location, typeName: nil)])])
        func texts(_ names: [String], parents: UInt8) throws -> [String] {
            var runtime = Self.runtime
            let fields = names.map { FixtureField($0, versioned, typeName: "Box<VersionedLocation>") }
            runtime.pallets.append(
                FixturePallet("Xcm", index: 98, calls: [FixtureVariant("try", index: 0, fields: fields)]))
            let place: [UInt8] = [4, parents, 1, 1] + Account.alice
            return Self.notices(try Self.decode([98, 0] + place + place, DecodingContext(), runtime))
        }
        let alice = "account 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
        #expect(
            try texts(["dest", "beneficiary"], parents: 0) == [
                "here, \(alice)", "at the destination, \(alice)",
            ])
        #expect(
            try texts(["beneficiary", "dest"], parents: 1) == [
                "parent of the destination, \(alice)", "parent, \(alice)",
            ])
        #expect(
            try texts(["dest", "beneficiary"], parents: 2) == [
                "2 levels up, \(alice)", "2 levels up from the destination, \(alice)",
            ])
        // Trapped assets are claimed on this chain.
        #expect(try texts(["assets", "beneficiary"], parents: 0) == ["here, \(alice)", "here, \(alice)"])
    }

    @Test func accountsInsideLocationsAreAddresses() throws {
        let junction = FixtureType.variant(
            path: ["staging_xcm", "v4", "junction", "Junction"],
            variants: [
                FixtureVariant(
                    "Parachain", index: 0, fields: [FixtureField(nil, .compact(.u32), typeName: "u32")]),
                FixtureVariant(
                    "AccountId32", index: 1,
                    fields: [
                        FixtureField("network", .option(.u8), typeName: nil),
                        FixtureField("id", .array(32, .u8), typeName: "[u8; 32]"),
                    ]),
            ])
        #expect(
            try Self.argument(
                .array(2, junction), nil, [0] + FixtureValue.compact(2000) + [1, 0] + Account.alice) == [
                    "field_number 1", "  enum_variant Parachain", "    number 2000", "field_number 2",
                    "  enum_variant AccountId32",
                    "    field_name network", "      none None", "    field_name id",
                    "      account 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY",
                ])
    }
}
