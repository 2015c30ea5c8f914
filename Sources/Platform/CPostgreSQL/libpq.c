#include "libpq.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct pq_functions pq;
static char failure[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *function_of(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (!function && !failure[0]) {
        snprintf(failure, sizeof failure, "libpq has no %s; install Debian's libpq5 of version 15 or later", name);
    }
    return function;
}

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(failure, sizeof failure, "libpq is not there; install Debian's libpq5 (%.160s)", dlerror());
        return;
    }
    *(void **)&pq.connectdb_params = function_of(library, "PQconnectdbParams");
    *(void **)&pq.status = function_of(library, "PQstatus");
    *(void **)&pq.error_message = function_of(library, "PQerrorMessage");
    *(void **)&pq.finish = function_of(library, "PQfinish");
    *(void **)&pq.socket = function_of(library, "PQsocket");
    *(void **)&pq.set_nonblocking = function_of(library, "PQsetnonblocking");
    *(void **)&pq.enter_pipeline_mode = function_of(library, "PQenterPipelineMode");
    *(void **)&pq.pipeline_sync = function_of(library, "PQpipelineSync");
    *(void **)&pq.send_prepare = function_of(library, "PQsendPrepare");
    *(void **)&pq.send_query_prepared = function_of(library, "PQsendQueryPrepared");
    *(void **)&pq.flush = function_of(library, "PQflush");
    *(void **)&pq.consume_input = function_of(library, "PQconsumeInput");
    *(void **)&pq.is_busy = function_of(library, "PQisBusy");
    *(void **)&pq.get_result = function_of(library, "PQgetResult");
    *(void **)&pq.clear = function_of(library, "PQclear");
    *(void **)&pq.result_status = function_of(library, "PQresultStatus");
    *(void **)&pq.result_error_field = function_of(library, "PQresultErrorField");
    *(void **)&pq.cmd_tuples = function_of(library, "PQcmdTuples");
    *(void **)&pq.ntuples = function_of(library, "PQntuples");
    *(void **)&pq.nfields = function_of(library, "PQnfields");
    *(void **)&pq.ftype = function_of(library, "PQftype");
    *(void **)&pq.getisnull = function_of(library, "PQgetisnull");
    *(void **)&pq.getlength = function_of(library, "PQgetlength");
    *(void **)&pq.getvalue = function_of(library, "PQgetvalue");
    *(void **)&pq.set_notice_receiver = function_of(library, "PQsetNoticeReceiver");
    *(void **)&pq.notifies = function_of(library, "PQnotifies");
    *(void **)&pq.conninfo_parse = function_of(library, "PQconninfoParse");
    *(void **)&pq.conninfo_free = function_of(library, "PQconninfoFree");
    *(void **)&pq.freemem = function_of(library, "PQfreemem");
}

const char *pq_unavailable(void) {
    pthread_once(&once, load);
    return failure[0] ? failure : NULL;
}
