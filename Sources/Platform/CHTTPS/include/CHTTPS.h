#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// POST requests over HTTPS, by libcurl, which is opened when it is needed first: a program that asks nothing over
// HTTPS pays nothing, and works where the library is not installed. One thread of this library carries out any number
// of requests at a time.

/// How a request ended.
typedef enum {
    /// There is an answer, of whatever status.
    chttps_answered,
    /// The host has no address, or takes no connection.
    chttps_unreachable,
    /// The certificate of the server is not accepted, or TLS failed in another way.
    chttps_tls_refused,
    /// The time was over.
    chttps_timed_out,
    /// The connection broke.
    chttps_lost,
    /// The answer is larger than the limit.
    chttps_too_large,
    /// It was cancelled.
    chttps_cancelled,
    /// It cannot be made: the URL or the file of authorities cannot be used, or there is no memory.
    chttps_unusable,
} chttps_result;

typedef struct {
    chttps_result result;
    /// Whether the server may have got any of the request.
    bool may_have_left;
    /// Of HTTP; 0 without an answer.
    long status;
    /// The body of the answer, which lives until the completion returns.
    const uint8_t *body;
    size_t count;
    /// The header `Date`; empty where the server sent none.
    const char *date;
    /// Why there is no answer, as the library says it; empty where there is one.
    const char *message;
} chttps_answer;

typedef struct {
    /// `https://…`; any other scheme is refused.
    const char *url;
    const uint8_t *body;
    size_t count;
    /// Of the body, as the header `Content-Type` says it; of 80 characters at most.
    const char *type;
    /// A PEM file with the authorities that are trusted; NULL for those of the system.
    const char *authority;
    /// For the connection with TLS, and for all together.
    long connect_milliseconds, total_milliseconds;
    /// Bytes of an answer at most.
    size_t limit;
    /// Whether to make a connection for this request alone. On one that was used before, the library would send a
    /// request again that got no answer.
    bool sent_once;
} chttps_request;

/// Called once for each request, on the library's thread. It must not block.
typedef void (*chttps_completion)(void *context, const chttps_answer *answer);

typedef struct chttps chttps;

/// Why the library cannot be used; NULL if it can. The first call opens it.
const char *chttps_unavailable(void);

/// A client with a thread of its own; NULL without memory, without a thread or without the library.
chttps *chttps_new(void);

/// Begins a request, of which everything is copied.
/// Returns its number, from 1; 0 without memory, and then the completion is not called.
uint64_t chttps_post(chttps *client, const chttps_request *request, chttps_completion completion,
                     void *context);

/// Ends a request as `chttps_cancelled`, unless it has ended.
void chttps_cancel(chttps *client, uint64_t request);

/// Ends all requests, waits for their completions, and frees the client. Not to be called from a completion.
void chttps_free(chttps *client);
