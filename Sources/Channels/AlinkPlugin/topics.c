#include "topics.h"

#include <ctype.h>
#include <string.h>

#define LEVELS 8

/// One level of a topic.
struct level {
    const char *text;
    size_t length;
};

static bool is(struct level level, const char *text) {
    return strlen(text) == level.length && memcmp(text, level.text, level.length) == 0;
}

static bool is_plain(struct level level) {
    return level.length > 0 && !memchr(level.text, '+', level.length)
           && !memchr(level.text, '#', level.length);
}

/// Splits the first levels of a topic that begins with a slash.
static size_t split(const char *topic, struct level levels[LEVELS]) {
    if (topic[0] != '/') return 0;
    const char *text = topic + 1;
    for (size_t count = 0;;) {
        size_t length = strcspn(text, "/");
        levels[count++] = (struct level){text, length};
        if (!text[length] || count == LEVELS) return count;
        text += length + 1;
    }
}

bool alink_owner(const char *topic, struct alink_names *out) {
    struct level levels[LEVELS];
    size_t count = split(topic, levels);
    size_t first;
    if (count >= 4 && is(levels[0], "sys")) {
        first = 1;
    } else if (count >= 4 && is(levels[0], "shadow")) {
        first = 2;
    } else if (count >= 5 && is(levels[0], "ota")) {
        first = 3;
    } else if (count >= 6 && is(levels[0], "ext") && is(levels[1], "rrpc")) {
        // The number of a call may be a wildcard, the rest is a topic of the device.
        first = is(levels[3], "sys") ? 4 : 3;
        if (is(levels[2], "#") || count < first + 3) return false;
        if (first == 3 && !is(levels[5], "user")) return false;
    } else if (count >= 4 && is(levels[0], "ext")) {
        if (!is(levels[1], "session") && !is(levels[1], "ntp") && !is(levels[1], "error"))
            return false;
        first = 2;
    } else if (count >= 4 && is(levels[2], "user")) {
        first = 0;
    } else {
        return false;
    }
    for (size_t i = 0; i < first; i++) {
        bool isCall = i == 2 && is(levels[0], "ext");
        if (!isCall && !is_plain(levels[i])) return false;
    }
    if (!is_plain(levels[first]) || !is_plain(levels[first + 1])) return false;
    *out = (struct alink_names){
        levels[first].text, levels[first].length, levels[first + 1].text,
        levels[first + 1].length};
    return true;
}

bool alink_belongs(const char *topic, const char *product, const char *device) {
    struct alink_names names;
    return alink_owner(topic, &names)
           && is((struct level){names.product, names.product_length}, product)
           && is((struct level){names.device, names.device_length}, device);
}

bool alink_matches(const char *filter, const char *topic) {
    while (*filter) {
        if (*filter == '#') return true;
        if (*filter == '+') {
            topic += strcspn(topic, "/");
            filter++;
        } else {
            size_t length = strcspn(filter, "/"), other = strcspn(topic, "/");
            if (length != other || memcmp(filter, topic, length) != 0) return false;
            filter += length;
            topic += other;
        }
        if (!*filter) return !*topic;
        filter++;
        // `a/#` also matches `a`.
        if (!*topic) return strcmp(filter, "#") == 0;
        topic++;
    }
    return !*topic;
}

bool alink_is_name(const char *text) {
    size_t length = strlen(text);
    if (length < 1 || length > 64) return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && !strchr("-_.@:", *text)) return false;
    return true;
}
