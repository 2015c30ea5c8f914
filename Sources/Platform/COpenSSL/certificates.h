#pragma once

#include "shim.h"
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

// Keys of P-256, requests for certificates, certificates and revocation lists, all in PEM. A returned text
// belongs to the caller, who frees it; NULL means that an input was not readable or that there was no memory.

/// The text that was written to `memory`, which is freed.
static inline char *copenssl_take(BIO *memory, bool is_written) {
    char *bytes = NULL;
    long count = is_written ? BIO_get_mem_data(memory, &bytes) : 0;
    char *text = count > 0 ? strndup(bytes, (size_t)count) : NULL;
    BIO_free(memory);
    ERR_clear_error();
    return text;
}

static inline EVP_PKEY *copenssl_read_key(const char *pem) {
    BIO *memory = BIO_new_mem_buf(pem, -1);
    EVP_PKEY *key = memory ? PEM_read_bio_PrivateKey(memory, NULL, NULL, NULL) : NULL;
    BIO_free(memory);
    return key;
}

static inline EVP_PKEY *copenssl_read_public_key(const char *pem) {
    BIO *memory = BIO_new_mem_buf(pem, -1);
    EVP_PKEY *key = memory ? PEM_read_bio_PUBKEY(memory, NULL, NULL, NULL) : NULL;
    BIO_free(memory);
    return key;
}

static inline X509 *copenssl_read_certificate(const char *pem) {
    BIO *memory = BIO_new_mem_buf(pem, -1);
    X509 *certificate = memory ? PEM_read_bio_X509(memory, NULL, NULL, NULL) : NULL;
    BIO_free(memory);
    return certificate;
}

/// A subject or issuer of one common name. Not X509_NAME_add_entry_by_NID's MBSTRING_UTF8, which refuses more
/// than 64 characters: the names of a home and of a device may have as many each.
static inline X509_NAME *copenssl_subject(const char *common_name) {
    X509_NAME *name = X509_NAME_new();
    if (name && X509_NAME_add_entry_by_NID(name, NID_commonName, V_ASN1_UTF8STRING,
                                           (const unsigned char *)common_name, -1, -1, 0) == 1)
        return name;
    X509_NAME_free(name);
    return NULL;
}

// MARK: Keys and requests

/// A new key (PKCS #8).
static inline char *copenssl_new_key(void) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    BIO *memory = BIO_new(BIO_s_mem());
    bool done = key && memory &&
                PEM_write_bio_PKCS8PrivateKey(memory, key, NULL, NULL, 0, NULL, NULL) == 1;
    EVP_PKEY_free(key);
    return copenssl_take(memory, done);
}

/// The public key of a key.
static inline char *copenssl_public_key(const char *key_pem) {
    EVP_PKEY *key = copenssl_read_key(key_pem);
    BIO *memory = BIO_new(BIO_s_mem());
    bool done = key && memory && PEM_write_bio_PUBKEY(memory, key) == 1;
    EVP_PKEY_free(key);
    return copenssl_take(memory, done);
}

/// A request for a certificate with that common name (PKCS #10).
static inline char *copenssl_signing_request(const char *key_pem, const char *common_name) {
    EVP_PKEY *key = copenssl_read_key(key_pem);
    X509_REQ *request = X509_REQ_new();
    X509_NAME *subject = copenssl_subject(common_name);
    BIO *memory = BIO_new(BIO_s_mem());
    bool done = key && request && subject && memory && X509_REQ_set_version(request, 0) == 1 &&
                X509_REQ_set_subject_name(request, subject) == 1 &&
                X509_REQ_set_pubkey(request, key) == 1 &&
                X509_REQ_sign(request, key, EVP_sha256()) > 0 &&
                PEM_write_bio_X509_REQ(memory, request) == 1;
    X509_NAME_free(subject);
    X509_REQ_free(request);
    EVP_PKEY_free(key);
    return copenssl_take(memory, done);
}

/// What a request for a certificate is worth.
typedef enum {
    copenssl_request_good,
    copenssl_request_unreadable,
    copenssl_request_of_other_curve,
    copenssl_request_not_signed,
} copenssl_request;

/// Checks a request, and sets `key` to its public key where it is good.
static inline copenssl_request copenssl_check_request(const char *pem, char **key) {
    BIO *memory = BIO_new_mem_buf(pem, -1);
    X509_REQ *request = memory ? PEM_read_bio_X509_REQ(memory, NULL, NULL, NULL) : NULL;
    EVP_PKEY *public_key = request ? X509_REQ_get0_pubkey(request) : NULL;
    char group[32] = "";
    copenssl_request verdict = copenssl_request_good;
    if (!request) {
        verdict = copenssl_request_unreadable;
    } else if (!public_key || EVP_PKEY_get_group_name(public_key, group, sizeof group, NULL) != 1 ||
               strcmp(group, SN_X9_62_prime256v1) != 0) {
        verdict = copenssl_request_of_other_curve;
    } else if (X509_REQ_verify(request, public_key) != 1) {
        verdict = copenssl_request_not_signed;
    } else {
        BIO *written = BIO_new(BIO_s_mem());
        *key = copenssl_take(written, written && PEM_write_bio_PUBKEY(written, public_key) == 1);
        if (!*key) verdict = copenssl_request_unreadable;
    }
    X509_REQ_free(request);
    BIO_free(memory);
    ERR_clear_error();
    return verdict;
}

// MARK: Certificates

/// Whether a certificate is for that key.
static inline bool copenssl_certificate_fits(const char *certificate_pem, const char *key_pem) {
    EVP_PKEY *key = copenssl_read_key(key_pem);
    X509 *certificate = copenssl_read_certificate(certificate_pem);
    bool fits = key && certificate && X509_check_private_key(certificate, key) == 1;
    X509_free(certificate);
    EVP_PKEY_free(key);
    ERR_clear_error();
    return fits;
}

/// Until when a certificate is valid, in seconds since 1970; negative if it is not readable.
static inline int64_t copenssl_not_after(const char *certificate_pem) {
    X509 *certificate = copenssl_read_certificate(certificate_pem);
    struct tm parts;
    bool done = certificate && ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &parts) == 1;
    X509_free(certificate);
    ERR_clear_error();
    return done ? (int64_t)timegm(&parts) : -1;
}

/// What a certificate is for.
typedef enum {
    copenssl_for_authority,
    copenssl_for_client,
    copenssl_for_server,
} copenssl_purpose;

/// Adds an extension in the notation of OpenSSL's configuration files.
static inline bool copenssl_extend(X509 *certificate, X509 *issuer, int identifier,
                                   const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, identifier, value);
    bool done = extension && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return done;
}

/// Adds what a certificate may be used for (RFC 5280 section 4.2.1).
static inline bool copenssl_extend_for(copenssl_purpose purpose, X509 *certificate, X509 *issuer) {
    bool done = copenssl_extend(certificate, issuer, NID_subject_key_identifier, "hash");
    if (purpose == copenssl_for_authority)
        return done &&
               copenssl_extend(certificate, issuer, NID_basic_constraints,
                               "critical,CA:TRUE,pathlen:0") &&
               copenssl_extend(certificate, issuer, NID_key_usage, "critical,keyCertSign,cRLSign");
    return done &&
           copenssl_extend(certificate, issuer, NID_authority_key_identifier, "keyid:always") &&
           copenssl_extend(certificate, issuer, NID_basic_constraints, "critical,CA:FALSE") &&
           copenssl_extend(certificate, issuer, NID_key_usage, "critical,digitalSignature") &&
           copenssl_extend(certificate, issuer, NID_ext_key_usage,
                           purpose == copenssl_for_client ? "clientAuth" : "serverAuth");
}

/// Adds the names and addresses under which a server is reached: texts one behind the other, each ended by a
/// zero byte, and an empty one at the end.
static inline bool copenssl_extend_hosts(X509 *certificate, const char *hosts) {
    GENERAL_NAMES *names = sk_GENERAL_NAME_new_null();
    bool done = names;
    for (; done && *hosts; hosts += strlen(hosts) + 1) {
        GENERAL_NAME *name = GENERAL_NAME_new();
        ASN1_OCTET_STRING *address = a2i_IPADDRESS(hosts);
        ASN1_IA5STRING *text = address ? NULL : ASN1_IA5STRING_new();
        done = name && (address || (text && ASN1_STRING_set(text, hosts, -1) == 1));
        if (name && address) GENERAL_NAME_set0_value(name, GEN_IPADD, address);
        if (name && text) GENERAL_NAME_set0_value(name, GEN_DNS, text);
        done = done && sk_GENERAL_NAME_push(names, name) > 0;
        if (!done) GENERAL_NAME_free(name);
    }
    done = done && X509_add1_ext_i2d(certificate, NID_subject_alt_name, names, 0,
                                     X509V3_ADD_DEFAULT) == 1;
    GENERAL_NAMES_free(names);
    return done;
}

/// Issues a certificate, signed with ECDSA and SHA-256.
/// - issuer_pem: the issuer's certificate; NULL for one that signs itself.
/// - hosts: see `copenssl_extend_hosts`; NULL for one that is no server.
/// - serial: big-endian.
/// - not_before, not_after: seconds since 1970.
static inline char *copenssl_issue(copenssl_purpose purpose, const char *issuer_pem,
                                   const char *issuer_key_pem, const char *public_key_pem,
                                   const char *common_name, const char *hosts,
                                   const unsigned char *serial, size_t serial_count,
                                   int64_t not_before, int64_t not_after) {
    EVP_PKEY *issuer_key = copenssl_read_key(issuer_key_pem);
    EVP_PKEY *public_key = copenssl_read_public_key(public_key_pem);
    X509 *issuer = issuer_pem ? copenssl_read_certificate(issuer_pem) : NULL;
    X509 *certificate = X509_new();
    X509_NAME *subject = copenssl_subject(common_name);
    BIGNUM *number = BN_bin2bn(serial, (int)serial_count, NULL);
    BIO *memory = BIO_new(BIO_s_mem());
    bool done =
        issuer_key && public_key && (issuer || !issuer_pem) && certificate && subject && number &&
        memory && X509_set_version(certificate, X509_VERSION_3) == 1 &&
        BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) &&
        ASN1_TIME_set(X509_getm_notBefore(certificate), (time_t)not_before) &&
        ASN1_TIME_set(X509_getm_notAfter(certificate), (time_t)not_after) &&
        X509_set_subject_name(certificate, subject) == 1 &&
        X509_set_issuer_name(certificate, issuer ? X509_get_subject_name(issuer) : subject) == 1 &&
        X509_set_pubkey(certificate, public_key) == 1 &&
        copenssl_extend_for(purpose, certificate, issuer ? issuer : certificate) &&
        (!hosts || copenssl_extend_hosts(certificate, hosts)) &&
        X509_sign(certificate, issuer_key, EVP_sha256()) > 0 &&
        PEM_write_bio_X509(memory, certificate) == 1;
    BN_free(number);
    X509_NAME_free(subject);
    X509_free(certificate);
    X509_free(issuer);
    EVP_PKEY_free(public_key);
    EVP_PKEY_free(issuer_key);
    return copenssl_take(memory, done);
}

// MARK: Revocation lists

/// Adds a serial number to a list.
static inline bool copenssl_revoke(X509_CRL *list, const unsigned char *serial, size_t serial_count,
                                   int64_t since) {
    X509_REVOKED *entry = X509_REVOKED_new();
    BIGNUM *number = BN_bin2bn(serial, (int)serial_count, NULL);
    ASN1_INTEGER *integer = number ? BN_to_ASN1_INTEGER(number, NULL) : NULL;
    ASN1_TIME *time = ASN1_TIME_set(NULL, (time_t)since);
    bool done = entry && integer && time && X509_REVOKED_set_serialNumber(entry, integer) == 1 &&
                X509_REVOKED_set_revocationDate(entry, time) == 1 &&
                X509_CRL_add0_revoked(list, entry) == 1;
    if (!done) X509_REVOKED_free(entry);
    ASN1_TIME_free(time);
    ASN1_INTEGER_free(integer);
    BN_free(number);
    return done;
}

/// Whether one of the lists in a text in PEM has a serial number.
static inline bool copenssl_lists_have(const char *lists_pem, const unsigned char *serial,
                                       size_t serial_count) {
    BIO *memory = BIO_new_mem_buf(lists_pem, -1);
    BIGNUM *number = BN_bin2bn(serial, (int)serial_count, NULL);
    ASN1_INTEGER *integer = number ? BN_to_ASN1_INTEGER(number, NULL) : NULL;
    X509_CRL *list = NULL;
    bool found = false;
    while (memory && integer && !found &&
           (list = PEM_read_bio_X509_CRL(memory, NULL, NULL, NULL)) != NULL) {
        X509_REVOKED *entry = NULL;
        found = X509_CRL_get0_by_serial(list, &entry, integer) == 1;
        X509_CRL_free(list);
    }
    ASN1_INTEGER_free(integer);
    BN_free(number);
    BIO_free(memory);
    ERR_clear_error();
    return found;
}

/// Adds the identifier of the issuer's key and the number of the list.
static inline bool copenssl_extend_list(X509_CRL *list, X509 *issuer, int64_t number) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, NULL, NULL, list, 0);
    X509_EXTENSION *key =
        X509V3_EXT_conf_nid(NULL, &context, NID_authority_key_identifier, "keyid:always");
    ASN1_INTEGER *integer = ASN1_INTEGER_new();
    bool done = key && integer && ASN1_INTEGER_set_int64(integer, number) == 1 &&
                X509_CRL_add_ext(list, key, -1) == 1 &&
                X509_CRL_add1_ext_i2d(list, NID_crl_number, integer, 0, X509V3_ADD_DEFAULT) == 1;
    ASN1_INTEGER_free(integer);
    X509_EXTENSION_free(key);
    return done;
}

/// A list of revoked certificates (RFC 5280 section 5), valid as long as its issuer.
/// - serials: `count` serial numbers of `serial_count` bytes each, one behind the other.
/// - since: from when each one is revoked, in seconds since 1970; `this_update` likewise.
static inline char *copenssl_revocation_list(const char *issuer_pem, const char *issuer_key_pem,
                                             int64_t number, int64_t this_update,
                                             const unsigned char *serials, size_t serial_count,
                                             const int64_t *since, size_t count) {
    EVP_PKEY *issuer_key = copenssl_read_key(issuer_key_pem);
    X509 *issuer = copenssl_read_certificate(issuer_pem);
    X509_CRL *list = X509_CRL_new();
    ASN1_TIME *time = ASN1_TIME_set(NULL, (time_t)this_update);
    BIO *memory = BIO_new(BIO_s_mem());
    bool done = issuer_key && issuer && list && time && memory &&
                X509_CRL_set_version(list, X509_CRL_VERSION_2) == 1 &&
                X509_CRL_set_issuer_name(list, X509_get_subject_name(issuer)) == 1 &&
                X509_CRL_set1_lastUpdate(list, time) == 1 &&
                X509_CRL_set1_nextUpdate(list, X509_get0_notAfter(issuer)) == 1;
    for (size_t i = 0; done && i < count; i++)
        done = copenssl_revoke(list, serials + i * serial_count, serial_count, since[i]);
    done = done && copenssl_extend_list(list, issuer, number) &&
           X509_CRL_sign(list, issuer_key, EVP_sha256()) > 0 &&
           PEM_write_bio_X509_CRL(memory, list) == 1;
    ASN1_TIME_free(time);
    X509_CRL_free(list);
    X509_free(issuer);
    EVP_PKEY_free(issuer_key);
    return copenssl_take(memory, done);
}
