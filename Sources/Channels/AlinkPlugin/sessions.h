#ifndef ALINK_SESSIONS_H
#define ALINK_SESSIONS_H

#include "signature.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/// How far a connection of a device has come.
enum alink_stage {
    /// Its password was right; the broker does not know it by its client id yet.
    ALINK_ARRIVING,
    /// It is served.
    ALINK_PRESENT,
    /// It has gone, and the broker keeps its subscriptions.
    ALINK_KEPT,
};

/// A filter that a client has subscribed to.
struct alink_filter {
    struct alink_filter *next;
    char text[];
};

/// A connection of a device, or one that registers a device.
struct alink_session {
    struct alink_session *next, *next_of_device, *next_of_client;
    /// The broker's own value, by which its events name the connection; `NULL` once it has gone.
    const void *client;
    char *client_id, *product, *device;
    /// What it has logged in with.
    char *credential;
    enum alink_login login;
    enum alink_stage stage;
    bool subscribed_by_server;
    /// Until when a connection that registers a device may stay.
    time_t deadline;
    struct alink_filter *filters;
};

/// The connections of devices, the newest first.
struct alink_sessions;

struct alink_sessions *alink_sessions_make(void);

void alink_sessions_free(struct alink_sessions *sessions);

/// A new session in the stage `ALINK_ARRIVING`; `NULL` without memory.
struct alink_session *alink_session_add(
    struct alink_sessions *sessions, const void *client, const struct alink_client_id *id,
    const char *client_id, const char *product, const char *device, const char *credential);

void alink_session_remove(struct alink_sessions *sessions, struct alink_session *session);

/// The broker has ended the connection, and keeps its subscriptions.
void alink_session_keep(struct alink_sessions *sessions, struct alink_session *session);

/// The newest session; the others follow by `next`.
struct alink_session *alink_sessions_first(const struct alink_sessions *sessions);

/// The session of a connection; `NULL` if it is of no device.
struct alink_session *alink_session_of(const struct alink_sessions *sessions, const void *client);

/// The newest session of a device; the others follow by `next_of_device`, where the names may be others.
struct alink_session *alink_sessions_of_device(
    const struct alink_sessions *sessions, const char *product, size_t product_length,
    const char *device, size_t device_length);

/// Whether a session is of the same device.
bool alink_is_of_device(
    const struct alink_session *session, const char *product, size_t product_length,
    const char *device, size_t device_length);

/// Notes that a client has subscribed; false without memory.
bool alink_session_subscribe(struct alink_session *session, const char *filter);

void alink_session_unsubscribe(struct alink_session *session, const char *filter);

/// Whether a client gets the messages of a topic because it has subscribed.
bool alink_session_hears(const struct alink_session *session, const char *topic);

#endif
