#include "CSecretService.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// The parts of GLib and libsecret that are used, by their stable interface (libsecret 0.19 or later).
// The functions without variable arguments are used.
typedef struct { uint32_t domain; int code; char *message; } error_t_;
typedef struct list_ { void *data; struct list_ *next, *previous; } list_t;

static struct {
    void *(*table_new)(unsigned (*)(const void *), int (*)(const void *, const void *));
    unsigned (*string_hash)(const void *);
    int (*string_equal)(const void *, const void *);
    int (*table_insert)(void *table, void *key, void *value);
    void *(*table_lookup)(void *table, const void *key);
    void (*table_unref)(void *table);
    void (*error_free)(error_t_ *error);
    void (*list_free)(list_t *list);
    void (*object_unref)(void *object);
    void *(*schema_new)(const char *name, int flags, void *types);
    void *(*value_new)(const char *bytes, intptr_t count, const char *type);
    const char *(*value_get)(void *value, size_t *count);
    void (*value_unref)(void *value);
    int (*store)(const void *schema, void *attributes, const char *collection, const char *label,
                 void *value, void *cancellable, error_t_ **error);
    void *(*lookup)(const void *schema, void *attributes, void *cancellable, error_t_ **error);
    int (*clear)(const void *schema, void *attributes, void *cancellable, error_t_ **error);
    list_t *(*search)(const void *schema, void *attributes, int flags, void *cancellable,
                      error_t_ **error);
    void *(*attributes_of)(void *item);
    void *schema;
    char failure[256];
} library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *function_of(void *handle, const char *name) {
    void *function = dlsym(handle, name);
    if (!function && !library.failure[0]) {
        snprintf(library.failure, sizeof library.failure, "libsecret has no %s", name);
    }
    return function;
}

static void load(void) {
    void *handle = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(library.failure, sizeof library.failure, "%s", dlerror());
        return;
    }
    // What a library needs is found by its own handle too.
    *(void **)&library.table_new = function_of(handle, "g_hash_table_new");
    *(void **)&library.string_hash = function_of(handle, "g_str_hash");
    *(void **)&library.string_equal = function_of(handle, "g_str_equal");
    *(void **)&library.table_insert = function_of(handle, "g_hash_table_insert");
    *(void **)&library.table_lookup = function_of(handle, "g_hash_table_lookup");
    *(void **)&library.table_unref = function_of(handle, "g_hash_table_unref");
    *(void **)&library.error_free = function_of(handle, "g_error_free");
    *(void **)&library.list_free = function_of(handle, "g_list_free");
    *(void **)&library.object_unref = function_of(handle, "g_object_unref");
    *(void **)&library.schema_new = function_of(handle, "secret_schema_newv");
    *(void **)&library.value_new = function_of(handle, "secret_value_new");
    *(void **)&library.value_get = function_of(handle, "secret_value_get");
    *(void **)&library.value_unref = function_of(handle, "secret_value_unref");
    *(void **)&library.store = function_of(handle, "secret_password_storev_binary_sync");
    *(void **)&library.lookup = function_of(handle, "secret_password_lookupv_binary_sync");
    *(void **)&library.clear = function_of(handle, "secret_password_clearv_sync");
    *(void **)&library.search = function_of(handle, "secret_password_searchv_sync");
    *(void **)&library.attributes_of = function_of(handle, "secret_retrievable_get_attributes");
    if (library.failure[0]) {
        return;
    }
    void *types = library.table_new(library.string_hash, library.string_equal);
    // The type of both is a text, whose number is 0.
    library.table_insert(types, "service", NULL);
    library.table_insert(types, "account", NULL);
    library.schema = library.schema_new("homeport.Secret", 0, types);
    library.table_unref(types);
}

bool csecret_load(char *message, size_t size) {
    pthread_once(&once, load);
    if (library.failure[0]) {
        snprintf(message, size, "%s", library.failure);
    }
    return !library.failure[0];
}

static void *attributes(const char *service, const char *account) {
    void *table = library.table_new(library.string_hash, library.string_equal);
    if (service) {
        library.table_insert(table, "service", (void *)service);
    }
    if (account) {
        library.table_insert(table, "account", (void *)account);
    }
    return table;
}

static bool has_failed(error_t_ *error, char *message, size_t size) {
    if (!error) {
        return false;
    }
    snprintf(message, size, "%s", error->message);
    library.error_free(error);
    return true;
}

enum csecret_result csecret_store(const char *service, const char *account, const void *bytes,
                                  size_t count, char *message, size_t size) {
    char label[600];
    snprintf(label, sizeof label, "%s: %s", service, account);
    error_t_ *error = NULL;
    void *table = attributes(service, account);
    void *value = library.value_new(bytes, (intptr_t)count, "application/octet-stream");
    library.store(library.schema, table, NULL, label, value, NULL, &error);
    library.value_unref(value);
    library.table_unref(table);
    return has_failed(error, message, size) ? CSECRET_FAILED : CSECRET_DONE;
}

enum csecret_result csecret_lookup(const char *service, const char *account,
                                   csecret_receive receive, void *context, char *message,
                                   size_t size) {
    error_t_ *error = NULL;
    void *table = attributes(service, account);
    void *value = library.lookup(library.schema, table, NULL, &error);
    library.table_unref(table);
    if (has_failed(error, message, size)) {
        return CSECRET_FAILED;
    }
    if (!value) {
        return CSECRET_NONE;
    }
    size_t count = 0;
    const char *bytes = library.value_get(value, &count);
    receive(context, bytes, count);
    library.value_unref(value);
    return CSECRET_DONE;
}

enum csecret_result csecret_clear(const char *service, const char *account, char *message,
                                  size_t size) {
    error_t_ *error = NULL;
    void *table = attributes(service, account);
    int removed = library.clear(library.schema, table, NULL, &error);
    library.table_unref(table);
    if (has_failed(error, message, size)) {
        return CSECRET_FAILED;
    }
    return removed ? CSECRET_DONE : CSECRET_NONE;
}

enum csecret_result csecret_list(csecret_receive receive, void *context, char *message,
                                 size_t size) {
    error_t_ *error = NULL;
    void *table = attributes(NULL, NULL);
    // All of them (1 << 1), without unlocking or loading a secret.
    list_t *items = library.search(library.schema, table, 1 << 1, NULL, &error);
    library.table_unref(table);
    if (has_failed(error, message, size)) {
        return CSECRET_FAILED;
    }
    for (list_t *item = items; item; item = item->next) {
        void *found = library.attributes_of(item->data);
        const char *service = library.table_lookup(found, "service");
        const char *account = library.table_lookup(found, "account");
        if (service && account) {
            receive(context, service, strlen(service));
            receive(context, account, strlen(account));
        }
        library.table_unref(found);
        library.object_unref(item->data);
    }
    library.list_free(items);
    return CSECRET_DONE;
}
