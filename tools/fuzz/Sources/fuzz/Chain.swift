import Extrinsics
import FixtureRuntime
import Forge
import Metadata
import SCALE
import SubstratePrimitives

private let runtime = FixtureRuntime.standard
private let versions = FixtureRuntime.MetadataVersion.allCases.map {
    try! RuntimeMetadata(runtime.metadata($0))
}
private let specs = runtime.specs

private let calls: [[UInt8]] = {
    let remark = runtime.call("System", "remark", [FixtureValue.bytes([1, 2, 3])])
    let transfer = runtime.call(
        "Balances", "transfer_keep_alive",
        [FixtureValue.address([UInt8](repeating: 7, count: 32)), FixtureValue.compact(1_500_000_000_000)])
    let batch = runtime.call("Utility", "batch_all", [FixtureValue.vector([transfer, remark])])
    return [remark, transfer, batch]
}()

/// Metadata of version 12 or 13 with a module, a call and a constant.
private func legacy(_ version: UInt8) -> [UInt8] {
    SCALEWriter.encode { writer in
        writer.raw(Array("meta".utf8) + [version])
        writer.compact(1)
        writer.string("System")
        // Neither storage nor events; one call; one constant; no errors; index 0.
        writer.u8(0)
        writer.u8(1)
        writer.vector(["remark"]) { writer, name in
            writer.string(name)
            writer.vector(["Vec<u8>"]) { writer, type in
                writer.string("_remark")
                writer.string(type)
            }
            writer.compact(0)
        }
        writer.u8(0)
        writer.vector(["SS58Prefix"]) { writer, name in
            writer.string(name)
            writer.string("u8")
            writer.byteVector([42])
            writer.compact(0)
        }
        writer.compact(0)
        writer.u8(0)
        writer.u8(4)
        writer.vector(["CheckSpecVersion", "CheckMortality", "CheckNonce"]) { $0.string($1) }
    }
}

/// Entries that define one type by name, one enumeration and one structure.
private let entries = SCALEWriter.encode { writer in
    writer.compact(3)
    writer.string("Index")
    writer.u8(0)
    writer.string("u32")
    writer.string("Kind")
    writer.u8(1)
    writer.vector(["None", "Some"]) { writer, name in
        writer.string(name)
        writer.u8(1)
        writer.string("Vec<(u8, Option<Index>)>")
    }
    writer.string("Record")
    writer.u8(2)
    writer.vector(["a"]) { writer, name in
        writer.u8(1)
        writer.string(name)
        writer.string("[u8; 32]")
    }
}

private let body = runtime.transactionBody(call: calls[1], FixtureExtensionValues(nonce: 3, tip: 5))

/// Decodes, and holds what is shown against the bytes.
private func decode(_ body: some Collection<UInt8>, _ metadata: RuntimeMetadata) {
    guard let decoded = try? Extrinsics.decode(body: body, metadata: metadata, specs: specs) else { return }
    precondition(
        Array(body).suffix(decoded.signingBytes.count).elementsEqual(decoded.signingBytes),
        "other bytes than were decoded")
    precondition(decoded.signingBytes.starts(with: decoded.callBytes), "a call that is not signed")
    let again = try? ValueEncoder.encode(
        decoded.call, metadata.extrinsic.call, types: TypeView(metadata.registry))
    precondition(again == decoded.callBytes, "a call has two encodings")
}

/// Runs a part of the input after its length in three bytes, and the rest.
private func parts(_ input: [UInt8]) -> (first: [UInt8], rest: [UInt8])? {
    guard input.count >= 3 else { return nil }
    let length = input[..<3].reduce(0) { $0 << 8 | Int($1) }
    return (Array(input[3...].prefix(length)), Array(input[3...].dropFirst(length)))
}

private func joined(_ first: [UInt8], _ rest: [UInt8]) -> [UInt8] {
    [16, 8, 0].map { UInt8(first.count >> $0 & 255) } + first + rest
}

let chainTargets = [
    // A choice of the fixture runtime's metadata, then a transaction.
    FuzzTarget(
        name: "transaction",
        seeds: {
            versions.indices.flatMap { version in
                calls.map { [UInt8(version)] + runtime.transactionBody(call: $0) } + [[UInt8(version)] + body]
            }
        }
    ) { input in
        guard let choice = input.first else { return }
        decode(input.dropFirst(), versions[Int(choice) % versions.count])
    },
    // Metadata after its length, and a transaction that is read with it.
    FuzzTarget(
        name: "metadata", longest: 65_536, memory: 2048, seconds: 20,
        seeds: {
            FixtureRuntime.MetadataVersion.allCases.map { joined(runtime.metadata($0), body) } + [
                joined(legacy(12), []), joined(legacy(13), []),
            ]
        }
    ) { input in
        guard let (blob, rest) = parts(input), let metadata = try? RuntimeMetadata(blob) else { return }
        precondition(metadata.blob == blob, "metadata of other bytes")
        decode(rest, metadata)
        _ = try? MetadataDigest(of: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, specs))
        _ = try? Extrinsics.decodeCall(rest, metadata: metadata, specs: specs)
    },
    // Types after their length, then metadata of version 12 or 13, or the end of one.
    FuzzTarget(
        name: "types", longest: 16_384, memory: 2048, seconds: 10,
        seeds: { [joined(entries, legacy(12)), joined(entries, legacy(13)), joined(entries, [])] }
    ) { input in
        guard let (bytes, rest) = parts(input) else { return }
        var reader = SCALEReader(bytes)
        guard let types = try? LegacyTypes(from: &reader), (try? reader.finish()) != nil,
            let metadata = try? RuntimeMetadata(rest.isEmpty ? legacy(12) : rest, types: types)
        else { return }
        decode([16] + calls[0], metadata)
    },
    // A proof, then the transaction that it is for.
    FuzzTarget(
        name: "proof", longest: 16_384, memory: 2048, seconds: 10,
        seeds: {
            let forged = try ForgedProof(runtime)
            let values = FixtureExtensionValues(metadataHash: Hash32(forged.hash))
            let shown = forged.encoded()
            let honest = try calls.map { call -> [UInt8] in
                let (explicit, implicit) = runtime.extensionBytes(values)
                let proof = try MetadataProof.make(
                    metadata: versions[1], extraInfo: ExtraInfo(versions[1].runtimeVersion, specs),
                    call: call,
                    extensions: explicit + implicit)
                return proof.encoded
                    + runtime.transactionBody(call: call, FixtureExtensionValues(metadataHash: proof.hash))
            }
            return honest + [shown + runtime.transactionBody(call: calls[0], values)]
        }
    ) { input in
        var reader = SCALEReader(input)
        guard let proof = try? MetadataProof(from: &reader) else { return }
        precondition(
            input.starts(with: proof.encoded) && proof.encoded.count == reader.offset,
            "a proof of other bytes")
        let specs = NetworkSpecs(proof, genesisHash: runtime.genesisHash)
        guard let decoded = try? Extrinsics.decode(body: input[reader.offset...], proof: proof, specs: specs)
        else { return }
        precondition(
            decoded.signingBytes.suffix(33).elementsEqual([1] + proof.hash.bytes),
            "a hash that does not end the signed bytes")
        precondition(
            input.suffix(decoded.signingBytes.count).elementsEqual(decoded.signingBytes),
            "other bytes than were decoded")
    },
]
