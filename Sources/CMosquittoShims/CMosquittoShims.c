#define _GNU_SOURCE
#include "CMosquittoShims.h"

#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static _Thread_local bool socketpair_suppressed;
static _Thread_local bool lost_peers_block;
static _Thread_local const void *current_loop;

// What `write` is called where it is defined: by libc, and by the sanitizers, which stand before it.
extern ssize_t __write(int, const void *, size_t);
extern ssize_t __interceptor_write(int, const void *, size_t) __attribute__((weak));

typedef int (*socketpair_function)(int, int, int, int[2]);

// The program's definition precedes libc's for every shared library of the process.
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

// Precedes libc's as well. OpenSSL writes by it too, on behalf of the library.
ssize_t write(int descriptor, const void *bytes, size_t count) {
    ssize_t written = __interceptor_write ? __interceptor_write(descriptor, bytes, count)
                                          : __write(descriptor, bytes, count);
    if (written < 0 && lost_peers_block && (errno == EPIPE || errno == ECONNRESET)) {
        errno = EAGAIN;
    }
    return written;
}

void cmosquitto_lost_peers_block(bool block) { lost_peers_block = block; }

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

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

void cmosquitto_lock_acquired(const void *lock) {
    if (__tsan_acquire) {
        __tsan_acquire((void *)lock);
    }
}

void cmosquitto_lock_released(const void *lock) {
    if (__tsan_release) {
        __tsan_release((void *)lock);
    }
}

void cmosquitto_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

void cmosquitto_error_text(int number, char *buffer, size_t size) {
    // The GNU variant may answer with a text of its own instead of filling the buffer.
    const char *text = strerror_r(number, buffer, size);
    if (text != buffer) {
        snprintf(buffer, size, "%s", text);
    }
}

void cmosquitto_cork(int socket, bool corked) {
    int value = corked;
    setsockopt(socket, IPPROTO_TCP, TCP_CORK, &value, sizeof value);
}

bool cmosquitto_write_ping(int socket) {
    static const unsigned char pingreq[] = {0xC0, 0x00};
    return send(socket, pingreq, sizeof pingreq, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof pingreq;
}
