#ifndef HELIOGRAPH_TPM_H
#define HELIOGRAPH_TPM_H

#include <stddef.h>
#include <stdint.h>

// What this project asks of a TPM 2.0, over an open descriptor. libtss2 is named in tpm.c and nowhere else.

enum {
    /// Bytes of a sealed secret, and of each authorization value.
    HELIOGRAPH_TPM_SECRET = 32,
    /// Bytes of a Name under SHA-256, with the number of the algorithm before it.
    HELIOGRAPH_TPM_NAME = 34,
    /// A sealed secret's private and public area take less.
    HELIOGRAPH_TPM_BLOB = 1024,
};

/// How a request ended.
typedef enum {
    HELIOGRAPH_TPM_DONE = 0,
    /// The authorization value is another one; the TPM has counted it.
    HELIOGRAPH_TPM_WRONG_AUTH = 1,
    /// After too many of those.
    HELIOGRAPH_TPM_LOCKED_OUT = 2,
    /// The PCRs are not those that the secret was sealed to.
    HELIOGRAPH_TPM_PCRS_CHANGED = 3,
    /// The TPM makes another primary key: it is another one, or it was cleared.
    HELIOGRAPH_TPM_OTHER = 4,
    /// There is no such NV index, or it has another Name.
    HELIOGRAPH_TPM_OTHER_COUNTER = 5,
    /// The owner hierarchy has an authorization value, so nothing is made in it.
    HELIOGRAPH_TPM_OWNED = 6,
    /// The descriptor does not read or write.
    HELIOGRAPH_TPM_DEVICE = 7,
    /// Anything else; the TPM's own code says more.
    HELIOGRAPH_TPM_FAILED = 8,
} heliograph_tpm_outcome;

typedef struct heliograph_tpm heliograph_tpm;

/// - descriptor: stays the caller's.
/// - Returns: NULL where the library has no memory or does not start.
heliograph_tpm *heliograph_tpm_open(int descriptor);
void heliograph_tpm_close(heliograph_tpm *tpm);
/// The code of the last failure, for a person who looks it up.
uint32_t heliograph_tpm_code(const heliograph_tpm *tpm);

/// Makes the primary key, and compares its Name.
/// - expected: the recorded Name; NULL where it is recorded now.
/// - name: gets it.
heliograph_tpm_outcome heliograph_tpm_primary(
    heliograph_tpm *tpm, const uint8_t *expected, uint8_t name[HELIOGRAPH_TPM_NAME]);

/// Seals a secret under the primary key. The other three requests need a primary key, too.
/// - pcrs: a bit for each PCR of the SHA-256 bank; 0 for none.
heliograph_tpm_outcome heliograph_tpm_seal(
    heliograph_tpm *tpm, const uint8_t secret[HELIOGRAPH_TPM_SECRET], const uint8_t auth[HELIOGRAPH_TPM_SECRET],
    uint32_t pcrs, uint8_t blob[HELIOGRAPH_TPM_BLOB], size_t *length);
heliograph_tpm_outcome heliograph_tpm_unseal(
    heliograph_tpm *tpm, const uint8_t *blob, size_t length, const uint8_t auth[HELIOGRAPH_TPM_SECRET],
    uint32_t pcrs, uint8_t secret[HELIOGRAPH_TPM_SECRET]);

/// Defines an NV counter at a free index and counts once.
heliograph_tpm_outcome heliograph_tpm_define_counter(
    heliograph_tpm *tpm, const uint8_t auth[HELIOGRAPH_TPM_SECRET], uint32_t *index,
    uint8_t name[HELIOGRAPH_TPM_NAME], uint64_t *value);
/// Reads the counter, after counting once where asked.
heliograph_tpm_outcome heliograph_tpm_read_counter(
    heliograph_tpm *tpm, uint32_t index, const uint8_t name[HELIOGRAPH_TPM_NAME],
    const uint8_t auth[HELIOGRAPH_TPM_SECRET], int counts, uint64_t *value);
/// Removes an NV index, if it has this Name.
heliograph_tpm_outcome heliograph_tpm_remove_counter(
    heliograph_tpm *tpm, uint32_t index, const uint8_t name[HELIOGRAPH_TPM_NAME]);

/// How the TPM limits guessing.
typedef struct {
    uint32_t failures, failures_allowed, recovery_seconds, lockout_seconds;
    int lockout_auth_set, locked_out;
} heliograph_tpm_facts;
heliograph_tpm_outcome heliograph_tpm_read_facts(heliograph_tpm *tpm, heliograph_tpm_facts *facts);

#endif
