#define _GNU_SOURCE
#include "CMosquittoShims.h"

#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static _Thread_local bool socketpair_suppressed;
static _Thread_local bool lost_peers_block;
static _Thread_local struct cmosquitto_intake *current_intake;
static _Thread_local struct cmosquitto_outlet *current_outlet;
static _Thread_local const void *current_loop;

// The names of the original `read` and `write`: those of libc, or of a sanitizer, which overrides them.
extern ssize_t __read(int, void *, size_t);
extern ssize_t __interceptor_read(int, void *, size_t) __attribute__((weak));
extern ssize_t __write(int, const void *, size_t);
extern ssize_t __interceptor_write(int, const void *, size_t) __attribute__((weak));

// Only a program that links CMosquittoBatching has it.
extern const bool cmosquitto_batching __attribute__((weak));

typedef int (*socketpair_function)(int, int, int, int[2]);

// The program's definition overrides libc's for every shared library of the process.
int socketpair(int domain, int type, int protocol, int descriptors[2]) {
    if (socketpair_suppressed) {
        errno = EMFILE;
        return -1;
    }
    socketpair_function next = (socketpair_function)dlsym(RTLD_NEXT, "socketpair");
    if (next == NULL) {
        errno = ENOSYS;
        return -1;
    }
    return next(domain, type, protocol, descriptors);
}

void cmosquitto_socketpair_suppress(bool suppressed) { socketpair_suppressed = suppressed; }

static ssize_t system_write(int descriptor, const void *bytes, size_t count) {
    ssize_t written = __interceptor_write ? __interceptor_write(descriptor, bytes, count)
                                          : __write(descriptor, bytes, count);
    if (written < 0 && lost_peers_block && (errno == EPIPE || errno == ECONNRESET)) {
        errno = EAGAIN;
    }
    return written;
}

int cmosquitto_outlet_flush(struct cmosquitto_outlet *outlet) {
    while (outlet->begin < outlet->end) {
        ssize_t sent = system_write(
            outlet->socket, outlet->bytes + outlet->begin, outlet->end - outlet->begin);
        if (sent >= 0) {
            outlet->begin += sent;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    outlet->begin = outlet->end = 0;
    return 0;
}

static ssize_t give_out(struct cmosquitto_outlet *outlet, const void *bytes, size_t count) {
    if (count > outlet->capacity - outlet->end) {
        int error = cmosquitto_outlet_flush(outlet);
        if (error != 0) {
            errno = error;
            return -1;
        }
    }
    if (count > outlet->capacity) {
        return system_write(outlet->socket, bytes, count);
    }
    memcpy(outlet->bytes + outlet->end, bytes, count);
    outlet->end += count;
    return count;
}

ssize_t cmosquitto_buffered_write(int descriptor, const void *bytes, size_t count) {
    struct cmosquitto_outlet *outlet = current_outlet;
    return outlet != NULL && outlet->socket == descriptor ? give_out(outlet, bytes, count)
                                                          : system_write(descriptor, bytes, count);
}

void cmosquitto_outlet_use(struct cmosquitto_outlet *outlet) { current_outlet = outlet; }

void cmosquitto_lost_peers_block(bool block) { lost_peers_block = block; }

static ssize_t system_read(int descriptor, void *bytes, size_t count) {
    return __interceptor_read ? __interceptor_read(descriptor, bytes, count)
                              : __read(descriptor, bytes, count);
}

// Reads at most the allowed number of bytes.
static ssize_t take_in(struct cmosquitto_intake *intake, void *bytes, size_t count) {
    if (count > intake->allowance) {
        count = intake->allowance;
    }
    if (count == 0) {
        errno = EAGAIN;
        return -1;
    }
    ssize_t taken = system_read(intake->socket, bytes, count);
    if (taken < (ssize_t)count && intake->capacity > 0) {
        intake->allowance = 0;
    } else if (taken > 0) {
        intake->allowance -= taken;
    }
    return taken;
}

ssize_t cmosquitto_buffered_read(int descriptor, void *bytes, size_t count) {
    struct cmosquitto_intake *intake = current_intake;
    if (intake == NULL || intake->socket != descriptor) {
        return system_read(descriptor, bytes, count);
    }
    if (intake->begin == intake->end) {
        if (count >= intake->capacity) {
            return take_in(intake, bytes, count);
        }
        ssize_t taken = take_in(intake, intake->bytes, intake->capacity);
        if (taken <= 0) {
            return taken;
        }
        intake->begin = 0;
        intake->end = taken;
    }
    size_t available = intake->end - intake->begin;
    size_t given = count < available ? count : available;
    memcpy(bytes, intake->bytes + intake->begin, given);
    intake->begin += given;
    return given;
}

bool cmosquitto_batches(void) { return &cmosquitto_batching != NULL; }

bool cmosquitto_is_reset(int socket) {
    struct pollfd request = {.fd = socket};
    return poll(&request, 1, 0) > 0 && (request.revents & (POLLERR | POLLHUP)) != 0;
}

void cmosquitto_intake_use(struct cmosquitto_intake *intake) { current_intake = intake; }

static pthread_mutex_t creation_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction sigpipe_before_creation;

void cmosquitto_creation_begin(void) {
    pthread_mutex_lock(&creation_lock);
    sigaction(SIGPIPE, NULL, &sigpipe_before_creation);
    socketpair_suppressed = true;
}

void cmosquitto_creation_end(void) {
    socketpair_suppressed = false;
    sigaction(SIGPIPE, &sigpipe_before_creation, NULL);
    pthread_mutex_unlock(&creation_lock);
}

void cmosquitto_block_signals(void) {
    static const int asynchronous[] = {SIGPIPE, SIGINT,  SIGTERM,  SIGHUP,  SIGCHLD, SIGALRM,
                                       SIGUSR1, SIGTSTP, SIGWINCH, SIGCONT, SIGURG,  SIGIO};
    sigset_t blocked;
    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof asynchronous / sizeof asynchronous[0]; i++) {
        sigaddset(&blocked, asynchronous[i]);
    }
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
}

const void *cmosquitto_current_loop(void) { return current_loop; }

void cmosquitto_current_loop_set(const void *loop) { current_loop = loop; }

void cmosquitto_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

void cmosquitto_error_text(int number, char *buffer, size_t size) {
    // The GNU variant may return a static text instead of filling the buffer.
    const char *text = strerror_r(number, buffer, size);
    if (text != buffer) {
        snprintf(buffer, size, "%s", text);
    }
}

void cmosquitto_cork(int socket, bool corked) {
    int value = corked;
    setsockopt(socket, IPPROTO_TCP, TCP_CORK, &value, sizeof value);
}

void cmosquitto_quick_ack(int socket) {
    int value = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_QUICKACK, &value, sizeof value);
}
