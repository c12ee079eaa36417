// The one file that names libfido2.
//
// A security key makes a secret of a salt, with a key of its own for each credential (CTAP2's extension hmac-secret). Salt and secret cross the wires
// encrypted under a key that both sides agree on anew. Nothing proves the other side to be the security key: a device that answers in its place learns 16
// bytes of the PIN's SHA-256, from which a short PIN is guessed at once, and the salt. One that stands between this machine and the real key agrees with
// both, and learns the secret of this salt as well. What an answer is worth shows only with the passphrase.

#include "heliograph_fido.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <fido.h>

// No website has a name below .invalid, so no browser ever asks a key for a credential of this program.
static const char own_id[] = "heliograph.invalid";
// A person looks for the key and touches it. The key itself waits for some 30 seconds.
enum { PATIENCE = 60000, USER_ID = 32 };

// MARK: The node of a key, without the requests by which libfido2 asks a kernel for its report descriptor

typedef struct { int descriptor; } node;

static int open_error;

static void *open_node(const char *path) {
    node *opened = malloc(sizeof *opened);
    if (!opened) return NULL;
    opened->descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (opened->descriptor >= 0) return opened;
    open_error = errno;
    free(opened);
    return NULL;
}

static void close_node(void *handle) {
    close(((node *)handle)->descriptor);
    free(handle);
}

static int read_report(void *handle, unsigned char *report, size_t length, int patience) {
    size_t have = 0;
    while (have < length) {
        struct pollfd polled = {.fd = ((node *)handle)->descriptor, .events = POLLIN};
        int ready = poll(&polled, 1, patience < 0 ? PATIENCE : patience);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return -1;
        ssize_t count = read(polled.fd, report + have, length - have);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return -1;
        have += (size_t)count;
    }
    return (int)length;
}

// The first byte is the number of the report: a device takes it with the rest in one call.
static int write_report(void *handle, const unsigned char *report, size_t length) {
    ssize_t count;
    do { count = write(((node *)handle)->descriptor, report, length); } while (count < 0 && errno == EINTR);
    return count == (ssize_t)length ? (int)length : -1;
}

static void release(fido_dev_t **key) {
    if (*key) fido_dev_close(*key);
    fido_dev_free(key);
}

static heliograph_fido_outcome outcome(heliograph_fido_keys *keys, fido_dev_t *key, int code) {
    keys->code = (uint32_t)code;
    switch (code) {
    case FIDO_OK: return HELIOGRAPH_FIDO_DONE;
    case FIDO_ERR_PIN_INVALID:
    case FIDO_ERR_PIN_AUTH_INVALID: {
        int left = 0;
        keys->code = fido_dev_get_retry_count(key, &left) == FIDO_OK && left > 0 ? (uint32_t)left : 0;
        return HELIOGRAPH_FIDO_WRONG_PIN;
    }
    case FIDO_ERR_PIN_BLOCKED:
    case FIDO_ERR_PIN_AUTH_BLOCKED: return HELIOGRAPH_FIDO_PIN_LOCKED;
    case FIDO_ERR_PIN_NOT_SET:
    case FIDO_ERR_PIN_REQUIRED: return HELIOGRAPH_FIDO_PIN_CHANGED;
    case FIDO_ERR_NO_CREDENTIALS:
    case FIDO_ERR_INVALID_CREDENTIAL: return HELIOGRAPH_FIDO_OTHER_KEY;
    case FIDO_ERR_TIMEOUT:
    case FIDO_ERR_OPERATION_DENIED:
    case FIDO_ERR_KEEPALIVE_CANCEL:
    case FIDO_ERR_USER_ACTION_TIMEOUT:
    case FIDO_ERR_ACTION_TIMEOUT: return HELIOGRAPH_FIDO_NOT_TOUCHED;
    case FIDO_ERR_UNSUPPORTED_EXTENSION:
    case FIDO_ERR_UNSUPPORTED_ALGORITHM:
    case FIDO_ERR_UNSUPPORTED_OPTION: return HELIOGRAPH_FIDO_UNFIT;
    case FIDO_ERR_TX:
    case FIDO_ERR_RX: return HELIOGRAPH_FIDO_SILENT;
    default: return HELIOGRAPH_FIDO_FAILED;
    }
}

static int opened(const char *path, fido_dev_t **key) {
    static const fido_dev_io_t way = {.open = open_node, .close = close_node, .read = read_report, .write = write_report};
    fido_init(0);
    *key = fido_dev_new();
    int code = *key ? FIDO_OK : FIDO_ERR_INTERNAL;
    open_error = 0;
    if (code == FIDO_OK) code = fido_dev_set_io_functions(*key, &way);
    if (code == FIDO_OK) code = fido_dev_set_timeout(*key, PATIENCE);
    if (code == FIDO_OK) code = fido_dev_open(*key, path);
    // Closing one that is not open would be an error of its own.
    if (code != FIDO_OK) fido_dev_free(key);
    return code;
}

// The one key that is plugged in.
static heliograph_fido_outcome only(heliograph_fido_keys *keys, fido_dev_t **key) {
    *key = NULL;
    keys->code = ENODEV;
    if (keys->count == 0) return HELIOGRAPH_FIDO_NO_KEY;
    if (keys->count > 1) return HELIOGRAPH_FIDO_SEVERAL_KEYS;
    int code = opened(keys->paths[0], key);
    if (open_error) {
        keys->code = (uint32_t)open_error;
        return HELIOGRAPH_FIDO_NO_KEY;
    }
    if (code != FIDO_OK) return outcome(keys, *key, code);
    return fido_dev_is_fido2(*key) ? HELIOGRAPH_FIDO_DONE : HELIOGRAPH_FIDO_UNFIT;
}

static int has_hmac_secret(fido_dev_t *key) {
    fido_cbor_info_t *info = fido_cbor_info_new();
    int code = info ? fido_dev_get_cbor_info(key, info) : FIDO_ERR_INTERNAL;
    if (code == FIDO_OK) {
        char **names = fido_cbor_info_extensions_ptr(info);
        code = FIDO_ERR_UNSUPPORTED_EXTENSION;
        for (size_t index = 0; index < fido_cbor_info_extensions_len(info); index++)
            if (strcmp(names[index], "hmac-secret") == 0) code = FIDO_OK;
    }
    fido_cbor_info_free(&info);
    return code;
}

// A question to the key about a credential. What it signs is looked at by nobody: only who has the credential's key makes its secret, and a wrong one opens
// nothing.
static int ask(
    fido_dev_t *key, const uint8_t *credential, size_t length, const uint8_t *salt, const char *pin,
    uint8_t secret[HELIOGRAPH_FIDO_SECRET]) {
    uint8_t challenge[32];
    fido_assert_t *question = fido_assert_new();
    int code = question && getrandom(challenge, sizeof challenge, 0) == sizeof challenge ? FIDO_OK : FIDO_ERR_INTERNAL;
    if (code == FIDO_OK) code = fido_assert_set_clientdata_hash(question, challenge, sizeof challenge);
    if (code == FIDO_OK) code = fido_assert_set_rp(question, own_id);
    if (code == FIDO_OK) code = fido_assert_allow_cred(question, credential, length);
    if (code == FIDO_OK && !salt) code = fido_assert_set_up(question, FIDO_OPT_FALSE);
    if (code == FIDO_OK && salt) code = fido_assert_set_extensions(question, FIDO_EXT_HMAC_SECRET);
    if (code == FIDO_OK && salt) code = fido_assert_set_hmac_salt(question, salt, HELIOGRAPH_FIDO_SECRET);
    if (code == FIDO_OK) code = fido_dev_get_assert(key, question, pin);
    if (code == FIDO_OK && salt) {
        const unsigned char *made = fido_assert_hmac_secret_ptr(question, 0);
        if (made && fido_assert_hmac_secret_len(question, 0) == HELIOGRAPH_FIDO_SECRET) memcpy(secret, made, HELIOGRAPH_FIDO_SECRET);
        else code = FIDO_ERR_UNSUPPORTED_EXTENSION;
    }
    // Wipes the secret.
    fido_assert_free(&question);
    return code;
}

heliograph_fido_outcome heliograph_fido_has_pin(heliograph_fido_keys *keys, int *has_pin) {
    fido_dev_t *key;
    heliograph_fido_outcome result = only(keys, &key);
    if (result == HELIOGRAPH_FIDO_DONE) {
        result = outcome(keys, key, has_hmac_secret(key));
        *has_pin = fido_dev_has_pin(key);
    }
    release(&key);
    return result;
}

heliograph_fido_outcome heliograph_fido_enroll(
    heliograph_fido_keys *keys, const uint8_t salt[HELIOGRAPH_FIDO_SECRET], const char *pin,
    uint8_t credential[HELIOGRAPH_FIDO_CREDENTIAL], size_t *length, uint8_t secret[HELIOGRAPH_FIDO_SECRET]) {
    fido_dev_t *key;
    heliograph_fido_outcome result = only(keys, &key);
    if (result != HELIOGRAPH_FIDO_DONE) {
        release(&key);
        return result;
    }
    // Nothing of the vault is on the key, and no list of credentials either: it stays outside, in the vault.
    uint8_t challenge[32], user[USER_ID];
    fido_cred_t *made = fido_cred_new();
    int code = made && getrandom(challenge, sizeof challenge, 0) == sizeof challenge
        && getrandom(user, sizeof user, 0) == sizeof user ? FIDO_OK : FIDO_ERR_INTERNAL;
    if (code == FIDO_OK) code = has_hmac_secret(key);
    if (code == FIDO_OK) code = fido_cred_set_type(made, COSE_ES256);
    if (code == FIDO_OK) code = fido_cred_set_clientdata_hash(made, challenge, sizeof challenge);
    if (code == FIDO_OK) code = fido_cred_set_rp(made, own_id, "Heliograph");
    if (code == FIDO_OK) code = fido_cred_set_user(made, user, sizeof user, "vault", "vault", NULL);
    if (code == FIDO_OK) code = fido_cred_set_extensions(made, FIDO_EXT_HMAC_SECRET);
    if (code == FIDO_OK) code = fido_dev_make_cred(key, made, pin);
    if (code == FIDO_OK) {
        *length = fido_cred_id_len(made);
        if (*length == 0 || *length > HELIOGRAPH_FIDO_CREDENTIAL) code = FIDO_ERR_INVALID_LENGTH;
        else memcpy(credential, fido_cred_id_ptr(made), *length);
    }
    if (code == FIDO_OK) code = ask(key, credential, *length, salt, pin, secret);
    result = outcome(keys, key, code);
    fido_cred_free(&made);
    release(&key);
    return result;
}

heliograph_fido_outcome heliograph_fido_secret(
    heliograph_fido_keys *keys, const uint8_t *credential, size_t length, const uint8_t salt[HELIOGRAPH_FIDO_SECRET],
    const char *pin, uint8_t secret[HELIOGRAPH_FIDO_SECRET]) {
    heliograph_fido_outcome result = HELIOGRAPH_FIDO_NO_KEY;
    keys->code = ENODEV;
    for (size_t index = 0; index < keys->count; index++) {
        fido_dev_t *key = NULL;
        int code = opened(keys->paths[index], &key);
        if (code != FIDO_OK) {
            if (result == HELIOGRAPH_FIDO_NO_KEY) {
                keys->code = (uint32_t)(open_error ? open_error : ENODEV);
                if (!open_error) result = outcome(keys, NULL, code);
            }
            continue;
        }
        // Whether it has the credential it says without a touch: nobody touches the wrong key.
        code = fido_dev_is_fido2(key) ? ask(key, credential, length, NULL, NULL, NULL) : FIDO_ERR_NO_CREDENTIALS;
        if (code == FIDO_ERR_NO_CREDENTIALS || code == FIDO_ERR_INVALID_CREDENTIAL) {
            result = outcome(keys, key, code);
            release(&key);
            continue;
        }
        result = outcome(keys, key, ask(key, credential, length, salt, pin, secret));
        release(&key);
        return result;
    }
    return result;
}
