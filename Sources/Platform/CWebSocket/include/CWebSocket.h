#ifndef CWEBSOCKET_H
#define CWEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>

// A client of one WebSocket (RFC 6455) by libwebsockets. The library is loaded at the first call, because
// only homes with such a channel need it. Each socket has a thread of its own, on which its events are reported.

/// What happens to a socket.
enum cwebsocket_event {
    /// It is connected; the text is empty.
    CWEBSOCKET_OPEN = 0,
    /// A whole text message came; its bytes are valid during the call.
    CWEBSOCKET_TEXT = 1,
    /// It could not be connected, or was connected and has ended; the text says why.
    CWEBSOCKET_CLOSED = 2,
    /// It could not be connected, because the TLS handshake failed; the text says more.
    CWEBSOCKET_TLS_REFUSED = 4,
    /// Its owner has closed it, and its thread ends: the context is not used any more.
    CWEBSOCKET_RELEASED = 3,
};

/// Receives what happens to a socket, on the socket's own thread. It must not call the socket.
typedef void (*cwebsocket_receive)(void *context, enum cwebsocket_event event, const void *bytes,
                                   size_t count);

/// Where a socket leads. The texts are copied.
struct cwebsocket_target {
    /// A name, or an address without brackets.
    const char *host;
    int port;
    /// Begins with a slash.
    const char *path;
    /// What the server is told as its name: host and port as in the URL.
    const char *authority;
    /// Whether the connection is protected by TLS. The server's certificate must be valid for the host.
    bool uses_tls;
    /// Whether the host is an address, which the certificate must name as such.
    bool is_address;
    /// The authorities that a certificate may come from, a PEM file; NULL for those of the system.
    const char *ca_file;
    /// The most bytes of a message; a longer one ends the connection.
    size_t largest_message;
    /// After so many seconds without a sign of life a ping is sent, and after twice as many the connection ends.
    unsigned short silence_s;
};

typedef struct cwebsocket cwebsocket;

/// Whether libwebsockets can be loaded; else writes why not.
bool cwebsocket_load(char *message, size_t size);

/// Starts to connect; the result is reported. NULL, with a message, if there is no memory or no thread.
cwebsocket *cwebsocket_open(const struct cwebsocket_target *target, cwebsocket_receive receive,
                            void *context, char *message, size_t size);

/// Hands a text message over for sending. From any thread, in the order of the calls.
/// Returns whether it was taken: not before the socket is open, not after it has ended, and not while
/// more than 16 MiB wait.
bool cwebsocket_send(cwebsocket *socket, const void *bytes, size_t count);

/// Closes the socket: what waits is sent, then the connection is closed. It does not wait. The socket must not be used
/// after the call. What is being reported at this moment may still be; then comes CWEBSOCKET_RELEASED.
void cwebsocket_close(cwebsocket *socket);

#endif
