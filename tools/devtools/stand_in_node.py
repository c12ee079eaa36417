"""A node to test against: JSON-RPC 2.0 over HTTP and WebSocket, with or without TLS, on loopback only.

It answers from a state file (JSON, read again whenever it changes):

    {"chain": "Heliotest", "genesis": "0x…", "specName": "heliotest", "specVersion": 1000, "transactionVersion": 1,
     "properties": {"ss58Format": 42, "tokenDecimals": 12, "tokenSymbol": "HLT"},
     "metadata": {"14": "heliotest-14.scale", "15": "heliotest-15.scale"},
     "finalized": 1000, "nonces": {"5Grw…": 7}, "submit": ["ready", {"inBlock": "0x…"}, {"finalized": "0x…"}],
     "fee": 159154905, "balances": {"0x…": {"free": 1000, "reserved": 0, "frozen": 0}}, "dryRun": "ok"}

`body` holds the transactions of blocks and `events` the value of System.Events, both by block hash and in hex; the word "submitted" in a body is
the last transaction that came, and `"events": {"0x…": null}` is a block without events; `blocks` holds the transactions of blocks by number,
null for one that the node does not have, and then every other block has one inherent; blocks
of `"discarded": ["0x…"]` have no state. `height` is the number of these blocks (default: `finalized`),
and `"renumbered": "0x…"` is what the node calls the block of that number. A status may name a block by "N". `validate` is what
TaggedTransactionQueue_validate_transaction answers, in hex.
`fee` is what TransactionPaymentApi_query_info answers, `dryRun` what DryRunApi_dry_run_call does: "ok", {"module": [5, 2]}, {"token": 0}, {"other": 2}
or "refused"; a runtime without them has no such function. `dryRunVersion` is the version of that function (default: 2, which takes the XCM version).
Balances are by account in hex, with the account's "nonce" (default: 0); "flags": false gives one the older layout.

`storage` holds the whole state, keys and values in hex, as `state_trie` makes them; then the headers of blocks lead to it, and the hash of a block is that
of its header. `stateVersion` is that of the trie (default: 1). `logs` are the digest items of blocks in hex, by number or "all". `proofFault` is one of
PROOF_FAULTS.

Metadata files stand beside the state file; "14" is what the runtime answers when no format is asked for, and may hold any of them.
Block hashes follow from genesis and number. The first line on stdout is the port and the process id.
"""
import asyncio
import base64
import hashlib
import json
import os
import random
import signal
import ssl
import struct
import subprocess
import sys
import warnings

from .common import compact, read_compact

MAXIMUM_REQUEST = 4 << 20
# Where the map System.Account starts; BLAKE2b-128 of the account and the account follow.
ACCOUNTS = "0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9"
# Where System.Events stands.
EVENTS = "0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7"
# Addresses for documentation (RFC 5737), which a test gives to this machine in a network namespace of its own: all of
# loopback is one host.
OTHER_HOSTS = ["192.0.2.2", "192.0.2.3"]
HUGE = 200_000_000
PART = b"0" * (1 << 20)
HOSTILE = 30_000_000
# Results of HOSTILE bytes: a beginning, what is repeated, what joins it, an end. `%d` is the index of a repetition.
SHAPES = {
    "empty-lists": ("[", "[]", ",", "]"),
    "numbers": ("[", "1", ",", "]"),
    "nesting": ("", "[", "", ""),
    "keys": ("{", '"%d":0', ",", "}"),
    "same-keys": ("{", '"a":0', ",", "}"),
    "long-text": ('"0x', "00", "", '"'),
    "not-hex": ('"0x', "zz", "", '"'),
    "escapes": ('"0x', "\\u0030", "", '"'),
    "long-number": ("", "9", "", ""),
    "spaces": ("", " ", "", "1"),
}
FAULTS = ["slow", "cut-off", "wrong-chain", "invalid-json", "not-an-answer", "500", "huge", "huge-unannounced", "silent", "pings",
          *(f"hostile-{shape}" for shape in SHAPES)]


def hostile(shape):
    """JSON that costs its reader much."""
    start, part, between, end = SHAPES[shape]
    count = HOSTILE // len((part + between).replace("%d", "1234567"))
    parts = (part % index for index in range(count)) if "%d" in part else [part] * count
    return (start + between.join(parts) + end).encode()
# What a hostile node can do with a proof. The first three change nothing for a reader who takes what it needs.
PROOF_FAULTS = ["reversed", "doubled", "further", "missing-root", "missing-leaf", "flipped", "foreign", "compact", "empty", "endless", "no-list", "not-hex",
                "no-method", "other-root", "other-number", "no-log", "odd-log"]
# Of the moments at which answers come with --any-order.
JITTER = random.Random(int(os.environ.get("HELIOGRAPH_SEED", "1")))


class Refusal(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


class Chain:
    """The answers of a chain whose state is a file."""

    def __init__(self, path):
        self.path = path
        self.stamp = None
        self.submitted = None

    @property
    def tries(self):
        # It needs xxhash, which is not there before tools/install.
        from . import state_trie
        return state_trie

    def refresh(self):
        status = os.stat(self.path)
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        if stamp != self.stamp:
            with open(self.path) as file:
                self.state = json.load(file)
            self.stamp = stamp
            values = {bytes.fromhex(place): bytes.fromhex(value) for place, value in self.state.get("storage", {}).items()}
            self.trie = self.tries.Trie(values, self.state.get("stateVersion", 1)) if values else None

    def block_hash(self, number):
        if number == 0:
            return self.state["genesis"]
        if self.trie:
            return "0x" + self.tries.blake2(self.header(number)[1]).hex()
        seed = self.state["genesis"] + str(number)
        return "0x" + hashlib.blake2b(seed.encode(), digest_size=32).hexdigest()

    def header(self, number):
        """The parts and the bytes of a block's header; all blocks have one state."""
        logs = self.state.get("logs", {})
        items = [bytes.fromhex(item) for item in logs.get(str(number), logs.get("all", []))]
        return self.tries.header(number, self.trie.root, items, self.tries.blake2(b"the block before " + str(number).encode()))

    def height(self):
        return self.state.get("height", self.state["finalized"])

    def number_of(self, block):
        if block is None:
            return self.state["finalized"]
        if block in self.state.get("body", {}):
            return self.height()
        for number in range(self.state["finalized"], -1, -1):
            if self.block_hash(number) == block:
                return number
        raise Refusal(4003, f"UnknownBlock: header not found for {block}")

    def metadata(self, version):
        name = self.state["metadata"].get(str(version))
        if name is None:
            return None
        with open(os.path.join(os.path.dirname(self.path), name), "rb") as file:
            return file.read()

    def answer(self, method, params):
        self.refresh()
        plain = {"system_chain": lambda: self.state["chain"], "system_properties": lambda: self.state["properties"],
                 "system_accountNextIndex": lambda address: self.state.get("nonces", {}).get(address, 0),
                 "chain_getFinalizedHead": lambda: self.block_hash(self.state["finalized"])}
        handler = plain.get(method) or getattr(self, "rpc_" + method, None)
        if handler is None:
            raise Refusal(-32601, "Method not found")
        return handler(*params)

    def rpc_chain_getBlock(self, block=None):
        body = self.state.get("body", {}).get(block)
        if body is None and "blocks" in self.state:
            body = self.state["blocks"].get(str(self.number_of(block)), ["0x1004030201"])
        if body is None:
            return None
        extrinsics = [self.submitted if one == "submitted" else one for one in body]
        return {"block": {"header": self.rpc_chain_getHeader(block), "extrinsics": extrinsics}, "justifications": None}

    def rpc_chain_getBlockHash(self, number=None):
        number = self.state["finalized"] if number is None else number
        if number == self.height() and "renumbered" in self.state:
            return self.state["renumbered"]
        return self.block_hash(number) if number <= self.state["finalized"] else None

    def rpc_chain_getHeader(self, block=None):
        try:
            if self.trie:
                return self.told_header(self.number_of(block))
            return {"number": hex(self.number_of(block)), "parentHash": "0x" + "00" * 32, "digest": {"logs": []}}
        except Refusal:
            return None

    def told_header(self, number):
        """The header of a block as this node tells it."""
        fault, parts = self.state.get("proofFault"), self.header(number)[0]
        if fault == "other-root":
            parts["stateRoot"] = "0x" + "11" * 32
        if fault == "other-number":
            parts["number"] = hex(number - 1)
        if fault == "no-log":
            parts["digest"]["logs"] = parts["digest"]["logs"][:-1]
        if fault == "odd-log":
            parts["digest"]["logs"].append("0x0")
        return parts

    def rpc_state_getReadProof(self, keys, block=None):
        fault = self.state.get("proofFault")
        if self.trie is None or fault == "no-method":
            raise Refusal(-32601, "Method not found")
        self.require_state(block)
        nodes = self.trie.proof([bytes.fromhex(one[2:]) for one in keys])
        root = self.trie.nodes[self.trie.root]
        rest = [node for node in nodes if node != root]
        changed = {"reversed": nodes[::-1], "doubled": nodes * 2, "further": [*nodes, b"\x41\x01\0", b""], "missing-root": rest,
                   # The longest way has the smallest node at its end or near it.
                   "missing-leaf": sorted(nodes, key=len)[1:], "flipped": [nodes[0][:-1] + bytes([nodes[0][-1] ^ 1]), *nodes[1:]],
                   "foreign": self.tries.Trie({b"\1": b"\2"}).proof([b"\1"]), "compact": [b"\1" + root, *rest], "empty": [],
                   "endless": [*nodes, bytes(1 << 18)]}.get(fault, nodes)
        proof = ["0x" + node.hex() for node in changed]
        return {"at": block, "proof": {"no-list": "0x", "not-hex": ["0xzz", *proof]}.get(fault, proof)}

    def rpc_state_getRuntimeVersion(self, block=None):
        self.number_of(block)
        return {"specName": self.state["specName"], "implName": "stand-in", "specVersion": self.state["specVersion"],
                "implVersion": 0, "transactionVersion": self.state["transactionVersion"], "apis": [], "stateVersion": 1}

    def rpc_state_getStorageHash(self, key, block=None):
        self.number_of(block)
        if key != "0x" + b":code".hex():
            return None
        code = json.dumps([self.state["specVersion"], self.state.get("code", "")]).encode()
        return "0x" + hashlib.blake2b(code, digest_size=32).hexdigest()

    def require_state(self, block):
        self.number_of(block)
        if block in self.state.get("discarded", []):
            raise Refusal(4003, f"Client error: UnknownBlock: State already discarded for {block}")

    def rpc_state_getMetadata(self, block=None):
        self.require_state(block)
        blob = self.metadata(14)
        if blob is None:
            raise Refusal(-32603, "Internal error")
        return "0x" + blob.hex()

    def rpc_state_getStorage(self, key, block=None):
        self.require_state(block)
        if key == EVENTS:
            return self.state.get("events", {}).get(block)
        account = bytes.fromhex(key[len(ACCOUNTS) + 32:])
        digest = hashlib.blake2b(account, digest_size=16).hexdigest()
        if not key.startswith(ACCOUNTS) or digest != key[len(ACCOUNTS):len(ACCOUNTS) + 32]:
            return None
        has = self.state.get("balances", {}).get("0x" + account.hex())
        if has is None:
            return None
        if isinstance(has, str):
            return has
        last = 1 << 127 if has.get("flags", True) else has.get("fee_frozen", 0)
        amounts = [has["free"], has.get("reserved", 0), has.get("frozen", 0), last]
        return "0x" + (struct.pack("<IIII", has.get("nonce", 0), 0, 1, 0) + b"".join(amount.to_bytes(16, "little") for amount in amounts)).hex()

    def query_info(self, data):
        """A weight of two compact numbers, the class of ordinary calls, the fee; for a whole extrinsic and its length alone."""
        length = struct.unpack("<I", data[-4:])[0]
        if length != len(data) - 4:
            raise Refusal(4003, "Client error: Execution failed: cannot decode the arguments of query_info")
        self.check_extrinsic("0x" + data[:-4].hex())
        return compact(145_000_000) + compact(3_593) + b"\0" + self.state["fee"].to_bytes(16, "little")

    def dry_run_call(self, data):
        """The result of a call, behind it no event and no message."""
        how, version = self.state["dryRun"], self.state.get("dryRunVersion", 2)
        # The origin is signed, by an account of 32 bytes; a remark and a transfer are all that the fixture's laws run.
        if data[:2] != b"\0\1" or (version == 2) != (data[-4:] == b"\4\0\0\0"):
            raise Refusal(4003, "Client error: Execution failed: cannot decode the arguments of dry_run_call")
        if how == "refused":
            return b"\1\0"
        post = b"\1" + compact(1000) + compact(2000) + b"\0"
        if how == "ok":
            return b"\0\0" + post + b"\0" * 3
        (kind, value), = how.items()
        error = bytes([3, *value, 0, 0, 0]) if kind == "module" else bytes([7, value]) if kind == "token" else bytes([value])
        return b"\0\1" + post + error + b"\0" * 3

    def rpc_state_call(self, name, data, block=None):
        self.require_state(block)
        if name == "TaggedTransactionQueue_validate_transaction" and "validate" in self.state:
            # The source is outside; the block stands behind the extrinsic.
            if data[:4] != "0x02" or "0x" + data[-64:] != (block or self.block_hash(self.state["finalized"])):
                raise Refusal(4003, "Client error: Execution failed: cannot decode the arguments of validate_transaction")
            self.check_extrinsic("0x" + data[4:-64])
            return self.state["validate"]
        extra = {"TransactionPaymentApi_query_info": ("fee", self.query_info), "DryRunApi_dry_run_call": ("dryRun", self.dry_run_call)}
        if name in extra and extra[name][0] in self.state:
            return "0x" + extra[name][1](bytes.fromhex(data[2:])).hex()
        if name != "Metadata_metadata_at_version" or self.state.get("onlyOldMetadata"):
            raise Refusal(4003, f"Client error: Execution failed: Exported method {name} is not found")
        blob = self.metadata(struct.unpack("<I", bytes.fromhex(data[2:]))[0])
        return "0x00" if blob is None else "0x01" + (compact(len(blob)) + blob).hex()

    def check_extrinsic(self, text):
        data = bytes.fromhex(text[2:])
        length, start = read_compact(data)
        if start + length != len(data):
            raise Refusal(1002, "Verification Error: cannot decode the extrinsic")


class Node:
    def __init__(self, options):
        self.chain = Chain(options.state)
        self.options = options
        self.fault, _, count = (options.fault or "").partition(":")
        self.faults_left = int(count) if count else None
        self.requests = 0

    def next_fault(self, method):
        """The fault of this request: all of them, the first ones, or those of one method."""
        if not self.fault or self.faults_left == 0 or self.options.fault_method not in (None, method):
            return None
        if self.faults_left is not None:
            self.faults_left -= 1
        return self.fault

    def reply(self, request, fault):
        self.log(request["method"])
        reply = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            if request["method"] == "author_submitAndWatchExtrinsic":
                self.chain.refresh()
                self.chain.check_extrinsic(request["params"][0])
                if self.options.refuse:
                    raise Refusal(self.options.refuse, "Invalid Transaction")
                self.chain.submitted = request["params"][0]
                reply["result"] = f"sub-{request['id']}"
            else:
                reply["result"] = self.chain.answer(request["method"], request["params"])
        except Refusal as refusal:
            reply["error"] = {"code": refusal.code, "message": refusal.message}
        if fault == "wrong-chain" and request["method"] == "chain_getBlockHash" and request["params"] == [0]:
            reply["result"] = "0x" + "ee" * 32
        if fault == "invalid-json":
            return b'{"jsonrpc":"2.0","id":'
        if fault and fault.startswith("hostile-"):
            return b'{"jsonrpc":"2.0","id":%d,"result":%s}' % (request["id"], hostile(fault.removeprefix("hostile-")))
        if fault == "not-an-answer":
            return b'{"jsonrpc":"2.0","id":null}'
        return json.dumps(reply).encode()

    def log(self, text):
        self.requests += 1
        if self.options.log:
            with open(self.options.log, "a") as file:
                file.write(text + "\n")

    async def serve(self, reader, writer):
        try:
            await self.converse(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        finally:
            writer.close()

    async def converse(self, reader, writer):
        if self.options.tls:
            self.log(writer.get_extra_info("ssl_object").version())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = {}
        for line in head[1:]:
            name, _, value = line.partition(":")
            fields[name.strip().lower()] = value.strip()
        if self.options.token and fields.get("authorization") != self.options.token:
            writer.write(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
            return await writer.drain()
        if self.options.no_token and "authorization" in fields:
            self.log("a token of another server")
        if fields.get("upgrade", "").lower() == "websocket":
            await self.websocket(reader, writer, fields)
        else:
            length = min(int(fields.get("content-length", "0")), MAXIMUM_REQUEST)
            await self.http(writer, json.loads(await reader.readexactly(length)))

    async def http(self, writer, request):
        fault = self.next_fault(request["method"])
        if fault == "silent":
            await asyncio.sleep(3600)
        if fault == "500":
            self.log(request["method"])
            writer.write(b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\noops")
            return await writer.drain()
        if fault == "huge-unannounced":
            return await self.pour(writer, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"100000\r\n" + PART + b"\r\n")
        body = self.reply(request, fault)
        length = HUGE if fault == "huge" else len(body)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % length
        if fault == "huge":
            return await self.pour(writer, head, PART)
        writer.write(head)
        return await self.write(writer, body, fault)

    async def pour(self, writer, first, part):
        """A beginning, then parts without end."""
        writer.write(first)
        for _ in range(HUGE >> 20):
            writer.write(part)
            await writer.drain()

    async def write(self, writer, data, fault):
        slow = fault == "slow"
        for piece in [bytes([byte]) for byte in data] if slow else [data[: len(data) // 2] if fault == "cut-off" else data]:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.2 * slow)

    async def websocket(self, reader, writer, fields):
        if self.fault == "500" and self.next_fault(None):
            writer.write(b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")
            return await writer.drain()
        digest = hashlib.sha1((fields["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n")
        await writer.drain()
        tasks = set()
        while True:
            opcode, data = await self.read_frame(reader)
            if opcode == 8:
                return None
            if opcode == 1:
                task = asyncio.create_task(self.answer_frame(writer, json.loads(data)))
                tasks.add(task)
                task.add_done_callback(tasks.discard)

    async def read_frame(self, reader):
        first, second = await reader.readexactly(2)
        length = second & 0x7F
        if length == 126:
            length = struct.unpack(">H", await reader.readexactly(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", await reader.readexactly(8))[0]
        if not second & 0x80 or length > MAXIMUM_REQUEST:
            raise ConnectionError("a client masks its frames and keeps them small")
        mask = await reader.readexactly(4)
        data = await reader.readexactly(length)
        return first & 0x0F, bytes(byte ^ mask[place % 4] for place, byte in enumerate(data))

    async def answer_frame(self, writer, request):
        fault = self.next_fault(request["method"])
        try:
            if fault == "silent":
                return None
            if fault == "pings":
                while True:
                    writer.write(frame(0x89, b"p" * 125) * 100)
                    await writer.drain()
            if self.options.any_order:
                await asyncio.sleep(JITTER.uniform(0, 0.05))
            data = self.reply(request, fault)
            for number in range(self.options.unasked):
                notice = {"jsonrpc": "2.0", "method": "author_extrinsicUpdate", "params": {"subscription": f"other-{number}", "result": "ready"}}
                writer.write(frame(0x81, json.dumps(notice).encode()))
            watching = request["method"] == "author_submitAndWatchExtrinsic" and b'"result"' in data
            if watching and self.options.any_order:
                await self.notify(writer, request["id"], self.chain.state["submit"][:1])
            if fault == "huge":
                return await self.pour(writer, struct.pack(">BBQ", 0x81, 127, HUGE), PART)
            if fault == "huge-unannounced":
                return await self.pour(writer, frame(0x01, PART), frame(0x00, PART))
            await self.send(writer, data, fault)
            if fault == "cut-off":
                return writer.close()
            if watching:
                await self.notify(writer, request["id"], self.chain.state["submit"][1 if self.options.any_order else 0:])
                if self.options.hang_up:
                    writer.close()
        except ConnectionError:
            pass

    async def notify(self, writer, number, statuses):
        for status in statuses:
            await asyncio.sleep(0.01)
            notice = {"jsonrpc": "2.0", "method": "author_extrinsicUpdate",
                      "params": {"subscription": f"sub-{number}", "result": status}}
            await self.send(writer, json.dumps(notice).encode(), None)

    async def send(self, writer, data, fault):
        """One message: a ping in front, the message in two fragments, so that a client must deal with both."""
        half = len(data) // 2
        frames = frame(0x89, b"ping") + frame(0x01, data[:half]) + frame(0x80, data[half:])
        await self.write(writer, frames, fault)


def frame(first, data):
    if len(data) < 126:
        return bytes([first, len(data)]) + data
    if len(data) < 1 << 16:
        return struct.pack(">BBH", first, 126, len(data)) + data
    return struct.pack(">BBQ", first, 127, len(data)) + data


def make_certificates(folder):
    """A test authority, its certificates for loopback and for another name, one of its that has expired, and one that signed itself."""
    os.makedirs(folder, exist_ok=True)
    def place(name):
        return os.path.join(folder, name)
    def run(*words):
        return subprocess.run(["openssl", *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    run("req", "-x509", *key, "-days", "1", "-subj", "/CN=stand-in authority", "-keyout", place("ca.key"), "-out", place("ca.pem"))
    here, authority = "DNS:localhost,IP:127.0.0.1", ["-CA", place("ca.pem"), "-CAkey", place("ca.key")]
    for name, hosts, signer in [("loopback", here, authority), ("elsewhere", "DNS:elsewhere.example", authority), ("self-signed", here, [])]:
        run("req", "-x509", *key, "-days", "1", "-subj", "/CN=" + name, *signer, "-addext", "subjectAltName=" + hosts,
            "-addext", "basicConstraints=CA:FALSE", "-keyout", place(name + ".key"), "-out", place(name + ".pem"))
    # Only `openssl ca` takes dates, and it needs a file of settings and a list of what it signed.
    settings = (f"[ca]\ndefault_ca=d\n[d]\ndatabase={place('signed')}\nrand_serial=yes\ndefault_md=sha256\npolicy=p\nnew_certs_dir={folder}\n"
                f"x509_extensions=e\n[p]\ncommonName=supplied\n[e]\nsubjectAltName={here}\n")
    for name, text in [("ca.conf", settings), ("signed", "")]:
        with open(place(name), "w") as file:
            file.write(text)
    run("req", "-new", *key, "-subj", "/CN=expired", "-keyout", place("expired.key"), "-out", place("expired.csr"))
    run("ca", "-batch", "-notext", "-config", place("ca.conf"), "-cert", place("ca.pem"), "-keyfile", place("ca.key"),
        "-startdate", "20200101000000Z", "-enddate", "20200201000000Z", "-in", place("expired.csr"), "-out", place("expired.pem"))


TLS_VERSIONS = {"1.1": ssl.TLSVersion.TLSv1_1, "1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}


def tls_context(options):
    """TLS as the options ask for it; None without a certificate."""
    if not options.certificate:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.certificate, os.path.splitext(options.certificate)[0] + ".key")
    if options.tls:
        # OpenSSL calls versions below 1.2 insecure at its usual level, and Python warns of them.
        warnings.simplefilter("ignore", DeprecationWarning)
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = TLS_VERSIONS[options.tls]
    return context


async def leave_with_parent():
    """A test that dies does not leave its node behind."""
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(1)
    os._exit(0)


async def serve(options):
    # A parent may have blocked the signals that end a program.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    watcher = asyncio.create_task(leave_with_parent())
    node = Node(options)
    node.chain.refresh()
    server = await asyncio.start_server(node.serve, options.address, 0, ssl=tls_context(options))
    print(server.sockets[0].getsockname()[1], os.getpid(), flush=True)
    async with server:
        await asyncio.wait([watcher, asyncio.create_task(server.serve_forever())], return_when=asyncio.FIRST_COMPLETED)


def configure(parser):
    parser.add_argument("--state", help="JSON file with the chain's state")
    parser.add_argument("--address", default="127.0.0.1",
                        choices=["127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4", "::1", *OTHER_HOSTS],
                        help="address to listen on (default: %(default)s); the last ones are of a machine's own namespace")
    parser.add_argument("--certificate", help="PEM file; its key has the same name and ends .key")
    parser.add_argument("--tls", choices=TLS_VERSIONS, help="the only version of TLS (default: those of Python's library)")
    parser.add_argument("--fault", help=f"one of {', '.join(FAULTS)}; with :N only the first N requests")
    parser.add_argument("--fault-method", help="the only method whose requests have the fault (default: all)")
    parser.add_argument("--token", help="answer only requests with this value of the header Authorization")
    parser.add_argument("--no-token", action="store_true", help="note in the log whoever sends the header Authorization")
    parser.add_argument("--refuse", type=int, metavar="CODE", help="refuse each transaction with this error code")
    parser.add_argument("--hang-up", action="store_true", help="end the connection behind the statuses of a transaction")
    parser.add_argument("--unasked", type=int, default=0, help="notices that nobody asked for before each answer")
    parser.add_argument("--any-order", action="store_true", help="answer in any order, and notices before the answer that names them")
    parser.add_argument("--log", help="file that gets the method of each request")
    parser.add_argument("--make-certificates", metavar="DIR", help="make test certificates with openssl and stop")


def run(options):
    """Serves until it is interrupted or its parent ends."""
    if options.make_certificates:
        make_certificates(options.make_certificates)
        return 0
    if options.state is None or (options.fault or FAULTS[0]).partition(":")[0] not in FAULTS:
        print("stand-in-node: a state file and a known fault are needed", file=sys.stderr)
        return 64
    try:
        asyncio.run(serve(options))
    except KeyboardInterrupt:
        return 130
    return 0
