// What libmosquitto gives on one thread and one epoll: the limit for anything built on it.
//
//     raw_mqtt publish PORT QOS BYTES COUNT      publishes, prints messages per second
//     raw_mqtt receive PORT QOS BYTES COUNT      receives, prints messages per second
//     raw_mqtt sink PORT QOS                     receives and counts nothing, until SIGTERM
//     raw_mqtt respond PORT                      answers requests, until SIGTERM
//     raw_mqtt roundtrip PORT CONCURRENT COUNT   asks, prints rate and percentiles
//     raw_mqtt fleet PORT CLIENTS KEEPALIVE_S [CA CERT KEY]   see below
//
// The counterpart of mqtt-bench in Benchmarks/Sources, with the same arguments and output: `ready` on
// standard error once it is connected and subscribed, then lines `name value` on standard output. At
// QoS 1 and 2 at most WINDOW messages are unacknowledged; at QoS 0 the last message goes at QoS 1, and
// its acknowledgement ends the run. `fleet` connects its clients when it reads a line, prints
// `connected SECONDS`, waits for another line and then publishes 200 bytes at QoS 1 per client every
// 10 s, evenly spread. With three PEM files it connects by TLS, all clients with one OpenSSL context.

#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    WINDOW = 100,
    RECEIVE_MAXIMUM = 1000,
    QOS0_BURST = 1000,
    OUTSTANDING_CONNECTS = 64,
    READS_PER_EVENT = 64,
    SOURCES = 8,
    REQUEST_BYTES = 64,
    PACED_BYTES = 200,
    PACED_INTERVAL_MS = 10000,
    LARGEST_PAYLOAD = 1 << 16,
};

struct client {
    struct mosquitto *handle;
    int socket;
    bool wants_write;
    bool is_connected;
};

static struct client *clients;
static int client_count, started_count, connected_count;
static int poller, port, keepalive_s = 60;
static SSL_CTX *tls;
static char payload[LARGEST_PAYLOAD];

// What the modes count.
static int qos, payload_bytes, published, confirmed, received, granted;
static int64_t message_count, first_ns, last_ns;
static int64_t *sent_ns, *latency_ns;
static bool ends_with_input;

// libmosquitto's own socket pair is never read here: suppress it.
int socketpair(int domain, int type, int protocol, int pair[2])
{
    (void)domain, (void)type, (void)protocol, (void)pair;
    errno = EMFILE;
    return -1;
}

static void check(int code, const char *what)
{
    if (code == MOSQ_ERR_SUCCESS) return;
    fprintf(stderr, "raw_mqtt: %s: %s\n", what, mosquitto_strerror(code));
    exit(2);
}

static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// MARK: The engine

static void on_connect(struct mosquitto *handle, void *context, int code)
{
    (void)handle;
    if (code != 0) check(MOSQ_ERR_CONN_REFUSED, "connect");
    ((struct client *)context)->is_connected = true;
    connected_count += 1;
}

static void on_publish(struct mosquitto *handle, void *context, int message)
{
    (void)handle, (void)context, (void)message;
    confirmed += 1;
}

static void on_subscribe(
    struct mosquitto *handle, void *context, int message, int count, const int *levels)
{
    (void)handle, (void)context, (void)message, (void)count, (void)levels;
    granted += 1;
}

// Brings epoll in line with what the handle waits for.
static void watch(struct client *client)
{
    int socket = mosquitto_socket(client->handle);
    bool wants_write = mosquitto_want_write(client->handle);
    if (socket < 0) check(MOSQ_ERR_CONN_LOST, "socket");
    if (socket == client->socket && wants_write == client->wants_write) return;
    struct epoll_event event = {
        .events = EPOLLIN | (wants_write ? EPOLLOUT : 0), .data.ptr = client};
    int operation = socket == client->socket ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (epoll_ctl(poller, operation, socket, &event) != 0) check(MOSQ_ERR_ERRNO, "epoll");
    client->socket = socket;
    client->wants_write = wants_write;
}

static void flush(struct client *client)
{
    if (mosquitto_want_write(client->handle))
        check(mosquitto_loop_write(client->handle, 1), "write");
    watch(client);
}

static void serve(struct client *client, uint32_t events)
{
    // Until it is connected, libmosquitto goes on with the handshake only where it reads.
    if (tls != NULL && !client->is_connected) events |= EPOLLIN;
    if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
        for (int reads = 0; reads < READS_PER_EVENT; reads += 1) {
            errno = 0;
            check(mosquitto_loop_read(client->handle, 1), "read");
            if (errno == EAGAIN) break;
        }
    }
}

// Waits once and reads; what came of it is flushed by the caller or here.
static void turn(int timeout_ms)
{
    struct epoll_event events[256];
    int seen = epoll_wait(poller, events, 256, timeout_ms);
    for (int index = 0; index < seen; index += 1) {
        if (events[index].data.ptr == NULL && ends_with_input) exit(0);
        if (events[index].data.ptr == NULL) continue;
        serve(events[index].data.ptr, events[index].events);
    }
    for (int index = 0; index < seen; index += 1)
        if (events[index].data.ptr != NULL) flush(events[index].data.ptr);
}

static void start(struct client *client)
{
    char name[64], source[32];
    int number = client - clients;
    snprintf(name, sizeof name, "raw-%d-%d", (int)getpid(), number);
    snprintf(source, sizeof source, "127.0.0.%d", 2 + number % SOURCES);
    client->handle = mosquitto_new(name, true, client);
    client->socket = -1;
    if (client->handle == NULL) check(MOSQ_ERR_NOMEM, "new");
    mosquitto_int_option(client->handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(client->handle, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_int_option(client->handle, MOSQ_OPT_SEND_MAXIMUM, 65535);
    mosquitto_int_option(client->handle, MOSQ_OPT_RECEIVE_MAXIMUM, RECEIVE_MAXIMUM);
    if (tls != NULL) {
        mosquitto_int_option(client->handle, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0);
        mosquitto_void_option(client->handle, MOSQ_OPT_SSL_CTX, tls);
    }
    mosquitto_threaded_set(client->handle, true);
    mosquitto_connect_callback_set(client->handle, on_connect);
    mosquitto_publish_callback_set(client->handle, on_publish);
    mosquitto_subscribe_callback_set(client->handle, on_subscribe);
    check(
        mosquitto_connect_bind_async(client->handle, "127.0.0.1", port, keepalive_s, source),
        "connect");
    watch(client);
}

static void use_tls(const char *authority, const char *certificate, const char *key)
{
    tls = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, NULL);
    if (SSL_CTX_load_verify_file(tls, authority) != 1
        || SSL_CTX_use_certificate_chain_file(tls, certificate) != 1
        || SSL_CTX_use_PrivateKey_file(tls, key, SSL_FILETYPE_PEM) != 1)
        check(MOSQ_ERR_TLS, "files");
}

static void connect_clients(int count)
{
    client_count = count;
    clients = calloc(count, sizeof *clients);
    while (connected_count < count) {
        while (started_count < count && started_count - connected_count < OUTSTANDING_CONNECTS) {
            start(&clients[started_count]);
            started_count += 1;
        }
        turn(-1);
    }
}

static void subscribe(const char *topic, int granted_qos)
{
    int before = granted;
    check(mosquitto_subscribe(clients[0].handle, NULL, topic, granted_qos), "subscribe");
    flush(&clients[0]);
    while (granted == before) turn(-1);
}

static void publish(struct client *client, const char *topic, int bytes, int level)
{
    check(mosquitto_publish(client->handle, NULL, topic, bytes, payload, level, false), "publish");
    published += 1;
}

static void ready(void) { fprintf(stderr, "ready\n"); }

static void print_rate(int64_t count, int64_t nanoseconds)
{
    printf("rate %.1f\n", count * 1e9 / nanoseconds);
}

// MARK: Throughput

// Fills the window; at QoS 0 hands over as much as one write may take, once the last is written.
static void refill(struct client *client)
{
    for (int count = 0; published < message_count; count += 1) {
        bool is_last = published == message_count - 1;
        if (qos == 0 ? count == QOS0_BURST || client->wants_write : published - confirmed >= WINDOW)
            break;
        publish(client, "bench/data", payload_bytes, is_last && qos == 0 ? 1 : qos);
    }
    flush(client);
}

static void run_publish(void)
{
    connect_clients(1);
    ready();
    first_ns = now_ns();
    while (confirmed < message_count) {
        refill(&clients[0]);
        bool may_go_on = qos == 0 && published < message_count && !clients[0].wants_write;
        turn(may_go_on ? 0 : -1);
    }
    print_rate(message_count, now_ns() - first_ns);
}

static void on_data(
    struct mosquitto *handle, void *context, const struct mosquitto_message *message)
{
    (void)handle, (void)context, (void)message;
    if (received == 0) first_ns = now_ns();
    received += 1;
    if (received == message_count) last_ns = now_ns();
}

static void run_receive(bool ends)
{
    connect_clients(1);
    mosquitto_message_callback_set(clients[0].handle, on_data);
    subscribe("bench/data", qos);
    ready();
    while (!ends || received < message_count) turn(-1);
    print_rate(message_count - 1, last_ns - first_ns);
}

// MARK: Round trips

static void on_request(
    struct mosquitto *handle, void *context, const struct mosquitto_message *message)
{
    (void)handle;
    memcpy(payload, message->payload, REQUEST_BYTES);
    publish(context, "bench/response", REQUEST_BYTES, 1);
}

static void run_respond(void)
{
    connect_clients(1);
    mosquitto_message_callback_set(clients[0].handle, on_request);
    subscribe("bench/request", 1);
    ready();
    for (;;) turn(-1);
}

static void ask(struct client *client)
{
    int64_t number = published;
    if (number >= message_count) return;
    memcpy(payload, &number, sizeof number);
    sent_ns[number] = now_ns();
    publish(client, "bench/request", REQUEST_BYTES, 1);
}

static void on_response(
    struct mosquitto *handle, void *context, const struct mosquitto_message *message)
{
    (void)handle;
    int64_t number;
    memcpy(&number, message->payload, sizeof number);
    last_ns = now_ns();
    latency_ns[received] = last_ns - sent_ns[number];
    received += 1;
    ask(context);
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void run_roundtrip(int concurrent)
{
    sent_ns = calloc(message_count, sizeof *sent_ns);
    latency_ns = calloc(message_count, sizeof *latency_ns);
    connect_clients(1);
    mosquitto_message_callback_set(clients[0].handle, on_response);
    subscribe("bench/response", 1);
    ready();
    first_ns = now_ns();
    for (int index = 0; index < concurrent; index += 1) ask(&clients[0]);
    flush(&clients[0]);
    while (received < message_count) turn(-1);
    print_rate(message_count, last_ns - first_ns);
    qsort(latency_ns, message_count, sizeof *latency_ns, compare);
    printf("p50 %.1f\n", latency_ns[message_count / 2] / 1e3);
    printf("p99 %.1f\n", latency_ns[message_count * 99 / 100] / 1e3);
}

// MARK: Many clients

// Every client once a second, as the library asks for, a few at a time.
static void keep_alive(int64_t now)
{
    static int64_t done, begun;
    if (begun == 0) begun = now;
    for (; done < (now - begun) / 1000000 * client_count / 1000; done += 1) {
        struct client *client = &clients[done % client_count];
        check(mosquitto_loop_misc(client->handle), "misc");
        flush(client);
    }
}

// Whether a line was read. The end of the input ends the program.
static bool read_line(int timeout_ms)
{
    struct epoll_event event;
    char text[64];
    static int input = -1;
    if (input < 0) {
        input = epoll_create1(0);
        struct epoll_event wanted = {.events = EPOLLIN};
        epoll_ctl(input, EPOLL_CTL_ADD, STDIN_FILENO, &wanted);
        epoll_ctl(poller, EPOLL_CTL_ADD, input, &wanted);
    }
    if (epoll_wait(input, &event, 1, timeout_ms) <= 0) return false;
    if (read(STDIN_FILENO, text, sizeof text) <= 0) exit(0);
    return true;
}

static void pace(void)
{
    char topic[64];
    ends_with_input = true;
    int64_t begun = now_ns(), step_ns = (int64_t)PACED_INTERVAL_MS * 1000000 / client_count;
    for (int64_t number = 0;;) {
        int64_t now = now_ns();
        for (; begun + number * step_ns <= now; number += 1) {
            int index = number % client_count;
            snprintf(topic, sizeof topic, "bench/fleet/%d", index);
            publish(&clients[index], topic, PACED_BYTES, 1);
            flush(&clients[index]);
        }
        keep_alive(now);
        int64_t left_ns = begun + number * step_ns - now_ns();
        turn(left_ns <= 0 ? 0 : (int)((left_ns + 999999) / 1000000));
    }
}

static void run_fleet(int count)
{
    ready();
    read_line(-1);
    int64_t begun = now_ns();
    connect_clients(count);
    printf("connected %.4f\n", (now_ns() - begun) / 1e9);
    while (!read_line(0)) {
        keep_alive(now_ns());
        turn(10);
    }
    pace();
}

int main(int count, char **arguments)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    mosquitto_lib_init();
    poller = epoll_create1(EPOLL_CLOEXEC);

    const char *mode = count > 2 ? arguments[1] : "";
    int values[3] = {0};
    for (int index = 3; index < count && index < 6; index += 1)
        values[index - 3] = atoi(arguments[index]);
    port = count > 2 ? atoi(arguments[2]) : 0;
    qos = values[0];
    payload_bytes = values[1];
    message_count = values[2];
    if (strcmp(mode, "publish") == 0) run_publish();
    else if (strcmp(mode, "receive") == 0) run_receive(true);
    else if (strcmp(mode, "sink") == 0) run_receive(false);
    else if (strcmp(mode, "respond") == 0) run_respond();
    else if (strcmp(mode, "roundtrip") == 0) {
        message_count = values[1];
        run_roundtrip(values[0]);
    } else if (strcmp(mode, "fleet") == 0) {
        keepalive_s = values[1];
        if (count > 7) use_tls(arguments[5], arguments[6], arguments[7]);
        run_fleet(values[0]);
    } else {
        fprintf(stderr, "usage: see the head of raw_mqtt.c\n");
        return 64;
    }
    return 0;
}
