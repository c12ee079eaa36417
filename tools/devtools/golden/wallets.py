"""Makes fixtures/wallets with independent programs that tools/requirements.txt does not need otherwise:

    pip install bip-utils==2.12.3 eth-account==0.14.0 mnemonic==0.21 PyNaCl==1.6.2 py-sr25519-bindings==0.2.4 substrate-interface==1.8.1
        py-bip39-bindings==0.3.0
"""

import base64
import hashlib
import json
import random
import re

import bip39
import coincurve
import nacl.secret
import sr25519
from bip_utils import Base58Decoder, Bip32KholawEd25519, Bip32Slip10Ed25519, Bip32Slip10Secp256k1, EthAddrEncoder, SS58Encoder
from Crypto.Hash import keccak
from eth_account import Account
from mnemonic import Mnemonic
from nacl.signing import SigningKey
from substrateinterface.utils.encrypted_json import decode_pair_from_encrypted_json

from ..common import FIXTURES
from .keys import ethereum_address, hard_seed, sr25519_pair

OUT = FIXTURES / "wallets"
MESSAGE = b"an imported key signs as its own wallet"
DEV_PHRASE = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
# BIP-32, test vectors 1 and 2: seed, and below it each chain with its extended private key.
BIP32 = {
    "000102030405060708090a0b0c0d0e0f": {
        "m": "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
        "m/0'": "xprv9uHRZZhk6KAJC1avXpDAp4MDc3sQKNxDiPvvkX8Br5ngLNv1TxvUxt4cV1rGL5hj6KCesnDYUhd7oWgT11eZG7XnxHrnYeSvkzY7d2bhkJ7",
        "m/0'/1": "xprv9wTYmMFdV23N2TdNG573QoEsfRrWKQgWeibmLntzniatZvR9BmLnvSxqu53Kw1UmYPxLgboyZQaXwTCg8MSY3H2EU4pWcQDnRnrVA1xe8fs",
        "m/0'/1/2'": "xprv9z4pot5VBttmtdRTWfWQmoH1taj2axGVzFqSb8C9xaxKymcFzXBDptWmT7FwuEzG3ryjH4ktypQSAewRiNMjANTtpgP4mLTj34bhnZX7UiM",
        "m/0'/1/2'/2": "xprvA2JDeKCSNNZky6uBCviVfJSKyQ1mDYahRjijr5idH2WwLsEd4Hsb2Tyh8RfQMuPh7f7RtyzTtdrbdqqsunu5Mm3wDvUAKRHSC34sJ7in334",
        "m/0'/1/2'/2/1000000000": "xprvA41z7zogVVwxVSgdKUHDy1SKmdb533PjDz7J6N6mV6uS3ze1ai8FHa8kmHScGpWmj4WggLyQjgPie1rFSruoUihUZREPSL39UNdE3BBDu76",
    },
    "fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542": {
        "m": "xprv9s21ZrQH143K31xYSDQpPDxsXRTUcvj2iNHm5NUtrGiGG5e2DtALGdso3pGz6ssrdK4PFmM8NSpSBHNqPqm55Qn3LqFtT2emdEXVYsCzC2U",
        "m/0": "xprv9vHkqa6EV4sPZHYqZznhT2NPtPCjKuDKGY38FBWLvgaDx45zo9WQRUT3dKYnjwih2yJD9mkrocEZXo1ex8G81dwSM1fwqWpWkeS3v86pgKt",
        "m/0/2147483647'/1/2147483646'/2": "xprvA2nrNbFZABcdryreWet9Ea4LvTJcGsqrMzxHx98MMrotbir7yrKCEXw7nadnHM8Dq38EGfSh6dqA9QWTyefMLEcBYJUuekgW4BYPJcr9E7j",
    },
}
# SLIP-10, test vector 1 for ed25519: chain and private key.
SLIP10 = {
    "m": "2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7",
    "m/0'": "68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3",
    "m/0'/1'/2'/2'/1000000000'": "8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793",
}
# The phrase that Zondax tests Ledger's Substrate apps with, and what its tests expect of them.
ZONDAX = "equip will roof matter pink blind book anxiety banner elbow sun young"
ZONDAX_KEYS = {
    "m/44'/354'/0'/0'/0'": "e1b4d72d27b3e91b9b6116555b4ea17138ddc12ca7cdbab30e2e0509bd848419",
    "m/44'/434'/0'/0'/0'": "ffbc10f71d63e0da1b9e7ee2eb4037466551dc32b9d4641aafd73a65970fae42",
}

# Addresses of real wallets: their phrase, and of each account the wallet as `key find` names it, the scheme, the path and the address.
SEEN = [
    ("Zondax/ledger-polkadot, issue 43", "identify fatal close west parent myself awake impact shoot wide wrong derive ship doctor mushroom weather absent "
     "vacant armed chuckle swarm hip music wing",
     [("Ledger generic app, account 0", "ed25519", "ledger:m/44'/354'/0'/0'/0'", "15fn3g9Ehu9FYTBUSzWPihcVfHnfm2AfFNtMtPNMHGkoWTEg"),
      ("Ledger generic app, account 1", "ed25519", "ledger:m/44'/354'/1'/0'/0'", "1446qjMShfFgAtGzsLd5ykqC5cHXXDumcbNbPQTd9ZHsoePY"),
      ("Ledger generic app, account 2", "ed25519", "ledger:m/44'/354'/2'/0'/0'", "13KpDbPsYHBsT8YDCP3LaDbZkKaTUMXQq4tM8y7hrYD2Hq6m"),
      ("Ledger generic app, account 0, index 1", "ed25519", "ledger:m/44'/354'/0'/0'/1'", "14qrzk2kjH4gfs4Q2PCEKy6pWS3JeqHkEcvP3TFASm4mVtAW")]),
    ("ebellocchia/py_crypto_hd_wallet, issue 28", "note choose skull orchard also harbor glove elevator motor need spoil deposit",
     [("polkadot-js, Talisman, SubWallet, Nova or Fearless, the phrase itself", "sr25519", "",
       "13Qae5X36FYNNBWHxYm8WCePu8AGoUixHEtvxjGbZxDiPgTz")]),
]
# What wallets derive, without a phrase: the wallet, the scheme and the path.
HABITS = [
    *(("polkadot-js, Talisman, SubWallet, Nova or Fearless, the phrase itself", scheme, "") for scheme in ("sr25519", "ed25519", "ecdsa", "ethereum")),
    *(("Polkadot Vault, kusama", scheme, "//kusama") for scheme in ("sr25519", "ed25519", "ecdsa")),
    *(("Polkadot Vault, polkadot, key 3", scheme, "//polkadot//3") for scheme in ("sr25519", "ed25519", "ecdsa")),
    *(("polkadot-js, Talisman or SubWallet, account 1", scheme, "//1") for scheme in ("sr25519", "ed25519", "ecdsa")),
    ("polkadot-js, Talisman or SubWallet, account 19", "sr25519", "//19"),
    ("polkadot-js, soft, account 0", "sr25519", "/0"),
    ("MetaMask and wallets like it, account 0", "ethereum", "bip32:m/44'/60'/0'/0/0"),
    ("MetaMask and wallets like it, account 7", "ethereum", "bip32:m/44'/60'/0'/0/7"),
    ("Ledger Live, Ethereum, account 2", "ethereum", "bip32:m/44'/60'/2'/0/0"),
    ("Ledger's older Ethereum app, account 1", "ethereum", "bip32:m/44'/60'/0'/1"),
    ("Ledger generic app, account 2", "ed25519", "ledger:m/44'/354'/2'/0'/0'"),
    ("Ledger generic app, account 0, index 4", "ed25519", "ledger:m/44'/354'/0'/0'/4'"),
    *((f"Ledger app for {name}, account 1", "ed25519", f"ledger:m/44'/{coin}'/1'/0'/0'") for name, coin in (
        ("Kusama", 0x1B2), ("Acala", 0x313), ("Aleph Zero", 0x283), ("Astar", 0x32A), ("Bifrost", 0x314), ("Centrifuge", 0x2EB), ("Dock", 0x252),
        ("Edgeware", 0x20B), ("Enjin", 0x483), ("Equilibrium", 0x5F5E0FD), ("Genshiro", 0x5F5E0FC), ("Karura", 0x2AE), ("Nodle", 0x3EB),
        ("Polkadex", 0x31F), ("Polymesh", 0x253), ("Reef", 0x333), ("Sora", 0x269), ("Stafi", 0x38B), ("Ternoa", 0x3E3), ("VTB", 0x2B6),
        ("XX Network", 0x7A3))),
    ("Trust Wallet, account 0", "ed25519", "slip10:m/44'/354'/0'/0'/0'"),
    ("Trust Wallet, account 5", "ed25519", "slip10:m/44'/354'/5'/0'/0'"),
]


def ed25519(secret):
    return SigningKey(secret).verify_key.encode().hex()


def published():
    """Private keys as the standards print them, each derived again by bip-utils."""
    for seed, chains in BIP32.items():
        for path, xprv in chains.items():
            secret = Base58Decoder.CheckDecode(xprv)[-32:]
            key = Bip32Slip10Secp256k1.FromSeed(bytes.fromhex(seed)).DerivePath(path)
            assert key.PrivateKey().Raw().ToBytes() == secret
            yield {"origin": "BIP-32", "seed": seed, "path": f"bip32:{path}", "secret": secret.hex(),
                   "publicKey": key.PublicKey().RawCompressed().ToHex()}
    seed = next(iter(BIP32))
    for path, secret in SLIP10.items():
        key = Bip32Slip10Ed25519.FromSeed(bytes.fromhex(seed)).DerivePath(path)
        assert key.PrivateKey().Raw().ToHex() == secret
        yield {"origin": "SLIP-10", "seed": seed, "path": f"slip10:{path}", "secret": secret, "publicKey": ed25519(bytes.fromhex(secret))}


def ledger(seed, path):
    """The left half of the node that bip-utils derives is an ordinary ed25519 seed."""
    return Bip32KholawEd25519.FromSeed(seed).DerivePath(path).PrivateKey().Raw().ToBytes()[:32]


def phrases(rng, words):
    for path, key in ZONDAX_KEYS.items():
        secret = ledger(words.to_seed(ZONDAX), path)
        assert ed25519(secret) == key
        yield {"origin": "Zondax", "phrase": ZONDAX, "passphrase": "", "scheme": "ed25519", "path": f"ledger:{path}", "secret": secret.hex(),
               "publicKey": key}
    for number in range(12):
        phrase = DEV_PHRASE if number == 0 else words.to_mnemonic(rng.randbytes(rng.choice([16, 20, 24, 28, 32])))
        passphrase = "" if number < 3 else rng.choice(["", "TREZOR", "two words ~!"])
        seed, numbers = words.to_seed(phrase, passphrase), [rng.choice([0, 1, 2, 4096, 2**31 - 1]) for _ in range(3)]
        row = {"phrase": phrase, "passphrase": passphrase}
        path = f"m/44'/60'/{numbers[0]}'/0/{numbers[1]}"
        account = Account.from_mnemonic(phrase, passphrase=passphrase, account_path=path)
        yield {"origin": "eth-account"} | row | {"scheme": "ethereum", "path": f"bip32:{path}", "secret": account.key.hex(),
                                                 "address": account.address}
        path = f"m/44'/{rng.choice([354, 434])}'/{numbers[0]}'/{numbers[1]}'/{numbers[2]}'"
        secret = ledger(seed, path)
        yield {"origin": "bip-utils"} | row | {"scheme": "ed25519", "path": f"ledger:{path}", "secret": secret.hex(), "publicKey": ed25519(secret)}
        secret = Bip32Slip10Ed25519.FromSeed(seed).DerivePath(path).PrivateKey().Raw().ToBytes()
        yield {"origin": "bip-utils"} | row | {"scheme": "ed25519", "path": f"slip10:{path}", "secret": secret.hex(), "publicKey": ed25519(secret)}


def account(words, phrase, passphrase, scheme, path):
    """The public key at a path, or for ethereum the address, and the program that derived it."""
    if path.startswith("bip32:"):
        return Account.from_mnemonic(phrase, passphrase=passphrase, account_path=path[6:]).address, "eth-account"
    seed = words.to_seed(phrase, passphrase)
    if path.startswith("ledger:"):
        return SigningKey(ledger(seed, path[7:])).verify_key.encode(), "bip-utils, PyNaCl"
    if path.startswith("slip10:"):
        return SigningKey(Bip32Slip10Ed25519.FromSeed(seed).DerivePath(path[7:]).PrivateKey().Raw().ToBytes()).verify_key.encode(), "bip-utils, PyNaCl"
    mini, parts = bytes(bip39.bip39_to_mini_secret(phrase, passphrase)), [(hard == "//", name) for hard, name in re.findall("(//?)([^/]+)", path)]
    if scheme == "sr25519":
        return sr25519_pair(mini, parts)[0], "py-sr25519-bindings"
    if scheme == "ed25519":
        return SigningKey(hard_seed(mini, parts, "Ed25519HDKD")).verify_key.encode(), "PyNaCl"
    public = coincurve.PublicKey.from_secret(hard_seed(mini, parts, "Secp256k1HDKD")).format()
    return (ethereum_address(public), "coincurve, eth-utils") if scheme == "ethereum" else (public, "coincurve")


def places(words):
    """Where wallets put accounts: first what somebody saw in one, then their habits for a phrase with and without a password."""
    for origin, phrase, rows in SEEN:
        for wallet, scheme, path, address in rows:
            assert SS58Encoder.Encode(account(words, phrase, "", scheme, path)[0], 0) == address
            yield {"origin": origin, "phrase": phrase, "password": "", "wallet": wallet, "scheme": scheme, "path": path, "address": address}
    for number, (wallet, scheme, path) in enumerate(HABITS):
        password = "a password" if number % 5 == 4 else ""
        public, origin = account(words, DEV_PHRASE, password, scheme, path)
        yield {"origin": origin, "phrase": DEV_PHRASE, "password": password, "wallet": wallet, "scheme": scheme, "path": path,
               "address": public if scheme == "ethereum" else ss58(public)}


# The shape of PKCS#8 that polkadot-js writes around secret and public key.
HEADER, DIVIDER = bytes([48, 83, 2, 1, 1, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]), bytes([161, 35, 3, 33, 0])
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493


def keystore_pair(scheme, seed):
    """What polkadot-js stores of a seed, and its public key."""
    if scheme == "ed25519":
        public = SigningKey(seed).verify_key.encode()
        return seed + public, public
    if scheme == "sr25519":
        public, secret = sr25519.pair_from_seed(seed)
        # The scalar stands times the cofactor, as in the expanded secret of Ed25519.
        return (int.from_bytes(secret[:32], "little") * 8).to_bytes(32, "little") + secret[32:], public
    return seed, coincurve.PublicKey.from_secret(seed).format()


def sealed(rng, plain, password, kind, n=1 << 15, r=8, p=1):
    if kind == ["none"]:
        return plain
    nonce, salt = rng.randbytes(24), rng.randbytes(32)
    if kind[0] != "scrypt":
        return nonce + nacl.secret.SecretBox(password.encode()[:32].ljust(32, b"\0")).encrypt(plain, nonce).ciphertext
    key = hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=1 << 28, dklen=64)[:32]
    cost = b"".join(number.to_bytes(4, "little") for number in (n, p, r))
    return salt + cost + nonce + nacl.secret.SecretBox(key).encrypt(plain, nonce).ciphertext


def keystore(rng, version, scheme, kind, password, address, seed_only=False, scrypt=(1 << 15, 8, 1), name="savings"):
    seed = rng.randbytes(32)
    secret, public = keystore_pair(scheme, seed)
    body = sealed(rng, HEADER + (seed if seed_only else secret) + DIVIDER + public, password, kind, *scrypt)
    encoded = "0x" + body.hex() if version < 3 else base64.b64encode(body).decode()
    old = version == 0
    file = {"encoded": encoded, "encoding": {"content": "pkcs8" if old else ["pkcs8", scheme], "type": kind[0] if len(kind) == 1 else kind,
                                             "version": str(version)},
            "address": address(public), "meta": {"genesisHash": None, "name": name, "whenCreated": 1600000000000}}
    if version == 3 and kind[0] == "scrypt" and scheme in ("sr25519", "ed25519") and not seed_only:
        assert decode_pair_from_encrypted_json(file, password)[1] == public
    return file, public, signature(scheme, seed)


def signature(scheme, seed):
    """Of the program that made the key."""
    if scheme == "ed25519":
        return SigningKey(seed).sign(MESSAGE).signature
    if scheme == "sr25519":
        return sr25519.sign(sr25519.pair_from_seed(seed), MESSAGE)
    digest = keccak.new(digest_bits=256, data=MESSAGE).digest() if scheme == "ethereum" else hashlib.blake2b(MESSAGE, digest_size=32).digest()
    return coincurve.PrivateKey(seed).sign_recoverable(digest, hasher=None)


def ss58(public):
    account = public if len(public) == 32 else hashlib.blake2b(public, digest_size=32).digest()
    return SS58Encoder.Encode(account, 42)


def ethereum(public):
    return EthAddrEncoder.EncodeKey(public)


def keystores(rng):
    box, scrypt, none = ["xsalsa20-poly1305"], ["scrypt", "xsalsa20-poly1305"], ["none"]
    rows = [(0, "ed25519", box, False), (0, "ed25519", none, True), (1, "sr25519", box, False), (1, "sr25519", box, True), (1, "ed25519", box, False),
            (2, "sr25519", box, False), (2, "ecdsa", box, False), (3, "sr25519", scrypt, False), (3, "ed25519", scrypt, False),
            (3, "ecdsa", scrypt, False), (3, "ethereum", scrypt, False), (3, "sr25519", none, False)]
    for version, scheme, kind, seed_only in rows:
        password = "" if kind == none else rng.choice(["correct horse", "пароль", "longer than the thirty-two bytes of a key"])
        cost = rng.choice([(1 << 15, 8, 1), (1 << 14, 8, 5), (1 << 13, 8, 10)])
        file, public, signed = keystore(rng, version, scheme, kind, password, ethereum if scheme == "ethereum" else ss58, seed_only, cost)
        yield {"password": password, "scheme": scheme, "publicKeys": [public.hex()], "file": json.dumps(file), "message": MESSAGE.hex(),
               "signatures": [signed.hex()]}
    password, files = "batch", [keystore(rng, 3, scheme, scrypt, "batch", ss58, name=f"account {scheme}") for scheme in ("sr25519", "ecdsa")]
    body = sealed(rng, json.dumps([file for file, _, _ in files]).encode(), password, scrypt)
    batch = {"encoded": base64.b64encode(body).decode(), "encoding": {"content": ["batch-pkcs8"], "type": scrypt, "version": "3"},
             "accounts": [{"address": file["address"], "meta": file["meta"]} for file, _, _ in files]}
    yield {"password": password, "scheme": "batch", "publicKeys": [public.hex() for _, public, _ in files], "file": json.dumps(batch),
           "message": MESSAGE.hex(), "signatures": [signed.hex() for _, _, signed in files]}


def freeze(name, cases):
    cases = [{"id": number} | case for number, case in enumerate(cases)]
    with open(OUT / name, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
    print(f"{name}: {len(cases)} cases")


def configure(parser):
    """Takes no options."""


def run(options):
    Account.enable_unaudited_hdwallet_features()
    OUT.mkdir(exist_ok=True)
    rng, words = random.Random("heliograph wallets"), Mnemonic("english")
    freeze("published.json", published())
    freeze("phrases.json", phrases(rng, words))
    freeze("places.json", places(words))
    files = list(keystores(rng))
    freeze("keystores.json", files)
    # Two of them as files of their own, for the sessions.
    for name, case in (("account.json", files[7]), ("batch.json", files[-1])):
        (OUT / name).write_text(case["file"] + "\n")
