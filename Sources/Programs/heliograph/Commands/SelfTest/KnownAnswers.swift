/// Inputs and answers of the self-test, in hex. All answers come from other programs than this one: Python's
/// hashlib, PyCryptodome (Keccak), the BLAKE3 team's test vectors, argon2-cffi, draft-irtf-cfrg-xchacha
/// (A.3.1), py-bip39-bindings, py-sr25519-bindings, PyNaCl (ed25519) and coincurve.
enum KnownAnswers {
    static let message = Array("heliograph".utf8)

    static let blake2b256 = "60b22a6512e3b501c38ba42bea91dae8342540016131aa2686213856dc3ca7ee"
    static let blake2b512 =
        "1a0ac95f20bf83bed65c68777faa43f1d10c4d22dac55d99e796abd1b575790f0ca776ebe1c0c3527f88482a9b1fda349d1b6381e86ade7d7fff022723f0ea07"
    static let keccak256 = "e9dcb3412f1789bad0ff717f96aa98432a198df5c3494826e544ca768d7a9ffc"
    static let sha256 = "73333aa6247313ca259e34234c9661004cc68baba712f116c3f4d2d16f121a71"
    static let sha512 =
        "b4f815bd244dcf0fc0dced6d79b3cbf6cb09b74b9a06180a6006ff4bcab36ecdd706440a981f34444d58b96af223e18abf6b0fd8aa5e9e5827a6ebbd33ae8678"
    /// Of no bytes, and of 1025: the bytes 0 to 250 again and again, one more than a chunk.
    static let blake3Empty = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
    static let blake3TwoChunks = "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"

    static let argon2Passphrase = "correct horse"
    /// Salt 00…0f, 2 passes over 1024 KiB.
    static let argon2id = "77237b8a217dfd77699617e3893817f9fa215bff881849f3c007154da0b4788d"

    static let boxKey = Array(UInt8(0x80)...0x9f)
    static let boxNonce = Array(UInt8(0x40)...0x57)
    static let boxAssociated = "50515253c0c1c2c3c4c5c6c7"
    static let boxPlain =
        """
        Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
        sunscreen would be it.
        """
    static let boxCiphertext = """
        bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b4522f8c9ba4\
        0db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49
        """

    /// A phrase that the BIP-39 standard publishes, and what it leads to.
    static let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    static let entropy = "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f"
    static let sr25519Root = "625e25364c7b68e0a83065ccb40afed43f8fe933e669b24f3d69a57eddb3b715"
    static let sr25519Alice = "3a459c20c5430fd452a59730793bd0a1c3abf94f113f5a6326a128c9bcf82a4d"
    static let sr25519Signature =
        "d00cc21f36bd82154bf3249b1445b9e1fe2fd226a9d5a16380f0854964b2a753db588660ac19e67d549348c25f77412a9573abd93e3b62b2b625985d07559280"
    static let ed25519Root = "7b4344ead732d6beeeded95d39e330ef0c16ae806046b296737dababb8a0b80d"
    static let ed25519Signature =
        "0e3a732435adaf1326a70c4b0265f8e9def80f6192200db038bdabf4538c6fd2550c11425ff87b02d743ccf606ca3c9605a6a6caa03b74df309ebb3c2a5ad105"
    static let secp256k1Root = "029880b9309f4eb50e731d563c26a5b8faf3e787d48b33648c544b512267b18069"
    static let ecdsaSignature =
        "1136be1f1400532bc49c1b43dffbd690bb51dd461f9fee5be1c1b16f9b9dcfe444be9ec7265062bc692cc785da831ba1f2dec23e38a9320eab420d10fcd3a93700"
    static let ethereumSignature =
        "4f89b9a195bdebceda66cbf027c7e5b16d0ed19176577889b8757ceb6112ab951b497a8fa28293ddd3e690ee59765b0bced9b3dc1704cf60c3ab22e5de02d8bf00"
}
