/// Types that have a special form on the cards instead of being shown by their parts.
///
/// A name proves nothing: any runtime and any proof may call any type `Option`. So each reading requires one
/// exact shape, and a type of any other shape is shown by its parts. For an enumeration only the variant of
/// the value is checked, because a metadata proof may contain only that variant and must show what full
/// metadata shows. ``CardRebuilder`` turns every reading back into bytes.
package enum SpecialReading: String, CaseIterable, Sendable {
    case option, account, accountOfAddress, accountOfJunction, era, identityText, flags, fraction, wide, vote,
        configOperation,
        fungibleAmount
    case call, opaque, amount, text

    /// Names of the types: the last parts of their paths.
    package var names: Set<String> {
        switch self {
        case .option: ["Option"]
        case .account: ["AccountId32", "AccountId20"]
        case .accountOfAddress: ["MultiAddress", "Source"]
        case .accountOfJunction: ["Junction"]
        case .era: ["Era"]
        case .identityText: ["Data"]
        case .flags: ["BitFlags"]
        case .fraction:
            [
                "Percent", "PerU16", "Permill", "Perbill", "Perquintill", "FixedI64", "FixedU64", "FixedI128",
                "FixedU128",
            ]
        case .wide: ["U256"]
        case .vote: ["Vote"]
        case .configOperation: ["ConfigOp"]
        case .fungibleAmount: ["Fungibility"]
        case .call: ["RuntimeCall", "Call"]
        case .opaque: ["WrapperKeepOpaque", "WrapperOpaque"]
        // These go by the shape, an amount also by the spelling of its type: `TypeName.balances`.
        case .amount, .text: []
        }
    }

    /// The required shape, in words.
    package var shape: String {
        switch self {
        case .option: "None at 0 without fields, or Some at 1 with one unnamed field"
        case .account: "one unnamed field, 32 or 20 bytes as the name says"
        case .accountOfAddress:
            "Address32 at 3 with 32 bytes, or Address20 at 4 with 20 bytes, in one unnamed field"
        case .accountOfJunction:
            "AccountId32 with a field id of 32 bytes, or AccountKey20 with a field key of 20 bytes"
        case .era: "Immortal at 0 without fields, or MortalN at N with one unnamed byte"
        case .identityText: "RawN at N + 1 with N bytes in one unnamed field"
        case .flags:
            """
            one unnamed field, an unsigned integer of up to 64 bits; the bits are named by the type's \
            parameter
            """
        case .fraction: "one unnamed field, the integer that the name stands for"
        case .wide: "one unnamed field, four u64, the lowest first"
        case .vote: "one unnamed byte"
        case .configOperation: "Set at 1 with one unnamed field, whose type name is a parameter"
        case .fungibleAmount: "Fungible at 0 with one unnamed integer"
        case .call:
            """
            a variant whose one field is an enumeration called Call; in the type of all calls any enumeration
            """
        case .opaque: "two unnamed fields, Compact<u32> and the content"
        case .amount: "an unsigned integer of up to 128 bits, compact or not"
        case .text: "a sequence of u8"
        }
    }

    /// Where the shape is defined.
    package var source: String {
        switch self {
        case .option: "paritytech/scale-info src/impls.rs"
        case .account:
            """
            paritytech/polkadot-sdk substrate/primitives/core/src/crypto.rs; polkadot-evm/frontier \
            primitives/account
            """
        case .accountOfAddress: "paritytech/polkadot-sdk substrate/primitives/runtime/src/multiaddress.rs"
        case .accountOfJunction: "paritytech/polkadot-sdk polkadot/xcm/src"
        case .era: "paritytech/polkadot-sdk substrate/primitives/runtime/src/generic/era.rs"
        case .identityText: "paritytech/polkadot-sdk substrate/frame/identity/src/types.rs"
        case .flags:
            """
            paritytech/polkadot-sdk substrate/frame/identity/src/types.rs, substrate/frame/nfts/src/macros.rs
            """
        case .fraction: "paritytech/polkadot-sdk substrate/primitives/arithmetic/src"
        case .wide: "paritytech/parity-common primitive-types/src"
        case .vote: "paritytech/polkadot-sdk substrate/frame/conviction-voting/src/vote.rs"
        case .configOperation: "paritytech/polkadot-sdk substrate/frame/staking/src/pallet/mod.rs"
        case .fungibleAmount: "paritytech/polkadot-sdk polkadot/xcm/src/v3/multiasset.rs"
        case .call: "paritytech/polkadot-sdk substrate/frame/support/procedural/src/construct_runtime"
        case .opaque: "paritytech/polkadot-sdk substrate/frame/support/src/traits/misc.rs"
        case .amount: "paritytech/polkadot-sdk substrate/frame/balances/src/lib.rs"
        case .text: "paritytech/parity-scale-codec src/codec.rs"
        }
    }
}
