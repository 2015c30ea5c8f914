#pragma once

#include <stddef.h>
#include <stdint.h>

// One receiver over AMQP 1.0 with TLS, by Qpid Proton, which is opened when it is needed first: a program that
// receives nothing pays nothing, and works where the library is not installed. A connection has a thread of its own.

typedef struct {
    const char *host;
    const char *port;
    /// For SASL PLAIN.
    const char *user, *password;
    /// A PEM file with the authorities that are trusted, or a folder of them.
    const char *authority;
    /// The name of this end.
    const char *container;
    /// What is received from.
    const char *source;
    /// How long the connection may be silent; the library sends empty frames in time.
    uint32_t idle_milliseconds;
    /// Bytes of a message at most; larger ones are rejected.
    size_t limit;
} camqp_settings;

typedef struct {
    /// Names the delivery for camqp_accept.
    uint64_t delivery;
    const char *body, *topic, *message_id;
    size_t body_count, topic_count, message_id_count;
    /// Milliseconds of Unix time; 0 where the message has none.
    int64_t generated;
} camqp_message;

/// What is called on the thread of the connection. None of it may block.
typedef struct {
    void *owner;
    /// The receiver is attached.
    void (*attached)(void *owner);
    /// A message came. It lives until this returns.
    void (*received)(void *owner, const camqp_message *message);
    /// The connection has ended: the condition's name, such as amqp:unauthorized-access, and its description. Called
    /// once, and nothing after it.
    void (*ended)(void *owner, const char *condition, const char *description);
} camqp_events;

typedef struct camqp camqp;

/// Why the library cannot be used; NULL if it can. The first call opens it.
const char *camqp_unavailable(void);

/// Begins to connect; everything is copied. NULL without memory, without a thread or without the library.
camqp *camqp_start(const camqp_settings *settings, camqp_events events);

/// Accepts a message, from any thread, so that it does not come again. Until then at most 32 more are sent.
void camqp_accept(camqp *connection, uint64_t delivery);

/// Closes the connection; `ended` follows, at once if the other end does not answer within a second.
void camqp_stop(camqp *connection);

/// Frees a connection that has ended; also from `ended` itself, as the last thing there.
void camqp_free(camqp *connection);
