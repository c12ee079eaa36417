// The one file that includes PKCS#11's header.
//
// A secret is encrypted to an RSA key of the token (OAEP), whose private half never leaves it, and decrypted by the token for who types its PIN. The token
// counts wrong PINs. The module is somebody else's code: it runs in a process that holds one secret of several, and no key of the vault.

#include "heliograph_token.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <p11-kit-1/p11-kit/pkcs11.h>

struct heliograph_module { CK_FUNCTION_LIST *calls; };

heliograph_module *heliograph_module_load(const char *path) {
    static heliograph_module module;
    // Where it is there: modules load it by name once they are asked, and then nothing can be loaded any more.
    dlopen("libpcsclite.so.1", RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    CK_RV (*list)(CK_FUNCTION_LIST **) = library ? (CK_RV (*)(CK_FUNCTION_LIST **))dlsym(library, "C_GetFunctionList") : NULL;
    return list && list(&module.calls) == CKR_OK && module.calls ? &module : NULL;
}

static heliograph_token_outcome outcome(heliograph_token *token, CK_RV code) {
    token->code = (uint32_t)code;
    switch (code) {
    case CKR_OK: return HELIOGRAPH_TOKEN_DONE;
    case CKR_PIN_INCORRECT:
    case CKR_PIN_LEN_RANGE:
    case CKR_PIN_INVALID: return HELIOGRAPH_TOKEN_WRONG_PIN;
    case CKR_PIN_LOCKED: return HELIOGRAPH_TOKEN_PIN_LOCKED;
    case CKR_TOKEN_NOT_PRESENT:
    case CKR_DEVICE_REMOVED:
    case CKR_SLOT_ID_INVALID: return HELIOGRAPH_TOKEN_NO_TOKEN;
    case CKR_MECHANISM_INVALID:
    case CKR_KEY_FUNCTION_NOT_PERMITTED:
    case CKR_TEMPLATE_INCONSISTENT:
    case CKR_USER_NOT_LOGGED_IN:
    case CKR_TOKEN_WRITE_PROTECTED: return HELIOGRAPH_TOKEN_UNFIT;
    default: return HELIOGRAPH_TOKEN_FAILED;
    }
}

// The slot of the token with this label, and this serial number where one is known.
static heliograph_token_outcome find_slot(CK_FUNCTION_LIST *calls, heliograph_token *token, CK_SLOT_ID *slot) {
    static const uint8_t unknown[HELIOGRAPH_TOKEN_SERIAL];
    CK_SLOT_ID slots[64];
    CK_ULONG count = sizeof slots / sizeof *slots;
    CK_RV code = calls->C_GetSlotList(CK_TRUE, slots, &count);
    if (code != CKR_OK) return outcome(token, code);
    // What the module says of lengths is somebody else's word.
    if (count > sizeof slots / sizeof *slots) count = sizeof slots / sizeof *slots;
    heliograph_token_outcome result = HELIOGRAPH_TOKEN_NO_TOKEN;
    for (CK_ULONG index = 0; index < count; index++) {
        CK_TOKEN_INFO info;
        if (calls->C_GetTokenInfo(slots[index], &info) != CKR_OK) continue;
        if (memcmp(info.label, token->label, sizeof token->label) != 0) continue;
        result = HELIOGRAPH_TOKEN_OTHER_TOKEN;
        if (memcmp(token->serial, unknown, sizeof unknown) != 0
            && memcmp(info.serialNumber, token->serial, sizeof token->serial) != 0) continue;
        memcpy(token->serial, info.serialNumber, sizeof token->serial);
        *slot = slots[index];
        return HELIOGRAPH_TOKEN_DONE;
    }
    return result;
}

// An RSA key of this class and use; any id where none is known.
static CK_OBJECT_HANDLE find_key(
    CK_FUNCTION_LIST *calls, CK_SESSION_HANDLE session, heliograph_token *token, CK_OBJECT_CLASS class, CK_ATTRIBUTE_TYPE use) {
    CK_KEY_TYPE type = CKK_RSA;
    CK_BBOOL yes = CK_TRUE;
    CK_ATTRIBUTE wanted[] = {{CKA_CLASS, &class, sizeof class}, {CKA_KEY_TYPE, &type, sizeof type}, {use, &yes, sizeof yes},
                             {CKA_ID, token->id, token->id_length}};
    CK_OBJECT_HANDLE found = CK_INVALID_HANDLE;
    CK_ULONG count = 0;
    if (calls->C_FindObjectsInit(session, wanted, token->id_length ? 4 : 3) != CKR_OK) return CK_INVALID_HANDLE;
    if (calls->C_FindObjects(session, &found, 1, &count) != CKR_OK || count == 0) found = CK_INVALID_HANDLE;
    calls->C_FindObjectsFinal(session);
    return found;
}

// The id of a private key by which its public half is found.
static CK_RV read_id(CK_FUNCTION_LIST *calls, CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, heliograph_token *token) {
    CK_ATTRIBUTE id = {CKA_ID, token->id, sizeof token->id};
    CK_RV code = calls->C_GetAttributeValue(session, key, &id, 1);
    if (code == CKR_OK && (id.ulValueLen == 0 || id.ulValueLen > sizeof token->id)) return CKR_MECHANISM_INVALID;
    if (code == CKR_OK) token->id_length = id.ulValueLen;
    return code;
}

static CK_RV generate(CK_FUNCTION_LIST *calls, CK_SESSION_HANDLE session, heliograph_token *token) {
    CK_MECHANISM mechanism = {CKM_RSA_PKCS_KEY_PAIR_GEN, NULL, 0};
    CK_BBOOL yes = CK_TRUE, no = CK_FALSE;
    CK_ULONG bits = 2048;
    CK_BYTE exponent[] = {1, 0, 1};
    CK_UTF8CHAR label[] = "heliograph";
    token->id_length = 16;
    if (getrandom(token->id, token->id_length, 0) != (ssize_t)token->id_length) return CKR_GENERAL_ERROR;
    CK_ATTRIBUTE public_half[] = {{CKA_TOKEN, &yes, sizeof yes}, {CKA_ENCRYPT, &yes, sizeof yes}, {CKA_MODULUS_BITS, &bits, sizeof bits},
                                  {CKA_PUBLIC_EXPONENT, exponent, sizeof exponent}, {CKA_LABEL, label, sizeof label - 1},
                                  {CKA_ID, token->id, token->id_length}};
    CK_ATTRIBUTE private_half[] = {{CKA_TOKEN, &yes, sizeof yes}, {CKA_PRIVATE, &yes, sizeof yes}, {CKA_SENSITIVE, &yes, sizeof yes},
                                   {CKA_EXTRACTABLE, &no, sizeof no}, {CKA_DECRYPT, &yes, sizeof yes}, {CKA_LABEL, label, sizeof label - 1},
                                   {CKA_ID, token->id, token->id_length}};
    CK_OBJECT_HANDLE public_key, private_key;
    return calls->C_GenerateKeyPair(
        session, &mechanism, public_half, sizeof public_half / sizeof *public_half, private_half,
        sizeof private_half / sizeof *private_half, &public_key, &private_key);
}

// Every token has OAEP with SHA-1, and what is wanted of the hash here is not what SHA-1 has lost.
static CK_RSA_PKCS_OAEP_PARAMS padding = {.hashAlg = CKM_SHA_1, .mgf = CKG_MGF1_SHA1, .source = CKZ_DATA_SPECIFIED};

static CK_RV decrypt(
    CK_FUNCTION_LIST *calls, CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, const uint8_t *blob, size_t length,
    uint8_t secret[HELIOGRAPH_TOKEN_SECRET]) {
    CK_MECHANISM mechanism = {CKM_RSA_PKCS_OAEP, &padding, sizeof padding};
    uint8_t opened[HELIOGRAPH_TOKEN_BLOB];
    CK_ULONG count = sizeof opened;
    CK_RV code = calls->C_DecryptInit(session, &mechanism, key);
    if (code == CKR_OK) code = calls->C_Decrypt(session, (CK_BYTE_PTR)blob, length, opened, &count);
    if (code == CKR_OK && count != HELIOGRAPH_TOKEN_SECRET) code = CKR_ENCRYPTED_DATA_INVALID;
    if (code == CKR_OK) memcpy(secret, opened, HELIOGRAPH_TOKEN_SECRET);
    explicit_bzero(opened, sizeof opened);
    return code;
}

// A session with the token, for who has its PIN.
static heliograph_token_outcome start(
    CK_FUNCTION_LIST *calls, heliograph_token *token, const char *pin, CK_FLAGS more, CK_SESSION_HANDLE *session) {
    CK_SLOT_ID slot;
    CK_RV code = calls->C_Initialize(NULL);
    if (code != CKR_OK && code != CKR_CRYPTOKI_ALREADY_INITIALIZED) return outcome(token, code);
    heliograph_token_outcome result = find_slot(calls, token, &slot);
    if (result != HELIOGRAPH_TOKEN_DONE) return result;
    code = calls->C_OpenSession(slot, CKF_SERIAL_SESSION | more, NULL, NULL, session);
    if (code == CKR_OK) code = calls->C_Login(*session, CKU_USER, (CK_UTF8CHAR_PTR)pin, strlen(pin));
    return outcome(token, code);
}

heliograph_token_outcome heliograph_token_wrap(
    const heliograph_module *module, heliograph_token *token, const char *pin,
    const uint8_t secret[HELIOGRAPH_TOKEN_SECRET], uint8_t blob[HELIOGRAPH_TOKEN_BLOB], size_t *length) {
    CK_FUNCTION_LIST *calls = module->calls;
    CK_SESSION_HANDLE session = 0;
    heliograph_token_outcome result = start(calls, token, pin, CKF_RW_SESSION, &session);
    if (result != HELIOGRAPH_TOKEN_DONE) {
        calls->C_Finalize(NULL);
        return result;
    }
    CK_RV code = CKR_OK;
    CK_OBJECT_HANDLE private_key = find_key(calls, session, token, CKO_PRIVATE_KEY, CKA_DECRYPT);
    if (private_key == CK_INVALID_HANDLE) {
        code = token->id_length ? CKR_KEY_HANDLE_INVALID : generate(calls, session, token);
        if (code == CKR_OK) private_key = find_key(calls, session, token, CKO_PRIVATE_KEY, CKA_DECRYPT);
    }
    if (code == CKR_OK) code = read_id(calls, session, private_key, token);
    CK_OBJECT_HANDLE public_key = code == CKR_OK ? find_key(calls, session, token, CKO_PUBLIC_KEY, CKA_ENCRYPT) : CK_INVALID_HANDLE;
    if (code == CKR_OK && public_key == CK_INVALID_HANDLE) code = CKR_MECHANISM_INVALID;
    CK_MECHANISM mechanism = {CKM_RSA_PKCS_OAEP, &padding, sizeof padding};
    CK_ULONG count = HELIOGRAPH_TOKEN_BLOB;
    if (code == CKR_OK) code = calls->C_EncryptInit(session, &mechanism, public_key);
    if (code == CKR_OK) code = calls->C_Encrypt(session, (CK_BYTE_PTR)secret, HELIOGRAPH_TOKEN_SECRET, blob, &count);
    if (count > HELIOGRAPH_TOKEN_BLOB) {
        if (code == CKR_OK) code = CKR_DEVICE_ERROR;
        count = HELIOGRAPH_TOKEN_BLOB;
    }
    *length = count;
    // A vault that is bound to a key which cannot decrypt would never open.
    uint8_t opened[HELIOGRAPH_TOKEN_SECRET] = {0};
    if (code == CKR_OK) code = decrypt(calls, session, private_key, blob, count, opened);
    if (code == CKR_OK && memcmp(opened, secret, sizeof opened) != 0) code = CKR_MECHANISM_INVALID;
    explicit_bzero(opened, sizeof opened);
    result = code == CKR_KEY_HANDLE_INVALID ? HELIOGRAPH_TOKEN_OTHER_TOKEN : outcome(token, code);
    calls->C_Finalize(NULL);
    return result;
}

heliograph_token_outcome heliograph_token_unwrap(
    const heliograph_module *module, heliograph_token *token, const char *pin, const uint8_t *blob, size_t length,
    uint8_t secret[HELIOGRAPH_TOKEN_SECRET]) {
    CK_FUNCTION_LIST *calls = module->calls;
    CK_SESSION_HANDLE session = 0;
    heliograph_token_outcome result = start(calls, token, pin, 0, &session);
    if (result == HELIOGRAPH_TOKEN_DONE) {
        CK_OBJECT_HANDLE key = find_key(calls, session, token, CKO_PRIVATE_KEY, CKA_DECRYPT);
        result = key == CK_INVALID_HANDLE ? HELIOGRAPH_TOKEN_OTHER_TOKEN : outcome(token, decrypt(calls, session, key, blob, length, secret));
    }
    calls->C_Finalize(NULL);
    return result;
}
