"""Laws of `heliograph-hot tx`, for hot_laws: a transaction from its payload to its end, killed at each step, and nodes that lie about it."""
import contextlib
import hashlib
import json
import signal
import sqlite3
import subprocess
import time

from .common import compact
from .hot_signing import BLOCK, FEE, TRANSFER, Block, hash_of, hosts_of_one_transaction, included, ready, signature, with_events
from .hot_world import ALICE, MAKE, law, of_hosts

NEXT = "--new-nonce"


def block_hash(world, number):
    """Of the stand-in node."""
    return "0x" + hashlib.blake2b((world.state["genesis"] + str(number)).encode(), digest_size=32).hexdigest()


def account(nonce, **more):
    """Alice's account in the chain's state, with its next nonce."""
    return {"0x" + ALICE.public_key.hex(): {"free": 10 ** 13, "nonce": nonce, **more}}


def states(world):
    """Number → state."""
    return {row["id"]: row["state"] for row in world.json("tx", "list")}


def mortal(world, *more, name="tx.bin", nonce=4):
    """Makes a payment that expires behind block 563, as a node tells it; the path of its payload."""
    world.set(finalized=500)
    world.hot(*MAKE, "--call-hex", TRANSFER.hex(), "--nonce", nonce, "--url", "stored", "--without-proof", *more, "--out", world.folder / name)
    return world.folder / name


def alive(world, *more, nonce=4):
    """A chain with all of its blocks, and a mortal payment that is signed here; its extrinsic."""
    with_events(world)
    world.set(blocks={}, body={}, balances=account(nonce))
    path = mortal(world, *more, nonce=nonce)
    return world.hot("read", "--hex", signature(world, path.read_bytes())).stdout.strip()


def answered(world, path, *more, code=0):
    return world.hot("read", "--hex", signature(world, path.read_bytes()), "--payload", path, *more, code=code)


@law
def a_transaction_is_known_by_its_state_from_its_payload_to_its_end(world):
    with_events(world)
    included(world, Block.fee(1, FEE), Block.success(1))
    path = mortal(world)
    assert states(world) == {1: "made"}
    # The same bytes again are the same transaction.
    mortal(world)
    answered(world, path)
    assert states(world) == {1: "signed"}
    run = answered(world, path, "--submit", "stored")
    row = world.json("tx", "show", 1)
    assert row["state"] == "final" and row["block"] == BLOCK[2:] and row["witness"] == "one node's word" and row["nonce"] == 4, row
    assert row["signer"] == ALICE.ss58_address and row["call"] == "Balances.transfer_keep_alive" and row["era"]["period"] == 64, row
    assert row["payload"] == path.read_bytes().hex() and "0x" + row["hash"] == hash_of(run.stdout.split()[0]), row
    shown = world.hot("tx", "show", 1, "--out", world.folder / "again.bin").stdout
    assert shown.startswith("transaction 1: final\n") and "\nsays      one node's word\n" in shown and f"\nblock     {BLOCK}\n" in shown, shown
    assert (world.folder / "again.bin").read_bytes() == path.read_bytes()
    listed = world.hot("tx", "list").stdout.splitlines()
    assert len(listed) == 2 and all(len(line) <= 80 for line in listed) and listed[1].startswith("1     final       heliotest     4 "), listed
    # A failure has the name of its error; a second payment is another transaction.
    world.hot(*MAKE, "--call-hex", TRANSFER.hex(), "--nonce", 5, "--without-proof", "--out", world.folder / "two.bin")
    included(world, Block.fee(1, FEE), Block.failed(1, Block.NO_BALANCE))
    answered(world, world.folder / "two.bin", "--submit", "stored", code=1)
    row = world.json("tx", "show", 2)
    assert row["state"] == "failed" and row["detail"].startswith("Balances.InsufficientBalance") and row["intent"] == 2, row
    world.hot("tx", "remove", 1)
    assert states(world) == {2: "failed"}
    world.says("no transaction has the number 1 here", "tx", "show", 1, code=1)


@law
def every_transaction_of_a_batch_has_a_life_of_its_own(world):
    ready(world)
    world.hot(*MAKE, "--call-hex", TRANSFER.hex(), "--call-hex", "00000404", "--nonce", 4, "--without-proof", "--out", world.folder / "two.bin")
    rows = world.json("tx", "list")
    assert [(row["id"], row["nonce"], row["intent"], row["state"]) for row in rows] == [(1, 4, 1, "made"), (2, 5, 2, "made")], rows
    assert [row["payload"][:6] for row in rows] == ["530102"] * 2


@law
def a_dropped_transaction_is_sent_again_with_the_same_bytes(world):
    extrinsic = alive(world)
    world.hot(*MAKE, "--call-hex", "00000404", "--nonce", 9, "--without-proof", "--out", world.folder / "unsigned.bin")
    world.says("transaction 2 is not signed yet", "tx", "rebroadcast", 2, code=1)
    for status, said in (("dropped", "dropped the transaction from its pool"), ("invalid", "the node says that the transaction has expired")):
        world.set(submit=["ready", status])
        world.says(said, "tx", "rebroadcast", 1, code=1)
        row = world.json("tx", "show", 1)
        # What a pool says is no end: another one may have it.
        assert row["state"] == "submitted" and said in row["detail"] and row["extrinsic"] == extrinsic, row
    # In a block that is not final in time, and then no more.
    world.set(submit=["ready", {"inBlock": BLOCK}, {"finalityTimeout": BLOCK}])
    world.hot("tx", "rebroadcast", 1, code=1)
    assert world.json("tx", "show", 1)["block"] == BLOCK[2:] and states(world)[1] == "in a block"
    run = world.hot("tx", "rebroadcast", 1, "--url", world.node("--refuse", "1010"), code=1)
    assert "Invalid Transaction (1010)" in run.stderr and states(world)[1] == "submitted", run
    included(world, Block.success(1), submit=["ready", {"finalized": BLOCK}])
    run = world.hot("tx", "rebroadcast", 1)
    assert run.stdout.splitlines() == [f"finalized in block {BLOCK}", "succeeded; fee paid: unknown"], run
    assert f"submitted as {hash_of(extrinsic)}" in run.stderr and states(world)[1] == "final"
    world.says("transaction 1 is final", "tx", "rebroadcast", 1, code=1)


@law
def a_node_that_nobody_reaches_was_given_nothing(world):
    alive(world)
    world.set(submit=["ready"])
    quick = ["--attempts", 1, "--delay", 1, "--timeout", 3]
    world.hot("tx", "rebroadcast", 1, "--url", "ws://localhost:1", *quick, code=74)
    assert states(world) == {1: "signed"}
    # One that was given it, and said nothing, may have passed it on.
    world.hot("tx", "rebroadcast", 1, "--url", world.node("--hang-up"), *quick, "--follow", 2, code=74)
    assert states(world) == {1: "submitted"}
    world.hot("tx", "rebroadcast", 1, "--url", "ws://localhost:1", *quick, code=74)
    assert states(world) == {1: "submitted"}


@law
def whoever_is_killed_while_it_is_sent_finds_it_as_submitted(world):
    """At whatever moment: what a node was given is never called made or signed, and is sent again as the same bytes."""
    alive(world)
    log = world.folder / "killed"
    node = world.node("--log", str(log), "--fault", "silent", "--fault-method", "author_submitAndWatchExtrinsic")
    path = world.folder / "tx.bin"
    given = 0
    for delay in (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.2, 2.0):
        log.write_text("")
        child = world.start("read", "--hex", signature(world, path.read_bytes()), "--payload", path, "--submit", node,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(delay)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        # The silent node notes nothing of what it swallows, so what it was asked before tells how far it came.
        was_asked = "chain_getBlockHash" in log.read_text()
        given += was_asked
        found = states(world)
        assert list(found) == [1] and found[1] in ({"submitted"} if was_asked else {"signed", "submitted"}), (delay, found)
    assert given, "no child came as far as the node"
    extrinsic = world.json("tx", "show", 1)["extrinsic"]
    included(world, Block.success(1), submit=["ready", {"finalized": BLOCK}])
    run = world.hot("tx", "rebroadcast", 1)
    assert f"submitted as {hash_of(extrinsic)}" in run.stderr and states(world) == {1: "final"}, run


@law
def whoever_is_killed_while_it_is_made_again_has_the_old_one_or_the_new_one(world):
    alive(world)
    world.set(finalized=530)
    latest = 1
    for step, delay in enumerate((0.0, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2.0, 4.0)):
        # Another block is another era, so each time there is another payload to make.
        world.set(finalized=530 + step)
        out = world.folder / f"again-{step}.bin"
        child = world.start("tx", "remake", latest, "--out", out, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(delay)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        rows = world.json("tx", "list")
        assert len({row["intent"] for row in rows}) == 1 and {row["nonce"] for row in rows} == {4}, rows
        # Each but the newest is replaced by the next, and the newest is not.
        assert [row.get("replaced_by") for row in rows] == [*range(2, len(rows) + 1), None], rows
        assert [row["state"] for row in rows[:-1]] == ["replaced"] * (len(rows) - 1), rows
        latest = rows[-1]["id"]
        assert not out.exists() or out.read_bytes().hex() == rows[-1]["payload"], "a payload that nobody recorded was written"
        world.hot("tx", "show", latest, "--out", world.folder / "drawn.bin")
        assert (world.folder / "drawn.bin").read_bytes().hex() == rows[-1]["payload"]
    assert latest > 1, "no child came as far as the record"


@law
def a_transaction_made_again_keeps_its_nonce_and_the_old_one_is_not_sent(world):
    alive(world)
    log = world.folder / "log"
    world.set(submit=["ready", "dropped"])
    world.hot("tx", "rebroadcast", 1, code=1)
    world.set(finalized=530)
    new = world.folder / "new.bin"
    run = world.hot("tx", "remake", 1, "--out", new)
    assert run.stdout.splitlines()[-1] == "transaction 2 replaces transaction 1", run
    told = run.stderr.splitlines()
    for line in ("- era phase 52, period 64", "+ era phase 18, period 64", f"- block hash {block_hash(world, 500)[2:]}",
                 f"+ block hash {block_hash(world, 530)[2:]}"):
        assert line in told, (line, run)
    assert not any(line[:2] in ("- ", "+ ") and "nonce" in line for line in told), told
    rows = world.json("tx", "list")
    assert [(row["state"], row["nonce"], row["intent"], row.get("replaced_by")) for row in rows] == [("replaced", 4, 1, 2), ("made", 4, 1, None)], rows
    assert rows[1]["payload"] == new.read_bytes().hex() and rows[0]["call_hash"] == rows[1]["call_hash"]
    # An answer to the old one is read and not sent, whoever asks for it.
    log.write_text("")
    said = "transaction 1 was replaced by 2, so it is not sent any more"
    for words in (["tx", "rebroadcast", 1], ["tx", "remake", 1, "--out", new]):
        world.refuses(said, *words)
    run = answered(world, world.folder / "tx.bin", "--submit", "stored", code=1)
    assert said in run.stderr and not run.stdout, run
    assert said in answered(world, world.folder / "tx.bin").stderr
    assert "author_submit" not in log.read_text()
    # In the same block it is the same again.
    run = world.hot("tx", "remake", 2, "--out", new)
    assert run.stdout.splitlines()[-1].startswith("transaction 2 is the same again") and len(states(world)) == 2, run
    included(world, Block.success(1), submit=["ready", {"finalized": BLOCK}])
    answered(world, new, "--submit", "stored")
    assert states(world) == {1: "replaced", 2: "final"}
    world.says("transaction 2 is final", "tx", "remake", 2, "--out", new, code=1)
    # A node that knows nothing of it does not make it open again.
    world.set(body={}, finalized=700)
    world.says("the record says final, by one node's word, and stays", "tx", "show", 2, "--url", "stored")
    assert states(world)[2] == "final"


@law
def what_was_replaced_and_takes_effect_all_the_same_ends_the_intent(world):
    extrinsic = alive(world)
    world.set(finalized=530)
    new = world.folder / "new.bin"
    world.hot("tx", "remake", 1, "--out", new)
    answered(world, new)
    # The pool had the old one, after all.
    block = block_hash(world, 510)
    world.set(blocks={"510": ["0x1004030201", "0x" + extrinsic]}, events={block: Block.all(Block.success(1))}, balances=account(5))
    for words in (["--out", new], ["--out", new, NEXT, "--one-node"]):
        world.says(" is final", "tx", "remake", 2, *words, code=1)
        assert states(world) == {1: "final", 2: "expired"}, states(world)
    row = world.json("tx", "show", 2)
    assert row["detail"] == "transaction 1 took effect in its place" and world.json("tx", "show", 1)["block"] == block[2:], row


@law
def another_nonce_needs_the_proof_that_the_old_signature_is_impossible(world):
    extrinsic = alive(world)
    new = world.folder / "new.bin"
    again = ["tx", "remake", 1, "--out", new]

    def refused(said, *more):
        world.says(said, *again, *more, code=1)
        assert not new.exists() and list(states(world)) == [1], said
    # It may still come, whatever one node is believed.
    world.set(finalized=563)
    refused("transaction 1 may still take effect, until block 564; the newest final one is 563", NEXT, "--one-node")
    # Its nonce is used: by it, with this signature or another, or by another one.
    other = world.hot("read", "--hex", signature(world), "--payload", world.folder / "tx.bin").stdout.strip()
    assert other != extrinsic
    world.set(finalized=510, balances=account(5), nonces={ALICE.ss58_address: 6})
    for signed in (extrinsic, other):
        world.set(blocks={"505": ["0x" + signed]}, events={block_hash(world, 505): Block.all(Block.failed(0, Block.NO_FUNDS))})
        run = world.hot(*again, NEXT, "--one-node", code=1)
        assert "the funds are unavailable" in run.stderr and not new.exists() and states(world) == {1: "failed"}, run
        forget(world)
    # Nobody signs the address before a signature: in another form it is the same transaction.
    body = bytes.fromhex(extrinsic)
    moved = bytes([0x84, 1, 4]) + body[2 + 34:]
    world.set(blocks={"505": ["0x" + (compact(len(moved)) + moved).hex()]})
    refused("has an extrinsic that may be this transaction", NEXT, "--one-node")
    world.set(blocks={"505": None})
    refused("does not have block 505", NEXT, "--one-node")
    refused("does not have block 505")
    world.set(blocks={})
    refused("another transaction used nonce 4 of transaction 1, up to the final block 510")
    # A nonce may begin again, so the era has to be over as well.
    refused("until block 564; the newest final one is 510: its nonce is used, but an account that is emptied begins", NEXT, "--one-node")
    world.says("its era runs until block 564", "tx", "show", 1, "--url", "stored")
    assert states(world) == {1: "submitted"}
    world.set(finalized=564)
    refused("another nonce pays twice if the one node that is asked lies or is behind", NEXT)
    run = world.hot(*again, NEXT, "--one-node")
    rows = world.json("tx", "list")
    assert [(row["state"], row["nonce"]) for row in rows] == [("replaced", 4), ("made", 6)] and "impossible by one node's word alone" in run.stderr, rows
    assert rows[0]["detail"].startswith("another transaction used its nonce") and rows[0]["witness"] == "one node's word", rows


def forget(world, statement="UPDATE life SET state = 'submitted', block = NULL"):
    """Lets the records be as if nothing had ended."""
    with contextlib.closing(sqlite3.connect(world.database / "hot.sqlite")) as store:
        store.execute(statement)
        store.commit()


@law
def an_era_that_is_over_allows_another_nonce_and_keeps_the_old_one_without_the_wish(world):
    alive(world)
    new = world.folder / "new.bin"
    world.set(finalized=564, nonces={ALICE.ss58_address: 5})
    world.says("its era ended at block 564", "tx", "show", 1, "--url", "stored")
    assert states(world) == {1: "expired"}
    # One node's word ends nothing.
    world.says("transaction 1 is expired by one node's word and may still take effect", "tx", "remove", 1, code=1)
    world.hot("tx", "remake", 1, "--out", new)
    assert [row["nonce"] for row in world.json("tx", "list")] == [4, 4]
    # The one made again lives until block 628.
    world.says("until block 628", "tx", "remake", 2, NEXT, "--one-node", "--out", new, code=1)
    world.set(finalized=628)
    world.hot("tx", "remake", 2, NEXT, "--one-node", "--out", new)
    assert [(row["state"], row["nonce"], row["intent"]) for row in world.json("tx", "list")] == [
        ("replaced", 4, 1), ("replaced", 4, 1), ("made", 5, 1)]


@law
def an_account_that_was_emptied_proves_nothing_by_its_nonce(world):
    extrinsic = alive(world)
    new = world.folder / "new.bin"
    # It paid, was emptied, and its nonces begin again.
    world.set(finalized=530, balances={}, blocks={"520": ["0x" + extrinsic]}, events={block_hash(world, 520): Block.all(Block.success(0))})
    world.says("transaction 1 is final", "tx", "remake", 1, "--out", new, code=1)
    forget(world)
    world.set(blocks={"520": None})
    world.says("does not have block 520", "tx", "remake", 1, "--out", new, code=1)
    world.set(blocks={})
    world.hot("tx", "remake", 1, "--out", new)
    # Of an account with another nonce than 0, whoever cannot see every block is told what that leaves open.
    world.set(blocks={"520": None}, balances=account(4), finalized=531)
    world.says("unless the account was emptied and used again since", "tx", "remake", 2, "--out", new)
    assert states(world) == {1: "replaced", 2: "replaced", 3: "made"}


@law
def a_first_transaction_that_emptied_its_account_is_searched_for(world):
    extrinsic = alive(world, nonce=0)
    new = world.folder / "new.bin"
    # It sent everything away: the chain knows no such account any more, and its next nonce is 0, as it was before.
    world.set(balances={}, events={block_hash(world, 520): Block.all(Block.success(0))})
    for number, words in ((530, []), (564, []), (564, [NEXT, "--one-node"])):
        world.set(finalized=number, blocks={"520": None})
        world.says("does not have block 520", "tx", "show", 1, "--url", "stored")
        world.says("does not have block 520", "tx", "remake", 1, *words, "--out", new, code=1)
        assert not new.exists() and set(states(world).values()) <= {"signed", "submitted"}, states(world)
        world.set(blocks={"520": ["0x" + extrinsic]})
        world.says("transaction 1 is final", "tx", "remake", 1, *words, "--out", new, code=1)
        assert not new.exists() and states(world) == {1: "final"}
        forget(world)


@law
def one_that_never_expires_keeps_its_nonce_for_good(world):
    with_events(world)
    world.set(blocks={}, body={}, balances=account(4))
    mortal(world, "--era", "immortal")
    new = world.folder / "new.bin"
    world.set(finalized=9999)
    world.says("may still take effect, because it never expires", "tx", "remake", 1, NEXT, "--one-node", "--out", new, code=1)
    world.set(balances=account(5))
    world.says("transaction 1 never expires, so any block may have it", "tx", "remake", 1, NEXT, "--one-node", "--out", new, code=1)
    world.set(balances=account(4))
    world.hot("tx", "remake", 1, "--era", 64, "--out", new)
    assert [row["nonce"] for row in world.json("tx", "list")] == [4, 4]


@law
def a_tip_stays_and_the_same_payment_with_another_nonce_is_warned_of(world):
    alive(world, "--tip", "0.25 HLO")
    new = world.folder / "new.bin"
    world.set(finalized=530)

    def again(nonce):
        return world.hot(*MAKE, "--call-hex", TRANSFER.hex(), "--nonce", nonce, "--without-proof", "--out", world.folder / "two.bin")
    # Its signature was printed, so anybody may send it.
    run = again(5)
    assert "transaction 1 has the same call and nonce 4 and may still take effect" in run.stderr, run
    assert "heliograph-hot tx remake 1 makes it again, once" in run.stderr
    run = world.hot("tx", "remake", 1, "--out", new)
    assert "tip" not in "".join(line for line in run.stderr.splitlines() if line[:2] in ("- ", "+ ")), run
    assert "tip 0.25" in run.stdout, run
    run = again(6)
    assert "transaction 1 has the same call and nonce 4" in run.stderr and "heliograph-hot tx remake 3 makes it again, once" in run.stderr, run


@law
@of_hosts
def nodes_that_disagree_about_a_transaction_change_nothing_of_it(world):
    _, _, chains = hosts_of_one_transaction(world, "192.0.2.2")
    [first, other] = chains
    for world.chain in chains:
        world.set(blocks={}, body={}, balances=account(4))
    world.chain = first
    # The same payment that never expires would be of the same intent.
    forget(world, "DELETE FROM life")
    path = mortal(world)
    [row] = world.json("tx", "list")
    number, new = row["id"], world.folder / "new.bin"
    answered(world, path)
    again = ["tx", "remake", number, "--out", new, NEXT, "--quorum", 2]

    def both(**changes):
        for world.chain in chains:
            world.set(**changes)

    def liar(**changes):
        world.chain = other
        world.set(**changes)
    # A liar about the nonce, about the height, about a block.
    before = world.json("tx", "list")
    both(finalized=510)
    for lie, said in (({"balances": account(5)}, "the nodes disagree: nonce: 4 from localhost, 5 from 192.0.2.2"),
                      ({"balances": account(4), "finalized": 700}, "the nodes disagree: newest finalized block: ")):
        liar(**lie)
        world.says(said, *again, code=1)
        world.says(said, "tx", "show", number, "--url", "stored", "--quorum", 2, code=1)
        assert world.json("tx", "list") == before and not new.exists()
    # All say that its nonce is used, and one hides the block that has it.
    both(finalized=510, balances=account(5), nonces={ALICE.ss58_address: 5})
    world.chain = first
    [extrinsic] = [row["extrinsic"] for row in before if row["id"] == number]
    world.set(blocks={"505": ["0x" + extrinsic]})
    world.says(f"the nodes disagree: block with the transaction: {block_hash(world, 505)} from localhost, none from 192.0.2.2", *again, code=1)
    assert world.json("tx", "list") == before and not new.exists()
    both(blocks={})
    world.says("its nonce is used", *again, code=1)
    both(finalized=564)
    world.hot(*again)
    rows = {row["id"]: row for row in world.json("tx", "list")}
    assert rows[number]["witness"] == "agreed by localhost, 192.0.2.2" and rows[number]["state"] == "replaced", rows[number]
    assert rows[rows[number]["replaced_by"]]["nonce"] == 5, rows


@law
@of_hosts
def the_end_of_a_transaction_says_who_said_it(world):
    answer, body, chains = hosts_of_one_transaction(world, "192.0.2.2")
    for world.chain in chains:
        included(world, Block.success(1), body=body)
    world.hot("read", "--hex", answer, "--submit", "stored", "--quorum", 2)
    row = world.json("tx", "show", 1)
    assert (row["state"], row["witness"]) == ("final", "agreed by localhost, 192.0.2.2"), row
    # Nodes that disagree about its events leave it submitted.
    forget(world)
    included(world, Block.failed(1, Block.NO_FUNDS), body=body)
    run = world.hot("tx", "rebroadcast", 1, "--quorum", 2, code=1)
    row = world.json("tx", "show", 1)
    assert "the nodes disagree: events" in run.stderr and row["state"] == "submitted" and "disagree" in row["detail"], (run, row)
    run = world.hot("tx", "rebroadcast", 1)
    assert world.json("tx", "show", 1)["witness"] == "one node's word", run


@law
def json_of_the_list_is_one_document_and_a_wrong_use_is_said(world):
    alive(world)
    assert json.loads(world.hot("tx", "list", "--network", "heliotest", "--json").stdout)[0]["id"] == 1
    assert json.loads(world.hot("tx", "list", "--network", "polkadot", "--json").stdout) == []
    world.says("--one-node is for --new-nonce", "tx", "remake", 1, "--one-node", "--out", "x.bin", code=64)
    world.says("--json and --url exclude each other", "tx", "show", 1, "--json", "--url", "stored", code=64)
    world.says("give --out FILE, or --terminal", "tx", "remake", 1, code=64)
    world.says("transaction 1 is signed and may still take effect", "tx", "remove", 1, code=1)
    for words in (["show"], ["rebroadcast"], ["remake", "--out", "x.bin"], ["remove"]):
        world.says("no transaction has the number 7 here", "tx", words[0], 7, *words[1:], code=1)
