#ifndef CMOSQUITTO_SHIMS_H
#define CMOSQUITTO_SHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

/// Between begin and end this thread's `socketpair` fails with EMFILE, so that a library client costs
/// one descriptor instead of three. Does not nest.
void cmosquitto_socketpair_suppress(bool suppressed);

/// Between true and false a `write` of this thread to a peer that has gone fails with EAGAIN: the library
/// closes a socket at any other failure, and what the peer said last could not be read any more.
void cmosquitto_lost_peers_block(bool block);

/// Around `mosquitto_new`, which sets SIGPIPE to "ignore" every time it is called: end restores the
/// disposition that begin found. Holds a process-wide lock in between and suppresses `socketpair`.
void cmosquitto_creation_begin(void);
void cmosquitto_creation_end(void);

/// Keeps signals meant for the process away from the calling thread. SIGPIPE is among them: the
/// library writes to sockets without MSG_NOSIGNAL. What crash reporters use stays open.
void cmosquitto_block_signals(void);

/// An identity that the calling thread carries: which event loop it is at the moment, or NULL.
const void *cmosquitto_current_loop(void);
void cmosquitto_current_loop_set(const void *loop);

/// Tell ThreadSanitizer, where it is linked, that a lock was taken and is about to be given back.
void cmosquitto_lock_acquired(const void *lock);
void cmosquitto_lock_released(const void *lock);

/// Names the calling thread; the kernel keeps 15 bytes.
void cmosquitto_name_thread(const char *name);

/// The operating system's words for an errno, always terminated.
void cmosquitto_error_text(int number, char *buffer, size_t size);

/// While a TCP socket is corked, what is written to it waits until a segment is full or the cork is out.
void cmosquitto_cork(int socket, bool corked);

/// Writes the two bytes of a PINGREQ to a socket on which no packet is half written.
bool cmosquitto_write_ping(int socket);

#endif
