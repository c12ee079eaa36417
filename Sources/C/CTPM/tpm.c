// The one file that names libtss2.
//
// Every command that carries or returns a secret runs in a session that is salted to the primary key, with its
// parameters encrypted: whoever listens on the wires between processor and TPM, or answers in place of the TPM,
// has neither the salt nor the authorization value, so he learns nothing that he could test guesses with. When a
// vault is bound its TPM is taken as it is: the Name of its primary key is recorded then, and held to later.

#include "heliograph_tpm.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>

// A descriptor as a way to the TPM. libtss2's own ways load libraries by name and read the environment.
typedef struct {
    TSS2_TCTI_CONTEXT_COMMON_V1 common;
    int descriptor;
} descriptor_way;

struct heliograph_tpm {
    descriptor_way way;
    ESYS_CONTEXT *esys;
    ESYS_TR primary;
    TSS2_RC code;
};

// Longer than any command of a TPM takes.
enum { PATIENCE = 120000, HEADER = 10 };
static const uint64_t way_magic = 0x48454c494f475448;

static TSS2_RC transmit(TSS2_TCTI_CONTEXT *context, size_t size, const uint8_t *command) {
    int descriptor = ((descriptor_way *)context)->descriptor;
    // A device takes a command in one call.
    ssize_t written;
    do { written = write(descriptor, command, size); } while (written < 0 && errno == EINTR);
    return written == (ssize_t)size ? TSS2_RC_SUCCESS : TSS2_TCTI_RC_IO_ERROR;
}

static uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static TSS2_RC receive(TSS2_TCTI_CONTEXT *context, size_t *size, uint8_t *response, int32_t timeout) {
    (void)timeout;
    int descriptor = ((descriptor_way *)context)->descriptor;
    if (response == NULL) {
        *size = TPM2_MAX_RESPONSE_SIZE;
        return TSS2_RC_SUCCESS;
    }
    size_t length = 0;
    while (length < HEADER || length < big_endian(response + 2)) {
        struct pollfd polled = {.fd = descriptor, .events = POLLIN};
        int ready = poll(&polled, 1, PATIENCE);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return TSS2_TCTI_RC_IO_ERROR;
        if (length >= *size) return TSS2_TCTI_RC_INSUFFICIENT_BUFFER;
        ssize_t count = read(descriptor, response + length, *size - length);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (count <= 0) return TSS2_TCTI_RC_IO_ERROR;
        length += (size_t)count;
        // More than there is room for never comes.
        if (length >= HEADER && big_endian(response + 2) > *size) return TSS2_TCTI_RC_MALFORMED_RESPONSE;
    }
    if (length != big_endian(response + 2)) return TSS2_TCTI_RC_MALFORMED_RESPONSE;
    *size = length;
    return TSS2_RC_SUCCESS;
}

static void finalize(TSS2_TCTI_CONTEXT *context) { (void)context; }
static TSS2_RC cancel(TSS2_TCTI_CONTEXT *context) {
    (void)context;
    return TSS2_TCTI_RC_NOT_IMPLEMENTED;
}
static TSS2_RC poll_handles(TSS2_TCTI_CONTEXT *context, TSS2_TCTI_POLL_HANDLE *handles, size_t *count) {
    (void)context;
    (void)handles;
    (void)count;
    return TSS2_TCTI_RC_NOT_IMPLEMENTED;
}
static TSS2_RC locality(TSS2_TCTI_CONTEXT *context, uint8_t locality) {
    (void)context;
    (void)locality;
    return TSS2_TCTI_RC_NOT_IMPLEMENTED;
}

heliograph_tpm *heliograph_tpm_open(int descriptor) {
    heliograph_tpm *tpm = calloc(1, sizeof *tpm);
    if (!tpm) return NULL;
    tpm->way = (descriptor_way){
        .common = {.magic = way_magic, .version = 1, .transmit = transmit, .receive = receive,
                   .finalize = finalize, .cancel = cancel, .getPollHandles = poll_handles,
                   .setLocality = locality},
        .descriptor = descriptor};
    tpm->primary = ESYS_TR_NONE;
    if (Esys_Initialize(&tpm->esys, (TSS2_TCTI_CONTEXT *)&tpm->way, NULL) != TSS2_RC_SUCCESS) {
        free(tpm);
        return NULL;
    }
    return tpm;
}

void heliograph_tpm_close(heliograph_tpm *tpm) {
    if (tpm->primary != ESYS_TR_NONE) Esys_FlushContext(tpm->esys, tpm->primary);
    Esys_Finalize(&tpm->esys);
    free(tpm);
}

uint32_t heliograph_tpm_code(const heliograph_tpm *tpm) { return tpm->code; }

static heliograph_tpm_outcome outcome(heliograph_tpm *tpm, TSS2_RC code) {
    tpm->code = code;
    if (code == TSS2_RC_SUCCESS) return HELIOGRAPH_TPM_DONE;
    if ((code & 0xffff) == TSS2_BASE_RC_IO_ERROR && (code >> 16) != 0) return HELIOGRAPH_TPM_DEVICE;
    // Codes of the TPM itself have no layer. Those of the first format carry the place of what is wrong.
    if (code >> 12) return HELIOGRAPH_TPM_FAILED;
    switch (code & TPM2_RC_FMT1 ? code & (TPM2_RC_FMT1 | 0x3f) : code) {
    case TPM2_RC_AUTH_FAIL:
    case TPM2_RC_BAD_AUTH: return HELIOGRAPH_TPM_WRONG_AUTH;
    case TPM2_RC_LOCKOUT: return HELIOGRAPH_TPM_LOCKED_OUT;
    case TPM2_RC_POLICY_FAIL:
    case TPM2_RC_PCR_CHANGED: return HELIOGRAPH_TPM_PCRS_CHANGED;
    case TPM2_RC_INTEGRITY: return HELIOGRAPH_TPM_OTHER;
    default: return HELIOGRAPH_TPM_FAILED;
    }
}

static const TPM2B_DATA no_data = {0};
static const TPML_PCR_SELECTION no_pcrs = {0};

// The storage key of the TCG's profile for ECC: the same one after each start, until the TPM is cleared.
static const TPM2B_PUBLIC primary_template = {
    .publicArea = {
        .type = TPM2_ALG_ECC,
        .nameAlg = TPM2_ALG_SHA256,
        .objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN
            | TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA | TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT,
        .parameters.eccDetail = {
            .symmetric = {.algorithm = TPM2_ALG_AES, .keyBits.aes = 128, .mode.aes = TPM2_ALG_CFB},
            .scheme.scheme = TPM2_ALG_NULL,
            .curveID = TPM2_ECC_NIST_P256,
            .kdf.scheme = TPM2_ALG_NULL},
    }};

static TSS2_RC name_of(heliograph_tpm *tpm, ESYS_TR handle, uint8_t name[HELIOGRAPH_TPM_NAME]) {
    TPM2B_NAME *found = NULL;
    TSS2_RC code = Esys_TR_GetName(tpm->esys, handle, &found);
    if (code == TSS2_RC_SUCCESS) {
        if (found->size == HELIOGRAPH_TPM_NAME) memcpy(name, found->name, HELIOGRAPH_TPM_NAME);
        else code = TSS2_ESYS_RC_GENERAL_FAILURE;
    }
    Esys_Free(found);
    return code;
}

heliograph_tpm_outcome heliograph_tpm_primary(
    heliograph_tpm *tpm, const uint8_t *expected, uint8_t name[HELIOGRAPH_TPM_NAME]) {
    const TPM2B_SENSITIVE_CREATE nothing = {0};
    TSS2_RC code = Esys_CreatePrimary(
        tpm->esys, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &nothing, &primary_template,
        &no_data, &no_pcrs, &tpm->primary, NULL, NULL, NULL, NULL);
    heliograph_tpm_outcome result = outcome(tpm, code);
    // The empty value of the owner hierarchy is wrong.
    if (result == HELIOGRAPH_TPM_WRONG_AUTH) return HELIOGRAPH_TPM_OWNED;
    if (result != HELIOGRAPH_TPM_DONE) return result;
    result = outcome(tpm, name_of(tpm, tpm->primary, name));
    if (result != HELIOGRAPH_TPM_DONE) return result;
    return expected && memcmp(name, expected, HELIOGRAPH_TPM_NAME) != 0 ? HELIOGRAPH_TPM_OTHER : HELIOGRAPH_TPM_DONE;
}

// A session that is salted to the primary key, and encrypts the first parameter of each direction.
static TSS2_RC start(heliograph_tpm *tpm, TPM2_SE type, ESYS_TR *session) {
    const TPMT_SYM_DEF symmetric = {.algorithm = TPM2_ALG_AES, .keyBits.aes = 128, .mode.aes = TPM2_ALG_CFB};
    TSS2_RC code = Esys_StartAuthSession(
        tpm->esys, type == TPM2_SE_TRIAL ? ESYS_TR_NONE : tpm->primary, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE,
        ESYS_TR_NONE, NULL, type, &symmetric, TPM2_ALG_SHA256, session);
    if (code != TSS2_RC_SUCCESS || type == TPM2_SE_TRIAL) return code;
    return Esys_TRSess_SetAttributes(
        tpm->esys, *session, TPMA_SESSION_CONTINUESESSION | TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT, 0xff);
}

static void end(heliograph_tpm *tpm, ESYS_TR *handle) {
    if (*handle != ESYS_TR_NONE) Esys_FlushContext(tpm->esys, *handle);
    *handle = ESYS_TR_NONE;
}

// The PCRs as they are, and the authorization value: both in one policy, because a value that authorizes by
// itself would go around the PCRs.
static TSS2_RC apply_policy(heliograph_tpm *tpm, ESYS_TR session, uint32_t pcrs) {
    if (pcrs) {
        const TPML_PCR_SELECTION selection = {
            .count = 1,
            .pcrSelections = {{.hash = TPM2_ALG_SHA256, .sizeofSelect = 3,
                               .pcrSelect = {pcrs & 0xff, pcrs >> 8 & 0xff, pcrs >> 16 & 0xff}}}};
        const TPM2B_DIGEST as_they_are = {0};
        TSS2_RC code = Esys_PolicyPCR(
            tpm->esys, session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &as_they_are, &selection);
        if (code != TSS2_RC_SUCCESS) return code;
    }
    return Esys_PolicyAuthValue(tpm->esys, session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE);
}

heliograph_tpm_outcome heliograph_tpm_seal(
    heliograph_tpm *tpm, const uint8_t secret[HELIOGRAPH_TPM_SECRET], const uint8_t auth[HELIOGRAPH_TPM_SECRET],
    uint32_t pcrs, uint8_t blob[HELIOGRAPH_TPM_BLOB], size_t *length) {
    ESYS_TR trial = ESYS_TR_NONE, session = ESYS_TR_NONE;
    TPM2B_DIGEST *policy = NULL;
    TPM2B_PRIVATE *private_area = NULL;
    TPM2B_PUBLIC *public_area = NULL;
    TPM2B_SENSITIVE_CREATE sensitive = {.sensitive = {.userAuth.size = HELIOGRAPH_TPM_SECRET,
                                                      .data.size = HELIOGRAPH_TPM_SECRET}};
    // Neither userWithAuth nor noDA: the policy is the only way, and wrong values count towards the lockout.
    TPM2B_PUBLIC template = {.publicArea = {
                                 .type = TPM2_ALG_KEYEDHASH,
                                 .nameAlg = TPM2_ALG_SHA256,
                                 .objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT
                                     | TPMA_OBJECT_ADMINWITHPOLICY,
                                 .parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL}};
    TSS2_RC code = start(tpm, TPM2_SE_TRIAL, &trial);
    if (code == TSS2_RC_SUCCESS) code = apply_policy(tpm, trial, pcrs);
    if (code == TSS2_RC_SUCCESS)
        code = Esys_PolicyGetDigest(tpm->esys, trial, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &policy);
    if (code == TSS2_RC_SUCCESS) code = start(tpm, TPM2_SE_HMAC, &session);
    if (code == TSS2_RC_SUCCESS) {
        template.publicArea.authPolicy = *policy;
        memcpy(sensitive.sensitive.userAuth.buffer, auth, HELIOGRAPH_TPM_SECRET);
        memcpy(sensitive.sensitive.data.buffer, secret, HELIOGRAPH_TPM_SECRET);
        code = Esys_Create(
            tpm->esys, tpm->primary, session, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &template, &no_data, &no_pcrs,
            &private_area, &public_area, NULL, NULL, NULL);
        explicit_bzero(&sensitive, sizeof sensitive);
    }
    *length = 0;
    if (code == TSS2_RC_SUCCESS)
        code = Tss2_MU_TPM2B_PRIVATE_Marshal(private_area, blob, HELIOGRAPH_TPM_BLOB, length);
    if (code == TSS2_RC_SUCCESS)
        code = Tss2_MU_TPM2B_PUBLIC_Marshal(public_area, blob, HELIOGRAPH_TPM_BLOB, length);
    Esys_Free(policy);
    Esys_Free(private_area);
    Esys_Free(public_area);
    end(tpm, &trial);
    end(tpm, &session);
    return outcome(tpm, code);
}

heliograph_tpm_outcome heliograph_tpm_unseal(
    heliograph_tpm *tpm, const uint8_t *blob, size_t length, const uint8_t auth[HELIOGRAPH_TPM_SECRET],
    uint32_t pcrs, uint8_t secret[HELIOGRAPH_TPM_SECRET]) {
    ESYS_TR session = ESYS_TR_NONE, policy = ESYS_TR_NONE, object = ESYS_TR_NONE;
    TPM2B_PRIVATE private_area = {0};
    TPM2B_PUBLIC public_area = {0};
    TPM2B_SENSITIVE_DATA *data = NULL;
    TPM2B_AUTH value = {.size = HELIOGRAPH_TPM_SECRET};
    size_t offset = 0;
    TSS2_RC code = Tss2_MU_TPM2B_PRIVATE_Unmarshal(blob, length, &offset, &private_area);
    if (code == TSS2_RC_SUCCESS) code = Tss2_MU_TPM2B_PUBLIC_Unmarshal(blob, length, &offset, &public_area);
    if (code == TSS2_RC_SUCCESS && offset != length) code = TSS2_ESYS_RC_BAD_VALUE;
    if (code == TSS2_RC_SUCCESS) code = start(tpm, TPM2_SE_HMAC, &session);
    if (code == TSS2_RC_SUCCESS)
        code = Esys_Load(
            tpm->esys, tpm->primary, session, ESYS_TR_NONE, ESYS_TR_NONE, &private_area, &public_area, &object);
    end(tpm, &session);
    if (code == TSS2_RC_SUCCESS) {
        memcpy(value.buffer, auth, HELIOGRAPH_TPM_SECRET);
        code = Esys_TR_SetAuth(tpm->esys, object, &value);
        explicit_bzero(&value, sizeof value);
    }
    if (code == TSS2_RC_SUCCESS) code = start(tpm, TPM2_SE_POLICY, &policy);
    if (code == TSS2_RC_SUCCESS) code = apply_policy(tpm, policy, pcrs);
    if (code == TSS2_RC_SUCCESS) code = Esys_Unseal(tpm->esys, object, policy, ESYS_TR_NONE, ESYS_TR_NONE, &data);
    if (code == TSS2_RC_SUCCESS) {
        if (data->size == HELIOGRAPH_TPM_SECRET) memcpy(secret, data->buffer, HELIOGRAPH_TPM_SECRET);
        else code = TSS2_ESYS_RC_BAD_SIZE;
        explicit_bzero(data, sizeof *data);
    }
    Esys_Free(data);
    end(tpm, &object);
    end(tpm, &policy);
    return outcome(tpm, code);
}

// MARK: The counter

// Its own value alone reads it and counts. Its wrong values are of nobody who guesses, and a lockout of the
// passphrase must not stop it: noDA.
static const TPMA_NV counter_attributes = TPMA_NV_AUTHREAD | TPMA_NV_AUTHWRITE | TPMA_NV_NO_DA
    | (TPM2_NT_COUNTER << TPMA_NV_TPM2_NT_SHIFT);
// Indices that the TCG leaves to the owner.
enum { FIRST_INDEX = 0x01800000, INDEX_MASK = 0x003fffff, TRIES = 8, VALUE = 8 };

static TSS2_RC value_of(heliograph_tpm *tpm, ESYS_TR counter, ESYS_TR session, uint64_t *value) {
    TPM2B_MAX_NV_BUFFER *data = NULL;
    TSS2_RC code =
        Esys_NV_Read(tpm->esys, counter, counter, session, ESYS_TR_NONE, ESYS_TR_NONE, VALUE, 0, &data);
    if (code == TSS2_RC_SUCCESS) {
        if (data->size == VALUE)
            *value = (uint64_t)big_endian(data->buffer) << 32 | big_endian(data->buffer + 4);
        else code = TSS2_ESYS_RC_BAD_SIZE;
    }
    Esys_Free(data);
    return code;
}

static TSS2_RC authorize(heliograph_tpm *tpm, ESYS_TR counter, const uint8_t auth[HELIOGRAPH_TPM_SECRET]) {
    TPM2B_AUTH value = {.size = HELIOGRAPH_TPM_SECRET};
    memcpy(value.buffer, auth, HELIOGRAPH_TPM_SECRET);
    TSS2_RC code = Esys_TR_SetAuth(tpm->esys, counter, &value);
    explicit_bzero(&value, sizeof value);
    return code;
}

static TSS2_RC count(heliograph_tpm *tpm, ESYS_TR counter, ESYS_TR session) {
    // It has no parameter of either direction to encrypt.
    TSS2_RC code = Esys_TRSess_SetAttributes(
        tpm->esys, session, TPMA_SESSION_CONTINUESESSION,
        TPMA_SESSION_CONTINUESESSION | TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT);
    if (code == TSS2_RC_SUCCESS)
        code = Esys_NV_Increment(tpm->esys, counter, counter, session, ESYS_TR_NONE, ESYS_TR_NONE);
    return code;
}

static TSS2_RC undefine(heliograph_tpm *tpm, ESYS_TR counter) {
    return Esys_NV_UndefineSpace(
        tpm->esys, ESYS_TR_RH_OWNER, counter, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE);
}

// NV_Read has no parameter to encrypt on the way in.
static TSS2_RC encrypt_answer(heliograph_tpm *tpm, ESYS_TR session) {
    return Esys_TRSess_SetAttributes(
        tpm->esys, session, TPMA_SESSION_CONTINUESESSION | TPMA_SESSION_ENCRYPT,
        TPMA_SESSION_CONTINUESESSION | TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT);
}

heliograph_tpm_outcome heliograph_tpm_define_counter(
    heliograph_tpm *tpm, const uint8_t auth[HELIOGRAPH_TPM_SECRET], uint32_t *index,
    uint8_t name[HELIOGRAPH_TPM_NAME], uint64_t *value) {
    ESYS_TR session = ESYS_TR_NONE, counter = ESYS_TR_NONE;
    TPM2B_AUTH authorization = {.size = HELIOGRAPH_TPM_SECRET};
    TSS2_RC code = start(tpm, TPM2_SE_HMAC, &session);
    memcpy(authorization.buffer, auth, HELIOGRAPH_TPM_SECRET);
    if (code == TSS2_RC_SUCCESS)
        code = Esys_TRSess_SetAttributes(
            tpm->esys, session, TPMA_SESSION_CONTINUESESSION | TPMA_SESSION_DECRYPT,
            TPMA_SESSION_CONTINUESESSION | TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT);
    for (int tries = 0; code == TSS2_RC_SUCCESS && tries < TRIES; tries++) {
        uint32_t drawn = 0;
        if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) code = TSS2_ESYS_RC_GENERAL_FAILURE;
        *index = FIRST_INDEX | (drawn & INDEX_MASK);
        const TPM2B_NV_PUBLIC area = {.nvPublic = {.nvIndex = *index, .nameAlg = TPM2_ALG_SHA256,
                                                   .attributes = counter_attributes, .dataSize = VALUE}};
        if (code == TSS2_RC_SUCCESS)
            code = Esys_NV_DefineSpace(
                tpm->esys, ESYS_TR_RH_OWNER, session, ESYS_TR_NONE, ESYS_TR_NONE, &authorization, &area, &counter);
        if (code != TPM2_RC_NV_DEFINED) break;
        code = tries + 1 < TRIES ? TSS2_RC_SUCCESS : code;
    }
    explicit_bzero(&authorization, sizeof authorization);
    if (code == TSS2_RC_SUCCESS) code = count(tpm, counter, session);
    if (code == TSS2_RC_SUCCESS) code = encrypt_answer(tpm, session);
    // Its Name has changed by the first count: it says that the counter was written.
    if (code == TSS2_RC_SUCCESS) code = value_of(tpm, counter, session, value);
    if (code == TSS2_RC_SUCCESS) code = name_of(tpm, counter, name);
    end(tpm, &session);
    // A counter that nobody knows of would stay in the TPM for ever.
    if (code != TSS2_RC_SUCCESS && counter != ESYS_TR_NONE) undefine(tpm, counter);
    heliograph_tpm_outcome result = outcome(tpm, code);
    return result == HELIOGRAPH_TPM_WRONG_AUTH ? HELIOGRAPH_TPM_OWNED : result;
}

// The index with this Name. The Name holds type, attributes and policy, so that what somebody else keeps at
// the index now is not taken for the counter.
static heliograph_tpm_outcome find_counter(
    heliograph_tpm *tpm, uint32_t index, const uint8_t name[HELIOGRAPH_TPM_NAME], ESYS_TR *counter) {
    uint8_t found[HELIOGRAPH_TPM_NAME];
    TSS2_RC code = Esys_TR_FromTPMPublic(tpm->esys, index, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, counter);
    // Nothing is at the index.
    if (!(code >> 12) && (code & (TPM2_RC_FMT1 | 0x3f)) == TPM2_RC_HANDLE) {
        tpm->code = code;
        return HELIOGRAPH_TPM_OTHER_COUNTER;
    }
    if (code == TSS2_RC_SUCCESS) code = name_of(tpm, *counter, found);
    heliograph_tpm_outcome result = outcome(tpm, code);
    if (result != HELIOGRAPH_TPM_DONE) return result;
    return memcmp(found, name, sizeof found) != 0 ? HELIOGRAPH_TPM_OTHER_COUNTER : HELIOGRAPH_TPM_DONE;
}

heliograph_tpm_outcome heliograph_tpm_read_counter(
    heliograph_tpm *tpm, uint32_t index, const uint8_t name[HELIOGRAPH_TPM_NAME],
    const uint8_t auth[HELIOGRAPH_TPM_SECRET], int counts, uint64_t *value) {
    ESYS_TR session = ESYS_TR_NONE, counter = ESYS_TR_NONE;
    heliograph_tpm_outcome result = find_counter(tpm, index, name, &counter);
    if (result != HELIOGRAPH_TPM_DONE) return result;
    // The answers below are authenticated for this Name, so what the TPM said of it until here needs no proof
    // of its own.
    TSS2_RC code = authorize(tpm, counter, auth);
    if (code == TSS2_RC_SUCCESS) code = start(tpm, TPM2_SE_HMAC, &session);
    if (code == TSS2_RC_SUCCESS && counts) code = count(tpm, counter, session);
    if (code == TSS2_RC_SUCCESS) code = encrypt_answer(tpm, session);
    if (code == TSS2_RC_SUCCESS) code = value_of(tpm, counter, session, value);
    end(tpm, &session);
    result = outcome(tpm, code);
    // Another index with the same public area: it was made anew.
    return result == HELIOGRAPH_TPM_WRONG_AUTH ? HELIOGRAPH_TPM_OTHER_COUNTER : result;
}

heliograph_tpm_outcome heliograph_tpm_remove_counter(
    heliograph_tpm *tpm, uint32_t index, const uint8_t name[HELIOGRAPH_TPM_NAME]) {
    ESYS_TR counter = ESYS_TR_NONE;
    heliograph_tpm_outcome result = find_counter(tpm, index, name, &counter);
    return result == HELIOGRAPH_TPM_DONE ? outcome(tpm, undefine(tpm, counter)) : result;
}

heliograph_tpm_outcome heliograph_tpm_read_facts(heliograph_tpm *tpm, heliograph_tpm_facts *facts) {
    TPMS_CAPABILITY_DATA *data = NULL;
    TPMI_YES_NO more;
    TSS2_RC code = Esys_GetCapability(
        tpm->esys, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, TPM2_CAP_TPM_PROPERTIES, TPM2_PT_VAR, 64, &more, &data);
    memset(facts, 0, sizeof *facts);
    for (uint32_t index = 0; code == TSS2_RC_SUCCESS && index < data->data.tpmProperties.count; index++) {
        uint32_t value = data->data.tpmProperties.tpmProperty[index].value;
        switch (data->data.tpmProperties.tpmProperty[index].property) {
        case TPM2_PT_PERMANENT:
            facts->lockout_auth_set = (value & TPMA_PERMANENT_LOCKOUTAUTHSET) != 0;
            facts->locked_out = (value & TPMA_PERMANENT_INLOCKOUT) != 0;
            break;
        case TPM2_PT_LOCKOUT_COUNTER: facts->failures = value; break;
        case TPM2_PT_MAX_AUTH_FAIL: facts->failures_allowed = value; break;
        case TPM2_PT_LOCKOUT_INTERVAL: facts->recovery_seconds = value; break;
        case TPM2_PT_LOCKOUT_RECOVERY: facts->lockout_seconds = value; break;
        }
    }
    Esys_Free(data);
    return outcome(tpm, code);
}
