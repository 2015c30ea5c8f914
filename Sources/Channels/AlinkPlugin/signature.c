#include "signature.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

static const struct {
    const char *name;
    enum alink_method method;
} METHODS[] = {
    {"hmacmd5", ALINK_HMAC_MD5},
    {"hmacsha1", ALINK_HMAC_SHA1},
    {"hmacsha256", ALINK_HMAC_SHA256},
};

static const struct {
    const char *name;
    enum alink_login login;
} LOGINS[] = {
    {"register", ALINK_LOGIN_REGISTER},
    {"regnwl", ALINK_LOGIN_REGISTER_UNKNOWN},
    {"connwl", ALINK_LOGIN_TOKEN},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/// Copies `length` bytes as a text; false where they do not fit.
static bool copy(char *out, const char *text, size_t length) {
    if (length >= ALINK_FIELD) return false;
    memcpy(out, text, length);
    out[length] = 0;
    return true;
}

static bool is_named(const char *name, size_t length, const char *expected) {
    return strlen(expected) == length && memcmp(name, expected, length) == 0;
}

static enum alink_method method_named(const char *name) {
    for (size_t i = 0; i < COUNT(METHODS); i++)
        if (strcmp(METHODS[i].name, name) == 0) return METHODS[i].method;
    return ALINK_HMAC_UNKNOWN;
}

static enum alink_login login_named(const char *name) {
    for (size_t i = 0; i < COUNT(LOGINS); i++)
        if (strcmp(LOGINS[i].name, name) == 0) return LOGINS[i].login;
    return ALINK_LOGIN_UNKNOWN;
}

const char *alink_method_name(enum alink_method method) {
    for (size_t i = 0; i < COUNT(METHODS); i++)
        if (METHODS[i].method == method) return METHODS[i].name;
    return "unknown";
}

/// Reads one `name=value` of a client id; names that are not known are skipped.
static bool read_member(
    const char *name, size_t name_length, const char *value, size_t length,
    struct alink_client_id *out) {
    char text[ALINK_FIELD];
    if (!copy(text, value, length)) return false;
    if (is_named(name, name_length, "timestamp")) return copy(out->timestamp, value, length);
    if (is_named(name, name_length, "random")) return copy(out->random, value, length);
    if (is_named(name, name_length, "signmethod")) out->method = method_named(text);
    if (is_named(name, name_length, "authType")) out->login = login_named(text);
    if (is_named(name, name_length, "_ss")) out->subscribed_by_server = strcmp(text, "1") == 0;
    return true;
}

bool alink_read_client_id(const char *text, struct alink_client_id *out) {
    memset(out, 0, sizeof(*out));
    out->method = ALINK_HMAC_MD5;
    out->login = ALINK_LOGIN_SECRET;
    const char *bar = text ? strchr(text, '|') : NULL;
    if (!bar || !copy(out->client_id, text, (size_t)(bar - text))) return false;
    const char *member = bar + 1;
    while (*member && *member != '|') {
        size_t length = strcspn(member, ",|");
        const char *equals = memchr(member, '=', length);
        if (equals) {
            const char *value = equals + 1;
            size_t name_length = (size_t)(equals - member);
            if (!read_member(member, name_length, value, length - name_length - 1, out))
                return false;
        }
        member += length;
        if (*member == ',') member++;
    }
    return true;
}

bool alink_equal(const char *one, const char *other) {
    size_t length = strlen(one);
    return length == strlen(other) && CRYPTO_memcmp(one, other, length) == 0;
}

/// Whether `password` has the hexadecimal digits of an HMAC.
static bool is_signature(
    enum alink_method method, const char *secret, const char *text, const char *password) {
    const EVP_MD *digest = method == ALINK_HMAC_MD5    ? EVP_md5()
                           : method == ALINK_HMAC_SHA1   ? EVP_sha1()
                           : method == ALINK_HMAC_SHA256 ? EVP_sha256()
                                                         : NULL;
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    if (!digest
        || !HMAC(
            digest, secret, (int)strlen(secret), (const unsigned char *)text, strlen(text), bytes,
            &size))
        return false;
    char expected[2 * EVP_MAX_MD_SIZE + 1], given[2 * EVP_MAX_MD_SIZE + 1];
    for (unsigned int i = 0; i < size; i++) snprintf(expected + 2 * i, 3, "%02x", bytes[i]);
    if (strlen(password) != 2 * (size_t)size) return false;
    for (size_t i = 0; i <= 2 * (size_t)size; i++)
        given[i] = (char)tolower((unsigned char)password[i]);
    return alink_equal(expected, given);
}

bool alink_check_login(
    const struct alink_client_id *id, const char *product, const char *device, const char *secret,
    const char *password) {
    char text[5 * ALINK_FIELD];
    // The names of the parameters are in alphabetical order.
    int length = snprintf(
        text, sizeof(text), "clientId%sdeviceName%sproductKey%s%s%s", id->client_id, device,
        product, id->timestamp[0] ? "timestamp" : "", id->timestamp);
    return length > 0 && (size_t)length < sizeof(text)
           && is_signature(id->method, secret, text, password);
}

bool alink_check_registration(
    const struct alink_client_id *id, const char *product, const char *device, const char *secret,
    const char *password) {
    char text[4 * ALINK_FIELD];
    int length = snprintf(
        text, sizeof(text), "deviceName%sproductKey%srandom%s", device, product, id->random);
    return length > 0 && (size_t)length < sizeof(text)
           && is_signature(id->method, secret, text, password);
}

bool alink_random_digits(char *out, size_t digits) {
    unsigned char bytes[64];
    if (digits > 2 * sizeof(bytes) || digits % 2 || RAND_bytes(bytes, (int)(digits / 2)) != 1)
        return false;
    for (size_t i = 0; i < digits / 2; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return true;
}
