// A fleet with nothing in it but libmosquitto: the least that this many MQTT clients can cost.
//
//     raw_fleet HOST PORT CLIENTS INTERVAL_MS PAYLOAD_BYTES
//
// One thread and one epoll drive every client, as reference for homeport-sim: each has a will, four
// subscriptions and three retained messages at QoS 1, then publishes PAYLOAD_BYTES at QoS 0 every
// INTERVAL_MS, the clients spread evenly over the interval. Prints `ready N clients` on standard
// error once all retained messages are confirmed, and ends on SIGTERM.

#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

enum { RETAINED = 3, OUTSTANDING = 64, READS_PER_EVENT = 64, KEEPALIVE_S = 60 };

struct client {
    struct mosquitto *handle;
    int socket;
    bool wants_write;
    bool connected;
    int confirmed;
};

static struct client *clients;
static int client_count, started, connected_count, confirmed_count;
static int poller;
static char *payload;
static int payload_bytes;

// libmosquitto's own socket pair is never read here: suppress it.
int socketpair(int domain, int type, int protocol, int pair[2])
{
    (void)domain, (void)type, (void)protocol, (void)pair;
    errno = EMFILE;
    return -1;
}

static void fail(const char *what, int code)
{
    fprintf(stderr, "raw_fleet: %s: %s\n", what, mosquitto_strerror(code));
    exit(2);
}

static int64_t now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void topic_of(char *topic, size_t size, const struct client *client, const char *last)
{
    snprintf(topic, size, "raw/v1/home-1/device-%d/%s", (int)(client - clients) + 1, last);
}

static void on_connect(struct mosquitto *handle, void *context, int code)
{
    (void)handle;
    if (code != 0) fail("connection refused", MOSQ_ERR_CONN_REFUSED);
    ((struct client *)context)->connected = true;
    connected_count += 1;
}

static void on_publish(struct mosquitto *handle, void *context, int message)
{
    (void)handle, (void)message;
    struct client *client = context;
    client->confirmed += 1;
    if (client->confirmed == RETAINED) confirmed_count += 1;
}

// Brings epoll in line with what the handle waits for.
static void watch(struct client *client)
{
    int socket = mosquitto_socket(client->handle);
    bool wants_write = mosquitto_want_write(client->handle);
    if (socket < 0) fail("connection lost", MOSQ_ERR_CONN_LOST);
    if (socket == client->socket && wants_write == client->wants_write) return;
    struct epoll_event event = {
        .events = EPOLLIN | (wants_write ? EPOLLOUT : 0), .data.ptr = client};
    int operation = socket == client->socket ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (epoll_ctl(poller, operation, socket, &event) != 0) fail("epoll", MOSQ_ERR_ERRNO);
    client->socket = socket;
    client->wants_write = wants_write;
}

static void flush(struct client *client)
{
    int code = mosquitto_loop_write(client->handle, 1);
    if (code != MOSQ_ERR_SUCCESS) fail("write", code);
    watch(client);
}

static void publish(struct client *client, const char *last, int bytes, int qos, bool retain)
{
    char topic[96];
    topic_of(topic, sizeof topic, client, last);
    int code = mosquitto_publish(client->handle, NULL, topic, bytes, payload, qos, retain);
    if (code != MOSQ_ERR_SUCCESS) fail("publish", code);
}

static void announce(struct client *client)
{
    const char *filters[] = {"command", "command/urgent", "desired", "presence"};
    for (int index = 0; index < 4; index += 1) {
        char topic[96];
        topic_of(topic, sizeof topic, client, filters[index]);
        int code = mosquitto_subscribe(client->handle, NULL, topic, 1);
        if (code != MOSQ_ERR_SUCCESS) fail("subscribe", code);
    }
    publish(client, "description", 1024, 1, true);
    publish(client, "presence", 90, 1, true);
    publish(client, "state", 200, 1, true);
    flush(client);
}

static void start(struct client *client, const char *host, int port)
{
    char name[64], will[96];
    snprintf(name, sizeof name, "raw-home-1-device-%d", (int)(client - clients) + 1);
    client->handle = mosquitto_new(name, true, client);
    client->socket = -1;
    if (client->handle == NULL) fail("new", MOSQ_ERR_NOMEM);
    mosquitto_int_option(client->handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(client->handle, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_threaded_set(client->handle, true);
    mosquitto_connect_callback_set(client->handle, on_connect);
    mosquitto_publish_callback_set(client->handle, on_publish);
    topic_of(will, sizeof will, client, "presence");
    mosquitto_will_set(client->handle, will, 90, payload, 1, true);
    int code = mosquitto_connect_async(client->handle, host, port, KEEPALIVE_S);
    if (code != MOSQ_ERR_SUCCESS) fail("connect", code);
    watch(client);
}

static void serve(struct client *client, uint32_t events)
{
    bool was_connected = client->connected;
    if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
        int waiting = 1;
        for (int reads = 0; waiting > 0 && reads < READS_PER_EVENT; reads += 1) {
            int code = mosquitto_loop_read(client->handle, 1);
            if (code != MOSQ_ERR_SUCCESS) fail("read", code);
            if (ioctl(client->socket, FIONREAD, &waiting) != 0) waiting = 0;
        }
    }
    if (events & EPOLLOUT) mosquitto_loop_write(client->handle, 1);
    if (client->connected && !was_connected) announce(client);
    watch(client);
}

int main(int count, char **arguments)
{
    if (count != 6) {
        fprintf(stderr, "usage: raw_fleet HOST PORT CLIENTS INTERVAL_MS PAYLOAD_BYTES\n");
        return 64;
    }
    const char *host = arguments[1];
    int port = atoi(arguments[2]);
    client_count = atoi(arguments[3]);
    int64_t interval_us = (int64_t)atoi(arguments[4]) * 1000;
    payload_bytes = atoi(arguments[5]);
    payload = calloc(1, payload_bytes > 1024 ? payload_bytes : 1024);
    clients = calloc(client_count, sizeof *clients);

    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    mosquitto_lib_init();
    poller = epoll_create1(EPOLL_CLOEXEC);

    bool ready = false;
    int64_t published = 0, first_us = 0;
    for (;;) {
        while (started < client_count && started - connected_count < OUTSTANDING) {
            start(&clients[started], host, port);
            started += 1;
        }
        int timeout_ms = -1;
        if (!ready && confirmed_count == client_count) {
            ready = true;
            first_us = now_us();
            fprintf(stderr, "ready %d clients\n", client_count);
        }
        while (ready) {
            int64_t due_us = first_us + published * interval_us / client_count;
            int64_t left_us = due_us - now_us();
            timeout_ms = (int)((left_us + 999) / 1000);
            if (left_us > 0) break;
            struct client *client = &clients[published % client_count];
            mosquitto_loop_misc(client->handle);
            publish(client, "telemetry", payload_bytes, 0, false);
            flush(client);
            published += 1;
        }
        struct epoll_event events[256];
        int seen = epoll_wait(poller, events, 256, timeout_ms);
        for (int index = 0; index < seen; index += 1)
            serve(events[index].data.ptr, events[index].events);
    }
}
