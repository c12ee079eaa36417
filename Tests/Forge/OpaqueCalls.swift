import FixtureRuntime

/// Runtimes whose multisig takes its call as a byte vector that metadata describes as a length and a call.
///
/// Source: paritytech/polkadot-sdk, frame-support `WrapperKeepOpaque` and `WrapperOpaque`; pallet-multisig of
/// spec versions up to 9290.
public enum OpaqueCalls {
    public static let keepOpaque = ["frame_support", "traits", "misc", "WrapperKeepOpaque"]
    public static let opaque = ["frame_support", "traits", "misc", "WrapperOpaque"]

    /// What metadata says of it.
    public static func wrapper(_ path: [String] = keepOpaque) -> FixtureType {
        .composite(
            path: path,
            fields: [
                FixtureField(nil, .compact(.u32), typeName: nil),
                FixtureField(nil, .runtimeCall, typeName: "T"),
            ])
    }

    /// `Multisig.as_multi` of a runtime with another type for its call.
    public static func runtime(_ type: FixtureType, _ base: FixtureRuntime = .standard) -> FixtureRuntime {
        var runtime = base
        runtime.typeParameters[type] = [FixtureParameter("T", .runtimeCall)]
        for pallet in runtime.pallets.indices where runtime.pallets[pallet].name == "Multisig" {
            for call in runtime.pallets[pallet].calls.indices {
                for field in runtime.pallets[pallet].calls[call].fields.indices {
                    guard runtime.pallets[pallet].calls[call].fields[field].name == "call" else { continue }
                    runtime.pallets[pallet].calls[call].fields[field].type = type
                    runtime.pallets[pallet].calls[call].fields[field].typeName = "OpaqueCall<T>"
                }
            }
        }
        return runtime
    }

    /// Arguments of `as_multi` with a call that announces a length.
    public static func asMulti(_ runtime: FixtureRuntime, other: [UInt8], call: [UInt8]) -> [UInt8] {
        runtime.call(
            "Multisig", "as_multi",
            [FixtureValue.integer(UInt16(2)), FixtureValue.vector([other]), FixtureValue.none, call, weight])
    }

    public static let weight = FixtureValue.compact(9) + FixtureValue.compact(10)

    /// A batch of two whose second call is a remark by its metadata and a theft to the chain.
    public static func lyingBatch(_ runtime: FixtureRuntime, other: [UInt8], thief: [UInt8]) -> [UInt8] {
        let theft = runtime.call(
            "Balances", "transfer_all", [FixtureValue.address(thief), FixtureValue.bool(false)])
        let hidden = weight + theft
        let shown = runtime.call("System", "remark", [FixtureValue.bytes(Array("hi".utf8))])
        let second = runtime.call("System", "remark", [FixtureValue.compact(UInt128(hidden.count))])
        let length = shown.count + weight.count + second.count
        let first = asMulti(runtime, other: other, call: FixtureValue.compact(UInt128(length)) + shown)
        return runtime.call("Utility", "force_batch", [FixtureValue.vector([first, second + hidden])])
    }
}
