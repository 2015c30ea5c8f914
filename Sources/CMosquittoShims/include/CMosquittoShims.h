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

/// What one socket may be asked for, and what it gave more than was asked. The library reads a packet in
/// three pieces and as far as the peer sends; through this it has both in one `read` and an end.
struct cmosquitto_intake {
    int socket;
    /// Room for what is read ahead; without any, only the allowance counts.
    unsigned char *bytes;
    size_t capacity;
    /// What of it has not been given to the library yet.
    size_t begin, end;
    /// How many bytes the system may still be asked for. Where there is room to read ahead, that is none
    /// after it had fewer than it was asked for.
    size_t allowance;
};

/// Lets a `read` of this thread from the socket of `intake` go through that, until it is NULL. Once
/// nothing is left and nothing may be asked for, it fails with EAGAIN.
void cmosquitto_intake_use(struct cmosquitto_intake *intake);

/// What the library has written to one socket, and the system has not been given yet. The library writes
/// packet by packet; through this they go out together.
struct cmosquitto_outlet {
    int socket;
    unsigned char *bytes;
    size_t capacity;
    /// What is to be sent.
    size_t begin, end;
};

/// Lets a `write` of this thread to the socket of `outlet` go through that, until it is NULL. Where that has
/// no room, what is in it is sent first, and the `write` fails as sending does.
void cmosquitto_outlet_use(struct cmosquitto_outlet *outlet);

/// Sends what the socket takes. Returns 0, or the `errno` with which the system refused the rest.
int cmosquitto_outlet_flush(struct cmosquitto_outlet *outlet);

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

/// Names the calling thread; the kernel keeps 15 bytes.
void cmosquitto_name_thread(const char *name);

/// The operating system's words for an errno, always terminated.
void cmosquitto_error_text(int number, char *buffer, size_t size);

/// While a TCP socket is corked, what is written to it waits until a segment is full or the cork is out.
void cmosquitto_cork(int socket, bool corked);

/// Sends the TCP acknowledgement that is due now instead of later. It holds until the kernel goes back to
/// delaying, so it is asked for after each read.
void cmosquitto_quick_ack(int socket);

#endif
