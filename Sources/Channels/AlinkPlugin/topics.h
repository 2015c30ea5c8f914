#ifndef ALINK_TOPICS_H
#define ALINK_TOPICS_H

#include <stdbool.h>
#include <stddef.h>

/// Names a device; both parts point into texts of the caller.
struct alink_names {
    const char *product;
    size_t product_length;
    const char *device;
    size_t device_length;
};

/// Reads which device a topic, or a filter that is plain up to the device's name, belongs to:
///
/// | Form | |
/// |---|---|
/// | `/sys/PK/DN/…` | properties, services, events |
/// | `/PK/DN/user/…` | topics that a product defines itself |
/// | `/shadow/update/PK/DN`, `/shadow/get/PK/DN` | shadow |
/// | `/ext/session/PK/DN/…`, `/ext/ntp/…`, `/ext/error/PK/DN` | session, clock, errors |
/// | `/ota/device/upgrade/PK/DN` and the others with two levels before the names | firmware |
/// | `/ext/rrpc/N/sys/PK/DN/…`, `/ext/rrpc/N/PK/DN/user/…` | synchronous calls, N of the platform |
///
/// - Returns: false for every other topic.
bool alink_owner(const char *topic, struct alink_names *out);

/// Whether a topic or filter belongs to a device.
bool alink_belongs(const char *topic, const char *product, const char *device);

/// Whether a filter of MQTT matches a topic.
bool alink_matches(const char *filter, const char *topic);

/// Whether a text can be a product key or a device name: 1 to 64 of letters, digits and `-_.@:`.
bool alink_is_name(const char *text);

#endif
