#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Connections to PostgreSQL by libpq, which is opened when it is needed first: a program that uses no such database
// pays nothing, and works where the library is not installed. Every call but the first one of a connection returns
// within the time that it is given. A connection is used by one thread at a time.

typedef struct cpostgresql cpostgresql;
typedef struct cpostgresql_result cpostgresql_result;

/// What a result is.
typedef enum {
    /// Rows, maybe none.
    cpostgresql_rows,
    /// A statement without rows was carried out.
    cpostgresql_done,
    /// The server refused a statement; the fields say why.
    cpostgresql_refused,
    /// The statement was left out, because one before it in the same batch was refused.
    cpostgresql_skipped,
    /// The end of a batch.
    cpostgresql_end,
    /// Something that nobody asked for.
    cpostgresql_other,
} cpostgresql_kind;

/// What a wait came to.
typedef enum { cpostgresql_ready, cpostgresql_late, cpostgresql_lost } cpostgresql_wait;

/// Why the library cannot be used; NULL if it can. The first call opens it.
const char *cpostgresql_unavailable(void);

/// What a URL of a database is like. What the library says of a wrong one may hold a password, so it is not told.
typedef enum { cpostgresql_usable, cpostgresql_unreadable, cpostgresql_with_password } cpostgresql_url;

/// Reads a URL.
cpostgresql_url cpostgresql_check(const char *url);

/// Connects, by lists of names and values that end with NULL; a value of the name `dbname` may be a URL. It blocks
/// for as long as the setting `connect_timeout` says for each address. NULL without memory.
cpostgresql *cpostgresql_connect(const char *const *names, const char *const *values);

/// Whether it is connected, as far as is known.
bool cpostgresql_is_connected(const cpostgresql *connection);

/// What went wrong last; it lives until the next call.
const char *cpostgresql_message(const cpostgresql *connection);

/// Ends the connection.
void cpostgresql_close(cpostgresql *connection);

// A batch: statements, cpostgresql_end_batch, then cpostgresql_next until cpostgresql_end. Each call says whether it
// was taken. Nothing is sent before the wait for the first result.

/// Lets the server know a statement by a name.
bool cpostgresql_prepare(cpostgresql *connection, const char *name, const char *sql);

/// Runs a statement that is known by its name. Formats are 0 for text and 1 for binary; a value that is NULL is a
/// null. Columns come back in binary.
bool cpostgresql_run(cpostgresql *connection, const char *name, int count, const char *const *values,
                     const int *lengths, const int *formats);

/// Ends a batch.
bool cpostgresql_end_batch(cpostgresql *connection);

/// Waits until the next result has come, or a notification.
cpostgresql_wait cpostgresql_await(cpostgresql *connection, int milliseconds);

/// The next result, for which was waited; NULL between the results of two statements.
cpostgresql_result *cpostgresql_next(cpostgresql *connection);

// Notifications come between batches.

/// The socket at which notifications arrive; -1 where there is no connection.
int cpostgresql_socket(const cpostgresql *connection);

/// Reads what has arrived, without waiting; whether the connection goes on.
bool cpostgresql_read(cpostgresql *connection);

/// Copies the text of the next notification that was read, as far as it fits with a zero behind it; whether there was
/// one.
bool cpostgresql_notification(cpostgresql *connection, char *payload, size_t size);

/// Frees a result.
void cpostgresql_clear(cpostgresql_result *result);

cpostgresql_kind cpostgresql_kind_of(const cpostgresql_result *result);

/// A part of a refusal, by its letter: `C` for the SQLSTATE, `M` for the message, `n` for a constraint; NULL where
/// there is none.
const char *cpostgresql_field(const cpostgresql_result *result, char letter);

/// Rows that a statement has changed.
int64_t cpostgresql_changed(const cpostgresql_result *result);

int cpostgresql_row_count(const cpostgresql_result *result);
int cpostgresql_column_count(const cpostgresql_result *result);

/// The type of a column, as PostgreSQL numbers it.
uint32_t cpostgresql_type(const cpostgresql_result *result, int column);

/// The bytes of a value, and how many they are; NULL for a null. They live as long as the result.
const uint8_t *cpostgresql_value(const cpostgresql_result *result, int row, int column, int *length);
