"""Reads the fixture runtime's V14 metadata with PyPI scalecodec, and encodes calls and extensions with it.
"""
import hashlib
import json
import pathlib
import tempfile

from scalecodec.base import ScaleBytes

from ..common import FIXTURES
from ..fixture_network import write
from ..peers import runtime

OUT = FIXTURES / "fixture-runtime/answers.json"

BOB = "0x8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"
CHARLIE = "0x90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22"

TRANSFER = ("Balances", "transfer_keep_alive", {"dest": {"Id": BOB}, "value": 1_500_000_000_000})
REMARK = ("System", "remark", {"remark": "0x" + b"heliograph".hex()})


def nested(call):
    return {"call_module": call[0], "call_function": call[1], "call_args": call[2]}


CALLS = {
    "transfer": TRANSFER,
    "transfer_large": ("Balances", "transfer_allow_death", {"dest": {"Id": BOB}, "value": 2**100}),
    "transfer_all": ("Balances", "transfer_all", {"dest": {"Id": BOB}, "keep_alive": True}),
    "remark": REMARK,
    "batch": ("Utility", "batch_all", {"calls": [nested(TRANSFER), nested(REMARK)]}),
    "proxy": ("Proxy", "proxy", {"real": {"Id": BOB}, "force_proxy_type": "Staking", "call": nested(TRANSFER)}),
    "multisig": ("Multisig", "as_multi", {
        "threshold": 2, "other_signatories": [BOB, CHARLIE], "maybe_timepoint": {"height": 7, "index": 1},
        "call": nested(REMARK), "max_weight": {"ref_time": 1_000_000, "proof_size": 65_536},
    }),
    "asset": ("Assets", "transfer", {"id": 1984, "target": {"Id": BOB}, "amount": 25}),
}

EXPLICIT = {
    "CheckMortality": {"period": 64, "phase": 18}, "CheckNonce": 46, "ChargeTransactionPayment": 5,
    "CheckMetadataHash": {"mode": "Enabled"},
}
IMPLICIT = {
    "CheckSpecVersion": 1000, "CheckTxVersion": 3, "CheckGenesis": "0x" + "11" * 32, "CheckMortality": "0x" + "22" * 32,
    "CheckMetadataHash": "0x" + "33" * 32,
}


def answers(blob):
    """What scalecodec reads in the metadata, and what it encodes with it."""
    config, metadata = runtime(blob, implements_scale_info=True, ss58_format=42)

    def call(pallet, name, arguments):
        scale = config.create_scale_object("Call", metadata=metadata)
        return scale.encode({"call_module": pallet, "call_function": name, "call_args": arguments}).to_hex()[2:]

    def extensions(part, values):
        out = bytearray()
        for item in metadata[1][1]["extrinsic"]["signed_extensions"].value_object:
            name = item["identifier"].value
            if name in values:
                out += config.create_scale_object(f"scale_info::{item[part].value}").encode(values[name]).data
        return out.hex()

    def decoded(type_id, value):
        scale = config.create_scale_object(f"scale_info::{type_id}")
        return scale.decode(ScaleBytes(bytearray(value)))

    system = next(p for p in metadata.pallets if p.value["name"] == "System")
    values = {
        c.value["name"]: decoded(c.value["type"], c.constant_value)
        for c in system["constants"].value_object
    }
    return {
        "metadata_blake2b_256": hashlib.blake2b(blob, digest_size=32).hexdigest(),
        "pallets": [p.value["name"] for p in metadata.pallets],
        "version": values["Version"],
        "ss58_prefix": values["SS58Prefix"],
        "calls": {name: call(*parts) for name, parts in CALLS.items()},
        "explicit": extensions("ty", EXPLICIT),
        "implicit": extensions("additional_signed", IMPLICIT),
    }


def run(options):
    with tempfile.TemporaryDirectory() as folder:
        write(pathlib.Path(folder))
        read = answers(pathlib.Path(folder, "metadata-v14.scale").read_bytes())
    OUT.write_text(json.dumps(read, indent=2) + "\n")
