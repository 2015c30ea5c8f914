#ifndef CSECRETSERVICE_H
#define CSECRETSERVICE_H

#include <stdbool.h>
#include <stddef.h>

// The Secret Service of a desktop session by libsecret. The library is loaded at the first call, because
// programs must start where there is none, and because it brings GLib, which most runs do not need.

/// What a call came to.
enum csecret_result {
    /// It was done, or found.
    CSECRET_DONE = 0,
    /// There is no such secret.
    CSECRET_NONE = 1,
    /// It failed; the message says why.
    CSECRET_FAILED = 2,
};

/// Hands over bytes or a text that are valid during the call.
typedef void (*csecret_receive)(void *context, const void *bytes, size_t count);

/// Whether libsecret can be loaded; else writes why not.
bool csecret_load(char *message, size_t size);

/// Stores a secret in the default collection, in place of one with the same attributes.
enum csecret_result csecret_store(const char *service, const char *account, const void *bytes,
                                  size_t count, char *message, size_t size);

/// Looks a secret up.
enum csecret_result csecret_lookup(const char *service, const char *account,
                                   csecret_receive receive, void *context, char *message,
                                   size_t size);

/// Removes a secret.
enum csecret_result csecret_clear(const char *service, const char *account, char *message,
                                  size_t size);

/// Lists the secrets of Homeport: `receive` gets the service, then the account, of each.
enum csecret_result csecret_list(csecret_receive receive, void *context, char *message,
                                 size_t size);

#endif
