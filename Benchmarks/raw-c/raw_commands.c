// Devices and a controller on bare libmosquitto: what commands meet, and what an exchange costs without
// a ledger.
//
//     raw_commands devices PORT COUNT answer|mute|offline   plays so many devices, until SIGTERM
//     raw_commands ask PORT COUNT CONCURRENT DEVICES [FILE] sends commands, prints rate and percentiles
//
// `devices` retains description, presence and state of sweeper-1 … sweeper-COUNT of home-1 over one
// connection. With `answer` each command gets the acks accepted and succeeded, with `mute` none, and
// `offline` devices are not there. Queries (query-commands) are always answered: the device never
// received anything. `ready` is written to standard error; at SIGTERM lines `name value` to standard
// output: commands and queries that came, and the most queries within one second.
//
// `ask` sends COUNT commands of the protocol, CONCURRENT at a time, each to the next device, and waits for
// the final ack of each. It checks nothing. With FILE it keeps the smallest ledger there that survives the power:
// a row of SQLite, synced before the command is sent, and its outcome, written and not synced, before the next
// one. Without, it writes nothing down.

#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum {
    LARGEST_PAYLOAD = 1 << 16,
    READS_PER_EVENT = 64,
    ID_LENGTH = 36,
    SEND_MAXIMUM = 900,
    RECEIVE_MAXIMUM = 1000,
    LONGEST_NAME = 64,
    BATCH = 500,
};

static struct mosquitto *client;
static int poller, port, granted, confirmed;
static bool is_connected, watches_write;
static volatile sig_atomic_t is_ended;
static char payload[LARGEST_PAYLOAD], topic[256];

// What the devices count.
static bool answers;
static long commands, queries, queries_in_second, most_queries;
static int64_t query_second;

// What the controller counts.
static int64_t *sent_ns, *latency_ns, last_ns;
static long asked, finished, total;
static int devices;

static sqlite3 *ledger;
static sqlite3_stmt *record, *conclude;

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
    fprintf(stderr, "raw_commands: %s: %s\n", what, mosquitto_strerror(code));
    exit(2);
}

static int64_t clock_ns(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
static int64_t wall_ms(void) { return clock_ns(CLOCK_REALTIME) / 1000000; }

// MARK: The connection

static void on_connect(struct mosquitto *handle, void *context, int code)
{
    (void)handle, (void)context;
    if (code != 0) check(MOSQ_ERR_CONN_REFUSED, "connect");
    is_connected = true;
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

static void flush(void)
{
    if (mosquitto_want_write(client)) check(mosquitto_loop_write(client, 1), "write");
    bool wants = mosquitto_want_write(client);
    if (wants == watches_write) return;
    struct epoll_event event = {.events = EPOLLIN | (wants ? EPOLLOUT : 0)};
    epoll_ctl(poller, EPOLL_CTL_MOD, mosquitto_socket(client), &event);
    watches_write = wants;
}

static void turn(int timeout_ms)
{
    struct epoll_event event;
    flush();
    if (epoll_wait(poller, &event, 1, timeout_ms) > 0 && (event.events & ~EPOLLOUT)) {
        for (int reads = 0; reads < READS_PER_EVENT; reads += 1) {
            errno = 0;
            check(mosquitto_loop_read(client, 1), "read");
            if (errno == EAGAIN) break;
        }
    }
    check(mosquitto_loop_misc(client), "misc");
    flush();
}

static void connect_to_broker(void)
{
    client = mosquitto_new(NULL, true, NULL);
    if (client == NULL) check(MOSQ_ERR_NOMEM, "new");
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, SEND_MAXIMUM);
    mosquitto_int_option(client, MOSQ_OPT_RECEIVE_MAXIMUM, RECEIVE_MAXIMUM);
    mosquitto_threaded_set(client, true);
    mosquitto_connect_callback_set(client, on_connect);
    mosquitto_publish_callback_set(client, on_publish);
    mosquitto_subscribe_callback_set(client, on_subscribe);
    check(mosquitto_connect_async(client, "127.0.0.1", port, 60), "connect");
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT};
    watches_write = true;
    if (epoll_ctl(poller, EPOLL_CTL_ADD, mosquitto_socket(client), &event) != 0)
        check(MOSQ_ERR_ERRNO, "epoll");
    while (!is_connected) turn(-1);
}

static void subscribe(const char *filter)
{
    int before = granted;
    check(mosquitto_subscribe(client, NULL, filter, 1), "subscribe");
    while (granted == before) turn(-1);
}

static void publish(bool retain)
{
    check(
        mosquitto_publish(client, NULL, topic, strlen(payload), payload, 1, retain), "publish");
}

// MARK: Devices

// The text of a member of the object that a payload is; false where it has none.
static bool member(const char *text, const char *name, char *value, size_t size)
{
    char key[LONGEST_NAME];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *begin = strstr(text, key);
    if (begin == NULL) return false;
    begin += strlen(key);
    const char *end = strchr(begin, '"');
    if (end == NULL || (size_t)(end - begin) >= size) return false;
    memcpy(value, begin, end - begin);
    value[end - begin] = 0;
    return true;
}

static void acknowledge(
    const char *device, const char *controller, const char *id, int n, const char *stage,
    const char *result)
{
    bool is_final = n == 2;
    snprintf(topic, sizeof topic, "homeport/v1/home-1/%s/ack/%s", device, controller);
    snprintf(
        payload, sizeof payload,
        "{\"v\":1,\"id\":\"%s\",\"device\":\"%s\",\"boot\":\"b1\",\"n\":%d,\"stage\":\"%s\","
        "\"final\":%s,\"code\":\"OK\",\"message\":\"\",\"result\":%s,\"revision\":7,"
        "\"executions\":%d,\"replay\":false,\"at\":%lld}",
        id, device, n, stage, is_final ? "true" : "false", result, is_final ? 1 : 0,
        (long long)wall_ms());
    publish(false);
}

// "never" for each id in the arguments of a query.
static void answer_query(
    const char *text, const char *device, const char *controller, const char *id)
{
    static char result[LARGEST_PAYLOAD / 2];
    size_t length = snprintf(result, sizeof result, "{\"commands\":[");
    const char *place = strstr(text, "\"ids\":[");
    for (place = place == NULL ? NULL : place + 7; place != NULL && *place == '"';) {
        length += snprintf(
            result + length, sizeof result - length, "%s{\"id\":\"%.*s\",\"outcome\":\"never\"}",
            result[length - 1] == '[' ? "" : ",", ID_LENGTH, place + 1);
        place += ID_LENGTH + 2;
        if (*place == ',') place += 1;
    }
    snprintf(result + length, sizeof result - length, "]}");
    int64_t second = now_ns() / 1000000000;
    queries_in_second = second == query_second ? queries_in_second + 1 : 1;
    query_second = second;
    if (queries_in_second > most_queries) most_queries = queries_in_second;
    queries += 1;
    acknowledge(device, controller, id, 2, "succeeded", result);
}

static void on_command(
    struct mosquitto *handle, void *context, const struct mosquitto_message *message)
{
    (void)handle, (void)context;
    static char text[LARGEST_PAYLOAD];
    char device[LONGEST_NAME], controller[LONGEST_NAME], id[LONGEST_NAME], name[LONGEST_NAME];
    if (message->payloadlen >= LARGEST_PAYLOAD || message->retain) return;
    memcpy(text, message->payload, message->payloadlen);
    text[message->payloadlen] = 0;
    if (sscanf(message->topic, "homeport/v1/home-1/%63[^/]", device) != 1) return;
    if (!member(text, "id", id, sizeof id) || !member(text, "name", name, sizeof name)) return;
    if (!member(text, "controller", controller, sizeof controller)) return;
    if (strcmp(name, "query-commands") == 0) return answer_query(text, device, controller, id);
    commands += 1;
    if (!answers) return;
    acknowledge(device, controller, id, 1, "accepted", "{}");
    acknowledge(device, controller, id, 2, "succeeded", "{}");
}

static void announce(int number, bool is_online)
{
    char name[LONGEST_NAME];
    snprintf(name, sizeof name, "sweeper-%d", number);
    snprintf(topic, sizeof topic, "homeport/v1/home-1/%s/description", name);
    snprintf(
        payload, sizeof payload,
        "{\"v\":1,\"device\":\"%s\",\"model\":\"sweeper-s1\",\"kind\":\"sweeping-robot\","
        "\"name\":\"Sweeper %d\",\"firmware\":\"1\",\"capabilities\":[\"connectable\","
        "\"battery-powered\",\"controllable\",\"movable\"],"
        "\"commands\":[\"locate\",\"start-cleaning\",\"query-commands\"]}",
        name, number);
    publish(true);
    snprintf(topic, sizeof topic, "homeport/v1/home-1/%s/presence", name);
    snprintf(
        payload, sizeof payload,
        "{\"v\":1,\"device\":\"%s\",\"status\":\"%s\",\"boot\":\"b1\",\"at\":%lld}", name,
        is_online ? "online" : "offline", (long long)wall_ms());
    publish(true);
    snprintf(topic, sizeof topic, "homeport/v1/home-1/%s/state", name);
    snprintf(
        payload, sizeof payload,
        "{\"v\":1,\"device\":\"%s\",\"boot\":\"b1\",\"revision\":7,\"at\":%lld,\"by\":null,"
        "\"state\":{\"activity\":\"docked\",\"batteryPercent\":81,\"fanSpeed\":\"max\","
        "\"isCharging\":true,\"error\":null}}",
        name, (long long)wall_ms());
    publish(true);
}

static void end(int number)
{
    (void)number;
    is_ended = 1;
}

static void run_devices(int count, const char *manner)
{
    bool is_online = strcmp(manner, "offline") != 0;
    answers = strcmp(manner, "answer") == 0;
    signal(SIGTERM, end);
    mosquitto_message_callback_set(client, on_command);
    for (int number = 1; number <= count; number += 1) {
        announce(number, is_online);
        if (number % BATCH != 0 && number != count) continue;
        while (confirmed < 3 * number) turn(-1);
    }
    if (is_online) {
        subscribe("homeport/v1/home-1/+/command");
        subscribe("homeport/v1/home-1/+/command/urgent");
    }
    fprintf(stderr, "ready\n");
    while (!is_ended) turn(200);
    printf("commands %ld\nqueries %ld\nmost-queries-per-s %ld\n", commands, queries, most_queries);
}

// MARK: The controller

static void check_sql(int code)
{
    if (code == SQLITE_OK) return;
    fprintf(stderr, "raw_commands: ledger: %s\n", sqlite3_errmsg(ledger));
    exit(2);
}

static void run_sql(const char *sql) { check_sql(sqlite3_exec(ledger, sql, NULL, NULL, NULL)); }

static void open_ledger(const char *file)
{
    check_sql(sqlite3_open(file, &ledger));
    run_sql(
        "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
        "CREATE TABLE command (number INTEGER PRIMARY KEY, payload TEXT, outcome TEXT)");
    const char *insert = "INSERT INTO command VALUES (?, ?, NULL)";
    check_sql(sqlite3_prepare_v2(ledger, insert, -1, &record, NULL));
    const char *update = "UPDATE command SET outcome = 'succeeded' WHERE number = ?";
    check_sql(sqlite3_prepare_v2(ledger, update, -1, &conclude, NULL));
}

static void write_down(sqlite3_stmt *change, long number, const char *durability)
{
    if (ledger == NULL) return;
    run_sql(durability);
    sqlite3_bind_int64(change, 1, number);
    if (change == record) sqlite3_bind_text(change, 2, payload, -1, SQLITE_STATIC);
    sqlite3_step(change);
    check_sql(sqlite3_reset(change));
}

// The number of a command is in the last twelve digits of its id.
static void ask(void)
{
    if (asked >= total) return;
    int device = asked % devices + 1;
    int64_t now = wall_ms();
    snprintf(topic, sizeof topic, "homeport/v1/home-1/sweeper-%d/command", device);
    snprintf(
        payload, sizeof payload,
        "{\"v\":1,\"id\":\"018f3c1e-7b9a-7c2e-9d5e-%012lx\",\"controller\":\"raw\","
        "\"name\":\"locate\",\"arguments\":{},\"issuedAt\":%lld,\"expiresAt\":%lld,"
        "\"sequence\":%lld}",
        (unsigned long)asked, (long long)now, (long long)now + 30000, (long long)now + asked);
    sent_ns[asked] = now_ns();
    write_down(record, asked, "PRAGMA synchronous = FULL");
    asked += 1;
    publish(false);
}

static void on_ack(
    struct mosquitto *handle, void *context, const struct mosquitto_message *message)
{
    (void)handle, (void)context;
    static char text[LARGEST_PAYLOAD];
    char id[LONGEST_NAME];
    if (message->payloadlen >= LARGEST_PAYLOAD) return;
    memcpy(text, message->payload, message->payloadlen);
    text[message->payloadlen] = 0;
    if (strstr(text, "\"final\":true") == NULL || !member(text, "id", id, sizeof id)) return;
    long number = strtol(id + ID_LENGTH - 12, NULL, 16);
    if (number < 0 || number >= asked) return;
    write_down(conclude, number, "PRAGMA synchronous = NORMAL");
    last_ns = now_ns();
    latency_ns[finished] = last_ns - sent_ns[number];
    finished += 1;
    ask();
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void run_ask(long count, int concurrent, int device_count, const char *file)
{
    if (file != NULL) open_ledger(file);
    total = count;
    devices = device_count;
    sent_ns = calloc(count, sizeof *sent_ns);
    latency_ns = calloc(count, sizeof *latency_ns);
    mosquitto_message_callback_set(client, on_ack);
    subscribe("homeport/v1/home-1/+/ack/raw");
    fprintf(stderr, "ready\n");
    int64_t begun = now_ns();
    for (int index = 0; index < concurrent; index += 1) ask();
    while (finished < total) turn(-1);
    printf("rate %.1f\n", total * 1e9 / (last_ns - begun));
    qsort(latency_ns, total, sizeof *latency_ns, compare);
    printf("p50 %.1f\n", latency_ns[total / 2] / 1e3);
    printf("p99 %.1f\n", latency_ns[total * 99 / 100] / 1e3);
}

int main(int count, char **arguments)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *mode = count > 4 ? arguments[1] : "";
    mosquitto_lib_init();
    poller = epoll_create1(EPOLL_CLOEXEC);
    port = count > 2 ? atoi(arguments[2]) : 0;
    bool plays = strcmp(mode, "devices") == 0 && count == 5;
    bool asks = strcmp(mode, "ask") == 0 && (count == 6 || count == 7);
    if (!plays && !asks) {
        fprintf(stderr, "usage: see the head of raw_commands.c\n");
        return 64;
    }
    connect_to_broker();
    if (plays) run_devices(atoi(arguments[3]), arguments[4]);
    else run_ask(
        atol(arguments[3]), atoi(arguments[4]), atoi(arguments[5]),
        count == 7 ? arguments[6] : NULL);
    return 0;
}
