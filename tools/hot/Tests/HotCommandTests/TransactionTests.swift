import FixtureRuntime
import Foundation
import Hashing
import Keys
import SCALE
import SubstratePrimitives
import Testing

@Suite struct TransactionCommandLaws {
    private let desk: Desk
    private let runtime = FixtureRuntime.standard

    init() throws {
        desk = try Desk()
        try desk.know(runtime)
    }

    private func pair() throws -> KeyPair {
        let phrase = secret(
            Array("bottom drive obey lake curtain smoke basket hold race lonely fit walk".utf8))
        return try KeyPair.derive(phrase: phrase, path: try DerivationPath("//Alice"), scheme: .sr25519)
    }

    private var remark: [UInt8] { runtime.call("System", "remark", [FixtureValue.bytes([7])]) }

    private func signed(_ payload: [UInt8]) throws -> String {
        // 35 bytes before the compact length of a short call, 32 behind the extensions.
        let message = Array(payload[36..<(payload.count - 32)])
        #expect(message.count <= 256)
        return "01" + Hex.encode(try pair().sign(message))
    }

    private func make(_ words: String..., form: [String] = ["--without-proof"]) throws -> Desk.Outcome {
        try desk.run(
            words: ["make", "transaction", "--network", "heliotest", "--signer", Alice.address] + form + words
        )
    }

    @Test func aTransactionHasTheBytesOfTheRuntimeAndShowsWhatItDoes() throws {
        let outcome = try make("--call-hex", Hex.encode(remark), "--nonce", "3", "--out", "tx.hex")
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("  System\n    remark\n      remark bytes 0x07\n"))
        #expect(
            try desk.hex("tx.hex")
                == runtime.transactionPayload(signer: Alice.publicKey, call: remark, .init(nonce: 3)))
    }

    /// As the offline side prints them: text in quotes and escaped, bytes behind their word.
    @Test(
        arguments: [
            ([0xff, 0, 0xaa], "bytes 0xff00aa"), (Array("ff00aa".utf8), #"text "ff00aa""#),
            (Array("bytes 0xff00aa\n\"".utf8), #"text "bytes 0xff00aa\n\"""#),
            (Array("0x\u{301}".utf8), "bytes 0x3078cc81"),
            (Array("p\u{430}y".utf8), #"text "p\u{430}y""#),
        ] as [([UInt8], String)])
    func theCardsOfACallTellTextFromBytes(content: [UInt8], line: String) throws {
        let call = runtime.call("System", "remark", [FixtureValue.bytes(content)])
        let outcome = try make(
            "--call-hex", Hex.encode(call), "--call-hex", Hex.encode(call), "--nonce", "3", "--out", "tx.hex")
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count { $0 == "      remark \(line)" } == 2, "\(outcome.output)")
        #expect(lines.filter { $0.hasPrefix("  nonce ") } == ["  nonce 3", "  nonce 4"])
    }

    @Test func anAnswerIsCheckedAndBecomesAnExtrinsic() throws {
        #expect(try make("--call-hex", Hex.encode(remark), "--nonce", "3", "--out", "tx.hex").status == 0)
        let payload = try #require(try desk.hex("tx.hex"))
        let answer = try signed(payload)
        let parts = runtime.extensionBytes(.init(nonce: 3))
        let body = [0x84, 0] + Alice.publicKey + (Hex.decode(answer) ?? []) + parts.explicit + remark
        let extrinsic = SCALEWriter.encode { $0.byteVector(body) }
        for words in [["read", "--hex", answer], ["read", "--hex", answer, "--payload", "tx.hex"]] {
            let outcome = try desk.run(words: words)
            #expect(outcome.status == 0)
            #expect(outcome.output == Hex.encode(extrinsic) + "\n")
        }
    }

    @Test func everyFlippedBitOfASignatureIsRefused() throws {
        #expect(try make("--call-hex", Hex.encode(remark), "--nonce", "3", "--out", "tx.hex").status == 0)
        let payload = try #require(try desk.hex("tx.hex"))
        let good = Hex.decode(try signed(payload)) ?? []
        for place in stride(from: 0, to: good.count, by: 9) {
            var flipped = good
            flipped[place] ^= 1
            let outcome = try desk.run("read", "--hex", Hex.encode(flipped), "--payload", "tx.hex")
            #expect(outcome.status == 65)
            #expect(outcome.output.isEmpty || place == 0)
        }
    }

    @Test func severalCallsMakeABatchWithRisingNonces() throws {
        let outcome = try make(
            "--call-hex", Hex.encode(remark), "--call-hex", Hex.encode(remark), "--nonce", "3", "--out",
            "batch.hex")
        #expect(outcome.status == 0)
        let inner = [3, 4].map {
            Array(
                runtime.transactionPayload(signer: Alice.publicKey, call: remark, .init(nonce: $0))
                    .dropFirst())
        }
        let expected = SCALEWriter.encode {
            $0.raw([0x53, 0xff, 0x04, 0])
            $0.vector(inner) { $0.byteVector($1) }
        }
        #expect(try desk.hex("batch.hex") == expected)
        // The answer to a batch: `04`, then the signatures in their order.
        let signatures = try inner.map { Hex.decode(try signed([0x53] + $0)) ?? [] }
        let answer = SCALEWriter.encode {
            $0.u8(4)
            $0.vector(signatures) { $0.raw($1) }
        }
        try desk.write(answer, "answer.bin")
        let read = try desk.run("read", "--hex", "@answer.bin")
        #expect(read.status == 0)
        #expect(read.output.split(separator: "\n").count == 2)
        try desk.write(
            SCALEWriter.encode {
                $0.u8(4); $0.vector(signatures.reversed()) { $0.raw($1) }
            }, "swapped.bin")
        #expect(try desk.run("read", "--hex", "@swapped.bin").status == 65)
    }

    @Test func aProofGoesInFrontOfTheCallAndTheHashBehindIt() throws {
        let outcome = try make(
            "--call-hex", Hex.encode(remark), "--nonce", "3", "--out", "proof.hex", form: [])
        #expect(outcome.status == 0)
        let payload = try #require(try desk.hex("proof.hex"))
        #expect(payload.starts(with: [0x53, 1, 6] + Alice.publicKey))
        let digest = try desk.run("digest", "heliotest").output.trimmingCharacters(in: .newlines)
        let plain = runtime.transactionPayload(
            signer: Alice.publicKey, call: remark, .init(nonce: 3, metadataHash: Hash32(hex: digest)))
        #expect(payload.suffix(plain.count - 35).elementsEqual(plain.dropFirst(35)))
        let proof = try desk.run("proof", "heliotest", "--call-hex", Hex.encode(remark)).output
            .trimmingCharacters(in: .newlines)
        #expect(Hex.encode(payload[35..<(payload.count - plain.count + 35)]) == proof)
    }

    @Test func aValueThatNothingTellsIsAskedFor() throws {
        #expect(
            try make("--call-hex", Hex.encode(remark), "--out", "x.hex").diagnostic
                == "--nonce is required: its value cannot be inferred")
        let era = try make("--call-hex", Hex.encode(remark), "--nonce", "1", "--era", "64", "--out", "x.hex")
        #expect(era.diagnostic == "--block-number is required: its value cannot be inferred")
        #expect(try make("--call-hex", "0063", "--nonce", "1", "--out", "x.hex").status == 65)
        #expect(!desk.exists("x.hex"))
    }

    @Test func whatIsNoAnswerIsRefused() throws {
        #expect(
            try desk.run("read", "--hex", "80ff00").diagnostic
                == "this is not an answer from an offline signer")
        #expect(
            try desk.run("read", "--hex", "zz").diagnostic == "this is text; nothing of it is shown")
        #expect(
            try desk.run("read", "--hex", "01" + String(repeating: "00", count: 64)).diagnostic
                == "the signature matches no transaction that was made here")
    }
}
