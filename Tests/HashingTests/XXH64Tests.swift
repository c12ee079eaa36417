import Hashing
import Testing

/// The digests are those of xxhash 3.8.2 of PyPI, a binding of the reference implementation.
@Suite struct XXH64Laws {
    @Test(arguments: [
        (0, UInt64(0xef46_db37_51d8_e999), UInt64(0xd5af_ba13_36a3_be4b)),
        (1, 0xe934_a84a_db05_2768, 0x7719_17c7_f6ee_2451), (3, 0xe5c7_bb45_33bc_65dd, 0xa216_8d89_c582_b451),
        (4, 0xffce_d860_4453_cc1e, 0x9450_6f8c_7e58_70a9), (7, 0x14cc_643f_630c_72d2, 0xaf4c_5311_c47c_77b7),
        (8, 0x884a_1736_14b8_1b8d, 0x9d2b_7c73_54fe_4e23), (14, 0x5cda_8b69_bbfc_1d45, 0x9744_ec47_2bd1_5c83),
        (31, 0xc346_d2b5_9b4d_8ee1, 0xf031_031d_6597_7dfc),
        (32, 0xcbf5_9c51_16ff_32b4, 0xd74e_6766_ce9d_ba94),
        (33, 0x0c53_5d1a_cafb_8ead, 0xa371_825f_4210_fe99),
        (63, 0xe26a_a9e2_a95f_8e4f, 0x5264_ec07_19e1_0595),
        (64, 0xf7c6_7301_db67_13f0, 0x3ce5_bdf7_5759_26c0),
        (100, 0x6ac1_e580_3216_6597, 0x3d19_a3a2_098a_7023),
    ]) func `The bytes 0, 1, 2, … have their published digests with both seeds`(
        count: Int, zero: UInt64, one: UInt64
    ) {
        let bytes = (0..<count).map { UInt8($0) }
        #expect(XXH64.hash(bytes) == zero && XXH64.hash(bytes, seed: 1) == one)
        let first = (0..<8).map { UInt8(truncatingIfNeeded: zero >> UInt64(8 * $0)) }
        let second = (0..<8).map { UInt8(truncatingIfNeeded: one >> UInt64(8 * $0)) }
        #expect(Twox.hash64(bytes) == first && Twox.hash128(bytes) == first + second)
    }
}
