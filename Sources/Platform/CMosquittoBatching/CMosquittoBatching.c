#include "CMosquittoBatching.h"
#include "CMosquittoShims.h"

#include <unistd.h>

const bool cmosquitto_batching = true;

// OpenSSL uses them too, on behalf of the library.
ssize_t read(int descriptor, void *bytes, size_t count) {
    return cmosquitto_buffered_read(descriptor, bytes, count);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    return cmosquitto_buffered_write(descriptor, bytes, count);
}
