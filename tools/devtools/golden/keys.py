"""Makes the golden answers under fixtures/keys with independent programs."""

import base64
import hashlib
import json
import random
import re

import bip39
import coincurve
import nacl.bindings
import nacl.secret
import nacl.signing
import sr25519
from argon2.low_level import Type, hash_secret_raw
from Crypto.Hash import keccak
from eth_utils import to_checksum_address
from mnemonic import Mnemonic

from ..common import FIXTURES, blake2_256, compact, string

OUT = FIXTURES / "keys"
DEV = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"


# ---- SCALE and junctions, as sp-core has them


def chain_code(name):
    if name.isascii() and name.isdigit() and int(name) < 1 << 64:
        code = int(name).to_bytes(8, "little")
    else:
        code = string(name)
        if len(code) > 32:
            code = blake2_256(code)
    return code.ljust(32, b"\0")


def keccak256(data):
    return keccak.new(digest_bits=256, data=data).digest()


def random_name(rng):
    kind = rng.randrange(4)
    if kind == 0:
        return str(rng.randrange(1 << rng.choice([1, 8, 32, 64])))
    if kind == 1:
        return "".join(rng.choice("abcXYZ019_-. ") for _ in range(rng.randrange(1, 12)))
    if kind == 2:
        return "".join(rng.choice("abc") for _ in range(rng.randrange(28, 80)))
    return "".join(rng.choice("дяßé漢🙂") for _ in range(rng.randrange(1, 6)))


def random_path(rng, soft):
    parts = [(rng.random() < 0.5 if soft else True, random_name(rng)) for _ in range(rng.randrange(4))]
    return parts, "".join(("//" if hard else "/") + name for hard, name in parts)


# ---- Keys by the peers


def sr25519_pair(seed, parts):
    public, secret = sr25519.pair_from_seed(seed)
    for hard, name in parts:
        derive = sr25519.hard_derive_keypair if hard else sr25519.derive_keypair
        _, public, secret = derive((chain_code(name), public, secret), b"")
    return public, secret


def hard_seed(seed, parts, tag):
    for _, name in parts:
        seed = blake2_256(string(tag) + seed + chain_code(name))
    return seed


def peer_sign(scheme, seed, parts, message):
    """Public key (compressed where there is a choice) and signature."""
    if scheme == "sr25519":
        public, secret = sr25519_pair(seed, parts)
        return public, sr25519.sign((public, secret), message)
    if scheme == "ed25519":
        key = nacl.signing.SigningKey(hard_seed(seed, parts, "Ed25519HDKD"))
        return bytes(key.verify_key), key.sign(message).signature
    secret = hard_seed(seed, parts, "Secp256k1HDKD")
    digest, key = keccak256(message) if scheme == "ethereum" else blake2_256(message), coincurve.PrivateKey(secret)
    return key.public_key.format(), key.sign_recoverable(digest, hasher=None)


def peer_verify(scheme, public, message, signature):
    if scheme == "sr25519":
        try:
            return sr25519.verify(signature, message, public)
        except ValueError:
            # A signature without the marker, or with a scalar that is not reduced.
            return False
    if scheme == "ed25519":
        try:
            nacl.signing.VerifyKey(public).verify(message, signature)
        except Exception:
            return False
        return True
    digest = keccak256(message) if scheme == "ethereum" else blake2_256(message)
    return coincurve.PublicKey.from_signature_and_message(signature, digest, hasher=None).format() == public


def ethereum_address(public):
    return to_checksum_address(keccak256(coincurve.PublicKey(public).format(compressed=False)[1:])[12:])


# ---- Banana Split, written here from the byte layout, with tables where the Swift code has none

EXP, LOG = [0] * 512, [0] * 256


def _tables():
    x = 1
    for i in range(255):
        EXP[i] = EXP[i + 255] = x
        LOG[x] = i
        x <<= 1
        if x & 256:
            x ^= 0x11D


_tables()


def gf_mul(a, b):
    return EXP[LOG[a] + LOG[b]] if a and b else 0


def banana_shares(rng, secret, title, passphrase, total, required, version):
    key = hashlib.scrypt(passphrase.encode(), salt=hashlib.sha512(title.encode()).digest(), n=1 << 15, r=8, p=1, maxmem=1 << 26, dklen=32)
    nonce = rng.randbytes(24)
    box = nacl.secret.SecretBox(key).encrypt(secret.encode(), nonce).ciphertext
    marked = b"\1" + box
    marked = marked.rjust(-(-len(marked) // 16) * 16, b"\0")
    coefficients = [rng.randbytes(required - 1) for _ in marked]
    out = []
    for x in range(1, total + 1):
        values = bytes(byte ^ _xor(gf_mul(c, EXP[LOG[x] * (k + 1) % 255]) for k, c in enumerate(row)) for byte, row in zip(marked, coefficients))
        data = bytes([x]) + values
        if version == 1:
            share = {"v": 1, "t": title, "r": required, "d": "8" + base64.b64encode(data).decode(), "n": base64.b64encode(nonce).decode()}
        else:
            share = {"t": title, "r": required, "d": "8" + data.hex(), "n": nonce.hex()}
        out.append(json.dumps(share, separators=(",", ":")))
    return out


def _xor(values):
    result = 0
    for value in values:
        result ^= value
    return result


# ---- A vault file by the format's description

# In the order of their numbers.
SCHEMES = ["ed25519", "sr25519", "ecdsa", "ethereum"]


def imported(scheme, secret):
    """Scheme, public key and secret of a key without a seed."""
    if scheme == "ed25519":
        return scheme, nacl.signing.SigningKey(secret).verify_key.encode(), secret
    if scheme == "sr25519":
        return scheme, sr25519.pair_from_seed(secret)[0], secret
    return scheme, coincurve.PublicKey.from_secret(secret).format(), secret


def vault_file(rng, passphrase, key_file, seeds, keys):
    """The file `vault` as documented in VaultFile.swift, made with argon2-cffi and PyNaCl."""
    def u32(n):
        return n.to_bytes(4, "little")
    def u64(n):
        return n.to_bytes(8, "little")
    def keyed(key, message, size=32):
        return hashlib.blake2b(message, key=key, digest_size=size).digest()
    def seal(plain, aad, nonce, key):
        return nacl.bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(plain, aad, nonce, key)
    identity, data_key, salt = rng.randbytes(16), rng.randbytes(32), rng.randbytes(16)
    passes, memory, revision, generation = 1, 1024, 3, 5
    stretching = salt + u32(passes) + u32(memory)
    header = compact(2 if key_file else 1) + b"\0" + compact(len(stretching)) + stretching + (b"\2\0" if key_file else b"")
    stretched = hash_secret_raw(passphrase, salt, time_cost=passes, memory_cost=memory, parallelism=1, hash_len=32, type=Type.ID, version=0x13)
    wrapping = keyed(keyed(keyed(stretched, b"heliograph passphrase factor"), key_file), b"heliograph wrapping key")
    nonce = rng.randbytes(24)
    slot = header + nonce + seal(data_key, string("heliograph key slot") + b"\2" + identity + b"\1" + header, nonce, wrapping)
    seed_key = keyed(data_key, b"heliograph vault: seeds")
    body = b"HELIOGVT\4" + identity + b"\1" + u64(revision) + u64(generation) + compact(1) + slot + compact(len(seeds))
    for number, (name, entropy) in enumerate(seeds):
        nonce = rng.randbytes(24)
        aad = string("heliograph seed") + b"\1" + identity + string(name) + u64(number + 2)
        plain = bytes([len(entropy)]) + entropy.ljust(32, b"\0")
        body += string(name) + u64(number + 2) + nonce + seal(plain, aad, nonce, seed_key)
    body += compact(len(keys))
    imported_key = keyed(data_key, b"heliograph vault: imported keys")
    for number, (scheme, public, secret) in enumerate(keys):
        nonce, name = rng.randbytes(24), bytes([SCHEMES.index(scheme)]) + public
        aad = string("heliograph key") + b"\1" + identity + name + u64(number + 2)
        body += name + u64(number + 2) + nonce + seal(bytes([len(secret)]) + secret.ljust(64, b"\0"), aad, nonce, imported_key)
    return body + keyed(keyed(data_key, b"heliograph vault: file seal"), body), keyed(data_key, b"heliograph use: store")


# ---- Golden answers


def freeze(name, cases):
    cases = list(cases)
    with open(OUT / name, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(case, ensure_ascii=True) for case in cases) + "\n]\n")
    print(f"{name}: {len(cases)} cases")


def signatures(rng, scheme):
    for number in range(100 if scheme == "sr25519" else 40):
        seed, message = rng.randbytes(32), rng.randbytes(rng.choice([0, 1, 32, 166, 167, 256, 257, 1000]))
        parts, path = random_path(rng, soft=scheme == "sr25519")
        public, signature = peer_sign(scheme, seed, parts, message)
        case = {"id": number, "seed": seed.hex(), "path": path, "publicKey": public.hex(), "message": message.hex(), "signature": signature.hex()}
        yield case | ({"address": ethereum_address(public)} if scheme == "ethereum" else {})


def mnemonics(rng, words):
    for number in range(40):
        entropy = rng.randbytes(rng.choice([16, 20, 24, 28, 32]))
        phrase, password = words.to_mnemonic(entropy), rng.choice(["", "password", "пароль/with/slashes", "Substrate"])
        secret = bytes(bip39.bip39_to_mini_secret(phrase, password))
        yield {"id": number, "entropy": entropy.hex(), "phrase": phrase, "password": password, "miniSecret": secret.hex()}


def banana_splits(rng, words):
    rows = [(DEV, "development phrase", "excess-torch", 3, 2, 1), (DEV, "Это секрет", "пароль", 5, 3, 1),
            (words.to_mnemonic(rng.randbytes(32)), 'a "quoted" title\\', "p", 4, 4, 1), (DEV, "old", "amazing", 3, 2, 0)]
    for number, (secret, title, passphrase, total, required, version) in enumerate(rows):
        yield {"id": number, "origin": "tools/dev golden keys", "secret": secret, "passphrase": passphrase, "required": required,
               "shares": banana_shares(rng, secret, title, passphrase, total, required, version)}


def seed_codes(rng, words):
    for number, size in enumerate([16, 16, 32, 32]):
        entropy = rng.randbytes(size)
        digits = "".join(f"{words.wordlist.index(word):04d}" for word in words.to_mnemonic(entropy).split())
        yield {"id": number, "entropy": entropy.hex(), "digits": digits}


def vaults(rng):
    for number, (key_file, seeds) in enumerate([(b"", []), (b"", [("one", 16), ("zwei é", 32)]), (rng.randbytes(64), [("with key file", 24)])]):
        entropies = [(name, rng.randbytes(size)) for name, size in seeds]
        keys = [imported(scheme, rng.randbytes(32)) for scheme in SCHEMES] if number == 1 else []
        file, store_key = vault_file(rng, b"right", key_file, entropies, keys)
        yield {"id": number, "passphrase": "right", "keyFile": key_file.hex(), "file": file.hex(), "storeKey": store_key.hex(),
               "seeds": [{"name": name, "entropy": entropy.hex()} for name, entropy in entropies],
               "keys": [{"scheme": scheme, "publicKey": public.hex(), "secret": secret.hex()} for scheme, public, secret in keys]}


def freeze_all():
    """Every file, from one row of random numbers: their order is part of the answers."""
    OUT.mkdir(exist_ok=True)
    rng, words = random.Random("heliograph keys"), Mnemonic("english")
    freeze("mnemonics.json", mnemonics(rng, words))
    for scheme in ["sr25519", "ed25519", "ecdsa", "ethereum"]:
        freeze(f"{scheme}.json", signatures(rng, scheme))
    freeze("keccak256.json", ({"id": n, "message": (m := rng.randbytes(n)).hex(), "digest": keccak256(m).hex()}
                              for n in [0, 1, 7, 8, 64, 134, 135, 136, 137, 271, 272, 273, 500]))
    freeze("banana-split.json", banana_splits(rng, words))
    freeze("seedqr.json", seed_codes(rng, words))
    freeze("vaults.json", vaults(rng))


# ---- Wycheproof


def fixed_form(der):
    """r ‖ s of 64 bytes of a strictly encoded signature, or None where there is no such form."""
    match = re.fullmatch(rb"\x30(.)\x02(.)(.*)", der, re.S)
    if not match or der[1] != len(der) - 2 or der[1] > 127:
        return None
    first, rest = match[3][: der[3]], match[3][der[3] :]
    second = rest[2:]
    if rest[:1] != b"\x02" or len(rest) < 2 or rest[1] != len(second):
        return None
    for body in (first, second):
        if not body or body[0] & 0x80 or len(body) > 1 and body[0] == 0 and not body[1] & 0x80 or int.from_bytes(body, "big") >> 256:
            return None
    return b"".join(int.from_bytes(body, "big").to_bytes(32, "big") for body in (first, second))


def wycheproof(path):
    """Group and test of each case of a published file, and what all fixtures keep of it."""
    for group in json.load(open(path))["testGroups"]:
        for test in group["tests"]:
            yield group, test, {"id": test["tcId"], "comment": test["comment"], "flags": test["flags"]}


def freeze_wycheproof(ed25519_path, ecdsa_path):
    freeze("wycheproof-ed25519.json", (kept | {"publicKey": group["publicKey"]["pk"], "message": test["msg"], "signature": test["sig"],
                                               "result": test["result"]}
                                       for group, test, kept in wycheproof(ed25519_path)))
    cases, other = [], []
    for group, test, kept in wycheproof(ecdsa_path):
        form = fixed_form(bytes.fromhex(test["sig"]))
        if form is None:
            other.append(test["result"])
            continue
        public = coincurve.PublicKey(bytes.fromhex(group["publicKey"]["uncompressed"])).format()
        digest = hashlib.sha256(bytes.fromhex(test["msg"])).hexdigest()
        cases.append(kept | {"publicKey": public.hex(), "digest": digest, "signature": form.hex(), "result": test["result"]})
    freeze("wycheproof-secp256k1.json", cases)
    print(f"{len(other)} cases have no fixed-length form ({other.count('valid')} of them valid)")


def configure(parser):
    parser.add_argument("--wycheproof", nargs=2, metavar=("ED25519.json", "ECDSA.json"),
                        help="rewrite the Wycheproof fixtures from its published files instead")


def run(options):
    if options.wycheproof:
        freeze_wycheproof(*options.wycheproof)
    else:
        freeze_all()
