#ifndef CMOSQUITTO_SHIMS_H
#define CMOSQUITTO_SHIMS_H

#include <sys/epoll.h>
#include <sys/eventfd.h>

#endif
