#ifndef ALINK_SIGNATURE_H
#define ALINK_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

/// The longest part of a client id that is read, with its end.
#define ALINK_FIELD 256

/// The digests that a device may sign with.
enum alink_method { ALINK_HMAC_MD5, ALINK_HMAC_SHA1, ALINK_HMAC_SHA256, ALINK_HMAC_UNKNOWN };

/// How a client logs in, from `authType` in its client id.
enum alink_login {
    /// With the secret of its device.
    ALINK_LOGIN_SECRET,
    /// Asks for the secret of its device, which is in the file of triples, with that of its product.
    ALINK_LOGIN_REGISTER,
    /// Asks for a token for a device that nobody has registered, with the secret of its product.
    ALINK_LOGIN_REGISTER_UNKNOWN,
    /// With such a token.
    ALINK_LOGIN_TOKEN,
    ALINK_LOGIN_UNKNOWN,
};

/// What an MQTT client id of the form `clientId|name=value,…|` says.
struct alink_client_id {
    /// The part before the first bar, which is what is signed.
    char client_id[ALINK_FIELD];
    char timestamp[ALINK_FIELD];
    char random[ALINK_FIELD];
    enum alink_method method;
    enum alink_login login;
    /// Whether the device gets its messages without subscribing (`_ss=1`).
    bool subscribed_by_server;
};

/// Reads a client id.
/// - Returns: whether it has the form, and each part fits.
bool alink_read_client_id(const char *text, struct alink_client_id *out);

/// The name of a method, as devices write it.
const char *alink_method_name(enum alink_method method);

/// Whether `password` is the signature of a login of a device with its secret. Digits may be upper or lower
/// case; the time of the comparison does not depend on where they differ.
bool alink_check_login(
    const struct alink_client_id *id, const char *product, const char *device, const char *secret,
    const char *password);

/// Whether `password` is the signature of a registration with the secret of the product.
bool alink_check_registration(
    const struct alink_client_id *id, const char *product, const char *device, const char *secret,
    const char *password);

/// Whether two texts are equal, in a time that depends on their lengths alone.
bool alink_equal(const char *one, const char *other);

/// Writes random hexadecimal digits and the end of the text.
/// - Returns: whether there was randomness.
bool alink_random_digits(char *out, size_t digits);

#endif
