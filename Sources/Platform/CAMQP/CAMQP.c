#include "CAMQP.h"
#include "proton.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How many messages may be sent before one is accepted.
enum { CREDIT = 32 };

typedef struct {
    /// 0 for a free place.
    uint64_t number;
    void *delivery;
    /// Under the lock: whether it is to be accepted.
    bool is_accepted;
} unsettled;

struct camqp {
    pthread_t thread;
    camqp_events events;
    size_t limit;
    void *proactor, *connection, *link;
    char condition[128], description[512];
    bool is_attached;

    pthread_mutex_t lock;
    /// Under the lock: whether the connection may still be woken.
    bool is_open;
    bool stops;
    /// Numbers are written under the lock; deliveries belong to the thread.
    unsettled unsettled[CREDIT];
    uint64_t last;
};

const char *camqp_unavailable(void) { return proton_unavailable(); }

// MARK: Messages

static bool is_text(int type) { return type == PN_BINARY || type == PN_STRING; }

static int64_t number_in(void *data) {
    switch (proton.data_type(data)) {
    case PN_LONG: return proton.data_get_long(data);
    case PN_ULONG: return (int64_t)proton.data_get_ulong(data);
    case PN_TIMESTAMP: return proton.data_get_timestamp(data);
    default: return 0;
    }
}

static void read_property(void *data, pn_bytes name, camqp_message *read) {
    pn_bytes text = {0, NULL};
    if (is_text(proton.data_type(data))) text = proton.data_get_bytes(data);
    if (name.size == 5 && memcmp(name.start, "topic", 5) == 0) {
        read->topic = text.start;
        read->topic_count = text.size;
    } else if (name.size == 9 && memcmp(name.start, "messageId", 9) == 0) {
        read->message_id = text.start;
        read->message_id_count = text.size;
    } else if (name.size == 12 && memcmp(name.start, "generateTime", 12) == 0) {
        read->generated = number_in(data);
    }
}

static void read_message(void *message, camqp_message *read) {
    void *body = proton.message_body(message);
    proton.data_rewind(body);
    if (proton.data_next(body) && is_text(proton.data_type(body))) {
        pn_bytes bytes = proton.data_get_bytes(body);
        read->body = bytes.start;
        read->body_count = bytes.size;
    }
    void *properties = proton.message_properties(message);
    proton.data_rewind(properties);
    if (!proton.data_next(properties) || proton.data_type(properties) != PN_MAP) return;
    size_t count = proton.data_get_map(properties);
    proton.data_enter(properties);
    for (size_t i = 0; i + 1 < count; i += 2) {
        if (!proton.data_next(properties)) break;
        bool is_named = is_text(proton.data_type(properties));
        pn_bytes name = {0, ""};
        if (is_named) name = proton.data_get_bytes(properties);
        if (!proton.data_next(properties)) break;
        if (is_named) read_property(properties, name, read);
    }
    proton.data_exit(properties);
}

/// The number of a delivery that is kept until it is accepted.
static uint64_t keep(camqp *self, void *delivery) {
    uint64_t number = 0;
    pthread_mutex_lock(&self->lock);
    for (int i = 0; i < CREDIT && !number; i++) {
        if (self->unsettled[i].number) continue;
        number = ++self->last;
        self->unsettled[i] = (unsettled){.number = number, .delivery = delivery};
    }
    pthread_mutex_unlock(&self->lock);
    return number;
}

static void settle(camqp *self, void *delivery, uint64_t state) {
    proton.delivery_update(delivery, state);
    proton.delivery_settle(delivery);
    proton.link_flow(self->link, 1);
}

static void receive(camqp *self, void *link, void *delivery) {
    if (proton.delivery_aborted(delivery)) {
        proton.delivery_settle(delivery);
        proton.link_flow(link, 1);
        return;
    }
    if (!proton.delivery_readable(delivery)) return;
    size_t count = proton.delivery_pending(delivery);
    if (count > self->limit) return settle(self, delivery, PN_REJECTED);
    if (proton.delivery_partial(delivery)) return;
    char *bytes = malloc(count + 1);
    void *message = proton.message();
    ssize_t received = bytes ? proton.link_recv(link, bytes, count) : 0;
    camqp_message read = {.body = "", .topic = "", .message_id = ""};
    bool is_message = message && received > 0 &&
                      proton.message_decode(message, bytes, (size_t)received) == 0;
    proton.link_advance(link);
    read.delivery = is_message ? keep(self, delivery) : 0;
    if (read.delivery) {
        read_message(message, &read);
        self->events.received(self->events.owner, &read);
    } else {
        settle(self, delivery, PN_REJECTED);
    }
    if (message) proton.message_free(message);
    free(bytes);
}

/// Settles what was accepted since the last time, and closes where that is asked for.
static void catch_up(camqp *self) {
    void *accepted[CREDIT];
    int count = 0;
    pthread_mutex_lock(&self->lock);
    for (int i = 0; i < CREDIT; i++) {
        if (!self->unsettled[i].number || !self->unsettled[i].is_accepted) continue;
        accepted[count++] = self->unsettled[i].delivery;
        self->unsettled[i].number = 0;
    }
    bool stops = self->stops;
    pthread_mutex_unlock(&self->lock);
    for (int i = 0; i < count; i++) settle(self, accepted[i], PN_ACCEPTED);
    if (stops) {
        proton.connection_close(self->connection);
        proton.proactor_set_timeout(self->proactor, 1000);
    }
}

// MARK: Events

static void note(camqp *self, void *condition) {
    if (self->condition[0] || !condition || !proton.condition_is_set(condition)) return;
    const char *name = proton.condition_get_name(condition);
    const char *description = proton.condition_get_description(condition);
    snprintf(self->condition, sizeof self->condition, "%s", name ? name : "amqp:connection:forced");
    snprintf(self->description, sizeof self->description, "%s", description ? description : "");
}

/// Handles one event. Returns whether the connection has ended.
static bool handle(camqp *self, void *event) {
    switch (proton.event_type(event)) {
    case PN_LINK_REMOTE_OPEN:
        // A refused link is opened without a source, and closed at once.
        if (!self->is_attached) {
            self->is_attached = true;
            proton.link_flow(self->link, CREDIT);
            self->events.attached(self->events.owner);
        }
        return false;
    case PN_DELIVERY:
        receive(self, proton.event_link(event), proton.event_delivery(event));
        return false;
    case PN_CONNECTION_WAKE: catch_up(self); return false;
    case PN_LINK_REMOTE_CLOSE:
    case PN_LINK_REMOTE_DETACH:
        note(self, proton.link_remote_condition(proton.event_link(event)));
        proton.connection_close(self->connection);
        return false;
    case PN_SESSION_REMOTE_CLOSE:
        note(self, proton.session_remote_condition(proton.event_session(event)));
        proton.connection_close(self->connection);
        return false;
    case PN_CONNECTION_REMOTE_CLOSE:
        note(self, proton.connection_remote_condition(self->connection));
        proton.connection_close(self->connection);
        return false;
    case PN_TRANSPORT_ERROR:
        note(self, proton.transport_condition(proton.event_transport(event)));
        return false;
    case PN_TRANSPORT_CLOSED:
        note(self, proton.transport_condition(proton.event_transport(event)));
        pthread_mutex_lock(&self->lock);
        self->is_open = false;
        pthread_mutex_unlock(&self->lock);
        proton.proactor_cancel_timeout(self->proactor);
        return false;
    // The other end did not answer a close.
    case PN_PROACTOR_TIMEOUT: proton.proactor_disconnect(self->proactor, NULL); return false;
    case PN_PROACTOR_INACTIVE: return true;
    default: return false;
    }
}

static void *run(void *owner) {
    camqp *self = owner;
    bool is_over = false;
    while (!is_over) {
        void *batch = proton.proactor_wait(self->proactor);
        void *event;
        while ((event = proton.event_batch_next(batch))) is_over = handle(self, event) || is_over;
        proton.proactor_done(self->proactor, batch);
    }
    proton.proactor_free(self->proactor);
    self->proactor = NULL;
    if (!self->condition[0]) {
        snprintf(self->condition, sizeof self->condition, "amqp:connection:forced");
        snprintf(self->description, sizeof self->description, "the connection was closed");
    }
    self->events.ended(self->events.owner, self->condition, self->description);
    return NULL;
}

// MARK: Connections

static bool connect_to(camqp *self, const camqp_settings *settings) {
    void *domain = proton.ssl_domain(PN_SSL_MODE_CLIENT);
    if (!domain) return false;
    void *transport = proton.transport();
    self->connection = proton.connection();
    bool is_set =
        transport && self->connection &&
        proton.ssl_domain_set_trusted_ca_db(domain, settings->authority) == 0 &&
        proton.ssl_domain_set_peer_authentication(domain, PN_SSL_VERIFY_PEER_NAME, NULL) == 0;
    if (is_set) {
        void *ssl = proton.ssl(transport);
        is_set = proton.ssl_init(ssl, domain, NULL) == 0 &&
                 proton.ssl_set_peer_hostname(ssl, settings->host) == 0;
    }
    proton.ssl_domain_free(domain);
    if (!is_set) return false;
    proton.sasl_allowed_mechs(proton.sasl(transport), "PLAIN");
    proton.transport_require_auth(transport, true);
    proton.transport_set_idle_timeout(transport, settings->idle_milliseconds);
    proton.connection_set_container(self->connection, settings->container);
    proton.connection_set_hostname(self->connection, settings->host);
    proton.connection_set_user(self->connection, settings->user);
    proton.connection_set_password(self->connection, settings->password);
    proton.connection_open(self->connection);
    void *session = proton.session(self->connection);
    proton.session_open(session);
    self->link = proton.receiver(session, "homeport");
    proton.terminus_set_address(proton.link_source(self->link), settings->source);
    proton.link_open(self->link);
    char address[512];
    if (proton.proactor_addr(address, sizeof address, settings->host, settings->port) < 0) return false;
    self->is_open = true;
    proton.proactor_connect2(self->proactor, self->connection, transport, address);
    return true;
}

camqp *camqp_start(const camqp_settings *settings, camqp_events events) {
    if (proton_unavailable()) return NULL;
    camqp *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    pthread_mutex_init(&self->lock, NULL);
    self->events = events;
    self->limit = settings->limit;
    self->proactor = proton.proactor();
    if (self->proactor && connect_to(self, settings) &&
        pthread_create(&self->thread, NULL, run, self) == 0) {
        return self;
    }
    if (self->proactor) proton.proactor_free(self->proactor);
    pthread_mutex_destroy(&self->lock);
    free(self);
    return NULL;
}

void camqp_accept(camqp *self, uint64_t delivery) {
    pthread_mutex_lock(&self->lock);
    for (int i = 0; i < CREDIT; i++) {
        if (self->unsettled[i].number == delivery) self->unsettled[i].is_accepted = true;
    }
    if (self->is_open) proton.connection_wake(self->connection);
    pthread_mutex_unlock(&self->lock);
}

void camqp_stop(camqp *self) {
    pthread_mutex_lock(&self->lock);
    self->stops = true;
    if (self->is_open) proton.connection_wake(self->connection);
    pthread_mutex_unlock(&self->lock);
}

void camqp_free(camqp *self) {
    if (pthread_equal(pthread_self(), self->thread)) {
        pthread_detach(self->thread);
    } else {
        pthread_join(self->thread, NULL);
    }
    pthread_mutex_destroy(&self->lock);
    free(self);
}
