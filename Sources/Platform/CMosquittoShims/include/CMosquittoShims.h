#ifndef CMOSQUITTO_SHIMS_H
#define CMOSQUITTO_SHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/types.h>

/// Between begin and end this thread's `socketpair` fails with EMFILE, so that a library client costs
/// one descriptor instead of three. Does not nest.
void cmosquitto_socketpair_suppress(bool suppressed);

/// Whether the program links CMosquittoBatching. Without it the three functions below that concern `read` and
/// `write` have no effect: each call of the library goes to the system as it is.
bool cmosquitto_batches(void);

/// What `read` and `write` of CMosquittoBatching do: as the system does, except as the functions below say.
ssize_t cmosquitto_buffered_read(int descriptor, void *bytes, size_t count);
ssize_t cmosquitto_buffered_write(int descriptor, const void *bytes, size_t count);

/// Whether the peer has reset the connection, so that a `write` would fail.
bool cmosquitto_is_reset(int socket);

/// Between true and false a `write` of this thread to a disconnected peer fails with EAGAIN: after any other
/// error the library closes the socket, and the peer's last data could not be read any more.
void cmosquitto_lost_peers_block(bool block);

/// A read buffer and a limit for one socket. The library reads a packet in three pieces, and for as long as the
/// peer sends; with this one `read` serves many packets, and a turn is bounded.
struct cmosquitto_intake {
    int socket;
    /// The buffer for data that is read ahead; without one only the allowance applies.
    unsigned char *bytes;
    size_t capacity;
    /// The part of it that the library has not consumed yet.
    size_t begin, end;
    /// How many bytes may still be read from the socket. With a buffer this becomes 0 when the socket returned
    /// fewer bytes than requested.
    size_t allowance;
};

/// Makes each `read` of this thread from the socket of `intake` use the buffer, until called with NULL. When
/// the buffer is empty and nothing more may be read, it fails with EAGAIN.
void cmosquitto_intake_use(struct cmosquitto_intake *intake);

/// A write buffer for one socket. The library writes packet by packet; with this they are sent together.
struct cmosquitto_outlet {
    int socket;
    unsigned char *bytes;
    size_t capacity;
    /// The data to send.
    size_t begin, end;
};

/// Makes each `write` of this thread to the socket of `outlet` use the buffer, until called with NULL. If the
/// buffer is full, it is sent first, and the `write` fails if that fails.
void cmosquitto_outlet_use(struct cmosquitto_outlet *outlet);

/// Sends as much as the socket accepts. Returns 0, or the `errno` with which the system refused the rest.
int cmosquitto_outlet_flush(struct cmosquitto_outlet *outlet);

/// Around `mosquitto_new`, which sets SIGPIPE to "ignore" every time it is called: end restores the
/// disposition that begin found. Holds a process-wide lock in between and suppresses `socketpair`.
void cmosquitto_creation_begin(void);
void cmosquitto_creation_end(void);

/// Blocks signals for the process on the calling thread. SIGPIPE is among them, because the library writes to
/// sockets without MSG_NOSIGNAL. Signals that crash reporters use are not blocked.
void cmosquitto_block_signals(void);

/// The identity of the event loop that runs on the calling thread, or NULL.
const void *cmosquitto_current_loop(void);
void cmosquitto_current_loop_set(const void *loop);

/// Names the calling thread; the kernel limits the name to 15 bytes.
void cmosquitto_name_thread(const char *name);

/// The operating system's text for an errno, always terminated.
void cmosquitto_error_text(int number, char *buffer, size_t size);

/// Corks or uncorks a TCP socket. While it is corked, written data waits until a segment is full.
void cmosquitto_cork(int socket, bool corked);

/// Sends a pending TCP acknowledgement now. The kernel may return to delaying them, so this is called after
/// each read.
void cmosquitto_quick_ack(int socket);

#endif
