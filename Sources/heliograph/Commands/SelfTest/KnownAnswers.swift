/// Inputs and answers of the self-test, in hex. All answers come from other programs than this one: Python's hashlib, PyCryptodome
/// (Keccak), the BLAKE3 team's test vectors, argon2-cffi, draft-irtf-cfrg-xchacha (A.3.1), py-bip39-bindings, py-sr25519-bindings, PyNaCl
/// (ed25519) and coincurve.
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
        "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
    static let boxCiphertext = """
        bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b4522f8c9ba4\
        0db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49
        """

    /// The public development phrase and what it leads to.
    static let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
    static let entropy = "1a486a5fbe53639984cb64b070755f7b"
    static let sr25519Root = "46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a"
    static let sr25519Alice = "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"
    static let sr25519Signature = """
        006ff3963093d6cedd69a3a59fa3b50a41686522ada26e42e3b3d4310958343d6c3f28d6c14b8468c95809efec2e78f9ffb0f831b8d11f3e6bdb8aa4e83dae8f
        """
    static let ed25519Root = "345071da55e5dccefaaa440339415ef9f2663338a38f7da0df21be5ab4e055ef"
    static let ed25519Signature = """
        39db5e45dd57fea8136e1fc996136b0e6236a0a9c10537631e10e0bc0f3465a9fe7597e6b63a0b7d946ec4bd812bf270060e5bef651f1c6bf11f09932e227209
        """
    static let secp256k1Root = "035b26108e8b97479c547da4860d862dc08ab2c29ada449c74d5a9a58a6c46a8c4"
    static let ecdsaSignature = """
        f975c7b99aba2f365376e1b1981a07fe699c047fa023608f74341f6c5069a5424589c8239f4b678f0e42bfa61b87622721f4e5b29fd08042adf97e22a04860d201
        """
    static let ethereumSignature = """
        4d3b72341652e571fd1bf632ca897718506f732d0eaa79e7a887c3d07ec6fd133ce1266e5994de35bf6533680a10d2c63505db51c32870175370f3e3d9c0da1500
        """
}
