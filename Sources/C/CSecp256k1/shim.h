#pragma once
#include <secp256k1.h>
#include <secp256k1_recovery.h>

// Function-like and cast macros are not imported.
static const unsigned int heliograph_secp256k1_context_none = SECP256K1_CONTEXT_NONE;
static const unsigned int heliograph_secp256k1_compressed = SECP256K1_EC_COMPRESSED;
static const unsigned int heliograph_secp256k1_uncompressed = SECP256K1_EC_UNCOMPRESSED;
