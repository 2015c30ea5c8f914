#include "curl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct curl_functions curl;
static char failure[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *function_of(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (!function && !failure[0]) {
        snprintf(failure, sizeof failure, "libcurl has no %s; install Debian's libcurl4", name);
    }
    return function;
}

static void load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(failure, sizeof failure, "libcurl is not there; install Debian's libcurl4 (%.160s)",
                 dlerror());
        return;
    }
    *(void **)&curl.global_init = function_of(library, "curl_global_init");
    *(void **)&curl.easy_init = function_of(library, "curl_easy_init");
    *(void **)&curl.easy_setopt = function_of(library, "curl_easy_setopt");
    *(void **)&curl.easy_getinfo = function_of(library, "curl_easy_getinfo");
    *(void **)&curl.easy_cleanup = function_of(library, "curl_easy_cleanup");
    *(void **)&curl.easy_strerror = function_of(library, "curl_easy_strerror");
    *(void **)&curl.multi_init = function_of(library, "curl_multi_init");
    *(void **)&curl.multi_add_handle = function_of(library, "curl_multi_add_handle");
    *(void **)&curl.multi_remove_handle = function_of(library, "curl_multi_remove_handle");
    *(void **)&curl.multi_perform = function_of(library, "curl_multi_perform");
    *(void **)&curl.multi_poll = function_of(library, "curl_multi_poll");
    *(void **)&curl.multi_wakeup = function_of(library, "curl_multi_wakeup");
    *(void **)&curl.multi_info_read = function_of(library, "curl_multi_info_read");
    *(void **)&curl.multi_cleanup = function_of(library, "curl_multi_cleanup");
    if (!failure[0] && curl.global_init(CURL_GLOBAL_DEFAULT) != 0) {
        snprintf(failure, sizeof failure, "libcurl cannot be set up");
    }
}

const char *curl_unavailable(void) {
    pthread_once(&once, load);
    return failure[0] ? failure : NULL;
}
