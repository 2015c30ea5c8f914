#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The parts of Qpid Proton that are used, by its stable interface (0.37 or later; soname 11): a build needs no headers
// of it.

enum {
    PN_CONNECTION_REMOTE_CLOSE = 11,
    PN_SESSION_REMOTE_CLOSE = 17,
    PN_LINK_REMOTE_OPEN = 21,
    PN_LINK_REMOTE_CLOSE = 23,
    PN_LINK_REMOTE_DETACH = 25,
    PN_DELIVERY = 28,
    PN_TRANSPORT_ERROR = 31,
    PN_TRANSPORT_CLOSED = 34,
    PN_CONNECTION_WAKE = 42,
    PN_PROACTOR_TIMEOUT = 46,
    PN_PROACTOR_INACTIVE = 47,

    PN_ULONG = 10,
    PN_LONG = 11,
    PN_TIMESTAMP = 12,
    PN_BINARY = 19,
    PN_STRING = 20,
    PN_MAP = 25,

    PN_SSL_MODE_CLIENT = 1,
    PN_SSL_VERIFY_PEER_NAME = 3,
};

#define PN_ACCEPTED UINT64_C(0x24)
#define PN_REJECTED UINT64_C(0x25)

typedef struct {
    size_t size;
    const char *start;
} pn_bytes;

struct proton_functions {
    void *(*proactor)(void);
    void (*proactor_free)(void *proactor);
    void (*proactor_connect2)(void *proactor, void *connection, void *transport, const char *address);
    void *(*proactor_wait)(void *proactor);
    void (*proactor_done)(void *proactor, void *batch);
    void (*proactor_set_timeout)(void *proactor, uint32_t milliseconds);
    void (*proactor_cancel_timeout)(void *proactor);
    void (*proactor_disconnect)(void *proactor, void *condition);
    int (*proactor_addr)(char *address, size_t size, const char *host, const char *port);
    void *(*event_batch_next)(void *batch);
    int (*event_type)(void *event);
    void *(*event_link)(void *event);
    void *(*event_session)(void *event);
    void *(*event_delivery)(void *event);
    void *(*event_transport)(void *event);

    void *(*connection)(void);
    void (*connection_set_container)(void *connection, const char *name);
    void (*connection_set_hostname)(void *connection, const char *name);
    void (*connection_set_user)(void *connection, const char *name);
    void (*connection_set_password)(void *connection, const char *password);
    void (*connection_open)(void *connection);
    void (*connection_close)(void *connection);
    void (*connection_wake)(void *connection);
    void *(*connection_remote_condition)(void *connection);
    void *(*session)(void *connection);
    void (*session_open)(void *session);
    void *(*session_remote_condition)(void *session);
    void *(*receiver)(void *session, const char *name);
    void *(*link_source)(void *link);
    void (*link_open)(void *link);
    void (*link_flow)(void *link, int credit);
    ssize_t (*link_recv)(void *link, char *bytes, size_t count);
    bool (*link_advance)(void *link);
    void *(*link_remote_condition)(void *link);
    int (*terminus_set_address)(void *terminus, const char *address);

    bool (*delivery_readable)(void *delivery);
    bool (*delivery_partial)(void *delivery);
    bool (*delivery_aborted)(void *delivery);
    size_t (*delivery_pending)(void *delivery);
    void (*delivery_update)(void *delivery, uint64_t state);
    void (*delivery_settle)(void *delivery);

    void *(*transport)(void);
    void *(*transport_condition)(void *transport);
    void (*transport_set_idle_timeout)(void *transport, uint32_t milliseconds);
    void (*transport_require_auth)(void *transport, bool is_required);
    void *(*sasl)(void *transport);
    void (*sasl_allowed_mechs)(void *sasl, const char *names);
    void *(*ssl_domain)(int mode);
    void (*ssl_domain_free)(void *domain);
    int (*ssl_domain_set_trusted_ca_db)(void *domain, const char *path);
    int (*ssl_domain_set_peer_authentication)(void *domain, int mode, const char *trusted);
    void *(*ssl)(void *transport);
    int (*ssl_init)(void *ssl, void *domain, const char *session);
    int (*ssl_set_peer_hostname)(void *ssl, const char *name);

    bool (*condition_is_set)(void *condition);
    const char *(*condition_get_name)(void *condition);
    const char *(*condition_get_description)(void *condition);

    void *(*message)(void);
    void (*message_free)(void *message);
    int (*message_decode)(void *message, const char *bytes, size_t count);
    void *(*message_body)(void *message);
    void *(*message_properties)(void *message);
    void (*data_rewind)(void *data);
    bool (*data_next)(void *data);
    bool (*data_enter)(void *data);
    bool (*data_exit)(void *data);
    int (*data_type)(void *data);
    size_t (*data_get_map)(void *data);
    pn_bytes (*data_get_bytes)(void *data);
    int64_t (*data_get_long)(void *data);
    uint64_t (*data_get_ulong)(void *data);
    int64_t (*data_get_timestamp)(void *data);
};

/// The functions of the library, once proton_unavailable() has returned NULL.
extern struct proton_functions proton;

/// Opens the library at the first call. Returns why it cannot be used; NULL if it can.
const char *proton_unavailable(void);
