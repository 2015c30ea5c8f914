#pragma once

#include <stdint.h>

// The parts of libcurl that are used, by its stable interface (libcurl 7.85 or later; soname 4): a build needs no
// headers of it.

enum {
    CURLOPT_WRITEDATA = 10001,
    CURLOPT_URL = 10002,
    CURLOPT_ERRORBUFFER = 10010,
    CURLOPT_POSTFIELDS = 10015,
    CURLOPT_HTTPHEADER = 10023,
    CURLOPT_HEADERDATA = 10029,
    CURLOPT_SSLVERSION = 32,
    CURLOPT_POST = 47,
    CURLOPT_FOLLOWLOCATION = 52,
    CURLOPT_SSL_VERIFYPEER = 64,
    CURLOPT_CAINFO = 10065,
    CURLOPT_FRESH_CONNECT = 74,
    CURLOPT_FORBID_REUSE = 75,
    CURLOPT_SSL_VERIFYHOST = 81,
    CURLOPT_HTTP_VERSION = 84,
    CURLOPT_CAPATH = 10097,
    CURLOPT_NOSIGNAL = 99,
    CURLOPT_PRIVATE = 10103,
    CURLOPT_TIMEOUT_MS = 155,
    CURLOPT_CONNECTTIMEOUT_MS = 156,
    CURLOPT_WRITEFUNCTION = 20011,
    CURLOPT_HEADERFUNCTION = 20079,
    CURLOPT_POSTFIELDSIZE_LARGE = 30120,
    CURLOPT_PROTOCOLS_STR = 10318,

    CURLINFO_RESPONSE_CODE = 0x200002,
    CURLINFO_REQUEST_SIZE = 0x20000C,
    CURLINFO_PRIVATE = 0x100015,

    CURLE_OK = 0,
    CURLE_UNSUPPORTED_PROTOCOL = 1,
    CURLE_URL_MALFORMAT = 3,
    CURLE_COULDNT_RESOLVE_PROXY = 5,
    CURLE_COULDNT_RESOLVE_HOST = 6,
    CURLE_COULDNT_CONNECT = 7,
    CURLE_OUT_OF_MEMORY = 27,
    CURLE_OPERATION_TIMEDOUT = 28,
    CURLE_SSL_CONNECT_ERROR = 35,
    CURLE_SSL_CERTPROBLEM = 58,
    CURLE_PEER_FAILED_VERIFICATION = 60,
    CURLE_SSL_CACERT_BADFILE = 77,
    CURLE_SSL_ISSUER_ERROR = 83,

    CURLMSG_DONE = 1,
    CURL_ERROR_SIZE = 256,
};

#define CURL_HTTP_VERSION_1_1 2L
#define CURL_SSLVERSION_TLSv1_2 6L
#define CURL_GLOBAL_DEFAULT 3L

/// curl_slist: lines that the library reads.
typedef struct curl_lines {
    char *text;
    struct curl_lines *next;
} curl_lines;

/// CURLMsg.
typedef struct {
    int kind;
    void *easy;
    union {
        void *other;
        int code;
    } data;
} curl_message;

struct curl_functions {
    int (*global_init)(long flags);
    void *(*easy_init)(void);
    int (*easy_setopt)(void *easy, int option, ...);
    int (*easy_getinfo)(void *easy, int info, ...);
    void (*easy_cleanup)(void *easy);
    const char *(*easy_strerror)(int code);
    void *(*multi_init)(void);
    int (*multi_add_handle)(void *multi, void *easy);
    int (*multi_remove_handle)(void *multi, void *easy);
    int (*multi_perform)(void *multi, int *running);
    int (*multi_poll)(void *multi, void *more, unsigned count, int milliseconds, int *ready);
    int (*multi_wakeup)(void *multi);
    curl_message *(*multi_info_read)(void *multi, int *left);
    int (*multi_cleanup)(void *multi);
};

/// The functions of the library, once curl_unavailable() has returned NULL.
extern struct curl_functions curl;

/// Opens the library at the first call. Returns why it cannot be used; NULL if it can.
const char *curl_unavailable(void);
