#include "plugin.h"
#include "topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The bytes of a token, and of a client id that the broker chooses.
#define TOKEN_DIGITS 48
#define CLIENT_ID_DIGITS 32
/// How long a connection that registers a device may stay, seconds; its device leaves at once.
#define REGISTRATION_LIMIT 10

/// Splits `DEVICENAME&PRODUCTKEY`.
static bool read_user_name(const char *user, char device[ALINK_FIELD], char product[ALINK_FIELD]) {
    const char *mark = strrchr(user, '&');
    if (!mark || (size_t)(mark - user) >= ALINK_FIELD || strlen(mark + 1) >= ALINK_FIELD)
        return false;
    memcpy(device, user, (size_t)(mark - user));
    device[mark - user] = 0;
    strcpy(product, mark + 1);
    return alink_is_name(device) && alink_is_name(product);
}

static int refuse(const char *product, const char *device, const char *reason) {
    mosquitto_log_printf(
        MOSQ_LOG_NOTICE, "alink: refused %s/%s: %s", product, device, reason);
    return MOSQ_ERR_AUTH;
}

/// What a device has logged in with; `NULL` and the reason where it may not.
static const char *credential(
    const struct alink_registry *registry, const struct alink_client_id *id, const char *product,
    const char *device, const char *password, const char **reason) {
    const char *secret = NULL, *client_id = NULL;
    bool is_right = false;
    if (id->method == ALINK_HMAC_UNKNOWN) {
        *reason = "its signmethod is not hmacmd5, hmacsha1 or hmacsha256";
        return NULL;
    }
    switch (id->login) {
    case ALINK_LOGIN_SECRET:
        secret = alink_device_secret(registry, product, device);
        *reason = secret ? "its signature is wrong" : "the file of triples does not have it";
        is_right = secret && alink_check_login(id, product, device, secret, password);
        break;
    case ALINK_LOGIN_TOKEN:
        secret = alink_device_token(registry, product, device, &client_id);
        *reason = secret ? "its token or client id is wrong" : "it has no token";
        is_right = secret && alink_equal(client_id, id->client_id) && alink_equal(secret, password);
        break;
    case ALINK_LOGIN_REGISTER:
    case ALINK_LOGIN_REGISTER_UNKNOWN:
        secret = alink_product_secret(registry, product);
        *reason = secret ? "the signature of its registration is wrong"
                         : "its product has no secret, so it cannot register";
        is_right = secret && alink_check_registration(id, product, device, secret, password);
        if (!is_right) break;
        if (id->login == ALINK_LOGIN_REGISTER && !alink_device_secret(registry, product, device)) {
            *reason = "the file of triples does not have it, so it cannot register";
            is_right = false;
        } else if (id->login == ALINK_LOGIN_REGISTER_UNKNOWN && !alink_keeps_tokens(registry)) {
            *reason = "plugin_opt_tokens names no file for its token";
            is_right = false;
        }
        break;
    case ALINK_LOGIN_UNKNOWN: *reason = "its authType is not known"; break;
    }
    return is_right ? secret : NULL;
}

int alink_authenticate(struct alink_plugin *plugin, struct mosquitto_evt_basic_auth *event) {
    const char *name = mosquitto_client_id(event->client);
    struct alink_client_id id;
    if (!event->username || !name || !strchr(event->username, '&') || !strchr(name, '|'))
        return MOSQ_ERR_PLUGIN_DEFER;
    char product[ALINK_FIELD], device[ALINK_FIELD];
    if (!read_user_name(event->username, device, product) || !alink_read_client_id(name, &id)) {
        mosquitto_log_printf(
            MOSQ_LOG_NOTICE, "alink: refused a client from %s: its names cannot be those of a device",
            mosquitto_client_address(event->client));
        return MOSQ_ERR_AUTH;
    }
    if (!plugin->is_reloading) alink_look_at_files(plugin);
    const char *reason = "it gave no password";
    const char *secret = event->password
                             ? credential(
                                 plugin->registry, &id, product, device, event->password, &reason)
                             : NULL;
    if (!secret) return refuse(product, device, reason);
    // The broker asks again for every client when it has read its configuration.
    if (plugin->is_reloading || alink_session_of(plugin->sessions, event->client))
        return MOSQ_ERR_SUCCESS;
    if (!alink_session_add(plugin->sessions, event->client, &id, name, product, device, secret))
        return MOSQ_ERR_NOMEM;
    plugin->unsettled++;
    return MOSQ_ERR_SUCCESS;
}

// MARK: After the login

static bool registers(const struct alink_session *session) {
    return session->login == ALINK_LOGIN_REGISTER
           || session->login == ALINK_LOGIN_REGISTER_UNKNOWN;
}

static bool is_same_device(const struct alink_session *one, const struct alink_session *other) {
    return strcmp(one->product, other->product) == 0 && strcmp(one->device, other->device) == 0;
}

/// Ends the former connections of a device, and takes over the filters that the broker has kept for its client.
static void replace_others(struct alink_plugin *plugin, struct alink_session *session) {
    bool is_clean = mosquitto_client_clean_session(session->client);
    struct alink_session *other = session->next_of_device, *next;
    for (; other; other = next) {
        next = other->next_of_device;
        if (!is_same_device(other, session) || registers(other)) continue;
        bool is_same_client = strcmp(other->client_id, session->client_id) == 0;
        if (is_same_client && !is_clean && !session->filters) {
            session->filters = other->filters;
            other->filters = NULL;
        }
        if (other->stage == ALINK_KEPT) {
            alink_session_remove(plugin->sessions, other);
        } else if (!is_same_client) {
            mosquitto_log_printf(
                MOSQ_LOG_WARNING,
                "alink: %s/%s has logged in from %s; ended its former connection: is one triple "
                "used twice?",
                session->product, session->device, mosquitto_client_address(session->client));
            alink_end(plugin, other);
            next = session->next_of_device;
        }
    }
}

static void welcome(struct alink_plugin *plugin, struct alink_session *session) {
    replace_others(plugin, session);
    session->stage = ALINK_PRESENT;
    plugin->unsettled--;
    alink_announce(
        session->product, session->device, true, mosquitto_client_address(session->client));
}

/// Sends a device the secret that it has asked for.
static void answer_registration(
    struct alink_plugin *plugin, struct alink_session *session, time_t now) {
    char payload[1024], token[TOKEN_DIGITS + 1], client_id[CLIENT_ID_DIGITS + 1];
    const char *topic = "/ext/register";
    int length = 0;
    if (session->login == ALINK_LOGIN_REGISTER) {
        const char *secret =
            alink_device_secret(plugin->registry, session->product, session->device);
        if (secret)
            length = snprintf(
                payload, sizeof(payload),
                "{\"productKey\":\"%s\",\"deviceName\":\"%s\",\"deviceSecret\":\"%s\"}",
                session->product, session->device, secret);
    } else if (
        alink_random_digits(token, TOKEN_DIGITS) && alink_random_digits(client_id, CLIENT_ID_DIGITS)
        && alink_keep_token(
            plugin->registry, session->product, session->device, client_id, token)) {
        topic = "/ext/regnwl";
        length = snprintf(
            payload, sizeof(payload),
            "{\"clientId\":\"%s\",\"productKey\":\"%s\",\"deviceName\":\"%s\","
            "\"deviceToken\":\"%s\"}",
            client_id, session->product, session->device, token);
    }
    session->stage = ALINK_PRESENT;
    session->deadline = now + REGISTRATION_LIMIT;
    if (length <= 0 || (size_t)length >= sizeof(payload)) {
        mosquitto_log_printf(
            MOSQ_LOG_ERR, "alink: %s/%s could not be registered: its token was not kept",
            session->product, session->device);
        session->deadline = now;
        return;
    }
    mosquitto_broker_publish_copy(session->client_id, topic, length, payload, 1, false, NULL);
    mosquitto_log_printf(
        MOSQ_LOG_NOTICE, "alink: %s/%s is registered", session->product, session->device);
}

void alink_settle(struct alink_plugin *plugin, time_t now) {
    // A step may end other sessions, so each begins from the first one.
    for (bool is_done = plugin->unsettled == 0; !is_done;) {
        is_done = true;
        struct alink_session *session = alink_sessions_first(plugin->sessions);
        for (; session; session = session->next) {
            if (session->stage == ALINK_ARRIVING && !registers(session)) {
                welcome(plugin, session);
                is_done = false;
                break;
            }
            if (session->stage == ALINK_ARRIVING) answer_registration(plugin, session, now);
            if (session->stage == ALINK_PRESENT && registers(session)
                && now >= session->deadline) {
                alink_end(plugin, session);
                is_done = false;
                break;
            }
        }
    }
}

void alink_end(struct alink_plugin *plugin, struct alink_session *session) {
    const void *client = session->client;
    char *name = strdup(session->client_id);
    // The broker says so by its event, and alink_depart removes the session.
    if (name) mosquitto_kick_client_by_clientid(name, false);
    free(name);
    session = client ? alink_session_of(plugin->sessions, client) : NULL;
    if (!session) return;
    if (session->stage == ALINK_ARRIVING || registers(session)) plugin->unsettled--;
    alink_session_remove(plugin->sessions, session);
}

void alink_depart(struct alink_plugin *plugin, const struct mosquitto *client) {
    struct alink_session *session = alink_session_of(plugin->sessions, client);
    if (!session) return;
    if (session->stage == ALINK_ARRIVING || registers(session)) plugin->unsettled--;
    bool was_present = session->stage == ALINK_PRESENT && !registers(session);
    struct alink_session *newest = alink_sessions_of_device(
        plugin->sessions, session->product, strlen(session->product), session->device,
        strlen(session->device));
    while (newest && (!is_same_device(newest, session) || registers(newest)))
        newest = newest->next_of_device;
    if (was_present && newest == session)
        alink_announce(session->product, session->device, false, mosquitto_client_address(client));
    if (was_present && !mosquitto_client_clean_session(client)) {
        alink_session_keep(plugin->sessions, session);
    } else {
        alink_session_remove(plugin->sessions, session);
    }
}
