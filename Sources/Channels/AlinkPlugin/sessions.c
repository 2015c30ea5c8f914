#include "sessions.h"
#include "topics.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096

struct alink_sessions {
    struct alink_session *first;
    struct alink_session *by_device[BUCKETS], *by_client[BUCKETS];
};

static size_t device_bucket(
    const char *product, size_t product_length, const char *device, size_t device_length) {
    size_t hash = 5381;
    for (size_t i = 0; i < product_length; i++) hash = hash * 33 ^ (unsigned char)product[i];
    for (size_t i = 0; i < device_length; i++) hash = hash * 33 ^ (unsigned char)device[i];
    return hash % BUCKETS;
}

static size_t bucket_of_device(const struct alink_session *session) {
    return device_bucket(
        session->product, strlen(session->product), session->device, strlen(session->device));
}

static size_t bucket_of_client(const void *client) {
    return ((uintptr_t)client >> 4) % BUCKETS;
}

struct alink_sessions *alink_sessions_make(void) {
    return calloc(1, sizeof(struct alink_sessions));
}

static void forget_filters(struct alink_session *session) {
    for (struct alink_filter *filter = session->filters, *next; filter; filter = next) {
        next = filter->next;
        free(filter);
    }
    session->filters = NULL;
}

static void free_session(struct alink_session *session) {
    forget_filters(session);
    free(session->client_id);
    free(session->product);
    free(session->device);
    free(session->credential);
    free(session);
}

void alink_sessions_free(struct alink_sessions *sessions) {
    if (!sessions) return;
    for (struct alink_session *session = sessions->first, *next; session; session = next) {
        next = session->next;
        free_session(session);
    }
    free(sessions);
}

struct alink_session *alink_session_add(
    struct alink_sessions *sessions, const void *client, const struct alink_client_id *id,
    const char *client_id, const char *product, const char *device, const char *credential) {
    struct alink_session *session = calloc(1, sizeof(*session));
    if (!session) return NULL;
    session->client = client;
    session->client_id = strdup(client_id);
    session->product = strdup(product);
    session->device = strdup(device);
    session->credential = strdup(credential);
    if (!session->client_id || !session->product || !session->device || !session->credential) {
        free_session(session);
        return NULL;
    }
    session->login = id->login;
    session->stage = ALINK_ARRIVING;
    session->subscribed_by_server = id->subscribed_by_server;
    struct alink_session **of_device = &sessions->by_device[bucket_of_device(session)];
    struct alink_session **of_client = &sessions->by_client[bucket_of_client(client)];
    session->next = sessions->first;
    session->next_of_device = *of_device;
    session->next_of_client = *of_client;
    sessions->first = *of_device = *of_client = session;
    return session;
}

/// Takes a session out of those that are found by their connection.
static void leave_client(struct alink_sessions *sessions, struct alink_session *session) {
    if (!session->client) return;
    struct alink_session **link = &sessions->by_client[bucket_of_client(session->client)];
    while (*link != session) link = &(*link)->next_of_client;
    *link = session->next_of_client;
    session->next_of_client = NULL;
    session->client = NULL;
}

void alink_session_remove(struct alink_sessions *sessions, struct alink_session *session) {
    leave_client(sessions, session);
    struct alink_session **link = &sessions->first;
    while (*link != session) link = &(*link)->next;
    *link = session->next;
    link = &sessions->by_device[bucket_of_device(session)];
    while (*link != session) link = &(*link)->next_of_device;
    *link = session->next_of_device;
    free_session(session);
}

void alink_session_keep(struct alink_sessions *sessions, struct alink_session *session) {
    leave_client(sessions, session);
    session->stage = ALINK_KEPT;
}

struct alink_session *alink_sessions_first(const struct alink_sessions *sessions) {
    return sessions->first;
}

struct alink_session *alink_session_of(const struct alink_sessions *sessions, const void *client) {
    struct alink_session *session = sessions->by_client[bucket_of_client(client)];
    while (session && session->client != client) session = session->next_of_client;
    return session;
}

bool alink_is_of_device(
    const struct alink_session *session, const char *product, size_t product_length,
    const char *device, size_t device_length) {
    return strlen(session->product) == product_length && strlen(session->device) == device_length
           && memcmp(session->product, product, product_length) == 0
           && memcmp(session->device, device, device_length) == 0;
}

struct alink_session *alink_sessions_of_device(
    const struct alink_sessions *sessions, const char *product, size_t product_length,
    const char *device, size_t device_length) {
    return sessions
        ->by_device[device_bucket(product, product_length, device, device_length)];
}

bool alink_session_subscribe(struct alink_session *session, const char *filter) {
    for (struct alink_filter *known = session->filters; known; known = known->next)
        if (strcmp(known->text, filter) == 0) return true;
    struct alink_filter *added = malloc(sizeof(*added) + strlen(filter) + 1);
    if (!added) return false;
    strcpy(added->text, filter);
    added->next = session->filters;
    session->filters = added;
    return true;
}

void alink_session_unsubscribe(struct alink_session *session, const char *filter) {
    struct alink_filter **link = &session->filters;
    while (*link && strcmp((*link)->text, filter) != 0) link = &(*link)->next;
    if (!*link) return;
    struct alink_filter *removed = *link;
    *link = removed->next;
    free(removed);
}

bool alink_session_hears(const struct alink_session *session, const char *topic) {
    for (struct alink_filter *filter = session->filters; filter; filter = filter->next)
        if (alink_matches(filter->text, topic)) return true;
    return false;
}
