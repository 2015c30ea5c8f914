// A plugin for mosquitto 2: devices that speak Alink log in to it as to Alibaba's IoT Platform.
//
// The broker's other clients log in with its `password_file`.

#include "plugin.h"
#include "topics.h"

#include <mosquitto_plugin.h>
#include <stdlib.h>
#include <string.h>

/// What the broker looks up by name; everything else stays within the library.
#define EXPORTED __attribute__((visibility("default")))

EXPORTED int mosquitto_plugin_version(int count, const int *versions) {
    for (int i = 0; i < count; i++)
        if (versions[i] == 5) return 5;
    return -1;
}

// MARK: Files

/// Ends the connections of devices whose secrets were changed or taken away.
static void end_unknown(struct alink_plugin *plugin) {
    struct alink_session *session = alink_sessions_first(plugin->sessions);
    while (session) {
        const char *secret = session->login == ALINK_LOGIN_TOKEN
                                 ? alink_device_token(
                                     plugin->registry, session->product, session->device, NULL)
                                 : alink_device_secret(
                                     plugin->registry, session->product, session->device);
        bool is_known = secret && strcmp(secret, session->credential) == 0;
        bool is_device =
            session->login == ALINK_LOGIN_SECRET || session->login == ALINK_LOGIN_TOKEN;
        if (session->stage != ALINK_PRESENT || !is_device || is_known) {
            session = session->next;
            continue;
        }
        mosquitto_log_printf(
            MOSQ_LOG_NOTICE, "alink: %s/%s has another secret or none; ended its connection",
            session->product, session->device);
        alink_end(plugin, session);
        session = alink_sessions_first(plugin->sessions);
    }
}

void alink_look_at_files(struct alink_plugin *plugin) {
    char problem[sizeof(plugin->problem)] = "";
    int result = alink_registry_read(plugin->registry, problem, sizeof(problem));
    if (result < 0 && strcmp(problem, plugin->problem) != 0)
        mosquitto_log_printf(MOSQ_LOG_ERR, "alink: %s; what was read before stays", problem);
    if (result < 0) strcpy(plugin->problem, problem);
    if (result > 0) {
        plugin->problem[0] = 0;
        mosquitto_log_printf(
            MOSQ_LOG_NOTICE, "alink: read %zu triples, %zu products and %zu tokens",
            alink_registry_count(plugin->registry, ALINK_TRIPLES),
            alink_registry_count(plugin->registry, ALINK_PRODUCTS),
            alink_registry_count(plugin->registry, ALINK_TOKENS));
    }
}

// MARK: Rights

static bool may_read_registration(const struct alink_session *session, const char *topic) {
    return (session->login == ALINK_LOGIN_REGISTER && strcmp(topic, "/ext/register") == 0)
           || (session->login == ALINK_LOGIN_REGISTER_UNKNOWN && strcmp(topic, "/ext/regnwl") == 0);
}

int alink_authorise(struct alink_plugin *plugin, struct mosquitto_evt_acl_check *event) {
    static const char STATUS[] = "/as/mqtt/status/";
    struct alink_session *session = alink_session_of(plugin->sessions, event->client);
    if (!session) {
        // Presence is what the plugin says; a controller may only remove it.
        bool is_presence = strncmp(event->topic, STATUS, sizeof(STATUS) - 1) == 0;
        if (event->access == MOSQ_ACL_WRITE && is_presence && event->payloadlen > 0)
            return MOSQ_ERR_ACL_DENIED;
        return plugin->controllers_need_rights ? MOSQ_ERR_PLUGIN_DEFER : MOSQ_ERR_SUCCESS;
    }
    if (session->login == ALINK_LOGIN_REGISTER || session->login == ALINK_LOGIN_REGISTER_UNKNOWN)
        return event->access == MOSQ_ACL_READ && may_read_registration(session, event->topic)
                   ? MOSQ_ERR_SUCCESS
                   : MOSQ_ERR_ACL_DENIED;
    if (event->access == MOSQ_ACL_UNSUBSCRIBE) {
        alink_session_unsubscribe(session, event->topic);
        return MOSQ_ERR_SUCCESS;
    }
    if (!alink_belongs(event->topic, session->product, session->device)) {
        if (event->access != MOSQ_ACL_READ)
            mosquitto_log_printf(
                MOSQ_LOG_NOTICE, "alink: %s/%s may not %s %s", session->product, session->device,
                event->access == MOSQ_ACL_WRITE ? "publish to" : "subscribe to", event->topic);
        return MOSQ_ERR_ACL_DENIED;
    }
    if (event->access == MOSQ_ACL_SUBSCRIBE && !alink_session_subscribe(session, event->topic))
        return MOSQ_ERR_NOMEM;
    return MOSQ_ERR_SUCCESS;
}

int alink_forward(struct alink_plugin *plugin, struct mosquitto_evt_message *event) {
    // What a device has published does not stay: nobody could tell it from what it says now.
    if (alink_session_of(plugin->sessions, event->client)) event->retain = false;
    struct alink_names names;
    if (!alink_owner(event->topic, &names)) return MOSQ_ERR_SUCCESS;
    struct alink_session *session = alink_sessions_of_device(
        plugin->sessions, names.product, names.product_length, names.device, names.device_length);
    for (; session; session = session->next_of_device) {
        if (!alink_is_of_device(
                session, names.product, names.product_length, names.device, names.device_length)
            || !session->client || session->client == event->client
            || !session->subscribed_by_server || alink_session_hears(session, event->topic))
            continue;
        mosquitto_broker_publish_copy(
            session->client_id, event->topic, (int)event->payloadlen, event->payload, event->qos,
            false, NULL);
    }
    return MOSQ_ERR_SUCCESS;
}

// MARK: Events of the broker

static int on_basic_auth(int event, void *data, void *plugin) {
    (void)event;
    return alink_authenticate(plugin, data);
}

static int on_acl_check(int event, void *data, void *plugin) {
    (void)event;
    return alink_authorise(plugin, data);
}

static int on_message(int event, void *data, void *plugin) {
    (void)event;
    return alink_forward(plugin, data);
}

static int on_disconnect(int event, void *data, void *plugin) {
    (void)event;
    alink_depart(plugin, ((struct mosquitto_evt_disconnect *)data)->client);
    return MOSQ_ERR_SUCCESS;
}

static int on_reload(int event, void *data, void *context) {
    (void)event;
    (void)data;
    struct alink_plugin *plugin = context;
    plugin->is_reloading = true;
    alink_look_at_files(plugin);
    return MOSQ_ERR_PLUGIN_DEFER;
}

static void announce_absent(const char *product, const char *device, void *context) {
    (void)context;
    alink_announce(product, device, false, NULL);
}

static int on_tick(int event, void *data, void *context) {
    (void)event;
    (void)data;
    struct alink_plugin *plugin = context;
    time_t now = time(NULL);
    if (!plugin->has_started && plugin->announces_absent)
        alink_registry_each(plugin->registry, announce_absent, NULL);
    plugin->has_started = true;
    bool was_reloading = plugin->is_reloading;
    plugin->is_reloading = false;
    alink_settle(plugin, now);
    if (now != plugin->looked_at || was_reloading) {
        plugin->looked_at = now;
        alink_look_at_files(plugin);
        end_unknown(plugin);
    }
    return MOSQ_ERR_SUCCESS;
}

// MARK: Start and end

/// Takes one line `plugin_opt_KEY VALUE`; false where it is wrong, which it has said.
static bool configure(struct alink_plugin *plugin, const char *key, const char *value) {
    bool is_known = true;
    if (strcmp(key, "triples") == 0) {
        return alink_registry_use(plugin->registry, ALINK_TRIPLES, value);
    } else if (strcmp(key, "products") == 0) {
        return alink_registry_use(plugin->registry, ALINK_PRODUCTS, value);
    } else if (strcmp(key, "tokens") == 0) {
        return alink_registry_use(plugin->registry, ALINK_TOKENS, value);
    } else if (strcmp(key, "controllers") == 0) {
        plugin->controllers_need_rights = strcmp(value, "acl_file") == 0;
        is_known = plugin->controllers_need_rights || strcmp(value, "all") == 0;
    } else if (strcmp(key, "announce_offline") == 0) {
        plugin->announces_absent = strcmp(value, "true") == 0;
        is_known = plugin->announces_absent || strcmp(value, "false") == 0;
    } else {
        is_known = false;
    }
    if (!is_known)
        mosquitto_log_printf(
            MOSQ_LOG_ERR,
            "alink: plugin_opt_%s %s is not known; write triples FILE, products FILE, tokens FILE, "
            "controllers all or acl_file, announce_offline true or false",
            key, value);
    return is_known;
}

static bool start(struct alink_plugin *plugin, struct mosquitto_opt *options, int count) {
    bool has_triples = false;
    for (int i = 0; i < count; i++) {
        if (!configure(plugin, options[i].key, options[i].value ? options[i].value : ""))
            return false;
        if (strcmp(options[i].key, "triples") == 0) has_triples = true;
    }
    if (!has_triples) {
        mosquitto_log_printf(
            MOSQ_LOG_ERR,
            "alink: no triples; write plugin_opt_triples FILE, a file with a line PRODUCTKEY "
            "DEVICENAME DEVICESECRET for each device");
        return false;
    }
    alink_look_at_files(plugin);
    return !plugin->problem[0];
}

EXPORTED int mosquitto_plugin_init(
    mosquitto_plugin_id_t *identifier, void **user_data, struct mosquitto_opt *options,
    int count) {
    static const struct {
        int event;
        MOSQ_FUNC_generic_callback callback;
    } EVENTS[] = {
        {MOSQ_EVT_BASIC_AUTH, on_basic_auth}, {MOSQ_EVT_ACL_CHECK, on_acl_check},
        {MOSQ_EVT_MESSAGE, on_message},       {MOSQ_EVT_DISCONNECT, on_disconnect},
        {MOSQ_EVT_RELOAD, on_reload},         {MOSQ_EVT_TICK, on_tick},
    };
    struct alink_plugin *plugin = calloc(1, sizeof(*plugin));
    if (!plugin) return MOSQ_ERR_NOMEM;
    *user_data = plugin;
    plugin->identifier = identifier;
    plugin->registry = alink_registry_make();
    plugin->sessions = alink_sessions_make();
    if (!plugin->registry || !plugin->sessions) return MOSQ_ERR_NOMEM;
    if (!start(plugin, options, count)) return MOSQ_ERR_INVAL;
    for (size_t i = 0; i < sizeof(EVENTS) / sizeof(EVENTS[0]); i++) {
        int result = mosquitto_callback_register(
            identifier, EVENTS[i].event, EVENTS[i].callback, NULL, plugin);
        if (result != MOSQ_ERR_SUCCESS) return result;
    }
    return MOSQ_ERR_SUCCESS;
}

EXPORTED int mosquitto_plugin_cleanup(void *user_data, struct mosquitto_opt *options, int count) {
    (void)options;
    (void)count;
    struct alink_plugin *plugin = user_data;
    if (!plugin) return MOSQ_ERR_SUCCESS;
    alink_registry_free(plugin->registry);
    alink_sessions_free(plugin->sessions);
    free(plugin);
    return MOSQ_ERR_SUCCESS;
}
