import Cards
import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct DecodingLaws {
    static let runtime = FixtureRuntime.standard
    static let transferLines = [
        "pallet Balances", "  call transfer_keep_alive", "    field_name dest", "      enum_variant Id",
        "        account 5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty", "    field_name value",
        "      balance 100.000000000 mHLO",
    ]

    @Test(arguments: FixtureRuntime.MetadataVersion.allCases)
    func aTransferShowsWhatItDoes(version: FixtureRuntime.MetadataVersion) throws {
        let values = FixtureExtensionValues(
            era: .mortal(MortalEra(period: 64, phase: 27)!), blockHash: Hash32(Account.bob), nonce: 46, tip: 0
        )
        let call = Self.runtime.transfer()
        let decoded = try Self.runtime.decode(Self.runtime.transactionBody(call: call, values), version)
        #expect(lines(decoded.method) == Self.transferLines)
        #expect(
            lines(decoded.extensions) == [
                "extension CheckNonZeroSender", "era_mortal phase 27, period 64",
                "notice valid for about 64 blocks from block 0x\(Hex.encode(Account.bob))", "nonce 46",
                "extension CheckWeight",
                "tip 0 pHLO",
                "spec_version heliotest 1000", "tx_version 3", "genesis_hash \(Self.runtime.genesisHash)",
                "block_hash \(Hex.encode(Account.bob))", "metadata_hash None",
            ])
        #expect(decoded.signingBytes == Self.runtime.signingBytes(call: call, values))
        #expect(decoded.facts.nonce == 46)
        #expect(decoded.runtimeVersion == RuntimeVersion(specName: "heliotest", specVersion: 1000))
        #expect(
            decoded.method[6].fields == [
                .init("amount", "100.000000000"), .init("unit", "mHLO"), .init("raw", "100000000000"),
                .init("plain", "0.1"),
                .init("symbol", "HLO"), .init("decimals", .number(12)), .init("asset", nil),
            ])
        #expect(
            decoded.method[1].fields == [
                .init("docs", "Moves free balance and keeps the sender's account open.")
            ])
    }

    @Test func aNestedCallLooksLikeAnOuterOneOneLevelDeeper() throws {
        let batch = Self.runtime.call("Utility", "batch", [FixtureValue.vector([Self.runtime.transfer()])])
        let decoded = try Self.runtime.decode(Self.runtime.transactionBody(call: batch))
        #expect(
            lines(decoded.method)
                == [
                    "pallet Utility", "  call batch", "    notice 1 call", "    field_name calls",
                    "      field_number 1",
                ]
                + Self.transferLines.map { "        " + $0 })
    }

    @Test(arguments: FixtureRuntime.MetadataVersion.allCases)
    func renamedAndReorderedRuntimesDecodeTheSame(version: FixtureRuntime.MetadataVersion) throws {
        var other = Self.runtime
        other.renamePallet("Balances", to: "Coins")
        other.renameCall("Coins", "transfer_keep_alive", to: "send")
        other.renameExtension("CheckNonce", to: "OrdinalCheck")
        other.renameExtension("CheckGenesis", to: "ChainCheck")
        other.renameExtension("CheckNonZeroSender", to: "SenderCheck")
        other.shuffle()
        let call = other.call(
            "Coins", "send", [FixtureValue.address(Account.bob), FixtureValue.compact(100_000_000_000)])
        let decoded = try other.decode(
            other.transactionBody(call: call, FixtureExtensionValues(nonce: 46)), version)
        var expected = Self.transferLines
        expected[0] = "pallet Coins"
        expected[1] = "  call send"
        // No table has the amount of this call, so nothing says whose token it is of.
        expected.removeLast()
        expected += [
            "      number 100000000000", "      notice in the smallest unit of an asset that is not known",
        ]
        #expect(lines(decoded.method) == expected)
        #expect(decoded.facts.nonce == 46)
        #expect(decoded.facts.genesisHash == other.genesisHash)
        #expect(lines(decoded.extensions).contains("extension SenderCheck"))
        #expect(!lines(decoded.extensions).contains("extension OrdinalCheck"))
    }

    @Test(arguments: FixtureRuntime.standard.samples)
    func everyProperPrefixIsRefused(body: [UInt8]) throws {
        let metadata = try RuntimeMetadata(Self.runtime.metadata())
        _ = try Extrinsics.decode(body: body, metadata: metadata, specs: Self.runtime.specs)
        for length in body.indices {
            let error = #expect(throws: ExtrinsicError.self) {
                try Extrinsics.decode(
                    body: body.prefix(length), metadata: metadata, specs: Self.runtime.specs)
            }
            guard case .encoding(let reason)? = error?.reason, reason.saysCut else {
                Issue.record("\(length) bytes: \(error.map { "\($0)" } ?? "read")")
                continue
            }
        }
    }

    @Test(arguments: FixtureRuntime.standard.samples)
    func everyFlippedBitIsRefusedOrShows(body: [UInt8]) throws {
        let metadata = try RuntimeMetadata(Self.runtime.metadata())
        let before = try Extrinsics.decode(body: body, metadata: metadata, specs: Self.runtime.specs)
        for bit in 0..<(8 * body.count) {
            var flipped = body
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            guard
                let after = try? Extrinsics.decode(
                    body: flipped, metadata: metadata, specs: Self.runtime.specs)
            else { continue }
            #expect(after.method != before.method || after.extensions != before.extensions, "bit \(bit)")
        }
    }

    @Test func bytesLeftAfterTheCallOrTheExtensionsAreRefused() throws {
        let call = Self.runtime.transfer()
        let parts = Self.runtime.extensionBytes()
        let extensions = parts.explicit + parts.implicit
        let afterCall = SCALEWriter.encode { $0.byteVector(call + [0]) } + extensions
        #expect(throws: ExtrinsicError(.leftoverAfterCall(count: 1), place: "call")) {
            try Self.runtime.decode(afterCall)
        }
        let afterExtensions = SCALEWriter.encode { $0.byteVector(call) } + extensions + [0]
        #expect(throws: ExtrinsicError(.leftoverAfterExtensions(count: 1), place: "extensions")) {
            try Self.runtime.decode(afterExtensions)
        }
    }

    @Test func anotherChainInTheExtensionsIsRefused() throws {
        let other = FixtureRuntime(specName: "elsewhere")
        let body = other.transactionBody(call: other.transfer())
        #expect(
            throws: ExtrinsicError(
                .genesisMismatch(payload: Self.runtime.genesisHash, transaction: other.genesisHash),
                place: "extensions.CheckGenesis")
        ) { try Self.runtime.decode(body) }
    }

    @Test func anImmortalTransactionStartsFromBlockZero() throws {
        let body = Self.runtime.transactionBody(
            call: Self.runtime.transfer(),
            FixtureExtensionValues(era: .immortal, blockHash: Hash32(Account.bob)))
        #expect(
            throws: ExtrinsicError(
                .immortalBlockHash(Hash32(Account.bob)!), place: "extensions.CheckMortality")
        ) {
            try Self.runtime.decode(body)
        }
    }

    @Test func anotherRuntimeVersionIsRefusedAndAnnounced() throws {
        var newer = Self.runtime
        newer.specVersion = 1001
        let body = newer.transactionBody(call: newer.transfer())
        #expect(
            throws: ExtrinsicError(
                .specVersionMismatch(metadata: 1000, transaction: 1001), place: "extensions.CheckSpecVersion")
        ) { try Self.runtime.decode(body) }
        #expect(
            try Extrinsics.announcedVersion(body: body, metadata: RuntimeMetadata(Self.runtime.metadata()))
                == 1001)
    }

    @Test func aFaultNamesItsPlace() throws {
        var call = Self.runtime.transfer()
        call.removeLast()
        let parts = Self.runtime.extensionBytes()
        let body = SCALEWriter.encode { $0.byteVector(call) } + parts.explicit + parts.implicit
        let fault = #expect(throws: ExtrinsicError.self) { try Self.runtime.decode(body) }
        #expect(fault?.place == "call.Balances.transfer_keep_alive.value")
    }

    @Test func amountsOfOtherAssetsAreNeverInTheNativeUnit() throws {
        let call = Self.runtime.call(
            "Assets", "transfer",
            [FixtureValue.compact(1984), FixtureValue.address(Account.bob), FixtureValue.compact(5_000_000)])
        let decoded = try Self.runtime.decode(Self.runtime.transactionBody(call: call))
        #expect(!decoded.method.contains { $0.kind == .balance })
        #expect(lines(decoded.method).contains("      number 5000000"))
    }
}
