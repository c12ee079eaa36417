#ifndef HELIOGRAPH_FIDO_H
#define HELIOGRAPH_FIDO_H

#include <stddef.h>
#include <stdint.h>

// What this project asks of a FIDO2 security key, by the nodes of the keys that are plugged in. libfido2 is named in fido.c and nowhere else.

enum {
    /// Bytes of a salt, and of the secret that the key makes of it.
    HELIOGRAPH_FIDO_SECRET = 32,
    /// Bytes of a PIN and the zeros behind it; CTAP allows 63.
    HELIOGRAPH_FIDO_PIN = 64,
    /// The id of a credential is at most as long.
    HELIOGRAPH_FIDO_CREDENTIAL = 1023,
};

/// How a request ended. The numbers are those of `HardwareOutcome`.
typedef enum {
    HELIOGRAPH_FIDO_DONE = 0,
    /// No security key is plugged in, or none may be opened: the code is the system's error number.
    HELIOGRAPH_FIDO_NO_KEY = 12,
    /// None of those that are has the credential.
    HELIOGRAPH_FIDO_OTHER_KEY = 13,
    /// More than one is, and none is named yet.
    HELIOGRAPH_FIDO_SEVERAL_KEYS = 14,
    /// The PIN is another one; the code says how many attempts are left.
    HELIOGRAPH_FIDO_WRONG_PIN = 15,
    /// After too many of those.
    HELIOGRAPH_FIDO_PIN_LOCKED = 16,
    /// The key asks for a PIN where it had none, or the other way round.
    HELIOGRAPH_FIDO_PIN_CHANGED = 17,
    HELIOGRAPH_FIDO_NOT_TOUCHED = 18,
    /// The key has no hmac-secret.
    HELIOGRAPH_FIDO_UNFIT = 19,
    HELIOGRAPH_FIDO_SILENT = 20,
    /// Anything else; the code of CTAP says more.
    HELIOGRAPH_FIDO_FAILED = 21,
} heliograph_fido_outcome;

/// The nodes of the security keys that are plugged in.
typedef struct {
    const char *const *paths;
    size_t count;
    /// Of the last request.
    uint32_t code;
} heliograph_fido_keys;

/// Whether the one key that is plugged in has a PIN.
heliograph_fido_outcome heliograph_fido_has_pin(heliograph_fido_keys *keys, int *has_pin);

/// Makes a credential on the one key that is plugged in, and its first secret. Asks for two touches.
/// - pin: ends with a zero; NULL where the key has none.
heliograph_fido_outcome heliograph_fido_enroll(
    heliograph_fido_keys *keys, const uint8_t salt[HELIOGRAPH_FIDO_SECRET], const char *pin,
    uint8_t credential[HELIOGRAPH_FIDO_CREDENTIAL], size_t *length, uint8_t secret[HELIOGRAPH_FIDO_SECRET]);

/// The secret that the key with this credential makes of a salt. Another one with its PIN than without.
heliograph_fido_outcome heliograph_fido_secret(
    heliograph_fido_keys *keys, const uint8_t *credential, size_t length, const uint8_t salt[HELIOGRAPH_FIDO_SECRET],
    const char *pin, uint8_t secret[HELIOGRAPH_FIDO_SECRET]);

#endif
