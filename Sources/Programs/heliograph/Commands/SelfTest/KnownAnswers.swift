import SubstratePrimitives

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
    /// The hashes of no bytes, and of 1025 bytes: 0 to 250 repeated, one byte more than a chunk.
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

/// A 2 of 3 group and one of its signatures, in hex: `fixtures/threshold/groups.json`, made by a prototype in
/// Python and computed a second time by noble-curves. The signatures were accepted by py-sr25519-bindings and
/// PyNaCl.
struct KnownGroup {
    let proposal: String
    let hostKeys: [String]
    /// The mini secret of the signing member's host key.
    let miniSecret: String
    let contributionsHash: String
    let commitments: [String]
    let ephemerals: [String]
    let encryptedSums: [String]
    let transcript: String
    let message: String
    let signers: [Int]
    /// d ‖ e of the first signer, whose host key is here.
    let nonces: String
    /// D ‖ E of each signer.
    let nonceCommitments: [String]
    let shares: [String]
    let signature: String
}

extension KnownAnswers {
    static let sr25519Group = KnownGroup(
        proposal:
            "5301b101000203629fbd83f7a13cefb2fc21b77a5451a80e737232353531392032206f66203305616c696365aa0b14e8b1c7630fa02dc96b6e3cabadf99434955e56547a6a3ff8461cdf681a03626f62b2e64396159fcc59800447b11b8446ef8af5e1c9515e01697898ee05c38c152f056361726f6c3edbe259fdbdc69d4edacac382b6a052d2bca778a05c9a9cce9ce61b025d0f3e",
        hostKeys: [
            "aa0b14e8b1c7630fa02dc96b6e3cabadf99434955e56547a6a3ff8461cdf681a",
            "b2e64396159fcc59800447b11b8446ef8af5e1c9515e01697898ee05c38c152f",
            "3edbe259fdbdc69d4edacac382b6a052d2bca778a05c9a9cce9ce61b025d0f3e",
        ],
        miniSecret: "4694ac65bc1e9656c6de3b77ecc0a7c7036a57e72eebf92df230529d995d1b90",
        contributionsHash: "3cacac1b5927024c0d13f069232f748cf444a969168ef353324f57b36eaf7157",
        commitments: [
            "9e9f0b30ddc37a96dc5a14d9ff82d726aa05602a2f0e68b87f4d56075689177c",
            "7c8fbbe1b3b4979f78564f7b292be75b590f5821ddc7573768b66864b7bfcc6d",
        ],
        ephemerals: [
            "deb36d743320e5d4274e6c4466b2b242726630488e60b325691b110a62e3a466",
            "b8496a30a00d80e36d41fd4ddcd394584848916df3fe38097a85b03dd242f16d",
            "36793c181d23b31719d9b19fc29056adc10b0141d2f4b4d0dfc55c9c807e327f",
        ],
        encryptedSums: [
            "e3a337da189b826066b08c44e16fee5423d2d99779a10176730343b0a9d2df06",
            "d22473cfe1dd63d1fc6346ba119959d6f5ee4dc51e1e2c5636c02329e8490d01",
            "882f2388b01926daeb391a5bc1ae8ac966b4b7dcb47141226d451d4d0863b806",
        ],
        transcript: "ab0e8ec1f71a7caa49be78331b50e4ef360f243a40bbbc60dbd93627d6e625bf",
        message:
            "0503008eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a480700e876481700100000fc4d0f001a00000091b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c391b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c300",
        signers: [1, 3],
        nonces:
            "95a6c8e3264180a09870fe04fe77c1e0901f8cca86f7069d0de13c42af48240cc0bdabe0ee191ea41cd632cd5b8c5760a10ec1f242e08529bc0e04cc27be620d",
        nonceCommitments: [
            "6ecf2c760d49c937e7897e4dc326f24084d1ebd15c76fca99f9e532268c4613e38f8f5f317a3f8dbc62205fcfc6fc22c014920c004fb1a8eaf69433b50aa7b12",
            "220dcc1bea31df95d03e3a09401ca918c883a54543500ccc186457b866666d11481ab6f7305b427320ab4c3fbc2278d5f839308098474699d6bd103d1792002e",
        ],
        shares: [
            "6cd4122e1dbaa2cd27d645e8d19c8851dbd79706dfefd7b5731693ffad4cf70d",
            "d96beefb0f6eba3ec0869883da2c6e97a6ce5d9513396d45f1e59385469d5007",
        ],
        signature:
            "b2f62f2282d6f87965fd2257968ea26a479837b8424f6fe50f2d0c3b6c7f1938586c0bcd12c54ab411c0e6c8cdcf17d481a6f59bf22845fb64fc2685f4e94785"
    )

    static let ed25519Group = KnownGroup(
        proposal:
            "5300b101000203a7cf74250f104d57f8658c2dfc8072ed0e656432353531392032206f66203305616c69636554fb98c4a06669fb0d7afe3f0e67a9d2447bd15cce055139fd34ebd7f919f97303626f6264b08397c86244f624531ab89ca6f0e26167f8880b8a1358dde6793f25eb3a4f056361726f6c94716494099c7b365625309ec0e9dc30f66e46dd408cf288a16649bc51eb6901",
        hostKeys: [
            "54fb98c4a06669fb0d7afe3f0e67a9d2447bd15cce055139fd34ebd7f919f973",
            "64b08397c86244f624531ab89ca6f0e26167f8880b8a1358dde6793f25eb3a4f",
            "94716494099c7b365625309ec0e9dc30f66e46dd408cf288a16649bc51eb6901",
        ],
        miniSecret: "5bfcc9e18962e78c9ca67c1029a8e42a063eb84566288ee7ce2d57f844f96277",
        contributionsHash: "1f93363ac4cf348ae52de4441133afbb40d19983b3fdaf91fd862eb126ed8b1b",
        commitments: [
            "3c5f5bd88d5e7f43863a94b476685e9ce9845aef0cfb6ae504494cfcab8153b2",
            "9d934612b1fcfceedcef1d4e575e0c813ea7b1e206777ca59129a98758550af7",
        ],
        ephemerals: [
            "74ed12db14a19d2866a30e04a037e5014d854b11079d273602c083e9b0c81d69",
            "828d675e4252737253831f6b56e665aa09274a6ac048dd628865d3310d08ad03",
            "42fa3de43769443d72984eff2b580e644532560da0e2e977ff84499471a5ad30",
        ],
        encryptedSums: [
            "87b9a509a1282f8046a3828d22a8a0246836677e10d4b8a5d56ed12911a5cd03",
            "acb46498d0dcd9948b40271ea9673f14196a2eb1525c8ca67edac9e95a614800",
            "fb6741f6afd1a2949176201292a941e7ddf8652b3a4646988b3617d456f07409",
        ],
        transcript: "277dc48b4490427da9e9e38e1c9155d5b165e8fe6e93430bdb498a2349732170",
        message:
            "0503008eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a480700e876481700100000fc4d0f001a00000091b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c391b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c300",
        signers: [2, 3],
        nonces:
            "827a4729fa81c36b3eb3eba1d4ed2e8a19f79eb41ac35ea21ff1f2b645572803519411f403a72a0ebd16c8a00949970e7d3bc20e8ab3116531e4736dea76220c",
        nonceCommitments: [
            "e947e237e7def32cf00ebc375cb52b0ed826e8584463c086940f8f6d3eff258f1af8fa18675f93fecb716c90616d2dc086fcae18b515a8344f92b0a801400c7f",
            "9f4e7a046e88cf7ec73bc352699b57fbce0091679685887871e49186a950f276fdcd681a3b001d86d41b5c424ced7f12c82ce9e449ee21710c8cdd64fea3f475",
        ],
        shares: [
            "b2c8761f80f51557bf5ef42deaa478b9b2f5e872bd40d2ed47675ad86f822803",
            "a5423f6b2e957db61a4b5cb3905bb73143e0005019db213ead125b2e07435a07",
        ],
        signature:
            "30206e44c08e2907ddefee2e5f45564d8f7321d8b329367dcfa33de1571a6394570bb68aae8a930ddaa950e17a0030ebf5d5e9c2d61bf42bf579b50677c5820a"
    )
}

/// A state proof of `../shared/data/state-proofs/vectors.json`, made by a prototype in Python: runtime and
/// time at block 28,123,456 of an invented chain that calls itself polkadot 2003000.
enum KnownState {
    static let blockHash = "d732975f9ab845ba42fd723a5e76e70db9542e4baf1ac744d59c8b023228b7c5"
    static let era = (period: UInt32(4096), phase: UInt32(320))
    static let runtime = (name: "polkadot", version: UInt32(2_003_000))
    static let time: UInt64 = 1_764_000_000_000
    static let header =
        "d61a38a0f73beda90e8c1dfba731f65003742539f4260694f44e22cabef24a8e0285b406fcdd13a12c77f975a98b44797e6e82e276731ccc502bdd91bbc5ae1a4dded159263aaa2cb573f32a5013db81b9e69ba2113212fa9a1b2b6e6fd9a087a60f38570c06424142451c0300000000aabb0442454546840300000000000000000000000000000000000000000000000000000000000000000542414245010100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    static let nodes = [
        "80ee9080eb620cce7af262a99ad0e4d59a38fb33596ac71440655577e30137193540a25d801d50c0f1f0f4d03619f5b0b3ba934269337f2fc7bc6de1b3a1050e9943d989d880559f69d836060d1438cc2dcae114650455b7073d9bb27b5d803d1322a2905b77800fb12cd56d009202c5f68cf4fd5bebc54464905822040ace67ebe5591cc2d38d8000dd9c4987557747048f57e5de27a3e6d022d6e33b0e271d63936f0afe980029801f5b2ecf7f6865ea69b2dbb3c37b8bc91b62935bb35bcafd0b93aa1d598ffa1d80071bee0ac772d623e30949d649784b445461b71ceffd2182de066794e5b94e3c804af8679f60c64a9e25a2fe2b582e07afd5c07aca4e0f9ab741ffc192ab75d8e3",
        "8040048008d2546252bd7d640a1ffcd30d2539a727b181756bf0292373279e426a5f9adf8030ac7e9d58eb7d213825c2c47123ddc25ee5da69b759ead7f85638ede0dc1565",
        "9eaa394eea5630e07c48ae0c9558cef70088809eec90f38b731d5037036f38d8b2d9d2f771d4c49408089aeb34b45e8dd43c6f7c5f09cce9c888469bb1a0dceaa129672ef834e2407a0020706f6c6b61646f74",
        "7f0000c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb2000e897b69a010000",
    ]
}
