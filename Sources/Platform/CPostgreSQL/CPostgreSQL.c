#include "CPostgreSQL.h"
#include "libpq.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The handles are those of the library.

const char *cpostgresql_unavailable(void) { return pq_unavailable(); }

// MARK: Connections

cpostgresql_url cpostgresql_check(const char *url) {
    char *failure = NULL;
    pq_option *options = pq.conninfo_parse(url, &failure);
    if (!options) {
        if (failure) pq.freemem(failure);
        return cpostgresql_unreadable;
    }
    cpostgresql_url kind = cpostgresql_usable;
    for (const pq_option *option = options; option->keyword; option++) {
        bool is_secret = strcmp(option->keyword, "password") == 0 || strcmp(option->keyword, "sslpassword") == 0;
        if (is_secret && option->val && option->val[0]) kind = cpostgresql_with_password;
    }
    pq.conninfo_free(options);
    return kind;
}

/// What the server only remarks would be written to standard error.
static void ignore(void *owner, const void *result) {}

cpostgresql *cpostgresql_connect(const char *const *names, const char *const *values) {
    void *connection = pq.connectdb_params(names, values, 1);
    if (connection && pq.status(connection) == CONNECTION_OK) {
        pq.set_notice_receiver(connection, ignore, NULL);
        pq.set_nonblocking(connection, 1);
        pq.enter_pipeline_mode(connection);
    }
    return connection;
}

bool cpostgresql_is_connected(const cpostgresql *connection) { return pq.status(connection) == CONNECTION_OK; }

const char *cpostgresql_message(const cpostgresql *connection) { return pq.error_message(connection); }

void cpostgresql_close(cpostgresql *connection) { pq.finish(connection); }

// MARK: Batches

bool cpostgresql_prepare(cpostgresql *connection, const char *name, const char *sql) {
    return pq.send_prepare(connection, name, sql, 0, NULL) == 1;
}

bool cpostgresql_run(cpostgresql *connection, const char *name, int count, const char *const *values,
                     const int *lengths, const int *formats) {
    return pq.send_query_prepared(connection, name, count, values, lengths, formats, 1) == 1;
}

bool cpostgresql_end_batch(cpostgresql *connection) { return pq.pipeline_sync(connection) == 1; }

static int64_t milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

cpostgresql_wait cpostgresql_await(cpostgresql *connection, int milliseconds) {
    int64_t end = milliseconds_now() + milliseconds;
    for (;;) {
        int unsent = pq.flush(connection);
        if (unsent < 0) return cpostgresql_lost;
        if (!pq.is_busy(connection)) return cpostgresql_ready;
        int64_t left = end - milliseconds_now();
        if (left <= 0) return cpostgresql_late;
        struct pollfd socket = {.fd = pq.socket(connection), .events = POLLIN | (unsent ? POLLOUT : 0)};
        if (socket.fd < 0) return cpostgresql_lost;
        if (poll(&socket, 1, (int)left) < 0 && errno != EINTR) return cpostgresql_lost;
        if (socket.revents & ~POLLOUT && !pq.consume_input(connection)) return cpostgresql_lost;
    }
}

cpostgresql_result *cpostgresql_next(cpostgresql *connection) { return pq.get_result(connection); }

// MARK: Notifications

int cpostgresql_socket(const cpostgresql *connection) { return pq.socket(connection); }

bool cpostgresql_read(cpostgresql *connection) {
    struct pollfd socket = {.fd = pq.socket(connection), .events = POLLIN};
    // The library reads once, so that the end may be behind it. Nobody tells of that again: libdispatch forgets a socket
    // with its hang-up, and one call stands for that and for the bytes before it.
    do {
        if (pq.consume_input(connection) != 1) return false;
    } while (poll(&socket, 1, 0) > 0);
    return true;
}

bool cpostgresql_notification(cpostgresql *connection, char *payload, size_t size) {
    pq_notification *notification = pq.notifies(connection);
    if (!notification) return false;
    strncpy(payload, notification->payload, size - 1);
    payload[size - 1] = 0;
    pq.freemem(notification);
    return true;
}

// MARK: Results

void cpostgresql_clear(cpostgresql_result *result) { pq.clear(result); }

cpostgresql_kind cpostgresql_kind_of(const cpostgresql_result *result) {
    switch (pq.result_status(result)) {
    case PGRES_TUPLES_OK: return cpostgresql_rows;
    case PGRES_COMMAND_OK: return cpostgresql_done;
    case PGRES_FATAL_ERROR: return cpostgresql_refused;
    case PGRES_PIPELINE_ABORTED: return cpostgresql_skipped;
    case PGRES_PIPELINE_SYNC: return cpostgresql_end;
    default: return cpostgresql_other;
    }
}

const char *cpostgresql_field(const cpostgresql_result *result, char letter) {
    return pq.result_error_field(result, letter);
}

int64_t cpostgresql_changed(const cpostgresql_result *result) {
    return strtoll(pq.cmd_tuples((void *)result), NULL, 10);
}

int cpostgresql_row_count(const cpostgresql_result *result) { return pq.ntuples(result); }

int cpostgresql_column_count(const cpostgresql_result *result) { return pq.nfields(result); }

uint32_t cpostgresql_type(const cpostgresql_result *result, int column) { return pq.ftype(result, column); }

const uint8_t *cpostgresql_value(const cpostgresql_result *result, int row, int column, int *length) {
    *length = 0;
    if (pq.getisnull(result, row, column)) return NULL;
    *length = pq.getlength(result, row, column);
    return (const uint8_t *)pq.getvalue(result, row, column);
}
