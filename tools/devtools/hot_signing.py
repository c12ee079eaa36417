"""Laws of `heliograph-hot sign`, for hot_laws: a stand-in node answers what it costs, and the laws play the signer with schnorrkel."""
import contextlib
import hashlib
import signal
import sqlite3
import subprocess
import threading
import time

import xxhash
from substrateinterface import Keypair

from . import stand_in_camera, stand_in_node
from .common import BOB, compact, to_sign
from .hot_world import ALICE, MAKE, law, of_hosts
from .terminals import AtTerminal

# Balances.transfer_keep_alive of 1.5 HLO.
TRANSFER = bytes([5, 3, 0]) + BOB + bytes([0x0b]) + (1_500_000_000_000).to_bytes(6, "little")
BLOCK = "0x" + "ab" * 32
FEE = 15_915_490_500


def ready(world, **changes):
    """A node that knows Alice's balance and follows what is submitted to the end; its log."""
    log = world.folder / "log"
    world.set(fee=FEE, balances={"0x" + ALICE.public_key.hex(): {"free": 10 ** 13}}, nonces={ALICE.ss58_address: 4},
              submit=["ready", {"inBlock": BLOCK}, {"finalized": BLOCK}],
              # A node that named a block and does not know it has contradicted itself.
              **{"body": {BLOCK: ["0x1004030201", "submitted"]}, **changes})
    world.hot("fetch", world.node("--log", str(log)))
    log.write_text("")
    return log


def words(world, *more, out="tx.bin"):
    sent = ["sign", "--network", "heliotest", "--signer", ALICE.ss58_address, "--call-hex", TRANSFER.hex(), *map(str, more)]
    return sent + (["--out", str(world.folder / out)] if out else [])


@contextlib.contextmanager
def signing(world, *more, environment=None):
    """The program, once its payload is written."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    child = world.start(*words(world, *more), environment=environment, text=True, **pipes)
    try:
        until(lambda: (world.folder / "tx.bin").exists() or child.poll() is not None)
        assert child.poll() is None, child.communicate()
        yield child
    finally:
        child.kill()
        child.communicate()


def until(is_so, seconds=60):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def inner(payload):
    """The payload without its claims, which are an option each."""
    if payload[2] != 0xa4:
        return payload
    place = 4
    for size in (16, 16, 16, 16, 8, 8):
        place += 1 + size * payload[place]
    return payload[place:]


def signature(world, payload=None, key=ALICE):
    """The text of the signer's answer."""
    payload = inner(payload or (world.folder / "tx.bin").read_bytes())
    assert payload[:3].hex() == "530102", payload[:3].hex()
    message = payload[35 + len(compact(len(TRANSFER))):-32]
    return "01" + key.sign(to_sign(message)).hex()


def ended(child, text="", code=0):
    out, errors = child.communicate(text, timeout=120)
    assert child.returncode == code, f"exit {child.returncode}, not {code}: {errors}"
    return out, errors


def hash_of(extrinsic):
    return "0x" + hashlib.blake2b(bytes.fromhex(extrinsic), digest_size=32).hexdigest()


@law
def one_command_makes_shows_reads_submits_and_follows(world):
    log = ready(world)
    with signing(world, "--without-proof") as child:
        assert "author_submitAndWatchExtrinsic" not in log.read_text()
        wrong = signature(world, key=Keypair.create_from_uri("//Bob"))
        out, errors = ended(child, f"{wrong}\nno such file\n\n{signature(world)}\n")
    lines = out.splitlines()
    for said in ("fee 0.0159154905 HLO", "balance 10 HLO, 8.4840845095 HLO after it", "existential deposit 0.01 HLO",
                 "expires at block 564: 64 blocks left after 500, the newest finalized one", f"finalized in block {BLOCK}"):
        assert said in lines, (said, out)
    told = errors.splitlines()
    extrinsic = lines[-2]
    order = [f"show {world.folder}/tx.bin to the signer, then give its answer here", "a signature that does not match this payload: still waiting",
             "1 signature verified", "64 blocks left before the transaction expires", f"submitted as {hash_of(extrinsic)}", f"in block {BLOCK}"]
    places = [told.index(line) for line in order]
    assert places == sorted(places), errors
    assert any("no such file" in line.lower() for line in told), errors
    # The fee is asked for an extrinsic as long as the one that is sent, about one block.
    assert log.read_text().split().count("author_submitAndWatchExtrinsic") == 1


class Block:
    """The events of a block as SCALE, for the fixture runtime with events: System 0, Balances 5, Utility 26, Proxy 30, TransactionPayment 32."""
    BAD_ORIGIN, NO_BALANCE, NO_FUNDS = bytes([2]), bytes([3, 5, 2, 0, 0, 0]), bytes([7, 0])
    INFO = compact(145_000_000) + compact(3_593) + b"\0\0"

    @staticmethod
    def record(place, *parts, topics=0):
        phase = b"\1" if place is None else b"\0" + place.to_bytes(4, "little")
        return phase + b"".join(parts) + compact(topics) + bytes(32 * topics)

    @classmethod
    def success(cls, place):
        return cls.record(place, b"\0\0", cls.INFO)

    @classmethod
    def failed(cls, place, error):
        return cls.record(place, b"\0\1", error, cls.INFO)

    @classmethod
    def fee(cls, place, planck):
        return cls.record(place, bytes([32, 0]), ALICE.public_key, planck.to_bytes(16, "little"), bytes(16))

    @staticmethod
    def all(*records):
        return "0x" + (compact(len(records)) + b"".join(records)).hex()


def included(world, *records, place=1, body=("0x1004030201", "submitted"), **changes):
    """Lets the block that the node names have these transactions and events."""
    world.set(body={BLOCK: list(body)}, events={BLOCK: Block.all(*records)}, renumbered=BLOCK, **changes)


def submitted(world, *more, code=0):
    """What `read --submit` says of a transaction that is final."""
    if not (world.folder / "tx.bin").exists():
        world.hot(*MAKE, "--call-hex", TRANSFER.hex(), "--nonce", 4, "--without-proof", "--out", world.folder / "tx.bin")
    return world.hot("read", "--hex", signature(world), "--payload", world.folder / "tx.bin", "--submit", "stored", *more, code=code)


def with_events(world):
    world.runtime(1000, words=("--with-events",))
    ready(world)


@law
def a_final_transaction_that_failed_is_called_failed(world):
    assert stand_in_node.EVENTS == "0x" + b"".join(
        xxhash.xxh64(text, seed=seed).intdigest().to_bytes(8, "little") for text in (b"System", b"Events") for seed in (0, 1)).hex()
    with_events(world)
    # Before, behind and between stand events of other transactions and of none, with the opposite result.
    others = [Block.failed(0, Block.BAD_ORIGIN), Block.record(None, b"\0\0", Block.INFO, topics=2), Block.success(2)]
    account = ALICE.public_key
    included(world, others[0], Block.record(1, bytes([5, 2]), account, BOB, (7).to_bytes(16, "little"), topics=1), Block.fee(1, FEE),
             Block.success(1), *others[1:])
    run = submitted(world)
    assert run.stdout.splitlines()[1:] == [f"finalized in block {BLOCK}", "succeeded; fee paid: 0.0159154905 HLO"], run
    assert "result believed from one node" in run.stderr and "not checked" not in run.stderr
    for error, said in ((Block.NO_BALANCE, "Balances.InsufficientBalance: Balance too low to send value"),
                        (bytes([3, 5, 9, 0, 0, 0]), "error 9 of the pallet Balances"),
                        (Block.BAD_ORIGIN, "the origin is not allowed to make the call"), (Block.NO_FUNDS, "the funds are unavailable")):
        others = [Block.success(0), Block.record(None, b"\0\0", Block.INFO), Block.success(2)]
        included(world, others[0], Block.fee(1, FEE), Block.failed(1, error), *others[1:])
        run = submitted(world, code=1)
        assert run.stdout.splitlines()[1:] == [f"finalized in block {BLOCK}", "failed; fee paid: 0.0159154905 HLO"], run
        assert f"the transaction is in the chain and failed: {said}\n" in run.stderr, run.stderr
    (world.folder / "tx.bin").unlink()
    with signing(world, "--without-proof") as child:
        out, errors = ended(child, signature(world) + "\n", code=1)
    assert out.splitlines()[-1] == "failed; fee paid: 0.0159154905 HLO" and "the funds are unavailable" in errors


@law
def a_batch_that_stopped_is_no_success(world):
    with_events(world)
    for record, said in (
            (Block.record(1, bytes([26, 0]), (1).to_bytes(4, "little"), Block.NO_BALANCE),
             "Utility.BatchInterrupted: Balances.InsufficientBalance: Balance too low to send value"),
            (Block.record(1, bytes([26, 4]), Block.BAD_ORIGIN), "Utility.ItemFailed: the origin is not allowed to make the call"),
            (Block.record(1, bytes([30, 0]), b"\1", Block.NO_FUNDS), "Proxy.ProxyExecuted: the funds are unavailable")):
        included(world, record, Block.fee(1, FEE), Block.success(1))
        run = submitted(world, code=1)
        assert run.stdout.splitlines()[-1] == "succeeded in part; fee paid: 0.0159154905 HLO", run
        assert f"the transaction is in the chain, but a call inside it failed: {said}\n" in run.stderr, run.stderr
    # A call that ran, and one that failed in another transaction.
    included(world, Block.record(1, bytes([30, 0]), b"\0"), Block.record(0, bytes([26, 4]), Block.BAD_ORIGIN), Block.success(1))
    assert submitted(world).stdout.splitlines()[-1] == "succeeded; fee paid: unknown"


@law
def a_result_that_nothing_tells_is_not_called_success(world):
    with_events(world)
    whole = Block.all(Block.success(1))

    def unknown(reason):
        run = submitted(world)
        assert "included, result not checked: " in run.stderr and f"{reason}\n" in run.stderr and "succeeded" not in run.stdout, (reason, run)
        run = submitted(world, "--strict", code=1)
        assert "the transaction is in the chain, but its result is not checked: " in run.stderr and reason in run.stderr, (reason, run)

    def events(value):
        world.set(events={BLOCK: value})
    included(world, Block.success(1))
    assert "succeeded" in submitted(world, "--strict").stdout
    for records in ((), (Block.success(0),), (Block.success(2),), (Block.record(None, b"\0\0", Block.INFO),)):
        included(world, *records)
        unknown("no event tells how the transaction ended")
    included(world, Block.success(1), Block.failed(1, Block.NO_FUNDS))
    unknown("2 events tell how the transaction ended")
    for value in (whole[:-2], whole + "00", "0x", Block.all(Block.record(1, b"\0\2", Block.INFO)), Block.all(Block.record(1, b"\7\0")),
                  "0x04" + "03" + whole[6:], "0x" + "ff" * 40):
        events(value)
        unknown("the events do not match the metadata")
    events(None)
    unknown("the node has no events of the block")
    included(world, Block.success(1), body=("0x1004030201",))
    run = submitted(world, code=1)
    assert f"block {BLOCK} does not have the transaction" in run.stderr and "included" not in run.stderr, run
    assert len(run.stdout.splitlines()) == 1, run
    included(world, Block.success(1), body=("submitted", "submitted"))
    unknown("the block has the transaction 2 times")
    included(world, Block.success(1))
    world.set(renumbered="0x" + "cd" * 32)
    unknown("the node has another block 500")
    # The node that called the block final knows no such block: it contradicts itself, and nothing that it said is final.
    world.set(body={})
    for more in ((), ("--strict",)):
        run = submitted(world, *more, code=1)
        assert f"block {BLOCK} is unknown to the node that named it for the transaction" in run.stderr and "included" not in run.stderr, run
        assert len(run.stdout.splitlines()) == 1, run


def payment(world):
    """The words that submit a payment of nonce 4 to a node."""
    world.hot(*MAKE, "--call-hex", TRANSFER.hex(), "--nonce", 4, "--without-proof", "--out", world.folder / "tx.bin")
    answer = signature(world)
    extrinsic = world.hot("read", "--hex", answer, "--payload", world.folder / "tx.bin").stdout.strip()
    return ["read", "--hex", answer, "--payload", world.folder / "tx.bin", "--submit"], extrinsic


AGAIN = "if you make it again, use --nonce 4, the same: only one of the two can then take effect"


# What is made again with a nonce that the chain has used is refused, whatever it is.
USED = "nonce 4 is used, by this transaction or by another: look for it in an explorer before you make it again with the next one"


@law
def a_transaction_that_a_node_was_given_is_looked_for_and_never_called_unsent(world):
    """The node that took it fails, and an honest one that has it in a block refuses it as outdated: paid, it must not be called refused."""
    with_events(world)
    world.set(submit=["ready", {"inBlock": BLOCK}])
    lost, honest = world.node("--hang-up"), world.node("--refuse", "1010")
    submit, extrinsic = payment(world)
    world.hot("network", "remove", "heliotest")
    world.hot("fetch", lost)
    world.hot("fetch", honest)
    hash_ = hash_of(extrinsic)
    whole = [f"finalized in block {BLOCK}", "succeeded; fee paid: 0.0159154905 HLO"]
    included(world, Block.fee(1, FEE), Block.success(1), body=("0x1004030201", "0x" + extrinsic))
    run = world.hot(*submit, "stored")
    assert run.stdout.splitlines()[1:] == whole and "looking for the transaction" in run.stderr, run
    assert "an earlier command" not in run.stderr, run
    # An honest node that has it in a block says outdated, and so may one that only its pool knows it from; each is asked where it is.
    for code in (1010, 1012, 1013):
        run = world.hot(*submit, world.node("--refuse", str(code)))
        assert run.stdout.splitlines()[1:] == whole, (code, run)
        assert "submitted as" not in run.stderr, run
        # Who submits the same answer again must not take that for a second payment.
        assert "an earlier command (" in run.stderr and "so this is no second payment" in run.stderr, run
        assert ("the chain has these bytes already" in run.stderr) == (code != 1013), run
    # Without a block: a refusal is told with its node, and with the nonce that a second one needs.
    world.set(body={}, events={})
    refuser = world.node("--refuse", "1010")
    run = world.hot(*submit, refuser, code=1)
    assert f"{refuser}: the node refused the request: Invalid Transaction (1010)" in run.stderr and AGAIN in run.stderr, run
    # What a node did with it after it failed is unknown, and no later node's refusal decides it.
    for node, more, reason in ((world.node("--hang-up"), ("--follow", 3), "the connection ended before the answer was complete"),
                               (world.node("--refuse", "1013"), ("--follow", 3), "Invalid Transaction (1013)"),
                               (world.node("--fault", "silent", "--fault-method", "author_submitAndWatchExtrinsic"), ("--timeout", 1, "--follow", 3),
                                "no answer within 1 second")):
        run = world.hot(*submit, node, *more, code=74)
        assert f"{hash_} was given to {node} and may be included: " in run.stderr and reason in run.stderr and AGAIN in run.stderr, run
        assert "the newest finalized blocks do not have it" in run.stderr and len(run.stdout.splitlines()) == 1, run
    # The account is beyond its nonce: by it or by another, and the search ends.
    world.set(balances={"0x" + ALICE.public_key.hex(): {"free": 10 ** 13, "nonce": 5}})
    run = world.hot(*submit, world.node("--hang-up"), code=74)
    assert "its nonce is used, by it or by another transaction" in run.stderr and USED in run.stderr and AGAIN not in run.stderr, run
    run = world.hot(*submit, refuser, code=1)
    assert "Invalid Transaction (1010)" in run.stderr and USED in run.stderr and AGAIN not in run.stderr, run
    world.set(submit=["ready", "invalid"])
    run = world.hot(*submit, "stored", "--follow", 2, code=1)
    assert "the node says that the transaction has expired" in run.stderr and USED in run.stderr and AGAIN not in run.stderr, run


@law
def a_transaction_that_a_node_gives_up_is_looked_for_and_made_again_with_its_nonce(world):
    with_events(world)
    submit, extrinsic = payment(world)
    for status, said in (("invalid", "the node says that the transaction has expired"), ("dropped", "dropped the transaction from its pool"),
                         ({"finalityTimeout": BLOCK}, "which was not finalized in time"), ({"usurped": "0x" + "11" * 32}, "replaced this one"),
                         ({"broadcast": ["peer"]}, "the transaction was not final after 2 seconds")):
        world.set(submit=["ready", status], body={}, events={})
        run = world.hot(*submit, "stored", "--follow", 2, code=1)
        assert said in run.stderr and AGAIN in run.stderr and len(run.stdout.splitlines()) == 1, run
        # The same words of a node whose final block has it are worth nothing.
        included(world, Block.success(1), body=("0x1004030201", "0x" + extrinsic))
        run = world.hot(*submit, "stored", "--follow", 2)
        assert run.stdout.splitlines()[1:] == [f"finalized in block {BLOCK}", "succeeded; fee paid: unknown"], (status, run)


@law
def ctrl_c_of_read_says_that_something_was_submitted(world):
    with_events(world)
    submit, extrinsic = payment(world)
    world.set(submit=["ready"])
    child = world.start(*submit, "stored", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        until(lambda: child.stderr.readline().startswith("waiting for a block"))
        child.send_signal(signal.SIGINT)
        _, errors = ended(child, code=130)
    finally:
        child.kill()
        child.communicate()
    assert f"interrupted: {hash_of(extrinsic)} was submitted, or is about to be, and may still be included" in errors and AGAIN in errors, errors


@law
def metadata_without_events_leaves_the_result_open(world):
    ready(world)
    included(world, Block.success(1))
    run = submitted(world)
    assert "included, result not checked: the metadata does not describe events" in run.stderr and "succeeded" not in run.stdout
    assert "not checked" in submitted(world, "--strict", code=1).stderr


def hosts_of_one_transaction(world, *addresses):
    """The answer to a transaction, the block that has it, and the chains of a node on loopback and of one at each address."""
    with_events(world)
    def node(address):
        return world.node("--address", address).replace("localhost", address)
    make = [*MAKE, "--call-hex", TRANSFER.hex(), "--nonce", 4]
    one = node("127.0.0.1")
    world.hot("fetch", one)
    world.hot(*make, "--without-proof", "--out", world.folder / "tx.bin")
    answer = signature(world)
    body = ("0x1004030201", "0x" + world.hot("read", "--hex", answer).stdout.strip())
    chains, nodes = [world.chain], [one]
    for address in addresses:
        world.other_chain(address)
        world.runtime(1000, words=("--with-events",), fee=FEE, submit=[{"finalized": BLOCK}])
        chains.append(world.chain)
        nodes.append(node(address))
    world.hot("fetch", *nodes, "--quorum", len(nodes))
    return answer, body, chains


@law
@of_hosts
def with_a_quorum_every_host_is_asked_about_the_result(world):
    with_events(world)
    def node(address):
        return world.node("--address", address).replace("localhost", address)
    included(world, Block.fee(1, FEE), Block.success(1), body=("0x1004030201", "EXTRINSIC"))
    one = node("127.0.0.1")
    make = [*MAKE, "--call-hex", TRANSFER.hex(), "--nonce", 4]
    world.hot("fetch", one)
    world.hot(*make, "--without-proof", "--out", world.folder / "tx.bin")
    # Two signatures over the same bytes differ.
    answer = signature(world)
    extrinsic = world.hot("read", "--hex", answer).stdout.strip()
    world.set(body={BLOCK: ["0x1004030201", "0x" + extrinsic]})
    world.other_chain("lie")
    world.runtime(1000, words=("--with-events",), fee=FEE, submit=[{"finalized": BLOCK}])
    included(world, Block.fee(1, FEE), Block.success(1), body=("0x1004030201", "0x" + extrinsic))
    liar = node("192.0.2.2")
    # Nothing is sent where fewer hosts can be asked than must agree.
    refused = world.hot("read", "--hex", answer, "--submit", one, "--quorum", 2, code=64)
    assert "the URLs name 1 host: 127.0.0.1" in refused.stderr and "submitted as" not in refused.stderr, refused
    world.hot("fetch", one, liar, "--quorum", 2)
    run = world.hot("read", "--hex", answer, "--submit", "stored", "--quorum", 2)
    assert run.stdout.splitlines()[-1] == "succeeded; fee paid: 0.0159154905 HLO", run
    # The URL that was fetched first names the same host, so it speaks for it.
    assert "result agreed by localhost, 192.0.2.2" in run.stderr, run
    # Nothing is called final on one node's word.
    assert "finality agreed by localhost, 192.0.2.2" in run.stderr and "believed from one node" not in run.stderr, run
    assert run.stdout.splitlines()[-2] == f"finalized in block {BLOCK}", run
    included(world, Block.fee(1, FEE), Block.failed(1, Block.NO_FUNDS), body=("0x1004030201", "0x" + extrinsic))
    refused = world.hot("read", "--hex", answer, "--submit", "stored", "--quorum", 2, code=1)
    assert "the nodes disagree: events: 0x" in refused.stderr and "succeeded" not in refused.stdout, refused
    # It was given away all the same, and whoever makes it again must not pay twice.
    assert "was submitted and may be included: if you make it again, use --nonce" in refused.stderr, refused
    included(world, Block.fee(1, FEE), Block.success(1), body=("0x1004030201",))
    world.says("transaction in the block: 1 from localhost, none from 192.0.2.2", "read", "--hex", answer, "--submit", "stored", "--quorum", 2, code=1)


@law
@of_hosts
def with_a_quorum_a_block_is_final_when_every_host_says_so(world):
    """One node calls the block final; a host that does not yet may still replace it, and with it the transaction."""
    answer, body, (first, other) = hosts_of_one_transaction(world, "192.0.2.2")
    def submit(*more, code=0):
        return world.hot("read", "--hex", answer, "--submit", "stored", "--follow", 2, *more, code=code)

    def heights(*finalized):
        for world.chain, number in zip((first, other), finalized):
            included(world, Block.success(1), body=body, height=500, finalized=number)
    for finalized in ((500, 500), (501, 500), (500, 564)):
        heights(*finalized)
        assert submit("--quorum", 2).stdout.splitlines()[1:] == [f"finalized in block {BLOCK}", "succeeded; fee paid: unknown"]
    for finalized, said in (((500, 499), "the nodes disagree: block is final: yes from localhost, no from 192.0.2.2"),
                            ((499, 500), "the nodes disagree: block is final: no from localhost, yes from 192.0.2.2"),
                            ((499, 499), f"the transaction is in block {BLOCK}, which was not finalized in time")):
        heights(*finalized)
        run = submit("--quorum", 2, code=1)
        assert said in run.stderr and "finalized" not in run.stdout and "succeeded" not in run.stdout, run
    # The one that named the block was wrong, as all of them say: it does not have the transaction.
    heights(501, 501)
    for world.chain in (first, other):
        world.set(body={BLOCK: ["0x1004030201"]})
    run = submit("--quorum", 2, code=1)
    assert f"block {BLOCK} does not have the transaction" in run.stderr, run
    assert "included" not in run.stderr and "finalized" not in run.stdout, run
    # All have another block there, which is final.
    heights(501, 501)
    for world.chain in (first, other):
        world.set(renumbered="0x" + "cd" * 32)
    run = submit("--quorum", 2, code=1)
    assert "which was not finalized in time" in run.stderr and "finalized" not in run.stdout, run
    # A host that is a moment behind is waited for.
    heights(500, 499)
    timer = threading.Timer(3, lambda: world.set(finalized=500))
    timer.start()
    assert "succeeded" in world.hot("read", "--hex", answer, "--submit", "stored", "--quorum", 2).stdout
    timer.join()
    # One node is believed alone where nobody asks for more, and the answer says so.
    heights(499, 499)
    run = submit()
    assert run.stdout.splitlines()[1] == f"finalized in block {BLOCK}" and "finality believed from one node" in run.stderr, run


@law
@of_hosts
def a_host_that_discarded_the_state_of_a_block_confirms_no_result(world):
    """Two honest hosts that no longer know, and a liar: he must not decide, wherever he stands in the list."""
    answer, body, chains = hosts_of_one_transaction(world, "192.0.2.2", "192.0.2.3")
    discarded = f"the node refused the request: Client error: UnknownBlock: State already discarded for {BLOCK} (4003)\n"

    def submit(*more, code=0):
        return world.hot("read", "--hex", answer, "--submit", "stored", "--follow", 2, *more, code=code)
    def know(*knowing):
        for world.chain, knows in zip(chains, knowing):
            included(world, Block.success(1), body=body, discarded=[] if knows else [BLOCK])
    for count, knowing in ((3, (True, False, False)), (3, (False, False, True)), (3, (False,) * 3), (2, (False, True, True)),
                           (2, (True, False, True)), (3, (True, True, False))):
        know(*knowing)
        run = submit("--quorum", count)
        assert run.stdout.splitlines()[1:] == [f"finalized in block {BLOCK}"], (knowing, run)
        told = f"included, result not checked: not all of the {count} nodes tell the events of the block: {discarded}"
        assert told in run.stderr and "result agreed" not in run.stderr, (knowing, run)
        run = submit("--quorum", count, "--strict", code=1)
        assert "its result is not checked: not all of the" in run.stderr and "succeeded" not in run.stdout, run
    know(True, True, False)
    assert submit("--quorum", 2).stdout.splitlines()[-1] == "succeeded; fee paid: unknown"
    know(True, True, True)
    run = submit("--quorum", 3)
    assert run.stdout.splitlines()[-1] == "succeeded; fee paid: unknown", run
    assert "result agreed by localhost, 192.0.2.2, 192.0.2.3" in run.stderr, run
    # The one that is believed alone is the first, whatever the others would say.
    know(False, True, True)
    run = submit()
    assert f"included, result not checked: the node does not tell the events of the block: {discarded}" in run.stderr, run


@law
@of_hosts
def with_a_quorum_the_metadata_that_reads_the_result_is_compared(world):
    """The metadata hash that a signature covers covers no events, so metadata of one hostile node may exchange the names of success and failure."""
    answer, body, chains = hosts_of_one_transaction(world, "192.0.2.2")
    for world.chain in chains:
        included(world, Block.success(1), body=body)

    def submit(*more, code=0):
        return world.hot("read", "--hex", answer, "--submit", "stored", "--follow", 2, *more, code=code)
    assert submit("--quorum", 2).stdout.splitlines()[-1] == "succeeded; fee paid: unknown"

    def exchange(chain):
        (success, failure) = (bytes([len(name) << 2]) + name for name in (b"ExtrinsicSuccess", b"ExtrinsicFailed"))
        for file in chain.glob("1?.scale"):
            blob = file.read_bytes()
            assert blob.count(success) == blob.count(failure) == 1
            file.write_bytes(blob.replace(success, b"\xff<>\xff").replace(failure, success).replace(b"\xff<>\xff", failure))
    exchange(chains[0])
    run = submit("--quorum", 2, code=1)
    assert "the nodes disagree: metadata: 0x" in run.stderr and "succeeded" not in run.stdout, run
    # All of them say something else than the one whose metadata is stored.
    exchange(chains[1])
    run = submit("--quorum", 2)
    assert "included, result not checked: the metadata here has the hash 0x" in run.stderr and "succeeded" not in run.stdout, run
    assert "its result is not checked: the metadata here" in submit("--quorum", 2, "--strict", code=1).stderr
    # One node is asked for no metadata, and the answer says so.
    assert "is compared with no node's\n" in submit().stderr


@law
def the_rest_of_a_batch_is_not_sent_after_a_failure(world):
    with_events(world)
    log = world.folder / "log"
    included(world, Block.failed(1, Block.NO_FUNDS))
    words = [*MAKE, "--without-proof", "--call-hex", "00000404"]
    world.hot(*words, "--call-hex", "00000404", "--nonce", 4, "--out", world.folder / "two.bin")
    answer = b"\4\x08"
    for nonce in (4, 5):
        world.hot(*words, "--nonce", nonce, "--out", world.folder / "one.bin")
        answer += b"\1" + ALICE.sign((world.folder / "one.bin").read_bytes()[36:-32])
    (world.folder / "answer.bin").write_bytes(answer)
    run = world.hot("read", "--hex", f"@{world.folder / 'answer.bin'}", "--payload", world.folder / "two.bin", "--submit", "stored", code=1)
    assert "the funds are unavailable" in run.stderr and "1 transaction is not submitted" in run.stderr, run
    assert run.stdout.splitlines()[-1] == "failed; fee paid: unknown" and run.stderr.count("submitted as 0x") == 1
    assert log.read_text().split().count("author_submitAndWatchExtrinsic") == 1


@law
def a_node_tells_whether_the_runtime_has_its_metadata_hash(world):
    ready(world)
    make = [*MAKE, "--call-hex", TRANSFER.hex(), "--out", world.folder / "tx.bin"]
    proof = "with a metadata proof: heliotest 1000 checks the metadata hash"
    for answer, code, said in (
            (None, 6, f"{proof}, if the runtime was built with its hash\n"), ("0x010004", 6, f"{proof}\n"),
            ("0x010100", 2, "without a metadata proof: the node says that heliotest 1000 was built without its metadata hash; "
             "the signer needs its metadata\n"),
            # Payment, Stale, NoUnsignedValidator, a valid transaction, leftover bytes: none tells.
            *((other, 6, f"{proof}, if the runtime was built with its hash\n")
              for other in ("0x010001", "0x010003", "0x010101", "0x00", "0x01000400", "0x01", "0x010100ff"))):
        world.state.pop("validate", None)
        world.set(**({"validate": answer} if answer else {}))
        world.says(said, *make)
        payload = (world.folder / "tx.bin").read_bytes()
        assert payload[2] == code, (answer, payload[:3].hex())
        # Without the proof the hash is not signed either: mode 0 before the genesis hash and none behind it.
        assert code == 6 or payload.endswith(b"\0" + bytes.fromhex(world.specs["genesis_hash"]))
    world.set(validate="0x010100")
    world.says(("was built without its metadata hash, so it rejects a transaction with a proof", "--without-proof"), *make, "--with-proof", code=1)
    # Without a node nobody tells.
    assert f"{proof}, if the runtime was built with its hash\n" in world.hot(*make, "--nonce", 4).stderr


@law
def another_transaction_version_than_the_metadata_states_is_refused(world):
    ready(world)
    make = [*MAKE, "--call-hex", TRANSFER.hex(), "--without-proof", "--out", world.folder / "tx.bin"]
    for other in (2, 4):
        world.set(transactionVersion=other)
        world.says(f"the transaction version is {other}, but the metadata states 3", *make, code=1)
        assert not (world.folder / "tx.bin").exists()
        assert "but the metadata states 3" in world.hot(*make, "--nonce", 1, "--tx-version", other, code=1).stderr
    world.hot(*make, "--nonce", 1, "--tx-version", 3)
    world.set(transactionVersion=3)
    world.hot(*make)


@law
def a_batch_of_two_is_one_payload_one_answer_and_two_submissions(world):
    log = ready(world)
    with signing(world, "--without-proof", "--call-hex", TRANSFER.hex()) as child:
        payload = (world.folder / "tx.bin").read_bytes()
        # Version and count, then each payload behind its length, without the first byte.
        assert payload[:5].hex() == "53ff040008", payload[:5].hex()
        rest, signatures = payload[5:], []
        for _ in range(2):
            length = int.from_bytes(rest[:2], "little") >> 2
            signatures.append(signature(world, b"\x53" + rest[2:2 + length]))
            rest = rest[2 + length:]
        assert not rest
        first, second = signatures
        # One signature, and both in the other order, are answers to something else. An answer to a batch is bytes, so it comes in pictures.
        pictures = []
        for name, answer in (("swapped", "0408" + second + first), ("half", "0404" + first), ("right", "0408" + first + second)):
            pictures.append(str(world.folder / f"{name}.png"))
            world.hot("qr", "--hex", answer, "--out", pictures[-1])
        out, errors = ended(child, "\n".join([pictures[0], first, *pictures[1:]]) + "\n")
    assert errors.count("a signature that does not match this payload: still waiting") == 3 and "2 signatures verified" in errors, errors
    assert out.splitlines().count(f"finalized in block {BLOCK}") == 2, out
    assert log.read_text().split().count("author_submitAndWatchExtrinsic") == 2


@law
def an_answer_is_read_from_a_watched_directory(world):
    ready(world)
    folder = world.folder / "answers"
    folder.mkdir()
    with signing(world, "--without-proof", "--watch", folder) as child:
        for name, text in (("stray", "https://example.org"), ("wrong", signature(world, key=Keypair.create_from_uri("//Bob"))), ("right", signature(world))):
            world.hot("qr", "--hex", text.encode().hex(), "--out", world.folder / f"{name}.png")
            (world.folder / f"{name}.png").rename(folder / f"{name}.png")
            time.sleep(0.5)
        out, errors = ended(child)
    assert f"then put a picture of its answer into {folder}" in errors and "1 signature verified" in errors
    assert "does not match this payload: still waiting" in errors and "not an answer of a signer: still waiting" in errors, errors
    assert out.splitlines()[-1] == f"finalized in block {BLOCK}"


@law
def claims_are_what_the_node_said_and_the_answer_is_of_the_payload_inside(world):
    ready(world)
    with signing(world, "--without-proof", "--claims") as child:
        payload = (world.folder / "tx.bin").read_bytes()
        amounts = b"".join(b"\1" + amount.to_bytes(16, "little") for amount in (FEE, 10 ** 13, 10 ** 10, 10 ** 13 - FEE - 1_500_000_000_000))
        assert payload.startswith(b"\x53\1\xa4\0" + amounts + b"\1" + (500).to_bytes(8, "little") + b"\1"), payload.hex()
        claimed = int.from_bytes(inner(payload) and payload[4 + 68 + 9 + 1:4 + 68 + 18], "little")
        assert abs(claimed - time.time()) < 600
        answer = signature(world, payload)
        out, _ = ended(child, answer + "\n")
    extrinsic = out.splitlines()[-2]
    # Other commands read the payload inside, too.
    assert world.hot("read", "--hex", answer, "--payload", world.folder / "tx.bin").stdout.strip() == extrinsic
    assert world.hot("read", "--hex", answer).stdout.strip() == extrinsic
    world.says("claims are about one transaction, but there are 2", *words(world, "--claims", "--call-hex", TRANSFER.hex(), "--without-proof"), code=64)
    world.says("claims need a node", *words(world, "--claims", "--no-submit", "--nonce", "4", "--without-proof"), code=64)


@law
def what_would_fail_is_refused_before_anything_is_shown(world):
    log = ready(world, dryRun={"module": [5, 2]})
    def refused(said, *more):
        run = world.hot(*words(world, "--without-proof", *more), code=1)
        assert said in run.stderr and not (world.folder / "tx.bin").exists(), run
        assert "author_submit" not in log.read_text()
    refused("the node says that the call would fail: error 2 of the pallet Balances", "--dry-run")
    for version in (1, 2):
        world.set(dryRun={"token": 0}, dryRunVersion=version)
        refused("the call would fail: the funds are unavailable", "--dry-run")
    world.set(dryRun={"other": 2})
    refused("the origin is not allowed to make the call", "--dry-run")
    world.set(dryRun="refused")
    refused("cannot dry-run a call", "--dry-run")
    del world.state["dryRun"]
    world.set()
    refused("cannot dry-run a call", "--dry-run")
    world.set(balances={"0x" + ALICE.public_key.hex(): {"free": FEE - 1}})
    refused("fee and tip are 0.0159154905 HLO, but the account can spend 0.015915490499 HLO")
    world.set(balances={"0x" + ALICE.public_key.hex(): {"free": FEE, "reserved": 7, "frozen": 8}})
    refused("but the account can spend 0.015915490499 HLO")
    world.set(balances={"0x" + ALICE.public_key.hex(): {"free": FEE, "frozen": 1, "fee_frozen": 2, "flags": False}})
    refused("but the account can spend 0.015915490498 HLO")
    world.set(balances={})
    refused("but the account can spend 0 HLO")
    world.set(dryRun="ok", balances={"0x" + ALICE.public_key.hex(): {"free": FEE}})
    with signing(world, "--without-proof", "--dry-run", "--no-submit") as child:
        out, _ = ended(child, signature(world) + "\n")
    # What does not cover the amount is not claimed to leave anything.
    assert "dry run: the call succeeds" in out and "balance 0.0159154905 HLO\n" in out and "author_submit" not in log.read_text()


@law
def an_unknown_layout_of_balances_is_said(world):
    ready(world)
    world.set(balances={"0x" + ALICE.public_key.hex(): "0x" + "01" * 79})
    del world.state["fee"]
    world.set()
    with signing(world, "--without-proof", "--no-submit") as child:
        out, _ = ended(child, signature(world) + "\n")
    assert "balance unknown: the chain keeps balances in its own way" in out and "fee unknown: the runtime does not say" in out


@law
def ctrl_c_says_whether_something_was_submitted(world):
    log = ready(world)
    with signing(world, "--without-proof") as child:
        until(lambda: child.stderr.readline().startswith("show "))
        child.send_signal(signal.SIGINT)
        _, errors = ended(child, code=130)
    assert "interrupted: nothing was submitted" in errors and "author_submit" not in log.read_text()
    (world.folder / "tx.bin").unlink()
    folder = world.folder / "answers"
    folder.mkdir()
    with signing(world, "--without-proof", "--watch", folder) as child:
        until(lambda: child.stderr.readline().startswith("show "))
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        _, errors = ended(child, code=130)
    assert "interrupted: nothing was submitted" in errors and "author_submit" not in log.read_text()
    (world.folder / "tx.bin").unlink()
    # A node that says no more after it took the transaction.
    world.set(submit=["ready"])
    with signing(world, "--without-proof") as child:
        child.stdin.write(signature(world) + "\n")
        child.stdin.flush()
        told = []
        until(lambda: told.append(child.stderr.readline()) or told[-1].startswith("waiting for a block"))
        child.send_signal(signal.SIGINT)
        out, errors = ended(child, code=130)
    [submitted] = [line.split()[-1] for line in told if line.startswith("submitted as")]
    assert f"interrupted: {submitted} was submitted" in errors and submitted == hash_of(out.splitlines()[-1])


@law
def a_transaction_whose_era_ended_is_not_submitted(world):
    log = ready(world)
    for finalized, code in ((564, 1), (563, 0)):
        world.set(finalized=500)
        (world.folder / "tx.bin").unlink(missing_ok=True)
        log.write_text("")
        with signing(world, "--without-proof") as child:
            world.set(finalized=finalized)
            _, errors = ended(child, signature(world) + "\n", code=code)
        assert ("has expired" in errors) == (code == 1) and ("author_submit" in log.read_text()) == (code == 0), errors
    assert "1 block left before the transaction expires" in errors


@law
def without_an_answer_or_a_node_that_follows_it_ends_in_words(world):
    log = ready(world)
    with signing(world, "--without-proof") as child:
        _, errors = ended(child, "\n", code=74)
    assert "no answer was read, so nothing was submitted" in errors and "author_submit" not in log.read_text()
    (world.folder / "tx.bin").unlink()
    folder = world.folder / "moved"
    folder.mkdir()
    with signing(world, "--without-proof", "--watch", folder) as child:
        until(lambda: child.stderr.readline().startswith("show "))
        # Nothing says when the first look at the directory is over.
        time.sleep(2)
        folder.rmdir()
        _, errors = ended(child, code=74)
    assert f"{folder}: the watched directory was renamed, replaced or removed" in errors and "no answer was read" in errors, errors
    world.says("ws or wss", *words(world, "--url", "http://localhost:1", "--without-proof"), code=64)
    assert "exclude each other" in world.hot(*words(world, "--camera", "/dev/video0", "--watch", world.folder), code=64).stderr
    for words_of_source in (["--watch", world.folder / "none"], ["--camera", world.folder / "none"]):
        assert str(world.folder / "none") in world.hot(*words(world, *words_of_source), code=74).stderr


@law
def an_answer_is_held_to_the_camera(world):
    ready(world)
    # The same values make the same payload, so the signature is known before the camera sees it.
    with signing(world, "--without-proof", "--no-submit"):
        payload, answer = (world.folder / "tx.bin").read_bytes(), signature(world)
    device = world.folder / "video0"
    views = [None, payload, signature(world, key=Keypair.create_from_uri("//Bob")).encode(), answer.encode()]
    device.write_bytes(b"".join(stand_in_camera.record(stand_in_camera.yuyv(stand_in_camera.seen(view))) for view in views for _ in range(6)))
    environment = stand_in_camera.environment(stand_in_camera.library(world.folder), device)
    (world.folder / "tx.bin").unlink()
    with signing(world, "--without-proof", "--camera", device, environment=environment) as child:
        out, errors = ended(child)
    assert f"then hold its answer to the camera ({device})" in errors and out.splitlines()[-1] == f"finalized in block {BLOCK}", errors
    # Its own code is in view of the camera and is nothing to speak of; another signature, where a picture of it was taken, ends nothing.
    assert "not an answer" not in errors and errors.count("1 signature verified") == 1, errors


@law
def the_place_of_a_balance_is_the_one_that_xxhash_gives(world):
    def twox128(text):
        return b"".join(xxhash.xxh64(text, seed=seed).intdigest().to_bytes(8, "little") for seed in (0, 1)).hex()
    ready(world)
    # The stand-in node has a balance under this key only.
    assert stand_in_node.ACCOUNTS == "0x" + twox128(b"System") + twox128(b"Account")
    world.hot(*words(world, "--without-proof", "--no-submit"), code=74)
    assert (world.folder / "tx.bin").exists()


@law
def a_hostile_answer_about_fee_or_balance_is_refused(world):
    log = ready(world)
    for method in ("state_getStorage", "state_call"):
        for shape in ("long-text", "empty-lists", "not-hex"):
            url = world.node("--log", str(log), "--fault", f"hostile-{shape}", "--fault-method", method)
            run = world.hot(*words(world, "--url", url, "--attempts", 1, "--without-proof"), code=74)
            assert "too much data" in run.stderr or "more data" in run.stderr, run.stderr
            assert not (world.folder / "tx.bin").exists()


@law
def at_a_terminal_the_codes_move_above_what_to_do_next(world):
    ready(world)
    child = AtTerminal([world.bin / "heliograph-hot", *words(world, "--without-proof", "--symbol", "32", out=None)],
                       env=world.environment | {"TERM": "xterm"})
    try:
        assert child.until(lambda: "show this to the signer, then press Enter" in child.text and child.text.count("\x1b[H") > 5)
        child.press("\n")
        assert child.shows("type the text of the signer's answer")
        # As `make` does, it keeps the payload for the answer.
        with contextlib.closing(sqlite3.connect(world.database / "hot.sqlite")) as store:
            [payload] = [row[0] for row in store.execute("SELECT payload FROM request")]
        child.press(signature(world, payload) + "\n")
        assert child.shows(f"finalized in block {BLOCK}")
        assert child.end() == 0
    finally:
        child.close()
