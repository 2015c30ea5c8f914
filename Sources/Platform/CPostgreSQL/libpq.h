#pragma once

#include <stdbool.h>
#include <stddef.h>

// What is needed of libpq 15 and later, whose headers need not be there. The names are those of the library.

enum { CONNECTION_OK = 0 };
enum {
    PGRES_COMMAND_OK = 1,
    PGRES_TUPLES_OK = 2,
    PGRES_FATAL_ERROR = 7,
    PGRES_PIPELINE_SYNC = 10,
    PGRES_PIPELINE_ABORTED = 11,
};

typedef struct {
    const char *keyword, *envvar, *compiled, *val, *label, *dispchar;
    int dispsize;
} pq_option;

typedef struct {
    char *channel;
    int process;
    char *payload;
} pq_notification;

typedef void (*pq_notice_receiver)(void *owner, const void *result);

struct pq_functions {
    void *(*connectdb_params)(const char *const *names, const char *const *values, int expand);
    int (*status)(const void *connection);
    char *(*error_message)(const void *connection);
    void (*finish)(void *connection);
    int (*socket)(const void *connection);
    int (*set_nonblocking)(void *connection, int is_on);
    int (*enter_pipeline_mode)(void *connection);
    int (*pipeline_sync)(void *connection);
    int (*send_prepare)(void *connection, const char *name, const char *sql, int count,
                        const unsigned *types);
    int (*send_query_prepared)(void *connection, const char *name, int count, const char *const *values,
                               const int *lengths, const int *formats, int result_format);
    int (*flush)(void *connection);
    int (*consume_input)(void *connection);
    int (*is_busy)(void *connection);
    void *(*get_result)(void *connection);
    void (*clear)(void *result);
    int (*result_status)(const void *result);
    char *(*result_error_field)(const void *result, int letter);
    char *(*cmd_tuples)(void *result);
    int (*ntuples)(const void *result);
    int (*nfields)(const void *result);
    unsigned (*ftype)(const void *result, int column);
    int (*getisnull)(const void *result, int row, int column);
    int (*getlength)(const void *result, int row, int column);
    char *(*getvalue)(const void *result, int row, int column);
    pq_notice_receiver (*set_notice_receiver)(void *connection, pq_notice_receiver receiver, void *owner);
    pq_notification *(*notifies)(void *connection);
    pq_option *(*conninfo_parse)(const char *settings, char **failure);
    void (*conninfo_free)(pq_option *options);
    void (*freemem)(void *memory);
};

extern struct pq_functions pq;

/// Why the library cannot be used; NULL if it can.
const char *pq_unavailable(void);
