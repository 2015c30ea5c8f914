#include "proton.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct proton_functions proton;
static char failure[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *function_of(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (!function && !failure[0]) {
        snprintf(failure, sizeof failure, "Qpid Proton has no %s; install Debian's libqpid-proton11",
                 name);
    }
    return function;
}

static void load(void) {
    void *library = dlopen("libqpid-proton.so.11", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(failure, sizeof failure,
                 "Qpid Proton is not there; install Debian's libqpid-proton11 (%.150s)", dlerror());
        return;
    }
    *(void **)&proton.proactor = function_of(library, "pn_proactor");
    *(void **)&proton.proactor_free = function_of(library, "pn_proactor_free");
    *(void **)&proton.proactor_connect2 = function_of(library, "pn_proactor_connect2");
    *(void **)&proton.proactor_wait = function_of(library, "pn_proactor_wait");
    *(void **)&proton.proactor_done = function_of(library, "pn_proactor_done");
    *(void **)&proton.proactor_set_timeout = function_of(library, "pn_proactor_set_timeout");
    *(void **)&proton.proactor_cancel_timeout = function_of(library, "pn_proactor_cancel_timeout");
    *(void **)&proton.proactor_disconnect = function_of(library, "pn_proactor_disconnect");
    *(void **)&proton.proactor_addr = function_of(library, "pn_proactor_addr");
    *(void **)&proton.event_batch_next = function_of(library, "pn_event_batch_next");
    *(void **)&proton.event_type = function_of(library, "pn_event_type");
    *(void **)&proton.event_link = function_of(library, "pn_event_link");
    *(void **)&proton.event_session = function_of(library, "pn_event_session");
    *(void **)&proton.event_delivery = function_of(library, "pn_event_delivery");
    *(void **)&proton.event_transport = function_of(library, "pn_event_transport");
    *(void **)&proton.connection = function_of(library, "pn_connection");
    *(void **)&proton.connection_set_container = function_of(library, "pn_connection_set_container");
    *(void **)&proton.connection_set_hostname = function_of(library, "pn_connection_set_hostname");
    *(void **)&proton.connection_set_user = function_of(library, "pn_connection_set_user");
    *(void **)&proton.connection_set_password = function_of(library, "pn_connection_set_password");
    *(void **)&proton.connection_open = function_of(library, "pn_connection_open");
    *(void **)&proton.connection_close = function_of(library, "pn_connection_close");
    *(void **)&proton.connection_wake = function_of(library, "pn_connection_wake");
    *(void **)&proton.connection_remote_condition = function_of(library, "pn_connection_remote_condition");
    *(void **)&proton.session = function_of(library, "pn_session");
    *(void **)&proton.session_open = function_of(library, "pn_session_open");
    *(void **)&proton.session_remote_condition = function_of(library, "pn_session_remote_condition");
    *(void **)&proton.receiver = function_of(library, "pn_receiver");
    *(void **)&proton.link_source = function_of(library, "pn_link_source");
    *(void **)&proton.link_open = function_of(library, "pn_link_open");
    *(void **)&proton.link_flow = function_of(library, "pn_link_flow");
    *(void **)&proton.link_recv = function_of(library, "pn_link_recv");
    *(void **)&proton.link_advance = function_of(library, "pn_link_advance");
    *(void **)&proton.link_remote_condition = function_of(library, "pn_link_remote_condition");
    *(void **)&proton.terminus_set_address = function_of(library, "pn_terminus_set_address");
    *(void **)&proton.delivery_readable = function_of(library, "pn_delivery_readable");
    *(void **)&proton.delivery_partial = function_of(library, "pn_delivery_partial");
    *(void **)&proton.delivery_aborted = function_of(library, "pn_delivery_aborted");
    *(void **)&proton.delivery_pending = function_of(library, "pn_delivery_pending");
    *(void **)&proton.delivery_update = function_of(library, "pn_delivery_update");
    *(void **)&proton.delivery_settle = function_of(library, "pn_delivery_settle");
    *(void **)&proton.transport = function_of(library, "pn_transport");
    *(void **)&proton.transport_condition = function_of(library, "pn_transport_condition");
    *(void **)&proton.transport_set_idle_timeout = function_of(library, "pn_transport_set_idle_timeout");
    *(void **)&proton.transport_require_auth = function_of(library, "pn_transport_require_auth");
    *(void **)&proton.sasl = function_of(library, "pn_sasl");
    *(void **)&proton.sasl_allowed_mechs = function_of(library, "pn_sasl_allowed_mechs");
    *(void **)&proton.ssl_domain = function_of(library, "pn_ssl_domain");
    *(void **)&proton.ssl_domain_free = function_of(library, "pn_ssl_domain_free");
    *(void **)&proton.ssl_domain_set_trusted_ca_db = function_of(library, "pn_ssl_domain_set_trusted_ca_db");
    *(void **)&proton.ssl_domain_set_peer_authentication = function_of(library, "pn_ssl_domain_set_peer_authentication");
    *(void **)&proton.ssl = function_of(library, "pn_ssl");
    *(void **)&proton.ssl_init = function_of(library, "pn_ssl_init");
    *(void **)&proton.ssl_set_peer_hostname = function_of(library, "pn_ssl_set_peer_hostname");
    *(void **)&proton.condition_is_set = function_of(library, "pn_condition_is_set");
    *(void **)&proton.condition_get_name = function_of(library, "pn_condition_get_name");
    *(void **)&proton.condition_get_description = function_of(library, "pn_condition_get_description");
    *(void **)&proton.message = function_of(library, "pn_message");
    *(void **)&proton.message_free = function_of(library, "pn_message_free");
    *(void **)&proton.message_decode = function_of(library, "pn_message_decode");
    *(void **)&proton.message_body = function_of(library, "pn_message_body");
    *(void **)&proton.message_properties = function_of(library, "pn_message_properties");
    *(void **)&proton.data_rewind = function_of(library, "pn_data_rewind");
    *(void **)&proton.data_next = function_of(library, "pn_data_next");
    *(void **)&proton.data_enter = function_of(library, "pn_data_enter");
    *(void **)&proton.data_exit = function_of(library, "pn_data_exit");
    *(void **)&proton.data_type = function_of(library, "pn_data_type");
    *(void **)&proton.data_get_map = function_of(library, "pn_data_get_map");
    *(void **)&proton.data_get_bytes = function_of(library, "pn_data_get_bytes");
    *(void **)&proton.data_get_long = function_of(library, "pn_data_get_long");
    *(void **)&proton.data_get_ulong = function_of(library, "pn_data_get_ulong");
    *(void **)&proton.data_get_timestamp = function_of(library, "pn_data_get_timestamp");
}

const char *proton_unavailable(void) {
    pthread_once(&once, load);
    return failure[0] ? failure : NULL;
}
