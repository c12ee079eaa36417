"""Laws of `heliograph-hot practice`, for hot_laws: schnorrkel signs for the practice network, and the other commands use its node as any."""
import contextlib
import re
import signal
import subprocess

import pyte

from . import hot_signing
from .common import WESTEND
from .hot_world import ALICE, law
from .peers import payload
from .terminals import AtTerminal

FEE = "0.01148 HLO"


def made(world, name="practice"):
    """A practice network; from here on the world's database is its own."""
    folder = world.folder / name
    verifier = world.hot("practice", folder).stdout.split()[-1]
    world.database = folder / "hot"
    return folder, verifier


@contextlib.contextmanager
def playing(world, folder, *words):
    """The address of its node, and its process."""
    pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    node = world.start("practice", folder, "--node", "--port", 0, *words, text=True, **pipes)
    world.nodes.append(node)
    try:
        yield node.stdout.readline().strip(), node
    finally:
        if node.poll() is None:
            node.kill()
        node.communicate()


def paid(world, folder, payer=ALICE):
    """The answer of schnorrkel to a transaction of --pay."""
    world.hot("practice", folder, "--pay", payer.ss58_address, "--without-proof")
    return hot_signing.signature(world, payload(folder / "transaction.png"), key=payer)


@law
def a_practice_network_is_made_once_and_knows_no_other(world):
    own = world.database
    folder, verifier = made(world)
    assert re.fullmatch("[0-9a-f]{64}", verifier) and not own.exists()
    pictures = {name: payload(folder / name) for name in ("specs.png", "metadata.png")}
    for bytes_ in pictures.values():
        assert bytes_[2 + 1 : 2 + 33].hex() == verifier or bytes_[3:35].hex() == verifier, bytes_[:40].hex()
    assert [network["name"] for network in world.json("network", "list")] == ["heliotest"]
    (folder / "specs.png").unlink()
    assert world.hot("practice", folder).stdout.split()[-1] == verifier
    assert {name: payload(folder / name) for name in pictures} == pictures
    # Another practice has another verifier, whose key nobody has either.
    assert made(world, "other")[1] != verifier


@law
def a_practice_empties_no_database_of_another(world):
    folder = world.folder / "mine"
    folder.mkdir()
    world.database = folder / "hot"
    names = [network["name"] for network in world.json("network", "list")]
    world.says("is a hot database without the practice network: it stays as it is", "practice", folder, code=1)
    assert names and [network["name"] for network in world.json("network", "list")] == names
    assert not (folder / "call.json").exists()


@law
def at_a_terminal_lines_break_at_words_and_what_goes_on_leaves_none(world):
    folder, _ = made(world)
    with playing(world, folder) as (url, _node):
        answer = paid(world, folder)
        for words in (["read", "--hex", answer, "--submit", url], ["fetch", url, "--name", "heliotest"]):
            screen = pyte.Screen(80, 60)
            child = AtTerminal([world.bin / "heliograph-hot", *words], (80, 60), env=world.environment | {"TERM": "xterm"})
            try:
                assert child.end() == 0, child.text
                pyte.Stream(screen).feed(child.text)
            finally:
                child.close()
            rows = [row.rstrip() for row in screen.display]
            assert "kB" in child.text and not any(" kB" in row or "asking " in row for row in rows), rows
            for row, following in zip(rows, rows[1:]):
                is_broken = len(row) == 80 and following[:1].isalpha() and " " in row and not re.search("[0-9a-f]{20}$", row)
                assert not is_broken, rows


@law
def the_node_of_a_practice_is_used_as_any_node(world):
    folder, _ = made(world)
    with playing(world, folder) as (url, node):
        answer = paid(world, folder)
        out = world.hot("read", "--hex", answer, "--submit", "stored").stdout.splitlines()
        assert out[-1] == f"succeeded; fee paid: {FEE}" and out[-2].startswith("finalized in block 0x"), out
        # The same answer again: the node refuses it as outdated, and its block is found.
        again = world.hot("read", "--hex", answer, "--submit", url)
        assert again.stdout.splitlines()[-2:] == out[-2:], (again, out)
        assert "submitted this transaction, or tried to: the chain takes it once, so this is no second payment" in again.stderr, again
        # A person's own database learns the network over the wire, by HTTP as well.
        for scheme in ("ws", "http"):
            world.database = world.folder / f"own-{scheme}"
            said = world.hot("fetch", url.replace("ws", scheme, 1), "--name", "heliotest").stdout
            assert "metadata for heliotest 1000 at block 1001" in said, said
        # The whole way in one command: fee, balance and a dry run are the node's.
        world.database = folder / "hot"
        with hot_signing.signing(world, "--without-proof", "--dry-run") as child:
            out, _ = hot_signing.ended(child, f"{hot_signing.signature(world)}\n")
        lines = out.splitlines()
        for said in (f"fee {FEE}", "balance 998.48852 HLO, 996.97704 HLO after it", "existential deposit 0.01 HLO"):
            assert said in lines, (said, out)
        assert lines[-1] == f"succeeded; fee paid: {FEE}", out
        # More than the account has fails before it is shown, and in a block where somebody sends it all the same.
        (folder / "call.json").write_text((folder / "call.json").read_text().replace("1.5 HLO", "1000 HLO"))
        words = ["sign", "--network", "heliotest", "--signer", ALICE.ss58_address, "--call", folder / "call.json", "--dry-run", "--out", world.folder / "x.bin"]
        world.says("the call would fail", *words, code=1)
        assert not (world.folder / "x.bin").exists()
        out = world.hot("read", "--hex", paid(world, folder), "--submit", "stored", code=1)
        assert "failed; fee paid: " in out.stdout and "Balances.InsufficientBalance: Balance too low to send value" in out.stderr, out
        node.send_signal(signal.SIGINT)
        assert node.wait(timeout=20) == 130
        assert node.stderr.read().endswith(f"\nthe practice node has ended; its transactions are kept in {folder}/chain\n")
    world.says("connection refused", "read", "--hex", answer, "--submit", "stored", "--attempts", 1, code=74)


@law
def a_practice_goes_on_where_it_stopped_and_loses_nothing_confirmed(world):
    folder, _ = made(world)
    with playing(world, folder) as (_, node):
        for _ in range(2):
            world.hot("read", "--hex", paid(world, folder), "--submit", "stored")
        node.kill()
    kept = (folder / "chain").read_text()
    assert len(kept.splitlines()) == 2
    # The end of a write that a power failure cut: nobody was told of it.
    (folder / "chain").write_text(kept + kept[:100])
    with playing(world, folder) as (url, node):
        world.says("nonce 2 from", "make", "transaction", "--network", "heliotest", "--signer", ALICE.ss58_address, "--call", folder / "call.json",
                   "--without-proof", "--out", world.folder / "third.bin")
        world.hot("read", "--hex", paid(world, folder), "--submit", "stored")
        node.kill()
        assert "at block 1002; Ctrl-C ends it\nblock 1003: a transaction of " in node.stderr.read()
    assert (folder / "chain").read_text().startswith(kept) and len((folder / "chain").read_text().splitlines()) == 3
    # A chain that somebody changed is no chain: the second transaction cannot come first.
    (folder / "chain").write_text("".join(kept.splitlines(keepends=True)[::-1]))
    for words in (["--node", "--port", 0], ["--pay", ALICE.ss58_address]):
        world.refuses(f"line 1 of {folder}/chain is no transaction that fits those before it", "practice", folder, *words, code=65)


@law
def a_practice_proves_the_accounts_that_it_stores(world):
    folder, _ = made(world)
    make = ["make", "transaction", "--network", "heliotest", "--signer", ALICE.ss58_address, "--call", folder / "call.json", "--without-proof", "--state"]
    with playing(world, folder):
        # Before the first payment the trie has no account, and would prove that none exists.
        world.says("before that nothing proves its balance", *make, "--out", world.folder / "none.bin", code=1)
        assert not (world.folder / "none.bin").exists()
        world.hot("read", "--hex", paid(world, folder), "--submit", "stored")
        run = world.hot(*make, "--out", world.folder / "state.bin")
    for text in ("state of block 1,001", "998.48852 HLO", "nonce 1 is next", "1,001.5 HLO"):
        assert text in run.stderr, f"{text}: {run.stderr}"
    assert (world.folder / "state.bin").read_bytes()[:4] == bytes([0x53, 1, 0xa8, 0])


@law
def what_a_practice_cannot_do_is_refused_in_words(world):
    folder, _ = made(world)
    nowhere = world.folder / "nowhere"
    for words in (["--node"], ["--pay", ALICE.ss58_address]):
        world.refuses([f"{nowhere} holds no practice network", f"hint: heliograph-hot practice {nowhere}"], "practice", nowhere, *words, code=64)
    assert not nowhere.exists()
    world.refuses("--node and --pay exclude each other", "practice", folder, "--node", "--pay", ALICE.ss58_address, code=64)
    world.refuses("--port is for --node", "practice", folder, "--port", 1, code=64)
    world.refuses("--without-proof is for --pay", "practice", folder, "--without-proof", code=64)
    world.refuses("65536", "practice", folder, "--node", "--port", 65536, code=64)
    world.says("bytes", "practice", folder, "--pay", "5Grw", code=65)
    with playing(world, folder) as (url, _):
        port = url.rpartition(":")[2]
        world.refuses(f"another process already plays the node of {folder}", "practice", folder, "--node", "--port", 0)
        other, _ = made(world, "other")
        world.refuses([f"port {port} of this machine is in use by another program", "--port 0"], "practice", other, "--node", "--port", port, code=74)
    (world.folder / "file").write_text("")
    world.refuses("cannot write", "practice", world.folder / "file", code=74)


@law
def a_practice_takes_no_signature_of_a_real_chain_and_none_of_its_own_is_one(world):
    """The genesis hash stands in every signed message, and only in this chain's own place."""
    folder, _ = made(world)
    genesis = world.json("specs", "show", "heliotest")[0]["genesis_hash"]
    paid(world, folder)
    transaction = payload(folder / "transaction.png")
    assert transaction[-32:].hex() == genesis and transaction[:-32].count(bytes.fromhex(genesis)) == 1
    # The same transaction with the hash of a real chain in the signed place.
    foreign = transaction[:-32].replace(bytes.fromhex(genesis), bytes.fromhex(WESTEND)) + transaction[-32:]
    with playing(world, folder):
        world.refuses("does not match this payload", "read", "--hex", hot_signing.signature(world, foreign), "--payload", folder / "transaction.png",
                      "--submit", "stored", code=65)
