#include <errno.h>

#include <mosquitto.h>
#include <mqtt_protocol.h>

/// One `mosquitto_loop_read`, and the `errno` it left. That must be taken before anything else can touch it,
/// hence C.
static inline int cmosquitto_read(struct mosquitto *client, int *error) {
    errno = 0;
    int code = mosquitto_loop_read(client, 1);
    *error = errno;
    return code;
}

/// One `mosquitto_loop_write`, and the `errno` it left.
static inline int cmosquitto_write(struct mosquitto *client, int *error) {
    errno = 0;
    int code = mosquitto_loop_write(client, 1);
    *error = errno;
    return code;
}

/// `mosquitto_connect_bind_async`, and the `errno` it left.
static inline int cmosquitto_connect(struct mosquitto *client, const char *address, int port,
                                     int keepalive, const char *source, int *error) {
    errno = 0;
    int code = mosquitto_connect_bind_async(client, address, port, keepalive, source);
    *error = errno;
    return code;
}
