import Hashing
import Keys
import SubstratePrimitives
import Testing

@Suite struct AddressTests {
    /// Published in Substrate's documentation of `subkey`: `//Alice` in three schemes.
    @Test func addressesOfTheDevelopmentKeysAreThePublishedOnes() throws {
        #expect(
            try developmentKey("//Alice").publicKey.accountAddress(prefix: 42)
                == "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY")
        #expect(
            try developmentKey("//Alice", .ed25519).publicKey.accountAddress(prefix: 42)
                == "5FA9nQDVg267DEd8m1ZypXLBnvN7SFxYwV7ndqSYGiN9TTpu")
        #expect(
            try developmentKey("//Alice", .ecdsa).publicKey.accountAddress(prefix: 42)
                == "5C7C2Z5sWbytvHpuLTvzKunnnRwQxft1jiqrLD5rhucQ5S9X"
        )
    }

    @Test func theAddressOfAnEcdsaKeyHoldsTheHashOfTheKey() throws {
        let key = try developmentKey("//Alice", .ecdsa).publicKey
        #expect(
            try SS58Address(try #require(key.accountAddress(prefix: 42))).account == BLAKE2b.hash(key.bytes))
    }

    /// Published in EIP-55.
    @Test(arguments: [
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ])
    func eip55CaseIsWrittenAndChecked(text: String) throws {
        let address = try EthereumAddress(text)
        #expect(address.text == text)
        #expect(try EthereumAddress(text.lowercased()) == address)
        let last = text.last!
        let swapped = text.dropLast() + (last.isUppercase ? last.lowercased() : last.uppercased())
        if swapped != text {
            #expect(throws: EthereumAddress.Failure.wrongChecksum) { try EthereumAddress(String(swapped)) }
        }
        #expect(throws: EthereumAddress.Failure.malformed) { try EthereumAddress(String(text.dropLast())) }
        #expect(throws: EthereumAddress.Failure.malformed) { try EthereumAddress(text + "0") }
    }

    @Test func bytesThatAreNoPointHaveNoAddress() throws {
        let key = try #require(PublicKey(scheme: .ethereum, bytes: [UInt8](repeating: 5, count: 33)))
        #expect(key.accountAddress(prefix: 42) == nil)
        #expect(key.payloadKey == nil)
        #expect(PublicKey(scheme: .ecdsa, bytes: key.bytes)?.accountID == nil)
    }
}

@Suite struct IdenticonTests {
    private func hex(_ color: IconColor) -> String { Hex.encode([color.red, color.green, color.blue]) }

    /// Colours and places of `//Alice`, published in paritytech/polkadot-identicon-rust test_pics/alice.svg
    /// (there the disc has radius 10).
    @Test func theDotsOfAliceAreThePublishedOnes() throws {
        let account = try #require(try developmentKey("//Alice").publicKey.accountID)
        let icon = PolkadotIcon(accountID: account)
        #expect(
            icon.dots.map { hex($0.color) } == [
                "a5e39c", "3c2811", "b844ca", "8b2758", "8744ca", "e19ce3", "8b2758", "8744ca", "b844ca",
                "a5e39c", "3c2811", "a2ca44",
                "278b8b", "bbca44", "263c11", "278b8b", "bbca44", "a2ca44", "3d278b",
            ])
        #expect(icon.dots[0].y == -24 && icon.dots[0].x == 0)
        #expect(abs(icon.dots[3].x * 10 / 32 + 6.495_190_6) < 1e-6 && icon.dots[3].y == -12)
        #expect(icon.dots[18].x == 0 && icon.dots[18].y == 0)
    }

    @Test func blockiesAreMirroredAndOfThreeColours() throws {
        let address = try EthereumAddress("0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359")
        let icon = Blockies(address: address)
        #expect(icon.cells.count == 64)
        for row in 0..<8 {
            let cells = Array(icon.cells[(8 * row)..<(8 * row + 8)])
            #expect(cells == cells.reversed())
        }
        #expect(Set(icon.cells).count <= 3)
        #expect(icon != Blockies(address: try EthereumAddress("0xfb6916095ca1df60bb79ce92ce3ea74c37c5d350")))
    }
}

@Suite struct SeedQRTests {
    @Test(arguments: [
        ("", SeedQR.Failure.notASeedQR), ("123", .notASeedQR),
        (String(repeating: "0", count: 52), .notASeedQR),
    ])
    func whatIsNoSeedQRIsRefused(text: String, error: SeedQR.Failure) {
        #expect(throws: error) { _ = try SeedQR.mnemonic(SecretBytes(utf8: text)) }
    }

    @Test func wrongIndicesAndChecksumsAreRefused() {
        let zeros = String(repeating: "0", count: 44)
        #expect(throws: SeedQR.Failure.indexOutOfRange(word: 11)) {
            _ = try SeedQR.mnemonic(SecretBytes(utf8: zeros + "2048"))
        }
        #expect(throws: SeedQR.Failure.checksum) {
            _ = try SeedQR.mnemonic(SecretBytes(utf8: zeros + "0000"))
        }
        #expect(throws: Never.self) { _ = try SeedQR.mnemonic(SecretBytes(utf8: zeros + "0003")) }
    }

    @Test(arguments: [16, 20, 24, 28, 32])
    func aStandardSeedQRIsReadBackAtEveryLength(length: Int) throws {
        let entropy = [UInt8]((0..<length).map { UInt8(255 - $0 * 7) })
        let mnemonic = try Mnemonic(entropy: secretBytes(entropy))
        let again = plain(try SeedQR.mnemonic(SeedQR.standard(mnemonic)).entropy)
        #expect(again == entropy)
        if [16, 32].contains(length) {
            let compact = plain(try SeedQR.compact(mnemonic))
            #expect(compact == entropy)
        } else {
            #expect(throws: SeedQR.Failure.notCompact(words: length / 4 * 3)) {
                _ = try SeedQR.compact(mnemonic)
            }
        }
    }
}
