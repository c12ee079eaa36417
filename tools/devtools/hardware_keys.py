"""Runs vaults that are bound to a security key or a token: the second half of `tools/dev hardware`."""
import hashlib
import os
import pathlib
import shutil
import subprocess

from .security_key import ASSERT, SecurityKey

PIN = "31415926"


def stream(key):
    """Every message on the wires to a key."""
    return b"".join(question + reply for question, reply in key.seen)


def binding_keys(tally, owner):
    """A vault is bound to a security key without a PIN."""
    key, other = SecurityKey(), SecurityKey()
    refused = owner.refusal("vault", "bind", "fido2")
    tally.check("without a security key none is bound", "no security key is plugged in" in refused, refused)
    owner.keys = [key, other]
    refused = owner.refusal("vault", "bind", "fido2")
    tally.check("of two keys none is chosen", "more than one security key" in refused, refused)
    old = SecurityKey()
    old.has_secrets = False
    owner.keys = [old]
    refused = owner.refusal("vault", "bind", "fido2")
    tally.check("a key without hmac-secret is refused", "makes no secrets" in refused and not old.touches, refused)
    owner.keys = [key]
    owner.must("vault", "bind", "fido2")
    rule = owner.must("vault", "slots").strip()
    tally.check("the rule names the key", rule == "opens with the passphrase and the security key; or with the printed recovery key", rule)
    touches = key.touches
    tally.check("a bound vault opens with its passphrase and a touch", owner.opens() and key.touches == touches + 1, key.touches)
    tally.check("and with the words on paper, untouched", owner.opens(owner.words) and key.touches == touches + 1)
    status = owner.must("status")
    tally.check("status says what protects the key", "makes a secret for who touches it" in status, status)
    refused = owner.refusal("vault", "unbind", "recovery")
    tally.check("the recovery key of the vault is not given up", "the only way into the vault without its hardware" in refused, refused)
    return key, other


def asking_keys(tally, owner, key, other):
    """What opens it, and what does not."""
    refused = owner.refusal(passphrase="another one")
    tally.check("a wrong passphrase is told", "wrong passphrase" in refused, refused)
    tally.check("and the right one opens afterwards", owner.opens())
    owner.keys, touches = [other], other.touches
    refused = owner.refusal()
    tally.check("another key opens nothing, and nobody is asked to touch it", "bound to another security key" in refused and other.touches == touches, refused)
    owner.keys = [other, key]
    tally.check("beside another key the right one is found", owner.opens() and other.touches == touches)
    owner.keys = []
    refused = owner.refusal()
    tally.check("a missing key is told, and is no wrong passphrase", "no security key is plugged in" in refused, refused)
    owner.keys = [key]
    key.is_touched = False
    refused = owner.refusal()
    tally.check("a key that nobody touches opens nothing", "nobody touched the security key" in refused, refused)
    key.is_touched = True
    known, key.credentials = key.credentials, {}
    refused = owner.refusal()
    tally.check("a key that was reset opens nothing", "this one was reset" in refused, refused)
    key.credentials = known
    tally.check("and it opens again", owner.opens())
    key.seen.clear()
    owner.must("status")
    owner.must("status")
    asked = [reply for question, reply in key.seen if question[0] == ASSERT and b"hmac-secret" in question]
    tally.check("the same secret crosses the wires under another key each time", len(asked) == 2 and asked[0] != asked[1], len(asked))
    secrets = {"passphrase": owner.passphrase.encode(), "recovery key": owner.words.encode()}
    tally.law("neither passphrase nor recovery key is on the wires to a key", [name for name, secret in secrets.items() if secret in stream(key)])
    before = set(key.credentials)
    process = owner.popen("vault", "passphrase", "--passphrase-fd", "{0}", "--new-passphrase-fd", "{1}", secrets=[owner.passphrase, owner.passphrase])
    told = process.communicate(timeout=60)
    tally.check("a new passphrase keeps the key and its credential", process.returncode == 0 and owner.opens() and set(key.credentials) == before, told)
    owner.must("vault", "unbind", "fido2")
    owner.keys = []
    tally.check("a vault that is unbound opens without it", owner.opens())


def typing_pins(tally, owner):
    """A security key with a PIN."""
    key = SecurityKey(PIN)
    owner.keys = [key]
    refused = owner.refusal("vault", "bind", "fido2")
    tally.check("a key with a PIN is bound with it only", "the vault needs a PIN" in refused, refused)
    refused = owner.refusal("vault", "bind", "fido2", pin="1111")
    tally.check("a wrong PIN is told, with the attempts that are left", "wrong PIN: 7 attempts left" in refused, refused)
    owner.must("vault", "bind", "fido2", pin=PIN)
    rule = owner.must("vault", "slots", pin=PIN).strip()
    tally.check("the rule names the PIN", rule == "opens with the passphrase and the security key with its PIN; or with the printed recovery key", rule)
    tally.check("the vault opens with passphrase, PIN and touch", owner.opens(pin=PIN))
    secrets = {"PIN": PIN.encode(), "hash": hashlib.sha256(PIN.encode()).digest()[:16]}
    tally.law("neither the PIN nor its hash is on the wires", [name for name, secret in secrets.items() if secret in stream(key)])
    key.pin = None
    refused = owner.refusal(pin=PIN)
    tally.check("a key whose PIN was removed opens nothing", "a PIN where it had none" in refused, refused)
    key.pin = PIN
    answers = [owner.refusal(pin="1111") for _ in range(8)]
    tally.check("the key counts wrong PINs, and locks", "wrong PIN: 1 attempt left" in answers[6] and "too many wrong PINs" in answers[7], answers[6:])
    refused = owner.refusal(pin=PIN)
    tally.check("a locked key takes the right PIN neither", "too many wrong PINs" in refused, refused)
    tally.check("the words on paper open meanwhile", owner.opens(owner.words))
    process = owner.popen("vault", "passphrase", "--passphrase-fd", "{0}", "--new-passphrase-fd", "{1}", secrets=[owner.words, owner.passphrase])
    told = process.communicate(timeout=60)
    owner.keys = []
    tally.check("and set a passphrase that needs no key", process.returncode == 0 and owner.opens(), told)


class Token:
    """A token in software, softhsm2, in a folder of its own."""

    MODULE = "/usr/lib/softhsm/libsofthsm2.so"

    def __init__(self, folder, label):
        self.folder = pathlib.Path(folder)
        (self.folder / "tokens").mkdir(parents=True)
        (self.folder / "conf").write_text(f"directories.tokendir = {self.folder}/tokens\nobjectstore.backend = file\nlog.level = ERROR\n")
        subprocess.run(["softhsm2-util", "--init-token", "--free", "--label", label, "--pin", PIN, "--so-pin", PIN * 2],
                       env=os.environ | self.settings, check=True, capture_output=True)

    @property
    def settings(self):
        return {"HELIOGRAPH_TOKEN_EMULATOR": str(self.folder), "SOFTHSM2_CONF": f"{self.folder}/conf"}


def binding_tokens(tally, owner, folder):
    """A vault is bound to a smart card, which softhsm2 plays."""
    bind = ("vault", "bind", "pkcs11", "--module", Token.MODULE, "--token", "vault")
    card, other, same = Token(folder / "card", "vault"), Token(folder / "other", "another"), Token(folder / "same", "vault")
    owner.settings = other.settings
    refused = owner.refusal(*bind, pin=PIN)
    tally.check("a token of another name is not bound", "the token is in no reader" in refused, refused)
    owner.settings = card.settings
    refused = owner.refusal(*bind, pin="1111")
    tally.check("a wrong PIN of a token is told", "wrong PIN" in refused, refused)
    owner.must(*bind, pin=PIN)
    rule = owner.must("vault", "slots", pin=PIN).strip()
    tally.check("the rule names the token", rule == "opens with the passphrase and the token vault with its PIN; or with the printed recovery key", rule)
    tally.check("the vault opens with passphrase, PIN and token", owner.opens(pin=PIN))
    tally.check("status says that a token protects the key", "a token decrypts" in owner.must("status", pin=PIN))
    refused = owner.refusal(pin="1111")
    tally.check("with another PIN it does not, and no passphrase is called wrong", "wrong PIN" in refused and "wrong passphrase" not in refused, refused)
    refused = owner.refusal(passphrase="another one", pin=PIN)
    tally.check("with another passphrase it does not", "wrong passphrase" in refused, refused)
    owner.settings = same.settings
    refused = owner.refusal(pin=PIN)
    tally.check("another token of the same name opens nothing", "bound to another token" in refused, refused)
    owner.settings = other.settings
    refused = owner.refusal(pin=PIN)
    tally.check("a lost token is told", "the token is in no reader" in refused, refused)
    tally.check("and the words on paper open", owner.opens(owner.words))
    owner.settings = card.settings
    process = owner.popen("vault", "passphrase", "--passphrase-fd", "{0}", "--new-passphrase-fd", "{1}", "--pin-fd", "{2}",
                          secrets=[owner.passphrase, owner.passphrase, PIN])
    told = process.communicate(timeout=60)
    tally.check("a new passphrase keeps the token", process.returncode == 0 and owner.opens(pin=PIN), told)
    # The header names what is loaded. Whoever can write to it must not choose what runs.
    module = folder / "module.so"
    shutil.copy(Token.MODULE, module)
    owner.must("vault", "unbind", "pkcs11", pin=PIN)
    module.chmod(0o777)
    refused = owner.refusal("vault", "bind", "pkcs11", "--module", str(module), "--token", "vault", pin=PIN)
    tally.check("a module that others can change is not loaded", "somebody else than root can change it" in refused, refused)
    tally.check("a vault that is unbound opens without a token", owner.opens())
    owner.settings = {}


def both(tally, owner):
    """The TPM and a security key together, and a key file: each of them is needed."""
    key = SecurityKey()
    owner.keys = [key]
    owner.must("vault", "bind", "tpm")
    owner.must("vault", "bind", "fido2")
    rule = owner.must("vault", "slots").strip()
    tally.check("a vault may need TPM and key", rule.startswith("opens with the passphrase, this machine's TPM and the security key"), rule)
    touches = key.touches
    refused = owner.refusal(passphrase="another one")
    tally.check("after a wrong passphrase nobody is asked for a touch", "wrong passphrase" in refused and key.touches == touches, refused)
    owner.must("vault", "unbind", "tpm")
    tally.check("one is given up without the other", owner.opens() and key.touches > touches)
    owner.keys = []
    tally.check("and the other stays", "no security key" in owner.refusal())


def run(tally, owner):
    """Everything about keys, with a vault that is bound to nothing."""
    key, other = binding_keys(tally, owner)
    asking_keys(tally, owner, key, other)
    typing_pins(tally, owner)
    binding_tokens(tally, owner, owner.folder)
    both(tally, owner)
