#include "CWebSocket.h"

#include <dlfcn.h>
#include <libwebsockets.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Structures differ between minor versions of libwebsockets, so the library that is loaded must be the one
// that the headers belong to. These are the sonames of the versions that Debian has.
#if LWS_LIBRARY_VERSION_MAJOR == 4 && LWS_LIBRARY_VERSION_MINOR == 1
#define LIBRARY "libwebsockets.so.17"
#define PACKAGE "libwebsockets17"
#elif LWS_LIBRARY_VERSION_MAJOR == 4 && LWS_LIBRARY_VERSION_MINOR == 3
#define LIBRARY "libwebsockets.so.19"
#define PACKAGE "libwebsockets19 or libwebsockets19t64"
#else
#error "add the soname of this version of libwebsockets"
#endif

static const size_t most_waiting = 16u << 20;

static struct {
    struct lws_context *(*create)(const struct lws_context_creation_info *info);
    void (*destroy)(struct lws_context *context);
    struct lws *(*connect)(const struct lws_client_connect_info *info);
    int (*service)(struct lws_context *context, int timeout_ms);
    void (*wake)(struct lws_context *context);
    int (*want_to_write)(struct lws *wsi);
    int (*write)(struct lws *wsi, unsigned char *bytes, size_t count, enum lws_write_protocol kind);
    int (*is_first)(struct lws *wsi);
    int (*is_last)(struct lws *wsi);
    int (*is_binary)(struct lws *wsi);
    size_t (*remaining)(struct lws *wsi);
    void (*close_reason)(struct lws *wsi, enum lws_close_status status, unsigned char *bytes,
                         size_t count);
    void *(*context_user)(struct lws_context *context);
    struct lws_context *(*context_of)(const struct lws *wsi);
    void (*log_level)(int level, void (*emit)(int level, const char *line));
    void *(*tls_parameters)(void *tls);
    int (*expect_address)(void *parameters, const char *address);
    char failure[256];
} library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *function_of(void *handle, const char *name) {
    void *function = dlsym(handle, name);
    if (!function && !library.failure[0]) {
        snprintf(library.failure, sizeof library.failure, "%s has no %s", LIBRARY, name);
    }
    return function;
}

static void load(void) {
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(library.failure, sizeof library.failure,
                 "%s; install the Debian package " PACKAGE, dlerror());
        return;
    }
    *(void **)&library.create = function_of(handle, "lws_create_context");
    *(void **)&library.destroy = function_of(handle, "lws_context_destroy");
    *(void **)&library.connect = function_of(handle, "lws_client_connect_via_info");
    *(void **)&library.service = function_of(handle, "lws_service");
    *(void **)&library.wake = function_of(handle, "lws_cancel_service");
    *(void **)&library.want_to_write = function_of(handle, "lws_callback_on_writable");
    *(void **)&library.write = function_of(handle, "lws_write");
    *(void **)&library.is_first = function_of(handle, "lws_is_first_fragment");
    *(void **)&library.is_last = function_of(handle, "lws_is_final_fragment");
    *(void **)&library.is_binary = function_of(handle, "lws_frame_is_binary");
    *(void **)&library.remaining = function_of(handle, "lws_remaining_packet_payload");
    *(void **)&library.close_reason = function_of(handle, "lws_close_reason");
    *(void **)&library.context_user = function_of(handle, "lws_context_user");
    *(void **)&library.context_of = function_of(handle, "lws_get_context");
    *(void **)&library.log_level = function_of(handle, "lws_set_log_level");
    // What a library needs is found by its own handle too.
    *(void **)&library.tls_parameters = function_of(handle, "SSL_CTX_get0_param");
    *(void **)&library.expect_address = function_of(handle, "X509_VERIFY_PARAM_set1_ip_asc");
    if (!library.failure[0]) {
        library.log_level(0, NULL);
    }
}

bool cwebsocket_load(char *message, size_t size) {
    pthread_once(&once, load);
    if (library.failure[0]) {
        snprintf(message, size, "%s", library.failure);
    }
    return !library.failure[0];
}

// A message that waits to be sent, with the room that the library wants before the text.
struct outgoing {
    struct outgoing *next;
    size_t count;
    unsigned char bytes[];
};

struct cwebsocket {
    // What never changes.
    char *host, *path, *authority, *ca_file;
    struct cwebsocket_target target;
    cwebsocket_receive receive;
    void *receiver;
    lws_retry_bo_t liveness;
    struct lws_protocols protocols[2];
    struct lws_context *context;

    // What the socket's thread alone uses.
    struct lws *wsi;
    unsigned char *incoming;
    size_t received, capacity;
    char end[256];
    bool has_ended, is_refused;

    // What the lock protects; the condition is that the owner has closed the socket.
    pthread_mutex_t lock;
    pthread_cond_t closed;
    struct outgoing *first, **last;
    size_t waiting;
    bool is_open, is_closing;
};

static bool has_to_close(cwebsocket *socket) {
    pthread_mutex_lock(&socket->lock);
    bool result = socket->is_closing;
    pthread_mutex_unlock(&socket->lock);
    return result;
}

static void report_end(cwebsocket *socket, const char *reason) {
    if (socket->has_ended) {
        return;
    }
    socket->has_ended = true;
    pthread_mutex_lock(&socket->lock);
    bool is_wanted = !socket->is_closing;
    socket->is_open = false;
    pthread_mutex_unlock(&socket->lock);
    if (is_wanted) {
        const char *text = socket->end[0] ? socket->end : reason;
        socket->receive(socket->receiver,
                        socket->is_refused ? CWEBSOCKET_TLS_REFUSED : CWEBSOCKET_CLOSED, text,
                        strlen(text));
    }
}

// Adds a part of a message. Returns whether the connection can go on.
static bool received(cwebsocket *socket, struct lws *wsi, const void *bytes, size_t count) {
    if (library.is_first(wsi)) {
        socket->received = 0;
    }
    size_t size = socket->received + count;
    if (size > socket->target.largest_message) {
        snprintf(socket->end, sizeof socket->end, "a message is larger than %zu bytes",
                 socket->target.largest_message);
        library.close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL, 0);
        return false;
    }
    if (size > socket->capacity) {
        size_t capacity = size + library.remaining(wsi);
        if (capacity < socket->capacity * 2) {
            capacity = socket->capacity * 2;
        }
        if (capacity > socket->target.largest_message) {
            capacity = socket->target.largest_message;
        }
        void *grown = realloc(socket->incoming, capacity);
        if (!grown) {
            snprintf(socket->end, sizeof socket->end, "no memory for a message");
            return false;
        }
        socket->incoming = grown;
        socket->capacity = capacity;
    }
    if (count) {
        memcpy(socket->incoming + socket->received, bytes, count);
    }
    socket->received = size;
    if (library.is_last(wsi) && !library.remaining(wsi)) {
        if (!library.is_binary(wsi) && !has_to_close(socket)) {
            socket->receive(socket->receiver, CWEBSOCKET_TEXT, socket->incoming, size);
        }
        socket->received = 0;
    }
    return true;
}

// Sends the message that waits longest. Returns whether the connection can go on.
static bool send_next(cwebsocket *socket, struct lws *wsi) {
    pthread_mutex_lock(&socket->lock);
    struct outgoing *message = socket->first;
    if (message) {
        socket->first = message->next;
        if (!socket->first) {
            socket->last = &socket->first;
        }
        socket->waiting -= message->count;
    }
    bool has_more = socket->first != NULL;
    bool is_closing = socket->is_closing;
    pthread_mutex_unlock(&socket->lock);
    if (message) {
        int written = library.write(wsi, message->bytes + LWS_PRE, message->count, LWS_WRITE_TEXT);
        bool is_sent = written >= (int)message->count;
        free(message);
        if (!is_sent) {
            return false;
        }
    }
    if (has_more) {
        library.want_to_write(wsi);
        return true;
    }
    if (is_closing) {
        library.close_reason(wsi, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
        return false;
    }
    return true;
}

static int handle(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *bytes,
                  size_t count) {
    // Not every callback belongs to a connection; the context has the socket always.
    struct lws_context *context = wsi ? library.context_of(wsi) : NULL;
    cwebsocket *socket = context ? library.context_user(context) : NULL;
    if (!socket) {
        return 0;
    }
    switch ((int)reason) {
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS:
        if (socket->target.is_address && user) {
            library.expect_address(library.tls_parameters(user), socket->host);
        }
        return 0;
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        socket->wsi = wsi;
        pthread_mutex_lock(&socket->lock);
        socket->is_open = !socket->is_closing;
        bool is_wanted = socket->is_open;
        pthread_mutex_unlock(&socket->lock);
        if (is_wanted) {
            socket->receive(socket->receiver, CWEBSOCKET_OPEN, "", 0);
        }
        return is_wanted ? 0 : -1;
    case LWS_CALLBACK_CLIENT_RECEIVE: return received(socket, wsi, bytes, count) ? 0 : -1;
    case LWS_CALLBACK_CLIENT_WRITEABLE: return send_next(socket, wsi) ? 0 : -1;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        if (socket->wsi) {
            library.want_to_write(socket->wsi);
        }
        return 0;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        if (socket->target.uses_tls && bytes && strstr(bytes, "SSL")) {
            socket->is_refused = true;
            snprintf(socket->end, sizeof socket->end,
                     "TLS: the server's certificate was not accepted, or it speaks no TLS (%.*s)",
                     (int)count, (const char *)bytes);
        } else if (bytes && count) {
            snprintf(socket->end, sizeof socket->end, "%.*s", (int)count, (const char *)bytes);
        }
        socket->wsi = NULL;
        report_end(socket, "the server cannot be reached");
        return 0;
    case LWS_CALLBACK_CLIENT_CLOSED:
        socket->wsi = NULL;
        report_end(socket, "the server closed the connection");
        return 0;
    default: return 0;
    }
}

static void run(cwebsocket *socket) {
    while (library.service(socket->context, 0) >= 0 && !socket->has_ended) {
        // Without a connection there is nothing to finish.
        if (!socket->wsi && has_to_close(socket)) {
            break;
        }
    }
    report_end(socket, "the connection ended");
}

static struct lws_context *make_context(cwebsocket *socket) {
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    info.port = CONTEXT_PORT_NO_LISTEN;
    info.protocols = socket->protocols;
    info.user = socket;
    info.fd_limit_per_thread = 16;
    info.retry_and_idle_policy = &socket->liveness;
    if (socket->target.uses_tls) {
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        if (socket->ca_file) {
            info.options |= LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;
            info.client_ssl_ca_filepath = socket->ca_file;
        }
    }
    // The library changes what the whole process does with a broken pipe.
    struct sigaction former;
    sigaction(SIGPIPE, NULL, &former);
    struct lws_context *context = library.create(&info);
    sigaction(SIGPIPE, &former, NULL);
    return context;
}

static bool begin_connecting(cwebsocket *socket) {
    struct lws_client_connect_info info;
    memset(&info, 0, sizeof info);
    info.context = socket->context;
    info.address = socket->host;
    info.port = socket->target.port;
    info.path = socket->path;
    info.host = socket->target.uses_tls && !socket->target.is_address ? socket->host
                                                                        : socket->authority;
    info.origin = NULL;
    info.ietf_version_or_minus_one = -1;
    info.local_protocol_name = socket->protocols[0].name;
    info.retry_and_idle_policy = &socket->liveness;
    if (socket->target.uses_tls) {
        info.ssl_connection = LCCSCF_USE_SSL;
        // The address is checked by the parameters of the TLS context.
        if (socket->target.is_address) {
            info.ssl_connection |= LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK;
        }
    }
    // Where it fails at once, the failure was reported by the callback.
    return library.connect(&info) != NULL || socket->end[0] || socket->has_ended;
}

static void release(cwebsocket *socket) {
    if (socket->context) {
        library.destroy(socket->context);
    }
    while (socket->first) {
        struct outgoing *message = socket->first;
        socket->first = message->next;
        free(message);
    }
    pthread_mutex_destroy(&socket->lock);
    pthread_cond_destroy(&socket->closed);
    free(socket->incoming);
    free(socket->host);
    free(socket->path);
    free(socket->authority);
    free(socket->ca_file);
    free(socket);
}

static void *connect_and_run(void *argument) {
    cwebsocket *socket = argument;
    if (begin_connecting(socket)) {
        run(socket);
    } else {
        report_end(socket, "the server cannot be reached");
    }
    pthread_mutex_lock(&socket->lock);
    while (!socket->is_closing) {
        pthread_cond_wait(&socket->closed, &socket->lock);
    }
    pthread_mutex_unlock(&socket->lock);
    socket->receive(socket->receiver, CWEBSOCKET_RELEASED, "", 0);
    release(socket);
    return NULL;
}

// Starts the socket's thread, which gets no signals: a broken pipe must not end the program.
static bool start(cwebsocket *socket) {
    sigset_t every, former;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &former);
    pthread_t thread;
    int failure = pthread_create(&thread, NULL, connect_and_run, socket);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    if (!failure) {
        pthread_detach(thread);
    }
    return failure == 0;
}

cwebsocket *cwebsocket_open(const struct cwebsocket_target *target, cwebsocket_receive receive,
                            void *context, char *message, size_t size) {
    if (!cwebsocket_load(message, size)) {
        return NULL;
    }
    cwebsocket *socket = calloc(1, sizeof *socket);
    if (!socket) {
        snprintf(message, size, "no memory for a connection");
        return NULL;
    }
    pthread_mutex_init(&socket->lock, NULL);
    pthread_cond_init(&socket->closed, NULL);
    socket->last = &socket->first;
    socket->target = *target;
    socket->host = strdup(target->host);
    socket->path = strdup(target->path);
    socket->authority = strdup(target->authority);
    socket->ca_file = target->ca_file ? strdup(target->ca_file) : NULL;
    socket->receive = receive;
    socket->receiver = context;
    socket->liveness.secs_since_valid_ping = target->silence_s;
    socket->liveness.secs_since_valid_hangup = (unsigned short)(2 * target->silence_s);
    socket->protocols[0].name = "homeport";
    socket->protocols[0].callback = handle;
    socket->protocols[0].rx_buffer_size = 65536;
    bool has_memory = socket->host && socket->path && socket->authority
        && (!target->ca_file || socket->ca_file);
    if (has_memory) {
        socket->context = make_context(socket);
    }
    if (!socket->context || !start(socket)) {
        snprintf(message, size,
                 target->ca_file ? "the connection cannot be set up; check the file of authorities"
                                 : "the connection cannot be set up: no memory or no thread");
        release(socket);
        return NULL;
    }
    return socket;
}

bool cwebsocket_send(cwebsocket *socket, const void *bytes, size_t count) {
    struct outgoing *message = malloc(sizeof *message + LWS_PRE + count);
    if (!message) {
        return false;
    }
    message->next = NULL;
    message->count = count;
    memcpy(message->bytes + LWS_PRE, bytes, count);
    pthread_mutex_lock(&socket->lock);
    bool is_taken = socket->is_open && !socket->is_closing
        && (!socket->first || socket->waiting + count <= most_waiting);
    if (is_taken) {
        *socket->last = message;
        socket->last = &message->next;
        socket->waiting += count;
        library.wake(socket->context);
    }
    pthread_mutex_unlock(&socket->lock);
    if (!is_taken) {
        free(message);
    }
    return is_taken;
}

void cwebsocket_close(cwebsocket *socket) {
    pthread_mutex_lock(&socket->lock);
    socket->is_closing = true;
    socket->is_open = false;
    // Under the lock, because the thread frees the socket once it has seen this.
    library.wake(socket->context);
    pthread_cond_signal(&socket->closed);
    pthread_mutex_unlock(&socket->lock);
}
