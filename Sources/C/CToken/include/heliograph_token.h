#ifndef HELIOGRAPH_TOKEN_H
#define HELIOGRAPH_TOKEN_H

#include <stddef.h>
#include <stdint.h>

// What this project asks of a token (a smart card) by a PKCS#11 module. Its header is included by token.c and nowhere else.

enum {
    /// Bytes of a secret.
    HELIOGRAPH_TOKEN_SECRET = 32,
    /// Bytes of a token's label, padded with blanks, and of its serial number.
    HELIOGRAPH_TOKEN_LABEL = 32,
    HELIOGRAPH_TOKEN_SERIAL = 16,
    /// The id of a key is at most as long.
    HELIOGRAPH_TOKEN_ID = 64,
    /// An encrypted secret is at most as long: RSA of 4096 bits.
    HELIOGRAPH_TOKEN_BLOB = 512,
};

/// How a request ended. The numbers are those of `HardwareOutcome`.
typedef enum {
    HELIOGRAPH_TOKEN_DONE = 0,
    /// Another PIN; the token does not say how many attempts are left.
    HELIOGRAPH_TOKEN_WRONG_PIN = 22,
    HELIOGRAPH_TOKEN_PIN_LOCKED = 16,
    /// The module cannot be loaded, or is not one.
    HELIOGRAPH_TOKEN_NO_MODULE = 23,
    /// No token with this label is in a reader.
    HELIOGRAPH_TOKEN_NO_TOKEN = 24,
    /// The token is another one, or its key is gone.
    HELIOGRAPH_TOKEN_OTHER_TOKEN = 25,
    /// The token has no RSA key that decrypts, and makes none.
    HELIOGRAPH_TOKEN_UNFIT = 26,
    /// Anything else; the code of PKCS#11 says more.
    HELIOGRAPH_TOKEN_FAILED = 27,
} heliograph_token_outcome;

typedef struct heliograph_module heliograph_module;

/// Loads a module. Nothing is asked of it yet.
/// - Returns: NULL where it is none.
heliograph_module *heliograph_module_load(const char *path);

/// Which token and which of its keys.
typedef struct {
    uint8_t label[HELIOGRAPH_TOKEN_LABEL];
    uint8_t serial[HELIOGRAPH_TOKEN_SERIAL];
    uint8_t id[HELIOGRAPH_TOKEN_ID];
    size_t id_length;
    /// Of the last request.
    uint32_t code;
} heliograph_token;

/// Encrypts a secret to the token's key, and decrypts it again to see that it can.
/// - token: has the label. The serial number is looked for where it is not zero; it and the key's id are filled in.
/// - pin: ends with a zero.
heliograph_token_outcome heliograph_token_wrap(
    const heliograph_module *module, heliograph_token *token, const char *pin,
    const uint8_t secret[HELIOGRAPH_TOKEN_SECRET], uint8_t blob[HELIOGRAPH_TOKEN_BLOB], size_t *length);

/// Decrypts it.
heliograph_token_outcome heliograph_token_unwrap(
    const heliograph_module *module, heliograph_token *token, const char *pin, const uint8_t *blob, size_t length,
    uint8_t secret[HELIOGRAPH_TOKEN_SECRET]);

#endif
