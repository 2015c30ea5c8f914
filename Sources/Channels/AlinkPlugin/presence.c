#include "plugin.h"

#include <stdio.h>
#include <string.h>

#define BEIJING (8 * 3600)

/// Writes a time as `2026-01-02T03:04:05.678Z` or, in Beijing's time, `2026-01-02 11:04:05.678`.
static void write_time(char *out, size_t size, struct timespec at, bool is_utc) {
    time_t seconds = at.tv_sec + (is_utc ? 0 : BEIJING);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    char day[64];
    strftime(day, sizeof(day), is_utc ? "%Y-%m-%dT%H:%M:%S" : "%Y-%m-%d %H:%M:%S", &parts);
    snprintf(out, size, "%s.%03ld%s", day, at.tv_nsec / 1000000, is_utc ? "Z" : "");
}

void alink_announce(
    const char *product, const char *device, bool is_online, const char *address) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    char topic[256], payload[1024], local[96], utc[96];
    write_time(local, sizeof(local), now, false);
    write_time(utc, sizeof(utc), now, true);
    snprintf(topic, sizeof(topic), "/as/mqtt/status/%s/%s", product, device);
    int length = snprintf(
        payload, sizeof(payload),
        "{\"status\":\"%s\",\"productKey\":\"%s\",\"deviceName\":\"%s\",\"time\":\"%s\","
        "\"utcTime\":\"%s\",\"lastTime\":\"%s\",\"utcLastTime\":\"%s\",\"clientIp\":\"%s\"}",
        is_online ? "online" : "offline", product, device, local, utc, local, utc,
        address ? address : "");
    if (length > 0 && (size_t)length < sizeof(payload))
        mosquitto_broker_publish_copy(NULL, topic, length, payload, 1, true, NULL);
    mosquitto_log_printf(
        MOSQ_LOG_NOTICE, "alink: %s/%s is %s", product, device, is_online ? "online" : "offline");
}
