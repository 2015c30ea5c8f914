#pragma once

// SHA256_Init and its siblings count as deprecated; see copenssl_sha256.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// OpenSSL's macros as functions, and what walks its typed stacks.

/// TLS 1.2 or later, no renegotiation, small idle sessions, and an end of the stream that is treated
/// as MQTT treats it: the protocol says itself where it ends.
static inline bool copenssl_restrict(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1;
}

static inline void copenssl_set_owner(SSL_CTX *context, void *owner) {
    SSL_CTX_set_app_data(context, owner);
}

static inline void *copenssl_owner(const SSL *session) {
    return SSL_CTX_get_app_data(SSL_get_SSL_CTX(session));
}

/// The session that a certificate is verified for.
static inline SSL *copenssl_session(X509_STORE_CTX *verification) {
    return (SSL *)X509_STORE_CTX_get_ex_data(verification,
                                             SSL_get_ex_data_X509_STORE_CTX_idx());
}

/// Sets the name of the server indication, or with NULL removes it.
static inline void copenssl_set_server_name(const SSL *session, const char *name) {
    SSL_set_tlsext_host_name((SSL *)session, (char *)name);
}

static inline bool copenssl_wants_to_write(const SSL *session) {
    return SSL_want(session) == SSL_WRITING;
}

/// Writes PINGREQ, or goes on with it. False: the socket takes nothing now, and nothing else may be
/// written before this has returned true. Failures show at the next read.
static inline bool copenssl_write_ping(SSL *session) {
    static const unsigned char pingreq[] = {0xC0, 0x00};
    int count = SSL_write(session, pingreq, sizeof pingreq);
    bool blocked = count <= 0 && SSL_get_error(session, count) == SSL_ERROR_WANT_WRITE;
    ERR_clear_error();
    return !blocked;
}

/// Appends bytes that somebody else chose: printable ASCII as it is, the rest as question marks.
static inline void copenssl_append(char *text, size_t size, const char *bytes, size_t count) {
    size_t end = strlen(text);
    if (end > 0 && end + 3 < size) {
        text[end++] = ',';
        text[end++] = ' ';
    }
    for (size_t i = 0; i < count && end + 1 < size; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        text[end++] = byte > 0x20 && byte < 0x7F ? (char)byte : '?';
    }
    text[end] = 0;
}

/// Writes the DNS names and addresses that a certificate is for, separated by commas.
static inline void copenssl_names(X509 *certificate, char *text, size_t size) {
    text[0] = 0;
    GENERAL_NAMES *names =
        (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
        GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
        if (name->type == GEN_DNS) {
            copenssl_append(text, size, (const char *)ASN1_STRING_get0_data(name->d.dNSName),
                            (size_t)ASN1_STRING_length(name->d.dNSName));
        } else if (name->type == GEN_IPADD && ASN1_STRING_length(name->d.iPAddress) == 4) {
            const unsigned char *byte = ASN1_STRING_get0_data(name->d.iPAddress);
            char address[16];
            int count = snprintf(address, sizeof address, "%d.%d.%d.%d", byte[0], byte[1],
                                 byte[2], byte[3]);
            copenssl_append(text, size, address, (size_t)count);
        } else if (name->type == GEN_IPADD) {
            copenssl_append(text, size, "(IPv6)", 6);
        }
    }
    GENERAL_NAMES_free(names);
}

// Authenticated encryption and key derivation for stored secrets.

/// AES-256-GCM with a nonce of 12 and a tag of 16 bytes. False: `tag` does not fit, or there is no memory.
static inline bool copenssl_gcm(bool seals, const unsigned char *key, const unsigned char *nonce,
                                const unsigned char *associated, size_t associated_count,
                                const unsigned char *input, size_t count, unsigned char *output,
                                unsigned char *tag) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0;
    bool done = context &&
                EVP_CipherInit_ex(context, EVP_aes_256_gcm(), NULL, key, nonce, seals) == 1 &&
                (seals || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, 16, tag) == 1) &&
                EVP_CipherUpdate(context, NULL, &written, associated, (int)associated_count) == 1 &&
                EVP_CipherUpdate(context, output, &written, input, (int)count) == 1 &&
                EVP_CipherFinal_ex(context, output + written, &written) == 1 &&
                (!seals || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, 16, tag) == 1);
    EVP_CIPHER_CTX_free(context);
    ERR_clear_error();
    return done;
}

/// SHA-256, without the search for the algorithm among OpenSSL's providers that SHA256() makes at its first
/// call: with it `homeport send` would need a tenth more instructions from its start to its end.
static inline void copenssl_sha256(const unsigned char *message, size_t count,
                                   unsigned char *digest) {
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, message, count);
    SHA256_Final(digest, &context);
}

/// HMAC-SHA256. False: there is no memory.
static inline bool copenssl_hmac(const unsigned char *key, size_t key_count,
                                 const unsigned char *message, size_t count,
                                 unsigned char *code) {
    unsigned int size = 32;
    return HMAC(EVP_sha256(), key, (int)key_count, message, count, code, &size) != NULL;
}

// Key agreement and one stream cipher for provisioning sessions.

/// X25519 (RFC 7748): the public key of a private key, 32 bytes each. False: there is no memory.
static inline bool copenssl_x25519_public(const unsigned char *private_key,
                                          unsigned char *public_key) {
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, private_key, 32);
    size_t count = 32;
    bool done = key && EVP_PKEY_get_raw_public_key(key, public_key, &count) == 1;
    EVP_PKEY_free(key);
    ERR_clear_error();
    return done;
}

/// X25519 (RFC 7748): the secret shared with the owner of `peer`, 32 bytes each. False: the peer's key is of
/// small order and gives the same secret for every key, or there is no memory.
static inline bool copenssl_x25519(const unsigned char *private_key, const unsigned char *peer,
                                   unsigned char *shared) {
    EVP_PKEY *own = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, private_key, 32);
    EVP_PKEY *other = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, peer, 32);
    EVP_PKEY_CTX *context = own && other ? EVP_PKEY_CTX_new(own, NULL) : NULL;
    size_t count = 32;
    bool done = context && EVP_PKEY_derive_init(context) == 1 &&
                EVP_PKEY_derive_set_peer(context, other) == 1 &&
                EVP_PKEY_derive(context, shared, &count) == 1 && count == 32;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(other);
    EVP_PKEY_free(own);
    ERR_clear_error();
    return done;
}

/// AES-256 in counter mode, in place, from byte `skipped` (0 to 15) of the block `counter` on. False: there
/// is no memory.
static inline bool copenssl_ctr(const unsigned char *key, const unsigned char *counter,
                                size_t skipped, unsigned char *bytes, size_t count) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    unsigned char before[16] = {0};
    int written = 0;
    bool done = context &&
                EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), NULL, key, counter) == 1 &&
                EVP_EncryptUpdate(context, before, &written, before, (int)skipped) == 1 &&
                EVP_EncryptUpdate(context, bytes, &written, bytes, (int)count) == 1;
    EVP_CIPHER_CTX_free(context);
    ERR_clear_error();
    return done;
}

/// What can be done with two numbers modulo a third.
typedef enum {
    copenssl_exponentiate,
    copenssl_multiply,
    copenssl_add,
    copenssl_subtract,
} copenssl_operation;

/// Computes with big-endian numbers modulo an odd one; `result` has as many bytes as the modulus. The time of
/// an exponentiation does not depend on the exponent, which is `right`. False: there is no memory.
static inline bool copenssl_modular(copenssl_operation operation, const unsigned char *left,
                                    size_t left_count, const unsigned char *right,
                                    size_t right_count, const unsigned char *modulus, size_t count,
                                    unsigned char *result) {
    BN_CTX *context = BN_CTX_new();
    BIGNUM *a = BN_bin2bn(left, (int)left_count, NULL);
    BIGNUM *b = BN_bin2bn(right, (int)right_count, NULL);
    BIGNUM *m = BN_bin2bn(modulus, (int)count, NULL);
    BIGNUM *r = BN_new();
    bool done = context && a && b && m && r;
    if (done) {
        switch (operation) {
        case copenssl_exponentiate:
            BN_set_flags(b, BN_FLG_CONSTTIME);
            done = BN_mod_exp(r, a, b, m, context) == 1;
            break;
        case copenssl_multiply: done = BN_mod_mul(r, a, b, m, context) == 1; break;
        case copenssl_add: done = BN_mod_add(r, a, b, m, context) == 1; break;
        case copenssl_subtract: done = BN_mod_sub(r, a, b, m, context) == 1; break;
        }
    }
    done = done && BN_bn2binpad(r, result, (int)count) == (int)count;
    BN_clear_free(r);
    BN_free(m);
    BN_clear_free(b);
    BN_clear_free(a);
    BN_CTX_free(context);
    ERR_clear_error();
    return done;
}
