"""Laws 50 and 51 of the state proofs, of `heliograph-hot --state`, for hot_laws: a stand-in node proves a chain's state, or something else."""
import hashlib
import json
import subprocess

from . import hot_signing, state_trie
from .common import BOB, ROOT
from .hot_world import ALICE, MAKE, law

# Of 2025-11-24 16:00 UTC, in milliseconds.
MOMENT = 1_764_000_000_000
LAYOUTS = state_trie.Layouts()
CALL = ["--call-hex", hot_signing.TRANSFER.hex()]


def storage(version=1000, name="heliotest", bob=True, **changes):
    """A chain with two hundred accounts, Alice and Bob among them."""
    values = LAYOUTS.runtime(name, version) | LAYOUTS.time(MOMENT)
    for number in range(200):
        values |= LAYOUTS.account(hashlib.sha256(bytes([number])).digest(), free=number)
    values |= LAYOUTS.account(ALICE.public_key, **({"nonce": 4, "free": 10 ** 13} | changes))
    if bob:
        values |= LAYOUTS.account(BOB, free=10 ** 12)
    return {place.hex(): value.hex() for place, value in values.items()}


def ready(world, **changes):
    """A chain whose node proves its state, known to the database; the log of the node."""
    world.runtime(1000, words=["--with-storage"], storage=storage(), nonces={ALICE.ss58_address: 4})
    log = hot_signing.ready(world, **changes)
    log.write_text("")
    return log


def make(world, *more, out="state.bin", code=0):
    return world.hot(*MAKE, *CALL, *more, "--out", world.folder / out, code=code)


def proof(payload):
    """What stands around the transaction: header, the number of its items, its nodes; and the transaction."""
    assert payload[:4] == bytes([0x53, 1, 0xa8, 0]), payload[:4].hex()
    place = 4

    def number():
        nonlocal place
        mode = payload[place] & 3
        size = 1 << mode
        assert mode < 3
        value = int.from_bytes(payload[place:place + size], "little") >> 2
        place += size
        return value

    def vector():
        nonlocal place
        size = number()
        place += size
        return payload[place - size:place]
    header, items = vector(), []
    for _ in range(number()):
        # These laws ask for accounts.
        assert payload[place] == 2
        items.append(payload[place + 1:place + 33])
        place += 33
    assert number() == 0
    return header, items, [vector() for _ in range(number())], payload[place:]


@law
def a_transaction_carries_the_state_of_the_block_that_it_names(world):
    log = ready(world)
    run = make(world, "--state")
    header, items, nodes, inner = proof((world.folder / "state.bin").read_bytes())
    assert items == sorted([ALICE.public_key, BOB]) and len(nodes) > 4
    # The era of 256 blocks starts at the newest finalized block, whose hash is in the signed bytes.
    block = state_trie.blake2(header)
    assert block in inner and int.from_bytes(header[32:34], "little") >> 2 == 500
    assert log.read_text().count("state_getReadProof") == 1
    for text in ("state of block 500, at most 255 blocks old", "nonce 4 is next", "10 HLO", "QR codes instead of"):
        assert text in run.stderr, f"{text}: {run.stderr}"
    # Nothing else changes: the transaction is the one that is made without the proof.
    plain = world.made(*MAKE[1:], *CALL, "--era", 256, out="plain.bin")
    assert plain == inner


@law
def a_second_reader_reads_the_same_values_in_the_same_order(world):
    ready(world)
    make(world, "--state")
    header, items, nodes, _ = proof((world.folder / "state.bin").read_bytes())
    # Parent, a number of two bytes, root.
    root, reader = header[34:66], state_trie.Reader(nodes)
    held = storage()
    entries = [LAYOUTS.key("System.LastRuntimeUpgrade"), LAYOUTS.key("Timestamp.Now"), *(LAYOUTS.key("System.Account", account) for account in items)]
    assert [reader.read(root, entry).hex() for entry in entries] == [held[entry.hex()] for entry in entries]
    assert not reader.left and len(items) == 2
    # The frozen proofs of others and of the prototype, and those that this program makes.
    vectors = json.loads((ROOT / "fixtures/state/vectors.json").read_text())
    cases = [(trie["root"], trie) for trie in vectors["tries"]] + [(trie["state_root"], trie) for trie in vectors["others_proofs"]]
    for root, trie in cases:
        reader = state_trie.Reader(bytes.fromhex(node) for node in trie["nodes"])
        for place, value in trie["reads"]:
            read = reader.read(bytes.fromhex(root), bytes.fromhex(place))
            assert (None if read is None else read.hex()) == value, trie["name"]
        assert not reader.left, trie["name"]


@law
def the_document_says_what_was_proven(world):
    ready(world)
    document = json.loads(make(world, "--state", "--json").stdout)
    assert document["payload"] == {"code": "a8", "kind": "proven_state", "bytes": len((world.folder / "state.bin").read_bytes()),
                                   "blake2b_256": state_trie.blake2((world.folder / "state.bin").read_bytes()).hex()}
    state = document["state"]
    assert state["block"]["number"] == 500 and state["block"]["time"] == MOMENT // 1000 and state["block"]["maximum_age"] == 255
    held = {fact["item"]: fact for fact in state["facts"]}
    assert held["02" + ALICE.public_key.hex()]["free"] == str(10 ** 13) and held["02" + BOB.hex()]["exists"]
    assert state["not_proven"] == [] and state["nodes"] > 4
    assert json.loads(make(world, "--json", out="plain.bin").stdout).get("state") is None


@law
def nothing_is_proven_unless_asked(world):
    log = ready(world)
    assert world.made(*MAKE[1:], *CALL, out="plain.bin")[2] == 6
    assert "state_getReadProof" not in log.read_text()


@law
def the_order_and_the_number_of_a_nodes_answers_change_nothing(world):
    ready(world)
    make(world, "--state")
    honest = (world.folder / "state.bin").read_bytes()
    for fault in ("reversed", "doubled", "further"):
        world.set(proofFault=fault)
        make(world, "--state", out=f"{fault}.bin")
        assert (world.folder / f"{fault}.bin").read_bytes() == honest, fault


@law
def a_node_that_lies_about_the_state_gets_nothing_drawn(world):
    ready(world, logs={"all": ["00" + "04" + "07"]})
    faults = dict.fromkeys(("missing-root", "missing-leaf", "flipped", "foreign", "compact", "empty"), ("a node is missing", 65))
    faults |= dict.fromkeys(("no-list", "not-hex"), ("the answer to state_getReadProof is malformed", 74))
    faults |= dict.fromkeys(("other-root", "other-number", "no-log"), ("has the hash 0x", 1))
    faults |= {"endless": ("more data than", 74), "odd-log": ("the answer to chain_getHeader is malformed", 74)}
    for fault, (text, code) in faults.items():
        world.set(proofFault=fault)
        # A node that offers no proofs may be passed over; one that lies may not.
        for option in ("--state", "--state-if-offered"):
            run = make(world, option, "--attempts", 1, code=code)
            assert text in run.stderr, f"{fault}: {run.stderr}"
            assert not (world.folder / "state.bin").exists(), fault


@law
def a_state_that_the_offline_side_would_refuse_is_not_drawn(world):
    ready(world)
    alice = LAYOUTS.key("System.Account", ALICE.public_key).hex()
    moment = LAYOUTS.key("Timestamp.Now").hex()
    changed = {
        "the state is of heliotest 999": (storage(version=999), 1), "the state is of heliotesu 1000": (storage(name="heliotesu"), 1),
        "the value of System.Account has an unknown layout (84 bytes)": (storage() | {alice: "00" * 84}, 1),
        "the value of System.Account has an unknown layout (80 bytes)": (storage(flags=1), 1),
        "the value of Timestamp.Now has an unknown layout (7 bytes)": (storage() | {moment: "00" * 7}, 1),
        "the state has no value of Timestamp.Now": ({place: value for place, value in storage().items() if place != moment}, 1),
        "a value of 16385 bytes, at most 16384": (storage() | {alice: "00" * 16385}, 65)}
    for text, (values, code) in changed.items():
        world.set(storage=values)
        run = make(world, "--state", code=code)
        assert text in run.stderr, f"{text}: {run.stderr}"
        assert not (world.folder / "state.bin").exists()


@law
def an_absent_account_is_proven_absent(world):
    ready(world, storage=storage(bob=False))
    assert "is absent" in make(world, "--state").stderr


@law
def the_state_before_a_block_with_a_large_header_is_taken(world):
    # A digest item of 4,096 bytes: all authorities of an era.
    ready(world, logs={"500": ["00" + "0140" + "07" * 4096]})
    assert "state of block 499" in make(world, "--state").stderr
    world.set(logs={"all": ["00" + "0140" + "07" * 4096]})
    assert "a header of" in make(world, "--state", out="large.bin", code=65).stderr


@law
def a_node_without_proofs_gets_a_sentence(world):
    log = ready(world, proofFault="no-method")
    run = make(world, "--state", code=1)
    assert "the node refuses state_getReadProof" in run.stderr and "--state-if-offered" in run.stderr, run.stderr
    assert not (world.folder / "state.bin").exists()
    # It is asked once: asking again would not help.
    assert log.read_text().count("state_getReadProof") == 1
    assert "without facts of the chain's state" in make(world, "--state-if-offered").stderr
    assert (world.folder / "state.bin").read_bytes()[2] == 6


@law
def a_proof_is_for_one_mortal_transaction(world):
    ready(world)
    for words in (["--era", "immortal"], ["--group"], CALL, ["--state-if-offered"]):
        make(world, "--state", *words, code=64)


@law
def sign_carries_the_state_around_claims_and_takes_the_answer(world):
    ready(world)
    with hot_signing.signing(world, "--state", "--claims", "--without-proof") as child:
        inner = proof((world.folder / "tx.bin").read_bytes())[3]
        assert inner[2] == 0xa4
        out, _ = hot_signing.ended(child, hot_signing.signature(world, inner) + "\n")
    assert out.splitlines()[-1] == f"finalized in block {hot_signing.BLOCK}"


@law
def the_offline_side_shows_what_the_node_proved(world):
    ready(world)
    make(world, "--state", out="state.hex")
    words = ["inspect", "--hex", f"@{world.folder / 'state.hex'}", "--metadata", world.chain / "15.scale", "--specs", world.chain / "specs.json",
             "--vault", world.folder / "none", "--json"]
    run = subprocess.run(["heliograph", *map(str, words)], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr + run.stdout
    document = json.loads(run.stdout)
    assert document["payload"]["kind"] == "proven_state"
    state = document["items"][0]["state"]
    assert state["block"]["number"] == 500 and state["block"]["maximum_age"] == 255
    facts = {fact["role"]: fact for fact in state["facts"]}
    assert facts["signer"]["free"] == str(10 ** 13) and facts["signer"]["nonce"] == 4
    assert facts["destination"]["free"] == str(10 ** 12)
