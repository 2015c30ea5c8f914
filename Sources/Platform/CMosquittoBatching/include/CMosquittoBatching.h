#ifndef CMOSQUITTO_BATCHING_H
#define CMOSQUITTO_BATCHING_H

#include <stdbool.h>

/// A program that links this module replaces `read` and `write` of libc for itself and for every shared library of
/// its process. Nothing needs to be called: MQTTClient looks for this symbol.
extern const bool cmosquitto_batching;

#endif
