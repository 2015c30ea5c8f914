#ifndef ALINK_PLUGIN_H
#define ALINK_PLUGIN_H

#include "registry.h"
#include "sessions.h"

#include <mosquitto.h>
#include <mosquitto_broker.h>
#include <stdbool.h>
#include <time.h>

/// What the plugin knows; all of it runs on the broker's one thread.
struct alink_plugin {
    mosquitto_plugin_id_t *identifier;
    struct alink_registry *registry;
    struct alink_sessions *sessions;
    /// Whether clients that are no devices need rights from `acl_file`.
    bool controllers_need_rights;
    /// Whether every device of the triples is announced as offline at the start.
    bool announces_absent;
    bool has_started;
    /// Whether the broker is reading its configuration again, for which it asks for every password once more.
    bool is_reloading;
    /// How many sessions arrive or register, so that an idle turn of the loop costs nothing.
    size_t unsettled;
    time_t looked_at;
    char problem[1024];
};

/// Checks the password of a client.
int alink_authenticate(struct alink_plugin *plugin, struct mosquitto_evt_basic_auth *event);

/// Checks whether a client may publish, subscribe or read.
int alink_authorise(struct alink_plugin *plugin, struct mosquitto_evt_acl_check *event);

/// Hands a message to a device that has it without subscribing.
int alink_forward(struct alink_plugin *plugin, struct mosquitto_evt_message *event);

/// Serves the clients whose passwords were right since the last turn.
void alink_settle(struct alink_plugin *plugin, time_t now);

/// Ends the connection of a session, which removes it.
void alink_end(struct alink_plugin *plugin, struct alink_session *session);

/// A connection has ended.
void alink_depart(struct alink_plugin *plugin, const struct mosquitto *client);

/// Reads the files that have changed, and says so.
void alink_look_at_files(struct alink_plugin *plugin);

/// Publishes the presence of a device, retained.
/// - Parameter address: of the device; may be `NULL`.
void alink_announce(
    const char *product, const char *device, bool is_online, const char *address);

#endif
