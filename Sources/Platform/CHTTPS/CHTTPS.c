#include "CHTTPS.h"
#include "curl.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct transfer {
    struct transfer *next;
    chttps *client;
    uint64_t number;
    void *easy;
    char *url, *authority;
    uint8_t *body;
    uint8_t *answer;
    size_t answered, limit;
    bool is_too_large, is_cancelled, is_added;
    char date[64];
    char type[100];
    curl_lines headers;
    char failure[CURL_ERROR_SIZE];
    chttps_completion completion;
    void *context;
} transfer;

struct chttps {
    pthread_t thread;
    pthread_mutex_t lock;
    void *multi;
    /// Under the lock: all that have not ended, the newest first.
    transfer *transfers;
    uint64_t last;
    bool stops;
};

const char *chttps_unavailable(void) { return curl_unavailable(); }

// MARK: One transfer

static size_t take_body(char *bytes, size_t size, size_t count, void *owner) {
    transfer *one = owner;
    size_t added = size * count;
    if (added > one->limit - one->answered) {
        one->is_too_large = true;
        return 0;
    }
    uint8_t *grown = realloc(one->answer, one->answered + added + 1);
    if (!grown) return 0;
    memcpy(grown + one->answered, bytes, added);
    one->answer = grown;
    one->answered += added;
    return added;
}

static size_t take_header(char *bytes, size_t size, size_t count, void *owner) {
    transfer *one = owner;
    size_t length = size * count;
    if (length > 6 && strncasecmp(bytes, "date:", 5) == 0) {
        size_t start = 5, end = length;
        while (start < end && (bytes[start] == ' ' || bytes[start] == '\t')) start++;
        while (end > start && (bytes[end - 1] == '\r' || bytes[end - 1] == '\n')) end--;
        if (end - start < sizeof one->date) {
            memcpy(one->date, bytes + start, end - start);
            one->date[end - start] = 0;
        }
    }
    return length;
}

static void free_transfer(transfer *one) {
    if (one->easy) curl.easy_cleanup(one->easy);
    free(one->url);
    free(one->authority);
    free(one->body);
    free(one->answer);
    free(one);
}

/// Whether every option was taken.
static bool prepare(transfer *one, const chttps_request *request) {
    void *easy = one->easy = curl.easy_init();
    if (!easy) return false;
    int failures = 0;
    failures += curl.easy_setopt(easy, CURLOPT_URL, one->url) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https") != 0;
    failures += curl.easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_POST, 1L) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (int64_t)request->count) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_POSTFIELDS, one->body) != 0;
    int length = snprintf(one->type, sizeof one->type, "Content-Type: %s", request->type);
    failures += length < 0 || (size_t)length >= sizeof one->type;
    one->headers.text = one->type;
    failures += curl.easy_setopt(easy, CURLOPT_HTTPHEADER, &one->headers) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_TIMEOUT_MS, request->total_milliseconds) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_WRITEDATA, one) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_HEADERDATA, one) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_ERRORBUFFER, one->failure) != 0;
    failures += curl.easy_setopt(easy, CURLOPT_PRIVATE, one) != 0;
    if (one->authority) {
        failures += curl.easy_setopt(easy, CURLOPT_CAINFO, one->authority) != 0;
        failures += curl.easy_setopt(easy, CURLOPT_CAPATH, NULL) != 0;
    }
    if (request->sent_once) {
        failures += curl.easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L) != 0;
        failures += curl.easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L) != 0;
    }
    return failures == 0;
}

static chttps_result result_of(const transfer *one, int code) {
    if (one->is_cancelled) return chttps_cancelled;
    if (one->is_too_large) return chttps_too_large;
    switch (code) {
    case CURLE_OK: return chttps_answered;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT: return chttps_unreachable;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION: return chttps_tls_refused;
    case CURLE_OPERATION_TIMEDOUT: return chttps_timed_out;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_OUT_OF_MEMORY:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE: return chttps_unusable;
    default: return chttps_lost;
    }
}

/// Tells the end of a transfer that is in no list any more, and frees it.
static void complete(transfer *one, int code) {
    long status = 0, sent = 0;
    curl.easy_getinfo(one->easy, CURLINFO_RESPONSE_CODE, &status);
    curl.easy_getinfo(one->easy, CURLINFO_REQUEST_SIZE, &sent);
    chttps_answer answer = {.result = result_of(one, code),
                            .may_have_left = sent > 0,
                            .status = status,
                            .body = one->answer,
                            .count = one->answered,
                            .date = one->date,
                            .message = ""};
    if (answer.result != chttps_answered) {
        answer.status = 0;
        answer.message = one->failure[0] ? one->failure : curl.easy_strerror(code);
    }
    one->completion(one->context, &answer);
    free_transfer(one);
}

// MARK: The thread

/// Takes a transfer out of the list.
static void forget(chttps *client, transfer *gone) {
    pthread_mutex_lock(&client->lock);
    for (transfer **link = &client->transfers; *link; link = &(*link)->next) {
        if (*link == gone) {
            *link = gone->next;
            break;
        }
    }
    pthread_mutex_unlock(&client->lock);
}

/// Begins what is new. Returns the first that was cancelled; NULL if none was.
static transfer *begin_new(chttps *client) {
    transfer *cancelled = NULL;
    pthread_mutex_lock(&client->lock);
    for (transfer *one = client->transfers; one; one = one->next) {
        if (client->stops) one->is_cancelled = true;
        if (one->is_cancelled) {
            cancelled = one;
        } else if (!one->is_added) {
            one->is_added = true;
            curl.multi_add_handle(client->multi, one->easy);
        }
    }
    pthread_mutex_unlock(&client->lock);
    return cancelled;
}

static void end_finished(chttps *client) {
    int left = 0;
    curl_message *message;
    while ((message = curl.multi_info_read(client->multi, &left))) {
        if (message->kind != CURLMSG_DONE) continue;
        int code = message->data.code;
        transfer *one = NULL;
        curl.easy_getinfo(message->easy, CURLINFO_PRIVATE, &one);
        curl.multi_remove_handle(client->multi, message->easy);
        if (!one) continue;
        forget(client, one);
        complete(one, code);
    }
}

static void *run(void *owner) {
    chttps *client = owner;
    for (;;) {
        transfer *cancelled;
        while ((cancelled = begin_new(client))) {
            if (cancelled->is_added) curl.multi_remove_handle(client->multi, cancelled->easy);
            forget(client, cancelled);
            complete(cancelled, CURLE_OK);
        }
        int running = 0;
        curl.multi_perform(client->multi, &running);
        end_finished(client);
        pthread_mutex_lock(&client->lock);
        bool is_over = client->stops && !client->transfers;
        pthread_mutex_unlock(&client->lock);
        if (is_over) return NULL;
        // Until a socket is ready, the library's own next time, or a wake-up.
        curl.multi_poll(client->multi, NULL, 0, 60000, NULL);
    }
}

// MARK: Clients

chttps *chttps_new(void) {
    if (curl_unavailable()) return NULL;
    chttps *client = calloc(1, sizeof *client);
    if (!client) return NULL;
    client->multi = curl.multi_init();
    pthread_mutex_init(&client->lock, NULL);
    if (!client->multi || pthread_create(&client->thread, NULL, run, client) != 0) {
        if (client->multi) curl.multi_cleanup(client->multi);
        pthread_mutex_destroy(&client->lock);
        free(client);
        return NULL;
    }
    return client;
}

uint64_t chttps_post(chttps *client, const chttps_request *request, chttps_completion completion,
                     void *context) {
    transfer *one = calloc(1, sizeof *one);
    if (!one) return 0;
    one->url = strdup(request->url);
    one->authority = request->authority ? strdup(request->authority) : NULL;
    one->body = malloc(request->count + 1);
    one->limit = request->limit;
    one->completion = completion;
    one->context = context;
    bool is_whole = one->url && one->body && (one->authority || !request->authority);
    if (is_whole) memcpy(one->body, request->body, request->count);
    if (!is_whole || !prepare(one, request)) {
        free_transfer(one);
        return 0;
    }
    pthread_mutex_lock(&client->lock);
    uint64_t number = one->number = ++client->last;
    one->next = client->transfers;
    client->transfers = one;
    pthread_mutex_unlock(&client->lock);
    curl.multi_wakeup(client->multi);
    return number;
}

void chttps_cancel(chttps *client, uint64_t request) {
    pthread_mutex_lock(&client->lock);
    for (transfer *one = client->transfers; one; one = one->next) {
        if (one->number == request) one->is_cancelled = true;
    }
    pthread_mutex_unlock(&client->lock);
    curl.multi_wakeup(client->multi);
}

void chttps_free(chttps *client) {
    pthread_mutex_lock(&client->lock);
    client->stops = true;
    pthread_mutex_unlock(&client->lock);
    curl.multi_wakeup(client->multi);
    pthread_join(client->thread, NULL);
    curl.multi_cleanup(client->multi);
    pthread_mutex_destroy(&client->lock);
    free(client);
}
