/// Each row says for each of its values which sources give it: the genesis hash, the runtime's name, the SS58
/// prefix, the decimals and the unit, in this order. `-` stands for a value that none of the sources below
/// gave when the row was checked.
///
/// - A: TalismanSociety/chaindata, `data/cache/polkadot-network-specs.json`; has no prefix
/// - B: polkadot-js/common, `packages/networks/src/defaults/genesis.ts`; genesis hashes alone
/// - C: novasamatech/metadata-portal, `data.json`; has `UNIT` and 0 where a chain has several tokens, and
///   writes names in lower case
/// - D: novasamatech/nova-utils, `chains/v21/preConfigured/chains.json`
/// - E: novasamatech/nova-utils, `chains/v21/preConfigured/details/<genesis hash>.json`; has no runtime name
/// - F: TalismanSociety/chaindata, `pub/v1/chains/byGenesisHash/<genesis hash>.json`
/// - G: moonbeam-foundation/xcm-sdk, `packages/config/src/chains.ts`
/// - M: the constants in the runtime's own published metadata
/// - O: the chain's own repositories: the hash of the header over the genesis state's root, the properties of
///   its chain specification, and the runtime's name in its source. Paseo: paseo-network/paseo-chain-specs,
///   `paseo-bridge-hub.raw.json`, and paseo-network/runtimes,
///   `system-parachains/bridge-hub-paseo/src/lib.rs`; the genesis state itself was made by a runtime that
///   calls itself `bridge-hub-polkadot`. Hyperbridge: polytope-labs/hyperbridge, `CHAIN_IDS_BY_GENESIS` of
///   its indexer for the hash, and `parachain/chainspec/nexus.json`, whose unit is still `NAND`
/// - R: polkadot-fellows/runtimes, `system-parachains/*/*/src/lib.rs`
/// - S: paritytech/ss58-registry, `ss58-registry.json`, under the name of the chain that registered the
///   prefix
///
/// A source counts for a value if it states that value: one without the field, or with another value, is not
/// among its letters. Sources of one publisher copy from each other, so they count once; see
/// ``WellKnownChain/Source``.
private let rows: [WellKnownChain] = [
    // Polkadot and its system chains
    row(
        "Polkadot", "polkadot", "91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3", 0, 10,
        "DOT", by: "AB ACM CMS ACS ACS"),
    row(
        "Polkadot Asset Hub", "statemint", "68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f",
        0, 10, "DOT",
        by: "AB ACM CM AC AC"),
    row(
        "Polkadot Bridge Hub", "bridge-hub-polkadot",
        "dcf691b5a3fbe24adc99ddc959c0561b973e329b1aef4c4b22e7bb2ddecb4464", 0, 10, "DOT",
        by: "AC ACR CR AC AC"),
    row(
        "Polkadot Collectives", "collectives",
        "46ee89aa2eedd13e988962630ec9fb7565964cf5023bb351f2b6b25c1b68b0b2", 0, 10, "DOT",
        by: "AC AC CR AC AC"),
    row(
        "Polkadot Coretime", "coretime-polkadot",
        "efb56e30d9b4a24099f88820987d0f45fb645992416535d87650d98e00f46fc4", 0, 10, "DOT",
        by: "AD AR ER AE AE"),
    row(
        "Polkadot People", "people-polkadot",
        "67fa177a097bfa18f77ea95ab56e9bcdfeb0e5b8a40e46298bb93e16b6fc5008", 0, 10, "DOT",
        by: "AF AR R A A"),
    // Kusama and its system chains
    row(
        "Kusama", "kusama", "b0a8d493285c2df73290dfb7e61f870f17b41801197a149ca93654499ea3dafe", 2, 12, "KSM",
        by: "AB AC CS ACS ACS"),
    row(
        "Kusama Asset Hub", "statemine", "48239ef607d7928874027a43a67689209727dfb3d3dc5e5b03a39bdc2eda771a",
        2, 12, "KSM",
        by: "AB AC CR AC AC"),
    row(
        "Kusama Bridge Hub", "bridge-hub-kusama",
        "00dcb981df86429de8bbacf9803401f09485366c44efbf53af9ecfab03adc7e5", 2, 12, "KSM",
        by: "AC AC C AC AC"),
    row(
        "Kusama Coretime", "coretime-kusama",
        "638cd2b9af4b3bb54b8c1f0d22711fc89924ca93300f0caf25a580432b29d050", 2, 12, "KSM",
        by: "AD A E AE AE"),
    row(
        "Kusama People", "people-kusama", "c1af4cb4eb3918e5db15086c0cc5ec17fb334f728b7c65dd44bfe1e174ff8b3f",
        2, 12, "KSM",
        by: "AF A - A A"),
    row(
        "Encointer", "encointer-parachain",
        "7dd99936c1e9e6d1ce7d90eb6f33bea8393b4bf87677d675aa63c9cb3e8c5b5b", 2, 12, "KSM",
        by: "AB AC C AC AC"),
    // Westend and its system chains
    row(
        "Westend", "westend", "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e", 42, 12,
        "WND", by: "AB ACM CEM ACE ACE"),
    row(
        "Westend Asset Hub", "westmint", "67f9723393ef76214df0118c34bbbd3dbebc8ed46a10973a8c969d48fe7598c9",
        42, 12, "WND",
        by: "AD A E AE AE"),
    row(
        "Westend Bridge Hub", "bridge-hub-westend",
        "0441383e31d1266a92b4cb2ddd4c2e3661ac476996db7e5844c52433b81fe782", 42, 12, "WND",
        by: "AD A - A A"),
    row(
        "Westend Collectives", "collectives-westend",
        "713daf193a6301583ff467be736da27ef0a72711b248927ba413f573d2b38e44", 42, 12, "WND",
        by: "AD A - A A"),
    row(
        "Westend Coretime", "coretime-westend",
        "f938510edee7c23efa6e9db74f227c827a1b518bffe92e2f6c9842dc53d38840", 42, 12, "WND",
        by: "AD A - A A"),
    row(
        "Westend People", "people-westend",
        "1eb6fb0ba5187434de017a70cb84d4f47142df1d571d0ef9e7e1407f2b80b93c", 42, 12, "WND",
        by: "AD A - A A"),
    // Paseo and its system chains
    row(
        "Paseo", "paseo", "77afd6190f1554ad45fd0d31aee62aacc33c6db0ea801129acb813f913e0764f", 0, 10, "PAS",
        by: "EF - - - -"),
    row(
        "Paseo Asset Hub", "asset-hub-paseo",
        "d6eec26135305a8ad257a20d003357284c8aa03d0bdb2b357ab0a22371e11ef2", 0, 10, "PAS",
        by: "AD A - A A"),
    row(
        "Paseo Bridge Hub", "bridge-hub-paseo",
        "cc624979479dc37afee4cb23cb72b1772bbf377c0d3e8fa257c0fe6146572e3e", 0, 10, "PAS",
        by: "DO O O O O"),
    row(
        "Paseo Coretime", "coretime-paseo",
        "c806038cc1d06766f23074ade7c5511326be41646deabc259970ff280c82a464", 0, 10, "PAS",
        by: "D - - - -"),
    row(
        "Paseo People", "people-paseo", "e6c30d6e148f250b887105237bcaa5cb9f16dd203bf7b5b9d4f1da7387cb86ec", 0,
        10, "PAS", by: "D A - A A"),
    // Parachains, their test networks and chains of their own, by name
    row(
        "3DPass", "poscan-runtime", "6c5894837ad89b6d92b114a2fb3eafa8fe3d26a54848e3447015442cd6ef4e66", 71,
        12, "P3D",
        by: "AB AC CS ACS ACS"),
    row(
        "Acala", "acala", "fc41b9bd8ef8fe53d58c7ea67c794c7ec9a73daf05e6d54b14ff6342c99ba64c", 10, 12, "ACA",
        by: "AB AC CS AS AS"),
    row(
        "Ajuna", "ajuna", "e358eb1d11b31255a286c12e44fe6780b7edb171d657905a97e39f71d9c6c3ee", 1328, 12,
        "AJUN", by: "AB AC CS ACS ACS"),
    row(
        "Aleph Zero", "aleph-node", "70255b4d28de0fc4e1a193d7e175ad1ccef431598211c55538f1018651a0344e", 42,
        12, "AZERO",
        by: "ABC AC C AC AC"),
    row(
        "Altair", "altair", "aa3876c1dc8a1afcc2e9a685a49ff7704cfd36ad8c90bf2702b9d1b00cc40011", 136, 18,
        "AIR", by: "AC AC CS ACS ACS"),
    row(
        "Amplitude", "amplitude", "cceae7f3b9947cdb67369c026ef78efa5f34a08fe5808d373c04421ecf4f1aaf", 57, 12,
        "AMPE",
        by: "AC AC CS ACS ACS"),
    row(
        "Astar", "astar", "9eb76c5184c4ab8679d2d5d819fdf90b9c001403e9e17da2e14b6d8aec4029c6", 5, 18, "ASTR",
        by: "AB AC CS ACS ACS"),
    row(
        "Avail", "avail", "b91746b45e0346cc2f815a520b9c6cb4d5c0902af848db0a80f85932d2e8276a", 42, 18, "AVAIL",
        by: "AF A - A A"),
    row(
        "Aventus", "avn-parachain", "8b5c955b5c8fd7112562327e3859473df4e3dff49bd72a113dbb668d2cfa20d7", 42,
        18, "AVT",
        by: "AC AC C ACS ACS"),
    row(
        "Bajun", "bajun", "35a06bfec2edf0ff4be89a6428ccd9ff5bd0167d618c5a0d4341f9600a458d14", 1337, 12,
        "BAJU", by: "CF C CS CS CS"),
    row(
        "Basilisk", "basilisk", "a85cfb9b9fd4d622a5b28289a02347af987d8f73fa3108450e2b4a11c1ce5755", 10041, 12,
        "BSX",
        by: "AB AC CS ACS ACS"),
    row(
        "Bifrost Kusama", "bifrost", "9f28c6a68e0fc9646eff64935684f6eeeece527e37bbe1f213d22caa1d9d6bed", 6,
        12, "BNC",
        by: "AB AC CS AS AS"),
    row(
        "Bifrost Polkadot", "bifrost_polkadot",
        "262e1b2ad728475fd6fe88e62d34c200abe6fd693931ddad144059b1eb884e5b", 6, 12, "BNC",
        by: "AB AC C AC AC"),
    row(
        "Bit.Country Pioneer", "pioneer-runtime",
        "f22b7850cdd5a7657bbfd90ac86441275bbc57ace3d2698a740c7b0ec4de5ec3", 268, 18, "NEER",
        by: "C C CS CS CS"),
    row(
        "Bitgreen", "bitgreen-parachain", "c14597baeccb232d662770d2d50ae832ca8c3192693d2b0814e6433f2888ddd6",
        2106, 18, "BBB",
        by: "AD A S AS AS"),
    row(
        "Bittensor", "node-subtensor", "2f0555cc76fc2840a25a6ea3b9637146806f1f44b090c175ffde2a7e5ab36c03", 42,
        9, "TAO",
        by: "AB AC C AC AC"),
    row(
        "Calamari", "calamari", "4ac80c99289841dd946ef92765bf659a307d39189b3ce374a92b5f0415ee17a1", 78, 12,
        "KMA", by: "CF C CS CS CS"),
    row(
        "Centrifuge", "centrifuge", "b3db41421702df9a7fcac62b53ffeac85f7853cc4e689e0b93aeb3db18c09d82", 36,
        18, "CFG",
        by: "AB AC CS ACS ACS"),
    row(
        "Cere", "node", "81443836a9a24caaa23f1241897d1235717535711d1d3fe24eae4fdc942c092c", 54, 10, "CERE",
        by: "AB A S AS AS"),
    row(
        "Chainflip", "chainflip-node", "8b8c140b0af9db70686583e3f6bf2a59052bfe9584b97d20c45068281e976eb9",
        2112, 18, "FLIP",
        by: "AD A S AS AS"),
    row(
        "ChainX", "chainx", "6ac13efb5b368b97b4934cef6edfdd99c2af51ba5109bfb8dacc116f9c584c10", 44, 8, "PCX",
        by: "AD A S AS AS"),
    row(
        "CLV", "clover-mainnet", "5c7bd13edf349b33eb175ffae85210299e324d852916336027391536e686f267", 128, 18,
        "CLV", by: "CF C CS CS CS"),
    row(
        "Composable", "composable", "daab8df776eb52ec604a5df5d388bb62a050a0aaec4556a64265b9d42755552d", 50,
        12, "LAYR",
        by: "AB AC CS ACS ACS"),
    row(
        "Crust", "crust", "8b404e7ed8789d813982b9cb4c8b664c05b3fbf433309f603af014ec9ce56a8c", 66, 12, "CRU",
        by: "AD A S AS AS"),
    row(
        "Crust Shadow", "crust-collator", "d4c0c08ca49dc7c680c3dac71a7c0703e5b222f4b6c03fe4c5219bb8f22c18dc",
        66, 12, "CSM",
        by: "AC AC C AC AC"),
    row(
        "DAO IPCI", "ipci", "6f0f071506de39058fe9a95bbca983ac0e9c5da3443909574e95d52eb078d348", 32, 12,
        "MITO", by: "AC AC C AC AC"),
    row(
        "Darwinia", "Darwinia2", "f0b8924b12e8108550d28870bc03f7b45a947e1b2b9abf81bfb0b89ecb60570e", 18, 18,
        "RING",
        by: "ACF A CS ACS ACS", .ethereum),
    row(
        "Darwinia Crab", "Crab2", "86e49c195aeae7c5c4a86ced251f1a28c67b3c35d8289c387ede1776cdd88b24", 42, 18,
        "CRAB",
        by: "ACF A C AC AC", .ethereum),
    row(
        "Edgeware", "edgeware", "742a2ca70c2fda6cee4f8df98d64c4c670a052d9568058982dad9d5a7a135c5b", 7, 18,
        "EDG", by: "AB AC CS ACS ACS"),
    row(
        "Efinity", "efinity", "99ded175d436bee7d751fa3f2f8c7a257ddc063a541f8daa5e6152604f66b2a0", 1110, 18,
        "EFI", by: "C C CS CS CS"),
    row(
        "Energy Web X", "ewx-parachain", "5a51e04b88a4784d205091aa7bada002f3e5da3045e5b05655ee4db2589c33b5",
        64, 18, "EWT",
        by: "AF A - A A"),
    row(
        "Enjin Matrixchain", "matrix-enjin",
        "3af4ff48ec76d2efc8476730f423ac07e25ad48f5f4c9dc39c778b164d808615", 1110, 18, "ENJ",
        by: "AB A - A A"),
    row(
        "Enjin Relaychain", "enjin", "d8761d3c88f26dc12875c00d3165f7d67243d56fc85b4cf19937601a7916e5a9", 2135,
        18, "ENJ",
        by: "ABF A - A A"),
    row(
        "Equilibrium", "equilibrium-parachain",
        "89d3ec46d2fb43ef5a9713833373d5ea666b092fa8fd68fbc34596036571b907", 68, 9, "EQ",
        by: "C C CS CS CS"),
    row(
        "Frequency", "frequency", "4a587bf17a404e3572747add7aab7bbe56e805a5479c6c436f07f36fcc8d3ae1", 90, 8,
        "FRQCY",
        by: "AC AC CS ACS ACS"),
    row(
        "Heima", "litentry-parachain", "2fc8bb6ed7c0051bdcf4866c322ed32b6276572713607e3297ccf411b8f14aa9", 31,
        18, "HEI",
        by: "AC AC CS A A"),
    row(
        "Humanode", "humanode", "c56fa32442b2dad76f214b3ae07998e4ca09736e4813724bfb0717caae2c8bee", 5234, 18,
        "HMND", by: "AE A S AS AS"),
    row(
        "Hydration", "hydradx", "afdc188f45c71dacbaa0b62e16a91f726c7b8699a9748cdf715459de6b7f366d", 63, 12,
        "HDX", by: "AB AC CS ACS ACS"),
    row(
        "Hyperbridge", "nexus", "61ea8a51fd4a058ee8c0e86df0a89cc85b8b67a0a66432893d09719050c9f540", 42, 12,
        "BRIDGE",
        by: "AFO AO O AO A"),
    row(
        "Imbue", "imbue", "ca93a37c913a25fa8fdb33c7f738afc39379cb71d37874a16d4c091a5aef9f89", 42, 12, "IMBU",
        by: "C C C C C"),
    row(
        "Integritee Kusama", "integritee-kusama",
        "cdedc8eadbfa209d3f207bba541e57c3c58a667b05a2e1d1e86353c9000758da", 13, 12, "TEER",
        by: "AB A CS ACS ACS"),
    row(
        "Integritee Polkadot", "integritee-polkadot",
        "e13e7af377c64e83f95e0d70d5e5c3c01d697a84538776c5b9bbe0e7d7b6034c", 13, 12, "TEER",
        by: "AB A S AS AS"),
    row(
        "Interlay", "interlay-parachain", "bf88efe70e9e0e916416e8bed61f2b45717f517d7f3523e33c7b001e5ffcbc72",
        2032, 10, "INTR",
        by: "AB AC CS AS AS"),
    row(
        "Joystream", "joystream-node", "6b5e488e0fa8f9821110d5c13f4c468abcd43ce5e297e62b34c53c3346465956",
        126, 10, "JOY",
        by: "A A S AS AS"),
    row(
        "Kabocha", "kabocha-parachain", "feb426ca713f0f46c96465b8f039890370cf6bfd687c9076ea2843f58a6ae8a7",
        27, 12, "KAB",
        by: "AC AC CS ACS ACS"),
    row(
        "Karura", "karura", "baf5aabe40646d11f0ee8abbdc64f4a4b7674925cba08e4a05ff9ebed6e2126b", 8, 12, "KAR",
        by: "AB AC CS AS AS"),
    row(
        "Khala", "khala", "d43540ba6d3eb4897c28a77d48cb5b729fea37603cbbfc7a86a73b72adb3be8d", 30, 12, "PHA",
        by: "BC C C C C"),
    row(
        "KILT", "kilt-spiritnet", "411f057b9107718c9624d6aa4a3f23c1653898297f3d4d529d9bb6511a39dd21", 38, 15,
        "KILT",
        by: "AC AC CS ACS ACS"),
    row(
        "Kintsugi", "kintsugi-parachain", "9af9a64e6e4da8e3073901c3ff0cc4c3aad9563786d89daf6ad820b6e14a0b8b",
        2092, 12, "KINT",
        by: "AC AC CS AS AS"),
    row(
        "krest", "peaq-node-krest", "b3dd5ad6a82872b30aabaede8f41dfd4ff6c32ff82f8757d034a45be63cf104c", 42,
        18, "KREST",
        by: "AC AC C ACS ACS"),
    row(
        "LAOS", "laos", "e8aecc950e82f1a375cf650fa72d07e0ad9bef7118f49b92283b63e88b1de88b", 42, 18, "LAOS",
        by: "AEF A - A A", .ethereum),
    row(
        "Litmus", "litmus-parachain", "da5831fbc8570e3c6336d0d72b8c08f8738beefec812df21ef2afc2982ede09c", 131,
        12, "LIT",
        by: "C C CS CS CS"),
    row(
        "logion", "logion", "28e1d199bc6066751490ae2112010464ee8950f76ae9e2f11a03e9ea336b528b", 2021, 18,
        "LGNT", by: "AD A S AS AS"),
    row(
        "Mangata X", "mangata-parachain", "d611f22d291c5b7b69f1e105cca03352984c344c4421977efaa4cbdd1834e2aa",
        42, 18, "MGX",
        by: "AC AC C AC AC"),
    row(
        "Manta", "manta", "f3c7ad88f6a80f366c4be216691411ef0622e8b809b1046ea297ef106058d4eb", 77, 18, "MANTA",
        by: "AG A S AS AS"),
    row(
        "Moonbase Alpha", "moonbase", "91bc6e169807aaa54802737e1c504b2577d4fafedd5a02c10293b1cd60e39527",
        1287, 18, "DEV",
        by: "ADF A - A A", .ethereum),
    row(
        "Moonbeam", "moonbeam", "fe58ea77779b7abda7da4ec526d14db9b1e9cd40a217c34892af80a9b332b76d", 1284, 18,
        "GLMR",
        by: "AC AC CS ACS ACS", .ethereum),
    row(
        "Moonriver", "moonriver", "401a1f9dca3da46f5c4091016c8a2f26dcea05865116b286f60f668207d1474b", 1285,
        18, "MOVR",
        by: "AC AC CS ACS ACS", .ethereum),
    row(
        "Mythos", "mythos", "f6ee56e9c5277df5b4ce6ae9983ee88f3cbed27d31beeb98f9f84f997a1ab0b9", 29972, 18,
        "MYTH",
        by: "AF A - A A", .ethereum),
    row(
        "NeuroWeb", "origintrail-parachain",
        "e7e0962324a3b86c83404dbea483f25fb5dab4c224791c81b756cfc948006174", 101, 12, "NEURO",
        by: "AB AC CS ACS A"),
    row(
        "Nodle", "nodle-para", "97da7ede98d7bad4e36b4d734b6055425a3be036da2a332ea5a7037656427a21", 37, 11,
        "NODL", by: "AB AC CS ACS ACS"),
    row(
        "Parallel", "parallel", "e61a41c53f5dcd0beb09df93b34402aada44cb05117b71059cce40a2723a4e97", 172, 12,
        "PARA", by: "BC C CS CS CS"),
    row(
        "Parallel Heiko", "heiko", "64a1c658a48b2e70a7fb1ad4c39eea35022568c20fc44a6e2e3d0a57aee6053b", 110,
        12, "HKO", by: "CF C CS CS CS"),
    row(
        "peaq", "peaq-node", "d2a5d385932d1f650dae03ef8e2748983779ee342c614f80854d32b8cd8fa48c", 42, 18,
        "PEAQ", by: "ABG A - AS AS"),
    row(
        "Pendulum", "pendulum", "5d3c298622d5634ed019bf61ea4b71655030015bde9beb0d6a24743714462c86", 56, 12,
        "PEN", by: "AB AC CS ACS ACS"),
    row(
        "Phala", "phala", "1bb969d85965e4bb5a651abbedf21a54b6b31a21f66b5401cc3f1e286268d736", 30, 12, "PHA",
        by: "AB AC CS ACS ACS"),
    row(
        "Picasso", "picasso", "6811a339673c9daa897944dcdac99c6e2939cc88245ed21951a0a3c9a2be75bc", 49, 12,
        "PICA", by: "AB AC CS ACS ACS"),
    row(
        "Polimec", "polimec-mainnet", "7eb9354488318e7549c722669dcbdcdc526f1fef1420e7944667212f3601fdbd", 41,
        10, "PLMC",
        by: "AB A S AS AS"),
    row(
        "Polkadex", "node", "3920bcb4960a1eef5580cd5367ff3f430eef052774f78468852f7b9cb39f8a3c", 88, 12,
        "PDEX", by: "AB AC CS ACS ACS"),
    row(
        "Polymesh", "polymesh_mainnet", "6fbd74e5e1d0a61d52ccfe9d4adaed16dd3a7caa37c6bc4d0c2fa12e8b2f4063",
        12, 6, "POLYX",
        by: "AB AC CS ACS ACS"),
    row(
        "Quartz", "quartz", "cd4d732201ebe5d6b014edda071c4203e16867305332301dc8d092044b28e554", 255, 18,
        "QTZ", by: "AB AC CS ACS ACS"),
    row(
        "Robonomics Kusama", "robonomics", "631ccc82a078481584041656af292834e1ae6daab61d2875b4dd0c14bb9b17bc",
        32, 9, "XRT",
        by: "AC AC CS ACS ACS"),
    row(
        "Robonomics Polkadot", "robonomics",
        "29f4371dcc41045f5041489dfcd51389bf8ccd2161332e0de1ca803bcc3ee872", 32, 9, "XRT",
        by: "AD A - A A"),
    row(
        "Rococo", "rococo", "6408de7737c59c238890533af25896a2c20608d8b380bb01029acb392781063e", 42, 12, "ROC",
        by: "BF - - - -"),
    row(
        "Shibuya", "shibuya", "ddb89973361a170839f80f152d2e9e38a376a5a7eccefcade763f46a8e567019", 5, 18,
        "SBY", by: "AD A - A A"),
    row(
        "Shiden", "shiden", "f1cf9022c7ebb34b162d5b5e34e705a5a740b2d0ecc1009fb89023e62a488108", 5, 18, "SDN",
        by: "AC AC C AC AC"),
    row(
        "SORA", "sora-substrate", "7e4e32d0feafd4f9c9414b0be86373f9a1efa904809b683453a9af6856d38ad5", 69, 18,
        "XOR", by: "AB A S AS AS"),
    row(
        "StaFi", "node", "290a4149f09ea0e402c74c1c7e96ae4239588577fe78932f94f5404c68243d80", 20, 12, "FIS",
        by: "AB A S AS AS"),
    row(
        "Subsocial", "subsocial-parachain",
        "4a12be580bb959937a1c7a61d5cf24428ed67fa571974b4007645d1886e7c89f", 28, 10, "SUB",
        by: "AC AC CS AC AC"),
    row(
        "Tangle", "tangle", "44f68476df71ebf765b630bf08dc1e0fedb2bf614a1aa0563b3f74f20e47b3e0", 5845, 18,
        "TNT", by: "AD A S AS AS"),
    row(
        "Ternoa", "mainnet", "6859c81ca95ef624c9dfe4dc6e3381c33e5d6509e35e147092bfbc780f777c4e", 42, 18,
        "CAPS", by: "AB AC C ACS ACS"),
    row(
        "Tinkernet", "tinkernet_node", "d42e9606a995dfe433dc7955dc2a70f495f350f373daa200098ae84437816ad2",
        117, 12, "TNKR",
        by: "C C CS CS CS"),
    row(
        "Turing", "turing", "0f62b701fb12d02237a33b84818c11f621653d2b1614c777973babf4652b535d", 51, 10, "TUR",
        by: "CF C C CS CS"),
    row(
        "Unique", "unique", "84322d9cddbf35088f1e54e9a85c967a41a56a4f43445768125e61af166c7d31", 7391, 18,
        "UNQ", by: "AB AC CS ACS ACS"),
    row(
        "Vara", "vara", "fe1b4c55fd4d668101126434206571a7838a8b6b93a6d1b95d607e78e6c53763", 137, 12, "VARA",
        by: "AC AC CS ACS ACS"),
    row(
        "xx network", "xxnetwork", "50dd5d206917bf10502c68fb4d18a59fc8aa31586f4e8856b493e43544aa82aa", 55, 9,
        "xx", by: "AB AC CS ACS AC"),
    row(
        "Zeitgeist", "zeitgeist", "1bf2a2ecb4a868de66ea8610f2ce7c8c43706561b6476031315f6640fe38e060", 73, 10,
        "ZTG",
        by: "AB AC CS ACS ACS"),
]

extension WellKnownChain {
    /// No genesis hash is listed twice. A chain whose sources disagree about its genesis hash is left out.
    public static var all: [WellKnownChain] { rows }
}

private func row(
    _ name: String, _ specName: String, _ genesisHash: String, _ prefix: UInt16, _ decimals: UInt8,
    _ unit: String, by letters: String,
    _ scheme: SignatureScheme = .sr25519
) -> WellKnownChain {
    WellKnownChain(
        name: name, specName: specName, genesisHash: GenesisHash(hex: genesisHash)!, base58Prefix: prefix,
        decimals: decimals,
        unit: unit, scheme: scheme, letters: letters)
}
